"""The layout map: compact glyph boxes, and from a character range to page, label, heading, line, rectangles.

A page keeps one box for each code point of its text. Four columns of unsigned 16-bit numbers (distance
from the last box's right edge, width, top, bottom; the last two as differences), split into high and low
bytes and deflated: about a tenth of plain 32-bit floats.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from bisect import bisect_left, bisect_right
from itertools import accumulate, islice
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from pincite.text.sheets import sheet_cells
from pincite.types import Location, Rect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.types import Block, Layout, Page

_UNITS_PER_PT = 20.0
_MAX_UNIT = 0xFFFF
_HEADER = struct.Struct("<BfI")  # format number, units per point, count of boxes
_FORMAT = 1
_SAME_LINE_OVERLAP = 0.4  # of the smaller height: keeps superscripts on their line
_MAX_GAP_HEIGHTS = 1.5  # a wider gap is another column or table cell


class Box(NamedTuple):
    """One glyph on its page: points, origin at the top left of the page as a viewer shows it."""

    x0: float
    y0: float
    x1: float
    y1: float


def encode_boxes(boxes: Sequence[Box | None]) -> bytes:
    """Pack one box per code point; ``None`` for what has no ink (spaces, text the parser put there).

    Coordinates are kept to 1/20 point, coarser on pages wider than 3,276 points; negative ones become 0.
    """
    if not boxes:
        return b""
    scale = _scale(boxes)
    columns = _columns(boxes, scale)
    packed = b"".join(_planes(column) for column in columns)
    return _HEADER.pack(_FORMAT, scale, len(boxes)) + zlib.compress(packed, 6)


def decode_boxes(data: bytes, start: int = 0, end: int | None = None) -> list[Box | None]:
    """Undo ``encode_boxes``: as many entries as it was given, or those of ``[start:end]``.

    Raises:
        ValueError: when the bytes are not such a packing.
    """
    if not data:
        return []
    number, scale, length = _unpack_header(data)
    if number != _FORMAT:
        raise ValueError(f"unknown box format {number}")
    packed = _inflate(data, length * 8)
    gaps, widths, tops, bottoms = (_column(packed, index, length) for index in range(4))
    rights = accumulate(map(add, gaps, widths))
    edges = zip(rights, widths, accumulate(tops), accumulate(bottoms), strict=True)
    return [_box(*edge, scale) for edge in islice(edges, start, end)]


def page_at(layout: Layout, position: int) -> Page | None:
    """The page whose text holds ``position``; ``None`` where the format has no pages."""
    index = bisect_right(layout.pages, position, key=lambda page: page.start) - 1
    while index >= 0 and layout.pages[index].end <= position:
        index -= 1
    return layout.pages[index] if index >= 0 else None


def block_at(layout: Layout, position: int) -> Block | None:
    """The block that holds ``position``, else the next one after it, else ``None``."""
    index = bisect_right(layout.blocks, position, key=lambda block: block.start) - 1
    if index >= 0 and layout.blocks[index].end > position:
        return layout.blocks[index]
    return layout.blocks[index + 1] if index + 1 < len(layout.blocks) else None


def rects(layout: Layout, start: int, end: int) -> tuple[Rect, ...]:
    """Rectangles that cover ``text[start:end]``, one per line and page, in text order.

    Empty for an empty range, for a range without ink, and for formats without geometry.
    """
    found: list[Rect] = []
    for page in _pages_between(layout, start, end):
        boxes = decode_boxes(page.boxes, max(start - page.start, 0), end - page.start)
        found.extend(_merged(boxes, page.index))
    return tuple(found)


def locate(layout: Layout, start: int, end: int) -> Location:
    """Where a person finds ``text[start:end]``. The page is that of the first ink in the range."""
    found = rects(layout, start, end)
    block = block_at(layout, start)
    page = _page_of(layout, found, start)
    index = page.index if page else block.page_index if block else None
    sheet, cell_range = sheet_cells(layout, start, end)
    return Location(
        page_index=index,
        page_label=page.label if page else None,
        heading_path=block.heading_path if block else (),
        line=block.line if block else None,
        rects=found,
        sheet=sheet,
        cell_range=cell_range,
    )


def _page_of(layout: Layout, found: tuple[Rect, ...], start: int) -> Page | None:
    if not found:
        return page_at(layout, start)
    at = bisect_left(layout.pages, found[0].page_index, key=lambda page: page.index)
    return layout.pages[at]


def _pages_between(layout: Layout, start: int, end: int) -> Iterator[Page]:
    pages = layout.pages
    index = max(bisect_right(pages, start, key=lambda page: page.start) - 1, 0)
    while index < len(pages) and pages[index].start < end:
        if pages[index].end > start:
            yield pages[index]
        index += 1


# --- lines -----------------------------------------------------------------------------------------


def _merged(boxes: Iterable[Box | None], page_index: int) -> Iterator[Rect]:
    line: Box | None = None
    last: Box | None = None
    upright: bool | None = None  # True: the line runs across, False: down the page; None: one glyph so far
    for box in boxes:
        if box is None:
            continue
        direction = _joins(line, last, box, upright)
        if line is None or direction is None:
            if line is not None:
                yield _rect(line, page_index)
            line, upright = box, None
        else:
            line = Box(min(line.x0, box.x0), min(line.y0, box.y0), max(line.x1, box.x1), max(line.y1, box.y1))
            upright = direction if box != last else upright
        last = box
    if line is not None:
        yield _rect(line, page_index)


def _joins(line: Box | None, last: Box | None, box: Box, upright: bool | None) -> bool | None:  # noqa: FBT001
    """The direction in which ``box`` goes on the line, or ``None`` when it starts another."""
    if line is None or last is None:
        return None
    across = _overlap(line.y0, line.y1, box.y0, box.y1) >= _SAME_LINE_OVERLAP
    near = _gap(line.x0, line.x1, box.x0, box.x1) <= _MAX_GAP_HEIGHTS * max(line.y1 - line.y0, box.y1 - box.y0)
    if upright is not False and across and near:
        return True
    down = _overlap(last.x0, last.x1, box.x0, box.x1) >= _SAME_LINE_OVERLAP
    close = _gap(last.y0, last.y1, box.y0, box.y1) <= 0.5 * (box.x1 - box.x0)
    return False if upright is not True and down and close else None


def _overlap(a0: float, a1: float, b0: float, b1: float) -> float:
    """Shared length over the smaller of the two."""
    smaller = min(a1 - a0, b1 - b0)
    return (min(a1, b1) - max(a0, b0)) / smaller if smaller > 0 else 0.0


def _gap(a0: float, a1: float, b0: float, b1: float) -> float:
    return max(a0 - b1, b0 - a1, 0.0)


def _rect(box: Box, page_index: int) -> Rect:
    return Rect(page_index=page_index, x0=box.x0, y0=box.y0, x1=box.x1, y1=box.y1)


# --- packing ---------------------------------------------------------------------------------------


def _scale(boxes: Sequence[Box | None]) -> float:
    largest = max((max(box.x1, box.y1) for box in boxes if box is not None), default=0.0)
    scale = _UNITS_PER_PT if largest * _UNITS_PER_PT < _MAX_UNIT else (_MAX_UNIT - 1) / largest
    return float(struct.unpack("<f", struct.pack("<f", scale))[0])


def _columns(boxes: Sequence[Box | None], scale: float) -> tuple[list[int], ...]:
    gaps, widths, tops, bottoms = list[int](), list[int](), list[int](), list[int]()
    right = top = bottom = 0
    for box in boxes:
        # Width 0 means "no box"; everything else stands still then, so it costs nothing.
        edges = (right, top, right, bottom) if box is None else _outward(box, scale)
        gaps.append((edges[0] - right) & _MAX_UNIT)
        widths.append(edges[2] - edges[0])
        tops.append((edges[1] - top) & _MAX_UNIT)
        bottoms.append((edges[3] - bottom) & _MAX_UNIT)
        _, top, right, bottom = edges
    return gaps, widths, tops, bottoms


def _outward(box: Box, scale: float) -> tuple[int, int, int, int]:
    """In whole units, rounded outwards and at least one wide and high, so that a packed box never loses ink."""
    x0, y0, x1, y1 = int(box[0] * scale), int(box[1] * scale), int(box[2] * scale), int(box[3] * scale)
    if 0 <= x0 <= x1 < _MAX_UNIT and 0 <= y0 <= y1 < _MAX_UNIT:
        return x0, y0, x1 + 1, y1 + 1
    x0, y0 = min(max(x0, 0), _MAX_UNIT - 1), min(max(y0, 0), _MAX_UNIT - 1)
    return x0, y0, min(max(x1, x0) + 1, _MAX_UNIT), min(max(y1, y0) + 1, _MAX_UNIT)


def _planes(column: list[int]) -> bytes:
    raw = _little_endian(array("H", column)).tobytes()
    return raw[0::2] + raw[1::2]


def _column(packed: bytes, index: int, length: int) -> list[int]:
    raw = bytearray(length * 2)
    at = index * length * 2
    raw[0::2] = packed[at : at + length]
    raw[1::2] = packed[at + length : at + 2 * length]
    return _little_endian(array("H", bytes(raw))).tolist()


def _little_endian(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _unpack_header(data: bytes) -> tuple[int, float, int]:
    try:
        number, scale, length = _HEADER.unpack_from(data)
    except struct.error as exc:
        raise ValueError("packed boxes are cut short") from exc
    return number, scale, length


def _inflate(data: bytes, length: int) -> bytes:
    inflater = zlib.decompressobj()
    try:
        packed = inflater.decompress(data[_HEADER.size :], length + 1)
    except zlib.error as exc:
        raise ValueError("packed boxes are damaged") from exc
    if len(packed) != length or not inflater.eof:
        raise ValueError("packed boxes have the wrong length")
    return packed


def _box(right: int, width: int, top: int, bottom: int, scale: float) -> Box | None:
    if not width:
        return None
    x1 = right & _MAX_UNIT
    return Box((x1 - width) / scale, (top & _MAX_UNIT) / scale, x1 / scale, (bottom & _MAX_UNIT) / scale)
