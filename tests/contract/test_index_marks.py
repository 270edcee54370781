"""The marks of what is indexed are about one index, on both databases: whoever opens another one misses no string."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from ledger import schema
from ledger.errors import IndexUnavailable
from ledger.imports import import_files
from ledger.index_marks import Marks
from ledger.search import catch_up
from ledger.statement_writer import SourceFile
from tests.unit.ledger.test_search import Shelf


@pytest.fixture
async def store(open_store):
    return await open_store()


async def buy(store, alice, *shops):
    lines = "".join(f"2026-10-03,{shop},-1.00\n" for shop in shops)
    await import_files(
        await store.repository(alice), [SourceFile("bank.csv", f"Date,Description,Amount (USD)\n{lines}".encode())]
    )


async def texts(store):
    async with store.read() as connection:
        return set((await connection.execute(sa.select(schema.phrases.c.id))).scalars())


async def test_an_index_that_was_there_before_marks_were_is_taken_as_it_is(store, alice):
    await buy(store, alice, "Shell", "Aldi")
    shelf = Shelf()
    await catch_up(store, shelf)
    async with store.write() as connection:
        await connection.execute(schema.leases.delete())
    assert await catch_up(store, shelf) == 0
    assert len(shelf.points) == 2


async def test_another_index_gets_everything_and_the_former_one_is_swept_only_then(store, alice):
    await buy(store, alice, "Shell", "Aldi")
    await catch_up(store, Shelf(name="files"))
    server = Shelf(name="server", stale=True)
    server.fails = True
    with pytest.raises(IndexUnavailable):
        await catch_up(store, server)
    assert server.swept == 0
    server.fails = False
    assert await catch_up(store, server) == 2
    assert server.swept == 1


async def test_who_goes_back_to_a_former_index_misses_nothing(store, alice):
    """Its strings are of long ago, and the marks were about another one meanwhile."""
    await buy(store, alice, "Shell")
    files = Shelf(name="files")
    await catch_up(store, files)
    await buy(store, alice, "Aldi")
    await catch_up(store, Shelf(name="server"))
    assert await catch_up(store, files) == 2
    assert set(files.points) == await texts(store)


async def test_a_process_whose_index_was_replaced_goes_by_words(store, alice):
    await buy(store, alice, "Shell")
    old, ours = Shelf(name="old"), Marks(store)
    assert await catch_up(store, old, marks=ours) == 1
    new = Shelf(name="new")
    await catch_up(store, new)
    await buy(store, alice, "Aldi")
    with pytest.raises(IndexUnavailable):
        await catch_up(store, old, marks=ours)
    assert await catch_up(store, new) == 1
    assert set(new.points) == await texts(store)


async def test_two_processes_of_one_index_share_its_marks(store, alice):
    await buy(store, alice, "Shell")
    shelf, one, other = Shelf(name="server"), Marks(store), Marks(store)
    await catch_up(store, shelf, marks=one)
    assert await catch_up(store, shelf, marks=other) == 0
    await buy(store, alice, "Aldi")
    assert sum([await catch_up(store, shelf, marks=one), await catch_up(store, shelf, marks=other)]) == 1
    assert set(shelf.points) == await texts(store)


async def test_what_is_written_while_the_index_is_made_anew_is_not_marked(store, alice):
    """A slow process has sent its strings to an index that another one then wipes."""
    await buy(store, alice, "Shell")
    shelf, slow = Shelf(name="server"), Marks(store)
    upsert, wiped = shelf.upsert, False

    async def upsert_and_be_wiped(points):
        nonlocal wiped
        await upsert(points)
        if not wiped:
            wiped, shelf.stale = True, True
            await Marks(store).own(shelf)

    shelf.upsert = upsert_and_be_wiped
    with pytest.raises(IndexUnavailable):
        await catch_up(store, shelf, marks=slow)
    assert shelf.points == {}
    assert await catch_up(store, shelf, marks=slow) == 1
    assert set(shelf.points) == await texts(store)


async def test_a_crash_after_the_wipe_leaves_nothing_out(store, alice, monkeypatch):
    await buy(store, alice, "Shell", "Aldi")
    await catch_up(store, Shelf(name="old"))
    shelf = Shelf(name="new", stale=True)

    async def die(*_arguments, **_options):
        raise asyncio.CancelledError

    with monkeypatch.context() as patch:
        patch.setattr(Marks, "_begin", die)
        with pytest.raises(asyncio.CancelledError):
            await catch_up(store, shelf)
    assert not shelf.stale
    assert await catch_up(store, shelf) == 2
