"""Text of fonts that were embedded without a character map, where the codes are glyph numbers.

Most TrueType fonts keep the Macintosh glyph order: number 3 is the space, 4 the exclamation mark, and so on
through ASCII, then the upper half of Mac Roman (fonts made for Windows leave out its no-break space). Whether
a page is such a one shows in the result: it must be full of the commonest words of a language.
"""

from __future__ import annotations

import re

_FIRST_ASCII, _LAST_ASCII = 3, 97
_ASCII_SHIFT = 29
_FIRST_UPPER, _LAST_UPPER = 98, 224
_NO_BREAK_SPACE = 172
_WORD = re.compile(r"[^\W\d_]+")
_COMMON_BY_LANGUAGE = (
    "the of and to in is that for with be by or as are on",
    "der die und in den von zu das mit ist des im für nicht",
    "le la les de des et en un une du que est pour dans",
    "el los las y que en del por con una para se",
    "il di che e per della non con i",
)
_COMMON = frozenset(word for words in _COMMON_BY_LANGUAGE for word in words.split())
_MIN_WORDS = 20
_MIN_COMMON_SHARE = 0.2


def from_glyph_id(number: int) -> str:
    """The character of a glyph number in the usual order; "" where there is no usual one."""
    if _FIRST_ASCII <= number <= _LAST_ASCII:
        return chr(number + _ASCII_SHIFT)
    if _FIRST_UPPER <= number <= _LAST_UPPER:
        code = 0x80 + number - _FIRST_UPPER + (number >= _NO_BREAK_SPACE)
        return bytes([code]).decode("mac_roman")
    return ""


def is_language(text: str) -> bool:
    """Whether a text is full of common words, which a wrong order of glyphs cannot bring about by chance."""
    words = [word.casefold() for word in _WORD.findall(text)]
    return len(words) >= _MIN_WORDS and sum(word in _COMMON for word in words) >= _MIN_COMMON_SHARE * len(words)
