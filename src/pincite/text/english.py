"""Whether a short text is in English: too short for a statistical guess, so by its function words and letters."""

from __future__ import annotations

import re

from pincite.text.stop_words import ENGLISH, OTHER

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LATIN = re.compile(r"[A-Za-z]")
_ONLY_ENGLISH = ENGLISH - OTHER
_NEVER_ENGLISH = OTHER - ENGLISH


def looks_english(text: str) -> bool:
    """True unless something speaks against it: other letters, or more function words of another language.

    Bare keywords without any function word pass as English when they are plain ASCII.
    """
    letters = [char for char in text if char.isalpha()]
    if not letters:
        return True
    if sum(_LATIN.match(char) is not None for char in letters) < len(letters) / 2:
        return False
    words = [match[0].casefold().replace("’", "'") for match in _WORD.finditer(text)]
    english = sum(word in _ONLY_ENGLISH for word in words)
    other = sum(word in _NEVER_ENGLISH for word in words)
    return english > other or (english == other and all(char.isascii() for char in letters))
