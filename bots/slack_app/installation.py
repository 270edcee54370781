"""The workspace that this app is installed in, and the one place where its token is looked up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


@dataclass(frozen=True, slots=True)
class Installation:
    """What Slack says the bot's token stands for (``auth.test``): its workspace and its own ids there."""

    team: str
    bot_user: str
    bot_id: str
    token: str
    enterprise: str = ""
    """The organisation that the workspace belongs to, if any."""


def only(installation: Installation) -> Callable[[str, str], Awaitable[Installation | None]]:
    """Return the lookup of an app that has one workspace."""

    async def find(team: str, _enterprise: str) -> Installation | None:
        return installation if team == installation.team else None

    return find
