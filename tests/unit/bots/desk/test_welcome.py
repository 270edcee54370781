"""The greeting, the help page, and made-up data for someone who has none."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from bots.contracts import Occasion
from bots.desk.commands import COMMANDS
from bots.desk.welcome import WELCOME, is_new, welcome_notices
from ledger import schema
from ledger.deletion import forget_person
from tests.support.lookup_house import labels, lines, open_house

HEAD = b"Date,Description,Amount (USD)\n"
SAMPLE_BUTTON = "Try with made-up data"


async def count(house, person=None) -> int:
    return (await house.desk.context(person or house.alice)).vocabulary.count


async def greet(house, person=None):
    """Let the program greet somebody; return the post, or the latest one where it says nothing."""
    await house.platform.occur(person or house.alice, "welcome")
    await house.runner.idle()
    return house.platform.visible_to(person or house.alice)[-1]


async def test_someone_is_new_until_they_are_greeted_and_nothing_shows_the_mark(house) -> None:
    assert await is_new(house.desk, house.alice)
    await greet(house)
    assert not await is_new(house.desk, house.alice)
    assert await is_new(house.desk, house.bob)
    shown = [await house.command("settings"), await house.say("Show my settings")]
    assert all("welcome" not in f"{post.reply}".casefold() for post in shown)


async def test_a_greeting_that_others_would_read_is_not_said_and_does_not_count(house) -> None:
    channel = house.platform.open_channel("general", house.alice, house.bob)
    house.platform.capabilities = house.platform.capabilities.__class__(private_replies=False)
    await house.say("help", channel=channel)
    place = house.platform.last
    await house.runner.receive(Occasion("welcome", replace(place, delivery_id="welcome:alice")))
    await house.runner.idle()
    assert len(house.platform.posts) == 1
    assert await is_new(house.desk, house.alice)


async def test_a_greeting_is_said_once_and_is_no_turn(house) -> None:
    await house.say("help")
    first = await greet(house)
    assert (await greet(house)) is first
    async with house.desk.store.read() as connection:
        turns = (await connection.execute(sa.select(schema.turns.c.text))).scalars().all()
    assert turns == ["help"]


async def test_who_deletes_everything_meanwhile_is_new_again(house) -> None:
    await house.say("help")
    notice = await welcome_notices(house.desk)[WELCOME](house.platform.last)
    await forget_person(house.desk.store, house.alice)
    await notice.noted()
    assert await is_new(house.desk, house.alice)


async def test_made_up_data_comes_by_one_press_and_goes_by_another(house) -> None:
    greeting = await greet(house)
    proposed = await house.press(greeting, SAMPLE_BUTTON)
    assert await count(house) == 0
    done = await house.press(proposed, "Fill my ledger")
    assert await count(house) > 1000
    assert house.caught_up == 1
    assert done.reply.headline.endswith("made-up transactions imported.")
    assert (await house.press(done, labels(done.reply)[0])).reply.facts
    await house.press(done, "Undo")
    assert await count(house) == 0


async def test_made_up_data_is_not_mixed_with_real_data(house) -> None:
    greeting = await greet(house)
    await house.bring(HEAD + b"2026-10-05,REWE,-20.00\n")
    assert (await house.press(greeting, SAMPLE_BUTTON)).reply.kind == "refuse"
    assert (await house.command("sample")).reply.kind == "refuse"
    await house.bring(HEAD + b"2026-10-05,REWE,-20.00\n", house.bob)
    assert SAMPLE_BUTTON not in labels((await greet(house, house.bob)).reply)
    assert await count(house) == 1


async def test_it_can_be_asked_for_again_and_confirmed_with_a_word(house) -> None:
    await house.say("sample")
    await house.say("yes")
    assert await count(house) > 1000


async def test_nobody_fills_the_ledger_of_another(house) -> None:
    proposed = await house.command("sample")
    token = next(action for block in proposed.reply.blocks if hasattr(block, "actions") for action in block.actions)
    await house.command("confirm", house.bob, value=token.value)
    assert await count(house) == await count(house, house.bob) == 0


async def test_where_nothing_may_be_changed_no_data_is_offered(sqlite_store, clock) -> None:
    async with open_house(sqlite_store, clock, writes=False) as house:
        assert SAMPLE_BUTTON not in labels((await greet(house)).reply)
        assert (await house.say("sample")).reply.kind == "refuse"


async def test_help_names_every_command_and_its_examples_are_answered(house) -> None:
    await house.bring_sample()
    page = await house.say("help")
    shown = "\n".join(lines(page.reply))
    assert all(command.usage in shown for command in COMMANDS.values())
    for label in labels(page.reply):
        assert (await house.press(page, label)).reply.kind == "answer"
    asked = [line.removeprefix("· ") for line in lines(page.reply) if line.startswith("· ") and ": " not in line]
    assert set(asked).isdisjoint(labels(page.reply))
    assert len(asked) == 5
    for question in asked:
        reply = (await house.say(question)).reply
        assert reply.kind == "answer" or "Confirm" in labels(reply), question


@pytest.mark.parametrize(
    ("words", "line"),
    [("Hi!", "Hello."), ("Thanks!", "You're welcome."), ("Vielen Dank", "Gern geschehen."), ("stop", "There is")],
)
async def test_what_is_said_out_of_courtesy_is_answered_and_the_question_before_stands(house, words, line) -> None:
    await house.bring_sample()
    await house.say("How much did I spend on groceries in October?")
    assert (await house.say(words)).reply.headline.startswith(line)
    assert "groceries in September" in (await house.say("and in September?")).text


@pytest.mark.parametrize("name", ["search", "COMPARE"])
async def test_help_on_a_command_says_how_it_is_used(house, name) -> None:
    command = COMMANDS[name.casefold()]
    page = await house.command("help", value=name)
    assert lines(page.reply) == [f"{command.usage}: {command.meaning}", f"For example: {command.example}"]
