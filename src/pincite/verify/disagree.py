"""Whether two statements contradict each other: the verifier judges each against the other, both ways.

That alone takes what is said of dinner to contradict what is said of breakfast. So a pair is only a disagreement when
nothing tells that the two speak of different things: a name, a word that stands in the other's place, a condition,
an example, headings of two plans or of two years. Chosen on the dev half of
benchmarks/quality/cases/conflict_pairs.jsonl by benchmarks/quality/conflicts.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.text.words import content_terms, idf
from pincite.types import Judgement, Pair, ReasonCode, VerdictLabel
from pincite.verify.analysis import analyse_claim
from pincite.verify.changes import ChangeKind, compare_statements
from pincite.verify.opposites import ANTONYMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.protocols import Verifier
    from pincite.types import Passage, Reason

MIN_COMMON = 0.5
"""Least share, weighted by rarity, of the shorter statement's words (values aside) that the other must have."""
MIN_COMMON_WORDS = 2
_VALUES = frozenset(
    {ReasonCode.NUMBER_MISMATCH, ReasonCode.DATE, ReasonCode.RANGE, ReasonCode.UNIT, ReasonCode.CURRENCY}
)
_SENSE = frozenset({ReasonCode.NEGATION, ReasonCode.ANTONYM, ReasonCode.MODALITY})
_CONDITIONS = frozenset({ReasonCode.CONDITION_DROPPED, ReasonCode.CONDITION_ADDED})
_VERBS = frozenset({"is", "are", "was", "were", "be", "has", "have", "had", "do", "does", "did", "can", "cannot"})
_MODALS = frozenset({"may", "must", "shall", "should", "will", "would", "might", "need"})
_BARRED = re.compile(
    r"\b(?:not\s+possible|impossible|cannot|can\s+not|can't|may\s+not|must\s+not|forbidden|prohibited)\b", re.IGNORECASE
)
_CASE = re.compile(r"\b(?:where|when|if|unless|provided|except)\b", re.IGNORECASE)
_EXAMPLE = re.compile(
    r"\b(?:for\s+(?:example|instance)|e\.\s?g\.|examples?|illustrat\w+|suppose|imagine)", re.IGNORECASE
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Disagreement:
    """Why two statements cannot both hold: one of each reason, and the words on either side where there are some.

    ``common_share`` is the share of common words, weighted by rarity, from 0 to 1.
    """

    code: ReasonCode
    left_value: str | None
    right_value: str | None
    common_share: float


def common_share(left: str, right: str) -> float:
    """The share of the shorter statement's words, values aside, that the other has too; 0.0 under two words."""
    mine, theirs = _terms(left), _terms(right)
    both = mine & theirs
    if len(both) < MIN_COMMON_WORDS:
        return 0.0
    least = min(sum(map(idf, mine)), sum(map(idf, theirs)))
    return min(1.0, sum(map(idf, both)) / least) if least > 0 else 0.0


def disagreements(pairs: Sequence[tuple[Passage, Passage]], verifier: Verifier) -> list[Disagreement | None]:
    """For each pair of passages that hold one statement each, in order: how they disagree, or None.

    Scopes and dates are not looked at: see ``pincite.scope``. What the verifier cannot judge is no disagreement.
    """
    able = [index for index, (left, right) in enumerate(pairs) if _comparable(left, right)]
    asked = [
        Pair(claim=one.text, passages=(other,))
        for index in able
        for one, other in (pairs[index], (pairs[index][1], pairs[index][0]))
    ]
    judged = list(verifier.judge(asked)) if asked else []
    found: list[Disagreement | None] = [None] * len(pairs)
    for place, index in enumerate(able):
        left, right = pairs[index]
        found[index] = _disagreement(left.text, right.text, judged[2 * place], judged[2 * place + 1])
    return found


def _comparable(left: Passage, right: Passage) -> bool:
    if common_share(left.text, right.text) < MIN_COMMON or _headed_apart(left, right):
        return False
    if _subjects_apart(left.text, right.text) or _cases_apart(left.text, right.text):
        return False
    texts = (text for one in (left, right) for text in (one.text, *one.heading_path))
    return not any(_EXAMPLE.search(text) for text in texts)


def _headed_apart(left: Passage, right: Passage) -> bool:
    """Headings of two years, or of two kinds of one thing ("Gold plan", "Silver plan")."""
    mine, theirs = _headings(left), _headings(right)
    years = set(_YEAR.findall(mine)), set(_YEAR.findall(theirs))
    if all(years) and not years[0] & years[1]:
        return True
    a, b = content_terms(_last(left)), content_terms(_last(right))
    kinds = set(a[:-1]), set(b[:-1])
    return bool(all(kinds) and a[-1] == b[-1] and not kinds[0] & kinds[1])


def _headings(passage: Passage) -> str:
    return "\n".join(passage.heading_path)


def _last(passage: Passage) -> str:
    return passage.heading_path[-1] if passage.heading_path else ""


def _disagreement(left: str, right: str, there: Judgement, back: Judgement) -> Disagreement | None:
    labels = {there.label, back.label}
    if VerdictLabel.CONTRADICTED not in labels or not labels <= {VerdictLabel.CONTRADICTED, VerdictLabel.UNSUPPORTED}:
        return None
    reasons = (*there.reasons, *back.reasons)
    codes = {reason.code for reason in reasons}
    if ReasonCode.ENTITY in codes or codes & _CONDITIONS or _other_condition(left, right):
        return None
    if _told_apart(there.reasons, back.reasons, codes):
        return None
    deciding = _deciding(there, back)
    if deciding is None or (deciding.code in _SENSE and _BARRED.search(left) and _BARRED.search(right)):
        return None
    return Disagreement(
        code=deciding.code,
        left_value=deciding.claim_value if deciding in there.reasons else deciding.evidence_value,
        right_value=deciding.evidence_value if deciding in there.reasons else deciding.claim_value,
        common_share=round(common_share(left, right), 4),
    )


def _deciding(there: Judgement, back: Judgement) -> Reason | None:
    """The first reason of a contradiction that says in what the two differ: a value first, then the sense."""
    reasons = [r for one in (there, back) if one.label is VerdictLabel.CONTRADICTED for r in one.reasons]
    values = [r for r in reasons if r.code in _VALUES and r.claim_value and r.evidence_value]
    sense = [r for r in reasons if r.code in _SENSE and r.claim_value != r.evidence_value]
    return next(iter([*values, *sense]), None)


def _other_condition(left: str, right: str) -> bool:
    return any(detail.kind is ChangeKind.CONDITION for detail in compare_statements(left, right))


def _told_apart(there: Sequence[Reason], back: Sequence[Reason], codes: set[ReasonCode]) -> bool:
    """Whether each has a word in the other's place that is not itself the whole difference.

    "The buyer pays", "the seller pays" is one; "£500 under 25", "£250 over 25" are two cases.
    """
    differs = bool(codes & _VALUES)
    opposite = {(r.claim_value, r.evidence_value) for r in (*there, *back) if r.code is ReasonCode.ANTONYM}
    negated = ReasonCode.NEGATION in codes
    if differs and (opposite or negated):
        return True
    mine = {(r.claim_value, r.evidence_value) for r in there if r.code is ReasonCode.EXTRA_DETAIL and r.evidence_value}
    theirs = {(r.evidence_value, r.claim_value) for r in back if r.code is ReasonCode.EXTRA_DETAIL and r.evidence_value}
    return bool((mine & theirs) - opposite)


def _subjects_apart(left: str, right: str) -> bool:
    """Whether each opens with a word that the other has nowhere: readers here, editors there.

    Buyer and seller are opposites: which of the two pays is the question itself.
    """
    mine, theirs = _opening(left) - _terms(right), _opening(right) - _terms(left)
    return any(not ANTONYMS.get(one, frozenset()) & theirs for one in mine) if mine and theirs else False


def _cases_apart(left: str, right: str) -> bool:
    """Whether each holds in a case of its own: "where the term exceeds ten years", "where it is less"."""
    mine, theirs = _CASE.search(left), _CASE.search(right)
    if mine is None or theirs is None:
        return False
    a, b = set(content_terms(left[mine.end() :])), set(content_terms(right[theirs.end() :]))
    return bool(a - b) and bool(b - a)


def _opening(text: str) -> frozenset[str]:
    """The content words before the first verb that can be told: a form of be, have or do, or a modal."""
    sentence = analyse_claim(text).sentences[0]
    words = [word for word in sentence.words if not word.is_number]
    verb = next((at for at, word in enumerate(words) if word.folded in _VERBS | _MODALS), 2)
    return frozenset(word.stem for word in words[:verb] if not word.is_stop) & _terms(text)


def _terms(text: str) -> frozenset[str]:
    sentence = analyse_claim(text).sentences[0]
    return sentence.terms - sentence.value_terms()
