"""Two statements, each against the other: what cannot both hold, and what only looks so."""

from __future__ import annotations

import pytest

from pincite import defaults
from pincite.types import Passage, ReasonCode
from pincite.verify.disagree import common_share, disagreements


def stated(text: str, heading: str = "") -> Passage:
    return Passage(passage_id=text, text=text, end=len(text), language="en", heading_path=(heading,) if heading else ())


@pytest.mark.parametrize(
    ("left", "right", "code"),
    [
        ("Goods may be returned within 30 days.", "Goods may be returned within 14 days.", ReasonCode.NUMBER_MISMATCH),
        ("Bonus payments are pensionable pay.", "Bonus payments are not pensionable pay.", ReasonCode.NEGATION),
        ("Receipts must be attached to a claim.", "Receipts may be attached to a claim.", ReasonCode.MODALITY),
        ("The buyer pays the cost of freight.", "The seller pays the cost of freight.", ReasonCode.ANTONYM),
    ],
)
def test_values_negations_duties_and_opposites_disagree_whichever_side_is_first(
    left: str, right: str, code: ReasonCode
) -> None:
    pairs = [(stated(left), stated(right)), (stated(right), stated(left))]
    assert [why.code for why in disagreements(pairs, defaults.verifier()) if why] == [code, code]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Cash is paid within 2 days of a claim.", "Cash is paid within 48 hours of a claim."),
        ("Readers cannot delete shared documents.", "Editors can delete shared documents."),
        ("The excess is £500 if the driver is under 25.", "The excess is £250 if the driver is over 25."),
        ("The dinner allowance on trips is €35.", "The breakfast allowance on trips is €12."),
        ("Log entries cannot be deleted.", "Deleting log entries is not possible."),
        ("The fee for a transfer is 5 euros.", "For example, the fee for a transfer is 7 euros."),
    ],
)
def test_other_units_subjects_cases_words_and_examples_do_not(left: str, right: str) -> None:
    assert disagreements([(stated(left), stated(right))], defaults.verifier()) == [None]


@pytest.mark.parametrize(("one", "other"), [("Gold plan", "Silver plan"), ("Bonus in 2022", "Bonus in 2023")])
def test_headings_of_two_plans_or_two_years_keep_statements_apart(one: str, other: str) -> None:
    left, right = "The annual limit for treatment is £2,000.", "The annual limit for treatment is £1,000."
    assert disagreements([(stated(left, one), stated(right, other))], defaults.verifier()) == [None]
    assert disagreements([(stated(left, one), stated(right, one))], defaults.verifier()) != [None]


def test_values_are_no_common_words() -> None:
    assert common_share("It lasts 30 days.", "It lasts 30 days.") == 0.0
    assert common_share("The warranty lasts 30 days.", "The warranty lasts 24 months.") == 1.0
    assert common_share("", "The warranty lasts 24 months.") == 0.0


def test_no_pairs_ask_nothing() -> None:
    assert disagreements([], defaults.verifier()) == []
