"""Any model behind an OpenAI-compatible server (OpenAI, Azure, vLLM, Ollama, llama.cpp), through the official SDK.

A key is needed for OpenAI and Azure; a server named by ``base_url`` gets one only if its variable is set.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pincite.adapters.generators.chat import Draft, read_completion, take_chunk
from pincite.adapters.generators.hosted import HostedGenerator, require_model
from pincite.adapters.generators.openai_request import Dialect
from pincite.adapters.generators.transport import Retry, Service, read_key
from pincite.config import GeneratorName
from pincite.errors import ConfigError
from pincite.types import AnswerForm

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from pincite.config import GenerateSettings
    from pincite.types import Prompt

EXTRA = "openai"
_KEY_VARIABLES = {GeneratorName.OPENAI: "OPENAI_API_KEY", GeneratorName.AZURE: "AZURE_OPENAI_API_KEY"}
_BAD_REQUEST, _UNPROCESSABLE = 400, 422


class OpenAIGenerator(HostedGenerator):
    """One model of one server, for the forms MARKERS and SCHEMA. Safe to share between threads.

    Raises:
        ConfigError: no model, a form that the API does not have, or Azure without its address and version.
    """

    sdk_name = "openai"

    def __init__(
        self, settings: GenerateSettings, *, retry: Retry | None = None, environ: Mapping[str, str] = os.environ
    ) -> None:
        _refuse_unusable(settings)
        service = Service(
            name=settings.generator.value,
            where=settings.base_url or "https://api.openai.com/v1",
            model=settings.model,
            key_variable=key_variable(settings),
            timeout_s=settings.timeout_s,
        )
        super().__init__(settings, service, retry=retry, environ=environ)
        self._dialect = Dialect(settings)

    @property
    def _extra(self) -> str:
        return EXTRA

    @property
    def _notes(self) -> tuple[str, ...]:
        return self._dialect.notes

    def _request(self, prompt: Prompt, *, stream: bool) -> dict[str, Any]:
        return self._dialect.request(prompt, stream=stream)

    def _send(self, client: Any, request: dict[str, Any]) -> Any:
        return client.chat.completions.with_raw_response.create(**request)

    def _learnt(self, exc: Any, request: dict[str, Any]) -> bool:
        if exc.status_code not in {_BAD_REQUEST, _UNPROCESSABLE}:
            return False
        body = exc.body if isinstance(exc.body, dict) else {}
        parameter = body.get("param")
        message = str(body.get("message") or exc.message)
        return self._dialect.learn(request, parameter if isinstance(parameter, str) else None, message)

    def _draft(self) -> Draft:
        return Draft()

    def _read(self, body: Any, prompt: Prompt) -> Draft:  # noqa: ARG002 - the reply says all
        return read_completion(body, self._service)

    def _take(self, draft: Draft, event: Any, prompt: Prompt) -> str:  # noqa: ARG002 - the event says all
        return take_chunk(draft, event, self._service)

    def _connected(self, sdk: ModuleType, shared: dict[str, Any]) -> Any:
        settings = self._settings
        shared = {"api_key": self._key(), **shared}
        if settings.generator is GeneratorName.AZURE:
            return sdk.AzureOpenAI(azure_endpoint=settings.base_url, api_version=settings.api_version, **shared)
        return sdk.OpenAI(base_url=settings.base_url or None, **shared)

    def _key(self) -> str:
        own_server = self._settings.base_url and self._settings.generator is not GeneratorName.AZURE
        if own_server and not self._environ.get(self._service.key_variable, "").strip():
            return "none"  # the SDK insists on some text; local servers ignore it
        return read_key(self._service, extra=EXTRA, environ=self._environ)


def key_variable(settings: GenerateSettings) -> str:
    """Name of the environment variable that holds the key."""
    return settings.api_key_env or _KEY_VARIABLES.get(settings.generator, "OPENAI_API_KEY")


def _refuse_unusable(settings: GenerateSettings) -> None:
    require_model(settings)
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
