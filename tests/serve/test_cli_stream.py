"""`pincite ask --stream`: the same answer, as text and as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

QUESTION = "How long is the refund window on the Enterprise plan?"


def test_a_streamed_answer_prints_what_the_plain_one_does(command: Any, small: Path) -> None:
    library = ["--library", str(small / "library")]
    plain = command("ask", QUESTION, *library).out.split("· audit")[0]
    streamed = command("ask", QUESTION, *library, "--stream").out.split("· audit")[0]
    assert plain.split() == streamed.split()


def test_json_lines_join_to_the_text_and_end_with_the_answer(command: Any, small: Path) -> None:
    done = command("ask", QUESTION, "--library", str(small / "library"), "--stream", "--json")
    *released, last = [json.loads(line) for line in done.out.splitlines()]
    assert "".join(one["released"]["text"] for one in released) == last["answer"]["text"]
    assert [s["number"] for one in released for s in one["released"]["sources"]] == [
        s["number"] for s in last["answer"]["sources"]
    ]


def test_a_refusal_streams_nothing_before_it(command: Any, small: Path) -> None:
    done = command("ask", "Who won the cup in 1954?", "--library", str(small / "library"), "--stream", "--json")
    assert (done.code, len(done.out.splitlines())) == (4, 1)
