"""What stands out: what changed most, possible double charges, what is out of line, days without spending."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Literal

from language.catalogue import say
from ledger.filters import Filter
from ledger.judgement import UNCATEGORISED
from ledger.money import Money
from ledger.periods import Period, full_months, previous_period, same_days
from ledger.recurring import recurring
from ledger.transactions import Flow, Kind
from tools.apps.scope import Asked, Scoped, clip, nothing, resolve, spent
from tools.apps.transactions import transaction_table
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Chart, Column, Fact, Result, Table
from tools.slots import Accounts, Categories, EndDate, Excluded, Merchants, PeriodPhrase, StartDate
from tools.slots.period import read_period
from tools.wording import month_name, period_name, tick

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.transactions import Transaction

By = Literal["category", "merchant"]
Direction = Literal["both", "up", "down"]
Looked = Literal["days", "months", "purchases"]

_SHOWN = 10
_DETAILS = 5
#: Equal amounts at one merchant so many days apart may be one purchase charged twice.
_DOUBLE_WITHIN = 2
#: As often as this the same amount at a merchant is no everyday price.
_SELDOM = 3
#: From how many times the usual amount on a purchase, and the usual month on a month, is out of line.
_FAR = Decimal(3)
_FEWEST = 4


@tool(
    app="spending",
    name="spending-changes",
    examples=(
        "What changed most compared to the month before?",
        "Which category rose the most {period}?",
        "Why was {period} so expensive?",
        "Where did I spend more than the month before?",
        "Which categories went down {period}?",
        "Was hat sich gegenüber dem Vormonat am meisten verändert?",
        "Welche Kategorie ist {period} am stärksten gestiegen?",
        "Warum war {period} so teuer?",
    ),
    keywords=("changed", "rose", "why", "increase", "verändert", "gestiegen", "warum"),
)
async def changes(
    context: ToolContext,
    period: PeriodPhrase = "last_month",
    against: PeriodPhrase | None = None,
    by: By = "category",
    direction: Direction = "both",
    category: Categories | None = None,
    account: Accounts | None = None,
    exclude: Excluded | None = None,
) -> Result:
    """What changed most between two periods, by category or merchant: how much more or less each.

    Args:
        period: The period asked about.
        against: The period that it is set against; the one before it unless said.
        by: category or merchant.
        direction: Only what went up, only what went down, or both.
        category: Only in this category.
        account: Only from this account.
        exclude: Merchants or categories to leave out.
    """
    scoped = await resolve(
        Asked(None, None, period, category, None, account, None, None, exclude), context, Flow.SPENDING
    )
    now, before = _sides(scoped.period, against, context)
    newer, older = await _groups(scoped, now, by, context), await _groups(scoped, before, by, context)
    if not newer and not older:
        return await nothing(scoped, context)
    currency = next(iter((newer or older).values())).currency
    ranked = _steps(newer, older)
    wanted = [each for each in ranked if each[3] and (direction == "both" or (each[3] > 0) == (direction == "up"))]
    names = {**scoped.names, "now": period_name(now, context.language), "before": period_name(before, context.language)}
    facts = _totals_of(newer, older, currency)
    difference = sum(money.amount_minor for money in newer.values()) - sum(
        money.amount_minor for money in older.values()
    )
    notes = ["{total_now} in {now}, {total_before} in {before}"]
    behind = (scoped.without(period=now), scoped.without(period=before))
    if not wanted:
        way = {"up": "up", "down": "down"}.get(direction, "up or down")
        headline = say(f"Nothing went {way}{{subject}} from {{before}} to {{now}}.", subject=scoped.subject)
        return Result(headline, tuple(facts), tuple(notes), names=names, period=now, behind=behind)
    label, _, _, step = wanted[0]
    if by == "category" and label == UNCATEGORISED:  # which says nothing: its merchants do
        return await changes(context, period, against, "merchant", direction, category, account, exclude)
    names["what"] = label
    mostly: str = ""
    if by == "category":
        inside = replace(scoped, wanted=scoped.without(categories=(label,)))
        names["mostly"] = await _mover(inside, now, before, context, up=step > 0)
        mostly = say(", mostly at {mostly}") if names["mostly"] else ""
    facts.insert(0, Fact.money("most", "The most", Money(abs(step), currency), subject=label))
    for number, (each, _, _, by_how_much) in enumerate(wanted[:_SHOWN], 1):
        money = Money(abs(by_how_much), currency)
        facts.append(Fact.money(f"step_{number}", "More" if by_how_much > 0 else "Less", money, subject=each))
    way = "more" if difference > 0 else "less"
    headline = say(
        "{what}: {most} more in {now} than in {before}{mostly}, the biggest change"
        if step > 0
        else "{what}: {most} less in {now} than in {before}{mostly}, the biggest change",
        mostly=mostly,
    )
    notes.insert(0, f"{{difference}} {way} in all" if difference else "the same in all")
    return Result(
        headline=headline,
        facts=tuple(facts),
        notes=(*notes, *scoped.restrictions),
        details=tuple(f"step_{number}" for number in range(1, min(len(wanted), _DETAILS) + 1))
        if len(wanted) > 1
        else (),
        names=names,
        table=Table(
            (Column(by.capitalize()), Column("Before", "money"), Column("Now", "money"), Column("Change", "money")),
            tuple((each, old, new, Money(step, currency)) for each, old, new, step in wanted[:_SHOWN]),
        ),
        period=now,
        behind=behind,
    )


@tool(
    app="transactions",
    name="transactions-find_duplicates",
    examples=(
        "Was I charged twice for anything?",
        "Any double charges {period}?",
        "Find duplicate payments",
        "Did {merchant} charge me twice?",
        "Wurde mir etwas doppelt abgebucht?",
        "Gibt es doppelte Buchungen?",
    ),
    keywords=("duplicate", "twice", "double charge", "doppelt", "zweimal"),
)
async def find_duplicates(
    context: ToolContext,
    merchant: Merchants | None = None,
    category: Categories | None = None,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
    account: Accounts | None = None,
) -> Result:
    """Possible double charges: the same amount at the same merchant twice within two days, or a regular bill too soon.

    Args:
        merchant: Only at this merchant.
        category: Only in this category.
        start_date: First day, or a period phrase.
        end_date: Last day.
        account: Only from this account.
    """
    scoped = await resolve(Asked(start_date, end_date, None, category, merchant, account), context, Flow.SPENDING)
    rows = await context.ledger.rows(replace(scoped.wanted, sign=-1), "oldest")
    if not rows:
        return await nothing(scoped, context)
    regular = {each.merchant: each.rhythm.least // 2 for each in await recurring(context.ledger)}
    doubled = sorted(_doubled(rows, regular), key=lambda pair: (pair[1].amount_minor, pair[1].id))
    note = say(
        "the same amount at the same merchant within {days} days, where that is not usual, or a regular bill "
        "before its time; both may be right",
        days=str(_DOUBLE_WITHIN),
    )
    merging = "“rows 1 and 2 are one” makes one of two that are the same payment"
    if not doubled:
        return Result(
            say("No: I find no possible double charge{subject} {when}.", subject=scoped.subject),
            (Fact.count("count", "Number", 0),), (note,),
            names=scoped.names, period=scoped.period, behind=(scoped.wanted,),
        )  # fmt: skip
    facts = [Fact.count("count", "Possible double charges", len(doubled))]
    facts += [
        Fact.money(
            f"double_{number}", "Charged twice", Money(-second.amount_minor, second.currency), subject=second.merchant
        )
        for number, (_, second) in enumerate(doubled[:_SHOWN], 1)
    ]
    facts.append(Fact("day", "Charged again", doubled[0][1].booked_on, "date", subject=doubled[0][1].merchant))
    one = len(doubled) == 1
    return Result(
        headline=say(
            "Yes, perhaps: 1 possible double charge{subject} {when}, {double_1} at {what} on {day}"
            if one
            else "Yes, perhaps: {count} possible double charges{subject} {when}",
            subject=scoped.subject,
        ),
        facts=tuple(facts),
        notes=(note, merging),
        details=() if one else tuple(f"double_{number}" for number in range(1, min(len(doubled), _DETAILS) + 1)),
        names={**scoped.names, "what": doubled[0][1].merchant},
        table=transaction_table([row for pair in doubled for row in pair]),
        listed=tuple(row.id for pair in doubled for row in pair),
        period=scoped.period,
        behind=(Filter(period=scoped.period, flow=Flow.SPENDING, merchants=scoped.wanted.merchants),),
    )


@tool(
    app="spending",
    name="spending-find_unusual",
    examples=(
        "Anything unusual {period}?",
        "Any strange charges lately?",
        "Which month was out of line?",
        "What stands out in my spending?",
        "Gab es {period} ungewöhnliche Ausgaben?",
        "Fällt dir etwas Auffälliges auf?",
    ),
    keywords=("unusual", "strange", "out of line", "ungewöhnlich", "auffällig"),
)
async def find_unusual(
    context: ToolContext,
    looked: Looked = "purchases",
    category: Categories | None = None,
    merchant: Merchants | None = None,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
) -> Result:
    """What is far above the usual: purchases against others at the merchant or in the category, or months against others.

    Args:
        looked: purchases, or months.
        category: Only in this category.
        merchant: Only at this merchant.
        start_date: First day, or a period phrase.
        end_date: Last day.
    """
    scoped = await resolve(Asked(start_date, end_date, None, category, merchant), context, Flow.SPENDING)
    totals = await context.ledger.totals(scoped.wanted)
    if not totals:
        return await nothing(scoped, context)
    if looked != "purchases":
        return await _unusual_month(scoped, context, totals[0].currency)
    every = await context.ledger.rows(
        scoped.without(period=Period(date.min, date.max), currency=totals[0].currency, sign=-1), "oldest"
    )
    usual = _usual(every)
    regular = {each.merchant for each in await recurring(context.ledger) if each.settled}
    span = scoped.period
    far = [
        row
        for row in every
        if span.start <= row.booked_on <= span.end
        and row.merchant not in regular
        and usual.get(row.category) is not None
        and -row.amount_minor > _FAR * usual[row.category]
    ]
    far.sort(key=lambda row: (row.amount_minor, row.id))
    note = "purchases of more than three times the usual amount in their category"
    if not far:
        return Result(
            say("Nothing stands out{subject} {when}.", subject=scoped.subject), (Fact.count("count", "Number", 0),), (note,),
            names=scoped.names, period=scoped.period, behind=(scoped.wanted,),
        )  # fmt: skip
    facts = [Fact.count("count", "Number that stand out", len(far))]
    facts += [
        Fact.money(f"far_{number}", "Amount", Money(-row.amount_minor, row.currency), subject=row.merchant)
        for number, row in enumerate(far[:_SHOWN], 1)
    ]
    return Result(
        headline="{far_1} at {what} stands out the most {when}, of {count} purchases that do"
        if len(far) > 1
        else "{far_1} at {what} stands out the most {when}",
        facts=tuple(facts),
        notes=(note,),
        details=tuple(f"far_{number}" for number in range(1, min(len(far), _DETAILS) + 1)) if len(far) > 1 else (),
        names={**scoped.names, "what": far[0].merchant},
        table=transaction_table(far[:_SHOWN]),
        listed=tuple(row.id for row in far[:_SHOWN]),
        period=scoped.period,
        behind=(scoped.wanted,),
    )


@tool(
    app="spending",
    name="spending-quiet_days",
    examples=(
        "On how many days did I spend nothing {period}?",
        "How many no-spend days did I have {period}?",
        "An wie vielen Tagen habe ich {period} nichts ausgegeben?",
    ),
    keywords=("nothing", "no-spend", "nichts ausgegeben"),
)
async def quiet_days(
    context: ToolContext,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
    category: Categories | None = None,
    merchant: Merchants | None = None,
    account: Accounts | None = None,
    exclude: Excluded | None = None,
) -> Result:
    """How many days of a period had no purchase at all, and the longest run of them.

    Args:
        start_date: First day, or a period phrase.
        end_date: Last day.
        category: Only purchases in this category count.
        merchant: Only purchases at this merchant count.
        account: Only purchases from this account count.
        exclude: Merchants or categories whose purchases don't count.
    """
    scoped = await resolve(
        Asked(start_date, end_date, None, category, merchant, account, None, None, exclude), context, Flow.SPENDING
    )
    if not context.vocabulary.count:
        return await nothing(scoped, context)
    span = clip(scoped.period, context)
    span = replace(span, end=min(span.end, context.vocabulary.last or span.end))
    if scoped.period.end < span.start or span.end < span.start:  # nothing is known of such days
        return await nothing(scoped, context)
    groups = await context.ledger.groups(replace(scoped.wanted, period=span, sign=-1), "day")
    busy = {date.fromisoformat(group.key) for group in groups}
    days = [span.start + timedelta(number) for number in range(span.days)]
    days = [each for each in days if not span.weekdays or each.weekday() in span.weekdays]
    quiet = [each for each in days if each not in busy]
    longest = _longest_run(quiet)
    facts = [
        Fact.count("count", "Days without spending", len(quiet)),
        Fact.count("days", "Days", len(days)),
        Fact.count("longest", "Longest run", len(longest)),
    ]
    notes = ["of {days} days, {dates}"]
    if len(longest) > 1:
        facts += [Fact("longest_from", "Its first day", longest[0], "date")]
        notes.append("the longest run: {longest} days from {longest_from}")
    noun = "day" if len(quiet) == 1 else "days"
    return Result(
        headline=say(f"{{count}} {noun} without spending{{subject}} {{when}}", subject=scoped.subject),
        facts=tuple(facts),
        notes=(*notes, *scoped.restrictions),
        names=scoped.names,
        period=scoped.period,
        behind=(scoped.wanted,),
    )


def _totals_of(newer: dict[str, Money], older: dict[str, Money], currency: str) -> list[Fact]:
    """Return what was spent in all in either period, and the difference."""
    now, before = (Money(sum(money.amount_minor for money in each.values()), currency) for each in (newer, older))
    return [
        Fact.money("difference", "Difference in all", Money(abs(now.amount_minor - before.amount_minor), currency)),
        Fact.money("total_now", "Spent in the period", now),
        Fact.money("total_before", "Spent in the one before", before),
    ]


def _sides(asked: Period, against: str | None, context: ToolContext) -> tuple[Period, Period]:
    """Return the two periods, the newer first; an unfinished one is set against the same days of the other (D8)."""
    if against is None:
        return asked, previous_period(asked, context.currency if asked.end == context.today else "")
    newer, older = sorted((asked, read_period(against, context)), key=lambda period: period.start, reverse=True)
    if newer.start <= context.today <= newer.end:
        older = same_days(replace(newer, end=context.today), older)
    return newer, older


async def _groups(scoped: Scoped, period: Period, by: str, context: ToolContext) -> dict[str, Money]:
    """Return what was spent by group in the currency with the most rows."""
    totals = await context.ledger.totals(scoped.without(period=period))
    if not totals:
        return {}
    groups = await context.ledger.groups(scoped.without(period=period, currency=totals[0].currency), by)  # type: ignore[arg-type]
    return {group.label: spent(group.totals) for group in groups}


async def _mover(scoped: Scoped, now: Period, before: Period, context: ToolContext, *, up: bool) -> str:
    """Return the merchant of a scope that changed most in one direction; nothing where none did."""
    newer, older = await _groups(scoped, now, "merchant", context), await _groups(scoped, before, "merchant", context)
    return next((label for label, _, _, step in _steps(newer, older) if step and (step > 0) == up), "")


def _steps(newer: dict[str, Money], older: dict[str, Money]) -> list[tuple[str, Money, Money, int]]:
    """Return what was spent on each label before and now and the difference, the largest first; all in one currency.

    The difference is in minor units. Labels whose currency is not that of the first are left out.
    """
    if not newer and not older:
        return []
    zero = Money(0, next(iter((newer or older).values())).currency)
    pairs = ((label, older.get(label, zero), newer.get(label, zero)) for label in newer.keys() | older.keys())
    steps = (
        (label, old, new, new.amount_minor - old.amount_minor)
        for label, old, new in pairs
        if old.currency == new.currency
    )
    return sorted(steps, key=lambda each: (-abs(each[3]), each[0]))


def _doubled(rows: list[Transaction], regular: Mapping[str, int]) -> list[tuple[Transaction, Transaction]]:
    """Return pairs of rows that may be one purchase charged twice; fees, cash and everyday prices such as fares are left out.

    ``regular`` are the merchants that charge in a rhythm, and so the same amount again and again, each with half of its
    least days between: a bill that comes again sooner is one too many.
    """
    bought = [row for row in rows if row.kind in (Kind.PURCHASE, Kind.LOAN_PAYMENT)]
    often = Counter((row.merchant, row.currency, row.amount_minor) for row in bought)
    bought.sort(key=lambda row: (row.merchant, row.currency, row.amount_minor, row.booked_on, row.id))
    return [
        (one, other)
        for one, other in pairwise(bought)
        if (one.merchant, one.currency, one.amount_minor) == (other.merchant, other.currency, other.amount_minor)
        and (other.booked_on - one.booked_on).days <= max(_DOUBLE_WITHIN, regular.get(one.merchant, 0))
        and (one.merchant in regular or often[one.merchant, one.currency, one.amount_minor] <= _SELDOM)
    ]


def _usual(rows: list[Transaction]) -> dict[str, Decimal]:
    """Return the median size of a purchase by category, where there are enough to tell."""
    sizes: dict[str, list[int]] = {}
    for row in rows:
        sizes.setdefault(row.category, []).append(-row.amount_minor)
    return {category: Decimal(median(each)) for category, each in sizes.items() if len(each) >= _FEWEST}


async def _unusual_month(scoped: Scoped, context: ToolContext, currency: str) -> Result:
    """Say which full month was farthest from the usual one."""
    months = full_months(clip(scoped.period, context), context.today)
    groups = await context.ledger.groups(replace(scoped.wanted, currency=currency), "month")
    sums = {group.key: group.totals.net_out_minor for group in groups}
    found = [(month.start.isoformat()[:7], sums.get(month.start.isoformat()[:7], 0)) for month in months]
    if len(found) < _FEWEST:
        return Result("There are not enough full months to tell what is usual.", kind="clarify")
    usual = round(median(minor for _, minor in found))
    key, minor = max(found, key=lambda each: (abs(each[1] - usual), each[0]))
    step = minor - usual
    rows = tuple((month_name(each, context.language), Money(sums_, currency)) for each, sums_ in found)
    return Result(
        headline="{month} stands out the most: {amount}, {step} above the usual month"
        if step > 0
        else "{month} stands out the most: {amount}, {step} below the usual month",
        facts=(
            Fact.money(
                "amount", "Spent in that month", Money(minor, currency), subject=month_name(key, context.language)
            ),
            Fact.money("step", "Difference to the usual month", Money(abs(step), currency)),
            Fact.money("usual", "Usual month", Money(usual, currency), how="median of the full months"),
        ),
        notes=("{usual} is the usual month, the middle one of all", "{dates}"),
        names={**scoped.names, "month": month_name(key, context.language)},
        table=Table((Column("Month"), Column("Spent", "money")), rows),
        chart=Chart(
            "Spending by month",
            tuple(row[0] for row in rows),
            tuple(row[1].amount for row in rows),
            currency,
            ticks=tuple(tick(month.start, "month", context.language) for month in months),
            flow="out",
        ),
        period=scoped.period,
        behind=(scoped.wanted,),
    )


def _longest_run(days: list[date]) -> list[date]:
    """Return the longest stretch of days that follow each other."""
    best: list[date] = []
    run: list[date] = []
    for each in days:
        run = [*run, each] if run and (each - run[-1]).days == 1 else [each]
        best = max(best, run, key=len)
    return best
