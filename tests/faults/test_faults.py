"""Every scripted fault, in every form, streamed and not: the right Answer, and the same one."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pincite import defaults
from pincite.adapters.generators.forms import read_statements
from pincite.audit import AuditLog
from pincite.config import Policy, Settings
from pincite.pipeline import HAND_OVER, REFUSAL, Parts, ask, ask_stream
from pincite.replay import replay
from pincite.testing.entries import DIMENSIONS, EMBEDDER, make_entry
from pincite.testing.memory_store import MemoryStore
from pincite.types import Answer, AnswerForm, Generation, Identity, NativeSpan, Prompt, Query, Released

from .scripts import FEE, QUESTION, REFUND, SCRIPTS, VPN, Right, Said, Script

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
FORMS = tuple(AnswerForm)
DOCUMENTS = {"r": "refund", "v": "vpn", "f": "fee"}


class Scripted:
    """Says one script in one form, bit by bit when it is asked to."""

    def __init__(self, script: Script, form: AnswerForm, *, step: int = 1) -> None:
        self.script, self.form, self.step = script, form, step
        self.name = "scripted/1"

    def generate(self, prompt: Prompt) -> Generation:
        documents = {item.passage.document_id: item.handle for item in prompt.handled}
        handles = {short: documents[name] for short, name in DOCUMENTS.items()}
        return spoken(self.script, self.form, handles)

    def stream(self, prompt: Prompt) -> Iterator[str | Generation]:
        generation = self.generate(prompt)
        for at in range(0, len(generation.text), self.step):
            yield generation.text[at : at + self.step]
        yield generation


def spoken(script: Script, form: AnswerForm, handles: dict[str, str]) -> Generation:
    said = [_filled(one, handles) for one in script.said]
    blank = Generation(text="", generator="scripted/1", finish_reason=script.finish)
    if script.raw is not None and form is not AnswerForm.SCHEMA:
        return dataclasses.replace(blank, text=script.raw)
    match form:
        case AnswerForm.MARKERS:
            return dataclasses.replace(blank, text=script.join.join(map(_marked, said)))
        case AnswerForm.SCHEMA:
            return _schema(script, said, blank)
        case AnswerForm.NATIVE:
            return _native(script, said, blank)


def _filled(one: Said, handles: dict[str, str]) -> Said:
    text = one.text
    for short, handle in handles.items():
        text = text.replace(f"{{{short}}}", handle).replace(f"{{{short}_lower}}", handle.lower())
    return Said(text=text, cites=tuple(handles.get(cite, cite) for cite in one.cites))


def _marked(one: Said) -> str:
    markers = "".join(f"[{cite}]" for cite in one.cites)
    return f"{one.text} {markers}" if markers else one.text


def _schema(script: Script, said: list[Said], blank: Generation) -> Generation:
    """Through the reader that the adapters use. A text that a statement cannot hold is a statement all the same."""
    statements = [{"text": one.text, "handles": list(one.cites)} for one in said]
    body = {"found": script.found, "reason": None if script.found else "not_in_context", "statements": statements}
    raw = script.raw if script.raw is not None else json.dumps(body)
    stated = read_statements(raw[:-20] if script.finish == "length" else raw)
    return dataclasses.replace(blank, text=stated.text, abstain_reason=stated.abstain_reason, notes=stated.notes)


def _native(script: Script, said: list[Said], blank: Generation) -> Generation:
    text, spans = "", []
    for one in said:
        piece = (script.join if text else "") + _marked(one)
        start = len(text)
        text += piece
        spans += [NativeSpan(start=start, end=len(text), handle=c, passage_start=0, passage_end=5) for c in one.cites]
    return dataclasses.replace(blank, text=text, native=tuple(spans))


def flow(folder: Path, generator: Any, **policy: Any) -> Parts:
    store = MemoryStore(dimensions=DIMENSIONS)
    texts = {"refund": REFUND, "vpn": VPN, "fee": FEE}
    store.put([make_entry(f"{name}@1", [text], title=name.title()) for name, text in texts.items()])
    return Parts(
        store=store,
        embedder=EMBEDDER,
        generator=generator,
        verifier=defaults.verifier(),
        audit=AuditLog(folder / "audit.sqlite"),
        settings=Settings(policy=Policy(**{"max_regenerations": 0, "min_kept_fraction": 0.0, **policy})),
        clock=lambda: NOW,
        nonce=lambda: "n0nce",
        product="pincite test",
    )


def asked() -> Query:
    return Query(text=QUESTION, identity=Identity(), as_of=NOW.date())


def right_of(script: Script, form: AnswerForm) -> Right:
    return script.other.get(form.value, script.right)


def test_there_are_at_least_sixty() -> None:
    assert len({script.name for script in SCRIPTS}) == len(SCRIPTS) >= 60


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_each_fault_gives_the_right_answer(tmp_path: Path, script: Script, form: AnswerForm) -> None:
    right = right_of(script, form)
    parts = flow(tmp_path, Scripted(script, form))
    answer = ask(asked(), parts)
    shown = answer.text if answer.sources else ""
    assert (answer.decision.value, shown) == (right.decision, right.text)
    assert len(answer.checked.unresolved) == right.unresolved
    if not shown:
        assert answer.text in {REFUSAL, HAND_OVER}
    if right.reason is not None:
        assert right.reason in [reason.value for reason in answer.reasons]
    assert replay(parts.audit.get(answer.audit_id), parts.verifier).equal
    parts.audit.close()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_each_fault_streamed_is_the_same_answer(tmp_path: Path, script: Script, form: AnswerForm) -> None:
    parts = flow(tmp_path, Scripted(script, form))
    whole = ask(asked(), parts)
    *released, last = ask_stream(asked(), parts)
    parts.audit.close()
    assert isinstance(last, Answer)
    per_ask = {"audit_id": "", "timings_ms": {}, "rejected": ()}
    assert dataclasses.replace(last, **per_ask) == dataclasses.replace(whole, **per_ask)
    given = "".join(item.text for item in released if isinstance(item, Released))
    assert given == (whole.text if whole.sources else "")
    assert tuple(one for item in released if isinstance(item, Released) for one in item.sources) == whole.sources
