"""The largest, smallest, first and last; how many, how often, how much on average; the top few."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.money import Money
from ledger.tallies import Ranked
from ledger.transactions import Flow
from tools.apps.intervals import averaged
from tools.apps.net_amounts import net_beside
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
    spent,
    total_facts,
)
from tools.apps.transactions import transaction_table
from tools.arithmetic import percent
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Chart, Column, Fact, Result, Table
from tools.slots import (
    Accounts,
    By,
    Categories,
    EndDate,
    Excluded,
    ExcludedLargest,
    Limit,
    Measure,
    Merchants,
    Over,
    Per,
    StartDate,
    Under,
)
from tools.wording import day, month_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.filters import GroupBy, Order
    from ledger.repository import Group
    from ledger.tallies import Totals
    from ledger.transactions import Transaction

_ORDERS: dict[str, Order] = {"largest": "largest", "smallest": "smallest", "first": "oldest", "last": "newest"}


@tool(
    app="spending",
    batch=True,
    examples=(
        "What was my {measure} purchase {period}?",
        "What was my {measure} {category} purchase {period}?",
        "What is the {measure} thing I bought {period}?",
        "Show my {limit} {measure} purchases {period}",
        "{measure} {limit} purchases {period}",
        "What are my {measure} {limit} {by} {period}?",
        "{measure} {by} {period}",
        "Which {by} did I spend {measure} at {period}?",
        "Which {by} costs me {measure}?",
        "Where do I spend {measure} money {period}?",
        "Which {by} gets {measure} of my money?",
        "In which {by} did I spend {measure}?",
        "{measure} amount per visit to {merchant}",
        "{measure} orders at {merchant} {period}",
        "{by} did I spend {measure} {period}?",
        "{measure} {by} did I make at {merchant} {period}?",
        "{measure} times did I go to {merchant} {period}?",
        "{measure} did I shop at {merchant} {period}?",
        "{measure} do I buy {category}?",
        "When did I {measure} shop at {merchant}?",
        "When was my {measure} {merchant} purchase?",
        "When was the {measure} time I went to {merchant}?",
        "What is my {measure} purchase at {merchant}?",
        "What do I spend on {measure} per purchase on {category}?",
        "{measure} {category} purchase {period}",
        "What was the {measure} amount I paid at {merchant}?",
        "Welcher {by} kostet mich {measure}?",
        "Bei welchem {by} gebe ich {measure} aus?",
        "Wofür gebe ich {measure} Geld aus?",
        "Was war meine {measure} Ausgabe {period}?",
        "Was war mein {measure} Einkauf bei {merchant}?",
        "{measure} habe ich {period} bei {merchant} eingekauft?",
        "{measure} Einkäufe hatte ich {period} bei {merchant}?",
        "Wann war ich {measure} bei {merchant}?",
        "Wann habe ich {measure} etwas für {category} ausgegeben?",
        "{measure} bestelle ich bei {merchant}?",
        "Wo gebe ich {measure} Geld aus?",
        "Welcher {by} war {period} {measure}?",
        "{by} habe ich {measure} ausgegeben?",
        "Meine {measure} {limit} {by} {period}",
        "Wie hoch ist mein {measure} Einkauf bei {merchant}?",
    ),
    keywords=(
        "biggest",
        "largest",
        "most",
        "least",
        "first",
        "last",
        "how many",
        "how often",
        "average",
        "top",
        "when",
    ),
)
async def extremes(
    context: ToolContext,
    measure: Measure,
    by: By | None = None,
    category: Categories | None = None,
    merchant: Merchants | None = None,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
    account: Accounts | None = None,
    over: Over | None = None,
    under: Under | None = None,
    exclude: Excluded | None = None,
    exclude_largest: ExcludedLargest = 0,
    limit: Limit | None = None,
    per: Per | None = None,
) -> Result:
    """The largest, smallest, first or last purchase; how many, how often, the average; top merchants or categories.

    Args:
        measure: largest, smallest, first, last, count, how_often, average or top.
        by: What is ranked: purchases, merchants, categories, months or days (merchants for top, else purchases).
        category: Only this category.
        merchant: Only this merchant.
        start_date: First day, or a period phrase.
        end_date: Last day.
        account: Only from this account.
        over: Only amounts over this.
        under: Only amounts under this.
        exclude: Merchants or categories to leave out.
        exclude_largest: How many of the largest purchases to leave out.
        limit: How many to list.
        per: For an average: per day, week, month or year.
    """
    asked = Asked(start_date, end_date, None, category, merchant, account, over, under, exclude, exclude_largest)
    scoped = await resolve(asked, context, Flow.SPENDING)
    totals = await context.ledger.totals(scoped.wanted)
    if not totals:
        return await nothing(scoped, context)
    if measure in ("count", "how_often"):
        return await _frequency(scoped, context, totals, measure)
    if measure == "average":
        return await _average(scoped, context, totals, per)
    ranked = by or ("merchant" if measure == "top" else "purchase")
    if ranked != "purchase" and measure in ("top", "largest", "smallest"):
        return await _groups(scoped, context, totals, ranked, measure, limit)
    order = _ORDERS.get(measure, "largest")
    return await _purchases(scoped, context, totals, order, limit or (5 if measure == "top" else 1))


async def _purchases(
    scoped: Scoped, context: ToolContext, totals: Sequence[Totals], order: Order, limit: int
) -> Result:
    """One purchase, or the top few; ties are over everything in scope and are said (D10)."""
    currency = totals[0].currency
    # Sizes of two currencies don't compare, days do.
    of_any = limit == 1 and order in ("oldest", "newest")
    bought = replace(scoped.wanted, sign=-1, currency=scoped.wanted.currency if of_any else currency)
    rows = await context.ledger.rows(bought, order, limit + 1)
    if not rows:
        return await nothing(scoped, context)
    shown = rows[:limit]
    facts = []
    for number, row in enumerate(shown, start=1):
        money = Money(-row.amount_minor, row.currency)
        facts.append(Fact.money("amount" if number == 1 else f"amount_{number}", "Amount", money, subject=row.merchant))
    facts.append(Fact("date", "Date", shown[0].booked_on, "date", subject=shown[0].merchant))
    tied = len(rows) > limit and order in ("largest", "smallest") and rows[limit].amount_minor == shown[-1].amount_minor
    word = {"largest": "largest", "smallest": "smallest", "oldest": "first", "newest": "latest"}[order]
    names = {**scoped.names, "what": shown[0].merchant, "described": shown[0].description}
    notes = ["{described}" if len(shown) == 1 and shown[0].description != shown[0].merchant else ""]
    notes += ["others are of the same size" if tied else "", *definition(scoped)]
    if not of_any:
        notes += in_other_currencies(totals, "other")
        facts += [replace(fact, id=fact.id.replace("total", "other")) for fact in total_facts(totals)[1:]]
    about = {"subject": scoped.subject}
    if len(shown) == 1:
        headline = say(f"{{amount}} at {{what}} on {{date}}, the {word} purchase{{subject}} {{when}}", **about)
    else:
        facts.append(Fact.money("total", "Total of those listed", Money(_sum(shown), currency)))
        facts.append(Fact.count("count", "Number listed", len(shown)))
        headline = say(f"The {{count}} {word} purchases{{subject}} {{when}}: {{total}}", **about)
    net = await net_beside(context, shown)
    return Result(
        headline=headline,
        facts=(*facts, *net.facts),
        notes=tuple(note for note in (*net.notes, *notes) if note),
        details=tuple(fact.id for fact in facts if fact.id.startswith("amount"))[:5] if len(shown) > 1 else (),
        names={**names, **net.names},
        table=transaction_table(shown),
        listed=tuple(row.id for row in shown),
        period=scoped.period,
        behind=(scoped.wanted,),
    )


async def _frequency(scoped: Scoped, context: ToolContext, totals: Sequence[Totals], measure: str) -> Result:
    """How many purchases, and how often: days between them and per month, with the first and the last."""
    bought = await context.ledger.totals(replace(scoped.wanted, sign=-1))
    first = min((each.first for each in bought if each.first), default=None)
    last = max((each.last for each in bought if each.last), default=None)
    count = sum(each.out_count for each in bought)
    days = clip(scoped.period, context).days
    facts = [*purchase_facts(totals), *total_facts(totals)]
    notes = ["{dates}", say("{totals} in all", totals=all_totals(facts)), *scoped.restrictions]
    noun = "purchase" if count == 1 else "purchases"
    headline = say("{count} {noun}{subject} {when}", noun=say(noun), subject=scoped.subject)
    if first and last:
        facts += [Fact("first", "First", first, "date"), Fact("last", "Last", last, "date")]
        notes.append("first on {first}, last on {last}" if first != last else "on {first}")
    if measure == "how_often" and count > 1 and first and last:
        gap = Decimal((last - first).days) / (count - 1)
        monthly = Decimal(count) * Decimal("30.4375") / days
        facts.append(Fact("every", "Days between purchases, on average", gap.quantize(Decimal("0.1")), "number"))
        facts.append(Fact("monthly", "Purchases per month, on average", monthly.quantize(Decimal("0.1")), "number"))
        headline = say("{count} times{subject} {when}, about every {every} days", subject=scoped.subject)
        notes.append("about {monthly} a month")
    return Result(
        headline=headline,
        facts=tuple(facts),
        notes=tuple(notes),
        names=scoped.names,
        table=transaction_table(await context.ledger.rows(replace(scoped.wanted, sign=-1), "newest", 10)),
        period=scoped.period,
        behind=(scoped.wanted,),
    )


async def _average(scoped: Scoped, context: ToolContext, totals: Sequence[Totals], per: str | None) -> Result:
    """The average purchase, or the average per day, week, month or year."""
    average = await averaged(scoped, per, context, totals[0].currency) if per else None
    if average is None and not totals[0].out_count:
        return await nothing(scoped, context)
    facts = [*purchase_facts(totals[:1]), *total_facts(totals)]
    notes = [*definition(scoped, totals[:1]), *in_other_currencies(totals)]
    if per and average is None:
        notes.append(f"no full {per} in this period, so this is the average of single purchases")
    if average is not None:
        facts = [*average.facts, *facts]
        notes = [average.note, *notes]
    else:
        facts.insert(0, facts.pop(1))
    return Result(
        headline=say("{per_interval} per {unit}{subject} {when}", unit=say(per), subject=scoped.subject)
        if average and per
        else say("{average} per purchase{subject} {when}", subject=scoped.subject),
        facts=tuple(facts),
        notes=tuple(notes),
        names=scoped.names,
        table=average.table if average else None,
        chart=average.chart if average else None,
        period=scoped.period,
        behind=(scoped.wanted,),
    )


async def _groups(
    scoped: Scoped, context: ToolContext, every: Sequence[Totals], by: str, measure: str, limit: int | None
) -> Result:
    """Merchants, categories, months or days by what was spent."""
    totals = every[0]
    key: GroupBy = {"merchant": "merchant", "category": "category", "month": "month", "day": "day"}[by]  # type: ignore[assignment]
    number, least = limit or 5, measure == "smallest"
    # Of days there are thousands. One more tells a tie.
    first = Ranked(max(number, 2), least) if by == "day" else None
    groups = await context.ledger.groups(replace(scoped.wanted, currency=totals.currency), key, first)
    sign = 1 if least else -1
    ranked = sorted(groups, key=lambda group: (sign * group.totals.net_out_minor, group.key))
    shown = ranked[:number]
    labels = [_label(group, by, context.language) for group in shown]
    facts = []
    for number, (group, label) in enumerate(zip(shown, labels, strict=True), start=1):
        facts.append(Fact.money(f"top_{number}", f"Spent, by {by}", spent(group.totals), subject=label))
        facts.append(
            Fact.count(f"top_{number}_count", f"Number of purchases, by {by}", group.totals.out_count, subject=label)
        )
    facts += total_facts(every)
    share = percent(shown[0].totals.net_out_minor, totals.net_out_minor) if totals.net_out_minor > 0 else None
    if share is not None:
        facts.append(Fact("top_share", "Share of the total", share, "percent", subject=labels[0]))
    word = "least" if measure == "smallest" else "most"
    tie = len(ranked) > 1 and ranked[0].totals.net_out_minor == ranked[1].totals.net_out_minor
    return Result(
        headline=say(
            f"{{top_1}} {_place(by)} {{what}}: the {word}{{subject}} of any {by} {{when}}", subject=scoped.subject
        ),
        facts=tuple(facts),
        notes=tuple(
            note
            for note in (
                "{top_share} of {total}" if share is not None else "",
                "there is a tie for first place" if tie else "",
                *definition(scoped),
                *in_other_currencies(every),
            )
            if note
        ),
        details=tuple(f"top_{number}" for number in range(1, len(shown) + 1))[:5],
        names={**scoped.names, "what": labels[0]},
        table=_table(by, shown, labels),
        chart=Chart(
            f"Spending by {by}",
            tuple(labels),
            tuple(spent(group.totals).amount for group in shown),
            totals.currency,
            flow="out",
        )
        if len(shown) > 1
        else None,
        period=scoped.period,
        behind=(scoped.wanted,),
    )


def _table(by: str, groups: Sequence[Group], labels: Sequence[str]) -> Table:
    columns = (Column(by.capitalize()), Column("Spent", "money"), Column("Purchases", "count"))
    rows = tuple((label, spent(g.totals), g.totals.out_count) for label, g in zip(labels, groups, strict=True))
    return Table(columns, rows)


def _label(group: Group, by: str, language: str) -> str:
    if by == "month":
        return month_name(group.key, language)
    if by == "day":
        return day(date.fromisoformat(group.key), language)
    return group.label


def _place(by: str) -> str:
    return {"merchant": "at", "category": "on", "month": "in", "day": "on"}[by]


def _sum(rows: Sequence[Transaction]) -> int:
    return -sum(row.amount_minor for row in rows)
