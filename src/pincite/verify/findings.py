"""What a check finds, and what the checks look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.types import ReasonCode
    from pincite.verify.analysis import Sentence


class Weight(IntEnum):
    """How much a finding means by itself.

    NOTE explains and never counts against; SOFT is one signal among others; HARD says that the claim,
    as worded, is not what this evidence says; CONFLICT that it says otherwise.
    """

    NOTE = 0
    SOFT = 1
    HARD = 2
    CONFLICT = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One finding. Claim range in the claim text; evidence range in the text of passage number ``passage``."""

    code: ReasonCode
    weight: Weight
    claim_value: str | None = None
    evidence_value: str | None = None
    claim_range: tuple[int, int] | None = None
    evidence_range: tuple[int, int] | None = None
    passage: int | None = None
    decisive: bool = False
    """Found by aligning a near copy: a HARD finding that decides however few word pairs are copied."""


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """A claim against one unit: its sentences with the passage each is from, the anchor (best one) first.

    ``licensed`` holds every stem of the unit, its context and their synonyms; ``context`` only title and headings.
    """

    claim: Sentence
    sentences: tuple[tuple[int, Sentence], ...]
    licensed: frozenset[str]
    context: frozenset[str] = frozenset()
    coverage: float = 0.0
    headers: dict[int, str] = field(default_factory=dict)
    after: tuple[Sentence, ...] = ()
    """The sentence that follows the anchor in its passage, if any: it may take back or limit what the anchor says."""
    around: tuple[Sentence, ...] = ()
    """Every sentence of the anchor's passage, in order: for labelled lines and "after that"."""
    joint: tuple[tuple[int, Sentence], ...] = ()
    """The sentences of the widest unit: a part of the evidence must not stand where the whole says otherwise."""

    @property
    def anchor(self) -> Sentence:
        """The sentence that has most of the claim."""
        return self.sentences[0][1]

    @property
    def anchor_passage(self) -> int:
        """The number of the passage that the anchor is from."""
        return self.sentences[0][0]
