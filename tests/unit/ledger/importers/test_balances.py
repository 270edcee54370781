"""Rows that lead from one balance to the next, and those that don't."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.importers.balances import gap_between, gap_warnings
from ledger.money import Money
from ledger.transactions import StatementBalance, StatementRow

OCTOBER = date(2026, 10, 1)


def row(day, amount, currency="EUR"):
    return StatementRow(1, OCTOBER + timedelta(day - 1), Decimal(amount), "x", currency=currency)


def balance(day, amount, currency="EUR", *, opening=False):
    return StatementBalance(OCTOBER + timedelta(day - 1), Decimal(amount), opening, None, currency)


def test_what_is_missing_is_said_with_its_days_and_side():
    gap = gap_between([row(1, "-5.00"), row(31, "-3.00")], balance(1, "100", opening=True), balance(31, "80.00"))
    assert gap.missing == Money(-1200, "EUR")
    assert gap_warnings([gap]) == (
        "The rows between 1 and 31 Oct 2026 don't add up to the balances: 12.00 EUR of money out is missing.",
    )


def test_several_gaps_are_one_sentence():
    gap = gap_between([row(5, "1")], balance(1, "0"), balance(5, "3"))
    other = gap_between([row(60, "1")], balance(30, "0"), balance(60, "3"))
    assert gap_warnings([gap, other], {"": "Giro"}) == (
        (
            "The rows of 5 Oct 2026 in Giro don't add up to the balances: 2.00 EUR of money in is missing; "
            "so it is in 1 more place of this file."
        ),
    )
    assert gap_warnings([]) == ()


@pytest.mark.parametrize(
    ("rows", "before", "after"),
    [
        ([row(2, "-5")], balance(1, "10"), balance(2, "5")),
        ([row(2, "-5.001")], balance(1, "10"), balance(2, "5.00")),
        ([row(2, "-5")], balance(1, "10"), balance(2, "5", "SEK")),
        ([row(2, "-5", "USD")], balance(1, "10"), balance(2, "10")),
        ([], balance(1, "10", None), balance(2, "5", None)),
    ],
    ids=["equal", "equal to the cent", "two currencies", "a row in another one", "none"],
)
def test_nothing_is_said_where_nothing_is_missing_or_nobody_can_know(rows, before, after):
    assert gap_between(rows, before, after) is None


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 28), st.integers(-10_000, 10_000)), min_size=1), st.data())
def test_the_row_that_was_left_out_is_what_is_missing(drawn, data):
    rows = [row(day, Decimal(cents).scaleb(-2)) for day, cents in drawn]
    stated = [balance(1, "0", opening=True), balance(28, sum(each.amount for each in rows))]
    assert gap_between(rows, *stated) is None
    left_out = data.draw(st.integers(0, len(rows) - 1))
    gap = gap_between(rows[:left_out] + rows[left_out + 1 :], *stated)
    assert (gap.missing.amount if gap else 0) == rows[left_out].amount
