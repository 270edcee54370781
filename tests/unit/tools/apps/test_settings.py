"""Settings are shown, changed only once somebody said yes, and taken back."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from graph.answers import headline_of
from ledger.preferences import PREFERENCES
from tests.unit.tools.apps.conftest import Resident
from tools.calls import choice_of

TODAY = date(2026, 11, 21)


@pytest.fixture
async def me(house) -> Resident:
    return await house.move_in([], TODAY)


async def confirm(me, result):
    """Do what a result proposes; return what is said then, and the call that takes it back."""
    async with me.context.ledger.store.write() as connection:
        await result.change.work(connection)
    return headline_of(replace(result, headline=result.change.done), me.context), result.change.undo


async def test_every_setting_is_listed_with_what_it_says(me):
    result = await me.run("settings-show")
    assert [row[0] for row in result.table.rows] == ["Time zone", "Week start", "Payday", "Language", "Home currency"]
    assert all("default" in row[1] or row[1] == "none" for row in result.table.rows)
    assert [row[2] for row in result.table.rows] == [preference.meaning for preference in PREFERENCES.values()]


async def test_one_setting_can_be_asked_for(me):
    result = await me.run("settings-show", setting="week_start")
    assert headline_of(result, me.context) == "Your week start is the default (Monday)."
    await confirm(me, await me.run("settings-change", setting="week_start", value="Sunday"))
    result = await me.run("settings-show", setting="week_start")
    assert headline_of(result, me.context) == "Your week start is Sunday."


@pytest.mark.parametrize(
    ("setting", "value", "stored", "asked", "done"),
    [
        ("time_zone", "Berlin", "Europe/Berlin",
         "Change your time zone from the default (that of the machine I run on) to Europe/Berlin?",
         "Your time zone is now Europe/Berlin."),
        ("week_start", "Sonntag", "6", "Change your week start from the default (Monday) to Sunday?",
         "Your week start is now Sunday."),
        ("payday", "the 25th", "25", "Change your payday from none to 25th of the month?",
         "Your payday is now 25th of the month."),
        ("locale", "German", "de_DE", "Change your locale from the default to de_DE?", "Your locale is now de_DE."),
        ("currency", "euros", "EUR",
         "Change your home currency from the default (the one used most in your ledger) to EUR?",
         "Your home currency is now EUR."),
    ],
)  # fmt: skip
async def test_a_change_is_shown_first_and_can_be_taken_back(me, setting, value, stored, asked, done):
    result = await me.run("settings-change", setting=setting, value=value)
    assert headline_of(result, me.context) == asked
    assert await me.context.ledger.settings() == {}
    said, undo = await confirm(me, result)
    assert said == done
    assert await me.context.ledger.settings() == {setting: stored}
    back = await me.run(undo.name, **undo.arguments)
    assert (await confirm(me, back))[1].arguments["value"] == stored
    assert await me.context.ledger.settings() == {}


async def test_taking_back_restores_what_was_set_before(me):
    await confirm(me, await me.run("settings-change", setting="locale", value="de_DE"))
    _, undo = await confirm(me, await me.run("settings-change", setting="locale", value="fr_FR"))
    await confirm(me, await me.run(undo.name, **undo.arguments))
    assert await me.context.ledger.settings() == {"locale": "de_DE"}


async def test_a_locale_is_shown_by_an_amount(me):
    result = await me.run("settings-change", setting="locale", value="German")
    assert result.names["example"] == "1.234,56\N{NO-BREAK SPACE}$"


@pytest.mark.parametrize(("before", "value"), [(None, "default"), ("Berlin", "europe/berlin")])
async def test_what_is_so_already_needs_no_change(me, before, value):
    if before:
        await confirm(me, await me.run("settings-change", setting="time_zone", value=before))
    result = await me.run("settings-change", setting="time_zone", value=value)
    assert result.change is None
    assert headline_of(result, me.context).endswith("already.")


async def test_what_can_not_be_set_is_asked_with_what_is_near(me):
    result = await me.run("settings-change", setting="time_zone", value="Europe/Berln")
    assert result.kind == "clarify"
    assert result.change is None
    assert headline_of(result, me.context) == "Your time zone can't be “Europe/Berln”; an example is Europe/Berlin."
    near = choice_of("Set my time zone to Europe/Berlin", "settings-change", setting="time_zone", value="Europe/Berlin")
    assert near in result.choices
    result = await me.run("settings-change", setting="payday", value="{setting}")
    assert result.kind == "clarify"
    assert "“{setting}”" in headline_of(result, me.context)
