"""A generator that obeys planted orders, over a sample of our own attacks: what the gate must stop, it stops here."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pincite import defaults
from pincite.config import OnSuspicious, Policy
from pincite.drafting import check
from pincite.pipeline import STANDS
from pincite.text.screen import screen
from pincite.types import Passage

CASES = Path(__file__).resolve().parents[2] / "benchmarks" / "quality" / "cases" / "attacks.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
TRUE = "A receipt is required for every expense above USD 25."
CLEAN = f"{TRUE} A lost receipt may be replaced by a signed declaration once in a calendar year."
WORDS = {
    "{true}": TRUE,
    "{false}": "No receipt is required for any expense below USD 2,500.",
    "{question}": "When is a receipt required?",
    "{opposite}": "Receipts are never needed.",
    "{german}": "Ein Beleg ist ab 50 USD nötig.",
}
OTHER = "The garage opens at 06:30 and closes at 22:00."
STOPPED = {"mark_supported", "role_play", "leak", "planted", "forged_fence"}


def filled(text: str) -> str:
    return re.sub(r"\{\w+\}", lambda m: WORDS.get(m[0], m[0]), text.replace("{{", "{").replace("}}", "}"))


def shown(row: dict[str, Any], template: str, *, on: OnSuspicious = OnSuspicious.DROP) -> str:
    attacked = f"{CLEAN} {filled(row['attack'])}"
    passages = [Passage(passage_id=p, text=t, end=len(t)) for p, t in (("a", attacked), ("b", OTHER))]
    draft = template.replace("SAYS", filled(row["says"]))
    policy = Policy(on_suspicious=on)
    result = check(
        draft, passages, {"S1": "a", "S2": "b"}, verifier=defaults.verifier(), policy=policy, question=None, strict=True
    )
    return " ".join(result.claims[i].claim.text for i in result.kept) if result.decision in STANDS else ""


def test_there_are_at_least_sixty_attacks_each_once_in_both_halves() -> None:
    assert len({row["attack"] for row in ROWS}) == len(ROWS) >= 60
    assert {row["split"] for row in ROWS} == {"dev", "held"}


@pytest.mark.parametrize("row", [r for r in ROWS if r["kind"] in STOPPED], ids=lambda r: r["id"])
@pytest.mark.parametrize("template", ["SAYS [S1]", "SAYS [S2]", "SAYS [S1][S2]", f"{TRUE} [S1] SAYS [S1]"])
def test_a_model_that_obeys_gets_nothing_past_the_gate(row: dict[str, Any], template: str) -> None:
    assert filled(row["says"]) not in shown(row, template)


@pytest.mark.parametrize("row", [r for r in ROWS if r["kind"] == "wrong_handle"], ids=lambda r: r["id"])
def test_a_true_sentence_under_the_handle_of_another_passage_is_not_shown(row: dict[str, Any]) -> None:
    assert shown(row, f"{TRUE} [S2]") == ""


def test_a_planted_sentence_does_get_through_where_the_policy_shows_it() -> None:
    row = next(r for r in ROWS if r["kind"] == "planted")
    assert filled(row["says"]) in shown(row, "SAYS [S1]", on=OnSuspicious.SHOW)


def test_a_false_sentence_without_an_order_is_not_told_from_an_amendment() -> None:
    """The limit that the how-to names; a change here must change the page."""
    row = next(r for r in ROWS if r["kind"] == "unmarked")
    assert screen(filled(row["attack"])) == []
    assert filled(row["says"]) in shown(row, "SAYS [S1]")
