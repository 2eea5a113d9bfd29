from __future__ import annotations

import sqlite3
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest

from pincite.audit import GENESIS, AuditLog, canonical, link_hash, plain
from pincite.errors import AuditError, InputError, NotFoundError
from pincite.types import Access, Identity, Query

if TYPE_CHECKING:
    from pathlib import Path


def log_with(path: Path, count: int) -> AuditLog:
    log = AuditLog(path / "audit.sqlite")
    for number in range(count):
        log.append({"n": number, "text": "Grüße 🎈"})
    return log


def tamper(path: Path, statement: str, *values: str) -> None:
    db = sqlite3.connect(path / "audit.sqlite")
    db.executescript("DROP TRIGGER record_is_final; DROP TRIGGER record_stays;")
    db.execute(statement, values)
    db.commit()
    db.close()


def test_a_fresh_chain_verifies_and_starts_at_the_genesis_hash(tmp_path: Path) -> None:
    log = log_with(tmp_path, 3)
    report = log.verify()
    first = next(log.records())
    assert (report.good_count, report.bad_seq, first.previous) == (3, None, GENESIS)
    assert first.hash == link_hash(GENESIS, first.body)
    log.close()


def test_a_changed_body_is_named(tmp_path: Path) -> None:
    log_with(tmp_path, 5).close()
    tamper(tmp_path, "UPDATE record SET body = replace(body, '2', '7') WHERE seq = 3")
    log = AuditLog(tmp_path / "audit.sqlite")
    report = log.verify()
    assert (report.good_count, report.bad_seq) == (2, 3)
    log.close()


def test_a_removed_record_is_named(tmp_path: Path) -> None:
    log_with(tmp_path, 5).close()
    tamper(tmp_path, "DELETE FROM record WHERE seq = 3")
    log = AuditLog(tmp_path / "audit.sqlite")
    report = log.verify()
    assert (report.good_count, report.problem) == (2, "record 3 is missing")
    log.close()


def test_a_rewritten_record_with_a_fresh_hash_breaks_the_next_link(tmp_path: Path) -> None:
    log = log_with(tmp_path, 4)
    second = log.get("2")
    log.close()
    body = canonical({"n": 99})
    forged = link_hash(second.previous, body)
    tamper(tmp_path, "UPDATE record SET body = ?, hash = ? WHERE seq = 2", body, forged)
    log = AuditLog(tmp_path / "audit.sqlite")
    assert log.verify().bad_seq == 3
    log.close()


def test_ordinary_updates_and_deletes_are_refused(tmp_path: Path) -> None:
    log_with(tmp_path, 1).close()
    db = sqlite3.connect(tmp_path / "audit.sqlite")
    for statement in ("UPDATE record SET body = ''", "DELETE FROM record"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            db.execute(statement)
    db.close()


def test_two_logs_on_one_file_make_one_chain(tmp_path: Path) -> None:
    one, two = AuditLog(tmp_path / "audit.sqlite"), AuditLog(tmp_path / "audit.sqlite")
    for number in range(10):
        (one if number % 2 else two).append({"n": number})
    assert one.verify().good_count == 10
    one.close()
    two.close()


def test_a_record_is_found_by_its_id_and_not_by_a_wrong_hash(tmp_path: Path) -> None:
    log = log_with(tmp_path, 2)
    record = log.append({"n": "mine"})
    assert log.get(record.audit_id) == record
    with pytest.raises(NotFoundError):
        log.get("3-000000000000")
    with pytest.raises(NotFoundError):
        log.get("77")
    with pytest.raises(InputError, match="not an audit id"):
        log.get("../../etc")
    log.close()


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "audit.sqlite").write_bytes(b"not a database at all" * 100)
    with pytest.raises(AuditError, match=r"audit\.sqlite"):
        AuditLog(tmp_path / "audit.sqlite")


def test_the_same_content_always_has_the_same_text() -> None:
    query = Query(
        text="q",
        identity=Identity(tenant="t", roles=frozenset({"b", "a", "c"})),
        as_of=date(2026, 7, 1),
        attributes=MappingProxyType({"country": "India"}),
    )
    assert plain(query)["identity"]["roles"] == ["a", "b", "c"]
    assert plain(Access(allow=frozenset({"z", "y"})))["allow"] == ["y", "z"]
    assert canonical(plain(query)) == canonical(plain(query))
