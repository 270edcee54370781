"""Two hundred events in a second over fifty threads of twenty people: all acknowledged in time, answered once, in order."""

from __future__ import annotations

import pytest

from tests.support.slack.bot import BotProcess
from tests.support.slack.talk import MONTHS, answer, groceries, headlines, question, said_twice
from tests.support.slack_server import SlackServer

PEOPLE, THREADS, EVENTS = 20, 50, 200


def spent(person: int) -> dict[int, str]:
    """What one of them spent in each month: no two figures of anybody are the same."""
    return {month: f"{100 + person}.{month:02}" for month in range(1, 12)}


@pytest.mark.timeout(240)
async def test_two_hundred_events_in_a_second(tmp_path):
    async with SlackServer() as slack, BotProcess(slack, tmp_path / "data") as bot:
        people = [f"U{number:03}LOAD" for number in range(PEOPLE)]
        for number, user in enumerate(people):
            slack.add_member(user)
            await bot.give(user, "bank.csv", groceries(spent(number)))
        threads = [[await slack.say(people[thread % PEOPLE], question(thread % 8 + 1))] for thread in range(THREADS)]
        for later in range(1, EVENTS // THREADS):
            for thread, said in enumerate(threads):
                text = f"and in {MONTHS[(thread + later) % 8]}?"
                said.append(await slack.say(people[thread % PEOPLE], text, thread_ts=said[0].ts))
        events = [sent for said in threads for sent in said]
        spread = max(each.delivered_at for each in events) - min(each.delivered_at for each in events)
        acks = sorted([await each.acknowledged(3) for each in events])
        print(
            f"\n{len(events)} events within {spread:.2f} s; acknowledged after {acks[100]:.3f} s, at worst {acks[-1]:.3f} s"
        )
        assert acks[-1] < 3, "Slack delivers again what was not acknowledged within three seconds"

        roots = [(people[thread % PEOPLE], said[0]) for thread, said in enumerate(threads)]
        await slack.until(lambda: sum(len(headlines(slack, *root)) for root in roots) >= EVENTS, 120)
        for each in events[::7]:
            await (await slack.redeliver(each)).acknowledged()
        for thread, (user, root) in enumerate(roots):
            figures = spent(thread % PEOPLE)
            months = [(thread + later) % 8 + 1 for later in range(EVENTS // THREADS)]
            assert headlines(slack, user, root) == [answer(month, figures[month]) for month in months]
        assert [said_twice(slack, user) for user in people] == [[]] * PEOPLE
        assert [len(slack.answers_to(user)) for user in people] == [
            sum(len(said) for thread, said in enumerate(threads) if thread % PEOPLE == number)
            for number in range(PEOPLE)
        ]
