"""A generator that says what it was told to say: for tests, demos, and for showing what check does to a bad draft."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pincite.errors import GeneratorError
from pincite.types import AnswerForm, Generation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pincite.types import Prompt


class ScriptedGenerator:
    """Gives the drafts in order, one a call; a draft that is a GeneratorError is raised instead.

    ``prompts`` holds every prompt that it drafted for; a prompt without passages gets an abstention and uses up no
    draft. A call beyond the last draft raises GeneratorError: a test that
    asks more often than it scripted has found something.
    """

    def __init__(
        self,
        *drafts: str | Generation | GeneratorError,
        name: str = "scripted/1",
        form: AnswerForm = AnswerForm.MARKERS,
        takes_corrections: bool = True,
    ) -> None:
        self._drafts = drafts
        self._takes_corrections = takes_corrections
        self._form = form
        self._name = name
        self.prompts: list[Prompt] = []

    @property
    def name(self) -> str:
        """What goes into the record."""
        return self._name

    @property
    def form(self) -> AnswerForm:
        """Which rules the prompt is to carry."""
        return self._form

    @property
    def takes_corrections(self) -> bool:
        """Whether the pipeline may ask for another draft when one does not stand."""
        return self._takes_corrections

    def generate(self, prompt: Prompt) -> Generation:
        """The next draft, unchanged; an empty string becomes an abstention, as the protocol has no empty success."""
        if not prompt.handled:
            return Generation(text="", generator=self._name, abstain_reason="no_passages")
        index = len(self.prompts)
        self.prompts.append(prompt)
        if index >= len(self._drafts):
            raise GeneratorError(f"the script has {len(self._drafts)} drafts and was asked for one more")
        draft = self._drafts[index]
        if isinstance(draft, GeneratorError):
            raise draft
        if isinstance(draft, Generation):
            return draft
        reason = None if draft.strip() else "empty_script"
        return Generation(text=draft if reason is None else "", generator=self._name, abstain_reason=reason)


class ScriptedStream(ScriptedGenerator):
    """The same, bit by bit: each draft is cut where ``cut`` says (offsets of the text; out of range is ignored).

    ``closed`` counts the streams that were closed before their end: what a provider sees as a cancelled request.
    """

    def __init__(
        self,
        *drafts: str | Generation | GeneratorError,
        cut: Callable[[str], Iterable[int]],
        form: AnswerForm = AnswerForm.MARKERS,
        takes_corrections: bool = True,
    ) -> None:
        super().__init__(*drafts, form=form, takes_corrections=takes_corrections)
        self._cut = cut
        self.closed = 0

    def stream(self, prompt: Prompt) -> Iterator[str | Generation]:
        """Pieces of the next draft, then the draft; a draft that is an error is raised at once."""
        generation = self.generate(prompt)
        places = sorted(
            {0, len(generation.text), *(p for p in self._cut(generation.text) if 0 < p < len(generation.text))}
        )
        finished = False
        try:
            for start, end in pairwise(places):
                yield generation.text[start:end]
            finished = True
            yield generation
        finally:
            self.closed += not finished
