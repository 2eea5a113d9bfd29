"""Sets one source text as PDF, the same bytes on every run with one version of reportlab."""

from __future__ import annotations

import hashlib
import io
from functools import partial
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

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
from sample_text import AUTHOR, Block, Grid, Heading, Items, NewPage, Prose, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARGIN_PT = 62
_GUTTER_PT = 20
_TITLE_BAND_PT = 60
_INK = colors.HexColor("#1d3b53")
_RULE = colors.HexColor("#9fb3c1")
_SHADE = colors.HexColor("#e6edf2")
_ROMAN = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")


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


def made(source: Source) -> bytes:
    """Set one text as PDF: A4, running header and footer, page labels, an outline."""
    buffer = io.BytesIO()
    template = BaseDocTemplate(
        buffer,
        pagesize=A4,
        invariant=1,
        pageCompression=0,  # the bytes must not hang on a build of zlib
        title=source.title,
        author=AUTHOR,
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
