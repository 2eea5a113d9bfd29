"""`pincite list` and `pincite remove`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pincite.serve.cli import options
from pincite.serve.cli.output import printable, say, say_json

if TYPE_CHECKING:
    from datetime import date


@click.command("list")
@options.library_option
@options.tenant_option
@options.role_option
@options.as_of_option
@options.attribute_option
@options.json_option
def list_command(
    library: str,
    tenant: str,
    roles: tuple[str, ...],
    as_of: date | None,
    attributes: tuple[tuple[str, str], ...],
    *,
    as_json: bool,
) -> None:
    """List the documents that you can read, as they stand on a day."""
    from pincite.library import Library

    with Library.open(library) as opened:
        found = opened.documents(identity=options.identity_of(tenant, roles), as_of=as_of, attributes=dict(attributes))
    if as_json:
        from pincite.audit import plain
        from pincite.serve import wire

        say_json(wire.encode(plain(found)))
        return
    from rich.table import Table
    from rich.text import Text

    from pincite.serve.cli import render

    table = Table(box=None, pad_edge=False)
    for name in ("document", "title", "version", "in force", "passages", "kept versions"):
        table.add_column(name)
    for one in found:
        force = f"{one.effective_from or '…'} to {one.effective_to or '…'}"
        table.add_row(
            Text(printable(one.document_id)),
            Text(printable(one.title)),
            Text(printable(one.version_label or "")),
            force if one.effective_from or one.effective_to else "",
            str(one.passage_count),
            str(one.version_count),
        )
    render.console().print(table)


@click.command("remove")
@click.argument("document")
@options.library_option
@options.tenant_option
def remove_command(document: str, library: str, tenant: str) -> None:
    """Take DOCUMENT out of every answer at once. Its history is kept."""
    from pincite.library import Library

    with Library.open(library) as opened:
        opened.remove(document, identity=options.identity_of(tenant, ()))
    say(f"{document} is gone from every answer from now on; its history is kept.")
