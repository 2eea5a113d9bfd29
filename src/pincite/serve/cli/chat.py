"""`pincite chat`: a conversation, one line of standard input a turn."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import click

from pincite.errors import InputError
from pincite.serve.cli import options
from pincite.serve.cli.output import say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

PROMPT = "? "


@click.command("chat")
@options.library_option
@options.tenant_option
@options.role_option
@options.as_of_option
@options.attribute_option
@options.json_option
def chat_command(
    library: str,
    tenant: str,
    roles: tuple[str, ...],
    as_of: date | None,
    attributes: tuple[tuple[str, str], ...],
    *,
    as_json: bool,
) -> None:
    """Ask questions and follow-ups ("and for contractors?", "shorter please"), a line each, to the end of the input.

    A question that is refused as input (too long, say) is reported, and the conversation goes on. With --json, one
    line of JSON a turn.
    """
    from pincite.library import Library
    from pincite.serve import wire
    from pincite.serve.cli import render
    from pincite.talk import Conversation

    out = render.console()
    with Library.open(library) as opened:
        who = options.identity_of(tenant, roles)
        talk = Conversation(opened, identity=who, as_of=as_of, attributes=dict(attributes))
        for question in _lines():
            try:
                answer = talk.ask(question)
            except InputError as exc:
                say_json(wire.encode(wire.error_out(exc))) if as_json else say(f"{exc}\n  {exc.hint}", err=True)
                continue
            if as_json:
                say_json(wire.encode(wire.answer_out(answer)))
            else:
                render.print_answer(out, answer)
                click.echo()


def _lines() -> Iterator[str]:
    """Each line that is not blank; on a terminal, with a prompt."""
    stream = sys.stdin
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    while True:
        if stream.isatty():
            click.echo(PROMPT, nl=False)
        line = stream.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()
