"""Files that are no bank files, and arbitrary bytes: one clear sentence, never another error."""

from __future__ import annotations

import gzip
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger.importers import Hints, UnreadableFile, read_statement
from tests.support.workbooks import written

READABLE = "I can read Excel, PDF, OFX/QFX, QIF, CAMT, MT940 and CSV."
NO_TABLE = "I can't find transactions in this file: no table with a date and an amount in each row."


def refusal(data, name="file.csv", **hints):
    with pytest.raises(UnreadableFile) as caught:
        read_statement(name, data, Hints(**hints))
    return caught.value.message


@pytest.mark.parametrize("data", [b"", b"\n\n  \r\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\x00" * 100])
def test_an_empty_file(data):
    assert refusal(data) == "This file is empty."


BY_BANK = "Your bank's website has the same as CSV or OFX, often beside it."
UNPACK = "Unpack it and import the files in it."
PAGE = "Log in to your bank and download the file again; if it opens in Excel: File → Save as → CSV."
ORDERS = "It says what the bank was asked to do, not what it booked: download the statement as CSV."
IIF = "Where it is from, choose CSV; in QuickBooks: open a report, then Excel → Create New Worksheet → .csv."
GNUCASH = "In GnuCash: File → Export → Export Transactions to CSV."
TRANSFER = b'<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn>'


@pytest.mark.parametrize(
    ("data", "what", "way"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a picture", BY_BANK),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a picture", BY_BANK),
        (b"PK\x03\x04\x14\x00\x06\x00word/document.xml", "a Word document", BY_BANK),
        (
            b"PK\x03\x04\x14\x00\x00\x00Index/Tables/DataList.iwa",
            "an Apple Numbers or Pages file",
            "In Numbers: File → Export To → CSV.",
        ),
        (b"PK\x03\x04\x14\x00\x00\x00notes.txt", "a ZIP archive", UNPACK),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "a compressed file", UNPACK),
        (b"<!DOCTYPE html><html><body>Please log in</body></html>", "a web page", PAGE),
        (b"<html><pre>OFXHEADER:100<OFX><STMTTRN></STMTTRN></OFX></pre></html>", "a web page", PAGE),
        (b"<html><body><form>01.02.2025;1,00</form></body></html>", "a web page", PAGE),
        ("<!DOCTYPE html><html></html>".encode("utf-16"), "a web page", PAGE),
        (b'<?xml version="1.0"?><rss></rss>', "an XML file that is no bank statement", READABLE),
        (b'<?xml version="1.0"?><gnc-v2 xmlns:gnc="http://www.gnucash.org/XML/gnc">', "a GnuCash file", GNUCASH),
        (gzip.compress(b'<?xml version="1.0"?>\n<gnc-v2>' + bytes(5000), mtime=0), "a GnuCash file", GNUCASH),
        (b"SQLite format 3\x00" + bytes(200) + b"CREATE TABLE gnclock", "a GnuCash file", GNUCASH),
        (TRANSFER, "a list of SEPA payment orders (pain)", ORDERS),
        (TRANSFER.replace(b"pain.001.001.03", b"pain.008.001.02"), "a list of SEPA payment orders (pain)", ORDERS),
        (b'{"transactions": [{"date": "2025-01-01"}]}', "a JSON file", "Where it is from, choose CSV."),
        (b'[{"date": "2025-01-01"},\n {"amount": 1}]', "a JSON file", "Where it is from, choose CSV."),
        (
            b"!TRNS\tTRNSID\tDATE\tACCNT\tAMOUNT\r\n!SPL\tSPLID\r\n!ENDTRNS\r\nTRNS\t1\t03/04/2026\tBank\t-5.00\r\n",
            "an IIF file",
            IIF,
        ),
        (b"!HDR\tPROD\tVER\n!ACCNT\tNAME\nACCNT\tBank\n", "an IIF file", IIF),
        (
            b"11" + b"0049150001234567892501012501312000000000123459783" + b" " * 26,
            "a Norma 43 file (N43)",
            "Your bank's website has the same as CSV or Excel.",
        ),
        (b"01,SENDER,RECEIVER,250101,1200,1,,,2/\n02,", "a BAI2 file", BY_BANK),
        (
            b"From: Ann\nTo: Bob\nMIME-Version: 1.0\n\nHello",
            "an e-mail",
            "Save the file that is attached to it, and import that.",
        ),
        (
            b'2026-10-01 * "Cafe" "Latte"\n  Assets:Cash  -4.00 USD\n  Expenses:Food\n',
            "a Beancount file",
            "Export it: bean-query -f csv.",
        ),
        (
            b"2026/10/01 Cafe\n    Expenses:Food    4.00\n    Assets:Cash\n",
            "a ledger in plain text",
            "Export it: hledger aregister ACCOUNT -O csv.",
        ),
    ],
)
def test_another_format_is_named_with_the_way_to_one_that_can_be_read(data, what, way):
    assert refusal(data) == f"This is {what}, which I can't read. {way}"


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


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("length", [200_000, 3_000_000])
def test_a_row_beyond_all_reason_is_rejected_for_what_it_is(quote, length):
    long = f"2025-01-14,{quote}{'x' * length}{quote},-5.00\n".encode()
    data = b"Date,Description,Amount\n2025-01-13,Coffee,-1.00\n" + long + b"2025-01-15,Tea,-2.00\n"
    statement = read_statement("a.csv", data)
    assert [row.description for row in statement.rows] == ["Coffee", "Tea"]
    reason = "the row has more than 10,000 characters, too many for a transaction"
    assert [(row.row, row.reason) for row in statement.rejected] == [(3, reason)]


def test_a_record_of_ofx_beyond_all_reason():
    record = f"<STMTTRN><DTPOSTED>20250113<TRNAMT>-1.00<NAME>{'x' * 20_000}</STMTTRN>"
    statement = read_statement("a.ofx", f"<OFX><STMTRS>{record}</STMTRS></OFX>".encode())
    assert [row.reason for row in statement.rejected] == ["a field of 20,000 characters is too long for a transaction"]


LONG = "ab" * 1_000_000


MT940 = """:20:X
:25:DE89370400440532013000
:60F:C260101EUR9,00
:61:2601020102D1,00NMSC
:86:{}
:61:2601030103D2,00NMSC
:86:Tea
:62F:C260131EUR6,00
-
"""
ENTRY = """<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-01-02</Dt></BookgDt>
<NtryDtls><TxDtls><RmtInf><Ustrd>{}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>"""
CAMT = f"""<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
{ENTRY}{ENTRY.format("Tea")}</Stmt></BkToCstmrStmt></Document>"""


@pytest.mark.parametrize("text", [MT940, CAMT])
def test_a_text_beyond_all_reason_in_a_bank_s_own_formats(text):
    statement = read_statement("a", text.format(LONG).encode())
    assert [row.description for row in statement.rows] == ["Tea"]
    assert [row.reason for row in statement.rejected] == [
        "a field of 2,000,000 characters is too long for a transaction"
    ]


def test_a_cell_beyond_all_reason_in_a_workbook():
    rows = [["Date", "Description", "Amount"], ["2026-01-02", LONG[:40_000], -1], ["2026-01-03", "Tea", -2]]
    statement = read_statement("a.xlsx", written({"Sheet": rows}))
    assert [row.description for row in statement.rows] == ["Tea"]
    assert [row.reason for row in statement.rejected] == [
        "the row has more than 10,000 characters, too many for a transaction"
    ]


@pytest.mark.parametrize("data", [b"Date,Description,Amount\n", b"!Type:Bank\n", b"<OFX><STMTRS></STMTRS></OFX>"])
def test_a_file_without_transactions_says_so(data):
    statement = read_statement("a", data)
    assert (len(statement.rows), statement.rejected) == (0, ())
    assert statement.warnings == ("This file has a header and no transactions.",)


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
