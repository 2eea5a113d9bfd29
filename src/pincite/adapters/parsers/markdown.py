"""Markdown as a reader of the rendered page sees it: CommonMark, tables, strike-through, footnotes, front matter."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.adapters.parsers.canon import BREAK, Canon, Piece, RowCell, squeeze
from pincite.adapters.parsers.declared import header_dates, read_front_matter
from pincite.adapters.parsers.decoding import decode
from pincite.adapters.parsers.html_scan import scan
from pincite.adapters.parsers.html_walk import HtmlWalker
from pincite.adapters.parsers.limits import check_size, require_text
from pincite.adapters.parsers.markdown_map import ContentMap, map_cells, map_lines
from pincite.adapters.parsers.marks import raised
from pincite.adapters.parsers.plain import source_lines
from pincite.types import BlockKind, Parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

    from pincite.adapters.parsers.markdown_inline import Fragment
    from pincite.adapters.parsers.plain import Line
    from pincite.protocols import ParseLimits

_CONTROL_LINE = re.compile(r"\s*(?:(?:\{\{[#/^!][^{}]*\}\}|\{%[^{}]*%\})\s*)+")
_NOTE = re.compile(r"\[\^([^\]\s]{1,40})\]")
_NOTE_DEFINITION = re.compile(r"(?m)^ {0,3}\[\^([^\]\s]{1,40})\]:")
_NOTE_START = re.compile(r"\[\^([^\]\s]{1,40})\]:[ \t]*")


class MarkdownParser:
    """Runs count in the decoded source, front matter included."""

    name = "markdown/1"
    media_types = frozenset({"text/markdown"})

    def parse(self, data: bytes, *, source_name: str, limits: ParseLimits) -> Parsed:
        """See ``Parser.parse``."""
        from pincite.adapters.parsers.markdown_inline import markdown_parser

        check_size(data, limits)
        decoded = decode(data)
        lines = source_lines(decoded.text)
        front = read_front_matter([line.text for line in lines])
        fed = [line for line in lines[front.lines :] if not _CONTROL_LINE.fullmatch(line.text)]
        canon = Canon(max_chars=limits.max_text_chars)
        body = _Body(source=decoded.text, lines=fed, canon=canon)
        body.walk(markdown_parser().parse("\n".join(line.text for line in fed)))
        text, layout = canon.finish()
        require_text(text, source_name)
        flags = set(body.html.flags)
        if canon.smuggled:
            flags.add("invisible_text_dropped")
        if len(fed) + front.lines < len(lines):
            flags.add("template_tags_dropped")
        return Parsed(
            text=text,
            layout=layout,
            media_type="text/markdown",
            parser=self.name,
            metadata={**header_dates(text, layout.blocks), **front.metadata},
            flags=(*decoded.flags(), *sorted(flags)),
        )


@dataclass(slots=True)
class _Row:
    kind: BlockKind
    line: int
    cells: list[Token] = field(default_factory=list)


class _Body:
    """Walks block tokens. HTML inside, in blocks or in a line, goes through one HtmlWalker for the whole file."""

    def __init__(self, *, source: str, lines: Sequence[Line], canon: Canon) -> None:
        self._source = source
        self._lines = lines
        self._canon = canon
        self._map = ContentMap(source, [])
        self._block_line = 0
        self.html = HtmlWalker(canon, locate=self._locate, line_of=lambda _: self._block_line)
        definitions = dict.fromkeys(_NOTE_DEFINITION.findall("\n".join(line.text for line in lines)))
        self._notes = {label: number for number, label in enumerate(definitions, start=1)}
        self._lists: list[int] = []
        self._quotes = 0
        self._level: int | None = None
        self._label: list[Piece] = []
        self._row: _Row | None = None
        self._headers: list[str] = []
        self._rows = 0
        self._wrote_row = False

    def _locate(self, text: str, at: int) -> list[Piece]:
        return self._map.locate(text, at)

    def walk(self, tokens: Sequence[Token]) -> None:
        """Put every block into the Canon."""
        for token in tokens:
            match token.type:
                case "inline":
                    self._inline(token)
                case "fence" | "code_block":
                    self._code(token)
                case "html_block":
                    self._html_block(token)
                case _:
                    self._structure(token)
        self.html.finish()

    def _structure(self, token: Token) -> None:
        match token.type:
            case "heading_open":
                self._level = int(token.tag[1])
            case "heading_close":
                self._level = None
            case "bullet_list_open" | "ordered_list_open":
                self._lists.append(int(token.attrGet("start") or 1) if token.tag == "ol" else 0)
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "blockquote_open" | "blockquote_close":
                self._quotes += token.nesting
            case "list_item_open":
                self._label = self._item_label(token)
            case "list_item_close":
                self._label = []
            case _:
                self._table(token)

    def _item_label(self, token: Token) -> list[Piece]:
        """The number that the rendered page shows, which need not be the one in the source."""
        if not token.info:
            return []
        number = self._lists[-1]
        self._lists[-1] += 1
        line, label = self._first_line(token), f"{number}{token.markup}"
        found = line.text.find(label) if token.info == str(number) else -1
        return [Piece(label, line.at + found) if found >= 0 else Piece(label), Piece(" ")]

    def _first_line(self, token: Token) -> Line:
        start = token.map[0] if token.map else 0
        return self._lines[min(start, len(self._lines) - 1)]

    def _lines_of(self, token: Token) -> Sequence[Line]:
        start, end = token.map or (0, 0)
        return self._lines[start:end]

    # --- text --------------------------------------------------------------------------------------

    def _inline(self, token: Token) -> None:
        if self._row is not None:
            self._row.cells.append(token)
            return
        self._map = map_lines(self._source, token.content, self._lines_of(token))
        self._block_line = line = self._first_line(token).number
        label, self._label = self._label, []
        for number, pieces in enumerate(self._visible(token)):
            self._add(BlockKind.FOOTNOTE if number else self._kind(), [*label, *pieces], line)
            label = []

    def _add(self, kind: BlockKind, pieces: Sequence[Piece], line: int) -> None:
        if self.html.tags.hidden or self.html.tags.silent:
            return
        tight = kind is BlockKind.LIST_ITEM and self._canon.last_kind is BlockKind.LIST_ITEM
        self._canon.block(kind, pieces, level=self._level, line=line, tight=tight)

    def _kind(self) -> BlockKind:
        if self._level is not None:
            return BlockKind.HEADING
        if self._lists:
            return BlockKind.LIST_ITEM
        return BlockKind.QUOTE if self._quotes else BlockKind.PARAGRAPH

    def _visible(self, token: Token) -> Iterator[list[Piece]]:
        """The pieces of an inline token; after the first group, each is a footnote."""
        from pincite.adapters.parsers.markdown_inline import fragments

        depth, at_line_start = self.html.tags.depth, True
        self.html.inline = True
        for fragment in fragments(token):
            text, at = fragment.text, fragment.at
            if at_line_start and fragment.kind == "text" and (note := self._definition(text)):
                yield self.html.take()
                self.html.pieces += [*raised([Piece(str(self._notes[note[1]]))]), Piece(" ")]
                text, at = text[note.end() :], at + note.end()
            at_line_start = fragment.kind in ("break", "hard_break")
            self._take_in(fragment, text, at)
        self.html.tags.cut_to(depth)
        self.html.inline = False
        yield self.html.take()

    def _definition(self, text: str) -> re.Match[str] | None:
        match = _NOTE_START.match(text)
        return match if match and match[1] in self._notes else None

    def _take_in(self, fragment: Fragment, text: str, at: int) -> None:
        match fragment.kind:
            case "text":
                self._text(text, at)
            case "synthetic":
                self.html.synthetic(text, -1)
            case "break":
                self.html.pieces.append(Piece(" "))
            case "hard_break":
                self.html.pieces.append(BREAK)
            case _:
                self.html.feed(scan(text))

    def _text(self, text: str, at: int) -> None:
        """Text, with references to footnotes as raised numbers."""
        done = 0
        for match in _NOTE.finditer(text):
            if match[1] in self._notes:
                self.html.text(text[done : match.start()], at + done)
                number = raised([Piece(str(self._notes[match[1]]))])[0]
                self.html.synthetic(number.text, -1)
                done = match.end()
        if done < len(text):
            self.html.text(text[done:], at + done)

    # --- code and HTML -----------------------------------------------------------------------------

    def _code(self, token: Token) -> None:
        lines = self._lines_of(token)[1 if token.type == "fence" else 0 :]
        located = map_lines(self._source, token.content, lines).locate(token.content, 0)
        if not self.html.tags.hidden:
            self._canon.block(BlockKind.CODE, located, line=lines[0].number if lines else None)

    def _html_block(self, token: Token) -> None:
        self._map = map_lines(self._source, token.content, self._lines_of(token))
        self._block_line = self._first_line(token).number
        self.html.feed(scan(token.content))
        if not self.html.in_table:
            self.html.flush()

    # --- tables ------------------------------------------------------------------------------------

    def _table(self, token: Token) -> None:
        match token.type:
            case "table_open":
                self._headers, self._rows, self._wrote_row = [], 0, False
            case "tr_open":
                self._row = _Row(kind=BlockKind.TABLE_ROW, line=token.map[0] if token.map else 0)
            case "th_open" if self._row is not None:
                self._row.kind = BlockKind.TABLE_HEADER
            case "tr_close" if self._row is not None:
                row, self._row = self._row, None
                self._end_row(row)
            case _:
                pass

    def _end_row(self, row: _Row) -> None:
        line = self._lines[row.line]
        self._block_line = line.number
        contents = [token.content for token in row.cells]
        cells: list[RowCell] = []
        for column, (token, mapped) in enumerate(zip(row.cells, map_cells(self._source, contents, line), strict=True)):
            self._map = mapped
            pieces = [piece for group in self._visible(token) for piece in group]
            header = self._headers[column] if column < len(self._headers) else None
            cells.append(RowCell(pieces=pieces, column=column, header=header))
        if row.kind is BlockKind.TABLE_HEADER:
            self._headers = [squeeze(cell.pieces, breaks=" ").text for cell in cells]
        if self.html.tags.hidden or self.html.tags.silent:
            return
        wrote = self._canon.row(row.kind, cells, row=self._rows, line=line.number, tight=self._wrote_row)
        self._wrote_row = self._wrote_row or wrote
        self._rows += 1
