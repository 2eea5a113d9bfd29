"""The answer cache: when an answer is given again, and all the times it is not."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from pincite import Library
from pincite.cache import CACHE_FILE, key_of
from pincite.config import CacheSettings, Settings
from pincite.replay import replay
from pincite.text.personal import personal_data
from pincite.types import Decision, Identity

QUESTION = "Within how many days may customers on the Enterprise plan ask for a refund?"
NOW = datetime(2030, 1, 1, 9, tzinfo=UTC)


class Clock:
    now = NOW

    def __call__(self) -> datetime:
        return self.now


def opened(small: Path, clock: Clock | None = None, *, on: bool = True) -> Library:
    return Library.open(small / "library", settings=Settings(cache=CacheSettings(on=on)), clock=clock or Clock())


def repeats(library: Library, audit_id: str) -> str | None:
    named: str | None = library.audit.get(audit_id).content().get("repeats")
    return named


def test_the_same_question_gets_the_same_answer_with_a_record_that_names_the_first(small: Path) -> None:
    with opened(small) as library:
        first, second = library.ask(QUESTION), library.ask(f"  {QUESTION} ")
        assert (second.text, second.sources, second.checked) == (first.text, first.sources, first.checked)
        assert second.audit_id != first.audit_id
        assert repeats(library, second.audit_id) == first.audit_id
        assert replay(library.audit.get(second.audit_id), library.parts.verifier).equal
        assert library.audit.verify().problem is None


def test_it_is_off_unless_switched_on(small: Path) -> None:
    with opened(small, on=False) as library:
        library.ask(QUESTION)
        assert repeats(library, library.ask(QUESTION).audit_id) is None
    assert not (small / "library" / CACHE_FILE).exists()


def test_a_withdrawn_document_is_never_served(small: Path) -> None:
    with opened(small) as library:
        library.remove(library.ask(QUESTION).sources[0].document_id)
        again = library.ask(QUESTION)
        assert again.decision is Decision.ABSTAINED
        assert repeats(library, again.audit_id) is None


def test_a_changed_document_is_never_served(small: Path) -> None:
    page = small / "docs" / "refunds.md"
    with opened(small) as library:
        library.ask(QUESTION)
        page.write_text(page.read_text(encoding="utf-8").replace("30 days", "45 days"), encoding="utf-8")
        library.ingest([small / "docs"])
        assert "30 days" not in library.ask(QUESTION).text


def test_an_old_answer_is_made_anew(small: Path) -> None:
    clock = Clock()
    with opened(small, clock) as library:
        library.ask(QUESTION)
        clock.now = NOW + timedelta(hours=2)
        assert repeats(library, library.ask(QUESTION).audit_id) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"identity": Identity(roles=frozenset({"sales"}))},
        {"identity": Identity(user="ann")},
        {"as_of": date(2031, 1, 1)},
        {"attributes": {"country": "India"}},
    ],
)
def test_another_asker_day_or_scope_is_another_key(small: Path, changes: dict[str, object]) -> None:
    with opened(small) as library:
        plain = key_of(library.query_for(QUESTION), library.parts)
        assert key_of(library.query_for(QUESTION, **changes), library.parts) != plain  # type: ignore[arg-type]


@pytest.mark.parametrize("damage", [b"no database at all, and longer than a header of sixteen bytes", b""])
def test_a_broken_cache_is_a_miss(small: Path, damage: bytes) -> None:
    (small / "library" / CACHE_FILE).write_bytes(damage)
    with opened(small) as library:
        assert library.ask(QUESTION).decision is Decision.ANSWERED
        assert library.ask(QUESTION).decision is Decision.ANSWERED


def test_personal_data_is_not_kept(small: Path) -> None:
    with opened(small) as library:
        for _ in range(2):
            answer = library.ask(f"{QUESTION} Reply to ann@example.com")
            assert repeats(library, answer.audit_id) is None


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("write to ann.b@example.co.uk", {"e-mail"}),
        ("call +49 30 1234567", {"phone"}),
        ("IBAN DE89 3704 0044 0532 0130 00 please", {"iban"}),
        ("SSN 078-05-1120", {"national id"}),
        ("NINO QQ 12 34 56 C is no number, AB 12 34 56 C is", {"national id"}),
        ("card 4111 1111 1111 1111", {"card"}),
        ("a fee of 1,200.50 euros from 2024-01-01, policy POL-55012, 30 days", set()),
    ],
)
def test_signs_of_personal_data_are_seen(text: str, kinds: set[str]) -> None:
    assert personal_data(text) >= kinds
    assert bool(personal_data(text)) == bool(kinds)
