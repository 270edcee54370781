"""Telling Discord which commands there are, and telling people how the bot is invited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

import discord
import structlog

from bots.discord_app.client import Connection, DiscordConfig, TokenRefused
from bots.discord_app.commands import is_registered, payload
from bots.discord_app.web import DiscordFailed, DiscordRefused, DiscordWeb
from bots.errors import CommandError
from bots.sending import Patience

_log = structlog.get_logger(__name__)

#: What the bot does in a server: see that it is mentioned, put a sign under it, and share an answer with its chart.
PERMISSIONS: Final = discord.Permissions(
    view_channel=True,
    add_reactions=True,
    send_messages=True,
    send_messages_in_threads=True,
    attach_files=True,
    read_message_history=True,
)
_INVITE = "https://discord.com/oauth2/authorize"


@dataclass(frozen=True, slots=True)
class Inspection:
    """What Discord says of the token: the application's id and name, or why there is none."""

    application: str = ""
    name: str = ""
    refused: bool = False
    reachable: bool = True
    commands_current: bool = False


async def register(web: DiscordWeb, application: str, guild: str = "", *, force: bool = False) -> bool:
    """Register our commands where Discord has others; return whether it had.

    A guild may be told 200 times a day of a new command (30034), so nothing is sent that is there already.

    Raises:
        DiscordFailed: it may work later.
        DiscordRefused: it never will.
    """
    wanted = payload(guild=bool(guild))
    if not force and is_registered(wanted, await web.commands(application, guild)):
        return False
    await web.register(application, wanted, guild)
    _log.info("discord_commands_registered", guild=guild)
    return True


async def sync(config: DiscordConfig, guild: str = "", *, force: bool = False) -> bool:
    """Register our commands everywhere, or in one guild for development; return whether anything changed.

    Raises:
        CommandError: Discord does not take them, or can't be reached.
    """
    web = DiscordWeb()
    connection = Connection(config, web)
    try:
        us = await connection.log_in()
        return await register(web, us.application, guild, force=force)
    except DiscordRefused as error:
        raise CommandError(f"Discord does not take the commands ({error.code}).") from error
    except DiscordFailed as error:
        raise CommandError("Discord can't be reached; the log says more.") from error
    finally:
        await connection.close()


async def inspect(config: DiscordConfig) -> Inspection:
    """Ask Discord about the token; changes nothing there."""
    web = DiscordWeb()
    connection = Connection(config, web, patience=Patience(attempts=1))
    try:
        us = await connection.log_in()
        current = is_registered(payload(), await web.commands(us.application))
    except TokenRefused:
        return Inspection(refused=True)
    except (CommandError, DiscordFailed, DiscordRefused):
        return Inspection(reachable=False)
    finally:
        await connection.close()
    return Inspection(us.application, us.name, commands_current=current)


def invite_links(application: str) -> dict[str, str]:
    """Return the links that add the bot to a server, and the app to a person, who then has it everywhere."""
    server = {"client_id": application, "scope": "bot applications.commands", "permissions": str(PERMISSIONS.value)}
    person = {"client_id": application, "scope": "applications.commands", "integration_type": "1"}
    return {
        "server": f"{_INVITE}?{urlencode(server | {'integration_type': '0'})}",
        "person": f"{_INVITE}?{urlencode(person)}",
    }
