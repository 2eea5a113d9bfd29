"""Balanced accuracy and AUROC with bootstrap intervals; plain numpy, every draw seeded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


def balanced_accuracy(truth: np.ndarray, guess: np.ndarray) -> float:
    """Mean of the two class recalls; NaN where a class is absent. Both arrays are boolean, of one length."""
    return (
        float(np.mean([np.mean(guess[truth]), np.mean(~guess[~truth])]))
        if 0 < truth.sum() < len(truth)
        else float("nan")
    )


def auroc(truth: np.ndarray, support_prob: np.ndarray) -> float:
    """Chance that a true item stands above a false one, ties counting half."""
    order = np.argsort(support_prob, kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    values, place, sizes = np.unique(support_prob, return_inverse=True, return_counts=True)
    del values
    sums = np.bincount(place, weights=ranks)
    ranks = (sums / sizes)[place]
    yes = int(truth.sum())
    no = len(truth) - yes
    if yes == 0 or no == 0:
        return float("nan")
    return float((ranks[truth].sum() - yes * (yes + 1) / 2) / (yes * no))


def best_threshold(truth: np.ndarray, support_prob: np.ndarray) -> float:
    """The cut with the best balanced accuracy; the middle of the winners, so that it does not hang on one item."""
    cuts = np.unique(np.quantile(support_prob, np.linspace(0.01, 0.99, 99)))
    reached = np.array([balanced_accuracy(truth, support_prob >= cut) for cut in cuts])
    return float(np.median(cuts[reached >= reached.max() - 1e-9]))


def crossed_balanced_accuracy(truth: np.ndarray, support_prob: np.ndarray, fold: np.ndarray) -> float:
    """Threshold chosen on one half, measured on the other, both ways: no item judges the threshold it helped choose."""
    guess = np.zeros(len(truth), dtype=bool)
    for side in (False, True):
        cut = best_threshold(truth[fold == side], support_prob[fold == side])
        guess[fold != side] = support_prob[fold != side] >= cut
    return balanced_accuracy(truth, guess)


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """The middle 95 % of bootstrap draws."""

    low: float
    high: float


def interval(truth: np.ndarray, guess: np.ndarray, draws: int = 1000, seed: int = 0) -> Interval:
    """Bootstrap interval of balanced accuracy, drawn within each class."""
    chance = np.random.default_rng(seed)
    yes, no = guess[truth].astype(float), (~guess[~truth]).astype(float)
    if not len(yes) or not len(no):
        return Interval(low=float("nan"), high=float("nan"))
    drawn = [(chance.choice(yes, len(yes)).mean() + chance.choice(no, len(no)).mean()) / 2 for _ in range(draws)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return Interval(low=float(low), high=float(high))
