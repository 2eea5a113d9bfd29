"""The source format of the sample's made files, and its blocks.

A TOML head between ``+++`` lines (output, title, layout, header, footer, roman_pages), then plain Markdown:
headings, paragraphs, lists, tables; ``---`` begins a page.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from markdown_it.token import Token

AUTHOR = "Harbourline (fictional)"


@dataclass(frozen=True, kw_only=True, slots=True)
class Heading:
    """A heading; level 1 is the title."""

    text: str
    level: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Prose:
    """A paragraph."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Items:
    """A list, numbered or with bullets."""

    texts: tuple[str, ...]
    numbered: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Grid:
    """A table; the first row names the columns."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class NewPage:
    """A page begins."""


Block = Heading | Prose | Items | Grid | NewPage


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """One text and how it is to be set."""

    output: str
    title: str
    layout: str
    header: str
    footer: str
    blocks: tuple[Block, ...]
    roman_pages: int = 0


def read(path: Path) -> Source:
    """One source file."""
    _, head, body = path.read_text(encoding="utf-8").split("+++\n", 2)
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    return Source(**tomllib.loads(head), blocks=tuple(_blocks(tokens)))


def _blocks(tokens: list[Token]) -> Iterator[Block]:
    inside: list[str] = []
    rows: list[list[str]] = []
    for at, token in enumerate(tokens):
        match token.type:
            case "heading_open":
                yield Heading(text=tokens[at + 1].content, level=int(token.tag[1]))
            case "paragraph_open" if token.level == 0:
                yield Prose(text=" ".join(tokens[at + 1].content.split()))
            case "hr":
                yield NewPage()
            case "tr_open":
                rows.append([])
            case "th_open" | "td_open":
                rows[-1].append(tokens[at + 1].content)
            case "list_item_open":
                inside.append(" ".join(tokens[at + 2].content.split()))
            case "table_close":
                yield Grid(rows=tuple(tuple(row) for row in rows))
                rows = []
            case "bullet_list_close" | "ordered_list_close":
                yield Items(texts=tuple(inside), numbered=token.type == "ordered_list_close")
                inside = []
            case _:
                pass
