"""What one thing that recurs costs or brings: now, since when, how it changed, when it is next (docs/definitions.md, D15)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from language.catalogue import say
from ledger.filters import Filter
from ledger.money import Money
from ledger.recurring import Payment, Rhythm, Series, is_settled
from ledger.transactions import Flow
from tools.apps.levels import apart, opened, two_apart, what_it_replaced
from tools.apps.scope import Asked, clip, holding, no_data
from tools.apps.series import SERIES_OF, commonest, filter_of, last_day, regular, subject_of, table_of
from tools.arithmetic import percent
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Fact, Result, Table
from tools.slots import Categories, Merchants, PeriodPhrase
from tools.slots.names import merchant_keys, names_of
from tools.slots.period import read_period

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from language.catalogue import Template
    from ledger.periods import Period
    from tools.results import Value

About = Literal[
    "price", "since", "change", "changes", "month", "rose", "fell", "changed", "constant", "next", "rhythm", "still",
    "apart", "dearer", "cheaper",
]  # fmt: skip
Regular = Literal["spending", "income", "salary", "savings"]

#: What is asked about where nothing is named.
_YOURS = {"income": "your regular income", "salary": "your salary", "savings": "your savings"}
_CHANGED = ("change", "changes", "month", "rose", "fell", "changed", "constant")
#: What is asked of all of its payments, not of the last change.
_OF_ALL = ("changes", "constant")
#: What is asked of two prices, the second of them that of something else, or of what the first replaced.
_APART = ("apart", "dearer", "cheaper")
_DETAILS = 5
#: What is paid more often than so many times a year is no bill whose price could change.
_MOST_A_YEAR = 13


@tool(
    app="recurring",
    examples=(
        "How much is my rent?",
        "What do I pay for {merchant}?",
        "What does {merchant} cost me?",
        "What is my gym membership?",
        "How much is the phone bill?",
        "What's my salary?",
        "Did {merchant} get more expensive?",
        "When did my rent go up?",
        "How often has my rent gone up since 2024?",
        "Since when do I pay for {merchant}?",
        "When is {merchant} due next?",
        "Wie hoch ist meine Miete?",
        "Was kostet mich {merchant} im Monat?",
        "Wie hoch ist mein Gehalt?",
        "Ist {merchant} teurer geworden?",
        "Seit wann zahle ich {merchant}?",
        "Wann ist die Miete fällig?",
    ),
    keywords=("price", "rent", "bill", "salary", "due", "Preis", "Miete", "Gehalt", "fällig"),
    name="recurring-current",
)
async def current(
    context: ToolContext,
    category: Categories | None = None,
    merchant: Merchants | None = None,
    about: About = "price",
    of: Regular = "spending",
    period: PeriodPhrase | None = None,
    text: str | None = None,
) -> Result:
    """What something regular costs now, or what a regular income is: since when, how it changed, when it is due next.

    Args:
        category: The category.
        merchant: The company or payer.
        about: price, since, change (by how much), changes (how often it changed), month (in which it changed), rose, fell or
            changed (whether it did), constant (whether it was always so much), next, rhythm, still (whether it goes on),
            apart (how far the price is from that of another one that is named, or from what it replaced), dearer or cheaper
            (whether it is, than another one that is named).
        of: spending, income (all that comes in), salary (the largest of it) or savings.
        period: For changes: from before this time to its end; the last change of all unless said.
        text: Only rows whose descriptor holds these words.
    """
    if not context.vocabulary.count:
        return no_data(context)
    income = of in ("income", "salary")
    asked = Asked(category=category, merchant=merchant, text=text)
    found = await regular(asked, SERIES_OF[of], context)
    if about in _APART:
        return await two_apart(asked, SERIES_OF[of], about, context)
    span = read_period(period, context) if period and about in _CHANGED else None
    running = [each for each in found if not each.has_ended(last_day(context))]
    subject = subject_of(asked) or say(_YOURS.get(of, ""))
    if not found:
        wanted = Filter(
            flow=Flow.INCOME if income else Flow.SPENDING,
            categories=names_of(category),
            merchants=merchant_keys(names_of(merchant), context),
            sign=1 if income else -1,
            phrases=await holding(text, context) if text else None,
        )
        return await _irregular(wanted, subject, about, span, context)
    if of == "salary":
        running = sorted(running, key=lambda each: -each.monthly.amount_minor)[:1]
    if about in _CHANGED:
        return _changed(_most_changed(running or found, span), found, about, span, context)
    if len(running) > 1:
        return _several(running, subject, about, context, income=income)
    return _one(running[0] if running else max(found, key=lambda each: each.last), about, context)


def _one(series: Series, about: str, context: ToolContext) -> Result:
    """Say what one series costs now, or what of it was asked."""
    ended = series.has_ended(last_day(context))
    step = step_of(series.payments, None, settled=True) if series.settled else None
    facts = _facts(series, ended=ended)
    if step and step.changes:
        facts += _of_step(step, series.currency)
    headline, asked = _headline(series, about, ended=ended)
    facts.sort(key=lambda fact: fact.id != asked)
    notes = [] if about == "since" else ["since {since}, {count} times"]
    if step and step.changes:
        notes.append("{before} before {changed}")
    if not series.settled:
        notes.append("the amount varies; this is the last one, of {last}")
    if not ended and about != "next":
        notes.append("next around {due}")
    return Result(
        headline=headline,
        facts=tuple(facts),
        notes=tuple(notes),
        names={"what": series.merchant, "per": say(series.rhythm.per)},
        table=_payments(series.payments, series.currency),
        behind=(filter_of([series]),),
    )


def _facts(series: Series, *, ended: bool) -> list[Fact]:
    """Return what is known of one series, its changes aside."""
    facts = [
        Fact.money("price", f"Price {series.rhythm.per}", series.current, subject=series.merchant),
        Fact("since", "First", series.since, "date"),
        Fact("price_since", "At this price since", series.price_since, "date"),
        Fact("last", "Last", series.last, "date"),
        Fact.count("count", "Times", len(series.payments)),
        Fact.money("yearly", "A year", series.yearly, how="the price by its rhythm"),
    ]
    return facts if ended else [*facts, Fact("due", "Next", series.due, "date", how="by its rhythm so far")]


def _headline(series: Series, about: str, *, ended: bool) -> tuple[str, str]:
    """Return the headline's template and the fact that it is about."""
    yearly = say("" if series.rhythm is Rhythm.YEARLY else ", {yearly} a year")
    unchanged = say(", this much since {price_since}" if series.settled and series.changes else "")
    if about == "rhythm":
        return say("{what} comes {how_often}: {price}", how_often=_how_often(series.rhythm)), "price"
    running = {
        "still": ("Yes: {what}, {price} {per}, last on {last}", "price"),
        "since": (say("{what} since {since}: {price} {per} now{unchanged}", unchanged=unchanged), "since"),
        "next": ("{what} next around {due}: {price}", "due"),
        "price": (say("{what} now: {price} {per}{yearly_too}", yearly_too=yearly), "price"),
    }
    over = {
        "still": ("No: {what} ended, the last one was on {last}", "price"),
        "since": ("{what} from {since} to {last}", "since"),
        "next": ("{what} has ended: the last one was on {last}", "last"),
        "price": ("{what} ended: {price} {per} until {last}", "price"),
    }
    return (over if ended else running)[about]


def _how_often(rhythm: Rhythm) -> Template:
    """Return how far apart payments are, as a part of a headline."""
    if rhythm in (Rhythm.MONTHLY, Rhythm.YEARLY):
        return say("once {per}", per=say(rhythm.per))
    if rhythm.months:
        return say("every {months} months", months=str(rhythm.months))
    return say("every {days} days", days=str(rhythm.days))


@dataclass(frozen=True, slots=True)
class Step:
    """From which payment to which something changed, and the payments in between that were not of the size before."""

    before: Payment
    after: Payment
    changes: tuple[Payment, ...]
    ups: int

    @property
    def by(self) -> int:
        """How far it changed, in minor units; below zero where it fell."""
        return self.after.minor - self.before.minor

    @property
    def changed_on(self) -> date | None:
        """The day of the last change, if there was one."""
        return self.changes[-1].day if self.changes else None


def step_of(payments: Sequence[Payment], span: Period | None, *, settled: bool) -> Step | None:
    """Return how payments changed from before a span to its end, else their last change; None where there were none."""
    if span is not None:
        earlier = [each for each in payments if each.day < span.start]
        path = [*earlier[-1:], *(each for each in payments if span.start <= each.day <= span.end)]
    else:
        path = list(payments)
    pairs = [(one, other) for one, other in pairwise(path) if one.minor != other.minor]
    if not path:
        return None
    if span is None:
        pairs = pairs[-1:] if settled else list(pairwise(path))[-1:]
    if not pairs:
        return Step(path[0], path[-1], (), 0)
    ups = sum(other.minor > one.minor for one, other in pairs)
    return Step(pairs[0][0], pairs[-1][1], tuple(other for _, other in pairs), ups)


def _most_changed(found: Sequence[Series], span: Period | None) -> Series:
    """Return that of several which changed last, else the dearest."""
    steps = [(each, step_of(each.payments, span, settled=each.settled)) for each in found]
    changed = [(step.changes[-1].day, each) for each, step in steps if step and step.changes and each.settled]
    return max(changed, key=lambda one: one[0])[1] if changed else found[0]


def _changed(series: Series, every: Sequence[Series], about: str, span: Period | None, context: ToolContext) -> Result:
    """Say by how much a series changed, or how often, in a span or the last time; else how far it is from what it replaced."""
    former = what_it_replaced(series, every, last_day(context)) if not series.changes and about not in _OF_ALL else None
    if former and (span is None or span.start <= series.since <= span.end):  # a new flat is another rent
        return apart(series, former, about, context)
    whole = span or (read_period("all time", context) if about in _OF_ALL else None)
    step = step_of(series.payments, whole, settled=series.settled)
    if step is None:
        return _none(series.merchant, filter_of([series]))
    facts = [*_of_step(step, series.currency), *_facts(series, ended=series.has_ended(last_day(context)))]
    if series.settled and step.changes:
        yearly = series.in_a_year(abs(step.by))
        facts.append(Fact.money("change_yearly", "Difference a year", yearly, how="by its rhythm"))
    if not step.changes:
        headline, asked = say("{what} has not changed since {before_on}: {after} {per}"), "after"
    elif not series.settled and about != "changes":
        headline, asked = _apart(step), "change"
    elif about == "changes":
        headline, asked = _times(step), "times"
    else:
        yearly_too = span is None and series.rhythm is not Rhythm.YEARLY
        headline, asked = _rose(step, in_a_year=yearly_too), "change"
    facts.sort(key=lambda fact: fact.id != asked)
    return Result(
        headline=opened(headline, about, step.by, step.changed_on, context),
        facts=tuple(facts),
        notes=("{dates}",) if span else ("since {since}, {count} times",),
        names={"what": series.merchant, "per": say(series.rhythm.per)},
        table=_payments(series.payments, series.currency),
        period=clip(span, context) if span else None,
        behind=(filter_of([series]),),
    )


def _of_step(step: Step, currency: str) -> list[Fact]:
    """Return the facts of a change: before and after, how far apart they are, when and how many times it changed."""
    facts = [
        Fact.money("after", "After", Money(step.after.minor, currency)),
        Fact("after_on", "Paid", step.after.day, "date"),
        Fact.money("before", "Before", Money(step.before.minor, currency)),
        Fact("before_on", "Paid before", step.before.day, "date"),
        Fact.money("change", "Difference", Money(abs(step.by), currency), how="new less old"),
        Fact.count("times", "Changes", len(step.changes)),
    ]
    if step.changes:
        facts.append(Fact("changed", "Changed", step.changes[-1].day, "date"))
    share = percent(abs(step.by), step.before.minor)
    if share is not None:
        facts.append(Fact("change_share", "Difference, of the old", share, "percent", None, "difference / old"))
    return facts


#: How a price went up (or down), at once (or in steps).
_ROSE = {
    (True, True): "{what} went up by {change} ({change_share}) on {changed}: "
    "{after} {per} since then, {before} before{a_year}",
    (True, False): "{what} went up by {change} ({change_share}) in {times} steps, the last on {changed}: "
    "{after} {per} since then, {before} before{a_year}",
    (False, True): "{what} went down by {change} ({change_share}) on {changed}: "
    "{after} {per} since then, {before} before{a_year}",
    (False, False): "{what} went down by {change} ({change_share}) in {times} steps, the last on {changed}: "
    "{after} {per} since then, {before} before{a_year}",
}


def _rose(step: Step, *, in_a_year: bool) -> Template:
    """Return the headline of a price that went up or down, at once or in steps."""
    if not step.by:
        return say("{what} changed {times} times and is back at {after} {per} since {changed}")
    more = ", so {change_yearly} more a year" if step.by > 0 else ", so {change_yearly} less a year"
    form = _ROSE[step.by > 0, len(step.changes) == 1]
    return say(form, a_year=say(more if in_a_year else ""))


def _times(step: Step) -> Template:
    """Return the headline of how many times a price changed."""
    times = "{times} time" if len(step.changes) == 1 else "{times} times"
    ways = "up" if step.ups == len(step.changes) else "down" if not step.ups else "up and down"
    return say(f"{{what}} went {ways} {times}, last on {{changed}}: {{after}} {{per}}, {{before}} at first")


def _apart(step: Step) -> Template:
    """Return the headline of two payments of what varies."""
    less = "more" if step.by > 0 else "less"
    return say(
        f"{{what}}: {{after}} on {{after_on}}, {{change}} ({{change_share}}) {less} than {{before}} on {{before_on}}"
    )


def _several(running: Sequence[Series], subject: str, about: str, context: ToolContext, *, income: bool) -> Result:
    """Say what several series of one subject come to, each by itself beside the sum."""
    if about in ("next", "since"):
        ordered = sorted(running, key=lambda each: each.due if about == "next" else each.since)
        return _one(ordered[0], about, context)
    main = commonest(running)
    monthly = Money(sum(each.monthly.amount_minor for each in running if each.currency == main), main)
    yearly = Money(sum(each.yearly.amount_minor for each in running if each.currency == main), main)
    facts = [Fact.money("price", "A month, in all", monthly), Fact.count("count", "Number", len(running))]
    facts.append(Fact.money("yearly", "A year, in all", yearly, how="each price by its rhythm"))
    facts += [
        Fact.money(f"price_{number}", f"Price {each.rhythm.per}", each.current, subject=each.merchant)
        for number, each in enumerate(running[:_DETAILS], 1)
    ]
    noun = "incomes" if income else "regular payments"
    return Result(
        headline=say("{what} now: {price} a month, {yearly} a year, {count} {noun}", noun=say(noun)),
        facts=tuple(facts),
        details=tuple(f"price_{number}" for number in range(1, min(len(running), _DETAILS) + 1)),
        names={"what": subject},
        table=table_of(running),
        behind=(filter_of(running),),
    )


async def _irregular(wanted: Filter, subject: str, about: str, span: Period | None, context: ToolContext) -> Result:
    """Say of what does not recur what the last one was, or how far it is from the one before."""
    rows = await context.ledger.rows(wanted, "oldest")
    if not rows:
        return _none(subject, wanted)
    payments = [Payment(row.booked_on, abs(row.amount_minor)) for row in rows]
    compared = about in _CHANGED and _are_seldom(payments)
    step = step_of(payments, span, settled=is_settled(payments)) if compared else None
    names: dict[str, Value | Money] = {"what": subject}
    if step and step.by and len({row.currency for row in rows}) == 1:
        facts = _of_step(step, rows[0].currency)
        facts.sort(key=lambda fact: fact.id != "change")
        return Result(
            headline=opened(_apart(step), about, step.by, step.changed_on, context),
            facts=tuple(facts),
            names=names,
            table=_payments(payments, rows[0].currency),
            behind=(wanted,),
        )
    if about == "since":
        return Result(
            headline="{what} since {since}",
            facts=(Fact("since", "First", rows[0].booked_on, "date"), Fact("last", "Last", rows[-1].booked_on, "date")),
            notes=("nothing regular; the last one was on {last}",),
            names=names,
            table=_payments(payments, rows[0].currency),
            behind=(wanted,),
        )
    row = rows[-1]
    return Result(
        headline="{price} for {what} on {last}, the latest payment; nothing regular",
        facts=(
            Fact.money("price", "Latest payment", Money(abs(row.amount_minor), row.currency), subject=row.merchant),
            Fact("last", "Date", row.booked_on, "date"),
        ),
        names=names,
        behind=(wanted,),
    )


def _are_seldom(payments: Sequence[Payment]) -> bool:
    """Whether payments are so far between that one can be set against another, unlike those of a shop."""
    years = (payments[-1].day - payments[0].day).days / 365
    return 1 < len(payments) <= max(2, _MOST_A_YEAR * years)


def _none(subject: str, wanted: Filter) -> Result:
    return Result(
        "I find nothing regular for {what} in your ledger.", names={"what": subject}, behind=(wanted,), kind="empty"
    )


def _payments(payments: Sequence[Payment], currency: str) -> Table:
    """Return the payments, the newest first."""
    rows = tuple((payment.day, Money(payment.minor, currency)) for payment in reversed(payments))
    return Table((Column("Date", "date"), Column("Amount", "money")), rows)
