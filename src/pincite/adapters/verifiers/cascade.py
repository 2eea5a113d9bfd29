"""Two verifiers: a cheap one for everything, a costly one for what the cheap one leaves open."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import TYPE_CHECKING

from pincite.config import CascadeSettings, OnVeto
from pincite.types import Judgement, Reason, ReasonCode, VerdictLabel, VerifierInfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.protocols import Verifier
    from pincite.types import Pair

VERSION = "1"
CHECKS = frozenset({
    ReasonCode.NUMBER_MISMATCH, ReasonCode.NUMBER_MISSING, ReasonCode.UNIT, ReasonCode.CURRENCY, ReasonCode.DATE,
    ReasonCode.RANGE, ReasonCode.NEGATION, ReasonCode.ANTONYM, ReasonCode.DIRECTION, ReasonCode.ENTITY,
    ReasonCode.MODALITY, ReasonCode.QUANTIFIER, ReasonCode.CONDITION_DROPPED, ReasonCode.CONDITION_ADDED,
    ReasonCode.ROLE_SWAP, ReasonCode.BINDING, ReasonCode.REPORTED_SPEECH,
})  # fmt: skip
"""Findings of deterministic checks: with one of these a claim that the first verifier did not pass stays failed.

EXTRA_DETAIL is not among them: that a word of the claim is nowhere in the passage is what a second reading is asked
about. A pass in spite of it is allowed, and says ``overridden`` too.
"""


class CascadeVerifier:
    """The cheap verifier's word, unless it is open; then the costly one's.

    Open is UNVERIFIED, or a ``support_prob`` from ``low_prob`` to ``high_prob``; with ``review_accepts`` every
    SUPPORTED too. A costly verifier that cannot say leaves an open claim UNVERIFIED. When it refuses what the cheap one
    accepted, ``on_veto`` decides between UNSUPPORTED and UNVERIFIED (which the policy may hand over). It passes a
    claim that failed a deterministic check only with ``allow_override``, and the verdict then carries ``overridden``
    with the failed checks and the name of the verifier that overrode them.
    """

    def __init__(self, cheap: Verifier, costly: Verifier, *, settings: CascadeSettings | None = None) -> None:
        self._cheap = cheap
        self._costly = costly
        self._settings = settings or CascadeSettings()

    @property
    def info(self) -> VerifierInfo:
        """Both names; the fingerprint covers both verifiers and the settings."""
        one, two = self._cheap.info, self._costly.info
        told = repr((VERSION, one, two, self._settings))
        return VerifierInfo(
            name=f"cascade({one.name}, {two.name})",
            version=VERSION,
            fingerprint=hashlib.sha256(told.encode()).hexdigest()[:16],
        )

    def ready(self) -> None:
        """Load both.

        Raises:
            PinciteError: when one cannot judge.
        """
        for one in (self._cheap, self._costly):
            if (load := getattr(one, "ready", None)) is not None:
                load()

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """In order: one batch for the cheap verifier, one for the costly."""
        first = self._cheap.judge(pairs)
        asked = [index for index, judged in enumerate(first) if self._open(judged)]
        second = self._costly.judge([pairs[index] for index in asked]) if asked else []
        found = list(first)
        for index, judged in zip(asked, second, strict=True):
            found[index] = self._settle(first[index], judged)
        return found

    def _open(self, judged: Judgement) -> bool:
        if judged.label is VerdictLabel.UNVERIFIED:
            return True
        if self._settings.review_accepts and judged.label is VerdictLabel.SUPPORTED:
            return True
        prob = judged.support_prob
        return prob is not None and self._settings.low_prob <= prob <= self._settings.high_prob

    def _settle(self, first: Judgement, second: Judgement) -> Judgement:
        accepted = first.label is VerdictLabel.SUPPORTED
        if second.label is VerdictLabel.SUPPORTED:
            return self._passed(first, second)
        if second.label is VerdictLabel.UNVERIFIED:
            return _unsettled(first, second)
        if accepted and self._settings.on_veto is OnVeto.HAND_OVER:
            return _unsettled(first, second)
        reasons = (*second.reasons, *first.reasons) if not accepted else second.reasons
        return dataclasses.replace(second, reasons=tuple(dict.fromkeys(reasons)))

    def _passed(self, first: Judgement, second: Judgement) -> Judgement:
        if first.label is VerdictLabel.SUPPORTED:
            return first
        codes = {reason.code for reason in first.reasons}
        failed = sorted(codes & (CHECKS | {ReasonCode.EXTRA_DETAIL}))
        refused = first.label is VerdictLabel.CONTRADICTED
        if not (failed or refused):
            return second
        if (refused or codes & CHECKS) and not self._settings.allow_override:
            return first
        what = ", ".join(failed) or first.label.value
        told = Reason(code=ReasonCode.OVERRIDDEN, claim_value=what, evidence_value=self._costly.info.name)
        return dataclasses.replace(second, reasons=(told, *first.reasons, *second.reasons))


def _unsettled(first: Judgement, second: Judgement) -> Judgement:
    """Open, and not settled by the second: what the first refused stays refused, the rest is unverified."""
    if first.label in {VerdictLabel.UNSUPPORTED, VerdictLabel.CONTRADICTED}:
        return dataclasses.replace(first, reasons=tuple(dict.fromkeys((*first.reasons, *second.reasons))))
    reasons = (*(second.reasons or (Reason(code=ReasonCode.UNCERTAIN),)), *first.reasons)
    return Judgement(
        label=VerdictLabel.UNVERIFIED, support_prob=first.support_prob, reasons=tuple(dict.fromkeys(reasons))
    )
