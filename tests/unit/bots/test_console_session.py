"""A session: questions, choices, commands, confirmations, and whatever goes wrong on the way."""

from __future__ import annotations

import asyncio
import csv
import io
from decimal import Decimal

import pytest
import sqlalchemy as sa

from bots.app import console_person
from bots.console.session import BROKEN, TOO_LONG
from bots.contracts import ConversationKey, Delivery
from bots.errors import SendRefused
from graph.reply import Action, Actions, Reply
from graph.turn import TurnOutcome
from ledger import schema
from ledger.sample import sample_csv
from tests.support.console import NOW, Desk, ScriptedLines, desk
from tools.results import Fact

BANK = "Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n2026-10-09,REWE MARKT,-7.50\n2026-10-30,SALARY,2000.00\n"
AMBIGUOUS = "Date,Description,Amount (CAD)\n03/04/2026,COFFEE,-3.50\n05/06/2026,TEA,-2.50\n"
FACT = Fact("total", "Total", Decimal("1.00"), "money", "USD")


@pytest.fixture
async def at_desk(tmp_path):
    async with desk(tmp_path) as opened:
        yield opened


@pytest.fixture
def bank(tmp_path):
    path = tmp_path / "my bank.csv"
    path.write_text(BANK)
    return path


class FixedAgent:
    """Always answers the same; may wait, fail, or add a sentence."""

    def __init__(self, reply: Reply, sentence: str | None = None) -> None:
        self.reply = reply
        self.sentence = sentence
        self.asked: list[str] = []
        self.gate: asyncio.Event | None = None
        self.narrating = asyncio.Event()

    async def answer(self, request):
        self.asked.append(request.text)
        if self.gate is not None:
            await self.gate.wait()
        return TurnOutcome(self.reply)

    async def narrate(self, request, outcome):
        self.narrating.set()
        if self.sentence == "never":
            await asyncio.Event().wait()
        if self.sentence is not None:
            yield self.sentence


def with_agent(at_desk: Desk, agent: FixedAgent) -> FixedAgent:
    at_desk.app.__dict__["agent"] = agent
    return agent


async def count(at_desk: Desk, table: sa.FromClause) -> int:
    async with at_desk.app.store.read() as connection:
        return (await connection.execute(sa.select(sa.func.count()).select_from(table))).scalar_one()


async def test_an_empty_ledger_is_offered_the_sample_and_answers_exactly_once_it_is_there(at_desk):
    printed = await at_desk.talk("/sample", "1", "/quit", "never said")
    rows = csv.DictReader(io.StringIO(sample_csv(NOW.date()).decode()))
    groceries = sum(
        Decimal(row["Amount"]) for row in rows
        if row["Category"] == "Groceries" and row["Date"].startswith("10/") and row["Date"].endswith("2026")
    )  # fmt: skip
    assert f"${groceries:,} on groceries in October 2026" in printed
    assert "for example:\n  1  How much did I spend on groceries last month?\n  2  " in printed
    assert "Next: September 2026?" in printed
    assert "never said" not in printed
    assert at_desk.code == 0


async def test_an_import_is_shown_first_and_done_by_a_yes(at_desk, bank):
    await at_desk.talk(f'/import "{bank}"')
    assert await count(at_desk, schema.transactions) == 0
    printed = await at_desk.talk(f'/import "{bank}"', "yes", "yes")
    assert "3 new transactions in" in printed
    assert "Imported 3 transactions" in printed
    assert await count(at_desk, schema.transactions) == 3


@pytest.mark.parametrize("word", ["Ja", "y", "YES.", "ok"])
async def test_a_pasted_path_is_an_import_and_a_yes_may_be_german(at_desk, bank, word):
    await at_desk.talk(str(bank), word)
    assert await count(at_desk, schema.transactions) == 3


@pytest.mark.parametrize("word", ["no", "Nein"])
async def test_a_no_leaves_everything_as_it_was(at_desk, bank, word):
    printed = await at_desk.talk(str(bank), word, "yes")
    assert "Nothing was changed." in printed
    assert await count(at_desk, schema.transactions) == 0
    assert await count(at_desk, schema.batches) == 0


async def test_another_question_is_no_yes_and_is_answered(at_desk, bank):
    agent = with_agent(at_desk, FixedAgent(Reply("answer", "Fine.")))
    printed = await at_desk.talk(str(bank), "", "Is it raining?", "yes")
    assert printed.count("Fine.") == 1
    assert "Nothing waits for a yes or no." in printed
    assert agent.asked == ["Is it raining?"]
    assert await count(at_desk, schema.transactions) == 0


async def test_what_was_altered_after_it_was_shown_is_not_done(at_desk, bank):
    async def alter():
        async with at_desk.app.store.write() as connection:
            await connection.execute(schema.pending_actions.update().values(arguments="{}"))

    printed = await at_desk.talk(lines=ScriptedLines([str(bank), "yes"], before={1: alter}))
    assert "This is not what was shown" in printed
    assert await count(at_desk, schema.transactions) == 0


async def test_what_was_confirmed_elsewhere_is_not_done_again(at_desk, bank):
    async def use_up():
        async with at_desk.app.store.write() as connection:
            await connection.execute(
                schema.pending_actions.update().values(consumed_at="2026-11-21T12:00:00.000+00:00")
            )

    await at_desk.talk(lines=ScriptedLines([str(bank), "yes"], before={1: use_up}))
    assert await count(at_desk, schema.transactions) == 0


async def test_rejected_rows_are_listed_and_unreadable_files_said(at_desk, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("Date,Description,Amount (USD)\n2026-01-01,A,-1.00\nfoo,C,-1\n2026-02-01,D,abc\n")
    (tmp_path / "junk.csv").write_text("x")
    printed = await at_desk.talk(f"/import {bad} {tmp_path}/junk.csv {tmp_path}/none.csv", "yes")
    assert "1 transaction, 1 new, 2 left out" in printed
    assert "row 3 left out:" in printed
    assert "none.csv: There is no such file." in printed
    assert await count(at_desk, schema.transactions) == 1


@pytest.mark.parametrize(("answer", "span"), [("1", "3 Apr – 5 Jun 2026"), ("month first", "4 Mar – 6 May 2026")])
async def test_dates_that_can_be_read_in_two_ways_are_asked_about(at_desk, tmp_path, answer, span):
    path = tmp_path / "us.csv"
    path.write_text(AMBIGUOUS)
    printed = await at_desk.talk(str(path), answer, "yes")
    assert "1  3 Apr 2026 (day first)" in printed
    assert span in printed
    assert await count(at_desk, schema.transactions) == 2


async def test_no_word_on_the_dates_imports_nothing(at_desk, tmp_path):
    (tmp_path / "us.csv").write_text(AMBIGUOUS)
    printed = await at_desk.talk(f"{tmp_path}/us.csv", "/quit")
    assert "  2  4 Mar 2026 (month first)" in printed
    assert await count(at_desk, schema.transactions) == 0


async def test_an_import_is_taken_back_at_once_where_it_was_just_made_and_else_after_a_yes(at_desk, bank):
    printed = await at_desk.talk(str(bank), "yes", "/undo", "/undo", "/undo 1")
    assert "Taken back: 3 transactions." in printed
    assert "There is no import left to take back." in printed
    assert "Import 1 was taken back already." in printed
    assert await count(at_desk, schema.transactions) == 0
    await at_desk.talk(str(bank), "yes")
    printed = await at_desk.talk("/undo", thread="another")
    assert "Take back 3 transactions?" in printed
    assert await count(at_desk, schema.transactions) == 3


async def test_a_currency_that_was_set_is_meant_where_a_file_says_none(at_desk, bank):
    bank.write_text(BANK.replace(" (USD)", ""))
    printed = await at_desk.talk("/set currency chf", str(bank), "yes")
    assert "in CHF\xa02,000.00" in printed or "in CHF2,000.00" in printed


async def test_a_sample_among_real_data_needs_a_yes(at_desk, bank):
    await at_desk.talk(str(bank), "yes", "/sample", "no")
    assert await count(at_desk, schema.transactions) == 3


async def test_nobody_sees_or_takes_back_anothers_import(tmp_path, bank):
    async with desk(tmp_path) as opened:
        await opened.talk(str(bank), "yes")
        opened.user = "guest"
        printed = await opened.talk("/undo", "yes", "/rows", "/status", "/export /dev/null/x")
        assert "There is no import left to take back." in printed
        assert "REWE" not in printed.upper()
        assert await count(opened, schema.transactions) == 3


async def test_forgetting_needs_a_yes_and_leaves_nothing(at_desk, bank):
    printed = await at_desk.talk(
        str(bank), "yes", "rewe", "/forget everything", "no", "/forget everything", "yes", "/rows"
    )
    assert "Delete 3 transactions of 1 import" in printed
    assert "Deleted: 3 transactions, all conversations, notes and settings." in printed
    assert "No transactions are behind this answer." in printed
    for table in (schema.transactions, schema.batches):
        assert await count(at_desk, table) == 0, table.name
    assert await count(at_desk, schema.turns.select().where(schema.turns.c.text == "rewe").subquery()) == 0


async def test_what_is_behind_an_answer_is_told_in_its_language(at_desk, bank):
    printed = await at_desk.talk(str(bank), "yes", "Wie viel habe ich bei Rewe ausgegeben?", "/why", "/rows")
    behind = printed[printed.index("Zeitraum") :]
    assert "Händler" in behind
    assert "Merchant" not in behind
    assert "Summe" in behind


async def test_conversations_can_be_forgotten_alone(at_desk, bank):
    await at_desk.talk(str(bank), "yes", "rewe", "/forget conversations", "yes")
    assert await count(at_desk, schema.turns) == 1, "which says what was deleted"
    assert await count(at_desk, schema.transactions) == 3


async def test_an_export_is_a_new_file_that_can_be_imported(at_desk, bank, tmp_path):
    path = tmp_path / "out.csv"
    printed = await at_desk.talk(str(bank), "yes", f"/export {path}", f"/export {path}")
    assert "3 transactions written" in printed
    assert f"{path} is there already, and is left as it is; choose another name." in printed
    assert path.stat().st_mode & 0o777 == 0o600
    assert "REWE MARKT" in path.read_text()


async def test_an_export_that_is_asked_for_in_words_is_told_how_to_make(at_desk, bank):
    printed = await at_desk.talk(str(bank), "yes", "export")
    assert "In the console, /export FILE writes all transactions to a file" in printed


async def test_an_export_says_why_it_can_not_be_written(at_desk, bank, tmp_path):
    printed = await at_desk.talk(f"/export {tmp_path}", f"/export {tmp_path}/not here/out.csv")
    assert f"{tmp_path} is a folder; name a file in it." in printed
    assert f"There is no folder {tmp_path}/not here to write to." in printed


async def test_an_import_says_what_it_found_and_what_to_ask(at_desk, tmp_path):
    path = tmp_path / "my bank.csv"
    path.write_text(
        "Date,Description,Amount,Currency\n2026-10-05,REWE MARKT,-20.00,EUR\n2026-10-09,ZWIEBELHOF KRANZ,-7.50,EUR\n"
    )
    printed = await at_desk.talk(f"/import {path}", "yes")
    assert "In your ledger now: 2 transactions, 5–9 Oct 2026, in " in printed
    assert "1 merchant without a category: Zwiebelhof Kranz." in printed
    again = tmp_path / "later.csv"
    again.write_text("Date,Description,Amount,Currency\n2026-10-12,REWE MARKT,-1.00,EUR\n")
    printed = await at_desk.talk("Put Zwiebelhof Kranz under groceries", "yes", f"/import {again}", "yes")
    assert "without a category" not in printed


async def test_small_talk_is_answered_at_the_console_and_by_ask(at_desk):
    printed = await at_desk.talk("hi", "thanks", "What can I ask?", "How do I get my file from Chase?", "hilfe")
    assert "Hello. Ask about your money" in printed
    assert "You're welcome." in printed
    assert "Subscriptions and bills\n· What subscriptions do I have?" in printed
    assert "Download account activity" in printed
    assert "Frag in deinen eigenen Worten" in printed


async def test_settings_are_listed_changed_and_refused(at_desk):
    printed = await at_desk.talk(
        "/set week_start sonntag", "/set locale klingon", "/set x y", "/settings", "/set locale de-DE"
    )
    assert "default → de_DE" in printed
    assert "Language can't be “klingon”" in printed
    assert "There is no setting “x”" in printed
    assert "Week start: default → Sunday" in printed


async def test_an_unknown_command_names_the_nearest(at_desk):
    printed = await at_desk.talk("/statis", "/xyzzyplugh")
    assert "There is no /statis. Did you mean /status?" in printed
    assert "There is no /xyzzyplugh. /help lists" in printed


async def test_what_follows_money_elsewhere_follows_a_slash_here(at_desk):
    printed = await at_desk.talk(
        "/sample", "/category groceries last month", "/compare", "/Summary october", "/categry x"
    )
    assert "on groceries in October 2026" in printed
    assert "compare ONE and ANOTHER: two months, shops or categories" in printed
    assert "spent in October 2026" in printed
    assert "There is no /categry. Did you mean /category?" in printed


async def test_a_choice_is_picked_by_its_number_and_only_there(at_desk):
    printed = await at_desk.talk("/sample", "How much did I spend on groceries since we moved?", "2", "2", "/quit")
    *_, asked, picked, not_picked = printed.split("\n\n")[:-1]
    assert "  2  How much did I spend on groceries this month?" in asked
    assert "on groceries from 1 to 21 Nov 2026" in picked
    assert "groceries from" not in not_picked


async def test_the_next_question_is_suggested_and_an_empty_line_does_nothing(at_desk):
    reply = Reply("answer", "Done.", (Actions((Action("Receipt", "receipt"), Action("May?", "choose", "1"))),))
    agent = with_agent(at_desk, FixedAgent(reply))
    printed = await at_desk.talk("hm", "", "   ", "/quit")
    assert printed.startswith("Done.\nNext: May?\n")
    assert agent.asked == ["hm"]


async def test_what_is_said_to_somebody_else_is_not_printed_here(at_desk):
    await at_desk.talk("hi")
    platform = at_desk.session.platform
    theirs = ConversationKey("console", "local", "terminal", "main", console_person("guest"))
    with pytest.raises(SendRefused):
        await platform.send(Delivery(0, theirs, Reply("answer", "You spent 42.17"), "k" * 24))
    assert "42.17" not in platform._console.file.getvalue()


async def test_a_sentence_of_a_model_follows_the_answer(at_desk):
    with_agent(at_desk, FixedAgent(Reply("answer", "Done.", facts=(FACT,)), sentence="A sentence."))
    printed = await at_desk.talk("hm")
    assert printed.index("Done.") < printed.index("A sentence.")


async def test_a_sentence_that_is_not_ready_waits_for_nobody(at_desk):
    agent = with_agent(at_desk, FixedAgent(Reply("answer", "Done.", facts=(FACT,)), sentence="never"))
    lines = ScriptedLines(["one", "two", "/quit"], before={1: agent.narrating.wait})
    printed = await at_desk.talk(lines=lines)
    assert printed.count("Done.") == 2


async def test_no_sentence_is_asked_for_where_the_setting_forbids_it(tmp_path):
    async with desk(tmp_path, narration=False) as opened:
        agent = with_agent(opened, FixedAgent(Reply("answer", "Done.", facts=(FACT,)), sentence="A sentence."))
        assert "A sentence." not in await opened.talk("hm")
        assert not agent.narrating.is_set()


async def begun(agent: FixedAgent) -> None:
    """Return once the agent has been asked."""
    while not agent.asked:
        await asyncio.sleep(0.001)


async def test_ctrl_c_stops_an_answer_and_the_session_goes_on(at_desk):
    agent = with_agent(at_desk, FixedAgent(Reply("answer", "Done.")))
    agent.gate = asyncio.Event()
    talking = asyncio.create_task(at_desk.talk("slow", "/model"))
    await begun(agent)
    at_desk.press_ctrl_c()
    printed = await talking
    assert "Stopped." in printed
    assert "builtin: no language model" in printed
    assert at_desk.code == 0


async def test_a_second_ctrl_c_leaves(at_desk):
    agent = with_agent(at_desk, FixedAgent(Reply("answer", "Done.")))
    agent.gate = asyncio.Event()
    lines = ScriptedLines(["slow", "/model"])
    talking = asyncio.create_task(at_desk.talk(lines=lines))
    await begun(agent)
    at_desk.press_ctrl_c()
    at_desk.press_ctrl_c()
    assert "builtin: no language model" not in await talking
    assert at_desk.code == 130
    assert lines.closed


async def test_ctrl_c_during_an_import_takes_it_back(at_desk, bank, monkeypatch):
    async def interrupted(*_arguments):
        at_desk.press_ctrl_c()
        await asyncio.Event().wait()

    monkeypatch.setattr("bots.pending.PendingActions.consume", interrupted)
    printed = await at_desk.talk(str(bank), "yes", "/model")
    assert "Stopped." in printed
    assert "builtin: no language model" in printed
    assert await count(at_desk, schema.transactions) == 0


async def test_a_surprise_is_said_logged_and_outlived(at_desk, monkeypatch):
    async def explode(*_arguments):
        raise ZeroDivisionError("secret 42.17")

    monkeypatch.setattr("bots.console.upkeep.export_rows", explode)
    printed = await at_desk.talk("/export /tmp/x", "/model")
    assert BROKEN in printed
    assert "42.17" not in printed
    assert "builtin" in printed


async def test_a_line_without_end_is_turned_away(at_desk):
    agent = with_agent(at_desk, FixedAgent(Reply("answer", "Done.")))
    printed = await at_desk.talk("a" * 8001)
    assert TOO_LONG in printed
    assert agent.asked == []


async def test_the_last_answer_of_an_earlier_session_can_still_be_looked_into(at_desk, bank):
    await at_desk.talk(str(bank), "yes", "How much did I spend at REWE in October 2026?")
    printed = await at_desk.talk("/why", "/rows")
    assert printed.count("27.50") >= 3
    assert "Adds up to" in printed


async def test_help_fits_one_screen(at_desk):
    at_desk.width = 80
    printed = await at_desk.talk("/help")
    assert len(printed.splitlines()) <= 27
    assert max(map(len, printed.splitlines())) <= 80
