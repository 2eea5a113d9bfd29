"""CSV, TSV and JSON Lines files as changes of records. Bad lines are named and left out, the rest goes on."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from pincite.adapters.parsers.canon import Piece, squeeze
from pincite.adapters.parsers.decoding import decode
from pincite.adapters.parsers.limits import check_size
from pincite.adapters.parsers.plain import NEWLINE
from pincite.errors import ParseError
from pincite.text.records import LineProblem, Op, RecordBatch, RecordChange, readable_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pincite.protocols import ParseLimits

CSV = "text/csv"
TSV = "text/tab-separated-values"
JSON_LINES = "application/x-ndjson"

_DELIMITERS = ",;\t|"
_KEY_NAMES = ("id", "key")
_CONTROL = frozenset({"op", "table", "key", "seq", "ts"})
_SEQ_DIGITS = 18
_MOST_VALUE_CHARS = 100_000


class _Row(NamedTuple):
    """A row before its key is known. ``control`` holds op, table, key, seq, ts where the row has them."""

    line: int
    control: Mapping[str, Any]
    data: Mapping[str, Any]


class _BadRowError(Exception):
    """A row cannot be read; caught in this module."""


class RecordsParser:
    """Reads a file of records. Unlike a Parser it yields changes, for one file holds many documents."""

    name = "records/1"
    media_types = frozenset({CSV, TSV, JSON_LINES})

    def read(self, data: bytes, *, source_name: str, media_type: str, limits: ParseLimits) -> RecordBatch:
        """Every readable row as a change, in order, and a problem for every other line.

        Raises:
            ParseError: when the file as a whole cannot be read, or no line of it.
        """
        check_size(data, limits)
        text = decode(data).text
        if len(text) > limits.max_text_chars:
            raise ParseError(
                f"the text is longer than {limits.max_text_chars:,} characters",
                code="limit",
                hint="Split the file, or raise max_text_chars.",
            )
        problems: list[LineProblem] = []
        rows = list(_json_rows(text, problems) if media_type == JSON_LINES else _csv_rows(text, media_type, problems))
        changes = list(_changes(rows, _stem(source_name), problems))
        if not changes and problems:
            first = min(problems, key=lambda problem: problem.line)
            raise ParseError(
                f"no line of {source_name} could be read; line {first.line}: {first.reason}",
                code="corrupt",
                hint="Check that the file is what its name says.",
            )
        problems.sort(key=lambda problem: problem.line)
        return RecordBatch(changes=tuple(changes), problems=tuple(problems), media_type=media_type, parser=self.name)


def _stem(source_name: str) -> str:
    return PurePath(source_name).name.partition(".")[0] or "record"


# --- JSON Lines ------------------------------------------------------------------------------------


def _json_rows(text: str, problems: list[LineProblem]) -> Iterator[_Row]:
    for number, line in enumerate(NEWLINE.split(text), start=1):
        if line.strip():
            try:
                yield _json_row(line, number)
            except _BadRowError as exc:
                problems.append(LineProblem(line=number, reason=str(exc)))


def _json_row(line: str, number: int) -> _Row:
    try:
        # numbers stay as they are written: 4200.00 is not 4200.0
        value = json.loads(line, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError) as exc:
        raise _BadRowError(f"not valid JSON: {getattr(exc, 'msg', 'nested too deeply')}") from exc
    if not isinstance(value, dict):
        raise _BadRowError("not a JSON object")
    is_change = "op" in value or ("key" in value and isinstance(value.get("data"), dict))
    if not is_change:
        return _Row(number, {"ts": value.get("ts"), "seq": value.get("seq")}, value)
    data = value.get("data") or {}
    if not isinstance(data, dict):
        raise _BadRowError('"data" is not an object')
    return _Row(number, {name: value.get(name) for name in _CONTROL}, data)


# --- CSV -------------------------------------------------------------------------------------------


def _csv_rows(text: str, media_type: str, problems: list[LineProblem]) -> Iterator[_Row]:
    delimiter = "\t" if media_type == TSV else _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] | None = None
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as exc:
            problems.append(LineProblem(line=line, reason=f"not valid CSV: {exc}"))
            continue
        if not any(field.strip() for field in row):
            continue
        if header is None:
            header = [name.strip() or f"column {n}" for n, name in enumerate(row, start=1)]
        elif len(row) == len(header):
            yield _csv_row(header, row, line)
        else:
            reason = f"{len(row)} fields where the header has {len(header)}"
            problems.append(LineProblem(line=line, reason=reason))


def _csv_row(header: Sequence[str], row: Sequence[str], line: int) -> _Row:
    fields = dict(zip(header, row, strict=True))
    lowered = {name.lower(): value for name, value in fields.items()}
    if "op" not in lowered:
        data = {name: value for name, value in fields.items() if value.strip()}
        return _Row(line, {"ts": lowered.get("ts"), "seq": lowered.get("seq")}, data)
    control = {name: lowered.get(name) for name in _CONTROL}
    if not control["key"]:
        control["key"] = lowered.get("id")
    data = {name: value for name, value in fields.items() if name.lower() not in _CONTROL and value.strip()}
    return _Row(line, control, data)


def _delimiter(text: str) -> str:
    """The one that the header line has most of."""
    head = NEWLINE.split(text.lstrip(), maxsplit=1)[0]
    return max(_DELIMITERS, key=head.count)


# --- rows to changes -------------------------------------------------------------------------------


def _changes(rows: Sequence[_Row], stem: str, problems: list[LineProblem]) -> Iterator[RecordChange]:
    key_field = _key_field(rows, stem)
    for row in rows:
        try:
            yield _change(row, stem, key_field)
        except _BadRowError as exc:
            problems.append(LineProblem(line=row.line, reason=str(exc)))


def _key_field(rows: Sequence[_Row], stem: str) -> str | None:
    """The field that names plain rows: id or key, or the table's own id, or the first field if no two rows share it."""
    plain = [row for row in rows if not row.control.get("op")]
    if not plain:
        return None
    names = {name.lower(): name for name in plain[0].data}
    for name in (*_KEY_NAMES, f"{stem.lower()}_id"):
        if name in names:
            return names[name]
    first = next(iter(plain[0].data), None)
    values = [_value(row.data.get(first)) for row in plain] if first is not None else [None]
    return first if None not in values and len(set(values)) == len(values) else None


def _change(row: _Row, stem: str, key_field: str | None) -> RecordChange:
    named = _value(row.control.get("op"))
    try:
        op = Op(named.lower()) if named is not None else Op.INSERT
    except ValueError as exc:
        raise _BadRowError(f"op is {named!r}, not insert, update or delete") from exc
    table = _value(row.control.get("table")) or stem
    key = _value(row.control.get("key"))
    if key is None and named is not None:
        key = _value(row.data.get("id"))
    if key is None and named is None:
        key = _value(row.data.get(key_field)) if key_field is not None else str(row.line)
    if key is None:
        raise _BadRowError("no key")
    return RecordChange(
        op=op,
        source_id=f"{table}/{key}",
        title=f"{readable_name(table)} {key}",
        seq=_seq(row.control.get("seq")),
        data=_readable(row.data),
        line=row.line,
        day=_day(row.control.get("ts")),
    )


def _readable(data: Mapping[str, Any]) -> dict[str, str | None]:
    readable: dict[str, str | None] = {}
    for name, value in data.items():
        readable[readable_name(str(name))] = _value(value)
    return readable


def _value(value: Any) -> str | None:
    """A field's value as one line of words; None when there is none."""
    match value:
        case None:
            return None
        case bool():
            return "yes" if value else "no"
        case dict():
            parts = ((readable_name(str(name)), _value(inner)) for name, inner in value.items())
            text = "; ".join(f"{name}: {inner}" for name, inner in parts if inner is not None)
        case list():
            text = ", ".join(inner for inner in map(_value, value) if inner is not None)
        case _:
            text = str(value)
    if len(text) > _MOST_VALUE_CHARS:
        raise _BadRowError(f"a field has over {_MOST_VALUE_CHARS:,} characters")
    return squeeze([Piece(text)], breaks=" ").text or None


def _seq(value: Any) -> int | None:
    text = _value(value)
    if text is None:
        return None
    if not text.isdecimal() or len(text) > _SEQ_DIGITS:
        raise _BadRowError(f"seq is {text[:40]!r}, not a whole number")
    return int(text)


def _day(value: Any) -> date | None:
    text = _value(value)
    if text is None:
        return None
    try:
        return date.fromisoformat(text[:10])
    except ValueError as exc:
        raise _BadRowError(f"ts is {text[:40]!r}, not an ISO date") from exc
