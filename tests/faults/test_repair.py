"""What happens to a draft that falls: dropped in part, written anew once, then handed over; and who sees it."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.config import OnUnrepaired, OnUnsupported, Policy
from pincite.decide import releases_early
from pincite.errors import GeneratorError
from pincite.pipeline import HAND_OVER, ask, ask_stream
from pincite.prompt import build_prompt
from pincite.replay import replay
from pincite.serve import wire
from pincite.testing.scripted_generator import ScriptedGenerator, ScriptedStream
from pincite.types import Answer, Decision, DecisionReason, Generation, Released

from .scripts import REFUND, VPN
from .test_faults import asked, flow

WRONG = REFUND.replace("30", "93")
WRONG_AGAIN = "A refund may be asked for within 93 days by Enterprise plan customers."


def handles(folder: Path) -> dict[str, str]:
    """The handles that the flow gives out: the ranking does not depend on the draft."""
    generator = ScriptedGenerator("x", "x")
    parts = flow(folder, generator)
    ask(asked(), parts)
    parts.audit.close()
    return {item.passage.document_id: item.handle for item in generator.prompts[0].handled}


@pytest.fixture
def at(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "first").mkdir()
    return handles(tmp_path / "first")


def answered(folder: Path, *drafts: Any, **policy: Any) -> tuple[Answer, Any, ScriptedGenerator]:
    generator = ScriptedGenerator(*drafts)
    parts = flow(folder, generator, **{"max_regenerations": 1, **policy})
    return ask(asked(), parts), parts, generator


def test_a_draft_that_falls_is_written_anew_and_the_correction_names_the_value_of_the_passage(
    tmp_path: Path, at: dict[str, str]
) -> None:
    answer, parts, generator = answered(tmp_path, f"{WRONG} [{at['refund']}]", f"{REFUND} [{at['refund']}]")
    assert (answer.decision, answer.text) == (Decision.ANSWERED, f"{REFUND} [1]")
    assert DecisionReason.REGENERATED in answer.reasons
    told = generator.prompts[1].correction
    assert told is not None
    assert "Sentence 1: the passage says 30 days, not 93 days." in told
    assert "Customers" not in told
    assert generator.prompts[1].user.endswith(told)
    assert generator.prompts[0].system == generator.prompts[1].system
    parts.audit.close()


@pytest.mark.parametrize("again", [WRONG, WRONG_AGAIN])
def test_the_same_claim_again_or_in_other_words_falls_again_and_is_handed_over(
    tmp_path: Path, at: dict[str, str], again: str
) -> None:
    answer, parts, _ = answered(tmp_path, f"{WRONG} [{at['refund']}]", f"{again} [{at['refund']}]")
    assert (answer.decision, answer.text, answer.sources) == (Decision.NEEDS_HUMAN, HAND_OVER, ())
    assert [attempt.generation.text for attempt in answer.rejected] == [
        f"{WRONG} [{at['refund']}]",
        f"{again} [{at['refund']}]",
    ]
    record = parts.audit.get(answer.audit_id)
    content = record.content()
    assert len(content["attempts"]) == 1
    assert content["attempts"][0]["checked"]["claims"][0]["verdict"]["label"] == "contradicted"
    assert replay(record, parts.verifier).equal
    parts.audit.close()


def test_a_forged_verdict_of_the_first_attempt_does_not_replay(tmp_path: Path, at: dict[str, str]) -> None:
    from pincite.audit import canonical, link_hash

    answer, parts, _ = answered(tmp_path, f"{WRONG} [{at['refund']}]", f"{REFUND} [{at['refund']}]")
    record = parts.audit.get(answer.audit_id)
    content = record.content()
    content["attempts"][0]["checked"]["claims"][0]["verdict"]["label"] = "supported"
    body = canonical(content)
    forged = dataclasses.replace(record, body=body, hash=link_hash(record.previous, body))
    result = replay(forged, parts.verifier)
    assert [line.partition(": ")[0] for line in result.differences] == ["attempts[1].checked.claims[0].verdict.label"]
    parts.audit.close()


def test_an_asker_sees_no_word_of_a_withheld_draft_and_a_reviewer_sees_all(tmp_path: Path, at: dict[str, str]) -> None:
    first, second = f"{WRONG} [{at['refund']}]", f"{WRONG_AGAIN} [{at['refund']}]"
    answer, parts, _ = answered(tmp_path, first, second)
    parts.audit.close()
    told = wire.encode(wire.answer_out(answer)).replace(json.dumps(asked().text), "")
    assert "93 days" not in told
    assert "rejected" not in wire.answer_out(answer)
    seen = wire.review_out(answer)
    assert [one["draft"] for one in seen["rejected"]] == [first, second]
    assert seen["rejected"][1]["correction"]


def test_of_a_partial_answer_the_dropped_claim_is_counted_and_not_told(tmp_path: Path, at: dict[str, str]) -> None:
    answer, parts, _ = answered(tmp_path, f"{REFUND} [{at['refund']}] The garage closes at 22:00 [{at['vpn']}].")
    parts.audit.close()
    out = wire.answer_out(answer)
    assert answer.decision is Decision.PARTIAL
    assert "garage" not in json.dumps(out)
    assert out["checked"]["claims"][0]["verdict"] == "supported"
    assert len(out["checked"]["claims"]) == 2
    assert len(out["checked"]["text"]) == len(answer.checked.text)


def test_an_honest_nothing_after_the_correction_is_a_refusal_not_a_hand_over(
    tmp_path: Path, at: dict[str, str]
) -> None:
    answer, parts, _ = answered(tmp_path, f"{WRONG} [{at['refund']}]", "NOT IN THE PASSAGES")
    parts.audit.close()
    assert answer.decision is Decision.ABSTAINED
    assert DecisionReason.NOT_IN_PASSAGES in answer.reasons


def test_a_model_that_is_away_for_the_second_draft_hands_the_first_over(tmp_path: Path, at: dict[str, str]) -> None:
    answer, parts, _ = answered(tmp_path, f"{WRONG} [{at['refund']}]", GeneratorError("the line is down"))
    parts.audit.close()
    assert answer.decision is Decision.NEEDS_HUMAN
    assert len(answer.rejected) == 2


def test_the_policy_says_how_often_and_what_then(tmp_path: Path, at: dict[str, str]) -> None:
    for name, policy, decision, asked_count in (
        ("never", {"max_regenerations": 0}, Decision.ABSTAINED, 1),
        ("twice", {"max_regenerations": 2}, Decision.NEEDS_HUMAN, 3),
        ("quietly", {"on_unrepaired": OnUnrepaired.ABSTAIN}, Decision.ABSTAINED, 2),
        ("at once", {"on_contradicted": OnUnsupported.HAND_OVER}, Decision.NEEDS_HUMAN, 1),
    ):
        (tmp_path / name).mkdir()
        answer, parts, generator = answered(tmp_path / name, *[f"{WRONG} [{at['refund']}]"] * 3, **policy)
        parts.audit.close()
        assert (name, answer.decision, len(generator.prompts)) == (name, decision, asked_count)


def test_only_policies_that_drop_claim_by_claim_release_early() -> None:
    assert releases_early(Policy(min_kept_fraction=0.0))
    assert not releases_early(Policy(min_kept_fraction=0.5))
    assert not releases_early(Policy(min_kept_fraction=0.0, on_contradicted=OnUnsupported.HAND_OVER))


def streamed(folder: Path, draft: Any, cuts: Any, **policy: Any) -> tuple[list[Released], Answer, Answer]:
    parts = flow(folder, ScriptedStream(draft, draft, draft, draft, cut=cuts), **policy)
    *released, last = ask_stream(asked(), parts)
    whole = ask(asked(), parts)
    parts.audit.close()
    assert isinstance(last, Answer)
    return [one for one in released if isinstance(one, Released)], last, whole


PIECES = (
    f"{REFUND} [S1] ", f"{VPN} [S2][S3] ", "The garage is blue [S9]. ", f"**{REFUND}** ", "\n\n- one [S1]\n- two [S2]\n\n",
    "`x[0]` ", "\n\n| a | b |\n|---|---|\n| c | d [S1] |\n\n", "[", "[S", "\n\n## Rules\n", "```\ncode [S1]\n```\n", "These apply:",
    "They may extend it [S1]. ", "[S1] ", f"{VPN[:-1]} [S1, S2]. ", "No. 5 approx. ", "[link](http://a.b/c) ", "* ", "_",
)  # fmt: skip


@given(draft=st.lists(st.sampled_from(PIECES), min_size=1, max_size=9), cuts=st.lists(st.integers(1, 400), max_size=40))
def test_however_a_draft_is_cut_the_streamed_answer_is_the_whole_one(
    tmp_path_factory: pytest.TempPathFactory, draft: list[str], cuts: list[int]
) -> None:
    text = "".join(draft)
    if not text.strip():
        return
    released, last, whole = streamed(tmp_path_factory.mktemp("s"), text, lambda _: cuts)
    assert last.checked == whole.checked
    assert (last.text, last.sources, last.decision) == (whole.text, whole.sources, whole.decision)
    assert "".join(one.text for one in released) == (whole.text if whole.sources else "")


def test_the_first_sentence_leaves_before_the_draft_has_ended_and_going_away_cancels_the_model(
    tmp_path: Path, at: dict[str, str]
) -> None:
    draft = f"{REFUND} [{at['refund']}] {VPN} [{at['vpn']}] And so it goes on for a while [{at['fee']}]."
    generator = ScriptedStream(draft, cut=lambda text: range(len(text)))
    parts = flow(tmp_path, generator)
    stream = ask_stream(asked(), parts)
    first = next(stream)
    assert isinstance(first, Released)
    assert first.text == f"{REFUND} [1]"
    stream.close()  # type: ignore[attr-defined]
    assert generator.closed == 1
    assert list(parts.audit.records()) == []
    parts.audit.close()


def test_under_the_default_policy_nothing_leaves_before_the_whole_draft_is_known(
    tmp_path: Path, at: dict[str, str]
) -> None:
    draft = f"{REFUND} [{at['refund']}] The garage closes at 22:00 [{at['vpn']}]. It is blue [{at['vpn']}]. It is big [{at['fee']}]."
    released, last, _ = streamed(tmp_path, draft, lambda text: range(len(text)), min_kept_fraction=0.5)
    assert released == []
    assert last.decision is Decision.ABSTAINED


def test_an_open_marker_of_any_length_holds_nothing_but_itself_back(tmp_path: Path, at: dict[str, str]) -> None:
    draft = f"{REFUND} [{at['refund']}] {VPN} [{'1' * 30_000}"
    released, last, whole = streamed(tmp_path, draft, lambda text: range(0, len(text), 500))
    assert "".join(one.text for one in released) == last.text == whole.text == f"{REFUND} [1]"


def test_the_time_to_the_first_sentence_is_in_the_record(tmp_path: Path, at: dict[str, str]) -> None:
    draft = Generation(text=f"{REFUND} [{at['refund']}] {VPN} [{at['vpn']}]", generator="scripted/1")
    _, last, whole = streamed(tmp_path, draft, lambda text: range(len(text)))
    assert last.timings_ms["first_sentence"] > 0
    assert "first_sentence" not in whole.timings_ms


def test_a_prompt_with_a_correction_still_ends_every_fence() -> None:
    assert build_prompt("q", [], nonce="n", correction="- Sentence 1: no passage says this.").user.endswith(
        "says this."
    )
