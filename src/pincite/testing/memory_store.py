"""A store in plain lists: exact BM25, exact cosine, every rule written out. The reference that others are held to.

It shares no code with any other store and takes no shortcut: each query walks over everything. Term statistics are
those of what the view sees.
"""

from __future__ import annotations

import math
import re
import threading
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import numpy as np

from pincite.errors import NotFoundError, StoreError
from pincite.protocols import Candidates, DocumentSummary, Entry
from pincite.types import Hit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from pincite.types import Passage, Version, View

K1 = 1.2
B = 0.75
HEAD_WEIGHT = 0.5
MAX_TERMS = 1_000

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Kept:
    """One entry that was put, and when it was removed."""

    entry: Entry
    order: int
    removed_at: datetime | None = None

    @property
    def version(self) -> Version:
        return self.entry.version

    @property
    def age(self) -> tuple[date, datetime, int]:
        """Sorts versions of one document from oldest to newest."""
        moment = self.version.ingested_at
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return self.version.effective_from or date.min, aware, self.order


class MemoryStore:
    """A ``Store`` that lives as long as the object. Safe for threads: one call at a time."""

    def __init__(self, *, dimensions: int) -> None:
        self._dimensions = dimensions
        self._kept: list[_Kept] = []
        self._generation = 0
        self._closed = False
        self._lock = threading.RLock()

    # --- changes

    def put(self, entries: Sequence[Entry]) -> int:
        """See ``Store.put``."""
        with self._lock:
            self._usable()
            for entry in entries:
                _check(entry, self._dimensions)
            fresh: dict[tuple[str, str], Entry] = {}
            for entry in entries:
                key = (entry.version.tenant, entry.version.version_id)
                if entry.version.version_id not in self.known_versions(entry.version.tenant):
                    fresh.setdefault(key, entry)
            if fresh:
                self._kept += [_Kept(entry=e, order=len(self._kept) + i) for i, e in enumerate(fresh.values())]
                self._generation += 1
            return self._generation

    def remove(self, tenant: str, document_id: str, *, at: datetime) -> int:
        """See ``Store.remove``."""
        with self._lock:
            self._usable()
            doomed = {
                kept.order
                for kept in self._kept
                if (kept.version.tenant, kept.version.document_id) == (tenant, document_id) and kept.removed_at is None
            }
            if not doomed:
                raise NotFoundError("there is no such document")
            self._kept = [replace(k, removed_at=at) if k.order in doomed else k for k in self._kept]
            self._generation += 1
            return self._generation

    def remove_versions(self, tenant: str, version_ids: Collection[str], *, at: datetime) -> int:
        """See ``Store.remove_versions``."""
        with self._lock:
            self._usable()
            doomed = {
                kept.order
                for kept in self._kept
                if kept.version.tenant == tenant and kept.version.version_id in version_ids and kept.removed_at is None
            }
            self._kept = [replace(k, removed_at=at) if k.order in doomed else k for k in self._kept]
            self._generation += bool(doomed)
            return self._generation

    # --- queries

    def search(self, text: str, vector: NDArray[np.float32] | None, view: View, *, limit: int) -> Candidates:
        """See ``Store.search``."""
        with self._lock:
            self._usable()
            if vector is not None and vector.shape != (self._dimensions,):
                raise StoreError(f"the question's vector has shape {vector.shape}")
            seen = [
                (p, kept.entry.vectors[i]) for kept in self._visible(view) for i, p in enumerate(kept.entry.passages)
            ]
            if not text.strip() or limit < 1:
                seen = []
            lexical = _by_words(text, [passage for passage, _ in seen])[:limit]
            dense = [] if vector is None or not vector.any() else _by_cosine(vector, seen)[:limit]
            return Candidates(
                lexical=tuple(
                    Hit(passage=passage, rank=rank, rrf=0.0, bm25_rank=rank, bm25_score=value)
                    for rank, (value, passage) in enumerate(lexical, start=1)
                ),
                dense=tuple(
                    Hit(passage=passage, rank=rank, rrf=0.0, dense_rank=rank, cosine_sim=value)
                    for rank, (value, passage) in enumerate(dense, start=1)
                ),
                generation=self._generation,
            )

    def passages(self, passage_ids: Sequence[str], view: View) -> list[Passage]:
        """See ``Store.passages``."""
        found = {passage.passage_id: passage for passage in self.iter_passages(view)}
        return [found[passage_id] for passage_id in passage_ids if passage_id in found]

    def neighbours(self, passage_id: str, view: View, *, distance: int) -> list[Passage]:
        """See ``Store.neighbours``."""
        for kept in self._visible(view):
            for place in kept.entry.passages:
                if place.passage_id == passage_id:
                    return [p for p in kept.entry.passages if abs(p.ordinal - place.ordinal) <= distance]
        return []

    def version(self, version_id: str, view: View) -> Version | None:
        """See ``Store.version``."""
        return next((kept.version for kept in self._visible(view) if kept.version.version_id == version_id), None)

    def kept_version(self, version_id: str, view: View) -> Version | None:
        """See ``Store.kept_version``."""
        with self._lock:
            self._usable()
            kept = (k for k in self._kept if k.version.version_id == version_id and k.removed_at is None)
            return next((k.version for k in kept if _may_read(k.version, view)), None)

    def history(self, document_id: str, view: View) -> list[Version]:
        """See ``Store.history``."""
        with self._lock:
            self._usable()
            latest = {
                kept.version.version_id: kept
                for kept in self._kept
                if kept.version.document_id == document_id and _may_read(kept.version, view)
            }
            return [kept.version for kept in sorted(latest.values(), key=lambda kept: kept.age)]

    def documents(self, view: View) -> list[DocumentSummary]:
        """See ``Store.documents``."""
        shown = sorted(self._visible(view), key=lambda kept: kept.version.document_id)
        return [self._summary(kept, len(self.history(kept.version.document_id, view))) for kept in shown]

    def attribute_values(self, view: View) -> dict[str, frozenset[str]]:
        """See ``Store.attribute_values``."""
        pairs = [
            pair for kept in self._visible(replace(view, attributes={})) for pair in kept.version.attributes.items()
        ]
        return {key: frozenset(value for name, value in pairs if name == key) for key in sorted(dict(pairs))}

    def iter_passages(self, view: View) -> Iterator[Passage]:
        """See ``Store.iter_passages``."""
        shown = sorted(self._visible(view), key=lambda kept: kept.version.document_id)
        yield from [passage for kept in shown for passage in kept.entry.passages]

    def known_versions(self, tenant: str) -> frozenset[str]:
        """See ``Store.known_versions``."""
        with self._lock:
            self._usable()
            return frozenset(
                kept.version.version_id
                for kept in self._kept
                if kept.version.tenant == tenant and kept.removed_at is None
            )

    def known_documents(self, tenant: str) -> frozenset[str]:
        """See ``Store.known_documents``."""
        known = self.known_versions(tenant)
        with self._lock:
            kept = [one.version for one in self._kept if one.removed_at is None and one.version.tenant == tenant]
            return frozenset(version.document_id for version in kept if version.version_id in known)

    def generation(self) -> int:
        """See ``Store.generation``."""
        self._usable()
        return self._generation

    def integrity(self) -> list[str]:
        """See ``Store.integrity``: entries are checked on their way in and never change."""
        self._usable()
        return []

    def close(self) -> None:
        """See ``Store.close``."""
        self._closed = True

    # --- visibility

    def _visible(self, view: View) -> list[_Kept]:
        """In the order they were put."""
        with self._lock:
            self._usable()
            live = [kept for kept in self._kept if kept.removed_at is None and kept.version.tenant == view.tenant]
            in_force = [kept for kept in live if _in_force(kept, live, view.as_of)]
            return [
                kept
                for kept in in_force
                if not any(_is_newer(other, kept) for other in in_force)
                and not any(_supersedes(other, kept, view.as_of) for other in live)
                and _may_read(kept.version, view)
                and _in_scope(kept.version, view)
            ]

    def _usable(self) -> None:
        if self._closed:
            raise StoreError("this store is closed")

    def _summary(self, kept: _Kept, version_count: int) -> DocumentSummary:
        version = kept.version
        return DocumentSummary(
            document_id=version.document_id,
            title=version.title,
            version_id=version.version_id,
            version_label=version.version_label,
            media_type=version.media_type,
            source_uri=version.source_uri,
            effective_from=version.effective_from.isoformat() if version.effective_from else None,
            effective_to=version.effective_to.isoformat() if version.effective_to else None,
            attributes=version.attributes,
            passage_count=len(kept.entry.passages),
            version_count=version_count,
        )


def _in_force(kept: _Kept, live: Sequence[_Kept], day: date) -> bool:
    """Started and not ended: by its own end, or, without one, by the start of a newer version of its document."""
    if not _started(kept, day):
        return False
    if kept.version.effective_to is not None:
        return day < kept.version.effective_to
    return not any(_is_newer(other, kept) and _started(other, day) for other in live)


def _started(kept: _Kept, day: date) -> bool:
    return (kept.version.effective_from or date.min) <= day


def _is_newer(other: _Kept, kept: _Kept) -> bool:
    return other.version.document_id == kept.version.document_id and other.age > kept.age


def _supersedes(other: _Kept, kept: _Kept, day: date) -> bool:
    """A document does not supersede itself by its own document_id: its newer versions see to that."""
    named = other.version.supersedes
    by_document = named == kept.version.document_id != other.version.document_id
    by_version = named == kept.version.version_id and other.order != kept.order
    return (by_document or by_version) and _started(other, day)


def _may_read(version: Version, view: View) -> bool:
    held = view.principals
    return version.tenant == view.tenant and bool(held & version.access.allow) and not held & version.access.deny


def _in_scope(version: Version, view: View) -> bool:
    return all(
        version.attributes.get(key, value).casefold() == value.casefold() for key, value in view.attributes.items()
    )


def _check(entry: Entry, dimensions: int) -> None:
    version = entry.version
    fits = entry.vectors.shape == (len(entry.passages), dimensions) and bool(np.isfinite(entry.vectors).all())
    ids = {passage.passage_id for passage in entry.passages}
    whole = [
        passage.version_id == version.version_id
        and passage.document_id == version.document_id
        and passage.ordinal == ordinal
        and passage.attributes == version.attributes
        and passage.text == version.text[passage.start : passage.end]
        for ordinal, passage in enumerate(entry.passages)
    ]
    if not (fits and all(whole) and len(ids) == len(entry.passages)):
        raise StoreError(f"version {version.version_id!r} cannot be put: its passages or vectors do not fit it")


# --- rankings --------------------------------------------------------------------------------------


def _terms(text: str) -> list[str]:
    return _WORD.findall(_THOUSANDS.sub("", text.casefold()))


def _by_words(text: str, passages: Sequence[Passage]) -> list[tuple[float, Passage]]:
    """BM25 (Robertson and Zaragoza 2009) of the text, plus half of that of title, headings and document id."""
    wanted = list(dict.fromkeys(_terms(text)))[:MAX_TERMS]
    bodies = [Counter(_terms(p.text)) for p in passages]
    heads = [Counter(_terms(" ".join((p.title, *p.heading_path, p.document_id)))) for p in passages]
    values = [body + HEAD_WEIGHT * head for body, head in zip(_bm25(wanted, bodies), _bm25(wanted, heads), strict=True)]
    ranked = sorted(range(len(passages)), key=lambda i: -values[i])
    return [(values[i], passages[i]) for i in ranked if values[i] > 0]


def _bm25(wanted: Sequence[str], bags: Sequence[Counter[str]]) -> list[float]:
    lengths = [bag.total() for bag in bags]
    mean = sum(lengths) / len(lengths) if any(lengths) else 1.0
    frequency = {term: sum(term in bag for bag in bags) for term in wanted}
    idf = {term: math.log(1 + (len(bags) - n + 0.5) / (n + 0.5)) for term, n in frequency.items()}
    return [
        sum(idf[t] * bag[t] * (K1 + 1) / (bag[t] + K1 * (1 - B + B * length / mean)) for t in wanted if t in bag)
        for bag, length in zip(bags, lengths, strict=True)
    ]


def _by_cosine(
    vector: NDArray[np.float32], seen: Sequence[tuple[Passage, NDArray[np.float32]]]
) -> list[tuple[float, Passage]]:
    values = [(float(row @ vector), passage) for passage, row in seen]
    return sorted(values, key=lambda pair: -pair[0])
