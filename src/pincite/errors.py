"""One tree of errors. Each says whether trying again can help, and what to do.

Abstained, unresolved and unverified are values, not errors (see ``types``).
"""

from __future__ import annotations


class PinciteError(Exception):
    """Root of everything Pincite raises on purpose.

    ``hint`` is one sentence that says what to do; ``retryable`` whether the same call may work later.
    """

    retryable: bool = False
    hint: str = ""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        if hint is not None:
            self.hint = hint


class InputError(PinciteError):
    """The caller's input cannot be used as it is."""


class ConfigError(PinciteError):
    """A setting is unknown or has a bad value."""

    hint = "Correct the named key in pincite.toml; `pincite doctor` lists the known ones."


class MissingExtraError(PinciteError):
    """A part is needed that the default install leaves out; the hint is the exact install line."""


class ParseError(PinciteError):
    """A file cannot be read. ``code`` is one of the names below, for reports and tests.

    needs_password, corrupt, empty, no_text (image only), mislabelled, unsupported, too_large, limit
    (time, memory, pages or expansion), encoding.
    """

    def __init__(self, message: str, *, code: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.code = code


class StoreError(PinciteError):
    """The library's files cannot be used."""


class LibraryNotFoundError(StoreError):
    """There is no library at the path."""

    hint = "Create one with `pincite ingest PATH --library DIR`, or name the right folder."


class LibraryCorruptError(StoreError):
    """A library file is damaged; the message names it."""

    hint = "Restore the file from a backup, or ingest the documents into a new library."


class LibraryLockedError(StoreError):
    """Another process is writing."""

    retryable = True
    hint = "Wait for the other writer to end, then run the command again."


class StorageFullError(StoreError):
    """The disk is full; nothing of the failed step was kept."""

    retryable = True
    hint = "Free some space and run the same command again; finished files are skipped."


class NotFoundError(PinciteError):
    """No such document, passage or citation for this reader. The same error when it is forbidden."""

    hint = "Run `pincite list` to see what you can open."


class AuditError(PinciteError):
    """The record cannot be written or does not verify. No answer is returned without a record."""


class GeneratorError(PinciteError):
    """A generator failed to produce anything usable."""
