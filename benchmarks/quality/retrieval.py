"""Recall of the retrieve step over the shipped store and embedder: BM25 alone, cosine alone, fused.

Each set is pooled into one library. A question counts at k when one of its gold passages is among the first k.
PolicyQA is special: its 568 questions name no site, and each is asked of many passages of 20 sites, so it is
measured under several readings of gold, beside the best that any ranking could reach under each (`ceiling`).

    python benchmarks/quality/retrieval.py [SET ...]
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from intervals import mean_interval, wilson
from qa_sets import TENANT, TODAY, load, part_of

from pincite.adapters.embedders.onnx_minilm import MiniLMEmbedder
from pincite.adapters.stores.embedded import EmbeddedStore
from pincite.config import RetrieveSettings
from pincite.ingest import embedding_text
from pincite.protocols import Entry
from pincite.retrieve import retrieve
from pincite.types import Identity, Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from qa_sets import QaSet, Question

RESULT = Path(__file__).parent / "results" / "retrieval.json"
SETS = (
    "policyqa_dev",
    "xquad_en",
    "xquad_de",
    "xquad_es",
    "xquad_hi",
    "xquad_zh",
    "pubmedqa_labeled",
    "boolq_dev",
    "clapnq_dev_part",
    "mtragun_part",
)
KS = (1, 5, 10)
DEPTH = 50
EMBEDDER = MiniLMEmbedder(threads=1)
Ranking = dict[str, list[list[str]]]


def main() -> None:
    report = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {}
    for name in sys.argv[1:] or SETS:
        started = time.perf_counter()
        report[name] = measure(load(name))
        report[name]["wall_s"] = round(time.perf_counter() - started, 1)
        RESULT.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
        show(name, report[name])


def measure(qa: QaSet) -> dict[str, object]:
    """Every reading of gold that fits the set, over one library."""
    questions = [question for question in qa.questions if question.gold]
    sizes = {"documents": len(qa.documents), "passages": len(qa.passages()), "questions": len(questions)}
    with tempfile.TemporaryDirectory() as folder:
        store = filled(qa, Path(folder) / "library")
        pooled = rankings(store, questions, scoped=False)
        result: dict[str, object] = {**sizes, "pooled": judged(pooled, questions, [q.gold for q in questions])}
        if qa.name == "policyqa_dev":
            scoped = rankings(store, questions, scoped=True)
            result |= policy_readings(pooled, scoped, questions)
        store.close()
    return result


def filled(qa: QaSet, folder: Path) -> EmbeddedStore:
    """A library that holds the whole set."""
    store = EmbeddedStore.create(folder, embedder=EMBEDDER.name, dimensions=EMBEDDER.dimensions)
    entries = [
        Entry(
            version=version,
            passages=passages,
            vectors=EMBEDDER.embed_passages([embedding_text(passage) for passage in passages]),
        )
        for version, passages in qa.documents
    ]
    store.put(entries)
    return store


def rankings(store: EmbeddedStore, questions: Sequence[Question], *, scoped: bool) -> Ranking:
    """Passage ids, best first, by each way of ranking; within the question's own site when ``scoped``."""
    found: Ranking = {"lexical": [], "dense": [], "fused": []}
    for question in questions:
        query = Query(
            text=question.text,
            identity=Identity(tenant=TENANT),
            as_of=TODAY,
            attributes={"site": question.group} if scoped else {},
        )
        candidates = store.search(query.text, EMBEDDER.embed_query(query.text), query.view(), limit=DEPTH)
        found["lexical"].append([hit.passage.passage_id for hit in candidates.lexical])
        found["dense"].append([hit.passage.passage_id for hit in candidates.dense])
        fused = retrieve(query, store=store, embedder=EMBEDDER, settings=RetrieveSettings(limit=DEPTH))
        found["fused"].append([hit.passage.passage_id for hit in fused.hits])
    return found


def judged(found: Ranking, questions: Sequence[Question], golds: Sequence[frozenset[str]]) -> dict[str, object]:
    """All questions, and the half of the documents on which nothing was tuned."""
    held = [i for i, question in enumerate(questions) if part_of(question.group) == "held-out"]
    everything = range(len(questions))
    return {way: figures(lists, golds, everything) for way, lists in found.items()} | {
        "fused, held-out half": figures(found["fused"], golds, held)
    }


def figures(lists: list[list[str]], golds: Sequence[frozenset[str]], chosen: Iterable[int]) -> dict[str, object]:
    """Recall at each k with its interval, and the mean reciprocal rank to a depth of 50."""
    places = [next((r for r, key in enumerate(lists[i], start=1) if key in golds[i]), None) for i in chosen]
    recall = {f"recall@{k}": wilson(sum(p is not None and p <= k for p in places), len(places)) for k in KS}
    return {**recall, "mrr": mean_interval([1 / p if p else 0.0 for p in places])}


# --- PolicyQA --------------------------------------------------------------------------------------


def policy_readings(pooled: Ranking, scoped: Ranking, questions: Sequence[Question]) -> dict[str, object]:
    """Gold as the set has it, every passage asked the same, every passage with the same practice."""
    readings: dict[str, Callable[[Question], str]] = {
        "any passage with this question": lambda q: q.text,
        "any passage annotated with this practice": lambda q: q.kind,
    }
    result: dict[str, object] = {
        "pooled, ceiling": ceiling(questions, lambda q: q.text),
        "one site, ceiling": ceiling(questions, lambda q: f"{q.group} {q.text}"),
        "one site": judged(scoped, questions, [q.gold for q in questions]),
    }
    for name, key in readings.items():
        shared: dict[str, set[str]] = defaultdict(set)
        for question in questions:
            shared[key(question)] |= question.gold
        golds = [frozenset(shared[key(question)]) for question in questions]
        result[f"pooled, {name}"] = judged(pooled, questions, golds)
        result[f"one site, {name}"] = judged(scoped, questions, golds)
    return result


def ceiling(questions: Sequence[Question], same: Callable[[Question], str]) -> dict[str, float]:
    """The best recall of any ranking that sees only the question: one list for all that ask the same."""
    wanted: dict[str, Counter[str]] = defaultdict(Counter)
    for question in questions:
        wanted[same(question)].update(question.gold)
    return {
        f"recall@{k}": round(sum(n for c in wanted.values() for _, n in c.most_common(k)) / len(questions), 4)
        for k in KS
    }


def show(name: str, result: dict[str, object]) -> None:
    print(f"{name}: {result['questions']} questions, {result['passages']} passages, {result['wall_s']} s")
    for reading, ways in result.items():
        if not isinstance(ways, dict):
            continue
        if reading.endswith("ceiling"):
            print(f"  {reading}: {ways}")
            continue
        for way, values in ways.items():
            r = [f"{k} {values[k]['rate']:.3f}" for k in values if k != "mrr"]
            print(f"  {reading:50} {way:22} {'  '.join(r)}  mrr {values['mrr']['mean']:.3f}")


if __name__ == "__main__":
    main()
