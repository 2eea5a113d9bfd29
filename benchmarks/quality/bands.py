"""Where the network is asked: the first judge's probability up to which the second one decides, on the dev sets.

Run: python benchmarks/quality/bands.py (numbers of the network are kept on disk; about a minute when they are there).
"""

from __future__ import annotations

import json
import statistics
from typing import TYPE_CHECKING

import numpy as np
from seen import look
from signal_cache import Kept
from verify_data import LANGUAGES, RESULTS, auroc, balanced_accuracy, best_threshold, sample, sets

from pincite.adapters.verifiers.cross_encoder import CrossEncoderSignal
from pincite.verify.alignment import is_capped
from pincite.verify.judge import Judge, shipped_judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seen import Seen

BANDS = ((2, 2), (0, 1), (0, 0.9), (0, 0.8), (0, 0.7), (0, 0.6), (0, 0.5), (0.2, 0.7), (0.3, 0.7), (0.5, 1), (0.2, 0.5))
"""The first never asks."""
MOST = 1_000


def probs(seen: Sequence[Seen], judge: Judge, low: float, high: float) -> np.ndarray:
    quoted = {"verbatim": judge.verbatim_prob, "folded": judge.folded_prob}
    found = []
    for one in seen:
        units = []
        for unit in one.units:
            first = judge.support_prob(unit.signals)
            asks = unit.heard and judge.second is not None and low <= first < high and not is_capped(unit)
            prob = judge.second.support_prob(unit.signals) if asks and judge.second else first
            units.append(prob * judge.capped_prob if is_capped(unit) else prob)
        found.append(max(units) if units else quoted.get(one.how, 0.0))
    return np.array(found)


def main() -> None:
    judge, signals = shipped_judge(), [Kept(CrossEncoderSignal())]
    dev = [look(name, sample(rows, MOST), signals) for name, rows in sets("dev") if not name.startswith(LANGUAGES)]
    lines = []
    for low, high in BANDS:
        rows = []
        for seen in dev:
            truth, prob = np.array([one.true for one in seen]), probs(seen, judge, low, high)
            over = prob >= 0.5
            tuned = balanced_accuracy(truth, prob >= best_threshold(truth, prob))
            rows.append((
                100 * balanced_accuracy(truth, over), 100 * tuned, auroc(truth, prob),
                100 * float(over[truth].mean()), 100 * float(over[~truth].mean()),
            ))  # fmt: skip
        mean = [round(statistics.fmean(column), 3) for column in zip(*rows, strict=True)]
        names = ("bacc_fixed", "bacc_tuned", "auroc", "true_kept", "false_accepted")
        lines.append({"band": [low, high], **dict(zip(names, mean, strict=True))})
        print(json.dumps(lines[-1]), flush=True)
    body = {"sets": len(dev), "rows_at_most": MOST, "shipped": list(judge.band), "bands": lines}
    (RESULTS / "verify_bands.json").write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
