"""Plugged-in signals for the scripts beside this: loaded by name, measured once, kept on disk.

A neural signal costs milliseconds a request and the fit asks for tens of thousands, so the numbers are kept under
benchmarks/quality/cache (not in git), keyed by the signal's fingerprint and everything that a request holds.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sqlite3
import sys
from typing import TYPE_CHECKING

from verify_data import CACHE

from pincite.verify import AlignmentVerifier

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pincite.types import Pair
    from pincite.verify import Request, Signal

CHUNK = 512


def load_signal(spec: str) -> Signal:
    """The signal that ``module:factory`` makes (a class or function called without arguments, or a ready object)."""
    module, _, name = spec.partition(":")
    found = getattr(importlib.import_module(module), name)
    return found() if callable(found) else found


class Kept:
    """A Signal that asks another one only for what is not on disk yet. Numbers are the same, bit for bit."""

    def __init__(self, signal: Signal) -> None:
        self._signal = signal
        CACHE.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(CACHE / "signals.sqlite")
        self._db.execute("CREATE TABLE IF NOT EXISTS kept (id BLOB PRIMARY KEY, numbers TEXT NOT NULL)")

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the other signal."""
        return self._signal.names

    @property
    def fingerprint(self) -> str:
        """That of the other signal."""
        return self._signal.fingerprint

    def measure(self, requests: Sequence[Request]) -> list[tuple[float, ...]]:
        """One tuple a request, from disk where it is there."""
        keys = [self._key(request) for request in requests]
        have = {key: got for key in keys if (got := self._find(key)) is not None}
        todo = {key: request for key, request in zip(keys, requests, strict=True) if key not in have}
        if todo:
            for key, numbers in zip(todo, self._signal.measure(list(todo.values())), strict=True):
                have[key] = tuple(numbers)
                self._db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (key, json.dumps(have[key])))
            self._db.commit()
        return [have[key] for key in keys]

    def fill(self, pairs: Iterable[Pair]) -> None:
        """Measure every request of these pairs in large batches, so that a batching signal can batch."""
        waiting = Waiting(self.names)
        looker = AlignmentVerifier(signals=(waiting,))
        for pair in pairs:
            looker.examine(pair)
        wanted = list({self._key(request): request for request in waiting.requests}.values())
        for at in range(0, len(wanted), CHUNK):
            self.measure(wanted[at : at + CHUNK])
            print(f"  signal: {min(at + CHUNK, len(wanted))}/{len(wanted)}", file=sys.stderr, flush=True)

    def _find(self, key: bytes) -> tuple[float, ...] | None:
        row = self._db.execute("SELECT numbers FROM kept WHERE id = ?", (key,)).fetchone()
        return tuple(json.loads(row[0])) if row else None

    def _key(self, request: Request) -> bytes:
        parts = (self.fingerprint, request.claim, *request.evidence, "", *(p.text for p in request.passages))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()


class Waiting:
    """A Signal that only writes down what it is asked."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names, self.fingerprint = names, "waiting"
        self.requests: list[Request] = []

    def measure(self, requests: Sequence[Request]) -> list[tuple[float, ...]]:
        """Zeros; the requests are in ``requests``."""
        self.requests.extend(requests)
        return [(0.0,) * len(self.names) for _ in requests]
