"""Settings: shown in words, stored whole from a form, and taken back."""

from __future__ import annotations

import pytest

from bots.desk.settings import adopt_time_zone, preferences, problems
from ledger.preferences import PREFERENCES
from tests.support.lookup_house import labels, lines, open_house, tables

FORM = {"time_zone": "Berlin", "week_start": "Sunday", "payday": "last day of the month", "locale": "German", "currency": "euros"}  # fmt: skip


async def test_all_are_shown_with_their_values_and_a_way_to_change_them(house) -> None:
    await house.command("save-settings", time_zone="Berlin")
    page = (await house.say("settings")).reply
    (table,) = tables(page)
    assert [row[1] for row in table.rows][:2] == ["Europe/Berlin", "the default (Monday)"]
    assert [row[0] for row in table.rows] == [preference.label for preference in PREFERENCES.values()]
    assert labels(page) == ["Change settings"]


async def test_a_form_is_stored_said_and_taken_back(house) -> None:
    await house.command("save-settings", week_start="Saturday")
    saved = await house.command("save-settings", **FORM)
    assert await house.settings() == {
        "time_zone": "Europe/Berlin", "week_start": "6", "payday": "last", "locale": "de_DE", "currency": "EUR",
    }  # fmt: skip
    assert "Week start: Saturday → Sunday" in lines(saved.reply)
    assert "Home currency: default → EUR" in lines(saved.reply)
    undone = await house.press(saved, "Undo")
    assert await house.settings() == {"week_start": "5"}
    await house.press(undone, "Undo")
    assert (await house.settings())["currency"] == "EUR"


async def test_what_a_form_begins_with_is_what_it_takes(house) -> None:
    """A form that is sent off untouched changes nothing."""
    await house.command("save-settings", **FORM)
    before, shown = await house.settings(), await preferences(house.desk, house.alice)
    assert problems(shown) == {}
    same = await house.command("save-settings", **shown)
    assert await house.settings() == before
    assert same.reply.headline == "Deine Einstellungen sind, wie sie waren."
    assert labels(same.reply) == []


async def test_an_emptied_field_is_the_default_again(house) -> None:
    await house.command("save-settings", **FORM)
    await house.command("save-settings", payday=" ", currency="default")
    assert "payday" not in await house.settings()
    assert "currency" not in await house.settings()


@pytest.mark.parametrize("bad", [{"time_zone": "Atlantis"}, {"welcomed": "1"}, {"payday": "99"}])
async def test_one_wrong_value_stores_nothing(house, bad) -> None:
    refused = await house.command("save-settings", week_start="Sunday", **bad)
    assert refused.reply.kind == "refuse"
    assert await house.settings() == {}
    assert list(problems({"week_start": "Sunday", **bad})) == list(bad)


def test_a_problem_names_what_is_near() -> None:
    assert "Near it: Europe/Berlin" in problems({"time_zone": "Europe/Berlim"})["time_zone"]


async def test_an_undo_survives_other_proposals_and_is_only_its_owners(house) -> None:
    saved = await house.command("save-settings", week_start="Sunday")
    await house.say("Remember that my rent is due on the 3rd")
    await house.say("Remember that the gym is for Ann")
    with pytest.raises(ValueError, match="Undo"):
        await house.press(saved, "Undo", house.bob)
    await house.press(saved, "Undo")
    assert await house.settings() == {}


async def test_saving_leaves_another_proposal_waiting(house) -> None:
    proposed = await house.say("Set my home currency to euros")
    await house.command("save-settings", week_start="Sunday")
    await house.press(proposed, "Confirm")
    assert await house.settings() == {"week_start": "6", "currency": "EUR"}


async def test_a_typed_yes_after_saving_undoes_nothing_but_undo_does(house) -> None:
    await house.command("save-settings", week_start="Sunday")
    await house.say("yes")
    assert await house.settings() == {"week_start": "6"}
    await house.say("undo")
    assert await house.settings() == {}


async def test_a_platforms_time_zone_is_taken_only_where_none_is_set_and_only_if_known(house) -> None:
    for zone in ("Mars/Olympus", "default", "", "America/New_York", "Europe/Berlin"):
        await adopt_time_zone(house.desk, house.alice, zone)
    assert await house.settings() == {"time_zone": "America/New_York"}
    assert await house.settings(house.bob) == {}


async def test_where_nothing_may_be_changed_nothing_is(sqlite_store, clock) -> None:
    async with open_house(sqlite_store, clock, writes=False) as house:
        assert (await house.command("save-settings", week_start="Sunday")).reply.kind == "refuse"
        await adopt_time_zone(house.desk, house.alice, "Europe/Berlin")
        assert await house.settings() == {}
