"""Facts crossed between clauses, sentences and rows: the claim joins what the evidence says of two things."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from pincite.text.quantities import Kind, Quantity
from pincite.text.quantity_compare import AGREES, compare
from pincite.types import ReasonCode
from pincite.verify import lexicon
from pincite.verify.check_polarity import negations
from pincite.verify.check_values import rivals
from pincite.verify.findings import Finding, View, Weight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.text.words import Token
    from pincite.verify.analysis import Sentence

_CLAUSE = re.compile(r"[;]|,\s|\s(?:and|but|while|whereas)\s")
_THEN = re.compile(
    r"(?<![\w-])(?:afterwards?|thereafter|after that|after which|otherwise|subsequently|in all other cases)(?![\w-])",
    re.IGNORECASE,
)
_ONLY_SUBJECT = re.compile(r"(?:^|[;:,]\s+|\n)only\s+", re.IGNORECASE)
_WHOLE = 0.85


def check_other_value(view: View) -> Iterator[Finding]:
    """The anchor has every word of the claim but another value or identifier: the claim's is from another sentence."""
    valued = view.claim.value_terms()
    words = [w for w in view.claim.words if not w.is_stop and w.stem not in valued]
    near = [w for w in words if w.stem in view.anchor.terms or _meant(w, view.anchor.terms)]
    if len(words) < 2 or len(near) < _WHOLE * len(words):  # noqa: PLR2004
        return
    given = view.anchor.values()
    for value in view.claim.values():
        others = [item for item in given if rivals(value, item) and _same_slot(view, value, item)]
        agrees = any(compare(value, item).relation in AGREES for item in given)
        taken = all(any(compare(v, item).relation in AGREES for v in view.claim.values()) for item in others)
        if value.kind is not Kind.ORDINAL and others and not agrees and not taken:
            yield _values(view, value, view.anchor, others[0])
            return


def _same_slot(view: View, value: Quantity, other: Quantity) -> bool:
    """Whether both are of one sort: dates of the same parts, codes of one series, counts of one thing."""
    if value.date is not None and other.date is not None:
        return [p is None for p in value.date[:-1]] == [p is None for p in other.date[:-1]]
    if value.kind is Kind.IDENTIFIER:
        return _series(value) == _series(other)
    if value.kind is Kind.NUMBER:
        return _counted(view.claim, value.end) == _counted(view.anchor, view.anchor.start + other.end)
    return True


def _series(value: Quantity) -> str:
    return "".join(char for char in value.text.casefold() if char.isalpha())


def _counted(sentence: Sentence, at: int) -> str | None:
    return next((w.stem for w in sentence.words if w.start >= at), None)


def _meant(word: Token, terms: frozenset[str]) -> bool:
    return not lexicon.SYNONYMS.get(word.stem, frozenset()).isdisjoint(terms)


def check_pairs(view: View) -> Iterator[Finding]:
    """Two values of the claim that stand in two parallel clauses, each with its own partner there."""
    mine = view.claim.values()
    for first, second in ((a, b) for a in mine for b in mine if a is not b and _unlike(a, b)):
        for _, sentence in view.sentences:
            clauses = _clauses(sentence)
            with_first = [c for c in clauses if _holds(c, first)]
            with_second = [c for c in clauses if _holds(c, second)]
            if not with_first or not with_second or any(c in with_second for c in with_first):
                continue
            partner = next((v for v in with_first[0] if _differs(second, v)), None)
            back = any(_differs(first, v) for v in with_second[0])
            if partner is not None and back:
                yield _values(view, second, sentence, partner)
                return


def _unlike(first: Quantity, second: Quantity) -> bool:
    """Two values that say different things, as a share and the limit from which it holds; no two dates."""
    if {first.kind, second.kind} & {Kind.ORDINAL, Kind.IDENTIFIER}:
        return False
    return (first.kind, first.unit, first.bound) != (second.kind, second.unit, second.bound)


def _clauses(sentence: Sentence) -> list[list[Quantity]]:
    cuts = [0, *(found.end() for found in _CLAUSE.finditer(sentence.text)), len(sentence.text)]
    return [[v for v in sentence.values() if a <= v.start < b] for a, b in pairwise(cuts)]


def _holds(clause: list[Quantity], value: Quantity) -> bool:
    return any(_says(value, item) for item in clause)


def _says(value: Quantity, other: Quantity) -> bool:
    """The same value. "Below 99.9 %" is not said by "10 %", though 10 is less."""
    comparison = compare(value, other)
    return comparison.relation in AGREES and comparison.how != "bound"


def _differs(value: Quantity, other: Quantity) -> bool:
    return value.kind is other.kind and value.unit == other.unit and not _says(value, other)


def check_afterwards(view: View) -> Iterator[Finding]:
    """A value for "afterwards" or "otherwise" told of the time or case that comes before it."""
    if _THEN.search(view.claim.text):
        return
    for _, sentence in view.sentences:
        then = _THEN.search(sentence.text)
        values = [v for v in sentence.values() if then and _side(sentence, then, v.start)]
        for value in view.claim.values():
            agreeing = [v for v in sentence.values() if compare(value, v).relation in AGREES]
            if not agreeing or any(v not in values for v in agreeing) or then is None:
                continue
            edge = _edge(sentence, then)
            before = {w.stem for w in sentence.words if w.start < sentence.start + edge and not w.is_stop}
            after = {w.stem for w in sentence.words if w.start >= sentence.start + edge and not w.is_stop}
            told = (_case(sentence, edge) | _case(view.claim, len(view.claim.text))) & (before - after)
            told &= view.claim.terms
            if told:
                yield _values(view, value, sentence, agreeing[0])
                return


def _edge(sentence: Sentence, then: re.Match[str]) -> int:
    """Where the clause of the "afterwards" begins."""
    return max((found.end() for found in _CLAUSE.finditer(sentence.text, 0, then.start())), default=0)


def _side(sentence: Sentence, then: re.Match[str], at: int) -> bool:
    return at >= _edge(sentence, then)


def _case(sentence: Sentence, edge: int) -> frozenset[str]:
    """Stems after "during", "in", "for", "before", "if" and their like before the edge."""
    found: set[str] = set()
    leads = {"during", "in", "within", "before", "until", "if", "for", "on", "at", "while", "when"}
    for index, word in enumerate(sentence.words):
        if word.start < sentence.start + edge and word.folded in leads:
            found.update(w.stem for w in sentence.words[index + 1 : index + 4] if not w.is_stop and not w.is_number)
    return frozenset(found - sentence.value_terms())


def check_rows(view: View) -> Iterator[Finding]:
    """A value of one table row told of the thing that another row is about."""
    rows = [(s, _key(s)) for _, s in view.sentences if s.text.count("|") > 1]
    named = [(s, key) for s, key in rows if key and key <= view.claim.terms]
    for value in view.claim.values():
        holding = [(s, key) for s, key in rows if any(compare(value, v).relation in AGREES for v in s.values())]
        if not named or not holding or any(s is other for s, _ in holding for other, _ in named):
            continue
        row, key = holding[0]
        if key and not key <= view.claim.terms:
            agreeing = next(v for v in row.values() if compare(value, v).relation in AGREES)
            yield _values(view, value, row, agreeing)
            return


def _key(row: Sentence) -> frozenset[str]:
    """Stems of the first cell that has words."""
    at = 0
    for cell in row.text.split("|"):
        words = {w.stem for w in row.words if at <= w.start - row.start < at + len(cell) and not w.is_stop}
        at += len(cell) + 1
        if words:
            return frozenset(words)
    return frozenset()


def check_only_subject(view: View) -> Iterator[Finding]:
    """What "only owners" can do, told of somebody else."""
    if negations(view.claim):
        return
    for found in _ONLY_SUBJECT.finditer(view.anchor.text):
        words = [w for w in view.anchor.words if w.start - view.anchor.start >= found.end()]
        verb = next((i for i, w in enumerate(words) if w.folded in _VERBS), None)
        subject = [w for w in words[:verb] if not w.is_stop]
        doing = [w for w in words[(verb or 0) + 1 :] if not w.is_stop][:2]
        if not verb or not subject or not doing:
            continue
        told = all(w.stem in view.claim.terms or _meant(w, view.claim.terms) for w in doing)
        if told and subject[-1].stem not in view.claim.terms and not _meant(subject[-1], view.claim.terms):
            first = next(w for w in view.claim.words if not w.is_stop)
            yield Finding(
                code=ReasonCode.QUANTIFIER, weight=Weight.CONFLICT, claim_value=first.folded,
                evidence_value=subject[-1].folded, claim_range=(first.start, first.end),
                evidence_range=(subject[-1].start, subject[-1].end), passage=view.anchor_passage,
            )  # fmt: skip
            return


_VERBS = frozenset("can may must could shall should will is are has have".split())  # noqa: SIM905


def _values(view: View, mine: Quantity, sentence: Sentence, given: Quantity) -> Finding:
    passage = next((p for p, s in view.sentences if s is sentence), view.anchor_passage)
    return Finding(
        code=ReasonCode.BINDING, weight=Weight.CONFLICT, claim_value=mine.text, evidence_value=given.text,
        claim_range=(mine.start, mine.end), passage=passage,
        evidence_range=(sentence.start + given.start, sentence.start + given.end),
    )  # fmt: skip


def check_object(view: View) -> Iterator[Finding]:
    """What one verb's "in ..." or "by ..." names, told of the other verb: stored in one place, processed in another."""
    anchor = _objects(view.anchor)
    for verb, lead, mine in _objects(view.claim):
        there = [given for v, p, given in anchor if v.stem == verb.stem and p == lead]
        named = {w.stem for given in there for w in given}
        word = mine[0]
        others = {w.stem for v, p, given in anchor if v.stem != verb.stem and p == lead for w in given}
        if not there or word.stem in named or word.stem not in others or named & view.claim.terms:
            continue
        if sum(v.stem == verb.stem for v in view.anchor.words) == len(there):
            other = there[0][0]
            yield Finding(
                code=ReasonCode.BINDING, weight=Weight.CONFLICT, claim_value=word.folded, evidence_value=other.folded,
                claim_range=(word.start, word.end), evidence_range=(other.start, other.end),
                passage=view.anchor_passage,
            )  # fmt: skip
            return


def _objects(sentence: Sentence) -> list[tuple[Token, str, list[Token]]]:
    """A participle, the preposition right after it, and the content words that follow in the clause."""
    found = []
    words = sentence.words
    for index, word in enumerate(words[:-2]):
        lead = words[index + 1].folded
        if not _is_participle(word) or lead not in _LEADS:
            continue
        stop = _OBJECT_END.search(sentence.text, words[index + 1].end - sentence.start)
        end = sentence.start + (stop.start() if stop else len(sentence.text))
        near = [w for w in words[index + 2 : index + 6] if w.start < end and w.stem not in sentence.value_terms()]
        given = [w for w in near if not w.is_stop and not w.is_number]
        if given:
            found.append((word, lead, given))
    return found


def _is_participle(word: Token) -> bool:
    return not word.is_stop and (word.folded.endswith(("ed", "en")) or word.folded in _IRREGULAR)


_IRREGULAR = frozenset("made built held sold bought sent kept paid born done led run sung drawn shown read".split())  # noqa: SIM905
_LEADS = frozenset("in by at from to for with on".split())  # noqa: SIM905 - a word list
_OBJECT_END = re.compile(r"[,;.:()]|\s(?:and|but|or|while)\s")


def check_formerly(view: View) -> Iterator[Finding]:
    """What was so before a date, told as so now."""
    mine = {w.folded for w in view.claim.words}
    if mine & (_WAS | _UNTIL) or not mine & _NOW:
        return
    there = next((w for w in view.anchor.words if w.folded in _UNTIL), None)
    if there is None or not any(w.folded in _WAS for w in view.anchor.words) or mine & {"will", "after", "from"}:
        return
    if any(w.folded in _NOW for w in view.anchor.words):
        return
    word = next(w for w in view.claim.words if w.folded in _NOW)
    yield Finding(
        code=ReasonCode.CONDITION_DROPPED, weight=Weight.HARD, claim_value=word.folded, evidence_value=there.folded,
        claim_range=(word.start, word.end), evidence_range=(there.start, there.end), passage=view.anchor_passage,
        decisive=True,
    )  # fmt: skip


_WAS = frozenset({"was", "were", "had"})
_NOW = frozenset({"is", "are", "has", "have"})
_UNTIL = frozenset({"before", "until", "till", "formerly", "previously", "originally"})


CHECKS = (
    check_object,
    check_formerly,
    check_other_value,
    check_pairs,
    check_afterwards,
    check_rows,
    check_only_subject,
)
