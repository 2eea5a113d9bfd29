"""Both stores keep every rule of the public suite."""

from __future__ import annotations

from pathlib import Path

from pincite.adapters.stores.embedded import EmbeddedStore
from pincite.protocols import Store
from pincite.testing.memory_store import MemoryStore
from pincite.testing.store_conformance import StoreConformance


class TestMemoryStore(StoreConformance):
    def make_store(self, folder: Path) -> Store:
        return MemoryStore(dimensions=self.dimensions)


class TestEmbeddedStore(StoreConformance):
    def make_store(self, folder: Path) -> Store:
        return EmbeddedStore.create(folder / "library", embedder="hash-64/1", dimensions=self.dimensions)

    def reopen(self, store: Store, folder: Path) -> Store:
        store.close()
        return EmbeddedStore.open(folder / "library")
