"""What recurs: subscriptions, bills and pay, what each costs now, since when, and when it is due (docs/definitions.md, D15)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal

from ledger.categories import trades_of
from ledger.filters import Filter
from ledger.money import Money
from ledger.recurring import Rhythm, Series, categories_above, recurring
from ledger.taxonomy import lineage
from ledger.transactions import Flow, Kind
from tools.apps.scope import no_data
from tools.arithmetic import percent
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Fact, Result, Table
from tools.slots import Categories, Merchants, PeriodPhrase
from tools.slots.names import merchant_keys, names_of
from tools.slots.period import read_period

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.periods import Period
    from tools.results import Value

Which = Literal["all", "subscriptions", "bills", "income", "savings"]
Wanted = Literal["list", "sum", "count", "new", "ended"]
About = Literal["price", "since", "change", "next", "rhythm", "still"]
Regular = Literal["spending", "income", "salary", "savings"]

#: Our categories whose payments are called subscriptions, and those that are bills.
_SUBSCRIPTIONS = frozenset({"subscriptions", "fitness", "books", "electronics", "games", "entertainment"})
_BILLS = frozenset({"housing", "insurance", "loans", "taxes", "education", "kids", "fees", "transport"})
#: How many days ahead "what is due next" looks.
_AHEAD = 31
_FARTHEST = 366
_DETAILS = 5


@tool(
    app="recurring",
    examples=(
        "What subscriptions do I have?",
        "Which subscriptions am I paying for?",
        "List my recurring payments",
        "What do all my subscriptions cost per month?",
        "Which bills come every month?",
        "What standing orders do I have?",
        "Which subscriptions have ended?",
        "Welche Abos habe ich?",
        "Was kosten mich meine Abos im Monat?",
        "Welche Daueraufträge habe ich?",
        "Welche Fixkosten habe ich?",
    ),
    keywords=("subscriptions", "recurring", "standing orders", "fixed costs", "Abos", "Fixkosten", "Daueraufträge"),
    name="recurring-list",
)
async def list_recurring(
    context: ToolContext,
    which: Which = "all",
    wanted: Wanted = "list",
    category: Categories | None = None,
    merchant: Merchants | None = None,
    period: PeriodPhrase | None = None,
) -> Result:
    """What recurs: each payment with its price now, its rhythm and when it is due, and what all come to in a month.

    Args:
        which: all, subscriptions, bills, income or savings.
        wanted: list, sum or count of what runs; new (began in the period) or ended ones.
        category: Only of this category.
        merchant: Only to this merchant.
        period: For new and ended ones: when they began or ended; the last three months unless said.
    """
    if not context.vocabulary.count:
        return no_data(context)
    found = [each for each in await recurring(context.ledger) if _is_of(each, which)]
    found = _about(found, category, merchant, context)
    shown, noun = _in_state(found, wanted, period, context), _NOUNS[which]
    subject = _subject(category, merchant)
    names: dict[str, Value | Money] = {"what": subject} if subject else {}
    about = " for {what}" if subject else ""
    if not shown:
        state = {"new": "new ", "ended": "ended "}.get(wanted, "")
        return Result(
            f"I find no {state}{noun[1]}{about} in your ledger.",
            (Fact.count("count", "Number", 0), Fact.money("monthly", "A month, in all", Money(0, context.currency))),
            notes=("Something counts as recurring once it has come in a rhythm, two or three times at least.",),
            names=names,
            behind=(Filter(),),
            kind="empty",
        )
    main = _commonest(shown)
    monthly = sum(each.monthly.amount_minor for each in shown if each.currency == main)
    facts = [
        Fact.money(
            "monthly", "A month, in all", Money(monthly, main), how="each price by its rhythm, as a twelfth of a year"
        ),
        Fact.count("count", "Number", len(shown)),
    ]
    for number, each in enumerate(shown[:20], start=1):
        facts.append(Fact.money(f"price_{number}", f"Price {each.rhythm.per}", each.current, subject=each.merchant))
    one = len(shown) == 1
    headline = {
        "sum": f"{{monthly}} a month for {{count}} {noun[not one]}{about}",
        "new": f"{{count}} new {noun[not one]}{about}: {{monthly}} a month",
        "ended": f"{{count}} {noun[not one]}{about} ended: {{monthly}} a month while they ran",
    }.get(wanted, f"{{count}} {noun[not one]}{about}: {{monthly}} a month")
    others = sum(each.currency != main for each in shown)
    if one:
        names["only"] = shown[0].merchant
        facts.append(Fact("last", "Last", shown[0].last, "date"))
        headline = {
            "new": f"1 new {noun[0]}{about}: {{only}}, {{price_1}} {shown[0].rhythm.per}",
            "ended": f"1 {noun[0]}{about} ended: {{only}}, {{price_1}} {shown[0].rhythm.per} until {{last}}",
        }.get(wanted, f"1 {noun[0]}{about}: {{only}}, {{price_1}} {shown[0].rhythm.per}")
    notes = ["what has come in a rhythm and is not overdue" if wanted not in ("new", "ended") else "{dates}"]
    if others:
        names["others"] = others
        notes.append("{others} in other currencies not in the sum")
    return Result(
        headline=headline,
        facts=tuple(facts),
        notes=tuple(notes),
        details=tuple(f"price_{number}" for number in range(1, min(len(shown), _DETAILS) + 1)) if not one else (),
        names=names,
        table=_table(shown),
        period=_period(period, context) if wanted in ("new", "ended") else None,
        behind=(_filter(shown),),
    )


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
) -> Result:
    """What something regular costs now, or what a regular income is: since when, how it changed, when it is due next.

    Args:
        category: The category.
        merchant: The company or payer.
        about: price, since, change, next, rhythm or still (whether it goes on).
        of: spending, income (all that comes in), salary (the largest of it) or savings.
    """
    if not context.vocabulary.count:
        return no_data(context)
    income = of in ("income", "salary")
    every = [each for each in await recurring(context.ledger) if _is_of(each, _SERIES_OF[of])]
    found = _about(every, category, merchant, context)
    running = [each for each in found if not each.has_ended(_today(context))]
    subject = _subject(category, merchant) or {"income": "your regular income", "savings": "your savings"}.get(of, "")
    if not found:
        return await _irregular(context, category, merchant, subject, income=income)
    if of == "salary":
        running = sorted(running, key=lambda each: -each.monthly.amount_minor)[:1]
    if len(running) > 1:
        return _several(running, subject, about, context, income=income)
    return _one(running[0] if running else max(found, key=lambda each: each.last), about, context)


@tool(
    app="recurring",
    examples=(
        "What is due next?",
        "Which bills are coming up this month?",
        "What payments are coming this week?",
        "What will be debited next?",
        "Was wird als Nächstes abgebucht?",
        "Welche Zahlungen stehen diesen Monat noch an?",
    ),
    keywords=("due", "upcoming", "coming up", "fällig", "demnächst"),
    name="recurring-upcoming",
)
async def upcoming(context: ToolContext, days: int = _AHEAD) -> Result:
    """Which regular payments are due in the next days, by their rhythm so far.

    Args:
        days: How many days ahead, 31 unless said.
    """
    if not context.vocabulary.count:
        return no_data(context)
    days = max(1, min(days, _FARTHEST))
    today, until = _today(context), _today(context) + timedelta(days)
    running = [each for each in await recurring(context.ledger) if not each.comes_in and not each.has_ended(today)]
    due = sorted((each for each in running if each.due <= until), key=lambda each: (each.due, each.merchant))
    if not due:
        return Result(
            "Nothing regular is due in the next {days} days.", names={"days": days}, behind=(Filter(),), kind="empty"
        )
    main = _commonest(due)
    total = sum(each.current.amount_minor for each in due if each.currency == main)
    facts = [Fact.money("total", "Due, in all", Money(total, main)), Fact.count("count", "Number", len(due))]
    facts += [
        Fact.money(f"due_{number}", "Due", each.current, subject=each.merchant)
        for number, each in enumerate(due[:_DETAILS], 1)
    ]
    rows = tuple((each.due, each.merchant, each.current) for each in due)
    return Result(
        headline="{total} due by {until}: {count} payments" if len(due) > 1 else "{total} due by {until}: 1 payment",
        facts=tuple(facts),
        notes=("by the rhythm and the last amount of each; what varies may differ",),
        names={"until": until},
        table=Table((Column("Due", "date"), Column("To"), Column("Amount", "money")), rows),
        behind=(_filter(due),),
    )


_NOUNS: dict[str, tuple[str, str]] = {
    "all": ("regular payment", "regular payments"),
    "subscriptions": ("subscription", "subscriptions"),
    "bills": ("regular bill", "regular bills"),
    "income": ("regular income", "regular incomes"),
    "savings": ("regular transfer", "regular transfers"),
}
#: Which series are those of a kind of money.
_SERIES_OF = {"spending": "all", "income": "income", "salary": "income", "savings": "savings"}


def _is_of(series: Series, which: str) -> bool:
    if which == "income":
        return series.comes_in and series.kind is Kind.INCOME
    if which == "savings":
        return not series.comes_in and series.kind is Kind.TRANSFER
    if series.comes_in or series.kind in (Kind.TRANSFER, Kind.CARD_PAYMENT):
        return False
    above = set(categories_above(series.category))
    sold = {key for trade in trades_of(series.merchant) for key in lineage(trade)}
    subscribed = bool(sold & _SUBSCRIPTIONS) or (bool(above & _SUBSCRIPTIONS) and not above & _BILLS)
    if which == "subscriptions":
        return subscribed
    return which == "all" or (bool(above & _BILLS) and not subscribed)


def _about(
    found: Iterable[Series], category: str | list[str] | None, merchant: str | list[str] | None, context: ToolContext
) -> list[Series]:
    categories, merchants = set(names_of(category)), set(merchant_keys(names_of(merchant), context))
    return [
        each
        for each in found
        if (not categories or each.category in categories) and (not merchants or each.key in merchants)
    ]


def _in_state(found: Sequence[Series], wanted: str, period: str | None, context: ToolContext) -> list[Series]:
    today = _today(context)
    if wanted not in ("new", "ended"):
        return [each for each in found if not each.has_ended(today)]
    span = _period(period, context)
    if wanted == "new":
        return [each for each in found if span.start <= each.since <= span.end and each.since > _beginning(context)]
    ended = [each for each in found if each.has_ended(today)]
    return [each for each in ended if span.start <= each.last <= span.end] if period else ended


def _beginning(context: ToolContext) -> date:
    """Return until when nothing can be called new, since the ledger begins there."""
    return (context.vocabulary.first or context.today) + timedelta(35)


def _period(phrase: str | None, context: ToolContext) -> Period:
    return read_period(phrase or "past 92 days", context)


def _today(context: ToolContext) -> date:
    """Return the day by which something is overdue: the ledger's last one, where the bank's file ends earlier."""
    return min(context.today, context.vocabulary.last or context.today)


def _subject(category: str | list[str] | None, merchant: str | list[str] | None) -> str:
    return ", ".join((*names_of(merchant), *names_of(category)))


def _filter(shown: Sequence[Series]) -> Filter:
    return Filter(merchants=tuple(dict.fromkeys(each.key for each in shown)))


def _commonest(shown: Sequence[Series]) -> str:
    currencies = [each.currency for each in shown]
    return max(currencies, key=currencies.count)


def _table(shown: Sequence[Series]) -> Table:
    columns = (
        Column("What"), Column("Price", "money"), Column("How often"),
        Column("Since", "date"), Column("Last", "date"), Column("Next", "date"),
    )  # fmt: skip
    rows = tuple((each.merchant, each.current, each.rhythm.per, each.since, each.last, each.due) for each in shown)
    return Table(columns, rows)


def _one(series: Series, about: str, context: ToolContext) -> Result:
    """Say what one series costs now, or what of it was asked."""
    ended = series.has_ended(_today(context))
    changes = series.changes if series.settled else ()
    facts = [
        Fact.money("price", f"Price {series.rhythm.per}", series.current, subject=series.merchant),
        Fact("since", "First", series.since, "date"),
        Fact("price_since", "At this price since", series.price_since, "date"),
        Fact("last", "Last", series.last, "date"),
        Fact.count("count", "Times", len(series.payments)),
    ]
    facts.append(Fact.money("yearly", "A year", series.yearly, how="the price by its rhythm"))
    if not ended:
        facts.append(Fact("due", "Next", series.due, "date", how="by its rhythm so far"))
    if changes:
        now, before = changes[-1]
        step = Money(abs(now.minor - before), series.currency)
        facts += [
            Fact.money("before", "Before", Money(before, series.currency)),
            Fact("changed", "Changed", now.day, "date"),
            Fact.money("change", "Difference", step, how="new less old"),
            Fact.money("change_yearly", "Difference a year", series.in_a_year(step.amount_minor), how="by its rhythm"),
        ]
        share = percent(abs(now.minor - before), before)
        if share is not None:
            facts.append(Fact("change_share", "Difference, of the old", share, "percent", None, "difference / old"))
    headline, asked = _headline(series, about, ended=ended, changed=bool(changes))
    facts.sort(key=lambda fact: fact.id != asked)
    notes = [] if about == "since" else ["since {since}, {count} times"]
    if changes and about != "change":
        notes.append("{before} before {changed}")
    if not series.settled:
        notes.append("the amount varies; this is the last one, of {last}")
    if not ended and about != "next":
        notes.append("next around {due}")
    rows = tuple((payment.day, Money(payment.minor, series.currency)) for payment in reversed(series.payments))
    return Result(
        headline=headline,
        facts=tuple(facts),
        notes=tuple(notes),
        names={"what": series.merchant, "per": series.rhythm.per},
        table=Table((Column("Date", "date"), Column("Amount", "money")), rows),
        behind=(_filter([series]),),
    )


def _headline(series: Series, about: str, *, ended: bool, changed: bool) -> tuple[str, str]:
    """Return the headline's template and the fact that it is about."""
    yearly = "" if series.rhythm is Rhythm.YEARLY else ", {yearly} a year"
    unchanged = ", this much since {price_since}" if series.settled and series.changes else ""
    once = "once " if series.rhythm.per.startswith("a ") else ""
    running = {
        "still": ("Yes: {what}, {price} {per}, last on {last}", "price"),
        "since": (f"{{what}} since {{since}}: {{price}} {{per}} now{unchanged}", "since"),
        "next": ("{what} next around {due}: {price}", "due"),
        "price": (f"{{what}} now: {{price}} {{per}}{yearly}", "price"),
    }
    over = {
        "still": ("No: {what} ended, the last one was on {last}", "price"),
        "since": ("{what} from {since} to {last}", "since"),
        "next": ("{what} has ended: the last one was on {last}", "last"),
        "price": ("{what} ended: {price} {per} until {last}", "price"),
    }
    if about == "rhythm":
        return f"{{what}} comes {once}{{per}}: {{price}}", "price"
    if about != "change":
        return (over if ended else running)[about]
    if not changed:
        return "{what} has not changed since {since}: {price} {per}", "price"
    now, before = series.changes[-1]
    way, less = ("up", "more") if now.minor > before else ("down", "less")
    a_year = "" if series.rhythm is Rhythm.YEARLY else f", so {{change_yearly}} {less} a year"
    return (
        f"{{what}} went {way} by {{change}} ({{change_share}}) on {{changed}}: {{price}} {{per}} now, {{before}} before{a_year}",
        "change",
    )


def _several(running: Sequence[Series], subject: str, about: str, context: ToolContext, *, income: bool) -> Result:
    """Say what several series of one subject come to, each by itself beside the sum."""
    if about in ("next", "since"):
        ordered = sorted(running, key=lambda each: each.due if about == "next" else each.since)
        return _one(ordered[0], about, context)
    if about == "change":
        changed = [each for each in running if each.settled and each.changes]
        return _one(max(changed or running, key=lambda each: each.price_since), about, context)
    main = _commonest(running)
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
        headline=f"{{what}} now: {{price}} a month, {{yearly}} a year, {{count}} {noun}",
        facts=tuple(facts),
        details=tuple(f"price_{number}" for number in range(1, min(len(running), _DETAILS) + 1)),
        names={"what": subject},
        table=_table(running),
        behind=(_filter(running),),
    )


async def _irregular(
    context: ToolContext,
    category: str | list[str] | None,
    merchant: str | list[str] | None,
    subject: str,
    *,
    income: bool,
) -> Result:
    """Say of what does not recur what the last one was."""
    wanted = Filter(
        flow=Flow.INCOME if income else Flow.SPENDING,
        categories=names_of(category),
        merchants=merchant_keys(names_of(merchant), context),
        sign=1 if income else -1,
    )
    rows = await context.ledger.rows(wanted, "newest", 1)
    names = {"what": subject}
    if not rows:
        return Result("I find nothing regular for {what} in your ledger.", names=names, behind=(wanted,), kind="empty")
    row = rows[0]
    return Result(
        headline="{price} for {what} on {last}, the latest payment; nothing regular",
        facts=(
            Fact.money("price", "Latest payment", Money(abs(row.amount_minor), row.currency), subject=row.merchant),
            Fact("last", "Date", row.booked_on, "date"),
        ),
        names=names,
        behind=(wanted,),
    )
