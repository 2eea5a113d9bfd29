"""The shipped verifier on every dev and eval-only set, beside the lexical floor on the same rows, with intervals.

Fixed: supported when the verifier says so at its shipped thresholds (unverified counts as not supported). Tuned:
the best threshold on the same set, for comparison with published "dev-tuned" figures, and optimistic for that reason.
The floor's fixed threshold is tuned on train sets. eval-only sets are measured here and used nowhere else.
Sets over 1,000 rows are a seeded sample. Judgements are kept in benchmarks/quality/cache by the verifier's fingerprint.
Run: python benchmarks/quality/verify.py [SET...]
"""

from __future__ import annotations

import hashlib
import json
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from calibration import calibration_interval, expected_calibration_error, reliability
from verify_data import (
    CACHE,
    LANGUAGES,
    RESULTS,
    Row,
    auroc,
    balanced_accuracy,
    best_threshold,
    interval,
    lexical_floor,
    pair_of,
    sample,
    sets,
    value_interval,
)

from pincite import defaults
from pincite.config import VerifySettings
from pincite.types import VerdictLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.protocols import Verifier

MOST = 1000
TRAIN_SAMPLE = 300


def judged(split: str, name: str, rows: list[Row], verifier: Verifier) -> list[dict[str, Any]]:
    """One record a row, in order: truth, label, probability (null when none), reasons, floor, milliseconds."""
    ids = hashlib.sha256("\0".join(row.id for row in rows).encode()).hexdigest()[:8]
    path = CACHE / f"judged-{verifier.info.fingerprint}-{split}-{name}-{ids}.json"
    if path.exists():
        found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        return found
    found = [_record(row, verifier) for row in rows]
    CACHE.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found), encoding="utf-8")
    return found


def _record(row: Row, verifier: Verifier) -> dict[str, Any]:
    began = time.perf_counter()
    one = verifier.judge([pair_of(row.premise, row.claim)])[0]
    return {
        "true": row.label == "supported",
        "label": one.label.value,
        "prob": one.support_prob,
        "reasons": [reason.code.value for reason in one.reasons],
        "floor": lexical_floor(row.premise, row.claim),
        "ms": (time.perf_counter() - began) * 1000,
    }


def floor_threshold() -> float:
    """One threshold for the floor, the best on equal samples of the English train sets."""
    truth, values = [], []
    for name, rows in sets("train"):
        if not name.startswith(LANGUAGES):
            for row in rows[:: max(1, len(rows) // TRAIN_SAMPLE)]:
                truth.append(row.label == "supported")
                values.append(lexical_floor(row.premise, row.claim))
    return best_threshold(np.array(truth), np.array(values))


def line(split: str, name: str, total: int, found: Sequence[dict[str, Any]], threshold: float) -> dict[str, Any]:
    truth = np.array([one["true"] for one in found])
    said = np.array([one["label"] == "supported" for one in found])
    prob = np.array([0.0 if one["prob"] is None else one["prob"] for one in found])
    floor = np.array([one["floor"] for one in found])
    tuned, floor_tuned = prob >= best_threshold(truth, prob), floor >= best_threshold(truth, floor)
    unverified = [one for one in found if one["label"] == "unverified"]
    return {
        "split": split, "set": name, "rows": len(found), "of": total, "true_share": round(float(truth.mean()), 3),
        "bacc_fixed": _bacc(truth, said), "bacc_tuned": _bacc(truth, tuned), "auroc": _auroc(truth, prob),
        "floor_bacc_fixed": _bacc(truth, floor >= threshold), "floor_bacc_tuned": _bacc(truth, floor_tuned),
        "floor_auroc": _auroc(truth, floor),
        "unverified": {
            code: round(sum(code in one["reasons"] for one in unverified) / len(found), 3)
            for code in ("language", "uncertain")
        },
        "calibration": calibration(found), "true_not_accepted": round(float((~said[truth]).mean()), 3),
        "false_accepted": round(float(said[~truth].mean()), 3),
        "ms_per_pair": round(statistics.fmean(one["ms"] for one in found), 2),
    }  # fmt: skip


def _bacc(truth: np.ndarray, said: np.ndarray) -> list[float]:
    low, high = interval(truth, said)
    return [round(100 * value, 1) for value in (balanced_accuracy(truth, said), low, high)]


def _auroc(truth: np.ndarray, value: np.ndarray) -> list[float]:
    low, high = value_interval(truth, value, auroc)
    return [round(one, 3) for one in (auroc(truth, value), low, high)]


def calibration(found: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Expected calibration error with interval, over the rows that have a probability; ``None`` under 100 of them."""
    mine = [one for one in found if one["prob"] is not None]
    if len(mine) < 100:
        return None
    truth, prob = np.array([one["true"] for one in mine]), np.array([one["prob"] for one in mine])
    low, high = calibration_interval(truth, prob)
    return {
        "ece": [round(v, 3) for v in (expected_calibration_error(truth, prob), low, high)],
        "mean_prob": round(float(prob.mean()), 3),
        "true_share": round(float(truth.mean()), 3),
        "rows": len(mine),
        "bins": [[round(p, 4), round(t, 4), n] for p, t, n in reliability(truth, prob)],
    }


def curve(found: Sequence[dict[str, Any]]) -> list[dict[str, float]]:
    """What two thresholds would do: precision and share of what is accepted, and of what is rejected."""
    mine = [one for one in found if one["prob"] is not None]
    truth, prob = np.array([one["true"] for one in mine]), np.array([one["prob"] for one in mine])
    rows = []
    for at in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9):
        over = prob >= at
        rows.append({
            "threshold": at,
            "accepted_share": round(float(over.mean()), 3),
            "accepted_true": round(float(truth[over].mean()), 3) if over.any() else float("nan"),
            "rejected_false": round(float((~truth[~over]).mean()), 3) if (~over).any() else float("nan"),
            "band_to_0.5_share": round(float(((prob >= min(at, 0.5)) & (prob < max(at, 0.5))).mean()), 3),
        })  # fmt: skip
    return rows


def main() -> None:
    verifier = defaults.verifier()
    only = set(sys.argv[1:])
    threshold = floor_threshold()
    lines, pooled = [], {"dev": [], "eval-only": []}
    for split, together in pooled.items():
        for name, rows in sets(split):
            if only and name not in only:
                continue
            found = judged(split, name, sample(rows, MOST), verifier)
            lines.append(line(split, name, len(rows), found, threshold))
            if not name.startswith(LANGUAGES):
                together.extend(found)
            print(json.dumps({k: v for k, v in lines[-1].items() if k != "calibration"}), flush=True)
    if not only:
        write(verifier, threshold, lines, pooled)


def write(
    verifier: Verifier, threshold: float, lines: list[dict[str, Any]], pooled: dict[str, list[dict[str, Any]]]
) -> None:
    settings = VerifySettings()
    body = {
        "verifier": verifier.info.fingerprint,
        "accept_prob": settings.accept_prob,
        "reject_prob": settings.reject_prob,
        "floor_threshold": threshold,
        "english_mean": {split: mean(lines, split) for split in pooled},
        "pooled_calibration": {split: calibration(found) for split, found in pooled.items()},
        "curve_dev": curve(pooled["dev"]),
        "labels": {
            split: {
                label.value: sum(one["label"] == label.value for one in found)
                for label in VerdictLabel
            }
            for split, found in pooled.items()
        },
        "sets": lines,
    }  # fmt: skip
    (RESULTS / "verify_sets.json").write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(body["english_mean"]))


def mean(lines: list[dict[str, Any]], split: str) -> dict[str, float]:
    """Unweighted means over the English sets of a split."""
    mine = [one for one in lines if one["split"] == split and not one["set"].startswith(LANGUAGES)]
    keys = ("bacc_fixed", "bacc_tuned", "auroc", "floor_bacc_fixed", "floor_bacc_tuned", "floor_auroc")
    return {key: round(statistics.fmean(one[key][0] for one in mine), 3) for key in keys}


if __name__ == "__main__":
    main()
