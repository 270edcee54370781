"""A turn costs the same in a long conversation as in a short one."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from bots import history
from bots.contracts import ConversationKey
from ledger import schema

VALUES = {"person_id": 1, "conversation": "c", "limit": 12, "about": "k"}


@pytest.mark.parametrize("name", ["_RECALL", "_RECALL_UP_TO", "_REPLY", "_REPLY_ABOUT"])
async def test_history_is_found_by_index(sqlite_store, name):
    statement = getattr(history, name)
    values = {key: value for key, value in VALUES.items() if key in statement.compile().params}
    sql = statement.params(**values).compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})
    async with sqlite_store.read() as connection:
        plan = (await connection.execute(sa.text(f"EXPLAIN QUERY PLAN {sql}"))).all()
    steps = [row.detail for row in plan]
    assert any("ix_turns_conversation_id_id" in step or "INTEGER PRIMARY KEY" in step for step in steps)
    assert not any("SCAN" in step or "TEMP B-TREE" in step for step in steps), steps


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
