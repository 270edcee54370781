"""Payments that the person writes down by hand, until their bank's file brings them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.by_hand import CASH, ELSEWHERE, Entry, judge_entry, write_entry
from ledger.filters import Filter
from ledger.journal import new_change
from ledger.meetings import DAYS_APART
from ledger.money import Money, exponent, to_minor
from ledger.own_names import told_name
from ledger.periods import Period, find_periods
from ledger.rules import list_rules
from ledger.transactions import AccountType, Flow, flow_of
from tools.apps.categories import category_named
from tools.calls import Call, Choice, choice_of
from tools.changes import Change
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Fact, Result, Table
from tools.schema.wording import shorten
from tools.slots import EntryAccount, EntryAmount, EntryCategory, EntryDay, EntryDirection, EntryWhat
from tools.slots.assignments import merchants_named
from tools.slots.entries import IN, LATER, OUT
from tools.slots.ignoring import bare_words
from tools.slots.names import AccountSlot, names_of
from tools.slots.rows import whole_amount

if TYPE_CHECKING:
    from typing import Any

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.judgement import Judged

_ADD = "entries-add"
#: A payment from so long ago is more likely to be a slip.
_LONG_AGO = timedelta(days=5 * 366)
_COUNTS_AS = {
    Flow.SPENDING: "It counts as spending.",
    Flow.INCOME: "It counts as income.",
    Flow.NEITHER: "It counts as neither spending nor income.",
}
#: What is asked and said of a payment, by whether it was received.
_WORDS = {
    True: (
        "Write down {amount} received from {what} on {date}?",
        "Written down: {amount} received from {what} on {date}, {category}, {account}.",
    ),
    False: (
        "Write down {amount} spent on {what} on {date}?",
        "Written down: {amount} spent on {what} on {date}, {category}, {account}.",
    ),
}


@tool(
    app="entries",
    name=_ADD,
    examples=(
        "Spent 12.50 on lunch",
        "Got 200 from mum in cash yesterday",
        "Add 45 euros for the plumber on Friday",
        "I paid 30 for parking with my Visa",
        "20 für Eis ausgegeben",
        "Gestern 200 Euro von Oma bekommen",
    ),
    keywords=("spent", "got", "add", "write down", "cash", "ausgegeben", "bekommen", "bar"),
    writes=True,
)
async def add(
    context: ToolContext,
    amount: EntryAmount,
    direction: EntryDirection = OUT,
    what: EntryWhat | None = None,
    day: EntryDay | None = None,
    account: EntryAccount | None = None,
    category: EntryCategory | None = None,
) -> Result:
    """Write one payment down by hand; only where the person tells of it themselves. Their bank's row takes its place later.

    Args:
        amount: The amount, with its currency if one is named.
        direction: Whether it was spent (out) or received (in).
        what: What it was for, or from whom.
        day: Its day, today by default.
        account: An account of theirs, or cash.
        category: Its category, if they name one.
    """
    entry = await _entry(context, amount, direction, what, day, account, category)
    if isinstance(entry, Result):
        return entry
    judged = await judge_entry(context.ledger, entry)
    token = new_change()

    async def work(connection: AsyncConnection) -> None:
        await write_entry(connection, context.ledger, token, entry, judged)

    size = Money(abs(entry.amount_minor), entry.currency)
    question, done = _WORDS[entry.amount_minor > 0]
    names: dict[str, Any] = {
        "amount": size, "what": entry.description, "date": entry.booked_on, "account": told_name(entry.account),
        "category": told_name(entry.category or judged.category),
    }  # fmt: skip
    shown = (
        entry.booked_on, entry.description, names["category"], names["account"], Money(entry.amount_minor, entry.currency),
    )  # fmt: skip
    notes = [
        _COUNTS_AS[flow_of(judged.kind, entry.amount_minor)],
        "When your bank's file brings it, it is not there twice.",
    ]
    twin = await _alike(entry, context)
    if twin is not None:
        names |= {"twin": twin.merchant, "twin_day": twin.booked_on, "twin_account": twin.account}
        notes.insert(0, "There is one of that amount already: {twin} on {twin_day} in {twin_account}.")
    return Result(
        question,
        facts=(Fact.money("amount", "Amount", size),),
        notes=tuple(notes),
        names=names,
        table=Table(
            (Column("Date", "date"), Column("What"), Column("Category"), Column("Account"), Column("Amount", "money")),
            (shown,),
        ),
        change=Change(
            work,
            done,
            Call("corrections-undo", {"change": token}),
        ),
    )


async def _entry(
    context: ToolContext,
    amount: str,
    direction: str,
    what: str | None,
    day: str | None,
    account: str | None,
    category: str | None,
) -> Entry | Result:
    """Return the payment that was told, or what is wrong or missing."""
    told = whole_amount(amount, context.currency)
    settings = await context.ledger.settings()
    currency = (
        (told.currency if told else None)
        or (context.currency if context.vocabulary.count else settings.get("currency"))
        or "USD"
    )
    minor = to_minor(told.amount, currency) if told else 0
    if told is None or not minor or -int(told.amount.as_tuple().exponent) > exponent(currency):
        return Result(
            "I can't read the amount “{amount}”.", names={"amount": shorten(amount, quoted=False)}, kind="clarify"
        )
    booked_on = _day(day, context)
    if isinstance(booked_on, Result):
        return booked_on
    if not what:
        return Result("What was it for? Say it with the amount, such as “spent 12.50 on lunch”.", kind="clarify")
    known = merchants_named(what, context)
    where = _account(account, context)
    if isinstance(where, Result):
        return where
    description = _tidy(what)
    draft = Entry(booked_on, minor if direction == IN else -minor, currency, description, where,
                  merchant=known[0] if len(known) == 1 else description)  # fmt: skip
    judged = await judge_entry(context.ledger, draft)
    chosen = await _category(category, what, judged, draft, context)
    if isinstance(chosen, Result):
        return chosen
    return Entry(draft.booked_on, draft.amount_minor, currency, description, where, draft.merchant, chosen)


def _tidy(what: str) -> str:
    """Return what was paid for without an article, on one line and with a capital."""
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in bare_words(what)).split())
    return text[:1].upper() + text[1:]


def _day(day: str | None, context: ToolContext) -> date | Result:
    if day is None:
        return context.today
    if day == LATER:
        return Result("I write down what was paid, not what is still to come.", kind="clarify")
    try:
        found: date | None = date.fromisoformat(day)
    except ValueError:
        periods = find_periods(day, context.today, context.week_start)
        found = periods[0].period.start if len(periods) == 1 and periods[0].period.days == 1 else None
    if found is None:
        return Result(
            "On which day was it? Say it with the amount, such as “spent 12.50 on lunch on Friday”.", kind="clarify"
        )
    if found > context.today:
        return Result("{day} is still to come.", names={"day": found}, kind="clarify")
    if found < context.today - _LONG_AGO:
        return Result("{day} is too long ago.", names={"day": found}, kind="clarify")
    return found


def _account(account: str | None, context: ToolContext) -> str | Result:
    """Return the name of the account that is meant: cash by itself, else one of theirs, else none of the bank's."""
    if account is None:
        return ELSEWHERE
    own = {each.name: each for each in context.vocabulary.accounts}
    if account in own:
        return account
    if account.casefold() == CASH.casefold():
        of_cash = [name for name, each in own.items() if each.type is AccountType.CASH]
        return of_cash[0] if of_cash else CASH
    names = names_of(AccountSlot().check(account, context).value)
    if len(names) != 1:
        return Result(
            "You have no account “{account}”.", names={"account": shorten(account, quoted=False)}, kind="clarify"
        )
    return names[0]


async def _category(
    category: str | None, what: str, judged: Judged, entry: Entry, context: ToolContext
) -> str | Result:
    """Return the category that the person names, or that their words for what they bought mean; else nothing."""
    rules = await list_rules(context.ledger)
    if category is not None:

        def put(each: str) -> Choice:
            amount = f"{Money(abs(entry.amount_minor), entry.currency).amount} {entry.currency}"
            direction = IN if entry.amount_minor > 0 else OUT
            day, account = entry.booked_on.isoformat(), entry.account
            return choice_of(
                say("Under {category}", category=each), _ADD, amount=amount, direction=direction, what=what, day=day,
                account=None if account == ELSEWHERE else account, category=each,
            )  # fmt: skip

        return category_named(category, context, rules, put)
    if judged.category_source != "none" or entry.amount_minor > 0:
        return ""
    found = category_named(bare_words(what), context, rules, Choice)
    known = {*context.vocabulary.categories}
    return found if isinstance(found, str) and found in known else ""


async def _alike(entry: Entry, context: ToolContext) -> Any:
    """Return a transaction of the same amount around that day, if there is one."""
    size = abs(entry.amount_minor)
    near = Period(entry.booked_on - timedelta(DAYS_APART), entry.booked_on + timedelta(DAYS_APART))
    wanted = Filter(
        period=near, at_least_minor=size, at_most_minor=size, currency=entry.currency,
        sign=1 if entry.amount_minor > 0 else -1,
    )  # fmt: skip
    return next(iter(await context.ledger.rows(wanted, "newest", 1)), None)
