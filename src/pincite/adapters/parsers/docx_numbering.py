"""Automatic numbers of a DOCX ("2.2.1", "(a)"), rebuilt as the word processor shows them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.adapters.parsers.docx_package import W, is_on, val
from pincite.adapters.parsers.marks import letters, roman

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lxml.etree import _Element

    from pincite.adapters.parsers.docx_styles import NumberingUse, Styles

_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Level:
    start: int
    format: str
    text: str
    suffix: str
    restart: int | None
    legal: bool


_PLAIN_LEVEL = _Level(start=1, format="decimal", text="", suffix="tab", restart=None, legal=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """What stands before the paragraph; empty text for bullets and unnumbered levels."""

    text: str
    is_list: bool


class Numbering:
    """Counts as paragraphs come by. Lists that share an abstract list share its counters."""

    def __init__(self, root: _Element | None, styles: Styles) -> None:
        self._styles = styles
        self._abstract: dict[str, _Element] = {}
        self._nums: dict[str, _Element] = {}
        self._by_style_link: dict[str, str] = {}
        self._counters: dict[str, list[int | None]] = {}
        self._levels: dict[tuple[str, int], _Level] = {}
        self._started: set[tuple[str, int]] = set()
        if root is None:
            return
        for element in root.iter(f"{W}abstractNum"):
            identifier = element.get(f"{W}abstractNumId", "")
            self._abstract[identifier] = element
            if (link := val(element.find(f"{W}styleLink"))) is not None:
                self._by_style_link[link] = identifier
        for element in root.iterchildren(f"{W}num"):
            self._nums[element.get(f"{W}numId", "")] = element

    def next_label(self, use: NumberingUse, style_id: str | None) -> Label | None:
        """Advance the list that the paragraph is in and give its label; None when it is in none."""
        if use.num_id is None or use.num_id == "0" or use.num_id not in self._nums:
            return None
        abstract_id = self._abstract_of(use.num_id)
        if abstract_id is None:
            return None
        depth = use.level if use.level is not None else self._level_of_style(abstract_id, style_id)
        if depth >= _LEVELS:
            return None
        self._advance(use.num_id, abstract_id, depth)
        return self._label(use.num_id, abstract_id, depth)

    def _abstract_of(self, num_id: str) -> str | None:
        identifier = val(self._nums[num_id].find(f"{W}abstractNumId"))
        element = self._abstract.get(identifier or "")
        if element is None:
            return None
        link = val(element.find(f"{W}numStyleLink"))
        return self._by_style_link.get(link, identifier) if link is not None else identifier

    def _level_of_style(self, abstract_id: str, style_id: str | None) -> int:
        """A style that is numbered names no level; the list's level names the style instead."""
        for level in self._abstract[abstract_id].iterchildren(f"{W}lvl"):
            if style_id is not None and val(level.find(f"{W}pStyle")) == style_id:
                return _integer(level.get(f"{W}ilvl"), 0)
        return 0

    def _advance(self, num_id: str, abstract_id: str, depth: int) -> None:
        counters = self._counters.setdefault(abstract_id, [None] * _LEVELS)
        override = self._start_override(num_id, depth)
        if override is not None and (num_id, depth) not in self._started:
            counters[depth] = override
        else:
            level = self._level(num_id, abstract_id, depth)
            current = counters[depth]
            counters[depth] = level.start if current is None else current + 1
        self._started.add((num_id, depth))
        for above in range(depth):
            if counters[above] is None:
                counters[above] = self._level(num_id, abstract_id, above).start
        for below in range(depth + 1, _LEVELS):
            restart = self._level(num_id, abstract_id, below).restart
            if restart is None or (restart > 0 and depth < restart):
                counters[below] = None

    def _start_override(self, num_id: str, depth: int) -> int | None:
        for override in self._nums[num_id].iterchildren(f"{W}lvlOverride"):
            if override.get(f"{W}ilvl") == str(depth):
                start = val(override.find(f"{W}startOverride"))
                return _integer(start, 1) if start is not None else None
        return None

    def _level(self, num_id: str, abstract_id: str, depth: int) -> _Level:
        if (num_id, depth) not in self._levels:
            self._levels[num_id, depth] = self._read_level(num_id, abstract_id, depth)
        return self._levels[num_id, depth]

    def _read_level(self, num_id: str, abstract_id: str, depth: int) -> _Level:
        found = None
        for override in self._nums[num_id].iterchildren(f"{W}lvlOverride"):
            if override.get(f"{W}ilvl") == str(depth):
                found = override.find(f"{W}lvl")
        if found is None:
            levels = self._abstract[abstract_id].iterchildren(f"{W}lvl")
            found = next((level for level in levels if level.get(f"{W}ilvl") == str(depth)), None)
        if found is None:
            return _PLAIN_LEVEL
        restart = val(found.find(f"{W}lvlRestart"))
        return _Level(
            start=_integer(val(found.find(f"{W}start")), 0),
            format=val(found.find(f"{W}numFmt")) or "decimal",
            text=val(found.find(f"{W}lvlText")) or "",
            suffix=val(found.find(f"{W}suff")) or "tab",
            restart=_integer(restart, 0) if restart is not None else None,
            legal=bool(is_on(found.find(f"{W}isLgl"))),
        )

    def _label(self, num_id: str, abstract_id: str, depth: int) -> Label:
        level = self._level(num_id, abstract_id, depth)
        if level.format == "bullet":
            return Label(text="", is_list=True)

        def number(match: re.Match[str]) -> str:
            place = int(match[1]) - 1
            other = self._level(num_id, abstract_id, place)
            count = self._counters[abstract_id][place]
            format_ = "decimal" if level.legal and place != depth and other.format != "decimalZero" else other.format
            return format_number(count if count is not None else other.start, format_)

        text = _PLACE.sub(number, level.text).strip()
        gap = "" if level.suffix == "nothing" or not text else " "
        return Label(text=f"{text}{gap}", is_list=True)


def format_number(number: int, style: str) -> str:
    """One counter in a Word number format; unknown formats count in digits."""
    return _FORMATS.get(style, str)(number)


def _ordinal_ending(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


_FORMATS: Mapping[str, Callable[[int], str]] = {
    "none": lambda _: "",
    "lowerLetter": letters,
    "upperLetter": lambda number: letters(number).upper(),
    "lowerRoman": roman,
    "upperRoman": lambda number: roman(number).upper(),
    "decimalZero": lambda number: f"{number:02d}",
    "ordinal": lambda number: f"{number}{_ordinal_ending(number)}",
}


def _integer(text: str | None, otherwise: int) -> int:
    try:
        return int(text) if text is not None else otherwise
    except ValueError:
        return otherwise
