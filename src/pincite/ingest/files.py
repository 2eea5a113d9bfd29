"""Which files there are, and what the document in each is called."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_DATED = re.compile(r"(?P<name>.+)@(?P<date>\d{4}-\d{2}-\d{2})")
_TEMPLATE_ENDINGS = frozenset({".tmpl", ".template"})
_LONGEST_ENDING = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceFile:
    """A file to take in. ``named_from`` is the date in its name; ``is_successor``: undated, with dated siblings."""

    path: Path
    document_id: str
    title: str
    named_from: date | None = None
    is_successor: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class MissingPath:
    """A path that leads to no file or folder, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    path: Path
    root: Path
    relative: PurePosixPath


def find_files(
    paths: Iterable[Path], *, skip: Iterable[Path] = (), base: Path | None = None
) -> list[SourceFile | MissingPath]:
    """Every regular file under the paths once, sorted within each; hidden names are skipped.

    Links are followed, and a folder that was visited is not entered again, so loops end. The document id is the
    path relative to the root that was named, without the ending and without ``@date``; ``x/index`` and
    ``x_index`` are ``x``. Under ``base``, if given, ids are relative to that. Folders in ``skip`` are not entered.
    """
    found: list[_Found | MissingPath] = []
    seen = {(status.st_dev, status.st_ino) for status in (path.stat() for path in skip)}
    for path in paths:
        found += _under(path, seen, base)
    return _named(found)


def _under(path: Path, seen: set[tuple[int, int]], base: Path | None) -> Iterator[_Found | MissingPath]:
    root = base if base is not None and path.is_relative_to(base) else None
    try:
        status = path.stat()
    except (OSError, ValueError) as exc:
        yield MissingPath(path=path, reason=getattr(exc, "strerror", None) or "no such path")
        return
    if stat.S_ISDIR(status.st_mode):
        yield from _walk(path, root or path, seen)
    elif stat.S_ISREG(status.st_mode):
        if _first_visit(status, seen):
            root = root or path.parent
            yield _Found(path=path, root=root, relative=PurePosixPath(path.relative_to(root).as_posix()))
    else:
        yield MissingPath(path=path, reason="neither a file nor a folder")


def _walk(folder: Path, root: Path, seen: set[tuple[int, int]]) -> Iterator[_Found | MissingPath]:
    try:
        if not _first_visit(folder.stat(), seen):
            return
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as exc:
        yield MissingPath(path=folder, reason=exc.strerror or "cannot be read")
        return
    for entry in entries:
        path = folder / entry.name
        if entry.name.startswith("."):
            continue
        try:
            status = path.stat()
        except OSError as exc:
            yield MissingPath(path=path, reason=exc.strerror or "cannot be read")
            continue
        if stat.S_ISDIR(status.st_mode):
            yield from _walk(path, root, seen)
        elif stat.S_ISREG(status.st_mode) and _first_visit(status, seen):
            yield _Found(path=path, root=root, relative=PurePosixPath(path.relative_to(root).as_posix()))


def _first_visit(status: os.stat_result, seen: set[tuple[int, int]]) -> bool:
    key = (status.st_dev, status.st_ino)
    if key in seen:
        return False
    seen.add(key)
    return True


def _named(found: Iterable[_Found | MissingPath]) -> list[SourceFile | MissingPath]:
    taken: set[tuple[str, date | None]] = set()
    named: list[SourceFile | MissingPath] = []
    for one in found:
        if isinstance(one, MissingPath):
            named.append(one)
            continue
        stem, ending, day = _split(one.relative)
        document_id = _free_id(one, stem, ending, day, taken)
        taken.add((document_id, day))
        named.append(SourceFile(path=one.path, document_id=document_id, title=_title(stem), named_from=day))
    return _in_order_of_force(named)


def _in_order_of_force(named: list[SourceFile | MissingPath]) -> list[SourceFile | MissingPath]:
    """The files of a document together, dated ones first: of two that begin on one day the later one counts."""
    dated = {one.document_id for one in named if isinstance(one, SourceFile) and one.named_from is not None}
    groups: dict[str, list[SourceFile | MissingPath]] = {}
    for number, one in enumerate(named):
        if isinstance(one, MissingPath):
            groups[f"/{number}"] = [one]
            continue
        is_successor = one.named_from is None and one.document_id in dated
        groups.setdefault(one.document_id, []).append(replace(one, is_successor=is_successor))
    return [one for group in groups.values() for one in sorted(group, key=_force)]


def _force(one: SourceFile | MissingPath) -> tuple[bool, date]:
    day = one.named_from if isinstance(one, SourceFile) else None
    return day is None, day or date.max


def _split(relative: PurePosixPath) -> tuple[str, str, date | None]:
    """Id without ending and date, the ending, the date."""
    name = unicodedata.normalize("NFC", os.fsencode(relative).decode("utf-8", "replace"))
    ending = ""
    path = PurePosixPath(name)
    while path.suffix and len(path.suffix) <= _LONGEST_ENDING and not _DATED.fullmatch(path.name):
        ending, is_template = path.suffix + ending, path.suffix.lower() in _TEMPLATE_ENDINGS
        path = path.with_suffix("")
        if not is_template:
            break
    stem, day = str(path), None
    if (match := _DATED.fullmatch(path.name)) is not None:
        try:
            day = date.fromisoformat(match["date"])
            stem = str(path.with_name(match["name"]))
        except ValueError:
            pass
    for index in ("/index", "_index"):
        if stem.lower().endswith(index) and len(stem) > len(index):
            stem = stem[: -len(index)]
            break
    return stem, ending, day


def _free_id(one: _Found, stem: str, ending: str, day: date | None, taken: set[tuple[str, date | None]]) -> str:
    """Two files of one name are two documents: the later one keeps its ending, or takes its folder's name."""
    candidates = [stem, f"{stem}{ending}", f"{one.root.name}/{stem}", f"{one.root.name}/{stem}{ending}"]
    for candidate in candidates:
        if (candidate, day) not in taken:
            return candidate
    number = 2
    while (f"{stem}{ending}~{number}", day) in taken:
        number += 1
    return f"{stem}{ending}~{number}"


def _title(stem: str) -> str:
    words = re.sub(r"[_\-\s]+", " ", PurePosixPath(stem).name).strip()
    return words[:1].upper() + words[1:] or stem
