"""`pincite diff`, `pincite versions` and `pincite ingest --dates` on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OLD = "# Fees\n\nThe fee is 5 euros. You may pay by card.\n"
NEW = "# Fees\n\nThe fee is 7 euros. You must pay by card.\n"


@pytest.fixture
def library(tmp_path: Path, command: Callable[..., Any]) -> str:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "fees@2020-01-01.md").write_text(OLD)
    (docs / "fees@2024-01-01.md").write_text(f"---\neffective_to: 2025-01-01\nversion: v2\n---\n{NEW}")
    (docs / "fees@2025-06-01.md").write_text(NEW)
    (docs / "secret@2020-01-01.md").write_text(f"---\naccess: boss\n---\n{OLD}")
    (docs / "secret@2024-01-01.md").write_text(f"---\naccess: boss\n---\n{NEW}")
    done = command("ingest", str(docs), "--library", str(tmp_path / "library"))
    assert done.code == 0, done.err
    assert "fees: gap: no version is in force from 2025-01-01 until 2025-06-01" in done.out
    return str(tmp_path / "library")


def test_changed_statements_come_with_both_quotes_and_what_changed(library: str, command: Callable[..., Any]) -> None:
    done = command("diff", "fees", "--from", "2021-01-01", "--to", "v2", "--library", library, "--json")
    assert done.code == 0
    found = [(c["kinds"], c["before"]["quote"], c["after"]["quote"]) for c in done.json["changes"]]
    assert found == [
        (["number"], "The fee is 5 euros.", "The fee is 7 euros."),
        (["duty"], "You may pay by card.", "You must pay by card."),
    ]
    for change in done.json["changes"]:
        shown = command("show", change["before"]["citation_id"], "--library", library, "--json").json
        assert (shown["quote"], shown["in_force"]) == (change["before"]["quote"], False)
    text = command("diff", "fees", "--from", "2021-01-01", "--to", "v2", "--library", library).out
    assert "1. number (number: 5 euros → 7 euros)" in text


def test_by_default_the_version_in_force_is_compared_with_the_one_before(
    library: str, command: Callable[..., Any]
) -> None:
    assert "nothing changed" in command("diff", "fees", "--library", library).out


def test_what_is_forbidden_is_as_unknown_as_what_is_not_there(library: str, command: Callable[..., Any]) -> None:
    forbidden = command("diff", "secret", "--library", library)
    unknown = command("diff", "nosuch", "--library", library)
    assert forbidden.code == unknown.code == 2
    assert forbidden.err.replace("secret", "nosuch") == unknown.err
    assert command("versions", "secret", "--library", library).code == 2
    allowed = command("diff", "secret", "--role", "boss", "--library", library, "--json")
    assert len(allowed.json["changes"]) == 2


def test_versions_are_listed_with_their_gaps(library: str, command: Callable[..., Any]) -> None:
    out = command("versions", "fees", "--library", library).out
    assert [line.split("  ")[1] for line in out.splitlines()[:3]] == [
        "2020-01-01 to …",
        "2024-01-01 to 2025-01-01",
        "2025-06-01 to …",
    ]
    assert "Note: gap" in out


def test_dates_are_shown_with_their_places_and_nothing_is_taken_in(tmp_path: Path, command: Callable[..., Any]) -> None:
    file = tmp_path / "p@2020-01-01.md"
    file.write_text("# P\n\nEffective: May 2018\n\nText.\n")
    done = command("ingest", str(file), "--dates", "--library", str(tmp_path / "library"))
    assert done.out == (
        f'{file}: 2018-05-01 (its line "Effective: May 2018", month only); 2020-01-01 (its name)'
        "  they differ: the first counts\n"
    )
    assert not (tmp_path / "library").exists()


def test_superseding_the_unknown_is_an_error_that_says_so(tmp_path: Path, command: Callable[..., Any]) -> None:
    (tmp_path / "p.md").write_text("Text.")
    done = command("ingest", str(tmp_path / "p.md"), "--supersedes", "nosuch", "--library", str(tmp_path / "library"))
    assert done.code == 2
    assert "there is no document or version 'nosuch' to supersede" in done.err
