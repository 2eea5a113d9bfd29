"""The nouns. Frozen, keyword-only, standard library only; every step speaks in these.

All text ranges are half-open and count Unicode code points. Ranges named ``start``/``end`` on an
answer-side noun (Claim, Marker, Citation) lie in the answer text; on a document-side noun (Passage,
Block, Evidence) they lie in the canonical text of one Version. A passage handed to ``check`` without a
library counts as a Version of its own that starts at 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

EVERYONE = "everyone"
"""The principal that every identity of a tenant holds."""


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Span:
    """A half-open range of code points."""

    start: int
    end: int


# --- documents -------------------------------------------------------------------------------------


class BlockKind(StrEnum):
    """What one stretch of canonical text is, as far as the parser can tell."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_HEADER = "table_header"
    TABLE_ROW = "table_row"
    CODE = "code"
    QUOTE = "quote"
    CAPTION = "caption"
    PAGE_HEADER = "page_header"
    PAGE_FOOTER = "page_footer"
    FOOTNOTE = "footnote"
    RECORD = "record"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rect:
    """A rectangle on a page: PDF points, origin at the top left of the page as a viewer shows it."""

    page_index: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One table cell: its text range, its zero-based row and column, and the headers that govern it."""

    start: int
    end: int
    row: int
    column: int
    header: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A stretch of canonical text that is one heading, paragraph, list item, table row or record.

    Blocks are sorted by start and do not overlap. Text between blocks is only white space. A block of
    kind PAGE_HEADER, PAGE_FOOTER is kept in the text but never becomes part of a passage.
    ``heading_path`` runs from the outermost heading to the innermost that governs the block (a heading's
    own path ends with its parent). ``line`` is the 1-based line of the source where that means
    something (Markdown, text, CSV, JSON Lines).
    """

    start: int
    end: int
    kind: BlockKind
    heading_path: tuple[str, ...] = ()
    level: int | None = None
    page_index: int | None = None
    line: int | None = None
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """One page: ``index`` counts from 0, ``label`` is what is printed or declared ("iv"), if known.

    ``boxes`` holds a rectangle for every code point of ``text[start:end]`` in a compact form that
    ``pincite.text.layout`` writes and reads; empty when the format has no geometry.
    """

    index: int
    label: str | None
    start: int
    end: int
    width_pt: float
    height_pt: float
    rotation_deg: int = 0
    boxes: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """Canonical ``text[start:end]`` equals ``end - start`` code points of a source part from ``source_start``.

    ``part`` names the part: "" for a file that is one text, "word/document.xml#p12" for paragraph 12
    of a DOCX. Text that no run covers was put there by the parser (separators, list numbers).
    """

    start: int
    end: int
    source_start: int
    part: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """The layout map of one Version: where each character range of its text is to be found."""

    blocks: tuple[Block, ...] = ()
    pages: tuple[Page, ...] = ()
    runs: tuple[Run, ...] = field(default=(), repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Parsed:
    """What a Parser makes of one file: canonical text, layout, and what the file says about itself.

    ``metadata`` holds only what the file itself declares, under these keys when known: title,
    effective_from, effective_to (ISO dates), language, version_label, author, access (roles, comma-separated),
    supersedes, and attributes.KEY. ``flags`` names known
    weaknesses, e.g. "hidden_text_dropped", "low_quality_text:page 3", "needs_ocr:page 2".
    """

    text: str
    layout: Layout
    media_type: str
    parser: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Access:
    """Who may read.

    A principal in ``deny`` is refused whatever ``allow`` says; nobody else gets in unless in ``allow``.
    Principals are "everyone", "role:NAME", "group:NAME", "user:NAME".
    """

    allow: frozenset[str] = frozenset({EVERYONE})
    deny: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Version:
    """One immutable text of a document.

    ``version_id`` is derived from the hash of the original bytes, the parser version and everything here
    that changes what may be shown (document, tenant, dates, access, attributes). Effective dates are
    inclusive at the start and exclusive at the end; ``None`` means open.
    """

    version_id: str
    document_id: str
    tenant: str
    title: str
    text: str = field(repr=False)
    layout: Layout = field(repr=False)
    language: str
    media_type: str
    source_uri: str
    content_sha256: str
    parser: str
    ingested_at: datetime
    version_label: str | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    supersedes: str | None = None
    access: Access = Access()
    attributes: Mapping[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Passage:
    """A range of one Version's text: ``version.text[start:end] == text``, always.

    ``cells`` are those of the layout map that lie in the range (document offsets), so that a value in a
    table row keeps its column headers. ``ordinal`` counts passages of the version from 0;
    neighbours are ordinal - 1 and + 1. ``attributes`` are the version's.
    """

    passage_id: str
    text: str
    start: int = 0
    end: int
    version_id: str = ""
    document_id: str = ""
    ordinal: int = 0
    title: str = ""
    heading_path: tuple[str, ...] = ()
    kind: BlockKind = BlockKind.PARAGRAPH
    cells: tuple[Cell, ...] = ()
    language: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Location:
    """Where a range of a version is found by a person: page (index and printed label), heading, line, boxes."""

    page_index: int | None = None
    page_label: str | None = None
    heading_path: tuple[str, ...] = ()
    line: int | None = None
    rects: tuple[Rect, ...] = ()


# --- who asks what ---------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Identity:
    """Who asks. Comes from the edge (token, operating system user, flags), never from the question."""

    tenant: str = "default"
    user: str | None = None
    roles: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()

    def principals(self) -> frozenset[str]:
        """Every principal this identity holds, "everyone" included."""
        named = {f"role:{r}" for r in self.roles} | {f"group:{g}" for g in self.groups}
        if self.user is not None:
            named.add(f"user:{self.user}")
        return frozenset(named | {EVERYONE})


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """The one filter of every store query: what this identity may see, on this date, in this scope.

    A version is visible when its tenant is ``tenant``; one of ``principals`` is allowed and none denied;
    it is in force on ``as_of``; it is not removed nor superseded on that date; and for every key in ``attributes`` it
    carries the same value (case-insensitive) or does not carry the key at all.
    """

    tenant: str
    principals: frozenset[str]
    as_of: date
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """A question and the view it is asked from."""

    text: str
    identity: Identity
    as_of: date
    attributes: Mapping[str, str] = field(default_factory=dict)

    def view(self) -> View:
        """The store filter that this query may use, built only from identity and request."""
        return View(
            tenant=self.identity.tenant,
            principals=self.identity.principals(),
            as_of=self.as_of,
            attributes=self.attributes,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A retrieved passage with the ranks (from 1) that each index gave it; ``None`` where it was not found there.

    ``rank`` is the final, fused one. ``rrf`` is the reciprocal-rank sum (Cormack et al. 2009).
    """

    passage: Passage
    rank: int
    rrf: float
    bm25_rank: int | None = None
    bm25_score: float | None = None
    dense_rank: int | None = None
    cosine_sim: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Handled:
    """A passage under the short opaque handle it is shown by, for one request only."""

    handle: str
    passage: Passage


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """What a generator is given. ``system`` is the contract, ``user`` the fenced passages and the question."""

    question: str
    system: str
    user: str
    handled: tuple[Handled, ...]
    query_vector: tuple[float, ...] = field(default=(), repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Generation:
    """What a generator wrote: text with markers, or nothing with a reason (never an empty success).

    ``conflicting`` lists handles of cited passages that the generator found to disagree with each other;
    ``notes`` are sentences for the reader about how the draft came about.
    """

    text: str
    generator: str
    finish_reason: str = "stop"
    abstain_reason: str | None = None
    answer_prob: float | None = None
    conflicting: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


# --- claims, citations, verdicts -------------------------------------------------------------------


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


# --- decisions and answers -------------------------------------------------------------------------


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
    """One numbered source of an answer: what is quoted, from which version, and where it stands."""

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Related:
    """A document offered with a refusal: one that this reader may open."""

    document_id: str
    title: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What ``ask`` returns and every edge shows.

    ``text`` holds only what may be shown, with markers ``[n]`` that are numbers of ``sources``; it is the
    refusal text when the decision is ABSTAINED. ``checked`` is the check of the whole draft.
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
