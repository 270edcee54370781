"""Checking a call's arguments: coerced to the schema, then each slot held against the person's own data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from language.catalogue import say
from tools.arguments import coerce_arguments

if TYPE_CHECKING:
    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.slots.slot import Slot


@dataclass(frozen=True, slots=True)
class CheckedArguments:
    """Arguments that may be used, or why not: ``reason`` for whoever wrote them, ``message`` for the person."""

    arguments: dict[str, Any]
    changes: tuple[str, ...] = ()
    reason: str = ""
    message: str = ""
    choices: tuple[str, ...] = ()
    mended: tuple[dict[str, Any], ...] = ()
    """The arguments with each of the choices in place of what is not there."""


def check_arguments(tool: Tool, arguments: Any, context: ToolContext) -> CheckedArguments:
    """Coerce, validate and resolve arguments; never raises."""
    coerced = coerce_arguments(tool.parameters, arguments)
    if coerced.problems:
        reason = "; ".join(problem.reason for problem in coerced.problems)
        return CheckedArguments({}, coerced.changes, reason, "I could not make sense of that request.")
    return check_slots(tool, dict(coerced.arguments), list(coerced.changes), context)


def check_slots(tool: Tool, arguments: dict[str, Any], changes: list[str], context: ToolContext) -> CheckedArguments:
    """Resolve names, dates and amounts of coerced arguments against the person's ledger."""
    for parameter, slot in tool.slots.items():
        if parameter not in arguments:
            continue
        value = arguments[parameter]
        # a list of one-valued slots (the periods of a comparison) is judged item by item
        items = value if slot.name == "period" and isinstance(value, list) else [value]
        judged = [slot.check(item, context) for item in items]
        bad = next((each for each in judged if each.problem), None)
        if bad is not None:
            mended = tuple(arguments | {parameter: _mended(slot, value, each, context)} for each in bad.choices)
            return CheckedArguments({}, tuple(changes), f"{parameter}: {bad.problem}", bad.problem, bad.choices, mended)
        resolved = [each.value for each in judged] if isinstance(value, list) and items is value else judged[0].value
        if resolved is None:
            del arguments[parameter]
        elif resolved != value:
            arguments[parameter] = resolved
            changes.append(f"{parameter}: resolved against the ledger")
    missing = [name for name in tool.required if name not in arguments]
    if missing:
        told = say("That needs a {argument}.", argument=missing[0])
        return CheckedArguments({}, tuple(changes), f"{', '.join(missing)}: missing", told)
    return CheckedArguments(arguments, tuple(changes))


def _mended(slot: Slot, value: Any, choice: str, context: ToolContext) -> Any:
    """Return a parameter's value with a choice in place of what it names and the slot does not take."""
    if not isinstance(value, list):
        return choice
    return [choice if slot.check(each, context).problem else each for each in value]
