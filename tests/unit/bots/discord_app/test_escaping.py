"""Text from data is text on Discord, whatever it tries, and reads as it is."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bots.cleaning import clean
from bots.discord_app.wording import escape, fenced
from tests.support.discord_fake.reading import read

HOSTILE = [
    "@everyone @here @Everyone x@here <@80351110224678912> <@!80351110224678912> <@&165511591545143296>",
    "<#103735883630395392> </airhorn:816437322781949972> </foo bar:123456789012345678> <id:customize>",
    "<t:1618953630> <t:1618953630:R> <:mmLol:216154654256398347> <a:b1nzy:392938283556143104> :smile: :+1::skin-tone-2:",
    "https://evil.example/a_b <https://evil.example> steam://run/1 [your bank](https://evil.example) [x](<mailto:a@b.c>)",
    "discord.gg/abc Discord.com/invite/abc discordapp.com/invite/abc discord.gift/abc <a@b.example> <+15551234567>",
    "**b** *i* _i_ __u__ ~~s~~ ||spoiler|| `code` ``code`` ***bi*** _**x**_ 5*4*3 a_b_c SQ *SHOP* _x",
    "# one\n## two\n### three\n  # four\n-# small\n  -# small",
    "> quote\n>>> quote\n - a\n- b\n* c\n+ d\n1. e\n  22. f\n-\n1.",
    "```\ncode\n```\n```py\ncode```",
    "\\*a* \\\\*b* \\_ \\` \\[x](https://evil.example) \\<@1> \\@everyone \\",
    "a\u202e<@1>\u2066\x00@\x00everyone\x1b[31m @\u200fhere <\u200e@1> \ud800",
    "¯\\_(ツ)_/¯ #general #5 Store # 12:30:45 a|b ~5 x :) -5.00 +3 10 * 5 <3 5 > 4",
]
#: Pieces of markup, of which anything can be put together.
pieces = st.sampled_from(
    [
        *"*_~|`\\[]()<>@#:/-+.!&\n 1aé日\u200b\u202e\x00",
        *("**", "__", "~~", "||", "```", "](", "<@", "<@&1", "@everyone", "@here", "://", "https://a.b"),
        *("discord.gg/a", ":smile:", "<t:1:R>", "-# ", "# ", "> ", "1. "),
    ]
)
markup = st.lists(pieces, max_size=40).map("".join)


@pytest.mark.parametrize("memo", HOSTILE)
def test_the_reader_of_these_tests_finds_what_unescaped_text_would_do(memo):
    reading = read(memo)
    assert reading.live or reading.marks


@pytest.mark.parametrize("memo", HOSTILE)
def test_nothing_is_live_or_marked_and_every_word_is_read(memo):
    reading = read(escape(memo))
    assert (reading.live, reading.marks) == ([], [])
    assert reading.words == clean(memo).split()


@given(markup | st.text())
@example("[a\\](https://b)")
@example("*a\n*")
@example("||||")
@example("\u2003# x")
@example("\u0661. x")
def test_no_text_does_anything(text):
    reading = read(escape(text))
    assert (reading.live, reading.marks) == ([], [])
    assert reading.text.replace("\u200b", "") == clean(text).replace("\u200b", "")


@given(st.lists(markup, min_size=1, max_size=4))
@example(["```", "@everyone"])
@example(["`", "``", "x`"])
def test_code_ends_where_it_should_and_pings_nobody(lines):
    reading = read(f"{fenced(['x', *lines, 'x'])}\nafter")
    assert reading.live == []
    assert reading.kinds == ["code"]
    assert reading.text.endswith("\nafter")
    assert reading.words == ["x", *clean("\n".join(lines)).replace("\u200b", "").split(), "x", "after"]


@pytest.mark.parametrize(
    "text",
    [
        "$713.10 on groceries in October 2026",
        "6 purchases, 1–31 Oct · refunds netted, transfers left out",
        "Trader Joe's 402.15 · AT&T -5.00 · Store #12 (50 %) at 12:30, a|b, ~5, 1.5 + 2",
    ],
)
def test_everyday_text_stands_as_it_is(text):
    assert escape(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x00b\x1b[31mc\x7f\x85", "ab[31mc"),
        ("a\tb\x0bc\u2028d", "a b c d"),
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("\u202egnp.exe\u2069 \u200ex\u061c", "gnp.exe x"),
        ("a\ud800b", "ab"),
        ("1\u202f234,56\u00a0€ 👩\u200d👩", "1\u202f234,56\u00a0€ 👩\u200d👩"),
    ],
)
def test_what_cannot_be_seen_or_turns_text_around_is_dropped(text, expected):
    assert clean(text) == expected
