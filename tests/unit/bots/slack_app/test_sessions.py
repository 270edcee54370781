"""The status of a thread, shown while it is worked on, and its title, from what the answer is about; never worth an error."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from bots.contracts import Attachment, ConversationKey, Delivery, Message
from bots.slack_app.sessions import Sessions
from bots.slack_app.web import SlackWeb
from graph.reply import Audience, Reply
from ledger.people import Person
from tests.support.slack_server import TEAM, SlackServer

ANA = Person("slack", TEAM, "U1ANA")
KEY = "0123456789abcdef01234567"
SESSIONS, THREADS = "agents.sessions.setStatus", "assistant.threads.setStatus"
RENAME, TITLE = "agents.sessions.rename", "assistant.threads.setTitle"


def thread_of(slack: SlackServer, channel: str = "D1ANA") -> ConversationKey:
    root = slack.workspace.post(slack.workspace.channels[channel], "U1ANA", {"text": "Hello"})
    return ConversationKey("slack", TEAM, channel, root.ts, ANA)


def answer(conversation: ConversationKey, kind: str = "answer") -> Delivery:
    return Delivery(1, conversation, Reply(kind, "Which one?"), KEY)  # type: ignore[arg-type]


async def english(_: Person) -> str:
    return "en"


async def under_way(slack: SlackServer, method: str, calls: int = 1) -> None:
    """Wait until so many calls have come in, answered or not."""
    while len(slack.calls_of(method)) < calls:
        await asyncio.sleep(0.001)


def history(slack: SlackServer, conversation: ConversationKey) -> list[str]:
    session = slack.session(conversation.channel, conversation.thread)
    return session.history if session else []


async def test_work_is_shown_once_and_taken_back(slack: SlackServer, web: SlackWeb) -> None:
    where, sessions = thread_of(slack), Sessions(web, english)
    for state in ("working", "working", "idle", "idle"):
        await sessions.progress(where, state)  # type: ignore[arg-type]
    await sessions.after_reply(answer(where))
    assert history(slack, where) == ["processing", "active"]


async def test_work_that_takes_long_is_shown_again(slack: SlackServer, web: SlackWeb) -> None:
    now = 0.0
    where, sessions = thread_of(slack), Sessions(web, english, seconds=lambda: now)
    await sessions.progress(where, "working")
    now = 61.0
    await sessions.progress(where, "working")
    assert history(slack, where) == ["processing", "processing"]


async def test_a_turn_that_was_not_shown_costs_no_call(slack: SlackServer, web: SlackWeb) -> None:
    where, sessions = thread_of(slack), Sessions(web, english)
    await sessions.after_reply(answer(where))
    await sessions.progress(where, "idle")
    assert slack.calls == []


@pytest.mark.parametrize("late", [False, True])
async def test_a_question_back_stays_whenever_the_idle_signal_comes(
    slack: SlackServer, web: SlackWeb, late: bool
) -> None:
    where, sessions = thread_of(slack), Sessions(web, english)
    await sessions.progress(where, "working")
    steps = [lambda: sessions.progress(where, "idle"), lambda: sessions.after_reply(answer(where, "clarify"))]
    for step in reversed(steps) if late else steps:
        await step()
    assert history(slack, where)[-1] == "suspended"
    await sessions.after_reply(answer(where))
    assert history(slack, where)[-1] == "active", "the answer to it ends the waiting"


async def test_calls_at_once_arrive_in_their_order(slack: SlackServer, web: SlackWeb) -> None:
    where, sessions = thread_of(slack), Sessions(web, english)
    slack.slow(SESSIONS, 0.1)
    working = asyncio.create_task(sessions.progress(where, "working"))
    await under_way(slack, SESSIONS)
    working.cancel()
    idle = asyncio.create_task(sessions.progress(where, "idle"))
    await under_way(slack, SESSIONS, 2)
    slack.behave()
    await asyncio.gather(idle, sessions.after_reply(answer(where, "clarify")))
    assert history(slack, where)[-2:] == ["active", "suspended"]


@pytest.mark.parametrize("code", ["feature_disabled", "unknown_method"])
async def test_an_older_workspace_gets_the_older_status(slack: SlackServer, web: SlackWeb, code: str) -> None:
    slack.agent_sessions = code
    where, sessions = thread_of(slack), Sessions(web, english)
    await sessions.progress(where, "working")
    assert slack.thread_status(where.channel, where.thread)
    await sessions.progress(where, "idle")
    assert slack.thread_status(where.channel, where.thread) == ""
    assert len(slack.calls_of(SESSIONS)) == 1, "what is not there is not asked for again"


async def test_a_workspace_with_neither_is_left_alone(slack: SlackServer, web: SlackWeb) -> None:
    slack.agent_sessions = "unknown_method"
    slack.scopes -= {"assistant:write", "chat:write"}
    where, sessions = thread_of(slack), Sessions(web, english)
    await sessions.progress(where, "working")
    before = len(slack.calls)
    await sessions.progress(where, "idle")
    await sessions.after_reply(answer(where, "clarify"))
    assert len(slack.calls) == before


@pytest.mark.parametrize("fault", [{"status": 500}, {"drop": True}, {"error": "channel_not_found"}])
async def test_failures_are_not_told_and_tried_again(slack: SlackServer, web: SlackWeb, fault: dict) -> None:
    where, sessions = thread_of(slack), Sessions(web, english)
    slack.fail(SESSIONS, **fault)
    await sessions.progress(where, "working")
    await sessions.progress(where, "idle")
    assert history(slack, where) == ["active"]
    assert slack.calls_of(THREADS) == []


async def test_channels_and_messages_outside_threads_have_no_status(slack: SlackServer, web: SlackWeb) -> None:
    sessions = Sessions(web, english)
    for where in (thread_of(slack, "C1GENERAL"), ConversationKey("slack", TEAM, "D1ANA", "", ANA)):
        await sessions.progress(where, "working")
        await sessions.progress(where, "idle")
        await sessions.after_reply(answer(where, "clarify"))
    assert slack.calls == []


async def test_the_older_status_is_told_in_the_language_of_the_person(slack: SlackServer, web: SlackWeb) -> None:
    async def german(person: Person) -> str:
        assert person == ANA
        return "de"

    slack.agent_sessions = "unknown_method"
    where, sessions = thread_of(slack), Sessions(web, german)
    await sessions.progress(where, "working")
    assert [call.arguments["status"] for call in slack.calls_of(THREADS)] == ["schaut nach …"]


def begins(where: ConversationKey, *files: Attachment, ts: str = "") -> Message:
    when = datetime(2026, 11, 21, tzinfo=UTC)
    told = Audience.PRIVATE
    return Message(ANA, where, "event:1", where.channel, ts or where.thread, told, when, attachments=files)


def about(where: ConversationKey, app: str = "spending", kind: str = "answer") -> Delivery:
    call = {"name": f"{app}-total", "arguments": {"merchant": "Costco"}, "status": "done"}
    reply = Reply(kind, "$103.00 at Costco", trace={"calls": [call]})  # type: ignore[arg-type]
    return Delivery(1, where, reply, KEY)


def title(slack: SlackServer, where: ConversationKey) -> str:
    session = slack.session(where.channel, where.thread)
    return session.title if session else ""


async def test_a_conversation_is_named_by_its_first_answer_and_by_no_later_one(
    slack: SlackServer, web: SlackWeb
) -> None:
    where, sessions = thread_of(slack), Sessions(web, english)
    sessions.begin(begins(where))
    await sessions.after_reply(answer(where, "clarify"))
    assert title(slack, where) == "", "a question back says nothing of what is asked"
    await sessions.after_reply(about(where))
    await sessions.after_reply(about(where, "income"))
    assert title(slack, where) == "Spending"
    assert history(slack, where) == ["suspended", "active"]


async def test_a_quick_first_answer_costs_one_call(slack: SlackServer, web: SlackWeb) -> None:
    where, sessions = thread_of(slack), Sessions(web, english)
    sessions.begin(begins(where))
    await sessions.after_reply(about(where))
    assert (title(slack, where), len(slack.calls)) == ("Spending", 1)


async def test_a_conversation_that_goes_on_keeps_its_name(slack: SlackServer, web: SlackWeb) -> None:
    where, sessions = thread_of(slack), Sessions(web, english)
    sessions.begin(begins(where, ts="1763726400.000100"))
    await sessions.after_reply(about(where))
    assert slack.calls == []


async def test_a_conversation_that_begins_with_a_file_is_named_after_that(slack: SlackServer, web: SlackWeb) -> None:
    where, sessions = thread_of(slack), Sessions(web, english)
    await sessions.progress(where, "working")
    sessions.begin(begins(where, Attachment("giro-4711.csv", 10, "text/csv", "F1")))
    await sessions.after_reply(answer(where, "clarify"))
    assert (title(slack, where), history(slack, where)[-1]) == ("Bank files", "suspended")


async def test_an_older_workspace_gets_the_older_title(slack: SlackServer, web: SlackWeb) -> None:
    slack.agent_sessions = "unknown_method"
    where, sessions = thread_of(slack), Sessions(web, english)
    for _ in range(2):
        sessions.begin(begins(where))
        await sessions.after_reply(about(where))
    assert title(slack, where) == "Spending"
    assert (len(slack.calls_of(SESSIONS)), len(slack.calls_of(TITLE))) == (1, 2), "what is not there is asked for once"


@pytest.mark.parametrize("method", [SESSIONS, RENAME])
@pytest.mark.parametrize("fault", [{"status": 500}, {"drop": True}, {"error": "channel_not_found"}])
async def test_a_title_that_fails_costs_nothing(slack: SlackServer, web: SlackWeb, method: str, fault: dict) -> None:
    where, sessions = thread_of(slack), Sessions(web, english)
    sessions.begin(begins(where))
    await sessions.progress(where, "working")
    slack.fail(method, **fault)
    await sessions.after_reply(about(where))
    assert (title(slack, where), history(slack, where)[-1]) == ("", "active")
    before = len(slack.calls)
    await sessions.after_reply(about(where))
    assert len(slack.calls) == before, "what fails is not tried again"
