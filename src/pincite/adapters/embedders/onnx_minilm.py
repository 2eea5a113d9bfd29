"""all-MiniLM-L6-v2 in eight-bit integers, through ONNX Runtime. No PyTorch, no network.

One text a run, several runs at a time: dynamic quantisation takes its scales from the whole input tensor, so
a neighbour in the same batch would change a vector's bits. docs/decisions/embedding-one-text-at-a-time.md has
the figures.
"""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_FILES = Path(__file__).parent / "minilm_l6_int8"
_DIMENSIONS = 384
_MAX_TOKENS = 256  # what the model was trained with; it has 512 positions but was never taught the rest


class MiniLMEmbedder:
    """Mean-pooled, normalised MiniLM vectors.

    ``threads`` is how many texts are embedded at a time, each on one core; threads that wait sleep. The model
    is loaded at the first call that needs it, the tokenizer alone for ``count_tokens``. Safe to share between
    threads.
    """

    def __init__(self, *, folder: Path | None = None, threads: int | None = None) -> None:
        self._folder = folder or _FILES
        self._threads = max(1, threads if threads is not None else min(4, os.cpu_count() or 1))

    @property
    def name(self) -> str:
        """Changes with the model file, so that a library never mixes two."""
        return f"minilm-l6-int8/{self._fingerprint}"

    @property
    def languages(self) -> frozenset[str]:
        """What it was trained on. In others its neighbours are close to chance (benchmarks/quality/retrieval.py)."""
        return frozenset({"en"})

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return _DIMENSIONS

    @property
    def max_tokens(self) -> int:
        """Two of them are special."""
        return _MAX_TOKENS

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), 384); zero rows for blank texts.

        Raises:
            MissingExtraError: when the model's files are not there.
        """
        rows = np.zeros((len(texts), _DIMENSIONS), dtype=np.float32)
        order = sorted((i for i, text in enumerate(texts) if text.strip()), key=lambda i: -len(texts[i]))
        if len(order) > 1 and self._threads > 1:
            _ = self._session, self._tokenizer  # loaded once, before the threads would each load it
            with ThreadPoolExecutor(max_workers=self._threads) as pool:
                vectors = list(pool.map(self._vector, (texts[i] for i in order)))
        else:
            vectors = [self._vector(texts[i]) for i in order]
        for i, vector in zip(order, vectors, strict=True):
            rows[i] = vector
        return rows

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Shape (384,): MiniLM has no query prefix. The zero vector for a blank text."""
        return self._vector(text) if text.strip() else np.zeros(_DIMENSIONS, dtype=np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Word pieces, without special tokens and without the cut."""
        encodings = self._counter.encode_batch_fast([_encodable(text) for text in texts], add_special_tokens=False)
        return [len(encoding) for encoding in encodings]

    def _vector(self, text: str) -> NDArray[np.float32]:
        encoding = self._tokenizer.encode(_encodable(text))
        ids = np.asarray([encoding.ids], dtype=np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        (pooled,) = self._session.run(["embedding"], feeds)
        vector: NDArray[np.float64] = pooled[0].astype(np.float64)
        length = float(np.linalg.norm(vector))
        return (vector / length if length else vector).astype(np.float32)

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
        tokenizer = self._load_tokenizer()
        tokenizer.enable_truncation(_MAX_TOKENS)
        return tokenizer

    @cached_property
    def _counter(self) -> Any:
        tokenizer = self._load_tokenizer()
        tokenizer.no_truncation()
        return tokenizer

    def _load_tokenizer(self) -> Any:
        from tokenizers import Tokenizer  # heavy, and only needed here

        tokenizer = Tokenizer.from_file(str(self._file("tokenizer.json")))
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _fingerprint(self) -> str:
        digest = hashlib.sha256()
        for file in ("model.onnx", "tokenizer.json"):
            digest.update(hashlib.sha256(self._file(file).read_bytes()).digest())
        return digest.hexdigest()[:12]

    def _file(self, name: str) -> Path:
        path = self._folder / name
        if not path.is_file():
            raise MissingExtraError(
                f"the embedding model's file {path.name} is not in {path.parent}",
                hint="The file is part of pincite: run `python -m pip install --force-reinstall pincite`.",
            )
        return path


def _encodable(text: str) -> str:
    """Lone surrogates, which the tokenizer cannot take, as the replacement character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
