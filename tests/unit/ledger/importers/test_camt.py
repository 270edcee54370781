"""CAMT: versions, directions, batches, reversals, balances, and files that are damaged or hostile."""

from __future__ import annotations

import contextlib
from datetime import date
from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.importers import Hints, UnreadableFile, read_statement
from ledger.transactions import AccountType, StatementAccount

NAMES = {
    "052": ("BkToCstmrAcctRpt", "Rpt"),
    "053": ("BkToCstmrStmt", "Stmt"),
    "054": ("BkToCstmrDbtCdtNtfctn", "Ntfctn"),
}
ACCOUNT = "<Acct><Id><IBAN>DE75512108001245126199</IBAN></Id><Ccy>EUR</Ccy></Acct>"


def document(*statements, message="053", version="08", head=""):
    root, name = NAMES[message]
    body = "".join(f"<{name}>{statement}</{name}>" for statement in statements)
    space = f"urn:iso:std:iso:20022:tech:xsd:camt.{message}.001.{version}"
    return f'<?xml version="1.0" encoding="UTF-8"?>{head}<Document xmlns="{space}"><{root}>{body}</{root}></Document>'


def entry(
    amount="12.50", side="DBIT", details="", *, more="", currency="EUR", booked="<BookgDt><Dt>2026-10-03</Dt></BookgDt>"
):
    amount = f'<Amt Ccy="{currency}">{amount}</Amt>' if amount else ""
    details = f"<NtryDtls>{details}</NtryDtls>" if details else ""
    return f"<Ntry>{amount}<CdtDbtInd>{side}</CdtDbtInd><Sts>BOOK</Sts>{booked}{more}{details}</Ntry>"


def detail(amount="", name="", side="", currency="EUR", inner=""):
    amount = f'<Amt Ccy="{currency}">{amount}</Amt>' if amount else ""
    side = f"<CdtDbtInd>{side}</CdtDbtInd>" if side else ""
    parties = f"<RltdPties><Cdtr><Nm>{name}</Nm></Cdtr></RltdPties>" if name else ""
    return f"<TxDtls>{amount}{side}{parties}{inner}</TxDtls>"


def balance(kind, amount, day, side="CRDT", currency="EUR", more=""):
    return (
        f"<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp>{more}"
        f'<Amt Ccy="{currency}">{amount}</Amt><CdtDbtInd>{side}</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>'
    )


def read(text, encoding="utf-8", **hints):
    return read_statement("x.xml", text.encode(encoding) if isinstance(text, str) else text, Hints(**hints))


def only(text):
    statement = read(text)
    assert statement.rejected == ()
    (row,) = statement.rows
    return row


@pytest.mark.parametrize("message", NAMES)
@pytest.mark.parametrize("version", ["02", "04", "08", "13"])
def test_every_message_and_version(message, version):
    row = only(document(ACCOUNT + entry(), message=message, version=version))
    assert (row.number, row.booked_on, row.amount, row.currency) == (1, date(2026, 10, 3), Decimal("-12.50"), "EUR")
    assert row.account == "DE75512108001245126199"


def test_prefixes_wrappings_and_encodings_are_the_same():
    text = document(ACCOUNT + entry(details=detail(name="Café Übersee")))
    expected = read(text)
    prefixed = text.replace("</", "</c:").replace("<", "<c:").replace("<c:/c:", "</c:").replace("<c:?", "<?")
    assert read(prefixed.replace("xmlns=", "xmlns:c=")) == expected
    assert (
        read(text.replace("<Document", "<Envelope><Document").replace("</Document>", "</Document></Envelope>"))
        == expected
    )
    assert read(text.replace("UTF-8", "ISO-8859-1"), "latin-1") == expected
    assert read(text, "latin-1") == expected  # what it declares is wrong
    assert read("\ufeff" + text) == expected
    assert read(text.replace("UTF-8", "UTF-16"), "utf-16") == expected
    assert read(text.replace("><", ">\r\n\t<")) == expected


@pytest.mark.parametrize(("side", "sign"), [("DBIT", -1), ("CRDT", 1)])
@pytest.mark.parametrize("reversal", ["", "<RvslInd>false</RvslInd>", "<RvslInd>true</RvslInd>"])
def test_the_entry_says_the_direction_and_a_reversal_says_what_it_was_before(side, sign, reversal):
    row = only(document(ACCOUNT + entry(side=side, more=reversal)))
    assert row.amount == sign * Decimal("12.50")
    assert row.type_hint == ("reversal" if "true" in reversal else None)


@pytest.mark.parametrize(("written", "amount"), [("12.", 12), (".5", "0.5"), ("+12.50", "12.5"), ("012.50000", "12.5")])
def test_numbers_of_xml(written, amount):
    assert only(document(ACCOUNT + entry(written, "CRDT"))).amount == Decimal(amount)


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (entry(""), "there is no amount"),
        (entry("12,50 EUR"), "the amount “12,50 EUR” is not a number"),
        (entry("-12.50"), "the amount “-12.50” has a sign beside its direction"),
        (entry(side=""), "the entry does not say whether the money came in or went out"),
        (entry(booked=""), "there is no date"),
        (
            entry(booked="<BookgDt><Dt>2026-02-30</Dt></BookgDt><ValDt><Dt>2026-03-01</Dt></ValDt>"),
            "the date “2026-02-30” is not one that I can read",
        ),
        (entry().replace("BOOK", "PDNG"), "the payment is pending, so it is not booked"),
        (entry().replace("BOOK", "<Cd>PDNG</Cd>"), "the payment is pending, so it is not booked"),
        (
            entry().replace("BOOK", "<Prtry>Vorgemerkt</Prtry>"),
            "the payment is marked “Vorgemerkt”, so it is not booked",
        ),
        (entry().replace("BOOK", "INFO"), "the entry is for information only, so it is not booked"),
        (entry().replace("BOOK", "FUTR"), "the payment is still to come, so it is not booked"),
    ],
)
def test_an_entry_that_can_not_be_read_is_rejected_and_the_next_one_kept(broken, reason):
    statement = read(document(ACCOUNT + broken + entry("1.00")))
    assert [(row.row, row.reason) for row in statement.rejected] == [(1, reason)]
    assert [(row.number, row.amount) for row in statement.rows] == [(2, Decimal("-1.00"))]


def test_the_day_of_booking_goes_before_the_value_date_and_a_notice_has_its_own_day():
    value = "<ValDt><Dt>2026-10-09</Dt></ValDt>"
    assert only(document(ACCOUNT + entry(more=value))).booked_on == date(2026, 10, 3)
    assert only(document(ACCOUNT + entry(booked="", more=value))).booked_on == date(2026, 10, 9)
    timed = "<BookgDt><DtTm>2026-10-31T23:59:59-08:00</DtTm></BookgDt>"
    assert only(document(ACCOUNT + entry(booked=timed))).booked_on == date(2026, 10, 31)
    sent = "<CreDtTm>2026-10-05T08:00:00</CreDtTm>" + ACCOUNT + entry(booked="")
    notice = read(document(sent, message="054"))
    assert [row.booked_on for row in notice.rows] == [date(2026, 10, 5)]
    assert notice.warnings == (
        "1 entry has no date of booking, so the day on which the bank sent the notice is taken.",
    )
    assert read(document(sent)).rows == ()


def test_a_batch_whose_payments_come_to_it_is_split():
    row, other = read(document(ACCOUNT + entry("30.00", details=detail("10.00", "Ann") + detail("20.00", "Ben")))).rows
    assert (row.number, row.amount, row.payee) == (1, Decimal("-10.00"), "Ann")
    assert (other.number, other.amount, other.payee) == (1, Decimal("-20.00"), "Ben")


def test_a_batch_of_older_versions_has_its_amounts_one_level_deeper():
    inner = '<AmtDtls><InstdAmt><Amt Ccy="EUR">99</Amt></InstdAmt><TxAmt><Amt Ccy="EUR">{}</Amt></TxAmt></AmtDtls>'
    parts = detail(inner=inner.format("10.00")) + detail(inner=inner.format("20.00"))
    assert [row.amount for row in read(document(ACCOUNT + entry("30.00", details=parts))).rows] == [-10, -20]


@pytest.mark.parametrize(
    "details",
    [
        detail("10.00", "Ann") + detail("20.01", "Ben"),
        detail("10.00", "Ann") + detail("", "Ben"),
        detail("10.00", "Ann") + detail("20.00", "Ben", currency="USD"),
        detail("10.00", "Ann") + detail("x", "Ben"),
    ],
    ids=["a cent more", "no amount", "another currency", "no number"],
)
def test_any_other_batch_is_one_row(details):
    row = only(document(ACCOUNT + entry("30.00", details=details)))
    assert (row.amount, row.payee, row.description, row.memo) == (Decimal("-30.00"), "", "2 payments", "Ann, Ben")


def test_a_batch_may_hold_both_directions():
    parts = detail("50.00", "Ann", "CRDT") + detail("20.00", "Ben", "DBIT")
    rows = read(document(ACCOUNT + entry("30.00", "CRDT", parts))).rows
    assert [row.amount for row in rows] == [50, -20]
    turned = detail("10.00", "Ann", "CRDT") + detail("20.00", "Ben", "CRDT")
    assert [row.amount for row in read(document(ACCOUNT + entry("30.00", "DBIT", turned))).rows] == [-10, -20]


@settings(deadline=None)
@given(st.lists(st.integers(1, 99_999), min_size=2, max_size=6), st.sampled_from(["DBIT", "CRDT"]), st.integers(-1, 1))
def test_a_batch_always_comes_to_its_entry(cents, side, off):
    parts = "".join(detail(f"{cent / 100:.2f}", "Ann") for cent in cents)
    total = max(sum(cents) + off, 0)
    rows = read(document(ACCOUNT + entry(f"{total // 100}.{total % 100:02}", side, parts))).rows
    assert sum(row.amount for row in rows) == Decimal(total if side == "CRDT" else -total).scaleb(-2)
    assert len(rows) == (1 if off else len(cents))


def test_amounts_in_another_currency_are_only_information():
    foreign = '<AmtDtls><InstdAmt><Amt Ccy="USD">99.00</Amt></InstdAmt></AmtDtls>'
    row = only(document(ACCOUNT + entry("90.00", details=detail(inner=foreign))))
    assert (row.amount, row.currency) == (Decimal("-90.00"), "EUR")


def test_a_row_without_a_currency_has_the_account_s_or_the_person_s():
    bare = entry().replace(' Ccy="EUR"', "")
    assert only(document(ACCOUNT.replace("EUR", "CHF") + bare)).currency == "CHF"
    without = document(ACCOUNT.replace("<Ccy>EUR</Ccy>", "") + bare)
    assert only(without).currency is None
    assert read(without, currency="SEK").rows[0].currency == "SEK"


def parties(**names):
    return "<RltdPties>" + "".join(f"<{side}><Nm>{name}</Nm></{side}>" for side, name in names.items()) + "</RltdPties>"


OWNED = ACCOUNT.replace("</Acct>", "<Ownr><Nm>Lena Beispiel</Nm></Ownr></Acct>")
EVERYBODY = parties(Dbtr="D", UltmtDbtr="UD", Cdtr="C", UltmtCdtr="UC")


@pytest.mark.parametrize(
    ("side", "more", "inner", "payee", "to_self"),
    [
        ("DBIT", "", EVERYBODY, "UC", False),
        ("CRDT", "", EVERYBODY, "UD", False),
        ("DBIT", "", parties(Dbtr="Lena Beispiel", Cdtr="Shop"), "Shop", False),
        ("CRDT", "<RvslInd>true</RvslInd>", parties(Dbtr="Lena Beispiel", Cdtr="Shop"), "Shop", False),
        ("CRDT", "", parties(Dbtr="Lena Beispiel", Cdtr="Shop"), "Shop", False),
        ("DBIT", "", parties(Cdtr="LENA  BEISPIEL"), "LENA BEISPIEL", True),
        ("CRDT", "", parties(Dbtr="Lena Beispiel", Cdtr="Lena Beispiel"), "Lena Beispiel", True),
        ("DBIT", "", parties(Cdtr="PayPal", UltmtCdtr="NOTPROVIDED"), "PayPal", False),
        ("DBIT", "", "<RltdPties><Cdtr><Pty><Nm>New</Nm></Pty></Cdtr></RltdPties>", "New", False),
        (
            "DBIT",
            "",
            "<RltdPties><Cdtr><Agt><FinInstnId><Nm>Bank</Nm></FinInstnId></Agt></Cdtr></RltdPties>",
            "Bank",
            False,
        ),
        ("DBIT", "", "", "", False),
    ],
)
def test_the_other_side_is_the_payee(side, more, inner, payee, to_self):
    row = only(document(OWNED + entry(side=side, more=more, details=detail(inner=inner))))
    assert (row.payee, row.to_self) == (payee, to_self)


def test_the_account_s_own_number_tells_which_side_is_the_other():
    inner = (
        "<RltdPties><Dbtr><Nm>Shop</Nm></Dbtr><DbtrAcct><Id><IBAN>DE02500105170137075030</IBAN></Id></DbtrAcct>"
        "<Cdtr><Nm>L. B.</Nm></Cdtr><CdtrAcct><Id><IBAN>DE75512108001245126199</IBAN></Id></CdtrAcct></RltdPties>"
    )
    assert only(document(ACCOUNT + entry("5", "DBIT", detail(inner=inner)))).payee == "Shop"


def test_texts_go_into_description_and_memo_once():
    inner = (
        "<RmtInf><Ustrd>Invoice 7</Ustrd><Ustrd>of May</Ustrd><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf>"
        "<AddtlTxInf>Invoice 7</AddtlTxInf>"
    )
    row = only(
        document(ACCOUNT + entry(details=detail("", "Shop", inner=inner), more="<AddtlNtryInf>Online</AddtlNtryInf>"))
    )
    assert (row.description, row.memo) == ("Shop", "Invoice 7 of May; RF18; Online")
    long = "x" * 140
    row = only(
        document(ACCOUNT + entry(details=detail(inner=f"<RmtInf><Ustrd>{long}</Ustrd><Ustrd>yz</Ustrd></RmtInf>")))
    )
    assert row.description == long + "yz"
    tagged = "<RmtInf><Ustrd>EREF+1 MREF+2 SVWZ+Rent of May</Ustrd></RmtInf>"
    assert only(document(ACCOUNT + entry(details=detail(inner=tagged)))).description == "Rent of May"


def code(domain, family, sub):
    levels = f"<Cd>{domain}</Cd><Fmly><Cd>{family}</Cd><SubFmlyCd>{sub}</SubFmlyCd></Fmly>"
    return f"<BkTxCd><Domn>{levels}</Domn></BkTxCd>"


def own_code(text, issuer="DK"):
    return f"<BkTxCd><Prtry><Cd>{text}</Cd><Issr>{issuer}</Issr></Prtry></BkTxCd>"


@pytest.mark.parametrize(
    ("more", "hint"),
    [
        (code("PMNT", "CCRD", "CWDL"), "cash withdrawal"),
        (code("PMNT", "CCRD", "POSD"), "card payment"),
        (code("PMNT", "RDDT", "ESDD"), "direct debit"),
        (code("PMNT", "RDDT", "UPDD"), "reversal"),
        (code("PMNT", "ICDT", "STDO"), "standing order"),
        (code("PMNT", "ICDT", "BOOK"), "credit transfer"),
        (code("ACMT", "MDOP", "CHRG"), "fee"),
        (code("LDAS", "CSLN", "INTR"), "interest"),
        (code("XXXX", "YYYY", "ZZZZ"), None),
        (own_code("NSTO+117+00931"), "standing order"),
        (own_code("NMSC+083"), "cash withdrawal"),
        (own_code("NTRF+153+1"), "salary"),
        (own_code("544", "BBA"), None),
        (code("PMNT", "ICDT", "ESCT") + "<AddtlNtryInf>UMBUCHUNG</AddtlNtryInf>", "UMBUCHUNG"),
        (code("PMNT", "ICDT", "ESCT") + "<AddtlNtryInf>Instant Transfer</AddtlNtryInf>", "credit transfer"),
        (own_code("TRANSFER", "BANK"), None),
    ],
)
def test_codes_say_what_kind_of_movement_it_is(more, hint):
    assert only(document(ACCOUNT + entry(more=more))).type_hint == hint


def test_the_bank_s_reference_is_an_id_and_the_payer_s_is_none():
    refs = "<Refs><EndToEndId>{}</EndToEndId></Refs>"
    assert only(document(ACCOUNT + entry(details=detail(inner=refs.format("NOTPROVIDED"))))).external_id is None
    assert only(document(ACCOUNT + entry(details=detail(inner=refs.format("RENT"))))).external_id is None
    assert only(document(ACCOUNT + entry(more="<AcctSvcrRef>NONREF</AcctSvcrRef>"))).external_id is None
    own = entry("30.00", details=detail("10.00") + detail("20.00"), more="<AcctSvcrRef>B7</AcctSvcrRef>")
    assert [row.external_id for row in read(document(ACCOUNT + own)).rows] == ["B7/1", "B7/2"]


def test_the_category_code_of_a_shop_is_kept():
    card = "<CardTx><POI><MrchntCtgyCd>5411</MrchntCtgyCd></POI></CardTx>"
    assert only(document(ACCOUNT + entry(details=detail(inner=card)))).mcc == "5411"
    own = "<Refs><Prtry><Tp>MCC</Tp><Ref>5812</Ref></Prtry></Refs>"
    assert only(document(ACCOUNT + entry(details=detail(inner=own)))).mcc == "5812"


@pytest.mark.parametrize(
    ("inner", "account"),
    [
        ("<Nm>Holiday</Nm>", StatementAccount("X1234567", "Holiday")),
        ("<Tp><Cd>SVGS</Cd></Tp>", StatementAccount("X1234567", "Savings 4567", AccountType.SAVINGS)),
        ("<Svcr><FinInstnId><Nm>A Bank</Nm></FinInstnId></Svcr>", StatementAccount("X1234567", "A Bank 4567")),
        ("<Nm>X1234567</Nm>", StatementAccount("X1234567", "Account 4567")),
        ("<Ccy>PLN</Ccy>", StatementAccount("X1234567", "Account 4567", None, "PLN")),
    ],
)
def test_an_account_has_a_name_that_can_be_said(inner, account):
    text = document(f"<Acct><Id><Othr><Id>X1234567</Id></Othr></Id>{inner}</Acct>" + entry())
    assert read(text).accounts == (account,)
    assert read(text, account="Mine").accounts[0].name == "Mine"


def test_two_accounts_never_share_a_name():
    accounts = [
        f"<Acct><Id><IBAN>{iban}</IBAN></Id></Acct>{entry()}" for iban in ("DE11A4567", "DE22B4567", "DE11A4567")
    ]
    assert [account.name for account in read(document(*accounts)).accounts] == ["Account 4567", "DE22B4567"]
    assert [row.account for row in read(document(*accounts)).rows] == ["DE11A4567", "DE22B4567", "DE11A4567"]


def test_balances_are_kept_with_their_signs_and_checked():
    statement = ACCOUNT + balance("OPBD", "10.00", "2026-10-01", "DBIT") + balance("CLBD", "5.00", "2026-10-31")
    found = read(document(statement + entry("15.00", "CRDT")))
    assert [(each.on, each.amount, each.currency, each.account) for each in found.balances] == [
        (date(2026, 10, 1), Decimal("-10.00"), "EUR", "DE75512108001245126199"),
        (date(2026, 10, 31), Decimal("5.00"), "EUR", "DE75512108001245126199"),
    ]
    assert found.warnings == ()
    assert read(document(statement + entry("14.00", "CRDT"))).warnings == (
        "The rows of 3 Oct 2026 don't add up to the balances: 1.00 EUR of money in is missing.",
    )


def test_an_opening_balance_stands_before_the_rows_of_its_day_only_if_there_are_any():
    for day, opening in (("2026-10-02", False), ("2026-10-03", True)):
        found = read(document(ACCOUNT + balance("PRCD", "10.00", day) + entry()))
        assert [each.opening for each in found.balances] == [opening]


def test_a_credit_line_is_no_money_of_the_account_and_available_balances_are_others():
    line = "<CdtLine><Incl>true</Incl></CdtLine>"
    others = balance("CLAV", "9", "2026-10-03") + balance("CLBD", "500", "2026-10-03", more=line)
    assert read(document(ACCOUNT + others + entry())).balances == ()


def test_interim_balances_open_and_close_a_report_that_has_no_others():
    report = ACCOUNT + balance("ITBD", "20.00", "2026-10-03") + balance("ITBD", "7.50", "2026-10-03") + entry()
    found = read(document(report, message="052"))
    assert ([each.amount for each in found.balances], found.warnings) == ([Decimal("7.50")], ())
    assert read(document(report + entry("1"), message="052")).warnings


def test_a_statement_that_is_in_the_file_twice_is_read_once():
    whole = ACCOUNT + balance("OPBD", "20", "2026-10-02") + balance("CLBD", "7.50", "2026-10-03") + entry()
    found = read(document(whole, whole))
    assert (len(found.rows), len(found.balances)) == (1, 2)
    assert found.warnings == ("1 of the statements in this file is in it twice, and read once.",)
    assert len(read(document(ACCOUNT + entry(), ACCOUNT + entry())).rows) == 2  # nothing says that this is one


def test_a_statement_that_is_missing_between_two_is_said():
    first = ACCOUNT + balance("OPBD", "20", "2026-10-02") + balance("CLBD", "7.50", "2026-10-03") + entry()
    third = ACCOUNT + balance("OPBD", "9.50", "2026-10-05") + balance("CLBD", "9.50", "2026-10-06")
    said = ("The rows between 3 and 5 Oct 2026 don't add up to the balances: 2.00 EUR of money in is missing.",)
    for order in permutations([first, third]):
        assert read(document(*order)).warnings == said


@pytest.mark.parametrize(
    "head",
    [
        "<!DOCTYPE Document>",
        '<!DOCTYPE Document [<!ENTITY a "b">]>',
        '<!DOCTYPE Document SYSTEM "file:///etc/passwd">',
        '<!DOCTYPE Document [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_a_document_type_is_refused(head):
    with pytest.raises(UnreadableFile, match="declares a document type or entities of its own"):
        read(document(ACCOUNT + entry(), head=head))


def test_a_file_that_breaks_off_is_never_taken_for_whole():
    text = document(ACCOUNT + entry("1.00") + entry("2.00"))
    whole = read(text).rows
    for end in range(len(text) - 1):
        try:
            found = read(text[:end])
        except UnreadableFile:
            continue
        assert found.rows == whole[: len(found.rows)]
        assert "so this entry and all behind it are missing" in found.rejected[-1].reason


def test_damage_in_the_middle_is_said():
    text = document(ACCOUNT + entry("1.00") + "<Ntry><Amt>&evil;</Amt></Ntry>" + entry("2.00"))
    found = read(text)
    assert [row.amount for row in found.rows] == [-1]
    assert [row.row for row in found.rejected] == [2]


def test_a_message_without_a_statement_is_refused():
    with pytest.raises(UnreadableFile, match="holds no statement"):
        read(document())


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_noise_in_a_file_is_read_or_refused(noise):
    text = document(ACCOUNT + entry("1.00")).encode()
    with contextlib.suppress(UnreadableFile):
        read(text[:200] + noise + text[200:])
