"""CAMT and MT940 as German, Austrian, Swiss, Dutch, Polish and British banks write them; the rows were read by hand."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from ledger.importers import read_statement
from ledger.judgement import Judge
from ledger.transactions import Kind

MADE_UP = Path(__file__).parents[3] / "data" / "bank" / "made_up"

#: Day, amount, currency, payee or text, what for.
ROWS = {
    "sparkasse_camt052.xml": [
        ("2026-10-02", "-680.00", "EUR", "Hausverwaltung Kron GmbH", "Miete Lindenweg 4"),
        ("2026-10-05", "-64.90", "EUR", "Stadtwerke Musterstadt", "Abschlag Strom Oktober"),
        ("2026-10-07", "-50.00", "EUR", "GA NR00001234 BLZ51210800 0", "07.10/12.33UHR MUSTERSTADT"),
        ("2026-10-09", "64.90", "EUR", "Stadtwerke Musterstadt", "Widerspruch"),
        ("2026-10-28", "2100.00", "EUR", "Werkstatt Nord eG", "LOHN / GEHALT 10/26"),
        ("2026-10-30", "-6.08", "EUR", "Entgelte vom 30.09.2026 bis 30.10.2026", "ENTGELTABSCHLUSS"),
        ("2026-10-30", "-80.00", "EUR", "LENA BEISPIEL", "Reserve"),
    ],
    "volksbank_camt053_v8.xml": [
        ("2026-11-03", "-40.00", "EUR", "Turnverein Aue e.V.", "Beitrag 2026"),
        ("2026-11-03", "-31.40", "EUR", "Dr. Weiss Zahnarzt", "RF18539007547034"),
        ("2026-11-03", "-25.00", "EUR", "Musikschule Aue", "Treuhand Inkasso"),
        ("2026-11-03", "530.00", "EUR", "Familienkasse", "KG 11/2026"),
    ],
    "erste_camt053.xml": [
        ("2026-10-16", "-36.90", "EUR", "Wien Energie", "Teilbetrag Strom"),
        ("2026-10-16", "-5.40", "EUR", "BILLA 0123", ""),
        ("2026-10-16", "-1.20", "EUR", "Kontoführungsentgelt", ""),
    ],
    "ing_nl_camt053.xml": [
        ("2026-10-30", "-23.47", "EUR", "Bakkerij Smit", "Pasvolgnr: 012 30-10-2026 12:15"),
        ("2026-10-30", "-40.00", "EUR", "Geldautomaat Damrak AMSTERDAM", ""),
        ("2026-10-30", "10.00", "EUR", "J. de Boer", "lunch"),
    ],
    "postfinance_camt053_v4.xml": [
        (
            "2026-10-12", "-54.35", "CHF",
            "KAUF/DIENSTLEISTUNG VOM 10.10.2026 KARTEN NR. XXXX1234 COOP-4321 ZÜRICH SCHWEIZ", "",
        ),
        ("2026-10-15", "-95.50", "CHF", "Hotel Adler Konstanz", "Anzahlung"),
        ("2026-10-20", "-200.00", "CHF", "Garage Frei AG", "210000000003139471430009017 Service Oktober"),
    ],
    "zkb_camt054.xml": [
        ("2026-10-22", "120.00", "CHF", "Urs Vogel", "000000000000000000000000117"),
        ("2026-10-22", "125.00", "CHF", "Eva Lang", "000000000000000000000000123"),
    ],
    "barclays_camt053.xml": [
        ("2026-10-07", "-25.50", "GBP", "THAMES WATER", "ACC 12345"),
        ("2026-10-07", "12.00", "EUR", "GROSS INTEREST", ""),
    ],
    "sparkasse.sta": [
        ("2026-12-31", "-12.99", "EUR", "PayPal Europe S.a.r.l.", "PP.1234.PP . Wandershop, Ihr Einkauf bei Wandershop"),
        ("2027-01-02", "-45.00", "EUR", "REWE SAGT DANKE. 47112//MUSTERSTADT/DE", "2026-12-31T18.44 Debitk.1 2028-12"),
        ("2027-01-02", "20.00", "EUR", "Oma Else", "Taschengeld"),
        ("2027-01-04", "45.00", "EUR", "REWE SAGT DANKE. 47112//MUSTERSTADT/DE", "Doppelt gebucht"),
        ("2027-01-05", "-20.00", "EUR", "Oma Else", "Irrlaeufer"),
    ],
    "deutsche_bank.sta": [
        ("2026-10-02", "1000.00", "EUR", "Galerie Rot", "Vorschuss Oktober"),
        ("2026-10-03", "-250.00", "EUR", "Petra Neu", "Kaution"),
        ("2026-10-02", "-4.50", "USD", "Kontofuehrung Fremdwaehrung", ""),
    ],
    "commerzbank_mt942.sta": [
        ("2026-10-30", "-15.00", "EUR", "Sportclub Ost", "Beitrag"),
        ("2026-10-30", "7.00", "EUR", "Ina Wolf", "Kuchen"),
    ],
    "abn_amro.sta": [
        ("2026-10-31", "-18.25", "EUR", "VITENS NV", "Waterrekening oktober"),
        (
            "2026-10-31", "-7.80", "EUR",
            "BEA, Betaalpas Albert Heijn 1234,PAS012 NR:A1B2C3, 31.10.26/12:31 UTRECHT", "",
        ),
        ("2026-10-31", "75.00", "EUR", "S. JANSEN", "Terug van weekend"),
    ],
    "pko.sta": [
        ("2026-10-30", "-89.99", "PLN", "BIEDRONKA 1234", "Zakup karta Tytul: 010126 74838490"),
        ("2026-10-30", "4200.00", "PLN", "ZAKLAD STOLARSKI", "Wynagrodzenie 10/2026"),
        ("2026-10-30", "-2.50", "PLN", "Oplata za przelew", ""),
    ],
    "ubs.sta": [
        ("2026-10-30", "-85.4", "CHF", "MIGROS M BERN;Zahlung Debitkarte;Karten-Nr: 1234 **** **** 5678", ""),
        ("2026-10-30", "300", "CHF", "Anna Meier;Gutschrift;Ferienanteil", ""),
    ],
}  # fmt: skip

KINDS = {
    "sparkasse_camt052.xml": "purchase purchase cash refund income fee transfer",
    "volksbank_camt053_v8.xml": "purchase purchase purchase income",
    "erste_camt053.xml": "purchase purchase fee",
    "ing_nl_camt053.xml": "purchase cash income",
    "postfinance_camt053_v4.xml": "purchase purchase purchase",
    "barclays_camt053.xml": "purchase interest",
    "sparkasse.sta": "purchase purchase income refund purchase",
    "deutsche_bank.sta": "income purchase fee",
    "abn_amro.sta": "purchase purchase income",
    "pko.sta": "purchase income fee",
    "ubs.sta": "purchase income",
}

ACCOUNTS = {
    "sparkasse_camt052.xml": [("DE75512108001245126199", "Sparkasse Musterstadt 6199", "EUR")],
    "volksbank_camt053_v8.xml": [("DE14740618130000033626", "Haushaltskonto", "EUR")],
    "barclays_camt053.xml": [
        ("GB33BUKB20201555555555", "Current account", "GBP"),
        ("20201587654321", "Account 4321", "EUR"),
    ],
    "sparkasse.sta": [("DE75512108001245126199", "Account 6199", "EUR")],
    "deutsche_bank.sta": [
        ("DE10100700000123456700", "Account 6700", "EUR"),
        ("DE10100700000123456701", "Account 6701", "USD"),
    ],
    "pko.sta": [("PL61109010140000071219812874", "Account 2874", "PLN")],
}

#: Left out with a reason, and said of the balances.
LEFT_OUT = {
    "sparkasse_camt052.xml": [(8, "the payment is pending, so it is not booked")],
    "commerzbank_mt942.sta": [(3, "the payment is expected, so it is not booked")],
}
SAID = {
    "barclays_camt053.xml": (
        "The rows of 7 Oct 2026 in Current account don't add up to the balances: 12.00 GBP of money out is missing.",
    )
}


def read(name):
    return read_statement(name, (MADE_UP / name).read_bytes())


def test_every_file_is_there():
    assert set(ROWS) == {path.name for path in MADE_UP.iterdir() if path.suffix in {".xml", ".sta"}}


@pytest.mark.parametrize("name", ROWS)
def test_each_row_is_as_a_person_reads_it(name):
    statement = read(name)
    found = [(str(row.booked_on), row.amount, row.currency, row.description) for row in statement.rows]
    assert found == [(day, Decimal(amount), currency, text) for day, amount, currency, text, _ in ROWS[name]]
    for row, (*_, memo) in zip(statement.rows, ROWS[name], strict=True):
        assert row.memo.startswith(memo)
    assert [(row.row, row.reason) for row in statement.rejected] == LEFT_OUT.get(name, [])
    assert statement.warnings == SAID.get(name, ())


@pytest.mark.parametrize("name", KINDS)
def test_each_row_is_of_its_kind(name):
    judge = Judge([], {})
    rows = [(row, None) for row in read(name).rows]
    judge.learn(rows)
    assert [judge.judge(*row).kind for row in rows] == [Kind(kind) for kind in KINDS[name].split()]


@pytest.mark.parametrize("name", ACCOUNTS)
def test_accounts_have_names_that_can_be_said(name):
    assert [(a.ref, a.name, a.currency) for a in read(name).accounts] == ACCOUNTS[name]
