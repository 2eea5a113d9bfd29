"""The answer cache: which recorded answer says what a question would be told now. It holds no text of any answer.

A key covers everything that an answer depends on; the answer itself is read from the audit record, whose hash proves
it, and each of its sources is read again through the asker's view. Anything amiss is a miss, never an error.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import sqlite3
from typing import TYPE_CHECKING, Any

import msgspec

from pincite.audit import canonical, plain
from pincite.errors import AuditError, InputError, NotFoundError
from pincite.pipeline import STANDS, ask
from pincite.text.personal import personal_data
from pincite.types import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pincite.pipeline import Parts
    from pincite.types import Query

CACHE_FILE = "answers.sqlite"
BUSY_S = 1.0
_SCHEMA = "CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, audit_id TEXT NOT NULL, at_s REAL NOT NULL) STRICT"


def ask_cached(
    query: Query, parts: Parts, folder: Path, *, personal: Callable[[str], frozenset[str]] = personal_data
) -> Answer:
    """As ``pipeline.ask``; when the settings switch the cache on, perhaps an earlier answer with a record of its own.

    Never for a question or answer in which ``personal`` sees anything.

    Raises:
        AuditError: the answer, given again or new, cannot be recorded.
    """
    asked = query.text if query.said is None else f"{query.text}\n{query.said.asked}"
    if not parts.settings.cache.on or personal(asked):
        return ask(query, parts)
    key = key_of(query, parts)
    found = _look_up(folder / CACHE_FILE, key, parts)
    content = _content(found, query, parts) if found is not None else None
    if found is not None and content is not None:
        return _repeated(found, content, query, parts)
    answer = ask(query, parts)
    if (
        answer.decision in STANDS
        and not personal(answer.text)
        and parts.store.generation() == answer.library_generation
    ):
        _keep(folder / CACHE_FILE, key, answer.audit_id, parts)
    return answer


def key_of(query: Query, parts: Parts) -> str:
    """SHA-256 over all that the answer depends on.

    The question counts letter by letter but for runs of blanks: "US" and "us" are not the same to a search. The day is
    in it because an answer says what is superseded today and what begins soon.
    """
    said = query.said
    content = {
        "text": " ".join(query.text.split()),
        "topic": " ".join(query.topic.split()),
        "notes": list(query.notes),
        "turns": plain(said.turns) if said is not None else [],
        "again": list(said.again) if said is not None else [],
        "tenant": query.identity.tenant,
        "principals": sorted(query.identity.principals()),
        "as_of": query.as_of.isoformat(),
        "attributes": dict(query.attributes),
        "today": parts.clock().date().isoformat(),
        "generation": parts.store.generation(),
        "settings": parts.settings.fingerprint(),
        "parts": [parts.embedder.name, parts.generator.name, plain(parts.verifier.info), parts.product],
    }
    return hashlib.sha256(canonical(content).encode("utf-8", "surrogatepass")).hexdigest()


def _content(audit_id: str, query: Query, parts: Parts) -> dict[str, Any] | None:
    """The record, if it is whole, names this answer, and each of its sources still says what was quoted."""
    try:
        content = parts.audit.get(audit_id).content()
        answer = msgspec.convert(content["answer"], type=Answer)
    except (AuditError, NotFoundError, InputError, msgspec.ValidationError, KeyError, TypeError):
        return None
    view = query.view()
    for source in answer.sources:
        version = parts.store.version(source.version_id, view)
        if version is None or version.text[source.start : source.end] != source.quote:
            return None
    same = (
        answer.library_generation == parts.store.generation() and answer.query.identity.principals() == view.principals
    )
    return content if same and answer.query.identity.tenant == view.tenant else None


def _repeated(audit_id: str, content: dict[str, Any], query: Query, parts: Parts) -> Answer:
    """The answer once more, for this query, under a record that names the one it repeats."""
    answer = dataclasses.replace(
        msgspec.convert(content["answer"], type=Answer), query=query, timings_ms={}, audit_id=""
    )
    body = {**content, "at": parts.clock().isoformat(), "repeats": audit_id, "answer": plain(answer)}
    record = parts.audit.append(body)
    return dataclasses.replace(answer, audit_id=record.audit_id)


def _look_up(file: Path, key: str, parts: Parts) -> str | None:
    oldest_s = parts.clock().timestamp() - parts.settings.cache.max_age_s
    with contextlib.suppress(sqlite3.Error), _opened(file) as db:
        row = db.execute("SELECT audit_id FROM kept WHERE key = ? AND at_s >= ?", (key, oldest_s)).fetchone()
        return None if row is None else str(row[0])
    return None


def _keep(file: Path, key: str, audit_id: str, parts: Parts) -> None:
    now_s = parts.clock().timestamp()
    with contextlib.suppress(sqlite3.Error), _opened(file) as db, db:
        db.execute("DELETE FROM kept WHERE at_s < ?", (now_s - parts.settings.cache.max_age_s,))
        db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (key, audit_id, now_s))


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(file, timeout=BUSY_S)
    try:
        db.execute(_SCHEMA)
        yield db
    finally:
        db.close()
