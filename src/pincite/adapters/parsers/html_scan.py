"""HTML source to tags and text with exact offsets, by the tokenizer rules that browsers share.

The standard library's parser is not used: on Python 3.11 one stray ``&#`` makes it hand on the rest of the
file, scripts included, as text, and a malformed ``<![`` raises. This scanner is linear and never raises.
Source of the rules: WHATWG HTML, section 13.2.5.
"""

from __future__ import annotations

import html
import re
from enum import Enum, auto
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NOTABLE = re.compile(r"[<&]")
_REFERENCE = re.compile(r"&(?:#[0-9]{1,8};?|#[xX][0-9a-fA-F]{1,7};?|[A-Za-z][A-Za-z0-9]{1,31};?)")
_TAG_NAME = re.compile(r"[A-Za-z][^\s/>\x00]*")
_ATTRIBUTE_GAP = re.compile(r"[\s/]*")
_ATTRIBUTE_NAME = re.compile(r"[^\s/>][^\s/>=]*")
_EQUALS = re.compile(r"\s*=\s*")
_UNQUOTED = re.compile(r"[^\s>]*")
_COMMENT_END = re.compile(r"--!?>")
RAW_TEXT = frozenset({"script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "textarea", "title"})
_WITH_REFERENCES = frozenset({"textarea", "title"})


class Kind(Enum):
    """What a token is."""

    TEXT = auto()
    REFERENCE = auto()
    START = auto()
    END = auto()


class Token(NamedTuple):
    """TEXT: ``text`` stands at ``at``. REFERENCE: ``text`` is what stands for it. START, END: ``text`` is the name."""

    kind: Kind
    text: str
    at: int
    attributes: Mapping[str, str] = {}


def scan(source: str) -> Iterator[Token]:
    """Tokens in order. Comments, declarations and an unterminated tag at the end yield nothing."""
    at, length = 0, len(source)
    while at < length:
        match = _NOTABLE.search(source, at)
        stop = match.start() if match else length
        if stop > at:
            yield Token(Kind.TEXT, source[at:stop], at)
        if match is None:
            return
        if source[stop] == "&":
            token, at = _reference(source, stop)
            yield token
            continue
        token_or_none, at = _markup(source, stop)
        if token_or_none is None:
            continue
        yield token_or_none
        if token_or_none.kind is Kind.START and token_or_none.text in RAW_TEXT:
            end = _raw_end(source, token_or_none.text, at)
            yield from _raw(source, token_or_none.text, at, end)
            at = end


def _reference(source: str, at: int) -> tuple[Token, int]:
    match = _REFERENCE.match(source, at)
    if match is None:
        return Token(Kind.TEXT, "&", at), at + 1
    meaning = html.unescape(match[0])
    if meaning == match[0]:
        return Token(Kind.TEXT, match[0], at), match.end()
    return Token(Kind.REFERENCE, meaning, at), match.end()


def _markup(source: str, at: int) -> tuple[Token | None, int]:
    """What begins with ``<``: a tag, something that shows nothing, or a plain ``<``."""
    if (name := _TAG_NAME.match(source, at + 1)) is not None:
        attributes, end = _attributes(source, name.end())
        return (Token(Kind.START, name[0].lower(), at, attributes) if end > 0 else None), abs(end)
    if source.startswith("</", at):
        if (name := _TAG_NAME.match(source, at + 2)) is None:
            return None, _after(source, ">", at + 2)
        _, end = _attributes(source, name.end())
        return (Token(Kind.END, name[0].lower(), at) if end > 0 else None), abs(end)
    if source.startswith("<!--", at):
        return None, _comment_end(source, at + 4)
    if source.startswith(("<!", "<?"), at):
        return None, _after(source, ">", at + 2)
    return Token(Kind.TEXT, "<", at), at + 1


def _comment_end(source: str, at: int) -> int:
    if source.startswith(">", at):
        return at + 1
    if source.startswith("->", at):
        return at + 2
    match = _COMMENT_END.search(source, at)
    return match.end() if match else len(source)


def _after(source: str, char: str, at: int) -> int:
    found = source.find(char, at)
    return found + 1 if found >= 0 else len(source)


def _attributes(source: str, at: int) -> tuple[dict[str, str], int]:
    """Attributes ("/" if the tag closes itself) and the place after ``>``.

    The place is minus the length of the source when the tag never ends.
    """
    found: dict[str, str] = {}
    while True:
        gap = _ATTRIBUTE_GAP.match(source, at)
        at = gap.end() if gap else at
        if at >= len(source):
            return found, -len(source)
        if source[at] == ">":
            if source[at - 1] == "/":
                found.setdefault("/", "")
            return found, at + 1
        name = _ATTRIBUTE_NAME.match(source, at)
        at = name.end() if name else at + 1
        value = ""
        if (equals := _EQUALS.match(source, at)) is not None:
            value, at = _value(source, equals.end())
            if at < 0:
                return found, at
        if name is not None:
            found.setdefault(name[0].lower(), html.unescape(value))


def _value(source: str, at: int) -> tuple[str, int]:
    quote = source[at : at + 1]
    if quote in ('"', "'") and quote:
        end = source.find(quote, at + 1)
        return (source[at + 1 : end], end + 1) if end >= 0 else ("", -len(source))
    match = _UNQUOTED.match(source, at)
    return (match[0], match.end()) if match else ("", at)


@cache
def _closing(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)


def _raw_end(source: str, name: str, at: int) -> int:
    match = _closing(name).search(source, at)
    return match.start() if match else len(source)


def _raw(source: str, name: str, at: int, end: int) -> Iterator[Token]:
    if name not in _WITH_REFERENCES:
        if end > at:
            yield Token(Kind.TEXT, source[at:end], at)
        return
    while at < end:
        amp = source.find("&", at, end)
        stop = amp if amp >= 0 else end
        if stop > at:
            yield Token(Kind.TEXT, source[at:stop], at)
        at = stop
        if amp >= 0:
            token, at = _reference(source, amp)
            yield token
