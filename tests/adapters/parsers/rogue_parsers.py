"""A parser that misbehaves as told, to be run in the sandbox by name."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.types import Block, BlockKind, Layout, Parsed

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.protocols import ParseLimits


class Rogue:
    """Does what the file says."""

    name = "rogue/1"
    media_types = frozenset({"text/rogue"})

    def parse(self, data: bytes, *, source_name: str, limits: ParseLimits) -> Parsed:
        order = data.decode()
        if order == "long":
            return result("x" * (limits.max_text_chars + 1))
        text = ORDERS[order]() if order in ORDERS else None
        return result(text or f"{os.getpid()} {order}")


def loop() -> str:
    while True:
        pass


def memory() -> str:
    return str(len([bytes(50_000_000) for _ in range(200)]))


def bug() -> str:
    raise KeyError("oops")


def write() -> str:
    return str(Path(f"rogue-{os.getpid()}").write_text("x" * 10, encoding="utf-8"))


def print_noise() -> str | None:
    sys.stdout.write("noise")
    sys.stdout.flush()
    os.write(1, b"more noise")
    return None


ORDERS: dict[str, Callable[[], str | None]] = {
    "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "abort": os.abort,
    "exit": lambda: os._exit(0),
    "loop": loop,
    "memory": memory,
    "bug": bug,
    "write": write,
    "print": print_noise,
    "secret": lambda: os.environ.get("PINCITE_TEST_SECRET", "nothing"),
    "surrogate": lambda: "\ud800",
}


def result(text: str) -> Parsed:
    block = Block(start=0, end=len(text), kind=BlockKind.PARAGRAPH, heading_path=("a", "b"), page_index=3, line=4)
    return Parsed(text=text, layout=Layout(blocks=(block,)), media_type="text/rogue", parser="rogue/1")
