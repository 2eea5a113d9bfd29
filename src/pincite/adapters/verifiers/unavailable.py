"""A verifier that could not be set up, as a value: it answers every pair with UNVERIFIED and says why."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from pincite.errors import PinciteError
from pincite.types import Judgement, Reason, ReasonCode, VerdictLabel, VerifierInfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.protocols import Verifier
    from pincite.types import Pair


class UnavailableVerifier:
    """Stands in for the verifier ``name``; ``problem`` is one sentence for the reader, e.g. which file is missing."""

    def __init__(self, *, name: str, problem: str) -> None:
        self._name = name
        self.problem = problem

    @property
    def info(self) -> VerifierInfo:
        """Name of the verifier that was wanted; the version says that it did not run."""
        digest = hashlib.sha256(f"{self._name}\0{self.problem}".encode()).hexdigest()[:16]
        return VerifierInfo(name=self._name, version="unavailable", fingerprint=digest)

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """UNVERIFIED for all, with the problem as the reason's ``evidence_value``."""
        return [failed(self.problem) for _ in pairs]


def problem_of(verifier: Verifier) -> str | None:
    """Why this verifier cannot judge anything, when that is known before the first claim."""
    ready = getattr(verifier, "ready", None)
    if isinstance(verifier, UnavailableVerifier):
        return verifier.problem
    try:
        if ready is not None:
            ready()
    except PinciteError as exc:
        return f"{exc}. {exc.hint}".strip()
    return None


def failed(problem: str) -> Judgement:
    """One pair that could not be judged."""
    reason = Reason(code=ReasonCode.VERIFIER_ERROR, evidence_value=problem)
    return Judgement(label=VerdictLabel.UNVERIFIED, support_prob=None, reasons=(reason,))


def from_nothing(pair: Pair) -> Judgement | None:
    """The judgement of a pair without words to judge or to judge by; None when there are both.

    A claim or passage without a letter or digit has no words.
    """
    said = any(ch.isalnum() for ch in pair.claim)
    given = any(ch.isalnum() for passage in pair.passages for ch in passage.text)
    if said and given:
        return None
    reason = Reason(code=ReasonCode.NO_EVIDENCE)
    return Judgement(label=VerdictLabel.UNSUPPORTED, support_prob=0.0, reasons=(reason,))
