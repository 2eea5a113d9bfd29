"""Rows as the verifier sees them: what it found on each unit, kept on disk so that a fit or a sweep is quick.

A row is looked at once for one state of the code (every .py of pincite.text and pincite.verify) and one signal; the
judge's coefficients and thresholds are applied afterwards, by the verifier's own functions.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np
from verify_data import CACHE, Row, pair_of

from pincite.types import ReasonCode
from pincite.verify import AlignmentVerifier
from pincite.verify.alignment import is_capped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signal_cache import Kept

    from pincite.verify.cases import Examined
    from pincite.verify.judge import Judge

_QUOTED = {ReasonCode.VERBATIM, ReasonCode.FOLDED}
_UNDECIDED = {ReasonCode.LANGUAGE, ReasonCode.UNCERTAIN}


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """One row: ``how`` is verbatim, folded, language, fragment, nothing, or weighed (then ``units`` count)."""

    label: str
    group: str
    how: str
    units: tuple[Examined, ...]

    @property
    def true(self) -> bool:
        """Whether people called it supported."""
        return self.label == "supported"


def look(name: str, rows: list[Row], signals: Sequence[Kept] = ()) -> list[Seen]:
    """Every row of a set as seen, in order; from disk when this code has looked at these rows before."""
    path = CACHE / f"seen-{_key(rows, signals)}.pickle"
    if path.exists():
        return pickle.loads(path.read_bytes())  # noqa: S301 - our own file
    print(f"looking at {name}: {len(rows)}", file=sys.stderr, flush=True)
    for signal in signals:
        signal.fill(pair_of(row.premise, row.claim) for row in rows)
    verifier = AlignmentVerifier(signals=tuple(signals))
    quick = AlignmentVerifier()
    seen = [_one(row, quick, verifier) for row in rows]
    CACHE.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(seen))
    return seen


def _one(row: Row, quick: AlignmentVerifier, verifier: AlignmentVerifier) -> Seen:
    pair = pair_of(row.premise, row.claim)
    judged = quick.judge([pair])[0]
    codes = {reason.code for reason in judged.reasons}
    units: tuple[Examined, ...] = ()
    if ReasonCode.FOLDED in codes or ReasonCode.VERBATIM in codes:
        how = "verbatim" if ReasonCode.VERBATIM in codes else "folded"
    elif judged.support_prob is None:
        how = "language" if ReasonCode.LANGUAGE in codes else "fragment"
    else:
        units = tuple(verifier.examine(pair))
        how = "weighed" if units else "nothing"
    return Seen(label=row.label, group=row.group, how=how, units=units)


def probs(seen: Sequence[Seen], judge: Judge) -> np.ndarray:
    """The verifier's support probability of every row under a judge; NaN where it gives none."""
    verifier = AlignmentVerifier(judge=judge)
    fixed = {"verbatim": judge.verbatim_prob, "folded": judge.folded_prob, "nothing": 0.0}
    return np.array([
        max(verifier.unit_prob(unit) for unit in one.units) if one.units else fixed.get(one.how, np.nan)
        for one in seen
    ])  # fmt: skip


def capped(unit: Examined) -> bool:
    """Whether a failed check decides on the unit, whatever the judge says."""
    return is_capped(unit)


def _key(rows: list[Row], signals: Sequence[Kept]) -> str:
    digest = hashlib.sha256(code_digest().encode())
    digest.update("\0".join(signal.fingerprint for signal in signals).encode())
    for row in rows:
        digest.update(f"{row.premise}\0{row.claim}\0{row.label}".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:24]


def code_digest() -> str:
    """Hash of the code that looks, without the judge's coefficients."""
    digest = hashlib.sha256()
    for package in ("pincite.text", "pincite.verify", "pincite.types"):
        for file in sorted(resources.files(package).iterdir(), key=lambda file: file.name):
            if file.is_file() and file.name.endswith((".py", ".json")) and file.name not in {"judge.json", "judge.py"}:
                digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()
