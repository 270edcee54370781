"""One made-up workbook in the manner of each bank, written cell by cell, against a list of its rows made apart from it."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from ledger.importers import Hints, read_statement
from tests.support.workbooks import written

HOUR = dt.datetime.fromisoformat("2026-10-03T14:22:10")


def day(number, month=10):
    return dt.date(2026, month, number)


#: The sheets of each file, by name, as rows of cells; None is an empty cell.
BOOKS = {
    "amex": {
        "Transaction Details": [
            ["Transaction Details"],
            ["Prepared for", None],
            ["ANN EXAMPLE", None],
            ["Account Number", None],
            ["XXXX-XXXXXX-01001", None],
            [],
            ["Date", "Description", "Amount", "Extended Details", "Appears On Your Statement As", "Category"],
            ["10/28/2026", "AMAZON MARKETPLACE", 31.07, "ref 1", "AMZN MKTP US", "Merchandise"],
            ["10/27/2026", "ONLINE PAYMENT - THANK YOU", -250, "", "ONLINE PAYMENT", ""],
            ["10/04/2026", "WHOLE FOODS 103", 80.5, "ref 2", "WHOLEFDS", "Groceries"],
            ["10/03/2026", "UBER TRIP", 23.1, "ref 3", "UBER", "Transportation"],
        ]
    },
    "chase": {
        "Sheet1": [
            ["Transaction Date", "Post Date", "Description", "Category", "Type", "Amount", "Memo"],
            [day(2), day(3), "TRADER JOE'S #552", "Groceries", "Sale", -52.17, None],
            [day(9), day(10), "Payment Thank You-Mobile", None, "Payment", 300, None],
            [day(11), day(12), "SHELL OIL 1234", "Gas", "Sale", -40.05, None],
            [day(12), day(13), "TARGET RETURN", "Shopping", "Return", 12, None],
        ]
    },
    "dkb": {
        "Umsatzliste": [
            ["Girokonto", "DE89370400440532013000"],
            ["Zeitraum:", "01.10.2026 - 31.10.2026"],
            ["Kontostand vom 31.10.2026:", "1.234,56 EUR"],
            [],
            [
                "Buchungsdatum",
                "Wertstellung",
                "Status",
                "Zahlungspflichtige*r",
                "Zahlungsempfänger*in",
                "Verwendungszweck",
                "Umsatztyp",
                "IBAN",
                "Betrag (€)",
                "Gläubiger-ID",
            ],
            [day(30), day(30), "Gebucht", "Ann Beispiel", "REWE Markt", "Einkauf", "Ausgang", "DE02", -12.1, None],
            [day(28), day(28), "Gebucht", "Firma GmbH", "Ann Beispiel", "Lohn", "Eingang", "DE03", 2500, None],
            [day(2), day(2), "Vorgemerkt", "Ann Beispiel", "Netflix", "Abo", "Ausgang", "DE04", -13.99, None],
            [day(1), day(1), "Gebucht", "Ann Beispiel", "Vermieter", "Miete", "Ausgang", "DE05", -850.0, None],
        ]
    },
    "sparkasse": {
        "Umsaetze": [
            [
                "Auftragskonto",
                "Buchungstag",
                "Valutadatum",
                "Buchungstext",
                "Verwendungszweck",
                "Beguenstigter/Zahlungspflichtiger",
                "Kontonummer/IBAN",
                "BIC (SWIFT-Code)",
                "Betrag",
                "Waehrung",
                "Info",
            ],
            [
                "DE75512108001245126199",
                "02.10.26",
                "02.10.26",
                "FOLGELASTSCHRIFT",
                "Abschlag Strom",
                "Stadtwerke",
                "DE11",
                "X",
                "-85,00",
                "EUR",
                "Umsatz gebucht",
            ],
            [
                "DE75512108001245126199",
                "01.10.26",
                "01.10.26",
                "LOHN GEHALT",
                "Lohn 09/26",
                "Firma GmbH",
                "DE12",
                "X",
                "3.100,50",
                "EUR",
                "Umsatz gebucht",
            ],
            [
                "DE75512108001245126199",
                "01.10.26",
                "01.10.26",
                "KARTENZAHLUNG",
                "Danke",
                "Edeka",
                "DE13",
                "X",
                "-1.234,5",
                "EUR",
                "Umsatz vorgemerkt und nicht gebucht",
            ],
        ]
    },
    "bbva": {
        "Informe BBVA": [
            [],
            [None, "Últimos movimientos"],
            [],
            [
                None,
                "F.Valor",
                "Fecha",
                "Concepto",
                "Movimiento",
                "Importe",
                "Divisa",
                "Disponible",
                "Divisa",
                "Observaciones",
            ],
            [None, "05/10/2026", "05/10/2026", "Mercadona", "Pago con tarjeta", -45.3, "EUR", 954.7, "EUR", "4940"],
            [None, "04/10/2026", "04/10/2026", "Transferencia recibida", "Nómina", 1000, "EUR", 1000, "EUR", None],
            [None, "03/10/2026", "02/10/2026", "Iberdrola", "Adeudo", -60.25, "EUR", 0, "EUR", None],
        ]
    },
    "ing": {
        "Movimientos": [
            ["Movimientos de la Cuenta"],
            ["Número de cuenta:", "ES9121000418450200051332"],
            [],
            [
                "F. VALOR",
                "CATEGORÍA",
                "SUBCATEGORÍA",
                "DESCRIPCIÓN",
                "COMENTARIO",
                "IMAGEN",
                "IMPORTE (€)",
                "SALDO (€)",
            ],
            [day(20), "Alimentación", "Supermercados", "Pago en MERCADONA", None, "No", -20.4, 579.6],
            [day(19), "Nómina", "Salario", "Nomina recibida ACME", None, "No", 600, 600],
            [day(18), "Hogar", "Luz", "Recibo ENDESA", None, "No", -33.33, 0],
        ]
    },
    "nordea": {
        "Kontohändelser": [
            ["Bokföringsdag", "Belopp", "Avsändare", "Mottagare", "Namn", "Rubrik", "Saldo", "Valuta"],
            ["2026/10/21", "-129,00", "1234", None, None, "Kortköp 261020 ICA MAXI", "1 871,00", "SEK"],
            ["2026/10/20", "2 000,00", None, None, "ACME AB", "Lön", "2 000,00", "SEK"],
        ]
    },
    "revolut": {
        "Sheet1": [
            [
                "Type",
                "Product",
                "Started Date",
                "Completed Date",
                "Description",
                "Amount",
                "Fee",
                "Currency",
                "State",
                "Balance",
            ],
            ["CARD_PAYMENT", "Current", HOUR, HOUR + dt.timedelta(days=1), "Tesco", -20.0, 0, "GBP", "COMPLETED", 80.0],
            ["ATM", "Current", HOUR, HOUR + dt.timedelta(days=2), "Cash at ATM", -50, 1.5, "GBP", "COMPLETED", 28.5],
            [
                "TOPUP",
                "Current",
                HOUR,
                HOUR + dt.timedelta(days=3),
                "Payment from Ann",
                100,
                0,
                "GBP",
                "COMPLETED",
                128.5,
            ],
            ["CARD_PAYMENT", "Current", HOUR, None, "Amazon", -9.99, 0, "GBP", "REVERTED", None],
        ]
    },
    "paypal": {
        "Transactions": [
            ["Date", "Time", "TimeZone", "Name", "Type", "Status", "Currency", "Gross", "Fee", "Net", "Transaction ID"],
            [
                day(13),
                dt.time(8, 30),
                "PDT",
                "Spotify",
                "Subscription Payment",
                "Completed",
                "USD",
                -9.99,
                0,
                -9.99,
                "7AB12345CD678901E",
            ],
            [
                day(14),
                dt.time(9, 0),
                "PDT",
                "Carl",
                "Mobile Payment",
                "Completed",
                "USD",
                100,
                -3.2,
                96.8,
                "8AB12345CD678901E",
            ],
            [
                day(15),
                dt.time(9, 5),
                "PDT",
                "Etsy",
                "Express Checkout Payment",
                "Pending",
                "USD",
                -5,
                0,
                -5,
                "9AB12345CD678901E",
            ],
        ]
    },
    "postbank": {
        "Umsätze": [
            ["Umsätze"],
            ["Konto", "Filiale", "IBAN", "Währung"],
            ["Giro direkt", "100", "DE02100100100006820101", "EUR"],
            [],
            ["1.10.2026 - 31.10.2026"],
            ["Letzter Kontostand", None, None, None, "2.190,01", "EUR"],
            [],
            [
                "Buchungstag",
                "Wert",
                "Umsatzart",
                "Begünstigter / Auftraggeber",
                "Verwendungszweck",
                "IBAN / Kontonummer",
                "BIC",
                "Kundenreferenz",
                "Mandatsreferenz",
                "Gläubiger ID",
                "Betrag",
                "Soll",
                "Haben",
                "Währung",
            ],
            [
                day(6),
                day(6),
                "SEPA Lastschrift",
                "Telekom",
                "Rechnung",
                "DE21",
                "Y",
                None,
                None,
                None,
                -39.95,
                -39.95,
                None,
                "EUR",
            ],
            [
                day(5),
                day(5),
                "SEPA Überweisung",
                "Arbeitgeber AG",
                "Gehalt",
                "DE22",
                "Y",
                None,
                None,
                None,
                2230,
                None,
                2230,
                "EUR",
            ],
        ]
    },
    "kantonalbank": {
        "Kontoauszug": [
            ["Kontoauszug"],
            ["IBAN", "CH9300762011623852957"],
            [],
            [
                "Datum",
                "Buchungstext",
                "ZKB-Referenz",
                "Referenznummer",
                "Belastung CHF",
                "Gutschrift CHF",
                "Valuta",
                "Saldo CHF",
            ],
            [day(23), "Einkauf ZKB Visa Debit Karte, Migros", "Z1", None, 41.05, None, day(23), 1958.95],
            [day(22), "Gutschrift Auftraggeber: Muster AG", "Z2", None, None, 2000.0, day(22), 2000],
            [day(21), "Belastung eBill: Krankenkasse", "Z3", None, 1234.5, None, day(21), 0],
        ]
    },
    "household": {
        "October": [
            ["Our household, October 2026"],
            [],
            ["Date", "What", "Who", "Category", "Amount"],
            [day(1), "Rent", "Ann", "Home", -900],
            [day(3), "Weekly shop", "Bob", "Groceries", -61.1],
            [day(4), "Refund for shoes", "Ann", "Clothes", 39.9],
            [],
            ["Total", None, None, None, -921.2],
        ],
        "Notes": [["Remember the gas bill"], ["Ask Bob"]],
    },
}

#: What each file says: day, amount and description of its rows, and how many are left out.
EXPECTED = {
    "amex": (
        ["10-28 -31.07 AMAZON MARKETPLACE", "10-27 250 ONLINE PAYMENT - THANK YOU", "10-04 -80.5 WHOLE FOODS 103",
         "10-03 -23.1 UBER TRIP"], [],
    ),
    "chase": (
        ["10-03 -52.17 TRADER JOE'S #552", "10-10 300 Payment Thank You-Mobile", "10-12 -40.05 SHELL OIL 1234",
         "10-13 12 TARGET RETURN"], [],
    ),
    "dkb": (["10-30 -12.1 REWE Markt", "10-28 2500 Firma GmbH", "10-01 -850 Vermieter"], [8]),
    "sparkasse": (["10-02 -85.00 Stadtwerke", "10-01 3100.50 Firma GmbH"], [4]),
    "bbva": (
        ["10-05 -45.3 Mercadona", "10-04 1000 Transferencia recibida", "10-02 -60.25 Iberdrola"], [],
    ),
    "ing": (
        ["10-20 -20.4 Pago en MERCADONA", "10-19 600 Nomina recibida ACME", "10-18 -33.33 Recibo ENDESA"], [],
    ),
    "nordea": (["10-21 -129.00 Kortköp 261020 ICA MAXI", "10-20 2000.00 Lön"], []),
    "revolut": (
        ["10-04 -20 Tesco", "10-05 -51.5 Cash at ATM", "10-06 100 Payment from Ann"], [5],
    ),
    "paypal": (["10-13 -9.99 Spotify", "10-14 96.8 Carl"], [4]),
    "postbank": (["10-06 -39.95 Telekom", "10-05 2230 Arbeitgeber AG"], []),
    "kantonalbank": (
        ["10-23 -41.05 Einkauf ZKB Visa Debit Karte, Migros", "10-22 2000 Gutschrift Auftraggeber: Muster AG",
         "10-21 -1234.5 Belastung eBill: Krankenkasse"], [],
    ),
    "household": (
        ["10-01 -900 Rent", "10-03 -61.1 Weekly shop", "10-04 39.9 Refund for shoes"], [8],
    ),
}  # fmt: skip


def brief(statement):
    return [f"{row.booked_on:%m-%d} {row.amount} {row.description}" for row in statement.rows]


@pytest.mark.parametrize("bank", BOOKS)
def test_a_bank_s_workbook_is_read_row_by_row(bank):
    rows, left_out = EXPECTED[bank]
    statement = read_statement(f"{bank}.xlsx", written(BOOKS[bank]), Hints())
    assert (brief(statement), [row.row for row in statement.rejected]) == (rows, left_out)
    assert statement.format == "xlsx"


@pytest.mark.parametrize(
    ("bank", "ref", "currency"),
    [
        ("dkb", "DE89370400440532013000", "EUR"),
        ("sparkasse", "DE75512108001245126199", "EUR"),
        ("ing", "ES9121000418450200051332", "EUR"),
        ("postbank", "DE02100100100006820101", "EUR"),
        ("kantonalbank", "CH9300762011623852957", "CHF"),
    ],
)
def test_the_account_above_the_table_is_found(bank, ref, currency):
    (account,) = read_statement("x.xlsx", written(BOOKS[bank])).accounts
    assert (account.ref, account.currency) == (ref, currency)


def test_a_cell_is_read_as_it_is_shown():
    cells = [12.1, 0.1 + 0.2, 100000.01 - 99999.99, -1234.0, 0.07 * 100]
    rows = [["Date", "Description", "Amount"], *([day(1), f"n{i}", -value] for i, value in enumerate(cells))]
    amounts = [row.amount for row in read_statement("x.xlsx", written({"A": rows})).rows]
    assert amounts == [Decimal(text) for text in ("-12.1", "-0.3", "-0.02", "1234", "-7")]
