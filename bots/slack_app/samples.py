"""Samples of what is shown on Slack, and what ``blocks.validate`` says of them before anybody sees any.

https://docs.slack.dev/reference/methods/blocks.validate
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bots.bars import MOST_ROWS
from bots.desk.overview import Overview
from bots.errors import SendFailed
from bots.slack_app.blocks import render
from bots.slack_app.home import home_view
from bots.slack_app.modals import settings_view
from bots.slack_app.web import SlackRefused, checked, patiently
from graph.reply import Action, Actions, Reply, Text
from ledger.money import Money
from tools.calls import Choice
from tools.results import Chart, Column, Fact, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bots.slack_app.web import SlackWeb

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
