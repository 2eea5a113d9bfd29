"""Running an ingest: find files, skip what is known, cut, embed, put in bounded batches, and report each file."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from pincite.errors import LibraryLockedError, NotFoundError, ParseError, PinciteError, StorageFullError
from pincite.ingest.cut import cut_passages, embedding_text
from pincite.ingest.make import IngestOptions, Unit, make_version
from pincite.ingest.records import record_units
from pincite.protocols import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from pincite.config import PassageSettings
    from pincite.protocols import Embedder, Store
    from pincite.text.records import RecordBatch
    from pincite.types import Version

BATCH_PASSAGES = 512
"""Passages a transaction holds at most, unless one version has more: what a kill can cost, and what memory is held."""

SHOWN_PROBLEMS = 5


class Outcome(StrEnum):
    """What became of one file."""

    ADDED = "added"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True, slots=True)
class FileContent:
    """What a reader makes of one file: the document that it is, or the record changes that it holds."""

    units: tuple[Unit, ...] = ()
    records: RecordBatch | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class FileOutcome:
    """One row of the report. ``code``, ``reason`` and ``hint`` are set when it failed, wholly or for some lines."""

    path: str
    outcome: Outcome
    documents: int = 0
    removed: int = 0
    passages: int = 0
    code: str | None = None
    reason: str | None = None
    hint: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class IngestReport:
    """Every file's outcome, in order."""

    files: tuple[FileOutcome, ...]

    @property
    def failed(self) -> tuple[FileOutcome, ...]:
        """Files that did not go in, or not wholly."""
        return tuple(row for row in self.files if row.reason is not None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A file to read, and its name within what was asked for."""

    path: Path
    name: PurePosixPath


@dataclass(frozen=True, kw_only=True, slots=True)
class Tools:
    """What an ingest works with. ``read`` gives a file's content or raises a ParseError."""

    store: Store
    embedder: Embedder
    read: Callable[[Path], FileContent]
    settings: PassageSettings
    clock: Callable[[], datetime]
    progress: Callable[[int, int, str], None] = field(default=lambda _done, _total, _name: None)


def ingest(paths: Sequence[Path], *, tools: Tools, options: IngestOptions) -> IngestReport:
    """Bring files and folders in. A bad file is a row of the report; the rest goes in.

    A file is reported as added only when its versions are durable in the store.

    Raises:
        StorageFullError, LibraryLockedError: the store cannot take more; what was put before stays.
    """
    found, missing = find_files(paths)
    known = tools.store.known_versions(options.tenant)
    rows = list(missing)
    batch = _Batch(tools)
    for number, file in enumerate(found):
        tools.progress(number, len(found), file.name.as_posix())
        rows.append(_one(file, tools, options, known, batch))
        batch.flush_when_full()
    batch.flush()
    tools.progress(len(found), len(found), "")
    return IngestReport(files=tuple(rows))


def find_files(paths: Iterable[Path]) -> tuple[list[Found], list[FileOutcome]]:
    """The files of the paths, folders walked in order of name, each real file once; and rows for what is not there.

    Hidden files and folders inside a folder are passed over. A link is followed only to a place not yet
    visited, so a loop of links ends.
    """
    found: list[Found] = []
    missing: list[FileOutcome] = []
    seen: set[tuple[int, int]] = set()
    for path in paths:
        if path.is_dir():
            found += _walk(path, PurePosixPath(), seen)
        elif path.is_file():
            found += _once(path, PurePosixPath(path.name), seen)
        else:
            missing.append(_failed(str(path), "not_found", "there is no such file or folder", "Check the path."))
    return found, missing


def _walk(folder: Path, name: PurePosixPath, seen: set[tuple[int, int]]) -> Iterator[Found]:
    try:
        if not _first_visit(folder, seen):
            return
        children = sorted(entry.name for entry in os.scandir(folder) if not entry.name.startswith("."))
    except OSError:
        return
    for child in children:
        path = folder / child
        if path.is_dir():
            yield from _walk(path, name / child, seen)
        elif path.is_file():
            yield from _once(path, name / child, seen)


def _once(path: Path, name: PurePosixPath, seen: set[tuple[int, int]]) -> Iterator[Found]:
    with contextlib.suppress(OSError):
        if _first_visit(path, seen):
            yield Found(path=path, name=name)


def _first_visit(path: Path, seen: set[tuple[int, int]]) -> bool:
    stat = path.stat()
    key = (stat.st_dev, stat.st_ino)
    fresh = key not in seen
    seen.add(key)
    return fresh


class _Batch:
    """Entries on their way into one transaction."""

    def __init__(self, tools: Tools) -> None:
        self.tools = tools
        self._entries: list[Entry] = []
        self.passages = 0

    def add(self, version: Version) -> int:
        tools = self.tools
        passages = cut_passages(version, count_tokens=tools.embedder.count_tokens, settings=tools.settings)
        vectors = tools.embedder.embed_passages([embedding_text(passage) for passage in passages])
        self._entries.append(Entry(version=version, passages=passages, vectors=vectors))
        self.passages += len(passages)
        return len(passages)

    def remove(self, unit: Unit, options: IngestOptions) -> int:
        """Tombstone a deleted record, after what came before it is in; one that was never there is no news."""
        self.flush()
        try:
            self.tools.store.remove(options.tenant, unit.document_id or "", at=self.tools.clock())
        except NotFoundError:
            return 0
        return 1

    def flush_when_full(self) -> None:
        if self.passages >= BATCH_PASSAGES:
            self.flush()

    def flush(self) -> None:
        if self._entries:
            self.tools.store.put(self._entries)
        self._entries, self.passages = [], 0


def _one(file: Found, tools: Tools, options: IngestOptions, known: frozenset[str], batch: _Batch) -> FileOutcome:
    try:
        content = tools.read(file.path)
    except ParseError as exc:
        return _failed(str(file.path), exc.code, str(exc), exc.hint)
    except OSError as exc:
        return _failed(str(file.path), "unreadable", f"cannot be read: {exc.strerror}", "Check its permissions.")
    try:
        return _units(file, content, options, known, batch)
    except (StorageFullError, LibraryLockedError):
        raise
    except PinciteError as exc:
        return _failed(str(file.path), "refused", str(exc), exc.hint)


def _units(
    file: Found, content: FileContent, options: IngestOptions, known: frozenset[str], batch: _Batch
) -> FileOutcome:
    documents = passages = removed = 0
    notes: list[str] = []
    problems: list[str] = []
    previous = None
    for unit in _all_units(content, options, batch.tools, problems):
        if unit.document_id != previous:
            batch.flush_when_full()
        previous = unit.document_id
        if unit.parsed is None:
            removed += batch.remove(unit, options)
            continue
        made = make_version(
            unit,
            unit.parsed,
            name=file.name,
            source_uri=file.path.resolve().as_uri(),
            options=options,
            now=batch.tools.clock(),
        )
        if made.version.version_id in known:
            continue
        documents += 1
        passages += batch.add(made.version)
        notes += made.notes
    changed = documents or removed
    problem = _summed(problems)
    return FileOutcome(
        path=str(file.path),
        outcome=Outcome.ADDED if changed else Outcome.UNCHANGED,
        documents=documents,
        removed=removed,
        passages=passages,
        code="bad_lines" if problem else None,
        reason=problem,
        hint="Correct the named lines and ingest the file again; the others are in." if problem else None,
        notes=tuple(dict.fromkeys(notes)),
    )


def _all_units(content: FileContent, options: IngestOptions, tools: Tools, problems: list[str]) -> Iterable[Unit]:
    if content.records is None:
        return content.units
    problems += [f"line {one.line}: {one.reason}" for one in content.records.problems]
    today = tools.clock().date()
    return record_units(content.records, store=tools.store, options=options, today=today, problems=problems)


def _summed(problems: Sequence[str]) -> str | None:
    if not problems:
        return None
    more = f"; and {len(problems) - SHOWN_PROBLEMS} more lines" if len(problems) > SHOWN_PROBLEMS else ""
    return "; ".join(problems[:SHOWN_PROBLEMS]) + more


def _failed(path: str, code: str, reason: str, hint: str) -> FileOutcome:
    return FileOutcome(path=path, outcome=Outcome.FAILED, code=code, reason=reason, hint=hint)
