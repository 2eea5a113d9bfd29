"""What one transaction's snapshot answers. Every method takes the view and asks the catalogue first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pincite.adapters.stores.embedded.codec import VERSION_COLUMNS, as_date, read_passage, read_version
from pincite.adapters.stores.embedded.guard import admits
from pincite.adapters.stores.embedded.indexes import PASSAGES
from pincite.protocols import DocumentSummary

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from pincite.adapters.stores.embedded.catalogue import Catalogue
    from pincite.adapters.stores.embedded.schema import State
    from pincite.types import Passage, Version, View

_AT_ONCE = 500
_CLASS, _FROM_DAY, _TO_DAY, _REMOVED = 12, 13, 14, 15

_SUMMARIES = """
SELECT v.seq, d.document_id, v.title, v.version_id, v.version_label, v.media_type, v.source_uri,
    v.from_day, v.to_day, v.class, v.passage_count, v.doc
FROM versions v JOIN documents d ON d.doc = v.doc WHERE v.seq IN
"""
_VERSIONS_OF_DOCUMENT = f"""
SELECT {VERSION_COLUMNS}, b.text, b.layout
FROM documents d JOIN versions v ON v.doc = d.doc JOIN bodies b ON b.seq = v.seq
WHERE d.tenant = ? AND d.document_id = ?
ORDER BY coalesce(v.from_day, 0), v.ingested_us, v.seq
"""  # noqa: S608 - column names of ours
_VERSION = f"""
SELECT {VERSION_COLUMNS}, b.text, b.layout
FROM versions v JOIN documents d ON d.doc = v.doc JOIN bodies b ON b.seq = v.seq
WHERE v.tenant = ? AND v.version_id = ?
"""  # noqa: S608 - column names of ours
_PLACE = """
SELECT p.row, p.seq, v.first_row, v.passage_count FROM passages p JOIN versions v ON v.seq = p.seq
WHERE p.passage_id = ?
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Snapshot:
    """One generation of the library, as a connection inside a transaction sees it.

    ``withheld`` is called for every passage that the catalogue let through and the guard did not.
    """

    connection: sqlite3.Connection
    state: State
    catalogue: Catalogue
    withheld: Callable[[], None]

    def passages_of_rows(self, rows: Sequence[int], view: View) -> dict[int, Passage]:
        """Passages by row; one that the view may not see is not among them."""
        found = {}
        for chunk in _chunks(rows):
            sql = f"{PASSAGES} WHERE p.row IN ({_marks(chunk)})"
            found.update(self._guarded(self.connection.execute(sql, chunk), view))
        return found

    def passages(self, passage_ids: Sequence[str], view: View) -> list[Passage]:
        """See ``Store.passages``."""
        sight = self.catalogue.sight(view)
        rows = []
        for chunk in _chunks(list(dict.fromkeys(passage_ids))):
            sql = f"SELECT row FROM passages WHERE passage_id IN ({_marks(chunk)})"  # noqa: S608 - question marks
            rows += [row for (row,) in self.connection.execute(sql, chunk) if sight.rows[row]]
        found = {passage.passage_id: passage for passage in self.passages_of_rows(rows, view).values()}
        return [found[passage_id] for passage_id in passage_ids if passage_id in found]

    def neighbours(self, passage_id: str, view: View, *, distance: int) -> list[Passage]:
        """See ``Store.neighbours``."""
        sight = self.catalogue.sight(view)
        places = self.connection.execute(_PLACE, (passage_id,)).fetchall()
        place = next((place for place in places if sight.versions[place[1]]), None)
        if place is None or distance < 0:
            return []
        row, _, first_row, count = place
        rows = range(max(first_row, row - distance), min(first_row + count, row + distance + 1))
        found = self.passages_of_rows(rows, view)
        return [found[number] for number in sorted(found)]

    def version(self, version_id: str, view: View) -> Version | None:
        """See ``Store.version``."""
        sight = self.catalogue.sight(view)
        rows = self.connection.execute(_VERSION, (view.tenant, version_id)).fetchall()
        return next((self._version(row) for row in rows if sight.versions[row[0]]), None)

    def kept_version(self, version_id: str, view: View) -> Version | None:
        """See ``Store.kept_version``."""
        kept = self.catalogue.readable(view) & self.catalogue.live
        rows = self.connection.execute(_VERSION, (view.tenant, version_id)).fetchall()
        return next((self._version(row) for row in rows if kept[row[0]]), None)

    def history(self, document_id: str, view: View) -> list[Version]:
        """See ``Store.history``."""
        readable = self.catalogue.readable(view)
        rows = self.connection.execute(_VERSIONS_OF_DOCUMENT, (view.tenant, document_id))
        return [self._version(row) for row in rows if readable[row[0]]]

    def documents(self, view: View) -> list[DocumentSummary]:
        """See ``Store.documents``."""
        kept = np.bincount(self.catalogue.doc[self.catalogue.readable(view)], minlength=1)
        rows: list[tuple[Any, ...]] = []
        for chunk in _chunks(np.flatnonzero(self.catalogue.sight(view).versions).tolist()):
            rows += self.connection.execute(f"{_SUMMARIES} ({_marks(chunk)})", chunk)
        return [self._summary(row, kept) for row in sorted(rows, key=lambda row: str(row[1]))]

    def attribute_values(self, view: View) -> dict[str, frozenset[str]]:
        """See ``Store.attribute_values``."""
        visible = self.catalogue.visible_whatever_attributes(view)
        values = defaultdict(set)
        for class_id in np.unique(self.catalogue.class_of[visible]).tolist():
            for key, value in self.catalogue.classes.by_id[class_id].attributes.items():
                values[key].add(value)
        return {key: frozenset(found) for key, found in sorted(values.items())}

    def iter_passages(self, view: View) -> Iterator[Passage]:
        """See ``Store.iter_passages``."""
        sight = self.catalogue.sight(view)
        sql = "SELECT v.seq, d.document_id FROM versions v JOIN documents d ON d.doc = v.doc"
        visible = [(document_id, seq) for seq, document_id in self.connection.execute(sql) if sight.versions[seq]]
        for _, seq in sorted(visible):
            rows = self.connection.execute(f"{PASSAGES} WHERE p.seq = ? ORDER BY p.row", (seq,))
            yield from self._guarded(rows, view).values()

    def _guarded(self, rows: sqlite3.Cursor, view: View) -> dict[int, Passage]:
        found = {}
        for row in rows:
            kind = self.catalogue.classes.by_id[row[_CLASS]]
            if admits(view, kind, from_day=row[_FROM_DAY], to_day=row[_TO_DAY], removed=row[_REMOVED]):
                found[row[0]] = read_passage(row, kind)
            else:
                self.withheld()
        return found

    def _version(self, row: tuple[Any, ...]) -> Version:
        *columns, text, layout = row
        return read_version(tuple(columns), self.catalogue.classes.by_id[row[4]], text, layout)

    def _summary(self, row: tuple[Any, ...], kept: NDArray[np.int64]) -> DocumentSummary:
        _, document_id, title, version_id, label, media_type, source_uri, from_day, to_day, class_id, count, doc = row
        return DocumentSummary(
            document_id=document_id,
            title=title,
            version_id=version_id,
            version_label=label,
            media_type=media_type,
            source_uri=source_uri,
            effective_from=_iso(from_day),
            effective_to=_iso(to_day),
            attributes=dict(self.catalogue.classes.by_id[class_id].attributes),
            passage_count=count,
            version_count=int(kept[doc]),
        )


def _iso(day: int | None) -> str | None:
    date = as_date(day)
    return None if date is None else date.isoformat()


def _chunks(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (values[start : start + _AT_ONCE] for start in range(0, len(values), _AT_ONCE))


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
