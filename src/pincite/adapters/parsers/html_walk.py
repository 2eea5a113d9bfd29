"""HTML tokens to blocks: what a reader of the page sees, in order, with its place in the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.adapters.parsers.canon import BREAK, Piece
from pincite.adapters.parsers.html_scan import Kind, Token
from pincite.adapters.parsers.html_tables import Table, append_gap
from pincite.adapters.parsers.html_tags import BLOCKS, HEADINGS, VOID, HiddenBySheet, OpenTags
from pincite.adapters.parsers.marks import list_label, raised
from pincite.types import BlockKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pincite.adapters.parsers.canon import Canon

_QUOTES = {"q": ("“", "”")}
_TABLE_TAGS = frozenset({"table", "caption", "tr", "td", "th"})


class HtmlWalker:
    """Feed it tokens; it puts blocks into the Canon. Also used for the HTML inside Markdown.

    ``locate`` maps visible text at a source offset to pieces; ``line_of`` an offset to its line.
    """

    def __init__(
        self,
        canon: Canon,
        *,
        locate: Callable[[str, int], list[Piece]],
        line_of: Callable[[int], int],
        sheet: HiddenBySheet | None = None,
        has_main: bool = False,
        self_closing: bool = False,
    ) -> None:
        self._canon = canon
        self._locate = locate
        self._line_of = line_of
        self._self_closing = self_closing
        self._has_main = has_main
        self._main_seen = False
        self.tags = OpenTags(sheet or HiddenBySheet())
        self.pieces: list[Piece] = []
        self.flags: set[str] = set()
        self.inline = False
        self._line: int | None = None
        self._heading: int | None = None
        self._lists: list[int | None] = []
        self._list_types: list[str] = []
        self._item_label: str | None = None
        self._raised_from: list[int] = []
        self._tables: list[Table] = []

    def feed(self, tokens: Iterable[Token]) -> None:
        """Take in the tokens of one source or fragment."""
        for token in tokens:
            match token.kind:
                case Kind.TEXT:
                    self.text(token.text, token.at)
                case Kind.REFERENCE:
                    self.synthetic(token.text, token.at)
                case Kind.START:
                    self._start(token)
                case Kind.END:
                    self._end_tag(token.text)

    def text(self, text: str, at: int) -> None:
        """Visible text that stands in the source, unless an open element hides it."""
        if self._shows(text):
            self._note_line(text, at)
            self.pieces += self._locate(text, at)

    def synthetic(self, text: str, at: int) -> None:
        """Visible text that the source writes in another way."""
        if self._shows(text):
            self._note_line(text, at)
            self.pieces.append(Piece(text))

    @property
    def in_table(self) -> bool:
        """Whether a table is open."""
        return bool(self._tables)

    def finish(self) -> None:
        """Write out what is left."""
        while self._tables:
            self._end_table()
        self.flush()

    def _shows(self, text: str) -> bool:
        if self.tags.silent:
            return False
        if self.tags.hidden or self.tags.struck:
            if text.strip():
                self.flags.add("hidden_text_dropped" if self.tags.hidden else "struck_text_dropped")
            return False
        return True

    def _note_line(self, text: str, at: int) -> None:
        if self._line is None and not self.inline and (shown := text.lstrip()):
            self._line = self._line_of(at + len(text) - len(shown))

    # --- tags --------------------------------------------------------------------------------------

    def _start(self, token: Token) -> None:
        tag, attributes = token.text, token.attributes
        if self.inline and tag in BLOCKS and not self.tags.silent:
            self.pieces.append(BREAK)
        for ended in self.tags.open(tag, attributes):
            self._left(ended)
        if tag in VOID or not (self.tags.hidden or self.tags.silent):
            self._entered(tag, attributes)
        if self._self_closing and attributes.get("/") is not None:
            self._end_tag(tag)

    def _end_tag(self, tag: str) -> None:
        if self.inline and tag in BLOCKS and not self.tags.silent:
            self.pieces.append(BREAK)
        for ended in self.tags.close(tag):
            self._left(ended)

    def _entered(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in ("br", "wbr"):
            if tag == "br" and not (self.tags.hidden or self.tags.silent):
                self.pieces.append(BREAK)
        elif tag in _QUOTES:
            self.pieces.append(Piece(_QUOTES[tag][0]))
        elif tag == "sup":
            self._raised_from.append(len(self.pieces))
        elif tag in BLOCKS and not self.inline:
            self._boundary()
            self._entered_block(tag, attributes)

    def _entered_block(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in HEADINGS:
            if self._tables:
                self._tables[-1].turn_to_layout(self._emit_row)
                self._boundary()
            self._heading = HEADINGS[tag]
        elif tag in ("ol", "ul"):
            self._lists.append(_integer(attributes.get("start"), 1) if tag == "ol" else None)
            self._list_types.append(attributes.get("type", "1"))
        elif tag == "li" and self._lists:
            self._number_item(attributes)
        elif tag in _TABLE_TAGS:
            self._entered_table(tag, attributes)
        elif tag == "main":
            self._main_seen = True

    def _left(self, tag: str) -> None:
        if tag in _QUOTES:
            self.pieces.append(Piece(_QUOTES[tag][1]))
        elif tag == "sup" and self._raised_from:
            start = self._raised_from.pop()
            self.pieces[start:] = raised(self.pieces[start:])
        elif tag in BLOCKS and not self.inline:
            self._left_block(tag)

    def _left_block(self, tag: str) -> None:
        if tag in ("td", "th") and self._tables and self._tables[-1].in_cell:
            self._tables[-1].end_cell(self.take())
        else:
            self._boundary(ending=tag)
        if tag in HEADINGS:
            self._heading = None
        elif tag in ("ol", "ul") and self._lists:
            self._lists.pop()
            self._list_types.pop()
        elif tag == "tr" and self._tables:
            self._emit_row(self._tables[-1])
        elif tag == "table" and self._tables:
            self._end_table()

    def _number_item(self, attributes: Mapping[str, str]) -> None:
        number = self._lists[-1]
        if number is not None:
            number = _integer(attributes.get("value"), number)
            self._item_label = list_label(number, self._list_types[-1])
            self._lists[-1] = number + 1

    # --- tables ------------------------------------------------------------------------------------

    def _entered_table(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "table":
            nested = bool(self._tables) and self._tables[-1].in_cell
            layout = attributes.get("role", "").lower() in ("presentation", "none")
            self._tables.append(Table(flat=nested, layout=layout))
        elif self._tables and tag in ("td", "th"):
            self._tables[-1].begin_cell(tag, attributes, in_head=self.tags.inside("thead"))

    def _end_table(self) -> None:
        table = self._tables[-1]
        if table.in_cell:
            table.end_cell(self.take())
        self._emit_row(table)
        self._tables.pop()
        if table.flat and self._tables:
            self.pieces = table.flattened
            append_gap(self.pieces)

    def _emit_row(self, table: Table) -> None:
        """Write the row that has just ended, as a row or, in a table that only arranges things, as paragraphs."""
        line, self._line = self._line, None
        row = table.end_row()
        if row is None:
            return
        if row.paragraphs is not None:
            for pieces in row.paragraphs:
                self._canon.block(self._kind(), pieces, line=line)
        elif row.kind is not None:
            kind = self._furniture("") or row.kind
            wrote = self._canon.row(kind, row.cells, row=row.number, line=line, tight=table.wrote_rows)
            table.wrote_rows = table.wrote_rows or wrote

    # --- blocks ------------------------------------------------------------------------------------

    def take(self) -> list[Piece]:
        """The pieces so far, which are then somebody else's."""
        pieces, self.pieces = self.pieces, []
        self._raised_from.clear()
        return pieces

    def _boundary(self, *, ending: str = "") -> None:
        if self._tables and self._tables[-1].in_cell:
            append_gap(self.pieces)
        else:
            self.flush(ending=ending)

    def flush(self, *, ending: str = "") -> None:
        """Write the current block out."""
        pieces, line = self.take(), self._line
        if not any(piece.text.strip() for piece in pieces):
            return
        self._line = None
        kind, level = self._kind(ending), None
        if kind is BlockKind.HEADING:
            level = self._heading or HEADINGS.get(ending, 1)
        if self._item_label is not None and kind is BlockKind.LIST_ITEM:
            pieces.insert(0, Piece(f"{self._item_label} "))
        self._item_label = None
        tight = kind is BlockKind.LIST_ITEM and self._canon.last_kind is BlockKind.LIST_ITEM
        self._canon.block(kind, pieces, level=level, line=line, tight=tight)

    def _kind(self, ending: str = "") -> BlockKind:
        def within(*tags: str) -> bool:
            return ending in tags or any(self.tags.inside(tag) for tag in tags)

        furniture = self._furniture(ending)
        if self._heading is not None and furniture is not BlockKind.PAGE_FOOTER:
            return BlockKind.HEADING
        if furniture is not None:
            return furniture
        if within("pre", "listing"):
            return BlockKind.CODE
        if within("caption", "figcaption"):
            return BlockKind.CAPTION
        if within("li", "dt", "dd"):
            return BlockKind.LIST_ITEM
        return BlockKind.QUOTE if within("blockquote") else BlockKind.PARAGRAPH

    def _furniture(self, ending: str) -> BlockKind | None:
        """What stands outside ``main``, or in a header or footer that is no section's own, frames the page."""
        inside = self.tags.inside
        if self._has_main and ending != "main" and not inside("main"):
            return BlockKind.PAGE_FOOTER if self._main_seen else BlockKind.PAGE_HEADER
        if any(inside(tag) or ending == tag for tag in ("main", "article", "section", "td", "li")):
            return None
        if inside("footer") or ending == "footer":
            return BlockKind.PAGE_FOOTER
        return BlockKind.PAGE_HEADER if inside("header") or ending == "header" else None


def _integer(text: str | None, otherwise: int) -> int:
    try:
        return int(text) if text is not None and len(text) < 10 else otherwise  # noqa: PLR2004 - digits of a sane list
    except ValueError:
        return otherwise
