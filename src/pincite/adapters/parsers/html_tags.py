"""Which elements show nothing, which end each other, and which are hidden."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = _names("area base br col embed hr img input link meta param source track wbr")
SILENT = _names(
    "script style template noscript noembed noframes iframe object applet audio video canvas svg map nav button "
    "select datalist textarea xmp annotation annotation-xml title rp"
)
STRUCK = frozenset({"del", "s", "strike"})
HEADINGS = {f"h{level}": level for level in range(1, 7)}
BLOCKS = _names(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol p pre section summary "
    "table caption colgroup thead tbody tfoot tr td th ul"
)
_PARAGRAPH_ENDERS = BLOCKS - _names("html head body caption colgroup thead tbody tfoot tr td th legend")
_ENDS: Mapping[str, frozenset[str]] = {
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "tr": frozenset({"tr", "td", "th", "caption"}),
    "td": frozenset({"td", "th", "caption"}),
    "th": frozenset({"td", "th", "caption"}),
    "thead": frozenset({"thead", "tbody", "tfoot", "tr", "td", "th", "caption"}),
    "tbody": frozenset({"thead", "tbody", "tfoot", "tr", "td", "th", "caption"}),
    "tfoot": frozenset({"thead", "tbody", "tfoot", "tr", "td", "th", "caption"}),
    "option": frozenset({"option"}),
}
_BARRIERS: Mapping[str, frozenset[str]] = {
    "li": frozenset({"ul", "ol", "menu", "dir", "table", "td", "th", "caption"}),
    "dt": frozenset({"dl", "table", "td", "th", "caption"}),
    "dd": frozenset({"dl", "table", "td", "th", "caption"}),
    **dict.fromkeys(("tr", "td", "th", "thead", "tbody", "tfoot"), frozenset({"table"})),
}
_IN_CELL = frozenset({"table", "td", "th", "caption"})
_PARAGRAPH = frozenset({"p"})

_END = r"\s*(?:!important\s*)?(?:[;}]|$)"
_ZERO = rf"0(?:\.0+)?(?:px|pt|em|rem|%)?{_END}"
_HIDING = re.compile(
    rf"(?:^|[;{{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*{_ZERO}|"
    rf"font-size\s*:\s*{_ZERO}|color\s*:\s*transparent{_END}|"
    rf"(?:left|top|right|text-indent)\s*:\s*-\d{{3,}}(?:\.\d+)?(?:px|pt|em|rem|%|vw){_END})",
    re.IGNORECASE,
)
_TEXT_COLOUR = re.compile(r"(?:^|[;{\s])color\s*:\s*([#\w]+)", re.IGNORECASE)
_BACK_COLOUR = re.compile(r"(?:^|[;{\s])background(?:-color)?\s*:\s*([#\w]+)", re.IGNORECASE)
_COLOUR_NAMES = {"white": "#ffffff", "#fff": "#ffffff", "black": "#000000", "#000": "#000000"}
_STYLE_ELEMENT = re.compile(r"<style\b[^>]*>(.*?)</style", re.IGNORECASE | re.DOTALL)
_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_AT_RULE = re.compile(r"@[a-z-]+[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", re.IGNORECASE)
_RULE = re.compile(r"([^{}]{1,2000})\{([^{}]*)\}")
_SIMPLE_SELECTOR = re.compile(r"([a-zA-Z][\w-]*)?([.#])([\w-]+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class HiddenBySheet:
    """Class names and ids that the page's own style sheet hides outright (no media query, no state)."""

    classes: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()


def read_style_sheets(source: str) -> HiddenBySheet:
    """Only plain ``.name`` and ``#name`` selectors count: others may be undone by a rule we do not follow."""
    classes, ids = set[str](), set[str]()
    for element in _STYLE_ELEMENT.finditer(source):
        sheet = _AT_RULE.sub("", _STYLE_COMMENT.sub("", element[1]))
        for rule in _RULE.finditer(sheet):
            if _hides(rule[2]):
                for selector in rule[1].split(","):
                    if match := _SIMPLE_SELECTOR.fullmatch(selector.strip()):
                        (classes if match[2] == "." else ids).add(match[3])
    return HiddenBySheet(classes=frozenset(classes), ids=frozenset(ids))


def is_hidden(attributes: Mapping[str, str], sheet: HiddenBySheet) -> bool:
    """Whether nobody sees the element when the page is opened."""
    if "hidden" in attributes and attributes["hidden"].lower() != "until-found":
        return True
    if sheet.classes and not sheet.classes.isdisjoint(attributes.get("class", "").split()):
        return True
    return attributes.get("id") in sheet.ids or _hides(attributes.get("style", ""))


def _hides(style: str) -> bool:
    """Not shown, too small, off the page, or in the colour of its own background."""
    if not style:
        return False
    if _HIDING.search(style):
        return True
    front, back = _TEXT_COLOUR.search(style), _BACK_COLOUR.search(style)
    return front is not None and back is not None and _colour(front[1]) == _colour(back[1])


def _colour(text: str) -> str:
    return _COLOUR_NAMES.get(text.lower(), text.lower())


def is_silent(tag: str, attributes: Mapping[str, str]) -> bool:
    """Scripts, controls, embedded things and navigation."""
    return tag in SILENT or attributes.get("role", "").lower() in ("navigation", "search", "menu", "menubar")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Open:
    tag: str
    hidden: bool
    silent: bool
    struck: bool


class OpenTags:
    """The stack of open elements, with the ends that HTML leaves out put in. Constant time for a tag."""

    def __init__(self, sheet: HiddenBySheet) -> None:
        self._sheet = sheet
        self._stack: list[_Open] = []
        self._where: defaultdict[str, list[int]] = defaultdict(list)
        self._blocks: list[int] = []
        self._hidden = self._silent = self._struck = 0

    @property
    def hidden(self) -> bool:
        """Inside something hidden."""
        return self._hidden > 0

    @property
    def silent(self) -> bool:
        """Inside something that shows no text of its own."""
        return self._silent > 0

    @property
    def struck(self) -> bool:
        """Inside something struck out."""
        return self._struck > 0

    @property
    def depth(self) -> int:
        """How many elements are open."""
        return len(self._stack)

    def cut_to(self, depth: int) -> list[str]:
        """Close all that was opened since; their names, innermost first."""
        return self._cut(depth) if depth < len(self._stack) else []

    def inside(self, tag: str) -> bool:
        """Whether such an element is open."""
        return bool(self._where[tag])

    def open(self, tag: str, attributes: Mapping[str, str]) -> list[str]:
        """Open an element; the names of those that this ends, innermost first."""
        ended: list[str] = []
        if tag in _PARAGRAPH_ENDERS:
            ended += self._pop(_PARAGRAPH, self._highest(_IN_CELL))
        if tag in _ENDS:
            ended += self._pop(_ENDS[tag], self._highest(_BARRIERS.get(tag, ())))
        if tag not in VOID:
            self._push(
                _Open(
                    tag=tag,
                    hidden=is_hidden(attributes, self._sheet),
                    silent=is_silent(tag, attributes),
                    struck=tag in STRUCK,
                )
            )
        return ended

    def close(self, tag: str) -> list[str]:
        """Close an element; the names of all that this ends, innermost first."""
        if tag not in BLOCKS:
            barrier = self._blocks[-1] if self._blocks else -1
        elif tag == "table":
            barrier = -1
        else:
            barrier = self._highest(_BARRIERS.get(tag, _IN_CELL - {tag}))
        innermost = self._where[tag][-1] if self._where[tag] else -1
        return self._cut(innermost) if innermost > barrier else []

    def _highest(self, tags: Iterable[str]) -> int:
        return max((self._where[tag][-1] for tag in tags if self._where[tag]), default=-1)

    def _pop(self, targets: Iterable[str], barrier: int) -> list[str]:
        """Close the outermost target above the barrier, and all within it."""
        found = []
        for tag in targets:
            places = self._where[tag]
            first = bisect_right(places, barrier)
            if first < len(places):
                found.append(places[first])
        return self._cut(min(found)) if found else []

    def _push(self, entry: _Open) -> None:
        self._where[entry.tag].append(len(self._stack))
        if entry.tag in BLOCKS:
            self._blocks.append(len(self._stack))
        self._stack.append(entry)
        self._add(entry, 1)

    def _cut(self, index: int) -> list[str]:
        ended = self._stack[index:][::-1]
        del self._stack[index:]
        for entry in ended:
            self._where[entry.tag].pop()
            if entry.tag in BLOCKS:
                self._blocks.pop()
            self._add(entry, -1)
        return [entry.tag for entry in ended]

    def _add(self, entry: _Open, change: int) -> None:
        self._hidden += change * entry.hidden
        self._silent += change * entry.silent
        self._struck += change * entry.struck
