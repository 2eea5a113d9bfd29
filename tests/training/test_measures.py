from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.evidence import Idf, best_sentences, coverage, shorten, split_sentences
from training.metrics import auroc, balanced_accuracy, crossed_balanced_accuracy, interval
from training.windows import evidence, windows

TEXT = "The lease starts in May. Pets are allowed. The deposit is 900 euros. Rent is due monthly. Keys cost 20 euros."
IDF = Idf([TEXT, "Other words stand here.", "Nothing of the kind."])


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=40))
def test_auroc_equals_the_share_of_pairs_in_the_right_order(items: list[tuple[bool, int]]) -> None:
    truth = np.array([t for t, _ in items])
    value = np.array([float(s) for _, s in items])
    yes, no = value[truth], value[~truth]
    if not len(yes) or not len(no):
        assert np.isnan(auroc(truth, value))
        return
    counted = np.mean([1.0 if a > b else 0.5 if a == b else 0.0 for a in yes for b in no])
    assert auroc(truth, value) == pytest.approx(counted)


def test_rejecting_everything_scores_one_half() -> None:
    truth = np.array([True] * 3 + [False] * 97)
    assert balanced_accuracy(truth, np.zeros(100, dtype=bool)) == 0.5


def test_a_threshold_is_never_judged_by_the_items_that_chose_it() -> None:
    truth = np.array([True, False] * 20)
    fold = np.array([True] * 20 + [False] * 20)
    support = np.where(fold == truth, 0.9, 0.1)
    assert crossed_balanced_accuracy(truth, support, fold) <= 0.5


def test_the_interval_holds_the_figure_and_repeats() -> None:
    truth = np.array([True, False] * 100)
    guess = np.array([True, True, True, False] * 50)
    found = interval(truth, guess)
    assert found.low < balanced_accuracy(truth, guess) < found.high
    assert found == interval(truth, guess)


def test_coverage_is_one_for_a_copy_and_zero_for_nothing() -> None:
    assert coverage(TEXT, "The deposit is 900 euros.", IDF) == pytest.approx(1.0)
    assert coverage(TEXT, "", IDF) == 0.0
    assert coverage("", "The deposit is 900 euros.", IDF) == 0.0


def test_the_best_sentences_come_in_document_order() -> None:
    sentences = split_sentences(TEXT)
    assert best_sentences(sentences, "Keys and deposit in euros", IDF, 2) == [2, 4]


@given(st.lists(st.sampled_from(split_sentences(TEXT)), min_size=1, max_size=30), st.integers(4, 30))
def test_windows_hold_every_sentence_and_keep_to_their_size(sentences: list[str], max_words: int) -> None:
    found = windows(" ".join(sentences), max_words)
    assert all(any(s in window for window in found) for s in sentences)
    assert all(len(w.split()) <= max(max_words, 5) for w in found)


def test_an_empty_passage_still_gives_one_window() -> None:
    assert windows("", 50) == [""]


@given(st.integers(8, 60))
def test_a_shortened_document_keeps_the_sentence_the_claim_is_about(max_words: int) -> None:
    document = " ".join([TEXT] * 6).replace("900", "901", 1)
    assert "901" in shorten(document, "The deposit is 901 euros.", IDF, max_words)


def test_a_short_passage_is_read_whole() -> None:
    assert evidence(TEXT, "Pets are allowed.", IDF, 100, 4) == [TEXT]
