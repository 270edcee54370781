"""A bank file dropped into a chat: shown, confirmed, imported once; whatever it is, and whoever presses."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta

import pytest

from bots.closing import Closing
from graph.reply import Text
from ledger.importers import MOST_BYTES
from tests.support.bank_pdfs import uk_current
from tests.support.changes_house import buttons, desk_house
from tools.results import Table

HEAD = b"Date,Description,Amount,Currency\n"
OCTOBER = HEAD + b"2026-10-01,RENT,-900.00,USD\n2026-10-12,TRADER JOE'S #552,-42.10,USD\n2026-10-31,PAY,2000.00,USD\n"
NOVEMBER = HEAD + b"2026-11-03,BUS,-3.00,EUR\n"
UNCLEAR = b"Date,Description,Amount (CAD)\n03/04/2026,TEA,-2.50\n05/06/2026,BUS,-3.00\n"
BROKEN_ROW = OCTOBER + b"someday,LUNCH,-5.00,USD\n"


@pytest.fixture
async def house(tmp_path, clock):
    async with desk_house(tmp_path, clock) as house:
        yield house


async def test_a_table_of_something_else_is_said_to_hold_no_transactions(house) -> None:
    shown = (await house.drop(("recipe.csv", b"Date,Amount\nflour,two spoons\n"))).reply
    assert shown.headline == "I find no transactions in recipe.csv."


async def test_a_file_is_shown_before_anything_is_imported(house) -> None:
    shown = (await house.drop(("october.csv", OCTOBER))).reply
    assert (shown.kind, shown.headline) == ("clarify", "3 new transactions in october.csv")
    assert shown.plain().splitlines()[1].startswith("csv · File export · 1–31 Oct 2026 · out ")
    assert "1–31 Oct 2026 · out $942.10 in 2 rows, in $2,000.00 in 1 row" in shown.plain()
    (table,) = (block for block in shown.blocks if isinstance(block, Table))
    assert [str(row[2]) for row in table.rows] == ["2000.00 USD", "-42.10 USD", "-900.00 USD"]
    assert buttons(shown) == ["Import", "Cancel", "Columns…"]
    assert await house.count() == 0


@pytest.mark.parametrize("by_button", [True, False])
@pytest.mark.parametrize("restarted", [True, False])
async def test_a_yes_imports_it_and_undo_takes_it_back(house, by_button, restarted) -> None:
    shown = await house.drop(("october.csv", OCTOBER))
    if restarted:
        await house.restart()
    done = await (house.press(shown, "Import") if by_button else house.say("yes"))
    assert await house.count() == 3
    assert done.reply.headline == "Imported 3 transactions, 1–31 Oct 2026"
    unfiled = "Which shops have no category?"
    assert buttons(done.reply) == ["How much did I spend in October 2026?", unfiled, "Undo"]
    assert "category" in (await house.press(done, unfiled)).text
    answered = await house.press(done, "How much did I spend in October 2026?")
    assert "942.10" in answered.reply.headline
    if restarted:
        await house.restart()
    undone = await house.press(done, "Undo")
    assert undone.reply.headline == "Taken back: 3 transactions."
    assert await house.count() == 0


async def test_cancel_imports_nothing_and_a_later_press_neither(house) -> None:
    shown = await house.drop(("october.csv", OCTOBER))
    assert (await house.press(shown, "Cancel")).reply.headline == "Nothing was changed."
    await house.press(shown, "Import")
    assert await house.count() == 0


async def test_a_second_press_imports_nothing_more(house) -> None:
    shown = await house.drop(("october.csv", OCTOBER))
    await house.press(shown, "Import")
    assert "already done" in (await house.press(shown, "Import")).reply.headline
    assert await house.count() == 3


async def test_nobody_else_imports_it(house) -> None:
    shown = await house.drop(("october.csv", OCTOBER), channel="general", by_command=True)
    await house.say("hello", house.bob, channel="general")
    with pytest.raises(ValueError, match="Import"):  # the platform shows it to its owner alone
        await house.press(shown, "Import", house.bob)
    token = shown.reply.blocks[-1].actions[0].value
    forged = await house.drop(("november.csv", NOVEMBER), person=house.bob)
    actions = forged.reply.blocks[-1].actions
    object.__setattr__(actions[0], "value", token)
    refused = await house.press(forged, "Import", house.bob)
    assert "Only the person who asked" in refused.reply.headline
    assert await house.count() == await house.count(house.bob) == 0


async def test_a_proposal_expires(house, clock) -> None:
    shown = await house.drop(("october.csv", OCTOBER))
    clock.instant += timedelta(hours=1, seconds=1)
    assert "expired" in (await house.press(shown, "Import")).reply.headline
    assert await house.count() == 0


async def test_a_file_that_has_changed_since_it_was_shown_is_refused(house) -> None:
    shown = await house.drop(("october.csv", OCTOBER), ("november.csv", NOVEMBER))
    house.change_file("november.csv", NOVEMBER.replace(b"-3.00", b"-3000.00"))
    refused = await house.press(shown, "Import")
    assert refused.reply.kind == "refuse"
    assert "not what was shown" in refused.reply.headline
    assert await house.count() == 0


async def test_a_file_that_is_gone_at_the_yes_can_be_confirmed_when_it_is_back(house) -> None:
    shown = await house.drop(("october.csv", OCTOBER))
    house.change_file("october.csv", None)
    assert "october.csv: I can't get at that file" in (await house.press(shown, "Import")).reply.headline
    house.changed.clear()
    await house.press(shown, "Import")
    assert await house.count() == 3


async def test_of_two_files_the_broken_one_is_refused_and_the_other_goes_on(house) -> None:
    shown = await house.drop(("scan.csv", b"%PDF-1.7 \x00\x01"), ("october.csv", OCTOBER))
    assert shown.reply.headline == "3 new transactions in 1 file"
    assert "scan.csv: This PDF is damaged, so I can't read it" in shown.text
    await house.press(shown, "Import")
    assert await house.count() == 3


async def test_several_files_are_one_import(house) -> None:
    shown = await house.drop(("october.csv", OCTOBER), ("november.csv", NOVEMBER))
    assert shown.reply.headline == "4 new transactions in 2 files"
    done = await house.press(shown, "Import")
    assert done.reply.headline == "Imported 4 transactions, 1 Oct – 3 Nov 2026"
    await house.press(done, "Undo")
    assert await house.count() == 0


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"PK\x03\x04" + bytes(40), "a ZIP archive that is damaged"),
        (b"%PDF-1.7\n", "This PDF is damaged"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "a picture"),
        (b"<!DOCTYPE html><html><body>Sign in</body></html>", "web page"),
        (b"", "empty"),
        (b"hello there\n", "bank.csv: "),
    ],
)
async def test_what_is_no_statement_is_refused_by_name(house, data, why) -> None:
    refused = (await house.drop(("bank.csv", data))).reply
    assert refused.kind == "refuse"
    assert refused.headline.startswith("bank.csv: ")
    assert why in refused.headline
    assert buttons(refused) == []


async def test_a_file_that_is_gone_is_refused_and_so_is_one_that_fails(house) -> None:
    house.change_file("gone.csv", None)
    house.change_file("odd.csv", RuntimeError("secret 712.34"))
    shown = await house.drop(("gone.csv", OCTOBER), ("odd.csv", OCTOBER), ("november.csv", NOVEMBER))
    assert "gone.csv: I can't get at that file any more. Please send it again." in shown.text
    assert "odd.csv: I could not get this file; please send it again." in shown.text
    assert shown.reply.headline == "1 new transaction in 1 file"


async def test_a_file_that_is_too_large_is_not_even_fetched(house, monkeypatch) -> None:
    monkeypatch.setattr("bots.desk.attachments.MOST_BYTES", 2 * len(OCTOBER))
    exact = OCTOBER + b"\n" * len(OCTOBER)
    assert "3 new" in (await house.drop(("exact.csv", exact))).reply.headline
    house.fetched.clear()
    shown = await house.drop(("large.csv", exact + b"\n"), ("one.csv", exact), ("two.csv", NOVEMBER))
    assert house.fetched == ["one.csv"]
    assert f"large.csv: This file is larger than {MOST_BYTES // 1024 // 1024} MB" in shown.text
    assert "two.csv: The files before it have" in shown.text


async def test_a_size_that_was_a_lie_is_found_out(house, monkeypatch) -> None:
    monkeypatch.setattr("bots.desk.attachments.MOST_BYTES", len(OCTOBER))
    house.change_file("bank.csv", OCTOBER + b"\n")
    assert "is larger than" in (await house.drop(("bank.csv", b"x"))).reply.headline


@pytest.mark.parametrize(
    "name", ["<!channel>\nInjected: yes\x1b[31m\u202egnp.csv", "../../etc/passwd", "x" * 500, "\n"]
)
async def test_a_hostile_name_is_shown_on_one_line_and_cut(house, name) -> None:
    shown = (await house.drop((name, OCTOBER))).reply
    where = shown.headline.removeprefix("3 new transactions in ")
    assert 0 < len(where) <= 80
    assert where.isprintable()
    (details,) = (block for block in shown.blocks if isinstance(block, Text) and block.role == "details")
    assert details.text.splitlines() == [details.text]
    done = await house.say("yes")
    assert await house.count() == 3
    assert all(block.text.isprintable() for block in done.reply.blocks if isinstance(block, Text))


async def test_what_is_known_already_is_not_proposed_again(house) -> None:
    await house.press(await house.drop(("october.csv", OCTOBER)), "Import")
    again = (await house.drop(("october.csv", OCTOBER))).reply
    assert (again.kind, again.headline) == ("answer", "There is nothing new to import.")
    assert "0 new, 3 known already" in again.plain()
    assert buttons(again) == []
    assert (await house.say("undo")).reply.headline == "Take back 3 transactions?"


async def test_what_was_imported_meanwhile_leaves_no_empty_import(house) -> None:
    here = await house.drop(("october.csv", OCTOBER))
    there = await house.drop(("october.csv", OCTOBER), channel="general", by_command=True)
    await house.press(there, "Import")
    assert (await house.press(here, "Import")).reply.headline == "There is nothing new to import."
    assert (await house.say("undo")).reply.headline in ("Take back 3 transactions?", "Taken back: 3 transactions.")


async def test_rows_that_are_left_out_say_why(house) -> None:
    shown = await house.drop(("october.csv", BROKEN_ROW))
    assert "1 left out" in shown.text
    assert "row 5 left out: " in shown.text


@pytest.mark.parametrize("by_button", [True, False])
@pytest.mark.parametrize(("order", "first"), [("day first", "3 Apr"), ("month first", "4 Mar")])
async def test_an_ambiguous_date_is_asked_about_and_the_answer_survives_a_restart(
    house, order, first, by_button
) -> None:
    asked = await house.drop(("november.csv", NOVEMBER), ("tea.csv", UNCLEAR))
    assert asked.reply.headline == "In tea.csv, is 03/04/2026 3 Apr 2026 or 4 Mar 2026?"
    await house.restart()
    if by_button:
        await house.say("How much did I spend last month?")
        shown = await house.press(asked, f"{first} 2026 ({order})")
    else:
        shown = await house.say(f"{order.capitalize()}.")
    assert shown.reply.headline == "3 new transactions in 2 files"
    assert f"{first} – " in shown.text
    done = await house.press(shown, "Import")
    assert done.reply.headline.startswith(f"Imported 3 transactions, {first} – 3 Nov 2026")


async def test_an_order_of_dates_that_nobody_asked_for_imports_nothing(house) -> None:
    await house.drop(("tea.csv", UNCLEAR))
    assert "no file" in (await house.say("day first", house.bob)).reply.headline
    assert await house.count(house.bob) == 0


async def test_a_yes_to_the_question_about_dates_imports_nothing(house) -> None:
    await house.drop(("tea.csv", UNCLEAR))
    await house.say("yes")
    assert await house.count() == 0


async def test_a_yes_answers_the_latest_question_and_the_button_its_own(house) -> None:
    october = await house.drop(("october.csv", OCTOBER))
    await house.drop(("tea.csv", UNCLEAR))
    await house.say("yes")
    assert await house.count() == 0
    await house.press(october, "Import")
    assert await house.count() == 3


async def test_a_file_with_more_lines_than_a_chat_takes_is_refused(house) -> None:
    said = await house.drop(("long.csv", HEAD + b"2026-10-01,TEA,-1.00,USD\n" * 20_001), ("october.csv", OCTOBER))
    assert "too many for a chat" in said.text
    assert said.reply.headline == "3 new transactions in 1 file"


async def test_without_a_file_it_says_how_to_bring_one(house) -> None:
    said = await house.say("import")
    assert "CSV" in said.text
    assert f"{MOST_BYTES // 1024 // 1024} MB" in said.text


async def test_figures_follow_the_locale(tmp_path, clock) -> None:
    async with desk_house(tmp_path, clock) as house:
        await house.say("set my locale to de_DE")
        await house.say("yes")
        house.desk_fields["context"] = house.desk.context
        shown = await house.drop(("october.csv", OCTOBER))
        assert "2.000,00" in shown.text


async def test_where_nothing_may_be_changed_nothing_is_fetched(tmp_path, clock) -> None:
    async with desk_house(tmp_path, clock, writes=False) as house:
        assert (await house.drop(("october.csv", OCTOBER))).reply.kind == "refuse"
        assert (await house.say("undo")).reply.kind == "refuse"
        assert house.fetched == []


async def test_changes_that_were_switched_off_after_the_preview_are_refused(house) -> None:
    shown = await house.drop(("october.csv", OCTOBER))
    house.desk_fields["writes"] = False
    await house.restart()
    assert (await house.press(shown, "Import")).reply.kind == "refuse"
    assert await house.count() == 0


async def test_a_file_that_others_can_open_is_left_alone_and_its_owner_told(house) -> None:
    told = await house.drop(("october.csv", OCTOBER), ("november.csv", NOVEMBER), channel="general")
    assert told.only_for == house.alice
    assert "Others can read october.csv, november.csv in #general: delete that message." in told.text
    assert "direct message" in told.text
    assert house.fetched == []
    await house.say("yes", channel="general")
    assert await house.count() == 0


async def test_before_others_nothing_is_fetched_or_proposed(tmp_path, clock) -> None:
    async with desk_house(tmp_path, clock) as house:
        house.platform.capabilities = type(house.platform.capabilities)(buttons=True)
        house.platform.open_channel("general", house.alice)
        shown = await house.drop(("october.csv", OCTOBER), channel="general")
        assert "direct message" in shown.text
        assert house.fetched == []
        await house.say("yes", channel="general")
        assert await house.count() == 0


def archive(*files: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files:
            made.writestr(name, data)
    return out.getvalue()


async def test_an_archive_is_its_files_in_one_import(house) -> None:
    shown = await house.drop(
        ("export.zip", archive(("october.csv", OCTOBER), ("n/november.csv", NOVEMBER), ("a.pdf", b"%PDF-1")))
    )
    assert shown.reply.headline == "4 new transactions in 2 files"
    assert "export.zip: october.csv: 3 transactions, 3 new" in shown.text
    assert "export.zip: n/november.csv: 1 transaction, 1 new" in shown.text
    assert "export.zip: a.pdf: This PDF is damaged, so I can't read it" in shown.text
    done = await house.press(shown, "Import")
    assert "export.zip: october.csv, export.zip: n/november.csv" in done.text
    assert await house.count() == 4
    await house.press(done, "Undo")
    assert await house.count() == 0


async def test_a_file_in_an_archive_is_asked_about_and_then_read(house) -> None:
    asked = await house.drop(("export.zip", archive(("unclear.csv", UNCLEAR), ("november.csv", NOVEMBER))))
    assert asked.reply.headline.startswith("In export.zip: unclear.csv, is 03/04/2026")
    shown = await house.say("day first")
    await house.press(shown, "Import")
    assert await house.count() == 3


async def test_an_archive_counts_all_of_its_lines(house) -> None:
    half = HEAD + b"2026-10-01,RENT,-900.00,USD\n" * 12_000
    refused = (await house.drop(("export.zip", archive(("a.csv", half), ("b.csv", half))))).reply
    assert refused.headline.startswith("export.zip: This file has more than 20,000 lines, too many for a chat.")


def statement(balance: str, on: str) -> bytes:
    rows = "".join(
        f"<STMTTRN><TRNTYPE>OTHER<DTPOSTED>{day}<TRNAMT>{amount}<FITID>{day}<NAME>{name}</STMTTRN>"
        for day, amount, name in (("20261001", "-900.00", "RENT"), ("20261031", "2000.00", "PAY"))
    )
    whose = "<BANKACCTFROM><ACCTID>4711<ACCTTYPE>CHECKING</BANKACCTFROM>"
    stated = f"<LEDGERBAL><BALAMT>{balance}<DTASOF>{on}</LEDGERBAL>"
    return f"OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>USD{whose}<BANKTRANLIST>{rows}</BANKTRANLIST>{stated}</STMTRS></OFX>".encode()


async def test_a_balance_is_shown_and_whether_the_rows_lead_to_it(house) -> None:
    first = await house.drop(("bank.ofx", statement("1150.00", "20261031")))
    assert "Balance on 31 Oct 2026: $1,150.00." in first.reply.plain()
    await house.press(first, "Import")
    again = (await house.drop(("bank.ofx", statement("1150.00", "20261031")))).reply
    assert again.headline == "There is nothing new to import."
    newer = await house.drop(("bank.ofx", statement("1100.00", "20261120")))
    assert newer.reply.headline == "A newer balance in bank.ofx"
    assert "Between 31 Oct 2026 ($1,150.00) and 20 Nov 2026 ($1,100.00) the rows come to $0.00" in newer.reply.plain()
    done = await house.press(newer, "Import")
    assert (done.reply.headline, buttons(done.reply)) == ("Kept the balance in bank.ofx.", ["Undo"])
    asked = (await house.say("what is my balance?")).reply
    assert asked.headline == "$1,100.00 in Checking 4711 as of 20 Nov 2026"
    await house.press(done, "Undo")
    assert (await house.say("what is my balance?")).reply.headline == "$1,150.00 in Checking 4711 as of 31 Oct 2026"


async def test_a_statement_as_pdf_is_shown_with_its_balances_and_comes_in_whole(house) -> None:
    shown = await house.drop(("statement.pdf", uk_current().data))
    assert shown.reply.headline == "60 new transactions in statement.pdf"
    assert "Balance on 28 Feb 2026: £6,208.23; the rows lead there from £845.20 on 1 Feb 2026." in shown.text
    done = await house.press(shown, "Import")
    assert done.reply.headline == "Imported 60 transactions, 1–28 Feb 2026"
    assert await house.count() == 60
    assert (await house.drop(("again.pdf", uk_current().data))).reply.headline.startswith("There is nothing new")


async def test_a_pdf_that_is_not_proved_brings_nothing_in(house) -> None:
    whole = uk_current().data
    shown = await house.drop(("statement.pdf", whole[: len(whole) // 2]))
    assert shown.text.startswith("statement.pdf: This PDF")
    assert "CSV or OFX" in shown.text
    assert await house.count() == 0


@pytest.mark.parametrize("by", ["stop", "time"])
async def test_an_import_under_way_ends_by_its_persons_stop_and_not_by_its_time(house, monkeypatch, by) -> None:
    rows = b"".join(b"2026-10-01,LUNCH %d,-4.00,USD\n" % number for number in range(2500))
    shown = await house.drop(("long.csv", HEAD + rows))
    running = house.runner._answering.running

    def reach(_file: str, done: int, _of: int) -> None:
        if done < 2500:
            (turn,) = running.items()
            house.runner.cancel(turn[0]) if by == "stop" else turn[1].cancel()

    monkeypatch.setattr("bots.desk.importing.reach", reach)
    done = await house.press(shown, "Import")
    assert done.reply.headline == ("Stopped." if by == "stop" else "Imported 2,500 transactions, 1 Oct 2026")
    assert await house.count() == (0 if by == "stop" else 2500)
    monkeypatch.undo()
    again = await house.press(shown, "Import")
    assert ("Imported 2,500" if by == "stop" else "already done") in again.reply.headline
    assert await house.count() == 2500


async def test_a_stop_once_an_import_takes_effect_changes_nothing(house, monkeypatch) -> None:
    shown = await house.drop(("october.csv", OCTOBER))
    write_down = Closing.__call__

    async def and_stop(closing, connection, outcome):
        for conversation in list(house.runner._answering.running):
            assert house.runner.cancel(conversation)
        await write_down(closing, connection, outcome)

    monkeypatch.setattr(Closing, "__call__", and_stop)
    done = await house.press(shown, "Import")
    assert done.reply.headline == "Imported 3 transactions, 1–31 Oct 2026"
    assert await house.count() == 3
