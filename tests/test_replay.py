"""A recorded answer judged again, from the record alone."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite import Library, defaults
from pincite.audit import AuditLog, Record, canonical, link_hash
from pincite.errors import AuditError
from pincite.replay import replay
from pincite.types import Identity, Judgement, Pair, VerdictLabel, VerifierInfo


@pytest.fixture(scope="module")
def record(harbourline: Path) -> Record:
    with Library.open(harbourline) as library:
        answer = library.ask(
            "Why did the premium on POL-55012 go up?",
            identity=Identity(tenant="harbourline", roles=frozenset({"underwriter"})),
        )
        return library.audit.get(answer.audit_id)


class Stricter:
    """The shipped verifier, but nothing stands."""

    info = VerifierInfo(name="stricter", version="1", fingerprint="other")

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        return [Judgement(label=VerdictLabel.UNSUPPORTED, support_prob=0.1) for _ in pairs]


def with_content(record: Record, **changes: object) -> Record:
    body = canonical({**record.content(), **changes})
    return dataclasses.replace(record, body=body, hash=link_hash(record.previous, body))


def test_an_untouched_record_replays_equal(record: Record) -> None:
    result = replay(record, defaults.verifier())
    assert (result.equal, result.differences) == (True, ())
    assert result.recorded_verifier == result.current_verifier


def test_a_record_of_a_refusal_replays_equal(harbourline: Path) -> None:
    with Library.open(harbourline) as library:
        for text in ("", "Is there a multi-policy discount?", "xyzzy " * 300):
            answer = library.ask(text, identity=Identity(tenant="harbourline"))
            assert replay(library.audit.get(answer.audit_id), defaults.verifier()).equal


def test_another_verifier_is_not_equal_and_every_difference_is_named_by_its_path(record: Record) -> None:
    result = replay(record, Stricter())
    assert not result.equal
    assert result.recorded_verifier != result.current_verifier == "other"
    paths = [line.partition(": ")[0] for line in result.differences]
    assert "checked.decision" in paths
    assert "checked.groundedness" in paths
    assert "checked.claims[0].verdict.label" in paths
    assert "checked.verifier.fingerprint" in paths


def test_a_forged_verdict_with_a_fresh_hash_is_not_equal(record: Record) -> None:
    answer = record.content()["answer"]
    forged = json.loads(json.dumps(answer).replace('"supported"', '"contradicted"', 1))
    result = replay(with_content(record, answer=forged), defaults.verifier())
    assert any("recorded 'contradicted', now 'supported'" in line for line in result.differences)


def test_a_record_whose_body_does_not_match_its_hash_is_not_replayed(record: Record) -> None:
    with pytest.raises(AuditError, match="was changed after it was written"):
        replay(dataclasses.replace(record, body=record.body.replace("premium", "discount")), defaults.verifier())


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": 99},
        {"kind": "other"},
        {"handles": None},
        {"answer": {}},
        {"settings": {"policy": 3}},
        {"generation": {}},
    ],
)
def test_a_record_of_another_form_is_refused_by_name(record: Record, changes: dict[str, object]) -> None:
    with pytest.raises(AuditError, match=record.audit_id.partition("-")[0]):
        replay(with_content(record, **changes), defaults.verifier())


def test_the_file_tampered_with_on_disk_fails_to_verify_at_the_first_bad_record(tmp_path: Path, record: Record) -> None:
    log = AuditLog(tmp_path / "audit.sqlite")
    for _ in range(3):
        log.append(record.content())
    log.close()
    db = sqlite3.connect(tmp_path / "audit.sqlite")
    db.executescript(
        "DROP TRIGGER record_is_final; UPDATE record SET body = replace(body, '620', '260') WHERE seq >= 2;"
    )
    db.close()
    log = AuditLog(tmp_path / "audit.sqlite")
    report = log.verify()
    assert (report.good_count, report.bad_seq) == (1, 2)
    with pytest.raises(AuditError, match="record 2 was changed"):
        replay(log.get("2"), defaults.verifier())
    assert replay(log.get("1"), defaults.verifier()).equal
    log.close()
