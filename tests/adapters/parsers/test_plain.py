from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.adapters.parsers.decoding import decode
from pincite.adapters.parsers.plain import PlainTextParser
from pincite.errors import ParseError
from pincite.protocols import ParseLimits
from pincite.types import Parsed


def parse_bytes(data: bytes) -> Parsed:
    return PlainTextParser().parse(data, source_name="x.txt", limits=ParseLimits())


def parse(source: str) -> Parsed:
    parsed = parse_bytes(source.encode())
    for run in parsed.layout.runs:
        length = run.end - run.start
        assert parsed.text[run.start : run.end] == source[run.source_start : run.source_start + length]
    return parsed


def lines(parsed: Parsed) -> list[tuple[str, int | None, str]]:
    return [(b.kind.value, b.line, parsed.text[b.start : b.end]) for b in parsed.layout.blocks]


def test_lines_broken_to_a_width_are_joined_and_short_lines_stay_lines() -> None:
    parsed = parse(
        "Refunds are paid within thirty days of the purchase, unless\nthe plan says otherwise. Starter plans have seven days\n"
        "only.\n\nHarbourline\n12 Quay Road\n\n- one item\n- another that is long enough to be broken at the width\n  of its text\n"
    )
    assert lines(parsed) == [
        ("paragraph", 1, "Refunds are paid within thirty days of the purchase, unless the plan says otherwise. Starter plans have seven days only."),
        ("paragraph", 5, "Harbourline"),
        ("paragraph", 6, "12 Quay Road"),
        ("list_item", 8, "- one item"),
        ("list_item", 9, "- another that is long enough to be broken at the width of its text"),
    ]  # fmt: skip


def test_underlined_lines_are_headings() -> None:
    parsed = parse("Rules\n=====\n\nOne.\n\nPart\n----\nTwo.\n")
    assert [(b.kind.value, b.heading_path) for b in parsed.layout.blocks] == [
        ("heading", ()),
        ("paragraph", ("Rules",)),
        ("heading", ("Rules",)),
        ("paragraph", ("Rules", "Part")),
    ]


@pytest.mark.parametrize(
    ("data", "text", "flags"),
    [
        ("naïve 5 €".encode(), "naïve 5 €", ()),
        ("naïve 5 €".encode("utf-8-sig"), "naïve 5 €", ()),
        ("naïve 5 €".encode("utf-16"), "naïve 5 €", ("decoded_as:utf-16-le",)),
        (b"\xfe\xff" + "naïve 5 €".encode("utf-16-be"), "naïve 5 €", ("decoded_as:utf-16-be",)),
        ("naïve 5 €".encode("utf-32"), "naïve 5 €", ("decoded_as:utf-32-le",)),
        ("plain text here".encode("utf-16-le"), "plain text here", ("decoded_as:utf-16-le",)),
        ("naïve 5 €".encode("cp1252"), "naïve 5 €", ("decoded_as:cp1252",)),
        ("größer é ü ".encode() + b"\xff", "größer é ü \ufffd", ("undecodable_bytes:1",)),
    ],
)
def test_encodings_are_told_apart_and_flagged(data: bytes, text: str, flags: tuple[str, ...]) -> None:
    parsed = parse_bytes(data)
    assert parsed.text == text
    assert parsed.flags == flags


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (b"\xff\xfe", "empty"),
        (b"\x00\x01\x02binary" * 9, "mislabelled"),
        (bytes(range(128, 256)) + bytes(32), "mislabelled"),
        (b"\x01\x02\x03\xff" * 50, "mislabelled"),
    ],
)
def test_what_is_no_text_is_an_error_that_says_so(data: bytes, code: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_bytes(data)
    assert caught.value.code == code
    assert caught.value.hint


def test_a_declared_encoding_that_is_no_text_codec_is_ignored() -> None:
    for name in ("rot13", "base64", "zip", "idna", "undefined", "x" * 500):
        assert decode("caf\xe9 au lait".encode("latin-1"), declared=name).text == "café au lait"


@given(st.text(alphabet="ab .,-=*1)\n\r\t\f\u00ad\u2028\u200b é😀", max_size=200))
def test_any_text_keeps_every_visible_character_in_order(source: str) -> None:
    try:
        parsed = parse(source)
    except ParseError:
        return
    unseen = str.maketrans("", "", "\u00ad")
    kept = "".join(parsed.text.split())
    rest = iter("".join(source.translate(unseen).split()))
    assert all(char in rest for char in kept)  # a subsequence: only underlines may be gone
    assert all(char in "=-" for char in rest)
