"""What Slack says of the tokens, for ``doctor``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bots.bars import MOST_ROWS
from bots.desk.overview import Overview
from bots.errors import SendFailed, SendRefused
from bots.slack_app.blocks import render
from bots.slack_app.home import home_view
from bots.slack_app.modals import settings_view
from bots.slack_app.web import SlackRefused, SlackWeb, checked, patiently
from graph.reply import Action, Actions, Reply, Text
from ledger.money import Money
from tools.calls import Choice
from tools.results import Chart, Column, Fact, Table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator, Sequence

    from slack_sdk.web.async_slack_response import AsyncSlackResponse

    from bots.slack_app.platform import SlackConfig


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found: the workspace, the scopes that the app lacks there, and which setting Slack does not accept."""

    workspace: str = ""
    missing: tuple[str, ...] = ()
    refused: str = ""
    word: str = ""
    """Slack's own for why it does not."""
    reachable: bool = True
    unknown: str = ""
    """The first of the user groups let in whose members Slack does not tell."""
    samples: Verdict | None = None
    """What Slack says of the messages that it would be sent."""


async def inspect(config: SlackConfig) -> Inspection:
    """Ask Slack about the tokens; changes nothing there."""
    web = SlackWeb(config.bot_token, config.api_url)
    try:
        await web.open()
        return await _inspect(web, config)
    finally:
        await web.close()


async def _inspect(web: SlackWeb, config: SlackConfig) -> Inspection:
    asked, app_token, groups = "BOT_TOKEN", config.app_token, sorted(config.admission.groups)
    granted: set[str] = set()
    try:
        who = await checked(_remembering(web.client.auth_test(), granted))
        if app_token is not None:
            asked = "APP_TOKEN"
            await checked(web.client.apps_connections_open(app_token=app_token))
    except SendRefused as refused:
        return Inspection(refused=asked, word=getattr(refused, "code", ""))
    except SendFailed:
        return Inspection(reachable=False)
    needed = scopes() | ({GROUPS_SCOPE} if groups else set())
    missing = sorted(needed - granted) if granted else []
    unknown = "" if GROUPS_SCOPE in missing else await _unknown(web, groups)
    workspace = str(who.get("team") or who.get("team_id") or "")
    return Inspection(workspace, tuple(missing), unknown=unknown, samples=await verdict(web))


async def _unknown(web: SlackWeb, groups: Sequence[str]) -> str:
    """Return the first group whose members Slack does not tell, nothing where it tells all."""
    for group in groups:
        try:
            await checked(web.client.usergroups_users_list(usergroup=group))
        except (SendFailed, SendRefused):
            return group
    return ""


async def _remembering(call: Awaitable[AsyncSlackResponse], granted: set[str]) -> AsyncSlackResponse:
    """Await an answer, and keep the scopes that Slack names beside every one of them."""
    response = await call
    named = str(response.headers.get("x-oauth-scopes", ""))
    granted.update(scope for part in named.split(",") if (scope := part.strip()))
    return response


#: What it takes besides to know who is in a user group; the manifest does not ask for it, as few need it.
GROUPS_SCOPE: Final = "usergroups:read"
MANIFEST = Path(__file__).parents[2] / "deploy" / "slack-manifest.json"


@cache
def manifest() -> dict[str, Any]:
    """Return the manifest as it is given to Slack."""
    read: dict[str, Any] = json.loads(MANIFEST.read_text("utf-8"))
    return read


def scopes() -> frozenset[str]:
    """Return what the bot's token must be allowed to do."""
    return frozenset(manifest()["oauth_config"]["scopes"]["bot"])


#: What Slack answers where it has looked at something and does not take it.
_LOOKED_AT: Final = frozenset({"invalid_blocks", "invalid_message", "invalid_view"})
_MONTHS = tuple(f"Month {number}" for number in range(1, MOST_ROWS + 2))
_CHART = Chart(
    "Spending per month", _MONTHS, tuple(map(Decimal, range(1, len(_MONTHS) + 1))), "USD", "line",
    ticks=tuple((label, "2026") for label in _MONTHS),
)  # fmt: skip
_TABLE = Table((Column("Merchant"), Column("Amount", "money")), (("Costco", Money(27903, "USD")), ("Safeway", None)))
_ANSWER = Reply(
    "answer",
    "$279.03 on groceries in October 2026",
    (
        Text("$279.03 on groceries in October 2026", "headline"),
        Text("6 purchases, 1–31 Oct", "definition"),
        Text("· Costco $279.03\n· Safeway $112.75", "details"),
        _TABLE,
        _CHART,
        Actions((Action("Receipt", "receipt"), Action("Transactions", "transactions"), Action("Share", "share"))),
    ),
    facts=(Fact("f1", "groceries", Decimal("279.03"), "money", "USD"),),
    choices=(Choice("How much did I spend on groceries in September 2026?"),),
)
_YES_OR_NO = Actions((Action("Import", "confirm", "token"), Action("Cancel", "cancel", "token")))
_PROPOSAL = Reply("clarify", "17 new transactions in checking.csv", (_TABLE, _YES_OR_NO))
_HOME = Overview(is_empty=False, locale="en_US", this_month=_ANSWER, chart=_CHART)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many samples Slack was asked about, and the first that it does not take.

    ``word`` is Slack's own for why not, with the place in it where Slack says so; ``replaced`` whether a plainer form is sent
    then. ``unasked`` is its word where it does not look at samples at all.
    """

    asked: int = 0
    refused: str = ""
    word: str = ""
    replaced: bool = False
    unasked: str = ""


async def verdict(web: SlackWeb) -> Verdict:
    """Ask Slack about the samples; nothing is posted."""
    asked = 0
    for name, payload, replaced in _samples():
        try:
            await patiently(partial(_ask, web, payload))
        except SendFailed as error:
            return Verdict(unasked=getattr(error, "code", ""))
        except SlackRefused as error:
            if error.code not in _LOOKED_AT:
                return Verdict(unasked=error.code)
            return Verdict(asked, name, " ".join(filter(None, (error.code, error.place))), replaced)
        asked += 1
    return Verdict(asked)


async def _ask(web: SlackWeb, payload: dict[str, str]) -> None:
    """Ask in the body: the SDK's own method puts it into the address, where there is no room for a message."""
    await checked(web.client.api_call("blocks.validate", json=payload))


def _samples() -> Iterator[tuple[str, dict[str, str], bool]]:
    """Yield each sample with its name, and whether something plainer is sent where Slack refuses it; those last."""
    native = []
    for name, reply in (("an answer", _ANSWER), ("a proposal", _PROPOSAL)):
        for part in render(reply, about="0" * 24, thread="", shareable=True):
            yield name, _message(part.text, part.plainer), False
            if part.blocks != part.plainer:
                native.append((name, _message(part.text, part.blocks), True))
    for name, view in (("the Home", home_view(_HOME)), ("the form of the settings", settings_view({}, ""))):
        yield name, {"view": json.dumps(view)}, False
    yield from native


def _message(text: str, blocks: tuple[dict[str, Any], ...]) -> dict[str, str]:
    return {"message": json.dumps({"text": text, "blocks": blocks})}
