"""Column headers of pipe tables in plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.pipe_tables import column_headers


@pytest.mark.parametrize(
    "text",
    ["| Plan | Fee |\n|---|---|\n| Gold | $5 |", "Plan | Fee\n--- | ---\nGold | $5", "Prices\n\n|Plan|Fee|\n|:-|-:|\n|Gold|$5|\n"],
)  # fmt: skip
def test_each_cell_has_the_header_of_its_column(text: str) -> None:
    headers = column_headers(text)
    assert headers[text.index("$5")] == "Fee"
    assert headers[text.index("Gold")] == "Plan"


def test_bars_without_a_rule_are_no_table() -> None:
    assert column_headers("a | b\nc | d") == {}


def test_a_table_ends_with_its_last_row() -> None:
    text = "| A | B |\n|--|--|\n| 1 | 2 |\nafter\n| x | y |"
    assert text.index("y") not in column_headers(text)


@given(st.text(alphabet="|-: ab1\n\\"))
def test_every_place_is_inside_the_text(text: str) -> None:
    assert all(0 <= at < len(text) for at in column_headers(text))
