"""Small real ONNX classifiers, built here: support is whether the premise holds the claim's words.

The graph looks every token up in a fixed table (one column a word), counts the claim's words that the premise lacks,
and adds a column for "not" on one side only as contradiction. What comes out can be worked out by hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
WORDS = [
    "enterprise",
    "customers",
    "may",
    "ask",
    "for",
    "a",
    "refund",
    "within",
    "30",
    "days",
    "of",
    "purchase",
    ".",
    "the",
    "starter",
    "plan",
    "has",
    "7",
    "9",
    "90",
    "canteen",
    "opens",
    "at",
    "eight",
    "nine",
    "and",
    "serves",
    "soup",
    "on",
    "tuesdays",
    "whales",
    "sing",
    "not",
    "no",
    "ignore",
    "all",
    "rules",
    "mark",
    "every",
    "claim",
    "as",
    "supported",
    "garage",
    "filler",
]
VOCABULARY = {word: number for number, word in enumerate([*SPECIAL, *WORDS])}
GAIN = 8.0
NLI = ("entailment", "neutral", "contradiction")


def build(
    folder: Path,
    labels: Sequence[str] = NLI,
    *,
    token_types: bool = True,
    config: Mapping[str, object] | None = None,
    max_tokens: int = 64,
) -> Path:
    """Write model.onnx, tokenizer.json and config.json; outputs stand in the order of ``labels``."""
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(_model(labels, token_types=token_types), folder / "model.onnx")
    tokenizer().save(str(folder / "tokenizer.json"))
    named = {"id2label": {str(i): label for i, label in enumerate(labels)}} if config is None else config
    body = {"max_position_embeddings": max_tokens, **named}
    (folder / "config.json").write_text(json.dumps(body), encoding="utf-8")
    return folder


def tokenizer() -> Tokenizer:
    made = Tokenizer(models.WordLevel(VOCABULARY, unk_token="[UNK]"))  # noqa: S106
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.add_special_tokens(SPECIAL)
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", VOCABULARY["[CLS]"]), ("[SEP]", VOCABULARY["[SEP]"])],
    )
    return made


def _table() -> np.ndarray:
    table = np.eye(len(VOCABULARY), dtype=np.float32)
    table[: len(SPECIAL)] = 0.0
    table[1, 1] = 1.0  # an unknown word is a word too
    return table


def _model(labels: Sequence[str], *, token_types: bool) -> onnx.ModelProto:
    """Which side a token is on is read from token_type_ids, or from whether a [SEP] came before it."""
    nots = np.zeros((len(VOCABULARY), 1), dtype=np.float32)
    nots[VOCABULARY["not"]] = 1.0
    constants = {
        "table": _table(), "one": np.float32(1.0), "axis": np.array([1], dtype=np.int64), "nots": nots,
        "sep": np.int64(VOCABULARY["[SEP]"]), "cum_axis": np.int64(1), "last": np.array([2], dtype=np.int64),
        "weights": _weights(labels), "bias": _bias(labels),
    }  # fmt: skip
    node = helper.make_node
    nodes = [node("Gather", ["table", "input_ids"], ["words"])]
    if token_types:
        nodes.append(node("Cast", ["token_type_ids"], ["side"], to=TensorProto.FLOAT))
    else:
        nodes += [
            node("Equal", ["input_ids", "sep"], ["is_sep"]),
            node("Cast", ["is_sep"], ["sep_float"], to=TensorProto.FLOAT),
            node("CumSum", ["sep_float", "cum_axis"], ["seps"]),
            node("Min", ["seps", "one"], ["side"]),
        ]
    nodes += [
        node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        node("Mul", ["side", "mask"], ["second"]),
        node("Sub", ["mask", "second"], ["first"]),
        node("Unsqueeze", ["second", "last"], ["second3"]),
        node("Unsqueeze", ["first", "last"], ["first3"]),
        node("Mul", ["words", "second3"], ["claim_words"]),
        node("Mul", ["words", "first3"], ["premise_words"]),
        node("ReduceMax", ["claim_words", "axis"], ["claim_set"], keepdims=0),
        node("ReduceMax", ["premise_words", "axis"], ["premise_set"], keepdims=0),
        node("Sub", ["claim_set", "premise_set"], ["difference"]),
        node("Relu", ["difference"], ["lacking"]),
        node("ReduceSum", ["lacking", "axis"], ["missing"], keepdims=1),
        node("MatMul", ["difference", "nots"], ["one_sided"]),
        node("Abs", ["one_sided"], ["denied"]),
        node("Concat", ["missing", "denied"], ["features"], axis=1),
        node("MatMul", ["features", "weights"], ["raw"]),
        node("Add", ["raw", "bias"], ["logits"]),
    ]
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if token_types else [])]
    graph = helper.make_graph(
        nodes, "overlap",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(labels)])],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.checker.check_model(model)
    return model


def _weights(labels: Sequence[str]) -> np.ndarray:
    """Rows: words missing, "not" on one side only. Columns: labels."""
    rows = {"entailment": (-GAIN, -GAIN), "contradiction": (-GAIN, 3 * GAIN), "not_entailment": (GAIN, GAIN)}
    return np.array([rows.get(label.lower(), (0.0, 0.0)) for label in labels], dtype=np.float32).T


def _bias(labels: Sequence[str]) -> np.ndarray:
    bias = {"entailment": GAIN / 2, "contradiction": -GAIN, "not_entailment": -GAIN / 2}
    return np.array([bias.get(label.lower(), 0.0) for label in labels], dtype=np.float32)
