"""What stands around the conversation with the running bot: forms, the welcome, follow-ups in threads, a model's words."""

from __future__ import annotations

from itertools import pairwise

import pytest
import pytest_asyncio
import sqlalchemy as sa

from ledger import schema
from tests.support.discord_fake.visit import labels, open_house
from tests.support.ollama_server import MODEL, OllamaServer
from tests.support.slack.visit import LINES, OCTOBER, SEPTEMBER, category, dollars, shop

pytestmark = pytest.mark.asyncio(loop_scope="module")

GROCERIES = "How much did I spend on groceries last month?"
BEFORE = "and the month before?"
SPENT, EARLIER = (dollars(LINES, category("Groceries"), month) for month in (OCTOBER, SEPTEMBER))
BANK = b"Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n2026-10-09,REWE MARKT,-7.50\n"
WELCOME = "I answer questions about your own money."


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    async with open_house(tmp_path_factory.mktemp("surfaces")) as opened:
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def model():
    with OllamaServer(["unused"]) as server:
        yield server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def telling(tmp_path_factory, model):
    """A bot with a model, that also follows what is said in threads."""
    settings = {
        "MONEY_MINDER_MODEL": f"ollama:{MODEL}",
        "MONEY_MINDER_OLLAMA_URL": model.url,
        "MONEY_MINDER_DISCORD__THREAD_FOLLOW_UPS": "true",
    }
    async with open_house(tmp_path_factory.mktemp("telling"), "message_content", **settings) as opened:
        yield opened


async def settings_form(who, where=None):
    return await who.form(who.discord.press(who.id, await who.command("settings", where), "Change settings"))


async def category_form(who, where=None):
    """The form is offered where an answer was said to be wrong."""
    wrong = await who.press(await who.command("ask", where, question=GROCERIES), "👎")
    return await who.form(who.discord.press(who.id, wrong, "Change a category"))


# -- settings


@pytest.mark.parametrize("place", ["direct messages", "channel"])
async def test_settings_are_changed_in_a_form_and_taken_back(house, place):
    ana, ben = await house.visitor(), await house.visitor(None)
    where = house.channel(ana, ben) if place == "channel" else None
    form = await settings_form(ana, where)
    assert form.title == "Settings"
    assert [field.custom_id for field in form.fields] == ["time_zone", "week_start", "payday", "locale", "currency"]
    saved = await ana.submit({"time_zone": "Europe/Berlin", "week_start": "6", "payday": "15"})
    assert saved.text.startswith("3 settings changed.\n")
    assert "→ Europe/Berlin" in saved.text
    assert (saved.channel, saved.ephemeral) == (where or ana.dm, bool(where))
    shown = (await ana.command("settings", where)).text
    assert "Europe/Ber" in shown
    assert "Sunday" in shown
    back = await ana.press(saved, "Undo")
    assert "Week start: Sunday → default" in back.text
    assert "Sunday" not in (await ana.command("settings", where)).text
    assert ben.answers == []


async def test_what_is_wrong_is_said_nothing_is_stored_and_the_form_comes_back_as_it_was_filled_in(house):
    ana, ben = await house.visitor(), await house.visitor()
    await settings_form(ana)
    wrong = await ana.submit({"payday": "99", "week_start": "6"})
    assert "99" in wrong.text
    assert "changed." not in wrong.text
    assert "Sunday" not in (await ana.command("settings")).text
    assert {field.custom_id: field.value for field in (await settings_form(ben)).fields}["payday"] == ""
    form = await ana.form(ana.discord.press(ana.id, wrong, "Fill in again"))
    assert {field.custom_id: field.value for field in form.fields}["payday"] == "99"
    again = await ana.submit({"payday": "25", "locale": "klingon"})
    assert "klingon" in again.text
    await ana.form(ana.discord.press(ana.id, again, "Fill in again"))
    saved = await ana.submit({"locale": ""})
    assert saved.text.startswith("2 settings changed.")
    assert "Week start: default → Sunday" in saved.text
    form = await settings_form(ana)
    assert {field.custom_id: field.value for field in form.fields}["payday"].startswith("25")


async def test_an_unchanged_form_says_that_all_is_as_it_was(house):
    ana = await house.visitor()
    await settings_form(ana)
    assert (await ana.submit({})).text == "Your settings are as they were."


# -- categories


async def test_a_merchant_is_put_into_another_category_and_later_figures_follow(house):
    ana = await house.visitor()
    form = await category_form(ana)
    assert form.title == "Change a category"
    offered = [label for field in form.fields for label, _ in field.options]
    assert {"Groceries", "Shopping", "Coffee Shops"} <= set(offered)
    shown = await ana.submit({"merchant": "Costco", "category": "Shopping"})
    moved = sum(shop("Costco")(line) for line in LINES)
    assert shown.text.startswith(f"Costco: {moved} transactions from Groceries to Shopping?")
    assert SPENT in (await ana.ask(GROCERIES)).text
    done = await ana.press(shown, "Confirm")
    assert done.text.startswith("Costco is under Shopping from now on")
    rest = dollars(LINES, category("Groceries"), OCTOBER, lambda line: not shop("Costco")(line))
    assert (await ana.ask(GROCERIES)).text.startswith(f"{rest} on groceries in October 2026")
    await ana.press(done, "Undo")
    assert SPENT in (await ana.ask(GROCERIES)).text


async def test_a_new_category_can_be_named_and_another_persons_merchant_can_not(house):
    ana, ben = await house.visitor(), await house.visitor(data=BANK)
    place = house.channel(ana, ben)
    await category_form(ana, place)
    shown = await ana.submit({"merchant": "Costco", "new_category": "Bulk buys"})
    assert (shown.channel, shown.ephemeral) == (place, True)
    await ana.press(shown, "Confirm")
    spent_there = dollars(LINES, shop("Costco"), OCTOBER)
    answer = await ana.ask("How much did I spend on bulk buys last month?")
    assert answer.text.startswith(f"{spent_there} on bulk buys")
    form = await category_form(ben)
    assert "Bulk buys" not in [label for field in form.fields for label, _ in field.options]
    wrong = await ben.submit({"merchant": "Costco", "category": "Shopping"})
    assert "Confirm" not in labels(wrong), wrong.text


# -- the welcome, and the end


async def test_the_welcome_comes_once_after_the_first_answer(house):
    ana = await house.visitor(None)
    first = await ana.ask(GROCERIES)
    assert "nothing in your ledger" in first.text
    welcome = await ana.welcomed()
    assert [seen.id for seen in ana.discord.answers_to(ana.id)] == [first.id, welcome.id]
    assert "Only you see your figures." in welcome.text
    proposed = await ana.press(welcome, "Try with made-up data")
    assert "made-up transactions imported." in (await ana.press(proposed, "Fill my ledger")).text
    assert "$" in (await ana.ask("How much did I spend last month?")).text
    assert len(ana.welcomes) == 1


async def test_in_a_channel_the_welcome_is_for_who_asked(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = house.channel(ana, ben)
    answer = await ana.command("ask", place, question="groceries last month")
    assert answer.text.startswith(f"{SPENT} on groceries")
    welcome = await ana.welcomed()
    assert (welcome.channel, welcome.ephemeral) == (place, True)
    assert SPENT in (await ana.ask(GROCERIES)).text
    assert ben.answers == ben.welcomes == []
    assert len(ana.welcomes) == 1


async def test_forget_everything_can_be_written_and_leaves_nothing(house):
    ana, ben = await house.visitor(), await house.visitor()
    await ana.ask(GROCERIES)
    asked = await ana.ask("forget everything")
    assert asked.text.startswith(f"Delete {len(LINES)} transactions of 1 import, 1 conversation")
    assert SPENT in (await ana.ask(GROCERIES)).text, "nothing goes before it is confirmed"
    gone = await ana.press(asked, "Delete everything")
    assert gone.text.startswith(f"Deleted: {len(LINES)} transactions, all conversations, notes and settings.")
    assert "nothing in your ledger" in (await ana.ask(GROCERIES)).text
    assert SPENT in (await ben.ask(GROCERIES)).text


# -- follow-ups in threads, where they are switched on


async def test_in_a_thread_a_follow_up_needs_no_mention_by_who_was_answered_there(telling):
    ana, ben = await telling.visitor(), await telling.visitor()
    place = telling.channel(ana, ben)
    thread = await ana.discord.start_thread(ana.id, "food", place, bot=True)
    await ana.silence(ana.discord.say(ana.id, "How much did I spend last month?", thread.id))
    await ana.mention("groceries last month", thread.id)
    seen = await ana.reply(ana.discord.say(ana.id, BEFORE, thread.id))
    assert (seen.channel, seen.text.split(" in ")[0]) == (ana.dm, f"{EARLIER} on groceries")
    assert [each for each in ben.answers if each.channel == thread.id] == [], "a mention leaves a reaction at most"
    await ben.silence(ben.discord.say(ben.id, BEFORE, thread.id))
    await ana.mention("groceries last month", place)
    await ana.silence(ana.discord.say(ana.id, BEFORE, place))
    assert EARLIER not in ben.words


async def test_what_people_in_a_thread_say_to_each_other_is_not_for_us(telling):
    ana, ben = await telling.visitor(), await telling.visitor()
    new = ana.discord.add_user("bystander").id
    place = ana.discord.add_channel("kitchen", ana.id, ben.id, new).id
    thread = await ana.discord.start_thread(ana.id, "food", place, bot=True)
    await ana.mention("groceries last month", thread.id)
    await ana.silence(ana.discord.say(new, "shall we eat out?", thread.id))
    async with telling.store.read() as connection:
        everybody = (await connection.execute(sa.select(schema.people.c.user))).scalars().all()
    assert new not in everybody, "who only talks there is nobody to us"
    bens = await ben.discord.say(ben.id, "shall we eat out?", thread.id)
    await ana.silence(ana.discord.say(ana.id, f"<@{ben.id}> yes, my place", thread.id))
    await ana.silence(ana.discord.say(ana.id, "and how much is it?", thread.id, reply_to=bens, ping=False))


# -- a model's words below an answer


async def told(who, text):
    """Wait until the last answer says this below, and return that answer."""
    await who.discord.until(lambda: who.answers and who.answers[-1].text.endswith(text))
    return who.answers[-1]


async def test_the_answer_comes_first_and_verified_sentences_are_added_to_it(telling, model):
    model.answers = [["Your groceries came to {f1}. ", "That is *bold* talk, 999 dollars of it. ", "So {f1} it is."]]
    ana = await telling.visitor()
    answer = await ana.ask(GROCERIES)
    assert answer.text.startswith(f"{SPENT} on groceries in October 2026\n")
    story = await told(ana, f"Your groceries came to {SPENT}.")
    assert story.id == answer.id, "it is added to the answer, no message of its own"
    assert story.text.startswith(f"{SPENT} on groceries in October 2026\n")
    assert story.edited
    assert labels(story) == labels(answer)
    assert (await ana.press(story, "Receipt")).text.startswith(f"Receipt: {SPENT}")


async def test_several_sentences_come_one_after_another_at_a_humane_rate(telling, model):
    model.answers = [["All of it was {f1}. ", "So {f1} it is. ", "It came to {f1}."]]
    ana = await telling.visitor()
    answer = await ana.ask(GROCERIES)
    await told(ana, f"All of it was {SPENT}. So {SPENT} it is. It came to {SPENT}.")
    edits = [call for call in telling.discord.calls if call.method == "PATCH" and answer.id in call.path]
    assert 1 <= len(edits) <= 3
    assert all(later.at - earlier.at > 0.9 for earlier, later in pairwise(edits))


@pytest.mark.parametrize(
    "words",
    ["You spent 999 dollars.", "See https://evil.example for {f1}.", "<@200000000000000002> {f1}.", "You spent {f99}."],
)
async def test_a_sentence_that_says_what_no_fact_says_is_not_shown(telling, model, words):
    model.answers = [words]
    ana = await telling.visitor()
    asked = len(model.chats)
    await ana.ask(GROCERIES)
    await ana.discord.until(lambda: len(model.chats) > asked)
    await ana.ask("help")
    assert not any(seen.edited for seen in ana.answers)
    assert len(ana.answers) == 2


async def test_a_model_that_is_down_costs_no_answer(telling, model):
    model.answers = [500]
    telling.warnings |= {'"no narration"'}
    ana = await telling.visitor()
    assert SPENT in (await ana.ask(GROCERIES)).text
    model.answers = ["Your groceries came to {f1}."]
    assert EARLIER in (await ana.ask(BEFORE)).text
    await told(ana, f"Your groceries came to {EARLIER}.")
