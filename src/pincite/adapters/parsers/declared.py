"""What a file says about itself: front matter, and the date line under its title."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from pincite.text.dates import find_dates
from pincite.types import BlockKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pincite.types import Block

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)  # English only: other languages are left to front matter, rather than guessed
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}.*)?")
_LONG = re.compile(r"([A-Za-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")
_REVISED = (
    r"last (?:updated|revised|modified|reviewed|amended)|(?:date )?updated|revised|revision(?: date)?|version of|"
    r"as (?:of|at)|stand|zuletzt (?:aktualisiert|geändert)|letzte (?:aktualisierung|änderung)|fassung(?: vom)?|"
    r"dernière (?:mise à jour|modification|révision)|mis(?:e)? à jour|version du"
)
_EFFECT = (
    r"effective(?: date| from| as of| on)?|in force (?:from|since)|valid (?:from|as of)|version effective date|"
    r"commencement date|gültig (?:ab|seit)|in kraft (?:seit|ab)|wirksam (?:ab|seit)|tritt in kraft|"
    r"(?:entrée )?en vigueur(?: le| depuis(?: le)?| à compter du| à partir du)?|applicable à (?:compter|partir) du"
)
_DATE_LINE = re.compile(
    rf"(?:(?P<revised>{_REVISED})|(?P<effect>{_EFFECT}))"
    r"\s*:?\s+(?:on |from |as of |am |vom |ab |seit |le |du |de )?(?P<when>[^;|]{6,40}?)\.?",
    re.IGNORECASE,
)
_FIRST_BLOCKS = 12
_SHORT_LINE_CHARS = 160
_IN_PARENTHESES = re.compile(r"\(([^()]{8,80})\)")
_KEY = re.compile(r"(?P<indent>[ \t]*)(?P<key>[A-Za-z_][\w .-]*?)\s*[:=]\s*(?P<value>.*)")
_MATTER = re.compile(r"\s|#|-\s|[\w\"'.-][^:=]{0,80}[:=]|[\]})]")
_ITEM = re.compile(r"\s*-\s+(?P<value>.*)")
_DATE_KEYS = {
    "effective_from": "effective_from",
    "effective": "effective_from",
    "effective_date": "effective_from",
    "valid_from": "effective_from",
    "effective_to": "effective_to",
    "valid_to": "effective_to",
    "expires": "effective_to",
}
_TEXT_KEYS = {
    "title": "title",
    "lang": "language",
    "language": "language",
    "version": "version_label",
    "version_label": "version_label",
    "author": "author",
    "authors": "author",
    "supersedes": "supersedes",
    "access": "access",
}
_ATTRIBUTES = "attributes"
_SCOPE_KEYS = frozenset({"country", "region", "jurisdiction", "plan", "product", "audience"})
"""Keys that scope a document even outside ``attributes:``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FrontMatter:
    """The metadata and how many lines of the source it takes up."""

    metadata: Mapping[str, str]
    lines: int


@dataclass(frozen=True, kw_only=True, slots=True)
class _Line:
    """A date line: its day, its words, and whether it names only the month."""

    day: date
    words: str
    is_month: bool = False


def read_date(text: str) -> date | None:
    """An ISO date, or "Month D, YYYY"; anything that could be read in two ways is None."""
    text = " ".join(text.split())
    if match := _ISO.fullmatch(text):
        return _date(int(match[1]), int(match[2]), int(match[3]))
    if match := _LONG.fullmatch(text):
        names = [n for n, month in enumerate(_MONTHS, start=1) if month in (match[1].lower(), _full(match[1]))]
        return _date(int(match[3]), names[0], int(match[2])) if names else None
    return None


def _full(abbreviation: str) -> str:
    short = abbreviation.lower()
    return next((month for month in _MONTHS if len(short) in (3, 4) and month.startswith(short)), "")


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def read_front_matter(lines: Sequence[str]) -> FrontMatter:
    """``---`` (YAML) or ``+++`` (TOML) at the very top. Only plain keys are read; the rest is skipped.

    Scope attributes stand under ``attributes:``, one indented ``key: value`` a line, and come back as
    ``attributes.KEY``.
    """
    if not lines or lines[0].strip() not in ("---", "+++"):
        return FrontMatter(metadata={}, lines=0)
    fence = lines[0].strip()
    for number, line in enumerate(lines[1:], start=1):
        if line.strip() == fence or (fence == "---" and line.strip() == "..."):
            return FrontMatter(metadata=dict(_known(lines[1:number])), lines=number + 1)
        if line.strip() and not _MATTER.match(line):
            break  # prose between two rules
    return FrontMatter(metadata={}, lines=0)


def _known(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    group, items = "", list[str]()
    for line in [*lines, "end:"]:
        if (item := _ITEM.fullmatch(line)) and group:
            items.append(_plain(item["value"]))
            continue
        match = _KEY.fullmatch(line)
        if match is None or line.lstrip().startswith("#"):
            continue
        if match["indent"]:
            if group == _ATTRIBUTES:
                yield f"{_ATTRIBUTES}.{match['key']}", _plain(match["value"])
            continue
        if items:
            yield from _named(group, ", ".join(items))
        group, items = match["key"].strip().lower().replace("-", "_").replace(" ", "_"), []
        yield from _named(group, _plain(match["value"]))


def _named(key: str, value: str) -> Iterator[tuple[str, str]]:
    if not value:
        return
    if key in _DATE_KEYS:
        if (day := read_date(value)) is not None:
            yield _DATE_KEYS[key], day.isoformat()
    elif key in _TEXT_KEYS:
        yield _TEXT_KEYS[key], value
    elif key in _SCOPE_KEYS:
        yield f"{_ATTRIBUTES}.{key}", value
    elif key == _ATTRIBUTES and value.startswith("{"):
        for pair in value.strip("{} ").split(","):
            name, _, inner = pair.partition(":")
            if name.strip() and inner.strip():
                yield f"{_ATTRIBUTES}.{name.strip()}", _plain(inner)


def _plain(value: str) -> str:
    """A scalar without quotes or comment; a flow list becomes "a, b"."""
    value = value.strip()
    if value[:1] in ('"', "'"):
        closing = value.find(value[0], 1)
        return value[1:closing] if closing > 0 else value[1:]
    value = re.split(r"\s#", value, maxsplit=1)[0].strip()
    if value.startswith("[") and value.endswith("]"):
        return ", ".join(_plain(part) for part in value[1:-1].split(",") if part.strip())
    return "" if value in ("|", ">", "~", "null") else value


def _date_candidates(block: str) -> Iterator[str]:
    """Whole lines, and what a short line holds in parentheses: "DATA PROCESSING ADDENDUM (Last updated ...)"."""
    for line in block.split("\n"):
        yield line.strip(" *_()")
        if len(line) <= _SHORT_LINE_CHARS:
            yield from (found.strip(" *_") for found in _IN_PARENTHESES.findall(line))


def header_dates(text: str, blocks: Sequence[Block]) -> dict[str, str]:
    """``effective_from`` from a line such as "Effective: 2024-01-01" among the first blocks, if there is one answer.

    With it ``header_from``, the same day, ``header_line``, the words it was read from, and ``header_precision`` "month"
    when no day is given: the first of the month is meant. A date of effect goes before a date of revision. Two
    different ones leave the question open.
    """
    effective, revised = dict[date, _Line](), dict[date, _Line]()
    for block in blocks[:_FIRST_BLOCKS]:
        if block.kind not in (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.LIST_ITEM, BlockKind.QUOTE):
            continue
        for words in _date_candidates(text[block.start : block.end]):
            match = _DATE_LINE.fullmatch(words)
            line = _read_line(match) if match else None
            if match and line:
                (revised if match["revised"] else effective).setdefault(line.day, line)
    for found in (effective, revised):
        if found:
            return _told(*found.values()) if len(found) == 1 else {}
    return {}


def _told(line: _Line) -> dict[str, str]:
    day = line.day.isoformat()
    precision = {"header_precision": "month"} if line.is_month else {}
    return {"effective_from": day, "header_from": day, "header_line": line.words, **precision}


def _read_line(match: re.Match[str]) -> _Line | None:
    """The one date that the words are, in four languages; a month alone stands for its first day."""
    words = " ".join(match[0].split())
    when = " ".join(match["when"].split())
    if (day := read_date(when)) is not None:
        return _Line(day=day, words=words)
    found = list(find_dates(when))
    if len(found) != 1 or (found[0][0], found[0][1]) != (0, len(when)):
        return None
    when_read = found[0][2]
    if when_read.year is None or when_read.month is None or when_read.swapped:
        return None
    day = _date(when_read.year, when_read.month, when_read.day or 1)
    return None if day is None else _Line(day=day, words=words, is_month=when_read.day is None)
