"""Replies on their way: who can read them, in which form, how often."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from bots.contracts import ConversationKey, Delivery
from bots.discord_app.bodies import ELSEWHERE
from bots.discord_app.buttons import parse_custom_id
from bots.discord_app.narrating import Narrator
from bots.discord_app.routes import DIRECT, UNNAMED, Route, read_route
from bots.discord_app.sending import DiscordSender, nonce_of, ways
from bots.errors import SendFailed, SendRefused, UnreadableRecord
from bots.limits import Discord
from graph.reply import Action, Actions, Audience, File, Reply, Settled, Text
from ledger.filters import Filter
from ledger.periods import Period
from ledger.transactions import Flow
from tests.support.discord_fake.talk import said_twice
from tests.support.discord_fake.visit import labels
from tests.support.discord_server import GENERAL, HOME
from tests.unit.bots.discord_app.conftest import PERSON
from tools.calls import choice_of
from tools.results import Chart, Column, Table

KEY = "0123456789abcdef01234567"
CHART = Chart("By month", ("Sep", "Oct"), (Decimal("1.50"), Decimal("2.25")), "EUR")
LIKE_FILES = tuple(File("rows.csv", "text/csv", data) for data in (b"a,b", b"c,d", b"e,f"))
EVER = Period(date.min, date.max, "ever")
HERE = ConversationKey("discord", HOME, GENERAL, "", PERSON)


def direct(house) -> ConversationKey:
    return ConversationKey("discord", "", house.discord.dm("ana"), "", PERSON)


def delivery(conversation, reply=None, **more) -> Delivery:
    return Delivery(1, conversation, reply or Reply("answer", "You spent $5"), KEY, **more)


async def route_of(house, where=GENERAL, **changes) -> str:
    """The route of a command that Ana uses there."""
    before = len(house.messages)
    await house.discord.command("ana", "money summary", {}, where)
    route = read_route((await house.received(before + 1)).route)
    assert route is not None
    return str(replace(route, **changes))


class TestWays:
    ROUTE = Route("1", "t", GENERAL, 0.0)

    @pytest.mark.parametrize(
        ("team", "audience", "kind", "route", "expected"),
        [
            ("", Audience.PRIVATE, "answer", None, ("here",)),
            ("", Audience.PRIVATE, "answer", ROUTE, ("route", "here")),
            (HOME, Audience.PRIVATE, "answer", ROUTE, ("route", "person")),
            (HOME, Audience.PRIVATE, "answer", None, ("person",)),
            (ELSEWHERE, Audience.PRIVATE, "answer", None, ("person",)),
            ("", Audience.SHARED, "refuse", None, ("person",)),
            (HOME, Audience.SHARED, "answer", ROUTE, ("route", "person")),
            (HOME, Audience.SHARED, "refuse", ROUTE, ("route", "person")),
            (HOME, Audience.SHARED, "refuse", None, ("person",)),
        ],
    )
    def test_no_reply_goes_where_others_read(self, team, audience, kind, route, expected):
        conversation = ConversationKey("discord", team, GENERAL, "", PERSON)
        assert ways(delivery(conversation, Reply(kind, "x", audience=audience)), route) == expected

    def test_an_interaction_that_is_over_answers_nothing(self):
        assert ways(delivery(HERE), self.ROUTE, is_open=False) == ("person",)

    @pytest.mark.parametrize("team", ["", HOME])
    def test_an_audience_that_nobody_knows_gets_nothing(self, team):
        conversation = ConversationKey("discord", team, GENERAL, "", PERSON)
        with pytest.raises(SendRefused):
            ways(delivery(conversation, Reply("answer", "x", audience="both")), self.ROUTE)


class TestAnswersToInteractions:
    async def test_the_answer_takes_the_place_of_thinking(self, house):
        await house.adapter.send(delivery(HERE, route=await route_of(house)))
        (seen,) = house.discord.answers_to("ana")
        assert (seen.text, seen.ephemeral, seen.channel) == ("You spent $5", True, GENERAL)
        assert house.seen("ben") == []

    async def test_further_parts_follow_for_the_asker_alone(self, house):
        words = " ".join(f"word{number}" for number in range(900))
        await house.adapter.send(delivery(HERE, Reply("answer", "Long", (Text(words),)), route=await route_of(house)))
        assert len(house.seen()) > 2
        assert all(seen.ephemeral for seen in house.discord.answers_to("ana"))
        assert " ".join(house.seen()).split()[1:] == words.split()

    async def test_below_a_servers_answer_in_direct_messages_every_part_lasts(self, house):
        words = Text(" ".join(f"word{number}" for number in range(900)))
        await house.adapter.send(delivery(HERE, Reply("answer", "Long", (words,)), route=await route_of(house, None)))
        seen = house.discord.answers_to("ana")
        assert len(seen) > 2
        assert [(each.ephemeral, each.channel) for each in seen] == [(False, house.discord.dm("ana"))] * len(seen)

    async def test_sent_again_after_a_crash_it_stands_there_once(self, house):
        sent = delivery(HERE, route=await route_of(house))
        await house.adapter.send(sent)
        house.adapter._sender._sent.clear()
        await house.adapter.send(replace(sent, again=True))
        assert house.seen() == ["You spent $5"]

    @pytest.mark.parametrize("code", [10015, 10062, 50027])
    async def test_an_interaction_that_is_over_is_answered_in_direct_messages(self, house, code):
        route = await route_of(house)
        house.discord.fail("PATCH /webhooks/*/*/messages/*", 404, code=code)
        await house.adapter.send(delivery(HERE, route=route))
        assert (await house.sees("You spent")).channel == house.discord.dm("ana")
        assert house.seen("ben") == []

    async def test_what_moderation_blocks_there_goes_to_direct_messages_and_thinking_ends(self, house):
        route = await route_of(house)
        house.discord.fail("PATCH /webhooks/*/*/messages/*", 400, code=200000)
        await house.adapter.send(delivery(HERE, route=route))
        assert (await house.sees("You spent")).channel == house.discord.dm("ana")
        assert (await house.sees("The answer is in our direct messages.")).channel == GENERAL
        assert house.seen("ben") == []

    @pytest.mark.parametrize(("status", "code"), [(400, 200000), (400, 50035), (403, 50013)])
    async def test_where_no_way_is_open_one_line_stands_in_place_of_thinking(self, house, status, code):
        route = await route_of(house)
        house.discord.world.user("ana").accepts_dms = False
        with_figure = lambda call: "$5" in str(call.body)  # noqa: E731
        house.discord.fail("PATCH /webhooks/*/*/messages/*", status, code=code, times=9, where=with_figure)
        with pytest.raises(SendRefused):
            await house.adapter.send(delivery(HERE, route=route))
        assert house.seen() == ["Discord does not take this answer, so I can't show it."]
        assert house.seen("ben") == []

    async def test_what_is_shown_already_is_not_replaced_by_that_line(self, house):
        words = " ".join(f"word{number}" for number in range(900))
        long = delivery(HERE, Reply("answer", "Long", (Text(words),)), route=await route_of(house))
        house.discord.world.user("ana").accepts_dms = False
        house.discord.fail("POST /webhooks/*", 400, code=200000)
        with pytest.raises(SendRefused):
            await house.adapter.send(long)
        assert house.seen()[0] == "Long"

    async def test_after_fourteen_minutes_it_is_not_even_tried(self, house):
        route = await route_of(house)
        house.later = 14 * 60
        await house.adapter.send(delivery(HERE, route=route))
        assert (await house.sees("You spent")).channel == house.discord.dm("ana")
        assert house.discord.calls_of("PATCH /webhooks/*/*/messages/*") == []

    async def test_who_alone_has_the_app_gets_no_more_follow_ups_than_discord_takes(self, house):
        house.discord.install("ana")
        group = house.discord.add_group("friends", "ana", "ben")
        files = tuple(File(f"part-{number}.csv", "text/csv", b"a,b") for number in range(8))
        blocks = (*files, Actions((Action("Receipt", "receipt"),)))
        there = ConversationKey("discord", ELSEWHERE, group.id, "", PERSON)
        await house.adapter.send(
            delivery(there, Reply("answer", "Files", blocks), route=await route_of(house, group.id))
        )
        seen = house.discord.answers_to("ana")
        assert len(seen) <= 1 + Discord.FOLLOWUPS
        assert {file.name for each in seen for file in each.files} >= {file.name for file in files}
        assert any(button.label == "Receipt" for button in seen[-1].buttons)

    async def test_the_last_part_has_its_words_in_a_file_where_parts_are_too_many(self, house):
        house.discord.install("ana")
        group = house.discord.add_group("friends", "ana", "ben")
        there = ConversationKey("discord", ELSEWHERE, group.id, "", PERSON)
        words = " ".join(f"word{number}" for number in range(3000))
        await house.adapter.send(
            delivery(there, Reply("answer", "Long", (Text(words),)), route=await route_of(house, group.id))
        )
        seen = house.discord.answers_to("ana")
        (rest,) = (file for each in seen for file in each.files)
        told = " ".join([*(each.text for each in seen[:-1]), rest.data.decode()])
        assert told.split()[1:] == words.split()


async def asked(house) -> str:
    """The ``delivery_id`` of a question that Ana writes."""
    return f"message:{(await house.discord.say('ana', 'how much?')).message}"


class TestPosts:
    async def _sent_again(self, house, sent) -> None:
        """A delivery after a crash, when Discord has forgotten its nonces."""
        house.adapter._sender._sent.clear()
        house.discord.world.nonces.clear()
        await house.adapter.send(replace(sent, again=True))

    async def test_a_direct_message_is_posted_once_under_its_key(self, house):
        sent = delivery(direct(house))
        await house.adapter.send(sent)
        house.adapter._sender._sent.clear()
        await house.adapter.send(sent)
        assert house.seen() == ["You spent $5"]
        assert house.discord.calls_of("POST /channels/*/messages")[0].body["enforce_nonce"] is True

    async def test_parts_have_nonces_of_their_own(self):
        made = [nonce_of(KEY, number) for number in range(500)]
        assert len(set(made)) == 500
        assert all(len(each) <= Discord.NONCE for each in made)

    async def test_after_the_nonces_are_forgotten_what_stands_there_is_found(self, house):
        reply = Reply("answer", "You spent $5", (Actions((Action("Receipt", "receipt"),)),))
        sent = delivery(direct(house), reply)
        await house.adapter.send(sent)
        await self._sent_again(house, sent)
        assert house.seen() == ["You spent $5"]

    @pytest.mark.parametrize(
        "blocks",
        [
            (),
            (Text(" ".join(f"word{number}" for number in range(900))),),
            tuple(File(f"part {number}.csv", "text/csv", b"a,b") for number in range(3)),
            (CHART,),
        ],
        ids=["line", "texts", "files", "chart"],
    )
    async def test_what_has_no_buttons_is_found_by_what_it_shows(self, house, blocks):
        sent = delivery(direct(house), Reply("answer", "Here it is", blocks), answers=await asked(house))
        await house.adapter.send(sent)
        stands = house.seen()
        await self._sent_again(house, sent)
        assert house.seen() == stands
        assert said_twice(house.discord, "ana") == []

    async def test_only_the_parts_that_are_missing_are_sent(self, house):
        words = " ".join(f"word{number}" for number in range(900))
        sent = delivery(direct(house), Reply("answer", "Long", (Text(words),)), answers=await asked(house))
        second = lambda _: len(house.seen()) == 1  # noqa: E731
        house.discord.fail("POST /channels/*/messages", 503, where=second)
        with pytest.raises(SendFailed):
            await house.adapter.send(sent)
        await self._sent_again(house, sent)
        assert " ".join(house.seen()).split()[1:] == words.split()

    async def test_of_two_parts_that_look_alike_one_is_not_taken_for_both(self, house):
        sent = delivery(direct(house), Reply("answer", "…", LIKE_FILES), answers=await asked(house))
        await house.adapter.send(sent)
        files_seen = lambda: [seen.files for seen in house.discord.answers_to("ana")]  # noqa: E731
        stands = files_seen()
        await self._sent_again(house, sent)
        assert files_seen() == stands
        house.discord.world.remove(house.discord.world.message(house.discord.answers_to("ana")[-1].id))
        await self._sent_again(house, sent)
        assert files_seen() == stands

    async def test_the_same_answer_to_an_earlier_question_is_another_one(self, house):
        await house.adapter.send(delivery(direct(house), answers=await asked(house)))
        later = replace(delivery(direct(house), answers=await asked(house), again=True), idempotency_key=KEY[::-1])
        await house.adapter.send(later)
        assert house.seen() == ["You spent $5"] * 2

    @pytest.mark.parametrize("blocks", [(), (Actions((Action("Receipt", "receipt"),)),)], ids=["line", "buttons"])
    async def test_the_same_answer_to_a_question_in_between_is_another_one(self, house, blocks):
        question, buttons = await asked(house), (Actions((Action("Receipt", "receipt"),)),)
        await house.adapter.send(delivery(direct(house), Reply("answer", "You spent $5", buttons), answers=question))
        other = delivery(direct(house), Reply("answer", "You spent $5", blocks), answers=question, again=True)
        await house.adapter.send(replace(other, idempotency_key=KEY[::-1]))
        assert house.seen() == ["You spent $5"] * 2

    @pytest.mark.parametrize("before", [0, 48, 49, 50, 75])
    async def test_it_is_found_however_much_was_written_meanwhile(self, house, before):
        sent = delivery(direct(house), Reply("answer", "…", LIKE_FILES), answers=await asked(house))
        for number in range(before):
            await house.discord.say("ana", f"note {number}")
        await house.adapter.send(sent)
        stands = house.seen()
        house.discord.world.remove(house.discord.world.message(house.discord.answers_to("ana")[-1].id))
        for _ in range(2):
            await self._sent_again(house, sent)
            assert house.seen() == stands

    async def test_what_the_person_writes_is_not_taken_for_it(self, house):
        question = await asked(house)
        await house.discord.say("ana", "## You spent $5")
        await house.adapter.send(delivery(direct(house), answers=question, again=True))
        assert house.seen() == ["You spent $5"]

    async def test_what_is_said_twice_without_buttons_is_seen_to_be(self, house):
        """Else the tests above show nothing."""
        sent = delivery(direct(house))
        await house.adapter.send(sent)
        house.discord.fail("GET /channels/*/messages", 403, code=50001)
        await self._sent_again(house, sent)
        assert len(said_twice(house.discord, "ana")) == 1

    async def test_in_its_plain_form_it_is_found_by_its_buttons(self, house):
        sent = delivery(direct(house), Reply("answer", "You spent $5", (Actions((Action("Receipt", "receipt"),)),)))
        house.discord.fail("POST /channels/*/messages", 400, code=50035)
        await house.adapter.send(sent)
        await self._sent_again(house, sent)
        assert house.seen() == ["You spent $5"]

    async def test_it_is_found_after_a_page_was_turned_or_it_was_settled(self, house):
        sent = delivery(direct(house), TestPages.LONG, answers=await asked(house))
        await house.adapter.send(sent)
        settled = Reply("answer", "Done", settles=(Settled(KEY, "Done."),))
        await house.adapter.retire(delivery(direct(house), settled))
        await self._sent_again(house, sent)
        assert len(house.seen()) == 1

    async def test_a_post_whose_answer_was_lost_is_not_repeated(self, house):
        house.discord.fail("POST /channels/*/messages", 503, after_effect=True)
        with pytest.raises(SendFailed):
            await house.adapter.send(delivery(direct(house)))
        await house.adapter.send(delivery(direct(house), again=True))
        assert house.seen() == ["You spent $5"]

    async def test_a_rate_limit_that_is_too_long_is_told_with_its_wish(self, house):
        house.discord.fail("POST /channels/*/messages", 429, retry_after=120.0)
        with pytest.raises(SendFailed) as failed:
            await house.adapter.send(delivery(direct(house)))
        assert failed.value.retry_after == 120.0

    async def _mentioned(self, house):
        return delivery(HERE, answers=f"message:{(await house.discord.mention('ana', 'how much?', 'general')).message}")

    async def test_a_mention_is_answered_in_direct_messages_and_gets_a_reaction(self, house):
        sent = await self._mentioned(house)
        for _ in range(2):
            await house.adapter.send(sent)
        assert (await house.sees("You spent $5")).channel == house.discord.dm("ana")
        assert house.seen("ben") == []
        assert house.discord.reactions == [(sent.answers.removeprefix("message:"), "📬")]

    async def test_where_reactions_are_refused_a_line_says_where_to_look_and_nothing_of_money(self, house):
        house.discord.forbid("general", "add_reactions")
        await house.adapter.send(await self._mentioned(house))
        await house.sees("You spent $5")
        assert house.seen("ben") == ["@Ana please look at your direct messages."]

    async def test_who_takes_no_direct_messages_is_told_so_without_a_figure(self, house):
        house.discord.world.user("ana").accepts_dms = False
        with pytest.raises(SendRefused):
            await house.adapter.send(delivery(HERE))
        (line,) = house.seen("ben")
        assert line.startswith("@Ana I can't send you direct messages.")
        assert "$5" not in line

    @pytest.mark.parametrize("route", [DIRECT, UNNAMED])
    async def test_what_was_not_asked_by_name_is_told_of_nowhere_else(self, house, route):
        house.discord.world.user("ana").accepts_dms = False
        with pytest.raises(SendRefused):
            await house.adapter.send(delivery(HERE, route=route))
        assert house.seen("ben") == []

    async def test_direct_messages_that_are_opened_too_fast_are_opened_later(self, house):
        house.discord.fail("POST /users/@me/channels", 403, code=40003, times=9)
        with pytest.raises(SendFailed):
            await house.adapter.send(delivery(HERE))
        house.discord.behave()
        await house.adapter.send(delivery(HERE, again=True))
        assert (await house.sees("You spent $5")).channel == house.discord.dm("ana")

    async def test_nobody_is_alarmed_and_nothing_is_unfolded(self, house):
        reply = Reply("answer", "Found", (Text("@everyone <@&1> https://example.com discord.gg/abc"),))
        await house.adapter.send(delivery(direct(house), reply))
        (seen,) = house.discord.answers_to("ana")
        assert (seen.pings, seen.links) == ((), ())


class TestForms:
    async def test_a_chart_is_attached_as_a_picture_that_can_be_read_aloud(self, house):
        await house.adapter.send(delivery(direct(house), Reply("answer", "By month", (CHART,))))
        (seen,) = house.discord.answers_to("ana")
        assert seen.files[0].data.startswith(b"\x89PNG")
        assert "Sep" in seen.files[0].alt

    @pytest.mark.parametrize(("refused", "buttons"), [(0, ["Receipt"]), (1, ["Receipt"]), (2, [])])
    async def test_a_card_that_is_refused_goes_as_a_plain_message_and_then_without_its_buttons(
        self, house, refused, buttons
    ):
        for _ in range(refused):
            house.discord.fail("POST /channels/*/messages", 400, code=50035)
        reply = Reply("answer", "You spent $5", (Actions((Action("Receipt", "receipt"),)), CHART))
        await house.adapter.send(delivery(direct(house), reply))
        (seen,) = house.discord.answers_to("ana")
        assert (seen.text.splitlines()[0], labels(seen)) == ("You spent $5", buttons)
        (sent,) = [call.body for call in house.discord.calls_of("POST /channels/*/messages") if call.status == 200]
        assert (sent["flags"] & 1 << 15 == 0, "2.25" in seen.text, bool(seen.files)) == (
            bool(refused),
            bool(refused),
            not refused,
        )

    async def test_beside_the_figure_is_what_it_consists_of_and_above_the_buttons_a_line(self, house):
        table = Table((Column("Shop"), Column("Sum", "money", "USD")), (("A", Decimal(5)),))
        row = Actions((Action("Receipt", "receipt"), Action("Transactions", "transactions")))
        blocks = (Text("You spent $5", "headline"), Text("1 purchase", "definition"), row, table)
        refused = Reply("refuse", "No", blocks)
        for reply in (replace(refused, kind="answer", behind=(Filter(EVER, flow=Flow.SPENDING),)), refused):
            await house.adapter.send(replace(delivery(direct(house), reply), idempotency_key=reply.kind.ljust(24, "0")))
        spent, no = (call.body["components"][0] for call in house.discord.calls_of("POST /channels/*/messages"))
        assert [each["type"] for each in spent["components"]] == [9, 10, 10, 14, 1]
        section, counted, shown, _, buttons = spent["components"]
        assert section["components"][0]["content"] == "## You spent $5"
        assert counted["content"] == "-# 1 purchase"
        assert section["accessory"]["label"] == "Transactions"
        assert "A    $5.00" in shown["content"]
        assert [each["label"] for each in buttons["components"]] == ["Receipt"]
        assert spent["accent_color"] != no["accent_color"]

    async def test_a_headline_that_is_long_for_a_phone_has_no_button_beside_it(self, house):
        headline = "Groceries: $273.89 more in October 2026 than in September 2026, mostly at Costco"
        row = Actions((Action("Receipt", "receipt"), Action("Transactions", "transactions")))
        reply = Reply("answer", headline, (Text(headline, "headline"), Text("1 purchase", "definition"), row))
        await house.adapter.send(delivery(direct(house), reply))
        (call,) = house.discord.calls_of("POST /channels/*/messages")
        head, _, buttons = call.body["components"][0]["components"]
        assert head["content"] == f"## {headline}\n-# 1 purchase"
        assert [each["label"] for each in buttons["components"]] == ["Receipt", "Transactions"]

    async def test_files_of_one_name_in_one_message_are_two(self, house):
        house.discord.install("ana")
        group = house.discord.add_group("friends", "ana", "ben")
        files = tuple(File("my rows.csv", "text/csv", str(number).encode()) for number in range(8))
        there = ConversationKey("discord", ELSEWHERE, group.id, "", PERSON)
        route = await route_of(house, group.id)
        await house.adapter.send(delivery(there, Reply("answer", "Files", files), route=route))
        handed = [file.data for seen in house.discord.answers_to("ana") for file in seen.files]
        assert {str(number).encode() for number in range(8)} <= set(handed)

    async def test_a_file_that_is_too_large_is_said_to_be_so(self, house):
        file = File("rows.csv", "text/csv", b"x" * (Discord.FILE_SIZE + 1))
        await house.adapter.send(delivery(direct(house), Reply("answer", "Here", (file,))))
        seen = house.discord.answers_to("ana")
        assert any("does not take the file rows.csv" in each.text for each in seen)
        assert not any(each.files for each in seen)

    async def test_a_long_text_beside_a_file_that_is_too_large_is_not_cut(self, house):
        words, name = "x" * 1970, f"{'*' * 200}.csv"
        blocks = (Text(words), File(name, "text/csv", b"x" * (Discord.FILE_SIZE + 1)))
        await house.adapter.send(delivery(direct(house), Reply("answer", "Here", blocks)))
        (seen,) = house.seen()
        assert seen.startswith(f"Here\n{words}\nDiscord does not take the file ")
        assert seen.endswith("; it is 10.0 MB.")

    async def test_a_file_that_a_proxy_does_not_let_through_is_named(self, house):
        house.discord.fail("POST /channels/*/messages", 413, html=True)
        file = File("rows.csv", "text/csv", b"a,b")
        await house.adapter.send(delivery(direct(house), Reply("answer", "Here", (file,))))
        assert house.seen() == ["Here\nDiscord does not take the file rows.csv; it is 0.0 KB."]

    async def test_an_interaction_may_take_larger_files(self, house):
        house.discord.size_limit = Discord.FILE_SIZE + 10
        file = File("rows.csv", "text/csv", b"x" * (Discord.FILE_SIZE + 1))
        await house.adapter.send(delivery(HERE, Reply("answer", "Here", (file,)), route=await route_of(house)))
        tried = house.discord.calls_of("PATCH /webhooks/*/*/messages/*")[0]
        assert [each["filename"] for each in tried.body["attachments"]] == ["rows.csv"]

    async def test_where_files_are_forbidden_a_shared_answer_comes_without_its_picture(self, house):
        house.discord.forbid("general", "attach_files")
        reply = Reply("answer", "By month", (CHART,), audience=Audience.SHARED)
        await house.adapter.publish(delivery(HERE, reply))
        seen = await house.sees("shared this:", "ben")
        assert not seen.files
        assert "2.25" in seen.text

    async def test_a_long_table_comes_as_a_file(self, house):
        rows = tuple((f"Shop {number}", Decimal(number), date(2026, 10, 1)) for number in range(300))
        table = Table((Column("Shop"), Column("Sum", "money", "USD"), Column("On", "date")), rows)
        await house.adapter.send(delivery(direct(house), Reply("answer", "Shops", (table,))))
        assert any(b"Shop 299" in file.data for seen in house.discord.answers_to("ana") for file in seen.files)


class TestCommands:
    """Where a text tells of a command, it can be pressed."""

    TOLD = Text("Bring it in with /money import; oder frag mit /money frage. Not: x/money undo, /money, /money bags.")

    async def _registered(self, house) -> str:
        (money, _) = (await house.discord.until(lambda: house.discord.commands.get(None))).values()
        await house.discord.until(lambda: house.adapter._web._command)
        return money["id"]

    async def test_a_card_and_a_line_name_it_by_its_id(self, house):
        number = await self._registered(house)
        table = Table((Column("Shop"), Column("Sum", "money", "USD")), (("/money undo", Decimal(5)),))
        await house.adapter.send(delivery(direct(house), Reply("answer", "Commands", (self.TOLD, table))))
        (call,) = house.discord.calls_of("POST /channels/*/messages")
        _, told, shown = call.body["components"][0]["components"]
        assert told["content"] == (
            f"Bring it in with </money import:{number}>; oder frag mit </money ask:{number}>. "
            "Not: x/money undo, /money, /money bags."
        )
        assert "/money undo" in shown["content"]
        house.discord.world.user("ana").accepts_dms = False
        house.adapter._channels._direct.clear()
        with pytest.raises(SendRefused):
            await house.adapter.send(replace(delivery(HERE), idempotency_key=KEY[::-1]))
        line = house.discord.calls_of("POST /channels/*/messages")[-1].body["content"]
        assert f"ask here with </money ask:{number}>: then" in line

    async def test_what_has_room_for_the_words_alone_has_only_them(self, house):
        await self._registered(house)
        await house.adapter.send(delivery(direct(house), Reply("answer", "x", (Text("/money undo " * 150),))))
        (call,) = house.discord.calls_of("POST /channels/*/messages")
        assert "</" not in str(call.body)


class TestSharing:
    SHARED = Reply("answer", "You spent $5", audience=Audience.SHARED)

    async def test_it_says_who_shares_and_where_it_stands(self, house):
        posted = await house.adapter.publish(delivery(HERE, self.SHARED))
        (seen,) = house.discord.answers_to("ben")
        assert seen.text == "@Ana shared this:\nYou spent $5"
        assert posted.posts == (seen.id,)

    async def test_under_one_key_it_stands_once_also_for_another_process(self, house):
        there = delivery(HERE, self.SHARED, answers=f"interaction:{house.discord.world.new_id(60)}")
        posted = await house.adapter.publish(there)
        assert await house.adapter.publish(there) == posted
        house.discord.world.nonces.clear()
        sender = DiscordSender(house.adapter._web, house.adapter._channels, house.desk.locale)
        assert await sender.publish(replace(there, again=True)) == posted
        assert house.seen("ben") == ["@Ana shared this:\nYou spent $5"]

    async def test_what_was_posted_is_deleted_once(self, house):
        posted = await house.adapter.publish(delivery(HERE, self.SHARED))
        assert await house.adapter.retract(posted)
        assert house.seen("ben") == []
        assert not await house.adapter.retract(posted)

    @pytest.mark.parametrize(
        ("code", "said"), [(10003, "no longer there"), (50001, "can't reach"), (50013, "can't reach")]
    )
    async def test_what_can_not_be_deleted_is_said_in_a_sentence(self, house, code, said):
        posted = await house.adapter.publish(delivery(HERE, self.SHARED))
        house.discord.fail("DELETE /channels/*/messages/*", 403, code=code)
        with pytest.raises(SendRefused) as refused:
            await house.adapter.retract(posted)
        assert said in refused.value.message

    async def _ask(self, served, agent, where=GENERAL, who="ana"):
        agent.replies["how much?"] = Reply("answer", "You spent $5", (Actions((Action("Share", "share"),)),))
        await served.discord.command(who, "money ask", {"question": "how much?"}, where)
        return await served.sees("You spent $5", who)

    async def _press(self, served, answer, label, who="ana", **more):
        await (await served.discord.press(who, answer, label, **more)).acknowledged()
        await served.runner.idle()

    async def _share(self, served, answer):
        await self._press(served, answer, "Share")
        await self._press(served, await served.sees("This is what will stand there"), "Share it")

    async def test_an_answer_is_shared_once(self, served, agent):
        answer = await self._ask(served, agent)
        await self._press(served, answer, "Share")
        preview = await served.sees("Share this in #general?")
        assert preview.ephemeral
        assert served.seen("ben") == []
        for _ in range(3):
            await (await served.discord.press("ana", preview, "Share it")).acknowledged()
        await served.sees("shared this", "ben")
        await served.runner.idle()
        assert served.seen("ben") == ["@Ana shared this:\nYou spent $5"]

    async def test_what_a_stranger_presses_does_not_keep_its_asker_from_sharing(self, served, agent):
        answer = await self._ask(served, agent)
        await self._press(served, answer, "Share", "ben", forged=True)
        await served.sees("There is no answer of yours here to share.", "ben")
        await self._share(served, answer)
        await served.sees("shared this", "ben")

    async def test_what_could_not_be_shared_is_shared_by_a_later_press_once(self, served, agent):
        answer = await self._ask(served, agent)
        served.discord.fail("POST /channels/*/messages", 403, code=50013)
        await self._share(served, answer)
        await served.sees("nothing was shared")
        for words in ("Shared in #general", "shared already"):
            await self._press(served, await served.sees("This is what will stand there"), "Share it")
            await served.sees(words)
        assert served.seen("ben") == ["@Ana shared this:\nYou spent $5"]

    async def test_a_mentions_answer_in_direct_messages_offers_no_sharing(self, served, agent):
        agent.replies["how much?"] = Reply("answer", "You spent $5", (Actions((Action("Share", "share"),)),))
        await served.discord.mention("ana", "how much?", "general")
        assert (await served.sees("You spent $5")).buttons == ()

    async def test_who_may_not_write_there_is_told_so_and_may_try_again(self, served, agent):
        answer = await self._ask(served, agent)
        served.discord.forbid("general", "send_messages", user="ana")
        await self._press(served, answer, "Share")
        assert (await served.sees("You may not write in this channel")).ephemeral
        assert served.seen("ben") == []
        served.discord.world.channel("general").denied_to.clear()
        await self._share(served, answer)
        await served.sees("shared this", "ben")

    @pytest.mark.parametrize(
        ("denied", "seen"), [("send_messages", "the thread holiday"), ("send_messages_in_threads", "You may not write")]
    )
    async def test_in_a_thread_it_takes_the_permission_for_threads(self, served, agent, denied, seen):
        thread = await served.discord.start_thread("ana", "holiday", "general", bot=True)
        served.discord.forbid("general", denied, user="ana")
        await self._press(served, await self._ask(served, agent, thread.id), "Share")
        await served.sees(seen)

    @pytest.mark.parametrize("group", [False, True])
    async def test_where_we_could_not_take_it_back_there_is_no_sharing(self, served, agent, group):
        served.discord.install("ana")
        served.discord.add_guild("away", "ana", "ben", bot=False, installed=False)
        there = (
            served.discord.add_group("friends", "ana", "ben")
            if group
            else served.discord.add_channel("there", guild="away")
        )
        assert (await self._ask(served, agent, there.id)).buttons == ()

    async def test_a_channel_that_we_can_not_see_is_no_place_to_share(self, served, agent):
        answer = await self._ask(served, agent)
        served.discord.forbid("general", "view_channel")
        await self._press(served, answer, "Share")
        await served.sees("could not take back")


class TestNarration:
    async def _tell(self, house, *sentences, pause=None):
        waits = []

        async def sleep(seconds):
            waits.append(seconds)

        async def told():
            for sentence in sentences:
                yield sentence
            if pause is not None:
                await pause.wait()

        sent = delivery(direct(house), Reply("answer", "You spent $5", (Actions((Action("Receipt", "receipt"),)),)))
        await house.adapter.send(sent)
        await Narrator(house.adapter._sender, seconds=lambda: 0.0, sleep=sleep).tell(sent, told())
        return waits

    async def test_sentences_are_added_below_the_answer_and_leave_its_buttons(self, house):
        waits = await self._tell(house, "That is less.", "Much less.")
        (seen,) = house.discord.answers_to("ana")
        assert seen.text == "You spent $5\nThat is less. Much less."
        assert [button.label for button in seen.buttons] == ["Receipt"]
        assert waits == [0.0, 1.0]

    async def test_the_answer_to_an_interaction_is_added_to_as_well(self, house):
        sent = delivery(HERE, route=await route_of(house))
        await house.adapter.send(sent)

        async def told():
            yield "That is less."

        await house.adapter.stream(sent, told())
        (seen,) = house.discord.answers_to("ana")
        assert (seen.text, seen.ephemeral) == ("You spent $5\nThat is less.", True)

    async def test_what_does_not_fit_is_left_out(self, house):
        await self._tell(house, "That is less.", "x" * Discord.CONTENT, "Much less.")
        assert house.seen() == ["You spent $5\nThat is less."]

    async def test_a_refusal_ends_it_and_costs_nothing_else(self, house):
        house.discord.fail("PATCH /channels/*/messages/*", 403, code=50013)
        await self._tell(house, "That is less.", "Much less.")
        assert house.seen() == ["You spent $5"]

    async def test_cancelled_it_leaves_whole_sentences(self, house):
        task = asyncio.create_task(self._tell(house, "That is less.", pause=asyncio.Event()))
        await house.sees("That is less.")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert house.seen() == ["You spent $5\nThat is less."]


class TestPages:
    """A long table is turned in place, from what is stored of its answer, by its asker alone."""

    ROWS = tuple((date(2026, 10, 1), f"Shop {number}", Decimal(number)) for number in range(45))
    LONG = Reply(
        "answer",
        "45 purchases",
        (
            Table((Column("Day", "date"), Column("Shop"), Column("Sum", "money", "USD")), ROWS, "Purchases"),
            Actions((Action("Receipt", "receipt"),)),
        ),
    )

    async def _ask(self, served, agent, where):
        agent.replies["what?"] = self.LONG
        if where is None:
            await served.discord.say("ana", "what?")
        else:
            await served.discord.command("ana", "money ask", {"question": "what?"}, where)
        answer = await served.sees("1–20 of 45")
        await served.runner.idle()
        return answer

    async def _turn(self, served, seen, label, who="ana", **more):
        await (await served.discord.press(who, seen, label, **more)).acknowledged()
        return next((each for each in served.discord.answers_to("ana") if each.id == seen.id), seen)

    @pytest.mark.parametrize("where", [None, GENERAL])
    async def test_it_is_turned_on_and_back_in_the_same_message(self, served, agent, where):
        first = await self._ask(served, agent, where)
        second = await self._turn(served, first, "Next")
        assert ("Shop 20 " in second.text, "Shop 19 " in second.text) == (True, False)
        third = await self._turn(served, second, "Next")
        assert "41–45 of 45" in third.text
        assert [button.label for button in third.buttons if button.disabled] == ["Next"]
        assert (third.files, third.text.splitlines()[0]) == (first.files, "45 purchases")
        back = await self._turn(served, await self._turn(served, third, "Back"), "Back")
        assert (back.text, back.buttons) == (first.text, first.buttons)
        assert len(served.seen()) == 1
        assert served.seen("ben") == []

    async def test_a_mentions_answer_is_turned_in_the_direct_messages(self, served, agent):
        agent.replies["what?"] = self.LONG
        await served.discord.mention("ana", "what?", "general")
        answer = await served.sees("1–20 of 45")
        await served.runner.idle()
        assert "21–40 of 45" in (await self._turn(served, answer, "Next")).text

    async def test_what_stands_on_the_card_beside_it_stays(self, served, agent):
        first = await self._ask(served, agent, None)

        async def told():
            yield "That is a lot."

        key = parse_custom_id(next(each for each in first.buttons if each.label == "Receipt").custom_id).about
        await served.adapter.stream(replace(delivery(direct(served), self.LONG), idempotency_key=key), told())
        second = await self._turn(served, first, "Next")
        assert "That is a lot." in second.text
        assert "21–40 of 45" in second.text

    async def test_nobody_else_turns_it(self, served, agent):
        first = await self._ask(served, agent, GENERAL)
        assert (await self._turn(served, first, "Next", "ben", forged=True)).text == first.text
        assert served.seen("ben") == ["There is no answer of yours here to look into. Ask something first."]

    async def test_after_it_was_forgotten_there_is_nothing_to_turn_to(self, served, agent):
        first = await self._ask(served, agent, GENERAL)
        await served.desk.history.forget(PERSON)
        assert (await self._turn(served, first, "Next")).text == first.text
        assert "There is no answer of yours here" in served.seen()[-1]

    async def test_where_the_store_fails_a_line_says_so(self, served, agent, monkeypatch):
        first = await self._ask(served, agent, GENERAL)

        async def broken(*_key):
            raise UnreadableRecord("x")

        monkeypatch.setattr(served.desk.history, "reply", broken)
        assert (await self._turn(served, first, "Next")).text == first.text
        assert served.seen()[-1] == "I could not turn the page. Please try again."

    @pytest.mark.parametrize("value", ["0.99", "9.0", "0", "x.y", ""])
    async def test_a_page_that_is_none_is_not_turned_to(self, served, agent, value):
        first = await self._ask(served, agent, GENERAL)
        key = parse_custom_id(first.buttons[-1].custom_id).about
        sent = await served.discord.press("ana", first, f"mm:page:{key}:1:{value}", forged=True)
        if "." in value and value != "x.y":
            await sent.acknowledged()
        assert (await self._turn(served, first, "Next")).text != first.text


class TestMenus:
    CHOICES = tuple(choice_of(f"Shop {number}", "spending-analyze_merchant", merchant=number) for number in range(9))

    @pytest.mark.parametrize("refused", [False, True])
    @pytest.mark.parametrize("where", [None, GENERAL])
    async def test_what_is_chosen_from_one_is_what_its_button_would_say(self, served, agent, where, refused):
        """Also where the card was refused."""
        agent.replies["which?"] = Reply("clarify", "Which shop?", choices=self.CHOICES)
        if refused:
            for way in ("POST /channels/*/messages", "PATCH /webhooks/*/*/messages/*"):
                served.discord.fail(way, 400, code=50035)
        if where is None:
            await served.discord.say("ana", "which?")
        else:
            await served.discord.command("ana", "money ask", {"question": "which?"}, where)
        asked = await served.sees("Which shop?")
        assert (asked.buttons, len(asked.menus[0].options)) == ((), 9)
        await served.runner.idle()
        await served.discord.select("ana", asked, "Choose…", "Shop 7")
        await served.discord.until(lambda: len(agent.requests) == 2)
        assert agent.requests[-1].choice == self.CHOICES[7]


class TestWhatIsSettled:
    ASKED = Reply(
        "clarify",
        "Import 2 transactions?",
        (
            Actions((Action("Import", "confirm", "t"), Action("Cancel", "cancel", "t"))),
            Actions((Action("Help", "ask", "help"),)),
        ),
    )
    DONE = Reply("answer", "2 transactions imported.", settles=(Settled(KEY, "2 transactions imported."),))

    @pytest.mark.parametrize("restarted", [False, True])
    async def test_a_proposal_loses_its_buttons_and_says_what_became_of_it(self, house, restarted):
        conversation = direct(house)
        await house.adapter.send(delivery(conversation, self.ASKED))
        if restarted:
            house.adapter._sender._sent.clear()
        await house.adapter.send(replace(delivery(conversation, self.DONE), idempotency_key=KEY[::-1]))
        asked, done = house.discord.answers_to("ana")
        assert labels(asked) == ["Help"]
        assert asked.text.endswith("→ 2 transactions imported.")
        assert done.text == "2 transactions imported."

    @pytest.mark.parametrize("restarted", [False, True])
    async def test_it_keeps_its_file_and_its_long_table(self, house, restarted):
        rows = tuple((f"Shop {number}", Decimal(number)) for number in range(45))
        table = Table((Column("Shop"), Column("Sum", "money", "USD")), rows)
        asked = replace(self.ASKED, blocks=(table, *self.ASKED.blocks))
        await house.adapter.send(delivery(direct(house), asked))
        before = house.discord.answers_to("ana")[0]
        if restarted:
            house.adapter._sender._sent.clear()
        await house.adapter.retire(delivery(direct(house), self.DONE))
        (seen,) = house.discord.answers_to("ana")
        assert (labels(seen), seen.files) == (["Back", "Next", "Help"], before.files)
        assert seen.text == f"{before.text}\n→ 2 transactions imported."

    @pytest.mark.parametrize("restarted", [False, True])
    async def test_one_whose_time_is_over_does_so_though_nothing_is_said(self, house, restarted):
        conversation = direct(house)
        await house.adapter.send(delivery(conversation, self.ASKED))
        if restarted:
            house.adapter._sender._sent.clear()
        over = replace(self.DONE, settles=(Settled(KEY, "This has expired."),))
        await house.adapter.retire(delivery(conversation, over))
        (asked,) = house.discord.answers_to("ana")
        assert (labels(asked), asked.text.endswith("→ This has expired.")) == (["Help"], True)

    async def test_one_that_its_asker_alone_sees_does_so_while_its_interaction_holds(self, house):
        await house.adapter.send(delivery(HERE, self.ASKED, route=await route_of(house)))
        done = delivery(HERE, self.DONE, route=await route_of(house))
        await house.adapter.send(replace(done, idempotency_key=KEY[::-1]))
        asked, _ = house.discord.answers_to("ana")
        assert (asked.ephemeral, labels(asked)) == (True, ["Help"])

    @pytest.mark.parametrize("later", ["restarted", "hours"])
    async def test_one_that_its_asker_alone_sees_is_changed_by_the_press_on_it_whenever_that_is(self, house, later):
        await house.adapter.send(delivery(HERE, self.ASKED, route=await route_of(house)))
        if later == "restarted":
            house.adapter._sender._sent.clear()
        else:
            house.discord.interactions.clear()
        asked = house.discord.answers_to("ana")[0]
        before = len(house.messages)
        await (await house.discord.press("ana", asked, "Import")).acknowledged()
        route = (await house.received(before + 1)).route
        done = replace(self.DONE, settles=(Settled(KEY, "2 transactions imported.", pressed=True),))
        await house.adapter.send(replace(delivery(HERE, done, route=route), idempotency_key=KEY[::-1]))
        asked, answer = house.discord.answers_to("ana")
        assert (asked.ephemeral, labels(asked)) == (True, ["Help"])
        assert (asked.text.splitlines()[-1], answer.text) == (
            "→ 2 transactions imported.",
            "2 transactions imported.",
        )

    async def test_what_discord_does_not_let_us_change_costs_nothing(self, house):
        conversation = direct(house)
        await house.adapter.send(delivery(conversation, self.ASKED))
        house.discord.fail("PATCH /channels/*/messages/*", 403, code=50001)
        await house.adapter.send(replace(delivery(conversation, self.DONE), idempotency_key=KEY[::-1]))
        assert house.discord.answers_to("ana")[-1].text == "2 transactions imported."
