"""List items in a passage's text, and sentences that do not run from one item into the next.

A parser that takes the bullets off leaves items as lines; only what kind of passage it is, or the colon
before them, tells such lines from wrapped prose.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from pincite.text.sentences import sentences
from pincite.types import BlockKind, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.types import Passage

_CHUNK = re.compile(r"(?:[^\n]*\S[^\n]*(?:\n|\Z))+")
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_BULLET = re.compile(r"\s*(?:[-*+•‣◦▪●○■–—·]|[0-9]{1,3}[.)]|\([0-9A-Za-z]{1,3}\)|[a-z]\))[ \t]")
_ENDED = re.compile(r"[.;,:!?。！？।][\"'”’»)\]]*$")
_OPENS = (":", "：")
_WRAPPED_CHARS = 60
"""A line this long may have been broken by a typesetter: text files are wrapped from about 70 characters on."""
_UNLISTED = frozenset({BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW, BlockKind.RECORD, BlockKind.CODE})


def list_items(passage: Passage) -> list[Span]:
    """The items of every list in the passage, in order: lines after a colon, with bullets, or of a list passage."""
    if passage.kind in _UNLISTED:
        return []
    found: list[Span] = []
    listed = passage.kind is BlockKind.LIST_ITEM
    for chunk in _CHUNK.finditer(passage.text):
        lines = [Span(start=line.start(), end=line.end()) for line in _LINE.finditer(passage.text, *chunk.span())]
        texts = [passage.text[line.start : line.end] for line in lines]
        first = 0 if listed else _first_item(texts)
        items = list(_items(lines[first:], texts[first:]))
        found.extend(items)
        fragment = bool(items) and len(lines) == 1 and _ENDED.search(texts[-1].rstrip()) is None
        listed = texts[-1].rstrip().endswith(_OPENS) or (listed and fragment)
    return found


def _first_item(texts: Sequence[str]) -> int:
    """The line after a colon, or the first with a bullet; past the end when no line is an item."""
    for number, text in enumerate(texts):
        after = number > 0 and texts[number - 1].rstrip().endswith(_OPENS)
        if after or _BULLET.match(text):
            return number
    return len(texts)


def _items(lines: Sequence[Span], texts: Sequence[str]) -> Iterator[Span]:
    """One for each line, but for lines that go on with what the line before began."""
    small = all(text.lstrip()[:1].islower() and len(text) < _WRAPPED_CHARS for text in texts)
    start: Span | None = None
    end = 0
    for number, (line, text) in enumerate(zip(lines, texts, strict=True)):
        if start is not None and not small and _goes_on(texts[number - 1], text):
            end = line.end
            continue
        if start is not None:
            yield Span(start=start.start, end=end)
        start, end = line, line.end
    if start is not None:
        yield Span(start=start.start, end=end)


def _goes_on(before: str, text: str) -> bool:
    if _BULLET.match(text) or _ENDED.search(before.rstrip()):
        return False
    return text.lstrip()[:1].islower() or len(before.rstrip()) >= _WRAPPED_CHARS


def sentences_between(text: str, cuts: Sequence[int], *, language: str | None = None) -> list[Span]:
    """Sentences of each stretch between the cuts, in order; none crosses a cut."""
    edges = sorted({0, len(text), *cuts})
    return [
        Span(start=start + span.start, end=start + span.end)
        for start, end in pairwise(edges)
        for span in sentences(text[start:end], language=language)
    ]


def item_cuts(passage: Passage) -> tuple[int, ...]:
    """Where list items begin and end in the passage's text; empty when it holds none."""
    return tuple(edge for item in list_items(passage) for edge in (item.start, item.end))
