from __future__ import annotations

import io
import random
import zipfile
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.adapters.parsers.xlsx import XlsxParser
from pincite.adapters.parsers.xlsx_formats import shown
from pincite.errors import ParseError
from pincite.protocols import ParseLimits
from pincite.testing.parser_conformance import ParserConformance, Sample
from pincite.text.layout import locate
from pincite.types import BlockKind, Parsed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pincite.protocols import Parser

REAL = ("other/docling-project__xlsx_01.xlsx", "nasty/xlsx_04_inflated.xlsx")


def saved(book: openpyxl.Workbook) -> bytes:
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def rates() -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Rates"
    sheet["A1"] = "Freight rates"
    for row in (
        ("Zone", "Carrier", "Rate", "Share", "From"),
        ("North", "Alpha", 1234.5, 0.125, date(2025, 3, 1)),
        (None, "Beta", 80, 0.5, date(2026, 1, 1)),
    ):
        sheet.append(row)
    sheet.insert_rows(2)
    sheet.merge_cells("A4:A5")
    for row in (4, 5):
        sheet[f"C{row}"].number_format = '"$"#,##0.00'
        sheet[f"D{row}"].number_format = "0.0%"
        sheet[f"E{row}"].number_format = "d mmm yyyy"
    secret = book.create_sheet("Margins")
    secret["A1"] = "Our margin is 40 %"
    secret.sheet_state = "hidden"
    return book


def parse(data: bytes, **limits: int) -> Parsed:
    return XlsxParser().parse(data, source_name="a.xlsx", limits=ParseLimits(**limits))


def rewritten(data: bytes, name: str, old: bytes, new: bytes) -> bytes:
    """The package with one change in one part."""
    source, target = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        for entry in source.namelist():
            content = source.read(entry)
            if entry == name:
                assert old in content
                content = content.replace(old, new)
            out.writestr(entry, content)
    return target.getvalue()


def pairs(parsed: Parsed, word: str) -> dict[str | None, str]:
    """Values by header of the row that holds a word."""
    block = next(b for b in parsed.layout.blocks if word in parsed.text[b.start : b.end])
    return {cell.header: parsed.text[cell.start : cell.end] for cell in block.cells}


class TestXlsxConformance(ParserConformance):
    def make(self) -> Parser:
        return XlsxParser()

    def samples(self) -> Sequence[Sample]:
        return [Sample("rates.xlsx", saved(rates()))]


def test_values_are_shown_through_their_formats_under_their_headers() -> None:
    parsed = parse(saved(rates()))
    north = {"Zone": "North", "Carrier": "Alpha", "Rate": "$1,234.50", "Share": "12.5%", "From": "1 Mar 2025"}
    assert pairs(parsed, "Alpha") == north
    assert "Freight rates" in parsed.text
    assert {b.heading_path for b in parsed.layout.blocks[1:]} == {("Rates",)}


def test_a_cell_merged_downwards_stands_in_each_of_its_rows_and_leads_back_to_where_it_is_stored() -> None:
    parsed = parse(saved(rates()))
    assert pairs(parsed, "Beta")["Zone"] == "North"
    start = parsed.text.rindex("North")
    assert locate(parsed.layout, start, start + 5).cell_range == "A4"


def test_a_hidden_sheet_is_left_out_and_said() -> None:
    parsed = parse(saved(rates()))
    assert "margin" not in parsed.text
    assert parsed.flags == ("hidden_sheet_dropped:Margins",)


@pytest.mark.parametrize("hide", ["row", "column"])
def test_hidden_rows_and_columns_are_left_out_and_said(hide: str) -> None:
    book = rates()
    if hide == "row":
        book["Rates"].row_dimensions[4].hidden = True
    else:
        book["Rates"].column_dimensions["B"].hidden = True
    parsed = parse(saved(book))
    assert "Alpha" not in parsed.text
    assert "hidden_cells_dropped:Rates" in parsed.flags


def test_a_formula_shows_the_value_last_calculated_and_one_without_a_value_is_said() -> None:
    book = rates()
    book["Rates"]["F4"], book["Rates"]["F5"] = "=C4*2", "=C5*2"
    data = rewritten(saved(book), "xl/worksheets/sheet1.xml", b"<f>C4*2</f><v></v>", b"<f>C4*2</f><v>2469</v>")
    parsed = parse(data)
    assert "2469" in parsed.text
    assert "formula_without_value:Rates!F5" in parsed.flags
    assert "formula_without_value:Rates!F4" not in parsed.flags


def test_a_place_is_the_sheet_and_the_smallest_range_of_cells() -> None:
    parsed = parse(saved(rates()))
    block = next(b for b in parsed.layout.blocks if "Alpha" in parsed.text[b.start : b.end])
    where = locate(parsed.layout, block.cells[1].start, block.cells[3].end)
    assert (where.sheet, where.cell_range) == ("Rates", "B4:D4")
    name = locate(parsed.layout, 0, 5)
    assert (name.sheet, name.cell_range) == ("Rates", None)


def test_a_sheet_name_with_an_exclamation_mark_keeps_its_cells() -> None:
    book = rates()
    book["Rates"].title = "New! B2"
    parsed = parse(saved(book))
    start = parsed.text.index("Alpha")
    where = locate(parsed.layout, start, start + 5)
    assert (where.sheet, where.cell_range) == ("New! B2", "B4")


@pytest.mark.parametrize("name", REAL)
def test_every_cell_of_a_real_file_equals_what_an_independent_reader_finds_there(shared: Path, name: str) -> None:
    data = (shared / "docs" / name).read_bytes()
    parsed, book = parse(data), openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    seen: set[tuple[str, str]] = set()
    for run in parsed.layout.runs:
        sheet, _, cell = run.part.removeprefix("sheet:").rpartition("!")
        text = parsed.text[run.start : run.end]
        if not cell:
            assert text == sheet
            continue
        shown_there = str(book[sheet][cell].value)
        assert text == shown_there[run.source_start : run.source_start + len(text)]
        seen.add((sheet, cell))
    visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    cells = (cell for sheet in visible for row in sheet.iter_rows() for cell in row)
    filled = {(cell.parent.title, cell.coordinate) for cell in cells if cell.value is not None}
    assert seen == filled


@pytest.mark.parametrize(
    ("raw", "code", "text"),
    [
        ("0.30000000000000004", "General", "0.3"),
        ("1234567", "#,##0", "1,234,567"),
        ("-1234.5", "#,##0.00;(#,##0.00)", "(1,234.50)"),
        ("-1234.5", "#,##0.00;[Red]-#,##0.00", "-1,234.50"),
        ("-0.004", "0.00", "0.00"),
        ("2.5", "0", "3"),
        ("7", "000", "007"),
        ("0.075", "0.0%", "7.5%"),
        ("12", "[$€-407] #,##0.00", "€ 12.00"),
        ("99.5", '#,##0.00" USD"', "99.50 USD"),
        ("1500000", '0.0,,"M"', "1.5M"),
        ("0", '0;-0;"none"', "none"),
        ("45717", "yyyy-mm-dd", "2025-03-01"),
        ("45717.75", "dd.mm.yyyy hh:mm", "01.03.2025 18:00"),
        ("0.5", "h:mm AM/PM", "12:00 PM"),
        ("1", "yyyy-mm-dd", "1900-01-01"),
    ],
)
def test_number_formats_show_what_a_spreadsheet_shows(raw: str, code: str, text: str) -> None:
    assert shown(raw, code) == (text, True)


@pytest.mark.parametrize("code", ["# ?/?", "[h]:mm", "0.00E+00", "[>100]0"])
def test_a_format_that_is_not_followed_leaves_the_plain_number_and_says_so(code: str) -> None:
    assert shown("1.5", code) == ("1.5", False)


@given(st.text(max_size=30), st.floats() | st.integers())
def test_no_format_and_no_number_raises(code: str, value: float) -> None:
    text, _ = shown(str(value), code)
    assert isinstance(text, str)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/styles.xml"]))
def test_a_damaged_part_gives_a_result_or_a_parse_error(seed: int, part: str) -> None:
    chance, data = random.Random(seed), saved(rates())
    content = bytearray(zipfile.ZipFile(io.BytesIO(data)).read(part))
    for _ in range(chance.randint(1, 4)):
        content[chance.randrange(len(content))] = chance.choice(b'019-AZ<>"=x ')
    whole = zipfile.ZipFile(io.BytesIO(data)).read(part)
    with suppress(ParseError):
        assert parse(rewritten(data, part, whole, bytes(content))).text.strip()


def test_a_document_type_is_refused_so_that_no_entity_is_read() -> None:
    bad = b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><worksheet'
    with pytest.raises(ParseError) as caught:
        parse(rewritten(saved(rates()), "xl/worksheets/sheet1.xml", b"<worksheet", bad))
    assert caught.value.code == "corrupt"


def test_a_sheet_that_merges_everything_with_everything_ends_fast() -> None:
    merges = b'<mergeCells count="1"><mergeCell ref="A4:A5"/>' + b'<mergeCell ref="A1:XFD1048576"/>' * 20_000
    data = rewritten(
        saved(rates()), "xl/worksheets/sheet1.xml", b'<mergeCells count="1"><mergeCell ref="A4:A5"/>', merges
    )
    assert "Alpha" in parse(data, max_expansion=10_000).text


def test_the_first_row_of_a_table_that_holds_only_words_is_a_header_row() -> None:
    kinds = [block.kind for block in parse(saved(rates())).layout.blocks]
    assert kinds == [
        BlockKind.HEADING,
        BlockKind.PARAGRAPH,
        BlockKind.TABLE_HEADER,
        BlockKind.TABLE_ROW,
        BlockKind.TABLE_ROW,
    ]
