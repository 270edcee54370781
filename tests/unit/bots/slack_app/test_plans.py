"""Plans of long work: shown after a while, one card a step, ended before the answer, and never worth an error."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bots.contracts import ConversationKey
from bots.limits import Slack
from bots.slack_app.plans import PATIENCE, Plans
from bots.slack_app.web import SlackWeb
from graph.steps import Step
from language.catalogue import say
from ledger.people import Person
from tests.conftest import until
from tests.support.slack_server import TEAM, Seen, SlackServer

ANA = Person("slack", TEAM, "U1ANA")
START, APPEND, STOP = "chat.startStream", "chat.appendStream", "chat.stopStream"
GETTING, READING = Step(say("Getting {files}", files="giro.csv")), Step(say("Reading {files}", files="giro.csv"))


def thread_of(slack: SlackServer, channel: str = "D1ANA") -> ConversationKey:
    root = slack.workspace.post(slack.workspace.channels[channel], "U1ANA", {"text": "Hello"})
    return ConversationKey("slack", TEAM, channel, root.ts, ANA)


async def english(_: Person) -> str:
    return "en"


class Clock:
    """A while, which passes when a test says so."""

    def __init__(self) -> None:
        self._passed = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        assert seconds == PATIENCE
        await self._passed.wait()

    def advance(self) -> None:
        """Let everything that waits go on, and nothing that begins to wait after that."""
        self._passed.set()
        self._passed = asyncio.Event()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def plans(web: SlackWeb, clock: Clock) -> AsyncIterator[Plans]:
    made = Plans(web, english, sleep=clock.sleep)
    yield made
    await made.close()


async def shown(plans: Plans, clock: Clock, where: ConversationKey, *steps: Step) -> None:
    """Show steps of work that goes on for a while, until what that begins has been tried."""
    await plans.show(where, (GETTING,))
    await plans.show(where, steps)
    begun = {task for task in asyncio.all_tasks() if "_begin" in repr(task.get_coro())}
    await asyncio.sleep(0)  # until they wait
    clock.advance()
    await asyncio.gather(*begun)


def only(slack: SlackServer) -> Seen:
    [seen] = slack.plans("U1ANA")
    return seen


async def test_what_is_done_soon_shows_no_plan(slack: SlackServer, plans: Plans, clock: Clock) -> None:
    where = thread_of(slack)
    await plans.show(where, (GETTING,))
    await asyncio.sleep(0)
    await plans.show(where, (GETTING, READING))
    await plans.end(where)
    clock.advance()
    await plans.close()
    assert slack.calls == []


async def test_each_step_is_a_card_and_the_last_one_says_how_far_it_is(
    slack: SlackServer, plans: Plans, clock: Clock
) -> None:
    where = thread_of(slack)
    await shown(plans, clock, where, GETTING)
    assert (only(slack).tasks, only(slack).thread_ts) == ((("Getting giro.csv", "in_progress"),), where.thread)
    await plans.show(where, (GETTING, Step(READING.title, 300, 1200)))
    reading = ("Getting giro.csv", "complete"), ("Reading giro.csv · 25%", "in_progress")
    assert only(slack).tasks == reading
    await plans.show(where, (GETTING, Step(READING.title, 300, 1200)))
    assert len(slack.calls_of(APPEND)) == 1, "what has not changed is not said again"
    await plans.end(where)
    assert [status for _, status in only(slack).tasks] == ["complete", "complete"]
    assert not only(slack).streaming


async def test_it_is_told_in_the_language_of_the_person(slack: SlackServer, web: SlackWeb, clock: Clock) -> None:
    async def german(person: Person) -> str:
        assert person == ANA
        return "de"

    await shown(Plans(web, german, sleep=clock.sleep), clock, thread_of(slack), READING)
    assert only(slack).tasks == (("Liest giro.csv", "in_progress"),)
    assert slack.calls_of(START)[0].arguments["chunks"][0] == {"type": "plan_update", "title": "In Arbeit"}


async def test_a_failure_is_shown_as_one(slack: SlackServer, plans: Plans, clock: Clock) -> None:
    where = thread_of(slack)
    await shown(plans, clock, where, GETTING, READING)
    plans.settle(where, failed=True)
    await plans.end(where)
    assert [status for _, status in only(slack).tasks] == ["complete", "error"]


async def test_nothing_more_is_shown_once_it_is_answered_until_there_is_other_work(
    slack: SlackServer, plans: Plans, clock: Clock
) -> None:
    where = thread_of(slack)
    await shown(plans, clock, where, GETTING)
    await plans.end(where)
    await plans.show(where, (GETTING, READING))
    await plans.end(where, forget=True)
    assert len(slack.calls_of(START)) == len(slack.calls_of(STOP)) == 1
    await shown(plans, clock, where, READING)
    assert len(slack.plans("U1ANA")) == 2


@pytest.mark.parametrize("code", ["unknown_method", "invalid_chunks", "feature_not_enabled"])
async def test_slack_that_takes_no_plan_is_not_asked_again(
    slack: SlackServer, plans: Plans, clock: Clock, code: str
) -> None:
    slack.fail(START, code, times=9)
    for where in (thread_of(slack), thread_of(slack)):
        await shown(plans, clock, where, GETTING)
        await plans.end(where, forget=True)
    assert [call.method for call in slack.calls] == [START]


async def test_a_thread_that_takes_no_plan_says_nothing_of_the_others(
    slack: SlackServer, plans: Plans, clock: Clock
) -> None:
    slack.fail(START, "thread_not_found")
    for _ in range(2):
        await shown(plans, clock, thread_of(slack), GETTING)
    assert len(slack.plans("U1ANA")) == 1


@pytest.mark.parametrize("fault", [{"status": 500}, {"drop": True}, {"error": "stopped_by_user"}])
@pytest.mark.parametrize("method", [START, APPEND, STOP])
async def test_what_fails_costs_nothing_else(
    slack: SlackServer, plans: Plans, clock: Clock, method: str, fault: dict[str, Any]
) -> None:
    where = thread_of(slack)
    slack.fail(method, **fault)
    await shown(plans, clock, where, GETTING)
    await plans.show(where, (GETTING, READING))
    await plans.end(where)
    await plans.end(where, forget=True)
    assert len(slack.calls_of(method)) == 1


async def test_a_plan_that_was_being_begun_when_the_answer_came_is_ended(
    slack: SlackServer, plans: Plans, clock: Clock
) -> None:
    where = thread_of(slack)
    slack.slow(START, 0.1)
    beginning = asyncio.create_task(shown(plans, clock, where, GETTING))
    await until(lambda: bool(slack.calls_of(START)))
    await plans.end(where, forget=True)
    await beginning
    assert not only(slack).streaming


async def test_a_card_whose_change_was_cut_off_does_not_go_on_turning(
    slack: SlackServer, plans: Plans, clock: Clock
) -> None:
    where = thread_of(slack)
    await shown(plans, clock, where, GETTING)
    slack.slow(APPEND, 60)
    adding = asyncio.create_task(plans.show(where, (GETTING, READING)))
    await until(lambda: bool(slack.calls_of(APPEND)))
    adding.cancel()
    await asyncio.gather(adding, return_exceptions=True)
    await plans.end(where)
    assert only(slack).tasks == (("Getting giro.csv", "complete"), ("Reading giro.csv", "complete"))


async def test_work_that_is_settled_shows_nothing_more_before_its_plan_is_ended(
    slack: SlackServer, plans: Plans, clock: Clock
) -> None:
    where = thread_of(slack)
    await shown(plans, clock, where, GETTING)
    plans.settle(where)
    await plans.show(where, (GETTING, READING))
    assert slack.calls_of(APPEND) == []


async def test_a_language_that_the_store_does_not_tell_costs_the_plan_alone(
    slack: SlackServer, web: SlackWeb, clock: Clock
) -> None:
    async def unknown(_: Person) -> str:
        raise OSError("The store can't be reached.")

    plans = Plans(web, unknown, sleep=clock.sleep)
    await shown(plans, clock, thread_of(slack), GETTING)
    assert slack.calls == []


async def test_channels_and_messages_outside_threads_have_no_plan(
    slack: SlackServer, plans: Plans, clock: Clock
) -> None:
    for where in (thread_of(slack, "C1GENERAL"), ConversationKey("slack", TEAM, "D1ANA", "", ANA)):
        await shown(plans, clock, where, GETTING)
    assert slack.calls == []


async def test_a_name_that_is_too_long_for_a_card_is_cut(slack: SlackServer, plans: Plans, clock: Clock) -> None:
    await shown(plans, clock, thread_of(slack), Step("x" * 300))
    [(title, _)] = only(slack).tasks
    assert len(title) == Slack.TASK
