from __future__ import annotations

import io

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph, SimpleDocTemplate

from pincite.adapters.parsers.pdf import PdfParser
from pincite.protocols import ParseLimits
from pincite.text.layout import rects
from pincite.types import BlockKind

WORDS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzäöüéñßæøå", min_size=2, max_size=9)
SENTENCE = st.lists(WORDS, min_size=12, max_size=40).map(lambda words: " ".join([words[0].title(), *words[1:]]) + ".")


def laid_out(paragraphs: list[str], width: float, size: float, alignment: int) -> bytes:
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    style = ParagraphStyle(
        "p", fontName="Vera", fontSize=size, leading=size * 1.25, alignment=alignment, spaceAfter=size
    )
    out = io.BytesIO()
    margin = (595 - width) / 2
    document = SimpleDocTemplate(out, pagesize=(595, 400), leftMargin=margin, rightMargin=margin, invariant=1)
    document.build([Paragraph(text, style) for text in paragraphs])
    return out.getvalue()


@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    paragraphs=st.lists(st.lists(SENTENCE, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=6),
    width=st.integers(360, 480),
    size=st.integers(8, 12),
    alignment=st.sampled_from([TA_LEFT, TA_RIGHT, TA_CENTER, TA_JUSTIFY]),
)
def test_every_word_comes_back_once_in_order_and_has_a_place(
    paragraphs: list[str], width: int, size: int, alignment: int
) -> None:
    data = laid_out(paragraphs, width, size, alignment)
    parsed = PdfParser().parse(data, source_name="a.pdf", limits=ParseLimits())
    assert parsed.text.split() == " ".join(paragraphs).split()
    assert {block.kind for block in parsed.layout.blocks} <= {
        BlockKind.PARAGRAPH,
        BlockKind.PAGE_HEADER,
        BlockKind.PAGE_FOOTER,
    }
    at = 0
    for word in parsed.text.split():
        at = parsed.text.index(word, at)
        assert len(rects(parsed.layout, at, at + len(word))) == 1
        at += len(word)


@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    paragraphs=st.lists(st.lists(SENTENCE, min_size=2, max_size=6).map(" ".join), min_size=1, max_size=5),
    width=st.integers(320, 480),
    alignment=st.sampled_from([TA_LEFT, TA_JUSTIFY]),
)
def test_paragraphs_stay_whole_over_lines_and_pages(paragraphs: list[str], width: int, alignment: int) -> None:
    data = laid_out(paragraphs, width, 10, alignment)
    parsed = PdfParser().parse(data, source_name="a.pdf", limits=ParseLimits())
    blocks = [parsed.text[block.start : block.end] for block in parsed.layout.blocks]
    for paragraph in paragraphs:
        for sentence in paragraph.split(". "):
            assert any(sentence.rstrip(".") in block for block in blocks), sentence
