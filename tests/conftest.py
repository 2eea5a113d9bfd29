"""Fixtures that every test may use."""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import hypothesis
import pytest

# The same examples on every run, and no deadline: a slow machine is not a fault.
# HYPOTHESIS_PROFILE=search looks for new ones.
hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.register_profile("search", deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

SHARED = Path(__file__).resolve().parents[2] / "shared"
REFUNDS = """\
# Refund rules

## Window
Customers on the Enterprise plan may ask for a full refund within 30 days of the purchase.
Customers on the Starter plan may ask for a full refund within 7 days of the purchase.
"""
PARKING = """\
# Parking rules

## Garage
The garage opens at 06:30 and closes at 22:00. Visitors park on level 2.
"""


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real documents and data beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip("the shared documents do not lie beside this checkout (../shared)")
    return SHARED


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a command ended. Creating one fails the test when the command showed a traceback."""

    code: int
    out: str
    err: str

    def __post_init__(self) -> None:
        assert "Traceback" not in self.err, self.err
        assert "Exception ignored" not in self.err, self.err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class RunPincite(Protocol):
    """Runs the real command in a process of its own."""

    def __call__(
        self, *arguments: str | bytes, env: dict[str, str] | None = None, limit_bytes: int | None = None
    ) -> Done: ...


def _run_pincite(*arguments: str | bytes, env: dict[str, str] | None = None, limit_bytes: int | None = None) -> Done:
    def limit_file_size() -> None:
        if limit_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))

    done = subprocess.run(
        [sys.executable, "-m", "pincite", *arguments],
        capture_output=True,
        check=False,
        timeout=120,
        env={**os.environ, **(env or {})},
        preexec_fn=limit_file_size,
    )
    return Done(code=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())


def _run_here(*arguments: str) -> Done:
    """The same command through the same ``main``, without the start of a process."""
    from pincite.serve.cli import main

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setattr(sys, "argv", ["pincite", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return Done(code=int(ended.value.code or 0), out=texts[0], err=texts[1])


@pytest.fixture(scope="session")
def pincite() -> RunPincite:
    """``pincite("ask", "...", "--json")`` gives the exit code and both streams of a process of its own."""
    return _run_pincite


@pytest.fixture(scope="session")
def command() -> Callable[..., Done]:
    """As ``pincite``, but in this process: for what does not depend on the process."""
    return _run_here


@dataclass(frozen=True, kw_only=True)
class Demo:
    """The demo as it ended, and the sample library that it left."""

    done: Done
    library: Path


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """``pincite demo --keep``, run once."""
    folder = tmp_path_factory.mktemp("harbourline") / "library"
    return Demo(done=_run_pincite("demo", "--keep", str(folder)), library=folder)


@pytest.fixture(scope="session")
def harbourline(demo: Demo) -> Path:
    """The sample library in a folder. Ask it what you like; do not change its documents."""
    return demo.library


@pytest.fixture(scope="session")
def _two_documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from pincite import Library

    folder = tmp_path_factory.mktemp("small")
    (folder / "docs").mkdir()
    (folder / "docs" / "refunds.md").write_text(REFUNDS, encoding="utf-8")
    (folder / "docs" / "parking.md").write_text(PARKING, encoding="utf-8")
    with Library.open(folder / "library", create=True) as library:
        assert not library.ingest([folder / "docs"]).failed
    return folder


@pytest.fixture
def small(_two_documents: Path, tmp_path: Path) -> Path:
    """A folder with ``docs/refunds.md``, ``docs/parking.md`` and ``library`` made of them: your own copy."""
    shutil.copytree(_two_documents, tmp_path / "small")
    return tmp_path / "small"
