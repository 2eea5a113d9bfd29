"""Answers: the decision, and what every edge shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from pincite.types.asking import Generation, Hit, Prompt, Query
from pincite.types.claims import Citation, JudgedClaim, VerifierInfo
from pincite.types.documents import Location


class Decision(StrEnum):
    """What may be shown."""

    ANSWERED = "answered"
    PARTIAL = "partial"
    ABSTAINED = "abstained"
    NEEDS_HUMAN = "needs_human"


class DecisionReason(StrEnum):
    """Why the decision is what it is; machine-readable."""

    ALL_SUPPORTED = "all_supported"
    EMPTY_QUESTION = "empty_question"
    EMPTY_ANSWER = "empty_answer"
    EMPTY_LIBRARY = "empty_library"
    NOTHING_RETRIEVED = "nothing_retrieved"
    NOT_IN_PASSAGES = "not_in_passages"
    NO_FACTUAL_CLAIM = "no_factual_claim"
    MODEL_ABSTAINED = "model_abstained"
    GENERATOR_FAILED = "generator_failed"
    UNSUPPORTED_CLAIM = "unsupported_claim"
    CONTRADICTED_CLAIM = "contradicted_claim"
    MISATTRIBUTED_CLAIM = "misattributed_claim"
    UNVERIFIED_CLAIM = "unverified_claim"
    UNCITED_CLAIM = "uncited_claim"
    UNRESOLVED_CITATION = "unresolved_citation"
    CLAIMS_DROPPED = "claims_dropped"
    CONFLICT = "conflict"
    VERIFIER_UNAVAILABLE = "verifier_unavailable"
    REGENERATED = "regenerated"
    SCREENED_CLAIM = "screened_claim"


@dataclass(frozen=True, kw_only=True, slots=True)
class Ruling:
    """The decide step's result: the decision, its reasons, and which claims (by index) may be shown."""

    decision: Decision
    reasons: tuple[DecisionReason, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """An answer after check: every claim with its verdict, and the decision derived from them.

    ``groundedness`` is supported factual claims / factual claims, ``None`` when there is no factual claim.
    ``kept`` lists indices into ``claims`` of what may be shown under the policy.
    ``unresolved`` and ``needless`` list citations; ``uncited`` lists indices into ``claims``.
    """

    decision: Decision
    reasons: tuple[DecisionReason, ...]
    groundedness: float | None
    text: str
    claims: tuple[JudgedClaim, ...]
    kept: tuple[int, ...]
    unresolved: tuple[Citation, ...]
    uncited: tuple[int, ...]
    needless: tuple[Citation, ...]
    verifier: VerifierInfo


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """One numbered source of an answer: what is quoted, from which version, and where it stands.

    ``superseded_on``: the day, not later than today, on which the version ended or a later one of its document began;
    None for what is in force today.
    """

    number: int
    citation_id: str
    passage_id: str
    document_id: str
    version_id: str
    title: str
    version_label: str | None
    effective_from: date | None
    effective_to: date | None
    source_uri: str
    quote: str
    start: int
    end: int
    location: Location
    superseded_on: date | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Related:
    """A document offered with a refusal: one that this reader may open."""

    document_id: str
    title: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """One draft and its check. ``strict``: only what is supported may be shown of it, lead-ins and headings too."""

    prompt: Prompt = field(repr=False)
    generation: Generation
    checked: Checked
    strict: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Released:
    """A stretch of a streamed answer that has been verified; joined, they are the start of the Answer's text.

    ``sources`` are those that this stretch is the first to name.
    """

    text: str
    sources: tuple[Source, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What ``ask`` returns and every edge shows.

    ``text`` holds only what may be shown, with markers ``[n]`` that are numbers of ``sources``; it is the
    refusal text when the decision is ABSTAINED. ``checked`` is the check of the whole draft.
    ``rejected`` are drafts that no asker may see, oldest first, for the person who decides: edges show them only to a
    reviewer.
    """

    query: Query
    decision: Decision
    reasons: tuple[DecisionReason, ...]
    text: str
    sources: tuple[Source, ...]
    checked: Checked
    next_step: str | None
    related: tuple[Related, ...]
    retrieved: tuple[Hit, ...]
    notes: tuple[str, ...]
    audit_id: str
    settings_fingerprint: str
    library_generation: int
    timings_ms: Mapping[str, float]
    rejected: tuple[Attempt, ...] = ()
