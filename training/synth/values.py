"""Numbers, amounts, durations and dates in text: finding them, saying them otherwise, and changing them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
MONTH_ENDS = (
    *MONTHS,
    *(m[:3] for m in MONTHS),
    *(f"{m[:3]}." for m in MONTHS),
    "Sept.",
    "Section",
    "section",
    "Article",
)

NUMBER = re.compile(
    r"(?<![\w.,/–-])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w])|(?<![\w.,/–-])\d+(?:\.\d+)?(?![\w–]|[-/.,:]\d)"
)
DATE = re.compile(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}}), (\d{{4}})\b|\b(\d{{1,2}}) ({'|'.join(MONTHS)}),? (\d{{4}})\b")
MONTH = re.compile(rf"\b({'|'.join(m for m in MONTHS if m not in {'May', 'March'})})\b")
DURATION = re.compile(r"\b(\d+)[ -](minute|hour|day|week|month|year)s?\b(?! ?old| (?:and )?\d|-)")
MONEY = re.compile(
    r"([$€£])(\d[\d,]*(?:\.\d+)?)(?![\d,.]*\d)(?![~–-]| ?(?:million|billion|trillion|thousand|[kKmMbB]\b))"
)


def spell(number: int) -> str:
    """A number from 0 to 999 in words."""
    if number < 20:
        return SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return TENS[tens] + (f"-{SMALL[ones]}" if ones else "")
    hundreds, rest = divmod(number, 100)
    return f"{SMALL[hundreds]} hundred" + (f" and {spell(rest)}" if rest else "")


WORD_VALUE = {spell(n): n for n in range(2, 100)}
NUMBER_WORD = re.compile(rf"\b({'|'.join(sorted(WORD_VALUE, key=len, reverse=True))})\b(?!-)", re.IGNORECASE)


def number_of(text: str) -> float:
    return float(text.replace(",", ""))


def like(value: float, model: str) -> str:
    """``value`` written as ``model`` is: thousands commas and decimals kept."""
    decimals = len(model.partition(".")[2])
    text = f"{value:,.{decimals}f}" if "," in model or value >= 10_000 else f"{value:.{decimals}f}"
    return text.replace(",", "") if "," not in model and value < 10_000 else text


def other_number(text: str, rng: random.Random) -> str:
    """A different number of the same look: near it, ten times it, or with its digits moved."""
    value = number_of(text)
    if value.is_integer() and 1900 <= value <= 2100 and "," not in text:
        return str(int(value) + rng.choice((-10, -5, -3, -2, -1, 1, 2, 3, 5, 10)))
    options = [value * 2, value * 10, value + 1, value + max(1, round(value * 0.2)), value * 1.5, value + 5]
    if value > 1:
        options += [value - 1, value / 2, value - max(1, round(value * 0.1))]
    if value >= 10 and value.is_integer():
        digits = list(str(int(value)))
        rng.shuffle(digits)
        if digits[0] != "0":
            options.append(float("".join(digits)))
    if value.is_integer():
        options = [float(round(option)) for option in options]
    written = [like(option, text) for option in options if option > 0]
    written = [w for w in written if number_of(w) != value]
    return rng.choice(written)


def sub_one(pattern: re.Pattern[str], text: str, rng: random.Random) -> re.Match[str] | None:
    """One match of ``pattern``, chosen at random; None where there is none."""
    found = list(pattern.finditer(text))
    return rng.choice(found) if found else None


def splice(text: str, match: re.Match[str], new: str, group: int = 0) -> str:
    return text[: match.start(group)] + new + text[match.end(group) :]


def date_forms(month: str, day: int, year: int) -> list[str]:
    return [
        f"{month} {day}, {year}",
        f"{day} {month} {year}",
        f"{year}-{MONTHS.index(month) + 1:02d}-{day:02d}",
        f"{month[:3]} {day}, {year}",
        f"the {day}{ordinal_ending(day)} of {month} {year}",
    ]


def ordinal_ending(day: int) -> str:
    return "th" if 11 <= day % 100 <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def date_parts(match: re.Match[str]) -> tuple[str, int, int]:
    """Month, day, year of a DATE match."""
    if match.group(1):
        return match.group(1), int(match.group(2)), int(match.group(3))
    return match.group(5), int(match.group(4)), int(match.group(6))


def same_duration(count: int, unit: str) -> list[str]:
    """Other ways to say a duration that are exactly equal."""
    told = {
        "minute": (("hour", 60),),
        "hour": (("minute", 1 / 60), ("day", 24)),
        "day": (("week", 7), ("hour", 1 / 24)),
        "week": (("day", 1 / 7),),
        "month": (("year", 12),),
        "year": (("month", 1 / 12),),
    }[unit]
    found = []
    for other, size in told:
        value = count / size
        if abs(value - round(value)) < 1e-9 and 1 <= round(value) <= 400:
            whole = round(value)
            found.append(f"{whole} {other}{'s' if whole != 1 else ''}")
    return found
