"""Which pairs a pass over a stage sees, and in what batches: pure functions of seeds, so that a run can resume."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import TYPE_CHECKING

from training.records import SUPPORTED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def draw(count: int, take: int, seed: int, turn: int) -> list[int]:
    """``take`` of ``count`` row numbers for pass ``turn``; over the passes every row comes equally often.

    One shuffle is dealt out in order, across passes, and shuffled anew when it is used up.
    """
    if count == 0:
        return []
    chosen: list[int] = []
    position = turn * take
    while len(chosen) < take:
        lap, start = divmod(position, count)
        order = list(range(count))
        random.Random(f"{seed}:{lap}").shuffle(order)
        part = order[start : start + take - len(chosen)]
        chosen += part
        position += len(part)
    return chosen


def balanced(labels: Sequence[int], take: int, seed: int, turn: int) -> list[int]:
    """Half supported, half not, as far as both exist."""
    sides: dict[bool, list[int]] = defaultdict(list)
    for row, label in enumerate(labels):
        sides[label == SUPPORTED].append(row)
    if len(sides) < 2:
        return draw(len(labels), take, seed, turn)
    half = take // 2
    return [side[i] for side in (sides[True], sides[False]) for i in draw(len(side), half, seed, turn)]


def bucketed(lengths: Sequence[int], size: int, seed: int, window: int = 40) -> list[list[int]]:
    """Batches of ``size`` rows of like length: shuffle, sort within windows of ``window`` batches, shuffle batches."""
    shuffler = random.Random(seed)
    order = list(range(len(lengths)))
    shuffler.shuffle(order)
    batches: list[list[int]] = []
    for start in range(0, len(order), size * window):
        part = sorted(order[start : start + size * window], key=lambda row: lengths[row])
        batches += [part[i : i + size] for i in range(0, len(part), size)]
    shuffler.shuffle(batches)
    return batches


def pass_over(
    groups: Mapping[str, Sequence[int]], labels: Sequence[int], takes: Mapping[str, int], seed: int, turn: int
) -> list[int]:
    """Row numbers of one pass: for every source its number of rows, balanced.

    ``groups`` maps a source to its row numbers, ``takes`` a source to how many a pass shows.
    """
    rows: list[int] = []
    for source, take in takes.items():
        own = groups.get(source, ())
        chosen = balanced([labels[row] for row in own], min(take, 4 * len(own)), seed, turn)
        rows += [own[i] for i in chosen]
    return rows
