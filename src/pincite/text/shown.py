"""What a model is shown of a text: nothing that a person would not see, no forged handle, no forged fence."""

from __future__ import annotations

import re
import unicodedata

from pincite.text.screen import INVISIBLE

_FENCE_SIGNS = re.compile(r"<{2,}|>{2,}")
_MAX_TITLE_CHARS = 200
_UNSEEN = re.compile(rf"(?:(?!(?<=[^\s\u200b-\u200f])[\u200c\u200d](?=[^\s\u200b-\u200f]))(?:{INVISIBLE.pattern}))")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_FORGED_HANDLE = re.compile(r"\[\s?(S\d{1,3}(?:\s?[,;]\s?S?\d{1,3}){0,8})\s?\]", re.IGNORECASE)
_SHOWN = {"Cc": "\N{REPLACEMENT CHARACTER}", "Cf": "", "Cs": "\N{REPLACEMENT CHARACTER}", "Co": ""}
"""By category: controls and half surrogates are made visible, format and private-use characters are taken out."""


def shown_text(text: str) -> str:
    """What a model is shown of a passage or question: no character that a person would not see, no forged handle.

    Joiners inside words stay (Persian and the Indic scripts need them), line breaks and tabs too; another control
    becomes a replacement character. A handle keeps its letters and loses its square brackets.
    """
    visible = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", _UNSEEN.sub("", text))
    return _FORGED_HANDLE.sub(r"(\1)", visible)


def clean_title(title: str) -> str:
    """A title, heading or file name on one line, without fence signs, brackets and characters that do not show.

    At most 200 characters: what is longer than a title is not one.
    """
    visible = "".join(_SHOWN.get(unicodedata.category(char), char) for char in " ".join(title.split()))
    plain = _FENCE_SIGNS.sub("", visible).replace("[", "(").replace("]", ")")
    return plain if len(plain) <= _MAX_TITLE_CHARS else f"{plain[: _MAX_TITLE_CHARS - 1]}…"
