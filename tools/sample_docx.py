"""Sets one source text as DOCX, the same bytes on every run with one version of python-docx."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from sample_text import AUTHOR, Grid, Heading, Items, NewPage, Prose, Source

if TYPE_CHECKING:
    from docx.document import Document

_WHEN = datetime(2026, 1, 1, tzinfo=UTC)
_ZIP_WHEN = (1980, 1, 1, 0, 0, 0)
_UNUSED_PARTS = ("/thumbnail", "/stylesWithEffects", "/customXml")


def made(source: Source) -> bytes:
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
    properties.title, properties.author, properties.subject = source.title, AUTHOR, source.footer
    properties.created = properties.modified = _WHEN.replace(tzinfo=None)
    properties.last_modified_by, properties.comments, properties.language = AUTHOR, "", "en"
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
