"""A question about the past is answered from the past, and says so."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest

from pincite import Library
from pincite.types import Decision

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
TEXT = "# Refunds\n\nCustomers may ask for a full refund within {days} days of the purchase.\n"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    docs = tmp_path / "docs"
    docs.mkdir()
    for day, days in (("2019-01-01", 14), ("2022-03-01", 30), ("2025-06-01", 60)):
        (docs / f"refunds@{day}.md").write_text(TEXT.format(days=days), encoding="utf-8")
    (docs / "parking.md").write_text("# Parking\n\nVisitors park on level 2.\n", encoding="utf-8")
    with Library.open(tmp_path / "library", create=True, clock=lambda: NOW) as opened:
        assert not opened.ingest([docs]).failed
        yield opened


def test_a_question_about_a_past_year_gets_the_text_of_that_year_and_says_which_day(library: Library) -> None:
    answer = library.ask("Within how many days could customers ask for a full refund in 2021?")
    assert answer.decision is Decision.ANSWERED
    assert "14 days" in answer.text
    assert answer.query.as_of == date(2021, 12, 31)
    assert answer.notes[0] == "Answered as of 31 December 2021, because the question says 'in 2021'."
    assert [source.superseded_on for source in answer.sources] == [date(2022, 3, 1)]


def test_the_version_in_force_is_not_marked(library: Library) -> None:
    answer = library.ask("Within how many days may customers ask for a full refund?")
    assert "60 days" in answer.text
    assert [source.superseded_on for source in answer.sources] == [None]
    assert answer.notes == ()


def test_a_day_that_the_caller_gives_wins_over_the_one_in_the_question(library: Library) -> None:
    question = "Within how many days could customers ask for a full refund in 2021?"
    answer = library.ask(question, as_of=date(2023, 1, 1))
    assert answer.query.as_of == date(2023, 1, 1)
    assert "14 days" not in answer.text


def test_an_unclear_date_is_answered_for_today_and_said(library: Library) -> None:
    answer = library.ask("Within how many days may customers ask for a full refund in 2021?")
    assert answer.query.as_of == NOW.date()
    assert "Answered as of 30 November 2026" in answer.notes[0]


def test_a_date_before_every_change_of_the_library_is_left_as_the_subject(tmp_path: Path) -> None:
    (tmp_path / "parking.md").write_text("# Parking\n\nIn 2021 visitors were asked to park on level 2.\n")
    with Library.open(tmp_path / "library", create=True, clock=lambda: NOW) as opened:
        opened.ingest([tmp_path / "parking.md"])
        answer = opened.ask("Where were visitors asked to park in 2021?")
    assert answer.query.as_of == NOW.date()
    assert answer.notes == ()


def test_a_version_that_begins_soon_is_announced_with_its_day(tmp_path: Path) -> None:
    for day, days in (("2019-01-01", 14), ("2027-01-01", 30)):
        (tmp_path / f"refunds@{day}.md").write_text(TEXT.format(days=days), encoding="utf-8")
    with Library.open(tmp_path / "library", create=True, clock=lambda: NOW) as opened:
        opened.ingest(sorted(tmp_path.glob("*.md")))
        question = "Within how many days may customers ask for a full refund?"
        soon, long_before = opened.ask(question), opened.ask(question, as_of=date(2026, 6, 1))
        then = opened.ask(question, as_of=date(2027, 1, 1))
    assert "14 days" in soon.text
    (note,) = soon.notes
    assert note.startswith(
        "Refunds holds as quoted until 31 December 2026; from 1 January 2027 another version is in force"
    )
    assert long_before.notes == then.notes == ()
    assert "30 days" in then.text
