"""Connections to the truth, lent to one thread at a time."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pincite.adapters.stores.embedded.schema import connect
from pincite.errors import StoreError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

_IDLE_KEPT = 8


class ConnectionPool:
    """Lends idle connections, opens one more when there is none. A forked child starts with none of its parent's."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._owner = os.getpid()
        self._closed = False

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection outside any transaction; a transaction left open at the end is rolled back.

        Raises:
            StoreError: the pool is closed.
        """
        connection = self._take()
        try:
            yield connection
        finally:
            self._give(connection)

    def close(self) -> None:
        """Close the idle ones now and each lent one when it comes back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self) -> sqlite3.Connection:
        with self._lock:
            if self._closed:
                raise StoreError("this store is closed", hint="Open the library again.")
            if self._owner != os.getpid():
                self._owner, self._idle = os.getpid(), []
            if self._idle:
                return self._idle.pop()
        return connect(self._database)

    def _give(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            connection.rollback()
        with self._lock:
            if not self._closed and len(self._idle) < _IDLE_KEPT:
                self._idle.append(connection)
                return
        connection.close()
