from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pincite.adapters.parsers.pdf import PdfParser
from pincite.adapters.parsers.sandbox import Sandbox, SandboxedParser
from pincite.errors import ParseError
from pincite.protocols import ParseLimits, Parser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.types import Parsed

HERE = Path(__file__).parent
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits on processes are POSIX")


@pytest.fixture
def rogue(monkeypatch: pytest.MonkeyPatch) -> Parser:
    monkeypatch.syspath_prepend(str(HERE))
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    import rogue_parsers

    return rogue_parsers.Rogue()


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as box:
        yield box


def run(sandbox: Sandbox, parser: Parser, order: str, limits: ParseLimits | None = None) -> Parsed:
    return sandbox.parse(parser, order.encode(), source_name="a.rogue", limits=limits or ParseLimits())


def code_of(sandbox: Sandbox, parser: Parser, order: str, limits: ParseLimits | None = None) -> str:
    with pytest.raises(ParseError) as caught:
        run(sandbox, parser, order, limits)
    assert "a.rogue" in str(caught.value) or caught.value.code == "encoding"
    return caught.value.code


def test_the_result_is_the_same_as_in_this_process(sandbox: Sandbox, shared: Path) -> None:
    data = (shared / "docs/nasty/multicolumn.pdf").read_bytes()
    here = PdfParser().parse(data, source_name="a.pdf", limits=ParseLimits())
    assert SandboxedParser(PdfParser(), sandbox).parse(data, source_name="a.pdf", limits=ParseLimits()) == here


def test_a_sandboxed_parser_is_a_parser_of_the_same_name(sandbox: Sandbox) -> None:
    wrapped = SandboxedParser(PdfParser(), sandbox)
    assert isinstance(wrapped, Parser)
    assert (wrapped.name, wrapped.media_types) == (PdfParser().name, PdfParser().media_types)


def test_one_child_serves_many_files(sandbox: Sandbox, rogue: Parser) -> None:
    pids = {run(sandbox, rogue, "hello").text.split()[0] for _ in range(3)}
    assert len(pids) == 1
    assert str(os.getpid()) not in pids


@pytest.mark.parametrize(("order", "code"), [("segfault", "corrupt"), ("exit", "corrupt"), ("abort", "limit")])
def test_a_crash_is_a_parse_error_and_the_next_file_is_read(
    sandbox: Sandbox, rogue: Parser, order: str, code: str
) -> None:
    assert code_of(sandbox, rogue, order) == code
    assert run(sandbox, rogue, "hello").text.endswith("hello")


def test_an_endless_loop_ends_at_the_processor_limit(sandbox: Sandbox, rogue: Parser) -> None:
    assert code_of(sandbox, rogue, "loop", ParseLimits(cpu_s=1)) == "limit"
    assert run(sandbox, rogue, "hello").text.endswith("hello")


def test_hoarding_memory_ends_at_the_memory_limit(sandbox: Sandbox, rogue: Parser) -> None:
    assert code_of(sandbox, rogue, "memory", ParseLimits(memory_bytes=1024**3)) == "limit"
    assert run(sandbox, rogue, "hello").text.endswith("hello")


def test_a_bug_in_a_parser_is_a_parse_error(sandbox: Sandbox, rogue: Parser) -> None:
    assert code_of(sandbox, rogue, "bug") == "corrupt"


def test_a_parser_cannot_write_files(
    sandbox: Sandbox, rogue: Parser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert code_of(sandbox, rogue, "write") == "corrupt"


def test_a_parser_that_prints_does_not_disturb_the_answers(sandbox: Sandbox, rogue: Parser) -> None:
    assert run(sandbox, rogue, "print").text.endswith("print")


def test_a_parser_sees_none_of_our_environment(
    sandbox: Sandbox, rogue: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_TEST_SECRET", "swordfish")
    assert run(sandbox, rogue, "secret").text == "nothing"


def test_text_that_is_not_unicode_or_too_long_is_refused(sandbox: Sandbox, rogue: Parser) -> None:
    assert code_of(sandbox, rogue, "surrogate") == "encoding"
    assert code_of(sandbox, rogue, "long", ParseLimits(max_text_chars=1000)) == "limit"


def test_a_file_over_the_limit_never_reaches_the_child(sandbox: Sandbox, rogue: Parser) -> None:
    assert code_of(sandbox, rogue, "x" * 100, ParseLimits(max_file_bytes=99)) == "too_large"


def test_layout_comes_back_with_its_types(sandbox: Sandbox, rogue: Parser) -> None:
    parsed = run(sandbox, rogue, "secret")
    (block,) = parsed.layout.blocks
    assert (block.kind.value, block.heading_path, block.page_index, block.line) == ("paragraph", ("a", "b"), 3, 4)


def test_threads_may_share_a_sandbox(sandbox: Sandbox, rogue: Parser) -> None:
    texts: list[str] = []
    threads = [threading.Thread(target=lambda n=n: texts.append(run(sandbox, rogue, f"n{n}").text)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(text.split()[1] for text in texts) == [f"n{n}" for n in range(6)]


def test_a_closed_or_dropped_sandbox_leaves_no_child(rogue: Parser) -> None:
    closed, dropped = Sandbox(), Sandbox()
    pids = [int(run(box, rogue, "hello").text.split()[0]) for box in (closed, dropped)]
    closed.close()
    del dropped
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_an_interrupt_ends_the_child_and_is_passed_on(sandbox: Sandbox, rogue: Parser) -> None:
    pid = int(run(sandbox, rogue, "hello").text.split()[0])
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    with pytest.raises(KeyboardInterrupt):
        run(sandbox, rogue, "loop", ParseLimits(cpu_s=60))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_child_ends_when_its_parent_is_killed() -> None:
    script = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); import rogue_parsers\n"
        "from pincite.adapters.parsers.sandbox import Sandbox\nfrom pincite.protocols import ParseLimits\n"
        "box = Sandbox()\n"
        "got = box.parse(rogue_parsers.Rogue(), b'hello', source_name='a', limits=ParseLimits())\n"
        "print(got.text.split()[0], flush=True)\n"
        "box.parse(rogue_parsers.Rogue(), b'loop', source_name='a', limits=ParseLimits(cpu_s=60))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    with subprocess.Popen([sys.executable, "-c", script, str(HERE)], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    assert ended(child)


def ended(pid: int) -> bool:
    """Wait, at most a while, for a process that is not ours to be gone or a zombie."""
    waiter = threading.Event()
    for _ in range(200):
        stat = Path(f"/proc/{pid}/stat")
        if not stat.exists() or ") Z " in stat.read_text(encoding="utf-8"):
            return True
        waiter.wait(0.1)
    return False


# --- bombs -----------------------------------------------------------------------------------------


def pdf_with(content: bytes) -> bytes:
    packed = zlib.compress(content, 9)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n" % len(packed) + packed + b"\nendstream",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body = b"%PDF-1.4\n"
    places = []
    for number, item in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n" % number + item + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    tail = b"xref\n0 6\n0000000000 65535 f \n" + table + b"trailer<</Root 1 0 R/Size 6>>\nstartxref\n%d\n%%%%EOF"
    return body + tail % len(body)


@pytest.mark.parametrize(
    "content",
    [b" " * (300 * 1024**2), b"BT /F 12 Tf 10 10 Td " + b"(ab) Tj " * 600_000 + b"ET"],
    ids=["white space", "text"],
)
def test_a_pdf_bomb_ends_at_a_limit(sandbox: Sandbox, content: bytes) -> None:
    limits = ParseLimits(cpu_s=3, memory_bytes=512 * 1024**2)
    with pytest.raises(ParseError) as caught:
        sandbox.parse(PdfParser(), pdf_with(content), source_name="bomb.pdf", limits=limits)
    assert caught.value.code in {"limit", "no_text"}


def test_the_evil_forms_file_ends_within_its_limits(sandbox: Sandbox, shared: Path) -> None:
    data = (shared / "docs/nasty/issue-1113-evil-xobjects.pdf").read_bytes()
    limits = ParseLimits(cpu_s=10, memory_bytes=1024**3)
    assert "Hello" in sandbox.parse(PdfParser(), data, source_name="evil.pdf", limits=limits).text
