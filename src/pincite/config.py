"""Typed settings. Unknown keys are refused; the fingerprint goes into every audit record."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tomllib
from dataclasses import dataclass, field
from enum import StrEnum
from types import UnionType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from pincite.errors import ConfigError
from pincite.types import AnswerForm

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class OnUnsupported(StrEnum):
    """What to do with a claim that does not stand."""

    DROP_ELSE_ABSTAIN = "drop_else_abstain"
    ABSTAIN = "abstain"
    HAND_OVER = "hand_over"


class OnUncertain(StrEnum):
    """What to do with a claim that the verifier could not decide."""

    DROP = "drop"
    HAND_OVER = "hand_over"


class OnUnrepaired(StrEnum):
    """What to do when the draft written anew does not stand either."""

    HAND_OVER = "hand_over"
    ABSTAIN = "abstain"


class OnSuspicious(StrEnum):
    """What to do with a claim whose only evidence lies in text that reads as an instruction to an assistant."""

    SHOW = "show"
    DROP = "drop"
    HAND_OVER = "hand_over"


class OnConflict(StrEnum):
    """What to do with an answer whose sources disagree, neither being more specific."""

    SHOW_BOTH = "show_both"
    HAND_OVER = "hand_over"


class GeneratorName(StrEnum):
    """Who writes the draft. Every one but the extractive composer is an extra."""

    EXTRACTIVE = "extractive"
    OPENAI = "openai"
    AZURE = "azure"
    ANTHROPIC = "anthropic"
    LOCAL = "local"


@dataclass(frozen=True, kw_only=True, slots=True)
class PassageSettings:
    """Passage sizes in tokens of the embedder. The embedder reads 256, special tokens included."""

    target_tokens: int = 160
    max_tokens: int = 240


@dataclass(frozen=True, kw_only=True, slots=True)
class RetrieveSettings:
    """How many candidates each index gives, how many passages go on, and the rank constant of the fusion.

    ``announce_days``: an answer says so when a version of what it cites begins within that many days.
    ``precedence`` orders attribute keys ("country", "product"): of two rules that both apply, neither more specific,
    the one that carries the earliest key that the other lacks goes first. Empty: such rules conflict.
    """

    candidates: int = 50
    limit: int = 8
    rrf_k: int = 60
    announce_days: int = 60
    precedence: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ComposeSettings:
    """The extractive composer: how many sentences at most, and the answerability under which it abstains.

    ``min_answer_prob`` was chosen in benchmarks/quality/fit_answerability.py.
    """

    max_sentences: int = 3
    min_answer_prob: float = 0.5


@dataclass(frozen=True, kw_only=True, slots=True)
class Prices:
    """US dollars per million tokens; None where not known. Cached input without a price counts as plain input."""

    input_usd: float | None = None
    cached_usd: float | None = None
    output_usd: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class GenerateSettings:
    """Which model writes the draft, and how it is called.

    ``model`` is the provider's name for it (with "azure" the deployment, with "local" a GGUF file; empty there means
    the weights of an installed package). ``base_url`` empty means the provider's own address. ``api_key_env`` names the
    environment variable that holds the key (empty: the provider's usual one); a key itself is no setting.
    ``timeout_s`` is the longest silence, not the whole reply. ``context_tokens`` and ``threads`` are for "local".
    """

    generator: GeneratorName = GeneratorName.EXTRACTIVE
    model: str = ""
    base_url: str = ""
    api_key_env: str = ""
    api_version: str = ""
    form: AnswerForm = AnswerForm.MARKERS
    timeout_s: float = 60.0
    attempts: int = 3
    max_output_tokens: int = 800
    temperature: float = 0.0
    seed: int = 1
    context_tokens: int = 4096
    threads: int = 1
    prices: Prices = field(default_factory=Prices)


@dataclass(frozen=True, kw_only=True, slots=True)
class VerifySettings:
    """Two thresholds on support_prob: at or over ``accept`` supported, under ``reject`` not, between uncertain.

    Equal as shipped, so nothing is uncertain for its probability. The rule was a precision of 0.8 among accepted and
    0.8 not true among rejected, on English dev; the second is reached at no threshold, the first leaves one claim in
    ten accepted, and a band from 0.4 to 0.6 holds two in five (``curve_dev`` in
    benchmarks/quality/results/verify_sets.json, by benchmarks/quality/verify.py).
    """

    accept_prob: float = 0.5
    reject_prob: float = 0.5


class VerifierKind(StrEnum):
    """Which verifier judges: the shipped one, or a model in a folder of yours."""

    SHIPPED = "shipped"
    NLI = "nli"
    MINICHECK = "minicheck"
    HHEM = "hhem"
    CROSS_ENCODER = "cross_encoder"


class OnVeto(StrEnum):
    """What becomes of a claim that the first verifier accepts and the second refuses."""

    REJECT = "reject"
    HAND_OVER = "hand_over"


@dataclass(frozen=True, kw_only=True, slots=True)
class CascadeSettings:
    """``on`` puts the shipped verifier first; the other sees what is open: unverified, or within the two bounds.

    The bounds are choices, not measurements: wider asks the costly verifier more often.
    """

    on: bool = False
    low_prob: float = 0.2
    high_prob: float = 0.8
    review_accepts: bool = False
    on_veto: OnVeto = OnVeto.REJECT
    allow_override: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class VerifierSettings:
    """Which verifier, and the folder of its model (relative to that of pincite.toml)."""

    use: VerifierKind = VerifierKind.SHIPPED
    path: str = ""
    cascade: CascadeSettings = field(default_factory=CascadeSettings)


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """What may leave. Written into every audit record.

    A claim that falls is dropped when the rest still answers; otherwise a model writes a new draft, at most
    ``max_regenerations`` times, told what was wrong; ``on_unrepaired`` says what follows when that is no better.
    ``on_suspicious`` is for claims that stand, but only on text that the screen marked; with "show" a note says so.
    """

    version: str = "1"
    on_unsupported: OnUnsupported = OnUnsupported.DROP_ELSE_ABSTAIN
    on_contradicted: OnUnsupported = OnUnsupported.DROP_ELSE_ABSTAIN
    on_uncertain: OnUncertain = OnUncertain.DROP
    min_kept_fraction: float = 0.5
    max_regenerations: int = 1
    on_unrepaired: OnUnrepaired = OnUnrepaired.HAND_OVER
    on_suspicious: OnSuspicious = OnSuspicious.DROP
    on_conflict: OnConflict = OnConflict.SHOW_BOTH
    next_step: str = "Ask the owner of the documents, or rephrase the question with the terms they use."
    max_related: int = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class TalkSettings:
    """Of a conversation, the newest ``max_turns`` turns, at most ``max_turns_chars`` together, go to a model."""

    max_turns: int = 4
    max_turns_chars: int = 3_000


@dataclass(frozen=True, kw_only=True, slots=True)
class CacheSettings:
    """Whether an answer may be given again from the record, and for how long."""

    on: bool = False
    max_age_s: float = 3600.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Everything that can be set. ``pincite.toml`` in a library holds the same tables."""

    passages: PassageSettings = field(default_factory=PassageSettings)
    retrieve: RetrieveSettings = field(default_factory=RetrieveSettings)
    compose: ComposeSettings = field(default_factory=ComposeSettings)
    generate: GenerateSettings = field(default_factory=GenerateSettings)
    verify: VerifySettings = field(default_factory=VerifySettings)
    verifier: VerifierSettings = field(default_factory=VerifierSettings)
    policy: Policy = field(default_factory=Policy)
    talk: TalkSettings = field(default_factory=TalkSettings)
    cache: CacheSettings = field(default_factory=CacheSettings)

    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that change whenever any setting does."""
        plain = json.dumps(dataclasses.asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(plain.encode()).hexdigest()[:16]


def load_settings(path: Path) -> Settings:
    """Settings from a TOML file; the defaults when it does not exist.

    Raises:
        ConfigError: naming the file and the key.
    """
    try:
        raw = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as exc:
        raise ConfigError(f"{path.name} cannot be read: {exc}") from exc
    try:
        table = tomllib.loads(raw)
    except tomllib.TOMLDecodeError as exc:
        raise ConfigError(f"{path.name} is not valid TOML: {exc}") from exc
    try:
        settings: Settings = _build(Settings, table, where="")
    except ConfigError as exc:
        raise ConfigError(f"{path.name}: {exc}", hint=exc.hint) from exc
    return settings


def _build(cls: type[Any], table: Mapping[str, Any], *, where: str) -> Any:
    hints = get_type_hints(cls)
    unknown = sorted(set(table) - set(hints))
    if unknown:
        known = ", ".join(sorted(hints))
        raise ConfigError(f"unknown key {where}{unknown[0]}", hint=f"Known keys here: {known}.")
    return cls(**{key: _convert(hints[key], value, where=f"{where}{key}") for key, value in table.items()})


def _convert(kind: Any, value: object, *, where: str) -> Any:
    if isinstance(kind, UnionType):  # a value or nothing: TOML has no null, so what is written is the value
        kind = next(part for part in get_args(kind) if part is not type(None))
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        if not isinstance(value, dict):
            raise ConfigError(f"{where} must be a table")
        return _build(kind, value, where=f"{where}.")
    if get_origin(kind) is tuple:
        return _convert_words(value, where=where)
    if issubclass(kind, StrEnum):
        return _convert_enum(kind, value, where=where)
    accepted = (int, float) if kind is float else kind
    if isinstance(value, bool) is not (kind is bool) or not isinstance(value, accepted):
        raise ConfigError(f"{where} must be {kind.__name__}, not {type(value).__name__}")
    _check_range(kind(value), where=where)
    return kind(value)


def _convert_words(value: object, *, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) and word.strip() for word in value):
        raise ConfigError(f"{where} must be a list of words", hint=f'Write {where.rpartition(".")[2]} = ["country"].')
    if len(set(value)) < len(value):
        raise ConfigError(f"{where} names one word twice", hint="Name each once, the one that goes first in front.")
    return tuple(value)


def _check_range(value: object, *, where: str) -> None:
    """Counts are at least 1 (0 where it means none); a float is seconds, money, or else a probability or a share."""
    if where.endswith(("_s", "_usd")):
        if isinstance(value, float) and not 0.0 <= value < float("inf"):
            raise ConfigError(f"{where} is {value}", hint="Give a number that is not negative.")
    elif isinstance(value, float) and not 0.0 <= value <= 1.0:
        raise ConfigError(f"{where} is {value}", hint="Give a number from 0 to 1.")
    least = 0 if where.endswith(("max_related", "max_regenerations", "max_turns")) else 1
    if isinstance(value, int) and not isinstance(value, bool) and value < least:
        raise ConfigError(f"{where} is {value}", hint=f"Give a whole number of at least {least}.")


def _convert_enum(kind: type[StrEnum], value: object, *, where: str) -> StrEnum:
    try:
        return kind(str(value))
    except ValueError as exc:
        allowed = ", ".join(member.value for member in kind)
        raise ConfigError(f"{where} is {value!r}", hint=f"Use one of: {allowed}.") from exc
