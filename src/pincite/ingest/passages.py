"""Passages: where a version's text is cut, and what of a passage is embedded."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.text.sentences import sentences
from pincite.types import Block, BlockKind, Passage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pincite.config import PassageSettings
    from pincite.types import Cell, Version

_NEVER = frozenset({BlockKind.PAGE_HEADER, BlockKind.PAGE_FOOTER})
_ROWS = frozenset({BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW})
_ALONE = frozenset({BlockKind.RECORD})
_CLAUSE_END = re.compile(r"[;:–—]\s+|,\s+|\n\s*")
_PARAGRAPH = re.compile(r"\S(?:[^\n]|\n(?![ \t]*\n))*")
_OVERLONG = 2
"""A single sentence over this many times max_tokens is cut at clause ends: the embedder would not see its end."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Unit:
    """What is never cut: a block, a sentence of a long block, a row. ``opens``: it starts a new passage."""

    start: int
    end: int
    block: Block
    opens: bool


def cut_passages(
    version: Version, *, count_tokens: Callable[[Sequence[str]], list[int]], settings: PassageSettings
) -> tuple[Passage, ...]:
    """Cut at headings, blocks, rows and, in long blocks, between sentences; neighbours under one heading merge.

    Merging stops at ``target_tokens``; a block up to ``max_tokens`` stays whole, as does a longer sentence. Text of
    page headers and footers is in no passage. A version whose only text is headings has those as passages.
    """
    units = list(_units(version, version.layout.blocks or _paragraphs(version.text), count_tokens, settings))
    groups = _merge(units, version, count_tokens, settings)
    cells = [cell for block in version.layout.blocks for cell in block.cells]
    places = _Cells(cells)
    return tuple(_passage(version, number, group, places) for number, group in enumerate(groups))


def _units(
    version: Version,
    blocks: Sequence[Block],
    count_tokens: Callable[[Sequence[str]], list[int]],
    settings: PassageSettings,
) -> Iterator[_Unit]:
    only_headings = all(block.kind is BlockKind.HEADING or block.kind in _NEVER for block in blocks)
    sizes = count_tokens([version.text[block.start : block.end] for block in blocks]) if blocks else []
    opens = True
    for number, (block, size) in enumerate(zip(blocks, sizes, strict=True)):
        if block.kind in _NEVER:
            opens = True
            continue
        if block.kind is BlockKind.HEADING and not only_headings:
            opens = True
            if not _is_lone_sentence(version.text, blocks, number):
                continue
        if not version.text[block.start : block.end].strip():
            continue
        for span in _spans(version, block, size, count_tokens, settings):
            yield _Unit(start=span[0], end=span[1], block=block, opens=opens)
            opens = False


def _is_lone_sentence(text: str, blocks: Sequence[Block], number: int) -> bool:
    """A bold sentence that the parser took for a heading, with nothing under it, is not to be lost."""
    block = blocks[number]
    under = number + 1
    while under < len(blocks) and blocks[under].kind in _NEVER:
        under += 1
    is_empty = under == len(blocks) or blocks[under].kind is BlockKind.HEADING
    return is_empty and text[block.start : block.end].rstrip().endswith((".", "!", "。", "।", ";"))


def _paragraphs(text: str) -> list[Block]:
    """For a text without a layout map: what blank lines set apart."""
    return [
        Block(start=match.start(), end=match.end(), kind=BlockKind.PARAGRAPH) for match in _PARAGRAPH.finditer(text)
    ]


def _spans(
    version: Version,
    block: Block,
    size: int,
    count_tokens: Callable[[Sequence[str]], list[int]],
    settings: PassageSettings,
) -> list[tuple[int, int]]:
    """The whole block if it is short enough, else its sentences."""
    if size <= settings.max_tokens or block.kind in _ALONE:
        return [(block.start, block.end)]
    spans: list[tuple[int, int]] = []
    for part in _parts(block):
        text = version.text[part[0] : part[1]]
        found = sentences(text, language=version.language or None)
        spans += [(part[0] + span.start, part[0] + span.end) for span in found]
    limit = _OVERLONG * settings.max_tokens
    counts = count_tokens([version.text[start:end] for start, end in spans]) if spans else []
    cut: list[tuple[int, int]] = []
    for span, count in zip(spans, counts, strict=True):
        cut += _clauses(version.text, span, count_tokens, settings) if count > limit else [span]
    return cut


def _parts(block: Block) -> list[tuple[int, int]]:
    """A row too long for one passage is cut at its cells first."""
    if block.kind in _ROWS and block.cells:
        return [(cell.start, cell.end) for cell in block.cells if cell.end > cell.start]
    return [(block.start, block.end)]


def _clauses(
    text: str, span: tuple[int, int], count_tokens: Callable[[Sequence[str]], list[int]], settings: PassageSettings
) -> list[tuple[int, int]]:
    """The last resort for a sentence that runs over pages: clause ends, as few of them as keep the size."""
    start, end = span
    ends = [match.end() for match in _CLAUSE_END.finditer(text, start, end) if match.end() < end]
    clauses = list(zip([start, *ends], [*ends, end], strict=True))
    counts = count_tokens([text[a:b] for a, b in clauses])
    joined: list[tuple[int, int]] = []
    size = 0
    for (a, b), count in zip(clauses, counts, strict=True):
        if joined and size + count <= settings.max_tokens:
            joined[-1], size = (joined[-1][0], b), size + count
        else:
            joined.append((a, b))
            size = count
    return [(a, a + len(text[a:b].rstrip())) for a, b in joined if text[a:b].strip()]


def _merge(
    units: Sequence[_Unit],
    version: Version,
    count_tokens: Callable[[Sequence[str]], list[int]],
    settings: PassageSettings,
) -> list[list[_Unit]]:
    counts = count_tokens([version.text[unit.start : unit.end] for unit in units]) if units else []
    groups: list[list[_Unit]] = []
    size = 0
    for unit, count in zip(units, counts, strict=True):
        if groups and size + count <= settings.target_tokens and _joins(groups[-1][-1], unit):
            groups[-1].append(unit)
            size += count
        else:
            groups.append([unit])
            size = count
    return groups


def _joins(before: _Unit, unit: _Unit) -> bool:
    if unit.opens or before.block.kind in _ALONE or unit.block.kind in _ALONE:
        return False
    if before.block.heading_path != unit.block.heading_path:
        return False
    if unit.block.kind is BlockKind.TABLE_HEADER and before.block.kind is not BlockKind.TABLE_HEADER:
        return False
    rows_before, rows = before.block.kind in _ROWS, unit.block.kind in _ROWS
    notes_before, notes = before.block.kind is BlockKind.FOOTNOTE, unit.block.kind is BlockKind.FOOTNOTE
    return rows_before is rows and notes_before is notes


class _Cells:
    """Cells by place; they are sorted, so that a range of them is found by halving."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._cells = sorted(cells, key=lambda cell: cell.start)
        self._starts = [cell.start for cell in self._cells]

    def within(self, start: int, end: int) -> tuple[Cell, ...]:
        first = bisect_left(self._starts, start)
        last = bisect_left(self._starts, end)
        return tuple(cell for cell in self._cells[first:last] if cell.end <= end)


def _passage(version: Version, ordinal: int, group: Sequence[_Unit], cells: _Cells) -> Passage:
    block, whole = group[0].block, version.text[group[0].start : group[-1].end]
    start = group[0].start + len(whole) - len(whole.lstrip())
    end = start + len(whole.strip())
    kind = block.kind
    if kind is BlockKind.TABLE_HEADER and any(unit.block.kind is BlockKind.TABLE_ROW for unit in group):
        kind = BlockKind.TABLE_ROW
    return Passage(
        passage_id=f"{version.version_id}:{ordinal}",
        text=version.text[start:end],
        start=start,
        end=end,
        version_id=version.version_id,
        document_id=version.document_id,
        ordinal=ordinal,
        title=version.title,
        heading_path=block.heading_path,
        kind=kind,
        cells=cells.within(start, end),
        language=version.language,
        attributes=version.attributes,
    )


def embedding_text(passage: Passage) -> str:
    """Title, headings, then the text; in table rows every value stands behind its column header."""
    above = list(dict.fromkeys(part for part in (passage.title, *passage.heading_path) if part))
    body = _rows_written_out(passage) if passage.kind is BlockKind.TABLE_ROW and passage.cells else passage.text
    return "\n".join([" > ".join(above), body] if above else [body])


def _rows_written_out(passage: Passage) -> str:
    lines: dict[int, list[str]] = {}
    for cell in passage.cells:
        value = passage.text[cell.start - passage.start : cell.end - passage.start]
        if value.strip():
            lines.setdefault(cell.row, []).append(f"{cell.header}: {value}" if cell.header else value)
    return "\n".join(_joined(line) for line in lines.values()) or passage.text


def _joined(values: Iterable[str]) -> str:
    return "; ".join(values)
