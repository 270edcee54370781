"""Merchants without a category: listed, guessed at by what the person filed themselves, and filed so in one batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from language.catalogue import Template, say
from ledger.filters import Filter
from ledger.findings import WITHOUT_CATEGORY
from ledger.guesses import guess
from ledger.judgement import key_of
from ledger.money import Money
from ledger.rules import list_rules, set_rule
from tools.apps.scope import all_totals, no_data, total_facts
from tools.calls import Call, choice_of
from tools.changes import Change
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Fact, Result, Table
from tools.slots import GuessTopic, Limit, UnsureTopic
from tools.slots.names import argument_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.guesses import Guess

_UNSURE, _FILE, _UNASSIGN = "categories-unsure", "categories-file_guesses", "categories-unassign"
_SHOWN, _NAMED = 12, 5


@dataclass(frozen=True, slots=True)
class _Unfiled:
    """A merchant without a category: what went there in its currency, how often, and what it may be."""

    name: str
    spent: Money
    count: int
    guess: Guess | None


@tool(
    app="categories",
    name=_UNSURE,
    examples=(
        "Which shops have no category?",
        "Which merchants have no category?",
        "What are you not sure of?",
        "Which merchants are uncategorised?",
        "Show me the merchants without a category",
        "Welche Händler haben keine Kategorie?",
        "Welche Läden sind noch nicht zugeordnet?",
        "Händler ohne Kategorie",
    ),
    keywords=("uncategorised", "unsure", "no category", "ohne Kategorie", "guess", "Vermutung"),
)
async def unsure(context: ToolContext, topic: UnsureTopic | None = None, limit: Limit = _SHOWN) -> Result:
    """Merchants that have no category, those with most money first, each with a guess where the person filed others like it.

    Args:
        topic: Leave it out.
        limit: How many of them to list.
    """
    del topic
    if not context.vocabulary.count:
        return no_data(context)
    every = await _unfiled(context)
    if not every:
        return Result("Everything that you spent has a category.", kind="empty")
    shown, guessed = every[: max(1, limit)], [each for each in every if each.guess]
    facts = [Fact.count("merchants", "Merchants without a category", len(every))]
    facts += total_facts(await context.ledger.totals(WITHOUT_CATEGORY))
    facts += [
        Fact.money(f"merchant_{number}", "Spent there", each.spent, subject=_said(each))
        for number, each in enumerate(shown[:_NAMED], 1)
    ]
    notes = ["“Put … under …” files one."]
    if guessed:
        notes.insert(
            0, "{guessed} of them have a guess, by what you filed yourself" if len(guessed) > 1 else _one(guessed)
        )
        facts.append(Fact.count("guessed", "Merchants with a guess", len(guessed)))
    return Result(
        say(
            "{merchants} merchants have no category: {totals} spent there."
            if len(every) > 1
            else "{name} has no category: {totals} spent there.",
            totals=all_totals(facts),
        ),
        facts=tuple(facts),
        notes=tuple(notes),
        details=tuple(fact.id for fact in facts if fact.id.startswith("merchant_")) if len(every) > 1 else (),
        names={"name": every[0].name, **_names(guessed)},
        table=_table(shown),
        behind=(WITHOUT_CATEGORY,),
        choices=(choice_of(_filing(guessed), _FILE),) if guessed else (),
    )


@tool(
    app="categories",
    name=_FILE,
    examples=("File them as guessed", "Confirm the guesses", "Accept all your guesses", "Übernimm die Vermutungen"),
    keywords=("guess", "confirm", "categories", "Vermutung"),
    writes=True,
)
async def file_guesses(context: ToolContext, topic: GuessTopic | None = None) -> Result:
    """Put all merchants without a category that have a guess into the category guessed, past and future transactions.

    Args:
        topic: Leave it out.
    """
    del topic
    guessed = [each for each in await _unfiled(context) if each.guess]
    if not guessed:
        return Result(
            "I have no guess for any merchant.",
            notes=("A guess comes from a merchant with a like name that you filed yourself: “Put … under …”.",),
            kind="empty",
        )

    async def work(connection: AsyncConnection) -> None:
        for each in guessed:
            if each.guess:
                await set_rule(connection, context.ledger, each.name, each.guess.category)

    done = (
        "{guessed} merchants are under the categories guessed."
        if len(guessed) > 1
        else "{like_name} is under {category}."
    )
    return Result(
        "File {guessed} merchants as I guess?"
        if len(guessed) > 1
        else "File {like_name} under {category}, as I guess?",
        facts=(
            Fact.count("guessed", "Merchants with a guess", len(guessed)),
            Fact.count("count", "Transactions that change", sum(each.count for each in guessed)),
        ),
        notes=("What is imported later follows.", "What counts as spending stays as it is."),
        names=_names(guessed),
        table=_table(guessed),
        behind=(Filter(merchants=tuple(key_of(each.name) for each in guessed)),),
        change=Change(work, done, Call(_UNASSIGN, {"merchant": argument_of([each.name for each in guessed])})),
    )


async def _unfiled(context: ToolContext) -> list[_Unfiled]:
    """Return the merchants that spending without a category went to, most money first, by currency in the order of use."""
    rules = await list_rules(context.ledger)
    order = {currency: place for place, currency in enumerate(context.vocabulary.currencies)}
    found = [
        _Unfiled(
            each.label,
            Money(each.totals.net_out_minor, each.totals.currency),
            each.totals.count,
            guess(each.label, rules),
        )
        for each in await context.ledger.groups(WITHOUT_CATEGORY, "merchant")
    ]
    return sorted(
        found, key=lambda each: (order.get(each.spent.currency, len(order)), -each.spent.amount_minor, each.name)
    )


def _table(rows: Sequence[_Unfiled]) -> Table:
    columns = (
        Column("Merchant"),
        Column("Spent", "money"),
        Column("Times", "count"),
        Column("My guess"),
        Column("Like"),
    )
    return Table(
        columns,
        tuple(
            (
                each.name,
                each.spent,
                each.count,
                *((f"{each.guess.category}?", each.guess.like) if each.guess else ("", "")),
            )
            for each in rows
        ),
    )


def _said(unfiled: _Unfiled) -> str:
    """Return a merchant's name, with a guess as one behind it."""
    return f"{unfiled.name} ({unfiled.guess.category}?)" if unfiled.guess else unfiled.name


def _names(guessed: Sequence[_Unfiled]) -> dict[str, str]:
    first = next((each for each in guessed if each.guess), None)
    return {"like_name": first.name, "category": first.guess.category} if first and first.guess else {}


def _one(guessed: Sequence[_Unfiled]) -> str:
    return "{like_name} may be {category}, by what you filed yourself" if guessed else ""


def _filing(guessed: Sequence[_Unfiled]) -> Template:
    """Return what the button says that files what was guessed."""
    if len(guessed) > 1:
        return say("File {count} as guessed", count=str(len(guessed)))
    first = guessed[0]
    return say(
        "File {merchant} under {category}", merchant=first.name, category=first.guess.category if first.guess else ""
    )
