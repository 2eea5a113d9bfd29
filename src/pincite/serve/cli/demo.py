"""`pincite demo`: the sample library, its scenes, and a hallucinated draft caught claim by claim."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

import click

from pincite.serve.cli import options

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.library import Library
    from pincite.sample.harbourline_loader import DraftScene, Scene

FAILED = 1


@click.command("demo")
@click.option("--keep", metavar="DIR", help="Build the sample library in DIR and leave it there to play with.")
@click.pass_context
def demo_command(ctx: click.Context, keep: str | None) -> None:
    """Ingest the sample library and ask it questions: watch answers, refusals, roles, dates and a caught draft.

    Exit code 1 when a scene does not end as it should.
    """
    if keep is not None:
        ctx.exit(_play(keep))
    with tempfile.TemporaryDirectory(prefix="pincite-demo-") as folder:
        ctx.exit(_play(folder))


def _play(folder: str) -> int:
    from pincite.library import Library
    from pincite.sample import harbourline_loader as sample
    from pincite.serve.cli import render

    out = render.console()
    out.print("Harbourline, a fictional insurer: ingesting its documents ...", markup=False)
    with Library.open(folder, create=True, clock=sample.demo_clock) as library:
        count = sample.load_into(library)
        out.print(f"{count} documents and records are in.\n", markup=False)
        wrong = [scene.name for scene in sample.scenes() if not _ask(out, library, scene)]
        wrong += [scene.name for scene in sample.draft_scenes() if not _check(out, library, scene)]
        report = library.audit.verify()
        out.print(f"Audit: {report.good_count} records, the chain is whole ({report.head[:12]}…).", markup=False)
    for name in wrong:
        out.print(f"This scene did not end as it should: {name}", style="bold red", markup=False)
    return FAILED if wrong else 0


def _ask(out: Console, library: Library, scene: Scene) -> bool:
    from pincite.serve.cli import render

    out.rule(scene.name, align="left")
    out.print(f"$ {command_line(scene)}", style="bold cyan", markup=False)
    answer = library.ask(
        scene.question,
        identity=options.identity_of(scene.tenant, scene.roles),
        as_of=scene.as_of,
        attributes=scene.attributes,
    )
    render.print_answer(out, answer)
    out.print(f"→ {scene.explain}\n", style="italic", markup=False)
    shown = " ".join([answer.text, *answer.notes, *(source.quote for source in answer.sources)]).casefold()
    return (
        answer.decision.value == scene.expect
        and all(word.casefold() in shown for word in scene.must_contain)
        and not any(word.casefold() in shown for word in scene.must_not_contain)
    )


def command_line(scene: Scene) -> str:
    """The command that asks the same."""
    flags = [f"--tenant {scene.tenant}", *(f"--role {role}" for role in scene.roles)]
    flags += [f"--as-of {scene.as_of}"] if scene.as_of else []
    flags += [f"--attr {key}={value}" for key, value in scene.attributes.items()]
    return " ".join(['pincite ask "' + scene.question + '"', *flags])


def _check(out: Console, library: Library, scene: DraftScene) -> bool:
    from pincite.library import check
    from pincite.serve.cli import render

    del library
    out.rule(scene.name, align="left")
    out.print("A model wrote this draft:", markup=False)
    out.print(scene.draft, style="cyan", markup=False)
    out.print()
    checked = check(scene.draft, scene.passages)
    render.print_checked(out, checked)
    out.print(f"→ {scene.explain}\n", style="italic", markup=False)
    labels = tuple(item.verdict.label.value for item in checked.claims)
    return labels == scene.expect
