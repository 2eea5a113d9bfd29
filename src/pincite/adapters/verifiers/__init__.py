"""Adapters: verifiers."""
