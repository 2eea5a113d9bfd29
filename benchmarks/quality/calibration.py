"""Calibration: how far a probability is from the share that is true, and the map that brings it there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seen import Seen

    from pincite.verify.judge import Judge

BINS = 15


def expected_calibration_error(truth: np.ndarray, prob: np.ndarray, bins: int = BINS) -> float:
    """Mean distance of probability and share of true claims over bins of equal mass; ties stay in one bin."""
    return sum(abs(p - t) * n for p, t, n in reliability(truth, prob, bins)) / truth.size


def reliability(truth: np.ndarray, prob: np.ndarray, bins: int = BINS) -> list[tuple[float, float, int]]:
    """Per bin of equal mass: mean probability, share of true claims, rows."""
    edges = np.unique(np.quantile(prob, np.linspace(0, 1, bins + 1)[1:-1], method="higher"))
    which = np.searchsorted(edges, prob, side="right")
    return [
        (float(prob[which == b].mean()), float(truth[which == b].mean()), int((which == b).sum()))
        for b in np.unique(which)
    ]


def calibrate(_judge: Judge, _rows: Sequence[Seen], _weight: np.ndarray) -> dict[str, object]:
    """Fields of the judge file that the kept part of train decides; none yet."""
    return {}
