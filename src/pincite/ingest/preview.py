"""A look at the dates that files would get, before anything is taken in."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.errors import ParseError
from pincite.ingest.files import MissingPath, SourceFile, find_files
from pincite.ingest.versions import SourceMeta, dates_found
from pincite.text.records import RecordBatch

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path

    from pincite.ingest.report import IngestOptions
    from pincite.ingest.run import Reader
    from pincite.ingest.versions import FoundDate


@dataclass(frozen=True, kw_only=True, slots=True)
class DatedFile:
    """The days found for one file, the most trusted first: that one counts. ``problem``: why it cannot be read."""

    path: str
    document_id: str | None = None
    found: tuple[FoundDate, ...] = ()
    problem: str | None = None

    @property
    def agrees(self) -> bool:
        """Whether every place names the same day."""
        return len({one.day for one in self.found}) <= 1


def preview_dates(
    paths: Iterable[Path], *, reader: Reader, options: IngestOptions, now: datetime, skip: Iterable[Path] = ()
) -> tuple[DatedFile, ...]:
    """Read every file and list the days it could be in force from. Nothing is written.

    Files of records are left out: their rows carry dates of their own. A date line that versions of one document repeat
    is only found out at ingest, which then takes the next place.
    """
    found = (_preview(file, reader, options, now) for file in find_files(paths, skip=skip))
    return tuple(one for one in found if one is not None)


def _preview(file: SourceFile | MissingPath, reader: Reader, options: IngestOptions, now: datetime) -> DatedFile | None:
    if isinstance(file, MissingPath):
        return DatedFile(path=str(file.path), problem=file.reason)
    try:
        data = file.path.read_bytes()
        read = reader.read(data, file.path.name)
    except (ParseError, OSError) as exc:
        return DatedFile(path=str(file.path), document_id=file.document_id, problem=str(exc))
    if isinstance(read, RecordBatch):
        return None
    meta = SourceMeta(
        document_id=options.document_id or file.document_id,
        source_uri=file.path.resolve().as_uri(),
        content_sha256=hashlib.sha256(data).hexdigest(),
        ingested_at=now,
        options=options,
        fallback_title=file.title,
        named_from=file.named_from,
    )
    return DatedFile(path=str(file.path), document_id=meta.document_id, found=dates_found(read, meta))
