"""`pincite audit`: the record, walked, read, exported and replayed."""

from __future__ import annotations

import click

from pincite.serve.cli import options

BROKEN = 1


@click.group("audit")
def audit_command() -> None:
    """Walk, read and replay the record of every answer."""


@audit_command.command("verify")
@options.library_option
@click.option("--expect", metavar="ID", help="An audit id that you kept: it must still be in the chain.")
@click.pass_context
def verify_command(ctx: click.Context, library: str, expect: str | None) -> None:
    """Walk the chain and name the first bad record. Exit code 1 when there is one."""
    from pincite.library import Library

    with Library.open(library) as opened:
        report = opened.audit.verify()
        if expect is not None:
            opened.audit.get(expect)
    if report.problem is not None:
        click.echo(f"record {report.bad_seq}: {report.problem}; {report.good_count} records before it are good")
        ctx.exit(BROKEN)
    click.echo(f"{report.good_count} records, all good; the last hash is {report.head}")


@audit_command.command("list")
@options.library_option
def list_command(library: str) -> None:
    """One line for every record: id, time, decision, question."""
    from pincite.library import Library

    with Library.open(library) as opened:
        for record in opened.audit.records():
            content = record.content()
            answer = content["answer"]
            click.echo(f"{record.audit_id}  {content['at']}  {answer['decision']:<11}  {answer['query']['text'][:80]}")


@audit_command.command("show")
@click.argument("audit_id", metavar="ID")
@options.library_option
def show_command(audit_id: str, library: str) -> None:
    """Print one record as it was written, as JSON."""
    from pincite.library import Library

    with Library.open(library) as opened:
        click.echo(opened.audit.get(audit_id).body)


@audit_command.command("export")
@options.library_option
def export_command(library: str) -> None:
    """Print the whole chain as JSON Lines: seq, previous, hash, body. Anyone can check it with SHA-256 alone."""
    from pincite.audit import plain
    from pincite.library import Library
    from pincite.serve import wire

    with Library.open(library) as opened:
        for record in opened.audit.records():
            click.echo(wire.encode(plain(record)))


@audit_command.command("replay")
@click.argument("audit_id", metavar="ID")
@options.library_option
@click.pass_context
def replay_command(ctx: click.Context, audit_id: str, library: str) -> None:
    """Compute the verdicts of a recorded answer again and say whether they are equal. Exit code 1 when not."""
    from pincite.library import Library
    from pincite.replay import replay

    with Library.open(library) as opened:
        result = replay(opened.audit.get(audit_id), opened.parts.verifier)
    if result.equal:
        click.echo(f"{result.audit_id}: equal")
        return
    if result.recorded_verifier != result.current_verifier:
        click.echo(f"verifier: recorded {result.recorded_verifier}, now {result.current_verifier}")
    for line in result.differences:
        click.echo(line)
    click.echo(f"{result.audit_id}: not equal")
    ctx.exit(BROKEN)
