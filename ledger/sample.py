"""A made-up ledger to try things out with: two years of one household, as a file that any import reads.

Each month is drawn from its own seed, so that the same day always gives the same bytes, and a sample made on a later
day goes on where an earlier one ended.
"""

from __future__ import annotations

import csv
import io
import random
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

SAMPLE_NAME = "sample.csv"
_YEARS = 2
_HEADER = (
    "Date", "Description", "Original Description", "Amount", "Transaction Type", "Category", "Account Name", "Labels",
    "Notes", "Currency",
)  # fmt: skip
_CHECKING, _SAVINGS, _CARD = "Checking", "Savings", "Credit Card"


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the file; ``cents`` are negative for money out."""

    day: date
    name: str
    statement: str
    cents: int
    category: str
    account: str


@dataclass(frozen=True, slots=True)
class _Habit:
    """What is bought by card now and then: how often a month, and for how many cents."""

    name: str
    statement: str
    category: str
    times: tuple[int, int]
    cents: tuple[int, int]
    months: tuple[int, ...] = tuple(range(1, 13))


@dataclass(frozen=True, slots=True)
class _Standing:
    """What comes every month on the same day; ``cents`` are negative for money out, and grow by a step each year."""

    day: int
    name: str
    statement: str
    category: str
    account: str
    cents: int
    yearly_step: int = 0


_HABITS = (
    _Habit("Trader Joe's", "TRADER JOE'S #552 PORTLAND OR", "Groceries", (3, 5), (1800, 9400)),
    _Habit("Safeway", "SAFEWAY #1508 PORTLAND OR", "Groceries", (2, 4), (900, 6200)),
    _Habit("Costco", "COSTCO WHSE #0110", "Groceries", (0, 2), (8000, 21000)),
    _Habit("Starbucks", "STARBUCKS STORE 00332", "Coffee Shops", (2, 6), (385, 890)),
    _Habit("Blue Bottle Coffee", "SQ *BLUE BOTTLE COFFEE 123", "Coffee Shops", (1, 4), (450, 1250)),
    _Habit("Chipotle", "CHIPOTLE 1147", "Fast Food", (1, 4), (980, 1890)),
    _Habit("Pizzeria Luna", "TST* PIZZERIA LUNA", "Restaurants", (1, 3), (2400, 6800)),
    _Habit("Golden Lotus", "SQ *GOLDEN LOTUS", "Restaurants", (0, 2), (3100, 9600)),
    _Habit("Uber", "UBER *TRIP HELP.UBER.COM", "Rental Car & Taxi", (0, 4), (890, 4100)),
    _Habit("Lyft", "LYFT *RIDE SUN 5PM", "Rental Car & Taxi", (0, 2), (760, 3300)),
    _Habit("Shell", "SHELL OIL 57444212", "Gas & Fuel", (1, 3), (2900, 6100)),
    _Habit("Amazon", "AMZN MKTP US*2A3BC4D50", "Shopping", (1, 4), (890, 14500)),
    _Habit("Target", "TARGET 00012345", "Shopping", (0, 2), (1500, 11000)),
    _Habit("IKEA", "IKEA PORTLAND", "Home Furnishings", (0, 1), (3500, 38000)),
    _Habit("Powell's Books", "POWELLS CITY OF BOOKS", "Books", (0, 2), (1100, 4900)),
    _Habit("CVS", "CVS/PHARMACY #0233", "Pharmacy", (0, 2), (620, 4800)),
    _Habit("Bright Smile Dental", "BRIGHT SMILE DENTAL", "Dentist", (1, 1), (9000, 16000), (3, 9)),
    _Habit("Alaska Airlines", "ALASKA AIR 0272112345678", "Air Travel", (1, 2), (18900, 46000), (5, 7, 12)),
    _Habit("Harbor View Hotel", "HARBOR VIEW HOTEL", "Hotel", (1, 1), (32000, 71000), (7, 12)),
)
_STANDING = (
    _Standing(1, "Maple Street Apartments", "ACH MAPLE STREET APTS RENT", "Mortgage & Rent", _CHECKING, -165000, -4500),
    _Standing(2, "TriMet", "TRIMET MONTHLY PASS", "Public Transportation", _CARD, -10000),
    _Standing(3, "City Gym", "CITY GYM MEMBERSHIP", "Gym", _CARD, -3900),
    _Standing(5, "Netflix", "NETFLIX.COM", "Movies & DVDs", _CARD, -1549, -100),
    _Standing(11, "Spotify", "SPOTIFY USA", "Music", _CARD, -1099),
    _Standing(12, "Comcast", "COMCAST CABLE COMM", "Internet", _CHECKING, -6499, -500),
    _Standing(15, "Northwind Labs", "NORTHWIND LABS PAYROLL DIR DEP", "Paycheck", _CHECKING, 248000, 9000),
    _Standing(16, "Transfer to Savings", "ONLINE TRANSFER TO SAVINGS", "Transfer", _CHECKING, -40000),
    _Standing(16, "Transfer from Checking", "ONLINE TRANSFER FROM CHECKING", "Transfer", _SAVINGS, 40000),
    _Standing(18, "Verizon", "VERIZON WIRELESS PMT", "Mobile Phone", _CHECKING, -5500),
    _Standing(28, "Northwind Labs", "NORTHWIND LABS PAYROLL DIR DEP", "Paycheck", _CHECKING, 248000, 9000),
)
_FIRST_YEAR = 2024
_REFUNDABLE = frozenset(("Shopping", "Home Furnishings"))
#: Electricity costs most where it is cold or hot.
_POWER = (13800, 12900, 11100, 8400, 6900, 7200, 9100, 9400, 7300, 7800, 10200, 13100)


def sample_csv(today: date) -> bytes:
    """Return two years and the month so far, up to this day, as a CSV file like Mint's; the newest rows come first."""
    first = date(today.year - _YEARS, today.month, 1)
    months = [_month(first, number) for number in range(12 * _YEARS + 1)]
    rows = [row for month in months for row in _rows_of(month) if row.day <= today]
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_HEADER)
    for row in sorted(rows, key=lambda row: (row.day, row.account, row.statement, row.cents), reverse=True):
        kind = "debit" if row.cents < 0 else "credit"
        day = f"{row.day.month}/{row.day.day}/{row.day.year}"
        amount = f"{abs(row.cents) // 100}.{abs(row.cents) % 100:02}"
        writer.writerow((day, row.name, row.statement, amount, kind, row.category, row.account, "", "", "USD"))
    return out.getvalue().encode()


def _month(first: date, number: int) -> date:
    """Return the first day of the month that lies so many months after another."""
    months = first.year * 12 + first.month - 1 + number
    return date(months // 12, months % 12 + 1, 1)


def _rows_of(month: date) -> list[_Row]:
    """Return everything that a month brings."""
    chance = random.Random(f"{month:%Y-%m} bills")  # noqa: S311 - made-up data
    last = month.replace(day=monthrange(month.year, month.month)[1])
    rows = [_standing(each, month) for each in _STANDING if each.account != _CARD] + _card_rows(month)
    power = _POWER[month.month - 1] + chance.randint(-900, 900)
    rows.append(
        _Row(month.replace(day=8), "Portland Electric", "PORTLAND GENERAL ELEC", -power, "Utilities", _CHECKING)
    )
    rows.append(_Row(last, "Interest Paid", "INTEREST PAYMENT", chance.randint(610, 1480), "Interest Income", _SAVINGS))
    if chance.random() < 0.6:
        day = month.replace(day=chance.randint(4, 26))
        rows.append(_Row(day, "ATM Withdrawal", "ATM WITHDRAWAL 004417", -8000, "Cash & ATM", _CHECKING))
        rows.append(_Row(day, "ATM Fee", "NON-NETWORK ATM FEE", -350, "ATM Fee", _CHECKING))
    bill = -sum(row.cents for row in _card_rows(_month(month, -1)))
    paid = month.replace(day=22)
    rows.append(_Row(paid, "Credit Card Payment", "AUTOPAY CREDIT CARD", -bill, "Credit Card Payment", _CHECKING))
    rows.append(_Row(paid, "Credit Card Payment", "PAYMENT THANK YOU", bill, "Credit Card Payment", _CARD))
    return rows


def _standing(standing: _Standing, month: date) -> _Row:
    cents = standing.cents + standing.yearly_step * max(0, month.year - _FIRST_YEAR)
    day = month.replace(day=standing.day)
    return _Row(day, standing.name, standing.statement, cents, standing.category, standing.account)


def _card_rows(month: date) -> list[_Row]:
    """Return what a month's purchases are, with a refund now and then and, rarely, a fee for paying late."""
    chance = random.Random(f"{month:%Y-%m} card")  # noqa: S311 - made-up data
    rows = [_standing(each, month) for each in _STANDING if each.account == _CARD]
    days = monthrange(month.year, month.month)[1]
    for habit in _HABITS:
        for _ in range(chance.randint(*habit.times) if month.month in habit.months else 0):
            day = month.replace(day=chance.randint(1, days))
            cents = -chance.randint(*habit.cents)
            rows.append(_Row(day, habit.name, habit.statement, cents, habit.category, _CARD))
    sent_back = [row for row in rows if row.category in _REFUNDABLE and row.day.day <= 20]
    if sent_back and chance.random() < 0.4:
        row = chance.choice(sent_back)
        rows.append(_Row(row.day + timedelta(6), row.name, row.statement, -row.cents, row.category, _CARD))
    if chance.random() < 0.12:
        rows.append(_Row(month.replace(day=24), "Late Fee", "LATE PAYMENT FEE", -2900, "Late Fee", _CARD))
    return rows
