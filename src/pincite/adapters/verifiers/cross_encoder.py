"""The shipped cross-encoder as a Signal: MiniLM-L6 in eight-bit integers, trained in ``training/``.

It reads a claim together with the evidence sentences and says how likely the evidence supports, contradicts or does
neither. The judge weighs that; it decides nothing alone. One pair a run, because dynamic quantisation takes its scales
from the whole input, so that a neighbour in a batch would change the numbers
(docs/decisions/embedding-one-text-at-a-time.md). Passages repeat from claim to claim, so their token ids are kept.
"""

from __future__ import annotations

import functools
import hashlib
import math
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pincite.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

SUPPORT, CONTRADICTION = "neural_support", "neural_contradiction"
_FILES = Path(__file__).parent / "minilm_l6_verifier"
_VOCABULARY = Path(__file__).parent.parent / "embedders" / "minilm_l6_int8"
"""The embedder's: the same encoder, the same word pieces."""
_MAX_TOKENS = 192
_CLS, _SEP = 101, 102
_BOUND = 4.0
_FOLDED = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "–": "-", "—": "-", "\u00a0": " ", "\u00ad": None, "*": None, "`": None})  # fmt: skip  # noqa: E501
_KEPT_TEXTS, _KEPT_PAIRS = 8192, 8192


class Asked(Protocol):
    """What the verifier asks of a signal."""

    @property
    def claim(self) -> str:
        """The claim's words."""

    @property
    def evidence(self) -> tuple[str, ...]:
        """The sentences of one unit, in reading order."""


class CrossEncoderSignal:
    """Two numbers a request, each between -1 and 1: the log-odds of support and of contradiction, cut at 4 and scaled.

    Evidence is read up to 192 tokens, claim included; the evidence is cut, never the claim. A claim that alone is
    longer gets -1 for support. The model is loaded at the first request. Safe to share between threads.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or _FILES
        self._ids = functools.lru_cache(maxsize=_KEPT_TEXTS)(self._tokenise)
        self._measure = functools.lru_cache(maxsize=_KEPT_PAIRS)(self._run)

    @property
    def names(self) -> tuple[str, ...]:
        """In the order of the numbers."""
        return (SUPPORT, CONTRADICTION)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the model and its vocabulary.

        Raises:
            MissingExtraError: when a file of the model is not there.
        """
        digest = hashlib.sha256()
        for name in ("model.onnx", "tokenizer.json"):
            digest.update(hashlib.sha256(self._file(name).read_bytes()).digest())
        return digest.hexdigest()[:16]

    def measure(self, requests: Sequence[Asked]) -> list[tuple[float, ...]]:
        """One pair of numbers a request, in order. No evidence or an empty claim: no support, no contradiction.

        Raises:
            MissingExtraError: when a file of the model is not there.
        """
        return [self._measure(request.claim, request.evidence) for request in requests]

    def _run(self, claim: str, evidence: tuple[str, ...]) -> tuple[float, float]:
        asked = self._ids(claim)
        given = [i for sentence in evidence for i in self._ids(sentence)][: max(0, _MAX_TOKENS - len(asked) - 3)]
        if not asked or not given:
            return -1.0, -1.0
        ids = np.asarray([[_CLS, *given, _SEP, *asked, _SEP]], dtype=np.int64)
        kinds = np.zeros_like(ids)
        kinds[0, len(given) + 2 :] = 1
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        (probs,) = self._session.run(["probabilities"], feeds)
        return _scaled(float(probs[0][0])), _scaled(float(probs[0][1]))

    def _tokenise(self, text: str) -> tuple[int, ...]:
        plain = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").translate(_FOLDED).strip()
        return tuple(self._tokenizer.encode(plain, add_special_tokens=False).ids)

    @cached_property
    def _session(self) -> Any:
        import onnxruntime  # heavy, and only needed here

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(
            str(self._file("model.onnx")), sess_options=options, providers=["CPUExecutionProvider"]
        )

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer  # heavy, and only needed here

        tokenizer = Tokenizer.from_file(str(self._file("tokenizer.json")))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def _file(self, name: str) -> Path:
        path = self._folder / name
        if name == "tokenizer.json" and not path.is_file():
            path = _VOCABULARY / name
        if not path.is_file():
            raise MissingExtraError(
                f"the verifier's file {path.name} is not in {path.parent}",
                hint="The file is part of pincite: run `python -m pip install --force-reinstall pincite`.",
            )
        return path


def _scaled(prob: float) -> float:
    """Log-odds, cut at plus and minus 4, divided by 4."""
    bounded = min(max(prob, 1e-6), 1 - 1e-6)
    return round(max(-_BOUND, min(_BOUND, math.log(bounded / (1 - bounded)))) / _BOUND, 6)
