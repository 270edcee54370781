"""Delimited text of any dialect: delimiters, quotes, encodings, preambles, damaged lines."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.direction import Told
from ledger.importers import Hints, UnreadableFile, read_statement

HEADER = "Date,Description,Amount\n"


def read(text, encoding="utf-8"):
    return read_statement("x.csv", text if isinstance(text, bytes) else text.encode(encoding))


def brief(statement):
    return [(row.number, row.description, str(row.amount)) for row in statement.rows]


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1", "mac-roman", "cp850"],
)
def test_every_encoding_of_a_german_file(encoding):
    text = "Buchungstag;Empfänger;Betrag\n13.10.2025;Bäckerei Größe Übermut;-3,40\n"
    assert brief(read(text, encoding)) == [(2, "Bäckerei Größe Übermut", "-3.40")]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1250", "iso8859-2", "utf-16"])
def test_every_encoding_of_a_polish_file(encoding):
    text = "Data księgowania;Opis;Kwota\n2025-10-13;Żabka Łódź, płatność kartą;-3,40\n"
    assert brief(read(text, encoding)) == [(2, "Żabka Łódź, płatność kartą", "-3.40")]


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "mac-roman"])
def test_the_gap_between_thousands_tells_an_encoding(encoding):
    """In another one these gaps would be letters, which a number has none of."""
    text = (
        "Compte de Giraudet;\n\nDate;Libellé;Débit euros;Crédit euros;\n"
        '28/08/2026;"VIREMENT EN VOTRE FAVEUR\nMAIRIE D ANNECY PAIE ";;1\u00a0978,60;\n'
        '20/08/2026;"VIREMENT EMIS\nLOYER ";1\u00a0150,00;;\n20/08/2026;"VIREMENT EMIS\nLOYER ";1\u00a0150,00;;\n'
    )
    assert brief(read(text, encoding)) == [
        (4, "VIREMENT EN VOTRE FAVEUR MAIRIE D ANNECY PAIE", "1978.60"),
        (6, "VIREMENT EMIS LOYER", "-1150.00"),
        (8, "VIREMENT EMIS LOYER", "-1150.00"),
    ]


def test_a_letter_that_the_bank_cut_in_two_costs_only_itself():
    data = (
        "Date,Description,Amount\n2025-10-13,Café Zürich Crème,-1.00\n2025-10-14,Caf".encode() + b"\xc3" + b",-2.00\n"
    )
    assert brief(read(data)) == [(2, "Café Zürich Crème", "-1.00"), (3, "Caf\ufffd", "-2.00")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "^", "~"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_every_delimiter_and_line_ending(delimiter, ending):
    lines = ["Date,Description,Amount", "2025-10-13,Coffee,-1.50", "2025-10-14,Tea,-2.50"]
    text = ending.join(line.replace(",", delimiter) for line in lines)
    assert brief(read(text)) == [(2, "Coffee", "-1.50"), (3, "Tea", "-2.50")]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('2025-10-13,"A, B",-1.00\n', [(2, "A, B", "-1.00")]),
        ('2025-10-13,"A ""B"" C",-1.00\n', [(2, 'A "B" C', "-1.00")]),
        ('2025-10-13,"A \\"B\\" C",-1.00\n', [(2, 'A "B" C', "-1.00")]),
        ('2025-10-13,"A \\"B\\"",-1.00\n', [(2, 'A "B"', "-1.00")]),
        ('2025-10-13,"A\\"" B",-1.00\n', [(2, 'A\\" B', "-1.00")]),
        ('2025-10-13,"A\\""",-1.00\n', [(2, 'A\\"', "-1.00")]),
        ('2025-10-13,"A\\",-1.00\n', [(2, "A\\", "-1.00")]),
        ('2025-10-13,"A\nB",-1.00\n2025-10-14,C,-2.00\n', [(2, "A B", "-1.00"), (4, "C", "-2.00")]),
        ('2025-10-13, "A, B", -1.00\n', [(2, "A, B", "-1.00")]),
        ('2025-10-13,5" pipe,-1.00\n', [(2, '5" pipe', "-1.00")]),
        ('2025-10-13,"open,-1.00\n2025-10-14,C,-2.00\n', [(2, "open", "-1.00"), (3, "C", "-2.00")]),
        ('2025-10-13,"open,-1.00\n2025-10-14,"shut",-2.00\n', [(2, "open", "-1.00"), (3, "shut", "-2.00")]),
        ("2025-10-13,A,-1.00,\n2025-10-14,B,-2.00,,,\n", [(2, "A", "-1.00"), (3, "B", "-2.00")]),
        ("\n\n2025-10-13,A,-1.00\n,,\n  , ,\n", [(4, "A", "-1.00")]),
        ("2025-10-13,A\x00\x07,-1.00\n", [(2, "A", "-1.00")]),
        ("2025-10-13,A,-1.00\n" + "\x00" * 4096, [(2, "A", "-1.00")]),
        ("2025-10-13,A,-1.00\nDate,Description,Amount\n2025-10-14,B,-2.00\n", [(2, "A", "-1.00"), (4, "B", "-2.00")]),
    ],
)
def test_quotes_breaks_and_fillers(text, rows):
    statement = read(HEADER + text)
    assert brief(statement) == rows
    assert statement.rejected == ()


def test_single_quotes_around_every_cell():
    text = "'Date','Description','Amount'\n'2025-10-13','A, B','-1.00'\n"
    assert brief(read(text)) == [(2, "A, B", "-1.00")]


def test_lines_that_are_quoted_as_a_whole():
    text = '"Date,Description,Amount"\n"2025-10-13,""A, B"",-1.00"\n'
    assert brief(read(text)) == [(2, "A, B", "-1.00")]


def test_a_separator_line_says_what_it_is():
    assert brief(read("sep=;\nDate;Description;Amount\n2025-10-13;A, B;-1.00\n")) == [(3, "A, B", "-1.00")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("2025-10-13,A, Inc,-1.00", "the row has 4 cells where the table has 3"),
        ("2025-10-13,-1.00", "the row has 2 cells where the table has 3"),
        ("2025-10-13,A", "there is no amount"),
        ("2025-10-13,A,x", "the amount “x” is not a number"),
        ("2025-02-30,A,-1.00", "the date “2025-02-30” is not one that I can read"),
        ("1899-12-31,A,-1.00", "the date “1899-12-31” is not one that I can read"),
        (",Cafe,-1.00", "there is no date"),
        (",Total,-1.00", "“Total” is a sum of rows, not a transaction"),
        ("2025-10-13,Closing balance,5.00", "“Closing balance” is a balance, not a transaction"),
        (f"2025-10-13,A,{'9' * 70}", f"the amount “{'9' * 39}…” is not a number"),
        ('2025-10-13,A,"1\t\u202e2"', "the amount “1  2” is not a number"),
    ],
)
def test_a_bad_row_is_rejected_with_line_and_reason_and_the_others_stay(line, reason):
    statement = read(HEADER + "2025-10-12,First,-1.00\n" + line + "\n2025-10-14,Last,-2.00\n")
    assert brief(statement) == [(2, "First", "-1.00"), (4, "Last", "-2.00")]
    assert [(row.row, row.reason) for row in statement.rejected] == [(3, reason)]


def test_an_unknown_currency_is_rejected_not_guessed():
    statement = read("Date,Description,Amount,Currency\n2025-10-13,A,-1.00,EUR\n2025-10-13,B,-1.00,BTC\n")
    assert [row.currency for row in statement.rows] == ["EUR"]
    assert [row.reason for row in statement.rejected] == ["the currency “BTC” is not known"]


@dataclass(frozen=True)
class Written:
    """How a drawn file is written."""

    delimiter: str
    mark: str
    gap: str
    form: str
    sign: str
    quoting: int
    above: tuple[str, ...]
    header: bool


@st.composite
def styles(draw):
    delimiter = draw(st.sampled_from([",", ";", "\t", "|"]))
    mark = draw(st.sampled_from([".", ","]))
    return Written(
        delimiter,
        mark,
        draw(st.sampled_from(["", " ", "'", "." if mark == "," else ","])),
        draw(st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y%m%d", "%d %b %Y", "%d.%m.%y"])),
        draw(st.sampled_from(["minus", "trailing", "brackets", "pair", "indicator"])),
        draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
        draw(st.sampled_from([(), ("Account 12345678",), ("Statement", "", "Holder: Ann Smith", "")])),
        draw(st.booleans()),
    )


def number(value, style):
    return f"{value:,.2f}".replace(",", "\0").replace(".", style.mark).replace("\0", style.gap)


def cells(amount, style):
    bare = number(abs(amount), style)
    if style.sign == "pair":
        return ["", bare] if amount > 0 else [bare, ""]
    if style.sign == "indicator":
        return [bare, "credit" if amount > 0 else "debit"]
    if amount > 0:
        return [bare]
    return [{"minus": f"-{bare}", "trailing": f"{bare}-", "brackets": f"({bare})"}[style.sign]]


def write(rows, style):
    names = {"pair": ["Debit", "Credit"], "indicator": ["Amount", "Transaction Type"]}.get(style.sign, ["Amount"])
    out = io.StringIO()
    writer = csv.writer(out, delimiter=style.delimiter, quoting=style.quoting, lineterminator="\n")
    for line in style.above:
        out.write(line + "\n")
    if style.header or style.above or style.sign == "pair":
        writer.writerow(["Date", "Description", *names])
    for day, text, amount in rows:
        writer.writerow([day.strftime(style.form), text, *cells(amount, style)])
    return out.getvalue()


TEXTS = st.text(
    st.characters(whitelist_categories=["L", "N", "P", "Zs"], blacklist_characters="^~"), min_size=3, max_size=30
).map(lambda text: f"Shop {text.strip()} x")
AMOUNTS = st.decimals(min_value=Decimal("0.01"), max_value=99999, places=2, allow_nan=False, allow_infinity=False)


@st.composite
def tables(draw):
    start = draw(st.dates(date(1990, 1, 1), date(2060, 1, 1)))
    drawn = draw(st.lists(st.tuples(TEXTS, AMOUNTS, st.booleans()), min_size=2, max_size=12))
    days = [start + timedelta(days=step) for step in range(0, 40, 2)]
    rows = [(days[i], text, amount if up else -amount) for i, (text, amount, up) in enumerate(drawn)]
    # Two days that settle which of day and month comes first, and one row of each direction.
    settling = [
        (date(start.year, 12, 30), "Shop settles", Decimal("-1.25")),
        (date(start.year, 12, 31), "Shop too", Decimal("7.75")),
    ]
    return rows + settling


@given(tables(), styles())
@settings(deadline=None, max_examples=300)
def test_a_drawn_table_comes_back(rows, style):
    statement = read_statement("x.csv", write(rows, style).encode(), Hints(direction=Told.AS_WRITTEN))
    assert [(row.booked_on, row.description, row.amount) for row in statement.rows] == [
        (day, " ".join(text.splitlines()).strip(), amount) for day, text, amount in rows
    ]
    assert statement.rejected == ()


@pytest.mark.parametrize(
    ("places", "currency"),
    [
        (["LEEDS GB"] * 6 + ["PARIS FR"], "GBP"),
        (["SEATTLE WA"] * 9, None),  # a state is no country
        (["LEEDS GB"] * 4, None),  # too few to tell
        (["LEEDS GB"] * 5 + ["NEW YORK US"] * 5, None),
        (["DUBLIN IE"] * 6 + ["LEEDS GB"] * 2, "EUR"),
    ],
)
def test_a_file_that_names_no_currency_tells_it_by_where_cards_were_used(places, currency):
    rows = "".join(f"2025-10-{day:02},SHOP {place},-{day}.00\n" for day, place in enumerate(places, start=1))
    statement = read(HEADER + rows)
    assert statement.home.currency == currency
    assert {row.currency for row in statement.rows} == {None}


@pytest.mark.parametrize(("name", "currency"), [("M-PESA", None), ("OPAY", None), ("FULIZA", "KES"), ("KPLC", "KES")])
def test_a_way_of_paying_of_several_countries_proves_none_of_them(name, currency):
    rows = "".join(f"2025-10-{day:02},{name} {day},-{day}.00\n" for day in range(10, 15))
    assert read(HEADER + rows).home.currency == currency


@pytest.mark.parametrize(
    ("texts", "currency"),
    [
        (["UPI-SWIGGY-SWIGGY@ICICI", "UPI-SAM", "Shop"], "INR"),
        (["INTERAC E-TRANSFER FROM SAM"], "CAD"),  # two names for it
        (["Pix enviado", "Pix recebido", "iFood"], "BRL"),
        (["Pix enviado"], None),  # somebody may be called so
        (["PAYPIX", "UPIX", "Shop"], None),
        (["UPI-SHOP", "UPI-SAM", "INTERAC E-TRANSFER"], None),  # two countries
        (["Rewe", "Edeka", "Kruidvat", "Mercadona", "Trenitalia", "SNCF"], "EUR"),
        (["Rewe", "Rewe", "Rewe", "Rewe", "Edeka", "Edeka", "SNCF"], None),  # a journey
        (["Rewe", "Edeka", "Kruidvat", "Mercadona", "Trenitalia", "SNCF", "Migros", "Denner"], None),
    ],
)
def test_a_file_that_names_no_currency_tells_it_by_ways_of_paying_of_one_country(texts, currency):
    rows = "".join(f"2025-10-{day:02},{text},-{day}.00\n" for day, text in enumerate(texts, start=1))
    assert read(HEADER + rows).home.currency == currency


@pytest.mark.parametrize(
    ("header", "text", "home"),
    [
        ("Date,Description,Amount", "SHOP", None),
        ("Fecha,Concepto,Importe", "TIENDA", None),
        ("Fecha,Concepto,Importe", "SPEI RECIBIDO", "MXN"),
    ],
)
def test_a_dollar_sign_is_one_of_many(header, text, home):
    statement = read(f"{header}\n2025-10-13,{text},$-5.00\n2025-10-14,{text},$-6.00\n")
    assert {row.currency for row in statement.rows} == {"$"}
    assert statement.unsettled == {(None, "$")}
    assert statement.home.currency == home


@pytest.mark.parametrize(
    ("text", "likely"),
    [
        ("13.10.2025;Kaffee;-3,40\n14.10.2025;Tee;-2,40\n", "EUR"),
        ("Date,Description,Amount\n10/13/2025,Coffee,-3.40\n", "USD"),
        ("Datum;Text;Betrag\n13.10.2025;Kaffee;-3,40\n", "EUR"),
        ("Bokföringsdag;Specifikation;Belopp\n2025-10-13;Kaffe;-34,00\n", "SEK"),
        ("Date,Description,Amount\n2025-10-13,INTERAC,-3.40\n", "CAD"),
        ("Completion time,Details,Paid in,Withdrawn\n2025-10-13 10:00,Airtime,,-3.40\n", "KES"),
        ("Date,Description,Amount\n2025-10-13,NIP TRANSFER TO ADE,-3.40\n", "NGN"),
    ],
)
def test_what_is_usual_is_likely_and_proves_nothing(text, likely):
    home = read(text).home
    assert (home.currency, home.likely[0]) == (None, likely)


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("Data operacji;Opis operacji;Kwota\n2025-10-13;Kawa;-3,40\n", "PLN"),
        ("Dato;Tekst;Beløp\n13.10.2025;Kaffe;-34,00\n", "NOK"),
        ("Datum;Verwendungszweck;Betrag\n13.10.2025;Kaffee;-3,40\n", "EUR"),
        ("Datum;Verwendungszweck;Betrag\n13.10.2025;TWINT Migros;-3,40\n13.11.2025;TWINT Denner;-3,40\n", None),
        ("Konto;CH93 0076 2011 6238 5295 7\n\nDatum;Text;Betrag\n13.10.2025;Kaffee;-3.40\n", "CHF"),
        ("Date,Description,Amount\n2025-10-13,Coffee,-3.40\n", None),
        ("תאריך;תיאור;חובה;זכות\n13.10.2025;א;3,40;\n", "ILS"),
        ("거래일시,거래처명,출금,입금\n2025-10-13,가,340,0\n", "KRW"),
        ("วันที่,รายการ,ถอน,ฝาก,คงเหลือ\n13/10/2025,ก,340.00,,660.00\n14/10/2025,ข,,40.00,700.00\n", "THB"),
        ("Ημερομηνία,Περιγραφή,Ποσό\n2025-10-13,Καφές,-3.40\n", "EUR"),
        ("Date,Description,Amount β\n2025-10-13,Coffee,-3.40\n", None),
    ],
)
def test_the_country_of_the_account_or_the_language_tells_the_currency(text, currency):
    assert read(text).home.currency == currency


@pytest.mark.parametrize(
    "encoding", ["cp437", "cp850", "latin-1", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
def test_old_and_wide_encodings(encoding):
    text = "Buchungstag;Empfänger;Betrag\r\n13.10.2025;Bäckerei Größe;-3,40\r\n"
    assert brief(read(text, encoding)) == [(2, "Bäckerei Größe", "-3.40")]
    assert brief(read(f"sep=;\r\n{text}", encoding)) == [(3, "Bäckerei Größe", "-3.40")]


def test_the_euro_sign_of_latin_9():
    text = "Datum;Text;Betrag (€)\n13.10.2025;Bäcker;-3,40\n"
    statement = read(text, "iso8859-15")
    assert [(row.description, row.currency) for row in statement.rows] == [("Bäcker", "EUR")]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1251", "koi8-r", "cp866"])
def test_every_encoding_of_a_russian_file(encoding):
    text = "Date;Description;Amount\n13.10.2025;Продукты, магазин у дома;-3,40\n14.10.2025;Заработная плата;+9,00\n"
    assert [row.description for row in read(text, encoding).rows] == ["Продукты, магазин у дома", "Заработная плата"]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "早餐店消费支出明细"),
        ("big5", "便利商店購買早餐飲料"),
        ("cp932", "コンビニで朝食とおにぎりを購入"),
        ("cp932", "朝食購入代金 ｶｰﾄﾞｼﾊﾗｲ ﾌﾘｺﾐ"),
    ],
)
def test_encodings_of_two_bytes_a_character(encoding, text):
    lines = f"Date,Description,Amount\n2025-10-13,{text},-3.40\n2025-10-14,{text},-3.50\n"
    assert [row.description for row in read(lines, encoding).rows] == [text, text]


@pytest.mark.parametrize(("encoding", "letters"), [("cp1252", "äöüßéèàçñ"), ("cp1250", "żółćęśą")])
@given(st.data())
@settings(deadline=None, max_examples=30)
def test_letters_with_accents_are_never_chinese(encoding, letters, data):
    words = data.draw(st.lists(st.text(f"abcdehilnorst{letters}", min_size=1, max_size=9), min_size=1, max_size=5))
    text = f"Date,Description,Amount\n2025-10-13,{' '.join(words)},-3.40\n"
    rows = read(text, encoding).rows
    assert not any("\u3000" <= char <= "\u9fff" for row in rows for char in row.description)


def test_a_text_of_boxes_is_refused():
    with pytest.raises(UnreadableFile, match="I can't tell in which encoding"):
        read("Date,Description,Amount\n2025-10-13,░▒▓│┤╣║░▒▓│┤╣║░▒▓│┤╣║,-1.00\n")


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("Account;Currency\n1;NAIRA\n\nDate;Text;Amount\n", None),
        ("Currency;NAIRA\n\nDate;Text;Amount\n", "NGN"),
        ("Currency: Nigerian Naira\n\nDate;Text;Amount\n", "NGN"),
        ("Währung;Schweizer Franken\n\nDatum;Text;Betrag\n", "CHF"),
        ("Waluta;złoty polski\n\nDatum;Text;Betrag\n", "PLN"),
        ("Account no;0123456789;Currency;NAIRA\n\nDate;Text;Amount\n", "NGN"),
        ("Currency;₪\n\nDate;Text;Amount\n", "ILS"),
        ("Currency;Shilling\n\nDate;Text;Amount\n", None),
        *((f"Currency;{word}\n\nDate;Text;Amount\n", None) for word in ("Gold", "West", "north", "Real", "Sol")),
        ("Date;Text;Amount (원)\n", "KRW"),
        ("Date;Text;Amount (KSh)\n", "KES"),
        ("Date;Text;Amount (x)\n", None),
    ],
)
def test_a_currency_may_be_called_by_its_name_or_its_sign(text, currency):
    statement = read(f"{text}2025-10-13;Coffee;-3.40\n2025-10-14;Tea;-3.40\n")
    assert {row.currency for row in statement.rows} == {currency}


def test_rows_may_call_their_currency_by_its_name():
    statement = read("Date;Text;Amount;Currency\n2025-10-13;Coffee;-3.40;Forint\n2025-10-14;Tea;-3.40;euros\n")
    assert [row.currency for row in statement.rows] == ["HUF", "EUR"]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("cp1255", "תשלום שכר דירה וקניות במכולת"), ("cp862", "תשלום שכר דירה וקניות במכולת"), ("cp874", "ค่าใช้จ่ายร้านอาหารและเงินเดือน"),
     ("cp1256", "شراء من متجر الخضروات وراتب الشهر")],
)  # fmt: skip
def test_encodings_of_hebrew_thai_and_arabic(encoding, text):
    lines = f"Date,Description,Amount\n2025-10-13,{text},-3.40\n2025-10-14,{text},-3.50\n"
    assert [row.description for row in read(lines, encoding).rows] == [text, text]


def test_a_text_that_is_kept_from_being_a_number_is_that_text():
    """As banks write it whose files are opened in a spreadsheet: ="0123"."""
    text = 'Date,Account,Text,Amount\n="2025-10-13",="00123456",="Shop, corner",="-1,234.50"\n="2025-10-14",="00123456",a="b",-2.00\n'
    rows = read(text).rows
    assert [(str(row.booked_on), row.account, row.description, str(row.amount)) for row in rows] == [
        ("2025-10-13", "00123456", "Shop, corner", "-1234.50"), ("2025-10-14", "00123456", 'a="b"', "-2.00"),
    ]  # fmt: skip


def test_a_formula_is_no_amount():
    statement = read("Date,Text,Amount\n2025-10-13,Shop,=1+2\n2025-10-14,=1+1,-2.00\n")
    assert [row.description for row in statement.rows] == ["=1+1"]
    assert [row.reason for row in statement.rejected] == ["the amount “=1+2” is not a number"]
