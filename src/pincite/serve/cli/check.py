"""`pincite check`: one case, or a stream of them."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING

import click

from pincite.errors import InputError, PinciteError
from pincite.serve import wire
from pincite.serve.cli.options import json_option
from pincite.serve.cli.output import say_json
from pincite.types import ClaimKind, VerdictLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.types import Checked

MAX_LINE_BYTES = 64 * 1024 * 1024


@click.command("check")
@click.argument("file", default="-", metavar="[FILE|-]")
@json_option
@click.option("--jsonl", is_flag=True, help="A case a line in, a result a line out, in the same order.")
@click.pass_context
def check_command(ctx: click.Context, file: str, *, as_json: bool, jsonl: bool) -> None:
    """Check an answer against its passages, claim by claim. No library is needed.

    FILE holds {"query"?, "answer", "passages": [{"id", "text", "title"?, "meta"?}]}; - reads standard input.
    Exit code 0 when every factual claim is supported, 1 when not, 2 for input that cannot be used.
    """
    with _opened(file) as stream:
        ctx.exit(_stream(stream) if jsonl else _one(stream, as_json=as_json))


def _opened(file: str) -> IO[bytes]:
    if file == "-":
        if sys.stdin is None:  # started with standard input closed
            raise InputError("there is no standard input", hint="Name a file.")
        return sys.stdin.buffer
    try:
        return click.open_file(file, "rb")
    except OSError as exc:
        raise InputError(
            f"{file} cannot be read: {exc.strerror}", hint="Name a file, or - for standard input."
        ) from exc


def _one(stream: IO[bytes], *, as_json: bool) -> int:
    checked = _check(stream.read())
    if as_json:
        say_json(wire.encode(wire.checked_out(checked)))
    else:
        from pincite.serve.cli import render

        render.print_checked(render.console(), checked)
    return 0 if stands(checked) else 1


def stands(checked: Checked) -> bool:
    """Whether there is a factual claim and every one is supported."""
    factual = [item for item in checked.claims if item.claim.kind is ClaimKind.FACTUAL]
    return bool(factual) and all(item.verdict.label is VerdictLabel.SUPPORTED for item in factual)


def _check(raw: bytes) -> Checked:
    from pincite.library import check

    case = wire.decode_case(raw)
    passages = [{"id": p.id, "text": p.text, "title": p.title} for p in case.passages]
    return check(case.answer, passages, case.query)


def _stream(stream: IO[bytes]) -> int:
    code = 0
    for number, raw in _lines(stream):
        if not raw.strip():
            continue
        try:
            checked = _check(_whole(raw))
        except PinciteError as exc:
            say_json(wire.encode(wire.error_out(exc, line=number)))
            code = 1
            continue
        say_json(wire.encode(wire.checked_out(checked)))
        code = code if stands(checked) else 1
    return code


def _whole(raw: bytes) -> bytes:
    if len(raw) > MAX_LINE_BYTES:
        raise InputError(f"the line is over {MAX_LINE_BYTES:,} bytes", hint="Split the case.")
    return raw


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Numbered lines, each as soon as it is there. Of a line that is too long only the start is kept."""
    number = 0
    try:
        while line := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            rest = line
            while rest and not rest.endswith(b"\n") and len(rest) > MAX_LINE_BYTES:
                rest = stream.readline(MAX_LINE_BYTES + 1)
            yield number, line
    except OSError as exc:
        raise InputError(f"the input cannot be read: {exc}", hint="Name a file, or - for standard input.") from exc
