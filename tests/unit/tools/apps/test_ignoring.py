"""What is left out of every figure is shown with its effect first, listed, and counted again exactly."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from graph.answers import headline_of
from ledger.filters import Filter
from ledger.transactions import Flow
from tests.drawn_ledgers import Entry
from tests.unit.tools.apps.conftest import Resident
from tools.results import Result

TODAY = date(2026, 11, 21)


@pytest.fixture
async def me(house) -> Resident:
    day = date(2026, 11, 2)
    return await house.move_in(
        [
            Entry(day, -80000, merchant="Acme Homes", description="acme homes deposit"),
            Entry(day, -90000, merchant="Acme Homes", description="acme homes rent"),
            Entry(day, 20000, merchant="Acme Homes", description="acme homes deposit", kind="refund"),
            Entry(day, -999, merchant="Netflix"),
            Entry(day, -5000, merchant="Netto Markt"),
            Entry(day, -6000, merchant="Netto City"),
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


async def spent(me: Resident) -> int:
    return sum(each.net_out_minor for each in await me.context.ledger.totals(Filter(flow=Flow.SPENDING)))


@pytest.mark.parametrize(
    ("what", "headline", "less"),
    [
        ("Netflix", "Leave 1 transaction at Netflix out of all figures?", 999),
        ("my landlord's deposit", None, 0),
        ("my deposit", "Leave 2 transactions with “deposit” in the bank's text out of all figures?", 60000),
        ("Acme Homes", "Leave 3 transactions at Acme Homes out of all figures?", 150000),
    ],
)
async def test_the_effect_is_shown_and_is_what_happens(me, what, headline, less):
    before = await spent(me)
    rows = await me.context.ledger.rows(Filter())
    result = await run(me, "categories-ignore", what=what)
    if headline is None:
        assert [choice.label for choice in result.choices] == ["Leave out everything with “deposit”"]
        return
    assert headline_of(result, me.context) == headline
    ((_, now, after),) = result.table.rows
    assert (now.amount_minor, after.amount_minor) == (before, before - less)
    await confirm(me, result)
    assert await spent(me) == before - less
    assert (await run(me, "categories-ignore", what=what)).change is None
    assert (await run(me, "categories-rules")).table.rows[-1][1] == "left out of all figures"
    back = await run(me, "categories-count_again", what=what)
    ((_, now, after),) = back.table.rows
    assert (now.amount_minor, after.amount_minor) == (before - less, before)
    await confirm(me, back)
    assert await me.context.ledger.rows(Filter()) == rows
    undo = result.change.undo
    assert (await run(me, undo.name, **undo.arguments)).change is None


async def test_undoing_either_is_the_other(me):
    rows = await me.context.ledger.rows(Filter())
    for what in ("deposit", "Netflix"):
        result = await run(me, "categories-ignore", what=what)
        await confirm(me, result)
        left = await me.context.ledger.rows(Filter())
        back = await run(me, result.change.undo.name, **result.change.undo.arguments)
        await confirm(me, back)
        assert await me.context.ledger.rows(Filter()) == rows
        await confirm(me, await run(me, back.change.undo.name, **back.change.undo.arguments))
        assert await me.context.ledger.rows(Filter()) == left
        await confirm(me, await run(me, result.change.undo.name, **result.change.undo.arguments))


async def test_a_name_of_several_merchants_is_asked_about(me):
    result = await run(me, "categories-ignore", what="Netto")
    assert {choice.label for choice in result.choices} == {"Leave out Netto Markt", "Leave out Netto City"}


@pytest.mark.parametrize("what", ["wombat", "Wombat Works"])
async def test_what_is_not_there_is_said(me, what):
    result = await run(me, "categories-ignore", what=what)
    assert (result.kind, result.change, result.choices) == ("clarify", None, ())
    assert (await run(me, "categories-count_again", what=what)).kind == "empty"
