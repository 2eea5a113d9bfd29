"""How much of a draft that is still being written can no longer change its claims, whatever comes next.

The last claim may still grow, and get its marker. A list, a table, code, and the line that introduces them are read
as one, so none of them is firm until it has ended. Marks that are not closed yet (emphasis, code, links) change
what stands before them when they close. So every firm start is tried: with each of the continuations below, the claims
must come out the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.cite import cite

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.types import Claim

_WHOLE = re.compile(r"[ \t>]*(?:[-*+•‣◦▪][ \t]|[0-9]{1,9}[.)]|[`~|#]|(?: {4}|\t)\S)|[^\n]*\|")
"""Lines of what is only read as a whole: lists, tables, code, headings."""
_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]")
_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})", re.MULTILINE)
_MARKED_START = re.compile(r"[ \t>]*(?:[\[【(⟨]|\W*\Z)")
_CONTINUATIONS = ("*", "**", "_", "__", "`", "~~", "](x)", "$", ">", "</sup>", " word", "\n\n- item")
_MIN_NEXT_CHARS = 24
"""The next claim must have begun with this much of it there: how a sentence ends is seen from what follows."""


def firm_prefix(text: str, labels: Mapping[str, str]) -> str:
    """The longest start of ``text``, cut after a claim, whose claims are final; empty when there is none yet."""
    if len(_FENCE.findall(text)) % 2:
        return ""
    claims = cite(text, labels).claims
    at = _last_firm(text, claims)
    if at is None:
        return ""
    firm = claims[: at + 1]
    stands = all(cite(text + more, labels).claims[: at + 1] == firm for more in _CONTINUATIONS)
    start = text[: claims[at + 1].start].rstrip()
    return start if stands and cite(start, labels).claims == firm else ""


def _last_firm(text: str, claims: tuple[Claim, ...]) -> int | None:
    """The last claim that another one follows in plain prose."""
    if len(claims) < 2 or len(text) - claims[-1].start < _MIN_NEXT_CHARS:  # noqa: PLR2004 - one and the next
        return None
    at = len(claims) - 2
    last_line = _line(text, claims[-1].start)
    if _WHOLE.match(last_line):
        at = _before_whole(text, claims, at)
    elif _MARKED_START.match(_paragraph(text, claims[-1].start)):
        return None
    while at >= 0 and _HEADING.match(_line(text, claims[at].start)):
        at -= 1  # a heading is judged with the claim below it
    return at if at >= 0 else None


def _before_whole(text: str, claims: tuple[Claim, ...], at: int) -> int:
    """The claim before the list (or table ...) that is being written, and before the line that introduces it."""
    while at >= 0 and _WHOLE.match(_line(text, claims[at].start)):
        at -= 1
    return at - 1


def _line(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[start : end if end >= 0 else len(text)]


def _paragraph(text: str, at: int) -> str:
    start = text.rfind("\n\n", 0, at)
    return text[start + 2 if start >= 0 else 0 :]
