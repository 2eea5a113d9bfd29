"""Ruled tables: the grids that lines drawn on a page form, and the text in their cells.

A grid tells what alignment cannot: which of several paragraphs share a cell, and where a cell spans others.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.adapters.parsers.pdf_lines import Line
from pincite.adapters.parsers.pdf_tables import Table, has_header

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.adapters.parsers.pdf_chars import Glyph
    from pincite.adapters.parsers.pdf_rulings import Ruling

_TOUCH_PT = 3.0
_MIN_CELL_PT = 5.0
_MAX_CELL_CHARS = 2500  # more is a framed text, not a cell


@dataclass(frozen=True, kw_only=True, slots=True)
class Grid:
    """Rulings that touch each other; ``xs`` and ``ys`` are the edges of its columns and rows, ascending."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    rulings: tuple[Ruling, ...]

    def holds(self, line: Line) -> bool:
        """Whether the middle of a line lies in it."""
        x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
        return self.xs[0] < x < self.xs[-1] and self.ys[0] < y < self.ys[-1]

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Row and column of a point; of the top left cell where cells are merged."""
        row, column = _slot(self.ys, y), _slot(self.xs, x)
        while column > 0 and not self._is_ruled(self.xs[column], (self.ys[row] + self.ys[row + 1]) / 2, across=False):
            column -= 1
        while row > 0 and not self._is_ruled(self.ys[row], (self.xs[column] + self.xs[column + 1]) / 2, across=True):
            row -= 1
        return row, column

    def _is_ruled(self, at: float, middle: float, *, across: bool) -> bool:
        return any(
            r.across == across and abs(r.at - at) <= _TOUCH_PT and r.low <= middle <= r.high for r in self.rulings
        )


# --- grids -----------------------------------------------------------------------------------------


def grids_of(rulings: Sequence[Ruling]) -> list[Grid]:
    """Groups of touching rulings that make at least two columns and two rows."""
    grids = []
    for group in _groups(rulings):
        xs = _edges_at(r.at for r in group if not r.across)
        ys = _edges_at(r.at for r in group if r.across)
        if len(xs) > 2 and len(ys) > 2:  # noqa: PLR2004 - edges of two cells
            grids.append(Grid(xs=xs, ys=ys, rulings=tuple(group)))
    return grids


def _groups(rulings: Sequence[Ruling]) -> list[list[Ruling]]:
    parent = list(range(len(rulings)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    across = [(i, r) for i, r in enumerate(rulings) if r.across]
    down = [(i, r) for i, r in enumerate(rulings) if not r.across]
    for i, h in across:
        for j, v in down:
            if h.low - _TOUCH_PT <= v.at <= h.high + _TOUCH_PT and v.low - _TOUCH_PT <= h.at <= v.high + _TOUCH_PT:
                parent[root(i)] = root(j)
    groups: defaultdict[int, list[Ruling]] = defaultdict(list)
    for at, ruling in enumerate(rulings):
        groups[root(at)].append(ruling)
    return list(groups.values())


def _edges_at(places: Iterable[float]) -> tuple[float, ...]:
    """Distinct positions; those closer than a cell can be are the two sides of one drawn line."""
    edges: list[float] = []
    for place in sorted(places):
        if not edges or place - edges[-1] >= _MIN_CELL_PT:
            edges.append(place)
    return tuple(edges)


def _slot(edges: Sequence[float], place: float) -> int:
    return min(max(sum(edge <= place for edge in edges) - 1, 0), len(edges) - 2)


# --- text in cells ---------------------------------------------------------------------------------


def with_ruled_tables(lines: Sequence[Line], grids: Sequence[Grid]) -> Iterator[list[Line] | Table]:
    """Lines in order; a ruled table stands where its first line stood."""
    tables = {id(grid): _table([line for line in lines if grid.holds(line)], grid) for grid in grids}
    used = [grid for grid in grids if tables[id(grid)] is not None]
    plain: list[Line] = []
    done: set[int] = set()
    for line in lines:
        home = next((grid for grid in used if grid.holds(line)), None) if line.upright else None
        if home is None:
            plain.append(line)
        elif id(home) not in done:
            done.add(id(home))
            if plain:
                yield plain
                plain = []
            table = tables[id(home)]
            if table is not None:
                yield table
    if plain:
        yield plain


def _table(lines: list[Line], grid: Grid) -> Table | None:
    cells: defaultdict[int, dict[int, list[Line]]] = defaultdict(dict)
    for line in lines:
        for piece in _split_at_rulings(line, grid) if line.upright else ():
            row, column = grid.cell((piece.x0 + piece.x1) / 2, (piece.y0 + piece.y1) / 2)
            cells[row].setdefault(column, []).append(piece)
    placed = [dict(sorted(cells[row].items())) for row in sorted(cells)]
    for cells_of_row in placed:
        for column, pieces in cells_of_row.items():
            cells_of_row[column] = sorted(pieces, key=lambda piece: (round(piece.baseline), piece.x0))
    if not _is_table(placed):
        return None
    columns = list(zip(grid.xs, grid.xs[1:], strict=False))
    table = Table(placed=placed, columns=columns, has_header=has_header(placed))
    if table.has_header:
        table.headers = _spread(placed[0], grid, min(cells))
    return table


def _is_table(placed: list[dict[int, list[Line]]]) -> bool:
    sizes = [sum(len(line.glyphs) for line in cell) for row in placed for cell in row.values()]
    return sum(len(row) > 1 for row in placed) > 0 and len(placed) > 1 and max(sizes) <= _MAX_CELL_CHARS


def _spread(header: dict[int, list[Line]], grid: Grid, row: int) -> dict[int, list[Line]]:
    """A header over several columns governs each of them."""
    y = (grid.ys[row] + grid.ys[row + 1]) / 2
    owners = {c: grid.cell((grid.xs[c] + grid.xs[c + 1]) / 2, y)[1] for c in range(len(grid.xs) - 1)}
    return {column: header[owner] for column, owner in owners.items() if owner in header}


def _split_at_rulings(line: Line, grid: Grid) -> Iterator[Line]:
    """Text of neighbouring cells that stands so close that it was taken for one line."""
    y = (line.y0 + line.y1) / 2
    pieces: list[list[Glyph]] = [[]]
    last: tuple[int, int] | None = None
    for glyph in line.glyphs:
        if glyph.char != " ":
            cell = grid.cell((glyph.x0 + glyph.x1) / 2, y)
            if last is not None and cell != last:
                pieces.append([])
            last = cell
        pieces[-1].append(glyph)
    for piece in pieces:
        while piece and piece[-1].char == " ":
            piece.pop()
        if piece:
            yield Line(page_index=line.page_index, glyphs=tuple(piece))
