"""Which sentences of the passages a claim is held against: the best one, its neighbourhood, the best few together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pincite.text.words import idf
from pincite.verify.lexicon import SYNONYMS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pincite.verify.analysis import Analysed, Sentence

SYNONYM_WEIGHT = 0.9
CONTEXT_WEIGHT = 0.8
"""What a word counts that only a synonym, or only the title or a heading, licenses."""
_NUMBER_WEIGHT = 4.0
_MIN_GAIN = 0.08
"""A further sentence joins only when it licenses this share of the claim's words."""
_MAX_JOINT = 3


class Place(NamedTuple):
    """One sentence of one passage, by index."""

    passage: int
    sentence: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Unit:
    """Sentences taken together, the one with most of the claim first, and the share of the claim that they license."""

    places: tuple[Place, ...]
    coverage: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Selected:
    """The units, smallest first, and the share of the claim's words that the whole passages license."""

    units: tuple[Unit, ...]
    best: float
    window: float
    joint: float
    everything: float


def claim_weights(claim: Sentence) -> dict[str, float]:
    """Content stems of a claim with their weight."""
    return {word.stem: _NUMBER_WEIGHT if word.is_number else idf(word.stem) for word in claim.words if not word.is_stop}


def select(
    weights: Mapping[str, float],
    valued: frozenset[str],
    passages: Sequence[Analysed],
    contexts: Sequence[frozenset[str]],
) -> Selected:
    """Choose the units. Words of quantities (``valued``) help to choose but are no part of any coverage.

    Ties go to the earlier sentence of the passage whose text sorts first: order never matters.
    """
    total = sum(weights.values())
    licensed = _licensed(weights, passages)
    if not licensed or not total:
        return Selected(units=(), best=0.0, window=0.0, joint=0.0, everything=0.0)
    shared = {term: CONTEXT_WEIGHT * w for term, w in weights.items() if any(term in context for context in contexts)}

    def value(places: Sequence[Place]) -> float:
        got = dict(shared)
        for place in places:
            for term, amount in licensed[place].items():
                got[term] = max(got.get(term, 0.0), amount)
        return sum(got.values()) / total

    order = sorted(licensed, key=lambda place: (-value([place]), passages[place.passage].text, place.sentence))
    best = order[0]
    window = _window(best, licensed, value)
    joint = _joint(best, order, value)
    worded = {term: weight for term, weight in weights.items() if term not in valued} or weights

    def coverage(places: Sequence[Place]) -> float:
        got = {term: amount for term, amount in shared.items() if term in worded}
        for place in places:
            for term, amount in licensed[place].items():
                if term in worded:
                    got[term] = max(got.get(term, 0.0), amount)
        return sum(got.values()) / sum(worded.values())

    units = [Unit(places=places, coverage=coverage(places)) for places in dict.fromkeys(((best,), window, joint))]
    return Selected(
        units=tuple(units), best=coverage([best]), window=coverage(window), joint=coverage(joint),
        everything=coverage(list(licensed)),
    )  # fmt: skip


def _licensed(weights: Mapping[str, float], passages: Sequence[Analysed]) -> dict[Place, dict[str, float]]:
    """For every sentence that shares a word with the claim: the claim's stems it licenses, weighted."""
    found: dict[Place, dict[str, float]] = {}
    for term, weight in weights.items():
        for number, passage in enumerate(passages):
            for other in (term, *SYNONYMS.get(term, ())):
                amount = weight if other == term else weight * SYNONYM_WEIGHT
                for sentence in passage.places.get(other, ()):
                    mine = found.setdefault(Place(number, sentence), {})
                    mine[term] = max(mine.get(term, 0.0), amount)
    return found


def _window(best: Place, licensed: Mapping[Place, Mapping[str, float]], value: _Value) -> tuple[Place, ...]:
    """The best sentence with those neighbours that add to it."""
    before, after = Place(best.passage, best.sentence - 1), Place(best.passage, best.sentence + 1)
    window = [best]
    for neighbour in (before, after):
        if neighbour in licensed and value([*window, neighbour]) >= value(window) + _MIN_GAIN / 2:
            window.append(neighbour)
    return tuple(window)


def _joint(best: Place, order: Sequence[Place], value: _Value) -> tuple[Place, ...]:
    """Greedy: the sentences that together license most."""
    chosen = [best]
    for _ in range(_MAX_JOINT - 1):
        have = value(chosen)
        gains = [
            (value([*chosen, place]), -index, place)
            for index, place in enumerate(order[:_CANDIDATES])
            if place not in chosen
        ]
        top = max(gains, default=None)
        if top is None or top[0] < have + _MIN_GAIN:
            break
        chosen.append(top[2])
    return tuple(chosen)


_CANDIDATES = 24

if TYPE_CHECKING:
    from collections.abc import Callable

    _Value = Callable[[Sequence[Place]], float]
