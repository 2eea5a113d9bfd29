"""A version: what a file says of itself, what the caller says of it, and an identity derived from both."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field, replace
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from pincite.types import EVERYONE, Access, BlockKind, Version

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from pincite.ingest.report import IngestOptions
    from pincite.types import Parsed

_PRINCIPAL = re.compile(r"(?:role|group|user):.+")
_LANGUAGE_SAMPLE_CHARS = 4000
_FEWEST_LETTERS = 20
"""Shorter texts are no ground for a guess at the language."""

_T = TypeVar("_T")


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceMeta:
    """All about a version that is not in the parsed text.

    ``named_from`` is the date in the file's name; ``assumed_to`` the day of ingest for a record whose deletion has no
    date: it is not part of the identity, or the record would look changed every day.
    """

    document_id: str
    source_uri: str
    content_sha256: str
    ingested_at: datetime
    options: IngestOptions
    fallback_title: str
    named_from: date | None = None
    assumed_to: date | None = None


@dataclass(slots=True)
class Notes:
    """Disagreements between what a file says and what was said of it."""

    lines: list[str] = field(default_factory=list)

    def choose(self, what: str, *ranked: tuple[str, _T | None]) -> _T | None:
        """The most trusted of the values that there are; others that differ are noted."""
        given = [(source, value) for source, value in ranked if value is not None]
        if not given:
            return None
        source, chosen = given[0]
        for other_source, other in given[1:]:
            if other != chosen:
                self.lines.append(f"{what} {chosen} ({source}) used, not {other} ({other_source})")
        return chosen


def version_id_of(meta: SourceMeta, parser: str) -> str:
    """The identity, computable before parsing: everything that the version's content and reach derive from."""
    options = meta.options
    access = options.access
    told = [
        meta.content_sha256,
        parser,
        meta.document_id,
        options.tenant,
        [sorted(access.allow), sorted(access.deny)] if access is not None else None,
        _iso(options.effective_from),
        _iso(options.effective_to),
        _iso(meta.named_from),
        options.supersedes,
        sorted(options.attributes.items()),
        meta.fallback_title,
        options.title,
        options.version_label,
    ]
    return hashlib.sha256(json.dumps(told, ensure_ascii=True).encode()).hexdigest()[:32]


def make_version(parsed: Parsed, meta: SourceMeta, notes: Notes | None = None) -> Version:
    """Trust goes from what the file declares, to its name, to the options, to what is assumed.

    Notes collect what lost. An end before the beginning is noted and kept: such a version is never in force.
    """
    notes = notes if notes is not None else Notes()
    said, options = parsed.metadata, meta.options
    found = dates_found(parsed, meta)
    effective_from = notes.choose("effective from", *((one.where, one.day) for one in found))
    if found and found[0].is_month:
        notes.lines.append(f"only the month is given ({found[0].where}): read as its first day")
    effective_to = notes.choose(
        "effective to", ("the file", _date(said.get("effective_to"))), ("the option", options.effective_to)
    )
    if effective_from is not None and effective_to is not None and effective_to <= effective_from:
        notes.lines.append(f"ends on {effective_to}, before it begins: never in force")
    return Version(
        version_id=version_id_of(meta, parsed.parser),
        document_id=meta.document_id,
        tenant=options.tenant,
        title=said.get("title") or options.title or _first_heading(parsed) or meta.fallback_title,
        text=parsed.text,
        layout=parsed.layout,
        language=_language(parsed),
        media_type=parsed.media_type,
        source_uri=meta.source_uri,
        content_sha256=meta.content_sha256,
        parser=parsed.parser,
        ingested_at=meta.ingested_at,
        version_label=said.get("version_label") or options.version_label,
        effective_from=effective_from,
        effective_to=effective_to or meta.assumed_to,
        supersedes=notes.choose("supersedes", ("the file", said.get("supersedes")), ("the option", options.supersedes)),
        access=_access(said.get("access"), options.access, notes),
        attributes=_attributes(said, options.attributes, notes),
        flags=parsed.flags,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundDate:
    """A day from which a version may be in force, and where it was found. ``is_month``: only its month is given."""

    day: date
    where: str
    is_month: bool = False


def dates_found(parsed: Parsed, meta: SourceMeta) -> tuple[FoundDate, ...]:
    """Every day of effect that was found for a version, the most trusted first.

    Front matter or the file's own properties, a date line of the text, the file's name, the option.
    """
    said = parsed.metadata
    declared, header = _date(said.get("effective_from")), _date(said.get("header_from"))
    is_month = said.get("header_precision") == "month"
    line = f'its line "{said.get("header_line", "")}"'
    ranked = [
        FoundDate(day=declared, where="the file") if declared is not None and declared != header else None,
        FoundDate(day=header, where=line, is_month=is_month) if header is not None else None,
        FoundDate(day=meta.named_from, where="its name") if meta.named_from is not None else None,
        FoundDate(day=meta.options.effective_from, where="the option") if meta.options.effective_from else None,
    ]
    return tuple(one for one in ranked if one is not None)


def redated(version: Version, found: Sequence[FoundDate], history: Sequence[Version]) -> tuple[Version, str | None]:
    """The version with the next most trusted date when its date line was already that of an earlier version.

    A line that every version repeats ("Effective date: November 16, 2020") cannot tell them apart. Without another date
    the version has none. The note says what was done.
    """
    if not found or not found[0].where.startswith("its line") or not _repeats(version, history):
        return version, None
    other = next((one for one in found[1:] if one.day != found[0].day), None)
    instead = f"{other.day} ({other.where}) used" if other else "left out"
    note = f"an earlier version has the same {found[0].where.removeprefix('its ')}: {instead}"
    return replace(version, effective_from=other.day if other else None), note


def _repeats(version: Version, history: Sequence[Version]) -> bool:
    return any(
        one.effective_from == version.effective_from and one.content_sha256 != version.content_sha256 for one in history
    )


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None


def _date(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def _first_heading(parsed: Parsed) -> str | None:
    headings = [b for b in parsed.layout.blocks if b.kind is BlockKind.HEADING]
    best = min(headings[:1], key=lambda block: block.start, default=None)
    return parsed.text[best.start : best.end].replace("\n", " ") if best is not None else None


def _access(declared: str | None, given: Access | None, notes: Notes) -> Access:
    """A file narrows what the caller allows; what only one of them names is what holds."""
    if declared is None:
        return given or Access()
    allow = frozenset(_principal(name) for name in declared.split(",") if name.strip())
    if not allow:
        return given or Access()
    if given is None or EVERYONE in given.allow:
        return Access(allow=allow, deny=given.deny if given is not None else frozenset())
    if EVERYONE in allow:
        return given
    both = allow & given.allow
    if both != given.allow:
        notes.lines.append(f"access narrowed to {', '.join(sorted(both)) or 'nobody'}, as the file declares")
    return Access(allow=both, deny=given.deny)


def _principal(name: str) -> str:
    name = name.strip()
    return name if name == EVERYONE or _PRINCIPAL.fullmatch(name) else f"role:{name}"


def _attributes(said: Mapping[str, str], given: Mapping[str, str], notes: Notes) -> Mapping[str, str]:
    declared = {key.partition(".")[2]: value for key, value in said.items() if key.startswith("attributes.")}
    merged = dict(given)
    for key, value in declared.items():
        merged[key] = notes.choose(key, ("the file", value), ("the option", given.get(key))) or value
    return MappingProxyType(merged)


def _language(parsed: Parsed) -> str:
    """What the file declares, else a guess from its text; "" when there is too little."""
    declared = parsed.metadata.get("language", "").strip().lower().replace("_", "-").partition("-")[0]
    if re.fullmatch(r"[a-z]{2,3}", declared):
        return declared
    return guess_language(parsed.text)


def guess_language(text: str) -> str:
    """An ISO 639-1 code, or "" when there are too few letters to tell."""
    sample = text[:_LANGUAGE_SAMPLE_CHARS]
    if sum(char.isalpha() for char in sample) < _FEWEST_LETTERS:
        return ""
    import py3langid

    return str(py3langid.classify(sample)[0])
