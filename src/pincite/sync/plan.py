"""Which file is which document, and what has to be done: a pure function of the folder, the state and the library.

A file that is where it was keeps its document, and so does one whose very bytes lie elsewhere now. A file that comes
in place of one that is gone, under a name that means the same document (``terms.md``, then ``terms.pdf``), is a new
version of it. Files with dates in their names go to the document of their siblings.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from pincite.errors import InputError
from pincite.sync.report import Change

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pincite.ingest.files import SourceFile
    from pincite.sync.state import FileRow


@dataclass(frozen=True, kw_only=True, slots=True)
class Scanned:
    """A file as it lies there. ``sha256`` is None when it cannot be read, ``parser`` when it holds records.

    ``options`` is a fingerprint of what is said of it; ``group`` the number of its line in a manifest, else 0.
    """

    path: str
    source: SourceFile
    sha256: str | None
    parser: str | None
    options: str
    group: int = 0
    named: bool = False
    problem: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """A file and what it is to the library. ``row`` is what is known of it under the path that it had."""

    change: Change
    scanned: Scanned
    document_id: str
    row: FileRow | None = None

    @property
    def moved_from(self) -> str | None:
        """The path it had, if that was another."""
        return self.row.path if self.row is not None and self.row.path != self.scanned.path else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """``items`` in the order they are taken in; ``gone`` are to be removed; ``unreached`` stay, whatever they hold."""

    items: tuple[Item, ...]
    gone: tuple[FileRow, ...]
    unreached: tuple[FileRow, ...]


def make_plan(
    scanned: Sequence[Scanned],
    rows: Sequence[FileRow],
    *,
    unreachable: Collection[str],
    live: Collection[str],
    taken: Collection[str],
    root_name: str,
) -> Plan:
    """What to do with every file that is or was there.

    ``unreachable``: paths of files and folders that cannot be looked at; what was known at or below them stays.
    ``live``: versions in the library. ``taken``: document ids that other roots use.

    Raises:
        InputError: two files of a manifest claim one document for one day.
    """
    known = {row.path: row for row in rows}
    here = {one.path for one in scanned}
    missing = [row for row in rows if row.path not in here]
    unreached = [row for row in missing if _below(row.path, unreachable)]
    candidates = [row for row in missing if row not in unreached and row.sha256 is not None]
    fresh = [one for one in scanned if one.path not in known or known[one.path].sha256 is None]
    matched = _same_bytes(fresh, candidates)
    left = [row for row in candidates if row not in matched.values()]
    matched |= _same_document([one for one in fresh if one.path not in matched], left, known)
    items = _identified(scanned, known, matched, unreached, taken=taken, root_name=root_name)
    settled = tuple(replace(item, change=_change(item, live)) for item in items)
    kept = {*(row.file for row in matched.values()), *(row.file for row in unreached)}
    gone = tuple(row for row in missing if row.file not in kept)
    return Plan(items=_in_order(settled), gone=gone, unreached=tuple(unreached))


def _below(path: str, roots: Collection[str]) -> bool:
    return any(root in (".", path) or path.startswith(f"{root}/") for root in roots)


def _same_bytes(fresh: Iterable[Scanned], candidates: Iterable[FileRow]) -> dict[str, FileRow]:
    """New paths whose bytes were at a path that is gone: the one with the same name first, then by path."""
    by_hash: dict[str | None, list[FileRow]] = defaultdict(list)
    for row in candidates:
        by_hash[row.sha256].append(row)
    matched: dict[str, FileRow] = {}
    for same_name in (True, False):
        for one in fresh:
            rows = by_hash.get(one.sha256, []) if one.sha256 is not None and one.path not in matched else []
            fitting = [row for row in rows if not same_name or _name(row.path) == _name(one.path)]
            if fitting:
                matched[one.path] = fitting[0]
                rows.remove(fitting[0])
    return matched


def _same_document(
    fresh: Iterable[Scanned], left: Iterable[FileRow], known: Mapping[str, FileRow]
) -> dict[str, FileRow]:
    """New paths that mean the same document and day as a path that is gone."""
    by_place = {(row.document_id, row.named_from): row for row in left}
    places = ((one, (one.source.document_id, one.source.named_from)) for one in fresh if one.path not in known)
    return {one.path: by_place.pop(place) for one, place in places if place in by_place}


def _identified(
    scanned: Sequence[Scanned],
    known: Mapping[str, FileRow],
    matched: Mapping[str, FileRow],
    unreached: Sequence[FileRow],
    *,
    taken: Collection[str],
    root_name: str,
) -> list[Item]:
    """Every file with its document id: the one it has, its siblings', or a free one."""
    kept = {one.path: matched.get(one.path) or known.get(one.path) for one in scanned}
    used: set[tuple[str, date | None]] = {(row.document_id, row.named_from) for row in unreached}
    siblings: dict[str, set[str]] = defaultdict(set)
    for one in scanned:
        if (row := kept[one.path]) is not None:
            used.add((row.document_id, one.source.named_from))
            siblings[one.source.document_id].add(row.document_id)
    items = []
    for one in scanned:
        row = kept[one.path]
        if row is None or (one.named and row.document_id != one.source.document_id):
            document_id = _free(one, siblings[one.source.document_id], used, taken=taken, root_name=root_name)
            used.add((document_id, one.source.named_from))
            siblings[one.source.document_id].add(document_id)
        else:
            document_id = row.document_id
        items.append(Item(change=Change.NEW, scanned=one, document_id=document_id, row=row))
    return items


def _free(
    one: Scanned, siblings: set[str], used: set[tuple[str, date | None]], *, taken: Collection[str], root_name: str
) -> str:
    day, wanted = one.source.named_from, one.source.document_id
    if one.named:
        if (wanted, day) in used:
            raise InputError(
                f"{one.path}: another file of the manifest is document {wanted!r} on the same day",
                hint="Give each file a document of its own, or put the day into its name: name@2026-01-31.md.",
            )
        return wanted
    if len(siblings) == 1 and (found := next(iter(siblings))) and (found, day) not in used:
        return found
    stem = f"{root_name}/{wanted}"
    number, candidate = 2, wanted
    own_ending = f"{wanted}{PurePosixPath(one.path).suffix}"
    for candidate in (wanted, stem) if wanted in taken else (wanted, own_ending, stem):
        if (candidate, day) not in used and candidate not in taken:
            return candidate
    while (candidate := f"{stem}~{number}", day) in used or candidate in taken:
        number += 1
    return candidate


def _change(item: Item, live: Collection[str]) -> Change:
    one, row = item.scanned, item.row
    if one.problem is not None:
        return Change.UNREACHED
    if row is None or row.sha256 is None:
        return Change.NEW
    same = (row.sha256, row.options, row.parser) == (one.sha256, one.options, one.parser or "")
    if not same or item.document_id != row.document_id:
        return Change.CHANGED
    if row.version_id is not None and row.version_id not in live:
        return Change.CHANGED
    return Change.MOVED if item.moved_from is not None else Change.UNCHANGED


def _in_order(items: Iterable[Item]) -> tuple[Item, ...]:
    """The files of a document together, dated ones first: of two that begin on one day the later one counts."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.document_id, []).append(item)
    ordered = []
    for document_id, group in groups.items():
        has_dates = any(item.scanned.source.named_from is not None for item in group)
        for item in sorted(group, key=_force):
            source = item.scanned.source
            successor = source.named_from is None and has_dates
            source = replace(source, document_id=document_id, is_successor=successor)
            ordered.append(replace(item, scanned=replace(item.scanned, source=source)))
    return tuple(ordered)


def _force(item: Item) -> tuple[bool, date]:
    day = item.scanned.source.named_from
    return day is None, day or date.max


def _name(path: str) -> str:
    return PurePosixPath(path).name
