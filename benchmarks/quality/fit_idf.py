"""Makes src/pincite/text/idf.json: how rare each stem is in the texts of ../shared/data/verify/train.

Each distinct premise and claim is one text. Kept: the 24,000 most frequent stems, rarity rounded to 0.25.
Run: python benchmarks/quality/fit_idf.py
"""

from __future__ import annotations

import gzip
import json
import math
from collections import Counter, defaultdict
from pathlib import Path

from pincite.text.words import content_terms

ROOT = Path(__file__).resolve().parents[2]
TRAIN = ROOT.parent / "shared" / "data" / "verify" / "train"
OUT = ROOT / "src" / "pincite" / "text" / "idf.json"
KEPT_STEMS = 24_000
OTHER_LANGUAGES = ("indonli_id", "jsick_ja")


def main() -> None:
    texts = 0
    document_frequency: Counter[str] = Counter()
    for path in sorted(TRAIN.glob("*.jsonl.gz")):
        if path.name.startswith(OTHER_LANGUAGES):
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        for text in {row["premise"] for row in rows} | {row["claim"] for row in rows}:
            texts += 1
            document_frequency.update({term for term in content_terms(text) if term.isalpha()})
    levels: dict[str, list[str]] = defaultdict(list)
    for term, count in sorted(document_frequency.items(), key=lambda item: (-item[1], item[0]))[:KEPT_STEMS]:
        levels[f"{round(4 * math.log(texts / count)) / 4:.2f}"].append(term)
    unknown = round(4 * math.log(texts)) / 4
    body = {
        "texts": texts,
        "unknown": unknown,
        "levels": {level: " ".join(sorted(terms)) for level, terms in levels.items()},
    }
    OUT.write_text(json.dumps(body, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    print(f"{OUT.relative_to(ROOT)}: {texts} texts, {OUT.stat().st_size / 1000:.0f} kB, unknown {unknown}")


if __name__ == "__main__":
    main()
