"""The rows of a stage, cleaned, shortened and encoded."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from training.encode import Encoded, encode
from training.evidence import Idf, shorten
from training.records import Pair, is_held_back, keys, load_set, read_rows, without

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizers import Tokenizer

    from training.settings import Settings, Stage

SYNTHETIC = "synth"


@dataclass(frozen=True, kw_only=True, slots=True)
class Corpus:
    """Encoded rows of one stage, their labels, and which rows each source owns."""

    rows: list[Encoded]
    labels: list[int]
    groups: dict[str, list[int]]


def measured_keys(data: Path) -> set[int]:
    """Fingerprints of every pair in the sets that are only measured on."""
    found: set[int] = set()
    for folder in ("dev", "eval-only"):
        for path in sorted((data / folder).glob("*.jsonl.gz")):
            found |= keys(read_rows(path, path.name))
    return found


def training_pairs(settings: Settings, source: str, forbidden: set[int]) -> list[Pair]:
    if source == SYNTHETIC:
        from training.synth.make import synthetic_pairs

        pairs = synthetic_pairs(settings.documents, settings.data / "train", settings.seed)
    else:
        pairs = load_set(settings.data / "train", source)
    return [pair for pair in without(pairs, forbidden) if not is_held_back(pair)]


def build_corpus(settings: Settings, stage: Stage, tokenizer: Tokenizer) -> Corpus:
    """All rows a stage may show; pairs that do not fit its length after shortening are left out.

    Tables and synthetic passages are never shortened: what makes their claims true or false may lie in any row.
    """
    forbidden = measured_keys(settings.data)
    rows: list[Encoded] = []
    labels: list[int] = []
    groups: dict[str, list[int]] = defaultdict(list)
    for source in stage.takes:
        pairs = training_pairs(settings, source, forbidden)[: stage.rows_at_most]
        idf = Idf(pair.premise for pair in pairs[:5000])
        premises = [
            pair.premise
            if "\n" in pair.premise or source == SYNTHETIC
            else shorten(pair.premise, pair.claim, idf, stage.max_words)
            for pair in pairs
        ]
        for pair, row in zip(pairs, encode(tokenizer, premises, [pair.claim for pair in pairs], 4096), strict=True):
            if len(row.ids) <= stage.max_tokens:
                groups[source].append(len(rows))
                rows.append(row)
                labels.append(pair.label)
    return Corpus(rows=rows, labels=labels, groups=dict(groups))


def held_back_pairs(settings: Settings, source: str, limit: int) -> list[Pair]:
    """Rows of a training set that never train, to watch learning."""
    return [pair for pair in load_set(settings.data / "train", source) if is_held_back(pair)][:limit]
