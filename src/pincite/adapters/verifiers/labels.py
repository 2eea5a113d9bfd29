"""Which output of a classifier means what: read from its config, never assumed."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SUPPORT = {"entailment", "entail", "entailed", "entails", "supported", "support", "supports", "consistent"}
_CONTRADICTION = {"contradiction", "contradict", "contradictory", "contradicts", "refuted", "refutes"}
_NEITHER = {
    "neutral", "not_enough_info", "nei", "not_entailment", "non_entailment", "not_entailed", "unsupported",
    "not_supported", "inconsistent", "not_consistent", "hallucinated", "hallucination",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Probs:
    """What a model says of one premise and claim. ``contradiction`` is 0 for a model without such a label."""

    support: float
    contradiction: float


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelOrder:
    """Positions of the labels in the output; ``contradiction`` is None for a model that does not tell it apart."""

    support: int
    contradiction: int | None
    count: int

    def probs(self, logits: Sequence[float]) -> Probs:
        """Softmax (sigmoid of a single output) in double precision, rounded to six places.

        Raises:
            ConfigError: when the model has another number of outputs than its config has labels, or gives no numbers.
        """
        if len(logits) != self.count:
            raise ConfigError(
                f"the model gives {len(logits)} outputs, its config.json names {self.count} labels",
                hint="Use the config.json that belongs to this model.onnx.",
            )
        if not all(math.isfinite(value) for value in logits):
            raise ConfigError("the model gives outputs that are not finite numbers", hint="Export the model again.")
        shares = _softmax([0.0, logits[0]])[1:] if self.count == 1 else _softmax(logits)
        other = self.contradiction
        return Probs(
            support=round(shares[self.support], 6),
            contradiction=0.0 if other is None else round(shares[other], 6),
        )


TWO_LABELS = LabelOrder(support=1, contradiction=None, count=2)
"""The published output of MiniCheck and HHEM models: position 1 is support, whatever their config calls it."""


def label_order(config: Mapping[str, object], *, source: str) -> LabelOrder:
    """The order in ``id2label`` (else ``label2id``) of a model's config. ``source`` names it in errors.

    Raises:
        ConfigError: when a label is unreadable ("LABEL_0"), there is not exactly one for support, or positions have
            gaps; the hint says what to write.
    """
    named = _named(config)
    meanings = {index: _meaning(name) for index, name in named.items()}
    support = [i for i, meaning in meanings.items() if meaning == "support"]
    contradiction = [i for i, meaning in meanings.items() if meaning == "contradiction"]
    readable = all(meanings.values()) and len(support) == 1 and len(contradiction) <= 1
    if not readable or sorted(named) != list(range(len(named))):
        raise ConfigError(
            f"{source} does not say which output means support: its labels are {named or 'missing'}",
            hint='Write the order of the model\'s outputs there, as its card gives it, e.g. "id2label": '
            '{"0": "contradiction", "1": "entailment", "2": "neutral"}, or {"0": "entailment", "1": "not_entailment"}.',
        )
    return LabelOrder(support=support[0], contradiction=contradiction[0] if contradiction else None, count=len(named))


def _named(config: Mapping[str, object]) -> dict[int, str]:
    forward, backward = config.get("id2label"), config.get("label2id")
    try:
        if isinstance(forward, dict) and forward:
            return {int(index): str(name) for index, name in forward.items()}
        if isinstance(backward, dict):
            return {int(index): str(name) for name, index in backward.items()}
    except (TypeError, ValueError):
        return {}
    return {}


def _meaning(name: str) -> str | None:
    plain = re.sub(r"[^a-z]+", "_", name.lower()).strip("_")
    for meaning, names in (("support", _SUPPORT), ("contradiction", _CONTRADICTION), ("neither", _NEITHER)):
        if plain in names:
            return meaning
    return None


def _softmax(logits: Sequence[float]) -> list[float]:
    top = max(logits)
    powers = [math.exp(value - top) for value in logits]
    total = sum(powers)
    return [power / total for power in powers]
