"""Balances: on a day and through a time, against money that was there at first and the rows since, added up by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from ledger import schema
from ledger.balances import Stated, keep_balances
from ledger.money import Money
from ledger.revisions import touch
from tests.drawn_ledgers import ACCOUNTS, FIRST, LAST, Entry, month_end, todays
from tests.unit.tools.apps.naive import DRAWN, one_currency, value

DAY = timedelta(1)
TODAY = date(2026, 11, 21)
OCT, NOV = date(2026, 10, 31), date(2026, 11, 20)


async def state(resident, stated: dict[str, list[Stated]], types: dict[str, str] | None = None):
    """Return the resident once an import stated balances of accounts, by name; their types may be said as well."""
    ledger, accounts = resident.context.ledger, schema.accounts.c
    async with ledger.store.write() as connection:
        batch = (await connection.execute(sa.select(sa.func.max(schema.batches.c.id)))).scalar_one()
        for name, balances in stated.items():
            mine = accounts.ledger_id == ledger.ledger_id, accounts.name == name
            key = (await connection.execute(sa.select(accounts.id).where(*mine))).scalar_one()
            await keep_balances(connection, ledger.ledger_id, batch, [((key, "USD"), each) for each in balances])
            kind = (types or {}).get(name)
            await connection.execute(schema.accounts.update().where(*mine).values(type=kind))
        await touch(connection, ledger.ledger_id)
    return replace(resident, context=replace(resident.context, vocabulary=await ledger.vocabulary()))


class Books:
    """What drawn accounts truly hold: money at first, and each row; known from before the first row or statement on."""

    def __init__(self, entries, begun, stated):
        self.rows = {name: [e for e in entries if e.account == name] for name in begun}
        self.begun, self.stated = begun, stated

    def at(self, name, day):
        cents = self.begun[name] + sum(entry.minor for entry in self.rows[name] if entry.day <= day)
        return Decimal(cents) / 100

    def first(self, name):
        return min([each.after for each in self.stated[name]] + [entry.day - DAY for entry in self.rows[name]])

    def last(self, name, today):
        last = max([each.after for each in self.stated[name]] + [entry.day for entry in self.rows[name]])
        return max(self.first(name), min(last, today))


@st.composite
def books(draw, entries):
    """True statements of some of the accounts that have rows."""
    names = draw(st.sets(st.sampled_from(sorted({entry.account for entry in entries})), min_size=1))
    begun = {name: draw(st.integers(-50_000, 50_000)) for name in sorted(names)}
    stated = {}
    for name, money in begun.items():
        days = draw(st.lists(st.tuples(st.dates(FIRST, LAST), st.booleans()), min_size=1, max_size=3, unique=True))
        stated[name] = [
            Stated(
                day,
                money
                + sum(e.minor for e in entries if e.account == name and (e.day < day or (e.day == day and not before))),
                before,
            )
            for day, before in days
        ]
    return Books(entries, begun, stated)


def kinds(names):
    return dict.fromkeys(names, "checking")


@DRAWN
@given(data=st.data(), entries=one_currency, today=todays)
async def test_what_is_there_at_the_end_of_a_day(house, data, entries, today):
    true = data.draw(books(entries))
    resident = await state(await house.move_in(entries, today), true.stated, kinds(true.begun))
    end = data.draw(st.none() | st.dates(FIRST, LAST))
    result = await resident.run("accounts-balance", **({"end_date": end.isoformat()} if end else {}))
    as_of = max(true.last(name, today) for name in true.begun)
    day = min(end or as_of, as_of)
    known = [name for name in sorted(true.begun) if true.first(name) <= day]
    if not known:
        assert result.kind == "empty"
        return
    there = {name: true.at(name, min(day, true.last(name, today))) for name in known}
    assert value(result, "total") == sum(there.values())
    assert value(result, "as_of") == day
    assert {row[0]: (row[1].amount, row[2]) for row in result.table.rows} == {
        name: (amount, min(day, true.last(name, today))) for name, amount in there.items()
    }
    assert {row[0] for row in result.table.rows}.isdisjoint(set(ACCOUNTS) - set(true.begun))
    assert not any("further apart" in note for note in result.notes)


@DRAWN
@given(data=st.data(), entries=one_currency)
async def test_the_rows_behind_lead_from_what_was_stated_to_what_is_told(house, data, entries):
    true = data.draw(books(entries))
    resident = await state(await house.move_in(entries, TODAY), true.stated, kinds(true.begun))
    name = min(true.begun)
    result = await resident.run("accounts-balance", account=name)
    moved = sum(entry.amount for part in await resident.behind(result) for entry in part)
    days = [day for day in (each.after for each in true.stated[name]) if day <= true.last(name, TODAY)]
    basis = max(days) if days else min(each.after for each in true.stated[name])
    assert value(result, "total") == true.at(name, basis) + (moved if days else -moved)


@DRAWN
@given(data=st.data(), entries=one_currency)
async def test_the_lowest_and_highest_day_and_the_days_below_zero(house, data, entries):
    true = data.draw(books(entries))
    resident = await state(await house.move_in(entries, TODAY), true.stated, kinds(true.begun))
    name = data.draw(st.sampled_from(sorted(true.begun)))
    start = data.draw(st.dates(FIRST, TODAY))
    end = data.draw(st.dates(start, TODAY))
    asked = {"start_date": start.isoformat(), "end_date": end.isoformat(), "account": name}
    first, last = max(start, true.first(name)), min(end, true.last(name, TODAY))
    held = {first + n * DAY: true.at(name, first + n * DAY) for n in range((last - first).days + 1)}
    for told, pick in (("lowest", min), ("highest", max)):
        result = await resident.run("accounts-balance", told=told, **asked)
        if not held:
            assert result.kind == "empty"
            continue
        most = pick(held.values())
        assert value(result, "total") == most
        assert value(result, "on") == min(day for day, amount in held.items() if amount == most)
    below = await resident.run("accounts-balance", told="below_zero", **asked)
    if held:
        assert value(below, "days_below") == sum(amount < 0 for amount in held.values())
        assert below.headline.startswith("Yes" if min(held.values()) < 0 else "No")


@DRAWN
@given(data=st.data(), entries=one_currency)
async def test_a_history_has_the_balance_of_all_accounts_at_each_months_end(house, data, entries):
    true = data.draw(books(entries))
    resident = await state(await house.move_in(entries, TODAY), true.stated, kinds(true.begun))
    result = await resident.run("accounts-balance", grain="month")
    lasts = {name: true.last(name, TODAY) for name in true.begun}
    start, end = max(map(true.first, true.begun)), max(lasts.values())
    ends = sorted({min(month_end(start + n * DAY), end) for n in range((end - start).days + 1)})
    expected = [(day, sum(true.at(name, min(day, lasts[name])) for name in true.begun)) for day in ends]
    assert [(row[0], row[1].amount) for row in result.table.rows] == expected
    assert list(result.chart.values) == [amount for _, amount in expected]


async def household(house):
    """A current account, savings without a row, a card and one account of which nothing is stated."""
    entries = [
        Entry(date(2026, 10, 12), -170_000, account="Giro Nord"),
        Entry(date(2026, 10, 20), 120_000, kind="income", account="Giro Nord"),
        Entry(date(2026, 11, 5), -8_000, account="Visa Gold"),
        Entry(date(2026, 11, 6), -1, account="Tagesgeld"),
        Entry(date(2026, 11, 7), -1, account="Unstated"),
    ]
    stated = {
        "Giro Nord": [Stated(OCT, 115_000)],
        "Tagesgeld": [Stated(OCT, 500_000)],
        "Visa Gold": [Stated(NOV, -48_000)],
    }
    types = {"Giro Nord": "checking", "Tagesgeld": "savings", "Visa Gold": "credit_card"}
    return await state(await house.move_in(entries, TODAY), stated, types)


async def test_what_is_owed_is_taken_off_and_told_by_itself(house):
    resident = await household(house)
    everything = await resident.run("accounts-balance")
    assert value(everything, "total") == Decimal("5669.99")
    assert "what is owed on {owing} is taken off" in everything.notes
    assert everything.names["missing"] == "Unstated"
    owed = await resident.run("accounts-balance", told="owed")
    assert (value(owed, "total"), owed.headline) == (Decimal(480), "{total} owed on {below} as of {as_of}")
    assert "missing" not in owed.names
    none = await resident.run("accounts-balance", told="owed", account="Giro Nord")
    assert none.headline.startswith("Nothing owed")


async def test_below_zero_is_of_accounts_and_not_of_cards(house):
    resident = await household(house)
    now = await resident.run("accounts-balance", told="overdrawn")
    assert now.headline.startswith("No: ")
    then = await resident.run("accounts-balance", told="below_zero", start_date="October 2026")
    assert then.headline.startswith("Yes: ")
    assert (value(then, "total"), value(then, "on"), value(then, "days_below")) == (Decimal(-50), date(2026, 10, 12), 8)
    assert value(then, "last_below") == date(2026, 10, 19)


async def test_days_before_and_after_the_files_are_not_made_up(house):
    resident = await household(house)
    assert (await resident.run("accounts-balance", start_date="2024")).kind == "empty"
    assert (await resident.run("accounts-balance", start_date="2027-01-01", end_date="2027-01-31")).kind == "empty"
    today = await resident.run("accounts-balance", start_date="2026-11-21", end_date="2026-11-21")
    assert value(today, "as_of") == NOV
    early = await resident.run("accounts-balance", end_date="2026-10-15")
    assert [row[0] for row in early.table.rows] == ["Giro Nord"]
    assert early.names["later"] == "Tagesgeld and Visa Gold"


async def test_an_account_of_which_nothing_is_stated_says_what_is_missing(house):
    resident = await household(house)
    result = await resident.run("accounts-balance", account="Unstated")
    assert (result.kind, result.facts) == ("empty", ())
    assert result.names["missing"] == "Unstated"
    assert "OFX" in result.notes[0]


async def test_statements_that_contradict_each_other_are_told(house):
    entries = [Entry(date(2026, 11, 5), -1_000)]
    resident = await house.move_in(entries, TODAY)
    resident = await state(resident, {"Giro Nord": [Stated(OCT, 100_000), Stated(NOV, 90_000)]})
    result = await resident.run("accounts-balance")
    assert value(result, "total") == Decimal(900)
    assert result.names["gap_off"] == Money(9_000, "USD")
    assert any("further apart" in note for note in result.notes)
    before = await resident.run("accounts-balance", end_date="2026-10-31")
    assert value(before, "total") == Decimal(1000)


async def test_of_several_contradictions_the_latest_is_named_once(house):
    entries = [Entry(date(2026, 11, 5), -1_000), Entry(date(2026, 11, 5), -1, account="Tagesgeld")]
    stated = {
        "Giro Nord": [Stated(OCT, 100_000), Stated(NOV - DAY, 90_000)],
        "Tagesgeld": [Stated(OCT, 500), Stated(NOV, 100)],
    }
    result = await (await state(await house.move_in(entries, TODAY), stated)).run("accounts-balance")
    assert (result.names["gap_in"], result.names["gap_off"]) == ("Tagesgeld", Money(399, "USD"))
    assert sum("{gap_in}" in note for note in result.notes) == 1
    assert any("one more such place" in note for note in result.notes)


async def test_currencies_are_never_added(house):
    entries = [Entry(date(2026, 11, 5), -1_000), Entry(date(2026, 11, 5), -500, currency="EUR", account="Tagesgeld")]
    resident = await house.move_in(entries, TODAY)
    resident = await state(resident, {"Giro Nord": [Stated(NOV, 100_000)]})
    ledger = resident.context.ledger
    async with ledger.store.write() as connection:
        batch = (await connection.execute(sa.select(sa.func.max(schema.batches.c.id)))).scalar_one()
        key = next(each.id for each in await ledger.accounts() if each.name == "Tagesgeld")
        await keep_balances(connection, ledger.ledger_id, batch, [((key, "EUR"), Stated(NOV, 7_000))])
        await touch(connection, ledger.ledger_id)
    resident = replace(resident, context=replace(resident.context, vocabulary=await ledger.vocabulary()))
    result = await resident.run("accounts-balance")
    totals = {fact.currency: fact.value for fact in result.facts if fact.id.startswith("total")}
    assert totals == {"USD": Decimal(1000), "EUR": Decimal(70)}


@pytest.mark.parametrize("told", ["balance", "owed", "lowest", "below_zero"])
async def test_an_empty_ledger_is_told_how_to_be_filled(house, told):
    resident = await house.move_in([], TODAY)
    assert (await resident.run("accounts-balance", told=told)).kind == "empty"


@pytest.mark.parametrize(("balance", "saved"), [(-900_000, "70.00"), (900_000, "570.00"), (None, "570.00")])
async def test_what_comes_to_an_account_on_which_money_is_owed_is_not_saved(house, balance, saved):
    moved = [("Second", 50_000), ("Third", 7_000)]
    out = [Entry(date(2026, 10, 2), -cents, kind="transfer", merchant="Ann", account="Giro Nord") for _, cents in moved]
    into = [Entry(date(2026, 10, 2), cents, kind="transfer", merchant="Ann", account=name) for name, cents in moved]
    resident = await house.move_in([*out, *into, Entry(date(2026, 10, 3), -1_000, account="Giro Nord")], TODAY)
    if balance is not None:
        resident = await state(resident, {"Second": [Stated(OCT, balance)]})
    assert value(await resident.run("transactions-measure", of="savings"), "total") == Decimal(saved)
