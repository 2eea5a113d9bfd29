"""README and docs are run, not trusted: Python blocks execute, command blocks give what they show."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.testing.wire_openai import openai_text
from pincite.testing.wire_server import Received, Reply, WireServer

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
_BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_VARIES = [
    (re.compile(r"audit \d+-[0-9a-f]{12}"), "audit ID"),
    (re.compile(r"whole \([0-9a-f]{12}…\)"), "whole (HASH)"),
    (re.compile(r"[0-9a-f]{24}@"), "VERSION@"),
    (re.compile(r"fingerprint [0-9a-f]+"), "fingerprint F"),
]


_MODEL_SERVERS = re.compile(r"http://localhost:(?:8000|8080|11434)|https://my-resource\.openai\.azure\.com")
"""Addresses of model servers on the pages: the local wire server stands in for each."""


def drafted(request: Received) -> Reply:
    """What a good model would write about the pages' one document, under the handle that this request gave it."""
    handle = re.search(r"<<\S+ (\w+)\n", request.body["messages"][-1]["content"])
    assert handle
    return openai_text(f"Enterprise customers may ask for a full refund within 30 days of the purchase [{handle[1]}].")


@pytest.fixture(scope="module")
def models() -> Iterator[WireServer]:
    with WireServer(always=drafted) as server:
        yield server


@pytest.fixture
def provider(models: WireServer, monkeypatch: pytest.MonkeyPatch) -> WireServer:
    """The environment of someone who has keys; the SDK reads the address from there too."""
    monkeypatch.setenv("OPENAI_BASE_URL", f"{models.url}/v1")
    for name in ("OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"):
        monkeypatch.setenv(name, "of-the-docs")
    return models


def blocks(language: str) -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        name = str(page.relative_to(ROOT))
        found += [(name, body) for kind, body in _BLOCK.findall(page.read_text(encoding="utf-8")) if kind == language]
    return found


def by_page(language: str) -> list[tuple[str, list[str]]]:
    pages: dict[str, list[str]] = {}
    for name, body in blocks(language):
        pages.setdefault(name, []).append(body)
    return list(pages.items())


def commands(body: str) -> list[tuple[str, str]]:
    """Each ``$ command`` with what follows; the demo prints command lines of its own, which are its output."""
    if body.startswith("$ pincite demo\n"):
        return [("pincite demo", body.partition("\n")[2])]
    return [part.partition("\n")[::2] for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]]


def settled(text: str) -> str:
    for pattern, word in _VARIES:
        text = pattern.sub(word, text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def environment() -> dict[str, str]:
    folder = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100", "NO_COLOR": "1"}


@pytest.mark.parametrize(("name", "bodies"), by_page("python"), ids=[name for name, _ in by_page("python")])
def test_python_blocks_of_a_page_run_in_order(
    name: str, bodies: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provider: WireServer
) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    for body in bodies:
        exec(compile(body, name, "exec"), scope)  # noqa: S102 - our own pages


@pytest.mark.parametrize(("name", "bodies"), by_page("console"), ids=[name for name, _ in by_page("console")])
def test_command_blocks_of_a_page_print_what_they_show(
    name: str, bodies: list[str], tmp_path: Path, provider: WireServer
) -> None:
    for body in bodies:
        for command, shown in commands(body):
            done = subprocess.run(
                ["bash", "-c", _MODEL_SERVERS.sub(provider.url, command)],  # noqa: S607 - commands of our own pages
                cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False, timeout=180,
            )  # fmt: skip
            printed = settled(done.stdout + done.stderr)
            for piece in re.split(r"^\.\.\.$", settled(shown), flags=re.MULTILINE):
                assert piece.strip() in printed, f"{name}: {shlex.quote(command)} printed\n{printed}"


def test_the_readme_shows_the_two_commands_that_do_all_the_set_up() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "python -m pip install -e . && pincite demo" in readme
    assert "python -m pip install -e '.[test]' && python -m pytest" in readme


def test_links_to_files_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
