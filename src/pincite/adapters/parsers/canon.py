"""Builds canonical text and its layout map from pieces of a source, for formats that have no pages.

A parser hands over blocks as pieces; white space is squeezed, invisible characters are left out, and what
remains is mapped back to the source by runs. Text that a parser adds by itself is covered by no run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pincite.errors import ParseError
from pincite.types import Block, BlockKind, Cell, Layout, Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SYNTHETIC = -1
"""The ``at`` of a piece that does not stand in the source."""

CELL_SEPARATOR = " | "
_LABEL_AND_VALUE = 2

_SPACE = r" \t\n\r\f\v\x1c-\x1f\x85\u2028\u2029"
# Neither drawn nor of any meaning to a reader: controls, soft hyphens, joiners of words, byte order marks,
# half surrogates, and the tag characters with which text is smuggled past people.
_UNSEEN = "\\x00-\\x08\\x0e-\\x1b\\x7f\\xad\\u2060\\ufeff\\ufffe\\uffff\\ud800-\\udfff\\U000e0000-\\U000e007f"
_PAGE_ODDITIES = r"\r\f\v\x1c-\x1f"
_SQUEEZE = re.compile(
    f"(?P<space>[{_SPACE}]+)|(?P<unseen>[{_UNSEEN}]+)|[^{_SPACE}{_UNSEEN}]+(?: [^{_SPACE}{_UNSEEN}]+)*"
)
_VERBATIM = re.compile(f"(?P<unseen>[{_UNSEEN}{_PAGE_ODDITIES}]+)|[^{_UNSEEN}{_PAGE_ODDITIES}]+")

_SMUGGLED = re.compile("[\U000e0000-\U000e007f]")
_OUTSIDE_PATHS = frozenset({BlockKind.PAGE_HEADER, BlockKind.PAGE_FOOTER})


class Piece(NamedTuple):
    """A stretch of text; ``at`` is where it starts in the source ``part``, or SYNTHETIC."""

    text: str
    at: int = SYNTHETIC
    part: str = ""


BREAK = Piece("\n")
"""A line break that a reader sees inside one block. Compared by identity."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RowCell:
    """One cell on its way into a row block."""

    pieces: Sequence[Piece]
    column: int
    header: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Squeezed:
    """Text as a reader sees it, and runs relative to it."""

    text: str
    runs: tuple[Run, ...]


class _Writer:
    """Collects text and merges runs that continue each other."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.runs: list[Run] = []
        self.length = 0
        self.last = ""

    def put(self, text: str, at: int, part: str) -> None:
        start, end = self.length, self.length + len(text)
        self.parts.append(text)
        self.length, self.last = end, text[-1]
        if at < 0:
            return
        previous = self.runs[-1] if self.runs else None
        if (
            previous is not None
            and previous.end == start
            and previous.part == part
            and previous.source_start + (previous.end - previous.start) == at
        ):
            self.runs[-1] = Run(start=previous.start, end=end, source_start=previous.source_start, part=part)
        else:
            self.runs.append(Run(start=start, end=end, source_start=at, part=part))

    def done(self) -> Squeezed:
        return Squeezed(text="".join(self.parts), runs=tuple(self.runs))


def squeeze(pieces: Iterable[Piece], *, breaks: str = "\n") -> Squeezed:
    """White space runs become one space and vanish at the ends; BREAK becomes ``breaks``."""
    writer = _Writer()
    waiting: Piece | None = None
    for piece in pieces:
        if piece is BREAK:
            waiting = Piece(breaks) if writer.length else None
            continue
        for match in _SQUEEZE.finditer(piece.text):
            if match["space"]:
                if writer.length and waiting is None:
                    waiting = _space_of(piece, match)
            elif not match["unseen"]:
                if waiting is not None:
                    writer.put(*waiting)
                    waiting = None
                writer.put(match[0], _offset(piece, match.start()), piece.part)
    return writer.done()


def _row_label(cells: Sequence[RowCell], squeezed: Sequence[Squeezed]) -> str | None:
    """In a table without headers, "Kingdom: | Animalia" is a name and its value."""
    if len(cells) != _LABEL_AND_VALUE or any(cell.header for cell in cells):
        return None
    text = squeezed[0].text.strip()
    return text[:-1].rstrip() or None if text.endswith(":") else None


def _space_of(piece: Piece, match: re.Match[str]) -> Piece:
    at = _offset(piece, match.start()) if match[0].startswith(" ") else SYNTHETIC
    return Piece(" ", at, piece.part)


def _offset(piece: Piece, within: int) -> int:
    return piece.at + within if piece.at >= 0 else SYNTHETIC


def verbatim(pieces: Sequence[Piece]) -> Squeezed:
    """White space stays (code); only invisible characters and the blank lines around it go."""
    whole = "".join(piece.text for piece in pieces)
    skip = len(whole) - len(whole.lstrip("\r\n"))
    keep = len(whole.rstrip()) - skip
    writer = _Writer()
    for piece in pieces:
        text, shift = piece.text[skip : skip + max(keep, 0)], skip
        skip, keep = max(skip - len(piece.text), 0), keep - len(text)
        for match in _VERBATIM.finditer(text):
            if not match["unseen"]:
                writer.put(match[0], _offset(piece, shift + match.start()), piece.part)
    return writer.done()


def aligned(text: str, source: str, at: int, part: str = "") -> list[Piece]:
    """Pieces for ``text``, mapped to ``source`` from ``at`` wherever the characters are the same there."""
    if source.startswith(text, at):
        return [Piece(text, at, part)]
    pieces: list[Piece] = []
    for i, char in enumerate(text):
        same = 0 <= at + i < len(source) and source[at + i] == char
        pieces.append(Piece(char, at + i if same else SYNTHETIC, part))
    return pieces


class Canon:
    """The canonical text under construction. Blocks go in in reading order."""

    def __init__(self, *, max_chars: int) -> None:
        self._max_chars = max_chars
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._runs: list[Run] = []
        self._path: list[tuple[int, str]] = []
        self.smuggled = False

    @property
    def last_kind(self) -> BlockKind | None:
        """Kind of the block before, if there is one."""
        return self._blocks[-1].kind if self._blocks else None

    def block(
        self,
        kind: BlockKind,
        pieces: Sequence[Piece],
        *,
        level: int | None = None,
        line: int | None = None,
        tight: bool = False,
    ) -> bool:
        """Add one block; False when nothing in it can be seen. ``tight``: on the line after the block before."""
        self._watch(pieces)
        if kind is BlockKind.CODE:
            squeezed = verbatim(pieces)
        else:
            squeezed = squeeze(pieces, breaks=" " if kind is BlockKind.HEADING else "\n")
        if not squeezed.text.strip():
            return False
        start = self._append(squeezed, tight=tight)
        if kind is BlockKind.HEADING:
            self._enter(level if level is not None else 1)
        self._close(kind, start, level=level, line=line)
        if kind is BlockKind.HEADING:
            self._path.append((level if level is not None else 1, squeezed.text))
        return True

    def row(
        self, kind: BlockKind, cells: Sequence[RowCell], *, row: int, line: int | None = None, tight: bool = False
    ) -> bool:
        """Add one table row, its cells joined by CELL_SEPARATOR; False when every cell is empty."""
        squeezed = [squeeze(cell.pieces, breaks=" ") for cell in cells]
        for cell in cells:
            self._watch(cell.pieces)
        if not any(cell.text.strip() for cell in squeezed):
            return False
        start = self._separate(tight=tight)
        label = _row_label(cells, squeezed)
        placed: list[Cell] = []
        for index, (cell, content) in enumerate(zip(cells, squeezed, strict=True)):
            if index:
                self._write(Squeezed(text=CELL_SEPARATOR, runs=()))
            begin = self._length
            self._write(content)
            header = cell.header or (label if index else None)
            placed.append(Cell(start=begin, end=self._length, row=row, column=cell.column, header=header))
        self._close(kind, start, line=line, cells=tuple(placed))
        return True

    def leave_headings(self) -> None:
        """What follows stands under no heading (footnotes, page footers)."""
        self._path.clear()

    def finish(self) -> tuple[str, Layout]:
        """The text and its map."""
        return "".join(self._parts), Layout(blocks=tuple(self._blocks), runs=tuple(self._runs))

    def _watch(self, pieces: Sequence[Piece]) -> None:
        if not self.smuggled:
            self.smuggled = any(_SMUGGLED.search(piece.text) for piece in pieces)

    def _append(self, squeezed: Squeezed, *, tight: bool) -> int:
        start = self._separate(tight=tight)
        self._write(squeezed)
        return start

    def _separate(self, *, tight: bool) -> int:
        if self._blocks:
            self._write(Squeezed(text="\n" if tight else "\n\n", runs=()))
        return self._length

    def _write(self, squeezed: Squeezed) -> None:
        base = self._length
        self._parts.append(squeezed.text)
        self._length += len(squeezed.text)
        if self._length > self._max_chars:
            raise ParseError(
                f"the text is longer than {self._max_chars:,} characters",
                code="limit",
                hint="Split the file, or raise max_text_chars.",
            )
        self._runs.extend(
            Run(start=base + run.start, end=base + run.end, source_start=run.source_start, part=run.part)
            for run in squeezed.runs
        )

    def _enter(self, level: int) -> None:
        while self._path and self._path[-1][0] >= level:
            self._path.pop()

    def _close(
        self,
        kind: BlockKind,
        start: int,
        *,
        level: int | None = None,
        line: int | None = None,
        cells: tuple[Cell, ...] = (),
    ) -> None:
        path = () if kind in _OUTSIDE_PATHS else tuple(text for _, text in self._path)
        self._blocks.append(
            Block(start=start, end=self._length, kind=kind, heading_path=path, level=level, line=line, cells=cells)
        )
