"""The retrieve step: a question and an identity become ranked passages.

Four rankings are fused by reciprocal rank (Cormack et al. 2009): BM25, cosine, the identifiers that the
question names, and scope (what is written for India before what is written for the world, when the question is
about India). Access and dates are the store's filter; nothing here widens it.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pincite.text.english import looks_english
from pincite.types import Hit, Query, View

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pincite.config import RetrieveSettings
    from pincite.protocols import Candidates, Embedder, Store
    from pincite.types import Passage

MAX_QUESTION_CHARS = 2_000
MAX_IDENTIFIERS = 8
SHORT_VALUE_CHARS = 3
LIKE_BM25, LIKE_COSINE = 0.6, 0.9
"""Shares of an index's best value from which a scoped passage may pass an unscoped one: tests/test_retrieve.py."""

_IDENTIFIER = re.compile(
    r"(?<![\w/-])(?:"
    r"(?=[\w./-]*\d)[A-Za-z][\w.]*(?:[-/][\w.]*\w)+"  # POL-55012, claim/88431, INC-2024-17
    r"|[A-Za-z]{2,10}\d{3,}"  # PO88431
    r"|\d{5,}"  # 88431
    r")(?![\w/-])"
)


@runtime_checkable
class ReadsLanguages(Protocol):
    """An embedder that was trained on some languages only (ISO 639-1 codes)."""

    @property
    def languages(self) -> frozenset[str]:
        """Which."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Retrieved:
    """Hits in final order, the generation they all come from, and what was understood of the question.

    ``question`` is the text that was searched for: the asker's, cut to ``MAX_QUESTION_CHARS``. ``scope`` holds the
    attribute values that the question names. ``notes`` are sentences for the reader.
    """

    question: str
    hits: tuple[Hit, ...]
    generation: int
    query_vector: tuple[float, ...] = field(default=(), repr=False)
    scope: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def retrieve(query: Query, *, store: Store, embedder: Embedder, settings: RetrieveSettings) -> Retrieved:
    """The ``settings.limit`` best visible passages.

    A blank question, an empty library, an unknown tenant or role all give no hits and no error: what exists is not
    told. Deterministic for one generation of the library.
    """
    question, notes = _bounded(query.topic)
    if not question:
        return Retrieved(question="", hits=(), generation=store.generation())
    if query.said is not None and query.said.again:
        return _again(question, query, query.said.again, store=store, embedder=embedder, notes=notes)
    view, scope, scope_notes = _scoped(question, query.view(), store)
    vector = embedder.embed_query(question)
    candidates, named = _one_generation(question, vector, view, store, limit=settings.candidates)
    if candidates.lexical and not _reads(embedder, question):
        candidates = dataclasses.replace(candidates, dense=())
    hits = _fuse(candidates, named, view, k=settings.rrf_k)[: settings.limit]
    return Retrieved(
        question=question,
        hits=tuple(hits),
        generation=candidates.generation,
        query_vector=tuple(float(x) for x in vector),
        scope=scope,
        notes=(*query.notes, *notes, *scope_notes),
    )


def _again(
    question: str, query: Query, passage_ids: Sequence[str], *, store: Store, embedder: Embedder, notes: tuple[str, ...]
) -> Retrieved:
    """The named passages that this view still admits, in the order named: nothing is searched."""
    generation = store.generation()
    found = store.passages(tuple(passage_ids), query.view())
    vector = embedder.embed_query(question)
    return Retrieved(
        question=question,
        hits=tuple(Hit(passage=passage, rank=rank, rrf=0.0) for rank, passage in enumerate(found, start=1)),
        generation=generation,
        query_vector=tuple(float(x) for x in vector),
        notes=(*query.notes, *notes),
    )


# --- the question ----------------------------------------------------------------------------------


def _bounded(text: str) -> tuple[str, tuple[str, ...]]:
    """The question without surrounding blanks, cut at a word when it is too long, with a note that says so."""
    question = text[: MAX_QUESTION_CHARS * 4].strip()
    if len(question) <= MAX_QUESTION_CHARS and len(text) <= MAX_QUESTION_CHARS * 4:
        return question, ()
    cut = question[:MAX_QUESTION_CHARS]
    kept = cut[: cut.rfind(" ")] if " " in cut else cut
    return kept, (f"The question was cut to its first {len(kept)} characters.",)


def identifiers(question: str) -> tuple[str, ...]:
    """Names such as ``POL-55012``, ``claim/88431`` or ``88431``, once each, in order, at most eight."""
    found = (match.group().rstrip(".") for match in _IDENTIFIER.finditer(question))
    return tuple(dict.fromkeys(found))[:MAX_IDENTIFIERS]


def _scoped(question: str, view: View, store: Store) -> tuple[View, dict[str, str], tuple[str, ...]]:
    """The view narrowed to attribute values that the question names. What the request set stays as it is.

    Two values of one key (a comparison) narrow nothing.
    """
    scope: dict[str, str] = {}
    notes: list[str] = []
    for key, values in sorted(store.attribute_values(view).items()):
        named = sorted(value for value in values if _names(question, value))
        if key in view.attributes or not named:
            continue
        if len(named) > 1:
            notes.append(f"The question names several values of {key} ({', '.join(named)}); all were searched.")
        else:
            scope[key] = named[0]
            notes.append(f"Read as a question about {key} {named[0]}.")
    return dataclasses.replace(view, attributes={**view.attributes, **scope}), scope, tuple(notes)


def _names(question: str, value: str) -> bool:
    """Whole words, in any case; short values ("US", "IT") only in their own case, or "tell us" would be a country."""
    if len(value.strip()) < 2:  # noqa: PLR2004 - one letter names nothing
        return False
    flags = re.NOFLAG if len(value) <= SHORT_VALUE_CHARS else re.IGNORECASE
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", question, flags) is not None


def _reads(embedder: Embedder, question: str) -> bool:
    """False when the embedder names the languages it reads and the question is in none of them.

    Cosine then only dilutes BM25: measured on five languages in benchmarks/quality/retrieval.py.
    """
    if not isinstance(embedder, ReadsLanguages) or embedder.languages != {"en"}:
        return True
    return looks_english(question)


# --- the rankings ----------------------------------------------------------------------------------


def _one_generation(
    question: str, vector: NDArray[np.float32], view: View, store: Store, *, limit: int
) -> tuple[Candidates, list[Hit]]:
    """Candidates, and the passages that carry a named identifier, both from one generation of the library.

    A writer that commits between the searches makes one more round; after three, identifiers are given up
    rather than mixed.
    """
    usable = vector if vector.any() else None
    for _ in range(3):
        candidates = store.search(question, usable, view, limit=limit)
        named, generations = _named(question, view, store, limit=limit)
        if generations <= {candidates.generation}:
            return candidates, named
    return candidates, []


def _named(question: str, view: View, store: Store, *, limit: int) -> tuple[list[Hit], set[int]]:
    """Passages that contain an identifier of the question letter for letter: most identifiers first, then BM25."""
    wanted = identifiers(question)
    found: dict[str, Hit] = {}
    generations: set[int] = set()
    for identifier in wanted:
        candidates = store.search(identifier, None, view, limit=limit)
        generations.add(candidates.generation)
        for hit in candidates.lexical:
            if _carries(hit.passage, identifier):
                found.setdefault(hit.passage.passage_id, hit)
    counts = {key: sum(_carries(hit.passage, name) for name in wanted) for key, hit in found.items()}
    return sorted(found.values(), key=lambda hit: (-counts[hit.passage.passage_id], hit.rank)), generations


def _carries(passage: Passage, identifier: str) -> bool:
    where = "\n".join((passage.document_id, passage.title, *passage.heading_path, passage.text))
    return re.search(rf"(?<![\w-]){re.escape(identifier)}(?![\w-])", where, re.IGNORECASE) is not None


def _fuse(candidates: Candidates, named: Sequence[Hit], view: View, *, k: int) -> list[Hit]:
    """Passages with a named identifier first, then by reciprocal-rank sum, then by place in the library.

    Scope is one more ranking: passages of versions that carry one of the view's attributes, in the order that
    the other rankings give them. Only a passage of like relevance is in it: what is written for India passes what is
    written for the world when both answer, not when only the latter does.
    """
    merged = _merged(candidates, named)
    rankings = [_ids(candidates.lexical), _ids(candidates.dense), _ids(named)]
    rrf = _rrf(rankings, k=k)
    able = _of_like_relevance(candidates) | set(_ids(named))
    scoped = [
        key
        for key in sorted(rrf, key=lambda key: (-rrf[key], key))
        if key in able and _specificity(merged[key].passage, view)
    ]
    rrf = _rrf([*rankings, scoped], k=k)
    first = set(_ids(named))

    def order(key: str) -> tuple[bool, float, int, str, int]:
        passage = merged[key].passage
        return key not in first, -rrf[key], -_specificity(passage, view), passage.document_id, passage.ordinal

    ordered = sorted(rrf, key=order)
    return [dataclasses.replace(merged[key], rank=rank, rrf=rrf[key]) for rank, key in enumerate(ordered, start=1)]


def _of_like_relevance(candidates: Candidates) -> set[str]:
    """Passages near the best one of either index. Ranks cannot tell that: the second of two may be far off."""
    best_bm25 = max((hit.bm25_score or 0.0 for hit in candidates.lexical), default=0.0)
    best_cosine = max((hit.cosine_sim or 0.0 for hit in candidates.dense), default=0.0)
    near = {h.passage.passage_id for h in candidates.lexical if (h.bm25_score or 0.0) >= LIKE_BM25 * best_bm25}
    return near | {h.passage.passage_id for h in candidates.dense if (h.cosine_sim or 0.0) >= LIKE_COSINE * best_cosine}


def _merged(candidates: Candidates, named: Iterable[Hit]) -> dict[str, Hit]:
    """One hit a passage, with the ranks that the two indexes gave it for the question itself."""
    bare = {hit.passage.passage_id: Hit(passage=hit.passage, rank=1, rrf=0.0) for hit in named}
    for hit in candidates.dense:
        bare[hit.passage.passage_id] = hit
    for hit in candidates.lexical:
        other = bare.get(hit.passage.passage_id, hit)
        bare[hit.passage.passage_id] = dataclasses.replace(
            hit, dense_rank=other.dense_rank, cosine_sim=other.cosine_sim
        )
    return bare


def _ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.passage.passage_id for hit in hits]


def _rrf(rankings: Sequence[Sequence[str]], *, k: int) -> dict[str, float]:
    sums: Counter[str] = Counter()
    for ranking in rankings:
        for rank, key in enumerate(ranking, start=1):
            sums[key] += 1 / (k + rank)  # type: ignore[assignment]  # typeshed counts whole numbers only
    return dict(sums)


def _specificity(passage: Passage, view: View) -> int:
    """How many of the view's attributes the passage's version carries."""
    carried = {key: value.casefold() for key, value in passage.attributes.items()}
    return sum(carried.get(key) == value.casefold() for key, value in view.attributes.items())
