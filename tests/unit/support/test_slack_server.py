"""The Slack server of the tests, asked by the real slack_sdk: a fake that is wrong would make every other test wrong."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from tests.support.slack.sdk_app import (
    ANA,
    BEN,
    DM,
    FEEDBACK,
    GENERAL,
    listening,
    refused,
    section,
)
from tests.support.slack_server import APP_TOKEN, BOT_TOKEN, BOT_USER, TEAM, SlackServer

# -- tokens


async def test_only_the_right_token_opens_each_method(slack: SlackServer, client: AsyncWebClient) -> None:
    assert (await client.auth_test())["user_id"] == BOT_USER
    assert (await client.apps_connections_open(app_token=APP_TOKEN))["url"].startswith("ws://127.0.0.1:")
    assert await refused(client.apps_connections_open(app_token=BOT_TOKEN)) == "not_allowed_token_type"
    assert await refused(client.auth_test(token="xoxb-other")) == "invalid_auth"
    assert await refused(AsyncWebClient(base_url=slack.api_url).auth_test()) == "not_authed"


async def test_a_method_that_is_not_there_or_not_granted(slack: SlackServer, client: AsyncWebClient) -> None:
    assert await refused(client.api_call("chat.sing")) == "unknown_method"
    slack.scopes.discard("chat:write")
    assert await refused(client.chat_postMessage(channel=DM, text="hi")) == "missing_scope"


# -- messages


async def test_a_post_is_seen_by_its_channel_and_an_ephemeral_by_one(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    await client.chat_postMessage(channel=GENERAL, text="for all")
    await client.chat_postEphemeral(channel=GENERAL, user=ANA, text="for Ana")
    await client.chat_postMessage(channel=BEN, text="for Ben")
    assert [(seen.text, seen.ephemeral) for seen in slack.seen_by(ANA)] == [("for all", False), ("for Ana", True)]
    assert [seen.text for seen in slack.seen_by(BEN)] == ["for all", "for Ben"]


async def test_an_edited_or_deleted_message_shows_its_present_state(slack: SlackServer, client: AsyncWebClient) -> None:
    first = await client.chat_postMessage(channel=DM, text="one", blocks=[section("one")])
    second = await client.chat_postMessage(channel=DM, text="two")
    await client.chat_update(channel=DM, ts=first["ts"], text="uno", blocks=[section("uno")])
    await client.chat_delete(channel=DM, ts=second["ts"])
    assert [(seen.text, seen.edited) for seen in slack.seen_by(ANA)] == [("uno", True)]


async def test_an_update_without_blocks_keeps_the_old_ones(slack: SlackServer, client: AsyncWebClient) -> None:
    ts = (await client.chat_postMessage(channel=DM, text="one", blocks=[section("one")]))["ts"]
    await client.chat_update(channel=DM, ts=ts, text="two")
    assert slack.seen_by(ANA)[0].text == "one"
    await client.chat_update(channel=DM, ts=ts, text="two", blocks=[])
    assert slack.seen_by(ANA)[0].text == "two"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"channel": "C9NOWHERE", "text": "x"}, "channel_not_found"),
        ({"channel": "C2OUT", "text": "x"}, "not_in_channel"),
        ({"channel": "C3SECRET", "text": "x"}, "channel_not_found"),
        ({"channel": "C4OLD", "text": "x"}, "is_archived"),
        ({"channel": BOT_USER, "text": "x"}, "cannot_dm_bot"),
        ({"channel": DM, "text": ""}, "no_text"),
        ({"channel": DM, "markdown_text": "x" * 12001}, "msg_too_long"),
        ({"channel": DM, "markdown_text": "x", "text": "x"}, "markdown_text_conflict"),
        ({"channel": DM, "text": "x", "attachments": [{"text": "x"}] * 101}, "too_many_attachments"),
        ({"channel": DM, "text": "x", "thread_ts": "1.2"}, "thread_not_found"),
        (
            {"channel": DM, "text": "x", "metadata": {"event_type": "a b", "event_payload": {}}},
            "invalid_metadata_format",
        ),
        ({"channel": DM, "text": "x", "blocks": [{"type": "markdown", "text": "x" * 6001}] * 2}, "msg_blocks_too_long"),
    ],
)
async def test_what_a_post_is_refused_for(
    slack: SlackServer, client: AsyncWebClient, arguments: dict[str, Any], error: str
) -> None:
    slack.add_channel("C2OUT", "out", ANA, bot=False)
    slack.add_channel("C3SECRET", "secret", ANA, bot=False, kind="private")
    slack.add_channel("C4OLD", "old", ANA, archived=True)
    arguments = {"text": None, **arguments}
    assert (
        await refused(client.api_call("chat.postMessage", json={k: v for k, v in arguments.items() if v is not None}))
        == error
    )
    assert slack.answers_to(ANA) == []
    assert slack.calls[-1].error == error


async def test_an_ephemeral_needs_a_reader_who_is_there(slack: SlackServer, client: AsyncWebClient) -> None:
    slack.add_member("U3CY")
    assert await refused(client.chat_postEphemeral(channel=GENERAL, user="U3CY", text="x")) == "user_not_in_channel"


async def test_text_is_cut_in_a_post_and_refused_in_an_update(slack: SlackServer, client: AsyncWebClient) -> None:
    ts = (await client.chat_postMessage(channel=DM, text="x" * 40001))["ts"]
    assert len(slack.seen_by(ANA)[0].text) == 40000
    assert await refused(client.chat_update(channel=DM, ts=ts, text="x" * 4001)) == "msg_too_long"
    assert (await client.chat_update(channel=DM, ts=ts, text="x" * 4000))["ok"]


async def test_only_what_the_bot_wrote_can_be_changed(slack: SlackServer, client: AsyncWebClient) -> None:
    sent = await slack.say(ANA, "mine")
    assert await refused(client.chat_update(channel=DM, ts=sent.ts, text="x")) == "cant_update_message"
    assert await refused(client.chat_update(channel=DM, ts="1.1", text="x")) == "message_not_found"
    ts = (await client.chat_postEphemeral(channel=GENERAL, user=ANA, text="x"))["message_ts"]
    assert await refused(client.chat_delete(channel=GENERAL, ts=ts)) == "message_not_found"


async def test_a_thread_is_read_back_with_metadata_and_without_ephemerals(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    root = (await slack.say(ANA, "hello")).ts
    metadata = {"event_type": "reply", "event_payload": {"key": "k1"}}
    await client.chat_postMessage(channel=DM, text="hi", thread_ts=root, metadata=metadata)
    await client.chat_postEphemeral(channel=DM, user=ANA, text="psst", thread_ts=root)
    read = await client.conversations_replies(channel=DM, ts=root, include_all_metadata=True)
    assert [message["text"] for message in read["messages"]] == ["hello", "hi"]
    assert read["messages"][1]["metadata"] == metadata
    bare = await client.conversations_replies(channel=DM, ts=root)
    assert "metadata" not in bare["messages"][1]
    assert [message["text"] for message in (await client.conversations_history(channel=DM))["messages"]] == ["hello"]


async def test_a_long_thread_comes_in_pages(slack: SlackServer, client: AsyncWebClient) -> None:
    root = (await client.chat_postMessage(channel=DM, text="0"))["ts"]
    for number in range(1, 5):
        await client.chat_postMessage(channel=DM, text=str(number), thread_ts=root)
    first = await client.conversations_replies(channel=DM, ts=root, limit=3)
    cursor = first["response_metadata"]["next_cursor"]
    rest = await client.conversations_replies(channel=DM, ts=root, limit=3, cursor=cursor)
    assert [message["text"] for page in (first, rest) for message in page["messages"]] == list("01234")
    assert not rest["has_more"]


async def test_people_and_conversations_are_told_with_what_access_turns_on(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    slack.add_member("U4GUEST", restricted=True)
    slack.add_member("U5FAR", stranger=True, tz="Europe/Berlin")
    slack.add_channel("C5SHARED", "shared", ANA, "U5FAR", ext_shared=True)
    assert (await client.users_info(user="U4GUEST"))["user"]["is_restricted"]
    far = (await client.users_info(user="U5FAR", include_locale=True))["user"]
    assert (far["is_stranger"], far["team_id"] != TEAM, far["tz"], far["locale"]) == (
        True,
        True,
        "Europe/Berlin",
        "en-US",
    )
    assert "locale" not in (await client.users_info(user=ANA))["user"]
    assert (await client.conversations_info(channel="C5SHARED"))["channel"]["is_ext_shared"]
    assert (await client.conversations_open(users=ANA))["channel"]["id"] == DM
    assert await refused(client.users_info(user="U0NOBODY")) == "user_not_found"


# -- streams and sessions


async def test_a_stream_grows_is_finished_and_moves_the_session(slack: SlackServer, client: AsyncWebClient) -> None:
    root = (await slack.say(ANA, "why")).ts
    stream = await client.chat_stream(channel=DM, thread_ts=root, buffer_size=1)
    await stream.append(markdown_text="You spent ")
    assert (slack.answers_to(ANA)[-1].text, slack.answers_to(ANA)[-1].streaming) == ("You spent ", True)
    assert slack.session(DM, root).status == "processing"
    await stream.append(markdown_text="**713.10**.")
    await stream.stop(blocks=[{"type": "context_actions", "elements": [FEEDBACK]}], session_status="suspended")
    seen = slack.answers_to(ANA)[-1]
    assert (seen.text, seen.streaming, seen.labels) == ("You spent 713.10.", False, ["Good", "Bad"])
    assert slack.session(DM, root).history == ["processing", "suspended"]
    assert (
        await refused(client.chat_appendStream(channel=DM, ts=stream.ts, markdown_text="x"))
        == "message_not_in_streaming_state"
    )
    assert (await client.chat_update(channel=DM, ts=stream.ts, text="over"))["ok"]
    assert slack.answers_to(ANA)[-1].text == "over"


async def test_a_stream_that_slack_closed_takes_nothing_more(slack: SlackServer, client: AsyncWebClient) -> None:
    root = (await slack.say(ANA, "why")).ts
    ts = (await client.chat_startStream(channel=DM, thread_ts=root, markdown_text="a"))["ts"]
    assert await refused(client.chat_update(channel=DM, ts=ts, text="x")) == "streaming_state_conflict"
    slack.expire_stream(ts)
    assert (
        await refused(client.chat_appendStream(channel=DM, ts=ts, markdown_text="b"))
        == "message_not_in_streaming_state"
    )
    assert await refused(client.chat_stopStream(channel=DM, ts=ts)) == "message_not_in_streaming_state"
    slack.stream_lifetime = 0.0
    ts = (await client.chat_startStream(channel=DM, thread_ts=root))["ts"]
    assert await refused(client.chat_stopStream(channel=DM, ts=ts)) == "message_not_in_streaming_state"


async def test_a_stream_has_an_end_in_length_and_needs_a_reader_in_channels(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    root = (await slack.say(ANA, "why")).ts
    ts = (await client.chat_startStream(channel=DM, thread_ts=root))["ts"]
    assert await refused(client.chat_appendStream(channel=DM, ts=ts, markdown_text="x" * 12001)) == "msg_too_long"
    for size in (12000, 12000, 12000, 4000):
        await client.chat_appendStream(channel=DM, ts=ts, markdown_text="x" * size)
    assert await refused(client.chat_appendStream(channel=DM, ts=ts, markdown_text="x")) == "msg_too_long"
    root = (await slack.say(ANA, "why", GENERAL)).ts
    assert await refused(client.chat_startStream(channel=GENERAL, thread_ts=root)) == "missing_recipient_team_id"


async def test_a_stream_is_of_text_or_of_cards_and_a_card_says_so_much(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    root = (await slack.say(ANA, "why")).ts
    card = {"type": "task_update", "id": "1", "title": "x" * 256, "status": "in_progress"}
    begun = {"channel": DM, "thread_ts": root, "chunks": [card]}
    both = client.chat_startStream(**begun, markdown_text="a")
    assert await refused(both) == "cannot_provide_both_markdown_text_and_chunks"
    assert await refused(client.chat_startStream(**begun, task_display_mode="cards")) == "invalid_arguments"
    ts = (await client.chat_startStream(**begun, task_display_mode="plan"))["ts"]
    assert await refused(client.chat_appendStream(channel=DM, ts=ts, markdown_text="b")) == "streaming_mode_mismatch"
    for wrong in ({"type": "noise"}, {**card, "title": "x" * 257}, {**card, "status": "done"}):
        assert await refused(client.chat_appendStream(channel=DM, ts=ts, chunks=[wrong])) == "invalid_chunks"
    done = {**card, "title": "Read", "status": "complete"}
    await client.chat_stopStream(channel=DM, ts=ts, chunks=[done])
    assert [seen.tasks for seen in slack.plans(ANA)] == [(("Read", "complete"),)]


async def test_the_stop_button_ends_streams_and_tells_the_app(slack: SlackServer, client: AsyncWebClient) -> None:
    async with listening(slack) as got:
        root = (await slack.say(ANA, "why")).ts
        ts = (await client.chat_startStream(channel=DM, thread_ts=root, markdown_text="a"))["ts"]
        await (await slack.stop_session(ANA, DM, root)).acknowledged()
        event = got[-1].payload["event"]
        assert (event["type"], event["streaming_message_ts"], event["user"]) == ("agent_session_stopped", [ts], ANA)
        assert await refused(client.chat_appendStream(channel=DM, ts=ts, markdown_text="b")) == "stopped_by_user"
        assert slack.session(DM, root).status == "processing"
        await client.chat_stopStream(channel=DM, ts=ts)
        assert slack.session(DM, root).status == "active"


async def test_sessions_statuses_and_prompts(slack: SlackServer, client: AsyncWebClient) -> None:
    root = (await slack.say(ANA, "why")).ts
    await client.agents_sessions_setStatus(channel_id=DM, thread_ts=root, status="processing", title="Why")
    await client.agents_sessions_rename(channel_id=DM, thread_ts=root, title="Because")
    assert (slack.session(DM, root).status, slack.session(DM, root).title) == ("processing", "Because")
    slack.agent_sessions = "feature_disabled"
    assert (
        await refused(client.agents_sessions_setStatus(channel_id=DM, thread_ts=root, status="active"))
        == "feature_disabled"
    )
    await client.assistant_threads_setStatus(channel_id=DM, thread_ts=root, status="is adding up")
    assert slack.thread_status(DM, root) == "is adding up"
    await client.chat_postMessage(channel=DM, thread_ts=root, text="42")
    assert slack.thread_status(DM, root) == ""
    prompts = [{"title": "t", "message": "m"}]
    await client.assistant_threads_setSuggestedPrompts(channel_id=DM, thread_ts=root, prompts=prompts)
    assert slack.prompts(ANA) == []
    await client.assistant_threads_setSuggestedPrompts(channel_id=DM, prompts=prompts)
    assert slack.prompts(ANA) == prompts
    assert (
        await refused(client.assistant_threads_setSuggestedPrompts(channel_id=DM, prompts=prompts * 5))
        == "too_many_prompts"
    )


# -- files


async def test_a_file_is_uploaded_into_a_thread_and_its_bytes_are_seen(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    root = (await slack.say(ANA, "list")).ts
    await client.files_upload_v2(
        channel=DM, thread_ts=root, filename="list.csv", content="a,b\n1,2\n", title="List", initial_comment="here"
    )
    seen = slack.answers_to(ANA)[-1]
    assert (seen.text, seen.thread_ts) == ("here", root)
    assert (seen.files[0].name, seen.files[0].title, seen.files[0].data) == ("list.csv", "List", b"a,b\n1,2\n")
    upload = await client.files_getUploadURLExternal(filename="x.png", length=3)
    assert await refused(client.files_completeUploadExternal(files=[{"id": upload["file_id"]}])) == "file_not_found"


async def test_a_picture_block_shows_an_uploaded_file(slack: SlackServer, client: AsyncWebClient) -> None:
    done = await client.files_upload_v2(filename="chart.png", content=b"\x89PNG")
    assert slack.seen_by(ANA) == []
    picture = {"type": "image", "alt_text": "October", "slack_file": {"id": done["file"]["id"]}}
    await client.chat_postMessage(channel=DM, text="x", blocks=[picture])
    assert slack.seen_by(ANA)[0].shown.images == ("October",)


async def test_a_dropped_file_is_fetched_with_the_token_only(slack: SlackServer, client: AsyncWebClient) -> None:
    async with listening(slack) as got:
        await (await slack.say(ANA, "", files=[("mint.csv", b"Date,Amount\n")])).acknowledged()
        event = got[0].payload["event"]
        assert (event["subtype"], event["files"][0]["name"], event["files"][0]["size"]) == (
            "file_share",
            "mint.csv",
            12,
        )
    url = event["files"][0]["url_private_download"]
    async with aiohttp.ClientSession() as session:
        async with session.get(url, headers={"Authorization": f"Bearer {BOT_TOKEN}"}) as answer:
            assert await answer.read() == b"Date,Amount\n"
        async with session.get(url) as answer:
            assert (answer.status, answer.content_type) == (200, "text/html")
    assert (await client.files_info(file=event["files"][0]["id"]))["file"]["size"] == 12


# -- misbehaviour


async def test_ordered_faults_are_used_up_in_order(slack: SlackServer, client: AsyncWebClient) -> None:
    slack.fail("chat.postMessage", "ratelimited", retry_after=7)
    slack.fail("chat.postMessage", "internal_error", times=2, where=lambda asked: asked["text"] == "two")
    with pytest.raises(SlackApiError) as caught:
        await client.chat_postMessage(channel=DM, text="one")
    assert (caught.value.response.status_code, caught.value.response.headers["Retry-After"]) == (429, "7")
    await client.chat_postMessage(channel=DM, text="one")
    for _ in range(2):
        assert await refused(client.chat_postMessage(channel=DM, text="two")) == "internal_error"
    await client.chat_postMessage(channel=DM, text="two")
    assert [seen.text for seen in slack.seen_by(ANA)] == ["one", "two"]
    assert [call.status for call in slack.calls_of("chat.postMessage")] == [429, 200, 200, 200, 200]


async def test_the_sdks_own_handler_waits_out_a_rate_limit(slack: SlackServer, client: AsyncWebClient) -> None:
    client.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=1))
    slack.fail("chat.postMessage", "ratelimited", retry_after=0)
    assert (await client.chat_postMessage(channel=DM, text="x"))["ok"]


async def test_an_effect_can_happen_and_its_answer_be_lost(slack: SlackServer, client: AsyncWebClient) -> None:
    client.retry_handlers.clear()
    slack.fail("chat.postMessage", "internal_error", after_effect=True)
    assert await refused(client.chat_postMessage(channel=DM, text="one")) == "internal_error"
    slack.fail("chat.postMessage", drop=True, after_effect=True)
    with pytest.raises(aiohttp.ClientError):
        await client.chat_postMessage(channel=DM, text="two")
    slack.fail("chat.postMessage", status=500)
    with pytest.raises(SlackApiError):
        await client.chat_postMessage(channel=DM, text="three")
    assert [seen.text for seen in slack.seen_by(ANA)] == ["one", "two"]


async def test_a_slow_method_holds_only_its_own_callers(slack: SlackServer, client: AsyncWebClient) -> None:
    slack.slow("chat.postMessage", 30)
    slow = asyncio.create_task(client.chat_postMessage(channel=DM, text="x"))
    assert (await client.auth_test())["ok"]
    assert not slow.done()
    slow.cancel()


async def test_a_fault_of_the_server_itself_fails_the_test_that_used_it() -> None:
    with pytest.RaisesGroup(AttributeError):
        async with SlackServer() as slack, aiohttp.ClientSession() as session:
            slack.workspace.members[ANA] = None  # type: ignore[assignment]
            client = AsyncWebClient(BOT_TOKEN, base_url=slack.api_url, session=session)
            assert await refused(client.users_info(user=ANA)) in {"fatal_error", "user_not_found"}
            slack.workspace.channels[GENERAL] = 3  # type: ignore[assignment]
            assert await refused(client.chat_postMessage(channel=GENERAL, text="x")) == "fatal_error"
