"""What people do on Discord, as the messages that the bots work with."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest

from bots.contracts import Attachment, Duty
from bots.discord_app.bodies import ELSEWHERE, Surroundings
from bots.discord_app.inbound import read
from bots.discord_app.platform import DiscordConfig
from bots.discord_app.routes import read_route
from bots.errors import AttachmentUnavailable
from graph.reply import Action, Actions, Audience, Reply
from ledger.people import Person
from tests.support.discord_server import ANA, APP, BOT, GENERAL, HOME, TOKEN
from tests.unit.bots.discord_app.conftest import NOW, PERSON
from tools.calls import Call

BANK = ("bank.csv", b"Date,Description,Amount (USD)\n2026-10-01,Costco,-12.00\n")


class TestWhatPeopleWrite:
    async def test_a_direct_message_says_who_where_and_before_whom(self, house):
        sent = await house.discord.say("ana", "how much?")
        message = await house.received()
        assert (message.person, message.text, message.audience) == (PERSON, "how much?", Audience.PRIVATE)
        assert (message.conversation.team, message.conversation.channel) == ("", house.discord.dm("ana"))
        assert (message.delivery_id, message.ts, message.received_at) == (f"message:{sent.message}", sent.message, NOW)

    def test_what_is_told_late_was_written_when_its_id_says(self):
        """An id is the milliseconds since 2015, shifted by 22 bits (docs.discord.com/developers/reference#snowflakes)."""
        written = NOW - timedelta(minutes=5)
        post = str((int(written.timestamp() * 1000) - 1_420_070_400_000) << 22)
        author = {"id": ANA, "username": "ana"}
        body = {"id": post, "channel_id": "1", "type": 0, "content": "yes", "author": author}
        said = read("MESSAGE_CREATE", body, Surroundings(APP, BOT, lambda: NOW, time.time))
        assert said.message.received_at == written

    async def test_a_mention_is_heard_in_its_channel_without_the_mention(self, house):
        await house.discord.say("ana", f"<@{BOT}>, how much?", "general")
        message = await house.received()
        assert message.text == "how much?"
        assert (message.conversation.team, message.conversation.channel) == (HOME, GENERAL)

    async def test_a_thread_is_a_conversation_of_its_own(self, house):
        thread = await house.discord.start_thread("ana", "money", "general", bot=True)
        for place in ("general", thread.id):
            await house.discord.mention("ana", "how much?", place)
        await house.received(2)
        assert len({str(message.conversation) for message in house.messages}) == 2

    @pytest.mark.parametrize("what", ["unmentioned", "bot", "edit", "delete"])
    async def test_what_is_not_said_to_us_is_not_heard(self, house, what):
        match what:
            case "unmentioned":
                await house.discord.say("ana", "just talking", "general")
            case "bot":
                await house.discord.bot_says("how much?", "general", mention=True)
            case "edit" | "delete":
                sent = await house.discord.say("ana", "just talking", "general")
                change = (
                    house.discord.edit("ana", sent, f"<@{BOT}> hi")
                    if what == "edit"
                    else house.discord.delete("ana", sent)
                )
                await change
        await house.nothing_received()

    async def test_people_who_are_mentioned_are_read_by_name_and_not_by_id(self, house):
        await house.discord.say("ana", f"what did I lend <@{house.discord.world.user('ben').id}> <:x:12>?")
        assert (await house.received()).text == "what did I lend @Ben :x:?"

    async def test_nothing_but_a_mention_asks_for_help(self, house):
        await house.discord.mention("ana", "", "general")
        assert (await house.received()).content == Duty("help")

    async def test_a_file_that_is_dropped_can_be_fetched_by_its_message(self, house):
        await house.discord.say("ana", "", files=[BANK])
        (attachment,) = (message := await house.received()).attachments
        assert (message.kind, attachment.name, attachment.size) == ("file", "bank.csv", len(BANK[1]))
        assert await house.adapter.fetch(attachment) == BANK[1]

    async def test_a_link_that_has_expired_is_asked_for_anew(self, house):
        house.discord.wire.link_seconds = -1.0
        await house.discord.say("ana", "", files=[BANK])
        (attachment,) = (await house.received()).attachments
        house.discord.wire.link_seconds = 60.0
        assert await house.adapter.fetch(attachment) == BANK[1]

    async def test_a_file_of_a_deleted_message_is_unavailable(self, house):
        sent = await house.discord.say("ana", "", files=[BANK])
        (attachment,) = (await house.received()).attachments
        await house.discord.delete("ana", sent)
        with pytest.raises(AttachmentUnavailable):
            await house.adapter.fetch(attachment)

    @pytest.mark.parametrize(
        "url", ["http://169.254.169.254/x", "https://cdn.discordapp.com.evil.example/x", "file:///etc/passwd"]
    )
    async def test_files_are_taken_from_discord_alone(self, house, url):
        with pytest.raises(AttachmentUnavailable):
            await house.adapter.fetch(Attachment("bank.csv", 1, "text/csv", f"address:{url}"))


class TestFollowUpsInThreads:
    @pytest.fixture
    def config(self, discord):
        discord.allow_intents("message_content")
        return DiscordConfig(TOKEN, discord.api_url, thread_follow_ups=True)

    async def test_who_was_answered_in_a_thread_need_not_mention_us_again(self, served, agent):
        discord = served.discord
        thread = await discord.start_thread("ana", "money", "general", bot=True)
        await discord.mention("ana", "how much?", thread.id)
        await served.sees("You said how much?")
        await discord.say("ben", "nobody asked me", thread.id)
        await discord.say("ana", "and in the channel", "general")
        await discord.say("ana", "and in September?", thread.id)
        await served.sees("You said and in September?")
        assert [request.text for request in agent.requests] == ["how much?", "and in September?"]

    async def test_without_the_intent_the_start_says_what_to_do(self, unstarted):
        unstarted.discord.gateway.allowed_intents.clear()
        with pytest.raises(Exception, match="Message Content Intent"):
            await unstarted.start()


class TestInteractions:
    async def test_a_command_is_acknowledged_for_its_asker_alone_and_says_how_it_is_answered(self, house):
        sent = await house.discord.command("ana", "money ask", {"question": "how much?"}, GENERAL)
        message = await house.received()
        assert (sent.answer_type, sent.answer["flags"]) == (5, 64)
        assert (message.text, message.kind, message.ts) == ("how much?", "command", None)
        assert message.delivery_id == f"interaction:{sent.payload['id']}"
        assert message.audience is Audience.PRIVATE
        route = read_route(message.route)
        assert route is not None
        assert (route.application, route.token, route.deferred) == (APP, sent.payload["token"], True)

    async def test_in_direct_messages_it_is_answered_openly(self, house):
        sent = await house.discord.command("ana", "money ask", {"question": "how much?"})
        message = await house.received()
        assert (sent.answer_type, sent.answer) == (5, {})
        assert message.conversation.team == ""

    async def test_among_other_people_it_is_ephemeral_and_no_direct_message(self, house):
        house.discord.install("ana")
        group = house.discord.add_group("friends", "ana", "ben")
        sent = await house.discord.command("ana", "money ask", {"question": "how much?"}, group.id)
        message = await house.received()
        assert sent.answer["flags"] == 64
        assert message.conversation.team == ELSEWHERE
        route = read_route(message.route)
        assert route is not None
        assert not route.follow_ups

    async def test_a_person_is_the_same_everywhere(self, house):
        await house.discord.command("ana", "money summary", {}, GENERAL)
        await house.discord.command("ana", "money summary", {})
        await house.received(2)
        assert {message.person for message in house.messages} == {Person("discord", "", ANA)}

    async def test_files_of_a_command_are_fetched_by_their_address(self, house):
        await house.discord.command("ana", "money import", {"file": BANK}, GENERAL)
        (attachment,) = (await house.received()).attachments
        assert await house.adapter.fetch(attachment) == BANK[1]

    async def test_the_menu_of_a_message_asks_about_the_charge_in_it(self, house):
        said = await house.discord.say("ben", "Costco took 12.00 again", "general")
        await house.discord.context_menu("ana", "Explain this charge", said)
        assert (await house.received()).content == Duty("charge", {"text": "Costco took 12.00 again"})

    async def test_the_menu_of_an_answer_of_ours_asks_for_its_receipt(self, served, agent):
        agent.replies["how much?"] = Reply("answer", "You spent", (Actions((Action("Receipt", "receipt"),)),))
        await served.discord.say("ana", "how much?")
        answer = await served.sees("You spent")
        await served.discord.context_menu("ana", "Explain this charge", answer)
        await served.sees("No transactions are behind this answer.")

    async def test_a_press_names_its_call_and_its_reply(self, served, agent):
        agent.replies["how much?"] = Reply("answer", "You spent", (Actions((Action("More", "ask", "and before?"),)),))
        await served.discord.command("ana", "money ask", {"question": "how much?"}, GENERAL)
        pressed = await served.discord.press("ana", await served.sees("You spent"), "More")
        await pressed.acknowledged()
        await served.sees("You said and before?")
        assert agent.requests[-1].past[0].text == "how much?"

    async def test_a_button_with_a_long_question_asks_it_whole(self, served, agent):
        question = "How much did I spend " + "and then " * 20 + "in October?"
        agent.replies["how much?"] = Reply("answer", "You spent", (Actions((Action("More", "ask", question),)),))
        await served.discord.say("ana", "how much?")
        await served.discord.press("ana", await served.sees("You spent"), "More")
        await served.sees("You said How much did I spend and then")
        assert agent.requests[-1].text == question

    async def test_a_long_button_of_someone_elses_answer_says_nothing(self, served, agent):
        question = "How much did I spend " + "and then " * 20 + "in October?"
        agent.replies["how much?"] = Reply("answer", "You spent", (Actions((Action("More", "ask", question),)),))
        await served.discord.command("ana", "money ask", {"question": "how much?"}, GENERAL)
        answer = await served.sees("You spent")
        custom_id = answer.buttons[0].custom_id
        await served.discord.press("ben", answer.id, custom_id, forged=True)
        await served.sees("There is no answer of yours here", "ben")
        assert [request.person.user for request in agent.requests] == [ANA]

    async def test_where_nothing_can_be_stored_the_wait_ends_with_a_sentence(self, house):
        house.full = True
        await house.discord.command("ana", "money summary", {}, GENERAL)
        seen = await house.sees("I can't take messages right now.")
        assert seen.ephemeral
        await house.discord.say("ana", "how much?")
        await house.discord.until(lambda: sum("can't take" in text for text in house.seen()) == 2)

    async def test_an_interaction_that_was_lost_is_dropped_since_its_asker_sees_that(self, house):
        house.discord.fail("POST /interactions/*/*/callback", 404, code=10062)
        await house.discord.command("ana", "money summary", {}, GENERAL)
        await house.discord.until(lambda: any(call.code == 10062 for call in house.discord.calls))
        await house.nothing_received()

    async def test_an_acknowledgement_that_may_have_arrived_is_answered(self, served):
        served.discord.fail("POST /interactions/*/*/callback", 503, after_effect=True)
        await served.discord.command("ana", "money ask", {"question": "how much?"}, GENERAL)
        assert (await served.sees("You said how much?")).ephemeral

    async def test_an_acknowledgement_that_did_not_arrive_is_answered_in_direct_messages(self, served):
        served.discord.fail("POST /interactions/*/*/callback", 503)
        await served.discord.command("ana", "money ask", {"question": "how much?"}, GENERAL)
        assert (await served.sees("You said how much?")).channel == served.discord.dm("ana")

    async def test_interactions_of_other_applications_and_unknown_ids_are_ignored(self, house):
        surroundings = Surroundings(APP, BOT, lambda: NOW, lambda: 0.0)
        sent = await house.discord.command("ana", "money summary", {}, GENERAL)
        body = sent.payload
        assert read("INTERACTION_CREATE", body, surroundings) is not None
        assert read("INTERACTION_CREATE", {**body, "application_id": "1"}, surroundings) is None
        assert read("INTERACTION_CREATE", {**body, "token": None}, surroundings) is None
        assert read("INTERACTION_CREATE", {**body, "member": {"user": {"id": "x"}}}, surroundings) is None

    async def test_a_place_that_we_do_not_know_is_before_everyone(self, house):
        surroundings = Surroundings(APP, BOT, lambda: NOW, lambda: 0.0)
        sent = await house.discord.command("ana", "money summary", {})
        for strange in ({"context": None}, {"context": 0}, {"context": 7}):
            found = read("INTERACTION_CREATE", {**sent.payload, **strange}, surroundings)
            assert found.message.audience is Audience.SHARED
            assert found.acknowledgement["data"]["flags"] == 64


class TestForms:
    async def test_settings_are_a_form_that_is_stored(self, served):
        await served.discord.command("ana", "money settings", {}, GENERAL)
        opened = await served.discord.press("ana", await served.sees("These are your settings."), "Change settings")
        await opened.acknowledged()
        assert len(served.discord.modal("ana").fields) == 5
        await served.discord.submit("ana", {"time_zone": "Berlin", "week_start": "Sunday"})
        seen = await served.sees("settings changed")
        assert "Europe/Berlin" in seen.text

    async def test_a_form_that_is_wrong_says_so(self, served):
        await served.discord.command("ana", "money settings", {}, GENERAL)
        await (
            await served.discord.press("ana", await served.sees("These are your settings."), "Change settings")
        ).acknowledged()
        await served.discord.submit("ana", {"currency": "shells", "week_start": "Default"})
        assert (await served.sees("can't be “shells”")).ephemeral

    async def test_a_merchant_is_put_into_a_category_by_a_form(self, house):
        await house.bring(BANK[1])
        sent = await house.discord.press("ana", await _post_with(house, Action("Change", "categories")), "Change")
        await sent.acknowledged()
        await house.discord.submit("ana", {"merchant": "Costco", "new_category": "Bulk"})
        assert (await house.received()).content == Call(
            "categories-assign", {"merchant": "Costco", "category": "new category Bulk"}
        )

    async def test_an_account_is_changed_by_a_form(self, house):
        await house.bring(
            b"Date,Description,Amount (USD),Account\n2026-10-01,Costco,-1.00,Utf\n2026-10-02,Lidl,-2.00,Joint\n"
        )
        joint, utf = await (await house.desk.store.repository(PERSON)).accounts()
        sent = await house.discord.press("ana", await _post_with(house, Action("Change", "accounts")), "Change")
        await sent.acknowledged()
        assert len(house.discord.modal("ana").fields) == 5
        await house.discord.submit("ana", {"account": str(utf.id), "new_name": "Everyday"})
        assert (await house.received()).content == Call("accounts-rename", {"account": "Utf", "new_name": "Everyday"})
        await (
            await house.discord.press("ana", await _post_with(house, Action("Change", "accounts")), "Change")
        ).acknowledged()
        await house.discord.submit("ana", {"account": str(utf.id), "into_account": str(joint.id)})
        assert (await house.received(2)).content == Call("accounts-merge", {"account": "Utf", "into": "Joint"})
        await (
            await house.discord.press("ana", await _post_with(house, Action("Change", "accounts")), "Change")
        ).acknowledged()
        await house.discord.submit("ana", {"account": str(utf.id)})
        await house.sees("Please say what is to change.")

    async def test_there_is_no_form_of_accounts_without_any(self, house):
        sent = await house.discord.press("ana", await _post_with(house, Action("Change", "accounts")), "Change")
        await sent.acknowledged()
        await house.sees("so there is no account")

    async def test_files_can_be_brought_by_a_form(self, served):
        await (await served.discord.command("ana", "money import", {}, GENERAL)).acknowledged()
        await served.discord.submit("ana", {"files": [BANK]})
        shown = await served.sees("1 new transaction in bank.csv")
        await served.discord.press("ana", shown, "Import")
        await served.sees("Imported 1 transaction")


class TestTyping:
    async def test_a_person_is_offered_their_own_names(self, house):
        await house.bring(
            b"Date,Description,Amount (USD),Account\n2026-09-01,Costco,-12.00,Visa\n2026-10-01,Cafe Milano,-2.00,Visa\n"
        )
        offered = house.discord.autocomplete
        assert [each.name for each in await offered("ana", "money merchant", "merchant", "cos", where=GENERAL)] == [
            "Costco"
        ]
        assert [each.name for each in await offered("ana", "money summary", "account", "", where=GENERAL)] == ["Visa"]
        periods = [each.name for each in await offered("ana", "money summary", "period", "o", where=GENERAL)]
        assert "October 2026" in periods
        assert [each.name for each in await offered("ben", "money merchant", "merchant", "cos", where=GENERAL)] == []

    async def test_where_names_can_not_be_had_there_are_none(self, house):
        house.broken = True
        assert await house.discord.autocomplete("ana", "money merchant", "merchant", "cos", where=GENERAL) == []


class TestTheWelcome:
    async def test_who_is_new_is_welcomed_once_after_their_first_answer(self, served):
        await served.discord.say("ben", "how much?")
        await served.sees("I answer questions about your own money.", "ben")
        await served.discord.say("ben", "again")
        await served.sees("You said again", "ben")
        assert [text.partition("\n")[0] for text in served.seen("ben")] == [
            "You said how much?",
            "I answer questions about your own money.",
            "You said again",
        ]

    async def test_in_a_server_the_welcome_is_ephemeral_and_leaves_the_answer(self, served):
        await served.discord.command("ben", "money ask", {"question": "how much?"}, GENERAL)
        welcome = await served.sees("I answer questions about your own money.", "ben")
        assert welcome.ephemeral
        await served.sees("You said how much?", "ben")


async def _post_with(house, action):
    """A message of ours with this button, in Ana's direct messages."""
    from bots.contracts import ConversationKey, Delivery

    conversation = ConversationKey("discord", "", house.discord.dm("ana"), "", PERSON)
    await house.adapter.send(Delivery(1, conversation, Reply("answer", "Here", (Actions((action,)),)), "k" * 24))
    return await house.sees("Here")
