"""The shipped verifier on the hand-written cases, per phenomenon and per language, beside the lexical floor.

File 1 has been developed against on its dev half, and its halves share passages. File 2 was written later without a
look at the verifier; its halves share none, and its held-out half is the blind figure. The floor's threshold comes
from the English dev cases of both files.
Run: python benchmarks/quality/phenomena.py [--wrong] [--commit HASH] (--wrong lists the mistakes of the dev halves
only; --commit names the revision where the source lies outside its repository).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from verify_data import CASES, RESULTS, ROOT, auroc, balanced_accuracy, best_threshold, interval, lexical_floor

from pincite import defaults
from pincite.types import Judgement, Pair, Passage, VerdictLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pincite.protocols import Verifier

PARTS = ("dev", "held_out", "dev_2", "blind_held_out")


class Judged(NamedTuple):
    """One case as the verifier and the floor see it; ``floor`` is a coverage from 0 to 1."""

    case: dict[str, object]
    part: str
    judgement: Judgement
    floor: float

    @property
    def true(self) -> bool:
        """Whether the label says supported."""
        return self.case["label"] == "supported"

    @property
    def said(self) -> bool:
        """Whether the verifier says supported."""
        return self.judgement.label is VerdictLabel.SUPPORTED

    @property
    def english(self) -> bool:
        """Whether the case is in English."""
        return self.case["language"] == "en"


def cases() -> Iterator[tuple[str, dict[str, object]]]:
    """Every case with the part that it belongs to."""
    names = {"phenomena.jsonl": ("dev", "held_out"), "phenomena_2.jsonl": ("dev_2", "blind_held_out")}
    for file, (dev, held_out) in names.items():
        for line in (CASES / file).read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            yield (dev if case["half"] == "dev" else held_out), case


def judge(part: str, case: dict[str, object], verifier: Verifier) -> Judged:
    texts = [str(text) for text in case["passages"]]  # type: ignore[attr-defined]
    passages = tuple(Passage(passage_id=f"p{i}", text=text, end=len(text)) for i, text in enumerate(texts))
    claim = str(case["claim"])
    got = verifier.judge([Pair(claim=claim, passages=passages)])[0]
    return Judged(case, part, got, lexical_floor("\n".join(texts), claim))


def score(rows: list[Judged], threshold: float) -> dict[str, object]:
    """Balanced accuracies in percent with 95 % intervals; null where one of the two classes has no case."""
    truth = np.array([row.true for row in rows], dtype=bool)
    said = np.array([row.said for row in rows], dtype=bool)
    floor = np.array([row.floor >= threshold for row in rows], dtype=bool)
    body: dict[str, object] = {"cases": len(rows)}
    both = bool(truth.any() and (~truth).any())
    for name, answers in (("", said), ("floor_", floor)):
        body[f"{name}bacc"] = round(100 * balanced_accuracy(truth, answers), 1) if both else None
        body[f"{name}interval"] = [round(100 * x, 1) for x in interval(truth, answers)] if both else None
    body["true_kept"] = f"{int(said[truth].sum())}/{int(truth.sum())}"
    body["false_caught"] = f"{int((~said[~truth]).sum())}/{int((~truth).sum())}"
    return body


def grouped(rows: list[Judged], threshold: float, key: Callable[[Judged], str]) -> dict[str, dict[str, object]]:
    names = sorted({key(row) for row in rows})
    return {name: score([row for row in rows if key(row) == name], threshold) for name in names}


def part_body(rows: list[Judged], threshold: float) -> dict[str, object]:
    """The figures of one part: English as a whole, then per phenomenon and per language."""
    english = [row for row in rows if row.english]
    whole = score(english, threshold)
    truth, said = (np.array(values, dtype=bool) for values in zip(*((r.true, r.said) for r in english), strict=True))
    rates = {
        "true_kept": round(100 * float(said[truth].mean()), 1),
        "false_caught": round(100 * float((~said[~truth]).mean()), 1),
    }
    areas = {
        "auroc": round(auroc(truth, np.array([row.judgement.support_prob for row in english])), 3),
        "floor_auroc": round(auroc(truth, np.array([row.floor for row in english])), 3),
    }
    return {
        "english_cases": whole.pop("cases"), **whole, **rates, **areas,
        "by_phenomenon": grouped(rows, threshold, lambda row: str(row.case["phenomenon"])),
        "by_language": grouped(rows, threshold, lambda row: str(row.case["language"])),
    }  # fmt: skip


def revision() -> str:
    """The commit measured, with a mark when the source differs from it."""
    if "--commit" in sys.argv:
        return sys.argv[sys.argv.index("--commit") + 1]

    def git(*words: str) -> str:
        command = [shutil.which("git") or "git", *words]
        return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()

    return git("rev-parse", "HEAD") + (" with changes" if git("status", "--porcelain", "--", "src") else "")


def main() -> None:
    verifier = defaults.verifier()
    rows = [judge(part, case, verifier) for part, case in cases()]
    tuned = [row for row in rows if row.english and row.part in {"dev", "dev_2"}]
    threshold = best_threshold(np.array([row.true for row in tuned]), np.array([row.floor for row in tuned]))
    body: dict[str, object] = {
        "verifier": verifier.info.fingerprint, "commit": revision(), "floor_threshold": round(threshold, 4),
    }  # fmt: skip
    for part in PARTS:
        body[part] = part_body([row for row in rows if row.part == part], threshold)
    body["all"] = part_body(rows, threshold)
    (RESULTS / "verify_phenomena.json").write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "verify_phenomena.md").write_text(markdown(body), encoding="utf-8")
    if "--wrong" in sys.argv:
        wrong(tuned)


def wrong(rows: list[Judged]) -> None:
    for row in rows:
        if row.true != row.said:
            why = [(r.code.value, r.claim_value, r.evidence_value) for r in row.judgement.reasons]
            case = row.case
            print(case["id"], case["phenomenon"], case["label"], "->", row.judgement.label.value, case["claim"], why)


def markdown(body: dict[str, object]) -> str:
    lines = [f"# Hand-written cases ({body['verifier']}, commit {str(body['commit'])[:12]})", ""]
    lines.append(
        "Balanced accuracy in percent with its 95 % interval, beside the lexical floor's (50 where its threshold lets"
    )
    lines.append("everything pass: a false twin often shares more words with its passage than a true paraphrase does).")
    for part in (*PARTS, "all"):
        got: dict[str, dict[str, dict[str, object]]] = body[part]  # type: ignore[assignment]
        lines += [
            "",
            f"## {part}: {shown(got, '')} (floor {shown(got, 'floor_')}), {got['english_cases']} English cases",
        ]
        for title in ("phenomenon", "language"):
            lines += [
                "",
                f"| {title} | cases | verifier | floor | true kept | false caught |",
                "|---|---|---|---|---|---|",
            ]
            for name, c in got[f"by_{title}"].items():
                cells = (name, c["cases"], shown(c, ""), shown(c, "floor_"), c["true_kept"], c["false_caught"])
                lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


def shown(got: dict[str, object], name: str) -> str:
    """A balanced accuracy with its interval; a dash where a class is missing."""
    return "-" if got[f"{name}bacc"] is None else f"{got[f'{name}bacc']} {got[f'{name}interval']}"


if __name__ == "__main__":
    main()
