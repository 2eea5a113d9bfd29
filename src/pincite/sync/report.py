"""What a sync is told and what it tells."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from pincite.ingest.report import IngestOptions

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True, slots=True)
class SyncOptions:
    """``ingest`` holds for every file; a manifest may say otherwise for one.

    ``name`` is what the library remembers the root by: its full path unless given. ``max_removed_share``, from 0 to 1:
    above this share of the root's files, removals need a confirmation.
    """

    ingest: IngestOptions = field(default_factory=IngestOptions)
    name: str | None = None
    allow_empty: bool = False
    max_removed_share: float = 0.2
    dry_run: bool = False


class Change(StrEnum):
    """What a file is to the library. UNREACHED: it, or a folder above it, cannot be read now; nothing was done."""

    NEW = "new"
    CHANGED = "changed"
    MOVED = "moved"
    REMOVED = "removed"
    UNCHANGED = "unchanged"
    FAILED = "failed"
    UNREACHED = "unreached"


@dataclass(frozen=True, kw_only=True, slots=True)
class SyncRow:
    """One file. ``path`` is relative to the root; ``documents`` and ``passages`` count what went in.

    ``code`` is as in the report of ingest, ``changing`` for a file that was written to while it was read.
    """

    path: str
    change: Change
    document_id: str | None = None
    moved_from: str | None = None
    version_id: str | None = None
    documents: int = 1
    passages: int = 0
    code: str | None = None
    reason: str | None = None
    hint: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class SyncReport:
    """One row for each file that is or was there, by path. A dry run has the same rows, without counts of passages."""

    root: str
    dry_run: bool
    rows: tuple[SyncRow, ...]
    generation: int

    @property
    def counts(self) -> Mapping[Change, int]:
        """Files by change."""
        counter = Counter(row.change for row in self.rows)
        return MappingProxyType({change: counter[change] for change in Change})

    @property
    def failed(self) -> tuple[SyncRow, ...]:
        """What is not in the library as it is in the folder."""
        return tuple(row for row in self.rows if row.change in (Change.FAILED, Change.UNREACHED))
