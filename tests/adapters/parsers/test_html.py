from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.adapters.parsers.html import HtmlParser
from pincite.errors import ParseError
from pincite.protocols import ParseLimits
from pincite.types import Parsed


def parse(source: str) -> Parsed:
    parsed = HtmlParser().parse(source.encode(), source_name="x.html", limits=ParseLimits())
    for run in parsed.layout.runs:
        length = run.end - run.start
        assert parsed.text[run.start : run.end] == source[run.source_start : run.source_start + length]
    return parsed


def _expect_empty(error: ParseError) -> None:
    assert error.code == "empty"


def blocks(parsed: Parsed) -> list[tuple[str, str]]:
    return [(block.kind.value, parsed.text[block.start : block.end]) for block in parsed.layout.blocks]


def test_white_space_collapses_entities_are_read_and_inline_tags_join_words() -> None:
    assert parse("<p>a  \n b&nbsp;c&rsquo;s <b>bo</b>ld &#8364;5 AT&T &amp;lt; &unknown; 3 < 4").text == (
        "a b\xa0c’s bold €5 AT&T &lt; &unknown; 3 < 4"
    )


def test_headings_paths_and_lines() -> None:
    parsed = parse("<title>T &amp; U</title>\n<h1>A</h1>\n<p>x</p>\n<h3>B</h3>\n<div>y</div>")
    assert [(b.heading_path, b.level, b.line) for b in parsed.layout.blocks] == [
        ((), 1, 2),
        (("A",), None, 3),
        (("A",), 3, 4),
        (("A", "B"), None, 5),
    ]
    assert parsed.metadata["title"] == "T & U"


def test_scripts_navigation_and_controls_are_dropped() -> None:
    parsed = parse(
        "<script>if (a<b) '</p>'</script><style>p{}</style><nav>menu</nav><div role=navigation>more</div>"
        "<button>Go</button><template>t</template><noscript>n</noscript><svg><title>s</title><text>v</text></svg>"
        "<select><option>o</select><textarea>t</textarea><iframe>i</iframe><p>text</p>"
    )
    assert parsed.text == "text"


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>no</p>",
        "<div style='display: none'><p>no</p></div>",
        '<span style="color:red; VISIBILITY:hidden">no</span>',
        "<p style='font-size:0'>no</p>",
        "<p style='opacity: 0;'>no</p>",
        "<p style='font-size:0px !important'>no</p>",
        "<p style='position:absolute;left:-9999px'>no</p>",
        "<p style='color:#FFF;background-color: white'>no</p>",
        "<p style='color: transparent'>no</p>",
        "<p class='a secret'>no</p>",
        "<p id=gone>no</p>",
        "<p hidden>no<p hidden>no",
        "<span hidden><div>no</div></span>",
    ],
)
def test_hidden_text_is_dropped_and_flagged(hidden: str) -> None:
    sheet = "<style>.x, .secret{display:none} #gone{visibility:hidden} @media print{.shown{display:none}}</style>"
    parsed = parse(f"{sheet}<p class=shown>before</p>{hidden}<p>after</p>")
    assert parsed.text == "before\n\nafter"
    assert parsed.flags == ("hidden_text_dropped",)


def test_a_mismatched_end_tag_does_not_unhide() -> None:
    assert parse("<span><div style='display:none'>a</span>b</div>c").text == "c"


def test_text_that_merely_mentions_hiding_stays() -> None:
    assert (
        parse("<p style='opacity:0.5;margin-left:-20px'>a<p style='font-size:0.9em;color:#fff;background:#000'>b").text
        == "a\n\nb"
    )


def test_struck_text_is_dropped_and_flagged() -> None:
    parsed = parse("<p>The fee is <del>4,200</del> <ins>5,100</ins>.")
    assert parsed.text == "The fee is 5,100."
    assert parsed.flags == ("struck_text_dropped",)


def test_lists_are_numbered_as_shown_and_bullets_are_not() -> None:
    parsed = parse("<ol start=3><li>x<li value=9>y<ul><li>z</ul></ol><ol type=a><li>p<li>q</ol>")
    assert blocks(parsed) == [
        ("list_item", "3. x"),
        ("list_item", "9. y"),
        ("list_item", "z"),
        ("list_item", "a. p"),
        ("list_item", "b. q"),
    ]


def test_cells_carry_their_column_headers_through_spans() -> None:
    parsed = parse(
        "<table><caption>Cap</caption><thead><tr><th rowspan=2>A<th colspan=2>B<tr><th>b1<th>b2</thead>"
        "<tr><td>1<td>2<td>3<tr><td rowspan=2>r<td>4<td>5<tr><td>6<td>7</table>"
    )
    assert blocks(parsed) == [
        ("caption", "Cap"),
        ("table_header", "A | B"),
        ("table_header", "b1 | b2"),
        ("table_row", "1 | 2 | 3"),
        ("table_row", "r | 4 | 5"),
        ("table_row", "6 | 7"),
    ]
    cells = [(c.header, parsed.text[c.start : c.end]) for b in parsed.layout.blocks[3:] for c in b.cells]
    assert cells == [
        ("A", "1"), ("B / b1", "2"), ("B / b2", "3"),
        ("A", "r"), ("B / b1", "4"), ("B / b2", "5"),
        ("B / b1", "6"), ("B / b2", "7"),
    ]  # fmt: skip


def test_a_header_at_the_start_of_a_row_names_its_values() -> None:
    parsed = parse("<table><tr><th colspan=2>Duck<tr><th>Kingdom<td>Animalia</table>")
    assert [(c.header, parsed.text[c.start : c.end]) for c in parsed.layout.blocks[1].cells] == [
        (None, "Kingdom"),
        ("Kingdom", "Animalia"),
    ]


def test_a_label_with_a_colon_names_the_value_beside_it() -> None:
    parsed = parse("<table><tr><td>Kingdom:<td>Animalia<tr><td>note<td>x</table>")
    cells = [(c.header, parsed.text[c.start : c.end]) for b in parsed.layout.blocks for c in b.cells]
    assert cells == [(None, "Kingdom:"), ("Kingdom", "Animalia"), (None, "note"), (None, "x")]


def test_tables_that_only_arrange_the_page_are_no_rows() -> None:
    parsed = parse(
        "<table><tr><td>intro<h2>Lay</h2><p>text</p></td><td>side</td></tr></table><table><tr><td><p>a<p>b</table>"
    )
    assert blocks(parsed) == [
        ("paragraph", "intro"),
        ("heading", "Lay"),
        ("paragraph", "text"),
        ("paragraph", "side"),
        ("paragraph", "a"),
        ("paragraph", "b"),
    ]


def test_a_table_inside_a_cell_is_text_of_the_cell() -> None:
    parsed = parse("<table><tr><th>H<th>I<tr><td><table><tr><td>a<td>b</table><td>c</table>")
    assert blocks(parsed)[1] == ("table_row", "a b | c")


def test_what_stands_outside_main_is_page_furniture() -> None:
    parsed = parse("<body><div>top</div><main><h1>H</h1><p>text</p></main><div>bottom</div>")
    assert [b.kind.value for b in parsed.layout.blocks] == ["page_header", "heading", "paragraph", "page_footer"]


def test_the_headers_and_footers_of_the_page_are_furniture_and_those_of_a_section_are_not() -> None:
    parsed = parse(
        "<header><h1>Rules</h1><p>slogan</p></header><article><header>By A.</header><p>text</p></article><footer>(c)</footer>"
    )
    assert blocks(parsed) == [
        ("heading", "Rules"),
        ("page_header", "slogan"),
        ("paragraph", "By A."),
        ("paragraph", "text"),
        ("page_footer", "(c)"),
    ]


def test_rows_inside_list_items_are_rows() -> None:
    parsed = parse("<ul><li><table><tr><th>A<th>B<tr><td>1<td>2</table></ul>")
    assert [kind for kind, _ in blocks(parsed)] == ["table_header", "table_row"]


def test_raised_digits_breaks_quotes_and_preformatted_text() -> None:
    parsed = parse("<p>10<sup>5</sup> m<sup>2</sup> 1<sup>st</sup><br>next <q>said</q></p><pre>\n a  b\n c</pre>")
    assert parsed.text == "10⁵ m² 1st\nnext “said”\n\n a  b\n c"


def test_the_head_declares_language_author_and_date() -> None:
    parsed = parse(
        '<html lang="de-AT"><meta name=author content="A. B."><meta name="effective-date" content="2024-02-01"><p>x y'
    )
    assert dict(parsed.metadata) == {"language": "de-AT", "author": "A. B.", "effective_from": "2024-02-01"}


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ('<meta charset="iso-8859-1"><p>caf\xe9 d\xe9j\xe0 vu'.encode("latin-1"), "café déjà vu"),
        ("<p>Привет мир, это текст".encode("koi8-r"), None),
        ('<meta http-equiv=x content="text/html; charset=koi8-r"><p>Привет'.encode("koi8-r"), "Привет"),
        ("<p>naïve".encode("utf-16"), "naïve"),
        (b"\xef\xbb\xbf<p>na\xc3\xafve", "naïve"),
        (b"<p>50 \x80", "50 €"),
    ],
)
def test_encodings_are_read_from_marks_and_declarations(data: bytes, text: str | None) -> None:
    parsed = HtmlParser().parse(data, source_name="x", limits=ParseLimits())
    if text is not None:
        assert parsed.text == text
    else:
        assert any(flag.startswith("decoded_as") for flag in parsed.flags)


@pytest.mark.parametrize("source", ["<script>x", "<!-- never closed <p>x", "<p", "<a href='x", "", "  ", "<p hidden>x"])
def test_a_page_without_visible_text_is_an_error(source: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(source)
    assert caught.value.code == "empty"
    assert caught.value.hint


def test_stray_marks_that_break_other_parsers_do_no_harm() -> None:
    assert parse("<p>a &# b <![foo bar]> c <?php x ?> d </ > e <> f</p>").text == "a &# b c d e <> f"


words = st.text(alphabet="abcé ", min_size=1, max_size=6).map(lambda w: " ".join(w.split())).filter(bool)
shown = words.map(lambda w: (w, w))
secret = st.sampled_from(["hidden", "style='display:none'"]).map(lambda a: (f"<div {a}>SECRET</div>", ""))


def wrapped(children: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[tuple[str, str]]:
    tags = st.sampled_from(["div", "b", "ul", "blockquote", "section", "i", "h2", "span"])
    many = st.lists(children, min_size=1, max_size=3)
    return st.tuples(tags, many).map(
        lambda t: (f"<{t[0]}>" + " ".join(c[0] for c in t[1]) + f"</{t[0]}>", " ".join(c[1] for c in t[1]))
    )


@settings(max_examples=200, deadline=None)
@given(st.recursive(shown | secret, wrapped, max_leaves=12))
def test_every_visible_word_of_any_tree_is_kept_in_order_and_no_hidden_one(tree: tuple[str, str]) -> None:
    source, expected = tree
    if not expected.strip():
        return
    parsed = parse(source)
    assert "SECRET" not in parsed.text
    assert parsed.text.split() == expected.split()


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["<p>", "</p>", "<table>", "</table>", "<tr>", "<td>", "</td>", "<th>", "<h1>", "</h1>", "<li>", "<ol>", "</ol>",
             "<div hidden>", "</div>", "<b>", "</b>", "<sup>2</sup>", "&amp;", "&", "<", "a", " b\n", "<br>", "<pre>", "<q>",
             "</q>", "<script>", "</script>", "<!--", "-->", "'", '"', ">", "<main>", "</main>", "\r\n", "<td colspan=3>"]
        ),
        max_size=40,
    ).map("".join)
)  # fmt: skip
def test_any_tag_soup_gives_exact_runs_and_blocks_apart(source: str) -> None:
    try:
        parsed = parse(source)
    except ParseError as error:
        _expect_empty(error)
        return
    end = 0
    for block in parsed.layout.blocks:
        assert not parsed.text[end : block.start].strip()
        assert parsed.text[block.start : block.end].strip()
        end = block.end


def test_deep_nesting_is_read_without_recursion() -> None:
    assert parse("<div>" * 50_000 + "x").text == "x"
    assert parse("<table><tr><td>" * 5_000 + "x").text == "x"
