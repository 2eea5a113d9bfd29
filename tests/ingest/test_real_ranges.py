"""For random ranges of every real file without pages: the quote is the text, and its characters are the source's."""

from __future__ import annotations

import io
import random
import zipfile
from bisect import bisect_right
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from pincite.adapters.parsers import registry
from pincite.config import PassageSettings
from pincite.ingest import IngestOptions, SourceMeta, cut_passages, make_version
from pincite.protocols import ParseLimits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pincite.types import Version

RANGES_PER_FILE = 1000
LONGEST_ADDED_CHARS = 22  # "1st.2.2someOtherText.1", an automatic number of the numbering torture file
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MARKS = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "\u2011"}


def files(shared: Path) -> list[Path]:
    docs = shared / "docs"
    return sorted([*(docs / "md").iterdir(), *(docs / "html").iterdir(), *docs.rglob("*.docx")])


def version_of(file: Path) -> Version:
    data = file.read_bytes()
    parser = registry.parser_for(registry.media_type_of(data, file.name))
    meta = SourceMeta(
        document_id=file.stem, source_uri=file.as_uri(), content_sha256="", ingested_at=datetime(2026, 1, 1, tzinfo=UTC),
        options=IngestOptions(), fallback_title=file.stem,
    )  # fmt: skip
    return make_version(parser.parse(data, source_name=file.name, limits=ParseLimits()), meta)


class Source:
    """The source's text by part, read without any of our code."""

    def __init__(self, file: Path) -> None:
        self._data = file.read_bytes()
        self.text = cache(self._text)
        self._paragraphs = cache(self._all_paragraphs)

    def _text(self, part: str) -> str:
        if not part:
            return self._data.decode("utf-8-sig")
        name, _, number = part.partition("#p")
        paragraph = self._paragraphs(name)[int(number)]
        own = (e for e in paragraph.iter() if next(e.iterancestors(f"{W}p"), None) is paragraph)
        shown = (e for e in own if not any(a.tag == f"{W}pPr" for a in e.iterancestors()))
        return "".join((e.text or "") if e.tag == f"{W}t" else MARKS.get(str(e.tag), "") for e in shown)

    def _all_paragraphs(self, name: str) -> Sequence[etree._Element]:
        with zipfile.ZipFile(io.BytesIO(self._data)) as archive:
            return etree.fromstring(archive.read(name)).findall(f".//{W}p")


def words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def test_a_thousand_random_ranges_of_every_file_are_quoted_exactly_and_found_in_the_source(shared: Path) -> None:
    chance = random.Random(2)
    for file in files(shared):
        version, source = version_of(file), Source(file)
        runs = version.layout.runs
        starts = [run.start for run in runs]
        mapped = 0
        for _ in range(RANGES_PER_FILE):
            start = chance.randrange(len(version.text))
            end = min(start + chance.randint(1, 300), len(version.text))
            quote = version.text[start:end]
            for run in runs[max(bisect_right(starts, start) - 1, 0) : bisect_right(starts, end - 1)]:
                low, high = max(run.start, start), min(run.end, end)
                at = run.source_start + low - run.start
                if low < high:
                    assert source.text(run.part)[at : at + high - low] == quote[low - start : high - start], file.name
                    mapped += high - low
        assert mapped, file.name


def test_every_run_of_every_file_copies_its_source(shared: Path) -> None:
    for file in files(shared):
        version, source = version_of(file), Source(file)
        for run in version.layout.runs:
            length = run.end - run.start
            copied = source.text(run.part)[run.source_start : run.source_start + length]
            assert copied == version.text[run.start : run.end], (file.name, run)


def test_what_the_parser_added_by_itself_is_only_separators_numbers_and_decoded_characters(shared: Path) -> None:
    for file in files(shared):
        version = version_of(file)
        end, added = 0, ""
        for run in version.layout.runs:
            added += f"{version.text[end : run.start]} "
            end = run.end
        longest = max((len(word) for word in f"{added}{version.text[end:]}".split()), default=0)
        assert longest <= LONGEST_ADDED_CHARS, (file.name, longest)


def test_passages_of_every_file_are_their_ranges_in_order_and_leave_out_only_headings_and_page_furniture(
    shared: Path,
) -> None:
    for file in files(shared):
        version = version_of(file)
        passages = cut_passages(version, count_tokens=words, settings=PassageSettings(target_tokens=80, max_tokens=120))
        end, covered = 0, set[int]()
        for passage in passages:
            assert version.text[passage.start : passage.end] == passage.text
            assert passage.start >= end
            end = passage.end
            covered |= set(range(passage.start, passage.end))
            assert all(passage.start <= cell.start <= cell.end <= passage.end for cell in passage.cells)
        left_out = {"heading", "page_header", "page_footer"}
        for block in version.layout.blocks:
            shown = {i for i in range(block.start, block.end) if version.text[i] not in " \n|"}
            assert block.kind.value in left_out or shown <= covered, (file.name, block)


@pytest.mark.parametrize(
    ("file", "words_in_order"),
    [
        (
            "md/github__github-terms-of-service.md",
            ["Section | What can you find there?", "Effective date: November 16, 2020"],
        ),
        ("md/JupiterOne__access.md.tmpl", ["{{companyShortName}} policy requires that", "(h) Authenticated sessions"]),
        ("html/docling-project__wiki_duck.html", ["Duck is the common name", "Main article: Waterfowl hunting"]),
        ("docx/18F__TEMPLATE_Team_charter.docx", ["[Project name] team charter", "@ Name | Title or chapter"]),
    ],
)
def test_what_a_reader_sees_in_a_real_file_is_there_in_order(
    shared: Path, file: str, words_in_order: list[str]
) -> None:
    text = version_of(shared / "docs" / file).text
    places = [text.find(words) for words in words_in_order]
    assert -1 not in places
    assert places == sorted(places)
