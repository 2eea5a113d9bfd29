"""The Harbourline sample library as files: listed, reproducible, and telling the stories that the demo asks for."""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from datetime import date
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path
from typing import Any

import docx
import pypdfium2
import pytest

from pincite.text.sentences import sentences as split_sentences
from pincite.types import Decision, VerdictLabel

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "src" / "pincite" / "sample" / "harbourline"
BUILDER = ROOT / "tools" / "build_sample.py"
MANIFEST: dict[str, Any] = tomllib.loads((LIBRARY / "library.toml").read_text(encoding="utf-8"))
DOCUMENTS: list[dict[str, Any]] = MANIFEST["document"]
PATHS = [entry["path"] for entry in DOCUMENTS]
FILES = [entry for entry in DOCUMENTS if not entry["path"].endswith(".jsonl")]
SCENES = [scene for scene in MANIFEST["scene"] if "draft" not in scene]
(DRAFT,) = [scene for scene in MANIFEST["scene"] if "draft" in scene]
BUILT: dict[str, str] = MANIFEST["build"]["sha256"]
MAKERS = ("python-docx", "reportlab")
DOCUMENT_KEYS = {
    "path", "document_id", "title", "tenant", "access", "effective_from", "effective_to", "supersedes",
    "version_label", "attributes",
}  # fmt: skip
SCENE_KEYS = {
    "name", "question", "tenant", "roles", "as_of", "attributes", "expect", "must_contain", "must_not_contain", "explain",
}  # fmt: skip
ABOUT_SEVERAL_POLICIES = re.compile(
    r"multi[-\s]?(?:policy|line|product)|multiple\s+(?:policies|products|contracts)|several\s+(?:policies|contracts)"
    r"|(?:more\s+than\s+one|two\s+or\s+more|second|another|other|all\s+(?:your|their))\s+(?:policy|policies)\b"
    r"|discount|rebate|bundl|price\s+reduction|loyalty|package\s+(?:price|deal)|combined\s+(?:policies|cover)|cheaper",
    re.IGNORECASE,
)


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)


def text_of(path: str, data: bytes) -> str:
    """The words of a file, read without our own parsers, white space made equal."""
    if path.endswith(".docx"):
        body = docx.Document(io.BytesIO(data)).element.body
        text = "\n".join(
            "".join(t.text or "" for t in p.iter() if t.tag.endswith("}t")) for p in body.iter() if p.tag.endswith("}p")
        )
    elif path.endswith(".pdf"):
        with pypdfium2.PdfDocument(data) as pdf:
            text = "\n".join(page.get_textpage().get_text_bounded() for page in pdf)
    elif path.endswith(".html"):
        words = _Words()
        words.feed(data.decode("utf-8"))
        text = " ".join(words.pieces)
    else:
        text = data.decode("utf-8")
    return " ".join(text.split())


TEXTS = {path: text_of(path, (LIBRARY / path).read_bytes()) for path in PATHS}


def rows_of(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (LIBRARY / path).read_text(encoding="utf-8").splitlines()]


def merged(path: str) -> dict[str, dict[str, str]]:
    """The latest state of each record, by table and key."""
    state: dict[str, dict[str, str]] = {}
    for row in rows_of(path):
        name = f"{row['table']}/{row['key']}"
        if row["op"] == "delete":
            del state[name]
        else:
            state[name] = {**state.get(name, {}), **row["data"]}
    return state


def in_force(entry: dict[str, Any], day: date) -> bool:
    superseded_from = [
        other["effective_from"] for other in FILES if other.get("supersedes") == entry.get("document_id")
    ]
    end = min([*superseded_from, entry.get("effective_to", date.max)])
    return bool(entry["effective_from"] <= day < end)


def visible_text(scene: dict[str, Any]) -> str:
    """Everything that the reader of a scene may see on its day, by an implementation of its own."""
    texts = []
    for entry in FILES:
        may_read = "access" not in entry or set(entry["access"]) & set(scene["roles"])
        fits = all(entry.get("attributes", {}).get(key, value) == value for key, value in scene["attributes"].items())
        if entry["tenant"] == scene["tenant"] and may_read and fits and in_force(entry, scene["as_of"]):
            texts.append(TEXTS[entry["path"]])
    if scene["tenant"] == "harbourline":
        texts += [
            " ".join(data.values()) for path in PATHS if path.endswith(".jsonl") for data in merged(path).values()
        ]
    return "\n".join(texts)


# --- the files -------------------------------------------------------------------------------------


def test_every_listed_file_exists_and_every_file_is_listed_once() -> None:
    on_disk = {path.relative_to(LIBRARY).as_posix() for path in LIBRARY.rglob("*") if path.is_file()}
    assert len(PATHS) == len(set(PATHS))
    assert set(PATHS) == on_disk - {"library.toml"}


def test_the_library_is_small_enough_to_ship_and_large_enough_to_show() -> None:
    assert sum(path.stat().st_size for path in LIBRARY.rglob("*") if path.is_file()) < 600_000
    assert len(FILES) >= 25
    assert {Path(path).suffix for path in PATHS} == {".md", ".html", ".docx", ".pdf", ".jsonl"}


@pytest.mark.parametrize("entry", FILES, ids=lambda entry: entry["path"])
def test_each_document_is_described_and_long_enough(entry: dict[str, Any]) -> None:
    assert entry.keys() <= DOCUMENT_KEYS
    assert entry.keys() >= {"path", "document_id", "title", "tenant", "effective_from", "version_label"}
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", entry["document_id"])
    assert entry["tenant"] in {"harbourline", "quayside"}
    assert entry.get("effective_to", date.max) > entry["effective_from"]
    assert 100 <= len(TEXTS[entry["path"]].split()) <= 1000


def test_document_ids_repeat_only_as_versions_on_other_days_and_supersedes_names_a_document() -> None:
    keys = [(entry["tenant"], entry["document_id"], entry["effective_from"]) for entry in FILES]
    assert len(keys) == len(set(keys))
    assert {entry["supersedes"] for entry in FILES if "supersedes" in entry} <= {
        entry["document_id"] for entry in FILES
    }


@pytest.mark.parametrize("entry", [e for e in FILES if e["path"].endswith(".md")], ids=lambda entry: entry["path"])
def test_front_matter_says_what_the_list_says(entry: dict[str, Any]) -> None:
    source = (LIBRARY / entry["path"]).read_text(encoding="utf-8")
    _, head, body = source.split("---\n", 2)
    declared = dict(re.findall(r"(?m)^(\w+): \"?([^\"\n]+)\"?$", head))
    expected = {
        key: str(entry[key])
        for key in ("title", "effective_from", "effective_to", "version_label", "supersedes")
        if key in entry
    }
    assert declared == expected
    assert body.startswith(f"# {entry['title']}\n")
    scope = dict(re.findall(r"(?m)^  (\w+): (.+)$", head))
    assert scope.items() <= entry.get("attributes", {}).items()


@pytest.mark.parametrize("entry", [e for e in FILES if e["path"].endswith(".html")], ids=lambda entry: entry["path"])
def test_html_heads_say_what_the_list_says(entry: dict[str, Any]) -> None:
    source = (LIBRARY / entry["path"]).read_text(encoding="utf-8")
    declared = dict(re.findall(r'<meta name="([\w-]+)" content="([^"]+)">', source))
    assert declared == {"version": entry["version_label"], "effective-date": str(entry["effective_from"])}
    assert f"<title>{entry['title']}</title>" in source


def test_made_files_are_the_docx_and_pdf_files_and_hash_to_what_is_recorded() -> None:
    assert set(BUILT) == {path for path in PATHS if path.endswith((".docx", ".pdf"))}
    assert {path: hashlib.sha256((LIBRARY / path).read_bytes()).hexdigest() for path in BUILT} == BUILT


def test_the_build_script_makes_the_committed_files(tmp_path: Path) -> None:
    """Byte for byte with the recorded versions of the makers; word for word, and twice the same, with others."""
    for run in ("one", "two"):
        command = [sys.executable, str(BUILDER), "--into", str(tmp_path / run)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
    same_makers = all(version(maker) == MANIFEST["build"][maker] for maker in MAKERS)
    for path in BUILT:
        one, two = ((tmp_path / run / path).read_bytes() for run in ("one", "two"))
        assert one == two
        assert text_of(path, one) == TEXTS[path]
        assert one == (LIBRARY / path).read_bytes() or not same_makers, path


def test_made_files_carry_no_clock() -> None:
    for path in BUILT:
        data = (LIBRARY / path).read_bytes()
        if path.endswith(".docx"):
            with zipfile.ZipFile(io.BytesIO(data)) as parts:
                assert {item.date_time for item in parts.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        else:
            with pypdfium2.PdfDocument(data) as pdf:
                assert pdf.get_metadata_value("CreationDate").startswith("D:2000")


def test_the_claims_procedure_has_roman_front_pages_an_outline_and_running_lines() -> None:
    with pypdfium2.PdfDocument((LIBRARY / "insurance/claims-handling-procedure.pdf").read_bytes()) as pdf:
        assert [pdf.get_page_label(index) for index in range(len(pdf))] == ["i", "ii", "1", "2"]
        assert len(list(pdf.get_toc())) > 10
        pages = [page.get_textpage().get_text_bounded() for page in pdf]
    assert all(
        "Claims Handling Procedure · Version 8.3" in page and "Harbourline Claims Department" in page for page in pages
    )


def test_the_newsletter_has_two_columns() -> None:
    with pypdfium2.PdfDocument((LIBRARY / "people/harbour-lights-2026-03.pdf").read_bytes()) as pdf:
        page = pdf[0]
        middle = page.get_width() / 2
        textpage = page.get_textpage()
        rects = [textpage.get_rect(index) for index in range(textpage.count_rects())]
    body = [(left, right) for left, bottom, right, top in rects if bottom > 60 and top < 700]
    assert sum(right < middle for _, right in body) > 20
    assert sum(left > middle for left, _ in body) > 20


def test_at_least_three_documents_have_tables_in_each_of_several_formats() -> None:
    markdown = sum("| --- |" in TEXTS[path] for path in PATHS if path.endswith(".md"))
    html = sum("<table>" in (LIBRARY / path).read_text(encoding="utf-8") for path in PATHS if path.endswith(".html"))
    word = sum(bool(docx.Document(str(LIBRARY / path)).tables) for path in PATHS if path.endswith(".docx"))
    assert (markdown >= 3, html >= 3, word >= 3) == (True, True, True)


# --- the stories -----------------------------------------------------------------------------------


def test_nothing_is_said_about_a_discount_or_about_holding_several_policies() -> None:
    assert {path: ABOUT_SEVERAL_POLICIES.findall(text) for path, text in TEXTS.items()} == {path: [] for path in TEXTS}


def test_only_the_memo_that_underwriters_read_knows_of_the_at_fault_loss() -> None:
    (memo,) = [entry for entry in FILES if "access" in entry]
    assert memo["access"] == ["underwriter"]
    knowing = {path for path, text in TEXTS.items() if re.search(r"at[- ]fault|surcharge|USD 280", text, re.IGNORECASE)}
    assert knowing == {memo["path"]}


def test_a_deleted_policy_and_claim_are_named_only_in_their_records() -> None:
    assert {path for path, text in TEXTS.items() if "40177" in text} == {"records/policies.jsonl"}
    assert {path for path, text in TEXTS.items() if "88517" in text} == {"records/claims.jsonl"}
    assert merged("records/policies.jsonl").keys() == {"policy/POL-55012", "policy/POL-61290"}
    assert merged("records/claims.jsonl").keys() == {"claim/88431", "claim/88502", "claim/88560"}


def test_updates_carry_only_changed_fields_and_merge_to_the_latest_state() -> None:
    claim = merged("records/claims.jsonl")["claim/88431"]
    assert (claim["kind"], claim["status"], claim["reserve"]) == ("water damage", "approved", "USD 24,000")
    assert merged("records/policies.jsonl")["policy/POL-55012"]["premium"] == "USD 5,100"
    for path in ("records/claims.jsonl", "records/policies.jsonl"):
        state: dict[str, dict[str, str]] = {}
        for row in rows_of(path):
            before = state.setdefault(row["key"], {})
            if row["op"] == "update":
                assert all(before.get(key) != value for key, value in row["data"].items())
            before.update(row.get("data", {}))


@pytest.mark.parametrize("path", ["records/claims.jsonl", "records/policies.jsonl"])
def test_change_records_are_in_order_and_well_formed(path: str) -> None:
    rows = rows_of(path)
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    assert [row["ts"] for row in rows] == sorted(row["ts"] for row in rows)
    for row in rows:
        assert row["op"] in {"insert", "update", "delete"}
        assert row.keys() == {"op", "table", "key", "seq", "ts"} | ({"data"} if row["op"] != "delete" else set())


def test_the_premium_parts_add_up() -> None:
    assert 620 + 280 == 5_100 - 4_200
    endorsement = TEXTS["insurance/pol-55012-endorsement-3.pdf"]
    assert (
        "because three vehicles were added to the schedule, which accounts for USD 620 of the increase." in endorsement
    )
    assert sum(map(int, re.findall(r"USD 1,[05]00 USD (\d{3})\b", endorsement))) == 620


# --- the scenes ------------------------------------------------------------------------------------


def test_scene_names_are_unique() -> None:
    names = [scene["name"] for scene in MANIFEST["scene"]]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene["name"])
def test_each_scene_is_well_formed(scene: dict[str, Any]) -> None:
    assert scene.keys() == SCENE_KEYS
    assert scene["question"].endswith("?")
    assert scene["tenant"] in {entry["tenant"] for entry in DOCUMENTS}
    assert scene["expect"] in set(Decision)
    assert type(scene["as_of"]) is date
    assert all(
        isinstance(word, str) and word for word in (*scene["roles"], *scene["must_contain"], *scene["must_not_contain"])
    )
    assert bool(scene["must_contain"]) == (scene["expect"] != "abstained")
    assert scene["explain"].endswith(".")


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene["name"])
def test_what_a_scene_must_show_can_be_read_by_its_reader_on_its_day(scene: dict[str, Any]) -> None:
    visible = visible_text(scene)
    assert [words for words in scene["must_contain"] if words not in visible] == []
    clashes = [(a, b) for a in scene["must_contain"] for b in scene["must_not_contain"] if b.casefold() in a.casefold()]
    assert clashes == []


def test_what_must_stay_hidden_is_out_of_the_readers_reach_where_code_can_promise_it() -> None:
    hidden = {
        "The same question from an adjuster": ["at-fault", "USD 280"],
        "Travel before the change": ["eight hours"],
        "Travel after the change": ["six hours"],
        "Annual leave in the Netherlands": ["earned leave"],
        "A cited answer": ["after 8 hours", "after 2 hours"],
        "A cancelled policy": ["2,980", "Tidewater"],
        "The other tenant": ["12 hours", "Harbourline"],
    }
    for scene in SCENES:
        for words in hidden.get(scene["name"], []):
            assert words in scene["must_not_contain"]
            assert words not in visible_text(scene)


def test_the_draft_has_a_verdict_and_a_fault_for_each_sentence_and_cites_given_passages() -> None:
    sentences = [DRAFT["draft"][span.start : span.end] for span in split_sentences(DRAFT["draft"])]
    assert len(sentences) == len(DRAFT["expect_verdicts"]) == len(DRAFT["faults"])
    assert set(DRAFT["expect_verdicts"]) <= set(VerdictLabel)
    assert [label == "supported" for label in DRAFT["expect_verdicts"]] == [not fault for fault in DRAFT["faults"]]
    for sentence in sentences:
        (marker,) = re.findall(r"\[(\d+)\]", sentence)
        assert 1 <= int(marker) <= len(DRAFT["passages"])


def test_true_sentences_of_the_draft_stand_in_the_passage_they_cite_and_faulty_ones_do_not() -> None:
    sentences = [DRAFT["draft"][span.start : span.end].strip() for span in split_sentences(DRAFT["draft"])]
    for sentence, fault in zip(sentences, DRAFT["faults"], strict=True):
        match = re.fullmatch(r"(.+?) \[(\d+)\]\.", sentence)
        assert match is not None
        cited = DRAFT["passages"][int(match[2]) - 1]["quote"]
        assert (f"{match[1]}." in cited) == (not fault)
        if fault == "wrong citation":
            assert any(f"{match[1]}." in passage["quote"] for passage in DRAFT["passages"])


def test_passages_of_the_draft_are_verbatim_paragraphs_of_documents_in_force() -> None:
    for passage in DRAFT["passages"]:
        entries = [
            entry
            for entry in FILES
            if entry["document_id"] == passage["document"] and in_force(entry, date(2026, 9, 1))
        ]
        assert len(entries) == 1
        for paragraph in passage["quote"].split("\n\n"):
            assert " ".join(paragraph.split()) in TEXTS[entries[0]["path"]]
