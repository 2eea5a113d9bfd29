"""The extractive composer: an answer made only of sentences that stand in the passages, word for word.

It cannot invent; what can fail is relevance. Two logistic models with coefficients in a file choose the
sentences and say whether the passages answer at all; benchmarks/quality has both measured.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from pincite.adapters.generators.extractive_compose import Ranked, choose
from pincite.adapters.generators.extractive_features import SENTENCE_FEATURES
from pincite.adapters.generators.extractive_fragments import is_unfit
from pincite.adapters.generators.extractive_lists import lead_in, needs_heading
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
from pincite.scope import said as scope_said
from pincite.text.sentences import sentences
from pincite.types import AnswerForm, Generation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.adapters.generators.extractive_compose import Chosen
    from pincite.adapters.generators.extractive_conflict import Conflict
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
_BULLET = re.compile(r"^[-*+•‣◦▪●○■–—·]\s+(?=\S)")
_LIST_START = re.compile(r"^([-+]|\d{1,9}[.)])(?=\s)")

_FITTED_LANGUAGES = frozenset({"", "en", "de", "es"})
"""Languages of the sets that benchmarks/quality/fit_answerability.py fits on; "" is a passage of unknown language."""
UNFITTED_BAR = 0.2
"""How much surer the models must be in a language that they were not fitted on. Caution, not measured."""
BARE_ITEM_BAR = 0.1
"""The same for words that only a heading explains. Caution, not measured."""


class ExtractiveComposer:
    """Deterministic; the same prompt gives the same draft. Sentences are verbatim but for runs of blanks."""

    def __init__(self, *, embedder: Embedder, settings: ComposeSettings) -> None:
        self._embedder = embedder
        self._settings = settings

    @property
    def name(self) -> str:
        """Changes when the choice of sentences could."""
        return "extractive/2"

    @property
    def form(self) -> AnswerForm:
        """It writes a marker after every sentence that it copies."""
        return AnswerForm.MARKERS

    @property
    def takes_corrections(self) -> bool:
        """It copies: the same passages give the same draft."""
        return False

    def generate(self, prompt: Prompt) -> Generation:
        """A cited draft, or an abstention with the probability that fell short. Never raises for any text."""
        screened = units_of(prompt.handled)
        notes = _notes(screened, prompt)
        if not prompt.question.strip() or not screened.units:
            return self._silent(NO_PASSAGES if prompt.question.strip() else NO_QUESTION, notes)
        absent = missing(prompt.question, screened.units)
        if absent is not None:
            note = f"None of the passages found mentions {absent!r}."
            return self._silent(NOT_MENTIONED, (*notes, note))
        return self._composed(prompt, screened.units, notes)

    def _composed(self, prompt: Prompt, units: Sequence[Unit], notes: tuple[str, ...]) -> Generation:
        """Lines that say nothing by themselves are not judged, but may open a list."""
        fit = [unit for unit in units if not is_unfit(unit)]
        if not fit:
            return self._silent(NOT_ANSWERED, notes)
        rows = rows_of(prompt.question, fit, embedder=self._embedder, query_vector=prompt.query_vector)
        ranked, prob = _judge(rows)
        if prob < self._settings.min_answer_prob + _extra_bar(ranked[0].unit, units):
            return self._silent(NOT_ANSWERED, notes, prob)
        chosen = choose(ranked, units, max_sentences=self._settings.max_sentences)
        return self._draft(chosen, notes, prob) if chosen is not None else self._silent(NOT_ANSWERED, notes, prob)

    def _draft(self, chosen: Chosen, notes: tuple[str, ...], prob: float) -> Generation:
        conflict = chosen.conflict
        conflicting: tuple[str, ...] = ()
        notes = (*notes, *_scope_notes(chosen.units), *_heading_notes(chosen.units))
        if conflict is not None:
            conflicting = () if conflict.settled else (conflict.left.handle, conflict.right.handle)
            notes = (*notes, _conflict_note(conflict))
        return Generation(
            text=_joined(chosen.units), generator=self.name, answer_prob=prob, conflicting=conflicting, notes=notes
        )

    def _silent(self, reason: str, notes: tuple[str, ...], prob: float | None = None) -> Generation:
        return Generation(text="", generator=self.name, abstain_reason=reason, answer_prob=prob, notes=notes)


def _extra_bar(unit: Unit, units: Sequence[Unit]) -> float:
    """More is asked of a language that nothing was fitted on, and of an item that is no sentence and has no lead-in."""
    bar = 0.0 if unit.passage.language in _FITTED_LANGUAGES else UNFITTED_BAR
    if needs_heading(unit) and lead_in(unit, {(other.handle, other.index): other for other in units}) is None:
        bar += BARE_ITEM_BAR
    return bar


def _judge(rows: Rows) -> tuple[list[Ranked], float]:
    """Units, best first, and the probability that they answer the question."""
    chosen = models()
    logits = [chosen.sentence.logit(SENTENCE_FEATURES, row.values) for row in rows.rows]
    prob = probability(chosen.answer.logit(ANSWER_FEATURES, answer_features(rows, logits)))
    order = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    return [Ranked(unit=rows.rows[i].unit, prob=probability(logits[i])) for i in order], prob


def _joined(units: Sequence[Unit]) -> str:
    """Sentences of one passage run on, list items stand on lines of their own; all else begins a paragraph.

    A row or a field has no full stop: run on, it and the next sentence would be read as one claim. For the same
    reason every sentence in a unit gets the marker: a cell of a table may hold several.
    """
    parts: list[str] = []
    lists = _said_as_lists(units)
    for number, unit in enumerate(units):
        before = units[number - 1] if number else None
        parts.append(_between(before, unit, listed=number in lists))
        parts.append(_marked(unit))
    return "".join(parts)


def _said_as_lists(units: Sequence[Unit]) -> set[int]:
    """Places of the items that a lead-in or another item of their passage stands beside."""
    found: set[int] = set()
    for number, (before, unit) in enumerate(pairwise(units), start=1):
        if unit.item is None or (before.item is None and _STOPPED.search(before.text)):
            continue
        if before.item != unit.item or before.handle != unit.handle:
            found.add(number)
            if before.item is not None and before.handle == unit.handle:
                found.add(number - 1)
    return found


def _between(before: Unit | None, unit: Unit, *, listed: bool) -> str:
    same = before is not None and before.handle == unit.handle
    if before is not None and same and before.item is not None and before.item == unit.item:
        return _gap(before.text, unit.text)
    bullet = "- " if listed else ""
    if before is None:
        return bullet
    if listed:
        follows = before.item is not None or _STOPPED.search(before.text) is None
        return f"\n{bullet}" if follows else f"\n\n{bullet}"
    return _gap(before.text, unit.text) if same and before.item is None and unit.item is None else "\n\n"


def _gap(before: str, after: str) -> str:
    """What keeps two sentences apart in one paragraph; a new paragraph where one would be read into the other."""
    runs_on = _STOPPED.search(before) is not None and not after.lstrip()[:1].islower()
    return " " if runs_on else "\n\n"


def _marked(unit: Unit) -> str:
    """The words with a marker behind every sentence, split as a reader of the answer will split them."""
    line = " ".join(_FOOTNOTE_MARK.sub("", unit.text).split())
    line = line if unit.item is None else _BULLET.sub("", line)
    said = [line[span.start : span.end] for span in sentences(line)] or [line]
    parts: list[str] = []
    for before, sentence in zip([None, *said], said, strict=False):
        parts.append("" if before is None else _gap(before, sentence))
        parts.append(f"{_escaped(sentence)} [{unit.handle}]")
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


def _conflict_note(conflict: Conflict) -> str:
    """Which of two rules applies where, or that nothing says which does."""
    left, right = _title(conflict.left.passage), _title(conflict.right.passage)
    if not conflict.settled:
        return f"The documents disagree: {conflict.left_value} in {left}, {conflict.right_value} in {right}."
    narrow = scope_said(conflict.left.passage.attributes)
    wide = scope_said(conflict.right.passage.attributes)
    return (
        f"For {narrow}, {left} applies ({conflict.left_value}); "
        f"{right}, which is for {wide}, says {conflict.right_value}."
    )


def _scope_notes(units: Sequence[Unit]) -> tuple[str, ...]:
    """What each quoted version is written for, where that is not the same for all of them."""
    scopes = {_title(unit.passage): dict(unit.passage.attributes) for unit in units}
    if all(scope == next(iter(scopes.values())) for scope in scopes.values()):
        return ()
    said = {name: ", ".join(f"{key} {value}" for key, value in sorted(scope.items())) for name, scope in scopes.items()}
    return tuple(f"{name} is written for {scope}." for name, scope in said.items() if scope)


def _heading_notes(units: Sequence[Unit]) -> tuple[str, ...]:
    """The headings over list items that are said without a lead-in: they may be what gives the items their meaning."""
    found: dict[str, None] = {}
    opened = False
    for unit in units:
        if unit.item is None:
            opened = _STOPPED.search(unit.text) is None
        elif not opened and unit.passage.heading_path and needs_heading(unit):
            found[f"In {_title(unit.passage)} this stands under “{' > '.join(unit.passage.heading_path)}”."] = None
    return tuple(found)


def _title(passage: Passage) -> str:
    return f"“{passage.title or passage.document_id or passage.passage_id}”"
