"""Scope: what a version is written for, which of two is the more specific, and which one takes precedence.

A version with attributes holds where each of them does; one without holds everywhere. So the more specific of two is
the one whose attributes are a strict superset; two that both hold somewhere, neither inside the other, overlap.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class ScopeRelation(StrEnum):
    """How the scopes of two versions lie to each other."""

    SAME = "same"
    LEFT_NARROWER = "left_narrower"
    RIGHT_NARROWER = "right_narrower"
    OVERLAP = "overlap"
    APART = "apart"


class Precedence(StrEnum):
    """Which of two that say different things applies; CONFLICT when neither does before the other, in one place."""

    LEFT = "left"
    RIGHT = "right"
    CONFLICT = "conflict"
    BOTH = "both"
    """Each where it is written for: they never meet."""


def relation(left: Mapping[str, str], right: Mapping[str, str]) -> ScopeRelation:
    """How two scopes lie. Values are compared in any case, keys as they are; no attributes mean everywhere."""
    mine, theirs = _folded(left), _folded(right)
    if any(mine[key] != theirs[key] for key in mine.keys() & theirs.keys()):
        return ScopeRelation.APART
    if mine.keys() == theirs.keys():
        return ScopeRelation.SAME
    if mine.keys() > theirs.keys():
        return ScopeRelation.LEFT_NARROWER
    return ScopeRelation.RIGHT_NARROWER if mine.keys() < theirs.keys() else ScopeRelation.OVERLAP


def precedence(left: Mapping[str, str], right: Mapping[str, str], *, order: Sequence[str] = ()) -> Precedence:
    """The more specific one; of two that overlap, the one with the first attribute of ``order`` that only one carries.

    ``order`` is a setting (``retrieve.precedence``). Without it, or when it names none of theirs, an overlap is a
    conflict: nothing says which rule goes first.
    """
    match relation(left, right):
        case ScopeRelation.APART:
            return Precedence.BOTH
        case ScopeRelation.SAME:
            return Precedence.CONFLICT
        case ScopeRelation.LEFT_NARROWER:
            return Precedence.LEFT
        case ScopeRelation.RIGHT_NARROWER:
            return Precedence.RIGHT
        case ScopeRelation.OVERLAP:
            return _by_order(left, right, order)


def _by_order(left: Mapping[str, str], right: Mapping[str, str], order: Sequence[str]) -> Precedence:
    for key in order:
        if (key in left) is not (key in right):
            return Precedence.LEFT if key in left else Precedence.RIGHT
    return Precedence.CONFLICT


def said(attributes: Mapping[str, str]) -> str:
    """A scope in words: "country India, plan Gold"; "everyone" where nothing narrows it."""
    return ", ".join(f"{key} {value}" for key, value in sorted(attributes.items())) or "everyone"


def _folded(attributes: Mapping[str, str]) -> dict[str, str]:
    return {key: value.casefold() for key, value in attributes.items()}
