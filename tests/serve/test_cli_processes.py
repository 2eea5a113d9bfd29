"""Interrupts, kills and two writers: what was reported done is there, and running again completes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import pytest

from pincite import Library
from pincite.errors import LibraryLockedError

QUESTION = "How long may customers on the Enterprise plan ask for a refund?"
HOLD = """
import sys
from pathlib import Path
from pincite.adapters.stores.embedded.folder import write_lock
with write_lock(Path(sys.argv[1]) / "write.lock", wait_s=5):
    print("held", flush=True)
    sys.stdin.read()
"""
SLOW_INGEST = """
import sys
from pincite.adapters.stores.embedded.store import EmbeddedStore
put = EmbeddedStore.put
def stop_after_first(self, entries):
    print("durable", put(self, entries), flush=True)
    sys.stdin.read()
EmbeddedStore.put = stop_after_first
from pincite.ingest import batches
batches._BATCH_PASSAGES = 4
sys.argv = ["pincite", *sys.argv[1:]]
from pincite.serve.cli import main
main()
"""


def many_documents(folder: Path) -> Path:
    docs = folder / "many"
    docs.mkdir()
    for number in range(6):
        rules = "".join(f"Rule {n} of garage {number} opens level {n} at {n % 24}:15.\n\n" for n in range(20))
        text = f"---\nlanguage: en\n---\n# Garage {number}\n\nGarage {number} belongs to house {number}.\n\n{rules}"
        (docs / f"garage-{number}.md").write_text(text, encoding="utf-8")
    return docs


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_ingest_stopped_in_the_middle_keeps_what_was_durable_and_completes_when_run_again(
    command: Any, tmp_path: Path, how: signal.Signals
) -> None:
    docs, library = many_documents(tmp_path), ("--library", str(tmp_path / "library"))
    with started(SLOW_INGEST, "ingest", str(docs), *library) as process:
        assert pipe(process.stdout).readline().startswith("durable")
        process.send_signal(how)
        out, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    if how is signal.SIGINT:
        assert (process.returncode, "interrupted" in err) == (130, True)
    assert "went into" not in out
    there = {one["document_id"] for one in command("list", *library, "--json").json}
    assert 0 < len(there) < 6
    assert command("ask", "Which house does garage 0 belong to?", *library).code == 0
    again = command("ingest", str(docs), *library, "--json")
    outcomes = {Path(row["path"]).stem: row["outcome"] for row in again.json["rows"]}
    assert again.code == 0
    assert {name for name, outcome in outcomes.items() if outcome == "unchanged"} == there
    assert {name for name, outcome in outcomes.items() if outcome == "added"} == set(outcomes) - there
    assert len(command("list", *library, "--json").json) == 6
    with Library.open(tmp_path / "library") as opened:
        assert opened.parts.store.integrity() == []


def test_two_ingests_at_once_both_end_well(command: Any, tmp_path: Path) -> None:
    library = ("--library", str(tmp_path / "library"))
    processes = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.md").write_text(f"# {name}\n\nGarage {name} opens at 6:15.\n", encoding="utf-8")
        processes.append(subprocess.Popen(
            [sys.executable, "-m", "pincite", "ingest", str(tmp_path / name), *library], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ))  # fmt: skip
    ended = [(process.communicate(timeout=120), process.returncode) for process in processes]
    assert [code for _, code in ended] == [0, 0], ended
    assert {one["document_id"] for one in command("list", *library, "--json").json} == {"one", "two"}


def test_a_second_writer_is_told_who_is_in_the_way_and_a_reader_is_not_held_up(command: Any, small: Path) -> None:
    from pincite.adapters.stores.embedded import EmbeddedStore

    library = ("--library", str(small / "library"))
    with started(HOLD, str(small / "library")) as holder:
        assert pipe(holder.stdout).readline() == "held\n"
        assert command("ask", QUESTION, *library).code == 0
        store = EmbeddedStore.open(small / "library", lock_wait_s=0.0)
        with (
            Library.open(small / "library") as opened,
            pytest.raises(LibraryLockedError, match="another process") as caught,
        ):
            store.remove("default", "refunds", at=opened.parts.clock())
        store.close()
        assert caught.value.retryable
        pipe(holder.stdin).close()
        holder.wait(timeout=60)
    assert command("remove", "refunds", *library).code == 0


def test_many_questions_at_once_make_one_whole_chain(small: Path, command: Any) -> None:
    arguments = [sys.executable, "-m", "pincite", "ask", QUESTION, "--library", str(small / "library"), "--json"]
    processes = [subprocess.Popen(arguments, stdout=subprocess.PIPE) for _ in range(3)]
    answers = [json.loads(process.communicate(timeout=120)[0]) for process in processes]
    assert len({answer["audit_id"] for answer in answers}) == 3
    assert command("audit", "verify", "--library", str(small / "library")).out.startswith("3 records, all good")


def test_ctrl_c_while_check_waits_for_a_line_ends_with_130() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pincite", "check", "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"answer": "", "passages": []}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, b"Fatal" in err, b"Traceback" in err) == (130, False, False)


def test_json_nested_too_deep_is_an_error_on_its_line_and_the_run_goes_on() -> None:
    deep = b'{"answer": "x", "passages": [{"text": "x", "meta": {"a": ' + b"[" * 50_000 + b"]" * 50_000 + b"}}]}"
    done = subprocess.run(
        [sys.executable, "-m", "pincite", "check", "--jsonl"],
        input=deep + b'\n{"answer": "", "passages": []}\n',
        capture_output=True,
        check=False,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [next(iter(line)) for line in lines] == ["error", "decision"]
    assert b"Traceback" not in done.stderr


def test_check_without_standard_input_says_so() -> None:
    program = "import os, sys; os.close(0); os.execv(sys.executable, [sys.executable, '-m', 'pincite', 'check'])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=dict(os.environ)
    )
    assert (done.returncode, "no standard input" in done.stderr) == (2, True)
