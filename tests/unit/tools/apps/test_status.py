"""What the ledger holds is counted, not guessed."""

from __future__ import annotations

from datetime import date

from hypothesis import given

from tests.drawn_ledgers import Entry, ledgers, todays
from tests.unit.tools.apps.naive import DRAWN, names_in, value


@DRAWN
@given(entries=ledgers(), today=todays)
async def test_status(house, entries, today):
    resident = await house.move_in(entries, today)
    result = await resident.run("ledger-status")
    assert value(result, "count") == len(entries)
    assert (value(result, "first"), value(result, "last")) == (min(e.day for e in entries), max(e.day for e in entries))
    for name, column in (("accounts", "account"), ("categories", "category"), ("merchants", "merchant")):
        assert value(result, name) == len(names_in(entries, column))
    assert value(result, "uncategorised") == sum(e.category == "Uncategorised" for e in entries)
    assert [(row[0], *row[2:5]) for row in result.table.rows] == listed(entries)
    (behind,) = await resident.behind(result)
    assert len(behind) == len(entries)


def listed(entries: list[Entry]) -> list[tuple[str, int, date, date]]:
    """The accounts with how many rows are in each, and the first and the last day of them."""
    days = {name: [e.day for e in entries if e.account == name] for name in names_in(entries, "account")}
    return [(name, len(those), min(those), max(those)) for name, those in days.items()]


@DRAWN
@given(entries=ledgers(), today=todays)
async def test_the_accounts(house, entries, today):
    resident = await house.move_in(entries, today)
    result = await resident.run("accounts-list")
    assert value(result, "accounts") == len(names_in(entries, "account"))
    assert [(row[0], *row[2:5]) for row in result.table.rows] == listed(entries)
    assert {row[5:] for row in result.table.rows} == {(None, None)}
    (behind,) = await resident.behind(result)
    assert len(behind) == len(entries)


async def test_an_empty_ledger(house):
    resident = await house.move_in([], date(2026, 11, 21))
    result = await resident.run("ledger-status")
    assert (result.kind, result.facts) == ("empty", ())
    assert (await resident.run("accounts-list")).kind == "empty"


async def test_a_new_transaction_shows_at_once(house):
    day = date(2026, 10, 3)
    resident = await house.move_in([Entry(day, -100)], day)
    before = await resident.context.ledger.vocabulary()
    assert (before.count, before.last) == (1, day)
    assert await resident.context.ledger.vocabulary() is before
