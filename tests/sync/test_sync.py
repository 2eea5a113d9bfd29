"""What a sync does with a folder's files, held on a real library with the shipped parsers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.errors import InputError, NotFoundError
from pincite.ingest import IngestOptions
from pincite.library import Library
from pincite.sync import SyncOptions, SyncReport
from pincite.testing.hash_embedder import HashEmbedder
from pincite.types import Access

ALL = SyncOptions(max_removed_share=1.0)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", create=True, embedder=HashEmbedder()) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir()
    for name, text in {"a.md": "Alpha is 1.", "b.md": "Beta is 2.", "c.md": "Gamma is 3."}.items():
        (made / name).write_text(text)
    return made


def changes(report: SyncReport) -> dict[str, str]:
    return {row.path: str(row.change) for row in report.rows}


def ids(library: Library) -> list[str]:
    return [one.document_id for one in library.documents()]


def test_new_unchanged_changed_moved_and_removed_files_are_told_apart(library: Library, folder: Path) -> None:
    assert set(changes(library.sync(folder)).values()) == {"new"}
    assert set(changes(library.sync(folder)).values()) == {"unchanged"}
    before = library.versions("a")
    (folder / "sub").mkdir()
    (folder / "a.md").rename(folder / "sub/z.md")
    (folder / "b.md").write_text("Beta is 22.")
    (folder / "c.md").unlink()
    expected = {"sub/z.md": "moved", "b.md": "changed", "c.md": "removed"}
    generation = library.parts.store.generation()
    dry = library.sync(folder, SyncOptions(dry_run=True))
    assert changes(dry) == expected
    assert library.parts.store.generation() == generation
    assert changes(library.sync(folder, ALL)) == expected
    assert ids(library) == ["a", "b"]
    assert library.versions("a") == before, "a moved document is not taken in again"
    assert [one.text for one in library.versions("b")] == ["Beta is 2.", "Beta is 22."]
    assert set(changes(library.sync(folder)).values()) == {"unchanged"}


def test_an_empty_or_missing_root_empties_nothing_unless_told(library: Library, folder: Path) -> None:
    library.sync(folder)
    for path in folder.iterdir():
        path.unlink()
    for root in (folder, folder / "nowhere"):
        with pytest.raises(InputError, match=r"is empty|is not there"):
            library.sync(root, ALL)
    assert ids(library) == ["a", "b", "c"]
    library.sync(folder, SyncOptions(allow_empty=True, max_removed_share=1.0))
    assert ids(library) == []


def test_many_removals_need_a_yes(library: Library, folder: Path) -> None:
    library.sync(folder)
    (folder / "a.md").unlink()
    with pytest.raises(InputError, match="1 of 3"):
        library.sync(folder)
    with pytest.raises(InputError):
        library.sync(folder, confirm=lambda _: False)
    assert ids(library) == ["a", "b", "c"]
    library.sync(folder, confirm=lambda preview: preview.counts["removed"] == 1)  # type: ignore[index]
    assert ids(library) == ["b", "c"]


def test_two_roots_and_what_was_ingested_by_hand_are_left_alone(library: Library, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("Another alpha.")
    (other / "hand.md").write_text("By hand.")
    library.ingest([other / "hand.md"])
    library.sync(folder)
    library.sync(other)
    assert ids(library) == ["a", "b", "c", "hand", "other/a"]
    for path in (other / "a.md", other / "hand.md"):
        path.unlink()
    library.sync(other, SyncOptions(allow_empty=True, max_removed_share=1.0))
    assert ids(library) == ["a", "b", "c", "hand"]


def test_a_file_that_says_again_what_it_said_before_is_in_force_again(library: Library, folder: Path) -> None:
    for text in ("Alpha is 1.", "Alpha is 2.", "Alpha is 1."):
        (folder / "a.md").write_text(text)
        library.sync(folder)
    assert library.open_reference("a").version.text == "Alpha is 1."


def test_a_narrower_access_takes_the_wider_version_back(library: Library, folder: Path) -> None:
    library.sync(folder)
    old = library.versions("a")[0]
    boss = SyncOptions(ingest=IngestOptions(access=Access(allow=frozenset({"role:boss"}))))
    library.sync(folder, boss)
    assert ids(library) == []
    with pytest.raises(NotFoundError, match="that you can open"):
        library.open_reference(f"{old.version_id}@0-5")


def test_one_of_several_dated_files_can_go(library: Library, folder: Path) -> None:
    for year in (2023, 2024, 2025):
        (folder / f"terms@{year}-01-01.md").write_text(f"Terms of {year}.")
    library.sync(folder)
    (folder / "terms@2025-01-01.md").unlink()
    library.sync(folder, ALL)
    assert library.open_reference("terms").version.text == "Terms of 2024."
    assert len(library.versions("terms")) == 2


def test_a_record_that_a_table_no_longer_lists_goes(library: Library, folder: Path) -> None:
    (folder / "people.csv").write_text("id,name\n1,Ann\n2,Bob\n")
    library.sync(folder)
    (folder / "people.csv").write_text("id,name\n2,Bob\n3,Cy\n")
    library.sync(folder)
    assert [one for one in ids(library) if one.startswith("people")] == ["people/2", "people/3"]


def test_loops_of_links_end_and_broken_links_remove_nothing(library: Library, folder: Path) -> None:
    (folder / "loop").symlink_to(folder)
    library.sync(folder)
    (folder / "c.md").unlink()
    (folder / "c.md").symlink_to(folder / "gone")
    assert changes(library.sync(folder))["c.md"] == "unreached"
    assert ids(library) == ["a", "b", "c"]


def test_a_manifest_gives_each_path_its_options(library: Library, folder: Path) -> None:
    manifest = folder / "list.jsonl"
    manifest.write_text('{"path": "a.md", "document": "alpha", "access": ["boss"]}\n{"path": "b.md"}\n')
    library.sync(manifest)
    assert ids(library) == ["b"]
    manifest.write_text('{"path": "a.md", "document": "first"}\n{"path": "b.md"}\n')
    library.sync(manifest)
    assert ids(library) == ["b", "first"]
    manifest.write_text('{"path": "a.md", "sauce": 1}\n')
    with pytest.raises(InputError, match="line 1"):
        library.sync(manifest)
