"""Two small logistic models: which sentence answers, and whether any does. Their coefficients are a file to read."""

from __future__ import annotations

import functools
import json
import math
from collections import defaultdict
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from pincite.adapters.generators.extractive_features import (
    SENTENCE_FEATURES,
    Asking,
    sentence_features,
    surroundings,
    take_apart,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pincite.adapters.generators.extractive_features import Surroundings
    from pincite.adapters.generators.extractive_units import Unit
    from pincite.protocols import Embedder

EMBEDDED_UNITS = 24
"""Sentences that are embedded; the others hold too little of the question. Cost: benchmarks/quality/answer.py."""

ANSWER_FEATURES = (
    "best_logit",
    "best_cosine_sim",
    "highest_cosine_sim",
    "best_covered",
    "best_rarest_uncovered",
    "absent_everywhere",
    "best_kind_missed",
    "best_names_missing",
    "question_terms",
    "best_inverse_rank",
)
_FILE = "extractive_model.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class Logistic:
    """probability = 1 / (1 + exp(-(intercept + sum of weight times feature)))."""

    intercept: float
    weights: Mapping[str, float]

    def logit(self, names: Sequence[str], values: Sequence[float]) -> float:
        """Log odds; every name must have a weight."""
        return self.intercept + sum(self.weights[n] * v for n, v in zip(names, values, strict=True))


@dataclass(frozen=True, kw_only=True, slots=True)
class Models:
    """Chosen by benchmarks/quality/fit_answerability.py, which writes the file."""

    sentence: Logistic
    answer: Logistic


@functools.cache
def models() -> Models:
    """The shipped coefficients."""
    raw = json.loads(resources.files("pincite.adapters.generators").joinpath(_FILE).read_text(encoding="utf-8"))
    return Models(sentence=Logistic(**raw["sentence"]), answer=Logistic(**raw["answer"]))


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A unit with its features, in the order of ``SENTENCE_FEATURES``."""

    unit: Unit
    values: tuple[float, ...]

    def value(self, name: str) -> float:
        """One feature by name."""
        return self.values[SENTENCE_FEATURES.index(name)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """The question taken apart and the rows of the units that were looked at closely, in passage order.

    ``absent`` is the share of the question's weight that no retrieved passage mentions.
    """

    asking: Asking
    rows: tuple[Row, ...]
    absent: float


def rows_of(question: str, units: Sequence[Unit], *, embedder: Embedder, query_vector: Sequence[float]) -> Rows:
    """Features of the most promising units. ``query_vector`` may be empty: the question is embedded then."""
    asking = take_apart(question, units)
    around = surroundings(units)
    chosen = _promising(asking, units, around)
    cosines = _cosines(question, [units[i].text for i in chosen], embedder, query_vector)
    best: dict[str, float] = defaultdict(lambda: -1.0)
    for i, cosine in zip(chosen, cosines, strict=True):
        best[units[i].handle] = max(best[units[i].handle], cosine)
    rows = tuple(
        Row(
            unit=units[i],
            values=sentence_features(
                asking, units[i], around[i], cosine_sim=cosine, cosine_of_passage=best[units[i].handle]
            ),
        )
        for i, cosine in zip(chosen, cosines, strict=True)
    )
    everywhere = {term for near in around for term in (*near.own, *near.context)}
    return Rows(asking=asking, rows=rows, absent=1 - asking.weight_of(everywhere))


def answer_features(rows: Rows, logits: Sequence[float]) -> tuple[float, ...]:
    """In the order of ``ANSWER_FEATURES``; ``logits`` are the sentence model's, one for each row, at least one."""
    index = max(range(len(logits)), key=lambda i: (logits[i], -i))
    best = rows.rows[index]
    return (
        logits[index],
        best.value("cosine_sim"),
        max(row.value("cosine_sim") for row in rows.rows),
        best.value("covered_with_neighbours"),
        best.value("rarest_uncovered"),
        rows.absent,
        best.value("kind_missed"),
        best.value("names_missing"),
        min(1.0, len(rows.asking.terms) / 10),
        best.value("inverse_rank"),
    )


def probability(logit: float) -> float:
    """The logistic function, safe for any input."""
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, logit))))


def _promising(asking: Asking, units: Sequence[Unit], around: Sequence[Surroundings]) -> list[int]:
    """Indices of the units with the most of the question in and around them, in passage order."""

    def promise(i: int) -> tuple[float, int]:
        here = (*around[i].own, *around[i].context)
        near = asking.weight_of((*here, *around[i].beside))
        return -(asking.weight_of(here) + near / 2 + 1 / (2 * units[i].rank)), i

    return sorted(sorted(range(len(units)), key=promise)[:EMBEDDED_UNITS])


def _cosines(question: str, texts: Sequence[str], embedder: Embedder, query_vector: Sequence[float]) -> list[float]:
    rows = embedder.embed_passages(texts)
    vector = list(query_vector) or embedder.embed_query(question).tolist()
    return [float(sum(a * b for a, b in zip(row, vector, strict=True))) for row in rows.tolist()]
