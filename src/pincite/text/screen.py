"""Sentences in a document that talk to the assistant or steer its answer. Labels, never deletes.

A rule screen: it knows the common forms in English, and a few in German, Spanish and French, so that a reviewer can be
told, the extractive composer can pass over them, and a claim that rests on them is known. It is not a guard: what
protects an answer is that every claim is checked against the documents and that document text is never obeyed.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from enum import StrEnum

from pincite.text import screen_forms as forms

SCREEN_VERSION = "2"
"""Changes whenever a form does; written into every audit record."""


class ScreenLabel(StrEnum):
    """What a flagged range tries to do."""

    OVERRIDE = "override"
    STEERING = "steering"
    ADDRESSES_ASSISTANT = "addresses_assistant"
    PROMPT_MARKUP = "prompt_markup"
    HIDDEN_CHARACTERS = "hidden_characters"
    OUTPUT_ORDER = "output_order"
    ROLE_PLAY = "role_play"
    CITATION_ORDER = "citation_order"
    FORGED_HANDLE = "forged_handle"
    LEAK = "leak"
    LINK = "link"
    ENCODED_TEXT = "encoded_text"


SIGNS = frozenset({ScreenLabel.FORGED_HANDLE, ScreenLabel.HIDDEN_CHARACTERS})
"""No orders by themselves: bracketed numbers and marks of text direction occur in clean text too."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Flagged:
    """A half-open range of the text given, and what it looks like."""

    start: int
    end: int
    label: ScreenLabel


_FORMS = {
    ScreenLabel.OVERRIDE: forms.OVERRIDE,
    ScreenLabel.STEERING: forms.STEERING,
    ScreenLabel.ADDRESSES_ASSISTANT: forms.ADDRESSED,
    ScreenLabel.PROMPT_MARKUP: forms.MARKUP,
    ScreenLabel.OUTPUT_ORDER: forms.OUTPUT,
    ScreenLabel.ROLE_PLAY: forms.ROLE,
    ScreenLabel.CITATION_ORDER: forms.CITATION,
    ScreenLabel.FORGED_HANDLE: forms.HANDLE,
    ScreenLabel.LEAK: forms.LEAK,
    ScreenLabel.LINK: forms.LINK,
}
_PATTERNS = tuple((label, re.compile(form, re.IGNORECASE)) for label, some in _FORMS.items() for form in some)
_HIDDEN = tuple(re.compile(form) for form in forms.HIDDEN)
INVISIBLE = re.compile(
    "[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e01ef]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]"
)
"""Characters that a reader does not see: they split a word for a program and not for a model."""
_BLOB = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{32,4000}={0,2}(?![A-Za-z0-9+/=])")
_MIN_BLOB_SPACES = 3


def screen(text: str) -> list[Flagged]:
    """Every flagged range, by start; ranges of different labels may overlap. An empty list says nothing is known.

    The forms are sought in the text without its invisible characters; the ranges are those of the text given. Linear
    in the length of the text: every repeated group is bounded.
    """
    seen, places = _visible(text)
    found = [
        Flagged(start=places[match.start()], end=places[match.end() - 1] + 1, label=label)
        for label, pattern in _PATTERNS
        for match in pattern.finditer(seen)
        if match.end() > match.start()
    ]
    found += [
        Flagged(start=match.start(), end=match.end(), label=ScreenLabel.HIDDEN_CHARACTERS)
        for pattern in _HIDDEN
        for match in pattern.finditer(text)
    ]
    found += [
        Flagged(start=match.start(), end=match.end(), label=ScreenLabel.ENCODED_TEXT)
        for match in _BLOB.finditer(text)
        if _hides_words(match[0])
    ]
    return sorted(set(found), key=lambda flag: (flag.start, flag.end, flag.label))


def _visible(text: str) -> tuple[str, range | list[int]]:
    """The text without invisible characters, and the place of each character that is left."""
    if not INVISIBLE.search(text):
        return text, range(len(text))
    hidden = {match.start() for match in INVISIBLE.finditer(text)}
    places = [i for i in range(len(text)) if i not in hidden]
    return "".join(text[i] for i in places), places


def _hides_words(blob: str) -> bool:
    """Whether it is Base64 or hexadecimal of plain words: a hash or a key gives none."""
    return any(_is_words(raw) for raw in (_from_base64(blob), _from_hex(blob)) if raw is not None)


def _from_base64(blob: str) -> bytes | None:
    plain = blob.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error:
        return None


def _from_hex(blob: str) -> bytes | None:
    try:
        return bytes.fromhex(blob)
    except ValueError:
        return None


def _is_words(raw: bytes) -> bool:
    text = raw.decode("ascii", errors="replace")
    return text.isprintable() and text.count(" ") >= _MIN_BLOB_SPACES and "\ufffd" not in text
