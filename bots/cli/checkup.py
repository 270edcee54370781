"""The checks behind ``doctor``: each looks at one part, changes nothing, and says how to mend what is wrong."""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bots.app import discord_config, slack_config
from bots.cli.check import Check, Status
from bots.cli.configuration import PREFIX, shown, variables
from bots.cli.model_checks import model_checks
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

    from pydantic import SecretStr

    from bots.cli.configuration import Configuration
    from bots.settings import Settings
    from bots.slack_app.inspection import Inspection
    from bots.slack_app.platform import SlackConfig
    from ledger.embeddings import Embedder
    from ledger.index import SearchIndex
    from ledger.inspection import StoreCondition

_PYTHON = (3, 11)
_LITTLE_SPACE = 500 * 1024 * 1024
_NO_SPACE = 50 * 1024 * 1024
#: No clock that is right shows an earlier year.
_BUILT_IN = 2026
_TRACING = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2", "LANGCHAIN_TRACING")
_REBUILD = "Stop the bot and delete {}; it is built again on the next start."
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
_TOKENS = {
    "slack.bot_token": re.compile(r"xoxb-[\w-]{20,}"),
    "slack.app_token": re.compile(r"xapp-[\w-]{20,}"),
    "slack.signing_secret": re.compile(r"[0-9a-f]{32}"),
    "discord.token": re.compile(r"[\w-]{20,}\.[\w-]{5,}\.[\w-]{20,}"),
}


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
    yield await _slack(settings)
    yield await _discord(settings)
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
    found = f"{file} is read" if configuration.is_read else f"{file} is not there; the environment alone is read"
    if left is not None:
        mend = f"If it is yours, move it to {file}, or name it with --env-file."
        return Check("settings", "warn", f"{found}; {left} lies in the working folder and is not read", mend)
    if configuration.doubts:
        return Check("settings", "warn", f"{found}; {' '.join(configuration.doubts)}", "Correct or unset these names.")
    if configuration.is_read and stat.S_IMODE(file.stat().st_mode) & 0o077:
        return Check("settings", "warn", f"{found}; others may read the tokens in it", f"Run: chmod 600 {file}")
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
            found.append(f"{name} is {shown(value)} ({where})")
    return Check("code and servers", "ok", "; ".join(found) or "the usual ones alone")


def _directory(directory: Path) -> Check:
    name = "data directory"
    try:
        if not directory.exists():
            return Check(name, "ok", f"{directory} is not there yet; it is made on first use")
        if not directory.is_dir() or not os.access(directory, os.R_OK | os.W_OK | os.X_OK):
            mend = "Make it a directory of yours, or name another one in MONEY_MINDER_DATA_DIR."
            return Check(name, "fail", f"{directory} can't be written", mend)
        if stat.S_IMODE(directory.stat().st_mode) & 0o077:
            return Check(name, "warn", f"{directory} can be entered by others", f"Run: chmod 700 {directory}")
        free = shutil.disk_usage(directory).free
    except OSError as error:
        mend = "Name a directory that you can read in MONEY_MINDER_DATA_DIR."
        return Check(name, "fail", f"{directory} can't be read ({type(error).__name__})", mend)
    status: Status = "ok" if free >= _LITTLE_SPACE else "warn" if free >= _NO_SPACE else "fail"
    found = f"{directory}, {free // 1024 // 1024:,} MB free"
    return Check(name, status, found, "" if status == "ok" else "Make room on this disk.")


async def _store(settings: Settings) -> tuple[StoreCondition | None, Check]:
    """Check the store; its condition goes on to the check of the index."""
    mend = (
        "Check MONEY_MINDER_DATABASE_URL and that the server runs."
        if settings.database_url
        else f"Put back a copy from {settings.data_dir / 'backups'}, or move {settings.database} away and import again."
    )
    try:
        condition = await inspect_store(settings.database)
    except StoreUnavailable as error:
        return None, Check("store", "fail", f"{error.message} ({type(error.__cause__).__name__})", mend)
    if condition is None:
        return None, Check("store", "ok", "not there yet; it is made on first use")
    if condition.damage:
        return None, Check("store", "fail", f"damaged: {condition.damage}", mend)
    swept = await _sweep(settings) if condition.unfinished else 0
    if condition.sums_astray:
        await _recount(settings)
        found = f"{condition.dialect}, {condition.transactions:,} transactions; the kept sums were wrong and are counted again"
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
        return Check("store", "ok", f"{condition.dialect}, empty; it is set up on first use")
    if condition.revision > schema.REVISION:
        found = f"written by a newer version (revision {condition.revision})"
        return Check("store", "fail", found, "Update Money Minder.")
    if condition.revision != schema.REVISION:
        found = f"revision {condition.revision}, to be brought to {schema.REVISION} on the next start"
        return Check("store", "ok", found)
    found = f"{condition.dialect}, whole, {condition.transactions:,} transactions"
    return Check("store", "ok", f"{found}; an import that broke off was taken out" if swept else found)


async def _index(settings: Settings, embedder: Embedder, condition: StoreCondition | None) -> Check:
    name, directory = "search index", settings.data_dir / "index"
    if settings.qdrant_url is None and not directory.exists():
        return Check(name, "ok", "not there yet; it is built on first use")
    try:
        index = await open_index(directory, embedder, settings.qdrant_url)
    except IndexUnavailable as error:
        if settings.qdrant_url is not None:
            return Check(name, "warn", error.message, "Start the Qdrant server, or unset MONEY_MINDER_QDRANT_URL.")
        return Check(name, "ok", f"{error.message} That is a running bot; this command then searches by words.")
    try:
        return await _compare(index, condition, directory)
    except LedgerError as error:
        return Check(name, "warn", error.message, _REBUILD.format(directory))
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
            "search index", "warn", f"differs from the store by {missing:,} strings", _REBUILD.format(directory)
        )
    waiting = f", {condition.waiting:,} more are waiting" if condition and condition.waiting else ""
    return Check("search index", "ok", f"{sum(counts.values()):,} strings{waiting}")


async def _embedder(embedder: Embedder) -> Check:
    started = time.perf_counter()
    mend = "Run “make setup” again; until then searches go by words alone."
    try:
        vectors = await embedder.embed(["checking that a sentence becomes a vector"])
    except EmbeddingUnavailable as error:
        return Check("embedder", "fail", error.message, mend)
    if [len(vector) for vector in vectors] != [embedder.dimension]:
        return Check("embedder", "fail", "gives vectors of a wrong size", mend)
    return Check("embedder", "ok", f"{embedder.fingerprint.partition(':')[0]}, {time.perf_counter() - started:.1f} s")


async def _slack(settings: Settings) -> Check:
    """Check the form of the tokens, then ask Slack about them."""
    slack = settings.slack
    tokens = {
        "slack.bot_token": slack.bot_token,
        "slack.app_token": slack.app_token,
        "slack.signing_secret": slack.signing_secret,
    }
    check = _token("slack", "Slack", tokens)
    if check.status == "fail" or not (slack.client_id or any(tokens.values())):
        return check
    config = slack_config(settings.slack)
    if config is None:
        return Check("slack", "fail", "MONEY_MINDER_SLACK__BOT_TOKEN is not set", "Copy the bot's token from Slack.")
    if config.client_id:
        if not (config.client_secret and config.signing_secret):
            mend = "Set MONEY_MINDER_SLACK__CLIENT_SECRET and MONEY_MINDER_SLACK__SIGNING_SECRET as well."
            return Check("slack", "fail", "the app's id is set, and its secrets are not", mend)
        return Check("slack", "ok", f"workspaces install the app; HTTP at {config.host}:{config.port}")
    if not (config.app_token or config.signing_secret):
        mend = "Set MONEY_MINDER_SLACK__APP_TOKEN for socket mode, or MONEY_MINDER_SLACK__SIGNING_SECRET for HTTP."
        return Check("slack", "warn", "the bot token is set, but no way to receive events", mend)
    from bots.slack_app.inspection import inspect

    return _seen(await inspect(config), config)


def _seen(seen: Inspection, config: SlackConfig) -> Check:
    """Say what Slack thinks of the tokens."""
    if not seen.reachable:
        return Check("slack", "warn", f"{config.api_url} can't be reached", "Look at this machine's network.")
    if seen.refused:
        name = f"MONEY_MINDER_SLACK__{seen.refused}"
        return Check("slack", "fail", f"Slack does not accept {name} ({seen.word})", "Copy it again from Slack.")
    if seen.missing:
        found = f"the app lacks {', '.join(seen.missing)}"
        return Check("slack", "fail", found, _mend_scopes(seen.missing))
    if seen.unknown:
        found = f"Slack does not tell who is in the user group {seen.unknown}, so nobody is let in by it"
        return Check("slack", "fail", found, "Correct MONEY_MINDER_SLACK__GROUPS.")
    way = "socket mode" if config.app_token else f"HTTP at {config.host}:{config.port}"
    allowed = config.admission.described("the members of the workspace")
    return Check("slack", "ok", f"installed in {seen.workspace}; {way}; {allowed}")


def _mend_scopes(missing: tuple[str, ...]) -> str:
    """Say how the app gets the scopes that it lacks."""
    from bots.slack_app.manifest import GROUPS_SCOPE

    by_hand = f"add {GROUPS_SCOPE} under OAuth & Permissions, which MONEY_MINDER_SLACK__GROUPS needs"
    if missing == (GROUPS_SCOPE,):
        return f"{by_hand[0].upper()}{by_hand[1:]}, and install it again."
    further = f", {by_hand}" if GROUPS_SCOPE in missing else ""
    return f"Give it deploy/slack-manifest.json{further}, and install it again."


async def _discord(settings: Settings) -> Check:
    """Check the form of the token, then ask Discord about it."""
    check = _token("discord", "Discord", {"discord.token": settings.discord.token})
    config = discord_config(settings.discord)
    if check.status == "fail" or config is None:
        return check
    from bots.discord_app.registration import inspect, invite_links

    seen = await inspect(config)
    if not seen.reachable:
        return Check("discord", "warn", "Discord can't be reached", "Look at this machine's network.")
    if seen.refused:
        mend = "Copy it again from Discord."
        found = "Discord does not accept MONEY_MINDER_DISCORD__TOKEN (401: Unauthorized)"
        return Check("discord", "fail", found, mend)
    links = invite_links(seen.application)
    found = f"{seen.name}; invite it to a server: {links['server']} or to yourself: {links['person']}"
    found += f"; {config.admission.described('the members of its servers')}"
    if not seen.commands_current:
        return Check("discord", "warn", f"{found}; its commands are not registered", "Run: money-minder discord sync")
    return Check("discord", "ok", found)


def _token(name: str, title: str, tokens: Mapping[str, SecretStr | None]) -> Check:
    """Check the form of what is set; no part of a token is ever shown."""
    given = {key: token.get_secret_value().strip() for key, token in tokens.items() if token}
    if not given:
        return Check(name, "ok", f"no token is set, so {title} is not used")
    wrong = [key for key, token in given.items() if not _TOKENS[key].fullmatch(token)]
    if wrong:
        variables = ", ".join(f"MONEY_MINDER_{key.upper().replace('.', '__')}" for key in wrong)
        return Check(name, "fail", f"{variables} has not the form of such a token", f"Copy it again from {title}.")
    return Check(name, "ok", f"the token of {title} has the form of one")


def _clock(settings: Settings) -> Check:
    if settings.now is not None:
        mend = "Unset MONEY_MINDER_NOW to answer as of today."
        return Check("clock", "warn", f"stands still at {settings.now.isoformat()}", mend)
    try:
        ZoneInfo("Europe/Berlin")
    except (LookupError, OSError, ValueError):
        return Check("clock", "fail", "the machine knows no time zones", "Install the system's tzdata package.")
    now = datetime.now(UTC).astimezone()
    if now.year < _BUILT_IN:
        return Check("clock", "fail", f"shows {now:%Y-%m-%d}", "Set the machine's clock.")
    return Check("clock", "ok", f"{now:%Y-%m-%d %H:%M}, zone {now.tzname()}")


def _tracing(settings: Settings, environment: Mapping[str, str]) -> Check:
    on = [name for name in _TRACING if environment.get(name, "").strip().casefold() in _ON]
    if on:
        mend = f"Unset {', '.join(on)}: traces with questions and figures would leave this machine."
        return Check("tracing", "warn", "LangSmith tracing is switched on", mend)
    if settings.traces_url is not None:
        return Check("tracing", "ok", f"of times alone, to {shown(settings.traces_url)}")
    return Check("tracing", "ok", "off; nothing is sent anywhere")
