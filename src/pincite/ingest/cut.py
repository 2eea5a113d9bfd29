"""Cutting a version into passages: at headings, paragraphs, list items and table rows, never inside a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.text.sentences import sentences
from pincite.types import Block, BlockKind, Passage

if TYPE_CHECKING:
    from pincite.config import PassageSettings
    from pincite.types import Version

CountTokens = Callable[[Sequence[str]], list[int]]

_APART = frozenset({BlockKind.PAGE_HEADER, BlockKind.PAGE_FOOTER, BlockKind.HEADING})
_TABLE = frozenset({BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Piece:
    """What is never cut: a sentence, a list item, a table row. ``group`` pieces may share a passage."""

    start: int
    end: int
    block: Block
    group: tuple[object, ...]


def cut_passages(version: Version, *, count_tokens: CountTokens, settings: PassageSettings) -> tuple[Passage, ...]:
    """The passages of a version, in order; ``version.text[p.start:p.end] == p.text`` for each.

    Neighbouring paragraphs under one heading share a passage up to ``settings.target_tokens``. A heading is not
    a passage but every passage's ``heading_path``; only when a version is nothing but headings do they
    become passages. A single sentence or row longer than the embedder reads stays whole: its
    vector then speaks for its beginning, its words are all searched. A version without text has none.
    """
    blocks = version.layout.blocks or _paragraphs(version.text)
    body = [b for b in blocks if b.kind not in _APART] or [b for b in blocks if b.kind is BlockKind.HEADING]
    breaks = _break_numbers(blocks, body)
    pieces = [piece for number, block in zip(breaks, body, strict=True) for piece in _pieces(version, block, number)]
    tokens = count_tokens([version.text[p.start : p.end] for p in pieces])
    packed = _pack(pieces, tokens, settings.target_tokens)
    return tuple(_passage(version, ordinal, group) for ordinal, group in enumerate(packed))


def embedding_text(passage: Passage) -> str:
    """What is embedded: title, headings, then the text, with each table value under its column's name."""
    head = " > ".join(part for part in (passage.title, *passage.heading_path) if part)
    body = _with_headers(passage) if passage.kind in _TABLE else passage.text
    return f"{head}\n{body}" if head else body


def _with_headers(passage: Passage) -> str:
    parts: list[str] = []
    row = None
    for cell in passage.cells:
        value = passage.text[cell.start - passage.start : cell.end - passage.start]
        joint = "" if row is None else ("; " if cell.row == row else "\n")
        parts.append(f"{joint}{cell.header}: {value}" if cell.header and cell.header != value else f"{joint}{value}")
        row = cell.row
    return "".join(parts) or passage.text


def _paragraphs(text: str) -> tuple[Block, ...]:
    """Blocks for a text whose parser gave none: split at blank lines."""
    blocks: list[Block] = []
    start = 0
    for part in text.split("\n\n"):
        lead = len(part) - len(part.lstrip())
        body = part.strip()
        if body:
            blocks.append(Block(start=start + lead, end=start + lead + len(body), kind=BlockKind.PARAGRAPH))
        start += len(part) + 2
    return tuple(blocks)


def _break_numbers(blocks: Iterable[Block], body: Sequence[Block]) -> list[int]:
    """A number per body block that grows at every block set apart, so that no passage runs over one."""
    kept = set(map(id, body))
    numbers: list[int] = []
    number = 0
    for block in blocks:
        if id(block) in kept:
            numbers.append(number)
        else:
            number += 1
    return numbers


def _pieces(version: Version, block: Block, number: int) -> list[_Piece]:
    family = "table" if block.kind in _TABLE else "text"
    record = block.start if block.kind is BlockKind.RECORD else None
    group = (number, block.heading_path, family, record)
    if block.kind in _TABLE:
        return [_Piece(start=block.start, end=block.end, block=block, group=group)]
    text = version.text[block.start : block.end]
    spans = sentences(text, language=version.language)
    return [
        _Piece(start=block.start + span.start, end=block.start + span.end, block=block, group=group) for span in spans
    ]


def _pack(pieces: Sequence[_Piece], tokens: Sequence[int], target: int) -> list[list[_Piece]]:
    """Greedy, in order. A block that fits into a passage by itself is not torn in two to fill the one before."""
    packed: list[list[_Piece]] = []
    filled = 0
    for number, (piece, count) in enumerate(zip(pieces, tokens, strict=True)):
        need = count if not _begins(pieces, number) else min(target, _block_tokens(pieces, tokens, number))
        if packed and packed[-1][-1].group == piece.group and filled + need <= target:
            packed[-1].append(piece)
            filled += count
        else:
            packed.append([piece])
            filled = count
    return packed


def _begins(pieces: Sequence[_Piece], number: int) -> bool:
    return number == 0 or pieces[number - 1].block is not pieces[number].block


def _block_tokens(pieces: Sequence[_Piece], tokens: Sequence[int], number: int) -> int:
    total = 0
    for piece, count in zip(pieces[number:], tokens[number:], strict=True):
        if piece.block is not pieces[number].block:
            break
        total += count
    return total


def _passage(version: Version, ordinal: int, pieces: Sequence[_Piece]) -> Passage:
    start, end = pieces[0].start, pieces[-1].end
    blocks = dict.fromkeys(id(piece.block) for piece in pieces)
    cells = [cell for piece in pieces if blocks.pop(id(piece.block), 0) is None for cell in piece.block.cells]
    kinds = [piece.block.kind for piece in pieces]
    return Passage(
        passage_id=f"{version.version_id}:{ordinal}",
        text=version.text[start:end],
        start=start,
        end=end,
        version_id=version.version_id,
        document_id=version.document_id,
        ordinal=ordinal,
        title=version.title,
        heading_path=pieces[0].block.heading_path,
        kind=BlockKind.TABLE_ROW if BlockKind.TABLE_ROW in kinds else kinds[0],
        cells=tuple(cell for cell in cells if start <= cell.start and cell.end <= end),
        language=version.language,
        attributes=version.attributes,
    )
