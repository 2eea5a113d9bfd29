"""What is known about one sentence as an answer to one question, as numbers between about -1 and 1."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from pincite.adapters.generators.extractive_kinds import Asked, asked, holds
from pincite.text.words import content_terms, idf

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pincite.adapters.generators.extractive_units import Unit

_NAME = re.compile(r"(?<=[\w,’'] )[A-ZÄÖÜÉ][\w&’'-]*[\w&]|\b[A-Z]{2,}[\w-]*|\b\w*\d[\w/-]*|\b\w+-\w+\b")

SENTENCE_FEATURES = (
    "covered",
    "covered_with_context",
    "covered_with_neighbours",
    "rarest_uncovered",
    "pairs",
    "cosine_sim",
    "cosine_of_passage",
    "kind_held",
    "kind_missed",
    "names_missing",
    "inverse_rank",
    "news",
    "short",
    "long",
    "asks",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Asking:
    """A question taken apart. ``weights`` are inverse document frequencies over the units that were retrieved."""

    text: str
    kind: Asked
    terms: tuple[str, ...]
    names: frozenset[str]
    weights: Mapping[str, float] = field(repr=False)

    def weight_of(self, present: Iterable[str]) -> float:
        """The share of the question's weight that these terms carry, 0 to 1; 1 for a question without terms."""
        total = sum(self.weights.values())
        have = set(present)
        return sum(w for term, w in self.weights.items() if term in have) / total if total else 1.0

    def rarest_missing(self, present: Iterable[str]) -> float:
        """Weight of the heaviest term that is not present, relative to the heaviest of all; 0 when none is missing."""
        have = set(present)
        missing = [w for term, w in self.weights.items() if term not in have]
        return max(missing, default=0.0) / max(self.weights.values(), default=1.0)


def take_apart(question: str, units: Sequence[Unit]) -> Asking:
    """Terms weighted by how few of the retrieved units hold them: what all passages say tells none of them apart."""
    wanted = tuple(dict.fromkeys(content_terms(question)))
    holding = Counter(
        term for unit in units for term in set(content_terms(f"{unit.context()} {unit.text}")) & set(wanted)
    )
    count = len(units)
    weights = {term: idf(term) * math.log(1 + (count + 0.5) / (holding[term] + 0.5)) for term in wanted}
    names = frozenset(term for match in _NAME.finditer(question) for term in content_terms(match.group()))
    return Asking(text=question, kind=asked(question), terms=wanted, names=names, weights=weights)


@dataclass(frozen=True, kw_only=True, slots=True)
class Surroundings:
    """Terms of a unit, of its title and headings, of the units beside it, and of its whole passage."""

    own: tuple[str, ...]
    context: tuple[str, ...]
    beside: tuple[str, ...]
    passage: tuple[str, ...]


def surroundings(units: Sequence[Unit]) -> list[Surroundings]:
    """One for each unit, in order."""
    own = [tuple(content_terms(unit.text)) for unit in units]
    whole: dict[str, tuple[str, ...]] = {}
    for unit, words in zip(units, own, strict=True):
        whole[unit.handle] = (*whole.get(unit.handle, ()), *words)
    found = []
    for i, unit in enumerate(units):
        near = [j for j in (i - 1, i + 1) if 0 <= j < len(units) and units[j].handle == unit.handle]
        beside = tuple(word for j in near for word in own[j])
        found.append(
            Surroundings(
                own=own[i], context=tuple(content_terms(unit.context())), beside=beside, passage=whole[unit.handle]
            )
        )
    return found


def sentence_features(
    asking: Asking, unit: Unit, around: Surroundings, *, cosine_sim: float, cosine_of_passage: float
) -> tuple[float, ...]:
    """In the order of ``SENTENCE_FEATURES``."""
    here = (*around.own, *around.context)
    near = (*here, *around.beside)
    held = holds(asking.kind, unit.text)
    length = len(around.own)
    return (
        asking.weight_of(around.own),
        asking.weight_of(here),
        asking.weight_of(near),
        asking.rarest_missing(near),
        _pairs(asking.terms, around.own),
        cosine_sim,
        cosine_of_passage,
        float(held is True),
        float(held is False),
        len(asking.names - {*here, *around.passage}) / max(1, len(asking.names)),
        1 / unit.rank,
        len(set(around.own) - set(asking.terms)) / max(1, len(set(around.own))),
        float(length < 3),  # noqa: PLR2004 - two content words are a label, not a statement
        min(1.0, length / 60),
        float(unit.text.rstrip().endswith("?")),
    )


def _pairs(question: Sequence[str], sentence: Sequence[str]) -> float:
    """The share of the question's neighbouring terms that stand within three words of each other in the sentence."""
    wanted = list(pairwise(question))
    if not wanted:
        return 0.0
    places: dict[str, list[int]] = {}
    for place, term in enumerate(sentence):
        places.setdefault(term, []).append(place)
    close = sum(any(abs(a - b) <= 3 for a in places.get(x, ()) for b in places.get(y, ())) for x, y in wanted)  # noqa: PLR2004
    return close / len(wanted)
