"""What holds for every answer: places are exact, nothing raises, time grows with length alone."""

from __future__ import annotations

import sys
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.cite import cite, strip_markers
from pincite.types import CitationStatus, Cited

LABELS = {label: label for label in ("1", "2", "3", "S1", "S2", "doc-17#3")}
PIECES = [
    "The cap is 5 %", "It is due", "Hello", "MFA is optional", "[1]", "[2]", "[9]", "[1, 2]", "[1-3]", "[^1]", "【1†source】",
    "(ID: 1)", "¹", "[S1]", "[doc-17#3]", "\ue200cite\ue202S1\ue201", "\\ue200cite", "[[1]](http://x)", "[a](b)", "![a](b)",
    ". ", "! ", "? ", "。", "।", " ", "\n", "\n\n", "\r\n", "\t", "- ", "1. ", "# ", "> ", "| ", " | ", "|---|\n", "```\n", "~~~\n", "`",
    "**", "*", "_", "~~", "\\", "$", "<b>", "</b>", "<sup>", "</sup>", "<br>", "&amp;", "[", "]", "(", ")", "Sources: ", "## References\n",
    "[^1]: ", "    ", "\x00", "İ", "ŉ", "ﬁ", "é", "e\u0301", "😀", "字", "\u2028", "\x0b", ":", ",",
]  # fmt: skip
ANSWERS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.text(max_size=200),
    st.text(alphabet="[]()|*_`~#>-1 2\n.:\\$<^&!aS", max_size=120),
)
SENTENCES = st.sampled_from(
    [
        "The cap is 5 %",
        "The fee is 20 €",
        "Café hours are 9 to 5",
        "See Sec. 4.2 of the plan",
        "Use lr=0.002",
        "Es gilt Abs. 2",
    ]
)
MARKERS = st.sampled_from(["1", "2", "3", "S1", "S2", "doc-17#3", "9", "S9", "00"])


def _all_citations(cited: Cited) -> list[tuple[str, int, int]]:
    everywhere = [*(c for claim in cited.claims for c in claim.citations), *cited.stray]
    return [(c.raw, c.start, c.end) for c in everywhere]


def _labels(cited: Cited) -> list[list[str | None]]:
    return [[c.passage_id for c in claim.citations] for claim in cited.claims]


@settings(max_examples=400)
@given(ANSWERS)
def test_every_marker_and_every_word_is_where_it_is_said_to_be(answer: str) -> None:
    cited = cite(answer, LABELS)
    assert cited.text == answer
    assert all(answer[start:end] == raw != "" for raw, start, end in _all_citations(cited))
    for claim in cited.claims:
        assert claim.text == claim.text.strip() != ""
        assert 0 <= claim.start < claim.end <= len(answer)
        for run in claim.runs:
            length = run.end - run.start
            assert answer[run.source_start : run.source_start + length] == claim.text[run.start : run.end]
            assert claim.start <= run.source_start <= run.source_start + length <= claim.end
        assert list(claim.runs) == sorted(claim.runs, key=lambda run: run.start)


@settings(max_examples=200)
@given(ANSWERS)
def test_only_a_label_that_was_given_resolves(answer: str) -> None:
    cited = cite(answer, {"1": "passage-one"})
    everywhere = [*(c for claim in cited.claims for c in claim.citations), *cited.stray]
    assert all((c.passage_id == "passage-one") == (c.status is CitationStatus.RESOLVED) for c in everywhere)
    assert all(c.passage_id is None for c in everywhere if c.status is CitationStatus.UNRESOLVED)
    nothing = cite(answer, {})
    assert all(c.status is CitationStatus.UNRESOLVED for claim in nothing.claims for c in claim.citations)


@given(ANSWERS)
def test_the_same_answer_is_always_read_alike(answer: str) -> None:
    assert cite(answer, LABELS) == cite(answer, dict(reversed(LABELS.items())))


@given(ANSWERS)
def test_white_space_at_the_end_changes_nothing(answer: str) -> None:
    answer = answer.rstrip(" \\")
    assert _labels(cite(answer, LABELS)) == _labels(cite(answer + " ", LABELS))


@given(
    st.lists(st.tuples(SENTENCES, MARKERS), min_size=1, max_size=6),
    st.sampled_from([" [{}].", ". [{}]", "[{}].", ".[{}]", ". 【{}】"]),
)
def test_each_sentence_keeps_its_own_marker(pairs: list[tuple[str, str]], form: str) -> None:
    answer = " ".join(sentence + form.format(marker) for sentence, marker in pairs)
    cited = cite(answer, LABELS)
    assert _labels(cited) == [[LABELS.get(marker)] for _, marker in pairs]
    assert [claim.text for claim in cited.claims] == [f"{sentence}." for sentence, _ in pairs]


@given(st.lists(st.tuples(SENTENCES, MARKERS), min_size=1, max_size=4), st.sampled_from(["**", "*", "~~", "***", "__"]))
def test_emphasis_around_a_claim_changes_nothing(pairs: list[tuple[str, str]], sign: str) -> None:
    plain = [f"{sentence} [{marker}]." for sentence, marker in pairs]
    dressed = [f"{sign}{claim}{sign}" for claim in plain]
    before, after = cite(" ".join(plain), LABELS), cite(" ".join(dressed), LABELS)
    assert _labels(before) == _labels(after)
    assert [(c.text, c.kind) for c in before.claims] == [(c.text, c.kind) for c in after.claims]


@given(
    st.lists(st.tuples(SENTENCES, MARKERS), min_size=1, max_size=6),
    st.sampled_from(["- {}\n", "1. {}\n", "> {}\n\n", "- **{}**\n", "{}\n\n"]),
)
def test_the_block_around_a_claim_changes_nothing(pairs: list[tuple[str, str]], block: str) -> None:
    answer = "".join(block.format(f"{sentence} [{marker}]") for sentence, marker in pairs)
    cited = cite(answer, LABELS)
    assert _labels(cited) == [[LABELS.get(marker)] for _, marker in pairs]
    assert [claim.text for claim in cited.claims] == [sentence for sentence, _ in pairs]


@given(ANSWERS)
def test_a_plain_form_holds_no_marker_that_was_read(answer: str) -> None:
    cited = cite(answer, LABELS)
    plain = strip_markers(answer, cited)
    assert len(plain) <= len(answer)
    if not _all_citations(cited):
        assert plain == answer


NASTY = [
    "[", "[1", "[1]", "[1, ", "[[", "![", "[a](", "(", "(a", "【", "**a", "`a", "<a ", "> ", "- ", "| a | b [1] |\n", "\ue200", "\\ue200", ".",
    ". ", "a¹", "$a[", " ", "\n", "- a [1]\n", '"', 'a." ', "[^1]: a\n", "Sources: [1]\n", "_a_ ", "~~a", "&amp;", "[a [b ", "(see [1]) ",
    "[1-3] ", "The cap is 5 [1]. ", "The cap is 5 [1].\n\n", "1. a\n", "# a\n", "```\n",
]  # fmt: skip


def _calls(answer: str) -> int:
    """How many functions, Python's and C's, one reading calls: work that does not depend on the machine."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        cite(answer, LABELS)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("piece", NASTY)
def test_twice_the_answer_is_at_most_about_twice_the_work(piece: str) -> None:
    cite("", LABELS)
    once, twice = (piece * (n // len(piece)) for n in (700, 1400))
    assert _calls(twice) <= 2.6 * _calls(once) + 2000


@pytest.mark.parametrize(
    "answer",
    ["[" + "1" * 50_000, "[" + "1" * 50_000 + "]", "[1-" + "9" * 50_000 + "]", "[1-999999999] " * 500, "[" * 50_000],
)
def test_a_huge_marker_is_read_and_never_expanded(answer: str) -> None:
    cited = cite(answer, LABELS)
    assert all(c.status is CitationStatus.UNRESOLVED for c in cited.stray)


def test_a_range_over_many_labels_gives_each_that_exists() -> None:
    labels = {str(n): f"p{n}" for n in range(1, 31) if n != 7}
    cited = cite("It is so [5-12].", labels)
    assert [c.passage_id for c in cited.claims[0].citations] == ["p5", "p6", "p8", "p9", "p10", "p11", "p12"]


def test_ids_of_two_digits_resolve_when_thirty_passages_were_given() -> None:
    labels = {str(n): f"p{n}" for n in range(1, 31)}
    cited = cite("It is so [10][30].", labels)
    assert [c.passage_id for c in cited.claims[0].citations] == ["p10", "p30"]


def test_a_label_of_zero_resolves_when_it_was_given() -> None:
    assert cite("It is so [ID:0].", {"0": "first"}).claims[0].citations[0].passage_id == "first"
    assert cite("It is so [0].", {"0": "first"}).claims[0].citations[0].passage_id == "first"


def test_a_year_is_a_marker_when_it_is_a_label() -> None:
    assert cite("It is so [2020].", {"2020": "annual"}).claims[0].citations[0].passage_id == "annual"


def test_an_offset_counts_code_points_and_not_bytes() -> None:
    answer = "Café 😀 limit is 20 € 【4:0†source】. Next."
    citation = cite(answer, LABELS).claims[0].citations[0]
    assert (citation.raw, citation.end - citation.start) == ("【4:0†source】", 12)
    assert citation.start == answer.index("【")


def test_one_marker_with_several_parts_gives_each_the_same_place() -> None:
    citations = cite("It is so [1, 3].", LABELS).claims[0].citations
    assert [(c.raw, c.start, c.end, c.passage_id) for c in citations] == [
        ("[1, 3]", 9, 15, "1"),
        ("[1, 3]", 9, 15, "3"),
    ]


def test_a_linked_marker_covers_its_whole_link() -> None:
    citation = cite("It is so [[1]](http://evil.example).", LABELS).claims[0].citations[0]
    assert citation.raw == "[[1]](http://evil.example)"


def test_text_nested_too_deep_to_be_parsed_is_still_a_claim() -> None:
    answer = "> " * 200 + "MFA is optional."
    assert "MFA is optional." in cite(answer, LABELS).claims[0].text


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        ("The cap is 5 [1].", "The cap is 5."),
        ("The cap is 5.[1] It is due. [2]", "The cap is 5. It is due."),
        ("The cap is 5 【4:0†source】.", "The cap is 5."),
        ("The cap is 5 (see [1], [2]).", "The cap is 5."),
        ("The cap [1] is 5.", "The cap is 5."),
        ("[1] says so.", "says so."),
        ("**Cap is 5 [1]**", "**Cap is 5**"),
        ("- Cap is 5 [1]\n- Fee is 6 [2]", "- Cap is 5\n- Fee is 6"),
        ("| a | 5 [1] |\n|---|---|\n| b | 6 [2] |", "| a | 5 |\n|---|---|\n| b | 6 |"),
        ("The cap is 5 [1].\n\nSources: [1], [9]", "The cap is 5.\n\n"),
        ("The cap is 5 [1].\n\nReferences:\n[1] Policy A", "The cap is 5.\n\nReferences:\nPolicy A"),
        ("Run `arr[1]` now [2].", "Run `arr[1]` now."),
        ("print(arr[0], arr[12])", "print(arr[0], arr[12])"),
        ("The cap is 5 [[1]](http://evil.example).", "The cap is 5."),
        ("The cap is 5.\ue200cite\ue202turn0file0\ue201", "The cap is 5."),
    ],
)
def test_a_plain_form_reads_as_if_no_marker_had_been_there(answer: str, plain: str) -> None:
    assert strip_markers(answer, cite(answer, LABELS)) == plain
