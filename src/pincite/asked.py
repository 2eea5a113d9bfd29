"""From the date in a question to the day it is answered for. Used only where the caller gives no day."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from pincite.text.asked_dates import Asked, asked_date

if TYPE_CHECKING:
    from datetime import date

    from pincite.protocols import Store
    from pincite.types import Query


def as_dated(query: Query, store: Store) -> Query:
    """The query moved to the day that its question asks for, with a note; ``query.as_of`` is today.

    It stays where it is when the asker's documents are the same on both days: then the date can only be the subject.
    An unclear date is noted where it could matter.
    """
    found = asked_date(query.text, query.as_of)
    if found.asked is Asked.UNCLEAR and _has_past(query, store):
        note = (
            f"Answered as of {said(query.as_of)}: the question's date ({found.words}) may be its subject or the day to "
            "answer for. Give a day (--as-of) to choose, or compare versions with pincite diff."
        )
        return dataclasses.replace(query, notes=(*query.notes, note))
    if found.as_of is None or not _differs(query, found.as_of, store):
        return query
    note = f"Answered as of {said(found.as_of)}, because the question says {found.words!r}."
    return dataclasses.replace(query, as_of=found.as_of, searched=found.rest, notes=(*query.notes, note))


def said(day: date) -> str:
    """A day as people write it: 1 May 2022."""
    return f"{day.day} {day:%B} {day.year}"


def _differs(query: Query, day: date, store: Store) -> bool:
    now, then = query.view(), dataclasses.replace(query, as_of=day).view()
    return {one.version_id for one in store.documents(now)} != {one.version_id for one in store.documents(then)}


def _has_past(query: Query, store: Store) -> bool:
    return any(one.version_count > 1 for one in store.documents(query.view()))
