"""What every Store must do. Subclass, say how to make one, and let pytest collect the class.

Example:
    class TestMine(StoreConformance):
        def make_store(self, folder: Path) -> Store:
            return MyStore(folder, dimensions=self.dimensions)

        def reopen(self, store: Store, folder: Path) -> Store:
            store.close()
            return MyStore(folder, dimensions=self.dimensions)
"""

from __future__ import annotations

from pincite.testing.store_changes import ChangeRules
from pincite.testing.store_queries import QueryRules
from pincite.testing.store_visibility import VisibilityRules


class StoreConformance(VisibilityRules, QueryRules, ChangeRules):
    """Tests that hold for any Store; each method is one rule of ``Store`` or of ``View``."""
