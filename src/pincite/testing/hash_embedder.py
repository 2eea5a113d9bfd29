"""An embedder without a model: hashed words. For tests of everything that only needs *some* vectors."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, kw_only=True, slots=True)
class HashEmbedder:
    """Texts that share words get close vectors; the same text gets the same bits on every machine.

    Case is ignored, word order too. A text of punctuation alone still gets a unit vector.
    """

    dimensions: int = 384
    max_tokens: int = 256

    @property
    def name(self) -> str:
        """Changes with the only setting that changes a vector."""
        return f"hash-{self.dimensions}/1"

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimensions), unit rows, zero rows for empty texts."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self._vector(text)
        return rows

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Shape (dimensions,)."""
        return self._vector(text)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Words and punctuation marks."""
        return [sum(1 for _ in _TOKEN.finditer(text)) for text in texts]

    def _vector(self, text: str) -> NDArray[np.float32]:
        row = np.zeros(self.dimensions, dtype=np.float64)
        for token in _TOKEN.findall(text)[: self.max_tokens - 2]:
            index, sign = _slot(token.casefold(), self.dimensions)
            row[index] += sign
        length = float(np.sqrt((row * row).sum()))
        if length == 0.0 and text.strip():  # opposite signs met in one slot: fall back on the whole text
            row[_slot(text, self.dimensions)[0]] = length = 1.0
        return (row / length if length else row).astype(np.float32)


def _slot(token: str, dimensions: int) -> tuple[int, float]:
    digest = int.from_bytes(hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8).digest())
    return (digest >> 1) % dimensions, 1.0 if digest & 1 else -1.0
