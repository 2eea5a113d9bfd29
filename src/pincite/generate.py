"""The generate step: call the generator, and turn every way of getting nothing into a named abstention."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from pincite.errors import GeneratorError
from pincite.text.sentences import sentences
from pincite.types import Generation

if TYPE_CHECKING:
    from pincite.protocols import Generator
    from pincite.types import Prompt

NO_PASSAGES = "no_passages"
EMPTY = "empty"
FAILED = "generator_failed"
NOT_IN_CONTEXT = "not_in_context"
REFUSED = "refusal"
LOOPED = "loop"
NO_TEXT = "not_text"

CUT_NOTE = "The model was cut off at its limit; its unfinished last sentence is left out."
LOOP_NOTE = "The model repeated itself; what it said before that is kept."
MAX_DRAFT_CHARS = 24_000
"""A longer draft is no answer: it is cut there, and its last sentence is unfinished. A choice, not a measurement."""
_MAX_REPEATS = 4
"""A sentence said this often is a loop. Lists repeat words, never a whole sentence with its marker this often."""
_MIN_REPEAT_CHARS = 20
_LONGEST_PERIOD_CHARS = 120

_LOOP = re.compile(rf"(.{{1,{_LONGEST_PERIOD_CHARS}}}?)\1{{7,}}\s*\S{{0,{_LONGEST_PERIOD_CHARS}}}\Z", re.DOTALL)
_LOOP_TAIL_CHARS = 2_400
_SENTINEL = re.compile(
    r"[\W_]*not[\s_]+in[\s_]+(?:the[\s_]+)?(?:passages?|context)[\W_]*(?:\[[^\]\n]{0,40}\][\W_]*){0,20}", re.IGNORECASE
)
_REFUSAL = re.compile(
    r"\s*(?:i['’]?m\s+sorry|sorry|i\s+apologi[sz]e|unfortunately|as\s+an\s+ai\b[^.,]{0,60})?[\s,]*(?:but\s+)?"
    r"i(?:['’]m|\s+am)?\s*(?:cannot|can\s?['’]?t|can\s+not|won['’]?t|will\s+not|unable\s+to|not\s+able\s+to|must\s+decline\s+to)\s+"
    r"(?:to\s+)?(?:help|assist|comply|answer|respond|provide|discuss|do|fulfil|fulfill|engage|continue)\b[^.!\n]{0,160}[.!]?\s*",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\s*(?:<!doctype\s+html|<html\b|<\?xml\b|<head\b|<body\b)", re.IGNORECASE)
_ERROR_BODY = re.compile(r"\s*\{\s*\"(?:error|detail|message|code)\"\s*:", re.IGNORECASE)


def generate(prompt: Prompt, generator: Generator) -> Generation:
    """A draft, or an abstention that says why; a generator is never asked without passages.

    A GeneratorError becomes an abstention with reason "generator_failed" and the message as a note: the
    asker gets a person, not a stack trace.
    """
    if not prompt.handled:
        return Generation(text="", generator=generator.name, abstain_reason=NO_PASSAGES)
    try:
        generation = generator.generate(prompt)
    except GeneratorError as exc:
        return failed(generator.name, exc)
    return settled(generation)


def failed(name: str, exc: GeneratorError) -> Generation:
    """What a generator that raised is taken to have said."""
    return Generation(text="", generator=name, abstain_reason=FAILED, notes=(str(exc),))


def settled(generation: Generation) -> Generation:
    """The generation with a reason where its text is no answer, and without what must not be read of it.

    No answer are: nothing, the words for "not in the passages", a refusal, a page of HTML, an error body. Of a text
    that was cut, the last sentence goes, whole or not: nobody can tell; of one that goes round, all from there on.
    """
    if generation.abstain_reason is not None:
        return generation
    text = generation.text
    if len(text) > MAX_DRAFT_CHARS:
        generation = dataclasses.replace(generation, text=text[:MAX_DRAFT_CHARS], finish_reason="length")
    reason = unusable(generation.text)
    if reason is not None:
        return dataclasses.replace(generation, abstain_reason=reason)
    start = loop_start(generation.text)
    if start is not None:
        return _without_loop(generation, start)
    return _without_cut_sentence(generation) if generation.finish_reason == "length" else generation


def unusable(text: str) -> str | None:
    """Why a text is no answer; None when it may be one."""
    if not text.strip():
        return EMPTY
    if _SENTINEL.fullmatch(text):
        return NOT_IN_CONTEXT
    if _REFUSAL.fullmatch(text):
        return REFUSED
    if _MARKUP.match(text) or _ERROR_BODY.match(text):
        return NO_TEXT
    return None


def loop_start(text: str) -> int | None:
    """Where the text begins to go round; None when it does not. Linear in length.

    It does when a sentence follows itself, when one is said for the fourth time, or when its end is one short stretch
    over and over. A longer text goes round from the same place, so what was cut once stays cut.
    """
    starts: list[int] = []
    said: dict[str, int] = {}
    before = ""
    for span in sentences(text):
        words = " ".join(text[span.start : span.end].split())
        said[words] = said.get(words, 0) + 1
        if (words == before and len(words) >= _MIN_REPEAT_CHARS) or said[words] >= _MAX_REPEATS:
            starts.append(span.start)
            break
        before = words
    tail = text.rstrip()
    offset = max(0, len(tail) - _LOOP_TAIL_CHARS)
    found = _LOOP.search(tail[offset:])
    if found is not None and _is_wordy(tail):
        starts.append(offset + found.start())
    return min(starts, default=None)


def _is_wordy(text: str) -> bool:
    """A row of dashes or dots (a table's rule) is no loop."""
    return len(re.findall(r"\w", text[-_LONGEST_PERIOD_CHARS:])) > _LONGEST_PERIOD_CHARS // 4


def _without_loop(generation: Generation, start: int) -> Generation:
    """What was said before it went round, up to its last whole sentence."""
    spans = [span for span in sentences(generation.text) if span.end <= start]
    kept = generation.text[: spans[-1].end] if spans else ""
    notes = (*generation.notes, LOOP_NOTE)
    return dataclasses.replace(generation, text=kept, notes=notes, abstain_reason=None if kept else LOOPED)


def _without_cut_sentence(generation: Generation) -> Generation:
    spans = sentences(generation.text)
    kept = generation.text[: spans[-2].end] if len(spans) > 1 else ""
    notes = (*generation.notes, CUT_NOTE)
    return dataclasses.replace(generation, text=kept, notes=notes, abstain_reason=None if kept else EMPTY)
