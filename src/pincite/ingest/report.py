"""What ingest is told and what it tells: options, one row per file or record group, and the report."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from pincite.types import Access


@dataclass(frozen=True, kw_only=True, slots=True)
class IngestOptions:
    """What the caller says about all the files of one call; what a file declares itself goes before it.

    ``access`` None leaves it to the file, else to everyone of the tenant. A file can narrow the access that is
    given here, never widen it. ``document_id`` is for a single file.
    """

    tenant: str = "default"
    access: Access | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    supersedes: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    document_id: str | None = None
    title: str | None = None
    version_label: str | None = None


class Outcome(StrEnum):
    """What became of one file, or of the records of one file."""

    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One line of the report.

    ``code`` is that of the ParseError, or missing, unreadable, storage_full, bad_line. ``notes`` say what a
    reader should know of a file that went in: dates that disagree, text that was left out.
    ``documents`` counts the records that the row stands for (1 for a file). ``in_force_from`` and ``dated_by`` are the
    day from which a file's version counts and where that day was found.
    """

    path: str
    outcome: Outcome
    document_id: str | None = None
    version_id: str | None = None
    passages: int = 0
    documents: int = 1
    line: int | None = None
    code: str | None = None
    reason: str | None = None
    hint: str | None = None
    notes: tuple[str, ...] = ()
    in_force_from: date | None = None
    dated_by: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class IngestReport:
    """All rows in the order of the files; ``generation`` is the library's when it ended.

    ``timelines``: for each document whose versions changed, by id, the gaps and overlaps between them.
    """

    rows: tuple[Row, ...]
    generation: int
    timelines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def counts(self) -> Mapping[Outcome, int]:
        """Documents by outcome; a bad line of a record file counts as one failure."""
        counter: Counter[Outcome] = Counter()
        for row in self.rows:
            counter[row.outcome] += row.documents
        return MappingProxyType({outcome: counter[outcome] for outcome in Outcome})

    @property
    def passages(self) -> int:
        """Passages that were added."""
        return sum(row.passages for row in self.rows)

    @property
    def failed(self) -> tuple[Row, ...]:
        """What did not go in."""
        return tuple(row for row in self.rows if row.outcome is Outcome.FAILED)
