"""Blocks to canonical text with a box for every code point, line-end hyphens folded away."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pincite.adapters.parsers.pdf_chars import HYPHEN, Glyph
from pincite.adapters.parsers.pdf_lines import ends_with_hyphen
from pincite.text.layout import Box, encode_boxes
from pincite.types import Block, BlockKind, Cell, Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.adapters.parsers.pdf_blocks import Draft
    from pincite.adapters.parsers.pdf_chars import PageText
    from pincite.adapters.parsers.pdf_lines import Line

CELL_SEPARATOR = " | "
_ARABIC_MARKS = frozenset(map(chr, range(0x064B, 0x0653)))
_WORD = re.compile(r"\w+(?:-\w+)*")
_HEAD = re.compile(r"[\w-]*\w$")
_ADDRESS = re.compile(r"(?:/|www\.|@)\S*$")  # a web address keeps its hyphens
_TAIL = re.compile(r"\w+")
_ROWS = (BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW)


@dataclass(kw_only=True)
class Writer:
    """Builds text, blocks and pages in one pass; what it is given must be in page order."""

    page_texts: Sequence[PageText]
    labels: Sequence[str | None]
    furniture: dict[int, list[tuple[Line, BlockKind]]]
    words: frozenset[str]
    chars: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    dropped_furniture: list[int] = field(default_factory=list)
    _boxes: list[list[Box | None]] = field(default_factory=lambda: [[]])
    _starts: list[int] = field(default_factory=lambda: [0])
    _path: list[tuple[int, str]] = field(default_factory=list)
    _last: Draft | None = None

    def write(self, drafts: Iterable[Draft]) -> None:
        """All blocks, each page's headers and footers before its first block, never inside one."""
        for draft in drafts:
            self._write_furniture(draft.first.page_index)
            self._write_draft(draft)
        self._write_furniture(len(self.page_texts) - 1)
        self._turn_to(len(self.page_texts) - 1)

    def pages(self) -> tuple[Page, ...]:
        """The pages, whose ranges follow on each other and cover the text."""
        ends = [*self._starts[1:], len(self.chars)]
        return tuple(
            Page(
                index=page.index,
                label=label,
                start=start,
                end=end,
                width_pt=viewer_size(page)[0],
                height_pt=viewer_size(page)[1],
                rotation_deg=page.rotation_deg,
                boxes=encode_boxes(_in_viewer(boxes, page)) if any(boxes) else b"",
            )
            for page, label, start, end, boxes in zip(
                self.page_texts, self.labels, self._starts, ends, self._boxes, strict=True
            )
        )

    # --- blocks ---

    def _write_furniture(self, upto: int) -> None:
        for index in sorted(index for index in self.furniture if index <= upto):
            lines = self.furniture.pop(index)
            if index < len(self._starts) - 1:  # a paragraph runs over this whole page: there is no place outside it
                self.dropped_furniture.append(index)
                continue
            self._turn_to(index)
            for line, kind in lines:
                self._separate("\n\n")
                start = len(self.chars)
                self._write_lines([line])
                self.blocks.append(Block(start=start, end=len(self.chars), kind=kind, page_index=index))
                self._last = None

    def _write_draft(self, draft: Draft) -> None:
        self._separate(_separator(self._last, draft))
        self._turn_to(draft.first.page_index)
        start = len(self.chars)
        cells = tuple(self._write_cells(draft))
        if draft.lines:
            self._write_lines(draft.lines, newline="\n" if draft.kind is BlockKind.CODE else " ")
        path = self._enter(draft, "".join(self.chars[start:]))
        self.blocks.append(
            Block(
                start=start,
                end=len(self.chars),
                kind=draft.kind,
                heading_path=path,
                level=draft.level,
                page_index=draft.first.page_index,
                cells=cells,
            )
        )
        self._last = draft

    def _write_cells(self, draft: Draft) -> Iterator[Cell]:
        for number, (column, lines) in enumerate(draft.cells.items()):
            if number:
                self._put_all(CELL_SEPARATOR)
            start = len(self.chars)
            self._write_lines(lines)
            header = " ".join(line.text for line in draft.headers.get(column, [])) or None
            yield Cell(start=start, end=len(self.chars), row=draft.row, column=column, header=header)

    def _enter(self, draft: Draft, text: str) -> tuple[str, ...]:
        """The headings above a block; a heading becomes the innermost one for what follows."""
        if draft.level is None:
            return tuple(title for _, title in self._path)
        while self._path and self._path[-1][0] >= draft.level:
            self._path.pop()
        path = tuple(title for _, title in self._path)
        self._path.append((draft.level, text))
        return path

    # --- characters ---

    def _write_lines(self, lines: Sequence[Line], newline: str = " ") -> None:
        for number, line in enumerate(lines):
            after = lines[number + 1] if number + 1 < len(lines) else None
            self._turn_to(line.page_index)
            if after is None or newline == "\n" or not ends_with_hyphen(line):
                self._put_glyphs(line, line.glyphs, keep_spaces=newline == "\n")
                if after is not None:
                    self._put(newline, None)
            elif _keeps_hyphen(line, after, self.words):
                self._put_glyphs(line, line.glyphs)
            else:
                self._put_glyphs(line, line.glyphs[:-1])
                self._widen_last(line.glyphs[-1])

    def _put_glyphs(self, line: Line, glyphs: Sequence[Glyph], *, keep_spaces: bool = False) -> None:
        top, bottom = _extent(line)
        for glyph in glyphs:
            if glyph.char == " ":
                if keep_spaces or self.chars[-1] != " ":
                    self._put(" ", None)
                continue
            if glyph.char in _ARABIC_MARKS and self.chars[-1] == " ":
                self._take_back()  # PDFium takes the gap under a vowel mark for a space
            box = Box(glyph.x0, glyph.y0, glyph.x1, glyph.y1)
            if _is_plain(glyph, line):
                box = Box(box.x0, min(top, box.y0), box.x1, max(bottom, box.y1))
            self._put("-" if glyph.char == HYPHEN else glyph.char, box)

    def _put(self, char: str, box: Box | None) -> None:
        self.chars.append(char)
        self._boxes[-1].append(box)

    def _take_back(self) -> None:
        if self._boxes[-1]:
            self.chars.pop()
            self._boxes[-1].pop()

    def _put_all(self, text: str) -> None:
        for char in text:
            self._put(char, None)

    def _separate(self, separator: str) -> None:
        if self.chars:
            self._put_all(separator)

    def _widen_last(self, hyphen: Glyph) -> None:
        """Let the letter before a folded hyphen cover it, so that a highlight has no hole."""
        box = self._boxes[-1][-1]
        if box is not None:
            self._boxes[-1][-1] = Box(min(box.x0, hyphen.x0), box.y0, max(box.x1, hyphen.x1), box.y1)

    def _turn_to(self, index: int) -> None:
        while len(self._starts) <= index:
            self._starts.append(len(self.chars))
            self._boxes.append([])


def viewer_size(page: PageText) -> tuple[float, float]:
    """Width and height of a page as the viewer shows it."""
    return replace(page.frame, rotation_deg=page.rotation_deg).size()


def _in_viewer(boxes: list[Box | None], page: PageText) -> list[Box | None]:
    if page.frame.rotation_deg == page.rotation_deg:
        return boxes
    turned = page.frame.seen_turned
    return [box and Box(*turned(page.rotation_deg, *box)) for box in boxes]


def words_of(pages: Iterable[Sequence[Line]]) -> frozenset[str]:
    """Words and hyphenated words of the document, case folded, without those cut at a line's end."""
    words: set[str] = set()
    for lines in pages:
        for line in lines:
            found = [word.casefold() for word in _WORD.findall(line.text)]
            words.update(found[:-1] if ends_with_hyphen(line) else found)
    return frozenset(words)


def _keeps_hyphen(line: Line, after: Line, words: frozenset[str]) -> bool:
    """Whether the hyphen belongs to the word; the document's own spelling decides, then how the rest begins."""
    head, tail = _HEAD.search(line.text[:-1]), _TAIL.match(after.text)
    if head is None or tail is None or _ADDRESS.search(line.text):
        return True
    if (head.group().rpartition("-")[2] + tail.group()).casefold() in words:
        return False
    if f"{head.group()}-{tail.group()}".casefold() in words:
        return True
    return not (tail.group()[0].islower() and head.group()[-1].isalpha())


def _is_plain(glyph: Glyph, line: Line) -> bool:
    """Of the line's usual size, so that it shares the line's height; a superscript or large initial keeps its own."""
    usual = 0.8 * line.size_pt <= glyph.style.size_pt <= 1.25 * line.size_pt
    return usual and glyph.style.upright and glyph.y1 - glyph.y0 <= 1.6 * line.size_pt


def _extent(line: Line) -> tuple[float, float]:
    plain = [glyph for glyph in line.inked if _is_plain(glyph, line)] or list(line.inked)
    return min(glyph.y0 for glyph in plain), max(glyph.y1 for glyph in plain)


def _separator(last: Draft | None, draft: Draft) -> str:
    if last is None:
        return "\n\n"
    if last.kind is BlockKind.LIST_ITEM and draft.kind is BlockKind.LIST_ITEM:
        return "\n"
    return "\n" if last.kind in _ROWS and draft.kind in _ROWS and draft.row > last.row else "\n\n"
