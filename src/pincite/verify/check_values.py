"""Numbers, units, money, dates, identifiers: every value of the claim must be said, and of the right thing."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pincite.text.quantities import Bound, Kind, Quantity
from pincite.text.quantity_compare import AGREES, Comparison, Relation, compare
from pincite.text.quantity_tables import UNITS
from pincite.text.words import idf, tokens
from pincite.types import ReasonCode
from pincite.verify.derived import derive
from pincite.verify.findings import Finding, Weight
from pincite.verify.lexicon import SYNONYMS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.verify.analysis import Sentence
    from pincite.verify.derived import Derivation
    from pincite.verify.findings import View

_RANK = {relation: rank for rank, relation in enumerate(Relation)}
_CODES = {
    Relation.UNIT_DIFFERS: ReasonCode.UNIT,
    Relation.CURRENCY_DIFFERS: ReasonCode.CURRENCY,
    Relation.BOUND_DIFFERS: ReasonCode.RANGE,
    Relation.WITHIN: ReasonCode.RANGE,
}
_BREAK = re.compile(
    r"[;:]|,\s|\s(?:and|but|while|whereas|or|versus|vs\.?|compared (?:with|to)|against|und|et|y)\s|\n|\t|\s\|\s|\s[–—]\s"  # noqa: E501
)
_MIN_BINDING_MARGIN = 2.5
"""By how much (in idf) another value's clause must fit the claim better before the value counts as misplaced."""
_SMALL = 3.0
_LITTLE, _FEW, _MOST = 0.25, 0.34, 0.5
_TELLING = frozenset("other another before after during without under over above below".split())  # noqa: SIM905
"""Function words that tell one clause from another."""


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
    derived = derive(view.claim.text, value, [item.value for item in given])
    if derived is not None:
        yield _worked_out(value, derived, given)
        return
    comparison, item = ranked[0] if ranked else (Comparison(Relation.OTHER_KIND), None)
    if comparison.relation is Relation.OTHER_KIND or item is None:
        if not _said_in_words(view, value):
            yield _missing(value)
        return
    often = _frequency(view.claim, value, given)
    if often is not None:
        yield _finding(ReasonCode.CONVERTED, Weight.NOTE, value, often)
        return
    yield _mismatch(value, comparison, item)


def _worked_out(value: Quantity, derived: Derivation, given: list[_Given]) -> Finding:
    """The working, with the place of its first value."""
    first = given[derived.operands[0]]
    return Finding(
        code=ReasonCode.DERIVED, weight=Weight.NOTE, claim_value=value.text, evidence_value=derived.working,
        passage=first.passage, claim_range=(value.start, value.end), evidence_range=first.range(),
    )  # fmt: skip


def _frequency(claim: Sentence, value: Quantity, given: list[_Given]) -> _Given | None:
    """What says "every six hours" to a claim of "four times a day"."""
    times = _TIMES_A.match(claim.text, value.start + len(value.text.split()[0]))
    if times is None:
        return None
    whole = UNITS[times[1].lower()]
    for item in given:
        unit = UNITS.get(item.value.unit)
        every = item.sentence.text[: item.value.start].rstrip().lower().endswith("every")
        if every and unit is not None and unit.dimension == whole.dimension:
            often = whole.factor / (unit.factor * item.value.value) if item.value.value else 0.0
            if abs(often - value.value) < _EXACTLY:
                return item
    return None


_TIMES_A = re.compile(r"\s+times\s+(?:a|an|per|each|every)\s+(minute|hour|day|week|month|year)\b", re.IGNORECASE)
_EXACTLY = 1e-6


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
    others = [item for item in given if rivals(value, item.value)]
    if not others or any("respectively" in item.sentence.text.lower() for item in mine):
        return None
    wanted = _own_terms(view, value)
    for rival in others:
        near = [one for one in mine if one.sentence is rival.sentence or value.unit == rival.value.unit]
        if near == mine and all(_belongs_elsewhere(view, one, rival, wanted) for one in mine):
            return _finding(ReasonCode.BINDING, Weight.CONFLICT, value, rival)
    return None


def _belongs_elsewhere(view: View, mine: _Given, rival: _Given, wanted: frozenset[str]) -> bool:
    """Whether the claim's words are those of the rival's clause. A later clause inherits the words of an earlier one."""  # noqa: E501
    if mine.sentence is not rival.sentence:
        own, other = (
            _own(mine.sentence.terms, rival.sentence.terms, wanted),
            _own(rival.sentence.terms, mine.sentence.terms, wanted),
        )
        return other[0] >= own[0] + _MIN_BINDING_MARGIN and own[1] <= _FEW
    here, there = _local(view, mine), _local(view, rival)
    own, other = _own(here, there, wanted), _own(there, here, wanted)
    if _same_clause(mine, rival):
        return bool(view.headers) and other[1] > own[1] and own[0] == 0.0
    if rival.value.start > mine.value.start:
        return other[1] >= _MOST
    return own[2] > 0.0 and own[1] < _LITTLE and other[1] >= _FEW


def _same_clause(mine: _Given, rival: _Given) -> bool:
    return _clause_of(mine) == _clause_of(rival)


def _own(here: frozenset[str], there: frozenset[str], wanted: frozenset[str]) -> tuple[float, float, float]:
    """Of the words only ``here`` has: weight of those the claim has, their share, and the whole weight."""
    alone = here - there
    whole = sum(idf(term) for term in alone)
    hit = sum(idf(term) for term in alone & wanted)
    return hit, hit / whole if whole else 0.0, whole


def rivals(value: Quantity, other: Quantity) -> bool:
    """Two values of which a thing can have only one: the same kind, and they do not agree."""
    same = value.kind is other.kind and (value.kind is not Kind.MEASURE or _alike(value.unit, other.unit))
    return same and compare(value, other).relation not in AGREES


def _alike(unit: str, other: str) -> bool:
    """The same unit, or both units of time: weeks and months are rivals."""
    first, second = UNITS.get(unit), UNITS.get(other)
    if unit == other or first is None or second is None:
        return unit == other
    return first.dimension == second.dimension or {first.dimension, second.dimension} <= _TIMES


_TIMES = frozenset({"time", "business_time", "months"})


def _own_terms(view: View, value: Quantity) -> frozenset[str]:
    """The claim's words that may belong to the value: its clause when the claim has several values, else all."""
    clauses = _clauses(view.claim.text)
    if len(view.claim.values()) > 1:
        start, end = next(((a, b) for a, b in clauses if a <= value.start < b), (0, len(view.claim.text)))
        words = [w for w in view.claim.words if start <= w.start < end]
    else:
        words = list(view.claim.words)
    stems = {w.stem for w in words if not w.is_stop or w.folded in _TELLING}
    return frozenset(stems | {other for term in stems for other in SYNONYMS.get(term, ())})


def _fit(view: View, item: _Given, wanted: frozenset[str]) -> float:
    """How much of ``wanted`` stands in the clause of the value (or in its column header)."""
    return sum(idf(term) for term in wanted & _local(view, item))


def _clause_of(item: _Given) -> tuple[int, int]:
    text = item.sentence.text
    return next(((a, b) for a, b in _clauses(text) if a <= item.value.start < b), (0, len(text)))


def _local(view: View, item: _Given) -> frozenset[str]:
    """Stems of the value's clause and of its column header; figures left out."""
    start, end = _clause_of(item)
    offset = item.sentence.start
    words = [w for w in item.sentence.words if start <= w.start - offset < end]
    valued = item.sentence.value_terms()
    words = [w for w in words if not w.is_number and w.stem not in valued]
    local = {w.stem for w in words if not w.is_stop or w.folded in _TELLING}
    header = view.headers.get(item.range()[0])
    if header:
        local |= {w.stem for w in tokens(header) if not w.is_stop}
    return frozenset(local)


def _clauses(text: str) -> list[tuple[int, int]]:
    """Ranges between clause breaks; a comma inside a number is no break."""
    cuts = [0, *(found.end() for found in _BREAK.finditer(text)), len(text)]
    return list(pairwise(cuts))


def _closeness(view: View, item: _Given) -> float:
    return _fit(view, item, view.claim.terms)


def _said_in_words(view: View, value: Quantity) -> bool:
    """The words "One", "a week" and ordinals that the evidence says with the same word, or small counts said as a list."""  # noqa: E501
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
        decisive=not light,
    )


def _mismatch(value: Quantity, comparison: Comparison, item: _Given) -> Finding:
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
