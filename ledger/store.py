"""The database: opened once per process, migrated, and handed out as one repository per person."""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
from collections import OrderedDict
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ledger import schema
from ledger.errors import StoreUnavailable
from ledger.exclusion import AdvisoryExclusion, FileExclusion
from ledger.repository import Repository
from ledger.threads import ConnectionThreads

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from ledger.people import Person

T = TypeVar("T")

_DIRECTORY_MODE = 0o700
_FILE_MODE = 0o600
#: PostgreSQL's number of the lock that whoever migrates holds, and the name under which our connections are listed.
_MIGRATING = 0x6D6F6E6579
APPLICATION = "money-minder"
#: Repositories keep the names of a ledger in memory; beyond this many people the least recent one is dropped.
_KEPT_REPOSITORIES = 256


_LOOKING_AT = sa.func.coalesce(schema.people.c.joined_id, schema.people.c.id)


def utc_now() -> str:
    """The present instant as the tables keep it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True, slots=True)
class Membership:
    """A person's place in the database: the id under which their things are kept, and that of the ledger they look at."""

    person_id: int
    ledger_id: int


class _Connecting(Protocol):
    def __call__(self, *, patient: bool = False) -> AbstractAsyncContextManager[Any]: ...


class _AtOnce(Protocol):
    async def __call__(self, work: Callable[[sa.Connection], T], /) -> T: ...


class Store:
    """Accounts, transactions, conversations and deliveries in SQLite or PostgreSQL.

    ``url`` is an SQLAlchemy URL for PostgreSQL (``postgresql://…``) or the path of an SQLite file.
    """

    def __init__(self, database: _Sqlite | _Postgres) -> None:
        """Use :meth:`open`, which also migrates."""
        self._database = database
        #: ``async with read():`` a connection (``execute``, ``run_sync``) that sees one consistent state and changes nothing.
        #: Long reading that nobody waits for is ``patient``: it is in no other reader's way.
        self.read: _Connecting = database.read
        #: What a function of such a connection returns; there is no quicker way to read.
        self.at_once: _AtOnce = database.at_once
        #: ``async with write():`` a transaction that commits at the end of the block, or not at all; it should be short.
        #: The steps of longer work are ``patient``: whoever else wants to write goes first.
        self.write: _Connecting = database.write
        self._memberships: dict[Person, Membership] = {}
        self._repositories: OrderedDict[int, Repository] = OrderedDict()

    @classmethod
    async def open(cls, url: str | Path) -> Store:
        """Open the database, creating or migrating it where needed.

        Raises:
            StoreUnavailable: it can't be reached, read or written, or a newer version wrote it.
        """
        database: _Sqlite | _Postgres | None = None
        try:
            is_path = isinstance(url, Path) or "://" not in url
            database = _Sqlite(Path(url)) if is_path else _Postgres(str(url))
            store = cls(database)
            await store._migrate()
        except (SQLAlchemyError, OSError) as error:
            if database is not None:
                await database.close()
            raise StoreUnavailable("I can't open the database; run “money-minder doctor” to see why.") from error
        except StoreUnavailable:
            if database is not None:
                await database.close()
            raise
        return store

    @property
    def path(self) -> Path | None:
        """The SQLite file, or None on PostgreSQL."""
        return self._database.path

    @property
    def dialect(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return "sqlite" if self._database.path else "postgresql"

    def alone(self, ledger_id: int, *, wait: bool = True) -> AbstractAsyncContextManager[None]:
        """Hold what only one at a time may do to a ledger, in all processes; it ends with the process at the latest.

        Raises:
            LedgerBusy: somebody else holds it, and ``wait`` is false.
        """
        return self._database.alone(ledger_id, wait=wait)

    async def repository(self, person: Person) -> Repository:
        """Return the person's own ledger, made on first use."""
        membership = await self.membership(person)
        repository = self._repositories.get(membership.person_id)
        if repository is None:
            repository = Repository(self, membership.person_id, membership.ledger_id)
            self._repositories[membership.person_id] = repository
            if len(self._repositories) > _KEPT_REPOSITORIES:
                self._repositories.popitem(last=False)
        self._repositories.move_to_end(membership.person_id)
        return repository

    async def membership(self, person: Person) -> Membership:
        """Return the person's id and ledger id, made on first use."""
        known = await self.known(person) or await self._create(person)
        self._memberships[person] = known
        return known

    async def known(self, person: Person) -> Membership | None:
        """Return the person's id and ledger id, if they have any: to look makes nobody known."""
        return self._memberships.get(person) or await self._find(person)

    async def known_people(self) -> int:
        """Return how many people have a ledger here."""
        async with self.read() as connection:
            return int((await connection.execute(sa.select(sa.func.count()).select_from(schema.people))).scalar_one())

    async def answers(self) -> bool:
        """Whether the database can be read now."""
        try:
            async with self.read() as connection:
                await connection.execute(sa.select(sa.literal(1)))
        except (sa.exc.SQLAlchemyError, OSError):
            return False
        return True

    def forget_membership(self, person: Person) -> None:
        """Drop what is cached of a person whose data was deleted, or whose links changed, and of who is linked with them."""
        membership = self._memberships.pop(person, None)
        if membership is None:
            return
        self._repositories.pop(membership.person_id, None)
        linked = [each for each, known in self._memberships.items() if known.person_id == membership.person_id]
        for each in linked:
            del self._memberships[each]

    async def recheck(self, person: Person) -> None:
        """Drop what is cached of a person whom another process has deleted, linked or unlinked meanwhile."""
        known = self._memberships.get(person)
        if known is not None and await self._find(person) != known:
            self.forget_membership(person)

    async def shorten_log(self) -> None:
        """Write what SQLite's log holds into the database, beside all others: the log can then begin anew."""
        await self._database.shorten_log()

    async def empty_log(self) -> None:
        """Empty SQLite's write-ahead log, which would otherwise keep pages of what was deleted for a while."""
        await self._database.empty_log()

    async def close(self) -> None:
        """Close every connection."""
        await self._database.close()

    async def _find(self, person: Person) -> Membership | None:
        query = (
            sa.select(schema.members.c.person_id, schema.members.c.ledger_id)
            .join_from(schema.people, schema.members, schema.members.c.person_id == _LOOKING_AT)
            .where(
                schema.people.c.platform == person.platform,
                schema.people.c.team == person.team,
                schema.people.c.user == person.user,
            )
        )
        async with self.read() as connection:
            row = (await connection.execute(query)).first()
        return Membership(*row) if row else None

    async def _create(self, person: Person) -> Membership:
        now = utc_now()
        try:
            async with self.write() as connection:
                who = {"platform": person.platform, "team": person.team, "user": person.user, "created_at": now}
                person_id = await _insert(connection, schema.people, {"id": _new_id(), **who})
                ledger_id = await _insert(connection, schema.ledgers, {"id": _new_id(), "created_at": now})
                await connection.execute(schema.members.insert().values(ledger_id=ledger_id, person_id=person_id))
        except IntegrityError:  # another process made the same person between our look and our insert
            found = await self._find(person)
            if found is None:
                raise
            return found
        return Membership(person_id, ledger_id)

    async def _migrate(self) -> None:
        async with self.read() as connection:
            version = await connection.run_sync(stored_revision)
        if version == schema.REVISION:
            return
        if self.path is not None and version is not None:
            await asyncio.to_thread(_back_up, self.path, version)
        from ledger.migrations.run import upgrade

        async with self.write() as connection:
            if self.path is None:  # two that start at once would deadlock over the tables they both make
                await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATING)))
            await connection.run_sync(upgrade)


class _Sqlite:
    """An SQLite file, its connections in threads; readable by its owner alone."""

    def __init__(self, path: Path) -> None:
        prepare_directory(path.parent)
        path.touch(mode=_FILE_MODE, exist_ok=True)
        self.path: Path | None = path
        self._threads = ConnectionThreads(path)
        self.read = self._threads.read
        self.at_once = self._threads.at_once
        self.write = self._threads.write
        self.close = self._threads.close
        self.alone = FileExclusion(path).alone

    async def shorten_log(self) -> None:
        await asyncio.to_thread(_checkpoint, self.path, "PASSIVE")

    async def empty_log(self) -> None:
        await asyncio.to_thread(_checkpoint, self.path, "TRUNCATE")


class _Postgres:
    """A PostgreSQL database through asyncpg."""

    def __init__(self, url: str) -> None:
        parsed = sa.make_url(url)
        if parsed.get_backend_name() != "postgresql":
            raise StoreUnavailable("The database must be an SQLite file or a PostgreSQL URL.")
        from sqlalchemy.ext.asyncio import create_async_engine  # slow to import, and SQLite does without

        self.path: Path | None = None
        engine = create_async_engine(
            parsed.set(drivername="postgresql+asyncpg"),
            pool_size=5,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={"server_settings": {"application_name": APPLICATION}},
        )
        sa.event.listen(engine.sync_engine, "handle_error", _give_up_lost)
        self._engine = engine
        # What is added up by several statements is so of one state.
        self._reading = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self.close = engine.dispose
        self.alone = AdvisoryExclusion(engine).alone

    def read(self, *, patient: bool = False) -> AbstractAsyncContextManager[Any]:
        del patient  # there are connections enough
        return self._reading.connect()

    async def at_once(self, work: Callable[[sa.Connection], T]) -> T:
        async with self._reading.connect() as connection:
            return await connection.run_sync(work)

    def write(self, *, patient: bool = False) -> AbstractAsyncContextManager[Any]:
        del patient  # a row is all that one writer keeps another from
        return self._engine.begin()

    async def shorten_log(self) -> None:
        """PostgreSQL sees to its log by itself."""

    async def empty_log(self) -> None:
        """PostgreSQL's own log is its server's business."""


def _give_up_lost(context: sa.engine.ExceptionContext) -> None:
    """Let a connection be given up that asyncpg has lost track of, as after some terminations; it does not call it closed."""
    driver: Any = context.dialect.dbapi
    if isinstance(context.original_exception, driver.InternalClientError):
        context.is_disconnect = True


def _checkpoint(path: Path | None, mode: str) -> None:
    """Write SQLite's log into the database (https://sqlite.org/c3ref/wal_checkpoint_v2.html)."""
    connection = sqlite3.connect(str(path), isolation_level=None)
    try:
        connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
    finally:
        connection.close()


def prepare_directory(directory: Path) -> None:
    """Make a directory that only its owner can enter, and tighten one that others can."""
    directory.mkdir(mode=_DIRECTORY_MODE, parents=True, exist_ok=True)
    if directory.stat().st_mode & 0o077 and directory.stat().st_uid == os.getuid():
        directory.chmod(_DIRECTORY_MODE)


def _new_id() -> int:
    """Return an id that no one ever had: SQLite would give that of a deleted person, which others may remember, again."""
    return secrets.randbelow(2**47) + 1


async def _insert(connection: Any, table: sa.Table, values: dict[str, Any]) -> int:
    result = await connection.execute(table.insert().values(values).returning(table.c.id))
    return int(result.scalar_one())


def stored_revision(connection: sa.Connection) -> str | None:
    """Return the stored schema revision, or None in an empty database."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar_one_or_none()


def _back_up(path: Path, version: str) -> None:
    """Copy the database beside itself before a migration touches it."""
    folder = path.parent / "backups"
    prepare_directory(folder)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    target = folder / f"{path.stem}-{version}-{stamp}.sqlite3"
    copy_database(path, target)


def copy_database(path: Path, target: Path) -> None:
    """Copy an SQLite file as it is at one moment, whoever writes to it meanwhile (https://sqlite.org/backup.html)."""
    target.touch(mode=_FILE_MODE)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
