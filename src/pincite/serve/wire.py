"""The wire: what comes in over `check` and what goes out, as schemas. Nowhere else are these shapes known."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import TYPE_CHECKING, Any

import msgspec

from pincite.audit import plain
from pincite.errors import InputError, PinciteError
from pincite.serve.withheld import for_asker
from pincite.types import VerdictLabel

if TYPE_CHECKING:
    from pincite.types import Answer, Checked, Citation, JudgedClaim, Released


class PassageIn(msgspec.Struct, forbid_unknown_fields=True):
    """One passage of a check. ``meta`` may hold anything; it is not judged."""

    text: str
    id: str | int | None = None
    title: str | None = None
    meta: dict[str, Any] | None = None


class CheckIn(msgspec.Struct, forbid_unknown_fields=True):
    """One case of a check."""

    answer: str
    passages: list[PassageIn]
    query: str | None = None


_DECODER = msgspec.json.Decoder(CheckIn)
_OBEYED_BY_TERMINALS = re.compile(r"[\x7f-\x9f]")


def decode_case(raw: bytes) -> CheckIn:
    """One JSON object as a case.

    Raises:
        InputError: naming the field that is wrong.
    """
    try:
        return _DECODER.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
        raise InputError(
            f"not a valid check case: {exc}",
            hint='The shape is {"query"?: str, "answer": str, "passages": [{"id", "text", "title"?, "meta"?}]}.',
        ) from exc


def encode(value: object) -> str:
    """Compact JSON on one line. Half a surrogate pair and the controls of C1 are written as escapes."""
    try:
        text = msgspec.json.encode(value).decode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(plain(value), separators=(",", ":"))
    return escaped(text)


def escaped(text: str) -> str:
    """The same JSON, with escapes for what some terminals obey and JSON itself lets through."""
    return _OBEYED_BY_TERMINALS.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def error_out(exc: PinciteError, *, line: int | None = None) -> dict[str, Any]:
    """An error as a result line."""
    body = {"type": type(exc).__name__, "message": str(exc), "hint": exc.hint, "retryable": exc.retryable}
    return {"error": body if line is None else {**body, "line": line}}


def checked_out(checked: Checked) -> dict[str, Any]:
    """A check's result in the documented shape."""
    return {
        "decision": checked.decision.value,
        "reasons": [reason.value for reason in checked.reasons],
        "groundedness": checked.groundedness,
        "text": checked.text,
        "claims": [claim_out(item) for item in checked.claims],
        "unresolved": [_citation_out(citation, None) for citation in checked.unresolved],
        "uncited": [_uncited_out(index, checked.claims[index]) for index in checked.uncited],
        "needless": [_citation_out(citation, VerdictLabel.SUPPORTED) for citation in checked.needless],
        "verifier": plain(checked.verifier),
    }


def claim_out(item: JudgedClaim) -> dict[str, Any]:
    """One claim with its verdict, citations, evidence and reasons."""
    claim, verdict = item.claim, item.verdict
    labels = verdict.citation_labels or (None,) * len(claim.citations)
    return {
        "text": claim.text,
        "start": claim.start,
        "end": claim.end,
        "kind": claim.kind.value,
        "verdict": verdict.label.value,
        "support_prob": None if verdict.support_prob is None else round(verdict.support_prob, 6),
        "citations": [_citation_out(c, label) for c, label in zip(claim.citations, labels, strict=True)],
        "evidence": [plain(evidence) for evidence in verdict.evidence],
        "reasons": [plain(reason) for reason in verdict.reasons],
        "better_citation": verdict.better_citation,
    }


def _citation_out(citation: Citation, label: VerdictLabel | None) -> dict[str, Any]:
    shape: dict[str, Any] = plain(citation)
    return {**shape, "verdict": None if label is None else label.value}


def _uncited_out(index: int, item: JudgedClaim) -> dict[str, Any]:
    return {"claim": index, "text": item.claim.text, "start": item.claim.start, "end": item.claim.end}


def answer_out(answer: Answer) -> dict[str, Any]:
    """What the asker may see of the Answer; its ``checked`` in the same shape as a check's result."""
    seen = for_asker(answer)
    shape: dict[str, Any] = plain(seen)
    del shape["rejected"]
    return {**_without_earlier(shape), "checked": checked_out(seen.checked)}


def _without_earlier(shape: dict[str, Any]) -> dict[str, Any]:
    """Earlier answers shaped the prompt; they are no part of this one."""
    said = shape["query"]["said"]
    if said is None:
        return shape
    kept = {key: value for key, value in said.items() if key != "turns"}
    return {**shape, "query": {**shape["query"], "said": kept}}


def review_out(answer: Answer) -> dict[str, Any]:
    """The whole Answer, with every draft and its check: for the person who decides, never for the asker."""
    shape: dict[str, Any] = plain(dataclasses.replace(answer, rejected=()))
    rejected = [
        {"draft": one.generation.text, "correction": one.prompt.correction, "checked": checked_out(one.checked)}
        for one in answer.rejected
    ]
    return {**_without_earlier(shape), "checked": checked_out(answer.checked), "rejected": rejected}


def released_out(released: Released) -> dict[str, Any]:
    """One verified stretch of a streamed answer."""
    return {"text": released.text, "sources": plain(released.sources)}
