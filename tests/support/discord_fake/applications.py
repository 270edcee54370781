"""The application and its commands over REST."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.discord_fake.command_rules import check_command, check_commands
from tests.support.discord_fake.refusals import Problems, Refusal
from tests.support.discord_fake.routes import Ask, route
from tests.support.discord_fake.state import APP

if TYPE_CHECKING:
    from tests.support.discord_server import DiscordServer

_CREATES_A_DAY = 200


@route("GET", "/oauth2/applications/@me")
@route("GET", "/applications/@me")
async def get_application(server: DiscordServer, _: Ask) -> Any:
    return server.wire.application()


def scope_of(server: DiscordServer, ask: Ask) -> dict[str, dict[str, Any]]:
    """The commands that a route is about, by id."""
    if ask.params["app"] != APP:
        raise Refusal(20012)
    guild = ask.params.get("guild")
    if guild is not None:
        known = server.world.guilds.get(guild)
        if known is None or not (known.installed or known.bot):
            raise Refusal(50001)
    return server.commands.setdefault(guild, {})


def _make(server: DiscordServer, ask: Ask, given: dict[str, Any], old: dict[str, Any] | None) -> dict[str, Any]:
    """A command as it stands after a create, with Discord's defaults; unknown ones count towards the day's creates."""
    guild = ask.params.get("guild")
    if old is None:
        server.creates[guild] = server.creates.get(guild, 0) + 1
    number = old["id"] if old else server.world.new_id()
    made: dict[str, Any] = {
        "id": number,
        "application_id": APP,
        "version": server.world.new_id(),
        "default_member_permissions": given.get("default_member_permissions"),
        "type": given.get("type", 1),
        "name": given["name"],
        "name_localizations": given.get("name_localizations"),
        "description": given.get("description") or "",
        "description_localizations": given.get("description_localizations"),
        "dm_permission": given.get("dm_permission", True),
        "contexts": given.get("contexts") if guild is None else None,
        "integration_types": (given.get("integration_types") or [0]) if guild is None else None,
        "nsfw": bool(given.get("nsfw")),
    }
    if given.get("options"):
        made["options"] = given["options"]
    if guild is not None:
        made["guild_id"] = guild
    return made


def _key(command: dict[str, Any]) -> tuple[int, str]:
    return command.get("type", 1), command["name"]


def _spend(server: DiscordServer, ask: Ask, new: int) -> None:
    if server.creates.get(ask.params.get("guild"), 0) + new > _CREATES_A_DAY:
        raise Refusal(30034)


@route("PUT", "/applications/{app}/commands")
@route("PUT", "/applications/{app}/guilds/{guild}/commands")
async def overwrite(server: DiscordServer, ask: Ask) -> Any:
    scope = scope_of(server, ask)
    check_commands(ask.data)
    known = {_key(each): each for each in scope.values()}
    _spend(server, ask, sum(_key(each) not in known for each in ask.data))
    made = [_make(server, ask, each, known.get(_key(each))) for each in ask.data]
    scope.clear()
    scope.update({each["id"]: each for each in made})
    return made


@route("GET", "/applications/{app}/commands")
@route("GET", "/applications/{app}/guilds/{guild}/commands")
async def list_commands(server: DiscordServer, ask: Ask) -> Any:
    return list(scope_of(server, ask).values())


@route("POST", "/applications/{app}/commands")
@route("POST", "/applications/{app}/guilds/{guild}/commands")
async def create(server: DiscordServer, ask: Ask) -> Any:
    scope = scope_of(server, ask)
    problems = Problems()
    check_command(problems, (), ask.data)
    problems.raise_any()
    old = next((each for each in scope.values() if _key(each) == _key(ask.data)), None)
    check_commands([*(each for each in scope.values() if each is not old), ask.data])
    _spend(server, ask, int(old is None))
    made = _make(server, ask, ask.data, old)
    scope[made["id"]] = made
    return made


def _one(server: DiscordServer, ask: Ask) -> dict[str, Any]:
    command = scope_of(server, ask).get(ask.params["command"])
    if command is None:
        raise Refusal(10063)
    return command


@route("GET", "/applications/{app}/commands/{command}")
@route("GET", "/applications/{app}/guilds/{guild}/commands/{command}")
async def get_command(server: DiscordServer, ask: Ask) -> Any:
    return _one(server, ask)


@route("PATCH", "/applications/{app}/commands/{command}")
@route("PATCH", "/applications/{app}/guilds/{guild}/commands/{command}")
async def edit_command(server: DiscordServer, ask: Ask) -> Any:
    old = _one(server, ask)
    given = {**old, **ask.data}
    problems = Problems()
    check_command(problems, (), given)
    problems.raise_any()
    made = _make(server, ask, given, old)
    scope_of(server, ask)[made["id"]] = made
    return made


@route("DELETE", "/applications/{app}/commands/{command}")
@route("DELETE", "/applications/{app}/guilds/{guild}/commands/{command}")
async def delete_command(server: DiscordServer, ask: Ask) -> Any:
    del scope_of(server, ask)[_one(server, ask)["id"]]
