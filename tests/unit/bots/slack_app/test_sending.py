"""Replies on Slack: shown to those who may read them, once, in order, in the best form that the workspace takes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from itertools import product
from typing import Any, cast

import pytest

from bots.contracts import Accepted, Adapter, ConversationKey, Delivery, Message, Posted
from bots.errors import PublicationUnclear, SendFailed, SendRefused
from bots.inbox import Entry, Inbox
from bots.sending import Patience, Sender
from bots.slack_app.people import People
from bots.slack_app.sending import SlackSender, ways
from bots.slack_app.web import SlackWeb
from graph.reply import Action, Actions, Audience, File, Reply, Settled, Text
from graph.turn import TurnOutcome
from ledger.people import Person
from ledger.store import Store
from tests.support.slack_server import BOT_USER, TEAM, Seen, SlackServer
from tools.results import Chart, Column, Table

POST, EPHEMERAL, REPLIES = "chat.postMessage", "chat.postEphemeral", "conversations.replies"
ANA, BEN = Person("slack", TEAM, "U1ANA"), Person("slack", TEAM, "U2BEN")
KEY = "0123456789abcdef01234567"
YEARS = tuple(str(year) for year in range(2010, 2023))
CHART = Chart("Groceries", YEARS, tuple(map(Decimal, range(13))), "USD", ticks=tuple((year, "") for year in YEARS))
TABLE = Table((Column("Shop"), Column("Amount", "money", "USD")), (("Costco", Decimal("198.20")),), "Groceries")
ANSWER = Reply(
    "answer",
    "$713.10 on groceries in October 2026",
    (Text("6 purchases", "definition"), Actions((Action("Receipt", "receipt"), Action("Share", "share")))),
)
CSV = File("rows.csv", "text/csv", b"Date,Amount\n2026-10-01,-4.20\n")
SHARED = replace(ANSWER, audience=Audience.SHARED, blocks=ANSWER.blocks[:1])


async def english(person: Person) -> str:
    del person
    return "en_US"


@pytest.fixture
def sender(web: SlackWeb) -> SlackSender:
    return SlackSender(web, People(web), english)


def thread_in(slack: SlackServer, channel: str) -> str:
    return slack.workspace.post(slack.workspace.channels[channel], "U1ANA", {"text": "Hello"}).ts


def delivery(reply: Reply = ANSWER, channel: str = "D1ANA", thread: str = "", **more: Any) -> Delivery:
    return Delivery(1, ConversationKey("slack", TEAM, channel, thread, ANA), reply, more.pop("key", KEY), **more)


def posts(slack: SlackServer, user: str = "U1ANA") -> list[Seen]:
    """What of the bot's this person can read."""
    return [seen for seen in slack.seen_by(user) if seen.user == BOT_USER]


async def under_way(slack: SlackServer, method: str, calls: int = 1) -> None:
    """Wait until so many calls have come in, answered or not."""
    while len(slack.calls_of(method)) < calls:
        await asyncio.sleep(0.001)


def long_reply(lines: int = 900) -> Reply:
    """A reply of several messages."""
    return Reply(
        "answer", "Everything", tuple(Text(f"Line {number} of what there is to say") for number in range(lines))
    )


def lines_of(seen: list[Seen]) -> list[str]:
    return [line for each in seen for line in each.text.splitlines() if line.startswith("Line ")]


# -- where a reply goes


async def test_in_a_direct_message_it_stands_in_its_thread(slack: SlackServer, sender: SlackSender) -> None:
    thread = thread_in(slack, "D1ANA")
    await sender.send(delivery(thread=thread))
    [seen] = posts(slack)
    assert (seen.channel, seen.thread_ts, seen.ephemeral) == ("D1ANA", thread, False)
    assert "$713.10" in seen.text
    assert "Share" not in seen.labels
    assert posts(slack, "U2BEN") == []
    [call] = slack.calls_of(POST)
    told = call.arguments
    assert (told["unfurl_links"], told["unfurl_media"], told["mrkdwn"]) == (False, False, False)


async def test_a_persons_id_means_their_direct_messages(slack: SlackServer, sender: SlackSender) -> None:
    await sender.send(delivery(channel="U1ANA"))
    await sender.send(delivery(channel="U1ANA", key=KEY[::-1]))
    assert [seen.channel for seen in posts(slack)] == ["D1ANA", "D1ANA"]
    assert len(slack.calls_of("conversations.open")) == 1


@pytest.mark.parametrize("in_thread", [False, True])
async def test_in_a_channel_only_the_asker_sees_it(slack: SlackServer, sender: SlackSender, in_thread: bool) -> None:
    thread = thread_in(slack, "C1GENERAL") if in_thread else ""
    await sender.send(delivery(channel="C1GENERAL", thread=thread))
    [seen] = posts(slack)
    assert (seen.channel, seen.thread_ts or "", seen.ephemeral) == ("C1GENERAL", thread, True)
    assert "Share" in seen.labels
    assert posts(slack, "U2BEN") == []


async def test_a_press_is_answered_by_its_route(slack: SlackServer, sender: SlackSender) -> None:
    route = slack.triggers.new_url("U1ANA", "C1GENERAL")
    await sender.send(delivery(channel="C1GENERAL", route=route))
    [seen] = posts(slack)
    assert seen.ephemeral
    assert [call.method for call in slack.calls] == ["response_url"]
    assert slack.calls[0].arguments["replace_original"] is False


@pytest.mark.parametrize("fault", [{"error": "used_url"}, {"error": "expired_url"}, {"status": 404}])
async def test_a_used_up_route_costs_nothing(slack: SlackServer, sender: SlackSender, fault: dict) -> None:
    route = slack.triggers.new_url("U1ANA", "C1GENERAL")
    slack.fail("response_url", **{"status": 404, **fault})
    await sender.send(delivery(channel="C1GENERAL", route=route))
    assert [seen.ephemeral for seen in posts(slack)] == [True]
    assert posts(slack, "U2BEN") == []


async def test_a_route_has_five_uses_and_the_rest_goes_on(slack: SlackServer, sender: SlackSender) -> None:
    route = slack.triggers.new_url("U1ANA", "C1GENERAL")
    for number in range(7):
        await sender.send(delivery(channel="C1GENERAL", route=route, key=f"{number:024}"))
    assert len(posts(slack)) == 7
    assert posts(slack, "U2BEN") == []


@pytest.mark.parametrize("code", ["not_in_channel", "user_not_in_channel", "channel_not_found", "is_archived"])
async def test_where_the_channel_is_closed_it_goes_to_the_person(
    slack: SlackServer, sender: SlackSender, code: str
) -> None:
    slack.fail(EPHEMERAL, code, times=9)
    await sender.send(delivery(long_reply(), "C1GENERAL", thread_in(slack, "C1GENERAL")))
    assert {(seen.channel, seen.thread_ts) for seen in posts(slack)} == {("D1ANA", None)}
    assert lines_of(posts(slack)) == [f"Line {number} of what there is to say" for number in range(900)]
    assert posts(slack, "U2BEN") == []


async def test_a_deleted_thread_moves_the_answer_beside_it(slack: SlackServer, sender: SlackSender) -> None:
    await sender.send(delivery(thread="1700000000.000001"))
    assert [(seen.channel, seen.thread_ts) for seen in posts(slack)] == [("D1ANA", None)]


async def test_a_shared_reply_says_who_shared_it(slack: SlackServer, sender: SlackSender) -> None:
    thread = thread_in(slack, "C1GENERAL")
    posted = await sender.publish(delivery(SHARED, "C1GENERAL", thread))
    [seen] = posts(slack, "U2BEN")
    assert (seen.thread_ts, seen.ephemeral, seen.mentions) == (thread, False, ("U1ANA",))
    first, second, *_ = seen.payload["blocks"]
    assert first["type"] == "context"
    assert [each["text"] for each in first["elements"] if each["type"] == "mrkdwn"] == ["<@U1ANA>"]
    assert second["text"]["text"].startswith("$713.10")
    assert posted == Posted(KEY, "C1GENERAL", thread, (seen.ts,), TEAM)


@pytest.mark.parametrize("channel", ["C1GENERAL", "D3OTHERS"])
async def test_the_neutral_line_is_for_its_asker_alone(slack: SlackServer, sender: SlackSender, channel: str) -> None:
    slack.add_channel("D3OTHERS", "", "U1ANA", "U2BEN", bot=False, kind="im")
    url = slack.triggers.new_url("U1ANA", channel)
    for number, route in enumerate((url, "") if channel == "C1GENERAL" else (url,)):
        neutral = Reply("refuse", "Not here.", audience=Audience.SHARED)
        await sender.send(delivery(neutral, channel, route=route, key=f"{number}{KEY}"[:24]))
        seen = posts(slack)[-1]
        assert (seen.text.strip(), seen.mentions, seen.ephemeral) == ("Not here.", (), True)
    assert posts(slack, "U2BEN") == []
    assert slack.calls_of(POST) == []


async def test_a_share_never_brings_a_file_along(slack: SlackServer, sender: SlackSender) -> None:
    await sender.publish(delivery(replace(SHARED, blocks=(CSV,)), "C1GENERAL"))
    assert [len(seen.files) for seen in posts(slack, "U2BEN")] == [0]
    assert slack.calls_of("upload") == []


@pytest.mark.parametrize(
    ("channel", "audience", "route", "between_us"),
    list(
        product(
            ["C1GENERAL", "G1GROUP", "D1ANA", "U1ANA", "W1ANA", "X1", "", "c1"],
            [*Audience, None],
            ["", "https://x"],
            [True, False],
        )
    ),
)
def test_nothing_is_posted_but_in_the_askers_own_messages(
    channel: str, audience: Any, route: str, between_us: bool
) -> None:
    sent = delivery(replace(ANSWER, audience=audience), channel, route=route)
    try:
        found = ways(sent, between_us=between_us and channel[:1] in ("D", "U", "W"))
    except SendRefused:
        private = audience is Audience.PRIVATE
        assert audience is None or channel[:1] not in ("C", "G")
        assert not (private and channel[:1] in ("D", "U", "W"))
        return
    assert ("here" in found) == (channel[0] == "D" and between_us)
    assert audience is Audience.PRIVATE or "person" not in found or between_us


@pytest.mark.parametrize(("channel", "bot"), [("C2OURS", False), ("D1ANA", True), ("U1ANA", True)])
async def test_what_could_not_be_taken_back_is_not_posted(
    slack: SlackServer, sender: SlackSender, channel: str, bot: bool
) -> None:
    slack.add_channel("C2OURS", "ours", "U1ANA", "U2BEN", bot=bot)
    url = slack.triggers.new_url("U1ANA", "C2OURS")
    with pytest.raises(SendRefused):
        await sender.publish(delivery(SHARED, channel, route=url))
    assert slack.answers_to("U2BEN") == slack.answers_to("U1ANA") == []


async def test_what_was_posted_is_deleted_once(slack: SlackServer, sender: SlackSender) -> None:
    posted = await sender.publish(delivery(replace(long_reply(), audience=Audience.SHARED), "C1GENERAL"))
    assert len(posted.posts) == len(posts(slack, "U2BEN")) > 1
    assert await sender.retract(posted)
    assert posts(slack, "U2BEN") == []
    assert not await sender.retract(posted)


@pytest.mark.parametrize("code", ["cant_delete_message", "channel_not_found", "is_archived"])
async def test_what_can_not_be_deleted_is_said_in_a_sentence(
    slack: SlackServer, sender: SlackSender, code: str
) -> None:
    posted = await sender.publish(delivery(SHARED, "C1GENERAL"))
    slack.fail("chat.delete", code)
    with pytest.raises(SendRefused) as refused:
        await sender.retract(posted)
    assert refused.value.message.endswith((".", "can."))
    assert code not in refused.value.message


async def test_a_part_that_is_refused_leaves_none_standing(slack: SlackServer, sender: SlackSender) -> None:
    second = lambda told: told["metadata"]["event_payload"]["key"].endswith(":1")  # noqa: E731
    slack.fail(POST, "restricted_action", where=second)
    with pytest.raises(SendRefused):
        await sender.publish(delivery(replace(long_reply(), audience=Audience.SHARED), "C1GENERAL"))
    assert posts(slack, "U2BEN") == []


async def test_a_command_in_other_peoples_messages_is_answered_there_for_its_asker(
    slack: SlackServer, sender: SlackSender
) -> None:
    slack.add_channel("D3OTHERS", "", "U1ANA", "U2BEN", bot=False, kind="im")
    url = slack.triggers.new_url("U1ANA", "D3OTHERS")
    await sender.send(delivery(ANSWER, "D3OTHERS", route=url))
    (seen,) = slack.answers_to("U1ANA")
    assert (seen.channel, seen.ephemeral) == ("D3OTHERS", True)
    assert slack.answers_to("U2BEN") == []


async def test_doubt_about_the_reader_sends_nothing(slack: SlackServer, sender: SlackSender) -> None:
    for wrong in (delivery(channel="X1WHAT"), delivery(replace(ANSWER, audience=None))):  # type: ignore[arg-type]
        with pytest.raises(SendRefused):
            await sender.send(wrong)
    assert {call.method for call in slack.calls} <= {"conversations.open"}


# -- once, and in order


async def test_a_long_reply_keeps_its_order(slack: SlackServer, sender: SlackSender) -> None:
    await sender.send(delivery(long_reply()))
    assert len(posts(slack)) > 2
    assert lines_of(posts(slack)) == [f"Line {number} of what there is to say" for number in range(900)]


@pytest.mark.parametrize("in_thread", [False, True])
@pytest.mark.parametrize("part", [0, 1])
async def test_after_a_crash_only_what_is_missing_is_posted(
    slack: SlackServer, web: SlackWeb, in_thread: bool, part: int
) -> None:
    sent = delivery(
        replace(long_reply(), blocks=(*long_reply().blocks, CSV)), thread=thread_in(slack, "D1ANA") if in_thread else ""
    )
    await SlackSender(web, People(web), english).send(delivery(key=f"other{KEY}"[:24], thread=sent.conversation.thread))
    other = len(posts(slack))
    slack.fail(
        POST,
        drop=True,
        where=lambda told: told["metadata"]["event_payload"]["key"].endswith(f":{part}"),
        after_effect=part == 1,
    )
    with pytest.raises(SendFailed):
        await SlackSender(web, People(web), english).send(sent)
    await SlackSender(web, People(web), english).send(replace(sent, again=True))
    await SlackSender(web, People(web), english).send(replace(sent, again=True))
    assert lines_of(posts(slack)[other:]) == [f"Line {number} of what there is to say" for number in range(900)]
    assert [file.name for seen in posts(slack) for file in seen.files] == ["012345-rows.csv"]


@pytest.mark.parametrize(
    "fault",
    [{"drop": True, "after_effect": True}, {"drop": True}, {"status": 500}, {"status": 503, "after_effect": True}],
)
async def test_an_answer_that_never_came_is_looked_up(slack: SlackServer, sender: SlackSender, fault: dict) -> None:
    sent = delivery(thread=thread_in(slack, "D1ANA"))
    slack.fail(POST, **fault)
    with pytest.raises(SendFailed):
        await sender.send(sent)
    await sender.send(sent)
    assert len(posts(slack)) == 1


async def test_a_cancelled_send_is_looked_up(slack: SlackServer, sender: SlackSender) -> None:
    sent = delivery(thread=thread_in(slack, "D1ANA"))
    slack.slow(POST, 0.1)
    sending = asyncio.create_task(sender.send(sent))
    await under_way(slack, POST)
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)
    await slack.until(lambda: slack.calls_of(POST)[0].status)
    await sender.send(sent)
    assert len(posts(slack)) == 1


async def test_going_too_fast_is_told_and_goes_on_where_it_was(slack: SlackServer, sender: SlackSender) -> None:
    sent = delivery(long_reply())
    slack.fail(
        POST, "ratelimited", retry_after=7, where=lambda told: told["metadata"]["event_payload"]["key"].endswith(":1")
    )
    with pytest.raises(SendFailed) as failed:
        await sender.send(sent)
    assert failed.value.retry_after == 7.0
    await sender.send(sent)
    await sender.send(sent)
    assert lines_of(posts(slack)) == [f"Line {number} of what there is to say" for number in range(900)]
    assert slack.calls_of("conversations.history") == [], "what was refused for its pace is not in doubt"


async def test_where_it_may_not_look_nothing_is_shown_to_everyone_twice(
    slack: SlackServer, sender: SlackSender
) -> None:
    slack.scopes -= {"channels:history", "groups:history"}
    with pytest.raises(PublicationUnclear):
        await sender.publish(delivery(SHARED, "C1GENERAL", thread_in(slack, "C1GENERAL"), again=True))
    assert posts(slack, "U2BEN") == []


async def test_where_it_may_look_the_post_is_found_again(
    slack: SlackServer, web: SlackWeb, sender: SlackSender
) -> None:
    there = delivery(SHARED, "C1GENERAL", thread_in(slack, "C1GENERAL"))
    posted = await sender.publish(there)
    assert await SlackSender(web, People(web), english).publish(replace(there, again=True)) == posted
    assert len(posts(slack, "U2BEN")) == 1


async def test_where_it_can_not_look_now_it_waits(slack: SlackServer, sender: SlackSender) -> None:
    slack.fail(REPLIES, "internal_error")
    with pytest.raises(SendFailed):
        await sender.send(delivery(thread=thread_in(slack, "D1ANA"), again=True))
    assert slack.calls_of(POST) == []


@pytest.mark.parametrize("code", ["token_revoked", "cannot_dm_bot", "msg_too_long", "missing_scope"])
async def test_what_slack_will_never_take_is_refused(slack: SlackServer, sender: SlackSender, code: str) -> None:
    slack.fail(POST, code, times=9)
    with pytest.raises(SendRefused) as refused:
        await sender.send(delivery())
    assert code not in refused.value.message


# -- the form that Slack takes


async def test_native_blocks_where_the_workspace_has_them(slack: SlackServer, sender: SlackSender) -> None:
    await sender.send(delivery(replace(ANSWER, blocks=(TABLE, CHART))))
    kinds = [block["type"] for seen in posts(slack) for block in seen.payload.get("blocks", ())]
    assert {"data_table", "data_visualization"} <= set(kinds)
    assert [seen.files for seen in posts(slack)] == [()] * len(posts(slack)), "a chart that is shown needs no picture"


async def test_a_workspace_without_them_gets_text_and_a_picture(slack: SlackServer, web: SlackWeb) -> None:
    now = 0.0
    sender = SlackSender(web, People(web), english, seconds=lambda: now)
    slack.native_blocks = False
    thread = thread_in(slack, "D1ANA")
    with_chart = replace(ANSWER, blocks=(TABLE, CHART))
    await sender.send(delivery(with_chart, thread=thread))
    shown, picture = posts(slack)
    assert "198.20" in shown.text
    assert (picture.thread_ts, picture.files[0].data[:4]) == (thread, b"\x89PNG")
    assert slack.calls_of("files.getUploadURLExternal")[0].arguments["alt_txt"].startswith("Groceries")
    before = len(slack.calls_of(POST))
    await sender.send(delivery(with_chart, key=KEY[::-1]))
    assert len(slack.calls_of(POST)) == before + 1, "what was refused is not tried again at once"
    now = 2000.0
    await sender.send(delivery(with_chart, key=f"{6:024}"))
    now = 3601.0
    slack.native_blocks = True
    await sender.send(delivery(with_chart, key=f"{7:024}"))
    assert "data_table" in [block["type"] for block in posts(slack)[-1].payload["blocks"]]


async def test_a_picture_that_slack_does_not_take_costs_nothing(slack: SlackServer, sender: SlackSender) -> None:
    slack.native_blocks = False
    slack.scopes.discard("files:write")
    await sender.send(delivery(replace(ANSWER, blocks=(CHART,))))
    assert ["$12.00" in seen.text for seen in posts(slack)] == [True]


async def test_no_picture_stands_in_a_channel(slack: SlackServer, sender: SlackSender) -> None:
    slack.native_blocks = False
    await sender.send(delivery(replace(ANSWER, blocks=(CHART,)), "C1GENERAL"))
    assert [(seen.ephemeral, "$12.00" in seen.text, seen.files) for seen in posts(slack)] == [(True, True, ())]


@pytest.mark.parametrize("channel", ["D1ANA", "C1GENERAL"])
@pytest.mark.parametrize("code", ["invalid_blocks", "msg_blocks_too_long", "invalid_arguments"])
async def test_the_text_is_the_last_form(slack: SlackServer, sender: SlackSender, channel: str, code: str) -> None:
    method = POST if channel[0] == "D" else EPHEMERAL
    slack.fail(method, code, times=9, where=lambda told: bool(told.get("blocks")))
    await sender.send(delivery(replace(ANSWER, blocks=(Text("<!channel> & more"), TABLE)), channel))
    [seen] = posts(slack)
    assert "$713.10" in seen.text
    assert "<!channel> & more" in seen.text
    assert seen.pings == ()


# -- files


async def test_a_file_stands_in_the_thread_after_the_rest(slack: SlackServer, sender: SlackSender) -> None:
    thread = thread_in(slack, "D1ANA")
    await sender.send(delivery(replace(ANSWER, blocks=(CSV,)), thread=thread))
    shown, file = posts(slack)
    assert (shown.files, file.thread_ts) == ((), thread)
    assert (file.files[0].name, file.files[0].data) == ("012345-rows.csv", CSV.data)


async def test_asked_for_in_a_channel_it_goes_to_the_person(slack: SlackServer, sender: SlackSender) -> None:
    await sender.send(delivery(replace(ANSWER, blocks=(CSV,)), "C1GENERAL"))
    assert posts(slack, "U2BEN") == []
    [file] = [seen for seen in posts(slack) if seen.files]
    assert (file.channel, file.files[0].data) == ("D1ANA", CSV.data)
    assert "rows.csv" in posts(slack)[-1].text
    assert posts(slack)[-1].ephemeral


@pytest.mark.parametrize("channel", ["D1ANA", "C1GENERAL"])
@pytest.mark.parametrize("after_effect", [False, True])
async def test_an_upload_without_an_answer_is_looked_up(
    slack: SlackServer, sender: SlackSender, channel: str, after_effect: bool
) -> None:
    sent = delivery(replace(ANSWER, blocks=(CSV,)), channel)
    slack.fail("files.completeUploadExternal", drop=True, after_effect=after_effect)
    with pytest.raises(SendFailed):
        await sender.send(sent)
    await sender.send(sent)
    assert [file.name for seen in posts(slack) for file in seen.files] == ["012345-rows.csv"]


async def test_a_file_that_slack_does_not_take_is_said(slack: SlackServer, sender: SlackSender) -> None:
    slack.scopes.discard("files:write")
    await sender.send(delivery(replace(ANSWER, blocks=(CSV,))))
    assert "rows.csv" in posts(slack)[-1].text
    assert len(posts(slack)) == 2


async def test_two_people_in_one_thread_see_their_own(slack: SlackServer, sender: SlackSender) -> None:
    thread = thread_in(slack, "C1GENERAL")
    for person, canary in ((ANA, "111.11"), (BEN, "222.22")):
        where = ConversationKey("slack", TEAM, "C1GENERAL", thread, person)
        reply = Reply("answer", f"${canary}", (TABLE, CSV))
        await sender.send(Delivery(1, where, reply, f"{canary:>024}"))
    assert not [seen for seen in posts(slack, "U1ANA") if "222.22" in seen.text]
    assert not [seen for seen in posts(slack, "U2BEN") if "111.11" in seen.text]
    assert [len([seen for seen in posts(slack, user) if seen.files]) for user in ("U1ANA", "U2BEN")] == [1, 1]


class TestWrongToken:
    """What is refused for our token or scopes goes out when they are mended."""

    @pytest.fixture
    async def inbox(self, sqlite_store: Store) -> Inbox:
        return Inbox(sqlite_store)

    async def _sent(self, inbox: Inbox, sender: SlackSender, delivery: Delivery) -> bool:
        """Whether a process of its own sends it."""

        async def at_once(seconds: float) -> None:
            del seconds

        sending = Sender(inbox, {"slack": cast("Adapter", sender)}, Patience(attempts=2), at_once)
        return await sending.deliver(delivery)

    async def _answered(self, inbox: Inbox) -> Delivery:
        where = ConversationKey("slack", TEAM, "D1ANA", "", ANA)
        message = Message(ANA, where, "Ev1", "D1ANA", "1.0", Audience.PRIVATE, datetime.now(UTC), "how much?")
        receipt = await inbox.accept(message, "taken")
        assert isinstance(receipt, Accepted)
        answer = await inbox.finish(Entry(receipt.id, message), TurnOutcome(ANSWER))
        assert answer is not None
        return answer

    @pytest.mark.parametrize(
        "code",
        """invalid_auth not_authed account_inactive token_revoked token_expired missing_scope org_login_required
        access_denied no_permission""".split(),
    )
    async def test_the_next_start_sends_what_it_held_up(
        self, slack: SlackServer, web: SlackWeb, inbox: Inbox, code: str
    ) -> None:
        slack.fail("*", code, times=99)
        assert not await self._sent(inbox, SlackSender(web, People(web), english), await self._answered(inbox))
        slack.behave()
        await inbox.recover(("slack",))
        (waiting,) = await inbox.unsent(("slack",))
        assert await self._sent(inbox, SlackSender(web, People(web), english), waiting)
        assert len(posts(slack)) == 1

    async def test_what_is_refused_for_its_place_is_not_tried_again(
        self, slack: SlackServer, web: SlackWeb, inbox: Inbox
    ) -> None:
        slack.fail(POST, "cannot_dm_bot", times=99)
        assert not await self._sent(inbox, SlackSender(web, People(web), english), await self._answered(inbox))
        await inbox.recover(("slack",))
        assert await inbox.unsent(("slack",)) == ()

    async def test_without_the_scope_for_files_the_rest_is_said(self, slack: SlackServer, sender: SlackSender) -> None:
        slack.fail("files.getUploadURLExternal", "missing_scope", times=9)
        await sender.send(delivery(replace(ANSWER, blocks=(CSV,))))
        assert "does not take the file rows.csv" in posts(slack)[-1].text


# -- what is settled


ASKED = Reply(
    "clarify",
    "Import 2 transactions?",
    (
        Actions((Action("Import", "confirm", "t"), Action("Cancel", "cancel", "t"))),
        Actions((Action("Help", "ask", "help"),)),
    ),
)
DONE = Reply("answer", "2 transactions imported.", settles=(Settled(KEY, "2 transactions imported."),))


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_proposal_that_is_answered_loses_its_buttons_and_says_what_became_of_it(
    slack: SlackServer, web: SlackWeb, sender: SlackSender, restarted: bool
) -> None:
    thread = thread_in(slack, "D1ANA")
    await sender.send(delivery(ASKED, thread=thread))
    later = SlackSender(web, People(web), english) if restarted else sender
    await later.send(delivery(DONE, thread=thread, key=KEY[::-1]))
    asked, done = posts(slack)
    assert asked.labels == ["Help"]
    assert asked.text.endswith("→ 2 transactions imported.")
    assert done.text == "2 transactions imported."
    await later.send(delivery(replace(DONE, headline="Again"), thread=thread, key="a" * 24))
    assert len(slack.calls_of("chat.update")) == 1, "what has no such buttons any more is left as it is"


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_proposal_whose_time_is_over_loses_its_buttons_though_nothing_is_said(
    slack: SlackServer, web: SlackWeb, sender: SlackSender, restarted: bool
) -> None:
    thread = thread_in(slack, "D1ANA")
    await sender.send(delivery(ASKED, thread=thread))
    later = SlackSender(web, People(web), english) if restarted else sender
    await later.retire(delivery(replace(DONE, settles=(Settled(KEY, "This has expired."),)), thread=thread))
    (asked,) = posts(slack)
    assert (asked.labels, asked.text.endswith("→ This has expired.")) == (["Help"], True)
    slack.fail("conversations.replies", status=500)
    with pytest.raises(SendFailed):
        await later.retire(delivery(DONE, thread=thread))


async def test_in_a_channel_the_pressed_proposal_goes_away(slack: SlackServer, sender: SlackSender) -> None:
    route = slack.triggers.new_url("U1ANA", "C1GENERAL")
    pressed = replace(DONE, settles=(Settled(KEY, "Done.", pressed=True),))
    await sender.send(delivery(pressed, channel="C1GENERAL", route=route, key=KEY[::-1]))
    assert [call.arguments.get("delete_original") for call in slack.calls_of("response_url")] == [None, True]


async def test_buttons_that_slack_does_not_let_us_change_cost_nothing(slack: SlackServer, sender: SlackSender) -> None:
    thread = thread_in(slack, "D1ANA")
    await sender.send(delivery(ASKED, thread=thread))
    slack.fail("chat.update", error="cant_update_message")
    await sender.send(delivery(DONE, thread=thread, key=KEY[::-1]))
    assert posts(slack)[-1].text == "2 transactions imported."
