"""A form of the answer without markers, for speech and plain text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pincite.types import Cited

_BETWEEN = re.compile(r"[ \t]*(?:[,;&]|\band\b|\bund\b|\bet\b|\by\b)?[ \t]*", re.IGNORECASE)
_OPENING = re.compile(
    r"\([ \t]*(?:(?:see|cf\.|source|sources|ref|refs|siehe|vgl\.|quelle|quellen|voir|véase)[: \t]*)?\Z", re.IGNORECASE
)
_CLOSING = re.compile(r"[ \t]*\)")
_CUE_BEFORE = re.compile(
    r"(?:\A|(?<=\n))[ \t>*_#-]*(?:sources?|references?|quellen?|références?|fuentes?|来源)[ \t*_]*[:：][ \t*_]*\Z",
    re.IGNORECASE,
)
_NOTHING_AFTER = re.compile(r"[ \t*_.]*(?:\r?\n|\Z)")
_LOOK_CHARS = 24


def strip_markers(text: str, cited: Cited) -> str:
    """The answer with every marker that ``cite`` read taken out; everything else stays as it was written.

    ``cited`` must be what ``cite`` made of this very text.
    """
    everywhere = [*(c for claim in cited.claims for c in claim.citations), *cited.stray]
    spans = sorted({Span(start=c.start, end=c.end) for c in everywhere})
    groups = [_whole_line(text, group) for group in joined(text, spans)]
    pieces: list[str] = []
    at = 0
    for group in groups:
        kept = text[at : max(at, group.start)]
        at = max(at, group.end)
        following = text[at : at + 1]
        visible = text[at : at + _LOOK_CHARS].lstrip("*_~")[:1]
        if not _opens_line(text, group.start) and group.start > 0:
            kept = kept if _is_joined_on(visible) else kept.rstrip(" \t")
        elif following == " ":
            at += 1
        pieces.append(kept)
    pieces.append(text[at:])
    return "".join(pieces)


def _whole_line(text: str, group: Span) -> Span:
    """The whole line when it holds only a cue ("Sources:") and markers."""
    cue = _CUE_BEFORE.search(text, max(0, group.start - _LOOK_CHARS), group.start)
    rest = _NOTHING_AFTER.match(text, group.end)
    return Span(start=cue.start(), end=rest.end()) if cue and rest else group


def _opens_line(text: str, at: int) -> bool:
    return text[max(0, at - _LOOK_CHARS) : at].rstrip(" \t").endswith("\n")


def _is_joined_on(following: str) -> bool:
    return following.isalnum() or (following != "" and following in '(["“„«')


def joined(text: str, spans: Sequence[Span]) -> list[Span]:
    """Ranges of neighbouring markers as one, with the brackets and the cue ("see") that hold nothing else."""
    return [_widened(text, span) for span in _neighbours(text, spans)]


def _neighbours(text: str, spans: Iterable[Span]) -> list[Span]:
    found: list[Span] = []
    for span in spans:
        if found and span.start <= found[-1].end:
            found[-1] = Span(start=found[-1].start, end=max(found[-1].end, span.end))
        elif found and _BETWEEN.fullmatch(text, found[-1].end, span.start):
            found[-1] = Span(start=found[-1].start, end=span.end)
        else:
            found.append(span)
    return found


def _widened(text: str, span: Span) -> Span:
    opening = _OPENING.search(text, max(0, span.start - _LOOK_CHARS), span.start)
    closing = _CLOSING.match(text, span.end)
    return Span(start=opening.start(), end=closing.end()) if opening and closing else span
