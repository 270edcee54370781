"""Dates in every written form, and the order of day and month that a whole file shows."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.direction import Told
from ledger.errors import AmbiguousDates, UnreadableFile
from ledger.importers import Hints, read_statement
from ledger.importers.dates import Order, find_order, first_ambiguous, read_date

DMY, MDY, YMD = Order.DAY_MONTH_YEAR, Order.MONTH_DAY_YEAR, Order.YEAR_MONTH_DAY


@pytest.mark.parametrize(
    "text",
    [
        "2018-02-27",
        "2018/02/27",
        "2018.02.27",
        "2018. 02. 27.",
        "20180227",
        "27.02.2018",
        "27.2.2018",
        "27.02.18",
        "27/02/2018",
        "27-02-2018",
        "27 02 2018",
        "27/02/18",
        "27 Feb 2018",
        "27-Feb-18",
        "27 February 2018",
        "27th February 2018",
        "Feb 27, 2018",
        "February 27 2018",
        "Tue 27 Feb 2018",
        "Tuesday, February 27, 2018",
        "27. Februar 2018",
        "27 févr. 2018",
        "27 février 2018",
        "27 de febrero de 2018",
        "27 febbraio 2018",
        "27 lutego 2018",
        "27 feb. 2018",
        "27FEB2018",
        "27 februarie 2018",
        "2018. február 27.",
        "27. února 2018",
        "27 Şubat 2018 14:33",
        "27. helmikuuta 2018",
        "27 Φεβρουαρίου 2018",
        "27 февраля 2018",
        "27/02/2561",
        "2561-02-27",
        "27/02/61",
        "2018年2月27日",
        "2018년 2월 27일 14:33:10",
        "27022018",
        "2018-02-27T14:33:10+01:00",
        "2018-02-27T23:59:59Z",
        "2018-02-27 14:33",
        "2018-02-27 14:33:10.123",
        "27.02.2018 14:33",
        "27/02/2018, 2:33 PM",
        "Feb 27, 2018 2:33:10 PM",
        "2018-02-27-11.57.44.235044",
        "20180227143310",
        "02/27/2018 as of 02/26/2018",
        " 27.02.2018 ",
    ],
)
def test_every_form_is_read(text):
    assert date(2018, 2, 27) in {read_date(text), read_date(text, MDY)}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "27",
        "27.02.",
        "32.01.2018",
        "30.02.2018",
        "2018-13-01",
        "01/01/1900",
        "01/01/2101",
        "27.02.2018x",
        "12,50",
        "1234567",
        "27 Foo 2018",
        "today",
        "00/00/0000",
        "2018-02-27abc",
        "12.34.56.78",
        "27 ju 2018",
    ],
)
def test_what_is_no_date_is_not_read(text):
    assert read_date(text) is None


@pytest.mark.parametrize(("text", "day", "month"), [("03/04/2026", 3, 4), ("03-04-26", 3, 4), ("3.4.2026", 3, 4)])
def test_the_order_decides_about_numeric_dates(text, day, month):
    assert read_date(text, DMY) == date(2026, month, day)
    assert read_date(text, MDY) == date(2026, day, month)


@pytest.mark.parametrize(
    ("cells", "order"),
    [
        (["03/04/2026", "13/04/2026"], DMY),
        (["03/04/2026", "04/13/2026"], MDY),
        (["03.04.2026", "05.04.2026"], DMY),
        (["03/03/2026", "04/04/2026"], DMY),
        (["2026-03-04"], DMY),
        (["03/04/2026", "05/04/2026"], None),
        (["01/03/2026", "05/03/2026", "02/04/2026", "09/04/2026", "01/05/2026"], DMY),
        (["03/01/2026", "03/05/2026", "04/02/2026", "04/09/2026", "05/01/2026"], MDY),
        ([f"24-12-{day:02}" for day in range(1, 20)], YMD),
        (["99-12-24", "99-12-31"], YMD),
    ],
)
def test_the_file_as_a_whole_decides(cells, order):
    assert find_order(cells) == order


def test_what_the_person_says_goes_before_evidence_but_not_before_the_calendar():
    cells = ["03/04/2026", "05/04/2026"]
    assert find_order(cells, told=MDY, certain=DMY) is MDY
    assert find_order([*cells, "13/04/2026"], told=MDY) is DMY
    assert find_order(cells, likely=MDY) is MDY


def test_the_first_cell_with_two_readings_is_named():
    assert first_ambiguous(["13/04/2026", "04/04/2026", "03/04/2026"]) == "03/04/2026"
    assert first_ambiguous(["2026-03-04"]) is None


PLAIN = "Date,Description,Amount\n{}"
ROWS = "03/04/2026,COFFEE,-4.50\n05/04/2026,BOOKS,-20.00\n"


def test_an_undecidable_file_asks_with_both_readings():
    with pytest.raises(AmbiguousDates) as caught:
        read_statement("x.csv", PLAIN.format(ROWS).encode())
    assert isinstance(caught.value, UnreadableFile)
    assert caught.value.choices == (date(2026, 4, 3), date(2026, 3, 4))
    assert caught.value.message == (
        "The dates in this file can be read in two ways: "
        "is 03/04/2026 3 April 2026 (day first) or 4 March 2026 (month first)?"
    )


@pytest.mark.parametrize(("day_first", "expected"), [(True, date(2026, 4, 3)), (False, date(2026, 3, 4))])
def test_the_answer_is_a_hint(day_first, expected):
    statement = read_statement("x.csv", PLAIN.format(ROWS).encode(), Hints(day_first=day_first))
    assert statement.rows[0].booked_on == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Date,Description,Amount\n03/04/2026,COFFEE,-US$4.50\n", date(2026, 3, 4)),
        ("Date,Description,Amount (USD)\n03/04/2026,COFFEE,-4.50\n", date(2026, 3, 4)),
        ("Date,Description,Amount (GBP)\n03/04/2026,COFFEE,-4.50\n", date(2026, 4, 3)),
        ("Date,Description,Amount,Currency\n03/04/2026,COFFEE,-4.50,EUR\n", date(2026, 4, 3)),
        ("Date,Original Description,Amount\n03/04/2026,COFFEE,-4.50\n", date(2026, 3, 4)),
        ("Date,Description,Paid out,Paid in\n03/04/2026,COFFEE,4.50,\n", date(2026, 4, 3)),
        ("Date;Description;Amount\n03/04/2026;COFFEE;-4,50\n", date(2026, 4, 3)),
        ("Datum,Omschrijving,Bedrag\n03/04/2026,KOFFIE,-4.50\n", date(2026, 4, 3)),
        ("Period 01/04/2026 - 30/04/2026\nDate,Description,Amount\n03/04/2026,COFFEE,-4.50\n", date(2026, 4, 3)),
    ],
)
def test_currency_words_and_period_are_evidence(text, expected):
    assert read_statement("x.csv", text.encode()).rows[0].booked_on == expected


FORMS = [
    "%Y-%m-%d",
    "%d.%m.%Y",
    "%d.%m.%y",
    "%d/%m/%Y",
    "%Y/%m/%d",
    "%Y%m%d",
    "%d %b %Y",
    "%b %d, %Y",
    "%d %B %Y",
    "%Y-%m-%dT10:00:00+05:30",
]


@given(day=st.dates(date(1981, 1, 1), date(2059, 12, 31)), form=st.sampled_from(FORMS))
@settings(deadline=None)
def test_a_written_date_comes_back(day, form):
    assert read_date(day.strftime(form)) == day


@given(
    start=st.dates(date(2000, 1, 1), date(2059, 11, 1)),
    form=st.sampled_from(["%d/%m/%Y", "%m/%d/%Y", "%d-%m-%y", "%m-%d-%y"]),
)
@settings(deadline=None)
def test_a_month_of_days_decides_its_order(start, form):
    days = [start + timedelta(days=step) for step in range(31)]
    order = find_order([day.strftime(form) for day in days])
    assert [read_date(day.strftime(form), order) for day in days] == days


@given(st.text(max_size=40))
@settings(deadline=None)
def test_any_text_is_a_date_or_none(text):
    found = read_date(text)
    assert found is None or 1950 <= found.year <= 2100


def test_the_beginning_of_a_month_that_is_the_whole_of_another_is_that():
    """Czech: červen is June, and how červenec begins."""
    assert [read_date(f"5. {name} 2026") for name in ("červen", "června", "červenec", "července")] == [
        date(2026, 6, 5), date(2026, 6, 5), date(2026, 7, 5), date(2026, 7, 5),
    ]  # fmt: skip


def test_the_beginning_of_several_months_is_none():
    assert read_date("5 rug 2026") is None  # Lithuanian: August or September


def test_a_day_in_the_years_of_japan_s_emperor():
    assert [read_date(text) for text in ("R8.1.28", "令和8年1月28日", "R1/05/01")] == [
        date(2026, 1, 28), date(2026, 1, 28), date(2019, 5, 1),
    ]  # fmt: skip


def test_a_number_behind_a_letter_is_no_day_in_these_years():
    assert [read_date(text) for text in ("R1.2.3", "R81-10-05", "R99-10-05")] == [None] * 3


def test_the_months_of_turkish_in_capitals():
    assert [read_date(text) for text in ("01 KASIM 2026", "02 ARALIK 2026", "3 Kasım 2026")] == [
        date(2026, 11, 1), date(2026, 12, 2), date(2026, 11, 3),
    ]  # fmt: skip


def test_the_years_of_thailand_before_a_month_s_name():
    assert read_date("2569-Oct-05") == date(2026, 10, 5)


def test_a_header_in_another_alphabet_tells_that_the_day_comes_first():
    text = "التاريخ,البيان,مدين,دائن\n03/04/2026,a,5.00,\n04/03/2026,b,,9.00\n"
    rows = read_statement("x.csv", text.encode(), Hints(direction=Told.AS_WRITTEN)).rows
    assert [str(row.booked_on) for row in rows] == ["2026-04-03", "2026-03-04"]


BCA = """No. rekening : '1234567890
Periode : {period}
Kode Mata Uang : Rp

Tanggal Transaksi,Keterangan,Cabang,Jumlah,,Saldo
'{first},KARTU DEBIT INDOMARET,'0000,"240,000.00",DB,"1,760,000.00"
'{second},BUNGA,'0000,"1,000.00",CR,"1,761,000.00"
'PEND,KARTU DEBIT KOPI,'0998,"28,000.00",DB,"1,733,000.00"
"""


@pytest.mark.parametrize(
    ("period", "written", "days"),
    [
        ("01/05/2026 - 29/05/2026", ("01/05", "19/05"), ["2026-05-01", "2026-05-19"]),
        ("15/12/2025 s/d 14/01/2026", ("29/12", "03/01"), ["2025-12-29", "2026-01-03"]),
        ("05/01/2026 - 05/29/2026", ("05/01", "05/19"), ["2026-05-01", "2026-05-19"]),
        ("01/01/2025 - 31/12/2025", ("05/01", "19/05"), ["2025-01-05", "2025-05-19"]),
    ],
)
def test_days_of_a_table_without_a_year_get_it_from_the_period_above(period, written, days):
    text = BCA.format(period=period, first=written[0], second=written[1])
    statement = read_statement("x.csv", text.encode())
    assert [str(row.booked_on) for row in statement.rows] == days
    assert [str(row.amount) for row in statement.rows] == ["-240000.00", "1000.00"]
    assert {row.currency for row in statement.rows} == {"IDR"}
    assert [row.row for row in statement.rejected] == [8]


@pytest.mark.parametrize(
    ("period", "word"),
    [
        ("Mei", "no year"),
        ("01/08/2026 - 31/08/2026", "don't lie"),
        ("20/12/2024 - 10/01/2026", "no year"),  # which has two days of some names
    ],
)
def test_days_without_a_year_are_refused_where_no_period_has_them(period, word):
    text = BCA.format(period=period, first="05/01", second="19/05")
    with pytest.raises(UnreadableFile, match=word):
        read_statement("x.csv", text.encode())


def test_amounts_that_look_like_days_get_no_year():
    text = "Buchungstag;Text;Betrag\n01.10.;Bahn;12.10\n05.10.;Post;-3.11\n06.10.;Post;-5.10\n"
    rows = read_statement("x.csv", f"Zeitraum 01.10.2026 - 31.10.2026\n{text}".encode()).rows
    assert [(str(row.booked_on), str(row.amount)) for row in rows] == [
        ("2026-10-01", "12.10"),
        ("2026-10-05", "-3.11"),
        ("2026-10-06", "-5.10"),
    ]


@pytest.mark.parametrize(
    ("operated", "booked", "days"),
    [
        (("30/08/2026", "12/09/2026"), ("31/08/2026", "14/09/2026"), ["2026-08-31", "2026-09-14"]),
        (("31/08/2026", "14/09/2026"), ("30/08/2026", "12/09/2026"), ["2026-08-31", "2026-09-14"]),
        (("30/08/2026", "14/09/2026"), ("31/08/2026", "12/09/2026"), ["2026-08-30", "2026-09-14"]),
    ],
)
def test_of_two_columns_of_days_named_alike_the_later_one_is_that_of_booking(operated, booked, days):
    lines = [f"{a},{b},HEB,-{n},1" for n, (a, b) in enumerate(zip(operated, booked, strict=True), start=1)]
    text = "\n".join(["Fecha De Operación,Fecha,Descripción,Importe,Referencia", *lines])
    assert [str(row.booked_on) for row in read_statement("x.csv", text.encode()).rows] == days
