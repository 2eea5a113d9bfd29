"""The seams: what an adapter must do. Each has a public conformance suite in ``pincite.testing``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pincite.types import Hit, Passage, Version

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pincite.types import (
        AnswerForm,
        Generation,
        Judgement,
        Pair,
        Parsed,
        Prompt,
        VerifierInfo,
        View,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class ParseLimits:
    """Caps that a parser may not pass; going over one is a ParseError with code "limit" or "too_large"."""

    max_file_bytes: int = 256 * 1024 * 1024
    max_text_chars: int = 20_000_000
    max_pages: int = 5_000
    max_expansion: int = 200
    cpu_s: int = 120
    memory_bytes: int = 2 * 1024**3


@runtime_checkable
class Parser(Protocol):
    """File bytes to canonical text and layout map. Deterministic; never reads the network or other files."""

    @property
    def name(self) -> str:
        """Name and version, e.g. "pdf/1": part of every version_id."""

    @property
    def media_types(self) -> frozenset[str]:
        """What it reads."""

    def parse(self, data: bytes, *, source_name: str, limits: ParseLimits) -> Parsed:
        """Parse one file. ``source_name`` is only for titles and messages.

        Raises:
            ParseError: with a code; never anything else for any bytes whatsoever.
        """


@runtime_checkable
class Embedder(Protocol):
    """Texts to unit vectors."""

    @property
    def name(self) -> str:
        """Name and version; stored with the library, which refuses to mix two."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    @property
    def max_tokens(self) -> int:
        """Longest input, special tokens included; longer texts are cut at the end."""

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimensions), rows of length 1; zero rows for empty texts. Order is kept."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Shape (dimensions,), length 1. The same text gives the same bits, in any batch."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without special tokens and without the cut."""


@runtime_checkable
class Reranker(Protocol):
    """Reorders hits by reading question and passage together."""

    @property
    def name(self) -> str:
        """Name and version."""

    def rerank(self, question: str, hits: Sequence[Hit]) -> list[Hit]:
        """The same hits, best first, ranks renumbered from 1."""


@runtime_checkable
class Generator(Protocol):
    """Writes a draft from a prompt. Whatever it writes is checked before anyone reads it."""

    @property
    def name(self) -> str:
        """Name and version."""

    @property
    def form(self) -> AnswerForm:
        """The form of evidence-bound output it is set up for: the prompt step writes its rules for it."""

    def generate(self, prompt: Prompt) -> Generation:
        """A draft whose statements carry markers ``[handle]`` of the prompt's handles, or an abstention.

        Raises:
            GeneratorError: when nothing usable came back.
        """


@runtime_checkable
class StreamingGenerator(Generator, Protocol):
    """A generator that also gives its draft bit by bit."""

    def stream(self, prompt: Prompt) -> Iterator[str | Generation]:
        """Pieces of the draft's text, cut anywhere, then one last item: the whole Generation.

        The pieces joined equal the Generation's text. Closing the iterator cancels the request at the provider.

        Raises:
            GeneratorError: from the iterator, at any piece.
        """


@runtime_checkable
class Correctable(Protocol):
    """What a generator may say of itself; one that says nothing is taken to heed corrections, as models do."""

    @property
    def takes_corrections(self) -> bool:
        """Whether ``Prompt.correction`` can change its draft. Where not, it is never asked again."""


@runtime_checkable
class Verifier(Protocol):
    """Says whether passages, taken together, say what a claim says. Deterministic, order-independent."""

    @property
    def info(self) -> VerifierInfo:
        """Name, version, fingerprint."""

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair, in order; independent of the other pairs in the batch.

        An empty claim, no passage, or passages without text never yield SUPPORTED. A pair that
        cannot be judged yields UNVERIFIED with a reason, not an exception.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One version on its way into a store: its passages in order and one vector row per passage."""

    version: Version
    passages: tuple[Passage, ...]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidates:
    """Two rankings of visible passages, best first, from one generation of the library.

    Hits carry bm25_* or cosine_sim/dense_rank only; ``rank`` equals the position in its own list.
    """

    lexical: tuple[Hit, ...]
    dense: tuple[Hit, ...]
    generation: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentSummary:
    """One document as a list shows it: its current visible version and how many versions are kept."""

    document_id: str
    title: str
    version_id: str
    version_label: str | None
    media_type: str
    source_uri: str
    effective_from: str | None
    effective_to: str | None
    attributes: Mapping[str, str]
    passage_count: int
    version_count: int


@runtime_checkable
class Store(Protocol):
    """Keeps versions and passages, answers filtered queries. One writer, many readers, across processes.

    Every reading method takes the View and applies it inside its query: what the view does not admit is
    absent from results, counts and errors alike. Writing methods are atomic: a call either is wholly
    durable when it returns, or changed nothing.
    """

    def put(self, entries: Sequence[Entry]) -> int:
        """Add versions (skipping version_ids already there and live), in one transaction; the new generation.

        Of the versions of one document in force on a date, only the one with the latest effective_from (then the
        latest ingested) is visible. A version without an effective_to ends where a later one of its document starts,
        and does not come back when that one ends. A version that another names in ``supersedes`` (by document_id
        or version_id) is not visible from that other's effective_from on.

        Raises:
            StoreError: and its kinds; nothing was changed.
        """

    def remove(self, tenant: str, document_id: str, *, at: datetime) -> int:
        """Tombstone a document: invisible from now on in every view, history kept. The new generation.

        Raises:
            NotFoundError: when the tenant has no such live document.
        """

    def remove_versions(self, tenant: str, version_ids: Collection[str], *, at: datetime) -> int:
        """Tombstone single versions as ``remove`` does whole documents; what is left of a document counts as before.

        Versions that are not there or not live are passed over. The generation, which stays when nothing was changed.
        """

    def search(self, text: str, vector: NDArray[np.float32] | None, view: View, *, limit: int) -> Candidates:
        """Up to ``limit`` best passages by BM25 and by cosine. An empty text or view yields empty lists."""

    def passages(self, passage_ids: Sequence[str], view: View) -> list[Passage]:
        """Those of the ids that are visible, in the order asked for."""

    def neighbours(self, passage_id: str, view: View, *, distance: int) -> list[Passage]:
        """Visible passages of the same version within ``distance`` ordinals, in order, itself included."""

    def version(self, version_id: str, view: View) -> Version | None:
        """The whole version, or None when there is none that this view may see."""

    def kept_version(self, version_id: str, view: View) -> Version | None:
        """The version whatever the date and attributes: a citation of superseded text stays open to who may read it.

        None when these principals may not read it, or when it was removed.
        """

    def history(self, document_id: str, view: View) -> list[Version]:
        """Every kept version of the document that these principals may read, whatever the date, oldest first."""

    def documents(self, view: View) -> list[DocumentSummary]:
        """Every visible document, sorted by document_id."""

    def attribute_values(self, view: View) -> dict[str, frozenset[str]]:
        """For each attribute key, the values that visible versions carry (the view's attributes are ignored)."""

    def known_versions(self, tenant: str) -> frozenset[str]:
        """Live version_ids of a tenant, for skipping unchanged files. For ingest only, never shown."""

    def known_documents(self, tenant: str) -> frozenset[str]:
        """Ids of a tenant's documents with a live version, whoever may read them. For ingest only, never shown."""

    def generation(self) -> int:
        """Grows by one with every change."""

    def integrity(self) -> list[str]:
        """Problems found by reading everything once; empty when all is well."""

    def iter_passages(self, view: View) -> Iterator[Passage]:
        """Every visible passage, by document_id and ordinal, streaming."""

    def close(self) -> None:
        """Release files; the object is unusable afterwards."""
