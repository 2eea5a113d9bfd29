"""Balanced accuracy, intervals and AUROC of the shipped verifier on every dev set, beside the lexical floor.

Fixed: supported when the verifier says so at its shipped thresholds (unverified counts as not supported). Tuned:
the best threshold on the same dev set, for comparison with published "dev-tuned" figures. The floor's fixed threshold
is tuned on the train sets. Run: python benchmarks/quality/verify.py [SET...]
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from dataclasses import dataclass

import numpy as np
from verify_data import (
    LANGUAGES,
    RESULTS,
    Row,
    auroc,
    balanced_accuracy,
    best_threshold,
    interval,
    lexical_floor,
    pair_of,
    sets,
)

from pincite.types import VerdictLabel
from pincite.verify import AlignmentVerifier

TRAIN_SAMPLE = 300


@dataclass(frozen=True, kw_only=True)
class Scored:
    """One set judged: truth, what was said, probabilities, the floor's values."""

    truth: np.ndarray
    said: np.ndarray
    prob: np.ndarray
    floor: np.ndarray
    undecided: float
    ms: float


def score(rows: list[Row], verifier: AlignmentVerifier) -> Scored:
    said, prob, undecided = [], [], 0
    began = time.perf_counter()
    for row in rows:
        pair = pair_of(row.premise, row.claim)
        judged = verifier.judge([pair])[0]
        said.append(judged.label is VerdictLabel.SUPPORTED)
        undecided += judged.label is VerdictLabel.UNVERIFIED
        value = judged.support_prob
        if value is None:
            value = max((verifier.unit_prob(item) for item in verifier.examine(pair)), default=0.0)
        prob.append(value)
    ms = (time.perf_counter() - began) * 1000 / len(rows)
    return Scored(
        truth=np.array([row.label == "supported" for row in rows]),
        said=np.array(said),
        prob=np.array(prob),
        floor=np.array([lexical_floor(row.premise, row.claim) for row in rows]),
        undecided=undecided / len(rows),
        ms=ms,
    )


def floor_threshold() -> float:
    """One threshold for the floor, the best on equal samples of the English train sets."""
    truth, values = [], []
    for name, rows in sets("train"):
        if name.startswith(LANGUAGES):
            continue
        for row in rows[:: max(1, len(rows) // TRAIN_SAMPLE)]:
            truth.append(row.label == "supported")
            values.append(lexical_floor(row.premise, row.claim))
    return best_threshold(np.array(truth), np.array(values))


def line(name: str, s: Scored, threshold: float) -> dict[str, object]:
    low, high = interval(s.truth, s.said)
    return {
        "set": name,
        "rows": int(s.truth.size),
        "bacc_fixed": round(100 * balanced_accuracy(s.truth, s.said), 1),
        "interval": [round(100 * low, 1), round(100 * high, 1)],
        "bacc_tuned": round(100 * balanced_accuracy(s.truth, s.prob >= best_threshold(s.truth, s.prob)), 1),
        "auroc": round(auroc(s.truth, s.prob), 3),
        "floor_bacc_fixed": round(100 * balanced_accuracy(s.truth, s.floor >= threshold), 1),
        "floor_bacc_tuned": round(100 * balanced_accuracy(s.truth, s.floor >= best_threshold(s.truth, s.floor)), 1),
        "floor_auroc": round(auroc(s.truth, s.floor), 3),
        "unverified_share": round(s.undecided, 3),
        "ms_per_pair": round(s.ms, 2),
    }


def main() -> None:
    verifier = AlignmentVerifier()
    threshold = floor_threshold()
    only = set(sys.argv[1:])
    lines = []
    for name, rows in sets("dev"):
        if not only or name in only:
            lines.append(line(name, score(rows, verifier), threshold))
            print(json.dumps(lines[-1]), flush=True)
    english = [one for one in lines if not str(one["set"]).startswith(LANGUAGES)]
    mean = {key: round(statistics.fmean(float(str(one[key])) for one in english), 3) for key in
            ("bacc_fixed", "bacc_tuned", "auroc", "floor_bacc_fixed", "floor_bacc_tuned", "floor_auroc")}  # fmt: skip
    print(json.dumps(mean))
    if not only:
        write(verifier, threshold, lines, mean)


def write(
    verifier: AlignmentVerifier, threshold: float, lines: list[dict[str, object]], mean: dict[str, float]
) -> None:
    RESULTS.mkdir(exist_ok=True)
    body = {"verifier": verifier.info.fingerprint, "floor_threshold": threshold, "english_mean": mean, "sets": lines}
    (RESULTS / "verify_dev.json").write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")
    keys = ("set", "rows", "bacc_fixed", "interval", "bacc_tuned", "auroc", "floor_bacc_fixed", "floor_bacc_tuned", "floor_auroc",  # noqa: E501
            "unverified_share", "ms_per_pair")  # fmt: skip
    table = ["| " + " | ".join(keys) + " |", "|" + "---|" * len(keys)]
    table += ["| " + " | ".join(str(one[key]) for key in keys) + " |" for one in lines]
    table.append("| mean of the English sets | | " + " | ".join(str(mean.get(key, "")) for key in keys[2:]) + " |")
    title = (
        f"# Verifier on the dev sets ({verifier.info.name} {verifier.info.version}, {verifier.info.fingerprint})\n\n"
    )
    note = "Balanced accuracy in per cent; floor: idf-weighted stemmed coverage by the best three sentences.\n\n"
    (RESULTS / "verify_dev.md").write_text(title + note + "\n".join(table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
