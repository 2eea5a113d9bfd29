"""Shows the value of a spreadsheet cell through its number format, as a reader of the sheet sees it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, DecimalException, localcontext

BUILTIN = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    # The reader's own country decides how 14 and 22 look; the ISO form can be misread by nobody.
    14: "yyyy-mm-dd",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm",
    37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)",
    39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)",
    45: "mm:ss",
    49: "@",
}
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<width>.)|\*(?P<fill>.)|\[\$(?P<currency>[^\]-]*)[^\]]*\]'
    r"|\[(?P<bracket>[^\]]*)\]|(?P<half>AM/PM|A/P)|(?P<date>[yY]+|[mM]+|[dD]+|[hH]+|[sS]+)"
    r"|(?P<number>[0#?](?:[0#?,]*[0#?])?(?:\.[0#?]*)?,*|\.[0#?]+,*)|(?P<other>.)",
    re.DOTALL,
)
_COLOURS = frozenset({"black", "blue", "cyan", "green", "magenta", "red", "white", "yellow"})
_MONTHS = (
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
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEAP_BUG = 60  # serial numbers below count a 29 February 1900 that never was
_WHOLE_DIGITS = 15
_LONGEST_FORMAT = 255
_EXPONENT_LIMIT = 300
_DAY_S = 86_400
_NAMED, _FULL, _LETTER = 3, 4, 5

_Tokens = list[tuple[str, str]]


def shown(raw: str, code: str, *, from_1904: bool = False) -> tuple[str, bool]:
    """The displayed text of a numeric cell, and whether its format was followed; if not, the plain number."""
    try:
        value = Decimal(raw.strip())
    except DecimalException:
        return raw, False
    if not value.is_finite() or abs(value.adjusted()) > _EXPONENT_LIMIT:
        return raw, False
    if code in ("", "@") or code.lower() == "general":
        return _general(value), True
    text = _through(value, code, from_1904=from_1904) if len(code) <= _LONGEST_FORMAT else None
    return (_general(value), False) if text is None else (text, True)


def _general(value: Decimal) -> str:
    if value == value.to_integral_value() and value.adjusted() < _WHOLE_DIGITS:
        return str(int(value))
    text = f"{float(value):.10g}"  # binary noise (0.30000000000000004) is not shown in a cell
    return text.replace("e", "E")


def _through(value: Decimal, code: str, *, from_1904: bool) -> str | None:
    sections = _sections(code)
    section, signed = _section_for(value, sections)
    kinds = {kind for kind, _ in section}
    if "unknown" in kinds:
        return None
    if "date" in kinds:
        return None if "number" in kinds else _as_date(value, section, from_1904=from_1904)
    return _as_number(value if signed else abs(value), section)


def _sections(code: str) -> list[_Tokens]:
    found: list[_Tokens] = [[]]
    for match in _TOKEN.finditer(code):
        kind, text = match.lastgroup or "other", match[match.lastgroup or 0]
        if kind == "other" and text == ";":
            found.append([])
        elif kind == "bracket":
            if text.lower() not in _COLOURS:
                found[-1].append(("unknown", text))  # a condition, or elapsed hours
        elif kind == "width":
            found[-1].append(("quoted", " "))
        elif kind == "other" and text in "@?Ee":
            found[-1].append(("unknown", text))
        elif kind != "fill":
            found[-1].append((kind, text))
    return found


def _section_for(value: Decimal, sections: list[_Tokens]) -> tuple[_Tokens, bool]:
    """The section for the sign of the value, and whether a minus is still to be written."""
    if value < 0 and len(sections) > 1:
        return sections[1], False
    if value == 0 and len(sections) > 2:  # noqa: PLR2004 - positive; negative; zero
        return sections[2], False
    return sections[0], True


def _as_number(value: Decimal, section: _Tokens) -> str | None:
    numbers = [text for kind, text in section if kind == "number"]
    if len(numbers) > 1:
        return None  # a fraction, or digits with marks between them (telephone numbers)
    percents = sum(1 for kind, text in section if kind == "other" and text == "%")
    digits = _digits(abs(value).scaleb(2 * percents), numbers[0]) if numbers else ""
    body = "".join(digits if kind == "number" else text for kind, text in section).strip()
    is_zero = not any(char in "123456789" for char in digits)
    return f"-{body}" if value < 0 and numbers and not is_zero else body


def _digits(value: Decimal, mask: str) -> str:
    whole_mask, _, fraction_mask = mask.rstrip(",").partition(".")
    thousands = len(mask) - len(mask.rstrip(","))  # commas at the end divide
    most, least = len(fraction_mask), fraction_mask.count("0")
    with localcontext() as context:
        context.prec = 2 * _EXPONENT_LIMIT + _LONGEST_FORMAT
        rounded = value.scaleb(-3 * thousands).quantize(Decimal(1).scaleb(-most), rounding=ROUND_HALF_UP)
    whole, _, fraction = f"{rounded:f}".partition(".")
    while len(fraction) > least and fraction.endswith("0"):
        fraction = fraction[:-1]
    whole = whole.lstrip("0").rjust(whole_mask.count("0"), "0")
    if "," in whole_mask and whole:
        padded = f"{int(whole):,}"
        whole = padded if whole_mask.count("0") <= len(str(int(whole))) else whole
    return f"{whole}.{fraction}" if fraction else whole


def _as_date(value: Decimal, section: _Tokens, *, from_1904: bool) -> str | None:
    if value < 0:
        return None
    start = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30)  # noqa: DTZ001 - sheets know no zone
    days = value + 1 if not from_1904 and value < _LEAP_BUG else value
    try:
        moment = start + timedelta(seconds=int((days * _DAY_S).to_integral_value(rounding=ROUND_HALF_UP)))
    except OverflowError:
        return None
    is_half = any(kind == "half" for kind, _ in section)
    parts = []
    for index, (kind, text) in enumerate(section):
        if kind == "half":
            parts.append("AM" if moment.hour < 12 else "PM")  # noqa: PLR2004 - noon
        elif kind == "date":
            parts.append(_date_part(moment, text.lower(), is_minute=_is_minute(section, index), is_half=is_half))
        else:
            parts.append(text)
    return "".join(parts).strip()


def _is_minute(section: _Tokens, index: int) -> bool:
    """An ``m`` after hours or before seconds counts minutes, any other months."""
    before = next((text.lower()[0] for kind, text in reversed(section[:index]) if kind == "date"), "")
    after = next((text.lower()[0] for kind, text in section[index + 1 :] if kind == "date"), "")
    return before == "h" or after == "s"


def _date_part(moment: datetime, text: str, *, is_minute: bool, is_half: bool) -> str:
    letter, length = text[0], len(text)
    if letter == "y":
        return f"{moment.year:04d}" if length >= _NAMED else f"{moment.year % 100:02d}"
    names: tuple[str, ...] | None
    if letter == "m" and not is_minute:
        names, number = _MONTHS, moment.month
        index = moment.month - 1
    elif letter == "d":
        names, number, index = _DAYS, moment.day, moment.weekday()
    else:
        names, index = None, 0
        hour = (moment.hour % 12 or 12) if is_half else moment.hour
        number = {"m": moment.minute, "h": hour, "s": moment.second}[letter]
    if names is not None and length >= _NAMED:
        name = names[index]
        return name[0] if length == _LETTER else name if length >= _FULL else name[:3]
    return f"{number:02d}" if length > 1 else str(number)
