"""What changed between two versions: statements, not lines, and for each what of it changed.

Statements that say the same in other places are no change. The rest are paired by the words they share and compared
with what the checks know of a sentence: quantities, dates, modal verbs, negations, conditions.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from pincite.text.layout import locate
from pincite.text.quantities import Kind
from pincite.text.quantity_compare import AGREES, compare
from pincite.text.sentences import sentences
from pincite.text.words import idf
from pincite.types import BlockKind
from pincite.verify.analysis import analyse_claim
from pincite.verify.check_frame import conditions
from pincite.verify.check_polarity import modals, negations

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.text.quantities import Quantity
    from pincite.types import Location, Span, Version
    from pincite.verify.analysis import Sentence

_LEFT_OUT = frozenset({BlockKind.PAGE_HEADER, BlockKind.PAGE_FOOTER})
_WHOLE = frozenset({BlockKind.HEADING, BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW, BlockKind.RECORD, BlockKind.CODE})
_WORDS = re.compile(r"\d[\d.,]*\d|\w+|[%$€£<>≤≥+]")
_APOSTROPHES = str.maketrans("", "", "'’")
_PAIRED = 0.4
"""Least share of the words of two statements, weighted by rarity, that makes one the other's successor.

Set by hand on the real policies of benchmarks/quality/cases/dated_changes.jsonl, which benchmarks/quality/dated.py
checks: much lower, new statements pair with unrelated ones; much higher, rewritten ones fall apart."""
_SAME_HEADING = 0.1


class ChangeKind(StrEnum):
    """What of a statement changed; ADDED and REMOVED stand alone."""

    ADDED = "added"
    REMOVED = "removed"
    NUMBER = "number"
    DATE = "date"
    DUTY = "duty"
    NEGATION = "negation"
    CONDITION = "condition"
    WORDING = "wording"


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """One statement of a version: a sentence, a heading or a row, and where it stands."""

    version_id: str
    start: int
    end: int
    quote: str
    location: Location


@dataclass(frozen=True, kw_only=True, slots=True)
class Detail:
    """One thing that differs: the words before and after; None where there are none."""

    kind: ChangeKind
    before: str | None
    after: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """A statement before and after. ``kinds`` is never empty; ``details`` name the values that differ."""

    kinds: tuple[ChangeKind, ...]
    before: Statement | None
    after: Statement | None
    details: tuple[Detail, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Said:
    start: int
    end: int
    text: str
    key: str
    words: frozenset[str]
    heading: tuple[str, ...]
    order: int


def changes(old: Version, new: Version) -> list[Change]:
    """The statements that differ, in the order of the new text; what was removed stands where it stood before."""
    before, after = _unmatched(_said(old), _said(new))
    pairs = _pairs(before, after)
    partner = {id(one): other for one, other in pairs}
    found: list[tuple[tuple[float, int], Change]] = []
    for said in after:
        mine = partner.get(id(said))
        place = (said.start / max(1, len(new.text)), 1)
        found.append((place, _change(mine, said, old, new)))
    taken = {id(other) for _, other in pairs}
    gone = (said for said in before if id(said) not in taken)
    found += [((said.start / max(1, len(old.text)), 0), _change(said, None, old, new)) for said in gone]
    return [change for _, change in sorted(found, key=lambda pair: pair[0])]


def _said(version: Version) -> list[_Said]:
    found: list[_Said] = []
    for block in version.layout.blocks:
        if block.kind in _LEFT_OUT:
            continue
        for start, end in _ranges(version.text, block.start, block.end, whole=block.kind in _WHOLE):
            text = version.text[start:end]
            key = " ".join(_WORDS.findall(text.casefold().translate(_APOSTROPHES)))
            if key:
                words = frozenset(key.split())
                found.append(
                    _Said(
                        start=start,
                        end=end,
                        text=text,
                        key=key,
                        words=words,
                        heading=block.heading_path,
                        order=len(found),
                    )
                )
    return found


def _ranges(text: str, start: int, end: int, *, whole: bool) -> Iterator[tuple[int, int]]:
    if whole:
        yield start, end
        return
    spans: list[Span] = sentences(text[start:end])
    yield from ((start + span.start, start + span.end) for span in spans)


def _unmatched(old: Sequence[_Said], new: Sequence[_Said]) -> tuple[list[_Said], list[_Said]]:
    """What has no equal on the other side, wherever it stands there; of repeated statements the surplus."""
    left, right = Counter(one.key for one in new), Counter(one.key for one in old)
    return _surplus(old, left), _surplus(new, right)


def _surplus(mine: Iterable[_Said], other: Counter[str]) -> list[_Said]:
    found = []
    for one in mine:
        if other[one.key] > 0:
            other[one.key] -= 1
        else:
            found.append(one)
    return found


def _pairs(before: Sequence[_Said], after: Sequence[_Said]) -> list[tuple[_Said, _Said]]:
    """Each statement with at most one other, the likest first."""
    by_word: dict[str, list[_Said]] = defaultdict(list)
    for one in before:
        for word in one.words:
            by_word[word].append(one)
    likes: list[tuple[float, int, int, _Said, _Said]] = []
    for said in after:
        for other in {id(one): one for word in said.words for one in by_word[word]}.values():
            like = _likeness(other, said)
            if like >= _PAIRED:
                likes.append((-like, abs(other.order - said.order), said.order, other, said))
    taken, pairs = set[int](), list[tuple[_Said, _Said]]()
    for _, _, _, other, said in sorted(likes, key=lambda one: (*one[:3], one[3].order)):
        if id(other) not in taken and id(said) not in taken:
            taken |= {id(other), id(said)}
            pairs += [(said, other)]
    return pairs


def _likeness(one: _Said, other: _Said) -> float:
    """The rarity-weighted share of common words (weighted Jaccard), a little more under one heading."""
    both = sum(idf(word) for word in one.words & other.words)
    either = sum(idf(word) for word in one.words | other.words)
    return both / either + (_SAME_HEADING if one.heading == other.heading else 0.0) * (both > 0)


# --- what changed ----------------------------------------------------------------------------------


def _change(before: _Said | None, after: _Said | None, old: Version, new: Version) -> Change:
    was = None if before is None else _statement(before, old)
    now = None if after is None else _statement(after, new)
    if before is None or after is None:
        kind = ChangeKind.ADDED if before is None else ChangeKind.REMOVED
        return Change(kinds=(kind,), before=was, after=now)
    details = tuple(compare_statements(before.text, after.text))
    kinds = tuple(dict.fromkeys(detail.kind for detail in details)) or (ChangeKind.WORDING,)
    return Change(kinds=kinds, before=was, after=now, details=details)


def _statement(said: _Said, version: Version) -> Statement:
    return Statement(
        version_id=version.version_id,
        start=said.start,
        end=said.end,
        quote=said.text,
        location=locate(version.layout, said.start, said.end),
    )


def compare_statements(before: str, after: str) -> Iterator[Detail]:
    """What differs between two statements about one thing, beyond the wording; nothing when it is only that."""
    old, new = analyse_claim(before).sentences[0], analyse_claim(after).sentences[0]
    yield from _values(old.values(), new.values())
    was, now = modals(old), modals(new)
    if Counter(mark.kind for mark in was) != Counter(mark.kind for mark in now):
        yield _detail(ChangeKind.DUTY, [mark.word for mark in was], [mark.word for mark in now])
    elif len(negations(old)) != len(negations(new)):
        yield _detail(ChangeKind.NEGATION, [m.word for m in negations(old)], [m.word for m in negations(new)])
    if Counter(_conditions(old).values()) != Counter(_conditions(new).values()):
        yield _detail(ChangeKind.CONDITION, list(_conditions(old)), list(_conditions(new)))


def _values(before: Sequence[Quantity], after: Sequence[Quantity]) -> Iterator[Detail]:
    lost, gained = list(before), []
    for value in after:
        same = next((one for one in lost if _equal(one, value)), None)
        if same is None:
            gained.append(value)
        else:
            lost.remove(same)
    for is_date, kind in ((False, ChangeKind.NUMBER), (True, ChangeKind.DATE)):
        was = [value.text for value in lost if (value.kind is Kind.DATE) is is_date]
        now = [value.text for value in gained if (value.kind is Kind.DATE) is is_date]
        if was or now:
            yield _detail(kind, was, now)


def _equal(one: Quantity, other: Quantity) -> bool:
    return compare(one, other).relation in AGREES and compare(other, one).relation in AGREES


def _conditions(sentence: Sentence) -> dict[str, frozenset[str]]:
    """Each condition's words, with the content stems that are no part of a quantity."""
    found = {}
    for start, end in conditions(sentence.text):
        inside = (w for w in sentence.words if start <= w.start - sentence.start < end and not w.is_stop)
        found[sentence.text[start:end].strip()] = frozenset(w.stem for w in inside) - sentence.value_terms()
    return found


def _detail(kind: ChangeKind, before: Sequence[str], after: Sequence[str]) -> Detail:
    return Detail(kind=kind, before="; ".join(before) or None, after="; ".join(after) or None)
