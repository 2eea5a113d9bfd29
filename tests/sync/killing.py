"""A folder in two states, a library in the first, and what a library shows: for the test and the benchmark of kills."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

from pincite.library import Library
from pincite.sync import SyncOptions
from pincite.testing.hash_embedder import HashEmbedder
from pincite.types import EVERYONE, View

SYNCER = Path(__file__).with_name("syncer.py")


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def first_state(folder: Path) -> None:
    write(folder, {f"rules/rule{n}.md": f"# Rule {n}\n\nThe fee of rule {n} is {n} EUR.\n" for n in range(24)})
    write(folder, {f"terms@202{n}-01-01.md": f"# Terms\n\nThe notice period is {n} days.\n" for n in range(1, 5)})
    write(folder, {"people.csv": "id,name\n" + "".join(f"{n},Person {n}\n" for n in range(10))})


def second_state(folder: Path) -> None:
    for n in range(5):
        (folder / f"rules/rule{n}.md").rename(folder / f"moved{n}.md")
    for n in range(5, 9):
        (folder / f"rules/rule{n}.md").unlink()
    write(folder, {f"rules/rule{n}.md": f"# Rule {n}\n\nNow the fee is {n * 100} EUR.\n" for n in range(9, 15)})
    write(folder, {f"new{n}.md": f"# New {n}\n\nWord{n} is new here.\n" for n in range(12)})
    (folder / "terms@2022-01-01.md").unlink()
    write(folder, {"people.csv": "id,name\n" + "".join(f"{n},Person {n} Jr\n" for n in range(3, 12))})


def sync(folder: Path, library: Path) -> None:
    with Library.open(library, create=True, embedder=HashEmbedder()) as opened:
        report = opened.sync(folder, SyncOptions(max_removed_share=1.0))
    assert all(row.code in (None, "bad_line") for row in report.rows), report.failed


def shown(library: Path) -> dict[str, Any]:
    """Documents, versions in force and kept, passages and search results; no moment of ingest."""
    with Library.open(library, embedder=HashEmbedder()) as opened:
        store = opened.parts.store
        view = View(tenant="default", principals=frozenset({EVERYONE}), as_of=date(2026, 1, 1), attributes={})
        documents = store.documents(view)
        ids = sorted({one.document_id for one in documents})
        questions = ["What is the fee?", "notice period", "Person 4", "Word7 is new"]
        found = [store.search(q, HashEmbedder().embed_query(q), view, limit=200) for q in questions]
        assert store.integrity() == []
        return {
            "documents": documents,
            "history": {i: [(v.version_id, v.text) for v in store.history(i, view)] for i in ids},
            "kept": {
                i: [v.version_id for v in store.history(i, view) if store.kept_version(v.version_id, view)] for i in ids
            },
            "live": store.known_versions("default"),
            "passages": list(store.iter_passages(view)),
            "lexical": [{h.passage.passage_id for h in one.lexical} for one in found],
            "dense": [{(h.passage.passage_id, h.cosine_sim) for h in one.dense} for one in found],
        }


def killed_after(folder: Path, library: Path, delay_s: float) -> bool:
    """Whether the sync was still at work when it was killed."""
    command = [sys.executable, str(SYNCER), str(folder), str(library)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    try:
        process.communicate(timeout=delay_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return True
    return False


def undisturbed_s(folder: Path, library: Path) -> float:
    """How long a whole sync takes from its first line on."""
    command = [sys.executable, str(SYNCER), str(folder), str(library)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        start_s = time.monotonic()
        assert process.wait(timeout=120) == 0
        return time.monotonic() - start_s
