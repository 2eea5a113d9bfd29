"""What every Parser must do. Subclass, say how to make one and what to feed it, and let pytest collect the class.

Example:
    class TestMine(ParserConformance):
        def make(self) -> Parser:
            return MyParser()

        def samples(self) -> Sequence[Sample]:
            return [Sample(name="a.mine", data=b"...")]
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pincite.errors import ParseError
from pincite.protocols import ParseLimits, Parser
from pincite.text.layout import decode_boxes, locate, rects
from pincite.types import Parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.types import Block

_CODES = frozenset(
    ["needs_password", "corrupt", "empty", "no_text", "mislabelled", "unsupported", "too_large", "limit", "encoding"],
)
_METADATA = frozenset(
    {"title", "author", "language", "effective_from", "effective_to", "version_label", "access", "supersedes"}
    | {"header_from", "header_line", "header_precision"}
)
_ATTRIBUTE = "attributes."  # a scope attribute that the file declares: "attributes.country"
_MUTANTS_PER_SAMPLE = 25
_SEED = 20_240_521


class Sample(NamedTuple):
    """A file that the parser reads; ``name`` with its extension."""

    name: str
    data: bytes


class ParserConformance:
    """Tests that hold for any Parser; each method is one rule of the protocol."""

    limits = ParseLimits(max_text_chars=5_000_000, cpu_s=30)

    def make(self) -> Parser:
        """The parser under test; parsers keep no state, so it may be the same object each time."""
        raise NotImplementedError

    def samples(self) -> Sequence[Sample]:
        """Files with text, at least one."""
        raise NotImplementedError

    # --- the parser ---

    def test_it_is_a_parser_with_a_name_and_media_types(self) -> None:
        """The name is part of every version_id, so it must carry a version."""
        parser = self.make()
        _expect(isinstance(parser, Parser), "does not have the methods of Parser")
        _expect("/" in parser.name, 'name must end in a version, as in "pdf/1"')
        _expect(bool(parser.media_types), "reads no media type")

    def test_the_same_bytes_give_the_same_result(self) -> None:
        """Also from another object, and whatever the file is called."""
        for sample in self.samples():
            first = self._parse(sample)
            _expect(first == self._parse(sample), f"{sample.name}: two runs differ")
            again = self._parse(Sample(f"other-{sample.name}", sample.data))
            _expect(first.text == again.text, f"{sample.name}: the text depends on the file's name")

    # --- text and layout ---

    def test_text_is_unicode_without_control_characters(self) -> None:
        """Line feeds and tabs only; no lone surrogates, which no file or wire can hold."""
        for sample, parsed in self._parsed():
            _expect(bool(parsed.text.strip()), f"{sample.name}: a sample must have text")
            bad = [c for c in parsed.text if (c < " " and c not in "\n\t") or "\ud800" <= c <= "\udfff"]
            _expect(not bad, f"{sample.name}: characters {bad[:3]!r} in the text")

    def test_blocks_are_sorted_apart_and_inside_the_text(self) -> None:
        """And none is blank."""
        for sample, parsed in self._parsed():
            blocks = parsed.layout.blocks
            _expect(bool(blocks), f"{sample.name}: no blocks")
            for block in blocks:
                inside = 0 <= block.start < block.end <= len(parsed.text)
                _expect(inside, f"{sample.name}: block {block.start}-{block.end} is empty or outside")
                _expect(bool(parsed.text[block.start : block.end].strip()), f"{sample.name}: a blank block")
            ordered = all(a.end <= b.start for a, b in pairwise(blocks))
            _expect(ordered, f"{sample.name}: blocks overlap or are out of order")

    def test_between_blocks_there_is_only_white_space(self) -> None:
        """Nothing is said outside a block."""
        for sample, parsed in self._parsed():
            for start, end in _gaps(parsed):
                _expect(not parsed.text[start:end].strip(), f"{sample.name}: {parsed.text[start:end]!r} is in no block")

    def test_cells_lie_in_their_row(self) -> None:
        """In order, apart, not negative."""
        for sample, parsed in self._parsed():
            for block in parsed.layout.blocks:
                _expect(_cells_fit(block), f"{sample.name}: cells of {block.start}-{block.end} do not fit")

    def test_a_heading_is_in_the_path_of_what_follows_it(self) -> None:
        """A path names headings of this document, outermost first."""
        for sample, parsed in self._parsed():
            headings: set[str] = set()
            for block in parsed.layout.blocks:
                unknown = [title for title in block.heading_path if title not in headings]
                _expect(not unknown, f"{sample.name}: {unknown[:1]} is in a path but no heading above")
                if block.level is not None:
                    headings.add(parsed.text[block.start : block.end])

    def test_pages_cover_the_text_in_order(self) -> None:
        """Where there are pages, every character is on exactly one; boxes are one per character."""
        for sample, parsed in self._parsed():
            pages = parsed.layout.pages
            if not pages:
                continue
            _expect(pages[0].start == 0, f"{sample.name}: the first page does not begin at 0")
            _expect(pages[-1].end == len(parsed.text), f"{sample.name}: the last page does not end with the text")
            _expect(all(a.end == b.start for a, b in pairwise(pages)), f"{sample.name}: pages leave gaps")
            _expect([p.index for p in pages] == list(range(len(pages))), f"{sample.name}: page indices skip")
            for page in pages:
                boxes = decode_boxes(page.boxes)
                _expect(not boxes or len(boxes) == page.end - page.start, f"{sample.name}: not one box per character")

    def test_every_block_is_located_where_it_says(self) -> None:
        """Same page, and rectangles that lie on it, for formats with geometry."""
        for sample, parsed in self._parsed():
            pages = parsed.layout.pages
            for block in parsed.layout.blocks:
                where = locate(parsed.layout, block.start, block.end)
                _expect(where.page_index == block.page_index, f"{sample.name}: block at {block.start} is elsewhere")
                for rect in rects(parsed.layout, block.start, block.end) if pages else ():
                    page = pages[rect.page_index]
                    fits = (
                        rect.x0 < rect.x1
                        and rect.y0 < rect.y1
                        and rect.x0 <= page.width_pt
                        and rect.y0 <= page.height_pt
                    )
                    _expect(fits, f"{sample.name}: {rect} is not on its page")

    def test_runs_are_sorted_and_copy_as_many_characters_as_they_cover(self) -> None:
        """Inside the text, apart, source positions not negative."""
        for sample, parsed in self._parsed():
            runs = parsed.layout.runs
            _expect(all(a.end <= b.start for a, b in pairwise(runs)), f"{sample.name}: runs overlap")
            good = all(0 <= r.start < r.end <= len(parsed.text) and r.source_start >= 0 for r in runs)
            _expect(good, f"{sample.name}: a run is empty or outside")

    def test_metadata_has_only_known_keys_and_no_blanks(self) -> None:
        """What the file does not declare is left out."""
        for sample, parsed in self._parsed():
            unknown = {key for key in parsed.metadata if not key.startswith(_ATTRIBUTE)} - _METADATA
            _expect(not unknown, f"{sample.name}: unknown metadata {sorted(unknown)}")
            _expect(all(value.strip() for value in parsed.metadata.values()), f"{sample.name}: blank metadata")

    # --- bad input ---

    def test_any_bytes_whatsoever_give_a_result_or_a_parse_error(self) -> None:
        """Cut short, bytes flipped, pieces removed or doubled; the same every time."""
        chance = random.Random(_SEED)  # noqa: S311 - seeded on purpose
        for sample in self.samples():
            for _ in range(_MUTANTS_PER_SAMPLE):
                self._survives(Sample(sample.name, _mutated(sample.data, chance)))

    def test_noise_and_nothing_give_a_parse_error_or_text(self) -> None:
        """An empty file is an error with a code."""
        name = self.samples()[0].name
        code = self._survives(Sample(name, b""))
        _expect(code == "empty", f"no bytes must give code empty, not {code}")
        chance = random.Random(_SEED)  # noqa: S311 - seeded on purpose
        for size in (1, 10, 1000, 100_000):
            self._survives(Sample(name, chance.randbytes(size)))
        self._survives(Sample(name, b"\x00" * 5000))

    def test_limits_are_kept(self) -> None:
        """Too many bytes, characters or pages: a ParseError that says so."""
        sample = max(self.samples(), key=lambda s: len(s.data))
        parsed = self._parse(sample)
        small = replace(self.limits, max_file_bytes=len(sample.data) - 1)
        _expect(self._code(sample, small) == "too_large", "max_file_bytes is not kept")
        few = replace(self.limits, max_text_chars=max(len(parsed.text) // 4, 1))
        _expect(self._code(sample, few) in {"limit", "too_large"}, "max_text_chars is not kept")
        if len(parsed.layout.pages) > 1:
            one = replace(self.limits, max_pages=1)
            _expect(self._code(sample, one) in {"limit", "too_large"}, "max_pages is not kept")

    # --- helpers ---

    def _parse(self, sample: Sample) -> Parsed:
        return self.make().parse(sample.data, source_name=sample.name, limits=self.limits)

    def _parsed(self) -> Iterator[tuple[Sample, Parsed]]:
        for sample in self.samples():
            yield sample, self._parse(sample)

    def _code(self, sample: Sample, limits: ParseLimits) -> str | None:
        try:
            self.make().parse(sample.data, source_name=sample.name, limits=limits)
        except ParseError as error:
            return error.code
        return None

    def _survives(self, sample: Sample) -> str | None:
        """Parse; the error code if that is how it ended. Any other exception fails the test."""
        try:
            parsed = self._parse(sample)
        except ParseError as error:
            _expect(error.code in _CODES, f"unknown error code {error.code}")
            _expect(bool(error.hint), f"the error {error.code} does not say what to do")
            return error.code
        _expect(isinstance(parsed, Parsed), "parse must return Parsed")
        return None


def _expect(condition: bool, message: str) -> None:  # noqa: FBT001 - reads like the assertion it stands for
    if not condition:
        raise AssertionError(message)


def _gaps(parsed: Parsed) -> Iterator[tuple[int, int]]:
    at = 0
    for block in parsed.layout.blocks:
        yield at, block.start
        at = block.end
    yield at, len(parsed.text)


def _cells_fit(block: Block) -> bool:
    inside = all(block.start <= c.start <= c.end <= block.end and min(c.row, c.column) >= 0 for c in block.cells)
    return inside and all(a.end <= b.start for a, b in pairwise(block.cells))


def _mutated(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(changed) or 1)
        length = chance.choice((1, 3, 20, 500))
        match chance.randrange(5):
            case 0:
                changed[at : at + length] = chance.randbytes(length)
            case 1:
                del changed[at : at + length]
            case 2:
                changed[at:at] = changed[at : at + length]
            case 3:
                changed[at : at + 1] = bytes([chance.randrange(256)])
            case _:
                del changed[max(at, len(changed) // 8) :]
    return bytes(changed)
