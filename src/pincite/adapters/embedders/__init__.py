"""Adapters: embedders."""
