"""At the console: tools and apps switched off and on, notes kept and listed."""

from __future__ import annotations

import pytest

from bots.app import console_person
from ledger.memories import LONGEST_NOTE, list_memories
from ledger.switches import switched_off
from tests.support.console import desk


@pytest.fixture
async def at_desk(tmp_path):
    async with desk(tmp_path) as opened:
        yield opened


async def repository(at_desk):
    return await at_desk.app.repository(console_person(None))


async def test_tools_are_listed_by_app_and_switched(at_desk):
    printed = await at_desk.talk("/tools")
    for tool in at_desk.app.registry.offered():
        (line,) = [line for line in printed.splitlines() if f" {tool.name} " in line]
        assert line.split()[:3] == [tool.app, tool.name, "on"]
    printed = await at_desk.talk("/tools off income spending-compare", "/tools")
    assert "income is off: not offered, not run." in printed
    states = {
        line.split()[1]: line.split()[2] for line in printed.splitlines() if "-" in line and len(line.split()) > 3
    }
    assert states["income-summary"] == states["spending-compare"] == "off"
    assert states["spending-extremes"] == "on"
    assert await switched_off(await repository(at_desk)) == {"income", "spending-compare"}
    await at_desk.talk("/tools on income", "/tools on Spending-Compare")
    assert await switched_off(await repository(at_desk)) == frozenset()


async def test_a_tool_of_an_app_that_is_off_stays_off(at_desk):
    printed = await at_desk.talk("/tools off income", "/tools on income-summary")
    assert "income-summary is on, but its app is off: /tools on income" in printed


async def test_a_tool_that_does_not_exist_is_not_switched(at_desk):
    printed = await at_desk.talk("/tools off spendig-compare", "/tools off qqqq", "/tools sideways", "/tools off")
    assert "There is no tool or app “spendig-compare”. Did you mean spending-compare?" in printed
    assert "There is no tool or app “qqqq”. /tools lists them." in printed
    assert printed.count("/tools off NAME switches a tool or a whole app off") == 2
    assert await switched_off(await repository(at_desk)) == frozenset()


async def test_a_note_is_kept_as_it_is_written_and_listed(at_desk):
    printed = await at_desk.talk(
        '/remember Anna\'s "half" of the rent', "/remember Netflix", "/memories", "/memories rent"
    )
    assert 'I will remember “Anna\'s "half" of the rent”.' in printed
    assert [note.text for note in await list_memories(await repository(at_desk))] == [
        'Anna\'s "half" of the rent',
        "Netflix",
    ]
    assert "You asked me to remember 2 things." in printed
    assert "You asked me to remember one thing about “rent”." in printed


async def test_what_is_no_note_is_said(at_desk):
    printed = await at_desk.talk(
        "/remember", f"/remember {'x' * (LONGEST_NOTE + 1)}", "/remember a", "/remember a", "/memories"
    )
    assert "What? /remember NOTE" in printed
    assert f"A note can have {LONGEST_NOTE} characters, and this one has {LONGEST_NOTE + 1}." in printed
    assert "I remember that already." in printed
    assert "You asked me to remember one thing." in printed


async def test_payday_is_a_setting_like_the_others(at_desk):
    printed = await at_desk.talk("/set payday the 25th", "/settings", "/set payday never")
    assert "Payday: default → 25th of the month" in printed
    assert "the day of the month on which you are paid" in printed
    assert "Payday can't be “never”; an example is 25." in printed
