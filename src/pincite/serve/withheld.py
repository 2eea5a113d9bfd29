"""What of an answer its asker may see. Drafts that did not stand, and claims that were dropped, are for a reviewer."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from pincite.pipeline import STANDS
from pincite.types import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.types import Answer, Checked, Citation, JudgedClaim

WITHHELD = "(withheld)"


def for_asker(answer: Answer) -> Answer:
    """The answer without any word of a model that is not in its text.

    A claim that is not shown keeps its place, kind, verdict and reason codes; its words, markers, values and evidence
    are gone, and its characters in ``checked.text`` are blanks, so that every offset still holds.
    """
    shown = frozenset(answer.checked.kept) if answer.decision in STANDS else frozenset[int]()
    return dataclasses.replace(answer, rejected=(), checked=_only(answer.checked, shown))


def _only(checked: Checked, shown: frozenset[int]) -> Checked:
    if len(shown) == len(checked.claims) and shown:
        return checked
    claims = tuple(item if i in shown else _without_words(item) for i, item in enumerate(checked.claims))
    ranges = [(item.claim.start, item.claim.end) for i, item in enumerate(checked.claims) if i in shown]
    return dataclasses.replace(
        checked,
        text=_blanked(checked.text, ranges),
        claims=claims,
        unresolved=_within(checked.unresolved, ranges),
        needless=_within(checked.needless, ranges),
    )


def _without_words(item: JudgedClaim) -> JudgedClaim:
    verdict = item.verdict
    return dataclasses.replace(
        item,
        claim=dataclasses.replace(item.claim, text=WITHHELD, citations=(), runs=()),
        verdict=dataclasses.replace(
            verdict,
            evidence=(),
            reasons=tuple(Reason(code=code) for code in dict.fromkeys(reason.code for reason in verdict.reasons)),
            better_citation=None,
            citation_labels=(),
            needless=(),
        ),
    )


def _blanked(text: str, ranges: Sequence[tuple[int, int]]) -> str:
    kept = [" "] * len(text)
    for start, end in ranges:
        kept[start:end] = text[start:end]
    return "".join(kept)


def _within(citations: Sequence[Citation], ranges: Sequence[tuple[int, int]]) -> tuple[Citation, ...]:
    """Every citation still counts; one outside what is shown loses the words of its marker."""
    return tuple(
        one if any(start <= one.start and one.end <= end for start, end in ranges) else dataclasses.replace(one, raw="")
        for one in citations
    )
