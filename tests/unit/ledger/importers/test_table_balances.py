"""Balances beside and above the rows of a table: what is kept of them, and where they say that rows are missing."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.direction import Told
from ledger.importers import Hints, read_statement

HEADER = "Date,Description,Amount,Balance"


def read(text, **hints):
    return read_statement("x.csv", text.encode(), Hints(**hints))


def balances(statement):
    return [
        (f"{each.on:%m-%d}", str(each.amount), "opening" if each.opening else "closing") for each in statement.balances
    ]


ROWS = ["2026-10-01,Rent,-5,95", "2026-10-02,Shop,-6,89", "2026-10-03,Salary,10,99", "2026-10-05,Shop,-1,98"]


@pytest.mark.parametrize("rows", [ROWS, ROWS[::-1]])
def test_a_running_balance_gives_what_was_there_before_and_after(rows):
    statement = read("\n".join([HEADER, *rows]))
    assert balances(statement) == [("10-01", "100", "opening"), ("10-05", "98", "closing")]
    assert statement.warnings == ()


@pytest.mark.parametrize("step", [1, -1])
def test_missing_rows_are_said_with_the_days_between(step):
    rows = [*ROWS, "2026-10-09,Shop,-1,90", "2026-10-10,Shop,-1,89"][::step]
    assert read("\n".join([HEADER, *rows])).warnings == (
        "By the balances beside the rows, some are missing between 5 October 2026 and 9 October 2026.",
    )


def test_rows_of_a_day_in_another_order_are_not_missing():
    rows = [
        "2026-10-01,a,-5,95",
        "2026-10-02,c,10,105",
        "2026-10-02,b,-6,99",
        *(f"2026-10-0{day},x,-1,{100 - day}" for day in (5, 6, 7)),
    ]
    swapped = [rows[0], rows[2].replace("99", "89"), rows[1].replace("105", "99"), *rows[3:]]
    swapped = [swapped[0], swapped[2], swapped[1], *(f"2026-10-0{day},x,-1,{103 - day}" for day in (5, 6, 7, 8, 9))]
    statement = read("\n".join([HEADER, *swapped]))
    assert statement.warnings == ()
    assert balances(statement) == [("10-01", "100", "opening"), ("10-09", "94", "closing")]


def test_a_balance_that_does_not_move_with_the_amounts_is_none():
    rows = ["2026-10-01,a,-5,17", "2026-10-02,b,-6,3", "2026-10-03,c,-7,120", "2026-10-04,d,2,1"]
    statement = read("\n".join([HEADER, *rows]))
    assert (statement.balances, statement.warnings) == ((), ())


def test_what_can_be_spent_is_not_what_is_there():
    assert read("\n".join([HEADER.replace("Balance", "Available balance"), *ROWS])).balances == ()


def test_a_card_s_balance_is_owed():
    rows = ["2026-10-01,TESCO STORES,5,105", "2026-10-02,NETFLIX.COM,6,111", "2026-10-03,PAYMENT - THANK YOU,-111,0"]
    statement = read("\n".join([HEADER, *rows]), account="Visa credit card")
    assert [row.amount for row in statement.rows] == [-5, -6, 111]
    assert balances(statement) == [("10-01", "-100", "opening"), ("10-03", "0", "closing")]


def test_each_account_has_its_own():
    rows = [
        "A,EUR,2026-10-01,x,-5,95",
        "B,USD,2026-10-01,x,-1,9",
        "A,EUR,2026-10-02,x,-5,90",
        "B,USD,2026-10-03,x,-1,8",
    ]
    statement = read("\n".join(["Account,Currency,Date,Description,Amount,Balance", *rows]))
    assert [(each.account, each.currency, each.amount) for each in statement.balances] == [
        ("A", "EUR", 100), ("A", "EUR", 90), ("B", "USD", 10), ("B", "USD", 8),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ("Kontostand vom 20.11.2026:;1.234,56 EUR", [("11-20", "1234.56", "closing")]),
        (
            "Anfangssaldo:;7421.60\nEndsaldo:;8621.60",
            [("11-01", "7421.60", "opening"), ("11-03", "8621.60", "closing")],
        ),
        ("Saldo:;5.000,00 EUR", []),
        (
            "Beginning balance as of 31.10.2026;100,00\nEnding balance as of 30.11.2026;1.300,00",
            [("10-31", "100.00", "opening"), ("11-30", "1300.00", "closing")],
        ),
    ],
)
def test_balances_above_the_table(above, expected):
    rows = "Buchungstag;Text;Betrag\n01.11.2026;Miete;-800,00\n03.11.2026;Lohn;2.000,00\n"
    statement = read(f"Konto;DE89370400440532013000\n{above}\n\n{rows}")
    assert balances(statement) == expected
    assert {each.account for each in statement.balances} <= {"DE89370400440532013000"}


@given(
    st.lists(st.sampled_from([5, -5]) | st.integers(-9_999, 9_999).filter(bool), min_size=3, max_size=12),
    st.integers(-50_000, 50_000),
    st.booleans(),
)
@settings(deadline=None, max_examples=60)
def test_opening_and_rows_come_to_closing(amounts, opening, newest_first):
    rows, balance = [], opening
    for place, amount in enumerate(amounts):
        balance += amount
        day = date(2026, 1, 5) + timedelta(place)
        rows.append(f"{day},n{place},{Decimal(amount) / 100},{Decimal(balance) / 100}")
    statement = read("\n".join([HEADER, *(rows[::-1] if newest_first else rows)]), direction=Told.AS_WRITTEN)
    assert [each.amount * 100 for each in statement.balances] == [opening, balance]


POCKETS = """Type,Product,Completed Date,Description,Amount,Fee,Currency,State,Balance
Topup,Current,2026-10-01,Pay,100.00,0.00,EUR,COMPLETED,140.00
Transfer,Current,2026-10-02,To pocket,-30.00,0.00,EUR,COMPLETED,110.00
Transfer,Deposit,2026-10-02,To pocket,30.00,0.00,EUR,COMPLETED,330.00
Card Payment,Current,2026-10-03,Tesco,-10.00,0.00,EUR,COMPLETED,100.00
Interest,Deposit,2026-10-04,Interest,1.00,0.00,EUR,COMPLETED,331.00
"""


def test_the_parts_of_an_account_have_balances_of_their_own_which_make_up_its():
    statement = read(POCKETS)
    assert balances(statement) == [("10-01", "340.00", "opening"), ("10-04", "431.00", "closing")]
    assert statement.warnings == ()
    assert sum(row.amount for row in statement.rows) == Decimal("91.00")


def test_a_part_without_a_balance_leaves_the_account_without_one():
    assert balances(read(POCKETS.replace(",330.00", ",").replace(",331.00", ","))) == []


TABLE = "\nData,Descrizione,Importo\n05/10/2026,COOP FIRENZE,-10.00\n09/10/2026,Stipendio,60.00\n"


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        (
            "Saldo Iniziale: 50.00  Saldo Finale: 100.00",
            [("10-05", "50.00", "opening"), ("10-09", "100.00", "closing")],
        ),
        ("Saldo iniziale: 50.00 Saldo finale: 100.00", [("10-05", "50.00", "opening"), ("10-09", "100.00", "closing")]),
        ("Saldo al 31/10/2026 1 234.50 €", [("10-31", "1234.50", "closing")]),
        ("Via Roma 1,Saldo finale: 100.00", [("10-09", "100.00", "closing")]),
    ],
)
def test_a_line_may_say_several_balances_or_one_behind_its_day(above, expected):
    assert balances(read(above + TABLE)) == expected


@pytest.mark.parametrize("beside", ["FLAT 12", "PUNE 411038"])
def test_what_stands_beside_an_address_is_read_by_its_own_label(beside):
    above = f"{beside},Currency       :    INR\nMR SHAH,Account No     :    50100447712088     VIRTUAL\n"
    statement = read(f"{above}Date,Narration,Withdrawal Amt.,Deposit Amt.\n02/07/26,Rent,32000,\n03/07/26,Pay,,90000\n")
    assert {(row.currency, row.account) for row in statement.rows} == {("INR", "50100447712088")}


def test_two_balances_may_stand_on_one_line_above_the_table():
    text = "Opening Balance,100.00,,Closing Balance,1300.00\nAccount No,12345678,,Currency,USD\n\nDate,Description,Amount\n"
    statement = read(f"{text}2026-11-01,Pay,1250.00\n2026-11-03,Shop,-50.00\n")
    assert balances(statement) == [("11-01", "100.00", "opening"), ("11-03", "1300.00", "closing")]
    assert [(each.ref, each.currency) for each in statement.accounts] == [("12345678", "USD")]
