from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.quantities import Bound, Kind, quantities
from pincite.text.quantity_compare import Relation, compare


@given(st.text(alphabet="0123456789.,-% $€abcdefdaysofMay ½\n"))
def test_ranges_are_in_order_and_do_not_overlap(text: str) -> None:
    end = 0
    for quantity in quantities(text):
        assert end <= quantity.start < quantity.end <= len(text)
        end = quantity.end


@pytest.mark.parametrize(
    ("text", "value", "unit", "kind"),
    [
        ("1,234.5 users", 1234.5, "", Kind.NUMBER),
        ("1.234,5 € und mehr", 1234.5, "EUR", Kind.MONEY),
        ("twenty-five employees", 25, "", Kind.NUMBER),
        ("one hundred and five days", 105, "day", Kind.MEASURE),
        ("half a million", 500_000, "", Kind.NUMBER),
        ("two-thirds of them", 2 / 3, "", Kind.NUMBER),
        ("a dozen eggs", 12, "", Kind.NUMBER),
        ("$1.2bn", 1.2e9, "USD", Kind.MONEY),
        ("5 million dollars", 5e6, "USD", Kind.MONEY),
        ("Rs. 5,00,000", 500_000, "INR", Kind.MONEY),
        ("61·4 %", 61.4, "%", Kind.PERCENT),
        ("50 basis points", 0.5, "pp", Kind.POINTS),
        ("2 percentage points", 2, "pp", Kind.POINTS),
        ("30 business days", 30, "business-day", Kind.MEASURE),
        ("half a year", 0.5, "year", Kind.MEASURE),
        ("the third item", 3, "", Kind.ORDINAL),
        ("the 21st day", 21, "", Kind.ORDINAL),
    ],
)
def test_the_first_quantity_is_read(text: str, value: float, unit: str, kind: Kind) -> None:
    found = quantities(text)[0]
    assert found.value == pytest.approx(value)
    assert (found.unit, found.kind) == (unit, kind)


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("at least 3 months", Bound.AT_LEAST),
        ("up to 30 days", Bound.AT_MOST),
        ("more than 5 people", Bound.OVER),
        ("under 18 years", Bound.UNDER),
        ("5 days or more", Bound.AT_LEAST),
        ("between 5 and 10 days", Bound.RANGE),
        ("5-10 kg", Bound.RANGE),
        ("exactly 5 days", Bound.EXACT),
    ],
)
def test_bounds_are_read(text: str, bound: Bound) -> None:
    assert quantities(text)[0].bound is bound


def test_a_change_from_one_value_to_another_is_no_range() -> None:
    assert [q.value for q in quantities("It increased from 10% to 15%.")] == [10, 15]


@pytest.mark.parametrize(
    "text",
    ["POL-55012", "section 4.2", "v1.3.2", "https://example.org/1.2?x=3", "555-123-4567", "claim/88431", "a.b@c.org"],
)
def test_identifiers_are_no_quantities(text: str) -> None:
    found = quantities(f"see {text} for more")
    assert [q.kind for q in found] == [Kind.IDENTIFIER]


@pytest.mark.parametrize(
    ("claim", "evidence", "relation"),
    [
        ("14 days", "two weeks", Relation.CONVERTED),
        ("120 minutes", "2 hours", Relation.CONVERTED),
        ("24 months", "2 years", Relation.CONVERTED),
        ("20 °C", "68 °F", Relation.CONVERTED),
        ("7 days", "seven days", Relation.CONVERTED),
        ("$50 million", "$50,000,000", Relation.EQUAL),
        ("4,523,000 users", "4523000 users", Relation.EQUAL),
        ("about 20%", "19.8%", Relation.CONVERTED),
        ("20%", "19.8%", Relation.VALUE_DIFFERS),
        ("over 100 people", "150 people", Relation.CONVERTED),
        ("in Q2 2019", "on 3 May 2019", Relation.CONVERTED),
        ("in 2019", "on 3 May 2019", Relation.EQUAL),
        ("3 May 2019", "4 May 2019", Relation.VALUE_DIFFERS),
        ("10 business days", "10 days", Relation.UNIT_DIFFERS),
        ("€5", "$5", Relation.CURRENCY_DIFFERS),
        ("at least 5 days", "at most 5 days", Relation.BOUND_DIFFERS),
        ("$50 million", "1500", Relation.OTHER_KIND),
        ("POL-55012", "POL-55013", Relation.VALUE_DIFFERS),
        ("5%", "5 percentage points", Relation.UNIT_DIFFERS),
    ],
)
def test_equality_is_by_named_conversion_only(claim: str, evidence: str, relation: Relation) -> None:
    assert compare(quantities(claim)[0], quantities(evidence)[0]).relation is relation
