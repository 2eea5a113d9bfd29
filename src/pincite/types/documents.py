"""Documents: what was ingested, in which version, and where its characters stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

EVERYONE = "everyone"
"""The principal that every identity of a tenant holds."""


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Span:
    """A half-open range of code points."""

    start: int
    end: int


class BlockKind(StrEnum):
    """What one stretch of canonical text is, as far as the parser can tell."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_HEADER = "table_header"
    TABLE_ROW = "table_row"
    CODE = "code"
    QUOTE = "quote"
    CAPTION = "caption"
    PAGE_HEADER = "page_header"
    PAGE_FOOTER = "page_footer"
    FOOTNOTE = "footnote"
    RECORD = "record"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rect:
    """A rectangle on a page: PDF points, origin at the top left of the page as a viewer shows it."""

    page_index: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One table cell: its text range, its zero-based row and column, and the headers that govern it."""

    start: int
    end: int
    row: int
    column: int
    header: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A stretch of canonical text that is one heading, paragraph, list item, table row or record.

    Blocks are sorted by start and do not overlap. Text between blocks is only white space. A block of
    kind PAGE_HEADER, PAGE_FOOTER is kept in the text but never becomes part of a passage.
    ``heading_path`` runs from the outermost heading to the innermost that governs the block (a heading's
    own path ends with its parent). ``line`` is the 1-based line of the source where that means
    something (Markdown, text, CSV, JSON Lines).
    """

    start: int
    end: int
    kind: BlockKind
    heading_path: tuple[str, ...] = ()
    level: int | None = None
    page_index: int | None = None
    line: int | None = None
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """One page: ``index`` counts from 0, ``label`` is what is printed or declared ("iv"), if known.

    ``boxes`` holds a rectangle for every code point of ``text[start:end]`` in a compact form that
    ``pincite.text.layout`` writes and reads; empty when the format has no geometry.
    """

    index: int
    label: str | None
    start: int
    end: int
    width_pt: float
    height_pt: float
    rotation_deg: int = 0
    boxes: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """Canonical ``text[start:end]`` equals ``end - start`` code points of a source part from ``source_start``.

    ``part`` names the part: "" for a file that is one text, "word/document.xml#p12" for paragraph 12
    of a DOCX, "sheet:Rates!B7" for a cell of a spreadsheet. Text that no run covers was put there by the
    parser (separators, list numbers).
    """

    start: int
    end: int
    source_start: int
    part: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """The layout map of one Version: where each character range of its text is to be found."""

    blocks: tuple[Block, ...] = ()
    pages: tuple[Page, ...] = ()
    runs: tuple[Run, ...] = field(default=(), repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Parsed:
    """What a Parser makes of one file: canonical text, layout, and what the file says about itself.

    ``metadata`` holds only what the file itself declares, under these keys when known: title,
    effective_from, effective_to (ISO dates), language, version_label, author, access (roles, comma-separated),
    supersedes, attributes.KEY, and header_from, header_line, header_precision ("month") for a date that stands in a
    line of the text itself. ``flags`` names known
    weaknesses, e.g. "hidden_text_dropped", "low_quality_text:page 3", "needs_ocr:page 2".
    """

    text: str
    layout: Layout
    media_type: str
    parser: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Access:
    """Who may read.

    A principal in ``deny`` is refused whatever ``allow`` says; nobody else gets in unless in ``allow``.
    Principals are "everyone", "role:NAME", "group:NAME", "user:NAME".
    """

    allow: frozenset[str] = frozenset({EVERYONE})
    deny: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Version:
    """One immutable text of a document.

    ``version_id`` is derived from the hash of the original bytes, the parser version and everything here
    that changes what may be shown (document, tenant, dates, access, attributes). Effective dates are
    inclusive at the start and exclusive at the end; ``None`` means open.
    """

    version_id: str
    document_id: str
    tenant: str
    title: str
    text: str = field(repr=False)
    layout: Layout = field(repr=False)
    language: str
    media_type: str
    source_uri: str
    content_sha256: str
    parser: str
    ingested_at: datetime
    version_label: str | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    supersedes: str | None = None
    access: Access = Access()
    attributes: Mapping[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Passage:
    """A range of one Version's text: ``version.text[start:end] == text``, always.

    ``cells`` are those of the layout map that lie in the range (document offsets), so that a value in a
    table row keeps its column headers. ``ordinal`` counts passages of the version from 0;
    neighbours are ordinal - 1 and + 1. ``attributes`` are the version's.
    """

    passage_id: str
    text: str
    start: int = 0
    end: int
    version_id: str = ""
    document_id: str = ""
    ordinal: int = 0
    title: str = ""
    heading_path: tuple[str, ...] = ()
    kind: BlockKind = BlockKind.PARAGRAPH
    cells: tuple[Cell, ...] = ()
    language: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Location:
    """Where a range of a version is found by a person: page (index and printed label), heading, line, boxes, cells.

    ``cell_range`` is "B7" or "B7:D9" on ``sheet``; ``None`` for the name of the sheet itself.
    """

    page_index: int | None = None
    page_label: str | None = None
    heading_path: tuple[str, ...] = ()
    line: int | None = None
    rects: tuple[Rect, ...] = ()
    sheet: str | None = None
    cell_range: str | None = None
