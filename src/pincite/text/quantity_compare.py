"""Whether one quantity says what another says, and by which named conversion."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import NamedTuple

from pincite.text.dates import PartialDate
from pincite.text.quantities import Bound, Kind, Quantity
from pincite.text.quantity_tables import UNITS

_REL_TOL = 1e-6
_ROUND_TOL = 0.05
"""How far "about" may be off, as a share of the value, whatever the digits say."""
_CENT = 100.0
_BINARY = 1024 / 1000


class Relation(StrEnum):
    """How a claim's quantity stands to one of the evidence."""

    EQUAL = "equal"
    CONVERTED = "converted"
    WITHIN = "within"
    UNIT_UNSTATED = "unit_unstated"
    VALUE_DIFFERS = "value_differs"
    UNIT_DIFFERS = "unit_differs"
    CURRENCY_DIFFERS = "currency_differs"
    BOUND_DIFFERS = "bound_differs"
    LESS_PRECISE = "less_precise"
    OTHER_KIND = "other_kind"


class Comparison(NamedTuple):
    """The relation and, when converted, how ("unit", "scale", "number word", "rounding", "bound", "date")."""

    relation: Relation
    how: str = ""


AGREES = frozenset({Relation.EQUAL, Relation.CONVERTED, Relation.UNIT_UNSTATED})
_LOWER = frozenset({Bound.AT_LEAST, Bound.OVER})
_UPPER = frozenset({Bound.AT_MOST, Bound.UNDER})


def compare(claim: Quantity, evidence: Quantity) -> Comparison:
    """What the claim's quantity is to the evidence's. Never symmetric: the evidence may say more, not less."""
    if Kind.IDENTIFIER in {claim.kind, evidence.kind}:
        return _identifiers(claim, evidence)
    if claim.date is not None and evidence.date is not None:
        return compare_dates(claim.date, evidence.date)
    if claim.date is not None or evidence.date is not None:
        return _year_and_number(claim, evidence)
    if Kind.ORDINAL in {claim.kind, evidence.kind} and claim.kind != evidence.kind:
        return Comparison(Relation.OTHER_KIND)
    return _numbers(claim, evidence)


def _identifiers(claim: Quantity, evidence: Quantity) -> Comparison:
    if claim.kind is not evidence.kind:
        return Comparison(Relation.OTHER_KIND)
    same = _plain(claim.text) == _plain(evidence.text)
    return Comparison(Relation.EQUAL if same else Relation.VALUE_DIFFERS)


def _plain(text: str) -> str:
    text = text.casefold()
    for long, short in (("section", "§"), ("sec.", "§"), ("sections", "§"), ("article", "art."), ("paragraph", "para")):
        text = text.replace(long, short)
    return "".join(char for char in text if char.isalnum() or char in "§@/.")


def _year_and_number(claim: Quantity, evidence: Quantity) -> Comparison:
    dated, number = (claim, evidence) if claim.date else (evidence, claim)
    if dated.date == PartialDate(year=int(number.value)) and not number.unit:
        return Comparison(Relation.EQUAL)
    return Comparison(Relation.OTHER_KIND)


def compare_dates(claim: PartialDate, evidence: PartialDate) -> Comparison:
    """Every part that the claim names must be named, and equal, in the evidence."""
    if (claim.minute is None) != (evidence.minute is None):
        return Comparison(Relation.OTHER_KIND)
    if claim.decade is not None and evidence.year is not None:
        inside = claim.decade <= evidence.year < claim.decade + 10
        return Comparison(Relation.CONVERTED, "date") if inside else Comparison(Relation.VALUE_DIFFERS)
    missing = False
    how = ""
    for name in ("year", "quarter", "half", "month", "day", "weekday", "minute", "decade"):
        wanted, given = getattr(claim, name), getattr(evidence, name)
        if wanted is None:
            continue
        if given is None and evidence.month is not None and name in {"quarter", "half"}:
            given, how = (evidence.month - 1) // (3 if name == "quarter" else 6) + 1, "date"
        if given is None:
            missing = True
        elif wanted != given and not _swaps(claim, evidence):
            return Comparison(Relation.VALUE_DIFFERS)
    if missing:
        shared = any(
            getattr(claim, n) is not None and getattr(claim, n) == getattr(evidence, n)
            for n in PartialDate._fields[:-1]
        )
        return Comparison(Relation.LESS_PRECISE if shared else Relation.OTHER_KIND)
    return Comparison(Relation.CONVERTED, how) if how else Comparison(Relation.EQUAL)


def _swaps(claim: PartialDate, evidence: PartialDate) -> bool:
    return (claim.swapped or evidence.swapped) and (claim.year, claim.month, claim.day) in {
        (evidence.year, evidence.day, evidence.month),
        (evidence.year, evidence.month, evidence.day),
    }


def _numbers(claim: Quantity, evidence: Quantity) -> Comparison:  # noqa: PLR0911
    scaled = _in_base(claim, evidence)
    if isinstance(scaled, Relation):
        return Comparison(scaled)
    (low, high), (given_low, given_high), how, unstated = scaled
    if claim.per and evidence.per and claim.per != evidence.per:
        return Comparison(Relation.UNIT_DIFFERS)
    if claim.bound is Bound.RANGE or evidence.bound is Bound.RANGE:
        return _ranges((low, high), (given_low, given_high), claim, evidence, how)
    if _same(low, given_low) or _ambiguous(claim, evidence):
        return _bounds(claim, evidence, how, unstated=unstated)
    if _satisfied(low, given_low, claim, evidence):
        return Comparison(Relation.CONVERTED, "bound")
    if how == "unit" and abs(low - given_low) <= _half_digit(claim):
        return Comparison(Relation.CONVERTED, "rounding")
    if claim.approximate and _rounds_to(given_low, low):
        return Comparison(Relation.CONVERTED, "rounding")
    return Comparison(Relation.VALUE_DIFFERS)


_Interval = tuple[float, float]
_PHYSICAL = frozenset({"length", "mass", "volume", "area", "temperature", "speed"})


def _half_digit(claim: Quantity) -> float:
    """What rounding a physical measure to whole units may hide, in base units; nothing for time, data or money."""
    unit = UNITS.get(claim.unit)
    return unit.factor / 2 if unit is not None and unit.dimension in _PHYSICAL else 0.0


def _in_base(claim: Quantity, evidence: Quantity) -> tuple[_Interval, _Interval, str, bool] | Relation:  # noqa: PLR0911
    """Both as intervals in one unit, or why they cannot be."""
    mine, given = (claim.value, claim.high or claim.value), (evidence.value, evidence.high or evidence.value)
    how = "number word" if claim.spelled != evidence.spelled else ""
    if claim.kind is evidence.kind and claim.unit == evidence.unit:
        return mine, given, how, False
    if Kind.NUMBER in {claim.kind, evidence.kind}:
        return mine, given, how, claim.kind is not Kind.NUMBER
    if claim.kind is Kind.MONEY and evidence.kind is Kind.MONEY:
        return _money(claim, evidence)
    if {claim.kind, evidence.kind} == {Kind.PERCENT, Kind.POINTS}:
        return Relation.UNIT_DIFFERS
    if claim.kind is not Kind.MEASURE or evidence.kind is not Kind.MEASURE:
        return Relation.OTHER_KIND
    mine_unit, given_unit = UNITS[claim.unit], UNITS[evidence.unit]
    if mine_unit.dimension != given_unit.dimension:
        times = {"time", "business_time", "months"}
        return Relation.UNIT_DIFFERS if {mine_unit.dimension, given_unit.dimension} <= times else Relation.OTHER_KIND
    return _based(mine, claim.unit), _based(given, evidence.unit), how or "unit", False


def _based(interval: _Interval, unit: str) -> _Interval:
    known = UNITS[unit]
    return interval[0] * known.factor + known.offset, interval[1] * known.factor + known.offset


def _money(claim: Quantity, evidence: Quantity) -> tuple[_Interval, _Interval, str, bool] | Relation:
    minor = {"USc": "USD", "GBp": "GBP"}
    if minor.get(claim.unit, claim.unit) != minor.get(evidence.unit, evidence.unit):
        return Relation.CURRENCY_DIFFERS
    mine = claim.value / (_CENT if claim.unit in minor else 1)
    given = evidence.value / (_CENT if evidence.unit in minor else 1)
    return (mine, mine), (given, given), "unit", False


def _rounds_to(given: float, claimed: float) -> bool:
    """Whether ``claimed`` is ``given`` with fewer digits: half of its last digit at most, and never more than 5 %."""
    digits, given_digits = _significant(claimed), _significant(given)
    if not given or not claimed or digits >= given_digits:
        return False
    last = 10.0 ** (math.floor(math.log10(abs(claimed))) + 1 - digits)
    return abs(given - claimed) <= min(last / 2, _ROUND_TOL * abs(given)) + 1e-12


def _significant(value: float) -> int:
    return len(f"{abs(value):.12g}".replace(".", "").strip("0")) or 1


def _same(first: float, second: float) -> bool:
    return math.isclose(first, second, rel_tol=_REL_TOL, abs_tol=1e-12)


def _ambiguous(claim: Quantity, evidence: Quantity) -> bool:
    if claim.unit != evidence.unit:
        return False
    mine = [value for value in (claim.value, claim.other_value) if value is not None]
    given = [value for value in (evidence.value, evidence.other_value) if value is not None]
    return (len(mine) > 1 or len(given) > 1) and any(_same(a, b) for a in mine for b in given)


def _bounds(claim: Quantity, evidence: Quantity, how: str, *, unstated: bool) -> Comparison:
    mine, given = claim.bound, evidence.bound
    if (mine in _LOWER and given in _UPPER) or (mine in _UPPER and given in _LOWER):
        return Comparison(Relation.BOUND_DIFFERS)
    if {mine, given} in ({Bound.OVER, Bound.AT_LEAST}, {Bound.UNDER, Bound.AT_MOST}):
        return Comparison(Relation.BOUND_DIFFERS)
    if mine is Bound.EXACT and given in {Bound.OVER, Bound.UNDER}:
        return Comparison(Relation.BOUND_DIFFERS)
    if mine in {Bound.OVER, Bound.UNDER} and given is Bound.EXACT:
        return Comparison(Relation.BOUND_DIFFERS)
    if unstated:
        return Comparison(Relation.UNIT_UNSTATED)
    return Comparison(Relation.CONVERTED, how) if how else Comparison(Relation.EQUAL)


def _satisfied(mine: float, given: float, claim: Quantity, evidence: Quantity) -> bool:
    """A comparison that the evidence's plain figure meets: "more than 100" where the evidence says 150.

    Only for figures. "Within 45 days" or "at most 300" is how a rule is written, and where the evidence has 30 days
    or 210 it is another rule, however true it would be of a single case.
    """
    if evidence.bound is not Bound.EXACT:
        return False
    return (claim.bound is Bound.OVER and given > mine) or (claim.bound is Bound.UNDER and given < mine)


def _ranges(mine: _Interval, given: _Interval, claim: Quantity, evidence: Quantity, how: str) -> Comparison:
    if claim.bound is Bound.RANGE and evidence.bound is Bound.RANGE:
        slack = _half_digit(claim) if how == "unit" else 0.0
        same = all(_same(a, b) or abs(a - b) <= slack for a, b in zip(mine, given, strict=True))
        return (
            Comparison(Relation.CONVERTED if how else Relation.EQUAL, how)
            if same
            else Comparison(Relation.VALUE_DIFFERS)
        )
    if evidence.bound is Bound.RANGE:
        if claim.bound in _UPPER and _same(mine[0], given[1]):
            return Comparison(Relation.CONVERTED, "bound")
        if claim.bound in _LOWER and _same(mine[0], given[0]):
            return Comparison(Relation.CONVERTED, "bound")
        inside = given[0] <= mine[0] <= given[1]
        return Comparison(Relation.WITHIN if inside else Relation.VALUE_DIFFERS)
    inside = evidence.bound is Bound.EXACT and mine[0] <= given[0] <= mine[1]
    return Comparison(Relation.CONVERTED, "bound") if inside else Comparison(Relation.VALUE_DIFFERS)
