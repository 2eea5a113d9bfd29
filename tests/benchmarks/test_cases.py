"""The hand-written cases are well formed, balanced, and kept apart from what is tuned on."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

CASES = Path(__file__).resolve().parents[2] / "benchmarks" / "quality" / "cases"
FIELDS = {"id", "half", "phenomenon", "domain", "language", "passages", "claim", "label"}
ASKED_FOR = frozenset(
    [
        "number",
        "unit",
        "date",
        "negation",
        "modality",
        "condition",
        "entity",
        "role",
        "detail",
        "crossed",
        "light",
        "heavy",
        "table",
        "joint",
        "language",
    ]
)
FURTHER = frozenset(
    [
        "currency",
        "quantifier",
        "scale",
        "workdays",
        "antonym",
        "reported",
        "binding",
        "derived",
        "list",
        "wrong_passage",
        "direction",
        "range",
        "id",
    ]
)
DOMAINS = {"insurance", "hr", "contract", "medical", "software"}
LANGUAGES = {"en", "de", "fr", "es", "hi", "hi-Latn", "zh"}

Case = dict[str, object]


def read(name: str) -> list[Case]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def first() -> list[Case]:
    return read("phenomena.jsonl")


@pytest.fixture(scope="module")
def second() -> list[Case]:
    return read("phenomena_2.jsonl")


@pytest.fixture(scope="module")
def both(first: list[Case], second: list[Case]) -> list[Case]:
    return first + second


def passages(cases: list[Case], half: str | None = None) -> set[str]:
    return {text for case in cases if half in {None, case["half"]} for text in case["passages"]}


def test_every_case_has_the_known_fields_labels_domains_and_languages(both: list[Case]) -> None:
    for case in both:
        assert set(case) == FIELDS, case["id"]
        assert case["half"] in {"dev", "held_out"}, case["id"]
        assert case["label"] in {"supported", "contradicted", "unsupported"}, case["id"]
        assert case["phenomenon"] in ASKED_FOR | FURTHER, case["id"]
        assert case["domain"] in DOMAINS, case["id"]
        assert case["language"] in LANGUAGES, case["id"]
        assert case["passages"], case["id"]
        assert all(isinstance(text, str) and text.strip() for text in [*case["passages"], case["claim"]]), case["id"]
        assert (case["phenomenon"] == "language") == (case["language"] != "en"), case["id"]


def test_ids_are_unique_and_no_claim_is_asked_twice_of_the_same_passages(both: list[Case]) -> None:
    assert len({case["id"] for case in both}) == len(both)
    asked = Counter((tuple(case["passages"]), case["claim"]) for case in both)
    assert [pair for pair, times in asked.items() if times > 1] == []


def test_the_blind_half_shares_no_passage_with_anything_that_may_be_tuned_on(
    first: list[Case], second: list[Case]
) -> None:
    assert not passages(second, "held_out") & passages(second, "dev")
    assert not passages(second) & passages(first)


def test_there_are_six_hundred_cases_and_about_half_of_the_english_ones_are_true(both: list[Case]) -> None:
    assert len(both) >= 600
    english = [case["label"] == "supported" for case in both if case["language"] == "en"]
    assert 0.45 <= sum(english) / len(english) <= 0.55


def test_each_phenomenon_asked_for_has_thirty_cases_and_both_true_and_false_ones(both: list[Case]) -> None:
    counts = Counter(case["phenomenon"] for case in both)
    assert {name: counts[name] for name in ASKED_FOR if counts[name] < 30} == {}
    verdicts = {(case["phenomenon"], case["label"] == "supported") for case in both}
    assert {(name, true) for name in counts for true in (True, False)} - verdicts == set()


def test_each_language_has_twelve_cases_and_both_true_and_false_ones(both: list[Case]) -> None:
    counts = Counter(case["language"] for case in both)
    assert min(counts[code] for code in LANGUAGES) >= 12
    verdicts = {(case["language"], case["label"] == "supported") for case in both}
    assert {(code, true) for code in LANGUAGES for true in (True, False)} - verdicts == set()
