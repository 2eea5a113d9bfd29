"""Quantities, dates and identifiers of a text, each with its range.

A quantity has a value in its unit, a bound ("at least", "up to", a range) and says whether it was called
approximate. Identifiers (POL-55012, section 4.2, v1.3, addresses, phone numbers) are no quantities. Every pattern is
bounded, so reading is linear in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from pincite.text import quantity_tables as tables
from pincite.text.dates import PartialDate, find_dates

if TYPE_CHECKING:
    from collections.abc import Iterator


class Kind(StrEnum):
    """What a quantity counts."""

    NUMBER = "number"
    ORDINAL = "ordinal"
    PERCENT = "percent"
    POINTS = "percentage_points"
    MONEY = "money"
    MEASURE = "measure"
    DATE = "date"
    CLOCK = "clock"
    IDENTIFIER = "identifier"


class Bound(StrEnum):
    """How a value limits."""

    EXACT = "exact"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    OVER = "over"
    UNDER = "under"
    RANGE = "range"


@dataclass(frozen=True, kw_only=True, slots=True)
class Quantity:
    """One quantity.

    ``value`` is in ``unit`` (``high`` too, for a range); ``other_value`` is a second reading of an ambiguous
    number ("1.234"); ``per`` is the unit that it is counted per ("month").
    """

    start: int
    end: int
    text: str
    kind: Kind
    value: float = 0.0
    high: float | None = None
    unit: str = ""
    bound: Bound = Bound.EXACT
    approximate: bool = False
    spelled: bool = False
    per: str = ""
    other_value: float | None = None
    date: PartialDate | None = None


_DIGITS = (
    r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?"
    r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?"
    r"|[0-9]{1,3}(?:[\u00a0\u202f'’ ][0-9]{3})+(?:[.,][0-9]+)?|[0-9]+(?:[.,·][0-9]+)?"
)
_ONE_WORD = "|".join(sorted([*tables.ONES, *tables.TENS], key=len, reverse=True))
_BIG_WORD = "hundred|thousand|million|billion|trillion"
_SPELLED = (
    rf"(?:(?:a|an|half\s+a)\s+(?:{_BIG_WORD}|dozen)|(?:{_ONE_WORD}))"
    rf"(?:[\s-]+(?:and\s+)?(?:{_ONE_WORD}|{_BIG_WORD}|dozen)(?!\w)){{0,8}}"
)
_FRACTION = r"(?:(?:one|two|three|four|five|seven|a)[\s-](?:half|thirds?|quarters?|fifths?|sixths?|eighths?|tenths?))"
_MIXED = r"(?:(?:one|two|three|four|five|six|seven|eight|nine|ten)\s+and\s+)?"
_OF_BIG = r"(?:\s+of\s+an?\s+(?:million|billion|thousand|hundred)\b)?"
"""What makes "two and a half" and "a quarter of a million" one number each."""
_ORDINAL = r"[0-9]{1,4}(?:st|nd|rd|th)|" + "|".join(tables.ORDINALS)
_SIGN = r"(?:US|C|CA|A|AU|NZ|S|HK)?\$|[€£¥₹]|(?<![A-Za-z])Rs\.?(?=\s?[0-9])"
_CODE = r"USD|EUR|GBP|CHF|CAD|AUD|NZD|SGD|HKD|JPY|CNY|RMB|INR|SEK|NOK|DKK|KRW|BRL"
_SCALE = r"(?:hundred|thousand|million|billion|trillion|lakhs?|crores?|dozen|tausend|millionen|milliarden|millones|milliards?)"  # noqa: E501
_LETTER_SCALE = r"(?:k|K|m|M|mn|bn|Mio\.?|Mrd\.?|B|bln|tn)"
_NUMBER = re.compile(
    rf"(?:(?P<sign>{_SIGN}|(?:{_CODE})(?=\s?[0-9]))\s?)?"
    rf"(?:(?<![\w.,])(?P<minus>(?<![\w)])[-−](?=[0-9]))?(?<![0-9])(?P<digits>{_DIGITS})(?![0-9]|(?:st|nd|rd|th)\b)(?P<vulgar>[½⅓⅔¼¾⅛⅕⅖])?"
    rf"(?:[\s-]?(?P<scale>{_SCALE})\b|\s?(?P<letter>{_LETTER_SCALE})(?![\w/]))?"
    rf"|(?P<lone>[½⅓⅔¼¾⅛⅕⅖])|\b(?P<fraction>{_MIXED}{_FRACTION}{_OF_BIG})\b|\b(?P<spelled>{_SPELLED})\b|\b(?P<half>half(?:\s+an?(?=\s(?:second|minute|hour|day|week|month|year)\b))?)\b"
    r"|\b(?P<article>an?)\b(?=\s(?:second|minute|hour|day|week|fortnight|month|quarter|year|decade)\b))",
    re.IGNORECASE,
)
_UNIT_WORDS = "|".join(
    re.escape(word).replace(r"\-", r"[\s-]")
    for word in sorted({*tables.UNITS, *tables.PERCENT_WORDS}, key=len, reverse=True)
)
_CURRENCY_WORDS = "|".join(
    re.escape(word) for word in sorted(tables.CURRENCIES, key=len, reverse=True) if word not in {"rs", "rs.", "pound"}
)
_AFTER = re.compile(
    rf"(?P<gap>-|[\s\u00a0\u202f]{{0,4}})(?:(?P<points>percentage[\s-]points?|pp|ppts?|Prozentpunkte?n?)(?!\w)|(?P<bps>basis[\s-]points?|bps?)(?!\w)"
    rf"|(?P<business>(?:consecutive\s+)?(?:business|working)[\s-](?:days?|weeks?))(?!\w)"
    rf"|(?:(?:consecutive|full|calendar|additional|more|extra|whole|further)[\s-])?(?P<unit>{_UNIT_WORDS})(?![\w%])|(?P<money>{_CURRENCY_WORDS})(?!\w))",
    re.IGNORECASE,
)
_PER = re.compile(
    r"(?:(?:\s[a-z]{3,16}){0,2}?\sper|\s?(?:/|an?|each|every|pro|par|por))[\s-]?(?P<per>second|minute|hour|day|week|month|quarter|year|annum|person|"
    r"employee|user|seat|claim|incident|night|trip|kg|vehicle|member|h|tag|monat|jahr|jour|mois|an|mes|año)\b",
    re.IGNORECASE,
)
_JOIN = re.compile(r"\s?(?:-|–|—|to|through|bis|à|a)\s?(?=[0-9$€£₹a-z])", re.IGNORECASE)
_AND = re.compile(r"\s(?:and|und|et|y)\s(?=[0-9$€£₹a-z])", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:increas|rais|rose|ris|grow|grew|fell|fall|drop|reduc|chang|decreas|cut|went|climb|lower|up|down|amend)\w*\b[^.;]{0,60}\bfrom\s\Z",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\b(?:between|zwischen|entre)\s\Z", re.IGNORECASE)
_BEFORE = re.compile(
    r"(?P<at_least>at least|no(?:t)? less than|no(?:t)? fewer than|no(?:t)? (?:earlier|sooner|shorter|below|under) than|"  # noqa: E501
    r"(?:a |the )?minimum(?: [a-z]+)?(?: of)?|min\.?|from|starting at|>=|≥|mindestens|au moins|al menos|no menos de)"
    r"|(?P<at_most>up to|at most|no(?:t)? more than|no(?:t)? (?:longer|later|greater|higher) than|not exceed(?:ing)?|not to exceed|"  # noqa: E501
    r"(?:a |the )?maximum(?: [a-z]+)?(?: of)?|max\.?|limited to|capped at|as (?:much|many) as|within|<=|≤|bis zu|höchstens|maximal|"  # noqa: E501
    r"jusqu'à|au plus|hasta|como máximo|innerhalb von|binnen|dans les|dentro de|does not exceed|do not exceed|must not exceed|may not exceed)"  # noqa: E501
    r"|(?P<over>more than|over|above|exceed(?:s|ing|ed)?|greater than|longer than|higher than|in excess of|older than|beyond|>|"  # noqa: E501
    r"mehr als|über|plus de|más de)"
    r"|(?P<under>less than|fewer than|under|below|lower than|shorter than|younger than|<|weniger als|unter|moins de|menos de)",  # noqa: E501
    re.IGNORECASE,
)
_BEFORE_TAIL = re.compile(
    rf"(?<!\w)(?:{_BEFORE.pattern})\s?(?:(?:the|a|an|about|approximately|last|first|another|any)\s)?(?:{_SIGN})?\Z",
    re.IGNORECASE,
)
_ABOUT_TAIL = re.compile(
    r"(?:\b(?:about|approximately|approx\.?|around|roughly|nearly|almost|circa|ca\.?|some|rounded to|etwa|rund|environ|unos|"  # noqa: E501
    r"close to|more or less)|[~≈])\s?(?:the\s)?(?:[$€£₹])?\Z",
    re.IGNORECASE,
)
_OR_MORE = re.compile(
    r"\s?(?:(?P<more>or (?:more|longer|over|above|greater|older|later)|and (?:over|above|older)|\+|minimum|oder mehr|ou plus|o más)"  # noqa: E501
    r"|(?P<less>or (?:less|fewer|under|below|shorter|younger|earlier)|maximum|oder weniger|ou moins|o menos))(?!\w)",
    re.IGNORECASE,
)
_REFERENCE = (
    r"sections?|secs?\.?|§+|articles?|art\.|clauses?|paragraphs?|para\.?|chapters?|parts?|pages?|pp?\.|appendix|annex|"
    r"schedules?|exhibits?|figures?|fig\.|tables?|rules?|forms?|items?|steps?|lines?|tiers?|no\.|nr\.|version|release|"
    r"zone|gate|room|building|phase|class|grade|type|category|ziffer|absatz|artikel|article"
)
_IDENTIFIER = re.compile(
    r"(?P<url>(?:https?://|www\.)[^\s<>\"')\]]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,20}){1,4})"
    r"|(?P<version>\bv?[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\b(?!,[0-9])|\bv[0-9]{1,3}(?:\.[0-9]{1,3})?\b)"
    r"|(?P<code>\b(?!(?:mid|pre|post|early|late|top|sub|under|over|non|usd|eur|gbp|chf|age|fy|q|h)[-/]?[0-9])(?:"
    r"[A-Za-z]{1,16}[-/_][A-Za-z0-9]{0,4}[0-9]{1,12}[A-Za-z0-9]{0,8}(?:[-/_][A-Za-z0-9]{1,12}){0,4}|"
    r"[A-Za-z]{1,5}[0-9]{1,12}[A-Za-z]{0,3}(?![\w%])(?:[-/][A-Za-z0-9]{1,8}){0,4}))"
    rf"|(?P<ref>(?:\b(?:{_REFERENCE})|§+|#)\s?[0-9]{{1,4}}(?:\.[0-9]{{1,3}}){{0,4}}(?:\([a-z0-9]{{1,3}}\)){{0,3}}[a-z]?(?![\w%]))"
    r"|(?P<phone>(?<![\w.])\+?[0-9(][0-9() ]{0,5}[-\s][0-9]{3}[-\s][0-9]{3,4}(?:[-\s][0-9]{2,4})?(?![\w,%]))",
    re.IGNORECASE,
)
_NOT_CODE = re.compile(r"(?:(?:[a-z]+-)?(?:q[1-4]|h[12])|fy-?[0-9]{2,4}|(?:us|ca?|au?)?[0-9]+)\b", re.IGNORECASE)
_THOUSANDS_GROUPS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+\Z")
_COMMA_CUE = re.compile(
    r"[0-9]\.[0-9]{3},[0-9]|[0-9],[0-9]{1,2}\s?(?:%|€|EUR|Prozent)|\b(?:der|die|und|nicht|les|des|est|los|las|para|dari|yang)\b",
    re.IGNORECASE,
)
_COUNTED_ARTICLE = re.compile(
    r"\b(?:within|of|for|after|in|than|least|about|takes?|lasts?|most|under|over|is|up to)\s\Z", re.IGNORECASE
)
_LOOK_CHARS = 40
_BASIS = 100.0


def quantities(text: str) -> list[Quantity]:
    """Every quantity, date and identifier, by start, none overlapping another."""
    taken = bytearray(len(text))
    found: list[Quantity] = []
    for quantity in (*_identifiers(text), *_dates(text)):
        if not any(taken[quantity.start : quantity.end]):
            taken[quantity.start : quantity.end] = b"\1" * (quantity.end - quantity.start)
            found.append(quantity)
    found.extend(_numbers(text, taken))
    return sorted(found, key=lambda quantity: quantity.start)


def _identifiers(text: str) -> Iterator[Quantity]:
    if not any(char.isdigit() for char in text) and "@" not in text and "www" not in text:
        return
    for match in _IDENTIFIER.finditer(text):
        if match["code"] and _NOT_CODE.match(match["code"]):
            continue
        end = match.end() - (match["url"] is not None and match[0][-1] in ".,;")
        yield Quantity(start=match.start(), end=end, text=text[match.start() : end], kind=Kind.IDENTIFIER)


def _dates(text: str) -> Iterator[Quantity]:
    for start, end, when in find_dates(text):
        kind = Kind.CLOCK if when.minute is not None else Kind.DATE
        yield Quantity(start=start, end=end, text=text[start:end], kind=kind, date=when)


def _numbers(text: str, taken: bytearray) -> Iterator[Quantity]:
    comma = _COMMA_CUE.search(text) is not None
    skip_until = -1
    for match in _NUMBER.finditer(text):
        if match.start() < skip_until or any(taken[match.start() : match.end()]):
            continue
        if match["article"] and not _COUNTED_ARTICLE.search(text, max(0, match.start() - _LOOK_CHARS), match.start()):
            continue
        first = _read(text, match, comma=comma)
        other = _partner(text, first, taken, comma=comma)
        quantity = first if other is None else _range(text, first, other)
        skip_until = quantity.end
        yield quantity
    yield from _ordinals(text, taken)


def _ordinals(text: str, taken: bytearray) -> Iterator[Quantity]:
    for match in _ORDINALS.finditer(text):
        if any(taken[match.start() : match.end()]) or (match.start() and text[match.start() - 1] == "-"):
            continue
        word = match[0].lower()
        value = tables.ORDINALS.get(word) or int(re.sub(r"\D", "", word))
        yield Quantity(start=match.start(), end=match.end(), text=match[0], kind=Kind.ORDINAL, value=float(value))


_ORDINALS = re.compile(rf"\b(?:{_ORDINAL})\b", re.IGNORECASE)


def _read(text: str, match: re.Match[str], *, comma: bool) -> Quantity:
    value, other = _value(match, comma=comma)
    kind, unit, end, factor = _unit_after(text, match)
    per = _PER.match(text, end)
    bound, approximate, end = _bound(text, match.start(), per.end() if per else end)
    return Quantity(
        start=match.start(), end=end, text=text[match.start() : end].strip(), kind=kind, value=value * factor,
        unit=unit, bound=bound, approximate=approximate, spelled=match["digits"] is None and match["lone"] is None,
        per=_per_name(per["per"]) if per else "", other_value=None if other is None else other * factor,
    )  # fmt: skip


def _per_name(word: str) -> str:
    word = word.lower()
    return {"annum": "year", "h": "hour", "tag": "day", "monat": "month", "jahr": "year", "jour": "day", "mois": "month",  # noqa: E501
            "an": "year", "mes": "month", "año": "year"}.get(word, word)  # fmt: skip


def _value(match: re.Match[str], *, comma: bool) -> tuple[float, float | None]:
    if match["digits"] is not None:
        value, other = _digits(match["digits"], comma=comma)
        value += tables.VULGAR.get(match["vulgar"] or "", 0.0)
        value = -value if match["minus"] else value
        scale = tables.SCALES.get((match["scale"] or match["letter"] or "").lower().rstrip("."), 1.0)
        return value * scale, None if other is None else other * scale
    if match["lone"] is not None:
        return tables.VULGAR[match["lone"]], None
    if match["article"] is not None:
        return 1.0, None
    if match["fraction"] is not None:
        return _fraction(match["fraction"].lower()), None
    if match["half"] is not None:
        return 0.5, None
    return _spelled(match["spelled"].lower()), None


def _digits(raw: str, *, comma: bool) -> tuple[float, float | None]:
    plain = re.sub(r"[\u00a0\u202f'’ ]", "", raw).replace("·", ".")
    english, european = plain.replace(",", ""), plain.replace(".", "").replace(",", ".")
    if "," in plain and "." in plain:
        return float(english if plain.rindex(".") > plain.rindex(",") else european), None
    if "," in plain:
        thousands = re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}", plain) is not None
        if not thousands:
            return float(european), None
        return (float(european), float(english)) if comma and plain.count(",") == 1 else (float(english), None)
    if _THOUSANDS_GROUPS.match(plain):
        if plain.count(".") > 1:
            return float(european), None
        return (float(european), float(english)) if comma else (float(english), float(european))
    return float(plain), None


def _fraction(raw: str) -> float:
    mixed, _, rest = raw.rpartition(" and ")
    part, _, scale = rest.partition(" of ")
    words = re.split(r"[\s-]+", part.strip())
    share = tables.FRACTIONS[words[-1]] * (tables.ONES.get(words[0], 1) if len(words) > 1 else 1)
    return (tables.ONES.get(mixed.strip(), 0) + share) * (tables.SCALES[scale.split()[-1]] if scale else 1.0)


def _spelled(raw: str) -> float:
    total = current = 0.0
    half = raw.startswith("half")
    for word in re.split(r"[\s-]+", raw):
        if word in tables.ONES or word in tables.TENS:
            current += tables.ONES.get(word, tables.TENS.get(word, 0))
        elif word in {"hundred", "dozen"}:
            current = max(current, 1.0) * tables.SCALES[word]
        elif word in tables.SCALES:
            total += max(current, 1.0) * tables.SCALES[word]
            current = 0.0
    return (total + current) * (0.5 if half else 1.0)


def _unit_after(text: str, match: re.Match[str]) -> tuple[Kind, str, int, float]:  # noqa: PLR0911
    """Kind, unit, end of the unit, and what the value is multiplied by."""
    end = match.end()
    sign = (match["sign"] or "").lower().strip()
    if sign:
        return Kind.MONEY, tables.CURRENCIES[sign], end, 1.0
    after = _AFTER.match(text, end)
    if after is None:
        return Kind.NUMBER, "", end, 1.0
    if after["points"]:
        return Kind.POINTS, "pp", after.end(), 1.0
    if after["bps"]:
        return Kind.POINTS, "pp", after.end(), 1 / _BASIS
    if after["business"]:
        name = "business-day" if "day" in after["business"].lower() else "working-week"
        return Kind.MEASURE, name, after.end(), 1.0
    if after["money"]:
        return Kind.MONEY, tables.CURRENCIES[after["money"].lower()], after.end(), 1.0
    return _plain_unit(match, after, end)


def _plain_unit(match: re.Match[str], after: re.Match[str], end: int) -> tuple[Kind, str, int, float]:
    word = re.sub(r"\s", "-", after["unit"].lower())
    if word in tables.PERCENT_WORDS:
        return Kind.PERCENT, "%", after.end(), 1.0
    if word in tables.SHORT_UNITS and (match["digits"] is None or after["gap"] == "-"):
        return Kind.NUMBER, "", end, 1.0
    return Kind.MEASURE, tables.UNITS[word].name, after.end(), 1.0


def _bound(text: str, start: int, end: int) -> tuple[Bound, bool, int]:
    before = text[max(0, start - _LOOK_CHARS) : start]
    approximate = _ABOUT_TAIL.search(before) is not None
    after = _OR_MORE.match(text, end)
    if after is not None:
        return Bound.AT_LEAST if after["more"] else Bound.AT_MOST, approximate, after.end()
    cue = _BEFORE_TAIL.search(before)
    if cue is None or (cue.lastgroup == "at_least" and cue[0].strip().lower() == "from"):
        return Bound.EXACT, approximate, end
    names = {"at_least": Bound.AT_LEAST, "at_most": Bound.AT_MOST, "over": Bound.OVER, "under": Bound.UNDER}
    return next(bound for name, bound in names.items() if cue[name]), approximate, end


def _partner(text: str, first: Quantity, taken: bytearray, *, comma: bool) -> Quantity | None:
    """The second end of a range that begins with ``first``."""
    before = text[max(0, first.start - _LOOK_CHARS * 2) : first.start]
    join = (_AND if _BETWEEN.search(before) else _JOIN).match(text, first.end)
    if join is None or _CHANGE.search(before):
        return None
    match = _NUMBER.match(text, join.end())
    if match is None or any(taken[match.start() : match.end()]):
        return None
    second = _read(text, match, comma=comma)
    same = not first.unit or not second.unit or first.unit == second.unit
    return second if same and second.value > first.value else None


def _range(text: str, first: Quantity, second: Quantity) -> Quantity:
    unit, kind = (second.unit, second.kind) if second.unit else (first.unit, first.kind)
    return Quantity(
        start=first.start, end=second.end, text=text[first.start : second.end], kind=kind, value=first.value,
        high=second.value, unit=unit, bound=Bound.RANGE, approximate=first.approximate, per=second.per, spelled=first.spelled,  # noqa: E501
    )  # fmt: skip
