"""One sync: look, plan, write down, take in, tombstone. A step that is interrupted is repeated by the next run."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from pincite.errors import InputError, ParseError
from pincite.ingest import ingest_files
from pincite.ingest.files import MissingPath, find_files
from pincite.ingest.report import Outcome
from pincite.protocols import ParseLimits
from pincite.sync.manifest import Listed, read_manifest
from pincite.sync.plan import Scanned, make_plan
from pincite.sync.report import Change, SyncReport, SyncRow
from pincite.sync.state import FileRow, Owned
from pincite.text.records import RecordBatch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pincite.ingest import Reader
    from pincite.ingest.files import SourceFile
    from pincite.ingest.report import IngestOptions, Row
    from pincite.pipeline import Parts
    from pincite.protocols import Entry, Store
    from pincite.sync.plan import Item, Plan
    from pincite.sync.report import SyncOptions
    from pincite.sync.state import SyncState
    from pincite.types import Parsed

_AT_ONCE = 256
"""Files after which what is done is written down: a killed run reads at most these again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Look:
    scanned: tuple[Scanned, ...]
    missing: dict[str, str]
    groups: tuple[IngestOptions, ...]


def sync(
    root: Path,
    *,
    parts: Parts,
    reader: Reader,
    state: SyncState,
    options: SyncOptions,
    skip: Sequence[Path] = (),
    confirm: Callable[[SyncReport], bool] | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> SyncReport:
    """Bring the library to the state of ``root``, a folder or a manifest.

    Raises:
        InputError: the root is missing or empty and that is not allowed, or too much would be removed and ``confirm``
            is not there or says no. Nothing was changed.
        StoreError: and its kinds, when library or state cannot be written.
    """
    tenant, name = options.ingest.tenant, options.name or str(root.resolve())
    look = _look(root, options, reader, skip)
    if not look.scanned and not options.allow_empty:
        what = "is empty" if root.exists() else "is not there"
        raise InputError(f"{root} {what}", hint="Check that its disk is mounted; --allow-empty syncs it all the same.")
    number = state.known_root(tenant, name)
    rows = state.files(number)
    live = parts.store.known_versions(tenant)
    plan = make_plan(
        look.scanned,
        rows,
        unreachable=look.missing,
        live=live,
        taken=state.ids_elsewhere(tenant, number),
        root_name=root.stem or name,
    )
    preview = _report(plan, look, {}, name, parts.store.generation(), dry_run=True)
    if options.dry_run:
        return preview
    _refuse_many(plan, rows, options, preview, confirm)
    return _Run(parts=parts, reader=reader, state=state, tenant=tenant, name=name, live=live).run(plan, look, progress)


def _refuse_many(
    plan: Plan,
    rows: Sequence[FileRow],
    options: SyncOptions,
    preview: SyncReport,
    confirm: Callable[[SyncReport], bool] | None,
) -> None:
    held = sum(row.sha256 is not None for row in rows)
    gone = sum(row.sha256 is not None for row in plan.gone)
    if gone > options.max_removed_share * held and not (confirm is not None and confirm(preview)):
        raise InputError(
            f"{gone} of {held} files would be removed, more than {options.max_removed_share:.0%}",
            hint="Look at them with --dry-run, then run it with --yes.",
        )


# --- looking ---------------------------------------------------------------------------------------


def _look(root: Path, options: SyncOptions, reader: Reader, skip: Sequence[Path]) -> _Look:
    base = root if root.is_dir() or not root.exists() else root.parent
    listed = [Listed(path=root, options=options.ingest)]
    if root.is_file():
        listed = read_manifest(root, options.ingest)
    elif not root.exists():
        listed = []
    scanned: list[Scanned] = []
    missing: dict[str, str] = {}
    owner = _line_of(listed)
    for one in find_files([one.path for one in listed], skip=skip, base=base):
        path = _relative(one.path, base)
        if isinstance(one, MissingPath):
            missing[path] = one.reason
            continue
        group = owner(one.path)
        wanted = listed[group].document_id
        source = one if wanted is None else dataclasses.replace(one, document_id=wanted)
        scanned.append(_scan(source, path, listed[group].options, group, reader, named=wanted is not None))
    return _Look(scanned=tuple(scanned), missing=missing, groups=tuple(one.options for one in listed))


def _line_of(listed: Sequence[Listed]) -> Callable[[Path], int]:
    """The line that a path comes from: the first that names it or a folder above it."""
    lines: dict[Path, int] = {}
    for number, one in enumerate(listed):
        lines.setdefault(one.path, number)
    return lambda path: next(lines[place] for place in (path, *path.parents) if place in lines)


def _relative(path: Path, base: Path) -> str:
    return path.relative_to(base).as_posix() if path.is_relative_to(base) else path.as_posix()


def _scan(source: SourceFile, path: str, options: IngestOptions, group: int, reader: Reader, *, named: bool) -> Scanned:
    sha256 = problem = parser = None
    try:
        if source.path.stat().st_size <= ParseLimits().max_file_bytes:
            data = source.path.read_bytes()
            sha256 = hashlib.sha256(data).hexdigest()
            parser = reader.parser_name(data, source.path.name)
    except ParseError:
        parser = "none"  # ingest says why
    except OSError as exc:
        problem = exc.strerror or "cannot be read"
    return Scanned(
        path=path,
        source=source,
        sha256=sha256,
        parser=parser,
        options=_fingerprint(options, source, source.document_id if named else None),
        group=group,
        named=named,
        problem=problem,
    )


def _fingerprint(options: IngestOptions, source: SourceFile, document_id: str | None) -> str:
    access = options.access
    told = [
        None if access is None else [sorted(access.allow), sorted(access.deny)],
        str(options.effective_from),
        str(options.effective_to),
        options.supersedes,
        sorted(options.attributes.items()),
        options.title,
        options.version_label,
        str(source.named_from),
        document_id,
    ]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:32]


# --- doing -----------------------------------------------------------------------------------------


class _Run:
    """The state of one call that writes."""

    def __init__(
        self, *, parts: Parts, reader: Reader, state: SyncState, tenant: str, name: str, live: frozenset[str]
    ) -> None:
        self._parts = parts
        self._reader = reader
        self._state = state
        self._tenant = tenant
        self._name = name
        self._live = live

    def run(self, plan: Plan, look: _Look, progress: Callable[[int, int, str], None] | None) -> SyncReport:
        root = self._state.root(self._tenant, self._name)
        moves = [(item.row, item.scanned.path) for item in plan.items if item.row is not None and item.moved_from]
        new = [(i.scanned.path, i.document_id, i.scanned.source.named_from) for i in plan.items if i.row is None]
        self._state.begin(root, moves, new)
        files = {row.path: row for row in self._state.files(root)}
        todo = [item for item in plan.items if item.change in (Change.NEW, Change.CHANGED)]
        results: dict[str, list[Row]] = {}
        for number, group in enumerate(look.groups):
            of_group = [item for item in todo if item.scanned.group == number]
            for start in range(0, len(of_group), _AT_ONCE):
                results |= self._take(of_group[start : start + _AT_ONCE], group, files, todo, progress)
        self._remove(plan.gone)
        return _report(plan, look, results, self._name, self._parts.store.generation(), dry_run=False)

    def _take(
        self,
        items: Sequence[Item],
        options: IngestOptions,
        files: dict[str, FileRow],
        todo: Sequence[Item],
        progress: Callable[[int, int, str], None] | None,
    ) -> dict[str, list[Row]]:
        self._bring_back(items, files)
        watched = _WatchedReader(self._reader, {i.scanned.sha256 for i in items if i.scanned.sha256 is not None})
        claiming = _ClaimingStore(self._parts.store, self._state, [(i, files[i.scanned.path]) for i in items])
        report = ingest_files(
            [item.scanned.source for item in items],
            store=cast("Store", claiming),  # every other method is the store's own
            embedder=self._parts.embedder,
            reader=watched,
            options=options,
            settings=self._parts.settings.passages,
            clock=self._parts.clock,
            progress=progress,
            coming={item.document_id for item in todo},
        )
        by_path: dict[str, list[Row]] = defaultdict(list)
        for row in report.rows:
            by_path[row.path].append(row)
        results = {item.scanned.path: by_path[str(item.scanned.source.path)] for item in items}
        whole = [item for item in items if not any(map(_is_whole_failure, results[item.scanned.path]))]
        self._tombstone_redescribed(whole, files, watched.snapshots)
        self._state.done(_done(item, files[item.scanned.path], results[item.scanned.path]) for item in whole)
        return results

    def _bring_back(self, items: Sequence[Item], files: dict[str, FileRow]) -> None:
        """A file that says again what an earlier version said: that version must come again, as the latest."""
        again = set()
        for item in items:
            one, row = item.scanned, files[item.scanned.path]
            if row.sha256 is not None and (row.sha256, row.options) != (one.sha256, one.options):
                owned = self._state.owned(row.file)
                again |= {o.version_id for o in owned if (o.sha256, o.options) == (one.sha256, one.options)}
        self._parts.store.remove_versions(self._tenant, again & self._live, at=self._parts.clock())

    def _tombstone_redescribed(
        self, items: Sequence[Item], files: dict[str, FileRow], snapshots: dict[str, frozenset[str]]
    ) -> None:
        """The same bytes under other options, such as a narrower access: the old description must not stay readable.

        And records that a table without numbers no longer lists.
        """
        stale = set()
        for item in items:
            one = item.scanned
            listed = snapshots.get(one.sha256 or "")
            for owned in self._state.owned(files[one.path].file):
                redescribed = owned.sha256 == one.sha256 and owned.options != one.options
                if redescribed or (listed is not None and owned.document_id not in listed):
                    stale.add(owned.version_id)
        self._parts.store.remove_versions(self._tenant, stale, at=self._parts.clock())

    def _remove(self, gone: Sequence[FileRow]) -> None:
        leaving = {row.file for row in gone}
        heirs, doomed = list[Owned](), set[str]()
        for row in gone:
            for owned in self._state.owned(row.file):
                others = [f for f in self._state.claimants(owned.version_id, self._tenant) if f not in leaving]
                heirs += [dataclasses.replace(owned, file=file) for file in others]
                doomed |= set() if others else {owned.version_id}
        self._parts.store.remove_versions(self._tenant, doomed, at=self._parts.clock())
        self._state.forget(leaving, heirs)


def _is_whole_failure(row: Row) -> bool:
    return row.outcome is Outcome.FAILED and row.line is None


def _done(item: Item, file: FileRow, rows: Sequence[Row]) -> FileRow:
    one = item.scanned
    ids = [row.version_id for row in rows if row.outcome is not Outcome.FAILED]
    return dataclasses.replace(
        file,
        document_id=item.document_id,
        named_from=one.source.named_from,
        sha256=one.sha256,
        options=one.options,
        parser=one.parser or "",
        version_id=ids[0] if len(ids) == 1 and one.parser is not None else None,
    )


class _WatchedReader:
    """Refuses bytes that are not those the plan was made for; ``snapshots``: records of each unnumbered table read."""

    def __init__(self, reader: Reader, planned: set[str]) -> None:
        self._reader = reader
        self._planned = planned
        self.snapshots: dict[str, frozenset[str]] = {}

    def parser_name(self, data: bytes, source_name: str) -> str | None:
        """As the reader."""
        if hashlib.sha256(data).hexdigest() not in self._planned:
            raise ParseError(
                "the file was written to while it was read",
                code="changing",
                hint="Run the sync again when it is whole.",
            )
        return self._reader.parser_name(data, source_name)

    def read(self, data: bytes, source_name: str) -> Parsed | RecordBatch:
        """As the reader."""
        read = self._reader.read(data, source_name)
        if isinstance(read, RecordBatch) and not read.problems and all(change.seq is None for change in read.changes):
            listed = frozenset(change.source_id for change in read.changes)
            self.snapshots[hashlib.sha256(data).hexdigest()] = listed
        return read


class _ClaimingStore:
    """The store, except that what goes in is first written down as the root's own."""

    def __init__(self, store: Store, state: SyncState, files: Sequence[tuple[Item, FileRow]]) -> None:
        self._store = store
        self._state = state
        self._files = {item.scanned.source.path.resolve().as_uri(): (item, row) for item, row in files}

    def put(self, entries: Sequence[Entry]) -> int:
        """See ``Store.put``."""
        claims = []
        for entry in entries:
            version = entry.version
            item, row = self._file_of(version.source_uri)
            claims.append(
                Owned(
                    file=row.file,
                    version_id=version.version_id,
                    document_id=version.document_id,
                    sha256=item.scanned.sha256 or "",
                    options=item.scanned.options,
                )
            )
        self._state.own(claims)
        return self._store.put(entries)

    def _file_of(self, uri: str) -> tuple[Item, FileRow]:
        """By its address; what lies inside an archive has that of the archive before a mark of its own."""
        while uri not in self._files:
            cut = max(uri.rfind(mark) for mark in "!#/")
            if cut < 1:
                raise InputError("a version comes from no file of this sync", hint="Report this.")
            uri = uri[:cut]
        return self._files[uri]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


# --- telling ---------------------------------------------------------------------------------------


def _report(
    plan: Plan, look: _Look, results: dict[str, list[Row]], name: str, generation: int, *, dry_run: bool
) -> SyncReport:
    rows = [_row(item, results.get(item.scanned.path, [])) for item in plan.items]
    rows += [SyncRow(path=row.path, change=Change.REMOVED, document_id=row.document_id) for row in plan.gone]
    rows += [
        SyncRow(path=path, change=Change.UNREACHED, code="missing", reason=reason, hint="Check it and its permissions.")
        for path, reason in look.missing.items()
    ]
    ordered = tuple(sorted(rows, key=lambda row: row.path))
    return SyncReport(root=name, dry_run=dry_run, rows=ordered, generation=generation)


def _row(item: Item, rows: Sequence[Row]) -> SyncRow:
    failures = [row for row in rows if row.outcome is Outcome.FAILED]
    whole = next((row for row in failures if row.line is None), None)
    went_in = [row for row in rows if row.outcome is not Outcome.FAILED]
    problem = item.scanned.problem
    return SyncRow(
        path=item.scanned.path,
        change=item.change if whole is None else Change.FAILED,
        document_id=item.document_id,
        moved_from=item.moved_from,
        version_id=went_in[0].version_id if len(went_in) == 1 else None,
        documents=sum(row.documents for row in went_in) if went_in else 1,
        passages=sum(row.passages for row in went_in),
        code=whole.code if whole is not None else "unreadable" if problem is not None else None,
        reason=whole.reason if whole is not None else problem,
        hint=whole.hint if whole is not None else "Check that you may read the file." if problem is not None else None,
        notes=(*(n for row in went_in for n in row.notes), *(str(row.reason) for row in failures if row is not whole)),
    )
