"""Markdown inline syntax with positions: what a reader sees, and where each character stands.

The places are those that ``text.markdown_places`` notes on every token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt

from pincite.text.markdown_places import AT, TO, PlacedInline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OPAQUE = "\ufffc"
"""Stands for a character in which no marker is looked for: code, link text, an escaped sign, maths."""
_MAX_NESTING = 60
_MAX_BRACKETS = 2000
"""In one block. The link rule looks ahead from each."""
_TAG = re.compile(
    r"</?([A-Za-z][A-Za-z0-9]*)"
    r"(?:\s+[\w-]+\s*=\s*(?:\"[^\"]{0,80}\"|'[^']{0,80}'))*\s*/?>"
)
_TAGS = _words(
    """
    a abbr b big blockquote br center cite code dd del details div dl dt em font h1 h2 h3 h4 h5 h6 hr i img ins
    kbd li mark ol p pre q s small span strike strong sub summary sup table tbody td th thead tr u ul
    ref source sources citation
    """
)
"""A tag of another name, with bare words in it, or a comment, is text: "<the limit is twenty>" must not hide."""
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_DIGITS = re.compile(r"[0-9]{1,6}(?:,[0-9]{1,6})*")
_BRACKETED = re.compile(r"\[[^\[\]]+\]")
_MATHS = re.compile(r"\$(?=\S)[^$\n]{1,200}?(?<=\S)\$(?!\d)|\$\$[^$]{1,400}\$\$")
_MATHS_SIGN = re.compile(r"[\\^_={}+*/<>]|^\S+$")
_RAGFLOW = re.compile(r"\$?\$\[?[0-9]{1,6}\]?\$\$?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Flat:
    """The visible text of one block. ``at`` holds each character's place in the answer (-1: none).

    ``masked`` has the same length: what may hold a marker, OPAQUE elsewhere. ``links`` maps the flat range
    of a link that shows nothing but a bracket ("[[1]](url)") to the answer range of the whole link.
    """

    text: str
    at: Sequence[int]
    masked: str
    links: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)


@cache
def parser() -> MarkdownIt:
    """CommonMark with tables and strike-through. "[1]: url" stays text, and so does an HTML block."""
    md = MarkdownIt("commonmark")
    md.inline = PlacedInline()
    md.configure("commonmark").enable(["table", "strikethrough"])
    md.disable(["inline", "text_join", "fragments_join", "reference", "html_block", "lheading"])
    md.options["maxNesting"] = _MAX_NESTING
    return md


@cache
def _parser_without_links() -> MarkdownIt:
    """For text that has no link, or so many brackets that looking for one would take too long."""
    md = MarkdownIt("commonmark")
    md.inline = PlacedInline()
    md.configure("commonmark").enable(["strikethrough"])
    md.disable(["text_join", "fragments_join", "link", "image"])
    return md


def flatten(source: str, origin: Sequence[int]) -> Flat:
    """The visible text of one inline stretch; ``origin[i]`` is the place of ``source[i]`` in the answer."""
    writer = _Writer(source, origin)
    md = parser() if "](" in source and source.count("[") <= _MAX_BRACKETS else _parser_without_links()
    for token in md.inline.parse(source, md, {}, []):
        writer.take(token)
    return Flat(text="".join(writer.text), at=writer.at, masked=_mask_maths("".join(writer.masked)), links=writer.links)


def _mask_maths(masked: str) -> str:
    def hide(found: Any) -> str:
        inner = found[0].strip("$")
        if "[" not in inner or not _MATHS_SIGN.search(inner) or _RAGFLOW.fullmatch(found[0]):
            return str(found[0])
        return OPAQUE * len(found[0])

    return _MATHS.sub(hide, masked) if "$" in masked else masked


class _Writer:
    """Collects visible characters with their places from a row of inline tokens."""

    def __init__(self, source: str, origin: Sequence[int]) -> None:
        self.source, self.origin = source, origin
        self.text: list[str] = []
        self.masked: list[str] = []
        self.at: list[int] = []
        self.links: dict[tuple[int, int], tuple[int, int]] = {}
        self._link: tuple[int, int, int] | None = None
        self._raised_from: int | None = None

    def take(self, token: Token) -> None:
        at = int(token.meta.get(AT, -1))
        match token.type:
            case "text":
                self._put(token.content, self._start(token.content, at), opaque=False)
            case "text_special":
                escaped = token.info == "escape" and token.content != token.markup
                self._put(token.content, at + escaped if token.info == "escape" else -1, opaque=escaped)
            case "code_inline":
                self._put(token.content, self._code_start(token, at), opaque=True)
            case "softbreak":
                self._put("\n", -1, opaque=False)
            case "hardbreak":
                self._put("\n\n", -1, opaque=False)
            case "link_open":
                self._link = (len(self.text), at, int(token.meta.get(TO, -1)))
            case "link_close":
                self._close_link()
            case "html_inline":
                self._tag(token.content, at)
            case _:
                pass

    def _start(self, content: str, at: int) -> int:
        """Where the text stands; an autolink's begins after its angle bracket."""
        if at < 0 or self.source.startswith(content, at):
            return at
        return at + 1 if self.source.startswith(content, at + 1) else -1

    def _code_start(self, token: Token, at: int) -> int:
        """Where the code stands: one space inside the ticks on either side is taken off."""
        start = at + len(token.markup)
        return start + (not self.source.startswith(token.markup, start + len(token.content)))

    def _put(self, content: str, start: int, *, opaque: bool) -> None:
        for i, char in enumerate(content):
            known = start >= 0 and self.source[start + i : start + i + 1] == char
            self.text.append(char)
            self.at.append(self.origin[start + i] if known else -1)
            self.masked.append(OPAQUE if opaque else char)

    def _close_link(self) -> None:
        """Hide the link's text, unless it is nothing but a bracket."""
        if self._link is None:
            return
        first, at, to = self._link
        self._link = None
        last = len(self.text)
        if _BRACKETED.fullmatch("".join(self.masked[first:])) and 0 <= at < to:
            self.links[first, last] = (self.origin[at], self.origin[to - 1] + 1)
        else:
            self.masked[first:] = [OPAQUE] * (last - first)

    def _tag(self, content: str, at: int) -> None:
        tag = _TAG.fullmatch(content)
        name = tag[1].lower() if tag else ""
        if name not in _TAGS:
            self._put(content, at, opaque=False)
        elif name == "br":
            self._put("\n\n", -1, opaque=False)
        elif name == "sup":
            self._raise(opens=not content.startswith("</"))

    def _raise(self, *, opens: bool) -> None:
        """Digits between <sup> tags read as superscript digits."""
        first, self._raised_from = self._raised_from, len(self.text) if opens else None
        if first is not None and _DIGITS.fullmatch("".join(self.masked[first:])):
            self.masked[first:] = [char.translate(_RAISED) for char in self.masked[first:]]
