"""The embedded store against the plain reference: random libraries, random views, nothing seen that may not be."""

from __future__ import annotations

import random
from datetime import date, timedelta
from pathlib import Path

import pytest

from pincite.adapters.stores.embedded import EmbeddedStore, lexical, vectors
from pincite.protocols import Entry, Store
from pincite.testing.entries import DIMENSIONS, EMBEDDER, INGESTED_AT, make_entry
from pincite.testing.memory_store import MemoryStore
from pincite.types import EVERYONE, Access, View

TENANTS = ("north", "south")
PRINCIPALS = (EVERYONE, "role:a", "role:b", "group:c", "user:d")
COUNTRIES = ("India", "INDIA", "Norway", "Peru")
PLANS = ("pro", "Starter")
DAYS = [date(2024, 1, 1) + timedelta(days=30 * n) for n in range(8)]
WORDS = [f"zo{c}{v}p" for c in "bdfgklmn" for v in "aeiou"]
DOCUMENTS = 40
BIG = 2_000


def some(rng: random.Random, values: tuple[str, ...], most: int) -> frozenset[str]:
    return frozenset(rng.sample(values, rng.randint(0, most)))


def random_entry(rng: random.Random, number: int) -> Entry:
    document_id = f"doc{rng.randrange(DOCUMENTS)}"
    attributes = {"country": rng.choice(COUNTRIES)} if rng.random() < 0.5 else {}
    attributes |= {"plan": rng.choice(PLANS)} if rng.random() < 0.3 else {}
    allow = some(rng, PRINCIPALS, 3) | ({EVERYONE} if rng.random() < 0.4 else frozenset())
    supersedes = None
    if rng.random() < 0.15:
        supersedes = rng.choice([f"doc{rng.randrange(DOCUMENTS)}", f"v{rng.randrange(number + 1)}"])
    return make_entry(
        f"v{number}",
        [" ".join(rng.choices(WORDS, k=rng.randint(1, 9))) for _ in range(rng.randint(0, 4))],
        document_id=document_id,
        tenant=rng.choice(TENANTS),
        title=rng.choice(WORDS),
        effective_from=rng.choice([None, *DAYS]),
        effective_to=rng.choice([None, None, *DAYS]),
        supersedes=supersedes,
        access=Access(allow=allow, deny=some(rng, PRINCIPALS[1:], 1)),
        attributes=attributes,
        ingested_at=INGESTED_AT + timedelta(seconds=rng.randrange(50)),
    )


def random_view(rng: random.Random) -> View:
    attributes = {"country": rng.choice(COUNTRIES)} if rng.random() < 0.4 else {}
    attributes |= {"plan": rng.choice(PLANS)} if rng.random() < 0.2 else {}
    return View(
        tenant=rng.choice([*TENANTS, *TENANTS, *TENANTS, "unknown"]),
        principals=some(rng, PRINCIPALS, 4) | ({EVERYONE} if rng.random() < 0.8 else frozenset()),
        as_of=rng.choice(DAYS) + timedelta(days=rng.choice([-1, 0, 1, 15])),
        attributes=attributes,
    )


def fill(rng: random.Random, stores: list[Store]) -> None:
    """The same random changes to each: puts of several sizes, removals, and versions put again."""
    entries = [random_entry(rng, number) for number in range(160)]
    at = 0
    while at < len(entries):
        size = rng.randint(1, 30)
        batch = [*entries[at : at + size], *rng.sample(entries[: at + 1], min(at, 3))]
        assert len({store.put(batch) for store in stores}) == 1
        at += size
        known = sorted((e.version.tenant, e.version.document_id) for e in entries[:at])
        tenant, document_id = rng.choice(known)
        if any(document.document_id == document_id for document in stores[0].documents(open_view(tenant))):
            assert len({store.remove(tenant, document_id, at=INGESTED_AT) for store in stores}) == 1


def open_view(tenant: str) -> View:
    return View(tenant=tenant, principals=frozenset(PRINCIPALS), as_of=DAYS[4])


def compare(store: Store, reference: Store, view: View, rng: random.Random) -> int:
    """Every query gives the same, and nothing outside of what the reference sees; the number of visible passages."""
    visible = {p.passage_id: p for p in reference.iter_passages(view)}
    text = " ".join(rng.sample(WORDS, rng.randint(1, 6)))
    vector = EMBEDDER.embed_query(text)
    found = store.search(text, vector, view, limit=BIG)
    expected = reference.search(text, vector, view, limit=BIG)
    assert {h.passage.passage_id for h in found.lexical} == {h.passage.passage_id for h in expected.lexical}
    cosines = {h.passage.passage_id: h.cosine_sim for h in expected.dense}
    assert {h.passage.passage_id for h in found.dense} == cosines.keys() == visible.keys()
    assert all(abs((h.cosine_sim or 0) - (cosines[h.passage.passage_id] or 0)) < 0.005 for h in found.dense)
    few = store.search(text, vector, view, limit=3)
    assert few.lexical == found.lexical[:3]
    assert [h.passage for h in few.dense] == [h.passage for h in found.dense[:3]]
    assert store.documents(view) == reference.documents(view)
    assert list(store.iter_passages(view)) == list(visible.values())
    assert store.attribute_values(view) == reference.attribute_values(view)
    assert found.generation == expected.generation
    document_id = f"doc{rng.randrange(DOCUMENTS)}"
    assert store.history(document_id, view) == reference.history(document_id, view)
    asked = [f"v{rng.randrange(160)}#{rng.randrange(4)}" for _ in range(20)]
    assert store.passages(asked, view) == reference.passages(asked, view)
    assert store.neighbours(asked[0], view, distance=1) == reference.neighbours(asked[0], view, distance=1)
    assert store.version(asked[0].partition("#")[0], view) == reference.version(asked[0].partition("#")[0], view)
    return len(visible)


WAYS = {
    "as chosen": {},
    "words without a filter first, vectors by a scan of everything": {
        "WIDE_SHARE": 0.0,
        "EXACT_ROWS": 0,
        "GATHER_SHARE": 0.0,
    },
    "words by class, vectors by a scan of the visible": {
        "WIDE_SHARE": 2.0,
        "CLASS_SHARE": 0.0,
        "EXACT_ROWS": 0,
        "GATHER_SHARE": 2.0,
    },
    "words by version": {"WIDE_SHARE": 2.0, "CLASS_SHARE": 2.0, "EXACT_ROWS": 0},
}


@pytest.mark.parametrize("way", WAYS)
def test_five_hundred_random_views_see_exactly_what_the_reference_sees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    for name, value in WAYS[way].items():
        monkeypatch.setattr(lexical if name in ("WIDE_SHARE", "CLASS_SHARE") else vectors, name, value)
    rng = random.Random(way)
    store = EmbeddedStore.create(tmp_path / "library", embedder=EMBEDDER.name, dimensions=DIMENSIONS)
    reference = MemoryStore(dimensions=DIMENSIONS)
    fill(rng, [reference, store])
    sizes = [compare(store, reference, random_view(rng), rng) for _ in range(500)]
    assert store.withheld_total == 0, "the filter let through what the last look refused"
    assert store.integrity() == []
    assert min(sizes) == 0
    assert max(sizes) > 20
    assert len(set(sizes)) > 20, "the views are all alike and show nothing"
