"""Dates and times of day, whole or in part: ISO, day and month names in four languages, quarters, weekdays, years."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pincite.text.quantity_tables import MONTHS, ORDINALS, WEEKDAYS

if TYPE_CHECKING:
    from collections.abc import Iterator


class PartialDate(NamedTuple):
    """What is known of a date; ``swapped`` when day and month of "03/04/2024" could be the other way round."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    quarter: int | None = None
    half: int | None = None
    weekday: int | None = None
    minute: int | None = None
    decade: int | None = None
    swapped: bool = False


_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_WEEKDAY = "|".join(sorted((w for w in WEEKDAYS if w not in {"mon", "wed", "fri"}), key=len, reverse=True))
_YEAR = r"(?:1[5-9]|20|21)[0-9]{2}"
_DATE = re.compile(
    rf"\b(?P<iso_y>{_YEAR})-(?P<iso_m>0[1-9]|1[0-2])(?:-(?P<iso_d>0[1-9]|[12][0-9]|3[01]))?(?![\w-])"
    rf"|\b(?P<dmy_d>[0-3]?[0-9])(?:st|nd|rd|th|\.|er)?(?:\s(?:of|de))?\s(?P<dmy_m>{_MONTH})\b\.?(?:(?:,|\sde|\sof)?\s(?P<dmy_y>{_YEAR})\b)?"
    rf"|\b(?P<mdy_m>{_MONTH})\.?\s(?P<mdy_d>[0-3]?[0-9])(?:st|nd|rd|th)?(?![\w:%.]?[0-9])(?:,?\s(?P<mdy_y>{_YEAR})\b)?(?!\s?[%])"
    rf"|\b(?P<my_m>{_MONTH})\.?,?\s(?:of\s|de\s)?(?P<my_y>{_YEAR})\b"
    rf"|\b(?P<n1>[0-3]?[0-9])(?P<sep>[/.])(?P<n2>[0-3]?[0-9])(?P=sep)(?P<n3>{_YEAR}|[0-9]{{2}})\b"
    rf"|\bQ(?P<q>[1-4])(?:[\s/-](?:of\s)?(?P<q_y>{_YEAR})\b)?|\b(?P<oq>first|second|third|fourth)\squarter(?:\sof\s(?P<oq_y>{_YEAR})\b)?"
    rf"|\bH(?P<h>[12])(?:\s(?P<h_y>{_YEAR}))?\b|\b(?P<oh>first|second)\shalf\sof\s(?P<oh_y>{_YEAR})\b"
    rf"|\b(?P<decade>(?:1[5-9]|20)[0-9]0)['’]?s\b"
    rf"|\b(?P<weekday>{_WEEKDAY})\b"
    r"|\b(?P<c_h>[01]?[0-9]|2[0-3])(?:[:.h](?P<c_m>[0-5][0-9]))?\s?(?P<c_half>[ap]\.?m\b\.?)|\b(?P<t_h>[01]?[0-9]|2[0-3]):(?P<t_m>[0-5][0-9])(?![:0-9])"
    rf"|\b(?:in|since|until|till|by|of|from|to|through|every|each|during|before|after|early|late|mid|im|en|before\sthe\send\sof)[\s-]"
    r"(?P<m_m>January|February|March|April|May|June|July|August|September|October|November|December)\b(?!\.?,?\s(?:of\s)?[0-9])"
    rf"|(?:\b(?:FY|fiscal(?:\syear)?|financial\syear)\s?|\b(?:in|since|of|by|from|until|till|through|year|during|before|after|early|late|mid|and|to|im|en|seit|depuis|desde|around|between)[\s-]|[(\[,–-]\s?|\A|\n|:\s)"
    rf"(?P<y>{_YEAR})(?!-(?:0[1-9]|1[0-2])-[0-3][0-9])(?:[/–-](?P<y2>[0-9]{{2}}))?(?![\w%]|[.,][0-9]|\s(?:employees|people|users|days|dollars|euros|words|items|members|km|miles|metres|meters|kg|hours|calories|seats))"
    rf"|(?P<cjk_y>{_YEAR})年(?:(?P<cjk_m>1[0-2]|[1-9])月)?(?:(?P<cjk_d>[12][0-9]|3[01]|[1-9])日)?|(?P<cj_m>1[0-2]|[1-9])月(?P<cj_d>[12][0-9]|3[01]|[1-9])日",
    re.IGNORECASE,
)
_NOON = 12
_HOUR_MIN = 60
_CENTURY = 100
_PIVOT = 50
_LAST_DAY = 31


def find_dates(text: str) -> Iterator[tuple[int, int, PartialDate]]:
    """Start, end and value of every date and time of day, in order."""
    for match in _DATE.finditer(text):
        when = _read(match)
        if when is None:
            continue
        start = match.start()
        for name in ("y", "m_m"):
            if match[name]:
                start = match.start(name)
        yield start, match.end(), when


def _int(raw: str | None) -> int | None:
    return int(raw) if raw else None


def _read(match: re.Match[str]) -> PartialDate | None:
    group = match.groupdict()
    if group["iso_y"]:
        return PartialDate(year=_int(group["iso_y"]), month=_int(group["iso_m"]), day=_int(group["iso_d"]))
    for prefix in ("dmy", "mdy", "my"):
        if group[f"{prefix}_m"]:
            return _named(match, prefix)
    if group["n1"]:
        return _slashed(group)
    if group["q"] or group["oq"]:
        number = _int(group["q"]) or ORDINALS[(group["oq"] or "").lower()]
        return PartialDate(year=_int(group["q_y"] or group["oq_y"]), quarter=number)
    if group["h"] or group["oh"]:
        return PartialDate(
            year=_int(group["h_y"] or group["oh_y"]), half=_int(group["h"]) or ORDINALS[(group["oh"] or "").lower()]
        )
    return _rest(group)


def _rest(group: dict[str, str | None]) -> PartialDate | None:  # noqa: PLR0911
    if group["decade"]:
        return PartialDate(decade=_int(group["decade"]))
    if group["weekday"]:
        return PartialDate(weekday=WEEKDAYS[group["weekday"].lower()])
    if group["c_half"]:
        hour = int(group["c_h"] or 0) % _NOON + _NOON * (group["c_half"].lower().startswith("p"))
        return PartialDate(minute=hour * _HOUR_MIN + int(group["c_m"] or 0))
    if group["t_h"]:
        return PartialDate(minute=int(group["t_h"]) * _HOUR_MIN + int(group["t_m"] or 0))
    if group["m_m"]:
        return PartialDate(month=MONTHS[group["m_m"].lower()])
    if group["cjk_y"] or group["cj_m"]:
        return PartialDate(
            year=_int(group["cjk_y"]),
            month=_int(group["cjk_m"] or group["cj_m"]),
            day=_int(group["cjk_d"] or group["cj_d"]),
        )
    return PartialDate(year=_int(group["y"])) if group["y"] else None


def _named(match: re.Match[str], prefix: str) -> PartialDate | None:
    name = match[f"{prefix}_m"]
    day = _int(match[f"{prefix}_d"]) if prefix != "my" else None
    if day is not None and not 1 <= day <= _LAST_DAY:
        return None
    return PartialDate(year=_int(match[f"{prefix}_y"]), month=MONTHS[name.lower()], day=day)


def _slashed(group: dict[str, str | None]) -> PartialDate | None:
    first, second, year = int(group["n1"] or 0), int(group["n2"] or 0), int(group["n3"] or 0)
    if year < _CENTURY:
        year += 2000 if year < _PIVOT else 1900
    if group["sep"] == "." or first > _NOON:
        day, month = first, second
    else:
        day, month = second, first
    if not (1 <= month <= _NOON and day):
        return None
    both = group["sep"] == "/" and first <= _NOON and second <= _NOON
    return PartialDate(year=year, month=month, day=day, swapped=both)
