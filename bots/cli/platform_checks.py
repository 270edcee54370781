"""The checks of the chat platforms behind ``doctor``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bots.app import discord_config, slack_config
from bots.cli.check import Check
from language.catalogue import say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from pydantic import SecretStr

    from bots.settings import Settings
    from bots.slack_app.inspection import Inspection, Verdict
    from bots.slack_app.platform import SlackConfig

_MANIFEST = "Give it deploy/slack-manifest.json, and install it again."
_ADD_SCOPE = "Add {scope} under OAuth & Permissions, which MONEY_MINDER_SLACK__GROUPS needs, and install it again."
_MANIFEST_AND_SCOPE = (
    "Give it deploy/slack-manifest.json, add {scope} under OAuth & Permissions, which MONEY_MINDER_SLACK__GROUPS needs, "
    "and install it again."
)
_TOKENS = {
    "slack.bot_token": re.compile(r"xoxb-[\w-]{20,}"),
    "slack.app_token": re.compile(r"xapp-[\w-]{20,}"),
    "slack.signing_secret": re.compile(r"[0-9a-f]{32}"),
    "discord.token": re.compile(r"[\w-]{20,}\.[\w-]{5,}\.[\w-]{20,}"),
}
_SAMPLES = "slack messages"


async def platform_checks(settings: Settings) -> AsyncIterator[Check]:
    """Check the tokens by their form, and ask the platforms about them."""
    async for check in _slack(settings):
        yield check
    yield await _discord(settings)


async def _slack(settings: Settings) -> AsyncIterator[Check]:
    """Check the form of the tokens, then ask Slack about them, and about what would be sent."""
    config = _asked(settings)
    if isinstance(config, Check):
        yield config
        return
    from bots.slack_app.inspection import inspect

    seen = await inspect(config)
    yield _seen(seen, config)
    if seen.samples is not None:
        yield _taken(seen.samples)


def _asked(settings: Settings) -> SlackConfig | Check:
    """Return how Slack is asked about its tokens, or what is to be said without asking it."""
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
        at = say("workspaces install the app; HTTP at {host}:{port}", host=str(config.host), port=str(config.port))
        return Check("slack", "ok", at)
    if not (config.app_token or config.signing_secret):
        mend = "Set MONEY_MINDER_SLACK__APP_TOKEN for socket mode, or MONEY_MINDER_SLACK__SIGNING_SECRET for HTTP."
        return Check("slack", "warn", "the bot token is set, but no way to receive events", mend)
    return config


def _taken(verdict: Verdict) -> Check:
    """Say which of the samples Slack would take."""
    if verdict.unasked:
        return Check(
            _SAMPLES, "ok", say("not checked: Slack's check is not available here ({word})", word=verdict.unasked)
        )
    if not verdict.refused:
        return Check(_SAMPLES, "ok", say("Slack takes all {number} samples", number=str(verdict.asked)))
    found = say("Slack refuses {what} ({word})", what=say(verdict.refused), word=verdict.word)
    if verdict.replaced:
        return Check(_SAMPLES, "warn", found, "It is sent in a plainer form there; a newer Money Minder may do better.")
    return Check(_SAMPLES, "fail", found, "Look for a newer Money Minder, and report it with these words.")


def _seen(seen: Inspection, config: SlackConfig) -> Check:
    """Say what Slack thinks of the tokens."""
    if not seen.reachable:
        return Check(
            "slack",
            "warn",
            say("{api_url} can't be reached", api_url=str(config.api_url)),
            "Look at this machine's network.",
        )
    if seen.refused:
        name = f"MONEY_MINDER_SLACK__{seen.refused}"
        return Check(
            "slack",
            "fail",
            say("Slack does not accept {name} ({word})", name=name, word=seen.word),
            "Copy it again from Slack.",
        )
    if seen.missing:
        found = say("the app lacks {missing}", missing=", ".join(seen.missing))
        return Check("slack", "fail", found, _mend_scopes(seen.missing))
    if seen.unknown:
        found = say(
            "Slack does not tell who is in the user group {group}, so nobody is let in by it", group=str(seen.unknown)
        )
        return Check("slack", "fail", found, "Correct MONEY_MINDER_SLACK__GROUPS.")
    way = (
        "socket mode"
        if config.app_token
        else say("HTTP at {host}:{port}", host=str(config.host), port=str(config.port))
    )
    allowed = config.admission.described("for the members of the workspace")
    found = say("installed in {workspace}; {way}; {allowed}", workspace=seen.workspace, way=say(way), allowed=allowed)
    return Check("slack", "ok", found)


def _mend_scopes(missing: tuple[str, ...]) -> str:
    """Say how the app gets the scopes that it lacks; the one that only groups of people need is added by hand."""
    from bots.slack_app.inspection import GROUPS_SCOPE

    if missing == (GROUPS_SCOPE,):
        return say(_ADD_SCOPE, scope=GROUPS_SCOPE)
    return say(_MANIFEST_AND_SCOPE, scope=GROUPS_SCOPE) if GROUPS_SCOPE in missing else _MANIFEST


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
    found = say(
        "{name}; invite it to a server: {server} or to yourself: {person}; {allowed}",
        name=seen.name,
        server=str(links["server"]),
        person=str(links["person"]),
        allowed=config.admission.described("for the members of its servers"),
    )
    if not seen.commands_current:
        return Check(
            "discord",
            "warn",
            say("{found}; its commands are not registered", found=found),
            "Run: money-minder discord sync",
        )
    return Check("discord", "ok", found)


def _token(name: str, title: str, tokens: Mapping[str, SecretStr | None]) -> Check:
    """Check the form of what is set; no part of a token is ever shown."""
    given = {key: token.get_secret_value().strip() for key, token in tokens.items() if token}
    if not given:
        return Check(name, "ok", say("no token is set, so {title} is not used", title=title))
    wrong = [key for key, token in given.items() if not _TOKENS[key].fullmatch(token)]
    if wrong:
        variables = ", ".join(f"MONEY_MINDER_{key.upper().replace('.', '__')}" for key in wrong)
        return Check(
            name,
            "fail",
            say("{variables} has not the form of such a token", variables=variables),
            say("Copy it again from {title}.", title=title),
        )
    return Check(name, "ok", say("the token of {title} has the form of one", title=title))
