"""A list of sources at the end of an answer ("Sources: [1], [3]"), and footnote definitions: not claims.

A line of such a list that states something stays a claim, with no marker attached.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from pincite.cite.blocks import Block, Kind
from pincite.cite.kinds import states_fact
from pincite.cite.markers import footnote_definitions, text_after_definition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.cite.markers import Marker

_WORDS = (
    r"(?:sources?|references?|citations?|cited sources|sources cited|works cited|bibliography|footnotes?|quellen?|"
    r"quellenangaben|literatur|belege|références?|fuentes?|referencias|来源|参考文献|参考资料|出处|स्रोत|संदर्भ)"
)
_CUE = re.compile(
    rf"[\s*_#>-]*{_WORDS}\s*(?:used|consulted)?\s*(?P<colon>[:：]?)(?P<rest>.*)", re.IGNORECASE | re.DOTALL
)
_LINE = re.compile(r"[^\n]+")
_WORDY = re.compile(r"[^\W_]")


class Role(StrEnum):
    """What a line is: part of the answer, a source to leave out, or a source line that states something."""

    ANSWER = "answer"
    SOURCE = "source"
    STATEMENT = "statement"


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One visible line of a block, in flat offsets."""

    start: int
    end: int
    role: Role


class _Until(StrEnum):
    """How far the list of sources that is open now reaches."""

    NOWHERE = "nowhere"
    LIST = "list"
    HEADING = "heading"


@dataclass(kw_only=True, slots=True)
class SourceReader:
    """Goes through the blocks in order and says of each line what it is."""

    _until: _Until = field(default=_Until.NOWHERE)

    def lines(self, block: Block, markers: Sequence[Marker]) -> list[Line]:
        """The lines of one block."""
        if block.kind is Kind.CODE:
            return [Line(start=0, end=len(block.flat.text), role=Role.ANSWER)]
        if block.kind is Kind.HEADING:
            self._until = _Until.NOWHERE
        defined = set(footnote_definitions(block.flat.masked))
        return [
            self._line(block, m.start(), m.end(), markers, defined=m.start() in defined)
            for m in _LINE.finditer(block.flat.text)
        ]

    def _line(self, block: Block, start: int, end: int, markers: Sequence[Marker], *, defined: bool) -> Line:
        first = bisect_left(markers, start, key=_start)
        inside = markers[first : bisect_left(markers, end, lo=first, key=_start)]
        words = _without(block.flat.text, start, end, inside)
        cue = _CUE.fullmatch(words)
        if defined:
            start += text_after_definition(block.flat.masked[start:end])
            return Line(start=start, end=end, role=_role(block.flat.text[start:end]))
        if cue and self._opens(block, cue, has_markers=bool(inside)):
            return Line(start=start, end=end, role=_role(cue["rest"]))
        if self._until is _Until.LIST and not (block.kind in {Kind.ITEM, Kind.ROW} or _leads(block, start, inside)):
            self._until = _Until.NOWHERE
        role = Role.ANSWER if self._until is _Until.NOWHERE else _role(words)
        return Line(start=start, end=end, role=role)

    def _opens(self, block: Block, cue: re.Match[str], *, has_markers: bool) -> bool:
        """Whether a line that begins with "Sources" is one, and not a sentence about sources."""
        rest = _WORDY.search(cue["rest"])
        if block.kind is Kind.HEADING and not rest:
            self._until = _Until.HEADING
            return True
        if not rest and not has_markers:
            opens = bool(cue["colon"]) or block.kind is Kind.PARAGRAPH
            self._until = _Until.LIST if opens else self._until
            return opens
        if not cue["colon"] and rest:
            return False
        self._until = _Until.LIST
        return True


def _start(marker: Marker) -> int:
    return marker.start


def _role(words: str) -> Role:
    return Role.STATEMENT if states_fact(words) else Role.SOURCE


def _leads(block: Block, start: int, inside: Sequence[Marker]) -> bool:
    """Whether the line begins with a marker."""
    return bool(inside) and not block.flat.text[start : inside[0].start].strip(" \t-*•")


def _without(text: str, start: int, end: int, inside: Sequence[Marker]) -> str:
    pieces = []
    at = start
    for marker in inside:
        pieces.append(text[at : marker.start])
        at = marker.end
    return "".join([*pieces, text[at:end]])
