"""The parts that the default install brings, made late: importing this module imports none of them."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.config import Settings, VerifySettings
    from pincite.protocols import Embedder, Generator, Store, Verifier


@functools.cache
def verifier(settings: VerifySettings | None = None) -> Verifier:
    """The shipped verifier, made once for the same settings: its tables are read-only.

    When a file of its model is missing, a verifier that answers UNVERIFIED to everything and says which.
    """
    from pincite.adapters.verifiers.cross_encoder import CrossEncoderSignal
    from pincite.adapters.verifiers.unavailable import UnavailableVerifier
    from pincite.errors import MissingExtraError
    from pincite.verify import AlignmentVerifier

    try:
        return AlignmentVerifier(settings=settings, signals=(CrossEncoderSignal(),))
    except MissingExtraError as exc:
        return UnavailableVerifier(name="alignment", problem=f"{exc}. {exc.hint}")


def chosen_verifier(settings: Settings, folder: Path | None = None) -> Verifier:
    """The verifier that the settings name; one whose model is missing answers UNVERIFIED to everything."""
    from pincite.adapters.verifiers.choose import chosen

    return chosen(settings, verifier(settings.verify), base=folder)


@functools.cache
def embedder() -> Embedder:
    """The shipped embedder, made once."""
    from pincite.adapters.embedders.onnx_minilm import MiniLMEmbedder

    return MiniLMEmbedder()


def generator(embedder: Embedder, settings: Settings) -> Generator:
    """The generator that the settings name; by default the extractive composer.

    A missing extra, key or file of weights is found out at the first question, not here: a library can be filled and
    read without its model.

    Raises:
        ConfigError: settings that cannot work together, or a generator that this version does not have.
    """
    from pincite.config import GeneratorName
    from pincite.errors import ConfigError

    match settings.generate.generator:
        case GeneratorName.EXTRACTIVE:
            from pincite.adapters.generators.extractive import ExtractiveComposer

            return ExtractiveComposer(embedder=embedder, settings=settings.compose)
        case GeneratorName.OPENAI | GeneratorName.AZURE:
            from pincite.adapters.generators.openai import OpenAIGenerator

            return OpenAIGenerator(settings.generate)
        case GeneratorName.LOCAL:
            from pincite.adapters.generators.local import LocalGenerator

            return LocalGenerator(settings.generate)
        case GeneratorName.ANTHROPIC:
            raise ConfigError("the adapter for Anthropic is not part of this version", hint="Use another generator.")


def store(folder: Path, embedder: Embedder, *, create: bool) -> Store:
    """The embedded store in a folder."""
    from pincite.adapters.stores.embedded import EmbeddedStore

    if create:
        return EmbeddedStore.create(folder, embedder=embedder.name, dimensions=embedder.dimensions)
    return EmbeddedStore.open(folder)
