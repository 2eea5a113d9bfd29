"""Pincite: answers over your own documents, every claim pinned to the exact words that support it."""
