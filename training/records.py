"""Claims against passages: reading the labelled sets, their labels, and which rows may train.

A row is ``premise, claim, label``. Labels are three classes and one sum: ``unsupported`` says only that the claim is
not supported, so it trains the sum of the other two.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

SUPPORTED, CONTRADICTED, NEITHER, UNSUPPORTED = range(4)
LABELS = {"supported": SUPPORTED, "contradicted": CONTRADICTED, "neutral": NEITHER, "unsupported": UNSUPPORTED}


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """One passage and one claim; ``label`` is one of the four numbers above, ``source`` says where it is from."""

    premise: str
    claim: str
    label: int
    source: str


def read_rows(path: Path, source: str) -> Iterator[Pair]:
    """Rows of one gzip JSONL file; a label that is not known is an error, never a guess."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield Pair(premise=row["premise"], claim=row["claim"], label=LABELS[row["label"]], source=source)


def fingerprint(text: str) -> int:
    """A stable number for a text, the same on every machine and in every run."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def is_held_back(pair: Pair, share: float = 0.08) -> bool:
    """Whether a training row is kept out to watch learning; rows with the same premise go the same way."""
    return fingerprint("held" + pair.premise) % 10_000 < share * 10_000


def without(pairs: Iterable[Pair], forbidden: set[int]) -> list[Pair]:
    """Rows whose claim and premise together are in no measured set."""
    return [pair for pair in pairs if fingerprint(pair.premise + "\0" + pair.claim) not in forbidden]


def keys(pairs: Iterable[Pair]) -> set[int]:
    return {fingerprint(pair.premise + "\0" + pair.claim) for pair in pairs}


def _conjunction_is_sound(pair: Pair) -> bool:
    """The automatic set calls "A" against "A or B" neither, which is wrong: leave those rows out."""
    return not (pair.label == NEITHER and pair.claim.count(" or ") > pair.premise.count(" or "))


def _is_statement(pair: Pair) -> bool:
    """Dialogue turns that ask or only greet carry no claim."""
    return "?" not in pair.claim and len(pair.claim.split()) >= 4


FILTERS: dict[str, Callable[[Pair], bool]] = {
    "conjnli_adv_auto.train": _conjunction_is_sound,
    "begin_wow.test": _is_statement,
    "begin_cmu.dev": _is_statement,
    "faithdial_audit.all": _is_statement,
    "q2_wow.all": _is_statement,
}


def load_set(folder: Path, name: str) -> list[Pair]:
    """The rows of one set that may train, after its filter."""
    keep = FILTERS.get(name)
    rows = read_rows(folder / f"{name}.jsonl.gz", name)
    return [pair for pair in rows if keep is None or keep(pair)]
