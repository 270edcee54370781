"""Backups: whole, of one moment, and put in place only where nothing is lost by it."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import sqlite3
import stat
import threading
import zipfile
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bots.contracts import ConversationKey, Message
from bots.inbox import Inbox
from bots.lease import Lease, vacate
from bots.restoring import drop_unanswered
from graph.reply import Audience, Reply
from graph.turn import TurnOutcome
from ledger import schema
from ledger.backups import _keep, back_up, restore
from ledger.errors import BackupRefused
from ledger.migrations.run import upgrade
from ledger.people import Person
from ledger.store import Store
from tests.drawn_ledgers import Entry, write_entries

ALICE = Person("memory", "home", "alice")
CENTS = [-1000, -525, 2000]


async def nothing(_store: Store) -> None:
    """Settle nothing."""


async def filled(database: Path, cents: list[int] = CENTS) -> Path:
    store = await Store.open(database)
    await write_entries(store, ALICE, [Entry(date(2026, 10, 3), each) for each in cents])
    await store.close()
    return database


def made(database: Path) -> bytes:
    out = io.BytesIO()
    back_up(database, out)
    return out.getvalue()


def rows(database: Path) -> list[int]:
    with closing(sqlite3.connect(database)) as connection:
        return [each for (each,) in connection.execute("SELECT amount_minor FROM transactions ORDER BY id")]


def retold(backup: bytes, **facts: Any) -> bytes:
    """The same backup, which says something else of itself."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(backup)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        new.writestr("money.sqlite3", old.read("money.sqlite3"))
        new.writestr("backup.json", json.dumps(json.loads(old.read("backup.json")) | facts))
    return out.getvalue()


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return tmp_path / "here" / "money.sqlite3"


@pytest.fixture
def there(tmp_path: Path) -> Path:
    return tmp_path / "there" / "money.sqlite3"


async def put(backup: bytes, database: Path, **more: Any) -> Any:
    return await restore(io.BytesIO(backup), database, database.parent / "index", nothing, **more)


async def test_what_was_backed_up_comes_back(here, there):
    done = await put(made(await filled(here)), there)
    assert rows(there) == rows(here) == CENTS
    assert (done.facts.transactions, done.facts.people, done.facts.revision, done.kept) == (3, 1, schema.REVISION, None)
    assert stat.S_IMODE(there.stat().st_mode) == 0o600
    assert stat.S_IMODE(there.parent.stat().st_mode) == 0o700
    assert [each.name for each in there.parent.iterdir() if each.name.startswith(".backup-")] == []


async def test_a_backup_opens_without_the_program(here, tmp_path):
    """Unzipped, it is an SQLite file that needs no log beside it, and what is said of it is so."""
    with zipfile.ZipFile(io.BytesIO(made(await filled(here)))) as archive:
        archive.extractall(tmp_path / "out")
    database, facts = tmp_path / "out/money.sqlite3", json.loads((tmp_path / "out/backup.json").read_text())
    assert hashlib.sha256(database.read_bytes()).hexdigest() == facts["sha256"]
    assert database.stat().st_size == facts["bytes"]
    assert rows(database) == CENTS
    assert sorted(each.name for each in database.parent.iterdir()) == ["backup.json", "money.sqlite3"]


async def test_a_backup_is_of_one_moment_while_others_write(here, there):
    """A writer moves a cent from one row to the other, again and again: a copy of two moments would not come to the sum."""
    await filled(here, [0, 0])
    stop, moved = threading.Event(), threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(here, isolation_level=None)) as connection:
            while not stop.is_set():
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("UPDATE transactions SET amount_minor = amount_minor + 1 WHERE id % 2 = 0")
                connection.execute("UPDATE transactions SET amount_minor = amount_minor - 1 WHERE id % 2 = 1")
                connection.execute("COMMIT")
                moved.set()

    with closing(sqlite3.connect(here)) as connection:
        connection.execute("UPDATE transactions SET id = id - (SELECT min(id) FROM transactions) + 10")
        connection.commit()
    writer = threading.Thread(target=write)
    writer.start()
    try:
        moved.wait(30)
        for number in range(5):
            target = there.with_name(f"{number}.sqlite3")
            await put(made(here), target)
            assert sum(rows(target)) == 0
    finally:
        stop.set()
        writer.join()
    assert rows(target)[0] > 0


async def test_nothing_is_put_over_a_ledger_unasked(here, there):
    backup = made(await filled(here))
    await filled(there, [-7])
    with pytest.raises(BackupRefused, match="--force"):
        await put(backup, there)
    assert rows(there) == [-7]
    done = await put(backup, there, force=True)
    assert rows(there) == CENTS
    assert rows(done.kept) == [-7]
    assert done.kept.parent == there.parent / "backups"
    assert stat.S_IMODE(done.kept.stat().st_mode) == 0o600


async def test_an_empty_ledger_is_no_obstacle(here, there):
    await (await Store.open(there)).close()
    assert (await put(made(await filled(here)), there)).kept is None
    assert rows(there) == CENTS


async def test_a_ledger_that_can_not_be_read_is_kept(here, there):
    backup = made(await filled(here))
    there.parent.mkdir(mode=0o700)
    there.write_bytes(b"no database at all " * 100)
    with pytest.raises(BackupRefused, match="--force"):
        await put(backup, there)
    done = await put(backup, there, force=True)
    assert rows(there) == CENTS
    assert done.kept.read_bytes().startswith(b"no database")


def test_a_log_that_was_left_behind_goes_with_its_ledger(there):
    """SQLite would take it for the new one's."""
    there.parent.mkdir(mode=0o700)
    there.write_bytes(b"a ledger")
    there.with_name("money.sqlite3-wal").write_bytes(b"what it did last")
    kept = _keep(there)
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == b"what it did last"
    assert sorted(each.name for each in there.parent.iterdir()) == ["backups", "money.sqlite3"]


@pytest.mark.parametrize("step", ["shutil.rmtree", "os.link", "os.fsync", "pathlib.Path.replace"])
async def test_where_the_disk_fails_the_ledger_is_as_it_was(here, there, monkeypatch, step):
    """A second name that can't be had is made up for by a copy."""
    backup = made(await filled(here))
    await filled(there, [-7])

    def fail(*_arguments: Any, **_more: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(step, fail)
    if step == "os.link":
        done = await put(backup, there, force=True)
        assert (rows(there), rows(done.kept)) == (CENTS, [-7])
        assert stat.S_IMODE(done.kept.stat().st_mode) == 0o600
        return
    with pytest.raises(OSError, match="No space"):
        await put(backup, there, force=True)
    monkeypatch.undo()
    assert rows(there) == [-7]


async def test_a_ledger_that_somebody_has_open_is_left_alone(here, there):
    backup = made(await filled(here))
    await filled(there, [-7])
    store = await Store.open(there)
    try:
        await store.known_people()
        with pytest.raises(BackupRefused, match="open"):
            await put(backup, there, force=True)
        assert await store.known_people() == 1
    finally:
        await store.close()
    assert rows(there) == [-7]


@pytest.mark.parametrize("spoiled", ["cut", "turned", "checksum", "longer", "shorter", "no number", "more"])
async def test_a_damaged_backup_is_refused_and_the_ledger_left(here, there, spoiled):
    backup = made(await filled(here))
    with zipfile.ZipFile(io.BytesIO(backup)) as archive:
        size = archive.getinfo("money.sqlite3").file_size
    middle = len(backup) // 3
    bad = {
        "cut": backup[: len(backup) // 2],
        "turned": backup[:middle] + bytes([backup[middle] ^ 0xFF]) + backup[middle + 1 :],
        "checksum": retold(backup, sha256="0" * 64),
        "longer": retold(backup, bytes=size + 1),
        "shorter": retold(backup, bytes=size - 1),
        "no number": retold(backup, format="one"),
        "more": retold(backup, colour="green"),
    }[spoiled]
    await filled(there, [-7])
    with pytest.raises(BackupRefused) as refused:
        await put(bad, there, force=True)
    assert refused.value.message.count(".") == 1
    assert rows(there) == [-7]
    assert not (there.parent / "backups").exists()


@pytest.mark.parametrize("facts", [{"format": 2}, {"revision": "9999"}, {"format": 2, "colour": "green"}])
async def test_a_backup_of_a_newer_version_is_refused(here, there, facts):
    with pytest.raises(BackupRefused, match="newer version"):
        await put(retold(made(await filled(here)), **facts), there)
    assert not there.exists()


@pytest.mark.parametrize("data", [b"", b"Date,Amount\n", b"PK\x05\x06" + bytes(18)])
async def test_what_is_no_backup_is_refused(there, data):
    with pytest.raises(BackupRefused, match="no backup"):
        await put(data, there)


async def test_copies_that_a_kill_left_behind_go(here):
    await filled(here)
    old, new = here.parent / ".backup-old", here.parent / ".backup-new"
    for left in (old, new):
        left.mkdir()
        (left / "money.sqlite3").touch()
    os.utime(old, (0, 0))
    made(here)
    assert (old.exists(), new.exists()) == (False, True)


async def test_a_damaged_ledger_is_not_backed_up(here):
    await filled(here)
    data = bytearray(here.read_bytes())
    data[4096 * 3 : 4096 * 20] = bytes(4096 * 17)
    here.write_bytes(data)
    with pytest.raises(BackupRefused, match="doctor"):
        made(here)


def test_no_ledger_is_not_backed_up(here):
    with pytest.raises(BackupRefused, match="nothing to back up"):
        made(here)


async def test_a_backup_of_an_older_version_is_brought_up(there, tmp_path):
    old = tmp_path / "old.sqlite3"
    with sa.create_engine(f"sqlite:///{old}", poolclass=sa.NullPool).begin() as connection:
        upgrade(connection, "0010")
    done = await put(made(old), there)
    assert done.facts.revision == "0010"
    with closing(sqlite3.connect(there)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (schema.REVISION,)


async def test_the_index_is_made_again(here, there):
    await filled(here)
    with closing(sqlite3.connect(here)) as connection:
        connection.execute("UPDATE phrases SET indexed = 1")
        connection.commit()
    backup = made(here)
    index = there.parent / "index"
    index.mkdir(parents=True)
    (index / "of-another-ledger").touch()
    await put(backup, there)
    assert not index.exists()
    with closing(sqlite3.connect(there)) as connection:
        assert connection.execute("SELECT max(indexed) FROM phrases").fetchone() in [(0,), (None,)]


async def test_what_was_under_way_is_neither_answered_nor_sent_again(here, there):
    """One message waits, one is being answered, one answer is on its way: a restore says how many, and ends them."""
    store = await Store.open(here)
    inbox = Inbox(store)
    for name in ("waits", "taken", "answered"):
        place = ConversationKey("memory", "home", "D1", "", ALICE)
        said = Message(ALICE, place, name, "D1", name, Audience.PRIVATE, datetime(2026, 11, 21, tzinfo=UTC), name)
        accepted = await inbox.accept(said)
        entry = await inbox.claim(accepted.id) if name != "waits" else None
        if name == "answered":
            await inbox.finish(entry, TurnOutcome(Reply("answer", "You spent 5.25")))
    await Lease(store, "a holder that is gone").acquire()
    await store.close()
    dropped = []

    async def settle(restored: Store) -> None:
        dropped.append(await drop_unanswered(restored))
        await vacate(restored)

    await restore(io.BytesIO(made(here)), there, there.parent / "index", settle)
    store = await Store.open(there)
    try:
        assert dropped == [3]
        left = await Inbox(store).strays(["memory"])
        assert (left.messages, left.deliveries) == ({}, frozenset())
        await Lease(store, "another holder").acquire()
    finally:
        await store.close()
