"""Making a Version: its identity, its title, its dates and who may read it."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from datetime import date, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING

from pincite.types import Access, BlockKind, Version

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import PurePosixPath

    from pincite.types import Parsed

_DATED_NAME = re.compile(r"(?P<name>.+)@(?P<day>\d{4}-\d{2}-\d{2})(?P<ext>(?:\.[^./]+)*)")
_SAMPLE_CHARS = 4_000
_MIN_LANGUAGE_CHARS = 24


def _no_attributes() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class IngestOptions:
    """What the person who ingests says about the files. ``document_id`` only makes sense for a single file."""

    tenant: str = "default"
    access: Access = field(default_factory=Access)
    effective_from: date | None = None
    effective_to: date | None = None
    supersedes: str | None = None
    attributes: Mapping[str, str] = field(default_factory=_no_attributes)
    document_id: str | None = None
    title: str | None = None
    version_label: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Unit:
    """One document state found in a file: the file itself, or one state of one record in it.

    ``document_id`` is None for a file (its path names it). ``parsed`` is None for a deletion.
    """

    parsed: Parsed | None
    content_sha256: str
    document_id: str | None = None
    effective_from: date | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """A version, and what a person should know about how its dates were chosen."""

    version: Version
    notes: tuple[str, ...]


def make_version(
    unit: Unit, parsed: Parsed, *, name: PurePosixPath, source_uri: str, options: IngestOptions, now: datetime
) -> Made:
    """The version of one unit. ``name`` is the path within what was ingested.

    Dates are taken from what the document declares, then from the file name (``policy@2026-07-01.md`` is the
    text in force from that day), then from the options; a less trusted date that disagrees is noted, not used.
    """
    plain_name, named_day = split_dated_name(name)
    declared = unit.effective_from or _day(parsed.metadata.get("effective_from"))
    start, notes = _trusted(
        "effective_from",
        [("the document", declared), ("the file name", named_day), ("the options", options.effective_from)],
    )
    end, more = _trusted(
        "effective_to",
        [("the document", _day(parsed.metadata.get("effective_to"))), ("the options", options.effective_to)],
    )
    document_id = unit.document_id or options.document_id or plain_name.as_posix()
    label = options.version_label or parsed.metadata.get("version_label")
    version_id = _version_id(
        [unit.content_sha256, parsed.parser, document_id, options.tenant, label, options.supersedes],
        [str(start), str(end), sorted(options.access.allow), sorted(options.access.deny)],
        sorted(options.attributes.items()),
        options.title,
    )
    version = Version(
        version_id=version_id,
        document_id=document_id,
        tenant=options.tenant,
        title=options.title or parsed.metadata.get("title") or _first_heading(parsed) or _readable(plain_name),
        text=parsed.text,
        layout=parsed.layout,
        language=parsed.metadata.get("language") or language_of(parsed.text),
        media_type=parsed.media_type,
        source_uri=source_uri,
        content_sha256=unit.content_sha256,
        parser=parsed.parser,
        ingested_at=now,
        version_label=label,
        effective_from=start,
        effective_to=end,
        supersedes=options.supersedes,
        access=options.access,
        attributes=options.attributes,
        flags=parsed.flags,
    )
    return Made(version=version, notes=(*notes, *more, *(f"flag: {flag}" for flag in parsed.flags)))


def split_dated_name(name: PurePosixPath) -> tuple[PurePosixPath, date | None]:
    """``refund@2018-05-14.md`` as ``refund.md`` and the day; any other name unchanged, without one."""
    match = _DATED_NAME.fullmatch(name.name)
    day = _day(match["day"]) if match else None
    if match is None or day is None:
        return name, None
    return name.with_name(match["name"] + match["ext"]), day


def language_of(text: str) -> str:
    """ISO 639-1 code of the text's beginning; "und" when there is too little to tell."""
    sample = text[:_SAMPLE_CHARS]
    if sum(map(str.isalpha, sample)) < _MIN_LANGUAGE_CHARS:
        return "und"
    import py3langid

    return str(py3langid.classify(sample)[0])


def _trusted(name: str, candidates: list[tuple[str, date | None]]) -> tuple[date | None, list[str]]:
    given = [(source, day) for source, day in candidates if day is not None]
    if not given:
        return None, []
    source, chosen = given[0]
    return chosen, [
        f"{name} {day} from {other} was not used: {source} says {chosen}" for other, day in given[1:] if day != chosen
    ]


def _version_id(*parts: object) -> str:
    plain = json.dumps(parts, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def _first_heading(parsed: Parsed) -> str | None:
    headings = (b for b in parsed.layout.blocks if b.kind is BlockKind.HEADING)
    found = next(headings, None)
    return " ".join(parsed.text[found.start : found.end].split()) if found else None


def _readable(name: PurePosixPath) -> str:
    return name.name.split(".")[0].replace("_", " ").strip() or name.name
