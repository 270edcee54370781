"""The definitions once more, as plainly as they can be written; nothing of the project computes here."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from tests.drawn_ledgers import DIGITS, FIRST, LAST, ledgers, month_end

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tests.drawn_ledgers import Entry
    from tools.results import Result

#: How many ledgers a test draws: each is a database's work. The long form, `make soak`, asks for more.
LEDGERS = int(os.environ.get("MONEY_MINDER_TEST_LEDGERS", "12"))
DRAWN = settings(
    deadline=None,
    max_examples=LEDGERS,
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

#: Ledgers in one currency.
one_currency = ledgers().map(lambda drawn: [replace(entry, currency="USD") for entry in drawn])

#: For tests that run once per measure, order or word.
FEW = settings(DRAWN, max_examples=LEDGERS // 2)

Days = tuple[date | None, date | None]


@dataclass(frozen=True)
class Asked:
    """Arguments of a tool, and the days that they mean (None: open)."""

    arguments: dict[str, Any]
    days: Days


def _month(today: date, back: int) -> tuple[date, date]:
    number = today.year * 12 + today.month - 1 - back
    start = date(number // 12, number % 12 + 1, 1)
    return start, month_end(start)


PHRASES: dict[str, Callable[[date], Days]] = {
    "all_time": lambda _: (None, None),
    "last month": lambda today: _month(today, 1),
    "last_3_months": lambda today: (_month(today, 3)[0], _month(today, 1)[1]),
    "this month": lambda today: (today.replace(day=1), today),
    "October 2026": lambda _: (date(2026, 10, 1), date(2026, 10, 31)),
    "Q2 2026": lambda _: (date(2026, 4, 1), date(2026, 6, 30)),
    "2025": lambda _: (date(2025, 1, 1), date(2025, 12, 31)),
    "past 30 days": lambda today: (today - timedelta(29), today),
    "last_week": lambda today: (today - timedelta(today.weekday() + 7), today - timedelta(today.weekday() + 1)),
    "year to date": lambda today: (date(today.year, 1, 1), today),
    "since 2025-12-01": lambda today: (date(2025, 12, 1), today),
}


@st.composite
def spans(draw: st.DrawFn, today: date) -> tuple[dict[str, str], Days]:
    """Start and end as a tool takes them."""
    how = draw(st.sampled_from(["none", "both", "start", "end", "phrase", "phrase"]))
    if how == "none":
        return {}, (None, None)
    if how == "phrase":
        phrase = draw(st.sampled_from(sorted(PHRASES)))
        return {"start_date": phrase}, PHRASES[phrase](today)
    one, other = sorted((draw(st.dates(FIRST, LAST)), draw(st.dates(FIRST, LAST))))
    start, end = (one if how != "end" else None), (other if how != "start" else None)
    given = {"start_date": start and start.isoformat(), "end_date": end and end.isoformat()}
    return {key: value for key, value in given.items() if value}, (start, end)


def names_in(entries: Sequence[Entry], *columns: str) -> list[str]:
    return sorted({getattr(entry, column) for entry in entries for column in columns})


def one_or_more(names: Sequence[str]) -> st.SearchStrategy[str | list[str]]:
    """One name, or a list of several."""
    one = st.sampled_from(names)
    return one if len(names) < 2 else one | st.lists(one, min_size=2, max_size=3, unique=True)


@st.composite
def limits(draw: st.DrawFn, entries: Sequence[Entry], *names: str) -> dict[str, Any]:
    """Some of the arguments that narrow a question about a ledger."""
    bound = st.sampled_from(["0", "9.99", "10", "50", "50.01", "1000"])
    choices: dict[str, st.SearchStrategy[Any]] = {
        "category": one_or_more(names_in(entries, "category")),
        "merchant": one_or_more(names_in(entries, "merchant")),
        "account": one_or_more(names_in(entries, "account")),
        "over": bound,
        "under": bound,
        "exclude": st.lists(
            st.sampled_from(names_in(entries, "category", "merchant")), min_size=1, max_size=2, unique=True
        ),
        "exclude_largest": st.integers(1, 3),
    }
    return {name: draw(choices[name]) for name in names if draw(st.integers(0, 3)) == 0}


def most_used(entries: Iterable[Entry]) -> list[str]:
    counts = Counter(entry.currency for entry in entries)
    return sorted(counts, key=lambda currency: (-counts[currency], currency))


def within(entry: Entry, days: Days) -> bool:
    return (days[0] is None or entry.day >= days[0]) and (days[1] is None or entry.day <= days[1])


def in_scope(entries: Sequence[Entry], asked: Asked, flow: str | None = "spending") -> list[Entry]:
    """Return the entries that a question is about."""
    arguments, main = asked.arguments, most_used(entries)[0]

    def names(key: str) -> set[str]:
        value = arguments.get(key) or ()
        return {value} if isinstance(value, str) else set(value)

    found = [entry for entry in entries if within(entry, asked.days) and flow in (None, entry.flow)]
    for key in ("category", "merchant", "account", "kind"):
        if names(key):
            found = [entry for entry in found if getattr(entry, key) in names(key)]
    found = [entry for entry in found if not {entry.category, entry.merchant} & names("exclude")]
    for key in ("over", "under"):
        if key in arguments:
            bound = Decimal(arguments[key])
            found = [entry for entry in found if entry.currency == main]
            found = [e for e in found if (abs(e.amount) > bound if key == "over" else abs(e.amount) < bound)]
    if flow == "neither":  # the largest are purchases
        return found
    gone = largest([e for e in found if e.currency == most_used(found)[0]])[: arguments.get("exclude_largest", 0)]
    return [entry for entry in found if entry not in gone]


def largest(entries: Iterable[Entry]) -> list[Entry]:
    """Money out, the largest first; of equals the newest."""
    return sorted(bought(entries), key=lambda entry: (entry.minor, -entry.day.toordinal(), -entry.id))


def bought(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.minor < 0]


def refunded(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.minor > 0]


def net(entries: Iterable[Entry]) -> Decimal:
    """Money out less money in, of one currency."""
    entries = list(entries)
    assert len({entry.currency for entry in entries}) <= 1
    return -sum((entry.amount for entry in entries), Decimal(0))


def of(currency: str, entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.currency == currency]


def grouped(entries: Iterable[Entry], key: Callable[[Entry], Any]) -> dict[Any, list[Entry]]:
    found: dict[Any, list[Entry]] = defaultdict(list)
    for entry in entries:
        found[key(entry)].append(entry)
    return found


def share(part: Decimal, whole: Decimal) -> Decimal:
    """In percent, one decimal, half to even: Python rounds fractions so."""
    return Decimal(round(Fraction(part) * 1000 / Fraction(whole))) / 10


def divided(total: Decimal, parts: int, currency: str) -> Decimal:
    """An equal part in whole minor units, half to even."""
    digits = DIGITS[currency]
    return Decimal(round(Fraction(total) * 10**digits / parts)).scaleb(-digits)


def clipped(days: Days, entries: Sequence[Entry], today: date) -> tuple[date, date]:
    """The part of the period from the ledger's beginning to today (or the last entry); an open end is its month's."""
    first, last = min(e.day for e in entries), max(e.day for e in entries)
    latest = max(today, last)
    opening = first.replace(day=1) if first.day <= 7 else first
    start = max(days[0] or opening, opening)
    end = min(days[1] or month_end(last), latest)
    return start, max(start, end)


def full_intervals(days: tuple[date, date], per: str, today: date) -> list[tuple[date, date]]:
    """The whole weeks (from Monday), months or years within some days, without the unfinished one."""
    found = []
    day = days[0]
    while day <= days[1]:
        if per == "day":
            interval = day, day
        elif per == "week":
            interval = day - timedelta(day.weekday()), day + timedelta(6 - day.weekday())
        elif per == "month":
            interval = day.replace(day=1), month_end(day)
        else:
            interval = date(day.year, 1, 1), date(day.year, 12, 31)
        yesterday = today - timedelta(1)
        over = {"day": yesterday, "week": yesterday, "month": today.replace(day=1) - timedelta(1), "year": today}
        if days[0] <= interval[0] and interval[1] <= min(days[1], over[per]):
            found.append(interval)
        day = interval[1] + timedelta(1)
    return found


def value(result: Result, name: str) -> Any:
    return result.fact(name).value


def totals_stated(result: Result) -> dict[str, Decimal]:
    """Return the totals of a result by currency."""
    stated = [fact for fact in result.facts if fact.id == "total" or fact.id.startswith("total_")]
    assert len({fact.currency for fact in stated}) == len(stated)
    return {str(fact.currency): fact.value for fact in stated}  # type: ignore[misc]


def check_empty(result: Result, entries: Sequence[Entry], asked: Asked, flow: str | None = "spending") -> None:
    """An empty scope is said to be, with what there is without one limit after the other."""
    assert (result.kind, value(result, "total"), value(result, "count")) == ("empty", 0, 0)
    if "exclude_largest" in asked.arguments:  # whether those stay left out in the wider scope is left open
        return
    amounts = {"over", "under"}
    dropped: list[set[str]] = [set(), amounts, amounts | {"account"}, amounts | {"account", "exclude"}]
    wider = [
        in_scope(entries, Asked({k: v for k, v in asked.arguments.items() if k not in keys}, (None, None)), flow)
        for keys in dropped
    ]
    there = next((scope for scope in wider if scope), None)
    stated = {fact.id: fact.value for fact in result.facts}
    if there is None:
        assert "elsewhere" not in stated
    else:
        main = of(most_used(there)[0], there)
        assert (stated["elsewhere_count"], stated["elsewhere"]) == (len(main), abs(net(main)))
