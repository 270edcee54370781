"""What the Slack server lets through and what it says that readers see."""

from __future__ import annotations

from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.models.blocks import Block
from slack_sdk.web.async_client import AsyncWebClient

from tests.support.slack.sdk_app import (
    ANA,
    DM,
    FEEDBACK,
    OPTIONS,
    actions,
    button,
    chart,
    header,
    option,
    refused,
    section,
    table,
)
from tests.support.slack_server import SlackServer

# -- what is seen


@pytest.mark.parametrize(
    ("text", "shown", "mentions", "pings", "links"),
    [
        ("a &amp; b &lt;c&gt;", "a & b <c>", (), (), ()),
        ("hi <@U2BEN> in <#C1GENERAL|general>", "hi @U2BEN in #general", ("U2BEN", "C1GENERAL"), (), ()),
        ("<!channel> <!here>", "@channel @here", (), ("channel", "here"), ()),
        ("<https://evil.example|prize>", "prize", (), (), ("https://evil.example",)),
        ("see https://evil.example/x now", "see https://evil.example/x now", (), (), ("https://evil.example/x",)),
        ("paid NETFLIX.COM", "paid NETFLIX.COM", (), (), ("NETFLIX.COM",)),
        ("&lt;@U2BEN&gt; &lt;!here&gt;", "<@U2BEN> <!here>", (), (), ()),
        ("*bold* and SQ *BLUE", "bold and SQ *BLUE", (), (), ()),
        ("713.10 and 4,000.50 at 12.30", "713.10 and 4,000.50 at 12.30", (), (), ()),
    ],
)
async def test_what_mrkdwn_shows_and_what_is_live_in_it(
    slack: SlackServer, client: AsyncWebClient, text: str, shown: str, mentions: Any, pings: Any, links: Any
) -> None:
    await client.chat_postMessage(channel=DM, text="x", blocks=[section(text)])
    seen = slack.seen_by(ANA)[0]
    assert (seen.text, seen.mentions, seen.pings, seen.links) == (shown, mentions, pings, links)


async def test_verbatim_text_and_plain_text_make_no_links(slack: SlackServer, client: AsyncWebClient) -> None:
    verbatim = {"type": "section", "text": {"type": "mrkdwn", "text": "NETFLIX.COM @here", "verbatim": True}}
    plain = {"type": "section", "text": {"type": "plain_text", "text": "<@U2BEN> NETFLIX.COM &amp;"}}
    await client.chat_postMessage(channel=DM, text="x", blocks=[verbatim, plain])
    seen = slack.seen_by(ANA)[0]
    assert (seen.text, seen.links, seen.pings, seen.mentions) == (
        "NETFLIX.COM @here\n<@U2BEN> NETFLIX.COM &amp;",
        (),
        (),
        (),
    )


async def test_a_markdown_block_shows_words_and_its_links_are_live(slack: SlackServer, client: AsyncWebClient) -> None:
    text = "**713.10** on [shops](https://evil.example) <@U2BEN> 5\\*3"
    await client.chat_postMessage(channel=DM, text="x", blocks=[{"type": "markdown", "text": text}])
    seen = slack.seen_by(ANA)[0]
    assert seen.text == "713.10 on shops @U2BEN 5*3"
    assert (seen.links, seen.mentions) == (("https://evil.example",), ("U2BEN",))


async def test_native_tables_and_charts_are_read_out(slack: SlackServer, client: AsyncWebClient) -> None:
    await client.chat_postMessage(channel=DM, text="x", blocks=[table(2, text="y"), chart()])
    assert slack.seen_by(ANA)[0].text == "Shops\ny | y\ny | y\nMonths\ns0: m0: 1.5, m1: 1.5"


@pytest.mark.parametrize(
    ("allowed", "too_much"),
    [
        ([section("x")] * 50, [section("x")] * 51),
        ([section("x" * 3000)], [section("x" * 3001)]),
        ([header("x" * 150)], [header("x" * 151)]),
        ([section("x", block_id="b" * 255)], [section("x", block_id="b" * 256)]),
        ([section("x", block_id="a"), section("x", block_id="b")], [section("x", block_id="a")] * 2),
        (
            [section("x", fields=[{"type": "plain_text", "text": "x" * 2000}] * 10)],
            [section("x", fields=[{"type": "plain_text", "text": "x"}] * 11)],
        ),
        ([actions(button("x" * 75, "a" * 255, value="v" * 2000))], [actions(button("x" * 76))]),
        ([actions(button("x"))], [actions(button("x", "a" * 256))]),
        ([actions(button("x"))], [actions(button("x", value="v" * 2001))]),
        ([actions(button("x"))], [actions(button(""))]),
        ([actions(button("x"))], [actions(button("x", style="green"))]),
        ([actions(button("x", "a"), button("y", "b"))], [actions(button("x", "a"), button("y", "a"))]),
        ([actions(*(button("x", f"a{n}") for n in range(25)))], [actions(*(button("x", f"a{n}") for n in range(26)))]),
        (
            [{"type": "context", "elements": [{"type": "mrkdwn", "text": "x"}] * 10}],
            [{"type": "context", "elements": [{"type": "mrkdwn", "text": "x"}] * 11}],
        ),
        ([actions(OPTIONS)], [actions({**OPTIONS, "options": [option("x", "x")] * 101})]),
        (
            [actions({**OPTIONS, "options": [option("x" * 75, "v" * 150)]})],
            [actions({**OPTIONS, "options": [option("x" * 76, "v")]})],
        ),
        ([actions(OPTIONS)], [actions({**OPTIONS, "options": [option("x", "v" * 151)]})]),
        (
            [actions({**OPTIONS, "placeholder": {"type": "plain_text", "text": "x" * 150}})],
            [actions({**OPTIONS, "placeholder": {"type": "plain_text", "text": "x" * 151}})],
        ),
        ([{"type": "context_actions", "elements": [FEEDBACK]}], [{"type": "actions", "elements": [FEEDBACK]}]),
        ([header("x")], [{"type": "header", "text": {"type": "mrkdwn", "text": "x"}}]),
        ([section("x")], [section("x", colour="red")]),
        ([section("x")], [{"type": "section"}]),
        ([section("x")], [{"type": "bunting"}]),
        ([table(101, 20, "x")], [table(102)]),
        ([table(2, 20)], [table(2, 21)]),
        ([table(100, 2, "x" * 50)], [table(100, 2, "x" * 51)]),
        ([table(2, page_size=100)], [table(2, page_size=101)]),
        ([table(2)], [table(1)]),
        ([table(2)], [{**table(2), "caption": None}]),
        (
            [table(2)],
            [{**table(2), "rows": [[{"type": "raw_text", "text": "x"}], [{"type": "raw_text", "text": "x"}] * 2]}],
        ),
        (
            [table(2)],
            [{**table(2), "rows": [[{"type": "rich_text", "elements": []}], [{"type": "raw_text", "text": "x"}]]}],
        ),
        ([chart(20, 6), chart()], [chart(21)]),
        ([chart()], [chart(1, 7)]),
        ([chart(), chart()], [chart(), chart(), chart()]),
        ([{**chart(), "title": "x" * 50}], [{**chart(), "title": "x" * 51}]),
        ([section("x")], [{"type": "alert", "text": {"type": "plain_text", "text": "x"}}]),
        ([section("x")], [{"type": "image", "alt_text": "x", "slack_file": {"id": "F0NONE"}}]),
    ],
)
async def test_blocks_at_the_limit_pass_and_one_more_does_not(
    client: AsyncWebClient, allowed: Any, too_much: Any
) -> None:
    assert (await client.chat_postMessage(channel=DM, text="x", blocks=allowed))["ok"]
    with pytest.raises(SlackApiError) as caught:
        await client.chat_postMessage(channel=DM, text="x", blocks=too_much)
    assert caught.value.response["error"] == "invalid_blocks"
    assert caught.value.response["response_metadata"]["messages"]


async def test_a_workspace_without_native_blocks_refuses_them(slack: SlackServer, client: AsyncWebClient) -> None:
    slack.native_blocks = False
    assert await refused(client.chat_postMessage(channel=DM, text="x", blocks=[table(2)])) == "invalid_blocks"
    assert await refused(client.chat_postMessage(channel=DM, text="x", blocks=[chart()])) == "invalid_blocks"


def test_the_blocks_of_these_tests_are_what_the_sdk_would_send() -> None:
    """The helpers above build what the SDK's own classes build."""
    for block in (section("x"), header("x"), actions(button("x"))):
        assert Block.parse(block).to_dict() == block
