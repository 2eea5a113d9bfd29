"""Is the value said of the right subject? A rule for starter customers is not one for enterprise customers.

The sentence that holds the claim's value may speak of another member of the same kind: the claim's phrase ("starter
customers") stands in another sentence, while here the same noun has another word before it ("enterprise customers").
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pincite.text.quantity_compare import AGREES, compare
from pincite.types import ReasonCode
from pincite.verify import lexicon
from pincite.verify.findings import Finding, View, Weight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.text.words import Token
    from pincite.verify.analysis import Sentence

_TELLING_STOPS = frozenset({"other", "another"})
"""Stop words that tell one member of a kind from another."""


def check_binding(view: View) -> Iterator[Finding]:
    """A conflict for each phrase of the claim whose value, or whose most, is said of another member of the kind."""
    claimed = {word.stem for word in view.claim.words}
    for first, second in pairwise(view.claim.words):
        if first.is_stop or second.is_stop or first.is_number or second.is_number:
            continue
        others = [sentence for _, sentence in view.sentences if _has(sentence, first, second)]
        for number, sentence in _deciding(view):
            if first.stem in sentence.terms or second.stem not in sentence.terms:
                continue
            rival = _rival(sentence, first, second, claimed)
            if rival is not None and (others or rival[0].folded in _TELLING_STOPS):
                yield _finding(view, (first, second), number, sentence, rival)


def _deciding(view: View) -> list[tuple[int, Sentence]]:
    """The sentences that hold the claim's values; where it has none that they hold, the anchor."""
    values = view.claim.values()
    holding = [
        (number, sentence)
        for number, sentence in view.sentences
        if any(compare(mine, given).relation in AGREES for mine in values for given in sentence.values())
    ]
    return holding or [view.sentences[0]]


def _finding(
    view: View, phrase: tuple[Token, Token], number: int, sentence: Sentence, rival: tuple[Token, Token]
) -> Finding:
    return Finding(
        code=ReasonCode.BINDING,
        weight=Weight.CONFLICT,
        claim_value=view.claim.text[phrase[0].start : phrase[1].end],
        evidence_value=sentence.text[rival[0].start - sentence.start : rival[1].end - sentence.start],
        claim_range=(phrase[0].start, phrase[1].end),
        evidence_range=(rival[0].start, rival[1].end),
        passage=number,
    )


def _rival(sentence: Sentence, first: Token, second: Token, claimed: set[str]) -> tuple[Token, Token] | None:
    """The noun with another telling word before it, if it never stands here without one."""
    near = lexicon.SYNONYMS.get(first.stem, frozenset())
    found = None
    for before, noun in zip((None, *sentence.words), sentence.words, strict=False):
        if noun.stem != second.stem:
            continue
        if before is None or before.is_number or before.stem in claimed or before.stem in near:
            return None
        if before.is_stop and before.folded not in _TELLING_STOPS:
            return None
        found = (before, noun)
    return found


def _has(sentence: Sentence, first: Token, second: Token) -> bool:
    return any(a.stem == first.stem and b.stem == second.stem for a, b in pairwise(sentence.words))
