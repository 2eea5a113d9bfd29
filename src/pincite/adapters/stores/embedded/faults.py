"""What SQLite, tantivy and the operating system report, in this project's errors."""

from __future__ import annotations

import errno
import re
import shutil
import sqlite3
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pincite.errors import LibraryCorruptError, LibraryLockedError, StorageFullError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FULL_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_FULL_IN_RUST = re.compile(rf"os error ({'|'.join(str(n) for n in sorted(_FULL_ERRNOS))})\b")
_NEARLY_FULL_BYTES = 1 << 20


class IndexDamagedError(Exception):
    """A derived index cannot be used as it is; it is rebuilt from the truth. Never leaves this package."""


@contextmanager
def translated(database: Path) -> Iterator[None]:
    """Raise this project's error for whatever SQLite or the file system raises inside."""
    try:
        yield
    except sqlite3.Error as exc:
        raise from_sqlite(exc, database) from exc
    except UnicodeEncodeError as exc:
        raise StoreError(
            "an id, title, heading or address holds half a surrogate pair, which no file can store",
            hint="Repair the text before it is put: it is not valid Unicode.",
        ) from exc
    except OSError as exc:
        raise from_os(exc, database.parent) from exc


def from_sqlite(exc: sqlite3.Error, database: Path) -> StoreError:
    """The kind by SQLite's primary result code."""
    code = getattr(exc, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _out_of_room(database.parent)):
        return StorageFullError(f"{database.name} cannot grow: {exc}")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return LibraryCorruptError(f"{database} is damaged: {exc}")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LibraryLockedError(f"{database} is in use by another process: {exc}")
    if isinstance(exc, sqlite3.OperationalError) and "no such table" in str(exc):
        return LibraryCorruptError(f"{database} is not a whole library: {exc}")
    return StoreError(f"{database} cannot be used: {exc}", hint="Check that the folder can be read and written.")


def from_os(exc: OSError, folder: Path) -> StoreError:
    """Full, or what the system says."""
    if exc.errno in _FULL_ERRNOS:
        return StorageFullError(f"no room in {folder}: {exc}")
    return StoreError(f"{folder} cannot be used: {exc}", hint="Check that the folder can be read and written.")


def from_tantivy(exc: ValueError, folder: Path) -> StoreError:
    """A failed write of the word index: full when it says so or the disk is."""
    if _FULL_IN_RUST.search(str(exc)) or _out_of_room(folder):
        return StorageFullError(f"no room in {folder}: {exc}")
    return StoreError(f"the word index in {folder} cannot be written: {exc}", hint="Run the same command again.")


@contextmanager
def reading_words() -> Iterator[None]:
    """Raise IndexDamagedError for whatever tantivy makes of files that do not hold what they should.

    It panics at some of them, which arrives as an exception that is not an ``Exception``.
    """
    try:
        yield
    except BaseException as exc:
        if not isinstance(exc, (ValueError, OSError)) and type(exc).__name__ != "PanicException":
            raise
        raise IndexDamagedError(f"the word index cannot be read: {exc}") from exc


def _out_of_room(folder: Path) -> bool:
    """SQLite hides errno behind "disk I/O error": ask whether the disk is full or files are limited in size."""
    if shutil.disk_usage(folder).free < _NEARLY_FULL_BYTES:
        return True
    if sys.platform == "win32":
        return False
    import resource

    return resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY
