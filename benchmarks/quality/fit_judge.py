"""Fits src/pincite/verify/judge.json: the weights of the signals, on train sets and rule-made near misses.

Every set weighs the same, and within a set both classes do. Each claim is represented by the unit that the model
so far likes best (three rounds). Signs are held where a wrong one would make no sense: no failed check may raise
support, no coverage may lower it. A fifth of the train rows (by group) is kept from the fit and calibrates it.
Nothing from dev or eval-only is fitted on; the comparison that is printed reads dev.

Run::

    python benchmarks/quality/fit_judge.py                              # the judge that ships
    python benchmarks/quality/fit_judge.py --signals module:factory --out judge_neural.json
        # fits "judge" and "judge + signal" on the same rows and compares both on the same dev rows;
        # add --held-back to fit on train rows that training/ kept from the network (by training.records)
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from calibration import calibrate
from near_misses import near_misses
from seen import Seen, look
from signal_cache import Kept, load_signal
from verify_data import LANGUAGES, ROOT, Row, fold_of, sets

from pincite.verify.judge import judge_from_json
from pincite.verify.signals import failed_names, finding_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.verify.judge import Judge

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
DOWN = ("missing_words", "missing_share", "sentences_needed", *finding_names(), *failed_names())
FREE = ("claim_length", "evidence_length")
L2 = 2e-4
ROUNDS = 3


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Signal names with the sign their weight may have."""

    up: tuple[str, ...] = UP
    down: tuple[str, ...] = DOWN
    free: tuple[str, ...] = FREE

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, in the order of the weights."""
        return (*self.up, *self.down, *self.free)

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest weight of each name, and of the intercept."""
        low = [0.0] * len(self.up) + [-np.inf] * (len(self.down) + len(self.free) + 1)
        high = [np.inf] * len(self.up) + [0.0] * len(self.down) + [np.inf] * (len(self.free) + 1)
        return np.array(low), np.array(high)


@dataclass(frozen=True, kw_only=True)
class Set:
    """The rows of one train set that are weighed, with the weight of the set."""

    name: str
    seen: list[Seen]
    share: float


def train_sets(options: argparse.Namespace, signals: Sequence[Kept]) -> Iterator[Set]:
    """Train sets and near misses as seen; quotations and what is never weighed are left out."""
    only_held_back = options.held_back and bool(signals)
    rng = random.Random(SEED)
    near = near_misses(seed=SEED)
    for name, rows in [
        *((n, r) for n, r in sets("train") if not n.startswith(LANGUAGES) and n not in LEFT_OUT),
        ("near_misses", near),
    ]:
        kept = [row for row in rows if _held_back(row)] if only_held_back and name != "near_misses" else rows
        chosen = rng.sample(kept, options.rows) if len(kept) > options.rows else kept
        seen = [one for one in look(name, chosen, signals) if one.units]
        share = (0.5 if name in HALF_WEIGHT else 1.0) * (4.0 if name == "near_misses" else 1.0)
        yield Set(name=name, seen=seen, share=share * min(1.0, len(seen) / 500))


def _held_back(row: Row) -> bool:
    sys.path.insert(0, str(ROOT))
    from training.records import Pair, is_held_back  # the network's own rule

    return is_held_back(Pair(premise=row.premise, claim=row.claim, label=0, source=""))


def weights_of(found: Sequence[Set], *, part: str) -> tuple[list[Seen], np.ndarray]:
    """Rows of the ``fit`` or ``calibrate`` part, and their weights: sets equal, classes equal within a set."""
    rows, weights = [], []
    for one in found:
        mine = [row for row in one.seen if (fold_of(row.group) == 0) is (part == "calibrate")]
        counts = Counter(row.true for row in mine)
        rows.extend(mine)
        weights.extend(one.share / (len(counts) * counts[row.true]) for row in mine)
    return rows, np.array(weights)


def fit(x: np.ndarray, y: np.ndarray, weight: np.ndarray, start: np.ndarray, columns: Columns) -> np.ndarray:
    """Weighted logistic regression by projected accelerated gradient; the last entry is the intercept."""
    low, high = columns.bounds
    x = np.c_[x, np.ones(len(x))]
    weight = weight / weight.sum()
    step = 1.0 / (0.25 * np.linalg.norm((x * weight[:, None]).T @ x, 2) + L2)
    w = look_ = start.copy()
    for round_ in range(1, 4001):
        p = 1 / (1 + np.exp(-x @ look_))
        gradient = x.T @ (weight * (p - y)) + L2 * np.r_[look_[:-1], 0.0]
        new = np.clip(look_ - step * gradient, low, high)
        look_ = new + (round_ - 1) / (round_ + 2) * (new - w)
        w = new
    return w


def heard_only(found: Sequence[Set]) -> list[Set]:
    """The rows with a unit that the signals have measured, and only those units."""
    kept = []
    for one in found:
        rows = [(row, tuple(unit for unit in row.units if unit.heard)) for row in one.seen]
        seen = [dataclasses.replace(row, units=units) for row, units in rows if units]
        kept.append(Set(name=one.name, seen=seen, share=one.share))
    return [one for one in kept if one.seen]


def fit_judge(found: Sequence[Set], columns: Columns, about: dict[str, object]) -> str:
    """The text of a judge file fitted and calibrated on these sets."""
    rows, weight = weights_of(found, part="fit")
    units = [np.array([[unit.signals.get(n, 0.0) for n in columns.names] for unit in row.units]) for row in rows]
    y = np.array([row.true for row in rows], dtype=float)
    w = np.zeros(len(columns.names) + 1)
    w[: len(UP)] = 1.0
    for _ in range(ROUNDS):
        picked = np.array([matrix[np.argmax(matrix @ w[:-1])] for matrix in units])
        w = fit(picked, y, weight, w, columns)
    body = {
        "about": {
            "made_by": "benchmarks/quality/fit_judge.py", "model": "logistic regression, signs held", **about,
            "trained_on": [one.name for one in found], "fit_rows": len(rows), "rows_per_set_at_most": MAX_ROWS,
            "seed": SEED, "l2": L2,
        },
        "verbatim_prob": 0.995,
        "folded_prob": 0.99,
        "capped_prob": 0.05,
        "intercept": round(float(w[-1]), 4),
        "coefficients": {
            name: round(float(value), 4) for name, value in zip(columns.names, w, strict=False) if abs(value) >= 5e-4
        },
    }  # fmt: skip
    held, held_weight = weights_of(found, part="calibrate")
    body |= calibrate(judge_from_json(json.dumps(body)), held, held_weight)
    return json.dumps(body, indent=2) + "\n"


def options_of(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--signals", action="append", default=[], metavar="MODULE:FACTORY")
    parser.add_argument("--up", nargs="*", default=[], metavar="NAME", help="names of it that may only raise support")
    parser.add_argument("--down", nargs="*", default=[], metavar="NAME", help="names of it that may only lower it")
    parser.add_argument(
        "--held-back", action="store_true", help="the second judge only on train rows that the network has not seen"
    )
    parser.add_argument("--rows", type=int, default=MAX_ROWS, help="rows of one set at most")
    parser.add_argument(
        "--band", nargs=2, type=float, default=(0.0, 1.0), help="first probability that asks the signals"
    )
    parser.add_argument("--out", type=Path, default=None, help="where the judge file goes")
    return parser.parse_args(arguments)


def main() -> None:
    options = options_of(sys.argv[1:])
    signals = [Kept(load_signal(spec)) for spec in options.signals]
    plain = fit_judge(list(train_sets(options, [])), Columns(), {})
    if not signals:
        (options.out or OUT).write_text(plain, encoding="utf-8")
        print(plain)
        return
    found = list(train_sets(options, signals))
    extra = [name for signal in signals for name in signal.names]
    columns = Columns(
        up=(*UP, *(n for n in extra if n in options.up)),
        down=(*DOWN, *(n for n in extra if n in options.down)),
        free=(*FREE, *(n for n in extra if n not in {*options.up, *options.down})),
    )
    about = {"signals": {s.fingerprint: list(s.names) for s in signals}}
    second = json.loads(fit_judge(heard_only(found), columns, about))
    both = json.dumps({**json.loads(plain), "band": list(options.band), "second": second}, indent=2) + "\n"
    out = options.out or Path("judge_with_signal.json")
    out.write_text(both, encoding="utf-8")
    print(both)
    compare({"judge": judge_from_json(plain), "judge + signal": judge_from_json(both)}, signals, options)


def compare(judges: dict[str, Judge], signals: Sequence[Kept], options: argparse.Namespace) -> None:
    from compare import report  # reads dev: never part of a fit

    report(judges, signals, rows=options.rows, about={"signals": options.signals, "held_back": options.held_back})


if __name__ == "__main__":
    main()
