from __future__ import annotations

from pincite.errors import GeneratorError
from pincite.generate import EMPTY, FAILED, NO_PASSAGES, generate
from pincite.prompt import build_prompt
from pincite.types import Generation, Hit, Passage, Prompt

ONE = build_prompt("q", [Hit(passage=Passage(passage_id="p", text="t", end=1), rank=1, rrf=1.0)], nonce="n")
NONE = build_prompt("q", [], nonce="n")


class Fixed:
    """Writes one text; fails when it is None; counts how often it was asked."""

    name = "fixed/1"

    def __init__(self, text: str | None) -> None:
        self.text = text
        self.asked = 0

    def generate(self, prompt: Prompt) -> Generation:
        self.asked += 1
        if self.text is None:
            raise GeneratorError("the model is away")
        return Generation(text=self.text, generator=self.name)


def test_a_generator_is_not_asked_without_passages() -> None:
    generator = Fixed("The sky is green.")
    assert generate(NONE, generator).abstain_reason == NO_PASSAGES
    assert generator.asked == 0


def test_an_empty_text_is_an_abstention_not_an_answer() -> None:
    assert generate(ONE, Fixed(" \n")).abstain_reason == EMPTY


def test_a_failure_becomes_an_abstention_that_says_what_failed() -> None:
    generation = generate(ONE, Fixed(None))
    assert (generation.abstain_reason, generation.notes) == (FAILED, ("the model is away",))


def test_a_text_goes_on_as_it_is() -> None:
    assert generate(ONE, Fixed("It is [S1].")).text == "It is [S1]."
