"""Pincite: answers over your own documents, every claim pinned to the exact words that support it.

Two calls are all most people need::

    from pincite import check, Library

Names are resolved on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.library import Library, check
    from pincite.types import Answer, Checked, Identity, Passage

__all__ = ["Answer", "Checked", "Identity", "Library", "Passage", "check"]

_HOME = {
    "Answer": "pincite.types",
    "Checked": "pincite.types",
    "Identity": "pincite.types",
    "Library": "pincite.library",
    "Passage": "pincite.types",
    "check": "pincite.library",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOME[name]), name)
