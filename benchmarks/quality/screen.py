"""How often the screen flags text that means no harm, and how many of BIPIA's inserted orders it flags.

Most BIPIA orders are plain requests ("What is the capital of Brazil?") that address nobody; the screen is not
meant for those, and the figure says so. What keeps them out of an answer is that they do not answer the question.

    python benchmarks/quality/screen.py
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from intervals import wilson
from qa_sets import QA

from pincite.text.screen import screen

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
    attacks = [row["attack"] for row in rows("bipia_attacks")]
    report["BIPIA orders flagged"] = wilson(sum(bool(screen(text)) for text in attacks), len(attacks))
    RESULT.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))


def rows(name: str) -> list[dict]:
    with gzip.open(QA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


if __name__ == "__main__":
    main()
