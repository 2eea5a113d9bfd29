"""`pincite chat`: a line a turn."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LINES = "Within how many days may customers on the Enterprise plan ask for a refund?\n\nand for the Starter plan?\n"


def chat(library: Path, lines: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pincite", "chat", "--library", str(library), *options]
    return subprocess.run(command, input=lines, capture_output=True, text=True, check=False, timeout=120)


def test_each_line_gets_an_answer_and_a_follow_up_says_how_it_was_read(small: Path) -> None:
    done = chat(small / "library", LINES)
    assert (done.returncode, done.stderr) == (0, "")
    assert "30 days" in done.stdout
    assert "Read as: Within how many days may customers on the Starter plan ask for a refund?" in " ".join(
        done.stdout.split()
    )


def test_json_is_one_line_a_turn_and_holds_nothing_of_earlier_answers(small: Path) -> None:
    done = chat(small / "library", LINES, "--json")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["query"]["said"]["conversation"] == second["query"]["said"]["conversation"]
    assert second["query"]["said"]["number"] == 2
    assert "turns" not in second["query"]["said"]
    assert "30 days of the purchase" not in json.dumps(second["query"])


def test_a_line_that_is_no_question_is_reported_and_the_conversation_goes_on(small: Path) -> None:
    done = chat(small / "library", "x" * 10_001 + "\n" + LINES)
    assert "10,001 characters" in done.stderr
    assert "30 days" in done.stdout
