"""What a real model writes over retrieved passages, and what of it leaves: before and after the gate.

Questions of the held-out half of three sets, answerable and not (the passages that answer are taken away, or the set
says so), in an order fixed by a hash. Each is retrieved, prompted, generated and checked as ``pincite ask`` does it.
Every draft is appended to results/generate_drafts.jsonl and never made twice, so that a run can be ended at any time
and goes on where it stopped; every factual claim goes to cases/generated_claims.jsonl with an empty label for a person.
"Unsupported" here is our verifier's word until those labels are filled in. The sets' own texts stay in ../shared: the
files name them by id, and ``show`` prints every unlabelled claim with its question and passages, without our verdict.

    python benchmarks/quality/generate.py [QUESTIONS_PER_SET_AND_KIND [SECONDS]]
    python benchmarks/quality/generate.py show
"""

from __future__ import annotations

import dataclasses
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from fit_answerability import EMBEDDER, hashed
from intervals import wilson
from pool import Pool, pool_of
from qa_sets import TENANT, TODAY, Question, load, part_of

from pincite import defaults, pipeline
from pincite.config import GenerateSettings, GeneratorName, Policy, RetrieveSettings, Settings
from pincite.generate import generate
from pincite.prompt import build_prompt
from pincite.retrieve import retrieve
from pincite.types import CitationStatus, ClaimKind, Identity, Query, VerdictLabel

HERE = Path(__file__).parent
RESULT, DRAFTS = HERE / "results" / "generate.json", HERE / "results" / "generate_drafts.jsonl"
CASES = HERE / "cases" / "generated_claims.jsonl"
SETS = ("xquad_en", "clapnq_dev_part", "policyqa_dev")
GATED_BY_SITE = "policyqa_dev"
PASSAGES = 2
SETTINGS = Settings(
    retrieve=RetrieveSettings(limit=PASSAGES),
    generate=GenerateSettings(generator=GeneratorName.LOCAL, max_output_tokens=96, context_tokens=2048),
)


def main() -> None:
    if sys.argv[1:] == ["show"]:
        show()
        return
    each = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    until_s = time.monotonic() + (float(sys.argv[2]) if len(sys.argv) > 2 else 3600.0)
    done = {row["key"] for row in drafts()}
    generator = defaults.generator(EMBEDDER, SETTINGS)
    for key, name, question, pool, hidden in wanted(each):
        if key in done:
            continue
        if time.monotonic() > until_s:
            break
        row = asked(key, name, question, pool, hidden, generator)
        with DRAFTS.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    rows = drafts()
    RESULT.write_text(json.dumps(told(rows), indent=2) + "\n", encoding="utf-8")
    write_cases(rows)
    print(RESULT.read_text(encoding="utf-8"))


def drafts() -> list[dict[str, Any]]:
    if not DRAFTS.exists():
        return []
    return [json.loads(line) for line in DRAFTS.read_text(encoding="utf-8").splitlines()]


def wanted(each: int) -> list[tuple[str, str, Question, Pool, frozenset[str]]]:
    """Interleaved over sets and kinds, so that a run that is ended early is still balanced."""
    columns = []
    for name in SETS:
        qa = load(name)
        pool = pool_of(small(qa, each), EMBEDDER)
        held = sorted((q for q in chosen(qa, each)), key=lambda q: hashed(q.id))
        answerable = [q for q in held if q.answerable]
        columns.append([(f"{name}:{q.id}:given", name, q, pool, frozenset[str]()) for q in answerable[:each]])
        if name == GATED_BY_SITE:
            continue  # a policy says one thing in many places: without the named passage it is not unanswerable
        without = [(f"{name}:{q.id}:none", name, q, pool, frozenset[str]()) for q in held if not q.answerable]
        without += [(f"{name}:{q.id}:hidden", name, q, pool, q.gold) for q in answerable[each : 2 * each]]
        columns.append(without[:each])
    return [column[i] for i in range(each) for column in columns if i < len(column)]


def chosen(qa: Any, each: int) -> list[Question]:
    held = sorted((q for q in qa.questions if part_of(q.group) == "held-out"), key=lambda q: hashed(q.id))
    answerable = [q for q in held if q.answerable][: 2 * each]
    return answerable + [q for q in held if not q.answerable][:each]


def small(qa: Any, each: int) -> Any:
    """Only the documents of the chosen questions, so that embedding does not take longer than generating."""
    groups = {q.group for q in chosen(qa, each)}
    return dataclasses.replace(qa, documents=tuple(d for d in qa.documents if d[0].document_id in groups))


def asked(  # noqa: PLR0917 - a script
    key: str, name: str, question: Question, pool: Pool, hidden: frozenset[str], generator: Any
) -> dict[str, Any]:
    pool.hidden = hidden
    attributes = {"site": question.group} if name == GATED_BY_SITE else {}
    query = Query(text=question.text, identity=Identity(tenant=TENANT), as_of=TODAY, attributes=attributes)
    found = retrieve(query, store=pool, embedder=EMBEDDER, settings=SETTINGS.retrieve)
    prompt = build_prompt(question.text, found.hits, nonce="c0ffee12", query_vector=found.query_vector)
    started_s = time.perf_counter()
    generation = generate(prompt, generator)
    wall_s = time.perf_counter() - started_s
    passages = [item.passage for item in prompt.handled]
    checked = pipeline.check(
        generation.text,
        passages,
        {item.handle: item.passage.passage_id for item in prompt.handled},
        verifier=defaults.verifier(),
        policy=Policy(),
        question=question.text,
    )
    claims = [
        {
            "text": item.claim.text,
            "label": item.verdict.label.value,
            "kept": index in checked.kept,
            "cites": [c.passage_id for c in item.claim.citations if c.status is not CitationStatus.UNRESOLVED],
            "citations": len(item.claim.citations),
            "needless": len(item.verdict.needless),
        }
        for index, item in enumerate(checked.claims)
        if item.claim.kind is ClaimKind.FACTUAL
    ]
    return {
        "key": key, "answerable": key.endswith(":given"),
        "generator": generation.generator, "draft": generation.text, "abstain_reason": generation.abstain_reason,
        "finish_reason": generation.finish_reason, "decision": decision_of(generation, checked), "claims": claims,
        "unresolved": len(checked.unresolved), "input_tokens": generation.input_tokens,
        "output_tokens": generation.output_tokens, "cost_usd": generation.cost_usd, "wall_s": round(wall_s, 2),
        "passages": [p.passage_id for p in passages],
    }  # fmt: skip


def decision_of(generation: Any, checked: Any) -> str:
    if generation.abstain_reason is None:
        return str(checked.decision.value)
    return "needs_human" if generation.abstain_reason == "generator_failed" else "abstained"


def told(rows: list[dict[str, Any]]) -> dict[str, Any]:
    answerable = [row for row in rows if row["answerable"]]
    without = [row for row in rows if not row["answerable"]]
    return {
        "questions": {"answerable": len(answerable), "unanswerable": len(without)},
        "passages_per_prompt": PASSAGES,
        "answerable": rates(answerable),
        "unanswerable": rates(without),
        "cost": {
            "usd": sum(row["cost_usd"] or 0.0 for row in rows),
            "input_tokens_mean": mean([row["input_tokens"] for row in rows]),
            "output_tokens_mean": mean([row["output_tokens"] for row in rows]),
            "wall_s_p50": round(statistics.median([row["wall_s"] for row in rows]), 2) if rows else None,
        },
        "repair": "not in this run: drafts are generated once and their unsupported claims dropped",
        "by_whom": "supported and not are our own verifier's words; cases/generated_claims.jsonl waits for a person's",
    }


def rates(rows: list[dict[str, Any]]) -> dict[str, Any]:
    claims = [claim for row in rows for claim in row["claims"]]
    bad = [claim["label"] != VerdictLabel.SUPPORTED.value for claim in claims]
    shown = [row for row in rows if row["decision"] in {"answered", "partial"}]
    kept = [claim for row in shown for claim in row["claims"] if claim["kept"]]
    cited = sum(claim["citations"] for claim in claims)
    useful = sum(len(c["cites"]) - c["needless"] for c in claims if c["label"] == VerdictLabel.SUPPORTED.value)
    return {
        "drafts with an unsupported claim, before the gate": share([any(b for b in flags(row)) for row in rows]),
        "unsupported of all factual claims, before the gate": share(bad),
        "unsupported of all claims shown, after the gate": share(
            [claim["label"] != VerdictLabel.SUPPORTED.value for claim in kept]
        ),
        "claims shown": len(kept),
        "answered or partial": share([row in shown for row in rows]),
        "handed over": share([row["decision"] == "needs_human" for row in rows]),
        "model abstained or wrote nothing": share([row["abstain_reason"] is not None for row in rows]),
        "claims that cite nothing that resolves": share([not claim["cites"] for claim in claims]),
        "citation recall (joint support)": share([not b for b in bad]),
        "citation precision (remove one)": wilson(useful, cited) if cited else None,
    }


def flags(row: dict[str, Any]) -> list[bool]:
    return [claim["label"] != VerdictLabel.SUPPORTED.value for claim in row["claims"]]


def share(values: list[bool]) -> Any:
    return wilson(sum(values), len(values)) if values else None


def mean(values: list[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(statistics.fmean(known), 1) if known else None


def write_cases(rows: list[dict[str, Any]]) -> None:
    """One line a factual claim; labels that a person has filled in already are kept."""
    known = {}
    if CASES.exists():
        known = {(c := json.loads(line))["id"]: c for line in CASES.read_text(encoding="utf-8").splitlines()}
    with CASES.open("w", encoding="utf-8") as out:
        for row in rows:
            for number, claim in enumerate(row["claims"]):
                case = {
                    "id": f"{row['key']}#{number}",
                    "claim": claim["text"],
                    "passages": row["passages"],
                    "cites": claim["cites"],
                    "label": "",
                    "why": "",
                }
                out.write(json.dumps(known.get(case["id"], case), ensure_ascii=False) + "\n")


def show() -> None:
    """Unlabelled claims, each with what a person needs to label it."""
    sets = {name: load(name) for name in SETS}
    texts = {key: passage.text for qa in sets.values() for key, passage in qa.passages().items()}
    asked_of = {f"{name}:{q.id}": q.text for name, qa in sets.items() for q in qa.questions}
    for line in CASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["label"]:
            continue
        question = case["id"].rpartition("#")[0].rpartition(":")[0]
        print(f"\n{case['id']}\nQ: {asked_of[question]}\nCLAIM: {case['claim']}\nCITES: {case['cites']}")
        for key in case["passages"]:
            print(f"  {key}: {texts[key]}")


if __name__ == "__main__":
    main()
