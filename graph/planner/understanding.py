"""What is asked, act by act: from what both witnesses tell to the meaning; None where a needed part is not said."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from graph.planner.balances import balance_meaning
from graph.planner.calls import ACT_OF_MEASURE, ONE_ROW
from graph.planner.comparing import change_meaning, claim_of_flow, compare_meaning, days_between_meaning, growth_meaning
from graph.planner.levels import apart_meaning, asks_whether, asks_whether_it_is_more
from graph.planner.looking import identified, words_sought
from graph.planner.meaning import SUBJECTS, Meaning
from graph.planner.missed import missed_of
from graph.planner.shares import share_meant
from language import cues
from language.lexicon import holds, interval, listed
from ledger.judgement import key_of
from ledger.periods import Period
from tools.slots.names import names_of
from tools.slots.period import periods_in

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from graph.planner.asking import Asking
    from tools.slots.slot import Mention

#: How a list is sorted where a measure says it.
_ORDERS = {"largest": "largest", "smallest": "smallest", "first": "oldest", "last": "newest"}
_INCOME = frozenset({"income", "salary"})
_GRAINS = frozenset({"day", "week", "month", "quarter", "year"})
_AND = listed("and")
#: Money whose rows are few, so that they are told one by one.
_SINGLE = frozenset({"refunds", "fees", "interest", "interest_charged", "cash"})
#: Which end of what recurs a measure asks for.
DEAREST = {"largest": "dearest", "smallest": "cheapest"}
_CHANGES = frozenset({"change", "changes", "month", "rose", "fell", "changed"})
_SURE, _CERTAIN = 0.6, 0.9
#: What a rank begins behind.
_BEHIND = listed("behind_rank")
_LONGEST_LIST, _MOST_DAYS = 20, 366


def understood(asking: Asking) -> tuple[Meaning, ...]:
    """Return what is asked for, mostly one thing; nothing where a part is missing without which it can't be told."""
    if asking.says(cues.ABOVE_AVERAGE) and len(asking.periods) < 2:
        return (asking.meaning("above_average"),)
    several = _several(asking)
    if several:
        return several
    meaning = meaning_of_act(asking)
    return () if meaning is None else (meaning,)


def meaning_of_act(asking: Asking) -> Meaning | None:
    """Return what is asked for as one thing; None where a part is missing without which it can't be told."""
    make = _ACTS.get(asking.act)
    return make(asking) if make else None


def _several(asking: Asking) -> tuple[Meaning, ...]:
    """Return each of several things that are asked for at once: two measures, income and spending, each of some names."""
    if asking.says(cues.IN_AND_OUT) and not any(asking.has(slot) for slot in SUBJECTS):
        both = asking.meaning("total", of="income"), asking.meaning("total", of="spending")
        return both if asking.says(cues.IN_FIRST) else both[::-1]
    if asking.says(cues.SUM_AND_NUMBER) and asking.of == "spending":
        both = asking.meaning("total"), asking.meaning("frequency" if asking.says(cues.HOW_OFTEN) else "count")
        return both if asking.says(cues.SUM_FIRST) else both[::-1]
    return _each_measure(asking) or (_each_named(asking) if asking.act in ("total", "compare") else ())


def _each_measure(asking: Asking) -> tuple[Meaning, ...]:
    """Return one meaning for each of two measures that are joined ("my largest and smallest purchase")."""
    measures = list({mention.value: mention for mention in asking.reading.of("measure")}.values())
    if len(measures) < 2 or not _joined(asking, measures[0], measures[1]):
        return ()
    found = [meaning_of_act(asking.only(mention).as_act(ACT_OF_MEASURE[mention.value])) for mention in measures]
    return tuple(each for each in found if each is not None)


def _each_named(asking: Asking) -> tuple[Meaning, ...]:
    """Return a total for each of what is named one by one: a category and a shop, periods, or whatever "each" is said of."""
    reading = asking.reading
    each = asking.says(cues.EACH_OF)
    for slot in (*SUBJECTS, "period"):
        named = reading.of(slot)
        apart = slot == "period" and not asking.adjoining and not cues.FROM_TO.search(reading.text)
        if each and slot in SUBJECTS and len(names_of(asking.about.get(slot))) == 2:  # a comparison states both
            return (asking.meaning("compare"),)
        if len(named) > 1 and (
            (each and slot == "period") or (each and len(named) > 2) or (apart and asking.act == "total")
        ):
            return tuple(asking.only(mention).meaning("total") for mention in named)
    return _category_and_shop(asking)


def _category_and_shop(asking: Asking) -> tuple[Meaning, ...]:
    """Return a total for each, where a category and a shop are joined."""
    named = tuple(m for m in asking.reading.mentions if m.slot in SUBJECTS and not m.excluded)
    if len(named) == 2 and named[0].slot != named[1].slot and _joined(asking, *named):
        return tuple(asking.only(mention, *SUBJECTS).as_act("total").meaning("total") for mention in named)
    return ()


def _joined(asking: Asking, first: Mention, second: Mention) -> bool:
    """Whether two mentions are joined by "and" or a plus sign, with next to nothing between them."""
    between = [word.key for word in asking.reading.words if first.end <= word.start < second.start]
    signed = asking.reading.text[first.end : second.start].strip() in ("+", "&")
    return signed or (bool(between) and between[0] in _AND and len(between) <= 3)


def grew(asking: Asking) -> bool:
    """Whether it is said of an account alone that it grew or shrank."""
    return asking.has("account") and asking.says(cues.ACCOUNT_GREW) and not any(map(asking.has, SUBJECTS))


def asks_which_account(asking: Asking) -> bool:
    """Whether it is asked through which of the accounts something is paid ("which card does Netflix come out of?")."""
    return asking.says(cues.WHICH_ACCOUNT) and asking.named and not asking.has("account")


def _total(asking: Asking) -> Meaning | None:
    """Return the sum, unless a word says that another figure is wanted: one for each month, a share, an extreme."""
    grain = one_by_one(asking)
    if grain:
        return asking.meaning("series", grain=grain)
    if asking.says(cues.PERCENT) and (asking.named or asking.of == "savings"):
        return share_meant(asking)
    if asking.says(cues.MORE_AT) and any(len(names_of(asking.about.get(slot))) == 2 for slot in SUBJECTS):
        return compare_meaning(asking)
    if asking.said("measure") in ONE_ROW:
        return _extreme(asking)
    if asking.said("measure") == "average" or asking.said("per") in _GRAINS:
        return _average(asking)
    of = "all" if grew(asking) else asking.of
    return asking.meaning("total", of=of, by="category" if asking.said("by") == "category" else None)


def one_by_one(asking: Asking) -> str | None:
    """Return the interval that a figure is asked for each of in so many words ("month by month")."""
    return _interval_of(cues.ONE_BY_ONE, asking)


def _interval_of(form: re.Pattern[str], asking: Asking) -> str | None:
    """Return the interval whose word is the group of a form that is not empty."""
    found = form.search(asking.text)
    return interval(next(filter(None, found.groups()), "")) if found else None


def _count(asking: Asking) -> Meaning | None:
    if is_repriced(asking):
        return _level_change(asking)
    return asking.meaning("frequency" if asking.said("measure") == "how_often" else "count")


def _average(asking: Asking) -> Meaning | None:
    told = asking.factor("per") if asking.told["per"].sure > _SURE else None
    before = asking.base.grain if asking.base and asking.base.act == "average" else None
    grain = _interval_of(cues.AVERAGE_OF, asking) or asking.said("per") or before or told
    if grain == "year" and asking.named and not asking.periods and is_regular(asking):
        return _current(asking, "price")  # "what does that come to a year?"
    return asking.meaning("average", grain=grain if grain in _GRAINS else None)


def _extreme(asking: Asking) -> Meaning | None:
    if any(asking.reading.of("measure", excluded=True)):
        return asking.meaning("total")
    if _compares_one(asking):
        return None
    asking = without_the_first(asking) if asking.said("measure") in ("largest", "smallest") else asking
    return asking.meaning("extreme", end=asking.direction, nth=asking.nth, limit=asking.said("limit"))


def _compares_one(asking: Asking) -> bool:
    """Whether one row is set against another, which no single row answers ("is my latest bill higher than a year ago?")."""
    asks = asking.reading.words[0].key in listed("whether") if asking.reading.words else False
    return asks and asking.reading.has(listed("than")) and not {"over", "under"} & asking.about.keys()


def _rank(asking: Asking) -> Meaning | None:
    asking = without_the_first(asking)
    ranked_by = {mention.value for mention in asking.reading.of("by")}
    when = asking.said("measure") in ("last", "first")  # "in which month did I last pay"
    if when or asking.says(cues.MOST_PAID) or _of_one_purchase(asking, ranked_by):
        return _extreme(asking)
    if asking.says(cues.PAYERS) and asking.says(cues.TO_ME):
        return asking.meaning("rank", by="merchant", limit=_LONGEST_LIST)
    if asking.says(cues.MORE_OFTEN) and len(names_of(asking.about.get("merchant"))) > 1:
        return asking.meaning("rank", by="merchant", ranked="number")
    return _ranked(asking)


def _ranked(asking: Asking) -> Meaning | None:
    """Return a rank by what the reader tells, or the extreme that it comes to of one thing."""
    dimension = _dimension(asking)
    ranked = _measure_of_rank(asking, dimension)
    if ranked == "growth":
        return growth_meaning(asking, dimension)
    one_category = len(names_of(asking.about.get("category"))) == 1
    if dimension == "category" and one_category and asking.says(cues.PLACES):
        dimension = "merchant"  # "which places of the category restaurants"
    one_shop = dimension == "merchant" and len(names_of(asking.about.get("merchant"))) == 1
    if ranked == "money" and (one_shop or (dimension == "category" and one_category)):
        return _extreme(asking)  # "the dearest shop I did at Tesco"
    end = "smallest" if asking.said("measure") == "smallest" else "largest"
    return asking.meaning("rank", by=dimension, ranked=ranked, end=end, nth=asking.nth, limit=asking.said("limit"))


def _measure_of_rank(asking: Asking, dimension: str) -> str:
    """Return by what is ranked: the reader's word, but weekdays on which something comes by how often it does."""
    comes = dimension == "weekday" and asking.told["act"].best != "rank"  # "what day of the week do I get paid?"
    return "number" if comes else asking.factor("by")


def _of_one_purchase(asking: Asking, ranked_by: set[str]) -> bool:
    """Whether a superlative is of one purchase: where it says so, or says nothing and no other rank is sure."""
    unsaid = not ranked_by and (asking.told["dim"].sure < _SURE or asking.says(cues.ONE_PURCHASE))
    return asking.said("measure") in ONE_ROW and (ranked_by == {"purchase"} or unsaid)


def without_the_first(asking: Asking) -> Asking:
    """Leave out what a rank begins after ("which category do I spend most on after rent?")."""
    reading = asking.reading
    behind = [m for slot in SUBJECTS for m in reading.of(slot) if asking.word_before(m) in _BEHIND]
    mentions = tuple(replace(m, excluded=True) if m in behind else m for m in reading.mentions)
    return replace(asking, reading=replace(reading, mentions=mentions)) if behind and not asking.base else asking


def _dimension(asking: Asking) -> str:
    if asking.says(cues.WEEKDAY):
        return "weekday"
    if asks_which_account(asking):
        return "account"
    named = [mention.value for mention in asking.reading.of("by") if mention.value != "purchase"]
    said = next(iter(named), None) or asking.factor("dim")
    if asking.nth > 1 and said == "category" and asking.has("category"):
        return "merchant"  # "which supermarket comes third?"
    if said == "day" and asking.factor("by") == "number":
        return "weekday"  # "which day do I shop most often?"
    return {"payer": "merchant", "purchase": "merchant"}.get(said, said)


def _rows(asking: Asking) -> Meaning | None:
    text = words_sought(asking) if asking.says(cues.SEARCHES) else ""
    if text:
        return asking.meaning("rows", of="all", limit=asking.said("limit")).without(*SUBJECTS).on(text=text)
    paid = asking.says(cues.PAID) or bool(asking.reading.of("kind"))
    by_category = asking.has("category") and asking.of in ("fees", "transfers")  # whose rows are all asked for
    of = "all" if (asking.of == "spending" or by_category) and not paid else asking.of
    sort = asking.said("sort") or _ORDERS.get(asking.said("measure"))
    return asking.meaning("rows", of=of, sort=sort, limit=asking.said("limit"))


def _series(asking: Asking) -> Meaning | None:
    told = asking.said("per") or asking.factor("grain")
    grain = "quarter" if asking.says(cues.QUARTERS) else told
    return asking.meaning("series", grain=grain if grain in _GRAINS else "month")


def _breakdown(asking: Asking) -> Meaning | None:
    dimension = _dimension(asking)
    if dimension in _GRAINS:
        return asking.meaning("series", grain=dimension)
    if dimension == "account" and asking.has("means"):
        return asking.meaning("total")  # "by card" is by no account
    if dimension in ("account", "weekday") or (dimension == "merchant" and asking.of == "spending" and asking.named):
        return asking.meaning("rank", by=dimension, limit=_LONGEST_LIST)
    return asking.meaning("total", by="category" if dimension == "category" else None)


def _exists(asking: Asking) -> Meaning | None:
    if not asking.named and asking.of == "spending":
        return None
    return asking.meaning("extreme", end="latest") if asking.says(cues.WHEN) else asking.meaning("exists")


def _leftover(asking: Asking) -> Meaning | None:
    if asking.says(cues.PERCENT) and not asking.named:
        return asking.meaning("savings_rate")
    grain = asking.said("per") or (asking.factor("grain") if asking.told["grain"].sure > _CERTAIN else None)
    if grain in _GRAINS and len(asking.periods) < 2 and asking.says(cues.EACH):
        return asking.meaning("series", of="left", grain=grain)
    return asking.meaning("total", of="left", detail=claim_of_flow(asking))


def _level(asking: Asking) -> Meaning | None:
    if holds("earlier", asking.reading.words) and asking.named:
        return _current(asking, "change")
    if any(_is_past(period, asking) for period in asking.periods):
        if not asking.named and asking.of == "spending":
            return None
        return asking.meaning("average", grain=None if asking.named else "month")
    if asking.of == "spending" and not (is_regular(asking) or _is_charged_now(asking)):
        return _total(asking) if asking.named else None
    if asking.of in _INCOME and asking.has("merchant") and not is_regular(asking, comes_in=True):
        return _total(asking)
    return _current(asking, "price")


def _is_charged_now(asking: Asking) -> bool:
    """Whether it is asked what somebody takes now, which is what they took last, and not what is spent there."""
    return asking.has("merchant") and asking.says(cues.CHARGED if holds("now", asking.reading.words) else cues.CHARGING)


def is_regular(asking: Asking, *, comes_in: bool | None = None) -> bool:
    """Whether something recurs of what is named: money out or in as said, else out, or either way with a merchant."""
    ways = {False, asking.has("merchant")} if comes_in is None else {comes_in}
    categories = set(names_of(asking.about.get("category")))
    merchants = {key_of(name) for name in names_of(asking.about.get("merchant"))}
    these = [each for each in asking.regular if each.comes_in in ways]
    if asking.sought and not categories and not merchants:  # what recurs is read among those rows alone
        return bool(these)
    return any(each.category in categories or each.key in merchants for each in these)


def _current(asking: Asking, detail: str) -> Meaning | None:
    """Return what is told of something regular; there is no time in it but the present, or the first of just some size."""
    if asking.about.keys() >= {"over", "under"}:  # "since when does it cost 63 euros?"
        return asking.meaning("extreme", end="first")
    periods = _stretch(asking) if detail in _CHANGES else ()
    now = asking.meaning("current", detail=detail, periods=periods).without("account", "exclude")
    if asking.of in _INCOME and not (
        asking.named or asking.base or asking.says(cues.SALARY) or asking.says(cues.OF_INCOME)
    ):
        return None  # "when did my rent go up" where nothing is called rent
    if asking.of in _INCOME:
        return now.but(of="salary" if asking.says(cues.SALARY) else "income").without("category")
    if asking.has("merchant") and not is_regular(asking, comes_in=False) and is_regular(asking, comes_in=True):
        return now.but(of="income")
    if asking.of == "savings":
        return now
    return now if asking.of == "spending" else None


def _is_past(period: Period, asking: Asking) -> bool:
    """Whether a period is over, so that what something costs now is not asked."""
    return period.end < asking.context.today - timedelta(1) and not period.weekdays


def _level_change(asking: Asking) -> Meaning | None:
    return _current(asking, _change_asked_for(asking)) if asking.named or asking.of in _INCOME else None


def _change_asked_for(asking: Asking) -> str:
    """Return what of a change is asked for: how often, whether it was one up or down, by how much."""
    if asking.says(cues.HOW_MANY_TIMES):
        return "changes"
    if asking.said("by") == "month":
        return "month"  # "in which month did it go up?"
    if not asks_whether(asking):
        return "change"
    fell = asking.says(cues.FELL)
    if asking.has("merchant") and asks_whether_it_is_more(asking):
        return "cheaper" if fell else "dearer"
    return "fell" if fell else "changed" if asking.says(cues.ANYHOW) else "rose"


def _stretch(asking: Asking) -> tuple[Period, ...]:
    """Return the time in which a price changed; where two times are compared, from after the first to the end of the other."""
    if asking.base and not periods_in(asking.reading.text, asking.context):
        return ()  # when a price was asked for is not when it changed
    periods = sorted(asking.periods, key=lambda period: period.start)
    until_now = periods and asking.says(cues.COMPARED_TO) and _is_past(periods[0], asking)
    if len(periods) == 2 or until_now:
        return (Period(periods[0].end + timedelta(1), periods[1].end if periods[1:] else asking.context.today),)
    return tuple(periods[:1])


def _compare(asking: Asking) -> Meaning | None:
    """Set two sides against each other; of one thing that is regular, its prices."""
    return _level_change(asking) if is_repriced(asking) else compare_meaning(asking)


def _change(asking: Asking) -> Meaning | None:
    return _level_change(asking) if is_repriced(asking) else change_meaning(asking)


def is_repriced(asking: Asking) -> bool:
    """Whether it is asked how the price of one thing that is regular changed, or one income."""
    if not asking.says(cues.REPRICED):
        return False
    one = [len(names_of(asking.about.get(slot))) for slot in SUBJECTS if asking.has(slot)]
    income = asking.of in _INCOME
    return (one == [1] and is_regular(asking, comes_in=income or None)) or (
        income and not one and asking.says(cues.SALARY)
    )


def _recurring(asking: Asking) -> Meaning | None:
    said = (state for state, words in cues.WANTED if asking.says(words))
    wanted = next(said, DEAREST.get(asking.said("measure"), "list"))
    return _listed(asking, "income" if asking.of in _INCOME else _which(asking), wanted)


def _listed(asking: Asking, which: str, wanted: str) -> Meaning:
    rhythm = _interval_of(cues.COMES_EVERY, asking) if wanted == "list" else None
    periods = tuple(each for each in asking.periods if wanted in ("new", "ended") or each.end < asking.context.today)
    meaning = asking.meaning("recurring", which=which, detail=wanted, grain=rhythm, nth=asking.nth, periods=periods)
    kept = {"category", "merchant", "means", "account", "exclude"} & meaning.about.keys()
    named = {mention.text.casefold() for mention in asking.reading.of("merchant")}
    own = {name.casefold() for name in names_of(meaning.about.get("merchant"))}
    if which == "subscriptions" and not named & own:  # "streaming" is no shop
        kept -= {"category", "merchant"}
    return meaning.but(about={key: meaning.about[key] for key in kept})


def _next(asking: Asking) -> Meaning | None:
    if asking.named or asking.of in _INCOME:
        return _current(asking, "next")
    days = max(((period.end - asking.context.today).days for period in asking.periods), default=0)
    return Meaning("upcoming", limit=days if 0 < days < _MOST_DAYS else None)


def _ended(asking: Asking) -> Meaning | None:
    which = _which(asking)
    still = asking.says(cues.STILL)
    if not still and len(names_of(asking.about.get("merchant"))) > 1:
        return _listed(asking, which, "ended")
    if asking.has("merchant") or asking.sought or (asking.has("category") and which == "all"):
        return _current(asking, "still" if still else "since")
    if asking.of in _INCOME:
        return _current(asking, "change" if asking.says(cues.MORE) else "since")
    if holds("since_when", asking.reading.words):
        return None  # since when what nobody knows is paid
    new = asking.says(cues.NEW) and not asking.says(cues.STOPPED)
    return _listed(asking, which, "list" if still else "new" if new else "ended")


def _which(asking: Asking) -> str:
    """Return which of what recurs is asked about."""
    return "subscriptions" if asking.says(cues.SUBSCRIBED) else "all"


def _frequency(asking: Asking) -> Meaning | None:
    regular = asking.says(cues.EVERY_HOW_MANY) and is_regular(asking)
    if regular or (asking.of in _INCOME and not asking.periods):
        return _current(asking, "rhythm")
    return asking.meaning("frequency")


def _which_of_a_kind(asking: Asking) -> Meaning | None:
    if asking.says(cues.SUBSCRIBED) and not asking.periods:
        return _recurring(asking)
    if asking.of in _SINGLE and not asking.named:
        return _rows(asking)  # "which refunds did I get?"
    return asking.meaning("rank", by="merchant", limit=_LONGEST_LIST) if asking.named else None


def _repriced(asking: Asking) -> Meaning:
    """Return which price moved the most of all that is regular, by what it costs or in percent of that."""
    ranked = "percent" if asking.says(cues.PERCENT) else "money"
    which = "income" if asking.of in _INCOME else _which(asking)
    made = asking.meaning("repriced", which=which, ranked=ranked, end="down" if asking.says(cues.FELL) else "up")
    periods = () if asking.says(cues.A_YEAR_BACK) else _stretch(asking)
    return made.but(of="spending", periods=periods).without("account", *([] if which == "all" else SUBJECTS))


def _plain(act: str) -> Callable[[Asking], Meaning | None]:
    return lambda asking: asking.meaning(act)


_ACTS: dict[str, Callable[[Asking], Meaning | None]] = {
    "total": _total,
    "count": _count,
    "average": _average,
    "extreme": _extreme,
    "rank": _rank,
    "rows": _rows,
    "series": _series,
    "breakdown": _breakdown,
    "exists": _exists,
    "change": _change,
    "compare": _compare,
    "share": share_meant,
    "leftover": _leftover,
    "level": _level,
    "level_change": _level_change,
    "recurring": _recurring,
    "next": _next,
    "ended": _ended,
    "frequency": _frequency,
    "identify": identified,
    "which": _which_of_a_kind,
    "repriced": _repriced,
    "empty": lambda asking: missed_of(asking, asking.meaning("series")),
    "days_between": days_between_meaning,
    "apart": apart_meaning,
    **{act: _plain(act) for act in ("duplicates", "savings_rate", "trend", "owed")},
    "unusual": lambda asking: asking.meaning(
        "unusual", detail="months" if asking.says(cues.MONTHS) and not asking.periods else None
    ),
    "no_spend": _plain("quiet_days"),
    "summary": _plain("total"),
    "balance": balance_meaning,
    "meta": lambda asking: replace(asking.meaning("status"), about={}, periods=()),
}
