"""What a platform can't show is said in text, and nothing is lost on the way."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from bots.contracts import Capabilities
from bots.fallback import degrade, shorten, split_text, table_grid
from graph.reply import Action, Actions, File, Reply, Text
from ledger.money import Money
from tools.results import Chart, Column, Table

TABLE = Table(
    (Column("Merchant"), Column("Total", "money", "USD"), Column("Last", "date")),
    (("Costco", Decimal("198.20"), date(2026, 10, 3)), ("Safeway", Money(11275, "USD"), None)),
    "Groceries",
)
CHART = Chart("By month", ("Sep", "Oct"), (Decimal("1.50"), Decimal(2)), "EUR")
ACTIONS = Actions(
    (
        Action("September?", "ask", "and in September?"),
        Action("Import 5 rows", "confirm", "t"),
        Action("Share", "share"),
    )
)


def shown(block, **can):
    return degrade(Reply("answer", "x", (block,)), Capabilities(**can)).blocks


@pytest.mark.parametrize(
    ("block", "can"),
    [(TABLE, "tables"), (CHART, "charts"), (ACTIONS, "buttons"), (File("a.csv", "text/csv", b"x"), "files")],
)
def test_what_the_platform_can_show_stays(block, can):
    assert shown(block, **{can: True}) == (block,)


def test_a_table_in_text_keeps_every_cell():
    (text,) = shown(TABLE)
    assert text.text.splitlines() == [
        "Groceries",
        "Merchant · Total · Last",
        "Costco · $198.20 · 3 Oct 2026",
        "Safeway · $112.75 · –",
    ]


def test_a_chart_in_text_names_every_value():
    assert shown(CHART)[0].text.splitlines() == ["By month", "Sep: €1.50", "Oct: €2.00"]


def test_buttons_in_text_say_what_can_be_said():
    assert shown(ACTIONS)[0].text.splitlines() == [
        "You could ask: and in September?",
        "Say “yes” for “Import 5 rows”.",
    ]
    assert shown(Actions((Action("Undo", "confirm", "t", "back"),)))[0].text == "Say “undo” to take it back."
    assert shown(Actions((Action("Share", "share"),))) == ()


def test_texts_are_cut_at_the_limit_and_not_before():
    fits, over = "a" * 99 + "b", "word " * 19 + "wordy wor"
    assert shown(Text(fits, "details"), max_text=100) == (Text(fits, "details"),)
    assert [len(part.text) <= 100 for part in shown(Text(over + "d", "details"), max_text=100)] == [True, True]


@settings(deadline=None)
@given(st.text(alphabet="ab \n1.,", max_size=200), st.integers(1, 30))
def test_cutting_loses_nothing_but_the_space_at_the_cut(text, longest):
    parts = split_text(text, longest)
    assert all(0 < len(part) <= longest for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


@settings(deadline=None)
@given(st.lists(st.from_regex(r"[a-z0-9.,]{1,8}", fullmatch=True), max_size=30), st.integers(8, 30))
def test_no_word_or_number_is_cut(words, longest):
    parts = split_text(" ".join(words), longest)
    assert " ".join(parts).split() == words


def test_an_amount_stays_with_its_currency_where_there_is_another_place_to_cut():
    assert split_text("for lunch you paid 12\u202f345 ¥", 26) == ["for lunch you paid", "12\u202f345 ¥"]
    assert split_text("for lunch you paid EUR 12.60", 25) == ["for lunch you paid", "EUR 12.60"]
    assert split_text("for lunch you paid 12.60 EUR more", 25) == ["for lunch you paid", "12.60 EUR more"]
    assert split_text("for lunch you paid €12.60 EURO", 25) == ["for lunch you paid €12.60", "EURO"]


def test_a_short_form_ends_between_words_and_says_that_it_is_one():
    assert shorten("groceries in October", 20) == "groceries in October"
    assert shorten("groceries in October!", 20) == "groceries in…"
    assert shorten("g" * 21, 20) == "g" * 19 + "…"


def test_a_grid_is_aligned_and_gives_way_in_its_texts_and_headings_only():
    columns = (Column("Date", "date"), Column("Merchant"), Column("Spent in this month", "money"))
    table = Table(
        columns, ((date(2026, 10, 3), "Very long merchant name", Money(-123456789, "EUR")), (None, "日本", None))
    )
    lines = table_grid(table)
    assert lines == [
        "Date       Merchant       Spent in this…",
        "3 Oct 2026 Very long mer… -€1,234,567.89",
        "           日本",
    ]


def test_texts_stand_below_the_figures_where_the_lines_are_too_short_for_both():
    columns = (
        Column("Date", "date"),
        Column("Merchant"),
        Column("Category"),
        Column("Account"),
        Column("Amount", "money"),
    )
    rows = (
        (date(2026, 10, 31), "Golden Lotus", "Restaurants", "Credit Card", Money(-8104, "USD")),
        (None, "Sum", None, None, Money(-127164, "USD")),
    )
    assert table_grid(Table(columns, rows)) == [
        "Date                              Amount",
        "  Merchant · Category · Account",
        "31 Oct 2026                      -$81.04",
        "  Golden Lotus · Restaurants · Credit C…",
        "                              -$1,271.64",
        "  Sum",
    ]


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.text("abc日 ", max_size=60), st.integers(-(10**12), 10**12), st.dates(date(1000, 1, 1))),
        min_size=1,
        max_size=8,
    )
)
def test_no_figure_of_a_grid_is_ever_cut(rows):
    columns = (Column("A name"), Column("An amount", "money"), Column("A day", "date"))
    lines = table_grid(Table(columns, tuple((name, Money(minor, "EUR"), day) for name, minor, day in rows)))
    figures = iter([line for line in lines[1:] if "€" in line])
    for _, minor, day in rows:
        line = next(figures)
        assert f"€{abs(minor) // 100:,}.{abs(minor) % 100:02}" in line
        assert line.endswith(str(day.year))
    assert max(map(cell_len, lines)) <= 40
