"""Values that a claim works out from those of the evidence: sums, differences, changes, shares and rates.

Only where the claim says that it does ("in total", "difference", "rose by", "per year"), and the working is shown in
the verdict. A number that merely happens to be a sum of two others supports nothing.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from pincite.text.quantities import Bound, Kind
from pincite.types import ReasonCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pincite.text.quantities import Quantity
    from pincite.verify.findings import Finding

_TOTAL = re.compile(
    r"\b(?:in total|totals?|totall?ing|altogether|combined|together|the sum|sum of|in all|add(?:s|ed)? up|overall)\b",
    re.IGNORECASE,
)
_APART = re.compile(r"\b(?:differences?|differs?|gap|by)\b", re.IGNORECASE)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
"""Which of the two is the larger cannot be told from the values alone, so "15 more than" is left underived."""
_CHANGE = re.compile(
    r"\b(?:increas|decreas|ris(?:e|es|en|ing)\b|rose|f[ae]ll|drop|grow|grew|reduc|rais|cut|went|climb|up\b|down\b)\w*",
    re.IGNORECASE,
)
_SHARE = re.compile(r"\b(?:of|share|proportion|rate)\b", re.IGNORECASE)
_PERIODS = {
    ("month", "year"): 12.0, ("quarter", "year"): 4.0, ("month", "quarter"): 3.0, ("day", "week"): 7.0,
    ("week", "fortnight"): 2.0, ("minute", "hour"): 60.0, ("second", "minute"): 60.0, ("month", "annum"): 12.0,
    ("quarter", "annum"): 4.0, ("hour", "day"): 24.0,
}  # fmt: skip
_COUNTED = frozenset({Kind.MONEY, Kind.MEASURE, Kind.NUMBER, Kind.PERCENT})
_MOST_ADDENDS = 5
_MOST_VALUES = 10
_REL_TOL = 1e-6
_HALF_PERCENT = 0.5


class Derivation(NamedTuple):
    """Which values, by number in what was given, make the claim's, and the working as a reader would write it."""

    operands: tuple[int, ...]
    working: str


def other_period(value: Quantity, given: Sequence[Quantity]) -> Derivation | None:
    """The rate that ``value`` is, brought to another period: "EUR 120 a year" of "EUR 10 a month"."""
    for i, q in enumerate(given):
        if (q.kind, q.unit, q.bound) != (value.kind, value.unit, value.bound) or q.kind not in _COUNTED:
            continue
        times, parts = _PERIODS.get((q.per, value.per)), _PERIODS.get((value.per, q.per))
        if times is not None and _close(q.value * times, value.value):
            return Derivation((i,), f"{q.text} x {times:g} = {value.text}")
        if parts is not None and _close(q.value / parts, value.value):
            return Derivation((i,), f"{q.text} / {parts:g} = {value.text}")
    return None


def derive(text: str, value: Quantity, given: Sequence[Quantity]) -> Derivation | None:
    """How ``value`` of a claim ``text`` follows from ``given``, or ``None``. Bounded ones and dates never do.

    Sums are of two to five values of one unit, differences and changes of two; a share is part over whole.
    """
    if value.kind not in _COUNTED or value.bound is not Bound.EXACT:
        return None
    plain = [(i, q) for i, q in enumerate(given[:_MOST_VALUES]) if q.bound is Bound.EXACT and q.high is None]
    return next((found for way in _WAYS for found in way(text, value, plain)), None)


_Numbered = list[tuple[int, "Quantity"]]


def _total(text: str, value: Quantity, given: _Numbered) -> Iterator[Derivation]:
    if not _TOTAL.search(text):
        return
    same = [(i, q) for i, q in given if _alike(value, q)]
    for size in range(min(len(same), _MOST_ADDENDS), 1, -1):
        for chosen in combinations(same, size):
            if _close(sum(q.value for _, q in chosen), value.value):
                yield _shown(chosen, " + ", value)


def _apart(text: str, value: Quantity, given: _Numbered) -> Iterator[Derivation]:
    if _THAN.search(text) or not _APART.search(text):
        return
    same = [(i, q) for i, q in given if _alike(value, q)]
    for pair in combinations(same, 2):
        (_, a), (_, b) = pair
        if a.value != b.value and _close(abs(a.value - b.value), value.value):
            yield _shown(sorted(pair, key=lambda item: -item[1].value), " - ", value)


def _change(text: str, value: Quantity, given: _Numbered) -> Iterator[Derivation]:
    if value.kind is not Kind.PERCENT or not _CHANGE.search(text):
        return
    for (i, before), (j, after) in combinations([(i, q) for i, q in given if q.kind is not Kind.PERCENT], 2):
        if _alike(before, after) and before.value:
            change = abs(after.value - before.value) / before.value * 100
            if _rounded(change, value):
                yield Derivation((i, j), f"from {before.text} to {after.text} = {value.text}")


def _share(text: str, value: Quantity, given: _Numbered) -> Iterator[Derivation]:
    if value.kind is not Kind.PERCENT or not _SHARE.search(text):
        return
    for pair in combinations([(i, q) for i, q in given if q.kind is not Kind.PERCENT], 2):
        (i, part), (j, whole) = sorted(pair, key=lambda item: item[1].value)
        if _alike(part, whole) and whole.value and _rounded(part.value / whole.value * 100, value):
            yield Derivation((i, j), f"{part.text} / {whole.text} = {value.text}")


_WAYS: tuple[Callable[[str, Quantity, _Numbered], Iterator[Derivation]], ...] = (_total, _apart, _change, _share)


def _alike(first: Quantity, second: Quantity) -> bool:
    """The same kind, unit and period; a bare count goes with a bare count."""
    return (first.kind, first.unit, first.per) == (second.kind, second.unit, second.per)


def _close(first: float, second: float) -> bool:
    return abs(first - second) <= _REL_TOL * max(abs(first), abs(second), 1.0)


def _rounded(exact: float, value: Quantity) -> bool:
    """Equal, or to whole per cents where the claim gives whole ones."""
    whole = float(value.value).is_integer()
    return _close(exact, value.value) or (whole and abs(exact - value.value) < _HALF_PERCENT and value.approximate)


def _shown(chosen: Sequence[tuple[int, Quantity]], sign: str, value: Quantity) -> Derivation:
    return Derivation(tuple(i for i, _ in chosen), f"{sign.join(q.text for _, q in chosen)} = {value.text}")


def without_derived(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings less those that miss in the evidence what is worked out: the value itself and the word for it."""
    derived = [f.claim_range for f in findings if f.code is ReasonCode.DERIVED and f.claim_range]
    if not derived:
        return findings
    return tuple(f for f in findings if f.code is ReasonCode.DERIVED or not (_inside(f, derived) or _is_cue(f)))


def _inside(finding: Finding, ranges: Sequence[tuple[int, int]]) -> bool:
    mine = finding.claim_range
    return mine is not None and any(start <= mine[0] < end for start, end in ranges)


def _is_cue(finding: Finding) -> bool:
    said = finding.claim_value or ""
    return finding.code is ReasonCode.EXTRA_DETAIL and any(cue.search(said) for cue in (_TOTAL, _APART))
