"""MT940 and MT942: lines and details in the ways of many banks, years that turn, balances, and what can't be read."""

from __future__ import annotations

import contextlib
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.importers import Hints, UnreadableFile, read_statement
from ledger.transactions import StatementAccount

HEAD = ":20:STARTUMS\n:25:51210800/1245126199\n:28C:1/1\n:60F:C260930EUR100,00\n"
LINE = ":61:2610021003D12,50NMSCNONREF\n:86:Shop\n"
END = ":62F:C261031EUR87,50\n-\n"


def read(text, encoding="utf-8", **hints):
    return read_statement("umsatz.sta", text.encode(encoding), Hints(**hints))


def line(text, details=""):
    """Return the only row of a line, or why there is none."""
    found = read(HEAD + f":61:{text}\n" + (f":86:{details}\n" if details else ""))
    return found.rows[0] if found.rows else found.rejected[0].reason


def test_every_part_of_a_line():
    row = line("2610021003DR12,50NDDTREF7//BANK7\nFURTHER WORDS", "105?00LASTSCHRIFT?20SVWZ+Rent?32Ann")
    assert (row.number, row.booked_on, row.amount, row.currency) == (1, date(2026, 10, 3), Decimal("-12.50"), "EUR")
    assert (row.payee, row.description, row.memo) == ("Ann", "Ann", "Rent; FURTHER WORDS")
    assert (row.account, row.type_hint, row.external_id) == ("DE75512108001245126199", "direct debit", None)


def test_blocks_line_ends_and_encodings_are_the_same():
    text = HEAD + LINE.replace("Shop", "Müller") + END
    expected = read(text)
    assert len(expected.rows) == 1
    assert expected.warnings == ()
    assert read(text.replace("\n", "\r\n")) == expected
    assert read("\r\n\r\n" + text.replace("-\n", "-}\n")) == expected
    assert read("{1:F01BANKDEFFXXXX}{2:I940BANKDEFFXXXXN}{4:\r\n" + text.replace("-\n", "-}{5:{CHK:1}}")) == expected
    assert read("{1:F01BANKDEFFXXXX}{2:I940BANKDEFFXXXXN}{4:" + text) == expected
    assert read(":940:\n" + text) == expected
    assert read("\t" + text.replace("\n:", "\n\t:")) == expected
    assert read(text, "cp1252") == expected
    assert read("\ufeff" + text) == expected


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("261002C12,50NMSC", "12.50"),
        ("261002D12,50NMSC", "-12.50"),
        ("261002RC12,50NMSC", "-12.50"),
        ("261002RD12,50NMSC", "12.50"),
        ("261002CR12,50NMSC", "12.50"),
        ("261002DR12,50NMSC", "-12.50"),
        ("2610021002RDR12,50NMSC", "12.50"),
        ("2610021002CN0,01NTRF", "0.01"),
        ("261002D12,NMSC", "-12"),
        ("261002D12NMSC", "-12"),
        ("261002D12.50NMSC", "-12.50"),
        ("261002D000000000012,50N102EREF", "-12.50"),
        ("261002D1.234,50NMSC", "-1234.50"),
        ("261002D,50NMSC", None),
        ("261002D12,50", "-12.50"),
        ("261002D12,50S   X", "-12.50"),
        ("261002D12,50FMSC", "-12.50"),
        ("261002 1002 D 12,50 NMSC", "-12.50"),
    ],
)
def test_sides_and_amounts(written, amount):
    row = line(written)
    assert (row if isinstance(row, str) else str(row.amount)) == (
        amount or f"the line “{written}” is not one that I can read"
    )


@pytest.mark.parametrize("mark", ["RC", "RD"])
def test_a_reversal_is_called_one(mark):
    assert line(f"261002{mark}12,50NMSC").type_hint == "reversal"


@pytest.mark.parametrize(
    ("days", "booked"),
    [
        ("261002", date(2026, 10, 2)),
        ("2610021003", date(2026, 10, 3)),
        ("2612310102", date(2027, 1, 2)),
        ("2701021230", date(2026, 12, 30)),
        ("2610020000", date(2026, 10, 2)),
        ("1602300301", date(2016, 3, 1)),
        ("160230", date(2016, 2, 29)),
        ("170230", date(2017, 2, 28)),
        ("9912310103", date(2000, 1, 3)),
        ("2402290301", date(2024, 3, 1)),
    ],
)
def test_the_day_of_booking_has_the_year_that_is_near(days, booked):
    assert line(f"{days}D1,00NMSC").booked_on == booked


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("260231D1,00NMSC", "the date “260231” is not one that I can read"),
        ("261301D1,00NMSC", "the date “261301” is not one that I can read"),
        ("261002X1,00NMSC", "the line “261002X1,00NMSC” is not one that I can read"),
        ("261002D1.234NMSC", "the amount “1.234” is not a number"),
        ("261002ED1,00NMSC", "the payment is expected, so it is not booked"),
        ("261002EC1,00NMSC", "the payment is expected, so it is not booked"),
    ],
)
def test_a_line_that_can_not_be_read_is_rejected_and_the_next_one_kept(written, reason):
    found = read(HEAD + f":61:{written}\n:86:what it was\n" + LINE)
    assert [(row.row, row.reason) for row in found.rejected] == [(1, reason)]
    assert [(row.number, row.description) for row in found.rows] == [(2, "Shop")]


@settings(deadline=None)
@given(
    st.dates(date(1990, 1, 1), date(2060, 12, 31)), st.integers(-40, 40), st.integers(1, 10**9), st.sampled_from("CD")
)
def test_whatever_is_written_is_read(value, later, cents, mark):
    booked = value + timedelta(later)
    row = line(f"{value:%y%m%d}{booked:%m%d}{mark}{cents // 100},{cents % 100:02}NTRFNONREF", "text")
    leap = (booked.month, booked.day) == (2, 29)
    assert row.booked_on == booked or (leap and row.booked_on.year % 4)
    assert row.amount == Decimal(cents if mark == "C" else -cents).scaleb(-2)


@pytest.mark.parametrize("sign", "?><~^|$")
def test_german_subfields_behind_any_sign(sign):
    fields = "105?00FOLGELASTSCHRIFT?109248?20EREF+1?21SVWZ+Rechnung vom Okto?22ber?30BANK?31DE1?32Stadtwerke".split(
        "?"
    )
    row = line("261002D1,00NMSC", sign.join(fields))
    assert (row.payee, row.memo, row.type_hint) == ("Stadtwerke", "Rechnung vom Okto ber", "direct debit")


def test_a_full_subfield_goes_on_in_the_next_and_a_line_may_break_anywhere():
    text = "166?20SVWZ+Rechnung 4711 vom 3. O?21ktober fuer das Haus?32Baugesellschaft Musterstadt?33 GmbH & Co. KG"
    assert [len(part) for part in text.split("?")[1::2]] == [29, 29]
    for at in range(4, len(text)):
        row = line("261002C1,00NMSC", text[:at] + "\n" + text[at:])
        assert (row.payee, row.memo) == (
            "Baugesellschaft Musterstadt GmbH & Co. KG",
            "Rechnung 4711 vom 3. Oktober fuer das Haus",
        )


def test_behind_a_short_name_there_is_an_address():
    assert line("261002C1,00NMSC", "020~20x~32ZAKLAD~33UL. DLUGA 5").payee == "ZAKLAD"


@pytest.mark.parametrize(
    ("mark", "code", "tag", "payee"),
    [
        ("C", "166", "ABWA", "Other"),
        ("D", "116", "ABWE", "Other"),
        ("D", "116", "ABWA", "Ann"),
        ("D", "105", "ABWA", "Other"),
        ("C", "166", "ABWE", "Ann"),
    ],
)
def test_whom_somebody_pays_or_collects_for_goes_before_them(mark, code, tag, payee):
    assert line(f"261002{mark}1,00NMSC", f"{code}?20SVWZ+x?32Ann?60{tag}+Other").payee == payee


@pytest.mark.parametrize(
    ("details", "payee", "memo", "hint"),
    [
        (
            "/TRTP/SEPA OVERBOEKING/IBAN/NL1/BIC/A/NAME/T TEST/REMI/TO/DO/EREF/NOTPROVIDED",
            "T TEST",
            "TO/DO",
            "SEPA OVERBOEKING",
        ),
        ("/EREF/1/BENM//NAME/CONTRA\n HOLDER/REMI//ISDT/2026-07-11", "CONTRA HOLDER", "", None),
        ("/CNTP/NL1/INGBNL2A/SHOP B.V./UTRECHT///REMI/USTD//Order 7/EREF/9", "SHOP B.V.", "Order 7", None),
        ("/RTRN/MS03//NAME/SHOP/REMI/back", "SHOP", "back", "reversal"),
        ("/NAME/PSP/ULTB/SHOP/REMI/Order", "SHOP", "Order", None),
        ("911 COLLECT; Z RACH.: 56; OD: JAN NOWAK  \nUL. NIJAKA 1; TYT.: CZYNSZ; TNR: 1", "JAN NOWAK", "CZYNSZ", None),
        ("Plain words\nover two lines", "", "", None),
    ],
)
def test_details_of_other_forms(details, payee, memo, hint):
    row = line("261002D1,00NMSC", details)
    assert (row.payee, row.memo, row.type_hint) == (payee, memo, hint)
    assert row.description


def test_a_name_behind_the_reference_is_the_payee():
    row = line("261002D1,00N0440121470966      W.P. Jansen", "KOSTEN JUNI\n:86:20095731")
    assert (row.payee, row.memo) == ("W.P. Jansen", "KOSTEN JUNI 20095731")


def test_multicash_writes_a_field_of_its_own():
    row = line("261002D1,00S   X\n:NS:01Rechnung\n02 7\n15ERGO\n34000000427")
    assert (row.payee, row.memo) == ("ERGO", "Rechnung 7")


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("008", "standing order"), ("106", "card payment"), ("083", "cash withdrawal"), ("153", "salary"),
        ("109", "reversal"), ("808", "fee"), ("814", "interest"), ("820", "internal transfer"), ("997", None),
    ],
)  # fmt: skip
def test_a_german_code_says_what_kind_of_movement_it_is(code, hint):
    assert line("261002D1,00NMSC", f"{code}?20x?32Ann").type_hint == hint
    polish = HEAD.replace("51210800/1245126199", "PL61109010140000071219812874")
    assert read(polish + f":61:261002D1,00NMSC\n:86:{code}?20x?32Ann\n").rows[0].type_hint is None


@pytest.mark.parametrize(
    ("code", "hint"),
    [("STO", "standing order"), ("CHG", "fee"), ("INT", "interest"), ("TRF", "credit transfer"), ("MSC", None)],
)
def test_swift_s_code_says_it_where_no_other_does(code, hint):
    assert line(f"261002D1,00N{code}NONREF", "words").type_hint == hint


def test_a_bank_s_own_word_for_a_kind_goes_before_a_code_for_any_transfer():
    assert line("261002D1,00NTRF", "116?00UMBUCHUNG?20x").type_hint == "UMBUCHUNG"


@pytest.mark.parametrize(
    ("field", "account"),
    [
        ("51210800/1245126199", StatementAccount("DE75512108001245126199", "Account 6199", None, "EUR")),
        ("51210800/1245126199EUR", StatementAccount("DE75512108001245126199", "Account 6199", None, "EUR")),
        ("10020030/1234567", StatementAccount("DE73100200300001234567", "Account 4567", None, "EUR")),
        (
            "/PL61109010140000071219812874",
            StatementAccount("PL61109010140000071219812874", "Account 2874", None, "EUR"),
        ),
        ("1291.99.348EUR", StatementAccount("1291.99.348", "Account 9348", None, "EUR")),
        ("TRIODOSBANK/0390123456", StatementAccount("TRIODOSBANK/0390123456", "Account 3456", None, "EUR")),
    ],
)
def test_accounts(field, account):
    assert read(HEAD.replace("51210800/1245126199", field) + LINE).accounts == (account,)


def test_several_accounts_and_several_statements_of_one():
    other = (HEAD + LINE).replace("1245126199", "1245126200").replace("EUR", "USD") + END.replace("EUR", "USD")
    later = (
        HEAD.replace("C260930EUR100,00", "C261031EUR87,50").replace("1/1", "2/1")
        + LINE.replace("261002", "261102")
        + END
    )
    found = read(
        HEAD + LINE + END + other + later.replace("1003", "1103").replace("C261031EUR87,50\n-", "C261130EUR75,00\n-")
    )
    assert [(account.name, account.currency) for account in found.accounts] == [
        ("Account 6199", "EUR"),
        ("Account 6200", "USD"),
    ]
    assert [(row.number, row.currency, row.booked_on.month) for row in found.rows] == [
        (1, "EUR", 10),
        (2, "USD", 10),
        (3, "EUR", 11),
    ]
    assert found.warnings == ()
    assert len(found.balances) == 6


def test_balances_have_the_side_and_currency_that_they_state():
    found = read(
        HEAD.replace("C260930EUR100,00", "D260930CHF100,00") + LINE + ":62F:D261031CHF112,50\n:64:C261031CHF999,00\n"
    )
    assert [(each.on, each.amount, each.currency, each.opening) for each in found.balances] == [
        (date(2026, 9, 30), Decimal("-100.00"), "CHF", False),
        (date(2026, 10, 31), Decimal("-112.50"), "CHF", False),
    ]
    assert (found.rows[0].currency, found.warnings) == ("CHF", ())


def test_rows_that_do_not_add_up_are_said():
    assert read(HEAD + LINE + LINE + END).warnings == (
        "The rows of 3 Oct 2026 don't add up to the balances: 12.50 EUR of money in is missing.",
    )


def test_pages_of_a_statement_lead_on_and_are_no_balances_of_a_day():
    pages = (
        HEAD + LINE + ":62M:C261003EUR87,50\n-\n" + HEAD.replace("60F:C260930EUR100,00", "60M:C261003EUR87,50") + LINE
    )
    found = read(pages + ":62F:C261031EUR75,00\n-\n")
    assert (len(found.rows), found.warnings) == (2, ())
    assert [each.amount for each in found.balances] == [Decimal("100.00"), Decimal("75.00")]


def test_a_statement_that_is_in_the_file_twice_is_read_once():
    found = read((HEAD + LINE + END) * 2)
    assert len(found.rows) == 1
    assert found.warnings == ("1 of the statements in this file is in it twice, and read once.",)


def test_a_statement_without_an_end_is_said():
    found = read(HEAD + LINE)
    assert len(found.rows) == 1
    assert found.warnings == ("A statement in this file has no closing balance, so rows at the end may be missing.",)


def test_interim_reports_have_their_currency_from_sums_or_limits():
    report = ":20:X\n:25:PL61109010140000071219812874\n:28C:1\n:34F:PLND0,\n:13D:2610301200+0100\n" + LINE
    assert read(report).rows[0].currency == "PLN"
    assert read(report.replace(":34F:PLND0,\n", "") + ":90D:1PLN12,50\n").rows[0].currency == "PLN"
    bare = read(report.replace(":34F:PLND0,\n", ""), currency="SEK")
    assert (bare.rows[0].currency, bare.accounts[0].currency) == ("SEK", None)


def test_what_is_said_behind_the_closing_balance_is_of_no_row():
    assert read(HEAD + LINE + ":62F:C261031EUR87,50\n:86:D000001C000000\n").rows[0].description == "Shop"


def test_a_time_at_the_start_of_a_line_is_no_field():
    assert line("261002D1,00NMSC", "805?20Pauschalen?60T13\n:12:11").memo == ""
    assert line("261002D1,00NMSC", "805?20Pauschalen?60T13\n:12:11").description == "Pauschalen T13:12:11"


@pytest.mark.parametrize("text", [":20:STARTUMS\n", "\n:20:X\n:21:Y\n"])
def test_a_beginning_is_no_statement(text):
    with pytest.raises(UnreadableFile, match="breaks off before its first statement"):
        read(text)


@settings(deadline=None)
@given(st.text(st.sampled_from(":6128CDRN?>/0123456789,EUR\n -{}"), max_size=200))
def test_noise_in_a_statement_is_read_or_refused(noise):
    with contextlib.suppress(UnreadableFile):
        read(HEAD + LINE + noise + "\n" + END)
