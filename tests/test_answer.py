"""From verdicts to the text that a reader sees."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from pincite.answer import citation_id, related_documents, show_kept
from pincite.testing.entries import make_entry
from pincite.types import Claim, ClaimKind, Evidence, JudgedClaim, Verdict, VerdictLabel

LINES = ("One is one.", "Two is two.", "Three is three.", "Two is two.")
ENTRY = make_entry("doc@1", LINES)
PASSAGES = {passage.passage_id: passage for passage in ENTRY.passages}
VERSIONS = {ENTRY.version.version_id: ENTRY.version}


def evidence(index: int) -> Evidence:
    passage = ENTRY.passages[index]
    return Evidence(passage_id=passage.passage_id, start=passage.start, end=passage.end, quote=passage.text)


def judged(
    text: str,
    start: int,
    *lines: int,
    label: VerdictLabel = VerdictLabel.SUPPORTED,
    kind: ClaimKind = ClaimKind.FACTUAL,
) -> JudgedClaim:
    claim = Claim(text=text, start=start, end=start + len(text), kind=kind)
    return JudgedClaim(claim=claim, verdict=Verdict(label=label, evidence=tuple(evidence(i) for i in lines)))


def test_one_quote_has_one_number_however_often_it_is_cited() -> None:
    draft = "One is one. Two is two. One is one."
    claims = [judged("One is one.", 0, 0), judged("Two is two.", 12, 1), judged("One is one.", 24, 0)]
    shown = show_kept(draft, claims, (0, 1, 2), passages=PASSAGES, versions=VERSIONS)
    assert shown.text == "One is one. [1] Two is two. [2] One is one. [1]"
    assert [source.quote for source in shown.sources] == ["One is one.", "Two is two."]


def test_the_same_words_in_two_places_are_two_sources() -> None:
    claims = [judged("Two is two.", 0, 1, 3)]
    shown = show_kept("Two is two.", claims, (0,), passages=PASSAGES, versions=VERSIONS)
    assert shown.text == "Two is two. [1][2]"
    assert len({source.citation_id for source in shown.sources}) == 2


def test_paragraphs_bullets_and_line_breaks_of_the_draft_stay() -> None:
    draft = "One is one.\n\nTwo is two.\n- Three is three.\n2. One is one."
    claims = [judged(text, draft.index(text, at), line) for text, at, line in [
        ("One is one.", 0, 0), ("Two is two.", 0, 1), ("Three is three.", 0, 2), ("One is one.", 20, 0),
    ]]  # fmt: skip
    shown = show_kept(draft, claims, range(4), passages=PASSAGES, versions=VERSIONS)
    assert shown.text == "One is one. [1]\n\nTwo is two. [2]\n- Three is three. [3]\n2. One is one. [1]"


def test_a_claim_that_is_not_supported_contributes_no_source() -> None:
    claims = [judged("One is one.", 0, 0, label=VerdictLabel.CONTRADICTED)]
    shown = show_kept("One is one.", claims, (0,), passages=PASSAGES, versions=VERSIONS)
    assert (shown.text, shown.sources, shown.kept) == ("", (), ())


def test_a_fact_without_a_quote_is_not_shown_and_guidance_without_one_is() -> None:
    claims = [
        judged("One is one.", 0),
        judged("Please ask HR.", 12, label=VerdictLabel.NOT_CHECKABLE, kind=ClaimKind.GUIDANCE),
    ]
    shown = show_kept("One is one. Please ask HR.", claims, (0, 1), passages=PASSAGES, versions=VERSIONS)
    assert (shown.text.strip(), shown.kept) == ("Please ask HR.", (1,))


def test_a_claim_on_a_withdrawn_version_is_left_out() -> None:
    shown = show_kept("One is one.", [judged("One is one.", 0, 0)], (0,), passages=PASSAGES, versions={})
    assert (shown.text, shown.sources, shown.kept) == ("", (), ())


def test_a_quote_that_is_not_what_the_version_says_there_is_left_out() -> None:
    wrong = Evidence(passage_id=ENTRY.passages[0].passage_id, start=0, end=11, quote="One is two.")
    claim = Claim(text="One is two.", start=0, end=11, kind=ClaimKind.FACTUAL)
    item = JudgedClaim(claim=claim, verdict=Verdict(label=VerdictLabel.SUPPORTED, evidence=(wrong,)))
    assert show_kept("One is two.", [item], (0,), passages=PASSAGES, versions=VERSIONS).kept == ()


def test_the_citation_id_names_version_and_characters() -> None:
    assert citation_id("abc", 3, 17) == "abc@3-17"


def test_related_documents_come_once_each_best_first() -> None:
    other = make_entry("other@1", ["x"], title="Other").passages
    related = related_documents([ENTRY.passages[0], *other, ENTRY.passages[1]], limit=3)
    assert [(one.document_id, one.title) for one in related] == [("doc", "Handbook"), ("other", "Other")]
    assert len(related_documents([ENTRY.passages[0], *other], limit=1)) == 1


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=3), max_size=6), st.data())
def test_numbers_in_the_text_are_exactly_the_sources_and_quotes_are_exact(
    lines: list[list[int]], data: st.DataObject
) -> None:
    draft, claims = "", []
    for number, chosen in enumerate(lines):
        text = f"Claim {chr(97 + number)}."
        claims.append(judged(text, len(draft), *chosen))
        draft += text + data.draw(st.sampled_from([" ", "\n", "\n\n", "\n- "]))
    kept = data.draw(st.lists(st.sampled_from(range(len(claims))), unique=True).map(sorted)) if claims else []
    shown = show_kept(draft, claims, kept, passages=PASSAGES, versions=VERSIONS)
    numbers = {int(number) for number in re.findall(r"\[(\d+)\]", shown.text)}
    assert numbers == {source.number for source in shown.sources} == set(range(1, len(shown.sources) + 1))
    assert all(ENTRY.version.text[s.start : s.end] == s.quote for s in shown.sources)
    assert list(shown.kept) == kept
