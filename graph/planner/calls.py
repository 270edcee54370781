"""Which tool answers which meaning: the calls that a meaning comes to, and the meaning of a call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from graph.planner.filling import phrase_of, set_period
from graph.planner.meaning import CONSTRAINTS, Meaning
from graph.planner.missed import MISSED
from ledger.errors import UnknownPeriod
from tools.calls import Call
from tools.slots.names import names_of
from tools.slots.period import period_of, read_period

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ledger.periods import Period
    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.results import Scope

CATEGORY, MERCHANT, SUMMARY = (
    "spending-analyze_by_category",
    "spending-analyze_merchant",
    "spending-get_spending_summary",
)
EXTREMES, COMPARE, CHANGES = "spending-extremes", "spending-compare", "spending-changes"
UNUSUAL, QUIET, DUPLICATES = "spending-find_unusual", "spending-quiet_days", "transactions-find_duplicates"
INCOME, INCOME_SHARE, STATUS, CALCULATE = "income-summary", "income-share", "ledger-status", "figures-calculate"
LIST, SEARCH = "transactions-list", "transactions-search_transactions"
MEASURE, INTERVALS, RANK = "transactions-measure", "transactions-per_interval", "transactions-rank"
CURRENT, RECURRING, UPCOMING = "recurring-current", "recurring-list", "recurring-upcoming"
REPRICED, BALANCE = "recurring-changes", "accounts-balance"
UNFILED = "categories-unsure"
#: The tools that meanings come to; every other one is found by its examples.
ANSWERING = frozenset(
    {CATEGORY, MERCHANT, SUMMARY, EXTREMES, COMPARE, CHANGES, UNUSUAL, QUIET, DUPLICATES, INCOME, INCOME_SHARE, STATUS, CALCULATE}
    | {LIST, SEARCH, MEASURE, INTERVALS, RANK, CURRENT, RECURRING, UPCOMING, REPRICED, BALANCE}
)  # fmt: skip
#: Those of them that only a meaning chooses, and no likeness to an example.
READ_ONLY = frozenset(
    {
        MEASURE,
        INTERVALS,
        RANK,
        CURRENT,
        RECURRING,
        UPCOMING,
        REPRICED,
        CHANGES,
        DUPLICATES,
        UNUSUAL,
        QUIET,
        INCOME_SHARE,
        BALANCE,
    }
)
Rounds = tuple[tuple[Call, ...], ...]

#: Which rows of a list are of which money, and back.
_KIND_OF = {
    "spending": "spending", "refunds": "refund", "fees": "fee", "interest": "interest", "interest_charged": "interest",
    "transfers": "transfer", "savings": "transfer", "savings_back": "transfer", "cash": "cash", "income": "income",
    "salary": "income", "card_payments": "card_payment", "loan_payments": "loan_payment",
}  # fmt: skip
_OF_KIND = {"refund": "refunds", "fee": "fees", "transfer": "transfers", "purchase": "spending", "card_payment": "card_payments",
            "loan_payment": "loan_payments"}  # fmt: skip
#: Grains that an average of spending is told by.
_AVERAGED = frozenset({"day", "week", "month", "year"})
#: Tools whose answer holds whatever time is named, as it is about the present or tells the time itself.
_TIMELESS = frozenset({CURRENT, RECURRING, UPCOMING, STATUS})
_ONE_ROW = {"largest": "largest", "smallest": "smallest", "last": "latest", "first": "first"}
#: The measures that are one transaction.
ONE_ROW = frozenset({*_ONE_ROW, "latest"})
#: What a measure that is named asks for.
ACT_OF_MEASURE = {
    "count": "count", "how_often": "frequency", "average": "average", "exists": "exists", "total": "total", "top": "rank",
    **dict.fromkeys(ONE_ROW, "extreme"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Making:
    """A meaning on its way to calls, with the tools that may be used."""

    meaning: Meaning
    tools: Mapping[str, Tool]

    def call(self, name: str, **more: Any) -> Call | None:
        """Return a call of a tool with all of the meaning's constraints; None where it has no place for one of them."""
        tool, meaning = self.tools.get(name), self.meaning
        if tool is None:
            return None
        takes = tool.parameters["properties"]
        if any(key not in takes for key in meaning.about):
            return None
        arguments = dict(meaning.about)
        if meaning.period is not None:
            set_period(tool, meaning.period, arguments)
            if name not in _TIMELESS and not takes.keys() & {"period", "start_date"} and meaning.is_bounded:
                return None
        given = {key: value for key, value in more.items() if value is not None}
        return Call(name, arguments | given) if given.keys() <= takes.keys() else None

    def but(self, **changes: Any) -> _Making:
        """Return the same for a meaning with changes."""
        return _Making(self.meaning.but(**changes), self.tools)


def rounds_of(meaning: Meaning, tools: Mapping[str, Tool]) -> Rounds | None:
    """Return the calls that answer a meaning, round by round; None where no tool takes the whole of it."""
    making = _Making(meaning, tools)
    if meaning.act == "share" and meaning.whole is not None:
        part, whole = _total(making), _total(_Making(meaning.whole, tools))
        return shared(part, whole) if part and whole and CALCULATE in tools else None
    if meaning.act == "days_between":
        return _days_between(making)
    if meaning.act == "owed":
        return _owed(making)
    if meaning.act == "above_average":
        return _above_average(making)
    call = _MAKING[meaning.act](making) if meaning.act in _MAKING else None
    return ((call,),) if call else None


def shared(part: Call | str, whole: Call | str) -> Rounds:
    """Return the share of one figure in another."""
    return computed("share", part, whole)


def computed(operation: str, *figures: Call | str) -> Rounds:
    """Return a figure made of others: each a call that is made first, or a reference to what was answered."""
    calls = tuple(each for each in figures if isinstance(each, Call))
    numbers = iter(range(1, len(calls) + 1))
    values = [f"{{{next(numbers)}.total}}" if isinstance(each, Call) else each for each in figures]
    call = Call(CALCULATE, {"operation": operation, "values": values})
    return (calls, (call,)) if calls else ((call,),)


def _days_between(making: _Making) -> Rounds | None:
    """Return the last two times of something, then the days between them; or the last one, and the days to one that is told.

    Of two things it is the days from the one to the other.
    """
    day, other = making.meaning.detail, making.meaning.whole
    calls = [making.call(MEASURE, of=making.meaning.of, what="latest", nth=nth) for nth in ((1,) if day else (2, 1))]
    if other is not None:
        both = (making, _Making(other, making.tools))
        calls = [each.call(MEASURE, of=each.meaning.of, what=each.meaning.end) for each in both]
    if CALCULATE not in making.tools or not all(calls):
        return None
    values = ["{1.date}", day or "{2.date}"]
    return (tuple(filter(None, calls)), (Call(CALCULATE, {"operation": "days", "values": values}),))


def _owed(making: _Making) -> Rounds | None:
    """Return the day of what was first paid to somebody, all that was, then what has come from them since that day."""
    period = making.meaning.period
    lent = [making.call(MEASURE, of="spending", what=what) for what in ("first", "total")]
    since = (replace(period, start=date.min, end=date.max, phrase=""),) if period else ()
    back = making.but(periods=since).call(MEASURE, of="income", start_date="{1.date}")
    if not (all(lent) and back and CALCULATE in making.tools):
        return None
    rest = Call(CALCULATE, {"operation": "rest", "values": ["{2.total}", "{3.total}"]})
    return (tuple(filter(None, lent)), (back,), (rest,))


def _above_average(making: _Making) -> Rounds | None:
    """Return the average purchase, then the list of what was over it."""
    average = making.call(EXTREMES, measure="average")
    listing = making.call(LIST, kind="purchase", over="{1.average}")
    return ((average,), (listing,)) if average and listing else None


def _total(making: _Making) -> Call | None:
    meaning = making.meaning
    narrowed = meaning.narrowed or meaning.about.keys() & {"over", "under", "exclude", "category"}
    if meaning.of in ("card_payments", "loan_payments"):
        return making.call(LIST, kind=_KIND_OF[meaning.of])
    if meaning.of == "left":
        return making.call(INCOME, show="left", claim=meaning.detail)
    if meaning.of == "income" and not narrowed:
        return making.call(INCOME)
    if meaning.of != "spending" or meaning.narrowed:
        return making.call(MEASURE, of=meaning.of, what="total")
    return _spent(making, None)


def _spent(making: _Making, per: str | None) -> Call | None:
    """Return the call for what was spent, as an average where one is asked for."""
    meaning = making.meaning
    if "category" in meaning.about:
        return making.call(CATEGORY, per=per)
    if "merchant" in meaning.about:
        return making.call(MERCHANT, per=per, group_by_category=True if meaning.by == "category" else None)
    return making.call(SUMMARY, per=per, period=None if meaning.periods else "all_time")


def _count(making: _Making) -> Call | None:
    meaning = making.meaning
    if meaning.of == "all" and not meaning.about and not meaning.periods:
        return making.call(STATUS)
    if meaning.of == "spending" and not meaning.narrowed:
        return making.call(EXTREMES, measure="count")
    return making.call(MEASURE, of=meaning.of, what="count")


def _average(making: _Making) -> Call | None:
    meaning = making.meaning
    if meaning.grain in _AVERAGED and meaning.of == "spending" and not meaning.narrowed:
        return _spent(making, meaning.grain)
    if meaning.grain:
        return making.call(INTERVALS, grain=meaning.grain, of=meaning.of, show="average")
    if meaning.of == "spending" and not meaning.narrowed:
        return making.call(EXTREMES, measure="average")
    return making.call(MEASURE, of=meaning.of, what="average")


def _extreme(making: _Making) -> Call | None:
    meaning = making.meaning
    if meaning.of == "spending" and meaning.nth == 1 and not meaning.narrowed:
        measure = {"latest": "last"}.get(meaning.end, meaning.end)
        return making.call(EXTREMES, measure=measure, by="purchase", limit=meaning.limit)
    if meaning.limit and meaning.nth == 1:
        sort = {"latest": "newest", "first": "oldest"}.get(meaning.end, meaning.end)
        return making.call(LIST, kind=_KIND_OF.get(meaning.of), sort=sort, limit=meaning.limit)
    return making.call(MEASURE, of=meaning.of, what=meaning.end, nth=meaning.nth if meaning.nth > 1 else None)


def _frequency(making: _Making) -> Call | None:
    if making.meaning.of == "spending" and not making.meaning.narrowed:
        return making.call(EXTREMES, measure="how_often")
    return making.call(MEASURE, of=making.meaning.of, what="how_often")


def _exists(making: _Making) -> Call | None:
    return making.call(MEASURE, of=making.meaning.of, what="exists")


def _rank(making: _Making) -> Call | None:
    meaning = making.meaning
    least = meaning.end == "smallest"
    plain = meaning.ranked == "money" and meaning.of == "spending" and meaning.nth == 1 and not meaning.narrowed
    if plain and meaning.by in ("merchant", "category", "month", "day"):
        return making.call(EXTREMES, measure="smallest" if least else "top", by=meaning.by, limit=meaning.limit)
    return making.call(
        RANK, by=meaning.by, ranked=meaning.ranked, of=meaning.of, least=True if least else None,
        nth=meaning.nth if meaning.nth > 1 else None, limit=meaning.limit,
    )  # fmt: skip


def _rows(making: _Making) -> Call | None:
    meaning = making.meaning
    if "text" in meaning.about and "means" not in meaning.about and meaning.of == "all":
        query = meaning.about["text"]
        found = _Making(meaning.without("text"), making.tools).call(SEARCH, query=query, limit=meaning.limit)
        if found:
            return found
    return making.call(LIST, kind=_KIND_OF.get(meaning.of), sort=meaning.sort, limit=meaning.limit)


def _series(making: _Making) -> Call | None:
    return making.call(
        INTERVALS, grain=making.meaning.grain or "month", of=making.meaning.of, show=making.meaning.detail
    )


def _trend(making: _Making) -> Call | None:
    return making.call(INTERVALS, grain="month", of=making.meaning.of, show="trend")


def _compare(making: _Making) -> Call | None:
    meaning = making.meaning
    of = None if meaning.of == "spending" else meaning.of
    if len(meaning.periods) > 1:
        return making.but(periods=()).call(
            COMPARE, periods=[phrase_of(each) for each in meaning.periods], of=of, claim=meaning.detail
        )
    sides = max(len(names_of(meaning.about.get(slot))) for slot in ("category", "merchant"))
    return making.call(COMPARE, of=of, claim=meaning.detail) if sides else None  # of one, its last months


def _change(making: _Making) -> Call | None:
    """Return what changed between two periods, or in one since the period before it."""
    meaning = making.meaning
    period, against = (*map(phrase_of, meaning.periods[:2]), None, None)[:2]
    direction = meaning.end if meaning.end in ("up", "down") else None
    return making.but(periods=()).call(
        CHANGES,
        period=period,
        against=against,
        by=meaning.by if meaning.by == "merchant" else None,
        direction=direction,
    )


def _savings_rate(making: _Making) -> Call | None:
    return making.call(INCOME_SHARE, saved=True)


def _share(making: _Making) -> Call | None:
    """Return the share of income, where it is that of which a share is asked and no whole is told."""
    return making.call(INCOME_SHARE)


def _current(making: _Making) -> Call | None:
    of = None if making.meaning.of == "spending" else making.meaning.of
    return making.call(CURRENT, about=making.meaning.detail, of=of)


def _recurring(making: _Making) -> Call | None:
    meaning = making.meaning
    nth = meaning.nth if meaning.nth > 1 else None
    return making.call(RECURRING, which=meaning.which, wanted=meaning.detail, rhythm=meaning.grain, nth=nth)


def _repriced(making: _Making) -> Call | None:
    meaning = making.meaning
    by = "percent" if meaning.ranked == "percent" else None
    direction = "down" if meaning.end == "down" else None
    return making.call(REPRICED, which=None if meaning.which == "all" else meaning.which, by=by, direction=direction)


def _upcoming(making: _Making) -> Call | None:
    return making.but(periods=()).call(UPCOMING, days=making.meaning.limit)


def _balance(making: _Making) -> Call | None:
    meaning = making.meaning
    return making.call(BALANCE, told=meaning.detail if meaning.detail != "balance" else None, grain=meaning.grain)


_MAKING: dict[str, Callable[[_Making], Call | None]] = {
    "total": _total,
    "count": _count,
    "average": _average,
    "extreme": _extreme,
    "frequency": _frequency,
    "exists": _exists,
    "rank": _rank,
    "rows": _rows,
    "series": _series,
    "trend": _trend,
    "compare": _compare,
    "change": _change,
    "share": _share,
    "savings_rate": _savings_rate,
    "current": _current,
    "recurring": _recurring,
    "repriced": _repriced,
    "upcoming": _upcoming,
    "duplicates": lambda making: making.call(DUPLICATES),
    "unusual": lambda making: making.call(UNUSUAL, looked=making.meaning.detail),
    "balance": _balance,
    "quiet_days": lambda making: making.call(QUIET),
    "status": lambda making: making.call(STATUS),
}


def meaning_of(call: Call, context: ToolContext) -> Meaning:
    """Return what a call means, so that a follow-up can change it, whoever made it."""
    given = call.arguments
    about = {key: given[key] for key in CONSTRAINTS if given.get(key)}
    if call.name == SEARCH:
        about["text"] = given.get("query")
    kind = str(given.get("kind") or "")
    of = str(given.get("of") or _OF_KIND.get(kind, kind) or ("all" if call.name in (LIST, SEARCH) else "spending"))
    meaning = Meaning(
        _act_of(call), of, about, _periods(given, context), grain=given.get("per") or given.get("grain") or given.get("rhythm"),
        by=given.get("by"), ranked=given.get("ranked") or "money", nth=given.get("nth") or 1, limit=given.get("limit"),
        sort=given.get("sort"), which=given.get("which") or "all",
    )  # fmt: skip
    told = _TOLD.get(call.name)
    return told(meaning, given) if told else meaning


def meaning_of_scope(scope: Scope, context: ToolContext) -> Meaning:
    """Return what a question that was answered means."""
    return meaning_of(Call(scope.tool, scope.arguments), context)


def of_period(rounds: Rounds, period: Period, context: ToolContext, tools: Mapping[str, Tool]) -> Rounds | None:
    """Return calls as they are about another period; None where no tool takes that of one, or two become the same."""
    moved = [[_moved(call, period, context, tools) for call in calls] for calls in rounds]
    each = [call for calls in moved for call in calls]
    whole = None not in each and all(each.count(call) == 1 for call in each)
    return tuple(tuple(call for call in calls if call is not None) for calls in moved) if whole else None


def act_by_its_calls(calls: Sequence[Call]) -> str | None:
    """Return the act whose words a follow-up may have, where the calls that it came to tell it."""
    if any(call.arguments.get("operation") == "days" for call in calls):
        return "days_between"
    return "empty" if any(call.arguments.get("show") in MISSED for call in calls) else None


def is_to_come(rounds: Rounds, context: ToolContext) -> bool:
    """Whether calls ask only about time of which nothing can be booked yet."""
    asked = [
        meaning_of(call, context) for calls in rounds for call in calls if call.name not in _TIMELESS | {CALCULATE}
    ]
    return bool(asked) and all(
        meaning.periods and all(period.start > context.today for period in meaning.periods) for meaning in asked
    )


def _moved(call: Call, period: Period, context: ToolContext, tools: Mapping[str, Tool]) -> Call | None:
    """Return a call about another period, all else as it was; arithmetic has none."""
    if call.name == CALCULATE or call.name not in ANSWERING:
        return call if call.name == CALCULATE else None
    rounds = rounds_of(meaning_of(call, context).but(periods=(period,)), tools)
    made = rounds[0][0] if rounds else None
    if made is None or made.name != call.name:
        return made
    times = {name for name, slot in tools[call.name].slots.items() if slot.name == "period"}
    kept = {name: value for name, value in call.arguments.items() if name not in times}
    return Call(call.name, kept | {name: value for name, value in made.arguments.items() if name in times})


def _of_extremes(meaning: Meaning, given: Mapping[str, Any]) -> Meaning:
    measure = str(given.get("measure"))
    ranks = given.get("by") not in (None, "purchase")
    if ranks or measure == "top":
        return meaning.but(
            act="rank", by=meaning.by or "merchant", end="smallest" if measure == "smallest" else "largest"
        )
    return meaning.but(by=None, grain=None, end=_ONE_ROW.get(measure, "largest"))


def _of_income(meaning: Meaning, given: Mapping[str, Any]) -> Meaning:
    return meaning.but(of="left" if given.get("show") == "left" else "income", detail=given.get("claim"))


def _of_measure(meaning: Meaning, given: Mapping[str, Any]) -> Meaning:
    what = str(given.get("what") or "total")
    return meaning.but(end=what if what in _ONE_ROW.values() else "largest")


def _of_intervals(meaning: Meaning, given: Mapping[str, Any]) -> Meaning:
    show = str(given.get("show"))
    act = {"average": "average", "trend": "trend"}.get(show, "series")
    return meaning.but(act=act, detail=show if show in MISSED else None)


def _of_regular(meaning: Meaning, given: Mapping[str, Any]) -> Meaning:
    return meaning.but(detail=given.get("about") or given.get("wanted"))


def _of_upcoming(meaning: Meaning, given: Mapping[str, Any]) -> Meaning:
    return meaning.but(limit=given.get("days"))


#: What a tool's own arguments say of its meaning.
_TOLD: dict[str, Callable[[Meaning, Mapping[str, Any]], Meaning]] = {
    EXTREMES: _of_extremes,
    INCOME: _of_income,
    MEASURE: _of_measure,
    INTERVALS: _of_intervals,
    RANK: lambda meaning, given: meaning.but(end="smallest" if given.get("least") else "largest"),
    CURRENT: _of_regular,
    RECURRING: _of_regular,
    UPCOMING: _of_upcoming,
    REPRICED: lambda meaning, given: meaning.but(
        by=None, ranked=given.get("by") or "money", end=given.get("direction") or "up"
    ),
    UNUSUAL: lambda meaning, given: meaning.but(detail=given.get("looked")),
    COMPARE: lambda meaning, given: meaning.but(detail=given.get("claim")),
    BALANCE: lambda meaning, given: meaning.but(of="all", detail=given.get("told") or "balance"),
    CHANGES: lambda meaning, given: meaning.but(end=given.get("direction") or "both"),
}
_ACT_OF = {
    SEARCH: "rows", LIST: "rows", COMPARE: "compare", CHANGES: "change", RANK: "rank", CURRENT: "current",
    RECURRING: "recurring", REPRICED: "repriced", UPCOMING: "upcoming", DUPLICATES: "duplicates", UNUSUAL: "unusual",
    QUIET: "quiet_days", BALANCE: "balance",
    STATUS: "status", CALCULATE: "calculate", INTERVALS: "series",
}  # fmt: skip


def _act_of(call: Call) -> str:
    given = call.arguments
    if call.name in (EXTREMES, MEASURE):
        return ACT_OF_MEASURE.get(str(given.get("measure") or given.get("what") or "total"), "total")
    if call.name == INCOME_SHARE:
        return "savings_rate" if given.get("saved") else "share"
    return _ACT_OF.get(call.name) or ("average" if given.get("per") else "total")


def _periods(given: Mapping[str, Any], context: ToolContext) -> tuple[Period, ...]:
    phrases = given.get("periods") or [given[key] for key in ("period", "against") if given.get(key)]
    try:
        found = [read_period(str(phrase), context) for phrase in phrases]
        if not found:
            found = [period_of(given.get("start_date"), given.get("end_date"), context)]
    except UnknownPeriod:
        return ()
    return tuple(each for each in found if not each.is_all_time or each.weekdays)
