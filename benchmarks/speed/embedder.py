"""What embedding one text at a time costs against padded batches, and how far a batch moves a vector.

python benchmarks/speed/embedder.py
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnxruntime

sys.path.insert(0, str(Path(__file__).parents[1] / "quality"))
from qa_sets import load

from pincite.adapters.embedders import onnx_minilm
from pincite.adapters.embedders.onnx_minilm import MiniLMEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

RESULT = Path(__file__).parent / "results" / "embedder.json"
TEXTS = 160
FOLDER = Path(onnx_minilm.__file__).parent / "minilm_l6_int8"


def main() -> None:
    passages = [p.text for p in load("xquad_en").passages().values()][:TEXTS]
    questions = [q.text for q in load("xquad_en").questions][:TEXTS]
    report: dict[str, Any] = {"texts": TEXTS, "passage_tokens_mean": mean_tokens(passages)}
    for kind, texts in (("passages", passages), ("questions", questions)):
        alone = MiniLMEmbedder(threads=1).embed_passages(texts)
        for threads in (1, 2):
            one = MiniLMEmbedder(threads=threads)
            one.embed_passages(texts[:4])
            report[f"{kind}, one text a run, {threads} threads"] = timed(lambda e=one, t=texts: e.embed_passages(t))
            batched = Batched(threads)
            batched.embed(texts[:8])
            name = f"{kind}, padded batches of 8 by length, {threads} threads"
            report[name] = timed(lambda b=batched, t=texts: b.embed(t))
            vectors = batched.embed(texts)
            report[name]["cosine to the vector alone"] = {
                "min": round(float((vectors * alone).sum(1).min()), 5),
                "share of texts whose bits changed": round(float((vectors != alone).any(1).mean()), 3),
            }
    RESULT.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))


def mean_tokens(texts: list[str]) -> float:
    return round(float(np.mean(MiniLMEmbedder().count_tokens(texts))), 1)


def timed(run: Callable[[], object]) -> dict[str, Any]:
    """Texts a second and processor time, each the best of three rounds, for the machine may be shared."""
    seconds, cpu = [], []
    for _ in range(3):
        started, cpu_started = time.perf_counter(), time.process_time()
        run()
        seconds.append(time.perf_counter() - started)
        cpu.append(time.process_time() - cpu_started)
    return {"texts_per_s": round(TEXTS / min(seconds), 1), "cpu_ms_per_text": round(min(cpu) / TEXTS * 1000, 2)}


class Batched:
    """What we do not ship: padded batches of eight, sorted by length, threads inside one run."""

    def __init__(self, threads: int) -> None:
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(str(FOLDER / "model.onnx"), options)
        self._tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
        self._tokenizer.enable_truncation(256)
        self._tokenizer.enable_padding()

    def embed(self, texts: list[str]) -> NDArray[np.float32]:
        """Unit rows, in the order of the texts."""
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        rows = np.zeros((len(texts), 384), dtype=np.float32)
        for start in range(0, len(order), 8):
            chosen = order[start : start + 8]
            encodings = self._tokenizer.encode_batch([texts[i] for i in chosen])
            ids = np.array([e.ids for e in encodings], dtype=np.int64)
            mask = np.array([e.attention_mask for e in encodings], dtype=np.int64)
            feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            (pooled,) = self._session.run(["embedding"], feeds)
            rows[chosen] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return rows


if __name__ == "__main__":
    main()
