"""`pincite conflicts` on the command line, and who sees what of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = {
    "terms.md": "# Terms\n\n## Payment\n\nInvoices are payable within 30 days of receipt.\n",
    "purchase.md": "# Purchase\n\n## Payment\n\nEach invoice is payable within 60 days of receipt.\n",
    "agreed.md": "# Agreed\n\nInvoices are payable within thirty days of receipt.\n",
    "india.md": "---\nattributes:\n  country: India\n---\nInvoices are payable within 45 days of receipt.\n",
    "old.md": "---\neffective_to: 2020-01-01\n---\nInvoices are payable within 90 days of receipt.\n",
    "secret.md": "---\naccess: boss\n---\nInvoices are payable within 10 days of receipt.\n",
}


@pytest.fixture
def library(tmp_path: Path, command: Callable[..., Any]) -> str:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in FILES.items():
        (docs / name).write_text(text)
    done = command("ingest", str(docs), "--library", str(tmp_path / "library"))
    assert done.code == 0, done.err
    return str(tmp_path / "library")


def pairs(found: dict[str, Any]) -> set[tuple[str, str]]:
    return {(one["left"]["document_id"], one["right"]["document_id"]) for one in found["conflicts"]}


def test_both_sides_come_with_quote_place_and_values(library: str, command: Callable[..., Any]) -> None:
    done = command("conflicts", "--library", library, "--json")
    assert done.code == 0, done.err
    assert pairs(done.json) == {("purchase", "terms"), ("agreed", "purchase")}
    one = next(one for one in done.json["conflicts"] if one["right"]["document_id"] == "terms")
    assert (one["code"], one["left_value"], one["right_value"]) == ("number_mismatch", "60 days", "30 days")
    assert one["left"]["quote"] == "Each invoice is payable within 60 days of receipt."
    assert one["left"]["location"]["heading_path"] == ["Purchase", "Payment"]
    shown = command("show", one["left"]["citation_id"], "--library", library)
    assert shown.code == 0, shown.err


def test_only_a_reader_with_the_role_sees_the_secret_side_even_in_counts(
    library: str, command: Callable[..., Any]
) -> None:
    plain = command("conflicts", "--library", library, "--json").json
    boss = command("conflicts", "--library", library, "--role", "boss", "--json").json
    assert not any("secret" in pair for pair in pairs(plain))
    assert {("purchase", "secret"), ("secret", "terms")} <= pairs(boss)
    assert plain["statements"] == boss["statements"] - 1
    assert plain["found"] == len(plain["conflicts"])


def test_a_version_is_compared_on_the_days_on_which_it_is_in_force(library: str, command: Callable[..., Any]) -> None:
    past = command("conflicts", "--library", library, "--as-of", "2019-06-01", "--json").json
    assert ("old", "terms") in pairs(past)


def test_what_is_cut_by_a_limit_is_said(library: str, command: Callable[..., Any]) -> None:
    done = command("conflicts", "--library", library, "--limit", "1")
    assert "2 conflicts among 4 statements" in done.out
    assert "1 more are not listed" in done.out
    few = command("conflicts", "--library", library, "--max-statements", "1")
    assert "only the first 1 statements were read" in few.out


def test_a_tenant_without_documents_has_no_conflicts(library: str, command: Callable[..., Any]) -> None:
    done = command("conflicts", "--library", library, "--tenant", "nobody")
    assert done.code == 0
    assert "no conflicts found" in done.out
