"""PDF with a text layer, through PDFium: canonical text, layout map, and honest reports of what cannot be read.

PDFium is not thread-safe, and hostile files make it eat memory: run this parser in the sandbox
(``sandbox.py``) for files that are not your own.
"""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite.adapters.parsers.declared import header_dates
from pincite.adapters.parsers.pdf_blocks import drafts_of, norms_of
from pincite.adapters.parsers.pdf_chars import PageText, read_page
from pincite.adapters.parsers.pdf_frame import Frame
from pincite.adapters.parsers.pdf_furniture import furniture
from pincite.adapters.parsers.pdf_grid import grids_of
from pincite.adapters.parsers.pdf_lines import Line, in_reading_order, lines_of, with_markers
from pincite.adapters.parsers.pdf_text import Writer, words_of
from pincite.errors import ParseError
from pincite.types import BlockKind, Layout, Parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.protocols import ParseLimits

MEDIA_TYPE = "application/pdf"
_NAME = "pdf/1"
_MAGIC = b"%PDF-"
_MAGIC_WITHIN_BYTES = 1024
_ERR_PASSWORD = 4
_ERR_SECURITY = 5
_GARBLED_SHARE = 0.3  # of glyphs without a Unicode value: the page cannot be read
_DOUBTFUL_SHARE = 0.05
_STAMP_CHARS = 50
_IMAGE_SHARE = 0.05
_PAGE_IMAGE_SHARE = 0.5
_MAX_OUTLINE = 2000
_LANGUAGE_BYTES = 128
_FILE_NAME = re.compile(r"\.(?:pdf|docx?|odt|rtf|indd|tex|ps|pptx?|xlsx?)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PdfParser:
    """Reads the text layer; pages that have none are named in ``flags`` ("needs_ocr:page 3", counted from 1)."""

    name: str = _NAME
    media_types: frozenset[str] = frozenset({MEDIA_TYPE})

    def parse(self, data: bytes, *, source_name: str, limits: ParseLimits) -> Parsed:
        """See ``Parser``. One paragraph is one range, also over page breaks; boxes are in viewer points."""
        _check_bytes(data, source_name, limits)
        document = _open(data, source_name)
        try:
            return _parse(document, source_name, limits)
        finally:
            document.close()


def _check_bytes(data: bytes, source_name: str, limits: ParseLimits) -> None:
    if not data.strip(b"\x00 \t\r\n"):
        raise ParseError(f"{source_name} is empty", code="empty", hint="Export the document again.")
    if len(data) > limits.max_file_bytes:
        raise ParseError(
            f"{source_name} has {len(data)} bytes; the limit is {limits.max_file_bytes}",
            code="too_large",
            hint="Split the file, or raise max_file_bytes.",
        )
    if _MAGIC not in data[:_MAGIC_WITHIN_BYTES]:
        raise ParseError(
            f"{source_name} is not a PDF, whatever its name says",
            code="mislabelled",
            hint="Give the file the extension of what it is.",
        )


def _open(data: bytes, source_name: str) -> Any:
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as exc:
        if getattr(exc, "err_code", None) in (_ERR_PASSWORD, _ERR_SECURITY):
            raise ParseError(
                f"{source_name} is protected by a password",
                code="needs_password",
                hint="Save a copy without the password and ingest that.",
            ) from exc
        raise ParseError(
            f"{source_name} is damaged: its structure cannot be read",
            code="corrupt",
            hint="Open it in a PDF viewer and save or print it to a new PDF.",
        ) from exc


def _parse(document: Any, source_name: str, limits: ParseLimits) -> Parsed:
    count = len(document)
    if count > limits.max_pages:
        raise ParseError(
            f"{source_name} has {count} pages; the limit is {limits.max_pages}",
            code="limit",
            hint="Split the file, or raise max_pages.",
        )
    flags: list[str] = []
    texts = list(_read_pages(document, source_name, limits, flags))
    texts = _readable(_with_glyph_ids(document, texts), flags)
    if not any(line.glyphs for line in texts):
        raise _no_text(source_name, count, flags)
    labels = [document.get_page_label(index) or None for index in range(count)]
    lines = [lines_of(page.glyphs, page.index) for page in texts]
    writer = _written(texts, lines, labels, _outline(document))
    flags.extend(f"page_furniture_dropped:page {index + 1}" for index in writer.dropped_furniture)
    text = "".join(writer.chars)
    return Parsed(
        text=text,
        layout=Layout(blocks=tuple(writer.blocks), pages=writer.pages()),
        media_type=MEDIA_TYPE,
        parser=_NAME,
        metadata={**header_dates(text, writer.blocks), **_metadata(document)},
        flags=tuple(flags),
    )


def _written(
    texts: Sequence[PageText], lines: list[list[Line]], labels: list[str | None], outline: Sequence[str]
) -> Writer:
    heights = [page.frame.size()[1] for page in texts]
    moved = furniture(lines, heights, labels)
    body = [
        in_reading_order(with_markers([line for line in page if id(line) not in moved]), text.frame.size()[0])
        for page, text in zip(lines, texts, strict=True)
    ]
    aside: dict[int, list[tuple[Line, BlockKind]]] = {}
    for page in lines:
        for line in page:
            if id(line) in moved:
                aside.setdefault(line.page_index, []).append((line, moved[id(line)]))
    grids = [grids_of(page.rulings) for page in texts]
    writer = Writer(page_texts=texts, labels=labels, furniture=aside, words=words_of(body))
    writer.write(drafts_of(body, grids, norms_of(body, heights, outline)))
    return writer


# --- pages -----------------------------------------------------------------------------------------


def _read_pages(document: Any, source_name: str, limits: ParseLimits, flags: list[str]) -> Iterator[PageText]:
    import pypdfium2

    left = limits.max_text_chars
    for index in range(len(document)):
        try:
            page = document[index]
        except pypdfium2.PdfiumError:
            flags.append(f"unreadable:page {index + 1}")
            yield _blank(index)
            continue
        text = read_page(page, index, max_chars=left + 1)
        page.close()
        left -= text.char_count
        if left < 0:
            raise ParseError(
                f"{source_name} has more than {limits.max_text_chars} characters",
                code="limit",
                hint="Split the file, or raise max_text_chars.",
            )
        yield text


def _with_glyph_ids(document: Any, texts: list[PageText]) -> list[PageText]:
    """Short pages cannot prove by themselves that their codes are glyph numbers; other pages can for them."""
    if not any(page.recovered for page in texts):
        return texts
    return [
        read_page(document[page.index], page.index, max_chars=page.char_count, trust_glyph_ids=True)
        if page.unmapped
        else page
        for page in texts
    ]


def _blank(index: int) -> PageText:
    return PageText(
        index=index,
        frame=Frame(left=0.0, bottom=0.0, right=0.0, top=0.0, rotation_deg=0),
        rotation_deg=0,
        glyphs=(),
        char_count=0,
        off_page=0,
        hidden=0,
        unmapped=0,
        recovered=False,
        ocr_layer=False,
        image_share=0.0,
        rulings=(),
    )


def _readable(texts: list[PageText], flags: list[str]) -> list[PageText]:
    """The pages, garbled ones emptied; what was found is added to the flags."""
    if any(page.hidden for page in texts):
        flags.append("hidden_text_dropped")
    if any(page.off_page for page in texts):
        flags.append("off_page_text_dropped")
    if any(page.recovered for page in texts):
        flags.append("text_recovered_from_glyph_numbers")
    return [_judged(page, flags) for page in texts]


def _judged(page: PageText, flags: list[str]) -> PageText:
    inked = [glyph.char for glyph in page.glyphs if not glyph.char.isspace()]
    number = page.index + 1
    if page.ocr_layer:
        flags.append(f"ocr_layer:page {number}")
    if not inked:
        if page.image_share >= _IMAGE_SHARE:
            flags.append(f"needs_ocr:page {number}")
        return page
    bad_share = page.unmapped / (len(inked) + page.unmapped)
    if bad_share > _GARBLED_SHARE or _is_gibberish(inked):
        flags.append(f"needs_ocr:page {number}")
        return _without_text(page)
    if bad_share > _DOUBTFUL_SHARE:
        flags.append(f"low_quality_text:page {number}")
    if len(inked) < _STAMP_CHARS and page.image_share >= _PAGE_IMAGE_SHARE and not page.ocr_layer:
        flags.append(f"needs_ocr:page {number}")
    return page


def _is_gibberish(inked: list[str]) -> bool:
    """A font without a Unicode map often comes out as punctuation: hardly a letter or figure among the signs."""
    letters = sum(char.isalpha() for char in inked)
    digits = sum(char.isdigit() for char in inked)
    return len(inked) >= 4 and letters < 0.2 * len(inked) and digits < 0.3 * len(inked)  # noqa: PLR2004


def _without_text(page: PageText) -> PageText:
    from dataclasses import replace

    return replace(page, glyphs=())


def _no_text(source_name: str, count: int, flags: Sequence[str]) -> ParseError:
    if any(flag.startswith("unreadable:") for flag in flags):
        return ParseError(
            f"{source_name} is damaged: none of its pages can be read",
            code="corrupt",
            hint="Open it in a PDF viewer and save or print it to a new PDF.",
        )
    what = f"on its {count} pages" if count > 1 else "on its page"
    return ParseError(
        f"{source_name} has no text that can be read {what}, only images or fonts without a character map",
        code="no_text",
        hint="Run text recognition on it (for example `ocrmypdf in.pdf out.pdf`) and ingest the result.",
    )


# --- what the file says about itself ---------------------------------------------------------------


def _outline(document: Any) -> list[str]:
    import pypdfium2

    titles: list[str] = []
    try:
        for mark in document.get_toc(max_depth=8):
            titles.append(mark.get_title())
            if len(titles) >= _MAX_OUTLINE:
                break
    except pypdfium2.PdfiumError:
        return []
    return titles


def _metadata(document: Any) -> dict[str, str]:
    declared = document.get_metadata_dict(skip_empty=True)
    found = {
        "title": _title(declared.get("Title", "").removeprefix("Microsoft Word - ")),
        "author": declared.get("Author", ""),
        "language": _language(document),
    }
    clean = {key: " ".join(value.replace("\x00", "").split()) for key, value in found.items()}
    return {key: value for key, value in clean.items() if value and value.casefold() != "untitled"}


def _title(declared: str) -> str:
    """The declared title, unless it is what a program left there: a file name is worse than the first heading."""
    words = declared.strip()
    return "" if _FILE_NAME.search(words) or (" " not in words and "_" in words) else declared


def _language(document: Any) -> str:
    import pypdfium2.raw as pdfium

    read = getattr(pdfium, "FPDFCatalog_GetLanguage", None)
    if read is None:
        return ""
    buffer = ctypes.create_string_buffer(_LANGUAGE_BYTES)
    length = read(document.raw, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), _LANGUAGE_BYTES)
    known = 0 < length <= _LANGUAGE_BYTES
    return buffer.raw[: max(length - 2, 0)].decode("utf-16-le", "ignore") if known else ""
