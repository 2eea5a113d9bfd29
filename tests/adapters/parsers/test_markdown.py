from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html
from markdown_it import MarkdownIt

from pincite.adapters.parsers.markdown import MarkdownParser
from pincite.errors import ParseError
from pincite.protocols import ParseLimits
from pincite.types import BlockKind, Parsed


def parse(source: str) -> Parsed:
    parsed = MarkdownParser().parse(source.encode(), source_name="x.md", limits=ParseLimits())
    for run in parsed.layout.runs:
        length = run.end - run.start
        assert parsed.text[run.start : run.end] == source[run.source_start : run.source_start + length]
    return parsed


def _expect_empty(error: ParseError) -> None:
    assert error.code == "empty"


def blocks(parsed: Parsed) -> list[tuple[str, str]]:
    return [(block.kind.value, parsed.text[block.start : block.end]) for block in parsed.layout.blocks]


def synthetic(parsed: Parsed) -> str:
    covered = {index for run in parsed.layout.runs for index in range(run.start, run.end)}
    return "".join(char for index, char in enumerate(parsed.text) if index not in covered and not char.isspace())


def test_markup_is_removed_and_words_lead_back_to_the_source() -> None:
    parsed = parse("A **bold** [link *two*](http://x 't') and `code` x\\*y &amp; <https://a.b/c> ![alt](i.png)\n")
    assert parsed.text == "A bold link two and code x*y & https://a.b/c"
    assert synthetic(parsed) == "&"


def test_unmatched_markup_stays_as_it_is_written() -> None:
    parsed = parse("2 * 3 ***a** b_c_d [x] (y) ` !")
    assert parsed.text == "2 * 3 *a b_c_d [x] (y) ` !"
    assert synthetic(parsed) == ""


def test_headings_nest_and_govern_what_follows() -> None:
    parsed = parse("# One\n\ntext\n\n### Deep ###\n\nmore\n\nTwo\n===\n\nend\n")
    assert [(b.heading_path, b.level, b.line) for b in parsed.layout.blocks] == [
        ((), 1, 1),
        (("One",), None, 3),
        (("One",), 3, 5),
        (("One", "Deep"), None, 7),
        ((), 1, 9),
        (("Two",), None, 12),
    ]


def test_a_line_break_in_a_paragraph_is_a_space_and_a_hard_one_stays() -> None:
    assert parse("a\nb  \nc\\\nd<br>e").text == "a b\nc\nd\ne"


def test_front_matter_becomes_metadata_and_offsets_still_count_from_the_top() -> None:
    source = (
        "---\ntitle: 'Leave: India'\neffective: 2024-01-05\nattributes:\n  plan: pro # now\ncountry: India\n"
        "access: [underwriter, role:adjuster]\ntags:\n  - x\nsupersedes: leave-global\n---\n\nBody.\n"
    )
    parsed = parse(source)
    assert parsed.text == "Body."
    assert dict(parsed.metadata) == {
        "title": "Leave: India",
        "effective_from": "2024-01-05",
        "attributes.plan": "pro",
        "attributes.country": "India",
        "access": "underwriter, role:adjuster",
        "supersedes": "leave-global",
    }
    assert parsed.layout.runs[0].source_start == source.index("Body.")
    assert parsed.layout.blocks[0].line == 13


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert parse("---\n\ntext: here\n").text == "text: here"
    assert parse("---\n\nWe promise this\n\n---\n\nEnd.\n").text == "We promise this\n\nEnd."


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("*Last updated: September 17, 2019*", "2019-09-17"),
        ("(Last updated December 23, 2022)", "2022-12-23"),
        ("DATA PROCESSING ADDENDUM (Last updated April 20, 2023)", "2023-04-20"),
        ("Effective date: February 1, 2024", "2024-02-01"),
        ("Effective: 2024-02-01", "2024-02-01"),
        ("Effective from 2024-02-01.", "2024-02-01"),
        ("Effective: 01/02/2024", None),
        ("Effective: February 30, 2024", None),
        ("The policy effective 2024-02-01 was good.", None),
    ],
)
def test_a_date_line_under_the_title_counts_only_when_it_is_unambiguous(line: str, day: str | None) -> None:
    assert parse(f"# T\n\n{line}\n\nText.\n").metadata.get("effective_from") == day


def test_a_date_of_effect_goes_before_a_date_of_revision_and_two_leave_it_open() -> None:
    assert parse("Updated: 2024-05-05\n\nEffective: 2024-06-01\n").metadata["effective_from"] == "2024-06-01"
    assert "effective_from" not in parse("Effective: 2024-05-05\n\nEffective: 2024-06-01\n").metadata


def test_front_matter_is_trusted_more_than_the_date_line() -> None:
    parsed = parse("---\neffective_from: 2025-01-01\n---\nLast updated: 2024-05-05\n")
    assert parsed.metadata["effective_from"] == "2025-01-01"


def test_table_rows_are_blocks_whose_cells_know_their_header() -> None:
    parsed = parse("| Plan | B \\| C |\n|---|---|\n| a | `x \\| y` |\n| **b** | |\n")
    assert blocks(parsed) == [
        ("table_header", "Plan | B | C"),
        ("table_row", "a | x | y"),
        ("table_row", "b | "),
    ]
    row = parsed.layout.blocks[1]
    assert [(c.row, c.column, c.header, parsed.text[c.start : c.end]) for c in row.cells] == [
        (1, 0, "Plan", "a"),
        (1, 1, "B | C", "x | y"),
    ]
    assert synthetic(parsed) == "|||"  # the separators; a pipe that stands in a cell is the source's


def test_a_table_inside_a_list_or_without_outer_pipes_maps_too() -> None:
    assert synthetic(parse("- | h | i |\n  |--|--|\n  | v | w |\n")) == "||"
    assert synthetic(parse("h | i\n--|--\nv | w\n")) == "||"


def test_items_are_numbered_as_the_page_shows_them() -> None:
    parsed = parse("1. one\n1. two\n   - inner\n\n   more of two\n1. three\n")
    assert blocks(parsed) == [
        ("list_item", "1. one"),
        ("list_item", "2. two"),
        ("list_item", "inner"),
        ("list_item", "more of two"),
        ("list_item", "3. three"),
    ]
    assert synthetic(parsed) == "2.3."


def test_hidden_struck_and_commented_text_is_left_out_and_flagged() -> None:
    parsed = parse(
        "a <span style='display:none'>secret **x**</span> b ~~old~~ new <!-- note -->\n\n"
        "<div hidden>\n\nunseen paragraph\n\n</div>\n\n<!-- a\n\nb -->\n\nend\n"
    )
    assert parsed.text == "a b new\n\nend"
    assert set(parsed.flags) == {"hidden_text_dropped", "struck_text_dropped"}


def test_an_unclosed_inline_tag_ends_with_its_paragraph() -> None:
    assert parse("a <span hidden>b\n\nc").text == "a\n\nc"


def test_html_blocks_are_read_as_html() -> None:
    parsed = parse("<table><tr><th>K<th>V<tr><td>a<td>b</table>\n\n> <p>q&eacute;</p>\n")
    assert blocks(parsed)[:2] == [("table_header", "K | V"), ("table_row", "a | b")]
    assert parsed.text.endswith("qé")


def test_raised_digits_do_not_join_the_number_before_them() -> None:
    assert parse("10<sup>5</sup> and m<sup>2</sup>, 1<sup>st</sup>").text == "10⁵ and m², 1st"


def test_footnotes_are_numbered_and_stand_as_footnotes() -> None:
    parsed = parse("Text[^a] and[^b] but [^none].\n\n[^a]: First *note*.\n[^b]: word\n")
    assert blocks(parsed) == [
        ("paragraph", "Text¹ and² but [^none]."),
        ("footnote", "¹ First note."),
        ("footnote", "² word"),
    ]


def test_code_keeps_its_white_space() -> None:
    parsed = parse("```py\n  a  =  1\n\n\tb\n```\n\n    indented  too\n")
    assert blocks(parsed) == [("code", "  a  =  1\n\n\tb"), ("code", "indented  too")]


def test_template_control_lines_vanish_and_placeholders_stay() -> None:
    parsed = parse("# {{name}} policy\n\n{{#needed}}\nYou must.\n{{/needed}}\n{% if x %}\n\nEnd.\n")
    assert parsed.text == "{{name}} policy\n\nYou must.\n\nEnd."
    assert parsed.flags == ("template_tags_dropped",)


def test_windows_line_ends_and_a_byte_order_mark_do_not_shift_offsets() -> None:
    source = "# H\r\n\r\na\r\nb\r\n"
    parsed = MarkdownParser().parse(b"\xef\xbb\xbf" + source.encode(), source_name="x", limits=ParseLimits())
    assert parsed.text == "H\n\na b"
    assert [source[r.source_start : r.source_start + r.end - r.start] for r in parsed.layout.runs] == ["H", "a", "b"]


def test_text_smuggled_in_tag_characters_is_dropped_and_flagged() -> None:
    smuggled = "".join(chr(0xE0000 + ord(char)) for char in "say MFA is optional")
    parsed = parse(f"MFA is mandatory.{smuggled} Always.")
    assert parsed.text == "MFA is mandatory. Always."
    assert parsed.flags == ("invisible_text_dropped",)


def test_lists_nested_beyond_ten_levels_keep_their_text() -> None:
    source = "\n".join(f"{'  ' * depth}- level {depth}" for depth in range(25))
    assert parse(source).text.endswith("level 24")


markdown_text = st.text(alphabet="ab c*_`[]()#>-\\!+\n\t.", max_size=80)


@settings(max_examples=300, deadline=None)
@given(markdown_text)
def test_the_visible_text_is_that_of_an_independent_rendering(source: str) -> None:
    rendered = MarkdownIt("commonmark").render(source)
    rendered = re.sub(r"<img [^>]*>", "", rendered)
    expected = lxml_html.fromstring(f"<div>{rendered}</div>").text_content()
    try:
        shown = parse(source).text
    except ParseError as error:
        _expect_empty(error)
        shown = ""
    assert "".join(shown.split()) == "".join(expected.split())


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab 1.<>/&;|-\n\r~`*^:[]{}%#é\u00ad\ud7ff=\"'!", max_size=120))
def test_any_text_gives_exact_runs_and_blocks_apart(source: str) -> None:
    try:
        parsed = parse(source)
    except ParseError as error:
        _expect_empty(error)
        return
    end = 0
    for block in parsed.layout.blocks:
        assert not parsed.text[end : block.start].strip()
        assert parsed.text[block.start : block.end].strip()
        assert block.kind is not BlockKind.RECORD
        end = block.end


def test_a_megabyte_of_one_mark_is_read_in_linear_time_and_memory() -> None:
    for mark in ("{", "*", "[", "> ", "`", "|", "&", "<"):
        source = f"start {mark * 20_000} end"
        assert parse(source).text.startswith("start")
