from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import pytest

from pincite.adapters.parsers import registry
from pincite.errors import ParseError
from pincite.protocols import Parser

if TYPE_CHECKING:
    from pathlib import Path

PDF_HEAD = b"%PDF-1.7\n1 0 obj\n"
HTML_PAGE = b"<!DOCTYPE html>\n<html><body><p>Sign in</p></body></html>"


def archive(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name in names:
            packed.writestr(name, "<x/>")
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "media_type"),
    [
        ("a.pdf", PDF_HEAD, registry.PDF),
        ("A.PDF", b"\xef\xbb\xbf\n" + PDF_HEAD, registry.PDF),
        ("scan", PDF_HEAD, registry.PDF),
        ("a.docx", archive("[Content_Types].xml", "word/document.xml"), registry.DOCX),
        ("a.docx", archive("word/document2.xml"), registry.DOCX),
        ("a.xlsx", archive("[Content_Types].xml", "xl/workbook.xml"), registry.XLSX),
        ("a.html", HTML_PAGE, registry.HTML),
        ("a.htm", b"<p>no doctype</p>", registry.HTML),
        ("a.md", b"# Title\n", registry.MARKDOWN),
        ("policy.md.tmpl", b"# Title\n", registry.MARKDOWN),
        ("policy@2020-03-27.md", b"# Title\n", registry.MARKDOWN),
        ("a.txt", "Größe".encode("utf-16"), registry.PLAIN),
        ("README", b"plain words", registry.PLAIN),
        ("page", HTML_PAGE, registry.HTML),
        ("claims.csv", b"id,state\n1,open\n", registry.CSV),
        ("claims.jsonl", b'{"id": 1}\n', registry.JSON_LINES),
        ("claims.tsv", b"id\tstate\n", registry.TSV),
    ],
)
def test_content_and_extension_together_give_the_media_type(name: str, data: bytes, media_type: str) -> None:
    assert registry.media_type_of(data, name) == media_type


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.pdf", HTML_PAGE, "mislabelled"),
        ("a.pdf", b"just words", "mislabelled"),
        ("a.pdf", archive("word/document.xml"), "mislabelled"),
        ("a.docx", PDF_HEAD, "mislabelled"),
        ("a.txt", PDF_HEAD, "mislabelled"),
        ("a.md", b"\x89PNG\r\n\x1a\n\x00\x00", "mislabelled"),
        ("a.txt", b"\x00\x01\x02binary", "mislabelled"),
        ("a.html", archive("xl/workbook.xml"), "mislabelled"),
        ("a.xlsx", archive("ppt/presentation.xml", "word/document.xml"), "mislabelled"),
        ("a.pptx", archive("ppt/presentation.xml"), "unsupported"),
        ("a.zip", archive("whatever.txt"), "unsupported"),
        ("a.png", b"\x89PNG\r\n\x1a\n\x00\x00", "unsupported"),
        ("a.rtf", b"{\\rtf1 hello}", "unsupported"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "unsupported"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "needs_password"),
        ("a.eml", b"From: a@example.com\n\nhello", "unsupported"),
        ("a.bin", b"\x00\x01\x02", "unsupported"),
        ("a.txt", b"", "empty"),
    ],
)
def test_files_that_are_not_read_say_why_and_what_to_do(name: str, data: bytes, code: str) -> None:
    with pytest.raises(ParseError) as caught:
        registry.media_type_of(data, name)
    assert caught.value.code == code
    assert caught.value.hint
    assert name in str(caught.value)


@pytest.mark.parametrize("media_type", [registry.PDF, registry.DOCX, registry.HTML, registry.MARKDOWN, registry.PLAIN])
def test_every_document_type_has_a_parser_that_reads_it(media_type: str) -> None:
    parser = registry.parser_for(media_type)
    assert isinstance(parser, Parser)
    assert media_type in parser.media_types


def test_records_are_not_documents() -> None:
    assert all(registry.is_records(kind) for kind in (registry.CSV, registry.TSV, registry.JSON_LINES))
    assert not registry.is_records(registry.PDF)
    with pytest.raises(ParseError, match="no parser"):
        registry.parser_for(registry.CSV)


def test_every_shared_document_of_a_known_kind_is_recognised(shared: Path) -> None:
    kinds = {"pdf": registry.PDF, "docx": registry.DOCX, "html": registry.HTML, "md": registry.MARKDOWN}
    for folder, kind in kinds.items():
        for path in sorted((shared / "docs" / folder).iterdir()):
            assert registry.media_type_of(path.read_bytes(), path.name) == kind
