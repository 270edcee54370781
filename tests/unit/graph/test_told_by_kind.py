"""What is asked for by its kind, where only the bank's text tells it: a tax of several to one council, the vet, water."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from graph.agent import MoneyAgent
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.unit.graph.conftest import ME, Talk

ROWS = [
    *((day, "Markt Ferdau", "GRUNDSTEUER B 11-47", "-118.40") for day in ("2025-11-17", "2025-08-15")),
    *((day, "Markt Ferdau", "GRUNDSTEUER B 11-47", "-131.25") for day in ("2026-02-16", "2026-05-15", "2026-08-17")),
    ("2026-11-16", "Markt Ferdau", "GRUNDSTEUER B 11-47", "-131.25"),
    ("2026-03-17", "Markt Ferdau", "HUNDESTEUER 2026", "-60.00"),
    ("2026-05-22", "Kleintierpraxis Dr Vogelsang", "", "-83.20"),
    ("2026-10-16", "Kleintierpraxis Dr Vogelsang", "", "-264.30"),
    ("2026-06-02", "Fressnapf", "", "-40.00"),
    ("2026-09-30", "Gemeindewerke Ferdau", "WASSER/ABWASSER ABSCHLAG", "-104.00"),
    ("2026-06-30", "Gemeindewerke Ferdau", "WASSER/ABWASSER ABSCHLAG", "-104.00"),
    ("2026-03-30", "Gemeindewerke Ferdau", "WASSER/ABWASSER ABSCHLAG", "-104.00"),
    ("2026-10-01", "REWE", "", "-30.00"),
]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    async def made() -> Path:
        path = tmp_path_factory.mktemp("kinds") / "money.sqlite3"
        lines = ["Date,Payee,Memo,Amount", *(",".join(row) for row in sorted(ROWS))]
        store = await Store.open(path)
        await import_files(await store.repository(ME), [SourceFile("bank.csv", "\n".join(lines).encode())])
        await store.close()
        return path

    return asyncio.run(made())


@pytest.fixture
async def talk(small: Path, open_agent: Callable[..., Awaitable[MoneyAgent]]) -> AsyncIterator[Talk]:
    agent = await open_agent(small)
    yield Talk(agent)
    await agent._store.close()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        # one of two taxes that the same council takes
        ("Wie viel Grundsteuer zahle ich?", "131.25 a quarter"),
        ("Ist die Grundsteuer für November schon abgebucht?", "Yes"),
        ("Ist die Grundsteuer teurer geworden?", "12.85"),
        ("Wann ist die Grundsteuer wieder fällig?", "15 Feb 2027"),
        ("How much property tax did I pay this year?", "525.00"),
        ("Wie viel Hundesteuer habe ich bezahlt?", "60.00"),
        # a kind that the shop's name tells in other words, and the ledger's category holds others besides
        ("Was habe ich beim Tierarzt bezahlt?", "347.50"),
        ("What did I pay at the vet?", "347.50"),
        ("Zeig mir alle Rechnungen vom Tierarzt", "2 payments"),
        ("When is the water bill due next?", "Gemeindewerke Ferdau"),
    ],
)
async def test_a_kind_of_thing_is_found_in_what_the_bank_wrote(talk: Talk, question: str, told: str) -> None:
    assert told in (await talk.say(question)).reply.headline


async def test_what_the_ledger_has_nothing_of_is_not_found(talk: Talk) -> None:
    """The dentist is no vet, though both are doctors."""
    assert (await talk.say("Was habe ich beim Zahnarzt bezahlt?")).reply.kind in ("clarify", "refuse", "empty")
