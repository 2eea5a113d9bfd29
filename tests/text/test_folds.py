from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.folds import DEFAULT_FOLDS, Fold, find_quote, fold


def test_an_exact_quote_needs_no_fold() -> None:
    text = "The limit is 20 %."
    found = find_quote("limit is 20 %", text)
    assert found is not None
    assert text[found.start : found.end] == "limit is 20 %"
    assert not found.folds_used


@pytest.mark.parametrize(
    ("quote", "text", "source", "folds"),
    [
        ("is evaluated at", "It is evalu-\n  ated at once", "is evalu-\n  ated at", {Fold.HYPHENATION}),
        ("an efficient office", "an eﬃcient oﬃce", "an eﬃcient oﬃce", {Fold.LIGATURES}),
        ('he said "yes"', "then he said “yes” to it", "he said “yes”", {Fold.QUOTES}),
        ("a long\nline here", "a long line\n\there", "a long line\n\there", {Fold.WHITESPACE}),
        ("5-10 days", "within 5–10 days", "5–10 days", {Fold.DASHES}),
        ("cooperation", "our coop\u00aderation ends", "coop\u00aderation", {Fold.SOFT_HYPHENS}),
        ("zero width", "a zero\u200b width", "zero\u200b width", {Fold.ZERO_WIDTH}),
    ],
)
def test_each_named_fold_finds_the_exact_source_range(quote: str, text: str, source: str, folds: set[Fold]) -> None:
    found = find_quote(quote, text)
    assert found is not None
    assert text[found.start : found.end] == source
    assert found.folds_used == folds


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("x2 is", "x² is"),
        ("1/2 cup", "½ cup"),
        ("TM here", "™ here"),
        ("The limit", "the limit"),
        ("limits are 20", "limit is 20"),
        ("", "abc"),
        ("  ", "a b"),
    ],
)
def test_what_no_named_fold_explains_is_not_found(quote: str, text: str) -> None:
    assert find_quote(quote, text) is None


def test_case_and_markdown_must_be_asked_for() -> None:
    assert find_quote("the cap", "**The cap**") is None
    found = find_quote("the cap is", "**The cap** is", folds=DEFAULT_FOLDS | {Fold.CASE, Fold.MARKDOWN})
    assert found is not None
    assert found.folds_used == {Fold.CASE, Fold.MARKDOWN}


@given(st.text(alphabet="ab -\n\u00adﬁ“’İ", max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_every_piece_of_a_text_is_found_in_it(text: str, a: int, b: int) -> None:
    piece = text[min(a, b) : max(a, b)].strip()
    found = find_quote(piece, text)
    assert (found is None) == (not piece)


@given(st.text())
def test_folding_keeps_the_order_of_the_source(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert folded.starts == sorted(folded.starts)
    assert all(0 <= s < e <= len(text) for s, e in zip(folded.starts, folded.ends, strict=True))
