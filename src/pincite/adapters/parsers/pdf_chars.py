"""PDF page to glyphs: what a reader sees, in the order of the file, in viewer coordinates.

One glyph per code point. Ligatures are spelt out, the letters sharing one box. Text that no reader sees
(outside the page, invisible mode, white on white, tiny) is left out and reported, but the invisible text
layer over a scan is kept: there it is the only text.
"""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from itertools import groupby, islice
from math import atan2, degrees
from typing import TYPE_CHECKING, Any, NamedTuple

from pincite.adapters.parsers.pdf_frame import Frame, frame_of
from pincite.adapters.parsers.pdf_glyphids import from_glyph_id, is_language
from pincite.adapters.parsers.pdf_rulings import Ruling, read_rulings

if TYPE_CHECKING:
    from collections.abc import Iterator

HYPHEN = "\u0002"
"""How PDFium marks a hyphen at a line's end; ``get_text`` methods show it as U+FFFE."""

_BREAKS = (0x0A, 0x0D)
_UNKNOWN = "\ufffd"
_GLYPH_ID_SHARE = 0.3  # of a page's glyphs without a Unicode value, to take their codes for glyph numbers
_SPACES = (0x09, 0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)
_INKLESS = (0x00AD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_MEANING = {
    **dict.fromkeys(_SPACES, " "),
    **dict.fromkeys(_INKLESS, ""),
    **dict.fromkeys((0x02, 0xFFFE), HYPHEN),
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "ft",
    0xFB06: "st",
}
"""Codes that stand for something else than themselves: white space, nothing, a hyphen, a ligature's letters."""
_LAM = "\u0644"
_ALEFS = "\u0622\u0623\u0625\u0627"
_BOLD_NAME = re.compile(r"bold|black|heavy|semibd|(?:^|\+)(?:cmbx|sfbx|cmb\d)", re.IGNORECASE)
_BOLD_WEIGHT = 700
_FORCE_BOLD = 1 << 18
_INVISIBLE_MODES = (3, 7)
_TINY_PT = 1.5
_TURN_SAMPLES = 200
_TEXT_OBJECT = 1  # FPDF_PAGEOBJ_TEXT
_TURN_SHARE = 0.6  # of a page's text, to read the page in that direction
_WHOLE_LINE_SHARE = 0.8  # of a line on the page, or it cannot be read
_NEAR_WHITE = 240
_LITTLE_TEXT_CHARS = 200  # fewer than this may be a stamp on a scan
_SCAN_SHARE = 0.5  # an image over this much of the page makes it a scan
_VISIBLE_SHARE = 0.2  # with more visible text than this, an invisible layer is not an OCR layer


class Glyph(NamedTuple):
    """One code point with its box; a line break is a newline with an empty box."""

    char: str
    x0: float
    y0: float
    x1: float
    y1: float
    style: Style


@dataclass(frozen=True, kw_only=True, slots=True)
class Style:
    """What the letters of one text object share. ``upright`` is false where text runs up or down the page."""

    size_pt: float
    bold: bool
    font: str
    upright: bool
    invisible: bool
    pale: bool


NO_STYLE = Style(size_pt=0.0, bold=False, font="", upright=True, invisible=False, pale=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class PageText:
    """The visible glyphs of one page and what was left out; ``char_count`` is what the file has in all.

    Glyphs and rulings are in ``frame``, in which most text is upright; that is the viewer's except on pages
    whose text runs up or down (a wide table on a tall page).
    ``unmapped`` counts glyphs without a usable Unicode value; ``image_share`` is the part of the page under images.
    """

    index: int
    frame: Frame
    rotation_deg: int
    glyphs: tuple[Glyph, ...]
    char_count: int
    off_page: int
    hidden: int
    unmapped: int
    recovered: bool
    ocr_layer: bool
    image_share: float
    rulings: tuple[Ruling, ...]


def read_page(page: Any, index: int, *, max_chars: int, trust_glyph_ids: bool = False) -> PageText:
    """Read one ``pypdfium2.PdfPage``. At most ``max_chars`` characters are read; the caller counts the sum.

    ``trust_glyph_ids`` says that other pages of the document proved their unmapped codes to be glyph numbers.

    Raises:
        pypdfium2.PdfiumError: when the page cannot be loaded.
    """
    rotation_deg = page.get_rotation()
    frame = frame_of(page, _text_rotation_deg(page, rotation_deg))
    page.set_rotation(frame.rotation_deg)  # PDFium takes lines of text that is not upright in the wrong order
    textpage = page.get_textpage()
    try:
        char_count = textpage.count_chars()
        read = _all_glyphs(textpage, frame, min(char_count, max_chars))
    finally:
        textpage.close()
        page.set_rotation(rotation_deg)
    raw, recovered = read.named(trust_glyph_ids=trust_glyph_ids)
    inside = list(_on_page(raw, frame))
    needs_images = len(inside) < _LITTLE_TEXT_CHARS or any(g.style.invisible for g in inside)
    image_share = _image_share(page, frame) if needs_images else 0.0
    seen, hidden, ocr_layer = _visible(page, inside, image_share, frame)
    return PageText(
        index=index,
        frame=frame,
        rotation_deg=rotation_deg,
        glyphs=tuple(_lam_alef(seen)),
        char_count=char_count,
        off_page=sum(not g.char.isspace() for g in raw) - sum(not g.char.isspace() for g in inside),
        hidden=hidden,
        unmapped=0 if recovered else len(read.unmapped),
        recovered=recovered,
        ocr_layer=ocr_layer,
        image_share=image_share,
        rulings=read_rulings(page, frame.point),
    )


def _text_rotation_deg(page: Any, rotation_deg: int) -> int:
    """The turn of the page that sets most of its text upright: that of the viewer unless the text says otherwise."""
    turns: Counter[int] = Counter()
    matrices = (item.get_matrix() for item in islice(page.get_objects([_TEXT_OBJECT], max_depth=2), _TURN_SAMPLES))
    for matrix in matrices:
        turns[round(degrees(atan2(matrix.b, matrix.a)) / 90) * 90 % 360] += 1
    usual, number = turns.most_common(1)[0] if turns else (rotation_deg, 0)
    return usual if number > _TURN_SHARE * turns.total() else rotation_deg


def _on_page(glyphs: list[Glyph], frame: Frame) -> Iterator[Glyph]:
    """Glyphs whose middle is on the page, without lines that the page's edge cuts through."""
    width, height = frame.size()
    for is_break, group in groupby(glyphs, key=lambda glyph: glyph.char == "\n"):
        line = list(group)
        inside = [g for g in line if 0 <= (g.x0 + g.x1) / 2 <= width and 0 <= (g.y0 + g.y1) / 2 <= height]
        if is_break or len(inside) >= _WHOLE_LINE_SHARE * len(line):
            yield from inside


# --- reading ---------------------------------------------------------------------------------------


def _all_glyphs(textpage: Any, frame: Frame, count: int) -> _Read:
    """All glyphs in the file's order; those without a Unicode value also by their place and raw code."""
    import pypdfium2.raw as pdfium

    styles = _Styles(textpage, frame)
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    refs = tuple(ctypes.byref(value) for value in (left, right, bottom, top))
    glyphs: list[Glyph] = []
    unmapped: dict[int, int] = {}
    raw = textpage.raw
    high = 0
    for at in range(count):
        code = pdfium.FPDFText_GetUnicode(raw, at)
        known = pdfium.FPDFText_HasUnicodeMapError(raw, at) != 1
        if code in _BREAKS and known:
            if glyphs and glyphs[-1].char != "\n":
                glyphs.append(Glyph("\n", 0.0, 0.0, 0.0, 0.0, NO_STYLE))
            continue
        if 0xD800 <= code < 0xDC00:  # noqa: PLR2004 - surrogates
            high = code
            continue
        text, bad = _decode(code, high) if known else (_UNKNOWN, True)
        high = 0
        if not (text or bad) or not pdfium.FPDFText_GetCharBox(raw, at, *refs):
            continue
        if bad:
            unmapped[len(glyphs)] = code
        box = frame.box(left.value, right.value, bottom.value, top.value)
        style = styles.of(at) if text != " " else styles.last
        glyphs.extend(Glyph(char, *box, style) for char in text or _UNKNOWN)
    return _Read(glyphs=glyphs, unmapped=unmapped)


class _Read(NamedTuple):
    glyphs: list[Glyph]
    unmapped: dict[int, int]

    def named(self, *, trust_glyph_ids: bool) -> tuple[list[Glyph], bool]:
        """Glyphs with characters, and whether those without were recovered from glyph numbers.

        Otherwise they keep their raw code as far as it can be shown, for the caller counts and judges them.
        """
        if len(self.unmapped) > _GLYPH_ID_SHARE * len(self.glyphs):
            chars = [glyph.char for glyph in self.glyphs]
            for at, code in self.unmapped.items():
                chars[at] = from_glyph_id(code)
            if trust_glyph_ids or is_language("".join(chars)):
                return self._with(chars), True
        chars = [glyph.char for glyph in self.glyphs]
        for at, code in self.unmapped.items():
            chars[at] = _decode(code, 0)[0]
        return self._with(chars), False

    def _with(self, chars: list[str]) -> list[Glyph]:
        pairs = zip(self.glyphs, chars, strict=True)
        return [g if g.char == char else g._replace(char=char) for g, char in pairs if char]


def _decode(code: int, high: int) -> tuple[str, bool]:
    """The characters that a code stands for, and whether it stands for none that can be read."""
    if 0xDC00 <= code < 0xE000 and high:  # noqa: PLR2004 - surrogates
        return chr(0x10000 + ((high - 0xD800) << 10) + code - 0xDC00), False
    known = _MEANING.get(code)
    if known is not None:
        return known, False
    if unicodedata.category(chr(code)) in ("Cc", "Cs") or code in (0xFFFD, 0xFFFF):
        return "", True
    return chr(code), 0xE000 <= code < 0xF900  # noqa: PLR2004 - private use


class _Styles:
    """Styles by text object, so that each is asked for once."""

    def __init__(self, textpage: Any, frame: Frame) -> None:
        import pypdfium2.raw as pdfium

        self._pdfium: Any = pdfium
        self._raw = textpage.raw
        self._frame = frame
        self._known: dict[int, Style] = {}
        self.last = NO_STYLE

    def of(self, at: int) -> Style:
        """The style of character ``at``, which must not be a space: generated ones have no true size."""
        handle = self._pdfium.FPDFText_GetTextObject(self._raw, at)
        if not handle:
            return self.last
        address = ctypes.addressof(handle.contents)
        style = self._known.get(address)
        if style is None:
            style = self._known[address] = self._read(handle, at)
        self.last = style
        return style

    def _read(self, handle: Any, at: int) -> Style:
        pdfium = self._pdfium
        font, flags = self._font(at)
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self._raw, at, matrix)
        size = pdfium.FPDFText_GetFontSize(self._raw, at) * (matrix.c**2 + matrix.d**2) ** 0.5
        colour = [ctypes.c_uint() for _ in range(4)]
        known = pdfium.FPDFText_GetFillColor(self._raw, at, *colour)
        red, green, blue, alpha = (value.value for value in colour)
        across = abs(matrix.a) >= abs(matrix.b)
        weight = pdfium.FPDFText_GetFontWeight(self._raw, at)
        return Style(
            size_pt=round(size, 1),
            bold=bool(flags & _FORCE_BOLD) or weight >= _BOLD_WEIGHT or _BOLD_NAME.search(font) is not None,
            font=font,
            upright=across == (self._frame.rotation_deg in (0, 180)),
            invisible=pdfium.FPDFTextObj_GetTextRenderMode(handle) in _INVISIBLE_MODES or (known == 1 and alpha == 0),
            pale=known == 1 and min(red, green, blue) >= _NEAR_WHITE,
        )

    def _font(self, at: int) -> tuple[str, int]:
        flags = ctypes.c_int()
        buffer = ctypes.create_string_buffer(128)
        length = self._pdfium.FPDFText_GetFontInfo(self._raw, at, buffer, 128, flags)
        name = buffer.raw[: max(min(length, 128) - 1, 0)].decode("utf-8", "replace")
        return name, flags.value


def _lam_alef(glyphs: list[Glyph]) -> Iterator[Glyph]:
    """PDFium spells the lam-alef ligature out backwards in right-to-left lines; put it right."""
    held: Glyph | None = None
    for glyph in glyphs:
        if held is not None and glyph.char == _LAM and glyph[1:5] == held[1:5]:
            yield glyph
            continue  # the alef is still held and follows
        if held is not None:
            yield held
        held = glyph if glyph.char in _ALEFS else None
        if held is None:
            yield glyph
    if held is not None:
        yield held


# --- what a reader sees ----------------------------------------------------------------------------


def _visible(page: Any, glyphs: list[Glyph], image_share: float, frame: Frame) -> tuple[list[Glyph], int, bool]:
    """Glyphs without the hidden ones, how many those were, and whether the page is a scan with a text layer."""
    inked = [g for g in glyphs if not g.char.isspace()]
    invisible = sum(g.style.invisible for g in inked)
    ocr_layer = invisible > 0 and image_share >= _SCAN_SHARE and len(inked) - invisible <= _VISIBLE_SHARE * len(inked)
    white = _white_on_white(page, [g for g in inked if g.style.pale and not g.style.invisible], frame)
    drop = {s for s in {g.style for g in glyphs} if (s.invisible and not ocr_layer) or 0 < s.size_pt < _TINY_PT} | white
    if not drop:
        return glyphs, 0, ocr_layer
    kept = [g for g in glyphs if g.style not in drop]
    return kept, len(inked) - sum(not g.char.isspace() for g in kept), ocr_layer


def _white_on_white(page: Any, pale: list[Glyph], frame: Frame) -> set[Style]:
    """Styles whose pale letters leave no mark on the page as drawn. White letters on a dark band do."""
    if not pale:
        return set()
    import numpy as np

    scale = min(2.0, 2000.0 / max(*frame.size(), 1.0))
    turn = (frame.rotation_deg - page.get_rotation()) % 360
    image = np.squeeze(page.render(scale=scale, rotation=turn, grayscale=True).to_numpy())
    return _blank_styles(pale, image, scale)


def _blank_styles(pale: list[Glyph], image: Any, scale: float) -> set[Style]:
    marks: dict[Style, list[bool]] = {}
    for glyph in pale:
        x0, x1 = int(glyph.x0 * scale), int(glyph.x1 * scale) + 1
        y0, y1 = int(glyph.y0 * scale), int(glyph.y1 * scale) + 1
        area = image[y0:y1, x0:x1]
        marks.setdefault(glyph.style, []).append(area.size > 0 and int(area.min()) < _NEAR_WHITE)
    return {style for style, marked in marks.items() if sum(marked) < len(marked) / 2}


def _image_share(page: Any, frame: Frame) -> float:
    """Area of the largest image over the page's area; deeply nested objects are not looked for."""
    import pypdfium2.raw as pdfium

    width, height = frame.size()
    largest = 0.0
    for item in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        left, bottom, right, top = item.get_bounds()
        x0, y0, x1, y1 = frame.box(left, right, bottom, top)
        covered = max(min(x1, width) - max(x0, 0.0), 0.0) * max(min(y1, height) - max(y0, 0.0), 0.0)
        largest = max(largest, covered)
    return min(largest / (width * height), 1.0) if width > 0 and height > 0 else 0.0
