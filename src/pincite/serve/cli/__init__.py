"""The command line. Each command lives in a module of its own that is imported only when it is called."""

from __future__ import annotations

import importlib
import os
import sys

import click

from pincite.errors import PinciteError
from pincite.serve.cli import output

FAILED = 1
BAD_USAGE = 2
FAULT = 70
INTERRUPTED = 130
TRACEBACK_VARIABLE = "PINCITE_TRACEBACK"

_COMMANDS = {
    "ingest": ("ingest", "Bring files and folders into a library."),
    "sync": ("sync", "Bring a library to the state of a folder or manifest."),
    "ask": ("ask", "Ask a question; get an answer whose every claim is pinned, or a refusal."),
    "chat": ("chat", "Ask questions and follow-ups, a line each."),
    "check": ("check", "Check an answer of your own against its passages, claim by claim."),
    "show": ("show", "Open a citation, passage or document at the exact words."),
    "list": ("manage", "List the documents that you can read."),
    "versions": ("diff", "List the versions of a document, with gaps and overlaps between them."),
    "diff": ("diff", "List what changed between two versions, statement by statement."),
    "conflicts": ("conflicts", "List statements of different documents that cannot both hold."),
    "remove": ("manage", "Take a document out of every answer; its history is kept."),
    "audit": ("audit", "Walk, read and replay the record of every answer."),
    "demo": ("demo", "Watch it work on the sample library."),
    "doctor": ("doctor", "Show what is installed and what each missing extra would add."),
}


class _LateGroup(click.Group):
    """A group that knows its commands' names and lines, and imports one only when it runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"pincite.serve.cli.{_COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])


@click.group(cls=_LateGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pincite", prog_name="pincite")
def cli() -> None:
    """Answers over your own documents, with every claim pinned to the exact words that support it."""


def main() -> None:
    """Run a command; every error ends with lines that say what is wrong and what to do, never a traceback."""
    output.tolerate_any_encoding()
    try:
        code = cli.main(standalone_mode=False)
        sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt):
        _complain("interrupted; what was finished is kept")
        sys.exit(INTERRUPTED)
    except click.ClickException as exc:
        exc.show()
        sys.exit(exc.exit_code)
    except PinciteError as exc:
        _complain(str(exc), exc.hint)
        sys.exit(BAD_USAGE)
    except OSError as exc:
        output.mute()
        if not isinstance(exc, BrokenPipeError):
            _complain(f"the operating system refused: {exc}", "Check the disk, the paths and your permissions.")
        sys.exit(FAILED)
    except Exception as exc:
        if TRACEBACK_VARIABLE in os.environ:
            raise
        _complain(
            f"a fault in pincite: {type(exc).__name__}: {exc}",
            f"Run it again with {TRACEBACK_VARIABLE}=1 to see where, and report that.",
        )
        sys.exit(FAULT)
    sys.exit(code if isinstance(code, int) else 0)


def _complain(what: str, hint: str = "") -> None:
    output.say(f"pincite: {what}", err=True)
    if hint:
        output.say(f"  {hint}", err=True)
