from __future__ import annotations

import pytest

from pincite.config import OnSuspicious, OnUncertain, OnUnsupported, Policy
from pincite.decide import decide, groundedness, releases_early
from pincite.types import (
    Citation,
    CitationStatus,
    Claim,
    ClaimKind,
    Decision,
    DecisionReason,
    JudgedClaim,
    Reason,
    ReasonCode,
    Verdict,
    VerdictLabel,
)

S, U, C = VerdictLabel.SUPPORTED, VerdictLabel.UNSUPPORTED, VerdictLabel.CONTRADICTED
M, V, N = VerdictLabel.MISATTRIBUTED, VerdictLabel.UNVERIFIED, VerdictLabel.NOT_CHECKABLE


def judged(
    label: VerdictLabel, kind: ClaimKind = ClaimKind.FACTUAL, *, dangling: int = 0, codes: tuple[ReasonCode, ...] = ()
) -> JudgedClaim:
    marker = Citation(raw="[9]", start=3, end=6, status=CitationStatus.UNRESOLVED)
    claim = Claim(text="x", start=0, end=1, kind=kind, citations=(marker,) * dangling)
    return JudgedClaim(claim=claim, verdict=Verdict(label=label, reasons=tuple(Reason(code=c) for c in codes)))


def test_an_answer_whose_claims_all_stand_is_answered() -> None:
    ruling = decide([judged(S), judged(N, ClaimKind.META), judged(S)], Policy())
    assert (ruling.decision, ruling.kept) == (Decision.ANSWERED, (0, 1, 2))
    assert ruling.reasons == (DecisionReason.ALL_SUPPORTED,)


def test_no_claims_at_all_is_an_abstention_never_an_acceptance() -> None:
    assert decide([], Policy()).reasons == (DecisionReason.EMPTY_ANSWER,)
    assert decide([], Policy()).decision is Decision.ABSTAINED


def test_greetings_and_guidance_alone_are_an_abstention() -> None:
    ruling = decide([judged(N, ClaimKind.META), judged(N, ClaimKind.GUIDANCE)], Policy())
    assert (ruling.decision, ruling.reasons) == (Decision.ABSTAINED, (DecisionReason.NO_FACTUAL_CLAIM,))


@pytest.mark.parametrize("label", [U, C, M, V, N])
def test_one_failed_claim_of_three_is_dropped_when_the_lead_stands(label: VerdictLabel) -> None:
    ruling = decide([judged(S), judged(label), judged(S)], Policy())
    assert (ruling.decision, ruling.kept) == (Decision.PARTIAL, (0, 2))
    assert DecisionReason.CLAIMS_DROPPED in ruling.reasons


@pytest.mark.parametrize("label", [U, C, M, V, N])
def test_when_the_lead_claim_fails_the_rest_does_not_answer(label: VerdictLabel) -> None:
    ruling = decide([judged(label), judged(S), judged(S)], Policy())
    assert (ruling.decision, ruling.kept) == (Decision.ABSTAINED, ())


def test_too_little_left_is_an_abstention() -> None:
    assert decide([judged(S), judged(U), judged(U)], Policy()).decision is Decision.ABSTAINED


def test_the_policy_can_forbid_dropping() -> None:
    policy = Policy(on_unsupported=OnUnsupported.ABSTAIN)
    assert decide([judged(S), judged(S), judged(U)], policy).decision is Decision.ABSTAINED


def test_the_policy_can_hand_a_contradiction_over() -> None:
    policy = Policy(on_contradicted=OnUnsupported.HAND_OVER)
    ruling = decide([judged(S), judged(S), judged(C)], policy)
    assert (ruling.decision, ruling.kept) == (Decision.NEEDS_HUMAN, ())
    assert ruling.reasons == (DecisionReason.CONTRADICTED_CLAIM,)


def test_the_policy_can_hand_an_undecided_claim_over() -> None:
    policy = Policy(on_uncertain=OnUncertain.HAND_OVER)
    assert decide([judged(S), judged(V)], policy).decision is Decision.NEEDS_HUMAN


def test_a_dangling_marker_beside_a_good_one_is_reported_and_does_not_sink_the_claim() -> None:
    ruling = decide([judged(S, dangling=1)], Policy())
    assert ruling.decision is Decision.ANSWERED
    assert ruling.reasons == (DecisionReason.ALL_SUPPORTED, DecisionReason.UNRESOLVED_CITATION)


def test_an_uncited_claim_is_named_as_such() -> None:
    ruling = decide([judged(S), judged(U, codes=(ReasonCode.UNCITED,))], Policy())
    assert DecisionReason.UNCITED_CLAIM in ruling.reasons


def test_groundedness_counts_factual_claims_only_and_is_none_without_any() -> None:
    assert groundedness([judged(S), judged(U), judged(N, ClaimKind.META)]) == 0.5
    assert groundedness([judged(N, ClaimKind.META)]) is None
    assert groundedness([judged(V)]) == 0.0


def test_a_claim_that_stands_only_on_marked_text_falls_as_the_policy_says() -> None:
    claims = [judged(S), judged(S, codes=(ReasonCode.SCREENED,))]
    found = {on: decide(claims, Policy(on_suspicious=on)) for on in OnSuspicious}
    assert {on: (r.decision, r.kept) for on, r in found.items()} == {
        OnSuspicious.SHOW: (Decision.ANSWERED, (0, 1)),
        OnSuspicious.DROP: (Decision.PARTIAL, (0,)),
        OnSuspicious.HAND_OVER: (Decision.NEEDS_HUMAN, ()),
    }
    assert DecisionReason.SCREENED_CLAIM in found[OnSuspicious.DROP].reasons


def test_nothing_is_released_early_where_marked_text_may_hand_the_answer_over() -> None:
    assert releases_early(Policy(min_kept_fraction=0.0))
    assert not releases_early(Policy(min_kept_fraction=0.0, on_suspicious=OnSuspicious.HAND_OVER))
