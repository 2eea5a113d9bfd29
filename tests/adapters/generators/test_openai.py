"""The adapter against a real server on loopback, in every shape a reply may have."""

from __future__ import annotations

import dataclasses
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from pincite.adapters.generators.openai import OpenAIGenerator
from pincite.adapters.generators.transport import HostedError, Retry
from pincite.config import GenerateSettings, GeneratorName, Prices
from pincite.errors import ConfigError, GeneratorError
from pincite.protocols import Generator, StreamingGenerator
from pincite.testing.generator_conformance import GeneratorConformance, prompt_for
from pincite.testing.wire_openai import DONE, event, openai_error, openai_stream, openai_text, stream_of, usage
from pincite.testing.wire_server import Ending, Received, Reply, WireServer, html_reply, json_reply
from pincite.types import AnswerForm, Example, Generation, Prompt, Turn

QUESTION = "How long is the refund window?"
ANSWER = "The window is 30 days [S1]."


_OPEN: list[OpenAIGenerator] = []


@pytest.fixture(autouse=True)
def close_connections() -> Iterator[None]:
    yield
    while _OPEN:
        _OPEN.pop().close()


def model(server: WireServer, *, environ: dict[str, str] | None = None, **fields: Any) -> OpenAIGenerator:
    settings = GenerateSettings(
        **{
            "generator": GeneratorName.OPENAI,
            "model": "m-1",
            "base_url": f"{server.url}/v1",
            "timeout_s": 20.0,
            **fields,
        }
    )
    return opened(settings, environ=environ or {}, retry=Retry(sleep=lambda _s: None, uniform=lambda: 0.0))


def opened(settings: GenerateSettings, *, environ: dict[str, str], retry: Retry | None = None) -> OpenAIGenerator:
    generator = OpenAIGenerator(settings, retry=retry, environ=environ)
    _OPEN.append(generator)
    return generator


def prompt(form: AnswerForm = AnswerForm.MARKERS, **fields: Any) -> Prompt:
    return dataclasses.replace(prompt_for(QUESTION), form=form, **fields)


def streamed(generator: OpenAIGenerator, asked: Prompt) -> tuple[list[str], Generation]:
    *pieces, last = generator.stream(asked)
    assert isinstance(last, Generation)
    assert "".join(p for p in pieces if isinstance(p, str)) == last.text
    return [p for p in pieces if isinstance(p, str)], last


def statements(*given: tuple[str, list[str]], found: bool = True, reason: str | None = None) -> str:
    return json.dumps(
        {
            "found": found,
            "reason": reason,
            "statements": [{"text": text, "handles": handles} for text, handles in given],
        }
    )


class TestConformance(GeneratorConformance):
    @pytest.fixture(autouse=True)
    def serve(self) -> Any:
        with WireServer(always=lambda _request: openai_text(ANSWER)) as server:
            self.server = server
            yield

    def make(self) -> Generator:
        return model(self.server)


def test_it_streams() -> None:
    with WireServer() as server:
        assert isinstance(model(server), StreamingGenerator)


def test_a_draft_carries_its_model_tokens_and_money() -> None:
    prices = Prices(input_usd=2.0, cached_usd=1.0, output_usd=10.0)
    with WireServer(openai_text(ANSWER, used=usage(1000, 20, cached=500))) as server:
        done = model(server, prices=prices).generate(prompt())
    assert (done.text, done.generator, done.model, done.finish_reason) == (ANSWER, "openai:m-1", "wire-model", "stop")
    assert (done.input_tokens, done.cached_tokens, done.output_tokens, done.attempts) == (1000, 500, 20, 1)
    assert done.cost_usd == pytest.approx((500 * 2 + 500 * 1 + 20 * 10) / 1e6)


def test_what_changes_least_is_sent_first() -> None:
    asked = prompt(
        examples=(Example(question="Old?", answer="Yes."),), turns=(Turn(question="Before?", answer="That."),)
    )
    with WireServer(openai_text(ANSWER)) as server:
        model(server).generate(asked)
    sent = server.received[0]
    assert sent.path == "/v1/chat/completions"
    assert [m["role"] for m in sent.body["messages"]] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert sent.body["messages"][0]["content"] == asked.system
    assert sent.body["messages"][-1]["content"] == asked.user
    assert (sent.body["temperature"], sent.body["seed"], sent.body["max_tokens"]) == (0.0, 1, 800)


def test_the_stream_gives_pieces_and_then_the_same_draft() -> None:
    pieces = ["The win", "dow is 30 days [", "S1", "]."]
    with WireServer(openai_stream(pieces, used=usage(9, 3)), openai_text("".join(pieces), used=usage(9, 3))) as server:
        generator = model(server)
        got, last = streamed(generator, prompt())
        assert got == pieces
        assert last == generator.generate(prompt())


@pytest.mark.parametrize("width", [1, 2, 3, 5, 64])
def test_characters_split_between_network_reads_come_out_whole(width: int) -> None:
    with WireServer(openai_stream(["Größe: 30 ", "días 🙂 [S1]."], width=width)) as server:
        _, last = streamed(model(server), prompt())
    assert last.text == "Größe: 30 días 🙂 [S1]."


def test_a_reader_who_leaves_ends_the_request_at_the_server() -> None:
    with WireServer(openai_stream(["The win"], ending=Ending.HELD)) as server:
        pieces = model(server).stream(prompt())
        assert next(pieces) == "The win"
        assert not server.client_left.is_set()
        pieces.close()  # type: ignore[attr-defined]
        assert server.client_left.wait(10)


def test_a_server_that_goes_silent_is_given_up_after_the_timeout() -> None:
    held = [Reply(ending=Ending.HELD) for _ in range(3)]
    with WireServer(*held) as server:
        with pytest.raises(HostedError, match=r"sent nothing for 0\.2 s") as caught:
            model(server, timeout_s=0.2).generate(prompt())
        assert (caught.value.attempts, caught.value.retryable) == (3, True)


def test_a_stream_that_goes_silent_in_the_middle_is_an_error_and_not_tried_again() -> None:
    with WireServer(openai_stream(["The win"], ending=Ending.HELD)) as server:
        pieces = model(server, timeout_s=0.2).stream(prompt())
        assert next(pieces) == "The win"
        with pytest.raises(HostedError, match="sent nothing"):
            next(pieces)
        assert len(server.received) == 1


@pytest.mark.parametrize("ending", [Ending.CUT, Ending.WHOLE])
def test_a_stream_without_its_end_is_an_error_however_politely_it_closes(ending: Ending) -> None:
    with WireServer(stream_of([event({"content": "The window is 3"})], ending=ending)) as server:
        pieces = model(server).stream(prompt())
        assert next(pieces) == "The window is 3"
        with pytest.raises(HostedError, match="broke off"):
            next(pieces)


def test_a_reply_cut_in_the_middle_is_tried_again() -> None:
    cut = Reply(pieces=(b'{"choices": [{"message": {"con',), ending=Ending.CUT)
    with WireServer(cut, openai_text(ANSWER)) as server:
        done = model(server).generate(prompt())
    assert (done.text, done.attempts) == (ANSWER, 2)


def test_a_stream_that_fails_before_its_first_event_is_tried_again() -> None:
    with WireServer(openai_error(503, "busy"), stream_of([], ending=Ending.CUT), openai_stream([ANSWER])) as server:
        _, last = streamed(model(server), prompt())
    assert (last.text, last.attempts) == (ANSWER, 3)


def test_a_busy_server_is_asked_again_after_the_wait_it_names() -> None:
    waits: list[float] = []
    with WireServer(openai_error(429, "slow", headers={"retry-after": "3"}), openai_text(ANSWER)) as server:
        settings = GenerateSettings(generator=GeneratorName.OPENAI, model="m", base_url=f"{server.url}/v1")
        done = opened(settings, retry=Retry(sleep=waits.append), environ={}).generate(prompt())
    assert (waits, done.attempts) == ([3.0], 2)


@pytest.mark.parametrize(
    ("reply", "says", "hint"),
    [
        (openai_error(401, "Incorrect API key provided"), "refused the key", "OPENAI_API_KEY"),
        (openai_error(404, "model m-1 does not exist"), "does not know the model m-1", "base_url"),
        (openai_error(429, "You exceeded", code="insufficient_quota"), "quota", "credit"),
        (openai_error(400, "context length exceeded"), "context length exceeded", "[generate]"),
        (openai_error(200, "the model crashed"), "an error inside a success: the model crashed", "base_url"),
        (html_reply(), "a web page", "/v1"),
        (html_reply(status=403), "a web page", "OPENAI_API_KEY"),
        (Reply(pieces=(b"",)), "nothing", "base_url"),
        (Reply(pieces=(b'{"choices": [',)), "JSON that does not parse", "base_url"),
        (Reply(pieces=(b"[" * 100_000,)), "JSON that does not parse", "base_url"),
        (json_reply({"choices": []}), "without choices", "base_url"),
        (json_reply({"choices": [{"index": 0}]}), "without a message", "base_url"),
        (json_reply({"choices": "none"}), "no completion", "base_url"),
        (json_reply([]), "no completion", "base_url"),
    ],
)
@pytest.mark.parametrize("streaming", [False, True])
def test_what_is_no_answer_becomes_an_error_in_words_and_is_asked_once(
    reply: Reply,
    says: str,
    hint: str,
    streaming: bool,  # noqa: FBT001
) -> None:
    with WireServer(reply) as server:
        generator = model(server)
        with pytest.raises(HostedError) as caught:
            list(generator.stream(prompt())) if streaming else generator.generate(prompt())
    assert says in str(caught.value)
    assert hint in caught.value.hint
    assert (caught.value.retryable, len(server.received)) == (False, 1)


@pytest.mark.parametrize(
    "events",
    [
        [b'data: {"error": {"message": "the model crashed"}}\n\n'],
        [b"data: {not json\n\n", DONE],
        [b"data: 7\n\n", DONE],
        [DONE],
        [],
    ],
)
def test_a_stream_of_something_else_is_an_error(events: list[bytes]) -> None:
    with WireServer(*[stream_of(events) for _ in range(3)]) as server, pytest.raises(HostedError):
        list(model(server).stream(prompt()))


def test_a_refusal_an_empty_and_a_filtered_reply_are_abstentions_with_a_reason() -> None:
    replies = [
        (openai_text(None, refusal="I cannot help with that"), "refused"),
        (openai_text("  \n"), "empty"),
        (openai_text(None), "empty"),
        (openai_text("The win", finish_reason="content_filter"), "content_filter"),
    ]
    with WireServer(*[reply for reply, _ in replies]) as server:
        generator = model(server)
        for _, reason in replies:
            done = generator.generate(prompt())
            assert (done.text, done.abstain_reason) == ("", reason)


def test_a_stream_that_is_filtered_after_its_first_piece_is_an_error() -> None:
    with WireServer(openai_stream(["The win"], finish_reason="content_filter")) as server:
        pieces = model(server).stream(prompt())
        assert next(pieces) == "The win"
        with pytest.raises(GeneratorError, match="content_filter"):
            next(pieces)


def test_a_reply_cut_at_the_token_limit_says_so() -> None:
    with WireServer(openai_text("The window is", finish_reason="length")) as server:
        assert model(server).generate(prompt()).finish_reason == "length"


def test_the_schema_form_sends_the_schema_and_gives_text_with_markers() -> None:
    raw = statements(("The window is 30 days.", ["S1"]), ("Sessions end after 12 hours", ["S2", "S1"]))
    with WireServer(openai_text(raw), openai_stream([raw[:20], raw[20:]])) as server:
        generator = model(server, form=AnswerForm.SCHEMA)
        done = generator.generate(prompt(AnswerForm.SCHEMA))
        pieces, last = streamed(generator, prompt(AnswerForm.SCHEMA))
    assert done.text == "The window is 30 days [S1]. Sessions end after 12 hours [S2][S1]."
    assert (last.text, len(pieces)) == (done.text, 1)
    sent = server.received[0].body["response_format"]["json_schema"]
    assert sent["strict"] is True
    assert sent["schema"]["properties"]["statements"]["items"]["properties"]["handles"]["items"]["enum"] == [
        "S1", "S2", "S3",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (statements(found=False, reason="not_in_context"), "not_in_context"),
        (statements(found=False), "not_in_context"),
        (statements(), "no_statements"),
        (statements(("  ", ["S1"])), "no_statements"),
    ],
)
def test_a_schema_reply_that_finds_nothing_is_an_abstention(raw: str, reason: str) -> None:
    with WireServer(openai_text(raw)) as server:
        done = model(server, form=AnswerForm.SCHEMA).generate(prompt(AnswerForm.SCHEMA))
    assert (done.text, done.abstain_reason) == ("", reason)


@pytest.mark.parametrize(
    "raw", ["The window is 30 days.", "[]", '{"found": true}', '{"found": true, "statements": [1]}']
)
def test_a_reply_outside_the_schema_never_reaches_a_reader(raw: str) -> None:
    with WireServer(openai_text(raw)) as server, pytest.raises(GeneratorError, match="not in the agreed form"):
        model(server, form=AnswerForm.SCHEMA).generate(prompt(AnswerForm.SCHEMA))


def test_a_schema_reply_cut_at_the_token_limit_names_the_setting() -> None:
    with WireServer(openai_text('{"found": tr', finish_reason="length")) as server:
        with pytest.raises(GeneratorError, match="cut at the token limit") as caught:
            model(server, form=AnswerForm.SCHEMA).generate(prompt(AnswerForm.SCHEMA))
        assert "max_output_tokens" in caught.value.hint


def test_a_server_that_knows_no_schema_is_asked_more_simply_from_then_on() -> None:
    raw = statements(("The window is 30 days.", ["S1"]))
    refusals = [
        openai_error(400, "response_format.type json_schema is not supported"),
        openai_error(400, "'response_format.type' must be one of", param="response_format"),
    ]
    with WireServer(*refusals, openai_text(raw), openai_text(raw)) as server:
        generator = model(server, form=AnswerForm.SCHEMA)
        first = generator.generate(prompt(AnswerForm.SCHEMA))
        second = generator.generate(prompt(AnswerForm.SCHEMA))
    kinds = [request.body.get("response_format", {}).get("type") for request in server.received]
    assert kinds == ["json_schema", "json_object", None, None]
    assert (first.attempts, second.attempts) == (3, 1)
    assert any("JSON schema" in note for note in first.notes)


def test_a_parameter_that_the_model_refuses_by_name_is_left_out_and_said() -> None:
    refusals = [
        openai_error(400, "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
        openai_error(400, "Unsupported value", param="temperature"),
    ]
    with WireServer(*refusals, openai_text(ANSWER)) as server:
        done = model(server).generate(prompt())
    last = server.received[-1].body
    assert ("max_tokens" in last, "max_completion_tokens" in last, "temperature" in last) == (False, True, False)
    assert any("temperature" in note for note in done.notes)


def test_a_server_that_refuses_both_names_of_the_limit_is_not_asked_for_ever() -> None:
    def refuse(request: Received) -> Reply:
        name = next(key for key in request.body if key.startswith("max_"))
        return openai_error(400, f"unknown field {name}")

    with WireServer(always=refuse) as server, pytest.raises(HostedError, match="unknown field"):
        model(server).generate(prompt())
    assert len(server.received) == 2


def test_without_a_key_openai_is_not_asked_and_the_variable_is_named() -> None:
    generator = OpenAIGenerator(GenerateSettings(generator=GeneratorName.OPENAI, model="m"), environ={})
    with pytest.raises(HostedError, match=r"OPENAI_API_KEY.*pincite\[openai\]"):
        generator.generate(prompt())


def test_a_local_server_needs_no_key_and_gets_one_when_there_is_one() -> None:
    with WireServer(openai_text(ANSWER), openai_text(ANSWER)) as server:
        model(server).generate(prompt())
        model(server, environ={"MY_KEY": "sk-1"}, api_key_env="MY_KEY").generate(prompt())
    assert server.received[1].headers["authorization"] == "Bearer sk-1"


def test_azure_is_called_by_deployment_version_and_its_own_key() -> None:
    with WireServer(openai_text(ANSWER)) as server:
        azure = model(
            server,
            generator=GeneratorName.AZURE,
            base_url=server.url,
            api_version="2026-01-01",
            environ={"AZURE_OPENAI_API_KEY": "az-1"},
        )
        assert azure.generate(prompt()).generator == "azure:m-1"
    sent = server.received[0]
    assert sent.path == "/openai/deployments/m-1/chat/completions?api-version=2026-01-01"
    assert sent.headers["api-key"] == "az-1"


def test_a_server_that_is_not_running_is_asked_after() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        settings = GenerateSettings(generator=GeneratorName.OPENAI, model="m", base_url=url, attempts=1)
        with pytest.raises(HostedError) as caught:
            opened(settings, environ={}).generate(prompt())
    assert f"Is the server running at {url}?" in caught.value.hint


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (GenerateSettings(generator=GeneratorName.OPENAI), "no model"),
        (GenerateSettings(generator=GeneratorName.OPENAI, model="m", form=AnswerForm.NATIVE), "citations of their own"),
        (GenerateSettings(generator=GeneratorName.AZURE, model="m"), "Azure"),
    ],
)
def test_settings_that_cannot_work_are_refused_before_any_question(settings: GenerateSettings, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        OpenAIGenerator(settings)
