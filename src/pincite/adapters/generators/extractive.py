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
    from collections.abc import Iterable, Sequence

    from pincite.adapters.generators.extractive_compose import Chosen
    from pincite.adapters.generators.extractive_units import Screened, Unit
    from pincite.config import ComposeSettings
    from pincite.protocols import Embedder
    from pincite.types import Prompt

NO_PASSAGES = "no_passages"
NO_QUESTION = "no_question"
NOT_ANSWERED = "passages_do_not_answer"
NOT_MENTIONED = "passages_do_not_mention"

_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~$【】])")
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
        notes = _notes(screened)
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
        if conflict is not None:
            conflicting = (conflict.left.handle, conflict.right.handle)
            said = f"{conflict.left_value} in {_name(conflict.left)}, {conflict.right_value} in {_name(conflict.right)}"
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
    """Sentences of one passage run on; another passage begins a paragraph."""
    parts: list[str] = []
    for before, unit in zip([None, *units], units, strict=False):
        if before is not None:
            parts.append(" " if before.handle == unit.handle and not _is_row(before) else "\n\n")
        parts.append(f"{_escaped(unit.text)} [{unit.handle}]")
    return "".join(parts)


def _is_row(unit: Unit) -> bool:
    return " | " in unit.text


def _escaped(text: str) -> str:
    """One line that Markdown shows as it stands: no marker, no list, no emphasis can come out of a document."""
    line = _MARKDOWN.sub(r"\\\1", " ".join(text.split()))
    return _LIST_START.sub(lambda match: f"{match[1][:-1]}\\{match[1][-1]}", line)


def _notes(screened: Screened) -> tuple[str, ...]:
    if not screened.flagged:
        return ()
    which = _listed(screened.flagged)
    return (f"Text in {which} that tries to steer the answer was passed over.",)


def _listed(handles: Iterable[str]) -> str:
    return ", ".join(f"passage {handle}" for handle in handles)


def _name(unit: Unit) -> str:
    return f"“{unit.passage.title or unit.passage.document_id}”"
