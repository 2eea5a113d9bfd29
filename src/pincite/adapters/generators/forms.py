"""The schema form: what a model that can be held to JSON is asked for, and its reply as text with markers."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite.errors import GeneratorError
from pincite.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

NOT_IN_CONTEXT = "not_in_context"
CUT_NOTE = "The model's reply was cut at the token limit; the statement that it had not finished was left out."
_SENTENCE_ENDS = ".!?…。"
_STATEMENTS = re.compile(r'"statements"\s*:\s*\[\s*')
_FOUND = re.compile(r'"found"\s*:\s*true\b')
_NEXT = re.compile(r"\s*,\s*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, kw_only=True, slots=True)
class Stated:
    """A reply in the schema form as text with markers; empty text always comes with a reason."""

    text: str
    abstain_reason: str | None = None
    notes: tuple[str, ...] = ()


def answer_schema(handles: Sequence[str]) -> dict[str, Any]:
    """JSON schema of a reply that can cite these handles and no others; every statement needs at least one."""
    statement = _object(
        text={"type": "string"},
        handles={"type": "array", "minItems": 1, "items": {"type": "string", "enum": list(handles)}},
    )
    return _object(
        found={"type": "boolean"},
        reason={"type": ["string", "null"]},
        statements={"type": "array", "items": statement},
    )


def read_statements(raw: str) -> Stated:
    """The reply as text in which every statement carries its handles, known or not, as markers before its full stop.

    A statement without handles keeps its words and gets no marker: it is judged as what it is, uncited.
    One without words is left out; nothing left is an abstention.

    Raises:
        GeneratorError: the reply is not in the agreed form; none of it may be shown.
    """
    reply = _parsed(raw)
    if reply.get("found") is not True:
        return Stated(text="", abstain_reason=str(reply.get("reason") or NOT_IN_CONTEXT))
    given = reply.get("statements")
    if not isinstance(given, list):
        raise _malformed("it has no list of statements")
    written = [text for text in map(_with_markers, given) if text]
    return Stated(text=" ".join(written), abstain_reason=None if written else "no_statements")


def read_cut_statements(raw: str) -> Stated:
    """What a reply that was cut at the token limit had stated in full; the statement that it was in is left out.

    Raises:
        GeneratorError: it was cut before it said that it had found something, or before its first statement ended.
    """
    statements = _STATEMENTS.search(raw)
    if statements is None or _FOUND.search(raw, 0, statements.start()) is None:
        raise _cut_short()
    given, at = [], statements.end()
    while (item := _whole_object(raw, at)) is not None:
        value, end = item
        given.append(value)
        at = _after_comma(raw, end)
    written = [text for text in map(_with_markers, given) if text]
    if not written:
        raise _cut_short()
    return Stated(text=" ".join(written), notes=(CUT_NOTE,))


def _after_comma(raw: str, at: int) -> int:
    comma = _NEXT.match(raw, at)
    return comma.end() if comma else len(raw)


def _whole_object(raw: str, at: int) -> tuple[object, int] | None:
    if not raw.startswith("{", at):
        return None
    try:
        value, end = _DECODER.raw_decode(raw, at)
    except (ValueError, RecursionError):
        return None
    return value, end


def _with_markers(statement: object) -> str:
    if not isinstance(statement, dict):
        raise _malformed("a statement is not an object")
    text, handles = statement.get("text"), statement.get("handles")
    if not isinstance(text, str) or not isinstance(handles, list):
        raise _malformed("a statement lacks its text or its handles")
    markers = "".join(f"[{handle.strip().strip('[]')}]" for handle in handles if isinstance(handle, str))
    text = text.strip()
    if not text or not markers:
        return text
    return " ".join(_marked(text[span.start : span.end], markers) for span in sentences(text))


def _marked(sentence: str, markers: str) -> str:
    body = sentence.rstrip(_SENTENCE_ENDS)
    return f"{body} {markers}{sentence[len(body) :] or '.'}"


def _parsed(raw: str) -> dict[str, Any]:
    try:
        reply = json.loads(raw.strip().removeprefix("```json").removeprefix("```").removesuffix("```"))
    except (ValueError, RecursionError) as exc:
        raise _malformed("it is not JSON") from exc
    if not isinstance(reply, dict):
        raise _malformed("it is not an object")
    return reply


def _malformed(why: str) -> GeneratorError:
    return GeneratorError(
        f"the model's reply is not in the agreed form: {why}",
        hint='Use a model that can be held to a JSON schema, or set form = "markers" under [generate].',
    )


def _cut_short() -> GeneratorError:
    return GeneratorError(
        "the model's reply was cut at the token limit before it had stated anything in full",
        hint="Raise max_output_tokens under [generate].",
    )


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
