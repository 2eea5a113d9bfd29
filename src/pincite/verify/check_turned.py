"""Statements turned round: another direction, another doer, a past told as present, a denial told as a fact."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.types import ReasonCode
from pincite.verify import lexicon
from pincite.verify.check_polarity import negations
from pincite.verify.findings import Finding, View, Weight

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.text.words import Token
    from pincite.verify.analysis import Sentence

_END = re.compile(r"[,;:.()|\n]|\s(?:and|but|while|whereas|or|which|who|where)\s", re.IGNORECASE)
_NEAR_WORDS = 4


def _means(term: str, terms: frozenset[str] | set[str]) -> bool:
    return term in terms or not lexicon.SYNONYMS.get(term, frozenset()).isdisjoint(terms)


def _denies(view: View) -> bool:
    words = {w.folded for w in view.claim.words}
    return bool(negations(view.claim) or words & (lexicon.IMPLICIT_NEGATIONS | lexicon.DENYING))


def _content(words: Sequence[Token]) -> list[Token]:
    return [w for w in words if not w.is_stop and not w.is_number]


def _until(sentence: Sentence, start: int, most: int = _NEAR_WORDS) -> list[Token]:
    """The content words from word number ``start`` to the end of the clause, a few at most."""
    if start >= len(sentence.words):
        return []
    stop = _END.search(sentence.text, sentence.words[start].start - sentence.start)
    end = sentence.start + stop.start() if stop else sentence.end
    return _content([w for w in sentence.words[start : start + 2 * most] if w.start < end])[:most]


def _turned(code: ReasonCode, mine: Token, given: Token, passage: int) -> Finding:
    return Finding(
        code=code, weight=Weight.CONFLICT, claim_value=mine.folded, evidence_value=given.folded, decisive=True,
        claim_range=(mine.start, mine.end), evidence_range=(given.start, given.end), passage=passage,
    )  # fmt: skip


# --- from one place to another ---------------------------------------------------------------------


def check_way(view: View) -> Iterator[Finding]:
    """Told the other way: "from the archive to the store" told as "from the store to the archive"."""
    mine = _way(view.claim)
    if mine is None:
        return
    for passage, sentence in view.sentences:
        given = _way(sentence)
        if given is None:
            continue
        (start, end), (there_start, there_end) = mine, given
        from_stems, to_stems = {w.stem for w in there_start}, {w.stem for w in there_end}
        begins, ends = [w.stem for w in start], [w.stem for w in end]
        over = set(begins) & to_stems - from_stems and set(ends) & from_stems - to_stems
        if over and not set(begins) & from_stems - to_stems and not set(ends) & to_stems - from_stems:
            yield _turned(ReasonCode.DIRECTION, start[0], there_start[0], passage)
            return


def _way(sentence: Sentence) -> tuple[list[Token], list[Token]] | None:
    """The content words after "from" and those after the "to" or "into" that goes with it."""
    words = sentence.words
    start = next((i for i, w in enumerate(words) if w.folded == "from"), None)
    target = next((i for i, w in enumerate(words) if w.folded in {"to", "into", "onto"}), None)
    if start is None or target is None:
        return None
    begin = words[start + 1 : target] if start < target else words[start + 1 : start + 4]
    end = _run(words[target + 1 :]) if start < target else _content(words[target + 1 : start])
    first = _content(begin)[:_NEAR_WORDS]
    return (first, end) if first and end else None


def _run(words: Sequence[Token]) -> list[Token]:
    """The first content words that stand together: the place alone, not the "each night" after it."""
    found: list[Token] = []
    for word in words[: 2 * _NEAR_WORDS]:
        if not word.is_stop and not word.is_number:
            found.append(word)
        elif found:
            break
    return found[:_NEAR_WORDS]


# --- who does it -----------------------------------------------------------------------------------

_AUXILIARY = frozenset("is are was were be been being".split())  # noqa: SIM905 - a word list


def check_doer(view: View) -> Iterator[Finding]:
    """What is done "by the company" told as done by somebody else."""
    for passage, sentence in view.sentences:
        for at, verb, agent in _passives(sentence):
            if sum(w.stem == verb.stem for w in sentence.words) > 1:
                continue
            done = {w.stem for w in _content(sentence.words[:at])}
            doer = _active(view.claim, verb.stem)
            if not doer or not any(_means(w.stem, view.claim.terms) for w in _content(sentence.words[:at])):
                continue
            agents = {w.stem for w in agent}
            told = [w for w in doer if w.stem not in done]
            if told == doer and not any(_means(w.stem, agents) for w in doer):
                yield _turned(ReasonCode.ROLE_SWAP, doer[-1], agent[0], passage)
                return


def _passives(sentence: Sentence) -> Iterator[tuple[int, Token, list[Token]]]:
    """Place, verb and agent of each "is paid by the company"."""
    words = sentence.words
    for at in range(1, len(words) - 2):
        if words[at + 1].folded != "by" or words[at].is_stop or words[at - 1].folded not in _AUXILIARY:
            continue
        agent = [w for w in _until(sentence, at + 2, 3) if w.stem not in sentence.value_terms()]
        if agent and words[at + 2].folded in _ARTICLES and not agent[0].folded.endswith("ing"):
            yield at, words[at], agent


_ARTICLES = frozenset("the a an our your its their this that each".split())  # noqa: SIM905 - a word list


def _active(claim: Sentence, verb: str) -> list[Token]:
    """The words of the doer right before an active verb of the claim; empty where it has none."""
    words = claim.words
    at = next((i for i, w in enumerate(words) if w.stem == verb), None)
    if at is None or at + 1 >= len(words) or words[at + 1].folded == "by":
        return []
    before = words[at - 1].folded if at else ""
    if before in _AUXILIARY or before in {"to", "the", "a", "of", "not"} or words[at].folded.endswith("ing"):
        return []
    doer: list[Token] = []
    for word in reversed(words[:at]):
        if word.is_stop and word.folded in _HELPERS and not doer:
            continue
        if word.is_stop or word.is_number:
            break
        doer.insert(0, word)
    return doer


_HELPERS = frozenset("must shall will may can should has have had does do did would always also".split())  # noqa: SIM905 - a word list


# --- once, and no longer ---------------------------------------------------------------------------

_ONCE = re.compile(r"\b(?:used to|formerly|previously|no longer|in the past|once)\b", re.IGNORECASE)
_PAST = frozenset(
    "used formerly previously former previous past was were had did once longer until till before earlier ago stopped".split()  # noqa: SIM905, E501 - a word list
)


def check_once(view: View) -> Iterator[Finding]:
    """What "used to" be so told as so."""
    if {w.folded for w in view.claim.words} & _PAST or _denies(view):
        return
    for passage, sentence in view.sentences:
        found = _ONCE.search(sentence.text)
        if found is None:
            continue
        first = next((i for i, w in enumerate(sentence.words) if w.start - sentence.start >= found.end()), None)
        inside = _until(sentence, first, 3) if first is not None else []
        ends = inside[-1].end if inside else 0
        rest = {w.stem for _, s in view.sentences for w in s.words if s is not sentence or w.start >= ends}
        told = [w for w in inside if w.stem in view.claim.terms and w.stem not in rest]
        own = [w for w in inside if w.stem not in rest]
        if told and len(told) == len(own) and not any(_past(w) for w in view.claim.words):
            mine = next(w for w in view.claim.words if w.stem == told[0].stem)
            yield _turned(ReasonCode.CONDITION_DROPPED, mine, told[0], passage)
            return


def _past(word: Token) -> bool:
    return not word.is_stop and word.folded.endswith("ed")


# --- denied, and told as a fact --------------------------------------------------------------------

_DENY = frozenset("denies denied deny denying".split())  # noqa: SIM905 - a word list
_BACK = re.compile(
    r"\b(?:this|that|it|which|these|they)\s+(?:is|was|are|were|has been|have been|could|can)\s*(?:not|never|n't)\s+(?:yet\s+|be\s+|been\s+)*(?P<verb>[a-z]+)",  # noqa: E501
    re.IGNORECASE,
)


def check_denied(view: View) -> Iterator[Finding]:
    """What somebody denies told as so; "this was not confirmed" told as confirmed."""
    if _denies(view):
        return
    for passage, sentence in view.sentences:
        yield from _taken_back(view, passage, sentence)
        for index, word in enumerate(sentence.words):
            if word.folded not in _DENY:
                continue
            inside = _until(sentence, index + 1, 3)
            if inside and all(w.stem in view.claim.terms for w in inside[:2]):
                mine = next(w for w in view.claim.words if w.stem == inside[0].stem)
                yield _turned(ReasonCode.REPORTED_SPEECH, mine, word, passage)
                return


def _taken_back(view: View, passage: int, sentence: Sentence) -> Iterator[Finding]:
    for found in _BACK.finditer(sentence.text):
        verb = next((w for w in sentence.words if w.start - sentence.start == found.start("verb")), None)
        if verb is None or verb.is_stop or sum(w.stem == verb.stem for w in sentence.words) > 1:
            continue
        mine = next((w for w in view.claim.words if w.stem == verb.stem), None)
        if mine is not None:
            yield _turned(ReasonCode.NEGATION, mine, verb, passage)
            return


# --- not eligible, and told as able ----------------------------------------------------------------

_BARRED = frozenset("eligible entitled allowed permitted authorised authorized able".split())  # noqa: SIM905 - a word list
_FREE = frozenset("can may could eligible entitled allowed permitted authorised authorized able".split())  # noqa: SIM905 - a word list


def check_barred(view: View) -> Iterator[Finding]:
    """Those who are "not eligible for" something, told as able to have it."""
    if _denies(view) or not {w.folded for w in view.claim.words} & _FREE or _LIFTED.search(view.claim.text):
        return
    first = next((w for w in view.claim.words if not w.is_stop), None)
    for passage, sentence in view.sentences:
        words = sentence.words
        for index in range(2, len(words)):
            barred = words[index].folded in _BARRED and words[index - 1].folded in {"not", "never"}
            if not barred or first is None:
                continue
            subject = _content(words[:index])
            what = _until(sentence, index + 1, 2)
            about = what and any(w.stem in view.claim.terms for w in what)
            if about and subject and subject[-1].stem == first.stem:
                yield _turned(ReasonCode.NEGATION, first, words[index], passage)
                return


_LIFTED = re.compile(r"\b(?:after|once|except|unless|until|other than|if|when)\b", re.IGNORECASE)


# --- listed under a name ---------------------------------------------------------------------------

_IS_A = re.compile(
    r"^\s*(?P<thing>[^,;:]{2,60}?)\s+(?:is|are)\s+(?:a|an|among the|one of the)\s+(?P<name>[^,;:.]{3,60})\.?\s*$",
    re.IGNORECASE,
)
_LIST = re.compile(r"\s(?:are|include|includes|comprise)\s|:\s", re.IGNORECASE)


def check_listed(view: View) -> Iterator[Finding]:
    """Told as one of a kind, "rash is a common side effect", where the list of that kind leaves it out."""
    found = _IS_A.match(view.claim.text)
    if found is None or _denies(view):
        return
    thing = _content([w for w in view.claim.words if found.start("thing") <= w.start < found.end("thing")])
    name = _content([w for w in view.claim.words if found.start("name") <= w.start < found.end("name")])
    if not thing or len(name) < 2:  # noqa: PLR2004 - one word names too many things
        return
    holding = [(p, s) for p, s in view.sentences if all(w.stem in s.terms for w in name)]
    for passage, sentence in holding:
        listed = _LIST.search(sentence.text)
        if listed is None or any(_means(w.stem, sentence.terms) for w in thing):
            return
        before = {w.stem for w in sentence.words if w.start - sentence.start < listed.start()}
        if all(w.stem in before for w in name):
            yield _turned(ReasonCode.BINDING, thing[0], sentence.words[0], passage)
            return


# --- whose consent ---------------------------------------------------------------------------------

_GRANTS = frozenset("consent approval permission authorisation authorization agreement signature advice".split())  # noqa: SIM905 - a word list


def check_whose(view: View) -> Iterator[Finding]:
    """The consent "of the head" told as that of somebody else."""
    mine = _of(view.claim)
    given = [(p, owner) for p, s in view.sentences for word, owner in _of(s) if owner]
    for word, owner in mine:
        same = [(p, there) for p, there in given if any(_means(word.stem, {g.stem}) for g, _ in _of_all(view))]
        if not owner or not same:
            continue
        head = owner[-1]
        if all(not any(_means(head.stem, {w.stem}) for w in there) for _, there in same):
            yield _turned(ReasonCode.BINDING, head, same[0][1][-1], same[0][0])
            return


def _of_all(view: View) -> list[tuple[Token, list[Token]]]:
    return [pair for _, s in view.sentences for pair in _of(s)]


def _of(sentence: Sentence) -> list[tuple[Token, list[Token]]]:
    """Each consent with the words after its "of" or "by", or with those of the genitive before it."""
    found = []
    for index, word in enumerate(sentence.words):
        if word.folded not in _GRANTS:
            continue
        after = sentence.words[index + 1 : index + 2]
        if after and after[0].folded in {"of", "by", "from"}:
            found.append((word, _until(sentence, index + 2, 3)))
        else:
            owner = [w for w in sentence.words[max(0, index - 3) : index] if w.folded.endswith(("'s", "s'", "’s"))]
            found.append((word, owner))
    return found


CHECKS = (check_way, check_doer, check_once, check_denied, check_barred, check_listed, check_whose)
