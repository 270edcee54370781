"""What stands behind an answer: which transactions were counted, what was left out, and what they add up to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from graph.answers import show_fact
from graph.reply import Text
from language.catalogue import joined, say
from ledger.money import Money, to_decimal
from ledger.transactions import Flow
from tools.apps.scope import clip
from tools.results import Column, Table
from tools.wording import day_range, money, number, period_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.reply import Reply
    from language.catalogue import Template
    from ledger.filters import Filter
    from ledger.tallies import Totals
    from ledger.transactions import Transaction
    from tools.context import ToolContext

_COUNTED = {
    Flow.SPENDING: "spending: purchases, bills, fees, interest paid, loan payments and cash, less refunds",
    Flow.INCOME: "income: pay and other money in, interest earned",
    Flow.NEITHER: "transfers between own accounts and card payments",
}
_OTHERS = {
    Flow.SPENDING: "that count as spending",
    Flow.INCOME: "that count as income",
    Flow.NEITHER: "transfers or card payments",
}
_COLUMNS = (
    Column("Date", "date"), Column("Merchant"), Column("Category"), Column("Account"), Column("Amount", "money"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Receipt:
    """One set of transactions that a figure was computed over: what it is in words, and its rows with their sum."""

    lines: tuple[tuple[str, str], ...]
    rows: Table | None = None


async def receipts(reply: Reply, context: ToolContext, most: int = 10) -> list[Receipt]:
    """Return a receipt for each set of transactions behind an answer, each with at most so many rows.

    An answer that was computed from other answers' figures has one receipt, with those figures.
    """
    if not reply.behind:
        told = ((fact.label, show_fact(fact, context.locale, context.language)) for fact in reply.facts)
        return [Receipt(tuple(told))]
    noted = tuple(
        ("Noted", block.text) for block in reply.blocks if isinstance(block, Text) and block.role == "definition"
    )
    made = []
    for position, wanted in enumerate(reply.behind):
        totals = await context.ledger.totals(wanted)
        shown = await context.ledger.rows(wanted, "newest", most)
        lines = [*_scope(wanted, context), *await _left_out(wanted, context), *_sums(totals, wanted, reply, context)]
        rows = _table(shown, _all(totals)) if shown else None
        made.append(Receipt((*lines, *(noted if position == len(reply.behind) - 1 else ())), rows))
    return made


async def rows_behind(reply: Reply, context: ToolContext, most: int | None) -> Table | None:
    """Return the transactions behind an answer, the newest first, with the sum of all; None if there are none."""
    if len(reply.behind) == 1:
        totals = await context.ledger.totals(reply.behind[0])
        rows = await context.ledger.rows(reply.behind[0], "newest", most)
        return _table(rows, _all(totals)) if rows else None
    found = {row.id: row for wanted in reply.behind for row in await context.ledger.rows(wanted, "newest", most)}
    ordered = sorted(found.values(), key=lambda row: (row.booked_on, row.id), reverse=True)
    sums = await context.ledger.sums_of_any(reply.behind) if ordered else {}
    return (
        _table(ordered[:most], [(count, Money(minor, code)) for code, (count, minor) in sums.items()])
        if ordered
        else None
    )


def _scope(wanted: Filter, context: ToolContext) -> list[tuple[str, str]]:
    """Say in words what a filter lets through."""
    merchants = dict(context.vocabulary.merchants)
    accounts = {account.id: account.name for account in context.vocabulary.accounts}
    found = [
        ("Period", _period(wanted, context)),
        ("Counted", say(_COUNTED[wanted.flow] if wanted.flow else "every transaction")),
        ("Only kinds", joined((say(kind.value.replace("_", " ")) for kind in wanted.kinds), ", ")),
        ("Category", ", ".join(wanted.categories)),
        ("Merchant", ", ".join(merchants.get(key, key) for key in wanted.merchants)),
        ("Account", ", ".join(accounts.get(account, "") for account in wanted.accounts)),
        ("Currency", wanted.currency or ""),
        ("Amount", _bounds(wanted, context)),
        ("Direction", say({-1: "money out only", 1: "money in only"}.get(wanted.sign or 0, ""))),
        ("Found by", say("words and meaning of the descriptions" if wanted.phrases is not None else "")),
        ("Not", ", ".join((*wanted.not_categories, *(merchants.get(key, key) for key in wanted.not_merchants)))),
        ("Not", _counted(len(wanted.not_ids), "single transaction", context) if wanted.not_ids else ""),
    ]
    return [(name, text) for name, text in found if text]


def _period(wanted: Filter, context: ToolContext) -> str:
    covered = clip(wanted.period, context)
    dates = day_range(covered.start, covered.end, context.language)
    name = period_name(wanted.period, context.language)
    return dates if name == dates else f"{name}: {dates}"


def _bounds(wanted: Filter, context: ToolContext) -> str:
    currency = wanted.currency or context.currency
    least, most = (
        None if bound is None else money(Money(bound, currency), context.locale)
        for bound in (wanted.at_least_minor, wanted.at_most_minor)
    )
    told = [say("at least {amount}", amount=least)] if least else []
    told += [say("at most {amount}", amount=most)] if most else []
    return joined(told, " and ")


async def _left_out(wanted: Filter, context: ToolContext) -> list[tuple[str, str]]:
    """Say what else the same filter finds that does not count, if it counts one flow only."""
    if wanted.flow is None or wanted.kinds:
        return []
    found: list[tuple[str, str]] = []
    for flow, words in _OTHERS.items():
        totals = [] if flow is wanted.flow else await context.ledger.totals(replace(wanted, flow=flow))
        if count := sum(each.count for each in totals):
            told = say(f"{{count}} {words}: {{sums}}", count=str(count), sums=_both_ways(totals, context))
            found.append(("Left out", told))
    return found


def _both_ways(totals: Sequence[Totals], context: ToolContext) -> Template:
    """Say how much went out and came in."""
    parts = []
    for each in totals:
        out, into = (money(Money(minor, each.currency), context.locale) for minor in (each.out_minor, each.into_minor))
        parts += [say("{amount} out", amount=out)] if each.out_count else []
        parts += [say("{amount} in", amount=into)] if each.into_count else []
    return joined(parts, ", ")


def _sums(totals: Sequence[Totals], wanted: Filter, reply: Reply, context: ToolContext) -> list[tuple[str, str]]:
    """Say what the rows come to, and which figure of the answer that is."""
    if not totals:
        return [("Rows", say("none"))]
    count = _counted(sum(each.count for each in totals), "transaction", context)
    lines: list[tuple[str, str]] = [("Rows", joined((count, _both_ways(totals, context)), ": "))]
    for each in totals:
        net = each.net_out_minor if wanted.flow is Flow.SPENDING else -each.net_out_minor
        text = money(Money(net, each.currency), context.locale)
        amount = to_decimal(net, each.currency)
        same = [fact for fact in reply.facts if fact.unit == "money" and fact.currency == each.currency]
        figure = next((fact for fact in same if fact.value == amount), None)
        if figure is not None:
            form = "{amount} = {figure} ({subject})" if figure.subject else "{amount} = {figure}"
            text = say(form, amount=text, figure=say(figure.label), subject=figure.subject or "")
        lines.append(("Adds up to", text))
    return lines


def _all(totals: Sequence[Totals]) -> list[tuple[int, Money]]:
    return [(each.count, Money(-each.net_out_minor, each.currency)) for each in totals]


def _table(rows: Sequence[Transaction], sums: Sequence[tuple[int, Money]]) -> Table:
    """Return rows as a table that ends with the sum of all, per currency, shown or not."""
    shown = tuple((row.booked_on, row.merchant, row.category, row.account, row.money) for row in rows)
    several = sum(count for count, _ in sums) > len(rows)
    added = tuple(
        (None, say("Sum of all {count}" if several or len(sums) > 1 else "Sum", count=str(count)), None, None, amount)
        for count, amount in sums
    )
    return Table(_COLUMNS, (*shown, *added), "Transactions")


def _counted(count: int, noun: str, context: ToolContext) -> Template:
    return say(f"{{count}} {noun}{'' if count == 1 else 's'}", count=number(count, context.locale))
