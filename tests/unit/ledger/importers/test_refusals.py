"""Files that are no bank files, and arbitrary bytes: one clear sentence, never another error."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger.importers import Hints, UnreadableFile, read_statement

READABLE = "I can read Excel, OFX/QFX and CSV."
NO_TABLE = "I can't find transactions in this file: no table with a date and an amount in each row."


def refusal(data, name="file.csv", **hints):
    with pytest.raises(UnreadableFile) as caught:
        read_statement(name, data, Hints(**hints))
    return caught.value.message


@pytest.mark.parametrize("data", [b"", b"\n\n  \r\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\x00" * 100])
def test_an_empty_file(data):
    assert refusal(data) == "This file is empty."


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"%PDF-1.7\n1 0 obj", "a PDF file"),
        (b"\n\n%PDF-1.4", "a PDF file"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a picture"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a picture"),
        (b"PK\x03\x04\x14\x00\x00\x00notes.txt", "a ZIP archive"),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "a compressed file"),
        (b"<!DOCTYPE html><html><body>Please log in</body></html>", "a web page"),
        (b"<html><body><form>01.02.2025;1,00</form></body></html>", "a web page"),
        (b'<?xml version="1.0"?><rss></rss>', "an XML file that is no bank statement"),
        (b'<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">', "a CAMT file"),
        (b'{"transactions": [{"date": "2025-01-01", "amount": -1.5}]}', "a JSON file"),
        (b'[{"date": "2025-01-01"},\n {"amount": 1}]', "a JSON file"),
        (b"!Type:Bank\nD2/10'20\nT-5.00\nPShop\n^\n", "a QIF file"),
        (b":20:STARTUMS\r\n:25:10020030/1234567\r\n:28C:1/1\r\n:60F:C250101EUR1,00\r\n", "an MT940 file"),
        ("<!DOCTYPE html><html></html>".encode("utf-16"), "a web page"),
    ],
)
def test_another_format_is_named(data, what):
    assert refusal(data) == f"This is {what}, which I can't read; {READABLE}"


@pytest.mark.parametrize(
    "data",
    [
        b"Dear Sir, on 12 May 2025, I paid you 5 dollars, and I want them back.\nYours, Ann\n",
        b"def main():\n    print('hello, world', 1, 2.5)\n\nif __name__ == '__main__':\n    main()\n",
        b"name,city,age\nAnn,Bonn,33\nBob,Ulm,44\n",
        b"just one word",
        b"1,2,3\n4,5,6\n7,8,9\n",
        b"Date;Amount\n".replace(b"Date", b"Colour").replace(b"Amount", b"Taste"),
        b"\n".join(b"%032x" % (number * 7919**5) for number in range(500)),
        "日付、説明、金額\nこれは文です。\n".encode(),
    ],
)
def test_text_without_transactions(data):
    assert refusal(data) == NO_TABLE


def test_noise_is_told_by_its_beginning():
    noise = random.Random(7).randbytes(4 * 1024 * 1024)
    assert refusal(noise) == f"This is no text file, so it is no statement that I can read; {READABLE}"


@pytest.mark.parametrize(
    "alphabet", ["abcdefghijklmnopqrstuvwxyz", "0123456789,;.\n\t\"' ", ",\n", '"', '"\n', '",\n1']
)
def test_noise_of_text(alphabet):
    drawn = random.Random(3)
    noise = "".join(drawn.choices(alphabet, k=300_000)).encode()
    assert refusal(noise).endswith(".")


def test_a_file_beyond_all_reason():
    data = b"Date,Description,Amount\n" + b"2025-01-13,Coffee,-1.00\n" * (3 * 1024 * 1024)
    assert refusal(data) == "This file is larger than 64 MB, too large for a statement."


@pytest.mark.parametrize("rows", [1, 3])
def test_ten_thousand_columns(rows):
    header = ",".join(f"column {number}" for number in range(10_000))
    line = ",".join("1.0" for _ in range(10_000))
    data = "\n".join([header, *[line] * rows]).encode()
    assert refusal(data) == "This file has more than 256 columns, far more than any bank statement."


def test_a_table_of_which_no_row_can_be_read():
    data = b"Date,Description,Amount\n" + b"someday,Coffee,much\n" * 30
    assert refusal(data) == (
        "None of the 30 rows of this file can be read; about line 2: the amount “much” is not a number."
    )


def test_a_format_that_we_do_not_know():
    assert refusal(b"Date,Amount\n2025-01-13,1\n", format="xyz") == f"I don't know this format; {READABLE}"


def test_a_format_that_was_asked_for_is_used():
    assert read_statement("x.txt", b"Date,Amount\n2025-01-13,-1\n", Hints(format="CSV")).format == "csv"
    assert (
        refusal(b"Date,Amount\n2025-01-13,1\n", format="ofx") == "This OFX file breaks off before its first statement."
    )


FRAGMENTS = [
    *(
        b"Date,Description,Amount\n",
        b"2025-01-13,",
        b"-1.00",
        b'"',
        b"\n",
        b"\r",
        b";",
        b"\t",
        b"|",
        b"sep=,\n",
        b"1e5",
    ),
    *(b"Soll;Haben;Datum\n", b"13/14/15", b"Debit", b"\x00", b"\xff\xfe", "ł".encode("cp1250"), "é".encode()),
    *(b"<OFX>", b"<STMTRS>", b"<STMTTRN>", b"<TRNAMT>", b"</STMTTRN>", b"&#x0;"),
]
MIXED = st.lists(st.sampled_from(FRAGMENTS), max_size=60).map(b"".join)


@given(st.binary(max_size=400) | MIXED, st.sampled_from(["a.csv", "a.ofx", ""]))
@example(b"Date,Amount,Amount\n,,\n", "a.csv")
@example(b'"2025-01-13,""-1.00"""\n', "a.csv")
@settings(deadline=None, max_examples=300)
def test_arbitrary_bytes_are_read_or_refused(data, name):
    try:
        statement = read_statement(name, data)
    except UnreadableFile as error:
        sentence = error.message
        assert sentence.endswith((".", "?"))
        return
    assert all(row.amount.is_finite() and 1950 <= row.booked_on.year <= 2100 for row in statement.rows)


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_rubbish_behind_a_header_is_rejected_row_by_row(rubbish):
    data = b"Date,Description,Amount\n2025-01-13,Coffee,-1.00\n" + rubbish
    try:
        statement = read_statement("a.csv", data)
    except UnreadableFile:
        return
    assert len(statement.rows) + len(statement.rejected) <= 1 + rubbish.count(b"\n") + rubbish.count(b"\r") + 1
    for row in statement.rejected:
        assert row.reason.isprintable()
