"""The day that a question asks for: "what was the fee in 2021?" looks from 2021, "when does the 2021 notice end?" not.

Conservative: a date moves the point of view only behind words that say so ("as of", "in force on", "under the 2021
terms") or in a question whose main verb is past ("what was ... in 2021?") and whose date belongs to that verb, not to
something in the question ("contracts signed in 2021"). Measured on benchmarks/quality/cases/asked_dates.jsonl.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from pincite.text.dates import PartialDate, find_dates

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {name: n for n, name in enumerate(_WORDS, start=1)}
_AGO = re.compile(
    rf"\b(?:(?P<count>\d{{1,3}}|an?|{'|'.join(_NUMBERS)})\s(?P<unit>year|month|week|day)s?\sago"
    r"|(?P<rel>last|next)\s(?P<rel_unit>year|month|week)|(?P<yesterday>yesterday))\b",
    re.IGNORECASE,
)
_TEXTS = r"(?:version|policy|polic\w+|rules?|terms|edition|texts?|handbook|agreement|sla|tariff|wording|conditions)"
_NAMED_VERSION = re.compile(
    rf"\b(?P<cue>under|per|according\sto|by)\sthe\s(?P<year>(?:19|20)\d\d)\s(?:[\w-]+\s){{0,2}}{_TEXTS}\b"
    r"|\bthe\s(?P<of_year>(?:19|20)\d\d)\s(?:version|edition)\b",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"(?:\b(?P<cut>as\s(?:of|at)|back\sin)|\b(?:in\sforce|valid|applicable|effective|in\seffect)\s(?P<only>on|in|during|at))\s\Z",
    re.IGNORECASE,
)
_WEAK = re.compile(r"\b(?:in|on|during|throughout|at\sthe\s(?:start|end|beginning)\sof)\s(?:the\s)?\Z", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:before|prior\sto)\s\Z", re.IGNORECASE)
_SPANNING = re.compile(r"\bbetween\s.*\sand\s|\bfrom\s.*\s(?:to|until)\s", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"\b(?P<past>was|were|did|had|could)\b|\b(?P<future>will|shall|going\sto)\b"
    r"|\b(?P<present>is|are|am|do|does|can|may|must|has|have|should)\b",
    re.IGNORECASE,
)
_PAST_VERB = re.compile(
    r"(?:which|what|who|whose|how\s(?:many|much))\s(?:[\w'’-]+\s){0,4}"
    r"(?P<past>needed|required|applied|covered|included|counted|governed|allowed|got|cost|had)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\b(?:if|that|who|whose|whom|when|because|while|since|after(?!\s\d)|for\swhich)\b", re.IGNORECASE)
_EVENT = re.compile(
    r"\b(?:signed|hired|bought|purchased|sold|made|founded|launched|published|issued|filed|reported|born|built"
    r"|introduced|happen(?:ed)?|occur(?:red)?|chang(?:e|ed|es)|amend(?:ed)?|ended|ends?|started|starts?|begins?|began"
    r"|joined|opened|closed|created|ordered|booked|submitted|acquired|announced|adopted|released|incurred|invoiced"
    r"|sent|received|elected|won|due|dated|placed|concluded|revised|updated)\b[\s\w]{0,12}\Z",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"\b(?:revenues?|sales|turnover|profits?|income|headcount|spending|earnings|incidents?|accidents?|results?"
    r"|growth|population|outages?|claims\spaid)\b",
    re.IGNORECASE,
)
_ABOUT_TIME = re.compile(r"\s*(?:when|since\swhen|until\swhen|how\slong\sago)\b", re.IGNORECASE)
_MONTHS_IN_QUARTER, _MONTHS_IN_HALF, _MONTHS_IN_YEAR = 3, 6, 12


class Asked(StrEnum):
    """What a question's date is: none, its subject, its point of view, or impossible to tell."""

    NO_DATE = "no_date"
    SUBJECT = "subject"
    VIEW = "view"
    UNCLEAR = "unclear"


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedDate:
    """How a question's date was read. ``as_of`` is set for VIEW alone; ``words`` are the question's own.

    ``rest`` is the question without those words where they only set the view: what to search for.
    """

    asked: Asked
    rest: str
    words: str = ""
    as_of: date | None = None


class _Period(NamedTuple):
    """Both days belong to it."""

    first: date
    last: date


class _Expression(NamedTuple):
    start: int
    end: int
    period: _Period | None
    certain: bool


def asked_date(question: str, today: date) -> AskedDate:
    """Read the question's dates. Several, or one that has two readings ("03/04/2024"), are unclear.

    A period that is over is looked at from its last day, one that goes on from today, one to come from its first.
    """
    found = list(_expressions(question, today))
    if not found:
        return AskedDate(asked=Asked.NO_DATE, rest=question)
    words = question[found[0].start : found[-1].end]
    if len(found) > 1:
        unclear = bool(_SPANNING.search(question[: found[-1].start])) or _views(question, found[0], today) is not None
        return AskedDate(asked=Asked.UNCLEAR if unclear else Asked.SUBJECT, rest=question, words=words)
    return _one(question, found[0], today)


def _one(question: str, found: _Expression, today: date) -> AskedDate:
    said = question[_cue_start(question, found) : found.end]
    asked = _views(question, found, today)
    if asked is None:
        return AskedDate(asked=Asked.SUBJECT, rest=question, words=said)
    if asked is Asked.UNCLEAR or found.period is None:
        return AskedDate(asked=Asked.UNCLEAR, rest=question, words=said)
    day = _day(found.period, today, before=bool(_BEFORE.search(question[: found.start])))
    return AskedDate(asked=Asked.VIEW, rest=_without(question, found), words=said, as_of=day)


def _day(period: _Period, today: date, *, before: bool) -> date:
    if before:
        return period.first - timedelta(days=1)
    if period.first > today:
        return period.first
    return min(period.last, today)


def _views(question: str, found: _Expression, today: date) -> Asked | None:
    """VIEW or UNCLEAR, or None when the date is what the question is about."""
    before = question[: found.start]
    if found.certain or _STRONG.search(before):
        return Asked.VIEW
    cued = _WEAK.search(before) or _BEFORE.search(before) or _AGO.fullmatch(question[found.start : found.end])
    lead = question[: _cue_start(question, found)]
    if not cued or _ABOUT_TIME.match(question) or _EVENT.search(lead) or _MEASURED.search(question):
        return None
    rest = _without(question, found)
    main = _main_verb(rest)
    if main is None or _CLAUSE.search(lead[main.end() :]):
        return None
    if main.lastgroup == "past":
        return Asked.VIEW
    is_future = found.period is not None and found.period.first > today
    if main.lastgroup == "future":
        return Asked.VIEW if is_future else None
    return Asked.UNCLEAR


def _main_verb(question: str) -> re.Match[str] | None:
    """The first auxiliary that stands in no clause of its own, else a simple past; its last group is the tense."""
    at = 0
    for found in _AUXILIARY.finditer(question):
        words = question[at : found.start()]
        if at == 0:
            words = words.partition(" ")[2]  # the question word is no clause
        if not _CLAUSE.search(words):
            return found
        at = found.end()
    return _PAST_VERB.match(question)


def _cue_start(question: str, found: _Expression) -> int:
    before = question[: found.start]
    if strong := _STRONG.search(before):
        return strong.start("cut" if strong["cut"] else "only")
    cue = _BEFORE.search(before) or _WEAK.search(before)
    return cue.start() if cue else found.start


def _without(question: str, found: _Expression) -> str:
    if found.certain:
        return question
    lead, tail = question[: _cue_start(question, found)].rstrip(" ,"), question[found.end :].lstrip(" ,")
    if not lead:
        return tail[:1].upper() + tail[1:]
    return lead + (tail if tail[:1] in tuple("?.!,;") else f" {tail}").rstrip()


# --- expressions -----------------------------------------------------------------------------------


def _expressions(question: str, today: date) -> Iterator[_Expression]:
    """Every date with a year, in order: absolute, relative to today, or in the name of a version."""
    found = [_named_version(match) for match in _NAMED_VERSION.finditer(question)]
    for match in _AGO.finditer(question):
        period = _relative(match, today)
        found.append(_Expression(match.start(), match.end(), period, certain=False))
    for start, end, when in find_dates(question):
        taken = any(one.start < end and start < one.end for one in found)
        if when.year is not None and not taken:
            found.append(_Expression(start, end, _period(when), certain=False))
    yield from sorted(found)


def _named_version(match: re.Match[str]) -> _Expression:
    group = "year" if match["year"] else "of_year"
    year = int(match[group])
    return _Expression(
        match.start(group), match.end(group), _Period(date(year, 1, 1), date(year, _MONTHS_IN_YEAR, 31)), certain=True
    )


def _period(when: PartialDate) -> _Period | None:
    """The days that a partial date stands for; None when it has two readings or is no date."""
    year = when.year
    if year is None or when.swapped:
        return None
    if when.month is not None and when.day is not None:
        return _one_day(year, when.month, when.day)
    if when.month is not None:
        return _months(year, when.month, 1)
    if when.quarter is not None:
        return _months(year, (when.quarter - 1) * _MONTHS_IN_QUARTER + 1, _MONTHS_IN_QUARTER)
    if when.half is not None:
        return _months(year, (when.half - 1) * _MONTHS_IN_HALF + 1, _MONTHS_IN_HALF)
    return _months(year, 1, _MONTHS_IN_YEAR)


def _one_day(year: int, month: int, number: int) -> _Period | None:
    try:
        day = date(year, month, number)
    except ValueError:
        return None
    return _Period(day, day)


def _months(year: int, month: int, count: int) -> _Period:
    last = month + count - 1
    return _Period(date(year, month, 1), date(year, last, calendar.monthrange(year, last)[1]))


def _relative(match: re.Match[str], today: date) -> _Period | None:
    if match["yesterday"]:
        return _Period(today - timedelta(days=1), today - timedelta(days=1))
    if match["rel"]:
        return _neighbour(match["rel_unit"].lower(), 1 if match["rel"].lower() == "next" else -1, today)
    count = _NUMBERS.get(match["count"].lower()) or (int(match["count"]) if match["count"].isdigit() else 1)
    day = _back(today, count, match["unit"].lower())
    return _Period(day, day) if day is not None else None


def _neighbour(unit: str, step: int, today: date) -> _Period:
    if unit == "year":
        return _months(today.year + step, 1, _MONTHS_IN_YEAR)
    if unit == "month":
        number = today.year * _MONTHS_IN_YEAR + today.month - 1 + step
        return _months(number // _MONTHS_IN_YEAR, number % _MONTHS_IN_YEAR + 1, 1)
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
    return _Period(monday, monday + timedelta(days=6))


def _back(today: date, count: int, unit: str) -> date | None:
    """That many days, weeks, months or years before today; the last day of the month where it has no such day."""
    try:
        if unit in {"day", "week"}:
            return today - timedelta(days=count * (7 if unit == "week" else 1))
        number = today.year * _MONTHS_IN_YEAR + today.month - 1 - count * (1 if unit == "month" else _MONTHS_IN_YEAR)
        year, month = number // _MONTHS_IN_YEAR, number % _MONTHS_IN_YEAR + 1
        return date(year, month, min(today.day, calendar.monthrange(year, month)[1]))
    except (ValueError, OverflowError):
        return None
