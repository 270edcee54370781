"""OFX: both versions, damaged files, accounts, currencies and texts."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from ledger.importers import Hints, UnreadableFile, read_statement
from ledger.transactions import AccountType, StatementAccount, StatementBalance

HEADER = "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n"
RECORD = "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20251003120000[-5:EST]<TRNAMT>-12.50<FITID>A1<NAME>CAFE<MEMO>latte</STMTTRN>"


def bank(records, head="<CURDEF>USD<BANKACCTFROM><ACCTID>123<ACCTTYPE>CHECKING</BANKACCTFROM>"):
    statement = f"<STMTRS>{head}<BANKTRANLIST>{records}</BANKTRANLIST></STMTRS>"
    return f"<OFX><BANKMSGSRSV1><STMTTRNRS>{statement}</STMTTRNRS></BANKMSGSRSV1></OFX>"


def read(text, *, encoding="utf-8", **hints):
    return read_statement("bank.ofx", text.encode(encoding), Hints(**hints))


def test_every_field_of_a_record():
    statement = read(HEADER + bank(RECORD.replace("<NAME>", "<SIC>5814<NAME>")))
    row = statement.rows[0]
    assert (row.number, row.booked_on, row.amount) == (1, date(2025, 10, 3), Decimal("-12.50"))
    assert (row.description, row.payee, row.memo) == ("CAFE", "CAFE", "latte")
    assert (row.currency, row.account, row.external_id) == ("USD", "123", "A1")
    assert (row.type_hint, row.mcc) == ("DEBIT", "5814")
    assert statement.accounts == (StatementAccount("123", "Checking 123", AccountType.CHECKING, "USD"),)
    assert statement.format == "ofx"


def test_xml_and_lower_case_and_white_space_are_the_same():
    xml = '<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211"?>\n' + bank(
        "<STMTTRN>\n <TRNTYPE>DEBIT</TRNTYPE>\n <DTPOSTED> 20251003 </DTPOSTED>\n <TRNAMT>-12.50</TRNAMT>"
        "<FITID>A1</FITID><NAME>CAFE</NAME><MEMO>latte</MEMO></STMTTRN>"
    )
    expected = read(HEADER + bank(RECORD)).rows
    assert read(xml).rows == expected
    assert read((HEADER + bank(RECORD)).replace("STMTTRN>", "stmttrn>")).rows == expected
    assert read("\ufeff" + xml.replace("\n", "\r\n")).rows == expected
    assert read(xml.replace("<OFX>", '<o:OFX xmlns:o="urn:x">').replace("</OFX>", "</o:OFX>")).rows == expected
    assert read(xml, encoding="utf-16").rows == expected


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("AT&amp;T", "AT&T"),
        ("A &lt; B", "A < B"),
        ("&#233;t&#xE9;", "été"),
        ("&amp;lt;", "&lt;"),
        ("Ben & Jerry", "Ben & Jerry"),
        ("&nbsp;x", "x"),
        ("&evil;", "&evil;"),
        ("a &#0; b", "a &#0; b"),
        ("<![CDATA[A & <b> B]]>", "A & <b> B"),
        ("5 < 6", "5 < 6"),
    ],
)
def test_entities_are_expanded_once(written, text):
    assert read(bank(RECORD.replace("CAFE", written))).rows[0].description == text


def test_own_entities_are_not_expanded():
    bomb = '<!DOCTYPE OFX [<!ENTITY a "boom"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
    row = read(bomb + bank(RECORD.replace("CAFE", "x &b; &c;"))).rows[0]
    assert row.description == "x &b; &c;"


@pytest.mark.parametrize(
    ("encoding", "header"), [("cp1252", HEADER), ("utf-8", HEADER), ("latin-1", HEADER.replace("1252", "8859-1"))]
)
def test_the_declared_encoding_is_used_unless_the_bytes_are_utf8(encoding, header):
    assert (
        read(header + bank(RECORD.replace("CAFE", "Café Müller")), encoding=encoding).rows[0].description
        == "Café Müller"
    )


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("-12.50", "-12.50"),
        ("-12,50", "-12.50"),
        ("-1,012.50", "-1012.50"),
        ("+000012.5000", "12.5000"),
        ("12.125", "12.125"),
    ],
)
def test_amounts_with_point_or_comma(written, value):
    assert read(bank(RECORD.replace("-12.50", written))).rows[0].amount == Decimal(value)


@pytest.mark.parametrize(
    ("record", "description", "memo"),
    [
        ("<PAYEE><NAME>Shop<CITY>Bonn</PAYEE><MEMO>shoes", "Shop", "shoes"),
        ("<MEMO>only a memo", "only a memo", ""),
        ("<CHECKNUM>1024", "Check 1024", ""),
        ("", "DEBIT", ""),
        ("<NAME>me<BANKACCTTO><ACCTID>9<NAME>other</BANKACCTTO><MEMO>x", "me", "x"),
    ],
)
def test_the_description_is_the_best_text_there_is(record, description, memo):
    row = read(bank(RECORD.replace("<NAME>CAFE<MEMO>latte", record))).rows[0]
    assert (row.description, row.memo, row.account) == (description, memo, "123")


def test_an_amount_in_another_currency_and_one_that_was_converted():
    in_euro = RECORD.replace("<NAME>", "<CURRENCY><CURRATE>1.1<CURSYM>EUR</CURRENCY><NAME>")
    converted = RECORD.replace("<NAME>", "<ORIGCURRENCY><CURRATE>1.1<CURSYM>EUR</ORIGCURRENCY><NAME>")
    assert [row.currency for row in read(bank(in_euro + converted + RECORD)).rows] == ["EUR", "USD", "USD"]


def test_a_missing_currency_is_the_hints_or_none():
    text = bank(RECORD, head="<BANKACCTFROM><ACCTID>123</BANKACCTFROM>")
    assert read(text).rows[0].currency is None
    assert read(text, currency="CHF").rows[0].currency == "CHF"


def test_several_statements_in_one_file_keep_their_accounts():
    account = "<CURDEF>EUR<CCACCTFROM><ACCTID>4111</CCACCTFROM>"
    card = f"<CREDITCARDMSGSRSV1><CCSTMTRS>{account}<BANKTRANLIST>{RECORD}</BANKTRANLIST></CCSTMTRS>"
    statement = read(bank(RECORD).replace("</OFX>", card + "</OFX>"))
    assert [(row.number, row.account, row.currency) for row in statement.rows] == [
        (1, "123", "USD"),
        (2, "4111", "EUR"),
    ]
    assert [account.type for account in statement.accounts] == [AccountType.CHECKING, AccountType.CREDIT_CARD]


def test_the_hint_names_the_only_account():
    assert read(bank(RECORD), account="Main").accounts == (
        StatementAccount("123", "Main", AccountType.CHECKING, "USD"),
    )


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (RECORD.replace("-12.50", "12 34"), "the amount “12 34” is not a number"),
        (RECORD.replace("<TRNAMT>-12.50", ""), "there is no amount"),
        (RECORD.replace("<DTPOSTED>20251003120000[-5:EST]", ""), "there is no date"),
        (RECORD.replace("20251003120000", "20251399"), "the date “20251399[-5:EST]” is not one that I can read"),
        (RECORD.replace("STMTTRN>", "STMTTRNP>"), "the payment is pending, so it is not booked"),
    ],
)
def test_a_damaged_record_is_rejected_and_the_others_stay(record, reason):
    statement = read(bank(RECORD + record + RECORD))
    assert [row.number for row in statement.rows] == [1, 3]
    assert [(row.row, row.reason) for row in statement.rejected] == [(2, reason)]


def test_a_file_that_breaks_off_keeps_its_complete_records():
    text = bank(RECORD + RECORD + RECORD)
    statement = read(text[: text.rindex("<FITID>")])
    assert [row.number for row in statement.rows] == [1, 2]
    assert [(row.row, row.reason) for row in statement.rejected] == [
        (3, "the file breaks off in the middle of this transaction")
    ]


def test_a_record_that_is_not_closed_ends_where_the_next_begins():
    statement = read(bank(RECORD.removesuffix("</STMTTRN>") + RECORD))
    assert [row.external_id for row in statement.rows] == ["A1", "A1"]
    assert statement.rejected == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (HEADER, "This OFX file breaks off before its first statement."),
        ("<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0", "This OFX file breaks off before its first statement."),
        ("<OFX></OFX>", "This OFX file holds no statement."),
        (
            "<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>15500<SEVERITY>ERROR</STATUS></SONRS></SIGNONMSGSRSV1></OFX>",
            "This OFX file holds no statement, only the bank's error 15500: download it again.",
        ),
    ],
)
def test_a_file_without_a_statement_is_refused(text, sentence):
    with pytest.raises(UnreadableFile) as caught:
        read(text)
    assert caught.value.message == sentence


def test_the_booked_balance_is_kept_and_the_available_one_is_not():
    """Whichever comes first, and whether or not its tags are closed."""
    booked = "<LEDGERBAL><BALAMT>1150.00<DTASOF>20251031120000</LEDGERBAL>"
    available = "<AVAILBAL><BALAMT>2150.00<DTASOF>20251101</AVAILBAL>"
    for balances in (booked + available, available + booked, booked, booked.replace("</LEDGERBAL>", "") + available):
        text = bank(RECORD).replace("</BANKTRANLIST>", f"</BANKTRANLIST>{balances}")
        statement = read(HEADER + text)
        assert statement.balances == (StatementBalance(date(2025, 10, 31), Decimal(1150), False, "123", "USD"),)
        assert len(statement.rows) == 1
    assert read(HEADER + bank(RECORD).replace("</STMTRS>", f"{available}</STMTRS>")).balances == ()


@pytest.mark.parametrize(
    "balance", ["<BALAMT>12.00", "<BALAMT>12.00<DTASOF>soon", "<DTASOF>20251031", "<BALAMT>n/a<DTASOF>20251031"]
)
def test_a_balance_without_amount_or_day_is_none(balance):
    text = bank(RECORD).replace("</STMTRS>", f"<LEDGERBAL>{balance}</LEDGERBAL></STMTRS>")
    assert read(HEADER + text).balances == ()


def test_what_is_owed_must_have_a_minus():
    """Issuers differ in whether they write one, so that a card's balance without it says nothing for certain."""
    card = "<OFX><CCSTMTRS><CURDEF>USD<CCACCTFROM><ACCTID>9</CCACCTFROM><LEDGERBAL><BALAMT>{}<DTASOF>20251031</LEDGERBAL></CCSTMTRS></OFX>"
    owed, untold, nothing = (read(HEADER + card.format(amount)) for amount in ("-480.00", "480.00", "0.00"))
    assert [balance.amount for balance in owed.balances] == [Decimal(-480)]
    assert not any("may be owed" in warning for warning in owed.warnings)
    assert untold.balances == ()
    assert any("may be owed" in warning for warning in untold.warnings)
    assert [balance.amount for balance in nothing.balances] == [Decimal(0)]
