"""What the tools that write say in German: what is asked, what is noted with it, and what is said once it is done."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from graph.answers import capitalised, render, result_reply
from graph.reply import Reply
from ledger.people import Person
from tests.drawn_ledgers import Entry, write_entries
from tests.support.untold import untold_in
from tools.checking import check_arguments
from tools.registry import Registry
from tools.results import Result, Table
from tools.running import run_tool
from tools.surroundings import tool_context

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
NONE = "Uncategorised"
#: What is said, by what is asked, as a German reads it; ``|`` are a table's columns, ``=>`` is said once it is done.
SAID = Path(__file__).with_name("german_writing.txt")
Call = tuple[str, dict[str, Any]]


async def no_index():
    """Words alone."""


def row(day: int, minor: int, merchant: str, category: str = "Essen", account: str = "Giro", kind: str = "purchase"):
    return Entry(date(2026, 10, day), minor, "EUR", kind, category, merchant, account, merchant.upper())


#: By their numbers: two that are alike, a purchase and what came back, two sides of a transfer, and the rest.
ROWS = [
    row(3, -4210, "REWE"), row(4, -4210, "REWE"), row(3, -8995, "Zara", "Kleidung"),
    row(10, 4000, "Inditex", "Kleidung", kind="refund"), row(5, -20000, "Anna", "Geschenke"),
    row(6, 20000, "Umbuchung", "Income", "Tagesgeld", "income"), row(7, -999, "Netflix", NONE),
    row(8, -1200, "Plonkers Nord", NONE), row(9, -1600, "Plonkers West", NONE), row(9, -400, "Plonkers West", NONE),
    row(11, 250_000, "Acme", "Income", kind="income"), row(12, -500, "Bank", "Gebühren", kind="fee"),
]  # fmt: skip

#: What may have been done before.
BEFORE: dict[str, Call] = {
    "a rule": ("categories-assign", {"merchant": "Plonkers Nord", "category": "new category Freizeit"}),
    "another rule": ("categories-assign", {"merchant": "REWE", "category": "new category Freizeit"}),
    "left out": ("categories-ignore", {"what": "Netflix"}),
    "linked": ("corrections-link_refund", {"row": "#4", "purchase": "#3"}),
    "moved": ("corrections-link_transfer", {"row": "#5", "other": "#6"}),
    "moved alone": ("corrections-change", {"row": "#1", "field": "kind", "value": "transfer"}),
    "noted": ("corrections-change", {"row": "#1", "field": "note", "value": "Party"}),
    "labelled": ("corrections-change", {"row": "#1", "field": "labels", "value": "Arbeit"}),
    "deleted": ("corrections-delete", {"row": "#7"}),
    "by hand": ("entries-add", {"amount": "12.50", "what": "Eis", "day": "2026-11-20"}),
    "a note": ("memories-remember", {"note": "Miete am 3."}),
    "another note": ("memories-remember", {"note": "Miete zahlt Anna"}),
    "renamed": ("accounts-rename", {"account": "Giro", "new_name": "Haushalt"}),
    "a savings account": ("accounts-set_type", {"account": "Tagesgeld", "type": "savings"}),
    "a current account": ("accounts-set_type", {"account": "Giro", "type": "checking"}),
    "merged": ("accounts-merge", {"account": "Tagesgeld", "into": "Giro"}),
    "account deleted": ("accounts-delete", {"account": "Tagesgeld"}),
}
_ASKED = re.compile(
    r"(?P<name>[a-z_-]+) (?P<arguments>\{.*\})(?: after (?P<before>[a-z, ]+?))?(?: in (?P<focus>[a-z_]+))?"
)


@dataclass(frozen=True)
class Said:
    """What a tool is asked, and the lines that it says."""

    name: str
    arguments: dict[str, Any]
    before: tuple[Call, ...]
    focus: str | None
    lines: list[str]


def read(block: str) -> Said:
    asked, *lines = block.splitlines()
    found = _ASKED.fullmatch(asked)
    assert found is not None, asked
    before = tuple(BEFORE[each] for each in (found["before"] or "").split(", ") if each)
    return Said(found["name"], json.loads(found["arguments"]), before, found["focus"], [line[4:] for line in lines])


CASES = [read(block) for block in SAID.read_text(encoding="utf-8").strip().split("\n\n")]


@pytest.mark.parametrize("name", sorted({said.name for said in CASES}))
async def test_what_is_said(sqlite_store, name):
    for number, said in enumerate(CASES):
        if said.name == name:
            assert await told(sqlite_store, Person("memory", "home", f"p{number}"), said) == said.lines


async def told(store, person: Person, said: Said) -> list[str]:
    """Return what is said of a ledger of its own, and that nothing of it is English."""
    repository, entries = await write_entries(store, person, ROWS)

    async def context():
        english = await tool_context(repository, NOW, no_index, focus=said.focus)
        return replace(english, language="de", locale="de_DE")

    async def run(name: str, arguments: dict[str, Any]) -> Result:
        placed = {key: numbered(value, entries) for key, value in arguments.items()}
        checked = check_arguments(Registry.built_in().get(name), placed, await context())
        assert not checked.reason
        return await run_tool(Registry.built_in().get(name), checked.arguments, await context())

    with untold_in("de") as untold:
        for name, arguments in said.before:
            earlier = await run(name, arguments)
            assert earlier.change is not None
            async with store.write() as connection:
                await earlier.change.work(connection)
        result = await run(said.name, said.arguments)
        lines = lines_of(result_reply(result, await context()))
        if result.change is not None:
            lines.append(f"=> {capitalised(render(result.change.done, result, await context()))}")
    assert not untold
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def numbered(value: Any, entries: list[Entry]) -> Any:
    """Return an argument with the ids of rows in place of their numbers."""
    if not isinstance(value, str):
        return value
    return re.sub(
        r"#(\d+)", lambda found: f"#{entries[int(found[1]) - 1].id if int(found[1]) <= len(entries) else 9999}", value
    )


def lines_of(reply: Reply) -> list[str]:
    tables = [block for block in reply.blocks if isinstance(block, Table)]
    return [*reply.plain().split("\n"), *(f"| {' | '.join(each.title for each in table.columns)}" for table in tables)]
