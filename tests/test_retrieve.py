from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.config import RetrieveSettings
from pincite.retrieve import MAX_QUESTION_CHARS, Retrieved, identifiers, retrieve
from pincite.testing.entries import DIMENSIONS, EMBEDDER, make_entry
from pincite.testing.hash_embedder import HashEmbedder
from pincite.testing.memory_store import MemoryStore
from pincite.types import Access, Hit, Identity, Query

if TYPE_CHECKING:
    from collections.abc import Mapping

TODAY = date(2025, 6, 1)
SETTINGS = RetrieveSettings()


def library(*entries: object) -> MemoryStore:
    store = MemoryStore(dimensions=DIMENSIONS)
    store.put(entries)  # type: ignore[arg-type]
    return store


def ask(
    store: MemoryStore,
    text: str,
    *,
    identity: Identity | None = None,
    attributes: Mapping[str, str] | None = None,
    settings: RetrieveSettings = SETTINGS,
) -> Retrieved:
    query = Query(text=text, identity=identity or Identity(), as_of=TODAY, attributes=attributes or {})
    return retrieve(query, store=store, embedder=EMBEDDER, settings=settings)


def documents(found: Retrieved) -> list[str]:
    return [hit.passage.document_id for hit in found.hits]


LEAVE = (
    make_entry("leave-global", ["Employees receive 25 days of annual leave each year."]),
    make_entry(
        "leave-india", ["Employees receive 18 days of annual leave each year."], attributes={"country": "India"}
    ),
    make_entry("leave-germany", ["Employees receive 30 days of annual leave."], attributes={"country": "Germany"}),
)


@pytest.mark.parametrize("text", ["", "  \n\t "])
def test_a_blank_question_finds_nothing(text: str) -> None:
    found = ask(library(*LEAVE), text)
    assert found.hits == ()
    assert found.generation == 1


def test_an_empty_library_gives_nothing_and_no_error() -> None:
    assert ask(MemoryStore(dimensions=DIMENSIONS), "How many days?").hits == ()


def test_an_unknown_tenant_gets_exactly_what_an_empty_library_gives() -> None:
    stranger = ask(library(*LEAVE), "How many days of leave in India?", identity=Identity(tenant="nobody"))
    assert (stranger.hits, stranger.scope, stranger.notes) == ((), {}, ())


def test_what_a_role_may_not_read_leaves_no_trace_in_scope_or_notes() -> None:
    secret = make_entry(
        "memo", ["Leave on the moon."], attributes={"country": "Selene"}, access=Access(allow=frozenset({"role:board"}))
    )
    found = ask(library(*LEAVE, secret), "How much leave on Selene?")
    assert "memo" not in documents(found)
    assert (found.scope, found.notes) == ({}, ())


def test_a_country_named_in_the_question_narrows_the_view_and_says_so() -> None:
    found = ask(library(*LEAVE), "How many days of annual leave do I get in india?")
    assert found.scope == {"country": "India"}
    assert found.notes == ("Read as a question about country India.",)
    assert "leave-germany" not in documents(found)


def test_what_is_written_for_the_country_comes_before_what_is_written_for_all() -> None:
    found = ask(library(*LEAVE), "How many days of annual leave each year do employees receive in India?")
    assert documents(found) == ["leave-india", "leave-global"]


def test_scope_from_the_request_ranks_like_scope_from_the_question() -> None:
    found = ask(library(*LEAVE), "How many days of annual leave do employees receive?", attributes={"country": "INDIA"})
    assert documents(found) == ["leave-india", "leave-global"]
    assert found.scope == {}


def test_a_scoped_passage_about_something_else_does_not_pass_a_better_general_one() -> None:
    parking = [
        make_entry(f"india-{n}", [f"The canteen of office {n} opens at noon."], attributes={"country": "India"})
        for n in range(60)
    ]
    found = ask(library(LEAVE[0], *parking), "How many days of annual leave do employees receive in India?")
    assert documents(found)[0] == "leave-global"


def test_two_countries_in_one_question_narrow_nothing() -> None:
    found = ask(library(*LEAVE), "Is annual leave longer in Germany or in India?")
    assert found.scope == {}
    assert set(documents(found)) == {"leave-global", "leave-india", "leave-germany"}
    assert "several values of country" in found.notes[0]


def test_a_value_inside_another_word_names_nothing() -> None:
    assert ask(library(*LEAVE), "How much leave do Indians get?").scope == {}


def test_a_short_value_counts_only_in_its_own_case() -> None:
    store = library(make_entry("us", ["Leave is 10 days."], attributes={"country": "US"}), *LEAVE)
    assert ask(store, "Can you tell us the leave?").scope == {}
    assert ask(store, "What is the leave in the US?").scope == {"country": "US"}


def test_the_document_that_carries_the_identifier_comes_first() -> None:
    store = library(
        make_entry("guide", ["Why a premium goes up: the premium of a policy went up when vehicles were added."]),
        make_entry("other", ["The premium on POL-55013 went up because vehicles were added."]),
        make_entry("mine", ["POL-55012 is a fleet policy. Endorsement 2 applies."]),
    )
    assert documents(ask(store, "Why did the premium on pol-55012 go up?"))[0] == "mine"


def test_an_identifier_counts_where_it_is_the_document_id_or_the_title() -> None:
    store = library(
        make_entry(
            "x3", ["What is a claim about? What a claim 88431 is about: what is claim 88431?"], document_id="faq"
        ),
        make_entry("x2", ["Claim 884312 is about water damage and is open."], document_id="claim/884312"),
        make_entry("x1", ["Claim 88431 concerns water damage and is open."], document_id="claim/88431"),
    )
    found = ask(store, "What is claim/88431 about?")
    assert documents(found)[0] == "claim/88431"


def test_identifiers_are_read_as_written() -> None:
    assert identifiers("Is POL-55012, or claim/88431. or 88431 or PO88431 about INC-2024-17?") == (
        "POL-55012",
        "claim/88431",
        "88431",
        "PO88431",
        "INC-2024-17",
    )
    assert identifiers("multi-policy, 2024, 5100, and/or, 12 hours") == ()


def test_a_question_of_a_megabyte_is_cut_with_a_note() -> None:
    found = ask(library(*LEAVE), "annual leave " * 80_000)
    assert len(found.question) <= MAX_QUESTION_CHARS
    assert not found.question.endswith(" ann")
    assert "was cut" in found.notes[0]
    assert found.hits


def test_ranks_count_from_one_and_the_limit_holds() -> None:
    store = library(*(make_entry(f"d{n}", [f"Leave rule number {n} of many."]) for n in range(30)))
    found = ask(store, "leave rule", settings=RetrieveSettings(limit=5))
    assert [hit.rank for hit in found.hits] == [1, 2, 3, 4, 5]
    assert all(hit.bm25_rank is not None or hit.dense_rank is not None for hit in found.hits)


def test_a_passage_found_by_both_indexes_beats_one_found_by_one() -> None:
    store = library(*LEAVE)
    hits = {hit.passage.document_id: hit for hit in ask(store, "annual leave of employees").hits}
    both = hits["leave-global"]
    assert both.rrf == pytest.approx(1 / (60 + both.bm25_rank) + 1 / (60 + both.dense_rank))  # type: ignore[operator]


def test_the_same_question_gives_the_same_hits() -> None:
    store = library(*LEAVE)
    assert ask(store, "How many days?") == ask(store, "How many days?")


class EnglishOnly(HashEmbedder):
    languages = frozenset({"en"})


def test_an_embedder_that_reads_only_english_has_no_say_on_a_german_question_that_words_can_find() -> None:
    store = library(make_entry("de", ["Der Urlaub beträgt 30 Tage im Jahr."]), *LEAVE)
    embedder = EnglishOnly(dimensions=DIMENSIONS)
    query = Query(text="Wie viele Tage Urlaub gibt es im Jahr?", identity=Identity(), as_of=TODAY)
    found = retrieve(query, store=store, embedder=embedder, settings=SETTINGS)
    assert documents(found)[0] == "de"
    assert all(hit.dense_rank is None for hit in found.hits)


def test_it_still_has_its_say_when_no_word_of_the_question_is_found() -> None:
    query = Query(text="Wie lange währt das?", identity=Identity(), as_of=TODAY)
    found = retrieve(query, store=library(*LEAVE), embedder=EnglishOnly(dimensions=DIMENSIONS), settings=SETTINGS)
    assert all(hit.bm25_rank is None for hit in found.hits)


@given(st.text(max_size=300))
def test_no_question_raises(text: str) -> None:
    found = ask(STORE, text)
    assert all(isinstance(hit, Hit) for hit in found.hits)


STORE = library(*LEAVE)
