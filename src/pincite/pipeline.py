"""The flow, one step after another. Everything it needs is handed in; nothing here opens, prints or guesses."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.answer import evidence_of, mark_superseded, related_documents, show_kept
from pincite.audit import plain
from pincite.cite import cite
from pincite.decide import decide, groundedness
from pincite.generate import FAILED, NO_PASSAGES, generate
from pincite.prompt import build_prompt
from pincite.retrieve import retrieve
from pincite.types import (
    Answer,
    Checked,
    Citation,
    CitationStatus,
    Cited,
    ClaimKind,
    Decision,
    DecisionReason,
    Generation,
    JudgedClaim,
    Passage,
    Query,
    ReasonCode,
    Version,
)
from pincite.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from pincite.audit import AuditLog
    from pincite.config import Policy, Settings
    from pincite.protocols import Embedder, Generator, Store, Verifier
    from pincite.retrieve import Retrieved
    from pincite.types import Prompt, Related, Ruling, Source

RECORD_SCHEMA = 1
REFUSAL = "The documents that you can read do not answer this question."
EMPTY_QUESTION = "The question is empty."
HAND_OVER = "This question needs a person: the answer could not be verified."


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """What one library runs on. ``clock`` gives the time with its zone, ``nonce`` an unpredictable word."""

    store: Store
    embedder: Embedder
    generator: Generator
    verifier: Verifier
    audit: AuditLog
    settings: Settings
    clock: Callable[[], datetime]
    nonce: Callable[[], str]
    product: str


@dataclass(kw_only=True, slots=True)
class Stopwatch:
    """Milliseconds spent in each step, by name."""

    timings_ms: dict[str, float] = field(default_factory=dict)
    _last_s: float = field(default_factory=time.perf_counter)

    def lap(self, name: str) -> None:
        """Book the time since the last lap under ``name``."""
        now_s = time.perf_counter()
        self.timings_ms[name] = round((now_s - self._last_s) * 1000, 3)
        self._last_s = now_s


def check(
    text: str,
    passages: Sequence[Passage],
    labels: Mapping[str, str],
    *,
    verifier: Verifier,
    policy: Policy,
    question: str | None = None,
) -> Checked:
    """Cite, verify, decide, over passages that are at hand. ``labels`` maps what a marker may say to passage ids."""
    cited = cite(text, labels)
    judged = verify(cited, passages, verifier, question=question)
    return _checked(cited, judged, decide(judged, policy), verifier)


def ask(query: Query, parts: Parts) -> Answer:
    """The whole flow. Returns only after the audit record is on the disk; raises AuditError when it cannot be."""
    watch = Stopwatch()
    retrieved = retrieve(query, store=parts.store, embedder=parts.embedder, settings=parts.settings.retrieve)
    watch.lap("retrieve")
    prompt = build_prompt(query.topic, retrieved.hits, nonce=parts.nonce(), query_vector=retrieved.query_vector)
    generation = generate(prompt, parts.generator)
    watch.lap("generate")
    passages = [item.passage for item in prompt.handled]
    labels = {item.handle: item.passage.passage_id for item in prompt.handled}
    checked = check(
        generation.text,
        passages,
        labels,
        verifier=parts.verifier,
        policy=parts.settings.policy,
        question=query.text,
    )
    watch.lap("check")
    answer = _answer(query, parts, retrieved=retrieved, generation=generation, checked=checked, watch=watch)
    record = parts.audit.append(_record(answer, parts, prompt, generation))
    return dataclasses.replace(answer, audit_id=record.audit_id)


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


def _answer(
    query: Query, parts: Parts, *, retrieved: Retrieved, generation: Generation, checked: Checked, watch: Stopwatch
) -> Answer:
    """Show what stands, or refuse with a next step."""
    by_id = {hit.passage.passage_id: hit.passage for hit in retrieved.hits}
    versions = _versions(query, parts.store, checked, by_id)
    shown = show_kept(checked.text, checked.claims, checked.kept, passages=by_id, versions=versions)
    decision, reasons = _outcome(query, parts.store, generation, checked, shown=shown.kept)
    stands = decision in {Decision.ANSWERED, Decision.PARTIAL}
    policy = parts.settings.policy
    watch.lap("answer")
    return Answer(
        query=query,
        decision=decision,
        reasons=reasons,
        text=shown.text if stands else _refusal(decision, reasons),
        sources=_dated(query, parts, shown.sources) if stands else (),
        checked=checked,
        next_step=None if stands else policy.next_step,
        related=() if stands else _related(query, parts.store, retrieved, limit=policy.max_related),
        retrieved=tuple(retrieved.hits),
        notes=(*retrieved.notes, *generation.notes),
        audit_id="",
        settings_fingerprint=parts.settings.fingerprint(),
        library_generation=retrieved.generation,
        timings_ms=watch.timings_ms,
    )


def _refusal(decision: Decision, reasons: tuple[DecisionReason, ...]) -> str:
    if decision is Decision.NEEDS_HUMAN:
        return HAND_OVER
    return EMPTY_QUESTION if DecisionReason.EMPTY_QUESTION in reasons else REFUSAL


def _versions(query: Query, store: Store, checked: Checked, by_id: Mapping[str, Passage]) -> dict[str, Version]:
    """The versions that the kept claims rest on, read again through the asker's view: gone is gone."""
    evidence = (e for i in checked.kept for e in evidence_of(checked.claims[i]))
    wanted = dict.fromkeys(by_id[e.passage_id].version_id for e in evidence)
    found = {version_id: store.version(version_id, query.view()) for version_id in wanted}
    return {version_id: version for version_id, version in found.items() if version is not None}


def _dated(query: Query, parts: Parts, sources: Sequence[Source]) -> tuple[Source, ...]:
    """Sources of a past version say since when they are past."""
    today, view = parts.clock().date(), query.view()
    return mark_superseded(sources, lambda document_id: parts.store.history(document_id, view), today)


def _related(query: Query, store: Store, retrieved: Retrieved, *, limit: int) -> tuple[Related, ...]:
    """Documents near the question that the asker can still open now."""
    passages = (hit.passage.passage_id for hit in retrieved.hits)
    return related_documents(store.passages(tuple(passages), query.view()), limit=limit)


def _outcome(
    query: Query, store: Store, generation: Generation, checked: Checked, *, shown: Sequence[int]
) -> tuple[Decision, tuple[DecisionReason, ...]]:
    """The decision on the answer: a reason to have none comes before what the check says of the draft."""
    if not query.text.strip():
        return Decision.ABSTAINED, (DecisionReason.EMPTY_QUESTION,)
    match generation.abstain_reason:
        case None:
            pass
        case reason if reason == NO_PASSAGES:
            empty = store.generation() == 0
            cause = DecisionReason.EMPTY_LIBRARY if empty else DecisionReason.NOTHING_RETRIEVED
            return Decision.ABSTAINED, (cause,)
        case reason if reason == FAILED:
            return Decision.NEEDS_HUMAN, (DecisionReason.GENERATOR_FAILED,)
        case _:
            return Decision.ABSTAINED, (DecisionReason.NOT_IN_PASSAGES,)
    conflict = (DecisionReason.CONFLICT,) if generation.conflicting else ()
    if len(shown) < len(checked.kept):
        decision, reasons = _withdrawn(checked, shown)
        return decision, (*reasons, *conflict)
    return checked.decision, (*checked.reasons, *conflict)


def _withdrawn(checked: Checked, shown: Sequence[int]) -> tuple[Decision, tuple[DecisionReason, ...]]:
    """What rests on a document that was withdrawn since retrieval is dropped; the rest must still answer.

    It does when the claim that says what was asked, the first factual one, is still there: see ``decide``.
    """
    lost = tuple(reason for reason in checked.reasons if reason is not DecisionReason.ALL_SUPPORTED)
    first = next(i for i, item in enumerate(checked.claims) if item.claim.kind is ClaimKind.FACTUAL)
    if first in shown:
        dropped = (DecisionReason.CLAIMS_DROPPED,)
        return Decision.PARTIAL, lost if dropped[0] in lost else (*lost, *dropped)
    return Decision.ABSTAINED, (*lost, DecisionReason.NOTHING_RETRIEVED)


def _record(answer: Answer, parts: Parts, prompt: Prompt, generation: Generation) -> dict[str, object]:
    """Everything a person needs to defend the answer later, and a replay to repeat its verdicts."""
    return {
        "schema": RECORD_SCHEMA,
        "kind": "ask",
        "at": parts.clock().isoformat(),
        "product": parts.product,
        "embedder": parts.embedder.name,
        "generator": parts.generator.name,
        "settings": plain(parts.settings),
        "prompt": {"system": prompt.system, "user": prompt.user},
        "handles": {item.handle: item.passage.passage_id for item in prompt.handled},
        "generation": plain(generation),
        "answer": plain(answer),
    }
