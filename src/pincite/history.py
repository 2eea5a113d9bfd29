"""A document's versions as one reader may see them: by label, day or id, and what changed between two."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from pincite.errors import InputError, NotFoundError
from pincite.verify.changes import changes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.protocols import Store
    from pincite.types import Version, View
    from pincite.verify.changes import Change

_SHORTEST_ID = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """What changed from one version of a document to another."""

    old: Version
    new: Version
    changes: tuple[Change, ...]


def difference(document_id: str, store: Store, view: View, *, old: str | None, new: str | None) -> Difference:
    """Compare two versions, each named by label, day (the one in force then) or version id.

    Without ``new`` it is the one in force on the view's day, else the latest; without ``old`` the one before ``new``.

    Raises:
        NotFoundError: no such document or version for this reader: the same words when it is forbidden.
        InputError: there is only one version, or a name fits several.
    """
    versions = kept_versions(document_id, store, view)
    after = (_in_force(versions, store, view) or versions[-1]) if new is None else None
    after = after or _named(str(new), document_id, versions, store, view)
    before = _before(after, versions) if old is None else _named(old, document_id, versions, store, view)
    return Difference(old=before, new=after, changes=tuple(changes(before, after)))


def kept_versions(document_id: str, store: Store, view: View) -> list[Version]:
    """Every version of the document that the reader may read and that was not removed, oldest first.

    Raises:
        NotFoundError: when there is none.
    """
    versions = [one for one in store.history(document_id, view) if store.kept_version(one.version_id, view) is not None]
    if not versions:
        raise NotFoundError(f"there is no document {document_id!r} that you can open")
    return versions


def _before(version: Version, versions: Sequence[Version]) -> Version:
    at = [one.version_id for one in versions].index(version.version_id)
    if at == 0:
        raise InputError(
            f"{version.document_id} has no version before the one of {version.effective_from or 'the start'}",
            hint="Name two versions with --from and --to; pincite versions DOC lists them.",
        )
    return versions[at - 1]


def _in_force(versions: Sequence[Version], store: Store, view: View) -> Version | None:
    """The version in force on the view's day, whatever attributes the view asks for."""
    whole = dataclasses.replace(view, attributes={})
    return next((one for one in versions if store.version(one.version_id, whole) is not None), None)


def _named(name: str, document_id: str, versions: Sequence[Version], store: Store, view: View) -> Version:
    labelled = [one for one in versions if one.version_label == name]
    by_id = [one for one in versions if len(name) >= _SHORTEST_ID and one.version_id.startswith(name)]
    found = labelled or by_id
    if not found and (day := _day(name)) is not None:
        then = _in_force(versions, store, dataclasses.replace(view, as_of=day))
        found = [then] if then is not None else []
    if len(found) > 1:
        raise InputError(f"{name!r} names {len(found)} versions of {document_id}", hint="Give a day or the version id.")
    if not found:
        raise NotFoundError(
            f"there is no version {name!r} of {document_id!r} that you can open",
            hint="Name it by label, by a day on which it was in force, or by version id: pincite versions DOC.",
        )
    return found[0]


def _day(name: str) -> date | None:
    try:
        return date.fromisoformat(name)
    except ValueError:
        return None
