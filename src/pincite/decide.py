"""The decide step: verdicts and a Policy in, a ruling out. A pure function; nothing is stored apart from verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.config import OnUncertain, OnUnsupported
from pincite.types import CitationStatus, ClaimKind, Decision, DecisionReason, ReasonCode, Ruling, VerdictLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.config import Policy
    from pincite.types import JudgedClaim

_REASON_OF = {
    VerdictLabel.CONTRADICTED: DecisionReason.CONTRADICTED_CLAIM,
    VerdictLabel.UNSUPPORTED: DecisionReason.UNSUPPORTED_CLAIM,
    VerdictLabel.MISATTRIBUTED: DecisionReason.MISATTRIBUTED_CLAIM,
    VerdictLabel.UNVERIFIED: DecisionReason.UNVERIFIED_CLAIM,
    VerdictLabel.NOT_CHECKABLE: DecisionReason.UNVERIFIED_CLAIM,
}


def decide(judged: Sequence[JudgedClaim], policy: Policy) -> Ruling:
    """What may be shown of an answer whose claims have these verdicts.

    All factual claims supported: ANSWERED. None factual: ABSTAINED, for an answer without a claim is never
    accepted. Otherwise the policy speaks: hand over, abstain, or drop what does not stand when the rest
    still answers (PARTIAL). The rest still answers when the first factual claim stands, which is where an answer says
    what was asked, and at least ``policy.min_kept_fraction`` of the factual claims do.
    """
    factual = [i for i, item in enumerate(judged) if item.claim.kind is ClaimKind.FACTUAL]
    if not factual:
        reason = DecisionReason.NO_FACTUAL_CLAIM if judged else DecisionReason.EMPTY_ANSWER
        return Ruling(decision=Decision.ABSTAINED, reasons=(reason,), kept=())
    failed = [i for i in factual if judged[i].verdict.label is not VerdictLabel.SUPPORTED]
    dangling = _dangling(judged)
    if not failed:
        reasons = (DecisionReason.ALL_SUPPORTED, *dangling)
        return Ruling(decision=Decision.ANSWERED, reasons=reasons, kept=tuple(range(len(judged))))
    reasons = (*_reasons([judged[i] for i in failed]), *dangling)
    if _hands_over([judged[i] for i in failed], policy):
        return Ruling(decision=Decision.NEEDS_HUMAN, reasons=reasons, kept=())
    if _may_drop([judged[i] for i in failed], policy) and _still_answers(factual, failed, policy):
        kept = tuple(i for i in range(len(judged)) if i not in failed)
        return Ruling(decision=Decision.PARTIAL, reasons=(*reasons, DecisionReason.CLAIMS_DROPPED), kept=kept)
    return Ruling(decision=Decision.ABSTAINED, reasons=reasons, kept=())


def groundedness(judged: Sequence[JudgedClaim]) -> float | None:
    """Supported factual claims / factual claims; ``None`` when there is no factual claim."""
    labels = [item.verdict.label for item in judged if item.claim.kind is ClaimKind.FACTUAL]
    return labels.count(VerdictLabel.SUPPORTED) / len(labels) if labels else None


def _reasons(failed: Sequence[JudgedClaim]) -> tuple[DecisionReason, ...]:
    found = [_REASON_OF[item.verdict.label] for item in failed]
    if any(reason.code is ReasonCode.UNCITED for item in failed for reason in item.verdict.reasons):
        found.append(DecisionReason.UNCITED_CLAIM)
    return tuple(reason for reason in DecisionReason if reason in found)


def _dangling(judged: Sequence[JudgedClaim]) -> tuple[DecisionReason, ...]:
    statuses = (citation.status for item in judged for citation in item.claim.citations)
    return (DecisionReason.UNRESOLVED_CITATION,) if CitationStatus.UNRESOLVED in statuses else ()


def _action(label: VerdictLabel, policy: Policy) -> OnUnsupported:
    match label:
        case VerdictLabel.CONTRADICTED:
            return policy.on_contradicted
        case VerdictLabel.UNVERIFIED | VerdictLabel.NOT_CHECKABLE:
            hand_over = policy.on_uncertain is OnUncertain.HAND_OVER
            return OnUnsupported.HAND_OVER if hand_over else OnUnsupported.DROP_ELSE_ABSTAIN
        case _:
            return policy.on_unsupported


def _hands_over(failed: Sequence[JudgedClaim], policy: Policy) -> bool:
    return any(_action(item.verdict.label, policy) is OnUnsupported.HAND_OVER for item in failed)


def _may_drop(failed: Sequence[JudgedClaim], policy: Policy) -> bool:
    return all(_action(item.verdict.label, policy) is OnUnsupported.DROP_ELSE_ABSTAIN for item in failed)


def _still_answers(factual: Sequence[int], failed: Sequence[int], policy: Policy) -> bool:
    kept = len(factual) - len(failed)
    return factual[0] not in failed and kept / len(factual) >= policy.min_kept_fraction
