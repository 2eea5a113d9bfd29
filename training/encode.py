"""Pairs to token ids: ``[CLS] document [SEP] claim [SEP]``; only the document is ever cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from tokenizers import Tokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CLS, SEP, PAD = 101, 102, 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Encoded:
    """``ids`` of the whole input and ``split``, the number of leading ids that belong to the document."""

    ids: list[int]
    split: int


def load_tokenizer(folder: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def join(document: Sequence[int], claim: Sequence[int], max_tokens: int) -> Encoded:
    """Cut the document's end so that the whole fits; a claim too long for any document keeps itself whole."""
    room = max(0, max_tokens - len(claim) - 3)
    head = [CLS, *document[:room], SEP]
    return Encoded(ids=[*head, *claim, SEP], split=len(head))


def encode(tokenizer: Tokenizer, premises: Sequence[str], claims: Sequence[str], max_tokens: int) -> list[Encoded]:
    documents = tokenizer.encode_batch(list(premises), add_special_tokens=False)
    questions = tokenizer.encode_batch(list(claims), add_special_tokens=False)
    return [join(d.ids, c.ids, max_tokens) for d, c in zip(documents, questions, strict=True)]


def collate(rows: Sequence[Encoded]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ids, mask and token types, each (batch, longest row) int64."""
    longest = max(len(row.ids) for row in rows)
    ids = np.full((len(rows), longest), PAD, dtype=np.int64)
    mask = np.zeros_like(ids)
    kinds = np.zeros_like(ids)
    for number, row in enumerate(rows):
        ids[number, : len(row.ids)] = row.ids
        mask[number, : len(row.ids)] = 1
        kinds[number, row.split : len(row.ids)] = 1
    return ids, mask, kinds
