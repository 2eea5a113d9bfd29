"""The ingest step: every file on its own, in bounded batches, skipping what is known."""

from __future__ import annotations

import errno
import hashlib
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from pincite.errors import InputError, NotFoundError, ParseError, StorageFullError
from pincite.ingest.batches import FileLog, Sink, Ticket
from pincite.ingest.files import MissingPath, SourceFile, find_files
from pincite.ingest.passages import cut_passages
from pincite.ingest.report import IngestOptions, IngestReport, Outcome
from pincite.ingest.timeline import timeline_notes
from pincite.ingest.versions import Notes, SourceMeta, dates_found, make_version, redated, version_id_of
from pincite.protocols import ParseLimits
from pincite.text.records import RecordBatch, by_record, merge, render, state_bytes, state_of
from pincite.types import EVERYONE, Parsed, View

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    from pincite.config import PassageSettings
    from pincite.protocols import Embedder, Store
    from pincite.text.records import RecordChange, RecordState
    from pincite.types import Version

_MAX_FILE_BYTES = ParseLimits().max_file_bytes
_FULL_HINT = StorageFullError.hint
_FULL_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class Reader(Protocol):
    """Reads one file's bytes with the right parser, in a sandbox."""

    def parser_name(self, data: bytes, source_name: str) -> str | None:
        """Which parser would read it, before reading; None for record files.

        Raises:
            ParseError: when none would.
        """

    def read(self, data: bytes, source_name: str) -> Parsed | RecordBatch:
        """The text and layout map of a document, or the changes in a file of records.

        Raises:
            ParseError: and nothing else.
        """


def ingest(
    paths: Iterable[Path],
    *,
    store: Store,
    embedder: Embedder,
    reader: Reader,
    options: IngestOptions,
    settings: PassageSettings,
    clock: Callable[[], datetime],
    progress: Callable[[int, int, str], None] | None = None,
    skip: Iterable[Path] = (),
    coming: Collection[str] = (),
) -> IngestReport:
    """Bring files and folders in. Folders in ``skip`` are not entered: the library's own lies there.

    See ``ingest_files`` for the rest.
    """
    return ingest_files(
        find_files(paths, skip=skip),
        store=store,
        embedder=embedder,
        reader=reader,
        options=options,
        settings=settings,
        clock=clock,
        progress=progress,
        coming=coming,
    )


def ingest_files(
    files: Sequence[SourceFile | MissingPath],
    *,
    store: Store,
    embedder: Embedder,
    reader: Reader,
    options: IngestOptions,
    settings: PassageSettings,
    clock: Callable[[], datetime],
    progress: Callable[[int, int, str], None] | None = None,
    coming: Collection[str] = (),
) -> IngestReport:
    """Bring files in under the document ids that they have. One that fails is a row of the report and stops nothing.

    Documents become durable in batches, each in one transaction: an interrupt loses at most the batch in the
    making and leaves nothing half. A full disk fails the rest of the files by name. ``coming``: document ids that
    other calls of the same job bring, which may be superseded before they are there.

    Raises:
        InputError: a document id for more than one file, or an option ``supersedes`` that names nothing.
        StoreError: when the library cannot be written at all.
    """
    if options.document_id is not None and len(files) != 1:
        raise InputError(f"one document id for {len(files)} files", hint="Name a single file, or leave the id out.")
    run = _Run(store=store, embedder=embedder, reader=reader, options=options, settings=settings, clock=clock)
    run.refuse_unknown(files, coming)
    for number, file in enumerate(files):
        if progress is not None:
            progress(number, len(files), str(file.path))
        run.take(file)
    run.finish()
    if progress is not None:
        progress(len(files), len(files), "")
    rows = [row for log in run.logs for row in log.rows()]
    return IngestReport(rows=tuple(rows), generation=store.generation(), timelines=run.timelines())


class _Run:
    """The state of one call."""

    def __init__(
        self,
        *,
        store: Store,
        embedder: Embedder,
        reader: Reader,
        options: IngestOptions,
        settings: PassageSettings,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._reader = reader
        self._options = options
        self._settings = settings
        self._clock = clock
        self._known = set(store.known_versions(options.tenant))
        self._known_documents = set(store.known_documents(options.tenant))
        self._touched: dict[str, frozenset[str]] = {}
        self._library_is_new = not self._known
        self._last_at: datetime | None = None
        self._sink = Sink(store, embedder)
        self.logs: list[FileLog] = []

    def take(self, file: SourceFile | MissingPath) -> None:
        """Read one file and queue what is new in it."""
        log = FileLog(path=str(file.path))
        self.logs.append(log)
        if isinstance(file, MissingPath):
            log.fail(code="missing", reason=file.reason, hint="Check the path and its permissions.")
        elif self._sink.full:
            log.fail(code="storage_full", reason="the disk is full; this file was not tried", hint=_FULL_HINT)
        else:
            self._take_file(file, log)

    def finish(self) -> None:
        """Write what is queued."""
        self._sink.flush()

    def _take_file(self, file: SourceFile, log: FileLog) -> None:
        try:
            self._take_bytes(file, _bytes_of(file.path), log)
        except ParseError as exc:
            log.fail(code=exc.code, reason=str(exc), hint=exc.hint)
        except OSError as exc:
            if exc.errno in _FULL_ERRNOS:
                log.fail(code="storage_full", reason=f"there is no room to work: {exc.strerror}", hint=_FULL_HINT)
                return
            log.fail(
                code="unreadable",
                reason=exc.strerror or "cannot be read",
                hint="Check that you may read the file and that its disk is there.",
            )

    def _take_bytes(self, file: SourceFile, data: bytes, log: FileLog) -> None:
        meta = self._meta(file, data)
        parser = self._reader.parser_name(data, file.path.name)
        if parser is not None and (known := version_id_of(meta, parser)) in self._known:
            log.done(Ticket(log=log, outcome=Outcome.UNCHANGED, document_id=meta.document_id, version_id=known))
            return
        read = self._reader.read(data, file.path.name)
        if isinstance(read, RecordBatch):
            self._take_records(read, meta, log)
        else:
            self._take_document(read, file, meta, log)

    def _meta(self, file: SourceFile, data: bytes) -> SourceMeta:
        return SourceMeta(
            document_id=self._options.document_id or file.document_id,
            source_uri=file.path.resolve().as_uri(),
            content_sha256=hashlib.sha256(data).hexdigest(),
            ingested_at=self._now(),
            options=self._options,
            fallback_title=file.title,
            named_from=file.named_from,
        )

    def _now(self) -> datetime:
        """The clock, but never the same moment twice: of two equal versions the later one counts."""
        now = self._clock()
        if self._last_at is not None and now <= self._last_at:
            now = self._last_at + timedelta(microseconds=1)
        self._last_at = now
        return now

    # --- documents ---------------------------------------------------------------------------------

    def _take_document(self, parsed: Parsed, file: SourceFile, meta: SourceMeta, log: FileLog) -> None:
        notes = Notes()
        version = make_version(parsed, meta, notes)
        if version.version_id in self._known:
            log.done(
                Ticket(
                    log=log,
                    outcome=Outcome.UNCHANGED,
                    document_id=version.document_id,
                    version_id=version.version_id,
                )
            )
            return
        history = self._history(version.document_id, version.access.allow)
        found = dates_found(parsed, meta)
        version, repeated = redated(version, found, history)
        notes.lines += [repeated] if repeated else []
        dated_before = file.is_successor or any(one.effective_from is not None for one in history)
        if version.effective_from is None and dated_before:
            today = meta.ingested_at.date()
            version = replace(version, effective_from=today)
            notes.lines.append(f"no date of its own but dated predecessors: in force from {today}")
        if version.supersedes is not None and not self._knows(version.supersedes):
            notes.lines.append(f"supersedes {version.supersedes!r}, which is not in the library yet")
        outcome = Outcome.UPDATED if history else Outcome.ADDED
        where = next((one.where for one in found if one.day == version.effective_from), "the day it was taken in")
        self._queue(
            [version],
            outcome,
            log,
            notes=(*notes.lines, *map(_flag_note, version.flags)),
            dated_by=where if version.effective_from is not None else None,
        )
        self._touched[version.document_id] = version.access.allow

    def _knows(self, reference: str) -> bool:
        return reference in self._known or reference in self._known_documents or self._sink.holds(reference)

    def refuse_unknown(self, files: Sequence[SourceFile | MissingPath], also: Collection[str]) -> None:
        """What the option says is replaced must be in the library, or come with this call."""
        wanted = self._options.supersedes
        own = {file.document_id for file in files if isinstance(file, SourceFile)}
        coming = {*own, *also, self._options.document_id}
        if wanted is not None and not self._knows(wanted) and wanted not in coming:
            raise InputError(
                f"there is no document or version {wanted!r} to supersede",
                hint="Name a document id as `pincite list` shows it, or a version id as `pincite versions` does.",
            )

    def timelines(self) -> dict[str, tuple[str, ...]]:
        """Gaps and overlaps of the documents that this call changed."""
        noted = {}
        for document_id, allowed in sorted(self._touched.items()):
            live = [one for one in self._history(document_id, allowed) if one.version_id in self._known]
            if found := timeline_notes(live):
                noted[document_id] = found
        return noted

    def _history(self, document_id: str, allowed: frozenset[str]) -> list[Version]:
        """The versions that the readers of the new one may read."""
        if self._sink.holds(document_id):
            self._sink.flush()
        if self._library_is_new and not self._sink.wrote:
            return []
        view = View(tenant=self._options.tenant, principals=allowed | {EVERYONE}, as_of=self._clock().date())
        return self._store.history(document_id, view)

    def _queue(
        self,
        versions: Sequence[Version],
        outcome: Outcome,
        log: FileLog,
        *,
        notes: tuple[str, ...],
        dated_by: str | None = None,
    ) -> None:
        cut = [
            cut_passages(version, count_tokens=self._embedder.count_tokens, settings=self._settings)
            for version in versions
        ]
        latest = versions[-1]
        self._known.update(version.version_id for version in versions)
        ticket = Ticket(
            log=log,
            outcome=outcome,
            document_id=latest.document_id,
            version_id=latest.version_id,
            passages=sum(map(len, cut)),
            notes=notes,
            in_force_from=latest.effective_from,
            dated_by=dated_by,
        )
        self._known_documents.add(latest.document_id)
        self._sink.add(list(zip(versions, cut, strict=True)), ticket)

    # --- records -----------------------------------------------------------------------------------

    def _take_records(self, batch: RecordBatch, meta: SourceMeta, log: FileLog) -> None:
        for problem in batch.problems:
            log.bad_line(problem.line, problem.reason)
        for source_id, changes in by_record(batch.changes).items():
            if self._sink.full:
                log.fail(code="storage_full", reason="the disk is full; the rest was not tried", hint=_FULL_HINT)
                return
            self._take_record(source_id, changes, batch, meta, log)

    def _take_record(
        self, source_id: str, changes: Sequence[RecordChange], batch: RecordBatch, meta: SourceMeta, log: FileLog
    ) -> None:
        access = self._options.access
        history = self._history(source_id, access.allow if access is not None else frozenset())
        merged = merge(changes, _numbered_states(history))
        for problem in merged.problems:
            log.bad_line(problem.line, problem.reason)
        if not merged.states:
            return  # a deletion of what never was
        versions = [self._record_version(state, batch, meta) for state in merged.states]
        last = merged.states[-1]
        new = [version for version in versions if version.version_id not in self._known]
        if not new:
            log.done(Ticket(log=log, outcome=Outcome.UNCHANGED, document_id=source_id))
            return
        if history and any(state.deleted for state in merged.states):
            # the open versions must be gone before the closed ones that replace them come in
            self._remove(source_id)
            new = versions
        outcome = Outcome.REMOVED if last.deleted else Outcome.UPDATED if history else Outcome.ADDED
        self._queue(new, outcome, log, notes=())

    def _remove(self, source_id: str) -> None:
        with suppress(NotFoundError):  # removed before, by an earlier run that was interrupted here
            self._store.remove(self._options.tenant, source_id, at=self._clock())

    def _record_version(self, state: RecordState, batch: RecordBatch, meta: SourceMeta) -> Version:
        now = self._now()
        undated_end = state.deleted and state.deleted_on is None
        state_meta = SourceMeta(
            document_id=state.source_id,
            source_uri=meta.source_uri,
            content_sha256=hashlib.sha256(state_bytes(state)).hexdigest(),
            ingested_at=now,
            options=self._options,
            fallback_title=state.title,
            named_from=meta.named_from,
            assumed_to=now.date() if undated_end else None,
        )
        return make_version(render(state, media_type=batch.media_type, parser=batch.parser), state_meta)


def _bytes_of(path: Path) -> bytes:
    size = path.stat().st_size
    if size > _MAX_FILE_BYTES:
        raise ParseError(
            f"the file has {size:,} bytes, the limit is {_MAX_FILE_BYTES:,}", code="too_large", hint="Split the file."
        )
    return path.read_bytes()


def _numbered_states(history: Sequence[Version]) -> list[RecordState]:
    """One state for each number, the one stored last."""
    by_number = {state.seq: state for state in map(state_of, history) if state is not None}
    return [state for _, state in sorted(by_number.items(), key=lambda pair: pair[0] or 0)]


def _flag_note(flag: str) -> str:
    return flag.replace("_", " ")
