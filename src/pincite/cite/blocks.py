"""The answer as blocks: paragraphs, list items, table rows, headings and code, each with its visible text.

Whatever the Markdown reader leaves out becomes a paragraph of its own, so that nothing said goes unread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from pincite.cite.markdown import OPAQUE, Flat, flatten, parser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_ROW_LEAD = re.compile(r"(?:[ \t>*+-]|[0-9]{1,9}[.)])*(?=\|)|[ \t>]*")
_WORDY = re.compile(r"\w")
CELL_SEPARATOR = " | "
_STRIPPED_LINES = 20


class Kind(StrEnum):
    """What a block is to its claims."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    HEADING = "heading"
    HEADER_ROW = "header_row"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """One block. ``lead`` is the index of the paragraph that introduces its list, or of its table's header row.

    ``line`` is where it begins, ``start``/``end`` the answer range of its lines.
    """

    kind: Kind
    flat: Flat
    line: int
    start: int
    end: int
    lead: int | None = None


def blocks(answer: str) -> list[Block]:
    """The blocks of the answer in order. Empty text has none."""
    reader = _Reader(answer)
    for token in parser().parse(answer):
        reader.take(token)
    return reader.finish()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """A block before its lead is counted in the final order: ``lead`` is a line here."""

    kind: Kind
    flat: Flat
    line: int
    last_line: int
    lead: int | None


class _Reader:
    """Walks the block tokens."""

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.lines = [(m.start(), len(m[0].rstrip("\r\n")) + m.start()) for m in _LINE.finditer(answer)]
        self.found: list[_Found] = []
        self.covered: set[int] = set()
        self._lists: list[int | None] = []
        self._previous: _Found | None = None
        self._heading = False
        self._in_table = False
        self._header = False
        self._header_line: int | None = None

    def take(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                self._lists.append(self._lead_line())
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
                self._previous = None
            case "heading_open" | "heading_close":
                self._heading = token.nesting > 0
            case "table_open" | "table_close":
                self._in_table = token.nesting > 0
                self._header_line = self._lead_line() if token.nesting > 0 else None
            case "thead_open" | "thead_close":
                self._header = token.nesting > 0
            case "tr_open":
                self._row(token)
            case "inline" if not self._in_table:
                self._inline(token)
            case "fence" | "code_block":
                self._code(token)
            case _:
                pass

    def finish(self) -> list[Block]:
        self._take_what_was_left_out()
        self.found.sort(key=lambda block: block.line)
        by_line = {block.line: index for index, block in enumerate(self.found)}
        return [
            Block(
                kind=f.kind,
                flat=f.flat,
                line=f.line,
                start=self.lines[f.line][0],
                end=self.lines[f.last_line][1],
                lead=None if f.lead is None else by_line.get(f.lead),
            )
            for f in self.found
        ]

    def _lead_line(self) -> int | None:
        """The line of the paragraph that introduces what opens now, when it stands directly before it."""
        previous = self._previous
        return previous.line if previous and previous.kind in {Kind.PARAGRAPH, Kind.ITEM} else None

    def _add(self, kind: Kind, flat: Flat, line: int, end: int, lead: int | None) -> None:
        self.covered.update(range(line, end))
        self._previous = _Found(kind=kind, flat=flat, line=line, last_line=end - 1, lead=lead)
        self.found.append(self._previous)

    def _inline(self, token: Token) -> None:
        start, end = token.map or [0, 0]
        source, origin = self._placed(token.content.split("\n"), start)
        kind = Kind.HEADING if self._heading else Kind.ITEM if self._lists else Kind.PARAGRAPH
        lead = self._lists[-1] if self._lists else None
        self._add(kind, flatten(source, origin), start, end, lead)

    def _placed(self, lines: Sequence[str], first: int) -> tuple[str, list[int]]:
        """The lines of an inline token joined, and each character's place in the answer."""
        pieces: list[str] = []
        origin: list[int] = []
        number = first
        for line in lines:
            if pieces:
                pieces.append("\n")
                origin.append(-1)
            body = line.lstrip(" \t")
            number, at = self._line_of(body, number)
            pieces.append(self.answer[at : at + len(body)] if at >= 0 else body)
            origin.extend(range(at, at + len(body)) if at >= 0 else [-1] * len(body))
            number += 1
        return "".join(pieces), origin

    def _line_of(self, body: str, first: int) -> tuple[int, int]:
        """The line that holds the words, from ``first`` on, and their place in the answer; -1 when none does.

        The Markdown reader strips a paragraph of what Python calls white space, whole lines included.
        """
        for number in range(first, min(first + _STRIPPED_LINES, len(self.lines))):
            start, end = self.lines[number]
            at = _last_place(body.rstrip(), self.answer[start:end].replace("\0", "\ufffd"))
            if at >= 0:
                return number, start + at
        return first, -1

    def _row(self, token: Token) -> None:
        line = (token.map or [0, 0])[0]
        start, end = self.lines[line]
        lead = _ROW_LEAD.match(self.answer, start, end)
        flat = _row_flat(self.answer, lead.end() if lead else start, end)
        kind = Kind.HEADER_ROW if self._header else Kind.ROW
        self._add(kind, flat, line, line + (2 if self._header else 1), self._header_line)
        if self._header:
            self._header_line = line

    def _code(self, token: Token) -> None:
        start, end = token.map or [0, 0]
        self.covered.update(range(start, end))
        lines = token.content.removesuffix("\n").split("\n")
        first = start + (token.type == "fence")
        if len(token.info.split()) > 1:  # more than a language: words that the fence must not hide
            lines, first = [token.info.strip(), *lines], start
        source, origin = self._placed(lines, first)
        if source.strip():
            self._add(Kind.CODE, Flat(text=source, at=origin, masked=OPAQUE * len(source)), start, end, None)

    def _take_what_was_left_out(self) -> None:
        for number, (start, end) in enumerate(self.lines):
            raw = self.answer[start:end]
            if number not in self.covered and _WORDY.search(raw):
                flat = Flat(text=raw, at=range(start, end), masked=raw)
                self._add(Kind.PARAGRAPH, flat, number, number + 1, None)


def _last_place(body: str, raw: str) -> int:
    """Content stands at the end of its line, but for a heading's closing signs."""
    stripped = raw.rstrip()
    return len(stripped) - len(body) if stripped.endswith(body) else raw.rfind(body)


def _row_flat(answer: str, start: int, end: int) -> Flat:
    """One row: its cells in order, all of them, however many the header has."""
    texts: list[str] = []
    masks: list[str] = []
    at: list[int] = []
    links: dict[tuple[int, int], tuple[int, int]] = {}
    for cell_start, cell_end in _cells(answer, start, end):
        flat = flatten(answer[cell_start:cell_end], range(cell_start, cell_end))
        if not flat.text:
            continue
        if texts:
            texts.append(CELL_SEPARATOR)
            masks.append(CELL_SEPARATOR)
            at.extend([-1] * len(CELL_SEPARATOR))
        offset = len(at)
        links |= {(a + offset, b + offset): outer for (a, b), outer in flat.links.items()}
        texts.append(flat.text)
        masks.append(flat.masked)
        at.extend(flat.at)
    return Flat(text="".join(texts), at=at, masked="".join(masks), links=links)


def _cells(answer: str, start: int, end: int) -> list[tuple[int, int]]:
    """The trimmed cells between unescaped bars."""
    edges = [start - 1, *(i for i in range(start, end) if answer[i] == "|" and answer[i - 1 : i] != "\\"), end]
    found = []
    for left, right in pairwise(edges):
        raw = answer[left + 1 : right]
        lead = len(raw) - len(raw.lstrip())
        found.append((left + 1 + lead, left + 1 + lead + len(raw.strip())))
    return found
