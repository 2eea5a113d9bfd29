"""Claims: statements, their citations, and our judgement of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from pincite.types.documents import Passage, Run


class ClaimKind(StrEnum):
    """Only factual claims must cite."""

    FACTUAL = "factual"
    GUIDANCE = "guidance"
    META = "meta"
    QUESTION = "question"


class CitationStatus(StrEnum):
    """Whether a marker points at a passage that was given."""

    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True, kw_only=True, slots=True)
class Citation:
    """A claim's pointer to a passage, or a pointer that leads nowhere, kept with the raw marker.

    One marker such as ``[1, 3]`` yields two citations with the same ``raw`` and range.
    """

    raw: str
    start: int
    end: int
    status: CitationStatus
    passage_id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """One statement of the answer.

    ``text`` is its words without markers and markup; ``start``/``end`` its
    range in the answer, markers included when they stand inside it. ``runs`` map ranges of ``text`` to
    the answer (``source_start``), for findings to be shown in place.
    """

    text: str
    start: int
    end: int
    kind: ClaimKind
    citations: tuple[Citation, ...] = ()
    runs: tuple[Run, ...] = field(default=(), repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Cited:
    """The cite step's whole result: claims in order, and markers that belong to no claim."""

    text: str
    claims: tuple[Claim, ...]
    stray: tuple[Citation, ...] = ()


class VerdictLabel(StrEnum):
    """Our judgement of one claim. UNVERIFIED never counts as supported."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    MISATTRIBUTED = "misattributed"
    NOT_CHECKABLE = "not_checkable"
    UNVERIFIED = "unverified"


class ReasonCode(StrEnum):
    """Why a claim does not stand, or how a derived one does; machine-readable."""

    NUMBER_MISMATCH = "number_mismatch"
    NUMBER_MISSING = "number_missing"
    UNIT = "unit"
    CURRENCY = "currency"
    DATE = "date"
    RANGE = "range"
    NEGATION = "negation"
    ANTONYM = "antonym"
    DIRECTION = "direction"
    ENTITY = "entity"
    MODALITY = "modality"
    QUANTIFIER = "quantifier"
    CONDITION_DROPPED = "condition_dropped"
    CONDITION_ADDED = "condition_added"
    ROLE_SWAP = "role_swap"
    BINDING = "binding"
    REPORTED_SPEECH = "reported_speech"
    EXTRA_DETAIL = "extra_detail"
    LOW_COVERAGE = "low_coverage"
    NO_EVIDENCE = "no_evidence"
    UNCITED = "uncited"
    UNRESOLVED_CITATION = "unresolved_citation"
    OTHER_PASSAGE = "other_passage"
    UNCERTAIN = "uncertain"
    LANGUAGE = "language"
    VERIFIER_ERROR = "verifier_error"
    VERBATIM = "verbatim"
    FOLDED = "folded"
    CONVERTED = "converted"
    DERIVED = "derived"
    OVERRIDDEN = "overridden"
    SCREENED = "screened"


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """The clause-complete range that a verdict rests on; ``quote`` is the version's text in that range."""

    passage_id: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Reason:
    """One finding with both values and both ranges.

    ``claim_start``/``claim_end`` lie in the *answer* text once the verify step has placed them (in the
    claim text while inside a Verifier). ``evidence_start``/``evidence_end`` are document offsets.
    """

    code: ReasonCode
    claim_value: str | None = None
    evidence_value: str | None = None
    claim_start: int | None = None
    claim_end: int | None = None
    passage_id: str | None = None
    evidence_start: int | None = None
    evidence_end: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """What a Verifier judges: one claim against passages taken together (joint support)."""

    claim: str
    passages: tuple[Passage, ...]
    question: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """A Verifier's word on one Pair. Never MISATTRIBUTED: that needs the other passages and is the step's."""

    label: VerdictLabel
    support_prob: float | None
    evidence: tuple[Evidence, ...] = ()
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """The verify step's word on one claim.

    ``citation_labels`` runs parallel to ``claim.citations``: what each
    citation is worth by itself. ``needless`` are indices of citations that can go without changing it.
    """

    label: VerdictLabel
    support_prob: float | None = None
    evidence: tuple[Evidence, ...] = ()
    reasons: tuple[Reason, ...] = ()
    better_citation: str | None = None
    citation_labels: tuple[VerdictLabel, ...] = ()
    needless: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class VerifierInfo:
    """Which verifier spoke; ``fingerprint`` changes whenever any verdict could."""

    name: str
    version: str
    fingerprint: str


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedClaim:
    """A claim with its verdict."""

    claim: Claim
    verdict: Verdict
