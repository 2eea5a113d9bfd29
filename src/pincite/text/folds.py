"""Finding a quote in a text exactly, or after named folds, with the exact source range. Never by likeness.

Each fold is a list of what it does, character by character; there is no NFKC here, so that x² is never x2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection


class Fold(StrEnum):
    """One named difference between a quote and its source that changes no word."""

    WHITESPACE = "whitespace"
    HYPHENATION = "hyphenation"
    LIGATURES = "ligatures"
    QUOTES = "quotes"
    DASHES = "dashes"
    SOFT_HYPHENS = "soft_hyphens"
    ZERO_WIDTH = "zero_width"
    ELLIPSIS = "ellipsis"
    MARKDOWN = "markdown"
    CASE = "case"


DEFAULT_FOLDS = frozenset(
    {
        Fold.WHITESPACE,
        Fold.HYPHENATION,
        Fold.LIGATURES,
        Fold.QUOTES,
        Fold.DASHES,
        Fold.SOFT_HYPHENS,
        Fold.ZERO_WIDTH,
        Fold.ELLIPSIS,
    }
)
"""What a quote may differ in. MARKDOWN (emphasis signs) and CASE must be asked for."""

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st", "Ĳ": "IJ", "ĳ": "ij"}
_QUOTES = {
    **dict.fromkeys("‘’‚‛′ʼ‹›`´", "'"),
    **dict.fromkeys("“”„‟″«»「」『』〝〞", '"'),
}
_DASHES = dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
_SOFT = dict.fromkeys("\u00ad", "")
_ZERO = dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u200e\u200f", "")
_ELLIPSIS = {"…": "..."}
_MARKDOWN = dict.fromkeys("*_~", "")
_TABLES: dict[Fold, dict[str, str]] = {
    Fold.LIGATURES: _LIGATURES,
    Fold.QUOTES: _QUOTES,
    Fold.DASHES: _DASHES,
    Fold.SOFT_HYPHENS: _SOFT,
    Fold.ZERO_WIDTH: _ZERO,
    Fold.ELLIPSIS: _ELLIPSIS,
    Fold.MARKDOWN: _MARKDOWN,
}
_LINE_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010\u00ac][ \t]{0,4}\r?\n[ \t]{0,16}(?=[^\W\d_])")
_SPACE = " \t\n\r\f\v\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_SPACES = frozenset(_SPACE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """The half-open source range of a quote, and the folds without which it would not match (empty: exact)."""

    start: int
    end: int
    folds_used: frozenset[Fold]


@dataclass(frozen=True, kw_only=True, slots=True)
class Folded:
    """A folded text; ``starts[i]`` and ``ends[i]`` bound the source characters that code point ``i`` comes from."""

    text: str
    starts: list[int]
    ends: list[int]


def find_quote(quote: str, text: str, *, folds: Collection[Fold] = DEFAULT_FOLDS, start: int = 0) -> Match | None:
    """The first place at or after ``start`` where ``text`` says ``quote``; ``None`` when it does not.

    A blank quote is nowhere. Linear in the length of both.
    """
    wanted = quote.strip()
    if not wanted:
        return None
    at = text.find(wanted, start)
    if at >= 0:
        return Match(start=at, end=at + len(wanted), folds_used=frozenset())
    return find_folded(wanted, fold(text, folds), text, folds=folds, start=start)


def find_folded(quote: str, source: Folded, text: str, *, folds: Collection[Fold], start: int = 0) -> Match | None:
    """As ``find_quote``, for a text folded beforehand with the same folds."""
    needle = fold(quote, folds).text.strip()
    if not needle:
        return None
    at = source.text.find(needle)
    while at >= 0 and source.starts[at] < start:
        at = source.text.find(needle, at + 1)
    if at < 0:
        return None
    first, last = source.starts[at], source.ends[at + len(needle) - 1]
    return Match(start=first, end=last, folds_used=_needed(quote, text[first:last], folds))


def fold(text: str, folds: Collection[Fold] = DEFAULT_FOLDS) -> Folded:
    """Apply the folds and keep where every code point comes from. A run of white space becomes one space."""
    table = _table(frozenset(folds))
    joins = {m.start(): m.end() for m in _LINE_HYPHEN.finditer(text)} if Fold.HYPHENATION in folds else {}
    squeeze, case = Fold.WHITESPACE in folds, Fold.CASE in folds
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    index, length = 0, len(text)
    while index < length:
        if index in joins:
            index = joins[index]
            continue
        char = text[index]
        if squeeze and char in _SPACES:
            if out and out[-1] == " ":
                ends[-1] = index + 1
            else:
                out.append(" ")
                starts.append(index)
                ends.append(index + 1)
        else:
            put = table.get(char, char)
            for piece in put.casefold() if case else put:
                out.append(piece)
                starts.append(index)
                ends.append(index + 1)
        index += 1
    return Folded(text="".join(out), starts=starts, ends=ends)


def _table(folds: frozenset[Fold]) -> dict[str, str]:
    return {char: put for name, table in _TABLES.items() if name in folds for char, put in table.items()}


def _needed(quote: str, source: str, folds: Collection[Fold]) -> frozenset[Fold]:
    """Those folds without which the two differ."""
    needed = []
    for name in folds:
        rest = frozenset(folds) - {name}
        if fold(quote, rest).text.strip() != fold(source, rest).text.strip():
            needed.append(name)
    return frozenset(needed)
