"""The decide step: verdicts and a Policy in, a ruling out. A pure function; nothing is stored apart from verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.config import OnConflict, OnSuspicious, OnUncertain, OnUnsupported
from pincite.types import CitationStatus, ClaimKind, Decision, DecisionReason, ReasonCode, Ruling, VerdictLabel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pincite.config import Policy
    from pincite.types import JudgedClaim

_REASON_OF = {
    VerdictLabel.SUPPORTED: DecisionReason.UNSUPPORTED_CLAIM,  # it hangs on one that is not
    VerdictLabel.CONTRADICTED: DecisionReason.CONTRADICTED_CLAIM,
    VerdictLabel.UNSUPPORTED: DecisionReason.UNSUPPORTED_CLAIM,
    VerdictLabel.MISATTRIBUTED: DecisionReason.MISATTRIBUTED_CLAIM,
    VerdictLabel.UNVERIFIED: DecisionReason.UNVERIFIED_CLAIM,
    VerdictLabel.NOT_CHECKABLE: DecisionReason.UNVERIFIED_CLAIM,
}


def decide(judged: Sequence[JudgedClaim], policy: Policy, hangs_on: Mapping[int, int] | None = None) -> Ruling:
    """What may be shown of an answer whose claims have these verdicts.

    All factual claims supported: ANSWERED. None factual: ABSTAINED, for an answer without a claim is never accepted.
    Otherwise the policy speaks: hand over, abstain, or drop what does not stand when the rest still answers
    (PARTIAL). When the verifier could run on none of them, a person is needed. With ``hangs_on`` (from a claim to the
    one that it means nothing without; a strict account) nothing is shown but supported claims, and what hangs on a
    claim that falls goes with it. The rest still answers when the first factual claim stands, which is where an
    answer says what was asked, and at least ``policy.min_kept_fraction`` of the factual claims do.
    """
    factual = [i for i, item in enumerate(judged) if item.claim.kind is ClaimKind.FACTUAL]
    if not factual:
        reason = DecisionReason.NO_FACTUAL_CLAIM if judged else DecisionReason.EMPTY_ANSWER
        return Ruling(decision=Decision.ABSTAINED, reasons=(reason,), kept=())
    failed = _fallen(judged, factual, hangs_on, policy)
    dangling = _dangling(judged)
    if not failed:
        reasons = (DecisionReason.ALL_SUPPORTED, *dangling)
        return Ruling(
            decision=Decision.ANSWERED, reasons=reasons, kept=_shown(judged, _suspicious(judged, policy), hangs_on)
        )
    reasons = (*_reasons([judged[i] for i in failed]), *dangling)
    if all(_could_not_run(judged[i]) for i in factual):
        down = (DecisionReason.VERIFIER_UNAVAILABLE, *reasons)
        return Ruling(decision=Decision.NEEDS_HUMAN, reasons=down, kept=())
    if _hands_over([judged[i] for i in failed], policy):
        return Ruling(decision=Decision.NEEDS_HUMAN, reasons=reasons, kept=())
    if _may_drop([judged[i] for i in failed], policy) and _still_answers(factual, failed, policy):
        kept = _shown(judged, [*failed, *_suspicious(judged, policy)], hangs_on)
        return Ruling(decision=Decision.PARTIAL, reasons=(*reasons, DecisionReason.CLAIMS_DROPPED), kept=kept)
    return Ruling(decision=Decision.ABSTAINED, reasons=reasons, kept=())


def _could_not_run(item: JudgedClaim) -> bool:
    """Whether the verifier itself failed on the claim, say because its model is not there."""
    return any(reason.code is ReasonCode.VERIFIER_ERROR for reason in item.verdict.reasons)


def _suspicious(judged: Sequence[JudgedClaim], policy: Policy) -> list[int]:
    """Claims that stand on marked text, where the policy does not show them; of every kind."""
    if policy.on_suspicious is OnSuspicious.SHOW:
        return []
    return [i for i, item in enumerate(judged) if _is_supported(item) and _is_screened(item)]


def _fallen(
    judged: Sequence[JudgedClaim], factual: Sequence[int], hangs_on: Mapping[int, int] | None, policy: Policy
) -> list[int]:
    """Factual claims that do not stand, by themselves or because what they hang on does not."""
    suspicious = _suspicious(judged, policy)
    fallen: list[int] = []
    for index in factual:
        under = (hangs_on or {}).get(index)
        stands = _is_supported(judged[index]) and index not in suspicious
        if not stands or (under is not None and (under in fallen or not _is_supported(judged[under]))):
            fallen.append(index)
    return fallen


def _is_supported(item: JudgedClaim) -> bool:
    return item.verdict.label is VerdictLabel.SUPPORTED


def _is_screened(item: JudgedClaim) -> bool:
    return any(reason.code is ReasonCode.SCREENED for reason in item.verdict.reasons)


def _shown(judged: Sequence[JudgedClaim], failed: Sequence[int], hangs_on: Mapping[int, int] | None) -> tuple[int, ...]:
    left = (i for i in range(len(judged)) if i not in failed)
    return tuple(i for i in left if hangs_on is None or _is_supported(judged[i]))


def releases_early(policy: Policy) -> bool:
    """Whether a sentence that stands may be shown before the ones after it are known.

    Only where none of them can take it back: every claim that falls is dropped by itself, however many do.
    """
    drops = policy.on_unsupported is policy.on_contradicted is OnUnsupported.DROP_ELSE_ABSTAIN
    keeps = policy.on_uncertain is OnUncertain.DROP and policy.on_suspicious is not OnSuspicious.HAND_OVER
    keeps = keeps and policy.on_conflict is OnConflict.SHOW_BOTH
    return drops and keeps and policy.min_kept_fraction == 0.0


def groundedness(judged: Sequence[JudgedClaim]) -> float | None:
    """Supported factual claims / factual claims; ``None`` when there is no factual claim."""
    labels = [item.verdict.label for item in judged if item.claim.kind is ClaimKind.FACTUAL]
    return labels.count(VerdictLabel.SUPPORTED) / len(labels) if labels else None


def _reasons(failed: Sequence[JudgedClaim]) -> tuple[DecisionReason, ...]:
    found = [
        DecisionReason.SCREENED_CLAIM if _is_screened(item) and _is_supported(item) else _REASON_OF[item.verdict.label]
        for item in failed
    ]
    if any(reason.code is ReasonCode.UNCITED for item in failed for reason in item.verdict.reasons):
        found.append(DecisionReason.UNCITED_CLAIM)
    return tuple(reason for reason in DecisionReason if reason in found)


def _dangling(judged: Sequence[JudgedClaim]) -> tuple[DecisionReason, ...]:
    statuses = (citation.status for item in judged for citation in item.claim.citations)
    return (DecisionReason.UNRESOLVED_CITATION,) if CitationStatus.UNRESOLVED in statuses else ()


def _action(item: JudgedClaim, policy: Policy) -> OnUnsupported:
    match item.verdict.label:
        case VerdictLabel.SUPPORTED if _is_screened(item):
            hand_over = policy.on_suspicious is OnSuspicious.HAND_OVER
            return OnUnsupported.HAND_OVER if hand_over else OnUnsupported.DROP_ELSE_ABSTAIN
        case VerdictLabel.CONTRADICTED:
            return policy.on_contradicted
        case VerdictLabel.UNVERIFIED | VerdictLabel.NOT_CHECKABLE:
            hand_over = policy.on_uncertain is OnUncertain.HAND_OVER
            return OnUnsupported.HAND_OVER if hand_over else OnUnsupported.DROP_ELSE_ABSTAIN
        case _:
            return policy.on_unsupported


def _hands_over(failed: Sequence[JudgedClaim], policy: Policy) -> bool:
    return any(_action(item, policy) is OnUnsupported.HAND_OVER for item in failed)


def _may_drop(failed: Sequence[JudgedClaim], policy: Policy) -> bool:
    return all(_action(item, policy) is OnUnsupported.DROP_ELSE_ABSTAIN for item in failed)


def _still_answers(factual: Sequence[int], failed: Sequence[int], policy: Policy) -> bool:
    kept = len(factual) - len(failed)
    return factual[0] not in failed and kept / len(factual) >= policy.min_kept_fraction
