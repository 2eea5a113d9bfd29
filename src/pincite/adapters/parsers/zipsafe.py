"""Reads ZIP packages (DOCX and its kin) without trusting what they say about their size."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING

from pincite.errors import ParseError

if TYPE_CHECKING:
    from pincite.protocols import ParseLimits

_COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
_MOST_ENTRIES = 20_000
_ENCRYPTED_FLAG = 0x1
_MEMORY_SHARE = 4
"""All parts together may unpack to a quarter of the memory limit: a parsed tree is larger than its text."""

_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    OverflowError,
)
_HINT = "Open the file in the program that wrote it and save it again."


class SafeZip:
    """The entries of one package by name. Sizes were checked before anything was unpacked."""

    def __init__(self, archive: zipfile.ZipFile, *, max_bytes: int) -> None:
        self._archive = archive
        self._left_bytes = max_bytes
        self.names = frozenset(archive.namelist())

    def read(self, name: str) -> bytes:
        """One entry's bytes.

        Raises:
            ParseError: corrupt, or limit when the entry holds more than it declared.
        """
        try:
            with self._archive.open(name) as entry:
                data = entry.read(self._left_bytes + 1)
        except KeyError as exc:
            raise ParseError(f"the package lacks {name}", code="corrupt", hint=_HINT) from exc
        except RuntimeError as exc:  # the standard library's word for a password
            raise _needs_password() from exc
        except _BROKEN as exc:
            raise ParseError(f"{name} in the package is damaged", code="corrupt", hint=_HINT) from exc
        self._left_bytes -= len(data)
        if self._left_bytes < 0:
            raise _bomb()
        return data


def open_zip(data: bytes, limits: ParseLimits) -> SafeZip:
    """Check entry count, declared sizes and expansion, then open.

    Raises:
        ParseError: needs_password, mislabelled, corrupt or limit.
    """
    if data.startswith(_COMPOUND_FILE):
        if _ENCRYPTED_STREAM in data:
            raise _needs_password()
        raise ParseError(
            "this is an old binary Office file, not a ZIP package",
            code="mislabelled",
            hint="Save it in the newer format (.docx, .xlsx, .pptx).",
        )
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN as exc:
        code = "corrupt" if data.startswith(b"PK") else "mislabelled"
        raise ParseError("the file is no readable ZIP package", code=code, hint=_HINT) from exc
    entries = archive.infolist()
    if any(entry.flag_bits & _ENCRYPTED_FLAG for entry in entries):
        raise _needs_password()
    most_bytes = min(len(data) * limits.max_expansion, limits.memory_bytes // _MEMORY_SHARE)
    if len(entries) > _MOST_ENTRIES or sum(entry.file_size for entry in entries) > most_bytes:
        raise _bomb()
    return SafeZip(archive, max_bytes=most_bytes)


def _needs_password() -> ParseError:
    return ParseError(
        "the file is protected by a password",
        code="needs_password",
        hint="Save a copy without the password, then ingest that.",
    )


def _bomb() -> ParseError:
    return ParseError(
        "the package unpacks to far more than a document needs",
        code="limit",
        hint="Treat the file with suspicion; raise max_expansion only if you know where it comes from.",
    )
