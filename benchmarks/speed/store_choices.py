# ruff: noqa: SLF001 - it turns what is inside
"""What the constants of the embedded store's two indexes cost and bring: the sweep that chose them.

    python benchmarks/speed/store_choices.py --libraries DIR --size 1000000

Needs a library that store.py built. Times are processor time of one thread, so that other work on the machine
does not count. Chosen: no filter for words while the view sees a quarter (WIDE_SHARE); then by class while a fifth of
the classes' passages are visible (CLASS_SHARE), else by version; 3,000 rows rescored (recall@10 of 0.99 at a million);
every row compared exactly up to 4,096; no word dropped for being common (dropping those in 30 % of the passages
halves the time and changes more than one of the first ten).
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import store_library
from machine import machine
from store import dense_recall, exact_nearest

from pincite.adapters.embedders.onnx_minilm import MiniLMEmbedder
from pincite.adapters.stores.embedded import EmbeddedStore, lexical, vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pincite.adapters.stores.embedded.catalogue import Sight
    from pincite.adapters.stores.embedded.lexical import LexicalReader

QUERIES = 60
LIMIT = 50
PLANS = {"no filter": (0.0, 0.0), "by class": (2.0, 0.0), "by version": (2.0, 2.0)}
RESULTS = Path(__file__).parent / "results"


def sweep(folder: Path) -> dict[str, Any]:
    store = EmbeddedStore.open(folder)
    asked = store_library.questions(QUERIES)
    embedder = MiniLMEmbedder()
    questions = [embedder.embed_query(text) for text in asked]
    figures: dict[str, Any] = {}
    for name, view in store_library.views().items():
        with store._snapshot() as snapshot:
            sight = snapshot.catalogue.sight(view)
            readers = store._index_readers(snapshot.state)
        figures[name] = {
            "visible_share": round(sight.row_count / len(sight.rows), 4),
            "words": _plans(readers.lexical, asked, sight),
            "words_without_common": _pruned(readers.lexical, asked, sight),
        }
        exact = exact_nearest(store, questions, view)
        for exact_rows in (0, 4_096, 16_384):
            for rescored in (600, 1_000, 2_000, 3_000):
                vectors.EXACT_ROWS, vectors.MIN_RESCORED = exact_rows, rescored
                timed = _timed(lambda v: readers.vectors.search(v, sight, limit=LIMIT), questions)  # noqa: B023
                timed["recall_at_10"] = dense_recall(store, questions, view, exact)
                figures[name][f"vectors, exact to {exact_rows}, {rescored} rescored"] = timed
    return figures


def _plans(reader: LexicalReader, asked: list[str], sight: Sight) -> dict[str, Any]:
    chosen = lexical.WIDE_SHARE, lexical.CLASS_SHARE
    figures = {}
    for plan, (lexical.WIDE_SHARE, lexical.CLASS_SHARE) in PLANS.items():
        figures[plan] = _timed(lambda text: reader.search(text, sight, limit=LIMIT), asked)
    lexical.WIDE_SHARE, lexical.CLASS_SHARE = chosen
    return figures


def _pruned(reader: LexicalReader, asked: list[str], sight: Sight) -> dict[str, Any]:
    """Leave out words that stand in more than a share of all passages, while two others remain."""
    whole = reader._words_query
    best = {text: _first_ten(reader, text, sight) for text in asked}
    figures = {}
    for share in (0.3, 0.15):
        most = share * reader.row_count

        def rare(words: Any, most: float = most) -> Any:
            stems = tuple(term for term in words.stems if reader._searcher.doc_freq("body", term) <= most)
            return whole(replace(words, stems=stems) if len(stems) > 1 else words)

        reader._words_query = rare  # type: ignore[method-assign]
        figures[f"in more than {share:.0%}"] = _timed(lambda text: reader.search(text, sight, limit=LIMIT), asked)
        same = [len(_first_ten(reader, text, sight) & best[text]) / 10 for text in asked]
        figures[f"in more than {share:.0%}"]["same_of_first_ten"] = round(float(np.mean(same)), 3)
        reader._words_query = whole  # type: ignore[method-assign]
    return figures


def _first_ten(reader: LexicalReader, text: str, sight: Sight) -> set[int]:
    return {hit.row for hit in reader.search(text, sight, limit=LIMIT)[:10]}


def _timed(call: Callable[[Any], object], values: Iterable[Any]) -> dict[str, float]:
    spent_ms = []
    for value in values:
        started_s = time.thread_time()
        call(value)
        spent_ms.append((time.thread_time() - started_s) * 1000)
    return {
        "p50_ms": round(float(np.percentile(spent_ms, 50)), 2),
        "p95_ms": round(float(np.percentile(spent_ms, 95)), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--libraries", type=Path, required=True)
    parser.add_argument("--size", type=int, required=True)
    said = parser.parse_args()
    figures = {"passages": said.size, **sweep(said.libraries / str(said.size)), "machine": machine()}
    (RESULTS / f"store-choices-{said.size}.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
