"""The checks that every parser makes before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.errors import ParseError

if TYPE_CHECKING:
    from pincite.protocols import ParseLimits


def check_size(data: bytes, limits: ParseLimits) -> None:
    """Refuse files over the cap and files without a byte.

    Raises:
        ParseError: too_large or empty.
    """
    if not data:
        raise ParseError("the file is empty", code="empty", hint="Nothing to do; delete it or put text into it.")
    if len(data) > limits.max_file_bytes:
        raise ParseError(
            f"the file has {len(data):,} bytes, the limit is {limits.max_file_bytes:,}",
            code="too_large",
            hint="Split the file, or raise max_file_bytes.",
        )


def require_text(text: str, source_name: str) -> None:
    """Refuse a file in which nothing can be read.

    Raises:
        ParseError: empty.
    """
    if not text.strip():
        raise ParseError(f"{source_name} holds no text", code="empty", hint="Nothing to do; there is nothing to cite.")
