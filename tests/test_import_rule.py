"""types <- protocols <- steps <- pipeline <- edges: read from the source, nothing is imported."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pincite

ROOT = Path(pincite.__file__).parent
STEPS = {"ingest", "retrieve", "prompt", "generate", "cite", "verify", "decide", "audit"}
FOUNDATION = {"types", "errors"}
ALLOWED = {
    "types": {"types"},
    "errors": set(),
    "protocols": FOUNDATION,
    "config": FOUNDATION,
    "text": FOUNDATION | {"text"},
    **{step: FOUNDATION | {"protocols", "config", "text", step} for step in STEPS},
    "answer": FOUNDATION | {"text"},
    "scope": FOUNDATION,
    "adapters": FOUNDATION | {"protocols", "config", "text", "scope", "adapters"},
    "replay": FOUNDATION | {"protocols", "config", "audit", "pipeline"},
    "accounts": FOUNDATION | {"text"},
    "repair": FOUNDATION,
    "conversation": FOUNDATION | {"text"},
    "suspect": FOUNDATION | {"text"},
    "stable": FOUNDATION | {"cite"},
    "drafting": FOUNDATION | {"protocols", "config", "accounts", "repair", "stable", "suspect"} | STEPS,
    "pipeline": FOUNDATION | {"protocols", "config", "text", "answer", "drafting", "suspect"} | STEPS,
}
BELOW_THE_EDGE = ALLOWED.keys()


def _unit(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").parts[0]


def _imported_units(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module} if node.module != "pincite" else {f"pincite.{a.name}" for a in node.names}
    return {name.split(".")[1] for name in names if name.startswith("pincite.")}


SOURCES = sorted(path for path in ROOT.rglob("*.py") if _unit(path) in BELOW_THE_EDGE)


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_module_imports_only_what_stands_below_it(path: Path) -> None:
    unit = _unit(path)
    extra = _imported_units(ast.parse(path.read_text(encoding="utf-8"))) - ALLOWED[unit]
    assert not extra, f"{unit} must not import {sorted(extra)}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_nothing_below_the_edges_prints(path: Path) -> None:
    calls = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call)]
    assert not [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == "print"]
