"""Reads everything once and says what does not fit together."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from pincite.adapters.stores.embedded.codec import unpack_body_text, unpack_layout, unpack_text
from pincite.adapters.stores.embedded.faults import IndexDamagedError
from pincite.adapters.stores.embedded.indexes import read_vectors

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from pincite.adapters.stores.embedded.indexes import IndexReaders
    from pincite.adapters.stores.embedded.schema import State

_BATCH_ROWS = 16_384
_MAX_NAMED = 20


def truth_problems(connection: sqlite3.Connection, state: State, *, dimensions: int) -> Iterator[str]:
    """What is wrong with the database itself."""
    for (line,) in connection.execute(f"PRAGMA integrity_check({_MAX_NAMED})"):
        if line != "ok":
            yield f"library.db: {line}"
    for table, rowid, parent, _ in connection.execute("PRAGMA foreign_key_check").fetchmany(_MAX_NAMED):
        yield f"library.db: row {rowid} of {table} points at nothing in {parent}"
    counts = {
        "versions": ("SELECT count(*), coalesce(max(seq), -1) FROM versions", state.version_count),
        "texts": ("SELECT count(*), coalesce(max(seq), -1) FROM bodies", state.version_count),
        "passages": ("SELECT count(*), coalesce(max(row), -1) FROM passages", state.row_count),
        "vectors": ("SELECT count(*), coalesce(max(row), -1) FROM vectors", state.row_count),
    }
    for name, (sql, expected) in counts.items():
        if connection.execute(sql).fetchone() != (expected, expected - 1):
            yield f"library.db: there should be {expected} {name}, numbered from 0"
    for length, count in connection.execute("SELECT length(half), count(*) FROM vectors GROUP BY 1"):
        if length != 2 * dimensions:
            yield f"library.db: {count} vectors have {length} bytes, not {2 * dimensions}"
    yield from _version_problems(connection)


def _version_problems(connection: sqlite3.Connection) -> Iterator[str]:
    sql = (
        "SELECT v.seq, v.version_id, v.passage_count, v.first_row, b.text, b.layout"
        " FROM versions v JOIN bodies b ON b.seq = v.seq ORDER BY v.seq"
    )
    for seq, version_id, count, first_row, packed, layout in connection.execute(sql):
        try:
            text = unpack_body_text(packed)
            unpack_layout(layout)
        except (zlib.error, UnicodeDecodeError, msgspec.MsgspecError):
            yield f"library.db: text or layout of version {version_id} cannot be read"
            continue
        rows = connection.execute(
            'SELECT row, ordinal, start, "end", text FROM passages WHERE row >= ? AND row < ? AND seq = ? ORDER BY row',
            (first_row, first_row + count, seq),
        ).fetchall()
        if [row[1] for row in rows] != list(range(count)):
            yield f"library.db: passages of version {version_id} are not 0 to {count - 1}"
        if any(text[start:end] != unpack_text(said) for _, _, start, end, said in rows):
            yield f"library.db: a passage of version {version_id} does not say what its range says"


def index_problems(
    connection: sqlite3.Connection, state: State, readers: IndexReaders, *, dimensions: int
) -> list[str]:
    """Where the derived indexes do not say what the truth says."""
    return [
        *_word_problems(state, readers),
        *_vector_problems(connection, state, readers, dimensions=dimensions),
    ]


def _word_problems(state: State, readers: IndexReaders) -> list[str]:
    try:
        rows = readers.lexical.rows()
    except IndexDamagedError as exc:
        return [str(exc)]
    if np.array_equal(rows[rows < state.row_count], np.arange(state.row_count)):
        return []
    return [
        "the word index does not hold each passage once: delete the index folders, they are rebuilt at the next call"
    ]


def _vector_problems(
    connection: sqlite3.Connection, state: State, readers: IndexReaders, *, dimensions: int
) -> Iterator[str]:
    for start in range(0, state.row_count, _BATCH_ROWS):
        stop = min(start + _BATCH_ROWS, state.row_count)
        vectors = read_vectors(connection, start, stop, dimensions=dimensions)
        damaged = readers.vectors.damaged_rows(vectors, from_row=start)
        if len(damaged):
            yield f"the vector index differs from the truth in {len(damaged)} rows, the first is {damaged[0]}"
