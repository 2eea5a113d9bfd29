"""What a real model writes over retrieved passages: the drafts, saved, to be judged by generate_judge.py.

Questions of the held-out half of three sets, answerable and not (the passages that answer are taken away, or the set
says so), in an order fixed by a hash. Each is retrieved, prompted, generated, checked and, where the policy says so,
generated anew with the finding, as ``pincite ask`` does it. The ways of writing:

- schema: the local model in the form SCHEMA, free to say that nothing was found;
- pressed: the same with that way out taken from its grammar, and a penalty on repetition, so that there is something
  to judge;
- markers: the local model in the form MARKERS, held to nothing;
- extractive: the composer that is the default, over the same questions and passages.

Every draft is appended to results/generate_drafts.jsonl and never made twice: a run can be ended at any time and goes
on where it stopped. The sets' own texts stay in ../shared: the file names passages by id.

    python benchmarks/quality/generate.py WAY [QUESTIONS_PER_SET_AND_KIND [SECONDS]]
"""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from fit_answerability import EMBEDDER, hashed
from pool import Pool, pool_of
from qa_sets import TENANT, TODAY, Question, load, part_of

from pincite import defaults
from pincite.adapters.generators.local import LocalGenerator
from pincite.adapters.generators.local_grammar import statements_grammar
from pincite.config import GenerateSettings, GeneratorName, Policy, RetrieveSettings, Settings
from pincite.drafting import Bench, drafts
from pincite.pipeline import Stopwatch
from pincite.prompt import build_prompt
from pincite.retrieve import retrieve
from pincite.types import AnswerForm, Attempt, Identity, Prompt, Query

DRAFTS = Path(__file__).parent / "results" / "generate_drafts.jsonl"
SETS = ("xquad_en", "clapnq_dev_part", "policyqa_dev")
GATED_BY_SITE = "policyqa_dev"
PASSAGES = 2
NONCE = "c0ffee12"
REPEAT_PENALTY = 1.15  # not chosen by a measurement: without one, the pressed model goes round in its first sentence
RETRIEVE = RetrieveSettings(limit=PASSAGES)
LOCAL = GenerateSettings(generator=GeneratorName.LOCAL, max_output_tokens=144, context_tokens=2048)
SCHEMA = dataclasses.replace(LOCAL, form=AnswerForm.SCHEMA)


class Pressed(LocalGenerator):
    """The local model whose grammar has no "not found"."""

    def _request(self, prompt: Prompt, *, stream: bool) -> dict[str, Any]:
        grammar = statements_grammar([item.handle for item in prompt.handled], may_abstain=False)
        return {**super()._request(prompt, stream=stream), "grammar": grammar, "repeat_penalty": REPEAT_PENALTY}


def generator_of(way: str) -> Any:
    match way:
        case "schema":
            return LocalGenerator(SCHEMA)
        case "pressed":
            return Pressed(SCHEMA)
        case "markers":
            return LocalGenerator(LOCAL)
        case "extractive":
            return defaults.generator(EMBEDDER, Settings())
        case _:
            raise SystemExit(f"unknown way {way}: schema, pressed, markers or extractive")


def main() -> None:
    way = sys.argv[1] if len(sys.argv) > 1 else "schema"
    each = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    until_s = time.monotonic() + (float(sys.argv[3]) if len(sys.argv) > 3 else 3600.0)
    done = {(row["way"], row["key"]) for row in saved()}
    generator = generator_of(way)
    for key, name, question, pool, hidden in wanted(each):
        if (way, key) in done:
            continue
        if time.monotonic() > until_s:
            break
        row = asked(way, key, name, question, pool, hidden, generator)
        with DRAFTS.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
        print(key, [a["draft"] or a["abstain_reason"] for a in row["attempts"]], flush=True)


def saved() -> list[dict[str, Any]]:
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
    way: str, key: str, name: str, question: Question, pool: Pool, hidden: frozenset[str], generator: Any
) -> dict[str, Any]:
    """One question through retrieval, prompt, draft, check and repair; nothing of the verdicts is kept."""
    pool.hidden = hidden
    attributes = {"site": question.group} if name == GATED_BY_SITE else {}
    query = Query(text=question.text, identity=Identity(tenant=TENANT), as_of=TODAY, attributes=attributes)
    found = retrieve(query, store=pool, embedder=EMBEDDER, settings=RETRIEVE)
    policy = Policy() if way in {"schema", "markers"} else Policy(max_regenerations=0)
    bench = Bench(generator=generator, verifier=defaults.verifier(), policy=policy, question=question.text)
    prompt_for = partial(prompted, question.text, found, getattr(generator, "form", AnswerForm.MARKERS))
    started_s = time.perf_counter()
    attempts = [a for a in drafts(bench, prompt_for, Stopwatch()) if isinstance(a, Attempt)]
    return {
        "way": way, "key": key, "question": question.text, "answerable": key.endswith(":given"),
        "wall_s": round(time.perf_counter() - started_s, 2),
        "strict": bench.strict, "generator": attempts[0].generation.generator,
        "passages": [item.passage.passage_id for item in attempts[0].prompt.handled],
        "attempts": [
            {
                "draft": a.generation.text, "abstain_reason": a.generation.abstain_reason,
                "input_tokens": a.generation.input_tokens, "output_tokens": a.generation.output_tokens,
                "cost_usd": a.generation.cost_usd, "notes": list(a.generation.notes),
            }
            for a in attempts
        ],
    }  # fmt: skip


def prompted(text: str, found: Any, form: AnswerForm, correction: str | None) -> Prompt:
    return build_prompt(
        text, found.hits, nonce=NONCE, query_vector=found.query_vector, form=form, correction=correction
    )


if __name__ == "__main__":
    main()
