from __future__ import annotations

import importlib.util
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2
import pytest

from pincite.adapters.parsers.pdf import PdfParser
from pincite.protocols import ParseLimits
from pincite.text.layout import locate, rects

if TYPE_CHECKING:
    from pincite.types import Parsed

_SPEC = importlib.util.spec_from_file_location("pdf_truth", Path(__file__).with_name("pdf_truth.py"))
assert _SPEC is not None
assert _SPEC.loader is not None
truth = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(truth)

WITH_TEXT = (
    "pdf/basecamp__37signals_Security_Overview.pdf",
    "pdf/basecamp__Basecamp_Data_Processing_Addendum_v201805.pdf",
    "pdf/basecamp__Basecamp_Data_Processing_Addendum_v202010.pdf",
    "pdf/basecamp__Basecamp_Data_Processing_Addendum_v202212.pdf",
    "pdf/basecamp__Data_Processing_Addendum_current.pdf",
    "pdf/docling-project__amt_handbook_sample.pdf",
    "pdf/docling-project__redp5110_sampled.pdf",
    "pdf/docling-project__right_to_left_01.pdf",
    "pdf/ocrmypdf__multipage.pdf",
    "pdf/py-pdf__GeoTopo-komprimiert.pdf",
    "pdf/py-pdf__habibi.pdf",
    "pdf/py-pdf__multicolumn.pdf",
    "nasty/habibi-rotated.pdf",
    "nasty/issue-1113-evil-xobjects.pdf",
    "nasty/negative-coords.pdf",
)
SHARED_BOXES = frozenset({"nasty/issue-1113-evil-xobjects.pdf", "nasty/habibi-rotated.pdf", "pdf/py-pdf__habibi.pdf"})
"""Copies of a text drawn over each other, or a whole word as one glyph: a rectangle holds more than its quote."""

RANGES = 1000


class File:
    """A parsed file beside what PDFium itself says of its pages."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.parsed = PdfParser().parse(data, source_name=name, limits=ParseLimits())
        self.ink = inked(self.parsed)
        self.by_glyph_number = (
            "text_recovered_from_glyph_numbers" in self.parsed.flags
        )  # beyond ASCII PDFium says nothing
        self.document = pypdfium2.PdfDocument(data)
        self._pages: dict[int, truth.PageTruth] = {}

    def page(self, index: int) -> truth.PageTruth:
        if index not in self._pages:
            self._pages[index] = truth.PageTruth(self.document[index], by_glyph_number=self.by_glyph_number)
        return self._pages[index]

    def quote_on(self, page_index: int, start: int, end: int) -> Counter[str]:
        page = self.parsed.layout.pages[page_index]
        part = self.ink[max(start, page.start) : min(end, page.end)]
        return Counter(char for char in part if char and (char.isascii() or not self.by_glyph_number))


def inked(parsed: Parsed) -> list[str]:
    """The text with blanks for whatever no glyph stands for: white space and what separates cells."""
    ink = ["" if char.isspace() else char for char in parsed.text]
    for block in parsed.layout.blocks:
        for a, b in pairwise(block.cells):
            ink[a.end : b.start] = [""] * (b.start - a.end)
    return ink


@pytest.fixture(scope="module", params=WITH_TEXT)
def file(shared: Path, request: pytest.FixtureRequest) -> File:
    return File(request.param, (shared / "docs" / request.param).read_bytes())


def test_rectangles_hold_exactly_the_quoted_glyphs_for_a_thousand_ranges(file: File) -> None:
    chance = random.Random(file.name)
    text, layout = file.parsed.text, file.parsed.layout
    extra = total = 0
    for _ in range(RANGES):
        start = chance.randrange(len(text))
        end = min(start + chance.randint(1, 300), len(text))
        found = rects(layout, start, end)
        assert bool(found) == any(file.ink[start:end])
        for index in {r.page_index for r in found}:
            held = file.page(index).inside([r for r in found if r.page_index == index])
            wanted = file.quote_on(index, start, end)
            missing = wanted - held
            assert not missing, f"{text[start:end]!r}: {missing} are not under its rectangles"
            total += wanted.total()
            extra += (held - wanted).total()
    assert total > 0
    if file.name not in SHARED_BOXES:
        assert extra <= 0.05 * total, "rectangles reach far over other text"


def test_the_page_of_every_block_is_the_one_that_shows_it(file: File) -> None:
    blocks = file.parsed.layout.blocks
    for block in blocks[:: max(len(blocks) // 50, 1)]:
        where = locate(file.parsed.layout, block.start, block.end)
        assert where.page_index is not None
        shown = Counter(file.page(where.page_index).chars)
        assert not file.quote_on(where.page_index, block.start, block.end) - shown
        assert where.page_label == (file.document.get_page_label(where.page_index) or None)
