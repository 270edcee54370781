"""``backup`` and ``restore``: the database of the data directory in one file, and back again."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING

import sqlalchemy as sa

from bots.cli.speaking import language_here
from bots.errors import CommandError
from bots.import_words import counted, people_of
from bots.lease import vacate
from bots.restoring import drop_unanswered
from language.catalogue import say, translated
from ledger.backups import back_up, restore
from ledger.errors import IndexUnavailable
from ledger.index.lock import FileLock
from ledger.store import prepare_directory

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from bots.settings import Settings
    from language.catalogue import Template
    from ledger.store import Store

#: In place of a file: standard output or input.
_STREAM = "-"
_RUNNING = "The bot is running, so nothing was restored. Stop it first."
_DUMP = "(umask 077; pg_dump --format=custom --file={file} {url})"
_LOAD = "pg_restore --clean --if-exists --no-owner --single-transaction --dbname={url} {file}"


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Back up, or restore."""
    os.umask(0o077)
    if arguments.command == "backup":
        return await _back_up(arguments, settings)
    return await _restore(arguments, settings)


async def _back_up(arguments: argparse.Namespace, settings: Settings) -> int:
    database = _sqlite(settings, "This ledger is in PostgreSQL. Back it up with: {command}", _DUMP, arguments.file)
    said = sys.stderr if arguments.file == _STREAM else sys.stdout
    with on_disk("Nothing was backed up."), _written(arguments.file) as out:
        facts = await asyncio.to_thread(back_up, database, out)
    if arguments.json:
        said.write(json.dumps({"file": arguments.file, **asdict(facts)}, ensure_ascii=False) + "\n")
    else:
        form = "{transactions} of {people} backed up to {file}."
        if arguments.file == _STREAM:
            form = "{transactions} of {people} backed up."
        done = say(form, transactions=count_of(facts.transactions), people=people_of(facts.people), file=arguments.file)
        said.write(f"{translated(done, language_here(settings))}\n")
    return 0


async def _restore(arguments: argparse.Namespace, settings: Settings) -> int:
    database = _sqlite(
        settings, "This ledger is in PostgreSQL. Stop the bot, then restore it with: {command}", _LOAD, arguments.file
    )
    dropped = 0

    async def settle(store: Store) -> None:
        nonlocal dropped
        dropped = await drop_unanswered(store)
        await vacate(store)

    with on_disk("The ledger is as it was."), _read(arguments.file) as backup, no_bot(settings.data_dir, _RUNNING):
        done = await restore(backup, database, settings.data_dir / "index", settle, force=arguments.force)
    facts, kept = done.facts, done.kept
    if arguments.json:
        told = {"file": arguments.file, **asdict(facts), "kept": str(kept) if kept else None, "dropped": dropped}
        print(json.dumps(told, ensure_ascii=False))
        return 0
    made_at = facts.made_at[:16].replace("T", " ")
    form = "{transactions} of {people} restored, as of {moment} UTC."
    lines = [say(form, transactions=count_of(facts.transactions), people=people_of(facts.people), moment=made_at)]
    if dropped:
        one = "1 message that was not answered or delivered by then will not be."
        several = "{count} messages that were not answered or delivered by then will not be."
        lines.append(say(one if dropped == 1 else several, count=str(dropped)))
    if kept:
        lines.append(say("The ledger that was here is kept: {file}", file=str(kept)))
    print("\n".join(translated(line, language_here(settings)) for line in lines))
    return 0


def count_of(transactions: int) -> Template:
    """Say how many transactions."""
    return counted(transactions, "transaction", "en_US")


def _sqlite(settings: Settings, otherwise: str, command: str, file: str) -> Path:
    """Return the SQLite file; for PostgreSQL, raise CommandError with what its own programs do."""
    database = str(settings.database)
    if "://" not in database:
        return Path(database)
    given = sa.make_url(database)
    query = {name: given.query[name] for name in ("host", "port") if name in given.query}
    # Without the password, which the programs ask for.
    url = sa.URL.create("postgresql", given.username, None, given.host, given.port, given.database, query)
    named = shlex.quote("money-minder.dump" if file == _STREAM else file)
    raise CommandError(say(otherwise, command=command.format(file=named, url=shlex.quote(str(url)))))


@contextmanager
def on_disk(outcome: str) -> Iterator[None]:
    """Say in a sentence that the disk failed or is full, and what that leaves; a reader that has gone is told nothing."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CommandError(say("{outcome} The disk says: {reason}.", outcome=say(outcome), reason=reason)) from error


@contextmanager
def no_bot(directory: Path, otherwise: str) -> Iterator[None]:
    """Keep bots from serving this data directory meanwhile; raises CommandError, with what to say, where one does."""
    prepare_directory(directory)
    try:
        lock = FileLock(directory / "serving.lock")
    except IndexUnavailable as error:
        raise CommandError(otherwise) from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _written(name: str) -> Iterator[IO[bytes]]:
    """Open a new file that only its owner can read, which is gone if what follows fails; or standard output."""
    if name == _STREAM:
        if sys.stdout.isatty():
            raise CommandError("A backup is no text: send it to a file, with “backup FILE” or “backup - > FILE”.")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name).expanduser()
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise CommandError(say("{file} is there already; a backup overwrites nothing.", file=name)) from error
    except (OSError, ValueError) as error:
        raise CommandError(say("{file} can't be written.", file=name)) from error
    try:
        with os.fdopen(file, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


@contextmanager
def _read(name: str) -> Iterator[IO[bytes]]:
    """Open a backup, or take it whole from standard input."""
    if name == _STREAM:
        with tempfile.TemporaryFile() as spooled:
            while chunk := sys.stdin.buffer.read(1 << 20):
                spooled.write(chunk)
            spooled.seek(0)
            yield spooled
        return
    try:
        file = Path(name).expanduser().open("rb")
    except (OSError, ValueError) as error:
        raise CommandError(say("{file} can't be read.", file=name)) from error
    with file:
        yield file
