from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import onnx
import pytest
from tiny_models import NLI, VOCABULARY, build, tokenizer

from pincite.adapters.verifiers.hhem import hhem_verifier
from pincite.adapters.verifiers.minicheck import minicheck_verifier
from pincite.adapters.verifiers.nli import nli_verifier
from pincite.adapters.verifiers.sentence_transformers import CrossEncoderModel, cross_encoder_verifier
from pincite.adapters.verifiers.windowed import WindowedVerifier, windows
from pincite.config import VerifySettings
from pincite.errors import ConfigError, MissingExtraError
from pincite.protocols import Verifier
from pincite.testing.verifier_conformance import VerifierConformance, passage
from pincite.types import Pair, VerdictLabel

TEXT = "The starter plan has 7 days. The canteen opens at eight."
CASES = {
    "The starter plan has 7 days.": VerdictLabel.SUPPORTED,
    "The starter plan has 9 days.": VerdictLabel.UNSUPPORTED,
    "The starter plan has not 7 days.": VerdictLabel.CONTRADICTED,
}
ORDERS = list(itertools.permutations(NLI))


class OnnxConformance(VerifierConformance):
    folder: Path

    @pytest.fixture(autouse=True)
    def _built(self, tmp_path: Path) -> None:
        self.folder = build(tmp_path / "model", max_tokens=512)


class TestNli(OnnxConformance):
    def make(self) -> Verifier:
        return nli_verifier(self.folder)


class TestCrossEncoder(OnnxConformance):
    def make(self) -> Verifier:
        return WindowedVerifier(CrossEncoderModel(Encoder(self.folder, NLI), name="tiny"), settings=VerifySettings())


class TestMiniCheck(VerifierConformance):
    @pytest.fixture(autouse=True)
    def _built(self, tmp_path: Path) -> None:
        self.folder = joined(tmp_path / "model")

    def make(self) -> Verifier:
        return minicheck_verifier(self.folder)


def joined(folder: Path) -> Path:
    return build(folder, ("not_entailment", "entailment"), token_types=False, config={"n_positions": 512})


class Encoder:
    """The attributes of a CrossEncoder that we use, over a real model; the library itself needs PyTorch."""

    def __init__(self, folder: Path, labels: tuple[str, ...], *, room: int = 512) -> None:
        self._model = nli_verifier(folder)._model
        self.max_length = room
        self.config = type("Config", (), {"id2label": dict(enumerate(labels)), "label2id": {}})()
        self.tokenizer = FastTokenizer()

    def predict(self, pairs: list[tuple[str, str]], activation_fn: Any = None, *, show_progress_bar: bool) -> list[Any]:
        return [activation_fn(self._model._run(premise, claim)) for premise, claim in pairs]


class FastTokenizer:
    def __call__(self, text: str, *, add_special_tokens: bool, return_offsets_mapping: bool) -> dict[str, Any]:
        return {"offset_mapping": tokenizer().encode(text, add_special_tokens=add_special_tokens).offsets}

    def num_special_tokens_to_add(self, *, pair: bool) -> int:
        return 3


@pytest.mark.parametrize("token_types", [True, False])
@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_verdicts_do_not_depend_on_the_order_of_labels(
    tmp_path: Path,
    order: tuple[str, ...],
    token_types: bool,  # noqa: FBT001
) -> None:
    verifier = nli_verifier(build(tmp_path / "m", order, token_types=token_types))
    judged = verifier.judge([Pair(claim=claim, passages=(passage(TEXT),)) for claim in CASES])
    assert [one.label for one in judged] == list(CASES.values())


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_a_cross_encoder_has_its_labels_read_from_its_config(tmp_path: Path, order: tuple[str, ...]) -> None:
    encoder = Encoder(build(tmp_path / "m", order), order)
    verifier = WindowedVerifier(CrossEncoderModel(encoder, name="tiny"), settings=VerifySettings())
    judged = verifier.judge([Pair(claim=claim, passages=(passage(TEXT),)) for claim in CASES])
    assert [one.label for one in judged] == list(CASES.values())


def test_label2id_will_do_and_two_labels_too(tmp_path: Path) -> None:
    config = {"label2id": {"ENTAILMENT": 1, "not_entailment": 0}}
    verifier = nli_verifier(build(tmp_path / "m", ("not_entailment", "entailment"), config=config))
    judged = verifier.judge([Pair(claim=claim, passages=(passage(TEXT),)) for claim in CASES])
    assert [one.label for one in judged] == [VerdictLabel.SUPPORTED, VerdictLabel.UNSUPPORTED, VerdictLabel.UNSUPPORTED]


@pytest.mark.parametrize(
    "config",
    [
        {"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}, {}, {"id2label": {"0": "entailment", "2": "neutral"}},
        {"id2label": {"0": "entailment", "1": "entailment", "2": "neutral"}}, {"id2label": {"a": "entailment"}},
        {"id2label": {"0": "entailment", "1": "not_entailment"}},
    ],
)  # fmt: skip
def test_labels_that_cannot_be_read_or_do_not_fit_judge_nothing_and_say_what_to_write(
    tmp_path: Path, config: dict[str, object]
) -> None:
    verifier = nli_verifier(build(tmp_path / "m", config=config))
    with pytest.raises(ConfigError, match="labels"):
        verifier.ready()
    (judged,) = verifier.judge([Pair(claim="The starter plan has 7 days.", passages=(passage(TEXT),))])
    assert judged.label is VerdictLabel.UNVERIFIED
    assert "config.json" in str(judged.reasons[0].evidence_value)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_missing_file_is_named_and_supports_nothing(tmp_path: Path, name: str) -> None:
    folder = build(tmp_path / "m")
    (folder / name).unlink()
    (judged,) = nli_verifier(folder).judge([Pair(claim="The starter plan has 7 days.", passages=(passage(TEXT),))])
    assert judged.label is VerdictLabel.UNVERIFIED
    assert name in str(judged.reasons[0].evidence_value)


def test_a_damaged_model_supports_nothing(tmp_path: Path) -> None:
    folder = build(tmp_path / "m")
    (folder / "model.onnx").write_bytes(b"not a model")
    (judged,) = nli_verifier(folder).judge([Pair(claim="The starter plan has 7 days.", passages=(passage(TEXT),))])
    assert judged.label is VerdictLabel.UNVERIFIED
    assert "cannot be loaded" in str(judged.reasons[0].evidence_value)


def test_an_input_that_nobody_knows_is_refused_by_name(tmp_path: Path) -> None:
    folder = build(tmp_path / "m")
    model = onnx.load(folder / "model.onnx")
    model.graph.input.append(onnx.helper.make_tensor_value_info("pixel_values", onnx.TensorProto.FLOAT, [1]))
    onnx.save(model, folder / "model.onnx")
    with pytest.raises(ConfigError, match="pixel_values"):
        nli_verifier(folder).ready()


def test_support_at_the_end_of_a_long_passage_is_found_and_pinned(tmp_path: Path) -> None:
    claim = "The starter plan has 7 days."
    text = "Whales sing on tuesdays. " * 100 + claim
    (judged,) = nli_verifier(build(tmp_path / "m")).judge([Pair(claim=claim, passages=(passage(text, start=50),))])
    assert judged.label is VerdictLabel.SUPPORTED
    assert [(e.start, e.quote) for e in judged.evidence] == [(50 + len(text) - len(claim), claim)]


def test_two_passages_support_together_what_neither_supports_alone(tmp_path: Path) -> None:
    verifier = nli_verifier(build(tmp_path / "m"))
    one, two = passage("The starter plan has 7 days.", "a"), passage("The canteen opens at eight.", "b")
    claim = "The starter plan has 7 days and the canteen opens at eight".replace(" and", "")
    alone = verifier.judge([Pair(claim=claim, passages=(one,)), Pair(claim=claim, passages=(two,))])
    (both,) = verifier.judge([Pair(claim=claim, passages=(one, two))])
    assert VerdictLabel.SUPPORTED not in {judged.label for judged in alone}
    assert both.label is VerdictLabel.SUPPORTED
    assert {e.passage_id for e in both.evidence} == {"a", "b"}


def test_a_claim_is_never_cut(tmp_path: Path) -> None:
    claim = "The starter plan has 7 days. " * 12
    (judged,) = nli_verifier(build(tmp_path / "m")).judge([Pair(claim=claim, passages=(passage(TEXT),))])
    assert judged.label is VerdictLabel.UNVERIFIED
    assert "tokens" in str(judged.reasons[0].evidence_value)


def test_windows_cover_every_token_and_keep_their_size() -> None:
    text = "One two three. " * 40 + "word " * 90
    offsets = tokenizer().encode(text, add_special_tokens=False).offsets
    found = windows(offsets, text, 20)
    assert found[0][0] == 0
    assert found[-1][1] == offsets[-1][1]
    assert all(later[0] <= earlier[1] + 1 for earlier, later in itertools.pairwise(found))
    assert all(sum(1 for s, e in offsets if start <= s and e <= end) <= 20 for start, end in found)


def test_minicheck_without_named_labels_has_support_at_position_one(tmp_path: Path) -> None:
    verifier = minicheck_verifier(joined(tmp_path / "m"))
    judged = verifier.judge([Pair(claim=claim, passages=(passage(TEXT),)) for claim in CASES])
    assert [one.label for one in judged] == [VerdictLabel.SUPPORTED, VerdictLabel.UNSUPPORTED, VerdictLabel.UNSUPPORTED]


def test_hhem_puts_premise_and_claim_where_the_prompt_of_its_config_says(tmp_path: Path) -> None:
    config = {"prompt": "{text1} [SEP] {text2}"}
    folder = build(tmp_path / "m", ("not_entailment", "entailment"), token_types=False, config=config)
    judged = hhem_verifier(folder).judge([Pair(claim=claim, passages=(passage(TEXT),)) for claim in CASES])
    assert [one.label for one in judged] == [VerdictLabel.SUPPORTED, VerdictLabel.UNSUPPORTED, VerdictLabel.UNSUPPORTED]


def test_a_prompt_without_both_places_is_refused(tmp_path: Path) -> None:
    folder = build(tmp_path / "m", ("not_entailment", "entailment"), token_types=False, config={"prompt": "{text2}"})
    with pytest.raises(ConfigError, match="text1"):
        hhem_verifier(folder).ready()


def test_the_fingerprint_changes_with_the_labels_the_layout_and_the_thresholds(tmp_path: Path) -> None:
    one, two = build(tmp_path / "1" / "m"), build(tmp_path / "2" / "m", ORDERS[1])
    made = [
        nli_verifier(one), nli_verifier(two), minicheck_verifier(one), hhem_verifier(one),
        nli_verifier(one, settings=VerifySettings(accept_prob=0.9)),
    ]  # fmt: skip
    assert len({verifier.info.fingerprint for verifier in made}) == len(made)


def test_without_sentence_transformers_the_install_line_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError) as caught:
        cross_encoder_verifier("somewhere")
    assert "pip install 'pincite[sentence-transformers]'" in caught.value.hint


def test_the_vocabulary_of_the_test_model_knows_its_words() -> None:
    assert tokenizer().encode("starter plan", add_special_tokens=False).ids == [
        VOCABULARY["starter"],
        VOCABULARY["plan"],
    ]
