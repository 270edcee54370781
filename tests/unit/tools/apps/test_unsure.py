"""Merchants without a category are listed by money, guessed at by the person's own rules, and filed in one batch."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from graph.answers import headline_of
from ledger.filters import Filter
from ledger.rules import list_rules
from tests.drawn_ledgers import Entry
from tests.unit.tools.apps.conftest import Resident
from tools.slots.assignments import GUESS_TOPIC, UNSURE_TOPIC

TODAY = date(2026, 11, 21)
DAY = date(2026, 10, 3)
NONE = "Uncategorised"


def paid(merchant: str, minor: int, category: str = NONE, **more) -> Entry:
    return Entry(DAY, -minor, merchant=merchant, category=category, **more)


@pytest.fixture
async def me(house) -> Resident:
    entries = [
        paid("Zorbo", 5500), paid("Plonkers Nord", 1200), paid("Plonkers West", 1600), paid("Plonkers West", 400),
        paid("Quorvia Ost", 900), paid("Quorvia Nord", 100, "Shopping"), paid("Costco", 2500, "Groceries"),
        paid("Ferncastle", 99999, currency="EUR"), paid("Own Savings", 7000, kind="transfer"),
    ]  # fmt: skip
    return await house.move_in(entries, TODAY)


async def run(me: Resident, name: str, **arguments):
    context = replace(me.context, vocabulary=await me.context.ledger.vocabulary())
    return await Resident(context, me.entries).run(name, **arguments)


async def confirm(me: Resident, result):
    async with me.context.ledger.store.write() as connection:
        await result.change.work(connection)
    return headline_of(replace(result, headline=result.change.done), me.context), result.change.undo


async def categories(me: Resident) -> dict[str, str]:
    return {row.merchant: row.category for row in await me.context.ledger.rows(Filter())}


async def test_most_money_first_and_no_guess_without_own_rules(me):
    """Transfers are no spending; another currency stands behind, whatever its size."""
    result = await run(me, "categories-unsure")
    assert [row[0] for row in result.table.rows] == [
        "Zorbo",
        "Plonkers West",
        "Plonkers Nord",
        "Quorvia Ost",
        "Ferncastle",
    ]
    assert [row[3] for row in result.table.rows] == [""] * 5
    assert headline_of(result, me.context) == "5 merchants have no category: $96.00 and €999.99 spent there."
    assert not result.choices


async def test_guesses_come_from_what_the_person_filed_and_are_in_no_figure(me):
    """They are shown as guesses, with whom they are like; nothing changes by showing them."""
    await confirm(me, await run(me, "categories-assign", merchant="Plonkers Nord", category="Falconry"))
    before = await categories(me)
    result = await run(me, "categories-unsure")
    assert ("Plonkers West", "Falconry?", "Plonkers Nord") in [(row[0], row[3], row[4]) for row in result.table.rows]
    assert [choice.label for choice in result.choices] == ["File Plonkers West under Falconry"]
    assert await categories(me) == before
    assert [row[0] for row in (await run(me, "categories-unsure", limit=1)).table.rows] == ["Zorbo"]


async def test_all_guesses_are_filed_at_once_and_taken_back_at_once(me):
    """Shown, done on a yes, undone: each merchant has again what it had."""
    for merchant, category in (("Plonkers Nord", "Falconry"), ("Quorvia Nord", "Books & Media")):
        await confirm(me, await run(me, "categories-assign", merchant=merchant, category=category))
    before = await categories(me)
    proposal = await run(me, "categories-file_guesses")
    assert headline_of(proposal, me.context) == "File 2 merchants as I guess?"
    assert next(fact.value for fact in proposal.facts if fact.id == "count") == 3
    done, undo = await confirm(me, proposal)
    assert done == "2 merchants are under the categories guessed."
    after = await categories(me)
    assert (after["Plonkers West"], after["Quorvia Ost"]) == ("Falconry", "Books & Media")
    back = await run(me, undo.name, **undo.arguments)
    await confirm(me, back)
    assert await categories(me) == before
    assert sorted(rule.merchant for rule in await list_rules(me.context.ledger)) == ["Plonkers Nord", "Quorvia Nord"]


async def test_with_nothing_to_say_that_is_said(house):
    """All filed, and no guesses to file."""
    me = await house.move_in([paid("Costco", 100, "Groceries")], TODAY)
    assert (await run(me, "categories-unsure")).headline == "Everything that you spent has a category."
    result = await run(me, "categories-file_guesses")
    assert (result.kind, result.change) == ("empty", None)


@pytest.mark.parametrize(
    "text",
    [
        "which shops have no category",
        "Which merchants have no category?",
        "what are you not sure of?",
        "What aren't you sure about?",
        "which merchants are uncategorised",
        "show me the uncategorized merchants",
        "merchants without a category",
        "which shops couldn't you categorise",
        "welche Händler haben keine Kategorie",
        "Welche Läden sind noch nicht zugeordnet?",
        "Händler ohne Kategorie",
        "Wo bist du dir unsicher?",
    ],
)
def test_plain_words_ask_for_them(me_context, text: str) -> None:
    """In English and German."""
    assert UNSURE_TOPIC.find(text, me_context)


@pytest.mark.parametrize(
    "text",
    ["file them as guessed", "Confirm all the guesses", "accept your guesses please", "Übernimm alle Vermutungen"],
)
def test_plain_words_file_them(me_context, text: str) -> None:
    """What was guessed is filed by these."""
    assert GUESS_TOPIC.find(text, me_context)


@pytest.mark.parametrize(
    "text",
    [
        "which shop did I spend most at",
        "how much has no category",
        "guess how much I spent",
        "what did I spend at shops",
        "are you sure?",
    ],
)
def test_other_sentences_are_about_something_else(me_context, text: str) -> None:
    """A question for a figure is none for a list of merchants."""
    assert not UNSURE_TOPIC.find(text, me_context)
    assert not GUESS_TOPIC.find(text, me_context)


@pytest.fixture
def me_context():
    """These slots read nothing but the sentence."""
    return
