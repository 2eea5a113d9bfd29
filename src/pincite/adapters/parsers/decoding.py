"""Bytes to text for formats that do not say their encoding reliably."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from pincite.errors import ParseError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE_BYTES = 4096
_FEWEST_PAIRS = 4
_PLAUSIBLE = re.compile(
    r"(utf-?(8|16|32)|us-ascii|ascii|iso|latin|windows|cp|mac|koi8|gb|big5|euc|shift|sjis|tis)[\w-]*"
)
_HINT = "Save the file as UTF-8 text, or give it the ending of its real format."


@dataclass(frozen=True, kw_only=True, slots=True)
class Decoded:
    """The source text, without its byte order mark: what run offsets count in."""

    text: str
    encoding: str
    replaced: int = 0

    def flags(self) -> tuple[str, ...]:
        """What a reader of the report should know."""
        named = () if self.encoding == "utf-8" else (f"decoded_as:{self.encoding}",)
        return (*named, f"undecodable_bytes:{self.replaced}") if self.replaced else named


def decode(data: bytes, *, declared: str | None = None) -> Decoded:
    """Byte order mark, then UTF-8, then what the file declares, then UTF-16 by its zeros, then Windows-1252.

    Raises:
        ParseError: empty, or bytes that are no text at all.
    """
    if not data.strip():
        raise ParseError("the file is empty", code="empty", hint="Nothing to do; delete it or put text into it.")
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    guess = _utf16_by_zeros(data[:_SAMPLE_BYTES])
    if guess is not None:
        return _marked(data, guess)
    if b"\x00" in data[:_SAMPLE_BYTES]:
        raise ParseError("the file is not text: it holds zero bytes", code="mislabelled", hint=_HINT)
    try:
        return Decoded(text=data.decode("utf-8"), encoding="utf-8")
    except UnicodeDecodeError:
        return _not_utf8(data, declared)


def _marked(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, errors="replace")
    if not text.strip():
        raise ParseError("the file is empty", code="empty", hint="Nothing to do; delete it or put text into it.")
    return Decoded(text=text, encoding=encoding, replaced=text.count("\ufffd"))


def _utf16_by_zeros(sample: bytes) -> str | None:
    """UTF-16 without a mark: mostly Latin text has a zero in every other byte."""
    pairs = len(sample) // 2
    if pairs < _FEWEST_PAIRS:
        return None
    even, odd = sample[: 2 * pairs : 2].count(0), sample[1 : 2 * pairs : 2].count(0)
    if odd * 2 > pairs and even == 0:
        return "utf-16-le"
    if even * 2 > pairs and odd == 0:
        return "utf-16-be"
    return None


def _not_utf8(data: bytes, declared: str | None) -> Decoded:
    lenient = data.decode("utf-8", errors="replace")
    replaced = lenient.count("\ufffd")
    if sum(char > "\x7f" for char in lenient) - replaced > replaced:
        return Decoded(text=lenient, encoding="utf-8", replaced=replaced)
    if declared is not None:
        chosen = _by_name(data, declared)
        if chosen is not None:
            return chosen
    text = data.decode("cp1252", errors="replace")
    controls = sum(char < " " and char not in "\t\n\r\f" for char in text[:_SAMPLE_BYTES])
    if controls * 20 > min(len(text), _SAMPLE_BYTES):
        raise ParseError("the file is not text", code="mislabelled", hint=_HINT)
    return Decoded(text=text, encoding="cp1252", replaced=text.count("\ufffd"))


def _by_name(data: bytes, declared: str) -> Decoded | None:
    name = declared.strip().lower()
    if not _PLAUSIBLE.fullmatch(name):
        return None
    try:
        codec = codecs.lookup(name)
        text = data.decode(codec.name, errors="replace")
    except (LookupError, UnicodeError):
        return None
    return Decoded(text=text, encoding=codec.name, replaced=text.count("\ufffd"))
