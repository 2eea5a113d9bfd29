from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.adapters.parsers.records import CSV, JSON_LINES, TSV, RecordsParser
from pincite.errors import ParseError
from pincite.protocols import ParseLimits
from pincite.text.records import (
    Op,
    RecordBatch,
    RecordChange,
    RecordState,
    merge,
    readable_name,
    render,
    state_of,
)
from pincite.types import Access, Version


def read(text: str, media_type: str = JSON_LINES, name: str = "claim.jsonl") -> RecordBatch:
    return RecordsParser().read(text.encode(), source_name=name, media_type=media_type, limits=ParseLimits())


def row(op: str, key: str, seq: int | None, **data: Any) -> str:
    return json.dumps({"op": op, "table": "claim", "key": key, "seq": seq, "ts": "2026-02-21T08:14:00Z", "data": data})


def final(*lines: str) -> RecordState:
    return merge(read("\n".join(lines)).changes).states[-1]


def test_an_update_changes_only_its_fields_and_every_state_is_kept() -> None:
    changes = read(
        row("insert", "1", 1, status="open", cause="water") + "\n" + row("update", "1", 2, status="closed")
    ).changes
    states = merge(changes).states
    assert [dict(state.data) for state in states] == [
        {"Status": "open", "Cause": "water"},
        {"Status": "closed", "Cause": "water"},
    ]
    assert states[0].source_id == "claim/1"
    assert states[0].day == date(2026, 2, 21)


def test_late_rows_take_their_place_and_null_clears_a_field() -> None:
    state = final(
        row("update", "1", 3, status="closed", note=None),
        row("insert", "1", 1, status="open", note="x"),
        row("update", "1", 2, status="paid", payee="P"),
    )
    assert dict(state.data) == {"Status": "closed", "Payee": "P"}


def test_the_same_number_counts_once_and_a_contradiction_is_a_problem() -> None:
    again = row("insert", "1", 1, status="open")
    merged = merge(read("\n".join([again, again, row("insert", "1", 1, status="stolen")])).changes)
    assert [dict(state.data) for state in merged.states] == [{"Status": "open"}]
    assert [problem.line for problem in merged.problems] == [3]


def test_a_deletion_ends_the_record_and_only_a_later_insert_revives_it() -> None:
    deleted = final(row("insert", "1", 1, a="x"), row("delete", "1", 3), row("update", "1", 2, a="y"))
    assert deleted.deleted
    assert dict(deleted.data) == {"A": "y"}
    revived = final(row("insert", "1", 1, a="x", b="z"), row("delete", "1", 2), row("insert", "1", 3, a="new"))
    assert not revived.deleted
    assert dict(revived.data) == {"A": "new"}


def test_bad_lines_are_named_and_the_rest_goes_on() -> None:
    batch = read(
        "\n".join(
            [
                row("insert", "1", 1, a="x"),
                "{broken",
                "[1]",
                row("upsert", "2", 1),
                '{"op":"insert","seq":1}',
                row("insert", "3", None, a="y"),
                '{"op":"insert","key":"4","seq":"x"}',
                '{"op":"insert","key":"5","ts":"soon"}',
                "",
                "[" * 100_000,
            ]
        )
    )
    assert [problem.line for problem in batch.problems] == [2, 3, 4, 5, 7, 8, 10]
    assert [change.source_id for change in batch.changes] == ["claim/1", "claim/3"]


def test_a_file_without_one_readable_line_is_an_error() -> None:
    with pytest.raises(ParseError) as caught:
        read("{a\n{b\n")
    assert caught.value.code == "corrupt"
    assert "line 1" in str(caught.value)


def test_numbers_stay_as_written_and_nested_values_read_as_words() -> None:
    state = final(
        '{"op":"insert","table":"claim","key":"1","seq":1,"data":'
        '{"amount":4200.00,"big":12345678901234567890,"paid":true,"tags":["a","b"],"who":{"firstName":"Ann"},"t":"x\\n y"}}'
    )
    assert dict(state.data) == {
        "Amount": "4200.00",
        "Big": "12345678901234567890",
        "Paid": "yes",
        "Tags": "a, b",
        "Who": "First name: Ann",
        "T": "x y",
    }


def test_a_state_reads_as_one_line_whose_cells_name_their_fields() -> None:
    state = final(row("insert", "88431", 7, status="open", cause_of_loss="water damage"))
    parsed = render(state, media_type=JSON_LINES, parser="records/1")
    assert parsed.text == "Claim 88431 | Status: open | Cause of loss: water damage"
    (block,) = parsed.layout.blocks
    assert [(c.header, parsed.text[c.start : c.end]) for c in block.cells] == [
        (None, "Claim 88431"),
        ("Status", "open"),
        ("Cause of loss", "water damage"),
    ]
    assert dict(parsed.metadata) == {"title": "Claim 88431", "version_label": "7", "effective_from": "2026-02-21"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("date_of_loss", "Date of loss"),
        ("dateOfLoss", "Date of loss"),
        ("VINNumber", "VIN number"),
        ("ID", "ID"),
        ("Straße", "Straße"),
        ("année", "Année"),
        ("#", "#"),
        ("", "Field"),
    ],
)
def test_field_names_read_as_words(name: str, words: str) -> None:
    assert readable_name(name) == words


def test_plain_rows_are_inserts_named_by_id_key_or_a_unique_first_field() -> None:
    assert [c.source_id for c in read("name,id\nAnn,7\nBo,9\n", CSV, "staff.csv").changes] == ["staff/7", "staff/9"]
    assert [c.source_id for c in read("nr;x\n1;a\n2;a\n", CSV, "t.csv").changes] == ["t/1", "t/2"]
    assert [c.source_id for c in read("x\ty\na\t1\na\t2\n", TSV, "t.tsv").changes] == ["t/2", "t/3"]
    plain = read('{"key":"k","v":1}\n{"key":"l","v":2}\n', name="rate.jsonl").changes
    assert [(c.source_id, c.op, dict(c.data)["V"]) for c in plain] == [
        ("rate/k", Op.INSERT, "1"),
        ("rate/l", Op.INSERT, "2"),
    ]


def test_csv_with_quotes_breaks_and_bad_rows_counts_source_lines() -> None:
    batch = read('\ufeffid,note\n1,"a, b\nc"\n2\n\n3,d\n4,"e""f"\n', CSV, "n.csv")
    assert [(c.source_id, c.line, dict(c.data)["Note"]) for c in batch.changes] == [
        ("n/1", 2, "a, b c"),
        ("n/3", 6, "d"),
        ("n/4", 7, 'e"f'),
    ]
    assert [(p.line, p.reason) for p in batch.problems] == [(4, "1 fields where the header has 2")]


def test_a_csv_may_be_a_change_log() -> None:
    changes = read(
        "op,key,seq,ts,status\ninsert,1,1,2026-01-01,open\ndelete,1,2,2026-01-05,\n", CSV, "claim.csv"
    ).changes
    (state,) = merge(changes).states
    assert (state.deleted_on, dict(state.data)) == (date(2026, 1, 5), {"Status": "open"})


def stored(state: RecordState) -> Version:
    parsed = render(state, media_type=JSON_LINES, parser="records/1")
    day = parsed.metadata.get("effective_from")
    return Version(
        version_id="v", document_id=state.source_id, tenant="t", title=state.title, text=parsed.text, layout=parsed.layout,
        language="", media_type=JSON_LINES, source_uri="", content_sha256="", parser="records/1",
        ingested_at=datetime(2026, 1, 1, tzinfo=UTC), effective_from=date.fromisoformat(day) if day else None,
        effective_to=state.deleted_on, access=Access(), flags=parsed.flags,
    )  # fmt: skip


values = st.text(alphabet="abc 1é", min_size=1, max_size=5).map(lambda t: " ".join(t.split())).filter(bool)
numbered = st.lists(
    st.tuples(
        st.sampled_from(list(Op)),
        st.dictionaries(st.sampled_from(["A", "B", "C"]), values | st.none(), max_size=3),
    ),
    min_size=1,
    max_size=8,
).map(
    lambda rows: [
        RecordChange(op=op, source_id="t/1", title="T 1", seq=seq, data={} if op is Op.DELETE else data, line=seq)
        for seq, (op, data) in enumerate(rows, start=1)
    ]
)


@given(numbered, st.randoms(use_true_random=False))
def test_the_order_of_arrival_and_repeats_change_nothing(changes: list[RecordChange], chance: Any) -> None:
    shuffled = [*changes, *changes[: len(changes) // 2]]
    chance.shuffle(shuffled)
    assert merge(shuffled).states == merge(changes).states
    assert merge(shuffled).problems == ()


@given(numbered, st.integers(min_value=0, max_value=8))
def test_changes_in_two_files_end_as_in_one(changes: list[RecordChange], cut: int) -> None:
    base = [state_of(stored(state)) for state in merge(changes[:cut]).states]
    in_two = merge(changes[cut:], [state for state in base if state is not None]).states
    in_one = merge(changes).states
    assert [(s.seq, s.data, s.deleted_seq) for s in in_two] == [(s.seq, s.data, s.deleted_seq) for s in in_one]


@given(st.binary(max_size=300), st.sampled_from([CSV, TSV, JSON_LINES]))
def test_any_bytes_give_changes_or_a_parse_error(data: bytes, media_type: str) -> None:
    try:
        batch = RecordsParser().read(data, source_name="x", media_type=media_type, limits=ParseLimits())
    except ParseError:
        return
    assert all(change.source_id.startswith("x/") or media_type == JSON_LINES for change in batch.changes)
