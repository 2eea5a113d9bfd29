"""From paths to the ingest step: which reader a file gets, each in a process of its own with limits."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.adapters.parsers import registry
from pincite.adapters.parsers.sandbox import Sandbox
from pincite.errors import ParseError
from pincite.ingest import FileContent, IngestOptions, IngestReport, Unit, ingest
from pincite.ingest.run import Tools
from pincite.protocols import ParseLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pincite.pipeline import Parts


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
) -> IngestReport:
    """Ingest with the shipped readers; see ``ingest`` for what is raised and what is reported."""
    with Sandbox() as sandbox:
        reader = Reader(sandbox, limits or ParseLimits())
        tools = Tools(
            store=parts.store,
            embedder=parts.embedder,
            read=reader.read,
            settings=parts.settings.passages,
            clock=parts.clock,
            **({} if progress is None else {"progress": progress}),
        )
        reports = [ingest(job.paths, tools=tools, options=job.options) for job in jobs]
    return IngestReport(files=tuple(row for report in reports for row in report.files))


class Reader:
    """Reads one file at a time: a document through its parser, or a file of records."""

    def __init__(self, sandbox: Sandbox, limits: ParseLimits) -> None:
        self._sandbox = sandbox
        self._limits = limits

    def read(self, path: Path) -> FileContent:
        """What the file holds.

        Raises:
            ParseError: with a code and what to do.
            OSError: when it cannot be read at all.
        """
        size = path.stat().st_size
        if size > self._limits.max_file_bytes:
            raise ParseError(
                f"{path.name} has {size:,} bytes; {self._limits.max_file_bytes:,} is the most",
                code="too_large",
                hint="Split the file.",
            )
        data = path.read_bytes()
        media_type = registry.media_type_of(data, path.name)
        if registry.is_records(media_type):
            return self._records(data, media_type, path)
        parser = registry.parser_for(media_type)
        parsed = self._sandbox.parse(parser, data, source_name=path.name, limits=self._limits)
        return FileContent(units=(Unit(parsed=parsed, content_sha256=hashlib.sha256(data).hexdigest()),))

    def _records(self, data: bytes, media_type: str, path: Path) -> FileContent:
        from pincite.adapters.parsers.records import RecordsParser

        batch = RecordsParser().read(data, source_name=path.name, media_type=media_type, limits=self._limits)
        return FileContent(records=batch)
