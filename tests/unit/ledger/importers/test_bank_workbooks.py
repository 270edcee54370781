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
    "max": {
        "עסקאות במועד החיוב": [
            ["כל המשתמשים (1)"],
            ["7120-max executive"],
            ["10/2026"],
            [
                "תאריך עסקה",
                "שם בית העסק",
                "קטגוריה",
                "4 ספרות אחרונות של כרטיס האשראי",
                "סוג עסקה",
                "סכום חיוב",
                "מטבע חיוב",
                "סכום עסקה מקורי",
                "מטבע עסקה מקורי",
                "תאריך חיוב",
                "הערות",
            ],
            ["03-10-2026", "שופרסל דיל", "מזון וצריכה", "7120", "רגילה", 182.4, "₪", 182.4, "₪", "10-11-2026", ""],
            [
                "05-10-2026",
                "איקאה נתניה",
                "עיצוב הבית",
                "7120",
                "תשלומים",
                290,
                "₪",
                870,
                "₪",
                "10-11-2026",
                "תשלום 1 מתוך 3",
            ],
            ["07-10-2026", "איקאה נתניה", "עיצוב הבית", "7120", "רגילה", -120.5, "₪", -120.5, "₪", "10-11-2026", ""],
            [],
            ["סך הכל", "", "", "", "", 351.9],
        ],
        'עסקאות חו"ל ומט"ח': [
            ["כל המשתמשים (1)"],
            ["7120-max executive"],
            ["10/2026"],
            [
                "תאריך עסקה",
                "שם בית העסק",
                "קטגוריה",
                "4 ספרות אחרונות של כרטיס האשראי",
                "סוג עסקה",
                "סכום חיוב",
                "מטבע חיוב",
                "סכום עסקה מקורי",
                "מטבע עסקה מקורי",
                "תאריך חיוב",
                "הערות",
            ],
            ["14-10-2026", "OPENAI *CHATGPT", "שונות", "7120", "הוראת קבע", 74.5, "₪", 20, "$", "16-10-2026", ""],
        ],
        "עסקאות שאושרו וטרם נקלטו": [
            [
                "תאריך עסקה",
                "שם בית העסק",
                "קטגוריה",
                "4 ספרות אחרונות של כרטיס האשראי",
                "סוג עסקה",
                "סכום חיוב",
                "מטבע חיוב",
                "סכום עסקה מקורי",
                "מטבע עסקה מקורי",
                "תאריך חיוב",
                "הערות",
            ],
            ["20-10-2026", "פז", "תחבורה", "7120", "רגילה", 200, "₪", 200, "₪", "", ""],
        ],
    },
    "isracard": {
        "פירוט עסקאות": [
            ["פירוט עסקאות"],
            ["מסטרקארד - 4321"],
            ["מועד חיוב 10/11/2026"],
            [
                "תאריך רכישה",
                "שם בית עסק",
                "סכום עסקה",
                "מטבע מקור",
                "סכום חיוב",
                "מטבע לחיוב",
                "מס' שובר",
                "פירוט נוסף",
            ],
            ["03/10/2026", "רמי לוי", 250.5, "₪", 250.5, "₪", "100234567", ""],
            ["06/10/2026", "זארה", -99, "₪", -99, "₪", "100234569", "זיכוי"],
            ["", 'סך חיוב בש"ח:', "", "", 151.5, "₪"],
            [],
            ['עסקאות בחו"ל'],
            ["תאריך רכישה", "תאריך חיוב", "שם בית עסק", "סכום מקורי", "מטבע מקור", "סכום חיוב", "מטבע לחיוב"],
            ["09/10/2026", "11/10/2026", "NETFLIX.COM", 12.99, "$", 48.6, "₪"],
            ["09/10/2026", "11/10/2026", "NETFLIX.COM", 12.99, "$", 48.6, "₪"],
            ["", "11/10/2026", "TOTAL FOR DATE", "", "", 97.2, "₪"],
        ]
    },
    "cal": {
        "Sheet1": [
            ["פירוט עסקאות לכרטיס ויזה 1234"],
            ["עסקאות לחיוב ב-10/11/2026: 145.90 ₪"],
            ["תאריך\nעסקה", "שם בית עסק", "סכום\nעסקה", "סכום\nחיוב", "סוג\nעסקה", "ענף", "הערות"],
            ["3/10/26", "סופר פארם", "₪ 45.90", "₪ 45.90", "רגילה", "פארמה", ""],
            ["4/10/26", "פז גז", "$ 30.00", "₪ 100.00", "הוראת קבע", "אנרגיה", ""],
        ]
    },
    "leumi": {
        "Sheet1": [
            ['חשבון עו"ש 901-123456/78'],
            ["תאריך", "תאריך ערך", "תיאור", "אסמכתא", "בחובה", "בזכות", 'היתרה בש"ח', "הערה"],
            ["04/10/26", "04/10/26", "משכורת", "777", "", 12000, 15000, ""],
            ["02/10/26", "02/10/26", "ישראכרט", "12", 2300, "", 3000, ""],
            ["01/10/26", "01/10/26", "כספומט", "13", 500, "", 5300, ""],
        ]
    },
    "discount": {
        "עובר ושב": [
            ["תאריך", "יום ערך", "תיאור התנועה", "₪ זכות/חובה", "₪ יתרה ", "אסמכתה", "עמלה", "ערוץ ביצוע"],
            [day(4), day(4), "משכורת", 12000, 15000, "777", "", "סניף"],
            [day(2), day(2), "ישראכרט", -2300, 3000, "12", "", "אינטרנט"],
        ]
    },
    "one zero": {
        "Sheet1": [
            ["תאריך תנועה", "תאריך ערך", "תיאור", "סוג פעולה", "חיוב/זיכוי", "סכום פעולה", "מטבע", "יתרה"],
            [day(4), day(4), "העברה", "משכורת", "זיכוי", 12000, "ILS", 15000],
            [day(2), day(2), "ישראכרט", "הוראת קבע", "חיוב", 2300, "ILS", 3000],
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
    "max": (
        ["10-03 -182.4 שופרסל דיל", "10-05 -290 איקאה נתניה", "10-07 120.5 איקאה נתניה", "10-14 -74.5 OPENAI *CHATGPT"], [9],
    ),
    "isracard": (
        ["10-03 -250.5 רמי לוי", "10-06 99 זארה", "10-09 -48.6 NETFLIX.COM", "10-09 -48.6 NETFLIX.COM"], [7, 9, 13],
    ),
    "cal": (["10-03 -45.90 סופר פארם", "10-04 -100.00 פז גז"], []),
    "leumi": (["10-04 12000 משכורת", "10-02 -2300 ישראכרט", "10-01 -500 כספומט"], []),
    "discount": (["10-04 12000 משכורת", "10-02 -2300 ישראכרט"], []),
    "one zero": (["10-04 12000 העברה", "10-02 -2300 ישראכרט"], []),
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


@pytest.mark.parametrize(
    ("bank", "name"), [("max", "Max"), ("isracard", "Isracard"), ("leumi", "Leumi"), ("discount", "Discount Bank")]
)
def test_the_bank_s_layout_names_the_account_and_no_sheet_does(bank, name):
    statement = read_statement("x.xlsx", written(BOOKS[bank]))
    assert [account.name for account in (*statement.accounts, statement.unnamed) if account] == [name]
    assert {row.currency or statement.home.currency for row in statement.rows} == {"ILS"}


def test_a_sheet_of_what_is_not_booked_is_left_out_by_name_beside_others():
    book = written(BOOKS["max"])
    assert read_statement("x.xlsx", book).warnings == (
        "The sheet “עסקאות שאושרו וטרם נקלטו” was left out, since its payments are not booked yet.",
    )
    rows = [["Date", "Text", "Amount"], [day(3), "Shop", -5]]
    kept = read_statement("x.xlsx", written({"Booked": rows, "Pending payments": [rows[0], [day(4), "Fuel", -6]]}))
    assert brief(kept) == ["10-03 -5 Shop"]
    assert kept.warnings[0].startswith("The sheet “Pending payments” was left out")
    assert brief(read_statement("x.xlsx", written({"Pending payments": rows}))) == ["10-03 -5 Shop"]


def test_sheets_are_accounts_by_their_names_where_nothing_else_names_one():
    rows = [["Date", "Text", "Amount"], [day(3), "Shop", -5]]
    other = [["Date", "Text", "Amount"], [day(4), "Fuel", -9]]
    names = [account.name for account in read_statement("x.xlsx", written({"Giro": rows, "Visa": other})).accounts]
    assert names == ["Giro", "Visa"]
    numbered = [["Account", "4471209"], *rows]
    names = [account.name for account in read_statement("x.xlsx", written({"Giro": numbered, "Visa": other})).accounts]
    assert names == ["Account 1209", "Visa"]


def test_a_cell_is_read_as_it_is_shown():
    cells = [12.1, 0.1 + 0.2, 100000.01 - 99999.99, -1234.0, 0.07 * 100]
    rows = [["Date", "Description", "Amount"], *([day(1), f"n{i}", -value] for i, value in enumerate(cells))]
    amounts = [row.amount for row in read_statement("x.xlsx", written({"A": rows})).rows]
    assert amounts == [Decimal(text) for text in ("-12.1", "-0.3", "-0.02", "1234", "-7")]
