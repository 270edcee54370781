"""Filling a tool's parameters from the mentions of a reading."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from language import cues
from tools.slots.names import SidesSlot, argument_of, names_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from graph.planner.reading import Reading
    from ledger.periods import Period
    from tools.registry import Tool

#: Slots whose several mentions are one argument of several names.
_NAMES = frozenset({"category", "merchant", "account"})


#: Words that are meant as they stand ("with the word Lourdes", „Mila“).
_QUOTED = re.compile(rf"[“„»\"]([^“”„»«\"]+)[“”«\"]|{cues.QUOTED.pattern}")


def fill(tool: Tool, reading: Reading) -> dict[str, Any]:
    """Return the arguments that a reading gives a tool; what it doesn't say is left to the defaults."""
    arguments: dict[str, Any] = {}
    names_first = sorted(tool.slots.items(), key=lambda item: item[1].name == "period")
    for parameter, slot in names_first:
        mentions = reading.of(slot.name)
        if slot.name == "query":
            if query := searched_words(reading):
                arguments[parameter] = query
        elif not mentions:
            continue
        elif slot.name == "period":
            _fill_period(tool, parameter, [m.value for m in mentions], arguments)
        elif isinstance(slot, SidesSlot):
            arguments[parameter] = union(m.value if isinstance(m.value, str) else m.text for m in mentions)
        elif slot.name in _NAMES:
            arguments[parameter] = union(m.value for m in mentions)
        else:
            # "biggest expense category": the ranked thing is the category, "expense" says only what is ranked by
            telling = [m for m in mentions if m.value != "purchase"] or list(mentions)
            arguments[parameter] = telling[0].value
    _fill_exclusions(tool, reading, arguments)
    return arguments


def searched_words(reading: Reading) -> str:
    """Return the words to search for: quoted ones, those that nothing explains, else the names that were meant as words."""
    if said := quoted_words(reading.text):
        return said
    if reading.residue:
        return reading.residue_text
    return " ".join(m.text for m in reading.mentions if m.slot in ("category", "merchant") and not m.excluded)


def quoted_words(text: str) -> str:
    """Return the words of a text that are meant as they stand, if any are."""
    quoted = _QUOTED.search(text)
    return next(filter(None, quoted.groups())).strip() if quoted else ""


def union(values: Iterable[Any]) -> str | list[str]:
    """Return the names of several arguments as one, each once."""
    return argument_of(tuple(dict.fromkeys(name for value in values for name in names_of(value))))


def phrase_of(period: Period) -> str:
    """Return a period as a phrase that is read back as the same days, whenever that is."""
    days = f"{period.start.isoformat()} to {period.end.isoformat()}"
    if period.is_all_time:
        days = "all_time"
    elif period.start == type(period.start).min:
        days = f"until {period.end.isoformat()}"
    elif period.end == type(period.end).max:
        days = f"since {period.start.isoformat()}"
    if not period.weekdays:
        return days
    names = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
    kinds = {(5, 6): "weekends", (0, 1, 2, 3, 4): "weekdays"}
    weekdays = kinds.get(tuple(sorted(period.weekdays)), " and ".join(names[day] for day in period.weekdays))
    return weekdays if period.is_all_time else f"{weekdays} {days}"


def set_period(tool: Tool, period: Period, arguments: dict[str, Any]) -> None:
    """Put one period into whichever parameters the tool has for it."""
    for parameter, slot in tool.slots.items():
        if slot.name == "period":
            _fill_period(tool, parameter, [period], arguments)


def _fill_period(tool: Tool, parameter: str, periods: list[Period], arguments: dict[str, Any]) -> None:
    side = getattr(tool.slots[parameter], "side", "whole")
    if "periods" in tool.slots and (parameter == "periods") != (len(periods) > 1 or not _compares_names(arguments)):
        return
    first = periods[0]
    if parameter == "periods":
        arguments[parameter] = [phrase_of(period) for period in periods]
    elif side == "whole":
        arguments[parameter] = first.phrase.strip().lower().replace(" ", "_") if _is_named(first) else phrase_of(first)
    elif first.weekdays:
        if side == "start":
            arguments[parameter] = phrase_of(first)
    elif side == "start" and first.start != type(first.start).min:
        arguments[parameter] = first.start.isoformat()
    elif side == "end" and first.end != type(first.end).max:
        arguments[parameter] = first.end.isoformat()


def _compares_names(arguments: dict[str, Any]) -> bool:
    return any(len(names_of(arguments.get(key))) > 1 for key in ("category", "merchant"))


def _is_named(period: Period) -> bool:
    """Whether a period came from one of the phrases that the tool's description lists."""
    return period.phrase.strip().lower().replace("_", " ") in {"last week", "last month", "last 3 months", "all time"}


def _fill_exclusions(tool: Tool, reading: Reading, arguments: dict[str, Any]) -> None:
    properties = tool.parameters.get("properties", {})
    if (left_out := reading.left_out) and "exclude" in properties:
        arguments["exclude"] = left_out
    largest = [m for m in reading.of("measure", excluded=True) if m.value == "largest"]
    if largest and "exclude_largest" in properties:
        counts = reading.of("limit") or reading.of("limit", excluded=True)
        arguments["exclude_largest"] = counts[0].value if counts else 1
        arguments.pop("limit", None)
