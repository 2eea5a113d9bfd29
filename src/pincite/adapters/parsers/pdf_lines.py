"""Glyphs to lines, and lines to reading order.

PDFium's own order is kept, because it follows the writer's; it is replaced by a column order only where
the page clearly has text columns and the file's order keeps jumping between them. PDFium runs neighbouring
columns and cells into one line, so lines are split at wide gaps and at backward jumps.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from pincite.adapters.parsers.pdf_chars import HYPHEN, Glyph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_WIDE_GAP_EM = 0.85
_SPACE_EM = 0.15
_MAX_STRETCH_EM = 2.5  # a justified line's widest space
_NEIGHBOUR_EM = 1.8
_ALIGNED_EM = 0.3
_TAB_EM = 4.0
_MARKER_EM = 6.0
MARKER = re.compile(r"(?:o|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|(?:\d{1,3}\.)+\d{1,3}[.)]?|§+\s?\d+\w?)")
"""A list or section marker that stands alone."""

_BAND = 0.3  # shared height of a superscript and its line
_HYPHENS = frozenset({HYPHEN, "-", "\u2010"})
BULLETS = frozenset("•◦▪‣●○■□–—*·-▶►➢✓\uf0b7\uf0a7\uf0d8")
_DESCENDERS = frozenset("gjpqy,;()[]{}|_Qç")
_FIRST_RTL = "\u0590"
_RTL = ((0x0590, 0x08FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC))


@dataclass(frozen=True, kw_only=True, eq=False)
class Line:
    """One line of one column or cell: glyphs in logical order, spaces trimmed at both ends, never empty."""

    page_index: int
    glyphs: tuple[Glyph, ...]

    @cached_property
    def text(self) -> str:
        """Its characters, a line-end hyphen mark shown as a hyphen."""
        return "".join("-" if g.char == HYPHEN else g.char for g in self.glyphs)

    @cached_property
    def inked(self) -> tuple[Glyph, ...]:
        """Glyphs that have a box."""
        return tuple(g for g in self.glyphs if g.char != " ")

    @cached_property
    def x0(self) -> float:
        """Left edge."""
        return min(g.x0 for g in self.inked)

    @cached_property
    def x1(self) -> float:
        """Right edge."""
        return max(g.x1 for g in self.inked)

    @cached_property
    def y0(self) -> float:
        """Top edge."""
        return min(g.y0 for g in self.inked)

    @cached_property
    def y1(self) -> float:
        """Bottom edge."""
        return max(g.y1 for g in self.inked)

    @cached_property
    def size_pt(self) -> float:
        """The font size of most of its glyphs."""
        return Counter(g.style.size_pt for g in self.inked).most_common(1)[0][0] or self.y1 - self.y0

    @cached_property
    def baseline(self) -> float:
        """Where letters without descenders stand."""
        standing = [g.y1 for g in self.inked if g.char not in _DESCENDERS and g.style.size_pt >= 0.8 * self.size_pt]
        return median(standing or [g.y1 for g in self.inked])

    @cached_property
    def bold(self) -> bool:
        """Whether most of its letters are bold."""
        return sum(g.style.bold for g in self.inked) >= 0.7 * len(self.inked)

    @cached_property
    def all_bold(self) -> bool:
        """Whether every letter is bold: a bold beginning of a paragraph does not make its line a heading."""
        return all(g.style.bold for g in self.inked if g.char.isalpha())

    @cached_property
    def upright(self) -> bool:
        """Whether it runs across the page as the viewer shows it."""
        return self.inked[0].style.upright

    @cached_property
    def rtl(self) -> bool:
        """Whether it reads from right to left."""
        return sum(is_rtl(g.char) for g in self.inked) > len(self.inked) / 2

    @cached_property
    def monospace(self) -> bool:
        """Whether its font's name says that it is a typewriter's."""
        names = Counter(g.style.font for g in self.inked).most_common(1)[0][0].lower()
        return any(word in names for word in ("mono", "courier", "consol", "typewriter", "cmtt", "sftt", "menlo"))


def is_rtl(char: str) -> bool:
    """Whether a letter belongs to a right-to-left script."""
    return char >= _FIRST_RTL and any(low <= ord(char) <= high for low, high in _RTL)


def lines_of(glyphs: Sequence[Glyph], page_index: int) -> list[Line]:
    """Lines in the order of the file."""
    pieces = (Line(page_index=page_index, glyphs=piece) for piece in _pieces(glyphs))
    return _stretched(list(_rejoined(pieces)))


def ends_with_hyphen(line: Line) -> bool:
    """Whether a line ends in a hyphen that hangs on a word; a dash after a space does not."""
    return len(line.glyphs) > 1 and line.glyphs[-1].char in _HYPHENS and line.glyphs[-2].char.isalnum()


def same_band(a: Line, b: Line, share: float = 0.5) -> bool:
    """Whether two lines stand side by side."""
    shared = min(a.y1, b.y1) - max(a.y0, b.y0)
    return shared >= share * max(min(a.y1 - a.y0, b.y1 - b.y0), 0.1)


# --- splitting -------------------------------------------------------------------------------------


def _pieces(glyphs: Sequence[Glyph]) -> Iterator[tuple[Glyph, ...]]:
    piece: list[Glyph] = []
    last: Glyph | None = None
    rtl = False
    for glyph in glyphs:
        if glyph.char == "\n" or (last is not None and glyph.char != " " and _splits(last, glyph, rtl=rtl)):
            yield from _trimmed(piece)
            piece, last, rtl = [], None, False
        if glyph.char == "\n":
            continue
        piece.append(glyph)
        if glyph.char != " ":
            last = glyph
            rtl = rtl or is_rtl(glyph.char)
    yield from _trimmed(piece)


def _splits(last: Glyph, glyph: Glyph, *, rtl: bool) -> bool:
    em = max(last.style.size_pt, glyph.style.size_pt) or max(last.y1 - last.y0, 1.0)
    if not glyph.style.upright or not last.style.upright:
        return glyph.style.upright != last.style.upright
    drop = abs((last.y0 + last.y1) - (glyph.y0 + glyph.y1)) / 2
    if drop > (0.5 if last.char == HYPHEN else 1.0) * em:
        return True
    if rtl or is_rtl(glyph.char):
        return False  # runs of numbers jump to and fro inside such a line
    return max(glyph.x0 - last.x1, last.x0 - glyph.x1) > _WIDE_GAP_EM * em


def _trimmed(piece: list[Glyph]) -> Iterator[tuple[Glyph, ...]]:
    start, end = 0, len(piece)
    while start < end and piece[start].char == " ":
        start += 1
    while end > start and piece[end - 1].char == " ":
        end -= 1
    if end > start:
        yield tuple(piece[start:end])


def _rejoined(lines: Iterable[Line]) -> Iterator[Line]:
    """PDFium breaks a line at a superscript; put such pieces back on their line."""
    held: Line | None = None
    for line in lines:
        if held is not None and _continues(held, line):
            held = joined(held, line)
            continue
        if held is not None:
            yield held
        held = line
    if held is not None:
        yield held


def _continues(a: Line, b: Line) -> bool:
    em = max(a.size_pt, b.size_pt)
    near = -0.5 * em <= b.x0 - a.x1 <= _WIDE_GAP_EM * em
    return a.upright and b.upright and near and not a.rtl and not b.rtl and same_band(a, b, _BAND)


def _stretched(lines: list[Line]) -> list[Line]:
    """Put pieces together that a wide gap parts but that are one line: bullets, and the words of justified lines."""
    result: list[Line] = []
    for line in lines:
        last = result[-1] if result else None
        if last is not None and (_is_bullet(last, line) or (_is_stretch(last, line) and _crossed(last, line, lines))):
            result[-1] = joined(last, line)
        else:
            result.append(line)
    return result


def _is_bullet(a: Line, b: Line) -> bool:
    near = 0 < b.x0 - a.x1 <= _TAB_EM * max(b.size_pt, 1.0)
    return a.text in BULLETS and near and a.upright and b.upright and same_band(a, b)


def _is_stretch(a: Line, b: Line) -> bool:
    small = 0 < b.x0 - a.x1 <= _MAX_STRETCH_EM * max(a.size_pt, 1.0)
    return a.upright and b.upright and small and not a.rtl and not b.rtl and same_band(a, b) and a.size_pt == b.size_pt


def _crossed(a: Line, b: Line, lines: Sequence[Line]) -> bool:
    """Whether text above or below runs across the gap between two pieces, and they are not cells of a table.

    Cells are in line with cells next to them; but a piece that ends where the text across ends is justified, and
    so is a line that begins and ends where the one next to it does.
    """
    middle, reach = (a.x1 + b.x0) / 2, _NEIGHBOUR_EM * a.size_pt
    near = [o for o in lines if o.upright and 0 < abs(o.baseline - a.baseline) <= reach and not same_band(o, a)]
    crossing = [o for o in near if o.x0 < middle < o.x1]
    if any(abs(o.x1 - b.x1) <= _ALIGNED_EM * b.size_pt for o in crossing):
        return True
    left = {round(o.baseline) for o in near if o.x1 <= middle}
    cells = [o for o in near if o.x0 >= middle and round(o.baseline) in left]
    if not any(_in_line(o, b) for o in cells):
        return bool(crossing) or _is_justified(a, b, lines, near)
    return sum(abs(o.x0 - b.x0) <= _ALIGNED_EM * b.size_pt for o in cells) <= 1 and _is_justified(a, b, lines, near)


def _is_justified(a: Line, b: Line, lines: Sequence[Line], near: Sequence[Line]) -> bool:
    """Whether the whole line of two pieces begins and ends with a neighbouring one, and is not a row of figures."""
    if 2 * sum(char.isdigit() for char in b.text) >= len(b.inked):
        return False
    x0, x1, reach = a.x0, b.x1, _ALIGNED_EM * a.size_pt
    for piece in sorted((o for o in lines if o.upright and same_band(o, a)), key=lambda o: o.x0):
        if 0 <= piece.x0 - x1 <= _MAX_STRETCH_EM * a.size_pt:
            x1 = piece.x1
    for piece in sorted((o for o in lines if o.upright and same_band(o, a)), key=lambda o: -o.x1):
        if 0 <= x0 - piece.x1 <= _MAX_STRETCH_EM * a.size_pt:
            x0 = piece.x0
    starts = {round(o.baseline) for o in near if abs(o.x0 - x0) <= reach}
    return any(abs(o.x1 - x1) <= reach and round(o.baseline) in starts for o in near)


def _in_line(a: Line, b: Line) -> bool:
    """Whether two cells share their left edge, right edge or middle."""
    off = min(abs(a.x0 - b.x0), abs(a.x1 - b.x1), abs(a.x0 + a.x1 - b.x0 - b.x1) / 2)
    return off <= _ALIGNED_EM * max(a.size_pt, b.size_pt)


def joined(a: Line, b: Line) -> Line:
    """Two pieces of one line, with a space between them where there is room for one."""
    space: tuple[Glyph, ...] = ()
    if b.x0 - a.x1 > _SPACE_EM * max(a.size_pt, b.size_pt):
        space = (Glyph(" ", a.x1, a.y1, a.x1, a.y1, a.glyphs[-1].style),)
    return Line(page_index=a.page_index, glyphs=(*a.glyphs, *space, *b.glyphs))


# --- markers ---------------------------------------------------------------------------------------


def with_markers(lines: list[Line]) -> list[Line]:
    """Put list and section numbers that stand alone before the one line beside them, wherever the file has them."""
    markers = [line for line in lines if line.upright and MARKER.fullmatch(line.text)]
    before: dict[int, Line] = {}
    taken: set[int] = set()
    for marker in markers:
        beside = [o for o in lines if o.upright and o.x0 > marker.x1 and same_band(marker, o)]
        if len(beside) == 1 and beside[0].x0 - marker.x1 <= _MARKER_EM * beside[0].size_pt:
            before[id(beside[0])] = marker
            taken.add(id(marker))
    return [joined(before[id(line)], line) if id(line) in before else line for line in lines if id(line) not in taken]


# --- reading order ---------------------------------------------------------------------------------

_MIN_GUTTER_PT = 8.0
_MIN_COLUMN_LINES = 4
_MIN_FILL = 0.6  # text columns are filled, table columns mostly are not


def in_reading_order(lines: list[Line], width_pt: float) -> list[Line]:
    """The lines as a reader takes them: the file's own order, unless it keeps jumping between text columns."""
    flat = [line for line in lines if line.upright]
    gutters = _gutters(flat, width_pt)
    if not gutters:
        return lines
    columns = [_column(line, gutters) for line in flat]
    places = [c for c in columns if c is not None]
    switches = sum(a != b for a, b in pairwise(places))
    if switches <= 3 * (len(gutters) + 1) + 2:
        return lines
    rest = [line for line in lines if not line.upright]
    return [*_by_columns(flat, columns), *rest]


def _gutters(lines: list[Line], width_pt: float) -> list[float]:
    """Middles of the vertical white bands that part filled text columns."""
    if len(lines) < 2 * _MIN_COLUMN_LINES or width_pt <= 0:
        return []
    cells = max(int(width_pt), 1)
    cover = [0] * (cells + 2)
    for line in lines:
        cover[min(max(int(line.x0), 0), cells)] += 1
        cover[min(max(int(line.x1) + 1, 0), cells)] -= 1
    found = [g for g in _bands(cover, len(lines)) if _parts_text(lines, g)]
    return found if _all_filled(lines, found) else []


def _bands(cover: list[int], count: int) -> Iterator[float]:
    """Middles of bands at least a gutter wide that hardly any line crosses, the page margins excepted."""
    height, start = 0, None
    seen_text = False
    for x, change in enumerate(cover):
        height += change
        clear = height <= 0.1 * count
        seen_text = seen_text or not clear
        if clear and start is None:
            start = x
        elif not clear and start is not None:
            if x - start >= _MIN_GUTTER_PT and seen_text and start > 0:
                yield (x + start) / 2
            start = None


def _parts_text(lines: list[Line], gutter: float) -> bool:
    left = [line for line in lines if line.x1 <= gutter]
    right = [line for line in lines if line.x0 >= gutter]
    return min(len(left), len(right)) >= _MIN_COLUMN_LINES


def _all_filled(lines: list[Line], gutters: list[float]) -> bool:
    for column in range(len(gutters) + 1):
        members = [line for line in lines if _column(line, gutters) == column]
        if len(members) < _MIN_COLUMN_LINES:
            return False
        span = max(line.x1 for line in members) - min(line.x0 for line in members)
        if median(line.x1 - line.x0 for line in members) < _MIN_FILL * span:
            return False
    return True


def _column(line: Line, gutters: list[float]) -> int | None:
    """The column that a line stands in; ``None`` when it runs across a gutter."""
    if any(line.x0 < g < line.x1 for g in gutters):
        return None
    return sum(line.x0 >= g for g in gutters)


def _by_columns(lines: list[Line], columns: list[int | None]) -> Iterator[Line]:
    """Top to bottom between lines that run across; within such a stretch, column by column."""
    pending: list[tuple[int, float, float, Line]] = []
    for line, column in sorted(zip(lines, columns, strict=True), key=lambda pair: (pair[0].baseline, pair[0].x0)):
        if column is None:
            yield from (entry[3] for entry in sorted(pending, key=lambda entry: entry[:3]))
            pending = []
            yield line
        else:
            pending.append((column, line.baseline, line.x0, line))
    yield from (entry[3] for entry in sorted(pending, key=lambda entry: entry[:3]))
