"""Store conformance: put and remove, what they refuse, and what is left of a call that failed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pincite.errors import NotFoundError, StoreError
from pincite.protocols import Store
from pincite.testing.entries import DIMENSIONS, INGESTED_AT, make_entry, make_view
from pincite.testing.store_rules import StoreRules, ask, expect, lexical_ids, refusal, same_by_every_way, seen
from pincite.types import Access

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pincite.protocols import Entry


class ChangeRules(StoreRules):
    """Generations, batches, tombstones, refusals, reopening."""

    def test_it_is_a_store(self, tmp_path: Path) -> None:
        """It has every method."""
        expect(isinstance(self.make_store(tmp_path), Store), "does not have the methods of Store")

    def test_the_generation_grows_by_one_with_every_change(self, tmp_path: Path) -> None:
        """And with nothing else."""
        store = self.make_store(tmp_path)
        expect(store.generation() == 0, "a new library has generation 0")
        expect(store.put([make_entry("a"), make_entry("b")]) == 1, "one put is one change")
        expect(store.put([make_entry("a")]) == 1, "what is there already is no change")
        expect(store.put([]) == 1, "nothing is no change")
        expect(store.put([make_entry("a"), make_entry("c")]) == 2, "something new is a change")  # noqa: PLR2004
        expect(store.remove("default", "a", at=INGESTED_AT) == 3, "a removal is a change")  # noqa: PLR2004
        expect(ask(store, "refund").generation == store.generation() == 3, "answers say their generation")  # noqa: PLR2004

    def test_a_batch_keeps_its_order_and_skips_what_is_there(self, tmp_path: Path) -> None:
        """A version twice in one batch is put once, as it came first."""
        store = self.filled(tmp_path, make_entry("a", ["Refund one."]))
        batch = [
            make_entry("a", ["Changed."]),
            make_entry("b", ["Two."]),
            make_entry("b", ["Changed."]),
            make_entry("c"),
        ]
        store.put(batch)
        expect(seen(store) == ["a", "b", "c"], "each version once")
        texts = [passage.text for passage in store.passages(["a#0", "b#0"], make_view())]
        expect(texts == ["Refund one.", "Two."], "as it came first")
        expect(store.integrity() == [], "nothing wrong")

    def test_many_puts_are_one_library(self, tmp_path: Path) -> None:
        """Everything that was put is found, whatever the batches."""
        store = self.make_store(tmp_path)
        entries = [make_entry(f"d{i:02}", [f"Rule number {i} is special{i}.", f"Annex {i}."]) for i in range(25)]
        for start in range(0, 25, 4):
            store.put(entries[start : start + 4])
        for i in range(25):
            expect(lexical_ids(ask(store, f"special{i}"))[:1] == [f"d{i:02}#0"], f"d{i:02} is lost")
        expect(list(store.iter_passages(make_view())) == [p for e in entries for p in e.passages], "all, once each")
        expect(store.integrity() == [], "nothing wrong")

    def test_a_removed_document_is_gone_from_every_view_at_once(self, tmp_path: Path) -> None:
        """All its versions, on every date; others stay."""
        entries = [make_entry("p@1"), make_entry("p@2", ingested_at=INGESTED_AT.replace(year=2025)), make_entry("q")]
        store = self.filled(tmp_path, *entries)
        store.remove("default", "p", at=INGESTED_AT.replace(year=2030))
        for year in (1990, 2024, 2040):
            view = make_view(as_of=INGESTED_AT.replace(year=year).date())
            expect(seen(store, view) == ["q"], f"in {year} it must be gone")
            same_by_every_way(store, view, entries)
        expect(store.known_versions("default") == {"q"}, "a removed version is not live")

    def test_removing_what_is_not_there_says_the_same_of_everything(self, tmp_path: Path) -> None:
        """Unknown, another tenant's, removed already: one error, and no change."""
        store = self.filled(tmp_path, make_entry("a"), make_entry("b", tenant="south"))
        store.remove("default", "a", at=INGESTED_AT)
        messages = set()
        for document_id in ("?", "a", "b"):
            try:
                store.remove("default", document_id, at=INGESTED_AT)
            except NotFoundError as exc:
                messages.add(str(exc))
            else:
                raise AssertionError(f"removing {document_id} must fail")
        expect(len(messages) == 1, f"the message tells what exists: {messages}")
        expect(store.generation() == 2, "a refused removal is no change")  # noqa: PLR2004

    def test_single_versions_are_removed_and_the_rest_of_their_document_stays(self, tmp_path: Path) -> None:
        """The version before is in force again; others, unknown ones and other tenants' are untouched."""
        later = INGESTED_AT.replace(year=2025)
        entries = [make_entry("p@1"), make_entry("p@2", ingested_at=later), make_entry("q")]
        store = self.filled(tmp_path, *entries, make_entry("s", tenant="south"))
        expect(seen(store) == ["p@2", "q"], "the latest counts")
        expect(store.remove_versions("default", ["?", "s"], at=later) == 1, "nothing of the tenant's is no change")
        expect(store.remove_versions("default", [], at=later) == 1, "nothing is no change")
        expect(store.remove_versions("default", ["p@2", "?"], at=later) == 2, "a removal is a change")  # noqa: PLR2004
        expect(seen(store) == ["p@1", "q"], "the one before counts again")
        expect(store.kept_version("p@2", make_view()) is None, "a removed version is not kept")
        expect([v.version_id for v in store.history("p", make_view())] == ["p@1", "p@2"], "history is")
        expect(store.known_versions("south") == {"s"}, "another tenant's stays")
        same_by_every_way(store, make_view(), entries)
        expect(store.put([entries[1]]) == 3, "it can be put again")  # noqa: PLR2004
        expect(seen(store) == ["p@2", "q"], "and counts again")
        expect(store.integrity() == [], "nothing wrong")

    def test_a_removed_version_can_be_put_again(self, tmp_path: Path) -> None:
        """It is live again, and history tells it once."""
        entry = make_entry("a")
        store = self.filled(tmp_path, entry)
        store.remove("default", "a", at=INGESTED_AT)
        expect(store.put([entry]) == 3, "putting it again is a change")  # noqa: PLR2004
        expect(store.passages(["a#0"], make_view()) == [entry.passages[0]], "it must be back")
        same_by_every_way(store, make_view(), [entry])
        expect([v.version_id for v in store.history("a", make_view())] == ["a"], "one version, told once")
        expect(store.documents(make_view())[0].version_count == 1, "and counted once")

    def test_known_versions_are_the_live_ones_of_the_tenant(self, tmp_path: Path) -> None:
        """Whoever may read them, whatever their dates."""
        hidden = make_entry("h", access=Access(allow=frozenset()), effective_to=INGESTED_AT.date())
        store = self.filled(tmp_path, make_entry("a"), hidden, make_entry("b", tenant="south"))
        expect(store.known_versions("default") == {"a", "h"}, "all live ones")
        expect(store.known_versions("?") == frozenset(), "none of an unknown tenant")
        expect(store.known_documents("default") == {"a", "h"}, "all documents with a live version")
        expect(store.known_documents("?") == frozenset(), "no documents of an unknown tenant")
        store.remove("default", "a", at=INGESTED_AT)
        expect(store.known_documents("default") == {"h"}, "a removed document is not live")

    def test_what_does_not_fit_is_refused_whole(self, tmp_path: Path) -> None:
        """One bad entry, and nothing of the batch is kept."""
        store = self.filled(tmp_path, make_entry("a"))
        for name, bad in _misfits():
            with refusal(StoreError):
                store.put([make_entry("good"), bad])
            expect((seen(store), store.generation()) == (["a"], 1), f"{name}: something was kept")
        expect(store.put([make_entry("good")]) == 2, "and the next put works")  # noqa: PLR2004

    def test_what_was_put_is_there_after_reopening(self, tmp_path: Path) -> None:
        """Every answer is the same, the generation too."""
        entries = [make_entry("a", ["Refund one.", "Two."]), make_entry("b", attributes={"plan": "pro"})]
        store = self.filled(tmp_path, *entries, make_entry("gone"))
        store.remove("default", "gone", at=INGESTED_AT)
        before = ask(store, "refund")
        again = self.reopen(store, tmp_path)
        expect(ask(again, "refund") == before, "another answer after reopening")
        expect(again.generation() == 2, "another generation after reopening")  # noqa: PLR2004
        expect(again.version("a", make_view()) == entries[0].version, "another version after reopening")
        expect(again.integrity() == [], "something is wrong after reopening")
        same_by_every_way(again, make_view(), entries)
        expect(again.put([make_entry("c")]) == 3, "a reopened library can be written")  # noqa: PLR2004

    def test_a_closed_store_is_unusable(self, tmp_path: Path) -> None:
        """It says so."""
        store = self.filled(tmp_path, make_entry("a"))
        store.close()
        with refusal(StoreError):
            ask(store, "refund")
        with refusal(StoreError):
            store.put([make_entry("b")])


def _misfits() -> Iterator[tuple[str, Entry]]:
    entry = make_entry("bad", ["One.", "Two."])
    first, second = entry.passages
    yield "a vector too few", replace(entry, vectors=entry.vectors[:1])
    yield "vectors of another length", replace(entry, vectors=np.zeros((2, DIMENSIONS + 1), dtype=np.float32))
    yield "a vector that is no number", replace(entry, vectors=entry.vectors * np.float32(np.nan))
    yield "passages out of order", replace(entry, passages=(second, first))
    yield "a text that is not in its range", replace(entry, passages=(first, replace(second, text="Tow.")))
    yield "a passage of another version", replace(entry, passages=(first, replace(second, version_id="other")))
    yield "a passage of another document", replace(entry, passages=(first, replace(second, document_id="other")))
    yield "attributes of its own", replace(entry, passages=(first, replace(second, attributes={"a": "b"})))
    yield "one id for two passages", replace(entry, passages=(first, replace(second, passage_id=first.passage_id)))
