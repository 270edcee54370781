"""One measure of any kind of money: how much, how many, the average, the largest, a row for each month."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from language.catalogue import say
from ledger.money import Money
from ledger.periods import Period
from tools.apps.missing import without_any
from tools.apps.populations import Of, Population, resolve_population
from tools.apps.scope import Asked, Scoped, all_totals, clip, nothing
from tools.apps.transactions import transaction_table
from tools.arithmetic import divide
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Chart, Column, Fact, Result, Table
from tools.slots import Accounts, Categories, EndDate, Excluded, MeansOfPayment, Merchants, Over, StartDate, Under
from tools.wording import day, month_name, quarter_name, tick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from language.catalogue import Template
    from ledger.filters import GroupBy, Order
    from ledger.tallies import Totals

What = Literal["total", "count", "average", "largest", "smallest", "latest", "first", "how_often", "exists"]
Grain = Literal["day", "week", "month", "quarter", "year"]
Shown = Literal["rows", "average", "trend", "empty", "missed", "every"]

_ORDERS: dict[str, Order] = {"largest": "largest", "smallest": "smallest", "latest": "newest", "first": "oldest"}
_WORDS = {"largest": "largest", "smallest": "smallest", "latest": "latest", "first": "first"}
_ROW_IN = "{amount} from {what} on {date}, {rank}{subject} {when}"
_ROW_OUT = "{amount} at {what} on {date}, {rank}{subject} {when}"
NTH = {2: "second ", 3: "third ", 4: "fourth ", 5: "fifth "}
#: Of more intervals than these, the latest are listed.
_MOST_INTERVALS = 120
#: How many intervals are set against as many before them.
_TREND = 3


@tool(
    app="transactions",
    name="transactions-measure",
    examples=(
        "How many paychecks did I get {period}?",
        "What was my latest paycheck?",
        "How much came back in refunds {period}?",
        "What did I pay in bank fees {period}?",
        "How much did I put into savings {period}?",
        "What was the biggest refund?",
        "How much interest did I earn {period}?",
        "Did my salary come in {period}?",
        "What's my average paycheck?",
        "What was my second largest purchase {period}?",
        "Wie oft wurde mir {period} Gehalt gezahlt?",
        "Wie hoch war mein letztes Gehalt?",
        "Wie viele Erstattungen hatte ich {period}?",
        "Wie viel habe ich {period} aufs Sparkonto überwiesen?",
        "Was habe ich {period} an Gebühren bezahlt?",
    ),
    keywords=("paychecks", "refunds", "fees", "interest", "savings", "Gehalt", "Erstattungen", "Gebühren", "Zinsen"),
)
async def measure(
    context: ToolContext,
    of: Of = "spending",
    what: What = "total",
    category: Categories | None = None,
    merchant: Merchants | None = None,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
    account: Accounts | None = None,
    over: Over | None = None,
    under: Under | None = None,
    exclude: Excluded | None = None,
    text: str | None = None,
    exclude_text: str | None = None,
    means: MeansOfPayment | None = None,
    nth: int = 1,
) -> Result:
    """One measure of one kind of money: income, salary, refunds, fees, interest, transfers, savings, cash, spending or all.

    Args:
        of: Which money: spending, income, salary, refunds, fees, interest, transfers, savings, savings_back, cash or all.
        what: total, count, average, largest, smallest, latest, first, how_often or exists.
        category: Only this category.
        merchant: Only this merchant or payer.
        start_date: First day, or a period phrase.
        end_date: Last day.
        account: Only of this account.
        over: Only amounts over this.
        under: Only amounts under this.
        exclude: Merchants or categories to leave out.
        text: Only rows whose descriptor holds these words.
        exclude_text: Leave out rows whose descriptor holds these words.
        means: Only what was paid so: card, direct_debit, standing_order, cheque or transfer.
        nth: Of largest, smallest, latest and first: which one, 2 for the second.
    """
    asked = Asked(
        start_date, end_date, None, category, merchant, account, over, under, exclude, 0, text, exclude_text, means
    )
    scoped, population = await resolve_population(asked, of, context)
    totals = await context.ledger.totals(scoped.wanted)
    if not totals or not any(population.number(each) for each in totals):
        return await none_of(scoped, population, context, exists=what == "exists")
    if what in _ORDERS:
        return await _one_row(scoped, population, context, what, nth, totals)
    return await _figure(scoped, population, context, what, totals)


@tool(
    app="transactions",
    name="transactions-per_interval",
    examples=(
        "{category} month by month {period}",
        "What did I spend each month {period}?",
        "My spending per month as a list",
        "Income by month {period}",
        "Break {category} down by week",
        "Monthly totals for {merchant}",
        "What did I spend in each quarter?",
        "{category} Monat für Monat {period}",
        "Was habe ich jeden Monat für {category} ausgegeben?",
        "Ausgaben pro Monat als Liste",
        "Einnahmen nach Monaten {period}",
    ),
    keywords=(
        "each month",
        "month by month",
        "monthly",
        "per week",
        "trend",
        "jeden Monat",
        "monatlich",
        "Monat für Monat",
    ),
)
async def per_interval(
    context: ToolContext,
    grain: Grain = "month",
    of: Of = "spending",
    category: Categories | None = None,
    merchant: Merchants | None = None,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
    account: Accounts | None = None,
    over: Over | None = None,
    under: Under | None = None,
    exclude: Excluded | None = None,
    text: str | None = None,
    exclude_text: str | None = None,
    means: MeansOfPayment | None = None,
    show: Shown = "rows",
) -> Result:
    """One figure for each day, week, month, quarter or year, with the highest, the lowest and where it is going.

    Args:
        grain: day, week, month, quarter or year.
        of: Which money: spending, income, salary, refunds, fees, interest, transfers, savings, savings_back, cash or all.
        category: Only this category.
        merchant: Only this merchant or payer.
        start_date: First day, or a period phrase.
        end_date: Last day.
        account: Only of this account.
        over: Only amounts over this.
        under: Only amounts under this.
        exclude: Merchants or categories to leave out.
        text: Only rows whose descriptor holds these words.
        exclude_text: Leave out rows whose descriptor holds these words.
        means: Only what was paid so: card, direct_debit, standing_order, cheque or transfer.
        show: What comes first: the sum and every row, the average of the full ones, where it is going, those with nothing,
            or whether there are any of these (missed), or none (every).
    """
    asked = Asked(
        start_date, end_date, None, category, merchant, account, over, under, exclude, 0, text, exclude_text, means
    )
    scoped, population = await resolve_population(asked, of, context)
    totals = await context.ledger.totals(scoped.wanted)
    if not totals:
        return await none_of(scoped, population, context)
    currency = totals[0].currency
    spans = _intervals(scoped.period, grain, context)[-_MOST_INTERVALS:]
    sums = await _sums(scoped, population, spans, grain, context, currency)
    labels = [label_of(span, grain, context) for span in spans]
    unfinished = end_of(spans[-1].start, grain, context.week_start) > spans[-1].end >= context.today
    shown = [Money(minor, currency) for minor in sums]
    full = sums[:-1] if unfinished and len(sums) > 1 else sums
    highest, lowest = max(range(len(full)), key=full.__getitem__), min(range(len(full)), key=full.__getitem__)
    facts = [
        Fact.money("total", "Total", Money(sum(sums), currency)),
        Fact.count("intervals", f"Number of {grain}s", len(spans)),
        Fact.money("highest", f"Highest {grain}", shown[highest], subject=labels[highest]),
        Fact.money("lowest", f"Lowest {grain}", shown[lowest], subject=labels[lowest]),
        *(
            Fact.money(f"interval_{n}", f"By {grain}", money, subject=label)
            for n, (money, label) in enumerate(zip(shown, labels, strict=True), 1)
        ),
    ]  # fmt: skip
    notes = ["{dates}", "{highest} in {highest_in}, the most; {lowest} in {lowest_in}, the least", *scoped.restrictions]
    if unfinished:
        notes.append(f"the last {grain} is not over yet")
    rows = tuple(zip(labels, shown, strict=True))
    told = _told(population, scoped, "{total}")
    headline: str = say("{told}, {unit} by {unit}", told=told, unit=say(grain))
    if show == "average":
        average = Money(divide(sum(full), len(full)), currency)
        facts.insert(
            0, Fact.money("average", f"Average per {grain}", average, how=f"sum of the full {grain}s / their number")
        )
        told = _told(population, scoped, say("{average} per {unit}", unit=say(grain)))
        headline = say("{told}, on average", told=told)
    elif show == "trend" and len(full) > 1:
        added, headline = _trend(full, grain, currency, scoped)
        facts = [*added, *facts]
    elif show in ("empty", "missed", "every"):
        added, headline, bounds = await without_any(
            show, spans, labels, asked, scoped, population, context, grain=grain, unfinished=unfinished
        )
        facts, notes = [*added, *facts], [*bounds, *notes]
    return Result(
        headline=headline,
        facts=tuple(facts),
        notes=tuple(notes),
        names={**scoped.names, "highest_in": labels[highest], "lowest_in": labels[lowest]},
        table=Table((Column(grain.capitalize()), Column("Amount", "money")), rows),
        chart=Chart(
            f"By {grain}",
            tuple(labels),
            tuple(money.amount for money in shown),
            currency,
            ticks=tuple(tick(span.start, grain, context.language) for span in spans),
            flow=population.way,
            unfinished=unfinished,
        )
        if len(rows) > 1
        else None,
        period=scoped.period,
        behind=(scoped.wanted,),
    )


async def none_of(scoped: Scoped, population: Population, context: ToolContext, *, exists: bool = False) -> Result:
    """Say that there is none; of spending as every other tool does."""
    if population.of == "spending" and not exists:
        return await nothing(scoped, context)
    found = await nothing(scoped, context, population.many)
    if not exists or found.kind != "empty" or not found.facts:
        return found
    return replace(found, headline=say(f"No: no {population.one}{{subject}} {{when}}.", subject=scoped.subject))


def _told(population: Population, scoped: Scoped, figures: str) -> Template:
    """Return the sentence that says what figures of some money are."""
    return say(f"{{totals}} {population.verb}{{subject}} {{when}}", totals=figures, subject=scoped.subject)


def _sum_told(
    population: Population, scoped: Scoped, every: Sequence[Totals], facts: list[Fact]
) -> tuple[Template, str]:
    """Return the sentence for a sum with the fact that it states; of all money, whether more came in or went out."""
    if population.of != "all" or len(every) > 1:
        return _told(population, scoped, all_totals(facts)), "total"
    amount = population.amount(every[0])
    facts.append(Fact.money("net", "Difference", Money(abs(amount.amount_minor), amount.currency)))
    more = "more went out than came in" if amount.amount_minor > 0 else "more came in than went out"
    return say(f"{{net}} {more}{{subject}} {{when}}", subject=scoped.subject), "net"


async def _figure(
    scoped: Scoped, population: Population, context: ToolContext, what: str, every: Sequence[Totals]
) -> Result:
    """The total, the number, the average or the rhythm."""
    main = every[0]
    count = sum(population.number(each) for each in every)
    amount = population.amount(main)
    rows = replace(scoped.wanted, sign=population.sign)
    totals = await context.ledger.totals(rows)
    first = min((each.first for each in totals if each.first), default=None)
    last = max((each.last for each in totals if each.last), default=None)
    facts = [Fact.money("total", "Total", amount), Fact.count("count", "Number", count)]
    facts += [Fact.money(f"total_{each.currency.casefold()}", "Total", population.amount(each)) for each in every[1:]]
    if population.number(main):
        gross = main.into_minor if population.comes_in else main.out_minor
        average = Money(divide(gross, population.number(main)), main.currency)
        facts.append(Fact.money("average", "Average", average, how="sum / number"))
    if first and last:
        facts += [Fact("first", "First", first, "date"), Fact("last", "Last", last, "date")]
    number = say(f"{{count}} {population.one if count == 1 else population.many}")
    notes = ["{dates}", *scoped.restrictions]
    if first and last and first != last:
        notes.insert(1, "first on {first}, last on {last}")
    parts = {"number": number, "subject": scoped.subject, "totals": all_totals(facts)}
    headline, asked = _sum_told(population, scoped, every, facts)
    if what == "count":
        headline, asked = say("{number}{subject} {when}: {totals}", **parts), "count"
    elif what == "average":
        headline, asked = say(f"{{average}} per {population.one}{{subject}} {{when}}", **parts), "average"
        notes.insert(1, number)
    elif what == "exists":
        headline, asked = say("Yes: {number}{subject} {when}, {totals}", **parts), "count"
    elif what == "how_often" and first and last and count > 1:
        gap = (Decimal((last - first).days) / (count - 1)).quantize(Decimal("0.1"))
        days = clip(scoped.period, context).days
        monthly = (Decimal(count) * Decimal("30.4375") / days).quantize(Decimal("0.1"))
        facts += [
            Fact("every", "Days between, on average", gap, "number"),
            Fact("monthly", "A month, on average", monthly, "number"),
        ]
        headline, asked = say("{number}{subject} {when}, about every {every} days", **parts), "count"
        notes.append("about {monthly} a month")
    if asked in ("total", "net"):
        notes.insert(1, number)
    facts.sort(key=lambda fact: fact.id != asked)
    return Result(
        headline=headline,
        facts=tuple(facts),
        notes=tuple(notes),
        names=scoped.names,
        table=transaction_table(await context.ledger.rows(rows, "newest", 20)),
        period=scoped.period,
        behind=(rows if population.of != "spending" else scoped.wanted,),
    )


async def _one_row(
    scoped: Scoped, population: Population, context: ToolContext, what: str, nth: int, every: Sequence[Totals]
) -> Result:
    """The largest, smallest, latest or first row, or the second or third of them."""
    sized = what in ("largest", "smallest")
    rows = replace(scoped.wanted, sign=population.sign, currency=every[0].currency if sized else scoped.wanted.currency)
    nth = max(1, nth)
    found = await context.ledger.rows(rows, _ORDERS[what], nth + 1)
    if len(found) < nth:
        return await none_of(scoped, population, context)
    row = found[nth - 1]
    tied = sized and len(found) > nth and abs(found[nth].amount_minor) == abs(row.amount_minor)
    rank = say(f"the {{rank}} {population.one}", rank=say(f"{NTH.get(nth, '')}{_WORDS[what]}"))
    headline = _ROW_IN if population.comes_in else _ROW_OUT
    notes = ["{described}" if row.description != row.merchant else "", "others are of the same size" if tied else ""]
    return Result(
        headline=say(headline, rank=rank, subject=scoped.subject),
        facts=(
            Fact.money("amount", "Amount", Money(abs(row.amount_minor), row.currency), subject=row.merchant),
            Fact("date", "Date", row.booked_on, "date", subject=row.merchant),
        ),
        notes=tuple(filter(None, (*notes, "{dates}", *scoped.restrictions))),
        names={**scoped.names, "what": row.merchant, "described": row.description},
        table=transaction_table([row]),
        listed=(row.id,),
        period=scoped.period,
        behind=(rows,),
    )


def _trend(full: Sequence[int], grain: str, currency: str, scoped: Scoped) -> tuple[list[Fact], str]:
    """Return the averages of the latest full intervals and of those before them, and the headline that sets them apart."""
    size = min(_TREND, len(full) // 2)
    late, early = (Money(divide(sum(part), size), currency) for part in (full[-size:], full[-2 * size : -size]))
    step = Money(abs(late.amount_minor - early.amount_minor), currency)
    facts = [
        Fact.money("late", f"Average of the latest {grain}s", late),
        Fact.money("early", "Average of those before", early),
        Fact.money("step", "Difference", step),
    ]
    way = "the same as" if not step.amount_minor else "{step} more than" if late > early else "{step} less than"
    spans = f"in the last {{size}} full {grain}s" if size > 1 else f"in the last full {grain}"
    before = "in the {size} before" if size > 1 else "in the one before"
    return facts, say(
        f"{{late}} per {{unit}}{{subject}} {{spans}}, {way} {{before}}",
        unit=say(grain),
        subject=scoped.subject,
        spans=say(spans, size=str(size)),
        before=say(before, size=str(size)),
    )


def _intervals(period: Period, grain: str, context: ToolContext) -> list[Period]:
    """Return the intervals that a period touches, cut at its ends."""
    span = clip(period, context)
    found, start = [], span.start
    while start <= span.end:
        end = end_of(start, grain, context.week_start)
        found.append(Period(start, min(end, span.end), weekdays=period.weekdays))
        start = end + timedelta(1)
    return found


def end_of(start: date, grain: str, week_start: int) -> date:
    """Return the last day of the interval that a day lies in."""
    if grain == "day":
        return start
    if grain == "week":
        return start + timedelta(6 - (start.weekday() - week_start) % 7)
    months = {"month": 1, "quarter": 3, "year": 12}[grain]
    year, month = divmod((start.year * 12 + start.month - 1) // months * months + months, 12)
    return date(year, month + 1, 1) - timedelta(1)


async def _sums(
    scoped: Scoped, population: Population, spans: Sequence[Period], grain: str, context: ToolContext, currency: str
) -> list[int]:
    """Return what the rows of each interval come to, in minor units: days added up, months where these are whole."""
    whole = Period(spans[0].start, spans[-1].end, weekdays=scoped.period.weekdays)
    fine: GroupBy = "day" if grain in ("day", "week") or not _whole_months(spans) else "month"
    groups = await context.ledger.groups(replace(scoped.wanted, period=whole, currency=currency), fine)
    sums = [0] * len(spans)
    place = 0
    for group in sorted(groups, key=lambda each: each.key):
        first = date.fromisoformat(group.key if fine == "day" else f"{group.key}-01")
        while place < len(spans) - 1 and first > spans[place].end:
            place += 1
        sums[place] += population.amount(group.totals).amount_minor
    return sums


def _whole_months(spans: Sequence[Period]) -> bool:
    return spans[0].start.day == 1 and (spans[-1].end + timedelta(1)).day == 1


def label_of(span: Period, grain: str, context: ToolContext) -> str:
    """Return what an interval is called."""
    if grain == "month":
        return month_name(span.start.isoformat()[:7], context.language)
    if grain == "quarter":
        return quarter_name(span.start, context.language)
    return str(span.start.year) if grain == "year" else day(span.start, context.language)
