"""Gaps and overlaps between the versions of one document."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.types import Version


def timeline_notes(versions: Sequence[Version]) -> tuple[str, ...]:
    """A sentence for each gap, overlap and doubled start, in order of time; nothing for a history without any.

    A version without an end of its own ends where a later one begins, so only declared ends leave gaps or overlap.
    Versions without any date replace each other in the order they came and are not mentioned.
    """
    ordered = sorted(versions, key=lambda one: (_start(one), one.ingested_at))
    notes, covered = list[str](), date.min
    for one, other in pairwise(ordered):
        ends = one.effective_to
        covered = max(covered, ends) if ends is not None else date.min
        if one.effective_from is not None and one.effective_from == other.effective_from:
            notes.append(f"two versions begin on {other.effective_from}: the one that came last counts")
        elif ends is not None and covered < _start(other):
            notes.append(f"gap: no version is in force from {covered} until {other.effective_from}")
        elif ends is not None and ends > _start(other):
            until = min(ends, other.effective_to or date.max)
            notes.append(f"overlap: from {other.effective_from} until {until} two versions claim to be in force")
    return tuple(notes)


def _start(version: Version) -> date:
    return version.effective_from or date.min
