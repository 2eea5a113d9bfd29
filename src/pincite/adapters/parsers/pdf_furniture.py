"""Running headers, footers and page numbers: lines that come back in the same place page after page."""

from __future__ import annotations

import re
from collections import defaultdict
from math import ceil
from typing import TYPE_CHECKING

from pincite.adapters.parsers.pdf_lines import same_band
from pincite.types import BlockKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.adapters.parsers.pdf_lines import Line

_MARGIN_SHARE = 0.13  # of the page height, at the top and at the bottom
_SAME_PLACE_PT = 6.0
_MIN_SHARE = 0.2
_FEW_PAGES = 6
_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"[ivxlc]+", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"\W*(?:page|seite|p\.|pg\.|página|página n\.º)?\s*#\s*(?:(?:of|von|sur|de|/|\|)\s*#)?\W*", re.IGNORECASE
)


def furniture(
    pages: Sequence[Sequence[Line]], heights_pt: Sequence[float], labels: Sequence[str | None]
) -> dict[int, BlockKind]:
    """PAGE_HEADER or PAGE_FOOTER by ``id(line)``, for the lines that are one.

    A line counts when its text (digits made equal) stands at the same height on a fifth of the pages, on at
    least two and on half of a short document; when it is nothing but its own page's number; or beside such a line.
    A document of nothing else has none.
    """
    margin = [_in_margin(lines, height) for lines, height in zip(pages, heights_pt, strict=True)]
    found = _repeated(margin, len(pages))
    for index, sides in enumerate(margin):
        for line, kind in sides:
            if id(line) not in found and _is_number_of(line, index, labels[index]) and _outermost(line, pages[index]):
                found[id(line)] = kind
        _add_neighbours(sides, found)
    return found if len(found) < sum(len(lines) for lines in pages) else {}


def _in_margin(lines: Sequence[Line], height_pt: float) -> list[tuple[Line, BlockKind]]:
    top, bottom = height_pt * _MARGIN_SHARE, height_pt * (1 - _MARGIN_SHARE)
    return [
        (line, BlockKind.PAGE_HEADER if line.y1 <= top else BlockKind.PAGE_FOOTER)
        for line in lines
        if line.y1 <= top or line.y0 >= bottom
    ]


def _repeated(margin: list[list[tuple[Line, BlockKind]]], page_count: int) -> dict[int, BlockKind]:
    places: defaultdict[tuple[str, BlockKind], list[Line]] = defaultdict(list)
    for sides in margin:
        for line, kind in sides:
            places[_key(line.text), kind].append(line)
    needed = max(2, ceil(page_count * (0.5 if page_count < _FEW_PAGES else _MIN_SHARE)))
    found: dict[int, BlockKind] = {}
    for (_, kind), lines in places.items():
        for line in lines:
            there = {other.page_index for other in lines if abs(other.baseline - line.baseline) <= _SAME_PLACE_PT}
            if len(there) >= needed:
                found[id(line)] = kind
    return found


def _key(text: str) -> str:
    plain = " ".join(text.casefold().split())
    return "#" if _ROMAN.fullmatch(plain) else _DIGITS.sub("#", plain)


def _is_number_of(line: Line, index: int, label: str | None) -> bool:
    if label and line.text.strip("-–—· ").casefold() == label.casefold():
        return True
    numbers = _DIGITS.findall(line.text)
    return bool(numbers) and numbers[0] == str(index + 1) and _PAGE_NUMBER.fullmatch(_key(line.text)) is not None


def _outermost(line: Line, lines: Sequence[Line]) -> bool:
    return all(o.y0 >= line.y1 for o in lines if o is not line) or all(o.y1 <= line.y0 for o in lines if o is not line)


def _add_neighbours(sides: list[tuple[Line, BlockKind]], found: dict[int, BlockKind]) -> None:
    flagged = [line for line, _ in sides if id(line) in found]
    for line, kind in sides:
        if id(line) not in found and any(same_band(line, other) for other in flagged):
            found[id(line)] = kind
