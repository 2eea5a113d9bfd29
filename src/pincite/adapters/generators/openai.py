"""Any model behind an OpenAI-compatible server (OpenAI, Azure, vLLM, Ollama, llama.cpp), through the official SDK.

A key is needed for OpenAI and Azure; a server named by ``base_url`` gets one only if its variable is set. The SDK is
loaded at the first request.
"""

from __future__ import annotations

import dataclasses
import json
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pincite.adapters.generators.chat import (
    FILTERED,
    NO_PASSAGES,
    REFUSED,
    Draft,
    generation_of,
    read_completion,
    take_chunk,
)
from pincite.adapters.generators.openai_request import Dialect
from pincite.adapters.generators.transport import (
    HostedError,
    Retry,
    Service,
    Usage,
    cost_usd,
    cut_off,
    looks_like_html,
    not_a_reply,
    read_key,
    refused_status,
    too_slow,
    unreachable,
    with_retries,
)
from pincite.config import GeneratorName
from pincite.errors import ConfigError, MissingExtraError
from pincite.types import AnswerForm, Generation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pincite.config import GenerateSettings
    from pincite.types import Prompt

EXTRA = "openai"
_KEY_VARIABLES = {GeneratorName.OPENAI: "OPENAI_API_KEY", GeneratorName.AZURE: "AZURE_OPENAI_API_KEY"}
_BAD_REQUEST, _UNPROCESSABLE = 400, 422


class OpenAIGenerator:
    """One model of one server, for the forms MARKERS and SCHEMA. Safe to share between threads.

    Streaming in the form SCHEMA gives the text in one piece at the end: half a JSON reply shows nothing yet.

    Raises:
        ConfigError: no model, a form that the API does not have, or Azure without its address and version.
    """

    def __init__(
        self, settings: GenerateSettings, *, retry: Retry | None = None, environ: Mapping[str, str] = os.environ
    ) -> None:
        _refuse_unusable(settings)
        self._settings = settings
        self._environ = environ
        self._retry = retry or Retry(attempts=settings.attempts)
        self._dialect = Dialect(settings)
        self._service = Service(
            name=settings.generator.value,
            where=settings.base_url or "https://api.openai.com/v1",
            model=settings.model,
            key_variable=key_variable(settings),
            timeout_s=settings.timeout_s,
        )

    @property
    def name(self) -> str:
        """Adapter and model; a hosted model's weights have no version that we could know."""
        return f"{self._service.name}:{self._settings.model}"

    @property
    def form(self) -> AnswerForm:
        """As set."""
        return self._settings.form

    def generate(self, prompt: Prompt) -> Generation:
        """A draft. Without passages the server is not asked.

        Raises:
            GeneratorError: after the retries, or at once where they cannot help.
            MissingExtraError: the SDK is not installed.
        """
        if not prompt.handled:
            return Generation(text="", generator=self.name, abstain_reason=NO_PASSAGES)
        sent: list[dict[str, Any]] = []
        raw = with_retries(lambda: self._asked(prompt, sent, stream=False), self._retry).value
        draft = read_completion(self._json(raw.http_response.text), self._service)
        return self._finished(draft, prompt, len(sent))

    def stream(self, prompt: Prompt) -> Iterator[str | Generation]:
        """Pieces of the text, then the Generation; closing the iterator closes the connection.

        Retries happen only before the first event. A stream that the provider filters or that turns into a refusal
        after its first piece is an error, because what was given cannot be taken back.

        Raises:
            GeneratorError: from the iterator.
        """
        if not prompt.handled:
            yield Generation(text="", generator=self.name, abstain_reason=NO_PASSAGES)
            return
        sent: list[dict[str, Any]] = []
        opened = with_retries(lambda: self._opened(prompt, sent), self._retry).value
        draft, showing = Draft(), prompt.form is not AnswerForm.SCHEMA
        try:
            for piece in self._pieces(opened, draft):
                if piece and showing:
                    yield piece
        finally:
            opened.close()
        if showing and draft.pieces and (draft.refused or draft.finish_reason == FILTERED):
            raise HostedError(f"{self._service.name} stopped its reply: {REFUSED if draft.refused else FILTERED}")
        generation = self._finished(draft, prompt, len(sent))
        if not showing and generation.text:
            yield generation.text
        yield generation

    def close(self) -> None:
        """Close idle connections; the generator may be used again."""
        client = self.__dict__.pop("_client", None)
        if client is not None:
            client.close()

    def _finished(self, draft: Draft, prompt: Prompt, attempts: int) -> Generation:
        generation = generation_of(draft, prompt, name=self.name, notes=self._dialect.notes)
        used: Usage = draft.usage
        return dataclasses.replace(generation, attempts=attempts, cost_usd=cost_usd(used, self._settings.prices))

    def _asked(self, prompt: Prompt, sent: list[dict[str, Any]], *, stream: bool) -> Any:
        """The SDK's raw response; parameters that the server refuses by name are dropped and it is asked again."""
        import openai

        while True:
            request = self._dialect.request(prompt, stream=stream)
            sent.append(request)
            try:
                return self._client.chat.completions.with_raw_response.create(**request)
            except openai.APIStatusError as exc:
                if not self._learnt(exc, request):
                    raise _translated(exc, self._service) from exc
            except (openai.OpenAIError, ValueError) as exc:
                raise _translated(exc, self._service) from exc

    def _learnt(self, exc: Any, request: dict[str, Any]) -> bool:
        if exc.status_code not in {_BAD_REQUEST, _UNPROCESSABLE}:
            return False
        body = exc.body if isinstance(exc.body, dict) else {}
        parameter = body.get("param")
        message = str(body.get("message") or exc.message)
        return self._dialect.learn(request, parameter if isinstance(parameter, str) else None, message)

    def _opened(self, prompt: Prompt, sent: list[dict[str, Any]]) -> _OpenStream:
        raw = self._asked(prompt, sent, stream=True)
        response = raw.http_response
        kind = response.headers.get("content-type", "")
        if "event-stream" in kind:
            stream = _OpenStream(raw.parse(), self._service)
            stream.read_first()
            return stream
        try:  # no stream after all: a page, an error in a success, or a server that does not stream
            text = self._guarded(lambda: response.read().decode("utf-8", "replace"))
        finally:
            response.close()
        return _OpenStream([_as_chunk(self._json(text), self._service)], self._service)

    def _pieces(self, stream: _OpenStream, draft: Draft) -> Iterator[str]:
        for body in stream:
            yield take_chunk(draft, body, self._service)
        if draft.finish_reason is None:
            raise cut_off(self._service)

    def _guarded(self, read: Callable[[], str]) -> str:
        import httpx2

        try:
            return read()
        except httpx2.HTTPError as exc:
            raise _translated(exc, self._service) from exc

    def _json(self, text: str) -> Any:
        if looks_like_html(text):
            raise not_a_reply(self._service, "a web page")
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as exc:
            raise not_a_reply(self._service, "JSON that does not parse" if text.strip() else "nothing") from exc

    @cached_property
    def _client(self) -> Any:
        try:
            import httpx2
            import openai
        except ImportError as exc:
            raise MissingExtraError(
                "the OpenAI SDK is not installed", hint=f"Run `pip install 'pincite[{EXTRA}]'`."
            ) from exc
        settings = self._settings
        shared: dict[str, Any] = {
            "api_key": self._key(),
            "max_retries": 0,
            "timeout": httpx2.Timeout(settings.timeout_s, connect=min(10.0, settings.timeout_s)),
        }
        if settings.generator is GeneratorName.AZURE:
            return openai.AzureOpenAI(azure_endpoint=settings.base_url, api_version=settings.api_version, **shared)
        return openai.OpenAI(base_url=settings.base_url or None, **shared)

    def _key(self) -> str:
        own_server = self._settings.base_url and self._settings.generator is not GeneratorName.AZURE
        if own_server and not self._environ.get(self._service.key_variable, "").strip():
            return "none"  # the SDK insists on some text; local servers ignore it
        return read_key(self._service, extra=EXTRA, environ=self._environ)


class _OpenStream:
    """Events of a stream as dictionaries, with the SDK's and the connection's errors translated."""

    def __init__(self, events: Any, service: Service) -> None:
        self._events = events
        self._iterator = iter(events)
        self._service = service
        self._first: list[Any] = []

    def read_first(self) -> None:
        """Wait for the first event, so that a stream that never starts can be tried again."""
        try:
            self._first = list(self._next())
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Iterator[Any]:
        yield from self._first
        while event := list(self._next()):
            yield from event

    def close(self) -> None:
        """Close the connection, whatever is still to come."""
        if hasattr(self._events, "close"):
            self._events.close()

    def _next(self) -> Iterator[Any]:
        import httpx2
        import openai

        try:
            event = next(self._iterator)
        except StopIteration:
            return
        except (openai.OpenAIError, httpx2.HTTPError, ValueError) as exc:
            raise _translated(exc, self._service) from exc
        yield event.to_dict(mode="json") if hasattr(event, "to_dict") else event


def key_variable(settings: GenerateSettings) -> str:
    """Name of the environment variable that holds the key."""
    return settings.api_key_env or _KEY_VARIABLES.get(settings.generator, "OPENAI_API_KEY")


def _refuse_unusable(settings: GenerateSettings) -> None:
    if not settings.model:
        raise ConfigError("no model is named", hint='Set model = "..." under [generate] in pincite.toml.')
    if settings.form is AnswerForm.NATIVE:
        raise ConfigError(
            "chat completions have no citations of their own",
            hint='Set form = "markers" or form = "schema" under [generate].',
        )
    if settings.generator is GeneratorName.AZURE and not (settings.base_url and settings.api_version):
        raise ConfigError(
            "Azure needs its address and API version",
            hint="Set base_url and api_version under [generate]; model is the name of the deployment.",
        )


def _as_chunk(body: Any, service: Service) -> dict[str, Any]:
    """A whole completion as one event, for servers that answer a streamed request with it."""
    draft = read_completion(body, service)
    delta = {"content": draft.text, "refusal": "refused" if draft.refused else None}
    return {**body, "choices": [{"index": 0, "delta": delta, "finish_reason": draft.finish_reason}]}


def _translated(exc: Exception, service: Service) -> HostedError:
    import httpx2
    import openai

    if isinstance(exc, openai.APIStatusError):
        body = {"error": exc.body} if isinstance(exc.body, dict) else exc.response.text
        return refused_status(service, exc.status_code, body, exc.response.headers)
    cause = exc.__cause__ if isinstance(exc, openai.APIConnectionError) else exc
    if isinstance(exc, openai.APITimeoutError) or isinstance(cause, httpx2.ReadTimeout):
        connecting = isinstance(exc.__cause__, httpx2.ConnectTimeout)
        return unreachable(service) if connecting else too_slow(service)
    if isinstance(cause, (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.UnsupportedProtocol)):
        return unreachable(service)
    if isinstance(cause, httpx2.HTTPError):
        return cut_off(service)
    if isinstance(exc, openai.APIError):
        return not_a_reply(service, "an error inside a success", detail=str(exc.message))
    return not_a_reply(service, "JSON that does not parse")
