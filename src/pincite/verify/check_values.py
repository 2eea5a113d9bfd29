"""Numbers, units, money, dates, identifiers: every value of the claim must be said, and of the right thing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pincite.text.quantities import Bound, Kind, Quantity
from pincite.text.quantity_compare import AGREES, Comparison, Relation, compare
from pincite.text.words import idf, tokens
from pincite.types import ReasonCode
from pincite.verify.findings import Finding, Weight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.verify.analysis import Sentence
    from pincite.verify.findings import View

_RANK = {relation: rank for rank, relation in enumerate(Relation)}
_CODES = {
    Relation.UNIT_DIFFERS: ReasonCode.UNIT,
    Relation.CURRENCY_DIFFERS: ReasonCode.CURRENCY,
    Relation.BOUND_DIFFERS: ReasonCode.RANGE,
    Relation.WITHIN: ReasonCode.RANGE,
}
_BREAK = re.compile(
    r"[;:]|,\s|\s(?:and|but|while|whereas|or|versus|vs\.?|compared (?:with|to)|against|und|et|y)\s|\n|\t|\s\|\s|\s[–—]\s"
)
_MIN_BINDING_MARGIN = 2.5
"""By how much (in idf) another value's clause must fit the claim better before the value counts as misplaced."""
_SMALL = 3.0


class _Given(NamedTuple):
    passage: int
    sentence: Sentence
    value: Quantity

    def range(self) -> tuple[int, int]:
        return self.sentence.start + self.value.start, self.sentence.start + self.value.end


def check_values(view: View) -> Iterator[Finding]:
    """Findings on every value of the claim, in order."""
    given = [_Given(p, s, value) for p, s in view.sentences for value in s.values()]
    for value in view.claim.values():
        yield from _check_one(view, value, given)


def _check_one(view: View, value: Quantity, given: list[_Given]) -> Iterator[Finding]:
    ranked = sorted(
        ((compare(value, item.value), item) for item in given),
        key=lambda pair: (_RANK[pair[0].relation], -_closeness(view, pair[1])),
    )
    if ranked and ranked[0][0].relation in AGREES:
        yield from _agreeing(view, value, ranked, given)
        return
    comparison, item = ranked[0] if ranked else (Comparison(Relation.OTHER_KIND), None)
    if comparison.relation is Relation.OTHER_KIND or item is None:
        if not _said_in_words(view, value):
            yield _missing(value)
        return
    yield _mismatch(view, value, comparison, item)


def _agreeing(
    view: View, value: Quantity, ranked: list[tuple[Comparison, _Given]], given: list[_Given]
) -> Iterator[Finding]:
    agreeing = [pair for pair in ranked if pair[0].relation in AGREES]
    misplaced = _misplaced(view, value, [item for _, item in agreeing], given)
    if misplaced is not None:
        yield misplaced
        return
    comparison, item = agreeing[0]
    if comparison.relation is Relation.CONVERTED:
        yield _finding(ReasonCode.CONVERTED, Weight.NOTE, value, item)


def _misplaced(view: View, value: Quantity, mine: list[_Given], given: list[_Given]) -> Finding | None:
    """Another value of the same kind stands nearer to what the claim speaks of."""
    if value.kind in {Kind.ORDINAL, Kind.IDENTIFIER, Kind.CLOCK}:
        return None
    rivals = [item for item in given if _rival(value, item.value) and item.passage == mine[0].passage]
    if not rivals or any("respectively" in item.sentence.text.lower() for item in mine):
        return None
    wanted = _own_terms(view, value)
    own = max(_fit(view, item, wanted) for item in mine)
    best = max(rivals, key=lambda item: _fit(view, item, wanted))
    if _fit(view, best, wanted) < own + _MIN_BINDING_MARGIN:
        return None
    return _finding(ReasonCode.BINDING, Weight.CONFLICT, value, best)


def _rival(value: Quantity, other: Quantity) -> bool:
    same = value.kind is other.kind and (value.unit == other.unit or value.kind is not Kind.MEASURE)
    return same and compare(value, other).relation not in AGREES


def _own_terms(view: View, value: Quantity) -> frozenset[str]:
    """The claim's words that may belong to the value: its clause when the claim has several values, else all."""
    clauses = _clauses(view.claim.text)
    if len(view.claim.values()) > 1:
        start, end = next(((a, b) for a, b in clauses if a <= value.start < b), (0, len(view.claim.text)))
        words = [w for w in view.claim.words if start <= w.start < end]
    else:
        words = list(view.claim.words)
    return frozenset(w.stem for w in words if not w.is_stop and not w.is_number)


def _fit(view: View, item: _Given, wanted: frozenset[str]) -> float:
    """How much of ``wanted`` stands in the clause of the value (or in its column header)."""
    text = item.sentence.text
    start, end = next(((a, b) for a, b in _clauses(text) if a <= item.value.start < b), (0, len(text)))
    offset = item.sentence.start
    local = {w.stem for w in item.sentence.words if start <= w.start - offset < end and not w.is_stop}
    header = view.headers.get(item.range()[0])
    if header:
        local |= {w.stem for w in tokens(header) if not w.is_stop}
    elsewhere = item.sentence is not view.anchor
    shared = sum(idf(term) for term in wanted & item.sentence.terms) if elsewhere else 0.0
    whole = sum(idf(term) for term in wanted & view.anchor.terms) if elsewhere else 0.0
    return sum(idf(term) for term in wanted & local) - max(0.0, whole - shared) / 2


def _clauses(text: str) -> list[tuple[int, int]]:
    """Ranges between clause breaks; a comma inside a number is no break."""
    cuts = [0, *(found.end() for found in _BREAK.finditer(text)), len(text)]
    return list(zip(cuts, cuts[1:], strict=False))


def _closeness(view: View, item: _Given) -> float:
    return _fit(view, item, view.claim.terms)


def _said_in_words(view: View, value: Quantity) -> bool:
    """ "One", "a week" and ordinals that the evidence says with the same word, or small counts said as a list."""
    stems = {word.stem for _, sentence in view.sentences for word in sentence.words}
    mine = {word.stem for word in view.claim.words if value.start <= word.start < value.end}
    return bool(mine) and mine <= stems | view.context


def _missing(value: Quantity) -> Finding:
    code = ReasonCode.NUMBER_MISSING
    if value.kind is Kind.IDENTIFIER:
        code = ReasonCode.ENTITY
    elif value.kind in {Kind.DATE, Kind.CLOCK}:
        code = ReasonCode.DATE
    light = value.kind is Kind.ORDINAL or (value.spelled and value.value <= _SMALL)
    return Finding(
        code=code,
        weight=Weight.SOFT if light else Weight.HARD,
        claim_value=value.text,
        claim_range=(value.start, value.end),
    )


def _mismatch(view: View, value: Quantity, comparison: Comparison, item: _Given) -> Finding:
    code = _CODES.get(comparison.relation)
    weight = Weight.CONFLICT
    if value.kind in {Kind.DATE, Kind.CLOCK}:
        code = ReasonCode.DATE
    elif value.kind is Kind.IDENTIFIER:
        code = ReasonCode.ENTITY
    if comparison.relation in {Relation.WITHIN, Relation.LESS_PRECISE}:
        weight = Weight.HARD
    if value.bound is Bound.EXACT and comparison.relation is Relation.BOUND_DIFFERS:
        weight = Weight.HARD
    if value.kind is Kind.ORDINAL or (value.spelled and not value.unit and value.value == 1):
        weight = Weight.SOFT
    return _finding(code or ReasonCode.NUMBER_MISMATCH, weight, value, item)


def _finding(code: ReasonCode, weight: Weight, value: Quantity, item: _Given) -> Finding:
    return Finding(
        code=code, weight=weight, claim_value=value.text, evidence_value=item.value.text, passage=item.passage,
        claim_range=(value.start, value.end), evidence_range=item.range(),
    )  # fmt: skip
