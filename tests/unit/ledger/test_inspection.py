"""Looking at a database changes nothing, and tells what is wrong with it."""

from __future__ import annotations

import sqlite3

import pytest

from ledger import schema
from ledger.errors import StoreUnavailable
from ledger.imports import SourceFile, import_files
from ledger.inspection import inspect_store
from ledger.people import Person
from ledger.store import Store


async def test_a_store_in_order_tells_what_it_holds(store, store_url):
    repository = await store.repository(Person("console", "local", "me"))
    await import_files(repository, [SourceFile("a.csv", b"Date,Description,Amount (USD)\n2026-01-02,TEA,-2.50\n")])
    found = await inspect_store(store_url)
    assert found is not None
    assert (found.dialect, found.revision, found.damage) == (store.dialect, schema.REVISION, "")
    assert (found.transactions, found.waiting, found.indexed) == (1, 1, {})


async def test_a_file_that_is_not_there_is_not_made(tmp_path):
    assert await inspect_store(tmp_path / "none" / "money.sqlite3") is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"\x00\x01noise" * 500, b"no database at all"])
async def test_what_is_no_database_is_said_and_left_alone(tmp_path, content):
    path = tmp_path / "money.sqlite3"
    path.write_bytes(content)
    with pytest.raises(StoreUnavailable):
        await inspect_store(path)
    assert path.read_bytes() == content


async def test_damage_in_the_middle_is_found(tmp_path):
    path = tmp_path / "data" / "money.sqlite3"
    await (await Store.open(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = bytearray(path.read_bytes())
    content[8192:12288] = b"\xff" * 4096
    path.write_bytes(content)
    try:
        found = await inspect_store(path)
    except StoreUnavailable:
        return
    assert found is not None
    assert found.damage


async def test_an_older_revision_is_told_and_not_migrated(tmp_path):
    path = tmp_path / "data" / "money.sqlite3"
    await (await Store.open(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0000'")
    connection.close()
    for _ in range(2):
        found = await inspect_store(path)
        assert found is not None
        assert found.revision == "0000"


@pytest.mark.parametrize("url", ["mysql://u:p@localhost/x", "postgresql://u:p@127.0.0.1:9/x", "://"])
async def test_a_database_that_can_not_be_reached_is_said(url):
    with pytest.raises(StoreUnavailable):
        await inspect_store(url)
