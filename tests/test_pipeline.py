"""The flow over the public doubles: what leaves, what does not, and what is written down about it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from pincite import defaults
from pincite.audit import AuditLog
from pincite.config import OnConflict, OnUncertain, Policy, Settings
from pincite.errors import AuditError, GeneratorError
from pincite.pipeline import HAND_OVER, REFUSAL, Parts, ask, ask_stream
from pincite.protocols import Entry, Verifier
from pincite.testing.entries import DIMENSIONS, EMBEDDER, make_entry
from pincite.testing.memory_store import MemoryStore
from pincite.testing.scripted_generator import ScriptedGenerator
from pincite.types import (
    Access,
    Answer,
    Decision,
    DecisionReason,
    Generation,
    Identity,
    Judgement,
    Pair,
    Query,
    VerdictLabel,
    VerifierInfo,
    Version,
    View,
)

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
REFUND = "Customers on the Enterprise plan may ask for a refund within 30 days."
VPN = "A VPN session ends after 12 hours."
QUESTION = "How long is the refund window and how long does a VPN session last?"
MARKER = re.compile(r"\[(\d+)\]")
ENTRIES = (make_entry("refund@1", [REFUND], title="Refunds"), make_entry("vpn@1", [VPN], title="VPN"))


def parts(
    folder: Path,
    *drafts: str | Generation | GeneratorError,
    entries: Sequence[Entry] = ENTRIES,
    store: MemoryStore | None = None,
    verifier: Verifier | None = None,
    policy: Policy | None = None,
) -> Parts:
    store = store or MemoryStore(dimensions=DIMENSIONS)
    if entries:
        store.put(entries)
    return Parts(
        store=store,
        embedder=EMBEDDER,
        generator=ScriptedGenerator(*drafts, takes_corrections=False),
        verifier=verifier or defaults.verifier(),
        audit=AuditLog(folder / "audit.sqlite"),
        settings=Settings(policy=policy or Policy()),
        clock=lambda: NOW,
        nonce=lambda: "n0nce",
        product="pincite test",
    )


def question(text: str = QUESTION, *roles: str, tenant: str = "default") -> Query:
    return Query(text=text, identity=Identity(tenant=tenant, roles=frozenset(roles)), as_of=NOW.date())


class Draft:
    """Writes markers by document, whatever handles the request gives out."""

    def __init__(self, text: str, **documents: str) -> None:
        self._text, self._documents = text, documents
        self.name = "draft/1"
        self.takes_corrections = False

    def generate(self, prompt: object) -> Generation:
        handles = {item.passage.document_id: item.handle for item in prompt.handled}  # type: ignore[attr-defined]
        names = {name: handles[document] for name, document in self._documents.items()}
        return Generation(text=self._text.format(**names), generator=self.name)


def answered(folder: Path, text: str, **changes: object) -> tuple[Answer, Parts]:
    made = parts(folder, **changes)  # type: ignore[arg-type]
    made = Parts(
        **{**{f: getattr(made, f) for f in made.__dataclass_fields__}, "generator": Draft(text, r="refund", v="vpn")}
    )
    answer = ask(question(), made)
    made.audit.close()
    return answer, made


def test_a_draft_that_stands_is_shown_with_numbers_of_its_own(tmp_path: Path) -> None:
    answer, _ = answered(tmp_path, f"{REFUND[:-1]} [{{r}}]. {VPN[:-1]} [{{v}}].")
    assert answer.decision is Decision.ANSWERED
    assert answer.reasons == (DecisionReason.ALL_SUPPORTED,)
    assert answer.text == f"{REFUND} [1] {VPN} [2]"
    assert [source.document_id for source in answer.sources] == ["refund", "vpn"]


def test_every_number_in_the_text_is_a_source_and_every_quote_is_the_version_s_text(tmp_path: Path) -> None:
    answer, made = answered(tmp_path, f"- {REFUND[:-1]} [{{r}}].\n- {VPN[:-1]} [{{v}}].\n\nAgain: {VPN} [{{v}}]")
    numbers = {int(number) for number in MARKER.findall(answer.text)}
    assert numbers == {source.number for source in answer.sources} == set(range(1, len(answer.sources) + 1))
    for source in answer.sources:
        version = made.store.version(source.version_id, question().view())
        assert version is not None
        assert version.text[source.start : source.end] == source.quote
        assert source.citation_id == f"{source.version_id}@{source.start}-{source.end}"


def test_a_sentence_without_support_is_dropped_and_the_answer_says_that_it_is_partial(tmp_path: Path) -> None:
    answer, _ = answered(tmp_path, f"{REFUND} [{{r}}] The garage closes at 22:00 [{{v}}].")
    assert answer.decision is Decision.PARTIAL
    assert DecisionReason.CLAIMS_DROPPED in answer.reasons
    assert answer.text == f"{REFUND} [1]"
    assert len(answer.checked.claims) == 2


@pytest.mark.parametrize(
    "draft",
    [
        "The garage closes at 22:00 [{r}].",
        "Customers on the Enterprise plan may ask for a refund within 90 days [{r}].",
        "A VPN session does not end after 12 hours [{v}].",
        "The garage closes at 22:00 [{r}]. " + VPN + " [{v}]",
    ],
)
def test_a_draft_whose_first_claim_falls_is_a_refusal_with_a_next_step(tmp_path: Path, draft: str) -> None:
    answer, _ = answered(tmp_path, draft)
    assert (answer.decision, answer.text, answer.sources) == (Decision.ABSTAINED, REFUSAL, ())
    assert answer.next_step
    assert {one.document_id for one in answer.related} <= {"refund", "vpn"}


def test_an_uncited_sentence_is_not_shown_however_true(tmp_path: Path) -> None:
    answer, _ = answered(tmp_path, REFUND)
    assert (answer.decision, answer.sources) == (Decision.ABSTAINED, ())
    assert DecisionReason.UNCITED_CLAIM in answer.reasons


def test_a_marker_that_leads_nowhere_never_reaches_the_text(tmp_path: Path) -> None:
    answer, _ = answered(tmp_path, f"{REFUND} [{{r}}][99] {VPN} [77]")
    assert "99" not in answer.text
    assert "77" not in answer.text
    assert {citation.raw for citation in answer.checked.unresolved} == {"[99]", "[77]"}
    assert DecisionReason.UNRESOLVED_CITATION in answer.reasons


@pytest.mark.parametrize(
    "draft", ["Hello! Happy to help.", "I could not find this in the passages.", "Please contact HR."]
)
def test_a_draft_without_a_claim_is_never_an_answer(tmp_path: Path, draft: str) -> None:
    answer, _ = answered(tmp_path, draft)
    assert (answer.decision, answer.checked.groundedness, answer.text) == (Decision.ABSTAINED, None, REFUSAL)


def test_a_generator_that_fails_hands_over_to_a_person(tmp_path: Path) -> None:
    made = parts(tmp_path, GeneratorError("the endpoint timed out"))
    answer = ask(question(), made)
    made.audit.close()
    assert (answer.decision, answer.text, answer.sources) == (Decision.NEEDS_HUMAN, HAND_OVER, ())
    assert answer.reasons == (DecisionReason.GENERATOR_FAILED,)
    assert answer.next_step


@pytest.mark.parametrize("draft", ["", " \n "])
def test_a_generator_that_says_nothing_is_a_refusal(tmp_path: Path, draft: str) -> None:
    made = parts(tmp_path, Generation(text=draft, generator="x"))
    answer = ask(question(), made)
    made.audit.close()
    assert (answer.decision, answer.text) == (Decision.ABSTAINED, REFUSAL)


class Both:
    """Says every passage, and that they disagree."""

    name = "both/1"

    def generate(self, prompt: object) -> Generation:
        text = " ".join(f"{item.passage.text} [{item.handle}]" for item in prompt.handled)  # type: ignore[attr-defined]
        handles = tuple(item.handle for item in prompt.handled)  # type: ignore[attr-defined]
        return Generation(text=text, generator=self.name, conflicting=handles)


def disagreeing(tmp_path: Path) -> Parts:
    other = "Customers on the Enterprise plan may ask for a refund within 45 days."
    made = parts(tmp_path, entries=(make_entry("one@1", [REFUND]), make_entry("two@1", [other])))
    return dataclasses.replace(made, generator=Both())


def test_passages_that_disagree_are_a_reason_on_the_answer(tmp_path: Path) -> None:
    made = disagreeing(tmp_path)
    answer = ask(question(), made)
    made.audit.close()
    assert answer.decision is Decision.ANSWERED
    assert DecisionReason.CONFLICT in answer.reasons
    assert {source.document_id for source in answer.sources} == {"one", "two"}


def test_passages_that_disagree_go_to_a_person_where_the_policy_says_so(tmp_path: Path) -> None:
    made = disagreeing(tmp_path)
    policy = dataclasses.replace(made.settings.policy, on_conflict=OnConflict.HAND_OVER, min_kept_fraction=0.0)
    made = dataclasses.replace(made, settings=dataclasses.replace(made.settings, policy=policy))
    for given in (list(ask_stream(question(), made)), [ask(question(), made)]):
        (answer,) = given  # nothing is given out before
        assert isinstance(answer, Answer)
        assert answer.decision is Decision.NEEDS_HUMAN
        assert DecisionReason.CONFLICT in answer.reasons
        assert (answer.text, answer.sources) == (HAND_OVER, ())
    made.audit.close()


@pytest.mark.parametrize("text", ["", "   ", "\n\t \u00a0"])
def test_an_empty_question_is_a_named_refusal_that_asks_no_model(tmp_path: Path, text: str) -> None:
    made = parts(tmp_path)
    answer = ask(question(text), made)
    made.audit.close()
    assert (answer.decision, answer.reasons) == (Decision.ABSTAINED, (DecisionReason.EMPTY_QUESTION,))
    assert (answer.retrieved, answer.related) == ((), ())


def test_an_empty_library_is_a_named_refusal(tmp_path: Path) -> None:
    made = parts(tmp_path, entries=())
    answer = ask(question(), made)
    made.audit.close()
    assert (answer.decision, answer.reasons) == (Decision.ABSTAINED, (DecisionReason.EMPTY_LIBRARY,))


def test_a_reader_who_may_see_nothing_gets_the_plain_refusal_and_no_model_is_asked(tmp_path: Path) -> None:
    secret = make_entry("memo@1", ["The surcharge is USD 280."], access=Access(allow=frozenset({"role:underwriter"})))
    made = parts(tmp_path, entries=(secret,))
    for query in (question("What is the surcharge?"), question("What is the surcharge?", tenant="elsewhere")):
        answer = ask(query, made)
        assert (answer.decision, answer.reasons) == (Decision.ABSTAINED, (DecisionReason.NOTHING_RETRIEVED,))
        assert (answer.text, answer.related, answer.retrieved, answer.notes) == (REFUSAL, (), (), ())
    made.audit.close()


class Withdrawing(MemoryStore):
    """Removes a document when an answer's versions are read: after retrieval, before the answer."""

    def __init__(self, *documents: str) -> None:
        super().__init__(dimensions=DIMENSIONS)
        self._documents = documents

    def version(self, version_id: str, view: View) -> Version | None:
        for document in self._documents:
            self.remove("default", document, at=NOW)
        self._documents = ()
        return super().version(version_id, view)


def test_a_document_removed_between_retrieval_and_answer_is_not_quoted(tmp_path: Path) -> None:
    answer, _ = answered(tmp_path, f"{REFUND} [{{r}}] {VPN} [{{v}}]", store=Withdrawing("refund", "vpn"))
    assert (answer.decision, answer.text, answer.sources) == (Decision.ABSTAINED, REFUSAL, ())
    assert answer.reasons == (DecisionReason.NOTHING_RETRIEVED,)
    assert answer.related == ()


def test_what_does_not_rest_on_the_removed_document_is_still_answered_as_a_part(tmp_path: Path) -> None:
    answer, _ = answered(tmp_path, f"{REFUND} [{{r}}] {VPN} [{{v}}]", store=Withdrawing("vpn"))
    assert (answer.decision, answer.text) == (Decision.PARTIAL, f"{REFUND} [1]")
    assert answer.reasons == (DecisionReason.CLAIMS_DROPPED,)


def test_losing_the_claim_that_says_what_was_asked_is_losing_the_answer(tmp_path: Path) -> None:
    answer, _ = answered(tmp_path, f"{REFUND} [{{r}}] {VPN} [{{v}}]", store=Withdrawing("refund"))
    assert (answer.decision, answer.text, answer.sources) == (Decision.ABSTAINED, REFUSAL, ())
    assert [one.document_id for one in answer.related] == ["vpn"]


class Broken:
    """A verifier that cannot run."""

    info = VerifierInfo(name="broken", version="1", fingerprint="b")

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        raise RuntimeError("no model")


class Yes:
    """A verifier that says yes and shows nothing for it."""

    info = VerifierInfo(name="yes", version="1", fingerprint="y")

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        return [Judgement(label=VerdictLabel.SUPPORTED, support_prob=1.0) for _ in pairs]


@pytest.mark.parametrize(
    ("verifier", "decision", "text"),
    [(Broken(), Decision.NEEDS_HUMAN, HAND_OVER), (Yes(), Decision.ABSTAINED, REFUSAL)],
)
def test_a_verifier_that_cannot_run_or_shows_no_evidence_supports_nothing(
    tmp_path: Path, verifier: Verifier, decision: Decision, text: str
) -> None:
    answer, _ = answered(tmp_path, f"{REFUND} [{{r}}]", verifier=verifier)
    assert (answer.decision, answer.text, answer.sources) == (decision, text, ())
    assert DecisionReason.ALL_SUPPORTED not in answer.reasons


def test_a_policy_may_hand_over_what_could_not_be_verified(tmp_path: Path) -> None:
    policy = Policy(on_uncertain=OnUncertain.HAND_OVER)
    answer, _ = answered(tmp_path, f"{REFUND} [{{r}}]", verifier=Broken(), policy=policy)
    assert (answer.decision, answer.text) == (Decision.NEEDS_HUMAN, HAND_OVER)


def test_no_answer_without_its_record(tmp_path: Path) -> None:
    made = parts(tmp_path, f"{REFUND} [S1]")
    made.audit.close()
    with pytest.raises(AuditError, match=r"audit\.sqlite"):
        ask(question(), made)


def test_the_record_is_written_before_the_answer_is_returned_and_carries_all_of_it(tmp_path: Path) -> None:
    made = parts(tmp_path, f"{REFUND} [S1]")
    answer = ask(question(), made)
    record = made.audit.get(answer.audit_id)
    content = record.content()
    made.audit.close()
    assert content["at"] == NOW.isoformat()
    assert content["answer"]["query"]["text"] == QUESTION
    assert content["answer"]["text"] == answer.text
    assert content["generation"]["text"] == f"{REFUND} [S1]"
    assert content["settings"]["policy"]["version"] == "1"
    assert set(content["handles"]) == {"S1", "S2"}
    assert "n0nce" in content["prompt"]["user"]
    assert [hit["rank"] for hit in content["answer"]["retrieved"]] == [1, 2]
    assert set(answer.timings_ms) == {"retrieve", "generate", "check", "answer"}


def test_the_same_question_gives_the_same_verdicts_and_text(tmp_path: Path) -> None:
    made = parts(tmp_path, *[f"{REFUND} [S1] {VPN} [S2]"] * 2)
    first, second = ask(question(), made), ask(question(), made)
    made.audit.close()
    assert first.checked == second.checked
    assert (first.text, first.sources) == (second.text, second.sources)
    assert first.audit_id != second.audit_id


def test_a_prompt_shows_a_model_nothing_that_the_asker_may_not_read(tmp_path: Path) -> None:
    memo = make_entry(
        "memo@1", ["The refund surcharge is USD 280."], access=Access(allow=frozenset({"role:underwriter"}))
    )
    later = make_entry("later@1", ["The refund window will be 60 days."], effective_from=date(2026, 1, 1))
    made = parts(tmp_path, f"{REFUND} [S1]", entries=(*ENTRIES, memo, later))
    ask(question(), made)
    made.audit.close()
    shown = made.generator.prompts[0].user  # type: ignore[attr-defined]
    assert "280" not in shown
    assert "60 days" not in shown
