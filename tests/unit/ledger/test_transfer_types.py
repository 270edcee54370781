"""Words of banks and wallets for one's own money on the move: neither spending nor income, though the other side is not there."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from ledger.importers import read_statement
from ledger.kinds import kind_of, said_side
from ledger.transactions import Kind, StatementRow

DAY = date(2026, 10, 13)


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize(
    "hint",
    [
        "Transfer to", "Transfer from", "General Credit Card Deposit", "Bank Deposit to PP Account ", "General Withdrawal",
        "Standard Transfer", "Instant Transfer", "Cash out", "Virement interne", "Traspaso", "Umbuchung",
        "User Initiated Withdrawal", "Add to balance", "Eigenübertrag", "Giroconto",
    ],
)  # fmt: skip
def test_a_type_that_says_transfer_is_one_on_both_sides(hint, sign):
    row = StatementRow(1, DAY, sign * Decimal(50), "Saver 12345678", type_hint=hint)
    assert kind_of(row) is Kind.TRANSFER


def test_money_to_oneself_is_a_transfer_and_money_to_another_is_not():
    text = (
        "Buchungsdatum;Zahlungspflichtige*r;Zahlungsempfänger*in;Verwendungszweck;Umsatztyp;Betrag (€)\n"
        "13.10.26;Ann Muster;ANN MUSTER;Sparen;Ausgang;-500,00\n14.10.26;Ann Muster;Ben Klein;Miete;Ausgang;-600,00\n"
        "15.10.26;Ann Muster;Ann Muster;vom Sparen;Eingang;200,00\n16.10.26;Firma;Ann Muster;Lohn;Eingang;2000,00\n"
    )
    rows = read_statement("giro.csv", text.encode()).rows
    assert [kind_of(row) for row in rows] == [Kind.TRANSFER, Kind.PURCHASE, Kind.TRANSFER, Kind.INCOME]


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("SALARY ACME", 1), ("Refund Zalando", 1), ("PAYMENT RECEIVED - THANK YOU", 1), ("VIREMENT RECU ACME", 1),
        ("Habenzinsen", 1), ("ATM WITHDRAWAL", -1), ("Monthly fee", -1), ("Folgelastschrift", -1), ("PRLV EDF", -1),
        ("Zzyx Ltd", 0), ("Online transfer", 0),
    ],
)  # fmt: skip
def test_which_way_words_say_that_money_went(text, side):
    assert said_side(StatementRow(1, DAY, Decimal(1), text)) == side


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Electronic Funds Transfer PREAUTHORIZED DEBIT HARBOURVIEW MGMT", Kind.PURCHASE),
        ("Electronic Funds Transfer PREAUTHORIZED DEBIT ZZYX GYMS", Kind.PURCHASE),
        ("ONLINE TRANSFER REF #IB0X TO DANA WHITFIELD", Kind.PURCHASE),
        ("MOBILE TRANSFER ZZYX TUTORING", Kind.PURCHASE),
        ("INTERNET TRANSFER 004471 TO ESAVINGS 1180", Kind.TRANSFER),
        ("FROM A/C 11223344 , MOBILE TRANSFER", Kind.TRANSFER),
        ("ONLINE TRANSFER TO EVERYDAY CHECKING XXXX1180", Kind.TRANSFER),
        ("FUNDS TRANSFER DB TO SAVINGS", Kind.TRANSFER),
        ("Transfer to xx1180 CommBank app new tyres", Kind.TRANSFER),
        ("TFR 11-2233-4455667-00", Kind.TRANSFER),
        ("MARLOW J , SAVER 11223344", Kind.TRANSFER),
        ("J MARLOW SAVER", Kind.TRANSFER),
        ("Rückübertrag Tagesgeld", Kind.TRANSFER),
    ],
)
def test_a_way_to_send_money_is_a_transfer_only_to_an_own_account(text, kind):
    """Banks name the way of any payment so; who is named beside tells whether it is one's own."""
    assert kind_of(StatementRow(1, DAY, Decimal(-50), text)) is kind


def test_pay_that_is_sent_as_a_transfer_is_income():
    text = "Electronic Funds Transfer PAY 118044712 ZZYX SYSTEMS CORP"
    assert kind_of(StatementRow(1, DAY, Decimal(1900), text), has_purchases=True) is Kind.INCOME
