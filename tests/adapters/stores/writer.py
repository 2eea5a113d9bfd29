"""A writer for tests that need another process: puts batches and says which are done.

    python writer.py FOLDER FIRST COUNT KILL_AT

Batch i holds two documents of three passages. With KILL_AT above 0 the process kills itself at that call or return
of any function, its own, Python's or C's, counted from the first put: a crash at an exact place.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from pincite.adapters.stores.embedded import EmbeddedStore
from pincite.protocols import Entry
from pincite.testing.entries import DIMENSIONS, EMBEDDER, make_entry


def batch(number: int) -> list[Entry]:
    return [
        make_entry(f"d{number:03}{part}", [f"Batch word{number} line {line} of {part}." for line in range(3)])
        for part in "ab"
    ]


def main() -> None:
    folder, first, count, kill_at = Path(sys.argv[1]), *map(int, sys.argv[2:5])
    store = EmbeddedStore.create(folder, embedder=EMBEDDER.name, dimensions=DIMENSIONS, lock_wait_s=60)
    batches = [(number, batch(number)) for number in range(first, first + count)]
    events = 0

    def count_down(*_: object) -> None:
        nonlocal events
        events += 1
        if events == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    if kill_at:
        sys.setprofile(count_down)
    for number, entries in batches:
        store.put(entries)
        sys.stdout.write(f"done {number}\n")
        sys.stdout.flush()
    sys.setprofile(None)
    sys.stdout.write(f"events {events}\n")


if __name__ == "__main__":
    main()
