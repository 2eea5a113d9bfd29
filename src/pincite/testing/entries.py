"""Small versions with passages, made from lines of text: for tests of stores and of what stands on them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from pincite.protocols import Entry
from pincite.testing.hash_embedder import HashEmbedder
from pincite.types import EVERYONE, Access, Block, BlockKind, Layout, Passage, Version, View

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pincite.protocols import Embedder

DIMENSIONS = 64
EMBEDDER = HashEmbedder(dimensions=DIMENSIONS)
INGESTED_AT = datetime(2024, 1, 1, tzinfo=UTC)
TODAY = date(2025, 6, 1)


def make_entry(
    version_id: str,
    lines: Sequence[str] = ("The refund window is 30 days.",),
    *,
    document_id: str = "",
    tenant: str = "default",
    title: str = "Handbook",
    heading_path: tuple[str, ...] = (),
    effective_from: date | None = None,
    effective_to: date | None = None,
    supersedes: str | None = None,
    access: Access = Access(),  # noqa: B008 - frozen
    attributes: Mapping[str, str] | None = None,
    ingested_at: datetime = INGESTED_AT,
    embedder: Embedder = EMBEDDER,
) -> Entry:
    """A version whose passages are the lines; ``document_id`` is the version_id up to its "@" unless it is given."""
    document_id = document_id or version_id.partition("@")[0]
    attributes = dict(attributes or {})
    starts = [sum(len(line) + 1 for line in lines[:i]) for i in range(len(lines))]
    passages = tuple(
        Passage(
            passage_id=f"{version_id}#{i}",
            text=line,
            start=start,
            end=start + len(line),
            version_id=version_id,
            document_id=document_id,
            ordinal=i,
            title=title,
            heading_path=heading_path,
            language="en",
            attributes=attributes,
        )
        for i, (line, start) in enumerate(zip(lines, starts, strict=True))
    )
    blocks = tuple(Block(start=p.start, end=p.end, kind=BlockKind.PARAGRAPH) for p in passages)
    version = Version(
        version_id=version_id,
        document_id=document_id,
        tenant=tenant,
        title=title,
        text="\n".join(lines),
        layout=Layout(blocks=blocks),
        language="en",
        media_type="text/plain",
        source_uri=f"file:///{document_id}.txt",
        content_sha256="0" * 64,
        parser="lines/1",
        ingested_at=ingested_at,
        effective_from=effective_from,
        effective_to=effective_to,
        supersedes=supersedes,
        access=access,
        attributes=attributes,
    )
    return Entry(version=version, passages=passages, vectors=embedder.embed_passages(list(lines)))


def make_view(
    *principals: str, tenant: str = "default", as_of: date = TODAY, attributes: Mapping[str, str] | None = None
) -> View:
    """What someone with these principals, and everyone's, sees on a date."""
    return View(
        tenant=tenant, principals=frozenset({EVERYONE, *principals}), as_of=as_of, attributes=dict(attributes or {})
    )
