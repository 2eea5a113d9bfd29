"""Words of a text with their ranges: case-folded, stemmed, marked as function words, weighted by rarity.

Offsets are those of the text given, whatever case folding does to lengths (``İ`` folds to two code points).
Scripts without spaces (Chinese, Japanese, Thai) give overlapping pairs of characters; Indic words keep their
vowel signs.
"""

from __future__ import annotations

import functools
import json
import re
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from pincite.text.irregular import KEPT, STEMS
from pincite.text.stop_words import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f"
    "\u0951-\u0957\u0962-\u0963\u0981-\u0983\u09bc-\u09d7\u0a01-\u0a51\u0a81-\u0acd\u0b01-\u0bcd"
    "\u0c00-\u0c56\u0c81-\u0cd6\u0d00-\u0d57\u200c\u200d\u00ad"
)
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f\U00020000-\U0002fa1f"
_TOKEN = re.compile(
    rf"(?P<cjk>[{_CJK}]+)"
    r"|(?P<number>[0-9]+(?:[.,\u00a0\u202f'’][0-9]+)*(?![^\W\d_]))"
    rf"|(?P<word>(?:(?![{_CJK}])[^\W_]|[{_MARKS}])+(?:['’](?:(?![{_CJK}])[^\W_]|[{_MARKS}])+)*)"
)
_INVISIBLE = re.compile("[\u200c\u200d\u00ad]")
_VOWEL = re.compile("[aeiouy]")
_DOUBLED = re.compile(r"([bdgmnprt])\1\Z|(?<=[aeiou]l)l\Z")
_LATIN = re.compile(r"[a-z]+\Z")
_MIN_STEM_CHARS = 3
_LONG_CHARS = 5
_PLURAL_OFF = (("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("zes", "z"), ("ies", "y"))
_SUFFIXES = (
    "ization", "isation", "ations", "ation", "ition", "ments", "ment", "ably", "ible", "able", "ance", "ence",
    "ation", "ions", "ion", "ally", "ily", "ly", "ness", "ity", "ize", "ise", "ate", "al", "er", "or", "ee",
)  # fmt: skip
"""Tried in this order; endings that turn a meaning round (-less, -ful, un-, non-) are never taken off."""


class Token(NamedTuple):
    """One word: its range in the text, case-folded form, stem, and whether it is a function word."""

    start: int
    end: int
    folded: str
    stem: str
    is_stop: bool
    is_number: bool


def tokens(text: str) -> list[Token]:
    """Every word and number of ``text`` in order; CJK runs as overlapping pairs of characters."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "word":
            word = _word(match[0], match.start(), match.end())
            if word.folded:  # soft hyphens alone are no word
                found.append(word)
        elif match.lastgroup == "number":
            folded = match[0]
            found.append(Token(match.start(), match.end(), folded, folded, is_stop=False, is_number=True))
        else:
            found.extend(_pairs(match[0], match.start()))
    return found


def content_terms(text: str) -> list[str]:
    """Stems of the words that are not function words, in order, repeats kept."""
    return [token.stem for token in tokens(text) if not token.is_stop]


def casefold_aligned(text: str) -> tuple[str, list[int]]:
    """The case-folded text and, for each of its code points, the index in ``text`` it comes from.

    One more entry at the end holds ``len(text)``, so that ``starts[end]`` always exists.
    """
    folded = text.casefold()
    if len(folded) == len(text) and all(len(char.casefold()) == 1 for char in set(text)):
        return folded, list(range(len(text) + 1))
    starts = [index for index, char in enumerate(text) for _ in char.casefold()]
    starts.append(len(text))
    return "".join(char.casefold() for char in text), starts


@functools.lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A light English stem of a case-folded word; words in other alphabets come back as they are.

    After Porter (1980), cut down: plurals, -ed, -ing, and common derivational endings once. It keeps
    apart what law and insurance keep apart (insurer, insured stay with their verb, but lessor and lessee do not meet).
    """
    if word.endswith(("'s", "’s")):
        word = word[:-2]
    if word in STEMS:
        return STEMS[word]
    if len(word) <= _MIN_STEM_CHARS or word in KEPT or not _LATIN.match(word):
        return word
    word = _singular(word)
    if word in KEPT:
        return word
    word = _verbal(word)
    if word not in KEPT:
        word = _derived(word)
    if len(word) > _MIN_STEM_CHARS and word.endswith("e"):
        word = word[:-1]
    if len(word) > _MIN_STEM_CHARS and word.endswith("y") and word[-2] not in "aeiou":
        word = word[:-1] + "i"
    return word


def coverage(terms: Iterable[str], licensed: frozenset[str] | set[str] | dict[str, int]) -> float:
    """The idf-weighted share of ``terms`` that are in ``licensed``; 0.0 when there are no terms."""
    total = kept = 0.0
    for term in terms:
        weight = idf(term)
        total += weight
        kept += weight * (term in licensed)
    return kept / total if total else 0.0


def idf(term: str) -> float:
    """Rarity of a stem in general English: natural logarithm, 0.5 to about 11; unknown stems are the rarest."""
    table = _idf_table()
    return table.get(term, table[""])


@functools.cache
def _idf_table() -> dict[str, float]:
    raw = resources.files("pincite.text").joinpath("idf.json").read_text(encoding="utf-8")
    levels = json.loads(raw)["levels"]
    table = {term: float(level) for level, terms in levels.items() for term in terms.split(" ")}
    table[""] = float(json.loads(raw)["unknown"])
    return table


def _word(raw: str, start: int, end: int) -> Token:
    folded = raw.casefold()
    if not folded.isascii():
        folded = _INVISIBLE.sub("", folded).replace("’", "'") or folded
    return Token(start, end, folded, stem(folded), folded in FUNCTION_WORDS, is_number=False)


def _pairs(run: str, start: int) -> Iterator[Token]:
    if len(run) == 1:
        yield Token(start, start + 1, run, run, run in FUNCTION_WORDS, is_number=False)
    for index in range(len(run) - 1):
        pair = run[index : index + 2]
        yield Token(start + index, start + index + 2, pair, pair, pair in FUNCTION_WORDS, is_number=False)


def _singular(word: str) -> str:
    for ending, instead in _PLURAL_OFF:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + instead
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _verbal(word: str) -> str:
    for ending in ("ingly", "edly", "ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) >= _MIN_STEM_CHARS - 1 and _VOWEL.search(base):
            if word.endswith("eed"):
                return word
            return _DOUBLED.sub(lambda found: found[0][:1] if found[1] else "", base)
    return word


def _derived(word: str) -> str:
    if word.endswith("ification"):
        return word[: -len("cation")]
    for ending in _SUFFIXES:
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) >= _LONG_CHARS - 1 and _VOWEL.search(base):
            return _DOUBLED.sub(lambda found: found[0][:1] if found[1] else "", base)
    return word
