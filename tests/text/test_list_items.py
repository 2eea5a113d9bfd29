from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.list_items import item_cuts, list_items, sentences_between
from pincite.types import BlockKind, Passage


def items(text: str, kind: BlockKind = BlockKind.PARAGRAPH) -> list[str]:
    passage = Passage(passage_id="p", text=text, end=len(text), kind=kind)
    return [text[span.start : span.end] for span in list_items(passage)]


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("Dogs in the hall\nGlass bottles", BlockKind.LIST_ITEM, ["Dogs in the hall", "Glass bottles"]),
        ("You may not bring:\n\nfireworks\ncandles", BlockKind.PARAGRAPH, ["fireworks", "candles"]),
        ("Bring:\n- a coat\n- boots", BlockKind.PARAGRAPH, ["- a coat", "- boots"]),
        ("The hall opens at nine\nand closes at ten.", BlockKind.PARAGRAPH, []),
        ("A long item that was broken by\nits typesetter", BlockKind.LIST_ITEM, ["A long item that was broken by\nits typesetter"]),
        ("Plan | Days\nGold | 3", BlockKind.TABLE_ROW, []),
    ],
)  # fmt: skip
def test_an_item_is_a_line_of_a_list_and_wrapped_prose_is_none(text: str, kind: BlockKind, expected: list[str]) -> None:
    assert items(text, kind) == expected


@given(st.text(alphabet="ab AB.:\n-1", max_size=120), st.sampled_from(list(BlockKind)))
def test_sentences_between_items_lose_no_word_and_cross_no_cut(text: str, kind: BlockKind) -> None:
    cuts = item_cuts(Passage(passage_id="p", text=text, end=len(text), kind=kind))
    found = sentences_between(text, cuts)
    assert "".join("".join(text[s.start : s.end].split()) for s in found) == "".join(text.split())
    assert not any(s.start < cut < s.end for s in found for cut in cuts)
