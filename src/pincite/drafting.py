"""Draft, check, and (once, if the policy says so) draft again: the middle of the flow.

A draft may come whole or bit by bit. Of one that comes bit by bit, a claim is judged as soon as nothing that may
follow can change it, and given out only if no policy could take it back; what is not given out early comes at the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pincite.accounts import account, settle
from pincite.cite import cite
from pincite.decide import decide, groundedness, releases_early
from pincite.errors import GeneratorError
from pincite.generate import MAX_DRAFT_CHARS, failed, generate, loop_start, settled, unusable
from pincite.protocols import Correctable, StreamingGenerator
from pincite.repair import correction, is_repairable
from pincite.stable import firm_prefix
from pincite.suspect import mark_claims
from pincite.types import Attempt, Checked, CitationStatus, Cited, Generation, ReasonCode
from pincite.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from collections.abc import Generator as Giving

    from pincite.config import Policy
    from pincite.protocols import Generator, Verifier
    from pincite.types import Citation, Claim, JudgedClaim, Passage, Prompt, Ruling

_ENDS = re.compile(r"[.!?…。！？।\n]")


class Watch(Protocol):
    """Who books the time of each part."""

    def lap(self, name: str) -> None:
        """The time since the last lap goes to ``name``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bench:
    """What a draft is made with and judged by."""

    generator: Generator
    verifier: Verifier
    policy: Policy
    question: str

    @property
    def strict(self) -> bool:
        """A model answers for every line it writes; the extractive composer's lines stand in the documents."""
        return takes_corrections(self.generator)


def takes_corrections(generator: Generator) -> bool:
    """Whether asking again can help. True of a generator that says nothing about it."""
    return not isinstance(generator, Correctable) or generator.takes_corrections


def check(
    text: str,
    passages: Sequence[Passage],
    labels: Mapping[str, str],
    *,
    verifier: Verifier,
    policy: Policy,
    question: str | None = None,
    strict: bool = False,
) -> Checked:
    """Cite, verify, decide, over passages that are at hand. ``labels`` maps what a marker may say to passage ids.

    ``strict`` holds lead-ins and headings to account and shows nothing but what is supported.
    """
    cited = cite(text, labels)

    def again(claim: Claim, some: Sequence[Passage]) -> JudgedClaim:
        return verify(Cited(text=text, claims=(claim,)), some, verifier, question=question)[0]

    if not strict:
        judged = mark_claims(verify(cited, passages, verifier, question=question), passages, again)
        return _checked(cited, judged, decide(judged, policy), verifier)
    held = account(cited, question or "")
    judged = settle(verify(held.cited, passages, verifier, question=question), held, question or "")
    judged = mark_claims(judged, passages, again)
    return _checked(cited, judged, decide(judged, policy, held.hangs_on), verifier)


def drafts(
    bench: Bench, prompt_for: Callable[[str | None], Prompt], watch: Watch, *, bit_by_bit: bool = False
) -> Iterator[Checked | Attempt]:
    """Each attempt in order, the last one the one that counts; before an attempt, the firm starts of its check.

    ``prompt_for`` makes the prompt, with a correction from the second attempt on. Closing the iterator cancels the
    model. A draft is written anew when claims fell, the rest does not answer, and the policy has attempts left.
    """
    told: str | None = None
    for left in range(bench.policy.max_regenerations, -1, -1):
        prompt = prompt_for(told)
        generation = yield from _generation(bench, prompt, bit_by_bit=bit_by_bit)
        watch.lap("generate")
        checked = _check(bench, prompt, generation.text)
        watch.lap("check")
        yield Attempt(prompt=prompt, generation=generation, checked=checked, strict=bench.strict)
        if not left or not needs_repair(bench, generation, checked):
            return
        told = correction(checked, {item.passage.passage_id: item.handle for item in prompt.handled})


def needs_repair(bench: Bench, generation: Generation, checked: Checked) -> bool:
    """Whether the draft fell in a way that another one may mend."""
    return bench.strict and generation.abstain_reason is None and is_repairable(checked)


def _check(bench: Bench, prompt: Prompt, text: str) -> Checked:
    return check(
        text,
        [item.passage for item in prompt.handled],
        {item.handle: item.passage.passage_id for item in prompt.handled},
        verifier=bench.verifier,
        policy=bench.policy,
        question=bench.question,
        strict=bench.strict,
    )


def _generation(bench: Bench, prompt: Prompt, *, bit_by_bit: bool) -> Giving[Checked, None, Generation]:
    """The draft, after the checks of its firm starts."""
    generator = bench.generator
    if not bit_by_bit or not prompt.handled or not isinstance(generator, StreamingGenerator):
        return generate(prompt, generator)
    text, whole, given_out = "", None, False
    stream = generator.stream(prompt)
    try:
        for piece in stream:
            if isinstance(piece, Generation):
                whole = piece
                break
            text += piece
            if len(text) > MAX_DRAFT_CHARS:
                break
            for firm in _firm(bench, prompt, text, piece):
                given_out = True
                yield firm
    except GeneratorError as exc:
        if not given_out:
            return failed(generator.name, exc)
        whole = Generation(text=text, generator=generator.name, finish_reason="length", notes=(str(exc),))
    finally:
        close = getattr(stream, "close", None)  # a plain iterator has nothing to cancel
        if close is not None:
            close()
    return settled(whole or Generation(text=text, generator=generator.name, finish_reason="length"))


def _firm(bench: Bench, prompt: Prompt, text: str, piece: str) -> Iterator[Checked]:
    """The check of what can no longer change, when a sentence may just have ended and the policy lets it go."""
    if not releases_early(bench.policy) or not _ENDS.search(text, max(0, len(text) - len(piece) - 1)):
        return
    if unusable(text) is not None:
        return
    firm = firm_prefix(text[: loop_start(text)], {item.handle: item.passage.passage_id for item in prompt.handled})
    if firm:
        yield _check(bench, prompt, firm)


def _checked(cited: Cited, judged: Sequence[JudgedClaim], ruling: Ruling, verifier: Verifier) -> Checked:
    everywhere = [*(c for item in judged for c in item.claim.citations), *cited.stray]
    return Checked(
        decision=ruling.decision,
        reasons=ruling.reasons,
        groundedness=groundedness(judged),
        text=cited.text,
        claims=tuple(judged),
        kept=ruling.kept,
        unresolved=tuple(c for c in everywhere if c.status is CitationStatus.UNRESOLVED),
        uncited=tuple(i for i, item in enumerate(judged) if _uncited(item)),
        needless=_needless(judged),
        verifier=verifier.info,
    )


def _uncited(item: JudgedClaim) -> bool:
    return any(reason.code is ReasonCode.UNCITED for reason in item.verdict.reasons)


def _needless(judged: Sequence[JudgedClaim]) -> tuple[Citation, ...]:
    return tuple(item.claim.citations[i] for item in judged for i in item.verdict.needless)
