"""What of the saved drafts leaves, before and after the gate, and how that compares with labels made without it.

The drafts come from generate.py and are judged here anew, in seconds, by the verifier that is installed: after a
change of the verifier only this runs again. The labels in cases/generated_claims.jsonl were made from claim and cited
passages alone.

    python benchmarks/quality/generate_judge.py [list WAY | sheet]

``list`` adds the factual claims of the first drafts of a way to the cases, with an empty label; ``sheet`` prints those
without a label, each with its question and the passages that it cites, and no verdict.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from typing import Any

from generate import PASSAGES, SETS, saved
from intervals import wilson
from qa_sets import load

from pincite import defaults
from pincite.cite import cite
from pincite.config import Policy
from pincite.drafting import check
from pincite.types import Checked, CitationStatus, ClaimKind, Decision, Passage, VerdictLabel

HERE = Path(__file__).parent
RESULT = HERE / "results" / "generate.json"
CASES = HERE / "cases" / "generated_claims.jsonl"
WAYS = ("schema", "pressed", "markers", "extractive")
STANDS = {Decision.ANSWERED, Decision.PARTIAL}
FAILURES = {"generator_failed", "looped", "no_text"}


def main() -> None:
    match sys.argv[1:]:
        case ["list", way]:
            list_claims(way)
        case ["sheet"]:
            sheet()
        case _:
            told = report()
            RESULT.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
            print(RESULT.read_text(encoding="utf-8"))


def passages_of_sets() -> dict[str, Passage]:
    return {key: passage for name in SETS for key, passage in load(name).passages().items()}


def cases() -> list[dict[str, Any]]:
    if not CASES.exists():
        return []
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def list_claims(way: str) -> None:
    """By the cite step alone: no verifier is asked, so nobody can see what it would say."""
    known = {case["id"] for case in cases()}
    with CASES.open("a", encoding="utf-8") as out:
        for row in saved():
            if row["way"] != way:
                continue
            labels = {f"S{n}": key for n, key in enumerate(row["passages"], start=1)}
            for number, claim in enumerate(cite(row["attempts"][0]["draft"], labels).claims):
                cites = [c.passage_id for c in claim.citations if c.status is not CitationStatus.UNRESOLVED]
                case = {
                    "id": f"{way}:{row['key']}#{number}",
                    "claim": claim.text,
                    "cites": cites,
                    "label": "",
                    "why": "",
                }
                if claim.kind is ClaimKind.FACTUAL and case["id"] not in known:
                    out.write(json.dumps(case, ensure_ascii=False) + "\n")


def sheet() -> None:
    texts = passages_of_sets()
    questions = {f"{row['way']}:{row['key']}": row["question"] for row in saved()}
    for case in cases():
        if case["label"]:
            continue
        cited = "\n".join(f"  P: {texts[key].title} | {texts[key].text}" for key in dict.fromkeys(case["cites"]))
        print(f"\n{case['id']}\nQ: {questions[case['id'].rpartition('#')[0]]}\nC: {case['claim']}\n{cited}")


def judged(row: dict[str, Any], attempt: dict[str, Any], texts: dict[str, Passage]) -> Checked:
    return check(
        attempt["draft"],
        [texts[key] for key in row["passages"]],
        {f"S{n}": key for n, key in enumerate(row["passages"], start=1)},
        verifier=defaults.verifier(),
        policy=Policy(),
        question=row["question"],
        strict=row["strict"],
    )


def outcome(row: dict[str, Any], texts: dict[str, Passage]) -> dict[str, Any]:
    """First draft and what leaves in the end: the second draft where the first one falls and a second was made."""
    first = judged(row, row["attempts"][0], texts)
    last, used = first, row["attempts"][0]
    silent = used["abstain_reason"]
    regenerated = silent is None and row["strict"] and first.decision is Decision.ABSTAINED and len(row["attempts"]) > 1
    if regenerated:
        used = row["attempts"][1]
        last, silent = judged(row, used, texts), used["abstain_reason"]
    if silent in FAILURES:
        decision = "needs_human"
    elif silent is not None:
        decision = "abstained"
    elif last.decision in STANDS:
        decision = last.decision.value
    else:
        decision = "needs_human" if regenerated else last.decision.value
    return {"row": row, "first": first, "last": last, "decision": decision, "regenerated": regenerated}


def report() -> dict[str, Any]:
    texts, labels = passages_of_sets(), {case["id"]: case["label"] for case in cases()}
    made = [outcome(row, texts) for row in saved()]
    told: dict[str, Any] = {
        "passages_per_prompt": PASSAGES,
        "verifier": judged_by(made),
        "note": "supported and not are the verifier's words, except under labels; pressed is free of regenerations",
    }
    for way in WAYS:
        of_way = [one for one in made if one["row"]["way"] == way]
        if of_way:
            told[way] = {
                "answerable": rates([one for one in of_way if one["row"]["answerable"]]),
                "unanswerable": rates([one for one in of_way if not one["row"]["answerable"]]),
                "cost": cost([one["row"] for one in of_way]),
                "labels": against(of_way, labels),
            }
    told["all ways"] = {"labels": against(made, labels)}
    local = [one for one in made if one["row"]["way"] != "extractive"]
    told["local model, all ways"] = {"labels": against(local, labels)}
    return told


def judged_by(made: list[dict[str, Any]]) -> str:
    return str(made[0]["first"].verifier) if made else ""


def factual(checked: Checked) -> list[Any]:
    return [item for item in checked.claims if item.claim.kind is ClaimKind.FACTUAL]


def is_bad(item: Any) -> bool:
    return item.verdict.label is not VerdictLabel.SUPPORTED


def rates(made: list[dict[str, Any]]) -> dict[str, Any]:
    drafted = [item for one in made for item in factual(one["first"])]
    shown = [one for one in made if one["decision"] in {"answered", "partial"}]
    kept = [one["last"].claims[i] for one in shown for i in one["last"].kept]
    kept = [item for item in kept if item.claim.kind is ClaimKind.FACTUAL]
    stands = [item for item in drafted if not is_bad(item)]
    given = sum(len(item.claim.citations) for item in stands)
    needless = sum(len(item.verdict.needless) for item in stands)
    return {
        "questions": len(made),
        "drafts with an unsupported claim, before the gate": share(
            [any(is_bad(i) for i in factual(o["first"])) for o in made]
        ),
        "unsupported of factual claims, before the gate": share([is_bad(item) for item in drafted]),
        "unsupported of claims shown, after the gate": share([is_bad(item) for item in kept]),
        "answered or partial": share([one in shown for one in made]),
        "model found nothing": share([silent(one) and one["decision"] == "abstained" for one in made]),
        "abstained, by the model or the gate": share([one["decision"] == "abstained" for one in made]),
        "drafted anew": share([one["regenerated"] for one in made]),
        "handed over": share([one["decision"] == "needs_human" for one in made]),
        "claims that cite nothing that resolves": share([not item.claim.citations for item in drafted]),
        "citation recall (joint support)": share([not is_bad(item) for item in drafted]),
        "citation precision (remove one), of supported claims": wilson(given - needless, given) if given else None,
    }


def silent(one: dict[str, Any]) -> bool:
    return one["row"]["attempts"][-1]["abstain_reason"] is not None


def cost(rows: list[dict[str, Any]]) -> dict[str, Any]:
    attempts = [attempt for row in rows for attempt in row["attempts"]]
    return {
        "usd": sum(a["cost_usd"] or 0.0 for a in attempts),
        "input_tokens_mean": mean([a["input_tokens"] for a in attempts]),
        "output_tokens_mean": mean([a["output_tokens"] for a in attempts]),
        "attempts_mean": round(len(attempts) / len(rows), 2),
        "wall_s_p50": round(statistics.median([row["wall_s"] for row in rows]), 2),
    }


def against(made: list[dict[str, Any]], labels: dict[str, str]) -> dict[str, Any]:
    """The gate on the first drafts, by the labels; "no claim" has nothing that could be true or false."""
    passed: list[str] = []
    stopped: list[str] = []
    for one in made:
        for index, item in enumerate(one["first"].claims):
            label = labels.get(f"{one['row']['way']}:{one['row']['key']}#{index}", "")
            if label and item.claim.kind is ClaimKind.FACTUAL:
                shown = one["first"].decision in STANDS and index in one["first"].kept
                (passed if shown else stopped).append(label)
    return {
        "claims labelled": len(passed) + len(stopped),
        "of them supported": share([label == "supported" for label in passed + stopped]),
        "let through": len(passed),
        "let through, not supported by label": share([label == "not supported" for label in passed]),
        "let through, no claim by label": sum(label == "no claim" for label in passed),
        "stopped": len(stopped),
        "stopped, supported by label": share([label == "supported" for label in stopped]),
    }


def share(values: list[bool]) -> Any:
    return wilson(sum(values), len(values)) if values else None


def mean(values: list[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(statistics.fmean(known), 1) if known else None


if __name__ == "__main__":
    main()
