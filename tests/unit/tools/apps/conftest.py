"""A house that people with drawn ledgers move into, and the running of tools there."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from ledger.people import Person
from ledger.search import LedgerSearch
from tests.drawn_ledgers import write_entries
from tools.checking import check_arguments
from tools.context import ToolContext
from tools.registry import Registry
from tools.running import run_tool

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from ledger.store import Store
    from tests.drawn_ledgers import Entry
    from tools.results import Result

REGISTRY = Registry.built_in()


async def no_index() -> None:
    """There is no index: searching goes by words."""


@dataclass
class Resident:
    """Somebody with a ledger, on some day."""

    context: ToolContext
    entries: list[Entry]

    async def run(self, tool: str, /, **arguments: Any) -> Result:
        """Check arguments as the agent does, and run the tool."""
        found = REGISTRY.get(tool)
        assert found is not None, tool
        checked = check_arguments(found, arguments, self.context)
        assert not checked.reason, checked.reason
        return await run_tool(found, checked.arguments, self.context)

    async def behind(self, result: Result) -> list[list[Entry]]:
        """Return the entries behind each of a result's filters, in the order of the ids."""
        by_id = {entry.id: entry for entry in self.entries}
        return [[by_id[key] for key in await self.context.ledger.ids(wanted)] for wanted in result.behind]

    def on(self, today: date, week_start: int = 0) -> Resident:
        """Return the same person on another day."""
        return Resident(replace(self.context, today=today, week_start=week_start), self.entries)


@dataclass
class House:
    """One store; everybody who moves in gets a ledger of their own."""

    store: Store

    async def move_in(self, entries: Sequence[Entry], today: date) -> Resident:
        person = Person("memory", "home", uuid.uuid4().hex)
        repository, written = await write_entries(self.store, person, entries)
        search = LedgerSearch(repository, no_index)
        context = ToolContext(repository, await repository.vocabulary(), search, today)
        return Resident(context, written)


@pytest.fixture
def house(sqlite_store: Store) -> House:
    return House(sqlite_store)
