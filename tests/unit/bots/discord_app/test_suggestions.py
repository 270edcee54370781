"""What is offered while one types, and that typing alone leaves nothing behind."""

from __future__ import annotations

import sqlalchemy as sa

from ledger import schema
from tests.support.discord_server import GENERAL

OPTIONS = {
    "summary": ("period", "account"),
    "category": ("category", "period", "account"),
    "merchant": ("merchant", "period", "account"),
    "search": ("period",),
    "compare": ("one", "another", "period"),
}


async def rows(house):
    """How many people, ledgers and members there are."""
    async with house.desk.store.read() as connection:
        return [
            (await connection.execute(sa.select(sa.func.count()).select_from(table))).scalar_one()
            for table in (schema.people, schema.ledgers, schema.members)
        ]


async def test_strangers_who_type_are_offered_times_alone_and_become_nobody(house):
    before = await rows(house)
    for command, options in OPTIONS.items():
        for option in options:
            for where in (None, GENERAL):
                offered = await house.discord.autocomplete("ben", f"money {command}", option, "", where=where)
                names = [each.name for each in offered]
                assert ("last month" in names) == (option == "period"), (command, option)
                assert bool(names) == (option == "period"), (command, option)
    assert await rows(house) == before == [1, 1, 1], "Ana alone is known"


async def test_who_is_known_is_offered_the_months_and_names_of_their_ledger(house):
    await house.bring(
        b"Date,Description,Amount (USD),Category,Account\n2026-09-01,October Books,-12.00,May,From Dusk\n"
    )
    expected = {"category": ["May"], "merchant": ["October Books"], "account": ["From Dusk"]}
    for option, names in expected.items():
        command = "summary" if option == "account" else option
        offered = await house.discord.autocomplete("ana", f"money {command}", option, "", where=GENERAL)
        assert [each.value for each in offered] == names
    offered = await house.discord.autocomplete("ana", "money compare", "one", "", where=GENERAL)
    assert [each.value for each in offered] == ["September 2026", "May", "October Books"]


async def test_what_can_not_be_chosen_whole_is_not_offered(house):
    rows = "".join(f"2026-09-01,Costco,-1.00,{name}\n" for name in ("x" * 100, "y" * 101))
    await house.bring(f"Date,Description,Amount (USD),Category\n{rows}".encode())
    offered = await house.discord.autocomplete("ana", "money category", "category", "", where=GENERAL)
    assert [each.value for each in offered] == ["x" * 100]
