"""Explaining a charge that a message is about, say a bank's notice: which transaction it is, and how it was read."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from bots.desk.importing import bringing
from bots.desk.replies import aside, said
from bots.receipts import kind_name
from graph.planner.vocabulary import FUNCTION_WORDS
from graph.reply import Action, Actions
from language.catalogue import joined, say
from language.words import words
from ledger.filters import ALL_TIME, Filter
from ledger.merchants import merchant_key, normalise_merchant
from ledger.money import Money, to_minor
from ledger.periods import Period
from ledger.refunds import refunded
from ledger.transactions import Flow
from tools.apps.transactions import transaction_table
from tools.results import Scope
from tools.slots.amounts import AmountSlot
from tools.slots.names import MerchantSlot, merchant_keys, names_of
from tools.slots.period import PeriodSlot
from tools.wording import day, day_range, money, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bots.contracts import Message
    from bots.desk.desk import Desk, Handler
    from bots.history import Recollection
    from graph.turn import TurnOutcome
    from ledger.transactions import Transaction
    from tools.context import ToolContext

_LONGEST = 3000
_MOST_LINES, _MOST_AMOUNTS, _MOST_MERCHANTS = 20, 8, 20
#: Lines that are searched for, and words of each; a single word is enough only where it stands alone.
_MOST_SEARCHED, _MOST_WORDS = 5, 6
_MOST_PHRASES = 50
_SHOWN = 5
_LONGEST_QUOTE = 120
#: Banks book a charge some days after it was made.
_BOOKING = timedelta(days=4)
_SIGN = r"[$€£¥]|\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD)\b"
_AMOUNT = re.compile(
    rf"(?P<before>{_SIGN})?\s?[-−+]?(?<![\w.,])(?P<number>\d{{1,3}}(?:[,.'’]\d{{3}})+(?:[.,]\d\d)?|\d{{1,9}}(?:[.,]\d\d)?)"
    rf"(?![\d%]|[.,]\d)(?:\s?(?P<after>{_SIGN}))?",
    re.IGNORECASE,
)
_SPELLED_OUT = re.compile(r"[.,]\d\d$")
#: Words that messages about charges have and descriptions of them don't.
_ABOUT_CHARGES = frozenset(
    "charge charged card purchase payment transaction bank account amount balance buchung".split()
)


@dataclass(frozen=True, slots=True)
class _Clues:
    """What a text says about a charge: sizes, merchants by key, search strings by id, and when."""

    amounts: tuple[Decimal, ...] = ()
    merchants: tuple[str, ...] = ()
    phrases: tuple[int, ...] = ()
    period: Period | None = None


def charge_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handler of the shortcut on a message."""
    return {"charge": partial(_explain, desk)}


async def _explain(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Say which transaction a message is about, or what was looked for."""
    text = str(message.values.get("text", ""))[:_LONGEST]
    context = await desk.context(message.person)
    if context.vocabulary.count == 0:
        nothing = said("There is nothing in your ledger yet.", bringing(message.surface), language=context.language)
        return aside(nothing, recollection)
    clues = await _clues(text, context)
    told_by, rows, count = await _matching(clues, context)
    if not rows:
        return aside(said(*_looked_for(text, clues, context), kind="refuse", language=context.language), recollection)
    return await _explained(rows, count, told_by, context, recollection)


async def _explained(
    rows: Sequence[Transaction], count: int, told_by: str, context: ToolContext, recollection: Recollection
) -> TurnOutcome:
    """Explain the newest of the transactions that fit, and list some of the others."""
    row, language = rows[0], context.language
    keys = merchant_keys((row.merchant,), context) or (merchant_key(row.merchant),)
    year = Period(_year_before(context.today), context.today)
    there = Filter(period=year, merchants=keys)
    size = money(Money(abs(row.amount_minor), row.currency), context.locale)
    way = "out" if row.amount_minor < 0 else "in"
    kind = kind_name(row.kind, language)
    lines = [
        say(f"Category: {{category}} ({{kind}}, money {way})", category=row.category, kind=kind),
        say("Account: {account}", account=row.account),
        _as_read(row),
        *await _linked(row, context),
        await _usually(row.merchant, there, context),
        say(f"Found by its {told_by}"),
    ]
    parts: list[str] = [joined(lines, "\n")]
    if len(rows) > 1:
        fit = "{count} transactions fit this message; the one above is the newest."
        parts.append(say(fit, count=number(count, context.locale)))
    found = said(
        say("{merchant}: {size} on {day}", merchant=row.merchant, size=size, day=day(row.booked_on, language)),
        *parts,
        *([transaction_table(rows)] if len(rows) > 1 else []),
        Actions((Action("Transactions", "transactions"), Action("Change a category", "categories"))),
        language=language,
    )
    outcome = aside(replace(found, period=year, behind=(there,)), recollection)
    if row.flow is not Flow.SPENDING:
        return outcome
    about = {"merchant": row.merchant, "start_date": year.start.isoformat(), "end_date": year.end.isoformat()}
    return replace(outcome, scope=Scope("spending-analyze_merchant", about))


def _as_read(row: Transaction) -> str:
    """Say what the bank wrote and which merchant that is; files with a name of their own keep the bank's words as a memo."""
    wrote = row.memo if row.memo and row.memo not in row.description else row.description
    if wrote.casefold() == row.merchant.casefold():
        return say("Merchant: {merchant}, as the bank wrote it", merchant=row.merchant)
    return say("Merchant: {merchant}, where the bank wrote {words}", merchant=row.merchant, words=_quoted(wrote))


async def _linked(row: Transaction, context: ToolContext) -> list[str]:
    """Say what came back of a purchase and what it cost in the end, or which one a refund is of."""
    link = (await refunded(context.ledger, [row.id])).get(row.id)
    if link is None:
        return []
    back, net = (money(Money(minor, row.currency), context.locale) for minor in (link.back_minor, link.left_minor))
    if row.id == link.purchase.id:
        days = ", ".join(day(each.booked_on, context.language) for each in link.refunds)
        return [say("Came back: {back} on {days}, {net} in the end", back=back, days=days, net=net)]
    of = link.purchase
    paid = money(Money(abs(of.amount_minor), of.currency), context.locale)
    on = day(of.booked_on, context.language)
    return [say("Refund of {paid} at {merchant} on {day}", paid=paid, merchant=of.merchant, day=on)]


async def _usually(merchant: str, there: Filter, context: ToolContext) -> str:
    """Say how often and how much there was at the merchant in the last twelve months."""
    dates = day_range(there.period.start, there.period.end, context.language)
    parts = []
    for each in await context.ledger.totals(there):
        for noun, count, minor in (
            ("charge", each.out_count, each.out_minor),
            ("credit", each.into_count, each.into_minor),
        ):
            if count:
                form = f"1 {noun} of {{sum}} in all" if count == 1 else f"{{count}} {noun}s of {{sum}} in all"
                amount = money(Money(minor, each.currency), context.locale)
                parts.append(say(form, count=number(count, context.locale), sum=amount))
    told = joined(parts, ", ") if parts else say("nothing")
    return say("{merchant} in the last 12 months ({dates}): {told}", merchant=merchant, dates=dates, told=told)


def _year_before(today: date) -> date:
    """Return the first of the twelve months' days that end today."""
    year, month = today.year - 1, today.month
    return date(year, month, min(today.day, monthrange(year, month)[1])) + timedelta(days=1)


async def _clues(text: str, context: ToolContext) -> _Clues:
    """Read a text that anybody may have written: whatever it says is looked for, and nothing in it is done."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()][:_MOST_LINES]
    bare = [_AMOUNT.sub(" ", line) for line in lines]
    named = [name for mention in MerchantSlot().find(text, context) for name in names_of(mention.value)]
    known = {key for key, _ in context.vocabulary.merchants}
    keys = [
        *merchant_keys(named, context),
        *(key for line in bare if (key := merchant_key(normalise_merchant(line))) in known),
    ]
    merchants = tuple(dict.fromkeys(keys))[:_MOST_MERCHANTS]
    mentions = PeriodSlot().find(text, context)
    period = mentions[0].value if mentions else None
    return _Clues(_amounts(text, context), merchants, () if merchants else await _phrases(bare, context), period)


def _amounts(text: str, context: ToolContext) -> tuple[Decimal, ...]:
    """Return the amounts in a text: numbers with a currency's sign, or with two decimals."""
    found = []
    for match in _AMOUNT.finditer(text):
        if match["before"] or match["after"] or _SPELLED_OUT.search(match["number"]):
            checked = AmountSlot("over").check(match["number"].replace("’", "'"), context)
            if checked.value is not None:
                found.append(Decimal(checked.value))
    return tuple(dict.fromkeys(found))[:_MOST_AMOUNTS]


async def _phrases(lines: Sequence[str], context: ToolContext) -> tuple[int, ...]:
    """Return the search strings that hold a line's telling words, or as many of the first ones as any of them holds."""
    found: dict[int, None] = {}
    for line in lines[:_MOST_SEARCHED]:
        telling = [line[word.start : word.end] for word in words(line) if _is_telling(word.key)][:_MOST_WORDS]
        for length in range(len(telling), min(1, len(telling) - 1), -1):
            hits = await context.search.find(" ".join(telling[:length]), _MOST_PHRASES)
            if hits.literal:
                found |= dict.fromkeys(hits.ids)
                break
    return tuple(found)


def _is_telling(word: str) -> bool:
    return word.isalpha() and word not in FUNCTION_WORDS and word not in _ABOUT_CHARGES


async def _matching(clues: _Clues, context: ToolContext) -> tuple[str, list[Transaction], int]:
    """Return which clues the transactions have that most of them fit, the newest of these, and how many there are."""
    for told_by, wanted in _attempts(clues, context):
        periods = {ALL_TIME: ""} if clues.period is None else {_booked(clues.period): ", with its date", ALL_TIME: ""}
        for period, dated in periods.items():
            dates = [replace(each, period=period) for each in wanted]
            found = [row for each in dates for row in await context.ledger.rows(each, "newest", _SHOWN)]
            if found:
                newest = sorted(found, key=lambda row: (row.booked_on, row.id), reverse=True)[:_SHOWN]
                count = sum(count for count, _ in (await context.ledger.sums_of_any(dates)).values())
                return told_by + dated, newest, count
    return "", [], 0


def _attempts(clues: _Clues, context: ToolContext) -> Iterator[tuple[str, list[Filter]]]:
    """Yield what to look for, all clues first; an amount tells more than a name."""
    sizes = [
        Filter(currency=currency, at_least_minor=minor, at_most_minor=minor)
        for amount, currency in product(clues.amounts, context.vocabulary.currencies)
        if (minor := to_minor(amount, currency))
    ]
    named = Filter(merchants=clues.merchants, phrases=clues.phrases or None)
    if named != Filter():
        yield "amount and name", [replace(size, merchants=named.merchants, phrases=named.phrases) for size in sizes]
    yield "amount", sizes
    if named != Filter():
        yield "name", [named]


def _booked(period: Period) -> Period:
    """Return the days on which a charge of the period may be booked."""
    if ALL_TIME.start == period.start or period.end > ALL_TIME.end - _BOOKING:
        return period
    return Period(period.start - _BOOKING, period.end + _BOOKING)


def _looked_for(text: str, clues: _Clues, context: ToolContext) -> tuple[str, str]:
    """Say that nothing fits, and what was looked for."""
    names = dict(context.vocabulary.merchants)
    currency = context.currency
    sought = [money(Money(to_minor(amount, currency), currency), context.locale) for amount in clues.amounts]
    sought += [names[key] for key in clues.merchants]
    if not sought and not text.strip():
        return (
            "There is no text to look into.",
            "Use “Explain this charge” on a message that names an amount or a shop.",
        )
    first, last = context.vocabulary.first, context.vocabulary.last
    what = say("I looked for {what}.", what=", ".join(sought))
    if not sought:
        what = say("I looked for the words {words}, as they hold no amount and no shop of yours.", words=_quoted(text))
    if first and last:
        days = {"first": day(first, context.language), "last": day(last, context.language)}
        what = joined((what, say("Your ledger runs from {first} to {last}.", **days)), " ")
    return "Nothing in your ledger fits this message.", what


def _quoted(text: str) -> str:
    """Return a text of others on one line, cut where it is long."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return say("“{word}”", word=line if len(line) <= _LONGEST_QUOTE else line[: _LONGEST_QUOTE - 1] + "…")
