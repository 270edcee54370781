"""Every measure over a ledger that a person can add up."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from evals.bank_files import Ledger
from evals.figures import Malformed, read_figure
from evals.oracle import Value, compute, unknown_names

OCTOBER = {"from": "2026-10-01", "to": "2026-10-31"}
SEPTEMBER = {"from": "2026-09-01", "to": "2026-09-30"}
GROCERIES = {"category": ["Groceries"]}


def value(ledger: Ledger, measure: str, **more: Any) -> Value:
    return compute(read_figure({"measure": measure, **more}), ledger)


def amount(ledger: Ledger, measure: str, **more: Any) -> str | None:
    found = value(ledger, measure, **more).amount
    return None if found is None else str(found)


@pytest.mark.parametrize(
    ("measure", "where", "expected"),
    [
        # 900 rent, 30.01 groceries less 15 back, 50 cash, 3.50 interest charged; no transfer, no interest earned (D1, D2)
        ("spent", OCTOBER, "968.51"),
        ("spent", {**OCTOBER, **GROCERIES}, "15.01"),
        ("count", OCTOBER, "4"),
        ("average", OCTOBER, "245.88"),  # 983.51 / 4 = 245.8775, before refunds (D5)
        ("largest", OCTOBER, "900.00"),
        ("smallest", OCTOBER, "3.50"),
        ("income", OCTOBER, "1951.25"),  # 2000 less 50 corrected, and 1.25 of interest
        ("net", OCTOBER, "982.74"),
        ("rows", OCTOBER, "9"),
        ("row_sum", {**OCTOBER, "kind": ["transfer"]}, "-100.00"),
        ("row_sum", {**OCTOBER, "kind": ["interest"]}, "-2.25"),
    ],
)
def test_measures(ledger: Ledger, measure: str, where: dict[str, Any], expected: str) -> None:
    assert amount(ledger, measure, where=where) == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"merchant": ["GROCER"]}, "115.01"),
        ({"merchant": ["cafe sud"]}, "20.00"),
        ({"account": ["Card"]}, "20.00"),
        ({"not_category": ["Rent", "Cash"], **OCTOBER}, "18.51"),
        ({"not_merchant": ["Landlord"], **SEPTEMBER}, "70.00"),
        ({"over": 40, **SEPTEMBER}, "900.00"),
        ({"min": "40", **SEPTEMBER}, "940.00"),
        ({"under": 20, **SEPTEMBER}, "10.00"),
        ({"max": 20, **SEPTEMBER}, "30.00"),
        ({"weekday": [5, 6]}, "13.50"),  # Sundays 20 September and 11 October
        ({"text": "süd 44"}, "20.00"),
        ({"drop_largest": 1, **SEPTEMBER}, "70.00"),
        ({"drop_largest": 2, **SEPTEMBER}, "30.00"),
        ({"currency": "EUR"}, "0.00"),
    ],
)
def test_conditions(ledger: Ledger, where: dict[str, Any], expected: str) -> None:
    assert amount(ledger, "spent", where=where) == expected


def test_a_dropped_purchase_leaves_its_refund(ledger: Ledger) -> None:
    assert amount(ledger, "spent", where={**OCTOBER, **GROCERIES, "drop_largest": 1}) == "-15.00"


def test_groups(ledger: Ledger) -> None:
    """Sums are ranked, ties by name; transfers and income form no group."""
    assert amount(ledger, "top", by="category", where=OCTOBER) == "900.00"
    assert value(ledger, "top_name", by="category", rank=2, where=OCTOBER).texts == ("Cash",)
    assert value(ledger, "top_name", by="merchant", rank=1, lowest=True, where=OCTOBER).texts == ("Bank",)
    assert value(ledger, "top_name", by="month").texts[0] == "September 2026"  # 970.00, before October's 968.51
    assert "Oktober 2026" in value(ledger, "top_name", by="month", rank=2).texts
    assert value(ledger, "top_name", by="day", where=SEPTEMBER).day == date(2026, 9, 1)
    assert amount(ledger, "top", by="merchant", rank=9, where=OCTOBER) is None


def test_a_tie_goes_to_the_first_by_name(make_ledger: Any) -> None:
    ledger = make_ledger(
        ("2026-10-01", "-5.00", "Beta", "B", "purchase"),
        ("2026-10-02", "-5.00", "alpha", "A", "purchase"),
        ("2026-10-03", "7.00", "Aaron", "C", "refund"),
    )
    assert value(ledger, "top_name", by="merchant").texts == ("alpha",)
    assert value(ledger, "top_name", by="merchant", lowest=True).texts == ("alpha",)
    assert amount(ledger, "top", by="merchant", rank=3) is None, "where nothing was bought is no group"


@pytest.mark.parametrize(
    ("unit", "where", "expected"),
    [
        # The ledger begins on the 1st: September 60 and October 15.01 are full, November is not over.
        ("month", GROCERIES, "37.50"),  # 37.505, half to even
        ("month", {"category": ["Coffee"]}, "5.00"),
        ("month", {**GROCERIES, "from": "2026-09-02"}, "15.01"),
        ("month", {**GROCERIES, "from": "2026-11-01", "to": "2026-11-30"}, None),
        (
            "week",
            {**GROCERIES, "from": "2026-10-01", "to": "2026-10-11"},
            "0.00",
        ),  # only 5 to 11 October is a full week
        ("day", {**GROCERIES, "from": "2026-11-17", "to": "2026-11-21"}, "10.00"),  # today does not count
        ("day", {**SEPTEMBER, "weekday": [3]}, "15.00"),  # Thursdays: 60 on four days
        ("year", GROCERIES, None),
    ],
)
def test_averages_per_interval(ledger: Ledger, unit: str, where: dict[str, Any], expected: str | None) -> None:
    assert amount(ledger, "per", unit=unit, where=where) == expected


@pytest.mark.parametrize(("first", "expected"), [("2026-08-07", "5.00"), ("2026-08-08", "0.00")])
def test_the_first_month_counts_if_the_ledger_begins_in_its_first_week(
    make_ledger: Any, first: str, expected: str
) -> None:
    ledger = make_ledger(
        (first, "-15.00", "Grocer", "Groceries", "purchase"), ("2026-11-02", "-90.00", "Grocer", "X", "purchase")
    )
    assert amount(ledger, "per", unit="month") == expected


def test_a_summarys_daily_average_is_over_all_days_up_to_today(ledger: Ledger) -> None:
    assert amount(ledger, "daily_average", where=OCTOBER) == "31.24"  # 968.51 / 31 = 31.2422…
    assert amount(ledger, "daily_average", where={"from": "2026-11-01", "to": "2026-11-30"}) == "2.38"  # 50 / 21
    assert amount(ledger, "daily_average", where={"from": "2026-12-01"}) is None


def test_figures_of_figures(ledger: Ledger) -> None:
    october = {"measure": "spent", "where": {**OCTOBER, **GROCERIES}}
    september = {"measure": "spent", "where": {**SEPTEMBER, **GROCERIES}}
    assert amount(ledger, "difference", a=october, b=september) == "-44.99"
    assert amount(ledger, "change", a=october, b=september) == "-75.0"  # -74.98…
    assert amount(ledger, "ratio", a=september, b=october) == "4.00"
    assert amount(ledger, "sum", of=[october, september]) == "75.01"
    assert amount(ledger, "share", part={**SEPTEMBER, **GROCERIES}, whole=SEPTEMBER) == "6.2"  # 60 / 970
    assert amount(ledger, "share", part={"merchant": ["Bank"]}, whole=OCTOBER, of="income") == "0.1"
    nothing = {"measure": "spent", "where": {"category": ["Pets"]}}
    assert value(ledger, "change", a=october, b=nothing) == Value("percent")


def test_dates(ledger: Ledger) -> None:
    assert value(ledger, "first_date", where=GROCERIES).day == date(2026, 9, 3)
    assert value(ledger, "last_date", where={**GROCERIES, **OCTOBER}).day == date(2026, 10, 2)


def test_what_is_not_there(ledger: Ledger) -> None:
    """No row in scope is told from rows that come to nothing."""
    assert value(ledger, "spent", where={"category": ["Pets"]}) == Value("money", Decimal("0.00"), nothing=True)
    assert value(ledger, "average", where={"category": ["Pets"]}) == Value("money", nothing=True)
    assert not value(ledger, "spent", where={"kind": ["transfer"]}).nothing
    assert unknown_names(read_figure({"measure": "spent", "where": {"category": ["Pets", "rent"]}}), ledger) == ["Pets"]


def test_fixed_values(ledger: Ledger) -> None:
    assert amount(ledger, "fixed", value="12.50", unit="money") == "12.50"
    assert value(ledger, "fixed", value="Checking", unit="text").texts == ("Checking",)


def test_amounts_and_counts_do_not_add_up(ledger: Ledger) -> None:
    parts = [{"measure": "spent", "where": OCTOBER}, {"measure": "count", "where": OCTOBER}]
    with pytest.raises(Malformed):
        value(ledger, "sum", of=parts)
