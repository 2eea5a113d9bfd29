"""Ingest of the real documents in ``../shared/docs``: passages a second, and where the time goes.

Each part is timed inside one ordinary run, by wrapping the parts that ingest is handed.

Run::

    python benchmarks/speed/ingest.py
"""

from __future__ import annotations

import json
import resource
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from machine import machine

from pincite.intake import SandboxedReader
from pincite.library import Library

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT.parent / "shared" / "docs"
RESULT = Path(__file__).parent / "results" / "ingest.json"


def main() -> None:
    spent_s: dict[str, float] = defaultdict(float)

    def timed(owner: Any, method: str, name: str) -> None:
        inner = getattr(owner, method)

        def call(*given: Any, **named: Any) -> Any:
            start = time.perf_counter()
            try:
                return inner(*given, **named)
            finally:
                spent_s[name] += time.perf_counter() - start

        setattr(owner, method, call)

    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder), create=True) as library:
        parts = library.parts
        timed(SandboxedReader, "read", "parse")
        timed(type(parts.embedder), "embed_passages", "embed")
        timed(type(parts.embedder), "count_tokens", "count tokens")
        timed(type(parts.store), "put", "store")
        start = time.perf_counter()
        report = library.ingest([DOCS])
        whole_s = time.perf_counter() - start
        again = time.perf_counter()
        library.ingest([DOCS])
        again_s = time.perf_counter() - again
    first = {name: round(seconds, 2) for name, seconds in spent_s.items()}
    result = {
        "machine": machine(),
        "passages": report.passages,
        "seconds": round(whole_s, 2),
        "passages_per_s": round(report.passages / whole_s, 1),
        "seconds_by_part_of_both_runs": first,
        "seconds_again_unchanged": round(again_s, 2),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "peak_memory_of_the_parsers_mb": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024),
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
