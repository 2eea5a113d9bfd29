"""What gives a list item its meaning: the sentence that opens the list, and the headings over it.

An item says little by itself: "Glass bottles" may stand under what is allowed or under what is not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.adapters.generators.extractive_fragments import is_sentence
from pincite.types import BlockKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.adapters.generators.extractive_units import Unit

_OPENS = (":", "：")
MAX_LEAD_INS = 3
_LABEL_CHARS = 80
_ENDED = re.compile(r"[.;,!?。！？।][\"'”’»)\]]*$")
_ROWS = frozenset({BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW})
_DENIES = re.compile(
    r"\b(?:not|no|never|none|nor|without|cannot|un(?:acceptable|supported|available|covered|lawful)|prohibit\w*|"
    r"prohibitions?|forb[ia]d\w*|bann?ed|exclu(?:ded?|des|sions?|ding)|except\w*|restrict\w*|disallow\w*|den(?:y|ied)|"
    r"refus\w*|reject\w*|illegal|avoid|don['’]?ts?|ineligible|"
    r"nicht|kein\w*|ohne|nie|niemals|verbot\w*|untersagt\w*|ausgeschlossen\w*|ausschl[uü]ss\w*|ausnahmen?|unzulässig\w*|"
    r"prohibid\w*|prohibiciones|excluid\w*|exclusion\w*|excepto|sin|nunca|jamás|"
    r"pas|jamais|aucune?s?|sans|interdi\w*|exclue?s?|sauf)\b|n['’]t\b|ausser|außer|不|禁止|नहीं",
    re.IGNORECASE,
)


def denies(text: str) -> bool:
    """Whether a heading or lead-in turns what stands under it into its opposite, or may."""
    return _DENIES.search(text) is not None


def lead_in(unit: Unit, place: Mapping[tuple[str, int], Unit]) -> Unit | None:
    """The sentence or line that opens the list of this item; in the passage before, where the list was cut."""
    if unit.item is None:
        return None
    for index in range(unit.index - 1, -1, -1):
        before = place.get((unit.handle, index))
        if before is None:
            return None
        if before.text.rstrip().endswith(_OPENS) and before.item != unit.item:
            return before
        if before.item is None:
            return before if _is_label(before.text) else None
    return _last_of_passage_before(unit, place)


def _is_label(text: str) -> bool:
    """A short line without an end right above the items: a heading that the parser could not tell."""
    return len(text) <= _LABEL_CHARS and _ENDED.search(text.rstrip()) is None


def lead_ins(unit: Unit, place: Mapping[tuple[str, int], Unit]) -> list[Unit]:
    """Its lead-in and, where that is itself an item of an outer list, the ones of the outer lists; innermost first."""
    found: list[Unit] = []
    lead = lead_in(unit, place)
    while lead is not None and lead not in found and len(found) < MAX_LEAD_INS:
        found.append(lead)
        lead = lead_in(lead, place)
    return found


def _last_of_passage_before(unit: Unit, place: Mapping[tuple[str, int], Unit]) -> Unit | None:
    passage = unit.passage
    beside = [
        other
        for other in place.values()
        if other.passage.version_id == passage.version_id
        and passage.version_id
        and other.passage.ordinal == passage.ordinal - 1
        and other.passage.heading_path == passage.heading_path
    ]
    last = max(beside, key=lambda other: other.index, default=None)
    if last is None or last.text.rstrip().endswith(_OPENS):
        return last
    if last.item is None:
        return None
    return lead_in(last, place)


def misleads(unit: Unit, place: Mapping[tuple[str, int], Unit]) -> bool:
    """Whether a heading over an item or row denies it, and neither the words themselves nor their lead-in do."""
    if unit.item is None and unit.passage.kind not in _ROWS:
        return False
    if not any(denies(part) for part in unit.passage.heading_path or (unit.passage.title,)):
        return False
    if denies(unit.text) and is_sentence(unit.text):
        return False
    return not any(denies(lead.text) for lead in lead_ins(unit, place))


def needs_heading(unit: Unit) -> bool:
    """Whether the unit is an item that is no sentence, so that a reader must know what it stands under."""
    return unit.item is not None and not is_sentence(unit.text)
