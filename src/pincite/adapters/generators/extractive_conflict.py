"""Two documents that give different values for the same thing: 30 days here, 45 days there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from pincite.scope import Precedence, precedence
from pincite.text.quantities import Kind, quantities
from pincite.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.adapters.generators.extractive_units import Unit
    from pincite.text.quantities import Quantity

LOOKED_AT = 8
MIN_PROB_SHARE = 0.5
"""Both sides must be at least this likely relative to the best unit."""
MIN_COMMON = 0.6
"""Least share of the shorter unit's content words (numbers aside) that the other one must share. At a half, what is
kept in backups was taken to contradict what is kept on servers (tests/adapters/generators/test_extractive_conflict.py).
"""
_SUBJECT_WORDS = 2
_OBJECT = re.compile(
    r"\b(?:from|in|on|for|of|by|at|to|under|with|aus|auf|bei|für|von|en|de|para|dans|sur|pour)\s+"
    r"(?:(?:the|a|an|our|your|its|their|all|any|each|der|die|das|den|dem|el|la|los|las|le|les)\s+)*([^\W\d_]{2,})",
    re.IGNORECASE,
)
_COMPARED = frozenset({Kind.PERCENT, Kind.MONEY, Kind.MEASURE})


@dataclass(frozen=True, kw_only=True, slots=True)
class Conflict:
    """Two units of different documents and the values in which they differ.

    ``settled``: ``left`` is written for a narrower scope than ``right``, so it applies there and nothing is in dispute.
    """

    left: Unit
    right: Unit
    left_value: str
    right_value: str
    settled: bool = False


def find_conflict(ranked: Sequence[tuple[Unit, float]]) -> Conflict | None:
    """The first pair, best first, that speaks of the same thing with different values of one unit.

    Units with more than one value of that unit are not compared: one that holds both values takes neither side.
    Nor are versions for scopes that never meet (India, Spain), nor states of one record. A rule for India against one
    for the world is settled; one for India against one for the Gold plan is not: neither is more specific.
    """
    if not ranked:
        return None
    floor = ranked[0][1] * MIN_PROB_SHARE
    able = [unit for unit, prob in ranked[:LOOKED_AT] if prob >= floor]
    for left, right in combinations(able, 2):
        first = precedence(left.passage.attributes, right.passage.attributes)
        if left.passage.document_id == right.passage.document_id or first is Precedence.BOTH:
            continue
        differing = _differing(left, right)
        if differing is not None and _common(left, right) >= MIN_COMMON and not _about_other_things(left, right):
            return _conflict(left, right, differing, first)
    return None


def _conflict(left: Unit, right: Unit, differing: tuple[Quantity, Quantity], first: Precedence) -> Conflict:
    mine, theirs = differing[0].text, differing[1].text
    if first is Precedence.RIGHT:
        left, right, mine, theirs = right, left, theirs, mine
    return Conflict(
        left=left, right=right, left_value=mine, right_value=theirs, settled=first is not Precedence.CONFLICT
    )


def _differing(left: Unit, right: Unit) -> tuple[Quantity, Quantity] | None:
    mine, theirs = _single(left), _single(right)
    for key in sorted(mine.keys() & theirs.keys()):
        if (mine[key].value, mine[key].high) != (theirs[key].value, theirs[key].high):
            return mine[key], theirs[key]
    return None


def _single(unit: Unit) -> dict[tuple[str, str, str], Quantity]:
    """Values that are the only one of their unit in the sentence."""
    found: dict[tuple[str, str, str], list[Quantity]] = {}
    for quantity in quantities(unit.text):
        if quantity.kind in _COMPARED:
            found.setdefault((quantity.kind.value, quantity.unit, quantity.per), []).append(quantity)
    return {key: items[0] for key, items in found.items() if len(items) == 1}


def _common(left: Unit, right: Unit) -> float:
    a, b = _words(left), _words(right)
    return len(a & b) / max(1, min(len(a), len(b)))


def _about_other_things(left: Unit, right: Unit) -> bool:
    """Whether each has a word of its own for its subject, or behind a preposition: backups here, servers there."""
    a, b = _words(left), _words(right)
    mine, theirs = a - b, b - a
    if not mine or not theirs:
        return False
    opening = (set(_opening(left)) & mine, set(_opening(right)) & theirs)
    objects = (_objects(left) & mine, _objects(right) & theirs)
    return all(opening) or all(objects)


def _opening(unit: Unit) -> list[str]:
    return [term for term in content_terms(unit.text) if term in _words(unit)][:_SUBJECT_WORDS]


def _objects(unit: Unit) -> set[str]:
    return {term for match in _OBJECT.finditer(unit.text) for term in content_terms(match[1])}


def _words(unit: Unit) -> set[str]:
    numbers = {term for quantity in quantities(unit.text) for term in content_terms(quantity.text)}
    return set(content_terms(unit.text)) - numbers
