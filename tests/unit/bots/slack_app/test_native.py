"""Slack's own tables and charts, at their limits and around them."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from bots.limits import Slack
from bots.slack_app.native import chart_parts, data_table, data_visualization, table_parts
from ledger.money import Money
from ledger.periods import Period
from tools.results import Chart, Column, Table

COLUMNS = (Column("Date", "date"), Column("Merchant"), Column("Share", "percent"), Column("Amount", "money"))
OCTOBER = Period(date(2026, 10, 1), date(2026, 10, 31))


def table(rows: int, merchant: str = "Safeway") -> Table:
    return Table(
        COLUMNS, tuple((date(2026, 10, 3), merchant, Decimal("12.5"), Money(-number, "EUR")) for number in range(rows))
    )


def grid(part):
    """The lines of a part's plainer table."""
    sections = [section for block in part.plainer if block["type"] == "rich_text" for section in block["elements"]]
    code = [section for section in sections if section["type"] == "rich_text_preformatted"]
    return [line for section in code for line in section["elements"][0]["text"].split("\n")]


def chart(count: int = 2, title: str = "Spending per month", label: str = "{}", **more) -> Chart:
    return Chart(
        title,
        tuple(label.format(number) for number in range(count)),
        tuple(Decimal(f"{number}.10") for number in range(count)),
        **more,
    )


def test_amounts_and_days_sort_by_their_size_and_show_every_digit():
    block = data_table(
        Table(COLUMNS, ((date(2026, 10, 3), "Safeway", Decimal("12.5"), Money(-123456, "EUR")),), "Groceries"), "de_DE"
    )
    assert block == {
        "type": "data_table",
        "caption": "Groceries",
        "page_size": 1,
        "rows": [
            [{"type": "raw_text", "text": title} for title in ("Date", "Merchant", "Share", "Amount")],
            [
                {"type": "raw_number", "value": date(2026, 10, 3).toordinal(), "text": "3 Oct 2026"},
                {"type": "raw_text", "text": "Safeway"},
                {"type": "raw_number", "value": 12.5, "text": "12,5\xa0%"},
                {"type": "raw_number", "value": -1234.56, "text": "-1.234,56\u00a0€"},
            ],
        ],
    }


def test_an_empty_cell_or_heading_still_says_something():
    block = data_table(Table((Column(""),), ((None,), ("\u202e",))), "en_US")
    assert [row[0]["text"] for row in block["rows"]] == [" "] * 3
    assert block["caption"] == "Details"


@pytest.mark.parametrize(
    ("rows", "fits"), [(0, False), (1, True), (Slack.TABLE_ROWS, True), (Slack.TABLE_ROWS + 1, False)]
)
def test_a_table_has_so_many_rows(rows, fits):
    assert (data_table(table(rows), "en_US") is not None) is fits


@pytest.mark.parametrize(
    ("columns", "fits"), [(0, False), (Slack.TABLE_COLUMNS, True), (Slack.TABLE_COLUMNS + 1, False)]
)
def test_a_table_has_so_many_columns(columns, fits):
    wide = Table((Column("A"),) * columns, (("x",) * columns,))
    assert (data_table(wide, "en_US") is not None) is fits


@pytest.mark.parametrize(("more", "fits"), [(0, True), (1, False)])
def test_a_table_holds_so_many_characters(more, fits):
    full = Table((Column("A"),), (("x" * (Slack.TABLE_TEXT - 1 + more),),))
    assert (data_table(full, "en_US") is not None) is fits


def test_a_whole_table_is_one_message_and_reads_the_same_without_its_native_form():
    (part,) = table_parts(table(40), OCTOBER, "en_US")
    assert [block["type"] for block in part.blocks] == ["data_table"]
    assert grid(part)[0].split() == ["Date", "Merchant", "Amount", "Share"]
    assert [line.split()[-2] for line in grid(part)[1:]] == [
        Money(-number, "EUR").amount.__format__("f").replace("-", "-€") if number else "€0.00" for number in range(40)
    ]
    assert max(map(len, grid(part))) <= 40
    assert part.text.count("\n") == 40


@pytest.mark.parametrize("rows", [Slack.TABLE_ROWS + 1, 312])
def test_a_table_that_is_too_long_shows_its_first_rows_and_comes_whole_as_a_file(rows):
    shown, line, file = table_parts(table(rows), OCTOBER, "en_US")
    assert len(shown.blocks[0]["rows"]) == 21
    assert line.text == f"All {rows} rows are in the file."
    read = list(csv.reader(io.StringIO(file.file.data.decode("utf-8-sig"))))
    assert read[0] == ["Date", "Merchant", "Share (%)", "Amount", "Currency"]
    assert read[1:] == [
        ["2026-10-03", "Safeway", "12.5", f"{Money(-number, 'EUR').amount}", "EUR"] for number in range(rows)
    ]
    assert file.file.name == "money-minder-2026-10-01-2026-10-31.csv"
    assert file.text == file.file.name


def test_the_sum_of_a_list_stands_below_its_first_rows_and_is_no_row():
    rows = table(300)
    summed = Table(COLUMNS, (*rows.rows, (None, "Sum of all 300", None, Money(-44850, "EUR"))))
    shown, line, _ = table_parts(summed, None, "en_US")
    assert len(shown.blocks[0]["rows"]) == 22
    assert shown.blocks[0]["page_size"] == 21
    assert shown.text.splitlines()[-1] == "– · Sum of all 300 · -€448.50 · –"
    assert line.text == "The sum is over all 300 rows, which are in the file."


def test_amounts_stand_beside_what_they_are_of_so_that_a_phone_shows_them():
    columns = (*map(Column, ("Merchant", "Category", "Account")), Column("In", "money"), Column("Out", "money"))
    rows = (("Safeway", "Groceries", "Card", None, Money(-5, "EUR")),)
    shown, file = (table_parts(Table(columns, rows * count), None, "en_US") for count in (1, 200))
    assert [cell["text"] for cell in next(shown).blocks[0]["rows"][0]] == [
        "Merchant",
        "In",
        "Out",
        "Category",
        "Account",
    ]
    assert list(file)[-1].file.data.decode("utf-8-sig").startswith("Merchant,Category,Account,In")


def test_a_text_that_is_too_long_for_a_row_is_cut_there_and_whole_in_the_file():
    shown, line, file = table_parts(table(1, "word " * 60), None, "en_US")
    assert shown.blocks[0]["rows"][1][1]["text"].endswith("word…")
    assert line.text == "The whole table is in the file."
    assert "word " * 60 in file.file.data.decode()


def test_a_table_too_wide_for_slack_is_a_file_only():
    line, file = table_parts(Table((Column("A"),) * 21, (("x",) * 21,)), None, "en_US")
    assert line.text == "The whole table is in the file."
    assert file.file.name == "money-minder.csv"


@pytest.mark.parametrize("memo", ["=1+1", "+49", "-5", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1"])
def test_a_spreadsheet_runs_nothing(memo):
    *_, file = table_parts(
        Table((Column("=A"), Column("N", "money", "EUR")), ((memo, Decimal("-5.00")),) * 200), None, "en_US"
    )
    rows = list(csv.reader(io.StringIO(file.file.data.decode("utf-8-sig"), newline="")))
    assert rows[:2] == [["'=A", "N", "Currency"], [f"'{memo}", "-5.00", "EUR"]]


def test_a_chart_is_drawn_by_slack_and_said_to_the_cent():
    names = [str(year) for year in range(2000, 2013)]
    values = [Decimal(year) + Decimal("0.50") for year in range(13)]
    series = Chart("Spending", tuple(names), tuple(values), "EUR", "line", tuple((name, "") for name in names))
    (part,) = chart_parts(series, "de_DE")
    points = [{"label": name, "value": float(value)} for name, value in zip(names, values, strict=True)]
    assert part.blocks == (
        {
            "type": "data_visualization",
            "title": "Spending",
            "chart": {
                "type": "line",
                "series": [{"name": "EUR", "data": points}],
                "axis_config": {"categories": names},
            },
        },
    )
    assert part.text.startswith("Spending\n2000: 0,50\u00a0€\n2001: 1,50\u00a0€\n")
    assert grid(part)[:1] == ["2012 ██████ 12,50\u00a0€"]
    assert part.shows_chart
    assert part.chart is not None


def test_few_values_are_rows_with_bars_the_newest_or_largest_first():
    months = Chart(
        "By month", ("Sep", "Oct"), (Decimal(2), Decimal(4)), "USD", ticks=(("Sep", ""), ("Oct", "")), unfinished=True
    )
    names = replace(months, ticks=(), unfinished=False)
    for chart, lines in (
        (months, ["Oct so far ░░░░░░ $4.00", "Sep        ███    $2.00"]),
        (names, ["Sep ███    $2.00", "Oct ██████ $4.00"]),
    ):
        (part,) = chart_parts(chart, "en_US")
        assert (grid(part), part.blocks == part.plainer, part.chart) == (lines, True, None)


@pytest.mark.parametrize(
    ("count", "fits"), [(0, False), (1, True), (Slack.CHART_CATEGORIES, True), (Slack.CHART_CATEGORIES + 1, False)]
)
def test_a_chart_has_so_many_bars(count, fits):
    assert (data_visualization(chart(count)) is not None) is fits


def test_titles_and_labels_are_cut_where_they_are_too_long():
    fits = data_visualization(chart(title="t" * Slack.CHART_TITLE, label="l" * (Slack.CHART_LABEL - 1) + "{}"))
    assert fits["title"] == "t" * Slack.CHART_TITLE
    assert fits["chart"]["axis_config"]["categories"][1] == "l" * (Slack.CHART_LABEL - 1) + "1"
    over = data_visualization(chart(title="t" * (Slack.CHART_TITLE + 1), label="{}" + "l" * Slack.CHART_LABEL))
    assert over["title"] == "t" * (Slack.CHART_TITLE - 1) + "…"
    assert over["chart"]["axis_config"]["categories"][1] == "1" + "l" * (Slack.CHART_LABEL - 2) + "…"


@pytest.mark.parametrize(
    ("labels", "ticks", "marks"),
    [
        (("November 2025", "May 2026"), (("Nov", "2025"), ("May", "2026")), ["Nov", "May"]),
        (("Oktober 2025", "Oktober 2026"), (("Okt", "2025"), ("Okt", "2026")), ["Okt 2025", "Okt 2026"]),
        (("October 2026", "Public Transportation"), (), ["October 2026", "Public Transportati…"]),
    ],
)
def test_what_stands_below_the_bars_is_short(labels, ticks, marks):
    block = data_visualization(Chart("Spending", labels, (Decimal(1), Decimal(2)), ticks=ticks))
    assert block["chart"]["axis_config"]["categories"] == marks
    assert [point["label"] for point in block["chart"]["series"][0]["data"]] == marks


@pytest.mark.parametrize(
    "names", [["a"] * 13, ["", *"bcdefghijklm"], [str(n) for n in range(Slack.CHART_CATEGORIES + 1)]]
)
def test_a_chart_that_slack_cannot_draw_is_said_and_left_to_a_picture(names):
    unfit = Chart("x", tuple(names), (Decimal(1),) * len(names), ticks=tuple((name, "") for name in names))
    (part,) = chart_parts(unfit, "en_US")
    assert part.blocks == part.plainer
    assert part.chart == unfit
    assert not part.shows_chart
