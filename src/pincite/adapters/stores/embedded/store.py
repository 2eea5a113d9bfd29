"""EmbeddedStore: the ``Store`` protocol over one folder, without a server."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.adapters.stores.embedded import schema, writing
from pincite.adapters.stores.embedded.catalogue import Catalogue, load_catalogue
from pincite.adapters.stores.embedded.faults import IndexDamagedError, translated
from pincite.adapters.stores.embedded.folder import LibraryFolder, write_lock
from pincite.adapters.stores.embedded.indexes import DerivedIndexes, IndexReaders, rebuild, remove_builds
from pincite.adapters.stores.embedded.integrity import index_problems, truth_problems
from pincite.adapters.stores.embedded.pool import ConnectionPool
from pincite.adapters.stores.embedded.reading import Snapshot
from pincite.errors import LibraryCorruptError, StoreError
from pincite.protocols import Candidates
from pincite.types import Hit

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from pincite.adapters.stores.embedded.catalogue import Sight
    from pincite.adapters.stores.embedded.lexical import Scored
    from pincite.adapters.stores.embedded.schema import State
    from pincite.protocols import DocumentSummary, Entry
    from pincite.types import Passage, Version, View

LOCK_WAIT_S = 10.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Rankings:
    """Rows by BM25 and rows by cosine, best first."""

    words: list[Scored]
    near: list[Scored]


class EmbeddedStore:
    """A library in a folder: one writer and many readers, in any number of threads and processes.

    ``notes`` are sentences about repairs made since it was opened. ``withheld_total`` counts passages that the
    filter let through and the last look did not: anything but 0 is a bug in this package.
    """

    def __init__(self, root: Path, *, lock_wait_s: float) -> None:
        self.notes: list[str] = []
        self.withheld_total = 0
        self._folder = LibraryFolder(root=root)
        self._lock_wait_s = lock_wait_s
        self._pool = ConnectionPool(self._folder.database)
        self._catalogue: Catalogue | None = None
        self._catalogue_lock = threading.Lock()
        self._readers: IndexReaders | None = None
        self._readers_lock = threading.Lock()
        with translated(self._folder.database), self._pool.connection() as connection:
            meta = schema.read_meta(connection)
        self.embedder = str(meta["embedder"])
        self.dimensions = int(meta["dimensions"])

    @classmethod
    def open(cls, root: Path, *, lock_wait_s: float = LOCK_WAIT_S) -> EmbeddedStore:
        """Open an existing library with whatever embedder it was made with.

        A writer that finds another one at work waits ``lock_wait_s`` for it.

        Raises:
            LibraryNotFoundError: there is none.
            LibraryCorruptError: the format file or the database is damaged.
            StoreError: it was made by a newer version.
        """
        folder = LibraryFolder(root=root)
        folder.check_format()
        if not folder.database.is_file():
            raise LibraryCorruptError(f"{folder.database} is missing")
        return cls(root, lock_wait_s=lock_wait_s)

    @classmethod
    def create(cls, root: Path, *, embedder: str, dimensions: int, lock_wait_s: float = LOCK_WAIT_S) -> EmbeddedStore:
        """Open the library for this embedder; make an empty one when there is none.

        Raises:
            StoreError: and its kinds, as ``open`` does; also when the library was made with another embedder.
        """
        folder = LibraryFolder(root=root)
        if not folder.is_library():
            with translated(folder.database):
                root.mkdir(parents=True, exist_ok=True)
                with write_lock(folder.lock_file, wait_s=lock_wait_s):
                    _make(folder, embedder=embedder, dimensions=dimensions)
        store = cls.open(root, lock_wait_s=lock_wait_s)
        if (store.embedder, store.dimensions) != (embedder, dimensions):
            store.close()
            raise StoreError(
                f"the library was made with embedder {store.embedder} ({store.dimensions} dimensions),"
                f" not {embedder} ({dimensions})",
                hint="Use the same embedder, or ingest the documents into a new library.",
            )
        return store

    # --- changes

    def put(self, entries: Sequence[Entry]) -> int:
        """See ``Store.put``."""
        writing.check_entries(entries, dimensions=self.dimensions)
        with self._transaction() as connection:
            state = schema.read_state(connection)
            fresh = writing.fresh_entries(connection, entries)
            if not fresh:
                return state.generation
            return writing.put(connection, fresh, state, self._sound_indexes(connection, state))

    def remove(self, tenant: str, document_id: str, *, at: datetime) -> int:
        """See ``Store.remove``."""
        with self._transaction() as connection:
            return writing.remove(connection, tenant, document_id, schema.read_state(connection), at=at)

    def remove_versions(self, tenant: str, version_ids: Collection[str], *, at: datetime) -> int:
        """See ``Store.remove_versions``."""
        with self._transaction() as connection:
            return writing.remove_versions(connection, tenant, version_ids, schema.read_state(connection), at=at)

    # --- queries

    def search(self, text: str, vector: NDArray[np.float32] | None, view: View, *, limit: int) -> Candidates:
        """See ``Store.search``."""
        if vector is not None and vector.shape != (self.dimensions,):
            raise StoreError(f"the question's vector has shape {vector.shape}, not ({self.dimensions},)")
        with self._snapshot() as snapshot:
            generation = snapshot.state.generation
            if not text.strip() or limit < 1 or not snapshot.catalogue.sight(view).row_count:
                return Candidates(lexical=(), dense=(), generation=generation)
            ranked = self._rankings(snapshot, text, vector, view, limit)
            found = snapshot.passages_of_rows(sorted({hit.row for hit in (*ranked.words, *ranked.near)}), view)
        words = [hit for hit in ranked.words if hit.row in found]
        near = [hit for hit in ranked.near if hit.row in found]
        return Candidates(
            lexical=tuple(
                Hit(passage=found[hit.row], rank=rank, rrf=0.0, bm25_rank=rank, bm25_score=hit.value)
                for rank, hit in enumerate(words, start=1)
            ),
            dense=tuple(
                Hit(passage=found[hit.row], rank=rank, rrf=0.0, dense_rank=rank, cosine_sim=hit.value)
                for rank, hit in enumerate(near, start=1)
            ),
            generation=generation,
        )

    def passages(self, passage_ids: Sequence[str], view: View) -> list[Passage]:
        """See ``Store.passages``."""
        with self._snapshot() as snapshot:
            return snapshot.passages(passage_ids, view)

    def neighbours(self, passage_id: str, view: View, *, distance: int) -> list[Passage]:
        """See ``Store.neighbours``."""
        with self._snapshot() as snapshot:
            return snapshot.neighbours(passage_id, view, distance=distance)

    def version(self, version_id: str, view: View) -> Version | None:
        """See ``Store.version``."""
        with self._snapshot() as snapshot:
            return snapshot.version(version_id, view)

    def kept_version(self, version_id: str, view: View) -> Version | None:
        """See ``Store.kept_version``."""
        with self._snapshot() as snapshot:
            return snapshot.kept_version(version_id, view)

    def history(self, document_id: str, view: View) -> list[Version]:
        """See ``Store.history``: by effective date, then by time of ingestion; removed ones included."""
        with self._snapshot() as snapshot:
            return snapshot.history(document_id, view)

    def documents(self, view: View) -> list[DocumentSummary]:
        """See ``Store.documents``; ``version_count`` counts what ``history`` would list."""
        with self._snapshot() as snapshot:
            return snapshot.documents(view)

    def attribute_values(self, view: View) -> dict[str, frozenset[str]]:
        """See ``Store.attribute_values``."""
        with self._snapshot() as snapshot:
            return snapshot.attribute_values(view)

    def iter_passages(self, view: View) -> Iterator[Passage]:
        """See ``Store.iter_passages``; all of them from the generation that the first one comes from."""
        with self._snapshot() as snapshot:
            yield from snapshot.iter_passages(view)

    def known_versions(self, tenant: str) -> frozenset[str]:
        """See ``Store.known_versions``."""
        sql = "SELECT version_id FROM versions WHERE tenant = ? AND removed_generation IS NULL"
        with translated(self._folder.database), self._pool.connection() as connection:
            return frozenset(version_id for (version_id,) in connection.execute(sql, (tenant,)))

    def known_documents(self, tenant: str) -> frozenset[str]:
        """See ``Store.known_documents``."""
        sql = (
            "SELECT DISTINCT d.document_id FROM versions v JOIN documents d ON d.doc = v.doc "
            "WHERE v.tenant = ? AND v.removed_generation IS NULL"
        )
        with translated(self._folder.database), self._pool.connection() as connection:
            return frozenset(document_id for (document_id,) in connection.execute(sql, (tenant,)))

    def generation(self) -> int:
        """See ``Store.generation``."""
        with translated(self._folder.database), self._pool.connection() as connection:
            return schema.read_state(connection).generation

    def integrity(self) -> list[str]:
        """See ``Store.integrity``: the database, every text and range, and both indexes against the truth."""
        with translated(self._folder.database), self._pool.connection() as connection:
            connection.execute("BEGIN")
            state = schema.read_state(connection)
            problems = list(truth_problems(connection, state, dimensions=self.dimensions))
            readers = self._index_readers(state)
            return problems + index_problems(connection, state, readers, dimensions=self.dimensions)

    def close(self) -> None:
        """See ``Store.close``."""
        self._pool.close()
        self._catalogue = self._readers = None

    # --- how

    @contextmanager
    def _snapshot(self) -> Iterator[Snapshot]:
        with translated(self._folder.database), self._pool.connection() as connection:
            connection.execute("BEGIN")
            state = schema.read_state(connection)
            yield Snapshot(
                connection=connection,
                state=state,
                catalogue=self._catalogue_of(connection, state),
                withheld=self._count_withheld,
            )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        folder = self._folder
        with (
            translated(folder.database),
            write_lock(folder.lock_file, wait_s=self._lock_wait_s),
            self._pool.connection() as connection,
        ):
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")  # not reached when anything was raised: the pool rolls back

    def _catalogue_of(self, connection: sqlite3.Connection, state: State) -> Catalogue:
        with self._catalogue_lock:
            known = self._catalogue
            if known is not None and known.generation == state.generation:
                return known
            loaded = load_catalogue(connection, state)
            if known is None or known.generation < loaded.generation:
                self._catalogue = loaded
            return loaded

    def _count_withheld(self) -> None:
        self.withheld_total += 1

    def _rankings(
        self, snapshot: Snapshot, text: str, vector: NDArray[np.float32] | None, view: View, limit: int
    ) -> Rankings:
        """Words and vectors, from indexes that are repaired once if they turn out to be damaged."""
        readers = self._index_readers(snapshot.state)
        sight = snapshot.catalogue.sight(view)
        try:
            return _ranked(readers, text, vector, sight, limit)
        except IndexDamagedError as exc:
            with self._readers_lock:
                readers = self._readers = self._repaired(snapshot.state, readers.number, exc)
        with self._beyond_repair():
            return _ranked(readers, text, vector, sight, limit)

    def _index_readers(self, state: State) -> IndexReaders:
        with self._readers_lock:
            known = self._readers
            if known is None or known.generation < state.generation or known.number < state.index_number:
                known = self._readers = self._opened(state)
            return known

    def _opened(self, state: State) -> IndexReaders:
        try:
            return self._indexes(state.index_number).readers(state)
        except IndexDamagedError as exc:
            return self._repaired(state, state.index_number, exc)

    def _repaired(self, state: State, damaged: int, reason: IndexDamagedError) -> IndexReaders:
        with self._beyond_repair():
            return self._indexes(self._repair(damaged, reason)).readers(state)

    @contextmanager
    def _beyond_repair(self) -> Iterator[None]:
        try:
            yield
        except IndexDamagedError as exc:
            raise LibraryCorruptError(
                f"the index folders in {self._folder.root} stay unreadable after they were rebuilt: {exc}",
                hint="Delete the folders named index-...; they are rebuilt from the database at the next call.",
            ) from exc

    def _indexes(self, number: int) -> DerivedIndexes:
        return DerivedIndexes.open(self._folder.index(number), number=number, dimensions=self.dimensions)

    def _repair(self, damaged: int, reason: IndexDamagedError) -> int:
        """Rebuild the indexes unless another process has done so since; the number of the build that counts."""
        with self._transaction() as connection:
            state = schema.read_state(connection)
            if state.index_number != damaged:
                return state.index_number
            number = self._rebuilt(connection, state, reason)
        remove_builds(self._folder.indexes(), keep=self._folder.index(number))
        return number

    def _sound_indexes(self, connection: sqlite3.Connection, state: State) -> DerivedIndexes:
        """The indexes to append to, rebuilt when they are not those of the truth."""
        try:
            indexes = self._indexes(state.index_number)
            indexes.readers(state)
        except IndexDamagedError as exc:
            return self._indexes(self._rebuilt(connection, state, exc))
        return indexes

    def _rebuilt(self, connection: sqlite3.Connection, state: State, reason: IndexDamagedError) -> int:
        number = state.index_number + 1
        folder = self._folder.index(number)
        rebuild(connection, state, folder, number=number, dimensions=self.dimensions)
        schema.write_meta(connection, index=number)
        self.notes.append(f"The search index was rebuilt from the database: {reason}.")
        return number


def _ranked(readers: IndexReaders, text: str, vector: NDArray[np.float32] | None, sight: Sight, limit: int) -> Rankings:
    words = readers.lexical.search(text, sight, limit=limit)
    near = [] if vector is None else readers.vectors.search(vector, sight, limit=limit)
    return Rankings(words=words, near=near)


def _make(folder: LibraryFolder, *, embedder: str, dimensions: int) -> None:
    """Database, then indexes, then the format file: a folder without the last is no library yet and is made again."""
    if folder.is_library():
        return
    schema.create(folder.database, embedder=embedder, dimensions=dimensions)
    if not folder.indexes():
        DerivedIndexes.create(folder.index(0), number=0, dimensions=dimensions)
    folder.write_format()
