"""One ledger of very many rows, as twenty years of a large household would leave it, written straight into the tables."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from ledger import schema, sums
from ledger.judgement import key_of, search_text
from ledger.revisions import touch
from ledger.transactions import Kind, flow_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.people import Person
    from ledger.repository import Repository
    from ledger.store import Store

FIRST, LAST = date(2006, 12, 1), date(2026, 11, 20)
ACCOUNTS = (
    ("Checking", "checking"), ("Visa", "credit_card"), ("Mastercard", "credit_card"), ("Savings", "savings"),
    ("Joint account", "checking"),
)  # fmt: skip
CATEGORIES = (
    "Groceries", "Restaurants", "Coffee", "Transport", "Fuel", "Parking", "Travel", "Rent", "Utilities", "Internet",
    "Phone", "Insurance", "Health", "Pharmacy", "Clothing", "Electronics", "Household", "Furniture", "Books", "Music",
    "Streaming", "Games", "Sports", "Gifts", "Charity", "Education", "Children", "Pets", "Beauty", "Uncategorised",
)  # fmt: skip
_KNOWN = (("Trader Joe's", "Groceries"), ("Costco", "Groceries"), ("Starbucks", "Coffee"), ("Netflix", "Streaming"))
_FORE = (
    "Amber Birch Cedar Copper Crimson Delta Eastern Elm Falcon Garden Golden Granite Harbor Hazel Highland Indigo Iron "
    "Ivory Jade Juniper Lake Lantern Laurel Linden Maple Marble Meadow Mill Northern Oak Ocean Olive Opal Orchard Pearl "
    "Pine Prairie Quarry Raven River Rowan Ruby Sable Sierra Silver Summit Sunset Timber Valley Willow"
).split()
_AFT = (
    "Bakery Barber Bazaar Bistro Books Bottega Boutique Butcher Cafe Cantina Carpets Cinema Clinic Clothing Corner Cycles "
    "Dairy Deli Depot Diner Express Fabrics Florist Foods Garage Goods Grill Hardware Hotel Imports Kitchen Lights Market "
    "Motors Optics Outfitters Outlet Pantry Pets Pharmacy Pizza Records Shoes Spices Sports Stationers Tavern Tools Toys"
).split()
_STEP = 5_000


@dataclass(frozen=True)
class _Shop:
    name: str
    category: str
    accounts: tuple[int, ...]
    cents: int


def _shops(drawn: random.Random, count: int) -> list[_Shop]:
    names = [f"{fore} {aft}" for fore in _FORE for aft in _AFT]
    drawn.shuffle(names)
    named = [*_KNOWN, *((name, drawn.choice(CATEGORIES)) for name in names[: count - len(_KNOWN)])]
    return [
        _Shop(name, category, tuple(drawn.sample(range(len(ACCOUNTS)), drawn.randint(1, 3))), drawn.randint(300, 9_000))
        for name, category in named
    ]


def rows(count: int, shops: int = 2_000, seed: int = 11) -> Iterator[dict[str, Any]]:
    """Yield rows without the ids of this ledger, in order of days; few shops are visited often, most seldom."""
    drawn = random.Random(seed)
    known = _shops(drawn, shops)
    visited = drawn.choices(known, [1 / (place + 5) for place in range(len(known))], k=count)
    days = (LAST - FIRST).days + 1
    for number, shop in enumerate(visited):
        day = FIRST + timedelta(number * days // count)
        yield _row(drawn, shop, day)


def _row(drawn: random.Random, shop: _Shop, day: date) -> dict[str, Any]:
    chance = drawn.random()
    account = drawn.choice(shop.accounts)
    minor = -max(1, int(shop.cents * drawn.lognormvariate(0, 0.6)))
    name, category, kind = shop.name, shop.category, Kind.PURCHASE
    if chance < 0.015:
        kind, minor = Kind.REFUND, -minor
    elif chance < 0.025:
        name, category, kind, minor, account = (
            "Acme Corporation",
            "Income",
            Kind.INCOME,
            drawn.randint(90_000, 400_000),
            0,
        )
    elif chance < 0.045:
        name, category, kind, account = "Own savings", "Transfer", Kind.TRANSFER, drawn.choice((0, 3))
        minor = drawn.choice((-1, 1)) * drawn.randint(5_000, 100_000)
    elif chance < 0.05:
        name, category, kind, minor = "First Bank", "Fees", Kind.FEE, -drawn.randint(100, 4_000)
    return {
        "account": account, "booked_on": day.isoformat(), "weekday": day.weekday(), "amount_minor": minor,
        "currency": "USD", "description": name.upper(), "merchant": name, "merchant_key": key_of(name),
        "category": category, "category_source": "file", "kind": kind.value, "kind_ground": "file",
        "own_kind": kind.value, "flow": flow_of(kind, minor).value, "phrase": search_text(name.casefold(), category),
    }  # fmt: skip


async def write(store: Store, person: Person, count: int, shops: int = 2_000) -> Repository:
    """Put a large ledger into the tables, as one import."""
    repository = await store.repository(person)
    ledger = {"ledger_id": repository.ledger_id}
    made = list(rows(count, shops))
    async with store.write() as connection:
        accounts = await _insert(
            connection, schema.accounts, [{**ledger, "name": name, "type": kind} for name, kind in ACCOUNTS]
        )
        texts = sorted({row["phrase"] for row in made})
        keys = await _insert(connection, schema.phrases, [{**ledger, "text": text} for text in texts])
        phrases = dict(zip(texts, keys, strict=True))
        at = dict.fromkeys(("created_at", "finished_at"), "2026-11-20T00:00:00.000+00:00")
        batch = (await _insert(connection, schema.batches, [{**ledger, **at}]))[0]
        for start in range(0, len(made), _STEP):
            values = []
            for number, row in enumerate(made[start : start + _STEP], start=start):
                row["account_id"], row["phrase_id"] = accounts[row.pop("account")], phrases[row.pop("phrase")]
                values.append({**ledger, **row, "batch_id": batch, "identity": f"i{number}", "content": f"c{number}"})
            await connection.execute(schema.transactions.insert(), values)
        await sums.take_in(connection, await sums.counted(connection, repository.ledger_id, batch))
        await touch(connection, repository.ledger_id)
    return repository


async def _insert(connection: Any, table: Any, values: list[dict[str, Any]]) -> list[int]:
    statement = table.insert().returning(table.c.id, sort_by_parameter_order=True)
    return [int(key) for key in (await connection.execute(statement, values)).scalars()]
