"""The library call, over real libraries in a folder."""

from __future__ import annotations

import threading
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from pincite import Identity, Library, Passage, check
from pincite.errors import AuditError, InputError, LibraryNotFoundError, NotFoundError
from pincite.library import MAX_QUESTION_CHARS, open_audit
from pincite.protocols import Store
from pincite.types import Decision, VerdictLabel, Version, View

QUESTION = "How long may customers on the Enterprise plan ask for a refund?"
REFUND = "Customers on the Enterprise plan may ask for a full refund within 30 days of the purchase."


def test_ask_gives_an_answer_whose_quotes_open_again(small: Path) -> None:
    with Library.open(small / "library") as library:
        answer = library.ask(QUESTION)
        assert answer.decision is Decision.ANSWERED
        assert answer.text.startswith(f"{REFUND} [1]")
        opened = library.open_reference(answer.sources[0].citation_id)
        assert opened.quote == answer.sources[0].quote == REFUND
        assert library.audit.get(answer.audit_id).content()["answer"]["text"] == answer.text


def test_the_clock_decides_what_today_is(small: Path) -> None:
    (small / "later.md").write_text(
        "---\neffective_from: 2030-01-01\n---\n# Later\n\nVisitors park on level 9.\n", encoding="utf-8"
    )
    for year, sees in ((2029, False), (2031, True)):
        with Library.open(small / "library", clock=lambda year=year: datetime(year, 1, 1, tzinfo=UTC)) as library:
            library.ingest([small / "later.md"])
            assert ("later" in {one.document_id for one in library.documents()}) is sees
            assert "later" in {one.document_id for one in library.documents(as_of=date(2030, 1, 1))}


def test_a_question_of_a_megabyte_is_refused_before_anything_reads_it(small: Path) -> None:
    with Library.open(small / "library") as library:
        with pytest.raises(InputError, match="1,048,576 characters; 10,000 is the most") as caught:
            library.ask("x" * 1_048_576)
        assert "pincite ingest" in caught.value.hint
        assert list(library.audit.records()) == []
        longest = library.ask("refund " * (MAX_QUESTION_CHARS // 7))
        assert longest.notes


@pytest.mark.parametrize(
    ("question", "identity"),
    [
        ("caf\udce9", Identity()),
        ("x", Identity(tenant="\ud800")),
        ("x", Identity(roles=frozenset({"\udfff"}))),
        ("x", Identity(user="\ud83d")),
    ],
)
def test_half_a_surrogate_pair_is_refused_by_name(small: Path, question: str, identity: Identity) -> None:
    with Library.open(small / "library") as library, pytest.raises(InputError, match="not valid Unicode"):
        library.ask(question, identity=identity)


@pytest.mark.parametrize(
    "reference", ["", "nope", "x@1-2", "x@9-1", "refunds@0-9", "a" * 100_000, "\udce9", "' OR 1=1 --", "refunds:0"]
)
def test_a_reference_that_leads_nowhere_is_one_error(small: Path, reference: str) -> None:
    with Library.open(small / "library") as library, pytest.raises(NotFoundError, match="that you can open"):
        library.open_reference(reference)


def test_a_citation_beyond_the_text_is_not_clamped(small: Path) -> None:
    with Library.open(small / "library") as library:
        source = library.ask(QUESTION).sources[0]
        for span in (f"0-{10**9}", f"{source.start}-{source.start}", f"{source.end}-{source.start}"):
            with pytest.raises(NotFoundError):
                library.open_reference(f"{source.version_id}@{span}")


def test_a_document_removed_after_the_answer_is_not_found_any_more(small: Path) -> None:
    with Library.open(small / "library") as library:
        source = library.ask(QUESTION).sources[0]
        library.remove("refunds")
        for reference in (source.citation_id, source.passage_id, "refunds"):
            with pytest.raises(NotFoundError):
                library.open_reference(reference)
        with pytest.raises(NotFoundError):
            library.remove("refunds")
        with pytest.raises(NotFoundError):
            library.remove("parking", identity=Identity(tenant="other"))


class RemovingAfterSearch:
    """The real store; a document is removed by somebody else once the search is over."""

    def __init__(self, store: Store, document_id: str) -> None:
        self._store, self._document_id = store, document_id

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def version(self, version_id: str, view: View) -> Version | None:
        if self._document_id:
            self._store.remove("default", self._document_id, at=datetime(2026, 1, 1, tzinfo=UTC))
            self._document_id = ""
        return self._store.version(version_id, view)


def test_a_document_removed_between_retrieval_and_answer_is_not_in_the_answer(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite import defaults

    real = defaults.store
    monkeypatch.setattr(defaults, "store", lambda *a, **k: RemovingAfterSearch(real(*a, **k), "refunds"))
    with Library.open(small / "library") as library:
        answer = library.ask(QUESTION)
        assert (answer.decision, answer.sources) == (Decision.ABSTAINED, ())
        assert "30 days" not in answer.text
        assert "refunds" not in {one.document_id for one in answer.related}


def test_no_record_no_answer(small: Path) -> None:
    with Library.open(small / "library") as library:
        library.audit.close()
        with pytest.raises(AuditError, match=r"audit\.sqlite"):
            library.ask(QUESTION)


def test_threads_may_share_a_library_and_the_chain_stays_whole(small: Path) -> None:
    with Library.open(small / "library") as library:
        answers: list[str] = []
        threads = [threading.Thread(target=lambda: answers.append(library.ask(QUESTION).text)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == [library.ask(QUESTION).text] * 6
        assert (library.audit.verify().good_count, library.audit.verify().problem) == (7, None)


def test_opening_what_is_not_there_makes_nothing(tmp_path: Path) -> None:
    for opened in (Library.open, open_audit):
        with pytest.raises(LibraryNotFoundError, match="there is no library"):
            opened(tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []


def test_passages_may_be_text_mappings_or_passages() -> None:
    text = "A VPN session ends after 12 hours."
    for passage in (text, {"id": 7, "text": text}, Passage(passage_id="p", text=text, end=len(text))):
        checked = check(f"{text} [1]", [passage])
        assert (checked.decision, checked.claims[0].verdict.label) == (Decision.ANSWERED, VerdictLabel.SUPPORTED)


@pytest.mark.parametrize(
    ("passages", "message"),
    [
        ([{"id": "a", "text": "x"}, {"id": "a", "text": "y"}], "two passages have the id 'a'"),
        ([{"id": "a"}], "passage 1 has no text"),
        (["x", {"text": None}], "passage 2 has no text"),
    ],
)
def test_passages_that_cannot_be_told_apart_or_read_are_named(passages: list[object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check("x [1]", passages)  # type: ignore[arg-type]


def test_the_library_s_thresholds_reach_the_verifier_and_a_replay_uses_those_of_the_record(
    command: Any, small: Path
) -> None:
    settings = small / "library" / "pincite.toml"
    settings.write_text("[verify]\naccept_prob = 0.9999\nreject_prob = 0.1\n", encoding="utf-8")
    with Library.open(small / "library") as library:
        answer = library.ask(QUESTION)
    settings.unlink()
    with Library.open(small / "library") as library:
        assert library.ask(QUESTION).checked.verifier.fingerprint != answer.checked.verifier.fingerprint
    replayed = command("audit", "replay", answer.audit_id, "--library", str(small / "library"))
    assert (replayed.code, replayed.out.strip()) == (0, f"{answer.audit_id}: equal")


def test_a_file_in_place_of_a_library_is_named_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no library", encoding="utf-8")
    with pytest.raises(LibraryNotFoundError, match="is a file"):
        Library.open(tmp_path / "notes.txt", create=True)
