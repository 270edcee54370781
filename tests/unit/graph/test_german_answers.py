"""Answers in German: every message that a tool may say is in the catalogue."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graph.answers import result_reply
from tests.drawn_ledgers import write_entries
from tests.support.tool_calls import CALLS, MINE, THEIR_CHANGE, THEIR_ROW, THEIR_ROWS
from tests.support.untold import untold_in
from tools.checking import check_arguments
from tools.registry import Registry
from tools.running import run_tool
from tools.surroundings import tool_context

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
#: Rows and changes of somebody else, which are nobody's here.
NOBODYS = {THEIR_ROW: "#999", THEIR_ROWS: "#998 #999", THEIR_CHANGE: "none"}


async def no_index():
    """Words alone."""


@pytest.mark.parametrize("name", sorted(CALLS))
async def test_every_message_of_a_tool_is_told_in_german(sqlite_store, alice, name):
    repository, _ = await write_entries(sqlite_store, alice, MINE)
    context = replace(await tool_context(repository, NOW, no_index), language="de")
    tool = Registry.built_in().get(name)
    with untold_in("de") as untold:
        for arguments in CALLS[name]:
            placed = {key: NOBODYS.get(str(value), value) for key, value in arguments.items()}
            checked = check_arguments(tool, placed, context)
            if not checked.reason:
                result_reply(await run_tool(tool, checked.arguments, context), context)
    assert not untold
