"""What stands in a document and yet says nothing by itself: cut sentences, contents pages, code, empty pointers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.types import BlockKind

if TYPE_CHECKING:
    from pincite.adapters.generators.extractive_units import Unit

_ROWS = frozenset({BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW, BlockKind.RECORD})
_LEADERS = re.compile(r"\.{5,}|(?:\.[ \xa0]){4,}|…{2,}|_{5,}|(?:·[ \xa0]?){4,}")
_SQL = re.compile(
    r"\b(?:SELECT\b[^.]{1,200}\bFROM|INSERT\s+INTO|CREATE\s+(?:TABLE|INDEX|VIEW|OR\s+REPLACE)|ALTER\s+TABLE|DELETE\s+FROM|"
    r"UPDATE\s+\w+\s+SET|DROP\s+TABLE|GROUP\s+BY|ORDER\s+BY|LEFT\s+JOIN|INNER\s+JOIN|PRIMARY\s+KEY|NOT\s+NULL)\b"
)
_CODE_SIGNS = re.compile(r"[{};=<>\\|_]|\(\)|::|->|//")
_CODE_SHARE = 0.08
"""Most sentences have none of these signs and source code has one in every ten characters or so."""
_CODE_CHARS = 12
_HOLLOW = re.compile(
    r"(?:das|dies|dieser|diese|dieses)\s+(?:ist|sind|heißt|nennt\s+man|wird|bezeichnet)\b[^.;:,]{0,20}"
    r"\bso\s?genannte\w*\s[^.;:,]{1,60}[.!]?"
    r"|(?:das|dies)\s+(?:nennt\s+man|heißt)\s[^.;:,]{1,60}[.!]?"
    r"|(?:this|that|it|these)\s+(?:is|are)\s+(?:(?:the|a)\s+)?"
    r"(?:so[- ]called|(?:also\s+)?(?:called|known\s+as|referred\s+to\s+as))\s[^.;:,]{1,60}[.!]?"
    r"|(?:c['’]est|ce\s+sont)\s+(?:ce\s+qu['’]on\s+appelle|l[ea]s?\s+(?:dite?s?|soi-disant))\s[^.;:,]{1,60}[.!]?"
    r"|(?:est[eao]s?|se)\s+(?:es|son|llama|denomina)\s+(?:(?:el|la|los|las)\s+)?(?:llamad[oa]s?|denominad[oa]s?)\s[^.;:,]{1,60}[.!]?",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?:;。！？।][\"'”’»)\]]*(?:\[\d+\])?\s*$")
_BROKEN_OFF = re.compile(
    r"\b(?:the|an?|of|to|and|or|with|for|from|by|in|on|at|as|your|our|their|its|this|these|including|than|that|which|because|"
    r"der|die|das|den|dem|und|oder|mit|von|für|zu|bei|el|los|las|y|o|de|del|con|le|les|et|ou|des|avec)$",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"[^\n:]{1,60}:\s*\S")
_VERB = re.compile(
    r"\b(?:is|are|was|were|am|be|been|has|have|had|do|does|did|can|could|may|might|must|shall|should|will|would|gets?|gives?|"
    r"receives?|appl(?:y|ies)|ends?|begins?|starts?|lasts?|includes?|means?|says?|states?|needs?|allows?|expires?|takes?|"
    r"remains?|becomes?|exists?|provides?|works?|reports?|offers?|uses?|costs?|runs?|keeps?|pays?|requires?|"
    r"ist|sind|war|waren|hat|haben|hatte|wird|werden|wurde|wurden|kann|können|muss|müssen|darf|dürfen|soll|sollen|gilt|gelten|"
    r"beträgt|betragen|endet|beginnt|erhält|zahlt|est|sont|était|ont|peut|peuvent|doit|doivent|sera|seront|es|son|era|fue|"
    r"tiene|tienen|puede|pueden|debe|deben|será|está|están|hay)\b|\w{3,}ed\b|n['’]t\b|['’](?:s|re|ll|ve)\b",
    re.IGNORECASE,
)
_NUMBERING = re.compile(
    r"^(?:(?:section|article|part|§)\s*)?(?:[0-9]+(?:\.[0-9]+)*|[A-Za-z]|[IVX]+)[.)]?\s+", re.IGNORECASE
)
_TITLE_WORDS = 10
_SHORT_WORD_CHARS = 3
"""Articles and prepositions, which titles write small."""
_ASCII_LATIN = re.compile(r"[A-Za-z]")


def is_unfit(unit: Unit) -> bool:
    """Whether the unit must not be an answer, whatever the models say of it."""
    text = unit.text.strip()
    if _LEADERS.search(text) or unit.passage.kind is BlockKind.CODE or _is_code(text):
        return True
    if unit.passage.kind not in _ROWS and _is_title(text):
        return True
    return _HOLLOW.fullmatch(" ".join(text.split())) is not None or _is_cut(unit, text)


def _is_title(text: str) -> bool:
    """A heading that runs into its text: "6.1 Appointment of Sub-processors." has a full stop and says nothing."""
    words = _NUMBERING.sub("", text).rstrip(" .").split()
    if not text.endswith(".") or len(words) > _TITLE_WORDS or any(char.isdigit() for word in words for char in word):
        return False
    long = [word for word in words if len(word) > _SHORT_WORD_CHARS]
    return bool(long) and all(word[0].isupper() for word in long) and _VERB.search(text) is None


def is_sentence(text: str) -> bool:
    """Whether it has an end and something like a verb."""
    return _ENDED.search(text.strip()) is not None and _VERB.search(text) is not None


def _is_code(text: str) -> bool:
    if _SQL.search(text):
        return True
    signs = len(_CODE_SIGNS.findall(text.replace(" | ", " ")))
    return len(text) >= _CODE_CHARS and signs / len(text) >= _CODE_SHARE


def _is_cut(unit: Unit, text: str) -> bool:
    """Running text without a verb that lacks its end or its beginning. Rows, items and "Name: value" lines may."""
    if unit.item is not None or unit.passage.kind in _ROWS or not _ASCII_LATIN.search(text):
        return False
    if _BROKEN_OFF.search(text):
        return True
    if _ENDED.search(text) and not text[0].islower():
        return False
    return _LABELLED.match(text) is None and _VERB.search(text) is None
