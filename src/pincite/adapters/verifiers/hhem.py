"""HHEM-style consistency models (Vectara): premise and hypothesis stand in the prompt that the model was trained with.

The prompt is read from "prompt" in config.json, else it is the published one. Two outputs, of which position 1 is
consistent unless config.json names labels; outputs for every token are read at the first token, where the model was
taught to answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.adapters.verifiers.nli import Layout, OnnxPairModel
from pincite.adapters.verifiers.windowed import WindowedVerifier
from pincite.config import VerifySettings

if TYPE_CHECKING:
    from pathlib import Path

_PROMPT = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {text1}\n\nHypothesis: {text2}"
"""The model's input format: other words would be another model."""


def hhem_verifier(folder: Path, *, settings: VerifySettings | None = None) -> WindowedVerifier:
    """Over a folder with model.onnx, tokenizer.json and config.json. It never says CONTRADICTED: it has no label."""
    model = OnnxPairModel(folder, name="hhem", layout=Layout.TEMPLATE, two_labels=True, template=_PROMPT)
    return WindowedVerifier(model, settings=settings or VerifySettings())
