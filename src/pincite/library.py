"""The library call: `Library.open(path).ask(...)` and `check(...)`. Here the default parts are put together."""

from __future__ import annotations

import secrets
from datetime import UTC, date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from pincite import defaults, pipeline
from pincite.asked import as_dated
from pincite.audit import AuditLog
from pincite.cache import ask_cached
from pincite.config import Policy, load_settings
from pincite.errors import AuditError, InputError, LibraryNotFoundError
from pincite.history import Difference, difference, kept_versions
from pincite.reference import Opened, open_reference
from pincite.types import Identity, Passage, Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    from pincite.config import Settings
    from pincite.conflicts import ConflictLimits, ConflictReport
    from pincite.ingest import IngestOptions, IngestReport
    from pincite.protocols import DocumentSummary, Embedder, Generator, Store, Verifier
    from pincite.sync import SyncOptions, SyncReport
    from pincite.types import Answer, Checked, Released, Version

MAX_QUESTION_CHARS = 10_000
"""A longer question is refused: it is a document, and a document in the question must never become a source."""

_SETTINGS_FILE = "pincite.toml"
_AUDIT_FILE = "audit.sqlite"


def product() -> str:
    """Name and version for the audit record."""
    from importlib.metadata import version

    return f"pincite {version('pincite')}"


def check(
    answer: str,
    passages: Sequence[Passage | Mapping[str, Any] | str],
    query: str | None = None,
    *,
    verifier: Verifier | None = None,
    policy: Policy | None = None,
) -> Checked:
    """Check an answer against the passages it was made from: a verdict for every claim.

    Markers in the answer resolve by passage id first, then by 1-based number. A passage is text, a mapping
    with "text" and optionally "id" and "title", or a Passage.

    Raises:
        InputError: for two passages with one id, or a passage without text.
    """
    given = [_as_passage(passage, number) for number, passage in enumerate(passages, start=1)]
    return pipeline.check(
        answer,
        given,
        labels_for(given),
        verifier=verifier or defaults.verifier(),
        policy=policy or Policy(),
        question=query,
    )


def labels_for(passages: Sequence[Passage]) -> dict[str, str]:
    """What a marker may say to mean a passage: its number, S and its number, or its id, which wins."""
    ids = [passage.passage_id for passage in passages]
    doubled = sorted({one for one in ids if ids.count(one) > 1}) if len(set(ids)) < len(ids) else []
    if doubled:
        raise InputError(f"two passages have the id {doubled[0]!r}", hint="Give every passage an id of its own.")
    numbers = {str(n): one for n, one in enumerate(ids, start=1)}
    handles = {f"S{n}": one for n, one in enumerate(ids, start=1)}
    return {**handles, **numbers, **{one: one for one in ids}}


def _as_passage(given: Passage | Mapping[str, Any] | str, number: int) -> Passage:
    if isinstance(given, Passage):
        return given
    fields: Mapping[str, Any] = {"text": given} if isinstance(given, str) else given
    text = fields.get("text")
    if not isinstance(text, str):
        raise InputError(f"passage {number} has no text", hint='Give each passage as {"id": ..., "text": ...}.')
    named = fields.get("id")
    passage_id = str(number) if named is None else str(named)
    return Passage(passage_id=passage_id, text=text, end=len(text), title=str(fields.get("title") or ""))


def open_audit(path: str | Path) -> AuditLog:
    """The record of a library alone, whatever has become of the rest.

    Raises:
        LibraryNotFoundError: there is no such folder.
        AuditError: the record is not there or cannot be opened.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise LibraryNotFoundError(f"there is no library in {folder}")
    _refuse_lost(folder / _AUDIT_FILE)
    return AuditLog(folder / _AUDIT_FILE)


def _audit_of(folder: Path, store: Store) -> AuditLog:
    """The library's record; made for a new library only: a lost record must not pass for an empty one."""
    if store.generation() > 0:
        _refuse_lost(folder / _AUDIT_FILE)
    return AuditLog(folder / _AUDIT_FILE)


def _refuse_lost(file: Path) -> None:
    if not file.is_file() or file.stat().st_size == 0:
        raise AuditError(
            f"{file} is missing or empty, so what was answered before cannot be proved",
            hint="Restore it from a backup, or ingest the documents into a new library.",
        )


def _refuse_broken_text(*texts: str) -> None:
    for text in texts:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as exc:
            raise InputError(
                "the question or one of its options is not valid Unicode text",
                hint="Give it in UTF-8, without half surrogate pairs.",
            ) from exc


def _now() -> datetime:
    return datetime.now(tz=UTC)


def _nonce() -> str:
    return secrets.token_hex(8)


class Library:
    """Documents on disk, and the questions asked of them. Open it, ask, close it (or use ``with``)."""

    def __init__(self, parts: pipeline.Parts, *, path: Path) -> None:
        self._parts = parts
        self.path = path

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        create: bool = False,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        generator: Generator | None = None,
        verifier: Verifier | None = None,
        clock: Callable[[], datetime] = _now,
        nonce: Callable[[], str] = _nonce,
    ) -> Self:
        """Open the library in a folder; ``create`` makes an empty one when there is none.

        Raises:
            LibraryNotFoundError: when there is none and ``create`` is false.
            LibraryCorruptError: naming the damaged file.
            AuditError: when the record cannot be opened, or is gone although the library has a history.
        """
        folder = Path(path)
        if folder.exists() and not folder.is_dir():
            raise LibraryNotFoundError(f"{folder} is a file; a library is a folder")
        settings = settings or load_settings(folder / _SETTINGS_FILE)
        embedder = embedder or defaults.embedder()
        store = defaults.store(folder, embedder, create=create)
        try:
            audit = _audit_of(folder, store)
        except BaseException:
            store.close()
            raise
        parts = pipeline.Parts(
            store=store,
            embedder=embedder,
            generator=generator or defaults.generator(embedder, settings),
            verifier=verifier or defaults.chosen_verifier(settings, folder),
            audit=audit,
            settings=settings,
            clock=clock,
            nonce=nonce,
            product=product(),
        )
        return cls(parts, path=folder)

    def ask(
        self,
        query: str,
        *,
        identity: Identity | None = None,
        as_of: date | None = None,
        attributes: Mapping[str, str] | None = None,
    ) -> Answer:
        """Answer from the documents that this identity may read, in force on ``as_of``.

        Without it, on the day that the question asks for ("what was the fee in 2021?"), if it asks for one and any
        document was another then, else today; the answer's notes say so.

        Raises:
            InputError: when the question is over 10,000 characters or is not Unicode text.
            AuditError: when the answer cannot be recorded; it is then not returned.
        """
        return ask_cached(self._asked(query, identity, as_of, attributes), self._parts, self.path)

    def ask_stream(
        self,
        query: str,
        *,
        identity: Identity | None = None,
        as_of: date | None = None,
        attributes: Mapping[str, str] | None = None,
    ) -> Iterator[Released | Answer]:
        """As ``ask``: each verified stretch as soon as the policy lets it go, then the Answer.

        Closing the iterator cancels the model.

        Raises:
            InputError: at once, as ``ask`` does.
            AuditError: from the iterator, instead of the Answer.
        """
        return pipeline.ask_stream(self._asked(query, identity, as_of, attributes), self._parts)

    def query_for(
        self,
        text: str,
        *,
        identity: Identity | None = None,
        as_of: date | None = None,
        attributes: Mapping[str, str] | None = None,
    ) -> Query:
        """The question as ``ask`` reads it, not asked yet.

        Raises:
            InputError: as ``ask`` does.
        """
        return self._asked(text, identity, as_of, attributes)

    def ingest(
        self,
        paths: Iterable[str | Path],
        options: IngestOptions | None = None,
        *,
        progress: Callable[[int, int, str], None] | None = None,
    ) -> IngestReport:
        """Bring files and folders in; what failed is in the report, the rest is in the library."""
        from pincite.ingest import IngestOptions
        from pincite.intake import Job, run_ingest

        job = Job(paths=tuple(Path(path) for path in paths), options=options or IngestOptions())
        return run_ingest(self._parts, [job], progress=progress, skip=(self.path,))

    def sync(
        self,
        root: str | Path,
        options: SyncOptions | None = None,
        *,
        confirm: Callable[[SyncReport], bool] | None = None,
        progress: Callable[[int, int, str], None] | None = None,
    ) -> SyncReport:
        """Bring the library to the state of a folder or manifest; see ``pincite.sync``.

        ``confirm`` is asked when more would be removed than ``options.max_removed_share``.

        Raises:
            InputError: the root is empty or missing, or too much would be removed: nothing was changed.
            LibraryLockedError: another sync of this library is at work.
        """
        from pincite.intake import run_sync

        return run_sync(self._parts, Path(root), options, library=self.path, confirm=confirm, progress=progress)

    def documents(
        self,
        *,
        identity: Identity | None = None,
        as_of: date | None = None,
        attributes: Mapping[str, str] | None = None,
    ) -> list[DocumentSummary]:
        """Every document that this identity may read on that date."""
        return self._parts.store.documents(self._query("", identity, as_of, attributes).view())

    def remove(self, document_id: str, *, identity: Identity | None = None) -> int:
        """Take a document out of every answer at once; its history is kept. The new library generation.

        Any document of the tenant, whoever may read it: the edge decides who may call this.

        Raises:
            NotFoundError: when the tenant has no such document.
        """
        tenant = (identity or Identity()).tenant
        _refuse_broken_text(tenant, document_id)
        return self._parts.store.remove(tenant, document_id, at=self._parts.clock())

    def open_reference(self, reference: str, *, identity: Identity | None = None, as_of: date | None = None) -> Opened:
        """The place that a citation id, passage id or document id names, if this identity may read it.

        Raises:
            NotFoundError: when there is none, or this identity may not see it: the same error.
        """
        return open_reference(reference, self._parts.store, self._query("", identity, as_of, None).view())

    def versions(self, document_id: str, *, identity: Identity | None = None) -> list[Version]:
        """Every version of a document that this identity may read, oldest first.

        Raises:
            NotFoundError: when there is none, or this identity may not see it: the same error.
        """
        return kept_versions(document_id, self._parts.store, self._query("", identity, None, None).view())

    def difference(
        self, document_id: str, *, old: str | None = None, new: str | None = None, identity: Identity | None = None
    ) -> Difference:
        """The statements that changed between two versions, each named by label, day or version id.

        Raises:
            NotFoundError: no such document or version for this identity.
            InputError: there is no earlier version, or a name fits several.
        """
        _refuse_broken_text(document_id, *(name for name in (old, new) if name is not None))
        view = self._query("", identity, None, None).view()
        return difference(document_id, self._parts.store, view, old=old, new=new)

    def conflicts(
        self,
        *,
        identity: Identity | None = None,
        as_of: date | None = None,
        attributes: Mapping[str, str] | None = None,
        limits: ConflictLimits | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> ConflictReport:
        """Pairs of statements that cannot both hold, among what this identity may read on that day.

        The precedence of attributes is the library's setting unless ``limits`` brings one.
        """
        from pincite.conflicts import ConflictLimits, find_conflicts

        parts = self._parts
        limits = limits or ConflictLimits(order=parts.settings.retrieve.precedence)
        view = self._query("", identity, as_of, attributes).view()
        return find_conflicts(parts.store, view, parts.verifier, limits, progress=progress)

    @property
    def audit(self) -> AuditLog:
        """The record of every answer."""
        return self._parts.audit

    @property
    def parts(self) -> pipeline.Parts:
        """What this library runs on."""
        return self._parts

    def close(self) -> None:
        """Release the files."""
        self._parts.audit.close()
        self._parts.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _asked(
        self, text: str, identity: Identity | None, as_of: date | None, attributes: Mapping[str, str] | None
    ) -> Query:
        if len(text) > MAX_QUESTION_CHARS:
            raise InputError(
                f"the question has {len(text):,} characters; {MAX_QUESTION_CHARS:,} is the most",
                hint="Ask in a sentence or two; put documents into the library with `pincite ingest`.",
            )
        asked = self._query(text, identity, as_of, attributes)
        return as_dated(asked, self._parts.store) if as_of is None else asked

    def _query(
        self,
        text: str,
        identity: Identity | None,
        as_of: date | None,
        attributes: Mapping[str, str] | None,
    ) -> Query:
        asker, scope = identity or Identity(), dict(attributes or {})
        _refuse_broken_text(text, asker.tenant, *asker.principals(), *scope, *scope.values())
        return Query(
            text=text,
            identity=asker,
            as_of=as_of or self._parts.clock().date(),
            attributes=MappingProxyType(scope),
        )
