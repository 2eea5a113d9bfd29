"""How good the extractive composer's answers are, on documents that its coefficients were not fitted on.

For each question of the held-out half: retrieve from the set's pooled passages, compose, and compare with the
set's own answer; once more with the passages that answer taken away. Beside it a floor: the first sentence of the
best passage. Nothing is verified here: this measures relevance, the only thing that can fail in a verbatim answer.

    python benchmarks/quality/answer.py [SET ...]
"""

from __future__ import annotations

import json
import re
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from fit_answerability import EMBEDDER, hashed
from intervals import mean_interval, wilson
from pool import Pool, pool_of
from qa_sets import TENANT, TODAY, Question, load, part_of

from pincite.adapters.embedders.onnx_minilm import MiniLMEmbedder
from pincite.adapters.generators.extractive import ExtractiveComposer
from pincite.config import ComposeSettings, RetrieveSettings
from pincite.prompt import build_prompt
from pincite.retrieve import retrieve
from pincite.text.sentences import sentences
from pincite.types import Generation, Identity, Passage, Prompt, Query

RESULT = Path(__file__).parent / "results" / "answer.json"
SETS = {
    "xquad_en": 4,
    "xquad_de": 10,
    "xquad_es": 10,
    "policyqa_dev": 12,
    "clapnq_dev_part": 1,
    "mtragun_part": 1,
    "boolq_dev": 24,
    "pubmedqa_labeled": 10,
}
STRINGS = {"xquad_en", "xquad_de", "xquad_es", "policyqa_dev"}
"""Sets whose answers are spans of the passages; the others' are written freely, so that only token F1 makes sense."""
YES_NO = {"boolq_dev", "pubmedqa_labeled"}
MARKER = re.compile(r" \[(S\d+)\]")
COMPOSER = ExtractiveComposer(embedder=MiniLMEmbedder(threads=2), settings=ComposeSettings())


@dataclass(kw_only=True)
class Tally:
    """What happened to the questions of one set."""

    answered: list[bool] = field(default_factory=list)
    answered_without_gold: list[bool] = field(default_factory=list)
    answered_unanswerable: list[bool] = field(default_factory=list)
    contains: list[bool] = field(default_factory=list)
    contains_of_all: list[bool] = field(default_factory=list)
    floor_contains: list[bool] = field(default_factory=list)
    f1: list[float] = field(default_factory=list)
    floor_f1: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)
    floor_recall: list[float] = field(default_factory=list)
    cites_gold: list[bool] = field(default_factory=list)
    floor_cites_gold: list[bool] = field(default_factory=list)
    sentences: list[float] = field(default_factory=list)
    compose_cpu_ms: list[float] = field(default_factory=list)


def main() -> None:
    report = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {}
    for name in sys.argv[1:] or SETS:
        report[name] = told(name, measure(name, SETS[name]))
        RESULT.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
        print(name, json.dumps(report[name]), flush=True)


def measure(name: str, every: int) -> Tally:
    """Every ``every``-th question of the held-out half, by hash."""
    qa = load(name)
    pool = pool_of(qa, EMBEDDER)
    tally = Tally()
    for question in qa.questions:
        if part_of(question.group) != "held-out" or hashed(question.id) % every:
            continue
        generation, prompt, compose_cpu_ms = composed(name, question, pool, hidden=frozenset())
        tally.compose_cpu_ms.append(compose_cpu_ms)
        if not question.answerable:
            if name != "pubmedqa_labeled":  # there it means "maybe": the passages do answer
                tally.answered_unanswerable.append(generation.abstain_reason is None)
            continue
        if name != "policyqa_dev":
            without, _, _ = composed(name, question, pool, hidden=question.gold)
            tally.answered_without_gold.append(without.abstain_reason is None)
        compare(name, question, generation, prompt, tally)
    return tally


def composed(name: str, question: Question, pool: Pool, *, hidden: frozenset[str]) -> tuple[Generation, Prompt, float]:
    """One draft, its prompt, and the processor milliseconds that composing took, all threads."""
    pool.hidden = hidden
    attributes = {"site": question.group} if name == "policyqa_dev" else {}
    query = Query(text=question.text, identity=Identity(tenant=TENANT), as_of=TODAY, attributes=attributes)
    found = retrieve(query, store=pool, embedder=EMBEDDER, settings=RetrieveSettings())
    prompt = build_prompt(question.text, found.hits, nonce="bench", query_vector=found.query_vector)
    started = time.process_time()
    generation = COMPOSER.generate(prompt)
    return generation, prompt, (time.process_time() - started) * 1000


def compare(name: str, question: Question, generation: Generation, prompt: Prompt, tally: Tally) -> None:
    """Against the set's answer, and the floor against it too."""
    answered = generation.abstain_reason is None
    tally.answered.append(answered)
    passages = {item.handle: item.passage for item in prompt.handled}
    said = [part.replace("\\", "") for part in MARKER.split(generation.text)[::2] if part.strip()]
    floor = first_sentence(prompt.handled[0].passage) if prompt.handled else ""
    if name in STRINGS:
        hit = answered and holds(" ".join(said), question)
        tally.contains_of_all.append(hit)
        tally.floor_contains.append(holds(floor, question))
        if answered:
            tally.contains.append(hit)
    if not answered:
        return
    if name not in YES_NO:
        tally.f1.append(max(overlap(" ".join(said), a)[0] for a in question.answers))
        tally.floor_f1.append(max(overlap(floor, a)[0] for a in question.answers))
        tally.recall.append(max(overlap(" ".join(said), a)[1] for a in question.answers))
        tally.floor_recall.append(max(overlap(floor, a)[1] for a in question.answers))
    cited = {passages[handle].passage_id for handle in MARKER.findall(generation.text)}
    tally.cites_gold.append(bool(cited & question.gold))
    tally.floor_cites_gold.append(prompt.handled[0].passage.passage_id in question.gold)
    tally.sentences.append(float(len(said)))


def first_sentence(passage: Passage) -> str:
    spans = sentences(passage.text)
    return passage.text[spans[0].start : spans[0].end] if spans else ""


def words(text: str) -> list[str]:
    return re.sub(r"\W+", " ", text.casefold()).split()


def holds(text: str, question: Question) -> bool:
    """One of the answers stands in it, word for word."""
    plain = f" {' '.join(words(text))} "
    return any(f" {' '.join(words(answer))} " in plain for answer in question.answers if words(answer))


def overlap(text: str, answer: str) -> tuple[float, float]:
    """Token F1 and token recall (Rajpurkar et al. 2016), articles kept."""
    mine, theirs = Counter(words(text)), Counter(words(answer))
    common = sum((mine & theirs).values())
    if not common:
        return 0.0, 0.0
    precision, recall = common / mine.total(), common / theirs.total()
    return 2 * precision * recall / (precision + recall), recall


def told(name: str, tally: Tally) -> dict[str, object]:
    """Rates with size and interval. Rates "of all" count a refusal as a miss."""
    ms = sorted(tally.compose_cpu_ms)
    rates = {
        "answered, gold in the library": tally.answered,
        "answered, gold taken away": tally.answered_without_gold,
        "answered, unanswerable in the set": tally.answered_unanswerable,
        "answer holds the gold string, of answered": tally.contains,
        "answer holds the gold string, of all": tally.contains_of_all,
        "floor holds the gold string, of all": tally.floor_contains,
        "cites a gold passage, of answered": tally.cites_gold,
        "floor is a gold passage, of the same": tally.floor_cites_gold,
    }
    means = {
        "token F1, of answered": tally.f1,
        "token F1 of the floor, of the same": tally.floor_f1,
        "token recall, of answered": tally.recall,
        "token recall of the floor, of the same": tally.floor_recall,
        "sentences said": tally.sentences,
    }
    return {
        "every_nth_question": SETS[name],
        **{key: wilson(sum(values), len(values)) for key, values in rates.items() if values},
        **{key: mean_interval(values) for key, values in means.items() if values},
        "compose_cpu_ms": {
            "p50": round(statistics.median(ms), 1),
            "p95": round(ms[int(len(ms) * 0.95)], 1),
            "n": len(ms),
        },
    }


if __name__ == "__main__":
    main()
