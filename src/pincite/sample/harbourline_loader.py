"""The Harbourline sample library: its documents as ingest jobs, and the scenes of the demo."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pincite.errors import StoreError
from pincite.ingest import IngestOptions
from pincite.types import Access, Passage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.library import Library

FOLDER = Path(__file__).parent / "harbourline"


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """One question of the demo, and how it must end."""

    name: str
    question: str
    tenant: str
    roles: tuple[str, ...]
    as_of: date | None
    attributes: Mapping[str, str]
    expect: str
    must_contain: tuple[str, ...]
    must_not_contain: tuple[str, ...]
    explain: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftScene:
    """A draft that a model might have written over named passages, and the verdict each claim must get."""

    name: str
    draft: str
    passages: tuple[Passage, ...]
    expect: tuple[str, ...]
    explain: str


def demo_clock() -> datetime:
    """The demo's today: fixed, so that its answers do not change with the calendar."""
    return datetime(2026, 9, 1, 9, 0, tzinfo=UTC)


def load_into(library: Library) -> int:
    """Ingest every document and record; the number of documents that went in."""
    from pincite.intake import Job, run_ingest

    jobs = [Job(paths=(FOLDER / entry["path"],), options=_options(entry)) for entry in _manifest()["document"]]
    report = run_ingest(library.parts, jobs)
    if report.failed:
        raise StoreError(f"the sample library did not load: {report.failed[0].path}: {report.failed[0].reason}")
    return sum(row.documents for row in report.rows)


def scenes() -> tuple[Scene, ...]:
    """The questions, in order."""
    return tuple(_scene(entry) for entry in _manifest()["scene"] if "draft" not in entry)


def draft_scenes() -> tuple[DraftScene, ...]:
    """The drafts, in order."""
    return tuple(_draft_scene(entry) for entry in _manifest()["scene"] if "draft" in entry)


@functools.cache
def _manifest() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "library.toml").read_text(encoding="utf-8"))


def _options(entry: Mapping[str, Any]) -> IngestOptions:
    roles = entry.get("access")
    access = None if roles is None else Access(allow=frozenset(f"role:{role}" for role in roles))
    return IngestOptions(
        tenant=entry["tenant"],
        access=access,
        effective_from=entry.get("effective_from"),
        effective_to=entry.get("effective_to"),
        supersedes=entry.get("supersedes"),
        attributes=MappingProxyType(dict(entry.get("attributes", {}))),
        document_id=entry.get("document_id"),
        title=entry.get("title"),
        version_label=entry.get("version_label"),
    )


def _scene(entry: Mapping[str, Any]) -> Scene:
    return Scene(
        name=entry["name"],
        question=entry["question"],
        tenant=entry["tenant"],
        roles=tuple(entry.get("roles", ())),
        as_of=entry.get("as_of"),
        attributes=MappingProxyType(dict(entry.get("attributes", {}))),
        expect=entry["expect"],
        must_contain=tuple(entry.get("must_contain", ())),
        must_not_contain=tuple(entry.get("must_not_contain", ())),
        explain=entry["explain"],
    )


def _draft_scene(entry: Mapping[str, Any]) -> DraftScene:
    passages = tuple(
        Passage(passage_id=item["document"], text=item["quote"], end=len(item["quote"])) for item in entry["passages"]
    )
    return DraftScene(
        name=entry["name"],
        draft=entry["draft"],
        passages=passages,
        expect=tuple(entry["expect_verdicts"]),
        explain=entry["explain"],
    )
