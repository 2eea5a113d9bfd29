"""Libraries for benchmarks/speed/store.py: real sentences and real vectors, recombined.

Text: sentences of premises and passages in ../shared/data, three to a passage, drawn with a seed until there are
enough distinct passages. Vectors: ``SAMPLE`` of those sentences through the real embedder; a passage's vector is the
normalised sum of three of them and a little noise, so that vectors lie in the clusters that real text makes. Text and
vector of a passage are drawn apart: neither index knows of the other. Ten passages a version; a tenth of the
documents has a second version; fifty groups may read two per cent each; effective dates spread over ten years.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pincite.protocols import Entry
from pincite.types import Access, Layout, Passage, Version, View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from pincite.protocols import Embedder

SHARED = Path(__file__).resolve().parents[3] / "shared"
SAMPLE = 6_000
NOISE = 0.35
PASSAGES_PER_VERSION = 10
SENTENCES_PER_PASSAGE = 3
VERSIONS_PER_PUT = 400
GROUPS = 50
COUNTRIES = ("India", "Norway", "Peru", "Kenya", "Japan")
FIRST_DAY = date(2015, 1, 1)
DAYS = 3650
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def sentences() -> list[str]:
    """Distinct sentences of 40 to 220 characters, sorted."""
    found: set[str] = set()
    for path in sorted((SHARED / "data" / "verify").rglob("*.jsonl.gz")):
        for row in _rows(path):
            found.update(_SENTENCE_END.split(row["premise"]))
    for path in sorted((SHARED / "data" / "qa").glob("*.jsonl.gz")):
        for row in _rows(path):
            for passage in row.get("passages", ()):
                found.update(_SENTENCE_END.split(passage["text"]))
    return sorted(s for s in (" ".join(text.split()) for text in found) if 40 <= len(s) <= 220)


def questions(count: int) -> list[str]:
    """Questions that people asked of privacy policies."""
    asked = sorted({row["question"] for row in _rows(SHARED / "data" / "qa" / "policyqa_dev.jsonl.gz")})
    return random.Random(3).sample(asked, count)


def sample_vectors(embedder: Embedder, pool: list[str], cache: Path) -> NDArray[np.float32]:
    """Vectors of ``SAMPLE`` sentences, kept in a file beside the libraries."""
    if not cache.exists():
        np.save(cache, embedder.embed_passages(random.Random(1).sample(pool, SAMPLE)))
    return np.asarray(np.load(cache), dtype=np.float32)


def puts(size: int, pool: list[str], vectors: NDArray[np.float32]) -> Iterator[list[Entry]]:
    """Entries with ``size`` passages together, in batches."""
    rng, draws = random.Random(size), np.random.default_rng(size)
    seen: set[tuple[int, ...]] = set()
    batch: list[Entry] = []
    for number in range(size // PASSAGES_PER_VERSION):
        batch.append(_entry(number, rng, draws, pool, vectors, seen))
        if len(batch) == VERSIONS_PER_PUT:
            yield batch
            batch = []
    if batch:
        yield batch


def views() -> dict[str, View]:
    """All of it, about 10 % and about 1 %: groups of two per cent each, on a date that half of the versions reach."""
    half, end = FIRST_DAY + timedelta(days=DAYS // 2), FIRST_DAY + timedelta(days=2 * DAYS)
    groups = [f"group:{i}" for i in range(GROUPS)]
    chosen = {"all": (groups, end), "10 %": (groups[:10], half), "1 %": (groups[:1], half)}
    return {name: View(tenant="default", principals=frozenset(held), as_of=day) for name, (held, day) in chosen.items()}


def _entry(  # noqa: PLR0917 - all of them are one state
    number: int,
    rng: random.Random,
    draws: np.random.Generator,
    pool: list[str],
    vectors: NDArray[np.float32],
    seen: set[tuple[int, ...]],
) -> Entry:
    document = number - 1 if number % 10 == 1 else number  # every tenth document has two versions
    version_id = f"v{number}"
    attributes = {"country": rng.choice(COUNTRIES)} if rng.random() < 0.2 else {}
    texts = [" ".join(pool[i] for i in _fresh(rng, len(pool), seen)) for _ in range(PASSAGES_PER_VERSION)]
    starts = np.cumsum([0, *(len(text) + 1 for text in texts)]).tolist()
    title = pool[document % len(pool)][:60]
    passages = tuple(
        Passage(
            passage_id=f"{version_id}#{i}",
            text=text,
            start=start,
            end=start + len(text),
            version_id=version_id,
            document_id=f"doc-{document}",
            ordinal=i,
            title=title,
            heading_path=(f"Section {i // 3 + 1}",),
            language="en",
            attributes=attributes,
        )
        for i, (text, start) in enumerate(zip(texts, starts, strict=False))
    )
    version = Version(
        version_id=version_id,
        document_id=f"doc-{document}",
        tenant="default",
        title=title,
        text="\n".join(texts),
        layout=Layout(),
        language="en",
        media_type="text/plain",
        source_uri=f"file:///doc-{document}.txt",
        content_sha256="0" * 64,
        parser="bench/1",
        ingested_at=datetime(2025, 1, 1, tzinfo=UTC) + timedelta(seconds=number),
        effective_from=FIRST_DAY + timedelta(days=rng.randrange(DAYS)),
        access=Access(allow=frozenset({f"group:{rng.randrange(GROUPS)}"})),
        attributes=attributes,
    )
    mixed = vectors[draws.integers(0, len(vectors), (PASSAGES_PER_VERSION, SENTENCES_PER_PASSAGE))].sum(axis=1)
    mixed += draws.normal(0, NOISE / np.sqrt(vectors.shape[1]), mixed.shape).astype(np.float32)
    mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
    return Entry(version=version, passages=passages, vectors=mixed.astype(np.float32))


def _fresh(rng: random.Random, size: int, seen: set[tuple[int, ...]]) -> tuple[int, ...]:
    while True:
        drawn = tuple(rng.randrange(size) for _ in range(SENTENCES_PER_PASSAGE))
        if drawn not in seen:
            seen.add(drawn)
            return drawn


def _rows(path: Path) -> Iterator[dict[str, object]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
