"""Which parser reads a file: its content decides first, then the extension; a contradiction is an error."""

from __future__ import annotations

from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple, cast

from pincite.errors import ParseError

if TYPE_CHECKING:
    from pincite.protocols import Parser

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
HTML = "text/html"
MARKDOWN = "text/markdown"
PLAIN = "text/plain"
CSV = "text/csv"
TSV = "text/tab-separated-values"
JSON_LINES = "application/x-ndjson"

_RECORDS = frozenset({CSV, TSV, JSON_LINES})
_BINARY = frozenset({PDF, DOCX, XLSX})
_EXTENSIONS = {
    ".pdf": PDF,
    ".docx": DOCX,
    ".xlsx": XLSX,
    ".xlsm": XLSX,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".mdown": MARKDOWN,
    ".txt": PLAIN,
    ".text": PLAIN,
    ".csv": CSV,
    ".tsv": TSV,
    ".jsonl": JSON_LINES,
    ".ndjson": JSON_LINES,
}
_BINARY_NAMES = {PDF: "a PDF", DOCX: "a Word document (.docx)", XLSX: "a spreadsheet (.xlsx)"}
_TRANSPARENT = frozenset({".tmpl", ".template"})  # "policy.md.tmpl" is Markdown
_PARSERS = {
    PDF: "pincite.adapters.parsers.pdf:PdfParser",
    DOCX: "pincite.adapters.parsers.docx:DocxParser",
    XLSX: "pincite.adapters.parsers.xlsx:XlsxParser",
    HTML: "pincite.adapters.parsers.html:HtmlParser",
    MARKDOWN: "pincite.adapters.parsers.markdown:MarkdownParser",
    PLAIN: "pincite.adapters.parsers.plain:PlainTextParser",
}
_HEAD_BYTES = 4096
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_OFFICE = "EncryptedPackage".encode("utf-16-le")
_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")


class _Foreign(NamedTuple):
    magic: bytes
    name: str
    hint: str


_NOT_READ = (
    _Foreign(b"{\\rtf", "a Rich Text file", "Save it as .docx and ingest that."),
    _Foreign(b"\x89PNG", "a PNG image", "Make it a searchable PDF with text recognition and ingest that."),
    _Foreign(b"\xff\xd8\xff", "a JPEG image", "Make it a searchable PDF with text recognition and ingest that."),
    _Foreign(b"GIF8", "a GIF image", "Make it a searchable PDF with text recognition and ingest that."),
    _Foreign(b"II*\x00", "a TIFF image", "Make it a searchable PDF with text recognition and ingest that."),
    _Foreign(b"MM\x00*", "a TIFF image", "Make it a searchable PDF with text recognition and ingest that."),
    _Foreign(b"\x1f\x8b", "a gzip archive", "Unpack it and ingest what is inside."),
    _Foreign(b"7z\xbc\xaf", "a 7z archive", "Unpack it and ingest what is inside."),
    _Foreign(b"Rar!", "a RAR archive", "Unpack it and ingest what is inside."),
    _Foreign(b"BZh", "a bzip2 archive", "Unpack it and ingest what is inside."),
    _Foreign(b"MZ", "a Windows program", "Leave it out."),
    _Foreign(b"\x7fELF", "a program", "Leave it out."),
)


def extensions() -> frozenset[str]:
    """Extensions that folders are searched for, lower case with the dot."""
    return frozenset(_EXTENSIONS) | _TRANSPARENT


def by_extension(source_name: str) -> str | None:
    """What the name promises; ``None`` when it promises nothing that is read."""
    path = PurePath(source_name.lower())
    while path.suffix in _TRANSPARENT:
        path = path.with_suffix("")
    return _EXTENSIONS.get(path.suffix)


def media_type_of(data: bytes, source_name: str) -> str:
    """The media type of a file, one that ``parser_for`` or the records parser takes.

    Raises:
        ParseError: empty, mislabelled (content and extension disagree), needs_password or unsupported.
    """
    if not data:
        raise ParseError(f"{source_name} is empty", code="empty", hint="Nothing to do; there is nothing to cite.")
    promised = by_extension(source_name)
    found = _binary_kind(data, source_name, promised)
    if found is not None:
        return _agreed(found, promised, source_name)
    if promised in _BINARY:
        raise _not_what_it_says(source_name, _text_kind(data))
    return _text_type(data, source_name, promised)


def is_records(media_type: str) -> bool:
    """Whether a file holds many documents, one per record (CSV, TSV, JSON Lines)."""
    return media_type in _RECORDS


def parser_for(media_type: str) -> Parser:
    """A new parser for one of the document media types.

    Raises:
        ParseError: unsupported, also for records, which have a parser of their own.
    """
    try:
        module, _, name = _PARSERS[media_type].partition(":")
    except KeyError as exc:
        raise ParseError(
            f"there is no parser for {media_type}", code="unsupported", hint="Save it as PDF, DOCX, HTML or text."
        ) from exc
    return cast("Parser", getattr(import_module(module), name)())


def _agreed(found: str, promised: str | None, source_name: str) -> str:
    suffixes = PurePath(source_name).suffixes
    if promised == found or not suffixes:
        return found
    raise _not_what_it_says(source_name, _BINARY_NAMES[found])


def _binary_kind(data: bytes, source_name: str, promised: str | None) -> str | None:
    """PDF, DOCX or XLSX, recognised by content; other known binary kinds are refused."""
    if data.startswith(b"PK\x03\x04"):
        return _zip_kind(data, source_name, promised)
    if data.startswith(_OLE):
        raise _old_office(data, source_name)
    for foreign in _NOT_READ:
        if data.startswith(foreign.magic):
            if promised is not None:
                raise _not_what_it_says(source_name, foreign.name)
            raise ParseError(f"{source_name} is {foreign.name}", code="unsupported", hint=foreign.hint)
    return PDF if b"%PDF-" in data[:1024] and not _looks_html(data) else None


def _zip_kind(data: bytes, source_name: str, promised: str | None) -> str:
    """File names stand uncompressed in an archive's directory, so nothing is unpacked to tell."""
    if b"word/document" in data:
        return DOCX
    if b"xl/workbook.xml" in data:
        return XLSX
    if promised in {DOCX, XLSX}:  # damaged, or with names of its own: the parser tells
        return promised
    inside = "slides" if b"ppt/presentation" in data else "an archive"
    hint = "Unpack it and ingest what is inside." if inside == "an archive" else "Save it as PDF and ingest that."
    if promised is not None:
        raise _not_what_it_says(source_name, inside)
    raise ParseError(f"{source_name} is {inside}, which is not read", code="unsupported", hint=hint)


def _old_office(data: bytes, source_name: str) -> ParseError:
    if _ENCRYPTED_OFFICE in data:
        return ParseError(
            f"{source_name} is protected by a password",
            code="needs_password",
            hint="Save a copy without the password and ingest that.",
        )
    return ParseError(
        f"{source_name} is in an old Office format", code="unsupported", hint="Save it as .docx or PDF and ingest that."
    )


def _text_type(data: bytes, source_name: str, promised: str | None) -> str:
    head = data[:_HEAD_BYTES]
    if b"\x00" in head and not head.startswith(_BYTE_ORDER_MARKS):
        if promised is not None:
            raise _not_what_it_says(source_name, "binary data")
        raise ParseError(
            f"{source_name} is in a binary format that is not read", code="unsupported", hint="Leave it out."
        )
    if promised in (None, PLAIN, MARKDOWN) and _looks_html(data):
        return HTML
    if promised is not None:
        return promised
    if PurePath(source_name).suffix:
        raise ParseError(
            f"{source_name} has an extension that is not read",
            code="unsupported",
            hint="Save it as PDF, DOCX, HTML, Markdown or text; rename it to .txt if it is plain text.",
        )
    return PLAIN


def _looks_html(data: bytes) -> bool:
    start = data[:_HEAD_BYTES].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return start.startswith((b"<!doctype html", b"<html"))


def _text_kind(data: bytes) -> str:
    if _looks_html(data):
        return "an HTML page"
    return "binary data" if b"\x00" in data[:_HEAD_BYTES] else "plain text"


def _not_what_it_says(source_name: str, kind: str) -> ParseError:
    return ParseError(
        f"{source_name} is not what its extension says: it holds {kind}",
        code="mislabelled",
        hint="Give the file the right extension, or fetch the real document again.",
    )
