"""Proposals that nobody answers lose their buttons by themselves, also those of a former process."""

from __future__ import annotations

import asyncio

import pytest

from graph.reply import Settled
from tests.support.changes_house import desk_house

NOTE = "Remember that my rent is due on the 3rd"
EXPIRED = "This has expired. Please ask for it again."


@pytest.fixture
async def house(tmp_path, clock):
    async with desk_house(tmp_path, clock) as house:
        yield house


async def retired(house, number=1):
    """What lost its buttons, once so many did."""
    while len(house.platform.retired) < number:
        house.clock.advance(60)
        await house.runner.idle()
        await asyncio.sleep(0.01)
    return house.platform.retired


async def test_a_proposal_says_that_it_has_expired_without_being_pressed(house, clock):
    asked = await house.say(NOTE)
    clock.advance(3601)
    assert await retired(house) == [Settled(asked.key, EXPIRED)]
    assert EXPIRED in (await house.press(asked, "Confirm")).text


async def test_so_does_one_of_a_process_that_ended_in_the_language_it_was_asked_in(house, clock):
    asked = await house.say("Merk dir, dass die Miete am 3. fällig ist")
    await house.close()
    clock.advance(3601)
    await house.open()
    (settled,) = await retired(house)
    assert (settled.key, settled.line) == (asked.key, "Das ist abgelaufen. Bitte frag noch einmal danach.")


async def test_an_undo_goes_when_it_can_no_longer_be_pressed(house, clock):
    await house.say(NOTE)
    done = await house.say("yes")
    clock.advance(7 * 86400 + 1)
    assert await retired(house) == [Settled(done.key, "This can no longer be taken back with one press.")]


async def test_where_the_platform_is_away_it_is_tried_again(house, clock):
    asked = await house.say(NOTE)
    house.platform.faults.failing_sends = 2
    clock.advance(3601)
    assert await retired(house) == [Settled(asked.key, EXPIRED)]
    assert house.platform.faults.failing_sends == 0


async def test_what_was_answered_is_left_alone(house, clock):
    await house.say(NOTE)
    await house.say("no")
    later = await house.say("Remember that I get paid on Fridays")
    clock.advance(3601)
    assert await retired(house) == [Settled(later.key, EXPIRED)]
