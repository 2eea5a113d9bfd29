"""The cells of one worksheet as a reader sees them: shown values, merged cells, nothing that is hidden."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.adapters.parsers.xlsx_formats import BUILTIN, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from pincite.adapters.parsers.docx_package import Package

S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_NAME = re.compile(r"\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})")
_MOST_COLUMNS = 16_384
_MOST_ROWS = 1_048_576
_MOST_REPEATS = 200_000  # rows that merged cells may reach, all together: a hostile sheet merges all with all
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


@dataclass(frozen=True, kw_only=True, slots=True)
class SheetCell:
    """``column`` counts from 0, ``source_row`` from 1: for a cell merged downwards the row that holds its value."""

    text: str
    column: int
    source_row: int
    is_text: bool
    span: int = 1


class Workbook:
    """What all sheets share: strings, number formats, the day that dates count from."""

    def __init__(self, package: Package, flags: set[str]) -> None:
        self.flags = flags
        strings = package.tree(package.related("sharedStrings") or "xl/sharedStrings.xml")
        self.strings = [_rich(item) for item in strings.iterfind(f"{S}si")] if strings is not None else []
        self._formats = _formats(package.tree(package.related("styles") or "xl/styles.xml"))
        properties = package.main_tree().find(f"{S}workbookPr")
        self.from_1904 = properties is not None and properties.get("date1904", "0").lower() in ("1", "true", "on")

    def number_format(self, style: str) -> str:
        """The format code of a cell's style; General when there is none."""
        return self._formats.get(style, "General")


def cell_name(row: int, column: int) -> str:
    """The name "B7" for row 7 (from 1) and column 1 (from 0)."""
    letters, rest = "", column + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return f"{letters}{row}"


def read_sheet(root: _Element, title: str, book: Workbook) -> dict[int, list[SheetCell]]:
    """Cells with text by row number, each row by column."""
    rows: dict[int, dict[int, SheetCell]] = {}
    hidden_columns, hidden_rows = _hidden_columns(root), set[int]()
    for number, row in _numbered(root):
        if _is_on(row.get("hidden")):
            hidden_rows.add(number)
        for column, element in _columns(row):
            cell = _cell(element, number, column, title, book)
            if cell is not None:
                rows.setdefault(number, {})[column] = cell
    _spread(rows, root)
    return _visible(rows, hidden_rows, hidden_columns, title, book)


def _visible(
    rows: dict[int, dict[int, SheetCell]],
    hidden_rows: set[int],
    hidden_columns: list[tuple[int, int]],
    title: str,
    book: Workbook,
) -> dict[int, list[SheetCell]]:
    found: dict[int, list[SheetCell]] = {}
    for number, row in rows.items():
        kept = [row[c] for c in sorted(row) if not any(a <= c <= b for a, b in hidden_columns)]
        if number in hidden_rows or len(kept) < len(row):
            book.flags.add(f"hidden_cells_dropped:{title}")
        if kept and number not in hidden_rows:
            found[number] = kept
    return found


def _hidden_columns(root: _Element) -> list[tuple[int, int]]:
    found = []
    for column in root.iterfind(f"{S}cols/{S}col"):
        first, last = _number(column.get("min")), _number(column.get("max"))
        if _is_on(column.get("hidden")) and first is not None and last is not None:
            found.append((first - 1, last - 1))
    return found


def _numbered(root: _Element) -> Iterator[tuple[int, _Element]]:
    number = 0
    for row in root.iterfind(f"{S}sheetData/{S}row"):
        number = _number(row.get("r")) or number + 1
        if number <= _MOST_ROWS:
            yield number, row


def _columns(row: _Element) -> Iterator[tuple[int, _Element]]:
    column = -1
    for cell in row.iterfind(f"{S}c"):
        match = _NAME.fullmatch(cell.get("r", ""))
        column = _column(match[1]) if match else column + 1
        if column < _MOST_COLUMNS:
            yield column, cell


def _cell(element: _Element, row: int, column: int, title: str, book: Workbook) -> SheetCell | None:
    kind = element.get("t", "n")
    raw = element.findtext(f"{S}v")
    where = f"{title}!{cell_name(row, column)}"
    if kind == "inlineStr":
        inline = element.find(f"{S}is")
        text = _rich(inline) if inline is not None else ""
    elif raw is None or not raw.strip():
        if element.find(f"{S}f") is not None:
            book.flags.add(f"formula_without_value:{where}")
        return None
    else:
        text = _value(raw, kind, element.get("s", "0"), where, book)
    is_text = kind in ("s", "str", "inlineStr")
    return SheetCell(text=text, column=column, source_row=row, is_text=is_text) if text.strip() else None


def _value(raw: str, kind: str, style: str, where: str, book: Workbook) -> str:
    if kind == "s":
        index = _number(raw)
        return book.strings[index] if index is not None and index < len(book.strings) else ""
    if kind == "b":
        return "TRUE" if raw.strip() == "1" else "FALSE"
    if kind == "e":
        book.flags.add(f"formula_error:{where}")
        return raw
    if kind == "n":
        text, followed = shown(raw, book.number_format(style), from_1904=book.from_1904)
        if not followed:
            book.flags.add(f"number_format_not_followed:{where}")
        return text
    return _unescaped(raw)


def _spread(rows: dict[int, dict[int, SheetCell]], root: _Element) -> None:
    """A merged cell spans its columns, and stands in each row that it reaches and that has other cells."""
    left = _MOST_REPEATS
    for merged in root.iterfind(f"{S}mergeCells/{S}mergeCell"):
        corners = [_NAME.fullmatch(name) for name in merged.get("ref", "").split(":")]
        if len(corners) != 2 or corners[0] is None or corners[1] is None:  # noqa: PLR2004 - two corners
            continue
        top, bottom = int(corners[0][2]), int(corners[1][2])
        column, last = _column(corners[0][1]), _column(corners[1][1])
        cell = rows.get(top, {}).get(column)
        left -= max(bottom - top, 0)
        if cell is None or left < 0 or last < column or last >= _MOST_COLUMNS:
            continue
        cell = rows[top][column] = replace(cell, span=last - column + 1)
        for number in range(top + 1, bottom + 1):
            if number in rows:
                rows[number].setdefault(column, cell)


def _formats(styles: _Element | None) -> dict[str, str]:
    if styles is None:
        return {}
    own = {f.get("numFmtId", ""): f.get("formatCode", "") for f in styles.iterfind(f"{S}numFmts/{S}numFmt")}
    known = {str(number): code for number, code in BUILTIN.items()} | own
    used = (style.get("numFmtId", "0") for style in styles.iterfind(f"{S}cellXfs/{S}xf"))
    return {str(index): known.get(number, "General") for index, number in enumerate(used)}


def _rich(item: _Element) -> str:
    """All runs of a string, without the reading aids (rPh) of East Asian text."""
    texts = [item.findtext(f"{S}t") or "", *(run.findtext(f"{S}t") or "" for run in item.iterfind(f"{S}r"))]
    return _unescaped("".join(texts))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


def _column(letters: str) -> int:
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1


def _number(text: str | None) -> int | None:
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None  # noqa: PLR2004 - fits 32 bits


def _is_on(text: str | None) -> bool:
    return (text or "0").lower() in ("1", "true", "on")
