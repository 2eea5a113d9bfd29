"""Inline Markdown with positions: where each visible character of a paragraph stands in its source.

The places are those that ``text.markdown_places`` notes on every token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import reference

from pincite.text.markdown_places import AT, PlacedInline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

_MAX_NESTING = 100
"""Deeper lists and quotes are not read by markdown-it at all: its own 20 loses text of the eleventh list level."""


class Fragment(NamedTuple):
    """A stretch of visible text, or a tag; ``at`` is its place in the inline content (-1: nowhere)."""

    kind: str
    text: str
    at: int


def _reference_but_no_footnote(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    return not line.startswith("[^") and reference(state, start, end, silent)


def markdown_parser() -> MarkdownIt:
    """CommonMark with tables and strike-through; footnote definitions stay paragraphs."""
    md = MarkdownIt("commonmark")
    md.inline = PlacedInline()
    md.configure("commonmark").enable(["table", "strikethrough"])
    md.disable(["text_join", "fragments_join"])
    md.options["maxNesting"] = _MAX_NESTING
    md.block.ruler.at("reference", _reference_but_no_footnote)
    return md


def fragments(token: Token) -> Iterator[Fragment]:
    """The visible text of an inline token in order. Kinds: text, break (soft), hard_break, tag, synthetic."""
    content = token.content
    for child in token.children or []:
        at = int(child.meta.get(AT, -1))
        match child.type:
            case "text":
                yield Fragment("text", child.content, _text_at(child.content, content, at))
            case "text_special" if child.info == "escape":
                yield Fragment("text", child.content, at + (child.content != child.markup))
            case "text_special":
                yield Fragment("synthetic", child.content, -1)
            case "code_inline":
                yield Fragment("text", child.content, _code_at(child, content, at))
            case "softbreak":
                yield Fragment("break", "", -1)
            case "hardbreak":
                yield Fragment("hard_break", "", -1)
            case "s_open" | "s_close":
                yield Fragment("tag", "<s>" if child.nesting > 0 else "</s>", -1)
            case "html_inline":
                yield Fragment("tag", child.content, at)
            case _:
                pass


def _text_at(text: str, content: str, at: int) -> int:
    """The text of an autolink begins after its angle bracket."""
    return at + 1 if content.startswith("<", at) and not text.startswith("<") else at


def _code_at(child: Token, content: str, at: int) -> int:
    start = at + len(child.markup)
    padded = content[start : start + 1] in (" ", "\n") and child.content[:1] != " "
    return start + 1 if padded else start
