"""Damaged files, full disks, other versions, other embedders: named, refused or repaired."""

from __future__ import annotations

import json
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from pincite.adapters.stores.embedded import EmbeddedStore
from pincite.errors import LibraryCorruptError, LibraryNotFoundError, PinciteError, StorageFullError, StoreError
from pincite.testing.entries import DIMENSIONS, EMBEDDER, make_entry, make_view
from pincite.testing.store_rules import ask, seen

ENTRIES = [make_entry(f"d{i:02}", [f"Refund rule {i}, line {j}." for j in range(8)]) for i in range(12)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A library of twelve documents in three puts, closed."""
    store = EmbeddedStore.create(tmp_path / "library", embedder=EMBEDDER.name, dimensions=DIMENSIONS)
    for start in range(0, 12, 4):
        store.put(ENTRIES[start : start + 4])
    store.close()
    return tmp_path / "library"


def everything(store: EmbeddedStore) -> tuple[list[str], list[str], list[str]]:
    found = ask(store, "refund line", limit=200)
    words = sorted(hit.passage.passage_id for hit in found.lexical)
    return seen(store), words, sorted(hit.passage.passage_id for hit in found.dense)


def damaged(data: bytes, damage: str) -> bytes:
    """Scratched: three bytes in eight of the middle are wrong, and the end, where lengths and sums stand, is whole."""
    scratched = bytes(
        b ^ 0x5A if len(data) // 5 < i < len(data) * 3 // 4 and i % 8 < 3 else b for i, b in enumerate(data)
    )
    forms = {"cut": data[: len(data) // 2], "garbled": b"\xa5" * len(data), "scratched": scratched}
    return forms.get(damage, b"")


@contextmanager
def file_size_limit(limit_bytes: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


# --- the derived indexes -------------------------------------------------------------------------------


def test_lost_indexes_are_rebuilt_from_the_truth_with_a_note(path: Path) -> None:
    whole = everything(EmbeddedStore.open(path))
    shutil.rmtree(path / "index-0")
    store = EmbeddedStore.open(path)
    assert everything(store) == whole
    assert len(store.notes) == 1
    assert "rebuilt" in store.notes[0]
    assert store.integrity() == []
    assert EmbeddedStore.open(path).notes == []
    assert [folder.name for folder in path.glob("index-*")] == ["index-1"]
    assert store.put([make_entry("new")]) == 4


@pytest.mark.parametrize("damage", ["cut", "emptied", "garbled", "scratched", "gone"])
def test_a_damaged_index_file_never_changes_an_answer(path: Path, damage: str) -> None:
    whole = everything(EmbeddedStore.open(path))
    names = sorted(file.relative_to(path) for file in path.glob("index-0/**/*") if file.is_file())
    important = [name for name in names if not name.name.startswith(".")]
    assert len(important) > 5
    for number, name in enumerate(important):
        copy = path.parent / f"{damage}-{number}"
        shutil.copytree(path, copy)
        data = (copy / name).read_bytes()
        (copy / name).write_bytes(damaged(data, damage))
        if damage == "gone":
            (copy / name).unlink()
        store = EmbeddedStore.open(copy)
        answer = everything(store)
        assert answer[0] == whole[0]
        assert answer == whole or store.integrity(), f"{name} {damage}: another answer, and nobody says so"
        store.close()


def test_indexes_of_another_history_are_not_believed(path: Path, tmp_path: Path) -> None:
    """Someone restores the database from a backup and leaves newer indexes of the same length beside it."""
    other = tmp_path / "other"
    shutil.copytree(path, other)
    mine, theirs = EmbeddedStore.open(path), EmbeddedStore.open(other)
    mine.put([make_entry("x", ["Refund mine."])])
    theirs.put([make_entry("x", ["Refund theirs."])])
    mine.close()
    theirs.close()
    shutil.rmtree(path / "index-0")
    shutil.copytree(other / "index-0", path / "index-0")
    store = EmbeddedStore.open(path)
    assert [hit.passage.text for hit in ask(store, "mine").lexical] == ["Refund mine."]
    assert ask(store, "theirs").lexical == ()
    assert len(store.notes) == 1
    assert store.integrity() == []


def test_a_vector_that_rots_is_found_by_the_integrity_check(path: Path) -> None:
    with (path / "index-0" / "vectors.rows").open("r+b") as file:
        file.seek(20 * (DIMENSIONS + 8) + 30)
        file.write(b"\x55\x55")
    problems = EmbeddedStore.open(path).integrity()
    assert len(problems) == 1
    assert "vector index" in problems[0]
    assert "20" in problems[0]


# --- the truth -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"not a database at all" * 500], ids=["empty", "garbage"])
def test_a_database_that_is_none_is_named_with_the_way_to_recover(path: Path, data: bytes) -> None:
    (path / "library.db").write_bytes(data)
    with pytest.raises(LibraryCorruptError, match=r"library\.db") as caught:
        EmbeddedStore.open(path)
    assert "backup" in caught.value.hint


def test_a_missing_database_is_named(path: Path) -> None:
    (path / "library.db").unlink()
    with pytest.raises(LibraryCorruptError, match=r"library\.db"):
        EmbeddedStore.open(path)


def test_garbage_anywhere_in_the_database_is_an_error_of_ours_or_found_by_the_check(path: Path) -> None:
    """Every page in turn: never another exception, never a wrong text."""
    size = (path / "library.db").stat().st_size
    texts = {p.passage_id: p.text for entry in ENTRIES for p in entry.passages}
    for page in range(1, size // 4096):
        copy = path.parent / f"page-{page}"
        shutil.copytree(path, copy)
        with (copy / "library.db").open("r+b") as file:
            file.seek(page * 4096)
            file.write(b"\x5a" * 4096)
        try:
            store = EmbeddedStore.open(copy)
            assert all(texts[p.passage_id] == p.text for p in store.iter_passages(make_view()))
            assert everything(store)
            said = store.integrity()
        except LibraryCorruptError as exc:
            said = [str(exc)]
        assert any("library.db" in line for line in said), f"page {page}: nobody says that it is garbage"
        shutil.rmtree(copy)


# --- other libraries -----------------------------------------------------------------------------------


def test_no_library_is_said_so(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(LibraryNotFoundError):
            EmbeddedStore.open(path)
    assert not (tmp_path / "nowhere").exists()


def test_a_library_of_a_newer_version_is_refused_politely(path: Path) -> None:
    (path / "library.json").write_text(json.dumps({"format": 2}))
    with pytest.raises(StoreError, match="format 2") as caught:
        EmbeddedStore.open(path)
    assert "Update" in caught.value.hint


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "one"}'])
def test_a_damaged_format_file_is_named(path: Path, text: str) -> None:
    (path / "library.json").write_text(text)
    with pytest.raises(StoreError, match=r"library\.json|format one"):
        EmbeddedStore.open(path)


def test_another_embedder_is_refused(path: Path) -> None:
    for name, dimensions in (("other/1", DIMENSIONS), (EMBEDDER.name, DIMENSIONS + 1)):
        with pytest.raises(StoreError, match=EMBEDDER.name) as caught:
            EmbeddedStore.create(path, embedder=name, dimensions=dimensions)
        assert "embedder" in caught.value.hint
    store = EmbeddedStore.open(path)
    assert (store.embedder, store.dimensions) == (EMBEDDER.name, DIMENSIONS)


def test_half_a_surrogate_pair_in_an_id_is_refused_whole(path: Path) -> None:
    store = EmbeddedStore.open(path)
    with pytest.raises(StoreError, match="surrogate"):
        store.put([make_entry("good"), make_entry("bad", title="\ud800")])
    assert len(seen(store)) == 12
    assert store.integrity() == []


# --- no room -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit_kib", [2, 40, 135, 170, 220, 400])
def test_when_a_file_cannot_grow_nothing_of_the_put_is_kept(path: Path, limit_kib: int) -> None:
    store = EmbeddedStore.open(path)
    whole = everything(store)
    kept = 0
    with file_size_limit(limit_kib * 1024), pytest.raises(StorageFullError) as caught:  # noqa: PT012 - until one fails
        for number in range(400):
            store.put([make_entry(f"n{number}", [f"Refund number {number} {i} " + "x" * 300 for i in range(30)])])
            kept += 1
    assert caught.value.retryable
    assert store.generation() == 3 + kept
    assert len(seen(store)) == 12 + kept
    assert len(everything(store)[1]) == len(everything(store)[2])
    again = EmbeddedStore.open(path)
    assert len(seen(again)) == 12 + kept
    assert again.integrity() == []
    assert set(whole[1]) <= {p.passage_id for p in again.iter_passages(make_view())}
    again.put([make_entry(f"n{kept}", ["Refund."])])
    assert again.integrity() == []


def test_a_full_database_refuses_a_put_and_a_removal_whole(path: Path) -> None:
    store = EmbeddedStore.open(path)
    with store._pool.connection() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageFullError):
        store.put([make_entry("big", ["Refund " + "x" * 200 + str(i) for i in range(200)])])
    assert (store.generation(), len(seen(store))) == (3, 12)
    with store._pool.connection() as connection:
        connection.execute("PRAGMA max_page_count = 100000")
    assert store.put([make_entry("big", ["Refund " + "x" * 200 + str(i) for i in range(200)])]) == 4
    assert store.integrity() == []


def test_a_folder_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(PinciteError):
        EmbeddedStore.create(tmp_path / "file" / "library", embedder="e", dimensions=8)


def test_vectors_survive_as_half_precision(path: Path) -> None:
    store = EmbeddedStore.open(path)
    with store._pool.connection() as connection:
        blobs = [blob for (blob,) in connection.execute("SELECT half FROM vectors ORDER BY row")]
    kept = np.frombuffer(b"".join(blobs), dtype="<f2").reshape(-1, DIMENSIONS).astype(np.float32)
    assert np.abs(kept - np.concatenate([entry.vectors for entry in ENTRIES])).max() < 0.0005
