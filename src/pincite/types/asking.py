"""Asking: who asks what from which view, what was retrieved, and what a generator was given and wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from pincite.types.documents import EVERYONE, Passage


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
class Turn:
    """An earlier question of this conversation and the answer that was shown, without its markers."""

    question: str
    answer: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """An approved question and answer that shapes the form of this one; ``answer`` carries no handle of this prompt."""

    question: str
    answer: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """Where a question stands in a conversation.

    ``asked`` is what the person wrote; ``Query.text`` is the standalone question that it was read as. ``number`` counts
    from 1. ``turns`` go into the prompt and nowhere else. ``again`` names passages of an earlier answer that are read
    again, through the view, instead of a search; empty for a search.
    """

    conversation: str
    number: int
    asked: str
    turns: tuple[Turn, ...] = ()
    again: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """A question and the view it is asked from.

    ``searched`` is what to search for and answer when that is not all of ``text``: the question without the date that
    it is asked for. ``notes`` tell the reader how the question was read. ``said`` is set within a conversation.
    """

    text: str
    identity: Identity
    as_of: date
    attributes: Mapping[str, str] = field(default_factory=dict)
    searched: str | None = None
    notes: tuple[str, ...] = ()
    said: Said | None = None

    @property
    def topic(self) -> str:
        """What to search for and answer."""
        return self.text if self.searched is None else self.searched

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


class AnswerForm(StrEnum):
    """How a generator binds what it writes to passages; the rules in the prompt differ with it.

    MARKERS: free text with ``[handle]`` after each statement. SCHEMA: structured output
    ``{found, reason, statements: [{text, handles}]}``. NATIVE: the provider's own citations. Whatever the form,
    ``Generation.text`` is text with ``[handle]`` markers, so everything after the generator is the same.
    """

    MARKERS = "markers"
    SCHEMA = "schema"
    NATIVE = "native"


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """What a generator is given.

    ``system`` is the contract: the same for every question under the same settings, so that a provider can cache it.
    ``user`` is everything else in one message: fenced passages, the question between the same fences, and
    ``correction`` when there is one. ``examples`` and ``turns`` (oldest first) go between the two as earlier messages,
    by a generator that has messages. A generator with native citations sends ``handled`` and ``question`` itself
    instead of ``user``. ``correction`` says what was wrong with the last draft without repeating it.
    """

    question: str
    system: str
    user: str
    handled: tuple[Handled, ...]
    query_vector: tuple[float, ...] = field(default=(), repr=False)
    form: AnswerForm = AnswerForm.MARKERS
    examples: tuple[Example, ...] = ()
    turns: tuple[Turn, ...] = ()
    correction: str | None = None
    nonce: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class NativeSpan:
    """What a provider says a stretch of the draft rests on, in our offsets.

    ``start``/``end`` lie in ``Generation.text``; ``passage_start``/``passage_end`` in the text of the passage under
    ``handle``. It says what the model claims to have used, not that it is right: it is verified like any marker.
    """

    start: int
    end: int
    handle: str
    passage_start: int
    passage_end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Generation:
    """What a generator wrote: text with markers, or nothing with a reason (never an empty success).

    ``finish_reason`` is "stop", "length" (cut at the token limit: its last sentence is never shown) or the
    provider's own word. ``conflicting`` lists handles of cited passages that the generator found to disagree with
    each other; ``notes`` are sentences for the reader about how the draft came about. ``attempts`` counts requests to
    the provider, retries included; tokens and money are their sum, ``None`` where the provider does not say.
    """

    text: str
    generator: str
    finish_reason: str = "stop"
    abstain_reason: str | None = None
    answer_prob: float | None = None
    conflicting: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    model: str | None = None
    native: tuple[NativeSpan, ...] = ()
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    attempts: int = 1
