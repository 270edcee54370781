"""Bank files dropped on the running bot: shown, imported on a yes, asked about, taken back; and all that goes wrong."""

from __future__ import annotations

import asyncio

import pytest
import pytest_asyncio

from tests.support.bank_files import mint_csv
from tests.support.slack.visit import LINES, OCTOBER, SEPTEMBER, category, dollars, open_house, table

pytestmark = pytest.mark.asyncio(loop_scope="module")

BANK = b"Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n2026-10-09,REWE MARKT,-7.50\n2026-10-30,SALARY,2000.00\n"
OTHER = b"Date,Description,Amount (USD)\n2026-10-06,NETFLIX.COM,-9.99\n"
AMBIGUOUS = b"Date,Description,Amount (CAD)\n03/04/2026,REWE MARKT,-20.00\n05/04/2026,LIDL,-5.00\n"
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(64)
PAGE = b"<!DOCTYPE html><html><body><table><tr><td>1</td></tr></table></body></html>"
REWE = "How much did I spend at REWE in October 2026?"
REFUSED = {
    "photo.png": (PICTURE, "picture"),
    "statement.pdf": (b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n", "PDF"),
    "statements.zip": (b"PK\x03\x04" + bytes(64), "ZIP"),
    "page.html": (PAGE, "web page"),
    "renamed.csv": (PAGE, "web page"),
    "empty.csv": (b"", "empty"),
    "list.csv": (b"name,age\nAna,41\n", "no table with a date and an amount"),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory):
    async with open_house(tmp_path_factory.mktemp("files")) as opened:
        yield opened


async def nothing_is_there(who):
    assert "nothing in your ledger" in (await who.ask(REWE)).text


async def test_a_file_is_shown_then_imported_asked_about_and_taken_back(house):
    ana = await house.visitor(None)
    shown = await ana.drop(("checking.csv", BANK))
    assert shown.text.startswith("3 new transactions in checking.csv\n")
    assert {(row["Description"], row["Amount"]) for row in table(shown)} == {
        ("SALARY", "$2,000.00"), ("REWE MARKT", "-$7.50"), ("REWE MARKT", "-$20.00"),
    }  # fmt: skip
    assert (shown.labels, shown.channel, shown.ephemeral) == (["Import", "Cancel", "Columns…"], ana.dm, False)
    await nothing_is_there(ana)
    done = await ana.press(shown, "Import")
    assert done.text.startswith("Imported 3 transactions, 5–30 Oct 2026\n")
    assert done.thread_ts == shown.thread_ts
    assert (await ana.ask(REWE)).text.startswith("$27.50 at REWE in October 2026")
    assert (await ana.press(done, done.labels[0])).text.startswith("$27.50 spent in October 2026")
    assert (await ana.press(done, "Undo")).text == "Taken back: 3 transactions."
    await nothing_is_there(ana)


async def test_what_takes_long_shows_its_steps_above_the_answer(house):
    ana = await house.visitor(None)
    for held in ("download", "chat.stopStream"):
        house.slack.hold(held)
    try:
        dropped = asyncio.create_task(ana.drop(("checking.csv", BANK)))
        await house.slack.until(lambda: house.slack.plans(ana.id))
        house.slack.release("download")
        shown = await dropped  # though Slack does not say yet that the plan is ended
    finally:
        house.slack.behave()
    await house.slack.until(lambda: not house.slack.plans(ana.id)[0].streaming)
    [plan] = house.slack.plans(ana.id)
    assert plan.tasks[0] == ("Getting checking.csv", "complete")
    assert {status for _, status in plan.tasks} == {"complete"}
    assert (plan.streaming, plan.thread_ts, plan.ts < shown.ts) == (False, shown.thread_ts, True)
    assert shown.text.startswith("3 new transactions in checking.csv\n")
    await house.slack.until(lambda: house.slack.session(ana.dm, shown.thread_ts).status == "suspended")


async def test_a_whole_household_comes_in_to_the_cent(house):
    ana = await house.visitor(None)
    shown = await ana.drop(("mint.csv", mint_csv(LINES)))
    assert shown.text.startswith(f"{len(LINES):,} new transactions in mint.csv")
    await ana.press(shown, "Import")
    for phrase, month in (("October 2026", OCTOBER), ("September 2026", SEPTEMBER)):
        answer = await ana.ask(f"How much did I spend on groceries in {phrase}?")
        assert answer.text.startswith(f"{dollars(LINES, category('Groceries'), month)} on groceries in {phrase}")


async def test_cancelled_is_cancelled_for_good(house):
    ana = await house.visitor(None)
    shown = await ana.drop(("checking.csv", BANK))
    assert (await ana.press(shown, "Cancel")).text == "Nothing was changed."
    late = await ana.press(shown, "Import")
    assert "was cancelled" in late.text
    await nothing_is_there(ana)


async def test_pressed_twice_is_imported_once(house):
    ana = await house.visitor(None)
    shown = await ana.drop(("checking.csv", BANK))
    for _ in range(2):
        await ana.slack.press(ana.id, shown, "Import")
    await ana.slack.until(lambda: len(ana.answers) == 3)
    assert [seen.text.splitlines()[0] for seen in ana.answers[1:]] == [
        "Imported 3 transactions, 5–30 Oct 2026", "This was already done.",
    ]  # fmt: skip
    assert (await ana.ask(REWE)).text.startswith("$27.50 at REWE")


async def test_a_yes_and_an_undo_can_be_typed(house):
    ana = await house.visitor(None)
    shown = await ana.drop(("checking.csv", BANK))
    assert (await ana.ask("yes", thread=shown.thread_ts)).text.startswith("Imported 3 transactions")
    assert (await ana.ask("undo", thread=shown.thread_ts)).text == "Taken back: 3 transactions."
    await nothing_is_there(ana)


async def test_somebody_elses_press_imports_nothing_for_either(house):
    ana, ben = await house.visitor(None), await house.visitor(None)
    shown = await ana.drop(("checking.csv", BANK))
    for label in ("Import", "Cancel"):
        await ben.replies(ben.slack.press(ben.id, shown, label, forged=True))
    assert len(ana.answers) == 1, "a stranger's press was answered in their messages"
    await nothing_is_there(ben)
    await nothing_is_there(ana)
    assert (await ana.press(shown, "Import")).text.startswith("Imported 3 transactions")
    await nothing_is_there(ben)


async def test_several_files_are_one_import_and_one_undo(house):
    ana = await house.visitor(None)
    shown = await ana.drop(("checking.csv", BANK), ("card.csv", OTHER))
    assert shown.text.startswith("4 new transactions in 2 files\n")
    done = await ana.press(shown, "Import")
    assert done.text.startswith("Imported 4 transactions, 5–30 Oct 2026\nchecking.csv, card.csv")
    assert (await ana.ask("How much did I spend in October 2026?")).text.startswith("$37.49 spent")
    assert (await ana.press(done, "Undo")).text == "Taken back: 4 transactions."
    await nothing_is_there(ana)


async def test_one_broken_file_keeps_none_of_the_others_out(house):
    ana = await house.visitor(None)
    shown = await ana.drop(("photo.png", PICTURE), ("checking.csv", BANK), ("empty.csv", b""), ("card.csv", OTHER))
    assert shown.text.startswith("4 new transactions in 2 files\n")
    assert "photo.png: This is a picture" in shown.text
    assert "empty.csv: This file is empty." in shown.text
    assert (await ana.press(shown, "Import")).text.startswith("Imported 4 transactions")


@pytest.mark.parametrize("name", REFUSED)
async def test_a_wrong_file_is_refused_with_its_reason(house, name):
    ana = await house.visitor(None)
    data, reason = REFUSED[name]
    answer = await ana.drop((name, data))
    assert answer.text.startswith(f"{name}: ")
    assert reason in answer.text
    assert answer.labels == (["Columns…"] if name == "list.csv" else [])
    await nothing_is_there(ana)


async def test_a_file_that_is_too_large_is_not_even_fetched(house):
    ana = await house.visitor(None)
    before = len(house.slack.calls_of("download"))
    answer = await ana.drop(("years.csv", bytes(64 * 1024 * 1024 + 1)))
    assert answer.text == "years.csv: This file is larger than 64 MB, too large for a statement."
    assert len(house.slack.calls_of("download")) == before


async def test_a_file_that_slack_does_not_hand_out_is_said_to_be_missing(house):
    ana = await house.visitor(None)
    house.slack.fail("files.info", "file_not_found")
    house.refusals.add("file_not_found")
    house.warnings.add("file_not_fetched")
    answer = await ana.drop(("checking.csv", BANK))
    assert answer.text == "checking.csv: I can't get at that file. Please send it again."
    shown = await ana.drop(("checking.csv", BANK))
    house.slack.fail("download", status=404)
    assert "send it again" in (await ana.press(shown, "Import")).text
    await nothing_is_there(ana)


async def test_what_is_known_already_is_not_imported_again(house):
    ana = await house.visitor(None)
    await ana.press(await ana.drop(("checking.csv", BANK)), "Import")
    again = await ana.drop(("october.csv", BANK))
    assert again.text.startswith("There is nothing new to import.\noctober.csv: 3 transactions, 0 new, 3 known already")
    assert again.labels == []
    more = await ana.drop(("checking.csv", BANK + b"2026-11-02,REWE MARKT,-1.25\n"))
    assert more.text.startswith("1 new transaction in checking.csv\n")
    await ana.press(more, "Import")
    assert (await ana.ask("How much did I spend at REWE this year?")).text.startswith("$28.75 at REWE")


@pytest.mark.parametrize(("choice", "days"), [(0, "3–5 Apr 2026"), (1, "4 Mar – 4 May 2026")], ids=["day", "month"])
async def test_dates_that_can_be_read_two_ways_are_asked_about(house, choice, days):
    ana = await house.visitor(None)
    asked = await ana.drop(("april.csv", AMBIGUOUS))
    assert asked.text.startswith("In april.csv, is 03/04/2026 3 Apr 2026 or 4 Mar 2026?")
    assert asked.labels == ["3 Apr 2026 (day first)", "4 Mar 2026 (month first)", "Columns…"]
    shown = await ana.press(asked, asked.labels[choice])
    assert shown.text.startswith("2 new transactions in april.csv")
    assert days in shown.text
    assert (await ana.press(shown, "Import")).text.startswith(f"Imported 2 transactions, {days}")


async def test_a_file_with_a_question_is_about_the_file_first(house):
    ana = await house.visitor(None)
    shown = await ana.drop(("checking.csv", BANK), text="here is my account, how much at REWE?")
    assert shown.labels == ["Import", "Cancel", "Columns…"]
    await ana.press(shown, "Import")
    assert (await ana.ask(REWE, thread=shown.thread_ts)).text.startswith("$27.50 at REWE")


async def test_a_file_dropped_in_a_channel_with_a_mention_is_left_alone_and_its_owner_told(house):
    ana, ben = await house.visitor(None), await house.visitor(None)
    place = house.channel(ana, ben)
    name = house.slack.workspace.channels[place].name
    before = len(house.slack.calls_of("files.info"))
    told = await ana.ask("here is my account", place, files=[("checking.csv", BANK)])
    assert told.text.startswith(f"Others can read checking.csv in #{name}: delete that message.")
    assert "send it to me in a direct message" in told.text
    assert (told.channel, told.ephemeral, told.labels) == (place, True, [])
    assert len(house.slack.calls_of("files.info")) == before, "the file was fetched"
    assert ben.answers == []


async def test_a_file_dropped_in_a_channel_without_a_mention_is_nobodys_business(house):
    ana = await house.visitor(None)
    place = house.channel(ana)
    await ana.slack.say(ana.id, "my account", place, files=[("checking.csv", BANK)])
    await nothing_is_there(ana)
    assert len(ana.answers) == 1
