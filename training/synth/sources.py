"""Real text to write claims about: policy documents and the passages of the training sets, as lists of sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from training.evidence import split_sentences
from training.records import read_rows

if TYPE_CHECKING:
    from pathlib import Path

PASSAGE_SETS = ("factcheckgpt.all", "expertqa.dev", "boolq_qa.dev", "fm2_ctx.dev", "scifact_rte.train", "bump_task1.all",
                "wice_subclaim_partial.train", "begin_cmu.dev")  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """One document as its sentences in order; ``name`` says where it is from."""

    name: str
    sentences: tuple[str, ...]


_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?")
_LIQUID = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|<[^>]+>")


def plain(markdown: str) -> str:
    """Markdown to prose: no front matter, links as their words, no marks."""
    text = re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.DOTALL)
    text = re.sub(r"^\[[^\]]+\]:.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = _LIQUID.sub("", _LINK.sub(r"\1", text))
    text = re.sub(r"[*_`]{1,3}", "", text)
    return re.sub(r"^\s*(?:#+|[-*+]|\d+\.|[A-Z]\.|>)\s+", "", text, flags=re.MULTILINE)


def is_statement(sentence: str) -> bool:
    """A whole declarative sentence of moderate length in plain English letters."""
    count = len(sentence.split())
    return (
        6 <= count <= 38
        and bool(re.match(r"[A-Z][a-z']* ", sentence))
        and sentence.endswith(".")
        and not re.search(r"[|{}<>\[\]#@]|https?:|\.\.\.|\?|--|\bRetrieved\b", sentence)
        and not re.search(
            r"(?:\b[A-Z]|\.[A-Z]|\b(?:Oct|Jan|Feb|Mr|Mrs|Dr|St|vs|etc|No|Nov|Dec|Sept|Aug|Inc|Jr))\.$", sentence
        )
        and not re.search(r"``|[.!?] ?[‘“\"a-z]|[a-z]\.[A-Z]|; and$", sentence[:-1])
        and sum(c.isascii() for c in sentence) >= 0.97 * len(sentence)
    )


def tidy(sentence: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r" ([.,;:)])", r"\1", sentence)).strip()


def documents(folder: Path) -> list[Text]:
    """Policies and handbooks; of dated versions only what no earlier one said is kept, once."""
    texts, seen = [], set()
    for path in sorted([*folder.glob("*.md"), *folder.glob("*.md.tmpl")]):
        sentences = [tidy(s) for s in split_sentences(plain(path.read_text(encoding="utf-8")))]
        fresh = tuple(s for s in sentences if s not in seen and is_statement(s))
        seen.update(fresh)
        if len(fresh) >= 4:
            texts.append(Text(name=path.name, sentences=fresh))
    return texts


def passages(folder: Path) -> list[Text]:
    """Premises of the training sets, each once."""
    texts, seen = [], set()
    for name in PASSAGE_SETS:
        for pair in read_rows(folder / f"{name}.jsonl.gz", name):
            if pair.premise in seen:
                continue
            seen.add(pair.premise)
            sentences = tuple(s for s in (tidy(x) for x in split_sentences(pair.premise)) if is_statement(s))
            if len(sentences) >= 3:
                texts.append(Text(name=name, sentences=sentences[:40]))
    return texts
