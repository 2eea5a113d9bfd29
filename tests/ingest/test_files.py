from __future__ import annotations

import os
from datetime import date
from typing import TYPE_CHECKING

import pytest

from pincite.ingest.files import MissingPath, SourceFile, find_files

if TYPE_CHECKING:
    from pathlib import Path


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")


def ids(*paths: Path) -> list[str]:
    return [found.document_id for found in find_files(paths) if isinstance(found, SourceFile)]


def test_ids_are_paths_under_the_root_without_the_ending(tmp_path: Path) -> None:
    make(tmp_path, "b/two.md", "a.md.tmpl", "v1.2 notes.txt", "noending", "b/ünï.html")
    assert ids(tmp_path) == ["a", "b/two", "b/ünï", "noending", "v1.2 notes"]
    assert ids(tmp_path / "b") == ["two", "ünï"]
    assert ids(tmp_path / "b" / "two.md") == ["two"]


def test_hidden_files_are_skipped_and_nothing_is_taken_twice(tmp_path: Path) -> None:
    make(tmp_path, ".git/x.md", ".hidden.md", "seen.md")
    assert ids(tmp_path, tmp_path, tmp_path / "seen.md") == ["seen"]


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    make(tmp_path, "a/x.md", "b/y.md")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "b" / "to_a").symlink_to(tmp_path / "a")
    (tmp_path / "self").symlink_to("self")
    found = find_files([tmp_path])
    assert sorted(f.path.name for f in found if isinstance(f, SourceFile)) == ["x.md", "y.md"]
    assert [f.path.name for f in found if isinstance(f, MissingPath)] == ["self"]


def test_a_path_that_leads_nowhere_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    make(tmp_path, "x.md")
    found = find_files([tmp_path / "none", tmp_path / "x.md", tmp_path / "nul\0byte"])
    assert [type(one).__name__ for one in found] == ["MissingPath", "SourceFile", "MissingPath"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert ids(tmp_path) == []
    assert [type(one).__name__ for one in find_files([tmp_path / "pipe.md"])] == ["MissingPath"]


def test_a_date_in_the_name_makes_versions_of_one_document_oldest_first(tmp_path: Path) -> None:
    make(tmp_path, "sla.md", "sla@2022-10-25.md", "sla@2018-05-14.md", "other@2022-13-99.md", "sla_index.txt")
    found = [(f.document_id, f.named_from, f.is_successor) for f in find_files([tmp_path]) if isinstance(f, SourceFile)]
    assert found == [
        ("other@2022-13-99", None, False),
        ("sla", date(2018, 5, 14), False),
        ("sla", date(2022, 10, 25), False),
        ("sla", None, True),
        ("sla.txt", None, False),
    ]


def test_an_index_file_is_its_folder(tmp_path: Path) -> None:
    make(tmp_path, "refund/index.md", "refund@2020-01-01.md", "terms_index.md", "index.md", "_index.md")
    assert ids(tmp_path) == ["_index", "index", "refund", "refund", "terms"]


def test_files_that_would_share_an_id_get_their_own(tmp_path: Path) -> None:
    make(tmp_path, "one/a.md", "one/a.html", "two/a.md")
    assert ids(tmp_path / "one", tmp_path / "two") == ["a", "a.md", "two/a"]
