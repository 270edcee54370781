"""Which of what recurs is asked about, and how several of it are shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from language.catalogue import joined, say, translated
from ledger.categories import trades_of
from ledger.filters import ALL_TIME, Filter
from ledger.own_names import told_name
from ledger.recurring import Series, categories_above, find_series, recurring
from ledger.taxonomy import lineage
from ledger.transactions import Kind
from tools.apps.scope import Asked, holding, meant_left_out
from tools.results import Column, Table
from tools.slots.names import account_ids, merchant_keys, names_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from ledger.periods import Period
    from tools.context import ToolContext

#: Which series are those of a kind of money.
SERIES_OF = {"spending": "all", "income": "income", "salary": "income", "savings": "savings"}
#: Our categories whose payments are called subscriptions, and those that are bills.
_SUBSCRIPTIONS = frozenset({"subscriptions", "fitness", "books", "electronics", "games", "entertainment"})
_BILLS = frozenset({"housing", "insurance", "loans", "taxes", "education", "kids", "fees", "transport"})


def is_of(series: Series, which: str) -> bool:
    """Tell whether something that recurs is one of ``all``, ``subscriptions``, ``bills``, ``income`` or ``savings``."""
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


async def regular(asked: Asked, which: str, context: ToolContext) -> list[Series]:
    """Return what recurs of the category, merchant, words and means that are named; ``which`` as in :func:`is_of`."""
    categories, merchants = set(names_of(asked.category)), set(merchant_keys(names_of(asked.merchant), context))
    found = [
        each
        for each in await recurring_in(asked.text, context)
        if is_of(each, which)
        and (not categories or each.category in categories)
        and (not merchants or each.key in merchants)
    ]
    kept = _without(found, names_of(asked.exclude), context)
    return await _paid_so(kept, asked, context)


async def recurring_in(text: str | None, context: ToolContext) -> Sequence[Series]:
    """Return all that recurs; with words, what recurs among the rows that hold them, each called by them as well."""
    if text is None:
        return await recurring(context.ledger)
    phrases = await holding(text, context)
    found = find_series(await context.ledger.rows(Filter(phrases=phrases), "oldest"))
    quoted = translated(say("“{word}”", word=text), context.language)
    return [replace(each, merchant=f"{each.merchant} {quoted}", phrases=phrases) for each in found]


def _without(found: list[Series], exclude: Sequence[str], context: ToolContext) -> list[Series]:
    """Return those that are none of the categories and merchants to leave out."""
    categories, merchants = meant_left_out(exclude, context)
    return [each for each in found if each.category not in categories and each.key not in merchants]


async def _paid_so(found: list[Series], asked: Asked, context: ToolContext) -> list[Series]:
    """Return those to whose merchants money goes by some means of payment, or through some accounts, where these are named."""
    named = names_of(asked.account)
    if asked.means is None and not named:
        return found
    wanted = Filter(means=(asked.means,) if asked.means else (), accounts=account_ids(named, context))
    merchants = {group.key for group in await context.ledger.groups(wanted, "merchant")}
    return [each for each in found if each.key in merchants]


def last_day(context: ToolContext) -> date:
    """Return the day by which something is overdue: the ledger's last one, where the bank's file ends earlier."""
    return min(context.today, context.vocabulary.last or context.today)


def subject_of(asked: Asked) -> str:
    """Return what is named, in one phrase; empty for nothing."""
    text = (say("“{word}”", word=asked.text),) if asked.text else ()
    return joined((*names_of(asked.merchant), *map(told_name, names_of(asked.category)), *text), ", ")


def filter_of(shown: Sequence[Series], period: Period | None = None) -> Filter:
    """Return the filter that keeps the rows of what is shown, those of a period where one is given."""
    phrases = shown[0].phrases if shown else None
    merchants = tuple(dict.fromkeys(each.key for each in shown))
    return Filter(period=period or ALL_TIME, merchants=merchants, phrases=phrases)


def commonest(shown: Sequence[Series]) -> str:
    """Return the currency that most are in."""
    currencies = [each.currency for each in shown]
    return max(currencies, key=currencies.count)


def table_of(shown: Sequence[Series], *, are_over: bool = False) -> Table:
    """Return a row for each, with its price, its rhythm, and when it came and comes; of a time that is over, when it came."""
    columns = (
        Column("What"), Column("Price", "money"), Column("How often"),
        Column("Since", "date"), Column("Last", "date"), Column("Next", "date"),
    )  # fmt: skip
    rows = tuple((each.merchant, each.current, say(each.rhythm.per), each.since, each.last, each.due) for each in shown)
    return Table(columns[:-1], tuple(row[:-1] for row in rows)) if are_over else Table(columns, rows)
