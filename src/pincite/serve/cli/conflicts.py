"""`pincite conflicts`: where the documents of a library disagree."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from pincite.serve.cli import options
from pincite.serve.cli.output import printable, say, say_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from rich.console import Console

    from pincite.conflicts import ConflictReport, Stand


@click.command("conflicts")
@options.library_option
@options.tenant_option
@options.role_option
@options.as_of_option
@options.attribute_option
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="Pairs to list at most.")
@click.option(
    "--max-statements",
    type=click.IntRange(min=1),
    default=20_000,
    show_default=True,
    help="Statements to read at most.",
)
@options.json_option
def conflicts_command(
    library: str,
    tenant: str,
    roles: tuple[str, ...],
    as_of: date | None,
    attributes: tuple[tuple[str, str], ...],
    limit: int,
    max_statements: int,
    *,
    as_json: bool,
) -> None:
    """List pairs of statements that cannot both hold, among the documents that you can read and that are in force."""
    from pincite.conflicts import ConflictLimits
    from pincite.library import Library

    with Library.open(library) as opened:
        order = opened.parts.settings.retrieve.precedence
        found = opened.conflicts(
            identity=options.identity_of(tenant, roles),
            as_of=as_of,
            attributes=dict(attributes),
            limits=ConflictLimits(limit=limit, statements=max_statements, order=order),
            progress=_progress(),
        )
    if as_json:
        from pincite.serve import wire

        say_json(wire.encode(report_out(found)))
        return
    from pincite.serve.cli import render

    _print(render.console(), found)


def report_out(found: ConflictReport) -> dict[str, object]:
    """The report as JSON: every pair with both statements, where they stand, and in what they differ."""
    return {
        "found": found.found,
        "statements": found.statements,
        "judged": found.judged,
        "complete": found.complete,
        "conflicts": [
            {
                "code": pair.why.code.value,
                "left_value": pair.why.left_value,
                "right_value": pair.why.right_value,
                "common_share": pair.why.common_share,
                "left": _stand_out(pair.left),
                "right": _stand_out(pair.right),
            }
            for pair in found.pairs
        ],
    }


def _stand_out(stand: Stand) -> dict[str, object]:
    from pincite.answer import citation_id
    from pincite.audit import plain

    shape: dict[str, object] = plain(stand)
    return {**shape, "citation_id": citation_id(stand.version_id, stand.start, stand.end)}


def _progress() -> Callable[[int, int], None] | None:
    """One line that counts, for a person who waits; nothing where nobody watches."""
    if not sys.stderr.isatty():
        return None

    def tell(done: int, total: int) -> None:
        click.echo(f"\r{done}/{total} statements", nl=done >= total, err=True)

    return tell


def _print(out: Console, found: ConflictReport) -> None:
    from rich.text import Text

    for number, pair in enumerate(found.pairs, start=1):
        values = f" ({pair.why.left_value or 'none'} ↔ {pair.why.right_value or 'none'})"
        out.print(Text(printable(f"{number}. {pair.why.code}{values}"), style="bold"))
        _print_stand(out, pair.left)
        _print_stand(out, pair.right)
        out.print()
    say(f"{found.found} conflicts among {found.statements} statements" if found.found else "no conflicts found")
    if found.found > len(found.pairs):
        say(f"Note: {found.found - len(found.pairs)} more are not listed; raise --limit.")
    if not found.complete:
        say(f"Note: only the first {found.statements} statements were read; raise --max-statements.")


def _print_stand(out: Console, stand: Stand) -> None:
    from rich.text import Text

    from pincite.answer import citation_id
    from pincite.serve.cli import render

    out.print(Text(printable(f"  “{render.one_line(stand.quote)}”")))
    where = ", ".join(part for part in (stand.title, render.place(stand.location)) if part)
    reference = citation_id(stand.version_id, stand.start, stand.end)
    out.print(Text(printable(f"    {where} · pincite show {reference}"), style="dim"), soft_wrap=True)
