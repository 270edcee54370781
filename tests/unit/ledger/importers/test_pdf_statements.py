"""Statements as PDF in the layouts of many countries' banks: every day and amount, the balances, and nothing that is altered."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date
from decimal import Decimal
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.direction import Told
from ledger.errors import AmbiguousDates, AmbiguousDirection
from ledger.importers import Hints, UnreadableFile, read_statement
from ledger.importers.pdf import reader
from ledger.importers.pdf.lines import read_document
from ledger.importers.pdf.process import write_words
from ledger.transactions import AccountType
from tests.support.bank_pdfs import LAYOUTS, Sample, english, entries
from tests.support.more_bank_pdfs import MORE, signed, total
from tests.support.pdf_files import Paper, Table

DATA = Path(__file__).parents[3] / "data" / "bank" / "pdf"
CASES = [json.loads(line) for line in (DATA / "manifest.jsonl").read_text("utf-8").splitlines()]
NO_BALANCES = {"tight"}  # only totals are stated
SEVERAL = {"current_and_savings", "months"}


@cache
def sample(name) -> Sample:
    return (LAYOUTS | MORE)[name]()


@pytest.fixture
def near(monkeypatch):
    """The words are read in this process: hundreds of files would start as many."""

    def run(data):
        out = StringIO()
        write_words(data, out, 300, 1_500_000)
        return read_document(out.getvalue().encode())

    monkeypatch.setattr(reader, "_run", run)


@pytest.mark.parametrize("name", LAYOUTS | MORE)
def test_every_row_of_a_layout_is_read_with_its_day_and_amount(name, near):
    made = sample(name)
    statement = read_statement(f"{name}.pdf", made.data)
    assert statement.format == "pdf"
    assert Counter((row.booked_on, row.amount) for row in statement.rows) == Counter(
        (day, amount) for day, _, amount in made.rows
    )
    assert (statement.rejected, statement.warnings) == ((), ())


@pytest.mark.parametrize("name", sorted((LAYOUTS | MORE).keys() - NO_BALANCES - SEVERAL))
def test_the_balances_are_those_before_the_first_row_and_after_the_last(name, near):
    made = sample(name)
    statement = read_statement(f"{name}.pdf", made.data)
    opening, closing = statement.balances
    assert (opening.amount, closing.amount) == (made.opening, made.closing)
    assert opening.on <= min(day for day, _, _ in made.rows)
    assert closing.on >= max(day for day, _, _ in made.rows)


@pytest.mark.parametrize("name", LAYOUTS | MORE)
def test_each_row_keeps_the_text_that_describes_it_and_no_other_row_s(name, near):
    made = sample(name)
    texts = Counter((day, amount, text) for day, text, amount in made.rows)
    for row in read_statement(f"{name}.pdf", made.data).rows:
        said = f"{row.description} {row.memo}".upper()
        fitting = [key for key in texts if key[:2] == (row.booked_on, row.amount) and key[2].upper() in said]
        assert fitting, said
        longest = max((key[2] for key in fitting), key=len)
        assert {text for _, text, _ in made.rows if text.upper() in said and text not in longest} == set()


@pytest.mark.parametrize("case", [pytest.param(case, id=case["file"]) for case in CASES if not case["malformed"]])
def test_files_of_other_programs_are_read_as_their_manifest_says(case):
    expected = case["expected"]
    rows = read_statement(case["file"], (DATA / case["file"]).read_bytes()).rows
    assert len(rows) == expected["count"]
    assert -sum(row.amount for row in rows if row.amount < 0) == Decimal(expected["out"])
    assert sum(row.amount for row in rows if row.amount > 0) == Decimal(expected["in"])
    days = [row.booked_on.isoformat() for row in rows]
    assert (min(days), max(days)) == (expected["first"], expected["last"])


@pytest.mark.parametrize(
    ("name", "ref", "kind", "currency"),
    [
        ("us_checking", "000000123456789", None, None),
        ("us_card", "4321", AccountType.CREDIT_CARD, None),
        ("uk_current", "12345678", None, "GBP"),
        ("german_marks", "DE89370400440532013000", None, None),
        ("german_card", "4930 12XX XXXX 1234", AccountType.CREDIT_CARD, "EUR"),
        ("canadian", "01234-5012345", None, "CAD"),
        ("anz", "1234-56789", None, "AUD"),
        ("unsigned", "99887766", AccountType.SAVINGS, None),
    ],
)
def test_whose_account_it_is_and_in_which_currency(name, ref, kind, currency, near):
    statement = read_statement("x.pdf", sample(name).data)
    (account,) = statement.accounts
    assert (account.ref, account.type, account.currency) == (ref, kind, currency)
    assert {row.account for row in statement.rows} == {ref}


def test_an_iban_says_what_its_country_pays_with(near):
    assert read_statement("x.pdf", sample("german_marks").data).home.currency == "EUR"


def test_two_accounts_in_one_statement_stay_two(near):
    statement = read_statement("x.pdf", sample("current_and_savings").data)
    assert [(each.ref, each.type) for each in statement.accounts] == [
        ("11112222", None),
        ("33334444", AccountType.SAVINGS),
    ]
    assert Counter(row.account for row in statement.rows) == {"11112222": 30, "33334444": 6}
    assert [(each.account, each.amount) for each in statement.balances if each.opening or each.on.day == 1] == [
        ("11112222", Decimal("4400.00")),
        ("33334444", Decimal("9000.00")),
    ]


def test_three_months_in_one_file_are_of_one_account(near):
    statement = read_statement("x.pdf", sample("months").data)
    assert {row.account for row in statement.rows} == {"5550001234"}
    assert [each.on for each in statement.balances] == [
        date(2025, 11, 1), date(2025, 11, 30), date(2025, 12, 1), date(2025, 12, 31), date(2026, 1, 1), date(2026, 1, 31),
    ]  # fmt: skip


def test_the_person_s_name_for_the_account_is_kept(near):
    (account,) = read_statement("x.pdf", sample("uk_current").data, Hints(account="Everyday")).accounts
    assert (account.ref, account.name) == ("12345678", "Everyday")


def test_the_first_amount_must_lead_from_the_balance_that_is_stated_for_a_day(near):
    """Beside Lloyds' first row stands a balance, and above all rows that of the day before it."""
    changed = Paper()
    changed.pages = [[text.replace("(187.18)", "(187.19)") for text in texts] for texts in papers("lloyds")]
    with pytest.raises(UnreadableFile):
        read_statement("x.pdf", changed.data())


@settings(deadline=None, max_examples=80)
@given(data=st.data())
def test_what_is_altered_is_refused_or_read_as_if_it_were_not(data):
    """One text of a page is changed, dropped, or written twice: no other amounts are ever read.

    Nothing proves the first amount where no balance stands before it, so that one may be another.
    """
    name = data.draw(st.sampled_from(sorted(LAYOUTS | MORE)))
    made, altered = sample(name), altered_file(name, data)
    out = StringIO()
    write_words(altered, out, 300, 1_500_000)
    document = read_document(out.getvalue().encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "_run", lambda _: document)
        try:
            rows = read_statement("x.pdf", altered).rows
        except UnreadableFile:
            return
    first = 1 if name in _WITHOUT_OPENING else 0
    amounts = [amount for _, _, amount in made.rows]
    assert Counter(row.amount for row in rows[first:]) == Counter(amounts[first:])


#: Layouts whose first row is the first to state a balance.
_WITHOUT_OPENING = frozenset({"danish"})
_OPERATORS = re.compile(rb"BT [^\n]* ET")


def altered_file(name, data):
    paper = papers(name)
    page = data.draw(st.sampled_from([place for place, texts in enumerate(paper) if texts]))
    place = data.draw(st.integers(0, len(paper[page]) - 1))
    text = paper[page][place]
    at = text.index("(") + 1
    changed = Paper()
    changed.pages = [list(texts) for texts in paper]
    way = data.draw(st.sampled_from(["digit", "drop", "twice", "sign"]))
    digits = [index for index, char in enumerate(text) if char.isdigit() and index >= at]
    if way == "digit" and digits:
        index = data.draw(st.sampled_from(digits))
        other = (int(text[index]) + data.draw(st.integers(1, 9))) % 10
        changed.pages[page][place] = f"{text[:index]}{other}{text[index + 1 :]}"
    elif way == "drop":
        del changed.pages[page][place]
    elif way == "sign":
        changed.pages[page][place] = text.replace("(-", "(", 1) if text[at] == "-" else f"{text[:at]}-{text[at:]}"
    else:
        below = data.draw(st.sampled_from([3, 6, 12, 24]))
        changed.pages[page].append(re.sub(r"([0-9.]+) Td", lambda y: f"{float(y[1]) - below:.2f} Td", text))
    return changed.data()


@cache
def papers(name):
    """Return the texts of a layout's pages, before they are a file."""
    kept = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Paper, "data", lambda paper: kept.append(paper.pages) or b"")
        (LAYOUTS | MORE)[name]()
    return kept[-1]


PERIOD = "Statement period 1 January 2026 to 31 January 2026"
COLUMNS = [("Date", 40, False), ("Description", 100, False), ("Amount", 430, True), ("Balance", 540, True)]


def statement_of(lines, *, columns=COLUMNS, above=(PERIOD,), below=()):
    """Return a file with one table; what stands above and below it is one text for each line."""
    paper = Paper()
    for place, text in enumerate(above):
        paper.text(40, 40 + 12 * place, text)
    table = Table(paper, columns, y=120)
    table.header()
    for cells in lines:
        table.row(*cells)
    table.gap(30)
    for text in below:
        table.line((40, text, False))
    return paper.data()


def brief(data, **hints):
    return [
        f"{row.booked_on:%m-%d} {row.amount} {row.description}"
        for row in read_statement("x.pdf", data, Hints(**hints)).rows
    ]


FOUR = [
    ("02/01", "Opening balance", "", "100.00"),
    ("03/01", "Shop", "-10.00", "90.00"),
    ("04/01", "Shop", "-20.00", "70.00"),
    ("05/01", "Wages", "50.00", "120.00"),
]


def test_days_without_a_year_get_it_from_the_period_across_new_year(near):
    rows = [("28/12", "A", "-10.00", "90.00"), ("30/12", "B", "-20.00", "70.00"), ("02/01", "C", "5.00", "75.00")]
    data = statement_of(rows, above=["Statement from 15/12/2025 to 14/01/2026", "Opening balance 100.00"])
    assert [row.booked_on for row in read_statement("x.pdf", data).rows] == [
        date(2025, 12, 28), date(2025, 12, 30), date(2026, 1, 2),
    ]  # fmt: skip


def test_the_period_says_whether_the_month_comes_first(near):
    rows = [("01/03", "A", "-10.00", "90.00"), ("01/04", "B", "-20.00", "70.00"), ("01/05", "C", "5.00", "75.00")]
    assert brief(statement_of(rows)) == ["01-03 -10.00 A", "01-04 -20.00 B", "01-05 5.00 C"]


def test_days_that_may_be_of_either_order_are_asked_about(near):
    rows = [("01/02", "A", "-10.00", "90.00"), ("02/01", "B", "-20.00", "70.00"), ("01/02", "C", "5.00", "75.00")]
    data = statement_of(rows, above=["Statement from 1 January 2026 to 28 February 2026"])
    with pytest.raises(AmbiguousDates):
        read_statement("x.pdf", data)
    assert brief(data, day_first=True)[0] == "02-01 -10.00 A"


def test_days_without_a_year_and_without_a_period_are_refused(near):
    assert refusal(statement_of(FOUR, above=["Your account"])) == reader_said("The days in this file have no year")


def test_days_outside_of_the_period_are_refused(near):
    rows = [(day.replace("/01", "/06"), *rest) for day, *rest in FOUR]
    assert refusal(statement_of(rows)) == reader_said("The days of the rows in this file don't lie in the period")


def reader_said(beginning):
    return Beginning(beginning)


class Beginning(str):
    """How a refusal begins; it always ends with the way to a file that is read."""

    __slots__ = ()

    def __eq__(self, other):
        return other.startswith(str(self)) and other.endswith("CSV or OFX, often beside it.")

    __hash__ = str.__hash__


def refusal(data, **hints):
    with pytest.raises(UnreadableFile) as caught:
        read_statement("x.pdf", data, Hints(**hints))
    return caught.value.message


UNPROVED = reader_said(
    "I read a PDF only if its rows come exactly to the balances or totals that it states, and the rows"
)
UNSTATED = reader_said(
    "I read a PDF only if its rows come exactly to the balances or totals that it states, and I find"
)


@pytest.mark.parametrize("lost", [1, 2])
def test_a_missing_row_breaks_the_balances(lost, near):
    assert refusal(statement_of([*FOUR[:lost], *FOUR[lost + 1 :]])) == UNPROVED


def test_a_last_balance_that_is_not_reached_means_that_a_page_is_missing(near):
    assert refusal(statement_of([*FOUR, ("31/01", "Closing balance", "", "999.00")])) == UNPROVED


def test_rows_without_anything_to_hold_them_against_are_refused(near):
    rows = [cells[:3] for cells in FOUR[1:]]
    assert refusal(statement_of(rows, columns=COLUMNS[:3])) == UNSTATED


def test_a_last_row_without_a_balance_is_not_proved_by_those_before(near):
    assert refusal(statement_of([*FOUR, ("06/01", "Shop", "-1.00", "")])) == UNPROVED


def test_what_looks_like_a_transaction_outside_of_the_tables_is_not_left_out_silently(near):
    data = statement_of(FOUR, below=["17/01/2026 Transfer to savings 500.00"])
    assert refusal(data) == reader_said("On page 1 of this PDF is something like a transaction outside of the tables")


def test_adverts_totals_and_notes_around_a_table_are_no_rows(near):
    below = ["Total 20.00", "Win a trip to Rome worth 5,000.00", "Overdraft interest 39.90 % from 01/02/2026"]
    assert brief(statement_of(FOUR, below=below)) == ["01-03 -10.00 Shop", "01-04 -20.00 Shop", "01-05 50.00 Wages"]


def test_an_amount_of_another_currency_in_a_text_is_a_part_of_it(near):
    rows = [FOUR[0], ("03/01", "Shop\nUSD 12.34 at 1.0812\nFee 0.50", "-10.00", "90.00"), *FOUR[2:]]
    assert brief(statement_of(rows))[0] == "01-03 -10.00 Shop USD 12.34 at 1.0812 Fee 0.50"


def test_a_shop_that_is_called_total_is_a_row(near):
    rows = [FOUR[0], ("03/01", "TOTAL", "-10.00", "90.00"), *FOUR[2:]]
    assert brief(statement_of(rows))[0] == "01-03 -10.00 TOTAL"


@pytest.mark.parametrize(
    "way", ["-10.00", "10.00-", "(10.00)", "10.00 DR", "10.00 D", "$ -10.00", "−10.00", "- $10.00"]
)
def test_the_ways_to_write_money_out(way, near):
    if "−" in way:
        way = way.replace("−", "-")
    rows = [FOUR[0], ("03/01", "Shop", way, "90.00"), *((*cells[:2], cells[2], cells[3]) for cells in FOUR[2:])]
    if way.endswith(("DR", "D")):
        rows = [
            FOUR[0],
            ("03/01", "Shop", way, "90.00"),
            ("04/01", "Shop", "20.00 DR", "70.00"),
            ("05/01", "Wages", "50.00 CR", "120.00"),
        ]
    assert [line.split()[1] for line in brief(statement_of(rows))] == ["-10.00", "-20.00", "50.00"]


def test_overdrawn_balances_are_negative(near):
    rows = [
        ("02/01", "Opening balance", "", "5.00 OD"),
        ("03/01", "Shop", "-10.00", "15.00 OD"),
        ("05/01", "Wages", "50.00", "35.00"),
    ]
    statement = read_statement("x.pdf", statement_of(rows))
    assert [each.amount for each in statement.balances] == [Decimal("-5.00"), Decimal("35.00")]


CARD = [PERIOD, "Credit card statement", "Minimum payment 25.00", "Credit limit 2,000.00"]


def card(previous, new, rows):
    above = [*CARD, f"Previous balance {previous}", f"New balance {new}"]
    return statement_of(rows, columns=COLUMNS[:3], above=above)


def test_a_card_with_nothing_but_a_payment_took_money_in(near):
    assert brief(card("500.00", "0.00", [("05/01", "Direct debit", "-500.00")])) == ["01-05 500.00 Direct debit"]


def test_a_card_that_is_overpaid_has_money(near):
    data = card("500.00", "20.00 CR", [("05/01", "Payment", "520.00 CR")])
    statement = read_statement("x.pdf", data)
    assert [row.amount for row in statement.rows] == [Decimal("520.00")]
    assert [each.amount for each in statement.balances] == [Decimal("-500.00"), Decimal("20.00")]


def test_a_card_s_purchases_of_before_its_period_leave_its_balances_out(near):
    """By their days these rows are of the statement before: between its balances they would be missing."""
    statement = read_statement("x.pdf", card("0.00", "30.00", [("28/12", "Shop", "10.00"), ("05/01", "Shop", "20.00")]))
    assert ([row.amount for row in statement.rows], statement.balances) == ([Decimal("-10.00"), Decimal("-20.00")], ())


@pytest.mark.parametrize(
    "adverts",
    [
        ["Credit card", "Payment due date", "Credit limit"],
        ["Apply now for our credit card with a credit limit of 5,000.00"],
    ],
)
def test_the_words_of_a_card_on_an_account_s_statement_turn_no_signs(adverts, near):
    """Opening and closing would prove turned signs as well, if what one has were taken for what one owes."""
    rows = [
        ("03/01", "Aaa", "-10.00"),
        ("04/01", "Bbb", "-20.00"),
        ("05/01", "Ccc", "50.00"),
        ("06/01", "Ddd", "-5.00"),
    ]
    above = [PERIOD, "IBAN GB33 BUKB 2020 1555 5555 55", "Opening balance 100.00", "Closing balance 115.00", *adverts]
    data = statement_of(rows, columns=COLUMNS[:3], above=above)
    assert [line.split()[1] for line in brief(data)] == ["-10.00", "-20.00", "50.00", "-5.00"]
    other = statement_of(rows, columns=COLUMNS[:3], above=[PERIOD, *above[2:]])
    try:
        amounts = [line.split()[1] for line in brief(other)]
    except UnreadableFile:
        return
    assert amounts == ["-10.00", "-20.00", "50.00", "-5.00"]


def test_a_card_that_hardly_says_so_is_asked_about(near):
    """Shops that nobody knows, an account from which it is paid, and not a word of limits: either sign may be right."""
    rows = [("03/01", "Aaa", "10.00"), ("04/01", "Bbb", "20.00"), ("05/01", "Ccc", "-5.00")]
    above = [PERIOD, "Visa Gold, Konto 12345678", "Previous balance 100.00", "New balance 125.00"]
    data = statement_of(rows, columns=COLUMNS[:3], above=above)
    with pytest.raises(AmbiguousDirection):
        read_statement("x.pdf", data)
    assert [line.split()[1] for line in brief(data, direction=Told.SPENT)] == ["-10.00", "-20.00", "5.00"]
    assert [line.split()[1] for line in brief(data, direction=Told.AS_WRITTEN)] == ["10.00", "20.00", "-5.00"]


def test_cards_of_a_family_on_one_statement_are_one_account(near):
    paper = Paper()
    for place, text in enumerate([*CARD, "Account ending 1-23001", "Previous balance 0.00", "New balance 30.00"]):
        paper.text(40, 40 + 12 * place, text)
    y = 150
    for number, amount in (("1-23001", "10.00"), ("1-23019", "20.00")):
        paper.text(40, y, f"Card ending {number}")
        table = Table(paper, COLUMNS[:3], y=y + 14)
        table.header()
        table.row("05/01", "Shop", amount)
        y = table.y + 20
    statement = read_statement("x.pdf", paper.data())
    assert [(row.amount, row.account) for row in statement.rows] == [
        (Decimal("-10.00"), "1-23001"),
        (Decimal("-20.00"), "1-23001"),
    ]


def test_accounts_without_a_number_go_by_their_names(near):
    paper = Paper()
    paper.text(40, 40, PERIOD)
    y = 60
    for name, opening in (("Share draft checking", 100), ("Regular savings", 900)):
        paper.text(40, y, name)
        table = Table(paper, COLUMNS, y=y + 20)
        table.header()
        table.row("02/01", "Opening balance", "", f"{opening}.00")
        table.row("03/01", "Shop", "-10.00", f"{opening - 10}.00")
        y = table.y + 30
    statement = read_statement("x.pdf", paper.data())
    assert [(each.ref, each.type) for each in statement.accounts] == [
        ("Share draft checking", None),
        ("Regular savings", AccountType.SAVINGS),
    ]


def test_money_that_went_nowhere_by_the_balances_is_asked_about(near):
    """Opening and closing are equal, so that either sign of all rows leads from one to the other."""
    data = statement_of(
        [("03/01", "Xyz", "10.00"), ("04/01", "Zyx", "-10.00")],
        columns=COLUMNS[:3],
        above=[PERIOD, "IBAN DE89 3704 0044 0532 0130 00", "Opening balance 5.00", "Closing balance 5.00"],
    )
    try:
        amounts = [line.split()[1] for line in brief(data)]
    except AmbiguousDirection:
        return
    assert amounts == ["10.00", "-10.00"]


def test_a_bank_s_boxes_with_the_values_below_their_names(near):
    paper = Paper()
    paper.text(40, 40, PERIOD)
    for place, (name, value) in enumerate(
        [("Opening balance", "100.00"), ("Money in", "50.00"), ("Money out", "30.00"), ("Closing balance", "120.00")]
    ):
        paper.text(40 + 120 * place, 60, name)
        paper.text(40 + 120 * place, 74, value)
    table = Table(paper, COLUMNS[:3], y=110)
    table.header()
    for cells in FOUR[1:]:
        table.row(*cells[:3])
    assert len(brief(paper.data())) == 3


def test_totals_of_both_columns_prove_rows_without_a_balance(near):
    columns = [*COLUMNS[:2], ("Debit", 430, True), ("Credit", 540, True)]
    rows = [("03/01", "A", "10.00", ""), ("04/01", "B", "", "7.00"), ("", "Total", "10.00", "7.00")]
    assert brief(statement_of(rows, columns=columns)) == ["01-03 -10.00 A", "01-04 7.00 B"]
    wrong = [*rows[:2], ("", "Total", "10.00", "8.00")]
    assert refusal(statement_of(wrong, columns=columns)) == UNPROVED


def test_two_accounts_without_a_number_are_not_mixed(near):
    paper = Paper()
    paper.text(40, 40, PERIOD)
    y = 60
    for opening in (100, 900):
        table = Table(paper, COLUMNS, y=y)
        table.header()
        table.row("02/01", "Opening balance", "", f"{opening}.00")
        table.row("03/01", "Shop", "-10.00", f"{opening - 10}.00")
        table.row("04/01", "Shop", "-10.00", f"{opening - 20}.00")
        y = table.y + 30
    assert refusal(paper.data()) == reader_said(
        "This PDF is of several accounts, and I can't tell which rows are of which."
    )


def test_dollars_that_nobody_says_the_country_of_are_left_to_the_person(near):
    rows = [(day, text, amount and f"${amount}".replace("$-", "-$"), balance) for day, text, amount, balance in FOUR]
    assert {row.currency for row in read_statement("x.pdf", statement_of(rows)).rows} == {"$"}
    told = statement_of(rows, below=["Member FDIC"])
    assert {row.currency for row in read_statement("x.pdf", told).rows} == {"USD"}


def test_pending_payments_below_the_statement_are_left_out(near):
    paper = Paper()
    paper.text(40, 40, PERIOD)
    table = Table(paper, COLUMNS, y=60)
    table.header()
    for cells in FOUR:
        table.row(*cells)
    table.gap()
    table.line((40, "Pending transactions", False))
    table.gap()
    table.header()
    table.row("30/01", "Hotel", "-300.00", "")
    assert len(brief(paper.data())) == 3


@settings(deadline=None, max_examples=25)
@given(
    st.integers(0, 10_000), st.integers(1, 80), st.sampled_from([8, 9, 11]), st.sampled_from(["Helvetica", "Courier"])
)
def test_any_rows_come_back_in_their_order(seed, count, size, font):
    rows = entries(seed, count, date(2026, 1, 1), date(2026, 1, 31))
    paper, balance = Paper(font=font, size=size), Decimal("50.00")
    paper.text(40, 40, PERIOD)
    table = Table(
        paper,
        [("Date", 40, False), ("Description", 110, False), ("Amount", 430, True), ("Balance", 540, True)],
        y=80,
        pitch=size + 4,
    )
    table.header()
    table.row("", "Opening balance", "", english(balance))
    for day, text, amount in rows:
        balance += amount
        table.row(f"{day:%d %b}", text, signed(amount), signed(balance))
    table.row("", "Closing balance", "", signed(balance))
    out = StringIO()
    write_words(paper.data(), out, 300, 1_500_000)
    document = read_document(out.getvalue().encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "_run", lambda _: document)
        read = read_statement("x.pdf", paper.data())
    assert [(row.booked_on, row.description, row.amount) for row in read.rows] == rows
    assert read.balances[-1].amount == Decimal("50.00") + total(rows)
