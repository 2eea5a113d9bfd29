"""Write what the README shows of a real run: the picture of an answer, an excerpt of the demo, and all of it.

Run from the repository's root, in an environment where pincite is installed::

    python tools/make_demo_docs.py
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

from rich.console import Console

from pincite.library import Library
from pincite.sample import harbourline_loader as sample
from pincite.serve.cli import render
from pincite.types import Identity

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "answer.svg"
WHOLE = ROOT / "docs" / "demo.md"
README = ROOT / "README.md"
EXCERPT = re.compile(r"(<!-- demo -->\n```console\n).*?(```\n)", re.DOTALL)
EXCERPT_SCENES = (
    "Travel after the change",
    "A question the documents do not answer",
    "A hallucinated draft, claim by claim",
)
QUESTION = "Why did the premium on POL-55012 go up?"


def draw() -> None:
    out = Console(record=True, width=104, highlight=False, force_terminal=True, file=io.StringIO())
    with (
        tempfile.TemporaryDirectory() as folder,
        Library.open(Path(folder), create=True, clock=sample.demo_clock) as library,
    ):
        sample.load_into(library)
        for role in ("adjuster", "underwriter"):
            out.print(f'$ pincite ask "{QUESTION}" --tenant harbourline --role {role}', style="bold cyan", markup=False)
            identity = Identity(tenant="harbourline", roles=frozenset({role}))
            render.print_answer(out, library.ask(QUESTION, identity=identity, as_of=date(2026, 9, 1)))
            out.print()
    svg = out.export_svg(title="pincite", unique_id="pincite")
    svg = re.sub(r"@font-face\s*\{.*?\}", "", svg, flags=re.DOTALL)  # no fonts from elsewhere
    svg = svg.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas")
    PICTURE.write_text(re.sub(r"[ \t]+\n", "\n", svg), encoding="utf-8")


def transcript() -> str:
    done = subprocess.run(
        [Path(sys.executable).parent / "pincite", "demo"],
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def scenes(text: str) -> dict[str, str]:
    parts = re.split(r"^(.+?) ─{5,}$", text, flags=re.MULTILINE)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def main() -> None:
    draw()
    text = transcript()
    WHOLE.write_text(
        "# The whole demo\n\nWhat `pincite demo` prints; a test runs it and compares.\n\n"
        f"```console\n$ pincite demo\n{text}\n```\n",
        encoding="utf-8",
    )
    by_name = scenes(text)
    shown = "\n...\n".join(by_name[name].removeprefix("$ ").strip() for name in EXCERPT_SCENES)
    shown = re.sub(r"^\$ ", "", shown, flags=re.MULTILINE)
    README.write_text(
        EXCERPT.sub(lambda m: f"{m[1]}$ pincite demo\n...\n{shown}\n...\n{m[2]}", README.read_text(encoding="utf-8")),
        encoding="utf-8",
    )
    print("wrote docs/answer.svg, docs/demo.md and the excerpt in README.md")


if __name__ == "__main__":
    main()
