"""What one part of a marker says, and whether it resolves. Exact labels only: nothing is clamped or guessed."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_NUMBER = re.compile(r"[0-9]{1,9}")
_LONG_NUMBER = re.compile(r"[0-9]{10,}")
_FOREIGN_NUMBER = re.compile(r"[-−+]?\d+")
_RANGE = re.compile(r"([A-Za-z]{0,8})([0-9]+)\s*(?:[-–—‐‑−~]|\bto\b|\bbis\b)\s*([A-Za-z]{0,8})([0-9]+)")
_HANDLE = re.compile(r"([A-Za-z]{1,2})[0-9]{1,6}")
_CUE = re.compile(
    r"(?:see |siehe |cf\. |vgl\. )?\^?#?"
    r"(?:(?:id|source|src|doc|document|passage|ref|reference|citation|quelle|fuente)s?\.?\s*[:#]?\s*)?"
    r"(?=[A-Za-z]{0,2}[-−]?\d)",
    re.IGNORECASE,
)
_LOCATOR = re.compile(
    r"(?:(?:pp?|S|art|sec|para)\.|pages?|seiten?|section|§+)\s?[0-9ivx]{1,6}(?:[-–][0-9]{1,6})?", re.IGNORECASE
)
_UUID = re.compile(r"[0-9a-fA-F]{6,8}-[0-9a-fA-F]{2,4}-[0-9a-fA-F…-]{2,30}")
_SYNTHETIC = re.compile(r"turn[0-9]+[a-z]+[0-9]+|[0-9]{1,4}:[0-9]{1,4}")
_MIN_ID_CHARS = 5
_PREFIX_CHARS = 5
_MAX_PART_CHARS = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One part of a marker: the passages it names, none when it names nothing that was given.

    ``number`` is the plain number that was written, for telling an array from a list of sources; ``sure`` says
    that its form alone makes it a marker.
    """

    passages: tuple[str, ...] = ()
    number: int | None = None
    sure: bool = False


class Labels:
    """The labels of one request, made ready for ranges and near misses."""

    def __init__(self, labels: Mapping[str, str]) -> None:
        self._labels = labels
        self._series: dict[str, list[int]] = {}
        for label in labels:
            found = _HANDLE.fullmatch(label) or _NUMBER.fullmatch(label)
            if found and label.isascii():
                prefix = label.rstrip("0123456789")
                number = label[len(prefix) :]
                if number == str(int(number)):
                    self._series.setdefault(prefix, []).append(int(number))
        for numbers in self._series.values():
            numbers.sort()
        ids = [label for label in labels if len(label) >= _MIN_ID_CHARS and not label.isalpha()]
        self._shapes = {_shape(label) for label in ids}
        self._heads = {label[:_PREFIX_CHARS].casefold() for label in ids}
        self.max_number = max(self._series.get("", [0]))

    def exact(self, text: str) -> str | None:
        """The passage of a label written exactly so."""
        return self._labels.get(text)

    def part(self, raw: str) -> Part | None:
        """Read one part of a marker; None when it is no part of one."""
        text = raw.strip()
        if text in self._labels:
            return Part(
                passages=(self._labels[text],), number=int(text) if _NUMBER.fullmatch(text) else None, sure=True
            )
        if len(text) > _MAX_PART_CHARS:
            return Part(sure=True) if text.isdigit() else None
        cue = _CUE.match(text)
        bare = text[cue.end() :] if cue else text
        sure = bare != text
        return self._number(bare, sure=sure) or self._range(bare) or self._handle(bare, sure=sure) or self._id(text)

    def _number(self, text: str, *, sure: bool) -> Part | None:
        if _NUMBER.fullmatch(text):
            found = self._labels.get(text)
            return Part(
                passages=(found,) if found is not None else (), number=int(text), sure=sure or found is not None
            )
        if _LONG_NUMBER.fullmatch(text) or _FOREIGN_NUMBER.fullmatch(text):
            return Part(sure=True)
        return None

    def _range(self, text: str) -> Part | None:
        """Both ends must resolve; between them only labels that exist count."""
        found = _RANGE.fullmatch(text)
        if found is None:
            return None
        first, last = f"{found[1]}{found[2]}", f"{found[3] or found[1]}{found[4]}"
        inside: tuple[str, ...] = ()
        if first in self._labels and last in self._labels and (not found[3] or found[3] == found[1]):
            inside = self._between(found[1], int(found[2]), int(found[4]))
        return Part(passages=inside, sure=bool(inside) or not found[1])

    def _between(self, prefix: str, first: int, last: int) -> tuple[str, ...]:
        numbers = self._series.get(prefix, [])
        held = numbers[bisect_left(numbers, first) : bisect_right(numbers, last)]
        return tuple(self._labels[f"{prefix}{n}"] for n in held)

    def _handle(self, text: str, *, sure: bool) -> Part | None:
        found = _HANDLE.fullmatch(text)
        if found is None:
            return None
        for written in (text, text.upper()):
            if written in self._labels:
                return Part(passages=(self._labels[written],), sure=True)
        known = sure or found[1].upper() == "S" or found[1] in self._series
        return Part(sure=True) if known else None

    def _id(self, text: str) -> Part | None:
        """An id that is close to one that was given, cut short, or of a tool's own making."""
        near = " " not in text and (_shape(text) in self._shapes or text[:_PREFIX_CHARS].casefold() in self._heads)
        near = near and len(text) >= _MIN_ID_CHARS
        if near or _UUID.fullmatch(text) or _SYNTHETIC.fullmatch(text):
            return Part(sure=bool(near or not text[0].isdigit() or _UUID.fullmatch(text)))
        return None


def is_locator(text: str) -> bool:
    """A place within a source ("p. 5"): it belongs to a marker and is no marker of its own."""
    return _LOCATOR.fullmatch(text.strip()) is not None


def _shape(label: str) -> str:
    """Digits as 0, runs of letters as a: "doc-17#3" and "doc-18#12" are of one shape."""
    return re.sub(r"[0-9]+", "0", re.sub(r"[^\W\d_]+", "a", label))
