"""Single transactions are found by what a person sees of them, changed once somebody said yes, and put back by one press."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.answers import headline_of
from ledger.corrections import Part
from ledger.filters import Filter
from ledger.periods import Period
from ledger.transactions import Flow, Kind, Transaction
from tests.drawn_ledgers import Entry
from tests.unit.tools.apps.conftest import Resident
from tools.apps.parts import parts_of
from tools.calls import Choice
from tools.results import Result

TODAY = date(2026, 11, 21)


def bought(day: date, minor: int, merchant: str = "Tesco", **more) -> Entry:
    return Entry(day, minor, "GBP", merchant=merchant, **more)


LEDGER = [
    bought(date(2026, 11, 20), -4210),
    bought(date(2026, 11, 13), -4210),
    bought(date(2026, 11, 13), -800),
    bought(date(2026, 11, 5), -999, "Netflix", category="Entertainment"),
    bought(date(2026, 11, 4), -20000, "Savings", kind="transfer", category="Transfers"),
    bought(date(2026, 10, 1), -80000, "Acme Homes", category="Rent"),
    bought(date(2026, 10, 2), -5000, "Currys", category="Electronics"),
    bought(date(2026, 11, 3), 250000, "Acme", kind="income", category="Income"),
]


@pytest.fixture
async def me(house) -> Resident:
    return await house.move_in(LEDGER, TODAY)


async def run(me: Resident, name: str, **arguments) -> Result:
    context = replace(me.context, vocabulary=await me.context.ledger.vocabulary())
    return await Resident(context, me.entries).run(name, **arguments)


async def confirm(me: Resident, result: Result) -> str:
    async with me.context.ledger.store.write() as connection:
        await result.change.work(connection)
    return headline_of(replace(result, headline=result.change.done), me.context)


async def undo(me: Resident, result: Result) -> str:
    back = result.change.undo
    return await confirm(me, await run(me, back.name, **back.arguments))


async def rows(me: Resident) -> list[Transaction]:
    return await me.context.ledger.rows(Filter(), "oldest")


async def spent(me: Resident) -> int:
    return sum(each.net_out_minor for each in await me.context.ledger.totals(Filter(flow=Flow.SPENDING)))


@pytest.mark.parametrize(
    ("row", "minor", "day"),
    [
        ("the 42.10 at Tesco on Friday", -4210, date(2026, 11, 20)),
        ("£42.10 on 13 November", -4210, date(2026, 11, 13)),
        ("die 42,10 bei Tesco am 13. November", -4210, date(2026, 11, 13)),
        ("the 8 at Tesco", -800, date(2026, 11, 13)),
        ("my last Tesco purchase", -4210, date(2026, 11, 20)),
        ("the Netflix payment", -999, date(2026, 11, 5)),
        ("the transaction at Netflix", -999, date(2026, 11, 5)),
        ("the entertainment purchase", -999, date(2026, 11, 5)),
        ("the largest transfer on 4 November", -20000, date(2026, 11, 4)),
    ],
)
async def test_a_transaction_is_found_by_what_is_said_of_it(me, row, minor, day):
    result = await run(me, "corrections-delete", row=row)
    assert result.change is not None, headline_of(result, me.context)
    assert (result.names["amount"].amount_minor, result.names["date"]) == (abs(minor), day)


@pytest.mark.parametrize("row", ["the 42.10 at Tesco", "the 42.10", "the Tesco payment on 13 November"])
async def test_what_fits_several_is_asked_about_and_each_choice_is_one(me, row):
    result = await run(me, "corrections-delete", row=row)
    assert (result.kind, result.change) == ("clarify", None)
    assert len(result.choices) == 2
    for choice in result.choices:
        ((call,),) = choice.rounds
        assert (await run(me, call.name, **call.arguments)).change is not None


@pytest.mark.parametrize(
    "row",
    ["the 42.11 at Tesco", "the 42.10 at Wombat Works", "the 42.10 in Tesco last May", "#99999", "that one", "it"],
)
async def test_what_is_not_there_is_said_and_nothing_is_guessed(me, row):
    result = await run(me, "corrections-delete", row=row)
    assert (result.kind, result.change, result.choices) == ("clarify", None, ())


async def test_somebody_elses_transaction_is_not_there(me, house):
    theirs = (await rows(me))[0].id
    other = await house.move_in([bought(date(2026, 11, 2), -100)], TODAY)
    for name, more in (("delete", {}), ("change", {"field": "note", "value": "x"}), ("split", {"parts": "half"})):
        result = await run(other, f"corrections-{name}", row=f"#{theirs}", **more)
        assert (result.kind, result.change) == ("clarify", None)
    token = await run(me, "corrections-change", row=f"#{theirs}", field="note", value="mine")
    await confirm(me, token)
    assert (await run(other, "corrections-undo", change=token.change.undo.arguments["change"])).change is None
    assert (await run(other, "corrections-undo", change="last")).kind == "empty"
    assert (await run(other, "corrections-list")).kind == "empty"


@pytest.mark.parametrize(
    ("field", "value", "asked", "done"),
    [
        ("category", "rent", "from Groceries to Rent", "under Rent now"),
        ("merchant", "Corner Shop", "to be called “Corner Shop”", "now called “Corner Shop”"),
        ("note", "team lunch", "the note “team lunch”", "the note is “team lunch” now"),
        ("labels", "work, tax", "the labels “work, tax”", "labelled “work, tax” now"),
        ("day", "12 November", "to be on 12 Nov 2026", "on 12 Nov 2026 now"),
        ("kind", "transfer", "a transfer between your own accounts and not spending", "a transfer between your own accounts now"),
    ],
)  # fmt: skip
async def test_a_change_is_shown_first_told_and_put_back(me, field, value, asked, done):
    before = await rows(me)
    result = await run(me, "corrections-change", row="the 42.10 at Tesco on Friday", field=field, value=value)
    name = "£42.10 at Tesco on 20 Nov 2026"
    assert headline_of(result, me.context) == f"{name}: {asked}?".replace("£", "£")
    assert await rows(me) == before
    assert await confirm(me, result) == f"{name}: {done}."
    assert await rows(me) != before
    assert (await undo(me, result)).startswith("Taken back: £42.10")
    assert await rows(me) == before


async def test_a_proposal_shows_what_the_month_comes_to(me):
    result = await run(me, "corrections-delete", row="the 42.10 at Tesco on Friday")
    november = Filter(period=Period(date(2026, 11, 1), date(2026, 11, 30)), flow=Flow.SPENDING)
    before = sum(each.net_out_minor for each in await me.context.ledger.totals(november))
    ((what, now, after),) = result.table.rows
    assert (what, now.amount_minor, after.amount_minor) == ("Spent in November 2026", before, before - 4210)
    await confirm(me, result)
    assert sum(each.net_out_minor for each in await me.context.ledger.totals(november)) == after.amount_minor
    moved = await run(me, "corrections-change", row="the 200 at Savings", field="kind", value="no transfer")
    ((_, now, after),) = moved.table.rows
    await confirm(me, moved)
    assert sum(each.net_out_minor for each in await me.context.ledger.totals(november)) == after.amount_minor
    assert after.amount_minor - now.amount_minor == 20000


async def test_the_amount_of_what_a_bank_booked_stays_and_the_ways_are_told(me):
    result = await run(me, "corrections-change", row="the 42.10 at Tesco on Friday", field="amount", value="40")
    assert (result.kind, result.change) == ("clarify", None)
    assert "what your bank booked" in headline_of(result, me.context)
    assert "split it" in " ".join(result.notes)


@pytest.mark.parametrize(
    ("field", "value"),
    [("day", "23 November 2026"), ("day", "October"), ("day", "soon"), ("note", "x" * 201), ("category", "..."), ("kind", "income")],
)  # fmt: skip
async def test_what_can_not_be_is_refused(me, field, value):
    result = await run(me, "corrections-change", row="the 42.10 at Tesco on Friday", field=field, value=value)
    assert (result.kind, result.change) == ("clarify", None)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ("30 groceries and 12.10 rent", {("Groceries", -3000), ("Rent", -1210)}),
        ("30 for groceries and the rest for rent", {("Groceries", -3000), ("Rent", -1210)}),
        ("£12.10 rent, the rest", {("Rent", -1210), ("Groceries", -3000)}),
        (
            "20 rent, 12 electronics and 10.10 groceries",
            {("Rent", -2000), ("Electronics", -1200), ("Groceries", -1010)},
        ),
        ("half", {("Groceries", -2105)}),
        ("groceries and rent", {("Groceries", -2105), ("Rent", -2105)}),
        ("30 Lebensmittel und den Rest Miete", {("Groceries", -3000), ("Rent", -1210)}),
    ],
)
async def test_a_split_adds_up_and_is_put_back(me, parts, expected):
    before, was = await rows(me), await spent(me)
    result = await run(me, "corrections-split", row="the 42.10 at Tesco on Friday", parts=parts)
    assert result.change is not None, headline_of(result, me.context)
    await confirm(me, result)
    new = [row for row in await rows(me) if row.id not in {each.id for each in before}]
    assert {(row.category, row.amount_minor) for row in new} == expected
    assert sum(row.amount_minor for row in new) == -4210
    assert await spent(me) == was
    await undo(me, result)
    assert await rows(me) == before


@pytest.mark.parametrize(
    "parts",
    ["30 groceries and 12 rent", "50 groceries and the rest rent", "42.10 groceries", "30 groceries and 12.105 rent",
     "the rest rent and 10 electronics and the rest groceries", "$30 groceries and the rest rent", "0 groceries and the rest rent", "",
     "30 groceries, 12.10 rent and the rest electronics"],
)  # fmt: skip
async def test_parts_that_do_not_add_up_are_refused(me, parts):
    if parts:
        result = await run(me, "corrections-split", row="the 42.10 at Tesco on Friday", parts=parts)
        assert (result.kind, result.change) == ("clarify", None)


async def test_a_part_whose_category_is_unclear_is_asked_about(me):
    result = await run(
        me, "corrections-split", row="the 42.10 at Tesco on Friday", parts="30 groceries and the rest household"
    )
    assert result.kind == "clarify"
    for choice in result.choices:
        ((call,),) = choice.rounds
        assert (await run(me, call.name, **call.arguments)).change is not None, choice.label


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(2, 10**9), st.integers(1, 10**9), st.sampled_from(("half", "two", "rest", "given")), st.booleans())
async def test_parts_come_to_the_whole_to_the_cent(me, size, part, how, into):
    part = part % (size - 1) + 1
    minor = size if into else -size
    row = Transaction(1, TODAY, minor, "GBP", "x", "Tesco", "Groceries", Kind.PURCHASE, Flow.SPENDING, "Current")
    words = {
        "half": "half", "two": "groceries, rent and electronics",
        "rest": f"{part / 100:.2f} groceries and the rest rent",
        "given": f"{part / 100:.2f} groceries and {(size - part) / 100:.2f} rent",
    }[how]  # fmt: skip
    made = parts_of(words, row, me.context, (), Choice)
    if isinstance(made, Result):
        assert how == "two"  # the only even parts that may be nothing
        assert size < 3
        return
    assert sum(each.amount_minor for each in made) == minor
    assert all(isinstance(each, Part) and each.amount_minor * minor >= 0 for each in made)


async def test_changes_are_listed_and_the_newest_is_taken_back_in_words(me):
    assert (await run(me, "corrections-list")).kind == "empty"
    first = await run(me, "corrections-change", row="the 8 at Tesco", field="note", value="sweets")
    await confirm(me, first)
    await confirm(me, await run(me, "corrections-delete", row="the 9.99 at Netflix"))
    listed = await run(me, "corrections-list")
    assert [row[1:3] for row in listed.table.rows] == [("deleted", "Netflix"), ("note changed", "Tesco")]
    await confirm(me, await run(me, "corrections-undo", change="last"))
    assert Counter(row.merchant for row in await rows(me))["Netflix"] == 1
    await confirm(me, await run(me, "corrections-undo", change="last"))
    assert (await run(me, "corrections-undo", change="last")).kind == "empty"


async def test_what_is_so_already_needs_no_change(me):
    for field, value in (
        ("category", "groceries"),
        ("merchant", "Tesco"),
        ("day", "13 November"),
        ("kind", "no transfer"),
    ):
        result = await run(me, "corrections-change", row="the 8 at Tesco", field=field, value=value)
        assert (result.kind, result.change) == ("answer", None), field
