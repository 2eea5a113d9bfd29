"""Which day a question asks for."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.asked_dates import Asked, asked_date

TODAY = date(2026, 11, 30)
CASES = Path(__file__).parents[2] / "benchmarks" / "quality" / "cases" / "asked_dates.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["question"])
def test_a_date_is_the_point_of_view_only_where_the_question_says_so(row: dict[str, Any]) -> None:
    found = asked_date(row["question"], TODAY)
    day = found.as_of.isoformat() if found.as_of else None
    assert (found.asked, day) == (row["asked"], row.get("as_of"))


@pytest.mark.parametrize(
    ("question", "rest", "words"),
    [
        ("What was the refund window in 2021?", "What was the refund window?", "in 2021"),
        ("In 2020, how long was it?", "How long was it?", "In 2020"),
        ("Which rate was in force on 2023-07-01?", "Which rate was in force?", "on 2023-07-01"),
        ("Under the 2019 terms, who may cancel?", "Under the 2019 terms, who may cancel?", "2019"),
    ],
)
def test_what_is_searched_for_leaves_out_the_point_of_view(question: str, rest: str, words: str) -> None:
    found = asked_date(question, TODAY)
    assert (found.rest, found.words) == (rest, words)


@given(st.text(max_size=60), st.dates(min_value=date(1990, 1, 1), max_value=date(2100, 1, 1)))
def test_any_text_can_be_read_and_only_a_view_has_a_day(question: str, today: date) -> None:
    found = asked_date(question, today)
    assert (found.as_of is not None) == (found.asked is Asked.VIEW)
    assert found.asked is Asked.VIEW or found.rest == question


@given(st.dates(min_value=date(1990, 1, 1), max_value=TODAY))
def test_a_full_past_day_is_looked_at_from_itself(day: date) -> None:
    assert asked_date(f"What was the limit on {day.isoformat()}?", TODAY).as_of == day
