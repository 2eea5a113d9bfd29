"""The ingest step: files become versions and passages in a store."""

from __future__ import annotations

from pincite.ingest.cut import cut_passages, embedding_text
from pincite.ingest.make import IngestOptions, Unit, make_version
from pincite.ingest.run import FileContent, FileOutcome, IngestReport, Outcome, ingest

__all__ = [
    "FileContent",
    "FileOutcome",
    "IngestOptions",
    "IngestReport",
    "Outcome",
    "Unit",
    "cut_passages",
    "embedding_text",
    "ingest",
    "make_version",
]
