"""From a character range of a spreadsheet's text to its sheet and cells."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.types import Layout

_PART = re.compile(r"sheet:(?P<sheet>.*)!(?:(?P<column>[A-Z]{1,3})(?P<row>[0-9]+))?", re.DOTALL)


def sheet_cells(layout: Layout, start: int, end: int) -> tuple[str | None, str | None]:
    """The sheet on which ``text[start:end]`` begins, and the smallest range of its cells that holds the range."""
    runs = layout.runs
    index = max(bisect_right(runs, start, key=lambda run: run.start) - 1, 0)
    sheet: str | None = None
    cells: list[tuple[tuple[int, str], int]] = []
    while index < len(runs) and runs[index].start < end:
        match = _PART.fullmatch(runs[index].part) if runs[index].end > start else None
        index += 1
        if match is None:
            continue
        sheet = match["sheet"] if sheet is None else sheet
        if match["sheet"] == sheet and match["column"]:
            cells.append(((len(match["column"]), match["column"]), int(match["row"])))
    return sheet, _range(cells) if cells else None


def _range(cells: list[tuple[tuple[int, str], int]]) -> str:
    columns, rows = [column for column, _ in cells], [row for _, row in cells]
    first = f"{min(columns)[1]}{min(rows)}"
    last = f"{max(columns)[1]}{max(rows)}"
    return first if first == last else f"{first}:{last}"
