"""What stands around the conversation with the running bot: App Home, modals, suggested prompts, the welcome."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.support.bank_files import within
from tests.support.slack.visit import LINES, OCTOBER, SEPTEMBER, category, dollars, open_house, shop

pytestmark = pytest.mark.asyncio(loop_scope="module")

ALL_OCTOBER = dollars(LINES, OCTOBER)
NOVEMBER = dollars(LINES, within("2026-11-01", "2026-11-21"))
GROCERIES = "How much did I spend on groceries last month?"
BANK = b"Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n2026-10-09,REWE MARKT,-7.50\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    async with open_house(tmp_path_factory.mktemp("surfaces")) as opened:
        yield opened


async def home_of(who):
    """Open App Home and return what is published for it."""
    before = who.slack.home(who.id)
    await (await who.slack.open_home(who.id)).acknowledged()
    return await who.slack.until(
        lambda: (seen := who.slack.home(who.id)) and (before is None or seen.raw["hash"] != before.raw["hash"]) and seen
    )


async def modal_of(who, seen, label):
    await (await who.slack.press(who.id, seen, label)).acknowledged()
    return await who.slack.until(lambda: who.slack.modal(who.id))


async def submitted(who, values):
    """Send a modal off that is right, and return what is said to it."""

    async def submit():
        sent = await who.slack.submit(who.id, values)
        assert sent.errors == {}
        return sent

    return await who.reply(submit())


# -- App Home


async def test_home_shows_the_months_a_chart_the_imports_and_what_is_set(house):
    ana = await house.visitor()
    home = await home_of(ana)
    assert f"{NOVEMBER} spent from 1 to 21 Nov 2026\n" in home.text
    assert f"{ALL_OCTOBER} spent in October 2026\n" in home.text
    assert any("bank.csv" in line and f"{len(LINES)} transactions" in line for line in home.text.splitlines())
    asked = ["This month against last", "What recurs", "What is due next", "What I can ask", "Bring a file"]
    assert home.labels == [*asked, "Change settings", "Change a category", "Change an account", "Delete my data"]
    rows = [line.split() for line in home.text.splitlines()]
    groceries = dollars(LINES, category("Groceries"), OCTOBER)
    assert any(row[:1] == ["Groceries"] and row[-1] == groceries for row in rows), "what the months went to"
    months = [row for row in rows if row[1:2] == ["2026"] and len(row) > 2]
    assert [month[0] for month in months] == ["Oct", "Sep", "Aug", "Jul", "Jun", "May"]
    assert [month[-1] for month in months[:2]] == [ALL_OCTOBER, dollars(LINES, SEPTEMBER)]


async def test_home_of_an_empty_ledger_says_how_to_begin_and_follows_an_import_and_its_undo(house):
    ana = await house.visitor(None)
    empty = await home_of(ana)
    assert empty.text.startswith("No transactions yet\n")
    assert empty.labels == ["Try with made-up data", "What I can ask", "Change settings", "Delete my data"]
    assert "$" not in empty.text
    done = await ana.press(await ana.drop(("checking.csv", BANK)), "Import")
    full = await home_of(ana)
    assert "$27.50 spent in October 2026" in full.text
    assert any("checking.csv" in line and "2 transactions" in line for line in full.text.splitlines())
    await ana.press(done, "Undo")
    assert (await home_of(ana)).text == empty.text.replace(
        "Everything is at its default.", "Time zone: America/Los_Angeles"
    )


async def test_each_home_shows_its_owners_figures_only(house):
    ana, ben = await house.visitor(), await house.visitor(data=BANK)
    assert "27.50" not in (await home_of(ana)).text
    theirs = (await home_of(ben)).text
    assert "$27.50 spent in October 2026" in theirs
    assert ALL_OCTOBER not in theirs


async def test_delete_my_data_asks_once_more_and_then_everything_is_gone(house):
    ana, ben = await house.visitor(), await house.visitor()
    await ana.ask(GROCERIES)
    home = await home_of(ana)
    [button] = [each for each in home.buttons if each.label == "Delete my data"]
    assert button.element["confirm"]["style"] == "danger"
    asked = await ana.press(home, "Delete my data")
    assert asked.channel == ana.dm
    assert asked.text.startswith(
        f"Delete {len(LINES)} transactions of 1 import, 1 conversation, 0 notes and 1 setting?"
    )
    assert ALL_OCTOBER in (await home_of(ana)).text, "nothing goes before it is confirmed"
    gone = await ana.press(asked, "Delete everything")
    assert gone.text.startswith(f"Deleted: {len(LINES)} transactions, all conversations, notes and settings.")
    assert (await home_of(ana)).text.startswith("No transactions yet\n")
    assert "nothing in your ledger" in (await ana.ask(GROCERIES)).text
    assert dollars(LINES, category("Groceries"), OCTOBER) in (await ben.ask(GROCERIES)).text


# -- the settings modal


async def test_settings_are_changed_in_a_form_and_taken_back(house):
    ana = await house.visitor()
    form = await modal_of(ana, await ana.command("settings"), "Change settings")
    assert (form.title, form.callback_id) == ("Settings", "settings")
    assert [block["block_id"] for block in form.inputs] == ["time_zone", "week_start", "payday", "locale", "currency"]
    zones = [each["text"]["text"] for each in await ana.slack.options(ana.id, "time_zone", "berl")]
    assert zones[0] == "Europe/Berlin"
    saved = await submitted(ana, {"time_zone": "Europe/Berlin", "week_start": "6", "payday": "15"})
    assert ana.slack.modal(ana.id) is None
    assert saved.text.startswith("3 settings changed.\n")
    assert "Time zone: America/Los_Angeles → Europe/Berlin" in saved.text
    assert saved.channel == ana.dm
    assert "Week start | Sunday" in (await ana.command("settings")).text
    assert "Time zone: Europe/Berlin" in (await home_of(ana)).text
    back = await ana.press(saved, "Undo")
    assert "Week start: Sunday → default" in back.text
    assert "Week start | the default (Monday)" in (await ana.command("settings")).text


@pytest.mark.parametrize("said", ["Set my time zone", "Wie ändere ich meine Währung?", "Show my settings"])
async def test_a_setting_without_a_value_is_chosen_from_lists(house, said):
    ana = await house.visitor(None)
    form = await modal_of(ana, await ana.ask(said), "Einstellungen ändern" if "Wie" in said else "Change settings")
    asked = {block["block_id"]: block["element"]["type"] for block in form.inputs}
    assert asked == {
        **dict.fromkeys(("time_zone", "locale", "currency"), "external_select"),
        **dict.fromkeys(("week_start", "payday"), "static_select"),
    }
    saved = await submitted(ana, {"payday": "25"})
    assert "25" in saved.text


async def test_what_is_wrong_stands_under_its_field_and_nothing_is_stored(house):
    ana = await house.visitor()
    await modal_of(ana, await home_of(ana), "Change an account")
    known = len(ana.answers)
    account = ana.slack.modal(ana.id).inputs[0]["element"]["options"][0]["value"]
    sent = await ana.slack.submit(ana.id, {"account": account, "new_name": "Mine", "account_type": "cash"})
    assert (sent.response_action, list(sent.errors)) == ("errors", ["account_type"])
    assert ana.slack.modal(ana.id), "the form stays open"
    assert len(ana.answers) == known
    assert "Mine" in (await submitted(ana, {"account": account, "new_name": "Mine"})).text


async def test_an_unchanged_form_says_nothing(house):
    ana = await house.visitor()
    shown = await ana.command("settings")

    async def submit():
        await modal_of(ana, shown, "Change settings")
        return await ana.slack.submit(ana.id, {})

    await ana.silence(submit())
    assert ana.slack.modal(ana.id) is None


async def test_a_form_opened_from_home_answers_in_the_direct_messages(house):
    ana = await house.visitor()
    await modal_of(ana, await home_of(ana), "Change settings")
    saved = await submitted(ana, {"week_start": "6"})
    assert (saved.channel, saved.text.splitlines()[0]) == (ana.dm, "One setting changed.")
    assert (await ana.press(saved, "Undo")).text.endswith("Week start: Sunday → default")


async def test_a_form_opened_in_a_channel_answers_there_to_the_asker_alone(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = house.channel(ana, ben)
    await modal_of(ana, await ana.command("settings", place), "Change settings")
    saved = await submitted(ana, {"payday": "3"})
    assert (saved.channel, saved.ephemeral) == (place, True)
    assert ben.answers == []


# -- the categories modal


async def test_a_merchant_is_put_into_another_category_and_later_figures_follow(house):
    ana = await house.visitor()
    form = await modal_of(ana, await home_of(ana), "Change a category")
    assert form.title == "Change a category"
    merchants = [each["text"]["text"] for each in await ana.slack.options(ana.id, "merchant", "costc")]
    assert merchants[0] == "Costco"
    names = [each["text"]["text"] for each in await ana.slack.options(ana.id, "category", "shopp")]
    assert names[0] == "Shopping"
    shown = await submitted(ana, {"merchant": "Costco", "category": "Shopping"})
    moved = sum(shop("Costco")(line) for line in LINES)
    assert shown.text.startswith(f"Costco: {moved} transactions from Groceries to Shopping?")
    assert dollars(LINES, category("Groceries"), OCTOBER) in (await ana.ask(GROCERIES)).text
    done = await ana.press(shown, "Confirm")
    assert done.text.startswith("Costco is under Shopping from now on")
    rest = dollars(LINES, category("Groceries"), OCTOBER, lambda line: not shop("Costco")(line))
    assert (await ana.ask(GROCERIES)).text.startswith(f"{rest} on groceries in October 2026")
    await ana.press(done, "Undo")
    assert dollars(LINES, category("Groceries"), OCTOBER) in (await ana.ask(GROCERIES)).text


async def test_menus_offer_ones_own_merchants_only_and_nothing_else_can_be_chosen(house):
    ana, ben = await house.visitor(), await house.visitor(data=BANK)
    await modal_of(ben, await home_of(ben), "Change a category")
    offered = [each["text"]["text"] for each in await ben.slack.options(ben.id, "merchant")]
    assert len(offered) == 1
    assert "rewe" in offered[0].casefold()
    sent = await ben.slack.submit(ben.id, {"merchant": "Costco", "category": "Shopping"})
    assert list(sent.errors) == ["merchant"]
    await modal_of(ana, await home_of(ana), "Change a category")
    mine = {each["text"]["text"] for each in await ana.slack.options(ana.id, "merchant")}
    assert mine == {line.name for line in LINES}
    assert offered[0] not in mine


async def test_a_new_category_can_be_named(house):
    ana = await house.visitor()
    answer = await ana.ask(GROCERIES)
    wrong = await ana.press(answer, "This is wrong")
    await modal_of(ana, wrong, "Change a category")
    [new] = [
        each for each in await ana.slack.options(ana.id, "category", "Bulk buys") if "Bulk buys" in each["text"]["text"]
    ]
    shown = await submitted(ana, {"merchant": "Costco", "category": new["value"]})
    assert shown.thread_ts == answer.thread_ts
    await ana.press(shown, "Confirm")
    spent_there = dollars(LINES, shop("Costco"), OCTOBER)
    assert (await ana.ask("How much did I spend on bulk buys last month?")).text.startswith(
        f"{spent_there} on bulk buys"
    )


# -- the messages tab


async def test_the_welcome_comes_once_however_often_the_tab_is_opened(house):
    ana = await house.visitor(None)
    for _ in range(2):
        await (await ana.slack.open_home(ana.id, "messages")).acknowledged()
    await ana.slack.until(lambda: ana.answers)
    await (await ana.slack.open_home(ana.id, "messages")).acknowledged()
    [welcome] = ana.answers
    assert welcome.text.startswith("I answer questions about your own money.")
    assert "Only you see your figures." in welcome.text
    assert welcome.channel == ana.dm
    await ana.slack.until(lambda: len(ana.slack.calls_of("assistant.threads.setSuggestedPrompts")) >= 3)
    proposed = await ana.press(welcome, "Try with made-up data")
    assert (await ana.press(proposed, "Fill my ledger")).text.endswith("for example:")
    await (await ana.slack.open_home(ana.id, "messages")).acknowledged()
    assert "$" in (await ana.ask("How much did I spend last month?")).text
    assert ana.words.count("I answer questions about your own money.") == 1


async def test_prompts_are_questions_that_the_bot_answers(house):
    ana, empty = await house.visitor(), await house.visitor(None)
    for who in (ana, empty):
        await (await who.slack.open_home(who.id, "messages")).acknowledged()
        await who.slack.until(lambda who=who: who.slack.prompts(who.id) and who.answers)
    prompts = ana.slack.prompts(ana.id)
    assert len(prompts) == 4
    for prompt in prompts:
        answer = await ana.ask(prompt["message"])
        assert "$" in answer.text, prompt
    for prompt in empty.slack.prompts(empty.id):
        answer = await empty.ask(prompt["message"])
        assert "not something I can tell" not in answer.text, prompt
    assert {prompt["message"] for prompt in empty.slack.prompts(empty.id)}.isdisjoint(
        each["message"] for each in prompts
    )
