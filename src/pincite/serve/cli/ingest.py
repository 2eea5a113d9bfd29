"""`pincite ingest`."""

from __future__ import annotations

import sys
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from pincite.serve.cli import options
from pincite.serve.cli.output import printable, say, say_json

if TYPE_CHECKING:
    from datetime import date
    from types import TracebackType
    from typing import Self

    from rich.progress import Progress, TaskID

    from pincite.ingest import IngestOptions, IngestReport, Row

SOME_FAILED = 3
SHOWN_ROWS = 40


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@options.library_option
@options.tenant_option
@click.option(
    "--access", metavar="ROLE,...", help="Who may read: roles, group:NAME or user:NAME; everyone if not given."
)
@click.option("--effective-from", type=options.DateType(), help="In force from this day.")
@click.option("--effective-to", type=options.DateType(), help="No longer in force on this day.")
@click.option("--supersedes", metavar="ID", help="The document or version that this one replaces.")
@options.attribute_option
@click.option("--dates", "only_dates", is_flag=True, help="Show the days that the files would get; take nothing in.")
@options.json_option
@click.pass_context
def ingest_command(
    ctx: click.Context,
    paths: tuple[str, ...],
    library: str,
    tenant: str,
    access: str | None,
    effective_from: date | None,
    effective_to: date | None,
    supersedes: str | None,
    attributes: tuple[tuple[str, str], ...],
    *,
    only_dates: bool,
    as_json: bool,
) -> None:
    """Bring files and folders into the library, which is made if it is not there.

    Unchanged files are skipped. A bad file is reported with what to do, the rest goes in: exit code 3.
    """
    if effective_from and effective_to and effective_to <= effective_from:
        raise click.UsageError("--effective-to must be after --effective-from")
    from pincite.ingest import IngestOptions
    from pincite.library import Library
    from pincite.types import Access

    chosen = IngestOptions(
        tenant=tenant,
        access=None if access is None else Access(allow=options.principals_of(access)),
        effective_from=effective_from,
        effective_to=effective_to,
        supersedes=supersedes,
        attributes=MappingProxyType(dict(attributes)),
    )
    if only_dates:
        _show_dates(paths, chosen, library, as_json=as_json)
        return
    with Library.open(library, create=True) as opened, _Bar() as bar:
        report = opened.ingest(paths, chosen, progress=bar.advance)
    _print(report, library, as_json=as_json)
    ctx.exit(SOME_FAILED if report.failed else 0)


def _show_dates(paths: tuple[str, ...], chosen: IngestOptions, library: str, *, as_json: bool) -> None:
    from datetime import UTC, datetime
    from pathlib import Path

    from pincite.intake import Job, run_preview

    own = Path(library)
    job = Job(paths=tuple(Path(path) for path in paths), options=chosen)
    found = run_preview(job, now=datetime.now(tz=UTC), skip=(own,) if own.is_dir() else ())
    if as_json:
        from pincite.audit import plain
        from pincite.serve import wire

        say_json(wire.encode([plain(one) for one in found]))
        return
    for one in found:
        days = "; ".join(f"{day.day} ({day.where}{', month only' if day.is_month else ''})" for day in one.found)
        differ = "" if one.agrees else "  they differ: the first counts"
        say(f"{one.path}: {one.problem or days or 'no date'}{differ}")


class _Bar:
    """A progress bar on a terminal; nothing where nobody watches."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def advance(self, done: int, total: int, name: str) -> None:
        """Show how many of the files are done and which one is next."""
        if not sys.stderr.isatty():
            return
        if self._progress is None:
            self._start()
        if self._progress is not None and self._task is not None:
            from rich.markup import escape

            self._progress.update(self._task, completed=done, total=total, description=escape(printable(name[-40:])))

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task("", total=None)
        self._progress.start()

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()


def _print(report: IngestReport, library: str, *, as_json: bool) -> None:
    if as_json:
        from pincite.audit import plain
        from pincite.serve import wire

        say_json(wire.encode(plain(report)))
        return
    _print_table(report)
    summary = ", ".join(f"{count} {outcome}" for outcome, count in report.counts.items() if count)
    say(f"{summary or 'nothing found'}; {report.passages} passages went into {library}")


def _print_table(report: IngestReport) -> None:
    from rich.table import Table
    from rich.text import Text

    from pincite.serve.cli import render

    went_in = [row for row in report.rows if row.reason is None]
    table = Table(box=None, pad_edge=False)
    for name in ("file", "outcome", "document", "in force from", "passages", "note"):
        table.add_column(name, overflow="fold")
    for row in went_in[:SHOWN_ROWS]:
        table.add_row(
            Text(printable(row.path)),
            row.outcome,
            Text(printable(row.document_id or (str(row.documents) if row.documents > 1 else ""))),
            Text(printable(_dated(row))),
            str(row.passages),
            Text(printable("; ".join(row.notes))),
        )
    if went_in:
        render.console().print(table)
    _say_more(len(went_in))
    for document_id, notes in report.timelines.items():
        for note in notes:
            say(f"{document_id}: {note}")
    for row in report.failed[:SHOWN_ROWS]:
        say(f"{row.path} did not go in: {row.reason}")
        say(f"  {row.hint}")
    _say_more(len(report.failed))


def _dated(row: Row) -> str:
    """The day and where it was found, for the reader to confirm."""
    return f"{row.in_force_from} ({row.dated_by})" if row.in_force_from and row.dated_by else ""


def _say_more(count: int) -> None:
    if count > SHOWN_ROWS:
        say(f"... and {count - SHOWN_ROWS} more; --json shows all")
