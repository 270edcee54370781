"""What a platform can't show is said in text, and nothing is lost on the way."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.contracts import Capabilities
from bots.fallback import degrade, split_text
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
        "Costco · 198.20 USD · 2026-10-03",
        "Safeway · 112.75 USD · –",
    ]


def test_a_chart_in_text_names_every_value():
    assert shown(CHART)[0].text.splitlines() == ["By month", "Sep: 1.50 EUR", "Oct: 2 EUR"]


def test_buttons_in_text_say_what_can_be_said():
    assert shown(ACTIONS)[0].text.splitlines() == [
        "You could ask: and in September?",
        "Say “yes” to confirm: Import 5 rows",
    ]
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
