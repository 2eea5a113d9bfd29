"""`pincite audit`: the record, walked, read, exported and replayed."""

from __future__ import annotations

import contextlib

import click

from pincite.serve.cli import options
from pincite.serve.cli.output import say, say_json

BROKEN = 1
SHOWN_CHARS = 80


@click.group("audit")
def audit_command() -> None:
    """Walk, read and replay the record of every answer."""


@audit_command.command("verify")
@options.library_option
@click.option("--expect", metavar="ID", help="An audit id that you kept: it must still be in the chain.")
@click.pass_context
def verify_command(ctx: click.Context, library: str, expect: str | None) -> None:
    """Walk the chain and name the first bad record. Exit code 1 when there is one."""
    from pincite.library import open_audit

    with contextlib.closing(open_audit(library)) as log:
        report = log.verify()
        if expect is not None:
            log.get(expect)
    if report.problem is not None:
        say(f"record {report.bad_seq}: {report.problem}; {report.good_count} records before it are good")
        ctx.exit(BROKEN)
    say(f"{report.good_count} records, all good; the last hash is {report.head}")


@audit_command.command("list")
@options.library_option
def list_command(library: str) -> None:
    """One line for every record: id, time, decision, question."""
    from pincite.library import open_audit

    with contextlib.closing(open_audit(library)) as log:
        for record in log.records():
            content = record.content()
            answer = content["answer"]
            question = " ".join(answer["query"]["text"].split())[:SHOWN_CHARS]
            say(f"{record.audit_id}  {content['at']}  {answer['decision']:<11}  {question}")


@audit_command.command("show")
@click.argument("audit_id", metavar="ID")
@options.library_option
def show_command(audit_id: str, library: str) -> None:
    """Print one record as it was written, as JSON."""
    from pincite.library import open_audit
    from pincite.serve import wire

    with contextlib.closing(open_audit(library)) as log:
        say_json(wire.escaped(log.get(audit_id).body))


@audit_command.command("export")
@options.library_option
def export_command(library: str) -> None:
    """Print the whole chain as JSON Lines: seq, previous, hash, body. Anyone can check it with SHA-256 alone."""
    from pincite.audit import plain
    from pincite.library import open_audit
    from pincite.serve import wire

    with contextlib.closing(open_audit(library)) as log:
        for record in log.records():
            say_json(wire.encode(plain(record)))


@audit_command.command("replay")
@click.argument("audit_id", metavar="ID")
@options.library_option
@click.pass_context
def replay_command(ctx: click.Context, audit_id: str, library: str) -> None:
    """Compute the verdicts of a recorded answer again and say whether they are equal. Exit code 1 when not."""
    from pincite import defaults
    from pincite.library import open_audit
    from pincite.replay import replay, verify_settings_of

    with contextlib.closing(open_audit(library)) as log:
        record = log.get(audit_id)
        result = replay(record, defaults.verifier(verify_settings_of(record)))
    if result.equal:
        say(f"{result.audit_id}: equal")
        return
    if result.recorded_verifier != result.current_verifier:
        say(f"verifier: recorded {result.recorded_verifier}, now {result.current_verifier}")
    for line in result.differences:
        say(line)
    say(f"{result.audit_id}: not equal")
    ctx.exit(BROKEN)
