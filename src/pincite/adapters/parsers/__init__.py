"""Adapters: parsers."""
