"""Run a parser in a child process with limits on memory, processor time and wall time.

A file can make a parser crash, hang or eat memory; then the child dies and the caller gets a ParseError.
The child is kept for the next file, because starting one costs more than parsing most files. Answers come
back as MessagePack decoded against the types, not as pickle: a child that a file took over cannot run code here.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self, cast

import msgspec

import pincite
from pincite.adapters.parsers.worker import Reply, Request, read_frame, write_frame
from pincite.errors import ParseError, PinciteError

if TYPE_CHECKING:
    from types import TracebackType

    from pincite.protocols import ParseLimits, Parser
    from pincite.types import Parsed

_FILES_PER_CHILD = 200
"""A new child after so many files, so that leaks in native libraries do not add up."""

_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")
_LIMIT_SIGNALS = frozenset(
    getattr(signal, name) for name in ("SIGXCPU", "SIGKILL", "SIGABRT", "SIGTRAP", "SIGILL") if hasattr(signal, name)
)
"""How the kernel, malloc and PDFium's allocator end a process that goes over a limit."""


@dataclass(slots=True, weakref_slot=True, eq=False)
class Sandbox:
    """Owns at most one child. Calls from several threads wait for each other; use one sandbox per core."""

    _child: subprocess.Popen[bytes] | None = None
    _files: int = 0
    _finalizer: weakref.finalize[[subprocess.Popen[bytes]], Sandbox] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def parse(self, parser: Parser, data: bytes, *, source_name: str, limits: ParseLimits) -> Parsed:
        """What ``parser.parse`` gives, computed in the child; the parser's class must need no arguments.

        Raises:
            ParseError: the parser's own, or code "limit" or "corrupt" when the child died.
            PinciteError: when no child can be started at all.
        """
        if len(data) > limits.max_file_bytes:
            raise ParseError(
                f"{source_name} has {len(data):,} bytes, the limit is {limits.max_file_bytes:,}",
                code="too_large",
                hint="Split the file, or raise max_file_bytes.",
            )
        request = Request(parser=_spec(parser), data=data, source_name=source_name, limits=limits)
        with self._lock:
            return _result(self._ask(request), source_name)

    def close(self) -> None:
        """End the child; the sandbox starts a new one when it is used again."""
        with self._lock:
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, request: Request) -> Reply:
        child = self._ready_child()
        wall_s = 2 * request.limits.cpu_s + 10
        timer = threading.Timer(wall_s, child.kill)
        timer.daemon = True
        timer.start()
        try:
            reply = _exchange(child, request)
        except BaseException:  # Ctrl-C above all: the child must not go on
            self._end()
            raise
        finally:
            timer.cancel()
        if reply is None:
            raise self._post_mortem(request)
        return reply

    def _ready_child(self) -> subprocess.Popen[bytes]:
        if self._child is not None and (self._files >= _FILES_PER_CHILD or self._child.poll() is not None):
            self._end()
        if self._child is None:
            self._child = _started()
            self._finalizer = weakref.finalize(self, _end_child, self._child)
        self._files += 1
        return self._child

    def _post_mortem(self, request: Request) -> ParseError:
        child = cast("subprocess.Popen[bytes]", self._child)
        status = child.wait()
        self._end()
        limits = request.limits
        if -status in _LIMIT_SIGNALS:
            return ParseError(
                f"{request.source_name} needs more than {limits.cpu_s} s or {limits.memory_bytes:,} bytes of memory",
                code="limit",
                hint="Print it to a new, simpler PDF or split it; or raise the limits if you trust it.",
            )
        return ParseError(
            f"{request.source_name} made its parser crash",
            code="corrupt",
            hint="Open it in its own program, save a new copy and ingest that.",
        )

    def _end(self) -> None:
        self._child, self._files = None, 0
        if self._finalizer is not None:
            self._finalizer()


@dataclass(frozen=True, slots=True)
class SandboxedParser:
    """A Parser that does its work in a sandbox."""

    parser: Parser
    sandbox: Sandbox

    @property
    def name(self) -> str:
        """The wrapped parser's: the result is the same."""
        return self.parser.name

    @property
    def media_types(self) -> frozenset[str]:
        """The wrapped parser's."""
        return self.parser.media_types

    def parse(self, data: bytes, *, source_name: str, limits: ParseLimits) -> Parsed:
        """See ``Sandbox.parse``."""
        return self.sandbox.parse(self.parser, data, source_name=source_name, limits=limits)


def _spec(parser: Parser) -> str:
    return f"{type(parser).__module__}:{type(parser).__qualname__}"


def _result(reply: Reply, source_name: str) -> Parsed:
    if reply.parsed is not None:
        return reply.parsed
    if reply.failure is None:
        raise ParseError(f"{source_name} made its parser answer nonsense", code="corrupt")
    raise ParseError(reply.failure.message, code=reply.failure.code, hint=reply.failure.hint)


def _exchange(child: subprocess.Popen[bytes], request: Request) -> Reply | None:
    """Send and receive; ``None`` when the child died on the way."""
    stdin, stdout = cast("BinaryIO", child.stdin), cast("BinaryIO", child.stdout)
    try:
        write_frame(stdin, msgspec.msgpack.encode(request))
        body = read_frame(stdout)
    except OSError:
        return None
    return None if body is None else _decoded(body)


def _decoded(body: bytes) -> Reply:
    try:
        return msgspec.msgpack.decode(body, type=Reply)
    except msgspec.DecodeError as exc:
        raise ParseError("the parser process gave a damaged answer", code="corrupt") from exc


def _started() -> subprocess.Popen[bytes]:
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    root = str(Path(pincite.__file__).resolve().parents[1])
    paths = [root, *filter(None, [kept.get("PYTHONPATH")])]
    environment = {**kept, "PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    child = subprocess.Popen(
        [sys.executable, "-P", "-B", "-m", "pincite.adapters.parsers.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    if read_frame(cast("BinaryIO", child.stdout)) is None:
        _end_child(child)
        raise PinciteError("the parser process does not start", hint="Run `pincite doctor` to see what is missing.")
    return child


def _end_child(child: subprocess.Popen[bytes]) -> None:
    """Also called when a sandbox was dropped without ``close``: it leaves no child behind."""
    child.kill()
    child.wait()
    for stream in (child.stdin, child.stdout):
        with contextlib.suppress(OSError):
            cast("BinaryIO", stream).close()
