"""Small marks that several formats draw by themselves: list labels and raised digits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.adapters.parsers.canon import Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_RAISED = str.maketrans("0123456789+-−=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
_RAISABLE = frozenset("0123456789+-−")
_MOST_ROMAN = 3999


def roman(number: int) -> str:
    """Lower case; plain digits outside 1 to 3999."""
    if not 0 < number <= _MOST_ROMAN:
        return str(number)
    letters = []
    for value, sign in _ROMAN:
        count, number = divmod(number, value)
        letters.append(sign * count)
    return "".join(letters)


def letters(number: int) -> str:
    """From a to z, then aa, bb as word processors count; plain digits below 1."""
    if number < 1:
        return str(number)
    repeat, index = divmod(number - 1, 26)
    return chr(ord("a") + index) * (repeat + 1)


def list_label(number: int, style: str) -> str:
    """The label of an HTML list item: ``style`` is 1, a, A, i or I."""
    match style:
        case "a" | "A":
            text = letters(number)
        case "i" | "I":
            text = roman(number)
        case _:
            return f"{number}."
    return f"{text.upper() if style.isupper() else text}."


def raised(pieces: Sequence[Piece]) -> list[Piece]:
    """Digits set above the line as superscript characters, so that 10 to the 5th does not read as 105."""
    text = "".join(piece.text for piece in pieces).strip()
    if text and len(text) <= 8 and set(text) <= _RAISABLE:  # noqa: PLR2004 - longer than any exponent or note
        return [Piece(text.translate(_RAISED))]
    return list(pieces)
