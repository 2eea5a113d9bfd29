"""The derived indexes as one: opened together, appended to together, rebuilt together from the truth."""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pincite.adapters.stores.embedded.codec import PASSAGE_COLUMNS, decode_class, read_passage
from pincite.adapters.stores.embedded.faults import IndexDamagedError
from pincite.adapters.stores.embedded.lexical import Indexed, LexicalIndex
from pincite.adapters.stores.embedded.vectors import VectorFiles

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from numpy.typing import NDArray

    from pincite.adapters.stores.embedded.lexical import LexicalReader
    from pincite.adapters.stores.embedded.schema import State
    from pincite.adapters.stores.embedded.vectors import VectorReader

_REBUILD_ROWS = 20_000

PASSAGES = f"""
SELECT {PASSAGE_COLUMNS} FROM passages p
    JOIN versions v ON v.seq = p.seq
    JOIN documents d ON d.doc = v.doc
"""  # noqa: S608 - column names of ours


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexReaders:
    """Both indexes, covering at least the generation they were opened for; later rows are masked by every sight."""

    generation: int
    number: int
    lexical: LexicalReader
    vectors: VectorReader


@dataclass(frozen=True, kw_only=True, slots=True)
class DerivedIndexes:
    """One build of the derived indexes in a folder."""

    number: int
    lexical: LexicalIndex
    files: VectorFiles

    @classmethod
    def create(cls, folder: Path, *, number: int, dimensions: int) -> DerivedIndexes:
        """Empty ones; whatever an interrupted build left in the folder goes."""
        if folder.exists():
            shutil.rmtree(folder)
        lexical = LexicalIndex.create(folder / "words")
        files = VectorFiles(folder=folder, dimensions=dimensions)
        files.create()
        return cls(number=number, lexical=lexical, files=files)

    @classmethod
    def open(cls, folder: Path, *, number: int, dimensions: int) -> DerivedIndexes:
        """Existing ones.

        Raises:
            IndexDamagedError: they are not there or cannot be read.
        """
        lexical = LexicalIndex.open(folder / "words")
        return cls(number=number, lexical=lexical, files=VectorFiles(folder=folder, dimensions=dimensions))

    def readers(self, state: State) -> IndexReaders:
        """Readers that cover the state.

        The truth is committed after its indexes, so whoever has seen a state finds the indexes at least that far.

        Raises:
            IndexDamagedError: they are behind, or belong to another history.
        """
        lexical = self.lexical.reader()
        if lexical.row_count < state.row_count or not lexical.carries(state.stamp, state.stamped_rows):
            raise IndexDamagedError(f"the word index in {self.files.folder} is not that of this library")
        vectors = self.files.open(state.row_count, stamp=state.stamp)
        return IndexReaders(generation=state.generation, number=self.number, lexical=lexical, vectors=vectors)

    def append(self, batch: list[Indexed], vectors: NDArray[np.float32], *, from_row: int) -> None:
        """Add rows, over whatever a writer left that died before its transaction ended."""
        stamps = np.array([item.stamp for item in batch], dtype=np.int64)
        self.files.append(vectors, from_row=from_row, stamps=stamps)
        self.lexical.append(batch, from_row=from_row)


def rebuild(connection: sqlite3.Connection, state: State, folder: Path, *, number: int, dimensions: int) -> None:
    """Build the indexes anew in a folder that nobody reads yet."""
    indexes = DerivedIndexes.create(folder, number=number, dimensions=dimensions)
    kinds = {key: decode_class(blob) for key, blob in connection.execute("SELECT * FROM classes")}
    stamps = _stamps(connection)
    for start in range(0, state.row_count, _REBUILD_ROWS):
        stop = min(start + _REBUILD_ROWS, state.row_count)
        rows = connection.execute(f"{PASSAGES} WHERE p.row >= ? AND p.row < ? ORDER BY p.row", (start, stop))
        batch = [
            Indexed(
                row=row[0],
                seq=row[1],
                class_id=row[12],
                stamp=stamps[row[0]],
                passage=read_passage(row, kinds[row[12]]),
            )
            for row in rows
        ]
        indexes.append(batch, read_vectors(connection, start, stop, dimensions=dimensions), from_row=start)
    if state.row_count != indexes.lexical.reader().row_count:
        raise IndexDamagedError(f"the rebuilt index in {folder} does not hold every passage")


def _stamps(connection: sqlite3.Connection) -> list[int]:
    """The stamp of the put that each row came with."""
    puts = connection.execute("SELECT stamp, row_count FROM puts ORDER BY generation").fetchall()
    return [stamp for stamp, row_count in puts for _ in range(row_count)]


def read_vectors(connection: sqlite3.Connection, start: int, stop: int, *, dimensions: int) -> NDArray[np.float32]:
    """Vectors of rows start to stop from the truth, shape (stop - start, dimensions)."""
    blobs = connection.execute("SELECT half FROM vectors WHERE row >= ? AND row < ? ORDER BY row", (start, stop))
    flat = np.frombuffer(b"".join(blob for (blob,) in blobs), dtype="<f2")
    return flat.reshape(-1, dimensions).astype(np.float32)


def halved(vectors: NDArray[np.float32]) -> NDArray[np.float16]:
    """Rows as the truth keeps them: half precision, which changes a cosine by less than 0.001."""
    return vectors.astype("<f2")


def remove_builds(folders: list[Path], *, keep: Path) -> None:
    """Clear away builds that are not used any more; readers that still map their files keep them until they end."""
    for folder in folders:
        if folder != keep:
            with contextlib.suppress(OSError):
                shutil.rmtree(folder)
