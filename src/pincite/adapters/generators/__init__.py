"""Adapters: generators."""
