"""A set's passages in memory behind the reading half of Store: exact BM25 and exact cosine.

For experiments that must take passages away (the gold ones) between two questions, which no real store should
allow. benchmarks/quality/retrieval.py measures the shipped store.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from pincite.protocols import Candidates
from pincite.text.words import content_terms
from pincite.types import Hit

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from qa_sets import QaSet

    from pincite.types import Passage, View

K1, B = 1.2, 0.75


@dataclass(kw_only=True)
class Pool:
    """``hidden`` passage ids are left out of every answer; set it before each question."""

    passages: tuple[Passage, ...]
    vectors: NDArray[np.float32]
    hidden: frozenset[str] = frozenset()
    _postings: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self._index = {p.passage_id: i for i, p in enumerate(self.passages)}
        self._lengths = np.zeros(len(self.passages))
        for i, passage in enumerate(self.passages):
            counts = Counter(content_terms("\n".join((passage.title, *passage.heading_path, passage.text))))
            self._lengths[i] = sum(counts.values())
            for term, count in counts.items():
                self._postings[term].append((i, count))

    def search(  # noqa: D102
        self, text: str, vector: NDArray[np.float32] | None, view: View, *, limit: int
    ) -> Candidates:
        visible = self._visible(view)
        lexical = self._top(np.where(visible, self._bm25(text), 0.0), limit)
        cosines = np.full(len(self.passages), -1.0) if vector is None else self.vectors @ vector
        dense = self._top(np.where(visible, cosines, -1.0), limit) if vector is not None else []
        return Candidates(
            lexical=tuple(
                Hit(passage=self.passages[i], rank=r, rrf=0.0, bm25_rank=r, bm25_score=s)
                for r, (i, s) in enumerate(lexical, start=1)
            ),
            dense=tuple(
                Hit(passage=self.passages[i], rank=r, rrf=0.0, dense_rank=r, cosine_sim=s)
                for r, (i, s) in enumerate(dense, start=1)
            ),
            generation=1,
        )

    def attribute_values(self, view: View) -> dict[str, frozenset[str]]:  # noqa: ARG002, D102
        return {}

    def generation(self) -> int:  # noqa: D102
        return 1

    def _visible(self, view: View) -> NDArray[np.bool_]:
        site = view.attributes.get("site")
        keep = [p.passage_id not in self.hidden and site in (None, p.document_id) for p in self.passages]
        return np.asarray(keep)

    def _bm25(self, text: str) -> NDArray[np.float64]:
        sums = np.zeros(len(self.passages))
        norm = K1 * (1 - B + B * self._lengths / max(1.0, self._lengths.mean()))
        for term in set(content_terms(text)):
            posting = self._postings.get(term, [])
            weight = math.log(1 + (len(self.passages) - len(posting) + 0.5) / (len(posting) + 0.5))
            for i, count in posting:
                sums[i] += weight * count * (K1 + 1) / (count + norm[i])
        return sums

    @staticmethod
    def _top(values: NDArray[np.float64], limit: int) -> list[tuple[int, float]]:
        order = np.argsort(-values, kind="stable")[:limit]
        return [(int(i), float(values[i])) for i in order if values[i] > 0.0]


def pool_of(qa: QaSet, embedder: object) -> Pool:
    """Every passage of the set."""
    passages = tuple(qa.passages().values())
    vectors = embedder.embed_passages([p.text for p in passages])  # type: ignore[attr-defined]
    return Pool(passages=passages, vectors=vectors)
