"""The made-up ledger: the same on the same day, whole months alike on any day, and read back as what it is meant to be."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.filters import Filter
from ledger.imports import SourceFile, import_files
from ledger.people import Person
from ledger.sample import SAMPLE_NAME, sample_csv
from ledger.transactions import Flow, Kind

TODAY = date(2026, 11, 21)
days = st.dates(date(2021, 1, 1), date(2090, 12, 31))


def rows(today: date) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(sample_csv(today).decode())))


def day_of(row: dict[str, str]) -> date:
    month, day, year = map(int, row["Date"].split("/"))
    return date(year, month, day)


def signed(row: dict[str, str]) -> Decimal:
    return Decimal(row["Amount"]) * (-1 if row["Transaction Type"] == "debit" else 1)


@settings(deadline=None, max_examples=25)
@given(days)
def test_the_same_day_gives_the_same_bytes_and_nobody_elses_random_numbers_change(today):
    state = random.getstate()
    first = sample_csv(today)
    assert random.getstate() == state
    random.seed(today.toordinal())
    assert sample_csv(today) == first


@settings(deadline=None, max_examples=25)
@given(days)
def test_it_covers_two_years_and_the_month_so_far_and_nothing_after_the_day(today):
    found = [day_of(row) for row in rows(today)]
    assert max(found) <= today
    assert min(found) == date(today.year - 2, today.month, 1)
    assert found == sorted(found, reverse=True)
    assert len({(day.year, day.month) for day in found}) == 25


@settings(deadline=None, max_examples=25)
@given(days, st.integers(1, 60))
def test_a_later_sample_goes_on_where_an_earlier_one_ended(today, later):
    then = today + timedelta(later)
    first = min(map(day_of, rows(then)))
    earlier = Counter(tuple(row.values()) for row in rows(today) if day_of(row) >= first)
    assert earlier == Counter(tuple(row.values()) for row in rows(then) if day_of(row) <= today)


def test_transfers_and_card_payments_cancel_out():
    for category in ("Transfer", "Credit Card Payment"):
        assert sum(signed(row) for row in rows(TODAY) if row["Category"] == category) == 0


def test_a_card_payment_is_what_the_month_before_was_charged():
    charged = [row for row in rows(TODAY) if row["Account Name"] == "Credit Card" and row["Date"].startswith("9/")]
    bought = sum(
        signed(row) for row in charged if row["Category"] != "Credit Card Payment" and row["Date"].endswith("2026")
    )
    paid = next(row for row in rows(TODAY) if row["Date"] == "10/22/2026" and row["Account Name"] == "Checking")
    assert signed(paid) == bought


@pytest.fixture
async def ledger(sqlite_store):
    repository = await sqlite_store.repository(Person("console", "local", "me"))
    report = await import_files(repository, [SourceFile(SAMPLE_NAME, sample_csv(TODAY))])
    assert report.files[0].error is None
    assert report.files[0].rejected == ()
    return repository


async def test_the_ordinary_import_takes_every_row(ledger):
    assert (await ledger.vocabulary()).count == len(rows(TODAY))
    assert [account.name for account in await ledger.accounts()] == ["Checking", "Credit Card", "Savings"]
    (totals,) = await ledger.totals(Filter())
    assert -totals.net_out_minor == sum(signed(row) for row in rows(TODAY)) * 100


async def test_every_kind_of_movement_is_in_it_and_recognised(ledger):
    kinds = {row.kind for row in await ledger.rows(Filter())}
    assert kinds >= {
        Kind.PURCHASE, Kind.REFUND, Kind.TRANSFER, Kind.CARD_PAYMENT, Kind.INCOME, Kind.FEE, Kind.INTEREST, Kind.CASH,
    }  # fmt: skip


async def test_what_is_spent_is_what_an_independent_sum_of_the_file_says(ledger):
    no_spending = {"Transfer", "Credit Card Payment", "Paycheck", "Interest Income"}
    spent = -sum(signed(row) for row in rows(TODAY) if row["Category"] not in no_spending)
    (totals,) = await ledger.totals(Filter(flow=Flow.SPENDING))
    assert Decimal(totals.net_out_minor) / 100 == spent


async def test_a_sample_of_the_next_week_adds_only_that_week(ledger):
    later = TODAY + timedelta(7)
    report = await import_files(ledger, [SourceFile(SAMPLE_NAME, sample_csv(later))])
    assert report.files[0].added == sum(day_of(row) > TODAY for row in rows(later))
