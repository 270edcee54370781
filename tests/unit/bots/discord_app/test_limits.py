"""Discord's numbers at their edges, and the same as those that discord.py knows."""

from __future__ import annotations

import inspect
import warnings
from datetime import date
from decimal import Decimal

import pytest

from bots.discord_app.buttons import lay_out, parse_custom_id
from bots.discord_app.rendering import render
from bots.limits import Discord
from graph.reply import Action, Actions, Reply, Text
from ledger.money import Money
from tools.calls import Choice
from tools.results import Chart, Column, Fact, Table

ABOUT = "0123456789abcdef01234567"


def shown(reply):
    return render(reply, about=ABOUT, shareable=True)


def buttons(reply):
    return [button for row in shown(reply)[-1].rows for button in row]


@pytest.fixture
def discord():
    """The library, whose voice parts warn of Python 3.13 when they are imported."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import discord
    return discord


def test_discord_py_takes_what_we_take_for_the_limit_and_no_more(discord):
    view = discord.ui.View(timeout=None)
    for _ in range(Discord.ROWS * Discord.ROW_BUTTONS):
        view.add_item(discord.ui.Button(label="l" * Discord.BUTTON_LABEL, custom_id="i" * Discord.CUSTOM_ID))
    with pytest.raises(ValueError, match="maximum number of children"):
        view.add_item(discord.ui.Button(label="x", custom_id="x"))


def test_discord_py_names_the_same_numbers(discord):
    assert f"maximum of {Discord.FILES}" in inspect.getdoc(discord.abc.Messageable.send)


@pytest.mark.parametrize(("more", "messages"), [(0, 1), (1, 2)])
def test_a_message_says_so_much(more, messages):
    parts = shown(Reply("refuse", "h", (Text("y" * (Discord.CONTENT - len("**h**\n") + more)),)))
    assert len(parts) == messages
    assert max(len(part.content) for part in parts) <= Discord.CONTENT


@pytest.mark.parametrize(("more", "messages"), [(0, 1), (1, 2)])
def test_an_escaped_sign_counts_as_two(more, messages):
    text = "*" * (Discord.CONTENT // 2 - 1) + "y" * (2 + more)
    parts = shown(Reply("answer", "", (Text(text),)))
    assert len(parts[0].content) <= Discord.CONTENT
    assert len(parts) == messages


@pytest.mark.parametrize(("more", "messages"), [(0, 1), (1, 2)])
def test_characters_are_code_points(more, messages):
    assert len(shown(Reply("answer", "", (Text("😀" * (Discord.CONTENT + more)),)))) == messages


@pytest.mark.parametrize(("more", "whole"), [(0, True), (1, False)])
def test_a_label_is_as_long_as_a_button_takes(more, whole):
    label = ("word " * 16)[:79] + "s" * (1 + more)
    (button,) = buttons(Reply("clarify", "Which?", (Actions((Action(label, "ask", "x"),)),)))
    assert button.label == (label if whole else ("word " * 15).strip() + "…")
    assert len(button.label) <= Discord.BUTTON_LABEL


@pytest.mark.parametrize(("more", "said"), [(0, False), (1, True)])
def test_a_label_that_is_not_shown_whole_is_said(more, said):
    label = "l" * (Discord.BUTTON_SHOWN + more)
    (part,) = shown(Reply("clarify", "Which?", choices=(Choice(label),)))
    assert part.content == "## Which?" + f"\n· {label}" * said


@pytest.mark.parametrize(("more", "carried"), [(0, True), (1, False)])
def test_an_id_carries_as_much_as_it_takes(more, carried):
    value = "v" * (Discord.CUSTOM_ID - len(f"mm:ask:{ABOUT}:0:") + more)
    ((row,), _) = lay_out([[Action("Ask", "ask", value)]], ABOUT, shareable=True)
    assert len(row[0].custom_id) <= Discord.CUSTOM_ID
    assert parse_custom_id(row[0].custom_id).value == (value if carried else None)


@pytest.mark.parametrize(
    ("count", "rows"),
    [(Discord.ROW_BUTTONS, [5]), (Discord.ROW_BUTTONS + 1, [5, 1]), (25, [5] * 5), (26, [5] * 5)],
)
def test_a_row_and_a_message_hold_so_many_buttons(count, rows):
    actions = tuple(Action(f"theme {number}", "help", str(number)) for number in range(count))
    (part,) = shown(Reply("clarify", "Which?", (Actions(actions),)))
    assert [len(row) for row in part.rows] == rows


@pytest.mark.parametrize(
    ("count", "options"), [(5, None), (6, [6]), (Discord.OPTIONS, [25]), (Discord.OPTIONS + 6, [25, 6])]
)
def test_more_choices_than_a_row_has_are_a_menu(count, options):
    long = "a choice that no client shows whole on a button"
    choices = tuple(Choice(f"{long} {number}") for number in range(count))
    (part,) = shown(Reply("clarify", "Which?", choices=choices))
    if options is None:
        assert [button.label for button in part.rows[0]] == [choice.label for choice in choices]
        assert part.content.count(long) == count
        return
    assert [len(menu.options) for (menu,) in part.rows] == options
    assert [option.label for (menu,) in part.rows for option in menu.options] == [choice.label for choice in choices]
    assert part.content == "## Which?"
    ids = [each for (menu,) in part.rows for each in (menu.custom_id, *(option.custom_id for option in menu.options))]
    assert len(set(ids)) == len(ids)
    assert all(len(each) <= Discord.CUSTOM_ID for each in ids)


def test_of_more_menus_than_a_message_takes_the_rest_is_said():
    choices = tuple(Choice(f"choice {number}") for number in range(5 * Discord.OPTIONS + 6))
    (part,) = shown(Reply("clarify", "Which?", choices=choices))
    assert [len(menu.options) for (menu,) in part.rows] == [25] * 5
    assert part.content == "## Which?" + "".join(f"\n· choice {number}" for number in range(125, 131))


@pytest.mark.parametrize(("count", "asked"), [(20, True), (21, False)])
def test_feedback_is_asked_for_where_a_row_is_left(count, asked):
    fact = Fact("total", "total", Decimal(1), "money", "USD")
    actions = tuple(Action(f"b{number}", "help", "x") for number in range(count))
    (part,) = shown(Reply("answer", "x", (Actions(actions),), facts=(fact,)))
    assert ("👍" in [button.label for button in part.rows[-1]]) is asked
    assert len(part.rows) == Discord.ROWS


@pytest.mark.parametrize(("count", "file"), [(40, False), (41, True)])
def test_a_table_of_so_many_rows_is_shown_whole(count, file):
    rows = tuple((date(2026, 10, 1), "Shop", Money(-100 - number, "USD")) for number in range(count))
    table = Table((Column("Date", "date"), Column("Shop"), Column("Amount", "money")), rows)
    parts = shown(Reply("answer", "x", (table,)))
    assert any(part.file for part in parts) is file
    assert sum(part.content.count("1 Oct 2026") for part in parts) == (20 if file else count)


@pytest.mark.parametrize(("length", "cut"), [(25, False), (26, True)])
def test_a_line_of_a_table_is_as_wide_as_a_phone_shows(length, cut):
    table = Table((Column("Shop"), Column("Amount", "money")), (("s" * length, Money(-512345, "USD")),) * 13)
    wide = Chart("c", ("s" * length,), (Decimal(1),), "USD")
    for block in (table, wide):
        (part,) = shown(Reply("answer", "x", (block,)))
        grid = part.spoken.content.split("```")[1]
        assert max(map(len, grid.splitlines())) <= 36
    (part,) = shown(Reply("answer", "x", (table,)))
    assert ("…" in part.content, part.file is not None) == (cut, cut)
