"""A run's settings, read from TOML; an unknown key is refused."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """``until`` is the share of the run at which the stage ends; ``takes`` rows of each set are shown in one pass."""

    name: str
    until: float
    max_tokens: int
    max_words: int
    takes: dict[str, int]
    rows_at_most: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Everything that decides a run, but for the machine it runs on."""

    name: str
    seed: int
    data: Path
    documents: Path
    batch: int
    peak_rate_encoder: float
    peak_rate_head: float
    warm_up_steps: int
    weight_decay: float
    clip: float
    dropout: float
    freeze_words: bool
    bf16: bool
    presentations: int
    checkpoint_every_s: float
    log_every: int
    measure_every: int
    stages: tuple[Stage, ...]

    def stage_at(self, progress: float) -> int:
        """Number of the stage that ``progress`` (0 to 1) lies in."""
        return next((i for i, stage in enumerate(self.stages) if progress < stage.until), len(self.stages) - 1)


def read_settings(path: Path) -> Settings:
    """Settings of a file; its relative paths start at the directory the command runs in."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    stages = tuple(Stage(**stage) for stage in raw.pop("stages"))
    return Settings(**{**raw, "data": Path(raw["data"]), "documents": Path(raw["documents"]), "stages": stages})
