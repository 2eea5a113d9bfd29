"""Words of a claim that only name its source ("According to the handbook, ...", "The policy states that ...")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.text.words import tokens

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

_NOUN = (
    r"(?:documents?|passages?|polic(?:y|ies)|sources?|texts?|handbooks?|manuals?|contracts?|agreements?|guides?|guidelines?"
    r"|excerpts?|articles?|sections?|context|information|documentation|materials?|records?|terms|notices?|leaflets?|rules?"
    r"|page|table|file|standard|schedule|wording|plan document)"
)
_OWNER = r"(?:the|our|your|this|these|that|its|their|company)"
_MODIFIERS = r"(?P<told>(?:[\w'’-]+\s+){0,4}?)"
_AFTER = r"(?:\s+(?:provided|given|above|supplied|retrieved|cited|itself))?"
_LEADS = (
    re.compile(
        rf"\s*(?:according\s+to|per|as\s+per|based\s+on|as\s+(?:stated|noted|described|set\s+out|explained|outlined|mentioned"
        rf"|specified|shown)\s+(?:in|by))\s+(?:{_OWNER}\s+)?{_MODIFIERS}{_NOUN}{_AFTER}\s*[,:]\s+(?=\S)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\s*{_OWNER}\s+{_MODIFIERS}{_NOUN}{_AFTER}\s+(?:also\s+|clearly\s+|explicitly\s+)?(?:states?|says?|specif(?:y|ies)|notes?"
        r"|explains?|indicates?|confirms?|mentions?)\s+that\s+(?=\S)",
        re.IGNORECASE,
    ),
)
_PLAIN = frozenset("provided given retrieved above supplied cited following attached relevant same".split())  # noqa: SIM905
_LONGEST_CHARS = 120


def has_lead(claim: str) -> bool:
    """Whether the claim may open with such words; quick."""
    return any(lead.match(claim[:_LONGEST_CHARS]) for lead in _LEADS)


def bare(claim: str, context: AbstractSet[str]) -> str:
    """The claim with such words blanked, so that every offset stays; the claim itself when there are none.

    Words that name the source further ("the travel policy") must be among ``context``, the stems of titles, headings
    and texts of the evidence: a claim that names another source is not the same claim.
    """
    for lead in _LEADS:
        found = lead.match(claim[:_LONGEST_CHARS])
        if found and all(w.is_stop or w.folded in _PLAIN or w.stem in context for w in tokens(found["told"])):
            return " " * found.end() + claim[found.end() :]
    return claim
