"""One question over the accounts of several banks, each with categories of its own (D13)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from ledger.rules import set_rule
from tests.drawn_ledgers import Entry
from tests.unit.tools.apps.conftest import Resident
from tools.slots.names import CategorySlot, MerchantSlot, names_of

TODAY = date(2026, 11, 21)
DAY = date(2026, 10, 3)


def spent(account: str, *rows: tuple[str, str, int]) -> list[Entry]:
    return [
        Entry(DAY, -minor, "GBP", merchant=name, category=category, account=account) for name, category, minor in rows
    ]


STARLING = spent(
    "Starling",
    ("Nando's", "EATING_OUT", 2000),
    ("Tesco", "GROCERIES", 2550),
    ("Lidl", "GENERAL", 1450),
    ("Shell", "TRANSPORT", 4000),
    ("First Bus", "TRANSPORT", 400),
    ("Leeds City Council", "BILLS_AND_SERVICES", 14200),
    ("Hartley Lettings", "PAYMENTS", 80000),
    ("Zara", "SHOPPING", 3500),
)
MONZO = spent("Monzo", ("Wagamama", "Eating out", 3000), ("Sainsbury's", "Groceries", 2000), ("BP", "Transport", 5000))
CHASE = spent(
    "Chase", ("Chipotle", "Food & Drink", 1200), ("Kroger", "Groceries", 6000), ("Kroger", "Food & Drink", 700)
)
PLAIN = spent("Plain", ("Esso", "Fuel", 1100), ("Primark", "Clothing", 1700), ("Greggs", "Fast Food", 500))


@pytest.fixture
async def me(house) -> Resident:
    return await house.move_in([*STARLING, *MONZO, *CHASE, *PLAIN], TODAY)


async def total(me: Resident, words: str) -> int:
    mentions = CategorySlot().find(words, me.context)
    category = list(names_of(mentions[0].value))
    return minor(await me.run("spending-analyze_by_category", category=category))


def minor(result) -> int:
    return int(next(fact for fact in result.facts if fact.id == "total").value * 100)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("on eating out", 2000 + 3000 + 500 + 1200),
        ("on groceries", 2550 + 2000 + 6000 + 1450),
        ("on fuel", 1100 + 4000 + 5000),
        ("on clothes", 1700 + 3500),
        ("on transport", 4400 + 5000 + 1100),
    ],
)
async def test_a_word_means_the_same_over_all_banks(me, words: str, expected: int) -> None:
    """Exact names, other banks' names, and what stands in wider ones; Kroger in Food & Drink is what Chase tells apart."""
    assert await total(me, words) == expected


async def test_the_answer_says_what_came_from_where(me) -> None:
    """Who reads the figure sees what the bank had filed elsewhere."""
    result = await me.run("spending-analyze_by_category", category="Fuel")
    assert "with {beside} from {wider}" in result.notes
    assert result.names["beside"] == "BP and Shell"
    assert result.names["wider"] == "TRANSPORT and Transport"


async def test_the_rows_behind_a_figure_are_those_that_it_counts(me) -> None:
    """They sum to it."""
    result = await me.run("spending-analyze_by_category", category="Fuel")
    (behind,) = await me.behind(result)
    assert -sum(entry.minor for entry in behind) == minor(result) == 10100


async def test_what_the_person_filed_themselves_stays_there(me) -> None:
    """A rule outweighs what a name says."""
    async with me.context.ledger.store.write() as connection:
        await set_rule(connection, me.context.ledger, "Zara", "SHOPPING")
    mine = Resident(replace(me.context, vocabulary=await me.context.ledger.vocabulary()), me.entries)
    assert await total(mine, "on clothes") == 1700


async def test_a_bank_that_tells_nothing_finer_is_asked_by_its_shops(house) -> None:
    """Starling alone: fuel, council tax, rent and clothes are no categories there."""
    me = await house.move_in(STARLING, TODAY)
    for words, shops in (
        ("fuel in October", ["Shell"]),
        ("how much is my council tax", ["Leeds City Council"]),
        ("rent in October", ["Hartley Lettings"]),
        ("on clothes", ["Zara"]),
    ):
        found = [name for mention in MerchantSlot().find(words, me.context) for name in names_of(mention.value)]
        assert found == shops, words


async def test_sides_are_compared_over_all_banks(me) -> None:
    """Two words are two sides, not one for each bank's name."""
    sides = ["Groceries", "GROCERIES", "Eating out", "EATING_OUT", "Fast Food"]
    result = await me.run("spending-compare", category=sides)
    totals = [
        int(fact.value * 100) for fact in result.facts if fact.id in ("side_1_total", "side_2_total", "side_3_total")
    ]
    assert totals == [12000, 6700]


async def test_leaving_a_category_out_leaves_it_out_at_every_bank(me) -> None:
    """Without groceries is without GROCERIES."""
    whole = minor(await me.run("spending-get_spending_summary", period="all_time"))
    left = minor(await me.run("spending-get_spending_summary", period="all_time", exclude=["groceries"]))
    assert whole - left == 2550 + 2000 + 6000
