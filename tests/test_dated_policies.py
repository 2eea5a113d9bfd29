"""Real policies with dated predecessors: the right text for each day, and never one that is not in force."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pincite import Library

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks" / "quality"))

import dated

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = dated.rows("dated_questions.jsonl")
SUBSET = [
    case
    for case in CASES
    if case["id"] in {"d04", "d09", "d14", "d16", "d18", "d21", "d29", "d34", "d39", "d47", "d50"}
]


@pytest.fixture(scope="module")
def library(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    assert shared.is_dir()
    folder = tmp_path_factory.mktemp("policies")
    with Library.open(folder, create=True, clock=lambda: dated.NOW) as opened:
        dated.fill(opened)
        yield opened


@pytest.mark.parametrize("case", SUBSET, ids=lambda case: case["id"])
def test_the_text_in_force_on_the_day_answers(library: Library, case: dict[str, str]) -> None:
    (result,) = dated.ask_all(library, [case])
    assert result.right_version, result
    assert result.not_in_force == []


def test_the_words_of_every_case_stand_in_its_file(shared: Path) -> None:
    for case in CASES:
        if case["version"]:
            text = (shared / "docs" / "md" / case["version"]).read_text(encoding="utf-8")
            plain = text.replace("&rsquo;", "'").replace("’", "'").replace("**", "")
            assert case["words"].casefold() in plain.casefold(), case["id"]


@pytest.mark.parametrize(
    "case", dated.rows("dated_changes.jsonl"), ids=lambda case: f"{case['document']}-{case['after']}"
)
def test_the_statements_that_changed_are_listed(library: Library, case: dict[str, str]) -> None:
    assert dated.change_found(library, case)
