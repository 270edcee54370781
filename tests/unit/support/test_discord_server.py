"""The Discord server of the tests, driven by discord.py and by bare requests: its Gateway, its routes, its rules."""

from __future__ import annotations

import asyncio
import io
import json
import zlib
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
import zstandard

from tests.support.discord_fake.library import discord, new_client, pointed_at, running
from tests.support.discord_server import APP, BOT, GENERAL, HOME, TOKEN, DiscordServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    Api = Callable[..., Awaitable[tuple[int, Any]]]

MESSAGES = f"/channels/{GENERAL}/messages"


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as server:
        yield server


@pytest.fixture
async def api(server: DiscordServer) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession() as session:

        async def ask(method: str, path: str, body: Any = None, token: str = TOKEN) -> tuple[int, Any]:
            headers = {"Authorization": f"Bot {token}"}
            async with session.request(method, server.api_url + path, json=body, headers=headers) as answer:
                return answer.status, await answer.json() if answer.status != 204 else None

        yield ask


def heard(client: Any, event: str = "on_message") -> list[Any]:
    """What a client hears from now on."""
    found: list[Any] = []

    async def listen(what: Any) -> None:
        found.append(what)

    listen.__name__ = event
    client.event(listen)
    return found


# -- the Gateway


async def test_a_client_logs_in_and_knows_its_guild(server: DiscordServer) -> None:
    async with running(server, new_client(), token=TOKEN) as client:
        assert client.user.id == client.application_id == int(APP)
        guild = client.get_guild(int(HOME))
        assert (guild.name, guild.member_count, guild.get_channel(int(GENERAL)).name) == ("home", 3, "general")
        assert guild.get_channel(int(GENERAL)).permissions_for(guild.me).send_messages
        assert (await client.application_info()).id == int(APP)


async def test_a_wrong_token_is_refused_by_rest_and_gateway(server: DiscordServer, api: Api) -> None:
    async with pointed_at(server):
        client = new_client()
        with pytest.raises(discord.LoginFailure):
            await client.login("wrong")
        await client.close()
    assert await api("GET", "/users/@me", token="wrong") == (401, {"message": "401: Unauthorized", "code": 0})
    assert await close_code(server, {"token": "wrong", "intents": 0}) == 4004


async def close_code(server: DiscordServer, identify: dict[str, Any]) -> int | None:
    async with aiohttp.ClientSession() as session, session.ws_connect(server.gateway_url) as ws:
        assert (await ws.receive_json())["op"] == 10
        await ws.send_json({"op": 2, "d": identify})
        await ws.receive()
        return ws.close_code


@pytest.mark.parametrize("intent", ["members", "presences", "message_content"])
async def test_privileged_intents_need_to_be_allowed(server: DiscordServer, intent: str) -> None:
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with running(server, new_client(**{intent: True}), token=TOKEN):
            pass
    server.allow_intents(intent)
    async with running(server, new_client(**{intent: True}), token=TOKEN) as client:
        assert client.is_ready()


@pytest.mark.parametrize("compress", ["", "zlib-stream", "zstd-stream"])
async def test_the_gateway_compresses_as_asked(server: DiscordServer, compress: str) -> None:
    unpack = {"zlib-stream": zlib.decompressobj(), "zstd-stream": zstandard.ZstdDecompressor().decompressobj()}
    url = f"{server.gateway_url}?v=10&encoding=json&compress={compress}"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as ws:
        events = []
        for op in (10, 0, 11):
            message = await ws.receive()
            text = message.data if not compress else unpack[compress].decompress(message.data).decode()
            events.append(json.loads(text)["op"])
            if op == 10:
                await ws.send_json({"op": 2, "d": {"token": TOKEN, "intents": 0}})
                await ws.send_json({"op": 1, "d": None})
    assert events == [10, 0, 11]


async def test_message_content_is_empty_in_guilds_unless_it_concerns_the_bot(server: DiscordServer) -> None:
    client = new_client()
    messages = heard(client)
    async with running(server, client, token=TOKEN):
        await client.get_channel(int(GENERAL)).send("from the bot")
        await server.until(lambda: server.answers_to("ana"))
        await server.say("ana", "plain", "general", files=[("a.csv", b"1")])
        await server.mention("ana", "asked", "general")
        await server.say("ana", "replied", "general", reply_to=server.answers_to("ana")[0])
        await server.say("ana", "quietly", "general", reply_to=server.answers_to("ana")[0], ping=False)
        await server.say("ana", "private")
        await server.until(lambda: len(messages) == 6)
    told = [message.content for message in messages]
    assert told == ["from the bot", "", f"<@{BOT}> asked", "replied", "", "private"]
    assert messages[1].attachments == []
    assert isinstance(messages[5].channel, discord.DMChannel)


async def test_with_the_intent_everything_is_told(server: DiscordServer) -> None:
    server.allow_intents("message_content")
    client = new_client(message_content=True)
    messages = heard(client)
    async with running(server, client, token=TOKEN):
        await server.say("ana", "plain", "general", files=[("a.csv", b"1,2")])
        await server.until(lambda: messages)
        assert (messages[0].content, await messages[0].attachments[0].read()) == ("plain", b"1,2")


async def test_edits_and_deletions_are_told(server: DiscordServer) -> None:
    client = new_client()
    edits, deletions = heard(client, "on_raw_message_edit"), heard(client, "on_raw_message_delete")
    async with running(server, client, token=TOKEN):
        sent = await server.say("ana", "first")
        await server.edit("ana", sent, "second")
        await server.delete("ana", sent)
        await server.until(lambda: edits and deletions)
    assert edits[0].message.content == "second"
    assert deletions[0].message_id == int(sent.message)
    assert server.seen_by("ana") == []


@pytest.mark.parametrize("how", ["cut", "code", "reconnect", "resumable"])
async def test_a_session_that_resumes_misses_nothing_and_repeats_nothing(server: DiscordServer, how: str) -> None:
    client = new_client()
    messages = heard(client)
    async with running(server, client, token=TOKEN):
        await server.say("ana", "one")
        await server.until(lambda: messages)
        if how == "reconnect":
            await server.reconnect()
        elif how == "resumable":
            await server.invalid_session(resumable=True)
        else:
            await server.drop_socket(code=4000 if how == "code" else None)
        sent = await server.say("ana", "two")
        assert sent.delivered
        await server.say("ana", "three")
        await server.until(lambda: len(messages) == 3)
        await server.until(lambda: server.gateway.resumes == 1)
    assert [message.content for message in messages] == ["one", "two", "three"]
    assert len(server.gateway.identifies) == 1


@pytest.mark.parametrize("how", ["dropped", "invalid"])
async def test_a_session_that_may_not_resume_starts_anew(server: DiscordServer, how: str) -> None:
    client = new_client()
    messages = heard(client)
    async with running(server, client, token=TOKEN):
        if how == "invalid":
            await server.invalid_session()
        else:
            await server.drop_socket(resumable=False)
        assert not (await server.say("ana", "lost")).delivered
        # discord.py asks to resume a dropped session and identifies when that is refused.
        await server.until(lambda: len(server.gateway.identifies) == 2)
        await server.say("ana", "heard")
        await server.until(lambda: messages)
    assert [message.content for message in messages] == ["heard"]
    assert server.gateway.resumes == 0


# -- messages


async def test_messages_are_made_read_edited_listed_and_deleted(server: DiscordServer, api: Api) -> None:
    _, one = await api("POST", MESSAGES, {"content": "one"})
    _, two = await api("POST", MESSAGES, {"content": " two ", "message_reference": {"message_id": one["id"]}})
    assert (two["content"], two["type"], two["referenced_message"]["id"]) == ("two", 19, one["id"])
    assert (await api("GET", f"{MESSAGES}/{one['id']}"))[1]["content"] == "one"
    assert [each["content"] for each in (await api("GET", MESSAGES))[1]] == ["two", "one"]
    assert [each["content"] for each in (await api("GET", f"{MESSAGES}?after={one['id']}"))[1]] == ["two"]
    status, edited = await api("PATCH", f"{MESSAGES}/{one['id']}", {"content": "1"})
    assert (status, edited["content"], edited["edited_timestamp"] is not None) == (200, "1", True)
    assert [(seen.text, seen.edited) for seen in server.answers_to("ben")] == [("1", True), ("two", False)]
    assert await api("DELETE", f"{MESSAGES}/{one['id']}") == (204, None)
    assert (await api("GET", f"{MESSAGES}/{one['id']}"))[1] == {"message": "Unknown Message", "code": 10008}


async def test_an_enforced_nonce_gives_the_message_that_is_there(server: DiscordServer, api: Api) -> None:
    body = {"content": "paid", "nonce": "n1", "enforce_nonce": True}
    first = await api("POST", MESSAGES, body)
    assert await api("POST", MESSAGES, body | {"content": "other"}) == first
    assert (await api("POST", MESSAGES, {"content": "twice", "nonce": "n1"}))[1]["id"] != first[1]["id"]
    assert [seen.text for seen in server.answers_to("ana")] == ["paid", "twice"]


async def test_who_may_not_is_told_so(server: DiscordServer, api: Api) -> None:
    server.add_channel("secret", "ana").people.discard(BOT)  # type: ignore[union-attr]
    server.add_channel("quiet")
    server.forbid("quiet", "send_messages")
    away = server.add_guild("away", "ana", bot=False)
    there = server.add_channel("there", guild=away.id)
    ben, cem = server.dm("ben"), server.add_user("cem", guild="")
    server.world.user("ben").accepts_dms = False
    theirs = await server.say("ana", "mine", "general")

    async def code(path: str, method: str = "POST", body: Any = None) -> tuple[int, int]:
        status, answer = await api(method, path, body or {"content": "x"})
        return status, answer["code"]

    assert await code("/channels/1/messages") == (404, 10003)
    assert await code(f"/channels/{server.world.channel('secret').id}/messages") == (403, 50001)
    assert await code(f"/channels/{there.id}/messages") == (403, 50001)
    assert await code(f"/channels/{server.world.channel('quiet').id}/messages") == (403, 50013)
    assert await code(f"/channels/{ben}/messages") == (403, 50007)
    assert await code(f"/channels/{server.dm(cem.id)}/messages") == (403, 50278)
    assert await code(f"{MESSAGES}/{theirs.message}", "PATCH") == (403, 50005)
    assert await code(f"{MESSAGES}/{theirs.message}", "DELETE") == (403, 50013)
    assert await code("/users/@me/channels", body={"recipient_id": "1"}) == (400, 50033)


# -- files


async def test_files_go_up_come_down_and_their_links_expire(server: DiscordServer) -> None:
    async with running(server, new_client(), token=TOKEN) as client:
        file = discord.File(io.BytesIO(b"a,b\n1,2\n"), "rows.csv", description="The rows")
        message = await client.get_channel(int(GENERAL)).send("here", file=file)
        assert await message.attachments[0].read() == b"a,b\n1,2\n"
        kept = await message.edit(content="gone", attachments=[])
        assert kept.attachments == []
        server.wire.link_seconds = -1
        old = await client.get_channel(int(GENERAL)).send(file=discord.File(io.BytesIO(b"x"), "x.txt"))
        with pytest.raises(discord.NotFound):
            await old.attachments[0].read()
    [first, second] = server.answers_to("ben")
    assert (first.text, first.files) == ("gone", ())
    assert [(each.name, each.data) for each in second.files] == [("x.txt", b"x")]


async def test_a_card_shows_what_it_names_and_what_is_told_of_it_can_not_be_sent_back(
    server: DiscordServer, api: Api
) -> None:
    async with running(server, new_client(), token=TOKEN) as client:
        view = discord.ui.LayoutView()
        view.add_item(discord.ui.Container(discord.ui.File("attachment://my_rows.csv"), accent_colour=1))
        files = [discord.File(io.BytesIO(b"a,b"), name) for name in ("my rows.csv", "unnamed.csv")]
        message = await client.get_channel(int(GENERAL)).send(view=view, files=files)
    (seen,) = server.answers_to("ben")
    assert [each.name for each in seen.files] == ["my_rows.csv"]
    _, told = await api("GET", f"{MESSAGES}/{message.id}")
    (shown,) = told["components"][0]["components"]
    assert (shown["name"], shown["size"], shown["file"]["url"][:4]) == ("my_rows.csv", 3, "http")
    status, answer = await api(
        "PATCH", f"{MESSAGES}/{message.id}", {"components": told["components"], "flags": 1 << 15}
    )
    assert (status, answer["code"]) == (400, 50035)
    again = [{"type": 17, "components": [{"type": 13, "file": {"url": "attachment://my_rows.csv"}}]}]
    assert (await api("PATCH", f"{MESSAGES}/{message.id}", {"components": again}))[0] == 400
    assert (await api("PATCH", f"{MESSAGES}/{message.id}", {"components": again, "flags": 1 << 15}))[0] == 200


async def test_a_file_may_be_ten_mebibytes_and_no_more(server: DiscordServer) -> None:
    async with running(server, new_client(), token=TOKEN) as client:
        channel = client.get_channel(int(GENERAL))
        await channel.send(file=discord.File(io.BytesIO(b"x" * 10 * 1024**2), "most.bin"))
        with pytest.raises(discord.HTTPException) as refused:
            await channel.send(file=discord.File(io.BytesIO(b"x" * (10 * 1024**2 + 1)), "more.bin"))
        assert (refused.value.status, refused.value.code) == (413, 40005)


# -- threads


async def test_threads_start_on_messages_once_and_have_their_own_readers(server: DiscordServer) -> None:
    async with running(server, new_client(), token=TOKEN) as client:
        channel = client.get_channel(int(GENERAL))
        message = await channel.send("start")
        thread = await message.create_thread(name="open")
        assert thread.id == message.id
        with pytest.raises(discord.HTTPException) as refused:
            await message.create_thread(name="again")
        assert refused.value.code == 160004
        private = await channel.create_thread(name="closed", type=discord.ChannelType.private_thread)
        await private.add_user(discord.Object(int(server.world.user("ana").id)))
        await thread.send("to all")
        await private.send("to ana")
        with pytest.raises(discord.HTTPException):
            await channel.create_thread(name="x" * 101)
    assert [seen.text for seen in server.answers_to("ana")] == ["start", "to all", "to ana"]
    assert [seen.text for seen in server.answers_to("ben")] == ["start", "to all"]


# -- misbehaviour


async def test_rate_limits_are_told_and_waited_for(server: DiscordServer) -> None:
    async with running(server, new_client(), token=TOKEN) as client:
        channel = client.get_channel(int(GENERAL))
        server.fail("POST /channels/*/messages", retry_after=0.05)
        server.fail("POST /channels/*/messages", retry_after=0.05, is_global=True)
        await channel.send("late")
        assert [call.status for call in server.calls_of("POST /channels/*/messages")] == [429, 429, 200]


async def test_a_kept_limit_refuses_what_is_too_much(server: DiscordServer, api: Api) -> None:
    server.limit("POST /channels/*/messages", 2, per=60)
    statuses = [(await api("POST", MESSAGES, {"content": str(n)}))[0] for n in range(3)]
    status, answer = await api("POST", MESSAGES, {"content": "4"})
    assert (statuses, status) == ([200, 200, 429], 429)
    assert (answer["global"], 50 < answer["retry_after"] <= 60) == (False, True)
    assert (await api("POST", f"/channels/{server.dm('ana')}/messages", {"content": "elsewhere"}))[0] == 200
    server.behave()
    assert (await api("POST", MESSAGES, {"content": "5"}))[0] == 200


async def test_an_answer_can_be_lost_after_its_effect(server: DiscordServer, api: Api) -> None:
    server.fail("POST /channels/{channel}/messages", 502, after_effect=True)
    body = {"content": "once", "nonce": "1", "enforce_nonce": True}
    assert (await api("POST", MESSAGES, body))[0] == 502
    assert (await api("POST", MESSAGES, body))[0] == 200
    server.fail("*", drop=True, where=lambda call: call.body == {"content": "cut"})
    with pytest.raises(aiohttp.ClientError):
        await api("POST", MESSAGES, {"content": "cut"})
    assert [seen.text for seen in server.answers_to("ana")] == ["once"]


async def test_what_the_fake_does_not_know_fails_the_test() -> None:
    with pytest.raises(BaseExceptionGroup, match="itself failed"):
        async with DiscordServer() as server, aiohttp.ClientSession() as session:
            async with session.get(f"{server.api_url}/voice/regions") as answer:
                assert answer.status == 404
            with pytest.raises(BaseExceptionGroup):
                await server.until(lambda: False, timeout=1)
            await asyncio.sleep(0)
