"""The contract of `pincite check`, through the real command in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

REFUND = "Enterprise customers may ask for a refund within 30 days. Starter customers have 7 days."
VPN = "A VPN session ends after 12 hours."
CASE = {
    "query": "How long is the refund window?",
    "answer": "Enterprise customers may ask for a refund within 30 days [1]. A VPN session ends after 12 hours [2].",
    "passages": [{"id": "refund", "text": REFUND}, {"id": "vpn", "text": VPN, "title": "VPN", "meta": {"any": 1}}],
}
CLAIM_KEYS = {
    "text", "start", "end", "kind", "verdict", "support_prob", "citations", "evidence", "reasons", "better_citation",
}  # fmt: skip
RESULT_KEYS = {
    "decision", "reasons", "groundedness", "text", "claims", "unresolved", "uncited", "needless", "verifier",
}  # fmt: skip
REASON_KEYS = {
    "code", "claim_value", "evidence_value", "claim_start", "claim_end", "passage_id", "evidence_start", "evidence_end",
}  # fmt: skip


def run(*arguments: str, stdin: str | bytes = b"") -> subprocess.CompletedProcess[bytes]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    return subprocess.run(
        [sys.executable, "-m", "pincite", "check", *arguments],
        input=data,
        capture_output=True,
        check=False,
        timeout=120,
    )


def checked(case: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    done = run("--json", stdin=json.dumps(case))
    return done.returncode, json.loads(done.stdout)


def test_a_supported_answer_ends_with_0_and_has_the_documented_shape() -> None:
    code, result = checked(CASE)
    assert (code, result["decision"], result["groundedness"]) == (0, "answered", 1.0)
    assert set(result) == RESULT_KEYS
    assert all(set(claim) == CLAIM_KEYS for claim in result["claims"])
    citation = result["claims"][0]["citations"][0]
    assert citation == {
        "raw": "[1]", "start": 57, "end": 60, "status": "resolved", "passage_id": "refund", "verdict": "supported",
    }  # fmt: skip
    assert set(result["verifier"]) == {"name", "version", "fingerprint"}


def test_ranges_point_at_the_exact_words_in_answer_and_passage() -> None:
    _, result = checked(CASE)
    for claim in result["claims"]:
        assert CASE["answer"][claim["start"] : claim["end"]].startswith(claim["text"][:20])  # type: ignore[index]
        for evidence in claim["evidence"]:
            text = {"refund": REFUND, "vpn": VPN}[evidence["passage_id"]]
            assert text[evidence["start"] : evidence["end"]] == evidence["quote"]


def test_a_wrong_number_ends_with_1_and_the_reason_has_both_values_and_both_places() -> None:
    answer = "Enterprise customers may ask for a refund within 45 days [1]."
    code, result = checked({**CASE, "answer": answer})
    claim = result["claims"][0]
    assert code == 1
    assert claim["verdict"] in {"contradicted", "unsupported"}
    reason = next(r for r in claim["reasons"] if r["code"] == "number_mismatch")
    assert set(reason) == REASON_KEYS
    assert "45" in reason["claim_value"]
    assert "30" in reason["evidence_value"]
    assert "45" in answer[reason["claim_start"] : reason["claim_end"]]
    assert "30" in REFUND[reason["evidence_start"] : reason["evidence_end"]]


def test_markers_resolve_by_id_as_well_as_by_number() -> None:
    answer = "A VPN session ends after 12 hours [vpn]."
    code, result = checked({**CASE, "answer": answer})
    assert (code, result["claims"][0]["citations"][0]["passage_id"]) == (0, "vpn")


def test_a_wrong_citation_is_misattributed_and_the_better_one_is_named() -> None:
    code, result = checked({**CASE, "answer": "A VPN session ends after 12 hours [1]."})
    claim = result["claims"][0]
    assert (code, claim["verdict"], claim["better_citation"]) == (1, "misattributed", "vpn")


def test_a_marker_that_leads_nowhere_is_listed_and_is_never_a_citation() -> None:
    code, result = checked({**CASE, "answer": "A VPN session ends after 12 hours [9]."})
    assert code == 1
    assert [one["raw"] for one in result["unresolved"]] == ["[9]"]
    assert result["claims"][0]["citations"][0]["status"] == "unresolved"


def test_an_uncited_claim_is_listed() -> None:
    code, result = checked({**CASE, "answer": "A VPN session ends after 12 hours."})
    assert code == 1
    assert [one["text"] for one in result["uncited"]] == ["A VPN session ends after 12 hours."]


@pytest.mark.parametrize("answer", ["", "   \n ", "Hello!", "I could not find this in the documents."])
def test_an_answer_without_a_factual_claim_is_never_accepted(answer: str) -> None:
    code, result = checked({**CASE, "answer": answer})
    assert (code, result["decision"], result["groundedness"]) == (1, "abstained", None)


def test_no_passages_support_nothing() -> None:
    code, result = checked({"answer": "A VPN session ends after 12 hours [1].", "passages": []})
    assert (code, result["groundedness"]) == (1, 0.0)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", b"not a valid check case"),
        (b"{", b"not a valid check case"),
        (b"[]", b"not a valid check case"),
        (b'{"answer": "x"}', b"passages"),
        (b'{"answer": 3, "passages": []}', b"answer"),
        (b'{"answer": "x", "passages": [{"id": "a"}]}', b"text"),
        (b'{"answer": "x", "passages": [], "colour": 1}', b"colour"),
        (b'{"answer": "x", "passages": [{"id": "a", "text": "t"}, {"id": "a", "text": "u"}]}', b"two passages"),
        (b'{"answer": "\xff", "passages": []}', b"not a valid check case"),
    ],
)
def test_unusable_input_ends_with_2_and_one_line_that_says_why(raw: bytes, message: bytes) -> None:
    done = run("--json", stdin=raw)
    assert done.returncode == 2
    assert message in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_missing_file_ends_with_2() -> None:
    done = run("/nowhere/at/all.json")
    assert (done.returncode, b"cannot be read" in done.stderr) == (2, True)


def test_json_lines_keep_order_and_a_bad_line_does_not_stop_the_rest() -> None:
    good = json.dumps(CASE)
    bad = json.dumps({**CASE, "answer": "A VPN session ends after 48 hours [2]."})
    done = run("--jsonl", stdin=f"{good}\n{{not json\n{bad}\n\n{good}")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [next(iter(line)) for line in lines] == ["decision", "error", "decision", "decision"]
    assert lines[1]["error"]["line"] == 2
    assert [line.get("groundedness") for line in lines] == [1.0, None, 0.0, 1.0]
    assert done.returncode == 1


def test_json_lines_that_all_stand_end_with_0() -> None:
    assert run("--jsonl", stdin=f"{json.dumps(CASE)}\n" * 3).returncode == 0


def test_json_lines_answer_each_line_before_the_next_is_sent() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pincite", "check", "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(json.dumps(CASE).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["decision"] == "answered"
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_without_json_a_person_can_read_it() -> None:
    done = run(stdin=json.dumps({**CASE, "answer": "A VPN session ends after 48 hours [2]."}))
    text = done.stdout.decode()
    assert "48" in text
    assert "12" in text
    assert "number_mismatch" in text
