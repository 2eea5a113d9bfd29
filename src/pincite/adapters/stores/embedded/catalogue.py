"""Which versions a view admits, computed over columns of all versions of one generation.

Three questions, answered apart so that each can be remembered apart: which classes of versions (tenant, access list,
attributes) the view admits; which versions are the ones in force on its date, whoever asks; and which rows that
leaves. A version hidden by a newer or a superseding one stays hidden from readers who may not see that other one.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from pincite.adapters.stores.embedded.codec import VersionClass, decode_class

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Hashable, Mapping
    from datetime import date

    from numpy.typing import NDArray

    from pincite.adapters.stores.embedded.schema import State
    from pincite.types import View

K = TypeVar("K", bound="Hashable")
V = TypeVar("V")

_FOREVER = 1 << 30
_SIGHTS_KEPT = 16
_DATES_KEPT = 16

_VERSIONS = f"""
SELECT doc, class, coalesce(from_day, 0), coalesce(to_day, {_FOREVER}), ingested_us, passage_count,
    removed_generation IS NOT NULL
FROM versions ORDER BY seq
"""  # noqa: S608 - a number of ours
# by document_id: a document does not supersede itself, its later versions see to that
_SUPERSEDED = """
SELECT old.seq, coalesce(new.from_day, 0) FROM versions new
    JOIN documents d ON d.tenant = new.tenant AND d.document_id = new.supersedes
    JOIN versions old ON old.doc = d.doc
    WHERE new.supersedes IS NOT NULL AND new.removed_generation IS NULL AND new.doc <> old.doc
UNION ALL
SELECT old.seq, coalesce(new.from_day, 0) FROM versions new
    JOIN versions old ON old.tenant = new.tenant AND old.version_id = new.supersedes
        AND old.removed_generation IS NULL
    WHERE new.supersedes IS NOT NULL AND new.removed_generation IS NULL AND new.seq <> old.seq
"""
# removed, then put again: one version to whoever reads the history
_REPLACED = """
SELECT old.seq FROM versions old
    JOIN versions new ON new.tenant = old.tenant AND new.version_id = old.version_id AND new.seq > old.seq
    WHERE old.removed_generation IS NOT NULL
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sight:
    """What one view sees of one generation.

    ``versions`` and ``rows`` are masks over all versions and all passages. ``classes`` are the classes of visible
    versions; ``class_row_count`` counts the passages of those classes, whatever their date.
    """

    versions: NDArray[np.bool_]
    rows: NDArray[np.bool_]
    row_count: int
    classes: NDArray[np.int64]
    class_row_count: int


@dataclass(kw_only=True, slots=True)
class Catalogue:
    """Columns over every version of one generation, by ``seq``; nothing in it changes but what it remembers."""

    generation: int
    row_count: int
    doc: NDArray[np.int64]
    class_of: NDArray[np.int64]
    from_day: NDArray[np.int64]
    to_day: NDArray[np.int64]
    passage_count: NDArray[np.int64]
    live: NDArray[np.bool_]
    replaced: NDArray[np.int64]
    ranked: NDArray[np.int64]
    superseded: NDArray[np.int64]
    superseded_from: NDArray[np.int64]
    classes: Classes
    class_rows: NDArray[np.int64]
    _sights: OrderedDict[tuple[object, ...], Sight] = field(default_factory=OrderedDict)
    _dates: OrderedDict[int, NDArray[np.bool_]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def sight(self, view: View) -> Sight:
        """What the view sees; remembered for the last few views."""
        key = (view.tenant, view.principals, view.as_of, frozenset(view.attributes.items()))
        with self._lock:
            return _remembered(self._sights, key, lambda: self._sight(view), keep=_SIGHTS_KEPT)

    def readable(self, view: View) -> NDArray[np.bool_]:
        """Versions that the view's principals may read, whatever the date and attributes, removed ones included."""
        readable = self.classes.readable(view)[self.class_of]
        readable[self.replaced] = False
        return readable

    def visible_whatever_attributes(self, view: View) -> NDArray[np.bool_]:
        """Versions visible to the view if it asked for no attributes."""
        with self._lock:
            return self.readable(view) & self._in_force(view.as_of)

    def _sight(self, view: View) -> Sight:
        versions = self.classes.admitted(view)[self.class_of] & self._in_force(view.as_of)
        rows = np.repeat(versions, self.passage_count)
        classes = np.unique(self.class_of[versions])
        return Sight(
            versions=versions,
            rows=rows,
            row_count=int(np.count_nonzero(rows)),
            classes=classes,
            class_row_count=int(self.class_rows[classes].sum()),
        )

    def _in_force(self, as_of: date) -> NDArray[np.bool_]:
        day = as_of.toordinal()
        return _remembered(self._dates, day, lambda: self._chosen(day), keep=_DATES_KEPT)

    def _chosen(self, day: int) -> NDArray[np.bool_]:
        """Of each document the one version in force on the day, unless something else supersedes it.

        A version without an end of its own ends where a later one starts, and does not come back when that one ends.
        """
        started = self.live & (self.from_day <= day)
        ends_itself = self.to_day < _FOREVER
        candidate = started & (day < self.to_day) & (ends_itself | self._latest(started))
        chosen = self._latest(candidate)
        chosen[self.superseded[self.superseded_from <= day]] = False
        return chosen

    def _latest(self, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Of each document the one that started last."""
        order = self.ranked[among[self.ranked]]
        docs = self.doc[order]
        is_last = np.ones(len(order), dtype=np.bool_)
        is_last[:-1] = docs[1:] != docs[:-1]
        latest = np.zeros(len(self.doc), dtype=np.bool_)
        latest[order[is_last]] = True
        return latest


class Classes:
    """All classes of versions, indexed by principal and by attribute."""

    def __init__(self, definitions: Mapping[int, VersionClass]) -> None:
        self.by_id = dict(definitions)
        self._size = max(self.by_id, default=-1) + 1
        tenant, allow, deny = defaultdict(list), defaultdict(list), defaultdict(list)
        carries, same = defaultdict(list), defaultdict(list)
        for class_id, kind in self.by_id.items():
            tenant[kind.tenant].append(class_id)
            for principal in kind.allow:
                allow[principal].append(class_id)
            for principal in kind.deny:
                deny[principal].append(class_id)
            for key, value in kind.attributes.items():
                carries[key].append(class_id)
                same[key, value.casefold()].append(class_id)
        self._tenant, self._allow, self._deny = _arrays(tenant), _arrays(allow), _arrays(deny)
        self._carries, self._same = _arrays(carries), _arrays(same)

    def readable(self, view: View) -> NDArray[np.bool_]:
        """Mask over class ids: tenant and access."""
        nothing = np.zeros(0, dtype=np.int64)
        allowed, own = self._none(), self._none()
        for principal in view.principals:
            allowed[self._allow.get(principal, nothing)] = True
        for principal in view.principals:
            allowed[self._deny.get(principal, nothing)] = False
        own[self._tenant.get(view.tenant, nothing)] = True
        return allowed & own

    def admitted(self, view: View) -> NDArray[np.bool_]:
        """Mask over class ids: tenant, access and attributes."""
        nothing = np.zeros(0, dtype=np.int64)
        admitted = self.readable(view)
        for key, value in view.attributes.items():
            differs = self._none()
            differs[self._carries.get(key, nothing)] = True
            differs[self._same.get((key, value.casefold()), nothing)] = False
            admitted &= ~differs
        return admitted

    def _none(self) -> NDArray[np.bool_]:
        return np.zeros(self._size, dtype=np.bool_)


def load_catalogue(connection: sqlite3.Connection, state: State) -> Catalogue:
    """All columns, from the transaction that ``state`` was read in."""
    rows = connection.execute(_VERSIONS).fetchall()
    columns = np.array(rows, dtype=np.int64).reshape(-1, 7).T
    doc, class_of, from_day, to_day, ingested_us, passage_count, removed = np.ascontiguousarray(columns)
    pairs = np.array(connection.execute(_SUPERSEDED).fetchall(), dtype=np.int64).reshape(-1, 2)
    classes = Classes({key: decode_class(blob) for key, blob in connection.execute("SELECT * FROM classes")})
    return Catalogue(
        generation=state.generation,
        row_count=state.row_count,
        doc=doc,
        class_of=class_of,
        from_day=from_day,
        to_day=to_day,
        passage_count=passage_count,
        live=removed == 0,
        replaced=np.array([seq for (seq,) in connection.execute(_REPLACED)], dtype=np.int64),
        ranked=np.lexsort((np.arange(len(doc)), ingested_us, from_day, doc)),
        superseded=pairs[:, 0],
        superseded_from=pairs[:, 1],
        classes=classes,
        class_rows=np.bincount(class_of, weights=passage_count, minlength=1).astype(np.int64),
    )


def _arrays(lists: Mapping[K, list[int]]) -> dict[K, NDArray[np.int64]]:
    return {key: np.array(ids, dtype=np.int64) for key, ids in lists.items()}


def _remembered(memory: OrderedDict[K, V], key: K, compute: Callable[[], V], *, keep: int) -> V:
    """The value under the key, computed when it is not there; the least recently used goes when there are too many."""
    if key in memory:
        memory.move_to_end(key)
        return memory[key]
    value = compute()
    memory[key] = value
    while len(memory) > keep:
        memory.popitem(last=False)
    return value
