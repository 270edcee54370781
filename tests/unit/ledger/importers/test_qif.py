"""QIF: sections, accounts, dates, amounts, splits, categories, transfers, directions, and what is left out."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.direction import Reading, Told
from ledger.errors import AmbiguousDates, AmbiguousDirection, UnreadableFile
from ledger.importers import Hints, read_statement
from ledger.judgement import Judge
from ledger.transactions import AccountType, Kind


def read(text, *, name="export.qif", encoding="utf-8", **hints):
    return read_statement(name, text.encode(encoding), Hints(**hints))


def one(fields, **hints):
    """Read one record of a bank account."""
    (row,) = read("!Type:Bank\n" + "\n".join(fields.split("|")) + "\n^\n", **hints).rows
    return row


def test_every_field_of_a_record():
    row = one("D1/25'26|T-1,234.56|CX|N1024|PACME STORES|MWinter coat|A1 High Street|LClothing:Coats/Trip|U-1,234.56")
    assert (row.number, row.booked_on, row.amount) == (2, date(2026, 1, 25), Decimal("-1234.56"))
    assert (row.description, row.payee, row.memo) == ("ACME STORES", "ACME STORES", "Winter coat")
    assert (row.category, row.labels, row.type_hint, row.account) == ("Clothing:Coats", "Trip", None, None)


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("1/25'26", date(2026, 1, 25)),
        ("25/ 1/06", date(2006, 1, 25)),
        ("25/ 1'06", date(2006, 1, 25)),
        ("2026-01-25", date(2026, 1, 25)),
        ("25.01.2026", date(2026, 1, 25)),
        ("25.1.26", date(2026, 1, 25)),
        ("20260125", date(2026, 1, 25)),
        ("13/ 2' 7", date(2007, 2, 13)),
        (" 2/13/2007", date(2007, 2, 13)),
        ("2026/1/25", date(2026, 1, 25)),
        ("2024'9.5", date(2024, 9, 5)),
        ("12-31-98", date(1998, 12, 31)),
        ("25 Jan 2026", date(2026, 1, 25)),
    ],
)
def test_every_form_of_a_date(written, day):
    assert one(f"D{written}|T-1.00|PShop").booked_on == day


def test_one_date_decides_for_all():
    text = "!Type:Bank\nD3/ 4'26\nT-1.00\nPA\n^\nD{}\nT-2.00\nPB\n^\n"
    assert [row.booked_on for row in read(text.format("3/13'26")).rows] == [date(2026, 3, 4), date(2026, 3, 13)]
    assert [row.booked_on for row in read(text.format("13/ 3'26")).rows] == [date(2026, 4, 3), date(2026, 3, 13)]


def test_dates_that_nothing_decides_are_asked():
    text = "!Type:Bank\nD3/ 4'26\nT-1.00\nPA\n^\n"
    with pytest.raises(AmbiguousDates) as caught:
        read(text)
    assert caught.value.choices == (date(2026, 4, 3), date(2026, 3, 4))
    assert read(text, day_first=True).rows[0].booked_on == date(2026, 4, 3)
    assert read(text, day_first=False).rows[0].booked_on == date(2026, 3, 4)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1,234.56", "1234.56"),
        ("-1.234,56", "-1234.56"),
        ("-1 234,56", "-1234.56"),
        ("-1\u202f234,56", "-1234.56"),
        ("+123.45", "123.45"),
        ("-12", "-12"),
        ("-$12.50", "-12.50"),
        ("-0,99", "-0.99"),
    ],
)
def test_every_form_of_an_amount(written, value):
    assert one(f"D2026-01-25|T{written}|PShop").amount == Decimal(value)
    assert one(f"D2026-01-25|U{written}|PShop").amount == Decimal(value)


def test_two_amounts_that_differ_are_not_chosen_between():
    statement = read("!Type:Bank\nD2026-01-25\nT-1.00\nU-10.00\nPShop\n^\n")
    assert [row.reason for row in statement.rejected] == ["its two amounts differ, “-1.00” and “-10.00”"]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("T-1.00|PShop", "there is no date"),
        ("Dsomeday|T-1.00", "the date “someday” is not one that I can read"),
        ("D2026-01-25|PShop", "there is no amount"),
        ("D2026-01-25|Tmuch", "the amount “much” is not a number"),
        (f"D2026-01-25|T-1.00|P{'x' * 2_000_000}", "a field of 2,000,001 characters is too long for a transaction"),
    ],
)
def test_a_record_that_cannot_be_read_is_rejected_with_its_line(record, reason):
    good = "D2026-01-24\nT-2.00\nPShop\n^\n"
    statement = read("!Type:Bank\n" + good + record.replace("|", "\n") + "\n^\n" + good)
    assert len(statement.rows) == 2
    assert [(row.row, row.reason) for row in statement.rejected] == [(6, reason)]


def test_a_file_that_breaks_off_keeps_its_complete_records():
    whole = "!Type:Bank\nD2026-01-24\nT-2.00\nPShop\n^\nD2026-01-25\nPShop\nT-120.00"
    statement = read(whole[:-4])
    assert [row.amount for row in statement.rows] == [Decimal("-2.00")]
    assert [row.reason for row in statement.rejected] == ["the file breaks off in the middle of this transaction"]
    assert len(read(whole + "\n").rows) == 2  # only the last mark is missing


FULL = """!Option:AutoSwitch
!Account
NEveryday
TBank
^
NVisa
TCCard
^
NNest Egg Savings
TBank
^
NHome loan
TOth L
^
NWallet
TCash
^
!Clear:AutoSwitch
!Option:AutoSwitch
!Account
NEveryday
TBank
^
!Type:Bank
D1/ 2'26
T-300.00
PCard payment
L[Visa]
^
D1/13'26
T-50.00
PTo savings
L[Nest Egg Savings]
^
D1/14'26
T-500.00
PBank of Somewhere
SInterest:Mortgage
$-200.00
S[Home loan]
$-300.00
^
!Account
NVisa
TCCard
^
!Type:CCard
D1/ 2'26
T300.00
PCard payment
L[Everyday]
^
D1/ 3'26
T-20.00
PCAFE
LDining
^
"""


def test_records_are_in_the_account_before_their_section():
    statement = read(FULL)
    assert [(account.name, account.type) for account in statement.accounts] == [
        ("Everyday", None),
        ("Visa", AccountType.CREDIT_CARD),
    ]
    assert [(row.account, row.amount) for row in statement.rows] == [
        ("Everyday", Decimal("-300.00")),
        ("Everyday", Decimal("-50.00")),
        ("Everyday", Decimal("-200.00")),
        ("Everyday", Decimal("-300.00")),
        ("Visa", Decimal("300.00")),
        ("Visa", Decimal("-20.00")),
    ]


def test_money_between_own_accounts_is_what_the_account_that_it_reaches_says():
    statement = read(FULL)
    types = {account.ref: account.type for account in statement.accounts}
    judge = Judge((), {})
    assert [judge.judge(row, types[row.account]).kind for row in statement.rows] == [
        Kind.CARD_PAYMENT,
        Kind.TRANSFER,
        Kind.LOAN_PAYMENT,
        Kind.LOAN_PAYMENT,
        Kind.CARD_PAYMENT,
        Kind.PURCHASE,
    ]
    assert {row.category for row in statement.rows} == {None, "Interest:Mortgage", "Dining"}


def test_a_list_of_accounts_names_none_for_what_follows():
    listed = "!Option:AutoSwitch\n!Account\nNA\nTBank\n^\nNB\nTBank\n^\n!Clear:AutoSwitch\n!Type:Bank\n"
    statement = read(listed + "D2026-01-25\nT-1.00\nPShop\n^\n")
    assert [row.account for row in statement.rows] == [None]


def test_transactions_before_the_first_account_are_read():
    text = "!Type:Bank\nD2026-01-25\nT-1.00\nPShop\n^\n!Account\nNLater\nTBank\n^\n!Type:Bank\nD2026-01-26\nT-2.00\n^\n"
    assert [row.account for row in read(text).rows] == [None, "Later"]


def test_the_opening_balance_names_the_account_and_is_no_transaction():
    record = "!Type:Bank\nD1/ 1'26\nT1,500.00\nCX\nPOpening Balance\nL[{}]\n^\nD1/13'26\nT-1.00\nPShop\n^\n"
    statement = read(record.format("Everyday") + record.format("Second"))
    assert [(row.account, row.amount) for row in statement.rows] == [
        ("Everyday", Decimal("-1.00")),
        ("Second", Decimal("-1.00")),
    ]
    assert [(each.account, each.on, each.amount, each.opening) for each in statement.balances] == [
        ("Everyday", date(2026, 1, 1), Decimal("1500.00"), True),
        ("Second", date(2026, 1, 1), Decimal("1500.00"), True),
    ]
    assert {row.reason for row in statement.rejected} == {"“Opening Balance” is a balance, not a transaction"}


def test_a_card_without_a_name_is_a_card_all_the_same():
    text = "!Type:CCard\nD2026-01-25\nT-1.00\nPShop\n^\n"
    named = read(text, file_account="Amex")
    assert [(each.name, each.type) for each in named.accounts] == [("Amex", AccountType.CREDIT_CARD)]
    assert read(text, account="My card").accounts[0].name == "My card"
    both = read(text + "!Type:Cash\nD2026-01-25\nT-1.00\nPShop\n^\n", file_account="Home")
    assert [each.name for each in both.accounts] == ["Home Credit card", "Home Cash"]


SPLIT = "D2026-01-25|T-10.00|PSHOP|MWeekly|LFood|SFood|Ebread|$-4.00|SHome/Flat|Esoap|$-5.00|SFood|Ejam|$-1.00"


def test_a_split_is_one_row_for_each_category():
    statement = read("!Type:Bank\n" + SPLIT.replace("|", "\n") + "\n^\n")
    assert [(row.category, row.amount, row.memo, row.labels) for row in statement.rows] == [
        ("Food", Decimal("-5.00"), "Weekly; bread; jam", ""),
        ("Home", Decimal("-5.00"), "Weekly; soap", "Flat"),
    ]
    assert {row.number for row in statement.rows} == {2}
    assert statement.warnings == ()


@pytest.mark.parametrize("parts", [SPLIT.replace("$-5.00", "$-5.01"), SPLIT.replace("|$-5.00", ""), SPLIT + "|SX|%50"])
def test_a_split_that_does_not_add_up_is_one_row(parts):
    statement = read("!Type:Bank\n" + parts.replace("|", "\n") + "\n^\n")
    assert [(row.category, row.amount) for row in statement.rows] == [("Food", Decimal("-10.00"))]
    assert statement.warnings == ("1 split transaction is taken whole, because the parts don't add up to the total.",)


def test_a_split_of_too_many_parts_is_one_row():
    parts = "".join(f"SC{number}\n$-1.00\n" for number in range(1001))
    statement = read(f"!Type:Bank\nD2026-01-25\nT-1001.00\nPShop\n{parts}^\n")
    assert [row.amount for row in statement.rows] == [Decimal("-1001.00")]
    assert len(statement.warnings) == 1


def test_a_paycheck_is_its_pay_and_its_taxes():
    parts = "D2026-01-25|T2,000.00|PACME|L--Split--|SSalary|$3,000.00|STax:Fed|$-1,000.00"
    statement = read("!Type:Bank\n" + parts.replace("|", "\n") + "\n^\n")
    assert [(row.category, row.amount) for row in statement.rows] == [
        ("Salary", Decimal("3000.00")),
        ("Tax:Fed", Decimal("-1000.00")),
    ]


@pytest.mark.parametrize(
    ("written", "category", "label"),
    [("Auto:Fuel", "Auto:Fuel", ""), ("Auto:Fuel/Trip", "Auto:Fuel", "Trip"), ("/Trip", None, "Trip"),
     ("--Split--", None, ""), ("", None, "")],
)  # fmt: skip
def test_a_category_and_its_class(written, category, label):
    row = one(f"D2026-01-25|T-1.00|PShop|L{written}")
    assert (row.category, row.labels) == (category, label)


def test_a_slash_in_the_name_of_a_listed_category_is_part_of_it():
    text = "!Type:Cat\nNGas/Electric\nE\n^\n!Type:Bank\nD2026-01-25\nT-1.00\nPShop\nLGas/Electric\n^\n"
    assert read(text).rows[0].category == "Gas/Electric"


@pytest.mark.parametrize(
    ("fields", "description", "memo"),
    [("PShop|Mshoes", "Shop", "shoes"), ("Mshoes", "shoes", ""), ("N1024", "Check 1024", ""), ("LFood", "Food", ""),
     ("PShop|MShop", "Shop", ""), ("L[Savings]", "Savings", ""), ("PShop|Mone|Mtwo", "Shop", "one two")],
)  # fmt: skip
def test_the_description_is_the_best_text_there_is(fields, description, memo):
    row = one(f"D2026-01-25|T-1.00|{fields}")
    assert (row.description, row.memo) == (description, memo)


def test_lists_are_passed_over_and_investments_are_counted():
    lists = "".join(f"!Type:{kind}\nNThing\nT1.00\n^\n" for kind in ("Cat", "Class", "Memorized", "Security", "Prices"))
    invested = "!Type:Invst\nD1/13'26\nNBuy\nYACME\nI10.00\nQ5\nT50.00\n^\nD1/14'26\nNDiv\nYACME\nT1.00\n^\n"
    bought = "!Type:Budget\nNFood\n^\n!Type:Invoice\nNThing\n^\n"
    statement = read(lists + invested + bought + "!Type:Bank\nD1/13'26\nT-1.00\nPShop\n^\n")
    assert [row.amount for row in statement.rows] == [Decimal("-1.00")]
    assert statement.warnings == ("Left out: 2 investment transactions.", "Left out: 1 entry of “invoice”.")


def test_a_section_that_is_not_known_is_told_by_its_fields():
    assert len(read("!Type:Banque\nD2026-01-25\nT-1.00\nPShop\n^\n").rows) == 1


def test_without_a_header_the_name_tells():
    record = "D2026-01-25\nT-1.00\nPShop\n^\n"
    assert read(record).format == "qif"
    with pytest.raises(UnreadableFile):
        read(record, name="export.txt")


def test_encodings_line_ends_and_letters_of_either_case():
    text = "!type:bank\nD25.01.2026\nT-1.234,56\nPCafé Müller\n^\n"
    for encoding in ("utf-8", "cp1252", "utf-16", "mac-roman"):
        row = read(text.replace("\n", "\r\n"), encoding=encoding).rows[0]
        assert (row.description, row.amount) == ("Café Müller", Decimal("-1234.56"))
    assert read(text.replace("\n", "\r"), name="export.txt").format == "qif"
    assert read(text).home.likely == ("EUR",)


CHARGES = "!Type:CCard\nD2026-01-13\nT12.50\nPTESCO STORES\n^\nD2026-01-14\nT40.00\nPSHELL\n^\n"
PAID = "D2026-01-20\nT{}52.50\nPPAYMENT RECEIVED - THANK YOU\n^\n"


@pytest.mark.parametrize("text", [CHARGES, CHARGES + PAID.format(""), CHARGES + PAID.format("-")])
def test_a_card_that_lists_its_charges_without_a_minus_is_asked_about(text):
    with pytest.raises(AmbiguousDirection) as caught:
        read(text)
    assert [row.description for row in caught.value.rows][:2] == ["TESCO STORES", "SHELL"]
    spent = read(text, direction=Told.SPENT)
    assert [row.amount for row in spent.rows][:2] == [Decimal("-12.50"), Decimal("-40.00")]
    assert all(row.amount > 0 for row in spent.rows[2:])
    written = read(text, direction=Told.AS_WRITTEN)
    assert [row.amount for row in written.rows][:2] == [Decimal("12.50"), Decimal("40.00")]
    assert (spent.direction.reading, written.direction.reading) == (Reading.TURNED, Reading.AS_WRITTEN)
    again = {(spent.direction.layout, spent.direction.account): spent.direction.reading}
    assert read(text, remembered=again).rows == spent.rows


@pytest.mark.parametrize(
    "text",
    [
        CHARGES.replace("T", "T-").replace("PT-ESCO ST-ORES", "PTESCO STORES").replace("!T-ype", "!Type"),
        "!Type:CCard\n" + PAID.format(""),
        "!Type:CCard\nD2026-01-13\nT-12.50\nPTESCO STORES\n^\n" + PAID.format(""),
        "!Type:CCard\nD2026-01-13\nT-12.50\nPODD NAME\n^\nD2026-01-13\nT12.50\nPODD NAME\n^\n",
        "!Type:Bank\nD2026-01-13\nT+123.45\n^\n",
    ],
)
def test_signs_of_the_format_stand_where_nothing_contradicts_them(text):
    statement = read(text)
    assert statement.direction is None
    written = [line[1:] for line in text.splitlines() if line.startswith("T")]
    assert [row.amount for row in statement.rows] == [Decimal(amount) for amount in written]


def test_the_taxes_of_paychecks_are_no_doubt():
    parts = "SSalary\n$3000.00\n" + "".join(f"STax:{name}\n$-100.00\n" for name in "ABCDE")
    statement = read("!Type:Bank\n" + f"D2026-01-25\nT2500.00\nPPAYROLL ACME\n{parts}^\n" * 3)
    assert sum(row.amount for row in statement.rows) == Decimal("7500.00")
    assert statement.direction is None


def test_only_the_account_in_doubt_is_turned():
    bank = "!Account\nNEveryday\nTBank\n^\n!Type:Bank\nD2026-01-13\nT-9.00\nPLIDL\n^\n"
    rows = read(bank + "!Account\nNVisa\nTCCard\n^\n" + CHARGES, direction=Told.SPENT).rows
    assert [row.amount for row in rows] == [Decimal("-9.00"), Decimal("-12.50"), Decimal("-40.00")]


LINES = st.sampled_from(
    ["!Type:Bank", "!Type:CCard", "!Account", "!Type:Invst", "!Option:AutoSwitch", "!Clear:AutoSwitch", "^", "", "D",
     "D1/13'26", "D3/ 4'26", "T-1.00", "T12,50", "U5", "Tx", "PShop", "POpening Balance", "L[A]", "LFood/X", "NA",
     "SFood", "S[B]", "$-1.00", "%50", "E", "Mm", "\x00", "é", "!"]
)  # fmt: skip


@given(st.lists(LINES, max_size=60).map("\n".join))
@settings(deadline=None, max_examples=200)
def test_any_lines_are_read_or_refused_and_rows_stay_the_same(text):
    try:
        statement = read("!Type:Bank\n" + text, day_first=True, direction=Told.AS_WRITTEN)
    except UnreadableFile as error:
        sentence = error.message
        assert sentence.endswith((".", "?"))
        return
    again = read("!Type:Bank\n" + text, day_first=True, direction=Told.AS_WRITTEN)
    assert statement == again
    assert all(row.amount.is_finite() for row in statement.rows)


MONEY = st.decimals(min_value=-99999, max_value=99999, places=2)


@given(st.lists(st.lists(MONEY, min_size=1, max_size=4), min_size=1, max_size=8), st.sampled_from(".,"))
@settings(deadline=None, max_examples=100)
def test_whatever_is_split_the_sum_is_that_of_the_totals(transactions, mark):
    def written(amount):
        return f"{amount:.2f}".replace(".", mark)

    records = []
    for parts in transactions:
        shares = "".join(f"SCategory {number}\n${written(part)}\n" for number, part in enumerate(parts))
        records.append(f"D2026-01-25\nT{written(sum(parts))}\nPShop\n{shares}^\n")
    statement = read("!Type:Bank\n" + "".join(records), direction=Told.AS_WRITTEN)
    assert sum(row.amount for row in statement.rows) == sum(sum(parts) for parts in transactions)
    assert statement.rejected == statement.warnings == ()
