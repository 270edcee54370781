"""Follow-ups: a question that edits the one before it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from graph.planner.filling import phrase_of, set_period, union
from graph.planner.vocabulary import (
    ADDERS,
    AMOUNT_WORDS,
    COMPARISONS,
    EDITS,
    GLUE,
    LISTERS,
    NARROWERS,
    OPENERS,
    POINTERS,
    WIDENERS,
)
from ledger.errors import UnknownPeriod
from ledger.periods import Period, find_periods, previous_period, year_before
from tools.calls import Call
from tools.slots.names import names_of
from tools.slots.period import period_of, read_period

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.reading import Reading
    from graph.turn import PastTurn
    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.results import Scope

#: Arguments that say what a question is about, whichever tool answers it.
SHARED = ("category", "merchant", "account", "over", "under", "exclude", "exclude_largest", "kind")
_TOTALS = ("spending-analyze_merchant", "spending-analyze_by_category", "spending-get_spending_summary")
#: First words of whole questions; "how/what about", "how does that compare" point back by other words.
_ASKING = frozenset("which when where who did do is are welche welcher wann wo wer habe".split())
_FRAGMENT_SLOTS = frozenset({"period", "category", "merchant", "account", "per", "over", "under", "by"})
_LONGEST_EDIT = 12
_SHORT = 4


@dataclass(frozen=True, slots=True)
class Before:
    """The question that a follow-up edits: its tool, its shared arguments and its period."""

    tool: str
    shared: dict[str, Any]
    period: Period | None
    arguments: dict[str, Any]


def before(scope: Scope, context: ToolContext) -> Before:
    """Return a scope in the form in which it is edited."""
    arguments = scope.arguments
    shared = {name: arguments[name] for name in SHARED if arguments.get(name)}
    return Before(scope.tool, shared, _period(arguments, context), dict(arguments))


def is_follow_up(reading: Reading, past: Sequence[PastTurn]) -> bool:
    """Whether a text edits the last question rather than asking a new one.

    It does if it is a fragment (only names and dates), opens like a change ("and …", "without …"), or points back ("that",
    "them") without a subject of its own. A whole question never does, whatever was asked before.
    """
    if not any(turn.scope for turn in past) or not reading.words or reading.residue:
        return False
    keys = [word.key for word in reading.words]
    outside = [word.key for word in reading.words if not _in_mention(word.start, reading)]
    if _full_question(keys):
        return False
    if keys[0] in EDITS:
        return True
    opened = any(tuple(keys[: len(o)]) == o for o in OPENERS) and len(keys) <= _LONGEST_EDIT
    points = any(key in POINTERS for key in outside) and not _own_subject(reading) and len(keys) <= _LONGEST_EDIT
    asks_anew = keys[0] in _ASKING and not points
    widens = "widen" in _cues(reading)
    sums_up = any(key in AMOUNT_WORDS for key in keys) and len(keys) <= _SHORT and not reading.mentions
    if ((opened or points) and not asks_anew) or widens or sums_up:
        return True
    fragment = bool(reading.mentions) and all(key in GLUE | EDITS for key in outside)
    return (
        fragment and all(mention.slot in _FRAGMENT_SLOTS for mention in reading.mentions) and len(keys) <= _LONGEST_EDIT
    )


def edited(reading: Reading, past: Sequence[PastTurn], tools: Mapping[str, Tool], context: ToolContext) -> Call | None:
    """Return the last question's call with the follow-up's changes, or None where nothing can be changed."""
    scope = next(turn.scope for turn in reversed(past) if turn.scope)
    base = before(scope, context)
    shared = _edit_shared(base.shared, reading)
    period = _edit_period(base, reading, context)
    extra = _named_tool(reading, base, tools)
    name = extra.name if extra else _tool_for(base, shared, reading)
    tool = tools.get(name)
    if tool is None:
        return None
    arguments = _carried(tool, base, shared, reading)
    if tool.name == "spending-compare":
        return _comparison(tool, arguments, base, reading, context)
    if period is not None:
        set_period(tool, period, arguments)
    elif "period" in tool.parameters.get("required", ()) or "period" in tool.slots:
        arguments["period"] = "all_time"
    if any(parameter not in arguments for parameter in tool.required):
        return None
    return Call(tool.name, arguments)


def _carried(tool: Tool, base: Before, shared: Mapping[str, Any], reading: Reading) -> dict[str, Any]:
    """Return the edited question's arguments, its own choices (measure, per, limit …) kept where none is named anew."""
    arguments = {k: v for k, v in shared.items() if k in tool.parameters.get("properties", {})}
    kept = base.arguments if tool.name == base.tool else {}
    for parameter, slot in tool.slots.items():
        if slot.name not in ("measure", "by", "per", "limit", "sort", "query", "operation"):
            continue
        mentions = reading.of(slot.name)
        if mentions:
            arguments[parameter] = mentions[0].value
        elif parameter in kept:
            arguments[parameter] = kept[parameter]
    grouped = any(mention.value == "category" for mention in reading.of("by")) or bool(kept.get("group_by_category"))
    if grouped and "group_by_category" in tool.parameters.get("properties", {}):
        arguments["group_by_category"] = True
    return arguments


def last_figures(past: Sequence[PastTurn]) -> list[str]:
    """Return references to the main figures of the last two answers, the older first."""
    answered = [
        number
        for number, turn in enumerate(reversed(past), start=1)
        if turn.kind == "answer" and turn.facts and turn.facts[0].value not in (0, Decimal(0))
    ]
    return [_figure_of(past[-number], number) for number in reversed(answered[:2])]


def _figure_of(turn: PastTurn, number: int) -> str:
    """Return the reference to a turn's figure: the total behind an average per week, else its first fact."""
    averaged = turn.facts[0].id == "per_interval" and any(fact.id == "total" for fact in turn.facts)
    return f"{{p{number}.total}}" if averaged else f"{{p{number}}}"


def _edit_shared(shared: Mapping[str, Any], reading: Reading) -> dict[str, Any]:
    """Replace, add, narrow, exclude or drop what the question was about."""
    edited_ = dict(shared)
    cues = _cues(reading)
    if "widen" in cues:
        for name in ("category", "merchant", "account", "kind"):
            edited_.pop(name, None)
    named = [slot for slot in ("category", "merchant") if reading.of(slot)]
    if named and not {"add", "narrow"} & cues:
        edited_.pop("category", None)
        edited_.pop("merchant", None)
        edited_.pop("kind", None)
    for slot in ("category", "merchant", "account"):
        mentions = reading.of(slot)
        if mentions:
            old = [edited_[slot]] if "add" in cues and slot in edited_ else []
            edited_[slot] = union([*old, *(mention.value for mention in mentions)])
    for slot in ("over", "under", "kind"):
        telling = [mention for mention in reading.of(slot) if mention.value != "purchase"]
        if telling:
            edited_[slot] = telling[0].value
    return _take_out(edited_, reading)


def _take_out(shared: dict[str, Any], reading: Reading) -> dict[str, Any]:
    """Remove excluded names from the question where it has them, else leave them out of its rows."""
    for slot in ("category", "merchant"):
        for mention in reading.of(slot, excluded=True):
            gone = set(names_of(mention.value))
            current = names_of(shared.get(slot))
            left = [name for name in current if name not in gone]
            if current and left and len(left) < len(current):
                shared[slot] = union(left)
            elif current and not left:
                shared.pop(slot)
            else:
                shared["exclude"] = list(names_of(union([shared.get("exclude"), mention.value])))
    if any(mention.value == "largest" for mention in reading.of("measure", excluded=True)):
        counts = [*reading.of("limit"), *reading.of("limit", excluded=True)]
        shared["exclude_largest"] = int(shared.get("exclude_largest", 0)) + (counts[0].value if counts else 1)
    return shared


def _edit_period(base: Before, reading: Reading, context: ToolContext) -> Period | None:
    """Return the period that the follow-up names, read with the old one as its anchor, else the old one."""
    if not reading.of("period"):
        return base.period
    if base.period is None:
        value = reading.of("period")[0].value
        return value if isinstance(value, Period) else None
    found = find_periods(reading.text, context.today, context.week_start, base.period)
    return found[0].period if found else base.period


def _named_tool(reading: Reading, base: Before, tools: Mapping[str, Tool]) -> Tool | None:
    """Return the tool that a follow-up asks for by its own words: comparing, an extreme, or the rows themselves."""
    if reading.has(COMPARISONS) and "spending-compare" in tools:
        return tools["spending-compare"]
    if reading.of("measure") and "spending-extremes" in tools and base.tool != "transactions-search_transactions":
        return tools["spending-extremes"]
    keys = [word.key for word in reading.words]
    lists = len(keys) <= 7 and any(key in LISTERS for key in keys)
    asks_rows = any(
        key in {"list", "show", "which", "transactions", "zeig", "zeige", "welche", "buchungen"} for key in keys
    )
    if lists and asks_rows and not reading.of("category") and "transactions-list" in tools:
        return tools["transactions-list"]
    return None


def _tool_for(base: Before, shared: Mapping[str, Any], reading: Reading) -> str:
    """Return the tool that answers the edited question: the same, unless a total now has another subject."""
    if base.tool == "transactions-search_transactions" and (reading.of("category") or reading.of("merchant")):
        return _TOTALS[0] if "merchant" in shared else _TOTALS[1]
    asks_amount = any(word.key in AMOUNT_WORDS for word in reading.words) and not reading.of("measure")
    if base.tool not in _TOTALS and not asks_amount:
        return base.tool
    if "kind" in shared:
        return "transactions-list"
    if "merchant" in shared and "category" in shared:
        return base.tool if base.tool in _TOTALS[:2] else _TOTALS[0]
    if "merchant" in shared:
        return _TOTALS[0]
    return _TOTALS[1] if "category" in shared else _TOTALS[2]


def _comparison(
    tool: Tool, arguments: dict[str, Any], base: Before, reading: Reading, context: ToolContext
) -> Call | None:
    """Compare the question's period with another one, or its subject with another subject."""
    named = [slot for slot in ("category", "merchant") if reading.of(slot)]
    sides = max(len(names_of(arguments.get(slot))) for slot in ("category", "merchant"))
    if named or (sides > 1 and base.tool == tool.name and not reading.has(COMPARISONS)):
        for slot in named:
            arguments[slot] = union([base.shared.get(slot), arguments[slot]])
        period = _edit_period(base, reading, context)
        if period is not None:
            set_period(tool, period, arguments)
        return Call(tool.name, arguments)
    current = base.period or read_period("this month", context)
    found = find_periods(reading.text, context.today, context.week_start, current)
    others = [mention.period for mention in found] or [previous_period(current)]
    # "last October" asked about October itself means the one a year before
    others = [
        year_before(other) if (other.start, other.end) == (current.start, current.end) else other for other in others
    ]
    arguments["periods"] = [phrase_of(period) for period in (current, *others)]
    return Call(tool.name, arguments)


def _cues(reading: Reading) -> set[str]:
    keys = [word.key for word in reading.words]
    found = set()
    if any(key in ADDERS for key in keys) and not _full_question(keys):
        found |= {"add"}
    if any(key in NARROWERS for key in keys[:3]):
        found |= {"narrow"}
    if (
        any(tuple(keys[i : i + len(phrase)]) == phrase for phrase in WIDENERS for i in range(len(keys)))
        and len(keys) <= 7
    ):
        found |= {"widen"}
    return found


def _full_question(keys: Sequence[str]) -> bool:
    """Whether the words ask a whole question ("how much did I spend …") rather than half of one."""
    while keys and keys[0] in {"and", "also", "so", "ok", "okay", "now", "then", "und", "dann"}:
        keys = keys[1:]
    starts = ("how much", "how many", "how often", "what did", "what was", "what were", "what is", "whats", "which", "when",
              "show", "give", "list", "find", "compare", "wie viel", "wie oft", "was habe", "zeig", "vergleiche")  # fmt: skip
    verbs = {"spend", "spent", "pay", "paid", "cost", "buy", "bought", "earn", "earned", "save", "saved", "go", "ausgegeben",
             "bezahlt", "gekauft", "gekostet", "verdient", "gespart", "spending", "purchase", "purchases", "transactions",
             "expenses", "summary", "overview", "ausgaben", "buchungen"}  # fmt: skip
    return " ".join(keys).startswith(starts) and any(key in verbs for key in keys) and not set(keys) & _BACKWARDS


#: Pointers that make even a whole question one about the last answer ("how much is that per week?").
_BACKWARDS = frozenset("that those them these davon dort".split())


def _own_subject(reading: Reading) -> bool:
    return bool(reading.of("category") or reading.of("merchant"))


def _in_mention(start: int, reading: Reading) -> bool:
    return any(mention.start <= start < mention.end for mention in reading.mentions)


def _period(arguments: Mapping[str, Any], context: ToolContext) -> Period | None:
    """Return the period of a scope's arguments, or None for all time."""
    phrase = arguments.get("period")
    periods = arguments.get("periods")
    try:
        if periods:
            return read_period(str(periods[0]), context)
        if phrase:
            found = read_period(str(phrase), context)
        else:
            found = period_of(arguments.get("start_date"), arguments.get("end_date"), context)
    except UnknownPeriod:
        return None
    return None if found.is_all_time and not found.weekdays else found
