"""Money stays exact: minor units inside, decimals at the edges."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.money import Money, exponent, to_decimal, to_minor

currencies = st.sampled_from(["USD", "EUR", "JPY", "KWD", "CLF", "XXX"])
minors = st.integers(-(10**15), 10**15)


@given(minors, currencies)
def test_there_and_back(minor, currency):
    amount = to_decimal(minor, currency)
    assert to_minor(amount, currency) == minor
    assert -amount.as_tuple().exponent == exponent(currency)


@given(st.decimals(min_value=-(10**12), max_value=10**12, allow_nan=False, places=6), currencies)
def test_digits_beyond_the_minor_unit_are_rounded_half_to_even(amount, currency):
    assert to_minor(amount, currency) == round(Fraction(amount) * 10 ** exponent(currency))


@pytest.mark.parametrize(
    ("amount", "currency", "minor"),
    [("0.005", "USD", 0), ("0.015", "USD", 2), ("-0.025", "USD", -2), ("2.5", "JPY", 2), ("1.2345", "KWD", 1234)],
)
def test_ties(amount, currency, minor):
    assert to_minor(Decimal(amount), currency) == minor


@pytest.mark.parametrize(
    ("money", "text"),
    [
        (Money(41_230, "USD"), "412.30 USD"),
        (Money(-5, "EUR"), "-0.05 EUR"),
        (Money(0, "USD"), "0.00 USD"),
        (Money(7, "JPY"), "7 JPY"),
    ],
)
def test_all_digits_are_shown(money, text):
    assert str(money) == text
