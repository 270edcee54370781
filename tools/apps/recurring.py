"""What recurs: subscriptions, bills and pay, what each costs now, since when, and when it is due (docs/definitions.md, D15)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal

from language.catalogue import joined, say
from ledger.filters import Filter
from ledger.money import Money
from ledger.recurring import Payment, Rhythm, Series, recurring
from tools.apps.scope import Asked, no_data
from tools.apps.series import commonest, filter_of, last_day, regular, subject_of, table_of
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Fact, Result, Table
from tools.slots import Accounts, Categories, Excluded, MeansOfPayment, Merchants, PeriodPhrase
from tools.slots.period import read_period

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from language.catalogue import Template
    from ledger.periods import Period
    from tools.results import Value

Which = Literal["all", "subscriptions", "bills", "income", "savings"]
Interval = Literal["week", "month", "quarter", "year"]
Wanted = Literal["list", "sum", "count", "new", "ended", "dearest", "cheapest"]

#: Which rhythms come once in such a time; four weeks are a month to whoever pays.
_RHYTHMS: dict[str, tuple[Rhythm, ...]] = {
    "week": (Rhythm.WEEKLY,),
    "month": (Rhythm.FOUR_WEEKLY, Rhythm.MONTHLY),
    "quarter": (Rhythm.QUARTERLY,),
    "year": (Rhythm.YEARLY,),
}
_THEN = "what ran in that time, at its price then"
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
    text: str | None = None,
    means: MeansOfPayment | None = None,
    rhythm: Interval | None = None,
    account: Accounts | None = None,
    exclude: Excluded | None = None,
    nth: int = 1,
) -> Result:
    """What recurs: each payment with its price now, its rhythm and when it is due, and what all come to in a month.

    Args:
        which: all, subscriptions, bills, income or savings.
        wanted: list, sum or count of what runs; new (began in the period) or ended ones; the dearest or cheapest by the month.
        category: Only of this category.
        merchant: Only to this merchant.
        period: When new and ended ones began or ended, the last three months unless said; of others, a time that is over, for
            what ran in it, at its price then.
        text: Only rows whose descriptor holds these words.
        means: Only what is paid so: card, direct_debit, standing_order, cheque or transfer.
        rhythm: Only what comes once in a week, month, quarter or year.
        account: Only what goes through this account.
        exclude: Categories or merchants to leave out.
        nth: With dearest or cheapest: which of them, 1 for the first.
    """
    if not context.vocabulary.count:
        return no_data(context)
    asked = Asked(category=category, merchant=merchant, text=text, means=means, account=account, exclude=exclude)
    found = [each for each in await regular(asked, which, context) if rhythm is None or each.rhythm in _RHYTHMS[rhythm]]
    shown, noun = _in_state(found, wanted, period, context), _NOUNS[which]
    subject = subject_of(asked)
    names: dict[str, Value | Money] = {"what": subject} if subject else {}
    past = _past(wanted, period, context)
    about = joined((say(" for {what}" if subject else ""), say(" {when}") if past else ""))
    if not shown:
        state = say({"new": "new ", "ended": "ended "}.get(wanted, ""))
        return Result(
            say(f"I find no {{state}}{noun[1]}{{about}} in your ledger.", state=state, about=about),
            (Fact.count("count", "Number", 0), Fact.money("monthly", "A month, in all", Money(0, context.currency))),
            notes=("Something counts as recurring once it has come in a rhythm, two or three times at least.",),
            names=names,
            period=past,
            behind=(Filter(),),
            kind="empty",
        )
    main = commonest(shown)
    if wanted in ("dearest", "cheapest"):
        at_the_end = _at_the_end([each for each in shown if each.currency == main], wanted, nth, which, about, names)
        return replace(at_the_end, period=past, notes=(*at_the_end.notes, *([_THEN] if past else [])))
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
    forms = _ONE if one else _SEVERAL
    parts = {"noun": say(noun[not one]), "about": about, "per": say(shown[0].rhythm.per)}
    others = sum(each.currency != main for each in shown)
    if one:
        names["only"] = shown[0].merchant
        facts.append(Fact("last", "Last", shown[0].last, "date"))
    running = _THEN if past else "what has come in a rhythm and is not overdue"
    notes = ["{dates}" if wanted in ("new", "ended") else running]
    if others:
        names["others"] = others
        notes.append("{others} in other currencies not in the sum")
    return Result(
        headline=say(forms.get(wanted, forms["list"]), **parts),
        facts=tuple(facts),
        notes=tuple(notes),
        details=tuple(f"price_{number}" for number in range(1, min(len(shown), _DETAILS) + 1)) if not one else (),
        names=names,
        table=table_of(shown, are_over=past is not None),
        period=_period(period, context) if wanted in ("new", "ended") else past,
        behind=(filter_of(shown, past),),
    )


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
    today, until = last_day(context), last_day(context) + timedelta(days)
    running = [each for each in await recurring(context.ledger) if not each.comes_in and not each.has_ended(today)]
    due = sorted((each for each in running if each.due <= until), key=lambda each: (each.due, each.merchant))
    if not due:
        return Result(
            "Nothing regular is due by tomorrow." if days == 1 else "Nothing regular is due in the next {days} days.",
            names={"days": days},
            behind=(Filter(),),
            kind="empty",
        )
    main = commonest(due)
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
        behind=(filter_of(due),),
    )


def _at_the_end(
    shown: Sequence[Series], wanted: str, nth: int, which: str, about: Template, names: Mapping[str, Value | Money]
) -> Result:
    """Return which of what recurs costs the most or least by the month, the ``nth`` of them."""
    ordered = sorted(shown, key=lambda each: each.monthly.amount_minor, reverse=wanted == "dearest")
    nth = max(1, min(nth, len(ordered)))
    it = ordered[nth - 1]
    forms = _AT_THE_END if len(ordered) > 1 else {wanted: (_ONE["list"],) * 2}
    facts = (Fact.money("price_1", f"Price {it.rhythm.per}", it.current, subject=it.merchant),
             Fact.count("count", "Number", len(ordered)))  # fmt: skip
    noun = say(_NOUNS[which][len(ordered) > 1])
    return Result(
        headline=say(forms[wanted][nth > 1], noun=noun, about=about, per=say(it.rhythm.per), nth=str(nth)),
        facts=facts,
        notes=("each price by its rhythm, as a twelfth of a year",),
        names={**names, "only": it.merchant},
        table=table_of(ordered),
        behind=(filter_of([it]),),
    )


#: The headlines of the first and of a later one by price.
_AT_THE_END = {
    "dearest": (
        "{only}, {price_1} {per}: the dearest of {count} {noun}{about}",
        "{only}, {price_1} {per}: number {nth} from the top of {count} {noun}{about}",
    ),
    "cheapest": (
        "{only}, {price_1} {per}: the cheapest of {count} {noun}{about}",
        "{only}, {price_1} {per}: number {nth} from the bottom of {count} {noun}{about}",
    ),
}
#: The headlines of several that are listed, summed, new or ended, and those of a single one.
_SEVERAL = {
    "list": "{count} {noun}{about}: {monthly} a month",
    "sum": "{monthly} a month for {count} {noun}{about}",
    "new": "{count} new {noun}{about}: {monthly} a month",
    "ended": "{count} {noun}{about} ended: {monthly} a month while they ran",
}
_ONE = {
    "list": "1 {noun}{about}: {only}, {price_1} {per}",
    "new": "1 new {noun}{about}: {only}, {price_1} {per}",
    "ended": "1 {noun}{about} ended: {only}, {price_1} {per} until {last}",
}
_NOUNS: dict[str, tuple[str, str]] = {
    "all": ("regular payment", "regular payments"),
    "subscriptions": ("subscription", "subscriptions"),
    "bills": ("regular bill", "regular bills"),
    "income": ("regular income", "regular incomes"),
    "savings": ("regular transfer", "regular transfers"),
}


def _in_state(found: Sequence[Series], wanted: str, period: str | None, context: ToolContext) -> list[Series]:
    today = last_day(context)
    if past := _past(wanted, period, context):
        then = [replace(each, payments=_until(past.end, each)) for each in found if each.since <= past.end]
        return [each for each in then if each.last >= past.start]
    if wanted not in ("new", "ended"):
        return [each for each in found if not each.has_ended(today)]
    span = _period(period, context)
    if wanted == "new":
        return [each for each in found if span.start <= each.since <= span.end and each.since > _beginning(context)]
    ended = [each for each in found if each.has_ended(today)]
    return [each for each in ended if span.start <= each.last <= span.end] if period else ended


def _until(day: date, series: Series) -> tuple[Payment, ...]:
    return tuple(payment for payment in series.payments if payment.day <= day)


def _past(wanted: str, phrase: str | None, context: ToolContext) -> Period | None:
    """Return the time for which it is told what ran, where that is over; what is new or ended has its own."""
    period = read_period(phrase, context) if phrase and wanted not in ("new", "ended") else None
    return period if period and period.end < context.today else None


def _beginning(context: ToolContext) -> date:
    """Return until when nothing can be called new, since the ledger begins there."""
    return (context.vocabulary.first or context.today) + timedelta(35)


def _period(phrase: str | None, context: ToolContext) -> Period:
    return read_period(phrase or "past 92 days", context)
