"""What `pincite doctor` says about the generator: which one, and whether its extra, key and weights are there."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.config import GeneratorName

if TYPE_CHECKING:
    from pincite.config import GenerateSettings


@dataclass(frozen=True, kw_only=True, slots=True)
class GeneratorState:
    """One line to show, and the same again as a problem when no question could be answered."""

    line: str
    problem: str | None = None


def generator_state(settings: GenerateSettings) -> GeneratorState:
    """Looks at packages, files and whether a variable is set; asks no server and never shows a key."""
    match settings.generator:
        case GeneratorName.EXTRACTIVE:
            return GeneratorState(line="generator: extractive composer (no model, no key)")
        case GeneratorName.OPENAI | GeneratorName.AZURE:
            return _openai(settings)
        case GeneratorName.LOCAL:
            return _local(settings)
        case GeneratorName.ANTHROPIC:
            return _state("anthropic", "not part of this version")


def _openai(settings: GenerateSettings) -> GeneratorState:
    from pincite.adapters.generators.openai import key_variable

    where = settings.base_url or "the provider's own address"
    name = f"{settings.generator}, model {settings.model or '(none)'}, {where}, form {settings.form}"
    variable = key_variable(settings)
    own_server = bool(settings.base_url) and settings.generator is GeneratorName.OPENAI
    if importlib.util.find_spec("openai") is None:
        return _state(name, "the SDK is missing: pip install 'pincite[openai]'")
    if not settings.model:
        return _state(name, 'set model = "..." under [generate]')
    if settings.generator is GeneratorName.AZURE and not (settings.base_url and settings.api_version):
        return _state(name, "set base_url and api_version under [generate]")
    if os.environ.get(variable, "").strip():
        return GeneratorState(line=f"generator: {name}; key from {variable}")
    if own_server:
        return GeneratorState(line=f"generator: {name}; no key ({variable} is not set)")
    return _state(name, f"no key: {variable} is not set")


def _local(settings: GenerateSettings) -> GeneratorState:
    from pincite.adapters.generators.local import INSTALL, weights

    path = weights(settings.model)
    name = f"local, {path.name if path else 'no weights'}, form {settings.form}"
    if importlib.util.find_spec("xllamacpp") is None:
        return _state(name, f"the runtime is missing: {INSTALL}")
    if path is None:
        return _state(name, f"weights are missing: {INSTALL}")
    if not path.is_file():
        return _state(name, f"there is no file {path}")
    return GeneratorState(line=f"generator: {name}")


def _state(name: str, problem: str) -> GeneratorState:
    return GeneratorState(line=f"generator: {name}: NOT READY: {problem}", problem=problem)
