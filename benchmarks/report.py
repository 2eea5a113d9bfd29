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


def generation() -> str:
    told = load(QUALITY / "generate.json")
    if not told:
        return ""
    rows = [
        [way, kind, measure, rate(cell), str(cell["n"])]
        for way in ("schema", "pressed", "markers", "extractive")
        for kind in ("answerable", "unanswerable")
        for measure, cell in told.get(way, {}).get(kind, {}).items()
        if isinstance(cell, dict) and cell.get("n")
    ]
    labelled = [
        [
            way,
            measure,
            rate(cell) if isinstance(cell, dict) else str(cell),
            str(cell["n"]) if isinstance(cell, dict) else "",
        ]
        for way, part in told.items()
        if isinstance(part, dict) and part["labels"]["claims labelled"]
        for measure, cell in part["labels"].items()
    ]
    costs = [
        [way, json.dumps(told[way]["cost"])] for way in told if isinstance(told[way], dict) and "cost" in told[way]
    ]
    note = (
        "Drafts of the small local model (SmolLM2-135M, one thread) and of the composer, over the same held-out "
        f"questions, {told['passages_per_prompt']} passages each. Unanswerable: the set says so, or the passages that "
        "answer were taken away. `schema` may say that nothing was found; `pressed` may not, so that there is "
        "something to judge, and is not made anew. Supported is the verifier's word here. Of answerable questions, "
        "`abstained` is a wrong refusal, of unanswerable ones a right one."
    )
    by_label = (
        "One reader labelled the claims from claim and cited passages alone; labels were committed before the verdicts "
        "on those claims were joined. The composer's claims are sentences of the passages, mostly supported and easy; "
        "they make the rate over all ways. The model's are the hard ones, and too few get through for a rate."
    )
    return "\n\n".join([
        "## What a model writes, before and after the gate", note,
        table(["draft", "questions", "measure", "value", "n"], rows),
        "### By labels", by_label, table(["draft", "measure", "value", "n"], labelled),
        "### Cost", table(["draft", "cost"], costs),
    ])  # fmt: skip


def rest_answers() -> str:
    told = load(QUALITY / "rest_answers.json")
    rows = [
        [half, rule, *(rate(cell) if cell.get("n") else "-" for cell in measures.values())]
        for half in ("dev", "held-out")
        for rule, measures in told.get(half, {}).items()
    ]
    if not rows:
        return ""
    note = (
        "When a sentence falls, does the rest still answer? Rules against hand-made cases, "
        f"{told['cases']} in all, {told['still answer']} of which still answer. Only the first rule is in use. The "
        "cases and the rules are by one author; the rule on limits was added after both halves were seen."
    )
    head = ["half", "rule", "right to show", "shown of what answers", "right"]
    return f"## Whether the rest still answers\n\n{note}\n\n{table(head, rows)}"


def verifier() -> str:
    phenomena = QUALITY / "verify_phenomena.md"
    hand = phenomena.read_text(encoding="utf-8").replace("\n## ", "\n#### ").replace("# ", "### ", 1).strip()
    parts = ["## The verifier", *claim_sets(load(QUALITY / "verify_sets.json")), hand, false_flags(), with_signal()]
    return "\n\n".join(part for part in parts if part)


def span(cell: list[float], digits: int) -> str:
    return f"{cell[0]:.{digits}f} [{cell[1]:.{digits}f}, {cell[2]:.{digits}f}]"


def claim_sets(body: dict[str, Any]) -> list[str]:
    """Tables of the dev and eval-only sets, calibration, and the curve that the two thresholds are chosen on."""
    if not body:
        return []
    note = (
        f"Verifier {body['verifier']}, accept at {body['accept_prob']}, reject under {body['reject_prob']}. Balanced "
        "accuracy in per cent, with 95 % bootstrap intervals; `unverified` counts as not supported. The floor is the "
        "idf-weighted stemmed coverage of the claim by its best three sentences, on the same rows; its fixed threshold "
        "is from train. `tuned` is the best threshold on the set itself, so optimistic. Nothing was tuned on eval-only."
    )
    parts = [note]
    for split, title in (("dev", "Dev sets"), ("eval-only", "Eval-only sets")):
        rows = [set_row(one) for one in body["sets"] if one["split"] == split]
        mean = body["english_mean"][split]
        means = [f"{mean[k]:.3f}" if "auroc" in k else f"{mean[k]:.1f}" for k in MEASURES]
        rows.append(["mean of the English sets", "", *means, "", ""])
        parts += [f"### {title}", table(SET_HEAD, rows)]
    rows = [
        [f"{split}, English sets together", str(one["rows"]), span(one["ece"], 3), f"{one['mean_prob']:.3f}",
         f"{one['true_share']:.3f}"]
        for split, one in body["pooled_calibration"].items()
    ]  # fmt: skip
    rows += [
        [f"{one['split']}: {one['set']}", str(c["rows"]), span(c["ece"], 3), f"{c['mean_prob']:.3f}",
         f"{c['true_share']:.3f}"]
        for one in body["sets"]
        if (c := one["calibration"])
    ]  # fmt: skip
    head = ["rows of", "with a probability", "expected calibration error", "mean support_prob", "share true"]
    parts += ["### Calibration", "![Reliability diagram](quality/results/reliability.svg)", table(head, rows)]
    parts += ["### Thresholds, on the English dev sets", thresholds(body["curve_dev"])]
    return parts


MEASURES = ("bacc_fixed", "bacc_tuned", "auroc", "floor_bacc_fixed", "floor_bacc_tuned", "floor_auroc")
SET_HEAD = ["set", "rows", "fixed", "tuned", "AUROC", "floor fixed", "floor tuned", "floor AUROC",
            "unverified: language", "unverified: uncertain"]  # fmt: skip


def set_row(one: dict[str, Any]) -> list[str]:
    rows = str(one["rows"]) if one["rows"] == one["of"] else f"{one['rows']} of {one['of']}"
    cells = [span(one[key], 3 if "auroc" in key else 1) for key in MEASURES]
    shares = [f"{100 * one['unverified'][code]:.1f} %" for code in ("language", "uncertain")]
    return [one["set"], rows, *cells, *shares]


def thresholds(curve: list[dict[str, float]]) -> str:
    note = (
        "What a threshold does: of the claims at or over it, how many people call supported; of those under it, how "
        "many they do not; and how many claims lie between it and 0.5, which would be `unverified`."
    )
    keys = ("threshold", "accepted_share", "accepted_true", "rejected_false", "band_to_0.5_share")
    head = ["threshold", "share accepted", "true among accepted", "not true among rejected", "between it and 0.5"]
    return f"{note}\n\n{table(head, [[str(one[key]) for key in keys] for one in curve])}"


def false_flags() -> str:
    body = load(QUALITY / "false_flags.json")
    rows = [
        [name, str(one["flagged"]["n"]), rate(one["flagged"]), ", ".join(f"{k} {v}" for k, v in
         list(one["first_reasons"].items())[:4])]
        for name, one in body.items()
        if isinstance(one, dict)
    ]  # fmt: skip
    note = (
        "True claims with any verdict but `supported`, and the commonest first reasons. Aim for the first three: 2 %."
    )
    return f"### True claims flagged\n\n{note}\n\n{table(['claims', 'n', 'flagged', 'first reasons'], rows)}"


def with_signal() -> str:
    body = load(QUALITY / "verify_signal.json")
    if not body:
        return ""
    rows = [
        [one["set"], str(one["rows"]), *(f"{one[who][key]}" for key in ("bacc_fixed", "auroc") for who in
         ("judge", "judge + signal")), *(str(one["difference"][key]) for key in ("bacc_fixed", "auroc"))]
        for one in body["sets"]
    ]  # fmt: skip
    head = ["set", "rows", "judge, fixed", "with signal", "judge, AUROC", "with signal", "gain in fixed", "in AUROC"]
    return (
        f"### The judge with and without the neural signal\n\nSame rows; accept at {body['accept_prob']}; gains as "
        f"paired 95 % intervals.\n\n{table(head, rows)}"
    )


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
        generation(),
        rest_answers(),
        store(),
        simple("A check", "check.json"),
        simple("The verify step alone", "verify.json"),
        simple("Asking, end to end", "ask.json"),
        simple("Time to the first verified sentence", "stream.json"),
        simple("Ingest, where the time goes", "ingest.json"),
        simple("The embedder", "embedder.json"),
        simple("Install size and start", "install.json"),
    ]
    (HERE / "README.md").write_text("\n\n".join(part.strip() for part in parts if part) + "\n", encoding="utf-8")
    print("wrote benchmarks/README.md")


if __name__ == "__main__":
    main()
