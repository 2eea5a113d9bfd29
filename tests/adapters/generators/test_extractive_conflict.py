from __future__ import annotations

import pytest

from pincite.adapters.generators.extractive_conflict import find_conflict
from pincite.adapters.generators.extractive_units import Unit
from pincite.types import Passage


def unit(text: str, name: str) -> tuple[Unit, float]:
    passage = Passage(passage_id=name, text=text, end=len(text), document_id=name)
    return Unit(handle=name, passage=passage, rank=1, index=0, start=0, end=len(text), text=text), 0.9


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            "Therefore, after cancellation, all data will be permanently deleted from backups within 60 days.",
            "Within 30 days of cancellation, all your content will be permanently deleted from all servers and logs.",
        ),
        (
            "Content is deleted from our servers within 30 days, and from our backups within 60 days.",
            "Content is deleted from our servers within 30 days.",
        ),
        ("Deleted data is kept in backups for 60 days.", "Deleted data is kept on servers for 30 days."),
        (
            "Enterprise customers may return goods within 30 days.",
            "Starter customers may return goods within 14 days.",
        ),
    ],
)
def test_values_of_different_things_do_not_conflict(left: str, right: str) -> None:
    assert find_conflict([unit(left, "a"), unit(right, "b")]) is None


def test_values_of_the_same_thing_conflict() -> None:
    left = unit("Expense reports must be submitted within 30 days of the expense.", "a")
    right = unit("All expense reports must be handed in within 45 days of the expense.", "b")
    assert find_conflict([left, right]) is not None
