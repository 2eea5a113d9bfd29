"""What every hosted model does around its SDK: one request or one stream, tried again, counted, in our words.

The official SDKs of OpenAI and Anthropic come from one mould: their clients, raw replies, streams and errors have the
same shapes under the same names. A subclass says what is sent and what a reply means. An SDK is loaded at the first
request.
"""

from __future__ import annotations

import dataclasses
import importlib
from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pincite.adapters.generators.chat import FILTERED, NO_PASSAGES, REFUSED, Draft, generation_of
from pincite.adapters.generators.sdk_errors import readable, reply_json, translated
from pincite.adapters.generators.transport import Retry, Service, cost_usd, cut_off, stopped, with_retries
from pincite.errors import ConfigError, MissingExtraError
from pincite.types import AnswerForm, Generation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType

    from pincite.config import GenerateSettings
    from pincite.types import Prompt


class HostedGenerator(ABC):
    """One model of one server. Safe to share between threads.

    Streaming in the form SCHEMA gives the text in one piece at the end: half a JSON reply shows nothing yet.
    """

    sdk_name: str
    """The package to import."""

    def __init__(
        self, settings: GenerateSettings, service: Service, *, retry: Retry | None, environ: Mapping[str, str]
    ) -> None:
        self._settings = settings
        self._service = service
        self._environ = environ
        self._retry = retry or Retry(attempts=settings.attempts)

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
        draft = self._read(reply_json(raw.http_response.text, self._service), prompt)
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
        draft = opened.draft if isinstance(opened, WholeReply) else self._draft()
        showing, given = prompt.form is not AnswerForm.SCHEMA, False
        try:
            for piece in self._pieces(opened, draft, prompt):
                if piece and showing:
                    given = True
                    yield piece
        finally:
            opened.close()
        if given and (draft.refused or draft.finish_reason == FILTERED):
            raise stopped(self._service, REFUSED if draft.refused else FILTERED)
        generation = self._finished(draft, prompt, len(sent))
        if not showing and generation.text:
            yield generation.text
        yield generation

    def close(self) -> None:
        """Close idle connections; the generator may be used again."""
        client = self.__dict__.pop("_client", None)
        if client is not None:
            client.close()

    # What a subclass says.

    @property
    @abstractmethod
    def _notes(self) -> tuple[str, ...]:
        """What a reader should know about parameters that the server does without."""

    @abstractmethod
    def _request(self, prompt: Prompt, *, stream: bool) -> dict[str, Any]:
        """The parameters of one call."""

    @abstractmethod
    def _send(self, client: Any, request: dict[str, Any]) -> Any:
        """The SDK's raw response."""

    @abstractmethod
    def _learnt(self, exc: Any, request: dict[str, Any]) -> bool:
        """Whether a refusal teaches something to do without, so that it is worth asking again at once."""

    @abstractmethod
    def _draft(self) -> Draft:
        """An empty draft, to be filled from a stream."""

    @abstractmethod
    def _read(self, body: Any, prompt: Prompt) -> Draft:
        """A whole reply; HostedError when it is none."""

    @abstractmethod
    def _take(self, draft: Draft, event: Any, prompt: Prompt) -> str:
        """Add one event of a stream; the text that can be given on because of it, often empty."""

    @abstractmethod
    def _connected(self, sdk: ModuleType, shared: dict[str, Any]) -> Any:
        """A client of the SDK, made with at least the ``shared`` options."""

    @property
    @abstractmethod
    def _extra(self) -> str:
        """The extra that brings the SDK."""

    # What follows from it.

    def _finished(self, draft: Draft, prompt: Prompt, attempts: int) -> Generation:
        generation = generation_of(draft, prompt, name=self.name, notes=self._notes)
        return dataclasses.replace(generation, attempts=attempts, cost_usd=cost_usd(draft.usage, self._settings.prices))

    def _asked(self, prompt: Prompt, sent: list[dict[str, Any]], *, stream: bool) -> Any:
        """The SDK's raw response; parameters that the server refuses by name are dropped and it is asked again."""
        client, sdk = self._client, self._sdk
        while True:
            request = self._request(prompt, stream=stream)
            sent.append(request)
            try:
                return self._send(client, request)
            except sdk.APIStatusError as exc:
                if not self._learnt(exc, request):
                    raise translated(exc, self._service, sdk) from exc
            except Exception as exc:
                if not readable(exc, sdk):
                    raise
                raise translated(exc, self._service, sdk) from exc

    def _opened(self, prompt: Prompt, sent: list[dict[str, Any]]) -> OpenStream | WholeReply:
        raw = self._asked(prompt, sent, stream=True)
        response = raw.http_response
        if "event" in response.headers.get("content-type", ""):
            stream = OpenStream(raw.parse(), self._service, self._sdk)
            stream.read_first()
            return stream
        try:  # no stream after all: a page, an error in a success, or a server that does not stream
            text = self._guarded(lambda: response.read().decode("utf-8", "replace"))
        finally:
            response.close()
        return WholeReply(self._read(reply_json(text, self._service), prompt))

    def _pieces(self, opened: OpenStream | WholeReply, draft: Draft, prompt: Prompt) -> Iterator[str]:
        if isinstance(opened, WholeReply):
            yield "" if draft.refused or draft.finish_reason == FILTERED else draft.text
            return
        for event in opened:
            yield self._take(draft, event, prompt)
        if draft.finish_reason is None:
            raise cut_off(self._service)

    def _guarded(self, read: Callable[[], str]) -> str:
        try:
            return read()
        except Exception as exc:
            if not readable(exc, self._sdk):
                raise
            raise translated(exc, self._service, self._sdk) from exc

    @cached_property
    def _sdk(self) -> ModuleType:
        try:
            return importlib.import_module(self.sdk_name)
        except ImportError as exc:
            raise MissingExtraError(
                f"the package {self.sdk_name} is not installed", hint=f"Run `pip install 'pincite[{self._extra}]'`."
            ) from exc

    @cached_property
    def _client(self) -> Any:
        sdk, timeout_s = self._sdk, self._settings.timeout_s
        shared: dict[str, Any] = {"max_retries": 0, "timeout": sdk.Timeout(timeout_s, connect=min(10.0, timeout_s))}
        return self._connected(sdk, shared)


class WholeReply:
    """What a server sent at once although a stream was asked for."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft

    def close(self) -> None:
        """Nothing is open."""


class OpenStream:
    """Events of a stream as dictionaries, with the SDK's and the connection's errors translated."""

    def __init__(self, events: Any, service: Service, sdk: ModuleType) -> None:
        self._events = events
        self._iterator = iter(events)
        self._service = service
        self._sdk = sdk
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
        self._events.close()

    def _next(self) -> Iterator[Any]:
        try:
            event = next(self._iterator)
        except StopIteration:
            return
        except Exception as exc:
            if not readable(exc, self._sdk):
                raise
            raise translated(exc, self._service, self._sdk) from exc
        yield event.to_dict(mode="json") if hasattr(event, "to_dict") else event


def require_model(settings: GenerateSettings) -> None:
    """Raises ConfigError when no model is named."""
    if not settings.model:
        raise ConfigError("no model is named", hint='Set model = "..." under [generate] in pincite.toml.')
