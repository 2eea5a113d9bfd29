"""`pincite ask`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pincite.config import GeneratorName, Settings, load_settings
from pincite.serve.cli import options
from pincite.serve.cli.output import printable, say_json
from pincite.types import Answer, Decision

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from pincite.types import Released

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
@click.option("--stream", is_flag=True, help="Print each sentence as soon as it is verified; JSON as lines.")
@click.option("--review", is_flag=True, help="Show the drafts that were withheld, for the person who decides.")
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
    stream: bool,
    review: bool,
    explain: bool,
) -> None:
    """Ask a question of the library.

    Exit code 0 when answered, wholly or in part; 4 when the documents do not answer; 5 when a person must.
    """
    from pincite.library import Library

    with Library.open(library, settings=_settings(library, generator)) as opened:
        who = options.identity_of(tenant, roles)
        if stream:
            items = opened.ask_stream(question, identity=who, as_of=as_of, attributes=dict(attributes))
            answer = _streamed(items, as_json=as_json)
        else:
            answer = opened.ask(question, identity=who, as_of=as_of, attributes=dict(attributes))
    if as_json:
        from pincite.serve import wire

        body = wire.review_out(answer) if review else wire.answer_out(answer)
        say_json(wire.encode({"answer": body} if stream else body))
    else:
        _print(answer, stream=stream, explain=explain, review=review)
    ctx.exit(EXIT[answer.decision])


def _settings(library: str, generator: str | None) -> Settings | None:
    """The library's settings with another generator; None leaves them to the library."""
    if generator is None:
        return None
    settings = load_settings(Path(library) / "pincite.toml")
    chosen = dataclasses.replace(settings.generate, generator=GeneratorName(generator))
    return dataclasses.replace(settings, generate=chosen)


def _streamed(items: Iterator[Released | Answer], *, as_json: bool) -> Answer:
    """Print what is released as it comes; the Answer comes last."""
    from pincite.serve import wire

    for item in items:
        if isinstance(item, Answer):
            return item
        if as_json:
            say_json(wire.encode({"released": wire.released_out(item)}))
        else:
            click.echo(printable(item.text), nl=False)
    raise AssertionError("a stream ends with its answer")


def _print(answer: Answer, *, stream: bool, explain: bool, review: bool) -> None:
    from pincite.serve.cli import render
    from pincite.serve.withheld import for_asker

    out = render.console()
    if stream and EXIT[answer.decision] == 0:
        click.echo()
        render.print_answer(out, dataclasses.replace(answer, text=""))
    else:
        render.print_answer(out, answer)
    if explain:
        render.print_explanation(out, answer if review else for_asker(answer))
    if review:
        for attempt in answer.rejected:
            out.print("Withheld draft", style="italic", highlight=False)
            render.print_checked(out, attempt.checked)
