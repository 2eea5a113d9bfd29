"""What a model is told when its draft did not stand, and when it is told at all.

The correction names the sentence by its number and says what the passage has. It never repeats the draft's words: a
model copies what it reads. Of a value only the figure is named ("20, not 25").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.types import ClaimKind, Decision, DecisionReason, ReasonCode, VerdictLabel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pincite.types import Checked, JudgedClaim

_OPENING = "Your last answer to this question could not be used. Write a new one from the passages alone."
_MAX_FINDINGS = 6
_MAX_VALUE_CHARS = 40
_FIGURE = re.compile(r"\d")
_BEYOND_REPAIR = frozenset({VerdictLabel.UNVERIFIED, VerdictLabel.NOT_CHECKABLE})


def is_repairable(checked: Checked) -> bool:
    """Whether claims fell, the rest does not answer, and another draft may: it does not mend a verifier."""
    if checked.decision is not Decision.ABSTAINED:
        return False
    if set(checked.reasons) & {DecisionReason.NO_FACTUAL_CLAIM, DecisionReason.EMPTY_ANSWER}:
        return False
    return any(item.verdict.label not in _BEYOND_REPAIR for _, item in _fallen(checked))


def correction(checked: Checked, handles: Mapping[str, str]) -> str:
    """The findings as one message. ``handles`` maps a passage id to its handle in this request."""
    lines = [f"- Sentence {number}: {_finding(item, handles)}" for number, item in _fallen(checked)]
    return "\n".join([_OPENING, *dict.fromkeys(lines[:_MAX_FINDINGS])])


def _fallen(checked: Checked) -> Iterator[tuple[int, JudgedClaim]]:
    """Factual claims that do not stand, by their number in the draft, from 1."""
    for number, item in enumerate(checked.claims, start=1):
        if item.claim.kind is ClaimKind.FACTUAL and item.verdict.label is not VerdictLabel.SUPPORTED:
            yield number, item


def _finding(item: JudgedClaim, handles: Mapping[str, str]) -> str:
    codes = {reason.code for reason in item.verdict.reasons}
    better = handles.get(item.verdict.better_citation or "")
    if better is not None:
        return f"it is said by the passage under {better}, which it does not name."
    for reason in item.verdict.reasons:
        value = _short(reason.evidence_value)
        if value is None:
            continue
        told = _short(reason.claim_value)
        return (
            f"the passage says {value}, not {told}." if told and _FIGURE.search(told) else f"the passage says {value}."
        )
    if ReasonCode.UNCITED in codes:
        return "it names no passage."
    if ReasonCode.UNRESOLVED_CITATION in codes:
        return "it names a passage that was not given."
    return "no passage says this."


def _short(value: str | None) -> str | None:
    """A value that fits on a line; a longer one would be the draft's wording again."""
    folded = " ".join((value or "").split())
    return folded if 0 < len(folded) <= _MAX_VALUE_CHARS else None
