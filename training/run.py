"""Train the verifier, or go on where a run was cut: ``python -m training.run --config training/configs/base.toml``.

Checkpoints hold model, optimiser and position and are replaced atomically; SIGTERM saves one and ends. The order of
pairs follows from the seed and the position alone. A GPU is used when there is one.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import time
from collections import deque
from dataclasses import asdict, dataclass, field
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("KMP_BLOCKTIME", "0")

from typing import TYPE_CHECKING

import torch
from safetensors.torch import load_file
from torch import nn

from training.batching import bucketed, pass_over
from training.corpus import Corpus, build_corpus, held_back_pairs
from training.encode import Encoded, collate, encode, load_tokenizer
from training.minilm import weights_folder
from training.model import CrossEncoder, loss_of
from training.settings import Settings, read_settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


@dataclass(kw_only=True, slots=True)
class Position:
    """Where a run stands. ``progress`` goes from 0 to 1 and decides rate and stage; ``clock_s`` is time spent."""

    progress: float = 0.0
    step: int = 0
    seen: int = 0
    stage: int = 0
    turn: int = 0
    batch: int = 0
    clock_s: float = 0.0


@dataclass(kw_only=True, slots=True)
class Stopper:
    """Turns SIGTERM and SIGINT into a flag that the loop reads between steps."""

    asked: bool = field(default=False)

    def listen(self) -> None:
        """From now on a signal to stop is noticed, not obeyed at once."""
        signal.signal(signal.SIGTERM, self._set)
        signal.signal(signal.SIGINT, self._set)

    def _set(self, _signal: int, _frame: FrameType | None) -> None:
        self.asked = True


class Trainer:
    """One run in one folder."""

    def __init__(
        self, settings: Settings, folder: Path, finish_by_s: float | None, start_from: Path | None = None
    ) -> None:
        self.settings, self.folder, self.finish_by_s = settings, folder, finish_by_s
        folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(settings.seed)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = CrossEncoder(settings.dropout).to(self.device)
        self.model.encoder.words.weight.requires_grad_(not settings.freeze_words)
        self.optimiser = self._optimiser()
        self.tokenizer = load_tokenizer(weights_folder())
        self.position = Position()
        self.stopper = Stopper()
        self.recent: list[float] = []
        if start_from is not None:
            self._start(start_from)
        self.pace_s = 0.0
        self.ends: deque[float] = deque(maxlen=200)
        self._resume()

    def _optimiser(self) -> torch.optim.Optimizer:
        s = self.settings
        parts = ((self.model.encoder, s.peak_rate_encoder), (self.model.head, s.peak_rate_head))
        groups = [
            {"params": [p for p in part.parameters() if p.requires_grad], "lr": rate, "peak": rate}
            for part, rate in parts
        ]
        return torch.optim.AdamW(groups, weight_decay=s.weight_decay, fused=True)

    def _start(self, weights: Path) -> None:
        """Weights of an earlier dose, before any step; the frozen word embeddings come from the published encoder."""
        given = {name: tensor.float() for name, tensor in load_file(str(weights)).items()}
        missing, unexpected = self.model.load_state_dict(given, strict=False)
        if unexpected or set(missing) - {"encoder.words.weight"}:
            raise SystemExit(f"{weights} does not fit: missing {missing}, unexpected {unexpected}")

    # --- checkpoints -------------------------------------------------------------------------------------------
    def _resume(self) -> None:
        path = self.folder / "checkpoint.pt"
        if path.exists():
            saved = torch.load(path, map_location=self.device, weights_only=True)
            self.model.load_state_dict(saved["model"])
            self.optimiser.load_state_dict(saved["optimiser"])
            self.position = Position(**saved["position"])
            self.log(event="resumed")

    def save(self) -> None:
        """Write beside, then rename: a cut never leaves half a checkpoint."""
        beside = self.folder / "checkpoint.tmp"
        torch.save(
            {
                "model": self.model.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "position": asdict(self.position),
                "settings": json.dumps(asdict(self.settings), default=str),
            },
            beside,
        )
        beside.replace(self.folder / "checkpoint.pt")

    def log(self, **values: object) -> None:
        """One line of the learning curve: position, seconds trained, and what is given."""
        at = {"progress": round(self.position.progress, 5), "step": self.position.step, "seen": self.position.seen}
        line = json.dumps({**at, "clock_s": round(self.position.clock_s, 1), **values})
        with (self.folder / "curve.jsonl").open("a", encoding="utf-8") as curve:
            curve.write(line + "\n")

    # --- the loop ----------------------------------------------------------------------------------------------
    def batches(self, corpus: Corpus) -> Iterator[list[int]]:
        """Endless batches of the present stage from the present place on."""
        stage, s = self.settings.stages[self.position.stage], self.settings
        while True:
            seed = s.seed + 1000 * self.position.stage
            shown = pass_over(corpus.groups, corpus.labels, stage.takes, seed, self.position.turn)
            order = bucketed([len(corpus.rows[row].ids) for row in shown], s.batch, seed + self.position.turn)
            while self.position.batch < len(order):
                chosen = order[self.position.batch]
                self.position.batch += 1
                yield [shown[i] for i in chosen]
            self.position.turn, self.position.batch = self.position.turn + 1, 0

    def _step_share(self) -> float:
        """Share of the run that one step is; a deadline shortens the run, so that its rate still ends at zero."""
        planned = (self.settings.presentations - self.position.seen) / self.settings.batch
        if self.finish_by_s is not None and len(self.ends) > 1:
            pace_s = (self.ends[-1] - self.ends[0]) / (len(self.ends) - 1)  # with pauses from outside
            planned = min(planned, max(1.0, (self.finish_by_s - time.time()) / pace_s))
        return (1.0 - self.position.progress) / max(1.0, planned)

    def step(self, rows: list[Encoded], labels: list[int]) -> float:
        """One update; the loss before it."""
        s = self.settings
        ids, mask, kinds = (torch.from_numpy(array).to(self.device) for array in collate(rows))
        target = torch.tensor(labels, device=self.device)
        factor = min(1.0, (self.position.step + 1) / s.warm_up_steps) * (1.0 - self.position.progress)
        for group in self.optimiser.param_groups:
            group["lr"] = group["peak"] * factor
        with torch.autocast(self.device.type, torch.bfloat16, enabled=s.bf16):
            logits = self.model(ids, mask, kinds)
        loss = loss_of(logits, target)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), s.clip)
        self.optimiser.step()
        return float(loss.detach())

    def train(self) -> None:
        """Until the end or a signal, whichever comes first; either way the last act is a checkpoint."""
        self.stopper.listen()
        saved_at = time.monotonic()
        while self.position.progress < 1.0 and not self.stopper.asked:
            self._enter_stage()
            corpus = build_corpus(self.settings, self.settings.stages[self.position.stage], self.tokenizer)
            self.log(event="stage", number=self.position.stage, rows={k: len(v) for k, v in corpus.groups.items()})
            for chosen in self.batches(corpus):
                began = time.monotonic()
                loss = self.step([corpus.rows[row] for row in chosen], [corpus.labels[row] for row in chosen])
                self._advance(len(chosen), loss, time.monotonic() - began)
                if time.monotonic() - saved_at > self.settings.checkpoint_every_s:
                    self.save()
                    saved_at = time.monotonic()
                over = self.settings.stage_at(self.position.progress) != self.position.stage
                if over or self.stopper.asked or self.position.progress >= 1.0:
                    break
        self.save()
        self.log(event="ended", finished=self.position.progress >= 1.0)

    def _enter_stage(self) -> None:
        now = self.settings.stage_at(self.position.progress)
        if now != self.position.stage:
            self.position.stage, self.position.turn, self.position.batch = now, 0, 0

    def _advance(self, count: int, loss: float, took_s: float) -> None:
        place = self.position
        self.ends.append(time.time())
        place.progress = min(1.0, place.progress + self._step_share())
        place.step, place.seen, place.clock_s = place.step + 1, place.seen + count, place.clock_s + took_s
        self.pace_s = took_s if self.pace_s == 0 else 0.98 * self.pace_s + 0.02 * took_s
        self.recent.append(loss)
        if place.step % self.settings.log_every == 0:
            self.log(loss=round(sum(self.recent) / len(self.recent), 4), pairs_per_s=round(count / self.pace_s, 1))
            self.recent.clear()
        if place.step % self.settings.measure_every == 0:
            self.measure()

    def measure(self) -> None:
        """Accuracy on rows of training sets that never train: three-way on NLI, support or not on the others."""
        names = ("mnli.dev",) if self.position.stage == 0 else ("mnli.dev", "infotabs.train", "fm2.dev", "synth")
        self.log(event="held_back", **{name: self.accuracy(name) for name in names})

    @torch.no_grad()
    def accuracy(self, source: str, limit: int = 600) -> float:
        """Share of held-back rows of one set that are right; "unsupported" is right when support is not the verdict."""
        if source == "synth":
            from training.synth.make import held_back_synthetic

            pairs = held_back_synthetic(self.settings, limit)
        else:
            pairs = held_back_pairs(self.settings, source, limit)
        rows = encode(self.tokenizer, [p.premise for p in pairs], [p.claim for p in pairs], 192)
        order = sorted(range(len(rows)), key=lambda i: len(rows[i].ids))
        right = 0
        for start in range(0, len(order), 32):
            part = order[start : start + 32]
            arrays = [torch.from_numpy(a).to(self.device) for a in collate([rows[i] for i in part])]
            with torch.autocast(self.device.type, torch.bfloat16, enabled=self.settings.bf16):
                best = self.model(*arrays).argmax(1).tolist()
            right += sum(
                (b == 0) == (pairs[i].label == 0) if pairs[i].label == 3 else b == pairs[i].label
                for b, i in zip(best, part, strict=True)
            )
        return round(right / max(1, len(rows)), 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument(
        "--folder", type=Path, default=None, help="checkpoints and curve; default ~/.cache/pincite-train"
    )
    parser.add_argument("--finish-by", type=float, default=None, help="Unix time by which the run must have ended")
    parser.add_argument("--start-from", type=Path, default=None, help="weights of an earlier dose (training/weights)")
    parser.add_argument("--threads", type=int, default=None)
    arguments = parser.parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    settings = read_settings(arguments.config)
    folder = arguments.folder or Path.home() / ".cache/pincite-train" / settings.name
    Trainer(settings, folder, arguments.finish_by, arguments.start_from).train()


if __name__ == "__main__":
    main()
