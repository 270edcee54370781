"""Merchants, categories, accounts, days and the like in order: by money, or by how often."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal

from babel.dates import get_day_names

from language.catalogue import say, translated
from ledger.periods import Period
from tools.apps.measures import NTH, end_of, label_of, none_of
from tools.apps.populations import Of, Population, resolve_population
from tools.apps.scope import Asked, Scoped
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Chart, Column, Fact, Result, Table
from tools.slots import Accounts, Categories, EndDate, Excluded, MeansOfPayment, Merchants, Over, StartDate, Under
from tools.wording import day

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.filters import GroupBy
    from ledger.money import Money
    from ledger.repository import Group
    from ledger.tallies import Totals

Dimension = Literal["merchant", "category", "account", "month", "week", "day", "weekday", "quarter", "year"]
Ranked = Literal["money", "number"]

_DETAILS = 5


@tool(
    app="transactions",
    name="transactions-rank",
    examples=(
        "Which store do I go to most often?",
        "Where do I shop most frequently?",
        "Which merchant did I visit the most {period}?",
        "On which weekday do I spend the most?",
        "Spending by account {period}",
        "Who pays me the most?",
        "Which category do I use most often?",
        "Top merchants by number of visits",
        "In welchem Laden bin ich am häufigsten?",
        "Wo kaufe ich am öftesten ein?",
        "An welchem Wochentag gebe ich am meisten aus?",
        "Ausgaben nach Konto {period}",
    ),
    keywords=("most often", "frequently", "weekday", "by account", "am häufigsten", "Wochentag", "nach Konto"),
)
async def rank(
    context: ToolContext,
    by: Dimension = "merchant",
    ranked: Ranked = "money",
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
    limit: int = 5,
    least: bool = False,
    nth: int = 1,
) -> Result:
    """Merchants, categories, accounts, months, days or weekdays in order: by money or by how often.

    Args:
        by: What is ranked: merchant, category, account, month, week, day, weekday, quarter or year.
        ranked: By money, or by number of transactions.
        of: Which money: spending, income, salary, refunds, fees, interest, transfers, savings, savings_back, cash or all.
        category: Only this category.
        merchant: Only this merchant.
        start_date: First day, or a period phrase.
        end_date: Last day.
        account: Only of this account.
        over: Only amounts over this.
        under: Only amounts under this.
        exclude: Merchants or categories to leave out.
        text: Only rows whose descriptor holds these words.
        exclude_text: Leave out rows whose descriptor holds these words.
        means: Only what was paid so: card, direct_debit, standing_order, cheque or transfer.
        limit: How many to list.
        least: Whether the least comes first.
        nth: Which place is asked for, 2 for the second.
    """
    asked = Asked(
        start_date, end_date, None, category, merchant, account, over, under, exclude, 0, text, exclude_text, means
    )
    scoped, population = await resolve_population(asked, of, context)
    totals = await context.ledger.totals(scoped.wanted)
    if not totals:
        return await none_of(scoped, population, context)
    groups = await _grouped(scoped, by, context, totals[0].currency)
    measured = [(label, population.amount(sums), population.number(sums)) for label, sums in groups]
    place = 1 if ranked == "money" else 2
    ordered = sorted(measured, key=lambda each: ((1 if least else -1) * _size(each, place), each[0]))
    nth = min(max(1, nth), len(ordered))
    first, shown = ordered[nth - 1], ordered[: max(limit, nth)]
    tied = len(ordered) > nth and ordered[nth][place] == first[place]
    facts = [*_facts(first, shown, by, place), Fact.money("total", "Total", population.amount(totals[0]))]
    details = tuple(f"top_{number}" + ("_count" if place == 2 else "") for number in range(1, len(shown) + 1))[
        :_DETAILS
    ]
    return Result(
        headline=_headline(first, population, scoped, nth, by, place, least=least),
        facts=tuple(facts),
        notes=tuple(filter(None, ("there is a tie" if tied else "", "{dates}", *scoped.restrictions))),
        details=details if len(shown) > 1 else (),
        names={**scoped.names, "what": first[0]},
        table=Table((Column(by.capitalize()), Column("Amount", "money"), Column("Number", "count")), tuple(shown)),
        chart=_chart(shown, by, totals[0].currency, population) if len(shown) > 1 and place == 1 else None,
        period=scoped.period,
        behind=(scoped.wanted,),
    )


def _size(each: tuple[str, Money, int], place: int) -> int:
    return each[1].amount_minor if place == 1 else each[2]


def _facts(first: tuple[str, Money, int], shown: Sequence[tuple[str, Money, int]], by: str, place: int) -> list[Fact]:
    """Return the first place's figures, the one that ranks before the other, and those of all that are shown."""
    facts = [
        Fact.money("top", "Amount", first[1], subject=first[0]),
        Fact.count("top_count", "Number", first[2], subject=first[0]),
    ]
    if place == 2:
        facts.reverse()
    for number, (label, money, count) in enumerate(shown, 1):
        facts.append(Fact.money(f"top_{number}", f"Amount, by {by}", money, subject=label))
        facts.append(Fact.count(f"top_{number}_count", f"Number, by {by}", count, subject=label))
    return facts


def _headline(
    first: tuple[str, Money, int], population: Population, scoped: Scoped, nth: int, by: str, place: int, *, least: bool
) -> str:
    word = f"{NTH.get(nth, '')}{'least' if least else 'most'}"
    if place == 1:
        most, of_any = say(f"the {word}"), say(f"of any {by}")
        return say("{what}: {top}, {most}{subject} {of_any} {when}", most=most, of_any=of_any, subject=scoped.subject)
    noun = population.one if first[2] == 1 else population.many
    often = "" if least else " often"
    most = say(f"{{number}}, the {word}{often}", number=say(f"{{top_count}} {noun}"))
    return say("{what}: {most}{subject} {when}", most=most, subject=scoped.subject)


def _chart(shown: Sequence[tuple[str, Money, int]], by: str, currency: str, population: Population) -> Chart:
    labels, amounts = tuple(each[0] for each in shown), tuple(each[1].amount for each in shown)
    return Chart(f"By {by}", labels, amounts, currency, flow=population.way)


async def _grouped(scoped: Scoped, by: str, context: ToolContext, currency: str) -> list[tuple[str, Totals]]:
    """Return the sums of each group with its label; quarters and weeks are put together of smaller ones."""
    fine: dict[str, GroupBy] = {"week": "day", "quarter": "month"}
    key: GroupBy = fine.get(by, by)  # type: ignore[arg-type]
    groups = await context.ledger.groups(replace(scoped.wanted, currency=currency), key)
    found: dict[str, Totals] = {}
    for group in groups:
        label = _group_label(group, by, context)
        found[label] = found[label].plus(group.totals) if label in found else group.totals  # type: ignore[assignment,arg-type]
    return list(found.items())


def _group_label(group: Group, by: str, context: ToolContext) -> str:
    if by in ("month", "quarter"):
        first = date.fromisoformat(f"{group.key}-01")
        return label_of(Period(first, first), by, context)
    if by == "weekday":
        return str(get_day_names("wide", locale=context.language)[int(group.key)])
    if by == "day":
        return day(date.fromisoformat(group.key), context.language)
    if by == "week":
        end = end_of(date.fromisoformat(group.key), "week", context.week_start)
        return translated(say("week of {day}", day=day(end - timedelta(6), context.language)), context.language)
    return group.label
