"""Taking an import back by its name or number, once."""

from __future__ import annotations

import pytest

from ledger.batches import recent_batches
from tests.support.changes_house import buttons, desk_house
from tools.calls import Call

HEAD = b"Date,Description,Amount,Currency\n"
FIRST = HEAD + b"2026-10-01,RENT,-900.00,USD\n2026-10-12,TEA,-2.10,EUR\n"
SECOND = HEAD + b"2026-11-03,BUS,-3.00,USD\n"


@pytest.fixture
async def house(tmp_path, clock):
    async with desk_house(tmp_path, clock) as house:
        yield house


async def bring(house, *files, person=None):
    for name, data in files:
        await house.press(await house.drop((name, data), person=person), "Import", person)


async def undo(house, value=""):
    call = Call("undo", {"value": value} if value else {})
    return await house.say("", call=call)


async def test_nothing_to_take_back_is_said(house) -> None:
    shown = await house.say("undo")
    assert shown.reply.headline == "There is no import left to take back."
    assert buttons(shown.reply) == []


async def test_it_is_asked_for_in_german_in_a_conversation_where_nothing_was_said(house) -> None:
    await bring(house, ("first.csv", FIRST))
    shown = await house.say("rückgängig", thread="another")
    assert shown.reply.headline == "2 Buchungen zurücknehmen?"


async def test_a_yes_that_answers_nothing_is_told_so(house) -> None:
    await bring(house, ("first.csv", FIRST))
    assert (await house.say("yes")).reply.headline == "Nothing waits for a yes or no."
    assert (await house.say("nein")).reply.headline == "Gerade wartet nichts auf ein Ja oder Nein."
    assert await house.count() == 2


async def test_right_after_an_import_the_command_takes_it_back_at_once(house) -> None:
    await bring(house, ("first.csv", FIRST), ("second.csv", SECOND))
    assert (await undo(house)).reply.headline == "Taken back: 1 transaction."
    assert await house.count() == 2
    assert (await undo(house)).reply.headline == "Take back 2 transactions?"
    assert await house.count() == 2


async def test_the_command_shows_the_last_import_and_takes_it_back_on_a_yes(house) -> None:
    await bring(house, ("first.csv", FIRST), ("second.csv", SECOND))
    await house.say("how much did I spend in total?")
    shown = await undo(house)
    assert shown.reply.headline == "Take back 1 transaction?"
    assert "second.csv · 3 Nov 2026 · sum -$3.00" in shown.text
    assert await house.count() == 3
    await house.restart()
    done = await house.press(shown, "Take back")
    assert done.reply.headline == "Taken back: 1 transaction."
    assert await house.count() == 2
    assert "first.csv · 1–12 Oct 2026 · sum -€2.10, -$900.00" in (await undo(house)).text


async def test_a_number_names_an_import_of_ones_own(house) -> None:
    await bring(house, ("first.csv", FIRST), ("second.csv", SECOND))
    await bring(house, ("theirs.csv", FIRST), person=house.bob)
    mine = await recent_batches(await house.store.repository(house.alice), 5)
    (theirs,) = await recent_batches(await house.store.repository(house.bob), 5)
    assert [batch.files for batch in mine] == [("second.csv",), ("first.csv",)]
    assert len(await recent_batches(await house.store.repository(house.alice), 1)) == 1
    assert "There is no import" in (await undo(house, str(theirs.id))).text
    await house.press(await undo(house, str(mine[1].id)), "Take back")
    assert await house.count() == 1
    assert await house.count(house.bob) == 2


async def test_a_press_of_undo_counts_once_whichever_button(house) -> None:
    done = await house.press(await house.drop(("first.csv", FIRST)), "Import")
    await house.say("how much did I spend in total?")
    shown = await undo(house)
    await house.press(done, "Undo")
    await bring(house, ("second.csv", SECOND))
    assert (await house.press(shown, "Take back")).reply.kind == "refuse"
    assert (await house.press(done, "Undo")).reply.kind == "refuse"
    assert await house.count() == 1
