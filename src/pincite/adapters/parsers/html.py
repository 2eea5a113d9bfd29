"""HTML pages: the text a reader sees, without scripts, navigation and hidden elements."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from pincite.adapters.parsers.canon import Canon, Piece, squeeze
from pincite.adapters.parsers.declared import header_dates, read_date
from pincite.adapters.parsers.decoding import decode
from pincite.adapters.parsers.html_scan import Kind, scan
from pincite.adapters.parsers.html_tags import read_style_sheets
from pincite.adapters.parsers.html_walk import HtmlWalker
from pincite.adapters.parsers.limits import check_size, require_text
from pincite.adapters.parsers.plain import NEWLINE
from pincite.types import Parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pincite.adapters.parsers.html_scan import Token
    from pincite.protocols import ParseLimits

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{1,40})", re.IGNORECASE)
_MAIN = re.compile(r"<main[\s>]", re.IGNORECASE)
_HEAD_BYTES = 4096
_META_NAMES = {
    "author": "author",
    "effective-date": "effective_from",
    "effective_date": "effective_from",
    "dcterms.valid": "effective_from",
    "version": "version_label",
}


class HtmlParser:
    """Runs count in the decoded source."""

    name = "html/1"
    media_types = frozenset({"text/html", "application/xhtml+xml"})

    def parse(self, data: bytes, *, source_name: str, limits: ParseLimits) -> Parsed:
        """See ``Parser.parse``."""
        check_size(data, limits)
        decoded = decode(data, declared=_declared_encoding(data))
        source = decoded.text
        canon = Canon(max_chars=limits.max_text_chars)
        starts = [0, *(match.end() for match in NEWLINE.finditer(source))]
        walker = HtmlWalker(
            canon,
            locate=lambda text, at: [Piece(text, at)],
            line_of=lambda at: bisect_right(starts, at),
            sheet=read_style_sheets(source),
            has_main=len(_MAIN.findall(source)) == 1,
            self_closing=source.lstrip().startswith("<?xml"),
        )
        metadata: dict[str, str] = {}
        walker.feed(_noting(scan(source), metadata))
        walker.finish()
        text, layout = canon.finish()
        require_text(text, source_name)
        metadata = {**header_dates(text, layout.blocks), **metadata}
        flags = (*decoded.flags(), *sorted(walker.flags), *(("invisible_text_dropped",) if canon.smuggled else ()))
        return Parsed(
            text=text, layout=layout, media_type="text/html", parser=self.name, metadata=metadata, flags=flags
        )


def _declared_encoding(data: bytes) -> str | None:
    match = _XML_ENCODING.search(data[:_HEAD_BYTES]) or _CHARSET.search(data[:_HEAD_BYTES])
    return match[1].decode("ascii", errors="replace") if match else None


def _noting(tokens: Iterable[Token], metadata: dict[str, str]) -> Iterator[Token]:
    """Pass tokens on, keeping title, language, author and dates that the page declares."""
    title: list[str] | None = None
    for token in tokens:
        if token.kind is Kind.START:
            if token.text == "title" and "title" not in metadata:
                title = []
            elif token.text == "html" and token.attributes.get("lang"):
                metadata.setdefault("language", token.attributes["lang"])
            elif token.text == "meta":
                _note_meta(token, metadata)
        elif token.kind is Kind.END:
            if token.text == "title" and title is not None:
                if shown := squeeze([Piece("".join(title))]).text:
                    metadata["title"] = shown
                title = None
        elif title is not None:
            title.append(token.text)
        yield token


def _note_meta(token: Token, metadata: dict[str, str]) -> None:
    key = _META_NAMES.get(token.attributes.get("name", "").lower())
    value = token.attributes.get("content", "").strip()
    if key == "effective_from":
        day = read_date(value)
        value = day.isoformat() if day else ""
    if key and value:
        metadata.setdefault(key, value)
