"""From paths to the ingest step: which parser a file gets, in a process of its own with limits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.adapters.parsers import registry
from pincite.adapters.parsers.records import RecordsParser
from pincite.adapters.parsers.sandbox import Sandbox
from pincite.ingest import DatedFile, IngestOptions, IngestReport, ingest, preview_dates
from pincite.ingest.files import SourceFile, find_files
from pincite.protocols import ParseLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from pincite.pipeline import Parts
    from pincite.sync import SyncOptions, SyncReport
    from pincite.text.records import RecordBatch
    from pincite.types import Parsed


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """Paths that are ingested with the same options."""

    paths: tuple[Path, ...]
    options: IngestOptions = field(default_factory=IngestOptions)


def run_ingest(
    parts: Parts,
    jobs: Sequence[Job],
    *,
    progress: Callable[[int, int, str], None] | None = None,
    limits: ParseLimits | None = None,
    skip: Sequence[Path] = (),
) -> IngestReport:
    """Ingest with the shipped parsers; see ``ingest`` for what is raised, reported and skipped."""
    named = {job.options.document_id for job in jobs} - {None}
    coming = {str(one) for one in named} | (_ids(jobs) if len(jobs) > 1 else set())
    with Sandbox() as sandbox:
        reader = SandboxedReader(sandbox, limits or ParseLimits())
        reports = [
            ingest(
                job.paths,
                store=parts.store,
                embedder=parts.embedder,
                reader=reader,
                options=job.options,
                settings=parts.settings.passages,
                clock=parts.clock,
                progress=progress,
                skip=skip,
                coming=coming,
            )
            for job in jobs
        ]
    rows = tuple(row for report in reports for row in report.rows)
    timelines = {key: notes for report in reports for key, notes in report.timelines.items()}
    return IngestReport(rows=rows, generation=parts.store.generation(), timelines=timelines)


def run_preview(job: Job, *, now: datetime, skip: Sequence[Path] = ()) -> tuple[DatedFile, ...]:
    """The dates that the files of a job would get, with the shipped parsers. Nothing is written."""
    with Sandbox() as sandbox:
        reader = SandboxedReader(sandbox, ParseLimits())
        return preview_dates(job.paths, reader=reader, options=job.options, now=now, skip=skip)


def run_sync(
    parts: Parts,
    root: Path,
    options: SyncOptions | None,
    *,
    library: Path,
    confirm: Callable[[SyncReport], bool] | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> SyncReport:
    """Sync with the shipped parsers, one sync of a library at a time; see ``pincite.sync.run.sync``."""
    from pincite.adapters.stores.embedded.folder import write_lock
    from pincite.sync import SyncOptions
    from pincite.sync.run import sync
    from pincite.sync.state import SyncState

    chosen = options or SyncOptions()
    with write_lock(library / "sync.lock", wait_s=1.0), Sandbox() as sandbox:
        state = SyncState.open(library / "sync.db", in_memory=chosen.dry_run)
        try:
            return sync(
                root,
                parts=parts,
                reader=SandboxedReader(sandbox, ParseLimits()),
                state=state,
                options=chosen,
                skip=(library,),
                confirm=confirm,
                progress=progress,
            )
        finally:
            state.close()


def _ids(jobs: Sequence[Job]) -> set[str]:
    """The document ids that the files of all jobs will have."""
    found = (one for job in jobs for one in find_files(job.paths))
    return {one.document_id for one in found if isinstance(one, SourceFile)}


class SandboxedReader:
    """Reads one file at a time: a document through its parser in the sandbox, or a file of records."""

    def __init__(self, sandbox: Sandbox, limits: ParseLimits) -> None:
        self._sandbox = sandbox
        self._limits = limits

    def parser_name(self, data: bytes, source_name: str) -> str | None:
        """Which parser would read it; None for records."""
        media_type = registry.media_type_of(data, source_name)
        return None if registry.is_records(media_type) else registry.parser_for(media_type).name

    def read(self, data: bytes, source_name: str) -> Parsed | RecordBatch:
        """What the file holds; raises ParseError with a code and what to do."""
        media_type = registry.media_type_of(data, source_name)
        name = _readable(source_name)
        if registry.is_records(media_type):
            return RecordsParser().read(data, source_name=name, media_type=media_type, limits=self._limits)
        return self._sandbox.parse(registry.parser_for(media_type), data, source_name=name, limits=self._limits)


def _readable(name: str) -> str:
    """A file name in any encoding as Unicode text, for titles and messages."""
    return os.fsencode(name).decode("utf-8", "replace")
