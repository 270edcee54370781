"""Imports on both databases: nothing twice, nothing lost, all of it taken back, and a kill leaves no trace."""

from __future__ import annotations

import csv
import io
import random
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from ledger import schema
from ledger.direction import Told
from ledger.errors import AmbiguousCurrency, NothingToUndo
from ledger.filters import Filter
from ledger.importers import Hints
from ledger.imports import ImportReport, import_files, undo_import
from ledger.staging import sweep
from ledger.statement_writer import SourceFile
from ledger.transactions import Kind

if TYPE_CHECKING:
    from ledger.people import Person
    from ledger.repository import Repository
    from ledger.store import Store

ROOT = Path(__file__).parents[2]
BANK = ROOT / "tests/data/bank"


@dataclass(frozen=True)
class Row:
    """One row of a made-up bank, signed."""

    day: date
    cents: int
    text: str
    category: str = ""
    account: str = "Checking"

    @property
    def amount(self) -> Decimal:
        return Decimal(self.cents).scaleb(-2)


SHOPS = [("TRADER JOE'S #552", "Groceries"), ("SQ *BLUE BOTTLE 12", "Coffee Shops"), ("SHELL OIL 5744", "Gas & Fuel")]


def two_years(seed: int = 1, per_month: int = 20) -> list[Row]:
    """Two years of purchases, a salary a month, and equal purchases on one day now and then."""
    dice = random.Random(seed)
    rows: list[Row] = []
    for number in range(24):
        start = date(2024 + number // 12, number % 12 + 1, 1)
        rows.append(Row(start, 250_000, "ACME PAYROLL", "Paycheck"))
        for _ in range(per_month):
            text, category = dice.choice(SHOPS)
            row = Row(start + timedelta(dice.randrange(28)), -dice.randrange(1, 30_000), text, category)
            rows += [row, row] if dice.random() < 0.1 else [row]
    return sorted(rows, key=lambda row: row.day)


def mint(rows: list[Row]) -> bytes:
    header = "Date,Description,Original Description,Amount (USD),Transaction Type,Category,Account Name,Labels,Notes"
    lines = [
        [f"{r.day:%m/%d/%Y}", r.text.title(), r.text, str(abs(r.amount)), "credit" if r.cents > 0 else "debit", r.category,
         r.account, "", ""]
        for r in reversed(rows)
    ]  # fmt: skip
    return table(header.split(","), lines)


def three_columns(rows: list[Row]) -> bytes:
    return table(["Date", "Description", "Amount"], [[f"{r.day:%m/%d/%Y}", r.text, str(r.amount)] for r in rows])


def german(rows: list[Row]) -> bytes:
    header = ["Buchungstag", "Verwendungszweck", "Begünstigter/Zahlungspflichtiger", "Betrag", "Währung"]
    lines = [[f"{r.day:%d.%m.%Y}", "Einkauf für Müller", r.text, comma(r.amount), "EUR"] for r in rows]
    return table(header, lines, ";").decode().encode("latin-1")


def comma(amount: Decimal) -> str:
    return f"{amount:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")


def ofx(rows: list[Row]) -> bytes:
    records = "".join(
        f"<STMTTRN><TRNTYPE>{'CREDIT' if r.cents > 0 else 'DEBIT'}<DTPOSTED>{r.day:%Y%m%d}<TRNAMT>{r.amount}"
        f"<FITID>{number}<NAME>{r.text.replace('&', '&amp;')[:32]}</STMTTRN>"
        for number, r in enumerate(rows)
    )
    return (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD"
        "<BANKACCTFROM><BANKID>1<ACCTID>4711<ACCTTYPE>CHECKING</BANKACCTFROM>"
        f"<BANKTRANLIST>{records}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    ).encode()


def table(header: list[str], lines: list[list[str]], delimiter: str = ",") -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows([header, *lines])
    return out.getvalue().encode()


FORMS = {"mint": (mint, "USD"), "three": (three_columns, "USD"), "german": (german, "EUR"), "ofx": (ofx, "USD")}


@pytest.fixture
async def mine(store: Store, alice: Person) -> Repository:
    return await store.repository(alice)


async def stored(repository: Repository) -> list[tuple[date, int, str]]:
    return sorted((row.booked_on, row.amount_minor, row.currency) for row in await repository.rows(Filter()))


def expected(rows: list[Row], currency: str = "USD") -> list[tuple[date, int, str]]:
    return sorted((row.day, row.cents, currency) for row in rows)


async def bring(repository: Repository, name: str, data: bytes) -> ImportReport:
    """Import one file; one of few rows leaves open which number is the month, what is money out, and in what: that is told."""
    hints = Hints(day_first=False, direction=Told.AS_WRITTEN)
    return await import_files(repository, [SourceFile(name, data)], hints, currency="USD")


@pytest.mark.parametrize("form", FORMS)
async def test_two_years_are_there_to_the_cent(mine, form):
    write, currency = FORMS[form]
    rows = two_years()
    report = await bring(mine, f"bank.{'ofx' if form == 'ofx' else 'csv'}", write(rows))
    (file,) = report.files
    assert (file.found, file.added, file.duplicates, file.rejected, file.error) == (len(rows), len(rows), 0, (), None)
    assert file.sums == {currency: sum(row.amount for row in rows)}
    assert (file.first, file.last) == (rows[0].day, rows[-1].day)
    assert await stored(mine) == expected(rows, currency)


@pytest.mark.parametrize("form", FORMS)
async def test_the_same_file_again_adds_nothing(store, mine, dump, form):
    data = FORMS[form][0](two_years(per_month=5))
    await bring(mine, "bank.csv", data)
    before = await dump(store)
    again = await bring(mine, "bank.csv", data)
    renamed = await bring(mine, "Downloads/bank (1).csv", data)
    other = await bring(mine, "kopie vom konto.csv", data)
    for report in (again, renamed, other):
        assert (report.batch, report.files[0].added, report.files[0].duplicates) == (None, 0, report.files[0].found)
    assert await dump(store) == before


@pytest.mark.parametrize("form", ["mint", "three", "german"])
@pytest.mark.parametrize("names", [("bank_2024.csv", "bank_2025.csv"), ("giro old.csv", "giro new.csv")])
async def test_of_overlapping_exports_only_the_new_is_added(mine, form, names):
    write, currency = FORMS[form]
    rows = two_years()
    cut = date(2025, 1, 15)
    early = [row for row in rows if row.day <= cut + timedelta(14)]
    late = [row for row in rows if row.day > cut - timedelta(14)]
    await bring(mine, names[0], write(early))
    report = await bring(mine, names[1], write(late))
    assert report.files[0].added == len(rows) - len(early)
    assert await stored(mine) == expected(rows, currency)


async def test_two_accounts_with_a_few_equal_rows_stay_two(mine):
    """The same subscription on two cards is paid twice."""
    one = [Row(date(2026, 1, n), -100 - n, f"SHOP {chr(64 + n)}") for n in range(1, 21)]
    two = [*one[:2], *(Row(date(2026, 1, n), -200 - n, f"STORE {chr(64 + n)}") for n in range(3, 21))]
    await bring(mine, "visa.csv", three_columns(one))
    report = await bring(mine, "amex.csv", three_columns(two))
    assert report.files[0].added == len(two)
    assert {account.name for account in await mine.accounts()} == {"Visa", "Amex"}


async def test_two_equal_purchases_on_a_day_stay_two(mine):
    coffee = Row(date(2026, 10, 3), -450, "BLUE BOTTLE")
    await bring(mine, "a.csv", three_columns([coffee, coffee]))
    assert len(await stored(mine)) == 2
    again = await bring(mine, "a.csv", three_columns([coffee, coffee, coffee]))
    assert again.files[0].added == 1
    assert len(await stored(mine)) == 3


async def test_files_at_once_are_one_batch(mine):
    rows = two_years(per_month=3)
    other = [Row(row.day, row.cents - 7, row.text, row.category, "Visa") for row in rows]
    report = await import_files(
        mine,
        [SourceFile("a.csv", mint(rows)), SourceFile("a copy.csv", mint(rows)), SourceFile("b.csv", mint(other))],
    )
    assert [(file.added, file.duplicates) for file in report.files] == [
        (len(rows), 0),
        (0, len(rows)),
        (len(other), 0),
    ]
    undone = await undo_import(mine)
    assert (undone.batch, undone.removed) == (report.batch, len(rows) + len(other))
    assert await stored(mine) == []


async def test_an_unreadable_file_does_not_stop_the_others(mine):
    rows = two_years(per_month=2)
    files = [SourceFile("x.pdf", b"%PDF-1.7\n\x00\x01"), SourceFile("a.csv", mint(rows)), SourceFile("empty.csv", b"")]
    report = await import_files(mine, files)
    assert [bool(file.error) for file in report.files] == [True, False, True]
    assert report.failed
    assert await stored(mine) == expected(rows)


async def test_a_bad_row_is_named_and_the_rest_kept(mine):
    data = b"Date,Description,Amount (USD)\n01/15/2026,GOOD,-1.00\n01/16/2026,BAD,lots\n01/17/2026,GOOD,-2.00\n"
    report = await bring(mine, "a.csv", data)
    (rejected,) = report.files[0].rejected
    assert rejected.row == 3
    assert await stored(mine) == [(date(2026, 1, 15), -100, "USD"), (date(2026, 1, 17), -200, "USD")]


async def test_a_dry_run_changes_nothing_and_says_the_same(store, mine, dump):
    rows = two_years(per_month=4)
    await bring(mine, "a.csv", mint(rows[:20]))
    before = await dump(store)
    files = [
        SourceFile("b.csv", mint(rows)),
        SourceFile("x.bin", b"\x00\x01\x02"),
        SourceFile("c.csv", three_columns(rows)),
    ]
    dry = await import_files(mine, files, dry_run=True)
    assert await dump(store) == before
    real = await import_files(mine, files)
    assert (dry.batch, dry.files) == (None, real.files)
    assert real.batch is not None


@pytest.mark.parametrize("form", FORMS)
async def test_undo_restores_what_was_before(store, mine, dump, bookkeeping, form):
    write, currency = FORMS[form]
    rows = two_years(per_month=6)
    await bring(mine, "bank_1.csv", write(rows[: len(rows) // 2]))
    before = await dump(store, without=bookkeeping)
    report = await bring(mine, "bank_2.csv", write(rows))
    undone = await undo_import(mine, report.batch)
    assert undone.removed == report.files[0].added
    assert await dump(store, without=bookkeeping) == before
    again = await bring(mine, "bank_2.csv", write(rows))
    assert again.files[0].added == report.files[0].added
    assert await stored(mine) == expected(rows, currency)


async def test_undo_takes_one_batch_after_the_other_and_none_twice(mine):
    rows = two_years(per_month=2)
    first = await bring(mine, "a.csv", mint(rows[:10]))
    second = await bring(mine, "b.csv", mint(rows))
    assert (await undo_import(mine)).batch == second.batch
    assert (await undo_import(mine)).batch == first.batch
    with pytest.raises(NothingToUndo):
        await undo_import(mine)
    with pytest.raises(NothingToUndo):
        await undo_import(mine, first.batch)


async def test_an_import_can_come_and_go_again(mine):
    """Also while the search index has not yet heard of the first going."""
    rows = two_years(per_month=1)
    for _ in range(3):
        report = await bring(mine, "a.csv", mint(rows))
        assert (await undo_import(mine)).removed == report.files[0].added == len(rows)


async def test_nobody_undoes_the_import_of_another(store, alice, bob):
    mine, theirs = await store.repository(alice), await store.repository(bob)
    report = await bring(theirs, "a.csv", mint(two_years(per_month=1)))
    with pytest.raises(NothingToUndo):
        await undo_import(mine, report.batch)
    assert len(await stored(theirs)) == report.files[0].added


MOVES = {
    "checking.csv": [
        Row(date(2026, 3, 2), -50_000, "ONLINE TRANSFER TO SAVINGS"),
        Row(date(2026, 3, 10), -12_345, "CHASE CREDIT CRD AUTOPAY"),
        Row(date(2026, 3, 12), -77_700, "SOMETHING ELSE"),
    ],
    "savings.csv": [
        Row(date(2026, 3, 5), 50_000, "ONLINE TRANSFER FROM CHECKING"),
        Row(date(2026, 3, 31), 123, "INTEREST PAID"),
    ],
    "credit card.csv": [
        Row(date(2026, 3, 12), 12_345, "AUTOPAY PAYMENT - THANK YOU"),
        Row(date(2026, 3, 13), -999, "TRADER JOE'S #552"),
        Row(date(2026, 3, 20), 999, "TRADER JOE'S #552"),
    ],
}


async def kinds(repository: Repository) -> dict[tuple[str, int], Kind]:
    return {(row.account, row.amount_minor): row.kind for row in await repository.rows(Filter())}


async def pairs(store: Store) -> set[frozenset[int]]:
    table = schema.transactions.c
    async with store.read() as connection:
        found = await connection.execute(sa.select(table.id, table.pair_id).where(table.pair_id.is_not(None)))
        sides = {row.id: row.pair_id for row in found}
    assert all(sides[other] == one for one, other in sides.items())
    return {frozenset(pair) for pair in sides.items()}


@pytest.mark.parametrize("order", [list(MOVES), list(reversed(MOVES))])
async def test_movements_between_own_accounts_are_paired(store, mine, order):
    for name in order:
        await bring(mine, name, three_columns(MOVES[name]))
    assert await kinds(mine) == {
        ("Checking", -50_000): Kind.TRANSFER,
        ("Savings", 50_000): Kind.TRANSFER,
        ("Savings", 123): Kind.INTEREST,
        ("Checking", -12_345): Kind.CARD_PAYMENT,
        ("Credit card", 12_345): Kind.CARD_PAYMENT,
        ("Checking", -77_700): Kind.PURCHASE,
        ("Credit card", -999): Kind.PURCHASE,
        ("Credit card", 999): Kind.REFUND,
    }
    assert len(await pairs(store)) == 2


@pytest.mark.parametrize(("days", "paired"), [(0, True), (4, True), (5, False), (-4, True), (-5, False)])
async def test_two_sides_are_at_most_four_days_apart(store, mine, days, paired):
    day = date(2026, 3, 10)
    await bring(mine, "giro.csv", three_columns([Row(day, -33_300, "ZZTOP ONE")]))
    await bring(mine, "savings.csv", three_columns([Row(day + timedelta(days), 33_300, "QQTOP TWO")]))
    assert len(await pairs(store)) == (1 if paired else 0)
    spent = sum(row.amount_minor for row in await mine.rows(Filter(kinds=(Kind.PURCHASE,))))
    assert spent == (0 if paired else -33_300)


async def test_undoing_one_side_of_a_pair_frees_the_other(store, mine, dump, bookkeeping):
    day = date(2026, 3, 10)
    await bring(mine, "giro.csv", three_columns([Row(day, -33_300, "ZZTOP ONE")]))
    before = await dump(store, without=bookkeeping)
    await bring(mine, "savings.csv", three_columns([Row(day, 33_300, "QQTOP TWO")]))
    assert await kinds(mine) == {("Giro", -33_300): Kind.TRANSFER, ("Savings", 33_300): Kind.TRANSFER}
    await undo_import(mine)
    assert await kinds(mine) == {("Giro", -33_300): Kind.PURCHASE}
    assert await dump(store, without=bookkeeping) == before
    await bring(mine, "savings.csv", three_columns([Row(day, 33_300, "QQTOP TWO")]))
    assert len(await pairs(store)) == 1


async def test_the_files_own_categories_say_the_kind(mine):
    said = {
        "Transfer": (-100, Kind.TRANSFER),
        "Credit Card Payment": (-200, Kind.CARD_PAYMENT),
        "Paycheck": (300, Kind.INCOME),
        "Bank Fee": (-400, Kind.FEE),
        "Interest Income": (500, Kind.INTEREST),
        "Groceries": (-600, Kind.PURCHASE),
        "Cash & ATM": (-700, Kind.CASH),
    }
    rows = [Row(date(2026, 3, 1), cents, f"X{cents}", category) for category, (cents, _) in said.items()]
    await bring(mine, "a.csv", mint([*rows, Row(date(2026, 3, 2), 50, "X-600", "Groceries")]))
    found = {row.amount_minor: row.kind for row in await mine.rows(Filter())}
    assert found == {**dict(said.values()), 50: Kind.REFUND}


async def test_a_persons_rule_wins_over_the_file(store, mine):
    async with store.write() as connection:
        values = {
            "ledger_id": mine.ledger_id,
            "pattern": "Blue Bottle Coffee",
            "category": "Treats",
            "created_at": "2026",
        }
        await connection.execute(schema.rules.insert().values(values))
    day = date(2026, 3, 1)
    rows = [Row(day, -450, "SQ *BLUE BOTTLE 123", "Coffee Shops"), Row(day, -900, "SHELL OIL", "Gas & Fuel")]
    await bring(mine, "a.csv", mint(rows))
    found = {row.amount_minor: row.category for row in await mine.rows(Filter())}
    assert found[-450] == "Treats"
    assert found[-900] != "Treats"


async def test_a_rule_of_another_person_does_not_count(store, alice, bob):
    mine, theirs = await store.repository(alice), await store.repository(bob)
    async with store.write() as connection:
        values = {
            "ledger_id": theirs.ledger_id,
            "pattern": "Blue Bottle Coffee",
            "category": "Treats",
            "created_at": "2026",
        }
        await connection.execute(schema.rules.insert().values(values))
    await bring(mine, "a.csv", mint([Row(date(2026, 3, 1), -450, "SQ *BLUE BOTTLE 123", "Coffee Shops")]))
    assert {row.category for row in await mine.rows(Filter())} == {"Coffee Shops"}


async def test_names_held_in_memory_follow_an_import_and_its_undoing(mine):
    rows = two_years(per_month=2)
    assert (await mine.vocabulary()).count == 0
    await bring(mine, "a.csv", mint(rows))
    assert (await mine.vocabulary()).count == len(rows)
    await undo_import(mine)
    empty = await mine.vocabulary()
    assert (empty.count, empty.merchants, empty.accounts) == (0, (), ())


async def test_several_accounts_in_one_file(mine):
    rows = [
        Row(date(2026, 3, n), -n * 100, f"SHOP {n}", "Groceries", ("Visa", "Checking")[n % 2]) for n in range(1, 11)
    ]
    await bring(mine, "mint.csv", mint(rows))
    sums: dict[str, int] = defaultdict(int)
    for row in await mine.rows(Filter()):
        sums[row.account] += row.amount_minor
    assert sums == {"Visa": -3000, "Checking": -2500}


CARD = (
    "Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit\n2026-10-02,2026-10-03,{},HULU,TV,5.49,\n"
)


async def test_two_cards_of_one_bank_stay_two_and_the_bank_names_them(mine):
    for number in ("1234", "9876", "1234"):
        await bring(mine, f"{number}.csv", CARD.format(number).encode())
    assert sorted(row.account for row in await mine.rows(Filter())) == ["Capital One", "Capital One 9876"]


async def test_the_layout_names_the_account_where_the_file_does_not(mine):
    report = await bring(mine, "statement(3).csv", (BANK / "made_up/monzo.csv").read_bytes())
    assert report.files[0].account == "Monzo"
    renamed = await bring(mine, "other.csv", (BANK / "made_up/monzo.csv").read_bytes())
    assert (renamed.files[0].account, renamed.files[0].added) == ("Monzo", 0)


@pytest.mark.parametrize(
    ("path", "count", "total"),
    [
        ("made_up/three_columns.csv", 2, {"USD": "-12.13"}),
        ("made_up/comdirect.csv", 2, {"EUR": "32.80"}),
        ("made_up/sparkasse_camt052.xml", 7, {"EUR": "1283.92"}),
        ("made_up/deutsche_bank.sta", 3, {"EUR": "750.00", "USD": "-4.50"}),
    ],
)
async def test_files_of_banks(mine, path, count, total):
    report = await bring(mine, path, (BANK / path).read_bytes())
    (file,) = report.files
    assert (file.added, {code: str(amount) for code, amount in file.sums.items()}) == (count, total)


async def test_two_formats_of_one_account_meet_and_accounts_with_equal_last_digits_do_not(mine):
    await bring(mine, "october.xml", (BANK / "made_up/sparkasse_camt052.xml").read_bytes())
    swift = (BANK / "made_up/sparkasse.sta").read_bytes()
    await bring(mine, "year_end.sta", swift)  # the same account, by its number in place of its IBAN
    assert {row.account for row in await mine.rows(Filter())} == {"Sparkasse Musterstadt 6199"}
    for file, number in (("b.sta", b"1245136199"), ("c.sta", b"1245146199")):
        await bring(mine, file, swift.replace(b"1245126199", number))
        await bring(mine, file, swift.replace(b"1245126199", number))
    counts = Counter(row.account for row in await mine.rows(Filter()))
    others = {"Account 6199": 5, "DE74512108001245146199": 5}
    assert counts == {"Sparkasse Musterstadt 6199": 12, **others}


KILLED = """
import asyncio, os, sys
from pathlib import Path
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from ledger.people import Person
from ledger.store import Store

async def main(url, path, after):
    store = await Store.open(url if "://" in url else Path(url))
    mine = await store.repository(Person("memory", "home", "alice"))
    calls = 0
    def progress(file, done, of):
        nonlocal calls
        calls += 1
        if calls == after:
            os._exit(9)
    async def within(connection, report):
        os._exit(9)
    await import_files(mine, [SourceFile("new.csv", Path(path).read_bytes())], progress=progress, within=within)

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


@pytest.mark.parametrize("after", [1, 2, 99])
async def test_a_kill_in_an_import_leaves_the_ledger_as_it_was(store, store_url, mine, dump, tmp_path, after):
    """Killed before the first rows, in the middle, and with all written but not shown; the next start clears up."""
    rows = two_years(per_month=110)
    await bring(mine, "new.csv", mint(rows[:100]))
    before, seen = await dump(store), await stored(mine)
    file = tmp_path / "new.csv"
    file.write_bytes(mint(rows))
    command = [sys.executable, "-c", KILLED, str(store_url), str(file), str(after)]
    assert subprocess.run(command, cwd=ROOT, check=False, timeout=100).returncode == 9
    assert await stored(mine) == seen
    assert await sweep(store) == (after > 1)
    assert await dump(store) == before
    report = await bring(mine, "new.csv", mint(rows))
    assert report.files[0].added == len(rows) - 100


PLAIN = b"Date,Description,Amount\n2026-10-13,Coffee,-3.40\n2026-10-14,Tea,-2.40\n"
STATED = b"Date,Description,Amount,Currency\n2026-09-13,Bread,-3.40,%b\n2026-09-14,Milk,-2.40,%b\n"


async def told(mine: Repository, *files: tuple[str, bytes], currency: str | None = None, hints: Hints | None = None):
    """Return what would become of the last of some files: its currencies and warnings, or the choices of the question."""
    sources = [SourceFile(name, data) for name, data in files]
    report = (await import_files(mine, sources, hints, dry_run=True, currency=currency)).files[-1]
    if isinstance(report.question, AmbiguousCurrency):
        return report.question.choices
    assert report.error is None
    return (*report.sums, *report.warnings)


async def test_a_currency_is_proved_set_or_asked(mine: Repository) -> None:
    """What the file proves goes before what the person has set; neither is said of rows whose account tells it."""
    norwegian = "Dato;Tekst;Bel\u00f8p\n13.10.2026;Kaffe;-34,00\n14.10.2026;Te;-24,00\n".encode()
    names_none = "The file names no currency; its amounts are taken as {}.".format
    assert await told(mine, ("a.csv", PLAIN)) == ("USD", "EUR", "GBP", "CAD", "CHF")
    assert await told(mine, ("a.csv", PLAIN), currency="SEK") == ("SEK", names_none("SEK"))
    assert await told(mine, ("a.csv", PLAIN), hints=Hints(currency="SEK")) == ("SEK",)
    assert await told(mine, ("b.csv", norwegian)) == ("NOK", names_none("NOK"))
    assert await told(mine, ("b.csv", norwegian), currency="GBP") == ("NOK", names_none("NOK"))


async def test_an_account_tells_the_currency_that_all_of_its_rows_are_in(mine: Repository) -> None:
    await bring(mine, "giro.csv", STATED % (b"SEK", b"SEK"))
    assert await told(mine, ("giro.csv", PLAIN), currency="GBP") == ("SEK",)
    assert (await told(mine, ("visa.csv", PLAIN)))[0] == "SEK"  # the usual one is offered first
    await bring(mine, "giro.csv", STATED.replace(b"09-", b"08-") % (b"DKK", b"SEK"))
    assert "EUR" in await told(mine, ("giro.csv", PLAIN))


async def test_a_new_account_s_currency_is_told_by_the_file_before(mine: Repository) -> None:
    assert await told(mine, ("giro.csv", STATED % (b"SEK", b"SEK")), ("giro.csv", PLAIN)) == ("SEK",)
    assert "EUR" in await told(mine, ("giro.csv", STATED % (b"SEK", b"DKK")), ("giro.csv", PLAIN))


@pytest.mark.parametrize(
    ("amount", "currency", "found"),
    [
        (b"-$3.40", None, ("USD", "CAD", "AUD", "NZD", "SGD")),
        (b"-$3.40", "EUR", ("USD", "CAD", "AUD", "NZD", "SGD")),
        (b"-$3.40", "AUD", ("AUD",)),
        (b"-3.40 kr", None, ("SEK", "NOK", "DKK", "ISK")),
        (b"-3.40 kr", "DKK", ("DKK",)),
    ],
)
async def test_a_shared_sign_is_one_of_those_that_share_it(mine: Repository, amount, currency, found) -> None:
    data = PLAIN.replace(b"-3.40", amount).replace(b"-2.40", amount)
    assert await told(mine, ("a.csv", data), hints=Hints(currency=currency)) == found
