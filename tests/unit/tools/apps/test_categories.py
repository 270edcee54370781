"""A merchant is put into a category only once somebody said yes, and put back exactly; what is unclear is asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from graph.answers import headline_of
from ledger import schema
from ledger.filters import Filter
from ledger.rules import list_rules
from tests.drawn_ledgers import Entry
from tests.unit.tools.apps.conftest import Resident
from tools.calls import choice_of
from tools.slots.assignments import ASSIGNED_CATEGORY, ASSIGNED_MERCHANT, RELEASED_MERCHANT, RULE_TOPIC

TODAY = date(2026, 11, 21)
DAY = date(2026, 10, 3)


def bought(merchant: str, category: str, times: int = 1, **more) -> list[Entry]:
    return [Entry(DAY, -100 - number, merchant=merchant, category=category, **more) for number in range(times)]


@pytest.fixture
async def me(house) -> Resident:
    entries = [
        *bought("Costco", "Shopping", 3), *bought("Costco", "Electronics"),
        *bought("Costco", "Groceries", currency="EUR"), *bought("Trader Joe's", "Groceries", 2),
        *bought("Netflix", "Rent", kind="transfer"), *bought("Netto Markt", "Groceries"), *bought("Netto City", "Groceries"),
    ]  # fmt: skip
    return await house.move_in(entries, TODAY)


async def renewed(me: Resident) -> Resident:
    context = replace(me.context, vocabulary=await me.context.ledger.vocabulary())
    return Resident(context, me.entries)


async def confirm(me, result):
    async with me.context.ledger.store.write() as connection:
        await result.change.work(connection)
    return headline_of(replace(result, headline=result.change.done), me.context), result.change.undo


async def run(me, name, **arguments):
    return await (await renewed(me)).run(name, **arguments)


async def assigned(me, merchant, category):
    return await confirm(me, await run(me, "categories-assign", merchant=merchant, category=category))


async def categories(me) -> list[tuple[str, str]]:
    return [(row.merchant, row.category) for row in await me.context.ledger.rows(Filter(), "oldest")]


async def test_a_change_is_shown_with_before_and_after_and_put_back(me):
    before = await categories(me)
    result = await run(me, "categories-assign", merchant="costco", category="groceries")
    assert headline_of(result, me.context) == "Costco: 4 transactions from Shopping and Electronics to Groceries?"
    assert result.table.rows == (("Shopping", 3, 0), ("Electronics", 1, 0), ("Groceries", 5, 9))
    assert await categories(me) == before
    said, undo = await confirm(me, result)
    assert said == "Costco is under Groceries from now on: 4 transactions moved."
    assert {category for merchant, category in await categories(me) if merchant == "Costco"} == {"Groceries"}
    back = await run(me, undo.name, **undo.arguments)
    assert headline_of(back, me.context) == "Costco: 4 transactions from Groceries back to Shopping and Electronics?"
    assert back.table.rows == (("Groceries", 9, 5), ("Shopping", 0, 3), ("Electronics", 0, 1))
    await confirm(me, back)
    assert await categories(me) == before
    assert await list_rules(me.context.ledger) == ()


async def test_one_transaction_is_one(me):
    result = await run(me, "categories-assign", merchant="Netflix", category="Electronics")
    assert headline_of(result, me.context) == "Netflix: 1 transaction from Rent to Electronics?"
    assert (await confirm(me, result))[0] == "Netflix is under Electronics from now on: 1 transaction moved."


async def test_undoing_a_newer_choice_restores_the_one_before(me):
    """Even where its category is nobody's any more."""
    await assigned(me, "Costco", "new category Hoards")
    shown = await categories(me)
    _, undo = await assigned(me, "Costco", "Rent")
    assert "Hoards" not in dict(await categories(me)).values()
    await confirm(me, await run(me, undo.name, **undo.arguments))
    assert await categories(me) == shown
    assert [(rule.merchant, rule.category) for rule in await list_rules(me.context.ledger)] == [("Costco", "Hoards")]


@pytest.mark.parametrize("words", ["groceries", "Groceries", "Lebensmittel", "grocries"])
async def test_what_is_so_already_needs_no_change(me, words):
    result = await run(me, "categories-assign", merchant="Trader Joe's", category=words)
    assert result.change is None
    assert headline_of(result, me.context) == "Trader Joe's is under Groceries already."


@pytest.mark.parametrize(
    ("words", "category"),
    [
        ("restaurants", "Restaurants"),
        ("Kino", "Events & Hobbies"),
        ("new category Kino", "Kino"),
        ("falconry club", "falconry club"),
        ("{count} {f1}", "{count} {f1}"),
        ("Miete", "Rent"),
    ],
)
async def test_a_category_is_the_ledgers_or_ours_or_a_new_one(me, words, category):
    result = await run(me, "categories-assign", merchant="Costco", category=words)
    if result.kind == "clarify":
        assert category == "Events & Hobbies"
        return
    await confirm(me, result)
    assert {found for merchant, found in await categories(me) if merchant == "Costco"} == {category}


async def test_a_word_for_several_categories_is_asked_about(me):
    """Each choice means just one, and a category of that very name can be had."""
    result = await run(me, "categories-assign", merchant="Costco", category="gas")
    assert result.kind == "clarify"
    assert result.change is None
    assert result.choices[-1].label == "Put Costco into a new category gas"
    for choice in result.choices:
        ((call,),) = choice.rounds
        assert (await run(me, call.name, **call.arguments)).change is not None, choice


@pytest.mark.parametrize("name", ["...", "new category ?", "x" * 41])
async def test_what_is_no_name_for_a_category_is_said(me, name):
    result = await run(me, "categories-assign", merchant="Costco", category=name)
    assert (result.kind, result.change) == ("clarify", None)


@pytest.mark.parametrize(
    ("words", "choices"),
    [("Netto", ("Put Netto Markt under rent", "Put Netto City under rent")), ("Wombat Works", ())],
)
async def test_a_merchant_that_is_none_or_several_is_asked_about(me, words, choices):
    result = await run(me, "categories-assign", merchant=words, category="rent")
    assert (result.kind, result.change) == ("clarify", None)
    assert {choice.label for choice in result.choices} == set(choices)
    assert f"“{words}”" in headline_of(result, me.context)


async def test_an_empty_ledger_has_no_merchants(house):
    nobody = await house.move_in([], TODAY)
    assert (await nobody.run("categories-assign", merchant="Costco", category="Rent")).kind == "empty"


async def test_rules_are_listed_all_or_one(me):
    assert (await run(me, "categories-rules")).kind == "empty"
    assert (await run(me, "categories-unassign", merchant="Costco")).kind == "empty"
    await assigned(me, "Trader Joe's", "Rent")
    result = await run(me, "categories-rules")
    assert headline_of(result, me.context) == "You have put Trader Joe's under Rent."
    await assigned(me, "Costco", "Electronics")
    result = await run(me, "categories-rules")
    assert headline_of(result, me.context) == "You have put 2 merchants into categories."
    assert [row[:2] for row in result.table.rows] == [("Costco", "Electronics"), ("Trader Joe's", "Rent")]
    assert len((await run(me, "categories-rules", merchant="costco")).table.rows) == 1
    assert (await run(me, "categories-rules", merchant="Netflix")).kind == "empty"


async def test_a_rule_that_is_not_there_is_said_with_those_that_are(me):
    await assigned(me, "Costco", "Rent")
    result = await run(me, "categories-unassign", merchant="Netflix")
    assert (result.kind, result.change) == ("clarify", None)
    assert result.choices == (choice_of("Forget the rule for Costco", "categories-unassign", merchant="Costco"),)


async def test_a_rule_outlives_its_transactions_and_can_be_taken_back(me):
    await assigned(me, "Costco", "Rent")
    async with me.context.ledger.store.write() as connection:
        await connection.execute(schema.transactions.delete().where(schema.transactions.c.merchant == "Costco"))
        await connection.execute(schema.ledgers.update().values(revision=99))
    result = await run(me, "categories-unassign", merchant="Costco")
    assert headline_of(result, me.context) == "Forget that Costco is under Rent?"
    assert (await confirm(me, result))[1] is None
    assert await list_rules(me.context.ledger) == ()


@pytest.mark.parametrize(
    ("sentence", "merchant", "category"),
    [
        ("put Costco under groceries", "Costco", "groceries"),
        (
            "Please put all Costco purchases under the category groceries from now on.",
            "all Costco purchases",
            "groceries",
        ),
        ("categorise Netflix as entertainment", "Netflix", "entertainment"),
        ("can you recategorize Nflx to streaming?", "Nflx", "streaming"),
        ("Costco is groceries", "Costco", "groceries"),
        ("Trader Joe's should be restaurants", "Trader Joe's", "restaurants"),
        ("Trader Joe's belongs in restaurants", "Trader Joe's", "restaurants"),
        ("count Netflix as rent", "Netflix", "rent"),
        ("move Costco to groceries", "Costco", "groceries"),
        ("Put Costco under “My own things”", "Costco", "My own things"),
        ("Put Costco into a new category Hoards", "Costco", "a new category Hoards"),
        ("change the category of Costco from Shopping to Rent", "Costco", "Rent"),
        ("Ordne Costco unter Lebensmittel ein", "Costco", "Lebensmittel"),
        ("Costco gehört zu Lebensmittel", "Costco", "Lebensmittel"),
        ("Kategorisiere Netflix als Unterhaltung", "Netflix", "Unterhaltung"),
        ("Costco unter Miete einordnen", "Costco", "Miete"),
    ],
)
async def test_sentences_that_put_a_merchant_into_a_category(me, sentence, merchant, category):
    """Only those, and they are about nothing else."""
    first, second = (slot.find(sentence, me.context) for slot in (ASSIGNED_MERCHANT, ASSIGNED_CATEGORY))
    assert [mention.value for mention in (*first, *second)] == [merchant, category]
    assert (first[0].start, first[0].end, second[0].end) == (0, second[0].start, len(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "how much did I spend on groceries at Costco",
        "how much is groceries",
        "what is Costco",
        "is Costco groceries?",
        "Costco is groceries?",
        "Which of Costco and Netflix is rent",
        "Netflix is shared with my brother",
        "Costco is too expensive",
        "put 200 into savings",
        "move money to savings",
        "put Costco in a chart",
        "put the kettle under the tap",
        "Show Costco in October",
        "list Costco under 50",
        "Costco under 20 euros",
        "groceries at Costco in October",
        "Costco in groceries",
        "how much is Costco in groceries",
        "count Costco in October",
        "set my time zone to Berlin",
        "Wie viel ist Costco unter Lebensmittel",
        "Netflix is up in October",
    ],
)
async def test_sentences_that_are_about_something_else(me, sentence):
    for slot in (ASSIGNED_MERCHANT, ASSIGNED_CATEGORY, RELEASED_MERCHANT, RULE_TOPIC):
        assert not slot.find(sentence, me.context), slot.name


@pytest.mark.parametrize(
    "sentence",
    [
        "Forget the rule for Costco", "remove the category rule for Costco", "Categorise Costco automatically again",
        "delete my Costco rule", "Lösche die Regel für Costco", "Ordne Costco wieder automatisch zu",
    ],
)  # fmt: skip
async def test_sentences_that_take_a_rule_back(me, sentence):
    assert [mention.value for mention in RELEASED_MERCHANT.find(sentence, me.context)] == ["Costco"]
    assert not ASSIGNED_MERCHANT.find(sentence, me.context)


@pytest.mark.parametrize(
    ("sentence", "merchant"),
    [
        ("show my category rules", None), ("Which rules do I have?", None), ("Zeig mir meine Kategorieregeln", None),
        ("Which merchants did I categorise myself?", None), ("What is the rule for Costco?", "Costco"),
    ],
)  # fmt: skip
async def test_sentences_that_ask_for_rules(me, sentence, merchant):
    assert [mention.value for mention in RULE_TOPIC.find(sentence, me.context)] == [merchant]
