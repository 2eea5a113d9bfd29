"""Generation -> claims and citations. Tolerant in what it reads, strict in what it resolves."""

from __future__ import annotations

from pincite.cite.claims import cite
from pincite.cite.plain import strip_markers

__all__ = ["cite", "strip_markers"]
