"""One DOCX paragraph to pieces: what is shown of it, with offsets into the paragraph's own text.

The text of a paragraph, which offsets count in, is every ``w:t`` and ``m:t``, tab, break and non-breaking
hyphen in it, in order, whether shown or not; tracked deletions have no ``w:t``. Paragraphs of a text box inside
it have texts of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.adapters.parsers.canon import BREAK, Piece
from pincite.adapters.parsers.docx_package import MC, M, W, val
from pincite.adapters.parsers.marks import raised

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lxml.etree import _Element

    from pincite.adapters.parsers.docx_styles import Styles

_SINGLE = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "\u2011"}
_TEXTS = frozenset({f"{W}t", f"{M}t"})
_BOX = f"{W}txbxContent"
_DROPPED = {
    f"{W}del": "tracked_deletions_dropped",
    f"{W}moveFrom": "tracked_deletions_dropped",
    f"{W}rt": "",  # the reading aid over a ruby base
}
_PROPERTIES = frozenset({f"{W}pPr", f"{W}rPr", f"{W}sdtPr", f"{W}sdtEndPr", f"{W}tblPr", f"{W}instrText"})
_PRIVATE_USE = range(0xE000, 0xF900)
_SYMBOLS = {
    0xF0FC: "✓", 0xF0FB: "✗", 0xF0A8: "☐", 0xF06F: "☐", 0xF0FE: "☒", 0xF0FD: "☒", 0xF052: "☑",
    0xF0B7: "•", 0xF0A7: "▪", 0xF0D8: "➢", 0xF0E0: "→", 0xF0B0: "°", 0xF0B1: "±", 0xF0A3: "≤", 0xF0B3: "≥",
}  # fmt: skip
_SMALLEST_HALF_POINTS = 3
"""Text of one point and less cannot be read by anyone."""
_WHITE = frozenset({"FFFFFF"})


@dataclass(slots=True)
class Notes:
    """Footnotes and endnotes in the order in which the text refers to them."""

    order: list[tuple[str, str]] = field(default_factory=list)
    _numbers: dict[tuple[str, str], int] = field(default_factory=dict)

    def number(self, part: str, note_id: str) -> int:
        """The number of a note, which it gets at its first reference."""
        if (part, note_id) not in self._numbers:
            self.order.append((part, note_id))
            self._numbers[part, note_id] = len(self.order)
        return self._numbers[part, note_id]


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """What a reader sees of a paragraph, and the text boxes that hang on it."""

    pieces: list[Piece]
    boxes: list[_Element]


@dataclass(slots=True)
class _Walk:
    part: str
    style_id: str | None
    on_white: Callable[[], bool]
    pieces: list[Piece] = field(default_factory=list)
    boxes: list[_Element] = field(default_factory=list)
    offset: int = 0


class ParagraphReader:
    """Reads paragraphs in document order; field codes may run from one into the next."""

    def __init__(self, styles: Styles, notes: Notes, flags: set[str]) -> None:
        self._styles = styles
        self._notes = notes
        self._flags = flags
        self._fields: list[bool] = []

    def read(self, paragraph: _Element, *, part: str, style_id: str | None, on_white: Callable[[], bool]) -> Shown:
        """``part`` names the paragraph in runs; ``on_white`` tells whether nothing lies behind its text."""
        walk = _Walk(part=part, style_id=style_id, on_white=on_white)
        self._children(paragraph, walk, show=True)
        return Shown(pieces=walk.pieces, boxes=walk.boxes)

    def _children(self, element: _Element, walk: _Walk, *, show: bool) -> None:
        for child in element:
            tag = child.tag
            if tag in _PROPERTIES or not isinstance(tag, str):
                continue
            if tag == f"{W}r":
                self._run(child, walk, show=show)
            elif tag == _BOX:
                if show:
                    walk.boxes.append(child)
            elif tag == f"{MC}AlternateContent":
                self._alternatives(child, walk, show=show)
            elif tag in _DROPPED:
                self._note_flag(child, _DROPPED[tag], show=show)
                self._children(child, walk, show=False)
            elif not self._atom(child, walk, show=show):
                self._children(child, walk, show=show)

    def _alternatives(self, element: _Element, walk: _Walk, *, show: bool) -> None:
        """The first choice is shown; the fallback repeats it for old programs."""
        shown = False
        for branch in element:
            is_first = not shown and (branch.tag == f"{MC}Choice" or branch is element[-1])
            self._children(branch, walk, show=show and is_first)
            shown = shown or is_first

    def _note_flag(self, element: _Element, flag: str, *, show: bool) -> None:
        texts = (f"{W}delText", f"{W}t")
        if show and flag and any((text.text or "").strip() for text in element.iter(*texts)):
            self._flags.add(flag)

    def _run(self, run: _Element, walk: _Walk, *, show: bool) -> None:
        properties = run.find(f"{W}rPr")
        hidden = self._hidden_flag(properties, walk) if show else None
        before = len(walk.pieces)
        if hidden is not None:
            if any((text.text or "").strip() for text in run.iter(f"{W}t")):
                self._flags.add(hidden)
            show = False
        self._children(run, walk, show=show)
        raise_ = properties.find(f"{W}vertAlign") if properties is not None else None
        if val(raise_) == "superscript":
            walk.pieces[before:] = raised(walk.pieces[before:])

    def _hidden_flag(self, properties: _Element | None, walk: _Walk) -> str | None:
        """Why nobody sees the text of a run, or None when they do."""
        toggle = self._styles.run_toggle
        if toggle("vanish", properties, walk.style_id):
            return "hidden_text_dropped"
        if toggle("strike", properties, walk.style_id) or toggle("dstrike", properties, walk.style_id):
            return "struck_text_dropped"
        if properties is None:
            return None
        size = val(properties.find(f"{W}sz"))
        if size is not None and size.isdecimal() and int(size) < _SMALLEST_HALF_POINTS:
            return "hidden_text_dropped"
        white = (val(properties.find(f"{W}color")) or "").upper() in _WHITE
        backed = properties.find(f"{W}shd") is not None or properties.find(f"{W}highlight") is not None
        return "hidden_text_dropped" if white and not backed and walk.on_white() else None

    def _atom(self, element: _Element, walk: _Walk, *, show: bool) -> bool:
        """Text, and what stands for text; False when it is only a wrapper around more."""
        tag = element.tag
        show = show and all(self._fields)
        if tag in _TEXTS:
            text = element.text or ""
            if show:
                walk.pieces.append(Piece(text, walk.offset, walk.part))
            walk.offset += len(text)
        elif tag in _SINGLE:
            if show:
                is_break = tag in (f"{W}br", f"{W}cr")
                walk.pieces.append(BREAK if is_break else Piece(_SINGLE[tag], walk.offset, walk.part))
            walk.offset += 1
        elif tag == f"{W}fldChar":
            self._field(element.get(f"{W}fldCharType"))
        elif tag == f"{W}sym":
            if show:
                walk.pieces.append(Piece(_symbol(element.get(f"{W}char"))))
        elif tag in (f"{W}footnoteReference", f"{W}endnoteReference"):
            if show and element.get(f"{W}customMarkFollows") is None:
                walk.pieces.append(self._reference(element))
        else:
            return False
        return True

    def _field(self, kind: str | None) -> None:
        """A field shows its result, not the code before it."""
        if kind == "begin":
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _reference(self, element: _Element) -> Piece:
        part = "footnotes" if element.tag == f"{W}footnoteReference" else "endnotes"
        return note_mark(self._notes.number(part, element.get(f"{W}id", "")))


def note_mark(number: int) -> Piece:
    """A note's number, raised."""
    return raised([Piece(str(number))])[0]


def _symbol(code: str | None) -> str:
    try:
        point = int(code or "", 16)
    except ValueError:
        return ""
    if point in _SYMBOLS:
        return _SYMBOLS[point]
    return "" if point in _PRIVATE_USE or not 0 < point < 0xD800 else chr(point)  # noqa: PLR2004 - surrogates begin


def own_paragraphs(element: _Element) -> Sequence[_Element]:
    """Paragraphs in an element that stand in no text box within it."""
    return [p for p in element.iter(f"{W}p") if not _boxed(p, element)]


def _boxed(paragraph: _Element, within: _Element) -> bool:
    parent = paragraph.getparent()
    while parent is not None and parent is not within:
        if parent.tag == _BOX:
            return True
        parent = parent.getparent()
    return False
