"""What came in, and what was left of it."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Literal

from language.catalogue import joined, say
from ledger.filters import Filter
from ledger.money import Money
from ledger.transactions import Flow
from tools.apps.populations import salaried
from tools.apps.scope import Asked, coming_in, nothing, resolve
from tools.arithmetic import percent
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Fact, Result, Table
from tools.slots import Accounts, Categories, EndDate, Excluded, Merchants, Show, StartDate
from tools.slots.names import names_of

#: What spending may be a share of.
Earned = Literal["income", "salary"]
_OVERSPENT = "{left_over} more went out than came in {when}"
#: Which of what came in and what went out is asked to be more.
Claim = Literal["in", "out"]


@tool(
    app="income",
    batch=True,
    examples=(
        "How much did I earn {period}?",
        "What was my income {period}?",
        "How much money came in {period}?",
        "My income {period}",
        "How much did I get paid {period}?",
        "How much did {merchant} pay me {period}?",
        "What is my salary {period}?",
        "How much did I save {period}?",
        "Did I spend more than I earned {period}?",
        "What are my savings {period}?",
        "Income vs spending {period}",
        "How much is left {period}?",
        "How much did I have left {period}?",
        "What was left over {period}?",
        "Wie viel ist {period} übrig?",
        "Was blieb {period} nach den Ausgaben?",
        "Wie viel habe ich {period} verdient?",
        "Wie hoch waren meine Einnahmen {period}?",
        "Mein Einkommen {period}",
        "Wie viel Gehalt habe ich {period} bekommen?",
        "Wie viel habe ich {period} gespart?",
    ),
    keywords=("income", "earn", "salary", "paid", "save", "Einkommen", "Einnahmen", "Gehalt", "verdient", "gespart"),
)
async def summary(
    context: ToolContext,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
    account: Accounts | None = None,
    merchant: Merchants | None = None,
    show: Show = "income",
    claim: Claim | None = None,
) -> Result:
    """Income in a period: total, number, where it came from, and what was left after spending.

    Args:
        start_date: First day, or a period phrase.
        end_date: Last day.
        account: Only into this account.
        merchant: Only from this payer; with "left", less what they were paid.
        show: Which figure is asked for: income, or what was left of it after spending.
        claim: With "left", where it is asked whether more came in than went out, or more went out: in or out.
    """
    asked = Asked(start_date, end_date, account=account, merchant=merchant)
    scoped = coming_in(await resolve(asked, context, Flow.INCOME), asked)
    totals = await context.ledger.totals(scoped.wanted)
    if not totals:
        return await nothing(scoped, context, "income")
    main = totals[0]
    paid = scoped.wanted.merchants if show == "left" else ()  # what is left of somebody's money is less what they got
    spending = await context.ledger.totals(scoped.without(flow=Flow.SPENDING, merchants=paid, currency=main.currency))
    out = spending[0].net_out_minor if spending else 0
    earned = -main.net_out_minor
    count = sum(each.into_count for each in totals)
    groups = await context.ledger.groups(replace(scoped.wanted, currency=main.currency), "merchant")
    ranked = sorted(groups, key=lambda group: (group.totals.net_out_minor, group.label))
    facts = [
        Fact.money("total", "Income", Money(earned, main.currency)),
        *(
            Fact.money(f"total_{each.currency.casefold()}", "Income", Money(-each.net_out_minor, each.currency))
            for each in totals[1:]
        ),
        Fact.count("count", "Number of payments", count),
        Fact.money("spent", "Spent in the same period", Money(out, main.currency)),
        Fact.money("left", "Income less spending", Money(earned - out, main.currency)),
    ]
    rate = percent(earned - out, earned) if earned > 0 else None
    if rate is not None:
        facts.append(Fact("saved_share", "Share of the income that was left", rate, "percent", None, "left / income"))
    for number, group in enumerate(ranked[:5], start=1):
        money = Money(-group.totals.net_out_minor, main.currency)
        facts.append(Fact.money(f"source_{number}", "Income, by payer", money, subject=group.label))
    left_over = Money(abs(earned - out), main.currency)
    rest = "{left} more than was spent" if earned >= out else "spending was {spent}, more than that"
    notes = ["{count} payments, {dates}" if count != 1 else "1 payment, {dates}", rest, "transfers left out"]
    shown = tuple(Money(-group.totals.net_out_minor, main.currency) for group in ranked)
    others = joined(say(" and {total}", total=f"{{total_{each.currency.casefold()}}}") for each in totals[1:])
    payer = say(" from {merchant}" if merchant else "")
    headline: str = say("{total} came in{others}{payer} {when}", others=others, payer=payer)
    if show == "left":
        headline = _left(earned, out, claim, by_merchant=merchant is not None)
        notes = ["{total} came in, {spent} was spent, {dates}", "transfers left out"]
        facts.sort(key=lambda fact: fact.id != "left")
    return Result(
        headline=headline,
        facts=tuple(facts),
        notes=tuple(notes),
        details=tuple(f"source_{number}" for number in range(1, min(5, len(ranked)) + 1)),
        names={**scoped.names, "left_over": left_over},
        table=Table(
            (Column("From"), Column("Received", "money"), Column("Payments", "count")),
            tuple((g.label, money, g.totals.into_count) for g, money in zip(ranked, shown, strict=True)),
        ),
        period=scoped.period,
        behind=(scoped.wanted,),
    )


def _left(earned: int, out: int, claim: Claim | None, *, by_merchant: bool) -> str:
    """Return the headline of what was left, or of what more went out."""
    is_left = earned >= out
    if claim:
        so = earned > out if claim == "in" else earned < out
        more = "{left_over} more came in than went out {when}" if is_left else _OVERSPENT
        return say("Yes: {told}" if so else "No: {told}", told=say(more))
    if by_merchant:
        return (
            "{left_over} more came from {merchant} than went there {when}"
            if is_left
            else "{left_over} more went to {merchant} than came back {when}"
        )
    return "{left_over} left {when}" if is_left else _OVERSPENT


@tool(
    app="income",
    name="income-share",
    examples=(
        "What share of my income goes to rent?",
        "What percent of my income did I spend on {category} {period}?",
        "What is my savings rate {period}?",
        "How much of my income did I save {period}?",
        "What share of my salary goes to {category}?",
        "Welcher Anteil meines Einkommens geht für {category} drauf?",
        "Wie hoch ist meine Sparquote {period}?",
    ),
    keywords=("share of income", "savings rate", "Sparquote", "Anteil am Einkommen"),
)
async def share(
    context: ToolContext,
    category: Categories | None = None,
    merchant: Merchants | None = None,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
    exclude: Excluded | None = None,
    saved: bool = False,
    of: Earned = "income",
) -> Result:
    """Spending as a share of income or salary, in all or on something; or what part of it was left, the savings rate.

    Args:
        category: Only spending in this category.
        merchant: Only spending at this merchant.
        start_date: First day, or a period phrase.
        end_date: Last day.
        exclude: Merchants or categories to leave out.
        saved: Whether the part that was left is asked for.
        of: Of which money: all income, or the salary (pay and pensions) alone.
    """
    asked = Asked(start_date, end_date, None, category, merchant, None, None, None, exclude)
    scoped = await resolve(asked, context, Flow.SPENDING)
    came_in = Filter(period=scoped.period, flow=Flow.INCOME)
    if of == "salary":
        came_in = await salaried(came_in, context)
    income = await context.ledger.totals(came_in)
    if not income or income[0].net_out_minor >= 0:
        return await nothing(replace(scoped, wanted=came_in), context, of)
    currency, earned = income[0].currency, -income[0].net_out_minor
    totals = await context.ledger.totals(replace(scoped.wanted, currency=currency))
    out = totals[0].net_out_minor if totals else 0
    part = earned - out if saved else out
    rate = percent(part, earned) or Decimal(0)
    facts = (
        Fact("share", f"Share of {of}", rate, "percent", None, "part / income"),
        Fact.money("part", "Left of it" if saved else "Spent", Money(part, currency)),
        Fact.money("income", of.capitalize(), Money(earned, currency)),
    )
    headline = f"{{share}} of the {of} was left {{when}}: {{part}} of {{income}}"
    if not saved:
        went = (
            " went on {category}"
            if names_of(category)
            else " went to {merchant}"
            if names_of(merchant)
            else " was spent"
        )
        headline = f"{{share}} of the {of}{went} {{when}}: {{part}} of {{income}}"
    return Result(
        headline=headline,
        facts=facts,
        notes=("{dates}", *scoped.restrictions, "transfers left out"),
        names=scoped.names,
        period=scoped.period,
        behind=(scoped.wanted, came_in),
    )
