"""Store conformance: who sees which version when. One test for each sentence of ``View`` and of ``Store.put``."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from pincite.testing.entries import INGESTED_AT, make_entry, make_view
from pincite.testing.store_rules import StoreRules, ask, expect, lexical_ids, same_by_every_way, seen
from pincite.types import EVERYONE, Access, View

if TYPE_CHECKING:
    from pathlib import Path

JANUARY = date(2024, 1, 1)
JULY = date(2024, 7, 1)
ONE_DAY = timedelta(days=1)


class VisibilityRules(StoreRules):
    """Tenant, access, dates, attributes, versions, supersession."""

    def test_another_tenant_is_nothing(self, tmp_path: Path) -> None:
        """An unknown tenant, and one that has other documents, look like an empty library."""
        entries = [make_entry("a", tenant="north"), make_entry("b", tenant="south")]
        store = self.filled(tmp_path, *entries)
        expect(seen(store, make_view(tenant="north")) == ["a"], "a tenant must see its own")
        unknown = make_view(tenant="unknown")
        expect(seen(store, unknown) == [], "an unknown tenant must see nothing")
        found = ask(store, "refund", unknown)
        expect((found.lexical, found.dense) == ((), ()), "an unknown tenant must find nothing")
        expect(store.attribute_values(unknown) == {}, "an unknown tenant must see no values")
        expect(store.history("a", unknown) == [], "an unknown tenant must see no history")
        for tenant in ("north", "south", "unknown"):
            same_by_every_way(store, make_view(tenant=tenant), entries)

    def test_the_same_ids_in_two_tenants_stay_apart(self, tmp_path: Path) -> None:
        """Versions, passages and removals of one tenant are none of the other's."""
        store = self.filled(
            tmp_path,
            make_entry("a", ["Northern rules apply."], tenant="north"),
            make_entry("a", ["Southern rules apply."], tenant="south"),
        )
        for tenant, word in (("north", "Northern"), ("south", "Southern")):
            texts = [passage.text for passage in store.passages(["a#0"], make_view(tenant=tenant))]
            expect(texts == [f"{word} rules apply."], f"{tenant} must read its own passage")
        store.remove("north", "a", at=INGESTED_AT)
        expect(seen(store, make_view(tenant="south")) == ["a"], "a removal must not reach another tenant")
        expect(seen(store, make_view(tenant="north")) == [], "a removal must reach its own tenant")

    def test_only_allowed_principals_read(self, tmp_path: Path) -> None:
        """One allowed principal is enough, whatever its kind; nobody else gets in."""
        entries = [
            make_entry("all"),
            make_entry("role", access=Access(allow=frozenset({"role:underwriter"}))),
            make_entry("some", access=Access(allow=frozenset({"group:board", "user:ada"}))),
            make_entry("none", access=Access(allow=frozenset())),
        ]
        store = self.filled(tmp_path, *entries)
        expected = {
            (): ["all"],
            ("role:adjuster",): ["all"],
            ("role:underwriter",): ["all", "role"],
            ("user:ada",): ["all", "some"],
            ("group:board", "role:underwriter"): ["all", "role", "some"],
            ("role:UNDERWRITER",): ["all"],
        }
        for principals, versions in expected.items():
            view = make_view(*principals)
            expect(seen(store, view) == versions, f"{principals} must see {versions}")
            same_by_every_way(store, view, entries)

    def test_deny_beats_allow(self, tmp_path: Path) -> None:
        """Whoever holds a denied principal is out, through whatever door he came."""
        access = Access(allow=frozenset({EVERYONE, "role:adjuster"}), deny=frozenset({"user:eve", "role:guest"}))
        entries = [make_entry("a", access=access)]
        store = self.filled(tmp_path, *entries)
        expect(seen(store, make_view("role:adjuster")) == ["a"], "an allowed role must see it")
        for principals in (("user:eve",), ("role:adjuster", "role:guest")):
            view = make_view(*principals)
            expect(seen(store, view) == [], f"{principals} is denied")
            same_by_every_way(store, view, entries)

    def test_a_view_without_principals_is_empty(self, tmp_path: Path) -> None:
        """Not even what everyone may read: the identity must say that it is someone."""
        entries = [make_entry("a")]
        store = self.filled(tmp_path, *entries)
        view = View(tenant="default", principals=frozenset(), as_of=JULY)
        expect(seen(store, view) == [], "nobody must see nothing")
        same_by_every_way(store, view, entries)

    def test_a_version_is_in_force_from_its_first_day_until_before_its_last(self, tmp_path: Path) -> None:
        """Start inclusive, end exclusive."""
        entries = [make_entry("a", effective_from=JANUARY, effective_to=JULY)]
        store = self.filled(tmp_path, *entries)
        expected = {JANUARY - ONE_DAY: [], JANUARY: ["a"], JULY - ONE_DAY: ["a"], JULY: []}
        for day, versions in expected.items():
            view = make_view(as_of=day)
            expect(seen(store, view) == versions, f"on {day} {versions} must be in force")
            same_by_every_way(store, view, entries)

    def test_open_ends_are_open(self, tmp_path: Path) -> None:
        """No date means always, or for ever."""
        entries = [
            make_entry("always"),
            make_entry("past", effective_to=JULY),
            make_entry("future", effective_from=JULY),
        ]
        store = self.filled(tmp_path, *entries)
        for day, versions in {
            date.min: ["always", "past"],
            JULY: ["always", "future"],
            date.max: ["always", "future"],
        }.items():
            view = make_view(as_of=day)
            expect(seen(store, view) == versions, f"on {day} {versions} must be in force")
            same_by_every_way(store, view, entries)

    def test_attributes_must_agree_or_be_absent(self, tmp_path: Path) -> None:
        """Values in any case; keys as they are; what carries no such key is for all."""
        entries = [
            make_entry("world"),
            make_entry("india", attributes={"country": "India"}),
            make_entry("norway", attributes={"country": "Norway", "plan": "starter"}),
        ]
        store = self.filled(tmp_path, *entries)
        expected: list[tuple[dict[str, str], list[str]]] = [
            ({}, ["india", "norway", "world"]),
            ({"country": "INDIA"}, ["india", "world"]),
            ({"country": "Peru"}, ["world"]),
            ({"Country": "Peru"}, ["india", "norway", "world"]),
            ({"plan": "Enterprise"}, ["india", "world"]),
            ({"country": "norway", "plan": "starter"}, ["norway", "world"]),
        ]
        for attributes, versions in expected:
            view = make_view(attributes=attributes)
            expect(seen(store, view) == versions, f"{attributes} must leave {versions}")
            same_by_every_way(store, view, entries)

    def test_of_one_document_only_the_latest_version_in_force_is_visible(self, tmp_path: Path) -> None:
        """The newer one ends the older one on its own first day, whichever was put first."""
        old, new = make_entry("p@1", effective_from=JANUARY), make_entry("p@2", effective_from=JULY)
        for number, order in enumerate(([old, new], [new, old])):
            folder = tmp_path / str(number)
            folder.mkdir()
            store = self.filled(folder, *order)
            for day, versions in {
                JANUARY - ONE_DAY: [],
                JULY - ONE_DAY: ["p@1"],
                JULY: ["p@2"],
            }.items():
                view = make_view(as_of=day)
                expect(seen(store, view) == versions, f"on {day} {versions} must be visible")
                same_by_every_way(store, view, order)

    def test_an_open_version_does_not_come_back_when_the_one_after_it_ends(self, tmp_path: Path) -> None:
        """A rule that was replaced stays replaced; only a version with an end of its own outlives an interlude."""
        august = JULY + timedelta(days=31)
        entries = [
            make_entry("open@1", effective_from=JANUARY),
            make_entry("open@2", effective_from=JULY, effective_to=august),
            make_entry("dated@1", effective_from=JANUARY, effective_to=august + timedelta(days=31)),
            make_entry("dated@2", effective_from=JULY, effective_to=august),
        ]
        store = self.filled(tmp_path, *entries)
        for day, versions in {
            JULY - ONE_DAY: ["dated@1", "open@1"],
            JULY: ["dated@2", "open@2"],
            august: ["dated@1"],
        }.items():
            view = make_view(as_of=day)
            expect(seen(store, view) == versions, f"on {day} {versions} must be visible")
            same_by_every_way(store, view, entries)

    def test_a_kept_version_opens_by_its_id_whatever_the_date_but_not_whoever_asks(self, tmp_path: Path) -> None:
        """Superseded text stays citable; removed and forbidden text does not exist."""
        boss = Access(allow=frozenset({"role:boss"}))
        store = self.filled(
            tmp_path,
            make_entry("p@1", effective_from=JANUARY),
            make_entry("p@2", effective_from=JULY),
            make_entry("secret@1", access=boss),
            make_entry("plan@1", attributes={"plan": "pro"}),
            make_entry("gone@1"),
            make_entry("far@1", tenant="south"),
        )
        store.remove(make_view().tenant, "gone", at=INGESTED_AT)
        view = make_view(as_of=JULY, attributes={"plan": "starter"})
        expected = {"p@1": True, "p@2": True, "secret@1": False, "plan@1": True, "gone@1": False, "far@1": False}
        for version_id, opens in expected.items():
            found = store.kept_version(version_id, view)
            expect((found is not None) == opens, f"{version_id} must {'' if opens else 'not '}open")
        expect(store.kept_version("secret@1", make_view("role:boss")) is not None, "who may read it must")

    def test_of_versions_that_start_together_the_latest_ingested_is_visible(self, tmp_path: Path) -> None:
        """Without dates, or with equal ones; and then the one that was put last."""
        later = INGESTED_AT + timedelta(seconds=1)
        store = self.filled(tmp_path, make_entry("p@2", ingested_at=later), make_entry("p@1"))
        expect(seen(store) == ["p@2"], "the latest ingested must win")
        store.put([make_entry("p@3", ingested_at=later)])
        expect(seen(store) == ["p@3"], "of equal ones the last put must win")

    def test_a_dated_version_comes_after_an_undated_one(self, tmp_path: Path) -> None:
        """No date is the earliest date."""
        later = INGESTED_AT + timedelta(days=1)
        store = self.filled(tmp_path, make_entry("p@1", effective_from=JANUARY), make_entry("p@2", ingested_at=later))
        expect(seen(store) == ["p@1"], "the later effective date must win")
        expect(seen(store, make_view(as_of=JANUARY - ONE_DAY)) == ["p@2"], "before it the undated one is in force")

    def test_a_newer_version_hides_the_older_one_from_those_who_may_not_read_the_newer(self, tmp_path: Path) -> None:
        """Text that is no longer in force is never the answer, whoever asks."""
        underwriters = Access(allow=frozenset({"role:underwriter"}))
        entries = [
            make_entry("p@1", effective_from=JANUARY),
            make_entry("p@2", effective_from=JULY, access=underwriters),
            make_entry("q@1", effective_from=JANUARY),
            make_entry("q@2", effective_from=JULY, attributes={"plan": "starter"}),
        ]
        store = self.filled(tmp_path, *entries)
        expect(seen(store) == ["q@2"], "an older version must not show through")
        expect(seen(store, make_view("role:underwriter")) == ["p@2", "q@2"], "who may read the newer one must")
        expect(seen(store, make_view(attributes={"plan": "pro"})) == [], "nor through attributes")
        same_by_every_way(store, make_view(), entries)

    def test_what_a_version_supersedes_goes_on_its_first_day(self, tmp_path: Path) -> None:
        """By document_id or by version_id; in its own tenant only."""
        entries = [
            make_entry("old"),
            make_entry("part@1"),
            make_entry("new", effective_from=JULY, supersedes="old"),
            make_entry("newer", effective_from=JULY, supersedes="part@1"),
            make_entry("other", tenant="south"),
            make_entry("stranger", tenant="south", supersedes="new"),
        ]
        store = self.filled(tmp_path, *entries)
        for day, versions in {JULY - ONE_DAY: ["old", "part@1"], JULY: ["new", "newer"]}.items():
            view = make_view(as_of=day)
            expect(seen(store, view) == versions, f"on {day} {versions} must be visible")
            same_by_every_way(store, view, entries)

    def test_a_superseded_version_lets_no_older_one_through(self, tmp_path: Path) -> None:
        """Superseding the version in force does not bring back the one before; nor when the new one is not readable."""
        entries = [
            make_entry("p@1"),
            make_entry("p@2", effective_from=JANUARY),
            make_entry("q", effective_from=JULY, supersedes="p@2", access=Access(allow=frozenset({"role:boss"}))),
        ]
        store = self.filled(tmp_path, *entries)
        expect(seen(store, make_view(as_of=JANUARY)) == ["p@2"], "before, the version in force")
        expect(seen(store, make_view(as_of=JULY)) == [], "after, none that this reader may read")
        same_by_every_way(store, make_view(as_of=JULY), entries)

    def test_a_removed_version_hides_nothing(self, tmp_path: Path) -> None:
        """A document put by mistake can be taken back."""
        store = self.filled(tmp_path, make_entry("old"), make_entry("new", supersedes="old"))
        store.remove("default", "new", at=INGESTED_AT)
        expect(seen(store) == ["old"], "what it superseded must be back")

    def test_hidden_passages_take_no_place_in_a_ranking(self, tmp_path: Path) -> None:
        """The filter works inside the query: the one visible passage is found behind any number of better ones."""
        secret = Access(allow=frozenset({"role:boss"}))
        better = [make_entry(f"s{i}", ["Refund refund refund window."] * 20, access=secret) for i in range(30)]
        weak = make_entry("open", ["A long sentence about many other things mentions one refund and goes on and on."])
        store = self.filled(tmp_path, *better, weak)
        found = ask(store, "refund", limit=1)
        expect(lexical_ids(found) == ["open#0"], "the visible passage must be found by words")
        expect([hit.passage.passage_id for hit in found.dense] == ["open#0"], "and by its vector")
