"""The same payments in the words of two files count once, whatever the formats, and equal payments stay as many as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.filters import Filter
from ledger.importers import read_statement
from ledger.imports import import_files, undo_import
from ledger.statement_writer import SourceFile
from tests.support.linked_rows import HEADER, rows_of

PDF = Path(__file__).parents[1] / "data/bank/pdf/us_checking.pdf"
BANK = """2026-10-01,ACME SALARY,2500.00,{0}
2026-10-03,ZARA 3412 LONDON,-89.95,{0}
2026-10-05,KIOSK 12,-3.50,{0}
2026-10-05,KIOSK 12,-3.50,{0}
2026-10-08,TESCO STORES 2041,-42.10,{0}
2026-10-12,NETFLIX.COM,-9.99,{0}
"""
#: The same in other words, the purchases a day or two later, and one more kiosk.
QIF = """!Type:Bank
D10/01/2026
T2,500.00
PSalary of Acme Ltd
^
D10/04/2026
T-89.95
PZara
^
D10/05/2026
T-3.50
PKiosk
^
D10/05/2026
T-3.50
PKiosk
^
D10/05/2026
T-3.50
PKiosk
^
D10/10/2026
T-42.10
PTesco
^
D10/13/2026
T-9.99
PNetflix
^
"""


@pytest.fixture
async def mine(store, alice):
    return await store.repository(alice)


async def add(repository, name, text, **more):
    data = text if isinstance(text, bytes) else text.encode()
    return (await import_files(repository, [SourceFile(name, data)], currency="GBP", **more)).files[0]


def csv_of(statement, account=""):
    """A statement's rows in other words, the newest first, without naming an account."""
    rows = [
        f"{row.booked_on},Purchase {len(row.description)} of {row.description[:3]},{row.amount}"
        for row in statement.rows
    ]
    return "Date,Description,Amount\n" + "\n".join(rows[::-1]) + "\n"


@pytest.mark.parametrize("pdf_first", [True, False])
async def test_a_pdf_and_a_csv_of_one_account_and_time_count_once(mine, pdf_first):
    data = PDF.read_bytes()
    statement = read_statement(PDF.name, data)
    files = [("statement.pdf", data), ("export.csv", csv_of(statement).encode())]
    first, second = files if pdf_first else files[::-1]
    brought = await add(mine, *first)
    assert brought.added == brought.found == 70
    before = await rows_of(mine)
    preview = await add(mine, *second, dry_run=True)
    again = await add(mine, *second)
    assert (again.found, again.added) == (preview.found, preview.added) == (70, 0)
    assert again.account == brought.account
    assert "70 of its transactions are there already in the words of another file" in " ".join(again.warnings)
    assert await rows_of(mine) == before


async def test_both_in_one_import_count_once(mine):
    data = PDF.read_bytes()
    files = [SourceFile("a.pdf", data), SourceFile("b.csv", csv_of(read_statement(PDF.name, data)).encode())]
    report = await import_files(mine, files, currency="GBP")
    assert [each.added for each in report.files] == [70, 0]


async def test_equal_payments_are_as_many_as_the_file_with_most_has(mine):
    await add(mine, "bank.csv", HEADER + BANK.format("Current"))
    found = await add(mine, "bank.qif", QIF)
    assert (found.found, found.added, found.account) == (7, 1, "Current")
    kiosks = [row for row in await rows_of(mine) if row.amount_minor == -350]
    assert [row.description for row in kiosks] == ["KIOSK 12", "KIOSK 12", "Kiosk"]
    assert (await add(mine, "bank.qif", QIF)).added == 0
    assert (await add(mine, "bank.csv", HEADER + BANK.format("Current"))).added == 0
    await undo_import(mine)
    assert len(await rows_of(mine)) == 6


async def test_a_few_rows_alike_are_other_payments(mine):
    await add(mine, "bank.csv", HEADER + BANK.format("Current"))
    some = "2026-10-05,NEWS STAND,-3.50,Current\n2026-10-12,SPOTIFY,-9.99,Current\n"
    assert (await add(mine, "more.csv", HEADER + some)).added == 2
    mostly_other = "".join(f"2026-10-{day:02},SHOP {day},-{day}.25,Current\n" for day in range(2, 12))
    alike = "2026-10-01,PAY,2500.00,Current\n2026-10-03,X,-89.95,Current\n2026-10-08,Y,-42.10,Current\n"
    assert (await add(mine, "third.csv", HEADER + mostly_other + alike)).added == 13


async def test_an_account_that_the_file_names_otherwise_is_another_one(mine):
    """As it has a number of its own, or one that is known under a name."""
    await add(mine, "bank.csv", HEADER + BANK.format("DE12500105170648489890"))
    assert (await add(mine, "other.csv", HEADER + BANK.format("DE02120300000000202051"))).added == 6
    assert len(await mine.rows(Filter())) == 12


async def test_a_number_that_a_file_had_for_an_account_is_known_from_then_on(mine):
    """Also where the next file has no row in common any more; until the import is taken back."""
    one = "GB29NWBK60161331926819"
    await add(mine, "export.csv", (HEADER + BANK).replace(",Account", "").replace(",{0}", ""))
    (name,) = {row.account for row in await rows_of(mine)}
    later = "2026-10-13,KIOSK ZWEI,-7.00,{0}\n"
    said = BANK.replace("KIOSK 12", "Kiosk").replace("ZARA 3412 LONDON", "Zara").replace("ACME SALARY", "Acme")
    said = said.replace("TESCO STORES 2041", "Tesco").replace("NETFLIX.COM", "Netflix")
    assert (await add(mine, "numbered.csv", HEADER + (said + later).format(one))).added == 1
    assert (await add(mine, "next.csv", HEADER + f"2026-11-20,SHOP,-1.00,{one}\n")).account == name
    await undo_import(mine)
    await undo_import(mine)
    assert (await add(mine, "next.csv", HEADER + f"2026-11-20,SHOP,-1.00,{one}\n")).account != name
