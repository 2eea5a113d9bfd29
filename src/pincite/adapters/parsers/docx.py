"""Word documents (.docx): every paragraph that a reader sees, with rebuilt numbers, tables, notes and text boxes.

A run of the result names its paragraph: "word/document.xml#p12" is the thirteenth ``w:p`` of that part in document
order, and offsets count in that paragraph's text (see ``docx_paragraph``).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pincite.adapters.parsers.canon import Canon, Piece, RowCell, squeeze
from pincite.adapters.parsers.declared import header_dates
from pincite.adapters.parsers.docx_numbering import Numbering
from pincite.adapters.parsers.docx_package import Package, R, W
from pincite.adapters.parsers.docx_paragraph import Notes, ParagraphReader, note_mark, own_paragraphs
from pincite.adapters.parsers.docx_styles import Styles
from pincite.adapters.parsers.docx_table import Grid, GridRow, read_grid
from pincite.adapters.parsers.limits import check_size
from pincite.adapters.parsers.zipsafe import open_zip
from pincite.errors import ParseError
from pincite.types import BlockKind, Parsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element

    from pincite.protocols import ParseLimits

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

_DC = "{http://purl.org/dc/elements/1.1/}"
_CORE = "docProps/core.xml"
_CORE_KEYS = {f"{_DC}title": "title", f"{_DC}creator": "author", f"{_DC}language": "language"}
_NO_TITLES = frozenset({"document", "word document", "untitled", "microsoft word - document1", "document1"})
_KINDS_BY_STYLE = {"quote": BlockKind.QUOTE, "intense quote": BlockKind.QUOTE, "caption": BlockKind.CAPTION}
_TEXTLESS = frozenset({f"{W}altChunk"})


class DocxParser:
    """Tracked insertions are text, deletions are not; hidden and struck text is left out and flagged."""

    name = "docx/1"
    media_types = frozenset({MEDIA_TYPE})

    def parse(self, data: bytes, *, source_name: str, limits: ParseLimits) -> Parsed:
        """See ``Parser.parse``."""
        check_size(data, limits)
        package = Package(open_zip(data, limits))
        body = _Body(package, Canon(max_chars=limits.max_text_chars))
        body.walk_all()
        text, layout = body.canon.finish()
        if not text.strip():
            raise ParseError(
                f"{source_name} holds no text, only pictures or nothing",
                code="no_text",
                hint="Run text recognition on the pictures, and ingest the result.",
            )
        if body.canon.smuggled:
            body.flags.add("invisible_text_dropped")
        return Parsed(
            text=text,
            layout=layout,
            media_type=MEDIA_TYPE,
            parser=self.name,
            metadata={**header_dates(text, layout.blocks), **_core_metadata(package), **body.metadata},
            flags=tuple(sorted(body.flags)),
        )


def _core_metadata(package: Package) -> dict[str, str]:
    root = package.tree(_CORE)
    found: dict[str, str] = {}
    for element in root if root is not None else ():
        key = _CORE_KEYS.get(str(element.tag))
        value = " ".join((element.text or "").split())
        if key is not None and value and not (key == "title" and value.lower() in _NO_TITLES):
            found[key] = value
    return found


class _Part:
    """One XML part, the place of each of its paragraphs, and its notes by id if it holds notes."""

    def __init__(self, name: str, root: _Element) -> None:
        self.root = root
        self._name = name
        self.notes = {child.get(f"{W}id", ""): child for child in root}
        self._places = {paragraph: number for number, paragraph in enumerate(root.iter(f"{W}p"))}

    def name_of(self, paragraph: _Element) -> str:
        """As runs name it."""
        return f"{self._name}#p{self._places[paragraph]}"


class _Body:
    def __init__(self, package: Package, canon: Canon) -> None:
        self.canon = canon
        self.flags: set[str] = set()
        self.metadata: dict[str, str] = {}
        self._package = package
        self._styles = Styles(package.tree(package.related("styles") or "word/styles.xml"))
        numbering = package.tree(package.related("numbering") or "word/numbering.xml")
        self._numbering = Numbering(numbering, self._styles)
        self._notes = Notes()
        self._reader = ParagraphReader(self._styles, self._notes, self.flags)
        self._part = _Part(package.main, package.main_tree())
        self._parts: dict[str, _Part] = {}
        self._kind: BlockKind | None = None
        self._mark: list[Piece] = []
        self._boxed = False

    def walk_all(self) -> None:
        """Headers, the text, its notes, footers."""
        main = self._part
        content = main.root.find(f"{W}body")
        if content is None:
            content = main.root
        self._page_parts(content, "headerReference", BlockKind.PAGE_HEADER)
        self._part = main
        self._container(content)
        self.canon.leave_headings()
        self._write_notes()
        self._page_parts(content, "footerReference", BlockKind.PAGE_FOOTER)

    def _page_parts(self, content: _Element, tag: str, kind: BlockKind) -> None:
        """Each header or footer once, however many sections use it."""
        targets = (self._package.target(ref.get(f"{R}id", "")) for ref in content.iter(f"{W}{tag}"))
        for name in dict.fromkeys(target for target in targets if target):
            root = self._package.tree(name)
            if root is not None:
                self._part, self._kind = self._part_of(name, root), kind
                self._container(root)
        self._kind = None

    def _part_of(self, name: str, root: _Element) -> _Part:
        if name not in self._parts:
            self._parts[name] = _Part(name, root)
        return self._parts[name]

    def _write_notes(self) -> None:
        done = 0
        while done < len(self._notes.order):  # a note may refer to another
            kind, note_id = self._notes.order[done]
            done += 1
            name = self._package.related(kind) or f"word/{kind}.xml"
            root = self._package.tree(name)
            if root is None:
                continue
            note = self._part_of(name, root).notes.get(note_id)
            if note is None:
                continue
            self._part, self._kind = self._part_of(name, root), BlockKind.FOOTNOTE
            self._mark = [note_mark(done), Piece(" ")]
            self._container(note)
            self._mark = []
        self._kind = None

    def _container(self, element: _Element) -> None:
        """Paragraphs and tables in order, through whatever wraps them."""
        for child in element:
            if child.tag == f"{W}p":
                self._paragraph(child)
            elif child.tag == f"{W}tbl":
                self._table(child)
            elif child.tag in _TEXTLESS:
                self.flags.add("embedded_document_not_read")
            elif child.tag not in (f"{W}del", f"{W}moveFrom", f"{W}sdtPr"):
                self._container(child)

    # --- paragraphs --------------------------------------------------------------------------------

    def _paragraph(self, paragraph: _Element) -> None:
        properties = paragraph.find(f"{W}pPr")
        style_id = self._styles.paragraph_style(properties)
        shown = self._reader.read(
            paragraph,
            part=self._part.name_of(paragraph),
            style_id=style_id,
            on_white=partial(self._on_white, paragraph),
        )
        pieces, is_list = self._labelled(shown.pieces, properties, style_id)
        level = self._styles.outline_level(style_id, properties) if self._kind is None else None
        kind = self._kind_of(level, style_id, is_list=is_list)
        tight = kind is BlockKind.LIST_ITEM and self.canon.last_kind is BlockKind.LIST_ITEM
        if self._mark and any(piece.text.strip() for piece in pieces):
            pieces, self._mark = [*self._mark, *pieces], []
        wrote = self.canon.block(kind, pieces, level=level, tight=tight)
        if wrote and self._styles.name(style_id) == "title":
            self.metadata.setdefault("title", squeeze(pieces, breaks=" ").text)
        self._boxes(shown.boxes)

    def _boxes(self, boxes: Sequence[_Element]) -> None:
        was_boxed, self._boxed = self._boxed, True
        for box in boxes:
            self._container(box)
        self._boxed = was_boxed

    def _labelled(
        self, pieces: list[Piece], properties: _Element | None, style_id: str | None
    ) -> tuple[list[Piece], bool]:
        """With the automatic number before it. A paragraph whose mark is deleted is not counted."""
        has_text = any(piece.text.strip() for piece in pieces)
        if not has_text and properties is not None and properties.find(f"{W}rPr/{W}del") is not None:
            return pieces, False
        label = self._numbering.next_label(self._styles.numbering(style_id, properties), style_id)
        if label is None:
            return pieces, False
        if label.text and has_text:
            pieces = [Piece(label.text), *pieces]
        return pieces, True

    def _kind_of(self, level: int | None, style_id: str | None, *, is_list: bool) -> BlockKind:
        if self._kind is not None:
            return self._kind
        if level is not None:
            return BlockKind.HEADING
        if is_list:
            return BlockKind.LIST_ITEM
        return _KINDS_BY_STYLE.get(self._styles.name(style_id), BlockKind.PARAGRAPH)

    def _on_white(self, paragraph: _Element) -> bool:
        """Whether white text would be invisible here: no shading behind it, no box, no styled table."""
        if self._boxed:
            return False
        if paragraph.find(f"{W}pPr/{W}shd") is not None:
            return False
        for element in paragraph.iterancestors(f"{W}tc", f"{W}tbl"):  # only these: finding looks at every child
            path = f"{W}tcPr/{W}shd" if element.tag == f"{W}tc" else f"{W}tblPr/{W}tblStyle"
            if element.find(path) is not None:
                return False
        return True

    # --- tables ------------------------------------------------------------------------------------

    def _table(self, table: _Element) -> None:
        grid = read_grid(table, self._styles)
        if grid.is_layout or self._kind is not None:
            for row in grid.rows:
                for cell in row.cells:
                    self._container(cell.element)
            return
        self._rows(grid)

    def _rows(self, grid: Grid) -> None:
        headers: dict[int, str] = {}
        boxes: list[_Element] = []
        wrote_before, header_open = False, True
        for number, row in enumerate(grid.rows):
            cells = self._cells(row, headers, boxes)
            if row.is_header:
                headers = headers if header_open else {}
                _take_headers(row, cells, headers)
            header_open = row.is_header
            kind = BlockKind.TABLE_HEADER if row.is_header else BlockKind.TABLE_ROW
            wrote = self.canon.row(kind, cells, row=number, tight=wrote_before)
            wrote_before = wrote_before or wrote
        self._boxes(boxes)

    def _cells(self, row: GridRow, headers: dict[int, str], boxes: list[_Element]) -> list[RowCell]:
        return [
            RowCell(
                pieces=self._cell_pieces(cell.element, boxes),
                column=cell.column,
                header=None if row.is_header else headers.get(cell.column),
            )
            for cell in row.cells
            if not cell.continues
        ]

    def _cell_pieces(self, cell: _Element, boxes: list[_Element]) -> list[Piece]:
        """All paragraphs of a cell, those of tables inside it too, in one line."""
        joined: list[Piece] = []
        for paragraph in own_paragraphs(cell):
            properties = paragraph.find(f"{W}pPr")
            style_id = self._styles.paragraph_style(properties)
            shown = self._reader.read(
                paragraph,
                part=self._part.name_of(paragraph),
                style_id=style_id,
                on_white=partial(self._on_white, paragraph),
            )
            pieces, _ = self._labelled(shown.pieces, properties, style_id)
            joined += [*pieces, Piece(" ")]
            boxes += shown.boxes
        return joined


def _take_headers(row: GridRow, cells: Sequence[RowCell], headers: dict[int, str]) -> None:
    texts = {cell.column: squeeze(cell.pieces, breaks=" ").text for cell in cells}
    for cell in row.cells:
        text = texts.get(cell.column, "")
        for column in range(cell.column, cell.column + cell.span):
            above = headers.get(column)
            joined = f"{above} / {text}" if above and text and above != text else text or above
            if joined:
                headers[column] = joined
