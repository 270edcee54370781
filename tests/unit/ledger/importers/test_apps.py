"""Files of wallets, shops, budget programs, bookkeepers and banks are read right with nothing to configure, or asked about."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.errors import UnreadableFile
from ledger.importers import Hints, read_statement
from ledger.importers.table.known import LAYOUTS, known_layout
from tests.support.app_files import AppFile, differences, read_collection

FILES = {f"{name} {app.name}": app for name in ("first", "second", "third") for app in read_collection(name)}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_as_it_is(name):
    assert differences(FILES[name]) == ("right", [])


def read(text: str, name: str = "file.csv", **hints):
    return read_statement(name, text.encode(), Hints(**hints))


def test_a_wrong_expectation_would_be_seen():
    app = FILES["first venmo"]
    turned = [replace(row, amount=-row.amount) for row in app.rows]
    assert differences(replace(app, rows=tuple(turned)))[0] == "wrong"
    kept = [replace(row, what="in" if row.what == "transfer" else row.what) for row in app.rows]
    assert differences(replace(app, rows=tuple(kept)))[0] == "wrong"
    assert differences(replace(app, rows=app.rows[1:]))[0] == "wrong"


def test_a_list_of_shared_costs_asks_who_of_them_the_person_is():
    app = FILES["first splitwise"]
    with pytest.raises(UnreadableFile, match="doesn't say which of “Ann Example” and “Bob Roe” you are"):
        read(app.text)
    with pytest.raises(UnreadableFile, match="you are"):
        read(app.text, account="Savings")


def test_a_cost_that_several_paid_is_left_out_by_name():
    text = """Date,Description,Category,Cost,Currency,Ann,Bob,Carl
2026-10-01,Dinner,Dining out,90.00,EUR,10.00,20.00,-30.00
2026-10-02,Taxi,Taxi,30.00,EUR,20.00,-10.00,-10.00
"""
    statement = read(text, account="Ann")
    assert [row.reason for row in statement.rejected] == ["several people paid it, so your share can't be told"]
    assert [(str(row.amount), row.account) for row in statement.rows] == [("-10.00", "Splitwise")]
    assert [str(row.amount) for row in read(text, account="Carl").rows] == ["-30.00", "-10.00"]


def test_what_is_known_of_a_bank_names_its_account_and_two_of_them_stay_apart():
    header = "Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit\n"
    rows = "2026-10-02,2026-10-03,1234,NETFLIX.COM,Entertainment,15.49,\n"
    assert [account.name for account in read(header + rows).accounts] == ["Capital One"]
    both = read(header + rows + "2026-10-02,2026-10-03,9876,HULU,Entertainment,5.49,\n")
    assert [account.name for account in both.accounts] == ["Capital One 1234", "Capital One 9876"]
    assert [account.name for account in read(header + rows, account="My card").accounts] == ["My card"]


def test_postings_that_do_not_balance_in_one_currency_keep_the_accounts_own_amount():
    text = """"txnidx","date","code","description","account","amount","total"
"1","2026-10-01","","Hotel","expenses:travel","110.00 USD","110.00 USD"
"1","2026-10-01","","Hotel","assets:giro","-100.00 EUR","0"
"""
    row = read(text).rows[0]
    assert (str(row.amount), row.currency, row.category, row.account) == ("-100.00", "EUR", "travel", "giro")


def test_a_report_on_one_account_alone_has_no_transfers():
    text = """"txnidx","date","code","description","account","amount","total"
"1","2026-10-01","","Safeway","assets:checking","$-60.00","$-60.00"
"2","2026-10-02","","Acme","assets:checking","$2500.00","$2440.00"
"""
    rows = read(text).rows
    assert [(str(row.amount), row.type_hint, row.description) for row in rows] == [
        ("-60.00", None, "Safeway"),
        ("2500.00", None, "Acme"),
    ]


def test_a_category_in_brackets_is_an_own_account_and_a_list_in_brackets_is_none():
    head = "Date,Description,Amount,Category,Account\n"
    rows = [f"2026-10-0{day},Corner,-5.00,{said},Checking\n" for day, said in enumerate(
        ("[Savings]", "Transfer:[My Visa]", '"[""A"", ""B""]"', "\"['A', 'B']\"", "\"[ 'A' ]\""), 1
    )]  # fmt: skip
    found = read(head + "".join(rows)).rows
    assert [row.category for row in found] == [None, None, '["A", "B"]', "['A', 'B']", "[ 'A' ]"]
    assert [row.type_hint is None for row in found] == [False, False, True, True, True]


OWN = ("assets:checking", "assets:savings", "liabilities:visa")
CATEGORIES = ("expenses:food", "expenses:rent", "income:salary")
POSTINGS = st.lists(
    st.tuples(st.sampled_from(OWN + CATEGORIES), st.integers(-90_000, 90_000).filter(bool)), min_size=1, max_size=5
)


@given(st.lists(POSTINGS, min_size=1, max_size=6))
@settings(deadline=None)
def test_every_account_of_a_journal_moves_by_what_is_posted_to_it(drawn):
    lines, expected = ['"txnidx","date","code","description","account","amount","total"'], Counter()
    for number, postings in enumerate(drawn):
        balanced = [*postings, ("expenses:other", -sum(cents for _, cents in postings))]
        for account, cents in balanced:
            lines.append(
                f'"{number}","2026-10-{number + 10}","","Shop {number}","{account}","{Decimal(cents) / 100:.2f} EUR","0"'
            )
            if account in OWN:
                expected[account.partition(":")[2]] += cents
    if not any(account in OWN for postings in drawn for account, _ in postings):
        return
    moved: Counter[str] = Counter()
    for row in read("\n".join(lines) + "\n").rows:
        moved[row.account] += int(row.amount * 100)
    assert {name: cents for name, cents in moved.items() if cents} == {
        name: cents for name, cents in expected.items() if cents
    }


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.name} {len(layout.header)}")
def test_no_known_layout_hides_another(layout):
    assert known_layout(layout.header) is layout


def without_names(app: AppFile) -> AppFile:
    """Return a file without what the first line of Venmo's says."""
    return replace(app, text=app.text.replace("Eve Moe", "Ann Example"))


def test_the_name_in_every_row_is_the_persons_own_and_money_to_oneself_a_transfer():
    _, found = differences(without_names(FILES["first venmo"]))
    assert any("2026-10-05 25.00" in line and "transfer is in" in line for line in found)
