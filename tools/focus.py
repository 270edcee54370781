"""Focus modes: what a conversation is about until the person leaves it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tools.registry import Tool

#: Apps that stay in every mode: the way out, and what is the person's own: settings, notes, where merchants belong.
ALWAYS = ("focus", "settings", "memories", "categories", "ledger")


@dataclass(frozen=True, slots=True)
class Focus:
    """One mode: its apps (none for all), what a question means that leaves it unsaid, and how answers sound.

    ``defaults`` are phrases by parameter, read like the person's own. ``holds`` says to the person, and ``instructions``
    to a model, what is different while it is on.
    """

    name: str
    title: str
    holds: str
    apps: tuple[str, ...] = ()
    defaults: Mapping[str, str] = field(default_factory=dict)
    tone: Literal["full", "plain"] = "full"
    instructions: str = ""


FOCUS_MODES: Mapping[str, Focus] = {
    mode.name: mode
    for mode in (
        Focus(
            "subscription_audit",
            "subscription audit",
            "a question that names no category is about subscriptions, one that names no period about the past 12 months, "
            "and income is left aside",
            ("spending", "transactions", "figures"),
            {"category": "subscriptions", "period": "past 12 months"},
            instructions="The person is going through their subscriptions. A question that names no category is about "
            "subscriptions; one that names no period is about the past 12 months.",
        ),
        Focus(
            "month_close",
            "month close",
            "a question that names no period is about last month",
            ("spending", "transactions", "income", "figures"),
            {"period": "last_month"},
            instructions="The person is closing the month that has ended. A question that names no period is about last "
            "month.",
        ),
        Focus(
            "plain_answers",
            "plain-answer mode",
            "answers are the headline alone, without definition, details and tables",
            tone="plain",
            instructions="The person wants plain answers: the one figure that was asked for.",
        ),
    )
}


def in_focus(tools: Iterable[Tool], focus_name: str | None) -> list[Tool]:
    """Return the tools of a mode, and those that every mode has; an unknown mode or none leaves them all."""
    mode = FOCUS_MODES.get(focus_name or "")
    if mode is None or not mode.apps:
        return list(tools)
    return [tool for tool in tools if tool.app in mode.apps or tool.app in ALWAYS]
