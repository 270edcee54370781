"""Deleting conversations of long ago by the command, and by the program itself where a setting says so."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest
import sqlalchemy as sa

from ledger import schema
from ledger.store import Store
from tests.support import nursery

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(tmp_path):
    def run(*arguments, code=0, **settings):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("MONEY_MINDER_")}
        fixed = {"MONEY_MINDER_DATA_DIR": str(tmp_path / "data"), "MONEY_MINDER_MODEL": "builtin"}
        ended = nursery.run(arguments, {**kept, **fixed, **settings}, ROOT)
        assert ended.returncode == code, ended.stderr.decode()
        return (ended.stderr if code else ended.stdout).decode()

    return run


@pytest.fixture
def grow_old(tmp_path):
    """Makes everything that was said be said earlier."""

    async def grow_old(days):
        store = await Store.open(tmp_path / "data" / "money.sqlite3")
        async with store.write() as connection:
            for column in (schema.turns.c.created_at, schema.conversations.c.last_at):
                then = sa.func.strftime("%Y-%m-%dT%H:%M:%f+00:00", column, f"-{days} days")
                await connection.execute(column.table.update().values({column.name: then}))
        await store.close()

    return lambda days: asyncio.run(grow_old(days))


def test_the_command_deletes_what_was_said_long_ago(run, grow_old):
    run("ask", "How much did I spend in October?", "--thread", "old")
    grow_old(40)
    run("ask", "How much did I spend in October?", "--thread", "new")
    assert "without --yes" in run("prune", "--days", "30", code=1)
    assert "MONEY_MINDER_KEEP_CONVERSATIONS" in run("prune", "--yes", code=1)
    assert "from 1 to" in run("prune", "--days", "0", "--yes", code=1)
    told = run("prune", "--yes", "--json", MONEY_MINDER_KEEP_CONVERSATIONS="30")
    assert json.loads(told) == {"turns": 1, "conversations": 1}
    assert run("prune", "--days", "30", "--yes") == "Deleted: 0 turns; 0 conversations are gone whole.\n"


def test_a_single_question_keeps_house_as_well_but_never_by_a_fixed_clock(run, grow_old):
    run("ask", "How much did I spend in October?", "--thread", "old")
    run("ask", "How much did I spend in October?", "--now", "2099-01-01", MONEY_MINDER_KEEP_CONVERSATIONS="30")
    grow_old(40)
    run("ask", "How much did I spend in October?", MONEY_MINDER_KEEP_CONVERSATIONS="50")
    assert json.loads(run("prune", "--days", "100", "--yes", "--json")) == {"turns": 0, "conversations": 0}
    run("ask", "How much did I spend in October?", MONEY_MINDER_KEEP_CONVERSATIONS="30")
    assert json.loads(run("prune", "--days", "1", "--yes", "--json")) == {"turns": 0, "conversations": 0}
