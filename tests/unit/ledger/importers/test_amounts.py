"""Amounts in every written form, and the decimal mark of a whole column."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.importers.amounts import Amount, decimal_mark, read_amount, read_plain

MINUS, NBSP, THIN, NARROW = "\u2212", "\u00a0", "\u2009", "\u202f"


@pytest.mark.parametrize(
    ("text", "mark", "value", "currency"),
    [
        ("12.50", ".", "12.50", None),
        ("-12.50", ".", "-12.50", None),
        ("+12.50", ".", "12.50", None),
        ("12,50", ",", "12.50", None),
        ("1,234.56", ".", "1234.56", None),
        ("1.234,56", ",", "1234.56", None),
        ("1.234.567", ",", "1234567", None),
        ("12,34,567.89", ".", "1234567.89", None),
        ("1'234.50", ".", "1234.50", None),
        ("1’234.50", ".", "1234.50", None),
        (f"1{NBSP}234,50", ",", "1234.50", None),
        (f"1{THIN}234,50", ",", "1234.50", None),
        (f"1{NARROW}234{NARROW}567,50", ",", "1234567.50", None),
        (f"{MINUS}7,00", ",", "-7.00", None),
        ("\u20137,00", ",", "-7.00", None),
        ("(45.00)", ".", "-45.00", None),
        ("($45.00)", ".", "-45.00", "$"),
        ("45.00-", ".", "-45.00", None),
        ("- 45.00", ".", "-45.00", None),
        ("-$1,234.56", ".", "-1234.56", "$"),
        ("$-12.00", ".", "-12.00", "$"),
        ("+ $700.00", ".", "700.00", "$"),
        ("€12.50", ".", "12.50", "EUR"),
        ("12,50 €", ",", "12.50", "EUR"),
        ("12,50 EUR", ",", "12.50", "EUR"),
        ("EUR -12,50", ",", "-12.50", "EUR"),
        ("£1,000", ".", "1000", "GBP"),
        ("R$ 12,00", ",", "12.00", "BRL"),
        ("CHF 1'234.50", ".", "1234.50", "CHF"),
        ("12.-", ".", "12", None),
        ("CHF 12.--", ".", "12", "CHF"),
        ("100,00 zł", ",", "100.00", "PLN"),
        ("1 234,50 kr", ",", "1234.50", "KR"),
        ("$12.00 CAD", ".", "12.00", "CAD"),
        (".5", ".", "0.5", None),
        ("0", ".", "0", None),
        ("-0.00", ".", "0.00", None),
        ("-00000000001500.0000", ".", "-1500.0000", None),
    ],
)
def test_every_form_is_read_exactly(text, mark, value, currency):
    assert read_amount(text, mark) == Amount(Decimal(value), currency, 0)


@pytest.mark.parametrize(
    ("text", "side"), [("45.00 CR", 1), ("45.00CR", 1), ("45.00 DR", -1), ("45.00 D", -1), ("45.00 H", 1), ("45.00", 0)]
)
def test_the_side_is_read_from_behind_the_number(text, side):
    assert read_amount(text, ".") == Amount(Decimal("45.00"), None, side)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "abc",
        "12..34",
        "1,2,3",
        "12.34.56",
        "123 45",
        "1,23.45",
        "1 2",
        "--5",
        "-5-",
        "(-5)",
        "12.5 apples",
        "NaN",
        "Infinity",
        "1e5",
        "1_000",
        "١٢",
        "12.34 USD EUR x",
        "2025-10-01",
        "10/10",
        "5%",
        "#5",
        "1" * 15,
        "9" * 61,
        "€",
        ".",
    ],
)
def test_what_is_no_amount_is_not_read(text):
    assert read_amount(text, ".") is None


def test_the_expected_currency_decides_between_dollars():
    assert read_amount("$5", ".", "CAD") == Amount(Decimal(5), "CAD", 0)
    assert read_amount("$5", ".", "EUR") == Amount(Decimal(5), "$", 0)


@pytest.mark.parametrize(
    ("cells", "mark"),
    [
        (["1.234,56"], ","),
        (["1,234.56"], "."),
        (["12,5"], ","),
        (["12.50", "1,234"], "."),
        (["1.234", "12,50"], ","),
        (["1.234", "999"], ","),
        (["1,234"], "."),
        (["0.125"], "."),
        (["1234.567"], "."),
        (["1.234.567"], ","),
        (["12", "13"], "."),
        ([], "."),
    ],
)
def test_the_column_as_a_whole_decides_about_the_decimal_mark(cells, mark):
    assert decimal_mark(cells) == mark


def test_three_decimals_are_believed_where_the_currency_has_them():
    assert decimal_mark(["1.234", "5.500"], three_decimals=True) == "."
    assert decimal_mark(["1.234", "5.500"]) == ","


def test_a_second_column_is_asked_only_if_the_first_does_not_tell():
    assert decimal_mark(["12"], ["1.234,56"]) == ","
    assert decimal_mark(["12.50"], ["1.234,56"]) == "."


@given(
    value=st.decimals(min_value=0, max_value=10**12, places=2, allow_nan=False, allow_infinity=False),
    style=st.sampled_from(
        [(".", ","), (".", " "), (".", "'"), (".", ""), (",", "."), (",", NBSP), (",", NARROW), (",", "")]
    ),
    sign=st.sampled_from(["{}", "-{}", "{}-", "({})", MINUS + "{}", "€ {}", "-{} EUR"]),
)
@settings(deadline=None)
def test_a_written_amount_comes_back(value, style, sign):
    mark, gap = style
    text = sign.format(f"{value:,.2f}".replace(",", "\0").replace(".", mark).replace("\0", gap))
    negative = any(symbol in sign for symbol in ("-", "(", MINUS))
    found = read_amount(text, mark)
    assert found is not None
    assert found.value == (-value if negative else value)


@given(st.text(max_size=30), st.sampled_from([".", ","]))
@settings(deadline=None)
def test_any_text_is_an_amount_or_none(text, mark):
    plain = read_plain(text, mark)
    found = read_amount(text, mark)
    assert found is None or found.value.is_finite()
    assert plain is None or (found is not None and found.value == plain)
