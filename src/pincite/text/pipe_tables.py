"""Column headers of pipe tables that stand in plain text, as Markdown writes them."""

from __future__ import annotations

import re
from itertools import pairwise

_LINE = re.compile(r"[^\n]+")
_RULE = re.compile(r"[\s|:-]*-{2}[\s|:-]*\Z|\s*\|(?:\s*:?-+:?\s*\|)+\s*\Z")


def column_headers(text: str) -> dict[int, str]:
    """Column header by every position of the cells below it. Empty without a header row and a rule below it."""
    if "|" not in text:
        return {}
    lines = [(found.start(), found[0]) for found in _LINE.finditer(text)]
    found: dict[int, str] = {}
    names: list[str] = []
    for (_, above), (start, line) in pairwise([(0, ""), *lines]):
        if "|" not in line:
            names = []
        elif _RULE.match(line) and "|" in above:
            names = [above[a:b].strip() for a, b in _cells(above)]
        elif names:
            for name, (a, b) in zip(names, _cells(line), strict=False):
                found.update(dict.fromkeys(range(start + a, start + b), name))
    return {at: name for at, name in found.items() if name}


def _cells(line: str) -> list[tuple[int, int]]:
    """Ranges between the bars; a bar at either edge of the line opens no cell."""
    bars = [found.start() for found in re.finditer(r"(?<!\\)\|", line)]
    inner = line.strip()
    cuts = ([] if inner.startswith("|") else [-1]) + bars + ([] if inner.endswith("|") else [len(line)])
    return [(a + 1, b) for a, b in pairwise(cuts)]
