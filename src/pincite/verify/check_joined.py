"""Facts of two clauses, passages or lines joined crosswise: each word is said, but not of the thing it is told of."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple

from pincite.text.quantity_compare import AGREES, compare
from pincite.types import ReasonCode
from pincite.verify import lexicon
from pincite.verify.check_values import rivals
from pincite.verify.findings import Finding, View, Weight

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.text.quantities import Quantity
    from pincite.text.words import Token
    from pincite.verify.analysis import Sentence

_CLAUSE = re.compile(r"[;:]|,\s|\s(?:and|but|while|whereas|or)\s", re.IGNORECASE)
_PAIRED = re.compile(r"\brespectively\b|\bin that order\b", re.IGNORECASE)
_MOST_CLAUSES = 24
_MOST_CLAIM_CLAUSES = 4


class _Clause(NamedTuple):
    """A clause with the passage and sentence that it is from, its content stems and its values."""

    passage: int
    sentence: Sentence
    terms: frozenset[str]
    values: tuple[Quantity, ...]
    words: tuple[Token, ...]


class _Item(NamedTuple):
    """One word or value of a claim clause, and the number of the only evidence clause that says it."""

    where: int
    start: int
    end: int
    said: str


def check_crosswise(view: View) -> Iterator[Finding]:
    """Two clauses of the claim, each with one thing of the evidence's first clause and one of its second.

    "X in the evening and Y in the morning" against "X in the morning. Y in the evening."
    """
    mine = _split(view.anchor_passage, view.claim)
    if not 1 < len(mine) <= _MOST_CLAIM_CLAUSES or _PAIRED.search(view.claim.text):
        return
    given = [clause for p, s in view.joint for clause in _split(p, s, listed=True)][:_MOST_CLAUSES]
    if len(given) < 2 or any(_PAIRED.search(s.text) for _, s in view.joint):  # noqa: PLR2004
        return
    items = [_items(view.claim, clause, given) for clause in _distinct(mine)]
    for one, other in pairwise(items):
        crossed = _crossed(one, other)
        if crossed is not None:
            clause = given[crossed.where]
            yield Finding(
                code=ReasonCode.BINDING, weight=Weight.CONFLICT, claim_value=crossed.said,
                evidence_value=clause.sentence.text, claim_range=(crossed.start, crossed.end), decisive=True,
                evidence_range=(clause.sentence.start, clause.sentence.end), passage=clause.passage,
            )  # fmt: skip
            return


def _crossed(one: Sequence[_Item], other: Sequence[_Item]) -> _Item | None:
    """An item of the first that stands with those of the second, when the second has one that stands with the first."""
    here, there = {item.where for item in one}, {item.where for item in other}
    shared = sorted(here & there)
    if len(shared) < 2:  # noqa: PLR2004 - one clause shared is a list, two are a cross
        return None
    return next((item for item in reversed(one) if item.where == shared[-1]), None)


def _distinct(clauses: Sequence[_Clause]) -> list[_Clause]:
    """The clauses less the words that two of them share, which tell neither from the other."""
    shared = frozenset(t for one, other in combinations(clauses, 2) for t in one.terms & other.terms)
    return [clause._replace(terms=clause.terms - shared) for clause in clauses]


def _split(passage: int, sentence: Sentence, *, listed: bool = False) -> list[_Clause]:
    """The clauses of a sentence. ``listed``: an "and" or "or" that may only list things, without values, ends none."""
    bare = listed and len(sentence.values()) < 2  # noqa: PLR2004 - two values make two statements
    breaks = (found for found in _CLAUSE.finditer(sentence.text) if not (bare and found[0].strip() in {"and", "or"}))
    cuts = [0, *(found.end() for found in breaks), len(sentence.text)]
    valued = sentence.value_terms()
    found = []
    for start, end in pairwise(cuts):
        inside = [w for w in sentence.words if start <= w.start - sentence.start < end]
        values = tuple(v for v in sentence.values() if start <= v.start < end)
        terms = frozenset(w.stem for w in inside if not (w.is_stop or w.is_number or w.stem in valued))
        if terms or values:
            found.append(_Clause(passage, sentence, terms, values, tuple(inside)))
    return found


def _items(claim: Sentence, clause: _Clause, given: Sequence[_Clause]) -> list[_Item]:
    """What of the claim clause exactly one clause of the evidence says, in order of the claim."""
    found = []
    for stem in clause.terms:
        near = {stem, *lexicon.SYNONYMS.get(stem, ())}
        holding = [i for i, one in enumerate(given) if near & one.terms]
        if len(holding) == 1 and stem in given[holding[0]].terms:
            word = next(w for w in claim.words if w.stem == stem)
            found.append(_Item(holding[0], word.start, word.end, word.folded))
    for value in clause.values:
        holding = [i for i, one in enumerate(given) if any(_says(value, v) for v in one.values)]
        if len(holding) == 1:
            found.append(_Item(holding[0], value.start, value.end, value.text))
    return sorted(found, key=lambda item: item.start)


def _says(value: Quantity, other: Quantity) -> bool:
    comparison = compare(value, other)
    return comparison.relation in AGREES and comparison.how != "bound"


def check_bridge(view: View) -> Iterator[Finding]:
    """A value of "version 4" told of what another sentence says of "version 5", the claim naming neither."""
    for value in view.claim.values():
        holding = [c for p, s in view.joint for c in _split(p, s) if any(_says(value, v) for v in c.values)]
        keys = {key for clause in holding for key in _keys_of(clause.words)}
        if not keys or not all(_keys_of(clause.words) for clause in holding):
            continue
        nouns = {noun for noun, _ in keys}
        for _, sentence in view.joint:
            others = {key for key in _keys_of(sentence.words) if key[0] in nouns}
            told = sentence.terms & view.claim.terms - view.claim.value_terms() - nouns
            told -= frozenset().union(*(clause.sentence.terms for clause in holding))
            if told and others and not others & keys and not _keys_of(view.claim.words):
                yield _of_value(value, holding[0])
                return


def _keys_of(words: Sequence[Token]) -> set[tuple[str, str]]:
    """A noun of a series with its number: ("version", "4")."""
    return {(a.stem, b.folded) for a, b in pairwise(words) if a.folded in _SERIES and b.is_number}


_SERIES = frozenset(
    "version release phase tier level stage step class category group zone plan option module unit part".split()  # noqa: SIM905 - a word list
)


def check_labels(view: View) -> Iterator[Finding]:
    """The value of one labelled line ("Sum insured: ...") told of what another line is labelled ("Excess: ...")."""
    if ":" not in view.anchor.text or not view.claim.values():
        return
    lines = [(label, s) for s in view.around if (label := _label(s)) is not None][:_MOST_LINES]
    for value in view.claim.values():
        holding = [(label, s, v) for label, s in lines for v in s.values() if _says(value, v)]
        for other, line in lines:
            rival = next((v for v in line.values() if rivals(value, v)), None)
            if rival is None or not holding or any(s is line for _, s, _ in holding):
                continue
            wanted = _own_share(view, other, [label for label, _, _ in holding])
            if wanted and not any(_own_share(view, label, [other]) for label, _, _ in holding):
                yield Finding(
                    code=ReasonCode.BINDING, weight=Weight.CONFLICT, claim_value=value.text, evidence_value=rival.text,
                    claim_range=(value.start, value.end), passage=view.anchor_passage, decisive=True,
                    evidence_range=(line.start + rival.start, line.start + rival.end),
                )  # fmt: skip
                return


_MOST_LINES = 60
_MOST_LABEL_WORDS = 5
_LABELLED = re.compile(r"\s*([^:|.;,]{2,60}):\s+\S")


def _label(sentence: Sentence) -> frozenset[str] | None:
    """Content stems of the label of a line, if the line is one."""
    found = _LABELLED.match(sentence.text)
    if found is None:
        return None
    words = [w for w in sentence.words if w.start - sentence.start < found.end(1) and not w.is_stop]
    return frozenset(w.stem for w in words) if 0 < len(words) <= _MOST_LABEL_WORDS else None


def _own_share(view: View, label: frozenset[str], others: Sequence[frozenset[str]]) -> bool:
    """Whether the claim has every word (or a synonym of it) that this label has and the others have not."""
    alone = label - frozenset().union(*others)
    said = view.claim.terms
    return bool(alone) and all(t in said or not lexicon.SYNONYMS.get(t, frozenset()).isdisjoint(said) for t in alone)


_AFTER_THAT = re.compile(
    r"(?:after that|thereafter|afterwards?|otherwise|subsequently|after this|later|from then on|in all other cases)\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:after|afterwards?|thereafter|later|then|otherwise|beyond|once|subsequently|following|past)\b", re.IGNORECASE
)


def check_after_that(view: View) -> Iterator[Finding]:
    """What a sentence that opens with "After that" says, told of the time or case of the sentence before it."""
    if _LATER.search(view.claim.text):
        return
    for before, sentence in pairwise(view.around):
        if _AFTER_THAT.match(sentence.text) is None or not any(s is sentence for _, s in view.sentences):
            continue
        own = {t for t in sentence.terms & view.claim.terms if t not in before.terms}
        times = [v for v in view.claim.values() if any(_says(v, b) for b in before.values())]
        elsewhere = [v for v in times if not any(_says(v, s) for s in sentence.values())]
        if own and elsewhere and sentence.terms & view.claim.terms - before.terms - view.claim.value_terms():
            yield _at(view, elsewhere[0], sentence)
            return


def _of_value(value: Quantity, clause: _Clause) -> Finding:
    given = next(v for v in clause.values if _says(value, v))
    return Finding(
        code=ReasonCode.BINDING, weight=Weight.CONFLICT, claim_value=value.text, evidence_value=clause.sentence.text,
        claim_range=(value.start, value.end), passage=clause.passage, decisive=True,
        evidence_range=(clause.sentence.start + given.start, clause.sentence.start + given.end),
    )  # fmt: skip


def _at(view: View, value: Quantity, sentence: Sentence) -> Finding:
    return Finding(
        code=ReasonCode.BINDING, weight=Weight.CONFLICT, claim_value=value.text, evidence_value=sentence.text,
        claim_range=(value.start, value.end), passage=view.anchor_passage, decisive=True,
        evidence_range=(sentence.start, sentence.end),
    )  # fmt: skip


CHECKS = (check_crosswise, check_bridge, check_labels, check_after_that)
