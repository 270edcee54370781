"""Settings: environment variables ``MONEY_MINDER_*``, and what a file that is named outright says in their place."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, SecretStr
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

#: Calendars and time zones are made for years near our own.
_FIRST_YEAR, _LAST_YEAR = 1970, 2200


def default_data_dir() -> Path:
    """Return the user's own directory for our data."""
    return user_data_path("money-minder")


def _server(url: str | None, *schemes: str) -> str | None:
    """Return the address of a server if it is one; raises ValueError, whose words never hold it: it may have a password."""
    if url is None:
        return None
    parts = urlsplit(url)
    if parts.scheme not in schemes or not parts.netloc:
        raise ValueError(f"it is not an address that begins with {' or '.join(f'{each}://' for each in schemes)}")
    try:
        _ = parts.port
    except ValueError:
        raise ValueError("its port is not a number from 0 to 65535") from None
    return url


def _web_server(url: str | None) -> str | None:
    return _server(url, "http", "https")


def _gateway(url: str | None) -> str | None:
    return _server(url, "ws", "wss")


def _database(url: str | None) -> str | None:
    return url if url is None or "://" not in url else _server(url, "postgresql", "postgresql+asyncpg")


def _moment(now: datetime | None) -> datetime | None:
    if now is not None and not _FIRST_YEAR <= now.year <= _LAST_YEAR:
        raise ValueError(f"its year is not between {_FIRST_YEAR} and {_LAST_YEAR}")
    return now


class Address(NamedTuple):
    """Where to listen: a host of this machine, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def _address(text: object) -> Address | None:
    if not text:  # an image sets it, and who starts that may empty it
        return None
    if isinstance(text, Address):
        return text
    host, _, port = str(text).rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) <= 65535:
        raise ValueError("it is not a host and a port, such as 127.0.0.1:8642")
    return Address(host.removeprefix("[").removesuffix("]"), int(port))


def _ids(form: str, what: str) -> BeforeValidator:
    """Return what reads ids with commas or blanks between; raises ValueError for what has not their form."""

    def read(given: object) -> object:
        if not isinstance(given, str):
            return given
        ids = frozenset(given.replace(",", " ").split())
        wrong = next((each for each in sorted(ids) if not re.fullmatch(form, each)), None)
        if wrong is not None:
            raise ValueError(f"“{wrong}” is not {what}")
        return ids

    return BeforeValidator(read)


_SLACK = "[A-Z0-9]{2,40}"
_DISCORD = Annotated[frozenset[str], NoDecode, _ids("[0-9]{5,20}", "an id of Discord, which is a number")]


WebServer = Annotated[str, AfterValidator(_web_server)]


class ToolSelectionSettings(BaseModel):
    """How tools are preselected for a model."""

    strategy: Literal["all", "keyword", "semantic", "model"] | None = None
    threshold: float = Field(default=0.05, ge=0, le=1)
    max_results: int = Field(default=10, ge=1, le=128)
    custom: str | None = Field(default=None, pattern=r"^[\w.]+:\w+$")
    """A selector of one's own, ``package.module:Name``, which is given the one that the strategy names."""


class OpenAISettings(BaseModel):
    """A server that speaks OpenAI's API, and its key, which a file may hold instead."""

    url: WebServer | None = None
    key: SecretStr | None = None
    key_file: Path | None = None


class SlackSettings(BaseModel):
    """Tokens of the Slack app; with an app token it connects by Socket Mode, else it serves HTTP at host and port.

    With the app's id and secret in place of a bot's token, workspaces install it by themselves, and their tokens are kept.
    """

    bot_token: SecretStr | None = None
    app_token: SecretStr | None = None
    signing_secret: SecretStr | None = None
    client_id: str | None = None
    client_secret: SecretStr | None = None
    public_url: WebServer | None = None
    key_file: Path | None = None
    key_command: str | None = None
    """What prints the key that a keyring holds, in place of a file."""
    api_url: WebServer = "https://slack.com/api/"
    host: str = "127.0.0.1"
    port: int = Field(default=3000, ge=0, le=65535)
    people: Annotated[frozenset[str], NoDecode, _ids(f"[UW]{_SLACK}", "a member's id, such as U012AB3CD")] = frozenset()
    """Who may use the bot, beside those in ``groups``; every member where neither is set."""
    groups: Annotated[frozenset[str], NoDecode, _ids(f"S{_SLACK}", "a user group's id, such as S012AB3CD")] = (
        frozenset()
    )
    channels: Annotated[frozenset[str], NoDecode, _ids(f"[CG]{_SLACK}", "a channel's id, such as C012AB3CD")] = (
        frozenset()
    )
    """Where it is used besides direct messages; everywhere where none is set."""
    administrators: Literal["none", "rules", "all"] = "rules"
    """What a workspace's administrators may do in chat: nothing, lay down its rules, or also export and delete all of it."""


class DiscordSettings(BaseModel):
    """Token of the Discord app, and whether follow-ups in threads are read without a mention, which is a privilege."""

    token: SecretStr | None = None
    api_url: WebServer | None = None
    gateway_url: Annotated[str | None, AfterValidator(_gateway)] = None
    thread_follow_ups: bool = False
    shard_count: int = Field(default=1, ge=1, le=10_000)
    shards: str | None = Field(default=None, pattern=r"^\d{1,4}(,\d{1,4})*$")
    """Which of these shards this process has; all of them where none is named."""
    people: _DISCORD = frozenset()
    """Who may use the bot, beside those who have one of the ``roles``; every member where neither is set."""
    roles: _DISCORD = frozenset()
    channels: _DISCORD = frozenset()
    """Where it is used besides direct messages; everywhere where none is set."""


class Settings(BaseSettings):
    """Everything that can be set from outside, with its default."""

    model_config = SettingsConfigDict(
        env_prefix="MONEY_MINDER_", env_nested_delimiter="__", extra="ignore", frozen=True
    )

    data_dir: Path = Field(default_factory=default_data_dir)
    database_url: Annotated[str | None, AfterValidator(_database)] = None
    qdrant_url: WebServer | None = None
    model: str = Field("auto", pattern=r"^(builtin|auto|(ollama|openai):\S+)$")
    routing: Literal["auto", "model", "builtin"] = "auto"
    ollama_url: WebServer = "http://127.0.0.1:11434"
    now: Annotated[datetime | None, AfterValidator(_moment)] = None
    environment: Literal["production", "development"] = "production"
    locale: str | None = None
    max_rounds: int = Field(10, ge=1, le=50)
    tool_choice: str = "auto"
    parallel_tool_calls: bool = True
    tool_timeout: float = Field(20.0, gt=0, le=600)
    writes: bool = True
    extra_tools: str | None = None
    """Files or modules with tools of one's own, separated by commas."""
    keep_conversations: int | None = Field(None, ge=1, le=36500)
    model_deadline: float = Field(20.0, gt=0, le=600)
    model_calls: int = Field(4, ge=1, le=256)
    model_wait: float = Field(1.0, ge=0, le=600)
    openai: OpenAISettings = OpenAISettings()
    narration: bool = True
    role: Literal["all", "ingress", "worker"] = "all"
    """What this process does: everything, or only take in, or only answer, beside others on one PostgreSQL."""
    status_address: Annotated[Address | None, NoDecode, BeforeValidator(_address)] = None
    metrics: bool = False
    traces_url: WebServer | None = None
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    tool_selection: ToolSelectionSettings = ToolSelectionSettings()
    slack: SlackSettings = SlackSettings()
    discord: DiscordSettings = DiscordSettings()

    @property
    def keep(self) -> timedelta | None:
        """How long conversations are kept, if not for good; a fixed clock, which may be years ahead, ends none."""
        days = None if self.now else self.keep_conversations
        return None if days is None else timedelta(days=days)

    @property
    def database(self) -> str | Path:
        """The PostgreSQL URL, or the SQLite file in the data directory."""
        return self.database_url or self.data_dir / "money.sqlite3"
