"""Denials that leave the verb out, conditions of another rule, one kind told as all kinds, lead-ins that say more."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from pincite.text.words import idf
from pincite.types import ReasonCode
from pincite.verify import lexicon
from pincite.verify.check_polarity import negations
from pincite.verify.findings import Finding, Weight

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.text.words import Token
    from pincite.verify.analysis import Sentence
    from pincite.verify.findings import View

_AUXILIARY = r"(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|may|might|must|shall|should)"
_SHORT = re.compile(
    rf"(?:^|[,;:.]\s+)(?:(?:but|and|while|whereas|however,?)\s+)?(?P<subject>[^,;:.|]{{2,90}}?)\s+"
    rf"(?:(?P<denied>{_AUXILIARY}\s+not|{_AUXILIARY}n['’]t|cannot)|{_AUXILIARY})\s*(?=[.;,]|$)",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(
    r"(?:^|,\s+)(?:if|when|where|once|unless|in case|in the event|provided that|as long as|after)\b", re.IGNORECASE
)
_LEADING = re.compile(
    r"^(?:if|when|where|once|unless|in case|in the event|as long as)\b(?P<body>[^,]{3,120}),\s*", re.IGNORECASE
)
_REFERS_BACK = re.compile(
    r"\b(?:this|that case|these|those|such|then|in which case|otherwise|it|also|they)\b", re.IGNORECASE
)
_MOST, _LITTLE = 0.6, 0.25
_FEWEST_TERMS = 2


def check_short_denial(view: View) -> Iterator[Finding]:
    """The claim affirms of a thing what the sentence after says it "is not", or denies what it says it "is"."""
    claim_denies = bool(negations(view.claim)) or any(w.folded in lexicon.DENYING for w in view.claim.words)
    for number, sentence in (*view.sentences, *((view.anchor_passage, one) for one in view.after)):
        for found in _SHORT.finditer(sentence.text):
            subject = _content(sentence, found.start("subject"), found.end("subject"))
            denied = found["denied"] is not None
            if not subject or denied is claim_denies or not _told_of(view.claim, subject):
                continue
            if not denied and not negations(view.anchor):
                continue
            yield Finding(
                code=ReasonCode.NEGATION, weight=Weight.CONFLICT, evidence_value=found[0].strip(" ,;:."),
                evidence_range=(sentence.start + found.start("subject"), sentence.start + found.end()),
                passage=number, decisive=True,
            )  # fmt: skip
            return


def _content(sentence: Sentence, start: int, end: int) -> list[Token]:
    return [w for w in sentence.words if start <= w.start - sentence.start < end and not w.is_stop]


def _told_of(claim: Sentence, subject: Sequence[Token]) -> bool:
    """Whether every word of the subject is in the first part of the claim, where its subject stands."""
    words = [w for w in claim.words if not w.is_stop]
    first = {w.stem for w in words[: max(len(subject) + 1, len(words) // 2)]}
    return all(word.stem in first for word in subject)


def check_borrowed_condition(view: View) -> Iterator[Finding]:
    """The claim puts the condition of one rule in front of what another rule says, or of what none says."""
    lead = _LEADING.match(view.claim.text)
    if lead is None:
        return
    condition = [w for w in view.claim.words if lead.start("body") <= w.start < lead.end("body") and not w.is_stop]
    rest = [w for w in view.claim.words if w.start >= lead.end() and not w.is_stop]
    if len(condition) < _FEWEST_TERMS or len(rest) < _FEWEST_TERMS:
        return
    owner = max(view.sentences, key=lambda item: _share(condition, item[1]))
    if not _CONDITIONAL.search(owner[1].text) or _share(condition, owner[1]) < _MOST:
        return
    if _is_borrowed(view, owner[1], condition, rest):
        yield Finding(
            code=ReasonCode.CONDITION_ADDED, weight=Weight.HARD, claim_value=lead[0].strip(" ,"),
            evidence_value=owner[1].text, claim_range=(lead.start(), lead.end()),
            evidence_range=(owner[1].start, owner[1].end), passage=owner[0], decisive=True,
        )  # fmt: skip


def _is_borrowed(view: View, owner: Sentence, condition: Sequence[Token], rest: Sequence[Token]) -> bool:
    """Whether what follows from the condition in the claim stands in another sentence only, or in none."""
    if len(view.sentences) == 1:
        return _share(rest, owner) == 0.0
    rule = max((sentence for _, sentence in view.sentences), key=lambda one: _share(rest, one))
    if owner is rule or _REFERS_BACK.search(rule.text):
        return False
    apart = _share(condition, rule) <= _LITTLE and _share(rest, owner) <= _MOST
    return apart and _share(rest, rule) >= _MOST


def check_all_kinds(view: View) -> Iterator[Finding]:
    """What is said of one kind of a thing ("the Enterprise plan"), told of every kind ("any plan")."""
    for first, second in pairwise(view.claim.words):
        if first.folded not in _EVERY or second.is_stop or second.is_number:
            continue
        kinds = [
            before
            for before, noun in pairwise(view.anchor.words)
            if _same_noun(noun, second) and not before.is_stop and not before.is_number
        ]
        bare = [word for word in view.anchor.words if _same_noun(word, second)]
        said = {word.folded for _, sentence in view.sentences for word in sentence.words}
        if kinds and len(kinds) == len(bare) and not (said & _EVERY) and kinds[0].stem not in view.claim.terms:
            yield Finding(
                code=ReasonCode.QUANTIFIER, weight=Weight.CONFLICT, claim_value=first.folded,
                evidence_value=kinds[0].folded, claim_range=(first.start, second.end),
                evidence_range=(kinds[0].start, kinds[0].end), passage=view.anchor_passage,
            )  # fmt: skip
            return


def _same_noun(word: Token, other: Token) -> bool:
    """The same word, in the singular or plural: "nightly" is no night."""
    return word.folded.rstrip("s") == other.folded.rstrip("s")


_EVERY = frozenset("every any all each whatever whichever".split())  # noqa: SIM905 - a word list


def check_lead_in(view: View) -> Iterator[Finding]:
    """Words before a colon that say something of their own ("Contractors are exempt from these: ...")."""
    end = view.claim.text.find(": ")
    if end < 0:
        return
    lead = [w for w in view.claim.words if w.end <= end and not w.is_stop]
    unsaid = [w for w in lead if w.stem not in view.licensed and not w.is_number]
    if len(unsaid) >= _FEWEST_TERMS and len(unsaid) > len(lead) / 2:
        yield Finding(
            code=ReasonCode.EXTRA_DETAIL, weight=Weight.HARD, claim_value=view.claim.text[:end].strip(),
            claim_range=(unsaid[0].start, end), decisive=True,
        )  # fmt: skip


def _share(words: Sequence[Token], sentence: Sentence) -> float:
    """Share of the words, by rarity, that the sentence has or has a synonym of."""
    total = sum(idf(w.stem) for w in words)
    said = (w for w in words if w.stem in sentence.terms or _has_synonym(w.stem, sentence))
    return sum(idf(w.stem) for w in said) / total if total else 0.0


def _has_synonym(term: str, sentence: Sentence) -> bool:
    return not lexicon.SYNONYMS.get(term, frozenset()).isdisjoint(sentence.terms)


CHECKS = (check_short_denial, check_borrowed_condition, check_all_kinds, check_lead_in)
