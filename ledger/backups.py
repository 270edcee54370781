"""Backups of an SQLite ledger: one file that holds a consistent copy of the database, and how to know that it is whole.

It is a ZIP archive: ``money.sqlite3``, which SQLite opens as it is, and ``backup.json`` (:class:`BackupFacts`). What can be made
again from the database, the search index above all, is not in it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import time
import zipfile
import zlib
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ledger import schema
from ledger.errors import BackupRefused, StoreUnavailable
from ledger.store import Store, copy_database, prepare_directory, utc_now

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

#: How the archive is laid out; a later layout has a higher number.
_FORMAT = 1
_DATABASE, _FACTS = "money.sqlite3", "backup.json"
_CHUNK = 1 << 20
_LONGEST_FACTS = 10_000
_SCRATCH = ".backup-"
#: No backup takes so long, in seconds, that an older folder could be in use.
_LEFT_SECONDS = 24 * 3600
#: A connection that is being closed is waited for so long, in seconds.
_CLOSING_SECONDS = 2.0

_NO_BACKUP = "This file is no backup of Money Minder."
_DAMAGED = "This backup is damaged, so nothing was restored."
_NEWER = "A newer version of Money Minder made this backup; update first. Nothing was restored."
_IN_USE = "Something else has the ledger open, a console perhaps. End it first; nothing was restored."
_NOT_EMPTY = "There is a ledger here already. --force puts the backup in its place, and keeps the old one."


@dataclass(frozen=True, slots=True)
class BackupFacts:
    """What a backup says of itself: its layout, when it was made, and the database's revision, checksum, size and rows."""

    format: int
    made_at: str
    revision: str
    sha256: str
    bytes: int
    people: int
    transactions: int


@dataclass(frozen=True, slots=True)
class WholeCopy:
    """A copy of a database that stands alone, and what it holds."""

    path: Path
    revision: str
    people: int
    transactions: int


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore put in place, and where the ledger is kept that was there before, if there was one."""

    facts: BackupFacts
    kept: Path | None


def back_up(database: Path, out: IO[bytes]) -> BackupFacts:
    """Write a backup of a database that others may be writing to meanwhile.

    Raises:
        BackupRefused: there is no ledger, it is damaged, or can't be copied now.
        OSError: the backup can't be written.
    """
    with whole_copy(database) as copy, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        with copy.path.open("rb") as source, archive.open(_DATABASE, "w", force_zip64=True) as target:
            sha256, size = _copied(source, target)
        facts = BackupFacts(_FORMAT, utc_now(), copy.revision, sha256, size, copy.people, copy.transactions)
        archive.writestr(_FACTS, json.dumps(asdict(facts), indent=1))
    return facts


@contextmanager
def whole_copy(database: Path) -> Iterator[WholeCopy]:
    """Copy a database as it is at one moment into a folder beside it, which is gone in the end.

    Raises:
        BackupRefused: there is no ledger, it is damaged, or can't be copied now.
    """
    if not database.exists() or not database.stat().st_size:
        raise BackupRefused("There is no ledger here yet, so there is nothing to back up.")
    with _scratch(database.parent) as folder:
        copy = folder / _DATABASE
        try:
            copy_database(database, copy)
            found = WholeCopy(copy, *_looked_over(copy))
        except sqlite3.OperationalError as error:
            raise BackupRefused("The ledger can't be copied now; is the disk of the data directory full?") from error
        except sqlite3.DatabaseError as error:
            raise BackupRefused("The ledger is damaged; run “money-minder doctor” to see how.") from error
        yield found


async def restore(
    backup: IO[bytes], database: Path, index: Path, settle: Callable[[Store], Awaitable[None]], *, force: bool = False
) -> Restored:
    """Put a backup in the place of a database, once it is proved whole and this version can open it.

    ``settle`` sees to what must not go on where the backup broke off. The embedded index is deleted, to be made again.

    Raises:
        BackupRefused: the file is none, damaged, or of a newer version; the ledger is in use, or not empty without ``force``.
        OSError: the disk failed or is full; the ledger is as it was.
    """
    prepare_directory(database.parent)
    if not force and not await asyncio.to_thread(_is_empty, database):
        raise BackupRefused(_NOT_EMPTY)
    with _scratch(database.parent) as folder:
        fresh = folder / _DATABASE
        facts = await asyncio.to_thread(_unpack, backup, fresh)
        await _made_ready(fresh, settle)
        kept = await asyncio.to_thread(_put_in_place, fresh, database, index)
    return Restored(facts, kept)


@contextmanager
def _scratch(beside: Path) -> Iterator[Path]:
    """A folder that only we can enter, on the disk of the data directory; those that a kill left behind go."""
    for left in beside.glob(f"{_SCRATCH}*"):
        with suppress(FileNotFoundError):  # another one was quicker
            if time.time() - left.stat().st_mtime > _LEFT_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_SCRATCH, dir=beside) as folder:
        yield Path(folder)


def _looked_over(copy: Path) -> tuple[str, int, int]:
    """Return revision, people and transactions of a copy that is whole, and let its file stand alone, without a log."""
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE").fetchone()
        verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        revision = connection.execute("SELECT version_num FROM alembic_version").fetchone() or ("",)
        people = connection.execute("SELECT count(*) FROM people").fetchone()[0]
        transactions = connection.execute("SELECT count(*) FROM transactions").fetchone()[0]
    return str(revision[0]), int(people), int(transactions)


def _copied(source: IO[bytes], target: IO[bytes], most: int | None = None) -> tuple[str, int]:
    """Copy, and return checksum and length; more than ``most`` bytes end it."""
    digest, size = hashlib.sha256(), 0
    while chunk := source.read(_CHUNK):
        digest.update(chunk)
        size += len(chunk)
        if most is not None and size > most:
            break
        target.write(chunk)
    return digest.hexdigest(), size


def _unpack(backup: IO[bytes], target: Path) -> BackupFacts:
    """Write out the database of a backup, and hold it to what the backup says of it."""
    try:
        archive = zipfile.ZipFile(backup)
    except (zipfile.BadZipFile, OSError) as error:
        raise BackupRefused(_NO_BACKUP) from error
    with archive:
        facts = _facts(archive)
        try:
            with archive.open(_DATABASE) as source, target.open("wb") as out:
                found = _copied(source, out, facts.bytes)
            whole = found == (facts.sha256, facts.bytes) and _looked_over(target)[0] == facts.revision
        except (KeyError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError, sqlite3.Error) as error:
            raise BackupRefused(_DAMAGED) from error
    if not whole:
        raise BackupRefused(_DAMAGED)
    return facts


def _facts(archive: zipfile.ZipFile) -> BackupFacts:
    """Return what a backup says of itself, if this version can restore such a one."""
    if not {_DATABASE, _FACTS} <= set(archive.namelist()):
        raise BackupRefused(_NO_BACKUP)
    try:
        with archive.open(_FACTS) as file:
            told = json.loads(file.read(_LONGEST_FACTS))
        newer = told["format"] > _FORMAT or told["revision"] > schema.REVISION
        facts = None if newer else BackupFacts(**told)
    except (KeyError, TypeError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise BackupRefused(_DAMAGED) from error
    if facts is None:
        raise BackupRefused(_NEWER)
    return facts


async def _made_ready(fresh: Path, settle: Callable[[Store], Awaitable[None]]) -> None:
    """Bring a restored database up to this version, with everything still to be indexed."""
    try:
        store = await Store.open(fresh)
    except StoreUnavailable as error:
        raise BackupRefused(_DAMAGED) from error
    try:
        await settle(store)
        async with store.write() as connection:
            await connection.execute(schema.phrases.update().values(indexed=0))
        await store.empty_log()
    finally:
        await store.close()


def _is_empty(database: Path) -> bool:
    """Whether nobody has anything in a database; one that can't be read may hold everything."""
    if not database.exists() or not database.stat().st_size:
        return True
    with closing(sqlite3.connect(database)) as connection:
        return _holds_nobody(connection)


def _holds_nobody(connection: sqlite3.Connection) -> bool:
    try:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'people'").fetchone():
            return not connection.execute("SELECT 1 FROM people LIMIT 1").fetchone()
        return not connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError:
        return False


def _put_in_place(fresh: Path, database: Path, index: Path) -> Path | None:
    """Let a database take the place of another, which is kept; at no moment is there none."""
    with _alone(database) as empty:
        shutil.rmtree(index, ignore_errors=True)
        kept = None if empty else _keep(database)
        with fresh.open("rb") as file:
            os.fsync(file.fileno())
        fresh.chmod(0o600)
        fresh.replace(database)
    _sync(database.parent)
    return kept


@contextmanager
def _alone(database: Path) -> Iterator[bool]:
    """Keep everybody else out of a database, if nobody is in; yields whether it is empty. One that is damaged nobody can use."""
    if not database.exists():
        yield True
        return
    with closing(sqlite3.connect(database, timeout=_CLOSING_SECONDS, isolation_level=None)) as connection:
        try:  # SQLite leaves its log behind only when no other connection is open
            connection.execute("PRAGMA journal_mode=DELETE").fetchone()
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise BackupRefused(_IN_USE) from error
        except sqlite3.DatabaseError:
            pass
        yield _holds_nobody(connection)


def _keep(database: Path) -> Path:
    """Give the old database, and a log that could not be written into it, a second name among the backups."""
    folder = database.parent / "backups"
    prepare_directory(folder)
    kept = folder / f"{database.stem}-replaced-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}.sqlite3"
    for ending in ("-wal", "-shm"):
        beside = database.with_name(f"{database.name}{ending}")
        if beside.exists():
            beside.rename(kept.with_name(f"{kept.name}{ending}"))
    try:
        os.link(database, kept)
    except OSError:  # a file system without second names
        shutil.copyfile(database, kept)
        kept.chmod(0o600)
    _sync(folder)
    return kept


def _sync(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
