"""Shorten a long passage to the sentences that a claim is about, and the lexical floor that every model must beat.

The floor is the IDF-weighted share of the claim's stemmed words found in its three best sentences.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")
_BREAK = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])|\n+")
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "in",
        "on",
        "at",
        "by",
        "for",
        "with",
        "from",
        "as",
        "and",
        "or",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "he",
        "she",
        "they",
        "his",
        "her",
        "their",
        "him",
        "them",
        "i",
        "you",
        "we",
        "our",
        "your",
        "my",
        "me",
        "us",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "s",
        "t",
        "which",
        "who",
        "whom",
    ]
)


def stem(word: str) -> str:
    """A light stem: enough to make plural, past and adverb forms meet."""
    for ending in ("ingly", "edly", "ation", "ings", "ing", "ies", "ied", "ed", "es", "ly", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + ("y" if ending in {"ies", "ied"} else "")
    return word


def words(text: str) -> list[str]:
    """Stems of the content words, in order; numbers lose their thousands commas."""
    found = (match.group().lower() for match in _WORD.finditer(text))
    return [stem(w.replace(",", "")) for w in found if w not in _STOP]


def split_sentences(text: str) -> list[str]:
    return [part.strip() for part in _BREAK.split(text) if part and part.strip()]


class Idf:
    """Inverse document frequency over a set of documents; unseen words weigh the most."""

    def __init__(self, documents: Iterable[str]) -> None:
        counts: Counter[str] = Counter()
        self._documents = 0
        for document in documents:
            self._documents += 1
            counts.update(set(words(document)))
        self._counts = counts

    def __call__(self, word: str) -> float:
        """At least a little above 0, even for a word in every document."""
        return math.log((1 + self._documents) / (1 + self._counts[word])) + 1.0


def best_sentences(sentences: Sequence[str], claim: str, idf: Idf, count: int) -> list[int]:
    """Numbers of the sentences that together cover most of the claim, chosen greedily, in document order."""
    left = set(words(claim))
    full = {w: idf(w) for w in left}
    bags = [set(words(sentence)) & left for sentence in sentences]
    chosen: list[int] = []
    for _ in range(min(count, len(sentences))):
        rest = [i for i in range(len(sentences)) if i not in chosen]
        best = max(rest, key=lambda i: (sum(full[w] for w in bags[i] & left), sum(full[w] for w in bags[i]), -i))
        chosen.append(best)
        left = left - bags[best]
    return sorted(chosen)


def coverage(document: str, claim: str, idf: Idf, count: int = 3) -> float:
    """The lexical floor, between 0 and 1; an empty claim or document gives 0."""
    sentences = split_sentences(document)
    wanted = set(words(claim))
    total = sum(idf(w) for w in wanted)
    if not sentences or total == 0:
        return 0.0
    found = set(words(" ".join(sentences[i] for i in best_sentences(sentences, claim, idf, count))))
    return sum(idf(w) for w in wanted & found) / total


def shorten(document: str, claim: str, idf: Idf, max_words: int) -> str:
    """The document itself when short; else its best sentences with the one before each, up to ``max_words``."""
    if len(document.split()) <= max_words:
        return document
    sentences = split_sentences(document)
    kept: set[int] = set()
    size = 0
    for number in _by_worth(sentences, claim, idf):
        for near in (number, number - 1):
            length = len(sentences[near].split()) if near >= 0 else 0
            if near >= 0 and near not in kept and (size + length <= max_words or not kept):
                kept.add(near)
                size += length
    return " ".join(sentences[i] for i in sorted(kept))


def _by_worth(sentences: Sequence[str], claim: str, idf: Idf) -> list[int]:
    first = best_sentences(sentences, claim, idf, 3)
    wanted = {w: idf(w) for w in words(claim)}
    gain = [sum(wanted[w] for w in set(words(s)) & wanted.keys()) for s in sentences]
    first.sort(key=lambda i: -gain[i])
    return first + sorted((i for i in range(len(sentences)) if i not in first), key=lambda i: -gain[i])
