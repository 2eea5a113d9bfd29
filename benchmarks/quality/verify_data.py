"""The claim sets in ../shared/data/verify, the statistics, and the lexical floor, for the scripts beside this."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pincite.text.sentences import sentences
from pincite.text.words import content_terms, idf
from pincite.types import Pair, Passage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data" / "verify"
RESULTS = ROOT / "benchmarks" / "quality" / "results"
CASES = ROOT / "benchmarks" / "quality" / "cases"
CACHE = ROOT / "benchmarks" / "quality" / "cache"
LANGUAGES = ("indonli_id", "jsick_ja")
BOOTSTRAPS = 1000


class Row(NamedTuple):
    """One claim against one premise; ``group`` keeps rows of one source together."""

    id: str
    premise: str
    claim: str
    label: str
    group: str


def read_set(path: Path) -> list[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Row(r["id"], r["premise"], r["claim"], r["label"], r.get("group") or r["id"]) for r in rows]


def sets(split: str) -> Iterator[tuple[str, list[Row]]]:
    for path in sorted((DATA / split).glob("*.jsonl.gz")):
        yield path.name.removesuffix(".jsonl.gz"), read_set(path)


def pair_of(premise: str, claim: str) -> Pair:
    return Pair(claim=claim, passages=(Passage(passage_id="p", text=premise, end=len(premise)),))


def lexical_floor(premise: str, claim: str) -> float:
    """Idf-weighted stemmed coverage of the claim by its best three sentences, chosen greedily."""
    wanted = {term: idf(term) for term in content_terms(claim)}
    total = sum(wanted.values())
    if not total:
        return 0.0
    pool = [set(content_terms(premise[s.start : s.end])) & wanted.keys() for s in sentences(premise)]
    have: set[str] = set()
    for _ in range(3):
        best = max(pool, key=lambda terms: sum(wanted[t] for t in terms - have), default=set())
        have |= best
    return sum(wanted[term] for term in have) / total


def balanced_accuracy(truth: np.ndarray, said: np.ndarray) -> float:
    """Mean of the two recalls; NaN when a class is empty."""
    return float((said[truth].mean() + (~said[~truth]).mean()) / 2)


def interval(truth: np.ndarray, said: np.ndarray, seed: int = 7) -> tuple[float, float]:
    """A 95 % bootstrap interval of the balanced accuracy, resampling within each class."""
    rng = np.random.default_rng(seed)
    yes, no = said[truth], ~said[~truth]
    draws = [(rng.choice(yes, yes.size).mean() + rng.choice(no, no.size).mean()) / 2 for _ in range(BOOTSTRAPS)]
    return float(np.quantile(draws, 0.025)), float(np.quantile(draws, 0.975))


def auroc(truth: np.ndarray, values: np.ndarray) -> float:
    """Area under the ROC curve by ranks, ties counted half."""
    order = np.argsort(values, kind="stable")
    ranks = np.empty(values.size)
    ordered = values[order]
    edges = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1], True])
    for start, end in pairwise(edges):
        ranks[order[start:end]] = (start + end + 1) / 2
    positives = int(truth.sum())
    return float((ranks[truth].sum() - positives * (positives + 1) / 2) / (positives * (truth.size - positives)))


def best_threshold(truth: np.ndarray, values: np.ndarray) -> float:
    """The threshold with the best balanced accuracy (said supported at or over it)."""
    candidates = np.unique(np.quantile(values, np.linspace(0, 1, 201)))
    return float(max(candidates, key=lambda t: balanced_accuracy(truth, values >= t)))


def fold_of(group: str, folds: int = 5) -> int:
    """A fold by group: rows of one source stay together, on every machine."""
    return (
        int.from_bytes(hashlib.blake2b(group.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big") % folds
    )


def sample(rows: list[Row], most: int, seed: int = 11) -> list[Row]:
    """All rows, or a seeded sample of ``most`` of them."""
    return random.Random(seed).sample(rows, most) if len(rows) > most else rows


def value_interval(
    truth: np.ndarray, values: np.ndarray, statistic: Callable[[np.ndarray, np.ndarray], float], *, seed: int = 7
) -> tuple[float, float]:
    """A 95 % bootstrap interval of a statistic of truth and values, resampling within each class."""
    rng = np.random.default_rng(seed)
    yes, no = np.flatnonzero(truth), np.flatnonzero(~truth)
    draws = []
    for _ in range(BOOTSTRAPS // 2):
        at = np.r_[rng.choice(yes, yes.size), rng.choice(no, no.size)]
        draws.append(statistic(truth[at], values[at]))
    return float(np.quantile(draws, 0.025)), float(np.quantile(draws, 0.975))
