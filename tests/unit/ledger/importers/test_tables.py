"""Which way the money went, and which column is which where nothing says it."""

from __future__ import annotations

import pytest

from ledger.errors import AmbiguousDirection
from ledger.importers import Hints, UnreadableFile, read_statement
from ledger.importers.table.column_names import header_meanings
from ledger.importers.table.saying import complete


def read(text):
    return read_statement("x.csv", text.encode())


def amounts(text):
    return [str(row.amount) for row in read(text).rows]


def reasons(text):
    return [(row.row, row.reason) for row in read(text).rejected]


UNSAID = "the row does not say whether the money came in or went out"


@pytest.mark.parametrize(
    ("header", "lines", "expected"),
    [
        # A debit and a credit column, with and without signs of their own.
        ("Debit,Credit", ["5.00,", ",9.00"], ["-5.00", "9.00"]),
        ("Debit,Credit", ["-5.00,", ",9.00"], ["-5.00", "9.00"]),
        ("Debit,Credit", ["5.00,", ",-9.00"], ["-5.00", "9.00"]),
        ("Debit,Credit", ["5.00,0.00", "0.00,9.00"], ["-5.00", "9.00"]),
        ("Debit,Credit", ["5.00,-", "-,9.00"], ["-5.00", "9.00"]),
        ("Debit,Credit", ["5.00,", "6.00,", "-2.00,"], ["-5.00", "-6.00", "2.00"]),
        ("Credit,Debit", ["9.00,", ",5.00"], ["9.00", "-5.00"]),
        ("Amount,Debit,Credit", ["-5.00,5.00,", "9.00,,9.00"], ["-5.00", "9.00"]),
        ("Amount,Debit,Credit", ["5.00,5.00,", "9.00,,9.00"], ["-5.00", "9.00"]),
        ("Amount,Debit,Credit", [",5.00,", ",,9.00"], ["-5.00", "9.00"]),
        ("Withdrawal Amt (INR),Deposit Amt (INR)", ['"1,00,000.00",', ",9.00"], ["-100000.00", "9.00"]),
        # One column and an indicator.
        ("Amount,Transaction Type", ["5.00,debit", "9.00,credit"], ["-5.00", "9.00"]),
        ("Amount,Transaction Type", ["5.00,Debit", "6.00,Debit"], ["-5.00", "-6.00"]),
        ("Amount,Transaction Type", ["-5.00,debit", "9.00,credit"], ["-5.00", "9.00"]),
        ("Amount,Transaction Type", ["5.00,debit", "-9.00,credit"], ["-5.00", "9.00"]),
        ("Amount,Dr/Cr", ["5.00,DR", "9.00,CR"], ["-5.00", "9.00"]),
        ("Amount,D/C", ["5.00,D", "9.00,C"], ["-5.00", "9.00"]),
        ("Amount,+/-", ["5.00,-", "9.00,+"], ["-5.00", "9.00"]),
        ("Betrag,Soll/Haben", ["5.00,S", "9.00,H"], ["-5.00", "9.00"]),
        ("Amount,Type,Transaction Type", ["5.00,ACH,Debit", "9.00,ATM,Credit"], ["-5.00", "9.00"]),
        ("Amount,Type", ["5.00,Income", "-9.00,Outgoing Transfer"], ["5.00", "-9.00"]),
        ("Ποσό,Πρόσημο ποσού", ["5.00,Χ", "9.00,Π"], ["-5.00", "9.00"]),
        ("Сумма,Дт/Кт", ["5.00,Дт", "9.00,Кт"], ["-5.00", "9.00"]),
        ("Сумма,Д/К", ["5.00,Д", "9.00,К"], ["-5.00", "9.00"]),
        ("交易金额,借贷标志", ["5.00,借", "9.00,贷"], ["-5.00", "9.00"]),
        ("거래금액,입출금구분", ["5.00,출금", "9.00,입금"], ["-5.00", "9.00"]),
        ("Összeg,T/J", ["5.00,T", "9.00,J"], ["-5.00", "9.00"]),
        ("Částka,MD/D", ["5.00,MD", "9.00,D"], ["-5.00", "9.00"]),
        # Marks at the number.
        ("Amount", ["5.00 DR", "9.00 CR"], ["-5.00", "9.00"]),
        ("Amount", ["5.00", "6.00", "9.00 CR"], ["-5.00", "-6.00", "9.00"]),
        ("Amount", ["5.00-", "6.00-", "9.00"], ["-5.00", "-6.00", "9.00"]),
        # Cards that count a purchase as positive and say that it is one.
        ("Amount,Type", ["5.00,Purchase", "-9.00,Payment", "1.00,Fee"], ["-5.00", "9.00", "-1.00"]),
        ("Amount,Type", ["5.00,Sale", "-2.00,Return", "-9.00,Other"], ["-5.00", "2.00", "9.00"]),
        ("Amount,Type", ["-5.00,Sale", "2.00,Return", "9.00,Payment"], ["-5.00", "2.00", "9.00"]),
        ("Amount,Type", ["5.00,Purchase"], ["-5.00"]),
        # The balance is never the amount.
        ("Balance,Amount", ["100.00,-5.00", "109.00,9.00"], ["-5.00", "9.00"]),
        ("Amount,Original Amount,Amount (Foreign Currency)", ["-5.00,-6.00,-7.00"], ["-5.00"]),
        ("Amount,Koers,Bedrag in EUR", ["-5.00,2,-2.50"], ["-2.50"]),
        ("Gross,Fee,Net", ["-5.00,-0.50,-5.50"], ["-5.50"]),
    ],
)
def test_the_signed_amount(header, lines, expected):
    text = f"Date,Description,{header}\n" + "".join(f"2025-10-13,Shop,{line}\n" for line in lines)
    assert amounts(text) == expected
    assert reasons(text) == []


@pytest.mark.parametrize(
    ("header", "lines", "expected"),
    [
        ("Debit,Credit", ["5.00,9.00", "1.00,"], [(2, "both the debit and the credit are filled in")]),
        ("Debit,Credit", ["5.00,x", "1.00,"], [(2, "the amount “x” is not a number")]),
        ("Debit,Credit", [",", "1.00,"], [(2, "there is no amount")]),
    ],
)
def test_an_amount_that_is_not_certain_is_rejected(header, lines, expected):
    text = f"Date,Description,{header}\n" + "".join(f"2025-10-13,Shop,{line}\n" for line in lines)
    assert reasons(text) == expected
    assert amounts(text) == ["-1.00"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # date, amount, text in any order
        (["2025-10-13,Shop,-5.00", "2025-10-14,Wages,9.00"], ["Shop -5.00", "Wages 9.00"]),
        (["-5.00,Shop,2025-10-13", "9.00,Wages,2025-10-14"], ["Shop -5.00", "Wages 9.00"]),
        # debit and credit columns: the words of a row or the balance tell
        (
            ["2025-10-13,Shop,5.00,", "2025-10-13,Shop,6.00,", "2025-10-14,Wages,,9.00"],
            ["Shop -5.00", "Shop -6.00", "Wages 9.00"],
        ),
        (
            ["2025-10-13,Shell,,5.00", "2025-10-13,Shop,,6.00", "2025-10-14,Wages,9.00,"],
            ["Shell -5.00", "Shop -6.00", "Wages 9.00"],
        ),
        (
            ["2025-10-13,Shop,5.00,,95.00", "2025-10-13,Work,,9.00,104.00", "2025-10-14,Work,,8.00,112.00"],
            ["Shop -5.00", "Work 9.00", "Work 8.00"],
        ),
        (["2025-10-14,Shop,5.00,,90.00", "2025-10-13,Shop,6.00,,95.00"], ["Shop -5.00", "Shop -6.00"]),
        (["2025-10-13,Work,,5.00,95.00", "2025-10-14,Work,,6.00,101.00"], ["Work 5.00", "Work 6.00"]),
        # a balance beside the amount, before it and after it
        (["2025-10-13,Shop,100.00,-5.00", "2025-10-14,Work,109.00,9.00"], ["Shop -5.00", "Work 9.00"]),
        (["2025-10-13,Work,+5.00,105.00", "2025-10-14,Work,+9.00,114.00"], ["Work 5.00", "Work 9.00"]),
        (["123456789\tEUR\t20251013\t1000,00\t1009,00\t20251013\t9,00\tWerkgever"], ["Werkgever 9.00"]),
        # cheque numbers and account numbers are no amounts
        (["2025-10-13,1024,Cheque,-5.00", "2025-10-14,1025,Cheque,-6.00"], ["Cheque -5.00", "Cheque -6.00"]),
        # an indicator
        (["2025-10-13,Shop,5.00,D", "2025-10-14,Work,9.00,C"], ["Shop -5.00", "Work 9.00"]),
        # whole numbers only
        (["2025-10-13,Shop,-5", "2025-10-14,Wages,9"], ["Shop -5", "Wages 9"]),
    ],
)
def test_columns_without_a_header(lines, expected):
    statement = read("\n".join(lines) + "\n")
    assert [f"{row.description} {row.amount}" for row in statement.rows] == expected
    assert statement.rejected == ()


def test_a_row_that_speaks_like_a_header_is_a_row():
    statement = read("2025-10-13,FECHA SHOP,5.00,debit\n2025-10-14,Balance due,6.00,debit\n")
    assert [f"{row.description} {row.amount}" for row in statement.rows] == ["FECHA SHOP -5.00", "Balance due -6.00"]


def test_currency_and_account_columns_without_a_header():
    statement = read("NL01INGB0001234567,2025-10-13,Shop,-5.00,EUR\nNL01INGB0001234567,2025-10-14,Wages,9.00,EUR\n")
    assert {(row.account, row.currency) for row in statement.rows} == {("NL01INGB0001234567", "EUR")}


def test_a_header_of_which_only_some_words_are_known():
    statement = read(
        "Datum;Opis;Isplata;Uplata\n13.10.2025;Konzum;5,00;\n14.10.2025;Plaća;;900,00\n15.10.2025;Tisak;2,00;\n"
    )
    assert [f"{row.booked_on} {row.description} {row.amount}" for row in statement.rows] == [
        "2025-10-13 Konzum -5.00",
        "2025-10-14 Plaća 900.00",
        "2025-10-15 Tisak -2.00",
    ]


def test_texts_in_columns_without_a_name_are_kept():
    statement = read(
        "Data operacji,Kwota,Opis transakcji,,\n2025-10-13,-5.00,Karta,Biedronka,Warszawa\n2025-10-14,-6.00,Karta,,\n"
    )
    assert [row.memo for row in statement.rows] == ["Biedronka; Warszawa", ""]


def test_a_three_decimal_currency_keeps_its_decimals():
    assert amounts("Date,Description,Amount (KWD)\n2025-10-13,Shop,-1.500\n2025-10-14,Shop,-12.750\n") == [
        "-1.500",
        "-12.750",
    ]
    assert amounts("Date,Description,Amount (EUR)\n2025-10-13,Shop,-1.500\n2025-10-14,Shop,-12.750\n") == [
        "-1500",
        "-12750",
    ]


@pytest.mark.parametrize(
    ("header", "line", "date"),
    [
        ("Buchungstag;Wertstellung", "13.10.2025;14.10.2025", "2025-10-13"),
        ("Wertstellung;Buchungstag", "14.10.2025;13.10.2025", "2025-10-13"),
        ("Belegdatum;Wertstellung", "13.10.2025;14.10.2025", "2025-10-14"),
        ("Transaction Date;Post Date", "13.10.2025;14.10.2025", "2025-10-14"),
        ("Transaction Date;Value Date", "13.10.2025;14.10.2025", "2025-10-13"),
        ("Booking Date;Value Date", ";14.10.2025", "2025-10-14"),
        ("Datum;Valuta", "13.10.2025;15.10.2025", "2025-10-13"),
        ("Datum;Valuta", "13.10.2025;SEK", "2025-10-13"),
    ],
)
def test_the_booking_date_goes_before_the_others(header, line, date):
    rows = read(f"{header};Text;Betrag\n{line};Laden;-5,00\n").rows
    assert [str(row.booked_on) for row in rows] == [date]


def test_a_table_of_balances_is_no_statement():
    with pytest.raises(UnreadableFile):
        read("Start,End,Start Balance,End Balance\n2025-10-01,2025-10-31,5.00,7.25\n2025-11-01,2025-11-30,7.25,9.00\n")


@pytest.mark.parametrize(
    ("header", "line", "description"),
    [
        ("Payer,Payee", "Ann,Bob,-5.00", "Bob"),
        ("Payer,Payee", "Ann,Bob,+5.00", "Ann"),
        ("Payer,Payee", "Ann,,-5.00", "text"),
        ("Payer,Payee", ",Bob,+5.00", "Bob"),
        ("Payer,Category", "Ann,Food,-5.00", "Ann"),
        ("Merchant,Category", "Lidl,Food,-5.00", "text"),
        ("Payee,Merchant", ",Lidl,-5.00", "text"),
    ],
)
def test_the_other_party_depends_on_the_direction(header, line, description):
    assert [row.description for row in read(f"Date,Description,{header},Amount\n2025-10-13,text,{line}\n").rows] == [
        description
    ]


@pytest.mark.parametrize(
    "header", ["Categories", "Kategorien", "Transaction Categories", "Categorías", "Umsatzkategorie"]
)
def test_a_category_column_goes_by_many_names(header):
    assert [row.category for row in read(f"Date,Narrative,{header},Amount\n2025-10-13,text,Food,-5.00\n").rows] == [
        "Food"
    ]


def test_column_of_categories_holds_a_persons_own_or_a_banks_codes():
    """Westpac fills it with codes for how the money moved; whoever has put in their own finds them again."""
    text = "Date,Narrative,Debit Amount,Credit Amount,Categories\n2026-11-19,Shop,5.00,,{}\n"
    assert read(text.format("Garden & house")).rows[0].category == "Garden & house"
    code = read(text.format("POS")).rows[0]
    assert (code.category, code.type_hint) == (None, "POS")


def test_the_payee_of_money_in_is_who_ordered_it():
    """Some files name both sides in every row, as the account's owner and the other one."""
    header = "Buchungsdatum;Betrag;Auftraggebername;Empfängername;Zahlungsgrund"
    lines = [
        "12.11.2026;-30,60;Eva Maier;Pfandleihe Kogler;Rate 4",
        "13.11.2026;1830,60;Tischlerei Ebner;Eva Maier;Lohn",
    ]
    assert [row.payee for row in read("\n".join((header, *lines))).rows] == ["Pfandleihe Kogler", "Tischlerei Ebner"]


@pytest.mark.parametrize("heading", ["Buchungs-Details", "Buchungs Details", "Sonstiger Text"])
def test_text_under_a_heading_in_another_spelling_or_an_unknown_one_is_kept(heading):
    lines = [f"0{day}.06.2026;;-20,00;BANKOMAT BEHEBUNG 0{day}.06. GRAZ" for day in range(1, 6)]
    rows = read(
        "\n".join([f"Buchungsdatum;Partnername;Betrag;{heading}", "06.06.2026;Lena;-50,00;TASCHENGELD ENKERL", *lines])
    ).rows
    told = [(row.description, row.memo) for row in rows]
    assert told[0] == ("Lena", "TASCHENGELD ENKERL")
    assert {description for description, _ in told[1:]} == {f"BANKOMAT BEHEBUNG 0{day}.06. GRAZ" for day in range(1, 6)}


def test_a_kind_that_tells_names_describes_a_row_where_the_description_hardly_does():
    lines = [
        f'"0{day}.06.2026";"Einkauf TWINT: Kiosk {name} Zürich";"5.00";"";""' for day, name in enumerate("ABCDEFG", 1)
    ]
    rows = read("\n".join(['"Datum";"Buchungstext";"Belastung CHF";"Gutschrift CHF";"Details"', *lines])).rows
    assert [row.description for row in rows] == [f"Einkauf TWINT: Kiosk {name} Zürich" for name in "ABCDEFG"]


@pytest.mark.parametrize(
    "header",
    [
        "Date opé.;Date val.;Libellé;Débit;Crédit",
        "Buch.-Datum;Valuta;Text;Soll;Haben",
        "Transact. date;Value date;Descr.;Deb.;Cred.",
        "F. operac.;F. valor;Concep.;Cargo;Abono",
    ],
)
def test_a_shortened_name_of_a_column_means_what_it_is_short_for(header):
    """The day is that of booking, not the value's, which stands as well."""
    text = f"{header}\n13.10.2025;15.10.2025;Shop;5,00;\n14.10.2025;14.10.2025;Wages;;9,00\n"
    statement = read_statement("bank.csv", text.encode())
    assert [(str(row.booked_on), row.description, str(row.amount)) for row in statement.rows] == [
        ("2025-10-13", "Shop", "-5.00"),
        ("2025-10-14", "Wages", "9.00"),
    ]


def test_a_shortened_name_that_may_mean_several_things_means_none():
    assert header_meanings("Val.") == header_meanings("Zzzq.") == ()


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("blank", ["", "0"])
def test_large_amounts_without_decimals_are_amounts_where_a_balance_runs_on_by_them(direction, blank):
    """Names that are not known, and numbers as long as those of cheques: only the balance tells."""
    moved = [
        ("A", "2500000", blank),
        ("B", blank, "1250000"),
        ("C", blank, "40000"),
        ("D", "900", blank),
        ("E", blank, "75000"),
    ]
    balances = ["12500000", "11250000", "11210000", "11210900", "11135900"]
    rows = [
        f"2026-10-{day},Foo {name},8833{day}1,{into},{out},{after}"
        for day, ((name, into, out), after) in enumerate(zip(moved, balances, strict=True), start=11)
    ]
    text = "\n".join(["Qa,Qb,Qc,Qd,Qe,Qf", *rows[::direction]])
    assert amounts(text) == ["2500000", "-1250000", "-40000", "900", "-75000"][::direction]


def test_long_numbers_that_no_balance_runs_on_by_are_no_amounts():
    text = "Qa,Qb,Qc,Qd\n2026-10-11,Foo,8833110,-5.00\n2026-10-12,Bar,1000,-6.00\n2026-10-13,Baz,77120011,9.00\n"
    assert amounts(text) == ["-5.00", "-6.00", "9.00"]


CONTINUED = """Account;0123
Date;Details;Debit;Credit
13.10.2025;Card payment;5,00;
;Card: xxxx 1234;;
;Merchant: CORNER SHOP;;
14.10.2025;Transfer;;9,00
;Payer: Ann Smith;;
;Text: rent;;
15.10.2025;Fee;1,00;
16.10.2025;Card payment;7,00;
;Merchant: BAKERY;;
;Closing balance;;100,00
;Jane Doe, manager;;
;Bank plc;;
;Registered in Utopia;;
"""


def test_a_transaction_goes_on_over_the_lines_below_it():
    rows = read(CONTINUED).rows
    assert [(row.description, row.payee, str(row.amount)) for row in rows] == [
        ("Card payment", "CORNER SHOP", "-5.00"), ("Transfer", "Ann Smith", "9.00"), ("Fee", "", "-1.00"),
        ("Card payment", "BAKERY", "-7.00"),
    ]  # fmt: skip
    assert [row.memo for row in rows] == [
        "Card: xxxx 1234; Merchant: CORNER SHOP", "Payer: Ann Smith; Text: rent", "", "Merchant: BAKERY",
    ]  # fmt: skip
    assert [row for row, _ in reasons(CONTINUED)] == [12, 15]


def test_a_transaction_is_described_alike_however_many_of_its_file_go_on():
    """By its description a row is known again."""
    alone = "\n".join(CONTINUED.splitlines()[:5])
    assert [row.description for row in read(alone).rows] == ["Card payment"]


def test_lines_that_go_on_longer_than_a_line_may_be_are_left_out_by_name():
    text = CONTINUED.replace("Card: xxxx 1234", "Card: " + "x" * 9_900).replace("CORNER SHOP", "S" * 100)
    assert read(text).rows[0].memo == "Card: " + "x" * 9_900
    assert [row for row, _ in reasons(text)] == [5, 12, 15]


def test_lines_without_a_day_that_few_rows_have_are_left_out_by_name():
    lines = [line for line in CONTINUED.splitlines() if not line.startswith(";")]
    text = "\n".join([*lines, ";Jane Doe, manager;;"])
    assert amounts(text) == ["-5.00", "9.00", "-1.00", "-7.00"]
    assert [row for row, _ in reasons(text)] == [7]


def test_the_layout_of_such_a_table_can_be_said():
    """A person sees the columns of the file, and none that were added to them."""
    table = read(CONTINUED).table
    assert table is not None
    assert table.layout.header == ("Date", "Details", "Debit", "Credit")
    again = read_statement("x.csv", CONTINUED.encode(), Hints(layouts=(complete(table),)))
    assert [row.description for row in again.rows] == ["Card payment", "Transfer", "Fee", "Card payment"]


def test_a_sum_at_the_end_is_named_for_what_it_is():
    text = (
        "Date,Text,Debit,Credit\n2025-10-13,Shop,5.00,\n2025-10-14,Wages,,9.00\n,TOTAL,5.00,9.00\n2025-10-15,TOTAL,,\n"
    )
    assert reasons(text) == [(4, "“TOTAL” is a sum of rows, not a transaction"), (5, "there is no amount")]


def test_a_row_that_only_states_a_balance_leaves_the_columns_of_amounts_what_they_are():
    text = (
        "Qa,Qb,Qc,Qd,Qe\n2026-10-10,Before,,,1000.00\n2026-10-11,Foo,5.00,,995.00\n2026-10-12,Bar,,9.00,1004.00\n"
        "2026-10-13,Baz,4.00,,1000.00\n2026-10-14,Qux,1.00,,999.00\n"
    )
    assert amounts(text) == ["-5.00", "9.00", "-4.00", "-1.00"]
    assert reasons(text) == [(2, "there is no amount")]


@pytest.mark.parametrize("remark", ["", "nice", "by far the longest of all texts"])
def test_a_row_is_described_by_the_first_column_of_texts_where_no_name_is_known(remark):
    lines = (f"2026-10-11,Food,A1,Corner shop,{remark},-5.00", f"2026-10-12,Food,B2,Bakery,{remark},-4.00")
    text = "\n".join(("Date,Category,Zuq,Qil,Wux,Amount", *lines))
    assert [row.description for row in read(text).rows] == ["Corner shop", "Bakery"]


def test_a_column_of_currencies_describes_no_row():
    rows = read("Date,Amount,Xyz\n2026-10-11,-5.00,EUR\n2026-10-12,-4.00,EUR\n").rows
    assert [(row.description, row.currency) for row in rows] == [("", "EUR"), ("", "EUR")]


def test_two_marks_that_nobody_knows_are_told_by_what_their_rows_say():
    rows = ["SALARY ACME LTD,2100.00,@", "ACCOUNT FEE,41.00,#", "Refund from IKEA,20.00,@", "Ybbsky,7.00,#"]
    text = "Date,Description,Amount,Direction\n" + "".join(f"2025-10-13,{row}\n" for row in rows)
    assert amounts(text) == ["2100.00", "-41.00", "20.00", "-7.00"]


@pytest.mark.parametrize(
    ("header", "lines", "expected"),
    [
        # in English a deposit and a purchase, in Croatian what is owed and what is claimed
        ("D/P", ["DIRECT DEPOSIT ACME,500.00,D", "KROGER,60.00,P"], None),
        ("D/P", ["Ybbsky,500.00,D", "Zorn,60.00,P"], None),
        ("Duguje/Potrazuje", ["DIRECT DEPOSIT ACME,500.00,D", "KROGER,60.00,P"], None),
        ("D/P", ["Ybbsky,500.00,D", "Zorn,60.00,P", "Blorb,20.00,W"], None),
        ("O/P", ["SALARY ACME LTD,500.00,O", "KROGER,60.00,P"], None),
        ("T/J", ["SALARY ACME LTD,500.00,T", "KROGER,60.00,J"], None),
        ("MD/D", ["SALARY ACME LTD,500.00,MD", "ACCOUNT FEE,60.00,D"], None),
        ("B/A", ["SALARY ACME LTD,500.00,B", "ACCOUNT FEE,60.00,A"], None),
        ("Direction", ["SALARY ACME LTD,500.00,A", "ACCOUNT FEE,60.00,E"], None),
        ("D/P", ["SALARY ACME LTD,500.00,D", "KROGER,60.00,P", "ACCOUNT FEE,2.00,P"], ["500.00", "-60.00", "-2.00"]),
        ("D/P", ["SALARY ACME LTD,500.00,P", "KROGER,60.00,D", "ACCOUNT FEE,2.00,D"], ["500.00", "-60.00", "-2.00"]),
        ("T/J", ["SALARY ACME LTD,500.00,J", "Ybbsky,60.00,T"], ["500.00", "-60.00"]),
    ],
)
def test_letters_of_several_meanings_never_go_against_what_their_rows_say(header, lines, expected):
    text = f"Date,Description,Amount,{header}\n" + "".join(f"2025-10-13,{line}\n" for line in lines)
    if expected is None:
        with pytest.raises(AmbiguousDirection):
            read(text)
    else:
        assert amounts(text) == expected


@pytest.mark.parametrize("last", ["Refund from IKEA,20.00,#", "Ybbsky,20.00,@"])
def test_two_marks_are_asked_about_whose_rows_say_both_or_too_little(last):
    text = "Date,Description,Amount,Direction\n" + "".join(
        f"2025-10-13,{row}\n" for row in ["SALARY ACME LTD,2100.00,@", "ACCOUNT FEE,41.00,#", last]
    )
    with pytest.raises(AmbiguousDirection):
        read(text)
