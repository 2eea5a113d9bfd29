"""What `show` opens: a citation id, a passage id or a document id, as far as the reader may see it."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.errors import NotFoundError
from pincite.text.layout import locate

if TYPE_CHECKING:
    from pincite.protocols import Store
    from pincite.types import Location, Version, View

_CITATION = re.compile(r"(?P<version>.+)@(?P<start>[0-9]{1,12})-(?P<end>[0-9]{1,12})", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """A citation, passage or document opened for a reader: the version, the range, and where it stands.

    ``in_force`` is false for a citation of a version that is not the one in force on the day of the view.
    """

    version: Version
    start: int
    end: int
    location: Location
    in_force: bool = True

    @property
    def quote(self) -> str:
        """The exact words."""
        return self.version.text[self.start : self.end]


def open_reference(reference: str, store: Store, view: View) -> Opened:
    """Resolve a reference within a view.

    Raises:
        NotFoundError: when there is none, or the view does not admit it: the same words for both.
    """
    found = _find(reference, store, view) if _is_unicode(reference) else None
    if found is None:
        raise NotFoundError(
            f"there is no citation, passage or document {reference!r} that you can open",
            hint="`pincite list` shows the documents; give the same --as-of, --tenant and --role as for the answer.",
        )
    return found


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _find(reference: str, store: Store, view: View) -> Opened | None:
    return _citation(reference, store, view) or _passage(reference, store, view) or _document(reference, store, view)


def _citation(reference: str, store: Store, view: View) -> Opened | None:
    match = _CITATION.fullmatch(reference)
    if match is None:
        return None
    current = store.version(match["version"], view)
    version = current or store.kept_version(match["version"], view)
    start, end = int(match["start"]), int(match["end"])
    if version is None or not start < end <= len(version.text):
        return None
    opened = _opened(version, start, end)
    return opened if current is not None else dataclasses.replace(opened, in_force=False)


def _passage(reference: str, store: Store, view: View) -> Opened | None:
    for passage in store.passages([reference], view):
        version = store.version(passage.version_id, view)
        if version is not None:
            return _opened(version, passage.start, passage.end)
    return None


def _document(reference: str, store: Store, view: View) -> Opened | None:
    for summary in store.documents(view):
        if summary.document_id == reference:
            version = store.version(summary.version_id, view)
            return None if version is None else _opened(version, 0, len(version.text))
    return None


def _opened(version: Version, start: int, end: int) -> Opened:
    return Opened(version=version, start=start, end=end, location=locate(version.layout, start, end))
