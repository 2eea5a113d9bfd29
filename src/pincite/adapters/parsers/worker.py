"""The child process of ``sandbox``: reads a request, parses under limits, writes the answer, waits for the next.

Started as ``python -m pincite.adapters.parsers.worker``. A frame is four bytes of length, then MessagePack.
"""

from __future__ import annotations

import contextlib
import os
import signal
import struct
import sys
import threading
import time
from importlib import import_module
from typing import BinaryIO

import msgspec

from pincite.errors import ParseError
from pincite.protocols import ParseLimits  # noqa: TC001 - msgspec resolves annotations at run time
from pincite.types import Parsed  # noqa: TC001 - the same

LENGTH = struct.Struct("<I")
_WATCH_S = 1.0
_MAX_OPEN_FILES = 64


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One file to parse; ``parser`` is "module:Class"."""

    parser: str
    data: bytes
    source_name: str
    limits: ParseLimits


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A ParseError on its way to the parent."""

    message: str
    code: str
    hint: str


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """Exactly one of the two is set; neither in the first reply, which only says that the child is ready."""

    parsed: Parsed | None = None
    failure: Failure | None = None


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next frame, or ``None`` when the other side is gone."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None


def write_frame(stream: BinaryIO, body: bytes) -> None:
    """Write one frame and flush.

    Raises:
        OSError: when the other side is gone.
    """
    stream.write(LENGTH.pack(len(body)))
    stream.write(body)
    stream.flush()


def main() -> None:
    """Serve requests until the parent closes its end."""
    answers = _private_stdout()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends us when it is interrupted
    _set_fixed_limits()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    encode, decode = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Request)
    write_frame(answers, encode.encode(Reply()))
    while (body := read_frame(sys.stdin.buffer)) is not None:
        reply = _answer(decode.decode(body))
        write_frame(answers, _encoded(encode, reply))


def _answer(request: Request) -> Reply:
    _set_limits(request.limits)
    try:
        module, _, name = request.parser.partition(":")
        parser = getattr(import_module(module), name)()
        parsed = parser.parse(request.data, source_name=request.source_name, limits=request.limits)
    except ParseError as error:
        return Reply(failure=Failure(message=str(error), code=error.code, hint=error.hint))
    except MemoryError:
        return _failed(request.source_name, "needs more memory than allowed", "limit")
    except Exception as error:  # noqa: BLE001 - the top of this process: a parser's bug must not look like a crash
        return _failed(request.source_name, f"cannot be read ({type(error).__name__}: {error})", "corrupt")
    if len(parsed.text) > request.limits.max_text_chars:
        return _failed(request.source_name, f"has more than {request.limits.max_text_chars} characters", "limit")
    return Reply(parsed=parsed)


def _encoded(encoder: msgspec.msgpack.Encoder, reply: Reply) -> bytes:
    try:
        return encoder.encode(reply)
    except UnicodeEncodeError:
        return encoder.encode(_failed("the file", "holds characters that are not Unicode text", "encoding"))


def _failed(source_name: str, what: str, code: str) -> Reply:
    hint = "Open it in its own program, save a new copy and ingest that."
    return Reply(failure=Failure(message=f"{source_name} {what}", code=code, hint=hint))


def _private_stdout() -> BinaryIO:
    """Keep stdout for answers, out of reach of a library that prints."""
    answers = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - a device
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    return answers


def _set_fixed_limits() -> None:
    """No core files, hardly any open files, nothing written to disk. Only POSIX has such limits."""
    with contextlib.suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (_MAX_OPEN_FILES, _MAX_OPEN_FILES))


def _set_limits(limits: ParseLimits) -> None:
    with contextlib.suppress(ImportError):
        import resource

        used_s = int(time.process_time()) + 1
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (_capped(used_s + limits.cpu_s, hard), hard))
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_capped(limits.memory_bytes, hard), hard))


def _capped(value: int, hard: int) -> int:
    return value if hard < 0 else min(value, hard)


def _end_with(parent: int) -> None:
    """A parent that was killed cannot end its child, and a busy child does not read."""
    while os.getppid() == parent:
        time.sleep(_WATCH_S)
    os._exit(1)


if __name__ == "__main__":
    main()
