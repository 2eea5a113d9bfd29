"""How often the verifier flags what is true: verbatim sentences, light rewordings by rule, and human-supported claims.

Verbatim and reworded: a sentence of a document in ../shared/docs or of a premise in verify train/dev, cited to its own
passage (the sentence with its neighbours; the whole premise). Rewordings are the meaning-preserving variants of
training/synth, one or two a sentence. Flagged: any verdict but supported. Run: python benchmarks/quality/false_flags.py
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from intervals import wilson
from near_misses import source_sentences
from verify_data import LANGUAGES, RESULTS, ROOT, Row, sample, sets

from pincite import defaults
from pincite.text.sentences import sentences
from verify import MOST, judged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.protocols import Verifier

SEED = 23
DOC_SENTENCES, PREMISE_SENTENCES, REWORDED = 1500, 1500, 1500
MIN_WORDS, MAX_WORDS = 6, 45


def from_documents(rng: random.Random) -> list[tuple[str, str]]:
    """Sentence and the passage around it."""
    found = [(sentence, premise) for sentence, premise, _ in source_sentences()]
    return rng.sample(found, min(DOC_SENTENCES, len(found)))


def from_premises(rng: random.Random) -> list[tuple[str, str]]:
    """A sentence of each of many premises, and the premise, English sets only, the same number from every set."""
    found = []
    english = [(n, rows) for split in ("train", "dev") for n, rows in sets(split) if not n.startswith(LANGUAGES)]
    for _, rows in english:
        for row in rng.sample(rows, min(len(rows), PREMISE_SENTENCES // len(english) + 1)):
            spans = [row.premise[s.start : s.end].strip() for s in sentences(row.premise)]
            whole = [s for s in spans if MIN_WORDS <= len(s.split()) <= MAX_WORDS and s.endswith((".", "!"))]
            if whole:
                found.append((rng.choice(whole), row.premise))
    return found


def reworded(found: Sequence[tuple[str, str]], rng: random.Random) -> Iterator[tuple[str, str]]:
    sys.path.insert(0, str(ROOT))
    from training.synth.variants import vary

    for sentence, premise in found:
        claim = vary(sentence, rng, rng.choice((1, 1, 2)))[0]
        if claim != sentence and claim not in premise:
            yield claim, premise


def measure(name: str, pairs: Sequence[tuple[str, str]], verifier: Verifier) -> dict[str, Any]:
    rows = [Row(f"{name}:{i}:{hash_of(c)}", premise, c, "supported", c) for i, (c, premise) in enumerate(pairs)]
    got = judged("flags", name, rows, verifier)
    return summary(got, rows)


def hash_of(claim: str) -> int:
    """A number for the id, the same in every run."""
    return sum(ord(char) * (place + 1) for place, char in enumerate(claim))


def summary(got: Sequence[dict[str, Any]], rows: Sequence[Row]) -> dict[str, Any]:
    flagged = [(one, row) for one, row in zip(got, rows, strict=True) if one["label"] != "supported"]
    causes = Counter(one["reasons"][0] if one["reasons"] else "none" for one, _ in flagged)
    return {
        "flagged": wilson(len(flagged), len(got)),
        "verdicts": dict(Counter(one["label"] for one, _ in flagged)),
        "first_reasons": dict(causes.most_common(8)),
        "examples": [
            {"claim": row.claim[:240], "label": one["label"], "reasons": one["reasons"]} for one, row in flagged[:12]
        ],
    }


def main() -> None:
    verifier, rng = defaults.verifier(), random.Random(SEED)
    documents, premises = from_documents(rng), from_premises(rng)
    body: dict[str, Any] = {
        "verifier": verifier.info.fingerprint,
        "verbatim, documents": measure("documents", documents, verifier),
        "verbatim, premises": measure("premises", premises, verifier),
    }
    light = list(reworded([*documents, *premises], rng))
    body["lightly reworded by rule"] = measure("reworded", light[:REWORDED], verifier)
    for name, rows in sets("dev"):
        if not name.startswith(LANGUAGES):
            chosen = sample(rows, MOST)
            got = judged("dev", name, chosen, verifier)
            true = [(one, row) for one, row in zip(got, chosen, strict=True) if one["true"]]
            body[f"human-supported, {name}"] = summary([one for one, _ in true], [row for _, row in true])
    for name, one in body.items():
        if isinstance(one, dict):
            print(name, one["flagged"], one["first_reasons"])
            for example in one.pop("examples") if "--wrong" in sys.argv else []:
                print("   ", example["label"], example["reasons"], example["claim"])
            one.pop("examples", None)  # texts of the sets and documents stay there
    (RESULTS / "false_flags.json").write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
