"""Plain text: paragraphs, list items and underlined headings; lines broken to a width are joined again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pincite.adapters.parsers.canon import Canon, Piece
from pincite.adapters.parsers.declared import header_dates
from pincite.adapters.parsers.decoding import decode
from pincite.adapters.parsers.limits import check_size, require_text
from pincite.types import BlockKind, Parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.protocols import ParseLimits

NEWLINE = re.compile(r"\r\n?|\n")
_LIST_MARK = re.compile(r"\s*(?:[-*•–·]|\(?[0-9]{1,3}[.)]|\(?[A-Za-z][.)]|\([ivx]+\))\s+\S")
_UNDERLINE = re.compile(r"\s*(={3,}|-{3,}|~{3,})\s*")
_NARROWEST_WRAP_CHARS = 40
"""Below this a paragraph's lines are taken as lines (an address), not as prose broken to a width."""


class Line(NamedTuple):
    """One line of the source; ``number`` counts from 1."""

    text: str
    at: int
    number: int


def source_lines(text: str) -> list[Line]:
    """Lines without their ends, and where they start."""
    lines, start = list[Line](), 0
    for number, match in enumerate(NEWLINE.finditer(text), start=1):
        lines.append(Line(text[start : match.start()], start, number))
        start = match.end()
    lines.append(Line(text[start:], start, len(lines) + 1))
    return lines


class PlainTextParser:
    """Anything that decodes. Runs count in the decoded text without its byte order mark."""

    name = "plain/1"
    media_types = frozenset({"text/plain"})

    def parse(self, data: bytes, *, source_name: str, limits: ParseLimits) -> Parsed:
        """See ``Parser.parse``."""
        check_size(data, limits)
        decoded = decode(data)
        canon = Canon(max_chars=limits.max_text_chars)
        for paragraph in _paragraphs(source_lines(decoded.text)):
            _add_paragraph(canon, paragraph)
        text, layout = canon.finish()
        require_text(text, source_name)
        metadata = header_dates(text, layout.blocks)
        flags = decoded.flags() + (("invisible_text_dropped",) if canon.smuggled else ())
        return Parsed(
            text=text, layout=layout, media_type="text/plain", parser=self.name, metadata=metadata, flags=flags
        )


def _paragraphs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Groups of lines between blank ones (a form feed is a blank line)."""
    group: list[Line] = []
    for line in lines:
        if line.text.strip():
            group.append(line)
        elif group:
            yield group
            group = []
    if group:
        yield group


def _add_paragraph(canon: Canon, lines: list[Line]) -> None:
    if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1].text) and not _UNDERLINE.fullmatch(lines[0].text):
        level = 1 if lines[1].text.strip().startswith("=") else 2
        canon.block(BlockKind.HEADING, [_piece(lines[0])], level=level, line=lines[0].number)
        lines = lines[2:]
    first = True
    for group in _joined(lines):
        if _UNDERLINE.fullmatch(group[0].text):
            continue
        kind = BlockKind.LIST_ITEM if _LIST_MARK.match(group[0].text) else BlockKind.PARAGRAPH
        pieces = [piece for line in group for piece in (_piece(line), Piece(" "))]
        first = not canon.block(kind, pieces, line=group[0].number, tight=not first) and first


def _piece(line: Line) -> Piece:
    return Piece(line.text, line.at)


def _joined(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Lines that were one before they were broken: the next word would not have fitted, and no item starts."""
    if not lines:
        return
    width = max(len(line.text.rstrip()) for line in lines)
    group = [lines[0]]
    for line in lines[1:]:
        room = width - len(group[-1].text.rstrip())
        broken = width >= _NARROWEST_WRAP_CHARS and room <= len(line.text.split(maxsplit=1)[0])
        if broken and not _LIST_MARK.match(line.text) and not _UNDERLINE.fullmatch(line.text):
            group.append(line)
        else:
            yield group
            group = [line]
    yield group
