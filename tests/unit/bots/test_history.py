"""A turn costs the same in a long conversation as in a short one."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from bots import history
from bots.contracts import ConversationKey
from ledger import schema
from ledger.store import Store
from tests.conftest import postgres_database

NAMES = ("_RECALL", "_RECALL_UP_TO", "_REPLY", "_REPLY_ABOUT")
VALUES = {"person_id": 1, "conversation": "c", "limit": 12, "about": "k"}


@pytest.mark.parametrize("name", NAMES)
async def test_history_is_found_by_index(sqlite_store, name):
    statement = getattr(history, name)
    values = {key: value for key, value in VALUES.items() if key in statement.compile().params}
    sql = statement.params(**values).compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})
    async with sqlite_store.read() as connection:
        plan = (await connection.execute(sa.text(f"EXPLAIN QUERY PLAN {sql}"))).all()
    steps = [row.detail for row in plan]
    assert any("ix_turns_conversation_id_id" in step or "INTEGER PRIMARY KEY" in step for step in steps)
    assert not any(step.startswith(("SCAN turns", "SCAN conv", "USE TEMP")) for step in steps), steps


async def test_the_500th_turn_reads_as_many_rows_as_the_first(sqlite_store, alice):
    conversation = ConversationKey("memory", "home", "c", "", alice)
    membership = await sqlite_store.membership(alice)
    async with sqlite_store.write() as connection:
        key = {"person_id": membership.person_id, "key": str(conversation), "created_at": "", "last_at": ""}
        await connection.execute(schema.conversations.insert(), key)
        turn = {"conversation_id": 1, "key": "k", "recall": '["answer",[],[]]', "created_at": "", "reply": ""}
        await connection.execute(schema.turns.insert(), [{**turn, "text": f"question {n}"} for n in range(500)])
    past = (await history.History(sqlite_store).recall(conversation, limit=3)).past
    assert [turn.text for turn in past] == ["question 497", "question 498", "question 499"]


@pytest.fixture(scope="module")
def new_database():
    """What earlier tests left of statistics would make other plans."""
    with postgres_database() as url:
        yield url


@pytest.mark.parametrize("name", NAMES)
async def test_postgresql_looks_at_no_more_rows_of_a_thread_of_thousands(new_database, alice, name):
    """Though it has no statistics of them yet, as after a busy day."""
    store = await Store.open(new_database)
    conversation = ConversationKey("memory", "home", name, "", alice)
    membership = await store.membership(alice)
    key = {"person_id": membership.person_id, "key": str(conversation), "created_at": "", "last_at": ""}
    values = {"person_id": membership.person_id, "conversation": str(conversation), "limit": 6, "about": f"{name} 1000"}
    statement = getattr(history, name)
    bound = {key: value for key, value in values.items() if key in statement.compile().params}
    sql = statement.params(**bound).compile(dialect=postgresql.dialect(), compile_kwargs={"literal_binds": True})
    try:
        async with store.write() as connection:
            for table in ("turns", "conversations"):  # statistics that come in the midst of it would make another plan
                await connection.execute(sa.text(f"ALTER TABLE {table} SET (autovacuum_enabled = false)"))
            talk = schema.conversations.insert().returning(schema.conversations.c.id)
            number = (await connection.execute(talk, key)).scalar_one()
            turn = {"conversation_id": number, "text": "", "recall": "", "created_at": "", "reply": ""}
            await connection.execute(schema.turns.insert(), [{**turn, "key": f"{name} {n}"} for n in range(2000)])
        async with store.read() as connection:
            explain = sa.text(f"EXPLAIN (ANALYZE, FORMAT JSON) {str(sql).replace(':', chr(92) + ':')}")
            (plan,) = (await connection.execute(explain)).scalar_one()
    finally:
        async with store.write() as connection:
            await connection.execute(schema.people.delete())
        await store.close()
    steps = list(steps_of(plan["Plan"]))
    assert max(step["Actual Rows"] * step["Actual Loops"] for step in steps) <= 6
    assert sum(step.get("Rows Removed by Filter", 0) for step in steps) <= 6


def steps_of(step):
    yield step
    for below in step.get("Plans", ()):
        yield from steps_of(below)
