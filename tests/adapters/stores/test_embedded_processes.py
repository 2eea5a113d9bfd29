"""One writer, many readers, across processes; and writers that die."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import threading
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from pincite.adapters.stores.embedded import EmbeddedStore, folder, lexical
from pincite.errors import LibraryLockedError
from pincite.testing.entries import DIMENSIONS, EMBEDDER, make_entry, make_view
from pincite.testing.store_rules import ask, lexical_ids, same_by_every_way, seen

WRITER = Path(__file__).with_name("writer.py")
_SPEC = spec_from_file_location("store_writer", WRITER)
assert _SPEC is not None
assert _SPEC.loader is not None
_MODULE = module_from_spec(_SPEC)
_SPEC.loader.exec_module(_MODULE)
batch = _MODULE.batch


def create(path: Path, *, lock_wait_s: float = 60.0) -> EmbeddedStore:
    return EmbeddedStore.create(path, embedder=EMBEDDER.name, dimensions=DIMENSIONS, lock_wait_s=lock_wait_s)


def writer(path: Path, first: int, count: int, kill_at: int = 0) -> subprocess.Popen[str]:
    command = [sys.executable, str(WRITER), str(path), str(first), str(count), str(kill_at)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def finished(process: subprocess.Popen[str]) -> list[str]:
    output, _ = process.communicate(timeout=120)
    return output.splitlines()


def whole_batches(store: EmbeddedStore, numbers: range) -> set[int]:
    """Batches that are visible; fails when one is visible in part, or by one way and not by another."""
    shown = set(seen(store))
    whole = set()
    for number in numbers:
        entries = batch(number)
        ids = {entry.version.version_id for entry in entries}
        assert ids <= shown or not ids & shown, f"batch {number} is half visible"
        found = store.search(f"word{number}", None, make_view(), limit=20)
        assert len(found.lexical) == (6 if ids <= shown else 0)
        if ids <= shown:
            whole.add(number)
            assert store.passages([p.passage_id for e in entries for p in e.passages], make_view()) == [
                p for e in entries for p in e.passages
            ]
    return whole


def test_a_killed_writer_loses_nothing_it_reported_and_leaves_nothing_half_visible(tmp_path: Path) -> None:
    path = tmp_path / "library"
    create(path).close()
    events = int(finished(writer(path, 0, 2, kill_at=10**9))[-1].split()[1])
    assert events > 1000
    rng, done, first = random.Random(20), {0, 1}, 2
    for _ in range(20):
        lines = finished(writer(path, first, 2, kill_at=rng.randrange(1, events)))
        assert not any(line.startswith("events") for line in lines), "the writer was to die before its end"
        done |= {int(line.split()[1]) for line in lines}
        store = EmbeddedStore.open(path)
        there = whole_batches(store, range(first + 2))
        assert done <= there, "something that was reported done is lost"
        assert there <= done | {first, first + 1}
        assert store.integrity() == []
        done, first = there, first + 2
        store.close()
    store = EmbeddedStore.open(path)
    store.put(batch(first))
    assert whole_batches(store, range(first + 1)) == done | {first}
    assert store.integrity() == []
    assert not store.notes, "a dead writer is no reason to rebuild"


def test_a_writer_killed_from_outside_loses_nothing_it_reported(tmp_path: Path) -> None:
    path = tmp_path / "library"
    create(path).close()
    done: set[int] = set()
    for round_ in range(5):
        process = writer(path, round_ * 100, 100)
        assert process.stdout is not None
        done |= {int(line.split()[1]) for line in itertools.islice(process.stdout, 3 + round_)}
        process.kill()
        rest, _ = process.communicate(timeout=60)
        done |= {int(line.split()[1]) for line in rest.splitlines() if line.startswith("done ")}
        store = EmbeddedStore.open(path)
        assert done <= whole_batches(store, range((round_ + 1) * 100))
        assert store.integrity() == []
        store.close()


def test_a_reader_in_another_process_sees_whole_generations_while_a_writer_writes(tmp_path: Path) -> None:
    path = tmp_path / "library"
    store = create(path)
    process = writer(path, 0, 25)
    generations = set()
    while process.poll() is None or not generations:
        found = ask(store, "batch line", limit=1000)
        generations.add(found.generation)
        expected = {p.passage_id for n in range(found.generation) for e in batch(n) for p in e.passages}
        assert set(lexical_ids(found)) == expected
        assert {hit.passage.passage_id for hit in found.dense} == expected
    assert process.returncode == 0
    finished(process)
    assert whole_batches(store, range(25)) == set(range(25))
    assert store.withheld_total == 0


def test_two_writers_in_two_processes_take_turns(tmp_path: Path) -> None:
    path = tmp_path / "library"
    create(path).close()
    processes = [writer(path, 0, 8), writer(path, 100, 8)]
    for process in processes:
        assert len(finished(process)) == 9
    store = EmbeddedStore.open(path)
    assert store.generation() == 16
    assert whole_batches(store, range(120)) == {*range(8), *range(100, 108)}
    assert store.integrity() == []


def test_a_second_writer_waits_a_bounded_time_then_says_so(tmp_path: Path) -> None:
    path = tmp_path / "library"
    store = create(path, lock_wait_s=0.0)
    with folder.write_lock(path / "write.lock", wait_s=0.0):
        for change in (
            lambda: store.put([make_entry("a")]),
            lambda: create(path, lock_wait_s=0.0).put([make_entry("b")]),
        ):
            with pytest.raises(LibraryLockedError) as caught:
                change()
            assert caught.value.retryable
        assert seen(store) == [], "readers go on"
    store.put([make_entry("a")])
    assert seen(store) == ["a"]


def test_a_put_shows_nothing_before_it_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader asks at the worst moments: before and after the word index has been committed, the truth not yet."""
    writing, reading = create(tmp_path / "library"), create(tmp_path / "library")
    writing.put([make_entry("a")])
    during = []
    append = lexical.LexicalIndex.append

    def watched(self: lexical.LexicalIndex, rows: list[lexical.Indexed], *, from_row: int) -> None:
        during.append(ask(reading, "refund"))
        append(self, rows, from_row=from_row)
        during.append(ask(reading, "refund"))
        during.append(ask(EmbeddedStore.open(tmp_path / "library"), "refund"))

    monkeypatch.setattr(lexical.LexicalIndex, "append", watched)
    writing.put([make_entry("b")])
    assert [found.generation for found in during] == [1, 1, 1]
    for found in during:
        assert lexical_ids(found) == ["a#0"]
        assert [hit.passage.passage_id for hit in found.dense] == ["a#0"]
    assert set(lexical_ids(ask(reading, "refund"))) == {"a#0", "b#0"}


def test_a_put_that_is_interrupted_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C after the indexes were written and before the truth was."""
    store = create(tmp_path / "library")
    store.put([make_entry("a")])
    append = lexical.LexicalIndex.append

    def interrupted(self: lexical.LexicalIndex, rows: list[lexical.Indexed], *, from_row: int) -> None:
        append(self, rows, from_row=from_row)
        raise KeyboardInterrupt

    monkeypatch.setattr(lexical.LexicalIndex, "append", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.put([make_entry("lost", ["Refund lost."])])
    monkeypatch.undo()
    assert seen(store) == ["a"]
    assert lexical_ids(ask(store, "refund lost")) == ["a#0"]
    store.put([make_entry("b", ["Refund kept."])])
    assert lexical_ids(ask(store, "lost")) == []
    same_by_every_way(store, make_view(), [make_entry("a"), make_entry("b", ["Refund kept."])])
    assert store.integrity() == []
    assert store.notes == []


def test_many_threads_share_one_store(tmp_path: Path) -> None:
    store = create(tmp_path / "library")
    wrong: list[object] = []

    def read() -> None:
        for _ in range(40):
            found = ask(store, "batch line", limit=1000)
            if len(found.lexical) != found.generation * 6 or len(found.dense) != found.generation * 6:
                wrong.append(found)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(12):
        store.put(batch(number))
    for thread in threads:
        thread.join()
    assert wrong == []
    assert whole_batches(store, range(12)) == set(range(12))


def test_a_library_whose_making_was_interrupted_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "library"
    create(path).close()
    (path / "library.json").unlink()
    store = create(path)
    store.put([make_entry("a")])
    assert seen(store) == ["a"]
