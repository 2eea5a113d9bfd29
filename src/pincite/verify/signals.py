"""Signals: named numbers about one claim and its evidence, which the judge weighs. A model plugs in as one more."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pincite.types import ReasonCode
from pincite.verify.findings import Weight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.types import Passage
    from pincite.verify.analysis import Sentence
    from pincite.verify.evidence import Selected
    from pincite.verify.findings import Finding, View

_MAX_COUNT = 2
_LONG_CLAIM_WORDS = 30.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What a Signal reads: the claim, and the evidence sentences chosen from the passages taken together."""

    claim: str
    evidence: tuple[str, ...]
    passages: tuple[Passage, ...]


@runtime_checkable
class Signal(Protocol):
    """One or more named numbers for each request; deterministic, in order, independent of the batch.

    The judge weighs a name only when its coefficient file has one, so a signal comes with its own judge file.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the numbers, in order."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever any number could."""

    def measure(self, requests: Sequence[Request]) -> list[tuple[float, ...]]:
        """One tuple a request, as long as ``names``."""


def measured(view: View, selected: Selected, findings: Sequence[Finding]) -> dict[str, float]:
    """The built-in signals of one unit."""
    valued = view.claim.value_terms()
    words = [w for w in view.claim.words if not w.is_stop and w.stem not in valued]
    missing = [w for w in words if w.stem not in view.licensed]
    found = {
        "coverage_unit": view.coverage,
        "coverage_best": selected.best,
        "coverage_everything": selected.everything,
        "coverage_unit_squared": view.coverage**2,
        "bigrams_copied": _bigrams(view),
        "missing_words": min(len(missing), 6) / 6.0,
        "missing_share": len(missing) / len(words) if words else 0.0,
        "claim_length": math.log1p(len(words)) / math.log1p(_LONG_CLAIM_WORDS),
        "evidence_length": math.log1p(sum(len(s.words) for _, s in view.sentences)) / 5.0,
        "sentences_needed": (len(view.sentences) - 1) / 2.0,
    }
    found.update(_counts(findings))
    for code in {_counted_as(finding) for finding in findings if finding.weight >= Weight.HARD}:
        found[f"{code}:near_copy"] = found["bigrams_copied"]
        found[f"{code}:covered"] = view.coverage**2
    return found


def failed_names() -> tuple[str, ...]:
    """Every name that a failed check can give beside its count: how near a copy it failed on, and how covered."""
    codes = sorted({_CASE_BLIND.get(code, code) for code in _COUNTED})
    return tuple(f"{code}:{how}" for code in codes for how in ("near_copy", "covered"))


def _counted_as(finding: Finding) -> ReasonCode:
    return _CASE_BLIND.get(finding.code, finding.code)


def finding_names() -> tuple[str, ...]:
    """Every name that ``_counts`` can give, sorted."""
    return tuple(sorted(f"{code}:{weight.name.lower()}" for code in _COUNTED for weight in Weight if weight))


_COUNTED = (
    ReasonCode.NUMBER_MISMATCH, ReasonCode.NUMBER_MISSING, ReasonCode.UNIT, ReasonCode.CURRENCY, ReasonCode.DATE,
    ReasonCode.RANGE, ReasonCode.NEGATION, ReasonCode.ANTONYM, ReasonCode.DIRECTION, ReasonCode.ENTITY, ReasonCode.MODALITY,  # noqa: E501
    ReasonCode.QUANTIFIER, ReasonCode.CONDITION_DROPPED, ReasonCode.CONDITION_ADDED, ReasonCode.ROLE_SWAP, ReasonCode.BINDING,  # noqa: E501
    ReasonCode.REPORTED_SPEECH, ReasonCode.EXTRA_DETAIL,
)  # fmt: skip
_CASE_BLIND = {ReasonCode.ENTITY: ReasonCode.EXTRA_DETAIL}
"""Capital letters name a reason but weigh nothing: letter case never changes a verdict."""


def _counts(findings: Sequence[Finding]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for finding in findings:
        if finding.weight and finding.code in _COUNTED:
            code = _CASE_BLIND.get(finding.code, finding.code)
            name = f"{code}:{finding.weight.name.lower()}"
            counts[name] = min(counts.get(name, 0.0) + 1.0, _MAX_COUNT)
    return counts


def _bigrams(view: View) -> float:
    """Share of the claim's neighbouring content words that are neighbours in a sentence of the unit too."""
    valued = view.claim.value_terms()
    mine = _pairs([w.stem for w in view.claim.words if not w.is_stop and w.stem not in valued])
    given = {pair for _, s in view.sentences for pair in _pairs(_worded(s))}
    return len(mine & given) / len(mine) if mine else 0.0


def _worded(sentence: Sentence) -> list[str]:
    valued = sentence.value_terms()
    return [w.stem for w in sentence.words if not w.is_stop and w.stem not in valued]


def _pairs(stems: Sequence[str]) -> set[tuple[str, str]]:
    return set(pairwise(stems))
