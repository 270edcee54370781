"""A focus mode is on until it is left, one at a time, and says what it does."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from graph.answers import headline_of
from ledger.category_words import match_categories
from ledger.periods import parse_period
from tests.unit.tools.apps.conftest import REGISTRY, Resident
from tools.focus import ALWAYS, FOCUS_MODES, in_focus

TODAY = date(2026, 11, 21)
TOOLS = REGISTRY.offered()


@pytest.fixture
async def me(house) -> Resident:
    return await house.move_in([], TODAY)


def within(me, focus):
    return Resident(replace(me.context, focus=focus), me.entries)


@pytest.mark.parametrize("mode", list(FOCUS_MODES))
async def test_beginning_says_what_holds_and_how_to_leave(me, mode):
    result = await me.run("focus-activate", mode=mode)
    said = headline_of(result, me.context)
    assert result.focus == mode
    assert FOCUS_MODES[mode].title in said.casefold()
    assert FOCUS_MODES[mode].holds in said
    assert "“stop the focus”" in said
    assert said.count(".") == 1


async def test_one_mode_takes_the_place_of_another(me):
    result = await within(me, "plain_answers").run("focus-activate", mode="month_close")
    assert result.focus == "month_close"
    assert "instead of the plain-answer mode" in headline_of(result, me.context)


async def test_beginning_what_is_on_changes_nothing(me):
    result = await within(me, "month_close").run("focus-activate", mode="month_close")
    assert result.focus is None
    assert "already" in result.headline


@pytest.mark.parametrize("arguments", [{}, {"mode": "month_close"}])
async def test_leaving(me, arguments):
    result = await within(me, "month_close").run("focus-deactivate", **arguments)
    assert result.focus == ""
    assert headline_of(result, me.context) == "The month close is over: questions and answers are as usual again."


async def test_leaving_what_is_not_on_is_said(me):
    result = await me.run("focus-deactivate")
    assert (result.focus, result.headline) == (None, "No focus mode is on.")
    result = await within(me, "month_close").run("focus-deactivate", mode="plain_answers")
    assert result.focus is None
    said = "The plain-answer mode is not on, but the month close is; “stop the focus” ends it."
    assert headline_of(result, me.context) == said


@pytest.mark.parametrize("mode", [None, "", "unknown", "plain_answers"])
def test_no_mode_and_plain_answers_leave_every_tool(mode):
    assert in_focus(TOOLS, mode) == TOOLS


@pytest.mark.parametrize("mode", ["subscription_audit", "month_close"])
def test_a_mode_keeps_its_own_tools_and_the_way_out(mode):
    apps = {tool.app for tool in in_focus(TOOLS, mode)}
    assert apps == {*FOCUS_MODES[mode].apps, *ALWAYS}


def test_what_a_mode_leaves_unsaid_can_be_read():
    """Its period is one that the grammar reads, its category one that usual ledgers have under some name."""
    periods = {name: mode.defaults["period"] for name, mode in FOCUS_MODES.items() if "period" in mode.defaults}
    read = {name: parse_period(phrase, TODAY) for name, phrase in periods.items()}
    assert {name: (period.start, period.end) for name, period in read.items()} == {
        "subscription_audit": (date(2025, 11, 1), date(2026, 10, 31)),
        "month_close": (date(2026, 10, 1), date(2026, 10, 31)),
    }
    category = FOCUS_MODES["subscription_audit"].defaults["category"]
    for known in (["Groceries", "Subscriptions"], ["Lebensmittel", "Abos"], ["Music", "Rent"], ["Streaming", "Gym"]):
        assert match_categories(category, known)[0].score >= 0.75, known
