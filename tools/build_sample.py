"""Make the DOCX and PDF files of the Harbourline sample library, byte for byte the same on every run.

    python tools/build_sample.py           write the files and their hashes into library.toml's [build] table
    python tools/build_sample.py --check   write nothing; exit 1 when a committed file differs

The texts lie in tools/sample_sources: a TOML head between ``+++`` lines (output, title, layout, header,
footer, roman_pages), then plain Markdown: headings, paragraphs, lists, tables; ``---`` begins a page.
Needs the test extra (reportlab, python-docx).
"""

from __future__ import annotations

import hashlib
import io
import re
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from markdown_it import MarkdownIt
from reportlab.lib import colors
from reportlab.lib.enums import TA_JUSTIFY, TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    FrameBreak,
    KeepTogether,
    ListFlowable,
    ListItem,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docx.document import Document
    from markdown_it.token import Token

TOOLS = Path(__file__).resolve().parent
SOURCES = TOOLS / "sample_sources"
LIBRARY = TOOLS.parent / "src" / "pincite" / "sample" / "harbourline"
MANIFEST = LIBRARY / "library.toml"
MAKERS = ("python-docx", "reportlab")

_WHEN = datetime(2026, 1, 1, tzinfo=UTC)
_ZIP_WHEN = (1980, 1, 1, 0, 0, 0)
_AUTHOR = "Harbourline (fictional)"
_MARGIN_PT = 62
_GUTTER_PT = 20
_TITLE_BAND_PT = 74
_INK = colors.HexColor("#1d3b53")
_RULE = colors.HexColor("#9fb3c1")
_SHADE = colors.HexColor("#e6edf2")
_ROMAN = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_UNUSED_PARTS = ("/thumbnail", "/stylesWithEffects", "/customXml")
_BUILD_TABLE = re.compile(r"(?ms)^\[build\]\n.*?(?=^\[(?!build)|\Z)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Heading:
    """A heading; level 1 is the title."""

    text: str
    level: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Prose:
    """A paragraph."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Items:
    """A list, numbered or with bullets."""

    texts: tuple[str, ...]
    numbered: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Grid:
    """A table; the first row names the columns."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class NewPage:
    """A page begins."""


Block = Heading | Prose | Items | Grid | NewPage


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """One text and how it is to be set."""

    output: str
    title: str
    layout: str
    header: str
    footer: str
    blocks: tuple[Block, ...]
    roman_pages: int = 0


def sources() -> list[Source]:
    """All texts, by name."""
    return [_read(path) for path in sorted(SOURCES.glob("*.md"))]


def _read(path: Path) -> Source:
    _, head, body = path.read_text(encoding="utf-8").split("+++\n", 2)
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    return Source(**tomllib.loads(head), blocks=tuple(_blocks(tokens)))


def _blocks(tokens: list[Token]) -> Iterator[Block]:
    inside: list[str] = []
    rows: list[list[str]] = []
    for at, token in enumerate(tokens):
        match token.type:
            case "heading_open":
                yield Heading(text=tokens[at + 1].content, level=int(token.tag[1]))
            case "paragraph_open" if token.level == 0:
                yield Prose(text=" ".join(tokens[at + 1].content.split()))
            case "hr":
                yield NewPage()
            case "tr_open":
                rows.append([])
            case "th_open" | "td_open":
                rows[-1].append(tokens[at + 1].content)
            case "list_item_open":
                inside.append(" ".join(tokens[at + 2].content.split()))
            case "table_close":
                yield Grid(rows=tuple(tuple(row) for row in rows))
                rows = []
            case "bullet_list_close" | "ordered_list_close":
                yield Items(texts=tuple(inside), numbered=token.type == "ordered_list_close")
                inside = []
            case _:
                pass


# --- PDF -------------------------------------------------------------------------------------------


def _style(name: str, *, size_pt: float, **more: Any) -> ParagraphStyle:
    return ParagraphStyle(name, fontSize=size_pt, leading=round(size_pt * 1.32, 1), **more)


_BODY = _style("body", size_pt=10.5, fontName="Times-Roman", spaceAfter=6, alignment=TA_JUSTIFY)
_ITEM = _style("item", size_pt=10.5, fontName="Times-Roman", spaceAfter=2, alignment=TA_LEFT)
_CELL = _style("cell", size_pt=9, fontName="Helvetica")
_HEAD_CELL = _style("head cell", size_pt=9, fontName="Helvetica-Bold")
_TITLES = {
    1: _style("title", size_pt=19, fontName="Helvetica-Bold", spaceAfter=8, textColor=_INK),
    2: _style("section", size_pt=13.5, fontName="Helvetica-Bold", spaceBefore=9, spaceAfter=4, textColor=_INK),
    3: _style("clause", size_pt=11.5, fontName="Helvetica-Bold", spaceBefore=5, spaceAfter=3, textColor=_INK),
}


class Mark(Flowable):
    """Takes no room; puts a bookmark of the outline where it stands. The methods are the library's hooks."""

    def __init__(self, text: str, level: int) -> None:
        super().__init__()
        self.text, self.level = text, level

    def wrap(self, *_: float) -> tuple[float, float]:
        """Width and height."""
        return 0, 0

    def draw(self) -> None:
        """Add the outline entry."""
        key = hashlib.sha256(self.text.encode()).hexdigest()[:12]
        self.canv.bookmarkHorizontal(key, 0, 0)
        self.canv.addOutlineEntry(self.text, key, level=max(0, self.level - 2))


def pdf(source: Source) -> bytes:
    """Set one text as PDF: A4, running header and footer, page labels, an outline."""
    buffer = io.BytesIO()
    template = BaseDocTemplate(
        buffer,
        pagesize=A4,
        invariant=1,
        pageCompression=0,  # the bytes must not hang on a build of zlib
        title=source.title,
        author=_AUTHOR,
        subject=source.footer,
        lang="en",
    )
    two_columns = source.layout == "columns"
    template.addPageTemplates(_page_templates(source, two_columns=two_columns))
    width_pt = (A4[0] - 2 * _MARGIN_PT - _GUTTER_PT) / 2 if two_columns else A4[0] - 2 * _MARGIN_PT
    story: list[Flowable] = [NextPageTemplate("later")]
    for block in source.blocks:
        story.extend(_flowables(block, width_pt, two_columns=two_columns))
    template.build(_kept(story))
    return buffer.getvalue()


def _page_templates(source: Source, *, two_columns: bool) -> list[PageTemplate]:
    furniture = partial(_furnish, source=source)
    width, height = A4[0] - 2 * _MARGIN_PT, A4[1] - 2 * _MARGIN_PT
    frame = partial(Frame, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)
    if not two_columns:
        whole = frame(_MARGIN_PT, _MARGIN_PT, width, height)
        return [PageTemplate(id=name, frames=[whole], onPage=furniture) for name in ("first", "later")]
    column = (width - _GUTTER_PT) / 2
    second = _MARGIN_PT + column + _GUTTER_PT
    below = height - _TITLE_BAND_PT
    first = [
        frame(_MARGIN_PT, _MARGIN_PT + below, width, _TITLE_BAND_PT),
        frame(_MARGIN_PT, _MARGIN_PT, column, below),
        frame(second, _MARGIN_PT, column, below),
    ]
    later = [frame(x, _MARGIN_PT, column, height) for x in (_MARGIN_PT, second)]
    return [
        PageTemplate(id="first", frames=first, onPage=furniture),
        PageTemplate(id="later", frames=later, onPage=furniture),
    ]


def _furnish(canvas: Any, _template: BaseDocTemplate, *, source: Source) -> None:
    """Running header and footer, and the page's label, printed and declared."""
    page = canvas.getPageNumber()
    roman = page <= source.roman_pages
    label = _ROMAN[page] if roman else str(page - source.roman_pages)
    if page == 1 and roman:
        canvas.addPageLabel(0, style="ROMAN_LOWER", start=1)
    if page == source.roman_pages + 1:
        canvas.addPageLabel(page - 1, style="ARABIC", start=1)
    canvas.saveState()
    canvas.setFont("Helvetica", 8)
    canvas.setFillColor(_INK)
    canvas.drawString(_MARGIN_PT, A4[1] - 38, source.header)
    canvas.drawString(_MARGIN_PT, 32, source.footer)
    canvas.drawRightString(A4[0] - _MARGIN_PT, 32, label)
    canvas.setStrokeColor(_RULE)
    canvas.line(_MARGIN_PT, A4[1] - 44, A4[0] - _MARGIN_PT, A4[1] - 44)
    canvas.line(_MARGIN_PT, 44, A4[0] - _MARGIN_PT, 44)
    canvas.restoreState()


def _flowables(block: Block, width_pt: float, *, two_columns: bool) -> Iterator[Flowable]:
    match block:
        case Heading(text=text, level=level):
            if level > 1:
                yield Mark(text, level)
            yield Paragraph(escape(text), _TITLES[level])
            if level == 1 and two_columns:
                yield FrameBreak()
        case Prose(text=text):
            yield Paragraph(escape(text), _BODY)
        case Items(texts=texts, numbered=numbered):
            yield _list(texts, numbered=numbered)
            yield Spacer(0, 5)
        case Grid(rows=rows):
            yield _table(rows, width_pt)
            yield Spacer(0, 8)
        case NewPage():
            yield PageBreak()


def _list(texts: tuple[str, ...], *, numbered: bool) -> ListFlowable:
    items = [ListItem(Paragraph(escape(text), _ITEM)) for text in texts]
    kind = {"bulletType": "1", "bulletFormat": "%s."} if numbered else {"bulletType": "bullet", "start": "•"}
    return ListFlowable(items, leftIndent=16, bulletFontName="Times-Roman", bulletFontSize=10.5, **kind)


def _table(rows: tuple[tuple[str, ...], ...], width_pt: float) -> Table:
    weights = [max(9, *(len(row[column]) for row in rows)) for column in range(len(rows[0]))]
    widths = [width_pt * weight / sum(weights) for weight in weights]
    cells = [[Paragraph(escape(text), _CELL if at else _HEAD_CELL) for text in row] for at, row in enumerate(rows)]
    look = [
        ("GRID", (0, 0), (-1, -1), 0.5, _RULE),
        ("BACKGROUND", (0, 0), (-1, 0), _SHADE),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), 2.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
    ]
    return Table(cells, colWidths=widths, repeatRows=1, style=TableStyle(look))


def _kept(story: list[Flowable]) -> list[Flowable]:
    """A heading never stands alone at the foot of a page."""
    kept: list[Flowable] = []
    waiting: list[Flowable] = []
    for flowable in story:
        is_title = isinstance(flowable, Paragraph) and flowable.style.name in ("section", "clause")
        if isinstance(flowable, Mark) or is_title:
            waiting.append(flowable)
        elif waiting:
            kept.append(KeepTogether([*waiting, flowable]))
            waiting = []
        else:
            kept.append(flowable)
    return kept + waiting


# --- DOCX ------------------------------------------------------------------------------------------


def word(source: Source) -> bytes:
    """Set one text as DOCX with built-in styles, header, footer, numbered lists, and marked header rows."""
    document = docx.Document()
    _prepare(document, source)
    for block in source.blocks:
        match block:
            case Heading(text=text, level=level):
                document.add_heading(text, level=0 if level == 1 else level - 1)
            case Prose(text=text):
                document.add_paragraph(text)
            case Items(texts=texts, numbered=numbered):
                for text in texts:
                    document.add_paragraph(text, style="List Number" if numbered else "List Bullet")
            case Grid(rows=rows):
                _add_grid(document, rows)
            case NewPage():
                document.add_page_break()
    buffer = io.BytesIO()
    document.save(buffer)
    return _fixed_zip(buffer.getvalue())


def _prepare(document: Document, source: Source) -> None:
    properties = document.core_properties
    properties.title, properties.author, properties.subject = source.title, _AUTHOR, source.footer
    properties.created = properties.modified = _WHEN.replace(tzinfo=None)
    properties.last_modified_by, properties.comments, properties.language = _AUTHOR, "", "en"
    document.sections[0].header.paragraphs[0].text = source.header
    document.sections[0].footer.paragraphs[0].text = source.footer
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = "Calibri", Pt(11)
    for name in ("Title", "Heading 1", "Heading 2"):
        document.styles[name].font.color.rgb = RGBColor(0x1D, 0x3B, 0x53)
    _prune(document)


def _prune(document: Document) -> None:
    """Drop what the template brings along and nobody uses: table styles, a thumbnail, a second style sheet."""
    styles = document.styles.element
    for style in styles.findall(qn("w:style")):
        name = style.find(qn("w:name")).get(qn("w:val"))
        if style.get(qn("w:type")) == "table" and name not in ("Normal Table", "Table Grid"):
            styles.remove(style)
    for rels in (document.part.package.rels, document.part.rels):
        for key in [key for key, rel in rels.items() if rel.reltype.endswith(_UNUSED_PARTS)]:
            rels.pop(key)


def _add_grid(document: Document, rows: tuple[tuple[str, ...], ...]) -> None:
    table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
    for at, row in enumerate(rows):
        for cell, text in zip(table.rows[at].cells, row, strict=True):
            run = cell.paragraphs[0].add_run(text)
            run.bold = True if at == 0 else None
    header = table.rows[0]._tr.get_or_add_trPr()  # noqa: SLF001 - python-docx has no public way
    header.append(OxmlElement("w:tblHeader"))
    document.add_paragraph()


def _fixed_zip(data: bytes) -> bytes:
    """The same parts with a fixed date, stored: the bytes must not hang on a clock or a build of zlib."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as new:
        for item in old.infolist():
            entry = zipfile.ZipInfo(item.filename, _ZIP_WHEN)
            entry.create_system = 0
            new.writestr(entry, old.read(item))
    return buffer.getvalue()


# --- all of it -------------------------------------------------------------------------------------


def build() -> dict[str, bytes]:
    """Every made file, by its path in the library."""
    return {source.output: word(source) if source.layout == "docx" else pdf(source) for source in sources()}


def _build_table(files: dict[str, bytes]) -> str:
    """The [build] table of library.toml: which versions made the files, and what they hash to."""
    lines = ["[build]", *(f'"{maker}" = "{version(maker)}"' for maker in MAKERS), "", "[build.sha256]"]
    lines += [f'"{path}" = "{hashlib.sha256(data).hexdigest()}"' for path, data in sorted(files.items())]
    return "\n".join(lines) + "\n\n"


def main(arguments: list[str]) -> int:
    files = build()
    if arguments == ["--check"]:
        stale = [path for path, data in files.items() if (LIBRARY / path).read_bytes() != data]
        print("\n".join(f"differs: {path}" for path in stale) or f"{len(files)} files are as they should be")
        return 1 if stale else 0
    for path, data in files.items():
        (LIBRARY / path).write_bytes(data)
        print(f"{len(data):>8} {path}")
    manifest = MANIFEST.read_text(encoding="utf-8")
    MANIFEST.write_text(_BUILD_TABLE.sub(lambda _: _build_table(files), manifest, count=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
