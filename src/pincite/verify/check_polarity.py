"""Negation, opposites, modal verbs, quantifiers: small words that turn a statement round or change its force."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, NamedTuple

from pincite.text.words import stem
from pincite.types import ReasonCode
from pincite.verify import lexicon
from pincite.verify.findings import Finding, Weight

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.text.words import Token
    from pincite.verify.analysis import Sentence
    from pincite.verify.findings import View

_NOT_NEGATION = re.compile(
    r"\b(?:no(?:t)?\s+(?:later|earlier|sooner|more|less|fewer|greater|longer|shorter|higher|lower)\s+than|not\s+(?:only|just)\b(?=[^.;]{0,80}\bbut\b)|"
    r"not\s+(?:to\s+)?exceed(?:ing)?|without\s+limitation|no\.|whether\s+or\s+not|no\s+one\s+but|nothing\s+but)",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;:.()|\n]|\s[–—-]\s")
EXCEPTION = re.compile(
    r"(?<![\w-])(?:except(?:ing)?(?:\s+for)?|with the exception of|other than|apart from|excluding|unless|save for"
    r"|but not|not including)\s+(?!(?:that|when|where|if|as)\b)([^,;:.()]+)",
    re.IGNORECASE,
)
_SCOPE_WORDS = 2
_NEAR_COPY = 0.8
_MIN_SHARED = 0.35
"""Share of the claim that a negated clause must hold before its negation speaks about the claim."""
_DIRECTION = frozenset(stem(w) for w in ("increase", "decrease", "rise", "fall", "raise", "lower", "reduce", "before", "after",  # noqa: E501
                                        "more", "less", "higher", "first", "last", "above", "below", "earlier", "later"))  # fmt: skip  # noqa: E501


class Mark(NamedTuple):
    """A small word, its class, its range, and the content stems that it governs."""

    word: str
    kind: str
    start: int
    end: int
    governs: tuple[str, ...]


@functools.lru_cache(maxsize=4096)
def negations(sentence: Sentence) -> tuple[Mark, ...]:
    """The negations of a sentence, without "no later than" and its like."""
    if not any(_is_negation(word.folded) for word in sentence.words):
        return ()
    skipped = [
        (found.start() + sentence.start, found.end() + sentence.start)
        for found in _NOT_NEGATION.finditer(sentence.text)
    ]
    marks = []
    for index, word in enumerate(sentence.words):
        if _is_negation(word.folded) and not any(a <= word.start < b for a, b in skipped):
            marks.append(Mark(word.folded, "not", word.start, word.end, _governed(sentence, index)))
    return tuple(marks)


def _is_negation(word: str) -> bool:
    return word in lexicon.NEGATIONS or word.endswith("n't")


def _governed(sentence: Sentence, index: int) -> tuple[str, ...]:
    """The next content stems before the clause ends; for "none" and "nobody", the same."""
    words = sentence.words
    found: list[str] = []
    end = words[index].end
    for word in words[index + 1 :]:
        if _CLAUSE_END.search(sentence.text, end - sentence.start, word.start - sentence.start):
            break
        end = word.end
        if not word.is_stop or word.folded in lexicon.ONLY:
            found.append(word.stem)
        if len(found) == _SCOPE_WORDS:
            break
    return tuple(found)


def check_negation(view: View) -> Iterator[Finding]:
    """A word denied on one side and not on the other. An opposite ("excluded") or implicit denial counts as one."""
    mine, given = negations(view.claim), negations(view.anchor)
    all_given = [mark for _, sentence in view.sentences for mark in negations(sentence)]
    denied_there = {term for mark in all_given for term in mark.governs}
    for mark in mine:
        if _answered(mark, view.anchor, denied_there, view.claim) or not mark.governs or _excepted(view):
            continue
        shared = [term for term in mark.governs if term in view.licensed or term in view.anchor.terms]
        if shared:
            yield _negation(view, mark, None, Weight.CONFLICT)
    doubled = _doubled(view, mine, all_given)
    if doubled is not None:
        yield _negation(view, doubled, None, Weight.CONFLICT)
    denied_here = {term for mark in mine for term in mark.governs}
    for mark in given:
        shared = [term for term in mark.governs if term in view.claim.terms or _synonym_in(term, view.claim.terms)]
        if not shared or _answered(mark, view.claim, denied_here, view.anchor):
            continue
        strong = mark.governs[0] in shared and _near(view, mark)
        yield _negation(view, None, mark, Weight.CONFLICT if strong else Weight.SOFT)


def _excepted(view: View) -> bool:
    """The claim denies of something what the evidence excepts it from."""
    if EXCEPTION.search(view.claim.text):
        return False
    for found in EXCEPTION.finditer(view.anchor.text):
        start, end = (view.anchor.start + at for at in found.span(1))
        if any(start <= w.start < end and not w.is_stop and w.stem in view.claim.terms for w in view.anchor.words):
            return True
    return False


def _doubled(view: View, mine: Sequence[Mark], given: Sequence[Mark]) -> Mark | None:
    """In a near copy, one denial more ("not ... at no cost") than evidence that denies already."""
    if view.coverage < _NEAR_COPY:
        return None
    plain = [mark for mark in mine if mark.word not in {"nor", "neither"}]
    there = [mark for mark in given if mark.word not in {"nor", "neither"}]
    bare = next((mark for mark in plain if not mark.governs), None)
    if bare is not None and not there:
        return bare
    return plain[0] if len(plain) > len(there) > 0 else None


def _synonym_in(term: str, terms: frozenset[str]) -> bool:
    return not lexicon.SYNONYMS.get(term, frozenset()).isdisjoint(terms)


def _answered(mark: Mark, other: Sentence, denied: set[str], own: Sentence) -> bool:
    """Whether the other side denies the same word, by a particle, an opposite, or a word like "refuse"."""
    if any(term in denied or not lexicon.SYNONYMS.get(term, frozenset()).isdisjoint(denied) for term in mark.governs):
        return True
    words = {word.folded for word in other.words} - {word.folded for word in own.words}
    if words & lexicon.IMPLICIT_NEGATIONS:
        return True
    stems = {word.stem for word in other.words} - {word.stem for word in own.words}
    if any(not lexicon.ANTONYMS.get(term, frozenset()).isdisjoint(stems) for term in mark.governs):
        return True
    prefixed = {f"{prefix}{term}" for term in mark.governs for prefix in ("un", "in", "non", "im", "ir", "il", "dis")}
    return bool(prefixed & stems)


def _near(view: View, mark: Mark) -> bool:
    """The clause of the negation holds enough of the claim to be about it."""
    text, offset = view.anchor.text, view.anchor.start
    start = max((f.end() for f in _CLAUSE_END.finditer(text, 0, mark.start - offset)), default=0)
    after = _CLAUSE_END.search(text, mark.end - offset)
    end = after.start() if after else len(text)
    local = {w.stem for w in view.anchor.words if start <= w.start - offset < end}
    terms = [w.stem for w in view.claim.words if not w.is_stop]
    return bool(terms) and sum(t in local or _synonym_in(t, frozenset(local)) for t in terms) >= _MIN_SHARED * len(
        terms
    )


def _negation(view: View, mine: Mark | None, given: Mark | None, weight: Weight) -> Finding:
    anchor = view.anchor
    return Finding(
        code=ReasonCode.NEGATION, weight=weight,
        claim_value=mine.word if mine else None, evidence_value=given.word if given else None,
        claim_range=(mine.start, mine.end) if mine else None,
        evidence_range=(given.start, given.end) if given else (anchor.start, anchor.end), passage=view.anchor_passage,
    )  # fmt: skip


# --- opposites -------------------------------------------------------------------------------------


def check_opposites(view: View) -> Iterator[Finding]:
    """A claim word whose opposite stands in the evidence in its place. A negation on one side undoes it."""
    stems = {word.stem: word for word in view.anchor.words}
    mine = {word.stem for word in view.claim.words}
    for word in view.claim.words:
        opposites = lexicon.ANTONYMS.get(word.stem)
        if not opposites or word.stem in stems or not lexicon.SYNONYMS.get(word.stem, frozenset()).isdisjoint(stems):
            continue
        there = next((stems[other] for other in sorted(opposites) if other in stems and other not in mine), None)
        if there is None or _flipped(view, word.stem, there.stem):
            continue
        elsewhere = word.stem in view.licensed and not word.is_stop
        code = ReasonCode.DIRECTION if word.stem in _DIRECTION else ReasonCode.ANTONYM
        yield _opposite(view, word, there, code, Weight.SOFT if elsewhere else Weight.CONFLICT)


def _flipped(view: View, claim_stem: str, evidence_stem: str) -> bool:
    mine = any(claim_stem in mark.governs for mark in negations(view.claim))
    given = any(evidence_stem in mark.governs for mark in negations(view.anchor))
    return mine != given


def _opposite(view: View, word: Token, there: Token, code: ReasonCode, weight: Weight) -> Finding:
    return Finding(
        code=code, weight=weight, claim_value=word.folded, evidence_value=there.folded, passage=view.anchor_passage,
        claim_range=(word.start, word.end), evidence_range=(there.start, there.end),
    )  # fmt: skip


# --- modal verbs -----------------------------------------------------------------------------------

_GUARDED = frozenset({"may", "might", "could", "possibly", "perhaps"})
_FORBID = "forbid"
_OPTIONAL_NOT = frozenset(
    {"need", "needs", "required", "require", "requires", "necessary", "mandatory", "obliged", "obligated"}
)


@functools.lru_cache(maxsize=4096)
def modals(sentence: Sentence) -> tuple[Mark, ...]:
    """Modal words by class (must, may, should, forbid), each with the content stems that follow."""
    found = []
    for index, word in enumerate(sentence.words):
        kind = _modal_class(word.folded)
        if kind is None or (word.folded == "may" and word.start and _is_month(sentence, word)):
            continue
        near = {w.folded for w in sentence.words[max(0, index - 2) : index + 3]}
        if near & {"not", "no", "never", "cannot"}:
            kind = "may" if word.folded in _OPTIONAL_NOT else _FORBID
        found.append(Mark(word.folded, kind, word.start, word.end, _governed(sentence, index)))
    return tuple(found)


def _modal_class(word: str) -> str | None:
    if word in {"cannot", "can't", "mustn't"}:
        return _FORBID
    if word in lexicon.MUST:
        return "must"
    if word in lexicon.MAY:
        return "may"
    return "should" if word in lexicon.SHOULD else None


def _is_month(sentence: Sentence, word: Token) -> bool:
    return any(value.start <= word.start - sentence.start < value.end for value in sentence.values())


def check_modality(view: View) -> Iterator[Finding]:
    """May against must, a hedge dropped, a duty added."""
    given = [mark for _, sentence in view.sentences for mark in modals(sentence)]
    mine = modals(view.claim)
    kinds = {mark.kind for mark in given}
    for mark in mine:
        if mark.kind in kinds or (mark.kind == _FORBID and _excepted(view)):
            continue
        clash = _clash(mark, given)
        if clash is not None:
            yield _modal(view, mark, clash, Weight.CONFLICT if mark.kind != "may" else Weight.HARD)
        elif mark.kind == "must" and not given:
            yield _modal(view, mark, None, Weight.SOFT)
    if not mine:
        for mark in modals(view.anchor):
            if mark.word in lexicon.HEDGES and any(term in view.claim.terms for term in mark.governs):
                sure = mark.word in _GUARDED and mark.governs[0] in view.claim.terms
                yield _modal(view, None, mark, Weight.HARD if sure else Weight.SOFT)
            elif (
                mark.kind == _FORBID and not negations(view.claim) and any(t in view.claim.terms for t in mark.governs)
            ):
                yield _modal(view, None, mark, Weight.HARD)


def _clash(mark: Mark, given: Sequence[Mark]) -> Mark | None:
    """The evidence's modal on the same words, when it is of a class that the claim's does not follow from."""
    follows = {"may": {"must", "may", "should"}, "should": {"must", "should"}, "must": {"must"}, _FORBID: {_FORBID}}
    on_same = [other for other in given if set(other.governs) & set(mark.governs)]
    for other in on_same or given:
        if other.kind not in follows[mark.kind] or (
            mark.kind == "may" and other.kind == "must" and mark.word not in {"can", "able"}
        ):
            return other
    return None


def _modal(view: View, mine: Mark | None, given: Mark | None, weight: Weight) -> Finding:
    passage = next((p for p, s in view.sentences if given and s.start <= given.start < s.end), view.anchor_passage)
    return Finding(
        code=ReasonCode.MODALITY, weight=weight,
        claim_value=mine.word if mine else None, evidence_value=given.word if given else None,
        claim_range=(mine.start, mine.end) if mine else None,
        evidence_range=(given.start, given.end) if given else None, passage=passage,
    )  # fmt: skip


# --- quantifiers -----------------------------------------------------------------------------------

_STRENGTH = {"some": 1, "most": 2, "all": 3}


def _quantifier(word: str) -> str | None:
    for kind, words in (("only", lexicon.ONLY), ("all", lexicon.ALL), ("most", lexicon.MOST), ("some", lexicon.SOME)):
        if word in words:
            return kind
    return None


@functools.lru_cache(maxsize=4096)
def quantifiers(sentence: Sentence) -> tuple[Mark, ...]:
    """Quantifying words by class, each with the content stems that follow."""
    return tuple(
        Mark(word.folded, kind, word.start, word.end, _governed(sentence, index))
        for index, word in enumerate(sentence.words)
        if (kind := _quantifier(word.folded)) is not None
    )


def check_quantifiers(view: View) -> Iterator[Finding]:
    """Some become all, most become all, an "only" appears."""
    given = [mark for _, sentence in view.sentences for mark in quantifiers(sentence)]
    kinds = {mark.kind for mark in given}
    for mark in quantifiers(view.claim):
        if mark.kind in kinds or mark.word in {"any", "both", "just", "full", "few", "half", "part"}:
            continue
        if mark.kind == "only":
            yield _quantity(view, mark, None, Weight.HARD)
            continue
        weaker = [other for other in given if 0 < _STRENGTH.get(other.kind, 0) < _STRENGTH[mark.kind]]
        if weaker:
            on_same = any(set(other.governs) & set(mark.governs) for other in weaker)
            yield _quantity(view, mark, weaker[0], Weight.HARD if on_same else Weight.SOFT)
        elif mark.word in {"always", "all", "every"} and not kinds:
            yield _quantity(view, mark, None, Weight.SOFT)


def _quantity(view: View, mine: Mark, given: Mark | None, weight: Weight) -> Finding:
    passage = next((p for p, s in view.sentences if given and s.start <= given.start < s.end), view.anchor_passage)
    return Finding(
        code=ReasonCode.QUANTIFIER, weight=weight, claim_value=mine.word, evidence_value=given.word if given else None,
        claim_range=(mine.start, mine.end), evidence_range=(given.start, given.end) if given else None, passage=passage,
    )  # fmt: skip
