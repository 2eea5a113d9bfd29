"""What a question's words find: stems, identifiers, numbers, scripts; and what they cannot do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.adapters.stores.embedded import EmbeddedStore
from pincite.adapters.stores.embedded.words import prepare
from pincite.testing.entries import DIMENSIONS, EMBEDDER, make_entry, make_view
from pincite.testing.store_rules import ask, lexical_ids

LINES = [
    "Employees travelling abroad book economy class.",
    "Claim claim/88431 was opened for water damage at INC-2024-17.",
    "Policy POL-55012 has a premium of 4,200 euros; form A/38-b applies.",
    "Policy POL-55013 has a premium of 5,100 euros.",
    "Rule 4.2 sets lr=0.002; rule 4.20 does not.",
    "Le café est fermé; die Prämie für Straßenschäden steigt.",
    "退款期限为三十天，企业版除外。",
    "यात्रा नीति सभी कर्मचारियों पर लागू होती है।",
    "The user's hand\u00adbook says 12\u00a0000 steps.",
]


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    store = EmbeddedStore.create(tmp_path / "library", embedder=EMBEDDER.name, dimensions=DIMENSIONS)
    store.put([make_entry("a", LINES, title="Rules")])
    return store


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("employee travels", 0),
        ("Traveling employees?", 0),
        ("88431", 1),
        ("claim/88431", 1),
        ("claim-88431", 1),
        ("inc-2024-17", 1),
        ("POL-55012", 2),
        ("pol-55013", 3),
        ("premium of 4200", 2),
        ("5,100 euros", 3),
        ("a/38-b", 2),
        ("4.2", 4),
        ("4.20", 4),
        ("0.002", 4),
        ("cafe ferme", 5),
        ("CAFÉ", 5),
        ("pramie", 5),
        ("strassenschäden", 5),
        ("退款", 6),
        ("企业版的退款期限是多久？", 6),
        ("कर्मचारियों", 7),
        ("handbook", 8),
        ("12000 steps", 8),
    ],
)
def test_the_passage_that_is_meant_comes_first(store: EmbeddedStore, question: str, line: int) -> None:
    assert lexical_ids(ask(store, question))[:1] == [f"a#{line}"]


@pytest.mark.parametrize("question", ["55014", "zeppelin", "款退", "???", "🙂", "88432", "4201"])
def test_what_is_not_there_is_not_found(store: EmbeddedStore, question: str) -> None:
    assert store.search(question, None, make_view(), limit=9).lexical == ()


def test_a_question_longer_than_any_is_bounded(store: EmbeddedStore) -> None:
    megabyte = "travelling " + "x" * 1_000_000
    assert lexical_ids(store.search(megabyte, None, make_view(), limit=5)) == ["a#0"]
    many = " ".join(word for line in LINES for word in line.split()) * 100
    assert len(store.search(many, None, make_view(), limit=20).lexical) > len(LINES) // 2
    for hostile in ("a" * 50_000, "a-" * 50_000, "1,000" * 20_000, "-" * 100_000, "退" * 50_000):
        assert store.search(hostile, None, make_view(), limit=5).generation == 1


def test_scripts_without_spaces_become_overlapping_pairs() -> None:
    assert prepare("退款期限").split() == ["退款", "款期", "期限"]
    assert prepare("A退B").split() == ["A", "退", "B"]
    assert prepare("plain words, 1,234.5").split() == ["plain", "words,", "1234.5"]
