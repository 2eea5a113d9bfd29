"""Spreadsheets (.xlsx): every visible sheet under its name, its rows with their column headers.

A run of the result names its cell: "sheet:Rates!B7" is cell B7 of the sheet Rates, and offsets count in the text that
the cell shows: the stored value through its number format, for a formula the value that was last calculated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.adapters.parsers.canon import Canon, Piece, RowCell, squeeze
from pincite.adapters.parsers.docx_package import Package, R
from pincite.adapters.parsers.limits import check_size
from pincite.adapters.parsers.xlsx_sheet import S, SheetCell, Workbook, cell_name, read_sheet
from pincite.adapters.parsers.zipsafe import open_zip
from pincite.errors import ParseError
from pincite.types import BlockKind, Parsed

if TYPE_CHECKING:
    from pincite.protocols import ParseLimits

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_FEWEST_HEADERS = 2


class XlsxParser:
    """Hidden sheets, rows and columns are left out and flagged, as hidden text is elsewhere."""

    name = "xlsx/1"
    media_types = frozenset({MEDIA_TYPE})

    def parse(self, data: bytes, *, source_name: str, limits: ParseLimits) -> Parsed:
        """See ``Parser.parse``."""
        check_size(data, limits)
        package = Package(open_zip(data, limits))
        root = package.main_tree()
        if root.tag != f"{S}workbook":
            raise ParseError(
                f"{source_name} holds no workbook",
                code="mislabelled",
                hint="Save it as .xlsx in a spreadsheet program, and ingest that.",
            )
        flags: set[str] = set()
        canon = Canon(max_chars=limits.max_text_chars)
        book = Workbook(package, flags)
        wrote = False
        for sheet in root.iterfind(f"{S}sheets/{S}sheet"):
            title = sheet.get("name", "")
            if sheet.get("state", "visible") != "visible":
                flags.add(f"hidden_sheet_dropped:{title}")
                continue
            tree = package.tree(package.target(sheet.get(f"{R}id", "")) or "")
            if tree is not None and tree.tag == f"{S}worksheet":
                wrote = _write_sheet(canon, title, read_sheet(tree, title, book)) or wrote
        if not wrote:
            raise ParseError(
                f"{source_name} holds no text in any visible sheet",
                code="no_text",
                hint="Show the sheets that are meant, save it, and ingest that.",
            )
        if canon.smuggled:
            flags.add("invisible_text_dropped")
        text, layout = canon.finish()
        return Parsed(text=text, layout=layout, media_type=MEDIA_TYPE, parser=self.name, flags=tuple(sorted(flags)))


def _write_sheet(canon: Canon, title: str, rows: dict[int, list[SheetCell]]) -> bool:
    """The sheet's name as a heading, then its rows; an empty row ends a table and its headers."""
    if not rows:
        return False
    canon.block(BlockKind.HEADING, [Piece(title, 0, f"sheet:{title}!")], level=1)
    headers: dict[int, str] = {}
    previous, in_table = 0, False
    for number, cells in sorted(rows.items()):
        if number != previous + 1:
            headers, in_table = {}, False
        is_header = _is_header(cells, rows.get(number + 1), headers=headers, in_table=in_table)
        alone = len(cells) == 1 and not in_table
        if alone:
            canon.block(BlockKind.PARAGRAPH, _pieces(title, cells[0]))
        else:
            _write_row(canon, title, number, cells, headers if not is_header else {}, tight=in_table)
            in_table = True
        if is_header:
            headers = _take_headers(cells)
        previous = number
    return True


def _write_row(
    canon: Canon, title: str, number: int, cells: list[SheetCell], headers: dict[int, str], *, tight: bool
) -> None:
    is_header = not headers and not tight and all(cell.is_text for cell in cells)
    canon.row(
        BlockKind.TABLE_HEADER if is_header else BlockKind.TABLE_ROW,
        [RowCell(pieces=_pieces(title, c), column=c.column, header=headers.get(c.column)) for c in cells],
        row=number - 1,
        tight=tight,
    )


def _is_header(
    cells: list[SheetCell], below: list[SheetCell] | None, *, headers: dict[int, str], in_table: bool
) -> bool:
    """The first row of a table, when it holds only words and another row follows."""
    if in_table or headers or below is None or len(cells) < _FEWEST_HEADERS:
        return False
    return all(cell.is_text for cell in cells)


def _take_headers(cells: list[SheetCell]) -> dict[int, str]:
    found: dict[int, str] = {}
    for cell in cells:
        text = squeeze([Piece(cell.text)], breaks=" ").text
        for column in range(cell.column, cell.column + cell.span):
            found[column] = text
    return found


def _pieces(title: str, cell: SheetCell) -> list[Piece]:
    return [Piece(cell.text, 0, f"sheet:{title}!{cell_name(cell.source_row, cell.column)}")]
