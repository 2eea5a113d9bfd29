"""Things that a question names and no passage mentions: reason enough to say nothing.

A question about a multi-policy discount is not answered by text about premiums, nor one about POL-1 by POL-2.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.text.quantities import quantities
from pincite.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.adapters.generators.extractive_units import Unit

_IDENTIFIER = re.compile(
    r"(?<![\w/-])(?=[\w./-]*\d)[A-Za-z][\w.]*(?:[-/][\w.]*\w)+(?![\w/-])|(?<![\w/-])[A-Za-z]{2,10}\d{3,}(?!\w)"
)
_COMPOUND = re.compile(r"(?<![\w-])[^\W\d_]{2,}-[^\W\d_]{2,}(?:-[^\W\d_]{2,})*(?![\w-])")
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,80})[\"”“»]")
_LOOSE = re.compile(
    r"(?:ed|ing|ive|able|ible|like|free|specific|based|term|time|wide|level|scale|old|in|up|out|on|off)$", re.IGNORECASE
)
"""Made up on the spot for one sentence ("ultrasound-scored"): the passages may well put it otherwise."""
WITHIN_WORDS = 3


def missing(question: str, units: Sequence[Unit]) -> str | None:
    """The first identifier, quoted phrase or hyphenated compound of the question that no unit mentions."""
    texts = [f"{unit.passage.document_id} {unit.context()} {unit.text}" for unit in units]
    for match in _IDENTIFIER.finditer(question):
        wanted = match[0].casefold()
        if not any(wanted in text.casefold() for text in texts):
            return match[0]
    bags = [content_terms(text) for text in texts]
    compounds = (m[0] for m in _COMPOUND.finditer(question) if not _LOOSE.search(m[0]) and not quantities(m[0]))
    for phrase in (*(m[1] for m in _QUOTED.finditer(question)), *compounds):
        if _is_missing(phrase, bags):
            return phrase
    return None


def _is_missing(phrase: str, bags: Sequence[Sequence[str]]) -> bool:
    """Whether no unit has its words near each other, in this order or as one word."""
    wanted = content_terms(phrase)
    joined = "".join(wanted)
    if len(wanted) < 2:  # noqa: PLR2004 - a single word is a term like any other
        return False
    return not any(_has(bag, wanted) or joined in bag for bag in bags)


def _has(bag: Sequence[str], wanted: Sequence[str]) -> bool:
    starts = (place for place, term in enumerate(bag) if term == wanted[0])
    return any(_follows(bag, wanted, place) for place in starts)


def _follows(bag: Sequence[str], wanted: Sequence[str], place: int) -> bool:
    for term in wanted[1:]:
        window = bag[place + 1 : place + 1 + WITHIN_WORDS]
        if term not in window:
            return False
        place += 1 + window.index(term)
    return True
