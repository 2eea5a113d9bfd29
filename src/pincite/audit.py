"""The audit step: an append-only, hash-chained record of every answer, kept in a SQLite file of its own.

Each record's hash covers its body and the hash before it, so a change, a removal or a reordering breaks
the chain at a place that can be named. The end of the chain cannot protect itself: an answer carries
its ``audit_id`` (sequence number and hash), which proves to whoever keeps it that the record was there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from pincite.errors import AuditError, InputError, NotFoundError, StorageFullError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GENESIS = "0" * 64
BUSY_MS = 10_000
_SHORT = 12

_SCHEMA = """
CREATE TABLE IF NOT EXISTS record (
    seq INTEGER PRIMARY KEY, previous TEXT NOT NULL, hash TEXT NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS record_is_final BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'audit records are append-only'); END;
CREATE TRIGGER IF NOT EXISTS record_stays BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'audit records are append-only'); END;
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """One link: ``hash`` is SHA-256 over the previous hash, a line feed and ``body`` (canonical JSON text)."""

    seq: int
    previous: str
    hash: str
    body: str

    @property
    def audit_id(self) -> str:
        """Sequence number and the start of the hash: what an answer carries and a person can quote."""
        return f"{self.seq}-{self.hash[:_SHORT]}"

    def content(self) -> dict[str, Any]:
        """The body decoded.

        Raises:
            AuditError: when it does not match its hash: nobody wrote it like that.
        """
        if self.hash != link_hash(self.previous, self.body):
            raise AuditError(
                f"record {self.seq} was changed after it was written",
                hint="`pincite audit verify` names the first bad record; restore the file from a backup.",
            )
        content: dict[str, Any] = json.loads(self.body)
        return content


@dataclass(frozen=True, kw_only=True, slots=True)
class ChainReport:
    """What walking the chain found: how many records are good, the last hash, and the first bad one, if any."""

    good_count: int
    head: str
    bad_seq: int | None = None
    problem: str | None = None


def plain(value: Any) -> Any:
    """Dataclasses, enums, dates, sets and mappings as JSON values, the same for the same input (sets sorted)."""
    return msgspec.to_builtins(value, order="deterministic", enc_hook=_encode, str_keys=True)


def _encode(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"cannot record a {type(value).__name__}")


def canonical(content: Mapping[str, Any]) -> str:
    """The one JSON text that is hashed: keys sorted, no spaces, no escapes beyond JSON's own."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def link_hash(previous: str, body: str) -> str:
    """SHA-256 in hexadecimal over the previous hash, a line feed and the body in UTF-8."""
    return hashlib.sha256(f"{previous}\n{body}".encode("utf-8", "surrogatepass")).hexdigest()


class AuditLog:
    """The chain in one SQLite file (write-ahead log, full synchronisation). Threads may share it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        try:
            self._db = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.executescript(_SCHEMA)
        except sqlite3.Error as exc:
            raise self._error(exc) from exc

    def append(self, content: Mapping[str, Any]) -> Record:
        """Add one record and return it once it is on the disk.

        Raises:
            AuditError: when it cannot be written; the caller must not show the answer.
            StorageFullError: when the disk is full.
        """
        try:
            body = canonical(plain(content))
            with self._lock, self._transaction():
                row = self._db.execute("SELECT seq, hash FROM record ORDER BY seq DESC LIMIT 1").fetchone()
                seq, previous = (row[0] + 1, row[1]) if row else (1, GENESIS)
                record = Record(seq=seq, previous=previous, hash=link_hash(previous, body), body=body)
                self._db.execute("INSERT INTO record VALUES (?, ?, ?, ?)", (seq, previous, record.hash, body))
        except (sqlite3.Error, ValueError) as exc:  # ValueError: no JSON or no UTF-8 can hold it
            raise self._error(exc) from exc
        return record

    def get(self, audit_id: str) -> Record:
        """The record with this id; its hash part must match as far as it is given.

        Raises:
            InputError: when the id has no sequence number.
            NotFoundError: when there is no such record.
        """
        number, _, digest = audit_id.partition("-")
        if not (number.isascii() and number.isdigit()):
            raise InputError(f"{audit_id!r} is not an audit id", hint="An audit id looks like 12-3fa9c1d2e4b5.")
        found = next(self._select("WHERE seq = ?", (int(number[:18]),)), None)
        if found is None or not found.hash.startswith(digest):
            raise NotFoundError(f"there is no audit record {audit_id}", hint="`pincite audit list` shows the records.")
        return found

    def records(self) -> Iterator[Record]:
        """Every record, oldest first, streaming."""
        return self._select("ORDER BY seq", ())

    def verify(self) -> ChainReport:
        """Walk the whole chain and name the first record that does not fit, or none."""
        previous, count = GENESIS, 0
        for record in self.records():
            problem = _problem(record, previous=previous, seq=count + 1)
            if problem:
                return ChainReport(good_count=count, head=previous, bad_seq=record.seq, problem=problem)
            previous, count = record.hash, count + 1
        return ChainReport(good_count=count, head=previous)

    def close(self) -> None:
        """Release the file."""
        self._db.close()

    def _select(self, tail: str, values: tuple[int, ...]) -> Iterator[Record]:
        # ``tail`` is one of this module's own literals, never anything from outside.
        try:
            for seq, previous, digest, body in self._db.execute(
                f"SELECT seq, previous, hash, body FROM record {tail}",  # noqa: S608
                values,
            ):
                yield Record(seq=seq, previous=previous, hash=digest, body=body)
        except sqlite3.Error as exc:
            raise self._error(exc) from exc

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise

    def _error(self, exc: Exception) -> AuditError | StorageFullError:
        name = self._path.name
        if isinstance(exc, sqlite3.Error) and getattr(exc, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return StorageFullError(f"{name}: the disk is full, so the answer was not recorded and is not shown")
        return AuditError(
            f"{name} cannot be used: {exc}",
            hint="Check that the library folder is writable; restore the file from a backup if it is damaged.",
        )


def _problem(record: Record, *, previous: str, seq: int) -> str | None:
    if record.seq != seq:
        return f"record {seq} is missing"
    if record.previous != previous:
        return "the record before it was changed or removed"
    if record.hash != link_hash(record.previous, record.body):
        return "its content was changed after it was written"
    return None
