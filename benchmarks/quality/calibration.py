"""Calibration: how far a probability is from the share that is true, and the map that brings it there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seen import Seen

    from pincite.verify.judge import Judge

BINS = 15
BOOTSTRAPS = 300


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


def calibration_interval(truth: np.ndarray, prob: np.ndarray, seed: int = 7) -> tuple[float, float]:
    """A 95 % bootstrap interval of the expected calibration error, rows resampled."""
    rng = np.random.default_rng(seed)
    draws = []
    for _ in range(BOOTSTRAPS):
        at = rng.integers(0, truth.size, truth.size)
        draws.append(expected_calibration_error(truth[at], prob[at]))
    return float(np.quantile(draws, 0.025)), float(np.quantile(draws, 0.975))


def calibrate(judge: Judge, rows: Sequence[Seen], weight: np.ndarray) -> dict[str, object]:
    """Intercept and coefficients scaled so that the kept rows have the probabilities they deserve (Platt, 1999).

    Two numbers are fitted, a slope and a shift of the log-odds, on the unit that decides, over rows that no failed
    check caps. Scaling a logistic model gives a logistic model, so the file stays as readable as before.
    """
    # late: seen imports the verifier
    from seen import capped

    z, y, w = [], [], []
    for row, share in zip(rows, weight, strict=True):
        best = max(row.units, key=lambda unit: judge.support_prob(unit.signals))
        if not capped(best):
            prob = judge.support_prob(best.signals)
            z.append(np.log(prob / (1 - prob)))
            y.append(row.true)
            w.append(share)
    slope, shift = platt(np.array(z), np.array(y, dtype=float), np.array(w))
    return {
        "intercept": round(judge.intercept * slope + shift, 4),
        "coefficients": {name: round(value * slope, 4) for name, value in judge.coefficients.items()},
        "calibrated": {"slope": round(slope, 4), "shift": round(shift, 4), "rows": len(z)},
    }


def platt(z: np.ndarray, y: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """Slope and shift of log-odds by weighted maximum likelihood (Newton). The slope stays over 0.1."""
    w, x = np.array([1.0, 0.0]), np.c_[z, np.ones(z.size)]
    weight = weight / weight.sum()
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + 1e-9 * np.eye(2)
        w = w - np.linalg.solve(hessian, x.T @ (weight * (p - y)))
    return max(0.1, float(w[0])), float(w[1])
