"""How much is there: what is in accounts and owed on cards, now, on a day and through a time (docs/definitions.md, D19)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal

from language.catalogue import joined, say
from ledger.money import Money
from ledger.periods import Period
from tools.apps.holdings import (
    Held,
    Holdings,
    Remarks,
    commonest,
    holdings_of,
    rows_behind,
    since,
    unknown_then,
    unstated,
)
from tools.apps.scope import no_data
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Chart, Column, Fact, Result, Table
from tools.slots import Accounts, EndDate, StartDate
from tools.slots.period import period_of
from tools.wording import day as day_of
from tools.wording import day_range, enumeration, tick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from language.catalogue import Template

Told = Literal["balance", "net_worth", "owed", "overdrawn", "below_zero", "lowest", "highest"]
Grain = Literal["day", "week", "month", "quarter", "year"]

_DAY = timedelta(1)
_DETAILS = 5
#: Of more points than these, the latest are listed and charted.
_MOST_POINTS = 500
_MONTHS = {"month": 1, "quarter": 3, "year": 12}


@tool(
    app="accounts",
    examples=(
        "How much money do I have?",
        "What is my balance?",
        "What was my balance at the end of September?",
        "What's in my savings?",
        "How much do I owe on my credit card?",
        "Am I overdrawn?",
        "What was my lowest balance {period}?",
        "My balance by month {period}",
        "What is my net worth?",
        "Wie ist mein Kontostand?",
        "Kontostand Ende Oktober",
        "Wie viel Geld habe ich?",
        "Wie viel schulde ich auf der Kreditkarte?",
        "War ich {period} im Minus?",
        "Wie hat sich mein Kontostand entwickelt?",
    ),
    keywords=("balance", "overdrawn", "owe", "net worth", "Kontostand", "Saldo", "Guthaben", "im Minus", "Schulden"),
    name="accounts-balance",
)
async def balance(
    context: ToolContext,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
    account: Accounts | None = None,
    told: Told = "balance",
    grain: Grain | None = None,
) -> Result:
    """What is in accounts and owed on cards and loans: at the end of a period, or through it, as stated balances and rows tell.

    Args:
        start_date: First day, or a period phrase; a balance is that at the end of it, without one the latest that is known.
        end_date: Last day.
        account: Only of these accounts.
        told: balance, net_worth or owed at the end, overdrawn for whether it is now; below_zero, lowest or highest of all days.
        grain: The balance at the end of each day, week, month, quarter or year.
    """
    period = period_of(start_date, end_date, context)
    holdings = await holdings_of(account, context)
    if not holdings.held and not context.vocabulary.accounts:
        return no_data(context)
    holdings = _asked_about(holdings, told, named=account is not None)
    if not holdings.held:
        return unstated(holdings.missing, context)
    asked = _Asked(holdings, period, context)
    if not asked.known or period.start > max(holdings.as_of, context.today):
        return unknown_then(holdings, period)
    if grain is not None:
        return _history(asked, grain)
    if told in ("lowest", "highest", "below_zero"):
        return _through(asked, told)
    return _on_a_day(asked, told)


def _asked_about(holdings: Holdings, told: Told, *, named: bool) -> Holdings:
    """Leave out the cards and loans where money is asked about, and all else where debts are, unless accounts are named."""
    if named or told in ("balance", "net_worth"):
        return holdings
    if told == "owed":
        owing = [each for each in holdings.held if each.owes or each.at(each.last).amount_minor < 0]
        asked = holdings.only(owing, owing=True)
        return asked if owing or asked.missing else holdings
    return holdings.only([each for each in holdings.held if not each.owes] or holdings.held, owing=False)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The accounts and the time of a question, of which some is known."""

    holdings: Holdings
    period: Period
    context: ToolContext

    @property
    def known(self) -> tuple[Held, ...]:
        """The accounts of which something is known in that time."""
        return tuple(each for each in self.holdings.held if each.run.first <= self.day)

    @property
    def day(self) -> date:
        """The last day of it that is known."""
        return min(self.period.end, self.holdings.as_of)

    @property
    def is_now(self) -> bool:
        """Whether it ends with what is known."""
        return self.day == self.holdings.as_of

    def remark(self, remarks: Remarks) -> None:
        """Add the notes about accounts that are known less well, or not."""
        later = [each.name for each in self.holdings.held if each.run.first > self.day]
        remarks.lagging(self.known, self.day)
        if later:
            remarks.names["later"] = enumeration(later, self.context.language)
            remarks.notes.append("nothing is known of {later} then")
        remarks.missing(self.holdings)


def _on_a_day(asked: _Asked, told: Told) -> Result:
    """Return what is in the accounts at the end of a day."""
    day, remarks = asked.day, Remarks(asked.context)
    known = asked.known
    if len(known) == 1:
        remarks.basis(known[0], day)
    else:
        remarks.notes.append("each as last stated, and the rows since")
    facts = [*_totals(known, day, asked.context, owed=told == "owed"), Fact("as_of", "As of", day, "date")]
    for number, each in enumerate(known, start=1):
        facts.append(Fact.money(f"account_{number}", "Balance", each.at(day), subject=each.name))
    owing = [each.name for each in known if each.owes and each.at(day).amount_minor < 0]
    if owing and len(known) > 1 and told in ("balance", "net_worth"):
        remarks.names["owing"] = enumeration(owing, asked.context.language)
        remarks.notes.append("what is owed on {owing} is taken off")
    bases = [(each, each.run.basis(min(day, each.last)).after) for each in known]
    remarks.gaps([(each, min(basis, day), max(basis, day)) for each, basis in bases])
    asked.remark(remarks)
    negative = [each for each in known if each.at(day).amount_minor < 0]
    names = {
        **remarks.names,
        "where": known[0].account.name,
        "accounts": _accounts(known),
        "below": _names(negative, asked.context),
    }
    told_then = _HEADLINES[told](known, facts, negative)
    rows = tuple((each.name, each.at(day), min(day, each.last)) for each in known)
    return Result(
        headline=say("{told} as of {as_of}" if asked.is_now else "{told} on {as_of}", told=told_then),
        facts=tuple(facts),
        notes=tuple(remarks.notes),
        details=tuple(f"account_{number}" for number in range(1, min(len(known), _DETAILS) + 1))
        if len(known) > 1
        else (),
        names=names,
        table=Table((Column("Account"), Column("Balance", "money"), Column("As of", "date")), rows),
        period=Period(day, day),
        behind=rows_behind(known, day),
        form="accounts",
    )


def _totals(known: Sequence[Held], day: date, context: ToolContext, *, owed: bool = False) -> list[Fact]:
    """Return the sum of each currency, the commonest first; what is owed has no minus."""
    sums: dict[str, int] = {commonest(known, context): 0}
    for each in known:
        minor = each.at(day).amount_minor
        sums[each.currency] = sums.get(each.currency, 0) + (min(0, minor) if owed else minor)
    label, sign = ("Owed", -1) if owed else ("Balance", 1)
    return [
        Fact.money("total" if not place else f"total_{code.casefold()}", label, Money(sign * minor, code))
        for place, (code, minor) in enumerate(sums.items())
    ]


def _sums_of(facts: Sequence[Fact]) -> Template:
    """Return the totals of all currencies as they stand in a headline."""
    *most, last = [say(f"{{{fact.id}}}") for fact in facts if fact.id.startswith("total")]
    return joined((joined(most, ", "), last), " and ") if most else last


def _where(known: Sequence[Held]) -> Template:
    return say("in {where}") if _accounts(known) == 1 else say("in {accounts} accounts")


def _names(held: Sequence[Held], context: ToolContext) -> str:
    return enumeration([each.name for each in held], context.language) if held else ""


def _accounts(known: Sequence[Held]) -> int:
    """Return of how many accounts these are, some of which may have several currencies."""
    return len({each.account.id for each in known})


def _balance_headline(known: Sequence[Held], facts: Sequence[Fact], negative: Sequence[Held]) -> Template:
    if len(known) == 1 and known[0].owes:
        owed = "{account_1} on {where}, which is owed,"
        return say(owed if negative else "Nothing owed on {where}: {account_1} there")
    return say("{sums} {where}", sums=_sums_of(facts), where=_where(known))


def _net_worth_headline(known: Sequence[Held], facts: Sequence[Fact], negative: Sequence[Held]) -> Template:
    del negative
    return say(
        "{sums} in all, of the account you imported,"
        if _accounts(known) == 1
        else "{sums} in all, of the {accounts} accounts you imported,",
        sums=_sums_of(facts),
    )


def _owed_headline(known: Sequence[Held], facts: Sequence[Fact], negative: Sequence[Held]) -> Template:
    if not negative:
        one = len(known) == 1
        return say("Nothing owed: {account_1} in {where}" if one else "Nothing owed: no account is below zero")
    return say("{sums} owed on {below}", sums=_sums_of(facts))


def _overdrawn_headline(known: Sequence[Held], facts: Sequence[Fact], negative: Sequence[Held]) -> Template:
    if not negative:
        form = "No: {sums} {where}"
    else:
        one = len(negative) == 1
        form = "Yes: {below} is below zero: {sums} {where}" if one else "Yes: {below} are below zero: {sums} {where}"
    return say(form, sums=_sums_of(facts), where=_where(known))


_HEADLINES = {
    "balance": _balance_headline,
    "net_worth": _net_worth_headline,
    "owed": _owed_headline,
    "overdrawn": _overdrawn_headline,
}


@dataclass(frozen=True, slots=True)
class _Days:
    """One account through some days: its lowest and highest balance, and on how many days it was below zero."""

    held: Held
    start: date
    end: date
    turns: list[tuple[date, int]]

    @classmethod
    def of(cls, held: Held, period: Period) -> _Days | None:
        days = held.days(period)
        return None if days is None else cls(held, *days, held.run.turns(*days))

    def extreme(self, told: str) -> tuple[date, Money]:
        """Return the first day of the lowest or highest balance, and how much it was."""
        sign = -1 if told == "highest" else 1
        day, minor = min(self.turns, key=lambda turn: (sign * turn[1], turn[0]))
        return day, Money(minor, self.held.currency)

    @property
    def below(self) -> tuple[int, date | None]:
        """The number of days at whose end it was below zero, and the last of them."""
        ends = [day - _DAY for day, _ in self.turns[1:]] + [self.end]
        under = [(day, end) for (day, minor), end in zip(self.turns, ends, strict=True) if minor < 0]
        return sum((end - day).days + 1 for day, end in under), under[-1][1] if under else None


def _through(asked: _Asked, told: Told) -> Result:
    """Return the lowest or highest balance of each account through a time, and whether any was below zero."""
    found = [days for each in asked.known if (days := _Days.of(each, asked.period))]
    if not found:
        return unknown_then(asked.holdings, asked.period)
    which = "highest" if told == "highest" else "lowest"
    main = commonest([days.held for days in found], asked.context)
    sign = -1 if told == "highest" else 1
    first = min(found, key=lambda d: (d.held.currency != main, sign * d.extreme(which)[1].amount_minor, d.held.name))
    below = [days for days in found if days.below[0]]
    remarks, (on, money) = Remarks(asked.context), first.extreme(which)
    facts = [
        Fact.money("total", f"{which.capitalize()} balance", money, subject=first.held.name),
        Fact("on", f"On which day it was {which}", on, "date"),
        Fact("days_below", "Days below zero", sum(days.below[0] for days in below), "days"),
    ]
    if below:
        facts.append(Fact("last_below", "Last day below zero", max(filter(None, (d.below[1] for d in below))), "date"))
    for number, days in enumerate(found, start=1):
        label = f"{which.capitalize()} balance"
        facts.append(Fact.money(f"account_{number}", label, days.extreme(which)[1], subject=days.held.name))
    remarks.notes.append("at the end of a day, {dates_known}")
    remarks.gaps([(days.held, days.start, days.end) for days in found])
    asked.remark(remarks)
    start, end = min(days.start for days in found), max(days.end for days in found)
    remarks.names["dates_known"] = _range(start, end, asked.context)
    there = say(" in {where}") if len(asked.holdings.held) > 1 else ""
    headline: str = say(f"{which.capitalize()} {{total}}{{there}} on {{on}}", there=there)
    if told == "below_zero":
        headline = "No: never below zero {when}; the lowest was {total} in {where} on {on}"
        if below:
            count = "1 day" if facts[2].value == 1 else "{days_below} days"
            headline = f"Yes: below zero on {count} {{when}}, in {{below}}; the lowest was {{total}} on {{on}}"
    rows = tuple(
        (
            days.held.name,
            days.extreme("lowest")[1],
            days.extreme("lowest")[0],
            days.extreme("highest")[1],
            days.below[0],
        )
        for days in found
    )
    columns = Column("Account"), Column("Lowest", "money"), Column("On", "date"), Column("Highest", "money")
    return Result(
        headline=headline,
        facts=tuple(facts),
        notes=tuple(remarks.notes),
        details=tuple(f"account_{number}" for number in range(1, min(len(found), _DETAILS) + 1))
        if len(found) > 1
        else (),
        names={
            **remarks.names,
            "where": first.held.name,
            "below": _names([days.held for days in below], asked.context),
        },
        table=Table((*columns, Column("Days below zero", "count")), rows),
        chart=_line(say("{account}", account=first.held.name), first.turns, first.held.currency, asked.context),
        period=asked.period,
        behind=rows_behind([days.held for days in found], end),
    )


def _history(asked: _Asked, grain: Grain) -> Result:
    """Return what was in the accounts at the end of each interval in which the balance of all of them is known."""
    main = commonest(asked.known, asked.context)
    shown = [each for each in asked.known if each.currency == main]
    span = since(shown, asked.period)
    if span is None:
        return unknown_then(asked.holdings, asked.period)
    ends = _ends(span, grain, asked.context.week_start)
    points = [(end, sum(each.at(end).amount_minor for each in shown)) for end in ends]
    remarks = Remarks(asked.context)
    remarks.notes.append(f"at the end of each {grain}, {{dates_known}}")
    remarks.names["dates_known"] = _range(span.start, span.end, asked.context)
    if span.start > asked.period.start > date.min or (asked.period.start == date.min and len(shown) > 1):
        remarks.notes.append(
            "from where the balance of all of them is known" if len(shown) > 1 else "from where it is known"
        )
    others = sorted({each.currency for each in asked.known} - {main})
    if others:
        remarks.names["others"] = enumeration(others, asked.context.language)
        remarks.notes.append("what is in {others} is left out")
    remarks.gaps([(each, span.start, span.end) for each in shown])
    asked.remark(remarks)
    first, last = points[0], points[-1]
    facts = [
        Fact.money("total", "Balance at the end", Money(last[1], main)),
        Fact("as_of", "As of", last[0], "date"),
        Fact.money("first", "Balance at first", Money(first[1], main)),
        Fact("first_on", "At first", first[0], "date"),
        Fact.money("difference", "Difference", Money(last[1] - first[1], main), how="at the end less at first"),
        *(
            Fact.money(f"point_{number}", day_of(end, asked.context.language), Money(minor, main))
            for number, (end, minor) in enumerate(points[-_DETAILS:], start=1)
        ),
    ]
    return Result(
        headline=say(
            "{total} {where} on {as_of}, {first} on {first_on}" if len(points) > 1 else "{total} {where} on {as_of}",
            where=_where(shown),
        ),
        facts=tuple(facts),
        notes=tuple(remarks.notes),
        names={**remarks.names, "where": shown[0].account.name, "accounts": _accounts(shown)},
        table=Table(
            (Column("At the end of", "date"), Column("Balance", "money")),
            tuple((end, Money(minor, main)) for end, minor in points[-_MOST_POINTS:]),
        ),
        chart=_line("Balance", points, main, asked.context),
        period=asked.period,
        behind=rows_behind(shown, span.end),
    )


def _ends(span: Period, grain: Grain, week_start: int) -> list[date]:
    """Return the last day of each interval of a stretch, and that of the stretch."""
    ends, day = [], span.start
    while (end := _end_of(day, grain, week_start)) < span.end:
        ends.append(end)
        day = end + _DAY
    return [*ends, span.end]


def _end_of(day: date, grain: Grain, week_start: int) -> date:
    """Return the last day of the interval that a day is in."""
    if grain == "day":
        return day
    if grain == "week":
        return day + timedelta((week_start - day.weekday() - 1) % 7)
    size = _MONTHS[grain]
    number = day.year * 12 + (day.month - 1) // size * size + size
    return date(number // 12, number % 12 + 1, 1) - _DAY


def _line(title: str, points: Sequence[tuple[date, int]], currency: str, context: ToolContext) -> Chart:
    shown = points[-_MOST_POINTS:]
    labels = tuple(day_of(day, context.language) for day, _ in shown)
    ticks = tuple(tick(day, "day", context.language) for day, _ in shown)
    return Chart(title, labels, tuple(Money(minor, currency).amount for _, minor in shown), currency, "line", ticks)


def _range(start: date, end: date, context: ToolContext) -> str:
    return day_range(start, end, context.language)
