"""A payment by hand is shown with its day, direction, category and account before it is written down, and taken back by one press."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from graph.answers import headline_of
from ledger.filters import Filter
from ledger.money import Money
from tests.drawn_ledgers import Entry
from tests.unit.tools.apps.conftest import REGISTRY, Resident
from tools.checking import check_arguments
from tools.results import Result

TODAY = date(2026, 11, 21)


@pytest.fixture
async def me(house) -> Resident:
    return await house.move_in(
        [
            Entry(date(2026, 11, 2), -4210, "GBP", merchant="Tesco", account="Visa Gold"),
            Entry(date(2026, 11, 3), -999, "GBP", merchant="Netflix", category="Household", account="Current"),
        ],
        TODAY,
    )


async def run(me: Resident, name: str, **arguments) -> Result:
    context = replace(me.context, vocabulary=await me.context.ledger.vocabulary())
    return await Resident(context, me.entries).run(name, **arguments)


async def confirm(me: Resident, result: Result) -> str:
    async with me.context.ledger.store.write() as connection:
        await result.change.work(connection)
    return headline_of(replace(result, headline=result.change.done), me.context)


@pytest.mark.parametrize(
    ("told", "row"),
    [
        ({"amount": "12.50", "what": "lunch"}, (TODAY, "Lunch", "Restaurants", "By hand", Money(-1250, "GBP"))),
        (
            {"amount": "200", "direction": "in", "what": "mum", "account": "Cash", "day": "2026-11-20"},
            (date(2026, 11, 20), "Mum", "Income", "Cash", Money(20000, "GBP")),
        ),
        ({"amount": "€9", "what": "the Eis"}, (TODAY, "Eis", "Restaurants", "By hand", Money(-900, "EUR"))),
        ({"amount": "5", "what": "Tesco", "account": "Visa Gold"}, (TODAY, "Tesco", "Groceries", "Visa Gold", Money(-500, "GBP"))),
        ({"amount": "5", "what": "bulbs", "category": "household"}, (TODAY, "Bulbs", "Household", "By hand", Money(-500, "GBP"))),
        ({"amount": "1,234.56", "what": "quokka xqzt"}, (TODAY, "Quokka xqzt", "Uncategorised", "By hand", Money(-123456, "GBP"))),
    ],
)  # fmt: skip
async def test_it_is_shown_written_down_and_taken_back(me, told, row):
    before = await me.context.ledger.rows(Filter())
    result = await run(me, "entries-add", **told)
    shown = result.table.rows[0]
    if told["what"] == "the Eis":  # whatever ice cream is filed under
        shown, row = (*shown[:2], "", *shown[3:]), (*row[:2], "", *row[3:])
    assert shown == row
    assert await me.context.ledger.rows(Filter()) == before
    said = await confirm(me, result)
    assert said.startswith("Written down:")
    new = [each for each in await me.context.ledger.rows(Filter()) if each not in before]
    assert [(each.booked_on, each.description, each.account, each.money) for each in new] == [
        (row[0], row[1], row[3], row[4])
    ]
    assert new[0].category == result.table.rows[0][2]
    back = result.change.undo
    await confirm(me, await run(me, back.name, **back.arguments))
    assert await me.context.ledger.rows(Filter()) == before
    assert {each.name for each in await me.context.ledger.accounts()} == {"Visa Gold", "Current"}


@pytest.mark.parametrize(
    "told",
    [
        {"amount": "12.50"},
        {"amount": "0", "what": "lunch"},
        {"amount": "12.5 JPY", "what": "lunch"},
        {"amount": "about 12", "what": "lunch"},
        {"amount": "5", "what": "lunch", "day": "later"},
        {"amount": "5", "what": "lunch", "day": "2026-11-22"},
        {"amount": "5", "what": "lunch", "day": "October"},
        {"amount": "5", "what": "lunch", "day": "1999-01-01"},
        {"amount": "5", "what": "lunch", "account": "Wombat Bank"},
    ],
)
async def test_what_is_missing_or_can_not_be_is_asked(me, told):
    checked = check_arguments(REGISTRY.get("entries-add"), told, me.context)
    if checked.reason:
        assert "amount" in checked.message
        return
    result = await run(me, "entries-add", **told)
    assert (result.kind, result.change) == ("clarify", None)


async def test_one_of_the_same_amount_is_pointed_out(me):
    result = await run(me, "entries-add", amount="9.99", what="films", day="2026-11-04")
    assert "already" in result.notes[0]
    assert result.names["twin"] == "Netflix"


async def test_the_amount_of_what_was_written_by_hand_can_be_changed(me):
    await confirm(me, await run(me, "entries-add", amount="12.50", what="lunch"))
    before = await me.context.ledger.rows(Filter())
    result = await run(me, "corrections-change", row="the 12.50 today", field="amount", value="13.50")
    await confirm(me, result)
    assert -1350 in {row.amount_minor for row in await me.context.ledger.rows(Filter())}
    back = result.change.undo
    await confirm(me, await run(me, back.name, **back.arguments))
    assert await me.context.ledger.rows(Filter()) == before


async def test_somebody_with_an_empty_ledger_can_begin_by_hand(house):
    me = await house.move_in([], TODAY)
    await confirm(me, await run(me, "entries-add", amount="12.50", what="lunch"))
    assert [row.amount_minor for row in await me.context.ledger.rows(Filter())] == [-1250]
