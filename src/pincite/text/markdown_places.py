"""Inline Markdown with places. markdown-it-py drops inline positions; this tokenizer notes them on every token.

Set ``md.inline = PlacedInline()``: the library's own rules run, and each token's ``meta`` says at which place of the
inline content its rule began (``AT``), and for the start of a link where the whole of it ends (``TO``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline

if TYPE_CHECKING:
    from typing import Literal

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

AT, TO = "at", "to"


class _State(StateInline):
    """Notes on each token where its rule began."""

    rule_at = 0
    pending_at = 0
    _repeat_at = -1
    _repeats = 0

    def pushPending(self) -> Token:  # noqa: N802 - the base class's name
        token = super().pushPending()
        token.meta = {AT: self.pending_at}
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        # one rule may push each of the characters of "***" as a token of its own
        self._repeats = self._repeats + 1 if self.rule_at == self._repeat_at else 0
        self._repeat_at = self.rule_at
        token.meta = {**token.meta, AT: self.rule_at + (self._repeats if ttype == "text" else 0)}
        return token


class PlacedInline(ParserInline):
    """The base class's loop, except that it keeps the places."""

    def tokenize(self, state: StateInline) -> None:
        """Run the rules over the inline content."""
        assert isinstance(state, _State)  # noqa: S101 - parse() below makes no other
        rules = self.ruler.getRules("")
        while state.pos < state.posMax:
            at, first = state.pos, len(state.tokens)
            state.rule_at = at
            if not state.pending:
                state.pending_at = at
            if state.level < state.md.options["maxNesting"] and any(rule(state, False) for rule in rules):  # noqa: FBT003
                _note_end(state, at, first)
                continue
            state.append_pending(state.src[state.pos])
            state.pos += 1
        if state.pending:
            state.pushPending()

    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        """Tokens of one block's inline content."""
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def _note_end(state: _State, at: int, first: int) -> None:
    for token in state.tokens[first : first + 2]:
        if token.meta.get(AT) == at and token.type == "link_open":
            token.meta[TO] = state.pos
