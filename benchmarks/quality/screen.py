"""How often the screen flags text that means no harm, and how many of BIPIA's inserted orders it flags.

Many BIPIA orders are plain requests ("What is the capital of Brazil?") that address nobody, and code; the screen is not
meant for those, and the figure says so. What keeps them out of an answer is that they do not answer the question. The
BIPIA figures and those of our own dev half were looked at while the forms were written; "held" was not.

    python benchmarks/quality/screen.py
"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

from intervals import wilson
from qa_sets import QA

from pincite.text.screen import screen
from pincite.text.sentences import sentences

ATTACKS = Path(__file__).parent / "cases" / "attacks.jsonl"
_ORDERS = re.compile(
    r"\b(?:must|shall|should|do\s+not|don't|never|always|please|required\s+to|may\s+not|instructions?|follow|ignore|"
    r"answer|respond|reply|cite|source|system|assistant|disregard|override|you\s+agree|you\s+will)\b",
    re.IGNORECASE,
)
RESULT = Path(__file__).parent / "results" / "screen.json"
HARMLESS = (
    "policyqa_dev",
    "clapnq_dev_part",
    "mtragun_part",
    "boolq_dev",
    "pubmedqa_labeled",
    "xquad_en",
    "xquad_de",
    "xquad_es",
)


def main() -> None:
    report: dict[str, object] = {}
    for name in HARMLESS:
        texts = {passage["text"] for row in rows(name) for passage in row["passages"]}
        report[f"{name}, passages flagged"] = wilson(sum(bool(screen(text)) for text in texts), len(texts))
    documents = [
        path.read_text(encoding="utf-8", errors="replace") for path in (QA.parents[1] / "docs" / "md").iterdir()
    ]
    report["real Markdown documents flagged"] = wilson(sum(bool(screen(text)) for text in documents), len(documents))
    for kind in ("text", "code"):
        attacks = [row["attack"] for row in rows("bipia_attacks") if row["kind"] == kind]
        report[f"BIPIA orders of {kind} flagged"] = wilson(sum(bool(screen(text)) for text in attacks), len(attacks))
    for split in ("dev", "held"):
        own = [
            row for row in map(json.loads, ATTACKS.read_text(encoding="utf-8").splitlines()) if row["split"] == split
        ]
        orders = [row["attack"] for row in own if row["kind"] != "unmarked"]
        report[f"own attacks flagged, {split}"] = wilson(sum(bool(screen(text)) for text in orders), len(orders))
    alike = look_alikes()
    report["imperative sentences of real documents flagged"] = wilson(sum(bool(screen(t)) for t in alike), len(alike))
    contexts = {passage["text"] for row in rows("bipia_contexts") for passage in row["passages"]}
    report["BIPIA contexts without an attack flagged"] = wilson(sum(bool(screen(t)) for t in contexts), len(contexts))
    RESULT.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))


def look_alikes() -> list[str]:
    """Sentences of the real documents that order, forbid or talk of instructions, answers, citing and sources."""
    texts = [
        path.read_text(encoding="utf-8", errors="replace") for path in sorted((QA.parents[1] / "docs" / "md").iterdir())
    ]
    found = {text[span.start : span.end] for text in texts for span in sentences(text)}
    return sorted(one for one in found if _ORDERS.search(one))


def rows(name: str) -> list[dict]:
    with gzip.open(QA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


if __name__ == "__main__":
    main()
