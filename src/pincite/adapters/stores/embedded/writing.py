"""The two changes, inside a transaction that someone else begins and ends.

The indexes are written before the transaction ends. A writer that dies in between leaves rows there that no
truth knows: every sight masks them, and the next writer writes over them.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import numpy as np

from pincite.adapters.stores.embedded import codec
from pincite.adapters.stores.embedded.indexes import halved
from pincite.adapters.stores.embedded.lexical import Indexed
from pincite.adapters.stores.embedded.schema import write_meta
from pincite.errors import NotFoundError, StoreError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from pincite.adapters.stores.embedded.indexes import DerivedIndexes
    from pincite.adapters.stores.embedded.schema import State
    from pincite.protocols import Entry
    from pincite.types import Passage, Version

_STAMP_BITS = 62
_INSERT_VERSION = "INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def check_entries(entries: Sequence[Entry], *, dimensions: int) -> None:
    """Refuse what would not come out again as it went in.

    Raises:
        StoreError: naming the version and what is wrong.
    """
    for entry in entries:
        problem = _problem(entry, dimensions)
        if problem:
            raise StoreError(
                f"version {entry.version.version_id!r} cannot be put: {problem}",
                hint="Cut the passages from the version's own text and embed each of them once.",
            )


def _problem(entry: Entry, dimensions: int) -> str:
    shape = (len(entry.passages), dimensions)
    if entry.vectors.shape != shape:
        return f"the vectors have shape {entry.vectors.shape}, not {shape}"
    if not np.isfinite(entry.vectors).all():
        return "a vector is not finite"
    if len({passage.passage_id for passage in entry.passages}) != len(entry.passages):
        return "two passages have the same id"
    return next(filter(None, (_passage_problem(p, i, entry.version) for i, p in enumerate(entry.passages))), "")


def _passage_problem(passage: Passage, ordinal: int, version: Version) -> str:
    if (passage.version_id, passage.document_id) != (version.version_id, version.document_id):
        return f"passage {passage.passage_id!r} belongs to another version"
    if passage.ordinal != ordinal:
        return f"passage {passage.passage_id!r} has ordinal {passage.ordinal} at place {ordinal}"
    if passage.attributes != version.attributes:
        return f"passage {passage.passage_id!r} has attributes of its own"
    if version.text[passage.start : passage.end] != passage.text:
        return f"passage {passage.passage_id!r} does not say what its range says"
    return ""


def fresh_entries(connection: sqlite3.Connection, entries: Sequence[Entry]) -> list[Entry]:
    """Entries whose version is not there and live, each version once."""
    seen: set[tuple[str, str]] = set()
    fresh = []
    for entry in entries:
        key = (entry.version.tenant, entry.version.version_id)
        if key in seen or _is_live(connection, key):
            continue
        seen.add(key)
        fresh.append(entry)
    return fresh


def put(connection: sqlite3.Connection, entries: Sequence[Entry], state: State, indexes: DerivedIndexes) -> int:
    """Write entries to truth and indexes; the new generation."""
    stamp = secrets.randbits(_STAMP_BITS)
    batch: list[Indexed] = []
    for number, entry in enumerate(entries):
        batch += _put_entry(
            connection,
            entry,
            state,
            seq=state.version_count + number,
            first_row=state.row_count + len(batch),
            stamp=stamp,
        )
    if batch:
        half = np.concatenate([halved(entry.vectors) for entry in entries])
        rows = range(state.row_count, state.row_count + len(batch))
        connection.executemany(
            "INSERT INTO vectors VALUES (?, ?)", ((r, v.tobytes()) for r, v in zip(rows, half, strict=True))
        )
        indexes.append(batch, half.astype(np.float32), from_row=state.row_count)
    generation = state.generation + 1
    connection.execute("INSERT INTO puts VALUES (?, ?, ?, ?)", (generation, stamp, state.row_count, len(batch)))
    write_meta(
        connection,
        generation=generation,
        rows=state.row_count + len(batch),
        versions=state.version_count + len(entries),
    )
    return generation


def remove(connection: sqlite3.Connection, tenant: str, document_id: str, state: State, *, at: datetime) -> int:
    """Tombstone every live version of the document; the new generation.

    Raises:
        NotFoundError: there is none.
    """
    generation = state.generation + 1
    changed = connection.execute(
        "UPDATE versions SET removed_generation = ?, removed_at = ? WHERE removed_generation IS NULL"
        " AND doc = (SELECT doc FROM documents WHERE tenant = ? AND document_id = ?)",
        (generation, at.isoformat(), tenant, document_id),
    ).rowcount
    if not changed:
        raise NotFoundError("there is no such document")
    write_meta(connection, generation=generation)
    return generation


def remove_versions(
    connection: sqlite3.Connection, tenant: str, version_ids: Collection[str], state: State, *, at: datetime
) -> int:
    """Tombstone those of the versions that are live; the generation, which stays when none is."""
    generation = state.generation + 1
    changed = connection.executemany(
        "UPDATE versions SET removed_generation = ?, removed_at = ? WHERE removed_generation IS NULL"
        " AND tenant = ? AND version_id = ?",
        [(generation, at.isoformat(), tenant, version_id) for version_id in sorted(version_ids)],
    ).rowcount
    if changed < 1:
        return state.generation
    write_meta(connection, generation=generation)
    return generation


def _put_entry(
    connection: sqlite3.Connection, entry: Entry, state: State, *, seq: int, first_row: int, stamp: int
) -> list[Indexed]:
    version = entry.version
    doc = _key_of(
        connection,
        "SELECT doc FROM documents WHERE tenant = ? AND document_id = ?",
        "INSERT INTO documents (tenant, document_id) VALUES (?, ?)",
        (version.tenant, version.document_id),
    )
    class_id = _key_of(
        connection,
        "SELECT class FROM classes WHERE definition = ?",
        "INSERT INTO classes (definition) VALUES (?)",
        (codec.encode_class(version),),
    )
    row = codec.version_row(
        version,
        seq=seq,
        doc=doc,
        class_id=class_id,
        generation=state.generation + 1,
        first_row=first_row,
        count=len(entry.passages),
    )
    connection.execute(_INSERT_VERSION, row)
    connection.execute("INSERT INTO bodies VALUES (?, ?, ?)", (seq, *codec.pack_body(version)))
    numbered = list(enumerate(entry.passages, start=first_row))
    connection.executemany(
        "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [codec.passage_row(passage, version, row=number, seq=seq) for number, passage in numbered],
    )
    return [Indexed(row=n, seq=seq, class_id=class_id, stamp=stamp, passage=passage) for n, passage in numbered]


def _key_of(connection: sqlite3.Connection, find: str, insert: str, values: tuple[str | bytes, ...]) -> int:
    found = connection.execute(find, values).fetchone()
    if found is not None:
        return int(found[0])
    key = connection.execute(insert, values).lastrowid
    return int(key or 0)


def _is_live(connection: sqlite3.Connection, key: tuple[str, str]) -> bool:
    sql = "SELECT 1 FROM versions WHERE tenant = ? AND version_id = ? AND removed_generation IS NULL"
    return connection.execute(sql, key).fetchone() is not None
