"""The state of one HTML table: its grid, the headers that govern each column, and whether it is one at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.adapters.parsers.canon import Piece, RowCell, squeeze
from pincite.types import BlockKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

GAP = Piece(" ")
"""A block boundary inside a cell. Compared by identity."""

_MOST_SPANNED = 1000
"""What the HTML standard caps a column span at."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Pending:
    pieces: Sequence[Piece]
    column: int
    span: int
    is_header: bool
    in_head: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class EndedRow:
    """One row: either cells of a kind, or paragraphs."""

    number: int = 0
    kind: BlockKind | None = None
    cells: tuple[RowCell, ...] = ()
    paragraphs: tuple[Sequence[Piece], ...] | None = None


class Table:
    """``flat``: a table inside a cell, whose cells are only text. ``layout``: its rows are no rows."""

    def __init__(self, *, flat: bool, layout: bool) -> None:
        self.flat = flat
        self.layout = layout
        self.in_cell = False
        self.wrote_rows = False
        self.flattened: list[Piece] = []
        self._rows = 0
        self._headers: dict[int, str] = {}
        self._header_open = True
        self._spans: dict[int, tuple[int, str | None]] = {}
        self._pending: list[_Pending] = []
        self._next_column = 0
        self._cell: tuple[int, int, bool, bool] = (0, 1, False, False)

    def begin_cell(self, tag: str, attributes: Mapping[str, str], *, in_head: bool) -> None:
        """Start a cell in the next free column."""
        if self.layout:
            return
        while self._spans.get(self._next_column, (0, None))[0] > 0:
            self._next_column += 1
        span = _span(attributes.get("colspan"))
        rows = _span(attributes.get("rowspan"))
        for column in range(self._next_column, self._next_column + span):
            if rows > 1:
                self._spans[column] = (rows, None)
        self._cell = (self._next_column, span, tag == "th", in_head)
        self._next_column += span
        self.in_cell = True

    def end_cell(self, pieces: Sequence[Piece]) -> None:
        """Take in what the cell holds."""
        self.in_cell = False
        column, span, is_header, in_head = self._cell
        if self.flat:
            self.flattened += pieces
            append_gap(self.flattened)
            return
        self._pending.append(_Pending(pieces=pieces, column=column, span=span, is_header=is_header, in_head=in_head))

    def turn_to_layout(self, emit: Callable[[Table], None]) -> None:
        """A heading stands in a cell: this table only arranges parts of the page."""
        if self.in_cell and not self.flat and not self.layout:
            self.in_cell = False
            emit(self)
            self.layout = True

    def end_row(self) -> EndedRow | None:
        """The row that has ended; None when there is nothing to write."""
        pending, self._pending, self._next_column = self._pending, [], 0
        self._spans = {c: (left - 1, text) for c, (left, text) in self._spans.items() if left > 1}
        if not pending or self.flat:
            return None
        if len(pending) == 1 and not pending[0].is_header and not self._headers:
            return EndedRow(paragraphs=tuple(_paragraphs(pending[0].pieces)))
        number = self._rows
        self._rows += 1
        if all(cell.is_header or cell.in_head for cell in pending):
            return self._header_row(pending, number)
        self._header_open = False
        row_header = next((_text(cell.pieces) for cell in pending if cell.is_header), None)
        cells = tuple(
            RowCell(
                pieces=cell.pieces,
                column=cell.column,
                header=self._headers.get(cell.column) or (None if cell.is_header else row_header),
            )
            for cell in pending
        )
        return EndedRow(number=number, kind=BlockKind.TABLE_ROW, cells=cells)

    def _header_row(self, pending: Sequence[_Pending], number: int) -> EndedRow:
        if len(pending) > 1 or pending[0].span == 1:
            if not self._header_open:
                self._headers, self._header_open = {}, True
            for cell in pending:
                text = _text(cell.pieces)
                for column in range(cell.column, cell.column + cell.span):
                    above = self._headers.get(column)
                    joined = f"{above} / {text}" if above and text and above != text else text or above
                    if joined:
                        self._headers[column] = joined
        cells = tuple(RowCell(pieces=cell.pieces, column=cell.column) for cell in pending)
        return EndedRow(number=number, kind=BlockKind.TABLE_HEADER, cells=cells)


def append_gap(pieces: list[Piece]) -> None:
    """Mark a boundary, once: tables within tables would otherwise pile them up."""
    if not pieces or pieces[-1] is not GAP:
        pieces.append(GAP)


def _text(pieces: Sequence[Piece]) -> str:
    return squeeze(pieces, breaks=" ").text.strip()


def _paragraphs(pieces: Sequence[Piece]) -> list[list[Piece]]:
    groups: list[list[Piece]] = [[]]
    for piece in pieces:
        if piece is GAP:
            groups.append([])
        else:
            groups[-1].append(piece)
    return [group for group in groups if any(piece.text.strip() for piece in group)]


def _span(text: str | None) -> int:
    digits = (text or "").strip()
    return min(max(int(digits), 1), _MOST_SPANNED) if digits.isdecimal() and len(digits) < 10 else 1  # noqa: PLR2004
