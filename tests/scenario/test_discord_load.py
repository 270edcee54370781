"""Two hundred commands in a second over fifty threads of twenty people: all deferred in time, answered once, in order."""

from __future__ import annotations

import pytest

from tests.support.discord_fake.bot import DiscordBot
from tests.support.discord_fake.talk import answers, greeted, headlines, said_to
from tests.support.discord_server import DiscordServer
from tests.support.slack.talk import MONTHS, answer, groceries, question

PEOPLE, THREADS, COMMANDS = 20, 50, 200
SECONDS = 3.0


def spent(person: int) -> dict[int, str]:
    """What one of them spent in each month: no two figures of anybody are the same."""
    return {month: f"{100 + person}.{month:02}" for month in range(1, 12)}


@pytest.mark.timeout(240)
async def test_two_hundred_commands_in_a_second(tmp_path):
    async with DiscordServer() as discord, DiscordBot(discord, tmp_path / "data") as bot:
        await discord.until(lambda: discord.commands.get(None))
        people = [discord.add_user(f"load{number}").id for number in range(PEOPLE)]
        for number, user in enumerate(people):
            await bot.give(user, "bank.csv", groceries(spent(number)))
            await greeted(bot, user)
        places = [
            (await discord.start_thread(people[thread % PEOPLE], f"thread {thread}")).id for thread in range(THREADS)
        ]
        sent = []
        for later in range(COMMANDS // THREADS):
            for thread, place in enumerate(places):
                month = (thread + later) % 8
                text = f"and in {MONTHS[month]}?" if later else question(month + 1)
                sent.append(await discord.command(people[thread % PEOPLE], "money ask", {"question": text}, place))
        spread = max(each.delivered_at for each in sent) - min(each.delivered_at for each in sent)
        deferred = sorted([await each.acknowledged(SECONDS + 1) for each in sent])
        print(
            f"\n{len(sent)} commands within {spread:.2f} s; deferred after {deferred[100]:.3f} s, at worst {deferred[-1]:.3f} s"
        )
        assert deferred[-1] < SECONDS
        assert [call for call in discord.calls_of("POST /interactions/*") if call.code] == []

        await discord.until(lambda: all(said_to(discord, each) for each in sent), 120)
        for each in sent[::7]:
            await discord.redeliver(each)
        await discord.until(lambda: len([c for c in discord.calls_of("POST /interactions/*") if c.code]) >= 29)
        for number, each in enumerate(sent):
            later, thread = divmod(number, THREADS)
            month = (thread + later) % 8 + 1
            assert said_to(discord, each) == [answer(month, spent(thread % PEOPLE)[month])]
        for thread, place in enumerate(places):
            user = people[thread % PEOPLE]
            assert len(answers(discord, user, place)) == COMMANDS // THREADS
        edits = [call.path for call in discord.calls_of("PATCH /webhooks/*")]
        assert len(edits) == len(set(edits)) == COMMANDS, "none was answered a second time"
        for thread, place in enumerate(places):
            tokens = [sent[later * THREADS + thread].payload["token"] for later in range(COMMANDS // THREADS)]
            order = [
                next(token for token in tokens if token in path) for path in edits if any(t in path for t in tokens)
            ]
            assert order == tokens, place
        assert [headlines(discord, user) for user in people] == [[]] * PEOPLE
