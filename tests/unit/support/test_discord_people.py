"""What people do in the tests' Discord, and the rules of interactions and their answers."""

from __future__ import annotations

import io
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from tests.support.discord_fake.library import app_commands, discord, new_client, running, ui
from tests.support.discord_server import ANA, APP, BEN, GENERAL, HOME, TOKEN, Choice, DiscordServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    Api = Callable[..., Awaitable[tuple[int, Any]]]

COMMANDS = [
    {
        "name": "money",
        "description": "Money",
        "integration_types": [0, 1],
        "contexts": [0, 1, 2],
        "options": [
            {
                "type": 1,
                "name": "ask",
                "description": "Ask",
                "options": [
                    {"type": 3, "name": "question", "description": "Question", "required": True, "autocomplete": True},
                    {"type": 11, "name": "file", "description": "File"},
                ],
            }
        ],
    },
    {"name": "here", "description": "Here", "integration_types": [0], "contexts": [0]},
    {"name": "Explain", "type": 3, "integration_types": [0, 1]},
]


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as server:
        yield server


@pytest.fixture
async def api(server: DiscordServer) -> AsyncIterator[Api]:
    """Bare requests with the bot's token, the commands registered, and a session that reads nothing."""
    async with aiohttp.ClientSession() as session, session.ws_connect(server.gateway_url) as ws:

        async def ask(method: str, path: str, body: Any = None) -> tuple[int, Any]:
            headers = {"Authorization": f"Bot {TOKEN}"}
            async with session.request(method, server.api_url + path, json=body, headers=headers) as answer:
                return answer.status, await answer.json() if answer.status != 204 else None

        await ws.send_json({"op": 2, "d": {"token": TOKEN, "intents": 1}})
        await server.connected()
        assert (await ask("PUT", f"/applications/{APP}/commands", COMMANDS))[0] == 200
        yield ask


@asynccontextmanager
async def bot(server: DiscordServer, listen: Callable[[Any], Awaitable[None]]) -> AsyncIterator[Any]:
    """A discord.py client that answers ``/money ask`` and the context menu ``Explain`` with ``listen``."""
    client = new_client()
    tree = app_commands.CommandTree(client)
    everywhere = {
        "allowed_installs": app_commands.AppInstallationType(guild=True, user=True),
        "allowed_contexts": app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
    }
    group = app_commands.Group(name="money", description="Money", **everywhere)

    @group.command(name="ask", description="Ask")
    async def ask(interaction: discord.Interaction, question: str, file: discord.Attachment | None = None) -> None:
        interaction.extras.update(question=question, file=file)
        await listen(interaction)

    @ask.autocomplete("question")
    async def suggest(_: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f"{current} in {month}", value=month) for month in ("May", "June")]

    async def explain(interaction: discord.Interaction, message: discord.Message) -> None:
        interaction.extras.update(message=message)
        await listen(interaction)

    explain.__annotations__ = {"interaction": discord.Interaction, "message": discord.Message}
    ask.callback.__annotations__ = {"question": str}
    tree.add_command(group)
    tree.add_command(app_commands.ContextMenu(name="Explain", callback=explain, **everywhere))
    async with running(server, client, token=TOKEN):
        await tree.sync()
        yield client


def callback_of(sent: Any) -> str:
    return f"/interactions/{sent.payload['id']}/{sent.payload['token']}/callback"


def webhook_of(sent: Any, message: str = "") -> str:
    return f"/webhooks/{APP}/{sent.payload['token']}" + (f"/messages/{message}" if message else "")


# -- commands


async def test_a_deferred_ephemeral_answer_is_its_askers_alone(server: DiscordServer) -> None:
    async def listen(interaction: Any) -> None:
        await interaction.response.defer(ephemeral=True)
        await server.until(lambda: server.seen_by("ana")[-1].loading)
        await interaction.edit_original_response(content=f"**{interaction.extras['question']}**")
        await interaction.followup.send("more", ephemeral=True)

    async with bot(server, listen):
        sent = await server.command("ana", "money ask", {"question": "Coffee?"}, "general")
        assert await sent.acknowledged() < 3
        await server.until(lambda: len(server.answers_to("ana")) == 2)
    assert sent.answer_type == 5
    assert [(seen.text, seen.ephemeral, seen.edited) for seen in server.answers_to("ana")] == [
        ("Coffee?", True, False),
        ("more", True, False),
    ]
    assert server.seen_by("ben") == []


async def test_files_come_with_commands_and_suggestions_while_typing(server: DiscordServer) -> None:
    read: list[bytes] = []

    async def listen(interaction: Any) -> None:
        read.append(await interaction.extras["file"].read())
        await interaction.response.send_message("read", file=discord.File(io.BytesIO(b"png"), "chart.png"))

    async with bot(server, listen):
        choices = await server.autocomplete("ana", "money ask", "question", "Rent")
        await server.command("ana", "money ask", {"question": "Import", "file": ("a.csv", b"1,2")})
        await server.until(lambda: server.answers_to("ana"))
    assert choices == [Choice("Rent in May", "May"), Choice("Rent in June", "June")]
    assert read == [b"1,2"]
    assert [(each.name, each.data) for each in server.answers_to("ana")[0].files] == [("chart.png", b"png")]


async def test_two_hundred_at_once_are_each_answered_once(server: DiscordServer) -> None:
    async def listen(interaction: Any) -> None:
        await interaction.response.defer(ephemeral=True)
        await interaction.followup.send(interaction.extras["question"])

    async with bot(server, listen):
        asked = [server.command("ana", "money ask", {"question": str(n)}, "general") for n in range(200)]
        sent = await server.burst(*asked)
        await server.until(lambda: len(server.answers_to("ana")) == 200)
        assert all([await each.acknowledged() < 3 for each in sent])
    assert sorted(int(seen.text) for seen in server.answers_to("ana")) == list(range(200))


async def test_what_a_client_would_not_offer_can_not_be_sent(server: DiscordServer, api: Api) -> None:
    group = server.add_group("trip", "ana", "ben").id
    with pytest.raises(AssertionError, match="no command"):
        await server.command("ana", "other")
    with pytest.raises(AssertionError, match="required"):
        await server.command("ana", "money ask")
    with pytest.raises(AssertionError, match="no option"):
        await server.command("ana", "money ask", {"question": "x", "other": 1})
    with pytest.raises(AssertionError, match="context 1"):
        await server.command("ana", "here")
    with pytest.raises(AssertionError, match="installed neither"):
        await server.command("ana", "money ask", {"question": "x"}, group)


async def test_where_it_is_used_and_who_installed_it_is_told(server: DiscordServer, api: Api) -> None:
    group, away = server.add_group("trip", "ana", "ben"), server.add_guild("away", "ana", bot=False)
    there = server.add_channel("there", guild=away.id)
    told = []
    for user, where in (("ben", "general"), ("ben", None), ("ana", "general"), ("ana", group.id), ("ana", there.id)):
        if user == "ana":
            server.install("ana")
        payload = (await server.command(user, "money ask", {"question": "x"}, where)).payload
        told.append((payload["context"], payload["authorizing_integration_owners"]))
        assert ("member" in payload) == ("guild_id" in payload) == (payload["context"] == 0)
    assert told == [(0, {"0": HOME}), (1, {"0": "0"}), (0, {"0": HOME, "1": ANA}), (2, {"1": ANA}), (0, {"1": ANA})]


@pytest.mark.parametrize("place", ["guild", "group", "direct"])
async def test_an_app_of_its_user_answers_where_the_bot_is_not(server: DiscordServer, place: str) -> None:
    server.install("ana")
    if place == "guild":
        where = server.add_channel("there", guild=server.add_guild("away", "ana", "ben", bot=False).id).id
    else:
        where = server.add_group(
            "trip", *(("ana", "ben") if place == "direct" else ("ana", "ben", server.add_user("cem").id))
        ).id

    async def listen(interaction: Any) -> None:
        assert interaction.is_user_integration()
        assert not interaction.is_guild_integration()
        await interaction.response.defer(ephemeral=True)
        await interaction.followup.send("713.10")
        with pytest.raises(discord.Forbidden) as refused:
            await interaction.client.get_partial_messageable(int(where)).send("open")
        assert refused.value.code == 50001
        await interaction.followup.send("done")

    async with bot(server, listen):
        await server.command("ana", "money ask", {"question": "x"}, where)
        await server.until(lambda: len(server.answers_to("ana")) == 2)
    assert [seen.text for seen in server.seen_by("ben")] == ["done"]


async def test_what_is_pressed_while_the_connection_is_down_arrives_with_the_resumption(server: DiscordServer) -> None:
    ages: list[float] = []

    async def listen(interaction: Any) -> None:
        ages.append((discord.utils.utcnow() - interaction.created_at).total_seconds())
        await interaction.response.send_message("here")

    async with bot(server, listen):
        server.refuse_connections(1)
        await server.drop_socket()
        server.lateness = 0.5  # of three seconds; a client waits up to two before it connects again
        sent = await server.command("ana", "money ask", {"question": "x"})
        await sent.acknowledged()
        await server.redeliver(sent)
        await server.until(lambda: len(server.calls_of("*/callback")) == 2)
    assert [call.code for call in server.calls_of("*/callback")] == [None, 40060]
    assert min(ages) >= 0.5
    assert server.gateway.resumes == 1


async def test_an_interaction_that_arrives_too_late_is_unknown(server: DiscordServer, api: Api) -> None:
    server.lateness = 3.5
    sent = await server.command("ana", "money ask", {"question": "x"})
    assert (await api("POST", callback_of(sent), {"type": 5}))[1]["code"] == 10062


async def test_a_context_menu_brings_the_whole_message_without_the_intent(server: DiscordServer) -> None:
    found: list[str] = []

    async def listen(interaction: Any) -> None:
        found.append(interaction.extras["message"].content)
        await interaction.response.send_message("explained", ephemeral=True)

    async with bot(server, listen):
        sent = await server.say("ben", "SQ *COFFEE 12.30", "general")
        await server.context_menu("ana", "Explain", sent)
        await server.until(lambda: server.answers_to("ana"))
    assert found == ["SQ *COFFEE 12.30"]


# -- the rules of answers


async def test_an_interaction_is_answered_once_and_in_three_seconds(server: DiscordServer, api: Api) -> None:
    sent = await server.command("ana", "money ask", {"question": "x"})
    assert (await api("POST", webhook_of(sent), {"content": "early"}))[1]["code"] == 10015
    status, answer = await api("POST", callback_of(sent), {"type": 4, "data": {"content": "x" * 2001}})
    assert (status, answer["errors"]["data"]["content"]["_errors"][0]["code"]) == (400, "BASE_TYPE_MAX_LENGTH")
    assert await api("POST", callback_of(sent), {"type": 4, "data": {"content": "one"}}) == (204, None)
    assert (await api("POST", callback_of(sent), {"type": 5}))[1]["code"] == 40060
    late = await server.command("ana", "money ask", {"question": "x"})
    server.age(late, 3.1)
    assert (await api("POST", callback_of(late), {"type": 5}))[1] == {"message": "Unknown interaction", "code": 10062}
    assert [late.is_acknowledged, sent.is_acknowledged] == [False, True]
    assert (await api("POST", "/interactions/1/none/callback", {"type": 5}))[1]["code"] == 10062


async def test_a_token_ends_after_its_time(server: DiscordServer, api: Api) -> None:
    sent = await server.command("ana", "money ask", {"question": "x"})
    await api("POST", callback_of(sent), {"type": 5, "data": {"flags": 64}})
    server.age(sent, 899)
    assert (await api("PATCH", webhook_of(sent, "@original"), {"content": "in time"}))[0] == 200
    server.age(sent, 2)
    for method, path in (("PATCH", "@original"), ("POST", ""), ("DELETE", "@original")):
        status, answer = await api(method, webhook_of(sent, path), {"content": "late"})
        assert (status, answer) == (401, {"message": "Invalid Webhook Token", "code": 50027})
    assert [seen.text for seen in server.answers_to("ana")] == ["in time"]


@pytest.mark.parametrize(
    ("kind", "answers"), [("command", {4, 5, 9}), ("press", {4, 5, 6, 7, 9}), ("autocomplete", {8})]
)
async def test_each_kind_has_its_own_answers(server: DiscordServer, api: Api, kind: str, answers: set[int]) -> None:
    allowed = set()
    for answer_type in (1, 4, 5, 6, 7, 8, 9):
        if kind == "press":
            _, shown = await api("POST", f"/channels/{server.dm('ana')}/messages", PRESSABLE)
            sent = await server.press("ana", shown["id"], "Go")
        else:
            sent = await server.command("ana", "money ask", {"question": "x"})
        if kind == "autocomplete":
            server.interactions[sent.payload["token"]].kind = 4
        modal = {"title": "T", "custom_id": "m", "components": [{"type": 10, "content": "words"}]}
        data = modal if answer_type == 9 else {"choices": []} if answer_type == 8 else {"content": "x"}
        status, answer = await api("POST", callback_of(sent), {"type": answer_type, "data": data})
        if status == 204:
            allowed.add(answer_type)
        else:
            assert (status, answer["code"], list(answer["errors"])) == (400, 50035, ["type"])
    assert allowed == answers


async def test_with_response_the_message_comes_back(server: DiscordServer, api: Api) -> None:
    sent = await server.command("ana", "money ask", {"question": "x"}, "general")
    body = {"type": 4, "data": {"content": "one", "flags": 64}}
    status, answer = await api("POST", callback_of(sent) + "?with_response=true", body)
    assert (status, answer["interaction"]["response_message_ephemeral"]) == (200, True)
    message = answer["resource"]["message"]
    assert (message["content"], message["flags"], message["interaction_metadata"]["user"]["id"]) == ("one", 64, ANA)
    # An ephemeral message is reached through its token only.
    assert (await api("GET", f"/channels/{GENERAL}/messages/{message['id']}"))[1]["code"] == 10008
    assert (await api("GET", webhook_of(sent, "@original")))[1]["id"] == message["id"]


async def test_the_first_follow_up_after_a_defer_is_the_answer(server: DiscordServer, api: Api) -> None:
    sent = await server.command("ana", "money ask", {"question": "x"}, "general")
    await api("POST", callback_of(sent), {"type": 5, "data": {"flags": 64}})
    assert [seen.loading for seen in server.seen_by("ana")] == [True]
    await api("POST", webhook_of(sent), {"content": "answer"})
    await api("POST", webhook_of(sent), {"content": "open"})
    assert [(seen.text, seen.ephemeral) for seen in server.answers_to("ana")] == [("answer", True), ("open", False)]
    assert [seen.text for seen in server.answers_to("ben")] == ["open"]


@pytest.mark.parametrize(("where", "most"), [("there", 5), ("trip", 5), ("general", 7)])
async def test_where_the_app_is_only_its_users_five_follow_ups_are_the_most(
    server: DiscordServer, api: Api, where: str, most: int
) -> None:
    server.install("ana")
    server.add_channel("there", guild=server.add_guild("away", "ana", bot=False).id)
    server.add_group("trip", "ana", "ben")
    sent = await server.command("ana", "money ask", {"question": "x"}, where)
    await api("POST", callback_of(sent), {"type": 4, "data": {"content": "first"}})
    statuses = [await api("POST", webhook_of(sent), {"content": str(n)}) for n in range(7)]
    assert sum(status == 200 for status, _ in statuses) == most
    assert all(answer["code"] == 40094 for status, answer in statuses if status == 400)


# -- buttons, menus, forms

PRESSABLE = {
    "content": "Choose",
    "components": [
        {
            "type": 1,
            "components": [
                {"type": 2, "style": 1, "label": "Go", "custom_id": "go"},
                {"type": 2, "style": 2, "label": "Off", "custom_id": "off", "disabled": True},
                {"type": 2, "style": 5, "label": "Site", "url": "https://example.com/"},
            ],
        },
        {"type": 1, "components": [{"type": 3, "custom_id": "pick", "options": [{"label": "A", "value": "a"}]}]},
    ],
}


async def test_buttons_are_pressed_as_they_are_seen(server: DiscordServer, api: Api) -> None:
    sent = await server.command("ana", "money ask", {"question": "x"}, "general")
    await api("POST", callback_of(sent), {"type": 4, "data": PRESSABLE | {"flags": 64}})
    [seen] = server.answers_to("ana")
    pressed = await server.press("ana", seen, "Go")
    assert pressed.payload["data"] == {"custom_id": "go", "component_type": 2, "id": 2}
    assert pressed.payload["message"]["id"] == seen.id
    assert (await server.select("ana", seen, "pick", "A")).payload["data"]["values"] == ["a"]
    for user, what, why in (
        ("ben", "Go", "not see"),
        ("ana", "Off", "disabled"),
        ("ana", "Site", "link"),
        ("ana", "No", "no button"),
    ):
        with pytest.raises(AssertionError, match=why):
            await server.press(user, seen, what)
    forged = await server.press("ben", seen, "receipt:1", forged=True)
    assert (forged.payload["data"]["custom_id"], forged.payload["member"]["user"]["id"]) == ("receipt:1", BEN)


async def test_a_persistent_button_changes_its_message(server: DiscordServer) -> None:
    class Receipt(ui.View):
        def __init__(self) -> None:
            super().__init__(timeout=None)

        @ui.button(label="Receipt", custom_id="receipt")
        async def receipt(self, interaction: Any, _: Any) -> None:
            await interaction.response.edit_message(content="The receipt", view=None)

    async def listen(interaction: Any) -> None:
        await interaction.response.send_message("713.10", view=Receipt(), ephemeral=True)

    async with bot(server, listen):
        await server.command("ana", "money ask", {"question": "x"}, "general")
        [seen] = await server.until(lambda: server.answers_to("ana"))
    # A restarted bot knows the button by its custom id alone.
    client = new_client()
    async with running(server, client, token=TOKEN):
        client.add_view(Receipt())
        sent = await server.press("ana", seen, "Receipt")
        await sent.acknowledged()
    assert sent.answer_type == 7
    [after] = server.answers_to("ana")
    assert (after.text, after.buttons, after.edited, after.id) == ("The receipt", (), True, seen.id)


async def test_a_form_is_opened_filled_and_sent(server: DiscordServer) -> None:
    sent_in: dict[str, Any] = {}

    class Form(ui.Modal, title="Import"):
        account = ui.Label(
            text="Account", component=ui.TextInput(custom_id="account", required=False, default="Checking")
        )
        kind = ui.Label(text="Kind", component=ui.Select(options=[discord.SelectOption(label="Bank", value="b")]))
        file = ui.Label(text="File", component=ui.FileUpload(custom_id="file"))

        async def on_submit(self, interaction: Any) -> None:
            sent_in.update(account=self.account.component.value, kind=self.kind.component.values)
            sent_in["file"] = await self.file.component.values[0].read()
            await interaction.response.send_message("thanks", ephemeral=True)

    async def listen(interaction: Any) -> None:
        await interaction.response.send_modal(Form())

    async with bot(server, listen):
        await (await server.command("ana", "money ask", {"question": "x"}, "general")).acknowledged()
        modal = server.modal("ana")
        assert modal is not None
        assert [(each.label, each.kind, each.value) for each in modal.fields] == [
            ("Account", 4, "Checking"),
            ("Kind", 3, ""),
            ("File", 19, ""),
        ]
        with pytest.raises(AssertionError, match="needs a file"):
            await server.submit("ana", {"Kind": "Bank"})
        await server.submit("ana", {"Kind": "Bank", "File": [("rows.csv", b"1,2")]})
        await server.until(lambda: server.answers_to("ana"))
    assert sent_in == {"account": "Checking", "kind": ["b"], "file": b"1,2"}
    assert server.modal("ana") is None


@pytest.mark.parametrize(("change", "path"), [({"title": "x" * 46}, "title"), ({"components": []}, "components")])
async def test_a_bad_form_is_refused(server: DiscordServer, api: Api, change: dict[str, Any], path: str) -> None:
    sent = await server.command("ana", "money ask", {"question": "x"})
    good = {"title": "x" * 45, "custom_id": "m", "components": [{"type": 10, "content": "words"}]}
    status, answer = await api("POST", callback_of(sent), {"type": 9, "data": good | change})
    assert (status, list(answer["errors"]["data"])) == (400, [path])
    assert (await api("POST", callback_of(sent), {"type": 9, "data": good}))[0] == 204
