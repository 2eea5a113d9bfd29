from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.layout import Box, block_at, decode_boxes, encode_boxes, locate, page_at, rects
from pincite.types import Block, BlockKind, Layout, Location, Page, Rect

UNIT = 1 / 20
numbers = st.floats(min_value=0, max_value=3000, allow_nan=False)


@st.composite
def box(draw: st.DrawFn) -> Box:
    x0, y0 = draw(numbers), draw(numbers)
    return Box(x0, y0, x0 + draw(st.floats(0.01, 200)), y0 + draw(st.floats(0.01, 70)))


@given(st.lists(st.none() | box(), max_size=60))
def test_boxes_come_back_within_one_unit_and_never_smaller(boxes: list[Box | None]) -> None:
    back = decode_boxes(encode_boxes(boxes))
    assert [b is None for b in back] == [b is None for b in boxes]
    for old, new in zip(boxes, back, strict=True):
        if old is not None and new is not None:
            assert max(new.x0 - old.x0, new.y0 - old.y0) <= 1e-3
            assert max(old.x1 - new.x1, old.y1 - new.y1) <= 1e-3
            assert max(abs(a - b) for a, b in zip(old, new, strict=True)) <= UNIT + 1e-3


def test_a_poster_wider_than_the_number_range_is_kept_at_a_coarser_grain() -> None:
    wide = Box(10_000.0, 5.0, 14_400.0, 30.0)
    (back,) = decode_boxes(encode_boxes([wide]))
    assert back is not None
    assert back.x1 == pytest.approx(14_400, abs=0.5)
    assert back.x0 == pytest.approx(10_000, abs=0.5)


def test_a_page_of_even_text_packs_to_a_few_bytes_per_glyph() -> None:
    boxes = [
        Box(72 + 6.0 * (i % 80), 72 + 12.0 * (i // 80), 78 + 6.0 * (i % 80), 82 + 12.0 * (i // 80)) for i in range(3600)
    ]
    assert len(encode_boxes(boxes)) < 3600


@pytest.mark.parametrize("damage", [b"\x09" + bytes(20), b"\x01", encode_boxes([Box(1, 1, 2, 2)])[:-4]])
def test_damaged_bytes_are_a_value_error(damage: bytes) -> None:
    with pytest.raises(ValueError, match="box"):
        decode_boxes(damage)


@given(st.binary(max_size=40))
def test_any_bytes_decode_or_raise_value_error(data: bytes) -> None:
    with contextlib.suppress(ValueError):
        decode_boxes(data)


def line(x: float, y: float, count: int, *, step: float = 6.0, height: float = 10.0) -> list[Box | None]:
    return [Box(x + i * step, y, x + i * step + 5.0, y + height) for i in range(count)]


def two_page_layout() -> Layout:
    """Page 0: 'abc def' on two lines. Page 1 blank. Page 2: 'ghi jkl', one block over both pages."""
    first = [*line(10, 10, 3), None, *line(10, 30, 3), None]
    third = [*line(10, 10, 3), None, *line(10, 30, 3)]
    return Layout(
        blocks=(
            Block(start=0, end=3, kind=BlockKind.HEADING, level=1, page_index=0),
            Block(start=4, end=15, kind=BlockKind.PARAGRAPH, heading_path=("abc",), page_index=0),
        ),
        pages=(
            Page(index=0, label="iv", start=0, end=8, width_pt=100, height_pt=100, boxes=encode_boxes(first)),
            Page(index=1, label="v", start=8, end=8, width_pt=100, height_pt=100),
            Page(index=2, label="1", start=8, end=15, width_pt=100, height_pt=100, boxes=encode_boxes(third)),
        ),
    )


def test_a_range_over_two_pages_has_rectangles_on_both_with_a_blank_page_between() -> None:
    found = rects(two_page_layout(), 4, 15)
    assert [r.page_index for r in found] == [0, 2, 2]


def test_glyphs_of_one_line_merge_into_one_rectangle() -> None:
    (rect,) = rects(two_page_layout(), 0, 3)
    assert (rect.x0, rect.y0, rect.x1, rect.y1) == pytest.approx((10, 10, 27, 20), abs=2 * UNIT)


def test_a_range_that_starts_on_white_space_is_located_at_its_first_ink() -> None:
    where = locate(two_page_layout(), 7, 11)
    assert (where.page_index, where.page_label, where.heading_path) == (2, "1", ("abc",))


def test_empty_ranges_and_ranges_without_ink_have_no_rectangles() -> None:
    assert rects(two_page_layout(), 3, 4) == ()
    assert rects(two_page_layout(), 5, 5) == ()
    assert locate(two_page_layout(), 3, 4).page_label == "iv"


def test_a_format_without_pages_gives_heading_and_line() -> None:
    layout = Layout(blocks=(Block(start=0, end=5, kind=BlockKind.PARAGRAPH, heading_path=("A", "B"), line=7),))
    assert locate(layout, 1, 3) == Location(heading_path=("A", "B"), line=7)
    assert locate(Layout(), 1, 3) == Location()


def test_positions_past_the_end_have_no_page_and_no_block() -> None:
    assert page_at(two_page_layout(), 15) is None
    assert block_at(two_page_layout(), 15) is None
    assert block_at(two_page_layout(), 3) == two_page_layout().blocks[1]


def one_page(boxes: list[Box | None]) -> Layout:
    return Layout(
        pages=(
            Page(index=0, label=None, start=0, end=len(boxes), width_pt=600, height_pt=800, boxes=encode_boxes(boxes)),
        )
    )


def test_two_columns_side_by_side_keep_two_rectangles() -> None:
    assert len(rects(one_page([*line(10, 10, 5), None, *line(300, 10, 5)]), 0, 11)) == 2


def test_letters_of_a_ligature_share_one_box_and_one_rectangle() -> None:
    shared_box = Box(10, 10, 18, 20)
    assert len(rects(one_page([shared_box, shared_box, shared_box]), 0, 3)) == 1


def test_text_that_runs_down_the_page_is_one_rectangle_per_column() -> None:
    down = [Box(50, 100 + 6.0 * i, 60, 105 + 6.0 * i) for i in range(6)]
    (rect,) = rects(one_page(down), 0, 6)
    assert (rect.y0, rect.y1) == pytest.approx((100, 135), abs=2 * UNIT)


def test_right_to_left_glyphs_merge_though_they_run_backwards() -> None:
    back = [Box(100 - 6.0 * i, 10, 105 - 6.0 * i, 20) for i in range(5)]
    (rect,) = rects(one_page(back), 0, 5)
    assert rect == Rect(page_index=0, x0=rect.x0, y0=rect.y0, x1=rect.x1, y1=rect.y1)
    assert (rect.x0, rect.x1) == pytest.approx((76, 105), abs=2 * UNIT)


@given(st.lists(st.none() | box(), min_size=1, max_size=40), st.data())
def test_rectangles_cover_every_box_of_the_range(boxes: list[Box | None], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(boxes)))
    end = data.draw(st.integers(start, len(boxes)))
    found = rects(one_page(boxes), start, end)
    for b in boxes[start:end]:
        if b is not None:
            assert any(
                r.x0 <= b.x0 + 0.01 and r.y0 <= b.y0 + 0.01 and r.x1 >= b.x1 - 0.01 and r.y1 >= b.y1 - 0.01
                for r in found
            )
