"""From page space (origin bottom left, before /Rotate) to what a viewer shows (origin top left), and between turns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame:
    """A page's visible box in page space, seen after a clockwise turn."""

    left: float
    bottom: float
    right: float
    top: float
    rotation_deg: int

    def size(self) -> tuple[float, float]:
        """Width and height as seen."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.rotation_deg in (90, 270) else (width, height)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of page space as seen."""
        match self.rotation_deg:
            case 90:
                return y - self.bottom, x - self.left
            case 180:
                return self.right - x, y - self.bottom
            case 270:
                return self.top - y, self.right - x
            case _:
                return x - self.left, self.top - y

    def box(self, left: float, right: float, bottom: float, top: float) -> tuple[float, float, float, float]:
        """A box of page space as seen: left, top, right, bottom."""
        xa, ya = self.point(left, bottom)
        xb, yb = self.point(right, top)
        return min(xa, xb), min(ya, yb), max(xa, xb), max(ya, yb)

    def page_point(self, x: float, y: float) -> tuple[float, float]:
        """The point of page space that is seen at ``x, y``."""
        match self.rotation_deg:
            case 90:
                return self.left + y, self.bottom + x
            case 180:
                return self.right - x, self.bottom + y
            case 270:
                return self.right - y, self.top - x
            case _:
                return self.left + x, self.top - y

    def seen_turned(
        self, rotation_deg: int, x0: float, y0: float, x1: float, y1: float
    ) -> tuple[float, float, float, float]:
        """A box of this frame as seen after another turn."""
        (xa, ya), (xb, yb) = self.page_point(x0, y0), self.page_point(x1, y1)
        return replace(self, rotation_deg=rotation_deg).box(min(xa, xb), max(xa, xb), min(ya, yb), max(ya, yb))


def frame_of(page: Any, rotation_deg: int) -> Frame:
    """The frame of a ``pypdfium2.PdfPage``: its crop box within its media box, which ``get_cropbox`` is not."""
    left, bottom, right, top = page.get_bbox()
    return Frame(left=left, bottom=bottom, right=right, top=top, rotation_deg=rotation_deg)
