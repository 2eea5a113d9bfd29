"""The judge: a logistic model over named signals, its coefficients in a readable file."""

from __future__ import annotations

import functools
import hashlib
import json
import math
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

CAP_COVERAGE = 0.6
"""From this coverage on, the evidence speaks of the same thing and a failed check decides.

Both constants are checked by benchmarks/quality/verify.py and phenomena.py.
"""

NEAR_COPY, WHOLE_COPY = 0.4, 0.6
"""From this share of copied word pairs on, a HARD finding decides too, not only a CONFLICT (the same file)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judge:
    """Coefficients by signal name. A signal without a coefficient weighs nothing.

    ``verbatim_prob`` and ``folded_prob`` are what an exact or folded quotation is worth; ``capped_prob``
    multiplies the support of a claim that failed a deterministic check on evidence that speaks of the same thing.
    """

    intercept: float
    coefficients: Mapping[str, float]
    verbatim_prob: float
    folded_prob: float
    capped_prob: float
    fingerprint: str
    about: Mapping[str, object] = field(default_factory=dict)
    second: Judge | None = None
    """The judge of units that plugged-in signals have measured; without one those signals weigh nothing."""
    band: tuple[float, float] = (0.0, 1.0)
    """A unit whose probability lies outside is clear without the signals: they are not asked."""

    def support_prob(self, signals: Mapping[str, float]) -> float:
        """Probability of support, strictly between 0 and 1."""
        total = self.intercept
        for name, value in sorted(signals.items()):
            total += self.coefficients.get(name, 0.0) * value
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def judge_from_json(raw: str) -> Judge:
    """Read a coefficient file.

    Raises:
        KeyError: when a field is missing.
    """
    return _judge(json.loads(raw), hashlib.sha256(raw.encode()).hexdigest()[:16])


def _judge(body: Mapping[str, Any], fingerprint: str) -> Judge:
    second = body.get("second")
    low, high = body.get("band", (0.0, 1.0))
    return Judge(
        intercept=body["intercept"],
        coefficients=body["coefficients"],
        verbatim_prob=body["verbatim_prob"],
        folded_prob=body["folded_prob"],
        capped_prob=body["capped_prob"],
        fingerprint=fingerprint,
        about=body.get("about", {}),
        second=_judge(second, fingerprint) if second else None,
        band=(low, high),
    )


@functools.cache
def shipped_judge() -> Judge:
    """The judge that ships, made by benchmarks/quality/fit_judge.py."""
    return judge_from_json(resources.files("pincite.verify").joinpath("judge.json").read_text(encoding="utf-8"))
