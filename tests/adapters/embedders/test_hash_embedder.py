from __future__ import annotations

from pincite.testing.embedder_conformance import EmbedderConformance
from pincite.testing.hash_embedder import HashEmbedder


class TestHashEmbedder(EmbedderConformance):
    def make(self) -> HashEmbedder:
        return HashEmbedder()


class TestTinyHashEmbedder(EmbedderConformance):
    def make(self) -> HashEmbedder:
        return HashEmbedder(dimensions=3)


def test_texts_that_share_words_are_closer_than_texts_that_do_not() -> None:
    embedder = HashEmbedder()
    query = embedder.embed_query("refund window")
    rows = embedder.embed_passages(["the refund window is thirty days", "water damage to the cellar"])
    assert rows[0] @ query > rows[1] @ query
