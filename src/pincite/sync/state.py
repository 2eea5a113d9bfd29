"""What the library remembers of its roots: which file is which document, and which versions a root brought in.

A version is written down as the root's own *before* the store has it, so a run that dies in between leaves a claim to
a version that is not there, never a version without an owner.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Self

from pincite.errors import LibraryCorruptError, LibraryLockedError, StorageFullError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

_TABLES = """
CREATE TABLE IF NOT EXISTS roots (
    root INTEGER PRIMARY KEY, tenant TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (tenant, name));
CREATE TABLE IF NOT EXISTS files (
    file INTEGER PRIMARY KEY, root INTEGER NOT NULL, path BLOB NOT NULL, document_id TEXT NOT NULL, named_from TEXT,
    sha256 TEXT, options TEXT, parser TEXT, version_id TEXT, UNIQUE (root, path));
CREATE TABLE IF NOT EXISTS owned (
    file INTEGER NOT NULL, version_id TEXT NOT NULL, document_id TEXT NOT NULL, sha256 TEXT NOT NULL,
    options TEXT NOT NULL, PRIMARY KEY (file, version_id)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS files_by_version ON files (version_id);
"""
_FILES = "SELECT file, path, document_id, named_from, sha256, options, parser, version_id FROM files"


@dataclass(frozen=True, kw_only=True, slots=True)
class FileRow:
    """A file of a root. ``sha256``, ``options`` and ``parser`` are those of its last success, None before the first.

    ``version_id`` is None for a file that holds several documents.
    """

    file: int
    path: str
    document_id: str
    named_from: date | None
    sha256: str | None
    options: str | None
    parser: str | None
    version_id: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Owned:
    """A version that a file brought in: from these original bytes, under these options."""

    file: int
    version_id: str
    document_id: str
    sha256: str
    options: str


class SyncState:
    """One small database beside the library's own. Every method that writes is one durable transaction."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    @classmethod
    def open(cls, path: Path, *, in_memory: bool) -> Self:
        """The state at the path; where there is none, a new one, which is kept ``in_memory`` for a dry run."""
        with _translated(path):
            target = ":memory:" if in_memory and not path.exists() else path
            connection = sqlite3.connect(target, isolation_level=None)
            try:
                connection.execute("PRAGMA synchronous = FULL")
                connection.executescript(_TABLES)
            except BaseException:
                connection.close()
                raise
        return cls(connection, path)

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def root(self, tenant: str, name: str) -> int:
        """The number of a root, which is made if it is new."""
        with self._write() as db:
            db.execute("INSERT OR IGNORE INTO roots (tenant, name) VALUES (?, ?)", (tenant, name))
            found = db.execute("SELECT root FROM roots WHERE tenant = ? AND name = ?", (tenant, name)).fetchone()
        return int(found[0])

    def known_root(self, tenant: str, name: str) -> int | None:
        """The number of a root that there is."""
        found = self._read("SELECT root FROM roots WHERE tenant = ? AND name = ?", (tenant, name))
        return int(found[0][0]) if found else None

    def files(self, root: int | None) -> list[FileRow]:
        """Every file of a root, by path."""
        rows = self._read(f"{_FILES} WHERE root = ? ORDER BY path", (root,))
        return [_file_row(row) for row in rows]

    def owned(self, file: int) -> list[Owned]:
        """What a file brought in."""
        rows = self._read("SELECT * FROM owned WHERE file = ?", (file,))
        return [Owned(file=f, version_id=v, document_id=d, sha256=s, options=o) for f, v, d, s, o in rows]

    def ids_elsewhere(self, tenant: str, root: int | None) -> frozenset[str]:
        """Document ids that the tenant's other roots use."""
        sql = "SELECT document_id FROM files JOIN roots USING (root) WHERE tenant = ? AND root IS NOT ?"
        return frozenset(one for (one,) in self._read(sql, (tenant, root)))

    def claimants(self, version_id: str, tenant: str) -> list[int]:
        """Files whose present version this is."""
        sql = "SELECT file FROM files JOIN roots USING (root) WHERE version_id = ? AND tenant = ?"
        return [file for (file,) in self._read(sql, (version_id, tenant))]

    def begin(
        self, root: int, moves: Iterable[tuple[FileRow, str]], new: Iterable[tuple[str, str, date | None]]
    ) -> None:
        """Write down what is about to be done: files that lie elsewhere now, and new ones (path, document id, day).

        A new path that is known already keeps what is known of it.
        """
        with self._write() as db:
            for row, path in moves:
                db.execute("DELETE FROM files WHERE root = ? AND path = ? AND sha256 IS NULL", (root, _blob(path)))
                db.execute("UPDATE files SET path = ? WHERE file = ?", (_blob(path), row.file))
            db.executemany(
                "INSERT OR IGNORE INTO files (root, path, document_id, named_from) VALUES (?, ?, ?, ?)",
                [(root, _blob(path), document_id, _iso(day)) for path, document_id, day in new],
            )

    def own(self, rows: Sequence[Owned]) -> None:
        """Claim versions that are about to be put."""
        with self._write() as db:
            db.executemany(
                "INSERT OR REPLACE INTO owned VALUES (?, ?, ?, ?, ?)",
                [(one.file, one.version_id, one.document_id, one.sha256, one.options) for one in rows],
            )

    def done(self, rows: Iterable[FileRow]) -> None:
        """These files are in the library as they are described here."""
        with self._write() as db:
            db.executemany(
                "UPDATE files SET document_id = ?, named_from = ?, sha256 = ?, options = ?, parser = ?, version_id = ?"
                " WHERE file = ?",
                [
                    (r.document_id, _iso(r.named_from), r.sha256, r.options, r.parser, r.version_id, r.file)
                    for r in rows
                ],
            )

    def forget(self, files: Iterable[int], heirs: Sequence[Owned]) -> None:
        """These files are gone, and what they brought in; ``heirs`` take over what another root still shows."""
        gone = [(file,) for file in files]
        with self._write() as db:
            db.executemany("DELETE FROM owned WHERE file = ?", gone)
            db.executemany("DELETE FROM files WHERE file = ?", gone)
            db.executemany(
                "INSERT OR REPLACE INTO owned VALUES (?, ?, ?, ?, ?)",
                [(one.file, one.version_id, one.document_id, one.sha256, one.options) for one in heirs],
            )

    def _read(self, sql: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with _translated(self._path):
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        with _translated(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as exc:
        code = getattr(exc, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            raise StorageFullError(f"{path.name} cannot grow: {exc}") from exc
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise LibraryLockedError(f"{path} is in use by another process: {exc}") from exc
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise LibraryCorruptError(
                f"{path} is damaged: {exc}",
                hint="Restore it from a backup; without it no root removes what it brought in before.",
            ) from exc
        raise StoreError(f"{path} cannot be used: {exc}", hint="Check that the folder can be written.") from exc


def _file_row(row: tuple[Any, ...]) -> FileRow:
    file, path, document_id, named_from, sha256, options, parser, version_id = row
    return FileRow(
        file=int(str(file)),
        path=os.fsdecode(path) if isinstance(path, bytes) else str(path),
        document_id=str(document_id),
        named_from=date.fromisoformat(str(named_from)) if named_from is not None else None,
        sha256=_text(sha256),
        options=_text(options),
        parser=_text(parser),
        version_id=_text(version_id),
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _blob(path: str) -> bytes:
    return os.fsencode(path)


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
