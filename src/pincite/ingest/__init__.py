"""Step 1: file bytes to versions and passages in a store."""

from pincite.ingest.passages import cut_passages, embedding_text
from pincite.ingest.preview import DatedFile, preview_dates
from pincite.ingest.report import IngestOptions, IngestReport, Outcome, Row
from pincite.ingest.run import Reader, ingest, ingest_files
from pincite.ingest.timeline import timeline_notes
from pincite.ingest.versions import SourceMeta, make_version

__all__ = [
    "DatedFile",
    "IngestOptions",
    "IngestReport",
    "Outcome",
    "Reader",
    "Row",
    "SourceMeta",
    "cut_passages",
    "embedding_text",
    "ingest",
    "ingest_files",
    "make_version",
    "preview_dates",
    "timeline_notes",
]
