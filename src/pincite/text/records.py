"""Records (rows of a change log or table): from changes to states, and from a state to text.

A change inserts, updates some fields or deletes; changes may come late, twice or out of order, and across
files. Everything here is pure, so the same changes give the same states in any order of arrival.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from pincite.types import Block, BlockKind, Cell, Layout, Parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from pincite.types import Version

_SEPARATOR = " | "
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+", re.UNICODE)
_SEQ_FLAG = "record_seq:"
_DELETED_FLAG = "record_deleted_seq:"


class Op(StrEnum):
    """What a change does. An insert replaces the whole record if there is one."""

    INSERT = "insert"
    UPDATE = "update"
    DELETE = "delete"


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordChange:
    """One row. ``data`` maps readable field names to readable values, None clears a field.

    ``seq`` orders the changes of a record; None for tables that number nothing, where each file is a snapshot.
    """

    op: Op
    source_id: str
    title: str
    seq: int | None
    data: Mapping[str, str | None]
    line: int
    day: date | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class LineProblem:
    """A line that was left out, and why."""

    line: int
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordBatch:
    """What one file holds, in the order of its lines."""

    changes: tuple[RecordChange, ...]
    problems: tuple[LineProblem, ...]
    media_type: str
    parser: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordState:
    """A record as it was from one change until the next. ``deleted_*`` when the next was a deletion."""

    source_id: str
    title: str
    seq: int | None
    data: Mapping[str, str]
    line: int | None
    day: date | None
    deleted_seq: int | None = None
    deleted_on: date | None = None

    @property
    def deleted(self) -> bool:
        """Whether the record ended with this state."""
        return self.deleted_seq is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class Merged:
    """The states of one record, oldest first, and rows that contradict each other."""

    states: tuple[RecordState, ...]
    problems: tuple[LineProblem, ...] = ()


def by_record(changes: Iterable[RecordChange]) -> dict[str, list[RecordChange]]:
    """Changes grouped by record, records in the order of their first line."""
    grouped: dict[str, list[RecordChange]] = {}
    for change in changes:
        grouped.setdefault(change.source_id, []).append(change)
    return grouped


def merge(changes: Sequence[RecordChange], base: Sequence[RecordState] = ()) -> Merged:
    """Apply the changes of one record, with those that led to ``base``, in the order of their numbers.

    The same number twice counts once; if the two disagree the first stands and the second is a problem. Changes
    without a number are snapshots and come in the order of their lines, after ``base``.
    """
    unique, problems = _once_each([*_changes_of(base), *changes])
    states: list[RecordState] = []
    for change in sorted(unique, key=lambda c: (c.seq is None, c.seq if c.seq is not None else 0)):
        _apply(change, states)
    return Merged(states=tuple(states), problems=tuple(problems))


def _once_each(changes: Iterable[RecordChange]) -> tuple[list[RecordChange], list[LineProblem]]:
    kept: dict[int, RecordChange] = {}
    unnumbered: list[RecordChange] = []
    problems: list[LineProblem] = []
    for change in changes:
        if change.seq is None:
            unnumbered.append(change)
            continue
        first = kept.setdefault(change.seq, change)
        if first is not change and not _same(first, change):
            reason = f"number {change.seq} of {change.source_id} was used before for another change"
            problems.append(LineProblem(line=change.line, reason=reason))
    return [*kept.values(), *unnumbered], problems


def _same(stored: RecordChange, given: RecordChange) -> bool:
    """What a stored state was made from is known only as a difference, so a repeated row may say more than it."""
    if stored.line > 0:
        return (stored.op, stored.data, stored.day) == (given.op, given.data, given.day)
    if Op.DELETE in (stored.op, given.op):
        return stored.op is given.op
    return all(given.data.get(name, value) == value for name, value in stored.data.items())


def _apply(change: RecordChange, states: list[RecordState]) -> None:
    last = states[-1] if states else None
    if change.op is Op.DELETE:
        if last is not None and not last.deleted:
            number = change.seq if change.seq is not None else 0
            states[-1] = replace(last, deleted_seq=number, deleted_on=change.day)
        return
    alive = last is not None and not last.deleted
    data = dict(last.data) if last is not None and alive and change.op is Op.UPDATE else {}
    for name, value in change.data.items():
        data.pop(name, None) if value is None else data.__setitem__(name, value)
    states.append(
        RecordState(
            source_id=change.source_id,
            title=change.title,
            seq=change.seq,
            data=MappingProxyType(data),
            line=change.line if change.line > 0 else None,
            day=change.day,
        )
    )


def _changes_of(states: Sequence[RecordState]) -> Iterator[RecordChange]:
    """The changes that lead to these states: each as its difference from the state before."""
    before: RecordState | None = None
    for state in states:
        changed: dict[str, str | None] = dict(state.data)
        op = Op.INSERT
        if before is not None and not before.deleted:
            op = Op.UPDATE
            changed = {name: value for name, value in state.data.items() if before.data.get(name) != value}
            changed |= dict.fromkeys(before.data.keys() - state.data.keys())
        yield RecordChange(
            op=op,
            source_id=state.source_id,
            title=state.title,
            seq=state.seq,
            data=changed,
            line=0,
            day=state.day,
        )
        if state.deleted:
            yield RecordChange(
                op=Op.DELETE,
                source_id=state.source_id,
                title=state.title,
                seq=state.deleted_seq,
                data={},
                line=0,
                day=state.deleted_on,
            )
        before = state


def state_flags(state: RecordState) -> tuple[str, ...]:
    """What a Version must keep so that ``state_of`` can read it back."""
    flags = [] if state.seq is None else [f"{_SEQ_FLAG}{state.seq}"]
    return (*flags, f"{_DELETED_FLAG}{state.deleted_seq}") if state.deleted else tuple(flags)


def state_of(version: Version) -> RecordState | None:
    """The numbered state that a stored version shows; None for any other version."""
    numbers = {flag.partition(":")[0]: flag.partition(":")[2] for flag in version.flags}
    seq = numbers.get(_SEQ_FLAG[:-1])
    if seq is None:
        return None
    deleted = numbers.get(_DELETED_FLAG[:-1])
    cells = (cell for block in version.layout.blocks for cell in block.cells)
    return RecordState(
        source_id=version.document_id,
        title=version.title,
        seq=int(seq),
        data=MappingProxyType(
            {cell.header: version.text[cell.start : cell.end] for cell in cells if cell.header is not None}
        ),
        line=None,
        day=version.effective_from,
        deleted_seq=int(deleted) if deleted is not None else None,
        deleted_on=version.effective_to if deleted is not None else None,
    )


def render(state: RecordState, *, media_type: str, parser: str) -> Parsed:
    """One line that names the record and then says every field: "Claim 88431 | Status: open | Cause: water damage".

    The cell of a value carries the field's name as its header; the first cell is the record's own name.
    """
    text = state.title
    cells = [Cell(start=0, end=len(text), row=0, column=0)]
    for column, (name, value) in enumerate(state.data.items(), start=1):
        text += f"{_SEPARATOR}{name}: "
        cells.append(Cell(start=len(text), end=len(text) + len(value), row=0, column=column, header=name))
        text += value
    block = Block(start=0, end=len(text), kind=BlockKind.RECORD, line=state.line, cells=tuple(cells))
    metadata = {"title": state.title}
    if state.seq is not None:
        metadata["version_label"] = str(state.seq)
    if state.day is not None:
        metadata["effective_from"] = state.day.isoformat()
    if state.deleted_on is not None:
        metadata["effective_to"] = state.deleted_on.isoformat()
    return Parsed(
        text=text,
        layout=Layout(blocks=(block,)),
        media_type=media_type,
        parser=parser,
        metadata=MappingProxyType(metadata),
        flags=state_flags(state),
    )


def state_bytes(state: RecordState) -> bytes:
    """What the identity of a state is made of, in place of a file's bytes."""
    told = [
        state.source_id,
        state.seq,
        sorted(state.data.items()),
        state.day.isoformat() if state.day is not None else None,
        state.deleted_seq,  # and not the day, which is that of the first reading when the row names none
    ]
    return json.dumps(told, ensure_ascii=True).encode()


def readable_name(name: str) -> str:
    """A field or table name as words: ``date_of_loss`` and ``dateOfLoss`` become "Date of loss"."""
    words = _WORDS.findall(name)
    if not words:
        return " ".join(name.split()) or "Field"
    lowered = [word if word.isupper() and len(word) > 1 else word.lower() for word in words]
    lowered[0] = lowered[0][:1].upper() + lowered[0][1:]
    return " ".join(lowered)
