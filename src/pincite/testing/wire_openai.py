"""Replies in the shapes of OpenAI's chat completions, whole and streamed, for the wire server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pincite.testing.wire_server import Ending, Reply, json_reply

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

DONE = b"data: [DONE]\n\n"
_HEAD = {"id": "chatcmpl-1", "created": 1_700_000_000, "model": "wire-model"}


def usage(prompt: int = 100, completion: int = 20, cached: int = 0) -> dict[str, Any]:
    """A token count as OpenAI gives it."""
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def openai_text(
    text: str | None,
    *,
    finish_reason: str = "stop",
    refusal: str | None = None,
    used: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """A whole completion."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason, "logprobs": None}
    body = {**_HEAD, "object": "chat.completion", "choices": [choice], "usage": dict(used or usage())}
    return json_reply(body, headers=headers)


def openai_error(
    status: int,
    message: str,
    *,
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """An error body with its status; status 200 gives the error that hides in a success."""
    error = {"message": message, "type": "error", "param": param, "code": code}
    return json_reply({"error": error}, status=status, headers=headers)


def event(delta: Mapping[str, Any], *, finish_reason: str | None = None) -> bytes:
    """One server-sent event of a streamed completion."""
    choice = {"index": 0, "delta": dict(delta), "finish_reason": finish_reason}
    return _data({**_HEAD, "object": "chat.completion.chunk", "choices": [choice]})


def openai_stream(
    pieces: Sequence[str],
    *,
    finish_reason: str = "stop",
    used: Mapping[str, Any] | None = None,
    ending: Ending = Ending.WHOLE,
    width: int | None = None,
) -> Reply:
    """A streamed completion, one event a piece.

    With an ``ending`` other than WHOLE nothing follows the last piece: no finish reason, no usage, no end mark.
    ``width`` cuts the bytes of the whole stream anew into parts that long, wherever that falls.
    """
    events = [event({"role": "assistant", "content": ""}), *(event({"content": piece}) for piece in pieces)]
    if ending is Ending.WHOLE:
        events += [event({}, finish_reason=finish_reason), _usage_event(used or usage()), DONE]
    return stream_of(_recut(events, width) if width else events, ending=ending)


def stream_of(pieces: Iterable[bytes], *, ending: Ending = Ending.WHOLE) -> Reply:
    """Any bytes as an event stream."""
    return Reply(pieces=tuple(pieces), media_type="text/event-stream", ending=ending)


def _usage_event(used: Mapping[str, Any]) -> bytes:
    return _data({**_HEAD, "object": "chat.completion.chunk", "choices": [], "usage": dict(used)})


def _data(body: object) -> bytes:
    return b"data: " + json.dumps(body, ensure_ascii=False).encode() + b"\n\n"


def _recut(events: Sequence[bytes], width: int) -> list[bytes]:
    whole = b"".join(events)
    return [whole[at : at + width] for at in range(0, len(whole), width)]
