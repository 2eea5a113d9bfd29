"""How long a check takes: a three-sentence answer over four passages, one thread and two; and cases a second.

Cases are made from real policy text: each answer holds one sentence of each of three passages, verbatim, lightly
reworded, or with a number changed, so that every path of the verifier is taken.

Run::

    python benchmarks/speed/check.py
"""

from __future__ import annotations

import json
import random
import re
import resource
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from machine import machine, spread

from pincite import check
from pincite.text.sentences import sentences

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT.parent / "shared/docs/md"
RESULT = Path(__file__).parent / "results" / "check.json"
CASES = 300
SEED = 7
PASSAGE_CHARS = 700


def passages() -> list[str]:
    found = []
    for path in sorted(DOCS.iterdir()):
        text = re.sub(r"[#*`>]|\[([^\]]*)\]\([^)]*\)", r"\1", path.read_text(encoding="utf-8"))
        block = ""
        for part in text.split("\n\n"):
            block += " ".join(part.split()) + " "
            if len(block) > PASSAGE_CHARS:
                found.append(block[: PASSAGE_CHARS * 2].strip())
                block = ""
    return found


def reworded(sentence: str, kind: int) -> str:
    if kind == 1:
        return sentence.replace(" will ", " shall ").replace(" may ", " can ").replace("your", "the customer's")
    if kind == 2:
        return (
            re.sub(r"\d+", lambda m: str(int(m[0]) + 3), sentence) if re.search(r"\d", sentence) else f"Not {sentence}"
        )
    return sentence


def cases() -> list[tuple[str, list[str]]]:
    pool, rng, made = passages(), random.Random(SEED), []
    while len(made) < CASES:
        given = rng.sample(pool, 4)
        lines = []
        for number in range(3):
            spans = [s for s in sentences(given[number]) if 40 < s.end - s.start < 240]
            if not spans:
                break
            span = rng.choice(spans)
            lines.append(
                f"{reworded(given[number][span.start : span.end], rng.randrange(3)).rstrip('.')} [{number + 1}]."
            )
        else:
            made.append((" ".join(lines), given))
    return made


def timed_ms(case: tuple[str, list[str]]) -> float:
    start = time.perf_counter()
    check(*case)
    return (time.perf_counter() - start) * 1000


def main() -> None:
    made = cases()
    for case in made[:10]:
        check(*case)
    half = len(made) // 2  # each run has answers that the other has not seen; passages recur, as they do in a service
    one = [timed_ms(case) for case in made[:half]]
    with ThreadPoolExecutor(2) as pool:
        start = time.perf_counter()
        two = list(pool.map(timed_ms, made[half:]))
        two_s = time.perf_counter() - start
    result = {
        "what": "check of a three-sentence answer over four passages of about 700 characters of real policy text",
        "machine": machine(),
        "cases": len(made),
        "one_thread_ms": spread(one),
        "two_threads_ms": spread(two),
        "cases_per_s": {
            "one_thread": round(half / (sum(one) / 1000), 1),
            "two_threads": round((len(made) - half) / two_s, 1),
        },
        "ratio_to_90_ms": round(90 / spread(one)["median"], 1),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
