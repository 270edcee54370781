"""Sentences as they come: each said once, whatever Slack does to the stream that they are in."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.contracts import ConversationKey, Delivery
from bots.limits import Slack
from bots.slack_app.streaming import MOST_TEXT, Streams, as_markdown
from bots.slack_app.web import SlackWeb
from graph.reply import Reply
from ledger.people import Person
from tests.support.slack.rendering import render
from tests.support.slack_server import BOT_USER, TEAM, Seen, SlackServer

START, APPEND, STOP, UPDATE = "chat.startStream", "chat.appendStream", "chat.stopStream", "chat.update"
ANA = Person("slack", TEAM, "U1ANA")
THREE = ("One.", "Two.", "Three.")


def posts(slack: SlackServer, user: str) -> list[Seen]:
    """What of the bot's this person can read."""
    return [seen for seen in slack.seen_by(user) if seen.user == BOT_USER]


def delivery(slack: SlackServer, channel: str = "D1ANA", *, thread: bool = True) -> Delivery:
    root = slack.workspace.post(slack.workspace.channels[channel], "U1ANA", {"text": "Hello"})
    where = ConversationKey("slack", TEAM, channel, root.ts if thread else "", ANA)
    return Delivery(1, where, Reply("answer", "$713.10"), "0123456789abcdef01234567")


async def spoken(*sentences: str, before: dict[int, Callable[[], object]] | None = None) -> AsyncIterator[str]:
    for number, sentence in enumerate(sentences):
        if before and number in before:
            before[number]()
        yield sentence


def said(slack: SlackServer) -> list[str]:
    return [plain(seen.text) for seen in posts(slack, "U1ANA")]


def plain(text: str) -> str:
    return " ".join(text.replace("\u2060", "").split())


def nothing_open(slack: SlackServer) -> bool:
    return not any(seen.streaming for seen in posts(slack, "U1ANA"))


async def under_way(slack: SlackServer, method: str, calls: int = 1) -> None:
    """Wait until so many calls have come in, answered or not."""
    while len(slack.calls_of(method)) < calls:
        await asyncio.sleep(0.001)


async def no_sleep(seconds: float) -> None:
    del seconds


async def test_sentences_appear_in_one_message(slack: SlackServer, web: SlackWeb) -> None:
    reply = delivery(slack)
    await Streams(web).tell(reply, spoken(*THREE))
    [seen] = posts(slack, "U1ANA")
    assert plain(seen.text) == "One. Two. Three."
    assert seen.thread_ts == reply.conversation.thread
    assert nothing_open(slack)
    assert [call.method for call in slack.calls] == [START, APPEND, APPEND, STOP]


async def test_nothing_is_opened_for_no_sentence(slack: SlackServer, web: SlackWeb) -> None:
    await Streams(web).tell(delivery(slack), spoken())
    await Streams(web).tell(delivery(slack), spoken("", "  "))
    assert slack.calls == []


async def test_only_direct_messages_with_a_thread_stream(slack: SlackServer, web: SlackWeb) -> None:
    await Streams(web).tell(delivery(slack, "C1GENERAL"), spoken(*THREE))
    await Streams(web).tell(delivery(slack, thread=False), spoken(*THREE))
    assert slack.calls == []


async def test_a_stream_is_left_before_slack_ends_it(slack: SlackServer, web: SlackWeb) -> None:
    now = 0.0

    def later(seconds: float) -> Callable[[], None]:
        def pass_by() -> None:
            nonlocal now
            now += seconds

        return pass_by

    sentences = spoken(*THREE, before={1: later(Slack.STREAM_SECONDS - 1), 2: later(1)})
    await Streams(web, seconds=lambda: now).tell(delivery(slack), sentences)
    assert said(slack) == ["One. Two.", "Three."]
    assert nothing_open(slack)
    assert slack.calls_of(UPDATE) == []


async def test_a_full_stream_is_left_for_a_fresh_one(slack: SlackServer, web: SlackWeb) -> None:
    fits, full = "a" * (MOST_TEXT - 5), "b" * MOST_TEXT
    await Streams(web).tell(delivery(slack), spoken("One.", fits[:-1], "Two.", full, "c" * 20 + " " + "d" * MOST_TEXT))
    said_by_now = [seen.text for seen in posts(slack, "U1ANA")]
    assert [len(text) for text in said_by_now] == [MOST_TEXT - 1, 4, MOST_TEXT, 20, MOST_TEXT]
    assert all(call.error is None for call in slack.calls)


@pytest.mark.parametrize("moment", [1, 2])
async def test_a_stream_that_slack_ended_says_all_once(slack: SlackServer, web: SlackWeb, moment: int) -> None:
    def expire() -> None:
        slack.expire_stream(posts(slack, "U1ANA")[-1].ts)

    await Streams(web).tell(delivery(slack), spoken(*THREE, before={moment: expire}))
    assert " ".join(said(slack)) == "One. Two. Three."
    assert nothing_open(slack)


async def test_a_stream_that_slack_ended_before_its_end_is_set_right(slack: SlackServer, web: SlackWeb) -> None:
    async def sentences() -> AsyncIterator[str]:
        yield "One."
        yield "Two."
        slack.expire_stream(posts(slack, "U1ANA")[-1].ts)

    await Streams(web).tell(delivery(slack), sentences())
    assert said(slack) == ["One. Two."]
    assert posts(slack, "U1ANA")[0].edited


@pytest.mark.parametrize("method", [APPEND, STOP])
@pytest.mark.parametrize("fault", [{"drop": True}, {"drop": True, "after_effect": True}, {"status": 500}])
async def test_an_answer_that_never_came_says_nothing_twice(
    slack: SlackServer, web: SlackWeb, method: str, fault: dict
) -> None:
    slack.fail(method, **fault)
    await Streams(web).tell(delivery(slack), spoken(*THREE))
    assert " ".join(said(slack)) == "One. Two. Three."
    assert nothing_open(slack)


@pytest.mark.parametrize("fault", [{"drop": True}, {"drop": True, "after_effect": True}])
async def test_a_stream_that_may_have_begun_is_not_begun_again(slack: SlackServer, web: SlackWeb, fault: dict) -> None:
    slack.fail(START, **fault)
    await Streams(web).tell(delivery(slack), spoken(*THREE))
    assert len(slack.calls_of(START)) == 1


@pytest.mark.parametrize("method", [START, APPEND, STOP])
async def test_going_too_fast_only_costs_time(slack: SlackServer, web: SlackWeb, method: str) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    slack.fail(method, "ratelimited", retry_after=9)
    await Streams(web, sleep=sleep).tell(delivery(slack), spoken(*THREE))
    assert (said(slack), waits) == (["One. Two. Three."], [9.0])


@pytest.mark.parametrize("code", ["unknown_method", "feature_disabled", "missing_scope", "channel_type_not_supported"])
async def test_a_workspace_without_streams_gets_one_message(slack: SlackServer, web: SlackWeb, code: str) -> None:
    slack.fail(START, code, times=9)
    reply = delivery(slack)
    await Streams(web).tell(reply, spoken(*THREE))
    [seen] = posts(slack, "U1ANA")
    assert (plain(seen.text), seen.thread_ts) == ("One. Two. Three.", reply.conversation.thread)
    assert len(slack.calls_of(START)) == 1


async def test_the_stop_button_ends_them(slack: SlackServer, web: SlackWeb) -> None:
    def stop() -> None:
        for message in slack.workspace.posts:
            if message.stream:
                message.stream.ended = "stopped_by_user"

    await Streams(web).tell(delivery(slack), spoken(*THREE, before={1: stop}))
    assert said(slack) == ["One."]
    assert slack.calls_of(UPDATE) == []
    assert len(slack.calls_of(STOP)) == 1, "it settles the session"


@pytest.mark.parametrize("method", [START, APPEND])
async def test_cancelled_it_leaves_no_open_stream(slack: SlackServer, web: SlackWeb, method: str) -> None:
    slack.slow(method, 0.1)
    telling = asyncio.create_task(Streams(web).tell(delivery(slack), spoken(*THREE)))
    await under_way(slack, method)
    telling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await telling
    assert len(slack.calls_of(STOP)) == 1
    assert nothing_open(slack)
    assert "Three." not in " ".join(said(slack))


async def test_cancelled_while_it_waits_it_begins_nothing(slack: SlackServer, web: SlackWeb) -> None:
    waiting = asyncio.Event()

    async def sleep(seconds: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    slack.fail(START, "ratelimited", retry_after=9)
    telling = asyncio.create_task(Streams(web, sleep=sleep).tell(delivery(slack), spoken(*THREE)))
    await waiting.wait()
    telling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await telling
    assert said(slack) == []


async def test_sentences_that_break_off_close_the_stream(slack: SlackServer, web: SlackWeb) -> None:
    async def broken() -> AsyncIterator[str]:
        yield "One."
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await Streams(web).tell(delivery(slack), broken())
    assert (said(slack), nothing_open(slack)) == (["One."], True)


async def test_when_nothing_works_it_ends_without_an_error(slack: SlackServer, web: SlackWeb) -> None:
    for method in (APPEND, STOP, UPDATE):
        slack.fail(method, "internal_error", times=99)
    await Streams(web, sleep=no_sleep).tell(delivery(slack), spoken(*THREE))
    assert said(slack) == ["One."]


NASTY = (
    "<!channel> and <@U2BEN>, @here",
    "see https://evil.example/?q=1 or www.evil.example or evil.example",
    "[click](https://evil.example) ![x](https://evil.example/a.png)",
    "**bold** _it_ ~~gone~~ `code` ```fence```",
    "# Heading",
    "- item",
    "12. item",
    "> quote",
    ":tada: :+1:",
    "a\n\n---\n\nb\r\n# c",
    "mail me@evil.example",
    "&lt;!channel&gt;",
    "back\\slash \\*",
)


@pytest.mark.parametrize("sentence", NASTY)
async def test_a_sentence_is_shown_as_it_is(slack: SlackServer, web: SlackWeb, sentence: str) -> None:
    await Streams(web).tell(delivery(slack), spoken(sentence))
    [seen] = posts(slack, "U1ANA")
    assert plain(seen.text) == plain(sentence).replace("`", "'")
    assert (seen.mentions, seen.pings, seen.links) == ((), (), ())


@given(st.text(st.sampled_from("ab1 <>&@#!:/.*_~`[]()\\-+\n|{}=U")), st.text(st.sampled_from("a <@!>U2BEN:.*_`\\")))
def test_any_sentences_stay_plain(first: str, second: str) -> None:
    text = f"{as_markdown(first)} {as_markdown(second)}"
    shown = render({}, [{"type": "markdown", "text": text}])
    assert (shown.mentions, shown.pings, shown.links) == ((), (), ())
    assert "\n" not in text
    assert not re.search(r"[*_`\[\]~]", re.sub(r"\\.", "", text))
