"""Questions to the running bot in Discord: in direct messages, by mention, by buttons, and what is no question to it."""

from __future__ import annotations

from itertools import pairwise

import pytest
import pytest_asyncio

from tests.support.bank_files import american_lines
from tests.support.discord_fake.visit import CLOSED, labels, open_house
from tests.support.slack.visit import LINES, OCTOBER, SEPTEMBER, category, dollars

pytestmark = pytest.mark.asyncio(loop_scope="module")

GROCERIES = "How much did I spend on groceries last month?"
BEFORE = "and the month before?"
TWICE = b"Date,Description,Amount (USD)\n2026-10-05,SAFEWAY #1508,-41.27\n2026-10-06,SAFEWAY 1508,-41.27\n"
OCTOBERS, SEPTEMBERS = (dollars(LINES, category("Groceries"), month) for month in (OCTOBER, SEPTEMBER))
BANK = b"Date,Description,Amount (USD)\n2026-09-05,SAFEWAY #1508,-41.27\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    async with open_house(tmp_path_factory.mktemp("questions")) as opened:
        yield opened


# -- direct messages


async def test_a_question_is_answered_and_a_follow_up_goes_on_from_it(house):
    ana = await house.visitor()
    answer = await ana.ask(GROCERIES)
    assert answer.text.startswith(f"{OCTOBERS} on groceries in October 2026\n")
    assert (answer.channel, answer.ephemeral, answer.reply_to) == (ana.dm, False, None)
    later = await ana.ask(BEFORE)
    assert later.text.startswith(f"{SEPTEMBERS} on groceries in September 2026\n")
    assert len(ana.answers) == 2


async def test_two_people_asking_the_same_hear_of_their_own_money(house):
    ana, ben = await house.visitor(), await house.visitor(data=BANK)
    assert OCTOBERS in (await ana.ask(GROCERIES)).text
    assert (await ben.ask("How much did I spend on groceries in September?")).text.startswith("$41.27 on groceries")
    assert OCTOBERS not in ben.words
    assert "41.27" not in ana.words


async def test_naming_the_bot_in_direct_messages_changes_nothing(house):
    ana = await house.visitor()
    answer = await ana.reply(ana.discord.mention(ana.id, GROCERIES, ana.dm))
    assert answer.text.startswith(f"{OCTOBERS} on groceries")
    assert len(ana.answers) == 1


async def test_what_cannot_be_answered_names_questions_that_can_be(house):
    ana = await house.visitor()
    answer = await ana.ask("xyzzy plugh frobnicate")
    assert "Spending last month" in [each.label for each in answer.buttons]
    assert "$" not in answer.text


async def test_two_rows_are_made_one_by_a_press_and_two_again(house):
    ana = await house.visitor(data=TWICE)
    await ana.ask("Show my last 2 purchases at Safeway")
    shown = await ana.ask("rows 1 and 2 of that list are one")
    assert "are one payment?" in shown.text
    other = await ana.press(shown, "Keep -$41.27, Safeway, 6 Oct 2026, Bank")
    done = await ana.press(other, "Confirm")
    assert done.text.startswith("$41.27 at Safeway on 6 Oct 2026 is one payment now.")
    assert (await ana.ask("How much did I spend at Safeway?")).text.startswith("$41.27 at Safeway")
    assert "Taken back" in (await ana.press(done, "Undo")).text
    assert (await ana.ask("How much did I spend at Safeway?")).text.startswith("$82.54 at Safeway")


# -- mentions


async def test_a_mention_is_answered_in_the_direct_messages_and_leaves_a_sign_alone(house):
    ana, ben = await house.visitor(), await house.visitor()
    place = house.channel(ana, ben)
    assert (await ana.mention("groceries last month", place)).text.startswith(f"{OCTOBERS} on groceries in October")
    assert (await ana.mention(BEFORE, place)).text.startswith(f"{SEPTEMBERS} on groceries in September 2026")
    assert ben.answers == []


async def test_a_thread_is_a_conversation_of_its_own_and_each_person_in_it_has_theirs(house):
    ana, ben = await house.visitor(), await house.visitor(data=BANK)
    place = house.channel(ana, ben)
    one, other = [await ana.discord.start_thread(ana.id, name, place, bot=True) for name in ("food", "coffee")]
    await ana.mention("groceries last month", one.id)
    await ana.mention("coffee last month", other.id)
    coffee = dollars(LINES, category("Coffee Shops"), SEPTEMBER)
    assert (await ana.mention(BEFORE, other.id)).text.startswith(f"{coffee} ")
    theirs = await ben.mention(BEFORE, one.id)
    assert "groceries in" not in theirs.text, "one person's follow-up went on from another's question"
    assert (await ana.mention(BEFORE, one.id)).text.startswith(f"{SEPTEMBERS} on groceries")
    fresh = await ana.mention(BEFORE, place)
    assert "groceries in" not in fresh.text
    assert SEPTEMBERS not in ben.words


async def test_a_command_in_a_thread_goes_on_there_too(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = house.channel(ana, ben)
    thread = await ana.discord.start_thread(ana.id, "food", place, bot=True)
    await ana.command("ask", thread.id, question="groceries last month")
    later = await ana.command("ask", thread.id, question=BEFORE)
    assert later.text.startswith(f"{SEPTEMBERS} on groceries")
    assert (later.channel, later.ephemeral) == (thread.id, True)
    assert ben.answers == []


async def test_an_empty_mention_says_what_can_be_asked(house):
    ana = await house.visitor()
    assert (await ana.mention("", house.channel(ana))).text.startswith("Ask in your own words")


async def test_who_takes_no_direct_messages_is_told_so_and_nobody_sees_a_figure(house):
    ana, ben = await house.visitor(accepts_dms=False), await house.visitor(None)
    place = house.channel(ana, ben)
    house.refusals.add(50007)
    house.warnings.add("reply_refused")
    line = await ben.reply(ana.discord.mention(ana.id, "groceries last month", place))
    assert line.text == f"@{ana.name} {CLOSED}"
    assert "$" not in ben.words + ana.words
    assert OCTOBERS in (await ana.command("ask", place, question="groceries last month")).text


# -- what is no question to the bot


async def test_what_is_said_in_a_channel_without_a_mention_is_not_answered(house):
    ana, ben = await house.visitor(), await house.visitor()
    place = house.channel(ana, ben)
    thread = await ana.discord.start_thread(ana.id, "food", place, bot=True)
    await ana.mention("groceries last month", thread.id)
    for where in (place, thread.id):
        for who in (ana, ben):
            await who.silence(who.discord.say(who.id, "How much did I spend last month?", where))
    await ana.share(await ana.command("ask", thread.id, question="groceries last month"))
    reply = [seen for seen in ana.answers if seen.channel == thread.id and not seen.ephemeral][-1]
    await ana.silence(ana.discord.say(ana.id, BEFORE, thread.id, reply_to=reply, ping=False))


async def test_an_edit_or_a_deletion_is_not_answered(house):
    ana = await house.visitor()
    sent = await ana.discord.say(ana.id, GROCERIES)
    await ana.discord.until(lambda: ana.answers)
    await ana.silence(ana.discord.edit(ana.id, sent, "How much did I spend on groceries in September?"))
    await ana.silence(ana.discord.delete(ana.id, sent))
    assert SEPTEMBERS not in ana.words


async def test_bots_and_webhooks_are_not_answered(house):
    ana = await house.visitor()
    place = house.channel(ana)
    await ana.silence(ana.discord.bot_says("groceries last month", place, mention=True))
    sent = await ana.discord.say(ana.id, "hello", place)
    posing = {
        **sent.payload, "id": ana.discord.world.new_id(), "webhook_id": "900000000000000001", "type": 0,
        "content": f"<@100000000000000001> {GROCERIES}", "mentions": [{"id": "100000000000000001"}],
    }  # fmt: skip
    await ana.silence(ana.discord.gateway.dispatch("MESSAGE_CREATE", lambda _: posing))


async def test_what_is_told_twice_is_answered_once(house):
    ana = await house.visitor()
    sent = await ana.discord.say(ana.id, GROCERIES)
    await ana.discord.until(lambda: ana.answers)
    await ana.discord.redeliver(sent)
    assert (await ana.ask(BEFORE)).text.startswith(f"{SEPTEMBERS} on groceries")
    assert len(ana.answers) == 2


# -- buttons under an answer


async def test_the_receipt_and_the_transactions_show_the_rows_that_make_up_the_figure(house):
    ana = await house.visitor()
    answer = await ana.ask(GROCERIES)
    rows = [line for line in LINES if category("Groceries")(line) and OCTOBER(line)]
    receipt = await ana.press(answer, "Receipt")
    assert receipt.text.startswith(f"Receipt: {OCTOBERS} on groceries in October 2026\n")
    assert f"Adds up to: {OCTOBERS} = Total spent" in receipt.text
    assert f"{len(rows)} transactions" in receipt.text
    listed = await ana.press(answer, "Transactions")
    for line in rows:
        assert f"-${-line.amount:,.2f}" in listed.text
        assert f"{line.day.day} {line.day:%b}" in listed.text
    assert f"-{OCTOBERS}" in listed.text


async def test_the_next_question_is_asked_by_a_press(house):
    ana = await house.visitor()
    answer = await ana.ask(GROCERIES)
    assert (await ana.press(answer, "September 2026?")).text.startswith(f"{SEPTEMBERS} on groceries in September 2026")
    older = await ana.press(answer, "Receipt")
    assert OCTOBERS in older.text, "the button of an older answer was about a later one"


async def test_feedback_is_noted_and_shows_how_the_question_was_read(house):
    ana = await house.visitor()
    answer = await ana.ask(GROCERIES)
    assert (await ana.press(answer, "👍")).text == "Noted: this answer was right."
    wrong = await ana.press(answer, "👎")
    assert wrong.text.startswith("Noted: this answer was not right.")
    assert "Period: October 2026: 1–31 Oct 2026" in wrong.text
    assert "Category: Groceries" in wrong.text
    assert "verdict=wrong" in house.bot.log


async def test_a_mentions_answer_has_its_buttons_in_the_direct_messages(house):
    ana = await house.visitor()
    answer = await ana.mention("groceries last month", house.channel(ana))
    await ana.ask("How much did I spend on coffee last month?")
    assert (await ana.press(answer, "Receipt")).text.startswith(f"Receipt: {OCTOBERS} on groceries")
    later = await ana.press(answer, "September 2026?")
    assert later.text.startswith(f"{SEPTEMBERS} on groceries")
    assert later.channel == ana.dm


async def test_sharing_shows_that_answer_to_everyone_there_and_who_did(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = house.channel(ana, ben)
    answer = await ana.command("ask", place, question="groceries last month")
    await ana.command("ask", place, question="spending last month")
    assert ben.answers == []
    await ana.share(answer)
    [seen] = ben.answers
    assert (seen.channel, seen.ephemeral, seen.buttons, seen.mentions) == (place, False, (), (ana.id,))
    assert seen.text == f"@{ana.name} shared this:\n{answer.text}"


async def test_a_shared_answer_is_taken_back_days_and_a_restart_later(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    answer = await ana.command("ask", house.channel(ana, ben), question="groceries last month")
    done = await ana.share(answer)
    assert await house.bot.stop() == 0
    await house.bot.start()
    assert (await ana.press(done, "Unshare")).text.startswith("Unshared")
    assert ben.answers == []
    assert "no longer stands there" in (await ana.press(done, "Unshare")).text


async def test_forgetting_reaches_what_was_shared(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    await ana.share(await ana.command("ask", house.channel(ana, ben), question="groceries last month"))
    asked = await ana.ask("forget everything")
    assert "What you shared in channels is deleted there too." in asked.text
    assert "1 shared post deleted." in (await ana.press(asked, "Delete everything")).text
    assert ben.answers == []


async def test_in_a_group_without_the_bot_nothing_can_be_shared(house):
    ana, ben, cleo = await house.visitor(), await house.visitor(None), await house.visitor(None)
    answer = await ana.command("ask", house.group(ana, ben, cleo), question="groceries last month")
    assert "Share" not in labels(answer)


async def test_in_a_server_without_the_bot_its_own_user_is_answered_alone_and_shares_nothing(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    guild = house.discord.add_guild(f"away of {ana.name}", ana.id, ben.id, bot=False, installed=False)
    place = house.discord.add_channel("away", ana.id, ben.id, guild=guild.id).id
    answer = await ana.command("ask", place, question="groceries last month")
    assert answer.text.startswith(f"{OCTOBERS} on groceries")
    assert answer.ephemeral
    assert (await ana.press(answer, "Receipt")).ephemeral
    assert "Share" not in labels(answer)
    assert ben.answers == []


async def test_what_is_asked_back_is_answered_by_a_press_or_a_word(house):
    ana = await house.visitor()
    asked = await ana.ask("How much did I spend on groceries since we moved?")
    assert "I don't know when “since we moved” was." in asked.text
    typed = await ana.ask("the first one")
    assert typed.text.startswith(f"{OCTOBERS} on groceries in October 2026\n")
    assert (await ana.ask("and in September?")).text.startswith(f"{SEPTEMBERS} on groceries in")
    pressed = await ana.press(asked, "How much did I spend on groceries last month?")
    assert pressed.text.startswith(f"{OCTOBERS} on groceries in October 2026\n")


async def test_nobody_else_can_share_or_look_into_an_answer(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = house.channel(ana, ben)
    answer = await ana.command("ask", place, question="groceries last month")
    for label in ("Share", "Receipt", "Transactions", "September 2026?"):
        await ben.replies(ben.discord.press(ben.id, answer, label, forged=True))
    assert len(ben.answers) == 4
    assert len(ana.answers) == 1, "a stranger's press was answered before everyone"
    assert "$" not in ben.words


async def test_there_is_nobody_to_share_with_in_direct_messages(house):
    ana = await house.visitor()
    assert "Share" not in labels(await ana.ask(GROCERIES))


@pytest.mark.parametrize("where", ["direct messages", "server"])
async def test_pages_are_turned_in_place_after_a_restart(house, where):
    ana = await house.visitor(american_lines())
    place = ana.dm if where == "direct messages" else house.channel(ana)
    answer = await ana.command("ask", place, question="How much did I spend this year?")
    shown = await ana.press(answer, "Transactions")
    assert labels(shown) == ["Back", "Next"]
    assert await house.bot.stop() == 0
    await house.bot.start()
    rows = set()
    for page in range(4):
        lines = shown.text.splitlines()
        rows |= {(day, words) for day, words in pairwise(lines) if " 2026 " in day and " · " in words}
        assert f"{20 * page + 1}–{20 * page + 20} of " in shown.text
        await (await ana.discord.press(ana.id, shown, "Next")).acknowledged()
        shown = next(each for each in ana.answers if each.id == shown.id)
    assert len(rows) > 70
    assert len(ana.answers) == 2


async def test_buttons_work_after_a_restart(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = house.channel(ana, ben)
    answer = await ana.ask(GROCERIES)
    public = await ana.command("ask", place, question="coffee last month")
    assert await house.bot.stop() == 0
    await house.bot.start()
    assert (await ana.press(answer, "Receipt")).text.startswith(f"Receipt: {OCTOBERS} on groceries")
    assert f"-{OCTOBERS}" in (await ana.press(answer, "Transactions")).text
    assert (await ana.press(answer, "September 2026?")).text.startswith(f"{SEPTEMBERS} on groceries")
    assert (await ana.press(answer, "👍")).text == "Noted: this answer was right."
    assert (await ana.ask("and in August?")).text.startswith("$")
    await ana.share(public)
    assert [seen.text for seen in ben.answers] == [f"@{ana.name} shared this:\n{public.text}"]
