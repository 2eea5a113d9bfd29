from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pincite.adapters.parsers.pdf import PdfParser
from pincite.testing.parser_conformance import ParserConformance, Sample

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pincite.protocols import Parser


class TestPdf(ParserConformance):
    @pytest.fixture(autouse=True)
    def _files(self, shared: Path) -> None:
        names = (
            "pdf/py-pdf__multicolumn.pdf",
            "pdf/basecamp__37signals_Security_Overview.pdf",
            "pdf/docling-project__right_to_left_01.pdf",
            "pdf/ocrmypdf__multipage.pdf",
            "nasty/negative-coords.pdf",
            "nasty/habibi-rotated.pdf",
        )
        self._samples = [Sample(name, (shared / "docs" / name).read_bytes()) for name in names]

    def make(self) -> Parser:
        return PdfParser()

    def samples(self) -> Sequence[Sample]:
        return self._samples
