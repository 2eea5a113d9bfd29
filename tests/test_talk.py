"""Conversations over a real library: what a turn may see, what it cites, what is recorded of it."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from pincite import Library
from pincite.config import Settings, TalkSettings
from pincite.errors import InputError
from pincite.ingest import IngestOptions
from pincite.replay import replay
from pincite.talk import Conversation, recent
from pincite.types import Access, Answer, Decision, DecisionReason, Generation, Identity, Prompt, Turn

ENTERPRISE = "Within how many days may customers on the Enterprise plan ask for a refund?"
ROLE = Identity(roles=frozenset({"sales"}))


class Copies:
    """A model that copies the first sentence about its topic from the passages, and rewrites as it is told to."""

    name = "copies/1"
    form = "markers"

    def __init__(self, rewriting: str | None = None) -> None:
        from pincite.types import AnswerForm

        self.form = AnswerForm.MARKERS
        self.rewriting = rewriting
        self.prompts: list[Prompt] = []

    def generate(self, prompt: Prompt) -> Generation:
        if "You rewrite" in prompt.system:
            return Generation(text=self.rewriting or "", generator=self.name)
        self.prompts.append(prompt)
        plan = "Starter" if "Starter" in prompt.question else "Enterprise"
        for item in prompt.handled:
            found = re.search(rf"Customers on the {plan} plan[^.]*", item.passage.text)
            if found:
                return Generation(text=f"{found[0]} [{item.handle}].", generator=self.name)
        return Generation(text="", generator=self.name, abstain_reason="not_in_context")


def opened(small: Path, model: object | None = None, settings: Settings | None = None) -> Library:
    return Library.open(
        small / "library",
        generator=model,
        settings=settings,
        clock=lambda: datetime(2030, 1, 1, tzinfo=UTC),  # type: ignore[arg-type]
    )


def test_a_follow_up_is_searched_and_recorded_as_the_question_it_stands_for(small: Path) -> None:
    with opened(small) as library:
        talk = Conversation(library)
        first = talk.ask(ENTERPRISE)
        second = talk.ask("and for the Starter plan?")
        assert "30 days" in first.text
        assert second.query.text == "Within how many days may customers on the Starter plan ask for a refund?"
        assert "7 days" in second.text
        assert second.notes[0] == f"Read as: {second.query.text}"
        said = library.audit.get(second.audit_id).content()["answer"]["query"]["said"]
        assert (said["conversation"], said["number"]) == (talk.conversation_id, 2)
        assert said["asked"] == "and for the Starter plan?"
        assert replay(library.audit.get(second.audit_id), library.parts.verifier).equal


def test_a_citation_points_only_at_what_its_own_turn_retrieved(small: Path) -> None:
    with opened(small) as library:
        talk = Conversation(library)
        for text in (ENTERPRISE, "When does the garage open?", "and for the Starter plan?"):
            answer = talk.ask(text)
            retrieved = {hit.passage.passage_id for hit in answer.retrieved}
            assert {source.passage_id for source in answer.sources} <= retrieved


def test_shorter_please_reads_the_sources_of_the_last_answer_again_and_cites_them(small: Path) -> None:
    model = Copies()
    with opened(small, model) as library:
        talk = Conversation(library)
        first, second = talk.ask(ENTERPRISE), talk.ask("Shorter please.")
        assert second.decision is Decision.ANSWERED
        assert [s.passage_id for s in second.sources] == [s.passage_id for s in first.sources]
        assert [hit.passage.passage_id for hit in second.retrieved] == [s.passage_id for s in first.sources]
        assert model.prompts[-1].question == f"{ENTERPRISE} Shorter please."
        assert model.prompts[-1].turns == (Turn(question=ENTERPRISE, answer=first.text.replace(" [1]", "")),)


def test_what_was_removed_since_is_neither_read_again_nor_told_to_the_model(small: Path) -> None:
    model = Copies()
    with opened(small, model) as library:
        talk = Conversation(library)
        first = talk.ask(ENTERPRISE)
        library.remove(first.sources[0].document_id)
        again = talk.ask("summarise that")
        assert (again.decision, again.reasons) == (Decision.ABSTAINED, (DecisionReason.NOTHING_RETRIEVED,))
        talk.ask("When does the garage open?")
        assert model.prompts[-1].turns == ()


def test_without_a_model_summarise_that_quotes_and_says_so(small: Path) -> None:
    with opened(small) as library:
        talk = Conversation(library)
        talk.ask(ENTERPRISE)
        again = talk.ask("summarise that")
        assert "30 days" in again.text
        assert again.sources
        assert "quoted here" in again.notes[0]


def test_a_model_s_good_rewriting_is_used(small: Path) -> None:
    wanted = "Within how many days may customers on the Starter plan ask for a full refund?"
    with opened(small, Copies(wanted)) as library:
        talk = Conversation(library)
        talk.ask(ENTERPRISE)
        answer = talk.ask("and Starter customers?")
    assert answer.query.text == wanted
    assert answer.notes[0] == f"Read as: {wanted}"


@pytest.mark.parametrize("rewriting", ["Within 7 days.", "May Starter customers of Acme ask?", "", "What? " * 200])
def test_a_rewriter_that_answers_invents_or_is_silent_is_caught_and_the_rules_read(small: Path, rewriting: str) -> None:
    with opened(small, Copies(rewriting)) as library:
        talk = Conversation(library)
        talk.ask(ENTERPRISE)
        answer = talk.ask("and for the Starter plan?")
    assert answer.query.text == "Within how many days may customers on the Starter plan ask for a refund?"
    assert "was not used" in answer.notes[1]


def test_a_turn_of_another_identity_is_refused_and_leaves_nothing(small: Path) -> None:
    with opened(small) as library:
        talk = Conversation(library)
        talk.ask(ENTERPRISE)
        with pytest.raises(InputError, match="another identity"):
            talk.ask("summarise that", identity=ROLE)
        assert len(talk.past) == 1
        assert len(list(library.audit.records())) == 1


def test_answers_of_another_day_are_not_told_to_the_model(small: Path) -> None:
    model = Copies()
    with opened(small, model) as library:
        talk = Conversation(library)
        talk.ask(ENTERPRISE)
        talk.ask("When does the garage open?", as_of=date(2031, 1, 1))
        assert model.prompts[-1].turns == ()


def test_an_answer_from_what_only_some_may_read_stays_in_their_conversation(small: Path, tmp_path: Path) -> None:
    page = tmp_path / "bonus.md"
    page.write_text("# Bonus\n\nThe bonus for sales staff is 900 euros a year.\n", encoding="utf-8")
    model = Copies()
    with opened(small, model) as library:
        library.ingest([page], IngestOptions(access=Access(allow=frozenset({"role:sales"}))))
        Conversation(library, identity=ROLE).ask("What is the bonus for sales staff?")
        Conversation(library).ask("summarise that")
        assert all("900 euros" not in f"{turn}" for prompt in model.prompts[1:] for turn in prompt.turns)
        assert all("900 euros" not in prompt.user for prompt in model.prompts[1:])


def test_only_recent_turns_within_both_limits_go_to_a_model() -> None:
    turns = [Turn(question=f"q{n}", answer="a" * 8) for n in range(5)]
    assert recent(turns, TalkSettings(max_turns=2)) == tuple(turns[3:])
    assert recent(turns, TalkSettings(max_turns_chars=25)) == tuple(turns[3:])
    assert recent(turns, TalkSettings(max_turns=0)) == ()


def test_a_first_summarise_that_is_a_question_like_any_other(small: Path) -> None:
    with opened(small) as library:
        answer: Answer = Conversation(library).ask("summarise that")
    assert answer.query.said is not None
    assert answer.query.said.again == ()
    assert answer.query.text == "summarise that"
