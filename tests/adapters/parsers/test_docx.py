from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from pincite.adapters.parsers.docx import DocxParser
from pincite.errors import ParseError
from pincite.protocols import ParseLimits
from pincite.types import Parsed

if TYPE_CHECKING:
    from pathlib import Path

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
NAMESPACES = (
    f'xmlns:w="{W}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml"'
)
RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def package(
    body: str, *, parts: dict[str, str] | None = None, relations: dict[str, tuple[str, str]] | None = None
) -> bytes:
    """A minimal DOCX: ``body`` inside w:body, other parts by name, relations of the main part by id."""
    files = {
        "_rels/.rels": f'<Relationships xmlns="{RELS}"><Relationship Id="r" Type="{KINDS}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{RELS}">'
        + "".join(
            f'<Relationship Id="{i}" Type="{KINDS}/{k}" Target="{t}"/>' for i, (k, t) in (relations or {}).items()
        )
        + "</Relationships>",
        **(parts or {}),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def p(*runs: str, properties: str = "") -> str:
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{''.join(runs)}</w:p>"


def r(text: str, properties: str = "") -> str:
    return f'<w:r>{f"<w:rPr>{properties}</w:rPr>" if properties else ""}<w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph_text(data: bytes, part: str) -> str:
    """Independent reading of what a run's ``source_start`` counts in."""
    name, _, number = part.partition("#p")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        root = etree.fromstring(archive.read(name))
    paragraph = root.findall(f".//{{{W}}}p")[int(number)]
    marks = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}
    text = ""
    for element in paragraph.iter():
        if next(element.iterancestors(f"{{{W}}}p"), None) is not paragraph or any(
            a.tag == f"{{{W}}}pPr" for a in element.iterancestors()
        ):
            continue
        kind = etree.QName(element).localname
        text += (element.text or "") if kind == "t" else marks.get(kind, "")
    return text


def parse(data: bytes) -> Parsed:
    parsed = DocxParser().parse(data, source_name="x.docx", limits=ParseLimits())
    texts = {part: paragraph_text(data, part) for part in {run.part for run in parsed.layout.runs}}
    for run in parsed.layout.runs:
        shown = texts[run.part][run.source_start : run.source_start + run.end - run.start]
        assert parsed.text[run.start : run.end] == shown
    return parsed


def blocks(parsed: Parsed) -> list[tuple[str, str]]:
    return [(block.kind.value, parsed.text[block.start : block.end]) for block in parsed.layout.blocks]


def synthetic(parsed: Parsed) -> str:
    covered = {index for run in parsed.layout.runs for index in range(run.start, run.end)}
    return "".join(char for index, char in enumerate(parsed.text) if index not in covered and not char.isspace())


def test_insertions_are_kept_and_deletions_and_moved_text_dropped() -> None:
    parsed = parse(
        package(
            p(
                r("Fee is "),
                "<w:del><w:r><w:delText>10</w:delText></w:r></w:del>",
                f"<w:ins>{r('20')}</w:ins>",
                r(" a month"),
                f"<w:moveFrom>{r(' gone')}</w:moveFrom>",
                f"<w:moveTo>{r(' here')}</w:moveTo>",
            )
        )
    )
    assert parsed.text == "Fee is 20 a month here"
    assert parsed.flags == ("tracked_deletions_dropped",)


@pytest.mark.parametrize(
    "properties", ["<w:vanish/>", '<w:vanish w:val="1"/>', '<w:sz w:val="2"/>', '<w:color w:val="FFFFFF"/>']
)
def test_hidden_text_is_dropped_and_flagged_and_does_not_shift_what_follows(properties: str) -> None:
    parsed = parse(package(p(r("a "), r("SECRET ", properties), r("b"))))
    assert parsed.text == "a b"
    assert parsed.flags == ("hidden_text_dropped",)


def test_text_hidden_by_its_style_is_dropped_unless_the_run_shows_it() -> None:
    styles = (
        f'<w:styles xmlns:w="{W}"><w:style w:type="paragraph" w:styleId="H"><w:basedOn w:val="B"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="B"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>'
    )
    body = p(r("no"), r("yes", '<w:vanish w:val="0"/>'), properties='<w:pStyle w:val="H"/>')
    assert parse(package(body, parts={"word/styles.xml": styles})).text == "yes"


def test_white_text_on_a_shaded_cell_is_seen() -> None:
    white = '<w:color w:val="FFFFFF"/>'
    cell = f'<w:tc><w:tcPr><w:shd w:fill="000000"/></w:tcPr>{p(r("Plan", white))}</w:tc>'
    body = f"<w:tbl><w:tr>{cell}{cell}</w:tr><w:tr><w:tc>{p(r('a'))}</w:tc><w:tc>{p(r('b'))}</w:tc></w:tr></w:tbl>"
    assert blocks(parse(package(body))) == [("table_header", "Plan | Plan"), ("table_row", "a | b")]


def test_struck_text_is_dropped_and_flagged() -> None:
    parsed = parse(package(p(r("old", "<w:strike/>"), r("new"))))
    assert parsed.text == "new"
    assert parsed.flags == ("struck_text_dropped",)


def test_text_boxes_and_content_controls_are_read_once() -> None:
    box = f"<w:txbxContent>{p(r('in the box'))}</w:txbxContent>"
    shape = (
        f"<w:r><mc:AlternateContent><mc:Choice Requires='wps'><wps:txbx>{box}</wps:txbx></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{p(r('controlled'))}</w:sdtContent></w:sdt>"
    inline = f"<w:sdt><w:sdtContent>{r('inline')}</w:sdtContent></w:sdt>"
    parsed = parse(package(p(r("before "), shape, r("after")) + control + p(inline)))
    assert parsed.text == "before after\n\nin the box\n\ncontrolled\n\ninline"


def test_a_field_shows_its_result_and_not_its_code() -> None:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    field = mark("begin") + "<w:r><w:instrText>PAGEREF x</w:instrText></w:r>" + mark("separate") + r("12") + mark("end")
    assert parse(package(p(r("page "), field, r(".")))).text == "page 12."


def test_breaks_tabs_hyphens_symbols_and_raised_digits() -> None:
    run = '<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:sym w:char="F0FE"/></w:r>'
    parsed = parse(package(p(run, r(" 10"), r("5", '<w:vertAlign w:val="superscript"/>'))))
    assert parsed.text == "a b\nc\u2011d☒ 10⁵"


NUMBERING = (
    f'<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="0">'
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2"/></w:lvl>'
    '<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl>'
    '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>'
    "</w:numbering>"
)


def item(text: str, level: int, num: int = 1) -> str:
    return p(r(text), properties=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num}"/></w:numPr>')


def test_automatic_numbers_are_rebuilt_and_covered_by_no_run() -> None:
    body = (
        item("a", 0)
        + item("b", 1)
        + item("c", 1)
        + item("d", 2)
        + item("e", 0)
        + item("f", 1)
        + item("g", 0, 2)
        + item("h", 0)
    )
    parsed = parse(package(body, parts={"word/numbering.xml": NUMBERING}))
    assert [text for _, text in blocks(parsed)] == ["1. a", "1.a b", "1.b c", "d", "2. e", "2.a f", "7. g", "8. h"]
    assert {kind for kind, _ in blocks(parsed)} == {"list_item"}
    assert synthetic(parsed) == "1.1.a1.b2.2.a7.8."


def test_the_numbers_of_a_hard_real_file_are_those_its_text_states(shared: Path) -> None:
    parsed = parse((shared / "docs/nasty/testWORD_override_list_numbering.docx").read_bytes())
    items = [text for kind, text in blocks(parsed) if kind == "list_item"]
    halves = [text.split(" ") for text in items if " " in text]
    right = [label for label, stated in halves if label == stated]
    assert {"1.a.II", "2.17", "2.18.2.1", "1st.2.2someOtherText.1"} <= set(right)
    assert len(halves) - len(right) == 1  # the file abbreviates one label that it states


def test_a_text_box_file_is_read_whole(shared: Path) -> None:
    data = (shared / "docs/nasty/textbox.docx").read_bytes()
    expected = json.loads((shared / "docs/nasty/manifest.json").read_text(encoding="utf-8"))
    assert any(entry["file"] == "textbox.docx" for entry in expected)
    plain = "".join(paragraph.text for paragraph in docx.Document(io.BytesIO(data)).paragraphs)
    shown = parse(data).text
    assert len(shown) > 5 * len(plain)
    assert "A report must be submitted within 24 hours" in shown


def test_numbered_headings_of_a_real_file_nest(shared: Path) -> None:
    parsed = parse((shared / "docs/docx/docling-project__unit_test_headers_numbered.docx").read_bytes())
    paths = [block.heading_path for block in parsed.layout.blocks]
    assert ("1. Section 1", "1.2. Section 1.2", "1.2.1. Section 1.2.3") in paths


def test_tables_have_rows_with_headers_spans_and_merged_cells() -> None:
    def tc(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(r(text))}{p(r('more')) if text == 'x' else ''}</w:tc>"

    wide, begins, goes_on = '<w:gridSpan w:val="2"/>', '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    rows = [
        f"<w:tr><w:trPr><w:tblHeader/></w:trPr>{tc('Plan')}{tc('Price', wide)}</w:tr>",
        f"<w:tr>{tc('A', begins)}{tc('1')}{tc('x')}</w:tr>",
        f"<w:tr>{tc('', goes_on)}{tc('3')}{tc('4')}</w:tr>",
        f"<w:tr><w:trPr><w:del/></w:trPr>{tc('gone')}{tc('5')}{tc('6')}</w:tr>",
    ]
    parsed = parse(package(f"<w:tbl>{''.join(rows)}</w:tbl>"))
    assert blocks(parsed) == [("table_header", "Plan | Price"), ("table_row", "A | 1 | x more"), ("table_row", "3 | 4")]
    assert [(c.column, c.header) for c in parsed.layout.blocks[2].cells] == [(1, "Price"), (2, "Price")]


def test_a_first_row_of_names_over_numbers_is_a_header_in_a_real_file(shared: Path) -> None:
    parsed = parse((shared / "docs/docx/docling-project__word_sample.docx").read_bytes())
    rows = [block for block in parsed.layout.blocks if block.kind.value == "table_row"]
    assert [cell.header for cell in rows[0].cells] == [None, "Food", "Calories per portion"]


def test_notes_are_numbered_and_footers_and_headers_stand_apart() -> None:
    note = f'<w:footnote w:id="2">{p(r("A note."))}</w:footnote>'
    body = p(r("Text"), '<w:r><w:footnoteReference w:id="2"/></w:r>', r(".")) + (
        '<w:sectPr><w:headerReference r:id="h"/><w:footerReference r:id="f"/></w:sectPr>'
    )
    parsed = parse(
        package(
            body,
            parts={
                "word/footnotes.xml": f"<w:footnotes {NAMESPACES}>{note}</w:footnotes>",
                "word/header1.xml": f"<w:hdr {NAMESPACES}>{p(r('Harbourline'))}</w:hdr>",
                "word/footer1.xml": f"<w:ftr {NAMESPACES}>{p(r('Page 1'))}</w:ftr>",
            },
            relations={
                "n": ("footnotes", "footnotes.xml"),
                "h": ("header", "header1.xml"),
                "f": ("footer", "footer1.xml"),
            },
        )
    )
    assert blocks(parsed) == [
        ("page_header", "Harbourline"),
        ("paragraph", "Text¹."),
        ("footnote", "¹ A note."),
        ("page_footer", "Page 1"),
    ]
    assert {run.part for run in parsed.layout.runs} == {
        "word/header1.xml#p0", "word/document.xml#p0", "word/footnotes.xml#p0", "word/footer1.xml#p0",
    }  # fmt: skip


def test_title_style_and_headings_by_style_name() -> None:
    styles = (
        f'<w:styles xmlns:w="{W}"><w:style w:styleId="T"><w:name w:val="Title"/></w:style>'
        '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>'
    )
    body = p(r("My policy"), properties='<w:pStyle w:val="T"/>') + p(
        r("Scope"), properties='<w:pStyle w:val="berschrift2"/>'
    )
    parsed = parse(package(body + p(r("x")), parts={"word/styles.xml": styles}))
    assert parsed.metadata["title"] == "My policy"
    assert parsed.layout.blocks[2].heading_path == ("My policy", "Scope")


def test_the_strict_variant_of_the_format_is_read() -> None:
    data = package(p(r("strict")))
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(W.encode(), b"http://purl.oclc.org/ooxml/wordprocessingml/main"))
    assert DocxParser().parse(buffer.getvalue(), source_name="x", limits=ParseLimits()).text == "strict"


def code_of(data: bytes, limits: ParseLimits | None = None) -> str:
    with pytest.raises(ParseError) as caught:
        DocxParser().parse(data, source_name="x.docx", limits=limits or ParseLimits())
    assert caught.value.hint
    return caught.value.code


def test_broken_and_hostile_packages_are_named() -> None:
    good = package(p(r("x")))
    assert code_of(b"") == "empty"
    assert code_of(b"plain text") == "mislabelled"
    assert code_of(good[: len(good) // 2]) == "corrupt"
    assert code_of(package("<w:p>")) == "corrupt"
    assert code_of(package(p(r("")))) == "no_text"
    assert code_of(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")) == "needs_password"
    assert code_of(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old word file") == "mislabelled"


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = package(p(r("x")), parts={"word/media/bomb.bin": "0" * 30_000_000})
    assert len(bomb) < 40_000
    assert code_of(bomb) == "limit"


def test_entities_are_never_expanded_nor_files_read() -> None:
    evil = '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    document = f"{evil}<w:document xmlns:w='{W}'><w:body><w:p><w:r><w:t>&b;&f;</w:t></w:r></w:p></w:body></w:document>"
    assert code_of(package("", parts={"word/document.xml": document})) == "corrupt"


def test_too_much_text_is_a_limit() -> None:
    assert code_of(package(p(r("x" * 5000))), ParseLimits(max_text_chars=4000)) == "limit"


pieces = st.sampled_from(
    [r("a b"), r(" "), r("c", "<w:vanish/>"), r("5", '<w:vertAlign w:val="superscript"/>'), f"<w:ins>{r('i')}</w:ins>",
     "<w:del><w:r><w:delText>d</w:delText></w:r></w:del>", "<w:r><w:tab/><w:br/></w:r>", f"<w:hyperlink>{r('link')}</w:hyperlink>",
     "<w:r><w:t>é😀</w:t><w:noBreakHyphen/></w:r>", f"<w:moveFrom>{r('m')}</w:moveFrom>"]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(pieces, max_size=8), min_size=1, max_size=4))
def test_any_mixture_of_runs_maps_back_exactly(paragraphs: list[list[str]]) -> None:
    data = package("".join(p(*runs) for runs in paragraphs) + p(r("end")))
    parsed = parse(data)
    assert "c" not in parsed.text
    assert "d" not in parsed.text.removesuffix("end")
