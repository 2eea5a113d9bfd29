"""Bad input through the real command: named, with what to do, and never a traceback."""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

QUESTION = "How long may customers on the Enterprise plan ask for a refund?"


def library_of(folder: Path) -> tuple[str, str]:
    return "--library", str(folder / "library")


# --- questions


@pytest.mark.parametrize("question", ["", "  ", "\n\t\u00a0"])
def test_an_empty_question_is_refused_by_name(command: Any, small: Path, question: str) -> None:
    done = command("ask", question, *library_of(small))
    assert (done.code, "empty_question" in done.out) == (4, True)


def test_a_very_long_question_is_refused_with_what_to_do(command: Any, small: Path) -> None:
    done = command("ask", "refund " * 150_000, *library_of(small))
    assert (done.code, done.out) == (2, "")
    assert "10,000 is the most" in done.err
    assert "pincite ingest" in done.err


def test_a_question_that_is_not_utf_8_is_named(pincite: Any, small: Path) -> None:
    done = pincite("ask", b"How long is the refund \xff\xfe?", *library_of(small))
    assert (done.code, done.out) == (2, "")
    assert "not valid Unicode" in done.err


def test_an_empty_library_is_refused_by_name(command: Any, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    made = command("ingest", str(tmp_path / "nothing"), "--library", str(tmp_path / "library"))
    assert (made.code, "nothing found" in made.out) == (0, True)
    done = command("ask", QUESTION, *library_of(tmp_path))
    assert (done.code, "empty_library" in done.out) == (4, True)
    assert command("list", *library_of(tmp_path)).code == 0


@pytest.mark.parametrize(
    "arguments", [("ask", QUESTION), ("list",), ("show", "x"), ("remove", "x"), ("audit", "verify")]
)
def test_no_library_is_named_and_not_made(command: Any, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = command(*arguments, *library_of(tmp_path))
    assert (done.code, done.out) == (2, "")
    assert f"there is no library in {tmp_path / 'library'}" in done.err
    assert not (tmp_path / "library").exists()


@pytest.mark.parametrize("who", [("--tenant", "nobody"), ("--tenant", "'; DROP TABLE versions"), ("--tenant", "")])
def test_an_unknown_tenant_gets_nothing_and_no_error(command: Any, small: Path, who: tuple[str, ...]) -> None:
    done = command("ask", QUESTION, *library_of(small), *who)
    assert (done.code, done.err) == (4, "")
    assert "refunds" not in done.out
    assert command("list", *library_of(small), *who, "--json").json == []


def test_an_unknown_role_sees_what_everyone_sees(command: Any, small: Path) -> None:
    assert command("ask", QUESTION, *library_of(small), "--role", "no-such-role").code == 0
    assert (
        command("list", *library_of(small), "--role", "", "--json").json
        == command("list", *library_of(small), "--json").json
    )


# --- files


def image_only_pdf() -> bytes:
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    png = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
        "0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
    )
    out = io.BytesIO()
    canvas = Canvas(out, invariant=True)
    canvas.drawImage(ImageReader(io.BytesIO(png)), 0, 0, 400, 400)
    canvas.save()
    return out.getvalue()


def text_pdf() -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, invariant=True)
    canvas.drawString(72, 700, "The garage closes at 22:00.")
    canvas.save()
    return out.getvalue()


def zip_bomb_docx() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", b"<w:p>" + b" " * 300_000_000)
    return out.getvalue()


def encrypted_docx() -> bytes:
    return bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504) + "EncryptedPackage".encode("utf-16-le") + bytes(1024)


def test_bad_files_are_named_with_reason_and_hint_and_the_rest_goes_in(
    command: Any, tmp_path: Path, shared: Path
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    bad = {
        "encrypted.pdf": ((shared / "docs" / "nasty" / "r6-user-password.pdf").read_bytes(), "needs_password"),
        "encrypted.docx": (encrypted_docx(), "needs_password"),
        "truncated.pdf": (text_pdf()[:300], "corrupt"),
        "truncated.docx": (zip_bomb_docx()[:2000], "corrupt"),
        "zero.md": (b"", "empty"),
        "zero.pdf": (b"", "empty"),
        "scan.pdf": (image_only_pdf(), "no_text"),
        "picture.pdf": (b"\x89PNG\r\n\x1a\n" + bytes(64), "mislabelled"),
        "bomb.docx": (zip_bomb_docx(), "limit"),
        "program.exe": (b"MZ" + bytes(300), "unsupported"),
        "noise.txt": (bytes(range(256)) * 8, None),
    }
    for name, (data, _) in bad.items():
        (docs / name).write_bytes(data)
    (docs / "good.md").write_text("# Parking\n\nVisitors park on level 2.\n", encoding="utf-8")
    done = command("ingest", str(docs), *library_of(tmp_path), "--json")
    rows = {Path(row["path"]).name: row for row in done.json["rows"]}
    assert done.code == 3
    assert rows["good.md"]["outcome"] == "added"
    for name, (_, code) in bad.items():
        assert rows[name]["outcome"] == "failed", name
        assert code is None or rows[name]["code"] == code, (name, rows[name])
        assert rows[name]["reason"], name
        assert rows[name]["hint"], name
    assert command("ask", "Where do visitors park?", *library_of(tmp_path)).code == 0
    text = command("ingest", str(docs), *library_of(tmp_path))
    assert text.code == 3
    assert all(f"{docs / name} did not go in: " in text.out for name in bad)


def test_a_folder_with_a_loop_of_links_ends_and_each_file_goes_in_once(command: Any, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    (docs / "inner").mkdir(parents=True)
    (docs / "inner" / "a.md").write_text("# A\n\nVisitors park on level 2.\n", encoding="utf-8")
    (docs / "inner" / "up").symlink_to(docs, target_is_directory=True)
    (docs / "self").symlink_to(docs / "self")
    (docs / "broken.md").symlink_to(docs / "nowhere.md")
    os.mkfifo(docs / "pipe.md")
    done = command("ingest", str(docs), *library_of(tmp_path), "--json")
    added = [row for row in done.json["rows"] if row["outcome"] == "added"]
    assert [Path(row["path"]).name for row in added] == ["a.md"]
    failed = {Path(row["path"]).name for row in done.json["rows"] if row["outcome"] == "failed"}
    assert {"self", "broken.md"} <= failed
    assert done.code == 3


def test_a_file_name_that_is_not_utf_8_does_not_stop_the_rest(pincite: Any, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n\nVisitors park on level 2.\n", encoding="utf-8")
    Path(os.fsdecode(os.fsencode(docs) + b"/caf\xe9.md")).write_text(
        "# Cafe\n\nThe cafe opens at 7.\n", encoding="utf-8"
    )
    done = pincite("ingest", str(docs), *library_of(tmp_path))
    assert done.code in {0, 3}
    assert pincite("ask", "Where do visitors park?", *library_of(tmp_path)).code == 0


def test_the_library_s_own_folder_is_not_taken_for_documents(command: Any, small: Path) -> None:
    done = command("ingest", str(small), *library_of(small), "--json")
    names = {Path(row["path"]).name for row in done.json["rows"]}
    assert names == {"refunds.md", "parking.md"}


# --- what the terminal is sent

ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31m\x9b31m\u202e\x08"


def test_control_characters_of_a_document_never_reach_the_terminal_and_json_keeps_them(
    command: Any, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "evil\x1b[31m.md").write_text(
        f'---\ntitle: "Evil {ESCAPES.replace(chr(8), "")}"\n---\n# Parking {ESCAPES}\n\nVisitors park on {ESCAPES} level 2.\n',
        encoding="utf-8",
    )
    outputs = [command("ingest", str(docs), str(tmp_path / "no\x1b[31mwhere"), *library_of(tmp_path))]
    # text that runs backwards is held back by default; here it is to be shown, cleaned
    Path(library_of(tmp_path)[1], "pincite.toml").write_text('[policy]\non_suspicious = "show"\n', encoding="utf-8")
    outputs.append(command("ask", f"Where do visitors park? {ESCAPES}", *library_of(tmp_path), "--explain"))
    answer = command("ask", "Where do visitors park?", *library_of(tmp_path), "--json")
    outputs.append(answer)
    source = answer.json["sources"][0]
    outputs += [
        command("show", source["citation_id"], *library_of(tmp_path)),
        command("show", source["document_id"], *library_of(tmp_path)),
    ]
    outputs += [command("show", f"{ESCAPES}", *library_of(tmp_path)), command("list", *library_of(tmp_path))]
    outputs += [command("audit", *what, *library_of(tmp_path)) for what in (["list"], ["show", "1"], ["export"])]
    for done in outputs:
        assert not set(done.out + done.err) & set("\x1b\x07\x08\x9b\x7f"), done
    for done in outputs[:2]:
        assert "\u202e" not in done.out
    assert "\x9b31m\u202e" in source["quote"]


def test_a_terminal_that_cannot_show_a_character_gets_an_escape(pincite: Any, small: Path) -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = pincite("ask", QUESTION, *library_of(small), env=ascii_only)
    assert (done.code, "\\u201c" in done.out) == (0, True)
    as_json = pincite("ask", "Wo ist die Straße? 🎈", *library_of(small), "--json", env=ascii_only)
    assert as_json.json["query"]["text"] == "Wo ist die Straße? 🎈"


@pytest.mark.parametrize("arguments", [("ask", QUESTION), ("ask", QUESTION, "--json"), ("audit", "export"), ("list",)])
def test_a_reader_that_closes_the_pipe_early_causes_no_traceback(small: Path, arguments: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pincite", *arguments, *library_of(small)],
            stdout=write,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(write)
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


def test_output_onto_a_full_disk_is_named(small: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pincite", "list", *library_of(small)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "No space left" in done.stderr


# --- a damaged library


def damage(file: Path, how: str) -> None:
    data = file.read_bytes()
    match how:
        case "emptied":
            file.write_bytes(b"")
        case "cut":
            file.write_bytes(data[: len(data) // 2])
        case "overwritten":
            file.write_bytes(b"\xa5" * len(data))
        case _:
            file.unlink()


@pytest.mark.parametrize("how", ["emptied", "cut", "overwritten", "deleted"])
def test_each_damaged_file_of_a_library_is_named_with_what_to_do_or_rebuilt(
    command: Any, small: Path, how: str
) -> None:
    whole = small / "library"
    files = sorted(path.relative_to(whole) for path in whole.rglob("*") if path.is_file())
    assert {"library.db", "library.json", "audit.sqlite"} <= {str(file) for file in files}
    for file in files:
        broken = small / "broken"
        shutil.rmtree(broken, ignore_errors=True)
        shutil.copytree(whole, broken)
        damage(broken / file, how)
        done = command("ask", QUESTION, "--library", str(broken))
        if done.code == 0:
            assert "30 days" in done.out, file
        else:
            assert done.code == 2, (file, done)
            assert done.out == "", file
            named = file.name in done.err or (file.name == "library.json" and "there is no library" in done.err)
            assert named, (file, done.err)
            assert len(done.err.splitlines()) >= 2, (file, done.err)


def test_a_page_in_the_middle_of_the_database_is_never_a_traceback_or_a_wrong_quote(command: Any, small: Path) -> None:
    whole = small / "library"
    size = (whole / "library.db").stat().st_size
    for page in range(0, size, 4096):
        broken = small / "broken"
        shutil.rmtree(broken, ignore_errors=True)
        shutil.copytree(whole, broken)
        with (broken / "library.db").open("r+b") as file:
            file.seek(page + 100 if page == 0 else page)
            file.write(b"\xa5" * 3000)
        done = command("ask", QUESTION, "--library", str(broken))
        assert done.code in {0, 2, 4}, (page, done)
        if done.code == 0:
            assert "within 30 days of the purchase" in " ".join(done.out.split()), page


def test_a_library_of_a_later_version_is_refused_with_what_to_do(command: Any, small: Path) -> None:
    (small / "library" / "library.json").write_text(json.dumps({"format": 99}), encoding="utf-8")
    done = command("ask", QUESTION, *library_of(small))
    assert (done.code, "format 99" in done.err, "Update Pincite" in done.err) == (2, True, True)


def test_a_lost_record_does_not_pass_for_an_empty_one(command: Any, small: Path) -> None:
    (small / "library" / "audit.sqlite").unlink()
    for arguments in (("ask", QUESTION), ("audit", "verify"), ("ingest", str(small / "docs"))):
        done = command(*arguments, *library_of(small))
        assert (done.code, done.out) == (2, "")
        assert "audit.sqlite is missing or empty" in done.err


def test_the_record_can_be_verified_when_the_rest_of_the_library_is_lost(command: Any, small: Path) -> None:
    command("ask", QUESTION, *library_of(small))
    (small / "library" / "library.db").write_bytes(b"")
    done = command("audit", "verify", *library_of(small))
    assert (done.code, done.out.startswith("1 records, all good")) == (0, True)


def test_unknown_settings_are_named(command: Any, small: Path) -> None:
    (small / "library" / "pincite.toml").write_text("[policy]\ncolour = 1\n", encoding="utf-8")
    done = command("ask", QUESTION, *library_of(small))
    assert (done.code, "pincite.toml: unknown key policy.colour" in done.err) == (2, True)


# --- a disk that is full, a folder that is read-only


def test_a_disk_that_fills_up_during_ingest_is_named_and_leaves_a_usable_library(
    pincite: Any, command: Any, small: Path
) -> None:
    (small / "more").mkdir()
    text = "".join(f"Rule {n} of the garage says that level {n} opens at {n % 24}:15.\n\n" for n in range(400))
    (small / "more" / "big.md").write_text(f"---\nlanguage: en\n---\n# Levels\n\n{text}", encoding="utf-8")
    done = pincite("ingest", str(small / "more"), *library_of(small), limit_bytes=150_000)
    assert done.code in {2, 3}
    shown = done.out + done.err
    assert "Free some space" in shown
    assert command("ask", QUESTION, *library_of(small)).code == 0
    assert command("ingest", str(small / "more"), *library_of(small)).code == 0
    assert command("ask", QUESTION, *library_of(small)).code == 0


def test_an_answer_that_cannot_be_recorded_is_not_printed(pincite: Any, command: Any, small: Path) -> None:
    assert command("ask", QUESTION, *library_of(small)).code == 0
    # readers need 32 KiB of shared memory beside the database; the record of a long question needs more than that
    done = pincite("ask", f"{QUESTION} {'x' * 9_000}", *library_of(small), limit_bytes=32_800)
    assert (done.code, done.out) == (2, "")
    assert "audit.sqlite" in done.err
    assert "30 days" not in done.err
    verified = command("audit", "verify", *library_of(small))
    assert (verified.code, verified.out.startswith("1 records, all good")) == (0, True)


def test_a_library_that_cannot_be_written_says_so_and_prints_no_answer(
    command: Any, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = sqlite3.connect

    def read_only(path: object, **options: Any) -> sqlite3.Connection:
        return (
            real(f"file:{path}?mode=ro", **{**options, "uri": True})
            if str(path).endswith("audit.sqlite")
            else real(path, **options)
        )  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", read_only)
    done = command("ask", QUESTION, *library_of(small))
    assert (done.code, done.out) == (2, "")
    assert "audit.sqlite" in done.err
    assert "writable" in done.err
