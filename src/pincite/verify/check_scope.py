"""Does the claim say more than its sentence by leaving words out? "Some employees" is not "employees".

Dropping detail is fair ("bought a house in Oslo" lets "bought a house" stand); dropping what limits, denies or merely
reports is not, nor is dropping who a rule is for ("employees who have completed their probation may ...").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.types import ReasonCode
from pincite.verify.findings import Finding, View, Weight
from pincite.verify.judge import CAP_COVERAGE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.text.words import Token

_LIMITING = {
    ReasonCode.QUANTIFIER: frozenset(
        "only some few rarely seldom hardly barely scarcely sometimes occasionally nearly almost partly partially former".split()  # noqa: SIM905, E501 - a word list
    ),
    ReasonCode.NEGATION: frozenset(
        "nobody none never nothing unable impossible lack lacks refuse refuses refused fail fails failed cease ceased prohibited forbidden yet".split()  # noqa: SIM905, E501 - a word list
    ),
    ReasonCode.REPORTED_SPEECH: frozenset(
        "whether doubtful allegedly supposedly reportedly argument rejected rumoured myth planned".split()  # noqa: SIM905 - a word list
    ),
}
_CODE_OF = {word: code for code, words in _LIMITING.items() for word in words}
_FOR_WHOM = frozenset(
    "who whose with without in at under over outside inside holding having aged based hired employed on".split()  # noqa: SIM905 - a word list
)
_RULE_WORDS = frozenset("may must shall can should need needs receive receives get gets are is have has".split())  # noqa: SIM905 - a word list
_REVERSING = frozenset(
    [
        "myth",
        "false",
        "untrue",
        "repealed",
        "supposedly",
        "allegedly",
        "obsolete",
        "outdated",
        "misconception",
        "wrongly",
    ]
)
"""Words of a claim that turn round what follows; evidence that does not use them does not say the claim."""
_NOT_ONLY = re.compile(r"\bnot\s\Z", re.IGNORECASE)
"""Before a limiting word: "not only" limits nothing."""
_BREAK = re.compile(r"[;,]\s")
_MIN_SHARE = 0.8
"""Of the claim's content words in the anchor: below it the claim is no cut of this sentence."""


def check_reversal(view: View) -> Iterator[Finding]:
    """A conflict for a word of the claim that turns round what it repeats, as in "It is a myth that ..."."""
    if view.coverage < CAP_COVERAGE:
        return
    given = {word.folded for _, sentence in view.sentences for word in sentence.words}
    for word in view.claim.words:
        if word.folded in _REVERSING and word.folded not in given:
            yield Finding(
                code=ReasonCode.NEGATION,
                weight=Weight.CONFLICT,
                claim_value=view.claim.text[word.start : word.end],
                claim_range=(word.start, word.end),
            )


def check_scope(view: View) -> Iterator[Finding]:
    """A HARD finding for each word or group that limits the anchor's statement and that the claim leaves out."""
    terms = view.claim.terms
    if not terms or len(terms & view.anchor.terms) < _MIN_SHARE * len(terms):
        return
    said = {word.folded for word in view.claim.words} | {word.stem for word in view.claim.words}
    start, end = _own_clause(view)
    for word in view.anchor.words:
        code = _CODE_OF.get(word.folded)
        at = word.start - view.anchor.start
        if code is None or _NOT_ONLY.search(view.anchor.text, 0, at):
            continue
        if start <= at < end and word.folded not in said and word.stem not in said:
            yield _finding(view, code, word, word)
    group = _dropped_group(view, said)
    if group is not None:
        yield _finding(view, ReasonCode.CONDITION_DROPPED, *group)


def _own_clause(view: View) -> tuple[int, int]:
    """The clauses of the anchor that hold words of the claim, as one range."""
    text = view.anchor.text
    cuts = [0, *(found.end() for found in _BREAK.finditer(text)), len(text)]
    first: dict[str, int] = {}
    for word in view.anchor.words:
        if word.stem in view.claim.terms:
            first.setdefault(word.stem, word.start - view.anchor.start)
    held = sorted(first.values())
    if not held:
        return 0, 0
    starts = [cut for cut in cuts if cut <= held[0]]
    ends = [cut for cut in cuts if cut > held[-1]]
    return starts[-1], ends[0] if ends else len(text)


def _dropped_group(view: View, said: set[str]) -> tuple[Token, Token] | None:
    """What stands between a plural subject and its verb and says for whom the rule is: who, with, in ..."""
    words = view.anchor.words
    for number, word in enumerate(words[:-1]):
        follows = words[number + 1]
        plural = word.folded.endswith("s") and not word.is_stop
        if not plural or word.stem not in said or follows.folded not in _FOR_WHOM or follows.folded in said:
            continue
        rest = words[number + 1 :]
        verb = next((i for i, w in enumerate(rest) if i and w.folded in _RULE_WORDS and w.folded in said), None)
        if verb is not None and not any(w.stem in said for w in rest[:verb] if not w.is_stop):
            return rest[0], rest[verb - 1]
    return None


def _finding(view: View, code: ReasonCode, first: Token, last: Token) -> Finding:
    start = view.anchor.start
    return Finding(
        code=code,
        weight=Weight.HARD,
        evidence_value=view.anchor.text[first.start - start : last.end - start],
        evidence_range=(first.start, last.end),
        passage=view.anchor_passage,
    )
