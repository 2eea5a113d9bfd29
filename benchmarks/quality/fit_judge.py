"""Fits src/pincite/verify/judge.json: the weights of the signals, on train sets and rule-made near misses.

Every set weighs the same, and within a set both classes do. Each claim is represented by the unit that the model
so far likes best (two rounds). Signs are held where a wrong one would make no sense: no failed check may raise
support, no coverage may lower it. Nothing from dev or eval-only is read.
Run: python benchmarks/quality/fit_judge.py
"""

from __future__ import annotations

import json
import random
import sys
from collections import defaultdict

import numpy as np
from near_misses import near_misses
from verify_data import LANGUAGES, ROOT, Row, pair_of, sets

from pincite.verify import AlignmentVerifier
from pincite.verify.signals import finding_names

OUT = ROOT / "src" / "pincite" / "verify" / "judge.json"
MAX_ROWS = 2500
SEED = 11
LEFT_OUT = ("boolq_qa.dev", "joci.train", "help_auto.train", "med.all", "snli.dev")
"""Questions with an answer glued on, commonsense without evidence, and three of five kinds of short NLI: not our task."""  # noqa: E501
HALF_WEIGHT = (
    "begin_cmu.dev",
    "begin_tc.dev",
    "q2_wow.all",
    "faithdial_audit.all",
    "cad_snli.train",
    "breaking_nli.all",
)
UP = ("coverage_unit", "coverage_best", "coverage_everything", "coverage_unit_squared", "bigrams_copied")
DOWN = ("near_copy_failed", "covered_failed", "missing_words", "missing_share", "sentences_needed", *finding_names())
FREE = ("claim_length", "evidence_length")
NAMES = (*UP, *DOWN, *FREE)
L2 = 2e-4


def units_of(rows: list[Row]) -> list[tuple[np.ndarray, int]]:
    verifier = AlignmentVerifier()
    found = []
    for row in rows:
        examined = verifier.examine(pair_of(row.premise, row.claim))
        matrix = np.array(
            [[item.signals.get(name, 0.0) for name in NAMES] for item in examined] or [[0.0] * len(NAMES)]
        )
        found.append((matrix, int(row.label == "supported")))
    return found


def sample(rows: list[Row], rng: random.Random) -> list[Row]:
    return rng.sample(rows, MAX_ROWS) if len(rows) > MAX_ROWS else rows


def fit(x: np.ndarray, y: np.ndarray, weight: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Weighted logistic regression by projected accelerated gradient; the last entry is the intercept."""
    low = np.array([0.0] * len(UP) + [-np.inf] * (len(DOWN) + len(FREE)) + [-np.inf])
    high = np.array([np.inf] * len(UP) + [0.0] * len(DOWN) + [np.inf] * (len(FREE) + 1))
    x = np.c_[x, np.ones(len(x))]
    weight = weight / weight.sum()
    step = 1.0 / (0.25 * np.linalg.norm((x * weight[:, None]).T @ x, 2) + L2)
    w = look = start.copy()
    for round_ in range(1, 4001):
        p = 1 / (1 + np.exp(-x @ look))
        gradient = x.T @ (weight * (p - y)) + L2 * np.r_[look[:-1], 0.0]
        new = np.clip(look - step * gradient, low, high)
        look = new + (round_ - 1) / (round_ + 2) * (new - w)
        w = new
    return w


def main() -> None:
    rng = random.Random(SEED)
    data, names, weights = [], [], []
    near = near_misses(seed=SEED)
    for name, rows in [
        *((n, r) for n, r in sets("train") if not n.startswith(LANGUAGES) and n not in LEFT_OUT),
        ("near_misses", near),
    ]:
        chosen = sample(rows, rng)
        found = units_of(chosen)
        counts = defaultdict(int)
        for _, label in found:
            counts[label] += 1
        share = (
            (0.5 if name in HALF_WEIGHT else 1.0) * (4.0 if name == "near_misses" else 1.0) * min(1.0, len(found) / 500)
        )
        data.extend(found)
        weights.extend(share / (len(counts) * counts[label]) for _, label in found)
        names.append(name)
        print(f"{name}: {len(found)}", file=sys.stderr)
    y, weight = np.array([label for _, label in data]), np.array(weights)
    w = np.zeros(len(NAMES) + 1)
    w[: len(UP)] = 1.0
    for _ in range(3):
        picked = np.array([matrix[np.argmax(matrix @ w[:-1])] for matrix, _ in data])
        w = fit(picked, y, weight, w)
    write(w, names)


def write(w: np.ndarray, names: list[str]) -> None:
    body = {
        "about": {
            "made_by": "benchmarks/quality/fit_judge.py",
            "model": "logistic regression, signs held",
            "trained_on": names,
            "rows_per_set_at_most": MAX_ROWS,
            "seed": SEED,
            "l2": L2,
        },
        "verbatim_prob": 0.995,
        "folded_prob": 0.99,
        "capped_prob": 0.05,
        "intercept": round(float(w[-1]), 4),
        "coefficients": {
            name: round(float(value), 4) for name, value in zip(NAMES, w, strict=False) if abs(value) >= 5e-4
        },
    }
    OUT.write_text(json.dumps(body, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(body["coefficients"], indent=1), body["intercept"])


if __name__ == "__main__":
    main()
