"""The call that each act comes to: one small function from what is asked to a call; None where a needed part is not said."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from graph.planner.filling import phrase_of
from graph.planner.intents import adjoining
from language import cues
from language.words import fold_in_place
from ledger.judgement import key_of
from ledger.periods import Period, find_periods
from tools.calls import Call
from tools.slots.amounts import read_amount
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from graph.planner.reading import Reading
    from graph.planner.witness import Asking
    from tools.slots.slot import Mention

#: How a list is sorted where a measure says it.
_ORDERS = {"largest": "largest", "smallest": "smallest", "first": "oldest", "last": "newest"}
#: The measures that are one transaction.
_ONE_ROW = frozenset({"largest", "smallest", "first", "last"})
_AMOUNT = re.compile(r"(?<![\d-])(\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d{2})?|\d+(?:[.,]\d{1,2})?)(?![\d-])")


Rounds = tuple[tuple["Call", ...], ...]


def rounds_of(asking: Asking) -> Rounds | None:
    """Return the calls that answer what is asked, round by round; None where no tool does."""
    asked_in_percent = asking.act == "total" and cues.PERCENT.search(fold_in_place(asking.reading.text))
    if (asking.act == "share" or asked_in_percent) and asking.named:
        return _share_of_named(asking)
    grain = _one_by_one(asking)
    if asking.act in ("total", "average") and grain:
        call = asking.call("transactions-per_interval", grain=grain, of=_population(asking))
        return ((call,),) if call else None
    if asking.act == "compare" and " + " in asking.reading.text:
        asking = replace(asking, act_is="total")
    if asking.act == "total" and (sides := _each_subject(asking)):
        return (sides,)
    if asking.act == "total" and (several := _each_period(asking)):
        return (several,)
    call = call_of(asking)
    return ((call,),) if call else None


def _one_by_one(asking: Asking) -> str | None:
    """Return the interval that a figure is asked for each of in so many words ("month by month")."""
    found = cues.ONE_BY_ONE.search(fold_in_place(asking.reading.text))
    word = next((each for each in found.groups() if each), "") if found else ""
    return {"tag": "day", "woche": "week", "monat": "month", "quartal": "quarter", "jahr": "year"}.get(
        word, word
    ) or None


def call_of(asking: Asking) -> Call | None:
    """Return the call that answers what is asked; None where no tool does, or where it needs what is not said."""
    make = _ACTS.get(asking.act)
    return make(asking) if make else None


def _each_subject(asking: Asking) -> tuple[Call, ...] | None:
    """Return a total for each of a category and a shop that are joined ("groceries and Costco in May")."""
    reading = asking.reading
    named = [m for m in reading.mentions if m.slot in ("category", "merchant") and not m.excluded]
    if len(named) != 2 or named[0].slot == named[1].slot:
        return None
    between = [word.key for word in reading.words if named[0].end <= word.start < named[1].start]
    if not between or between[0] not in ("and", "und") or len(between) > 2:
        return None
    rests = [
        replace(reading, mentions=tuple(m for m in reading.mentions if m is not other)) for other in reversed(named)
    ]
    calls = [_total(replace(asking, reading=rest)) for rest in rests]
    return tuple(call for call in calls if call) or None


def _each_period(asking: Asking) -> tuple[Call, ...] | None:
    """Return a total for each of several periods that are named one by one ("in July, in August and in October")."""
    periods = asking.reading.of("period")
    if len(periods) < 2 or adjoining(asking.reading) or cues.FROM_TO.search(asking.reading.text):
        return None
    calls = [_total(replace(asking, reading=_only_period(asking.reading, period))) for period in periods]
    return tuple(call for call in calls if call) or None


def _only_period(reading: Reading, period: Mention) -> Reading:
    return replace(reading, mentions=tuple(m for m in reading.mentions if m.slot != "period" or m is period))


def _share_of_named(asking: Asking) -> Rounds | None:
    """Return the part that is named, what it is a part of, and their share."""
    part = _total(replace(asking, act_is="total"))
    smaller = "merchant" if asking.has("merchant") else "category"
    rest = replace(
        asking.reading, mentions=tuple(m for m in asking.reading.mentions if m.slot != smaller or m.excluded)
    )
    inherited = {key: value for key, value in asking.inherited.items() if key != smaller}
    of = "income" if cues.OF_INCOME.search(fold_in_place(asking.reading.text)) else asking.of
    whole = _total(replace(asking, act_is="total", reading=rest, inherited=inherited, of_is=of))
    if part is None or whole is None or "figures-calculate" not in asking.tools:
        return None
    return (part, whole), (Call("figures-calculate", {"operation": "share", "values": ["{1.total}", "{2.total}"]}),)


def _total(asking: Asking) -> Call | None:
    if asking.said("measure") in _ONE_ROW:
        return _extreme(asking)
    if asking.of == "income" and not _narrows(asking):
        return asking.call("income-summary")
    if asking.of != "spending":
        return asking.call("transactions-measure", of=_population(asking))
    return _spent(asking, asking.said("per"))


def _narrows(asking: Asking) -> bool:
    """Whether it leaves something out, or takes only amounts of a size, which a summary of income does not."""
    return any(m.excluded or m.slot in ("over", "under", "category") for m in asking.reading.mentions)


def _spent(asking: Asking, per: str | None) -> Call | None:
    """Return the call for what was spent on what is named, or in all, as an average where one is asked for."""
    if asking.has("category") and not ("category" in asking.inherited and asking.reading.of("merchant")):
        return asking.call("spending-analyze_by_category", per=per)
    if asking.has("merchant"):
        return asking.call("spending-analyze_merchant", per=per)
    made = asking.call("spending-get_spending_summary", per=per)
    if made is not None and not asking.has("period"):
        made.arguments["period"] = "all_time"
    return made


def _population(asking: Asking) -> str:
    """Return the kind of money; what goes to savings is told apart from other transfers by its word."""
    if asking.of == "interest" and cues.CHARGED.search(fold_in_place(asking.reading.text)):
        return "interest_charged"
    if asking.of == "transfers" and cues.SAVED.search(fold_in_place(asking.reading.text)):
        return "savings"
    return asking.of


def _other(asking: Asking) -> str | None:
    """Return which money it is where it is none that is spent."""
    return None if asking.of == "spending" else _population(asking)


def _count(asking: Asking) -> Call | None:
    if asking.said("measure") == "how_often":
        return _frequency(asking)
    if asking.of == "all" and all(mention.slot in ("measure", "kind", "by") for mention in asking.reading.mentions):
        return asking.call("ledger-status")
    if asking.of == "spending":
        return asking.call("spending-extremes", measure="count")
    return asking.call("transactions-measure", of=_population(asking), what="count")


def _average(asking: Asking) -> Call | None:
    named = cues.AVERAGE_OF.search(fold_in_place(asking.reading.text))
    per = named[1] if named else asking.said("per") or (asking.factor("per") if asking.told["per"].sure > 0.6 else None)
    if per in ("day", "week", "month", "quarter", "year"):
        if asking.of == "spending" and per != "quarter":
            return _spent(asking, per)
        return asking.call("transactions-per_interval", grain=per, of=_population(asking), show="average")
    if asking.of == "spending":
        return asking.call("spending-extremes", measure="average")
    return asking.call("transactions-measure", of=_population(asking), what="average")


def _extreme(asking: Asking) -> Call | None:
    way = asking.direction
    if any(asking.reading.of("measure", excluded=True)):
        return _total(asking)
    if asking.of == "spending" and asking.nth == 1:
        measure = {"latest": "last"}.get(way, way)
        return asking.call("spending-extremes", measure=measure, by="purchase", per=None)
    return asking.call("transactions-measure", of=_population(asking), what=way, nth=asking.nth)


def _rank(asking: Asking) -> Call | None:
    by, dimension = asking.factor("by"), _dimension(asking)
    text = fold_in_place(asking.reading.text)
    least = asking.said("measure") == "smallest" or bool(by == "growth" and cues.FELL.search(text))
    if by == "growth":
        return _changes(
            asking, by="merchant" if dimension == "merchant" else "category", direction="down" if least else "up"
        )
    if dimension == "category" and len(names_of(asking.said("category"))) == 1 and cues.PLACES.search(text):
        dimension = "merchant"  # "which places of the category restaurants"
    alone = dimension in asking.inherited or (dimension == "merchant" and len(asking.reading.of("merchant")) == 1)
    if by == "money" and alone:
        return _extreme(asking)  # "the dearest shop I did at Tesco"
    plain = by == "money" and asking.of == "spending" and asking.nth == 1
    if plain and dimension in ("merchant", "category", "month", "day"):
        return asking.call("spending-extremes", measure="smallest" if least else "top", by=dimension)
    return asking.call(
        "transactions-rank", by=dimension, ranked="number" if by == "number" else "money", of=_population(asking),
        least=True if least else None, nth=asking.nth if asking.nth > 1 else None, limit=asking.said("limit"),
    )  # fmt: skip


def _dimension(asking: Asking) -> str:
    if cues.WEEKDAY.search(fold_in_place(asking.reading.text)):
        return "weekday"
    named = [mention.value for mention in asking.reading.of("by") if mention.value != "purchase"]
    said = next(iter(named), None) or asking.said("by") or asking.factor("dim")
    if said == "day" and asking.factor("by") == "number":
        return "weekday"  # "which day do I shop most often?"
    return {"payer": "merchant", "purchase": "merchant"}.get(said, said)


def _rows(asking: Asking) -> Call | None:
    kinds = {"refunds": "refund", "fees": "fee", "interest": "interest", "transfers": "transfer", "income": "income"}
    paid = asking.of == "spending" and cues.PAID.search(fold_in_place(asking.reading.text))
    order = asking.said("sort") or _ORDERS.get(asking.said("measure"))
    return asking.call("transactions-list", kind="spending" if paid else kinds.get(asking.of), sort=order)


def _series(asking: Asking) -> Call | None:
    quarters = cues.QUARTERS.search(fold_in_place(asking.reading.text))
    grain = "quarter" if quarters else asking.said("per") or asking.factor("grain")
    return asking.call("transactions-per_interval", grain=grain, of=_population(asking))


def _trend(asking: Asking) -> Call | None:
    return asking.call("transactions-per_interval", grain="month", of=_population(asking), show="trend")


def _breakdown(asking: Asking) -> Call | None:
    dimension = _dimension(asking)
    if dimension in ("month", "week", "day"):
        return asking.call("transactions-per_interval", grain=dimension, of=_population(asking))
    if asking.of == "income":
        return asking.call("income-summary")
    if dimension in ("account", "weekday"):
        return asking.call("transactions-rank", by=dimension, of=_population(asking), limit=10)
    return _total(asking)


def _exists(asking: Asking) -> Call | None:
    return asking.call("transactions-measure", of=_population(asking), what="exists") if _is_told(asking) else None


def _is_told(asking: Asking) -> bool:
    return asking.named or asking.of != "spending"


def _compare(asking: Asking) -> Call | None:
    """Set two periods, shops or categories against each other."""
    periods = {(m.value.start, m.value.end): m for m in asking.reading.of("period")}.values()
    if len(periods) > 2:
        return asking.call("spending-compare", periods=[phrase_of(m.value) for m in periods], of=_other(asking))
    both = _two_periods(asking)
    if both:  # the newer first, so that a change in percent is one of the older
        return asking.call("spending-compare", periods=list(reversed(both)), of=_other(asking))
    sides = max(len(asking.reading.of(slot)) for slot in ("category", "merchant"))
    return asking.call("spending-compare", of=_other(asking)) if sides > 1 else None


def _change(asking: Asking) -> Call | None:
    text = fold_in_place(asking.reading.text)
    if asking.named or (cues.BY_HOW_MUCH.search(text) and not cues.WHAT_CHANGED.search(text)):
        return _compare(asking)
    return _changes(asking, by=_by(asking))


def _changes(asking: Asking, **more: Any) -> Call | None:
    """Set two periods against each other, or one against the one before it."""
    both = _two_periods(asking)
    if both is None:
        return asking.call("spending-changes", **more)
    return asking.call("spending-changes", period=both[1], against=both[0], **more)


def _two_periods(asking: Asking) -> tuple[str, str] | None:
    """Return the older and the newer of two periods; "from July to August" is two where something changed."""
    periods = [mention.value for mention in asking.reading.of("period")] or list(asking.inherited.get("periods", ()))
    if len(periods) < 2 and (match := cues.FROM_TO.search(asking.reading.text)):
        parts = [find_periods(part, asking.context.today, asking.context.week_start) for part in match.groups()]
        periods = [found[0].period for found in parts if found]
    if len(periods) < 2:
        return None
    older, newer = sorted(periods[:2], key=lambda period: period.start)
    return phrase_of(older), phrase_of(newer)


def _by(asking: Asking) -> str | None:
    return "merchant" if asking.said("by") == "merchant" else None


def _share(asking: Asking) -> Call | None:
    income = cues.OF_INCOME.search(fold_in_place(asking.reading.text))
    return asking.call("income-share") if income else None


def _leftover(asking: Asking) -> Call | None:
    grain = asking.said("per") or (asking.factor("grain") if asking.told["grain"].sure > 0.9 else None)
    if grain and len(asking.reading.of("period")) < 2 and cues.EACH.search(fold_in_place(asking.reading.text)):
        return asking.call("transactions-per_interval", grain=grain, of="left")
    return asking.call("income-summary", show="left")


def _savings_rate(asking: Asking) -> Call | None:
    return asking.call("income-share", saved=True)


def _level(asking: Asking) -> Call | None:
    if any(_is_past(each.value, asking) for each in asking.reading.of("period")):
        return asking.call("transactions-measure", of=_population(asking), what="average") if asking.named else None
    if asking.of == "spending" and not _is_regular(asking):
        return _average(asking) if asking.said("per") and asking.named else None
    if asking.of == "income" and asking.has("merchant") and not _is_regular(asking, comes_in=True):
        return _total(asking)
    return _current(asking, "price")


def _is_regular(asking: Asking, *, comes_in: bool = False) -> bool:
    """Whether something recurs of what is named."""
    categories = {name for mention in asking.reading.of("category") for name in names_of(mention.value)}
    merchants = {key_of(name) for mention in asking.reading.of("merchant") for name in names_of(mention.value)}
    categories |= set(names_of(asking.inherited.get("category")))
    merchants |= {key_of(name) for name in names_of(asking.inherited.get("merchant"))}
    these = [each for each in asking.regular if each.comes_in == comes_in]
    return any(each.category in categories or each.key in merchants for each in these)


def _current(asking: Asking, about: str) -> Call | None:
    if asking.of == "income":
        of = "salary" if cues.SALARY.search(fold_in_place(asking.reading.text)) else "income"
        made = asking.call("recurring-current", about=about, of=of)
        if made is not None:
            made.arguments.pop("category", None)
        return made
    if asking.has("merchant") and not _is_regular(asking) and _is_regular(asking, comes_in=True):
        return asking.call("recurring-current", about=about, of="income")
    if asking.of == "transfers":
        return asking.call("recurring-current", about=about, of="savings") if _population(asking) == "savings" else None
    return asking.call("recurring-current", about=about) if asking.of == "spending" else None


def _is_past(period: Period, asking: Asking) -> bool:
    """Whether a period is over, so that what something costs now is not asked."""
    return period.end < asking.context.today - timedelta(1) and not period.weekdays


def _level_change(asking: Asking) -> Call | None:
    return _current(asking, "change") if asking.named or asking.of == "income" else None


def _recurring(asking: Asking) -> Call | None:
    text = fold_in_place(asking.reading.text)
    which = "income" if asking.of == "income" else _which(asking)
    wanted = next((state for state, words in cues.WANTED if words.search(text)), "list")
    return _listed(asking, which, wanted)


def _listed(asking: Asking, which: str, wanted: str) -> Call | None:
    made = asking.call("recurring-list", which=which, wanted=wanted)
    if made is not None:
        named = {mention.text.casefold() for mention in asking.reading.of("merchant")}
        own = {name.casefold() for name in names_of(made.arguments.get("merchant"))}
        for key in ("category", "merchant"):
            if which == "subscriptions" and not named & own:  # "streaming" is no shop
                made.arguments.pop(key, None)
        if wanted not in ("new", "ended"):
            made.arguments.pop("period", None)
    return made


def _next(asking: Asking) -> Call | None:
    if asking.has("category") or asking.has("merchant") or asking.of == "income":
        return _current(asking, "next")
    ends = [each.value.end for each in asking.reading.of("period")]
    days = max(((end - asking.context.today).days for end in ends), default=0)
    return asking.call("recurring-upcoming", days=days if 0 < days < 366 else None)


def _ended(asking: Asking) -> Call | None:
    text, which = fold_in_place(asking.reading.text), _which(asking)
    still = cues.STILL.search(text)
    if asking.has("merchant") or (asking.has("category") and which == "all"):
        return _current(asking, "still" if still else "since")
    if asking.of == "income":
        return _current(asking, "change" if cues.MORE.search(text) else "since")
    state = "list" if still else "ended" if cues.STOPPED.search(text) else "new" if cues.NEW.search(text) else "ended"
    return _listed(asking, which, state)


def _which(asking: Asking) -> str:
    """Return which of what recurs is asked about."""
    return "subscriptions" if cues.SUBSCRIBED.search(fold_in_place(asking.reading.text)) else "all"


def _frequency(asking: Asking) -> Call | None:
    if asking.of == "income" and not asking.reading.of("period"):
        return _current(asking, "rhythm")
    if asking.of == "spending":
        return asking.call("spending-extremes", measure="how_often")
    return asking.call("transactions-measure", of=_population(asking), what="how_often")


def _identify(asking: Asking) -> Call | None:
    """List what was of just the amount that is named, or what the named merchant was paid."""
    places = [mention for mention in asking.reading.mentions if mention.slot in ("period", "over", "under", "limit")]
    for match in _AMOUNT.finditer(asking.reading.text):
        if any(mention.start <= match.start() < mention.end for mention in places):
            continue
        amount = read_amount(match[1])
        if amount is not None:
            step = asking.context.smallest_amount
            made = asking.call("transactions-list", over=format(amount - step, "f"), under=format(amount + step, "f"))
            if made is not None:
                made.arguments.pop("kind", None)
            return made
    return asking.call("transactions-list") if asking.named or asking.reading.of("period") else None


def _which_of_a_kind(asking: Asking) -> Call | None:
    if cues.SUBSCRIBED.search(fold_in_place(asking.reading.text)) and not asking.reading.of("period"):
        return _recurring(asking)
    return (
        asking.call("transactions-rank", by="merchant", limit=20)
        if asking.has("category") or asking.has("merchant")
        else None
    )


def _unusual(asking: Asking) -> Call | None:
    months = cues.MONTHS.search(fold_in_place(asking.reading.text))
    return asking.call("spending-find_unusual", looked="months" if months and not asking.reading.of("period") else None)


_ACTS: dict[str, Callable[[Asking], Call | None]] = {
    "total": _total,
    "count": _count,
    "average": _average,
    "extreme": _extreme,
    "rank": _rank,
    "rows": _rows,
    "series": _series,
    "trend": _trend,
    "breakdown": _breakdown,
    "exists": _exists,
    "change": _change,
    "compare": _compare,
    "share": _share,
    "leftover": _leftover,
    "savings_rate": _savings_rate,
    "level": _level,
    "level_change": _level_change,
    "recurring": _recurring,
    "next": _next,
    "ended": _ended,
    "frequency": _frequency,
    "identify": _identify,
    "which": _which_of_a_kind,
    "duplicates": lambda asking: asking.call("transactions-find_duplicates"),
    "unusual": _unusual,
    "no_spend": lambda asking: asking.call("spending-quiet_days"),
    "summary": lambda asking: asking.call("spending-get_spending_summary"),
    "meta": lambda asking: asking.call("ledger-status"),
}
