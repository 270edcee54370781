"""What accounts are called by themselves: after the bank where the file tells it, else after what reads well."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.account_names import marked, unmarked
from ledger.importers import Hints, read_statement
from ledger.statement_accounts import UNNAMED, name_from
from ledger.transactions import AccountType


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("umsaetze_dorfbank.csv", "Dorfbank"),
        ("Chase4321_Activity20241101.CSV", "Chase"),
        ("MonzoDataExport.csv", "Monzo"),
        ("DKB_Girokonto.csv", "DKB girokonto"),
        ("Barclays.csv", "Barclays"),
        ("my visa.csv", "Visa"),
        ("first-direct.csv", "First direct"),
        ("Household", "Household"),
        ("folder/Ümsätze_Kreissparkasse.csv", "Kreissparkasse"),
        ("-11005.csv", "Account 1005"),
        ("4321.csv", "Account 4321"),
        ("Konto_1234567.csv", "Account 4567"),
        ("20241101-12345678-umsatz.CSV", "Account 5678"),
        ("DE12345678901234567890_2024.csv", "Account 7890"),
        ("utf8.csv", UNNAMED),
        ("account en.csv", UNNAMED),
        ("transactions(1).csv", UNNAMED),
        ("statement_Nov2024.csv", UNNAMED),
        ("account-statement_2024-01-01_2024-12-31_en_ab12cd.csv", UNNAMED),
        ("dba33fceecd62c3c727893361e0ba4d3.P000000027355791.csv", UNNAMED),
    ],
)
def test_a_file_s_name_tells_whose_it_is_or_nothing(file, name):
    assert name_from(file) == name


@given(st.text(max_size=300))
def test_whatever_a_file_is_called_its_account_has_a_name_to_read(file):
    name = name_from(file)
    assert 0 < len(name) <= 40
    assert name == name.strip()
    assert any(map(str.isalpha, name))
    assert not set(name) & set("/\\_" + string.whitespace.replace(" ", ""))


@given(st.text(st.characters(exclude_characters="\x1f"), min_size=1), st.text("0123456789abcdef", min_size=1))
def test_the_name_of_what_no_longer_stands_is_free_and_known(name, token):
    assert marked(name, token) != name
    assert unmarked(marked(name, token)) == name == unmarked(name)


def accounts_of(file: str, text: str) -> list[tuple[str, AccountType | None]]:
    return [(each.name, each.type) for each in read_statement(file, text.encode(), Hints(day_first=True)).accounts]


CSV = "Date,Description,Amount,{0}\n2026-10-03,TESCO,-5.00,{1}\n"
OFX = """OFXHEADER:100

<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</STATUS><FI><ORG>{org}<FID>1</FI></SONRS></SIGNONMSGSRSV1>
<{kind}MSGSRSV1><STMTTRNRS><{rs}><CURDEF>USD<{frm}><ACCTID>{id}{type}</{frm}><BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT
<DTPOSTED>20260903<TRNAMT>-5.00<FITID>1<NAME>KIOSK</STMTTRN></BANKTRANLIST></{rs}></STMTTRNRS></{kind}MSGSRSV1></OFX>"""


@pytest.mark.parametrize(
    ("column", "cell", "name"),
    [
        ("Account", "12345678", "Account 5678"),
        ("Account", "-11005", "Account 1005"),
        ("Account", "1234********5678", "Account 5678"),
        ("IBAN", "DE99999999999999999999", "Account 9999"),
        ("Account", "Joint", "Joint"),
    ],
)
def test_a_number_alone_is_no_name(column, cell, name):
    assert [each for each, _ in accounts_of("bank.csv", CSV.format(column, cell))] == [name]


@pytest.mark.parametrize(
    ("org", "name"),
    [
        ("B1", "Chase 6789"),
        ("AMEX", "American Express 6789"),
        ("Dorfbank eG", "Dorfbank eG 6789"),
        ("3000", "Credit card 6789"),
        ("", "Credit card 6789"),
    ],
)
def test_a_card_of_an_ofx_file_is_called_after_its_bank_or_kind(org, name):
    text = OFX.format(org=org, kind="CREDITCARD", rs="CCSTMTRS", frm="CCACCTFROM", id="123456789", type="")
    assert accounts_of("a.ofx", text) == [(name, AccountType.CREDIT_CARD)]


def test_an_account_of_an_ofx_file_is_called_after_its_kind_where_no_bank_is_named():
    text = OFX.format(org="", kind="BANK", rs="STMTRS", frm="BANKACCTFROM", id="0055666", type="<ACCTTYPE>SAVINGS")
    assert accounts_of("a.ofx", text) == [("Savings 5666", AccountType.SAVINGS)]


@pytest.mark.parametrize(
    ("header", "row", "name", "kind"),
    [
        ("Date,Description,Card Member,Account #,Amount", "10/29/2026,UBER,ANN,-11005,23.10", "American Express", "credit_card"),
        ("Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit", "2026-10-03,2026-10-04,4321,UBER,Travel,9.00,", "Capital One", "credit_card"),
        ("Transaction Date,Clearing Date,Description,Merchant,Category,Type,Amount (USD)", "10/03/2026,10/04/2026,UBER,Uber,Travel,Purchase,9.00", "Apple Card", "credit_card"),
        ("Transaction Date,Post Date,Description,Category,Type,Amount,Memo", "10/03/2026,10/04/2026,UBER,Travel,Sale,-9.00,", "Chase card", "credit_card"),
        ("Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #", "DEBIT,10/03/2026,UBER,-9.00,ACH_DEBIT,91.00,", "Chase checking", "checking"),
        ("Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In", "tx_1,03/10/2026,10:00:00,Card payment,Uber,,Transport,-9.00,GBP,-9.00,GBP,,,,UBER,,-9.00,", "Monzo", "checking"),
        ("Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance", "CARD_PAYMENT,Current,2026-10-03 10:00:00,2026-10-04 10:00:00,Uber,-9.00,0.00,EUR,COMPLETED,91.00", "Revolut", None),
        ("Date,Payee,Account number,Transaction type,Payment reference,Amount (EUR),Amount (Foreign Currency),Type Foreign Currency,Exchange Rate", "2026-10-03,Uber,,MasterCard Payment,,-9.00,,,", "N26", "checking"),
        ("Datum,Naam / Omschrijving,Rekening,Tegenrekening,Code,Af Bij,Bedrag (EUR),MutatieSoort,Mededelingen", '20261003,Uber,NL01INGB0001234567,,BA,Af,"9,00",Betaalautomaat,x', "ING", None),
        ("Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie", "03.10.2026;Lastschrift;UBER;;-9.00;;", "PostFinance", None),
    ],
)  # fmt: skip
def test_a_well_known_bank_s_file_gives_its_account_a_name_and_mostly_a_type(header, row, name, kind):
    statement = read_statement("-11005.csv", f"{header}\n{row}\n{row}\n".encode(), Hints(day_first=False))
    account = statement.accounts[0] if statement.accounts else statement.unnamed
    assert (account.name, account.type) == (name, kind)
