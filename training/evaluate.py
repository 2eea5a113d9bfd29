"""Measure an exported verifier on the dev sets, each row beside the lexical floor.

    python -m training.evaluate --model FOLDER/model.int8.onnx --data ../shared/data/verify --out figures.json

``--eval-only`` adds the sets that may only be reported on; nothing is chosen by them. ``--synthetic CONFIG`` adds a
table per phenomenon over held-back synthetic pairs (same rules as in training, and passages that may share sentences with
training: read it as "did it learn what it was shown", not as accuracy in the world). Needs onnxruntime, no torch.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from training.encode import collate, encode, load_tokenizer
from training.evidence import Idf, coverage
from training.metrics import auroc, balanced_accuracy, crossed_balanced_accuracy, interval
from training.records import CONTRADICTED, NEITHER, SUPPORTED, Pair, fingerprint, read_rows
from training.windows import evidence

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, kw_only=True, slots=True)
class Verifier:
    """An ONNX session and its tokenizer; probabilities do not depend on what else is in a batch beyond rounding."""

    session: object
    tokenizer: object

    @classmethod
    def load(cls, model: Path, threads: int) -> Verifier:
        """The model file and the tokenizer beside it; ``threads`` is the most one call may use."""
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        session = ort.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        return cls(session=session, tokenizer=load_tokenizer(model.parent))

    def probabilities(
        self, premises: list[str], claims: list[str], max_tokens: int = 256, batch: int = 8
    ) -> np.ndarray:
        """Supported, contradicted, neither for each pair; shape (pairs, 3), in the order given."""
        rows = encode(self.tokenizer, premises, claims, max_tokens)
        order = sorted(range(len(rows)), key=lambda i: len(rows[i].ids))
        found = np.zeros((len(rows), 3))
        for start in range(0, len(order), batch):
            part = order[start : start + batch]
            ids, mask, kinds = collate([rows[i] for i in part])
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds}
            found[part] = self.session.run(None, feed)[0]
        return found


def verdicts(verifier: Verifier, pairs: list[Pair], idf: Idf, max_words: int, at_most: int) -> np.ndarray:
    """Per pair the probabilities of the window that supports the claim most."""
    premises, claims, owner = [], [], []
    for number, pair in enumerate(pairs):
        for window in evidence(pair.premise, pair.claim, idf, max_words, at_most):
            premises.append(window)
            claims.append(pair.claim)
            owner.append(number)
    each = verifier.probabilities(premises, claims)
    best = np.zeros((len(pairs), 3))
    for row, number in zip(each, owner, strict=True):
        if row[SUPPORTED] >= best[number, SUPPORTED]:
            best[number] = row
    return best


def figures(pairs: list[Pair], probabilities: np.ndarray, floor: np.ndarray) -> dict[str, object]:
    truth = np.array([pair.label == SUPPORTED for pair in pairs])
    fold = np.array([fingerprint(pair.premise) % 2 == 0 for pair in pairs])
    support = probabilities[:, SUPPORTED]
    guess = support >= 0.5
    three = np.array([pair.label for pair in pairs])
    known = np.isin(three, (SUPPORTED, CONTRADICTED, NEITHER)).all() and len(np.unique(three)) == 3

    def percent(value: float) -> float:
        return round(100 * value, 1)

    return {
        "rows": len(pairs),
        "supported_share": round(float(truth.mean()), 3),
        "bacc_at_half": percent(balanced_accuracy(truth, guess)),
        "bacc_at_half_95": {k: percent(v) for k, v in asdict(interval(truth, guess)).items()},
        "bacc_tuned_across_halves": percent(crossed_balanced_accuracy(truth, support, fold)),
        "auroc": round(auroc(truth, support), 3),
        "three_way_accuracy": percent(float(np.mean(probabilities.argmax(1) == three))) if known else None,
        "floor_bacc_tuned_across_halves": percent(crossed_balanced_accuracy(truth, floor, fold)),
        "floor_auroc": round(auroc(truth, floor), 3),
    }


def sample(pairs: list[Pair], limit: int) -> list[Pair]:
    """The same ``limit`` rows in every run, chosen by their text alone."""
    return sorted(pairs, key=lambda p: fingerprint(p.premise + p.claim))[:limit]


def measure(verifier: Verifier, every: list[Pair], arguments: argparse.Namespace) -> dict[str, object]:
    """Figures of one set beside the floor, on the rows that ``sample`` picks."""
    pairs = sample(every, arguments.limit)
    idf = Idf(dict.fromkeys(pair.premise for pair in every))
    floor = np.array([coverage(pair.premise, pair.claim, idf) for pair in pairs])
    return figures(pairs, verdicts(verifier, pairs, idf, arguments.max_words, arguments.windows), floor)


def named_sets(arguments: argparse.Namespace) -> Iterator[tuple[str, list[Pair]]]:
    """Every set to measure with its rows, in a fixed order."""
    for folder in ("dev", "eval-only") if arguments.eval_only else ("dev",):
        for path in sorted((arguments.data / folder).glob("*.jsonl.gz")):
            name = f"{folder}/{path.name.removesuffix('.jsonl.gz')}"
            yield name, list(read_rows(path, name))
    if arguments.synthetic:
        from training.settings import read_settings
        from training.synth.make import held_back_synthetic

        kinds: dict[str, list[Pair]] = {}
        for pair in held_back_synthetic(read_settings(arguments.synthetic), sys.maxsize):
            kinds.setdefault(MERGED.get(pair.source, pair.source), []).append(pair)
        yield from sorted(kinds.items())


MERGED = {
    "synth:table_row": "synth:table_cell",
    "synth:table_column": "synth:table_cell",
    "synth:crossed": "synth:two_facts",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--limit", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--max-words", type=int, default=90)
    parser.add_argument("--windows", type=int, default=4)
    parser.add_argument("--eval-only", action="store_true")
    parser.add_argument("--synthetic", type=Path, default=None, metavar="CONFIG")
    parser.add_argument("--only", default="", help="measure only sets whose name this pattern finds")
    arguments = parser.parse_args()
    verifier = Verifier.load(arguments.model, arguments.threads)
    results: dict[str, object] = {}
    for name, every in named_sets(arguments):
        if re.search(arguments.only, name):
            results[name] = measure(verifier, every, arguments)
            sys.stdout.write(json.dumps({name: results[name]}) + "\n")
            sys.stdout.flush()
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
