"""Follow-ups read by rules, and what a model's rewriting must not do."""

from __future__ import annotations

import pytest

from pincite.conversation import asks_again, by_rules, fault_of, leans_on_earlier
from pincite.types import Turn

BEFORE = "How long is the refund window for Enterprise customers?"
TURNS = (Turn(question=BEFORE, answer="Enterprise customers may ask for a refund within 30 days."),)


@pytest.mark.parametrize(
    ("text", "before", "expected"),
    [
        ("and for Starter customers?", BEFORE, "How long is the refund window for Starter customers?"),
        ("What about the Pro plan?", "What does the Basic plan cost?", "What does the Pro plan cost?"),
        ("and for contractors?", "How much leave is there for employees?", "How much leave is there for contractors?"),
        ("and in 2021?", "What was the fee in 2022?", "What was the fee in 2021?"),
        ("and in 2021?", "What is the fee?", "What is the fee, in 2021?"),
        (
            "what about contractors?",
            "May employees ask for a refund?",
            "May employees ask for a refund, for contractors?",
        ),
        ("why?", BEFORE, f"why: {BEFORE}"),
        ("Since when?", BEFORE, f"Since when: {BEFORE}"),
        ("Does it apply to contractors?", "What is the travel policy?", "Does the travel policy apply to contractors?"),
        ("Does it end?", "When may I park?", "Does it end (about: When may I park?)"),
        ("And what is the VPN limit?", BEFORE, "what is the VPN limit?"),
    ],
)
def test_a_follow_up_is_read_with_the_question_before_it(text: str, before: str, expected: str) -> None:
    assert by_rules(text, before) == expected


@pytest.mark.parametrize(
    "text",
    [
        "How long is the refund window?",
        "Is it possible to park here?",
        "How long does it take to get a refund?",
        "If a policy lapses, can it be reinstated?",
        "Which documents that I signed are kept?",
        "refund window Enterprise",
    ],
)
def test_a_question_that_stands_alone_is_left_as_it_is(text: str) -> None:
    assert not leans_on_earlier(text)
    assert by_rules(text, BEFORE) == text


@pytest.mark.parametrize(
    "text", ["summarise that", "Shorter please", "Can you explain it more simply?", "in one sentence", "again, please"]
)
def test_the_last_answer_is_asked_for_again(text: str) -> None:
    assert asks_again(text)


@pytest.mark.parametrize("text", ["Can you explain the refund rules?", "Is that shorter for contractors?", "why?"])
def test_another_question_is_not_taken_for_that(text: str) -> None:
    assert not asks_again(text)


@pytest.mark.parametrize(
    ("rewritten", "fault"),
    [
        ("How long is the refund window for contractors?", None),
        ("Is the refund window for contractors 30 days?", None),
        ("", "it is empty"),
        ("The refund window for contractors is 30 days.", "it does not ask"),
        ("Is the refund window for contractors 14 days?", "it brings in '14'"),
        ("How long is the refund window for Acme contractors?", "it brings in 'acme'"),
        ("How long is the refund window?", "it leaves out 'contractors'"),
        ("How long is the refund window not for contractors?", "it turns the question round"),
        ("Contractors get 30 days. Does it help?", "it is more than one question"),
        ("How long is the refund window for contractors " * 20 + "?", "it is more than one question"),
    ],
)
def test_a_rewriting_that_does_anything_else_is_named(rewritten: str, fault: str | None) -> None:
    assert fault_of(rewritten, "and for contractors?", TURNS) == fault
