"""What changed between two versions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pincite.adapters.parsers.markdown import MarkdownParser
from pincite.protocols import ParseLimits
from pincite.testing.entries import make_entry
from pincite.types import Version
from pincite.verify.changes import ChangeKind, changes, compare_statements


def version(name: str, text: str) -> Version:
    parsed = MarkdownParser().parse(text.encode(), source_name="p.md", limits=ParseLimits())
    return replace(make_entry(name).version, text=parsed.text, layout=parsed.layout)


def kinds(old: str, new: str) -> list[tuple[ChangeKind, ...]]:
    return [change.kinds for change in changes(version("p@1", old), version("p@2", new))]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Refunds are paid within 30 days.", "Refunds are paid within 60 days.", {"number"}),
        ("Refunds are paid within 30 days.", "Refunds are paid within thirty days.", set()),
        ("The plan ends on 1 May 2024.", "The plan ends on 1 June 2024.", {"date"}),
        ("You may inform us.", "You must inform us.", {"duty"}),
        ("Data is shared.", "Data is not shared.", {"negation"}),
        ("Refunds are paid.", "Refunds are paid if you ask in writing.", {"condition"}),
        ("You may ask within 30 days.", "You must ask within 14 days.", {"duty", "number"}),
        ("Contact our support team.", "Get in touch with our support team.", set()),
    ],
)
def test_what_changed_is_named(before: str, after: str, expected: set[str]) -> None:
    assert {detail.kind.value for detail in compare_statements(before, after)} == expected


def test_statements_are_compared_wherever_they_stand() -> None:
    old = "# A\n\nOne rule holds. Refunds take 30 days.\n\n# B\n\nParking is free on level 2.\n"
    new = "# A\n\nParking is free on level 2.\n\n# B\n\nOne rule\nholds. Refunds take 60 days.\n"
    assert kinds(old, new) == [(ChangeKind.NUMBER,)]


def test_a_new_and_a_gone_statement_stand_alone() -> None:
    old = "# A\n\nThe garage closes at night.\n"
    new = "# A\n\nDogs are welcome everywhere.\n"
    assert sorted(kinds(old, new)) == [(ChangeKind.ADDED,), (ChangeKind.REMOVED,)]


def test_quotes_are_the_exact_words_of_their_version() -> None:
    old, new = version("p@1", "# Fees\n\nThe fee is 5 euros.\n"), version("p@2", "# Fees\n\nThe fee is 7 euros.\n")
    (change,) = changes(old, new)
    assert change.before is not None
    assert change.after is not None
    assert old.text[change.before.start : change.before.end] == change.before.quote == "The fee is 5 euros."
    assert new.text[change.after.start : change.after.end] == change.after.quote == "The fee is 7 euros."
    assert change.after.location.heading_path == ("Fees",)
    assert (change.details[0].before, change.details[0].after) == ("5 euros", "7 euros")


def test_a_version_does_not_differ_from_itself() -> None:
    text = "# A\n\n- One.\n- One.\n- Two.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert kinds(text, text) == []
    assert kinds(text, text.replace("- One.\n- One.", "- One.")) == [(ChangeKind.REMOVED,)]
