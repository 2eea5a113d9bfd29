"""Any model that reads a premise and a claim, as a Verifier over passages of any length.

Every passage is read in windows that end with a sentence where one ends in reach; windows overlap by about a quarter;
the highest probability counts. When several passages are given together, one more premise holds them all, or, when
that is too long, the sentences of each that share most of the claim's words. The claim is never cut.
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pincite.adapters.verifiers.unavailable import failed, from_nothing
from pincite.errors import PinciteError
from pincite.text.sentences import sentences
from pincite.text.words import content_terms
from pincite.types import Evidence, Judgement, Reason, ReasonCode, VerdictLabel, VerifierInfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.adapters.verifiers.labels import Probs
    from pincite.config import VerifySettings
    from pincite.types import Pair, Passage

VERSION = "1"
_LEAST_PREMISE_TOKENS = 8
_OVERLAP = 4
_MARGIN_TOKENS = 4
"""A window's text can fall into a few more tokens than it had inside its passage."""


class PairModel(Protocol):
    """A premise and a claim in, probabilities out; one pair at a time, so that no neighbour can change a number."""

    @property
    def info(self) -> VerifierInfo:
        """Name, version, fingerprint of files and label order."""

    @property
    def room_tokens(self) -> int:
        """Tokens that premise and claim may have together, special ones and any template taken off."""

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Character range of every token, without special ones and without a cut."""

    def probs(self, premise: str, claim: str) -> Probs:
        """What the model says.

        Raises:
            PinciteError: when the model's files are missing or do not fit together.
        """


class _Premise(NamedTuple):
    """Text to read, and the ranges of passages (index, start, end) that it is made of."""

    text: str
    places: tuple[tuple[int, int, int], ...]


class WindowedVerifier:
    """A PairModel behind the Verifier protocol.

    ``support_prob`` is the highest support of any window: the model's own figure, not calibrated by us. At or over
    ``accept_prob`` and over every contradiction: SUPPORTED. A contradiction of 0.5 or more that is over the support:
    CONTRADICTED. Under ``reject_prob``: UNSUPPORTED. Between: UNVERIFIED, uncertain. A model whose files are missing,
    or a claim longer than the model reads, gives UNVERIFIED with a verifier_error that says so. Time is linear in the
    passages' length.
    """

    def __init__(self, model: PairModel, *, settings: VerifySettings) -> None:
        self._model = model
        self._settings = settings

    @property
    def info(self) -> VerifierInfo:
        """The model's, with the thresholds in the version.

        Raises:
            PinciteError: when the model's files are missing.
        """
        one = self._model.info
        limits = f"{self._settings.reject_prob:g}-{self._settings.accept_prob:g}"
        return VerifierInfo(
            name=one.name, version=f"{VERSION}/{limits}", fingerprint=f"{one.fingerprint}-{VERSION}-{limits}"
        )

    def ready(self) -> None:
        """Load the model and read one pair.

        Raises:
            PinciteError: when it cannot judge.
        """
        self._model.probs("ready", "ready")

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """In order, each by itself."""
        try:
            return [from_nothing(pair) or self._judge(pair) for pair in pairs]
        except PinciteError as exc:
            return [failed(f"{exc}. {exc.hint}".strip()) for _ in pairs]

    def _judge(self, pair: Pair) -> Judgement:
        claim = clean(pair.claim).strip()
        passages = sorted(pair.passages, key=lambda one: (one.text, one.passage_id))
        used = len(self._model.offsets(claim))
        budget = self._model.room_tokens - used - _MARGIN_TOKENS
        if budget < _LEAST_PREMISE_TOKENS:
            return failed(f"the claim has {used} tokens; the model reads {self._model.room_tokens} with its evidence")
        premises = self._premises(claim, passages, budget)
        read = [(premise, self._model.probs(premise.text, claim)) for premise in premises]
        best = max(read, key=lambda one: one[1].support)
        against = max(read, key=lambda one: one[1].contradiction)
        support, contradiction = best[1].support, against[1].contradiction
        label = self._label(support, contradiction)
        telling = against[0] if label is VerdictLabel.CONTRADICTED else best[0]
        shown = self._smallest(telling, claim, passages, label)
        return Judgement(
            label=label, support_prob=support, evidence=_evidence(shown, passages), reasons=_reasons(label)
        )

    def _label(self, support: float, contradiction: float) -> VerdictLabel:
        if contradiction > support and contradiction >= _CONTRADICTED:
            return VerdictLabel.CONTRADICTED
        if support >= self._settings.accept_prob:
            return VerdictLabel.SUPPORTED
        return VerdictLabel.UNSUPPORTED if support < self._settings.reject_prob else VerdictLabel.UNVERIFIED

    def _premises(self, claim: str, passages: Sequence[Passage], budget: int) -> list[_Premise]:
        alone = [
            _Premise(clean(passage.text[start:end]), ((index, start, end),))
            for index, passage in enumerate(passages)
            for start, end in windows(self._model.offsets(clean(passage.text)), passage.text, budget)
        ]
        filled = sum(1 for passage in passages if passage.text.strip())
        return [*alone, self._joint(claim, passages, budget)] if filled > 1 else alone

    def _joint(self, claim: str, passages: Sequence[Passage], budget: int) -> _Premise:
        """The sentences of all passages that share most of the claim's words, in order, as many as there is room."""
        wanted = set(content_terms(claim))
        units = [(i, s.start, s.end) for i, passage in enumerate(passages) for s in sentences(passage.text)]
        texts = [clean(passages[i].text[start:end]) for i, start, end in units]
        shared = [len(wanted & set(content_terms(text))) for text in texts]
        left, kept = budget, []
        for n in sorted(range(len(units)), key=lambda n: (-shared[n], n)):
            size = len(self._model.offsets(texts[n])) + 1
            if size <= left:
                kept.append(n)
                left -= size
            if left < _LEAST_PREMISE_TOKENS:
                break
        kept.sort()
        return _Premise(" ".join(texts[n] for n in kept), tuple(units[n] for n in kept))

    def _smallest(self, premise: _Premise, claim: str, passages: Sequence[Passage], label: VerdictLabel) -> _Premise:
        """The one sentence that shares most words with the claim when it alone gives the same label; else all."""
        wanted = set(content_terms(claim))
        units = [
            (i, start + s.start, start + s.end)
            for i, start, end in premise.places
            for s in sentences(passages[i].text[start:end])
        ]
        if len(units) <= 1:
            return premise
        texts = [clean(passages[i].text[start:end]) for i, start, end in units]
        best = max(range(len(units)), key=lambda n: (len(wanted & set(content_terms(texts[n]))), -n))
        alone = self._model.probs(texts[best], claim)
        keeps = self._label(alone.support, alone.contradiction) is label
        return _Premise(texts[best], (units[best],)) if keeps else premise


_CONTRADICTED = 0.5


def windows(offsets: Sequence[tuple[int, int]], text: str, budget: int) -> list[tuple[int, int]]:
    """Character ranges of at most ``budget`` tokens that cover all tokens; none for a text without tokens."""
    if not offsets:
        return []
    starts = [start for start, _ in offsets]
    cuts = sorted({bisect.bisect_left(starts, s.start) for s in sentences(text)} | {0, len(offsets)})
    found, at = [], 0
    while True:
        if at + budget >= len(offsets):
            found.append((offsets[at][0], offsets[-1][1]))
            return found
        stop = cuts[bisect.bisect_right(cuts, at + budget) - 1]
        stop = stop if stop > at else at + budget
        found.append((offsets[at][0], offsets[stop - 1][1]))
        back = cuts[bisect.bisect_left(cuts, stop - budget // _OVERLAP)]
        at = back if at < back < stop else stop


def clean(text: str) -> str:
    """Lone surrogates, which no tokenizer takes, as the replacement character: as many characters as before."""
    return "".join("\ufffd" if "\ud800" <= ch <= "\udfff" else ch for ch in text)


def _evidence(premise: _Premise, passages: Sequence[Passage]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            passage_id=passages[i].passage_id, start=passages[i].start + start, end=passages[i].start + end,
            quote=passages[i].text[start:end],
        )
        for i, start, end in premise.places
    )  # fmt: skip


def _reasons(label: VerdictLabel) -> tuple[Reason, ...]:
    codes = {VerdictLabel.UNVERIFIED: ReasonCode.UNCERTAIN, VerdictLabel.UNSUPPORTED: ReasonCode.LOW_COVERAGE}
    return (Reason(code=codes[label]),) if label in codes else ()
