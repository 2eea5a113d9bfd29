"""The command line's contract, command by command, in processes of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HEAVY = (
    "numpy",
    "onnxruntime",
    "rich",
    "msgspec",
    "lxml",
    "tantivy",
    "tokenizers",
    "pypdfium2",
    "markdown_it",
    "sqlite3",
)
COMMANDS = ("ingest", "ask", "check", "show", "list", "remove", "audit", "demo", "doctor")
REFUND_QUESTION = "How long may customers on the Enterprise plan ask for a refund?"
REFUND = "Customers on the Enterprise plan may ask for a full refund within 30 days of the purchase."


def in_library(folder: Path) -> tuple[str, str]:
    return "--library", str(folder / "library")


# --- help and doctor


def test_help_names_every_command_and_imports_nothing_heavy() -> None:
    program = (
        "import sys\n"
        "sys.argv = ['pincite', '--help']\n"
        "from pincite.serve.cli import main\n"
        "try:\n    main()\n"
        f"finally:\n    print('HEAVY', sorted(set({HEAVY!r}) & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(re.search(rf"^  {command}\b", done.stdout, re.MULTILINE) for command in COMMANDS)
    assert "HEAVY []" in done.stdout


@pytest.mark.parametrize(
    "arguments", [("ask",), ("frobnicate",), ("ask", "q", "--as-of", "yesterday"), ("ask", "q", "--attr", "x")]
)
def test_bad_usage_ends_with_2_and_says_what_is_wrong(command: Any, arguments: tuple[str, ...]) -> None:
    done = command(*arguments)
    assert (done.code, done.out) == (2, "")
    assert "Error" in done.err


def test_doctor_names_what_is_installed_and_that_the_shipped_parts_work(command: Any) -> None:
    done = command("doctor")
    assert done.code == 0
    for word in ("pincite ", "numpy", "onnxruntime", "tantivy", "verifier:", "fingerprint", "embedder:", "extra test"):
        assert word in done.out
    assert "NOT WORKING" not in done.out


# --- ingest


def test_ingest_reports_each_file_then_skips_what_is_unchanged_then_takes_what_changed(
    command: Any, small: Path
) -> None:
    fresh = ("ingest", str(small / "docs"), "--library", str(small / "fresh"))
    first = command(*fresh)
    assert first.code == 0
    assert "refunds" in first.out
    assert "2 added" in first.out
    (small / "docs" / "parking.md").write_text("# Parking rules\n\nVisitors park on level 3.\n", encoding="utf-8")
    second = command(*fresh, "--json")
    rows = {Path(row["path"]).name: row for row in second.json["rows"]}
    assert second.code == 0
    assert {name: row["outcome"] for name, row in rows.items()} == {"refunds.md": "unchanged", "parking.md": "updated"}


def test_ingest_options_decide_who_sees_a_document_when_and_for_what(command: Any, small: Path) -> None:
    memo = small / "memo.md"
    memo.write_text("# Memo\n\nThe surcharge on fleet policies is USD 280.\n", encoding="utf-8")
    done = command(
        "ingest", str(memo), *in_library(small), "--access", "underwriter,group:audit", "--tenant", "default",
        "--effective-from", "2026-01-01", "--effective-to", "2027-01-01", "--attr", "country=India",
    )  # fmt: skip
    assert done.code == 0

    def sees(*arguments: str) -> bool:
        found = command("list", *in_library(small), "--json", *arguments).json
        return any(one["document_id"] == "memo" for one in found)

    assert sees("--role", "underwriter", "--as-of", "2026-06-01", "--attr", "country=India")
    assert not sees("--as-of", "2026-06-01")
    assert not sees("--role", "underwriter", "--as-of", "2025-12-31")
    assert not sees("--role", "underwriter", "--as-of", "2027-01-01")
    assert not sees("--role", "underwriter", "--as-of", "2026-06-01", "--attr", "country=Spain")
    assert not sees("--role", "underwriter", "--as-of", "2026-06-01", "--tenant", "other")


def test_ingest_supersedes_a_document_from_its_own_date_on(command: Any, small: Path) -> None:
    newer = small / "garage-2027.md"
    newer.write_text("# Garage\n\nVisitors park on level 5.\n", encoding="utf-8")
    done = command(
        "ingest", str(newer), *in_library(small), "--supersedes", "parking", "--effective-from", "2027-01-01"
    )
    assert done.code == 0
    before = command("ask", "Where do visitors park?", *in_library(small), "--as-of", "2026-12-31")
    after = command("ask", "Where do visitors park?", *in_library(small), "--as-of", "2027-01-01")
    assert "level 2" in before.out
    assert "level 5" in after.out
    assert "level 2" not in after.out


def test_dates_the_wrong_way_round_are_bad_usage(command: Any, small: Path) -> None:
    done = command(
        "ingest",
        str(small / "docs"),
        *in_library(small),
        "--effective-from",
        "2026-02-01",
        "--effective-to",
        "2026-01-01",
    )
    assert done.code == 2


def test_a_missing_path_is_reported_and_the_rest_goes_in(command: Any, small: Path) -> None:
    done = command("ingest", str(small / "nowhere"), str(small / "docs"), "--library", str(small / "fresh"))
    assert done.code == 3
    assert f"{small / 'nowhere'} did not go in: No such file" in done.out
    assert "2 added" in done.out


# --- ask, show, list, remove


def test_an_answer_is_printed_with_numbers_then_each_source_with_place_and_quote(command: Any, small: Path) -> None:
    done = command("ask", REFUND_QUESTION, *in_library(small))
    assert done.code == 0
    assert f"{REFUND} [1]" in " ".join(done.out.split())
    assert "[1] Refund rules" in done.out
    assert "Refund rules > Window" in done.out
    assert "“Customers on the Enterprise plan" in done.out
    assert "pincite show " in done.out


def test_json_is_the_whole_answer_on_one_line(command: Any, small: Path) -> None:
    done = command("ask", REFUND_QUESTION, *in_library(small), "--json")
    assert (done.code, done.out.count("\n")) == (0, 1)
    answer = done.json
    assert {
        "query", "decision", "reasons", "text", "sources", "checked", "next_step", "related", "retrieved", "notes",
        "audit_id", "settings_fingerprint", "library_generation", "timings_ms",
    } == set(answer)  # fmt: skip
    source = answer["sources"][0]
    assert (answer["decision"], source["quote"], source["number"]) == ("answered", REFUND, 1)
    assert answer["checked"]["claims"][0]["verdict"] == "supported"


def test_a_question_that_the_documents_do_not_answer_ends_with_4_and_a_next_step(command: Any, small: Path) -> None:
    done = command("ask", "Who was the first president of France?", *in_library(small))
    assert done.code == 4
    assert "do not answer this question" in done.out
    assert "Next step:" in done.out
    assert "abstained" in done.out


def test_explain_shows_ranks_claims_and_reasons(command: Any, small: Path) -> None:
    done = command("ask", REFUND_QUESTION, *in_library(small), "--explain")
    assert done.code == 0
    for word in (
        "Retrieved: rank, BM25 rank, dense rank",
        "Claims of the draft",
        "stands",
        "verbatim",
        " ms",
        "settings",
    ):
        assert word in done.out
    assert re.search(r"^ +1 +\d+ +\d+ +refunds", done.out, re.MULTILINE)


def test_show_opens_a_citation_a_passage_and_a_document(command: Any, small: Path) -> None:
    source = command("ask", REFUND_QUESTION, *in_library(small), "--json").json["sources"][0]
    cited = command("show", source["citation_id"], *in_library(small))
    assert cited.code == 0
    assert f"⟦{REFUND}⟧" in " ".join(cited.out.split())
    assert "Starter plan" in cited.out
    exact = command("show", source["citation_id"], *in_library(small), "--json").json
    assert (exact["quote"], exact["start"], exact["end"]) == (REFUND, source["start"], source["end"])
    passage = command("show", source["passage_id"], *in_library(small), "--json").json
    assert REFUND in passage["quote"]
    document = command("show", "refunds", *in_library(small))
    assert (document.code, "Starter plan" in document.out) == (0, True)


def test_what_is_not_there_and_what_may_not_be_read_are_the_same_words(command: Any, harbourline: Path) -> None:
    def refusal(reference: str, *arguments: str) -> tuple[int, str, str]:
        done = command("show", reference, "--library", str(harbourline), "--as-of", "2026-09-01", *arguments)
        return done.code, done.out, done.err.replace(reference, "REFERENCE")

    asker = ("--tenant", "harbourline", "--role", "adjuster")
    refusals = {
        refusal("pol-55012-underwriting-memo", *asker),
        refusal("no-such-document", *asker),
        refusal("it-security-standard", "--tenant", "quayside"),
        refusal("0123456789abcdef@1-9", *asker),
        refusal("it-security-standard", "--tenant", "nobody"),
    }
    assert len(refusals) == 1
    code, out, err = refusals.pop()
    assert (code, out) == (2, "")
    assert "'REFERENCE' that you can open" in err


def test_list_shows_title_version_and_dates(command: Any, harbourline: Path) -> None:
    done = command("list", "--library", str(harbourline), "--tenant", "harbourline", "--as-of", "2026-09-01")
    assert done.code == 0
    assert "Travel Policy" in done.out
    assert "2026-07-01" in done.out
    assert "Quayside" not in done.out
    assert "underwriting-memo" not in done.out


def test_a_removed_document_is_gone_from_ask_show_and_list_at_once_and_its_history_stays(
    command: Any, small: Path
) -> None:
    from pincite import Library
    from pincite.types import Identity, Query

    source = command("ask", REFUND_QUESTION, *in_library(small), "--json").json["sources"][0]
    removed = command("remove", "refunds", *in_library(small))
    assert removed.code == 0
    asked = command("ask", REFUND_QUESTION, *in_library(small))
    assert (asked.code, "30 days" in asked.out, "refunds" in asked.out) == (4, False, False)
    for reference in (source["citation_id"], source["passage_id"], "refunds"):
        assert command("show", reference, *in_library(small)).code == 2
    assert [one["document_id"] for one in command("list", *in_library(small), "--json").json] == ["parking"]
    again = command("remove", "refunds", *in_library(small))
    assert (again.code, "no such document" in again.err) == (2, True)
    with Library.open(small / "library") as library:
        view = Query(text="", identity=Identity(), as_of=library.parts.clock().date()).view()
        assert [version.title for version in library.parts.store.history("refunds", view)] == ["Refund rules"]


def test_a_removed_document_can_come_back(command: Any, small: Path) -> None:
    assert command("remove", "refunds", *in_library(small)).code == 0
    assert command("ingest", str(small / "docs"), *in_library(small)).code == 0
    assert command("ask", REFUND_QUESTION, *in_library(small)).code == 0


# --- audit


def test_the_record_of_every_answer_is_listed_shown_exported_verified_and_replayed(command: Any, small: Path) -> None:
    answer = command("ask", REFUND_QUESTION, *in_library(small), "--json").json
    refused = command("ask", "Who was the first president of France?", *in_library(small), "--json").json
    listed = command("audit", "list", *in_library(small))
    assert [line.split()[0] for line in listed.out.splitlines()] == [answer["audit_id"], refused["audit_id"]]
    assert "abstained" in listed.out
    shown = command("audit", "show", answer["audit_id"], *in_library(small)).json
    assert shown["answer"]["query"]["text"] == REFUND_QUESTION
    exported = [json.loads(line) for line in command("audit", "export", *in_library(small)).out.splitlines()]
    assert [one["seq"] for one in exported] == [1, 2]
    assert json.loads(exported[0]["body"]) == shown
    verified = command("audit", "verify", *in_library(small), "--expect", answer["audit_id"])
    assert (verified.code, exported[1]["hash"] in verified.out) == (0, True)
    replayed = command("audit", "replay", answer["audit_id"], *in_library(small))
    assert (replayed.code, replayed.out.strip()) == (0, f"{answer['audit_id']}: equal")


def test_an_exported_chain_can_be_checked_with_sha_256_alone(command: Any, small: Path) -> None:
    import hashlib

    for _ in range(2):
        command("ask", "Wo ist die Straße? 🎈", *in_library(small))
    previous = "0" * 64
    for line in command("audit", "export", *in_library(small)).out.splitlines():
        record = json.loads(line)
        assert record["previous"] == previous
        previous = hashlib.sha256(f"{previous}\n{record['body']}".encode()).hexdigest()
        assert record["hash"] == previous


def test_a_record_changed_in_the_file_is_named_by_verify_and_not_replayed(command: Any, small: Path) -> None:
    import sqlite3

    ids = [command("ask", REFUND_QUESTION, *in_library(small), "--json").json["audit_id"] for _ in range(2)]
    db = sqlite3.connect(small / "library" / "audit.sqlite")
    db.executescript(
        "DROP TRIGGER record_is_final; UPDATE record SET body = replace(body, '30 days', '90 days') WHERE seq = 2;"
    )
    db.close()
    verified = command("audit", "verify", *in_library(small))
    assert (verified.code, verified.out.startswith("record 2: ")) == (1, True)
    assert command("audit", "replay", ids[0], *in_library(small)).code == 0
    replayed = command("audit", "replay", ids[1], *in_library(small))
    assert (replayed.code, "was changed" in replayed.err) == (2, True)


def test_an_audit_id_that_is_none_or_unknown_is_named(command: Any, small: Path) -> None:
    command("ask", REFUND_QUESTION, *in_library(small))
    assert "not an audit id" in command("audit", "show", "yesterday", *in_library(small)).err
    unknown = command("audit", "verify", *in_library(small), "--expect", "7-abcdef")
    assert (unknown.code, "no audit record 7-abcdef" in unknown.err) == (2, True)


# --- demo


def test_the_demo_ends_with_0_and_shows_every_scene(demo: Any) -> None:
    from pincite.sample import harbourline_loader as sample

    assert "did not end as it should" not in demo.done.out
    assert all(scene.name in demo.done.out for scene in (*sample.scenes(), *sample.draft_scenes()))
    assert demo.done.code == 0
