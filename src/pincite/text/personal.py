"""Signs of personal data in a text: addresses and numbers that belong to one person. A sieve, not a guarantee.

It knows e-mail addresses, telephone numbers, IBANs and payment cards (by their check digits), and national numbers of
the United States, the United Kingdom, Spain, India and China. It knows no names and no postal addresses.
"""

from __future__ import annotations

import re

_SHAPES = {
    "e-mail": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "phone": re.compile(
        r"(?<![\w.-])(?:\+|00)\d(?:[ ()/.-]{0,2}\d){7,14}(?!\w)|(?<![\w.-])\(?0?\d{2,4}\)?[ /-]\d{3,4}[ -]\d{3,5}(?!\w)"
    ),
    "national id": re.compile(
        r"(?<![\w-])(?:\d{3}-\d{2}-\d{4}"  # United States
        r"|[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]"  # United Kingdom
        r"|[XYZ]?\d{7,8}-?[A-HJ-NP-TV-Z]"  # Spain
        r"|[A-Z]{5}\d{4}[A-Z]|\d{4} \d{4} \d{4}"  # India
        r"|\d{17}[\dX])(?![\w-])"  # China
    ),
}
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)")
_CARD = re.compile(r"(?<![\w.])\d(?:[ -]?\d){12,18}(?!\w)")


def personal_data(text: str) -> frozenset[str]:
    """Which kinds there are: "e-mail", "phone", "national id", "iban", "card"; empty when none is seen."""
    found = {kind for kind, shape in _SHAPES.items() if shape.search(text)}
    found |= {"iban" for match in _IBAN.finditer(text) if _is_iban(match.group())}
    found |= {"card" for match in _CARD.finditer(text) if _is_card(match.group())}
    return frozenset(found)


def _is_iban(words: str) -> bool:
    """ISO 7064 mod 97-10. What follows an IBAN may look like more of it, so every start that is long enough counts."""
    packed = words.replace(" ", "")
    for end in range(15, len(packed) + 1):
        turned = packed[4:end] + packed[:4]
        if int("".join(str(int(char, 36)) for char in turned)) % 97 == 1:
            return True
    return False


def _is_card(digits: str) -> bool:
    """By the sum of Luhn."""
    total = 0
    for place, digit in enumerate(int(char) for char in reversed(digits) if char.isdigit()):
        twice = digit * 2 if place % 2 else digit
        total += twice - 9 if twice > 9 else twice  # noqa: PLR2004 - the sum of its digits
    return total % 10 == 0
