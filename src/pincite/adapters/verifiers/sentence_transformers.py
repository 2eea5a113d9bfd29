"""A sentence-transformers CrossEncoder as a verifier: ``pip install 'pincite[sentence-transformers]'``.

The library needs PyTorch, so our test suite does not install it: there a small object with the same attributes
(``predict``, ``tokenizer``, ``config``, ``max_length``) stands in for it, and the message for its absence is tested.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.adapters.verifiers.labels import Probs, label_order
from pincite.adapters.verifiers.windowed import WindowedVerifier, clean
from pincite.config import VerifySettings
from pincite.errors import ConfigError, MissingExtraError
from pincite.types import VerifierInfo

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEFAULT_TOKENS = 512


class CrossEncoderModel:
    """Wraps a CrossEncoder that is loaded already; the label order is that of ``config.id2label``.

    ``revision`` names the weights for the fingerprint: the library does not say which bytes it loaded.
    """

    def __init__(self, encoder: Any, *, name: str, revision: str = "") -> None:
        self._encoder = encoder
        config: Mapping[str, object] = {
            "id2label": dict(getattr(encoder.config, "id2label", None) or {}),
            "label2id": dict(getattr(encoder.config, "label2id", None) or {}),
        }
        self._labels = label_order(config, source=f"the config of {name}")
        limit = getattr(encoder, "max_length", None)
        self._max_tokens = limit if isinstance(limit, int) and limit > 0 else _DEFAULT_TOKENS
        told = json.dumps([name, revision, config, self._max_tokens], sort_keys=True, default=str)
        digest = hashlib.sha256(told.encode()).hexdigest()[:16]
        self._info = VerifierInfo(name=f"cross-encoder:{name}", version=revision or "1", fingerprint=digest)

    @property
    def info(self) -> VerifierInfo:
        """Name, revision, and a fingerprint of both with the config's labels."""
        return self._info

    @property
    def room_tokens(self) -> int:
        """Without the special tokens of a pair."""
        return self._max_tokens - int(self._encoder.tokenizer.num_special_tokens_to_add(pair=True))

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Of the encoder's own fast tokenizer."""
        found = self._encoder.tokenizer(clean(text), add_special_tokens=False, return_offsets_mapping=True)
        return [(int(start), int(end)) for start, end in found["offset_mapping"] if end > start]

    def probs(self, premise: str, claim: str) -> Probs:
        """One pair a call; raw outputs are asked for, and turned into probabilities here."""
        room = self.room_tokens - len(self.offsets(claim))
        kept = self.offsets(premise)
        if len(kept) > room:  # the library would cut the longer of the two, which may be the claim
            premise = premise[: kept[room - 1][1]] if room > 0 else ""
        (row,) = self._encoder.predict([(clean(premise), clean(claim))], show_progress_bar=False, **self._raw())
        values = row.tolist() if hasattr(row, "tolist") else row
        return self._labels.probs([float(value) for value in (values if isinstance(values, list) else [values])])

    def _raw(self) -> dict[str, Any]:
        """The argument that asks for outputs as they are; its name changed between versions of the library."""
        import inspect

        named = inspect.signature(self._encoder.predict).parameters
        key = "activation_fn" if "activation_fn" in named else "activation_fct"
        return {key: _as_they_are}


def _files_hash(folder: Path) -> str:
    """Sixteen digits that change with any file of a local model; empty for a name."""
    if not folder.is_dir():
        return ""
    digest = hashlib.sha256()
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        digest.update(f"{path.relative_to(folder)}\0".encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:16]


def _as_they_are(outputs: Any) -> Any:
    return outputs


def cross_encoder_verifier(
    model: str, *, settings: VerifySettings | None = None, allow_download: bool = False, revision: str = ""
) -> WindowedVerifier:
    """A CrossEncoder by folder or name. It is looked for on this machine only, unless ``allow_download``.

    Raises:
        MissingExtraError: sentence-transformers is not installed.
        ConfigError: the model is not on this machine, or its config does not name its labels.
    """
    try:
        from sentence_transformers import CrossEncoder
    except ImportError as exc:
        raise MissingExtraError(
            "sentence-transformers is not installed", hint="Run: pip install 'pincite[sentence-transformers]'"
        ) from exc
    try:
        encoder = CrossEncoder(model, local_files_only=not allow_download, revision=revision or None, device="cpu")
    except (OSError, ValueError) as exc:
        raise ConfigError(
            f"the cross-encoder {model} cannot be loaded: {exc}",
            hint="Name a folder that holds the model, or allow the download.",
        ) from exc
    wrapped = CrossEncoderModel(encoder, name=model, revision=revision or _files_hash(Path(model)))
    return WindowedVerifier(wrapped, settings=settings or VerifySettings())
