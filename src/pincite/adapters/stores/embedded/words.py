"""What the word index indexes: the same preparation for passages and for questions.

tantivy splits at everything that is no letter, mark or digit, lowercases, folds accents and stems English. What it
cannot do is done here before: scripts written without spaces become overlapping pairs of characters, thousands
separators go, and identifiers (POL-55012, claim/88431, 4.2) are kept whole beside their parts.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

    from pincite.types import Passage

MAX_QUESTION_CHARS = 20_000
MAX_TOKEN_CHARS = 64
MAX_CODES_PER_PASSAGE = 2_000

_UNSPACED = re.compile(
    "["
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff"  # Hiragana, Katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\uac00-\ud7af"  # Hangul
    "\U00020000-\U0003ffff"  # Han, further planes
    "]+"
)
_THOUSANDS = re.compile(r"(?<=\d)[,\u00a0\u202f\u2009'’](?=\d{3}(?!\d))")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_CODE = re.compile(r"(?<![^\W_])[^\W_]++(?:[-/._:#][^\W_]++)+")  # possessive: linear on any text
_SEPARATOR = re.compile(r"[-/._:#]")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexText:
    """One passage, ready for the three fields of the word index."""

    body: str
    head: str
    codes: str


@dataclass(frozen=True, kw_only=True, slots=True)
class QueryWords:
    """Distinct terms of a question: stems for body and head, whole identifiers for codes."""

    stems: tuple[str, ...]
    codes: tuple[str, ...]


def index_text(passage: Passage) -> IndexText:
    """The passage's text; its title, headings and document id with less weight; identifiers from all of them."""
    head = " ".join((passage.title, *passage.heading_path, passage.document_id))
    codes = (*_codes(head), *_codes(passage.text))
    return IndexText(body=prepare(passage.text), head=prepare(head), codes=" ".join(codes[:MAX_CODES_PER_PASSAGE]))


def query_words(text: str, analyzer: TextAnalyzer) -> QueryWords:
    """Plain words: nothing in a question is query syntax."""
    cut = text[:MAX_QUESTION_CHARS]
    stems = dict.fromkeys(analyzer.analyze(prepare(cut)))
    return QueryWords(stems=tuple(stems), codes=tuple(dict.fromkeys(_codes(cut))))


def prepare(text: str) -> str:
    """Text that tantivy's tokenizer splits as we want it."""
    if text.isascii():
        return _THOUSANDS.sub("", text) if "," in text or "'" in text else text
    clean = _THOUSANDS.sub("", _SURROGATE.sub(" ", _INVISIBLE.sub("", text)))
    return _UNSPACED.sub(_pairs, clean)


def _pairs(run: re.Match[str]) -> str:
    chars = run.group()
    if len(chars) == 1:
        return f" {chars} "
    return f" {' '.join(a + b for a, b in itertools.pairwise(chars))} "


def _codes(text: str) -> list[str]:
    """Identifiers with at least one digit, one spelling each: with letters "POL-55012" is pol55012, "4.2" stays."""
    found = (match.group() for match in _CODE.finditer(text))
    kept = (code.lower() for code in found if len(code) <= MAX_TOKEN_CHARS and _DIGIT.search(code))
    return [_SEPARATOR.sub("", code) if _LETTER.search(code) else code for code in kept]
