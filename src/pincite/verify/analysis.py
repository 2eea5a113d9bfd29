"""What the checks need to know of a text, worked out once: sentences, words, quantities, negations, headings.

Everything is by sentence. Analyses are cached by text, bounded; the cache changes speed and nothing else.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from pincite.text.list_items import sentences_between
from pincite.text.quantities import Quantity, quantities
from pincite.text.stop_words import ENGLISH, OTHER
from pincite.text.words import Token, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.types import Passage

_MARKUP = re.compile(r"\*\*|__|(?<!\w)[*_~`]|[*_~`](?!\w)")
_CACHED_TEXTS = 2048
_CACHED_CLAIMS = 1024
_MAX_SENTENCE_WORDS = 160
_FOREIGN = OTHER - ENGLISH
_MIN_LATIN_SHARE = 0.7
_MIN_FOREIGN_SHARE = 0.08
"""Fewer foreign function words than this are names ("de la Cruz"), not a language."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Sentence:
    """One sentence (or table row, or list item) of a text. Ranges are those of the whole text.

    ``values()`` are read when first needed, and count from the start of the sentence. Compared by identity,
    which makes it a cheap key for what the checks remember of it.
    """

    start: int
    end: int
    text: str
    words: tuple[Token, ...]
    terms: frozenset[str]

    def values(self) -> tuple[Quantity, ...]:
        """The quantities of the sentence; their ranges start at 0 with the sentence."""
        return _values_of(self.text)

    def value_terms(self) -> frozenset[str]:
        """Stems that are part of a quantity: what they say is for the value checks, not for the overlap of words."""
        return _value_terms(self)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Analysed:
    """A text with its sentences, the sentences that each content stem stands in, and all its content stems."""

    text: str
    sentences: tuple[Sentence, ...]
    places: dict[str, tuple[int, ...]]
    english: bool

    @property
    def terms(self) -> frozenset[str]:
        """Content stems of the whole text."""
        return frozenset(self.places)


@functools.lru_cache(maxsize=_CACHED_TEXTS)
def analyse(text: str, cuts: tuple[int, ...] = ()) -> Analysed:
    """Analyse a passage. Linear in its length. No sentence crosses a cut: the edges of list items."""
    plain = _without_markup(text)
    words = tokens(plain)
    spans = [piece for span in sentences_between(text, cuts) for piece in _pieces(text, span.start, span.end, words)]
    return _assemble(text, spans, words, plain=plain)


@functools.lru_cache(maxsize=_CACHED_CLAIMS)
def analyse_claim(text: str) -> Analysed:
    """Analyse a claim: as one sentence, markup blanked so that ranges stay."""
    plain = _without_markup(text)
    words = tokens(plain)
    return _assemble(plain, [(0, len(plain))], words, plain=plain)


def _without_markup(text: str) -> str:
    """Emphasis and code marks blanked, so that every range stays: "**2** g" is two grams."""
    return _MARKUP.sub(lambda found: " " * len(found[0]), text)


def context_terms(passage: Passage) -> frozenset[str]:
    """Stems of the title, the headings and the column headers that govern a passage."""
    parts = (passage.title, *passage.heading_path, *(cell.header or "" for cell in passage.cells))
    return _terms_of("\n".join(dict.fromkeys(parts)))


def is_english(words: Sequence[Token]) -> bool:
    """Whether the words look English: Latin letters, and no more function words of other languages than of English."""
    letters = [word for word in words if not word.is_number]
    if not letters:
        return True
    latin = sum(word.folded.isascii() for word in letters)
    if latin < _MIN_LATIN_SHARE * len(letters):
        return False
    english = sum(word.folded in ENGLISH for word in letters)
    foreign = sum(word.folded in _FOREIGN for word in letters)
    return foreign <= english or foreign < _MIN_FOREIGN_SHARE * len(letters)


@functools.lru_cache(maxsize=_CACHED_TEXTS)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in tokens(text) if not word.is_stop)


def _pieces(text: str, start: int, end: int, words: Sequence[Token]) -> list[tuple[int, int]]:
    """A sentence, or parts of one that is too long to be one (text without stops)."""
    first = bisect_right(words, start, key=lambda word: word.start - 1)
    last = bisect_right(words, end - 1, key=lambda word: word.start)
    if last - first <= _MAX_SENTENCE_WORDS:
        return [(start, end)]
    cuts = [words[index].start for index in range(first + _MAX_SENTENCE_WORDS, last, _MAX_SENTENCE_WORDS)]
    edges = [start, *cuts, end]
    return [(a, a + len(text[a:b].rstrip())) for a, b in pairwise(edges)]


def _assemble(text: str, spans: Sequence[tuple[int, int]], words: Sequence[Token], *, plain: str) -> Analysed:
    built: list[Sentence] = []
    places: dict[str, list[int]] = {}
    word_at = 0
    for index, (start, end) in enumerate(spans):
        word_from = word_at
        while word_at < len(words) and words[word_at].start < end:
            word_at += 1
        mine = tuple(words[word_from:word_at])
        terms = frozenset(word.stem for word in mine if not word.is_stop)
        for term in terms:
            places.setdefault(term, []).append(index)
        # a line that was only wrapped is one line to every rule that looks at the words between
        line = plain[start:end].replace("\n", " ").replace("\t", " ")
        built.append(Sentence(start=start, end=end, text=line, words=mine, terms=terms))
    return Analysed(
        text=text,
        sentences=tuple(built),
        places={term: tuple(where) for term, where in places.items()},
        english=is_english(words),
    )


@functools.lru_cache(maxsize=_CACHED_TEXTS)
def _values_of(text: str) -> tuple[Quantity, ...]:
    return tuple(quantities(text))


@functools.lru_cache(maxsize=_CACHED_TEXTS)
def _value_terms(sentence: Sentence) -> frozenset[str]:
    spans = [(sentence.start + v.start, sentence.start + v.end) for v in sentence.values()]
    return frozenset(w.stem for w in sentence.words if any(a <= w.start < b for a, b in spans))
