"""Values that a claim works out from those of its evidence."""

from __future__ import annotations

import pytest

from pincite.types import Pair, Passage, ReasonCode, VerdictLabel
from pincite.verify import AlignmentVerifier

_PLANS = "The Basic plan costs EUR 10 per month and the Pro plan costs EUR 25 per month."
_EXCESS = "The windscreen excess is £75 for repair and £150 for replacement."
_RAISED = "The deductible rose from $400 to $500 in 2024."
_CLAIMS = "Of the 200 claims received, 150 were approved."

STAND = [
    (_PLANS, "The Basic plan costs EUR 120 per year.", "EUR 10 per month x 12 = EUR 120 per year"),
    (_PLANS, "The Pro plan costs EUR 300 a year.", "EUR 25 per month x 12 = EUR 300 a year"),
    (_RAISED, "The deductible rose by $100 in 2024.", "$500 - $400 = $100"),
    (_RAISED, "The deductible increased by 25% in 2024.", "from $400 to $500 = 25%"),
    (_CLAIMS, "75% of the claims received were approved.", "150 / 200 = 75%"),
    (_EXCESS, "The windscreen excess is £225 in total.", "£75 + £150 = £225"),
]
FALL = [
    (_PLANS, "The Basic plan costs EUR 300 per year."),
    (_PLANS, "The Basic plan costs EUR 130 per year."),
    (_PLANS, "The Basic plan costs EUR 15 per month more than the Pro plan."),
    (_RAISED, "The deductible increased by 20% in 2024."),
    (_RAISED, "The deductible fell by $100 in 2024."),
    (_RAISED, "The deductible is $900 in 2024."),
    (_CLAIMS, "25% of the claims received were approved."),
    (_EXCESS, "The windscreen excess is £225 for replacement."),
    (_EXCESS, "The windscreen excess is £235 in total."),
]


def _judge(text: str, claim: str) -> tuple[VerdictLabel, list[tuple[ReasonCode, str | None]]]:
    passage = Passage(passage_id="p", text=text, end=len(text), document_id="d")
    judged = AlignmentVerifier().judge([Pair(claim=claim, passages=(passage,))])[0]
    return judged.label, [(reason.code, reason.evidence_value) for reason in judged.reasons]


@pytest.mark.parametrize(("text", "claim", "working"), STAND)
def test_a_value_that_is_worked_out_stands_and_shows_its_working(text: str, claim: str, working: str) -> None:
    label, reasons = _judge(text, claim)
    assert label is VerdictLabel.SUPPORTED
    assert (ReasonCode.DERIVED, working) in reasons


@pytest.mark.parametrize(("text", "claim"), FALL)
def test_a_value_that_only_looks_worked_out_falls(text: str, claim: str) -> None:
    assert _judge(text, claim)[0] is not VerdictLabel.SUPPORTED


def test_a_number_that_the_evidence_nowhere_has_never_stands() -> None:
    assert (
        _judge(
            "Staff may work remotely on Fridays after asking their manager.",
            "Staff may work remotely on 40% of Fridays.",
        )[0]
        is not VerdictLabel.SUPPORTED
    )
