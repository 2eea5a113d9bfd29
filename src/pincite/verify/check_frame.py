"""Conditions, reported speech, who does what to whom, and words that nothing licenses."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from pincite.text.words import idf
from pincite.types import ReasonCode
from pincite.verify import lexicon
from pincite.verify.findings import Finding, Weight

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.text.words import Token
    from pincite.verify.analysis import Sentence
    from pincite.verify.findings import View


def _cue(words: Sequence[str], more: str = "") -> re.Pattern[str]:
    inner = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{inner}{more})(?![\w-])", re.IGNORECASE)


_CONSENT = r"|(?:with|without)\s+(?:[\w'’]+\s+){0,4}(?:approval|consent|permission|authori[sz]ation|advice)"
_CONDITION = _cue(lexicon.CONDITIONS, _CONSENT)
_LEADING_CONDITION = re.compile(r"(?:once|when|where|whenever)\b(?=[^,]{3,80},)", re.IGNORECASE)
_WEAK_CONDITION = _cue(lexicon.WEAK_CONDITIONS)
_NO_CONDITION = re.compile(
    r"\b(?:as if|even if|what if|if any|if not more|provided (?:by|to|with|for|in|at|as|the)|whether)\b", re.IGNORECASE
)
_SOFT_STOP = re.compile(r"[,;:.()]|\s[–—]\s|\n")
_KEPT_SHARE = 0.4
_MAIN_SHARE = 0.4
_NEAR_VERBATIM = 0.6
_ALMOST_WHOLE = 0.8
_SIDE_WORDS = 2
_PREPOSITIONS = frozenset("for upon on to by at of with in from under after before than as is are".split())  # noqa: SIM905
_CLAUSE_BREAK = re.compile(r";|\b(?:and|but|while|whereas|or)\b")
_MAX_EXTRA = 4
_MIN_RUN = 3
_DENIED = re.compile(
    r"\b(?:den(?:y|ies|ied|ying)|reject(?:s|ed)?|disput(?:e|es|ed)|refut(?:e|es|ed))\s+(?:that|having|any|reports?|allegations?|rumou?rs?|suggestions?|"
    r"the\s+(?:reports?|allegations?|claims?|suggestion|idea)s?\b)|\b(?:it\s+is\s+(?:not\s+true|untrue|false|a\s+myth)|contrary\s+to|not\s+the\s+case)\b",
    re.IGNORECASE,
)
_SO = re.compile(
    r"[,;]\s+(?:and\s+)?(?:so|therefore|thus|hence|which\s+(?:means|shows|proves)|meaning)\b", re.IGNORECASE
)
_OPINION = re.compile(
    r"\b(?:believe|claim|allege|argue|contend|suspect|speculate|hope|assert|insist|predict)(?:s|ed|d)?\s+that\b",
    re.IGNORECASE,
)


def check_conditions(view: View) -> Iterator[Finding]:
    """A condition of the evidence that the claim leaves out, or one of the claim that the evidence does not make."""
    mine = _first_cue(_CONDITION, view.claim.text)
    leading = _LEADING_CONDITION.match(view.anchor.text)
    for found in (*([leading] if leading else []), *_CONDITION.finditer(view.anchor.text)):
        if _NO_CONDITION.match(view.anchor.text, max(0, found.start() - 5)) or _NO_CONDITION.match(
            view.anchor.text, found.start()
        ):
            continue
        finding = _dropped(view, found, mine)
        if finding is not None:
            yield finding
            return
    if mine is not None and not any(
        _CONDITION.search(s.text) or _WEAK_CONDITION.search(s.text) for _, s in view.sentences
    ):
        yield Finding(
            code=ReasonCode.CONDITION_ADDED,
            weight=Weight.SOFT,
            claim_value=mine[0],
            claim_range=(mine.start(), mine.end()),
        )


def _first_cue(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = pattern.search(text)
    return None if found is None or _NO_CONDITION.search(text) else found


def _dropped(view: View, found: re.Match[str], mine: re.Match[str] | None) -> Finding | None:
    start, end = _condition_range(view.anchor.text, found)
    offset = view.anchor.start
    inside = [w for w in view.anchor.words if start <= w.start - offset < end and not w.is_stop]
    outside = {w.stem for w in view.anchor.words if not start <= w.start - offset < end}
    claim_terms = [w.stem for w in view.claim.words if not w.is_stop]
    if not inside or not claim_terms:
        return None
    kept = _share([w.stem for w in inside], view.claim.terms)
    main = sum(t in outside or not lexicon.SYNONYMS.get(t, frozenset()).isdisjoint(outside) for t in claim_terms)
    if kept >= _KEPT_SHARE and mine is not None:
        return None
    about_rest = main >= _MAIN_SHARE * len(claim_terms)
    only_condition = _share(claim_terms, frozenset(w.stem for w in inside)) > _NEAR_VERBATIM and mine is None
    if kept >= _KEPT_SHARE and not only_condition:
        return None
    if not about_rest and not only_condition:
        return None
    return Finding(
        code=ReasonCode.CONDITION_DROPPED, weight=Weight.HARD, evidence_value=view.anchor.text[start:end].strip(" ,;"),
        evidence_range=(offset + start, offset + end), passage=view.anchor_passage,
    )  # fmt: skip


def _share(terms: Sequence[str], licensed: frozenset[str]) -> float:
    total = sum(idf(term) for term in terms)
    got = sum(idf(t) for t in terms if t in licensed or not lexicon.SYNONYMS.get(t, frozenset()).isdisjoint(licensed))
    return got / total if total else 0.0


def conditions(text: str) -> tuple[tuple[int, int], ...]:
    """The ranges of the conditions that a sentence makes, cue word included; ranges may overlap."""
    leading = _LEADING_CONDITION.match(text)
    found = (*([leading] if leading else []), *_CONDITION.finditer(text))
    return tuple(_condition_range(text, one) for one in found if not _NO_CONDITION.match(text, max(0, one.start() - 5)))


def _condition_range(text: str, found: re.Match[str]) -> tuple[int, int]:
    """From the cue to the end of its clause; a condition that follows its main clause runs to the next stop."""
    stop = _SOFT_STOP.search(text, found.end())
    return found.start(), stop.start() if stop else len(text)


def check_report(view: View) -> Iterator[Finding]:
    """The evidence says that someone says, plans, or denies it; the claim says that it is so."""
    mine = {word.folded for word in view.claim.words}
    if mine & (lexicon.ANSWERABLE_REPORT | lexicon.DENYING):
        yield from _inferred(view)
        return
    denied = _DENIED.search(view.anchor.text)
    if denied is not None:
        offset = view.anchor.start
        yield _report(view, denied[0], (denied.start() + offset, denied.end() + offset), Weight.CONFLICT)
        return
    words = view.anchor.words
    word = next((w for i, w in enumerate(words) if w.folded in lexicon.REPORTING and not _noun(words, i)), None)
    if word is not None:
        strong = word.folded in lexicon.STRONG_REPORT or _OPINION.search(view.anchor.text) is not None
        yield _report(view, word.folded, (word.start, word.end), Weight.HARD if strong else Weight.SOFT)


def _noun(words: Sequence[Token], index: int) -> bool:
    """The noun ("per claim", "claims must"), unless a "that" follows."""
    before = words[index - 1].folded if index else ""
    after = words[index + 1].folded if index + 1 < len(words) else ""
    if words[index].folded not in lexicon.REPORT_NOUNS or after == "that":
        return False
    return before in _NOUN_LEADS or after in _NOUN_FOLLOWS


_NOUN_LEADS = frozenset("per a an the each every any all for your their our this these no one".split())  # noqa: SIM905
_NOUN_FOLLOWS = frozenset("must may is are was were can shall should will cannot".split())  # noqa: SIM905


def _inferred(view: View) -> Iterator[Finding]:
    """A claim that reports and then draws a conclusion which the evidence does not draw."""
    found = _SO.search(view.claim.text)
    if found is not None and not any(_SO.search(sentence.text) for _, sentence in view.sentences):
        yield Finding(
            code=ReasonCode.REPORTED_SPEECH, weight=Weight.CONFLICT, claim_value=found[0].strip(" ,;"),
            claim_range=found.span(), evidence_range=(view.anchor.start, view.anchor.end), passage=view.anchor_passage,
        )  # fmt: skip


def _report(view: View, value: str, where: tuple[int, int], weight: Weight) -> Finding:
    return Finding(
        code=ReasonCode.REPORTED_SPEECH,
        weight=weight,
        evidence_value=value,
        evidence_range=where,
        passage=view.anchor_passage,
    )


# --- roles -----------------------------------------------------------------------------------------

_BE = frozenset("is are was were be been being am gets got".split())  # noqa: SIM905


def check_roles(view: View) -> Iterator[Finding]:
    """The same verb or comparison with its two sides changed over; passive voice is turned round first."""
    there = {word.stem: index for index, word in enumerate(view.anchor.words)}
    for index, word in enumerate(view.claim.words):
        if word.stem not in there or not _is_pivot(word):
            continue
        other = view.anchor.words[there[word.stem]]
        if not _same_form(word, other):
            continue
        if _agentless(view.claim, index) != _agentless(view.anchor, there[word.stem]):
            continue
        left, right = _sides(view.claim, index)
        given_left, given_right = _sides(view.anchor, there[word.stem])
        if _crossed(left, right, given_left, given_right):
            yield Finding(
                code=ReasonCode.ROLE_SWAP, weight=Weight.CONFLICT, claim_value=_names(left, word, right),
                evidence_value=_names(given_left, other, given_right), claim_range=(word.start, word.end),
                evidence_range=(view.anchor.start, view.anchor.end), passage=view.anchor_passage,
            )  # fmt: skip
            return


def _is_pivot(word: Token) -> bool:
    if word.folded in lexicon.PIVOTS:
        return True
    return not word.is_stop and (word.stem in lexicon.ROLE_STEMS or word.folded.endswith("ed"))


def _same_form(mine: Token, given: Token) -> bool:
    """Both verbs, or both the same word: "approval" is not turned round against "approve"."""
    if mine.folded == given.folded:
        return True
    short = min(mine.folded, given.folded, key=len)
    longer = max(mine.folded, given.folded, key=len)
    return longer.startswith(short[:-1]) and longer.endswith(("s", "ed", "ing", "d"))


_Side = tuple[str, ...]


def _crossed(left: _Side, right: _Side, given_left: _Side, given_right: _Side) -> bool:
    """Each side of the claim stands on the other side there, and its nearest word not on its own. Nearest first."""
    if not (left and right and given_left and given_right):
        return False
    over = set(left) & set(given_right) - set(given_left) and set(right) & set(given_left) - set(given_right)
    return bool(over) and left[0] not in given_left and right[0] not in given_right


def _sides(sentence: Sentence, index: int) -> tuple[_Side, _Side]:
    words = sentence.words
    left = [w.stem for w in words[:index] if not w.is_stop and not w.is_number][: -_SIDE_WORDS - 1 : -1]
    right = [w.stem for w in words[index + 1 :] if not w.is_stop and not w.is_number][:_SIDE_WORDS]
    before = {w.folded for w in words[max(0, index - 3) : index]}
    passive = bool(before & _BE) and _by(words, index)
    return (tuple(right), tuple(left)) if passive else (tuple(left), tuple(right))


def _agentless(sentence: Sentence, index: int) -> bool:
    """The passive that does not name who did it: what follows the verb is a place or a time, not a side."""
    words = sentence.words
    passive = any(w.folded in _BE for w in words[max(0, index - 3) : index])
    return passive and words[index].folded.endswith(("ed", "en", "t")) and not _by(words, index)


def _by(words: Sequence[Token], index: int) -> bool:
    return any(w.folded == "by" for w in words[index + 1 : index + 4])


def _names(left: _Side, pivot: Token, right: _Side) -> str:
    return f"{' '.join(reversed(left))} [{pivot.folded}] {' '.join(right)}"


# --- words that nothing licenses -------------------------------------------------------------------


def check_extra(view: View) -> Iterator[Finding]:
    """Claim words that no sentence of the unit, its title or a heading licenses, the rarest first."""
    extra = [w for w in view.claim.words if not w.is_stop and not w.is_number and w.stem not in view.licensed]
    inside = [v for v in view.claim.values() if v.text]
    extra = [w for w in extra if not any(v.start <= w.start < v.end for v in inside)]
    replaced = _replaced(view, extra) if extra else {}
    added = _added_run(view, extra)
    for word in sorted(extra, key=lambda w: (-idf(w.stem), w.start))[:_MAX_EXTRA]:
        there = replaced.get(word.start)
        capital = view.claim.text[word.start - view.claim.start].isupper() and word.start > view.claim.start
        yield Finding(
            code=ReasonCode.ENTITY if capital else ReasonCode.EXTRA_DETAIL,
            weight=Weight.HARD if there is not None or word.start in added else Weight.SOFT,
            claim_value=word.folded, evidence_value=there.folded if there else None,
            claim_range=(word.start, word.end), evidence_range=(there.start, there.end) if there else None,
            passage=view.anchor_passage if there else None,
        )  # fmt: skip


_BOUNDS = frozenset({"minimum", "maximum"})
"""Parts of a value, which the value checks read."""


def check_moved(view: View) -> Iterator[Finding]:
    """In a near copy, a word of the claim that stands where the evidence has another one, and is said elsewhere.

    "Starter customers have 30 days" against "Enterprise customers have 30 days. Starter customers have 7."
    """
    moved = [w for w in view.claim.words if not w.is_stop and not w.is_number and w.stem not in view.anchor.terms]
    moved = [
        w
        for w in moved
        if w.stem in view.licensed and w.folded not in _BOUNDS and not _same_meaning(w.stem, view.anchor.terms)
    ]
    for start, there in _replaced(view, moved).items() if moved else ():
        word = next(w for w in moved if w.start == start)
        if not there.is_stop and there.stem not in view.claim.terms:
            yield Finding(
                code=ReasonCode.BINDING, weight=Weight.HARD, claim_value=word.folded, evidence_value=there.folded,
                claim_range=(word.start, word.end), evidence_range=(there.start, there.end), passage=view.anchor_passage,  # noqa: E501
            )  # fmt: skip
            return


def check_skipped(view: View) -> Iterator[Finding]:
    """In a near copy, a preposition whose object is taken from another clause.

    "Title passes on delivery" against "Title passes on payment; risk passes on delivery".
    """
    mine, given = view.claim.words, view.anchor.words
    if len(given) <= len(mine) + 1:
        return
    matcher = SequenceMatcher(None, [w.stem for w in mine], [w.stem for w in given], autojunk=False)
    blocks = matcher.get_opcodes()
    if sum(a1 - a0 for tag, a0, a1, _, _ in blocks if tag == "equal") < _NEAR_VERBATIM * len(mine):
        return
    for tag, a0, _, b0, b1 in blocks:
        if tag != "insert" or not 0 < a0 < len(mine) or mine[a0 - 1].folded not in _PREPOSITIONS:
            continue
        offset = view.anchor.start
        text = view.anchor.text[given[b0].start - offset : given[b1 - 1].end - offset]
        found = _CLAUSE_BREAK.search(text)
        before = [w for w in given[b0:b1] if found and w.start - given[b0].start < found.start() and not w.is_stop]
        after = [w for w in given[b0:b1] if found and w.start - given[b0].start >= found.end()]
        skipped = {w.stem for w in (*before, *after) if not w.is_stop and not w.is_number}
        own = given[b1 - 1].stem == mine[a0 - 1].stem and all(w.is_stop for w in after)
        if own and skipped.isdisjoint(view.claim.terms):
            continue  # "at 7 and at 9" cut to "at 9": the object keeps its own preposition
        if before and any(not w.is_stop or w.folded in _PREPOSITIONS for w in after):
            yield Finding(
                code=ReasonCode.BINDING, weight=Weight.HARD, claim_value=mine[a0].folded, evidence_value=given[b0].folded,  # noqa: E501
                claim_range=(mine[a0].start, mine[a0].end), evidence_range=(given[b0].start, given[b0].end),
                passage=view.anchor_passage,
            )  # fmt: skip
            return


def _same_meaning(stem: str, terms: frozenset[str]) -> bool:
    return not lexicon.SYNONYMS.get(stem, frozenset()).isdisjoint(terms)


def _added_run(view: View, extra: Sequence[Token]) -> frozenset[int]:
    """Starts of unlicensed words that follow each other, three or more, in a claim that is otherwise said."""
    starts = {w.start for w in extra}
    runs: list[list[int]] = [[]]
    for word in view.claim.words:
        if word.start in starts:
            runs[-1].append(word.start)
        elif not word.is_stop:
            runs.append([])
    return frozenset(start for run in runs if len(run) >= _MIN_RUN for start in run)


def _replaced(view: View, extra: Sequence[Token]) -> dict[int, Token]:
    """Unlicensed words that stand where the nearly identical evidence has another content word."""
    mine, given = view.claim.words, view.anchor.words
    matcher = SequenceMatcher(None, [w.stem for w in mine], [w.stem for w in given], autojunk=False)
    blocks = matcher.get_opcodes()
    same = sum(a1 - a0 for tag, a0, a1, _, _ in blocks if tag == "equal")
    if same < _NEAR_VERBATIM * len(mine):
        return {}
    starts = {w.start for w in extra}
    found: dict[int, Token] = {}
    for tag, a0, a1, b0, b1 in blocks:
        others = [w for w in given[b0:b1] if not w.is_stop]
        if tag == "replace" and not others and same >= _ALMOST_WHOLE * len(mine):
            others = [given[b0]]
        if tag == "replace" and others:
            found.update({w.start: others[0] for w in mine[a0:a1] if w.start in starts})
    return found


def leaves_out_condition(sentences: Sequence[Sentence], start: int, end: int) -> bool:
    """Whether a condition stands in these sentences outside the range ``start`` to ``end``."""
    for sentence in sentences:
        for pattern in (_CONDITION, _TIME_LIMIT):
            for found in pattern.finditer(sentence.text):
                at = found.start() + sentence.start
                if not start <= at < end:
                    return True
    return False


_TIME_LIMIT = _cue(("until", "within", "when", "where", "once", "after", "before", "during", "while", "for those"))
