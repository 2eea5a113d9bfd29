"""MiniCheck-style fact checkers (Tang et al. 2024): a document and a claim give the probability of support.

The RoBERTa and DeBERTa form: one text, "document, end token, claim", two outputs of which position 1 is support unless
config.json names labels. Long documents are read in windows at the model's limit and the highest probability counts.
The encoder-decoder form (Flan-T5) is not read here; the large one that answers in words goes through ``LlmJudge``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.adapters.verifiers.nli import Layout, OnnxPairModel
from pincite.adapters.verifiers.windowed import WindowedVerifier
from pincite.config import VerifySettings

if TYPE_CHECKING:
    from pathlib import Path


def minicheck_verifier(folder: Path, *, settings: VerifySettings | None = None) -> WindowedVerifier:
    """Over a folder with model.onnx, tokenizer.json and config.json. It never says CONTRADICTED: it has no label."""
    model = OnnxPairModel(folder, name="minicheck", layout=Layout.JOINED, two_labels=True)
    return WindowedVerifier(model, settings=settings or VerifySettings())
