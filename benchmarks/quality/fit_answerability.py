"""Fit the extractive composer's two logistic models, and say how they do on documents they have not seen.

Writes src/pincite/adapters/generators/extractive_model.json and results/answerability.json. Documents are split
half and half by a hash (qa_sets.part_of); everything is fitted on one half and reported on the other.

    python benchmarks/quality/fit_answerability.py
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from intervals import wilson
from pool import Pool, pool_of
from qa_sets import TENANT, TODAY, Question, load, part_of

from pincite.adapters.embedders.onnx_minilm import MiniLMEmbedder
from pincite.adapters.generators.extractive_features import SENTENCE_FEATURES
from pincite.adapters.generators.extractive_model import ANSWER_FEATURES, Rows, answer_features, rows_of
from pincite.adapters.generators.extractive_units import units_of
from pincite.config import RetrieveSettings
from pincite.retrieve import retrieve
from pincite.types import Handled, Identity, Query

if TYPE_CHECKING:
    from numpy.typing import NDArray

HERE = Path(__file__).parent
MODEL = HERE.parents[1] / "src/pincite/adapters/generators/extractive_model.json"
RESULT = HERE / "results" / "answerability.json"
SETS = {
    "xquad_en": 3,
    "xquad_de": 10,
    "xquad_es": 10,
    "clapnq_dev_part": 1,
    "policyqa_dev": 12,
    "mtragun_part": 1,
    "boolq_dev": 24,
    "pubmedqa_labeled": 10,
}
"""Every n-th question, by hash: whole sets where they are small, to bound the run."""
SPAN_SETS = {"xquad_en", "xquad_de", "xquad_es", "clapnq_dev_part", "policyqa_dev"}
LIMITS = (8, 8, 3)
"""Passages in the prompt, by hash of the question: a small library gives few."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One question over one retrieval. ``labels`` mark rows that hold the answer; empty where that is not known."""

    set_name: str
    part: str
    removed: bool
    answerable: bool
    rows: Rows
    labels: tuple[bool, ...]

    def kind(self) -> str:
        """What a result line is about."""
        how = "gold passages taken away" if self.removed else ("answerable" if self.answerable else "unanswerable")
        return f"{self.set_name}, {how}"


class Remembering(MiniLMEmbedder):
    """The shipped embedder, which embeds a sentence that comes back for many questions only once."""

    def __init__(self) -> None:
        super().__init__(threads=2)
        self._seen: dict[str, NDArray[np.float32]] = {}

    def embed_passages(self, texts):  # noqa: ANN001, ANN201, D102
        new = [text for text in dict.fromkeys(texts) if text not in self._seen]
        self._seen.update(zip(new, super().embed_passages(new), strict=True))
        return np.stack([self._seen[text] for text in texts]) if texts else super().embed_passages([])


def main() -> None:
    started = time.perf_counter()
    cases = [case for name, every in SETS.items() for case in cases_of(name, every)]
    fit = [case for case in cases if case.part == "fit"]
    sentence = fit_sentence(fit)
    answer = fit_answer(fit, sentence)
    model = {
        "made_by": "benchmarks/quality/fit_answerability.py",
        "sentence": as_json(sentence, SENTENCE_FEATURES),
        "answer": as_json(answer, ANSWER_FEATURES),
    }
    MODEL.write_text(json.dumps(model, indent=2) + "\n", encoding="utf-8")
    report = {
        part: evaluate([case for case in cases if case.part == part], sentence, answer) for part in ("fit", "held-out")
    }
    report["wall_s"] = round(time.perf_counter() - started, 1)
    RESULT.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(report["held-out"], indent=1))


# --- cases -----------------------------------------------------------------------------------------


def cases_of(name: str, every: int) -> list[Case]:
    """Each question as it is, and once more with the passages that answer it taken away."""
    qa, embedder = load(name), EMBEDDER
    pool = pool_of(qa, embedder)
    cases = []
    for question in qa.questions:
        if hashed(question.id) % every:
            continue
        cases.append(case_of(name, question, pool, removed=False))
        if question.gold and name != "policyqa_dev":  # other passages of a policy answer the same question
            cases.append(case_of(name, question, pool, removed=True))
    print(name, len(cases), flush=True)
    return [case for case in cases if case is not None]


def hashed(text: str) -> int:
    """A number that depends on nothing else."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def case_of(name: str, question: Question, pool: Pool, *, removed: bool) -> Case | None:
    """None where the question says nothing about refusing: its answer was not retrieved, or nobody knows it."""
    pool.hidden = question.gold if removed else frozenset()
    attributes = {"site": question.group} if name == "policyqa_dev" else {}
    limit = LIMITS[hashed(question.id) // 1000 % len(LIMITS)]
    query = Query(text=question.text, identity=Identity(tenant=TENANT), as_of=TODAY, attributes=attributes)
    found = retrieve(query, store=pool, embedder=EMBEDDER, settings=RetrieveSettings(limit=limit))
    hits = [hit.passage for hit in found.hits]
    if not removed and question.answerable and not question.gold & {p.passage_id for p in hits}:
        return None
    if not question.answerable and name == "pubmedqa_labeled":  # "maybe": the passages do answer
        return None
    handled = [Handled(handle=f"S{n}", passage=p) for n, p in enumerate(hits, start=1)]
    units = units_of(handled).units
    if not units:
        return None
    rows = rows_of(question.text, units, embedder=EMBEDDER, query_vector=found.query_vector)
    answerable = question.answerable and not removed
    labels = tuple(holds_answer(row.unit, question) for row in rows.rows) if answerable and name in SPAN_SETS else ()
    return Case(
        set_name=name, part=part_of(question.group), removed=removed, answerable=answerable, rows=rows, labels=labels
    )


def holds_answer(unit, question: Question) -> bool:  # noqa: ANN001
    """The unit is of a gold passage and holds an answer's words, or is a part of a long answer."""
    text = plain(unit.text)
    answers = [plain(answer) for answer in question.answers]
    inside = any((a and f" {a} " in f" {text} ") or (len(text) > 15 and text in a) for a in answers)
    return unit.passage.passage_id in question.gold and inside


def plain(text: str) -> str:
    """Lower-case words, single spaces."""
    return re.sub(r"\W+", " ", text.casefold()).strip()


# --- fitting ---------------------------------------------------------------------------------------


def fit_sentence(cases: list[Case]) -> tuple[NDArray[np.float64], float]:
    """On every row of the questions whose answer is among the rows."""
    known = [case for case in cases if any(case.labels)]
    x = np.array([row.values for case in known for row in case.rows.rows])
    y = np.array([label for case in known for label in case.labels], dtype=float)
    return logistic(x, y, np.ones(len(y)), l2=1.0)


def fit_answer(cases: list[Case], sentence: tuple[NDArray[np.float64], float]) -> tuple[NDArray[np.float64], float]:
    """Answerable and not weigh the same in all; within each, a set weighs by the square root of its size."""
    x = np.array([case_features(case, sentence) for case in cases])
    y = np.array([case.answerable for case in cases], dtype=float)
    sizes = Counter(case.kind() for case in cases)
    w = np.array([sizes[case.kind()] ** -0.5 for case in cases])
    for value in (0.0, 1.0):
        w[y == value] /= w[y == value].sum()
    return logistic(x, y, w * len(y) / 2, l2=3.0)


def case_features(case: Case, sentence: tuple[NDArray[np.float64], float]) -> tuple[float, ...]:
    weights, intercept = sentence
    logits = np.array([row.values for row in case.rows.rows]) @ weights + intercept
    return answer_features(case.rows, logits.tolist())


def logistic(
    x: NDArray[np.float64], y: NDArray[np.float64], w: NDArray[np.float64], *, l2: float
) -> tuple[NDArray[np.float64], float]:
    """Newton's method on standardised columns; weights and intercept for the columns as they are."""
    mean, scale = x.mean(0), x.std(0) + 1e-9
    z = np.c_[(x - mean) / scale, np.ones(len(x))]
    penalty = np.r_[np.full(x.shape[1], l2), 1e-9]
    beta = np.zeros(z.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-z @ beta))
        gradient = z.T @ (w * (p - y)) + penalty * beta
        hessian = (z * (w * p * (1 - p))[:, None]).T @ z + np.diag(penalty)
        beta -= np.linalg.solve(hessian, gradient)
    weights = beta[:-1] / scale
    return weights, float(beta[-1] - weights @ mean)


def as_json(fitted: tuple[NDArray[np.float64], float], names: tuple[str, ...]) -> dict[str, object]:
    weights, intercept = fitted
    return {
        "intercept": round(intercept, 4),
        "weights": {n: round(float(v), 4) for n, v in zip(names, weights, strict=True)},
    }


# --- reporting -------------------------------------------------------------------------------------


def evaluate(cases: list[Case], sentence, answer) -> dict[str, object]:  # noqa: ANN001
    """At a threshold of one half: how often each kind of question is answered; and the best sentence's hit rate."""
    x = np.array([case_features(case, sentence) for case in cases])
    probs = 1 / (1 + np.exp(-(x @ answer[0] + answer[1])))
    answered: dict[str, list[bool]] = {}
    for case, prob in zip(cases, probs, strict=True):
        answered.setdefault(case.kind(), []).append(bool(prob >= 0.5))
    y = np.array([case.answerable for case in cases])
    return {
        "cases": len(cases),
        "auroc": round(auroc(probs, y), 3),
        "brier": round(float(((probs - y) ** 2).mean()), 3),
        "answered": {kind: wilson(sum(values), len(values)) for kind, values in answered.items()},
        "best sentence holds the answer": best_sentence(cases, sentence),
    }


def best_sentence(cases: list[Case], sentence: tuple[NDArray[np.float64], float]) -> dict[str, object]:
    """Of the questions whose answer is among the rows."""
    weights, _ = sentence
    hits: dict[str, list[bool]] = {}
    for case in cases:
        if any(case.labels):
            best = int(np.argmax(np.array([row.values for row in case.rows.rows]) @ weights))
            hits.setdefault(case.set_name, []).append(case.labels[best])
    return {name: wilson(sum(values), len(values)) for name, values in hits.items()}


def auroc(probs: NDArray[np.float64], y: NDArray[np.bool_]) -> float:
    """The chance that an answerable question has the higher probability (ties count half)."""
    order = np.argsort(probs, kind="stable")
    ranks = np.empty(len(probs))
    ranks[order] = np.arange(1, len(probs) + 1)
    n = int(y.sum())
    return float((ranks[y].sum() - n * (n + 1) / 2) / (n * (len(y) - n)))


EMBEDDER = Remembering()

if __name__ == "__main__":
    main()
