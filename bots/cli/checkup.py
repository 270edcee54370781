"""The checks behind ``doctor``: each looks at one part, changes nothing, and says how to mend what is wrong."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bots.cli.check import Check, Status
from bots.cli.configuration import PREFIX, shown, variables
from bots.cli.model_checks import model_checks
from bots.cli.platform_checks import platform_checks
from language.catalogue import joined, say
from ledger import schema
from ledger.errors import EmbeddingUnavailable, IndexUnavailable, LedgerError, StoreUnavailable
from ledger.index import open_index
from ledger.inspection import inspect_store
from ledger.staging import sweep
from ledger.store import Store
from ledger.sums import rebuild_all

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from bots.cli.configuration import Configuration
    from bots.settings import Settings
    from ledger.embeddings import Embedder
    from ledger.index import SearchIndex
    from ledger.inspection import StoreCondition

_PYTHON = (3, 11)
_LITTLE_SPACE = 500 * 1024 * 1024
_NO_SPACE = 50 * 1024 * 1024
#: No clock that is right shows an earlier year.
_BUILT_IN = 2026
_TRACING = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2", "LANGCHAIN_TRACING")
_REBUILD = "Stop the bot and delete {directory}; it is built again on the next start."
_ON = frozenset(("1", "true", "yes", "on"))
#: What names code that runs, or a server that is told what people say or own.
_TRUSTED = tuple(
    f"{PREFIX}{name}"
    for name in (
        *(
            "EXTRA_TOOLS",
            "TOOL_SELECTION__CUSTOM",
            "DATABASE_URL",
            "QDRANT_URL",
            "OLLAMA_URL",
            "OPENAI__URL",
            "TRACES_URL",
        ),
        *("SLACK__API_URL", "DISCORD__API_URL", "DISCORD__GATEWAY_URL"),
    )
)


async def checkup(
    settings: Settings,
    embedder: Embedder,
    environment: Mapping[str, str] = os.environ,
    configuration: Configuration | None = None,
) -> AsyncIterator[Check]:
    """Yield every check as it is done; none raises, none needs another to have gone well."""
    yield _python()
    if configuration is not None:
        yield _settings_file(configuration)
        yield _trusted(configuration)
    yield _directory(settings.data_dir)
    condition, store = await _store(settings)
    yield store
    yield await _index(settings, embedder, condition)
    yield await _embedder(embedder)
    async for check in model_checks(settings):
        yield check
    async for check in platform_checks(settings):
        yield check
    yield _clock(settings)
    yield _tracing(settings, environment)


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < _PYTHON:
        return Check("python", "fail", version, "Install Python 3.11 or newer and run “make setup” again.")
    return Check("python", "ok", version)


def _settings_file(configuration: Configuration) -> Check:
    """Say which file of settings is read, and which in the working folder is not."""
    file, left = configuration.file, configuration.unread
    found = (
        say("{file} is read", file=str(file))
        if configuration.is_read
        else say("{file} is not there; the environment alone is read", file=str(file))
    )
    if left is not None:
        mend = say("If it is yours, move it to {file}, or name it with --env-file.", file=str(file))
        return Check(
            "settings",
            "warn",
            say("{found}; {left} lies in the working folder and is not read", found=found, left=str(left)),
            mend,
        )
    if configuration.doubts:
        return Check(
            "settings",
            "warn",
            say("{found}; {doubts}", found=found, doubts=" ".join(configuration.doubts)),
            "Correct or unset these names.",
        )
    if configuration.is_read and stat.S_IMODE(file.stat().st_mode) & 0o077:
        return Check(
            "settings",
            "warn",
            say("{found}; others may read the tokens in it", found=found),
            say("Run: chmod 600 {file}", file=str(file)),
        )
    return Check("settings", "ok", found)


def _trusted(configuration: Configuration) -> Check:
    """Say what code and which servers are set to other than the usual ones, and where; such a setting sees everything."""
    defaults, set_now = variables(), configuration.settings.model_dump()
    found = []
    for name in _TRUSTED:
        value: Any = set_now
        for part in name.removeprefix(PREFIX).lower().split("__"):
            value = value[part]
        if value != defaults[name]:
            group = name.partition("__")[0]  # its settings may be told one by one or together
            where = configuration.sources.get(name) or configuration.sources.get(group, "set otherwise")
            found.append(say("{name} is {value} ({where})", name=name, value=shown(value), where=say(where)))
    return Check("code and servers", "ok", joined(found, "; ") if found else "the usual ones alone")


def _directory(directory: Path) -> Check:
    name = "data directory"
    try:
        if not directory.exists():
            return Check(
                name, "ok", say("{directory} is not there yet; it is made on first use", directory=str(directory))
            )
        if not directory.is_dir() or not os.access(directory, os.R_OK | os.W_OK | os.X_OK):
            mend = "Make it a directory of yours, or name another one in MONEY_MINDER_DATA_DIR."
            return Check(name, "fail", say("{directory} can't be written", directory=str(directory)), mend)
        if stat.S_IMODE(directory.stat().st_mode) & 0o077:
            return Check(
                name,
                "warn",
                say("{directory} can be entered by others", directory=str(directory)),
                say("Run: chmod 700 {directory}", directory=str(directory)),
            )
        free = shutil.disk_usage(directory).free
    except OSError as error:
        mend = "Name a directory that you can read in MONEY_MINDER_DATA_DIR."
        return Check(
            name,
            "fail",
            say("{directory} can't be read ({error})", directory=str(directory), error=type(error).__name__),
            mend,
        )
    status: Status = "ok" if free >= _LITTLE_SPACE else "warn" if free >= _NO_SPACE else "fail"
    found = say("{directory}, {free} MB free", directory=str(directory), free=f"{free // 1024 // 1024:,}")
    return Check(name, status, found, "" if status == "ok" else "Make room on this disk.")


async def _store(settings: Settings) -> tuple[StoreCondition | None, Check]:
    """Check the store; its condition goes on to the check of the index."""
    mend = (
        "Check MONEY_MINDER_DATABASE_URL and that the server runs."
        if settings.database_url
        else say(
            "Put back a copy from {data_dir}, or move {database} away and import again.",
            data_dir=str(settings.data_dir / "backups"),
            database=str(settings.database),
        )
    )
    try:
        condition = await inspect_store(settings.database)
    except StoreUnavailable as error:
        return None, Check(
            "store",
            "fail",
            say("{message} ({error})", message=say(error.message), error=type(error.__cause__).__name__),
            mend,
        )
    if condition is None:
        return None, Check("store", "ok", "not there yet; it is made on first use")
    if condition.damage:
        return None, Check("store", "fail", say("damaged: {damage}", damage=condition.damage), mend)
    swept = await _sweep(settings) if condition.unfinished else 0
    if condition.sums_astray:
        await _recount(settings)
        found = say(
            "{dialect}, {transactions} transactions; the kept sums were wrong and are counted again",
            dialect=condition.dialect,
            transactions=f"{condition.transactions:,}",
        )
        return condition, Check("store", "warn", found, "Ask again what was answered since the last check.")
    return condition, _revision(condition, swept)


async def _sweep(settings: Settings) -> int:
    """Take out what imports left whose process died; return of how many ledgers."""
    store = await Store.open(settings.database)
    try:
        return await sweep(store)
    finally:
        await store.close()


async def _recount(settings: Settings) -> None:
    """Count the kept sums again from the rows."""
    store = await Store.open(settings.database)
    try:
        async with store.write() as connection:
            await connection.run_sync(rebuild_all)
    finally:
        await store.close()


def _revision(condition: StoreCondition, swept: int = 0) -> Check:
    if condition.revision is None:
        return Check("store", "ok", say("{dialect}, empty; it is set up on first use", dialect=condition.dialect))
    if condition.revision > schema.REVISION:
        found = say("written by a newer version (revision {revision})", revision=str(condition.revision))
        return Check("store", "fail", found, "Update Money Minder.")
    if condition.revision != schema.REVISION:
        found = say(
            "revision {revision}, to be brought to {newest} on the next start",
            revision=str(condition.revision),
            newest=str(schema.REVISION),
        )
        return Check("store", "ok", found)
    found = say(
        "{dialect}, whole, {transactions} transactions",
        dialect=condition.dialect,
        transactions=f"{condition.transactions:,}",
    )
    return Check("store", "ok", say("{found}; an import that broke off was taken out", found=found) if swept else found)


async def _index(settings: Settings, embedder: Embedder, condition: StoreCondition | None) -> Check:
    name, directory = "search index", settings.data_dir / "index"
    if settings.qdrant_url is None and not directory.exists():
        return Check(name, "ok", "not there yet; it is built on first use")
    try:
        index = await open_index(directory, embedder, settings.qdrant_url)
    except IndexUnavailable as error:
        if settings.qdrant_url is not None:
            return Check(name, "warn", error.message, "Start the Qdrant server, or unset MONEY_MINDER_QDRANT_URL.")
        return Check(
            name,
            "ok",
            say("{message} That is a running bot; this command then searches by words.", message=say(error.message)),
        )
    try:
        return await _compare(index, condition, directory)
    except LedgerError as error:
        return Check(name, "warn", error.message, say(_REBUILD, directory=str(directory)))
    finally:
        await index.close()


async def _compare(index: SearchIndex, condition: StoreCondition | None, directory: Path) -> Check:
    if index.stale:
        return Check("search index", "warn", "stale", "Ask something or import a file; it is built again by that.")
    wanted = condition.indexed if condition else {}
    counts = {ledger: await index.count(ledger) for ledger in wanted}
    missing = sum(abs(counts[ledger] - count) for ledger, count in wanted.items())
    if missing:
        return Check(
            "search index",
            "warn",
            say("differs from the store by {missing} strings", missing=f"{missing:,}"),
            say(_REBUILD, directory=str(directory)),
        )
    waiting = (
        say(", {waiting} more are waiting", waiting=f"{condition.waiting:,}") if condition and condition.waiting else ""
    )
    return Check(
        "search index", "ok", say("{counts} strings{waiting}", counts=f"{sum(counts.values()):,}", waiting=waiting)
    )


async def _embedder(embedder: Embedder) -> Check:
    started = time.perf_counter()
    mend = "Run “make setup” again; until then searches go by words alone."
    try:
        vectors = await embedder.embed(["checking that a sentence becomes a vector"])
    except EmbeddingUnavailable as error:
        return Check("embedder", "fail", error.message, mend)
    if [len(vector) for vector in vectors] != [embedder.dimension]:
        return Check("embedder", "fail", "gives vectors of a wrong size", mend)
    return Check(
        "embedder",
        "ok",
        say(
            "{fingerprint}, {started} s",
            fingerprint=str(embedder.fingerprint.partition(":")[0]),
            started=f"{time.perf_counter() - started:.1f}",
        ),
    )


def _clock(settings: Settings) -> Check:
    if settings.now is not None:
        mend = "Unset MONEY_MINDER_NOW to answer as of today."
        return Check("clock", "warn", say("stands still at {now}", now=settings.now.isoformat()), mend)
    try:
        ZoneInfo("Europe/Berlin")
    except (LookupError, OSError, ValueError):
        return Check("clock", "fail", "the machine knows no time zones", "Install the system's tzdata package.")
    now = datetime.now(UTC).astimezone()
    if now.year < _BUILT_IN:
        return Check("clock", "fail", say("shows {now}", now=f"{now:%Y-%m-%d}"), "Set the machine's clock.")
    return Check("clock", "ok", say("{now}, zone {tzname}", now=f"{now:%Y-%m-%d %H:%M}", tzname=str(now.tzname())))


def _tracing(settings: Settings, environment: Mapping[str, str]) -> Check:
    on = [name for name in _TRACING if environment.get(name, "").strip().casefold() in _ON]
    if on:
        mend = say("Unset {on}: traces with questions and figures would leave this machine.", on=", ".join(on))
        return Check("tracing", "warn", "LangSmith tracing is switched on", mend)
    if settings.traces_url is not None:
        return Check("tracing", "ok", say("of times alone, to {traces_url}", traces_url=shown(settings.traces_url)))
    return Check("tracing", "ok", "off; nothing is sent anywhere")
