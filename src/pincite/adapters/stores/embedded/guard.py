"""The view once more, in plain words, for one version: the last look at everything that leaves the store.

The catalogue has decided before; this restates tenant, access, dates and attributes without its arrays. A passage
that one lets through and the other does not is a fault of ours: it is withheld and counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.adapters.stores.embedded.codec import VersionClass
    from pincite.types import View


def admits(view: View, kind: VersionClass, *, from_day: int | None, to_day: int | None, removed: int | None) -> bool:
    """Whether the view may see a version of this class with these dates, other versions aside."""
    day = view.as_of.toordinal()
    return (
        kind.tenant == view.tenant
        and bool(kind.allow & view.principals)
        and not kind.deny & view.principals
        and removed is None
        and (from_day is None or from_day <= day)
        and (to_day is None or day < to_day)
        and all(_agrees(kind, key, value) for key, value in view.attributes.items())
    )


def _agrees(kind: VersionClass, key: str, value: str) -> bool:
    return key not in kind.attributes or kind.attributes[key].casefold() == value.casefold()
