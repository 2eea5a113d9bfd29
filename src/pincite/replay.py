"""Replay: compute the verdicts of a recorded answer again, from the record alone, and compare."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from pincite.audit import canonical, plain
from pincite.config import Policy, VerifySettings
from pincite.errors import AuditError
from pincite.pipeline import RECORD_SCHEMA, check
from pincite.types import Hit

if TYPE_CHECKING:
    from pincite.audit import Record
    from pincite.protocols import Verifier

_KNOWN_SCHEMAS = (1, RECORD_SCHEMA)
"""A record of schema 1 has one attempt, which was not strict."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Replayed:
    """Whether the recorded check and a fresh one are equal; ``differences`` names each path that is not."""

    audit_id: str
    equal: bool
    differences: tuple[str, ...]
    recorded_verifier: str
    current_verifier: str


def replay(record: Record, verifier: Verifier) -> Replayed:
    """Check every recorded draft against the recorded passages again; earlier attempts have paths of their own.

    Raises:
        AuditError: when the record is of a kind or schema that this version does not know, or was changed.
    """
    content = record.content()
    if content.get("kind") != "ask" or content.get("schema") not in _KNOWN_SCHEMAS:
        raise AuditError(
            f"record {record.audit_id} has schema {content.get('schema')!r}, which this version cannot replay",
            hint="Use the version of pincite that the record names under `product`.",
        )
    try:
        before: dict[str, Any] = content["answer"]["checked"]
        differences = tuple(_differences(before, _again(content, content, verifier), path="checked"))
        for number, attempt in enumerate(content.get("attempts", []), start=1):
            path = f"attempts[{number}].checked"
            differences += tuple(_differences(attempt["checked"], _again(content, attempt, verifier), path=path))
    except (msgspec.ValidationError, KeyError, TypeError) as exc:
        raise AuditError(
            f"record {record.audit_id} has not the form of schema {RECORD_SCHEMA}: {exc}",
            hint="Use the version of pincite that the record names under `product`.",
        ) from exc
    return Replayed(
        audit_id=record.audit_id,
        equal=not differences,
        differences=differences,
        recorded_verifier=before["verifier"]["fingerprint"],
        current_verifier=verifier.info.fingerprint,
    )


def verify_settings_of(record: Record) -> VerifySettings:
    """The thresholds that were in force when the answer was given.

    Raises:
        AuditError: when the record does not hold them, or was changed.
    """
    try:
        return msgspec.convert(record.content()["settings"]["verify"], type=VerifySettings)
    except (msgspec.ValidationError, KeyError, TypeError) as exc:
        raise AuditError(
            f"record {record.audit_id} does not say how it was verified: {exc}",
            hint="Use the version of pincite that the record names under `product`.",
        ) from exc


def _again(content: dict[str, Any], attempt: dict[str, Any], verifier: Verifier) -> dict[str, Any]:
    checked: dict[str, Any] = json.loads(canonical(plain(_check_again(content, attempt, verifier))))
    return checked


def _check_again(content: dict[str, Any], attempt: dict[str, Any], verifier: Verifier) -> object:
    hits = msgspec.convert(content["answer"]["retrieved"], type=list[Hit])
    return check(
        attempt["generation"]["text"],
        [hit.passage for hit in hits],
        attempt["handles"],
        verifier=verifier,
        policy=msgspec.convert(content["settings"]["policy"], type=Policy),
        question=content["answer"]["query"]["text"],
        strict=attempt.get("strict", False),
    )


def _differences(before: object, after: object, *, path: str) -> list[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        keys = sorted(before.keys() | after.keys())
        return [d for key in keys for d in _differences(before.get(key), after.get(key), path=f"{path}.{key}")]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [d for i, (one, two) in pairs for d in _differences(one, two, path=f"{path}[{i}]")]
    return [] if before == after else [f"{path}: recorded {before!r}, now {after!r}"]
