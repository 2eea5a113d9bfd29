"""Near copies with one word exchanged: a claim word that stands where the evidence has a different one.

Exchanged persons, an exchanged preposition of time, another "per", an exception told as the rule, and a word that
the evidence says only in a clause that denies.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from pincite.text.quantities import Kind
from pincite.text.stop_words import ENGLISH
from pincite.text.words import stem
from pincite.types import ReasonCode
from pincite.verify import lexicon
from pincite.verify.check_polarity import EXCEPTION, negations
from pincite.verify.findings import Finding, Weight

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.text.words import Token
    from pincite.verify.analysis import Sentence
    from pincite.verify.findings import View

_TIME_CLASS = {
    "before": "before", "prior": "before", "until": "until", "till": "until", "by": "by", "after": "after",
    "following": "after", "from": "from", "since": "from", "on": "on", "within": "within", "of": "of", "upon": "on",
    "during": "during", "throughout": "during",
}  # fmt: skip
_CLASH = frozenset(
    frozenset(pair)
    for pair in (
        ("before", "after"), ("before", "on"), ("before", "from"), ("before", "during"), ("after", "on"),
        ("after", "from"), ("after", "until"), ("after", "by"), ("after", "within"), ("after", "during"),
        ("from", "until"), ("from", "by"),
    )
)  # fmt: skip
"""Prepositions that cannot say the same of one day: "from 1 May" may be "since 1 May", never "until 1 May"."""
_DAY_OF = frozenset({frozenset(("of", "after")), frozenset(("of", "before"))})
"""These clash only after one day ("the day of" and "the day after" payment): "30 days of" may be "30 days after"."""
_TIME_UNIT = re.compile(
    r"(?:day|week|month|year|hour|minute|quarter|date|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d{4})s?\Z"
)
_ONE_DAY = frozenset({"day", "date", "morning", "moment"})
_GAP = 4
_PER = re.compile(r"(?<![\w-])(?:per|for each|for every|each|every)\s+(?:single\s+)?([A-Za-z-]+)", re.IGNORECASE)
_STRICT_PER = re.compile(r"(?<![\w-])per\s+(?:single\s+)?([A-Za-z-]+)", re.IGNORECASE)
_CLAUSE = re.compile(r"[;:.]|,\s|\s(?:but|whereas|while)\s|\s[–—]\s")
_NEAR = 0.6
_SUBJECT_WORDS = 3
_JOINERS = frozenset({"and", "or", "the", "a", "an", "both", "between", "of", "with"})


def check_times(view: View) -> Iterator[Finding]:
    """A day, date or duration under another preposition of time than in the evidence: before, from, after, on."""
    for index, word in enumerate(view.claim.words):
        mine = _governor(view.claim.words, index)
        if word.is_stop or mine is None:
            continue
        found = [(p, s, i) for p, s in view.sentences for i, w in enumerate(s.words) if w.stem == word.stem]
        pairs = [(p, w) for p, s, i in found if (w := _governor(s.words, i)) is not None]
        if not pairs or len(pairs) < len(found):
            continue
        clock = any(v.kind is Kind.CLOCK and v.start <= word.start < v.end for v in view.claim.values())
        if clock and {mine.folded, pairs[0][1].folded} == {"from", "after"}:
            continue
        if all(_clash(view.claim.words, mine, w) for _, w in pairs) and _timed(view, index, mine):
            yield _slot(ReasonCode.DIRECTION, mine, pairs[0][1], pairs[0][0], Weight.CONFLICT)
            return


def _governor(words: Sequence[Token], index: int) -> Token | None:
    """The preposition of time before a word, over articles, numbers and the parts of a date."""
    for back in range(index - 1, max(-1, index - _GAP - 1), -1):
        word = words[back]
        if word.folded in _TIME_CLASS:
            return word
        over = (
            word.is_number
            or word.folded in {"the", "a", "an", "its", "this", "that"}
            or bool(_ORDINAL.match(word.folded))
        )
        if not over and not _TIME_UNIT.match(word.folded):
            return None
    return None


_ORDINAL = re.compile(
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|next|\d+(?:st|nd|rd|th)"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|twelve|calendar|business|working)\Z"
)


def _clash(words: Sequence[Token], mine: Token, given: Token) -> bool:
    pair = frozenset((_TIME_CLASS[mine.folded], _TIME_CLASS[given.folded]))
    if pair in _DAY_OF:
        at = words.index(mine)
        return at > 0 and words[at - 1].folded in _ONE_DAY
    return pair in _CLASH


def _timed(view: View, index: int, mine: Token) -> bool:
    """The governed word is a time, or what happens on "the day of" it."""
    at = view.claim.words.index(mine)
    word = view.claim.words[index]
    if any(v.date is not None and v.start <= word.start < v.end for v in view.claim.values()):
        return True
    between = view.claim.words[at + 1 : index + 1]
    return (
        any(_TIME_UNIT.match(w.folded) for w in between)
        or (at > 0 and view.claim.words[at - 1].folded in _ONE_DAY)
        or mine.folded in {"before", "after"}
    )


def check_per(view: View) -> Iterator[Finding]:
    """An amount "per year" where the evidence has it "per event"."""
    there = {w.stem for _, s in view.sentences for found in _PER.finditer(s.text) for w in _word_at(s, found)}
    first = next(((p, s, f) for p, s in view.sentences for f in _STRICT_PER.finditer(s.text)), None)
    for found in _STRICT_PER.finditer(view.claim.text):
        for word in _word_at(view.claim, found):
            known = there | {other for term in there for other in lexicon.SYNONYMS.get(term, ())}
            if first is None or word.stem in known or word.stem in view.anchor.terms:
                continue
            given = next(iter(_word_at(first[1], first[2])), None)
            if given is not None:
                yield _slot(ReasonCode.UNIT, word, given, first[0], Weight.CONFLICT)
                return


def _word_at(sentence: Sentence, found: re.Match[str]) -> list[Token]:
    return [w for w in sentence.words if w.start == sentence.start + found.start(1)]


def check_exceptions(view: View) -> Iterator[Finding]:
    """What the evidence excepts from a rule is told as the rule."""
    if negations(view.claim) or {w.folded for w in view.claim.words} & lexicon.IMPLICIT_NEGATIONS:
        return
    if EXCEPTION.search(view.claim.text):
        return
    for start, end in exceptions(view.anchor):
        inside = [w for w in view.anchor.words if start <= w.start < end and not w.is_stop]
        rest = {w.stem for w in view.anchor.words if not start <= w.start < end and not w.is_stop}
        told = [w for w in inside if w.stem in view.claim.terms and w.stem not in rest]
        if told and len(told) == len([w for w in inside if w.stem not in rest]) and rest & view.claim.terms:
            mine = next(w for w in view.claim.words if w.stem == told[0].stem)
            yield _slot(ReasonCode.CONDITION_DROPPED, mine, told[0], view.anchor_passage, Weight.CONFLICT)
            return


def exceptions(sentence: Sentence) -> list[tuple[int, int]]:
    """Ranges (of the whole text) of what is excepted."""
    return [(sentence.start + f.start(1), sentence.start + f.end(1)) for f in EXCEPTION.finditer(sentence.text)]


def check_denied_clause(view: View) -> Iterator[Finding]:
    """A word that the evidence says only in a clause that denies ("...; MySQL is not supported"), told as true."""
    if negations(view.claim) or {w.folded for w in view.claim.words} & lexicon.IMPLICIT_NEGATIONS:
        return
    text, offset = view.anchor.text, view.anchor.start
    for mark in negations(view.anchor):
        start = max((f.end() for f in _CLAUSE.finditer(text, 0, mark.start - offset)), default=0)
        stop = _CLAUSE.search(text, mark.end - offset)
        end = stop.start() if stop else len(text)
        if not start and end == len(text):
            continue
        inside = [w for w in view.anchor.words if start <= w.start - offset < mark.start - offset and not w.is_stop]
        outside = {w.stem for w in view.anchor.words if not start <= w.start - offset < end and not w.is_stop}
        rest = outside | {w.stem for _, s in view.sentences[1:] for w in s.words}
        only = [w for w in inside if w.stem in view.claim.terms and w.stem not in rest]
        if (
            mark.word != "without"
            and only
            and len(only) == len(inside) <= _SUBJECT_WORDS
            and outside & view.claim.terms
        ):
            mine = next(w for w in view.claim.words if w.stem == only[0].stem)
            yield _slot(ReasonCode.NEGATION, mine, only[0], view.anchor_passage, Weight.CONFLICT)
            return


def check_exchanged(view: View) -> Iterator[Finding]:
    """In a near copy, two words that have changed places."""
    mine, given = view.claim.words, view.anchor.words
    blocks = _aligned(view, _NEAR)
    slots = [
        (a, b)
        for tag, a0, a1, b0, b1 in blocks
        if tag == "replace"
        for a in mine[a0:a1]
        for b in given[b0:b1]
        if not (a.is_stop or b.is_stop or a.is_number or b.is_number)
    ]
    there = {(a.stem, b.stem) for a, b in slots}
    for a, b in slots:
        if a.stem != b.stem and (b.stem, a.stem) in there and not _joined(mine, a, b.stem):
            yield _slot(ReasonCode.ROLE_SWAP, a, b, view.anchor_passage, Weight.CONFLICT)
            return


def _aligned(view: View, least: float) -> Sequence[tuple[str, int, int, int, int]]:
    """How the anchor becomes the claim, word by word; empty when too little of the claim is the same."""
    mine, given = view.claim.words, view.anchor.words
    matcher = SequenceMatcher(None, [w.stem for w in mine], [w.stem for w in given], autojunk=False)
    blocks = matcher.get_opcodes()
    same = sum(a1 - a0 for tag, a0, a1, _, _ in blocks if tag == "equal")
    return blocks if same >= least * len(mine) else []


def check_inserted(view: View) -> Iterator[Finding]:
    """In a near copy, a word put in that nothing licenses, or one more item of a list that the anchor does not have."""
    mine, given = view.claim.words, view.anchor.words
    for tag, a0, a1, b0, _ in _aligned(view, _NEAR_WHOLE):
        extra = [w for w in mine[a0:a1] if not (w.is_stop or w.is_number or w.stem in view.claim.value_terms())]
        if tag != "delete" or not extra or not a0 or len(extra) > _MAX_INSERTED:
            continue
        listed = mine[a0].folded in {"and", "or"} or mine[a1 - 1].folded in {"and", "or"}
        for word in extra:
            unsaid = word.stem not in view.licensed and word.stem not in _LIGHT and not _derived(view, word)
            moved = listed and word.stem not in view.anchor.terms and not _means(word.stem, view.anchor.terms)
            if unsaid or moved:
                there = given[min(b0, len(given) - 1)]
                code = ReasonCode.EXTRA_DETAIL if unsaid else ReasonCode.BINDING
                yield _slot(code, word, there, view.anchor_passage, Weight.HARD)
                return


def _derived(view: View, word: Token) -> bool:
    """A form of a word that is there ("Jamaican", "Jamaica"), or no word ("s")."""
    start = word.folded[:_ROOT_CHARS]
    if len(start) < _ROOT_CHARS:
        return len(word.folded) == 1
    return any(w.folded.startswith(start) for _, s in view.sentences for w in s.words)


_ROOT_CHARS = 4


def _means(term: str, terms: frozenset[str]) -> bool:
    return not lexicon.SYNONYMS.get(term, frozenset()).isdisjoint(terms)


def check_restricted(view: View) -> Iterator[Finding]:
    """In a near copy, the "who ..." that says which of them is left out."""
    mine, given = view.claim.words, view.anchor.words
    for tag, a0, _, b0, b1 in _aligned(view, _NEAR_WHOLE):
        if tag != "insert" or not a0 or a0 >= len(mine) or given[b0].folded not in _RELATIVE or mine[a0 - 1].is_stop:
            continue
        gap = view.anchor.text[given[b0 - 1].end - view.anchor.start : given[b0].start - view.anchor.start]
        inside = [w for w in given[b0:b1] if not w.is_stop]
        if "," not in gap and inside:
            yield _slot(ReasonCode.CONDITION_DROPPED, mine[a0 - 1], inside[0], view.anchor_passage, Weight.HARD)
            return


_RELATIVE = frozenset("who whose that without lacking having".split())  # noqa: SIM905
_NEAR_WHOLE = 0.7
_MAX_INSERTED = 2
_LIGHT = frozenset(
    stem(word)
    for word in [
        "amount",
        "number",
        "period",
        "total",
        "sum",
        "case",
        "time",
        "way",
        "also",
        "please",
        "following",
        "company",
        "customer",
        "normally",
        "together",
        "called",
        "named",
        "titled",
        "entitled",
        "known",
    ]
)
"""Words that add nothing to a statement when they are put in."""


def check_capitals(view: View) -> Iterator[Finding]:
    """An abbreviation that happens to be a function word of some language ("EST"), where the evidence has another."""
    said = {w.folded for _, s in view.sentences for w in s.words}
    for word in view.claim.words:
        raw = view.claim.text[word.start - view.claim.start : word.end - view.claim.start]
        foreign = word.is_stop and word.folded not in ENGLISH
        if foreign and raw.isupper() and len(raw) > 1 and word.folded not in said:
            yield _slot(ReasonCode.ENTITY, word, view.anchor.words[0], view.anchor_passage, Weight.HARD)
            return


def _joined(words: Sequence[Token], first: Token, second: str) -> bool:
    """Listed: "A and B" is "B and A"."""
    here = words.index(first)
    there = next((i for i, w in enumerate(words) if w.stem == second), here)
    low, high = min(here, there), max(here, there)
    between = {w.folded for w in words[low + 1 : high]}
    return bool(between & {"and", "or"}) and between <= _JOINERS


def check_place(view: View) -> Iterator[Finding]:
    """An unsaid word after a preposition that governs another word in the evidence, which "only" restricts there."""
    said = {w.stem for _, s in view.sentences for w in s.words} | view.context
    words = view.anchor.words
    limits = [i for i, w in enumerate(words) if w.folded in {"only", "solely", "exclusively"}]
    for index, word in enumerate(view.claim.words):
        if word.is_stop or word.is_number or word.stem in said or not index:
            continue
        lead = _lead(view.claim.words, index)
        for at in limits:
            for i in range(max(1, at - 2), min(len(words), at + 4)):
                other = words[i]
                if (
                    other.is_stop
                    or other.stem in view.claim.terms
                    or lexicon.SYNONYMS.get(word.stem, frozenset()) & {other.stem}
                ):
                    continue
                if lead is not None and lead == _lead(words, i):
                    yield _slot(ReasonCode.QUANTIFIER, word, other, view.anchor_passage, Weight.CONFLICT)
                    return


def _lead(words: Sequence[Token], index: int) -> str | None:
    """The preposition before a word, over articles and quantifiers."""
    over = {"the", "a", "an", "any", "all", "every", "our", "its", "only"}
    back = index - 1
    while back >= 0 and words[back].folded in over:
        back -= 1
    return words[back].folded if back >= 0 and words[back].folded in _PLACES else None


_PLACES = frozenset("in on at from to for by with via under during".split())  # noqa: SIM905


def _slot(code: ReasonCode, mine: Token, given: Token, passage: int, weight: Weight) -> Finding:
    return Finding(
        code=code, weight=weight, claim_value=mine.folded, evidence_value=given.folded,
        claim_range=(mine.start, mine.end), evidence_range=(given.start, given.end), passage=passage, decisive=True,
    )  # fmt: skip


CHECKS = (
    check_times,
    check_per,
    check_exceptions,
    check_denied_clause,
    check_exchanged,
    check_inserted,
    check_restricted,
    check_capitals,
    check_place,
)
