"""A reply on Slack: within its limits, valid for the SDK's own models, complete, and with nothing in it that pings."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from slack_sdk.models.blocks import Block

from bots.bars import MOST_ROWS
from bots.cleaning import clean
from bots.fallback import shorten
from bots.limits import Slack
from bots.slack_app.blocks import render
from bots.slack_app.buttons import block_id, parse_action, parse_block_id
from bots.slack_app.wording import escape
from graph.reply import Action, Actions, Audience, File, Reply, Text
from ledger.money import Money
from tools.calls import Choice
from tools.results import Chart, Column, Fact, Table
from tools.wording import money

ABOUT = "0123456789abcdef01234567"
THREAD = "1763800000.000100"
NATIVE = {"data_table", "data_visualization"}
FACT = Fact("total", "total", Decimal("713.10"), "money", "USD")
ROW = (
    Action("Receipt", "receipt"),
    Action("Transactions", "transactions"),
    Action("September?", "ask", "and in September 2026?"),
    Action("Share", "share"),
)
ANSWER = Reply(
    "answer",
    "$713.10 on groceries in October 2026",
    (
        Text("$713.10 on groceries in October 2026", "headline"),
        Text("6 purchases, 1–31 Oct · refunds netted", "definition"),
        Text("Trader Joe's $402.15 · Costco $198.20", "details"),
        Actions(ROW),
    ),
    facts=(FACT,),
)


def shown(reply, *, shareable=True, **options):
    return render(reply, about=ABOUT, thread=THREAD, shareable=shareable, **options)


def strings(value, key=""):
    """Every text in a payload that a person can see, in order."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in {"type", "action_id", "block_id", "value", "style", "accessibility_label"}:
                yield from strings(inner, name)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner, key)
    elif isinstance(value, str):
        yield value


def visible(blocks) -> str:
    return "\n".join(strings(list(blocks)))


def types(value):
    if isinstance(value, dict):
        yield value.get("type")
        for inner in value.values():
            yield from types(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from types(inner)


def buttons(parts):
    return [
        element
        for part in parts
        for block in part.blocks
        if block["type"] == "actions"
        for element in block["elements"]
    ]


def insist_on_limits(part):
    """What Slack would refuse is refused here."""
    assert 0 < len(part.text) <= Slack.TEXT
    for blocks in (part.blocks, part.plainer):
        assert len(blocks) <= Slack.BLOCKS
        plain = [block for block in blocks if block["type"] not in NATIVE]
        for block in plain:
            assert Block.parse(block).to_dict()["type"] == block["type"]
            if block["type"] == "rich_text":
                assert 0 < len(visible([block])) <= Slack.RICH_TEXT
            if block["type"] == "context":
                assert 0 < len(visible([block])) <= Slack.TEXT_OBJECT
        tables = [block for block in blocks if block["type"] == "data_table"]
        assert sum(len(cell["text"]) for table in tables for row in table["rows"] for cell in row) <= Slack.TABLE_TEXT
        assert sum(block["type"] == "data_visualization" for block in blocks) <= Slack.CHARTS
        assert sum(len(visible([block])) for block in plain) <= Slack.BLOCKS_TEXT
        identified = [block["block_id"] for block in blocks if "block_id" in block]
        assert len(set(identified)) == len(identified)
        json.dumps(blocks, ensure_ascii=False).encode()
    assert not NATIVE & set(types(part.plainer))
    pressable = [
        element["action_id"] for block in part.blocks if block["type"] == "actions" for element in block["elements"]
    ]
    assert len(set(pressable)) == len(pressable)


def test_an_answer_is_a_header_a_line_of_definition_details_and_buttons():
    (part,) = shown(ANSWER)
    assert [block["type"] for block in part.blocks] == ["header", "context", "rich_text", "actions", "context_actions"]
    assert part.blocks == part.plainer
    assert part.text.splitlines() == [
        "$713.10 on groceries in October 2026",
        "6 purchases, 1–31 Oct · refunds netted",
        "Trader Joe's $402.15 · Costco $198.20",
        "You could ask: and in September 2026?",
    ]
    assert buttons([part])[2] == {
        "type": "button",
        "action_id": "mm:2:ask",
        "text": {"type": "plain_text", "text": "September?", "emoji": False},
        "value": "and in September 2026?",
    }
    insist_on_limits(part)


def test_nothing_is_shared_where_nobody_else_is():
    assert [button["text"]["text"] for button in buttons(shown(ANSWER, shareable=False))] == [
        "Receipt",
        "Transactions",
        "September?",
    ]


def test_only_an_answer_with_figures_that_one_person_reads_asks_whether_it_was_right():
    def asked(**changes):
        return "feedback_buttons" in list(types(shown(replace(ANSWER, **changes))[-1].blocks))

    assert asked()
    assert not asked(kind="clarify")
    assert not asked(facts=())
    assert not asked(audience=Audience.SHARED)


def test_a_press_is_traced_back_to_its_reply_its_thread_and_its_button():
    (part,) = shown(ANSWER)
    for block in part.blocks[-2:]:
        assert parse_block_id(block["block_id"]) == (ABOUT, THREAD)
    for button, action in zip(buttons([part]), ROW, strict=True):
        assert parse_action(button["action_id"], button.get("value", ""), button["text"]["text"]) == action
    assert parse_action("mm:feedback", "wrong", "") == Action("", "feedback", "wrong")


@pytest.mark.parametrize("strange", ["", "mm", "mm:0:steal", "mm:x:ask", "xx:0:ask", "mm:0:ask:1", "mm:-1:ask"])
def test_other_buttons_are_none_of_ours(strange):
    assert parse_action(strange, "", "") is None


@pytest.mark.parametrize("strange", ["", "mm", "mm::t:0", "mm:a:t", "xx:a:t:0", "mm:a:t:x", "mm:a:t:0:0", "wXyZ1"])
def test_other_blocks_are_none_of_ours(strange):
    assert parse_block_id(strange) is None


@given(st.text(min_size=1, max_size=9), st.text(max_size=9), st.integers(0, 99))
def test_any_key_and_thread_come_back(about, thread, position):
    about, thread = about.encode("utf-8", "replace").decode(), thread.encode("utf-8", "replace").decode()
    assert parse_block_id(block_id(about, thread, position)) == (about, thread)


def test_the_id_of_a_block_is_within_its_limit():
    rest = len(block_id("", "", 0))
    assert len(block_id("a" * (Slack.BLOCK_ID - rest), "", 0)) == Slack.BLOCK_ID
    with pytest.raises(ValueError, match="too long"):
        block_id("a" * (Slack.BLOCK_ID - rest + 1), "", 0)


def test_yes_stands_out_beside_no_and_deleting_warns():
    rows = (
        Actions((Action("Confirm", "confirm", "t"), Action("Cancel", "cancel", "t"))),
        Actions((Action("Undo", "confirm", "u"),)),
        Actions((Action("Delete my data", "forget"),)),
        Actions((Action("Alles löschen", "confirm", "d", "final"), Action("Cancel", "cancel", "d"))),
    )
    parts = shown(Reply("clarify", "Sure?", rows))
    assert [button.get("style") for button in buttons(parts)] == ["primary", None, None, "danger", "danger", None]
    assert [button["action_id"] for button in buttons(parts)] == [
        "mm:0:confirm",
        "mm:1:cancel",
        "mm:2:confirm",
        "mm:3:forget",
        "mm:4:confirm",
        "mm:5:cancel",
    ]


def test_choices_are_buttons_and_stand_once_in_the_text():
    choices = (Choice("Coffee Shops"), Choice("Coffee Beans"))
    (part,) = shown(Reply("clarify", "Which coffee?", (Text("Which coffee?", "headline"),), choices=choices))
    pressed = [(button["text"]["text"], button["action_id"], button["value"]) for button in buttons([part])]
    assert pressed == [("Coffee Shops", "mm:0:choose", "1"), ("Coffee Beans", "mm:1:choose", "2")]
    assert part.text == "Which coffee?\n- Coffee Shops\n- Coffee Beans"
    assert [block["type"] for block in part.blocks] == ["header", "actions"]


@pytest.mark.parametrize(("more", "whole"), [(0, True), (1, False)])
def test_a_label_is_as_long_as_a_button_takes_and_else_stands_whole_above(more, whole):
    label = ("word " * 15)[:74] + "s" * (1 + more)
    (part,) = shown(Reply("clarify", "Which?", choices=(Choice(label), Choice("Other"))))
    assert buttons([part])[0]["text"]["text"] == (label if whole else ("word " * 14).strip() + "…")
    assert ("rich_text" in [block["type"] for block in part.blocks]) is not whole
    assert label in part.text


@pytest.mark.parametrize(("more", "count"), [(0, 2), (1, 1)])
def test_a_button_whose_value_is_too_long_is_left_out_and_said(more, count):
    question = "x" * (Slack.BUTTON_VALUE + more)
    parts = shown(
        Reply("clarify", "Which?", (Actions((Action("Long", "ask", question), Action("Short", "ask", "s"))),))
    )
    assert len(buttons(parts)) == count
    assert question in "".join(part.text for part in parts)


@pytest.mark.parametrize(("count", "blocks"), [(Slack.ACTIONS_ELEMENTS, [25]), (Slack.ACTIONS_ELEMENTS + 1, [25, 1])])
def test_a_row_holds_so_many_buttons(count, blocks):
    (part,) = shown(Reply("clarify", "Which?", choices=tuple(Choice(f"c{number}") for number in range(count))))
    assert [len(block["elements"]) for block in part.blocks if block["type"] == "actions"] == blocks


@pytest.mark.parametrize(("length", "kind"), [(Slack.HEADER, "header"), (Slack.HEADER + 1, "rich_text")])
def test_a_headline_that_is_too_long_for_a_header_is_bold(length, kind):
    (part,) = shown(Reply("answer", "h" * length))
    assert part.blocks[0]["type"] == kind
    assert ("bold" in json.dumps(part.blocks)) is (kind == "rich_text")


@pytest.mark.parametrize(("role", "limit"), [("definition", Slack.TEXT_OBJECT), ("details", Slack.RICH_TEXT)])
def test_a_text_is_as_long_as_its_block_takes(role, limit):
    for more in (0, 1):
        parts = shown(Reply("answer", "x", (Text("y" * (limit + more), role),)))
        assert sum(len(part.blocks) for part in parts) == 2 + more


@pytest.mark.parametrize(("more", "messages"), [(0, 1), (1, 2)])
def test_a_message_says_no_more_than_its_text_takes(more, messages):
    parts = shown(Reply("answer", "x" * 99, (Text("y" * 3000), Text("z" * (Slack.TEXT - 3000 - 99 - 2 + more)))))
    assert len(parts) == messages
    assert max(len(part.text) for part in parts) <= Slack.TEXT


@pytest.mark.parametrize(("count", "messages"), [(Slack.BLOCKS - 1, 1), (Slack.BLOCKS, 2)])
def test_a_message_has_so_many_blocks(count, messages):
    parts = shown(Reply("answer", "x", (Text("y"),) * count))
    assert len(parts) == messages
    assert sum(len(part.blocks) for part in parts) == count + 1


def test_the_buttons_are_on_the_last_message_and_files_follow():
    long = replace(ANSWER, blocks=(File("a.csv", "text/csv", b"1"), *ANSWER.blocks, Text("more " * 2000)))
    *messages, file = shown(long)
    assert len(messages) > 1
    assert [bool(buttons([part])) for part in messages] == [False] * (len(messages) - 1) + [True]
    assert (file.text, file.blocks, file.file.data) == ("a.csv", (), b"1")


def test_narration_is_italic_and_stands_once():
    (part,) = shown(replace(ANSWER, narration="That is less than in September."))
    (italic,) = [block for block in part.blocks if '"italic": true' in json.dumps(block)]
    assert visible([italic]) == "That is less than in September."
    assert part.text.count("less than in September") == 1


def test_two_charts_are_two_messages_each_with_its_picture():
    names = tuple(str(year) for year in range(2000, 2013))
    chart = Chart(
        "Spending per year", names, tuple(map(Decimal, range(13))), "EUR", ticks=tuple((n, "") for n in names)
    )
    parts = shown(Reply("answer", "x", (chart, replace(chart, title="Income per month"))))
    assert [part.chart.title for part in parts] == ["Spending per year", "Income per month"]
    assert all(part.shows_chart for part in parts)


def test_what_a_chart_shows_is_not_said_beside_it():
    chart = Chart("Spending by merchant", ("Trader Joe's", "Costco"), (Decimal("402.15"), Decimal("198.20")), "USD")
    said = Text("Trader Joe's $402.15 · Costco $198.20", "alternative")
    (part,) = shown(replace(ANSWER, blocks=(Text(ANSWER.headline, "headline"), said, chart)))
    assert part.text.count("402.15") == visible(part.blocks).count("402.15") == 1


@pytest.mark.parametrize(("points", "listed"), [(1, True), (20, True), (21, False)])
def test_what_is_no_answer_has_no_large_headline_and_its_points_are_a_list(points, listed):
    lines = [f"· How much in {2000 + number}?" for number in range(points)]
    (part,) = shown(
        Reply("refuse", "Not in your ledger.", (Text("\n".join(("You can ask:", *lines, "", "Or wait."))),))
    )
    headline, asked = part.blocks
    assert headline["type"] == "rich_text"
    assert '"bold": true' in json.dumps(headline)
    lists = [each for each in asked["elements"] if each["type"] == "rich_text_list"]
    assert [len(each["elements"]) for each in lists] == [points] * listed
    assert part.text == "\n".join(("Not in your ledger.", "You can ask:", *lines, "", "Or wait."))
    insist_on_limits(part)


@pytest.mark.parametrize(
    "reply", [Reply("answer", ""), Reply("answer", "\x00", (Text(" "),)), Reply("clarify", "", choices=(Choice(""),))]
)
def test_a_reply_without_words_is_still_a_message(reply):
    (part,) = shown(reply)
    assert part.text == "…"


HOSTILE = [
    "<!channel> <!here|x> <@U012ABC> <#C012ABC> <!subteam^S012>",
    "<https://evil.example|your bank> https://evil.example www.evil.example",
    ":smile: :rotating_light: *bold* _it_ ~no~ `code` ```fence``` > quote",
    "@channel @here @everyone &lt;!channel&gt; &amp;lt;",
    "\u202e<!here>\u2066\x00\x1b[31m",
]


@pytest.mark.parametrize("memo", HOSTILE)
def test_nothing_in_data_becomes_a_mention_link_emoji_or_markup(memo):
    table = Table((Column(memo), Column("Amount", "money")), ((memo, Money(-5, "EUR")),) * 120, memo)
    chart = Chart(memo, (memo, "b"), (Decimal(1), Decimal(2)), "EUR")
    texts = [Text(memo, role) for role in ("headline", "definition", "details", "narration", "body")]
    reply = Reply(
        "clarify", memo, (*texts, table, chart, File(memo, "text/csv", b"")), choices=(Choice(memo),), narration=memo
    )
    for part in shown(reply):
        insist_on_limits(part) if part.file is None else None
        assert not set("<>") & set(part.text)
        assert re.sub(r"&(amp|lt|gt);", "", part.text).count("&") == 0
        for blocks in (part.blocks, part.plainer):
            used = set(types(list(blocks)))
            assert used <= {
                *("header", "context", "rich_text", "actions", "button", "plain_text", "text", "bar", None),
                *("rich_text_section", "rich_text_preformatted", "raw_text", "raw_number", *NATIVE),
            }
            assert '"emoji": true' not in json.dumps(blocks)
            assert not re.search("[\x00\x1b\u202e\u2066]", visible(blocks))


words = st.lists(st.from_regex(r"[a-zA-Z<>&:*_`#@äß日👍]{1,14}", fullmatch=True), max_size=8).map(" ".join)
minor = st.integers(-(10**9), 10**9)
tables = st.builds(
    lambda rows, title: Table((Column("Name"), Column("Amount", "money"), Column("Day", "date")), tuple(rows), title),
    st.lists(
        st.tuples(words, minor.map(lambda number: Money(number, "EUR")), st.none() | st.dates(date(2000, 1, 1))),
        max_size=30,
    ),
    words,
)
charts = st.builds(
    lambda pairs, title: Chart(
        title, tuple(name for name, _ in pairs), tuple(Money(number, "EUR").amount for _, number in pairs), "EUR"
    ),
    st.lists(st.tuples(words, minor), max_size=25),
    words,
)
texts = st.builds(
    Text,
    words | st.lists(words, max_size=60).map("\n".join),
    st.sampled_from(["headline", "definition", "details", "narration", "body"]),
)
actions = st.lists(st.builds(Action, words, st.just("ask"), words), max_size=30).map(lambda row: Actions(tuple(row)))
replies = st.builds(
    Reply,
    st.sampled_from(["answer", "clarify"]),
    words,
    st.lists(texts | tables | charts | actions, max_size=6).map(tuple),
    facts=st.sampled_from([(), (FACT,)]),
    choices=st.lists(st.builds(Choice, words), max_size=4).map(tuple),
    narration=words,
)


@settings(deadline=None, max_examples=30)
@given(replies, st.sampled_from(["en_US", "de_DE", "fr_FR"]))
@example(Reply("answer", "&" * 150, (Text("&" * 9000), Text('"\\' * 4000, "definition"))), "en_US")
def test_every_message_is_within_the_limits_and_valid(reply, locale):
    for part in shown(reply, locale=locale):
        if part.file is None:
            insist_on_limits(part)
            assert part.blocks or part.text == unsaid(reply)


@settings(deadline=None, max_examples=30)
@given(replies)
@example(Reply("answer", ":", (Text("", "headline"),), facts=(FACT,)))
def test_every_word_is_read_in_order_in_the_text_and_in_the_blocks(reply):
    reply = replace(reply, blocks=tuple(block for block in reply.blocks if isinstance(block, Text)), choices=())
    expected = ([] if any(block.role == "headline" for block in reply.blocks) else reply.headline.split()) + [
        word for block in (*reply.blocks, Text(reply.narration)) for word in block.text.split()
    ]
    parts, wordless = [], []
    for part in shown(reply):
        (wordless if {block["type"] for block in part.blocks} <= _BUTTONS else parts).append(part)
    assert all(part.text == unsaid(reply) for part in wordless)
    assert [word for part in parts for word in html.unescape(part.text).split()] == expected
    assert [word for part in parts for word in visible(part.blocks).split() if word not in _FEEDBACK] == expected


_FEEDBACK = {"This", "is", "right", "wrong"}
_BUTTONS = {"actions", "context_actions"}


def unsaid(reply) -> str:
    """What a message says as text whose blocks hold no words."""
    return escape(shorten(clean(reply.headline).strip(), Slack.HEADER)) or "…"


@settings(deadline=None, max_examples=30)
@given(replies, st.sampled_from(["en_US", "de_DE", "fr_FR"]))
def test_the_text_and_the_plainer_form_hold_every_figure_that_no_file_holds(reply, locale):
    parts = shown(reply, locale=locale)
    said = html.unescape("\n".join(part.text for part in parts))
    plainer = "\n".join(visible(part.plainer) for part in parts)
    files = "\n".join(part.file.data.decode() for part in parts if part.file)
    for block in reply.blocks:
        if isinstance(block, Table):
            for figure in (row[1] for row in block.rows):
                in_words = money(figure, locale)
                assert (in_words in said and in_words in plainer) or f",{figure.amount},EUR," in files
        elif isinstance(block, Chart):
            each = [in_cents(value, locale) for value in block.values]
            assert all(figure in said for figure in each)
            assert all(figure in plainer for figure in each) or all(
                figure in plainer for figure in in_bars(block.values, locale)
            )


def in_cents(value: Decimal, locale: str) -> str:
    return money(Money(int(value.scaleb(2)), "EUR"), locale)


def in_bars(values: tuple[Decimal, ...], locale: str) -> list[str]:
    """What a chart's bars tell: the largest values, and the others in one sum."""
    largest = sorted(values, key=lambda value: -abs(value))
    most = len(largest) if len(largest) <= MOST_ROWS else MOST_ROWS - 1
    others = [sum(largest[most:])] if largest[most:] else []
    return [in_cents(value, locale) for value in (*largest[:most], *others)]
