from __future__ import annotations

import importlib.util
import random
from collections import Counter
from functools import lru_cache
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


@lru_cache(maxsize=2)
def parse(data: bytes) -> Parsed:
    return PdfParser().parse(data, source_name="a.pdf", limits=ParseLimits())


def inked(parsed: Parsed) -> list[str]:
    """The text with blanks for whatever no glyph stands for: white space and what separates cells."""
    ink = ["" if char.isspace() else char for char in parsed.text]
    for block in parsed.layout.blocks:
        for a, b in pairwise(block.cells):
            ink[a.end : b.start] = [""] * (b.start - a.end)
    return ink


def quote_on(parsed: Parsed, ink: list[str], page_index: int, start: int, end: int) -> Counter[str]:
    page = parsed.layout.pages[page_index]
    return Counter(char for char in ink[max(start, page.start) : min(end, page.end)] if char)


@pytest.mark.parametrize("name", WITH_TEXT)
def test_rectangles_hold_exactly_the_quoted_glyphs_for_a_thousand_ranges(shared: Path, name: str) -> None:
    data = (shared / "docs" / name).read_bytes()
    parsed = parse(data)
    ink = inked(parsed)
    document = pypdfium2.PdfDocument(data)
    pages: dict[int, truth.PageTruth] = {}
    chance = random.Random(name)
    extra = total = 0
    for _ in range(RANGES):
        start = chance.randrange(len(parsed.text))
        end = min(start + chance.randint(1, 300), len(parsed.text))
        found = rects(parsed.layout, start, end)
        assert bool(found) == any(ink[start:end])
        for index in {r.page_index for r in found}:
            if index not in pages:
                pages[index] = truth.PageTruth(document[index])
            held = pages[index].inside([r for r in found if r.page_index == index])
            wanted = quote_on(parsed, ink, index, start, end)
            missing = wanted - held
            assert not missing, f"{parsed.text[start:end]!r}: {missing} are not under its rectangles"
            total += wanted.total()
            extra += (held - wanted).total()
    assert total > 0
    if name not in SHARED_BOXES:
        assert extra <= 0.05 * total, "rectangles reach far over other text"


@pytest.mark.parametrize("name", WITH_TEXT)
def test_the_page_of_every_block_is_the_one_that_shows_it(shared: Path, name: str) -> None:
    data = (shared / "docs" / name).read_bytes()
    parsed = parse(data)
    ink = inked(parsed)
    document = pypdfium2.PdfDocument(data)
    for block in parsed.layout.blocks[:: max(len(parsed.layout.blocks) // 50, 1)]:
        where = locate(parsed.layout, block.start, block.end)
        assert where.page_index is not None
        shown = Counter(truth.PageTruth(document[where.page_index]).chars)
        assert not quote_on(parsed, ink, where.page_index, block.start, block.end) - shown
        assert where.page_label == (document.get_page_label(where.page_index) or None)
