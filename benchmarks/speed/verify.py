"""Milliseconds to check a three-sentence answer over four 1,200-character passages, cold and with passages known.

Cold: every cache emptied before the answer. One thread. Run: python benchmarks/speed/verify.py
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path

from pincite import defaults
from pincite.text.sentences import sentences
from pincite.types import Citation, CitationStatus, Cited, Claim, ClaimKind, Passage
from pincite.verify import analysis, check_polarity, quote, verify

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT.parent / "shared" / "docs" / "md"
PASSAGE_CHARS, REPEATS = 1200, 60


def answers() -> list[tuple[Cited, list[Passage]]]:
    made = []
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        for at in range(0, len(text) - 4 * PASSAGE_CHARS, 4 * PASSAGE_CHARS):
            parts = [text[at + n * PASSAGE_CHARS : at + (n + 1) * PASSAGE_CHARS] for n in range(4)]
            passages = [Passage(passage_id=str(n), text=part, end=len(part)) for n, part in enumerate(parts)]
            claims = tuple(claim for n in range(3) if (claim := reworded(parts[n], str(n))) is not None)
            if len(claims) == 3:
                made.append((Cited(text="", claims=claims), passages))
    return made[:REPEATS]


def reworded(part: str, passage_id: str) -> Claim | None:
    """A sentence of the passage that is no quotation any more."""
    for span in sentences(part):
        text = part[span.start : span.end]
        new = text.replace(" the ", " our ", 1).replace(" you ", " a customer ", 1)
        if 80 < len(text) < 250 and new != text:
            citation = Citation(raw="[1]", start=0, end=3, status=CitationStatus.RESOLVED, passage_id=passage_id)
            return Claim(text=new, start=0, end=len(new), kind=ClaimKind.FACTUAL, citations=(citation,))
    return None


def forget() -> None:
    for cached in (
        analysis.analyse, analysis.analyse_claim, analysis._values_of, analysis._value_terms, analysis._terms_of,  # noqa: SLF001
        quote._folded, check_polarity.negations, check_polarity.modals, check_polarity.quantifiers,  # noqa: SLF001
    ):  # fmt: skip
        cached.cache_clear()


def main() -> None:
    verifier = defaults.verifier()
    cold, warm = [], []
    for cited, passages in answers():
        forget()
        for times in (cold, warm):
            began = time.process_time()
            verify(cited, passages, verifier)
            times.append((time.process_time() - began) * 1000)
    body = {
        "answers": len(cold),
        "cold_ms": {"median": round(statistics.median(cold), 2), "p95": round(statistics.quantiles(cold, n=20)[-1], 2)},
        "warm_ms": {"median": round(statistics.median(warm), 2), "p95": round(statistics.quantiles(warm, n=20)[-1], 2)},
        "clock": "CPU time of one thread",
    }
    print(json.dumps(body))
    (ROOT / "benchmarks" / "speed" / "results" / "verify.json").write_text(
        json.dumps(body, indent=1) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
