"""Records as documents: the changes of a file, merged with what the store already keeps, become states to put."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from pincite.ingest.make import Unit
from pincite.text.records import by_record, merge, render, state_of
from pincite.types import View

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from pincite.ingest.make import IngestOptions
    from pincite.protocols import Store
    from pincite.text.records import RecordBatch, RecordState


def record_units(
    batch: RecordBatch, *, store: Store, options: IngestOptions, today: date, problems: list[str]
) -> Iterator[Unit]:
    """The states of every record of a batch, oldest first; for a record that ended, only its deletion.

    Late rows and rows seen before find their place by number, also among states of earlier files. Contradicting
    rows are added to ``problems``.
    """
    view = View(tenant=options.tenant, principals=options.access.allow, as_of=today)
    for source_id, changes in by_record(batch.changes).items():
        kept = (state_of(version) for version in store.history(source_id, view))
        merged = merge(changes, [state for state in kept if state is not None])
        problems += [f"line {problem.line}: {problem.reason}" for problem in merged.problems]
        yield from _units(merged.states, batch)


def _units(states: tuple[RecordState, ...], batch: RecordBatch) -> Iterator[Unit]:
    if states and states[-1].deleted:
        yield Unit(parsed=None, content_sha256="", document_id=states[-1].source_id)
        return
    for state in states:
        parsed = render(state, media_type=batch.media_type, parser=batch.parser)
        digest = hashlib.sha256(parsed.text.encode("utf-8", "surrogatepass")).hexdigest()
        yield Unit(parsed=parsed, content_sha256=digest, document_id=state.source_id, effective_from=state.day)
