"""Sentence boundaries: a table of cases, and properties that hold for every text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.sentences import sentences

# Each case is one text; "‖" marks the boundaries expected (and stands for the white space there, if any).
WITH_SPACE = [
    # plain
    "The cap is 5 %. ‖The fee is 20 €.",
    "Is it covered? ‖Yes. ‖No!",
    "One sentence without an end",
    "Stop! ‖Go on.",
    "What?! ‖Really?",
    "Customers pay 20. ‖Members pay 10.",
    'It ends here. ‖"Quoted start" goes on.',
    # decimals, settings, versions, files, addresses, ids
    "The rate is 3.5 percent. ‖It rose by 0.2.",
    "Optimizer: AdamW(lr=0.002, momentum=0.9) was used. ‖Training took 3 h.",
    "a learning rate of 0.002 was used. ‖The next one was .5 lower.",
    "Use version 2.10.3. ‖Then restart.",
    "See policy.pdf. ‖It is short.",
    "Open policy.pdf for details.",
    "Go to https://example.org/a.b?c=d. ‖Then log in.",
    "Go to www.example.org and log in.",
    "Write to a.b@example.org. ‖We answer.",
    "Claim claim/88431.2 was paid. ‖POL-55012 was not.",
    "Call node.js from os.path today.",
    "The amount is 1.234,56 EUR. ‖It is due.",
    "At 12.30 the office closes. ‖It reopens at 14.00.",
    # abbreviations
    "Use a VPN, e.g. WireGuard, at home. ‖It is required.",
    "Use a VPN, e. g. WireGuard, at home. ‖It is required.",
    "Some staff, i.e. contractors, are excluded. ‖Others are not.",
    "Smith et al. (2023) found it. ‖Others did not.",
    "Smith et al. found it. ‖Others did not.",
    "As shown by Smith et al. ‖The rule is old.",
    "See no. 5 of the list. ‖It applies.",
    "Nos. 5 and 6 apply. ‖No. 7 does not.",
    "See Sec. 4.2 of the plan. ‖It applies.",
    "See Sec. 4.2. ‖It applies.",
    "Under Sec. IV the rule holds. ‖It applies.",
    "Under Art. 5 of the law it holds. ‖Art. 6 does not.",
    "Nach Art. 5 Abs. 2 gilt das. ‖Danach nicht mehr.",
    "Das gilt z. B. für Reisen. ‖Sonst nicht.",
    "Das gilt z.B. für Reisen, d.h. Flüge. ‖Sonst nicht.",
    "Das gilt ca. 3 Tage bzw. Wochen. ‖Sonst nicht.",
    "Dr. Meier and Mr. Smith agree. ‖Mrs. Jones does not.",
    "Prof. Dr. Weber stimmt zu. ‖Frau Klein nicht.",
    "The patient saw J. Doe, M.D. for care. ‖It helped.",
    "Seen by J. Doe, M.D.: all is well. ‖It helped.",
    "He has a Ph.D. in law. ‖She has a B.A. in art.",
    "The U.S. office is closed. ‖It opens at 9 a.m. in summer.",
    "He lives in the U.S. ‖The office is there.",
    "Work ends at 5 p.m. ‖Then the office closes.",
    "Work ends at 5 p.m. Friday. ‖Then the office closes.",
    "NIKE, Inc. Impact Report is out. ‖It is long.",
    "It was sold by Acme Inc. ‖The buyer is unknown.",
    "Acme Corp. and Beta Ltd. merged. ‖They are one.",
    "Bring pens, paper, etc. ‖The rest is here.",
    "Bring pens, paper etc. to the room. ‖It is open.",
    "Voir p. ex. le chapitre 3. ‖Il est court.",
    "M. Dupont est absent. ‖Il revient lundi.",
    "Véase p. ej. el capítulo 3. ‖Es corto.",
    "El Sr. López y la Sra. Ruiz firman. ‖Es todo.",
    "Deduct (i. e., subtract) it. ‖It is so.",
    "En EE. UU. es así. ‖Aquí no.",
    "ए. सिंह आए। ‖वे गए।",
    "I can see Mt. Fuji. ‖It is high.",
    "Smith v. Jones, 5 F.3d 12 (9th Cir. 1994), holds. ‖It is old.",
    "Pursuant to 17 C.F.R. § 240 it is so. ‖It holds.",
    "L'art. 5 s'applique. ‖Il est clair.",
    "Dr. med. Meyer ist da. ‖Er wartet.",
    "Did you see Albert I. Jones? ‖It was you and I. ‖Did you not?",
    "Sec. 1. Definitions are here. ‖They matter.",
    "She works at Yahoo! in sales. ‖It is big.",
    "He said “it [...] works” (Smith 55). ‖It does.",
    "It goes on . . . and on. ‖It ends . . . . ‖Next one.",
    "approx. 20 people came. ‖They left.",
    "Fig. 3 shows it. ‖Tab. 2 does not.",
    "See pp. 3-5 and p. 7. ‖They matter.",
    "Since Jan. 5 it is open. ‖It closed on Dec. 31.",
    "St. Gallen is a city. ‖It is in Switzerland.",
    "Team A vs. Team B was played. ‖A won.",
    "Keep this in mind. ‖Refunds take 3 days.",
    "The wait is 5 min. ‖Refunds take 3 days.",
    "Weight is 5 kg. ‖Height is 2 m.",
    # initials
    "J. Smith signed. ‖A. B. Miller did not.",
    "George W. Bush and J. R. R. Tolkien met. ‖They ate.",
    "Choose plan B. ‖The other plan is closed.",
    "So do I. ‖He does not.",
    # German ordinals
    "Am 3. Mai beginnt es. ‖Am 4. Juni endet es.",
    "Im 19. Jahrhundert war das so. ‖Heute nicht.",
    "Bis zum 31. Dezember gilt das. ‖Die Frist endet dann.",
    "Vier Wochen zum 15. oder zum Ende des Monats. ‖Danach nicht.",
    "Die Frist beträgt 14. ‖Das ist kurz.",
    # lower case
    "refunds take 5 days. ‖the limit is 20.",
    "Sales use it daily. ‖iPhone users too.",
    "The app. is closed to all.",
    # ellipses
    "Wait... what is it? ‖It is late.",
    "He waited… ‖Then he left.",
    "He waited... ‖Then he left.",
    "The rule (…) applies. ‖It is old.",
    "From 5...10 it grows. ‖Then it stops.",
    # quotes and brackets after the stop
    "He said “It is closed.” ‖She left.",
    'He said "It is closed." ‖She left.',
    "“Is it?” he asked. ‖She left.",
    "“It is closed.” — Policy A",
    "(It is closed.) ‖She left.",
    "It is closed (see Sec. 4.). ‖She left.",
    "Er sagte: „Es ist zu.“ ‖Sie ging.",
    "Il dit : « C'est fermé. » ‖Elle partit.",
    "**It is closed.** ‖She left.",
    "*It is closed.* ‖**She** left.",
    # markers
    "It is 20 %. [1] ‖Next comes more.",
    "It is 20 %.[1] ‖Next comes more.",
    "It is 20 % [1]. ‖Next comes more.",
    "It is 20 %. [1][2] ‖Next comes more. [3]",
    "It is 20 %. [1, 2] ‖Next comes more.",
    "It is 20 %. [1], [2] ‖Next comes more.",
    "It is 20 %.¹ ‖Next comes more.²",
    "It is 20 %. [^1] ‖Next comes more.",
    "It is 20 %.【4:0†source】 ‖Next comes more.",
    "It is 20 %. (ID: 3) ‖Next comes more.",
    "It is 20 %. [doc-17#3] ‖Next comes more.",
    "It is “20 %.” [1] ‖Next comes more.",
    "It is 20 %. ‖[1] states that it is not.",
    "It is 20 %. ‖[Note] Next comes more.",
    "It is 20 %. [1].",
    # lists and headings
    "1. First we sign.",
    "a. First we sign. ‖Then we pay.",
    "4.2. Refunds are slow. ‖They take days.",
    "IV. Refunds are slow. ‖They take days.",
    # other scripts
    "यह नियम है। ‖वह नहीं है।",
    "क्या यह है? ‖हाँ।",
    "هل هذا صحيح؟ ‖نعم. ‖هذا صحيح.",
    "یہ اصول ہے۔ ‖وہ نہیں۔",
    "Это правило. ‖Оно старое.",
    "Αυτό ισχύει. ‖Εκείνο όχι.",
    "¿Está abierto? ‖¡Sí! ‖Está abierto.",
    "Сумма 3,5 млн. ‖Она велика.",
]
WITHOUT_SPACE = [
    "限额为20。‖下一条不同。",
    "真的吗？‖是的！‖好。",
    "他说：“你好。”‖然后走了。",
    "上限は20です。‖次は違います。",
    "率为3.5。‖下一条。[1]‖还有。",
    "（见第5条。）‖然后。",
]
BY_LINES = [
    "Refunds\n\n‖They take 5 days.",
    "Refunds take\nfive days. ‖They do.",
    "The rules are:\n‖- pay on time\n‖- bring a card",
    "The rules are:\n‖* pay on time\n‖* bring a card",
    "The rules are:\n‖1. Pay on time.\n‖2. Bring a card.",
    "The rules are:\n‖(a) pay on time;\n‖(b) bring a card.",
    "# Refunds\n‖They take 5 days.",
    "| a | b |\n‖| 1 | 2 |",
    "Plan\tFee\n‖Basic\t20",
    "Intro text here\n‖• one\n‖• two",
    "One block\n \t\n‖another block",
    "Ends without a stop\n\n\n‖Next",
]


def _expected(case: str) -> list[str]:
    return [part.strip() for part in case.split("‖")]


def _found(text: str, language: str | None = None) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text, language=language)]


@pytest.mark.parametrize("case", [*WITH_SPACE, *WITHOUT_SPACE, *BY_LINES])
def test_a_text_splits_where_a_reader_would(case: str) -> None:
    assert _found(case.replace("‖", "")) == _expected(case)


def test_a_german_text_keeps_its_ordinals_together() -> None:
    text = "Sie wohnt auf der 3. Ebene. Er nicht."
    assert _found(text, "de") == ["Sie wohnt auf der 3. Ebene.", "Er nicht."]


@pytest.mark.parametrize("text", ["", " ", "\n\n \t\n", "\u3000"])
def test_a_blank_text_has_no_sentences(text: str) -> None:
    assert sentences(text) == []


ANY_TEXT = st.text(
    alphabet=st.one_of(st.sampled_from(" \n\t.!?…。।[]()\"'*|-#1234567890aAbBzZ“”【】†éß字"), st.characters()),
    max_size=300,
)


@given(ANY_TEXT)
def test_sentences_are_trimmed_in_order_and_hold_all_that_is_not_white_space(text: str) -> None:
    spans = sentences(text)
    edges = [edge for span in spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert all(text[s.start : s.end] == text[s.start : s.end].strip() != "" for s in spans)
    assert "".join("".join(text[s.start : s.end].split()) for s in spans) == "".join(text.split())


@given(ANY_TEXT)
def test_the_same_text_always_splits_alike(text: str) -> None:
    assert sentences(text) == sentences(text)


@given(ANY_TEXT, ANY_TEXT)
def test_a_blank_line_always_ends_a_sentence(before: str, after: str) -> None:
    joint = len(before)
    assert not any(s.start < joint < s.end for s in sentences(f"{before}\n\n{after}") if s.end > joint + 1)
