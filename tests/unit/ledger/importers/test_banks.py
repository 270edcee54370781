"""One made-up file in the manner of each bank: which column is what, and which way the money went."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from ledger.direction import Told
from ledger.importers import Hints, read_statement
from ledger.importers.currencies import settle_currency
from ledger.transactions import AccountType

MADE_UP = Path(__file__).parents[3] / "data" / "bank" / "made_up"


def read(bank, **hints):
    return read_statement(f"{bank}.csv", (MADE_UP / f"{bank}.csv").read_bytes(), Hints(**hints))


def brief(statement):
    return [f"{row.booked_on} {row.amount} {row.description}" for row in statement.rows]


#: What each file holds: the dates, signed amounts and descriptions of its rows.
EXPECTED = {
    "mint": [
        "2025-10-05 -4.50 Blue Bottle",
        "2025-10-13 2500.00 Paycheck",
    ],
    "chase_card": [
        "2025-02-01 -52.17 TRADER JOE'S #552",
        "2025-02-10 300.00 Payment Thank You - Web",
    ],
    "chase_checking": [
        "2025-03-04 -120.33 PG&E WEB ONLINE",
        "2025-03-05 1500.00 PAYROLL",
        "2025-03-06 -800.00 CHECK 1024",
    ],
    "american_express": [
        "2025-10-29 -23.10 UBER TRIP",
        "2025-10-30 -80.00 WHOLE FOODS",
        "2025-10-31 103.10 ONLINE PAYMENT - THANK YOU",
    ],
    "capital_one": [
        "2025-10-02 -15.49 NETFLIX.COM",
        "2025-10-03 200.00 CAPITAL ONE MOBILE PYMT",
    ],
    "bank_of_america": [
        "2025-01-15 2000.00 ACME DES:PAYROLL",
        "2025-01-20 -60.00 SHELL OIL 123",
    ],
    "wells_fargo_no_header": [
        "2025-01-02 -12.00 PURCHASE AUTHORIZED ON 12/31 CAFE",
        "2025-01-15 900.00 ACME PAYROLL",
        "2025-01-16 -75.10 CHECK",
    ],
    "citi": [
        "2025-10-21 -100.25 COSTCO WHSE #1",
        "2025-10-22 100.25 AUTOPAY PAYMENT",
    ],
    "apple_card": [
        "2025-10-14 -31.20 TARGET 00012 DENVER",
        "2025-10-15 31.20 ACH DEPOSIT INTERNET",
    ],
    "discover": [
        "2025-10-13 -20.00 SAFEWAY #1",
        "2025-10-14 -5.00 CVS",
        "2025-10-20 25.00 INTERNET PAYMENT - THANK YOU",
    ],
    "revolut": [
        "2025-09-02 -20.00 Tesco",
        "2025-09-03 -51.50 Cash at ATM",
    ],
    "n26": [
        "2025-10-01 -12.34 REWE",
        "2025-10-02 -9.10 Shop NYC",
    ],
    "ing_netherlands": [
        "2025-10-03 -23.45 Albert Heijn 1411",
        "2025-10-05 2500.00 WERKGEVER BV",
    ],
    "sparkasse_csv_camt": [
        "2025-10-02 -85.00 Stadtwerke",
        "2025-10-01 3100.50 Firma GmbH",
    ],
    "comdirect": [
        "2025-10-02 -17.20 Auftraggeber: Netto Buchungstext: Netto Marken",
        "2025-10-01 50.00 Auftraggeber: Oma Buchungstext: Taschengeld",
    ],
    "monzo": [
        "2025-10-03 -3.50 Pret",
        "2025-10-14 20.00 Bob",
    ],
    "starling": [
        "2025-10-03 -9.80 Tesco",
        "2025-10-04 300.00 Ann",
    ],
    "paypal": [
        "2025-10-13 -9.99 Spotify",
        "2025-10-14 96.80 Carl",
    ],
    "wise": [
        "2025-10-13 -12.00 Card transaction of 12.00 EUR",
        "2025-10-14 500.00 Acme Ltd",
    ],
    "venmo": [
        "2025-10-01 -12.00 Bob",
        "2025-10-02 700.00 Carl",
    ],
    "three_columns": [
        "2025-10-31 -13.13 TRICK OR TREAT",
        "2025-11-01 1.00 REFUND",
    ],
    "lloyds": [
        "2025-10-13 -10.00 SAINSBURYS",
        "2025-10-12 100.00 SMITH A",
    ],
    "hsbc_no_header": [
        "2025-10-13 -1012.00 TESCO STORES",
        "2025-10-14 2000.00 WAGES",
    ],
    "credit_agricole": [
        "2025-10-03 -1012.40 PAIEMENT PAR CARTE CARREFOUR",
        "2025-10-04 2500.00 VIREMENT SALAIRE",
    ],
    "bbva": [
        "2025-10-04 -45.30 Mercadona",
        "2025-10-05 1800.00 Nomina",
    ],
    "intesa": [
        "2025-10-03 -33.10 ESSELUNGA",
        "2025-10-04 1500.00 STIPENDIO",
    ],
    "caixa": [
        "2025-10-03 -12.00 PINGO DOCE",
        "2025-10-04 900.00 ORDENADO",
    ],
    "swedbank": [
        "2025-10-03 -310.50 ICA KVANTUM",
    ],
    "danske_bank": [
        "2025-10-03 -120.00 Netto",
    ],
    "dnb": [
        "2025-10-03 -99.00 Rema 1000",
        "2025-10-04 30000.00 Lønn",
    ],
    "mbank": [
        "2025-10-03 -1023.40 BIEDRONKA",
    ],
    "ubs": [
        "2025-10-03 -1250.50 Miete",
    ],
    "unknown_language": [
        "2025-10-13 -7.20 Rimi",
        "2025-10-14 1200.00 Alga",
    ],
    "dnb_reserved": [
        "2026-10-23 -45.03 Varekjøp VINMONOPOLET",
        "2026-10-22 -18.88 Varekjøp REMA 1000 GRUNERLOKKA",
    ],
    "banorte": [
        "2026-09-02 -68.68 CFE ENERGIA",
        "2026-09-02 -68.68 CFE ENERGIA",
        "2026-09-17 40.00 SPEI RECIBIDO DE ANA RUIZ",
    ],
    "our_own_export": [
        "2025-10-03 -4.50 SQ *BLUE BOTTLE 1",
        "2025-10-04 2500.00 PAYROLL",
    ],
}


@pytest.mark.parametrize("bank", EXPECTED)
def test_the_rows_of_each_bank(bank):
    assert brief(read(bank)) == EXPECTED[bank]


#: Records that are no transactions, with the line where they begin.
REJECTED = {
    "bank_of_america": [(8, "there is no amount")],
    "citi": [(4, "the payment is marked “Pending”, so it is not booked")],
    "revolut": [
        (4, "the payment is marked “REVERTED”, so it is not booked"),
        (5, "the payment is marked “PENDING”, so it is not booked"),
    ],
    "sparkasse_csv_camt": [(4, "the payment is marked “Umsatz vorgemerkt”, so it is not booked")],
    "comdirect": [(8, "there is no amount")],
    "dnb_reserved": [(line, "the payment is marked “reservert transaksjon”, so it is not booked") for line in (2, 3)],
}


@pytest.mark.parametrize("bank", EXPECTED)
def test_what_is_no_transaction_is_rejected_with_its_line_and_nothing_else_is(bank):
    assert [(row.row, row.reason) for row in read(bank).rejected] == REJECTED.get(bank, [])


def test_every_field_of_a_mint_row():
    row = read("mint").rows[0]
    assert (row.number, row.booked_on, row.amount) == (2, date(2025, 10, 5), Decimal("-4.50"))
    assert (row.description, row.memo, row.payee) == ("Blue Bottle", "SQ *BLUE BOTTLE 123", "")
    assert (row.category, row.type_hint, row.account) == ("Coffee Shops", "debit", "Visa")
    assert (row.labels, row.notes, row.external_id, row.currency) == ("work", "with Ann", None, None)


def test_our_own_export_comes_back_whole():
    statement = read("our_own_export")
    row = statement.rows[0]
    assert (row.category, row.type_hint, row.payee, row.currency) == ("Coffee", "purchase", "Blue Bottle Coffee", "USD")
    assert (row.account, row.notes, row.labels, row.external_id) == ("Visa 1", "nice", "work", "t-17")
    assert [account.type for account in statement.accounts] == [AccountType.CREDIT_CARD, AccountType.CHECKING]


@pytest.mark.parametrize(
    ("bank", "currency"),
    [
        ("n26", "EUR"),
        ("ing_netherlands", "EUR"),
        ("monzo", "GBP"),
        ("starling", "GBP"),
        ("venmo", "USD"),
        ("apple_card", "USD"),
        ("comdirect", "EUR"),
        ("bbva", "EUR"),
        ("swedbank", "SEK"),
        ("mbank", "PLN"),
        ("ubs", "CHF"),
        ("banorte", "$"),
        ("three_columns", None),
    ],
)
def test_the_currency_comes_from_header_cell_or_preamble(bank, currency):
    statement = read(bank)
    assert {settle_currency(row.currency, statement.home.currency) for row in statement.rows} == {currency}


@pytest.mark.parametrize(
    ("bank", "ref"),
    [
        ("ing_netherlands", "NL01INGB0001234567"),
        ("sparkasse_csv_camt", "DE00500500000000000001"),
        ("lloyds", "12345678"),
        ("swedbank", "9044410001"),
        ("ubs", "CH1200234234012345640"),
        ("n26", "Main Account"),
        ("starling", None),
        ("capital_one", "1234"),
        ("mbank", "eKonto 1234"),
    ],
)
def test_the_account_is_the_persons_own(bank, ref):
    statement = read(bank)
    assert {row.account for row in statement.rows} == {ref}
    assert [account.ref for account in statement.accounts] == ([ref] if ref else [])


@pytest.mark.parametrize(
    ("bank", "ids"),
    [
        ("monzo", ["tx_0001", "tx_0002"]),
        ("paypal", ["8XY00000000000001", "8XY00000000000002"]),
        ("wise", ["CARD-1", "TRANSFER-2"]),
        ("starling", [None, None]),
        ("chase_checking", [None, None, None]),
    ],
)
def test_only_an_identifier_is_taken_for_one(bank, ids):
    assert [row.external_id for row in read(bank).rows] == ids


def test_a_counter_that_every_file_starts_anew_is_no_identifier():
    data = b"Id,Date,Description,Amount\n1,2025-10-01,A,-1.00\n2,2025-10-02,B,-2.00\n"
    statement = read_statement("counted.csv", data)
    assert [row.external_id for row in statement.rows] == [None, None]


def test_hints_fill_what_the_file_leaves_open_and_no_more():
    statement = read("three_columns", account="Checking", currency="CAD")
    assert {(row.account, row.currency) for row in statement.rows} == {("Checking", "CAD")}
    assert statement.accounts[0].type is AccountType.CHECKING
    statement = read("ing_netherlands", account="Betaalrekening", currency="USD")
    assert {(row.account, row.currency) for row in statement.rows} == {("NL01INGB0001234567", "EUR")}
    assert [account.name for account in statement.accounts] == ["Betaalrekening"]


def test_what_an_italian_bank_has_not_booked_yet_is_left_out():
    data = (
        b"Data;Operazione;Contabilizzazione;Valuta;Importo\n13/04/2026;Pizzeria;NON CONTABILIZZATO;EUR;-31,50\n"
        b"12/04/2026;Farmacia;CONTABILIZZATO;EUR;-3,14\n"
    )
    statement = read_statement("lista.csv", data, Hints(direction=Told.AS_WRITTEN))
    assert [row.amount for row in statement.rows] == [Decimal("-3.14")]
    assert [row.reason for row in statement.rejected] == [
        "the payment is marked “NON CONTABILIZZATO”, so it is not booked"
    ]


def test_the_parts_of_a_swiss_batch_are_no_column_of_amounts():
    data = (
        "Abschlussdatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Beschreibung1\n"
        "2026-03-20;CHF;-60.00;;;940.00;Sammelauftrag\n;;;;-20.00;;Erster\n;;;;-40.00;;Zweiter\n2026-03-21;CHF;;10.00;;950.00;Nico\n"
    ).encode()
    statement = read_statement("ubs.csv", data)
    assert [row.amount for row in statement.rows] == [Decimal("-60.00"), Decimal("10.00")]


def test_the_booking_day_goes_before_the_day_of_the_trade():
    text = "Abschlussdatum;Buchungsdatum;Valutadatum;Belastung;Gutschrift;Beschreibung1\n2026-10-25;2026-10-27;2026-10-25;-5.00;;Migros\n"
    assert [row.booked_on for row in read_statement("x.csv", text.encode()).rows] == [date(2026, 10, 27)]


@pytest.mark.parametrize(
    ("header", "row", "name"),
    [
        (
            "Data;Entrate;Uscite;Descrizione;Descrizione_Completa;Stato",
            "18/11/2026;;-1,50;Pagamento;CAFFE;Contabilizzato",
            "FinecoBank",
        ),
        ("Date;Libellé;Débit euros;Crédit euros;", "18/11/2026;LECLERC;1,50;;", "Crédit Agricole"),
        ("date,title,amount", "2026-10-14,Pagamento recebido,-18.90", "Nubank"),
    ],
)
def test_a_bank_is_known_by_its_header_where_its_file_names_no_account(header, row, name):
    statement = read_statement("movements.csv", f"{header}\n{row}\n".encode(), Hints(direction=Told.SPENT))
    assert statement.unnamed.name == name


def test_what_stands_for_the_card_is_no_payer():
    text = """Buchungsdatum;Wertstellung;Status;Zahlungspflichtige*r;Zahlungsempfänger*in;Verwendungszweck;Umsatztyp;IBAN;Betrag (€)
08.09.26;08.09.26;Gebucht;ISSUER;AMZN Mktp DE;VISA Debitkartenumsatz;Eingang;DE96;29,95
09.09.26;09.09.26;Gebucht;ISSUER;EDEKA Nord;VISA Debitkartenumsatz;Ausgang;DE96;-5,00
"""
    rows = read_statement("x.csv", text.encode()).rows
    assert [(row.description, row.payee) for row in rows] == [("AMZN Mktp DE",) * 2, ("EDEKA Nord",) * 2]


def test_the_fuller_of_two_descriptions_names_the_shop():
    text = "Data;Entrate;Uscite;Descrizione;Descrizione_Completa;Stato\n18/11/2026;;-1,50;Pagamento Visa Debit;CAFFE GILLI;Contabilizzato\n"
    (row,) = read_statement("x.csv", text.encode()).rows
    assert (row.description, row.memo) == ("CAFFE GILLI", "Pagamento Visa Debit")
    text = "Data;Operazione;Dettagli;Valuta;Importo\n18/11/2026;Esselunga;PAGAMENTO POS EFFETTUATO IL 16/09;EUR;-1,50\n"
    (row,) = read_statement("x.csv", text.encode()).rows
    assert (row.description, row.memo) == ("Esselunga", "PAGAMENTO POS EFFETTUATO IL 16/09")
