"""What the parts of the Store conformance suite share."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from pincite.testing.entries import DIMENSIONS, EMBEDDER, make_view

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pincite.errors import PinciteError
    from pincite.protocols import Candidates, Entry, Store
    from pincite.types import View


class StoreRules:
    """The hooks of the suite, and short forms of what its tests do most."""

    dimensions = DIMENSIONS

    def make_store(self, folder: Path) -> Store:
        """An empty store for vectors of ``dimensions``; it may keep files in the folder."""
        raise NotImplementedError

    def reopen(self, store: Store, folder: Path) -> Store:  # noqa: ARG002 - for stores that keep files
        """The same library through a new object. A store that keeps no files returns itself."""
        return store

    def filled(self, folder: Path, *entries: Entry) -> Store:
        """A store after one put."""
        store = self.make_store(folder)
        store.put(entries)
        return store


def ask(store: Store, text: str, view: View | None = None, *, limit: int = 10) -> Candidates:
    """Search by words and by the hashed vector of the same words."""
    return store.search(text, EMBEDDER.embed_query(text), view or make_view(), limit=limit)


def lexical_ids(found: Candidates) -> list[str]:
    """Passage ids of the word ranking."""
    return [hit.passage.passage_id for hit in found.lexical]


def dense_ids(found: Candidates) -> list[str]:
    """Passage ids of the vector ranking."""
    return [hit.passage.passage_id for hit in found.dense]


def seen(store: Store, view: View | None = None) -> list[str]:
    """Every visible version_id, by one way; ``same_by_every_way`` holds the others to it."""
    return [document.version_id for document in store.documents(view or make_view())]


def same_by_every_way(store: Store, view: View, entries: Sequence[Entry]) -> None:
    """Every query of the view agrees on which of the entries are visible."""
    visible = set(seen(store, view))
    inside = {p.passage_id for e in entries if e.version.version_id in visible for p in e.passages}
    every = [p.passage_id for e in entries for p in e.passages]
    words = " ".join(sorted({word for e in entries for p in e.passages for word in p.text.split()}))
    found = ask(store, words, view, limit=len(every) + 10)
    expect(set(lexical_ids(found)) == inside, "the word ranking shows something else than the list of documents")
    expect(set(dense_ids(found)) == inside, "the vector ranking shows something else than the list of documents")
    expect({p.passage_id for p in store.passages(every, view)} == inside, "passages() shows something else")
    expect({p.passage_id for p in store.iter_passages(view)} == inside, "iter_passages() shows something else")
    near = {p.passage_id for key in every for p in store.neighbours(key, view, distance=0)}
    expect(near == inside, "neighbours() shows something else")
    ids = [e.version.version_id for e in entries]
    expect({i for i in ids if store.version(i, view)} == visible & set(ids), "version() shows something else")


def expect(condition: bool, message: str) -> None:  # noqa: FBT001 - reads like the assertion it stands for
    """An assertion that survives ``python -O``."""
    if not condition:
        raise AssertionError(message)


@contextmanager
def refusal(kind: type[PinciteError]) -> Iterator[None]:
    """The block must raise this kind of error."""
    try:
        yield
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was not raised")
