"""A model's draft held to account: lead-ins and headings that state something are claims, too.

"Contractors are exempt from these:" above two true items states a third thing, and nobody has checked it. Such a
line takes the citations of what it announces and is judged like any claim. It is shown when it is supported. When it
is not, the items that are no sentences by themselves fall with it: they mean what the line makes them mean. A line that
only says again what was asked ("The refund window is as follows:") is not shown, and nothing hangs on it. Greetings,
offers and advice of a model are not shown either.

A sentence that opens with a word that points back ("They ...", "Otherwise ...") hangs on the claim before it: without
that claim it would point at another.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.text.words import stem, tokens
from pincite.types import ClaimKind, Reason, ReasonCode, VerdictLabel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pincite.types import Cited, Claim, JudgedClaim

_ITEM = re.compile(r"[ \t>]*(?:[-*+•]|[0-9]{1,3}[.)])[ \t]+|[ \t>]*\|")
_RUN_IN = re.compile(r"(.{4,160}?)[:：](?=\s)", re.DOTALL)
_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]")
_NEGATORS = frozenset("not no never none nor without except unless only cannot".split())  # noqa: SIM905
_PLAIN_STEMS = frozenset(
    stem(word)
    for word in [
        "following",
        "follow",
        "follows",
        "below",
        "here",
        "answer",
        "answers",
        "rule",
        "rules",
        "point",
        "points",
        "detail",
        "details",
        "summary",
        "list",
        "listed",
        "apply",
        "applies",
        "include",
        "includes",
        "document",
        "documents",
        "passage",
        "passages",
        "source",
        "sources",
        "provided",
        "question",
        "state",
        "states",
        "given",
    ]
)
_POINTS_BACK = re.compile(
    r"(?:it|its|they|their|them|this|these|those|that|such|he|she|his|her|otherwise|instead|then|there|both|neither|"
    r"the\s+(?:former|latter|same)|in\s+(?:that|this|such|these|those)\s+\w+|if\s+(?:so|not)|for\s+(?:this|that|these|those))\b",
    re.IGNORECASE,
)
_MIN_SENTENCE_WORDS = 4
_STOPS = (".", "!", "?", "…", "。", "！", "？", "।")


@dataclass(frozen=True, kw_only=True, slots=True)
class Account:
    """What is to be judged: announcements that state something have become factual; ``announced`` are their indices.

    ``hangs_on`` maps a claim (index) to the earlier one that it means nothing without.
    """

    cited: Cited
    hangs_on: Mapping[int, int]
    announced: frozenset[int]


def account(cited: Cited, question: str) -> Account:
    """Hold a draft to account. Claims keep their order, number and text."""
    claims = list(cited.claims)
    announced: set[int] = set()
    hangs_on: dict[int, int] = {}
    for index in range(len(claims)):
        items = _announced_by(cited, index)
        if items is not None:
            claims[index] = _held(claims[index], [cited.claims[i] for i in items], question)
            if claims[index].kind is ClaimKind.FACTUAL:
                announced.add(index)
                hangs_on.update({i: index for i in items if not _is_sentence(cited.claims[i].text)})
        elif _POINTS_BACK.match(claims[index].text) and claims[index].kind is ClaimKind.FACTUAL:
            before = next((i for i in range(index - 1, -1, -1) if claims[i].kind is ClaimKind.FACTUAL), None)
            if before is not None:
                hangs_on[index] = before
    return Account(
        cited=dataclasses.replace(cited, claims=tuple(claims)),
        hangs_on=hangs_on,
        announced=frozenset(announced),
    )


def settle(judged: Sequence[JudgedClaim], held: Account, question: str) -> tuple[JudgedClaim, ...]:
    """After judging: an announcement without support is no claim of the answer; its verdict stays, as the reason.

    A supported claim that runs on from an announcement in the same sentence ("Contractors are exempt from these: ...")
    loses its support when the announcement holds a word that neither the evidence nor the question has.
    """
    return tuple(
        dataclasses.replace(item, claim=dataclasses.replace(item.claim, kind=ClaimKind.META))
        if index in held.announced and item.verdict.label is not VerdictLabel.SUPPORTED
        else _without_loose_lead(item, question)
        for index, item in enumerate(judged)
    )


def _without_loose_lead(item: JudgedClaim, question: str) -> JudgedClaim:
    lead = _RUN_IN.match(item.claim.text)
    if lead is None or item.verdict.label is not VerdictLabel.SUPPORTED:
        return item
    quoted = " ".join(evidence.quote for evidence in item.verdict.evidence)
    if _says_again(lead[1], f"{question} {quoted}"):
        return item
    extra = Reason(code=ReasonCode.EXTRA_DETAIL, claim_value=lead[1])
    verdict = dataclasses.replace(
        item.verdict, label=VerdictLabel.UNSUPPORTED, reasons=(*item.verdict.reasons, extra), needless=()
    )
    return dataclasses.replace(item, verdict=verdict)


def _announced_by(cited: Cited, index: int) -> list[int] | None:
    """The claims that this line stands over; None when it is no lead-in, heading or header row."""
    claim = cited.claims[index]
    if claim.citations or index + 1 == len(cited.claims):
        return None
    line = _line(cited.text, claim.start)
    following = _line(cited.text, cited.claims[index + 1].start)
    listed = _ITEM.match(following) is not None and claim.end <= cited.claims[index + 1].start
    is_lead = listed and not _ITEM.match(line) and claim.text.rstrip().endswith((":", "："))
    is_header = listed and "|" in line and "|" in following and claim.kind is ClaimKind.META
    if not (is_lead or is_header or (_HEADING.match(line) and claim.kind is ClaimKind.META)):
        return None
    return _below(cited, index)


def _below(cited: Cited, index: int) -> list[int]:
    """The items that follow directly; under a heading without a list, the one claim that does."""
    found: list[int] = []
    if not _ITEM.match(_line(cited.text, cited.claims[index + 1].start)):
        return [index + 1]
    for i in range(index + 1, len(cited.claims)):
        line = _line(cited.text, cited.claims[i].start)
        if not _ITEM.match(line):
            break
        found.append(i)
    return found


def _held(claim: Claim, items: Sequence[Claim], question: str) -> Claim:
    if _says_again(claim.text, question):
        return dataclasses.replace(claim, kind=ClaimKind.META)
    borrowed = tuple({c.passage_id: c for item in items for c in item.citations if c.passage_id is not None}.values())
    return dataclasses.replace(claim, kind=ClaimKind.FACTUAL, citations=borrowed)


def _says_again(text: str, question: str) -> bool:
    """Whether the line holds no word of meaning beyond the question's, nor a denial that is not in it."""
    asked = {token.stem for token in tokens(question)}
    denied = {token.folded for token in tokens(question)} & _NEGATORS
    said = tokens(text)
    if {token.folded for token in said} & _NEGATORS - denied:
        return False
    return all(token.is_stop or token.stem in asked or token.stem in _PLAIN_STEMS for token in said)


def _is_sentence(text: str) -> bool:
    return text.rstrip().endswith(_STOPS) and len(text.split()) >= _MIN_SENTENCE_WORDS


def _line(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[start : end if end >= 0 else len(text)]
