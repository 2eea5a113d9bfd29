"""Proof that a claim is a quotation: exact, or after named folds, with nothing left out that would change it."""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.text.folds import DEFAULT_FOLDS, Fold, Folded, find_folded, fold
from pincite.verify import lexicon
from pincite.verify.check_frame import leaves_out_condition
from pincite.verify.check_polarity import negations

if TYPE_CHECKING:
    from pincite.text.folds import Match
    from pincite.verify.analysis import Analysed, Sentence

_FOLDS = DEFAULT_FOLDS | {Fold.MARKDOWN, Fold.CASE}
_EDGE = " \t\r\n.;:,!?。！？।\"'“”‘’«»*_~`()"
_CONTINUES = re.compile(
    r"[.,]?[0-9]|[\s-]?(?:%|percent|per\s?cent|hundred|thousand|million|billion|trillion|k\b|m\b|bn\b)", re.IGNORECASE
)
_EDGE_BEFORE = " \t\r\n\"'“”‘’«»*_~`("
_FIELD_MARKS = ";|:"
_LIST_MARK = re.compile(r"\(?(?:[0-9]{1,3}|[A-Za-z])[.)]|[-*•–]")
_MIN_FRAGMENT_WORDS = 3
_CHANGING = frozenset({"only", "except", "myth", "false", "untrue", "contrary", "neither", "instead", "rather"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Quoted:
    """Where the claim stands in a passage, the range of whole sentences around it, and whether folds were needed."""

    match: Match
    start: int
    end: int


def find_claim(claim: str, passage: Analysed) -> Quoted | None:
    """The claim as a quotation from the passage, or ``None`` when it is none or its sentence says more that matters."""
    wanted = claim.strip(_EDGE)
    if not wanted:
        return None
    start = 0
    for _ in range(_MAX_PLACES):
        match = _find(wanted, passage.text, start)
        if match is None:
            return None
        around = _around(passage, match.start, match.end)
        bounded = _bounded(passage.text, match) and _stands_alone(passage.text, match, around)
        if around and bounded and _complete(wanted, match, around):
            return Quoted(match=match, start=around[0].start, end=around[-1].end)
        start = match.end
    return None


_MAX_PLACES = 4


def is_fragment(claim: str) -> bool:
    """Too short to say anything by itself: one or two words."""
    return len(re.findall(r"[^\W_]+", claim)) < _MIN_FRAGMENT_WORDS


def _find(wanted: str, text: str, start: int) -> Match | None:
    return find_folded(wanted, _folded(text), text, folds=_FOLDS, start=start)


@functools.lru_cache(maxsize=1024)
def _folded(text: str) -> Folded:
    return fold(text, _FOLDS)


def _around(passage: Analysed, start: int, end: int) -> tuple[Sentence, ...]:
    first = max(bisect_right(passage.sentences, start, key=lambda s: s.start) - 1, 0)
    last = bisect_right(passage.sentences, end - 1, key=lambda s: s.start)
    return passage.sentences[first:last]


def _bounded(text: str, match: Match) -> bool:
    """The range ends where words and figures end: "50" is not in "1500", nor "5" in "5 million"."""
    if match.start and text[match.start].isalnum() and text[match.start - 1].isalnum():
        return False
    after = text[match.end : match.end + 1]
    if after and text[match.end - 1].isalnum() and after.isalnum():
        return False
    return not (text[match.end - 1].isdigit() and _CONTINUES.match(text, match.end))


def _stands_alone(text: str, match: Match, around: tuple[Sentence, ...]) -> bool:
    """Whole sentences or whole fields. A part of a sentence may mean the opposite of it ("nobody said that ...")."""
    if not around:
        return False
    before = text[around[0].start : match.start].rstrip(_EDGE_BEFORE)
    after = text[match.end : around[-1].end].lstrip(_EDGE + "[0123456789]")
    return (not before or before[-1] in _FIELD_MARKS or _LIST_MARK.fullmatch(before) is not None) and (
        not after or after[0] in _FIELD_MARKS
    )


def _complete(wanted: str, match: Match, around: tuple[Sentence, ...]) -> bool:
    """Whole sentences, or a part whose rest neither limits, denies, nor merely reports it."""
    rest = [w for s in around for w in s.words if not match.start <= w.start < match.end]
    if not rest:
        return True
    if is_fragment(wanted):
        return False
    if any(w.folded in _CHANGING or w.folded in lexicon.REPORTING or w.folded in lexicon.DENYING for w in rest):
        return False
    if any(not match.start <= mark.start < match.end for s in around for mark in negations(s)):
        return False
    return not leaves_out_condition(around, match.start, match.end)
