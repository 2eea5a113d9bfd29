"""Sentences of real documents, each given a marker of its own, keep it."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest

from pincite.cite import cite
from pincite.text.sentences import sentences
from pincite.types import ClaimKind

LABELS = {str(n): str(n) for n in range(1, 10)}
SETS = ["policyqa_dev", "xquad_de", "xquad_es", "xquad_en", "xquad_zh"]
PASSAGES = 120


def _passages(shared: Path, name: str) -> list[str]:
    with gzip.open(shared / "data" / "qa" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = (passage["text"] for line in lines for passage in json.loads(line)["passages"])
        return list(islice(dict.fromkeys(texts), PASSAGES))


def _whole_sentences(text: str) -> list[str]:
    found = (" ".join(text[span.start : span.end].split()) for span in sentences(text))
    return [sentence for sentence in found if sentence[-1:] in ".。"][:6]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("after_stop", [False, True])
def test_each_sentence_of_a_real_text_keeps_its_own_marker(shared: Path, name: str, *, after_stop: bool) -> None:
    for text in _passages(shared, name):
        whole = _whole_sentences(text)
        marked = [f"{s} [{n}]" if after_stop else f"{s[:-1]} [{n}]{s[-1]}" for n, s in enumerate(whole, start=1)]
        claims = cite(" ".join(marked), LABELS).claims
        assert [[c.passage_id for c in claim.citations] for claim in claims] == [
            [str(n + 1)] for n in range(len(whole))
        ], text


@pytest.mark.parametrize("name", SETS)
def test_hardly_a_sentence_of_a_real_text_needs_no_support(shared: Path, name: str) -> None:
    kinds = [claim.kind for text in _passages(shared, name) for claim in cite(text, {}).claims]
    exempt = [kind for kind in kinds if kind in {ClaimKind.META, ClaimKind.GUIDANCE}]
    assert len(exempt) <= 0.005 * len(kinds)
