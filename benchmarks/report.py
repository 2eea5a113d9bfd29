"""Write benchmarks/README.md from the result files; every figure in it comes from one.

Run::

python benchmarks/report.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
QUALITY, SPEED = HERE / "quality" / "results", HERE / "speed" / "results"

HEAD = """\
# What was measured

Each figure comes from a script in this folder and the result file it writes; this page is made from those files by
`python benchmarks/report.py`. Rates have 95 % intervals. Data lies in `../shared` beside the checkout. What was tuned
was tuned on other rows than those reported, unless a line says otherwise.
"""


def load(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def rate(cell: dict[str, float] | None) -> str:
    if not cell:
        return "-"
    value = cell.get("rate", cell.get("mean", 0.0))
    return f"{value:.3f} [{cell['low']:.3f}, {cell['high']:.3f}]"


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def retrieval() -> str:
    rows = [
        [f"{name}, {kind}", str(result["passages"]), str(result["questions"]), way, *cells(scores)]
        for name, result in load(QUALITY / "retrieval.json").items()
        for kind, ways in result.items()
        if isinstance(ways, dict) and "ceiling" not in kind
        for way, scores in ways.items()
        if isinstance(scores, dict) and "recall@5" in scores
    ]
    policy = load(QUALITY / "retrieval.json").get("policyqa_dev", {})
    ceilings = "".join(
        f"- {kind}: recall@5 of a perfect ranking is {policy[kind]['recall@5']:.2f}\n"
        for kind in policy
        if "ceiling" in kind
    )
    return (
        "## Retrieval\n\nAll passages of a set in one library.\n\n"
        + table(["set", "passages", "questions", "ranking", "recall@1", "recall@5", "MRR@10"], rows)
        + "\n\nThe questions of policyqa_dev name neither site nor passage, and many passages share one question:\n\n"
        + ceilings
    )


def cells(scores: dict[str, Any]) -> list[str]:
    return [rate(scores.get(name)) for name in ("recall@1", "recall@5", "mrr")]


def answers() -> str:
    rows = [
        [name, measure, rate(cell), str(cell.get("n", ""))]
        for name, result in load(QUALITY / "answer.json").items()
        for measure, cell in result.items()
        if isinstance(cell, dict) and "low" in cell
    ]
    note = "The floor is the first sentence of the top passage. `gold taken away` should be refused."
    return f"## Answers and refusals of the composer\n\n{note}\n\n{table(['set', 'measure', 'value', 'n'], rows)}"


def verifier() -> str:
    parts = [
        path.read_text(encoding="utf-8").replace("\n## ", "\n#### ").replace("# ", "### ", 1).strip()
        for path in (QUALITY / "verify_dev.md", QUALITY / "verify_phenomena.md")
        if path.exists()
    ]
    return "## The verifier\n\n" + "\n\n".join(parts)


def store() -> str:
    rows = []
    for path in sorted(SPEED.glob("store-[0-9]*.json"), key=lambda p: int(p.stem.split("-")[1])):
        result = load(path)
        for view, query in result["queries"].items():
            wall = " / ".join(f"{a:.0f}, {b:.0f}" for a, b in zip(query["p50_ms"], query["p95_ms"], strict=True))
            rows.append(
                [
                    f"{result['passages']:,}",
                    view,
                    f"{query['processor_p50_ms']:.1f} / {query['processor_p95_ms']:.1f}",
                    wall,
                    str(result["recall_at_10_of_dense_half"][view]),
                    f"{result['machine']['load_before']}",
                ]
            )
    head = ["passages", "view", "processor p50 / p95 ms", "wall p50, p95 of two runs ms", "dense recall@10", "load"]
    return "## Search in the store\n\nEmbedding, generator and check excluded.\n\n" + table(head, rows)


def simple(title: str, name: str) -> str:
    result = {key: value for key, value in load(SPEED / name).items() if key not in {"machine", "names"}}
    rows = [[key, json.dumps(value, ensure_ascii=False)] for key, value in result.items()]
    return f"## {title}\n\n{table(['what', 'value'], rows)}" if rows else ""


def main() -> None:
    parts = [
        HEAD.strip(),
        verifier(),
        retrieval(),
        answers(),
        store(),
        simple("A check", "check.json"),
        simple("The verify step alone", "verify.json"),
        simple("Asking, end to end", "ask.json"),
        simple("Ingest, where the time goes", "ingest.json"),
        simple("The embedder", "embedder.json"),
        simple("Install size and start", "install.json"),
    ]
    (HERE / "README.md").write_text("\n\n".join(part.strip() for part in parts if part) + "\n", encoding="utf-8")
    print("wrote benchmarks/README.md")


if __name__ == "__main__":
    main()
