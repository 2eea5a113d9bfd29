"""The stretches that an answer may be composed of: whole sentences, list items and table rows, verbatim."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from pincite.text.list_items import list_items, sentences_between
from pincite.text.screen import SIGNS, screen
from pincite.types import BlockKind, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.types import Handled, Passage

_ROWS = frozenset({BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW, BlockKind.RECORD})
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, kw_only=True, slots=True)
class Unit:
    """``text == passage.text[start:end]``; ``index`` counts the passage's units from 0, ``rank`` passages from 1.

    ``item`` is where the list item that it belongs to begins in the passage; None outside a list.
    """

    handle: str
    passage: Passage
    rank: int
    index: int
    start: int
    end: int
    text: str
    item: int | None = None

    def context(self) -> str:
        """Title, headings and, in a table, column headers: words that a sentence or row may leave unsaid."""
        start, end = self.passage.start + self.start, self.passage.start + self.end
        headers = (cell.header for cell in self.passage.cells if start <= cell.start and cell.end <= end)
        named = (self.passage.title, *self.passage.heading_path, *headers)
        return " ".join(part for part in named if part)


@dataclass(frozen=True, kw_only=True, slots=True)
class Screened:
    """Units that may be used, and the handles of passages in which something was passed over."""

    units: tuple[Unit, ...]
    flagged: tuple[str, ...]


def units_of(handled: Sequence[Handled]) -> Screened:
    """Every unit of every passage, best passage first, without paragraphs that steer the answer.

    A whole paragraph goes when the screen flags a part of it: what an injected order wants said often stands in
    the sentence before or after it.
    """
    kept: list[Unit] = []
    flagged: list[str] = []
    for rank, item in enumerate(handled, start=1):
        banned = _banned(item.passage.text)
        if banned:
            flagged.append(item.handle)
        units = list(_units(item, rank))
        kept.extend(unit for unit in units if not any(s.start < unit.end and unit.start < s.end for s in banned))
    return Screened(units=tuple(kept), flagged=tuple(flagged))


def _units(item: Handled, rank: int) -> Iterator[Unit]:
    text = item.passage.text
    listed = list_items(item.passage)
    at = 0
    for index, span in enumerate(_spans(item.passage, listed)):
        while at < len(listed) and listed[at].end <= span.start:
            at += 1
        inside = at < len(listed) and listed[at].start <= span.start
        yield Unit(
            handle=item.handle,
            passage=item.passage,
            rank=rank,
            index=index,
            start=span.start,
            end=span.end,
            text=text[span.start : span.end],
            item=listed[at].start if inside else None,
        )


def _spans(passage: Passage, listed: Sequence[Span]) -> list[Span]:
    """Sentences; in a table the whole row, in a record each field with its name: a value alone says nothing."""
    if passage.kind is BlockKind.RECORD and passage.cells:
        return _fields(passage)
    if passage.kind not in _ROWS:
        cuts = [edge for item in listed for edge in (item.start, item.end)]
        return sentences_between(passage.text, cuts, language=passage.language or None)
    return [
        Span(start=line.start() + len(line[0]) - len(line[0].lstrip()), end=line.start() + len(line[0].rstrip()))
        for line in _LINE.finditer(passage.text)
    ]


def _fields(passage: Passage) -> list[Span]:
    """From the end of one cell to the end of the next, without the separator between them nor the record's own name."""
    spans: list[Span] = []
    at = 0
    for cell in passage.cells:
        end = cell.end - passage.start
        start = at + len(passage.text[at:end]) - len(passage.text[at:end].lstrip(" |\n\t"))
        if start < end and cell.header is not None:
            spans.append(Span(start=start, end=end))
        at = max(at, end)
    return spans


def _banned(text: str) -> list[Span]:
    """The paragraphs that hold a flagged range. A mere sign is no order."""
    flags = [flag for flag in screen(text) if flag.label not in SIGNS]
    if not flags:
        return []
    cuts = [0, *(match.start() for match in _BLANK_LINE.finditer(text)), len(text)]
    return [
        Span(start=start, end=end)
        for start, end in pairwise(cuts)
        if any(flag.start < end and start < flag.end for flag in flags)
    ]
