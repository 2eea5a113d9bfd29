"""The word index: BM25 by tantivy over passages, filtered by what a view sees.

A filter costs tantivy its early stopping, so a wide view is searched without one and what it may not see is dropped
from a longer list; a narrow view is searched through its classes or its versions. Either way only rows of the sight
come back, and the list is lengthened until it holds ``limit`` of them or all there are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pincite.adapters.stores.embedded.faults import from_tantivy, reading_words
from pincite.adapters.stores.embedded.words import MAX_TOKEN_CHARS, index_text, query_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import tantivy
    from numpy.typing import NDArray
    from tantivy import Index, Query, Schema, Searcher, TextAnalyzer

    from pincite.adapters.stores.embedded.catalogue import Sight
    from pincite.adapters.stores.embedded.words import QueryWords
    from pincite.types import Passage

# chosen in benchmarks/speed/store_choices.py
WIDE_SHARE = 0.25
CLASS_SHARE = 0.2
MAX_TERMS = 48
HEAD_BOOST = 0.5
CODE_BOOST = 2.0

_HEAP_BYTES = 64_000_000
_GROWTH = 4
_WORDS = "pincite-words"
_CODES = "pincite-codes"


@dataclass(frozen=True, kw_only=True, slots=True)
class Indexed:
    """One passage on its way into the word index."""

    row: int
    seq: int
    class_id: int
    stamp: int
    passage: Passage


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """A row with what its index says of it: BM25 or cosine."""

    row: int
    value: float


@dataclass(frozen=True, kw_only=True, slots=True)
class _Plan:
    """A filter (or none) and the share of what passes it that the view sees."""

    filter: Query | None
    share: float


class LexicalIndex:
    """One tantivy index in a folder of its own."""

    def __init__(self, folder: Path, index: Index) -> None:
        self._folder = folder
        self._index = index
        self._analyzer, codes = _analyzers()
        index.register_tokenizer(_WORDS, self._analyzer)
        index.register_tokenizer(_CODES, codes)

    @classmethod
    def create(cls, folder: Path) -> LexicalIndex:
        """An empty index in a new folder."""
        import tantivy

        folder.mkdir(parents=True)
        try:
            return cls(folder, tantivy.Index(_schema(), path=str(folder)))
        except ValueError as exc:
            raise from_tantivy(exc, folder) from exc

    @classmethod
    def open(cls, folder: Path) -> LexicalIndex:
        """An existing index.

        Raises:
            IndexDamagedError: it is not there or cannot be read.
        """
        import tantivy

        with reading_words():
            return cls(folder, tantivy.Index.open(str(folder)))

    def reader(self) -> LexicalReader:
        """What the last commit holds, unchanged by later ones."""
        with reading_words():
            self._index.reload()
            return LexicalReader(self._index.schema, self._index.searcher(), self._analyzer)

    def append(self, batch: Iterable[Indexed], *, from_row: int) -> None:
        """Commit passages in place of everything from ``from_row`` on; durable when it returns.

        Rows from there on can only be what a writer left that died before its transaction ended.

        Raises:
            StoreError: and its kinds; what was committed before is untouched.
        """
        try:
            self._append(batch, from_row=from_row)
        except ValueError as exc:
            raise from_tantivy(exc, self._folder) from exc

    def _append(self, batch: Iterable[Indexed], *, from_row: int) -> None:
        import tantivy

        writer = self._index.writer(heap_size=_HEAP_BYTES, num_threads=1)
        if self.reader().row_count > from_row:
            leftover = tantivy.Query.range_query(
                self._index.schema, "row", tantivy.FieldType.Unsigned, lower_bound=from_row
            )
            writer.delete_documents_by_query(leftover)
        for item in batch:
            writer.add_document(_document(item))
        writer.commit()
        writer.wait_merging_threads()  # a generation's segments, and so its order of ties, stay as they are


class LexicalReader:
    """One commit of the word index. Safe for many threads."""

    def __init__(self, schema: Schema, searcher: Searcher, analyzer: TextAnalyzer) -> None:
        self._schema = schema
        self._searcher = searcher
        self._analyzer = analyzer

    @property
    def row_count(self) -> int:
        """Passages in this commit."""
        return int(self._searcher.num_docs)

    def carries(self, stamp: int, count: int) -> bool:
        """Whether ``count`` passages of the put with this stamp are in."""
        with reading_words():
            return count == 0 or self._searcher.doc_freq("stamp", stamp) >= count

    def rows(self) -> NDArray[np.int64]:
        """Every row that is in, sorted; for the integrity check."""
        import tantivy

        if not self.row_count:
            return np.zeros(0, dtype=np.int64)
        with reading_words():
            hits = self._searcher.search(tantivy.Query.all_query(), limit=self.row_count, count=False).hits
            return np.sort(np.array(self._row_numbers([address for _, address in hits]), dtype=np.int64))

    def search(self, text: str, sight: Sight, *, limit: int) -> list[Scored]:
        """The best rows of the sight by BM25, best first; equal ones in library order.

        Raises:
            IndexDamagedError: the files do not hold what they should.
        """
        if sight.row_count == 0 or limit < 1:
            return []
        words = query_words(text, self._analyzer)
        with reading_words():
            query = self._words_query(words)
            return [] if query is None else self._filtered(query, sight, limit)

    def _filtered(self, query: Query, sight: Sight, limit: int) -> list[Scored]:
        for plan in self._plans(sight):
            wanted = math.ceil(limit / plan.share) + limit
            asked = query if plan.filter is None else _both(plan.filter, query)
            kept, exhausted = self._top(asked, sight, wanted)
            while plan.filter is not None and len(kept) < limit and not exhausted:
                wanted *= _GROWTH
                kept, exhausted = self._top(asked, sight, wanted)
            if len(kept) >= limit or exhausted:
                break
        kept.sort(key=lambda hit: (-hit.value, hit.row))
        return kept[:limit]

    def _plans(self, sight: Sight) -> Iterator[_Plan]:
        """Without a filter where the view is wide; with one where it is narrow or the first did not suffice."""
        share = sight.row_count / max(self.row_count, sight.row_count)
        if share >= WIDE_SHARE:
            yield _Plan(filter=None, share=share)
        class_share = sight.row_count / sight.class_row_count
        if class_share >= CLASS_SHARE:
            yield _Plan(filter=self._any_of("class", sight.classes), share=class_share)
        else:
            yield _Plan(filter=self._any_of("version", np.flatnonzero(sight.versions)), share=1.0)

    def _any_of(self, field: str, values: NDArray[np.int64]) -> Query:
        from tantivy import Query

        return Query.const_score_query(Query.term_set_query(self._schema, field, values.tolist()), 0.0)

    def _top(self, query: Query, sight: Sight, wanted: int) -> tuple[list[Scored], bool]:
        """What the sight sees of the best ``wanted``, and whether there were no more than those."""
        hits = self._searcher.search(query, limit=wanted, count=False).hits
        rows = self._row_numbers([address for _, address in hits])
        visible, size = sight.rows, len(sight.rows)
        pairs = zip(hits, rows, strict=True)
        kept = [Scored(row=row, value=hit[0]) for hit, row in pairs if row < size and visible[row]]
        return kept, len(hits) < wanted

    def _row_numbers(self, addresses: list[tantivy.DocAddress]) -> list[int]:
        return [int(row) for row in self._searcher.fast_field_values("row", addresses) if row is not None]

    def _words_query(self, words: QueryWords) -> Query | None:
        """One flat disjunction of terms, the rarest when there are too many; None when no term is in the index."""
        weighted = [("body", term, 1.0) for term in words.stems]
        weighted += [("head", term, HEAD_BOOST) for term in words.stems]
        weighted += [("codes", term, CODE_BOOST) for term in words.codes]
        counted = [(self._searcher.doc_freq(field, term), field, term, boost) for field, term, boost in weighted]
        kept = sorted(item for item in counted if item[0] > 0)[:MAX_TERMS]
        if not kept:
            return None
        from tantivy import Occur, Query

        return Query.boolean_query([(Occur.Should, self._term(field, term, boost)) for _, field, term, boost in kept])

    def _term(self, field: str, term: str, boost: float) -> Query:
        from tantivy import Query

        plain = Query.term_query(self._schema, field, term, index_option="freq")
        return plain if boost == 1.0 else Query.boost_query(plain, boost)


def _both(filter_: Query, query: Query) -> Query:
    from tantivy import Occur, Query

    return Query.boolean_query([(Occur.Must, filter_), (Occur.Must, query)])


def _schema() -> Schema:
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_text_field("body", tokenizer_name=_WORDS, index_option="freq")
    builder.add_text_field("head", tokenizer_name=_WORDS, index_option="freq")
    builder.add_text_field("codes", tokenizer_name=_CODES, index_option="freq")
    builder.add_unsigned_field("row", indexed=True, fast=True)
    builder.add_unsigned_field("version", indexed=True)
    builder.add_unsigned_field("class", indexed=True)
    builder.add_unsigned_field("stamp", indexed=True)
    return builder.build()


def _document(item: Indexed) -> tantivy.Document:
    from tantivy import Document

    text = index_text(item.passage)
    document = Document()
    document.add_text("body", text.body)
    document.add_text("head", text.head)
    document.add_text("codes", text.codes)
    document.add_unsigned("row", item.row)
    document.add_unsigned("version", item.seq)
    document.add_unsigned("class", item.class_id)
    document.add_unsigned("stamp", item.stamp)
    return document


def _analyzers() -> tuple[TextAnalyzer, TextAnalyzer]:
    """For words, and for identifiers that are already in their one spelling."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    words = (
        TextAnalyzerBuilder(Tokenizer.regex(r"[\p{L}\p{M}\p{N}]+"))
        .filter(Filter.remove_long(MAX_TOKEN_CHARS))
        .filter(Filter.lowercase())
        .filter(Filter.ascii_fold())
        .filter(Filter.stemmer("english"))
        .build()
    )
    codes = TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.remove_long(4 * MAX_TOKEN_CHARS)).build()
    return words, codes
