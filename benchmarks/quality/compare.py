"""Two judges on the same dev rows: balanced accuracy, AUROC and calibration error, and the difference with an interval.

Called by fit_judge.py --signals; writes results/verify_signal.json. Reads dev, so nothing here may feed a fit.
"""

from __future__ import annotations

import json
import statistics
from typing import TYPE_CHECKING

import numpy as np
from calibration import expected_calibration_error
from near_misses import near_misses
from seen import Seen, look, probs
from verify_data import LANGUAGES, RESULTS, auroc, balanced_accuracy, best_threshold, fold_of, sample, sets

from pincite.config import VerifySettings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from signal_cache import Kept

    from pincite.verify.judge import Judge

BOOTSTRAPS = 500
NEAR_SEED = 11


def report(judges: Mapping[str, Judge], signals: Sequence[Kept], *, rows: int, about: Mapping[str, object]) -> None:
    """Measure every judge on every English dev set and on near misses that no fit has seen; print and write."""
    table, deltas = [], {"bacc_fixed": [], "auroc": []}
    for name, seen in _sets(signals, rows):
        truth = np.array([one.true for one in seen])
        values = {who: np.nan_to_num(probs(seen, judge)) for who, judge in judges.items()}
        line: dict[str, object] = {"set": name, "rows": len(seen)}
        line |= {who: measures(truth, value) for who, value in values.items()}
        line["difference"] = difference(truth, *values.values())
        table.append(line)
        print(json.dumps(line), flush=True)
        if name != "near_misses, kept part":
            for key, kept in deltas.items():
                kept.append([line[who][key] for who in judges])  # type: ignore[index]
    mean = {
        key: dict(zip(judges, (round(statistics.fmean(c), 3) for c in zip(*kept, strict=True)), strict=True))
        for key, kept in deltas.items()
    }
    print(json.dumps({"mean of the English dev sets": mean}, indent=1))
    body = {"about": dict(about), "accept_prob": VerifySettings().accept_prob, "english_mean": mean, "sets": table}
    (RESULTS / "verify_signal.json").write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")


def _sets(signals: Sequence[Kept], rows: int) -> Iterator[tuple[str, list[Seen]]]:
    for name, all_rows in sets("dev"):
        if not name.startswith(LANGUAGES):
            yield name, look(name, sample(all_rows, rows), signals)
    kept = [row for row in near_misses(seed=NEAR_SEED) if fold_of(row.group) == 0]
    yield "near_misses, kept part", look("near misses", kept, signals)


def measures(truth: np.ndarray, value: np.ndarray) -> dict[str, float]:
    said = value >= VerifySettings().accept_prob
    return {
        "bacc_fixed": round(100 * balanced_accuracy(truth, said), 1),
        "bacc_tuned": round(100 * balanced_accuracy(truth, value >= best_threshold(truth, value)), 1),
        "auroc": round(auroc(truth, value), 3),
        "ece": round(expected_calibration_error(truth, value), 3),
        "true_flagged": round(float((~said[truth]).mean()), 3),
        "false_accepted": round(float(said[~truth].mean()), 3),
    }


def difference(truth: np.ndarray, before: np.ndarray, after: np.ndarray) -> dict[str, list[float]]:
    """95 % intervals of the gains, both judges on the same resampled rows."""
    rng = np.random.default_rng(7)
    yes, no = np.flatnonzero(truth), np.flatnonzero(~truth)
    gains = {"bacc_fixed": [], "auroc": []}
    limit = VerifySettings().accept_prob
    for _ in range(BOOTSTRAPS):
        at = np.r_[rng.choice(yes, yes.size), rng.choice(no, no.size)]
        t, a, b = truth[at], before[at], after[at]
        gains["bacc_fixed"].append(100 * (balanced_accuracy(t, b >= limit) - balanced_accuracy(t, a >= limit)))
        gains["auroc"].append(auroc(t, b) - auroc(t, a))
    return {key: [round(float(np.quantile(v, q)), 3) for q in (0.025, 0.975)] for key, v in gains.items()}
