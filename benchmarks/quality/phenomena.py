"""The shipped verifier on the hand-written cases: recall of true and false claims per phenomenon.

The held-out half is reported, never tuned on. Run: python benchmarks/quality/phenomena.py [--wrong]
(--wrong lists the mistakes of the dev half only).
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict

import numpy as np
from verify_data import CASES, RESULTS, balanced_accuracy, interval

from pincite.types import Judgement, Pair, Passage, VerdictLabel
from pincite.verify import AlignmentVerifier


def judge(case: dict[str, object], verifier: AlignmentVerifier) -> Judgement:
    texts = [str(text) for text in case["passages"]]  # type: ignore[attr-defined]
    passages = tuple(Passage(passage_id=f"p{i}", text=text, end=len(text)) for i, text in enumerate(texts))
    return verifier.judge([Pair(claim=str(case["claim"]), passages=passages)])[0]


def main() -> None:
    verifier = AlignmentVerifier()
    lines = (CASES / "phenomena.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    judged = [(case, judge(case, verifier)) for case in cases]
    body: dict[str, object] = {"verifier": verifier.info.fingerprint}
    for half in ("dev", "held_out"):
        mine = [(c, j) for c, j in judged if c["half"] == half and c["phenomenon"] != "language"]
        truth = np.array([c["label"] == "supported" for c, _ in mine])
        said = np.array([j.label is VerdictLabel.SUPPORTED for _, j in mine])
        low, high = interval(truth, said)
        body[half] = {
            "english_cases": len(mine), "bacc": round(100 * balanced_accuracy(truth, said), 1),
            "interval": [round(100 * low, 1), round(100 * high, 1)],
            "true_kept": round(100 * float(said[truth].mean()), 1),
            "false_caught": round(100 * float((~said[~truth]).mean()), 1), "by_phenomenon": table(half, judged),
        }  # fmt: skip
    (RESULTS / "verify_phenomena.json").write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "verify_phenomena.md").write_text(markdown(body), encoding="utf-8")
    print(
        json.dumps(
            {half: {k: v for k, v in body[half].items() if k != "by_phenomenon"} for half in ("dev", "held_out")}
        )
    )  # type: ignore[attr-defined]
    if "--wrong" in sys.argv:
        for case, j in judged:
            if case["half"] == "dev" and (j.label is VerdictLabel.SUPPORTED) != (case["label"] == "supported"):
                why = [(r.code.value, r.claim_value, r.evidence_value) for r in j.reasons]
                print(
                    case["id"],
                    case["phenomenon"],
                    case["label"],
                    "->",
                    j.label.value,
                    j.support_prob,
                    case["claim"],
                    why,
                )


def table(half: str, judged: list[tuple[dict[str, object], Judgement]]) -> dict[str, dict[str, str]]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for case, j in judged:
        if case["half"] == half:
            cell = counts[str(case["phenomenon"])]
            true, yes = case["label"] == "supported", j.label is VerdictLabel.SUPPORTED
            cell[0 if true else 2] += int(yes if true else not yes)
            cell[1 if true else 3] += 1
    return {
        name: {"true_kept": f"{a}/{b}", "false_caught": f"{c}/{d}"} for name, (a, b, c, d) in sorted(counts.items())
    }


def markdown(body: dict[str, object]) -> str:
    parts = [f"# Hand-written cases ({body['verifier']})\n"]
    for half in ("dev", "held_out"):
        got = body[half]
        parts.append(
            f"\n## {half}: balanced accuracy {got['bacc']} {got['interval']} on {got['english_cases']} English cases\n"
        )  # type: ignore[index]
        parts.append("| phenomenon | true kept | false caught |\n|---|---|---|")
        parts += [f"| {n} | {c['true_kept']} | {c['false_caught']} |" for n, c in got["by_phenomenon"].items()]  # type: ignore[index]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
