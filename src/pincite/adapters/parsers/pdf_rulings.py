"""Straight lines drawn on a page: borders and rules, and the edges of shaded boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MAX_PATHS = 3000
_MAX_SEGMENTS = 64  # of one path: more is a drawing
_MAX_RULINGS = 600
_MIN_LENGTH_PT = 6.0
_THIN_PT = 3.0
_SAME_PLACE_PT = 1.0


class Ruling(NamedTuple):
    """A straight line on the page in viewer points: at y from x to x if ``across``, else at x from y to y."""

    across: bool
    at: float
    low: float
    high: float


def read_rulings(page: Any, to_viewer: Callable[[float, float], tuple[float, float]]) -> tuple[Ruling, ...]:
    """Straight horizontal and vertical lines drawn on a ``pypdfium2.PdfPage``; none of a page of drawings.

    Edges of shaded boxes count only on a page without drawn lines: where there are lines, shading lies inside cells.
    """
    import pypdfium2.raw as pdfium

    drawn: set[Ruling] = set()
    shaded: set[Ruling] = set()
    paths = 0
    for at in range(pdfium.FPDFPage_CountObjects(page.raw)):
        item = pdfium.FPDFPage_GetObject(page.raw, at)
        if pdfium.FPDFPageObj_GetType(item) != pdfium.FPDF_PAGEOBJ_PATH:
            continue
        paths += 1
        if paths > _MAX_PATHS:
            return ()
        pieces = [_ruling(to_viewer(*a), to_viewer(*b)) for a, b in _edges(pdfium, item)]
        (shaded if _is_shading(pdfium, item) else drawn).update(piece for piece in pieces if piece is not None)
    found = tuple(_merged(drawn or shaded))
    return found if len(found) <= _MAX_RULINGS else ()


def _merged(rulings: set[Ruling]) -> Iterator[Ruling]:
    """Pieces that lie end to end, and the two sides of a thick line, are one ruling."""
    place: list[Ruling] = []
    for ruling in sorted(rulings):
        if place and (ruling.across != place[0].across or ruling.at - place[0].at > _SAME_PLACE_PT):
            yield from _end_to_end(place)
            place = []
        place.append(ruling)
    yield from _end_to_end(place)


def _end_to_end(place: list[Ruling]) -> Iterator[Ruling]:
    held: Ruling | None = None
    for ruling in sorted(place, key=lambda r: r.low):
        if held is not None and ruling.low <= held.high + _SAME_PLACE_PT:
            held = held._replace(high=max(held.high, ruling.high))
            continue
        if held is not None:
            yield held
        held = ruling
    if held is not None:
        yield held


def _is_shading(pdfium: Any, item: Any) -> bool:
    """Filled, not stroked, and too thick for a line."""
    fill, stroke = pdfium.c_int(), pdfium.c_int()
    pdfium.FPDFPath_GetDrawMode(item, fill, stroke)
    left, bottom, right, top = (pdfium.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(item, left, bottom, right, top)
    return not stroke.value and min(right.value - left.value, top.value - bottom.value) > _THIN_PT


def _edges(pdfium: Any, item: Any) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Straight pieces of a path in page space."""
    segments = pdfium.FPDFPath_CountSegments(item)
    if not 1 < segments <= _MAX_SEGMENTS:
        return
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(item, matrix):
        return
    start = last = (0.0, 0.0)
    x, y = pdfium.c_float(), pdfium.c_float()
    for at in range(segments):
        segment = pdfium.FPDFPath_GetPathSegment(item, at)
        if not pdfium.FPDFPathSegment_GetPoint(segment, x, y):
            return
        point = (
            matrix.a * x.value + matrix.c * y.value + matrix.e,
            matrix.b * x.value + matrix.d * y.value + matrix.f,
        )
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start = point
        elif kind == pdfium.FPDF_SEGMENT_LINETO:
            yield last, point
        last = point
        if pdfium.FPDFPathSegment_GetClose(segment):
            yield point, start


def _ruling(a: tuple[float, float], b: tuple[float, float]) -> Ruling | None:
    width, height = abs(a[0] - b[0]), abs(a[1] - b[1])
    if height <= 1 and width >= _MIN_LENGTH_PT:
        return Ruling(across=True, at=_round(a[1]), low=_round(min(a[0], b[0])), high=_round(max(a[0], b[0])))
    if width <= 1 and height >= _MIN_LENGTH_PT:
        return Ruling(across=False, at=_round(a[0]), low=_round(min(a[1], b[1])), high=_round(max(a[1], b[1])))
    return None


def _round(value: float) -> float:
    return round(value * 2) / 2
