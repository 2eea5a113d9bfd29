"""`pincite show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pincite.serve.cli import options
from pincite.serve.cli.output import printable, say_json

if TYPE_CHECKING:
    from datetime import date

    from rich.text import Text

    from pincite.reference import Opened

SURROUNDING_CHARS = 600


@click.command("show")
@click.argument("reference", metavar="CITATION|PASSAGE|DOCUMENT")
@options.library_option
@options.tenant_option
@options.role_option
@options.as_of_option
@options.json_option
def show_command(
    reference: str, library: str, tenant: str, roles: tuple[str, ...], as_of: date | None, *, as_json: bool
) -> None:
    """Open a citation at the exact words, highlighted in their surroundings."""
    from pincite.library import Library

    with Library.open(library) as opened:
        found = opened.open_reference(reference, identity=options.identity_of(tenant, roles), as_of=as_of)
    if as_json:
        from pincite.serve import wire

        say_json(wire.encode(shown_out(found)))
        return
    from pincite.serve.cli import render

    out = render.console()
    version = found.version
    dates = f"in force from {version.effective_from}" if version.effective_from else ""
    head = " · ".join(p for p in (version.title, version.version_label, dates, render.place(found.location)) if p)
    out.print(printable(head), style="bold", markup=False)
    if not found.in_force:
        out.print("This version is not the one in force on the day you ask for.", style="yellow", markup=False)
    out.print(highlighted(found))
    out.print(printable(f"{version.document_id} · {version.source_uri}"), style="dim", markup=False)


def highlighted(found: Opened) -> Text:
    """The quote in its surroundings; the quote stands out by style, and by brackets where there is no colour."""
    from rich.text import Text

    text = found.version.text
    if (found.start, found.end) == (0, len(text)):
        return Text(printable(text))
    before = max(0, found.start - SURROUNDING_CHARS)
    after = min(len(text), found.end + SURROUNDING_CHARS)
    shown = Text("…" if before else "")
    shown.append(printable(text[before : found.start]))
    shown.append(f"⟦{printable(found.quote)}⟧", style="bold black on yellow")
    shown.append(printable(text[found.end : after]) + ("…" if after < len(text) else ""))
    return shown


def shown_out(found: Opened) -> dict[str, object]:
    """The reference as JSON: the place, the quote, and where the version comes from."""
    from pincite.audit import plain

    version = found.version
    return {
        "document_id": version.document_id,
        "version_id": version.version_id,
        "title": version.title,
        "version_label": version.version_label,
        "effective_from": plain(version.effective_from),
        "effective_to": plain(version.effective_to),
        "in_force": found.in_force,
        "source_uri": version.source_uri,
        "start": found.start,
        "end": found.end,
        "quote": found.quote,
        "location": plain(found.location),
    }
