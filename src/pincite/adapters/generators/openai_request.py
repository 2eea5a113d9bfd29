"""What is asked of an OpenAI-compatible server, and what it turned out not to know.

Servers differ in what they accept: reasoning models refuse a temperature, old servers a JSON schema or the newer name
of the token limit. What a server refuses by name is left out from then on, and the notes of a draft say so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pincite.adapters.generators.chat import chat_messages
from pincite.adapters.generators.forms import answer_schema
from pincite.types import AnswerForm

if TYPE_CHECKING:
    from pincite.config import GenerateSettings
    from pincite.types import Prompt

_UNKNOWN = re.compile(
    r"un(?:supported|known|recogni[sz]ed|expected)|not (?:supported|permitted|allowed|implemented)"
    r"|invalid|extra|does not",
    re.IGNORECASE,
)
_SCHEMA, _OBJECT = "json_schema", "json_object"
_TOKEN_LIMITS = ("max_completion_tokens", "max_tokens")
_NOTES = {
    "temperature": "The model does not take a temperature: two drafts of one question may differ.",
    "seed": "The server does not take a seed: two drafts of one question may differ.",
    _SCHEMA: "The server does not hold the model to a JSON schema: its reply was only checked afterwards.",
}


class Dialect:
    """What one server understands, learnt from its refusals. Safe to share between threads: it only ever grows."""

    def __init__(self, settings: GenerateSettings) -> None:
        self._settings = settings
        self._refused: set[str] = set()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the parameters that the server does without."""
        return tuple(text for name, text in _NOTES.items() if name in self._refused)

    def request(self, prompt: Prompt, *, stream: bool) -> dict[str, Any]:
        """The parameters of one call."""
        settings = self._settings
        wanted: dict[str, Any] = {
            "temperature": settings.temperature,
            "seed": settings.seed,
            self._token_limit(): settings.max_output_tokens,
            **self._response_format(prompt),
        }
        if stream:
            wanted |= {"stream_options": {"include_usage": True}}
        kept = {name: value for name, value in wanted.items() if name not in self._refused}
        return {"model": settings.model, "messages": chat_messages(prompt), "stream": stream, **kept}

    def learn(self, sent: dict[str, Any], parameter: str | None, message: str) -> bool:
        """Whether a refusal (its own ``parameter`` if it names one, and its words) teaches something to do without."""
        if parameter is None and not _UNKNOWN.search(message):
            return False
        named = parameter or message
        for name in ("temperature", "seed", "stream_options", *_TOKEN_LIMITS):
            if name in sent and re.search(rf"\b{name}\b", named):
                return self._forget(name)
        if "response_format" in sent and re.search(r"response_format|json_schema|json_object|schema", named):
            return self._forget(sent["response_format"]["type"])
        return False

    def _forget(self, name: str) -> bool:
        if name in _TOKEN_LIMITS and self._refused.intersection(_TOKEN_LIMITS):
            return False  # the other name was refused before: one of them must stay, or the reply has no limit
        self._refused.add(name)
        return True

    def _token_limit(self) -> str:
        """OpenAI's own servers want the newer name, most others know only the older one."""
        first, second = (
            _TOKEN_LIMITS if not self._settings.base_url or self._settings.api_version else _TOKEN_LIMITS[::-1]
        )
        return second if first in self._refused else first

    def _response_format(self, prompt: Prompt) -> dict[str, Any]:
        if prompt.form is not AnswerForm.SCHEMA:
            return {}
        if _SCHEMA not in self._refused:
            schema = answer_schema([item.handle for item in prompt.handled])
            return {
                "response_format": {
                    "type": _SCHEMA,
                    "json_schema": {"name": "grounded_answer", "strict": True, "schema": schema},
                }
            }
        return {} if _OBJECT in self._refused else {"response_format": {"type": _OBJECT}}
