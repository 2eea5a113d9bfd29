"""What every Embedder must do. Subclass, say how to make one, and let pytest collect the class.

Example:
    class TestMine(EmbedderConformance):
        def make(self) -> Embedder:
            return MyEmbedder()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pincite.protocols import Embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TEXTS = (
    "The refund window is 30 days for the enterprise plan.",
    "Water damage is covered.",
    "Remote sessions end after twelve hours, whatever the role of the person who opened them may be.",
    "Erstattungen erfolgen innerhalb von 30 Tagen.",
    "退款期限为三十天。",
    "ok",
)


class EmbedderConformance:
    """Tests that hold for any Embedder; each method is one rule of the protocol."""

    def make(self) -> Embedder:
        """The embedder under test. May be the same object each time: embedders keep no state."""
        raise NotImplementedError

    def test_it_is_an_embedder_with_a_name_and_sizes(self) -> None:
        """Name and sizes are stored with the library, so they must exist and make sense."""
        embedder = self.make()
        _expect(isinstance(embedder, Embedder), "does not have the methods of Embedder")
        _expect(bool(embedder.name.strip()), "has no name")
        _expect(embedder.dimensions > 0, "dimensions must be positive")
        _expect(embedder.max_tokens > 2, "must read at least one token beside two special ones")  # noqa: PLR2004

    def test_passages_come_as_unit_rows_in_order(self) -> None:
        """Shape, type, length, order."""
        embedder = self.make()
        rows = embedder.embed_passages(_TEXTS)
        _expect(rows.shape == (len(_TEXTS), embedder.dimensions), f"wrong shape {rows.shape}")
        _expect(rows.dtype == np.float32, f"wrong type {rows.dtype}")
        _expect(bool(np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)), "rows are not of length 1")
        backwards = embedder.embed_passages(_TEXTS[::-1])
        _expect(_near(rows, backwards[::-1]), "rows do not follow the order of the texts")

    def test_no_texts_give_no_rows(self) -> None:
        """An empty batch is a batch."""
        embedder = self.make()
        _expect(embedder.embed_passages([]).shape == (0, embedder.dimensions), "wrong shape for no texts")
        _expect(embedder.count_tokens([]) == [], "no texts have no counts")

    def test_an_empty_text_gives_a_zero_row_and_leaves_the_others_alone(self) -> None:
        """Nothing is similar to nothing."""
        embedder = self.make()
        rows = embedder.embed_passages([_TEXTS[0], "", " \n\t", _TEXTS[1]])
        _expect(not rows[1].any(), "an empty text must give a zero row")
        _expect(not rows[2].any(), "a blank text must give a zero row")
        _expect(_same(rows[[0, 3]], embedder.embed_passages(_TEXTS[:2])), "an empty text changed its neighbours")
        _expect(not embedder.embed_query("").any(), "an empty query must give a zero vector")

    def test_a_query_is_a_unit_vector(self) -> None:
        """Shape, type, length."""
        embedder = self.make()
        vector = embedder.embed_query(_TEXTS[0])
        _expect(vector.shape == (embedder.dimensions,), f"wrong shape {vector.shape}")
        _expect(vector.dtype == np.float32, f"wrong type {vector.dtype}")
        _expect(abs(float(np.linalg.norm(vector)) - 1.0) < 1e-5, "not of length 1")  # noqa: PLR2004

    def test_the_same_text_gives_the_same_bits_in_any_batch(self) -> None:
        """Verdicts and replays rest on it: batch size, order and neighbours change nothing."""
        embedder = self.make()
        together = embedder.embed_passages(_TEXTS)
        alone = np.concatenate([embedder.embed_passages([text]) for text in _TEXTS])
        beside_long = embedder.embed_passages([*_TEXTS, "long " * 300])[: len(_TEXTS)]
        _expect(_same(together, alone), "a batch changed a vector's bits")
        _expect(_same(together, beside_long), "a long neighbour changed a vector's bits")
        queries = [embedder.embed_query(_TEXTS[0]) for _ in range(2)]
        _expect(_same(queries[0], queries[1]), "the same query gave two vectors")

    def test_a_text_beyond_the_limit_is_cut_at_its_end_and_counted_whole(self) -> None:
        """The cut is silent in the vector, so the count must tell."""
        embedder = self.make()
        words = [f"word{number}" for number in range(embedder.max_tokens * 2)]
        text = " ".join(words)
        _expect(embedder.count_tokens([text])[0] > embedder.max_tokens, "count_tokens must not cut")
        longer = embedder.embed_passages([text, text + " and then something else entirely"])
        _expect(_same(longer[0], longer[1]), "text beyond the limit changed the vector")

    def test_counts_are_per_text_and_without_special_tokens(self) -> None:
        """An empty text has none."""
        counts = self.make().count_tokens(["", *_TEXTS])
        _expect(len(counts) == len(_TEXTS) + 1, "one count per text")
        _expect(counts[0] == 0, "an empty text has no tokens")
        _expect(min(counts[1:]) >= 1, "a text has at least one token")

    def test_hard_text_never_raises_and_never_gives_nan(self) -> None:
        """Control characters, lone surrogates, emoji, right-to-left, a very long word."""
        hard = ["\x00\x01", "\ud800 lone", "🙂" * 50, "مرحبا بالعالم", "a" * 20_000, "½ ² µ ﬁ", "\u200b"]
        rows = self.make().embed_passages(hard)
        _expect(bool(np.isfinite(rows).all()), "not a number")


def _expect(condition: bool, message: str) -> None:  # noqa: FBT001 - reads like the assertion it stands for
    if not condition:
        raise AssertionError(message)


def _same(left: NDArray[np.float32], right: NDArray[np.float32]) -> bool:
    return left.tobytes() == right.tobytes()


def _near(left: NDArray[np.float32], right: NDArray[np.float32]) -> bool:
    return bool(np.allclose(left, right, atol=1e-6))
