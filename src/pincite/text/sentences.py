"""Sentences with exact offsets, by rules that can be read.

Blank lines, list items, headings and table rows are boundaries before any full stop is looked at: on real
documents the blocks decide more than the rules. Every decision looks at a bounded stretch on either side,
so time grows with the length of the text and with nothing else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pincite.text.abbreviations import (
    BEFORE_NUMBER,
    BEFORE_ORDINAL,
    LOWER_OPENERS,
    MAY_END,
    NEVER_END,
    OPENERS,
    ORDINAL_NOUNS,
)
from pincite.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOOK_CHARS = 64
"""How far a decision looks to either side. Longer than any abbreviation or opening word."""
_HARD = "。！？｡︒।॥؟۔։።፧፨။។།‼⁇⁈⁉\u037e"
_HARD_STOP = re.compile(rf"[{_HARD}]")
_STOPS = re.compile(rf"(?:[.!?…．{_HARD}]+(?: \.(?=[ .]|\Z))*)+")
_CLOSERS = re.compile(r"(?:[\"'”“’»›)\]}」』）】》〉*_~]|[ \xa0\u202f]»){1,8}")
_OPENING = " \t\n\r\f\v\xa0\u3000\"'“”‘’«‹»„‚([{（「『【《〈¿¡*_~—–-"
_MARK = r"(?:\[\^?[\w.#:/-]{0,40}[0-9][^\[\]\n]{0,40}\]|【[^】\n]{1,60}】|\(ID: ?[^()\n]{1,40}\)|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,4})"
_MARKS = re.compile(rf"(?P<gap>[ \t\n]{{0,3}}){_MARK}(?:[ \t,;]{{0,2}}{_MARK}){{0,32}}[.。]?(?![A-Za-z0-9_(\[])")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,3}\.)+[^\W\d_]{1,3}", re.UNICODE)
_LIST_NUMBER = re.compile(r"[(\[]?(?:[0-9]{1,2}|[0-9]{1,3}(?:\.[0-9]{1,3})+|[A-Za-z]|[ivxlIVXL]{1,5})[)\]]?")
_ROMAN = re.compile(r"[IVXLC]{1,6}\b")
_SPACED = re.compile(r"\b(?:[^\W\d_]\.\s){1,2}[^\W\d_]\Z")
_ATTRIBUTION = re.compile(r"[ \xa0]{0,2}[—–][ \xa0]?\w")
_LETTER_STOP = re.compile(r"[^\W\d_]\.(?=[\s,;:)])")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_BLANK = re.compile(r"[ \t\xa0\u3000]*")
_BULLET = re.compile(
    r"[-*+•‣◦▪●○■–—·][ \t]|#{1,6}[ \t]|>[ \t]?|\||[0-9]{1,3}[.)][ \t]|\([0-9A-Za-z]{1,3}\)[ \t]|[a-z]\)[ \t]"
)
_FIELD = re.compile(r"[A-Z][^\n:.;,]{0,40}:[ \t]+\S")
"""A line that gives a field ("Plan: Gold"): two such lines are two statements."""
_NUMBERED = re.compile(r"[0-9]{1,3}[.)]")
_SHORT_LINE_CHARS = 60
_SPACED_CHARS = 8
_ROW_LOOK_CHARS = 400
_PLAIN_WORD_CHARS = 4
"""Shorter words before a full stop are often abbreviations."""
_ORDINAL_DIGITS = 2
_CJK = 0x2E80
"""Where the scripts begin that put no space after a full stop."""


def sentences(text: str, *, language: str | None = None) -> list[Span]:
    """Split ``text`` into sentences, in order, trimmed of white space; together they hold all else.

    A citation marker after the full stop ("It is 20 %. [1] Next") stays with the sentence before it,
    unless the words go on in lower case ("[1] states that"). ``language`` (an ISO 639-1 code) only settles German
    ordinals; no rule needs it. Empty or blank text has no sentences.
    """
    return [span for block in _blocks(text) for span in _split(text, block.start, block.end, language)]


# --- blocks ----------------------------------------------------------------------------------------


def _blocks(text: str) -> Iterator[Span]:
    """Stretches that no sentence crosses."""
    start, line_start = 0, 0
    while True:
        newline = text.find("\n", line_start)
        if newline < 0:
            break
        if _ends_block(text, line_start, newline):
            yield Span(start=start, end=newline)
            start = newline + 1
        line_start = newline + 1
    yield Span(start=start, end=len(text))


def _ends_block(text: str, line_start: int, newline: int) -> bool:
    """Whether the line break at ``newline`` ends the block of the line that begins at ``line_start``."""
    following = _skip_blank(text, newline + 1)
    if following >= len(text) or text[following] in "\n\r":
        return True
    first = _skip_blank(text, line_start)
    if _FIELD.match(text, first) and _FIELD.match(text, following):
        return True
    if text[first : first + 1] in {"#", "|"} or _is_row(text, line_start) or _is_row(text, newline + 1):
        return True
    mark = _BULLET.match(text, following)
    if mark is None or _NUMBERED.match(mark[0]) is None:
        return mark is not None
    if text[newline - 1] in ".:;,!?)。：；" or newline - line_start < _SHORT_LINE_CHARS:
        return True
    return _BULLET.match(text, first) is not None


def _skip_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _is_row(text: str, start: int) -> bool:
    """A table row: a tab between words, or cells between bars."""
    line = text[start : start + _ROW_LOOK_CHARS].partition("\n")[0].strip()
    return "\t" in line or line.count(" | ") > 1


# --- sentences of one block ------------------------------------------------------------------------


class _Stop(NamedTuple):
    """A run of stops that may end the sentence that began at ``sentence_start``.

    ``after`` is past the closing quotes and brackets, ``end`` the end of the block.
    """

    text: str
    sentence_start: int
    start: int
    end_of_marks: int
    after: int
    end: int
    language: str | None


def _split(text: str, start: int, end: int, language: str | None) -> list[Span]:
    found: list[Span] = []
    at = start
    for cut in _cuts(text, start, end, language):
        _keep(found, text, at, cut)
        at = cut
    _keep(found, text, at, end)
    return found


def _keep(found: list[Span], text: str, start: int, end: int) -> None:
    """Add the trimmed range; a range without a letter or digit joins the sentence before it."""
    piece = text[start:end]
    body = piece.strip()
    if not body:
        return
    start += len(piece) - len(piece.lstrip())
    end = start + len(body)
    if found and _WORD.search(body) is None:
        found[-1] = Span(start=found[-1].start, end=end)
    else:
        found.append(Span(start=start, end=end))


def _cuts(text: str, start: int, end: int, language: str | None) -> Iterator[int]:
    """The places at which one sentence of the block ends."""
    sentence_start = start
    for found in _STOPS.finditer(text, start, end):
        if found.start() < sentence_start:
            continue
        after = _skip_closers(text, found.end(), end)
        if _ends(_Stop(text, sentence_start, found.start(), found.end(), after, end, language)):
            sentence_start = _take_markers(text, after, end)
            yield sentence_start


def _skip_closers(text: str, at: int, end: int) -> int:
    closers = _CLOSERS.match(text, at, end)
    return closers.end() if closers else at


def _take_markers(text: str, at: int, end: int) -> int:
    """The end of the citation markers that follow a full stop and belong to the sentence before it."""
    found = _MARKS.match(text, at, end)
    if found is None:
        return at
    upcoming = _next_visible(text, found.end(), end)
    if found["gap"] and text[upcoming : upcoming + 1].islower():
        return at
    return found.end()


def _next_visible(text: str, at: int, end: int) -> int:
    limit = min(end, at + _LOOK_CHARS)
    while at < limit and text[at] in _OPENING:
        at += 1
    return at


def _ends(stop: _Stop) -> bool:
    """Whether a sentence ends with this run of stops."""
    marks = stop.text[stop.start : stop.end_of_marks]
    if stop.after >= stop.end or _HARD_STOP.search(marks):
        return True
    if not _gap_follows(stop) or _goes_on_behind_quote(stop):
        return False
    at = _upcoming(stop)
    return at >= stop.end or _ends_before(stop, marks, at)


def _upcoming(stop: _Stop) -> int:
    """The next letter, digit or sign behind the markers, or the marker itself when it opens the next sentence."""
    markers = _MARKS.match(stop.text, stop.after, stop.end)
    if markers is None:
        return _next_visible(stop.text, stop.after, stop.end)
    at = _next_visible(stop.text, markers.end(), stop.end)
    return markers.end("gap") if markers["gap"] and stop.text[at : at + 1].islower() else at


def _goes_on_behind_quote(stop: _Stop) -> bool:
    """Whether the sentence around a quotation goes on ("It is closed." and open), or names its source."""
    closers = stop.text[stop.end_of_marks : stop.after]
    if not closers.strip("*_~"):
        return False
    markers = _MARKS.match(stop.text, stop.after, stop.end)
    behind = markers.end() if markers else stop.after
    at = _next_visible(stop.text, behind, stop.end)
    return stop.text[at : at + 1].islower() or _ATTRIBUTION.match(stop.text, behind) is not None


def _gap_follows(stop: _Stop) -> bool:
    """White space, a marker or a script without spaces follows; a letter, digit or sign does not."""
    upcoming = stop.text[stop.after]
    if upcoming.isspace() or _MARKS.match(stop.text, stop.after) is not None:
        return True
    if upcoming.isalnum():
        return ord(upcoming) >= _CJK or (stop.after > stop.end_of_marks and upcoming.isupper())
    return upcoming in '—–"“«„([（「'


def _ends_before(stop: _Stop, marks: str, at: int) -> bool:
    """Whether a sentence ends, given the next letter, digit or sign at ``at``."""
    upcoming = stop.text[at]
    if marks in {".", "．"}:
        return _full_stop_ends(stop, at)
    if not marks.strip(".…． "):
        return not _is_elision(stop) and not (upcoming.islower() or upcoming.isdigit() or upcoming in ",;:")
    closed = stop.after > stop.end_of_marks
    return not upcoming.islower() or (not closed and ("?" in marks or _word_at(stop.text, at) in LOWER_OPENERS))


def _is_elision(stop: _Stop) -> bool:
    """Whether the dots stand alone in brackets: "[...]"."""
    return stop.text[stop.start - 1 : stop.start] in {"[", "("} and stop.text[stop.end_of_marks] in "])"


def _full_stop_ends(stop: _Stop, at: int) -> bool:
    """One full stop: the word before it and the word at ``at`` decide."""
    before = _word_before(stop)
    lower = before.lower()
    upcoming = stop.text[at]
    if _is_never_an_end(stop, before, at):
        return False
    word = _word_at(stop.text, at)
    opens = word in OPENERS
    if upcoming.islower():
        return _ends_before_lower_case(stop.text, at, lower, opens=word in LOWER_OPENERS)
    if (lower in MAY_END and not _is_acronym(before)) or _DOTTED.fullmatch(before) or _is_initial(stop, before):
        return opens or not (upcoming.isalnum() or upcoming in "&,;:[【(§")
    return upcoming not in ",;:"


def _is_never_an_end(stop: _Stop, before: str, at: int) -> bool:
    """A list number, "e.g.", "Sec. 4", a German ordinal."""
    lower = before.lower()
    if (
        (lower in NEVER_END and not _is_acronym(before))
        or _is_list_number(stop, before)
        or _is_spaced(stop, before, at)
    ):
        return True
    upcoming = stop.text[at]
    if lower in BEFORE_NUMBER and (upcoming.isdigit() or upcoming in "§#" or _ROMAN.match(stop.text, at)):
        return True
    return before.isdigit() and _is_ordinal(stop, before, _word_at(stop.text, at))


def _word_at(text: str, at: int) -> str:
    found = _WORD.match(text, at, at + _LOOK_CHARS)
    return found[0].lower() if found else ""


def _word_before(stop: _Stop) -> str:
    """What stands before the full stop, back to white space or an opening bracket."""
    window = stop.text[max(stop.sentence_start, stop.start - _LOOK_CHARS) : stop.start]
    parts = window.split()
    if not parts or window[-1:].isspace():
        return ""
    return re.split(r"['’](?=\w)", parts[-1])[-1].lstrip("\"'“‘«„([{（*_~¿¡—–-/")


def _is_list_number(stop: _Stop, before: str) -> bool:
    """The number of a list item or section: all that its sentence holds so far."""
    if stop.start - stop.sentence_start > _LOOK_CHARS or not _LIST_NUMBER.fullmatch(before):
        return False
    ahead = stop.text[stop.sentence_start : stop.start].strip().removesuffix(before).strip("([*_ ")
    return not ahead or ahead.removesuffix(".").lower() in BEFORE_NUMBER


def _is_spaced(stop: _Stop, before: str, at: int) -> bool:
    """A part of "z. B." or "i. d. R.": letters with a full stop and a space each."""
    if len(before) > 1 or not before.isalpha():
        return False
    if _LETTER_STOP.match(stop.text, at):
        return True
    spaced = _SPACED.search(stop.text, max(stop.sentence_start, stop.start - _SPACED_CHARS), stop.start)
    return spaced is not None and re.sub(r"\s", "", spaced[0]).lower() in NEVER_END


def _is_acronym(before: str) -> bool:
    """Whether the word is the department and not the German for Mr."""
    return before == "HR"


def _is_initial(stop: _Stop, before: str) -> bool:
    """A single letter; "I" only behind a name."""
    if before == "I":
        return stop.text[max(stop.sentence_start, stop.start - _LOOK_CHARS) : stop.start].split()[-2:][0][:1].isupper()
    return len(before) == 1 and before.isalpha() and not before.islower()


def _ends_before_lower_case(text: str, at: int, before: str, *, opens: bool) -> bool:
    """A full stop before lower case ends a sentence only between plain words, or before "iPhone"."""
    if text[at + 1 : at + 2].isupper():
        return True
    plain = (len(before) >= _PLAIN_WORD_CHARS and before.isalpha()) or before[-1:].isdigit() or before[-1:] == "%"
    return opens and plain and before not in MAY_END and before not in BEFORE_NUMBER


def _is_ordinal(stop: _Stop, number: str, word: str) -> bool:
    """German "3." before "Mai", or after "am" before a noun."""
    if len(number) > _ORDINAL_DIGITS or word in OPENERS:
        return False
    if word in ORDINAL_NOUNS:
        return True
    start = stop.start - len(number)
    before = stop.text[max(stop.sentence_start, start - _LOOK_CHARS) : start].split()
    german = stop.language == "de" or (bool(before) and before[-1].lower() in BEFORE_ORDINAL)
    return bool(before) and german and word.isalpha()
