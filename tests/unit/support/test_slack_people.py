"""What people do at the Slack server, as it reaches an app on Socket Mode or over HTTP."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from aiohttp import web
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.signature import SignatureVerifier
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from tests.support.slack.sdk_app import (
    ANA,
    BEN,
    DM,
    FEEDBACK,
    GENERAL,
    OPTIONS,
    actions,
    button,
    field,
    listening,
    modal,
    option,
    refused,
    section,
    table,
)
from tests.support.slack_server import APP_TOKEN, BOT_TOKEN, BOT_USER, TEAM, NotAcknowledged, SlackServer

# -- events over Socket Mode


async def test_a_direct_message_arrives_with_its_identity_and_is_acknowledged(slack: SlackServer) -> None:
    async with listening(slack) as got:
        sent = await slack.say(ANA, "R&D <b> <@U2BEN>")
        assert await sent.acknowledged() >= 0
        body = got[0].payload
        assert (got[0].type, body["event_id"], body["team_id"]) == ("events_api", sent.event_id, TEAM)
        event = body["event"]
        assert (event["type"], event["channel_type"], event["channel"]) == ("message", "im", DM)
        assert (event["user"], event["text"], event["ts"]) == (ANA, "R&amp;D &lt;b&gt; <@U2BEN>", sent.ts)
        assert body["authorizations"][0]["user_id"] == BOT_USER


async def test_a_mention_comes_once_or_with_its_twin_and_other_talk_not_at_all(slack: SlackServer) -> None:
    async with listening(slack) as got:
        assert not (await slack.say(ANA, "lunch", GENERAL)).delivered
        await (await slack.say(ANA, f"<@{BOT_USER}> hi", GENERAL)).acknowledged()
        assert [request.payload["event"]["type"] for request in got] == ["app_mention"]
        sent = await slack.say(ANA, f"<@{BOT_USER}> hi", GENERAL, twin=True)
        await sent.twin.acknowledged()
        one, two = (request.payload for request in got[1:])
        assert {one["event"]["type"], two["event"]["type"]} == {"app_mention", "message"}
        assert one["event"]["ts"] == two["event"]["ts"]
        assert one["event_id"] != two["event_id"]
        slack.subscriptions.add("message.channels")
        await (await slack.say(ANA, "lunch", GENERAL)).acknowledged()
        assert got[-1].payload["event"]["channel_type"] == "channel"


async def test_edits_deletions_and_bots_have_the_shapes_that_tell_them(slack: SlackServer) -> None:
    async with listening(slack) as got:
        sent = await slack.say(ANA, "one")
        await (await slack.edit(ANA, DM, sent.ts, "two")).acknowledged()
        await (await slack.delete(ANA, DM, sent.ts)).acknowledged()
        await (await slack.bot_says("echo", DM, itself=True)).acknowledged()
        await (await slack.bot_says(f"<@{BOT_USER}> hello", GENERAL)).acknowledged()
        events = [request.payload["event"] for request in got]
        assert [event.get("subtype") for event in events] == [None, "message_changed", "message_deleted", None, None]
        assert events[1]["message"]["text"] == "two"
        assert (events[3]["user"], events[3]["bot_id"]) == (BOT_USER, "B0BOT")
        assert (events[4]["type"], events[4]["bot_id"]) == ("app_mention", "B9BOT")
        assert [seen.text for seen in slack.seen_by(ANA)] == ["echo", f"@{BOT_USER} hello"]


async def test_in_a_shared_channel_the_strangers_team_is_told(slack: SlackServer) -> None:
    slack.add_member("U5FAR", stranger=True)
    slack.add_channel("C5SHARED", "shared", "U5FAR", ext_shared=True)
    async with listening(slack) as got:
        await (await slack.say("U5FAR", f"<@{BOT_USER}> hi", "C5SHARED")).acknowledged()
        body = got[0].payload
        assert (body["is_ext_shared_channel"], body["team_id"], body["event"]["user_team"]) == (True, TEAM, "T0AWAY")


async def test_home_is_opened_with_the_view_that_is_there(slack: SlackServer, client: AsyncWebClient) -> None:
    async with listening(slack) as got:
        await (await slack.open_home(ANA, "messages")).acknowledged()
        assert slack.home(ANA) is None
        home = {"type": "home", "blocks": [section("November"), actions(button("Delete my data", "wipe"))]}
        await client.views_publish(user_id=ANA, view=home)
        await (await slack.open_home(ANA)).acknowledged()
        assert [request.payload["event"]["tab"] for request in got] == ["messages", "home"]
        assert got[1].payload["event"]["view"]["type"] == "home"
        assert slack.home(BEN) is None
        seen = slack.home(ANA)
        assert (seen.text, seen.labels) == ("November", ["Delete my data"])
        await (await slack.press(ANA, seen, "wipe")).acknowledged()
        assert got[2].payload["container"] == {"type": "view", "view_id": seen.id}


async def test_an_unacknowledged_event_is_redelivered_and_the_fault_is_told(slack: SlackServer) -> None:
    answers = iter([False, None])
    async with listening(slack, ack=lambda request: next(answers)) as got:
        sent = await slack.say(ANA, "hello")
        with pytest.raises(NotAcknowledged):
            await sent.acknowledged(timeout=0.05)
        await slack.redeliver(sent)
        await sent.acknowledged()
        assert [request.retry_attempt for request in got] == [0, 1]
        assert got[1].retry_reason == "timeout"
        assert got[0].payload["event_id"] == got[1].payload["event_id"]
        assert got[0].envelope_id != got[1].envelope_id


async def test_a_lost_event_comes_again_on_the_next_connection_and_an_acknowledged_one_does_not(
    slack: SlackServer,
) -> None:
    early = await slack.say(ANA, "before anyone listened")
    async with listening(slack, ack=lambda request: None if "before" in str(request.payload) else False):
        await early.acknowledged()
        lost = await slack.say(ANA, "hello")
        await slack.until(lambda: lost.envelopes)
        await asyncio.sleep(0.05)
    async with listening(slack) as got:
        await lost.acknowledged()
        assert [request.payload["event"]["text"] for request in got] == ["hello"]
        assert got[0].retry_attempt == 1


@pytest.mark.parametrize("announce", [True, False])
async def test_the_sdk_comes_back_when_its_socket_goes(slack: SlackServer, announce: bool) -> None:
    async with listening(slack) as got:
        slack.refuse_connections(1)
        await slack.drop_socket(announce=announce)
        await slack.until(lambda: slack.delivery.connections == 2)
        await (await slack.say(ANA, "still there")).acknowledged()
        assert len(got) == 1
    assert slack.delivery.refusals == 0


async def test_each_envelope_goes_to_one_of_several_sockets(slack: SlackServer) -> None:
    async with listening(slack) as one, listening(slack) as two:
        await slack.connected(2)
        for number in range(10):
            await (await slack.say(ANA, str(number))).acknowledged()
        texts = [request.payload["event"]["text"] for request in [*one, *two]]
        assert sorted(texts) == sorted(map(str, range(10)))
        assert one
        assert two


async def test_two_hundred_events_and_their_answers(slack: SlackServer, client: AsyncWebClient) -> None:
    """What is sent at once is all acknowledged and answered once, in 50 threads."""
    roots = [(await client.chat_postMessage(channel=DM, text="t"))["ts"] for _ in range(50)]
    work: list[Any] = []

    def answer(request: Any) -> None:
        event = request.payload["event"]
        blocks = [section(f"answer to {event['text']}"), actions(*(button("x", f"a{n}") for n in range(4)))]
        work.append(
            asyncio.create_task(
                client.chat_postMessage(channel=DM, text="x", thread_ts=event["thread_ts"], blocks=blocks)
            )
        )

    async with listening(slack, ack=answer):
        sent = [await slack.say(ANA, str(n), thread_ts=roots[n % 50]) for n in range(200)]
        for each in sent:
            await each.acknowledged()
        await asyncio.gather(*work)
        texts = [seen.text for seen in slack.answers_to(ANA) if seen.text.startswith("answer")]
        assert sorted(texts) == sorted(f"answer to {n}" for n in range(200))


# -- interactions


async def test_a_press_on_a_post_tells_the_message_and_on_an_ephemeral_does_not(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    root = (await slack.say(ANA, "why", GENERAL)).ts
    blocks = [section("x"), {**actions(button("Receipt", "receipt", value="42")), "block_id": "row"}]
    await client.chat_postMessage(channel=GENERAL, text="x", blocks=blocks, thread_ts=root)
    await client.chat_postEphemeral(channel=GENERAL, user=ANA, text="x", blocks=blocks)
    async with listening(slack) as got:
        for seen in slack.answers_to(ANA):
            sent = await slack.press(ANA, seen, "Receipt")
            await sent.acknowledged()
        post, ephemeral = (request.payload for request in got)
        assert (post["user"]["id"], post["actions"][0]["value"], post["actions"][0]["block_id"]) == (ANA, "42", "row")
        assert post["message"]["thread_ts"] == root == post["container"]["thread_ts"]
        assert "message" not in ephemeral
        assert ephemeral["container"]["is_ephemeral"]
        with pytest.raises(AssertionError, match="does not see"):
            await slack.press(BEN, slack.answers_to(ANA)[1], "Receipt")


async def test_feedback_and_menus_carry_what_was_chosen(slack: SlackServer, client: AsyncWebClient) -> None:
    menu = {**OPTIONS, "options": [option("Groceries", "c1"), option("Coffee", "c2")]}
    blocks = [{"type": "context_actions", "elements": [FEEDBACK]}, actions(menu)]
    await client.chat_postMessage(channel=DM, text="x", blocks=blocks)
    seen = slack.seen_by(ANA)[0]
    async with listening(slack) as got:
        await (await slack.press(ANA, seen, "Bad")).acknowledged()
        await (await slack.press(ANA, seen, "a", "Coffee")).acknowledged()
        first, second = (request.payload["actions"][0] for request in got)
        assert (first["type"], first["action_id"], first["value"]) == ("feedback_buttons", "feedback", "down")
        assert second["selected_option"]["value"] == "c2"


async def test_a_slash_command_and_what_its_acknowledgement_says(slack: SlackServer) -> None:
    async with listening(slack, ack=lambda request: {"text": "on it"}) as got:
        sent = await slack.command(ANA, "/money", "summary <October>", GENERAL)
        await sent.acknowledged()
        payload = got[0].payload
        assert (got[0].type, payload["command"], payload["text"]) == ("slash_commands", "/money", "summary <October>")
        assert (payload["user_id"], payload["channel_id"]) == (ANA, GENERAL)
        assert [(seen.text, seen.ephemeral, seen.channel) for seen in slack.seen_by(ANA)] == [("on it", True, GENERAL)]
        assert slack.seen_by(BEN) == []


async def test_a_response_url_answers_five_times(slack: SlackServer, client: AsyncWebClient) -> None:
    ts = (await client.chat_postMessage(channel=DM, text="x", blocks=[actions(button("Undo"))]))["ts"]
    async with listening(slack):
        url = (await slack.press(ANA, slack.seen_by(ANA)[0], "Undo")).response_url
    hook = AsyncWebhookClient(url)
    assert (await hook.send(text="private")).status_code == 200
    await hook.send(text="public", response_type="in_channel")
    await hook.send(text="instead", replace_original=True)
    assert [(seen.text, seen.ephemeral) for seen in slack.seen_by(ANA)] == [
        ("instead", False),
        ("private", True),
        ("public", False),
    ]
    assert (await hook.send(text="x", blocks=[{"type": "bunting"}])).status_code == 400
    await hook.send(text="", delete_original=True)
    assert ts not in {seen.ts for seen in slack.seen_by(ANA)}
    await hook.send(text="fifth")
    last = await hook.send(text="sixth")
    assert (last.status_code, "used_url" in last.body) == (404, True)
    slack.triggers.url_seconds = 0.0
    assert "expired_url" in (await hook.send(text="x")).body


async def test_a_modal_is_opened_once_and_in_time(slack: SlackServer, client: AsyncWebClient) -> None:
    async with listening(slack):
        trigger = (await slack.command(ANA, "/money", "settings")).trigger_id
        late = (await slack.command(ANA, "/money", "settings")).trigger_id
    assert await refused(client.views_open(trigger_id="1.2.3", view=modal(section("x")))) == "invalid_trigger_id"
    assert await refused(client.views_open(trigger_id=trigger, view=modal(section("x" * 3001)))) == "invalid_arguments"
    await client.views_open(trigger_id=trigger, view=modal(section("x")))
    assert (slack.modal(ANA).title, slack.modal(BEN)) == ("Settings", None)
    assert await refused(client.views_open(trigger_id=trigger, view=modal(section("x")))) == "exchanged_trigger_id"
    slack.triggers.seconds = 0.0
    assert await refused(client.views_open(trigger_id=late, view=modal(section("x")))) == "expired_trigger_id"


@pytest.mark.parametrize(
    ("view", "error"),
    [
        (modal(section("x"), title={"type": "plain_text", "text": "x" * 25}), "invalid_arguments"),
        (modal(section("x"), private_metadata="x" * 3001), "invalid_arguments"),
        (modal(*([section("x")] * 101)), "invalid_arguments"),
        (modal(field("a", {"type": "plain_text_input"}), submit=None), "invalid_arguments"),
        (modal(table(2)), "invalid_arguments"),
        (modal(*([section("x" * 2990)] * 99)), "view_too_large"),
    ],
)
async def test_views_that_slack_refuses(
    slack: SlackServer, client: AsyncWebClient, view: dict[str, Any], error: str
) -> None:
    async with listening(slack):
        trigger = (await slack.command(ANA, "/money")).trigger_id
    assert await refused(client.views_open(trigger_id=trigger, view=view)) == error
    assert slack.modal(ANA) is None


async def test_a_form_is_filled_in_corrected_and_saved(slack: SlackServer, client: AsyncWebClient) -> None:
    menu = {"type": "static_select", "action_id": "pick", "options": [option("Euro", "EUR"), option("Dollar", "USD")]}
    view = modal(
        field("Name", {"type": "plain_text_input", "action_id": "text", "initial_value": "Ana"}, block_id="name"),
        field("Currency", menu, block_id="currency"),
        notify_on_close=True,
    )
    replies = [None, {"response_action": "errors", "errors": {"name": "Too short."}}, None, None]
    async with listening(slack, ack=lambda request: replies.pop(0)) as got:
        await client.views_open(trigger_id=(await slack.command(ANA, "/money")).trigger_id, view=view)
        with pytest.raises(AssertionError, match="Currency"):
            await slack.submit(ANA)
        sent = await slack.submit(ANA, {"Name": "A", "currency": "Euro"})
        assert sent.errors == {"name": "Too short."}
        assert slack.modal(ANA) is not None
        await slack.submit(ANA, {"pick": "USD"})
        values = got[-1].payload["view"]["state"]["values"]
        assert values["name"]["text"]["value"] == "Ana"
        assert values["currency"]["pick"]["selected_option"]["value"] == "USD"
        assert slack.modal(ANA) is None


async def test_a_modal_is_updated_pushed_over_and_closed(slack: SlackServer, client: AsyncWebClient) -> None:
    replies = [None, {"response_action": "push", "view": modal(section("sure?"), notify_on_close=True)}, None]
    async with listening(slack, ack=lambda request: replies.pop(0)) as got:
        await client.views_open(trigger_id=(await slack.command(ANA, "/money")).trigger_id, view=modal(section("one")))
        opened = slack.modal(ANA)
        await client.views_update(view_id=opened.id, view=modal(section("two")))
        assert "two" in slack.modal(ANA).text
        assert (
            await refused(client.views_update(view_id=opened.id, hash=opened.raw["hash"], view=modal()))
            == "hash_conflict"
        )
        await slack.submit(ANA)
        assert "sure?" in slack.modal(ANA).text
        await (await slack.close_view(ANA)).acknowledged()
        assert got[-1].payload["type"] == "view_closed"
        assert "two" in slack.modal(ANA).text


async def test_an_external_menu_asks_the_app(slack: SlackServer, client: AsyncWebClient) -> None:
    menu = {"type": "external_select", "action_id": "shop", "min_query_length": 0}
    replies: list[Any] = [None, {"options": [option("Costco", "m1")]}, {"options": [option("x" * 76, "m1")]}]
    async with listening(slack, ack=lambda request: replies.pop(0)) as got:
        trigger = (await slack.command(ANA, "/money")).trigger_id
        await client.views_open(trigger_id=trigger, view=modal(field("Shop", menu)))
        assert [each["value"] for each in await slack.options(ANA, "shop", "cos")] == ["m1"]
        assert (got[-1].payload["type"], got[-1].payload["value"]) == ("block_suggestion", "cos")
        with pytest.raises(AssertionError):
            await slack.options(ANA, "shop")


async def test_a_message_shortcut_tells_the_message(slack: SlackServer) -> None:
    async with listening(slack) as got:
        await slack.say(BEN, "TRADER JOE'S 41.20", GENERAL)
        await (await slack.shortcut(ANA, "explain", slack.seen_by(ANA)[0])).acknowledged()
        payload = got[0].payload
        assert (payload["type"], payload["callback_id"]) == ("message_action", "explain")
        assert (payload["user"]["id"], payload["message"]["user"]) == (ANA, BEN)


# -- Bolt


async def test_bolt_finds_a_listener_for_everything_that_people_do(slack: SlackServer, client: AsyncWebClient) -> None:
    """The payloads are such that slack_bolt tells them apart, on Socket Mode, with its own acknowledgements."""
    app = AsyncApp(client=AsyncWebClient(BOT_TOKEN, base_url=slack.api_url))
    heard: list[str] = []

    async def hear(ack: Any, body: dict[str, Any], context: Any) -> None:
        await ack()
        event = body.get("event") or {}
        heard.append(f"{event.get('type') or body.get('type') or body['command']} {context.user_id} {context.team_id}")

    for kind in ("message", "app_mention", "app_home_opened", "agent_session_stopped"):
        app.event(kind)(hear)
    app.command("/money")(hear)
    app.action("receipt")(hear)
    app.shortcut("explain")(hear)
    app.view("settings")(hear)
    app.view_closed("settings")(hear)

    @app.options("shop")
    async def shops(ack: Any) -> None:
        await ack(options=[option("Costco", "m1")])

    handler = AsyncSocketModeHandler(
        app, APP_TOKEN, ping_interval=0.2, web_client=AsyncWebClient(base_url=slack.api_url)
    )
    await handler.connect_async()
    try:
        await slack.connected()
        root = (await slack.say(ANA, "hi")).ts
        await (await slack.say(ANA, f"<@{BOT_USER}> hi", GENERAL)).acknowledged()
        await (await slack.open_home(ANA)).acknowledged()
        await (await slack.stop_session(ANA, DM, root)).acknowledged()
        await client.chat_postMessage(channel=DM, text="x", blocks=[actions(button("Receipt", "receipt"))])
        await (await slack.press(ANA, slack.answers_to(ANA)[-1], "Receipt")).acknowledged()
        await (await slack.shortcut(ANA, "explain", slack.answers_to(ANA)[-1])).acknowledged()
        menu = {"type": "external_select", "action_id": "shop"}
        for _ in range(2):
            sent = await slack.command(ANA, "/money", "settings")
            await sent.acknowledged()
            view = modal(field("Shop", menu), notify_on_close=True)
            await client.views_open(trigger_id=sent.trigger_id, view=view)
        assert [each["value"] for each in await slack.options(ANA, "shop", "c")] == ["m1"]
        await slack.submit(ANA, {"Shop": "m1"})
        sent = await slack.command(ANA, "/money", "settings")
        await client.views_open(trigger_id=sent.trigger_id, view=view)
        await (await slack.close_view(ANA)).acknowledged()
        slack.echo = True
        await client.chat_postMessage(channel=DM, text="mine")
        await slack.until(lambda: slack.delivery.sent[-1].is_acknowledged)
    finally:
        await handler.close_async()
    kinds = """message app_mention app_home_opened agent_session_stopped block_actions message_action
        /money /money view_submission /money view_closed"""
    assert sorted(heard) == sorted(f"{kind} {ANA} {TEAM}" for kind in kinds.split())


# -- HTTP


async def test_over_http_payloads_are_signed_and_a_failure_can_be_retried(slack: SlackServer) -> None:
    got: list[tuple[Any, str]] = []
    statuses = [500, 200, 200]
    verifier = SignatureVerifier(slack.signing_secret)

    async def handle(request: web.Request) -> web.Response:
        body = await request.text()
        assert verifier.is_valid_request(body, dict(request.headers))
        got.append((request.headers.copy(), body))
        status = statuses.pop(0)
        return web.json_response({"text": "done"}, status=status) if "command" in body else web.Response(status=status)

    app = web.Application()
    app.router.add_post("/slack/events", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        slack.http_target = f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
        sent = await slack.say(ANA, "hello")
        await slack.until(lambda: sent.status == 500)
        assert not sent.is_acknowledged
        await slack.redeliver(sent, "http_error")
        await sent.acknowledged()
        assert (got[1][0]["X-Slack-Retry-Num"], got[1][0]["X-Slack-Retry-Reason"]) == ("1", "http_error")
        await (await slack.command(ANA, "/money", "help")).acknowledged()
        assert slack.seen_by(ANA)[-1].text == "done"
    finally:
        await runner.cleanup()
