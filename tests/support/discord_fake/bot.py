"""The unmodified bot as a process of its own beside our Discord; all else is as beside our Slack."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ledger.people import Person
from tests.support.slack.bot import BotProcess

if TYPE_CHECKING:
    from tests.support.discord_server import DiscordServer


class DiscordBot(BotProcess):
    """``money-minder run`` with a token of our Discord."""

    def __init__(self, discord: DiscordServer, data_dir: Path, settings: dict[str, str] | None = None) -> None:
        super().__init__(discord, data_dir, settings or {})  # type: ignore[arg-type]
        self.discord = discord

    def tokens(self) -> dict[str, str]:
        from tests.support.discord_server import TOKEN

        return {
            "MONEY_MINDER_DISCORD__API_URL": self.discord.api_url,
            "MONEY_MINDER_DISCORD__GATEWAY_URL": self.discord.gateway_url,
            "MONEY_MINDER_DISCORD__TOKEN": TOKEN,
        }

    def connections(self) -> int:
        return len(self.discord.gateway.identifies) + self.discord.gateway.resumes

    def person(self, user: str) -> Person:
        """A user of Discord has one ledger, named by their id, everywhere."""
        return Person("discord", "", user)
