"""HTML tables under the name of an Excel file, and XML Spreadsheet 2003."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.importers import UnreadableFile, read_statement

PAGE = """<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta http-equiv=Content-Type
content="text/html; charset=%s"></head><body><table><tr><td>Menü</td></tr></table>
<table border=1><tr><td colspan=4>Umsätze</td></tr>
<tr><th>Buchungstag</th><th>Empfänger</th><th>Betrag</th><th>Währung</th></tr>
<tr><td rowspan=2>02.10.2026<td>B&auml;ckerei<br>Größe<td align=right>-1.234,56<td>EUR
<tr><td>Müller &amp; Co</td><td>-7,50</td><td>EUR</td></tr>
<tr><td>05.10.2026</td><td><table><tr><td>Lohn</td></tr></table></td><td>+2.000,00</td><td>EUR</td></tr>
</table></body></html>"""

BOOK = """<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:x="urn:schemas-microsoft-com:office:excel">
<Worksheet ss:Name="Old"><Table><Row><Cell><Data ss:Type="String">Nothing</Data></Cell></Row></Table>
<x:WorksheetOptions><x:Visible>SheetHidden</x:Visible></x:WorksheetOptions></Worksheet>
<Worksheet ss:Name="Movements"><Table>
<Row><Cell ss:MergeAcross="1"><Data ss:Type="String">March</Data></Cell></Row>
<Row ss:Index="4"><Cell><Data ss:Type="String">Date</Data></Cell><Cell><Data ss:Type="String">Description</Data></Cell>
 <Cell><Data ss:Type="String">Amount</Data></Cell><Cell><Data ss:Type="String">Balance</Data></Cell></Row>
<Row><Cell><Data ss:Type="DateTime">2026-04-03T00:00:00.000</Data></Cell><Cell><Data ss:Type="String">Tea</Data></Cell>
 <Cell><Data ss:Type="Number">-12.100000000000001</Data></Cell><Cell><Data ss:Type="Number">87.9</Data></Cell></Row>
<Row><Cell><Data ss:Type="DateTime">2026-04-04T00:00:00.000</Data></Cell>
 <Cell ss:Index="3"><Data ss:Type="Number">1e2</Data></Cell><Cell><Data ss:Type="Number">187.9</Data></Cell></Row>
<Row><Cell><Data ss:Type="DateTime">2026-04-05T00:00:00.000</Data></Cell><Cell><Data ss:Type="String">X</Data></Cell>
 <Cell><Data ss:Type="Error">#REF!</Data></Cell></Row>
</Table></Worksheet></Workbook>"""


def refusal(data):
    with pytest.raises(UnreadableFile) as caught:
        read_statement("x.xls", data)
    return caught.value.message


@pytest.mark.parametrize("charset", ["iso-8859-1", "utf-8"])
def test_a_page_under_the_name_of_an_excel_file(charset):
    statement = read_statement("umsaetze.xls", (PAGE % charset).encode(charset))
    assert [(f"{row.booked_on:%m-%d}", str(row.amount), row.description) for row in statement.rows] == [
        ("10-02", "-1234.56", "Bäckerei Größe"),
        ("10-05", "2000.00", ""),
    ]
    assert [(row.row, row.reason) for row in statement.rejected] == [(4, "there is no date")]
    assert statement.format == "html"


def test_an_xml_spreadsheet():
    statement = read_statement("x.xls", BOOK.encode())
    assert [(row.number, f"{row.booked_on:%m-%d}", str(row.amount), row.description) for row in statement.rows] == [
        (5, "04-03", "-12.1", "Tea"),
        (6, "04-04", "100", ""),
    ]
    assert [(row.row, row.reason) for row in statement.rejected] == [(7, "there is no amount")]
    assert [str(each.amount) for each in statement.balances] == ["100.0", "187.9"]
    assert statement.format == "xml spreadsheet"


@pytest.mark.parametrize(
    "data",
    [
        BOOK[:-40],
        BOOK.replace('ss:Index="3"', 'ss:Index="99999999"'),
        BOOK.replace('ss:Index="3"', 'ss:Index="-3"'),
        BOOK.replace('ss:Index="3"', 'ss:Index="three"'),
        BOOK.replace("1e2", "many"),
        BOOK.replace('"?><?mso', '"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><?mso').replace(
            "Tea", "&e;"
        ),
    ],
)
def test_a_damaged_xml_spreadsheet(data):
    assert refusal(data.encode()).startswith("This XML spreadsheet is damaged")


def test_a_page_without_transactions():
    assert refusal(b"<html><table><tr><td>01.02.2025;1,00</td></tr></table></html>").startswith(
        "I can't find transactions in this web page: no table"
    )
    assert refusal(b"<table><tr><td colspan=9999>x</td></tr></table>").startswith("This file has more than 256 columns")


TAGS = st.sampled_from(
    ["<table>", "</table>", "<tr>", "<td>", "<td rowspan=3>", "<td colspan=2>", "2026-10-02", "-1.00", "<", "&", "Date"]
)


@given(st.lists(TAGS, max_size=40))
@settings(deadline=None)
def test_arbitrary_tables_are_read_or_refused(parts):
    try:
        statement = read_statement("x.xls", ("<table>" + "".join(parts)).encode())
    except UnreadableFile:
        return
    assert all(row.amount.is_finite() for row in statement.rows)
