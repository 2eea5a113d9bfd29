"""Inline Markdown with positions: where each visible character of a paragraph stands in its source.

markdown-it-py drops inline positions. The tokenizer here is its own, run with the same rules, that notes
on every token the place at which the rule began.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import reference
from markdown_it.rules_inline import StateInline

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

_AT = "at"
_MAX_NESTING = 100
"""Deeper lists and quotes are not read by markdown-it at all: its own 20 loses text of the eleventh list level."""


class Fragment(NamedTuple):
    """A stretch of visible text, or a tag; ``at`` is its place in the inline content (-1: nowhere)."""

    kind: str
    text: str
    at: int


class _State(StateInline):
    """Notes on each token where it began."""

    def __init__(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> None:
        super().__init__(src, md, env, tokens)
        self.rule_at = 0
        self.pending_at = 0
        self._repeat_at = -1
        self._repeats = 0

    def pushPending(self) -> Token:  # noqa: N802 - the base class's name
        token = super().pushPending()
        token.meta = {_AT: self.pending_at}
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        # one rule may push each of the characters of "***" as a token of its own
        self._repeats = self._repeats + 1 if self.rule_at == self._repeat_at else 0
        self._repeat_at = self.rule_at
        token.meta = {**token.meta, _AT: self.rule_at + (self._repeats if ttype == "text" else 0)}
        return token


class _Inline(ParserInline):
    """The base class's loop, except that it keeps the positions."""

    def tokenize(self, state: StateInline) -> None:
        assert isinstance(state, _State)  # noqa: S101 - parse() below makes no other
        rules, end = self.ruler.getRules(""), state.posMax
        while state.pos < end:
            state.rule_at = state.pos
            if not state.pending:
                state.pending_at = state.pos
            nested_too_deep = state.level >= state.md.options["maxNesting"]
            if not nested_too_deep and any(rule(state, False) for rule in rules):  # noqa: FBT003
                continue
            state.append_pending(state.src[state.pos])
            state.pos += 1
        if state.pending:
            state.pushPending()

    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def _reference_but_no_footnote(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    return not line.startswith("[^") and reference(state, start, end, silent)


def markdown_parser() -> MarkdownIt:
    """CommonMark with tables and strike-through; footnote definitions stay paragraphs."""
    md = MarkdownIt("commonmark")
    md.inline = _Inline()
    md.configure("commonmark").enable(["table", "strikethrough"])
    md.disable(["text_join", "fragments_join"])
    md.options["maxNesting"] = _MAX_NESTING
    md.block.ruler.at("reference", _reference_but_no_footnote)
    return md


def fragments(token: Token) -> Iterator[Fragment]:
    """The visible text of an inline token in order. Kinds: text, break (soft), hard_break, tag, synthetic."""
    content = token.content
    for child in token.children or []:
        at = int(child.meta.get(_AT, -1))
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
