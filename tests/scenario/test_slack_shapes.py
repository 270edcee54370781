"""How answers look in Slack: tables and charts, what stands in for them, long ones, names that mean harm, and the status."""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal

import pytest
import pytest_asyncio

from tests.support.slack.visit import LINES, OCTOBER, category, dollars, open_house, table

pytestmark = pytest.mark.asyncio(loop_scope="module")

GROCERIES = "How much did I spend on groceries last month?"
BY_CATEGORY = "Spending by category last month"
#: Each is the name of a shop, with a spending of its own.
HOSTILE = (
    "<!channel>", "<!here|here>", "<@U2BEN>", "@everyone", "<#C1GENERAL>", "https://evil.example/x", "www.evil.example.com",
    "<https://evil.example|Your Bank>", "[Your Bank](https://evil.example)", "mailto:ana@evil.example", "*bold*", "_it_ ~no~",
    "`code`", "```fence", ":tada:", '=HYPERLINK("https://evil.example")', "+1-800-EVIL", "@SUM(A1)", "> quoted", "&lt;!channel&gt;",
    "\u202eevil\u2069", "# heading",
)  # fmt: skip

FORMULAS = ("=", "+", "-", "@", "\t", "\r")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    async with open_house(tmp_path_factory.mktemp("shapes")) as opened:
        opened.slack.rules.native_in_views = True
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def plain(tmp_path_factory):
    """A workspace that has none of Slack's newer things."""
    async with open_house(tmp_path_factory.mktemp("plain")) as opened:
        opened.slack.native_blocks = False
        opened.slack.agent_sessions = "feature_disabled"
        opened.refusals |= {"invalid_blocks", "feature_disabled"}
        opened.warnings.add("slack_blocks_refused")
        yield opened


def bank(rows):
    """A bank file of days, names and amounts."""
    out = io.StringIO()
    csv.writer(out).writerows([("Date", "Description", "Amount (USD)"), *rows])
    return out.getvalue().encode()


def kinds(seen):
    return [block["type"] for block in seen.payload["blocks"]]


def files_of(who):
    return [file for seen in who.answers for file in seen.files]


def cells_of(who):
    """The cells of all files that someone was given, but for figures."""
    rows = [row for file in files_of(who) for row in csv.reader(io.StringIO(file.data.decode("utf-8-sig")))]
    return [cell for row in rows for cell in row if not re.fullmatch(r"-?[\d.]*", cell)]


# -- tables and charts


async def test_a_chart_is_rows_of_bars_and_a_table_slacks_own(house):
    ana = await house.visitor()
    answer = await ana.ask(BY_CATEGORY)
    [row] = [line for line in answer.text.splitlines() if line.startswith("Groceries")]
    assert row.endswith(f" {dollars(LINES, category('Groceries'), OCTOBER)}")
    listed = await ana.press(answer, "Transactions")
    [rows] = [block for block in listed.payload["blocks"] if block["type"] == "data_table"]
    amounts = [Decimal(str(cell["value"])) for row in rows["rows"][1:-1] for cell in row if "$" in cell["text"]]
    assert f"${-sum(amounts):,.2f}" == dollars(LINES, OCTOBER)
    assert files_of(ana) == [], "no picture of what is shown"


async def test_every_message_says_in_its_text_what_its_blocks_show(house):
    ana = await house.visitor()
    answer = await ana.ask(BY_CATEGORY)
    listed = await ana.press(answer, "Transactions")
    for seen in (answer, listed):
        assert dollars(LINES, OCTOBER) in seen.payload["text"]
    assert dollars(LINES, category("Groceries"), OCTOBER) in answer.payload["text"]
    assert listed.payload["text"].count("$") >= len(table(listed))


async def test_where_slack_draws_nothing_there_is_text_with_every_cent(plain):
    ana, ben = await plain.visitor(), await plain.visitor()
    answer = await ana.ask(BY_CATEGORY)
    assert not {"data_visualization", "data_table"} & set(kinds(answer))
    for name in ("Groceries", "Shopping", "Coffee Shops"):
        assert re.search(
            rf"^{name} [█ ]+{re.escape(dollars(LINES, category(name), OCTOBER))}$", answer.text, re.MULTILINE
        )
    assert files_of(ana) == []
    listed = await ana.press(answer, "Transactions")
    for line in filter(lambda line: category("Groceries")(line) and OCTOBER(line), LINES):
        assert f"-${-line.amount:,.2f}" in listed.text
    assert listed.text.count("Safeway") == sum(line.name == "Safeway" and OCTOBER(line) for line in LINES)
    await ben.ask(BY_CATEGORY)
    refused = [call for call in plain.slack.calls if call.error == "invalid_blocks"]
    assert len(refused) == 1, "what a workspace refused once is not tried again at once"
    place = plain.channel(ana, ben)
    private = await ana.ask(BY_CATEGORY, place)
    assert private.ephemeral
    assert private.text.split("Receipt")[0] == answer.text.split("Receipt")[0]
    assert not [seen for seen in ben.answers if seen.channel == place]


# -- long ones


async def test_a_long_list_is_a_file_in_the_thread_and_for_a_channel_in_the_direct_messages(house):
    cents = range(101, 501)
    rows = [(f"2026-{1 + i % 10:02d}-{1 + i % 27:02d}", f"SHOP {i % 37}", f"-{i}.{i % 100:02d}") for i in cents]
    total = sum((-Decimal(row[2]) for row in rows), Decimal(0))
    ana, ben = await house.visitor(data=bank(rows)), await house.visitor(None)
    for place in (None, house.channel(ana, ben)):
        known = len(files_of(ana))
        answer = await ana.ask("Show all my transactions this year", place)
        assert answer.text.startswith(f"400 transactions from 1 Jan to 21 Nov 2026: ${total:,.2f}")
        listed = await ana.press(answer, "Transactions")
        assert re.search(r"\ball 400 rows\b.* in the file", listed.text, re.IGNORECASE)
        await ana.slack.until(lambda known=known: len(files_of(ana)) > known)
        [seen] = [seen for seen in ana.answers if seen.files][known:]
        assert (seen.channel, seen.thread_ts) == (ana.dm, None if place else answer.thread_ts)
        read = list(csv.DictReader(io.StringIO(seen.files[0].data.decode("utf-8-sig"))))
        amounts = [Decimal(row["Amount"]) for row in read if row.get("Date")]
        assert (len(amounts), sum(amounts)) == (400, -total)
        if place:
            note = await ana.slack.until(lambda: [each for each in ana.answers if "our direct messages" in each.text])
            assert (note[0].channel, note[0].ephemeral) == (place, True)
    assert ben.answers == []


async def test_a_very_long_answer_comes_whole_in_several_messages(house):
    ana = await house.visitor(None)
    broken = [("31.31.2026", "x" * 400, "abc")] * 4  # each is told with its reason
    files = [
        (f"statement-{number:02d}-{'x' * 60}.csv", bank([("2026-10-05", f"SHOP {number}", "-1.00"), *broken]))
        for number in range(10)
    ]
    shown = await ana.drop(*files)
    await ana.slack.until(lambda: any(seen.labels for seen in ana.answers))
    assert len(ana.answers) > 1
    everything = "\n".join(seen.text for seen in ana.answers)
    for name, _ in files:
        assert f"{name}: 5 transactions" in everything or f"{name}: 1 transaction" in everything, name
    assert everything.startswith("10 new transactions in 10 files")
    assert shown.thread_ts == ana.answers[-1].thread_ts
    last = ana.answers[-1]
    assert last.labels[:2] == ["Import", "Cancel"], "the buttons are on the last one"
    done = await ana.press(last, "Import")
    assert done.text.startswith("Imported 10 transactions")


# -- names that mean harm


async def test_nothing_in_a_bank_file_pings_links_or_runs(house):
    rows = [
        (f"2026-{month:02d}-{day:02d}", name, f"-{day}.00")
        for month in range(1, 11)
        for day, name in enumerate(HOSTILE, 1)
    ]
    total = f"${sum(range(1, len(HOSTILE) + 1)):,}.00"
    ana, ben = await house.visitor(None), await house.visitor(None)
    place = house.channel(ana, ben)
    shown = await ana.drop(("<!channel> <@U2BEN> [x](evil.example).csv", bank(rows)))
    await ana.press(shown, "Import")
    for where in (None, place):
        answer = await ana.ask("Show my transactions in October", where)
        assert total in answer.text
        for label in ("Receipt", "Transactions"):
            await ana.press(answer, label)
        for question in (
            "Which merchants cost me the most?",
            "biggest purchase in October",
            "find evil",
            "spending in October",
        ):
            await ana.ask(question, where)
    shared = await ana.ask("Show my transactions in October", place)
    await ana.share(shared)
    await ana.press(await ana.ask("Show all my transactions this year"), "Transactions")
    await ana.slack.until(lambda: files_of(ana))
    await ana.ask("<!channel> https://evil.example *how* `much` <@U2BEN>?")
    await (await ana.slack.open_home(ana.id)).acknowledged()
    await (await ana.slack.open_home(ana.id, "messages")).acknowledged()
    home = await ana.slack.until(lambda: ana.slack.home(ana.id))
    await ana.slack.until(lambda: ana.slack.prompts(ana.id))
    said = [*ana.answers, *ben.answers]
    assert len(said) > 20
    assert [seen.text for seen in said if seen.pings or seen.links] == []
    assert {name for seen in said for name in seen.mentions} == {ana.id}, "only who shared is named"
    assert (home.shown.pings, home.shown.mentions, home.shown.links) == ((), (), ())
    for prompt in ana.slack.prompts(ana.id):
        assert not set("<>@*`") & set(prompt["message"])
    assert "HYPERLINK" in str(cells_of(ana))
    assert [cell for cell in cells_of(ana) if cell.startswith(FORMULAS)] == [], "a spreadsheet would run these"
    for call in house.slack.calls_of("chat.postMessage"):
        assert (call.arguments["unfurl_links"], call.arguments["unfurl_media"]) == (False, False)


async def test_an_export_holds_nothing_that_a_spreadsheet_runs(house):
    ana = await house.visitor(data=bank([("2026-10-05", '=HYPERLINK("https://evil.example")', "-1.00")]))
    await ana.command("export")
    await ana.slack.until(lambda: files_of(ana))
    assert [cell for cell in cells_of(ana) if cell.startswith(FORMULAS)] == []


# -- the status of a thread


CHECKING = ("checking.csv", bank([("2026-10-05", "REWE MARKT", "-20.00")]))


async def test_the_session_says_that_an_answer_is_worked_on_then_waited_for_then_done(house):
    ana = await house.visitor(None)
    house.slack.slow("files.info", 0.8)  # so that it takes long enough to be shown as worked on
    try:
        shown = await ana.drop(CHECKING)
        here = (ana.dm, shown.thread_ts)
        await house.slack.until(lambda: house.slack.session(*here).status == "suspended")
        assert house.slack.session(*here).history[0] == "processing"
        await ana.press(shown, "Import")
        await house.slack.until(lambda: house.slack.session(*here).status == "active")
    finally:
        house.slack.behave()


async def test_where_there_are_no_sessions_the_older_status_is_shown(plain):
    ana = await plain.visitor(None)
    plain.slack.slow("files.info", 0.8)
    try:
        shown = await ana.drop(CHECKING)
    finally:
        plain.slack.behave()
    words = [call.arguments for call in plain.slack.calls_of("assistant.threads.setStatus")]
    here = {"channel_id": ana.dm, "thread_ts": shown.thread_ts}
    assert {**here, "status": "is looking it up…"} in words
    await ana.press(shown, "Import")
    await plain.slack.until(lambda: plain.slack.thread_status(ana.dm, shown.thread_ts) == "")
    refused = [call for call in plain.slack.calls if call.error == "feature_disabled"]
    assert len(refused) == 1, "what is not there is asked for once"
