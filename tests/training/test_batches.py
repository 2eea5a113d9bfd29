from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.batching import balanced, bucketed, draw, pass_over
from training.encode import CLS, SEP, collate, join
from training.records import (
    CONTRADICTED,
    FILTERS,
    LABELS,
    NEITHER,
    SUPPORTED,
    UNSUPPORTED,
    Pair,
    is_held_back,
    keys,
    without,
)
from training.settings import read_settings

CONFIGS = sorted((Path(__file__).resolve().parents[2] / "training/configs").glob("*.toml"))


@given(st.integers(1, 60), st.integers(1, 25), st.integers(0, 99))
def test_over_passes_every_row_comes_equally_often(count: int, take: int, seed: int) -> None:
    seen = Counter(row for turn in range(2 * count) for row in draw(count, take, seed, turn))
    assert set(seen.values()) == {2 * take}


@given(st.lists(st.integers(0, 3), min_size=8, max_size=80), st.integers(2, 40))
def test_a_pass_is_half_supported_where_both_sides_exist(labels: list[int], take: int) -> None:
    chosen = balanced(labels, take, 3, 0)
    yes = sum(labels[row] == SUPPORTED for row in chosen)
    if {label == SUPPORTED for label in labels} == {True, False}:
        assert yes == take // 2 == len(chosen) - yes


@given(st.lists(st.integers(5, 300), max_size=400), st.integers(1, 16))
def test_batches_hold_every_row_once(lengths: list[int], size: int) -> None:
    batches = bucketed(lengths, size, seed=7)
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    assert all(len(batch) <= size for batch in batches)


def test_rows_of_like_length_lie_together() -> None:
    lengths = [10, 200] * 320
    padding = sum(max(lengths[r] for r in b) * len(b) - sum(lengths[r] for r in b) for b in bucketed(lengths, 16, 1))
    assert padding == 0


def test_the_order_of_a_pass_follows_from_its_seed_and_number() -> None:
    groups, labels = {"a": range(50)}, [0, 1] * 25
    assert pass_over(groups, labels, {"a": 20}, 1, 3) == pass_over(groups, labels, {"a": 20}, 1, 3)
    assert pass_over(groups, labels, {"a": 20}, 1, 3) != pass_over(groups, labels, {"a": 20}, 1, 4)


@given(st.lists(st.integers(1000, 2000), max_size=300), st.lists(st.integers(3000, 4000), min_size=1, max_size=60))
def test_only_the_document_is_cut_and_the_claim_stays_whole(document: list[int], claim: list[int]) -> None:
    row = join(document, claim, 128)
    assert row.ids[row.split :] == [*claim, SEP]
    assert row.ids[0] == CLS
    assert row.ids[1 : row.split - 1] == document[: row.split - 2]
    assert len(row.ids) <= 128


def test_a_claim_longer_than_the_limit_is_kept_whole() -> None:
    assert join([5] * 10, [7] * 50, 20).ids == [CLS, SEP, *[7] * 50, SEP]


def test_padding_is_masked_and_the_claim_has_its_own_type() -> None:
    ids, mask, kinds = collate([join([5, 6], [7], 16), join([5], [7], 16)])
    assert ids.tolist() == [[101, 5, 6, 102, 7, 102], [101, 5, 102, 7, 102, 0]]
    assert mask.tolist() == [[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 0]]
    assert kinds.tolist() == [[0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0]]


def test_labels_are_three_classes_and_one_sum() -> None:
    assert LABELS == {"supported": 0, "contradicted": 1, "neutral": 2, "unsupported": 3}
    assert (SUPPORTED, CONTRADICTED, NEITHER, UNSUPPORTED) == (0, 1, 2, 3)


def pair(premise: str, claim: str, label: int = NEITHER) -> Pair:
    return Pair(premise=premise, claim=claim, label=label, source="t")


def test_rows_that_stand_in_a_measured_set_never_train() -> None:
    measured = keys([pair("p", "c")])
    assert without([pair("p", "c", SUPPORTED), pair("p", "d")], measured) == [pair("p", "d")]


def test_pairs_of_one_passage_are_held_back_together() -> None:
    held = [is_held_back(pair(f"passage {i}", "a")) for i in range(2000)]
    assert held == [is_held_back(pair(f"passage {i}", "b")) for i in range(2000)]
    assert 0.06 < sum(held) / len(held) < 0.10


def test_a_disjunction_called_neither_is_left_out() -> None:
    keep = FILTERS["conjnli_adv_auto.train"]
    assert not keep(pair("He is a chair.", "He is a chair or director."))
    assert keep(pair("He is a chair.", "He is a chair and director."))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_shipped_configuration_reads_and_its_stages_reach_the_end(path: Path) -> None:
    settings = read_settings(path)
    assert settings.stages[-1].until == 1.0
    assert [settings.stage_at(s.until - 1e-9) for s in settings.stages] == list(range(len(settings.stages)))


def test_an_unknown_setting_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(CONFIGS[0].read_text(encoding="utf-8").replace("seed =", "sede =", 1), encoding="utf-8")
    with pytest.raises(TypeError, match="sede"):
        read_settings(path)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_no_configuration_trains_on_a_measured_set(path: Path, shared: Path) -> None:
    names = {name for stage in read_settings(path).stages for name in stage.takes} - {"synth"}
    trainable = {p.name.removesuffix(".jsonl.gz") for p in (shared / "data/verify/train").iterdir()}
    assert names <= trainable
