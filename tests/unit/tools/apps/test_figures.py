"""Arithmetic on figures that are there already."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.tools.apps.conftest import REGISTRY
from tests.unit.tools.apps.naive import share
from tools.apps.figures import calculate

amounts = st.integers(-(10**12), 10**12).map(lambda minor: Decimal(minor).scaleb(-2))


@settings(deadline=None, max_examples=200)
@given(
    values=st.lists(amounts, min_size=2, max_size=5), operation=st.sampled_from(["sum", "difference", "share", "ratio"])
)
async def test_figures_of_one_currency(values, operation):
    result = await calculate(operation, [f"{value} EUR" for value in values])
    first, second = values[:2]
    if operation in ("share", "ratio") and second == 0:
        assert result.kind == "clarify"
        return
    expected = {
        "sum": lambda: sum(values, Decimal(0)),
        "difference": lambda: abs(first - second),
        "share": lambda: share(first, second),
        "ratio": lambda: Decimal(round(Fraction(first) * 100 / Fraction(second))).scaleb(-2),
    }
    fact = result.facts[0]
    assert (fact.id, fact.value) == (operation, expected[operation]())
    assert fact.currency == ("EUR" if operation in ("sum", "difference") else None)


@pytest.mark.parametrize("values", [["1.00 USD", "2.00 EUR"], ["1.00 USD", "2"], ["1.00 USD"], []])
@pytest.mark.parametrize("operation", ["sum", "difference", "share", "ratio"])
async def test_what_can_not_be_computed_is_not(operation, values):
    result = await calculate(operation, values)
    assert (result.kind, result.facts) == ("clarify", ())


async def test_yen_stay_whole():
    result = await calculate("sum", ["100 JPY", "23 JPY"])
    assert str(result.facts[0].value) == "123"


def test_every_tool_with_figures_is_held_against_plain_arithmetic():
    """A new tool needs an oracle of its own beside these."""
    without = {"focus", "settings", "memories", "categories", "corrections", "entries"}
    assert {tool.name for tool in REGISTRY if tool.app not in without and not tool.writes} == {
        "spending-analyze_by_category",
        "spending-analyze_merchant",
        "spending-get_spending_summary",
        "spending-compare",
        "spending-extremes",
        "income-summary",
        "transactions-list",
        "transactions-search_transactions",
        "ledger-status",
        "figures-calculate",
        "recurring-list",
        "recurring-current",
        "recurring-upcoming",
        "transactions-measure",
        "transactions-per_interval",
        "transactions-rank",
        "transactions-find_duplicates",
        "transactions-came_back",
        "spending-changes",
        "spending-find_unusual",
        "accounts-balance",
        "accounts-list",
        "recurring-changes",
        "spending-quiet_days",
        "income-share",
    }


@given(first=st.dates(), last=st.dates())
async def test_days_between_two_dates(first, last):
    result = await calculate("days", [first.isoformat(), last.isoformat()])
    assert result.facts[0].value == abs(first.toordinal() - last.toordinal())


@pytest.mark.parametrize("values", [[], ["2026-10-01"], ["2026-10-01", "12.00 EUR"], ["2026-13-01", "2026-10-01"]])
async def test_days_need_two_dates(values):
    result = await calculate("days", values)
    assert (result.kind, result.facts) == ("clarify", ())
