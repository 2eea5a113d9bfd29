"""Store conformance: what the queries give back, in which order, and what odd questions do."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

import numpy as np

from pincite.errors import PinciteError
from pincite.testing.entries import DIMENSIONS, EMBEDDER, INGESTED_AT, make_entry, make_view
from pincite.testing.store_rules import StoreRules, ask, dense_ids, expect, lexical_ids, refusal, seen
from pincite.types import Access, BlockKind, Cell, Layout, Page, Run

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.protocols import Entry

JANUARY = date(2024, 1, 1)
JULY = date(2024, 7, 1)
BOSS = Access(allow=frozenset({"role:boss"}))


class QueryRules(StoreRules):
    """search, passages, neighbours, version, history, documents, attribute_values, iter_passages."""

    def test_an_empty_library_answers_everything_with_nothing(self, tmp_path: Path) -> None:
        """And with no error."""
        store, view = self.make_store(tmp_path), make_view()
        found = ask(store, "refund")
        expect((found.lexical, found.dense, found.generation) == ((), (), 0), "nothing to find")
        expect(store.passages(["a#0"], view) == [], "no passages")
        expect(store.neighbours("a#0", view, distance=2) == [], "no neighbours")
        expect(store.version("a", view) is None, "no version")
        expect(store.history("a", view) == [], "no history")
        expect(store.documents(view) == [], "no documents")
        expect(store.attribute_values(view) == {}, "no attributes")
        expect(list(store.iter_passages(view)) == [], "nothing to walk over")
        expect(store.integrity() == [], "nothing wrong")

    def test_search_ranks_by_words_and_by_vectors(self, tmp_path: Path) -> None:
        """Two lists, each with its own ranks and values and none of the other's."""
        store = self.filled(
            tmp_path,
            make_entry("a", ["Refund window and refund form.", "Water damage is covered.", "The form has one page."]),
            make_entry("b", ["Refund requests take a very long time because each of them is read by two people."]),
        )
        found = ask(store, "refund form")
        expect(lexical_ids(found)[0] == "a#0", "more of the words in less text comes first")
        expect(set(lexical_ids(found)) == {"a#0", "a#2", "b#0"}, "every passage with one of the words, no other")
        expect(set(dense_ids(found)) == {"a#0", "a#1", "a#2", "b#0"}, "every visible passage has a cosine")
        for hits, name in ((found.lexical, "bm25_score"), (found.dense, "cosine_sim")):
            values = [getattr(hit, name) for hit in hits]
            expect(values == sorted(values, reverse=True), f"{name} must fall")
            expect([hit.rank for hit in hits] == list(range(1, len(hits) + 1)), "ranks run from 1")
        expect(all(hit.bm25_rank == hit.rank and hit.dense_rank is None for hit in found.lexical), "own ranks only")
        expect(all(hit.dense_rank == hit.rank and hit.bm25_rank is None for hit in found.dense), "own ranks only")
        expect(all((hit.bm25_score or 0) > 0 and hit.cosine_sim is None for hit in found.lexical), "own values only")
        expect(all(hit.bm25_score is None for hit in found.dense), "own values only")

    def test_cosines_are_cosines(self, tmp_path: Path) -> None:
        """Within what eight bits a component allow."""
        entry = make_entry("a", [f"Rule {i} is about {'water' * (i % 3)} and fire number {i * 7}" for i in range(40)])
        store = self.filled(tmp_path, entry)
        vector = EMBEDDER.embed_query("fire and water rule 3")
        exact = {p.passage_id: float(row @ vector) for p, row in zip(entry.passages, entry.vectors, strict=True)}
        found = store.search("fire", vector, make_view(), limit=40)
        for hit in found.dense:
            difference = abs((hit.cosine_sim or 0.0) - exact[hit.passage.passage_id])
            expect(difference < 0.005, f"cosine of {hit.passage.passage_id} is off by {difference}")  # noqa: PLR2004

    def test_search_gives_no_more_than_the_limit(self, tmp_path: Path) -> None:
        """The best ones; none for a limit of none."""
        store = self.filled(tmp_path, make_entry("a", [f"Refund rule {'again ' * i}." for i in range(30)]))
        everything = ask(store, "refund rule", limit=100)
        few = ask(store, "refund rule", limit=7)
        expect(lexical_ids(few) == lexical_ids(everything)[:7], "the same words ranking, cut")
        expect(dense_ids(few) == dense_ids(everything)[:7], "the same vector ranking, cut")
        none = ask(store, "refund rule", limit=0)
        expect((none.lexical, none.dense) == ((), ()), "a limit of none gives none")

    def test_the_same_question_gets_the_same_answer(self, tmp_path: Path) -> None:
        """Ties included."""
        store = self.filled(tmp_path, *(make_entry(f"d{i}", ["Refund within 30 days."] * 3) for i in range(12)))
        expect(ask(store, "refund", limit=9) == ask(store, "refund", limit=9), "two answers differ")

    def test_an_empty_text_gives_empty_lists(self, tmp_path: Path) -> None:
        """Blank too, with or without a vector."""
        store = self.filled(tmp_path, make_entry("a"))
        vector = EMBEDDER.embed_query("refund")
        for text in ("", " \n\t"):
            found = store.search(text, vector, make_view(), limit=5)
            expect((found.lexical, found.dense) == ((), ()), f"{text!r} must find nothing")

    def test_without_a_vector_only_words_are_searched(self, tmp_path: Path) -> None:
        """Nor is anything near to a vector of zeros."""
        store = self.filled(tmp_path, make_entry("a"))
        for vector in (None, np.zeros(DIMENSIONS, dtype=np.float32)):
            found = store.search("refund", vector, make_view(), limit=5)
            expect((lexical_ids(found), found.dense) == (["a#0"], ()), "words only")

    def test_a_vector_of_another_length_is_refused(self, tmp_path: Path) -> None:
        """It comes from another embedder."""
        store = self.filled(tmp_path, make_entry("a"))
        with refusal(PinciteError):
            store.search("refund", np.ones(DIMENSIONS + 1, dtype=np.float32), make_view(), limit=5)

    def test_title_headings_and_document_id_are_searched(self, tmp_path: Path) -> None:
        """With less weight than the text."""
        store = self.filled(
            tmp_path,
            make_entry("a", ["It ends after a day."], title="Sabbatical", heading_path=("Leave", "Unpaid")),
            make_entry("claim/88431", ["It was settled."]),
            make_entry("b", ["An unpaid bill."]),
        )
        expect(lexical_ids(ask(store, "sabbatical")) == ["a#0"], "a title must be found")
        expect(lexical_ids(ask(store, "unpaid")) == ["b#0", "a#0"], "a heading must be found, after the text")
        expect(lexical_ids(ask(store, "claim/88431"))[:1] == ["claim/88431#0"], "a document id must be found")

    def test_identifiers_and_numbers_are_found_as_written(self, tmp_path: Path) -> None:
        """First of all the passage that carries exactly this one."""
        lines = [
            "Policy POL-55012 was endorsed.",
            "Policy POL-55013 was endorsed.",
            "Claim claim/88431 was paid.",
            "The premium rose to 5,100 in the year.",
            "See section 4.2 for the rest.",
            "See section 4.3 for the rest.",
        ]
        store = self.filled(tmp_path, make_entry("a", lines))
        expected = {"POL-55012": 0, "pol-55013": 1, "claim/88431": 2, "5,100": 3, "5100": 3, "4.2": 4, "4.3": 5}
        for text, ordinal in expected.items():
            expect(lexical_ids(ask(store, text))[:1] == [f"a#{ordinal}"], f"{text} must be found in line {ordinal}")

    def test_every_script_is_found(self, tmp_path: Path) -> None:
        """With and without spaces between words."""
        lines = {
            "退款期限为三十天。": "退款",
            "यात्रा नीति लागू है": "नीति",
            "Die Prämie steigt": "prämie",
            "سياسة السفر": "السفر",
        }
        lines |= {"返金は三十日以内です": "返金", "환불 기간은 30일입니다": "환불"}
        store = self.filled(tmp_path, make_entry("a", list(lines)))
        for ordinal, text in enumerate(lines.values()):
            expect(lexical_ids(ask(store, text))[:1] == [f"a#{ordinal}"], f"{text} must be found")

    def test_a_question_is_plain_words(self, tmp_path: Path) -> None:
        """No query language shows through, and nothing a person can type is an error."""
        store = self.filled(tmp_path, make_entry("a"), make_entry("b", ["Nothing of the kind."], title="Other"))
        odd = ["refund AND", "(refund", "refund -window", '"refund', "body:refund", "*", "refund~2^9", "[a TO b]", "\\"]
        odd += ["refund\x00", "\ud800 refund", "🙂", "refund' OR 1=1 --", "NOT refund", "%", "refund\u200b"]
        for text in odd:
            found = store.search(text, None, make_view(), limit=5)
            expect(("refund" not in text) or lexical_ids(found) == ["a#0"], f"{text!r} must find the word in it")

    def test_a_very_long_question_is_answered(self, tmp_path: Path) -> None:
        """A page pasted in is a question too."""
        store = self.filled(tmp_path, make_entry("a"))
        text = "refund " + " ".join(f"word{i}" for i in range(30_000))
        expect(lexical_ids(store.search(text, None, make_view(), limit=5)) == ["a#0"], "its words must be found")

    def test_passages_come_whole_and_in_the_order_asked_for(self, tmp_path: Path) -> None:
        """As they were put; unknown and invisible ones are left out."""
        rich = _rich_entry()
        store = self.filled(tmp_path, rich, make_entry("s", access=BOSS))
        first, second = rich.passages
        view = make_view()
        expect(store.passages([second.passage_id, "?", "s#0", first.passage_id], view) == [second, first], "as asked")
        expect(store.passages([first.passage_id] * 2, view) == [first] * 2, "as often as asked")
        expect(store.passages([], view) == [], "nothing asked, nothing given")
        many = [f"?{i}" for i in range(5_000)]
        expect(store.passages([*many, first.passage_id], view) == [first], "any number may be asked for")

    def test_a_version_comes_back_as_it_was_put(self, tmp_path: Path) -> None:
        """Text, layout and every field; None when this view may not see it."""
        rich = _rich_entry()
        store = self.filled(tmp_path, rich, make_entry("s", access=BOSS))
        view = make_view()
        expect(store.version(rich.version.version_id, view) == rich.version, "a version must not change")
        for unseen in ("?", "s", rich.version.document_id + "?"):
            expect(store.version(unseen, view) is None, f"{unseen} must be None")
        early = make_view(as_of=JANUARY - timedelta(days=1))
        expect(store.version(rich.version.version_id, early) is None, "not in force, not visible")

    def test_neighbours_are_those_of_the_same_version(self, tmp_path: Path) -> None:
        """In order, itself included, cut at both ends."""
        texts = [f"Line {i} of it." for i in range(6)]
        store = self.filled(
            tmp_path, make_entry("a", texts), make_entry("b", texts), make_entry("s", texts, access=BOSS)
        )
        expected = {
            ("a#0", 1): (0, 1),
            ("a#3", 1): (2, 3, 4),
            ("a#5", 2): (3, 4, 5),
            ("a#2", 0): (2,),
            ("a#1", 99): range(6),
        }
        for (passage_id, distance), ordinals in expected.items():
            found = store.neighbours(passage_id, make_view(), distance=distance)
            ids = [passage.passage_id for passage in found]
            expect(ids == [f"a#{i}" for i in ordinals], f"{passage_id} within {distance} gave {ids}")
        for unseen in ("?", "s#2"):
            expect(store.neighbours(unseen, make_view(), distance=1) == [], f"{unseen} has no neighbours")

    def test_history_tells_every_readable_version_oldest_first(self, tmp_path: Path) -> None:
        """Whatever the date, and the attributes asked for; removed ones too; nobody else's."""
        entries = [
            make_entry("p@3", effective_from=JULY, attributes={"plan": "pro"}),
            make_entry("p@1", effective_to=JANUARY),
            make_entry("p@2", effective_from=JANUARY, access=BOSS),
        ]
        store = self.filled(tmp_path, *entries)
        view = make_view("role:boss", as_of=date(1999, 1, 1), attributes={"plan": "starter"})
        told = [version.version_id for version in store.history("p", view)]
        expect(told == ["p@1", "p@2", "p@3"], f"oldest first, not {told}")
        told = [version.version_id for version in store.history("p", make_view())]
        expect(told == ["p@1", "p@3"], f"only what may be read, not {told}")
        store.remove("default", "p", at=INGESTED_AT)
        expect([v.version_id for v in store.history("p", make_view())] == ["p@1", "p@3"], "removal keeps history")
        expect(store.history("p", make_view()) == [entries[1].version, entries[0].version], "whole versions")
        expect(store.history("?", make_view()) == [], "no such document")

    def test_documents_are_listed_in_order_with_counts_of_what_this_reader_may_read(self, tmp_path: Path) -> None:
        """Nothing in a summary tells of a version that the reader may not read."""
        store = self.filled(
            tmp_path,
            make_entry("z"),
            make_entry("p@1", ["One.", "Two."], effective_to=JANUARY, access=BOSS),
            make_entry("p@2", ["One.", "Two.", "Three."], effective_from=JANUARY, attributes={"plan": "pro"}),
            make_entry("s", access=BOSS),
            make_entry("B", []),
        )
        listed = store.documents(make_view())
        expect([document.document_id for document in listed] == ["B", "p", "z"], "sorted by document_id")
        empty, policy, _ = listed
        expect(empty.passage_count == 0, "a version may have no passages")
        expect((policy.passage_count, policy.version_count) == (3, 1), "counts of the visible version and its history")
        expect((policy.effective_from, policy.effective_to) == ("2024-01-01", None), "ISO dates")
        expect(dict(policy.attributes) == {"plan": "pro"}, "the version's attributes")
        for_boss = {
            document.document_id: document.version_count for document in store.documents(make_view("role:boss"))
        }
        expect(for_boss == {"B": 1, "p": 2, "s": 1, "z": 1}, "who may read more is told of more")

    def test_attribute_values_are_those_of_visible_versions(self, tmp_path: Path) -> None:
        """Whatever attributes the view asks for."""
        store = self.filled(
            tmp_path,
            make_entry("a", attributes={"country": "India", "plan": "pro"}),
            make_entry("b", attributes={"country": "Norway"}),
            make_entry("s", attributes={"country": "Peru"}, access=BOSS),
            make_entry("f", attributes={"country": "Chile"}, effective_from=date(2999, 1, 1)),
        )
        values = {"country": frozenset({"India", "Norway"}), "plan": frozenset({"pro"})}
        for attributes in ({}, {"country": "India"}):
            expect(store.attribute_values(make_view(attributes=attributes)) == values, "all visible values")

    def test_passages_are_walked_by_document_and_ordinal(self, tmp_path: Path) -> None:
        """Every visible one, once."""
        entries = [
            make_entry("b", ["One.", "Two."]),
            make_entry("s", access=BOSS),
            make_entry("a", ["Three.", "Four."]),
        ]
        store = self.filled(tmp_path, *entries)
        walked = list(store.iter_passages(make_view()))
        expect(walked == [*entries[2].passages, *entries[0].passages], "sorted by document_id and ordinal")
        expect(seen(store) == ["a", "b"], "and nothing else")


def _rich_entry() -> Entry:
    """A version that uses every field."""
    plain = make_entry("rich@1", ["Name: 台灣 \ud800", "Sum 4,200 €"], effective_from=JANUARY, heading_path=("A", "B"))
    first, second = plain.passages
    cells = (Cell(start=second.start, end=second.end, row=0, column=1, header="Sum"),)
    second = replace(second, kind=BlockKind.TABLE_ROW, cells=cells, language="de", title="Own title")
    page = Page(
        index=0, label="iv", start=0, end=5, width_pt=595.0, height_pt=842.0, rotation_deg=90, boxes=b"\x00\xff"
    )
    block = replace(plain.version.layout.blocks[0], kind=BlockKind.HEADING, level=2, page_index=0, line=7, cells=cells)
    layout = Layout(blocks=(block,), pages=(page,), runs=(Run(start=0, end=4, source_start=9, part="p#1"),))
    version = replace(
        plain.version,
        layout=layout,
        version_label="2024-1",
        effective_to=date(2999, 1, 1),
        supersedes="something",
        access=Access(allow=frozenset({"everyone", "role:x"}), deny=frozenset({"user:y"})),
        attributes={"country": "India"},
        flags=("needs_ocr:page 2",),
    )
    passages = tuple(replace(p, attributes={"country": "India"}) for p in (first, second))
    return replace(plain, version=version, passages=passages)
