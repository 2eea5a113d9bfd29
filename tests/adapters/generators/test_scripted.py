from __future__ import annotations

import pytest

from pincite.errors import GeneratorError
from pincite.testing.generator_conformance import GeneratorConformance, prompt_for
from pincite.testing.scripted_generator import ScriptedGenerator
from pincite.types import Generation


class TestScriptedGenerator(GeneratorConformance):
    def make(self) -> ScriptedGenerator:
        return ScriptedGenerator("The window is 30 days [S1].")


class TestScriptedSilence(GeneratorConformance):
    def make(self) -> ScriptedGenerator:
        return ScriptedGenerator("")


def test_drafts_come_in_order_and_prompts_are_kept() -> None:
    ready = Generation(text="two", generator="other")
    generator = ScriptedGenerator("one", ready)
    prompt = prompt_for("q")
    assert [generator.generate(prompt).text, generator.generate(prompt)] == ["one", ready]
    assert generator.prompts == [prompt, prompt]


def test_a_call_beyond_the_script_is_an_error() -> None:
    with pytest.raises(GeneratorError, match="has 0 drafts"):
        ScriptedGenerator().generate(prompt_for("q"))


def test_a_scripted_error_is_raised() -> None:
    with pytest.raises(GeneratorError, match="line is down"):
        ScriptedGenerator(GeneratorError("the line is down")).generate(prompt_for("q"))
