"""Focus modes: one at a time, for one conversation, until it is left."""

from __future__ import annotations

from language.catalogue import say
from tools.context import ToolContext
from tools.focus import FOCUS_MODES
from tools.registry import tool
from tools.results import Result
from tools.slots import LeftMode, Mode

_ON_ALREADY = "The {mode} is on already: until you say “stop the focus”, {holds}."
_ON = "The {mode} is on: until you say “stop the focus”, {holds}."
_ON_INSTEAD = "The {mode} is on, instead of the {before}: until you say “stop the focus”, {holds}."


@tool(
    app="focus",
    name="focus-activate",
    examples=(
        "Start a subscription audit",
        "Start the month close",
        "Let's close the month",
        "Plain answers, please",
        "Switch to simple answers",
        "Audit my subscriptions",
        "Starte die Abo-Prüfung",
        "Starte den Monatsabschluss",
        "Einfache Antworten bitte",
    ),
    keywords=("focus", "focus mode", "subscription audit", "month close", "plain answers", "Fokus", "Monatsabschluss"),
)
async def activate(context: ToolContext, mode: Mode) -> Result:
    """Begin a focus mode for this conversation: it narrows the tools, sets what questions leave unsaid, or shortens answers.

    Args:
        mode: subscription_audit, month_close or plain_answers.
    """
    wanted, current = FOCUS_MODES[mode], FOCUS_MODES.get(context.focus or "")
    names = {"mode": say(wanted.title), "before": say(current.title if current else ""), "holds": say(wanted.holds)}
    if current is wanted:
        return Result(_ON_ALREADY, names=names)
    return Result(_ON_INSTEAD if current else _ON, names=names, focus=mode)


@tool(
    app="focus",
    name="focus-deactivate",
    examples=(
        "Stop the focus",
        "End the month close",
        "Leave the subscription audit",
        "No more plain answers",
        "Back to normal",
        "Fokus beenden",
        "Beende den Monatsabschluss",
        "Wieder normale Antworten",
    ),
    keywords=("focus", "stop", "leave", "end", "normal", "Fokus", "beenden"),
)
async def deactivate(context: ToolContext, mode: LeftMode | None = None) -> Result:
    """End the focus mode of this conversation, so that questions and answers are as usual again.

    Args:
        mode: Only if it is this one that is on.
    """
    current = FOCUS_MODES.get(context.focus or "")
    if current is None:
        return Result("No focus mode is on.")
    names = {"mode": say(current.title), "named": say(FOCUS_MODES[mode].title if mode else "")}
    if mode is not None and mode != current.name:
        return Result("The {named} is not on, but the {mode} is; “stop the focus” ends it.", names=names)
    return Result("The {mode} is over: questions and answers are as usual again.", names=names, focus="")
