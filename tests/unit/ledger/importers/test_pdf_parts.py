"""The parts of reading a PDF: what words on a line are, what lines state, and what proves rows."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.importers.dates import Order
from ledger.importers.pdf import labels
from ledger.importers.pdf.accounts import account_in
from ledger.importers.pdf.labels import Label, card_words, dollars_in, heading_side, is_aside, label_of
from ledger.importers.pdf.lines import Line, Word, repeated_lines
from ledger.importers.pdf.proof import Claims, prove
from ledger.importers.pdf.stated import Stated
from ledger.importers.pdf.tokens import Kind, tokens_of
from ledger.importers.statement_days import Period, periods_in, stated_days


def line(text, *, number=0, page=1, y=100.0):
    """A line of words, each letter five points wide; a bar stands for the gap between two columns."""
    words, x = [], 40.0
    for part in text.split(" "):
        if part == "|":
            x += 40
        elif part:
            words.append(Word(x, x + 5 * len(part), part))
            x += 5 * len(part) + 2.5
    return Line(number, page, y, 10.0, tuple(words))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("05 Jan 2026 | Shop | 1,234.56", "date=05 Jan 2026 text=Shop money=1,234.56"),
        ("05.01. 05.01. | Lastschrift | 12,34 S", "date=05.01. date=05.01. text=Lastschrift money=12,34 S"),
        ("5 Jan 16 Jan | Shop | $12.00", "date=5 Jan date=16 Jan text=Shop money=$12.00"),
        ("Jan 5 Jan 6 | Shop | - $12.00", "date=Jan 5 date=Jan 6 text=Shop money=- $12.00"),
        ("Solde | 1 234,56", "text=Solde money=1 234,56"),
        ("Saldo | 1'234.56- | CHF", "text=Saldo money=1'234.56- text=CHF"),
        ("Balance | 12.00 OD", "text=Balance money=12.00 DR"),
        ("Balance = £12.00", "text=Balance money=£12.00"),
        ("05.01 | 12.05 | 12.50", "money or date=05.01 money or date=12.05 money=12.50"),
        ("Rate 1.0812 | 3.5% | 17.25", "text=Rate text=1.0812 text=3.5% money=17.25"),
        ("(45.00) | 45.00CR | -.50", "money=(45.00) money=45.00CR money=-.50"),
        ("Invoice 20260105 | 99.999,00", "text=Invoice text=20260105 money=99.999,00"),
        ("DEC31 | Fee | EUR 3.00", "date=DEC31 text=Fee money=EUR 3.00"),
        ("31. Februar | 32/01 | 00/00", "text=31. text=Februar text=32/01 text=00/00"),
    ],
)
def test_what_the_words_of_a_line_are(text, kinds):
    said = line(text)
    assert " ".join(f"{token.kind.value}={token.text}" for token in tokens_of(said.words, said.size)) == kinds


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Opening balance", Label.OPENING),
        ("Your closing balance on 31 January 2026", Label.CLOSING),
        ("BALANCE BROUGHT FORWARD", Label.FORWARD),
        ("alter Kontostand vom 31.12.2025", Label.OPENING),
        ("neuer Kontostand vom", Label.CLOSING),
        ("Kontostand am 30.01.2026, Auszug Nr. 12", Label.BALANCE),
        ("Übertrag auf Blatt 2", Label.FORWARD),
        ("SOLDE CREDITEUR AU 31.12.2025", Label.BALANCE),
        ("Total des opérations", Label.TOTAL),
        ("Total paid in", Label.TOTAL_IN),
        ("Money out", Label.TOTAL_OUT),
        ("Utgående saldo", Label.CLOSING),
        ("Total Wine & More", None),
        ("Balance transfer fee", None),
        ("Report on savings", None),
    ],
)
def test_what_a_line_states(text, label):
    assert label_of(text) is label


@pytest.mark.parametrize("text", ["TOTAL", "Transport", "Report", "Balance"])
def test_a_name_behind_a_day_is_a_payment(text):
    assert label_of(text) is not None
    assert label_of(text, dated=True) is None


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("Deposits and other additions - continued", 1),
        ("PAYMENTS AND OTHER CREDITS", 1),
        ("Withdrawals and other subtractions", -1),
        ("ATM & Debit Card Withdrawals", -1),
        ("Checks paid", -1),
        ("Purchases", -1),
        ("Transaction history", 0),
    ],
)
def test_which_side_a_heading_names(text, side):
    assert heading_side(text) == side


def test_headings_over_what_is_not_booked():
    assert is_aside("Pending transactions")
    assert is_aside("Daily ending balance")
    assert not is_aside("Rewards Checking")
    assert not is_aside("Future Saver Account")


def test_what_makes_a_card():
    assert card_words(["Credit card. Minimum payment due.", "Credit limit 3,000"]) == 3
    assert card_words(["Kontoauszug Girokonto"]) == 0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Member FDIC", {"USD"}),
        ("BSB 062-000", {"AUD"}),
        ("Interac, CDIC", {"CAD"}),
        ("Interac, USD", {"CAD", "USD"}),
        ("", set()),
    ],
)
def test_whose_dollars(text, code):
    assert dollars_in(text) == code


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("IBAN: DE89 3704 0044 0532 0130 00 BIC: COBADEFF", "DE89370400440532013000"),
        ("IBAN: DE88 3704 0044 0532 0130 00", ""),
        ("Sort code 40-00-01 Account Number 12345678", "12345678"),
        ("Account number ending in 4321", "4321"),
        ("Kontonummer 5412345678", "5412345678"),
        ("A/C No. 50100012345678 IFSC HDFC0000123", "50100012345678"),
        ("Your account on 05/01/2026", ""),
        ("Account 12/2026", ""),
        ("Phone 0800 123456", ""),
    ],
)
def test_which_account_a_line_names(text, ref):
    assert account_in(line(text)) == ref


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("January 01, 2026 through January 31, 2026", "2026-01-01", "2026-01-31"),
        ("1 December 2025 to 4 January 2026", "2025-12-01", "2026-01-04"),
        ("15 Dec - 14 Jan 2026", "2025-12-15", "2026-01-14"),
        ("01.01.2026 bis 31.01.2026", "2026-01-01", "2026-01-31"),
        ("01.01. - 31.01.2026", "2026-01-01", "2026-01-31"),
        ("du 31 décembre 2025 au 31 janvier 2026", "2025-12-31", "2026-01-31"),
        ("2026-03-01 - 2026-03-31", "2026-03-01", "2026-03-31"),
        ("Periode 01-02-2026 t/m 28-02-2026", "2026-02-01", "2026-02-28"),
        ("Kontoauszug April 2026", "2026-04-01", "2026-04-30"),
    ],
)
def test_from_which_day_to_which(text, start, end):
    assert periods_in([text], Order.DAY_MONTH_YEAR) == [Period(date.fromisoformat(start), date.fromisoformat(end))]


@pytest.mark.parametrize(
    "text", ["from 31/01/2026 to 01/01/2026", "01/01/2020 to 31/12/2026", "5 to 10 days", "room 12-14"]
)
def test_what_is_no_time(text):
    assert periods_in([text], Order.DAY_MONTH_YEAR) == []


def test_a_statement_s_own_day():
    assert stated_days(["Statement date 31 January 2026"], Order.DAY_MONTH_YEAR) == [date(2026, 1, 31)]


def test_lines_of_every_page_are_told_from_rows_that_look_alike():
    pages = [
        [("My Bank", 20.0), ("05.01. Shop | 12,34", 100.0), ("Page 1 of 2", 800.0)],
        [("My Bank", 20.0), ("06.01. Shop | 12,34", 100.0), ("last row", 112.0), ("Page 2 of 2", 800.0)],
    ]
    lines = [line(text, number=0, page=place, y=y) for place, page in enumerate(pages, start=1) for text, y in page]
    lines = [Line(number, each.page, each.y, each.size, each.words) for number, each in enumerate(lines)]
    # The row of the first page has its like at the same place of the second, right below what stands on every page.
    assert repeated_lines(lines) == {0, 1, 2, 3, 4, 6}


CENTS = st.decimals(-9999, 9999, places=2).filter(bool)


def claims(opening=None, closing=None, totals=()):
    return Claims(
        [Stated(Label.OPENING, opening, 0, 0)] if opening is not None else [],
        [Stated(Label.CLOSING, closing, 0, 0)] if closing is not None else [],
        [Stated(label, value, 0, 0) for label, value in totals],
    )


@given(CENTS, st.lists(CENTS, min_size=1, max_size=12))
@settings(deadline=None)
def test_rows_are_proved_from_balance_to_balance_and_no_others(opening, amounts):
    stated = claims(opening, opening + sum(amounts))
    none = [None] * len(amounts)
    proof = prove(amounts, none, stated, owed=False)
    assert proof is not None
    assert (proof.opening, proof.closing) == (opening, opening + sum(amounts))
    for place in range(len(amounts)):
        changed = [*amounts[:place], amounts[place] + 1, *amounts[place + 1 :]]
        assert prove(changed, none, stated, owed=False) is None
        assert prove(amounts[:place] + amounts[place + 1 :], none[1:], stated, owed=False) is None


@given(CENTS, st.lists(CENTS, min_size=3, max_size=12), st.booleans(), st.data())
@settings(deadline=None)
def test_balances_beside_rows_prove_them_in_either_order(opening, amounts, newest_first, data):
    balances, running = [], opening
    for amount in amounts:
        running += amount
        balances.append(running)
    rows = list(zip(amounts, balances, strict=True))[:: -1 if newest_first else 1]
    given_amounts, given_balances = map(list, zip(*rows, strict=True))
    assert prove(given_amounts, given_balances, claims(), owed=False) is not None
    place = data.draw(st.integers(1, len(rows) - 1))
    lost = given_amounts[:place] + given_amounts[place + 1 :], given_balances[:place] + given_balances[place + 1 :]
    if 0 < place < len(rows) - 1:
        assert prove(*lost, claims(), owed=False) is None
    assert prove(given_amounts, given_balances, claims(closing=running + 1), owed=False) is None


def test_totals_prove_rows_only_on_both_sides():
    amounts, none = [Decimal(-5), Decimal(7)], [None, None]
    right = ((Label.TOTAL_OUT, Decimal(5)), (Label.TOTAL_IN, Decimal(7)))
    assert prove(amounts, none, claims(totals=right), owed=False) is not None
    assert prove(amounts, none, claims(totals=right[:1]), owed=False) is None
    assert prove(amounts, none, claims(), owed=False) is None


def test_what_is_owed_is_less_than_nothing():
    owed = Stated(Label.CLOSING, Decimal(5), 0, 0)
    assert (owed.owned(owed=True), owed.owned(owed=False)) == (Decimal(-5), Decimal(5))
    assert Stated(Label.CLOSING, Decimal(5), 1, 0).owned(owed=True) == 5


def test_kinds_of_tokens():
    assert Kind.EITHER.may_be_date
    assert Kind.EITHER.may_be_money
    assert not Kind.TEXT.may_be_money


def test_no_phrase_names_two_things():
    """What is left of a phrase once it is compared may be that of another one, and then either would be both."""
    said = {phrase: label for label, phrases in labels.WORDS.items() for phrase in map(str.strip, phrases.split("|"))}
    assert {phrase: label_of(phrase) for phrase in said} == said
