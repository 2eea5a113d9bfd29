"""Sentences in a document that talk to the assistant or steer its answer. Labels, never deletes.

A rule screen: it knows the common forms in English, German, Spanish and French, so that a reader can be
told and the extractive composer can pass over them. It is not a guard: what protects an answer is that every
claim is checked against the documents and that document text is never obeyed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class ScreenLabel(StrEnum):
    """What a flagged range tries to do."""

    OVERRIDE = "override"
    STEERING = "steering"
    ADDRESSES_ASSISTANT = "addresses_assistant"
    PROMPT_MARKUP = "prompt_markup"
    HIDDEN_CHARACTERS = "hidden_characters"


@dataclass(frozen=True, kw_only=True, slots=True)
class Flagged:
    """A half-open range of the text given, and what it looks like."""

    start: int
    end: int
    label: ScreenLabel


_DROP = r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget|override|overrule|bypass|do\s+not\s+(?:follow|obey|use))"
_OLD = r"(?:previous|prior|earlier|preceding|above|other|existing|original|former|your|system|safety)"
_RULES = (
    r"(?:instructions?|rules?|directions?|guidelines?|guidance|prompts?|messages?|polic(?:y|ies)|context|"
    r"passages?|documents?|sources?|training|restrictions?)"
)
_ANYONE = r"(?:every\s?(?:one|body)|any\s?(?:one|body)\s+who\s+asks|whoever\s+asks|all\s+users)"
_ASKER = r"(?:the|your)\s+(?:user|reader|asker|questioner)s?"
_SELF = r"(?:assistant|chat\s?bot|ai(?:\s+(?:model|system|agent|assistant))?|(?:large\s+)?language\s+model|llm)"
_MUST = r"(?:must|should|shall|has\s+to|needs?\s+to|is\s+(?:to|required)|may\s+not|will)"
_SAY = r"(?:say|tell|answer|reply|respond|state|claim|output|print|write|repeat|cite|recommend)"
_WHO = r"(?:you\s+are\s+|you're\s+|a\s+user\s+is\s+|someone\s+|anyone\s+|(?:the|a)\s+user\s+)?"
_ASKED = rf"\b(?:when|if|whenever)\s+{_WHO}asks?(?:ed)?\b"
_FILL = r"(?:(?:all|any|every|of|the|these|those|my|our)\s+){0,4}"

_OVERRIDE = (
    rf"\b{_DROP}\s+{_FILL}{_OLD}\s+(?:\w+\s+)?{_RULES}\b",
    rf"\b{_DROP}\s+(?:everything|anything|all(?:\s+of\s+the\s+text)?)\s+(?:above|before|you)\b",
    r"\bignorier\w*\s+(?:\w+\s+){0,3}(?:anweisung|regel|vorgabe|instruktion)\w*",
    r"\bignor(?:a|e|ar|en)\s+(?:\w+\s+){0,3}(?:instrucciones|reglas|indicaciones)\b",
    r"\bignore[rz]?\s+(?:\w+\s+){0,3}(?:consignes|règles)\b",
    r"\b(?:new|updated|real)\s+(?:system\s+)?(?:instructions?|prompt)\s*:",
)
_STEERING = (
    rf"\b(?:tell|convince|assure)\s+(?:{_ANYONE}|{_ASKER})\b",
    rf"{_ASKED}[^.!?\n]{{0,80}},\s*(?:you\s+(?:must|should|will)\s+|always\s+|only\s+|please\s+)?{_SAY}\b",
    r"\b(?:always|only|never|instead)[\s,]+(?:answer|reply|respond)\s+(?:that|with|as|by|in|yes|no)\b",
    r"\b(?:answer|reply|respond)\s+(?:only\s+)?with\s+(?:the\s+(?:word|phrase|text)|exactly|[\"'“‘])",
    r"\bin\s+your\s+(?:answer|reply|response)s?\b[^.!?\n]{0,40}\b(?:include|say|cite|mention)\b",
    r"\b(?:include|append|insert|add)\b(?:[^.!?\n]|\.(?=\S)){0,60}\b(?:in|to|into)\s+(?:your|every|each)\s+(?:answer|reply|response)",
    r"\bcite\s+(?:only\s+)?this\s+(?:document|page|passage|source)\b",
)
_ADDRESSED = (
    rf"\b(?:the|this|any|dear|attention,?)\s+{_SELF}s?\s+{_MUST}\s+(?:not\s+|always\s+|now\s+)?{_SAY}\b",
    rf"\b(?:you\s+are|act\s+as|pretend\s+to\s+be|you're)\s+(?:now\s+)?(?:an?\s+|the\s+)?(?:\w+\s+)?{_SELF}\b",
    rf"\b(?:dear|hey|attention|note\s+to(?:\s+the)?|instructions?\s+(?:to|for)(?:\s+the)?)[\s,:]+(?:any\s+)?{_SELF}s?\b",
    r"\b(?:reveal|print|repeat|show|output|leak)\s+(?:\w+\s+){0,2}(?:system|hidden|secret)\s+(?:prompt|instructions?)\b",
)
_MARKUP = (
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[/?INST\]|<</?SYS>>",
    r"</?(?:system|untrusted|assistant)\b[^>]{0,40}>",
    r"(?m:^)\s{0,3}(?:#{1,6}\s*)?(?:system|assistant)\s*:\s",
)
_HIDDEN = ("[\U000e0020-\U000e007f]{3,}", "[\u200b\u2060\u2062-\u2064]{3,}", "[\u202a-\u202e\u2066-\u2069]{2,}")

_FORMS = {
    ScreenLabel.OVERRIDE: _OVERRIDE,
    ScreenLabel.STEERING: _STEERING,
    ScreenLabel.ADDRESSES_ASSISTANT: _ADDRESSED,
    ScreenLabel.PROMPT_MARKUP: _MARKUP,
    ScreenLabel.HIDDEN_CHARACTERS: _HIDDEN,
}
_PATTERNS = tuple((label, re.compile(form, re.IGNORECASE)) for label, forms in _FORMS.items() for form in forms)


def screen(text: str) -> list[Flagged]:
    """Every flagged range, by start; ranges of different labels may overlap. An empty list says nothing is known.

    Linear in the length of the text: every repeated group is bounded.
    """
    found = [
        Flagged(start=match.start(), end=match.end(), label=label)
        for label, pattern in _PATTERNS
        for match in pattern.finditer(text)
    ]
    return sorted(found, key=lambda flag: (flag.start, flag.end, flag.label))
