"""A schema reply that ended at the token limit, and the grammar that the local model is held to."""

from __future__ import annotations

import dataclasses
import json

import pytest

from pincite.adapters.generators.chat import Draft, generation_of
from pincite.adapters.generators.forms import CUT_NOTE, read_cut_statements, read_statements
from pincite.adapters.generators.local_grammar import statements_grammar
from pincite.errors import GeneratorError
from pincite.generate import settled
from pincite.testing.generator_conformance import prompt_for
from pincite.types import AnswerForm, Prompt

ONE = {"text": "The window is 30 days.", "handles": ["S1"]}
TWO = {"text": 'Say "no" {twice}, with ] and }.', "handles": ["S1", "S2"]}
WHOLE = json.dumps({"found": True, "reason": None, "statements": [ONE, TWO]})
FIRST = "The window is 30 days [S1]."


def schema_prompt() -> Prompt:
    return dataclasses.replace(prompt_for("How long?"), form=AnswerForm.SCHEMA)


def test_cut_anywhere_only_statements_that_had_ended_are_left() -> None:
    whole = read_statements(WHOLE).text
    seen = set()
    for end in range(len(WHOLE)):
        try:
            seen.add(read_cut_statements(WHOLE[:end]).text)
        except GeneratorError as exc:
            assert "cut at the token limit" in str(exc)  # noqa: PT017 - each cut is one or the other
            assert end < WHOLE.index(json.dumps(ONE)) + len(json.dumps(ONE))
    assert seen == {FIRST, whole}


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "{",
        '{"found": false, "reason": "not_in_context", "statements": [',
        '{"found": false, "reason": "x", "statements": [' + json.dumps(ONE),
        '{"statements": [' + json.dumps(ONE) + '], "found": true',
        '{"found": true, "reason": null, "statements": [{"text": "", "handles": ["S1"]}, {"te',
        '{"found": true, "reason": null, "statements": [' + "[" * 5000,
    ],
)
def test_a_reply_cut_before_it_stated_anything_is_an_error_that_names_the_setting(raw: str) -> None:
    with pytest.raises(GeneratorError) as caught:
        read_cut_statements(raw)
    assert "max_output_tokens" in caught.value.hint


def test_a_malformed_statement_in_a_cut_reply_is_an_error_as_in_a_whole_one() -> None:
    with pytest.raises(GeneratorError, match="not in the agreed form"):
        read_cut_statements('{"found": true, "reason": null, "statements": [{"text": 5}, ')


def test_what_is_left_of_a_cut_reply_is_whole_and_says_so() -> None:
    draft = Draft(pieces=[WHOLE[: WHOLE.index("twice")]], finish_reason="length")
    done = settled(generation_of(draft, schema_prompt(), name="m"))
    assert (done.text, done.abstain_reason, done.finish_reason) == (FIRST, None, "stop")
    assert CUT_NOTE in done.notes


def test_the_grammar_names_the_given_handles_and_no_others_each_once() -> None:
    handles = statements_grammar(["S1", "S2"]).splitlines()[-1]
    assert handles == r'''handles ::= "\"S1\"" (",\"S2\"")? | "\"S2\""'''


def test_the_grammar_has_a_way_to_say_that_nothing_was_found_unless_it_is_taken_away() -> None:
    assert "not_in_context" in statements_grammar(["S1"])
    pressed = statements_grammar(["S1"], may_abstain=False)
    assert "not_in_context" not in pressed
    assert "absent" not in pressed
