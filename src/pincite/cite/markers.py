"""Markers in the visible text of a block: where they stand and what they name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.cite.labels import Part, is_locator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.cite.labels import Labels


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FORMS = re.compile(
    r"\[\[(?P<double>[^\[\]]*)\]\]"
    r"|\[(?P<square>[^\[\]]*)\]"
    r"|【(?P<lens>[^【】]*)】|〔(?P<shell>[^〔〕]*)〕|［(?P<wide>[^［］]*)］"
    r"|\((?P<id>(?:ID|Id|id):[^()\n]{1,80})\)"
    r"|\((?P<key>[A-Za-z0-9_#:/.,;& -]{2,160})\)"
    r"|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[⁻–,‚ˌ][⁰¹²³⁴⁵⁶⁷⁸⁹]+)*)"
    r"|(?P<private>\ue200[^\ue200\ue201\n]{0,300}\ue201"
    r"|\ue200[^\s\ue200\ue201]{0,100}"
    r"|\\ue200(?:(?!\\ue20[01])[^\n]){0,300}\\ue201"
    r"|\\ue200(?:\\ue202|\w){0,100}"
    r"|[\ue201-\ue20f]+)"
    r"|##(?P<hash>[0-9]{1,6})(?:\${1,2}|###)|(?<![#\w])#(?P<hash1>[0-9]{1,6})\$\$"
    r"|(?<![$\w])\$\$(?P<dollar>[0-9]{1,6})\$\$(?![$\w])|(?<![$\w])\$\[(?P<dollar1>[0-9]{1,6})\]\$"
)
_SPLIT = re.compile(r"\s*(?:[,;&/，；、]|\band\b|\bund\b|\bet\b|\by\b|\bor\b|\boder\b)\s*")
_KEY = re.compile(r"(?=[^\s]*[0-9])(?=[^\s]*[-_#:/.])[^\s]+|[A-Za-z]+[0-9]+")
_PLAIN_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_PRIVATE = re.compile(r"[\ue200-\ue20f]|\\ue20[0-9a-f]")
_DEFINITION = re.compile(r"[ \t]*:(?!\S*//\S*\])")
_UNKNOWN = re.compile(r"(?=\D*\d)[\w:#./-]{1,24}")
"""An unknown part is one word with a digit in it: more would be prose that a marker must not hide."""
_UNKNOWN_NAME = re.compile(r"[\w:#./-]{1,40}")
_LONGEST_DAGGER_CHARS = 80
_DEFINES = re.compile(r"^[ \t]{0,3}(?:\[\^?[^\[\]\n]{1,40}\]:|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}[ \t])", re.MULTILINE)
_LOOK_CHARS = 40
_IDENTIFIER = re.compile(r"[\w.]+\Z")
_CODE_NAMES = _words(
    """
    arr array list lst args argv data items item values vals val row rows col cols matrix mat vec vector tmp buf
    buffer index idx nums num str self obj ptr map dict key keys env dim shape table tuple params kwargs input
    inputs output outputs result results response stack queue tokens words lines grid node
    """
)
_SHORT_WORDS = _words("it so on up to in of at by as is do be go no he we me us or an am")
_SHORT_CHARS = 2
_MATHS_BEFORE = re.compile(
    r"(?:[=∈∉⊂×]|\b(?:array|list|vector|shape|sizes?|dims?|dimensions?|intervals?|tuple|matrix|ind(?:ex|ices)|"
    r"intervall|intervalle)(?:\s+(?:of|is|von|de))?\s*:?)\s*\Z",
    re.IGNORECASE,
)
_INTERVAL_BEFORE = re.compile(
    r"\b(?:in|within|over|range|between|from|to|into|domain|values?)\s*(?:of\s*)?\Z", re.IGNORECASE
)
_YEARS = range(1000, 3000)
_ARRAY_NUMBER = 99
_UNITS = _words("m km cm mm dm nm ft in yd sq x y z n r mi sqm sqft km")
_RAISABLE = re.compile(r"(?:[^\W\d_]{3,}|[.!?,;:%)\]\"'”’»。！？」』)\u20ac$£]|\ufffc|[\u2e80-\u9fff])\Z")


@dataclass(frozen=True, kw_only=True, slots=True)
class Marker:
    """A marker at ``start``/``end`` of the block's visible text, and its parts in the order written."""

    start: int
    end: int
    parts: tuple[Part, ...]


def find_markers(masked: str, labels: Labels) -> list[Marker]:
    """All markers of one block, in order and apart. OPAQUE characters hold none."""
    found: list[Marker] = []
    indexed_to = -1
    for form in _FORMS.finditer(masked):
        if form.start() == indexed_to:
            indexed_to = form.end()
            continue
        if _is_bracket(form) and _is_index(masked, form):
            indexed_to = form.end()
            continue
        parts = _read(masked, form, labels)
        if parts:
            found.append(Marker(start=form.start(), end=form.end(), parts=parts))
    return found


def _is_bracket(form: re.Match[str]) -> bool:
    return form.lastgroup in {"square", "double"}


def _read(masked: str, form: re.Match[str], labels: Labels) -> tuple[Part, ...] | None:
    """The parts of the form, None when it is no marker."""
    content = form[form.lastgroup or 0]
    match form.lastgroup:
        case "square" | "double" | "lens" | "shell" | "wide":
            if _defines_footnote(masked, form):
                return None
            return _bracket(masked, form.start(), content, labels)
        case "raised":
            return _raised(masked, form.start(), content, labels)
        case "private":
            return _private(content, labels)
        case "key":
            return _keys(content, labels)
        case _:
            part = labels.part(content.strip())
            return (part,) if part else None


def _bracket(masked: str, start: int, content: str, labels: Labels) -> tuple[Part, ...] | None:
    text = content.strip().removeprefix("^")
    whole = labels.exact(content.strip()) or labels.exact(text)
    if whole is not None:
        return (Part(passages=(whole,), sure=True),)
    shown, dagger, _ = text.partition("†")
    pieces = [piece for piece in _SPLIT.split(shown.strip()) if piece and not is_locator(piece)]
    parts = [labels.part(piece) for piece in pieces]
    if dagger and not parts:
        return None
    known_form = _UNKNOWN_NAME if dagger else _UNKNOWN
    if any(part is None and not known_form.fullmatch(piece) for part, piece in zip(parts, pieces, strict=True)):
        return None
    known = tuple(part or Part() for part in parts)
    if dagger:
        return known if len(content) <= _LONGEST_DAGGER_CHARS else None
    if not parts or parts[0] is None or (None in parts and not any(part.passages for part in known)):
        return None
    before = masked[max(0, start - _LOOK_CHARS) : start]
    return known if _is_plausible(known, before, labels, content) else None


def _is_plausible(parts: tuple[Part, ...], before: str, labels: Labels, content: str) -> bool:
    """Years, arrays and intervals are not markers."""
    numbers = [part.number for part in parts if part.number is not None]
    several = len(parts) > 1
    if several and _MATHS_BEFORE.search(before):
        return False
    if several and numbers[:1] == [0] and not parts[0].passages and _INTERVAL_BEFORE.search(before):
        return False
    if any(part.passages for part in parts) or content.startswith("^"):
        return True
    if all(number in _YEARS for number in numbers) and len(numbers) == len(parts):
        return False
    if several and numbers and max(numbers) > max(_ARRAY_NUMBER, labels.max_number):
        return False
    return any(part.sure or part.number is not None for part in parts)


def _is_index(masked: str, form: re.Match[str]) -> bool:
    """Whether the bracket indexes an identifier ("arr[1]") rather than following a word ("days[1]")."""
    before = _IDENTIFIER.search(masked[max(0, form.start() - _LOOK_CHARS) : form.start()])
    if before is None or not before[0].isascii():
        return False
    name = before[0]
    upcoming = masked[form.end() : form.end() + 1]
    if upcoming.isalnum() and upcoming.isascii():
        return True
    word = name.rpartition(".")[2]
    if not word or word.isdigit():
        return False
    return "_" in name or "." in name or any(map(str.isdigit, word)) or _is_code_name(word)


def _is_code_name(word: str) -> bool:
    camel = word[:1].islower() and not word.islower()
    short = len(word) <= _SHORT_CHARS and word.isascii() and word not in _SHORT_WORDS
    return camel or word in _CODE_NAMES or (short and not (len(word) == _SHORT_CHARS and word.isupper()))


def _defines_footnote(masked: str, form: re.Match[str]) -> bool:
    """Whether it opens "[^1]: text" at the start of a line."""
    line_start = masked.rfind("\n", max(0, form.start() - 4), form.start()) + 1
    at_start = not masked[line_start : form.start()].strip() and (line_start > 0 or form.start() <= 3)  # noqa: PLR2004 - Markdown's indent
    return at_start and _DEFINITION.match(masked, form.end()) is not None


def _raised(masked: str, start: int, content: str, labels: Labels) -> tuple[Part, ...] | None:
    """Superscript digits behind a word or its punctuation; "m²", "10²" and "x²" are no markers."""
    before = masked[max(0, start - _LOOK_CHARS) : start]
    word = re.search(r"[^\W\d_]*\Z", before)
    if not _RAISABLE.search(before) or (word and word[0].lower() in _UNITS):
        return None
    pieces = re.split(r"[,‚ˌ]", content.translate(_PLAIN_DIGITS).replace("–", "-"))
    return tuple(labels.part(piece) or Part() for piece in pieces)


def _private(content: str, labels: Labels) -> tuple[Part, ...] | None:
    """Private-use forms hold a verb and then ids; what holds prose is none."""
    if any(map(str.isspace, content)):
        return None
    ids = [piece for piece in _PRIVATE.split(content) if piece]
    named = [
        labels.exact(piece) for piece in ids if labels.exact(piece) is not None or piece not in {"cite", "filecite"}
    ]
    return tuple(Part(passages=(p,) if p is not None else ()) for p in named) or (Part(),)


def _keys(content: str, labels: Labels) -> tuple[Part, ...] | None:
    """Parentheses hold a marker when every word in them is the exact id of a passage, and looks like one."""
    pieces = [piece for piece in _SPLIT.split(content.strip()) if piece]
    known = [labels.exact(piece) for piece in pieces if _KEY.fullmatch(piece)]
    if len(known) != len(pieces):
        return None
    named = [passage for passage in known if passage is not None]
    return tuple(Part(passages=(p,), sure=True) for p in named) if named and len(named) == len(known) else None


def footnote_definitions(masked: str) -> Iterator[int]:
    """Offsets at which a line begins that defines a footnote."""
    for found in _DEFINES.finditer(masked):
        yield found.start()


def text_after_definition(line: str) -> int:
    """How many characters the "[^1]:" at the start of a line takes."""
    found = _DEFINES.match(line)
    return found.end() if found else 0
