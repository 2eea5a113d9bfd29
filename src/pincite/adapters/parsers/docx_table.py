"""DOCX tables: rows, columns and the headers that govern them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.adapters.parsers.docx_package import W, is_on, val
from pincite.adapters.parsers.docx_paragraph import own_paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element

    from pincite.adapters.parsers.docx_styles import Styles

_MOST_SPANNED = 1000
_WRAPPERS = frozenset({f"{W}sdt", f"{W}sdtContent", f"{W}customXml", f"{W}ins", f"{W}moveTo"})


@dataclass(frozen=True, kw_only=True, slots=True)
class GridCell:
    """A cell and the columns it covers; ``continues`` when it is part of a cell that began above."""

    element: _Element
    column: int
    span: int
    continues: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class GridRow:
    """One row that is shown."""

    cells: tuple[GridCell, ...]
    is_header: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Grid:
    """A table. ``is_layout``: it only arranges text and its rows say nothing together."""

    rows: tuple[GridRow, ...]
    is_layout: bool
    has_style: bool


def read_grid(table: _Element, styles: Styles) -> Grid:
    """Rows whose deletion is tracked are left out."""
    properties = table.find(f"{W}tblPr")
    style_id = val(properties.find(f"{W}tblStyle")) if properties is not None else None
    rows = [row for row in unwrapped(table, f"{W}tr") if row.find(f"{W}trPr/{W}del") is None]
    grid = [_cells(row) for row in rows]
    first_is_header = bool(rows) and len(rows) > 1 and _first_is_set_off(properties, style_id, rows, styles)
    marked = [is_on(row.find(f"{W}trPr/{W}tblHeader")) is True for row in rows]
    headers = marked if any(marked) and not all(marked) else [n == 0 and first_is_header for n in range(len(rows))]
    return Grid(
        rows=tuple(GridRow(cells=tuple(cells), is_header=header) for cells, header in zip(grid, headers, strict=True)),
        is_layout=all(len(cells) <= 1 for cells in grid) or _has_headings(table, styles),
        has_style=bool(style_id),
    )


def unwrapped(element: _Element, tag: str) -> Iterator[_Element]:
    """Children of a kind, also those inside content controls and tracked insertions."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in _WRAPPERS:
            yield from unwrapped(child, tag)


def _cells(row: _Element) -> list[GridCell]:
    column = _integer(val(row.find(f"{W}trPr/{W}gridBefore")), 0)
    cells: list[GridCell] = []
    for cell in unwrapped(row, f"{W}tc"):
        properties = cell.find(f"{W}tcPr")
        if properties is not None and properties.find(f"{W}cellDel") is not None:
            continue
        span = max(_integer(val(properties.find(f"{W}gridSpan")), 1), 1) if properties is not None else 1
        merge = properties.find(f"{W}vMerge") if properties is not None else None
        continues = merge is not None and (val(merge) or "continue") == "continue"
        cells.append(GridCell(element=cell, column=column, span=span, continues=continues))
        column += span
    return cells


def _first_is_set_off(
    properties: _Element | None, style_id: str | None, rows: Sequence[_Element], styles: Styles
) -> bool:
    """Word marks a first row as special by default, so that alone is no sign of a header; looking like one is."""
    cells = list(unwrapped(rows[0], f"{W}tc"))
    if all(cell.find(f"{W}tcPr/{W}shd") is not None for cell in cells):
        return True
    if all(_is_bold(cell, styles) for cell in cells):
        return True
    look = properties.find(f"{W}tblLook") if properties is not None else None
    if look is None or not _look_has_first_row(look):
        return False
    return styles.first_row_is_set_off(style_id) or _names_numbers(rows)


def _names_numbers(rows: Sequence[_Element]) -> bool:
    """No digit in the first row, and a column that holds a digit in every row below."""
    texts = [
        ["".join(text.text or "" for text in cell.iter(f"{W}t")) for cell in unwrapped(row, f"{W}tc")] for row in rows
    ]
    first, below = texts[0], texts[1:]
    if any(_has_digit(text) for text in first) or any(len(row) != len(first) for row in below):
        return False
    return any(first[column].strip() and all(_has_digit(row[column]) for row in below) for column in range(len(first)))


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _look_has_first_row(look: _Element) -> bool:
    if look.get(f"{W}firstRow") is not None:
        return look.get(f"{W}firstRow") in ("1", "true", "on")
    try:
        return bool(int(val(look) or "0", 16) & 0x20)
    except ValueError:
        return False


def _is_bold(cell: _Element, styles: Styles) -> bool:
    """Every run with text is bold, and there is one; an empty cell goes along."""
    for paragraph in own_paragraphs(cell):
        style_id = styles.paragraph_style(paragraph.find(f"{W}pPr"))
        for run in paragraph.iter(f"{W}r"):
            has_text = any((text.text or "").strip() for text in run.iter(f"{W}t"))
            if has_text and not styles.run_toggle("b", run.find(f"{W}rPr"), style_id):
                return False
    return True


def _has_headings(table: _Element, styles: Styles) -> bool:
    for paragraph in table.iter(f"{W}p"):
        properties = paragraph.find(f"{W}pPr")
        if styles.outline_level(styles.paragraph_style(properties), properties) is not None:
            return True
    return False


def _integer(text: str | None, otherwise: int) -> int:
    try:
        return min(int(text), _MOST_SPANNED) if text is not None else otherwise
    except ValueError:
        return otherwise
