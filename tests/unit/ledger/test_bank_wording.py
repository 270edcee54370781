"""Names out of the wording that banks of many countries put around them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.merchants import normalise_merchant, normalise_phrase
from ledger.statement_text import purpose_in
from tests.support.tables import every

#: Made up after the layouts of banks' exports: what stands there, the payee that the file names if any, and the name in it.
_LISTED = (Path(__file__).parents[2] / "data" / "bank_wording.txt").read_text(encoding="utf-8").splitlines()


def _row(line: str) -> tuple[str, str, str]:
    written, _, merchant = line.rpartition(" => ")
    description, _, payee = written.partition(" ¦ ")
    return description, payee, merchant


ROWS = [_row(line) for line in _LISTED if line and not line.startswith("# ")]


@every(("description", "payee", "merchant"), ROWS)
def test_name_comes_out_of_the_wording_and_is_its_own_normal_form(description: str, payee: str, merchant: str) -> None:
    assert normalise_merchant(description, payee) == merchant
    assert normalise_merchant(merchant) == merchant


@pytest.mark.parametrize(
    ("sent", "received"),
    [
        ("Venmo to Dana Whitfield", "Venmo from Dana Whitfield"),
        ("*MOBI TO SAVINGS", "*MOBI FROM SAVINGS"),
        ("TFR WESTPAC LIFE", "TFR FROM WESTPAC LIFE"),
        ("PAYMENT TO OLIVER TRAN", "DEPOSIT OLIVER TRAN"),
        ("ÜBERTRAG AUF EIGENES E-SPARKONTO", "ÜBERTRAG VON EIGENEM E-SPARKONTO"),
        (
            "TWINT GELD SENDEN VOM 07.11.2026 AN TELEFON-NR. +4178XXX55 NINA ROTH MITTEILUNGEN: KINO",
            "TWINT GELD EMPFANGEN VOM 08.11.2026 VON TELEFON-NR. +4179XXX12 NINA ROTH",
        ),
        (
            "TWINT GELD SENDEN VOM 15.08.2026 VON TELEFON-NR. +4179XXX28 AN TELEFON-NR. +4178XXX32 NINA ROTH MITTEILUNGEN: KINO",
            "TWINT GELD EMPFANGEN VOM 28.06.2026 VON TELEFON-NR. +4178XXX32 AN TELEFON-NR. +4179XXX28 NINA ROTH",
        ),
        ("UPI/DR/412345678901/ANITA RAO/SBIN/anita@ybl", "UPI/CR/412345678902/ANITA RAO/SBIN/anita@ybl"),
    ],
)
def test_payee_is_the_same_for_money_in_and_out(sent: str, received: str) -> None:
    assert normalise_merchant(sent) == normalise_merchant(received)


@pytest.mark.parametrize(
    ("text", "merchant"),
    [
        ("DIRECT DEBIT FEE", "Direct Debit Fee"),
        ("UBER CANADA/UBEREATS TORONTO ON", "Uber Eats"),
        ("UBER CANADA/UBERTRIP TORONTO ON", "Uber"),
        ("VISA PAYMENT", "Visa Payment"),
        ("LOAN REPAYMENT 1234", "Loan Repayment"),
        ("TO 12345678", "To"),
    ],
)
def test_wording_stays_where_it_is_all_there_is(text: str, merchant: str) -> None:
    assert normalise_merchant(text) == merchant


def test_words_that_say_what_a_payment_was_stay_searchable() -> None:
    assert "twint" in normalise_phrase("TWINT AN NINA ROTH")
    assert "internet" in normalise_phrase("willy.tel GmbH", memo="Internet")


def test_initials_are_no_brand_of_the_same_letters() -> None:
    """Two words of a person's name don't join to a short brand's, and a brand's own sign does."""
    assert normalise_merchant("DR K MILLER") == "DR K Miller"
    assert normalise_merchant("H & M 0123") == "H&M"


@pytest.mark.parametrize(
    ("description", "purpose"),
    [
        ("Lastschrift  OG/000010831|Pfandleihe Kogler GmbH|Zinsen 11/2026", "Zinsen 11/2026"),
        ("Abbuchung Onlinebanking BG/000009173|BAWAATWWXXX AT211420020010848041|Vera Lindtner|Urlaub", "Urlaub"),
        ("Bezahlung Karte  MC/000011163|POS  7933  K001 20.11. 17:46|EISDIELE ROSSO\\\\STEYR\\4400", ""),
        ("Empfänger: Karla SonntagKto/IBAN: DE02120300000000202051 Buchungstext: Miete Ref. JM2", "Miete Ref. JM2"),
        ("SVWZ+Miete 11/26 ABWA+Karla Sonntag", "Miete 11/26"),
        ("Transfer To Oliver Tran CommBank App rent", "rent"),
        ("Fast Transfer From Tran Thi Lan happy birthday con", "happy birthday con"),
        ("MARGARET LOWE , DINNER , FP 12/11/26 10 , 12345678901234567E", "DINNER"),
        ("'1234 12NOV26 CD , THE GREEN MAN , LEWES GB", ""),
        ("RED GUM NURSERY BRUNSWICK VIC AU AUS Card xx8842 Value Date: 18/11/2026", ""),
    ],
)
def test_purpose_is_told_from_the_name(description: str, purpose: str) -> None:
    assert purpose_in(description) == purpose


def test_what_was_written_to_a_payment_is_searched_and_the_banks_own_words_are_not() -> None:
    text = normalise_phrase("Transfer To Oliver Tran CommBank App rent")
    assert "rent" in text
    assert "commbank" not in text
    assert "value" not in normalise_phrase("RED GUM NURSERY VIC AU AUS Card xx8842 Value Date: 18/11/2026")


def test_a_chain_whose_name_begins_like_a_card_number_keeps_it() -> None:
    assert normalise_merchant("XXXLUTZ LINZ") == "XXXLutz"
    assert normalise_merchant("XXXX1234 EISDIELE ROSSO") == "Eisdiele Rosso"


def test_a_surname_is_no_other_spelling_of_a_brand() -> None:
    assert normalise_merchant("Jake Morrison") == "Jake Morrison"
    assert normalise_merchant("MORRISON 0123 LEWES") == "Morrisons"
