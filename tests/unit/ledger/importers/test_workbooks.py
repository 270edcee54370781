"""What is in workbooks besides one plain sheet: several sheets, hidden ones, formulas, texts; and what is refused."""

from __future__ import annotations

import datetime as dt
import zipfile
from contextlib import suppress
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.direction import Told
from ledger.importers import AmbiguousDates, Hints, UnreadableFile, read_statement
from ledger.importers.workbook_process import cell_of
from tests.support.workbooks import written

LATE = dt.datetime.fromisoformat("2026-04-03T23:59")
HEADER = ["Date", "Description", "Amount"]


def day(number, month=10):
    return dt.date(2026, month, number)


def read(sheets, *, hidden=(), **hints):
    return read_statement("x.xlsx", written(sheets, hidden=hidden), Hints(**hints))


def brief(statement):
    return [f"{row.booked_on:%m-%d} {row.amount} {row.description}" for row in statement.rows]


def refusal(data):
    with pytest.raises(UnreadableFile) as caught:
        read_statement("x.csv", data)
    return caught.value.message


JANUARY = [HEADER, [day(2, 1), "Tea", -3.5], [day(9, 1), "Rent", -800], [None, "Sum", -803.5]]
MARCH = [["March"], [], HEADER, [day(3, 3), "Coal", -60], [day(9, 3), "Rent", -800]]


def test_every_month_s_sheet_is_read_with_its_own_row_numbers():
    statement = read({"Jan": JANUARY, "Mar 26": MARCH, "Ideas": [["Save more"], ["Spend less"]]})
    assert brief(statement) == ["01-02 -3.5 Tea", "01-09 -800 Rent", "03-03 -60 Coal", "03-09 -800 Rent"]
    assert [row.number for row in statement.rows] == [2, 3, 4, 5]
    assert [(row.row, row.reason) for row in statement.rejected] == [
        (4, "sheet “Jan”: “Sum” is a sum of rows, not a transaction")
    ]
    assert (statement.accounts, statement.warnings, len(statement.rows)) == ((), (), 4)


def test_sheets_that_are_named_after_accounts_give_them_their_names():
    statement = read(
        {"Checking": JANUARY[:-1], "Holiday savings": [HEADER, [day(5), "From checking", 100], [day(6), "Fee", -1]]}
    )
    assert [(account.ref, account.type) for account in statement.accounts] == [
        ("Checking", "checking"),
        ("Holiday savings", "savings"),
    ]
    assert [row.account for row in statement.rows] == ["Checking"] * 2 + ["Holiday savings"] * 2


def test_what_a_year_s_sheet_repeats_of_its_months_counts_once():
    extra = [day(10, 1), "Tea", -3.5]
    statement = read({"Jan": [*JANUARY[:-1], extra, extra], "Mar": MARCH, "All": [*JANUARY[:-1], extra, *MARCH[3:]]})
    assert sum(row.amount for row in statement.rows) == Decimal("-1670.5")
    assert statement.warnings == (
        "3 rows of the sheet “Jan” are in “All” as well and count once.",
        "2 rows of the sheet “Mar” are in “All” as well and count once.",
    )


def test_two_months_with_the_same_standing_orders_are_both_read():
    same = [["01", "Rent", -800], ["01", "Gym", -20]]
    sheets = {name: [HEADER, *([day(1, month), *row[1:]] for row in same)] for month, name in ((1, "Jan"), (2, "Feb"))}
    assert len(read(sheets).rows) == 4


def test_a_summary_beside_the_transactions_is_left_out_and_named():
    summary = [["Day", "Income", "Expenses"], [day(31, 1), 0, 803.5], [day(31, 3), 0, 860]]
    statement = read({"Summary": summary, "Transactions": JANUARY[:-1]})
    assert brief(statement) == ["01-02 -3.5 Tea", "01-09 -800 Rent"]
    assert statement.warnings == ("The sheet “Summary” was left out.",)


def test_hidden_sheets_are_read_only_where_no_other_has_transactions():
    old = [HEADER, [day(1), "Old", -1]]
    assert brief(read({"Jan": JANUARY[:-1], "Old": old}, hidden=["Old"])) == ["01-02 -3.5 Tea", "01-09 -800 Rent"]
    assert brief(read({"Cover": [["Hello"]], "Old": old}, hidden=["Old"])) == ["10-01 -1 Old"]


def test_real_dates_are_never_ambiguous_and_texts_are():
    rows = [[LATE, "Tea", -1], [day(5, 6), "Tea", -2]]
    assert brief(read({"A": [HEADER, *rows]})) == ["04-03 -1 Tea", "06-05 -2 Tea"]
    with pytest.raises(AmbiguousDates):
        read({"A": [HEADER, ["03/04/2026", "Tea", -1]]})


def test_texts_and_numbers_in_one_column_are_both_read():
    """Ledger: 1234.56 € as a text with a decimal comma, 12.5 and 1.234 as numbers."""
    rows = [[day(1), "a", "-1.234,56 €"], [day(2), "b", "-7,5"], [day(3), "c", -12.5], [day(4), "d", -1.234]]
    assert [row.amount for row in read({"A": [HEADER, *rows]}).rows] == [
        Decimal(text) for text in ("-1234.56", "-7.5", "-12.5", "-1.234")
    ]


def test_three_decimals_are_no_thousands():
    rows = [[day(1), "a", -1.005], [day(2), "b", -2.125]]
    assert [row.amount for row in read({"A": [HEADER, *rows]}).rows] == [Decimal("-1.005"), Decimal("-2.125")]


def test_formulas_count_with_the_value_that_was_saved():
    rows = [[day(1), ("=A1", "Tea"), ("=1-2", -1)], [day(2), "Broken", ("=1/0", "#DIV/0!")]]
    statement = read({"A": [HEADER, *rows]})
    assert brief(statement) == ["10-01 -1 Tea"]
    assert [(row.row, row.reason) for row in statement.rejected] == [(3, "there is no amount")]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (12.1, 12.1),
        (0.1 + 0.2, 0.3),
        (-5.0, -5),
        (1.2e15, 1200000000000000),
        (123456789012.0, 123456789012),
        (100000.01 - 99999.99, 0.02),
        (5e-17, 0.0),
        (0.00000123, 0.00000123),
        (True, "TRUE"),
        (dt.date(2026, 3, 4), "2026-03-04"),
        (LATE, "2026-04-03"),
        (dt.time(8, 30), "08:30"),
        ("a\x00b", "ab"),
        ("", ""),
    ],
)
def test_a_cell_is_what_a_person_reads(value, shown):
    assert cell_of(value) == shown


@given(st.lists(st.decimals(-999_999, 999_999, places=2).filter(bool), min_size=1, max_size=20))
@settings(deadline=None, max_examples=6)
def test_every_amount_comes_back_to_the_cent(amounts):
    rows = [[day(1 + place), f"n{place}", float(amount)] for place, amount in enumerate(amounts)]
    read_back = read({"A": [HEADER, *rows]}, direction=Told.AS_WRITTEN).rows
    assert [row.amount for row in read_back] == amounts


def test_large_numbers_are_written_in_full():
    header = ["Date", "Account number", "Description", "Amount"]
    (row,) = read({"A": [header, [day(1), 4_000_123_456_789, "Tea", -1]]}).rows
    assert row.account == "4000123456789"


def patched(change):
    """Return a workbook of which one part is another."""
    out = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(written({"A": JANUARY}))) as sound,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in {*sound.namelist(), *change}:
            part = change[name] if name in change else sound.read(name)
            if part is not None:
                new.writestr(name, part)
    return out.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
XML = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    '<row r="1"><c r="A1"><v>1</v></c></row>%s</sheetData></worksheet>'
)
DAMAGED = "This workbook is damaged, so I can't read it; if your spreadsheet still can, "
TOO_LARGE = "This workbook is far too large for a statement; "


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>', DAMAGED),
        ('<row r="1"><c r="ZZZZZZZ99999999999"><v>2</v></c></row>', DAMAGED),
        ('<row r="2"><c r="A2" t="s"><v>999</v></c></row>', DAMAGED),
        ("<row><c></row>", DAMAGED),
        ('<row r="2"><c r="IZ2"><v>2</v></c></row>', "This file has more than 256 columns"),
    ],
)
def test_cells_that_no_table_can_hold_end_nothing_but_their_own_process(row, said):
    assert refusal(patched({SHEET: XML % row})).startswith(said)


def test_a_part_that_unpacks_to_far_more_than_it_is():
    assert refusal(patched({SHEET: b" " * (64 << 20)})).startswith(TOO_LARGE)


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.95])
def test_a_workbook_that_breaks_off(cut):
    data = written({"A": JANUARY})
    assert refusal(data[: int(len(data) * cut)]).startswith(DAMAGED)


@pytest.mark.parametrize("part", ["xl/workbook.xml", SHEET, "xl/sharedStrings.xml", "[Content_Types].xml"])
@pytest.mark.parametrize("becomes", [b"", b"<x", b"\xff" * 100])
def test_a_workbook_with_a_damaged_part_is_read_or_refused(part, becomes):
    with suppress(UnreadableFile):
        assert brief(read_statement("x.xlsx", patched({part: becomes}))) == ["01-02 -3.5 Tea", "01-09 -800 Rent"]


def wide(text):
    return text.encode("utf-16-le")


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (OLE + wide("WordDocument"), "This is an old Word or other Office file, which I can't read"),
        (OLE + wide("EncryptedPackage"), "This workbook is protected by a password"),
        (OLE + wide("Workbook"), DAMAGED),
        (
            patched({"xl/workbook.xml": None, "word/document.xml": b"<x/>"}),
            "This is a Word document, which I can't read",
        ),
        (b"PK\x03\x04 xl/workbook.xml", DAMAGED),
    ],
)
def test_other_office_files_are_named(data, said):
    assert refusal(data).startswith(said)


def test_a_workbook_without_transactions():
    assert refusal(written({"A": [["Name", "City"], ["Ann", "Bonn"]]})).startswith("I can't find transactions")
    assert refusal(written({"A": []})).startswith("I can't find transactions")


SAVED = Path(__file__).parents[3] / "data" / "bank" / "workbooks"


@pytest.mark.parametrize("form", ["xls", "ods"])
def test_other_kinds_of_workbooks_are_told_by_what_is_in_them(form):
    statement = read_statement("household.csv", (SAVED / f"household.{form}").read_bytes())
    assert brief(statement) == ["10-01 -900 Rent", "10-03 -61.1 Weekly shop", "10-04 39.9 Refund for shoes"]
    assert ([row.number for row in statement.rows], [row.row for row in statement.rejected]) == ([4, 5, 6], [8])
    assert statement.format == form


def test_an_old_workbook_with_a_password():
    """The second record of its stream becomes one that says how it is encrypted."""
    data = bytearray((SAVED / "household.xls").read_bytes())
    second = data.index(b"\x09\x08\x10\x00") + 20
    data[second : second + 2] = b"\x2f\x00"
    assert refusal(bytes(data)).startswith("This workbook is protected by a password")


def test_an_opendocument_workbook_with_a_password():
    out = BytesIO()
    with zipfile.ZipFile(SAVED / "household.ods") as sound, zipfile.ZipFile(out, "w") as new:
        for name in sound.namelist():
            part = sound.read(name)
            if name == "META-INF/manifest.xml":
                part = part.replace(b"/>", b"><manifest:encryption-data/></manifest:file-entry>", 1)
            new.writestr(name, part)
    assert refusal(out.getvalue()).startswith("This workbook is protected by a password")


@pytest.mark.parametrize("form", ["xls", "ods"])
@given(st.data())
@settings(deadline=None, max_examples=4)
def test_a_damaged_workbook_is_read_or_refused_and_ends_nothing(form, data):
    sound = bytearray((SAVED / f"household.{form}").read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        sound[data.draw(st.integers(0, len(sound) - 1))] = data.draw(st.integers(0, 255))
    with suppress(UnreadableFile):
        assert all(row.amount.is_finite() for row in read_statement("x", bytes(sound)).rows)
