"""A bot that is killed anywhere, and started again, has said and done just what one has that never died.

The short form kills before and after some commits of each story, since what lies between is rolled back; the long one at
every statement.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import sqlalchemy as sa

from ledger import schema
from ledger.store import Store
from tests.conftest import take_all_out
from tests.contract.conftest import _dump
from tests.support.kill_points import Visit
from tools.calls import Call

#: The dead close nothing, and nobody hears of what they ran into.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

BANK = (
    b"Date,Description,Amount (USD),Category\n"
    b"2026-10-03,REWE MARKT,-20.00,Groceries\n2026-10-09,REWE MARKT,-12.34,Groceries\n2026-10-28,SALARY,2000.00,Income\n"
)


def say(text):
    return lambda visit: visit.platform.say(visit.alice, text)


def press(label):
    return lambda visit: visit.press(label)


def call(name, **arguments):
    return lambda visit: visit.platform.say(visit.alice, "", call=Call(name, arguments))


async def drop(visit):
    await visit.platform.drop(visit.alice, "bank.csv", BANK)


async def greet(visit):
    await visit.platform.occur(visit.alice, "welcome")


IMPORT = (drop, press("Import"))
#: What was done before, and the steps during which the bot is killed.
STORIES = {
    "a question": (IMPORT, (say("How much did I spend on groceries in October?"), say("and on REWE?"))),
    "a mention of nothing": ((), (say("good morning"),)),
    "an import": ((), IMPORT),
    "an import taken back by its button": (IMPORT, (press("Undo"),)),
    "an import taken back by a word": (IMPORT, (say("undo"), say("yes"))),
    "an import left": ((), (drop, press("Cancel"))),
    "made-up data": ((), (call("sample"), press("Fill my ledger"))),
    "a note": ((), (say("Remember that my rent is due on the 3rd"), press("Confirm"), press("Undo"))),
    "a setting": ((), (say("Set my time zone to Berlin"), say("yes"), say("undo"))),
    "a form": ((), (call("save-settings", time_zone="Berlin"), press("Undo"))),
    "the welcome": ((), (greet, greet)),
    "forgetting conversations": (IMPORT, (say("forget conversations"), press("Delete conversations"))),
    "forgetting everything": (IMPORT, (say("forget everything"), press("Delete everything"))),
}
#: Where a story has more points, some of them are left out.
MOST = 300


@pytest.fixture
async def empty(store_url, tmp_path):
    """Empties the database, and returns what opens it; nobody has it open meanwhile. The last story's is left to no other test."""
    template = tmp_path / "empty.sqlite3"

    async def open_store():
        return await Store.open(store_url)

    async def empty_it():
        if not isinstance(store_url, Path):
            store = await open_store()
            await take_all_out(store)
            await store.close()
        elif template.exists():
            for file in store_url.parent.glob("*"):
                file.unlink()
            shutil.copyfile(template, store_url)
        else:
            await (await open_store()).close()
            shutil.copyfile(store_url, template)
        return open_store

    yield empty_it
    await empty_it()


async def play(empty, story, at=None):
    """Return what a person was told and what is kept of it, where the bot is killed at a point, and the points there are."""
    before, steps = STORIES[story]
    visit = await Visit.open(await empty())
    for step in before:
        await visit.do(step)
    visit.axe.lift(at)
    for step in steps:
        await visit.do(step)
    points = list(visit.axe.points)
    kept, told = await whole(visit.store), visit.told()
    await visit.bury()
    return told, kept, points


#: Columns that differ between two lives: ids, instants, secrets, and what counts crashes and starts.
DIFFER = {
    "id", "person_id", "ledger_id", "account_id", "batch_id", "phrase_id", "pair_id", "conversation_id", "inbox_id",
     "created_at", "undone_at", "token", "arguments_hash", "arguments", "reply", "trace", "crashes", "epoch", "attempts", "identity", "content",
}  # fmt: skip

#: Columns of which only matters that they are filled.
WHEN = {"finished_at"}


async def whole(store):
    """Return what is kept, without what tells two lives apart, or is the search index's to do; nothing waits."""
    rows = await _dump(store, ("leases", "alembic_version", "forgotten_phrases"))
    assert {row.state for row in await states(store, schema.inbox)} <= {"done"}
    assert {row.state for row in await states(store, schema.outbox)} <= {"sent"}
    kept = {}
    for table in schema.metadata.sorted_tables:
        if table.name not in rows:
            continue
        names = [column.name for column in table.columns if (table.name, column.name) != ("ledgers", "revision")]
        lean = [
            {
                name: value is not None if name in WHEN else value
                for name, value in zip(names, row, strict=True)
                if name not in DIFFER
            }
            for row in rows[table.name]
        ]
        kept[table.name] = sorted(map(repr, lean))
    return kept


async def states(store, table):
    async with store.read() as connection:
        return (await connection.execute(sa.select(table.c.state))).all()


@pytest.mark.parametrize("story", STORIES)
async def test_a_kill_around_any_commit_changes_nothing(empty, story):
    told, kept, points = await play(empty, story)
    around = [at for at, point in enumerate(points) if "commit" in (point, points[at - 1])]
    assert len(around) > 4
    every = -(-len(around) // 3)
    for at in around[len(story) % every :: every]:
        again = await play(empty, story, at)
        assert again[:2] == (told, kept), (at, points[at - 1 : at + 1])


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("story", STORIES)
async def test_a_kill_between_any_two_statements_changes_nothing(empty, story):
    told, kept, points = await play(empty, story)
    for at in range(0, len(points), 1 if len(points) < MOST else len(points) // MOST):
        again = await play(empty, story, at)
        assert again[:2] == (told, kept), (at, points[at - 1 : at + 1])
