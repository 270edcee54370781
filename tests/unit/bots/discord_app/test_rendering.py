"""A reply on Discord: within its limits, complete, readable on a phone, and with nothing in it that pings or links."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bots.bars import rows_of
from bots.cleaning import clean
from bots.discord_app.buttons import page_meant, parse_custom_id
from bots.discord_app.posts import Draft, mark_of, settled_body
from bots.discord_app.rendering import TABLE, Part, narration, render, turned
from bots.discord_app.web import Upload
from bots.limits import Discord
from graph.reply import Action, Actions, Audience, File, Reply, Text
from ledger.filters import Filter
from ledger.money import Money
from ledger.periods import Period
from ledger.transactions import Flow
from tests.support.discord_fake.bodies import Upload as Sent
from tests.support.discord_fake.bodies import check_body
from tests.support.discord_fake.reading import read
from tools.calls import Choice
from tools.results import Chart, Column, Fact, Table
from tools.wording import money

ABOUT = "0123456789abcdef01234567"
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
EVER = Period(date.min, date.max, "ever")
#: Our own markup: the forms of texts, and tables.
OURS = {"heading", "bold", "subtext", "italic", "code"}


def shown(reply, *, shareable=True, **options):
    return render(reply, about=ABOUT, shareable=shareable, **options)


def labels(parts):
    return [[button.label for button in row] for row in parts[-1].rows]


def insist_on_limits(parts):
    """What Discord would refuse is refused here."""
    for part in parts:
        assert len(part.spoken.content) <= Discord.CONTENT
        assert part.content.strip() or part.file or part.chart
        part.content.encode()
    assert not any(part.rows for part in parts[:-1])
    rows = parts[-1].rows
    assert len(rows) + any(part.pages for part in parts) <= Discord.ROWS
    assert all(1 <= len(row) <= Discord.ROW_BUTTONS for row in rows)
    pressable = [button for row in rows for each in row for button in getattr(each, "options", (each,))]
    assert all(1 <= len(button.label) <= Discord.BUTTON_LABEL for button in pressable)
    assert all(parse_custom_id(button.custom_id).about == ABOUT for button in pressable)
    assert all(len(button.custom_id) <= Discord.CUSTOM_ID for button in pressable)
    assert len({button.custom_id for button in pressable}) == len(pressable)


def test_an_answer_is_a_heading_a_quiet_line_details_and_buttons():
    (part,) = shown(ANSWER)
    assert part.content.splitlines() == [
        "## $713.10 on groceries in October 2026",
        "-# 6 purchases, 1–31 Oct · refunds netted",
        "Trader Joe's $402.15 · Costco $198.20",
    ]
    assert labels([part]) == [["Receipt", "Transactions", "September?", "Share"], ["👍", "👎"]]
    assert (part.file, part.chart) == (None, None)
    insist_on_limits([part])


def test_nothing_is_shared_where_nobody_else_is():
    assert labels(shown(ANSWER, shareable=False))[0][:3] == ["Receipt", "Transactions", "September?"]


def test_only_an_answer_with_figures_that_one_person_reads_asks_whether_it_was_right():
    def asked(**changes):
        return ["👍", "👎"] in [row[-2:] for row in labels(shown(replace(ANSWER, **changes)))]

    assert asked()
    assert not asked(kind="clarify")
    assert not asked(facts=())
    assert not asked(audience=Audience.SHARED)


@pytest.mark.parametrize("kind", ["refuse", "error"])
def test_what_is_no_answer_has_no_large_headline(kind):
    (part,) = shown(Reply(kind, "Not in your ledger.", (Text("You can ask:\n· How much in *2026*?"),)))
    assert part.content == "**Not in your ledger.**\nYou can ask:\n· How much in \\*2026\\*?"
    assert read(part.content).marks == [("bold", "Not in your ledger.")]


@pytest.mark.parametrize("headline", ["h" * 201, "two\nlines", "Store #", "Store ###"])
def test_a_headline_that_a_heading_would_not_show_whole_is_bold(headline):
    (part,) = shown(Reply("answer", headline))
    reading = read(part.content)
    assert set(reading.kinds) == {"bold"}
    assert reading.text == headline


@pytest.mark.parametrize("headline", ["h" * 200, "# Store", "*", "- 5 *", "1. x"])
def test_a_headline_is_a_heading_and_nothing_else(headline):
    (part,) = shown(Reply("answer", headline))
    assert read(part.content).marks == [("heading", headline)]


def test_every_line_of_a_definition_is_quiet_and_of_a_narration_italic():
    (part,) = shown(
        Reply("answer", "x", (Text("one *a*\n\n two", "definition"),), narration="That is *less*.\nThan before.")
    )
    assert read(part.content).marks == [
        ("heading", "x"),
        ("subtext", "one *a*"),
        ("subtext", "two"),
        ("italic", "That is *less*."),
        ("italic", "Than before."),
    ]
    assert part.content.endswith(narration("That is *less*.\nThan before."))


def test_choices_are_buttons_and_are_said_only_where_a_button_is_too_short():
    long = "How much did I spend on coffee in October?"
    choices = (Choice("Coffee Shops"), Choice(long))
    offered = Reply("clarify", "Which coffee?", (Text("Which coffee?", "headline"),), choices=choices)
    (part,) = shown(offered)
    assert labels([part]) == [["Coffee Shops", long]]
    assert part.content == f"## Which coffee?\n· {long}"
    (part,) = shown(replace(offered, blocks=(*offered.blocks, Text(f"You can ask:\n· {long}"))))
    assert part.content.count(long) == 1


def test_what_has_no_button_is_said():
    rows = (Actions((Action("", "confirm", "t"), Action(" ", "ask", "in May?"), Action("", "share"))),)
    (part,) = shown(Reply("clarify", "Sure?", rows))
    assert part.content == "## Sure?\nSay “yes” for “”.\nYou could ask: in May?"
    assert part.rows == ()


def test_long_text_is_cut_between_words_and_the_buttons_are_on_the_last_message():
    words = [f"word{number}" for number in range(900)]
    parts = shown(replace(ANSWER, blocks=(*ANSWER.blocks, Text(" ".join(words)))))
    assert len(parts) > 3
    assert [word for part in parts for word in part.content.split() if word.startswith("word")] == words
    assert [bool(part.rows) for part in parts] == [False] * (len(parts) - 1) + [True]
    insist_on_limits(parts)


TONES = [
    (replace(ANSWER, behind=(Filter(EVER, flow=Flow.SPENDING),)), "out"),
    (replace(ANSWER, behind=(Filter(EVER, flow=Flow.INCOME),)), "in"),
    (replace(ANSWER, behind=(Filter(EVER, flow=Flow.SPENDING), Filter(EVER, flow=Flow.INCOME))), ""),
    (replace(ANSWER, blocks=(Chart("x", ("a", "b"), (Decimal(1), Decimal(2)), "USD", flow="in"),)), "in"),
    (Reply("clarify", "Import?", (Actions((Action("Import", "confirm"), Action("Cancel", "cancel"))),)), "asks"),
    (Reply("refuse", "Not in your ledger."), "none"),
    (ANSWER, ""),
]


@pytest.mark.parametrize(("reply", "tone"), TONES)
def test_it_is_known_what_an_answer_is_about(reply, tone):
    assert [part.tone for part in shown(reply)] == [tone]


def test_a_file_goes_with_what_it_belongs_to_and_two_are_two_messages():
    files = (File("a.csv", "text/csv", b"1"), File("b.csv", "text/csv", b"2"))
    one, two = shown(Reply("answer", "Export", (*files, Actions((Action("Receipt", "receipt"),)))))
    assert (one.content, one.file, two.content, two.file) == ("## Export", files[0], "", files[1])
    assert (one.rows, len(two.rows)) == ((), 1)


def test_two_charts_are_two_messages_each_with_its_picture_and_its_amounts_for_where_it_is_missing():
    chart = Chart("Spending per month", ("Sep", "Oct"), (Decimal("1.50"), Decimal(-2)), "EUR")
    one, two = shown(Reply("answer", "x", (chart, replace(chart, title="Income *", currency=None))), locale="de_DE")
    assert (one.chart.title, two.chart.title) == ("Spending per month", "Income *")
    assert (one.content, two.content) == ("## x", "")
    assert one.spoken.content == "## x\n```\nSep ██████  1,50\u00a0€\nOct        -2,00\u00a0€\n```"
    assert read(two.spoken.content).marks == [("code", "Sep ██████ 1,5\nOct         -2")]


def test_what_a_chart_shows_is_not_said_beside_it():
    chart = Chart("Spending by merchant", ("Trader Joe's", "Costco"), (Decimal("402.15"), Decimal("198.20")), "USD")
    said = Text("Trader Joe's $402.15 · Costco $198.20", "alternative")
    (part,) = shown(replace(ANSWER, blocks=(Text(ANSWER.headline, "headline"), said, chart)))
    assert (part.content.count("402.15"), part.spoken.content.count("402.15")) == (0, 1)


def test_a_chart_of_nothing_is_nothing():
    (part,) = shown(replace(ANSWER, blocks=(*ANSWER.blocks, Chart("Empty", (), (), "USD"))))
    assert part == shown(ANSWER)[0]


def purchases(count, *ends):
    rows = tuple((date(2026, 10, 1), f"Shop {number}", Money(-100 - number, "USD")) for number in range(count))
    columns = (Column("Date", "date"), Column("Shop"), Column("Amount", "money"))
    return Table(columns, (*rows, *ends), "Purchases")


def test_a_short_table_is_aligned_and_needs_no_file():
    (part,) = shown(Reply("answer", "x", (purchases(2, (None, "Sum", Money(-201, "USD"))),)))
    assert part.file is None
    assert part.content.split("\n", 1)[1] == (
        "**Purchases**\n```\nDate       Shop   Amount\n1 Oct 2026 Shop 0 -$1.00\n1 Oct 2026 Shop 1 -$1.01\n"
        "           Sum    -$2.01\n```"
    )


def test_of_a_long_table_the_first_rows_are_shown_above_its_sum_and_all_are_in_a_file():
    (part,) = shown(Reply("answer", "x", (purchases(60, (None, "Sum", Money(-7770, "USD"))),)))
    assert part.content.count("1 Oct 2026") == 20
    assert "Sum     -$77.70\n```\n-# 1–20 of 60\nThe sum is over all 60 rows, which are in the file." in part.content
    assert part.file.data.decode().count("2026-10-01") == 60
    (plain,) = shown(Reply("answer", "x", (purchases(60),)))
    assert plain.content.endswith("```\n-# 1–20 of 60\nAll 60 rows are in the file.")


def pages(reply, locale="en_US", table=0):
    """Every page that one can turn to, each with what can be pressed below it."""
    found = []
    while (page := turned(reply, ABOUT, table, len(found), locale)) is not None:
        found.append(page)
    return found


def test_every_row_of_a_long_table_is_on_one_page_with_the_sum_below():
    table = purchases(47, (None, "Sum", Money(-5781, "USD")))
    reply = Reply("answer", "x", (purchases(2), table), language="de")
    (part,) = shown(replace(reply, blocks=(table,)))
    found = pages(reply, table=1)
    assert [text.splitlines()[-1] for text, _ in found] == ["-# 1–20 von 47", "-# 21–40 von 47", "-# 41–47 von 47"]
    rows = [line for text, _ in found for line in text.splitlines() if " Shop " in line]
    assert [line.split()[4] for line in rows if "Oct" in line] == [str(number) for number in range(47)]
    assert all("-$57.81" in text for text, _ in found)
    assert [[(button.label, button.disabled) for button in row] for _, row in found] == [
        [("Zurück", True), ("Weiter", False)],
        [("Zurück", False), ("Weiter", False)],
        [("Zurück", False), ("Weiter", True)],
    ]
    assert part.texts[TABLE] == pages(replace(reply, blocks=(table,)))[0][0]
    back, on = (page_meant(parse_custom_id(button.custom_id)) for button in found[1][1])
    assert (back, on) == ((1, 0), (1, 2))


def test_what_stands_there_whole_has_no_pages():
    reply = Reply("answer", "x", (purchases(20),))
    assert (shown(reply)[0].pages, pages(reply)) == ((), [])
    assert turned(Reply("answer", "x"), ABOUT, 0, 0, "en_US") is None


def test_what_everyone_reads_has_no_pages():
    (part,) = shown(Reply("answer", "x", (purchases(60),), audience=Audience.SHARED))
    assert part.pages == ()


@pytest.mark.parametrize("length", [1, 8, 80])
def test_no_page_is_too_long_for_its_message_and_none_is_without_its_rows(length):
    columns = (Column("Day", "date"), Column("Shop"), Column("Category"), Column("Account"), Column("Sum", "money"))
    words = {number: ("shop " * (length * (number > 12))).strip() for number in range(60)}
    rows = tuple((date(2026, 10, 1), words[number], "Groceries", "Visa", Money(-number, "USD")) for number in range(60))
    reply = Reply("answer", "x", (Table(columns, (*rows, (None, "Sum", None, None, Money(-7, "USD"))), "Rows"),))
    insist_on_limits(shown(reply))
    found = pages(reply)
    assert all(len(text) <= 1_800 for text, _ in found)
    sums = [figure for text, _ in found for figure in re.findall(r"\$0\.\d\d", text) if figure != "$0.07"]
    assert sums == [f"$0.{number:02}" for number in range(60) if number != 7]


def test_what_everyone_reads_has_no_file_and_says_so():
    sums = ((None, "Sum", Money(-7770, "USD")), (None, "Sum", Money(-1, "EUR")))
    reply = Reply("answer", "x", (purchases(60), File("a.csv", "text/csv", b"1")), audience=Audience.SHARED)
    (part,) = shown(reply)
    assert part.file is None
    assert part.content.endswith("```\nNot shown: 40 rows.")
    (part,) = shown(replace(reply, blocks=(purchases(60, *sums),)))
    assert part.content.endswith("```\nThe sums are over all 60 rows.")


def test_a_cell_that_is_cut_stands_whole_in_the_file():
    name = "A shop with a name that no phone shows on one line"
    (part,) = shown(Reply("answer", "x", (Table((Column("Shop"), Column("n", "count")), ((name, 2),) * 13),)))
    assert name not in part.content
    assert name in part.file.data.decode()


def test_few_rows_that_do_not_fit_side_by_side_are_lines_and_need_no_file():
    name = "A shop with a *name* that no phone shows on one line"
    columns = (Column("Date", "date"), Column("Shop"), Column("Amount", "money"))
    rows = ((date(2026, 10, 1), name, Money(-123456, "EUR")), (None, "Sum", Money(-123456, "EUR")))
    (part,) = shown(Reply("answer", "x", (Table(columns, rows),)), locale="de_DE")
    assert part.file is None
    lines = part.content.split("\n")[1:]
    assert lines == [
        "**-1.234,56\xa0€ A shop with a \\*name\\* that no phone shows on one line**",
        "-# 1 Oct 2026",
        "**-1.234,56\xa0€ Sum**",
    ]


def test_a_cell_that_is_cut_in_one_row_and_whole_in_another_counts_as_cut():
    columns = (Column("Date", "date"), Column("Merchant"), Column("Account"), Column("Amount", "money"))
    row = (date(2026, 10, 1), "Shop", "Visa Card", Money(-100, "USD"))
    rows = (row, (date(2026, 10, 1), "A shop with a longish name", "Visa Card", Money(-100, "USD")))
    (part,) = shown(Reply("answer", "x", (Table(columns, rows),)))
    assert "**-$1.00 A shop with a longish name**\n-# 1 Oct 2026 · Visa Card" in part.content
    (part,) = shown(Reply("answer", "x", (Table(columns, rows * 9),)))
    assert part.file is not None


def test_of_several_amounts_in_a_row_each_is_named_and_none_stands_out():
    columns = (Column("Category"), *(Column(title, "money") for title in ("Before", "Now", "Change")))
    row = ("Home Furnishings and whatever else", *(Money(cents, "USD") for cents in (38182, 65571, 27389)))
    (part,) = shown(Reply("answer", "x", (Table(columns, (row,)),)))
    assert part.content.split("\n")[1:] == [
        "**Home Furnishings and whatever else**",
        "-# Before $381.82 · Now $655.71 · Change $273.89",
    ]


def test_words_alone_that_do_not_fit_side_by_side_are_lines_and_none_is_cut():
    columns = (Column("Setting"), Column("Value"), Column("What it says"))
    rows = (
        ("Payday", "*15*", "the day of the month on which you are paid"),
        ("Time zone", None, "where your day ends"),
    )
    (part,) = shown(Reply("answer", "Settings", (Table(columns, rows),)))
    assert part.file is None
    assert "**Payday**\n-# \\*15\\* · the day of the month on which you are paid" in part.content
    assert "**Time zone**\n-# where your day ends" in part.content


def test_only_a_file_of_more_rows_than_are_shown_is_named_after_the_period():
    october = Period(date(2026, 10, 1), date(2026, 10, 31), "October")
    long = (date(2026, 10, 1), "A shop with a name that is too long", Money(1, "USD"))
    long = replace(purchases(1), rows=(long,) * 13)
    for table, name in ((purchases(60), "purchases-2026-10-01-2026-10-31.csv"), (long, "purchases.csv")):
        (part,) = shown(Reply("answer", "x", (table,), period=october))
        assert part.file.name == name


def test_a_table_without_words_is_nothing():
    (part,) = shown(Reply("answer", "x", (Table((Column("", "text"),), (("",), (None,))),)))
    assert part == Part(("## x", "", "", ""))


def test_rows_that_fit_into_no_message_are_in_the_file():
    columns = tuple(Column(f"n{number}", "number") for number in range(200))
    (part,) = shown(Reply("answer", "x", (Table(columns, ((10**9,) * 200,), "Wide"),)))
    assert part.content == "## x\n**Wide**\nThe whole table is in the file."
    assert (part.pages, pages(Reply("answer", "x", (Table(columns, ((10**9,) * 200,) * 50, "Wide"),)))) == ((), [])
    assert part.file is not None


@pytest.mark.parametrize(
    "reply", [Reply("answer", ""), Reply("answer", "\x00", (Text(" "),)), Reply("clarify", "", choices=(Choice(""),))]
)
def test_a_reply_without_words_is_still_a_message(reply):
    assert shown(reply) == (Part(("…", "", "", "")),)


HOSTILE = [
    "@everyone @here <@80351110224678912> <@&165511591545143296> <#103735883630395392> </a b:123456789012345678>",
    "https://evil.example [your bank](https://evil.example) <https://evil.example> discord.gg/abc <t:1618953630:R>",
    ":smile: <:mmLol:216154654256398347> **b** _i_ ~~no~~ ||s|| `code` ```fence``` > quote\n> quote\n# head\n-# sub\n- x",
    "\u202e@\x00everyone\u2066 *a\n*b \\",
    "``` @everyone ```\n```",
]


@pytest.mark.parametrize("memo", HOSTILE)
@pytest.mark.parametrize("audience", list(Audience))
def test_nothing_in_data_pings_links_or_formats(memo, audience):
    table = Table((Column(memo), Column("Amount", "money")), ((memo, Money(-5, "EUR")),) * 60, memo)
    chart = Chart(memo, (memo, "b"), (Decimal(1), Decimal(2)), "EUR")
    texts = [Text(memo, role) for role in ("headline", "definition", "details", "narration", "body")]
    blocks = (*texts, table, chart, File(memo, "text/csv", b""))
    parts = shown(Reply("clarify", memo, blocks, choices=(Choice(memo),), narration=memo, audience=audience))
    insist_on_limits(parts)
    for part in parts:
        reading = read(part.content)
        assert reading.live == []
        assert set(reading.kinds) <= OURS
        codes = [inner for kind, inner in reading.marks if kind == "code"]
        assert part.content.count("```") == 2 * len(codes)


pieces = st.sampled_from(
    [
        *"*_~|`\\[]()<>@#:/-+.!&\n \u202e\x00",
        *("**", "||", "```", "](", "<@1>", "@everyone", "://", "https://a.b", "discord.gg/a", "-# ", "# ", "> ", "1. "),
        *("word", "12.50 €", "日本", "👩\u200d👩", "a" * 90),
    ]
)
words = st.lists(pieces, max_size=30).map("".join) | st.text(max_size=40)
texts = st.builds(
    Text,
    words | st.lists(words, max_size=60).map("\n".join),
    st.sampled_from(["headline", "definition", "details", "narration", "body"]),
)
amounts = st.integers(-(10**9), 10**9)
tables = st.builds(
    lambda title, rows: Table(
        (Column("Shop"), Column("Amount", "money"), Column("Day", "date")),
        tuple((shop, Money(minor, "EUR"), date(2026, 10, 1)) for shop, minor in rows),
        title,
    ),
    words,
    st.lists(st.tuples(words, amounts), max_size=50),
)
charts = st.builds(
    lambda title, points: Chart(
        title, tuple(name for name, _ in points), tuple(Decimal(minor).scaleb(-2) for _, minor in points), "EUR"
    ),
    words,
    st.lists(st.tuples(words, amounts), max_size=50),
)
actions = st.lists(
    st.builds(Action, words, st.sampled_from(["ask", "confirm", "cancel", "share", "forget"]), words), max_size=30
).map(lambda row: Actions(tuple(row)))
replies = st.builds(
    Reply,
    st.sampled_from(["answer", "clarify", "refuse"]),
    words,
    st.lists(texts | tables | charts | actions, max_size=6).map(tuple),
    audience=st.sampled_from(list(Audience)),
    facts=st.sampled_from([(), (FACT,)]),
    choices=st.lists(st.builds(Choice, words), max_size=4).map(tuple),
    narration=words,
)
#: Every place is taken, and every button.
FULLEST = Reply(
    "answer",
    "h" * 190,
    (
        Text("d" * 200, "definition"),
        Text("b" * 200),
        Table((Column("n", "count"),), tuple((number,) for number in range(60))),
        Chart("c", ("a", "b"), (Decimal(1), Decimal(2)), "EUR"),
        Text("r" * 200),
        Actions((Action("Transactions", "transactions"), *(Action(f"b{number}", "receipt") for number in range(30)))),
    ),
    facts=(FACT,),
)
locales = st.sampled_from(["en_US", "de_DE", "fr_FR"])


@settings(deadline=None, max_examples=30)
@given(replies, locales)
@example(Reply("answer", "#" * 150, (Text("*" * 9000), Text('"\\' * 4000, "definition"))), "en_US")
def test_every_message_is_within_the_limits_and_nothing_in_it_is_live(reply, locale):
    parts = shown(reply, locale=locale)
    insist_on_limits(parts)
    for part in parts:
        reading = read(part.content)
        assert reading.live == []
        assert set(reading.kinds) <= OURS


@settings(deadline=None, max_examples=60)
@given(replies, locales)
@example(FULLEST, "en_US")
def test_every_card_is_one_that_discord_takes_whatever_is_added_to_it(reply, locale):
    for number, part in enumerate(shown(reply, locale=locale)):
        files = [Upload(part.file.name, "text/csv", b"1")] if part.file else []
        files += [Upload("chart.png", "image/png", b"1", "what it shows", part.instead)] if part.chart else []
        draft = Draft(part, mark_of(ABOUT, number), tuple(files))
        room = Discord.CONTENT - len(draft.content) - 1
        told = {**draft.body(), **draft.told("s" * max(room, 0))}
        settled = {**told, **settled_body(told, "w" * 300)}
        for body in (draft.body(), told, settled, replace(draft, plain=True).body()):
            named = {f"files[{place}]": (file.attached, b"1") for place, file in enumerate(files)}
            check_body(Sent(body, named))


@pytest.mark.parametrize(
    "texts",
    [
        ("", "a \\*b " * 330, "", ""),
        ("", "", "```\n" + "Costco -12.00\n" * 135 + "```\n-# 1–135 of 300", "All rows are in the file."),
        ("## Here", "x" * 1990, "", ""),
    ],
    ids=["escapes", "code", "one word"],
)
def test_what_is_said_of_a_file_that_discord_does_not_take_stays_whole(texts):
    part = Part(texts)
    assert 1900 < len(part.content) <= Discord.CONTENT
    draft = Draft(part, 1, (Upload("transactions.csv", "text/csv", b"1"),))
    for told in (draft.without(draft.files), draft.without(draft.files).plainer()):
        content = replace(told, plain=True).body()["content"]
        *kept, note = content.split("\n")
        assert note == "Discord does not take the file transactions.csv; it is 0.0 KB."
        assert len(content) <= Discord.CONTENT
        assert content.count("```") % 2 == 0
        assert not any(line.endswith("\\") for line in kept)
        assert texts[3] in content


@settings(deadline=None, max_examples=30)
@given(replies)
def test_every_word_is_read_in_order(reply):
    reply = replace(reply, blocks=tuple(block for block in reply.blocks if isinstance(block, Text)), choices=())
    expected = ([] if any(block.role == "headline" for block in reply.blocks) else clean(reply.headline).split()) + [
        word for block in (*reply.blocks, Text(reply.narration)) for word in clean(block.text).split()
    ]
    parts = [part for part in shown(reply) if part.content != "…"]
    read_words = [word for part in parts for word in read(part.content).words]
    if any(len(word) > 200 for word in expected):  # a word that fits nowhere is cut in itself
        assert "".join(read_words) == "".join(expected)
    else:
        assert read_words == expected


@settings(deadline=None, max_examples=30)
@given(replies, locales)
def test_every_figure_stands_in_the_text_or_in_a_file(reply, locale):
    reply = replace(reply, audience=Audience.PRIVATE)
    parts = shown(reply, locale=locale)
    said = "\n".join(part.spoken.content for part in parts)
    files = "\n".join(part.file.data.decode() for part in parts if part.file)
    for block in reply.blocks:
        figures = []
        if isinstance(block, Table):
            figures = [row[1] for row in block.rows]
        elif isinstance(block, Chart):
            shown_rows, rest = rows_of(block)
            each = [row.value for row in shown_rows] + ([sum(rest)] if rest else [])
            figures = [Money(int(value.scaleb(2)), "EUR") for value in each]
        for figure in figures:
            assert money(figure, locale) in said or f",{figure.amount},EUR" in files
