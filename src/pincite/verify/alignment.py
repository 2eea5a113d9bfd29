"""The shipped verifier: quotation, alignment and deterministic checks, weighed by a small readable judge.

Signals plug in: the shipped one is a small network (adapters/verifiers/cross_encoder.py), asked where the first judge
is in doubt. The verifier is good at near copies and at values, fair at paraphrase, and says "unverified" where it is
weak: in languages other than English unless the claim is a quotation, and between its two thresholds.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from importlib import resources
from typing import TYPE_CHECKING

from pincite.config import VerifySettings
from pincite.types import Evidence, Judgement, Pair, Passage, Reason, ReasonCode, VerdictLabel, VerifierInfo
from pincite.verify.cases import Case, Examined, examine_all, prepare, quoted_in
from pincite.verify.derived import other_period
from pincite.verify.findings import Finding, Weight
from pincite.verify.judge import CAP_COVERAGE, NEAR_COPY, WHOLE_COPY, Judge, shipped_judge
from pincite.verify.quote import Quoted, is_fragment
from pincite.verify.signals import Request, Signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.verify.evidence import Unit

VERSION = "1"
_MIN_CONTRADICTED_COVERAGE = 0.5
_LOW_COVERAGE = 0.5
_MAX_REASONS = 8
_MEASURED_UNITS = 2
"""How many units of a pair plugged-in signals measure at most; a neural one costs milliseconds each."""
_MAX_CLAIM_WORDS = 400
"""A longer claim is no single statement: only a quotation of that length is judged, so time stays linear."""


class AlignmentVerifier:
    """Implements ``Verifier``. ``signals`` add their numbers to the judge's; give a ``judge`` fitted with them."""

    def __init__(
        self, *, settings: VerifySettings | None = None, judge: Judge | None = None, signals: Sequence[Signal] = ()
    ) -> None:
        self._settings = settings or VerifySettings()
        self._judge = judge or shipped_judge()
        self._signals = tuple(signals)
        self._info = VerifierInfo(name="alignment", version=VERSION, fingerprint=self._fingerprint())

    @property
    def info(self) -> VerifierInfo:
        """Name, version, and a fingerprint of thresholds, coefficients, word lists and signals."""
        return self._info

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair, in order, each independent of the others."""
        return [self._judge_one(pair) for pair in pairs]

    def examine(self, pair: Pair) -> list[Examined]:
        """The units that decide on a pair, with findings and signals: what the judge is fitted on. May be empty."""
        case = prepare(pair)
        return self._heard(case, examine_all(case)) if case is not None else []

    def _judge_one(self, pair: Pair) -> Judgement:
        case = prepare(pair)
        if case is None:
            return _nothing()
        quoted = quoted_in(case)
        if quoted is not None:
            return self._verbatim(case, *quoted)
        return _undecided(case) or self._weigh(case)

    def _weigh(self, case: Case) -> Judgement:
        examined = examine_all(case)
        if not examined:
            return _nothing()
        judged = self._decide(case, self._heard(case, examined))
        if judged.label is VerdictLabel.SUPPORTED:
            return judged
        return self._as_other_period(case) or judged

    def _as_other_period(self, case: Case) -> Judgement | None:
        """Support for the claim with its yearly figure said as the evidence's monthly one, and the working."""
        found = _restated(case)
        if found is None:
            return None
        claim, reason = found
        judged = self._judge_one(dataclasses.replace(case.pair, claim=claim))
        if judged.label is not VerdictLabel.SUPPORTED:
            return None
        prob = round((judged.support_prob or 0.0) * self._judge.folded_prob, 6)
        return dataclasses.replace(judged, support_prob=prob, reasons=(reason,))

    def _heard(self, case: Case, examined: list[Examined]) -> list[Examined]:
        """The units that decide. With signals, the likeliest few, each measured unless its case is clear."""
        if not self._signals or not examined:
            return examined
        probs = {id(item): self.unit_prob(item) for item in examined}
        likeliest = sorted(examined, key=lambda item: (-probs[id(item)], len(item.unit.places)))[:_MEASURED_UNITS]
        low, high = self._judge.band
        asked = [item for item in likeliest if low <= probs[id(item)] < high and not is_capped(item)]
        requests = [
            Request(
                claim=case.claim.text,
                evidence=tuple(case.analysed[p].sentences[s].text for p, s in sorted(item.unit.places)),
                passages=case.passages,
            )
            for item in asked
        ]
        for signal in self._signals:
            for item, numbers in zip(asked, signal.measure(requests), strict=True):
                item.signals.update(zip(signal.names, numbers, strict=True))
                item.heard.update(signal.names)
        return likeliest

    def _decide(self, case: Case, examined: list[Examined]) -> Judgement:
        """The likeliest unit decides; the evidence shown is the smallest unit that stands by itself."""
        probs = [self.unit_prob(item) for item in examined]
        best = max(range(len(examined)), key=lambda index: (probs[index], -len(examined[index].unit.places)))
        item, prob = examined[best], round(probs[best], 6)
        label = self._label(item, prob)
        if label is VerdictLabel.SUPPORTED:
            standing = [i for i, one in enumerate(examined) if self._label(one, probs[i]) is label]
            item = examined[min(standing, key=lambda index: (len(examined[index].unit.places), -probs[index]))]
        return Judgement(
            label=label, support_prob=prob, evidence=_evidence(case, item.unit), reasons=_reasons(case, item, label)
        )

    def unit_prob(self, item: Examined) -> float:
        """The judge's probability for one unit, bounded when a check failed on evidence about the same thing."""
        judge = self._judge.second if item.heard and self._judge.second else self._judge
        prob = judge.support_prob(item.signals)
        return prob * judge.capped_prob if is_capped(item) else prob

    def _label(self, item: Examined, prob: float) -> VerdictLabel:
        if prob >= self._settings.accept_prob:
            return VerdictLabel.SUPPORTED
        if prob >= self._settings.reject_prob:
            return VerdictLabel.UNVERIFIED
        conflict = any(finding.weight is Weight.CONFLICT for finding in item.findings)
        if conflict and item.unit.coverage >= _MIN_CONTRADICTED_COVERAGE:
            return VerdictLabel.CONTRADICTED
        return VerdictLabel.UNSUPPORTED

    def _verbatim(self, case: Case, number: int, quoted: Quoted) -> Judgement:
        passage = case.passages[number]
        exact = not quoted.match.folds_used
        first = next((i for i, char in enumerate(case.pair.claim) if not char.isspace()), 0)
        reason = Reason(
            code=ReasonCode.VERBATIM if exact else ReasonCode.FOLDED,
            claim_value=None if exact else ",".join(sorted(quoted.match.folds_used)),
            claim_start=first, claim_end=len(case.pair.claim.rstrip()), passage_id=passage.passage_id,
            evidence_start=passage.start + quoted.match.start, evidence_end=passage.start + quoted.match.end,
        )  # fmt: skip
        prob = self._judge.verbatim_prob if exact else self._judge.folded_prob
        evidence = _one_evidence(passage, quoted.start, quoted.end)
        return Judgement(label=VerdictLabel.SUPPORTED, support_prob=prob, evidence=(evidence,), reasons=(reason,))

    def _fingerprint(self) -> str:
        parts = [
            VERSION, self._judge.fingerprint, repr(self._settings),
            *(signal.fingerprint for signal in self._signals), _code_digest(),
        ]  # fmt: skip
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def is_capped(item: Examined) -> bool:
    """Whether a check that decides failed on evidence that speaks of the same thing.

    Those decide: what says otherwise (a name in capitals alone does not), what an alignment found in a near copy, and
    any HARD finding on a text that is copied in good part. Of the others the judge has the last word.
    """
    if item.unit.coverage < CAP_COVERAGE:
        sure = (f for f in item.findings if f.decisive and f.weight is Weight.CONFLICT)
        return item.unit.coverage >= _MIN_CONTRADICTED_COVERAGE and any(sure)
    copied = item.signals["bigrams_copied"]
    return any(_decides(finding, copied) for finding in item.findings if finding.weight >= Weight.HARD)


def _decides(finding: Finding, copied: float) -> bool:
    if finding.decisive or (finding.weight is Weight.CONFLICT and finding.code is not ReasonCode.ENTITY):
        return True
    return copied >= (WHOLE_COPY if finding.code is ReasonCode.EXTRA_DETAIL else NEAR_COPY)


@functools.cache
def _code_digest() -> str:
    """Hash of every file whose change could change a verdict: this package and the text utilities it uses."""
    digest = hashlib.sha256()
    for package in ("pincite.text", "pincite.verify"):
        files = sorted(resources.files(package).iterdir(), key=lambda file: file.name)
        for file in files:
            if file.is_file() and file.name.endswith((".py", ".json")):
                digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def _nothing() -> Judgement:
    return Judgement(label=VerdictLabel.UNSUPPORTED, support_prob=0.0, reasons=(Reason(code=ReasonCode.NO_EVIDENCE),))


def _undecided(case: Case) -> Judgement | None:
    """What cannot be judged unless it is a quotation: a fragment, and any language but English."""
    if is_fragment(case.pair.claim) or len(case.claim.sentences[0].words) > _MAX_CLAIM_WORDS:
        code = ReasonCode.UNCERTAIN
    elif not (case.claim.english and all(passage.english for passage in case.analysed)):
        code = ReasonCode.LANGUAGE
    else:
        return None
    return Judgement(label=VerdictLabel.UNVERIFIED, support_prob=None, reasons=(Reason(code=code),))


def _restated(case: Case) -> tuple[str, Reason] | None:
    """The claim with its first rate said in the evidence's period, and what was worked out. At most one a claim."""
    for value in case.claim.sentences[0].values():
        for number, passage in enumerate(case.analysed):
            given = [(s, q) for s in passage.sentences for q in s.values()] if value.per else []
            derived = other_period(value, [q for _, q in given])
            if derived is not None:
                sentence, operand = given[derived.operands[0]]
                at = case.passages[number].start + sentence.start
                reason = Reason(
                    code=ReasonCode.DERIVED, claim_value=value.text, evidence_value=derived.working,
                    claim_start=value.start, claim_end=value.end, passage_id=case.passages[number].passage_id,
                    evidence_start=at + operand.start, evidence_end=at + operand.end,
                )  # fmt: skip
                claim = case.claim.text
                return claim[: value.start] + operand.text + claim[value.end :], reason
    return None


def _one_evidence(passage: Passage, start: int, end: int) -> Evidence:
    return Evidence(
        passage_id=passage.passage_id,
        start=passage.start + start,
        end=passage.start + end,
        quote=passage.text[start:end],
    )


def _evidence(case: Case, unit: Unit) -> tuple[Evidence, ...]:
    """The unit's sentences, neighbours joined, in reading order."""
    joined: list[list[int]] = []
    for number, sentence in sorted(unit.places):
        if joined and joined[-1][0] == number and joined[-1][2] + 1 == sentence:
            joined[-1][2] = sentence
        else:
            joined.append([number, sentence, sentence])
    return tuple(
        _one_evidence(case.passages[n], case.analysed[n].sentences[a].start, case.analysed[n].sentences[b].end)
        for n, a, b in joined
    )


def _reasons(case: Case, item: Examined, label: VerdictLabel) -> tuple[Reason, ...]:
    """Why: conversions for what stands, failures (gravest first) for what does not."""
    if label is VerdictLabel.SUPPORTED:
        chosen = [finding for finding in item.findings if finding.weight is Weight.NOTE]
    else:
        chosen = sorted((f for f in item.findings if f.weight), key=lambda f: -f.weight)
    reasons = [_reason(case, finding) for finding in chosen[:_MAX_REASONS]]
    if label is VerdictLabel.UNVERIFIED:
        reasons.insert(0, Reason(code=ReasonCode.UNCERTAIN))
    elif label is not VerdictLabel.SUPPORTED and (item.unit.coverage < _LOW_COVERAGE or not reasons):
        reasons.append(Reason(code=ReasonCode.LOW_COVERAGE))
    return tuple(reasons)


def _reason(case: Case, finding: Finding) -> Reason:
    passage = case.passages[finding.passage] if finding.passage is not None else None
    claim, given = finding.claim_range, finding.evidence_range
    return Reason(
        code=finding.code, claim_value=finding.claim_value, evidence_value=finding.evidence_value,
        claim_start=claim[0] if claim else None, claim_end=claim[1] if claim else None,
        passage_id=passage.passage_id if passage else None,
        evidence_start=passage.start + given[0] if passage and given else None,
        evidence_end=passage.start + given[1] if passage and given else None,
    )  # fmt: skip
