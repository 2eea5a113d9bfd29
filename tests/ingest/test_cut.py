from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from pincite.config import PassageSettings
from pincite.ingest import cut_passages, embedding_text
from pincite.text.sentences import sentences
from pincite.types import Block, BlockKind, Cell, Layout, Passage, Version

SETTINGS = PassageSettings(target_tokens=12, max_tokens=20)


def words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def version(text: str, blocks: tuple[Block, ...] = ()) -> Version:
    return Version(
        version_id="v", document_id="d", tenant="t", title="Handbook", text=text, layout=Layout(blocks=blocks),
        language="en", media_type="text/plain", source_uri="file:///d", content_sha256="0", parser="p/1",
        ingested_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def cut(text: str, blocks: tuple[Block, ...] = ()) -> tuple[Passage, ...]:
    return cut_passages(version(text, blocks), count_tokens=words, settings=SETTINGS)


def laid_out(*parts: tuple[str, BlockKind, tuple[str, ...]]) -> tuple[str, tuple[Block, ...]]:
    text, blocks = "", []
    for body, kind, path in parts:
        blocks.append(Block(start=len(text), end=len(text) + len(body), kind=kind, heading_path=path))
        text += f"{body}\n\n"
    return text.rstrip(), tuple(blocks)


def test_a_text_without_words_has_no_passages() -> None:
    assert cut("") == ()
    assert cut(" \n\n ") == ()


def test_short_paragraphs_under_one_heading_share_a_passage() -> None:
    text, blocks = laid_out(
        ("One two three.", BlockKind.PARAGRAPH, ("A",)), ("Four five six.", BlockKind.PARAGRAPH, ("A",))
    )
    assert [p.text for p in cut(text, blocks)] == [text]


def test_a_heading_ends_a_passage_and_is_its_path_not_its_text() -> None:
    text, blocks = laid_out(
        ("Leave", BlockKind.HEADING, ()),
        ("One two three.", BlockKind.PARAGRAPH, ("Leave",)),
        ("Pay", BlockKind.HEADING, ()),
        ("Four five six.", BlockKind.PARAGRAPH, ("Pay",)),
    )
    assert [(p.text, p.heading_path) for p in cut(text, blocks)] == [
        ("One two three.", ("Leave",)),
        ("Four five six.", ("Pay",)),
    ]


def test_a_page_footer_never_lies_inside_a_passage() -> None:
    text, blocks = laid_out(
        ("One two three.", BlockKind.PARAGRAPH, ("A",)),
        ("Page 3 of 9", BlockKind.PAGE_FOOTER, ()),
        ("Four five six.", BlockKind.PARAGRAPH, ("A",)),
    )
    assert all("Page 3" not in p.text for p in cut(text, blocks))


def test_headings_alone_become_passages_so_that_nothing_is_lost() -> None:
    text, blocks = laid_out(("Leave", BlockKind.HEADING, ()), ("Pay", BlockKind.HEADING, ()))
    assert "Leave" in " ".join(p.text for p in cut(text, blocks))


def test_a_sentence_longer_than_the_embedder_reads_stays_whole() -> None:
    long = "word " * 60 + "end."
    assert [p.text for p in cut(long)] == [long]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    text = " ".join(f"This is sentence number {n} of many here." for n in range(9))
    passages = cut(text)
    starts = {span.start for span in sentences(text)}
    assert len(passages) > 3
    assert all(p.start in starts for p in passages)


def test_a_table_row_keeps_its_cells_and_is_embedded_with_its_headers() -> None:
    text = "Plan | Window\nStarter | 7 days"
    header = (Cell(start=0, end=4, row=0, column=0), Cell(start=7, end=13, row=0, column=1))
    row = (
        Cell(start=14, end=21, row=1, column=0, header="Plan"),
        Cell(start=24, end=30, row=1, column=1, header="Window"),
    )
    blocks = (
        Block(start=0, end=13, kind=BlockKind.TABLE_HEADER, cells=header),
        Block(start=14, end=30, kind=BlockKind.TABLE_ROW, cells=row),
    )
    (passage,) = cut(text, blocks)
    assert passage.text == text
    assert passage.cells == header + row
    assert "Plan: Starter; Window: 7 days" in embedding_text(passage)


def test_records_do_not_share_a_passage() -> None:
    text, blocks = laid_out(("a is 1.", BlockKind.RECORD, ()), ("b is 2.", BlockKind.RECORD, ()))
    assert len(cut(text, blocks)) == 2


def test_the_embedded_text_names_title_and_headings() -> None:
    passage = Passage(passage_id="p", text="Body.", end=5, title="Policy", heading_path=("Air", "Class"))
    assert embedding_text(passage) == "Policy > Air > Class\nBody."


prose = st.lists(
    st.lists(st.text(alphabet="abc é.,?! 1-\t", min_size=1, max_size=40), min_size=1, max_size=4).map(" ".join),
    max_size=8,
)


@given(prose)
def test_every_passage_is_its_range_and_passages_are_in_order_and_cover_all_words(parts: list[str]) -> None:
    text = "\n\n".join(parts)
    passages = cut(text)
    covered = set[int]()
    end = 0
    for ordinal, passage in enumerate(passages):
        assert passage.ordinal == ordinal
        assert text[passage.start : passage.end] == passage.text
        assert passage.text == passage.text.strip()
        assert passage.start >= end
        end = passage.end
        covered |= set(range(passage.start, passage.end))
    assert all(index in covered for index, char in enumerate(text) if not char.isspace())
