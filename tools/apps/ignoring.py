"""What the person leaves out of their figures for good, and what is counted again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language.catalogue import Template, say
from language.words import words
from ledger.filters import Filter
from ledger.left_out import LeftOut, count_again, is_same, leave_out, list_left_out, would_leave, would_return
from ledger.money import Money
from ledger.transactions import Flow, flow_of
from tools.apps.scope import no_data
from tools.calls import Call, Choice, choice_of
from tools.changes import Change
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Fact, Result, Table
from tools.slots import CountedAgain, Ignored
from tools.slots.assignments import merchants_named
from tools.slots.ignoring import bare_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.transactions import Transaction

_IGNORE, _COUNT = "categories-ignore", "categories-count_again"
_MOST_CHOICES = 5
_WITH_WORDS = "with the words "
#: What a rule is about, by what it goes by: one transaction, and several.
_ROWS = {
    "merchant": ("1 transaction at {what}", "{count} transactions at {what}"),
    "words": (
        "1 transaction with “{what}” in the bank's text",
        "{count} transactions with “{what}” in the bank's text",
    ),
}


@tool(
    app="categories",
    name=_IGNORE,
    examples=(
        "Always ignore my landlord's deposit",
        "Never count Venmo as spending",
        "Leave the deposit out of my spending",
        "Ignore Netflix from now on",
        "Zähle die Kaution nicht zu den Ausgaben",
    ),
    keywords=("ignore", "leave out", "never count", "ignorieren", "weglassen"),
    writes=True,
)
async def ignore(context: ToolContext, what: Ignored) -> Result:
    """Leave a merchant, or all with some words, out of every figure for good, past and future; only where the person asks.

    Args:
        what: The merchant, or words of what the bank wrote.
    """
    if not context.vocabulary.count:
        return no_data(context)
    rule = await _meant(what, context)
    if isinstance(rule, Result):
        return rule
    if any(is_same(rule, each) for each in await list_left_out(context.ledger)):
        already = say("{rule} is left out already.", rule=_name(rule))
        return Result(already, names={"what": rule.pattern}, kind="unchanged")
    rows = await context.ledger.rows_of(await would_leave(context.ledger, rule))
    if not rows:
        return Result(
            say("Nothing of {rule} counts, so there is nothing to leave out.", rule=_name(rule)),
            names={"what": rule.pattern},
            kind="empty",
        )

    async def work(connection: AsyncConnection) -> None:
        await leave_out(connection, context.ledger, rule)

    return Result(
        say("Leave {rows} out of all figures?", rows=_rows(rule, rows)),
        facts=(Fact.count("count", "Transactions that change", len(rows)),),
        notes=("What is imported later is left out as well.", "“Count {what} again” takes it back."),
        names={"what": rule.pattern, "count": len(rows)},
        table=await _table(context, [(row, row.flow) for row in rows], leaving=True),
        change=Change(
            work,
            say("{rows} left out from now on.", rows=_rows(rule, rows)),
            Call(_COUNT, {"what": _argument(rule)}),
        ),
    )


@tool(
    app="categories",
    name=_COUNT,
    examples=("Count Netflix again", "Stop ignoring the deposit", "Zähle Netflix wieder mit"),
    keywords=("count", "again", "stop ignoring", "wieder"),
    writes=True,
)
async def count_it_again(context: ToolContext, what: CountedAgain) -> Result:
    """Count again what the person left out for good.

    Args:
        what: The merchant or words that were left out.
    """
    rules = await list_left_out(context.ledger)
    if not rules:
        return Result("You leave nothing out of your figures.", kind="empty")
    rule = next((each for each in rules if _is_named(each, what, context)), None)
    if rule is None:
        choices = tuple(_again(each) for each in rules[:_MOST_CHOICES])
        return Result("You don't leave out “{what}”.", names={"what": what}, kind="clarify", choices=choices)
    kinds = await would_return(context.ledger, rule)
    rows = await context.ledger.rows_of(tuple(kinds))

    async def work(connection: AsyncConnection) -> None:
        await count_again(connection, context.ledger, rule)

    return Result(
        say("Count {rows} again?", rows=_rows(rule, rows)),
        facts=(Fact.count("count", "Transactions that change", len(rows)),),
        names={"what": rule.pattern, "count": len(rows)},
        table=await _table(context, [(row, flow_of(kinds[row.id], row.amount_minor)) for row in rows], leaving=False),
        change=Change(
            work, say("{rows} counted again.", rows=_rows(rule, rows)), Call(_IGNORE, {"what": _argument(rule)})
        ),
    )


def _is_named(rule: LeftOut, what: str, context: ToolContext) -> bool:
    """Whether words are those of a rule, or name its merchant."""
    said = what.removeprefix(_WITH_WORDS)
    named = [LeftOut(rule.by, each) for each in (said, bare_words(said), *merchants_named(said, context))]
    return any(is_same(rule, each) for each in named)


async def _meant(what: str, context: ToolContext) -> LeftOut | Result:
    """Return the rule that words mean: a merchant of the ledger by its name, else words that its rows have."""
    if what.startswith(_WITH_WORDS):
        return LeftOut("words", what.removeprefix(_WITH_WORDS))
    named = merchants_named(what, context) or merchants_named(bare_words(what), context)
    if len(named) == 1:
        return LeftOut("merchant", named[0])
    if named:
        choices = tuple(
            choice_of(say("Leave out {merchant}", merchant=each), _IGNORE, what=each) for each in named[:_MOST_CHOICES]
        )
        question = "{count} merchants are called “{what}”. Which one?"
        return Result(question, names={"count": len(named), "what": what}, kind="clarify", choices=choices)
    said = [word.key for word in words(bare_words(what))]
    rule = LeftOut("words", " ".join(said))
    if said and await would_leave(context.ledger, rule):
        return rule
    single = [LeftOut("words", word) for word in said]
    held = [each for each in single if len(said) > 1 and await would_leave(context.ledger, each)]
    choices = tuple(
        choice_of(say("Leave out everything with “{words}”", words=each.pattern), _IGNORE, what=_argument(each))
        for each in held
    )
    return Result(
        "I find nothing “{what}” in your ledger.", names={"what": what}, kind="clarify", choices=choices[:_MOST_CHOICES]
    )


def _again(rule: LeftOut) -> Choice:
    return choice_of(say("Count {rows} again", rows=rule.pattern), _COUNT, what=_argument(rule))


def _argument(rule: LeftOut) -> str:
    """Return what a call names a rule by."""
    return rule.pattern if rule.by == "merchant" else f"{_WITH_WORDS}{rule.pattern}"


def _name(rule: LeftOut) -> Template:
    return say("{what}" if rule.by == "merchant" else "“{what}”")


def _rows(rule: LeftOut, rows: Sequence[Transaction]) -> Template:
    """Return the template for how many transactions a rule is about, and whose."""
    one, several = _ROWS[rule.by]
    return say(one if len(rows) == 1 else several)


async def _table(context: ToolContext, rows: Sequence[tuple[Transaction, Flow]], *, leaving: bool) -> Table:
    """Return what was spent and earned in all, before and after rows of these flows no longer count, or count again."""
    cells: list[tuple[str, Money, Money]] = []
    for flow, name, sign in ((Flow.SPENDING, "Spent, all time", -1), (Flow.INCOME, "Income, all time", 1)):
        totals = await context.ledger.totals(Filter(flow=flow))
        before = {each.currency: -sign * each.net_out_minor for each in totals}
        moved: dict[str, int] = {}
        for row, counted in rows:
            if counted is flow:
                moved[row.currency] = moved.get(row.currency, 0) + sign * row.amount_minor
        for currency, minor in moved.items():
            now = before.get(currency, 0)
            cells.append((say(name), Money(now, currency), Money(now - minor if leaving else now + minor, currency)))
    return Table((Column(""), Column("Before", "money"), Column("After", "money")), tuple(cells))
