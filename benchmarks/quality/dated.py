"""Questions over real policies with dated predecessors: the right version, and never one that is not in force.

Reads cases/dated_questions.jsonl (question, the day it is asked for or null where the question itself names one, the
file whose text must be cited, words that the answer must hold; version null where silence is right) and
cases/dated_changes.jsonl (statements that changed between two files; kind null: nothing but form changed). Both were
written by hand against the texts. Writes results/dated.json. Exit code 1 when anything cited was not in force.

Run: python benchmarks/quality/dated.py
"""

from __future__ import annotations

import json
import sys
import tempfile
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pincite import Library

if TYPE_CHECKING:
    from pincite.types import Answer

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared" / "docs" / "md"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
TODAY = NOW.date()
_REFUND, _CANCEL, _SLA = "basecamp__refund", "basecamp__cancellation", "basecamp__sla"
_GIFTS, _TERMS = "github__github-gifts-and-entertainment-policy", "github__github-terms-of-service"
FROM = {
    f"{_REFUND}@2018-05-14.md": date(2018, 5, 14),
    f"{_REFUND}@2020-03-30.md": date(2020, 3, 30),
    f"{_REFUND}@2022-07-18.md": date(2022, 7, 18),
    f"{_REFUND}_index.md": TODAY,
    f"{_CANCEL}@2020-03-27.md": date(2019, 9, 17),  # "Last updated: September 17, 2019" in its text
    f"{_CANCEL}@2020-07-13.md": date(2020, 7, 13),
    f"{_CANCEL}@2022-12-22.md": date(2022, 7, 18),  # "Last updated: July 18, 2022" in its text
    f"{_CANCEL}_index.md": TODAY,
    f"{_SLA}@2018-05-14.md": date(2018, 5, 14),
    f"{_SLA}@2020-03-27.md": date(2020, 3, 27),
    f"{_SLA}@2022-10-25.md": date(2022, 10, 25),
    f"{_SLA}_index.md": TODAY,
    f"{_GIFTS}@2022-09-01.md": date(2022, 9, 1),
    f"{_GIFTS}@2024-06-20.md": date(2024, 6, 20),
    f"{_GIFTS}@2024-09-06.md": date(2024, 9, 6),
    f"{_GIFTS}.md": TODAY,
    f"{_TERMS}@2022-09-01.md": date(2022, 9, 1),
    f"{_TERMS}@2024-06-20.md": date(2024, 6, 20),
    f"{_TERMS}@2026-01-08.md": date(2026, 1, 8),
    f"{_TERMS}.md": TODAY,
}
"""From which day each text is in force: read from the files by hand, not by the product."""


class Result(NamedTuple):
    """One question: what was expected, what came, and which of the cited files were not in force."""

    id: str
    decision: str
    as_of: str
    right_version: bool
    right_words: bool
    not_in_force: list[str]
    text: str


def rows(name: str) -> list[dict[str, Any]]:
    """The cases of one file."""
    return [json.loads(line) for line in (HERE / "cases" / name).read_text(encoding="utf-8").splitlines()]


def fill(library: Library) -> None:
    """Ingest every version of the five policies, oldest first; a failure is an error."""
    report = library.ingest([SHARED / name for name in FROM])
    if report.failed:
        raise SystemExit(f"did not go in: {[row.path for row in report.failed]}")


def in_force(document: str, day: date) -> str | None:
    """The file in force on a day, by the table above."""
    begun = [(start, name) for name, start in FROM.items() if document_of(name) == document and start <= day]
    return max(begun)[1] if begun else None


def document_of(name: str) -> str:
    """The document that a file is a version of."""
    return name.removesuffix(".md").partition("@")[0].removesuffix("_index")


def judge(case: dict[str, Any], answer: Answer) -> Result:
    """Compare one answer with its case."""
    from urllib.parse import unquote

    names = [unquote(source.source_uri).rpartition("/")[2] for source in answer.sources]
    day = answer.query.as_of
    wanted = case["version"]
    spoken = " ".join([answer.text, *(source.quote for source in answer.sources)]).replace("’", "'")
    return Result(
        id=case["id"],
        decision=answer.decision.value,
        as_of=day.isoformat(),
        right_version=set(names) == {wanted} if wanted else not names,
        right_words=case["words"] is None or case["words"].replace("’", "'").casefold() in spoken.casefold(),
        not_in_force=[name for name in names if in_force(document_of(name), day) != name],
        text=answer.text,
    )


def ask_all(library: Library, cases: list[dict[str, Any]]) -> list[Result]:
    """Every question, with its day where it gives one apart."""
    found = []
    for case in cases:
        day = date.fromisoformat(case["as_of"]) if case["as_of"] else None
        found.append(judge(case, library.ask(case["question"], as_of=day)))
    return found


def change_found(library: Library, case: dict[str, Any]) -> bool:
    """Whether the comparison lists the change with its kind; for kind null, whether it lists nothing but wording."""
    old, new = (f"{FROM[case[end]].isoformat()}" for end in ("from", "to"))
    changes = library.difference(case["document"], old=old, new=new).changes
    if case["kind"] is None:
        return all(kind.value == "wording" for change in changes for kind in change.kinds)
    return any(
        case["kind"] in change.kinds and _holds(change.before, case["before"]) and _holds(change.after, case["after"])
        for change in changes
    )


def _holds(statement: Any, words: str | None) -> bool:
    return statement is None if words is None else statement is not None and words in statement.quote


def main() -> int:
    """Ask, compare, write the result; 1 when a version not in force was cited."""
    cases, changes = rows("dated_questions.jsonl"), rows("dated_changes.jsonl")
    with tempfile.TemporaryDirectory() as folder, Library.open(folder, create=True, clock=lambda: NOW) as library:
        fill(library)
        results = ask_all(library, cases)
        missed = [case for case in changes if not change_found(library, case)]
    answerable = [r for r, case in zip(results, cases, strict=True) if case["version"]]
    silent = [r for r, case in zip(results, cases, strict=True) if not case["version"]]
    outcome = {
        "documents": len(FROM),
        "questions": len(cases),
        "answerable": len(answerable),
        "answered": sum(r.decision in {"answered", "partial"} for r in answerable),
        "right_version": sum(r.right_version for r in answerable),
        "right_version_and_words": sum(r.right_version and r.right_words for r in answerable),
        "wrong_version": sum(r.decision in {"answered", "partial"} and not r.right_version for r in answerable),
        "to_be_silent": len(silent),
        "silent": sum(r.right_version for r in silent),
        "citations_not_in_force": sum(len(r.not_in_force) for r in results),
        "changes": len(changes),
        "changes_found": len(changes) - len(missed),
        "changes_missed": missed,
        "not_right": [r._asdict() for r in results if not (r.right_version and r.right_words)],
    }
    text = json.dumps(outcome, indent=1, ensure_ascii=False) + "\n"
    (HERE / "results" / "dated.json").write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    return 1 if outcome["citations_not_in_force"] else 0


if __name__ == "__main__":
    sys.exit(main())
