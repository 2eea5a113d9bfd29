"""A checkpoint to ONNX, in full precision and in eight-bit integers per channel.

python -m training.export_verifier --checkpoint FOLDER/checkpoint.pt --target FOLDER
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.torch import save_file
from torch import nn

from training.minilm import weights_folder
from training.model import CrossEncoder

FROZEN = "encoder.words.weight"
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class Probabilities(nn.Module):
    """Probabilities of supported, contradicted, neither, in this order."""

    def __init__(self, model: CrossEncoder) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
        """The same inputs as the model's."""
        return torch.softmax(self.model(ids, mask, kinds), dim=1)


def export(checkpoint: Path, target: Path) -> None:
    saved = torch.load(checkpoint, map_location="cpu", weights_only=True)
    model = CrossEncoder()
    model.load_state_dict(saved["model"])
    target.mkdir(parents=True, exist_ok=True)
    ids = torch.ones(2, 8, dtype=torch.int64)
    with tempfile.TemporaryDirectory() as folder:
        full = Path(folder) / "full.onnx"
        torch.onnx.export(
            Probabilities(model).eval(),
            (ids, torch.ones_like(ids), torch.zeros_like(ids)),
            str(full),
            input_names=list(INPUTS),
            output_names=["probabilities"],
            dynamic_axes={**{n: {0: "batch", 1: "length"} for n in INPUTS}, "probabilities": {0: "batch"}},
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(str(full), str(target / "model.int8.onnx"), per_channel=True, weight_type=QuantType.QInt8)
        shutil.copy(full, target / "model.fp32.onnx")
    onnx.checker.check_model(str(target / "model.int8.onnx"))
    shutil.copy(weights_folder() / "tokenizer.json", target / "tokenizer.json")
    facts = {
        "labels": ["supported", "contradicted", "neither"],
        "input": "[CLS] passage [SEP] claim [SEP], only the passage is ever cut",
        "position": saved["position"],
        "settings": json.loads(saved["settings"]),
        "sha256": {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(target.glob("*.onnx"))},
        "bytes": {p.name: p.stat().st_size for p in sorted(target.glob("*.onnx"))},
    }
    (target / "EXPORT.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


def save_weights(checkpoint: Path, target: Path) -> None:
    """What training changed, in half precision: the frozen word embeddings are those of the published encoder."""
    saved = torch.load(checkpoint, map_location="cpu", weights_only=True)["model"]
    kept = {name: tensor.half().contiguous() for name, tensor in saved.items() if name != FROZEN}
    target.parent.mkdir(parents=True, exist_ok=True)
    save_file(kept, str(target))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=None, help="also save the weights here, to train on from")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--target", type=Path, required=True)
    arguments = parser.parse_args()
    export(arguments.checkpoint, arguments.target)
    if arguments.weights is not None:
        save_weights(arguments.checkpoint, arguments.weights)


if __name__ == "__main__":
    main()
