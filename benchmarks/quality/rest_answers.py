"""Whether the rest of an answer still answers when a sentence of it falls: the policy's rule against hand-made cases.

Every case of cases/rest_answers.jsonl has a question, the sentences of an answer, which of them fail, and whether what
is left answers the question. They were written for this, without looking at a rule. Half of them, by a hash, are for
choosing ("dev"); the other half is for the figure. "Right to show" is precision: of the rests that a rule shows, those
that answer. A rule that shows what does not answer misleads; one that withholds what does costs a hand-over.

    python benchmarks/quality/rest_answers.py
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intervals import wilson

from pincite.config import Policy
from pincite.decide import _still_answers
from pincite.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
RESULT = HERE / "results" / "rest_answers.json"
LIMITS = {"not", "only", "unless", "except", "exception", "else", "without", "excludes"}
CASES = HERE / "cases" / "rest_answers.jsonl"


def main() -> None:
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    halves: dict[str, list[Any]] = {"dev": [], "held-out": []}
    for case in cases:
        halves["dev" if hashlib.sha256(case["id"].encode()).digest()[0] < 128 else "held-out"].append(case)
    told: dict[str, Any] = {"cases": len(cases), "still answer": sum(case["still_answers"] for case in cases)}
    for half, some in halves.items():
        told[half] = {name: rates(some, rule) for name, rule in RULES.items()}
    told["by kind, shipped rule, wrong of all"] = by_kind(cases, shipped)
    RESULT.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    print(RESULT.read_text(encoding="utf-8"))


def shipped(case: dict[str, Any]) -> bool:
    """The first sentence stands, and at least half of them do."""
    return _still_answers(range(len(case["sentences"])), case["fails"], Policy())


def nothing_asked_is_lost(case: dict[str, Any]) -> bool:
    """What stands holds every word of the question that the whole answer held."""
    return asked(case, standing(case)) == asked(case, case["sentences"])


def closest_stands(case: dict[str, Any]) -> bool:
    """The sentence with most of the question's words (the first of equals) stands."""
    shared = [len(asked(case, [sentence])) for sentence in case["sentences"]]
    return shared.index(max(shared)) not in case["fails"]


def half_and_nothing_lost(case: dict[str, Any]) -> bool:
    return 2 * len(standing(case)) >= len(case["sentences"]) and nothing_asked_is_lost(case)


def no_limit_falls(case: dict[str, Any]) -> bool:
    """As nothing_asked_is_lost, and no sentence that falls sets a limit: what is left would be too wide."""
    fallen = {word for n in case["fails"] for word in case["sentences"][n].casefold().split()}
    return nothing_asked_is_lost(case) and not fallen & LIMITS


def both(case: dict[str, Any]) -> bool:
    return shipped(case) and nothing_asked_is_lost(case)


def closest_and_nothing_lost(case: dict[str, Any]) -> bool:
    return closest_stands(case) and nothing_asked_is_lost(case)


RULES: dict[str, Callable[[dict[str, Any]], bool]] = {
    "shipped: first stands, half stands": shipped,
    "nothing asked is lost": nothing_asked_is_lost,
    "closest to the question stands": closest_stands,
    "shipped and nothing asked is lost": both,
    "half stands and nothing asked is lost": half_and_nothing_lost,
    "nothing asked is lost, no limit falls": no_limit_falls,
    "closest stands and nothing asked is lost": closest_and_nothing_lost,
    "always show": lambda _: True,
}


def standing(case: dict[str, Any]) -> list[str]:
    return [sentence for n, sentence in enumerate(case["sentences"]) if n not in case["fails"]]


def asked(case: dict[str, Any], sentences: list[str]) -> set[str]:
    """The question's words of meaning that these sentences have."""
    return set(content_terms(case["question"])) & set(content_terms(" ".join(sentences)))


def rates(cases: list[dict[str, Any]], rule: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    shows = [rule(case) for case in cases]
    right = sum(show and case["still_answers"] for show, case in zip(shows, cases, strict=True))
    return {
        "right to show (precision)": wilson(right, sum(shows)),
        "shown of what answers (recall)": wilson(right, sum(case["still_answers"] for case in cases)),
        "right": wilson(
            sum(show == case["still_answers"] for show, case in zip(shows, cases, strict=True)), len(cases)
        ),
    }


def by_kind(cases: list[dict[str, Any]], rule: Callable[[dict[str, Any]], bool]) -> dict[str, str]:
    wrong: dict[str, list[bool]] = defaultdict(list)
    for case in cases:
        wrong[case["kind"]].append(rule(case) != case["still_answers"])
    return {kind: f"{sum(values)} of {len(values)}" for kind, values in wrong.items()}


if __name__ == "__main__":
    main()
