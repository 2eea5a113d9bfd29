"""A reader that really parses, without the sandbox's processes, and a library in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

from pincite.adapters.parsers import registry
from pincite.adapters.parsers.records import RecordsParser
from pincite.config import PassageSettings
from pincite.ingest import IngestOptions, IngestReport, ingest
from pincite.protocols import Entry, ParseLimits
from pincite.testing.hash_embedder import HashEmbedder
from pincite.testing.memory_store import MemoryStore
from pincite.text.records import RecordBatch
from pincite.types import EVERYONE, Parsed, Passage, View

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


class PlainReader:
    """Counts what it reads."""

    def __init__(self) -> None:
        self.read_names: list[str] = []

    def parser_name(self, data: bytes, source_name: str) -> str | None:
        media_type = registry.media_type_of(data, source_name)
        return None if registry.is_records(media_type) else registry.parser_for(media_type).name

    def read(self, data: bytes, source_name: str) -> Parsed | RecordBatch:
        self.read_names.append(source_name)
        media_type = registry.media_type_of(data, source_name)
        limits = ParseLimits()
        if registry.is_records(media_type):
            return RecordsParser().read(data, source_name=source_name, media_type=media_type, limits=limits)
        return registry.parser_for(media_type).parse(data, source_name=source_name, limits=limits)


class FailingStore(MemoryStore):
    """Raises what it is told to at a put, which then changes nothing."""

    def __init__(self, *, dimensions: int, failures: dict[int, BaseException]) -> None:
        super().__init__(dimensions=dimensions)
        self.puts = 0
        self.failures = failures

    def put(self, entries: Sequence[Entry]) -> int:
        self.puts += 1
        if self.puts in self.failures:
            raise self.failures[self.puts]
        return super().put(entries)


@dataclass(kw_only=True)
class Shelf:
    """One library and the way to fill and read it."""

    store: MemoryStore = field(default_factory=lambda: MemoryStore(dimensions=384))
    reader: PlainReader = field(default_factory=PlainReader)
    now: datetime = NOW

    def take(
        self,
        *paths: Path,
        options: IngestOptions | None = None,
        progress: Callable[[int, int, str], None] | None = None,
    ) -> IngestReport:
        return ingest(
            paths,
            store=self.store,
            embedder=HashEmbedder(),
            reader=self.reader,
            options=options or IngestOptions(),
            settings=PassageSettings(),
            clock=lambda: self.now,
            progress=progress,
        )

    def view(self, day: date | None = None, *, tenant: str = "default", roles: Sequence[str] = ()) -> View:
        principals = frozenset({EVERYONE, *(f"role:{role}" for role in roles)})
        return View(tenant=tenant, principals=principals, as_of=day or self.now.date())

    def passages(self, day: date | None = None, *, tenant: str = "default", roles: Sequence[str] = ()) -> list[Passage]:
        return list(self.store.iter_passages(self.view(day, tenant=tenant, roles=roles)))

    def texts(self, day: date | None = None, *, tenant: str = "default", roles: Sequence[str] = ()) -> list[str]:
        return [passage.text for passage in self.passages(day, tenant=tenant, roles=roles)]
