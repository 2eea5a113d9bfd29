"""Words that only name the source of a claim neither help nor harm it."""

from __future__ import annotations

import pytest

from pincite.types import Pair, Passage, VerdictLabel
from pincite.verify import AlignmentVerifier
from pincite.verify.attribution import bare

_TEXT = (
    "Members who cancel within 14 days of purchase receive a full refund. "
    "Refunds are paid to the original card within 5 business days."
)


def _label(claim: str) -> VerdictLabel:
    passage = Passage(passage_id="p", text=_TEXT, end=len(_TEXT), document_id="d", title="Refund policy")
    return AlignmentVerifier().judge([Pair(claim=claim, passages=(passage,))])[0].label


@pytest.mark.parametrize(
    "lead",
    [
        "According to the document, ",
        "According to the refund policy, ",
        "Per the provided sources, ",
        "Based on the information provided, ",
        "The policy states that ",
        "As stated in the passage, ",
        "This guide also says that ",
    ],
)
@pytest.mark.parametrize(
    "rest",
    ["refunds are paid to the original card within 5 business days.", "refunds are paid within 5 business days."],
)
def test_a_lead_that_names_the_source_changes_nothing(lead: str, rest: str) -> None:
    assert _label(lead + rest) is VerdictLabel.SUPPORTED


@pytest.mark.parametrize(
    "claim",
    [
        "According to the document, refunds are paid to the original card within 15 business days.",
        "The policy states that refunds are not paid to the original card within 5 business days.",
        "According to Visa, refunds are paid within 5 business days.",
        "According to the Visa policy, refunds are paid within 5 business days.",
        "According to the document, ",
    ],
)
def test_a_lead_lends_no_support_and_another_source_is_another_claim(claim: str) -> None:
    assert _label(claim) is not VerdictLabel.SUPPORTED


def test_blanking_keeps_every_offset() -> None:
    claim = "According to the document, refunds take 5 days."
    assert len(bare(claim, frozenset())) == len(claim)
    assert bare(claim, frozenset()).lstrip() == "refunds take 5 days."
