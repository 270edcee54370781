"""What people see of a message in the tests' Discord: its words, its mentions, its links, its buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from tests.support.discord_fake.library import discord, new_client, running, ui
from tests.support.discord_server import ANA, BEN, BOT, GENERAL, TOKEN, DiscordServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    Post = Callable[[dict[str, Any]], Awaitable[None]]


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as server:
        yield server


@pytest.fixture
async def post(server: DiscordServer) -> AsyncIterator[Post]:
    """Lets the bot write in #general."""
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {TOKEN}"}) as session:

        async def write(body: dict[str, Any]) -> None:
            async with session.post(f"{server.api_url}/channels/{GENERAL}/messages", json=body) as answer:
                assert answer.status == 200

        yield write


@pytest.mark.parametrize(
    ("content", "text", "mentions", "links"),
    [
        ("**$713.10** on _groceries_", "$713.10 on groceries", (), ()),
        ("# Head\n> quoted\n-# small", "Head\nquoted\nsmall", (), ()),
        (f"<@{ANA}> in <#{GENERAL}>", "@Ana in #general", (ANA,), ()),
        ("`<@1> **x** https://a.b`", "<@1> **x** https://a.b", (), ()),
        ("```\nA  1\nB  2\n```", "A  1\nB  2\n", (), ()),
        (r"2\*3\_4 \<@1>", "2*3_4 <@1>", (), ()),
        ("see <https://a.b/c>, https://d.e/f.", "see https://a.b/c, https://d.e/f", (), ("https://d.e/f",)),
        ("[label](https://a.b) and [quiet](<https://c.d>)", "label and quiet", (), ("https://a.b",)),
        ("@everyone a_b_c 5 * 3 * 2", "@everyone a_b_c 5 * 3 * 2", ("everyone",), ()),
        ("<t:0:d> spent", "1970-01-01 spent", (), ()),
    ],
)
async def test_text_is_seen_as_discord_shows_it(
    server: DiscordServer, post: Post, content: str, text: str, mentions: tuple[str, ...], links: tuple[str, ...]
) -> None:
    await post({"content": content})
    [seen] = server.answers_to("ben")
    assert (seen.text.replace("https://d.e/f.", "https://d.e/f"), seen.mentions, seen.links) == (text, mentions, links)


async def test_pings_are_those_that_are_allowed(server: DiscordServer, post: Post) -> None:
    role = server.add_role("savers", "ana", mentionable=True)
    content = f"@everyone <@{ANA}> <@{BEN}> <@&{role.id}>"
    for allowed in (None, {"parse": []}, {"parse": ["roles"], "users": [BEN]}, {"parse": ["everyone"]}):
        body = {"content": content} | ({} if allowed is None else {"allowed_mentions": allowed})
        await post(body)
    server.world.guild().bot_permissions.add("mention_everyone")
    await post({"content": content})
    await post({"content": content, "flags": 1 << 12})
    await post({"content": content, "allowed_mentions": {"parse": ["users"]}})
    assert [seen.pings for seen in server.answers_to("ana")] == [
        (role.id, ANA, BEN), (), (role.id, BEN), (), ("everyone", role.id, ANA, BEN), (), (ANA, BEN),
    ]  # fmt: skip
    assert all(set(seen.mentions) == {"everyone", ANA, BEN, role.id} for seen in server.answers_to("ana"))


async def test_embeds_and_components_are_read_from_top_to_bottom(server: DiscordServer) -> None:
    async with running(server, new_client(), token=TOKEN) as client:
        embed = discord.Embed(title="**Groceries**", description="see https://a.b").add_field(
            name="Total", value="713.10"
        )
        await client.get_channel(int(GENERAL)).send("Hi", embed=embed.set_footer(text="1–31 Oct"))
        view = ui.LayoutView()
        view.add_item(ui.Section("**713.10**", accessory=ui.Button(label="Receipt", custom_id="r")))
        view.add_item(
            ui.Container(ui.TextDisplay("6 purchases"), ui.ActionRow(ui.Button(label="Share", custom_id="s")))
        )
        message = await client.get_channel(int(GENERAL)).send(view=view)
        with pytest.raises(discord.HTTPException):
            await message.edit(content="words", view=view)
    first, second = server.answers_to("ben")
    assert (first.text, first.links, first.urls) == (
        "Hi\nGroceries\nsee https://a.b\nTotal\n713.10\n1–31 Oct",
        (),
        ("https://a.b",),
    )
    assert (second.text, [each.label for each in second.buttons]) == ("713.10\n6 purchases", ["Receipt", "Share"])


async def test_suppressed_and_forbidden_previews_are_no_links(server: DiscordServer, post: Post) -> None:
    await post({"content": "https://a.b", "flags": 4})
    server.forbid("general", "embed_links")
    await post({"content": "https://a.b", "embeds": [{"title": "dropped"}]})
    assert [(seen.text, seen.links, seen.urls) for seen in server.answers_to("ana")] == [
        ("https://a.b", (), ("https://a.b",))
    ] * 2


async def test_other_bots_and_threads_of_people_are_told(server: DiscordServer) -> None:
    heard: list[Any] = []
    client = new_client()

    @client.event
    async def on_message(message: Any) -> None:
        heard.append(message)

    async with running(server, client, token=TOKEN):
        await server.bot_says("hello", "general", mention=True)
        thread = await server.start_thread("ana", "receipts", "general")
        await server.mention("ana", "here", thread.id)
        await server.until(lambda: len(heard) == 2)
        await heard[1].reply("answer")
    assert (heard[0].author.bot, isinstance(heard[1].channel, discord.Thread)) == (True, True)
    assert (server.answers_to("ben")[0].channel, server.answers_to("ben")[0].user) == (thread.id, BOT)
