"""The library folder: what lies where, its format file, and the lock that lets one writer in."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.errors import LibraryCorruptError, LibraryLockedError, LibraryNotFoundError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FORMAT = 1
_POLL_S = 0.02


@dataclass(frozen=True, kw_only=True, slots=True)
class LibraryFolder:
    """Paths of one library. ``index(n)`` is the n-th build of the derived indexes; the database says which counts."""

    root: Path

    @property
    def database(self) -> Path:
        """The truth."""
        return self.root / "library.db"

    @property
    def format_file(self) -> Path:
        """Says which format the folder has; written last when a library is made."""
        return self.root / "library.json"

    @property
    def lock_file(self) -> Path:
        """Locked while someone writes; its content means nothing."""
        return self.root / "write.lock"

    def index(self, number: int) -> Path:
        """One build of the derived indexes."""
        return self.root / f"index-{number}"

    def indexes(self) -> list[Path]:
        """Every build that lies here, current or left over."""
        return sorted(path for path in self.root.glob("index-*") if path.is_dir())

    def is_library(self) -> bool:
        """Whether a library was completely made here."""
        return self.format_file.is_file()

    def check_format(self) -> None:
        """Refuse what this version cannot read.

        Raises:
            LibraryNotFoundError: there is no library.
            LibraryCorruptError: the format file cannot be read.
            StoreError: the library was made by a newer version.
        """
        try:
            said = json.loads(self.format_file.read_bytes())["format"]
        except (FileNotFoundError, NotADirectoryError) as exc:
            raise LibraryNotFoundError(f"there is no library in {self.root}") from exc
        except (OSError, ValueError, KeyError, TypeError) as exc:
            raise LibraryCorruptError(
                f"{self.format_file} is damaged",
                hint=f'Write {{"format": {FORMAT}}} into it, or restore it from a backup; nothing else is kept there.',
            ) from exc
        if not isinstance(said, int) or said > FORMAT:
            raise StoreError(
                f"{self.root} has library format {said}; this version reads format {FORMAT}",
                hint="Update Pincite, or ingest the documents into a new library.",
            )

    def write_format(self) -> None:
        """Make the folder a library; atomic."""
        temporary = self.format_file.with_suffix(".json.new")
        with temporary.open("w", encoding="utf-8") as file:
            json.dump({"format": FORMAT}, file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self.format_file)


@contextmanager
def write_lock(path: Path, *, wait_s: float) -> Iterator[None]:
    """Hold the writer's lock. It ends with the process, however that ends.

    Raises:
        LibraryLockedError: another writer kept it for ``wait_s``.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        deadline_s = time.monotonic() + wait_s
        while not _try_lock(handle):
            if time.monotonic() >= deadline_s:
                raise LibraryLockedError(f"another process is writing to {path.parent}")
            time.sleep(_POLL_S)
        yield
    finally:
        os.close(handle)


def _try_lock(handle: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
