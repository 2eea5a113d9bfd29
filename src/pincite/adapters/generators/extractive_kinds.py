"""What kind of thing a question asks for, and whether a sentence holds a thing of that kind.

Word lists for English, German, Spanish and French: enough to tell a date from a reason. A language that
is not here is a question of kind OTHER, which every sentence may answer.
"""

from __future__ import annotations

import re
from enum import StrEnum


class Asked(StrEnum):
    """The kind of answer that a question wants."""

    DATE = "date"
    DURATION = "duration"
    MONEY = "money"
    COUNT = "count"
    PERSON = "person"
    PLACE = "place"
    CAUSE = "cause"
    MEANS = "means"
    YES_NO = "yes_no"
    OTHER = "other"


_START = r"(?<![^\W\d_\u0900-\uffff])"
_THINGS = r"price|premium|fee|costs?|salary|deductible|budget|amount|fine|penalty|rate|limit|cap|excess"
_QUESTIONS: dict[Asked, tuple[str, ...]] = {
    Asked.DURATION: (
        r"how\s+(?:long|soon|often|old|quickly|fast)\b",
        r"how\s+(?:many|much)\s+(?:\w+\s+)?(?:days?|weeks?|months?|years?|hours?|minutes?)\b",
        r"wie\s+(?:lange|oft)\b",
        r"cuánto\s+(?:tiempo|dura)\b",
        r"combien\s+de\s+(?:temps|jours|mois)\b",
    ),
    Asked.MONEY: (
        r"how\s+much\s+(?:does|do|is|are|was|were|will|did|money|can|must|should|would)\b",
        rf"what\s+(?:is|was|are|were)\s+the\s+(?:\w+\s+){{0,3}}(?:{_THINGS})\b",
        r"wie\s+(?:viel\s+(?:kostet|geld)|teuer)\b",
        r"cuánto\s+(?:cuesta|vale)\b",
        r"combien\s+(?:coûte|d'argent)\b",
    ),
    Asked.COUNT: (
        r"how\s+(?:many|much|far|large|big|tall|high|deep|wide|heavy)\b",
        r"what\s+(?:number|percentage|percent|proportion|share|fraction)\b",
        r"wie\s*viele?n?\b",
        r"wie\s+(?:hoch|groß|weit)\b",
        r"cuánt[oa]s?\b",
        r"qué\s+(?:porcentaje|número)\b",
        r"combien\b",
        r"多少",
        r"कितन[ाेी]",
    ),
    Asked.DATE: (
        r"(?:when|by\s+when|since\s+when|wann|cuándo|quand)\b",
        r"(?:what|which|in\s+what|in\s+which|on\s+what)\s+(?:year|date|day|month|century|decade|time)\b",
        r"in\s+welchem\s+jahr\b",
        r"en\s+qué\s+(?:año|fecha)\b",
        r"什么时候|哪一年|哪年|कब",
    ),
    Asked.PERSON: (
        r"(?:who(?:m|se)?|wer|wem|wen|quién(?:es)?|qui)\b",
        r"(?:what|which)\s+(?:person|team|role|manager|department)\b",
        r"谁|किसने",
    ),
    Asked.PLACE: (
        r"(?:where|wo|wohin|dónde|où)\b",
        r"(?:what|which|in\s+what|in\s+which)\s+(?:country|city|place|state|town|region|location)\b",
        r"哪里|कहाँ",
    ),
    Asked.CAUSE: (
        r"(?:why|warum|weshalb|pourquoi|por\s+qué)\b",
        r"for\s+what\s+(?:reason|purpose)\b",
        r"what\s+(?:caused|causes|is\s+the\s+reason)\b",
        r"为什么|क्यों",
    ),
    Asked.MEANS: (r"(?:how|wie|cómo|comment|in\s+what\s+way)\b", r"如何|कैसे"),
}
_YES_NO = (
    r"^\W*(?:is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had|am|"
    r"ist|sind|war|hat|haben|kann|können|darf|dürfen|muss|müssen|gibt|wird|werden|"
    r"est-ce|puis-je|peut-on|y\s+a-t-il|puedo|puede|hay|tiene|debo)\b"
)
_ASKS = tuple(
    (kind, re.compile(_START + f"(?:{'|'.join(forms)})", re.IGNORECASE)) for kind, forms in _QUESTIONS.items()
)
_ASKS_YES_NO = re.compile(_YES_NO, re.IGNORECASE)

_MONTHS = (
    "january|february|march|april|june|july|august|september|october|november|december|"
    "januar|februar|märz|mai|juni|juli|oktober|dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto|"
    "septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre"
)
_UNITS = (
    r"seconds?|minutes?|hours?|days?|nights?|weeks?|months?|quarters?|years?|decades?|centuries|century|"
    r"sekunden?|minuten?|stunden?|tagen?|tage|wochen?|monate?n?|jahre?n?|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?|"
    r"jours?|heures?|semaines?|mois|ans?|années?"
)
_NUMBER = (
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand|"
    r"million|billion|dozen|half|both|no|none|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|dos|tres|cuatro|cinco|"
    r"seis|siete|ocho|nueve|diez|deux|trois|quatre|cinq|sept|huit|neuf|dix)\b"
)
_HOLDS: dict[Asked, re.Pattern[str]] = {
    Asked.DATE: re.compile(
        rf"\b(?:1\d|20)\d\d\b|\b(?:{_MONTHS})\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}\b"
        r"|\b(?:century|today|immediately|annually|yearly|monthly|weekly|daily|quarterly)\b|\bwithin\b|\b(?:before|after|until|upon|once)\b",
        re.IGNORECASE,
    ),
    Asked.DURATION: re.compile(
        rf"(?:{_NUMBER})[\w\s().,-]{{0,24}}?\b(?:{_UNITS})\b|\b(?:annually|yearly|monthly|weekly|daily|indefinitely|immediately|once|twice|as\s+long\s+as|until)\b",
        re.IGNORECASE,
    ),
    Asked.MONEY: re.compile(
        r"[$€£¥₹]\s?\d|\d\s?(?:[$€£¥₹%]|usd|eur|gbp|inr|dollars?|euros?|pounds?|percent)|\d[\d,. ]*\d|\bfree\b",
        re.IGNORECASE,
    ),
    Asked.COUNT: re.compile(_NUMBER, re.IGNORECASE),
    Asked.PERSON: re.compile(
        r"(?<=\w\s)[A-ZÄÖÜÁÉ][\w'’-]+(?:\s+[A-ZÄÖÜÁÉ][\w'’-]+)*"
        r"|\b(?:manager|officer|team|department|director|owner|president|head|chief|lead|agent|adjuster|underwriter|employee|customer|"
        r"provider|company|compan(?:y|ies)|part(?:y|ies)|members?|users?|we|who)s?\b"
    ),
    Asked.PLACE: re.compile(
        r"\b(?:in|at|near|from|to|on|of|bei|nach|en|à|au)\s+(?:the\s+)?[A-ZÄÖÜÁÉ]|\b(?:country|countries|states?|city|region|office|site|server)s?\b"
    ),
    Asked.CAUSE: re.compile(
        r"\b(?:because|due\s+to|since|as\s+a\s+result|result(?:s|ed)?\s+(?:in|from)|owing\s+to|caused?|causes|reasons?|therefore|thus|in\s+order\s+to|so\s+that|"
        r"purposes?|following|after|led\s+to|leads\s+to|reflects?|explains?|weil|da|wegen|aufgrund|damit|um|porque|debido|para|parce|pour|afin)\b|\bto\s+\w+",
        re.IGNORECASE,
    ),
    Asked.MEANS: re.compile(
        r"\b(?:by|through|via|using|use[sd]?|with|method|process|step|first|then|must|should|may|can|click|contact|submit|send|durch|mit|mediante|por|par)\b",
        re.IGNORECASE,
    ),
}


def asked(question: str) -> Asked:
    """The kind, by the first form that fits: the narrow ones (how long) stand before the wide ones (how)."""
    if _ASKS_YES_NO.search(question):
        return Asked.YES_NO
    for kind, form in _ASKS:
        if form.search(question):
            return kind
    return Asked.OTHER


def holds(kind: Asked, sentence: str) -> bool | None:
    """Whether the sentence holds such a thing; ``None`` for the kinds that any sentence may answer."""
    form = _HOLDS.get(kind)
    return None if form is None else form.search(sentence) is not None
