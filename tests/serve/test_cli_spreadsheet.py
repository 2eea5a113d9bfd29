"""A question answered from a spreadsheet cites sheet and cells, from file to terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import openpyxl

if TYPE_CHECKING:
    from pathlib import Path


def test_an_answer_from_a_spreadsheet_names_sheet_and_cells(command: Any, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Rates"
    for row in (
        ("Plan", "Refund policy"),
        ("Enterprise", "Customers on the Enterprise plan may ask for a full refund within 30 days of the purchase."),
        ("Starter", "Customers on the Starter plan may ask for a full refund within 7 days of the purchase."),
    ):
        sheet.append(row)
    (tmp_path / "docs").mkdir()
    book.save(tmp_path / "docs" / "rates.xlsx")
    library = ("--library", str(tmp_path / "library"))
    assert command("ingest", str(tmp_path / "docs"), *library).code == 0
    question = "How long may customers on the Enterprise plan ask for a refund?"
    asked = command("ask", question, *library)
    assert asked.code == 0
    assert "30 days" in asked.out
    assert "Sheet 'Rates', " in asked.out
    source = command("ask", question, *library, "--json").json["sources"][0]
    assert source["location"]["sheet"] == "Rates"
    assert source["quote"].startswith("Plan | Refund policy")  # the header row is quoted, so the range begins there
    assert source["quote"].endswith("within 30 days of the purchase.")
    assert source["location"]["cell_range"] == "A1:B2"
    shown = command("show", source["citation_id"], *library)
    assert shown.code == 0
    assert "Sheet 'Rates', " in shown.out


def test_a_number_is_cited_as_the_sheet_shows_it_with_the_cells_of_its_row(command: Any, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Fees"
    for row in (("Zone", "Carrier", "Monthly fee"), ("North", "Alpha", 1234.5), ("South", "Beta", 80)):
        sheet.append(row)
        sheet.cell(sheet.max_row, 3).number_format = '"$"#,##0.00'
    (tmp_path / "docs").mkdir()
    book.save(tmp_path / "docs" / "fees.xlsx")
    library = ("--library", str(tmp_path / "library"))
    assert command("ingest", str(tmp_path / "docs"), *library).code == 0
    asked = command("ask", "What is the monthly fee of the carrier Beta?", *library, "--json")
    places = {source["quote"]: source["location"]["cell_range"] for source in asked.json["sources"]}
    assert places["South | Beta | $80.00"] == "A3:C3"
