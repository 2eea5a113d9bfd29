from __future__ import annotations

from collections.abc import Sequence

import pytest

from pincite.types import (
    Citation,
    CitationStatus,
    Cited,
    Claim,
    ClaimKind,
    Evidence,
    JudgedClaim,
    Judgement,
    Pair,
    Passage,
    ReasonCode,
    Run,
    VerdictLabel,
    VerifierInfo,
)
from pincite.verify import AlignmentVerifier, verify

REFUND = "Enterprise customers may ask for a refund within 30 days of purchase."
VPN = "A VPN session ends after 12 hours."
CANTEEN = "The canteen opens at eight and serves soup on Tuesdays."


def passage(text: str, passage_id: str, start: int = 0) -> Passage:
    return Passage(passage_id=passage_id, text=text, start=start, end=start + len(text))


PASSAGES = (passage(REFUND, "refund", 100), passage(VPN, "vpn"), passage(CANTEEN, "canteen"))


def claim(text: str, *cited: str | None, kind: ClaimKind = ClaimKind.FACTUAL, at: int = 0) -> Claim:
    citations = tuple(
        Citation(
            raw="[x]", start=at + len(text), end=at + len(text) + 3, passage_id=one,
            status=CitationStatus.RESOLVED if one else CitationStatus.UNRESOLVED,
        )
        for one in cited
    )  # fmt: skip
    run = Run(start=0, end=len(text), source_start=at)
    return Claim(text=text, start=at, end=at + len(text) + 3 * len(cited), kind=kind, citations=citations, runs=(run,))


def judged(one: Claim, passages: Sequence[Passage] = PASSAGES) -> JudgedClaim:
    return verify(Cited(text=one.text, claims=(one,)), passages, AlignmentVerifier())[0]


def codes(one: JudgedClaim) -> list[ReasonCode]:
    return [reason.code for reason in one.verdict.reasons]


def test_a_quoted_claim_with_its_citation_is_supported_with_document_offsets() -> None:
    found = judged(claim(REFUND, "refund"))
    assert found.verdict.label is VerdictLabel.SUPPORTED
    assert codes(found) == [ReasonCode.VERBATIM]
    assert found.verdict.evidence == (Evidence(passage_id="refund", start=100, end=100 + len(REFUND), quote=REFUND),)
    assert found.verdict.citation_labels == (VerdictLabel.SUPPORTED,)


def test_a_true_claim_with_the_wrong_citation_is_misattributed_and_the_right_one_named() -> None:
    found = judged(claim(VPN, "canteen"))
    assert found.verdict.label is VerdictLabel.MISATTRIBUTED
    assert found.verdict.better_citation == "vpn"
    assert ReasonCode.OTHER_PASSAGE in codes(found)
    assert found.verdict.evidence[0].quote == VPN


def test_a_claim_without_citation_is_unsupported_and_told_what_to_cite() -> None:
    found = judged(claim(VPN))
    assert found.verdict.label is VerdictLabel.UNSUPPORTED
    assert codes(found) == [ReasonCode.UNCITED]
    assert found.verdict.better_citation == "vpn"


@pytest.mark.parametrize("pointer", [None, "not-given"])
def test_a_citation_that_leads_nowhere_supports_nothing(pointer: str | None) -> None:
    found = judged(claim(VPN, pointer))
    assert found.verdict.label is VerdictLabel.UNSUPPORTED
    assert codes(found)[0] is ReasonCode.UNRESOLVED_CITATION
    assert found.verdict.citation_labels == (VerdictLabel.UNSUPPORTED,)


def test_an_uncited_claim_that_a_passage_contradicts_is_contradicted() -> None:
    found = judged(claim("A VPN session ends after 24 hours."))
    assert found.verdict.label is VerdictLabel.CONTRADICTED
    assert ReasonCode.UNCITED in codes(found)
    assert ReasonCode.NUMBER_MISMATCH in codes(found)


def test_a_contradiction_shows_both_values_and_both_places_in_answer_and_document() -> None:
    found = judged(claim("Enterprise customers may ask for a refund within 45 days of purchase.", "refund", at=50))
    assert found.verdict.label is VerdictLabel.CONTRADICTED
    reason = next(r for r in found.verdict.reasons if r.code is ReasonCode.NUMBER_MISMATCH)
    assert reason.claim_value is not None
    assert reason.evidence_value is not None
    assert "45" in reason.claim_value
    assert "30" in reason.evidence_value
    text = " " * 50 + found.claim.text
    assert reason.claim_start is not None
    assert text[reason.claim_start : reason.claim_end] == reason.claim_value
    assert reason.evidence_start is not None
    assert reason.evidence_end is not None
    assert REFUND[reason.evidence_start - 100 : reason.evidence_end - 100] == reason.evidence_value


def test_a_citation_that_adds_nothing_is_needless_and_a_repeated_one_too() -> None:
    found = judged(claim(VPN, "vpn", "canteen", "vpn"))
    assert found.verdict.label is VerdictLabel.SUPPORTED
    assert found.verdict.needless == (1, 2)
    assert found.verdict.citation_labels[1] is VerdictLabel.UNSUPPORTED


def test_two_passages_support_together_what_neither_says_alone() -> None:
    text = f"{VPN} {REFUND}"
    found = judged(claim(text, "vpn", "refund"))
    assert found.verdict.label is VerdictLabel.SUPPORTED
    assert {one.passage_id for one in found.verdict.evidence} == {"vpn", "refund"}
    assert found.verdict.needless == ()


@pytest.mark.parametrize("kind", [ClaimKind.GUIDANCE, ClaimKind.META, ClaimKind.QUESTION])
def test_what_is_no_factual_claim_is_not_checkable(kind: ClaimKind) -> None:
    assert judged(claim("Please contact HR.", "vpn", kind=kind)).verdict.label is VerdictLabel.NOT_CHECKABLE


def test_an_empty_claim_and_empty_passages_are_never_supported() -> None:
    assert judged(claim(" ", "vpn")).verdict.label is VerdictLabel.UNSUPPORTED
    assert judged(claim(VPN, "e"), (passage("", "e"),)).verdict.label is VerdictLabel.UNSUPPORTED
    assert verify(Cited(text="", claims=()), PASSAGES, AlignmentVerifier()) == ()


class Broken:
    """Raises, or answers with something a verifier may not say."""

    info = VerifierInfo(name="broken", version="0", fingerprint="0")

    def __init__(self, answer: list[Judgement] | None) -> None:
        self.answer = answer

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        if self.answer is None:
            raise RuntimeError("no model")
        return self.answer * len(pairs)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        [Judgement(label=VerdictLabel.MISATTRIBUTED, support_prob=0.9)],
        [Judgement(label=VerdictLabel.SUPPORTED, support_prob=7.0)],
        [Judgement(label=VerdictLabel.SUPPORTED, support_prob=float("nan"))],
    ],
)
def test_a_verifier_that_fails_leaves_the_claim_unverified(answer: list[Judgement] | None) -> None:
    one = claim(VPN, "vpn")
    found = verify(Cited(text=VPN, claims=(one,)), PASSAGES, Broken(answer))[0]
    assert found.verdict.label is VerdictLabel.UNVERIFIED
    assert codes(found) == [ReasonCode.VERIFIER_ERROR]


class FailsOnOne:
    info = VerifierInfo(name="fails", version="0", fingerprint="0")

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        if any("poison" in pair.claim for pair in pairs):
            raise ValueError
        return AlignmentVerifier().judge(pairs)


def test_one_claim_that_breaks_the_verifier_does_not_take_the_others_with_it() -> None:
    claims = (claim(VPN, "vpn"), claim("The poison pill is 5.", "vpn"))
    found = verify(Cited(text="", claims=claims), PASSAGES, FailsOnOne())
    assert [one.verdict.label for one in found] == [VerdictLabel.SUPPORTED, VerdictLabel.UNVERIFIED]


def test_five_hundred_claims_over_two_hundred_passages_and_a_very_long_one_finish() -> None:
    passages = [
        passage(f"Plan number {n} has a limit of {n * 7} euros and a waiting time of {n} days.", f"p{n}")
        for n in range(200)
    ]
    passages.append(
        passage(" ".join(f"Clause {n} says that item {n * 3} is kept for {n} weeks." for n in range(2000)), "long")
    )
    claims = tuple(
        claim(f"Plan number {n % 200} has a limit of {n % 200 * 7} euros.", f"p{n % 200}", "long") for n in range(500)
    )
    found = verify(Cited(text="", claims=claims), passages, AlignmentVerifier())
    assert len(found) == len(claims)
    assert sum(one.verdict.label is VerdictLabel.SUPPORTED for one in found) > len(claims) * 0.9
