"""Tables with a column of amounts for each currency: a row is in the currency of the column that it fills."""

from __future__ import annotations

import csv
import io
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.direction import Told
from ledger.errors import LayoutRefused
from ledger.importers import Hints, read_statement
from ledger.importers.table.layout_file import read_layout, write_layout
from ledger.importers.table.saying import complete, say


def read(text, **hints):
    return read_statement("x.csv", text.encode(), Hints(**hints))


def money(statement):
    return [f"{row.amount} {row.currency}" for row in statement.rows]


@pytest.mark.parametrize(
    ("header", "lines", "expected"),
    [
        ("CAD$,USD$", ["-5.00,", ",+9.00"], ["-5.00 CAD", "9.00 USD"]),
        ("Amount (EUR),Amount (USD)", ["-5.00,", ",+9.00"], ["-5.00 EUR", "9.00 USD"]),
        ("amount_usd,amount_eur", [",-5.00", "+9.00,"], ["-5.00 EUR", "9.00 USD"]),
        ("Betrag CHF,Betrag EUR,Betrag USD", ["-5.00,,", ",-6.00,0.00", "0.00,0.00,9.00"], ["-5.00 CHF", "-6.00 EUR", "9.00 USD"]),
        ("Debit CAD,Credit CAD,Debit USD,Credit USD", ["5.00,,,", ",9.00,,", ",,6.00,", ",,,7.00"],
         ["-5.00 CAD", "9.00 CAD", "-6.00 USD", "7.00 USD"]),
        ("Paid out (£),Paid in (£),Paid out (€),Paid in (€)", ["5.00,,,", ",,,9.00"], ["-5.00 GBP", "9.00 EUR"]),
    ],
)  # fmt: skip
def test_a_row_is_in_the_currency_of_the_column_that_it_fills(header, lines, expected):
    statement = read(f"Date,Description,{header}\n" + "".join(f"2026-10-13,Shop,{line}\n" for line in lines))
    assert (money(statement), statement.rejected) == (expected, ())


def test_each_account_has_the_currency_of_its_rows():
    text = """Account Type,Account Number,Date,Description,CAD$,USD$
Chequing,001-1234567,2026-10-05,Loblaws,-12.50,
Visa,4510********7712,2026-10-06,Petro,-40.00,
Savings,001-7654321,2026-10-07,Etsy,,118.25
"""
    assert [(each.ref, each.currency) for each in read(text).accounts] == [
        ("001-1234567", "CAD"), ("4510********7712", "CAD"), ("001-7654321", "USD"),
    ]  # fmt: skip


@pytest.mark.parametrize("header", ["Amount (EUR),Amount (USD)", "Amount (EUR),Original Amount (USD)"])
def test_a_second_column_that_is_filled_beside_the_first_is_the_same_money_in_another_currency(header):
    text = f"Date,Description,{header}\n2026-10-13,Shop,-5.00,-6.00\n2026-10-14,Shop,-7.00,\n"
    assert [str(row.amount) for row in read(text).rows] == ["-5.00", "-7.00"]


def test_a_row_that_fills_two_of_them_late_in_a_file_is_left_out_by_name():
    lines = [f"2026-10-13,Shop {number},-5.00,\n" for number in range(1100)]
    statement = read(f"Date,Description,EUR,USD\n2026-10-13,Shop,,-1.00\n{''.join(lines)}2026-10-14,Swap,-5.00,6.00\n")
    assert [row.reason for row in statement.rejected] == ["several columns of amounts are filled in"]
    assert len(statement.rows) == 1101


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-99_999, 99_999).filter(bool)), min_size=1, max_size=30))
def test_every_amount_comes_back_in_its_currency(drawn):
    codes = ("CHF", "EUR", "USD")
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["Date", "Description", *(f"Amount {code}" for code in codes)])
    for place, cents in drawn:
        cells = [""] * 3
        cells[place] = f"{Decimal(cents) / 100:+.2f}"
        writer.writerow(["2026-10-13", "Shop", *cells])
    expected = [(Decimal(cents) / 100, codes[place]) for place, cents in drawn]
    assert [(row.amount, row.currency) for row in read(text.getvalue()).rows] == expected


TEXT = "Date,Description,CAD$,USD$\n2026-10-13,Shop,-5.00,\n2026-10-14,Shop,,-6.00\n"


def test_both_columns_are_seen_as_amounts_and_either_may_be_said_to_be_none():
    statement = read(TEXT)
    layout = complete(statement.table)
    assert read_layout(write_layout(layout)) == layout
    assert money(read(TEXT, layouts=(layout,))) == ["-5.00 CAD", "-6.00 USD"]
    without = say(statement.table, ["USD$=ignore"])
    again = read(TEXT, layouts=(without,))
    assert (money(again), [row.reason for row in again.rejected]) == (["-5.00 CAD"], ["there is no amount"])


def test_columns_of_one_currency_cannot_share_a_role():
    head = 'header = ["Date", "Text", "CAD$", "CAD 2", "Sum"]\n[columns]\n'
    assert read_layout(head.replace("CAD 2", "USD 2") + 'amount = ["CAD$", "USD 2"]\n').columns
    for both in ('["CAD$", "CAD 2"]', '["CAD$", "Sum"]'):
        with pytest.raises(LayoutRefused, match="named by their currencies"):
            read_layout(f"{head}amount = {both}\n")


@pytest.mark.parametrize(
    ("header", "lines"),
    [
        ("Amount (SEK),Original sum,Currency",
         ["-120.00,-120.00,SEK", "-57.50,-5.00,EUR", "900.00,900.00,SEK"]),
        ("Ursprung,Currency,Amount (SEK)",
         ["-120.00,SEK,-120.00", "-5.00,EUR,-57.50", "900.00,SEK,900.00"]),
    ],
)  # fmt: skip
def test_the_currency_that_the_amounts_own_name_holds_goes_before_a_column_of_what_was_paid_abroad(header, lines):
    text = f"Date,Description,{header}\n" + "".join(f"2026-10-13,Shop,{line}\n" for line in lines)
    assert money(read(text)) == ["-120.00 SEK", "-57.50 SEK", "900.00 SEK"]


@pytest.mark.parametrize(
    ("header", "lines"),
    [
        ("Currency,Abroad,Amount", [",0,120.00", "EUR,5.00,57.50", ",0,35.00", ",,-900.00"]),
        ("Abroad,Currency,Amount", [",,120.00", "5.00,EUR,57.50", ",,35.00", ",,-900.00"]),
        ("Currency,Card amount,Amount", [",0.00,120.00", "EUR,5.00,57.50", ",0.00,35.00", ",0.00,-900.00"]),
        ("Currency,Utl. belopp,Amount", ["EUR,11.00,120.00", "EUR,5.00,57.50", "EUR,3.00,35.00", "EUR,80.00,-900.00"]),
        ("Currency,Original amount,Amount", ["EUR,11.00,120.00", "EUR,5.00,57.50", "EUR,3.00,35.00", "EUR,80.00,-900.00"]),
        ("Abroad,Currency,Text,Amount", ["120.00,SEK,,120.00", "5.00,EUR,,57.50", "35.00,SEK,,35.00", "-900.00,SEK,,-900.00"]),
    ],
)  # fmt: skip
def test_a_column_of_currencies_may_be_that_of_other_amounts_beside_it(header, lines):
    """What a card in SEK paid in EUR is booked in SEK."""
    text = f"Date,Description,{header}\n" + "".join(f"2026-10-13,ICA,{line}\n" for line in lines)
    statement = read(text, currency="SEK", direction=Told.SPENT)
    assert money(statement) == ["-120.00 SEK", "-57.50 SEK", "-35.00 SEK", "900.00 SEK"]


@pytest.mark.parametrize(
    ("header", "lines"),
    [
        ("Amount,Currency,Converted", ["-120.00,SEK,-10.40", "-5.00,EUR,-5.00", "900.00,SEK,78.00"]),
        ("Currency,Amount,Fee", ["SEK,-120.00,0", "EUR,-5.00,0", "SEK,900.00,0"]),
        ("Amount,Currency,Rate", ["-120.00,SEK,", "-5.00,EUR,11.5", "900.00,SEK,"]),
        ("Amount,Currency,Card amount", ["-120.00,SEK,-10.40", "-5.00,EUR,-5.00", "900.00,SEK,78.00"]),
        ("Currency,Gross,Fee,Net", ["SEK,-120.00,0,-120.00", "EUR,-4.00,1.00,-5.00", "SEK,900.00,0,900.00"]),
        ("Currency,Gross,Net", ["SEK,-120.00,-120.00", "EUR,-5.00,-5.00", "SEK,900.00,900.00"]),
        ("Amount,Currency,Rate", ["-120.00,SEK,1", "-5.00,EUR,11.4821", "900.00,SEK,1"]),
    ],
)  # fmt: skip
def test_a_column_of_currencies_that_stands_at_the_amount_is_its_own(header, lines):
    text = f"Date,Description,{header}\n" + "".join(f"2026-10-13,Shop,{line}\n" for line in lines)
    assert money(read(text)) == ["-120.00 SEK", "-5.00 EUR", "900.00 SEK"]


@pytest.mark.parametrize("header", ["VAT amount", "Cashback amount", "Tip,Rate", "Tax", "Limit", "Foreign fee"])
def test_a_currency_beside_amounts_that_were_not_paid_abroad_is_the_row_s_own(header):
    values = [("1.90", "1"), ("3.80", "2"), ("0.80", "3")]
    lines = [
        f"2026-10-13,Shop,{amount},{','.join(value[: header.count(',') + 1])},EUR"
        for amount, value in zip(("-11.90", "-23.80", "-5.00"), values, strict=True)
    ]
    text = "\n".join((f"Date,Description,Amount,{header},Currency", *lines))
    assert money(read(text, currency="USD")) == ["-11.90 EUR", "-23.80 EUR", "-5.00 EUR"]


def test_so_it_may_in_a_table_whose_columns_are_told_by_their_cells():
    text = """Uupa,Bela zuq,Nuum (HUF),Nuum qi,Qil,Zald
2026-10-03,Shop one,-1200.00,-3.00,EUR,8800.00
2026-10-02,Shop two,-500.00,-500.00,HUF,10000.00
2026-10-01,Wages here,10500.00,10500.00,HUF,10500.00
"""
    assert money(read(text)) == ["-1200.00 HUF", "-500.00 HUF", "10500.00 HUF"]


@pytest.mark.parametrize(
    ("header", "lines", "expected"),
    [
        ("Amount,Zuq", ["-5.00,SEK", "9.00,EUR"], ["-5.00 SEK", "9.00 EUR"]),
        ("Qil,Amount,Zuq", ["USD,-5.00,SEK", "EUR,9.00,EUR"], ["-5.00 SEK", "9.00 EUR"]),
        ("Amount,Zuq", ["-5.00,SEK", "9.00,Top"], ["-5.00 None", "9.00 None"]),
        ("Amount,Currency,Zuq", ["-5.00,SEK,USD", "9.00,EUR,USD"], ["-5.00 SEK", "9.00 EUR"]),
    ],
)  # fmt: skip
def test_codes_of_currencies_are_told_under_a_name_that_is_not_known(header, lines, expected):
    text = f"Date,Description,{header}\n" + "".join(f"2026-10-13,Shop,{line}\n" for line in lines)
    assert money(read(text, direction=Told.AS_WRITTEN)) == expected


def test_a_rate_beside_the_currencies_of_some_rows_is_no_amount():
    lines = ["-120.00,,", "-5.00,EUR,11.4821", "900.00,,"]
    text = "Date,Description,Amount,Currency,Rate\n" + "".join(f"2026-10-13,ICA,{line}\n" for line in lines)
    assert money(read(text, currency="SEK", direction=Told.AS_WRITTEN)) == ["-120.00 SEK", "-5.00 EUR", "900.00 SEK"]


def test_one_currency_at_gross_and_net_amounts_is_that_of_both():
    text = "Date,Description,Currency,Gross,Net\n2026-10-13,ICA,SEK,-120.00,-120.00\n2026-10-14,ICA,SEK,-5.00,-5.00\n"
    assert money(read(text)) == ["-120.00 SEK", "-5.00 SEK"]


@pytest.mark.parametrize(
    ("line", "currency"),
    [
        ("Moneda: Pesos chilenos (CLP)", "CLP"),
        ("Moneda: pesos chilenos", "CLP"),
        ("Kode Mata Uang : Rp", "IDR"),
        ("Währung des Kontos;CHF", "CHF"),
        ("Memo: paid in CLP", None),
        ("Foreign currency fee;USD 1.50", None),
        ("Original currency;USD", None),
        ("Fremdwährungsentgelt: 1,50 USD", None),
        ("Account no;123456;Original currency;USD;Currency;CLP", "CLP"),
    ],
)
def test_a_line_above_the_table_names_the_currency_in_words_or_a_code(line, currency):
    text = f"{line}\n\nFecha;Descripcion;Cargo;Abono\n07-08-2026;Compra;20840;0\n20-08-2026;Sueldo;0;985400\n"
    assert {row.currency for row in read_statement("x.csv", text.encode()).rows} == {currency}


@pytest.mark.parametrize(
    ("texts", "currency"),
    [
        (("Compra Tottus Nunoa", "PAC Enel Distribución", "Compra Copec App", "Compra Unimarc"), "CLP"),
        (("KARTU DEBIT INDOMARET T3RJ", "TRSF E-BANKING DB TOPUP GOPAY", "BIAYA TXN BI-FAST"), "IDR"),
        (("Transferencia Nequi", "Pago PSE Claro", "Compra Terpel"), "COP"),
        (("Compra Tottus Lima", "Compra Copec"), None),
    ],
)
def test_shops_and_ways_of_paying_prove_the_country_of_an_account(texts, currency):
    rows = "".join(f"{day + 1:02}-08-2026;{text};20840;0\n" for day, text in enumerate(texts))
    statement = read_statement("x.csv", f"Fecha;Descripcion;Cargo;Abono\n{rows}".encode())
    assert statement.home.currency == currency
