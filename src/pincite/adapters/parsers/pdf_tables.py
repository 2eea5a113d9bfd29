"""Lines to table rows: what stands side by side, in columns that line up over several rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.adapters.parsers.pdf_lines import MARKER, Line, joined, same_band

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LOOK_BACK = 8  # lines of one cell before its neighbour starts
_MAX_ROW_GAP_EM = 3.0
_CELL_LEADING_EM = 1.5
_MAX_HEADER_CHARS = 120
_FIGURE_SHARE = 0.4  # of a cell's letters and digits


@dataclass(kw_only=True)
class Row:
    """Cells side by side, each some lines from top to bottom; a line of running text is a row of one cell."""

    cells: list[list[Line]]

    @property
    def first(self) -> Line:
        """The line that begins it."""
        return self.cells[0][0]

    def lines(self) -> Iterator[Line]:
        """All lines, cell by cell."""
        for cell in self.cells:
            yield from cell


@dataclass(kw_only=True)
class Table:
    """Rows whose cells are put to columns: ``placed[i]`` maps column to lines."""

    placed: list[dict[int, list[Line]]]
    columns: list[tuple[float, float]]
    has_header: bool = False
    headers: dict[int, list[Line]] = field(default_factory=dict)


def rows_of(lines: Sequence[Line]) -> list[Row]:
    """Group lines that stand side by side. A cell of several lines is one cell if its neighbour begins beside it."""
    rows: list[Row] = []
    for line in lines:
        if not (line.upright and _beside(rows, line)) and not _below_last_cell(rows, line):
            rows.append(Row(cells=[[line]]))
    return [_marker_merged(row) for row in rows]


def tables_in(rows: Sequence[Row]) -> Iterator[Row | Table]:
    """Rows in order, runs of aligned ones made tables."""
    at = 0
    while at < len(rows):
        table, used = _table_at(rows, at)
        if table is None:
            yield rows[at]
            at += 1
        else:
            yield table
            at += used


# --- rows ------------------------------------------------------------------------------------------


def _beside(rows: list[Row], line: Line) -> bool:
    """Put the line into the row beside whose first line it stands, folding in what came between."""
    for back in range(1, min(_LOOK_BACK, len(rows)) + 1):
        row = rows[-back]
        since = rows[len(rows) - back :]
        if not same_band(row.first, line) or not _is_after(since, line):
            if not row.first.upright or row.first.page_index != line.page_index:
                return False
            continue
        if back > 1 and not all(len(r.cells) == 1 and _overlaps(r.first, row.cells[-1][0]) for r in since[1:]):
            return False
        row.cells[-1].extend(piece for r in since[1:] for piece in r.lines())
        del rows[len(rows) - back + 1 :]
        row.cells.append([line])
        return True
    return False


def _is_after(rows: list[Row], line: Line) -> bool:
    pieces = [piece for row in rows for piece in row.lines()]
    if line.rtl and all(piece.x0 >= line.x1 - 1 for piece in pieces):
        return True
    return all(piece.x1 <= line.x0 + 1 for piece in pieces)


def _below_last_cell(rows: list[Row], line: Line) -> bool:
    """A further line of the last cell of a row whose other cells reach as far down."""
    if not rows or len(rows[-1].cells) <= 1 or not line.upright:
        return False
    row = rows[-1]
    last = row.cells[-1][-1]
    tight = 0 < line.baseline - last.baseline <= _CELL_LEADING_EM * last.size_pt
    own_column = abs(line.x0 - row.cells[-1][0].x0) <= 0.5 * last.size_pt
    clear = all(piece.x1 <= line.x0 + 1 for cell in row.cells[:-1] for piece in cell)
    if not (tight and own_column and clear and line.bold == last.bold):
        return False
    row.cells[-1].append(line)
    return True


def _overlaps(a: Line, b: Line) -> bool:
    return min(a.x1, b.x1) - max(a.x0, b.x0) > 0


def _marker_merged(row: Row) -> Row:
    """A list marker and its text are one line, however wide the tab between them."""
    if len(row.cells[1:]) != 1 or len(row.cells[0]) > 1:  # with more cells it is a table that counts its rows
        return row
    marker, (first, *others) = row.first, row.cells[1]
    chapter = marker.text.isdigit() and marker.bold and first.bold
    if MARKER.fullmatch(marker.text) is None and not chapter:
        return row
    return Row(cells=[[joined(marker, first), *others]])


# --- tables ----------------------------------------------------------------------------------------


def _table_at(rows: Sequence[Row], at: int) -> tuple[Table | None, int]:
    if len(rows[at].cells) <= 1:
        return None, 0
    run = [rows[at]]
    for row in rows[at + 1 :]:
        if not _goes_on(run, row):
            break
        run.append(row)
    while len(run[-1].cells) <= 1:
        run.pop()
    if sum(len(row.cells) > 1 for row in run) <= 1:
        return None, 0
    columns = _columns(run)
    table = Table(placed=_placed(run, columns), columns=columns)
    table.has_header = has_header(table.placed)
    table.headers = table.placed[0] if table.has_header else {}
    return table, len(run)


def _goes_on(run: list[Row], row: Row) -> bool:
    last = run[-1]
    if not row.first.upright or row.first.page_index != last.first.page_index:
        return False
    bottom = max(line.y1 for line in last.lines())
    gap = row.first.y0 - bottom
    em = row.first.size_pt
    if gap > _MAX_ROW_GAP_EM * em or gap < -em:
        return False
    columns = _columns(run)
    fits = [sum(_shares(line, column) for column in columns) <= 1 for line in row.lines()]
    touches = [any(_shares(line, column) for column in columns) for line in row.lines()]
    if len(row.cells) > 1:
        return sum(fits) >= len(fits) / 2 and any(touches)
    inner = all(fits) and all(touches) and not _shares(row.first, columns[0])
    return inner and gap <= 0.6 * em


def _shares(line: Line, column: tuple[float, float]) -> bool:
    return min(line.x1, column[1]) - max(line.x0, column[0]) > 0


def _columns(run: list[Row]) -> list[tuple[float, float]]:
    """Extents of the columns, grown from the narrowest cells; a cell over several columns makes none."""
    cells = [_extent(cell) for row in run if len(row.cells) > 1 for cell in row.cells]
    columns: list[tuple[float, float]] = []
    for low, high in sorted(cells, key=lambda cell: (cell[1] - cell[0], cell)):
        touched = [column for column in columns if min(high, column[1]) > max(low, column[0])]
        if len(touched) > 1:
            continue
        for column in touched:
            columns.remove(column)
        columns.append((min([low, *(c[0] for c in touched)]), max([high, *(c[1] for c in touched)])))
    return sorted(columns)


def _extent(cell: list[Line]) -> tuple[float, float]:
    return min(line.x0 for line in cell), max(line.x1 for line in cell)


def _placed(run: list[Row], columns: list[tuple[float, float]]) -> list[dict[int, list[Line]]]:
    placed: list[dict[int, list[Line]]] = []
    for row in run:
        target: dict[int, list[Line]] = placed[-1] if len(row.cells) == 1 and placed else {}
        if target is not (placed[-1] if placed else None):
            placed.append(target)
        for cell in row.cells:
            target.setdefault(_nearest(cell[0], columns), []).extend(cell)
    return placed


def _nearest(line: Line, columns: list[tuple[float, float]]) -> int:
    def distance(index: int) -> tuple[float, float]:
        low, high = columns[index]
        shared = min(line.x1, high) - max(line.x0, low)
        return (-shared, abs((line.x0 + line.x1) - (low + high)))

    return min(range(len(columns)), key=distance)


def has_header(placed: list[dict[int, list[Line]]]) -> bool:
    """Whether the first row names the columns: set bolder than the rest, or short words over figures."""
    first, rest = placed[0], placed[1:]
    if not rest or len(first) <= 1 or any(_length(cell) > _MAX_HEADER_CHARS for cell in first.values()):
        return False
    if all(_is_bold(cell) for cell in first.values()):
        return not all(_is_bold(cell) for row in rest for cell in row.values())
    if any(_is_figure(cell) for cell in first.values()):
        return False
    return any(_are_figures([row[column] for row in rest if column in row], len(rest)) for column in first)


def _are_figures(cells: list[list[Line]], row_count: int) -> bool:
    return 2 * len(cells) >= row_count and all(_is_figure(cell) for cell in cells)


def _is_bold(cell: list[Line]) -> bool:
    return all(line.bold for line in cell)


def _is_figure(cell: list[Line]) -> bool:
    known = [char for line in cell for char in line.text if char.isalnum()]
    return bool(known) and sum(char.isdigit() for char in known) >= _FIGURE_SHARE * len(known)


def _length(cell: list[Line]) -> int:
    return sum(len(line.glyphs) for line in cell)
