"""Lines of all pages to blocks: headings, paragraphs, list items, table rows, footnotes, in reading order.

A paragraph that runs on over a column or a page is one block. Nothing in a PDF says so; what decides is
size, spacing, indentation, and whether the next line's first word would still have fitted on this one.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from pincite.adapters.parsers.pdf_grid import with_ruled_tables
from pincite.adapters.parsers.pdf_lines import ends_with_hyphen, joined, same_band
from pincite.adapters.parsers.pdf_tables import Row, Table, rows_of, tables_in
from pincite.types import BlockKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from pincite.adapters.parsers.pdf_grid import Grid
    from pincite.adapters.parsers.pdf_lines import Line

_BULLET = re.compile(r"[•◦▪‣●○■□–—\uf0b7\uf0a7]\s+\S|[-*·o]\s+\S")
_NUMBERED = re.compile(r"(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|(?:\d{1,3}\.)+\d{1,3}[.)]?)\s+\S")
_CAPTION = re.compile(
    r"(?:figure|fig\.|table|exhibit|abbildung|tabelle|tableau)\s+[\dA-Z][\w.-]*?(?:[:.|–—]\s|$|\s+(?-i:[A-Z]))",
    re.IGNORECASE,
)
_NOTE_MARK = re.compile(r"[\d*†‡]")
_TERMINAL = re.compile(r"[.!?:;。！？।؟…][\"'”’»)\]]*$")
_SAME_SIZE = 0.12
_LARGER = 1.08  # than body text, to be a heading
_SMALLER = 0.9  # than body text, to be a footnote
_NOTE_BAND = 0.55  # footnotes stand below this share of the page
_MAX_HEADING_CHARS = 200
_MAX_GAP_RATIO = 1.35  # of the usual distance between lines
_INDENT_EM = 0.9
_TAB_EM = 4.0
_MIN_HEADING_LETTERS = 3


@dataclass(kw_only=True)
class Draft:
    """A block before it has a place in the text. Exactly one of ``lines`` and ``cells`` is filled."""

    kind: BlockKind
    lines: list[Line] = field(default_factory=list)
    cells: dict[int, list[Line]] = field(default_factory=dict)
    headers: dict[int, list[Line]] = field(default_factory=dict)
    row: int = 0
    level: int | None = None

    @property
    def first(self) -> Line:
        """The line that begins it."""
        return self.lines[0] if self.lines else next(iter(self.cells.values()))[0]

    @property
    def last(self) -> Line:
        """The line that ends it."""
        return self.lines[-1] if self.lines else list(self.cells.values())[-1][-1]


@dataclass(frozen=True, kw_only=True, slots=True)
class Norms:
    """What is usual in the document: body size, distance of lines in ems, and pages' heights."""

    body_pt: float
    leading_em: float
    heights_pt: tuple[float, ...]
    outline: frozenset[str]


def norms_of(pages: Sequence[Sequence[Line]], heights_pt: Sequence[float], outline: Collection[str]) -> Norms:
    """Measure them; 10 pt and 1.2 em where there is no text."""
    sizes: Counter[float] = Counter()
    steps: list[float] = []
    for lines in pages:
        for line in lines:
            sizes[line.size_pt] += len(line.inked)
        for a, b in pairwise(lines):
            step = (b.baseline - a.baseline) / max(a.size_pt, 1.0)
            if a.size_pt == b.size_pt and 0.8 < step < 2.5:  # noqa: PLR2004 - one line to the next
                steps.append(step)
    return Norms(
        body_pt=sizes.most_common(1)[0][0] if sizes else 10.0,
        leading_em=median(steps) if steps else 1.2,
        heights_pt=tuple(heights_pt),
        outline=frozenset(plain(title) for title in outline),
    )


def drafts_of(pages: Sequence[Sequence[Line]], grids: Sequence[Sequence[Grid]], norms: Norms) -> list[Draft]:
    """Blocks of the whole document, levels set, paragraphs joined over pages. Furniture must be gone already."""
    drafts: list[Draft] = []
    carried: Table | None = None
    for lines, ruled in zip(pages, grids, strict=True):
        edges = _RightEdges(lines)
        for item in _items(lines, ruled):
            if isinstance(item, Row):
                _add_row(drafts, item, norms, edges)
                continue
            goes_on = bool(drafts) and drafts[-1].kind is BlockKind.TABLE_ROW
            if not item.has_header:
                item.headers = _carried(item, carried if goes_on else None)
            drafts.extend(_table_drafts(item))
            carried = item
    drafts = _run_on(drafts)
    _set_levels(drafts)
    return drafts


def _items(lines: Sequence[Line], grids: Sequence[Grid]) -> Iterator[Row | Table]:
    for part in with_ruled_tables(lines, grids):
        if isinstance(part, Table):
            yield part
        else:
            yield from tables_in(rows_of(part))


def plain(text: str) -> str:
    """For comparing titles: letters and figures only, case folded."""
    return "".join(char for char in text.casefold() if char.isalnum())


# --- running text ----------------------------------------------------------------------------------


class _RightEdges:
    """How far to the right the column of a line reaches on its page."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines

    def of(self, line: Line) -> float:
        """The largest right edge among lines of the same size that start near the same place."""
        near = 6 * line.size_pt
        same = (o.x1 for o in self._lines if abs(o.x0 - line.x0) <= near and abs(o.size_pt - line.size_pt) <= 1)
        return max(same, default=line.x1)


def _add_row(drafts: list[Draft], row: Row, norms: Norms, edges: _RightEdges) -> None:
    for line in _one_line(row):
        kind = _kind(line, norms)
        if drafts and _continues(drafts[-1], line, kind, norms, edges):
            drafts[-1].lines.append(line)
        else:
            drafts.append(Draft(kind=kind, lines=[line]))


def _one_line(row: Row) -> Iterator[Line]:
    """Lines of a row that is no table's; neighbours a tab apart ("Table 2-1   Columns of the view") are one line."""
    held: Line | None = None
    for cell in row.cells:
        for line in cell:
            near = held is not None and len(cell) == 1 and same_band(held, line)
            if held is not None and near and 0 < line.x0 - held.x1 <= _TAB_EM * line.size_pt:
                held = joined(held, line)
                continue
            if held is not None:
                yield held
            held = line
    if held is not None:
        yield held


def _kind(line: Line, norms: Norms) -> BlockKind:
    text = line.text
    if _is_heading(line, norms):
        return BlockKind.HEADING
    small = line.size_pt <= _SMALLER * norms.body_pt
    low = line.y0 > _NOTE_BAND * norms.heights_pt[line.page_index]
    if small and low and _NOTE_MARK.match(text) and line.upright:
        return BlockKind.FOOTNOTE
    if _CAPTION.match(text):
        return BlockKind.CAPTION
    if _BULLET.match(text) or _NUMBERED.match(text):
        return BlockKind.LIST_ITEM
    return BlockKind.CODE if line.monospace else BlockKind.PARAGRAPH


def _is_heading(line: Line, norms: Norms) -> bool:
    text = line.text
    letters = sum(char.isalpha() for char in text)
    if letters < _MIN_HEADING_LETTERS or len(text) > _MAX_HEADING_CHARS or not line.upright or line.monospace:
        return False
    if plain(text) in norms.outline:
        return True
    if line.size_pt >= _LARGER * norms.body_pt:
        return 2 * letters >= len(text.replace(" ", ""))
    set_off = line.all_bold and line.size_pt >= _SMALLER * norms.body_pt
    return set_off and text[-1] not in ".,;" and not _CAPTION.match(text)


def _continues(draft: Draft, line: Line, kind: BlockKind, norms: Norms, edges: _RightEdges) -> bool:
    """Whether a line is the next of the block, on the same page and in the same column."""
    if draft.cells or not _is_next_line(draft.lines[-1], line, norms):
        return False
    if BlockKind.HEADING in (draft.kind, kind):
        return draft.kind is kind and draft.last.bold == line.bold and not _NUMBERED.match(line.text)
    if BlockKind.CODE in (draft.kind, kind):
        return draft.kind is kind
    if kind in (BlockKind.LIST_ITEM, BlockKind.CAPTION) and _opens(line, draft.last, edges):
        return False
    if kind is BlockKind.FOOTNOTE and draft.kind is BlockKind.FOOTNOTE:
        return False
    return not _new_paragraph(draft, line, edges)


def _is_next_line(last: Line, line: Line, norms: Norms) -> bool:
    """Whether a line stands directly below another of its size."""
    step = (line.baseline - last.baseline) / max(last.size_pt, 1.0)
    alike = abs(last.size_pt - line.size_pt) <= _SAME_SIZE * last.size_pt and last.upright == line.upright
    near = 0.5 < step <= _MAX_GAP_RATIO * max(norms.leading_em, 1.15)  # noqa: PLR2004 - not the same line
    return alike and near and last.page_index == line.page_index and min(line.x1, last.x1) > max(line.x0, last.x0)


def _opens(line: Line, last: Line, edges: _RightEdges) -> bool:
    """Whether a line with a list marker begins an item, not just goes on with "12. May" by chance."""
    if _BULLET.match(line.text):
        return True
    return (
        _TERMINAL.search(last.text) is not None or last.text.endswith((",", " and", " or")) or _cut(last, line, edges)
    )


def _new_paragraph(draft: Draft, line: Line, edges: _RightEdges) -> bool:
    last = draft.lines[-1]
    if ends_with_hyphen(last):
        return False
    if line.rtl or last.rtl:
        return _TERMINAL.search(last.text) is not None and last.x0 > line.x0 + 3 * line.size_pt
    shift = (line.x0 - last.x0) / max(line.size_pt, 1.0)
    if shift > _INDENT_EM and not (draft.kind in (BlockKind.LIST_ITEM, BlockKind.FOOTNOTE) and len(draft.lines) == 1):
        return _TERMINAL.search(last.text) is not None or _cut(last, line, edges)
    if shift < -_INDENT_EM and len(draft.lines) > 1:
        return _TERMINAL.search(last.text) is not None or not _ends_or_centres_with(last, line)
    return _cut(last, line, edges) and (_TERMINAL.search(last.text) is not None or not line.text[0].islower())


def _ends_or_centres_with(last: Line, line: Line) -> bool:
    """Set flush right or centred, so that where a line begins says nothing."""
    off = min(abs(last.x1 - line.x1), abs(last.x0 + last.x1 - line.x0 - line.x1) / 2)
    return off <= 0.5 * line.size_pt


def _cut(last: Line, line: Line, edges: _RightEdges) -> bool:
    """Whether the line above ended early: the next word would have fitted on it."""
    return edges.of(last) - last.x1 > _first_word_width(line) + 0.5 * line.size_pt


def _first_word_width(line: Line) -> float:
    word = []
    for glyph in line.glyphs:
        if glyph.char == " ":
            break
        word.append(glyph)
    return max(g.x1 for g in word) - min(g.x0 for g in word)


# --- over columns and pages ------------------------------------------------------------------------

_TEXT_KINDS = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
_ASIDE = (BlockKind.FOOTNOTE,)


def _run_on(drafts: list[Draft]) -> list[Draft]:
    """Join a paragraph that goes on in the next column or on the next page, over footnotes in between."""
    result: list[Draft] = []
    for draft in drafts:
        at = _last_text(result)
        if at is not None and _goes_on(result[at], draft) and _can_move(result[at:]):
            result[at].lines.extend(draft.lines)
            result[at:] = [*result[at + 1 :], result[at]]
        else:
            result.append(draft)
    return result


def _can_move(drafts: list[Draft]) -> bool:
    """Whether the paragraph can be put behind its footnotes without leaving the order of pages."""
    return all(aside.first.page_index == drafts[0].first.page_index for aside in drafts[1:])


def _last_text(drafts: list[Draft]) -> int | None:
    at = len(drafts) - 1
    while at >= 0 and drafts[at].kind in _ASIDE:
        at -= 1
    return at if at >= 0 and drafts[at].kind in _TEXT_KINDS and drafts[at].lines else None


def _goes_on(draft: Draft, other: Draft) -> bool:
    last, line = draft.last, other.first
    if other.kind is not BlockKind.PARAGRAPH or last.upright != line.upright:
        return False
    moved = line.page_index != last.page_index or line.baseline < last.baseline
    if not moved or abs(last.size_pt - line.size_pt) > _SAME_SIZE * last.size_pt or last.bold != line.bold:
        return False
    if line.page_index > last.page_index + 1 or _TERMINAL.search(last.text):
        return False
    return line.text[0].islower() or last.text.endswith(("-", ",")) or _fills(draft)


def _fills(draft: Draft) -> bool:
    """Whether the last line is as full as the others of its block, so that the text may well go on."""
    if len(draft.lines) < 2:  # noqa: PLR2004 - nothing to compare with
        return False
    return draft.last.x1 >= max(line.x1 for line in draft.lines[:-1]) - 4 * draft.last.size_pt


# --- tables and levels -----------------------------------------------------------------------------


def _table_drafts(table: Table) -> Iterator[Draft]:
    for number, cells in enumerate(table.placed):
        is_header = number == 0 and table.has_header
        yield Draft(
            kind=BlockKind.TABLE_HEADER if is_header else BlockKind.TABLE_ROW,
            cells=dict(sorted(cells.items())),
            headers={} if is_header else table.headers,
            row=number,
        )


def _carried(table: Table, before: Table | None) -> dict[int, list[Line]]:
    """The headers of a table that ended on the page before, if this one has its columns."""
    if before is None or len(before.columns) != len(table.columns):
        return {}
    here, there = table.placed[0], before.placed[-1]
    pages = next(iter(here.values()))[0].page_index - next(iter(there.values()))[0].page_index
    aligned = all(min(a[1], b[1]) > max(a[0], b[0]) for a, b in zip(table.columns, before.columns, strict=True))
    return before.headers if pages == 1 and aligned else {}


def _set_levels(drafts: list[Draft]) -> None:
    """Rank the styles that headings come in: larger first, bold before plain."""
    for draft in drafts:
        if draft.kind is BlockKind.HEADING and sum(len(line.text) for line in draft.lines) > _MAX_HEADING_CHARS:
            draft.kind = BlockKind.PARAGRAPH  # a paragraph set in bold
    headings = [draft for draft in drafts if draft.kind is BlockKind.HEADING]
    styles = sorted({_style(draft) for draft in headings}, reverse=True)
    for draft in headings:
        draft.level = styles.index(_style(draft)) + 1


def _style(draft: Draft) -> tuple[float, bool]:
    return (float(round(draft.first.size_pt)), draft.first.bold)
