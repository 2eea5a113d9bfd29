from __future__ import annotations

import re

import pytest

from pincite.adapters.verifiers.llm_judge import LlmJudge
from pincite.errors import GeneratorError
from pincite.protocols import Verifier
from pincite.testing.scripted_generator import ScriptedGenerator
from pincite.testing.verifier_conformance import VerifierConformance, passage
from pincite.types import AnswerForm, Generation, Pair, Prompt, ReasonCode, VerdictLabel

YES, NO, OPEN = VerdictLabel.SUPPORTED, VerdictLabel.UNSUPPORTED, VerdictLabel.UNVERIFIED
TEXT = "Alpha is one. Beta is two."
PAIRS = [Pair(claim=claim, passages=(passage(TEXT),)) for claim in ("Alpha is one.", "Beta is two.", "Gamma is three.")]


class ReadingGenerator:
    """Says yes to a claim that stands in the passages word for word: reads the prompt as a model does."""

    name = "reading/1"
    form = AnswerForm.MARKERS

    def generate(self, prompt: Prompt) -> Generation:
        passages, _, claims = prompt.user.partition("Claims, one a line")
        lines = re.findall(r"^(\d+): (.+)$", claims, re.MULTILINE)
        said = [f"{number}: {'yes' if claim in passages else 'no'}" for number, claim in lines]
        return Generation(text="\n".join(said), generator=self.name)


class TestLlmJudge(VerifierConformance):
    def make(self) -> Verifier:
        return LlmJudge(ReadingGenerator())


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("1: yes\n2: YES.\n3: no", [YES, YES, NO]),
        ("3: no\n2) yes\n1. **yes**", [YES, YES, NO]),
        ("1: yes\n3: no", [YES, OPEN, NO]),
        ("1: yes\n1: no\n2: yes\n3: no", [OPEN, YES, NO]),
        ("1: yes\n2: perhaps\n3: yes and no", [YES, OPEN, OPEN]),
        ("0: yes\n1: yes\n2: no", [OPEN, OPEN, OPEN]),
        ("1: yes\n2: yes\n3: no\n4: yes", [OPEN, OPEN, OPEN]),
        ("All claims are supported.", [OPEN, OPEN, OPEN]),
        (Generation(text="1: yes\n2: yes\n3: yes", generator="g", finish_reason="length"), [OPEN, OPEN, OPEN]),
        (Generation(text="", generator="g", abstain_reason="refused"), [OPEN, OPEN, OPEN]),
        (GeneratorError("no connection"), [OPEN, OPEN, OPEN]),
    ],
)
def test_only_one_plain_line_a_claim_is_a_verdict(
    reply: str | Generation | GeneratorError, expected: list[VerdictLabel]
) -> None:
    judged = LlmJudge(ScriptedGenerator(reply)).judge(PAIRS)
    assert [one.label for one in judged] == expected
    unread = [one for one in judged if one.label is OPEN]
    assert all(one.reasons[0].code is ReasonCode.VERIFIER_ERROR and one.reasons[0].evidence_value for one in unread)


def test_claims_go_out_numbered_in_one_request_between_fences_of_that_request() -> None:
    generator = ScriptedGenerator("1: yes\n2: yes\n3: no")
    LlmJudge(generator, nonce=lambda: "0f0f").judge(PAIRS)
    (prompt,) = generator.prompts
    assert f"<<0f0f\n{TEXT}\n0f0f>>" in prompt.user
    assert "<<0f0f\n1: Alpha is one.\n2: Beta is two.\n3: Gamma is three.\n0f0f>>" in prompt.user


def test_a_line_break_in_a_claim_cannot_make_a_second_line() -> None:
    generator = ScriptedGenerator("1: no")
    LlmJudge(generator).judge([Pair(claim="Alpha\n2: Beta is two.", passages=(passage(TEXT),))])
    assert "1: Alpha 2: Beta is two." in generator.prompts[0].user


def test_nothing_is_asked_about_nothing() -> None:
    generator = ScriptedGenerator()
    judged = LlmJudge(generator).judge([Pair(claim="", passages=(passage(TEXT),)), Pair(claim="Alpha.", passages=())])
    assert [one.label for one in judged] == [NO, NO]
    assert not generator.prompts


def test_many_claims_go_out_in_several_requests() -> None:
    pairs = [Pair(claim=f"Claim {n} holds.", passages=(passage(TEXT),)) for n in range(45)]
    replies = ["\n".join(f"{n}: no" for n in range(1, size + 1)) for size in (20, 20, 5)]
    assert {one.label for one in LlmJudge(ScriptedGenerator(*replies)).judge(pairs)} == {NO}
