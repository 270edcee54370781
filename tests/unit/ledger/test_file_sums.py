"""Amounts with fractions of a cent: rounded row by row, with what that changes in all."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from ledger.file_sums import Rounding
from ledger.identity import PlacedRow
from ledger.transactions import StatementRow


def placed(amount, number=2, currency="USD"):
    return PlacedRow(StatementRow(number, date(2026, 10, 1), Decimal(amount), "Interest"), "Giro", currency)


def said(*amounts):
    rounding = Rounding()
    kept = [rounding.round(placed(amount, number)).row.amount for number, amount in enumerate(amounts, start=2)]
    return kept, rounding.warnings()


def test_one_is_told_with_what_becomes_of_it():
    assert said("115.8331", "-5.00") == (
        [Decimal("115.83"), Decimal("-5.00")],
        ("1 amount has more decimals than USD has and will be rounded: row 2, 115.8331, to 115.83.",),
    )


def test_several_are_told_with_what_they_come_to():
    (warning,) = said("115.8331", "-0.3383", "9.9977")[1]
    assert warning.startswith(
        "3 amounts have more decimals than USD has and will be rounded: row 2, 115.8331, to 115.83;"
    )
    assert warning.endswith("; in all that changes the sum by -0.0025 USD.")


def test_what_comes_out_even_changes_no_sum():
    assert said("0.004", "-0.004")[1][0].endswith("row 2, 0.004, to 0.00.")


def test_decimals_that_say_nothing_are_no_fractions():
    assert said("115.8300", "7") == ([Decimal("115.83"), Decimal(7)], ())


@given(st.lists(st.decimals("-999", "999", places=4), min_size=2, max_size=12))
def test_the_sum_as_written_is_that_of_what_is_kept_less_what_is_told(amounts):
    kept, warnings = said(*amounts)
    told = re.search(r"changes the sum by ([-+0-9.]+) USD", " ".join(warnings))
    rounded = sum(1 for amount in amounts if amount != round(amount, 2))
    assert (told is not None) == (rounded > 1 and sum(kept) != sum(amounts))
    if told:
        assert sum(kept) - Decimal(told[1]) == sum(amounts)
