from __future__ import annotations

import errno
import json
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.errors import InputError, LibraryLockedError, StorageFullError
from pincite.ingest import IngestOptions, Outcome
from pincite.types import Access

sys.path.insert(0, str(Path(__file__).parent))

from doubles import NOW, FailingStore, Shelf

sys.path.pop(0)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def log(path: Path, *rows: dict[str, object]) -> Path:
    return write(path, "".join(json.dumps({"table": "claim", **row}) + "\n" for row in rows))


def test_a_second_run_reads_nothing_and_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "# A\n\nText of a.")
    write(tmp_path / "b.txt", "Text of b.")
    shelf = Shelf()
    first = shelf.take(tmp_path)
    assert [row.outcome for row in first.rows] == [Outcome.ADDED, Outcome.ADDED]
    shelf.reader.read_names.clear()
    shelf.now = datetime(2027, 3, 1, tzinfo=UTC)
    second = shelf.take(tmp_path)
    assert [row.outcome for row in second.rows] == [Outcome.UNCHANGED, Outcome.UNCHANGED]
    assert shelf.reader.read_names == []
    assert second.generation == first.generation
    assert [row.version_id for row in second.rows] == [row.version_id for row in first.rows]


def test_a_changed_file_is_a_new_version_and_the_old_one_is_kept(tmp_path: Path) -> None:
    file = write(tmp_path / "a.md", "Old text.")
    shelf = Shelf()
    shelf.take(tmp_path)
    write(file, "New text.")
    assert [row.outcome for row in shelf.take(tmp_path).rows] == [Outcome.UPDATED]
    assert shelf.texts() == ["New text."]
    assert [version.text for version in shelf.store.history("a", shelf.view())] == ["Old text.", "New text."]


def test_one_bad_file_is_named_with_what_to_do_and_the_rest_goes_in(tmp_path: Path) -> None:
    write(tmp_path / "good.md", "Good text.")
    (tmp_path / "empty.txt").touch()
    (tmp_path / "wrong.docx").write_bytes(b"no package")
    (tmp_path / "sheet.xlsx").write_bytes(b"PK\x03\x04" + b"xl/workbook.xml")
    write(tmp_path / "zz.md", "More text.")
    report = Shelf().take(tmp_path, tmp_path / "gone.md")
    assert report.counts[Outcome.ADDED] == 2
    assert {Path(row.path).name: row.code for row in report.failed} == {
        "empty.txt": "empty",
        "wrong.docx": "mislabelled",
        "sheet.xlsx": "corrupt",
        "gone.md": "missing",
    }
    assert all(row.reason and row.hint for row in report.failed)


def test_an_unreadable_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a.md", "Text.")
    write(tmp_path / "b.md", "Text of b.")
    whole = Path.read_bytes

    def read_bytes(self: Path) -> bytes:
        if self.name == "a.md":
            raise PermissionError(errno.EACCES, "Permission denied")
        return whole(self)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    report = Shelf().take(tmp_path)
    assert [(row.outcome, row.code, row.reason) for row in report.rows] == [
        (Outcome.FAILED, "unreadable", "Permission denied"),
        (Outcome.ADDED, None, None),
    ]


def many(tmp_path: Path, count: int) -> None:
    for number in range(count):
        paragraphs = "\n\n".join(f"# Part {n}\n\nSentence {n} of file {number}." for n in range(260))
        write(tmp_path / f"{number}.md", paragraphs)


def test_a_full_disk_keeps_what_was_stored_and_names_all_the_rest(tmp_path: Path) -> None:
    many(tmp_path, 6)
    store = FailingStore(dimensions=384, failures={2: StorageFullError("no space left")})
    report = Shelf(store=store).take(tmp_path)
    outcomes = [row.outcome for row in report.rows]
    assert outcomes == [Outcome.ADDED] * 2 + [Outcome.FAILED] * 4
    assert {row.code for row in report.failed} == {"storage_full"}
    assert store.puts == 2
    again = Shelf(store=store).take(tmp_path)
    assert [row.outcome for row in again.rows] == [Outcome.UNCHANGED] * 2 + [Outcome.ADDED] * 4


def test_an_interrupt_leaves_whole_documents_only_and_the_next_run_completes(tmp_path: Path) -> None:
    many(tmp_path, 6)
    store = FailingStore(dimensions=384, failures={2: KeyboardInterrupt()})
    shelf = Shelf(store=store)
    with pytest.raises(KeyboardInterrupt):
        shelf.take(tmp_path)
    inside = {p.document_id: 0 for p in shelf.passages()}
    for passage in shelf.passages():
        inside[passage.document_id] += 1
    assert inside == {"0": 260, "1": 260}
    assert shelf.take(tmp_path).counts[Outcome.ADDED] == 4
    assert len(shelf.passages()) == 6 * 260


def test_an_error_of_the_library_is_not_swallowed(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "Text.")
    store = FailingStore(dimensions=384, failures={1: LibraryLockedError("busy")})
    with pytest.raises(LibraryLockedError):
        Shelf(store=store).take(tmp_path)


def test_progress_counts_files_and_ends_at_the_total(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "Text.")
    write(tmp_path / "b.md", "Text.")
    told: list[tuple[int, int, str]] = []
    Shelf().take(tmp_path, progress=lambda done, total, name: told.append((done, total, Path(name).name)))
    assert told == [(0, 2, "a.md"), (1, 2, "b.md"), (2, 2, "")]


def test_options_reach_the_versions_and_tenants_stay_apart(tmp_path: Path) -> None:
    file = write(tmp_path / "memo.md", "The memo.")
    shelf = Shelf()
    options = IngestOptions(
        tenant="t", access=Access(allow=frozenset({"role:underwriter"})), effective_from=date(2026, 1, 1),
        effective_to=date(2027, 1, 1), attributes={"plan": "pro"}, document_id="memo-7",
    )  # fmt: skip
    shelf.take(file, options=options)
    assert shelf.texts() == []
    assert shelf.texts(tenant="t") == []
    (passage,) = shelf.passages(tenant="t", roles=["underwriter"])
    assert (passage.document_id, dict(passage.attributes)) == ("memo-7", {"plan": "pro"})
    assert shelf.texts(date(2027, 1, 1), tenant="t", roles=["underwriter"]) == []
    with pytest.raises(InputError):
        shelf.take(file, write(tmp_path / "other.md", "x"), options=options)


def test_dated_predecessors_answer_for_their_time_and_the_undated_file_from_today(tmp_path: Path) -> None:
    write(tmp_path / "sla.md", "Uptime is three.")
    write(tmp_path / "sla@2020-01-01.md", "Uptime is one.")
    write(tmp_path / "sla@2022-01-01.md", "Uptime is two.")
    shelf = Shelf()
    report = shelf.take(tmp_path)
    assert shelf.texts(date(2019, 1, 1)) == []
    assert shelf.texts(date(2021, 1, 1)) == ["Uptime is one."]
    assert shelf.texts(date(2023, 1, 1)) == ["Uptime is two."]
    assert shelf.texts() == ["Uptime is three."]
    assert "in force from 2026-11-30" in report.rows[2].notes[0]
    shelf.now = datetime(2027, 5, 5, tzinfo=UTC)
    assert {row.outcome for row in shelf.take(tmp_path).rows} == {Outcome.UNCHANGED}


def test_an_undated_file_that_comes_after_its_dated_predecessor_counts_from_that_day(tmp_path: Path) -> None:
    shelf = Shelf()
    shelf.take(write(tmp_path / "sla@2020-01-01.md", "Uptime is one."))
    shelf.take(write(tmp_path / "sla.md", "Uptime is two."))
    assert shelf.texts() == ["Uptime is two."]
    assert shelf.texts(date(2025, 1, 1)) == ["Uptime is one."]


def test_a_restricted_file_too_is_known_to_follow_its_predecessors(tmp_path: Path) -> None:
    shelf = Shelf()
    shelf.take(write(tmp_path / "memo@2020-01-01.md", "---\naccess: underwriter\n---\nOld memo."))
    report = shelf.take(write(tmp_path / "memo.md", "---\naccess: underwriter\n---\nNew memo."))
    assert report.rows[0].outcome is Outcome.UPDATED
    assert shelf.texts(roles=["underwriter"]) == ["New memo."]
    assert shelf.texts() == []


def test_disagreeing_dates_are_noted_in_the_report(tmp_path: Path) -> None:
    report = Shelf().take(write(tmp_path / "a@2020-01-01.md", "# A\n\nEffective: 2019-05-05\n\nText."))
    assert report.rows[0].notes == (
        'effective from 2019-05-05 (its line "Effective: 2019-05-05") used, not 2020-01-01 (its name)',
    )
    assert report.rows[0].in_force_from == date(2019, 5, 5)
    assert report.rows[0].dated_by == 'its line "Effective: 2019-05-05"'


# --- records ---------------------------------------------------------------------------------------


def test_records_merge_keep_history_and_answer_for_their_day(tmp_path: Path) -> None:
    file = log(
        tmp_path / "claims.jsonl",
        {"op": "insert", "key": "1", "seq": 1, "ts": "2026-01-01", "data": {"status": "open", "cause": "water"}},
        {"op": "update", "key": "1", "seq": 2, "ts": "2026-03-01", "data": {"status": "closed"}},
    )
    shelf = Shelf()
    report = shelf.take(file)
    assert [(row.outcome, row.document_id) for row in report.rows] == [(Outcome.ADDED, "claim/1")]
    assert shelf.texts() == ["Claim 1 | Status: closed | Cause: water"]
    assert shelf.texts(date(2026, 2, 1)) == ["Claim 1 | Status: open | Cause: water"]
    assert shelf.texts(date(2025, 2, 1)) == []
    assert {row.outcome for row in shelf.take(file).rows} == {Outcome.UNCHANGED}


def test_a_deleted_record_is_gone_from_its_day_on_and_stays_gone(tmp_path: Path) -> None:
    insert = {"op": "insert", "key": "1", "seq": 1, "ts": "2026-01-01", "data": {"status": "open"}}
    delete = {"op": "delete", "key": "1", "seq": 3, "ts": "2026-05-01"}
    shelf = Shelf()
    shelf.take(log(tmp_path / "c.jsonl", insert))
    report = shelf.take(log(tmp_path / "c.jsonl", insert, delete))
    assert [row.outcome for row in report.rows] == [Outcome.REMOVED]
    late = {"op": "update", "key": "1", "seq": 2, "ts": "2026-02-01", "data": {"status": "late"}}
    for rows in ([insert, delete], [insert], [late]):
        shelf.take(log(tmp_path / "c.jsonl", *rows))
        assert shelf.texts() == []
        assert shelf.texts(date(2026, 5, 1)) == []
    assert shelf.texts(date(2026, 4, 30)) == ["Claim 1 | Status: late"]


def test_a_deletion_without_a_date_counts_from_the_day_it_is_read(tmp_path: Path) -> None:
    rows = [{"op": "insert", "key": "1", "seq": 1, "data": {"a": "x"}}, {"op": "delete", "key": "1", "seq": 2}]
    shelf = Shelf()
    shelf.take(log(tmp_path / "c.jsonl", rows[0]))
    assert shelf.texts() != []
    shelf.take(log(tmp_path / "c.jsonl", *rows))
    assert shelf.texts() == []
    shelf.now = datetime(2027, 1, 1, tzinfo=UTC)
    assert {row.outcome for row in shelf.take(tmp_path / "c.jsonl").rows} == {Outcome.UNCHANGED}
    assert shelf.texts() == []


def test_a_later_file_updates_what_an_earlier_one_inserted(tmp_path: Path) -> None:
    shelf = Shelf()
    first = {"op": "insert", "key": "1", "seq": 1, "ts": "2026-01-01", "data": {"status": "open", "cause": "water"}}
    third = {"op": "update", "key": "1", "seq": 3, "ts": "2026-03-01", "data": {"status": "closed"}}
    second = {"op": "update", "key": "1", "seq": 2, "ts": "2026-02-01", "data": {"status": "paid", "payee": "P"}}
    for number, row in enumerate((first, third, second)):
        shelf.take(log(tmp_path / f"{number}.jsonl", row))
    assert shelf.texts() == ["Claim 1 | Status: closed | Cause: water | Payee: P"]
    assert shelf.texts(date(2026, 2, 10)) == ["Claim 1 | Status: paid | Cause: water | Payee: P"]


def test_two_logs_of_one_folder_are_one_history(tmp_path: Path) -> None:
    log(tmp_path / "1.jsonl", {"op": "insert", "key": "1", "seq": 1, "ts": "2026-01-01", "data": {"a": "x", "b": "y"}})
    log(tmp_path / "2.jsonl", {"op": "update", "key": "1", "seq": 2, "ts": "2026-02-01", "data": {"a": "z"}})
    log(
        tmp_path / "3.jsonl",
        {"op": "insert", "key": "2", "seq": 1, "data": {"a": "q"}},
        {"op": "delete", "key": "1", "seq": 3},
    )
    shelf = Shelf()
    shelf.take(tmp_path)
    assert shelf.texts() == ["Claim 2 | A: q"]
    assert shelf.texts(date(2026, 3, 1)) == ["Claim 1 | A: z | B: y", "Claim 2 | A: q"]
    assert {row.outcome for row in shelf.take(tmp_path).rows} == {Outcome.UNCHANGED}


def test_bad_lines_of_a_log_are_rows_of_the_report(tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", '{"op":"insert","table":"claim","key":"1","seq":1,"data":{"a":1}}\n{bad\n')
    report = Shelf().take(file)
    assert report.counts[Outcome.ADDED] == 1
    assert [(row.line, row.code) for row in report.failed] == [(2, "bad_line")]


# --- any folder ------------------------------------------------------------------------------------

contents = st.text(alphabet="# ab.\n|-*<>é", max_size=60)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(["a.md", "b/c.md", "d.txt", "e.html", "e.md", "f.csv"]), contents, max_size=6))
def test_every_file_of_any_folder_has_a_row_and_every_passage_is_its_range(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, str]
) -> None:
    root = tmp_path_factory.mktemp("any")
    for name, text in files.items():
        write(root / name, text)
    shelf = Shelf()
    report = shelf.take(root)
    assert {row.path for row in report.rows} >= {str(root / name) for name in files if not name.endswith(".csv")}
    for passage in shelf.passages():
        version = shelf.store.version(passage.version_id, shelf.view())
        assert version is not None
        assert version.text[passage.start : passage.end] == passage.text
        assert version.ingested_at >= NOW
    assert shelf.take(root).counts[Outcome.ADDED] == 0
