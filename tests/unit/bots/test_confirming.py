"""Changes that tools propose: nothing happens before the person who asked says yes, and it can be taken back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bots.memory import MemoryPlatform
from bots.runner import Runner
from bots.runner_settings import RunnerSettings
from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from graph.reply import Settled
from ledger.memories import add_memory, list_memories
from tools.registry import Registry

NOTE = "Remember that my rent is due on the 3rd"


@pytest.fixture
async def house(sqlite_store, clock):
    """A platform with the real agent behind it: says things, presses buttons, and looks at notes and settings."""
    platform = MemoryPlatform(now=clock.now)
    agent = MoneyAgent(
        sqlite_store,
        Registry.built_in(),
        ModelChoice("builtin", "http://127.0.0.1:9"),
        lambda: datetime(2026, 11, 21, tzinfo=UTC),
        search_index=_no_index,
    )
    runner = Runner(
        sqlite_store, agent, [platform], RunnerSettings(), now=clock.now, seconds=clock.seconds, sleep=clock.sleep
    )
    await runner.start()
    yield House(platform, runner, sqlite_store)
    await runner.drain(0)


async def _no_index() -> None:
    """Nothing to search."""


class House:
    def __init__(self, platform, runner, store) -> None:
        self.platform, self.runner, self.store = platform, runner, store
        self.alice, self.bob = platform.person("alice"), platform.person("bob")

    async def say(self, text, person=None):
        person = person or self.alice
        await self.platform.say(person, text)
        await self.runner.idle()
        return self.platform.visible_to(person)[-1]

    async def press(self, post, label, person=None):
        person = person or self.alice
        await self.platform.press(person, post, label)
        await self.runner.idle()
        return self.platform.visible_to(person)[-1].reply

    async def notes(self, person=None):
        return [note.text for note in await list_memories(await self.store.repository(person or self.alice))]


@pytest.mark.parametrize("by_button", [True, False])
async def test_a_change_is_made_by_a_yes_and_taken_back_by_undo(house, by_button) -> None:
    shown = await house.say(NOTE)
    assert shown.reply.kind == "clarify"
    assert await house.notes() == []
    done = await house.press(shown, "Confirm") if by_button else (await house.say("yes")).reply
    assert await house.notes() == ["my rent is due on the 3rd"]
    assert done.kind == "answer"
    if by_button:
        await house.press(house.platform.visible_to(house.alice)[-1], "Undo")
    else:
        await house.say("undo")
    assert await house.notes() == []


@pytest.mark.parametrize("answer", ["no", "nein.", "Cancel"])
async def test_a_no_changes_nothing_and_a_later_yes_finds_nothing(house, answer) -> None:
    shown = await house.say(NOTE)
    reply = await house.press(shown, answer) if answer == "Cancel" else (await house.say(answer)).reply
    assert "Nothing was changed" in reply.headline
    assert "already" in (await house.press(shown, "Confirm")).headline or await house.notes() == []
    await house.say("yes")
    assert await house.notes() == []


async def test_one_press_counts_once(house) -> None:
    shown = await house.say(NOTE)
    await house.press(shown, "Confirm")
    assert "already done" in (await house.press(shown, "Confirm")).headline
    assert len(await house.notes()) == 1


async def test_a_yes_after_another_question_confirms_nothing(house) -> None:
    await house.say(NOTE)
    await house.say("What data do you have?")
    await house.say("yes")
    assert await house.notes() == []


async def test_a_newer_proposal_takes_the_place_of_an_older_one(house) -> None:
    first = await house.say(NOTE)
    await house.say("Remember that I get paid on Fridays")
    await house.say("yes")
    assert await house.notes() == ["I get paid on Fridays"]
    assert "newer proposal took the place" in (await house.press(first, "Confirm")).headline
    assert "newer proposal took the place" in (await house.press(first, "Cancel")).headline
    assert len(await house.notes()) == 1


async def test_a_reply_says_which_proposals_wait_no_longer_and_what_became_of_them(house, clock) -> None:
    first = await house.say(NOTE)
    second = await house.say("Remember that I get paid on Fridays")
    assert second.reply.settles == (Settled(first.key, "A newer proposal took the place of this one."),)
    done = await house.say("yes")
    assert done.reply.settles == (Settled(second.key, done.reply.headline),)
    assert (await house.press(done, "Undo")).settles == (
        Settled(done.key, "I have forgotten “I get paid on Fridays”.", pressed=True),
    )
    again = await house.press(second, "Confirm")
    assert again.settles == (Settled(second.key, "This was already done.", pressed=True),)
    cancelled = await house.say(NOTE)
    assert (await house.say("no")).reply.settles == (Settled(cancelled.key, "Nothing was changed."),)
    expired = await house.say(NOTE)
    clock.advance(3601)
    refused = await house.press(expired, "Confirm")
    assert refused.settles == (Settled(expired.key, refused.headline, pressed=True),)


async def test_every_stale_press_says_why(house, clock) -> None:
    cancelled = await house.say(NOTE)
    await house.press(cancelled, "Cancel")
    assert "was cancelled" in (await house.press(cancelled, "Confirm")).headline
    expired = await house.say(NOTE)
    clock.advance(3601)
    assert "has expired" in (await house.press(expired, "Confirm")).headline
    assert "has expired" in (await house.press(expired, "Cancel")).headline
    clock.advance(3 * 86400)
    pruned = await house.say("Remember that I get paid on Fridays")
    assert "long ago, or deleted" in (await house.press(expired, "Confirm")).headline
    await house.press(pruned, "Confirm")
    assert "already done" in (await house.press(pruned, "Cancel")).headline
    assert await house.notes() == ["I get paid on Fridays"]


async def test_an_answer_that_failed_withdraws_nothing_but_a_typed_yes_is_not_about_what_stood_before_it(house) -> None:
    shown = await house.say(NOTE)
    agent, house.runner._answering._agent = house.runner._answering._agent, None
    assert (await house.say("What data do you have?")).reply.kind == "error"
    house.runner._answering._agent = agent
    await house.say("yes")
    assert await house.notes() == []
    await house.press(shown, "Confirm")
    assert await house.notes() == ["my rent is due on the 3rd"]


async def test_nobody_confirms_for_another(house) -> None:
    await house.say(NOTE)
    await house.say("yes", house.bob)
    assert await house.notes() == []
    assert await house.notes(house.bob) == []


async def test_what_is_no_longer_what_was_shown_is_refused(house) -> None:
    """ "All notes" were two when they were shown; a third came from another conversation meanwhile."""
    for text in (NOTE, "Remember that the gym is for Ann"):
        await house.say(text)
        await house.say("yes")
    shown = await house.say("forget all my notes")
    repository = await house.store.repository(house.alice)

    async with house.store.write() as connection:
        await add_memory(connection, repository, "a third")
    assert "not what was shown" in (await house.press(shown, "Confirm")).headline
    assert len(await house.notes()) == 3


async def test_what_is_asked_in_german_is_settled_in_german(house, clock) -> None:
    """The buttons, what is said after a yes and a no, and why a press comes too late."""
    shown = await house.say("Merk dir, dass die Miete am 3. fällig ist")
    assert shown.reply.headline == "„die Miete am 3. fällig ist“ merken?"
    done = await house.press(shown, "Bestätigen")
    assert done.headline == "Gemerkt: „die Miete am 3. fällig ist“."
    assert (await house.press(shown, "Bestätigen")).headline == "Das ist schon erledigt."
    undone = await house.press(house.platform.visible_to(house.alice)[-2], "Rückgängig")
    assert undone.headline == "Die Notiz „die Miete am 3. fällig ist“ ist gelöscht."
    await house.say("Merk dir, dass die Miete am 3. fällig ist")
    assert (await house.say("no")).reply.headline == "Es wurde nichts geändert."
    shown = await house.say("Merk dir, dass die Miete am 3. fällig ist")
    clock.advance(3601)
    late = await house.press(shown, "Abbrechen")
    assert late.headline == "Das ist abgelaufen. Bitte frag noch einmal danach."
    assert late.language == "de"
