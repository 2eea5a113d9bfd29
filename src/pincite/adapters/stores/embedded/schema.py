"""The tables of the truth, and connections to them.

``row`` numbers passages and ``seq`` numbers versions, both from 0 without gaps and never reused: they are positions
in the arrays that filters are computed with and in the vector files. Days are ``date.toordinal()``.
"""

from __future__ import annotations

import secrets
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_BUSY_MS = 10_000
_CACHE_KIB = 16_384

TABLES = """
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value NOT NULL
) WITHOUT ROWID;

CREATE TABLE documents (
    doc INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    document_id TEXT NOT NULL,
    UNIQUE (tenant, document_id)
);

-- versions that every view treats alike, dates apart: same tenant, access list and attributes
CREATE TABLE classes (
    class INTEGER PRIMARY KEY,
    definition BLOB NOT NULL UNIQUE
);

CREATE TABLE versions (
    seq INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    version_id TEXT NOT NULL,
    doc INTEGER NOT NULL REFERENCES documents,
    class INTEGER NOT NULL REFERENCES classes,
    from_day INTEGER,
    to_day INTEGER,
    supersedes TEXT,
    ingested_at TEXT NOT NULL,
    ingested_us INTEGER NOT NULL,
    put_generation INTEGER NOT NULL,
    removed_generation INTEGER,
    removed_at TEXT,
    first_row INTEGER NOT NULL,
    passage_count INTEGER NOT NULL,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    media_type TEXT NOT NULL,
    source_uri TEXT NOT NULL,
    content_sha256 TEXT NOT NULL,
    parser TEXT NOT NULL,
    version_label TEXT,
    flags BLOB NOT NULL
);
CREATE UNIQUE INDEX live_versions ON versions (tenant, version_id) WHERE removed_generation IS NULL;
CREATE INDEX versions_by_id ON versions (tenant, version_id);
CREATE INDEX versions_by_document ON versions (doc);
CREATE INDEX versions_that_supersede ON versions (seq) WHERE supersedes IS NOT NULL;

CREATE TABLE bodies (
    seq INTEGER PRIMARY KEY REFERENCES versions,
    text BLOB NOT NULL,
    layout BLOB NOT NULL
);

CREATE TABLE passages (
    row INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL REFERENCES versions,
    ordinal INTEGER NOT NULL,
    passage_id TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text BLOB NOT NULL,
    extra BLOB NOT NULL
);
CREATE INDEX passages_by_id ON passages (passage_id);

CREATE TABLE vectors (
    row INTEGER PRIMARY KEY REFERENCES passages,
    half BLOB NOT NULL
);

-- one line a put: the derived indexes carry the stamp, so that each can be matched with the truth it was made from
CREATE TABLE puts (
    generation INTEGER PRIMARY KEY,
    stamp INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    row_count INTEGER NOT NULL
);
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class State:
    """Where the truth stands in one transaction. ``stamp`` is that of the last put that added passages."""

    generation: int
    row_count: int
    version_count: int
    index_number: int
    stamp: int
    stamped_rows: int


def connect(database: Path) -> sqlite3.Connection:
    """A connection for any one thread at a time; transactions are begun and ended by hand."""
    connection = sqlite3.connect(
        f"{database.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False
    )
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    return connection


def create(database: Path, *, embedder: str, dimensions: int) -> None:
    """Make an empty truth: all of it in one transaction, so that a crash leaves none of it."""
    connection = sqlite3.connect(database, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
            for statement in TABLES.split(";\n"):
                connection.execute(statement)
            values: dict[str, str | int] = {"generation": 0, "rows": 0, "versions": 0, "index": 0}
            values |= {"embedder": embedder, "dimensions": dimensions, "library": secrets.token_hex(8)}
            connection.executemany("INSERT INTO meta VALUES (?, ?)", list(values.items()))
        connection.execute("COMMIT")
    finally:
        connection.close()


def read_meta(connection: sqlite3.Connection) -> dict[str, str | int]:
    """Every setting of the library."""
    return dict(connection.execute("SELECT key, value FROM meta"))


def read_state(connection: sqlite3.Connection) -> State:
    """Where the truth stands, as this connection's transaction sees it."""
    meta = read_meta(connection)
    last = connection.execute(
        "SELECT stamp, row_count FROM puts WHERE row_count > 0 ORDER BY generation DESC LIMIT 1"
    ).fetchone()
    stamp, stamped_rows = last or (0, 0)
    return State(
        generation=int(meta["generation"]),
        row_count=int(meta["rows"]),
        version_count=int(meta["versions"]),
        index_number=int(meta["index"]),
        stamp=stamp,
        stamped_rows=stamped_rows,
    )


def write_meta(connection: sqlite3.Connection, **values: int) -> None:
    """Set counters; they become true with the transaction."""
    connection.executemany("UPDATE meta SET value = ? WHERE key = ?", [(v, k) for k, v in values.items()])
