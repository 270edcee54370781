"""What was spent: by category, at a merchant, in a period."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from language.catalogue import joined, say
from ledger.money import Money, to_decimals
from ledger.transactions import Flow
from tools.apps.intervals import averaged
from tools.apps.scope import (
    Asked,
    Scoped,
    all_totals,
    clip,
    definition,
    in_other_currencies,
    nothing,
    purchase_facts,
    resolve,
    since_beginning,
    total_facts,
)
from tools.arithmetic import divide, percents
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Chart, Column, Fact, Result, Table
from tools.slots import (
    Accounts,
    Categories,
    EndDate,
    Excluded,
    ExcludedLargest,
    Merchants,
    Over,
    Per,
    PeriodPhrase,
    StartDate,
    Under,
)
from tools.wording import month_name, tick

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from ledger.filters import GroupBy
    from ledger.repository import Group
    from ledger.tallies import Totals

_DETAILS = 5
_BARS = 10


@tool(
    app="spending",
    batch=True,
    examples=(
        "How much did I spend on {category} {period}?",
        "How much did I spend on {category}?",
        "How much on {category} {period}?",
        "What did I pay for {category} {period}?",
        "Analyze my {category} expenses",
        "My {category} spending {period}",
        "{category} spending {period}",
        "{category} {period}",
        "Total for {category} {period}",
        "How much do I spend on {category} {per}?",
        "What is my average {per} spending on {category}?",
        "How much {category} did I buy {period}?",
        "How much was spent on {category} at {merchant} {period}?",
        "How much did {category} cost me {period}?",
        "Break down {category} by merchant {period}",
        "What have I been spending on {category} {period}?",
        "{category} bill {period}",
        "Wie viel habe ich {period} für {category} ausgegeben?",
        "Wie viel habe ich für {category} ausgegeben?",
        "Was hat mich {category} {period} gekostet?",
        "Was kostet mich {category} {per}?",
        "Meine Ausgaben für {category} {period}",
        "Wie viel gebe ich {per} für {category} aus?",
        "Wie hoch waren meine Ausgaben für {category} {period}?",
    ),
)
async def analyze_by_category(
    context: ToolContext,
    category: Categories,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
    merchant: Merchants | None = None,
    account: Accounts | None = None,
    over: Over | None = None,
    under: Under | None = None,
    exclude: Excluded | None = None,
    exclude_largest: ExcludedLargest = 0,
    per: Per | None = None,
) -> Result:
    """Spending in one or several categories: total, number, average, smallest, largest, merchants.

    Args:
        category: The category, in the words of the question.
        start_date: First day, or a period phrase.
        end_date: Last day.
        merchant: Only at this merchant.
        account: Only from this account.
        over: Only amounts over this.
        under: Only amounts under this.
        exclude: Merchants or categories to leave out.
        exclude_largest: How many of the largest purchases to leave out.
        per: Average per day, week, month or year.
    """
    asked = Asked(start_date, end_date, None, category, merchant, account, over, under, exclude, exclude_largest)
    by: GroupBy = "merchant" if isinstance(category, str) else "category"
    return await _spending(await resolve(asked, context, Flow.SPENDING), context, by, per)


@tool(
    app="spending",
    batch=True,
    examples=(
        "How much did I spend at {merchant} {period}?",
        "How much did I spend at {merchant}?",
        "How much have I paid {merchant} {period}?",
        "How much money went to {merchant} {period}?",
        "What do I spend at {merchant} {per}?",
        "{merchant} {period}",
        "Analyze {merchant} by category",
        "Break down my {merchant} spending by category {period}",
        "Total at {merchant} {period}",
        "My spending at {merchant} {period}",
        "How much do I pay for {merchant} {per}?",
        "How much did {merchant} cost me {period}?",
        "What did {merchant} charge me {period}?",
        "How much did I spend on {merchant} {period}?",
        "Was hat mich {merchant} {period} gekostet?",
        "Was kostet mich {merchant} {per}?",
        "Was kostet {merchant} {per}?",
        "Wie viel habe ich {period} bei {merchant} ausgegeben?",
        "Wie viel habe ich bei {merchant} ausgegeben?",
        "Was habe ich {period} bei {merchant} bezahlt?",
        "Wie viel zahle ich {per} für {merchant}?",
        "Ausgaben bei {merchant} {period}",
    ),
)
async def analyze_merchant(
    context: ToolContext,
    merchant: Merchants,
    group_by_category: bool = False,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
    category: Categories | None = None,
    account: Accounts | None = None,
    over: Over | None = None,
    under: Under | None = None,
    exclude: Excluded | None = None,
    exclude_largest: ExcludedLargest = 0,
    per: Per | None = None,
) -> Result:
    """Spending at one or several merchants: total, number, average, smallest, largest, optionally by category.

    Args:
        merchant: The shop or company, in the words of the question.
        group_by_category: Whether to split the total by category.
        start_date: First day, or a period phrase.
        end_date: Last day.
        category: Only this category.
        account: Only from this account.
        over: Only amounts over this.
        under: Only amounts under this.
        exclude: Categories or merchants to leave out.
        exclude_largest: How many of the largest purchases to leave out.
        per: Average per day, week, month or year.
    """
    asked = Asked(start_date, end_date, None, category, merchant, account, over, under, exclude, exclude_largest)
    several = not isinstance(merchant, str)
    by: GroupBy = "category" if group_by_category else "merchant" if several else "month"
    return await _spending(await resolve(asked, context, Flow.SPENDING), context, by, per)


@tool(
    app="spending",
    batch=True,
    examples=(
        "How much did I spend {period}?",
        "What's my spending summary for {period}?",
        "Summary {period}",
        "Give me an overview of {period}",
        "Spending overview {period}",
        "Where did my money go {period}?",
        "Show me my total spending",
        "What is my total spending {period}?",
        "How much have I spent in total?",
        "What did I spend {period}?",
        "My expenses {period}",
        "How much do I spend {per}?",
        "What is my average {per} spending?",
        "What do I spend my money on?",
        "Spending by category {period}",
        "Break down my spending {period}",
        "How much did I spend from {account} {period}?",
        "Wie viel habe ich {period} ausgegeben?",
        "Wie viel habe ich insgesamt ausgegeben?",
        "Zusammenfassung {period}",
        "Übersicht {period}",
        "Meine Ausgaben {period}",
        "Wofür habe ich {period} Geld ausgegeben?",
        "Wie viel gebe ich {per} aus?",
        "Was habe ich {period} ausgegeben?",
        "Wo ist mein Geld {period} hin?",
        "Gesamtausgaben {period}",
        "Wie teuer war {period}?",
        "Monatsübersicht {period}",
        "Recap of {period}",
        "What were my expenses {period}?",
        "Where is all my money going?",
        "Gesamtausgaben",
        "Total spending {period}",
    ),
)
async def get_spending_summary(
    context: ToolContext,
    period: PeriodPhrase = "last_month",
    account: Accounts | None = None,
    over: Over | None = None,
    under: Under | None = None,
    exclude: Excluded | None = None,
    exclude_largest: ExcludedLargest = 0,
    per: Per | None = None,
) -> Result:
    """Everything spent in a period: total, number, daily average, by category, top merchants.

    Args:
        period: The period: last_week, last_month, last_3_months, all_time, or any phrase such as "October 2026".
        account: Only from this account.
        over: Only amounts over this.
        under: Only amounts under this.
        exclude: Categories or merchants to leave out.
        exclude_largest: How many of the largest purchases to leave out.
        per: Average per day, week, month or year.
    """
    asked = Asked(None, None, period, None, None, account, over, under, exclude, exclude_largest)
    scoped = await resolve(asked, context, Flow.SPENDING)
    if per is not None:
        return await _spending(scoped, context, "category", per)
    totals = await context.ledger.totals(scoped.wanted)
    if not totals:
        return await nothing(scoped, context)
    main = totals[0]
    groups = await _ranked(scoped, context, "category", main.currency)
    merchants = await _ranked(scoped, context, "merchant", main.currency)
    left_out = await context.ledger.totals(scoped.without(flow=Flow.NEITHER))
    days = clip(scoped.period, context).days
    facts = [*total_facts(totals), *purchase_facts(totals)]
    facts.append(
        Fact.money(
            "daily_average",
            "Average per day",
            Money(divide(main.net_out_minor, days), main.currency),
            how="total / days",
        )
    )
    facts.append(Fact("days", "Days", days, "days"))
    facts += _group_facts(groups, "category", main)
    facts += _group_facts(merchants[:_DETAILS], "merchant", main, shares=False)
    left = sum(each.count for each in left_out)
    facts.append(Fact.count("left_out", "Transfers and card payments left out", left))
    return Result(
        headline=say("{totals} spent{subject} {when}", totals=all_totals(facts), subject=scoped.subject),
        facts=tuple(facts),
        notes=(
            *definition(scoped, totals, left),
            joined((say("{daily_average} a day"), since_beginning(scoped.period, context))),
        ),
        details=tuple(fact.id for fact in facts if fact.id.startswith("category_") and fact.unit == "money")[:_DETAILS],
        names=scoped.names,
        table=_group_table(groups, "Category", main),
        chart=_group_chart("Spending by category", groups, main.currency),
        period=scoped.period,
        behind=(scoped.wanted,),
    )


async def _spending(scoped: Scoped, context: ToolContext, by: GroupBy, per: str | None) -> Result:
    """Build the answer that category and merchant questions share."""
    totals = await context.ledger.totals(scoped.wanted)
    if not totals:
        return await nothing(scoped, context)
    main = totals[0]
    groups = await _ranked(scoped, context, by, main.currency)
    average = await averaged(scoped, per, context, main.currency) if per is not None else None
    counted = totals if average is None else totals[:1]
    facts = [*total_facts(totals), *purchase_facts(counted), *_group_facts(groups[:20], by, main)]
    told = {"totals": all_totals(facts), "subject": scoped.subject}
    headline: str = say("{totals}{subject} {when}" if scoped.subject else "{totals} spent{subject} {when}", **told)
    notes = definition(scoped, counted)
    table = _group_table(groups, by.capitalize(), main)
    chart = _group_chart(f"Spending by {by}", groups, main.currency, in_time=context if by == "month" else None)
    if average is not None and per is not None:
        facts = [*average.facts, *facts]
        headline = say("{per_interval} per {unit}{subject} {when}", unit=say(per), subject=scoped.subject)
        notes = [average.note, "{interval_total} in all", *notes, *in_other_currencies(totals)]
        table, chart = average.table, average.chart
    elif per is not None:
        notes.append(f"no full {per} in this period, so there is no average per {per}")
    grouped = () if per is not None else facts  # else what is shown are the intervals
    details = tuple(fact.id for fact in grouped if fact.id.startswith(f"{by}_") and fact.unit == "money")
    return Result(
        headline=headline,
        facts=tuple(facts),
        notes=tuple(notes),
        details=details[:_DETAILS] if len(details) > 1 else (),
        names=scoped.names,
        table=table,
        chart=chart,
        period=scoped.period,
        behind=(scoped.wanted,),
    )


async def _ranked(scoped: Scoped, context: ToolContext, by: GroupBy, currency: str) -> list[Group]:
    """Return the groups of one currency, the one with most spending first; months in order of time."""
    groups = await context.ledger.groups(replace(scoped.wanted, currency=currency), by)
    if by == "month":
        named = [replace(group, label=month_name(group.key, context.language)) for group in groups]
        return sorted(named, key=lambda group: group.key)
    return sorted(groups, key=lambda group: (-group.totals.net_out_minor, group.label))


def _group_facts(groups: Sequence[Group], by: str, whole: Totals, *, shares: bool = True) -> list[Fact]:
    """Return each group's spending and its share of the whole, in the order given."""
    facts = []
    minors = [group.totals.net_out_minor for group in groups]
    parts = _shares(groups, whole) if shares else [None] * len(groups)
    each = zip(groups, to_decimals(minors, whole.currency), parts, strict=True)
    for position, (group, amount, part) in enumerate(each, start=1):
        name, label = f"{by}_{position}", group.label
        facts.append(Fact(name, f"Spent, by {by}", amount, "money", whole.currency, subject=label))
        if part is not None:
            facts.append(Fact(f"{name}_share", "Share of the total", part, "percent", None, "part / total", label))
    return facts


def _shares(groups: Sequence[Group], whole: Totals) -> list[Decimal | None]:
    """Return each group's share of the whole; where nothing was spent nobody has one."""
    if whole.net_out_minor <= 0:
        return [None] * len(groups)
    return percents([group.totals.net_out_minor for group in groups], whole.net_out_minor)


def _group_table(groups: Sequence[Group], title: str, whole: Totals) -> Table:
    rows = [
        (group.label, Money(group.totals.net_out_minor, whole.currency), group.totals.out_count, share)
        for group, share in zip(groups, _shares(groups, whole), strict=True)
    ]
    columns = (Column(title), Column("Spent", "money"), Column("Purchases", "count"), Column("Share", "percent"))
    return Table(columns, tuple(rows))


def _group_chart(
    title: str, groups: Sequence[Group], currency: str, *, in_time: ToolContext | None = None
) -> Chart | None:
    """Chart up to ten groups, the rest summed as one bar; or all months in order; one is no chart."""
    if len(groups) < 2:
        return None
    most = len(groups) if in_time else _BARS
    sums: dict[str, int] = defaultdict(int)
    for group in groups[:most]:
        sums[group.label] += group.totals.net_out_minor
    if rest := sum(group.totals.net_out_minor for group in groups[most:]):
        sums[say("Other")] += rest
    months = [date.fromisoformat(f"{each.key}-01") for each in groups] if in_time else []
    return Chart(
        title,
        tuple(sums),
        to_decimals(sums.values(), currency),
        currency,
        ticks=tuple(tick(month, "month", in_time.language) for month in months if in_time),
        flow="out",
        unfinished=bool(in_time and months[-1] == in_time.today.replace(day=1)),
    )
