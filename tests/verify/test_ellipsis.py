"""Denials that leave the verb out, and conditions that belong to another rule."""

from __future__ import annotations

import pytest

from pincite.types import Pair, Passage, VerdictLabel
from pincite.verify import AlignmentVerifier

_TRAVEL = "Time spent travelling between clients counts as working time. Commuting does not."
_WEAR = "Flood damage is covered, but wear and tear is not."
_PAID = "Interns are paid monthly. Contractors aren't."
_LATE = "If the invoice is overdue by 30 days, we may suspend the service. We may change prices with 60 days' notice."


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (_TRAVEL, "Commuting counts as working time."),
        (_WEAR, "Wear and tear is covered."),
        ("Flood damage is covered. Wear and tear is not.", "Wear and tear is covered."),
        (_PAID, "Contractors are paid monthly."),
        (
            "Commuting does not count as working time. Travelling to clients does.",
            "Travelling to clients does not count as working time.",
        ),
    ],
)
def test_a_denial_without_its_verb_is_a_denial(text: str, claim: str) -> None:
    assert _label(text, claim) is VerdictLabel.CONTRADICTED


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (_TRAVEL, "Travelling between clients counts as working time."),
        (_WEAR, "Flood damage is covered."),
        (_PAID, "Interns are paid each month."),
        (_LATE, "If an invoice is 30 days overdue, we may suspend the service."),
    ],
)
def test_what_the_denial_or_condition_is_not_about_still_stands(text: str, claim: str) -> None:
    assert _label(text, claim) is VerdictLabel.SUPPORTED


_REFUND = "Customers on the Enterprise plan may ask for a refund within 30 days."


@pytest.mark.parametrize(
    "claim",
    [
        "Customers on every plan may ask for a refund within 30 days.",
        "Customers on any plan may ask for a refund within 30 days.",
        "Contractors are exempt from these: Customers on the Enterprise plan may ask for a refund within 30 days.",
    ],
)
def test_one_kind_told_as_all_kinds_and_a_lead_in_with_a_fact_of_its_own_fall(claim: str) -> None:
    assert _label(_REFUND, claim) is not VerdictLabel.SUPPORTED


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (_REFUND, "Refunds: Customers on the Enterprise plan may ask for a refund within 30 days."),
        (
            "Customers on any plan may ask for a refund within 30 days.",
            "Customers on every plan may ask for a refund within 30 days.",
        ),
        ("Each invoice is paid within 30 days.", "Every invoice is paid within 30 days."),
    ],
)
def test_every_kind_that_the_text_names_and_a_plain_lead_in_stand(text: str, claim: str) -> None:
    assert _label(text, claim) is VerdictLabel.SUPPORTED


def test_a_condition_taken_from_another_rule_falls() -> None:
    assert _label(_LATE, "If the invoice is overdue by 30 days, we may change prices.") is not VerdictLabel.SUPPORTED
    assert (
        _label(_LATE, "If the invoice is overdue by 30 days, we may delete the account.") is not VerdictLabel.SUPPORTED
    )


def _label(text: str, claim: str) -> VerdictLabel:
    passage = Passage(passage_id="p", text=text, end=len(text), document_id="d")
    return AlignmentVerifier().judge([Pair(claim=claim, passages=(passage,))])[0].label
