"""Forms on Discord that hold a mistake: they come back as they were filled in, to who filled them in."""

from __future__ import annotations

from tests.unit.bots.discord_app.conftest import PERSON


async def wrong_settings(served, **values):
    """Send the form of settings with a mistake; return the line that says so."""
    await served.discord.until(lambda: served.discord.commands.get(None))
    await (await served.discord.command("ana", "money settings")).acknowledged()
    shown = await served.sees("These are your settings")
    await (await served.discord.press("ana", shown, "Change settings")).acknowledged()
    await (await served.discord.submit("ana", values)).acknowledged()
    return await served.sees(values["payday"])


def values(served, user="ana"):
    return {field.custom_id: field.value for field in served.discord.modal(user).fields}


async def test_a_form_with_a_mistake_comes_back_as_it_was_filled_in(served):
    wrong = await wrong_settings(served, payday="99", currency="EUR")
    await (await served.discord.press("ana", wrong, "Fill in again")).acknowledged()
    assert (values(served)["payday"], values(served)["currency"]) == ("99", "EUR")
    await (await served.discord.submit("ana", {"payday": "25"})).acknowledged()
    await served.sees("2 settings changed.")
    assert (await (await served.desk.repository(PERSON)).settings())["currency"] == "EUR"


async def test_after_a_quarter_of_an_hour_it_is_as_it_is_set(served):
    surfaces = served.adapter._surfaces
    wrong = await wrong_settings(served, payday="99")
    surfaces._seconds = lambda: float("inf")
    await (await served.discord.press("ana", wrong, "Fill in again")).acknowledged()
    assert values(served)["payday"] != "99"
