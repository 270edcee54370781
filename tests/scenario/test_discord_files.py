"""Files in Discord: bank files shown, imported and taken back; what goes wrong; and what the bot hands over as files."""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal

import pytest
import pytest_asyncio

from tests.support.bank_files import mint_csv
from tests.support.discord_fake.visit import labels, open_house
from tests.support.slack.visit import LINES, OCTOBER, SEPTEMBER, category, dollars

pytestmark = pytest.mark.asyncio(loop_scope="module")

BANK = b"Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n2026-10-09,REWE MARKT,-7.50\n2026-10-30,SALARY,2000.00\n"
CHECKING = ("checking.csv", BANK)
CARD = ("card.csv", b"Date,Description,Amount (USD)\n2026-10-06,NETFLIX.COM,-9.99\n")
AMBIGUOUS = b"Date,Description,Amount (CAD)\n03/04/2026,REWE MARKT,-20.00\n05/04/2026,LIDL,-5.00\n"
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(64)
PAGE = b"<!DOCTYPE html><html><body><table><tr><td>1</td></tr></table></body></html>"
REWE = "How much did I spend at REWE in October 2026?"
BY_CATEGORY = "Spending by category last month"
REFUSED = {
    "photo.png": (PICTURE, "picture"),
    "statement.pdf": (b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n", "PDF"),
    "statements.zip": (b"PK\x03\x04" + bytes(64), "ZIP"),
    "renamed.csv": (PAGE, "web page"),
    "empty.csv": (b"", "empty"),
    "list.csv": (b"name,age\nAna,41\n", "no table with a date and an amount"),
}
#: Each is the name of a shop, with a spending of its own.
HOSTILE = (
    "@everyone", "@here", "<@200000000000000002>", "<@!200000000000000002>", "<@&300000000000000001>",
    "<#400000000000000001>", "https://evil.example/x", "www.evil.example.com", "<https://evil.example>",
    "[Your Bank](https://evil.example)", "discord.gg/evil", "mailto:ana@evil.example", "*bold*", "_it_ ~~no~~", "||hid||",
    "`code`", "```fence", ":tada:", "<a:x:1>", "<t:1>", "</money:1>", '=HYPERLINK("https://evil.example")',
    "+1-800-EVIL", "@SUM(A1)", "> quoted", "-# small", "\u202eevil\u2069", "# heading",
)  # fmt: skip
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    async with open_house(tmp_path_factory.mktemp("files")) as opened:
        yield opened


async def nothing_is_there(who):
    assert "nothing in your ledger" in (await who.ask(REWE)).text


def drop(who, *files, text=""):
    return who.ask(text, files=files)


def bank(rows):
    """A bank file of days, names and amounts."""
    out = io.StringIO()
    csv.writer(out).writerows([("Date", "Description", "Amount (USD)"), *rows])
    return out.getvalue().encode()


# -- bringing files in


async def test_a_file_is_shown_then_imported_asked_about_and_taken_back(house):
    ana = await house.visitor(None)
    shown = await drop(ana, CHECKING)
    assert shown.text.startswith("3 new transactions in checking.csv\n")
    for cell in ("SALARY", "$2,000.00", "REWE MARKT", "-$7.50", "-$20.00"):
        assert cell in shown.text
    assert (labels(shown), shown.channel) == (["Import", "Cancel", "Columns…"], ana.dm)
    await nothing_is_there(ana)
    done = await ana.press(shown, "Import")
    assert done.text.startswith("Imported 3 transactions, 5–30 Oct 2026\n")
    assert (await ana.ask(REWE)).text.startswith("$27.50 at REWE in October 2026")
    assert (await ana.press(done, labels(done)[0])).text.startswith("$27.50 spent in October 2026")
    assert (await ana.press(done, "Undo")).text == "Taken back: 3 transactions."
    await nothing_is_there(ana)


async def test_a_whole_household_comes_in_to_the_cent(house):
    ana = await house.visitor(None)
    shown = await drop(ana, ("mint.csv", mint_csv(LINES)))
    assert shown.text.startswith(f"{len(LINES):,} new transactions in mint.csv")
    await ana.press(shown, "Import")
    for phrase, month in (("October 2026", OCTOBER), ("September 2026", SEPTEMBER)):
        answer = await ana.ask(f"How much did I spend on groceries in {phrase}?")
        assert answer.text.startswith(f"{dollars(LINES, category('Groceries'), month)} on groceries in {phrase}")


async def test_cancelled_is_cancelled_for_good(house):
    ana = await house.visitor(None)
    shown = await drop(ana, CHECKING)
    assert (await ana.press(shown, "Cancel")).text == "Nothing was changed."
    assert "was cancelled" in (await ana.press(shown, "Import")).text
    await nothing_is_there(ana)


async def test_pressed_twice_is_imported_once(house):
    ana = await house.visitor(None)
    shown = await drop(ana, CHECKING)
    await ana.discord.burst(*(ana.discord.press(ana.id, shown, "Import") for _ in range(2)))
    await ana.discord.until(lambda: len(ana.answers) == 3)
    assert sorted(seen.text.splitlines()[0] for seen in ana.answers[1:]) == [
        "Imported 3 transactions, 5–30 Oct 2026", "This was already done.",
    ]  # fmt: skip
    assert (await ana.ask(REWE)).text.startswith("$27.50 at REWE")


async def test_a_yes_and_an_undo_can_be_typed(house):
    ana = await house.visitor(None)
    await drop(ana, CHECKING)
    assert (await ana.ask("yes")).text.startswith("Imported 3 transactions")
    assert (await ana.ask("undo")).text == "Taken back: 3 transactions."
    await nothing_is_there(ana)


async def test_somebody_elses_press_imports_nothing_for_either(house):
    ana, ben = await house.visitor(None), await house.visitor(None)
    place = house.channel(ana, ben)
    shown = await ana.command("import", place, file=CHECKING)
    for label, refusal in (("Import", "Only the person who asked"), ("Cancel", "Only the person who asked")):
        said = await ben.reply(ben.discord.press(ben.id, shown, label, forged=True))
        assert refusal in said.text
        assert said.ephemeral
    await nothing_is_there(ben)
    await nothing_is_there(ana)
    assert (await ana.press(shown, "Import")).text.startswith("Imported 3 transactions")
    await nothing_is_there(ben)


async def test_several_files_are_one_import_and_one_undo(house):
    ana = await house.visitor(None)
    shown = await drop(ana, CHECKING, CARD)
    assert shown.text.startswith("4 new transactions in 2 files\n")
    done = await ana.press(shown, "Import")
    assert done.text.startswith("Imported 4 transactions, 5–30 Oct 2026\nchecking.csv, card.csv")
    assert (await ana.ask("How much did I spend in October 2026?")).text.startswith("$37.49 spent")
    assert (await ana.press(done, "Undo")).text == "Taken back: 4 transactions."
    await nothing_is_there(ana)


async def test_one_broken_file_keeps_none_of_the_others_out(house):
    ana = await house.visitor(None)
    shown = await drop(ana, ("photo.png", PICTURE), CHECKING, ("empty.csv", b""), CARD)
    assert shown.text.startswith("4 new transactions in 2 files\n")
    assert "photo.png: This is a picture" in shown.text
    assert "empty.csv: This file is empty." in shown.text
    assert (await ana.press(shown, "Import")).text.startswith("Imported 4 transactions")


@pytest.mark.parametrize("name", REFUSED)
async def test_a_wrong_file_is_refused_with_its_reason(house, name):
    ana = await house.visitor(None)
    data, reason = REFUSED[name]
    answer = await drop(ana, (name, data))
    assert answer.text.startswith(f"{name}: ")
    assert reason in answer.text
    assert labels(answer) == (["Columns…"] if name == "list.csv" else [])
    await nothing_is_there(ana)


async def test_a_file_that_discord_does_not_hand_out_is_said_to_be_missing(house):
    ana = await house.visitor(None)
    house.warnings.add("file_not_fetched")
    house.refusals.add(None)
    house.discord.fail("GET /attachments/*", status=404)
    answer = await drop(ana, CHECKING)
    assert answer.text == "checking.csv: I can't get at that file any more. Please send it again."
    await nothing_is_there(ana)


async def test_what_is_known_already_is_not_imported_again(house):
    ana = await house.visitor(None)
    await ana.press(await drop(ana, CHECKING), "Import")
    again = await drop(ana, ("october.csv", BANK))
    assert again.text.startswith("There is nothing new to import.\noctober.csv: 3 transactions, 0 new, 3 known already")
    assert again.buttons == ()


@pytest.mark.parametrize(("choice", "days"), [(0, "3–5 Apr 2026"), (1, "4 Mar – 4 May 2026")], ids=["day", "month"])
async def test_dates_that_can_be_read_two_ways_are_asked_about(house, choice, days):
    ana = await house.visitor(None)
    asked = await drop(ana, ("april.csv", AMBIGUOUS))
    assert asked.text.startswith("In april.csv, is 03/04/2026 3 Apr 2026 or 4 Mar 2026?")
    assert labels(asked) == ["3 Apr 2026 (day first)", "4 Mar 2026 (month first)", "Columns…"]
    shown = await ana.press(asked, labels(asked)[choice])
    assert shown.text.startswith("2 new transactions in april.csv")
    assert days in shown.text
    assert (await ana.press(shown, "Import")).text.startswith(f"Imported 2 transactions, {days}")


def fetched(house):
    return [call for call in house.discord.calls if "checking.csv" in call.path]


async def test_a_file_with_a_mention_is_left_alone_and_its_owner_told(house):
    ana, ben = await house.visitor(None), await house.visitor(None)
    place = house.channel(ana, ben)
    name = house.discord.world.channel(place).name
    before = len(fetched(house))
    told = await ana.mention("here is my account", place, files=[CHECKING])
    assert told.text.startswith(f"Others can read checking.csv in #{name}: delete that message.")
    assert "/money import" in told.text
    assert told.buttons == ()
    assert len(fetched(house)) == before, "the file was fetched"
    assert ben.answers == []
    await ana.silence(ana.discord.say(ana.id, "my account", place, files=[CARD]))


@pytest.mark.parametrize("place", ["direct messages", "channel", "group"])
async def test_files_come_with_the_command_or_in_its_form(house, place):
    ana, ben = await house.visitor(None), await house.visitor(None)
    where = {
        "direct messages": lambda: None, "channel": lambda: house.channel(ana, ben), "group": lambda: house.group(ana, ben),
    }[place]()  # fmt: skip
    shown = await ana.command("import", where, file=CHECKING, second=CARD)
    assert shown.text.startswith("4 new transactions in 2 files\n")
    assert (shown.channel, shown.ephemeral) == (where or ana.dm, bool(where))
    assert (await ana.press(shown, "Cancel")).text == "Nothing was changed."
    form = await ana.form(ana.discord.command(ana.id, "money import", {}, where))
    assert [(field.label, field.kind) for field in form.fields] == [("Files", 19)]
    shown = await ana.submit({"Files": [CHECKING, CARD]})
    assert shown.text.startswith("4 new transactions in 2 files\n")
    assert shown.ephemeral is bool(where)
    done = await ana.press(shown, "Import")
    assert done.text.startswith("Imported 4 transactions")
    assert (await ana.press(done, "Undo")).text == "Taken back: 4 transactions."
    assert ben.answers == []


# -- what is handed over


async def test_a_chart_is_a_picture_that_says_every_cent_to_who_can_not_see_it(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = house.channel(ana, ben)
    for answer in (await ana.ask(BY_CATEGORY), await ana.command("ask", place, question=BY_CATEGORY)):
        [picture] = answer.files
        for name in ("Groceries", "Shopping", "Coffee Shops"):
            assert f"{name} {dollars(LINES, category(name), OCTOBER)}" in picture.alt
            assert name not in answer.text
        assert (picture.name, picture.data[:8]) == ("chart.png", b"\x89PNG\r\n\x1a\n")
        assert dollars(LINES, category("Mortgage & Rent"), OCTOBER) in picture.alt, (
            "the highest is said to who can't see it"
        )
    assert ben.answers == []


async def test_a_long_list_is_a_file_for_the_asker_alone(house):
    cents = range(101, 501)
    rows = [(f"2026-{1 + i % 10:02d}-{1 + i % 27:02d}", f"SHOP {i % 37}", f"-{i}.{i % 100:02d}") for i in cents]
    total = sum((-Decimal(row[2]) for row in rows), Decimal(0))
    ana, ben = await house.visitor(data=bank(rows)), await house.visitor(None)
    place = house.channel(ana, ben)
    for known, where in enumerate((None, place)):
        answer = await ana.command("ask", where, question="Show all my transactions this year")
        assert answer.text.startswith(f"400 transactions from 1 Jan to 21 Nov 2026: ${total:,.2f}")
        listed = await ana.press(answer, "Transactions")
        assert re.search(r"\ball 400 rows\b.* in the file", listed.text, re.IGNORECASE)
        await ana.discord.until(lambda known=known: len(ana.files) > known)
        read = list(csv.DictReader(io.StringIO(ana.files[-1].data.decode("utf-8-sig"))))
        amounts = [Decimal(row["Amount"]) for row in read if row.get("Date")]
        assert (len(amounts), sum(amounts)) == (400, -total)
    assert ben.answers == []


async def test_a_very_long_answer_comes_whole_in_several_messages(house):
    ana = await house.visitor(None)
    broken = [("31.31.2026", "x" * 400, "abc")] * 4  # each is told with its reason
    files = [
        (f"statement-{number:02d}-{'x' * 60}.csv", bank([("2026-10-05", f"SHOP {number}", "-1.00"), *broken]))
        for number in range(10)
    ]
    await drop(ana, *files)
    await ana.discord.until(lambda: any(seen.buttons for seen in ana.answers))
    assert len(ana.answers) > 1
    assert ana.words.startswith("10 new transactions in 10 files")
    for name, _ in files:
        assert f"{name}: 5 transactions" in ana.words or f"{name}: 1 transaction" in ana.words, name
    assert labels(ana.answers[-1])[:2] == ["Import", "Cancel"], "the buttons are on the last one"
    assert (await ana.press(ana.answers[-1], "Import")).text.startswith("Imported 10 transactions")


# -- names that mean harm


async def test_nothing_in_a_bank_file_pings_links_or_formats(house):
    """What is live in any message, ``House.check`` finds."""
    rows = [
        (f"2026-{month:02d}-{day:02d}", name, f"-{day}.00")
        for month in range(1, 11)
        for day, name in enumerate(HOSTILE, 1)
    ]
    total = f"${sum(range(1, len(HOSTILE) + 1)):,}.00"
    ana, ben = await house.visitor(None), await house.visitor(None)
    place = house.channel(ana, ben)
    name = "@everyone **x** _y_ ~~z~~ [x](https:evil) ||a|| :tada: > .csv"
    shown = await drop(ana, (name, bank(rows)))
    assert name in shown.text.replace("\u200b", ""), "the name is not shown as it is"
    await ana.press(shown, "Import")
    for where in (None, place):
        answer = await ana.command("ask", where, question="Show my transactions in October")
        assert total in answer.text
        await ana.press(answer, "Receipt")
        await ana.press(answer, "Transactions")
        for question in ("Which merchants cost me the most?", "biggest purchase in October", "find evil"):
            await ana.command("ask", where, question=question)
    shared = await ana.command("ask", place, question="Show my transactions in October")
    await ana.share(shared)
    await ana.press(await ana.ask("Show all my transactions this year"), "Transactions")
    await ana.discord.until(lambda: ana.files)
    await ana.ask("@everyone https://evil.example *how* `much` <@200000000000000002>?")
    await ana.command("export")
    await ana.discord.until(lambda: len(ana.files) > 1)
    said = [*ana.answers, *ben.answers]
    assert len(said) > 16
    assert [seen.text for seen in said if seen.pings or seen.urls] == []
    assert {each for seen in said for each in seen.mentions} == {ana.id}, "only who shared is named"
    cells = [
        cell
        for file in ana.files
        if file.name.endswith(".csv")
        for row in csv.reader(io.StringIO(file.data.decode("utf-8-sig")))
        for cell in row
        if not re.fullmatch(r"-?[\d.]*", cell)
    ]
    assert "HYPERLINK" in str(cells)
    assert [cell for cell in cells if cell.startswith(FORMULAS)] == [], "a spreadsheet would run these"
    offered = await ana.offered("merchant", "merchant")
    assert offered
    assert all(each == " ".join(each.split()) and "\u202e" not in each for each in offered)
