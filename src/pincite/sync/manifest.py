"""A manifest: one JSON object a line, each a path with what is to be said of it."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import date  # noqa: TC003 - msgspec reads it
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pincite.errors import InputError
from pincite.types import EVERYONE, Access

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.ingest.report import IngestOptions


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    path: str
    document: str | None = None
    title: str | None = None
    version_label: str | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    supersedes: str | None = None
    access: list[str] | None = None
    deny: list[str] = []
    attributes: dict[str, str] = {}


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """One line: a file or folder, its options, and the document id it asks for."""

    path: Path
    options: IngestOptions
    document_id: str | None = None


def read_manifest(path: Path, common: IngestOptions) -> list[Listed]:
    """The lines of a manifest, over options that hold for all; blank lines are passed over.

    Paths are relative to the manifest's folder.

    Raises:
        InputError: naming the line that is wrong; a manifest is used whole or not at all.
    """
    decoder = msgspec.json.Decoder(_Line)
    listed = []
    for number, raw in enumerate(path.read_bytes().splitlines(), start=1):
        if not raw.strip():
            continue
        try:
            line = decoder.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError) as exc:
            raise InputError(
                f"{path}, line {number}: {exc}",
                hint='Write one object a line, such as {"path": "policies/refund.md", "access": ["role:sales"]}.',
            ) from exc
        place = Path(os.path.normpath(path.parent / line.path))
        listed.append(Listed(path=place, options=_options(line, common), document_id=line.document))
    return listed


def _options(line: _Line, common: IngestOptions) -> IngestOptions:
    return replace(
        common,
        access=_access(line, common.access),
        effective_from=line.effective_from or common.effective_from,
        effective_to=line.effective_to or common.effective_to,
        supersedes=line.supersedes or common.supersedes,
        attributes={**common.attributes, **line.attributes},
        title=line.title or common.title,
        version_label=line.version_label or common.version_label,
    )


def _access(line: _Line, common: Access | None) -> Access | None:
    """A line says who may read in place of the common options, but never lifts a refusal of theirs."""
    if line.access is None and not line.deny:
        return common
    base = common or Access()
    allow = base.allow if line.access is None else _principals(line.access)
    return Access(allow=allow, deny=base.deny | _principals(line.deny))


def _principals(names: Sequence[str]) -> frozenset[str]:
    """A bare word is a role, as on the command line."""
    return frozenset(n if n == EVERYONE or ":" in n else f"role:{n}" for name in names if (n := name.strip()))
