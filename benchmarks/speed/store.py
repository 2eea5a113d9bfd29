"""How fast the embedded store ingests, opens and answers, how big it is, and what its vector index misses.

    python benchmarks/speed/store.py build --libraries DIR --size 100000
    python benchmarks/speed/store.py measure --libraries DIR --size 100000

``build`` makes a library with store_library.py and writes how long the store's own part of it took; ``measure``
opens it in a new process and writes results/store-SIZE.json. Times are of ``EmbeddedStore.search`` alone (words and
vectors, 50 candidates each, passages read): the question's embedding is not in them.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import store_library
from machine import machine

from pincite.adapters.embedders.onnx_minilm import MiniLMEmbedder
from pincite.adapters.stores.embedded import EmbeddedStore
from pincite.adapters.stores.embedded.indexes import read_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.types import View

QUERIES = 200
RECALL_QUERIES = 50
LIMIT = 50
RESULTS = Path(__file__).parent / "results"


def build(libraries: Path, size: int) -> None:
    libraries.mkdir(parents=True, exist_ok=True)
    embedder = MiniLMEmbedder()
    pool = store_library.sentences()
    vectors = store_library.sample_vectors(embedder, pool, libraries / "sample.npy")
    store = EmbeddedStore.create(libraries / str(size), embedder=embedder.name, dimensions=embedder.dimensions)
    spent_s, done, slowest_s = 0.0, 0, 0.0
    for batch in store_library.puts(size, pool, vectors):
        started_s = time.perf_counter()
        store.put(batch)
        took_s = time.perf_counter() - started_s
        spent_s, slowest_s = spent_s + took_s, max(slowest_s, took_s)
        done += sum(len(entry.passages) for entry in batch)
        if done % 100_000 == 0:
            print(f"{done} passages, {done / spent_s:.0f}/s", flush=True)
    store.close()
    figures = {
        "passages_per_s": round(done / spent_s),
        "slowest_put_s": round(slowest_s, 2),
        "passages_per_put": store_library.VERSIONS_PER_PUT * store_library.PASSAGES_PER_VERSION,
        "distinct_sentences": len(pool),
    }
    (libraries / f"{size}.json").write_text(json.dumps(figures))
    print(figures)


def measure(libraries: Path, size: int) -> None:
    folder = libraries / str(size)
    asked = store_library.questions(QUERIES)
    vectors = [MiniLMEmbedder().embed_query(text) for text in asked]
    before_kib = _resident()
    opened: list[float] = []
    for _ in range(5):
        started_s = time.perf_counter()
        store = EmbeddedStore.open(folder)
        store.generation()
        opened.append(time.perf_counter() - started_s)
        store.close()
    store = EmbeddedStore.open(folder)
    views = store_library.views()
    figures: dict[str, Any] = {
        "passages": size,
        "candidates": LIMIT,
        "ingest": json.loads((libraries / f"{size}.json").read_text()),
        "open_ms": round(statistics.median(opened) * 1000, 1),
        "first_query_ms": _timed(lambda: store.search(asked[0], vectors[0], views["all"], limit=LIMIT)),
        "disk_bytes_per_passage": _disk(folder, size),
        "queries": {name: _queries(store, asked, vectors, view) for name, view in views.items()},
    }
    after_kib = _resident()
    figures["memory_bytes_per_passage"] = {
        kind: round((after_kib[kind] - before_kib[kind]) * 1024 / size) for kind in before_kib
    }
    few = vectors[:RECALL_QUERIES]
    figures["recall_at_10_of_dense_half"] = {
        name: dense_recall(store, few, view, exact_nearest(store, few, view)) for name, view in views.items()
    }
    figures["withheld_total"] = store.withheld_total
    figures["made_by"] = (
        "store_library.py: sentences of ../shared/data and MiniLM vectors of a sample of them, recombined"
    )
    figures["machine"] = machine()
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"store-{size}.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(json.dumps(figures, indent=2))


def _queries(store: EmbeddedStore, asked: list[str], vectors: list[NDArray[np.float32]], view: View) -> dict[str, Any]:
    first_ms = _timed(lambda: store.search(asked[0], vectors[0], view, limit=LIMIT))
    for text, vector in zip(asked[:10], vectors[:10], strict=True):
        store.search(text, vector, view, limit=LIMIT)
    runs, processor_ms = [], []
    for _ in range(2):
        run = []
        for text, vector in zip(asked, vectors, strict=True):
            started_s = time.thread_time()
            run.append(_timed(lambda t=text, v=vector: store.search(t, v, view, limit=LIMIT)))  # type: ignore[misc]
            processor_ms.append((time.thread_time() - started_s) * 1000)
        runs.append(run)
    words = [_timed(lambda t=text: store.search(t, None, view, limit=LIMIT)) for text in asked]  # type: ignore[misc]
    with store._snapshot() as snapshot:  # noqa: SLF001 - measures what is inside
        sight = snapshot.catalogue.sight(view)
    return {
        "visible_share": round(sight.row_count / len(sight.rows), 4),
        "first_of_view_ms": first_ms,
        "p50_ms": [_percentile(run, 50) for run in runs],
        "p95_ms": [_percentile(run, 95) for run in runs],
        "processor_p50_ms": _percentile(processor_ms, 50),
        "processor_p95_ms": _percentile(processor_ms, 95),
        "words_only_p50_ms": _percentile(words, 50),
    }


def exact_nearest(store: EmbeddedStore, vectors: list[NDArray[np.float32]], view: View) -> list[set[int]]:
    """The ten visible rows nearest to each vector, by exact cosine over the truth."""
    questions = np.stack(vectors)
    values = np.zeros((len(questions), 0), dtype=np.float32)
    nearest = np.zeros((len(questions), 0), dtype=np.int64)
    with store._snapshot() as snapshot:  # noqa: SLF001 - measures what is inside
        sight = snapshot.catalogue.sight(view)
        for start in range(0, len(sight.rows), 50_000):
            stop = min(start + 50_000, len(sight.rows))
            rows = start + np.flatnonzero(sight.rows[start:stop])
            stored = read_vectors(snapshot.connection, start, stop, dimensions=store.dimensions)[rows - start]
            values = np.concatenate([values, questions @ stored.T], axis=1)
            nearest = np.concatenate([nearest, np.broadcast_to(rows, (len(questions), len(rows)))], axis=1)
            kept = np.argsort(-values, axis=1)[:, :10]
            values = np.take_along_axis(values, kept, axis=1)
            nearest = np.take_along_axis(nearest, kept, axis=1)
    return [set(rows) for rows in nearest.tolist()]


def dense_recall(store: EmbeddedStore, vectors: list[NDArray[np.float32]], view: View, exact: list[set[int]]) -> float:
    """The share of the exact ten nearest that the store finds among its first ten."""
    with store._snapshot() as snapshot:  # noqa: SLF001 - measures what is inside
        sight = snapshot.catalogue.sight(view)
        readers = store._index_readers(snapshot.state)  # noqa: SLF001 - measures what is inside
        found = [{hit.row for hit in readers.vectors.search(v, sight, limit=LIMIT)[:10]} for v in vectors]
    return round(float(np.mean([len(f & e) / max(1, len(e)) for f, e in zip(found, exact, strict=True)])), 4)


def _timed(call: Any) -> float:
    started_s = time.perf_counter()
    call()
    return round((time.perf_counter() - started_s) * 1000, 3)


def _percentile(values: list[float], percent: int) -> float:
    return round(float(np.percentile(values, percent)), 2)


def _resident() -> dict[str, int]:
    """KiB of this process: private memory, and mapped pages of files that the system may drop at any time."""
    lines = Path("/proc/self/status").read_text().splitlines()
    fields = dict(line.split(":", 1) for line in lines if line.startswith("Rss"))
    return {"private": int(fields["RssAnon"].split()[0]), "mapped_files": int(fields["RssFile"].split()[0])}


def _disk(folder: Path, size: int) -> dict[str, int]:
    parts = {"database": [folder / "library.db"], "words": folder.glob("index-*/words/*")}
    parts["vectors"] = folder.glob("index-*/vectors.*")
    return {name: round(sum(p.stat().st_blocks * 512 for p in paths) / size) for name, paths in parts.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["build", "measure"])
    parser.add_argument("--libraries", type=Path, required=True)
    parser.add_argument("--size", type=int, required=True)
    said = parser.parse_args()
    {"build": build, "measure": measure}[said.what](said.libraries, said.size)


if __name__ == "__main__":
    main()
