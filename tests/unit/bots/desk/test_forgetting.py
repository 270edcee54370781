"""Deleting from a chat: said exactly, done on a yes, answered, and nothing left behind but the mark of the message."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from bots.errors import ActionRefused
from bots.sharing import Retracted, Sharing
from graph.reply import File
from ledger import schema
from ledger.deletion import export_rows
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from tests.support.changes_house import buttons, desk_house
from tools.calls import Call

CANARY = "Kanarienvogel"
FILE = f"Date,Description,Amount,Currency\n2026-10-01,{CANARY} SHOP,-712.34,USD\n2026-10-02,TEA,-2.00,USD\n".encode()


@pytest.fixture
async def house(tmp_path, clock):
    async with desk_house(tmp_path, clock) as house:
        yield house


async def fill(house, person=None):
    """Leave something of a person in every table that has anything of people."""
    await house.press(await house.drop((f"{CANARY}.csv", FILE), person=person), "Import", person)
    await house.say(f"Remember that {CANARY} is due on the 3rd", person)
    await house.say("yes", person)
    await house.say("Set my time zone to Berlin", person)
    await house.say("yes", person)
    await house.say(f"How much did I spend at {CANARY}?", person)
    await house.drop((f"{CANARY} pending.csv", FILE.replace(b"-2.00", b"-7.00")), person=person)


async def dump(house):
    async with house.store.read() as connection:
        return {
            table.name: [tuple(row) for row in await connection.execute(sa.select(table))]
            for table in schema.metadata.sorted_tables
        }


def disk(house):
    return b"".join(each.read_bytes() for each in sorted(house.path.parent.iterdir()) if each.is_file())


async def test_it_asks_what_and_each_button_says_exactly_what_goes(house) -> None:
    await fill(house)
    asked = await house.say("forget")
    assert buttons(asked.reply) == ["Delete conversations", "Delete everything"]
    everything = await house.press(asked, "Delete everything")
    assert everything.reply.headline == "Delete 2 transactions of 1 import, 1 conversation, 1 note and 1 setting?"
    assert "This can't be undone." in everything.text
    assert buttons(everything.reply) == ["Delete everything", "Cancel"]
    conversations = await house.press(asked, "Delete conversations")
    assert conversations.reply.headline.startswith("Delete 1 conversation with ")
    assert await house.count() == 2


@pytest.mark.parametrize("by_button", [True, False])
async def test_everything_goes_the_answer_comes_and_only_the_mark_stays(house, by_button) -> None:
    await fill(house, house.bob)
    await fill(house)
    shown = await house.say("forget everything")
    await house.restart()
    done = await (house.press(shown, "Delete everything") if by_button else house.say("yes"))
    assert done.reply.headline == "Deleted: 2 transactions, all conversations, notes and settings."
    assert buttons(done.reply) == []
    left = await dump(house)
    who = {row[3] for row in left["people"]}
    assert who == {"bob"}
    (mark,) = (row for row in left["inbox"] if not row[6])
    about_alice = {name: [row for row in rows if "alice" in repr(row)] for name, rows in left.items()}
    assert about_alice.pop("inbox") == [mark]
    assert not any(about_alice.values())
    assert (mark[5], mark[7], mark[8]) == ("", "", "done")
    assert await house.count(house.bob) == 2
    await forget_everything(house, house.bob)
    assert CANARY.casefold().encode() not in disk(house).lower()
    assert b"712.34" not in disk(house)
    assert b"71234" not in disk(house)


async def forget_everything(house, person):
    return await house.press(await house.say("forget everything", person), "Delete everything", person)


async def test_the_press_that_deleted_everything_is_told_when_it_comes_again(house) -> None:
    await fill(house)
    await forget_everything(house, house.alice)
    posts = len(house.platform.posts)
    await house.platform.redeliver()
    await house.runner.idle()
    assert len(house.platform.posts) == posts


async def test_what_waits_at_the_deletion_is_not_answered_after_it(house) -> None:
    await fill(house)
    shown = await house.say("forget everything")
    posts = len(house.platform.posts)
    await house.platform.press(house.alice, shown, "Delete everything")
    await house.platform.say(house.alice, f"How much did I spend at {CANARY}?")
    await house.runner.idle()
    assert [post.reply.headline[:8] for post in house.platform.posts[posts:]] == ["Deleted:"]
    await house.restart()
    await house.runner.idle()
    assert len(house.platform.posts) == posts + 1
    assert CANARY.casefold().encode() not in disk(house).lower()


async def test_an_answer_that_could_not_be_sent_is_sent_after_a_restart(house) -> None:
    await fill(house)
    shown = await house.say("forget everything")
    house.platform.faults.failing_sends = 1
    await house.platform.press(house.alice, shown, "Delete everything")
    await house.clock.sleeping(house.runner.settings.sending.first_wait)
    await house.restart()
    assert (await house.last(house.alice)).reply.headline.startswith("Deleted: 2 transactions")
    assert "alice" not in repr((await dump(house))["outbox"])


async def test_a_crash_after_the_deletion_is_answered_once_and_brings_nothing_back(tmp_path, clock) -> None:
    deleted = asyncio.Event()

    async def hang():
        deleted.set()
        await asyncio.Event().wait()

    async with desk_house(tmp_path, clock, catch_up=hang) as house:
        await fill(house)
        shown = await house.say("forget everything")
        posts = len(house.platform.posts)
        await house.platform.press(house.alice, shown, "Delete everything")
        await deleted.wait()
        await house.restart()
        await house.runner.idle()
        (answer,) = house.platform.posts[posts:]
        assert answer.text.startswith("Deleted: 2 transactions")
        assert CANARY.casefold().encode() not in disk(house).lower()


async def test_one_may_begin_again(house) -> None:
    await fill(house)
    await forget_everything(house, house.alice)
    await house.press(await house.drop(("again.csv", FILE)), "Import")
    assert await house.count() == 2


async def test_a_press_of_another_person_deletes_nothing(house) -> None:
    await fill(house)
    await house.say("forget everything")
    assert "Deleted" not in (await house.say("yes", house.bob)).text
    assert await house.count() == 2


async def test_conversations_go_and_the_ledger_stays(house) -> None:
    await fill(house)
    shown = await house.say("", call=Call("forget", {"value": "conversations"}))
    done = await house.press(shown, "Delete conversations")
    assert done.reply.headline.startswith("Deleted: ")
    assert await house.count() == 2
    left = await dump(house)
    assert len(left["turns"]) == 1  # the turn that says so
    assert left["pending_actions"] == []
    assert CANARY not in repr([left[name] for name in ("turns", "conversations", "inbox", "outbox")])
    assert "Deleted" not in (await house.press(shown, "Delete conversations")).text


async def test_deletion_and_export_work_where_nothing_else_may_be_changed(tmp_path, clock) -> None:
    async with desk_house(tmp_path, clock, writes=False) as house:
        await import_files(await house.store.repository(house.alice), [SourceFile("a.csv", FILE)])
        exported = await house.say("export")
        assert any(isinstance(block, File) for block in exported.reply.blocks)
        await forget_everything(house, house.alice)
        assert await house.count() == 0


async def test_a_search_index_that_fails_does_not_keep_the_answer_back(tmp_path, clock) -> None:
    async def fail():
        raise RuntimeError("disk full")

    async with desk_house(tmp_path, clock, catch_up=fail) as house:
        await fill(house)
        assert (await forget_everything(house, house.alice)).reply.headline.startswith("Deleted: 2 transactions")


async def test_the_search_index_is_told_at_once(house) -> None:
    await fill(house)
    before = house.caught_up
    await forget_everything(house, house.alice)
    assert house.caught_up == before + 1


async def test_the_export_is_a_file_that_can_be_imported_again(house) -> None:
    assert "no transactions" in (await house.say("export")).text
    await fill(house)
    shown = await house.say("export")
    assert shown.reply.headline == "2 transactions as a CSV file"
    (file,) = (block for block in shown.reply.blocks if isinstance(block, File))
    assert (file.name, file.media_type) == ("money-minder-export-2026-11-21.csv", "text/csv")
    await house.press(await house.drop((file.name, file.data), person=house.bob), "Import", house.bob)
    mine = await export_rows(await house.store.repository(house.alice))
    assert mine == await export_rows(await house.store.repository(house.bob))


async def test_an_export_is_not_for_others_eyes(tmp_path, clock) -> None:
    async with desk_house(tmp_path, clock) as house:
        await fill(house)
        house.platform.capabilities = type(house.platform.capabilities)(buttons=True, files=True)
        house.platform.open_channel("general", house.alice, house.bob)
        shown = await house.say("export", channel="general")
        assert shown.reply.blocks == ()
        assert "CSV" not in shown.text


async def test_a_yes_that_is_not_accepted_deletes_no_conversation(house) -> None:
    async def refuse(connection):
        raise ActionRefused("This was already done.")

    await fill(house)
    turns = len((await dump(house))["turns"])
    with pytest.raises(ActionRefused):
        await house.desk.history.forget(house.alice, first=refuse)
    assert len((await dump(house))["turns"]) == turns


async def test_a_stop_does_not_leave_a_deletion_half_done(house, monkeypatch) -> None:
    """What was shared is deleted before the ledger is: a Stop in between would say that nothing happened."""

    async def and_stop(sharing, person):
        for conversation in list(house.runner._answering.running):
            house.runner.cancel(conversation)
        await asyncio.sleep(0)
        return Retracted(1)

    monkeypatch.setattr(Sharing, "retract_all", and_stop)
    await fill(house)
    done = await forget_everything(house, house.alice)
    assert done.reply.headline.startswith("Deleted: 2 transactions")
    assert await house.count() == 0
