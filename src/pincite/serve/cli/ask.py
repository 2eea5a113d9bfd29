"""`pincite ask`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pincite.config import GeneratorName, Settings, load_settings
from pincite.serve.cli import options
from pincite.serve.cli.output import say_json
from pincite.types import Decision

if TYPE_CHECKING:
    from datetime import date

EXIT = {Decision.ANSWERED: 0, Decision.PARTIAL: 0, Decision.ABSTAINED: 4, Decision.NEEDS_HUMAN: 5}


@click.command("ask")
@click.argument("question")
@options.library_option
@options.tenant_option
@options.role_option
@options.as_of_option
@options.attribute_option
@options.json_option
@click.option(
    "--generator",
    type=click.Choice([name.value for name in GeneratorName]),
    help="Who writes the draft, instead of the library's setting; its model and address stay as set.",
)
@click.option("--explain", is_flag=True, help="Show what was retrieved and why each claim stands.")
@click.pass_context
def ask_command(
    ctx: click.Context,
    question: str,
    library: str,
    tenant: str,
    roles: tuple[str, ...],
    as_of: date | None,
    attributes: tuple[tuple[str, str], ...],
    generator: str | None,
    *,
    as_json: bool,
    explain: bool,
) -> None:
    """Ask a question of the library.

    Exit code 0 when answered, wholly or in part; 4 when the documents do not answer; 5 when a person must.
    """
    from pincite.library import Library

    with Library.open(library, settings=_settings(library, generator)) as opened:
        answer = opened.ask(
            question,
            identity=options.identity_of(tenant, roles),
            as_of=as_of,
            attributes=dict(attributes),
        )
    if as_json:
        from pincite.serve import wire

        say_json(wire.encode(wire.answer_out(answer)))
    else:
        from pincite.serve.cli import render

        out = render.console()
        render.print_answer(out, answer)
        if explain:
            render.print_explanation(out, answer)
    ctx.exit(EXIT[answer.decision])


def _settings(library: str, generator: str | None) -> Settings | None:
    """The library's settings with another generator; None leaves them to the library."""
    if generator is None:
        return None
    settings = load_settings(Path(library) / "pincite.toml")
    chosen = dataclasses.replace(settings.generate, generator=GeneratorName(generator))
    return dataclasses.replace(settings, generate=chosen)
