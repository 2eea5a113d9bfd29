"""Where the content that markdown-it hands out for a block stands in the source."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from pincite.adapters.parsers.canon import Piece, aligned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.adapters.parsers.plain import Line


class _Stretch(NamedTuple):
    """Content from ``start`` to ``end`` stands at ``at`` in the source; -1 when it was not found."""

    start: int
    end: int
    at: int


class ContentMap:
    """Content offsets to source offsets, for one block or table cell."""

    def __init__(self, source: str, stretches: Sequence[_Stretch]) -> None:
        self._source = source
        self._stretches = stretches
        self._starts = [stretch.start for stretch in stretches]

    def locate(self, text: str, at: int) -> list[Piece]:
        """Pieces for visible text that begins at a content offset."""
        pieces: list[Piece] = []
        done, index = 0, max(bisect_right(self._starts, at) - 1, 0)
        while done < len(text) and index < len(self._stretches):
            stretch = self._stretches[index]
            skipped = stretch.start - (at + done)
            if skipped > 0:  # a line end that became a space
                pieces.append(Piece(text[done : done + skipped]))
                done += skipped
            part = text[done : done + max(stretch.end - (at + done), 0)]
            if part and stretch.at >= 0:
                pieces += aligned(part, self._source, stretch.at + at + done - stretch.start)
            elif part:
                pieces.append(Piece(part))
            done += len(part)
            index += 1
        if done < len(text):
            pieces.append(Piece(text[done:]))
        return pieces


def map_lines(source: str, content: str, lines: Sequence[Line]) -> ContentMap:
    """Content whose n-th line is the n-th of ``lines`` without the marks of lists and quotes before it."""
    stretches, start = list[_Stretch](), 0
    for number, text in enumerate(content.split("\n")):
        line = lines[number] if number < len(lines) else None
        stretches.append(_Stretch(start, start + len(text), _place(text, line)))
        start += len(text) + 1
    return ContentMap(source, stretches)


def _place(text: str, line: Line | None) -> int:
    """Content is the end of its line; a heading may also have closing marks after it."""
    shown = text.strip()
    if line is None or not shown:
        return -1
    before = len(text) - len(text.lstrip())
    whole = line.text.rstrip()
    found = len(whole) - len(shown) if whole.endswith(shown) else line.text.rfind(shown)
    return line.at + found - before if found >= 0 else -1


def map_cells(source: str, contents: Sequence[str], line: Line) -> list[ContentMap]:
    """One map for each cell of a table row; in the source a pipe inside a cell is written with a backslash."""
    columns = _columns(line.text)
    if columns and contents and not _is_first_cell(columns[0][0], contents[0]):
        columns = columns[1:]
    maps = []
    for number, content in enumerate(contents):
        text, at = columns[number] if number < len(columns) else ("", 0)
        found = text.find(content.replace("|", "\\|")) if content else -1
        maps.append(ContentMap(source, _unescaped(content, line.at + at + found) if found >= 0 else []))
    return maps


def _is_first_cell(text: str, content: str) -> bool:
    """Whether what stands before the first pipe is a cell, or only the mark of a list or quote around the table."""
    if not content:
        return bool(text.strip(" \t>"))
    return text.rstrip().endswith(content.replace("|", "\\|"))


def _columns(text: str) -> list[tuple[str, int]]:
    columns, start, escaped = list[tuple[str, int]](), 0, False
    for index, char in enumerate(text):
        if char == "|" and not escaped:
            columns.append((text[start:index], start))
            start = index + 1
        escaped = char == "\\"
    columns.append((text[start:], start))
    return columns


def _unescaped(content: str, at: int) -> list[_Stretch]:
    stretches, start = list[_Stretch](), 0
    for number, part in enumerate(content.split("|")):
        length = len(part) + (1 if number else 0)
        if number:
            at += 1  # the backslash
        stretches.append(_Stretch(start, start + length, at))
        start, at = start + length, at + length
    return stretches
