"""The default store: SQLite holds the truth, tantivy and two vector files are indexes derived from it."""

from pincite.adapters.stores.embedded.store import EmbeddedStore

__all__ = ["EmbeddedStore"]
