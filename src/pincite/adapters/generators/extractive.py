"""The extractive composer: an answer made only of sentences that stand in the passages, word for word.

It cannot invent; what can fail is relevance. Two logistic models with coefficients in a file choose the
sentences and say whether the passages answer at all; benchmarks/quality has both measured.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.adapters.generators.extractive_compose import Ranked, choose
from pincite.adapters.generators.extractive_features import SENTENCE_FEATURES
from pincite.adapters.generators.extractive_missing import missing
from pincite.adapters.generators.extractive_model import (
    ANSWER_FEATURES,
    Rows,
    answer_features,
    models,
    probability,
    rows_of,
)
from pincite.adapters.generators.extractive_units import units_of
from pincite.types import Generation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.adapters.generators.extractive_compose import Chosen
    from pincite.adapters.generators.extractive_units import Screened, Unit
    from pincite.config import ComposeSettings
    from pincite.protocols import Embedder
    from pincite.types import Passage, Prompt

NO_PASSAGES = "no_passages"
NO_QUESTION = "no_question"
NOT_ANSWERED = "passages_do_not_answer"
NOT_MENTIONED = "passages_do_not_mention"

_MARKDOWN = re.compile(r"([\\`*_\[\]()<>#|~$&])")
_FOOTNOTE_MARK = re.compile(r"(?<=[^\W\d_]{2})[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?!\w)|【[^】\n]{1,60}】")
_STOPPED = re.compile(r"[.!?。！？।][\"'”’»)\]]*\s*$")
_LIST_START = re.compile(r"^([-+]|\d{1,9}[.)])(?=\s)")


class ExtractiveComposer:
    """Deterministic; the same prompt gives the same draft. Sentences are verbatim but for runs of blanks."""

    def __init__(self, *, embedder: Embedder, settings: ComposeSettings) -> None:
        self._embedder = embedder
        self._settings = settings

    @property
    def name(self) -> str:
        """Changes when the choice of sentences could."""
        return "extractive/1"

    def generate(self, prompt: Prompt) -> Generation:
        """A cited draft, or an abstention with the probability that fell short. Never raises for any text."""
        screened = units_of(prompt.handled)
        notes = _notes(screened, prompt)
        if not prompt.question.strip():
            return self._silent(NO_QUESTION, notes)
        if not screened.units:
            return self._silent(NO_PASSAGES, notes)
        absent = missing(prompt.question, screened.units)
        if absent is not None:
            note = f"None of the passages found mentions {absent!r}."
            return self._silent(NOT_MENTIONED, (*notes, note))
        rows = rows_of(prompt.question, screened.units, embedder=self._embedder, query_vector=prompt.query_vector)
        ranked, prob = _judge(rows)
        if prob < self._settings.min_answer_prob:
            return self._silent(NOT_ANSWERED, notes, prob)
        chosen = choose(ranked, screened.units, max_sentences=self._settings.max_sentences)
        return self._draft(chosen, notes, prob)

    def _draft(self, chosen: Chosen, notes: tuple[str, ...], prob: float) -> Generation:
        conflict = chosen.conflict
        conflicting: tuple[str, ...] = ()
        notes = (*notes, *_scope_notes(chosen.units))
        if conflict is not None:
            conflicting = (conflict.left.handle, conflict.right.handle)
            sides = ((conflict.left, conflict.left_value), (conflict.right, conflict.right_value))
            said = ", ".join(f"{value} in {_title(unit.passage)}" for unit, value in sides)
            notes = (*notes, f"The documents disagree: {said}.")
        return Generation(
            text=_joined(chosen.units), generator=self.name, answer_prob=prob, conflicting=conflicting, notes=notes
        )

    def _silent(self, reason: str, notes: tuple[str, ...], prob: float | None = None) -> Generation:
        return Generation(text="", generator=self.name, abstain_reason=reason, answer_prob=prob, notes=notes)


def _judge(rows: Rows) -> tuple[list[Ranked], float]:
    """Units, best first, and the probability that they answer the question."""
    chosen = models()
    logits = [chosen.sentence.logit(SENTENCE_FEATURES, row.values) for row in rows.rows]
    prob = probability(chosen.answer.logit(ANSWER_FEATURES, answer_features(rows, logits)))
    order = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    return [Ranked(unit=rows.rows[i].unit, prob=probability(logits[i])) for i in order], prob


def _joined(units: Sequence[Unit]) -> str:
    """Sentences of one passage run on; another passage begins a paragraph, and so does what follows no full stop.

    A row or a field has none: run on, it and the next sentence would be read as one claim.
    """
    parts: list[str] = []
    for before, unit in zip([None, *units], units, strict=False):
        if before is not None:
            runs_on = before.handle == unit.handle and _STOPPED.search(before.text) is not None
            parts.append(" " if runs_on else "\n\n")
        parts.append(f"{_escaped(unit.text)} [{unit.handle}]")
    return "".join(parts)


def _escaped(text: str) -> str:
    """One line that Markdown shows as it stands: no marker, no list, no emphasis can come out of a document.

    Footnote marks are left out: they point into the document, and here they would read as citations.
    """
    line = _MARKDOWN.sub(r"\\\1", " ".join(_FOOTNOTE_MARK.sub("", text).split()))
    return _LIST_START.sub(lambda match: f"{match[1][:-1]}\\{match[1][-1]}", line)


def _notes(screened: Screened, prompt: Prompt) -> tuple[str, ...]:
    """By title: handles mean nothing to the reader."""
    flagged = [item.passage for item in prompt.handled if item.handle in screened.flagged]
    names = dict.fromkeys(_title(passage) for passage in flagged)
    return tuple(f"Text in {name} that tries to steer the answer was passed over." for name in names)


def _scope_notes(units: Sequence[Unit]) -> tuple[str, ...]:
    """What each quoted version is written for, where that is not the same for all of them."""
    scopes = {_title(unit.passage): dict(unit.passage.attributes) for unit in units}
    if all(scope == next(iter(scopes.values())) for scope in scopes.values()):
        return ()
    said = {name: ", ".join(f"{key} {value}" for key, value in sorted(scope.items())) for name, scope in scopes.items()}
    return tuple(f"{name} is written for {scope}." for name, scope in said.items() if scope)


def _title(passage: Passage) -> str:
    return f"“{passage.title or passage.document_id or passage.passage_id}”"
