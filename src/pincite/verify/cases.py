"""A pair made ready to be judged: words, units of evidence, and what every check and signal says of each."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.text.list_items import item_cuts
from pincite.text.pipe_tables import column_headers
from pincite.verify import lexicon
from pincite.verify.analysis import Analysed, analyse, analyse_claim, context_terms
from pincite.verify.attribution import bare, has_lead
from pincite.verify.check_binding import check_binding
from pincite.verify.check_crossed import CHECKS as CROSSED_CHECKS
from pincite.verify.check_ellipsis import CHECKS as ELLIPSIS_CHECKS
from pincite.verify.check_frame import (
    check_conditions,
    check_extra,
    check_moved,
    check_report,
    check_roles,
    check_skipped,
)
from pincite.verify.check_joined import CHECKS as JOINED_CHECKS
from pincite.verify.check_polarity import check_modality, check_negation, check_opposites, check_quantifiers
from pincite.verify.check_scope import check_reversal, check_scope
from pincite.verify.check_slots import CHECKS as SLOT_CHECKS
from pincite.verify.check_turned import CHECKS as TURNED_CHECKS
from pincite.verify.check_values import check_values
from pincite.verify.derived import without_derived
from pincite.verify.evidence import Selected, Unit, claim_weights, select
from pincite.verify.findings import Finding, View
from pincite.verify.quote import Quoted, find_claim
from pincite.verify.signals import measured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pincite.types import Pair, Passage

_CHECKS: tuple[Callable[[View], Iterator[Finding]], ...] = (
    check_values,
    check_negation,
    check_opposites,
    check_modality,
    check_quantifiers,
    check_conditions,
    check_report,
    check_roles,
    check_binding,
    check_scope,
    check_reversal,
    check_moved,
    check_skipped,
    check_extra,
    *SLOT_CHECKS,
    *CROSSED_CHECKS,
    *ELLIPSIS_CHECKS,
    *JOINED_CHECKS,
    *TURNED_CHECKS,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Examined:
    """One unit with what the checks found and the signals measured."""

    unit: Unit
    findings: tuple[Finding, ...]
    signals: dict[str, float]
    heard: set[str] = field(default_factory=set)
    """Names of plugged-in signals that have measured this unit."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """A pair made ready: passages sorted by text, so that their order cannot matter."""

    pair: Pair
    claim: Analysed
    passages: tuple[Passage, ...]
    analysed: tuple[Analysed, ...]


def prepare(pair: Pair) -> Case | None:
    """The case, or ``None`` when there is no claim or no evidence to speak of."""
    passages = sorted((p for p in pair.passages if p.text.strip()), key=lambda p: (p.text, p.passage_id))
    analysed = tuple(analyse(p.text, item_cuts(p)) for p in passages)
    claim = _said(pair.claim, passages, analysed)
    if not passages or not analyse_claim(claim).sentences[0].words:
        return None
    return Case(
        pair=dataclasses.replace(pair, claim=claim),
        claim=analyse_claim(claim),
        passages=tuple(passages),
        analysed=analysed,
    )


def _said(claim: str, passages: Sequence[Passage], analysed: Sequence[Analysed]) -> str:
    """The claim without the words that only name its source, when the evidence is that source."""
    if not has_lead(claim):
        return claim
    terms = (sentence.terms for passage in analysed for sentence in passage.sentences)
    return bare(claim, frozenset().union(*terms, *map(context_terms, passages)))


def quoted_in(case: Case) -> tuple[int, Quoted] | None:
    """The passage, by number, that has the claim word for word, or after the fewest folds."""
    found = [
        (number, quoted)
        for number, passage in enumerate(case.analysed)
        if (quoted := find_claim(case.pair.claim, passage))
    ]
    return min(found, key=lambda item: (len(item[1].match.folds_used), item[0]), default=None)


def examine_all(case: Case) -> list[Examined]:
    """Every unit of evidence with its findings and built-in signals; empty when nothing shares a word."""
    claim = case.claim.sentences[0]
    contexts = [context_terms(passage) for passage in case.passages]
    selected = select(claim_weights(claim), claim.value_terms(), case.analysed, contexts)
    headers = [_headers(passage) for passage in case.passages]
    return [_one(case, unit, selected, contexts, headers) for unit in selected.units]


def _one(
    case: Case, unit: Unit, selected: Selected, contexts: Sequence[frozenset[str]], headers: Sequence[dict[int, str]]
) -> Examined:
    sentences = tuple((p, case.analysed[p].sentences[s]) for p, s in unit.places)
    stems = {word.stem for _, sentence in sentences for word in sentence.words}
    near = {other for term in stems for other in lexicon.SYNONYMS.get(term, ())}
    context = frozenset(term for p, _ in unit.places for term in contexts[p])
    if any(word.folded in lexicon.FIRST_PERSON for _, sentence in sentences for word in sentence.words):
        near |= lexicon.SPEAKERS
    view = View(
        claim=case.claim.sentences[0], sentences=sentences, licensed=frozenset(stems | near | context), context=context,
        coverage=unit.coverage, headers=headers[unit.places[0].passage],
        after=case.analysed[unit.places[0].passage].sentences[unit.places[0].sentence + 1 :][:1],
        around=case.analysed[unit.places[0].passage].sentences,
        joint=tuple((p, case.analysed[p].sentences[s]) for p, s in selected.units[-1].places),
    )  # fmt: skip
    findings = without_derived(tuple(finding for check in _CHECKS for finding in check(view)))
    return Examined(unit=unit, findings=findings, signals=measured(view, selected, findings))


def _headers(passage: Passage) -> dict[int, str]:
    """Column header by every position of its cells, in the passage's text. A table in plain text is read too."""
    if not passage.cells:
        return column_headers(passage.text)
    return {
        at: cell.header
        for cell in passage.cells
        if cell.header
        for at in range(max(cell.start - passage.start, 0), min(cell.end, passage.end) - passage.start)
    }
