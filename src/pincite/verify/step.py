"""The step: claims and citations in, one verdict per claim out.

Three rounds of judging, each one batch: every cited passage alone and all cited ones together; then the other
passages that share enough words, for contradiction and for a better citation; then, for claims that stand on
several citations, each citation left out once.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from pincite.text.words import idf
from pincite.types import (
    Citation,
    CitationStatus,
    Cited,
    Claim,
    ClaimKind,
    JudgedClaim,
    Judgement,
    Pair,
    Passage,
    Reason,
    ReasonCode,
    Verdict,
    VerdictLabel,
)
from pincite.verify.analysis import analyse, analyse_claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pincite.protocols import Verifier

_MAX_OTHERS = 4
_MIN_SHARED = 0.4
"""An uncited passage is judged when it has this share (by rarity) of the claim's words; the best few only."""
_MAX_CONFLICT_REASONS = 3
_MAX_JOINT = 12
"""More distinct citations than this on one claim are judged alone, not together."""


def verify(
    cited: Cited, passages: Sequence[Passage], verifier: Verifier, *, question: str | None = None
) -> tuple[JudgedClaim, ...]:
    """Judge every claim, in order. Never raises for what a verifier does: its failure is UNVERIFIED.

    A claim that one cited passage supports is supported though another passage contradicts it; the
    contradiction is then among its reasons. Time grows with claims times cited passages, plus a few others per claim.
    """
    desk = _Desk(passages, verifier, question)
    factual = [claim for claim in cited.claims if claim.kind is ClaimKind.FACTUAL and claim.text.strip()]
    desk.judge([(c.text, group) for c in factual for group in desk.cited_groups(c)])
    desk.judge([(c.text, (other,)) for c in factual for other in desk.others(c)])
    desk.judge([(c.text, group) for c in factual for group in _left_out(desk, c)])
    return tuple(JudgedClaim(claim=claim, verdict=_verdict(desk, claim)) for claim in cited.claims)


_Group = tuple[str, ...]


class _Desk:
    """Passages by id, judgements by claim text and group of passage ids."""

    def __init__(self, passages: Sequence[Passage], verifier: Verifier, question: str | None) -> None:
        self._passages = {passage.passage_id: passage for passage in passages}
        self._verifier = verifier
        self._question = question
        self._judged: dict[tuple[str, _Group], Judgement] = {}
        self._others: dict[tuple[str, _Group], tuple[str, ...]] = {}
        self._places: dict[str, list[str]] = {}
        for passage in self._passages.values():
            for term in analyse(passage.text).places:
                self._places.setdefault(term, []).append(passage.passage_id)

    def known(self, citation: Citation) -> bool:
        """Whether the citation leads to a passage that was given."""
        return citation.status is CitationStatus.RESOLVED and citation.passage_id in self._passages

    def cited(self, claim: Claim) -> _Group:
        """Distinct passages that the claim cites, sorted."""
        return tuple(sorted({c.passage_id for c in claim.citations if c.passage_id is not None and self.known(c)}))

    def cited_groups(self, claim: Claim) -> list[_Group]:
        """Each cited passage alone, then all together."""
        ids = self.cited(claim)
        alone: list[_Group] = [(one,) for one in ids]
        return [*alone, ids] if 1 < len(ids) <= _MAX_JOINT else alone

    def others(self, claim: Claim) -> tuple[str, ...]:
        """The few uncited passages that share most of the claim's words; ties by text, so order cannot matter."""
        cited = self.cited(claim)
        key = (claim.text, cited)
        if key not in self._others:
            self._others[key] = self._nearest(claim.text, frozenset(cited))
        return self._others[key]

    def _nearest(self, text: str, cited: frozenset[str]) -> tuple[str, ...]:
        weights = {w.stem: idf(w.stem) for w in analyse_claim(text).sentences[0].words if not w.is_stop}
        shared: dict[str, float] = {}
        for term, weight in weights.items():
            for passage_id in self._places.get(term, ()):
                if passage_id not in cited:
                    shared[passage_id] = shared.get(passage_id, 0.0) + weight
        least = _MIN_SHARED * sum(weights.values())
        near = [passage_id for passage_id, weight in shared.items() if weight >= least]
        near.sort(key=lambda one: (-shared[one], self._passages[one].text, one))
        return tuple(near[:_MAX_OTHERS])

    def judge(self, wanted: Iterable[tuple[str, _Group]]) -> None:
        """Judge in one batch what has not been judged."""
        todo = [key for key in dict.fromkeys(wanted) if key not in self._judged]
        if not todo:
            return
        pairs = [
            Pair(claim=text, passages=tuple(self._passages[one] for one in ids), question=self._question)
            for text, ids in todo
        ]
        self._judged.update(zip(todo, _judge_safely(self._verifier, pairs), strict=True))

    def of(self, claim: Claim, group: _Group) -> Judgement:
        """The judgement of a claim on a group that was judged before."""
        return self._judged[claim.text, group]


def _judge_safely(verifier: Verifier, pairs: Sequence[Pair]) -> list[Judgement]:
    """Whatever goes wrong becomes UNVERIFIED; after a failed batch each pair gets a try of its own."""
    judged = _try(verifier, pairs)
    if judged is None and len(pairs) > 1:
        judged = [one[0] if (one := _try(verifier, [pair])) else _FAILED for pair in pairs]
    return [_sane(one, pair) for one, pair in zip(judged or [_FAILED] * len(pairs), pairs, strict=True)]


def _try(verifier: Verifier, pairs: Sequence[Pair]) -> list[Judgement] | None:
    try:
        judged = list(verifier.judge(pairs))
    except Exception:  # noqa: BLE001 - a verifier is foreign code: its failure is a verdict, never a pass
        return None
    return judged if len(judged) == len(pairs) else None


_FAILED = Judgement(label=VerdictLabel.UNVERIFIED, support_prob=None, reasons=(Reason(code=ReasonCode.VERIFIER_ERROR),))


def _sane(judgement: Judgement, pair: Pair) -> Judgement:
    """Refuse what no verifier may say: support without evidence, the step's own labels, probabilities that are none."""
    foreign = judgement.label in {VerdictLabel.MISATTRIBUTED, VerdictLabel.NOT_CHECKABLE}
    empty = not any(passage.text.strip() for passage in pair.passages)
    prob = judgement.support_prob
    broken = prob is not None and not 0.0 <= prob <= 1.0
    return _FAILED if foreign or broken or (empty and judgement.label is VerdictLabel.SUPPORTED) else judgement


def _left_out(desk: _Desk, claim: Claim) -> list[_Group]:
    """All but one cited passage, for each, when the claim stands on several."""
    ids = desk.cited(claim)
    if not 1 < len(ids) <= _MAX_JOINT or _best(desk, claim).label is not VerdictLabel.SUPPORTED:
        return []
    return [tuple(other for other in ids if other != one) for one in ids]


def _best(desk: _Desk, claim: Claim) -> Judgement:
    """The word of the cited passages: support wherever it comes from, else contradiction, else the fullest group's."""
    judged = [desk.of(claim, group) for group in desk.cited_groups(claim)]
    supported = [one for one in judged if one.label is VerdictLabel.SUPPORTED]
    if supported:
        return max(supported, key=lambda one: one.support_prob or 0.0)
    contradicted = [one for one in judged if one.label is VerdictLabel.CONTRADICTED]
    return contradicted[0] if contradicted else judged[-1]


# --- verdicts --------------------------------------------------------------------------------------


def _verdict(desk: _Desk, claim: Claim) -> Verdict:
    if claim.kind is not ClaimKind.FACTUAL:
        labels = tuple(VerdictLabel.NOT_CHECKABLE for _ in claim.citations)
        return Verdict(label=VerdictLabel.NOT_CHECKABLE, citation_labels=labels)
    if not claim.text.strip():
        labels = tuple(VerdictLabel.UNSUPPORTED for _ in claim.citations)
        return Verdict(
            label=VerdictLabel.UNSUPPORTED, support_prob=0.0, reasons=(Reason(code=ReasonCode.NO_EVIDENCE),),
            citation_labels=labels,
        )  # fmt: skip
    verdict = _factual(desk, claim)
    return dataclasses.replace(
        verdict,
        reasons=tuple(_placed(claim, reason) for reason in dict.fromkeys(verdict.reasons)),
        citation_labels=tuple(_citation_label(desk, claim, citation) for citation in claim.citations),
    )


def _factual(desk: _Desk, claim: Claim) -> Verdict:
    if not desk.cited(claim):
        return _without_passage(desk, claim)
    best = _best(desk, claim)
    if best.label is VerdictLabel.SUPPORTED:
        return Verdict(
            label=best.label, support_prob=best.support_prob, evidence=best.evidence,
            reasons=(*best.reasons, *_conflicts(desk, claim)), needless=_needless(desk, claim),
        )  # fmt: skip
    failed = any(reason.code is ReasonCode.VERIFIER_ERROR for reason in best.reasons)
    better = None if failed else _better(desk, claim)
    if better is not None:
        return _misattributed(desk, claim, better, best)
    contradicting = _contradicting(desk, claim)
    if contradicting is not None and best.label is VerdictLabel.UNSUPPORTED:
        best = contradicting
    return Verdict(
        label=best.label, support_prob=best.support_prob, evidence=best.evidence, reasons=best.reasons,
        needless=(),
    )  # fmt: skip


def _without_passage(desk: _Desk, claim: Claim) -> Verdict:
    """No citation, or none that leads anywhere."""
    code = ReasonCode.UNRESOLVED_CITATION if claim.citations else ReasonCode.UNCITED
    better = _better(desk, claim)
    contradicting = _contradicting(desk, claim) if better is None else None
    if contradicting is not None:
        return Verdict(
            label=VerdictLabel.CONTRADICTED, support_prob=contradicting.support_prob, evidence=contradicting.evidence,
            reasons=(Reason(code=code), *contradicting.reasons),
        )  # fmt: skip
    evidence = desk.of(claim, (better,)).evidence if better is not None else ()
    return Verdict(
        label=VerdictLabel.UNSUPPORTED, evidence=evidence, reasons=(Reason(code=code),), better_citation=better
    )


def _misattributed(desk: _Desk, claim: Claim, better: str, cited: Judgement) -> Verdict:
    judged = desk.of(claim, (better,))
    first = judged.evidence[0] if judged.evidence else None
    other = Reason(
        code=ReasonCode.OTHER_PASSAGE, passage_id=better,
        evidence_start=first.start if first else None, evidence_end=first.end if first else None,
    )  # fmt: skip
    return Verdict(
        label=VerdictLabel.MISATTRIBUTED, support_prob=cited.support_prob, evidence=judged.evidence,
        reasons=(other, *cited.reasons), better_citation=better,
    )  # fmt: skip


def _better(desk: _Desk, claim: Claim) -> str | None:
    """The uncited passage that supports the claim best."""
    found = [(one, desk.of(claim, (one,))) for one in desk.others(claim)]
    supported = [(one, judged) for one, judged in found if judged.label is VerdictLabel.SUPPORTED]
    return max(supported, key=lambda item: item[1].support_prob or 0.0)[0] if supported else None


def _contradicting(desk: _Desk, claim: Claim) -> Judgement | None:
    """The first of the nearest uncited passages that says otherwise."""
    judged = (desk.of(claim, (one,)) for one in desk.others(claim))
    return next((one for one in judged if one.label is VerdictLabel.CONTRADICTED), None)


def _conflicts(desk: _Desk, claim: Claim) -> tuple[Reason, ...]:
    """Why given passages contradict a claim that another one supports, the first reason of each."""
    groups = [*((one,) for one in desk.cited(claim)), *((one,) for one in desk.others(claim))]
    judged = (desk.of(claim, group) for group in groups)
    found = [one.reasons[0] for one in judged if one.label is VerdictLabel.CONTRADICTED and one.reasons]
    return tuple(found[:_MAX_CONFLICT_REASONS])


def _needless(desk: _Desk, claim: Claim) -> tuple[int, ...]:
    """Citations whose passage can go without losing support, as many as can go together; repeats of one passage too."""
    ids = desk.cited(claim)
    seen: set[str] = set()
    needless = []
    droppable = _droppable(desk, claim, ids)
    for index, citation in enumerate(claim.citations):
        if not desk.known(citation) or citation.passage_id is None:
            continue
        if citation.passage_id in droppable or citation.passage_id in seen:
            needless.append(index)
        seen.add(citation.passage_id)
    return tuple(needless)


def _droppable(desk: _Desk, claim: Claim, ids: _Group) -> set[str]:
    """Passages not needed: all that do not support alone when one does; else those that leave-one-out spares."""
    if not 1 < len(ids) <= _MAX_JOINT:
        return set()
    alone = {one for one in ids if desk.of(claim, (one,)).label is VerdictLabel.SUPPORTED}
    if alone:
        return set(ids) - alone
    spared = [one for one in ids if desk.of(claim, tuple(x for x in ids if x != one)).label is VerdictLabel.SUPPORTED]
    return set(spared[:1])


def _citation_label(desk: _Desk, claim: Claim, citation: Citation) -> VerdictLabel:
    """What the citation is worth alone. A passage needed jointly is labelled by what it gives alone: unsupported."""
    if not desk.known(citation) or citation.passage_id is None:
        return VerdictLabel.UNSUPPORTED
    return desk.of(claim, (citation.passage_id,)).label


def _placed(claim: Claim, reason: Reason) -> Reason:
    """The reason with its claim range moved from the claim's text into the answer."""
    if reason.claim_start is None or reason.claim_end is None:
        return reason
    start = _to_answer(claim, reason.claim_start)
    end = _to_answer(claim, reason.claim_end - 1) + 1 if reason.claim_end > reason.claim_start else start
    return dataclasses.replace(reason, claim_start=start, claim_end=end)


def _to_answer(claim: Claim, position: int) -> int:
    for run in claim.runs:
        if run.start <= position < run.end:
            return run.source_start + position - run.start
    return min(claim.start + position, claim.end)
