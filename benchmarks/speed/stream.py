"""Time to the first verified sentence: when it leaves, against when the model had written it and when it had ended.

A local server speaks the wire of an OpenAI-compatible one and sends a fixed draft at a fixed pace, one word a piece, so
that what is measured is ours: under the default policy, which waits for the whole draft because it may take all of it
back, and under one that drops each claim by itself. Then the small local model, which writes what it likes.

    python benchmarks/speed/stream.py [ROUNDS]
"""

from __future__ import annotations

import dataclasses
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from machine import machine, spread

from pincite.config import GenerateSettings, GeneratorName, Policy, RetrieveSettings, Settings
from pincite.library import Library
from pincite.testing.wire_openai import openai_stream
from pincite.testing.wire_server import Received, Reply, WireServer
from pincite.types import Answer

if TYPE_CHECKING:
    from collections.abc import Iterator

RESULT = Path(__file__).parent / "results" / "stream.json"
FACTS = (
    "The refund window on the Enterprise plan is 30 days.",
    "Refunds are paid to the card that was charged.",
    "A refund takes up to 10 working days to arrive.",
    "Requests are sent to the billing desk by e-mail.",
    "Setup fees are not refunded after the first login.",
    "Unused seats are refunded for the rest of the term.",
)
QUESTION = "How do refunds work on the Enterprise plan?"
PACE_MS = 30.0
"""Between two words: about 33 a second, as hosted models write."""
WAITS = Policy()
DROPS = Policy(min_kept_fraction=0.0, max_regenerations=0)


class Paced:
    """Pieces of a reply, each after a pause. A reply only goes through its pieces once."""

    def __init__(self, pieces: tuple[bytes, ...], pace_ms: float) -> None:
        self._pieces, self._pace_s = pieces, pace_ms / 1000

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            time.sleep(self._pace_s)
            yield piece


def words_of_draft() -> list[str]:
    draft = " ".join(f"{fact[:-1]} [S1]." for fact in FACTS)
    return [f" {word}" if n else word for n, word in enumerate(draft.split(" "))]


def paced(_: Received) -> Reply:
    reply = openai_stream(words_of_draft())
    return dataclasses.replace(reply, pieces=cast("tuple[bytes, ...]", Paced(reply.pieces, PACE_MS)))


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    before = machine()
    words = words_of_draft()
    first_words = next(n for n, word in enumerate(words, start=1) if word.endswith("."))
    result: dict[str, Any] = {
        "machine": before,
        "wire": {
            "pace_ms": PACE_MS,
            "words": len(words),
            "sentences": len(FACTS),
            "model_has_written_the_first_sentence_ms": first_words * PACE_MS,
            "model_has_ended_ms": len(words) * PACE_MS,
        },
    }
    with WireServer(always=paced) as server:
        wire = GenerateSettings(generator=GeneratorName.OPENAI, model="wire-model", base_url=f"{server.url}/v1")
        result["wire"]["policy waits for the whole draft"] = measured(wire, WAITS, rounds)
        result["wire"]["policy drops claims one by one"] = measured(wire, DROPS, rounds)
    local = GenerateSettings(generator=GeneratorName.LOCAL, max_output_tokens=96, context_tokens=2048)
    result["local model, policy drops claims one by one"] = measured(local, DROPS, 3)
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(RESULT.read_text(encoding="utf-8"))


def measured(generate: GenerateSettings, policy: Policy, rounds: int) -> dict[str, Any]:
    settings = Settings(generate=generate, policy=policy, retrieve=RetrieveSettings(limit=2))
    firsts, ends, stretches, decisions = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "refunds.txt"
        source.write_text("\n".join(FACTS) + "\n", encoding="utf-8")
        with Library.open(Path(folder) / "library", create=True, settings=settings) as library:
            library.ingest([source])
            for number in range(rounds + 1):
                begun_s = time.perf_counter()
                first_ms, count, answer = None, 0, None
                for item in library.ask_stream(QUESTION):
                    if isinstance(item, Answer):
                        answer = item
                        continue
                    count += 1
                    first_ms = first_ms if first_ms is not None else (time.perf_counter() - begun_s) * 1000
                if number and answer is not None:  # the first round warms up
                    ends.append((time.perf_counter() - begun_s) * 1000)
                    decisions.append(answer.decision.value)
                    stretches.append(count)
                    if first_ms is not None:
                        firsts.append(first_ms)
    return {
        "asked": rounds,
        "decisions": {name: decisions.count(name) for name in sorted(set(decisions))},
        "stretches": sorted(set(stretches)),
        "first_verified_sentence_ms": spread(firsts) if len(firsts) > 1 else None,
        "answer_ms": spread(ends) if len(ends) > 1 else None,
    }


if __name__ == "__main__":
    main()
