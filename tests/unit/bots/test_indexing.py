"""The search index of a process: nobody waits long for what is still to be indexed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from bots import indexing
from ledger.search import LedgerSearch
from tests.drawn_ledgers import FIRST, Entry, write_entries

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path


class HeldEmbedder:
    """Gives vectors only once it is let go."""

    fingerprint = "held"
    dimension = 2

    def __init__(self) -> None:
        self.free = asyncio.Event()

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        await self.free.wait()
        return [[1.0, 0.0] for _ in texts]


@pytest.fixture
async def embedder() -> HeldEmbedder:
    return HeldEmbedder()


@pytest.fixture
async def index(sqlite_store, embedder, tmp_path: Path) -> AsyncIterator[indexing.Indexing]:
    found = indexing.Indexing(sqlite_store, tmp_path / "index", embedder, None)
    yield found
    await found.close()


async def test_a_search_goes_by_words_while_much_is_indexed(sqlite_store, alice, embedder, index, monkeypatch):
    monkeypatch.setattr(indexing, "_PATIENCE_SECONDS", 0.01)
    repository, _ = await write_entries(sqlite_store, alice, [Entry(FIRST, -100, merchant="Amber Bakery")])
    search = LedgerSearch(repository, index.current)
    assert (await search.find("amber bakery", 5)).literal
    assert await index.current() is None
    monkeypatch.setattr(indexing, "_PATIENCE_SECONDS", 60)
    async with asyncio.timeout(30):  # what was waited for in vain is not waited for again
        assert await index.current() is None
    embedder.free.set()
    await index.catch_up()
    found = await index.current()
    assert found is not None
    assert await found.count(repository.ledger_id) == 1


async def test_closing_does_not_wait_for_what_is_indexed(sqlite_store, alice, index, monkeypatch):
    monkeypatch.setattr(indexing, "_PATIENCE_SECONDS", 0.01)
    await write_entries(sqlite_store, alice, [Entry(FIRST, -100)])
    assert await index.current() is None
    async with asyncio.timeout(60):
        await index.close()


async def test_a_server_that_is_gone_costs_no_search(sqlite_store, alice, tmp_path: Path):
    embedder = HeldEmbedder()
    embedder.free.set()
    repository, _ = await write_entries(sqlite_store, alice, [Entry(FIRST, -100, merchant="Amber Bakery")])
    gone = indexing.Indexing(sqlite_store, tmp_path / "index", embedder, "http://127.0.0.1:1")
    assert (await LedgerSearch(repository, gone.current).find("amber bakery", 5)).literal
    await gone.close()


async def test_where_processes_share_the_work_none_has_an_index_of_its_own(sqlite_store, alice, tmp_path: Path):
    repository, _ = await write_entries(sqlite_store, alice, [Entry(FIRST, -100, merchant="Amber Bakery")])
    none = indexing.Indexing(sqlite_store, None, HeldEmbedder(), None)
    assert await none.current() is None
    assert (await LedgerSearch(repository, none.current).find("amber bakery", 5)).literal
    await none.close()
