"""The vector index: sign bits for a scan of everything visible, int8 rows for the exact order of the best of it.

Two files that only grow, read through the page cache by every process. ``codes`` holds blocks of BLOCK_ROWS rows,
word by word (all first words, then all second ones), so that a scan is a few long array operations. ``rows`` holds
one record a row: the scale, a tag that names the put it came with, and the components as int8.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pincite.adapters.stores.embedded.faults import IndexDamagedError
from pincite.adapters.stores.embedded.lexical import Scored

if TYPE_CHECKING:
    from collections.abc import Iterable
    from io import FileIO
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    from pincite.adapters.stores.embedded.catalogue import Sight

BLOCK_ROWS = 16_384
WORD_BITS = 64

# chosen in benchmarks/speed/store_choices.py
EXACT_ROWS = 4_096
GATHER_SHARE = 0.25
RESCORED = 12
MIN_RESCORED = 3_000

_PIECE_ROWS = 512  # small products stay in the cache and on one thread
_TAG_MASK = 0xFFFFFFFF


@dataclass(frozen=True, kw_only=True, slots=True)
class VectorFiles:
    """Where the two files lie, and the shape of a row."""

    folder: Path
    dimensions: int

    @property
    def codes(self) -> Path:
        """The scan file."""
        return self.folder / "vectors.codes"

    @property
    def rows(self) -> Path:
        """The int8 file."""
        return self.folder / "vectors.rows"

    @property
    def word_count(self) -> int:
        """Words of sign bits in a row."""
        return -(-self.dimensions // WORD_BITS)

    @property
    def record(self) -> np.dtype[Any]:
        """One row of the int8 file."""
        return np.dtype([("scale", "<f4"), ("tag", "<u4"), ("parts", "i1", (self.dimensions,))])

    def create(self) -> None:
        """Two empty files."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in (self.codes, self.rows):
            path.touch(exist_ok=False)

    def append(self, vectors: NDArray[np.float32], *, from_row: int, stamps: NDArray[np.int64]) -> None:
        """Write rows from ``from_row`` on, over whatever a dead writer left there; durable when it returns.

        ``stamps`` holds the stamp of the put that each row came with.

        Rows before are not touched, so readers need no lock.
        """
        records = np.zeros(len(vectors), dtype=self.record)
        records["scale"], records["parts"] = quantised(vectors)
        records["tag"] = stamps & _TAG_MASK
        _write(self.rows, [(from_row * self.record.itemsize, records.tobytes())])
        _write(self.codes, self._pieces(sign_words(records["parts"], self.word_count), from_row))

    def _pieces(self, words: NDArray[np.uint64], from_row: int) -> list[tuple[int, bytes]]:
        """The words cut at block borders, each piece with its place in the file; an empty one ends the last block."""
        pieces = []
        done = 0
        while done < len(words):
            block, inside = divmod(from_row + done, BLOCK_ROWS)
            count = min(BLOCK_ROWS - inside, len(words) - done)
            for word in range(self.word_count):
                place = ((block * self.word_count + word) * BLOCK_ROWS + inside) * 8
                pieces.append((place, words[done : done + count, word].tobytes()))
            done += count
        blocks = -(-(from_row + len(words)) // BLOCK_ROWS)
        pieces.append((blocks * self.word_count * BLOCK_ROWS * 8, b""))
        return pieces

    def open(self, row_count: int, *, stamp: int) -> VectorReader:
        """Map the first ``row_count`` rows.

        Raises:
            IndexDamagedError: a file is missing or short, or the last row did not come with the put of this stamp.
        """
        if row_count == 0:
            return VectorReader(self, np.zeros(0, self.record), np.zeros((0, self.word_count, BLOCK_ROWS), np.uint64))
        blocks = -(-row_count // BLOCK_ROWS)
        try:
            rows = np.memmap(self.rows, dtype=self.record, mode="r", shape=(row_count,))
            codes = self._map_codes(blocks)
        except (OSError, ValueError) as exc:
            raise IndexDamagedError(f"the vector files in {self.folder} cannot be read: {exc}") from exc
        if int(rows["tag"][-1]) != stamp & _TAG_MASK:
            raise IndexDamagedError(f"{self.rows} does not belong to this library's last change")
        return VectorReader(self, rows, codes)

    def _map_codes(self, blocks: int) -> NDArray[np.uint64]:
        whole = blocks * self.word_count * BLOCK_ROWS * 8
        if self.codes.stat().st_size < whole:
            raise IndexDamagedError(f"{self.codes} is shorter than it should be")
        return np.memmap(self.codes, dtype="<u8", mode="r", shape=(blocks, self.word_count, BLOCK_ROWS))


class VectorReader:
    """The first rows of the vector files. Safe for many threads."""

    def __init__(self, files: VectorFiles, rows: NDArray[Any], codes: NDArray[np.uint64]) -> None:
        self.row_count = len(rows)
        self._files = files
        self._rows = rows
        self._codes = codes

    def search(self, vector: NDArray[np.float32], sight: Sight, *, limit: int) -> list[Scored]:
        """The nearest rows of the sight by cosine, nearest first; equal ones in library order."""
        if sight.row_count == 0 or limit < 1 or not vector.any():
            return []
        if sight.row_count <= max(EXACT_ROWS, limit):
            return self._exact(vector, np.flatnonzero(sight.rows), limit)
        query = sign_words(quantised(vector[None, :])[1], self._files.word_count)[0]
        return self._exact(vector, self._near(query, sight, max(MIN_RESCORED, RESCORED * limit)), limit)

    def _exact(self, vector: NDArray[np.float32], rows: NDArray[np.int64], limit: int) -> list[Scored]:
        cosines = np.concatenate(
            [self._cosines(vector, rows[start : start + _PIECE_ROWS]) for start in range(0, len(rows), _PIECE_ROWS)]
        )
        best = np.lexsort((rows, -cosines))[:limit]
        return [Scored(row=int(rows[i]), value=float(min(1.0, max(-1.0, cosines[i])))) for i in best]

    def _cosines(self, vector: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.float32]:
        records = self._rows[rows]
        return np.asarray((records["parts"].astype(np.float32) @ vector) * records["scale"], dtype=np.float32)

    def _near(self, query: NDArray[np.uint64], sight: Sight, wanted: int) -> NDArray[np.int64]:
        """At least ``wanted`` rows of the sight (or all) with the fewest differing sign bits."""
        if sight.row_count < GATHER_SHARE * len(sight.rows):
            rows = np.flatnonzero(sight.rows)
            distances = self._gathered(query, rows)
            return rows[_nearest(distances, wanted)]
        distances = self._scanned(query)[: len(sight.rows)]
        distances[~sight.rows] = np.iinfo(np.uint16).max
        return _nearest(distances, wanted)

    def _scanned(self, query: NDArray[np.uint64]) -> NDArray[np.uint16]:
        blocks, words, size = self._codes.shape
        distances = np.empty(blocks * size, dtype=np.uint16)
        differing = np.empty((words, size), dtype=np.uint64)
        counts = np.empty((words, size), dtype=np.uint8)
        for i in range(blocks):
            np.bitwise_xor(self._codes[i], query[:, None], out=differing)
            np.bitwise_count(differing, out=counts)
            np.add.reduce(counts, axis=0, dtype=np.uint16, out=distances[i * size : (i + 1) * size])
        return distances

    def _gathered(self, query: NDArray[np.uint64], rows: NDArray[np.int64]) -> NDArray[np.uint16]:
        block, inside = np.divmod(rows, BLOCK_ROWS)
        flat = self._codes.reshape(-1)
        place = block * (self._files.word_count * BLOCK_ROWS) + inside
        distances = np.zeros(len(rows), dtype=np.uint16)
        for word in range(self._files.word_count):
            distances += np.bitwise_count(flat[place + word * BLOCK_ROWS] ^ query[word])
        return distances

    def damaged_rows(self, vectors: NDArray[np.float32], *, from_row: int) -> NDArray[np.int64]:
        """Rows, from ``from_row`` on, that do not hold what these vectors give."""
        stop = from_row + len(vectors)
        scale, parts = quantised(vectors)
        records = self._rows[from_row:stop]
        rows = np.arange(from_row, stop)
        block, inside = np.divmod(rows, BLOCK_ROWS)
        words = self._codes[block, :, inside]
        wrong = np.asarray(records["scale"] != scale) | np.asarray(records["parts"] != parts).any(axis=1)
        wrong |= (words != sign_words(parts, self._files.word_count)).any(axis=1)
        return np.asarray(rows[wrong], dtype=np.int64)


def quantised(vectors: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Scale of each row and components as int8: ``scale * parts`` is within half a scale of the row."""
    peak = np.abs(vectors).max(axis=1, initial=0.0).astype(np.float32)
    scale = np.where(peak > 0, peak / np.float32(127), np.float32(1)).astype(np.float32)
    return scale, np.rint(vectors / scale[:, None]).astype(np.int8)


def sign_words(parts: NDArray[np.int8], word_count: int) -> NDArray[np.uint64]:
    """Shape (rows, word_count): one bit a component, set where it is positive."""
    bits = np.zeros((len(parts), word_count * WORD_BITS), dtype=np.bool_)
    bits[:, : parts.shape[1]] = parts > 0
    return np.packbits(bits, axis=1, bitorder="little").view("<u8")


def _nearest(distances: NDArray[np.uint16], wanted: int) -> NDArray[np.int64]:
    """Positions of at least ``wanted`` smallest: all that lie within the smallest distance that gives enough."""
    low, high = 0, int(np.iinfo(np.uint16).max) - 1  # the largest stands for what the view does not see
    while low < high:
        middle = (low + high) // 2
        if np.count_nonzero(distances <= middle) >= wanted:
            high = middle
        else:
            low = middle + 1
    return np.flatnonzero(distances <= low)


def _write(path: Path, pieces: Iterable[tuple[int, bytes]]) -> None:
    """Write each piece at its place; a place beyond the end makes the file that long (with a hole before it)."""
    with path.open("r+b", buffering=0) as file:
        for place, data in pieces:
            if file.seek(0, os.SEEK_END) < place:
                file.truncate(place)
            file.seek(place)
            _write_all(file, data)
        os.fsync(file.fileno())


def _write_all(file: FileIO, data: bytes) -> None:
    """A write near a limit may be short without failing: go on until the system says why."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]
