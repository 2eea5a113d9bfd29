"""Chat completions as data: the messages of a prompt, and what a reply or its pieces say, whoever carried them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pincite.adapters.generators.forms import read_cut_statements, read_statements
from pincite.adapters.generators.transport import Usage, detail_of, not_a_reply
from pincite.types import AnswerForm, Generation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.adapters.generators.transport import Service
    from pincite.types import Prompt

NO_PASSAGES, EMPTY, REFUSED, FILTERED = "no_passages", "empty", "refused", "content_filter"
CUT, WHOLE = "length", "stop"


@dataclass(slots=True, kw_only=True)
class Draft:
    """What has come in so far. ``finish_reason`` is None until the model says that it has ended."""

    pieces: list[str] = field(default_factory=list)
    finish_reason: str | None = None
    refused: bool = False
    usage: Usage = field(default_factory=Usage)
    model: str | None = None

    @property
    def text(self) -> str:
        """The pieces joined."""
        return "".join(self.pieces)


def chat_messages(prompt: Prompt) -> list[dict[str, str]]:
    """System, examples, earlier turns, then the question: what changes least comes first, so that caches can help."""
    messages = [_message("system", prompt.system)]
    for example in prompt.examples:
        messages += [_message("user", example.question), _message("assistant", example.answer)]
    for turn in prompt.turns:
        messages += [_message("user", turn.question), _message("assistant", turn.answer)]
    return [*messages, _message("user", prompt.user)]


def _message(role: str, text: str) -> dict[str, str]:
    """Half surrogate pairs cannot be sent as UTF-8 and become question marks."""
    return {"role": role, "content": text.encode("utf-8", "replace").decode("utf-8")}


def read_completion(body: Any, service: Service) -> Draft:
    """A whole reply.

    Raises:
        HostedError: for an error in a success, no choices, or anything else that is no completion.
    """
    choice = _first_choice(body, service)
    if choice is None:
        raise not_a_reply(service, "a completion without choices")
    message = choice.get("message")
    if not isinstance(message, dict):
        raise not_a_reply(service, "a completion without a message")
    draft = Draft(finish_reason=str(choice.get("finish_reason") or "stop"))
    _take(draft, message)
    _take_usage(draft, body)
    return draft


def take_chunk(draft: Draft, body: Any, service: Service) -> str:
    """Add one event of a stream to the draft; the text that it brought, often empty.

    Raises:
        HostedError: when the event is an error or no chunk at all.
    """
    choice = _first_choice(body, service)
    _take_usage(draft, body)
    if choice is None:
        return ""
    if choice.get("finish_reason"):
        draft.finish_reason = str(choice["finish_reason"])
    delta = choice.get("delta")
    return _take(draft, delta) if isinstance(delta, dict) else ""


def _first_choice(body: Any, service: Service) -> dict[str, Any] | None:
    if not isinstance(body, dict):
        raise not_a_reply(service, "something that is no completion")
    if body.get("error"):
        raise not_a_reply(service, "an error inside a success", detail=detail_of(body))
    choices = body.get("choices")
    if choices is not None and not isinstance(choices, list):
        raise not_a_reply(service, "something that is no completion")
    return choices[0] if choices and isinstance(choices[0], dict) else None


def _take(draft: Draft, message: Mapping[str, Any]) -> str:
    if message.get("refusal"):
        draft.refused = True
    text = message.get("content")
    if not isinstance(text, str) or not text:
        return ""
    draft.pieces.append(text)
    return text


def _take_usage(draft: Draft, body: Mapping[str, Any]) -> None:
    if isinstance(body.get("model"), str):
        draft.model = body["model"]
    used = body.get("usage")
    if not isinstance(used, dict):
        return
    details = used.get("prompt_tokens_details")
    draft.usage = Usage(
        input_tokens=_count(used.get("prompt_tokens")),
        cached_tokens=_count(details.get("cached_tokens")) if isinstance(details, dict) else None,
        output_tokens=_count(used.get("completion_tokens")),
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def generation_of(draft: Draft, prompt: Prompt, *, name: str, notes: tuple[str, ...] = ()) -> Generation:
    """The draft as a Generation, without attempts and money: text with markers, or nothing with a reason.

    Of a SCHEMA reply that was cut at the token limit the finished statements stay, so that what is left is whole.
    A refusal and a filtered reply give none of their text: the reason is the pipeline's to say, in its own words.

    Raises:
        GeneratorError: the form is SCHEMA and the reply is not in it though it ended.
    """
    text, reason, finish_reason = draft.text, _reason(draft), draft.finish_reason or WHOLE
    if reason is None and prompt.form is AnswerForm.SCHEMA:
        cut = draft.finish_reason == CUT
        stated = read_cut_statements(text) if cut else read_statements(text)
        finish_reason = WHOLE if cut else finish_reason
        text, reason, notes = stated.text, stated.abstain_reason, (*notes, *stated.notes)
    return Generation(
        text="" if reason else text,
        generator=name,
        finish_reason=finish_reason,
        abstain_reason=reason,
        notes=notes,
        model=draft.model,
        input_tokens=draft.usage.input_tokens,
        cached_tokens=draft.usage.cached_tokens,
        output_tokens=draft.usage.output_tokens,
    )


def _reason(draft: Draft) -> str | None:
    if draft.refused:
        return REFUSED
    if draft.finish_reason == FILTERED:
        return FILTERED
    return None if draft.text.strip() else EMPTY
