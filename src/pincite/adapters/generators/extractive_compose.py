"""From judged units to the few that are said, with what qualifies them, in readable order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.adapters.generators.extractive_conflict import Conflict, find_conflict
from pincite.adapters.generators.extractive_fragments import is_unfit
from pincite.adapters.generators.extractive_lists import lead_ins, misleads
from pincite.text.words import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pincite.adapters.generators.extractive_units import Unit

_QUALIFIES = re.compile(
    r"(?:however|but|except|unless|otherwise|nevertheless|nonetheless|notwithstanding|provided|subject\s+to|only|"
    r"exceptions?|exclusions?|this|that|these|those|it|they|the\s+(?:same|limit|rule|above))\b"
    r"(?=[^.!?]{0,60}\b(?:not|n't|only|unless|except|however|if|apply|applies|require[sd]?|must|exception|subject|"
    r"otherwise|provided)\b)|(?:however|but|unless|except|otherwise|nevertheless|notwithstanding)\b",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"(?:it|they|he|she|this|that|these|those|its|their|his|her|such|both|the\s+(?:former|latter)|in\s+(?:this|that|such)\s+case)\b",
    re.IGNORECASE,
)
_LEANS_ELSEWHERE = re.compile(
    r"(?:dies(?:e[rsmn]?)?|hierbei|hierzu|dabei|davon|dafür|daher|est[oae]|ell[oa]s?|cela|ceci|celui-ci|celle-ci)\b",
    re.IGNORECASE,
)
MAX_FOLLOWERS = 2
MAX_LISTED = 4
NEAR_DUPLICATE = 0.8
"""Share of common content words from which two units say the same; checked in benchmarks/quality/answer.py."""
LIKELY_PROB, RUNNER_UP_SHARE = 0.5, 0.6
"""A further unit is said when it is likely by itself or, in the best one's passage, comes this close to it. To ask the
first of all of them cost 4 points of token F1 on clapnq_dev_part, measured in the same file.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranked:
    """A unit and how likely it is to answer."""

    unit: Unit
    prob: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Chosen:
    """Units in the order in which they are said, and the conflict among them if there is one."""

    units: tuple[Unit, ...]
    conflict: Conflict | None


def choose(ranked: Sequence[Ranked], units: Sequence[Unit], *, max_sentences: int) -> Chosen | None:
    """``ranked`` is sorted, best first, and not empty; ``units`` is everything that may be said, in passage order.

    Qualifying sentences, antecedents, the lead-in of an item and the items of a list that was begun come on top of
    ``max_sentences``. None when the best unit would mislead: what comes after it is then no answer either.
    """
    place = {(unit.handle, unit.index): unit for unit in units}
    ranked = [item for item in ranked if not _opens_nothing(item.unit, place)]
    if not ranked or misleads(ranked[0].unit, place):
        return None
    ranked = [item for item in ranked if not misleads(item.unit, place)]
    conflict = find_conflict([(item.unit, item.prob) for item in ranked])
    main = _main(ranked, max_sentences)
    if conflict is not None:
        sides = (conflict.left, conflict.right)
        main = [*sides, *(unit for unit in main if unit not in sides)][: max(2, max_sentences)]
    groups: dict[str, dict[int, Unit]] = {}
    for unit in main:
        group = groups.setdefault(unit.handle, {})
        for member in (*_before(unit, place), unit, *_after(unit, place)):
            group[member.index] = member
    for group in groups.values():
        _add_lead_ins(group, place)
    ordered = (group[index] for group in groups.values() for index in sorted(group))
    return Chosen(units=tuple(_without_repeats(ordered)), conflict=conflict)


def _main(ranked: Sequence[Ranked], max_sentences: int) -> list[Unit]:
    """The best unit, and those that come close to it and say something else."""
    best = ranked[0]
    main = [best.unit]
    for item in ranked[1:]:
        beside = item.unit.handle == best.unit.handle
        if len(main) >= max_sentences or item.prob < min(LIKELY_PROB, best.prob * RUNNER_UP_SHARE):
            break
        if (beside or item.prob >= LIKELY_PROB) and not any(_alike(item.unit, unit) for unit in main):
            main.append(item.unit)
    return main


def _add_lead_ins(group: dict[int, Unit], place: Mapping[tuple[str, int], Unit]) -> None:
    """What opens the list of an item is said before it, be it the last sentence of the passage before."""
    for unit in list(group.values()):
        for depth, lead in enumerate(lead_ins(unit, place), start=1):
            group[lead.index if lead.handle == unit.handle else -depth] = lead


def _before(unit: Unit, place: Mapping[tuple[str, int], Unit]) -> list[Unit]:
    """The sentence that a leading "it" or "this" speaks of."""
    previous = place.get((unit.handle, unit.index - 1))
    leans = _LEANS.match(unit.text) or (unit.passage.language != "en" and _LEANS_ELSEWHERE.match(unit.text))
    return [previous] if previous is not None and leans and not is_unfit(previous) else []


def _after(unit: Unit, place: Mapping[tuple[str, int], Unit]) -> list[Unit]:
    """Sentences right after it that take something back, or the items of the list that it opens."""
    if unit.text.rstrip().endswith(":"):
        following = (place.get((unit.handle, unit.index + step)) for step in range(1, MAX_LISTED + 1))
        return [item for item in following if item is not None and item.item is not None]
    found: list[Unit] = []
    for step in range(1, MAX_FOLLOWERS + 1):
        following_unit = place.get((unit.handle, unit.index + step))
        if following_unit is None or is_unfit(following_unit) or not _QUALIFIES.match(following_unit.text):
            break
        found.append(following_unit)
    return found


def _opens_nothing(unit: Unit, place: Mapping[tuple[str, int], Unit]) -> bool:
    """A sentence that ends with a colon where its passage ends."""
    return unit.text.rstrip().endswith((":", "：")) and (unit.handle, unit.index + 1) not in place


def _without_repeats(units: Iterable[Unit]) -> list[Unit]:
    """The same words from two documents are said once."""
    kept: list[Unit] = []
    for unit in units:
        if not any(" ".join(unit.text.split()) == " ".join(other.text.split()) for other in kept):
            kept.append(unit)
    return kept


def _alike(left: Unit, right: Unit) -> bool:
    """Nearly the same words, and the same numbers: 22 days and 18 days are not alike."""
    mine, theirs = tokens(left.text), tokens(right.text)
    if {t.folded for t in mine if t.is_number} != {t.folded for t in theirs if t.is_number}:
        return False
    a, b = {t.stem for t in mine if not t.is_stop}, {t.stem for t in theirs if not t.is_stop}
    return bool(a and b) and len(a & b) / min(len(a), len(b)) >= NEAR_DUPLICATE
