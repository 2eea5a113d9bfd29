"""Where the day of a version was found, and how the versions of a document fit together."""

from __future__ import annotations

import sys
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.adapters.stores.embedded import EmbeddedStore
from pincite.errors import InputError
from pincite.ingest import IngestOptions, timeline_notes
from pincite.testing.entries import EMBEDDER, INGESTED_AT, make_entry, make_view
from pincite.testing.memory_store import MemoryStore

sys.path.insert(0, str(Path(__file__).parent))

from doubles import Shelf

START = date(2024, 1, 1)
FIRST = -1000
"""What no date at all stands for in the model: before every other day."""


def day(number: int | None) -> date | None:
    return None if number is None else START + timedelta(days=number)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("line", "expected", "note"),
    [
        ("Effective: 2024-01-05", date(2024, 1, 5), ""),
        ("Revision May 2018", date(2018, 5, 1), "only the month is given"),
        ("As of 1 May 2018", date(2018, 5, 1), ""),
        ("Stand: Mai 2018", date(2018, 5, 1), "only the month is given"),
        ("Gültig ab 1. Mai 2018", date(2018, 5, 1), ""),
        ("Zuletzt aktualisiert am 17.09.2019", date(2019, 9, 17), ""),
        ("Dernière mise à jour : 1er mai 2018", date(2018, 5, 1), ""),
        ("En vigueur depuis le 3 mars 2020", date(2020, 3, 3), ""),
        ("Last updated: 03/04/2024", None, ""),
        ("Effective 2018 we moved to a new office", None, ""),
        ("The plan was effective from May 2018 until it was replaced by another one.", None, ""),
    ],
)
def test_a_date_line_is_read_and_said_where_it_stood(
    tmp_path: Path, line: str, expected: date | None, note: str
) -> None:
    (row,) = Shelf().take(write(tmp_path / "policy.md", f"# Policy\n\n{line}\n\nText.\n")).rows
    assert row.in_force_from == expected
    assert row.dated_by == (f'its line "{line}"' if expected else None)
    assert (note in " ".join(row.notes)) if note else not row.notes


def test_trust_goes_from_front_matter_to_a_line_to_the_name_to_the_option(tmp_path: Path) -> None:
    options = IngestOptions(effective_from=date(2020, 4, 4))
    matter, line = "---\neffective_from: 2020-01-01\n---\n", "Effective: 2020-02-02\n\n"
    rows = [
        Shelf().take(write(tmp_path / name, text), options=options).rows[0]
        for name, text in (
            ("a@2020-03-03.md", f"{matter}{line}Text."),
            ("b@2020-03-03.md", f"{line}Text."),
            ("c@2020-03-03.md", "Text."),
            ("d.md", "Text."),
        )
    ]
    assert [row.in_force_from for row in rows] == [date(2020, n, n) for n in (1, 2, 3, 4)]
    assert [row.dated_by for row in rows] == ["the file", 'its line "Effective: 2020-02-02"', "its name", "the option"]
    assert [len(row.notes) for row in rows] == [3, 2, 1, 0]


def test_a_date_line_that_every_version_repeats_gives_way_to_the_name(tmp_path: Path) -> None:
    shelf = Shelf()
    for name, text in (("2022-09-01", "One."), ("2024-06-20", "Two.")):
        write(tmp_path / f"terms@{name}.md", f"Effective: 2020-11-16\n\n{text}")
    report = shelf.take(tmp_path)
    assert [row.in_force_from for row in report.rows] == [date(2020, 11, 16), date(2024, 6, 20)]
    assert "an earlier version has the same line" in report.rows[1].notes[-1]


def test_superseding_what_is_not_there_is_refused_before_anything_goes_in(tmp_path: Path) -> None:
    shelf = Shelf()
    file = write(tmp_path / "new.md", "New text.")
    with pytest.raises(InputError, match="no document or version 'olld' to supersede"):
        shelf.take(file, options=IngestOptions(supersedes="olld"))
    assert shelf.texts() == []
    shelf.take(write(tmp_path / "old.md", "Old text."))
    shelf.take(file, options=IngestOptions(supersedes="old"))
    assert shelf.texts() == ["New text."]


def test_a_file_that_supersedes_what_is_not_there_goes_in_with_a_note(tmp_path: Path) -> None:
    (row,) = Shelf().take(write(tmp_path / "new.md", "---\nsupersedes: old\n---\nNew text.")).rows
    assert row.notes == ("supersedes 'old', which is not in the library yet",)


def test_gaps_overlaps_and_doubled_starts_are_named(tmp_path: Path) -> None:
    for name, ends, text in (
        ("2020-01-01", "2020-06-01", "a"),
        ("2020-09-01", "2021-03-01", "b"),
        ("2021-01-01", "", "c"),
    ):
        matter = f"---\neffective_to: {ends}\n---\n" if ends else ""
        write(tmp_path / f"p@{name}.md", f"{matter}Text {text}.")
    report = Shelf().take(tmp_path)
    assert dict(report.timelines) == {
        "p": (
            "gap: no version is in force from 2020-06-01 until 2020-09-01",
            "overlap: from 2021-01-01 until 2021-03-01 two versions claim to be in force",
        )
    }


VERSIONS = st.lists(
    st.tuples(st.one_of(st.none(), st.integers(0, 40)), st.one_of(st.none(), st.integers(1, 50))),
    min_size=1,
    max_size=6,
)


def _begin(row: tuple[int | None, int | None]) -> int:
    return FIRST if row[0] is None else row[0]


def expected_on(rows: list[tuple[int | None, int | None]], today: int) -> int | None:
    """Day by day: whoever began last wins; an open version is gone for good once another has begun."""
    best: int | None = None
    for index, (begins, ends) in enumerate(rows):
        start = FIRST if begins is None else begins
        if start > today or (ends is not None and today >= ends):
            continue
        replaced = any(
            (FIRST if other_begins is None else other_begins, other) > (start, index)
            and (FIRST if other_begins is None else other_begins) <= today
            for other, (other_begins, _) in enumerate(rows)
        )
        if ends is None and replaced:
            continue
        if best is None or (start, index) > (_begin(rows[best]), best):
            best = index
    return best


@settings(max_examples=40)
@given(rows=VERSIONS)
def test_the_visible_version_on_every_day_is_the_one_that_a_day_by_day_model_says(
    rows: list[tuple[int | None, int | None]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    entries = [
        make_entry(
            f"p@{n}", effective_from=day(begins), effective_to=day(ends), ingested_at=INGESTED_AT + timedelta(seconds=n)
        )
        for n, (begins, ends) in enumerate(rows)
    ]
    memory = MemoryStore(dimensions=EMBEDDER.dimensions)
    embedded = EmbeddedStore.create(
        tmp_path_factory.mktemp("store"), embedder=EMBEDDER.name, dimensions=EMBEDDER.dimensions
    )
    try:
        for store in (memory, embedded):
            store.put(entries)
            for today in range(-2, 52, 3):
                wanted = expected_on(rows, today)
                seen = [one.version_id for one in store.documents(make_view(as_of=START + timedelta(days=today)))]
                assert seen == ([] if wanted is None else [f"p@{wanted}"])
    finally:
        embedded.close()


@given(rows=st.dictionaries(st.integers(0, 40), st.integers(1, 20), min_size=1, max_size=6))
def test_a_gap_is_named_exactly_when_some_day_between_two_starts_has_no_version(rows: dict[int, int]) -> None:
    versions = [
        make_entry(f"p@{start}", effective_from=day(start), effective_to=day(start + length)).version
        for start, length in rows.items()
    ]
    covered = {one for start, length in rows.items() for one in range(start, start + length)}
    has_gap = any(one not in covered for one in range(min(rows), max(rows)))
    assert any(note.startswith("gap") for note in timeline_notes(versions)) is has_gap
