"""The question sets of ../shared/data/qa, each pooled into one library, with the passages that answer.

Passages with the same text are one passage. A document is what the set calls one (a site, an article, an
abstract); its passages stand in one version, so that neighbours and offsets are as in a real library.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from pincite.types import Access, Layout, Passage, Version

QA = Path(__file__).resolve().parents[3] / "shared" / "data" / "qa"
TENANT = "bench"
TODAY = date(2026, 11, 30)


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """One question: ``gold`` are the passage ids that the set names; ``group`` is what a split keeps together."""

    id: str
    text: str
    answers: tuple[str, ...]
    answerable: bool
    gold: frozenset[str]
    given: tuple[str, ...]
    group: str
    kind: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class QaSet:
    """Versions with their passages in order, and the questions."""

    name: str
    documents: tuple[tuple[Version, tuple[Passage, ...]], ...]
    questions: tuple[Question, ...]

    def passages(self) -> dict[str, Passage]:
        """By id."""
        return {p.passage_id: p for _, passages in self.documents for p in passages}


def load(name: str) -> QaSet:
    """A set by its file name without ``.jsonl.gz``. Rows with ``answerable: null`` are left out."""
    with gzip.open(QA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rows = [row for row in rows if row["answerable"] is not None]
    texts: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)  # document -> text -> (title, heading)
    owner: dict[str, str] = {}
    for row in rows:
        for given in row["passages"]:
            document, title, heading = _document(name, row, given)
            document = owner.setdefault(given["text"], document)
            texts[document].setdefault(given["text"], (title, heading))
    documents = tuple(_version(document, parts) for document, parts in texts.items())
    ids = {p.text: p.passage_id for _, passages in documents for p in passages}
    return QaSet(name=name, documents=documents, questions=tuple(_question(row, ids, owner) for row in rows))


def _document(name: str, row: dict[str, Any], given: dict[str, Any]) -> tuple[str, str, str]:
    if name.startswith("pubmedqa"):
        return row["extra"]["pmid"], "", given.get("title", "")
    if name.startswith("boolq") and " -- " in given["text"][:120]:
        title = given["text"].split(" -- ", 1)[0]
        return title, title, ""
    title = (given.get("title") or "").replace("_", " ")
    return title or given["text"][:60], title, ""


def _version(document: str, parts: dict[str, tuple[str, str]]) -> tuple[Version, tuple[Passage, ...]]:
    version_id = "v" + hashlib.sha256(document.encode()).hexdigest()[:16]
    title = next(iter(parts.values()))[0]
    text = "\n\n".join(parts)
    passages, start = [], 0
    for ordinal, (part, (_, heading)) in enumerate(parts.items()):
        passages.append(
            Passage(
                passage_id=f"{version_id}:{ordinal}",
                text=part,
                start=start,
                end=start + len(part),
                version_id=version_id,
                document_id=document,
                ordinal=ordinal,
                title=title,
                heading_path=(heading,) if heading else (),
                attributes={"site": document},
            )
        )
        start += len(part) + 2
    version = Version(
        version_id=version_id,
        document_id=document,
        tenant=TENANT,
        title=title,
        text=text,
        layout=Layout(),
        language="",
        media_type="text/plain",
        source_uri=document,
        content_sha256=hashlib.sha256(text.encode()).hexdigest(),
        parser="bench/1",
        ingested_at=datetime(2026, 11, 30, tzinfo=UTC),
        access=Access(),
        attributes={"site": document},
    )
    return version, tuple(passages)


def _question(row: dict[str, Any], ids: dict[str, str], owner: dict[str, str]) -> Question:
    by_id = {p["id"]: p["text"] for p in row["passages"]}
    extra = row.get("extra") or {}
    answers = extra.get("all_answers") or ([row["answer"]] if row["answer"] else [])
    return Question(
        id=row["id"],
        text=row["question"],
        answers=tuple(answers),
        answerable=row["answerable"],
        gold=frozenset(ids[by_id[g]] for g in row["gold_passage_ids"]),
        given=tuple(dict.fromkeys(ids[p["text"]] for p in row["passages"])),
        group=owner[row["passages"][0]["text"]],
        kind=extra.get("type", ""),
    )


def part_of(group: str) -> str:
    """Either "fit" or "held-out", half and half, fixed by a hash of the group before anything was looked at."""
    return "fit" if hashlib.sha256(f"pincite-qa-split:{group}".encode()).digest()[0] < 128 else "held-out"
