"""The store on both databases: opening, migrating, who is who, writers beside each other, and forgetting."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import threading
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from bots.history import History
from ledger import schema
from ledger.deletion import forget_person
from ledger.errors import LedgerError, StoreUnavailable
from ledger.migrations.run import upgrade
from ledger.people import Person
from ledger.store import Store
from ledger.visibility import hidden_batches
from tests.drawn_ledgers import Entry, write_entries

DAY = date(2026, 10, 3)
CANARY = "Kanarienvogel"


async def version(store: Store) -> Any:
    async with store.read() as connection:
        return (await connection.execute(sa.text("SELECT version_num FROM alembic_version"))).scalar_one()


async def set_version(store: Store, revision: str) -> None:
    async with store.write() as connection:
        await connection.execute(sa.text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})


async def count(store: Store, table: sa.Table) -> int:
    async with store.read() as connection:
        return int((await connection.execute(sa.select(sa.func.count()).select_from(table))).scalar_one())


async def test_a_new_store_is_at_the_revision_of_the_code(store):
    assert await version(store) == schema.REVISION


async def test_the_migrations_make_the_tables_that_the_code_describes(store):
    def differences(connection: sa.Connection) -> list[Any]:
        opts = {"compare_type": True, "compare_server_default": False, "include_name": _is_ours}
        context = MigrationContext.configure(connection, opts=opts)
        return list(compare_metadata(context, schema.metadata))

    async with store.read() as connection:
        assert await connection.run_sync(differences) == []


def _is_ours(name: str | None, kind: str, _parents: Any) -> bool:
    """Whether something belongs to no job queue, whose tables are its library's own."""
    return kind != "table" or not (name or "").startswith("procrastinate_")


async def test_opening_again_keeps_everything(open_store, store_url, alice):
    first = await Store.open(store_url)
    membership = await first.membership(alice)
    await first.close()
    second = await open_store()
    assert await second.membership(alice) == membership


async def test_a_newer_revision_is_refused_and_left_alone(open_store, store_url):
    store = await open_store()
    await set_version(store, "9999")
    try:
        with pytest.raises(StoreUnavailable) as refused:
            await Store.open(store_url)
        assert "newer version" in refused.value.message
        assert await version(store) == "9999"
    finally:
        await set_version(store, schema.REVISION)


@pytest.mark.parametrize("url", ["mysql://root@127.0.0.1/x", "postgresql://nobody@127.0.0.1:1/none"])
async def test_what_can_not_be_opened_is_said_in_one_sentence(url):
    with pytest.raises(StoreUnavailable) as refused:
        await Store.open(url)
    assert refused.value.message.endswith(".")
    assert "127.0.0.1" not in refused.value.message


async def test_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "ledger.sqlite3"
    path.write_bytes(b"Date,Description,Amount\n" * 400)
    before = path.read_bytes()
    with pytest.raises(LedgerError):
        await Store.open(path)
    assert path.read_bytes() == before


async def test_only_the_owner_can_read_the_files(tmp_path):
    directory = tmp_path / "data"
    directory.mkdir(mode=0o755)
    store = await Store.open(directory / "ledger.sqlite3")
    await write_entries(store, Person("memory", "home", "alice"), [Entry(DAY, -100)])
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()}
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert {"ledger.sqlite3"} <= modes.keys()
    assert set(modes.values()) == {0o600}
    await store.close()


async def test_a_migration_is_preceded_by_a_backup(tmp_path, monkeypatch):
    """An older revision is made by calling it so; what was in the file then is in the copy."""
    path = tmp_path / "data" / "ledger.sqlite3"
    store = await Store.open(path)
    await write_entries(store, Person("memory", "home", "alice"), [Entry(DAY, -100, description="before")])
    await set_version(store, "0000")
    await store.close()
    monkeypatch.setattr("ledger.migrations.run.upgrade", _set_to_newest)
    await (await Store.open(path)).close()
    (copy,) = (path.parent / "backups").iterdir()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0000",)
        assert connection.execute("SELECT description FROM transactions").fetchall() == [("before",)]
    connection.close()


def _set_to_newest(connection: sa.Connection, revision: str = "head") -> None:
    connection.execute(sa.text("UPDATE alembic_version SET version_num = :to"), {"to": schema.REVISION})


async def test_the_first_revision_is_brought_up_to_date_with_what_is_in_it(tmp_path):
    """A database that was made before there were notes and switches gains both, and keeps its people."""
    path = tmp_path / "data" / "ledger.sqlite3"
    path.parent.mkdir()
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool)
    with engine.begin() as connection:
        upgrade(connection, "0001")
        connection.execute(
            schema.people.insert().values(platform="memory", team="home", user="alice", created_at="2026")
        )
        connection.execute(schema.settings.insert().values(person_id=1, name="locale", value="de_DE"))
        assert not sa.inspect(connection).has_table("memories")
    store = await Store.open(path)
    assert await version(store) == schema.REVISION
    assert await count(store, schema.settings) == 1
    assert await count(store, schema.memories) == await count(store, schema.switches) == 0
    (copy,) = (path.parent / "backups").iterdir()
    assert "-0001-" in copy.name
    await store.close()


async def test_a_first_opening_needs_no_backup(tmp_path):
    path = tmp_path / "data" / "ledger.sqlite3"
    await (await Store.open(path)).close()
    await (await Store.open(path)).close()
    assert not (path.parent / "backups").exists()


async def test_a_failed_block_writes_nothing(store, alice):
    membership = await store.membership(alice)
    values = {"person_id": membership.person_id, "name": "locale", "value": "de_DE"}
    with pytest.raises(RuntimeError, match="stop"):
        async with store.write() as connection:
            await connection.execute(schema.settings.insert().values(values))
            raise RuntimeError("stop")
    assert await count(store, schema.settings) == 0


async def test_a_cancelled_write_leaves_the_store_usable(store, alice):
    membership = await store.membership(alice)
    inside = asyncio.Event()

    async def write() -> None:
        async with store.write() as connection:
            values = {"person_id": membership.person_id, "name": "locale", "value": "de_DE"}
            await connection.execute(schema.settings.insert().values(values))
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await count(store, schema.settings) == 0
    await write_entries(store, alice, [Entry(DAY, -100)])
    assert await count(store, schema.transactions) == 1


async def test_one_person_is_made_once(store, alice):
    memberships = await asyncio.gather(*(store.membership(alice) for _ in range(20)))
    assert len(set(memberships)) == 1
    assert await count(store, schema.people) == await count(store, schema.ledgers) == 1


async def test_one_person_is_made_once_by_two_processes_at_a_time(open_store, alice):
    """Two stores on one database know nothing of each other, as two processes do not."""
    one, other = await open_store(), await open_store()
    memberships = await asyncio.gather(*(store.membership(alice) for store in (one, other) * 8))
    assert len(set(memberships)) == 1
    assert await count(one, schema.people) == await count(one, schema.ledgers) == 1
    assert await count(one, schema.members) == 1


async def test_people_are_told_apart_by_all_they_are(store):
    people = [
        Person(*names)
        for names in (("a", "b", "c"), ("a", "c", "b"), ("a", "b", "C"), ("x", "b", "c"), ("a:b", "", "c"))
    ]
    memberships = [await store.membership(person) for person in people]
    assert len({each.person_id for each in memberships}) == len({each.ledger_id for each in memberships}) == len(people)
    assert await store.known_people() == len(people)


async def test_writers_beside_each_other_all_get_their_turn(open_store, alice, bob):
    one, other = await open_store(), await open_store()
    await asyncio.gather(
        *(
            write_entries(store, person, [Entry(DAY, -n)])
            for n, (store, person) in enumerate([(one, alice), (other, bob)] * 1)
        )
    )

    async def write(store: Store, person: Person, name: str) -> None:
        membership = await store.membership(person)
        async with store.write() as connection:
            table = schema.settings.c
            values = {"person_id": membership.person_id, "name": name, "value": "1"}
            await connection.execute(schema.settings.insert().values(values))
            await connection.execute(sa.select(sa.func.count()).where(table.person_id == membership.person_id))

    await asyncio.gather(
        *(write(store, person, f"{n}") for n in range(15) for store, person in ((one, alice), (other, bob)))
    )
    assert await count(one, schema.settings) == 30


async def test_a_reader_sees_one_state(open_store, alice):
    """What is committed while one reads does not show within the same block on SQLite, and never half of it anywhere."""
    one, other = await open_store(), await open_store()
    repository = await one.repository(alice)
    async with one.read() as connection:
        mine = sa.select(sa.func.count()).select_from(schema.transactions)
        before = (await connection.execute(mine)).scalar_one()
        await write_entries(other, alice, [Entry(DAY, -1), Entry(DAY, -2)])
        after = (await connection.execute(mine)).scalar_one()
    assert before == 0
    assert after in ((0,) if one.dialect == "sqlite" else (0, 2))
    assert (await repository.vocabulary()).count == 2


async def fill(store: Store, person: Person, name: str) -> None:
    """Put a row of the person, with a name in it wherever text is, into every table."""
    text = f"{CANARY} {name}"
    entry = Entry(DAY, -100, merchant=text, category=text, account=text, description=text)
    repository, (written,) = await write_entries(store, person, [entry])
    membership = await store.membership(person)
    me = membership.person_id
    key = f"{person.key}/{name}"
    async with store.write() as connection:

        async def put(table: sa.Table, **values: object) -> int:
            result = await connection.execute(table.insert().values(values).returning(*table.primary_key.columns))
            return int(result.first()[0])

        batch = (
            await connection.execute(
                sa.select(schema.batches.c.id).where(schema.batches.c.ledger_id == repository.ledger_id)
            )
        ).scalar_one()
        await put(
            schema.layout_directions, ledger_id=repository.ledger_id, layout=text, account=text, reading="turned",
            batch_id=batch,
        )  # fmt: skip
        await put(schema.stated_layouts, ledger_id=repository.ledger_id, key=text, layout=text, said_on="2026-11-03")
        account = (
            await connection.execute(
                sa.select(schema.accounts.c.id).where(schema.accounts.c.ledger_id == repository.ledger_id)
            )
        ).scalar_one()
        await put(
            schema.balances, ledger_id=repository.ledger_id, account_id=account, batch_id=batch, stated_on="2026-10-31",
            opening=0, amount_minor=9_999_999, currency="USD",
        )  # fmt: skip
        await put(schema.files, batch_id=batch, name=text, sha256=text, format="csv")
        await put(schema.settings, person_id=me, name="note", value=text)
        await put(schema.memories, person_id=me, note=text, created_at="2026")
        await put(schema.switches, person_id=me, name=text)
        await put(schema.link_codes, person_id=me, shown_in=person.platform, hash=text, expires_at="2027")
        await put(schema.link_tries, person_id=me, tried_at="2026")
        await put(schema.rules, ledger_id=repository.ledger_id, pattern=text, category=text, created_at="2026")
        await put(schema.left_out, ledger_id=repository.ledger_id, by="words", pattern=text, created_at="2026")
        await put(
            schema.changes, ledger_id=repository.ledger_id, token=key, transaction_id=written.id, field="note",
            before=text, after=text, created_at="2026",
        )  # fmt: skip
        await put(
            schema.refund_links, refund_id=written.id, purchase_id=written.id, ledger_id=repository.ledger_id, own=text
        )
        owned = {"ledger_id": repository.ledger_id, "account_id": account, "token": key}
        await put(schema.account_names, **owned, by="name", text=text)
        await put(schema.account_changes, **owned, what="name", before="{}", after="{}", created_at="2026")
        talk = await put(schema.conversations, person_id=me, key=key, created_at="2026", last_at="2026")
        await put(schema.turns, conversation_id=talk, key=key, text=text, recall="{}", created_at="2026", reply=text)
        inbox = await put(
            schema.inbox, source="memory", delivery_id=key, channel=key, conversation=key, person=person.key, payload=text,
            received_at="2026",
        )  # fmt: skip
        await put(
            schema.outbox, inbox_id=inbox, source="memory", conversation=key, idempotency_key=key, reply=text,
            created_at="2026",
        )  # fmt: skip
        await put(
            schema.pending_actions, token=key, person_id=me, conversation=key, action=text, arguments=text,
            arguments_hash=text, expires_at="2027",
        )  # fmt: skip
        for state in ("posted", "gone"):
            await put(
                schema.shares, person_id=me, key=f"{state} by {name}", source="memory", channel="general",
                conversation=key, answer=text, pressed=text, posts='["17"]', state=state, created_at="2026",
            )  # fmt: skip
    assert written.id


#: Tables that hold nothing of any person.
NOBODYS = ("leases", "installations", "install_states", "workspaces")


async def test_forgetting_leaves_no_row_and_touches_no_other(store, alice, bob, dump):
    await fill(store, bob, "of bob")
    before = await dump(store, NOBODYS)
    await fill(store, alice, "of alice")
    filled = await dump(store, NOBODYS)
    assert all(len(filled[name]) > len(before[name]) for name in filled if name != "forgotten_phrases")
    assert await forget_person(store, alice) == 1
    after = await dump(store, NOBODYS)
    assert len(after.pop("forgotten_phrases")) == 1
    del before["forgotten_phrases"]
    (leaving,) = [row for row in after["shares"] if row not in before["shares"]]
    after["shares"] = before["shares"]
    assert after == before
    assert "posted by of alice" in leaving
    assert not [value for value in leaving if alice.user in str(value) and value != "posted by of alice"]
    assert [value for value in leaving if value in ("leaving", "general", '["17"]')], "what the platform is asked with"


async def test_forgetting_a_conversation_lets_go_of_what_was_shared_from_there(store, alice, dump):
    await fill(store, alice, "of alice")
    await History(store).forget(alice)
    (leaving,) = (await dump(store))["shares"]
    assert "leaving" in leaving
    assert CANARY not in str(leaving)


async def test_forgetting_takes_messages_that_no_turn_has_answered_yet(store, alice, dump):
    """A message that still waits, in a conversation without any turn, is that person's all the same."""
    before = await dump(store)
    await store.membership(alice)
    async with store.write() as connection:
        await connection.execute(
            schema.inbox.insert().values(
                source="memory", delivery_id="1", channel="c", conversation=f"memory:home:c:t:{alice.key}",
                person=alice.key, payload=CANARY, received_at="2026",
            )
        )  # fmt: skip
    await forget_person(store, alice)
    assert await dump(store) == before


async def test_who_was_forgotten_may_begin_again(store, alice):
    for name in ("first", "second", "third"):
        await fill(store, alice, name)
        await forget_person(store, alice)
    repository = await store.repository(alice)
    assert (await repository.vocabulary()).count == 0


async def test_nothing_of_a_forgotten_person_stays_on_disk(sqlite_store, alice, bob):
    await fill(sqlite_store, bob, "of bob")
    await fill(sqlite_store, alice, "of alice")
    path = sqlite_store.path
    assert path is not None
    assert f"{CANARY} of alice".encode() in _bytes(path)
    await forget_person(sqlite_store, alice)
    assert f"{CANARY} of alice".casefold().encode() not in _bytes(path).lower()
    assert f"{CANARY} of bob".encode() in _bytes(path)


def _bytes(path: Path) -> bytes:
    return b"".join(each.read_bytes() for each in sorted(path.parent.iterdir()) if each.is_file())


async def test_the_ids_of_who_was_deleted_are_not_given_again(open_store):
    """Another process may remember them for a while."""
    store = await open_store()
    alice, bob = Person("memory", "home", "alice"), Person("memory", "home", "bob")
    before = await store.membership(alice)
    await forget_person(store, alice)
    after = await store.membership(bob)
    assert {before.person_id, before.ledger_id}.isdisjoint({after.person_id, after.ledger_id})


async def test_who_is_cancelled_during_a_commit_learns_of_it_after_the_commit(sqlite_store, monkeypatch):
    person = Person("memory", "home", "alice")
    before = await sqlite_store.membership(person)
    commit, begun = sa.Connection.commit, threading.Event()

    def slow(connection):
        begun.set()
        time.sleep(0.2)
        commit(connection)

    monkeypatch.setattr(sa.Connection, "commit", slow)
    task = asyncio.create_task(forget_person(sqlite_store, person))
    await asyncio.to_thread(begun.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    monkeypatch.undo()
    assert await sqlite_store.known_people() == 0
    assert (await sqlite_store.membership(person)).person_id != before.person_id


async def test_imports_of_an_earlier_version_are_finished_ones(tmp_path):
    """What was imported before imports came in over several transactions shows as ever."""
    path = tmp_path / "data" / "ledger.sqlite3"
    path.parent.mkdir()
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool)
    with engine.begin() as connection:
        upgrade(connection, "0003")
        connection.execute(sa.text("INSERT INTO ledgers (id, created_at) VALUES (1, '2026')"))
        connection.execute(sa.text("INSERT INTO batches (ledger_id, created_at) VALUES (1, '2026-01-01')"))
    store = await Store.open(path)
    async with store.read() as connection:
        found = (await connection.execute(sa.select(schema.batches.c.created_at, schema.batches.c.finished_at))).all()
        assert (await connection.execute(hidden_batches(1))).all() == []
    assert [tuple(row) for row in found] == [("2026-01-01", "2026-01-01")]
    await store.close()
