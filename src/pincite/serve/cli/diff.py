"""`pincite diff`: what changed between two versions of a document; `pincite versions`: which there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pincite.serve.cli import options
from pincite.serve.cli.output import printable, say, say_json

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.history import Difference
    from pincite.types import Version
    from pincite.verify.changes import Statement


@click.command("diff")
@click.argument("document", metavar="DOC")
@click.option("--from", "old", metavar="V1", help="Label, day or version id; the version before V2 by default.")
@click.option("--to", "new", metavar="V2", help="Label, day or version id; the version in force by default.")
@options.library_option
@options.tenant_option
@options.role_option
@options.json_option
def diff_command(
    document: str, old: str | None, new: str | None, library: str, tenant: str, roles: tuple[str, ...], *, as_json: bool
) -> None:
    """List the statements of DOC that changed from V1 to V2, each with both passages, and what of it changed."""
    from pincite.library import Library

    with Library.open(library) as opened:
        found = opened.difference(document, old=old, new=new, identity=options.identity_of(tenant, roles))
    if as_json:
        from pincite.serve import wire

        say_json(wire.encode(difference_out(found)))
        return
    from pincite.serve.cli import render

    _print(render.console(), found)


@click.command("versions")
@click.argument("document", metavar="DOC")
@options.library_option
@options.tenant_option
@options.role_option
@options.json_option
def versions_command(document: str, library: str, tenant: str, roles: tuple[str, ...], *, as_json: bool) -> None:
    """List the versions of DOC that you can read, with gaps and overlaps between them."""
    from pincite.ingest import timeline_notes
    from pincite.library import Library

    with Library.open(library) as opened:
        found = opened.versions(document, identity=options.identity_of(tenant, roles))
    notes = timeline_notes(found)
    if as_json:
        from pincite.serve import wire

        say_json(wire.encode({"versions": [version_out(one) for one in found], "notes": list(notes)}))
        return
    for one in found:
        label = f"  {one.version_label}" if one.version_label else ""
        say(f"{one.version_id}  {one.effective_from or '…'} to {one.effective_to or '…'}{label}  {one.title}")
    for note in notes:
        say(f"Note: {note}")


def difference_out(found: Difference) -> dict[str, object]:
    """The comparison as JSON: both versions, then every change with both statements and what differs."""
    from pincite.audit import plain

    return {
        "document_id": found.new.document_id,
        "from": version_out(found.old),
        "to": version_out(found.new),
        "changes": [
            {
                "kinds": [kind.value for kind in change.kinds],
                "before": _statement_out(change.before),
                "after": _statement_out(change.after),
                "details": [plain(detail) for detail in change.details],
            }
            for change in found.changes
        ],
    }


def version_out(version: Version) -> dict[str, object]:
    """What names a version and says when it holds."""
    from pincite.audit import plain

    return {
        "version_id": version.version_id,
        "version_label": version.version_label,
        "title": version.title,
        "effective_from": plain(version.effective_from),
        "effective_to": plain(version.effective_to),
        "source_uri": version.source_uri,
    }


def _statement_out(statement: Statement | None) -> dict[str, object] | None:
    if statement is None:
        return None
    from pincite.answer import citation_id
    from pincite.audit import plain

    shape: dict[str, object] = plain(statement)
    return {**shape, "citation_id": citation_id(statement.version_id, statement.start, statement.end)}


def _print(out: Console, found: Difference) -> None:
    from rich.text import Text

    head = f"{found.new.document_id}: from {_version(found.old)} to {_version(found.new)}"
    out.print(Text(printable(head), style="bold"))
    for number, change in enumerate(found.changes, start=1):
        out.print()
        told = "; ".join(
            f"{detail.kind}: {detail.before or 'none'} → {detail.after or 'none'}" for detail in change.details
        )
        out.print(Text(printable(f"{number}. {' and '.join(change.kinds)}{f' ({told})' if told else ''}")))
        _print_statement(out, "-", change.before)
        _print_statement(out, "+", change.after)
    out.print(Text(f"\n{len(found.changes)} changed statements" if found.changes else "nothing changed"))


def _print_statement(out: Console, sign: str, statement: Statement | None) -> None:
    if statement is None:
        return
    from rich.text import Text

    from pincite.answer import citation_id
    from pincite.serve.cli import render

    where = render.place(statement.location)
    style = "red" if sign == "-" else "green"
    out.print(Text(printable(f"  {sign} “{render.one_line(statement.quote)}”"), style=style))
    reference = citation_id(statement.version_id, statement.start, statement.end)
    out.print(Text(printable(f"    {where} · pincite show {reference}"), style="dim"), soft_wrap=True)


def _version(version: Version) -> str:
    day = f"{version.effective_from}" if version.effective_from else ""
    return " ".join(part for part in (version.version_label, day) if part) or version.version_id[:12]
