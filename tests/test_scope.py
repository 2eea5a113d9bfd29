"""Which of two rules is the more specific: random lattices against a model that counts the cases one by one."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.scope import Precedence, ScopeRelation, precedence, relation, said

VALUES = {"country": ("india", "spain", "chile"), "plan": ("gold", "basic"), "product": ("travel", "home")}
scopes = st.fixed_dictionaries({}, optional={key: st.sampled_from(values) for key, values in VALUES.items()})
orders = st.lists(st.sampled_from(sorted(VALUES)), unique=True)
CASES = [dict(zip(VALUES, values, strict=True)) for values in product(*((*v, "elsewhere") for v in VALUES.values()))]


def holds_in(scope: dict[str, str]) -> set[int]:
    """The cases, out of all that there are, in which a rule of this scope holds."""
    return {n for n, case in enumerate(CASES) if all(case[key] == value for key, value in scope.items())}


def modelled(left: dict[str, str], right: dict[str, str]) -> ScopeRelation:
    a, b = holds_in(left), holds_in(right)
    if not a & b:
        return ScopeRelation.APART
    if a == b:
        return ScopeRelation.SAME
    if a < b:
        return ScopeRelation.LEFT_NARROWER
    return ScopeRelation.RIGHT_NARROWER if b < a else ScopeRelation.OVERLAP


@given(scopes, scopes)
def test_the_relation_is_that_of_the_sets_of_cases_in_which_the_rules_hold(
    left: dict[str, str], right: dict[str, str]
) -> None:
    assert relation(left, right) is modelled(left, right)


@given(scopes, scopes, orders)
def test_precedence_does_not_depend_on_which_side_is_named_first(
    left: dict[str, str], right: dict[str, str], order: list[str]
) -> None:
    turned = {Precedence.LEFT: Precedence.RIGHT, Precedence.RIGHT: Precedence.LEFT}
    first = precedence(left, right, order=order)
    assert precedence(right, left, order=order) is turned.get(first, first)


@given(scopes, scopes, orders)
def test_the_order_decides_overlaps_only_and_never_turns_specific_over_general_round(
    left: dict[str, str], right: dict[str, str], order: list[str]
) -> None:
    if modelled(left, right) is not ScopeRelation.OVERLAP:
        assert precedence(left, right, order=order) is precedence(left, right)
    else:
        assert precedence(left, right) is Precedence.CONFLICT
        decides = any((key in left) is not (key in right) for key in order)
        assert (precedence(left, right, order=order) is not Precedence.CONFLICT) is decides


@pytest.mark.parametrize(
    ("left", "right", "order", "first"),
    [
        ({"country": "India"}, {}, (), Precedence.LEFT),
        ({"country": "India"}, {"country": "india", "plan": "Gold"}, (), Precedence.RIGHT),
        ({"country": "India"}, {"plan": "Gold"}, (), Precedence.CONFLICT),
        ({"country": "India"}, {"plan": "Gold"}, ("country", "plan"), Precedence.LEFT),
        ({"country": "India"}, {"plan": "Gold"}, ("plan", "country"), Precedence.RIGHT),
        ({"country": "India"}, {"country": "Spain"}, ("country",), Precedence.BOTH),
        ({}, {}, ("country",), Precedence.CONFLICT),
    ],
)
def test_the_specific_rule_goes_before_the_general_one_and_an_order_settles_the_rest(
    left: dict[str, str], right: dict[str, str], order: tuple[str, ...], first: Precedence
) -> None:
    assert precedence(left, right, order=order) is first


def test_a_scope_is_said_in_words() -> None:
    assert said({"plan": "Gold", "country": "India"}) == "country India, plan Gold"
    assert said({}) == "everyone"
