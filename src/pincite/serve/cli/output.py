"""What a terminal may be sent. Document text is data: it must not move a cursor, hide a word or set a title.

JSON stays exact: there, what a terminal would obey is written as an escape, which reads back as the same character.
"""

from __future__ import annotations

import os
import re
import sys

import click

_LINE_ENDS = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")
_OBEYED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_PICTURES = 0x2400
_DELETE = 0x7F
_LAST_C0 = 0x1F
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def printable(text: str) -> str:
    """The text with every control character shown instead of obeyed.

    ESC becomes ␛; C1 controls, bidi overrides and halves of surrogate pairs become the replacement character; line
    ends of all kinds become line feeds; tabs stay.
    """
    return _OBEYED.sub(_shown, _LINE_ENDS.sub("\n", text))


def _shown(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code <= _LAST_C0:
        return chr(_PICTURES + code)
    return "\N{SYMBOL FOR DELETE}" if code == _DELETE else _REPLACEMENT


def say(text: str, *, err: bool = False) -> None:
    """One printable line."""
    click.echo(printable(text), err=err)


def say_json(text: str) -> None:
    """JSON text, in UTF-8 whatever the terminal's encoding is."""
    click.echo(text.encode("utf-8"))


def tolerate_any_encoding() -> None:
    """A terminal that lacks a character gets an escape, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def mute() -> None:
    """Nobody reads standard output any more: let the interpreter's last flush go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
