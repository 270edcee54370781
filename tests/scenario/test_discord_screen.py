"""Direct messages as one screen: what is written there goes on with what stands there last, or with what it replies to."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.support.bank_files import mint_csv
from tests.support.discord_fake.visit import labels, open_house
from tests.support.slack.visit import LINES, OCTOBER, SEPTEMBER, category, dollars

pytestmark = pytest.mark.asyncio(loop_scope="module")

OCTOBERS, SEPTEMBERS = (dollars(LINES, category("Groceries"), month) for month in (OCTOBER, SEPTEMBER))
COFFEE = dollars(LINES, category("Coffee Shops"), OCTOBER)
BEFORE = "and the month before?"
ALL = f"{len(LINES)} transactions"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    async with open_house(tmp_path_factory.mktemp("screen")) as opened:
        yield opened


async def still_there(who):
    assert OCTOBERS in (await who.ask("groceries in October 2026")).text


async def test_what_was_asked_in_a_server_is_gone_on_with_where_it_was_answered(house):
    ana, ben = await house.visitor(), await house.visitor()
    place = house.channel(ana, ben)
    await ana.ask("coffee last month")
    await ana.mention("groceries last month", place)
    later = await ana.ask(BEFORE)
    assert later.text.startswith(f"{SEPTEMBERS} on groceries in September 2026\n")
    assert later.channel == ana.dm
    assert (await ana.press(later, "Receipt")).text.startswith(f"Receipt: {SEPTEMBERS}")
    assert ben.answers == [], "nobody hears of what is written in private"
    assert (await ana.mention("and in October?", place)).text.startswith(f"{OCTOBERS} on groceries")


async def test_a_yes_is_to_the_question_that_stands_there_last(house):
    ana = await house.visitor()
    asked = await ana.ask("forget everything")
    assert asked.text.startswith(f"Delete {ALL}")
    other = await ana.mention("forget conversations", house.channel(ana))
    assert "Your transactions, notes and settings stay." in other.text
    assert (await ana.ask("yes")).text.startswith("Deleted: 2 turns of conversation.")
    await still_there(ana)


async def test_a_yes_to_nothing_but_an_answer_does_nothing(house):
    ana = await house.visitor()
    await ana.ask("forget everything")
    await ana.mention("groceries last month", house.channel(ana))
    assert "Deleted" not in (await ana.ask("yes")).text
    await still_there(ana)


async def test_a_reply_goes_on_with_what_it_replies_to(house):
    ana = await house.visitor()
    groceries = await ana.ask("groceries last month")
    assert (await ana.ask("coffee last month")).text.startswith(COFFEE)
    later = await ana.reply(ana.discord.say(ana.id, BEFORE, reply_to=groceries))
    assert later.text.startswith(f"{SEPTEMBERS} on groceries")


async def test_a_yes_in_reply_to_an_older_question_does_not_confirm_a_newer_one(house):
    ana = await house.visitor()
    preview = await ana.ask("", files=[("more.csv", mint_csv(LINES[:3]))])
    assert labels(preview)[:1] == ["Import"] or "nothing new" in preview.text
    await ana.ask("forget everything")
    said = await ana.reply(ana.discord.say(ana.id, "yes", reply_to=preview))
    assert "Deleted" not in said.text
    await still_there(ana)


async def test_a_yes_in_reply_to_the_question_itself_confirms_it(house):
    ana = await house.visitor()
    asked = await ana.mention("forget everything", house.channel(ana))
    assert (await ana.reply(ana.discord.say(ana.id, "yes, please", reply_to=asked))).text.startswith(f"Deleted: {ALL}")
    assert "nothing in your ledger" in (await ana.ask("groceries in October 2026")).text


@pytest.mark.parametrize("words", ["delete everything", "Erase all my data!", "wipe my data"])
async def test_other_words_for_forgetting_ask_the_same(house, words):
    ana = await house.visitor()
    asked = await ana.ask(words)
    assert asked.text.startswith(f"Delete {ALL}")
    assert labels(asked) == ["Delete everything", "Cancel"]
    assert (await ana.ask("nope")).text.startswith("Nothing was changed.")


async def test_what_is_sent_late_stands_last_and_is_what_a_yes_means(house):
    ana = await house.visitor(greeted=True)  # so that it is the answer that is late
    house.refusals.add(None)  # an answer without a code, as a server gives that is away
    house.warnings.add("reply_not_sent")
    await ana.ask("coffee last month")
    house.discord.fail(f"POST /channels/{ana.dm}/messages", 503)
    late = await ana.discord.say(ana.id, "forget conversations")
    await house.discord.until(lambda: any(call.status == 503 for call in house.discord.calls))
    await ana.mention("forget everything", house.channel(ana))
    await house.discord.until(lambda: "stay." in ana.answers[-1].text)
    assert (await ana.ask("yes")).text.startswith("Deleted: 3 turns"), late
    await still_there(ana)


async def test_after_a_restart_it_is_known_what_stands_last(house):
    ana = await house.visitor()
    await ana.ask("coffee last month")
    await ana.mention("groceries last month", house.channel(ana))
    await house.bot.stop()
    await house.bot.start()
    assert (await ana.ask(BEFORE)).text.startswith(f"{SEPTEMBERS} on groceries")
