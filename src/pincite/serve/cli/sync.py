"""`pincite sync`."""

from __future__ import annotations

import sys
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from pincite.serve.cli import options
from pincite.serve.cli.output import say, say_json

if TYPE_CHECKING:
    from pincite.sync import SyncOptions, SyncReport

SOME_FAILED = 3
SHOWN_ROWS = 40


@click.command("sync")
@click.argument("root", metavar="DIR|MANIFEST", type=click.Path(path_type=Path))
@options.library_option
@options.tenant_option
@click.option("--access", metavar="ROLE,...", help="Who may read: roles, group:NAME or user:NAME.")
@options.attribute_option
@click.option("--name", help="What the library remembers this root by; its full path if not given.")
@click.option("--allow-empty", is_flag=True, help="Go on although the root is empty or missing.")
@click.option(
    "--max-removed",
    type=click.FloatRange(0, 1),
    default=0.2,
    show_default=True,
    help="Share of the root's files above which removals need a yes.",
)
@click.option("--yes", is_flag=True, help="Remove however many.")
@click.option("--dry-run", is_flag=True, help="Report what would be done; change nothing.")
@options.json_option
@click.pass_context
def sync_command(
    ctx: click.Context,
    root: Path,
    library: str,
    tenant: str,
    access: str | None,
    attributes: tuple[tuple[str, str], ...],
    name: str | None,
    max_removed: float,
    *,
    allow_empty: bool,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Bring the library to the state of a folder or manifest: new, changed, moved and removed files.

    Only what this root brought in is ever removed. Run it again after any interruption. Exit code 3: some files failed.
    """
    from pincite.ingest import IngestOptions
    from pincite.sync import SyncOptions
    from pincite.types import Access

    chosen = SyncOptions(
        ingest=IngestOptions(
            tenant=tenant,
            access=None if access is None else Access(allow=options.principals_of(access)),
            attributes=MappingProxyType(dict(attributes)),
        ),
        name=name,
        allow_empty=allow_empty,
        max_removed_share=max_removed,
        dry_run=dry_run,
    )
    report = _run(root, library, chosen, yes=yes)
    _print(report, as_json=as_json)
    ctx.exit(SOME_FAILED if report.failed else 0)


def _run(root: Path, library: str, chosen: SyncOptions, *, yes: bool) -> SyncReport:
    """A dry run for a library that is not there yet is made with an empty one elsewhere."""
    import tempfile

    from pincite.library import Library

    with tempfile.TemporaryDirectory() as empty:
        folder = empty if chosen.dry_run and not Path(library).exists() else library
        with Library.open(folder, create=folder == empty or not chosen.dry_run) as opened:
            return opened.sync(root, chosen, confirm=lambda preview: yes or _asked(preview))


def _asked(preview: SyncReport) -> bool:
    from pincite.sync import Change

    if not sys.stdin.isatty():
        return False
    return click.confirm(f"{preview.counts[Change.REMOVED]} files would be removed. Go on?", err=True)


def _print(report: SyncReport, *, as_json: bool) -> None:
    if as_json:
        from pincite.audit import plain
        from pincite.serve import wire

        say_json(wire.encode({**plain(report), "counts": plain(report.counts)}))
        return
    from pincite.sync import Change

    shown = [row for row in report.rows if row.change is not Change.UNCHANGED]
    for row in shown[:SHOWN_ROWS]:
        place = f"{row.moved_from} -> {row.path}" if row.moved_from else row.path
        say(f"{row.change:10} {place}" + (f": {row.reason}" if row.reason else ""))
        for line in (*row.notes, *([row.hint] if row.hint else [])):
            say(f"           {line}")
    if len(shown) > SHOWN_ROWS:
        say(f"... and {len(shown) - SHOWN_ROWS} more; --json shows all")
    counts = ", ".join(f"{count} {change}" for change, count in report.counts.items() if count)
    say(f"{counts or 'nothing there'}{' (dry run: nothing was done)' if report.dry_run else ''}")
