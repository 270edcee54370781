"""Questions to the running bot in Slack: in direct messages, by mention, and what is said to somebody else."""

from __future__ import annotations

import pytest
import pytest_asyncio

from bots.slack_app.people import STRANGER
from tests.support.slack.visit import LINES, OCTOBER, SEPTEMBER, category, dollars, open_house, table

pytestmark = pytest.mark.asyncio(loop_scope="module")

GROCERIES = "How much did I spend on groceries last month?"
BEFORE = "and the month before?"
TWICE = b"Date,Description,Amount (USD)\n2026-10-05,SAFEWAY #1508,-41.27\n2026-10-06,SAFEWAY 1508,-41.27\n"
OCTOBERS, SEPTEMBERS = (dollars(LINES, category("Groceries"), month) for month in (OCTOBER, SEPTEMBER))
NEUTRAL = "I answer questions about money only where nobody else can read along. Please send me a direct message."


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    async with open_house(tmp_path_factory.mktemp("questions")) as opened:
        yield opened


# -- direct messages


async def test_a_question_is_answered_in_its_thread_and_a_follow_up_there_goes_on_from_it(house):
    ana = await house.visitor()
    answer = await ana.ask(GROCERIES)
    assert answer.text.startswith(f"{OCTOBERS} on groceries in October 2026\n")
    root = next(seen for seen in ana.slack.seen_by(ana.id) if GROCERIES in seen.text)
    assert (answer.channel, answer.thread_ts, answer.ephemeral) == (ana.dm, root.ts, False)
    await ana.slack.until(lambda: ana.slack.session(ana.dm, root.ts))
    assert ana.slack.session(ana.dm, root.ts).title == "Groceries, October 2026"
    later = await ana.ask(BEFORE, thread=root.ts)
    assert later.text.startswith(f"{SEPTEMBERS} on groceries in September 2026\n")
    assert later.thread_ts == root.ts


async def test_another_thread_has_another_memory(house):
    ana = await house.visitor()
    first = await ana.ask(GROCERIES)
    other = await ana.ask("How much did I spend on coffee last month?")
    coffee = dollars(LINES, category("Coffee Shops"), SEPTEMBER)
    assert (await ana.ask(BEFORE, thread=other.thread_ts)).text.startswith(f"{coffee} ")
    assert (await ana.ask(BEFORE, thread=first.thread_ts)).text.startswith(f"{SEPTEMBERS} on groceries")
    fresh = await ana.ask(BEFORE)
    assert "groceries in" not in fresh.text
    assert SEPTEMBERS not in fresh.text


async def test_two_people_asking_the_same_hear_of_their_own_money(house):
    ana = await house.visitor()
    ben = await house.visitor(data=b"Date,Description,Amount (USD)\n2026-10-05,SAFEWAY #1508,-41.27\n")
    assert OCTOBERS in (await ana.ask(GROCERIES)).text
    assert (await ben.ask(GROCERIES)).text.startswith("$41.27 on groceries in October 2026")
    assert OCTOBERS not in ben.words
    assert "41.27" not in ana.words


async def test_naming_the_bot_in_direct_messages_changes_nothing(house):
    ana = await house.visitor()
    assert (await ana.ask(f"<@U0BOT> {GROCERIES}")).text.startswith(f"{OCTOBERS} on groceries")
    assert len(ana.answers) == 1


async def test_what_cannot_be_answered_names_questions_that_can_be(house):
    ana = await house.visitor()
    answer = await ana.ask("xyzzy plugh frobnicate")
    assert "Spending last month" in [each.label for each in answer.buttons]
    assert "$" not in answer.text


async def test_two_rows_are_made_one_by_a_press_and_two_again(house):
    ana = await house.visitor(data=TWICE)
    listed = await ana.ask("Show my last 2 purchases at Safeway")
    shown = await ana.ask("rows 1 and 2 of that list are one", thread=listed.thread_ts)
    assert "are one payment?" in shown.text
    other = await ana.press(shown, "Keep -$41.27, Safeway, 6 Oct 2026, Bank")
    done = await ana.press(other, "Confirm")
    assert done.text.startswith("$41.27 at Safeway on 6 Oct 2026 is one payment now.")
    assert (await ana.ask("How much did I spend at Safeway?")).text.startswith("$41.27 at Safeway")
    assert "Taken back" in (await ana.press(done, "Undo")).text
    assert (await ana.ask("How much did I spend at Safeway?")).text.startswith("$82.54 at Safeway")


# -- mentions


async def test_a_mention_is_answered_to_the_asker_alone(house):
    ana, ben = await house.visitor(), await house.visitor()
    place = house.channel(ana, ben)
    answer = await ana.ask("groceries last month", place)
    assert answer.text.startswith(f"{OCTOBERS} on groceries in October 2026")
    assert (answer.channel, answer.thread_ts, answer.ephemeral) == (place, None, True)
    later = await ana.ask(BEFORE, place)
    assert later.text.startswith(f"{SEPTEMBERS} on groceries")
    assert later.ephemeral
    assert ben.answers == []


async def test_a_mention_in_a_thread_is_answered_there_and_each_person_has_a_memory_of_their_own(house):
    ana = await house.visitor()
    ben = await house.visitor(data=b"Date,Description,Amount (USD)\n2026-09-05,SAFEWAY #1508,-41.27\n")
    place = house.channel(ana, ben)
    root = await ben.slack.say(ben.id, "What does everybody spend on food?", place)
    answer = await ana.ask("groceries last month", place, thread=root.ts)
    assert answer.text.startswith(f"{OCTOBERS} on groceries")
    assert (answer.thread_ts, answer.ephemeral) == (root.ts, True)
    other = await ben.ask(BEFORE, place, thread=root.ts)
    assert "groceries in" not in other.text, "one person's follow-up went on from another's question"
    assert SEPTEMBERS not in other.text
    assert (await ana.ask(BEFORE, place, thread=root.ts)).text.startswith(f"{SEPTEMBERS} on groceries")
    assert len(ana.answers) == 2
    assert [(seen.ephemeral, seen.thread_ts) for seen in ben.answers] == [(True, root.ts)]


async def test_a_mention_that_arrives_as_a_message_as_well_is_answered_once(house):
    ana = await house.visitor()
    place = house.channel(ana, kind="private")
    sent = await ana.slack.say(ana.id, "<@U0BOT> groceries last month", place, twin=True)
    await sent.acknowledged()
    await sent.twin.acknowledged()
    await ana.slack.until(lambda: ana.answers)
    await ana.slack.redeliver(sent)
    await ana.ask(BEFORE, place)
    assert [seen.text.split(" in ")[0] for seen in ana.answers] == [
        f"{OCTOBERS} on groceries",
        f"{SEPTEMBERS} on groceries",
    ]


async def test_an_empty_mention_says_what_can_be_asked(house):
    ana = await house.visitor()
    answer = await ana.ask("", house.channel(ana))
    assert answer.text.startswith("Ask in your own words")
    assert answer.ephemeral


# -- who reads along


async def test_a_guest_hears_no_figure_wherever_they_are(house):
    for marks in ({"restricted": True}, {"restricted": True, "ultra_restricted": True}):
        guest, ben = await house.visitor(**marks), await house.visitor()
        place = house.channel(guest, ben)
        assert (await guest.ask("groceries last month", place)).text == STRANGER
        assert (await guest.command("category groceries last month", place)).text == STRANGER
        assert all(seen.ephemeral for seen in guest.answers)
        assert ben.answers == []
        assert (await guest.ask(GROCERIES)).text == STRANGER


async def test_in_a_channel_shared_with_others_nobody_hears_a_figure(house):
    ana = await house.visitor()
    stranger = await house.visitor(None, stranger=True)
    place = house.channel(ana, stranger, ext_shared=True)
    assert (await ana.ask("groceries last month", place)).text == NEUTRAL
    assert (await stranger.ask("groceries last month", place)).text == STRANGER
    told = await ana.ask("", place, files=[("bank.csv", b"Date,Description,Amount (USD)\n")])
    assert "Delete that message" in told.text
    assert all(seen.ephemeral for seen in [*ana.answers, *stranger.answers])


async def test_a_command_in_a_channel_shared_with_others_is_answered_to_its_asker_alone(house):
    """Slack does not tell of a command that its channel is shared; what it shows to the asker is theirs alone."""
    ana = await house.visitor()
    stranger = await house.visitor(None, stranger=True)
    place = house.channel(ana, stranger, ext_shared=True)
    answer = await ana.command("category groceries last month", place)
    assert answer.ephemeral
    assert OCTOBERS in answer.text
    assert stranger.answers == []


async def test_a_stranger_hears_no_figure_wherever_they_are(house):
    stranger, ben = await house.visitor(None, stranger=True), await house.visitor()
    place = house.channel(stranger, ben)
    assert (await stranger.ask("groceries last month", place)).text == STRANGER
    assert (await stranger.ask(GROCERIES)).text == STRANGER


# -- what is not said to the bot


async def test_an_edit_is_not_answered_whether_or_not_it_mentions_the_bot_for_the_first_time(house):
    ana = await house.visitor()
    place = house.channel(ana)
    answer = await ana.ask(GROCERIES)
    await ana.silence(ana.slack.edit(ana.id, ana.dm, answer.thread_ts, "spending last month"), answer.thread_ts)
    said = await ana.slack.say(ana.id, "groceries last month", place)
    await ana.silence(ana.slack.edit(ana.id, place, said.ts, "<@U0BOT> groceries last month"))


async def test_a_deletion_is_not_answered(house):
    ana = await house.visitor()
    answer = await ana.ask(GROCERIES)
    later = await ana.ask(BEFORE, thread=answer.thread_ts)
    asked = [seen.ts for seen in ana.slack.seen_by(ana.id) if BEFORE in seen.text][-1]
    await ana.silence(ana.slack.delete(ana.id, ana.dm, asked), answer.thread_ts)
    assert later.text in ana.words


@pytest.mark.parametrize("facts", [{}, {"subtype": True}, {"itself": True}], ids=["bot", "older bot", "itself"])
async def test_a_bot_is_not_answered(house, facts):
    ana = await house.visitor()
    first = await ana.ask(GROCERIES)
    places = [(BEFORE, ana.dm, first.thread_ts)]
    places += [] if "itself" in facts else [("<@U0BOT> groceries last month", house.channel(ana), None)]
    for text, where, thread in places:
        sent = await ana.slack.bot_says(text, where, thread_ts=thread, **facts)
        await sent.acknowledged()
        known = len(ana.answers)
        answer = await ana.ask("What data do you have?", thread=first.thread_ts)
        assert ana.answers[known:] == [answer]
    assert OCTOBERS in first.text
    assert SEPTEMBERS not in ana.words


async def test_its_own_posts_do_not_come_back_as_questions(house):
    ana = await house.visitor()
    house.slack.echo = True
    try:
        answer = await ana.ask("help")
        await ana.ask(GROCERIES, thread=answer.thread_ts)
        await ana.ask(BEFORE, thread=answer.thread_ts)
    finally:
        house.slack.echo = False
    assert len(ana.answers) == 3


async def test_what_others_say_in_a_thread_with_an_answer_is_not_answered(house):
    ana, ben = await house.visitor(), await house.visitor()
    place = house.channel(ana, ben)
    house.slack.subscriptions |= {"message.channels", "message.groups"}
    try:
        root = await ana.slack.say(ana.id, "<@U0BOT> groceries last month", place)
        await ana.slack.until(lambda: len(ana.answers) == 1)
        for who in (ana, ben):
            await who.silence(who.slack.say(who.id, "How much did I spend last month?", place, thread_ts=root.ts))
    finally:
        house.slack.subscriptions -= {"message.channels", "message.groups"}


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
    *shown, total = table(listed)
    assert sorted(
        (row["Date"], row["Merchant"], row["Category"], row["Account"], row["Amount"]) for row in shown
    ) == sorted(
        (f"{line.day.day} {line.day:%b %Y}", line.name, "Groceries", "Visa Card", f"-${-line.amount:.2f}")
        for line in rows
    )
    assert total["Amount"] == f"-{OCTOBERS}"
    assert {receipt.thread_ts, listed.thread_ts} == {answer.thread_ts}


async def test_what_is_asked_back_is_answered_by_a_press_or_a_word(house):
    ana = await house.visitor()
    asked = await ana.ask("How much did I spend on groceries since we moved?")
    assert "I don't know when “since we moved” was." in asked.text
    typed = await ana.ask("the first one", thread=asked.thread_ts)
    assert typed.text.startswith(f"{OCTOBERS} on groceries in October 2026\n")
    assert (await ana.ask("and in September?", thread=asked.thread_ts)).text.startswith(f"{SEPTEMBERS} on groceries in")
    pressed = await ana.press(asked, "How much did I spend on groceries last month?")
    assert pressed.text.startswith(f"{OCTOBERS} on groceries in October 2026\n")


async def test_the_next_question_is_asked_by_a_press(house):
    ana = await house.visitor()
    answer = await ana.ask(GROCERIES)
    later = await ana.press(answer, "September 2026?")
    assert later.text.startswith(f"{SEPTEMBERS} on groceries in September 2026")
    assert later.thread_ts == answer.thread_ts
    older = await ana.press(answer, "Receipt")
    assert OCTOBERS in older.text, "the button of an older answer was about a later one"


async def test_feedback_is_noted_and_shows_how_the_question_was_read(house):
    ana = await house.visitor()
    answer = await ana.ask(GROCERIES)
    assert (await ana.press(answer, "This is right")).text == "Noted: this answer was right."
    wrong = await ana.press(answer, "This is wrong")
    assert wrong.text.startswith("Noted: this answer was not right.")
    assert "Period: October 2026: 1–31 Oct 2026" in wrong.text
    assert "Category: Groceries" in wrong.text
    assert "verdict=wrong" in house.bot.log


async def test_sharing_shows_that_answer_to_everyone_there_and_who_did(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = house.channel(ana, ben)
    answer = await ana.ask("groceries last month", place)
    await ana.ask("spending last month", place)
    assert ben.answers == []
    await ana.share(answer)
    [seen] = ben.answers
    assert (seen.channel, seen.ephemeral, seen.labels) == (place, False, [])
    assert seen.mentions == (ana.id,)
    assert seen.text == f"@{ana.id} shared this\n{answer.text}"


async def test_sharing_in_a_thread_stays_there(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = house.channel(ana, ben)
    root = await ben.slack.say(ben.id, "What does everybody spend on food?", place)
    answer = await ana.ask("groceries last month", place, thread=root.ts)
    await ana.share(answer)
    assert [(seen.thread_ts, OCTOBERS in seen.text) for seen in ben.answers] == [(root.ts, True)]


async def test_nobody_else_can_share_or_look_into_an_answer(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    place = house.channel(ana, ben)
    answer = await ana.ask("groceries last month", place)
    for label in ("Share", "Receipt", "Transactions", "September 2026?"):
        await ben.replies(ben.slack.press(ben.id, answer, label, forged=True))
    assert len(ben.answers) == 4
    assert len(ana.answers) == 1, "a stranger's press was answered before everyone"
    assert "$" not in ben.words


async def test_a_shared_answer_is_taken_back_days_and_a_restart_later(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    done = await ana.share(await ana.ask("groceries last month", house.channel(ana, ben)))
    assert await house.bot.stop() == 0
    await house.bot.start()
    assert (await ana.press(done, "Unshare")).text.startswith("Unshared")
    assert ben.answers == []
    assert "no longer stands there" in (await ana.press(done, "Unshare")).text


async def test_forgetting_reaches_what_was_shared(house):
    ana, ben = await house.visitor(), await house.visitor(None)
    await ana.share(await ana.ask("groceries last month", house.channel(ana, ben)))
    asked = await ana.ask("forget everything")
    assert "What you shared in channels is deleted there too." in asked.text
    assert "1 shared post deleted." in (await ana.press(asked, "Delete everything")).text
    assert ben.answers == []


async def test_who_of_other_organisations_reads_a_channel_is_said_before_it_is_shared(house):
    ana = await house.visitor()
    stranger = await house.visitor(None, stranger=True)
    place = house.channel(ana, stranger, ext_shared=True)
    answer = await ana.command("category groceries last month", place)
    preview = await ana.press(answer, "Share")
    assert "also people of other organisations" in preview.text
    assert (await ana.press(preview, "Cancel")).text == "Nothing was shared."
    assert stranger.answers == []


async def test_a_question_about_somebody_who_is_mentioned_is_refused(house):
    ana, ben = await house.visitor(), await house.visitor()
    refused = await ana.ask(f"how much did <@{ben.id}> spend on groceries last month?", house.channel(ana, ben))
    assert "anybody else's" in refused.text
    assert "$" not in refused.text


async def test_there_is_nobody_to_share_with_in_direct_messages(house):
    ana = await house.visitor()
    assert "Share" not in (await ana.ask(GROCERIES)).labels
