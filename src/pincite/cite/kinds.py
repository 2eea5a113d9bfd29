"""What a sentence of an answer is: a fact to be checked, guidance, a courtesy, a refusal, a question.

Everything is factual unless its whole wording is one of a few known forms, and its free places hold
nothing that could be checked. A form that goes on ("..., but the limit is 20") is no longer that form.
"""

from __future__ import annotations

import re

from pincite.cite.phrases import (
    ALSO_META,
    CONTACT,
    COURTESY,
    FACT_WORDS,
    FINITE_VERBS,
    LEAD_IN,
    NUMBER_WORDS,
    OFFER,
    REFUSAL,
    TURNS,
)
from pincite.types import ClaimKind

_MAX_CHARS = 320
"""Longer than any known form; a longer sentence is factual unread."""
_MAX_TOPIC_WORDS = 16
_MAX_HEADING_WORDS = 14
_DIGIT = re.compile(r"\d|[¼½¾%€$£¥₹]|[一二三四五六七八九十百千万两]+(?=[天日个小年月周元号时分人次])")
_NUMBER = re.compile(rf"\b(?:{NUMBER_WORDS})\b", re.IGNORECASE)
_FACT = re.compile(rf"\b(?:{FACT_WORDS})\b", re.IGNORECASE)
_VERB = re.compile(rf"\b(?:{FINITE_VERBS})\b", re.IGNORECASE)
_TURN = re.compile(rf"[;:—–…]|, (?:and|or|which|who|so|as|und|oder|et|y|qui|que)\b|\b(?:{TURNS})\b", re.IGNORECASE)
_INDIRECT = re.compile(
    r"\s*(?:whether|if|how|what|when|where|who|why|which|ob|wie|was|wann|wo|wer|si|comment|quand|cómo|cuándo|qué|cuál)\b",
    re.IGNORECASE,
)
_NAMES = re.compile(r"(?<=\s)[A-ZÄÖÜ][\w&-]+")
_EDGE = " \t\n*_\"'“”«»„"


def claim_kind(sentence: str) -> ClaimKind:
    """The kind of one sentence, its markers taken out. An empty sentence is META."""
    text = " ".join(sentence.split()).strip(_EDGE)
    if not text:
        return ClaimKind.META
    if len(text) > _MAX_CHARS or _DIGIT.search(text):
        return ClaimKind.FACTUAL
    if _is_meta(text):
        return ClaimKind.META
    if _is_guidance(text):
        return ClaimKind.GUIDANCE
    if _is_question(text):
        return ClaimKind.QUESTION
    return ClaimKind.FACTUAL


def heading_kind(sentence: str) -> ClaimKind:
    """Headings are META, unless they state something."""
    text = " ".join(sentence.split()).strip(_EDGE)
    words = len(text.split())
    states = _DIGIT.search(_without_numbering(text)) or _NUMBER.search(text) or _FACT.search(text) or _VERB.search(text)
    return (
        ClaimKind.FACTUAL if states or words > _MAX_HEADING_WORDS or text.endswith((".", "!", "。")) else ClaimKind.META
    )


def lead_in_kind(sentence: str) -> ClaimKind:
    """A sentence that ends with a colon before a list: META when it only announces."""
    text = " ".join(sentence.split()).strip(_EDGE)
    body = text.removesuffix(":").removesuffix("：").rstrip()
    if claim_kind(text) is not ClaimKind.FACTUAL:
        return claim_kind(text)
    if body == text or _DIGIT.search(body) or _NUMBER.search(body) or _FACT.search(body):
        return ClaimKind.FACTUAL
    announces = LEAD_IN.fullmatch(body) is not None or not _VERB.search(body)
    return ClaimKind.META if announces and len(body.split()) <= _MAX_HEADING_WORDS else ClaimKind.FACTUAL


def states_fact(sentence: str) -> bool:
    """Whether a line of a list of sources is a statement and not a title."""
    text = sentence.strip()
    return bool(_VERB.search(text) or _FACT.search(text)) and len(text.split()) > 1


def _without_numbering(text: str) -> str:
    return re.sub(
        r"^(?:(?:section|step|part|chapter|abschnitt|teil|schritt|kapitel)\s+)?[0-9]{1,2}(?:\.[0-9]{1,2})*[.):](?:\s+|$)",
        "",
        text,
        flags=re.IGNORECASE,
    )


def _is_meta(text: str) -> bool:
    if COURTESY.fullmatch(text) or ALSO_META.fullmatch(text):
        return True
    found = REFUSAL.fullmatch(text)
    return found is not None and all(_is_empty_topic(found[name] or "") for name in ("topic", "topic2", "topic3"))


def _is_empty_topic(topic: str) -> bool:
    """What a refusal is about: a thing or an open question, never a statement."""
    if len(topic.split()) > _MAX_TOPIC_WORDS or _TURN.search(topic) or "." in topic.rstrip("."):
        return False
    if _INDIRECT.match(topic):
        return True
    return not (_NUMBER.search(topic) or _FACT.search(topic) or _VERB.search(topic) or "," in topic)


def _is_guidance(text: str) -> bool:
    found = CONTACT.fullmatch(text)
    if found is None:
        return False
    tail = found["tail"] or ""
    if _TURN.search(text) or _NUMBER.search(text) or _FACT.search(text):
        return False
    return not (_NAMES.search(tail) or _VERB.search(tail.partition(" if ")[0]))


def _is_question(text: str) -> bool:
    """An offer or a question back to the asker. "Did you know that ..." states something."""
    opening = OFFER.match(text)
    if opening is None or not text.endswith(("?", "？")):
        return False
    return not (_TURN.search(text, opening.end(), len(text) - 1) or _FACT.search(text) or _NUMBER.search(text))
