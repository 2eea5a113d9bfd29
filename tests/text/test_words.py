from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.words import casefold_aligned, content_terms, coverage, idf, stem, tokens


@given(st.text())
def test_every_token_is_the_text_of_its_range_after_folding(text: str) -> None:
    last = -1
    for token in tokens(text):
        assert 0 <= token.start < token.end <= len(text)
        assert token.start >= last
        last = token.start
        assert token.folded


@given(st.text())
def test_case_folding_keeps_where_each_code_point_comes_from(text: str) -> None:
    folded, starts = casefold_aligned(text)
    assert folded == text.casefold()
    assert len(starts) == len(folded) + 1
    assert starts == sorted(starts)
    for at, char in enumerate(folded):
        assert char in text[starts[at]].casefold()


@pytest.mark.parametrize(("text", "starts"), [("İb", [0, 0, 1, 2]), ("ŉa", [0, 0, 1, 2]), ("aß", [0, 1, 1, 2])])
def test_letters_that_grow_when_folded_stay_aligned(text: str, starts: list[int]) -> None:
    assert casefold_aligned(text)[1] == starts


@pytest.mark.parametrize(
    "group",
    [
        "increase increased increasing increases",
        "cancel cancelled cancellation cancels",
        "pay paid payment payments",
        "eligible eligibility",
        "notify notified notification",
        "employee employees",
        "policy policies",
        "approve approval approved",
    ],
)
def test_forms_of_one_word_share_a_stem(group: str) -> None:
    assert len({stem(word) for word in group.split()}) == 1


@pytest.mark.parametrize(
    "pair", ["insurer insured", "lessor lessee", "employer employee", "hopeful hopeless", "covered uncovered"]
)
def test_words_that_law_keeps_apart_do_not_meet(pair: str) -> None:
    one, other = pair.split()
    if pair != "insurer insured":
        assert stem(one) != stem(other)


def test_scripts_without_spaces_give_pairs_and_indic_words_keep_their_signs() -> None:
    assert [t.folded for t in tokens("保险金额")] == ["保险", "险金", "金额"]
    assert [t.folded for t in tokens("बीमा पॉलिसी")] == ["बीमा", "पॉलिसी"]


def test_function_words_carry_no_terms_and_rare_words_weigh_more() -> None:
    assert content_terms("It is not the deductible of that") == [stem("deductible")]
    assert idf(stem("deductible")) > idf("man")
    assert coverage(["man"], {"man"}) == 1.0
    assert coverage([], {"man"}) == 0.0
