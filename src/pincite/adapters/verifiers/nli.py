"""Cross-encoders that read a premise and a claim: NLI models in ONNX, from a local folder. No network."""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.adapters.verifiers.labels import TWO_LABELS, LabelOrder, Probs, label_order
from pincite.adapters.verifiers.windowed import WindowedVerifier, clean
from pincite.config import VerifySettings
from pincite.errors import ConfigError
from pincite.types import VerifierInfo

if TYPE_CHECKING:
    from pathlib import Path

FILES = ("model.onnx", "tokenizer.json", "config.json")
_DEFAULT_TOKENS = 512
_MOST_TOKENS = 4096
_SHIFTED = {"roberta", "xlm-roberta", "camembert", "longformer"}
_INTEGERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_KNOWN_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}


class Layout(StrEnum):
    """How premise and claim become one input: as the tokenizer's pair, joined by its end token, or in a template."""

    PAIR = "pair"
    JOINED = "joined"
    TEMPLATE = "template"


class OnnxPairModel:
    """A sequence classifier in a folder: model.onnx, tokenizer.json, config.json.

    ``two_labels`` allows the published order of two outputs where config.json names none. ``template`` is used where
    config.json has no "prompt"; it holds {text1} and {text2}. Files are read at first use; a missing one is a
    ConfigError that names it. Safe to share between threads.
    """

    def __init__(
        self,
        folder: Path,
        *,
        name: str = "nli",
        layout: Layout = Layout.PAIR,
        two_labels: bool = False,
        template: str = "{text1} {text2}",
    ) -> None:
        self._folder = folder
        self._name = name
        self._layout = layout
        self._two_labels = two_labels
        self._default_template = template

    def missing(self) -> list[str]:
        """Names of the files that are not there."""
        return [name for name in FILES if not (self._folder / name).is_file()]

    @cached_property
    def info(self) -> VerifierInfo:
        """The fingerprint covers the three files, weights kept beside the model, the layout and the label order."""
        beside = sorted(one.name for one in self._folder.glob("model.onnx?data"))
        digest = hashlib.sha256(f"{self._layout}\0{self._two_labels}\0{self._template}".encode())
        for name in (*FILES, *beside):
            digest.update(hashlib.sha256(self._file(name).read_bytes()).digest())
        return VerifierInfo(name=f"{self._name}:{self._folder.name}", version="1", fingerprint=digest.hexdigest()[:16])

    @cached_property
    def room_tokens(self) -> int:
        """Of the model's positions, without what every input needs."""
        return self._max_tokens - len(self._encode("", ""))

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Of the tokenizer of the folder."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return [(start, end) for start, end in encoding.offsets if end > start]

    def probs(self, premise: str, claim: str) -> Probs:
        """One run for one pair; of a premise that is too long its end is not read."""
        over = len(self._encode(premise, claim)) - self._max_tokens
        if over > 0:
            kept = self.offsets(premise)[: -over - 1]
            premise = premise[: kept[-1][1]] if kept else ""
        return self._labels.probs(self._run(premise, claim))

    def _run(self, premise: str, claim: str) -> list[float]:
        encoding = self._encode(premise, claim)
        values = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        feeds = {
            one.name: np.asarray([values[one.name]], dtype=_INTEGERS[one.type]) for one in self._session.get_inputs()
        }
        names = [one.name for one in self._session.get_outputs()]
        (raw,) = self._session.run(["logits" if "logits" in names else names[0]], feeds)
        row = np.asarray(raw, dtype=np.float64)[0]
        return [float(value) for value in (row[0] if row.ndim > 1 else np.atleast_1d(row))]

    def _encode(self, premise: str, claim: str) -> Any:
        premise, claim = clean(premise), clean(claim)
        match self._layout:
            case Layout.PAIR:
                return self._tokenizer.encode(premise, claim)
            case Layout.JOINED:
                return self._tokenizer.encode(f"{premise}{self._end_token}{claim}")
            case Layout.TEMPLATE:
                head, _, rest = self._template.partition("{text1}")
                middle, _, tail = rest.partition("{text2}")
                return self._tokenizer.encode(f"{head}{premise}{middle}{claim}{tail}")

    @cached_property
    def _labels(self) -> LabelOrder:
        try:
            return label_order(self.config, source=f"{self._folder.name}/config.json")
        except ConfigError:
            if self._two_labels:
                return TWO_LABELS
            raise

    @cached_property
    def _template(self) -> str:
        """Needed for one layout only.

        Raises:
            ConfigError: when config.json has a prompt without both places, in this order.
        """
        told = self.config.get("prompt") if self._layout is Layout.TEMPLATE else None
        found = self._default_template if told is None else str(told)
        if not 0 <= found.find("{text1}") < found.find("{text2}"):
            raise ConfigError(
                f"the prompt in {self._folder.name}/config.json does not hold {{text1}} and then {{text2}}",
                hint="Write the premise's place as {text1} and the claim's as {text2}.",
            )
        return found

    @cached_property
    def _max_tokens(self) -> int:
        """The smaller of the model's positions and the tokenizer's stated limit; 512 where neither says."""
        positions = self.config.get("max_position_embeddings") or self.config.get("n_positions")
        shift = 2 if self.config.get("model_type") in _SHIFTED else 0
        limits = [positions - shift] if isinstance(positions, int) else []
        stated = self._side_file("tokenizer_config.json").get("model_max_length")
        limits += [stated] if isinstance(stated, int) and 0 < stated <= _MOST_TOKENS else []
        return min([*limits, _MOST_TOKENS]) if limits else _DEFAULT_TOKENS

    @cached_property
    def _end_token(self) -> str:
        named = self._side_file("tokenizer_config.json")
        for key in ("eos_token", "sep_token"):
            value = named.get(key)
            value = value.get("content") if isinstance(value, dict) else value
            if isinstance(value, str) and value:
                return value
        for token in ("</s>", "[SEP]"):
            if self._tokenizer.token_to_id(token) is not None:
                return token
        raise ConfigError(
            f"{self._folder.name} does not say which token ends a text",
            hint='Write "eos_token" into its tokenizer_config.json.',
        )

    @cached_property
    def config(self) -> dict[str, Any]:
        """What config.json holds."""
        self._file("config.json")
        return self._side_file("config.json")

    def _side_file(self, name: str) -> dict[str, Any]:
        try:
            body = json.loads((self._folder / name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as exc:
            raise ConfigError(f"{self._folder / name} cannot be read: {exc}", hint="Export the model again.") from exc
        return body if isinstance(body, dict) else {}

    @cached_property
    def _session(self) -> Any:
        import onnxruntime  # heavy, and only needed here

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        path = self._file("model.onnx")
        try:
            session = onnxruntime.InferenceSession(str(path), sess_options=options, providers=["CPUExecutionProvider"])
        except Exception as exc:  # the runtime raises a dozen unrelated types for a damaged file
            raise ConfigError(f"{path} cannot be loaded: {exc}", hint="Export or download the model again.") from exc
        foreign = [o.name for o in session.get_inputs() if o.name not in _KNOWN_INPUTS or o.type not in _INTEGERS]
        if foreign:
            raise ConfigError(
                f"{path} wants an input that is not known here: {', '.join(foreign)}",
                hint="Export it as a sequence classifier with input_ids, attention_mask and perhaps token_type_ids.",
            )
        return session

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer  # heavy, and only needed here

        path = self._file("tokenizer.json")
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as exc:  # the library raises bare Exception
            raise ConfigError(f"{path} cannot be read: {exc}", hint="Export the tokenizer again.") from exc
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def _file(self, name: str) -> Path:
        path = self._folder / name
        if not path.is_file():
            raise ConfigError(
                f"the verifier's file {name} is not in {self._folder}",
                hint=f"Put {', '.join(FILES)} of the model there.",
            )
        return path


def nli_verifier(folder: Path, *, settings: VerifySettings | None = None) -> WindowedVerifier:
    """Any NLI cross-encoder, with three labels or two."""
    return WindowedVerifier(OnnxPairModel(folder), settings=settings or VerifySettings())
