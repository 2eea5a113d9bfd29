"""Versions and passages to table rows and back."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from pincite.types import Access, BlockKind, Cell, Layout, Passage, Version

if TYPE_CHECKING:
    from collections.abc import Mapping

_ZLIB_LEVEL = 3
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAYOUTS = msgspec.msgpack.Decoder(Layout)

VERSION_COLUMNS = (
    "v.seq, v.tenant, v.version_id, d.document_id, v.class, v.from_day, v.to_day, v.supersedes, v.ingested_at, "
    "v.title, v.language, v.media_type, v.source_uri, v.content_sha256, v.parser, v.version_label, v.flags"
)
PASSAGE_COLUMNS = (
    'p.row, p.seq, p.ordinal, p.passage_id, p.start, p."end", p.kind, p.text, p.extra, '
    "v.version_id, v.title, v.language, v.class, v.from_day, v.to_day, v.removed_generation, d.document_id"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class VersionClass:
    """What all versions of one class share: all that a view looks at, dates apart."""

    tenant: str
    allow: frozenset[str]
    deny: frozenset[str]
    attributes: Mapping[str, str]


def encode_class(version: Version) -> bytes:
    """Equal bytes exactly when a view cannot tell two versions apart, dates aside."""
    access = version.access
    return msgspec.msgpack.encode(
        [version.tenant, sorted(access.allow), sorted(access.deny), sorted(version.attributes.items())]
    )


def decode_class(blob: bytes) -> VersionClass:
    """The inverse of ``encode_class``."""
    tenant, allow, deny, attributes = msgspec.msgpack.decode(blob)
    return VersionClass(tenant=tenant, allow=frozenset(allow), deny=frozenset(deny), attributes=dict(attributes))


def pack_text(text: str) -> bytes:
    """UTF-8; half surrogate pairs, which broken files do contain, go through unharmed."""
    return text.encode("utf-8", "surrogatepass")


def unpack_text(blob: bytes) -> str:
    """The inverse of ``pack_text``."""
    return blob.decode("utf-8", "surrogatepass")


def pack_body(version: Version) -> tuple[bytes, bytes]:
    """The canonical text and the layout map, compressed."""
    text = zlib.compress(pack_text(version.text), _ZLIB_LEVEL)
    return text, zlib.compress(msgspec.msgpack.encode(version.layout), _ZLIB_LEVEL)


def unpack_layout(blob: bytes) -> Layout:
    """The inverse of the second half of ``pack_body``."""
    return _LAYOUTS.decode(zlib.decompress(blob))


def unpack_body_text(blob: bytes) -> str:
    """The inverse of the first half of ``pack_body``."""
    return unpack_text(zlib.decompress(blob))


def microseconds(moment: datetime) -> int:
    """Since 1970 in UTC; a time without a zone is taken as UTC."""
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    elapsed = aware - _EPOCH
    return (elapsed.days * 86_400 + elapsed.seconds) * 1_000_000 + elapsed.microseconds


def version_row(
    version: Version, *, seq: int, doc: int, class_id: int, generation: int, first_row: int, count: int
) -> tuple[Any, ...]:
    """A row of ``versions``, in the order of its columns."""
    return (
        seq,
        version.tenant,
        version.version_id,
        doc,
        class_id,
        _day(version.effective_from),
        _day(version.effective_to),
        version.supersedes,
        version.ingested_at.isoformat(),
        microseconds(version.ingested_at),
        generation,
        None,
        None,
        first_row,
        count,
        version.title,
        version.language,
        version.media_type,
        version.source_uri,
        version.content_sha256,
        version.parser,
        version.version_label,
        msgspec.msgpack.encode(version.flags),
    )


def read_version(row: tuple[Any, ...], kind: VersionClass, text: bytes, layout: bytes) -> Version:
    """A version from ``VERSION_COLUMNS``, its class and its body."""
    (_, tenant, version_id, document_id, _, from_day, to_day, supersedes, ingested_at, *rest) = row
    title, language, media_type, source_uri, content_sha256, parser, version_label, flags = rest
    return Version(
        version_id=version_id,
        document_id=document_id,
        tenant=tenant,
        title=title,
        text=unpack_body_text(text),
        layout=unpack_layout(layout),
        language=language,
        media_type=media_type,
        source_uri=source_uri,
        content_sha256=content_sha256,
        parser=parser,
        ingested_at=datetime.fromisoformat(ingested_at),
        version_label=version_label,
        effective_from=as_date(from_day),
        effective_to=as_date(to_day),
        supersedes=supersedes,
        access=Access(allow=kind.allow, deny=kind.deny),
        attributes=dict(kind.attributes),
        flags=tuple(msgspec.msgpack.decode(flags)),
    )


def passage_row(passage: Passage, version: Version, *, row: int, seq: int) -> tuple[Any, ...]:
    """A row of ``passages``. Title and language are kept only where they differ from the version's."""
    cells = [(c.start, c.end, c.row, c.column, c.header) for c in passage.cells]
    title = passage.title if passage.title != version.title else None
    language = passage.language if passage.language != version.language else None
    extra = msgspec.msgpack.encode([passage.heading_path, cells, title, language])
    where = (row, seq, passage.ordinal, passage.passage_id, passage.start, passage.end, passage.kind.value)
    return (*where, pack_text(passage.text), extra)


def read_passage(row: tuple[Any, ...], kind: VersionClass) -> Passage:
    """A passage from ``PASSAGE_COLUMNS`` and its version's class."""
    (_, _, ordinal, passage_id, start, end, block_kind, text, extra, version_id, title, language, *_, document_id) = row
    heading_path, cells, own_title, own_language = msgspec.msgpack.decode(extra)
    return Passage(
        passage_id=passage_id,
        text=unpack_text(text),
        start=start,
        end=end,
        version_id=version_id,
        document_id=document_id,
        ordinal=ordinal,
        title=title if own_title is None else own_title,
        heading_path=tuple(heading_path),
        kind=BlockKind(block_kind),
        cells=tuple(Cell(start=a, end=b, row=r, column=c, header=h) for a, b, r, c, h in cells),
        language=language if own_language is None else own_language,
        attributes=dict(kind.attributes),
    )


def as_date(day: int | None) -> date | None:
    """The date of a stored day."""
    return None if day is None else date.fromordinal(day)


def _day(moment: date | None) -> int | None:
    return None if moment is None else moment.toordinal()
