"""What stands behind an answer: which transactions were counted, what was left out, and what they add up to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from graph.answers import show_fact
from graph.reply import Text
from language.catalogue import Template, joined, say, translated
from ledger.money import Money, to_decimal
from ledger.own_names import told_name
from ledger.transactions import Flow
from tools.apps.scope import clip
from tools.results import Column, Table
from tools.wording import day_range, money, number, period_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from graph.reply import Reply
    from ledger.filters import Filter
    from ledger.tallies import Totals
    from ledger.transactions import Kind, Transaction
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

#: Whose words those are in the catalogues that stand for something else in an answer.
_CONTEXT = "receipt"
#: What a line is about, and what it says.
Line = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Receipt:
    """One set of transactions that a figure was computed over: what it is in words, and its rows with their sum.

    ``reading`` says how the question was read, ``sums`` what was left out and what the rows come to, ``noted`` what the
    answer said of itself; all in the answer's language.
    """

    reading: tuple[Line, ...] = ()
    sums: tuple[Line, ...] = ()
    noted: tuple[Line, ...] = ()
    rows: Table | None = None

    @property
    def lines(self) -> tuple[Line, ...]:
        """All that it says, each line with what it is about."""
        return (*self.reading, *self.sums, *self.noted)


async def receipts(reply: Reply, context: ToolContext, most: int = 10) -> list[Receipt]:
    """Return a receipt for each set of transactions behind an answer, each with at most so many rows.

    An answer that was computed from other answers' figures has one receipt, with those figures.
    """
    context = replace(context, language=reply.language)
    if not reply.behind:
        figures = ((say(fact.label), show_fact(fact, context.locale, context.language)) for fact in reply.facts)
        return [Receipt(sums=_told(((label, say("{figure}", figure=figure)) for label, figure in figures), context))]
    said = [block.text for block in reply.blocks if isinstance(block, Text) and block.role == "definition"]
    noted = _told((("Noted", say("{note}", note=text)) for text in said), context)
    made = []
    for position, wanted in enumerate(reply.behind):
        totals = await context.ledger.totals(wanted)
        shown = await context.ledger.rows(wanted, "newest", most)
        sums = [*await _left_out(wanted, context), *_sums(totals, wanted, reply, context)]
        is_last = position == len(reply.behind) - 1
        made.append(
            Receipt(
                _told(_scope(wanted, context), context),
                _told(sums, context),
                noted if is_last else (),
                _table(shown, _all(totals)) if shown else None,
            )
        )
    return made


def _told(lines: Iterable[Line], context: ToolContext) -> tuple[Line, ...]:
    """Return lines in the language of the answer."""
    told = ((translated(name, context.language, _CONTEXT), text) for name, text in lines)
    return tuple((name, translated(text, context.language, _CONTEXT)) for name, text in told)


async def rows_behind(reply: Reply, context: ToolContext, most: int | None) -> Table | None:
    """Return the transactions behind an answer, the newest first, with the sum of all; None if there are none."""
    context = replace(context, language=reply.language)
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
        ("Counted", _COUNTED[wanted.flow] if wanted.flow else "every transaction"),
        ("Only kinds", _listed(kind_name(kind, context.language) for kind in wanted.kinds)),
        ("Category", _listed(map(told_name, wanted.categories))),
        ("Merchant", _listed(merchants.get(key, key) for key in wanted.merchants)),
        ("Account", _listed(accounts.get(account, "") for account in wanted.accounts)),
        ("Currency", say("{currency}", currency=wanted.currency or "")),
        ("Amount", _bounds(wanted, context)),
        ("Direction", {-1: "money out only", 1: "money in only"}.get(wanted.sign or 0, "")),
        ("Found by", "words and meaning of the descriptions" if wanted.phrases is not None else ""),
        (
            "Not",
            _listed(
                (*map(told_name, wanted.not_categories), *(merchants.get(key, key) for key in wanted.not_merchants))
            ),
        ),
        ("Not", "rows whose descriptions hold certain words" if wanted.not_phrases else ""),
        ("Not", _counted(len(wanted.not_ids), "single transaction", context) if wanted.not_ids else ""),
    ]
    return [(name, text) for name, text in found if text]


def kind_name(kind: Kind, language: str) -> str:
    """Return what a kind of transaction is called."""
    return translated(kind.value.replace("_", " "), language, _CONTEXT)


def _listed(names: Iterable[str]) -> str:
    """Return names in a row; a person's own are nothing to translate."""
    return joined((name if isinstance(name, Template) else say("{name}", name=name) for name in names), ", ")


def _period(wanted: Filter, context: ToolContext) -> str:
    covered = clip(wanted.period, context)
    dates = day_range(covered.start, covered.end, context.language)
    name = period_name(wanted.period, context.language)
    return say("{dates}", dates=dates if name == dates else f"{name}: {dates}")


def _bounds(wanted: Filter, context: ToolContext) -> str:
    currency = wanted.currency or context.currency
    least, most = (
        None if bound is None else money(Money(bound, currency), context.locale)
        for bound in (wanted.at_least_minor, wanted.at_most_minor)
    )
    bounds = [say("at least {amount}", amount=least)] if least else []
    return joined([*bounds, say("at most {amount}", amount=most)] if most else bounds, " and ")


async def _left_out(wanted: Filter, context: ToolContext) -> list[tuple[str, str]]:
    """Say what else the same filter finds that does not count, if it counts one flow only."""
    if wanted.flow is None or wanted.kinds:
        return []
    found: list[Line] = []
    for flow, words in _OTHERS.items():
        totals = [] if flow is wanted.flow else await context.ledger.totals(replace(wanted, flow=flow))
        if count := sum(each.count for each in totals):
            moved = _both_ways(totals, context)
            found.append(("Left out", say(f"{{count}} {words}: {{moved}}", count=str(count), moved=moved)))
    return found


def _both_ways(totals: Sequence[Totals], context: ToolContext) -> str:
    """Say how much went out and came in."""
    parts = []
    for each in totals:
        if each.out_count:
            parts.append(say("{amount} out", amount=money(Money(each.out_minor, each.currency), context.locale)))
        if each.into_count:
            parts.append(say("{amount} in", amount=money(Money(each.into_minor, each.currency), context.locale)))
    return joined(parts, ", ")


def _sums(totals: Sequence[Totals], wanted: Filter, reply: Reply, context: ToolContext) -> list[tuple[str, str]]:
    """Say what the rows come to, and which figure of the answer that is."""
    if not totals:
        return [("Rows", "none")]
    rows = _counted(sum(each.count for each in totals), "transaction", context)
    lines: list[Line] = [("Rows", say("{rows}: {moved}", rows=rows, moved=_both_ways(totals, context)))]
    for each in totals:
        net = each.net_out_minor if wanted.flow is Flow.SPENDING else -each.net_out_minor
        text = say("{sum}", sum=money(Money(net, each.currency), context.locale))
        amount = to_decimal(net, each.currency)
        same = [fact for fact in reply.facts if fact.unit == "money" and fact.currency == each.currency]
        figure = next((fact for fact in same if fact.value == amount), None)
        if figure is not None:
            of = {"label": say(figure.label), "subject": figure.subject}
            text = say("{sum} = {label} ({subject})" if figure.subject else "{sum} = {label}", sum=text, **of)
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


def _counted(count: int, noun: str, context: ToolContext) -> str:
    if count == 1:
        return say(f"1 {noun}")
    return say(f"{{count}} {noun}s", count=number(count, context.locale))
