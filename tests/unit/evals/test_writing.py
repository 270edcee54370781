"""Numbers, days and names in sentences of both languages."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evals.writing import fold, states_day, states_money, states_name, states_number, states_percent

AMOUNTS = st.decimals(min_value=0, max_value=10**9, places=2)


def german(text: str) -> str:
    return text.translate(str.maketrans(",.", ".,"))


@given(AMOUNTS, st.sampled_from(["${}", "€{} on rent", "-{} EUR", "came to {}.", "{}, and more"]), st.booleans())
def test_an_amount_is_found_in_both_writings(amount: Decimal, sentence: str, grouped: bool) -> None:
    text = f"{amount:,.2f}" if grouped else f"{amount:.2f}"
    assert states_money(sentence.format(text), amount)
    assert states_money(sentence.format(german(text)), -amount)


@given(AMOUNTS, AMOUNTS)
def test_another_amount_is_not(amount: Decimal, other: Decimal) -> None:
    assert states_money(f"${amount:,.2f} spent", other) == (amount == other)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("$112.50", "12.50"),
        ("$12.505", "12.50"),
        ("$12.5", "12.50"),
        ("12.50% of it", "12.50"),
        ("1,234.56", "234.56"),
        ("1.234,56", "1.23"),
        ("2100 purchases", "2100"),
        ("on 21.11.2026", "21.11"),
    ],
)
def test_what_is_no_such_amount(text: str, amount: str) -> None:
    assert not states_money(text, Decimal(amount))


def test_a_whole_amount_may_come_without_cents() -> None:
    assert states_money("You spent $2,100 there", Decimal("2100.00"))
    assert states_money("2.100 €", Decimal("2100.00"))
    assert not states_money("$2,100 there", Decimal("2100.40"))


@pytest.mark.parametrize(
    ("text", "percent", "states"),
    [
        ("36.5% of it", "36.5", True),
        ("36,5 % davon", "36.5", True),
        ("-4.0 percent", "4.0", True),
        ("50% of it", "50.0", True),
        ("36.5 of it", "36.5", False),
        ("36.49%", "36.5", False),
        ("136.5%", "36.5", False),
    ],
)
def test_percentages(text: str, percent: str, states: bool) -> None:
    assert states_percent(text, Decimal(percent)) == states


@pytest.mark.parametrize(
    ("text", "number", "states"),
    [
        ("6 purchases at Costco", "6", True),
        ("1,905 transactions", "1905", True),
        ("1.905 Buchungen", "1905", True),
        ("on 6 Oct 2026", "6", False),
        ("in October 2026", "2026", False),
        ("1–6 Oct 2026: 3 purchases", "6", False),
        ("am 6. Oktober", "6", False),
        ("October 6, 2026", "6", False),
        ("$6 spent", "6", False),
        ("6% of it", "6", False),
        ("16 purchases", "6", False),
        ("4.00 times as much", "4", True),
    ],
)
def test_plain_numbers_are_no_dates_and_no_amounts(text: str, number: str, states: bool) -> None:
    assert states_number(text, Decimal(number)) == states


@pytest.mark.parametrize("text", ["7 Nov 2026", "2026-11-07", "November 7, 2026", "7. November 2026", "am 07.11.2026."])
def test_days(text: str) -> None:
    assert states_day(f"The last one was {text}", date(2026, 11, 7))
    assert not states_day(f"The last one was {text}", date(2026, 11, 8))


def test_a_day_of_two_figures_is_not_taken_for_one() -> None:
    assert not states_day("17 Nov 2026", date(2026, 11, 7))


@pytest.mark.parametrize(
    ("text", "name", "states"),
    [
        ("€5 at REWE: the most", "Rewe", True),
        ("at Trader Joes", "Trader Joe's", True),
        ("im Café Süd", "Cafe Sud", True),
        ("at Amazon", "Amazon Prime", False),
        ("at Amazonia", "Amazon", False),
        ("anything", "", False),
    ],
)
def test_names(text: str, name: str, states: bool) -> None:
    assert states_name(text, name) == states


@given(st.text())
@example("𝕊")
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
