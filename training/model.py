"""The cross-encoder: MiniLM-L6 and a two-layer head over the first token and the mean of all tokens together."""

from __future__ import annotations

import torch
from torch import nn

from training.minilm import Shape, load_encoder
from training.records import SUPPORTED, UNSUPPORTED


class CrossEncoder(nn.Module):
    """Logits for supported, contradicted, neither; shape (batch, 3)."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.encoder = load_encoder(shape=Shape(dropout=dropout))
        self.head = nn.Sequential(nn.Linear(768, 384), nn.GELU(), nn.Linear(384, 3))

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
        """``mask`` is 1 where there is a token, ``kinds`` 1 where the token is the claim's; each (batch, length)."""
        hidden = self.encoder(ids, mask, kinds)
        weight = mask[:, :, None].to(hidden.dtype)
        mean = (hidden * weight).sum(1) / weight.sum(1).clamp(min=1.0)
        return self.head(torch.cat([hidden[:, 0], mean], dim=1))


def loss_of(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean negative log-likelihood; ``unsupported`` counts the sum of contradicted and neither."""
    log_prob = torch.log_softmax(logits.float(), dim=1)
    either = torch.logsumexp(log_prob[:, SUPPORTED + 1 :], dim=1)
    known = log_prob.gather(1, labels.clamp(max=2)[:, None]).squeeze(1)
    return -torch.where(labels == UNSUPPORTED, either, known).mean()
