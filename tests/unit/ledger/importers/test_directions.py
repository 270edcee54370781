"""Which way money went is proved or asked: any file of ours, its signs taken off, turned or moved, is never silently wrong."""

from __future__ import annotations

import csv
import io
import json
import random
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.bank_files import NAMES, read_ledger
from ledger.direction import Reading, Told
from ledger.errors import AmbiguousDirection, UnreadableFile
from ledger.importers import Hints, read_statement
from ledger.importers.table.phrases import is_balance
from tests.support.bank_files import american_lines, german_lines
from tests.support.turned_files import Entry, Style, styles, write

DATA = Path(__file__).parents[3] / "data" / "bank"
FIRST = date(2026, 10, 14)


def outcome(data: bytes, truth: list[Entry], name: str = "statement.csv", **hints) -> str:
    """Say what came of a file: ``right``, ``asked``, or ``wrong`` whenever one amount has the wrong sign."""
    try:
        statement = read_statement(name, data, Hints(day_first=True, **hints))
    except AmbiguousDirection:
        return "asked"
    expected = Counter((entry.text, entry.amount) for entry in truth)
    found = Counter((row.description, row.amount) for row in statement.rows)
    if found - expected:
        return "wrong"
    return "right" if found == expected else "partly"


@cache
def corpus() -> dict[str, list[Entry]]:
    """The rows of every statement of ours, oldest first: golden ledgers, made-up banks, other projects' files."""
    found = {}
    for name in NAMES:
        rows = sorted(read_ledger(name).rows, key=lambda row: row.day)
        by_account: dict[str, list[Entry]] = {}
        for row in rows:
            by_account.setdefault(row.account, []).append(Entry(row.day, row.description, row.amount))
        found |= {f"{name} {account}": entries for account, entries in by_account.items()}
    for name, lines in (("american", american_lines()), ("german", german_lines())):
        found[f"made {name}"] = [Entry(line.day, line.descriptor, line.amount) for line in lines]
    for line in (DATA / "manifest.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if case["format"] == "csv" and not case["malformed"]:
            add(found, DATA / case["file"])
    for path in sorted((DATA / "made_up").glob("*.csv")):
        add(found, path)
    return found


def add(found: dict[str, list[Entry]], path: Path) -> None:
    rows = sorted(read_statement(path.name, path.read_bytes()).rows, key=lambda row: row.booked_on)
    if rows:
        found[path.stem] = [Entry(row.booked_on, row.description, row.amount) for row in rows if row.amount]


def judged(name: str, made: list[Style]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for style in made:
        entries = corpus()[name]
        if not is_knowable(entries, style):
            continue
        result = outcome(write(entries, style), entries)
        assert result != "wrong", f"{name}: {style.label}"
        counts[result] += 1
    return counts


def is_knowable(entries: list[Entry], style: Style) -> bool:
    """Leave out what nobody can tell: mostly deposits, turned, from purchases; in one row, an amount from a balance."""
    if style.balance and not style.header and len(entries) == 1:
        return False
    out = sum(entry.amount < 0 for entry in entries)
    return style.sign != "turned" or out > len(entries) - out


def windows(entries: list[Entry], chance: random.Random) -> list[Entry]:
    """Return a month or so of a long ledger."""
    start = chance.randrange(max(1, len(entries) - 40))
    return entries[start : start + chance.randint(1, 40)]


@pytest.mark.parametrize("name", sorted(corpus()))
def test_a_file_of_ours_in_another_dress_is_right_or_asked_about(name):
    judged(name, styles(seed=len(name), count=12))


def test_most_of_them_are_right_without_a_question():
    """Asking about everything would never be wrong either."""
    proved = ("plus", "letter", "word", "pair", "marks")
    counts: Counter[str] = Counter()
    for number, name in enumerate(sorted(corpus())):
        known = (Style(sign, words=number % 10) for sign in proved)
        counts += judged(name, list(known))
    assert counts["right"] >= 0.9 * counts.total(), counts


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(40))
def test_any_part_of_a_file_of_ours_in_any_dress_is_right_or_asked_about(seed):
    chance = random.Random(seed)
    for style in styles(seed, 400):
        entries = windows(corpus()[chance.choice(sorted(corpus()))], chance)
        if is_knowable(entries, style):
            assert outcome(write(entries, style), entries) != "wrong", (style.label, entries)


TEXTS = st.sampled_from(
    """Tesco|Shell|Amazon|REWE Markt|Netflix|SALARY ACME|Lohn und Gehalt|REFUND ZALANDO|ATM WITHDRAWAL|Zzyx Ltd|Qwop|
    Bob|PAYMENT THANK YOU|ONLINE TRANSFER|Interest paid|Monthly fee|Carrefour|Miete|Mercadona|Virement salaire""".replace(
        "\n", ""
    ).split("|")
).map(str.strip)
AMOUNTS = st.decimals(min_value=Decimal("0.01"), max_value=99_999, places=2, allow_nan=False, allow_infinity=False)
OUTGOING = {
    "Tesco",
    "Shell",
    "Amazon",
    "REWE Markt",
    "Netflix",
    "ATM WITHDRAWAL",
    "Monthly fee",
    "Carrefour",
    "Miete",
    "Mercadona",
}
INCOMING = {
    "SALARY ACME",
    "Lohn und Gehalt",
    "REFUND ZALANDO",
    "PAYMENT THANK YOU",
    "Interest paid",
    "Virement salaire",
}


@st.composite
def ledgers(draw):
    """Rows whose words, where they say anything, mostly say the truth, as on any statement."""
    drawn = draw(st.lists(st.tuples(TEXTS, AMOUNTS, st.booleans(), st.integers(0, 9)), min_size=1, max_size=14))
    entries = []
    for number, (text, amount, up, odd) in enumerate(drawn):
        incoming = text in INCOMING or (text not in OUTGOING and up)
        if text in OUTGOING and odd == 0:
            incoming = True  # a refund
        entries.append(Entry(FIRST + timedelta(number), text, amount if incoming else -amount))
    return entries


@given(ledgers(), st.integers(0, 10_000))
@settings(deadline=None, max_examples=150)
def test_running_and_named_evidence_gives_every_sign(entries, seed):
    """Where the file proves its signs, each is right; a row that it leaves open is asked about or left out, said."""
    for sign in ("plus", "letter", "pair", "marks", "word"):
        style = Style(sign, words=seed, balance=bool(seed % 2), newest_first=bool(seed % 3))
        assert outcome(write(entries, style), entries) != "wrong", style.label


@given(ledgers(), st.booleans(), st.booleans())
@settings(deadline=None, max_examples=150)
def test_a_running_balance_proves_signs_that_were_taken_off(entries, header, newest_first):
    if len(entries) == 1 and not header:
        return  # two numbers in one row, and nothing says which of them is the balance
    style = Style("stripped", header=header, balance=True, newest_first=newest_first)
    assert outcome(write(entries, style), entries) != "wrong"


@given(ledgers(), st.booleans())
@settings(deadline=None, max_examples=150)
def test_signs_that_were_taken_off_are_asked_about_or_found(entries, header):
    assert outcome(write(entries, Style("stripped", header=header)), entries) != "wrong"


@given(ledgers(), st.booleans())
@settings(deadline=None, max_examples=150)
def test_signs_that_were_turned_are_asked_about_or_found(entries, header):
    """A list of nothing but minuses is money out (D14): so is one of deposits by unknown names, turned. Who has more of
    those than of purchases, and no word for any, gets no question; everybody else does.
    """
    spent = [entry for entry in entries if entry.amount < 0]
    truth = [*spent, *[entry for entry in entries if entry.amount > 0 and entry.text not in OUTGOING][: len(spent) - 1]]
    if spent:
        assert outcome(write(truth, Style("turned", header=header)), truth) != "wrong"


def rows_of(text: str, name: str = "bank.csv", **hints) -> list[tuple[str, str]]:
    return [(row.description, str(row.amount)) for row in read_statement(name, text.encode(), Hints(**hints)).rows]


def asked(text: str, name: str = "bank.csv", **hints) -> AmbiguousDirection:
    with pytest.raises(AmbiguousDirection) as caught:
        read_statement(name, text.encode(), Hints(**hints))
    return caught.value


LIST = "Date,Description,Amount\n2026-10-01,Tesco,12.50\n2026-10-04,Shell,40.00\n2026-10-09,Amazon,20.00\n2026-10-11,X,1.00\n"


def test_a_list_of_plain_amounts_is_asked_about_over_three_of_its_rows():
    question = asked(LIST)
    assert [(row.booked_on.isoformat(), row.description, row.amount) for row in question.rows] == [
        ("2026-10-01", "Tesco", "12.50"), ("2026-10-04", "Shell", "40.00"), ("2026-10-09", "Amazon", "20.00"),
    ]  # fmt: skip
    assert question.count == 4
    assert "--direction" in question.message


@pytest.mark.parametrize(
    ("told", "first"), [(Told.SPENT, "-12.50"), (Told.RECEIVED, "12.50"), (Told.AS_WRITTEN, "12.50")]
)
def test_the_answer_settles_it(told, first):
    assert rows_of(LIST, direction=told)[0] == ("Tesco", first)


def test_spent_means_most_rows_whichever_sign_they_have():
    mixed = "Date,Description,Amount\n2026-10-13,A,-1.00\n2026-10-14,B,-2.00\n2026-10-15,C,3.00\n"
    assert [amount for _, amount in rows_of(mixed, direction=Told.SPENT)] == ["-1.00", "-2.00", "3.00"]
    assert [amount for _, amount in rows_of(mixed, direction=Told.RECEIVED)] == ["1.00", "2.00", "-3.00"]


def test_what_was_said_of_a_layout_and_account_is_used_again_and_proof_goes_before_it():
    statement = read_statement("bank.csv", LIST.encode(), Hints(direction=Told.SPENT, file_account="Bank"))
    made = statement.direction
    assert (made.reading, made.learned, made.account) == (Reading.TURNED, True, "Bank")
    remembered = {(made.layout, made.account): made.reading}
    assert rows_of(LIST, remembered=remembered, file_account="Bank")[1] == ("Shell", "-40.00")
    asked(LIST, remembered=remembered, file_account="Other")
    signed = "Date,Description,Amount\n2026-10-13,A,- $1.00\n2026-10-14,B,+ $2.00\n"
    assert [amount for _, amount in rows_of(signed, remembered=remembered, file_account="Bank")] == ["-1.00", "2.00"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Venmo: words beside explicit signs don't count.
        (
            ("ID,Datetime,Type,Status,Note,From,To,Amount (total)\n1,2026-10-01T10:00:00,Payment,Complete,a,Me,Bob,- $10.00\n"
            "2,2026-10-02T10:00:00,Charge,Complete,b,Cy,Me,+ $20.00\n3,2026-10-03T10:00:00,Payment,Complete,c,Di,Me,+ $6.01\n"
            "4,2026-10-04T10:00:00,Charge,Complete,d,Me,Ed,- $5.00\n"),
            ["-10.00", "20.00", "6.01", "-5.00"],
        ),
        # An Austrian file without a header, one letter beside the amount.
        ("01.10.2026;Billa;12,50;S\n14.10.2026;Firma;2000,00;H\n15.10.2026;OMV;40,00;S\n", ["-12.50", "2000.00", "-40.00"]),
        ("01.10.2026;Billa;12,50;B\n14.10.2026;Firma;2000,00;G\n15.10.2026;OMV;40,00;B\n", ["-12.50", "2000.00", "-40.00"]),
        # A card with its payment among positive charges.
        (
            ("Date,Description,Amount\n13/10/2026,TESCO STORES 3142,12.50\n14/10/2026,SHELL OXFORD,40.00\n"
            "20/10/2026,PAYMENT RECEIVED - THANK YOU,-52.50\n"),
            ["-12.50", "-40.00", "52.50"],
        ),
        # Stated balances.
        (
            "Opening balance,100.00\nClosing balance,90.00\n\nDate,Description,Amount\n2026-10-13,Foo,15.00\n2026-10-14,Bar,-5.00\n",
            ["-15.00", "5.00"],
        ),
        # A bookkeeper's register, where the balance shows that debits came in.
        (
            (
                "Date,Payee,Debit,Credit,Balance\n2026-10-13,Tesco,,5.00,95.00\n2026-10-14,Salary,9.00,,104.00\n"
                "2026-10-15,Shell,,4.00,100.00\n"
            ),
            ["-5.00", "9.00", "-4.00"],
        ),
        # Letters in a column whose header says nothing.
        ("Data,Descrição,Valor,Coisa\n2026-10-13,Foo,5.00,D\n2026-10-14,Bar,9.00,C\n", ["-5.00", "9.00"]),
        # Only the credits are marked.
        ("Date,Description,Amount,Billing Sign\n2026-10-13,Foo,5.00,\n2026-10-14,Bar,9.00,CR\n", ["-5.00", "9.00"]),
        # A list of orders.
        ("Order Date,Order ID,Title,Total Charged\n2026-10-13,114-1,Cable,9.99\n2026-10-14,114-2,Lamp,20.00\n", ["-9.99", "-20.00"]),
        ("Date,Description,Category,Cost,Currency\n2026-10-13,Pizza,Dining out,24.00,USD\n", ["-24.00"]),
    ],
)  # fmt: skip
def test_evidence_of_each_kind_settles_the_signs(text, expected):
    assert [amount for _, amount in rows_of(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "Date,Description,Amount\n13/10/2026,TESCO,£12.50\n14/10/2026,SHELL,£40.00\n",
        "01.10.2026;Foo;12,50;X\n14.10.2026;Bar;20,00;Y\n",
        "Date,Description,Amount\n2026-10-13,Foo,-5.00\n2026-10-14,Bar,9.00\n",
        "Date,Description,Amount\n2026-10-13,SALARY,-2000.00\n2026-10-14,WAGES,-900.00\n",
        "2026-10-13,Foo,5.00,\n2026-10-14,Bar,,9.00\n",
        # A budget app, where only one row's word is not known.
        "Date,Amount,Description,Type\n2026-10-01,100.50,Grocer,expense\n2026-10-02,25.00,Thing,unknown\n2026-10-03,250.00,Employer,income\n",
        # A remark, codes of states, a word of one shop's list, an order book of a club.
        "Date,Client,Amount,Memo\n2026-10-13,ACME,1000.00,paid\n2026-10-14,Foo,900.00,paid\n",
        "Date,Description,Details,Amount\n2026-10-13,Invoice 1,sent,1000.00\n2026-10-14,Invoice 2,sent,900.00\n",
        "Date,Name,Amount,Region\n2026-10-13,Foo,12.50,IN\n2026-10-14,Bar,20.00,UT\n2026-10-15,Baz,30.00,IN\n",
        "Date,Order,Description,Amount\n2026-10-13,1,Tom,2500.00\n2026-10-14,2,Ann,300.00\n2026-10-15,3,Kim,30.00\n",
        "Order Date,Order ID,Title,Total\n2026-10-13,1,SALARY ACME,2500.00\n2026-10-14,2,Foo,30.00\n",
        "Order ID,Sale Date,Buyer,Order Total\n1,2026-10-13,Ann,20.00\n2,2026-10-14,Bob,30.00\n",
        "Date,Description,Amount,Balance\n2026-10-13,TESCO,12.50,112.50\n2026-10-14,SHELL,40.00,152.50\n2026-10-15,LIDL,9.00,161.50\n2026-10-16,PAYMENT RECEIVED,-100.00,61.50\n",
    ],
)
def test_what_nothing_proves_is_asked(text):
    asked(text)


def test_a_cards_balance_is_what_is_owed():
    text = (
        "Credit card,1234********5678\n\nDate,Description,Amount,Balance\n2026-10-13,TESCO,12.50,112.50\n"
        "2026-10-14,SHELL,40.00,152.50\n2026-10-16,PAYMENT RECEIVED,-100.00,52.50\n"
    )
    assert [amount for _, amount in rows_of(text)] == ["-12.50", "-40.00", "100.00"]


def test_a_row_against_its_own_words_is_said():
    text = "Date,Description,Amount\n2026-10-13,Tesco,-5.00\n2026-10-14,Shell,-6.00\n2026-10-15,Aldi,-7.00\n2026-10-16,Lidl,-7.00\n2026-10-17,SALARY,-9.00\n"
    (warning,) = read_statement("bank.csv", text.encode()).warnings
    assert "row 6" in warning
    assert "SALARY" in warning


def test_one_and_the_same_as_payer_and_payee_moves_own_money():
    text = "Buchungsdatum;Zahlungspflichtige*r;Zahlungsempfänger*in;Verwendungszweck;Umsatztyp;Betrag (€)\n13.10.26;Ann Muster;Ann Muster;Sparen;Ausgang;-500,00\n14.10.26;Ann Muster;REWE;Einkauf;Ausgang;-5,00\n"
    assert [row.to_self for row in read_statement("giro.csv", text.encode()).rows] == [True, False]


def test_signs_need_no_table_in_memory():
    """A million amounts are counted in one pass; only words and balances of the moment are kept."""
    out = io.StringIO()
    csv.writer(out).writerows([["2026-10-13", f"Shop {n}", f"-{n}.00"] for n in range(1, 3000)])
    statement = read_statement("long.csv", out.getvalue().encode())
    assert sum(row.amount for row in statement.rows) == -sum(map(Decimal, range(1, 3000)))


def test_a_file_of_nothing_is_no_question():
    assert read_statement("bank.csv", b"Date,Description,Amount\n").rows == ()
    with pytest.raises(UnreadableFile):
        read_statement("bank.csv", b"hello\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A heading that says nothing, over nothing but sides.
        (
            "Datum;Text;Art;Betrag\n13.10.2026;A;Belastung;12,50\n14.10.2026;B;Gutschrift;9,00\n15.10.2026;C;Belastung;1,00\n",
            ["-12.50", "9.00", "-1.00"],
        ),
        # The balance shows that a fee beside two columns is charged on top.
        (
            (
                "Date,Details,Money In,Money Out,Fee,Balance\n2026-10-13,Top-up,100.00,,,100.00\n"
                "2026-10-14,Cash,,20.00,1.50,78.50\n2026-10-15,Foo,,7.50,1.00,70.00\n"
            ),
            ["100.00", "-21.50", "-8.50"],
        ),
        # Balances among the rows, of which the side column says that they came in.
        (
            "Datum;Verwendungszweck;Betrag;S/H\n13.10.2026;Anfangssaldo;100,00;H\n14.10.2026;Foo;20,00;S\n15.10.2026;Endsaldo;80,00;H\n",
            ["-20.00"],
        ),
        # The oldest row has no balance before it, and says itself that it is a salary.
        (
            "Date,Description,Amount,Balance\n2026-10-13,SALARY ACME,900.00,1000.00\n2026-10-14,Foo,20.00,980.00\n2026-10-15,Bar,5.00,985.00\n",
            ["900.00", "-20.00", "5.00"],
        ),
        ("Datum;Popis;Směr;Částka\n13.10.2026;Foo;Odchozí platba;12,50\n14.10.2026;Bar;Příchozí platba;9,00\n", ["-12.50", "9.00"]),
        # What an amount is in stands in brackets behind its name; a branch's number is no amount.
        (
            "Data;Lançamento;Ag./Origem;Valor (R$)\n13.10.2026;A;4410;12,50 D\n14.10.2026;B;4410;9,00 C\n",
            ["-12.50", "9.00"],
        ),
        ("Date,Description,Amount (Dr),Amount (Cr)\n2026-10-13,A,20.00,\n2026-10-14,B,,9.00\n", ["-20.00", "9.00"]),
        # Equal amounts are amounts all the same.
        ("2026-01-05,Netflix,-9.99,-100.00\n2026-02-05,Netflix,-9.99,-109.99\n2026-03-05,Netflix,-9.99,-119.98\n", ["-9.99"] * 3),
        # The fee is on top of unsigned amounts as well.
        (
            (
                "Date,Description,Type,Amount,Fee,Status,Balance\n2026-10-12,Pay,Credit,200.00,0.00,ok,200.00\n"
                "2026-10-13,A,Debit,50.00,2.00,ok,148.00\n2026-10-14,B,Debit,20.00,1.00,ok,127.00\n"
            ),
            ["200.00", "-52.00", "-21.00"],
        ),
        ("2026-10-13,A,4410,-12.50\n2026-10-14,B,4410,-9.00\n2026-10-15,C,4410,9.00\n", ["-12.50", "-9.00", "9.00"]),
        ("Datum;Specifikation;Belopp\n2026-10-13;ICA;-12,50\n2026-10-14;Foo;-9,00\n2026-10-15;Bar;9,00\n", ["-12.50", "-9.00", "9.00"]),
    ],
)  # fmt: skip
def test_the_whole_file_is_weighed(text, expected):
    assert [amount for _, amount in rows_of(text)] == expected


def test_a_means_of_payment_is_no_direction():
    asked("Date,Description,Payment method,Amount\n2026-10-13,Foo,Pay in 3,12.50\n2026-10-14,Bar,Pay in 3,9.00\n")


def test_a_word_that_is_not_known_is_asked_about_or_told_by_its_row():
    lines = "Fecha;Concepto;Tipo;Importe\n13.10.2026;Foo;Gasto;12,50\n14.10.2026;Bar;Ingreso;9,00\n15.10.2026;{};Otro;5,00\n"
    asked(lines.format("Baz"))
    assert [amount for _, amount in rows_of(lines.format("REFUND Baz"))] == ["-12.50", "9.00", "5.00"]


def test_a_file_of_zeros_is_not_read():
    with pytest.raises(UnreadableFile, match="zero"):
        read_statement("bank.csv", b"Date,Description,Amount\n2026-10-13,Foo,0\n2026-10-14,Bar,0.00\n")


ORDERS = (
    "Order ID,Order Date,Record,Order Total,Order Status\n1,2026-10-13,{},20.00,{}\n2,2026-10-14,Order,9.00,Delivered\n"
)


def test_an_order_that_was_paid_back_is_told_by_its_type_and_asked_about_by_its_state():
    assert [amount for _, amount in rows_of(ORDERS.format("Order", "Delivered"))] == ["-20.00", "-9.00"]
    assert [amount for _, amount in rows_of(ORDERS.format("Refund", "Delivered"))] == ["20.00", "-9.00"]
    assert [amount for _, amount in rows_of(ORDERS.format("Order", "Cancelled"))] == ["-9.00"]
    asked(ORDERS.replace("Record", "Shop").format("Pho", "Refunded"))


def test_types_beside_a_cards_number_may_be_a_debit_cards():
    """All amounts are positive; a payment is money in on a credit card, and the rent on another."""
    asked(
        "Date,Card ending,Type,Details,Amount\n2026-10-13,0448,Purchase,A,20.00\n2026-10-14,0448,Payment,B,9.00\n2026-10-15,0448,Refund,C,1.00\n"
    )


def test_only_income_marked_among_turned_signs_turns_them():
    """A budget app lists spending without a minus and income with one, and names only the income."""
    text = "Date,Name,Amount,Type\n2026-10-13,A,20.00,regular\n2026-10-14,B,-900.00,income\n2026-10-15,C,7.00,regular\n2026-10-16,D,-900.00,income\n"
    assert [amount for _, amount in rows_of(text)] == ["-20.00", "900.00", "-7.00", "900.00"]


def test_a_balance_in_a_column_that_is_not_known_is_no_transaction():
    text = "Datum;Kundenreferenz;Betrag; \n13.10.2026;Foo;20,00;S\n14.10.2026;Anfangssaldo;100,00;H\n14.10.2026;Endsaldo;80,00;H\n"
    assert [amount for _, amount in rows_of(text)] == ["-20.00"]


def test_a_fee_is_charged_on_top_whichever_sign_money_out_has_and_by_itself():
    text = (
        "Date,Description,Money In,Money Out,Fee,Balance\n2026-10-13,A,,-100.00,,900.00\n2026-10-14,B,,-50.00,-6.00,844.00\n"
        "2026-10-15,Monthly fee,,,-4.00,840.00\n"
    )
    assert [amount for _, amount in rows_of(text)] == ["-100.00", "-56.00", "-4.00"]


def test_a_zero_where_the_balance_moves_is_left_out_and_said():
    """The column that was read is not the one that holds this row's amount."""
    text = (
        "Date,Description,Amount,Other,Balance\n2026-10-12,A,5.00,,100.00\n2026-10-13,B,20.00,,80.00\n2026-10-14,C,0.00,9.00,89.00\n"
        "2026-10-15,D,4.00,,85.00\n2026-10-16,E,1.00,,84.00\n2026-10-17,F,1.00,,83.00\n2026-10-18,G,1.00,,82.00\n"
        "2026-10-19,H,2.00,,80.00\n2026-10-20,I,2.00,,78.00\n2026-10-21,J,2.00,,76.00\n2026-10-22,K,2.00,,74.00\n2026-10-23,L,2.00,,72.00\n"
    )
    statement = read_statement("bank.csv", text.encode(), Hints(direction=Told.SPENT))
    assert [row.reason for row in statement.rejected] == ["the balance moves here, although the amount is zero"]


@pytest.mark.parametrize("answer", [Told.SPENT, Told.RECEIVED])
def test_an_answer_about_refunds_is_about_nothing_else(answer):
    text = "Order ID,Order Date,Item,Total,Order Status\n1,2026-10-13,A,50.00,Delivered\n2,2026-10-14,B,20.00,Refunded\n3,2026-10-15,C,100.00,Delivered\n"
    asked(text)
    statement = read_statement("shop.csv", text.encode(), Hints(direction=answer))
    sign = -1 if answer is Told.SPENT else 1
    assert [row.amount for row in statement.rows] == [-50, 20 * sign, -100]
    assert statement.direction is not None
    assert not statement.direction.learned


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        *((text, True) for text in ("Closing Balance", "Opening balance 01/06/2026", "Closing balance as of 31 May 2026", "Kontostand am 31.05.2026")),
        *((text, True) for text in ("SALDO DO DIA", "Anfangssaldo EUR", "EB-Wert / Saldovortrag", "Saldo anterior: 20,00")),
        *((text, False) for text in ("Brought Forward Books", "Devir Iberia", "Saldo Al Dente", "Total Credits Gym", "Previous balance paid")),
    ],
)  # fmt: skip
def test_a_balance_is_told_from_a_shop(text, is_one):
    assert is_balance(text) is is_one


def test_what_was_spent_is_told_from_what_came_back_by_the_rows_words():
    """The person says that these were spent; a return and a payment of the card in the same list were not."""
    text = (
        "Date,Details,Type,Amount\n2026-10-13,TARGET,Sale,20.00\n2026-10-14,TARGET,Return,9.00\n2026-10-15,COSTCO,Sale,1.00\n"
        "2026-10-16,AUTOPAY PAYMENT THANK YOU,Payment,12.00\n"
    )
    asked(text)
    for hints in (Hints(direction=Told.SPENT), Hints(direction=Told.SPENT, file_account="Visa card")):
        statement = read_statement("bank.csv", text.encode(), hints)
        assert [str(row.amount) for row in statement.rows] == ["-20.00", "9.00", "-1.00", "12.00"]
        assert statement.warnings == ()


def test_sides_of_two_words_are_no_description():
    assert rows_of("2026-10-14,Ann,300.00,Money in\n2026-10-13,Tesco,9.80,Money out\n") == [
        ("Ann", "300.00"),
        ("Tesco", "-9.80"),
    ]


@pytest.mark.parametrize(
    ("header", "lines"),
    [
        ("Amount,Total amount,Fee", ["-10.00,-10.50,0.50", "-5.00,-5.00,0.00", "20.00,20.00,0.00"]),
        ("Fee,Total amount (EUR),Qil", ["0.50,-10.50,x", "0.00,-5.00,y", "0.00,20.00,z"]),
        ("Amount,Fee", ["-10.00,0.50", "-5.00,0.00", "20.00,0.00"]),
    ],
)
def test_a_fee_is_charged_once_whether_the_amount_is_before_it_or_after(header, lines):
    """One row with a fee is enough where the columns' names or all balances tell."""
    dates = ("2026-10-15", "2026-10-14", "2026-10-13")
    balances = ("104.50", "115.00", "120.00")
    rows = [f"{day},Foo,{line},done,{after}\n" for day, line, after in zip(dates, lines, balances, strict=True)]
    text = f"Date,Description,{header},State,Balance\n" + "".join(rows)
    assert [amount for _, amount in rows_of(text)] == ["-10.50", "-5.00", "20.00"]


def test_a_fee_that_one_balance_shows_to_be_inside_is_charged_once():
    text = (
        "Date,Description,Amount,Fee,State,Balance\n2026-10-12,A,100.00,0.00,ok,100.00\n2026-10-13,B,-50.00,2.00,ok,50.00\n"
        "2026-10-14,C,-20.00,0.00,ok,30.00\n2026-10-15,D,-5.00,0.00,ok,25.00\n"
    )
    assert [amount for _, amount in rows_of(text)] == ["100.00", "-50.00", "-20.00", "-5.00"]


NAMED = """Date,Text,Sum,{},Balance
2026-10-13,Foo,90.00,Zuq,990.00
2026-10-14,Bar,40.00,Qil,950.00
2026-10-15,Baz,25.00,Zuq,975.00
2026-10-16,Foo,15.00,Qil,960.00
"""


def test_a_column_that_is_named_for_its_two_words_tells_the_row_that_has_no_balance_before_it():
    """The words are of no language that we know; the other rows' balances tell which of them is money in."""
    amounts = [amount for _, amount in rows_of(NAMED.format("Qil / Zuq"))]
    assert amounts == ["90.00", "-40.00", "25.00", "-15.00"]


@pytest.mark.parametrize("name", ["Way", "Qil / Xop", "Qil / Zuq / Xop"])
def test_a_column_of_another_name_leaves_that_row_open(name):
    asked(NAMED.format(name))


def test_a_word_of_both_signs_leaves_that_row_open():
    asked(NAMED.format("Qil / Zuq").replace("Foo,15.00,Qil,960", "Foo,15.00,Zuq,960"))


def test_greek_and_korean_words_of_sides_are_known():
    assert rows_of("Ημερομηνία;Περιγραφή;Ποσό;Χρέωση / Πίστωση\n13/10/2026;Α;12,50;Χρέωση\n14/10/2026;Β;9,00;Πίστωση\n") == [
        ("Α", "-12.50"), ("Β", "9.00"),
    ]  # fmt: skip
    assert rows_of("거래일시,적요,출금액(원),입금액(원)\n2026.10.13,가나,1200,0\n2026.10.14,다라,0,900\n") == [
        ("가나", "-1200"), ("다라", "900"),
    ]  # fmt: skip


SHOPS = "Tesco|Shell|Amazon|REWE Markt|Netflix|Carrefour|Mercadona|Starbucks|Lidl|Spotify|IKEA|Uber|Aldi".split("|")


def owed(shops):
    """A card without a header and without a sign, whose balance is what is owed."""
    balance, lines = Decimal(0), []
    moved = [(name, Decimal("12.50") + place, 1) for place, name in enumerate(shops)]
    moved.append(("PAYMENT - THANK YOU", Decimal("80.00"), -1))
    for place, (name, amount, side) in enumerate(moved):
        balance += amount * side
        cells = (str(amount), "") if side > 0 else ("", str(amount))
        lines.append(f"2026-10-{place + 1:02},{name},{','.join(cells)},{balance}\n")
    return "".join(lines), [str(-amount * side) for _, amount, side in moved]


def test_a_dozen_shops_whose_amounts_raise_the_balance_prove_that_it_is_owed():
    text, expected = owed(SHOPS)
    assert [amount for _, amount in rows_of(text)] == expected


def test_a_few_shops_do_not():
    asked(owed(SHOPS[:5])[0])
