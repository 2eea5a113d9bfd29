"""The generate step: call the generator, and turn every way of getting nothing into a named abstention."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from pincite.errors import GeneratorError
from pincite.types import Generation

if TYPE_CHECKING:
    from pincite.protocols import Generator
    from pincite.types import Prompt

NO_PASSAGES = "no_passages"
EMPTY = "empty"
FAILED = "generator_failed"


def generate(prompt: Prompt, generator: Generator) -> Generation:
    """A draft, or an abstention that says why; a generator is never asked without passages.

    A GeneratorError becomes an abstention with reason "generator_failed" and the message as a note: the
    asker gets a person, not a stack trace.
    """
    if not prompt.handled:
        return Generation(text="", generator=generator.name, abstain_reason=NO_PASSAGES)
    try:
        generation = generator.generate(prompt)
    except GeneratorError as exc:
        return Generation(text="", generator=generator.name, abstain_reason=FAILED, notes=(str(exc),))
    if generation.abstain_reason is None and not generation.text.strip():
        return dataclasses.replace(generation, abstain_reason=EMPTY)
    return generation
