"""``/money`` with each of its words, wherever it is typed, and the shortcut on a message."""

from __future__ import annotations

import csv
import io
import re
from datetime import datetime
from decimal import Decimal

import pytest
import pytest_asyncio

from ledger.sample import sample_csv
from tests.support.bank_files import within
from tests.support.slack.bot import NOW
from tests.support.slack.visit import LINES, OCTOBER, SEPTEMBER, category, dollars, open_house, shop

pytestmark = pytest.mark.asyncio(loop_scope="module")

GROCERIES = dollars(LINES, category("Groceries"), OCTOBER)
ALL_OCTOBER, ALL_SEPTEMBER = dollars(LINES, OCTOBER), dollars(LINES, SEPTEMBER)
BROUGHT = f"{len(LINES):,} transactions"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    async with open_house(tmp_path_factory.mktemp("commands")) as opened:
        yield opened


@pytest.fixture(params=["direct messages", "channel", "channel without the bot"])
def where(request):
    """Where a command is typed; call it with the people of the channel."""

    def place(house, *people):
        if request.param == "direct messages":
            return None
        return house.channel(*people, bot=request.param == "channel")

    return place


def dollar_sum(lines):
    return f"${-sum((line.amount for line in lines), Decimal(0)):,.2f}"


async def test_every_question_can_be_asked_anywhere_and_only_the_asker_sees_the_answer(house, where):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = where(house, ana, ben)
    since = within("2026-09-01", "2026-11-21")
    coffee = [line for line in LINES if category("Coffee Shops")(line) and line.amount < -10]
    expected = {
        "how much did I spend on groceries last month?": f"{GROCERIES} on groceries in October 2026\n",
        "summary": f"{ALL_OCTOBER} spent in October 2026\n",
        "summary september 2026": f"{ALL_SEPTEMBER} spent in September 2026\n",
        "category groceries last month": f"{GROCERIES} on groceries in October 2026\n",
        "merchant Amazon since September": f"{dollars(LINES, shop('Amazon'), since)} at Amazon from 1 Sep",
        "search blue bottle over 10": f"{len(coffee)} transactions for “blue bottle”: {dollar_sum(coffee)}\n",
        "  SUMMARY   of  September 2026 ": f"{ALL_SEPTEMBER} spent in September 2026\n",
    }
    for text, start in expected.items():
        answer = await ana.command(text, place)
        assert re.sub(r" since \d+ \w+ \d{4}", "", answer.text).startswith(start), text
        assert (answer.channel, answer.ephemeral, answer.thread_ts) == (place or ana.dm, bool(place), None)
    assert ben.answers == []


async def test_compare_says_both_and_their_difference(house, where):
    ana = await house.visitor()
    answer = await ana.command("compare October and September", where(house, ana))
    more = Decimal(ALL_OCTOBER[1:].replace(",", "")) - Decimal(ALL_SEPTEMBER[1:].replace(",", ""))
    assert answer.text.startswith(f"${more:,.2f} (")
    assert f"more in October 2026 ({ALL_OCTOBER}) than in September 2026 ({ALL_SEPTEMBER})" in answer.text


async def test_a_command_follows_the_one_before_it(house, where):
    ana = await house.visitor()
    place = where(house, ana)
    await ana.command("category groceries last month", place)
    later = await ana.command("and the month before?", place)
    assert later.text.startswith(f"{dollars(LINES, category('Groceries'), SEPTEMBER)} on groceries in September 2026")


async def test_nothing_and_help_say_what_can_be_asked(house, where):
    ana = await house.visitor()
    place = where(house, ana)
    words = "summary category merchant search compare import sample export settings undo forget help".split()
    for text in ("", "help", "HELP", "?"):
        answer = await ana.command(text, place)
        assert answer.text.startswith("Ask in your own words"), text
        for word in words:
            assert re.search(rf"^\W*money {word}\b.*: ", answer.text, re.MULTILINE), word
        assert answer.ephemeral is bool(place)
    for text, about in (
        ("help compare", "compare"),
        ("search", "search"),
        ("category", "category"),
        ("merchant", "merchant"),
    ):
        assert (await ana.command(text, place)).text.startswith(f"{about} "), text


async def test_nonsense_names_what_can_be_asked_and_computes_nothing(house, where):
    ana = await house.visitor()
    answer = await ana.command("xyzzy plugh; DROP TABLE transactions", where(house, ana))
    assert "Spending last month" in [each.label for each in answer.buttons]
    assert "$" not in answer.text


async def test_import_says_how_and_settings_what_is_set(house, where):
    ana = await house.visitor()
    place = where(house, ana)
    how = await ana.command("import", place)
    assert ("send it to me in a direct message" if place else "drop it here.") in how.text
    assert "CSV" in how.text
    settings = await ana.command("settings", place)
    assert "Time zone | America/Los_Angeles" in settings.text
    assert "Week start | the default (Monday)" in settings.text
    assert settings.labels == ["Change settings"]
    assert {seen.ephemeral for seen in ana.answers} == {bool(place)}


async def test_made_up_data_comes_on_a_yes_and_goes_on_undo(house, where):
    ana, ben = await house.visitor(None), await house.visitor(None)
    place = where(house, ana, ben)
    rows = list(csv.DictReader(io.StringIO(sample_csv(datetime.fromisoformat(NOW).date()).decode())))
    offered = await ana.command("sample", place)
    assert offered.labels == ["Fill my ledger", "Cancel"]
    done = await ana.press(offered, "Fill my ledger")
    assert done.text.startswith(f"{len(rows):,} made-up transactions imported.")
    assert "$" in (await ana.command("summary", place)).text
    again = await ana.command("sample", place)
    assert "left them out" in again.text
    gone = await ana.press(done, "Undo")
    assert gone.text == f"Taken back: {len(rows):,} transactions."
    assert "nothing in your ledger" in (await ana.command("summary", place)).text
    assert ben.answers == []


async def test_export_hands_over_every_row_in_the_direct_messages(house, where):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = where(house, ana, ben)
    said = await ana.command("export", place)
    assert said.text == f"{BROUGHT} as a CSV file"
    await ana.slack.until(lambda: any(seen.files for seen in ana.answers))
    [file] = [file for seen in ana.answers for file in seen.files if seen.channel == ana.dm]
    rows = list(csv.DictReader(io.StringIO(file.data.decode("utf-8-sig"))))
    amounts = [Decimal(row[next(key for key in row if key.casefold() == "amount")]) for row in rows]
    assert (len(rows), sum(amounts)) == (len(LINES), sum(line.amount for line in LINES))
    if place:
        await ana.slack.until(lambda: "into our direct messages" in ana.words)
    assert ben.answers == []


async def test_undo_takes_the_import_back_once_it_is_confirmed(house, where):
    ana = await house.visitor()
    place = where(house, ana)
    asked = await ana.command("undo", place)
    assert asked.text.startswith(f"Take back {BROUGHT}?\nbank.csv")
    assert (await ana.press(asked, "Cancel")).text == "Nothing was changed."
    assert ALL_OCTOBER in (await ana.command("summary", place)).text
    asked = await ana.command("undo", place)
    assert (await ana.press(asked, "Take back")).text == f"Taken back: {BROUGHT}."
    assert "nothing in your ledger" in (await ana.command("summary", place)).text
    assert (await ana.command("undo", place)).text == "There is no import left to take back."


async def test_forget_asks_what_and_again_whether(house, where):
    ana = await house.visitor()
    place = where(house, ana)
    await ana.command("category groceries last month", place)
    asked = await ana.command("forget", place)
    assert asked.text.startswith("What should be deleted?")
    assert asked.labels == ["Delete conversations", "Delete everything"]
    proposal = await ana.press(asked, "Delete conversations")
    assert proposal.text.startswith("Delete 1 conversation with ")
    assert (await ana.press(proposal, "Delete conversations")).text.startswith("Deleted: ")
    fresh = await ana.command("and the month before?", place)
    assert "groceries in" not in fresh.text, "a conversation was remembered that was deleted"
    assert ALL_OCTOBER in (await ana.command("summary", place)).text, "the ledger stays"


async def test_forgetting_everything_leaves_nothing(house, where):
    ana, ben = await house.visitor(), await house.visitor()
    place = where(house, ana, ben)
    asked = await ana.command("forget everything", place)
    assert asked.text.startswith(f"Delete {BROUGHT} of 1 import")
    assert (await ana.press(asked, "Delete everything")).text.startswith(f"Deleted: {BROUGHT}")
    assert "nothing in your ledger" in (await ana.command("summary", place)).text
    assert ALL_OCTOBER in (await ben.command("summary", place)).text, "somebody else's ledger went"


# -- the shortcut on a message


async def test_a_charge_that_somebody_wrote_of_is_explained_to_the_asker_alone(house):
    ana, ben = await house.visitor(), await house.visitor()
    place = house.channel(ana, ben)
    latest = max((line for line in LINES if line.name == "Netflix"), key=lambda line: line.day)
    said = await ben.slack.say(ben.id, "Your card was charged $15.99 at NETFLIX.COM", place)
    message = house.slack.workspace.find(place, said.ts)
    answer = await ana.reply(ana.slack.shortcut(ana.id, "explain_charge", message))
    assert answer.text.startswith(f"Netflix: $15.99 on {latest.day.day} {latest.day:%b %Y}\n")
    assert "Category: Movies & DVDs" in answer.text
    assert answer.ephemeral
    assert ben.answers == []
    other = await ana.press(answer, "Transactions")
    assert latest.day.strftime("%b %Y") in other.text


async def test_a_message_about_no_charge_of_ones_own_says_so(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = house.channel(ana, ben)
    said = await ben.slack.say(ben.id, "lunch was nice <!channel>", place)
    message = house.slack.workspace.find(place, said.ts)
    answer = await ana.reply(ana.slack.shortcut(ana.id, "explain_charge", message))
    assert answer.text.startswith("Nothing in your ledger fits this message.")
    assert "1 Aug 2026 to 20 Nov 2026" in answer.text
    empty = await ben.reply(ben.slack.shortcut(ben.id, "explain_charge", message))
    assert empty.text.startswith("There is nothing in your ledger yet.")


async def test_the_shortcut_on_an_answer_of_the_bot_is_its_receipt(house):
    ana = await house.visitor()
    answer = await ana.ask("How much did I spend on groceries last month?")
    await ana.ask("How much did I spend on coffee last month?", thread=answer.thread_ts)
    receipt = await ana.reply(ana.slack.shortcut(ana.id, "explain_charge", answer))
    assert receipt.text.startswith(f"Receipt: {GROCERIES} on groceries in October 2026")
    assert receipt.thread_ts == answer.thread_ts


async def test_the_shortcut_on_a_shared_answer_shows_nothing_of_it_to_others(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = house.channel(ana, ben)
    answer = await ana.ask("groceries last month", place)
    await ana.share(answer)
    [shared] = ben.answers
    said = await ben.reply(ben.slack.shortcut(ben.id, "explain_charge", shared))
    assert said.text.startswith("There is no answer of yours here")
