from __future__ import annotations

import io
from typing import TYPE_CHECKING

import docx
import pytest

from pincite.adapters.parsers.docx import DocxParser
from pincite.adapters.parsers.html import HtmlParser
from pincite.adapters.parsers.markdown import MarkdownParser
from pincite.adapters.parsers.plain import PlainTextParser
from pincite.testing.parser_conformance import ParserConformance, Sample

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pincite.protocols import Parser

MARKDOWN = """---
title: Leave
attributes:
  country: India
---
# Leave

Employees get **18 days**.[^1]

| Plan | Days |
|------|------|
| A \\| B | `5` |

1. one
   - inner <b>bold</b>

> quoted &amp; kept

```
code  here
```

[^1]: In full.
"""
HTML = """<!doctype html><html lang="en"><title>T</title><body><nav>menu</nav><h1>Fees &amp; more</h1>
<p>It costs &euro;5<br>a month<sup>2</sup>.<p hidden>secret</p>
<table><tr><th>Plan<th>Price<tr><td>A<td>5</table><ol><li>one<li>two</ol><pre> a
  b</pre></body>"""


def word_file() -> bytes:
    document = docx.Document()
    document.add_heading("Leave", level=1)
    document.add_paragraph("Employees get 18 days.")
    document.add_paragraph("Apply early", style="List Number")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip((c for row in table.rows for c in row.cells), ("Plan", "Days", "A", "5"), strict=True):
        cell.text = text
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


class TestMarkdown(ParserConformance):
    def make(self) -> Parser:
        return MarkdownParser()

    def samples(self) -> Sequence[Sample]:
        return [Sample("leave.md", MARKDOWN.encode())]


class TestHtml(ParserConformance):
    def make(self) -> Parser:
        return HtmlParser()

    def samples(self) -> Sequence[Sample]:
        return [Sample("fees.html", HTML.encode())]


class TestPlainText(ParserConformance):
    def make(self) -> Parser:
        return PlainTextParser()

    def samples(self) -> Sequence[Sample]:
        text = "Rules\n=====\n\nThe first rule is long enough to have been broken at\nsome width by its writer.\n\n- one\n- two\n"
        return [Sample("rules.txt", text.encode()), Sample("utf16.txt", text.encode("utf-16"))]


class TestDocx(ParserConformance):
    def make(self) -> Parser:
        return DocxParser()

    def samples(self) -> Sequence[Sample]:
        return [Sample("leave.docx", word_file())]


class _Shared(ParserConformance):
    folder = ""

    @pytest.fixture(autouse=True)
    def _files(self, shared: Path) -> None:
        files = sorted((shared / "docs" / self.folder).iterdir())
        self._samples = [Sample(file.name, file.read_bytes()) for file in files]

    def samples(self) -> Sequence[Sample]:
        return self._samples


class TestRealMarkdown(_Shared):
    folder = "md"

    def make(self) -> Parser:
        return MarkdownParser()


class TestRealHtml(_Shared):
    folder = "html"

    def make(self) -> Parser:
        return HtmlParser()


class TestRealDocx(_Shared):
    folder = "docx"

    def make(self) -> Parser:
        return DocxParser()


del _Shared, ParserConformance
