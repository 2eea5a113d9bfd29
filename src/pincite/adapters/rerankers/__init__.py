"""Adapters: rerankers."""
