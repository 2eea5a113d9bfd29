"""An independent reading of a page's glyphs, to hold the parser's rectangles against.

It shares no code with the parser: PDFium's character boxes, and its own turn from page space to viewer space.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pypdfium2.raw as pdfium

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.types import Rect

SPELT_OUT = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st", "\x02": "-", "\ufffe": "-"}

GLYPH_NUMBER_SHIFT, LAST_ASCII_GLYPH = 29, 97
"""Where codes are glyph numbers of the usual order, ASCII lies at a fixed distance."""


def viewer_matrix(page: Any) -> NDArray[np.float64]:
    """Page space to viewer space as one affine matrix: move the corner to 0, turn clockwise, flip."""
    left, bottom, right, top = page.get_bbox()
    width, height = right - left, top - bottom
    move = np.array([[1, 0, -left], [0, 1, -bottom], [0, 0, 1]], dtype=float)
    turn = np.eye(3)
    for _ in range(page.get_rotation() // 90):
        turn = np.array([[0, 1, 0], [-1, 0, width], [0, 0, 1]], dtype=float) @ turn  # a quarter turn clockwise
        width, height = height, width
    flip = np.array([[1, 0, 0], [0, -1, height], [0, 0, 1]], dtype=float)
    return flip @ turn @ move


class PageTruth:
    """Every inked character of a page, and the middles of their boxes in viewer space."""

    def __init__(self, page: Any, *, by_glyph_number: bool = False) -> None:
        textpage = page.get_textpage()
        matrix = viewer_matrix(page)
        chars, middles = [], []
        box = [ctypes.c_double() for _ in range(4)]
        for at in range(textpage.count_chars()):
            code = pdfium.FPDFText_GetUnicode(textpage, at)
            unmapped = by_glyph_number and pdfium.FPDFText_HasUnicodeMapError(textpage, at) == 1
            char = chr(code + GLYPH_NUMBER_SHIFT) if unmapped and code <= LAST_ASCII_GLYPH else chr(code)
            if char.isspace() or not pdfium.FPDFText_GetCharBox(textpage, at, *box):
                continue
            left, right, bottom, top = (value.value for value in box)
            for letter in SPELT_OUT.get(char, char):
                chars.append(letter)
                middles.append(matrix @ [(left + right) / 2, (bottom + top) / 2, 1])
        self.chars: list[str] = chars
        self.middles = np.array(middles).reshape(-1, 3)[:, :2]

    def inside(self, rects: list[Rect]) -> Counter[str]:
        """The characters whose middles lie in any of the rectangles."""
        x, y = self.middles[:, :1], self.middles[:, 1:]
        x0, y0, x1, y1 = np.array([(r.x0, r.y0, r.x1, r.y1) for r in rects]).T
        hit = ((x >= x0 - 0.1) & (x <= x1 + 0.1) & (y >= y0 - 0.1) & (y <= y1 + 0.1)).any(axis=1)
        return Counter(self.chars[at] for at in np.flatnonzero(hit))
