"""What the styles of a DOCX say about a paragraph or run: heading level, numbering, hidden or struck text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.adapters.parsers.docx_package import W, is_on, val

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

_HEADING_NAME = re.compile(r"heading ([1-9])", re.IGNORECASE)
_BODY_LEVEL = 9


@dataclass(frozen=True, kw_only=True, slots=True)
class NumberingUse:
    """Which list a paragraph belongs to and how deep; both as far as they are said."""

    num_id: str | None
    level: int | None


class Styles:
    """Lookups through ``basedOn`` chains; unknown ids are like no style."""

    def __init__(self, root: _Element | None) -> None:
        elements = list(root.iter(f"{W}style")) if root is not None else []
        self._by_id = {style.get(f"{W}styleId", ""): style for style in elements}
        self._defaults = {
            style.get(f"{W}type", ""): style.get(f"{W}styleId", "")
            for style in elements
            if style.get(f"{W}default") in ("1", "true", "on")
        }
        self._run_defaults = root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr") if root is not None else None

    def paragraph_style(self, properties: _Element | None) -> str | None:
        """The style id of a paragraph, the default one if it names none."""
        named = val(properties.find(f"{W}pStyle")) if properties is not None else None
        return named if named is not None else self._defaults.get("paragraph")

    def name(self, style_id: str | None) -> str:
        """The style's own name, lower case (in every language of Word the built-in ones are English)."""
        style = self._by_id.get(style_id or "")
        return (val(style.find(f"{W}name")) or "").lower() if style is not None else ""

    def outline_level(self, style_id: str | None, properties: _Element | None) -> int | None:
        """The heading level from 1, or None for body text. The title counts as level 1."""
        direct = properties.find(f"{W}outlineLvl") if properties is not None else None
        for element in (direct, *self._find(style_id, f"{W}pPr/{W}outlineLvl")):
            digits = val(element) if element is not None else None
            if digits is not None and digits.isdecimal():
                return int(digits) + 1 if int(digits) < _BODY_LEVEL else None
        for style in self._chain(style_id):
            name = val(style.find(f"{W}name")) or ""
            if match := _HEADING_NAME.fullmatch(name):
                return int(match[1])
            if name.lower() == "title":
                return 1
        return None

    def numbering(self, style_id: str | None, properties: _Element | None) -> NumberingUse:
        """The paragraph's own list, or else that of its style."""
        direct = properties.find(f"{W}numPr") if properties is not None else None
        num_id, level = None, None
        for element in (direct, *self._find(style_id, f"{W}pPr/{W}numPr")):
            if element is None:
                continue
            num_id = num_id if num_id is not None else val(element.find(f"{W}numId"))
            digits = val(element.find(f"{W}ilvl"))
            if level is None and digits is not None and digits.isdecimal():
                level = int(digits)
        return NumberingUse(num_id=num_id, level=level)

    def run_toggle(self, name: str, run_properties: _Element | None, paragraph_style: str | None) -> bool:
        """A toggle such as ``vanish``: on the run, its character style, the paragraph's style, or by default."""
        own = is_on(run_properties.find(f"{W}{name}")) if run_properties is not None else None
        if own is not None:
            return own
        character = val(run_properties.find(f"{W}rStyle")) if run_properties is not None else None
        for style_id in (character, paragraph_style):
            for element in self._find(style_id, f"{W}rPr/{W}{name}"):
                return bool(is_on(element))
        return bool(is_on(self._run_defaults.find(f"{W}{name}"))) if self._run_defaults is not None else False

    def first_row_is_set_off(self, style_id: str | None) -> bool:
        """Whether a table style makes its first row bold or shades it."""
        for style in self._chain(style_id):
            for conditional in style.iter(f"{W}tblStylePr"):
                if conditional.get(f"{W}type") == "firstRow":
                    bold = is_on(conditional.find(f"{W}rPr/{W}b"))
                    return bool(bold) or conditional.find(f"{W}tcPr/{W}shd") is not None
        return False

    def _find(self, style_id: str | None, path: str) -> Iterator[_Element]:
        for style in self._chain(style_id):
            element = style.find(path)
            if element is not None:
                yield element

    def _chain(self, style_id: str | None) -> Iterator[_Element]:
        seen = set[str]()
        while style_id and style_id not in seen and style_id in self._by_id:
            seen.add(style_id)
            style = self._by_id[style_id]
            yield style
            style_id = val(style.find(f"{W}basedOn"))
