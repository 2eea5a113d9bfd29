"""Asking the sample library, end to end and step by step, in one process that stays open.

Run::

python benchmarks/speed/ask.py
"""

from __future__ import annotations

import json
import resource
import tempfile
from datetime import date
from pathlib import Path

from machine import machine, spread

from pincite.library import Library
from pincite.sample import harbourline_loader as sample
from pincite.types import Identity

RESULT = Path(__file__).parent / "results" / "ask.json"
ROUNDS = 8


def main() -> None:
    laps: dict[str, list[float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        Library.open(Path(folder), create=True, clock=sample.demo_clock) as library,
    ):
        sample.load_into(library)
        for number in range(ROUNDS + 1):
            for scene in sample.scenes():
                identity = Identity(tenant=scene.tenant, roles=frozenset(scene.roles))
                answer = library.ask(
                    scene.question,
                    identity=identity,
                    as_of=scene.as_of or date(2026, 9, 1),
                    attributes=scene.attributes,
                )
                if number:  # the first round warms up
                    for name, ms in answer.timings_ms.items():
                        laps.setdefault(name, []).append(ms)
                    laps.setdefault("all but the audit", []).append(sum(answer.timings_ms.values()))
    result = {
        "machine": machine(),
        "questions": len(sample.scenes()),
        "rounds": ROUNDS,
        **{f"{name}_ms": spread(values) for name, values in laps.items()},
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
