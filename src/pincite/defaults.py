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
    """The shipped verifier, made once for the same settings: its tables are read-only."""
    from pincite.verify import AlignmentVerifier

    return AlignmentVerifier(settings=settings)


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
    """The extractive composer."""
    from pincite.adapters.generators.extractive import ExtractiveComposer

    return ExtractiveComposer(embedder=embedder, settings=settings.compose)


def store(folder: Path, embedder: Embedder, *, create: bool) -> Store:
    """The embedded store in a folder."""
    from pincite.adapters.stores.embedded import EmbeddedStore

    if create:
        return EmbeddedStore.create(folder, embedder=embedder.name, dimensions=embedder.dimensions)
    return EmbeddedStore.open(folder)
