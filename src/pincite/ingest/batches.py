"""Queues versions until there are enough to embed and store at once; rows are written when they are durable."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.errors import StorageFullError
from pincite.ingest.passages import embedding_text
from pincite.ingest.report import Outcome, Row
from pincite.protocols import Entry

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    import numpy as np
    from numpy.typing import NDArray

    from pincite.protocols import Embedder, Store
    from pincite.types import Passage, Version

_BATCH_PASSAGES = 512
_BATCH_CHARS = 8_000_000
"""Both bound memory: a batch holds its texts, its layout maps and 1.5 KB of vector for a passage."""
_EMBED_AT_ONCE = 256
"""Bounds the time until an interrupt is heard."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ticket:
    """What to report of a document once it is stored."""

    log: FileLog
    outcome: Outcome
    document_id: str
    version_id: str | None = None
    passages: int = 0
    notes: tuple[str, ...] = ()
    in_force_from: date | None = None
    dated_by: str | None = None


@dataclass(slots=True)
class _Tally:
    documents: int = 0
    passages: int = 0
    document_id: str | None = None
    version_id: str | None = None
    notes: list[str] = field(default_factory=list)
    in_force_from: date | None = None
    dated_by: str | None = None


class FileLog:
    """What has become of the documents of one file so far."""

    def __init__(self, *, path: str) -> None:
        self._path = path
        self._tallies: dict[Outcome, _Tally] = {}
        self._failures: list[Row] = []

    def done(self, ticket: Ticket) -> None:
        """A document is in the store, or was there."""
        tally = self._tallies.setdefault(ticket.outcome, _Tally())
        tally.documents += 1
        tally.passages += ticket.passages
        tally.document_id, tally.version_id = ticket.document_id, ticket.version_id
        tally.in_force_from, tally.dated_by = ticket.in_force_from, ticket.dated_by
        tally.notes += ticket.notes

    def fail(self, *, code: str, reason: str, hint: str, document_id: str | None = None) -> None:
        """The file, or one document of it, did not go in."""
        self._failures.append(
            Row(
                path=self._path,
                outcome=Outcome.FAILED,
                document_id=document_id,
                code=code,
                reason=reason,
                hint=hint,
            )
        )

    def bad_line(self, line: int, reason: str) -> None:
        """One line of a record file was left out."""
        self._failures.append(
            Row(
                path=self._path,
                outcome=Outcome.FAILED,
                line=line,
                code="bad_line",
                reason=f"line {line}: {reason}",
                hint="Correct the line and ingest the file again; the other lines are in.",
            )
        )

    def rows(self) -> list[Row]:
        """One row for each outcome, then the failures in the order of their lines."""
        rows = []
        for outcome, tally in self._tallies.items():
            alone = tally.documents == 1
            rows.append(
                Row(
                    path=self._path,
                    outcome=outcome,
                    document_id=tally.document_id if alone else None,
                    version_id=tally.version_id if alone else None,
                    passages=tally.passages,
                    documents=tally.documents,
                    notes=tuple(tally.notes),
                    in_force_from=tally.in_force_from if alone else None,
                    dated_by=tally.dated_by if alone else None,
                )
            )
        return rows + sorted(self._failures, key=lambda row: row.line or 0)


class Sink:
    """Embeds and stores in batches. ``full`` once the disk is: nothing more is tried."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._versions: list[tuple[Version, tuple[Passage, ...]]] = []
        self._tickets: list[Ticket] = []
        self._documents: set[str] = set()
        self._passages = 0
        self._chars = 0
        self.full = False
        self.wrote = False

    def holds(self, document_id: str) -> bool:
        """Whether something of the document is queued and not yet in the store."""
        return document_id in self._documents

    def add(self, versions: Sequence[tuple[Version, tuple[Passage, ...]]], ticket: Ticket) -> None:
        """Queue the versions of one document, which go in together; flush when the queue is long."""
        self._versions += versions
        self._tickets.append(ticket)
        self._documents.add(ticket.document_id)
        self._passages += sum(len(passages) for _, passages in versions)
        self._chars += sum(len(version.text) for version, _ in versions)
        if self._passages >= _BATCH_PASSAGES or self._chars >= _BATCH_CHARS:
            self.flush()

    def flush(self) -> None:
        """Embed and store the queue in one transaction, then report its tickets."""
        versions, tickets = self._versions, self._tickets
        self._versions, self._tickets, self._documents, self._passages, self._chars = [], [], set(), 0, 0
        if not versions:
            return
        try:
            self._store.put(self._entries(versions))
        except StorageFullError as exc:
            self.full = True
            for ticket in tickets:
                ticket.log.fail(code="storage_full", reason=str(exc), hint=exc.hint, document_id=ticket.document_id)
            return
        self.wrote = True
        for ticket in tickets:
            ticket.log.done(ticket)

    def _entries(self, versions: Sequence[tuple[Version, tuple[Passage, ...]]]) -> list[Entry]:
        vectors = self._embed([embedding_text(passage) for _, passages in versions for passage in passages])
        entries, start = list[Entry](), 0
        for version, passages in versions:
            end = start + len(passages)
            entries.append(Entry(version=version, passages=passages, vectors=vectors[start:end]))
            start = end
        return entries

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        parts = [
            self._embedder.embed_passages(texts[start : start + _EMBED_AT_ONCE])
            for start in range(0, len(texts), _EMBED_AT_ONCE)
        ]
        return np.concatenate(parts) if parts else np.empty((0, self._embedder.dimensions), dtype=np.float32)
