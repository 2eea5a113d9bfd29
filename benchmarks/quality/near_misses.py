"""Claims made by rule from real policy sentences in ../shared/docs: one edit that breaks them, or one that does not."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from verify_data import ROOT, Row

from pincite.text.sentences import sentences
from pincite.text.words import tokens
from pincite.verify.lexicon import ANTONYMS, SYNONYMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DOCS = ROOT.parent / "shared" / "docs" / "md"
_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_AUX = re.compile(r"\b(is|are|was|were|will|may|can|must|shall|should|does|do|has|have)\b(?! not\b)")
_NUMBER = re.compile(r"(?<![\w.,$-])(\d{1,3})(?![\w.,%-]*\d)(?!\.\d)")
_CONDITION = re.compile(r",? (?:unless|only if|except|provided that|subject to|as long as|if) [^.;]{12,}(?=[.;]|$)")
_LEADING = re.compile(r"^(?:If|When|Unless|Once|After|Before) ([^,]{10,80}), (?=\w)")
_MODALS = {"may": "must", "must": "may", "should": "must", "shall": "may", "can": "must", "will": "may"}
_QUANT = {
    "some": "all",
    "many": "all",
    "most": "all",
    "several": "all",
    "usually": "always",
    "sometimes": "always",
    "often": "always",
}
_UNITS = {
    "days": "weeks",
    "hours": "days",
    "months": "years",
    "weeks": "months",
    "years": "months",
    "minutes": "hours",
    "day": "week",
    "month": "year",
}


def near_misses(*, seed: int, per_edit: int = 260) -> list[Row]:
    """Rows of both labels; the premise is the sentence with its neighbours. Deterministic for a seed."""
    rng = random.Random(seed)
    pool = list(source_sentences())
    rows: list[Row] = []
    for name, (edit, label) in EDITS.items():
        rng.shuffle(pool)
        made = 0
        for sentence, premise, other in pool:
            claim = edit(sentence, other, rng)
            if claim is None or claim == sentence or claim in premise:
                continue
            rows.append(Row(f"near:{name}:{made}", premise, claim, label, sentence))
            made += 1
            if made == per_edit:
                break
    return rows


def source_sentences() -> Iterator[tuple[str, str, str]]:
    """Sentence, premise around it, and a sentence from elsewhere in the same document."""
    for path in sorted(DOCS.glob("*.md*")):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)|[*_`#]", lambda m: m[1] or "", path.read_text(encoding="utf-8"))
        found = [text[s.start : s.end].strip() for s in sentences(text)]
        found = [s for s in found if 8 <= len(s.split()) <= 45 and s[0].isupper() and s[-1] in ".;" and "\n" not in s]
        for index, sentence in enumerate(found):
            premise = " ".join(found[max(0, index - 1) : index + 3])
            other = found[(index + len(found) // 2) % len(found)]
            if other not in premise:
                yield sentence, premise, other


def _number(s: str, _other: str, rng: random.Random) -> str | None:
    found = list(_NUMBER.finditer(s))
    if not found:
        return None
    at = rng.choice(found)
    new = str(max(1, int(at[1]) + rng.choice([-5, -1, 1, 2, 5, 10, 30])))
    return s[: at.start()] + new + s[at.end() :] if new != at[1] else None


def _swap_words(table: dict[str, str]) -> Callable[[str, str, random.Random], str | None]:
    pattern = re.compile(r"\b(" + "|".join(table) + r")\b")

    def edit(s: str, _other: str, rng: random.Random) -> str | None:
        found = list(pattern.finditer(s))
        if not found:
            return None
        at = rng.choice(found)
        return s[: at.start()] + table[at[1]] + s[at.end() :]

    return edit


def _negate(s: str, _other: str, _rng: random.Random) -> str | None:
    found = _AUX.search(s)
    if " not " in s:
        return s.replace(" not ", " ", 1)
    return s[: found.end()] + " not" + s[found.end() :] if found else None


def _exchange(table: dict[str, frozenset[str]]) -> Callable[[str, str, random.Random], str | None]:
    def edit(s: str, _other: str, rng: random.Random) -> str | None:
        usable = [w for w in tokens(s) if w.folded == w.stem and table.get(w.stem) and len(w.stem) > 3]
        if not usable:
            return None
        word = rng.choice(usable)
        return s[: word.start] + rng.choice(sorted(table[word.stem])) + s[word.end :]

    return edit


def _foreign_word(s: str, other: str, rng: random.Random) -> str | None:
    mine = [w for w in tokens(s) if not w.is_stop and not w.is_number and len(w.folded) > 4]
    theirs = [w for w in tokens(other) if not w.is_stop and not w.is_number and len(w.folded) > 4]
    theirs = [w for w in theirs if w.stem not in {m.stem for m in mine}]
    if not mine or not theirs:
        return None
    a, b = rng.choice(mine), rng.choice(theirs)
    return s[: a.start] + b.folded + s[a.end :]


def _drop_condition(s: str, _other: str, _rng: random.Random) -> str | None:
    found = _CONDITION.search(s)
    if found and found.start() > 25:
        return s[: found.start()] + s[found.end() :]
    lead = _LEADING.match(s)
    return s[lead.end()].upper() + s[lead.end() + 1 :] if lead else None


def _add_detail(s: str, other: str, _rng: random.Random) -> str | None:
    words = other.rstrip(".;").split()
    return s.rstrip(".;") + ", and " + " ".join(words[:9]) + "."


def _other_sentence(_s: str, other: str, _rng: random.Random) -> str | None:
    return other


def _number_word(s: str, _other: str, _rng: random.Random) -> str | None:
    found = _NUMBER.search(s)
    if not found or not 2 <= int(found[1]) <= 12:
        return None
    return s[: found.start()] + _WORDS[int(found[1])] + s[found.end() :]


def _move_condition(s: str, _other: str, _rng: random.Random) -> str | None:
    lead = _LEADING.match(s)
    if not lead:
        return None
    first, rest = s[: lead.end()].rstrip(", "), s[lead.end() :].rstrip(".;")
    return rest[0].upper() + rest[1:] + " " + first[0].lower() + first[1:] + "."


def _shorten(s: str, _other: str, _rng: random.Random) -> str | None:
    """Leave out a relative or participle tail that limits nothing: true whenever the whole is."""
    if _CONDITION.search(s) or re.search(r"\b(?:not|only|if|unless|until|except)\b", s):
        return None
    found = re.search(r", (?:including|such as|which|and|as well as) [^.;]+(?=[.;]$)", s)
    return s[: found.start()] + s[found.end() :] if found and found.start() > 30 else None


def _convert(s: str, _other: str, _rng: random.Random) -> str | None:
    for pattern, factor, unit in (
        (r"\b(14|21|28|7|60|90) days\b", 7, "weeks"),
        (r"\b(24|48|72) hours\b", 24, "days"),
        (r"\b(12|24|36) months\b", 12, "years"),
    ):
        found = re.search(pattern, s)
        if found and int(found[1]) % factor == 0:
            return s[: found.start()] + f"{int(found[1]) // factor} {unit}" + s[found.end() :]
    return None


def _rephrase(s: str, _other: str, _rng: random.Random) -> str | None:
    """Light rewording that keeps the meaning."""
    new = s
    for a, b in ((" must ", " is required to "), (" may ", " can "), (" you will ", " you'll "), (" prior to ", " before "), (" in order to ", " to "),  # noqa: E501
                 (" do not ", " don't "), (" is not ", " isn't "), (" will not ", " won't "), ("We ", "The company "), (" purchase", " buy"), (" within ", " no later than ")):  # fmt: skip  # noqa: E501
        new = new.replace(a, b, 1)
    return new if new != s else None


def _lead_in(s: str, _other: str, rng: random.Random) -> str | None:
    return rng.choice(("Yes, ", "In short, ", "Note that ", "Also, ")) + s[0].lower() + s[1:]


EDITS: dict[str, tuple[Callable[[str, str, random.Random], str | None], str]] = {
    "number": (_number, "contradicted"),
    "unit": (_swap_words(_UNITS), "contradicted"),
    "negation": (_negate, "contradicted"),
    "antonym": (_exchange(ANTONYMS), "contradicted"),
    "modal": (_swap_words(_MODALS), "unsupported"),
    "quantifier": (_swap_words(_QUANT), "unsupported"),
    "word": (_foreign_word, "unsupported"),
    "condition": (_drop_condition, "unsupported"),
    "detail": (_add_detail, "unsupported"),
    "elsewhere": (_other_sentence, "unsupported"),
    "number_word": (_number_word, "supported"),
    "moved": (_move_condition, "supported"),
    "shortened": (_shorten, "supported"),
    "converted": (_convert, "supported"),
    "reworded": (_rephrase, "supported"),
    "lead_in": (_lead_in, "supported"),
    "synonym": (_exchange({k: v for k, v in SYNONYMS.items() if k not in ANTONYMS}), "supported"),
}
