"""Settings: environment variables ``MONEY_MINDER_*``, also from a ``.env`` file."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Literal

from platformdirs import user_data_path
from pydantic import BaseModel, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class ToolSelectionSettings(BaseModel):
    """How tools are preselected for a model."""

    strategy: Literal["all", "keyword", "semantic", "model"] | None = None
    threshold: float = Field(default=0.3, ge=0, le=1)
    max_results: int = Field(default=10, ge=1, le=128)
    custom: str | None = Field(default=None, pattern=r"^[\w.]+:\w+$")
    """A selector of one's own, ``package.module:Name``, which is given the one that the strategy names."""


class SlackSettings(BaseModel):
    """Tokens of the Slack app; with an app token it connects by Socket Mode, else it serves HTTP at host and port."""

    bot_token: SecretStr | None = None
    app_token: SecretStr | None = None
    signing_secret: SecretStr | None = None
    api_url: str = "https://slack.com/api/"
    host: str = "127.0.0.1"
    port: int = Field(default=3000, ge=0, le=65535)


class DiscordSettings(BaseModel):
    """Token of the Discord app, and whether follow-ups in threads are read without a mention, which is a privilege."""

    token: SecretStr | None = None
    api_url: str | None = None
    gateway_url: str | None = None
    thread_follow_ups: bool = False


class Settings(BaseSettings):
    """Everything that can be set from outside, with its default."""

    model_config = SettingsConfigDict(
        env_prefix="MONEY_MINDER_", env_nested_delimiter="__", env_file=".env", extra="ignore", frozen=True
    )

    data_dir: Path = Field(default_factory=lambda: user_data_path("money-minder"))
    database_url: str | None = None
    qdrant_url: str | None = None
    model: str = Field("auto", pattern=r"^(builtin|auto|ollama:\S+)$")
    routing: Literal["auto", "model", "builtin"] = "auto"
    ollama_url: str = "http://127.0.0.1:11434"
    now: datetime | None = None
    environment: Literal["production", "development"] = "production"
    locale: str | None = None
    max_rounds: int = Field(10, ge=1, le=50)
    tool_choice: str = "auto"
    parallel_tool_calls: bool = True
    tool_timeout: float = Field(20.0, gt=0, le=600)
    writes: bool = True
    extra_tools: str | None = None
    """Files or modules with tools of one's own, separated by commas."""
    model_deadline: float = Field(45.0, gt=0, le=600)
    narration: bool = True
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    tool_selection: ToolSelectionSettings = ToolSelectionSettings()
    slack: SlackSettings = SlackSettings()
    discord: DiscordSettings = DiscordSettings()

    @property
    def database(self) -> str | Path:
        """The PostgreSQL URL, or the SQLite file in the data directory."""
        return self.database_url or self.data_dir / "money.sqlite3"
