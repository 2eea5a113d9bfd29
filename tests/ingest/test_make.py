from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime
from pathlib import PurePosixPath

import pytest

from pincite.ingest import IngestOptions, Unit, make_version
from pincite.ingest.make import Made, language_of, split_dated_name
from pincite.types import Access, Block, BlockKind, Layout, Parsed

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def parsed(text: str = "Leave\n\nTwenty days.", **metadata: str) -> Parsed:
    heading = Block(start=0, end=5, kind=BlockKind.HEADING)
    return Parsed(
        text=text, layout=Layout(blocks=(heading,)), media_type="text/markdown", parser="md/1", metadata=metadata
    )


def made(doc: Parsed, name: str = "people/leave.md", now: datetime = NOW, **options: object) -> Made:
    unit = Unit(parsed=doc, content_sha256="abc")
    chosen = IngestOptions(**options)  # type: ignore[arg-type]
    return make_version(unit, doc, name=PurePosixPath(name), source_uri="file:///x", options=chosen, now=now)


def test_the_same_input_has_the_same_identity_whenever_it_is_ingested() -> None:
    later = dataclasses.replace(made(parsed()).version, ingested_at=NOW)
    assert made(parsed(), now=datetime(2027, 1, 1, tzinfo=UTC)).version.version_id == later.version_id


@pytest.mark.parametrize(
    "options",
    [
        {"tenant": "other"},
        {"access": Access(allow=frozenset({"role:hr"}))},
        {"effective_from": date(2026, 1, 1)},
        {"effective_to": date(2027, 1, 1)},
        {"attributes": {"country": "India"}},
        {"supersedes": "old"},
        {"document_id": "another"},
        {"title": "Another"},
        {"version_label": "2"},
    ],
)
def test_whatever_changes_what_is_shown_or_to_whom_is_another_version(options: dict[str, object]) -> None:
    assert made(parsed(), **options).version.version_id != made(parsed()).version.version_id


def test_a_dated_file_name_is_a_version_of_the_plain_name() -> None:
    version = made(parsed(), "refund@2018-05-14.md").version
    assert (version.document_id, version.effective_from) == ("refund.md", date(2018, 5, 14))


@pytest.mark.parametrize("name", ["refund.md", "a@b.md", "x@2020-13-40.md", "@2020-01-01", "mail@2020-01-0.md"])
def test_any_other_name_stays_as_it_is(name: str) -> None:
    assert split_dated_name(PurePosixPath(name)) == (PurePosixPath(name), None)


def test_two_endings_of_a_dated_name_are_kept() -> None:
    assert split_dated_name(PurePosixPath("d/p@2020-01-02.md.tmpl")) == (
        PurePosixPath("d/p.md.tmpl"),
        date(2020, 1, 2),
    )


def test_the_document_is_trusted_before_the_name_before_the_options_and_disagreement_is_told() -> None:
    doc = parsed(effective_from="2026-07-01")
    result = made(doc, "leave@2025-01-01.md", effective_from=date(2024, 1, 1))
    assert result.version.effective_from == date(2026, 7, 1)
    assert len(result.notes) == 2
    assert "2025-01-01" in result.notes[0]


def test_dates_that_agree_are_not_worth_a_note() -> None:
    assert made(parsed(effective_from="2025-01-01"), "leave@2025-01-01.md").notes == ()


def test_options_date_a_document_that_says_nothing() -> None:
    assert made(parsed(), effective_from=date(2024, 1, 1)).version.effective_from == date(2024, 1, 1)


def test_the_title_is_declared_or_the_first_heading_or_the_file_name() -> None:
    bare = Parsed(text="No heading.", layout=Layout(), media_type="text/plain", parser="p/1")
    assert made(parsed(title="Leave Policy")).version.title == "Leave Policy"
    assert made(parsed()).version.title == "Leave"
    assert made(bare, "it/vpn_rules.txt").version.title == "vpn rules"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Employees receive twenty days of paid annual leave each year.", "en"),
        ("Die Beschäftigten erhalten zwanzig Tage bezahlten Urlaub im Jahr.", "de"),
        ("12 | 30", "und"),
        ("", "und"),
    ],
)
def test_the_language_is_told_from_enough_text_only(text: str, language: str) -> None:
    assert language_of(text) == language


def test_flags_of_the_parser_reach_the_person_who_ingests() -> None:
    doc = dataclasses.replace(parsed(), flags=("hidden_text_dropped",))
    assert "flag: hidden_text_dropped" in made(doc).notes
