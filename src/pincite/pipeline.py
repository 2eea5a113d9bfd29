"""The flow, one step after another. Everything it needs is handed in; nothing here opens, prints or guesses."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from pincite.answer import announced, evidence_of, mark_superseded, related_documents, show_kept
from pincite.audit import plain
from pincite.config import OnConflict, OnUnrepaired
from pincite.drafting import Bench, check, drafts, takes_corrections
from pincite.generate import FAILED, LOOPED, NO_PASSAGES, NO_TEXT, REFUSED
from pincite.prompt import build_prompt
from pincite.retrieve import retrieve
from pincite.suspect import marks_of, screen_notes
from pincite.text.screen import SCREEN_VERSION
from pincite.types import Answer, AnswerForm, Attempt, ClaimKind, Decision, DecisionReason, Passage, Released, Version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from pincite.answer import Shown
    from pincite.audit import AuditLog
    from pincite.config import Policy, Settings
    from pincite.protocols import Embedder, Generator, Store, Verifier
    from pincite.retrieve import Retrieved
    from pincite.types import Checked, Generation, Prompt, Query, Related, Source

__all__ = ["Parts", "ask", "ask_stream", "check"]

RECORD_SCHEMA = 2
REFUSAL = "The documents that you can read do not answer this question."
EMPTY_QUESTION = "The question is empty."
STANDS = frozenset({Decision.ANSWERED, Decision.PARTIAL})
REFUSALS = frozenset({REFUSED, "refused", "content_filter"})
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
    _begun_s: float = field(default_factory=time.perf_counter)

    def lap(self, name: str) -> None:
        """Book the time since the last lap under ``name``, added to what is there."""
        now_s = time.perf_counter()
        spent_ms = (now_s - self._last_s) * 1000
        self.timings_ms[name] = round(self.timings_ms.get(name, 0.0) + spent_ms, 3)
        self._last_s = now_s

    def first(self) -> None:
        """Note when the first verified stretch left, counted from the beginning; later calls change nothing."""
        self.timings_ms.setdefault("first_sentence", round((time.perf_counter() - self._begun_s) * 1000, 3))


def ask(query: Query, parts: Parts) -> Answer:
    """The whole flow. Returns only after the audit record is on the disk; raises AuditError when it cannot be."""
    return next(item for item in _flow(query, parts, bit_by_bit=False) if isinstance(item, Answer))


def ask_stream(query: Query, parts: Parts) -> Iterator[Released | Answer]:
    """The same flow, each verified stretch as soon as the policy lets it go, and the Answer last.

    The stretches joined are the Answer's text when it answers; there are none otherwise. Nothing that was given out is
    taken back: see ``decide.releases_early`` for the policies under which a stretch comes before the draft has ended.
    Closing the iterator early cancels the model, and leaves no record: no answer was given.
    """
    return _flow(query, parts, bit_by_bit=True)


def _flow(query: Query, parts: Parts, *, bit_by_bit: bool) -> Iterator[Released | Answer]:
    watch = Stopwatch()
    retrieved = retrieve(query, store=parts.store, embedder=parts.embedder, settings=parts.settings.retrieve)
    watch.lap("retrieve")
    policy = parts.settings.policy
    bench = Bench(generator=parts.generator, verifier=parts.verifier, policy=policy, question=query.text)
    attempts: list[Attempt] = []
    given = Given(text="", source_count=0)
    for item in drafts(bench, partial(_prompt, query, parts, retrieved), watch, bit_by_bit=bit_by_bit):
        if isinstance(item, Attempt):
            attempts.append(item)
            continue
        released = given.more(_shown(query, parts, item, retrieved)) if item.decision in STANDS else None
        if released is not None:
            watch.first()
            yield released
            given = given.after(released)
    answer = _answer(query, parts, retrieved=retrieved, attempts=attempts, watch=watch)
    record = parts.audit.append(_record(answer, parts, attempts))
    rest = given.more(answer) if bit_by_bit and answer.decision in STANDS else None
    if rest is not None:
        yield rest
    yield dataclasses.replace(answer, audit_id=record.audit_id)


def _prompt(query: Query, parts: Parts, retrieved: Retrieved, correction: str | None) -> Prompt:
    return build_prompt(
        query.topic,
        retrieved.hits,
        nonce=parts.nonce(),
        query_vector=retrieved.query_vector,
        form=getattr(parts.generator, "form", AnswerForm.MARKERS),
        turns=query.said.turns if query.said is not None else (),
        correction=correction,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """What a streamed answer has given out so far."""

    text: str
    source_count: int

    def more(self, shown: Shown | Answer) -> Released | None:
        """What comes next; nothing when the text does not go on from what was given out."""
        if not shown.text.startswith(self.text) or len(shown.text) == len(self.text):
            return None
        return Released(text=shown.text[len(self.text) :], sources=shown.sources[self.source_count :])

    def after(self, released: Released) -> Given:
        """With one stretch more."""
        return Given(text=self.text + released.text, source_count=self.source_count + len(released.sources))


def _shown(query: Query, parts: Parts, checked: Checked, retrieved: Retrieved) -> Shown:
    by_id = {hit.passage.passage_id: hit.passage for hit in retrieved.hits}
    versions = _versions(query, parts.store, checked, by_id)
    shown = show_kept(checked.text, checked.claims, checked.kept, passages=by_id, versions=versions)
    return dataclasses.replace(shown, sources=_dated(query, parts, shown.sources))


def _answer(
    query: Query, parts: Parts, *, retrieved: Retrieved, attempts: Sequence[Attempt], watch: Stopwatch
) -> Answer:
    """Show what stands, or refuse with a next step, or hand over with the drafts that nobody else may see."""
    policy, generation, checked = parts.settings.policy, attempts[-1].generation, attempts[-1].checked
    shown = _shown(query, parts, checked, retrieved)
    decision, reasons = _outcome(query, parts.store, generation, checked, shown=shown.kept)
    if len(attempts) > 1:
        decision, reasons = _after_repair(decision, reasons, attempts, policy)
    if policy.on_conflict is OnConflict.HAND_OVER and decision in STANDS and DecisionReason.CONFLICT in reasons:
        decision = Decision.NEEDS_HUMAN
    stands = decision in STANDS
    watch.lap("answer")
    return Answer(
        query=query,
        decision=decision,
        reasons=reasons,
        text=shown.text if stands else _refusal(decision, reasons),
        sources=shown.sources if stands else (),
        checked=checked,
        next_step=None if stands else policy.next_step,
        related=() if stands else _related(query, parts.store, retrieved, limit=policy.max_related),
        retrieved=tuple(retrieved.hits),
        notes=(
            *retrieved.notes,
            *generation.notes,
            *_screen_notes(parts, retrieved),
            *(_announced(query, parts, shown.sources) if stands else ()),
        ),
        audit_id="",
        settings_fingerprint=parts.settings.fingerprint(),
        library_generation=retrieved.generation,
        timings_ms=watch.timings_ms,
        rejected=tuple(attempts) if decision is Decision.NEEDS_HUMAN else tuple(attempts[:-1]),
    )


def _screen_notes(parts: Parts, retrieved: Retrieved) -> tuple[str, ...]:
    """What a person should look at among the documents: text that reads as an order to an assistant.

    The extractive composer says by itself what it passed over.
    """
    return screen_notes(hit.passage for hit in retrieved.hits) if takes_corrections(parts.generator) else ()


def _after_repair(
    decision: Decision, reasons: tuple[DecisionReason, ...], attempts: Sequence[Attempt], policy: Policy
) -> tuple[Decision, tuple[DecisionReason, ...]]:
    """A draft written anew that stands is the answer, so is an honest "not in the passages"; else a person decides."""
    silent = attempts[-1].generation.abstain_reason
    if decision in STANDS or (silent is not None and decision is Decision.ABSTAINED):
        return decision, (*reasons, DecisionReason.REGENERATED)
    why = tuple(dict.fromkeys([*attempts[0].checked.reasons, *reasons, DecisionReason.REGENERATED]))
    hands_over = policy.on_unrepaired is OnUnrepaired.HAND_OVER
    return (Decision.NEEDS_HUMAN if hands_over else Decision.ABSTAINED), why


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


def _announced(query: Query, parts: Parts, sources: Sequence[Source]) -> tuple[str, ...]:
    """What is cited and will soon be another version: said, with the day."""
    view, within_days = query.view(), parts.settings.retrieve.announce_days
    return announced(
        sources, lambda document_id: parts.store.history(document_id, view), query.as_of, within_days=within_days
    )


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
    if generation.abstain_reason is not None:
        return _without_draft(generation.abstain_reason, store)
    conflict = (DecisionReason.CONFLICT,) if generation.conflicting else ()
    if len(shown) < len(checked.kept):
        decision, reasons = _withdrawn(checked, shown)
        return decision, (*reasons, *conflict)
    return checked.decision, (*checked.reasons, *conflict)


def _without_draft(reason: str, store: Store) -> tuple[Decision, tuple[DecisionReason, ...]]:
    if reason == NO_PASSAGES:
        empty = store.generation() == 0
        return Decision.ABSTAINED, (DecisionReason.EMPTY_LIBRARY if empty else DecisionReason.NOTHING_RETRIEVED,)
    if reason in {FAILED, LOOPED, NO_TEXT}:
        return Decision.NEEDS_HUMAN, (DecisionReason.GENERATOR_FAILED,)
    return Decision.ABSTAINED, (
        DecisionReason.MODEL_ABSTAINED if reason in REFUSALS else DecisionReason.NOT_IN_PASSAGES,
    )


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


def _record(answer: Answer, parts: Parts, attempts: Sequence[Attempt]) -> dict[str, object]:
    """Everything a person needs to defend the answer later, and a replay to repeat its verdicts.

    ``prompt``, ``handles``, ``generation`` and ``strict`` are those of the attempt that counts; ``attempts`` holds the
    earlier ones in the same shape, each with its check.
    """
    return {
        "schema": RECORD_SCHEMA,
        "kind": "ask",
        "at": parts.clock().isoformat(),
        "product": parts.product,
        "embedder": parts.embedder.name,
        "generator": parts.generator.name,
        "settings": plain(parts.settings),
        "screen": {"version": SCREEN_VERSION, "marks": plain(marks_of(hit.passage for hit in answer.retrieved))},
        **_attempt_record(attempts[-1]),
        "answer": plain(dataclasses.replace(answer, rejected=())),
        "attempts": [{**_attempt_record(one), "checked": plain(one.checked)} for one in attempts[:-1]],
    }


def _attempt_record(attempt: Attempt) -> dict[str, object]:
    prompt = attempt.prompt
    return {
        "prompt": {"system": prompt.system, "user": prompt.user, "form": prompt.form.value},
        "handles": {item.handle: item.passage.passage_id for item in prompt.handled},
        "generation": plain(attempt.generation),
        "strict": attempt.strict,
    }
