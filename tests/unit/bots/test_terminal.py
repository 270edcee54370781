"""Tables, bars and replies in 80 columns, and in a pipe."""

from __future__ import annotations

import io
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from bots.terminal import show_chart, show_pairs, show_reply, show_table
from graph.reply import Reply, Text
from ledger.money import Money
from tools.calls import Choice
from tools.results import Chart, Column, Table

COLUMNS = (Column("Date", "date"), Column("Merchant"), Column("Category"), Column("Amount", "money"))


def printed(show, *arguments, width: int = 80, terminal: bool = True, **options) -> list[str]:
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=terminal, no_color=True, soft_wrap=not terminal, highlight=False, color_system=None,
    )  # fmt: skip
    show(*arguments, console, **options)
    return out.getvalue().splitlines()


def long_table() -> Table:
    names = (
        "A merchant whose name is far too long for any terminal",
        "a category that is just as long as its merchant is",
    )
    return Table(COLUMNS, ((date(2026, 10, 3), *names, Money(-123456789, "EUR")),) * 2)


def test_a_wide_table_gives_way_in_its_texts_and_never_in_its_figures():
    lines = printed(show_table, long_table())
    assert len(lines) == 3
    assert all(len(line) <= 80 for line in lines)
    assert "3 Oct 2026" in lines[1]
    assert lines[1].rstrip().endswith("-€1,234,567.89")
    assert "…" in lines[1]


def test_in_a_pipe_nothing_is_cut():
    lines = printed(show_table, long_table(), width=400, terminal=False)
    assert "far too long for any terminal" in lines[1]
    assert all(line == line.rstrip() for line in lines)


def test_a_long_table_is_cut_and_says_so():
    table = Table((Column("N", "count"),), tuple((number,) for number in range(1500)))
    assert printed(show_table, table)[-1] == "… and 1,470 more"
    assert len(printed(show_table, table, most=None)) == 1501


def test_bars_are_as_long_as_their_share_and_amounts_stand_below_each_other():
    chart = Chart("Spending", ("September 2026", "October 2026"), (Decimal(50), Decimal(100)), "EUR")
    first, second = printed(show_chart, chart)
    assert first.startswith("September 2026   €50.00  █")
    assert first.count("█") * 2 == second.count("█") == 32
    assert "100,00\xa0€" in printed(show_chart, chart, locale="de_DE")[1]


@settings(deadline=None)
@example([("0000000000000000000\u093a", Decimal("0.01"))], 60)
@given(
    st.lists(st.tuples(st.text(max_size=60), st.decimals(-(10**9), 10**9, places=2)), min_size=1, max_size=8),
    st.integers(60, 200),
)
def test_no_bar_is_ever_wider_than_the_terminal(values, width):
    chart = Chart("", tuple(label for label, _ in values), tuple(value for _, value in values), "USD")
    lines = printed(show_chart, chart, width=width)
    assert len(lines) in (0, len(values))
    assert all(cell_len(line) <= width for line in lines)


@pytest.mark.parametrize("text", ["\x1b[2Jgone", "bell\x07", "over\rwritten", "right\u202eleft", "one\x9b31mred"])
def test_nothing_in_a_description_reaches_the_terminal_as_a_command(text):
    table = Table((Column("Merchant"),), ((text,),))
    reply = Reply(
        "answer", text, (Text(text, "headline"), table, Chart("", (text,), (Decimal(1),))), choices=(Choice(text),)
    )
    shown = "\n".join(printed(show_reply, reply, terminal=False, width=400))
    assert not set(shown) & set("\x1b\x07\r\u202e\x9b")


def test_choices_are_numbered():
    lines = printed(show_reply, Reply("clarify", "Which?", choices=(Choice("tea"), Choice("coffee"))))
    assert lines == ["Which?", "  1  tea", "  2  coffee"]


def test_pairs_are_aligned_and_broken_under_their_own_beginning():
    lines = printed(show_pairs, [("Name", "word " * 30), ("Longer name", "x")])
    assert [line.index("w") for line in lines[:-1]] == [13] * (len(lines) - 1)
    assert len(lines) > 2
